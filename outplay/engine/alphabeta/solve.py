"""Solving: the exact value of a position and a best line, by searching to the very end.

>>> from outplay.game import load
>>> result = solve(load("tic-tac-toe").start(), memory=1)
>>> result.value, len(result.line), result.exact
(0.0, 9, True)

Windows of width one that move towards the value over one table, from the best outcome down or from what an evaluation expects; the
game's `solving`, `settle` and `canonical` twins make the tree smaller where it offers them. No evaluation and no selectivity has a
say in the value. With `distance`, the
value is the same, the winner wins as soon as possible and the loser holds out as long as possible.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from typing import Any

from outplay.engine.alphabeta.engine import Interrupted, Worker
from outplay.engine.alphabeta.options import Options
from outplay.engine.alphabeta.table import MOST_DEPTH, Table
from outplay.engine.alphabeta.units import Units, in_points
from outplay.engine.alphabeta.windows import Found, mtdf, window_search
from outplay.engine.alphabeta.workspace import Workspace
from outplay.engine.memory import for_all
from outplay.engine.needs import refuse
from outplay.engine.pacing import Watch
from outplay.errors import BadValue, Unsuitable
from outplay.game import CompiledGame, Position
from outplay.values import Limits, Result

LINE_NODES = 2_000_000
"""Nodes that each further action of the best line may cost: the table knows most of it."""

FIRST_LOOK_NODES, FIRST_LOOK_PLIES = 400_000, 26
"""How long the evaluation may look before the proof, in games that tell `plies_left`: it finds a window and an order. Twice as long
for each ply beyond so many."""

NEAR_END = 12
"""So many plies from the end, a tree is too small for looking ahead in the table, and for a first look to pay."""

Progress = Callable[[int, int], None]
"""Told the nodes so far and how many of the root's actions are done, some times a second."""


def plies_left(position: Position) -> int:
    """How many plies the game can still last, 0 where the rules do not tell."""
    rules: Any = position.game.record(position.state)
    return int(rules.plies_left()) if hasattr(rules, "plies_left") else 0


def distinct_actions(position: Position) -> list[Any]:
    """The actions of a position without those that only lead to the twin of a position that another one leads to."""
    actions: list[Any] = list(position.actions())
    symmetries = position.game.rules.symmetries if position.game.offers("transform") else 1
    if not any(position.transform(symmetry).state == position.state for symmetry in range(1, symmetries)):
        return actions  # twins come of positions that are twins of themselves
    seen: set[Any] = set()
    kept = []
    for action in actions:
        after = position.result(action)
        if after.state not in seen:
            kept.append(action)
            seen |= {after.transform(symmetry).state for symmetry in range(symmetries)}
    return kept


def solves(game: CompiledGame) -> bool:
    """Whether the engine can solve positions of this game, given time."""
    try:
        refuse("solve", game)
    except Unsuitable:
        return False
    return not game.offers("reversible")


def solve(position: Position, limits: Limits | None = None, *, memory: float = 256, distance: bool = False, threads: int = 1,
          progress: Progress | None = None, stop: threading.Event | None = None, entries: int | None = None) -> Result:
    """The value of a position with best play by both, MAX's utility, and a best line.

    A solve that a limit, the stop flag or Ctrl-C ends early says so: `exact` is False.
    """
    game: Any = position.game
    refuse("solve", game)
    if game.offers("reversible"):
        raise Unsuitable(f"solve needs a game without repetitions, and {game.name} has them: use best with a depth")
    if threads < 1:
        raise BadValue(f"threads must be 1 or more, got {threads}")
    limits = limits or Limits()
    watch = Watch(limits, stop, None)
    if position.is_terminal():
        return Result(None, for_all(game, position.utility(0), 1.0), algorithm="solve", facts={"positions": 0})
    run = Solver(position, limits, watch, memory, distance, threads, progress, entries)
    return run.result()


class Solver:
    """One solve: its table, its threads and what they found."""

    def __init__(self, position: Position, limits: Limits, watch: Watch, memory: float, distance: bool, threads: int,
                 progress: Progress | None, entries: int | None) -> None:
        game: Any = position.game
        self.position, self.watch, self.distance = position, watch, distance
        self.game, self.sign = game, 1 if position.side() == game.side(0) else -1
        self.depth = min(MOST_DEPTH, limits.depth if limits.depth is not None else MOST_DEPTH)
        self.plies = plies_left(position)
        self.judged = game.offers("evaluate") and not distance and self.plies > 0
        self.units = Units.of(game, distance=distance, in_points=self.judged)
        # Where the game itself knows a good order, what was good elsewhere in the tree only spoils it (five times the nodes in
        # connect four on 6x5).
        guess = not game.offers("order")
        self.options = Options(symmetry=game.offers("canonical"), solving=game.offers("solving") or game.offers("settle"),
                               enhanced=max(0, self.plies - NEAR_END), killers=guess, history=guess, replies=guess)
        self.table = Table(memory, self.options.replacement, entries)
        self.workspaces = [Workspace(game, self.table) for _ in range(threads)]
        self.worker = Worker(self.workspaces[0], watch, progress=progress)

    def _value(self, worker: Worker, position: Position, noise: int, guess: int | None = None) -> Found:
        high = self.units.greatest()
        actions = distinct_actions(position)
        guess_from_look = guess is None and self.judged
        if guess is None:
            guess = high
            if guess_from_look:
                guess, actions = self._first_look(worker, position, noise, actions)
        before = worker.workspace.count("nodes") if guess_from_look else 0
        worker.workspace.prepare(position, self.options, "solve", self.units, noise)
        worker.workspace.control["nodes"] = before
        worker.depth = self.depth
        return mtdf(worker.look, actions, -high, high, guess, 0)

    def _first_look(self, worker: Worker, position: Position, noise: int, actions: list[Any]) -> tuple[int, list[Any]]:
        """What the evaluation thinks of it, depth after depth: where the value may lie, and in the table what to try first."""
        high, unit = self.units.greatest(), round(self.units.scale * self.units.grain)
        guess, most_nodes = 0, FIRST_LOOK_NODES << max(0, self.plies - FIRST_LOOK_PLIES)
        worker.workspace.prepare(position, self.options, "pvs", self.units, noise)
        for depth in range(1, min(self.depth, self.plies - NEAR_END) + 1):
            worker.depth = depth
            found = window_search(worker.look, actions, -high, high, guess if depth > 2 else None, 3 * unit)
            guess = found.value
            actions.sort(key=lambda action: action != found.action)
            if found.complete or worker.workspace.count("nodes") > most_nodes:
                break
        return round(guess / unit) * unit, actions

    def result(self) -> Result:
        """Solve, and tell."""
        helpers = [threading.Thread(target=self._help, args=(n,), daemon=True) for n in range(1, len(self.workspaces))]
        for helper in helpers:
            helper.start()
        try:
            found = self._value(self.worker, self.position, 0)
        except (Interrupted, KeyboardInterrupt):
            return self._unsolved()
        finally:
            self.watch.ended.set()
            for helper in helpers:
                helper.join()
        if self._sum("fractional"):  # once more, in smaller parts of a utility
            finer = self.units.finer()
            if finer is None:
                raise Unsuitable(f"solve counts in whole numbers, and {self.game.name} has utilities between them: "
                                 "use the textbook's alphabeta")
            self.units = finer
            self.table.clear()
            self.watch.ended.clear()
            return self.result()
        nodes, seconds, leaves = self._sum("nodes"), self.watch.elapsed(), self._sum("leaves")
        plies = in_points(found.value, self.units.spread)[1]
        value = for_all(self.game, self.sign * self.units.value(found.value) / self.units.scale + self.units.centre, 1.0)
        facts: dict[str, Any] = {"positions": self.table.stored(), "table_used": self.table.used()}
        if plies is not None:
            facts["distance"] = plies
        line = self._line(found)
        return Result(found.action, value, line, plies or len(line), nodes, leaves, seconds, "solve",
                      found.complete, facts=facts)

    def _help(self, number: int) -> None:
        with contextlib.suppress(Interrupted):
            self._value(Worker(self.workspaces[number], self.watch, helper=True), self.position, number)

    def _sum(self, name: str) -> int:
        return sum(workspace.count(name) for workspace in self.workspaces)

    def _unsolved(self) -> Result:
        """What a stopped solve can say: a legal action and no proof."""
        middle = for_all(self.game, sum(self.game.traits.bounds) / 2, 1.0)
        nodes, leaves, seconds = self._sum("nodes"), self._sum("leaves"), self.watch.elapsed()
        facts = {"positions": self.table.stored()}
        return Result(self.position.actions()[0], middle, (), 0, nodes, leaves, seconds, "solve", False, facts=facts)

    def _line(self, found: Found) -> tuple[Any, ...]:
        """A best line: after each action the position is solved again, which the full table makes quick."""
        line: list[Any] = []
        position, action, side = self.position, found.action, self.position.side()
        while True:
            line.append(action)
            position = position.result(action)
            if position.is_terminal() or len(line) >= self.depth:
                return tuple(line)
            guess = found.value if position.side() == side else -found.value
            side = position.side()
            if self.watch.is_over(0):
                return tuple(line)
            left = None if self.watch.deadline is None else self.watch.deadline - time.perf_counter()
            quick = Worker(self.workspaces[0], Watch(Limits(nodes=LINE_NODES, seconds=left), self.watch.stop, None))
            try:
                found = self._value(quick, position, 0, guess)
            except (Interrupted, KeyboardInterrupt):
                return tuple(line)
            action = found.action
