"""Turn and river of heads-up hold'em solved: two ranges, a pot, the chips behind, and what may be bet.

All hands of a player stand in one vector a public state (Johanson, Waugh, Bowling and Zinkevich 2011): one walk over the betting,
a few dozen public states, updates a thousand information sets at a time. At a showdown the hands are sorted by strength once, and
each meets all others in one sweep, less those that hold one of its cards. From the turn, every way of betting that goes on is
followed by a chance node with the river cards.

>>> found = solve_river("KsKh7d7c2s", "KdKc,4h3h", "AsAd", pot=10, stack=10, sizes=(1.0,), iterations=2000)
>>> bluff, call = found.mixture("4h3h"), found.mixture("AsAd", after=("bet 10",))
>>> round(bluff["bet 10"], 1), round(call["call"], 1), found.exploitability < 0.02      # one bluff for two value bets; call half
(0.5, 0.5, True)
>>> found = solve_turn("KsKh7d2s", "KdKc,4h3h", "AsAd", pot=10, stack=10, sizes=(1.0,), iterations=300)
>>> found.exploitability < 0.1, sorted(found.mixture("AsAd", after=("check", "check", "9c", "bet 10")))
(True, ['call', 'fold'])
"""

# mypy: disable-error-code="assignment,arg-type,call-overload,operator"
from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from outplay.cards import card_text, cards
from outplay.engine.equity import sort_by_strength
from outplay.errors import BadNotation, BadValue, UnknownName
from outplay.games.holdem.evaluator import strengths
from outplay.games.holdem.ranges import HANDS, hand_number, hand_text, hands_of
from outplay.jit import inlined, kernel

MOST_RAISES = 3
SHOWDOWN, FOLDED, RIVER = -1, -2, -3
RIVERS = 44
"""Cards that may come on the river, four being on the board and two in each hand."""


@dataclass(frozen=True)
class PublicTree:
    """The betting from a public state on: per node whose turn it is (or how it ended), its children, and what each has added.

    `board` numbers the boards: 0 as it lies now, then one for each river card.
    """

    player: np.ndarray
    first: np.ndarray
    count: np.ndarray
    added: np.ndarray  # [node, 2]
    loser: np.ndarray
    board: np.ndarray
    names: tuple[str, ...]  # the action that leads to a node, or the card


def betting(pot: float, stack: float, sizes: Sequence[float], rivers: Sequence[int] = ()) -> PublicTree:
    """Check or bet, fold, call or raise: shares of the pot, and all in; seat 0 speaks first, on the river again.

    `rivers` are the cards that may come where the betting is the turn's.
    """
    rows: list[list[Any]] = [[0, 0, 0, 0.0, 0.0, -1, 0, ""]]
    waiting = [(0, 0, 0)]  # node, raises so far in this round, whether the turn was passed
    while waiting:
        node, raises, passed = waiting.pop(0)
        me, added, board = rows[node][0], [rows[node][3], rows[node][4]], rows[node][6]
        rows[node][1] = len(rows)
        if me == RIVER:
            rows[node][2] = len(rivers)
            over = added[0] >= stack
            for number, card in enumerate(rivers):
                rows.append([SHOWDOWN if over else 0, 0, 0, *added, -1, number + 1, card_text(card)])
                if not over:
                    waiting.append((len(rows) - 1, 0, 0))
            continue
        asked = added[1 - me] - added[me]
        end = RIVER if rivers and board == 0 else SHOWDOWN
        options: list[tuple[str, int, list[float], int]] = []
        if asked > 0:
            options.append(("fold", FOLDED, added, me))
            options.append(("call", end, [max(added)] * 2, -1))
        else:
            options.append(("check", end if passed else 1 - me, added, -1))
        if raises < MOST_RAISES and max(added) < stack:
            now = pot + 2 * max(added)
            amounts = sorted({min(max(added) + max(size * now, asked), stack) for size in sizes} | {stack})
            for amount in amounts:
                after = list(added)
                after[me] = amount
                options.append((f"{'raise to' if asked > 0 else 'bet'} {amount:g}", 1 - me, after, -1))
        rows[node][2] = len(options)
        for name, what, after, loser in options:
            rows.append([what, 0, 0, *after, loser, board, name])
            if what >= 0 or what == RIVER:
                bets = name != "check"
                waiting.append((len(rows) - 1, raises + bets, int(not bets)))
    columns = list(zip(*rows, strict=True))
    player, first, count, loser, board = (np.array(columns[k], np.int64) for k in (0, 1, 2, 5, 6))
    return PublicTree(player, first, count, np.array([columns[3], columns[4]], float).T.copy(), loser, board, columns[7])


@inlined
def showdown(order: Any, live: Any, ranks: Any, highs: Any, lows: Any, reach: Any, amount: Any, by_card: Any, every: Any,
             out: Any) -> None:
    """What each hand wins or loses against a vector of the other's hands: those below it less those above it."""
    for card in range(52):
        by_card[card], every[card] = 0.0, 0.0
    total, below = 0.0, 0.0
    for k in range(live):
        hand = order[k]
        total += reach[hand]
        every[highs[hand]] += reach[hand]
        every[lows[hand]] += reach[hand]
    begin = 0
    while begin < live:
        end = begin
        level = ranks[order[begin]]
        while end < live and ranks[order[end]] == level:
            hand = order[end]
            out[hand] = below - by_card[highs[hand]] - by_card[lows[hand]]
            end += 1
        for k in range(begin, end):
            hand = order[k]
            below += reach[hand]
            by_card[highs[hand]] += reach[hand]
            by_card[lows[hand]] += reach[hand]
        for k in range(begin, end):
            hand = order[k]
            met_or_below = below - by_card[highs[hand]] - by_card[lows[hand]] + reach[hand]
            whole = total - every[highs[hand]] - every[lows[hand]] + reach[hand]
            out[hand] = amount * (out[hand] - (whole - met_or_below))
        begin = end


@kernel
def walk(me: Any, best: Any, weight: Any, player: Any, first: Any, count: Any, added: Any, loser: Any, board: Any, half: Any,
         orders: Any, lives: Any, ranks: Any, highs: Any, lows: Any, start: Any, regrets: Any, sums: Any, reach: Any, mine: Any,
         values: Any, by_card: Any, every: Any) -> None:
    """One iteration for one seat, or its best answer to the averages; values[0] holds what each of its hands gets.

    Of nodes' actions, regrets and sums lie at the children: regrets[child, hand]. reach is the other's, mine one's own. Boards
    have their hands in the order of their strengths: orders[board], of which lives[board] are possible.
    """
    nodes = len(player)
    hands = len(highs)
    for hand in range(hands):
        reach[0, hand], mine[0, hand] = start[1 - me, hand], start[me, hand]
    for node in range(nodes):
        if player[node] == RIVER:
            for c in range(first[node], first[node] + count[node]):
                for hand in range(hands):
                    reach[c, hand], mine[c, hand] = 0.0, 0.0
                for k in range(lives[board[c]]):
                    hand = orders[board[c], k]
                    reach[c, hand], mine[c, hand] = reach[node, hand], mine[node, hand]
            continue
        if player[node] < 0:
            continue
        for k in range(lives[board[node]]):
            hand = orders[board[node], k]
            total = 0.0
            for c in range(first[node], first[node] + count[node]):
                total += sums[c, hand] if best else max(regrets[c, hand], 0.0)
            for c in range(first[node], first[node] + count[node]):
                number = sums[c, hand] if best else max(regrets[c, hand], 0.0)
                share = number / total if total > 0.0 else 1.0 / count[node]
                if player[node] == me:
                    reach[c, hand] = reach[node, hand]
                    mine[c, hand] = mine[node, hand] * share
                    if not best:
                        sums[c, hand] += weight * mine[c, hand]
                else:
                    reach[c, hand] = reach[node, hand] * share
                    mine[c, hand] = mine[node, hand]
    for back in range(nodes):
        node = nodes - 1 - back
        order, live = orders[board[node]], lives[board[node]]
        if player[node] == SHOWDOWN:
            amount = half + added[node, me]
            showdown(order, live, ranks[board[node]], highs, lows, reach[node], amount, by_card, every, values[node])
        elif player[node] == RIVER:
            for hand in range(hands):
                values[node, hand] = 0.0
            for c in range(first[node], first[node] + count[node]):
                for k in range(lives[board[c]]):
                    values[node, orders[board[c], k]] += values[c, orders[board[c], k]] / RIVERS
        elif player[node] == FOLDED:
            amount = -(half + added[node, me]) if loser[node] == me else half + added[node, 1 - me]
            total = 0.0
            for card in range(52):
                every[card] = 0.0
            for k in range(live):
                hand = order[k]
                total += reach[node, hand]
                every[highs[hand]] += reach[node, hand]
                every[lows[hand]] += reach[node, hand]
            for k in range(live):
                hand = order[k]
                values[node, hand] = amount * (total - every[highs[hand]] - every[lows[hand]] + reach[node, hand])
        else:
            for k in range(live):
                hand = order[k]
                worth = 0.0
                if player[node] != me:
                    for c in range(first[node], first[node] + count[node]):
                        worth += values[c, hand]
                elif best:
                    worth = values[first[node], hand]
                    for c in range(first[node] + 1, first[node] + count[node]):
                        worth = max(worth, values[c, hand])
                else:
                    total = 0.0
                    for c in range(first[node], first[node] + count[node]):
                        total += max(regrets[c, hand], 0.0)
                    for c in range(first[node], first[node] + count[node]):
                        share = max(regrets[c, hand], 0.0) / total if total > 0.0 else 1.0 / count[node]
                        worth += share * values[c, hand]
                    for c in range(first[node], first[node] + count[node]):
                        regrets[c, hand] = max(regrets[c, hand] + values[c, hand] - worth, 0.0)
                values[node, hand] = worth


@kernel
def sort_hands(ranks: Any, order: Any, spare: Any, buckets: Any, live: Any) -> None:
    """The hands that are possible in the order of their strengths."""
    sort_by_strength(ranks, order, spare, buckets, live)


@dataclass(frozen=True)
class Solved:
    """An equilibrium of a turn or river: what seat 0 gets of the pot and the bets, and what both play."""

    value: float  # chips that seat 0 wins on average, beyond half the pot
    exploitability: float  # chips that a best answer wins more, a seat
    iterations: int
    seconds: float
    tree: PublicTree
    sums: np.ndarray
    numbers: dict[int, int]  # of each hand that either may hold: its column in sums

    def node(self, after: Sequence[str] = ()) -> int:
        """The public state after some actions, and river cards such as 9c between them."""
        at = 0
        for name in after:
            children = range(int(self.tree.first[at]), int(self.tree.first[at] + self.tree.count[at]))
            found = {self.tree.names[child]: child for child in children}
            if name not in found:
                raise UnknownName("action", name, found)
            at = found[name]
        return at

    def mixture(self, hand: str, after: Sequence[str] = ()) -> dict[str, float]:
        """What a hand plays there."""
        at, number = self.node(after), self.numbers.get(hand_number(hands_of(hand)[0]))
        if number is None:
            raise BadNotation(f"nobody may hold {hand} here")
        children = range(int(self.tree.first[at]), int(self.tree.first[at] + self.tree.count[at]))
        total = sum(self.sums[child, number] for child in children)
        return {self.tree.names[child]: float(self.sums[child, number] / total) if total > 0 else 1 / len(children)
                for child in children}


def solve_river(board: str, first: str, second: str, *, pot: float, stack: float, sizes: Sequence[float] = (0.5, 1.0),
                iterations: int = 1000, target: float | None = None, seconds: float | None = None) -> Solved:
    """An equilibrium of the last betting by CFR+; `target` is an exploitability in chips that will do."""
    return _solve(5, "river", board, first, second, pot, stack, sizes, iterations, target, seconds)


def solve_turn(board: str, first: str, second: str, *, pot: float, stack: float, sizes: Sequence[float] = (1.0,),
               iterations: int = 300, target: float | None = None, seconds: float | None = None) -> Solved:
    """An equilibrium of the betting on turn and river, all river cards followed; memory and time grow with the hands and sizes."""
    return _solve(4, "turn", board, first, second, pot, stack, sizes, iterations, target, seconds)


def _solve(length: int, street: str, board: str, first: str, second: str, pot: float, stack: float, sizes: Sequence[float],
           iterations: int, target: float | None, seconds: float | None) -> Solved:
    table = cards(board)
    if len(table) != length:
        raise BadNotation(f"a {street} has {'four' if length == 4 else 'five'} cards on the board, got {board!r}")
    if not pot > 0 or not stack > 0 or iterations < 1 or not all(size > 0 for size in sizes):
        raise BadValue(f"pot, stack, sizes and iterations must be more than 0, got {pot}, {stack}, {list(sizes)} and {iterations}")
    whole = np.zeros((2, len(HANDS)))
    for seat, text in enumerate((first, second)):
        for hand in hands_of(text):
            if not set(hand) & set(table):
                whole[seat, hand_number(hand)] = 1.0
        if not whole[seat].any():
            raise BadNotation(f"no hand of {text!r} is left on the board {board}")
    used = [k for k in range(len(HANDS)) if whole[:, k].any()]  # nobody holds the others
    start = np.ascontiguousarray(whole[:, used])
    highs, lows = (np.array(each, np.int64) for each in zip(*(HANDS[k] for k in used), strict=True))
    apart = float(start[0] @ _disjoint(start[1], highs, lows))
    if apart == 0:
        raise BadNotation("the two ranges cannot be held at the same time")
    rivers = [card for card in range(52) if card not in table] if length == 4 else []
    boards = [table, *((*table, card) for card in rivers)]
    orders, ranks = np.zeros((len(boards), len(used)), np.int64), np.zeros((len(boards), len(used)), np.int64)
    lives = np.zeros(len(boards), np.int64)
    for number, cards_there in enumerate(boards):
        possible = [k for k, hand in enumerate(used) if not set(HANDS[hand]) & set(cards_there)]
        lives[number] = len(possible)
        orders[number, : len(possible)] = possible
        if len(cards_there) == 5 and possible:
            ranks[number, possible] = strengths([[*HANDS[used[k]], *cards_there] for k in possible])
            sort_hands(ranks[number], orders[number], np.zeros(len(used), np.int64), np.zeros(130, np.int64), len(possible))
    tree = betting(pot, stack, sizes, rivers)
    regrets, sums, reach, mine, values = (np.zeros((len(tree.player), len(used))) for _ in range(5))
    room = np.zeros(52), np.zeros(52)
    begun = time.perf_counter()

    def run(me: int, best: bool, weight: float) -> float:
        walk(me, best, weight, tree.player, tree.first, tree.count, tree.added, tree.loser, tree.board, pot / 2, orders, lives,
             ranks, highs, lows, start, regrets, sums, reach, mine, values, *room)
        return float(start[me] @ values[0]) / apart

    done, gap, value = 0, float("inf"), 0.0
    late = False
    while done < iterations and not late:
        for _ in range(min(100 if length == 5 else 25, iterations - done)):
            done += 1
            for me in range(2):
                run(me, False, float(done))
            late = seconds is not None and time.perf_counter() - begun >= seconds
            if late:
                break
        answers = run(0, True, 0.0), run(1, True, 0.0)
        gap, value = (answers[0] + answers[1]) / 2, (answers[0] - answers[1]) / 2
        if target is not None and gap <= target:
            break
    return Solved(value, gap, done, time.perf_counter() - begun, tree, sums, {hand: k for k, hand in enumerate(used)})


def _disjoint(reach: np.ndarray, highs: np.ndarray, lows: np.ndarray) -> np.ndarray:
    """For each hand, the sum over all hands that share no card with it."""
    by_card = np.bincount(highs, weights=reach, minlength=52) + np.bincount(lows, weights=reach, minlength=52)
    return reach.sum() - by_card[highs] - by_card[lows] + reach


__all__ = ["Solved", "betting", "hand_text", "solve_river", "solve_turn"]
