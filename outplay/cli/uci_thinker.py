"""The player behind `outplay uci`: the engine with its options, what it knows by heart, its level, and its time.

Nothing heavy is loaded before the handshake is answered. Kernels that are not in the cache yet compile in the background; a clock
that runs out meanwhile is answered from a look one move ahead in plain Python. Whatever is wrong with a book, tables or the
wish for memory is said once, and the search goes on without.
"""

from __future__ import annotations

import contextlib
import random
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

from outplay.errors import OutplayError
from outplay.protocols import uci as protocol
from outplay.protocols.uci import Go

FULL_DEPTH = 100
MOST_PATIENCE = 120.0  # seconds that a search without a clock waits for the compiler

Move = tuple[str | None, str | None]
"""A move and the one expected in answer, as UCI writes them."""


class Lag:
    """What a move costs on the other side's clock beyond the time that it took here: pipes, a busy machine.

    >>> lag = Lag()
    >>> lag.asked(1, left=1.0, increment=0.0)
    >>> lag.moved(1, spent=0.02)
    >>> lag.asked(3, left=0.9, increment=0.0)      # 20 ms were spent, and the clock has lost 100
    >>> round(lag.worst, 3)
    0.08
    """

    FADES = 0.9  # a stall is forgotten slowly: where there was one, there will be more

    def __init__(self) -> None:
        self.worst = 0.0
        self._before: tuple[int, float] | None = None
        """Positions of the game when we were asked last, and what the clock should show at our next move."""

    def asked(self, plies: int, left: float, increment: float) -> None:
        """A move is wanted, and the clock shows this; two plies after our last one the two can be compared."""
        lost = self._before[1] - left if self._before is not None and plies == self._before[0] + 2 else 0.0
        if plies <= 2:
            self.worst = 0.0
        self.worst = max(self.FADES * self.worst, min(lost, 1.0))
        self._before = (plies, left + increment)

    def moved(self, plies: int, spent: float) -> None:
        """The move is made, after so many seconds."""
        if self._before is not None and self._before[0] == plies:
            self._before = (plies, self._before[1] - spent)


class Thinker:
    """Chooses moves with the options as they stand; `say` gets the `info` lines."""

    def __init__(self, options: dict[str, Any], say: Callable[[str], None]) -> None:
        self.options, self.say = options, say
        self._engine: Any = None
        self._made_with: tuple | None = None
        self._prepared: Any = None
        self._ready = threading.Event()  # the kernels are compiled
        self._warming: threading.Thread | None = None
        self._with_tables: dict[bool, threading.Event] = {}  # the same with tables of our own, and with files beside them
        self._random = random.Random(time.time_ns())
        self._lag = Lag()

    def clear(self) -> None:
        """Forget what was learned."""
        if self._engine is not None:
            self._engine.clear()

    def game(self) -> Any:
        """The game of the moment: chess or Chess960, in plain Python until all is compiled, so that no command waits."""
        from outplay.game import load

        compiled = self._ready.is_set()
        return load("chess", start=0, compiled=compiled) if self.options["UCI_Chess960"] else load("chess", compiled=compiled)

    def warm(self) -> None:
        """Compile, or load from the cache, in the background."""
        if self._warming is None:
            self._warming = threading.Thread(target=self._prepare, daemon=True)
            self._warming.start()

    def _prepare(self) -> None:
        try:
            from outplay.engine import Engine
            from outplay.game import load
            from outplay.players.networks import usual
            from outplay.values import Limits

            game = usual(load("chess", compiled=True))
            start = game.start()
            Engine(game, memory=1).best(start, Limits(depth=2), earlier=[start.result(start.actions()[0])])
            self._ready.set()
        except Exception as problem:
            self.say(f"info string the engine cannot be compiled: {' '.join(str(problem).split())[:300]}")

    def engine(self) -> Any:
        """The engine with the options as they are now; it keeps its table while they stay the same."""
        from outplay.engine import Engine
        from outplay.players.networks import usual

        tables = self.options["SyzygyPath"]
        endgame = self._knowledge().in_search(self.game()) if tables else None
        if endgame is not None and not self._compiled_with(endgame).is_set():
            endgame = None  # for now: a clock may be running
        wanted = (self.options["Hash"], self.options["Threads"], self.options["UCI_Chess960"], tables, endgame is None)
        if self._engine is None or self._made_with != wanted:
            self._engine, memory = None, wanted[0]
            while self._engine is None:
                try:
                    self._engine = Engine(usual(self.game()), memory=memory, threads=wanted[1], endgame=endgame)
                except (OutplayError, MemoryError) as problem:
                    if memory <= 1:
                        raise
                    said = " ".join(str(problem).split()) or "not enough memory"
                    memory = max(1, memory // 4)
                    self.say(f"info string {said}: Hash is {memory} MB for now")
            self._made_with = wanted
        return self._engine

    def _compiled_with(self, endgame: Any) -> threading.Event:
        """Compile the search that looks into tables, in the background; set when that is done."""
        from outplay.engine import Engine
        from outplay.players.networks import usual
        from outplay.values import Limits

        kind = endgame.files is not None
        if kind not in self._with_tables:
            done = self._with_tables[kind] = threading.Event()
            game = usual(self.game())

            def compile_it() -> None:
                try:
                    Engine(game, memory=1, endgame=endgame).best(game.start(), Limits(depth=1))
                    done.set()
                except Exception as problem:
                    self.say(f"info string the search with tables cannot be compiled: {' '.join(str(problem).split())[:300]}")

            threading.Thread(target=compile_it, daemon=True).start()
        return self._with_tables[kind]

    # ------------------------------------------------ from a `go` to a move

    def choose(self, go: Go, positions: list[Any], stop: threading.Event, hit: threading.Event) -> Move:
        """A legal move of the last position; none only where the game is over."""
        started = time.perf_counter()
        try:
            return self._chosen(go, positions, stop, hit, started)
        finally:
            self._lag.moved(len(positions), time.perf_counter() - started)

    def _chosen(self, go: Go, positions: list[Any], stop: threading.Event, hit: threading.Event, started: float) -> Move:
        position = positions[-1]
        allowed = self._allowed(go, position)
        if not allowed:
            mated = any(position.utilities())
            self.say(f"info depth 0 score {'mate 0' if mated else protocol.score(0, None)}")
            return None, None
        known = self._known(position, allowed) if not (go.infinite or go.ponder) else None
        if known is not None:
            return position.action_text(known), None
        seconds, clock = self._time(go, position, len(positions))
        planned = seconds if clock is None else clock.plan().target
        if position.is_terminal() or not self._wait_for_kernels(planned, stop):  # a dead position has moves, but no search
            until = None if planned is None else started + 0.85 * planned
            return position.action_text(self._look_one_move_ahead(position, allowed, until)), None
        if seconds is not None:  # waiting counted against the clock
            seconds = max(0.005, seconds - (time.perf_counter() - started))
        if go.ponder:
            threading.Thread(target=self._end_ponder, args=(seconds, clock, stop, hit), daemon=True).start()
            seconds, clock = None, None
        return self._search(go, positions, allowed, seconds, clock, stop)

    def _search(self, go: Go, positions: list[Any], allowed: list[Any], seconds: float | None, clock: Any,
                stop: threading.Event) -> Move:
        from outplay.players.levels import LINES, Level
        from outplay.players.networks import as_usual
        from outplay.values import Limits

        position = positions[-1]
        judged, earlier = as_usual(position, positions[:-1])
        level = Level(self.options["UCI_Elo"] if self.options["UCI_LimitStrength"] else None)
        limits = level.within(Limits(depth=go.depth, nodes=go.nodes, seconds=seconds), is_monte_carlo=False)
        lines = max(self.options["MultiPV"], LINES if level.slip else 1)
        result, told = None, 0
        more: dict[str, Any] = {"actions": allowed} if len(allowed) < len(position.actions()) else {}
        for result in self.engine().search(judged, limits, lines=lines, stop=stop, clock=clock, earlier=earlier, **more):
            told = self._tell(position, result, told)
            if go.mate is not None and (result.facts.get("distance") or 999) <= 2 * go.mate:
                break
            if result.depth >= FULL_DEPTH:
                break
        action = None if result is None else level.choose(position, result, self._random)
        if result is None or action not in allowed:
            return position.action_text(allowed[0]), None
        choice = result.choice(action)
        texts = _texts(position, (result.line if choice is None or action == result.action else choice.line)[:2])
        return position.action_text(action), texts[1] if len(texts) > 1 else None

    def _tell(self, position: Any, result: Any, told: int) -> int:
        """The `info` lines of a result, the best first; the depth to which all that were asked for have been told.

        A depth that was interrupted knows fewer lines than asked for, and says nothing new of the others: it is told only where
        one line is all that was asked for.
        """
        most = self.options["MultiPV"]
        sign = 1 if position.player() == 0 else -1
        shown = sorted({one.action: one for one in reversed(result.choices)}.values(), key=lambda one: -sign * one.value)[:most]
        if most > 1 and told and (len(shown) < min(most, len(position.actions())) or result.depth <= told):
            return told
        for number, one in enumerate(shown, start=1):
            self.say(protocol.info(
                depth=result.depth, points=sign * one.value, distance=one.distance, nodes=result.nodes,
                seconds=result.seconds, line=_texts(position, one.line or (one.action,)), full=result.facts.get("table_used"),
                number=number if most > 1 else None,
            ))  # fmt: skip
        return result.depth

    def _allowed(self, go: Go, position: Any) -> list[Any]:
        """The moves to choose from: `searchmoves` where that names legal ones."""
        from outplay.games.chess.notation import read_move

        named = []
        for text in go.searchmoves:
            with contextlib.suppress(OutplayError):
                named.append(read_move(position.game.record(position.state), text, position.moves()))
        return named or list(position.moves())

    # ------------------------------------------------ time

    def _time(self, go: Go, position: Any, plies: int) -> tuple[float | None, Any]:
        """Fixed seconds, or a clock to plan with."""
        overhead = self.options["Move Overhead"] / 1000
        if go.movetime is not None:
            return max(0.005, go.movetime - overhead), None
        left, increment = (go.wtime, go.winc) if position.player() == 0 else (go.btime, go.binc)
        if left is None:
            return None, None
        from outplay.engine import Clock

        if not go.ponder:
            self._lag.asked(plies, left, increment)
        return None, Clock(left, increment, go.movestogo or None, overhead=overhead, stall=self._lag.worst)

    def _end_ponder(self, seconds: float | None, clock: Any, stop: threading.Event, hit: threading.Event) -> None:
        """After `ponderhit` the clock runs as for any move; without a clock the other limits go on to hold."""
        hit.wait()
        if clock is not None:
            seconds = clock.plan().target
        if seconds is not None and not stop.wait(min(seconds, threading.TIMEOUT_MAX)):
            stop.set()

    def _wait_for_kernels(self, seconds: float | None, stop: threading.Event) -> bool:
        """Wait for the compiler, but no longer than the clock allows; whether the engine can search."""
        until = None if seconds is None else time.perf_counter() + 0.6 * seconds
        while not self._ready.wait(0.005):
            if stop.is_set() or (until is not None and time.perf_counter() >= until):
                return False
            if self._warming is not None and not self._warming.is_alive() and not self._ready.is_set():
                return False
        if self.options["SyzygyPath"] and seconds is None:  # no clock runs: the tables may be waited for
            endgame = self._knowledge().in_search(self.game())
            waits_until = time.perf_counter() + MOST_PATIENCE
            while endgame is not None and not self._compiled_with(endgame).wait(0.005):
                if stop.is_set() or time.perf_counter() > waits_until:
                    break
        return True

    def _look_one_move_ahead(self, position: Any, allowed: list[Any], until: float | None) -> Any:
        """The move after which the evaluation likes us best, captures that lose material last: for a cold start."""
        from outplay.game import Position, load

        game = load(position.game.name, compiled=False)
        here = Position(game, position.state)
        mover = here.player()

        def merit(action: Any) -> tuple[float, float]:
            after = Position(game, game.result(here.state, action))
            if after.is_terminal():
                return after.utility(mover) * 10_000, 0.0
            threat = max((after.order(reply) for reply in after.forcing()), default=0.0)
            return after.evaluate(mover) - threat / 16, here.order(action)

        judged = []
        for action in sorted(allowed, key=here.order, reverse=True):
            judged.append((merit(action), action))
            if until is not None and time.perf_counter() >= until:
                break
        return max(judged)[1]

    # ------------------------------------------------ knowledge

    def _knowledge(self) -> Any:
        """Opening book and endgame tables as the options name them now."""
        from outplay.players.prepared import Prepared

        book = self.options["BookFile"] if self.options["OwnBook"] else ""
        tables = self.options["SyzygyPath"]
        if self._prepared is None or (self._prepared.book, self._prepared.tables) != (book, tables):
            self._prepared = Prepared(book, tables, lambda problem: self.say(f"info string {problem}"))
        return self._prepared

    def _known(self, position: Any, allowed: list[Any]) -> Any:
        """A move of the opening book or of the endgame tables, or None."""
        return self._knowledge().action(position, self._random, allowed)


def _texts(position: Any, line: Iterable[Any]) -> list[str]:
    """A line of play in UCI's notation."""
    texts = []
    for action in line:
        texts.append(position.action_text(action))
        position = position.result(action)
    return texts
