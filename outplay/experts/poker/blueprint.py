"""`blueprint`: heads-up no-limit hold'em by a strategy that was learned from random deals; all else as `ranges` plays it.

    blueprint                  what `auto` is at hold'em
    blueprint:boards=60        fewer boards where it thinks in ranges

The betting of 100 big blinds with raises of half the pot, the pot and all chips is kept as it is, hands are put into the buckets of
`outplay.experts.poker.limit`, and external-sampling regret minimization learned what each bucket plays in each of its 48,000
states (`benchmarks/holdem_train.py`). Such a strategy is called a blueprint since Libratus (Brown and Sandholm 2017). A raise of
another size is taken for the one that comes nearest. With half a second or more the river is solved anew, all hands apart, with the
ranges that the strategy gives both seats. With more seats, in the limit game and with stacks that are not about as
deep, this player thinks in ranges.
"""

from __future__ import annotations

import functools
import math
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from outplay.engine.regret.equilibrium import rules_stamp
from outplay.experts.poker.limit import BUCKETS, bucket_of, hand_equity
from outplay.experts.poker.ranges import Ranges, dealt_again
from outplay.experts.poker.rest import Rest
from outplay.files import write_whole
from outplay.game import Position, load
from outplay.games.holdem import CALL, FOLD, RAISE
from outplay.games.holdem.ranges import class_of_hand, hand_number
from outplay.values import Action, Choice, Limits, Result

FILE = Path(__file__).with_name("holdem.npz")
FULL = 255
"""The byte of an action that is always taken."""
SELDOM, RARE = 0.04, 0.15
"""Shares below these are not played: of a river solved anew what it has not yet unlearned, and of the learned strategy more, for
hands of one bucket are not alike (thresholding: Ganzfried, Sandholm and Waugh 2012)."""
DEPTH = 200.0
"""Chips of each seat in the game that was learned, the big blind being `BIG`."""
BIG = 2.0
ABOUT = 1.25
"""By how much the smaller stack may differ from that."""
RUNS = 2000
"""Random hands by which a hand is judged on flop and turn."""
ENOUGH, SECONDS = 0.5, 1.0
"""Seconds from which on a river is thought about again, and those that there are where nobody says."""


def write(solver: Any, file: str | Path) -> None:
    """Keep what a solver's strategy plays and its tree of betting, without the regrets to go on from."""
    betting = solver.betting
    rows = np.maximum(solver.sums.reshape(-1, betting.width), 0.0)
    total = rows.sum(axis=1, keepdims=True)
    shares = np.rint(FULL * rows / np.where(total > 0, total, 1.0)).astype(np.uint8)
    amounts = np.zeros((betting.nodes, betting.width), np.int16)
    for node, offered in enumerate(betting.actions):
        columns = np.flatnonzero(betting.child[node] >= 0)
        amounts[node, columns] = [action - RAISE if action > CALL else 0 for action in offered]
    write_whole(file, lambda out: np.savez_compressed(
        out, game=solver.game.name, rules=rules_stamp(solver.game), deals=solver.iterations, shares=shares,
        player=betting.player.astype(np.int8), rounds=betting.round.astype(np.int8), child=betting.child.astype(np.int32),
        staked=betting.staked.astype(np.int16), folded=betting.folded.astype(np.int8), amounts=amounts))  # fmt: skip


class Known:
    """The strategy of a file and its betting, as a solver that has learned."""

    def __init__(self, file: Path) -> None:
        with np.load(file, allow_pickle=False) as kept:
            name = str(kept["game"])
            self.shares = kept["shares"]  # [row of a bucket in a state, action], of 255
            player, rounds, child, staked, folded, self.amounts = (
                kept[key].astype(np.int64) for key in ("player", "rounds", "child", "staked", "folded", "amounts"))
        sizes = np.where(player >= 0, np.array([*BUCKETS, 0, 0])[rounds], 0)
        self.first = np.concatenate(([0], np.cumsum(sizes)))[:-1]
        width = child.shape[1]
        self.game, self.sums = load(name), self.shares.ravel()
        self.betting = SimpleNamespace(player=player, round=rounds, child=child, staked=staked, folded=folded, width=width,
                                       offset=self.first * width)
        self.classes = np.array([[class_of_hand((max(a, b), min(a, b))) if a != b else 0 for b in range(52)] for a in range(52)])

    def column(self, state: int, action: int, scale: float, is_all: bool) -> tuple[int, bool]:
        """The column of an action of the real game, and whether it is exactly that; a raise is taken for the nearest one, that of
        all chips for the largest."""
        if action <= CALL:
            return int(action), True
        raises = [each for each in range(2, self.betting.width) if self.betting.child[state, each] >= 0]
        if not raises:
            return CALL, False
        wanted = scale * (action - RAISE)
        if is_all:
            return raises[-1], bool(self.amounts[state, raises[-1]] == wanted)
        found = min(raises, key=lambda each: abs(math.log(self.amounts[state, each] / wanted)))
        return found, bool(self.amounts[state, found] == wanted)


_warm = threading.Event()
"""Set once what solves a river is compiled."""


@functools.cache
def _warming() -> threading.Thread:
    """Compile what solves a river, beside whatever else is done: on an empty cache that takes many seconds."""
    def work() -> None:
        learned, columns, state = known(), list[int](), 0
        while learned.betting.round[state] < 3:  # nobody bets
            columns.append(CALL)
            state = int(learned.betting.child[state, CALL])
        Rest(learned, columns, range(5)).think(0, iterations=1)
        _warm.set()

    thread = threading.Thread(target=work, daemon=True, name="outplay river")
    thread.start()
    return thread


@functools.cache
def known(file: Path = FILE) -> Known:
    """The strategy of a file, read once."""
    return Known(file)


class Place(NamedTuple):
    """Where a hand stands in the betting that was learned."""

    state: int
    columns: tuple[int, ...]
    """Its actions there."""
    is_exact: bool
    """Whether they were the same in the real game."""


class Blueprint(Ranges):
    """Draws from the strategy that was learned where it knows the situation, and thinks in ranges elsewhere."""

    name = "blueprint"

    def begin(self, view: Position, *, seed: int = 0) -> None:
        """Another hand."""
        super().begin(view, seed=seed)
        self._rest: tuple[Any, ...] = ()

    _rest: tuple[Any, ...] = ()

    def pick(self, view: Position, limits: Limits | None) -> Action:
        """An action in its shares; what it is worth is told as `ranges` sees it."""
        begun = time.perf_counter()
        shares = self.shares(view, limits.seconds if limits is not None and limits.seconds else SECONDS)
        if not shares:
            return super().pick(view, limits)
        worth, self._me = self.worths(view), view.player()
        action = self._source.choices(list(shares), list(shares.values()))[0]
        sign = -1 if view.player() == 1 else 1
        told = sorted(worth, key=lambda each: (-shares.get(each, 0.0), -worth[each]))
        choices = tuple(Choice(each, share=shares.get(each, 0.0)) for each in told)
        self.last = Result(action, sign * worth[action], (action,), algorithm="blueprint", exact=False, unit="chips",
                           choices=choices, seconds=time.perf_counter() - begun)  # fmt: skip
        return action

    def shares(self, view: Position, seconds: float = 0.0) -> dict[Action, float]:
        """What was learned for this situation, on the river thought about again where there is time; empty in other games, and
        where nothing was learned."""
        self.get_ready(view)
        given = {**view.game.rules.definition.defaults, **view.game.rules.parameters}
        if given["seats"] != 2 or given["kind"] != "no-limit" or given["ante"] or 2 * given["small"] != given["big"]:
            return {}
        record, scale = view.game.record(view.state), BIG / given["big"]
        least = float((record.stacks + record.staked).min())
        if not DEPTH / ABOUT <= scale * least <= DEPTH * ABOUT:
            return {}
        place = self._place(view, record, scale, least)
        if place is None:
            return {}
        learned, me = known(), view.player()
        hole = int(record.hands[me][0]) - 1, int(record.hands[me][1]) - 1
        board = tuple(int(card) - 1 for card in record.board if card)
        street = int(learned.betting.round[place.state])
        if seconds >= ENOUGH:
            _warming()
        if street == 3 and place.is_exact and seconds >= ENOUGH and _warm.is_set():
            row, rare = self._thought(place, hole, board, me, seconds), SELDOM
        else:
            bucket = int(learned.classes[hole])
            if street:
                number = sum(52**k * card for k, card in enumerate((*hole, *board))) % 2**61
                bucket = int(bucket_of(street, *hand_equity(hole, board, runs=RUNS, seed=number)))
            row, rare = learned.shares[learned.first[place.state] + bucket] / FULL, RARE
        return self._in_the_game(view, place.state, np.where(row >= rare, row, 0.0), scale)

    def _thought(self, place: Place, hole: tuple[int, int], board: tuple[int, ...], me: int, seconds: float) -> np.ndarray:
        """The river solved anew, once a hand, with the ranges with which both come there."""
        if not self._rest or self._rest[0] != (board, me, place.columns[: len(self._rest[1].log)]):
            begun = time.monotonic()
            rest = Rest(known(), place.columns, board)  # it has all of a solver that is asked for
            numbers, _ = rest.think(me, seconds=max(0.05, 0.8 * seconds - (time.monotonic() - begun)), stop=self.stop)
            self._rest = (board, me, rest.log), rest, numbers
        _, rest, numbers = self._rest
        return np.asarray(rest.mixtures(numbers, rest.node(place.columns))[:, hand_number(hole)])

    def _place(self, view: Position, record: Any, scale: float, least: float) -> Place | None:
        """Where the hand stands in the betting that was learned; None where that has ended or another seat is to act."""
        learned, state, columns, is_exact = known(), 0, list[int](), scale * least == DEPTH
        again = dealt_again(record)
        for number in range(int(record.made)):
            action, seat = int(record.log[number]) - 1, int(again.turn)
            if learned.betting.player[state] != seat or learned.betting.round[state] != again.street:
                return None
            is_all = action > CALL and float(again.staked[seat] - again.bets[seat]) + action - RAISE >= least
            column, same = learned.column(state, action, scale, is_all)
            state = int(learned.betting.child[state, column])
            if state < 0:
                return None
            columns.append(column)
            is_exact = is_exact and same
            again.play(action)
        if learned.betting.player[state] != view.player() or learned.betting.round[state] != int(record.street):
            return None
        return Place(state, tuple(columns), is_exact)

    def _in_the_game(self, view: Position, state: int, row: np.ndarray, scale: float) -> dict[Action, float]:
        """Shares of the actions that there really are: a raise that was learned is the nearest of them."""
        learned, legal, found = known(), view.actions(), dict[Action, float]()
        raises = sorted(action for action in legal if action > CALL)
        for column in np.flatnonzero(row):
            if column > CALL and raises:
                last = max(each for each in range(2, len(row)) if learned.betting.child[state, each] >= 0)
                wanted = float(learned.amounts[state, column])
                action = raises[-1] if column == last else min(
                    raises, key=lambda each: abs(math.log(scale * (each - RAISE) / wanted)))  # fmt: skip
            else:
                action = FOLD if column == FOLD and FOLD in legal else CALL
            found[action] = found.get(action, 0.0) + float(row[column])
        total = sum(found.values())
        return {action: share / total for action, share in found.items()} if total > 0 else {}
