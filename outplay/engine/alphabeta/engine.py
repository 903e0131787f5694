"""The engine: iterative deepening over the kernel, one Result for each depth, within limits, on one thread or several.

>>> from outplay.game import load
>>> from outplay.values import Limits
>>> position = load("tic-tac-toe").start().play("a1 b2 a2")
>>> result = best(position, Limits(depth=9))
>>> position.action_text(result.action), result.value, result.exact
('a3', 0.0, True)

`search` gives the stream of Results; `best` its last; an `Engine` keeps its table from move to move of a game. Several threads
search the same position into one table and help each other through it (lazy SMP); with one thread and the same options the
result is always the same.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from outplay.engine import preferences
from outplay.engine.alphabeta.bounds import EXACT, INFINITY, LOWER
from outplay.engine.alphabeta.deepening import DEPTH, FIRST_WINDOWED, LOOK, Deepening
from outplay.engine.alphabeta.options import Options
from outplay.engine.alphabeta.table import MOST_DEPTH, NO_ACTION, Table, fold
from outplay.engine.alphabeta.units import Units, in_points
from outplay.engine.alphabeta.windows import ALGORITHMS, Found, window_search
from outplay.engine.alphabeta.workspace import Workspace
from outplay.engine.clock import Clock
from outplay.engine.memory import for_all
from outplay.engine.needs import refuse
from outplay.engine.pacing import Pacer, Watch
from outplay.engine.tables.endgame import EndgameTables
from outplay.errors import BadValue, UnknownName, Unsuitable
from outplay.game import Position
from outplay.values import UTILITY, Choice, Limits, Result

PROGRESS_SECONDS = 0.2  # between two reports
MOST_KEYS = 10_000  # of earlier positions, kept from move to move
PROOF_SECONDS, PROOF_PLIES = 1.5, 20  # what a proof takes so many plies before the end, doubling with each (measured in Othello)
PROOF_SHARE, PROOF_MEMORY = 0.7, 64  # of the time that is left at most; MB


class Interrupted(Exception):
    """A limit was reached inside a depth."""


class Fractional(Exception):
    """A utility lies between the whole numbers that are counted in."""


class Worker:
    """One thread's search of one position: runs the kernel in slices and answers `look`."""

    def __init__(self, workspace: Workspace, watch: Watch, helper: bool = False,
                 progress: Callable[[int, int], None] | None = None) -> None:
        self.workspace, self.watch, self.progress = workspace, watch, progress
        self.pacer = Pacer(watch, helper=helper)
        self.told = watch.started
        self.depth = 0

    def look(self, alpha: int, beta: int, actions: Sequence[int]) -> Found:
        """Search the root at the current depth; raises Interrupted at a limit."""
        self.workspace.begin(list(actions), alpha, beta, self.depth)
        self.finish()
        value, action, _, complete = self.workspace.root()
        return Found(value, action, complete, tuple(self.workspace.line()))

    def finish(self) -> None:
        """Go on until the root has its value in the window that is open; raises Interrupted at a limit."""
        workspace, pacer = self.workspace, self.pacer
        while True:
            nodes = workspace.count("nodes")
            if pacer.is_over(nodes):
                raise Interrupted
            left = None if self.watch.nodes is None or pacer.helper else self.watch.nodes - nodes
            go = lambda size: workspace.go(nodes + size)  # noqa: B023, E731  (called at once)
            if pacer.slice(go, left, lambda: workspace.count("nodes")):
                return
            if self.progress is not None and time.perf_counter() - self.told > PROGRESS_SECONDS:
                self.told = time.perf_counter()
                self.progress(workspace.count("nodes"), workspace.root()[2])


class Engine:
    """A search that keeps its table between the moves of a game.

    >>> from outplay.game import load
    >>> engine = Engine(load("tic-tac-toe"), memory=1)
    >>> engine.best(load("tic-tac-toe").position("xx./oo./... x"), Limits(depth=3)).value
    1.0
    """

    def __init__(self, game: Any, *, algorithm: str = "pvs", memory: float = 64, threads: int = 1, seed: int = 0,
                 weights: Any = None, options: Options | None = None, entries: int | None = None, fits: Any = None,
                 endgame: EndgameTables | None = None) -> None:
        if algorithm not in ALGORITHMS:
            raise UnknownName("algorithm", algorithm, ALGORITHMS)
        if threads < 1:
            raise BadValue(f"threads must be 1 or more, got {threads}")
        refuse(algorithm, game)
        self.game, self.algorithm, self.seed = game, algorithm, seed
        self.face = type(game)(game.rules, compiled=False)  # for the few calls of a search: no compilation may fall into its time
        if options is None:
            options = preferences.alphabeta(game)
        if options.selective() and not game.offers("evaluate"):
            switches = ", ".join(options.chosen())
            raise Unsuitable(f"{switches} would have no effect: {game.name} has no `evaluate`, and so every search is exact")
        if options.probcut and fits is None and game.rules.probcut is None:
            raise Unsuitable(f"probcut needs fits, and {game.name} has none: outplay tune {game.name!r} --probcut makes them")
        self.options = options
        self.table = Table(memory, self.options.replacement, entries)
        self.workspaces = [Workspace(game, self.table, weights, fits, endgame) for _ in range(threads)]
        self.has_files = endgame is not None and endgame.files is not None
        self._ready = self._ready_to_prove = False
        self._keys: dict[Any, int] = {}
        self.is_distant = game.offers("evaluate") if options.distance is None else options.distance
        self.units = Units.of(game, distance=self.is_distant)
        self.scale = self.units.scale

    def take_memory(self) -> None:
        """Have the table's memory from the system now: a kernel that first meets it waits for page after page, on a clock."""
        self.table.take_memory()

    def clear(self) -> None:
        """Forget everything learned so far."""
        self.table.clear()
        for workspace in self.workspaces:
            workspace.history[:] = 0
            workspace.replies[:] = 0

    def best(self, position: Position, limits: Limits | None = None, **more: Any) -> Result:
        """The last Result of a search."""
        found = None
        for found in self.search(position, limits, **more):  # noqa: B007  (the last one counts)
            pass
        assert found is not None
        return found

    def search(self, position: Position, limits: Limits | None = None, *, lines: int = 1, stop: threading.Event | None = None,
               clock: Clock | None = None, earlier: Sequence[Position] = (),
               actions: Sequence[int] | None = None) -> Iterator[Result]:
        """One Result for each completed depth, the last one being the answer; Ctrl-C ends it with the best so far.

        `earlier` is the positions of the game so far, for games in which a repetition is a draw. `actions` are those of the root
        to choose from, where not all are.
        """
        if lines < 1:
            raise BadValue(f"lines must be 1 or more, got {lines}")
        limits = limits or Limits()
        position = Position(self.face, position.state)
        if clock is None and limits.remaining is not None:
            clock = Clock(limits.remaining, limits.increment or 0.0)
        self._make_ready(position, limits, clock)
        watch = Watch(limits, stop, clock)
        if position.is_terminal():
            utility = position.utility(0) * self.game.traits.scale
            value = for_all(self.game, utility, self.scale)
            yield Result(None, value, algorithm=self.algorithm, seconds=watch.elapsed(), **self._unit())
            return
        self.table.next_generation()
        keys: tuple[int, ...] = ()
        if earlier and self.game.offers("reversible"):
            reach = int(self.face.record(position.state).reversible())  # what lies further back cannot come again
            keys = tuple(self._key(past.state) for past in earlier[-reach - 1 :] if past.state != position.state)
        chosen = list(position.actions() if actions is None else actions)
        if self.options.endings and lines == 1 and actions is None and limits.depth is None and watch.deadline is not None:
            proved = self._ending(position, watch)
            if proved is not None:
                yield proved
                return
        while True:
            for number, workspace in enumerate(self.workspaces):
                noise = 0 if number == 0 else (self.seed + number) * 2 + 1
                workspace.prepare(position, self.options, self.algorithm, self.units, noise, keys)
            helpers = self._start_helpers(position, limits, watch)
            try:
                yield from self._deepen(position, limits, watch, lines, chosen)
                return
            except Fractional:
                self._count_finer()
            finally:
                watch.ended.set()
                for helper in helpers:
                    helper.join()
                watch.ended.clear()

    def _ending(self, position: Position, watch: Watch) -> Result | None:
        """The exact value of a position so near to the end that the time should do for a proof, in games that tell how near."""
        from outplay.engine.alphabeta.solve import solve  # solve itself is built on this module

        seconds = (watch.deadline or 0.0) - time.perf_counter()
        if not self._is_near_the_end(position, seconds):
            return None
        limits = Limits(seconds=PROOF_SHARE * seconds)
        memory = max(1.0, PROOF_MEMORY * min(1.0, seconds))  # a table that is never filled takes longer to get than to use
        found = solve(position, limits, memory=memory, threads=len(self.workspaces), stop=watch.stop)
        if not found.exact:
            return None
        value = found.value * self.scale  # type: ignore[operator]  # two players: one number
        return replace(found, value=value, algorithm=self.algorithm, seconds=watch.elapsed(), **self._unit())

    def _is_near_the_end(self, position: Position, seconds: float) -> bool:
        """Whether a proof should take no longer than so many seconds."""
        from outplay.engine.alphabeta.solve import plies_left

        plies = plies_left(position) if self.game.offers("settle") else 0
        return plies > 0 and PROOF_SECONDS * 2.0 ** (plies - PROOF_PLIES) <= seconds

    def _count_finer(self) -> None:
        """Utilities lie between whole numbers: count in smaller parts of them, from an empty table."""
        finer = self.units.finer()
        if finer is None:
            raise Unsuitable(
                f"the engine counts in whole numbers, and {self.game.name} has utilities between them: "
                f"use the textbook's {self.algorithm}"
            )
        self.units = finer
        self.clear()

    def _key(self, state: Any) -> int:
        """The key of an earlier position, computed once in a game: the next move asks for it again."""
        if state not in self._keys:
            if len(self._keys) >= MOST_KEYS:
                self._keys.clear()
            self._keys[state] = self.face.key(state)
        return self._keys[state]

    def _make_ready(self, position: Position, limits: Limits, clock: Clock | None) -> None:
        """Compile the kernel or load it from the cache before any clock runs. That of the proofs of endings, too, if one is near
        or a whole game comes: its clock runs, or this is a first look, which has a depth beside the time."""
        if not self._ready:
            workspace = self.workspaces[0]
            workspace.prepare(position, self.options, self.algorithm, self.units)
            self._drive(workspace, 1, []).steer()
            workspace.begin([], 0, 1, 0)
            workspace.go(0)
            self._ready = True
        if self._ready_to_prove or not self.options.endings or (clock is None and limits.seconds is None):
            return
        if clock is not None or limits.depth is not None or self._is_near_the_end(position, limits.seconds or 0.0):
            if self.game.offers("settle"):
                from outplay.engine.alphabeta.solve import solve

                solve(position, Limits(nodes=1), memory=1)
            self._ready_to_prove = True

    def _start_helpers(self, position: Position, limits: Limits, watch: Watch) -> list[threading.Thread]:
        """Further threads that search the same position into the same table, every second one a depth ahead."""
        low, high = self._span()
        margin = self._margin()

        def help_out(number: int) -> None:
            worker = Worker(self.workspaces[number], watch, helper=True)
            actions = list(position.actions())
            guess = None
            try:
                for depth in range(1, MOST_DEPTH):
                    worker.depth = min(depth + number % 2, limits.depth or MOST_DEPTH)
                    found = ALGORITHMS[self.algorithm](worker.look, actions, low, high, guess,
                                                       margin if depth >= FIRST_WINDOWED else 0)  # fmt: skip
                    guess = found.value
                    actions.sort(key=lambda action: action != found.action)
                    if found.complete:
                        return
            except Interrupted:
                pass

        crew = [threading.Thread(target=help_out, args=(n,), daemon=True) for n in range(1, len(self.workspaces))]
        for thread in crew:
            thread.start()
        return crew

    def _span(self) -> tuple[int, int]:
        """The least and the greatest value that can be: the bounds of the utilities, where no evaluation stands beside them."""
        if self.game.offers("evaluate"):
            return -INFINITY, INFINITY
        return -self.units.greatest(), self.units.greatest()

    def _margin(self) -> int:
        """Half the first window."""
        wanted = self.options.aspiration if self.game.offers("evaluate") else 0
        return self.units.points(wanted) * self.units.spread

    def _deepen(self, position: Position, limits: Limits, watch: Watch, lines: int, actions: list[int]) -> Iterator[Result]:
        worker = Worker(self.workspaces[0], watch)
        last: Result | None = None
        unchanged = 0
        if limits.depth == 0:  # H-MINIMAX(s, 0) = EVAL(s)
            yield self._judged(position, actions, watch)
            return
        limit = min(MOST_DEPTH, limits.depth if limits.depth is not None else MOST_DEPTH)
        drive = self._drive(worker.workspace, lines, actions)
        drive.drive["limit"], drive.drive["depth"] = limit, 1 if self.options.deepening or limits.depth is None else limit
        run, (low, high), margin = ALGORITHMS[self.algorithm], self._span(), self._margin()
        try:
            while (next_one := drive.steer()) in (LOOK, DEPTH):
                if next_one == LOOK and drive["windows"]:
                    worker.finish()
                elif next_one == LOOK:
                    worker.depth = drive["depth"]
                    rest = worker.workspace.actions[0, : worker.workspace.count("root_count")].tolist()
                    drive.take(run(worker.look, rest, low, high, drive.guess(), margin if worker.depth >= FIRST_WINDOWED else 0))
                else:
                    if self.workspaces[0].count("fractional"):
                        raise Fractional
                    found = drive.lines()
                    unchanged = unchanged + 1 if last and last.action == found[0].action else 0
                    last = self._result(position, found, drive["depth"] - 1, watch)
                    yield last
                    if drive.is_settled():
                        continue
                    if len(actions) == 1 and limits.depth is None and limits != Limits():
                        return
                    if watch.plan and not watch.plan.wants_more(watch.elapsed(), unchanged):
                        return
        except (Interrupted, KeyboardInterrupt):
            if not drive.is_settled():
                yield self._so_far(position, worker, last, drive, watch)
                return
        finally:
            drive.stop()
        if drive["quicker"]:
            yield self._result(position, drive.lines()[:1], drive["depth"] - 1, watch)

    def _drive(self, workspace: Workspace, lines: int, actions: Sequence[int]) -> Deepening:
        """What steers the search of a position."""
        drive = Deepening(workspace, min(lines, len(actions)))
        drive.begin(actions, **self.asked())
        return drive

    def asked(self) -> dict[str, int]:
        """What steering has to know of the game and the algorithm, as fields of its DRIVE."""
        low, high = self._span()
        return {"margin": self._margin(), "low": low, "high": high, "greatest": self.units.greatest(),
                "windows": ALGORITHMS[self.algorithm] is window_search, "selective": self.options.selective()}  # fmt: skip

    def _so_far(self, position: Position, worker: Worker, last: Result | None, drive: Deepening, watch: Watch) -> Result:
        """What an interrupted depth still tells: a better action that it had found, or else the last depth's answer."""
        value, action, done, _ = worker.workspace.root()
        frame, depth, actions = worker.workspace.frames[0], drive["depth"], drive.actions()
        is_inside = not drive["found"] and done > 0 and action in actions and int(frame["depth"]) == depth
        if is_inside and self.algorithm in ("alphabeta", "pvs") and value > int(frame["floor"]):
            partial = Found(value, action, False, tuple(worker.workspace.line()))
            return self._result(position, [partial], depth - 1, watch)
        if last is not None:
            return self._counted(last, watch)
        return self._judged(position, actions, watch)

    def _judged(self, position: Position, actions: list[int], watch: Watch) -> Result:
        """The answer of a search that looked no ply ahead: EVAL of the position, and the first of its actions."""
        value = sum(self.game.traits.bounds) / 2 * self.game.traits.scale
        if self.game.offers("evaluate"):
            grain = self.units.grain
            value = float(np.floor(self.face.evaluate(position.state, 0, self.workspaces[0].weights) * grain + 0.5)) / grain
        judged = Result(actions[0], for_all(self.game, value, self.scale), (actions[0],), 0, algorithm=self.algorithm, exact=False,
                        **self._unit())
        return self._counted(judged, watch)

    def _counted(self, result: Result, watch: Watch) -> Result:
        """The same result with the counters as they stand now."""
        return replace(result, nodes=self._sum("nodes"), leaves=self._sum("leaves"), seconds=watch.elapsed(),
                       facts={**result.facts, **self._statistics(result.depth)})

    def _sum(self, name: str) -> int:
        return sum(workspace.count(name) for workspace in self.workspaces)

    def _statistics(self, depth: int) -> dict[str, Any]:
        """What the search counted about itself."""
        nodes, cutoffs, probes = self._sum("nodes"), self._sum("cutoffs"), self._sum("probes")
        return {
            "cutoffs": cutoffs,
            "first_move_cutoffs": self._sum("first_cutoffs") / cutoffs if cutoffs else 0.0,
            "table_hits": self._sum("hits") / probes if probes else 0.0,
            "table_used": self.table.used(),
            "researches": self._sum("researches"),
            "branching": nodes ** (1 / depth) if depth > 0 else 0.0,
            "selective_depth": max(depth, *(workspace.selective_depth() for workspace in self.workspaces)),
        }

    def _result(self, position: Position, found: list[Found], depth: int, watch: Watch) -> Result:
        sign = 1 if position.side() == self.game.side(0) else -1
        centre = self.units.centre * self.scale
        choices = []
        for one in found:
            worth = for_all(self.game, sign * self.units.value(one.value) + centre, self.scale)
            line, distance = self._line(position, one, depth), self._distance(one.value)
            choices.append(Choice(one.action, worth, proved=one.complete, line=line, distance=distance))
        facts = self._statistics(depth)
        value, distance = choices[0].value, choices[0].distance
        assert value is not None
        if distance is not None:
            won = found[0].value > 0
            facts["distance"] = distance
            facts["announcement"] = f"{'win' if won else 'loss'} in {(distance + 1) // 2}"
        return Result(
            action=found[0].action, value=value, line=choices[0].line, depth=depth, nodes=self._sum("nodes"),
            leaves=self._sum("leaves"), seconds=watch.elapsed(), algorithm=self.algorithm,
            exact=all(one.complete for one in found), choices=tuple(choices), facts=facts, **self._unit(),
        )  # fmt: skip

    def _distance(self, value: int) -> int | None:
        """The plies to the end of the game where it is in sight; files of tables tell none (see `endgame`)."""
        points, distance = in_points(value, self.units.spread)
        is_by_files = self.has_files and abs(points) == self.units.greatest() // self.units.spread - 1
        return None if is_by_files else distance

    def _unit(self) -> dict[str, Any]:
        """What the values of this search are counted in."""
        return {"unit": self.game.unit if self.game.offers("evaluate") else UTILITY, "scale": self.scale}

    def _line(self, position: Position, found: Found, depth: int) -> tuple[int, ...]:
        """The principal variation: what the kernel saw of it, then what the table still knows."""
        line = list(found.line or (found.action,))
        whole = self.algorithm == "pvs" and self.options.selective()  # the table cut nothing short inside a wide window
        if whole or self.options.symmetry or not self.options.table:
            return tuple(line)
        state = position.state
        for action in line:
            state = self.face.result(state, action)
        while len(line) < depth:  # the key is proof enough that the action belongs to the position
            known = self.table.look(self.face.key(state))
            if known is None or known[3] not in (EXACT, LOWER) or known[1] == NO_ACTION:
                break
            action = known[1]
            if action not in self.face.actions(state):  # a wide action is kept as a hash
                with np.errstate(over="ignore"):
                    action = next((each for each in self.face.actions(state) if fold(each) == known[1]), NO_ACTION)
            if action == NO_ACTION:
                break
            line.append(action)
            state = self.face.result(state, action)
        return tuple(line)


def search(position: Position, limits: Limits | None = None, *, algorithm: str = "pvs", memory: float = 64, threads: int = 1,
           seed: int = 0, lines: int = 1, stop: threading.Event | None = None, weights: Any = None, options: Options | None = None,
           clock: Clock | None = None, earlier: Sequence[Position] = ()) -> Iterator[Result]:
    """Search a position with a fresh table: one Result for each completed depth, the last one being the answer."""
    engine = Engine(position.game, algorithm=algorithm, memory=memory, threads=threads, seed=seed, weights=weights, options=options)
    yield from engine.search(position, limits, lines=lines, stop=stop, clock=clock, earlier=earlier)


def best(position: Position, limits: Limits | None = None, **more: Any) -> Result:
    """The answer of a search: the last of its Results."""
    found = None
    for found in search(position, limits, **more):  # noqa: B007  (the last one counts)
        pass
    assert found is not None
    return found
