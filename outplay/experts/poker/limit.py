"""A player for heads-up hold'em: cards in buckets by what they win, the betting as it is, regrets from sampled deals.

Limit hold'em has 3 * 10**14 information sets. Hands that win about as often against a random one, and are about as sure of it,
are put into one bucket: 169 classes before the flop; on flop and turn shares of equity, and in each how far the equity still
spreads over the cards to come (a draw is at 90 % or at 20 % soon, a middle pair stays where it is); on the river shares of
equity. The betting is kept whole: some 270,000 information sets are left, and external-sampling regret minimization (Lanctot and
others 2009), where deal t counts t times, learns a strategy for them in minutes.

>>> from outplay.game import load
>>> solver = HoldemSolver(load("hold'em:kind=limit"), seed=1)
>>> solver.advance(200)
>>> solver.betting.nodes > 5000, solver.iterations
(True, 200)
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from outplay.engine.regret.equilibrium import Learner, Report, rules_stamp
from outplay.errors import BadValue, Unsuitable
from outplay.files import write_whole
from outplay.game import CompiledGame, Position
from outplay.games.holdem.evaluator import BITS, KEYS, START, strength_of
from outplay.games.holdem.ranges import CLASS_OF_HAND, CLASS_SIZES, HANDS, class_of_hand
from outplay.jit import below, i64, inlined, kernel, random_source, u64, uniform

ALGORITHM = "buckets"
LEVELS, SPREADS = 20, 3
"""Shares of equity on flop and turn, and how many kinds of spread are told apart in each."""
EDGES = ((0.0, 0.0), (0.17, 0.23), (0.11, 0.17))
"""Between few, some and much spread, on flop and turn: standard deviations that part the hands of random deals into thirds."""
BUCKETS = (169, LEVELS * SPREADS, LEVELS * SPREADS, 40)
"""Buckets of each round."""
RUNS = 240
"""Random hands by which a hand is judged on flop and turn while training, a few on each random board; playing takes more."""
MEETINGS = 6
"""Hands met on one board: two at least, so that luck in the meetings can be told from what the board does."""
PASSES = 3
"""Plays learned from one deal: finding the buckets takes longer than a play."""
DEEP = 64
MOST_NODES = 400_000
"""States of the betting, at most: each has numbers for all its buckets."""


class Bets(NamedTuple):
    """What the kernels take of the betting."""

    player: np.ndarray  # [node]: whose turn, -1 at an end
    rounds: np.ndarray  # [node]: 0 to 3; at an end 4 after a showdown, 5 after a fold
    child: np.ndarray  # [node, 0 and on]: after fold, call and each raise, the smallest first; -1 where there is none
    staked: np.ndarray  # [node, seat]: what it has put in
    folded: np.ndarray  # [node]: a bit for each seat
    offset: np.ndarray  # [node]: where its numbers begin among those learned, one an action for each bucket


class Betting:
    """The betting of heads-up hold'em as a tree, read off the rules themselves.

    Of each node: whose turn, the round, the child after fold, call and each raise that the rules offer (-1 where there is none).
    An end has its round as 4 at the showdown and 5 after a fold, and what each seat has put in.
    """

    def __init__(self, game: Any) -> None:
        parameters = {**game.rules.definition.defaults, **game.rules.parameters} if hasattr(game, "rules") else {}
        if game.family != "hold'em" or parameters["seats"] != 2 or parameters["sizes"] == "any":
            raise Unsuitable(f"{ALGORITHM} needs hold'em with two seats and no sizes=any; this is {game.name}: use external")
        self.is_limit = parameters["kind"] == "limit"
        self.index: dict[tuple[int, ...], int] = {}
        self.actions: list[list[int]] = []
        rows: list[list[int]] = []
        quick = CompiledGame(game.rules, compiled=True)
        waiting: list[tuple[tuple[int, ...], Position]] = [((), quick.start())]
        links: list[tuple[int, int, tuple[int, ...]]] = []
        while waiting:
            if len(rows) > MOST_NODES:
                raise Unsuitable(f"the betting of {game.name} has more than {MOST_NODES:,} states: fewer sizes or smaller stacks")
            log, position = waiting.pop()
            self.index[log] = len(rows)
            while position.is_chance():  # the cards do not matter here
                position = position.result(position.actions()[0])
            record = game.record(position.state)
            staked = [int(chips) for chips in record["staked"]]
            if position.is_terminal():
                folded = int(record["folded"])
                rows.append([-1, 5 if folded else 4, *staked, folded])
                self.actions.append([])
                continue
            rows.append([position.player(), int(record["street"]), *staked, 0])
            offered = sorted(position.actions())
            self.actions.append(offered)
            for action in offered:
                links.append((self.index[log], kind_of(action, offered), (*log, action)))
                waiting.append(((*log, action), position.result(action)))
        table = np.array(rows, np.int64)
        self.nodes, self.width = len(table), 1 + max(kind for _, kind, _ in links)
        self.player, self.round = table[:, 0], table[:, 1]
        self.child = np.full((self.nodes, self.width), -1, np.int64)
        for parent, kind, child_log in links:
            self.child[parent, kind] = self.index[child_log]
        self.staked, self.folded = np.ascontiguousarray(table[:, 2:4]), table[:, 4]
        sizes = np.where(self.player >= 0, np.array([*BUCKETS, 0, 0])[self.round], 0)
        self.offset = np.concatenate(([0], np.cumsum(self.width * sizes)))[:-1].astype(np.int64)
        self.size = int(self.width * sizes.sum())
        self.bets = Bets(self.player, self.round, self.child, self.staked, self.folded, self.offset)


def kind_of(action: int, offered: Sequence[int]) -> int:
    """The column of an action: 0 fold, 1 call, then the raises from the smallest on."""
    return action if action < 2 else 2 + [each for each in offered if each >= 2].index(action)


@functools.lru_cache(maxsize=4)
def betting_of(game: Any) -> Betting:
    """The tree of a game, made once."""
    return Betting(game)


# ---------------------------------------------------------------- what a hand is worth


@inlined
def equity_by_runs(hole_key: Any, hole_bits: Any, board_key: Any, board_bits: Any, missing: Any, runs: Any, source: Any) -> Any:
    """What two cards win on a board against a random hand, over random run-outs; and the standard deviation over the boards."""
    won, squares = 0.0, 0.0
    known = hole_bits | board_bits
    boards = max(runs // MEETINGS, 1)
    for _ in range(boards):
        key, bits = board_key, board_bits
        left = missing
        while left > 0:
            card = below(source, 52)
            if not BITS[card] & (known | bits):
                bits |= BITS[card]
                key += KEYS[card]
                left -= 1
        mine = strength_of(key + hole_key, bits | hole_bits)
        here, single = 0.0, 0.0
        for _ in range(MEETINGS):
            their_key, their_bits = u64(0), u64(0)
            left = 2
            while left > 0:
                card = below(source, 52)
                if not BITS[card] & (known | bits | their_bits):
                    their_bits |= BITS[card]
                    their_key += KEYS[card]
                    left -= 1
            theirs = strength_of(key + their_key, bits | their_bits)
            share = 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0
            here += share
            single += share * share
        won += here / MEETINGS
        squares += (here * here - single) / (MEETINGS * (MEETINGS - 1))  # of two different meetings: no luck of one squared
    won, squares = won / boards, squares / boards
    return won, max(squares - won * won, 0.0) ** 0.5


@inlined
def bucket_of(street: Any, share: Any, spread: Any) -> Any:
    """The bucket of a hand that wins a share, with some spread, on flop, turn or river."""
    if street == 3:
        return min(i64(share * BUCKETS[3]), BUCKETS[3] - 1)
    low, high = (EDGES[1][0], EDGES[1][1]) if street == 1 else (EDGES[2][0], EDGES[2][1])
    kind = 0 if spread < low else 1 if spread < high else 2
    return SPREADS * min(i64(share * LEVELS), LEVELS - 1) + kind


@inlined
def share_of_bucket(street: Any, bucket: Any) -> Any:
    """About what the hands of a bucket win."""
    return (bucket + 0.5) / BUCKETS[3] if street == 3 else (bucket // SPREADS + 0.5) / LEVELS


@inlined
def equity_on_river(hole_key: Any, hole_bits: Any, board_key: Any, board_bits: Any) -> Any:
    """What two cards win on a whole board against all 990 hands."""
    mine = strength_of(board_key + hole_key, board_bits | hole_bits)
    won = 0.0
    known = hole_bits | board_bits
    for a in range(52):
        if not BITS[a] & known:
            for b in range(a):
                if not BITS[b] & known:
                    theirs = strength_of(board_key + KEYS[a] + KEYS[b], board_bits | BITS[a] | BITS[b])
                    won += 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0
    return won / 990.0


@inlined
def find_buckets(cards: Any, classes: Any, runs: Any, source: Any, buckets: Any) -> None:
    """The bucket of each seat in each round of a deal: cards 0 and 1 are seat 0's, 2 and 3 seat 1's, then the board."""
    for seat in range(2):
        a, b = cards[2 * seat], cards[2 * seat + 1]
        hole_key, hole_bits = KEYS[a] + KEYS[b], BITS[a] | BITS[b]
        buckets[seat, 0] = classes[a, b]
        key, bits = START, u64(0)
        for k in range(5):
            key += KEYS[cards[4 + k]]
            bits |= BITS[cards[4 + k]]
            if k == 4:
                buckets[seat, 3] = bucket_of(3, equity_on_river(hole_key, hole_bits, key, bits), 0.0)
            elif k >= 2:
                share, spread = equity_by_runs(hole_key, hole_bits, key, bits, 4 - k, runs, source)
                buckets[seat, k - 1] = bucket_of(k - 1, share, spread)


@inlined
def deal_cards(cards: Any, source: Any) -> Any:
    """Nine random cards; returns 1 where seat 0 wins the showdown, -1 where seat 1 does, else 0."""
    seen = u64(0)
    at = 0
    while at < 9:
        card = below(source, 52)
        if not BITS[card] & seen:
            seen |= BITS[card]
            cards[at] = card
            at += 1
    key, bits = START, u64(0)
    for k in range(4, 9):
        key += KEYS[cards[k]]
        bits |= BITS[cards[k]]
    first = strength_of(key + KEYS[cards[0]] + KEYS[cards[1]], bits | BITS[cards[0]] | BITS[cards[1]])
    second = strength_of(key + KEYS[cards[2]] + KEYS[cards[3]], bits | BITS[cards[2]] | BITS[cards[3]])
    return 1 if first > second else -1 if first < second else 0


@inlined
def payoff(staked: Any, folded: Any, node: Any, result: Any, me: Any) -> Any:
    """What a seat gets at an end."""
    if folded[node] != 0:
        loser = 0 if folded[node] & 1 else 1
        value = float(min(staked[node, 0], staked[node, 1]))
        return -value if loser == me else value
    value = float(staked[node, 0]) * result
    return value if me == 0 else -value


@inlined
def mixture(table: Any, at: Any, child: Any, node: Any, shares: Any) -> None:
    """The actions of a node in proportion to the positive numbers of a table; alike where there are none."""
    total, count = 0.0, 0
    for a in range(child.shape[1]):
        shares[a] = 0.0
        if child[node, a] >= 0:
            count += 1
            shares[a] = max(table[at + a], 0.0)
            total += shares[a]
    for a in range(child.shape[1]):
        if child[node, a] >= 0:
            shares[a] = shares[a] / total if total > 0.0 else 1.0 / count


@inlined
def pick_by_shares(shares: Any, source: Any) -> Any:
    """An action drawn by its share."""
    left = uniform(source)
    chosen = 0
    for a in range(shares.shape[0]):
        if shares[a] > 0.0:
            chosen = a
            left -= shares[a]
            if left < 0.0:
                break
    return chosen


class Room(NamedTuple):
    """The memory that one thread learns in."""

    cards: np.ndarray  # of a deal: seat 0's, seat 1's, the board
    buckets: np.ndarray  # [seat, round]
    shares: np.ndarray  # [depth, action]: what is played there
    values: np.ndarray  # [depth, action]: what that is worth
    stack: np.ndarray  # [depth, 0 to 2]: node, action, where its numbers begin

    @classmethod
    def new(cls, width: int = 3) -> Room:
        """All zeros."""
        return cls(np.zeros(9, np.int64), np.zeros((2, 4), np.int64), np.zeros((DEEP, width)), np.zeros((DEEP, width)),
                   np.zeros((DEEP, 3), np.int64))


@kernel
def train(iterations: Any, begin: Any, bets: Any, regrets: Any, sums: Any, classes: Any, runs: Any, room: Any, source: Any) -> None:
    """External sampling: each iteration deals once and learns for both seats."""
    player, rounds, child, offset = bets.player, bets.rounds, bets.child, bets.offset
    cards, buckets, shares, values, stack, width = room.cards, room.buckets, room.shares, room.values, room.stack, child.shape[1]
    for t in range(begin, begin + iterations):
        result = deal_cards(cards, source)
        find_buckets(cards, classes, runs, source, buckets)
        for turn in range(2 * PASSES):
            me = turn % 2
            depth, node, back, worth = 0, i64(0), False, 0.0
            while True:
                if not back:
                    if player[node] < 0:
                        worth = payoff(bets.staked, bets.folded, node, result, me)
                        back = True
                    else:
                        seat = player[node]
                        at = offset[node] + width * buckets[seat, rounds[node]]
                        mixture(regrets, at, child, node, shares[depth])
                        if seat != me:
                            for a in range(width):
                                sums[at + a] += shares[depth, a] * (t + 1)
                            node = child[node, pick_by_shares(shares[depth], source)]
                        else:
                            first = 0 if child[node, 0] >= 0 else 1
                            stack[depth, 0], stack[depth, 1], stack[depth, 2] = node, first, at
                            node = child[node, first]
                            depth += 1
                    continue
                if depth == 0:
                    break
                depth -= 1
                here, a = stack[depth, 0], stack[depth, 1]
                values[depth, a] = worth
                if a + 1 < width and child[here, a + 1] >= 0:
                    stack[depth, 1] = a + 1
                    node = child[here, a + 1]
                    depth += 1
                    back = False
                    continue
                worth = 0.0
                for a in range(width):
                    if child[here, a] >= 0:
                        worth += shares[depth, a] * values[depth, a]
                at = stack[depth, 2]
                for a in range(width):
                    if child[here, a] >= 0:
                        regrets[at + a] += (values[depth, a] - worth) * (t + 1)


CALLER, RAISER, THRESHOLD = 0, 1, 2
RIVALS = ("always call", "always raise", "equity threshold")


@inlined
def rival_action(kind: Any, child: Any, node: Any, bucket: Any, share: Any) -> Any:
    """What a simple player does: call, raise, or by what its hand wins."""
    if kind == RAISER and child[node, 2] >= 0:
        return 2
    if kind == THRESHOLD:
        if share > 0.65 and child[node, 2] >= 0:
            return 2
        if share < 0.42 and child[node, 0] >= 0:
            return 0
    return 1


@kernel
def duel(hands: Any, kind: Any, bets: Any, sums: Any, classes: Any, worth: Any, runs: Any, room: Any, source: Any,
         out: Any) -> None:
    """Hands against a simple player, each deal played in both seats; out gets what our seat wins in both together."""
    player, rounds, child, offset = bets.player, bets.rounds, bets.child, bets.offset
    cards, buckets, shares = room.cards, room.buckets, room.shares
    for hand in range(hands):
        result = deal_cards(cards, source)
        find_buckets(cards, classes, runs, source, buckets)
        total = 0.0
        for me in range(2):
            node = i64(0)
            while player[node] >= 0:
                seat = player[node]
                bucket = buckets[seat, rounds[node]]
                if seat == me:
                    mixture(sums, offset[node] + child.shape[1] * bucket, child, node, shares[0])
                    node = child[node, pick_by_shares(shares[0], source)]
                else:
                    share = worth[bucket] if rounds[node] == 0 else share_of_bucket(rounds[node], bucket)
                    node = child[node, rival_action(kind, child, node, bucket, share)]
            total += payoff(bets.staked, bets.folded, node, result, me)
        out[hand] = total


class HoldemSolver(Learner):
    """Learns a strategy for heads-up hold'em from random deals; runs can be stopped, saved and taken up again."""

    SLICE, LEAST, USUAL = 100, 4096, 200_000

    def __init__(self, game: Any, *, seed: int = 0, runs: int = RUNS, threads: int = 1) -> None:
        if threads < 1:
            raise BadValue(f"threads must be 1 or more, got {threads}")
        self.sources = [random_source(1_000_003 * seed + number + 1) for number in range(threads - 1)]
        self.game, self.betting = game, betting_of(game)
        self.regrets, self.sums = np.zeros(self.betting.size), np.zeros(self.betting.size)
        self.classes = np.array([[class_of_hand((max(a, b), min(a, b))) if a != b else 0 for b in range(52)] for a in range(52)])
        self.iterations, self.seconds, self.runs, self.seed = 0, 0.0, runs, seed
        self.source = random_source(seed)
        self.promise = False

    def advance(self, iterations: int) -> None:
        """Learn from so many deals.

        Threads write into the same numbers without waiting for each other; a sum that is lost now and then does not matter.
        """
        def work(source: np.ndarray, deals: int) -> None:
            room = Room.new(self.betting.width)
            train(deals, self.iterations, self.betting.bets, self.regrets, self.sums, self.classes, self.runs, room, source)

        each = iterations // (1 + len(self.sources))
        helpers = [threading.Thread(target=work, args=(source, each)) for source in self.sources]
        for helper in helpers:
            helper.start()
        work(self.source, iterations - each * len(helpers))
        for helper in helpers:
            helper.join()
        self.iterations += iterations

    def report(self) -> Report:
        """How far the learning is; what a best answer would win is not known."""
        known = int((self.sums.reshape(-1, self.betting.width).sum(axis=1) > 0).sum())
        return Report(ALGORITHM, self.iterations, self.seconds, (float("nan"),) * 2, None, known, self.betting.nodes, False)

    def measured(self, hands: int = 10_000) -> Iterator[tuple[str, float, float, str]]:
        """What the strategy wins against each simple rival: the mean a hand, its standard error, and the unit."""
        for rival in RIVALS:
            won, error = self.measure(rival, hands)
            yield rival, won / 1000, error / 1000, "big blinds a hand"

    def table(self) -> Iterator[tuple[int, Position, dict[int, float], float]]:
        """Each information set before the flop: its player, what it sees with one hand of the class, the mixture, and about how
        likely it is reached (as if the two hands were dealt from two decks); likeliest first."""
        betting, weights = self.betting, CLASS_SIZES / CLASS_SIZES.sum()
        reach = {0: (weights.copy(), weights.copy())}
        found: list[tuple[float, tuple[int, ...], int, np.ndarray]] = []
        for log, node in sorted(self.betting.index.items(), key=lambda each: len(each[0])):  # parents first
            if node in reach and betting.round[node] == 0:
                seat = int(betting.player[node])
                at, width, can = betting.offset[node], betting.width, betting.child[node] >= 0
                rows = np.maximum(self.sums[at : at + width * BUCKETS[0]].reshape(-1, width), 0.0)
                rows = np.where(can, rows, 0.0)
                total = rows.sum(axis=1, keepdims=True)
                shares = np.where(total > 0, rows / np.where(total > 0, total, 1.0), can / can.sum())
                likely = reach[node][seat] * reach[node][1 - seat].sum()
                found.extend((float(likely[k]), log, k, shares[k]) for k in range(BUCKETS[0]))
                for kind in np.flatnonzero(can):
                    after = [reach[node][0], reach[node][1]]
                    after[seat] = after[seat] * shares[:, kind]
                    reach[int(betting.child[node, kind])] = after[0], after[1]
        hands = {int(number): HANDS[k] for k, number in enumerate(CLASS_OF_HAND)}
        for reached, log, number, mixed in sorted(found, key=lambda each: -each[0]):
            seat, hand = int(betting.player[betting.index[log]]), hands[number]
            others = [card for card in range(52) if card not in hand][:2]
            view = self.game.start()
            for action in (*(hand if seat == 0 else others), *(hand if seat == 1 else others), *log):
                view = view.result(action)
            view = view.observe(seat)
            offered = view.actions()
            yield seat, view, {action: float(mixed[kind_of(action, offered)]) for action in offered}, reached

    def measure(self, rival: str, hands: int = 20_000, seed: int = 1) -> tuple[float, float]:
        """What it wins in thousandths of a big blind a hand, and the standard error; each deal is played in both seats."""
        if rival not in RIVALS:
            raise BadValue(f"rival must be one of {', '.join(RIVALS)}, got {rival!r}")
        from outplay.games.holdem.preflop import EQUITIES, WEIGHTS

        worth = (EQUITIES * WEIGHTS).sum(axis=1) / WEIGHTS.sum(axis=1)
        out = np.zeros(hands)
        duel(hands, RIVALS.index(rival), self.betting.bets, self.sums, self.classes, worth, self.runs, Room.new(self.betting.width),
             random_source(seed), out)
        big = {**self.game.rules.definition.defaults, **self.game.rules.parameters}["big"]
        scale = 1000 / big / 2  # two hands a deal
        return float(out.mean() * scale), float(out.std() / np.sqrt(hands) * scale)

    def policy(self) -> HoldemSolver:
        """Itself: it is saved as its strategy alone."""
        return self

    def save(self, file: str | Path) -> None:
        """Write the strategy, and the regrets to go on from."""
        rows = self.sums.reshape(-1, self.betting.width)
        write_whole(file, lambda out: np.savez_compressed(
            out, game=self.game.name, rules=rules_stamp(self.game), algorithm=ALGORITHM, seconds=self.seconds,
            iterations=self.iterations, source=self.source, sums=rows.astype(np.float32), regrets=self.regrets.astype(np.float32)))

    def resume(self, file: str | Path) -> None:
        """Go on from a file, or play from it; refuses one of another game or of other rules."""
        from outplay.engine.regret.equilibrium import checkpoint

        saved = checkpoint(file, self.game, ALGORITHM)
        self.sums[:], self.regrets[:] = saved["sums"].ravel(), saved["regrets"]
        self.source[:] = saved["source"]
        self.iterations, self.seconds = int(saved["iterations"]), float(saved["seconds"])

    def shares(self, log: tuple[int, ...], hole: tuple[int, int], board: tuple[int, ...], *, runs: int = 4000,
               seed: int = 0) -> dict[int, float]:
        """What the strategy plays after these actions with these cards: 0 fold, 1 call, then the raises, with their shares."""
        node = self.betting.index[log]
        street = int(self.betting.round[node])
        bucket = int(self.classes[hole[0], hole[1]])
        if street:
            bucket = int(bucket_of(street, *hand_equity(hole, board, runs=runs, seed=seed)))
        at = int(self.betting.offset[node]) + self.betting.width * bucket
        found = {a: max(float(self.sums[at + a]), 0.0) for a in range(self.betting.width) if self.betting.child[node, a] >= 0}
        total = sum(found.values())
        return {a: amount / total if total else 1 / len(found) for a, amount in found.items()}


@kernel
def _equity(hole_key: Any, hole_bits: Any, board_key: Any, board_bits: Any, missing: Any, runs: Any, source: Any) -> Any:
    if missing == 0:
        return equity_on_river(hole_key, hole_bits, board_key, board_bits), 0.0
    return equity_by_runs(hole_key, hole_bits, board_key, board_bits, missing, runs, source)


def hand_equity(hole: tuple[int, int], board: tuple[int, ...], *, runs: int = 4000, seed: int = 0) -> tuple[float, float]:
    """What two cards win on a flop, turn or river against a random hand, and the standard deviation over the boards to come."""
    with np.errstate(over="ignore"):
        keys = [int(KEYS.array[card]) for card in (*hole, *board)]
        bits = [int(BITS.array[card]) for card in (*hole, *board)]
        share, spread = _equity(u64(sum(keys[:2])), u64(sum(bits[:2])), START + u64(sum(keys[2:])), u64(sum(bits[2:])),
                                5 - len(board), runs, random_source(seed))
    return float(share), float(spread)
