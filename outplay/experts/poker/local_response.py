"""A local best response to a trained hold'em strategy (Lisý and Bowling 2017): how much it loses at least.

An exact best answer to a strategy for hold'em is out of reach. The local one knows the strategy and watches it play: by Bayes
it keeps how likely each of the 1326 hands is, and takes whatever is worth most if it only calls from then on. It is a
legal player that knows nothing but the strategy, so what it wins on average is a lower bound on what a best answer wins.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from outplay.errors import BadValue
from outplay.experts.poker.limit import (
    RUNS,
    HoldemSolver,
    bucket_of,
    deal_cards,
    equity_by_runs,
    equity_on_river,
    mixture,
    payoff,
    pick_by_shares,
)
from outplay.games.holdem.evaluator import BITS, KEYS, START, strength_of
from outplay.games.holdem.ranges import HANDS
from outplay.jit import below, i64, inlined, kernel, random_source, u64

BOARDS = 40
"""Random boards over which hands are compared before the river."""


class Hands(NamedTuple):
    """The 1326 hands."""

    highs: np.ndarray  # [hand]: its higher card
    lows: np.ndarray  # [hand]: its lower card
    classes: np.ndarray  # [card, card]: the bucket before the flop

    @classmethod
    def of(cls, solver: HoldemSolver) -> Hands:
        """All hands, with the classes that a solver knows."""
        highs, lows = (np.array(each, np.int64) for each in zip(*HANDS, strict=True))
        return cls(highs, lows, solver.classes)


class Room(NamedTuple):
    """The memory that the answer works in."""

    cards: np.ndarray  # of a deal: seat 0's, seat 1's, the board
    buckets: np.ndarray  # [hand]: as the strategy sees it in this round
    chances: np.ndarray  # [hand]: how likely the strategy holds it
    staying: np.ndarray  # [hand]: and does not fold to a raise
    shares: np.ndarray  # [action]: what the strategy plays
    won: np.ndarray  # what my hand wins against all hands, and against those that stay

    @classmethod
    def new(cls, width: int) -> Room:
        """All zeros, for so many actions."""
        return cls(np.zeros(9, np.int64), np.zeros(len(HANDS), np.int64), np.zeros(len(HANDS)), np.zeros(len(HANDS)),
                   np.zeros(width), np.zeros(2))


@inlined
def find_all_buckets(cards: Any, street: Any, known: Any, highs: Any, lows: Any, classes: Any, runs: Any, source: Any,
                     buckets: Any) -> None:
    """The bucket of every hand that is possible on a street, as the strategy sees it."""
    key, bits = START, u64(0)
    for k in range(0 if street == 0 else street + 2):
        key += KEYS[cards[4 + k]]
        bits |= BITS[cards[4 + k]]
    for hand in range(len(highs)):
        a, b = highs[hand], lows[hand]
        if (BITS[a] | BITS[b]) & (bits | known):
            continue
        hole_key, hole_bits = KEYS[a] + KEYS[b], BITS[a] | BITS[b]
        if street == 0:
            buckets[hand] = classes[a, b]
        elif street == 3:
            buckets[hand] = bucket_of(3, equity_on_river(hole_key, hole_bits, key, bits), 0.0)
        else:
            share, spread = equity_by_runs(hole_key, hole_bits, key, bits, 3 - street, runs, source)
            buckets[hand] = bucket_of(street, share, spread)


@inlined
def share_won(cards: Any, me: Any, street: Any, highs: Any, lows: Any, first: Any, second: Any, source: Any, out: Any) -> None:
    """What my hand wins against two weighted ranges, over random boards: out[0] and out[1]."""
    mine_key = KEYS[cards[2 * me]] + KEYS[cards[2 * me + 1]]
    mine_bits = BITS[cards[2 * me]] | BITS[cards[2 * me + 1]]
    board_key, board_bits = START, u64(0)
    shown = 0 if street == 0 else street + 2
    for k in range(shown):
        board_key += KEYS[cards[4 + k]]
        board_bits |= BITS[cards[4 + k]]
    won0, all0, won1, all1 = 0.0, 0.0, 0.0, 0.0
    for _ in range(1 if street == 3 else BOARDS):
        key, bits = board_key, board_bits
        left = 5 - shown
        while left > 0:
            card = below(source, 52)
            if not BITS[card] & (bits | mine_bits):
                key += KEYS[card]
                bits |= BITS[card]
                left -= 1
        mine = strength_of(key + mine_key, bits | mine_bits)
        for hand in range(len(highs)):
            if first[hand] > 0.0:
                hole = BITS[highs[hand]] | BITS[lows[hand]]
                if not hole & (bits | mine_bits):
                    theirs = strength_of(key + KEYS[highs[hand]] + KEYS[lows[hand]], bits | hole)
                    share = 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0
                    won0 += first[hand] * share
                    all0 += first[hand]
                    won1 += second[hand] * share
                    all1 += second[hand]
    out[0] = won0 / all0 if all0 > 0.0 else 0.5
    out[1] = won1 / all1 if all1 > 0.0 else 0.5


@kernel
def answer(deals: Any, bets: Any, sums: Any, hands: Any, runs: Any, room: Any, source: Any, out: Any) -> None:
    """Deals played by the local best response in both seats; out gets what it wins in both together."""
    player, rounds, child, staked, offset = bets.player, bets.rounds, bets.child, bets.staked, bets.offset
    highs, lows, cards, buckets = hands.highs, hands.lows, room.cards, room.buckets
    chances, staying, shares, won = room.chances, room.staying, room.shares, room.won
    for deal in range(deals):
        result = deal_cards(cards, source)
        total = 0.0
        for me in range(2):
            known = BITS[cards[2 * me]] | BITS[cards[2 * me + 1]]
            truth = i64(0)
            for hand in range(len(highs)):
                hole = BITS[highs[hand]] | BITS[lows[hand]]
                chances[hand] = 0.0 if hole & known else 1.0
                if hole == BITS[cards[2 - 2 * me]] | BITS[cards[3 - 2 * me]]:
                    truth = hand
            node, street = i64(0), -1
            while player[node] >= 0:
                if rounds[node] != street:
                    street = rounds[node]
                    find_all_buckets(cards, street, known, highs, lows, hands.classes, runs, source, buckets)
                    for k in range(0 if street == 0 else street + 2):
                        for hand in range(len(highs)):
                            if (BITS[highs[hand]] | BITS[lows[hand]]) & BITS[cards[4 + k]]:
                                chances[hand] = 0.0
                if player[node] != me:  # the strategy plays, and tells something of its hand
                    mixture(sums, offset[node] + child.shape[1] * buckets[truth], child, node, shares)
                    action = pick_by_shares(shares, source)
                    for hand in range(len(highs)):
                        if chances[hand] > 0.0:
                            mixture(sums, offset[node] + child.shape[1] * buckets[hand], child, node, shares)
                            chances[hand] *= shares[action]
                    node = child[node, action]
                    continue
                pot = float(staked[node, 0] + staked[node, 1])
                asked = float(staked[node, 1 - me] - staked[node, me])
                best, action = 0.0, 1
                for raising in range(2, child.shape[1]):
                    after = child[node, raising]
                    if raising > 2 and after < 0:
                        continue
                    folds, whole = 0.0, 0.0
                    for hand in range(len(highs)):
                        staying[hand] = chances[hand]
                        if after >= 0 and chances[hand] > 0.0:
                            mixture(sums, offset[after] + child.shape[1] * buckets[hand], child, after, shares)
                            staying[hand] = chances[hand] * (1.0 - shares[0])
                            folds += chances[hand] * shares[0]
                        whole += chances[hand]
                    share_won(cards, me, street, highs, lows, chances, staying, source, won)
                    if raising == 2:
                        best = won[0] * pot - (1.0 - won[0]) * asked
                    if after >= 0 and whole > 0.0:
                        folds /= whole
                        more = float(staked[after, me] - staked[node, 1 - me])
                        worth = folds * pot + (1.0 - folds) * (won[1] * (pot + more) - (1.0 - won[1]) * (asked + more))
                        if worth > best:
                            best, action = worth, raising
                if best < 0.0 and child[node, 0] >= 0:
                    action = 0
                node = child[node, action]
            total += payoff(staked, bets.folded, node, result, me)
        out[deal] = total


def local_best_response(solver: HoldemSolver, deals: int = 200, *, runs: int = RUNS, seed: int = 1) -> tuple[float, float]:
    """What it wins from a strategy in thousandths of a big blind a hand, and the standard error; each deal in both seats."""
    if deals < 2:
        raise BadValue(f"deals must be 2 or more, got {deals}")
    out = np.zeros(deals)
    room = Room.new(solver.betting.width)
    answer(deals, solver.betting.bets, solver.sums, Hands.of(solver), runs, room, random_source(seed), out)
    big = {**solver.game.rules.definition.defaults, **solver.game.rules.parameters}["big"]
    scale = 1000 / big / 2  # two hands a deal
    return float(out.mean() * scale), float(out.std() / np.sqrt(deals) * scale)
