"""The public tree of a game: one node for what everybody sees, for all private hands at once (Johanson and others 2011).

A game that has `hold` says that its two seats have one private hand each and that all else is seen by both. Then the tree of all
histories folds into one of public states. At an end the two seats' hands meet in a table, chance's weight of each pair of hands
times what it is worth; ends of one kind share their table. Where the rules have `hand_rank` and `private_cards`, and the hands
are many, there is no table: hands lie sorted, and each meets all others in one sweep, less those that hold one of its cards.

>>> from outplay.game import load
>>> tree = build(load("leduc poker"))
>>> tree.nodes, tree.hands, tree.information_sets, len(tree.tables)           # the flat tree has 9,457 nodes
(465, 6, 936, 20)
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from outplay.errors import BadValue, Unavailable, Unsuitable
from outplay.game import CompiledGame, Game, Position
from outplay.jit import i32, i64, inlined, kernel
from outplay.values import CHANCE

END = -2
DONE, MORE, FULL, LUCK = 0, 1, 2, 3
SLICE = 200_000
MANY = 64
"""From so many hands on they are sorted instead of tabled, where the rules allow it."""
NODE = np.dtype((np.record, np.dtype(
    [("action", np.int64), *((name, np.int32) for name in ("player", "parent", "first", "count", "board"))], align=True)))
"""A public state: whose turn it is (or CHANCE, END), its children, the action that leads here, and which open cards there are."""
CONTROL = np.dtype((np.record, np.dtype([(name, np.int64) for name in ("at", "known", "until")], align=True)))


def is_offered(game: CompiledGame) -> bool:
    """Whether the rules of a game say what its private hands are."""
    return hasattr(game, "rules") and "hold" in game.rules.offered and game.traits.players == 2


# ---------------------------------------------------------------- asking the rules


@kernel
def expand(states: Any, nodes: Any, listed: Any, control: Any) -> Any:
    """Give all nodes from control.at on their children; stops at a chance node, when the room is used up, or after a slice."""
    settings = control[0]
    while settings.at < settings.known:
        at = settings.at
        if settings.known >= settings.until:
            settings.until = settings.known + SLICE
            return MORE
        if settings.known + len(listed) >= len(nodes):
            return FULL
        node = nodes[at]
        player, count = states[at].player(), 0
        if not states[at].is_terminal():
            if player == CHANCE:
                node.player = i32(CHANCE)
                return LUCK
            count = states[at].actions(listed)
        node.player, node.first, node.count = i32(player if count > 0 else END), i32(settings.known), i32(count)
        for k in range(count):
            below = settings.known + k
            states[below] = states[at]
            states[below].play(listed[k])
            child = nodes[below]
            child.parent, child.action, child.board = i32(at), i64(listed[k]), node.board
        settings.known += count
        settings.at += 1
    return DONE


@kernel
def weigh_hands(scratch: Any, state: Any, out: Any) -> None:
    """How likely each hand of seat 0 is, the other's being unknown."""
    for hand in range(len(out)):
        scratch[0] = state[0]
        scratch[0].observe(0)
        out[hand] = scratch[0].hold(0, hand)


@kernel
def weigh_pairs(scratch: Any, state: Any, first: Any, out: Any) -> None:
    """How likely each pair of hands is, from how likely each of seat 0 is."""
    for mine in range(len(first)):
        for other in range(len(first)):
            out[mine, other] = 0.0
            if first[mine] > 0.0:
                scratch[0] = state[0]
                scratch[0].observe(0)
                scratch[0].hold(0, mine)
                out[mine, other] = first[mine] * scratch[0].hold(1, other)


@inlined
def place_of(outcome: Any, found: Any, known: Any) -> Any:
    """Where an outcome stands among those found so far; behind them, where it is new."""
    at = 0
    while at < known and found[at] != outcome:
        at += 1
    return at


@kernel
def draw_for_pairs(scratch: Any, state: Any, weights: Any, listed: Any, odds: Any, found: Any, after: Any, pairs: Any) -> Any:
    """The outcomes of a public chance node: how likely each is together with each pair of hands, and one pair it comes with."""
    known = 0
    for mine in range(len(weights)):
        for other in range(len(weights)):
            if weights[mine, other] > 0.0:
                scratch[0] = state[0]
                scratch[0].hold(0, mine)
                scratch[0].hold(1, other)
                count = scratch[0].chances(listed, odds)
                for k in range(count):
                    at = place_of(listed[k], found, known)
                    if at == known:
                        if known == len(found):
                            return -1
                        found[at] = listed[k]
                        pairs[at, 0], pairs[at, 1] = mine, other
                        known += 1
                    after[at, mine, other] = weights[mine, other] * odds[k]
    return known


@kernel
def draw_for_hands(scratch: Any, state: Any, alive: Any, partners: Any, cards: Any, listed: Any, odds: Any, found: Any, chance: Any,
                   allowed: Any, pairs: Any) -> Any:
    """The same for sorted hands: which hands each outcome leaves possible, and how likely it is beside a pair that it leaves."""
    known = 0
    for hand in range(len(alive)):
        if alive[hand]:
            tried = 0
            for p in range(len(partners)):
                apart = tried < 2  # what one partner holds, another leaves
                for i in range(cards.shape[1]):
                    for j in range(cards.shape[1]):
                        apart = apart and cards[hand, i] != cards[partners[p], j]
                if apart:
                    tried += 1
                    scratch[0] = state[0]
                    scratch[0].hold(0, hand)
                    scratch[0].hold(1, partners[p])
                    count = scratch[0].chances(listed, odds)
                    for k in range(count):
                        at = place_of(listed[k], found, known)
                        if at == known:
                            if known == len(found):
                                return -1
                            found[at] = listed[k]
                            pairs[at, 0], pairs[at, 1] = hand, partners[p]
                            chance[at] = odds[k]
                            known += 1
                        allowed[at, hand] = True
    return known


@kernel
def move(states: Any, at: Any, below: Any, mine: Any, other: Any, outcome: Any) -> None:
    """The state after an outcome of chance, with two hands that it comes with."""
    states[below] = states[at]
    states[below].hold(0, mine)
    states[below].hold(1, other)
    states[below].play(outcome)


@kernel
def pay_pairs(scratch: Any, states: Any, ends: Any, boards: Any, weights: Any, out: Any) -> None:
    """What each pair of hands is worth to both seats at some ends, times its weight: out[end, seat, other's hand, own hand]."""
    for k in range(len(ends)):
        for mine in range(weights.shape[1]):
            for other in range(weights.shape[1]):
                weight = weights[boards[k], mine, other]
                out[k, 0, other, mine], out[k, 1, mine, other] = 0.0, 0.0
                if weight > 0.0:
                    scratch[0] = states[ends[k]]
                    scratch[0].hold(0, mine)
                    scratch[0].hold(1, other)
                    out[k, 0, other, mine] = weight * scratch[0].utility(0)
                    out[k, 1, mine, other] = weight * scratch[0].utility(1)


@kernel
def rank_hands(scratch: Any, state: Any, numbers: Any, partners: Any, out: Any) -> None:
    """How strong each of some hands is at an end."""
    for k in range(len(numbers)):
        if partners[k] >= 0:
            scratch[0] = state[0]
            scratch[0].hold(0, numbers[k])
            scratch[0].hold(1, partners[k])
            out[k] = scratch[0].hand_rank(0)


@kernel
def pay_pair(scratch: Any, state: Any, mine: Any, other: Any, out: Any) -> None:
    """What an end is worth to both seats with two hands."""
    scratch[0] = state[0]
    scratch[0].hold(0, mine)
    scratch[0].hold(1, other)
    out[0], out[1] = scratch[0].utility(0), scratch[0].utility(1)


@kernel
def see(states: Any, nodes: Any, players: Any, hands: Any, out: Any) -> None:
    """What a player sees at some nodes with some hands."""
    for k in range(len(nodes)):
        out[k] = states[nodes[k]]
        out[k].observe(players[k])
        out[k].hold(players[k], hands[k])


# ---------------------------------------------------------------- the tree


def laid_out(root: Any, follow: Callable[[Any], tuple[int, list[tuple[Any, int]]]]) -> tuple[list[Any], dict[str, np.ndarray]]:
    """A tree in order of breadth: what each node stands for, and the fields that a `PublicTree` has of its shape.

    `follow` says of what a node stands for who moves there, and what each child stands for, with its action.

    >>> places, shape = laid_out(2, lambda number: (number % 2, [(number - 1, 7)]) if number else (END, []))
    >>> places, shape["player"].tolist(), shape["first"].tolist(), shape["count"].tolist(), shape["action"].tolist()
    ([2, 1, 0], [0, 1, -2], [1, 2, 3], [1, 1, 0], [-1, 7, 7])
    """
    places, action, parent = [root], [-1], [-1]
    player: list[int] = []
    first: list[int] = []
    count: list[int] = []
    for at, place in enumerate(places):  # which grows meanwhile
        mover, children = follow(place)
        player.append(mover)
        first.append(len(places))
        count.append(len(children))
        for child, name in children:
            places.append(child)
            action.append(name)
            parent.append(at)
    shape = {"player": player, "first": first, "count": count, "action": action}
    return places, {**{name: np.array(row, np.int64) for name, row in shape.items()}, "last": last_actions(player, parent)}


def last_actions(player: Any, parents: Any) -> np.ndarray:
    """For each seat and node the last node to which the seat moved on the way there; `nodes + seat` where it has not moved yet.

    >>> last_actions([0, 1, -2], [0, 0, 1]).tolist()  # the first seat moves to node 1, the second from there to node 2
    [[3, 1, 1], [4, 4, 2]]
    """
    nodes = len(player)
    last = np.zeros((2, nodes), np.int64)
    last[:, 0] = nodes, nodes + 1
    for node in range(1, nodes):
        parent = parents[node]
        last[:, node] = last[:, parent]
        if player[parent] >= 0:
            last[player[parent], node] = node
    return last


@dataclass(frozen=True)
class PublicTree:
    """Public states in an order in which parents come first; children of a node lie side by side.

    A player's reach of a node is the row of its last action on the way there: `last[seat, node]`, a node, or `nodes + seat` where
    it has not acted yet.
    """

    game: Any
    states: np.ndarray
    player: np.ndarray
    first: np.ndarray
    count: np.ndarray
    action: np.ndarray
    last: np.ndarray  # [seat, node]
    board: np.ndarray
    numbers: np.ndarray  # the hand that each column stands for
    start: np.ndarray  # [seat, column]: how likely each seat comes to the root with each hand, chance apart
    alive: np.ndarray  # [board, seat, column]: which hands are possible
    weights: np.ndarray  # [board, column, column]: how likely chance makes a pair of hands and the board; empty for sorted hands
    shares: np.ndarray  # [board]: how likely open cards are beside a pair of hands that they leave; for sorted hands
    ends: np.ndarray
    table: np.ndarray  # [seat, end]: which table, or which order of hands
    factor: np.ndarray  # [seat, end]: times what
    tables: np.ndarray  # [table, other's column, own column]
    pays: np.ndarray  # [end, seat, 3]: what losing, tying and winning the comparison is worth; for sorted hands
    orders: np.ndarray  # [order, column]: the columns by rank, the weakest first
    lives: np.ndarray  # [order]: how many of them are possible
    ranks: np.ndarray  # [order, column]
    cards: np.ndarray  # [column, 2]

    @property
    def nodes(self) -> int:
        """How many public states there are, ends and chance included."""
        return len(self.player)

    @property
    def hands(self) -> int:
        """How many hands a vector holds."""
        return len(self.numbers)

    @property
    def is_sorted(self) -> bool:
        """Whether hands meet by their ranks instead of in tables."""
        return len(self.orders) > 0

    @property
    def information_sets(self) -> int:
        """How many there are, of both players."""
        return int(sum(self.alive[self.board[node], self.player[node]].sum() for node in np.flatnonzero(self.player >= 0)))

    def deciding(self, seat: int) -> np.ndarray:
        """The nodes at which a seat is to move."""
        return np.flatnonzero(self.player == seat)

    def children(self, node: int) -> range:
        """The nodes that follow one."""
        return range(int(self.first[node]), int(self.first[node] + self.count[node]))

    def meet(self, node: int, seat: int, reach: np.ndarray) -> np.ndarray:
        """How likely chance and the other seat's hands bring each hand of a seat to a node."""
        board = int(self.board[node])
        if not self.is_sorted:
            return np.asarray(self.weights[board] @ reach if seat == 0 else reach @ self.weights[board])
        reach = reach * self.alive[board, 1 - seat]
        held = np.bincount(self.cards.ravel(), weights=np.repeat(reach, 2), minlength=int(self.cards.max()) + 1)
        whole = reach.sum() - held[self.cards].sum(axis=1) + reach
        return np.asarray(self.shares[board] * whole * self.alive[board, seat])


def build(game: Game, position: Position | None = None, ranges: Sequence[np.ndarray] | None = None, *, memory: float = 4096,
          sort: bool | None = None, stop: threading.Event | None = None, progress: Callable[[int], None] | None = None,
          ) -> PublicTree:
    """The public tree of a game, or of its rest from a public state: a position of which both hands are put aside.

    `ranges` says for each seat how likely it comes there with each of its hands, chance apart.
    """
    if not is_offered(game):
        raise Unsuitable(f"a public tree needs the private hands of two seats; {game.name} has no method hold(seat, hand)")
    return _Builder(game, position, ranges, memory, sort, stop, progress).tree()


class _Builder:
    """What grows while a public tree is built."""

    def __init__(self, game: CompiledGame, position: Position | None, ranges: Sequence[np.ndarray] | None, memory: float,
                 sort: bool | None, stop: threading.Event | None, progress: Callable[[int], None] | None) -> None:
        rules = game.rules
        self.game, self.rules, self.memory, self.stop, self.progress = game, rules, memory, stop, progress
        self.scratch, self.states, self.nodes = rules.states(1), rules.states(1024), np.zeros(1024, NODE)
        self.listed, self.odds = rules.room(), np.zeros(rules.most_actions)
        position = game.start() if position is None else position
        self.states[:1].view(np.uint8)[:] = np.frombuffer(position.state, np.uint8)
        every = int(rules.private_hands)
        likely = np.zeros(every)
        weigh_hands(self.scratch, self.states[:1], likely)
        self.start = np.ones((2, every)) if ranges is None else np.array([np.asarray(each, float) for each in ranges])
        if self.start.shape != (2, every) or not (self.start >= 0).all():
            raise BadValue(f"a range of {game.name} has {every} numbers from 0 up for each seat")
        held: Any = np.asarray(rules.private_cards, np.int64) if len(rules.private_cards) else None
        can_sort = held is not None and "hand_rank" in rules.offered
        self.sorted = (can_sort and every >= MANY) if sort is None else sort
        if self.sorted and not can_sort:
            raise Unsuitable(f"{game.name} has no hand_rank(seat) and private_cards to sort its hands by")
        self.open = [likely > 0]  # of all hands, on each board
        if self.sorted:
            used = np.flatnonzero(self.open[0] & self.start.any(axis=0))
            self.every_card = held if held.shape[1] == 2 else np.hstack((held, held.max() + 1 + np.arange(every)[:, None]))
        else:
            used = np.arange(every)
        self.numbers = used.astype(np.int64)
        self.start = np.ascontiguousarray(self.start[:, used])
        self.chances = [1.0]
        self.weights: list[np.ndarray] = []
        self.alive: list[np.ndarray] = []
        if self.sorted:
            self.alive.append(np.broadcast_to(self.open[0][used], (2, len(used))))
            self.cards = self.every_card[used]
            reach = self.start[1] * self.open[0][used]
            held_by = np.bincount(self.cards.ravel(), weights=np.repeat(reach, 2)) if len(used) else np.zeros(1)
            total = float(self.start[0] @ (reach.sum() - held_by[self.cards].sum(axis=1) + reach)) if len(used) else 0.0
        else:
            pairs = np.zeros((every, every))
            weigh_pairs(self.scratch, self.states[:1], likely, pairs)
            total = float(self.start[0] @ pairs @ self.start[1])
            self.weights.append(pairs)
        if not total > 0:
            raise BadValue(f"no two hands of these ranges can be held together in {game.name}")
        if self.sorted:
            self.chances[0] = 1.0 / total
        else:
            self.weights[0] /= total
            self.alive.append(np.array([self.weights[0].any(axis=1), self.weights[0].any(axis=0)]))
        mine, other = self._apart(self.open[0])[:2] if self.sorted else np.argwhere(self.weights[0] > 0)[0]
        move_root(self.states, int(mine), int(other))
        self.boards = {self._name(0): 0}
        self.control = np.zeros(1, CONTROL)
        self.control["known"], self.control["until"] = 1, SLICE
        self.nodes[0]["parent"] = -1

    def _apart(self, alive: np.ndarray) -> list[int]:
        """A few possible hands without a card in common."""
        found: list[int] = []
        taken: set[int] = set()
        for hand in np.flatnonzero(alive):
            if taken.isdisjoint(self.every_card[hand].tolist()):
                found.append(int(hand))
                taken.update(self.every_card[hand].tolist())
                if len(found) == 4:
                    break
        return found

    def _name(self, board: int) -> bytes:
        """What tells open cards apart as far as hands are concerned."""
        if self.sorted:
            return self.open[board].tobytes() + np.float64(self.chances[board]).tobytes()
        return self.weights[board].tobytes()

    def tree(self) -> PublicTree:
        """Grow to the end."""
        while True:
            status = expand(self.states, self.nodes, self.listed, self.control)
            if self.stop is not None and self.stop.is_set():
                raise Unavailable("stopped while the tree was being built")
            if self.progress is not None:
                self.progress(int(self.control["known"][0]))
            if status == DONE:
                return self._finished()
            if status == FULL:
                self._grow()
            elif status == LUCK:
                self._draw()

    def _grow(self) -> None:
        """Twice the room."""
        each = self.states.dtype.itemsize + NODE.itemsize + 48 * len(self.numbers)  # with five vectors and a spare one
        if 2 * len(self.nodes) * each > self.memory * 2**20:
            raise Unavailable(f"the public tree of {self.game.name} needs more than {self.memory:g} MB after "
                              f"{int(self.control['known'][0]):,} public states: use a sampling algorithm, or a later position")
        more = self.rules.states(2 * len(self.states))
        more[: len(self.states)] = self.states
        self.states, self.nodes = more, np.concatenate((self.nodes, np.zeros_like(self.nodes)))

    def _draw(self) -> None:
        """The outcomes of the chance node at hand."""
        at, known = int(self.control["at"][0]), int(self.control["known"][0])
        board, most = int(self.nodes[at]["board"]), self.rules.most_actions
        found, pairs = self.rules.room(), np.zeros((most, 2), np.int64)
        here = self.states[at : at + 1]
        if self.sorted:
            alive, chance = self.open[board], np.zeros(most)
            allowed = np.zeros((most, len(alive)), np.bool_)
            count = draw_for_hands(self.scratch, here, alive, np.array(self._apart(alive)), self.every_card, self.listed, self.odds,
                                   found, chance, allowed, pairs)
        else:
            after = np.zeros((most, *self.weights[board].shape))
            count = draw_for_pairs(self.scratch, here, self.weights[board], self.listed, self.odds, found, after, pairs)
        if count < 0:
            raise BadValue(f"{self.game.name} has more outcomes of public chance than its most_actions, {most}")
        while known + count >= len(self.nodes):
            self._grow()
        self.nodes[at]["player"], self.nodes[at]["first"], self.nodes[at]["count"] = CHANCE, known, count
        for k in range(count):
            move(self.states, at, known + k, int(pairs[k, 0]), int(pairs[k, 1]), found[k])
            if self.sorted:
                self.open.append(alive & allowed[k])
                self.chances.append(self.chances[board] * chance[k])
            else:
                self.weights.append(after[k])
            new = len(self.weights or self.open) - 1
            number = self.boards.setdefault(self._name(new), new)
            if number < new:  # known from another way of playing
                for kept in (self.open, self.chances) if self.sorted else (self.weights,):
                    kept.pop()
            elif self.sorted:
                self.alive.append(np.broadcast_to(self.open[new][self.numbers], (2, len(self.numbers))))
            else:
                self.alive.append(np.array([after[k].any(axis=1), after[k].any(axis=0)]))
            child = self.nodes[known + k]
            child["parent"], child["action"], child["board"] = at, found[k], number
        self.control["known"] += count
        self.control["at"] += 1

    # ------------------------------------------------ ends
    def _finished(self) -> PublicTree:
        known = int(self.control["known"][0])
        nodes, states = self.nodes[:known], self.states[:known]
        player = nodes["player"].astype(np.int64)
        last = last_actions(player, nodes["parent"])
        ends = np.flatnonzero(player == END)
        if self.sorted:
            meeting = self._sorted_ends(states, nodes, ends)
        else:
            meeting = self._tabled_ends(states, nodes, ends)
        return PublicTree(
            game=self.game, states=states, player=player, first=nodes["first"].astype(np.int64),
            count=np.where(player == END, 0, nodes["count"]).astype(np.int64), action=nodes["action"].copy(), last=last,
            board=nodes["board"].astype(np.int64), numbers=self.numbers, start=self.start, alive=np.array(self.alive),
            weights=np.array(self.weights) if not self.sorted else np.zeros((0, 1, 1)), shares=np.array(self.chances), ends=ends,
            **meeting)  # fmt: skip

    def _tabled_ends(self, states: np.ndarray, nodes: np.ndarray, ends: np.ndarray) -> dict[str, np.ndarray]:
        hands = len(self.numbers)
        table, factor = np.zeros((2, len(ends)), np.int64), np.zeros((2, len(ends)))
        tables: list[np.ndarray] = []
        weights, known = np.array(self.weights), dict[bytes, int]()
        step = max(1, 4_000_000 // (2 * hands * hands))
        for begin in range(0, len(ends), step):
            some = ends[begin : begin + step]
            out = np.zeros((len(some), 2, hands, hands))
            pay_pairs(self.scratch, states, some, nodes["board"][some].astype(np.int64), weights, out)
            size = np.abs(out).max(axis=(2, 3))
            out /= np.where(size > 0, size, 1)[:, :, None, None]
            short = np.round(out, 12) + 0.0
            for k in range(len(some)):
                for seat in range(2):
                    name = short[k, seat].tobytes()
                    if name not in known:
                        known[name] = len(tables)
                        tables.append(out[k, seat].copy())
                        if len(tables) * hands * hands * 8 > self.memory * 2**20:
                            raise Unavailable(f"what pairs of hands are worth in {self.game.name} needs more than "
                                              f"{self.memory:g} MB")
                    table[seat, begin + k], factor[seat, begin + k] = known[name], size[k, seat]
        return {"table": table, "factor": factor, "tables": np.array(tables), "pays": np.zeros((0, 2, 3)),
                "orders": np.zeros((0, 1), np.int64), "lives": np.zeros(0, np.int64), "ranks": np.zeros((0, 1), np.int64),
                "cards": np.zeros((hands, 2), np.int64)}

    def _sorted_ends(self, states: np.ndarray, nodes: np.ndarray, ends: np.ndarray) -> dict[str, np.ndarray]:
        hands = len(self.numbers)
        table, pays = np.zeros((2, len(ends)), np.int64), np.zeros((len(ends), 2, 3))
        known: dict[bytes, int] = {}
        orders: list[np.ndarray] = []
        rows: list[np.ndarray] = []
        lives: list[int] = []
        examples: list[list[tuple[int, int] | None]] = []
        out = np.zeros(2)
        partners: dict[int, np.ndarray] = {}
        for k, end in enumerate(ends):
            board, here = int(nodes[end]["board"]), states[end : end + 1]
            if board not in partners:
                partners[board] = self._partners(board)
            ranks = np.zeros(hands, np.int64)
            rank_hands(self.scratch, here, self.numbers, partners[board], ranks)
            name = ranks.tobytes() + self.alive[board][0].tobytes()
            if name not in known:
                known[name] = len(orders)
                live = np.flatnonzero(self.alive[board][0])
                order = np.zeros(hands, np.int64)
                order[: len(live)] = live[np.argsort(ranks[live], kind="stable")]
                orders.append(order)
                lives.append(len(live))
                rows.append(ranks)
                examples.append(self._examples(live, ranks))
            table[:, k] = known[name]
            for sign, pair in enumerate(examples[known[name]]):  # seat 0 loses, ties, wins
                if pair is not None:
                    pay_pair(self.scratch, here, int(self.numbers[pair[0]]), int(self.numbers[pair[1]]), out)
                    pays[k, 0, sign], pays[k, 1, 2 - sign] = out * self.chances[board]
        return {"table": table, "factor": np.ones((2, len(ends))), "tables": np.zeros((0, 1, 1)), "pays": pays,
                "orders": np.array(orders), "lives": np.array(lives, np.int64), "ranks": np.array(rows), "cards": self.cards}

    def _partners(self, board: int) -> np.ndarray:
        """For each hand one that can be held beside it; -1 where the hand itself is impossible."""
        apart = self._apart(self.open[board])
        found = np.full(len(self.numbers), -1, np.int64)
        for hand in apart[::-1]:
            free = ~(self.cards[:, :, None] == self.every_card[hand][None, None, :]).any(axis=(1, 2))
            found[free] = hand
        return np.where(self.open[board][self.numbers], found, -1)

    def _examples(self, live: np.ndarray, ranks: np.ndarray) -> list[tuple[int, int] | None]:
        """Pairs of hands of which the first is weaker, as strong and stronger."""
        found: list[tuple[int, int] | None] = [None, None, None]
        for mine in live:
            apart = live[~(self.cards[live][:, :, None] == self.cards[mine][None, None, :]).any(axis=(1, 2))]
            sign = np.sign(ranks[mine] - ranks[apart]) + 1
            for which in range(3):
                if found[which] is None and (sign == which).any():
                    found[which] = int(mine), int(apart[np.argmax(sign == which)])
            if None not in found:
                break
        return found


@kernel
def move_root(states: Any, mine: Any, other: Any) -> None:
    """Give the root two hands that can be held there."""
    states[0].hold(0, mine)
    states[0].hold(1, other)
