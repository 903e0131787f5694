"""`outplay uci`: chess for graphical boards and match runners, over standard input and output.

The lines are read in one thread and a search runs in another, so that `isready` and `stop` are answered at any moment. Nothing
heavy is loaded before the handshake is answered. Kernels that are not in the cache yet compile in the background; a clock that runs
out meanwhile is answered from a look one move ahead in plain Python.
"""

from __future__ import annotations

import contextlib
import random
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any

import typer

import outplay
from outplay.errors import BadValue, OutplayError, UnknownName
from outplay.protocols import uci as protocol
from outplay.protocols.uci import Go, Option

LEVELS = {"beginner": 600, "casual": 1000, "club": 1500, "strong": 1900, "master": 2300, "full": None}
"""Words for people, and the rating that each stands for."""

LEAST_ELO, MOST_ELO = 500, 2500
FULL_DEPTH = 100

OPTIONS = (
    Option("Hash", "spin", 64, 1, 65536),
    Option("Threads", "spin", 1, 1, 256),
    Option("MultiPV", "spin", 1, 1, 256),
    Option("Ponder", "check", False),
    Option("OwnBook", "check", False),
    Option("BookFile", "string", ""),
    Option("SyzygyPath", "string", ""),
    Option("UCI_Chess960", "check", False),
    Option("UCI_LimitStrength", "check", False),
    Option("UCI_Elo", "spin", 1500, LEAST_ELO, MOST_ELO),
    Option("Move Overhead", "spin", 15, 0, 5000),
    Option("Clear Hash", "button"),
)

Level = Annotated[str, typer.Option("--level", metavar="LEVEL", help=f"How well to play: {', '.join(LEVELS)}, or a rating.")]


def uci(level: Level = "full") -> None:
    """Speak UCI on standard input and output, for graphical boards and match runners."""
    loop = Loop(lambda line: print(line, flush=True))
    loop.limit(level)
    with contextlib.suppress(AttributeError, ValueError):
        sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    loop.run(sys.stdin)


def elo_of(level: str) -> int | None:
    """The rating that a level means; None for full strength.

    >>> elo_of("club"), elo_of("1234"), elo_of("full")
    (1500, 1234, None)
    """
    if level.isdecimal():
        if not LEAST_ELO <= int(level) <= MOST_ELO:
            raise BadValue(f"--level must be a rating from {LEAST_ELO} to {MOST_ELO} or one of {', '.join(LEVELS)}, got {level}")
        return int(level)
    if level.lower() not in LEVELS:
        raise UnknownName("level", level, LEVELS)
    return LEVELS[level.lower()]


class Loop:
    """One conversation: options, the position, and at most one search at a time."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say, self._mouth = say, threading.Lock()
        self.options: dict[str, Any] = {option.name: option.default for option in OPTIONS}
        self._positions: list[Any] = []
        self._request: tuple[str | None, tuple[str, ...]] = (None, ())
        self._engine: Any = None
        self._made_with: tuple | None = None
        self._ready = threading.Event()  # the kernels are compiled
        self._warming: threading.Thread | None = None
        self._search: threading.Thread | None = None
        self._stop = threading.Event()
        self._hit = threading.Event()  # ponderhit: the clock runs now
        self._waiting = False
        self._go = Go()
        self._random = random.Random(time.time_ns())

    def say(self, line: str) -> None:
        """One line to the other side, never mixed with another thread's."""
        with self._mouth:
            self._say(line)

    def limit(self, level: str) -> None:
        """Play at a level."""
        elo = elo_of(level)
        self.options["UCI_LimitStrength"] = elo is not None
        if elo is not None:
            self.options["UCI_Elo"] = elo

    def run(self, lines: Iterable[str]) -> None:
        """Answer line after line until `quit` or the end of the input."""
        for line in lines:
            if not self.answer(line):
                break
        self.halt()

    def answer(self, line: str) -> bool:
        """Answer one line; False ends the conversation. Nothing that comes in ends it otherwise."""
        command, words = protocol.parse_command(line)
        if command == "quit":
            return False
        try:
            if command:
                getattr(self, f"_on_{command}")(words)
            elif words:
                self.say(f"info string unknown command {' '.join(words)[:80]!r}")
        except OutplayError as problem:
            self.say(f"info string {problem}")
        except Exception as problem:  # a GUI must never lose its engine over one line
            self.say(f"info string internal error: {type(problem).__name__}: {' '.join(str(problem).split())}")
        return True

    # ------------------------------------------------ commands

    def _on_uci(self, words: list[str]) -> None:
        self.say(f"id name Outplay {outplay.__version__}")
        self.say("id author the Outplay authors")
        for option in OPTIONS:
            self.say(option.line())
        self.say("uciok")
        self._warm()

    def _on_isready(self, words: list[str]) -> None:
        self.say("readyok")

    def _on_debug(self, words: list[str]) -> None:
        pass

    _on_register = _on_debug

    def _on_help(self, words: list[str]) -> None:
        self.say(f"info string known commands: {' '.join(protocol.COMMANDS)}")

    def _on_setoption(self, words: list[str]) -> None:
        name, value = protocol.parse_setoption(words)
        option = protocol.find_option(OPTIONS, name)
        read = option.read(value)
        if option.name == "Clear Hash":
            self.halt()
            if self._engine is not None:
                self._engine.clear()
            return
        self.options[option.name] = read

    def _on_ucinewgame(self, words: list[str]) -> None:
        self.halt()
        if self._engine is not None:
            self._engine.clear()

    def _on_position(self, words: list[str]) -> None:
        self.halt()
        fen, moves = protocol.parse_position(words)
        earlier = len(self._request[1])
        known = self._positions if self._request == (fen, moves[:earlier]) and len(self._positions) == earlier + 1 else []
        self._request = (fen, moves)
        self._positions = self._played(fen, moves, known)

    def _on_go(self, words: list[str]) -> None:
        self.halt()
        self._warm()
        go = protocol.parse_go(words)
        if not self._positions:
            self._positions = self._played(*self._request)
        if go.perft is not None:
            return self._perft(go.perft)
        self._stop, self._hit, self._go = threading.Event(), threading.Event(), go
        self._search = threading.Thread(target=self._think, args=(go, self._positions, self._stop, self._hit), daemon=True)
        self._search.start()

    def _on_stop(self, words: list[str]) -> None:
        self.halt()

    def _on_ponderhit(self, words: list[str]) -> None:
        self._hit.set()

    def _on_d(self, words: list[str]) -> None:
        from outplay.views import text

        position = (self._positions or self._played(*self._request))[-1]
        for line in text.board(position.picture()).splitlines():
            self.say(line)
        self.say(f"Fen: {position.text()}")

    def _on_eval(self, words: list[str]) -> None:
        position = (self._positions or self._played(*self._request))[-1]
        self.say(f"info string evaluation {position.evaluate(position.player()):.0f} points for the player to move")

    def _on_bench(self, words: list[str]) -> None:
        self.answer("position startpos")
        self.answer("go depth 10")

    # ------------------------------------------------ searching

    def halt(self) -> None:
        """End the search, which then says its best move."""
        self._stop.set()
        self._hit.set()
        if self._search is not None:
            self._search.join()
            self._search = None

    def _game(self) -> Any:
        from outplay.game import load

        # In plain Python until everything is compiled: no command waits for the compiler.
        compiled = self._ready.is_set()
        return load("chess", start=0, compiled=compiled) if self.options["UCI_Chess960"] else load("chess", compiled=compiled)

    def _played(self, fen: str | None, moves: tuple[str, ...], known: Sequence[Any] = ()) -> list[Any]:
        """All positions of a game, of which the first may be known; at a move that cannot be read it stops and says so."""
        from outplay.games.chess.notation import read_move

        game = self._game()
        positions = list(known) if known and known[0].game is game else [game.position("startpos" if fen is None else fen)]
        for text in moves[len(positions) - 1 :]:
            position = positions[-1]
            try:
                action = read_move(game.record(position.state), text, position.actions())
            except OutplayError as problem:
                self.say(f"info string {problem}")
                break
            positions.append(position.result(action))
        return positions

    def _warm(self) -> None:
        """Compile, or load from the cache, in the background."""
        if self._warming is None:
            self._warming = threading.Thread(target=self._prepare, daemon=True)
            self._warming.start()

    def _prepare(self) -> None:
        try:
            from outplay.engine import Engine
            from outplay.game import load
            from outplay.values import Limits

            game = load("chess", compiled=True)
            start = game.start()
            Engine(game, memory=1).best(start, Limits(depth=2), earlier=[start.result(start.actions()[0])])
            self._ready.set()
        except Exception as problem:
            self.say(f"info string the engine cannot be compiled: {' '.join(str(problem).split())[:300]}")

    def _get_engine(self) -> Any:
        """The engine with the options as they are now; it keeps its table while they stay the same."""
        from outplay.engine import Engine

        wanted = (self.options["Hash"], self.options["Threads"], self.options["UCI_Chess960"])
        if self._engine is None or self._made_with != wanted:
            self._engine = Engine(self._game(), memory=wanted[0], threads=wanted[1])
            self._made_with = wanted
        return self._engine

    def _think(self, go: Go, positions: list[Any], stop: threading.Event, hit: threading.Event) -> None:
        """The search thread: from a `go` to its `bestmove`."""
        best: tuple[str | None, str | None] = (None, None)
        try:
            best = self._choose(go, positions, stop, hit)
        except OutplayError as problem:
            self.say(f"info string {problem}")
        except Exception as problem:
            self.say(f"info string internal error: {type(problem).__name__}: {' '.join(str(problem).split())}")
            with contextlib.suppress(Exception):
                best = (positions[-1].action_text(positions[-1].actions()[0]), None)
        if go.infinite or (go.ponder and not hit.is_set()):  # the protocol: no answer before it is asked for
            while not stop.is_set() and not (go.ponder and hit.is_set()):
                stop.wait(0.005)
        self.say(protocol.bestmove(*best))

    def _choose(self, go: Go, positions: list[Any], stop: threading.Event, hit: threading.Event) -> tuple[str | None, str | None]:
        started = time.perf_counter()
        position = positions[-1]
        allowed = self._allowed(go, position)
        if not allowed:
            self.say(f"info depth 0 score {protocol.score(0, None) if not self._is_mated(position) else 'mate 0'}")
            return None, None
        own = self._from_books(position, allowed) if not (go.infinite or go.ponder) else None
        if own is not None:
            return position.action_text(own), None
        seconds, clock = self._time(go, position)
        if not self._wait_for_kernels(seconds if clock is None else clock.plan().target, stop):
            planned = seconds if clock is None else clock.plan().target
            until = None if planned is None else started + 0.85 * planned
            return position.action_text(self._look_one_move_ahead(position, allowed, until)), None
        if clock is not None or seconds is not None:  # waiting counted against the clock
            spent = time.perf_counter() - started
            seconds = None if seconds is None else max(0.005, seconds - spent)
        if go.ponder:
            threading.Thread(target=self._end_ponder, args=(seconds, clock, stop, hit), daemon=True).start()
            seconds, clock = None, None
        return self._search_for(go, positions, allowed, seconds, clock, stop)

    def _search_for(self, go: Go, positions: list[Any], allowed: list[Any], seconds: float | None, clock: Any,
                    stop: threading.Event) -> tuple[str | None, str | None]:
        from outplay.values import Limits

        position = positions[-1]
        elo = self.options["UCI_Elo"] if self.options["UCI_LimitStrength"] else None
        nodes = go.nodes if elo is None else min(nodes_of(elo), go.nodes or 2**62)
        limits = Limits(depth=go.depth, nodes=nodes, seconds=seconds)
        lines = max(self.options["MultiPV"], 4 if elo is not None and elo < 2000 else 1)
        engine = self._get_engine()
        result = None
        more: dict[str, Any] = {"actions": allowed} if len(allowed) < len(position.actions()) else {}
        for result in engine.search(position, limits, lines=lines, stop=stop, clock=clock, earlier=positions[:-1], **more):
            self._tell(position, result)
            if go.mate is not None and (result.facts.get("distance") or 999) <= 2 * go.mate:
                break
            if result.depth >= FULL_DEPTH:
                break
        assert result is not None
        action, line = result.action, result.line
        if elo is not None and len(result.choices) > 1:
            action, line = self._stumble(result, position, elo)
        texts = _texts(position, line[:2])
        return position.action_text(action), texts[1] if len(texts) > 1 else None

    def _tell(self, position: Any, result: Any) -> None:
        """The `info` lines of one result."""
        sign = 1 if position.player() == 0 else -1
        for number, one in enumerate(result.choices[: self.options["MultiPV"]], start=1):
            self.say(protocol.info(
                depth=result.depth, points=sign * one.value, distance=one.distance, nodes=result.nodes,
                seconds=result.seconds, line=_texts(position, one.line), full=result.facts.get("table_used"),
                number=number if self.options["MultiPV"] > 1 else None,
            ))  # fmt: skip

    def _allowed(self, go: Go, position: Any) -> list[Any]:
        """The moves to choose from: `searchmoves` where that names legal ones."""
        from outplay.games.chess.notation import read_move

        named = []
        for text in go.searchmoves:
            with contextlib.suppress(OutplayError):
                named.append(read_move(position.game.record(position.state), text, position.actions()))
        return named or list(position.actions())

    def _is_mated(self, position: Any) -> bool:
        return position.is_terminal() and any(position.utilities())

    def _time(self, go: Go, position: Any) -> tuple[float | None, Any]:
        """Fixed seconds, or a clock to plan with."""
        overhead = self.options["Move Overhead"] / 1000
        if go.movetime is not None:
            return max(0.005, go.movetime - overhead), None
        left, increment = (go.wtime, go.winc) if position.player() == 0 else (go.btime, go.binc)
        if left is None:
            return None, None
        from outplay.engine import Clock

        return None, Clock(left, increment, go.movestogo or None, overhead=overhead)

    def _end_ponder(self, seconds: float | None, clock: Any, stop: threading.Event, hit: threading.Event) -> None:
        """After `ponderhit` the clock runs as for any move; without a clock the other limits go on to hold."""
        hit.wait()
        if clock is not None:
            seconds = clock.plan().target
        if seconds is not None and not stop.wait(seconds):
            stop.set()

    def _wait_for_kernels(self, seconds: float | None, stop: threading.Event) -> bool:
        """Wait for the compiler, but no longer than the clock allows; whether the engine can search."""
        until = None if seconds is None else time.perf_counter() + 0.6 * seconds
        while not self._ready.wait(0.005):
            if stop.is_set() or (until is not None and time.perf_counter() >= until):
                return False
            if self._warming is not None and not self._warming.is_alive() and not self._ready.is_set():
                return False
        return True

    def _look_one_move_ahead(self, position: Any, allowed: list[Any], until: float | None) -> Any:
        """The move after which the evaluation likes us best, captures that lose material last: for a cold start."""
        from outplay.game import load

        position = load(position.game.name, compiled=False).position(position.text())
        mover = position.player()

        def merit(action: Any) -> tuple[float, float]:
            after = position.result(action)
            if after.is_terminal():
                return after.utility(mover) * 10_000, 0.0
            threat = max((after.order(reply) for reply in after.forcing()), default=0.0)
            return after.evaluate(mover) - threat / 16, position.order(action)

        judged = []
        for action in sorted(allowed, key=position.order, reverse=True):
            judged.append((merit(action), action))
            if until is not None and time.perf_counter() >= until:
                break
        return max(judged)[1]

    # ------------------------------------------------ knowledge and levels

    def _from_books(self, position: Any, allowed: list[Any]) -> Any:
        """A move of the opening book or of the endgame tables, or None."""
        if self.options["OwnBook"] and self.options["BookFile"]:
            from outplay.knowledge import book

            entry = book.choose(book.cached(self.options["BookFile"]), position, self._random)
            if entry in allowed:
                return entry
        if self.options["SyzygyPath"]:
            from outplay.knowledge import syzygy

            found = syzygy.best(self.options["SyzygyPath"], position)
            if found in allowed:
                return found
        return None

    def _stumble(self, result: Any, position: Any, elo: int) -> tuple[Any, tuple[Any, ...]]:
        """A move of a weaker player: among the best lines, with more slips the lower the rating."""
        sign = 1 if position.player() == 0 else -1
        slip = max(0.0, (2000 - elo) / 12)  # points of noise: about a pawn at 800
        pick = max(result.choices, key=lambda one: sign * one.value + self._random.gauss(0, slip))
        return pick.action, pick.line

    def _perft(self, depth: int) -> None:
        from outplay.engine.perft import perft

        position = self._positions[-1]
        total = 0
        for action in position.actions() if depth > 0 else ():
            nodes, _ = perft(position.result(action), depth - 1)
            self.say(f"{position.action_text(action)}: {nodes}")
            total += nodes
        self.say(f"\nNodes searched: {total if depth > 0 else 1}\n")


def _texts(position: Any, line: Iterable[Any]) -> list[str]:
    """A line of play in UCI's notation."""
    texts = []
    for action in line:
        texts.append(position.action_text(action))
        position = position.result(action)
    return texts


def nodes_of(elo: int) -> int:
    """How many positions a player of this rating may look at: doubled for every hundred points.

    >>> nodes_of(500), nodes_of(1500)
    (60, 61440)
    """
    return int(60 * 2 ** ((elo - 500) / 100))
