"""`outplay uci`: chess for graphical boards and match runners, over standard input and output.

Nothing heavy is loaded before the handshake is answered. The search is compiled in the background, and a clock that runs out
meanwhile is answered by a glance. Whatever is wrong with a book, tables or the wish for memory is said once, and the game goes on
without.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterable
from typing import Annotated, Any

import outplay
from outplay.cli import commands
from outplay.cli.protocols.loop import Dialect, serve
from outplay.errors import OutplayError, Unavailable
from outplay.protocols import uci as protocol
from outplay.protocols.uci import Go, Option

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
    Option("UCI_Elo", "spin", 1500, 500, 2500),
    Option("Move Overhead", "spin", 15, 0, 5000),
    Option("Clear Hash", "button"),
)
FULL_DEPTH = 100
MOST_PATIENCE = 120.0
"""Seconds that a search without a clock waits for tables to be read and compiled in."""

LEVELS = "beginner, casual, club, strong, master, full"
LevelName = Annotated[str, commands.Option("--level", metavar="LEVEL", help=f"How well to play: {LEVELS}, or a rating.")]
BookFile = Annotated[str, commands.Option("--book", metavar="FILE", help="An opening book.")]
TablesFolder = Annotated[str, commands.Option("--tables", metavar="FOLDER", help="Endgame tables, ours or Syzygy's.")]


def uci(level: LevelName = "full", book: BookFile = "", tables: TablesFolder = "") -> None:
    """Speak UCI on standard input and output, for graphical boards and match runners."""
    talk = Uci(lambda line: print(line, flush=True))
    talk.limit(level)
    talk.options |= {"OwnBook": bool(book), "BookFile": book, "SyzygyPath": tables}
    serve(talk)


class Uci(Dialect):
    """One conversation: options, the game in progress, and the player who thinks about it. Every line is heard while it thinks."""

    def __init__(self, say: Callable[[str], object]) -> None:
        super().__init__(say)
        self.options: dict[str, Any] = {option.name: option.default for option in OPTIONS}
        self._play: Any = None
        self._request: tuple[str | None, tuple[str, ...]] = (None, ())
        self._hit = threading.Event()  # ponderhit: the clock runs now
        self._thinker: Any = None
        self._before: Any = None  # who thinks as long as the thinker with other options is not ready
        self._made_with: tuple[Any, ...] = ()
        self._lag = Lag()

    def limit(self, level: str) -> None:
        """Play at a level."""
        from outplay.players.levels import level as level_of

        rating = level_of(level).rating
        self.options["UCI_LimitStrength"] = rating is not None
        if rating is not None:
            self.options["UCI_Elo"] = rating

    def complain(self, problem: str) -> None:
        """Tell what is wrong."""
        self.say(f"info string {problem}")

    def hears(self, line: str) -> bool:
        """Every line is answered while it thinks; those that begin something new end that first."""
        self.answer(line)
        return True

    def quits(self, line: str) -> bool:
        """Whether the first known word says so."""
        return protocol.parse_command(line)[0] == "quit"

    def answer(self, line: str) -> None:
        """Answer one line."""
        with self.telling():
            command, words = protocol.parse_command(line)
            if command:
                getattr(self, f"_on_{command}")(words)
            elif words:
                self.complain(f"unknown command {' '.join(words)[:80]!r}")

    # ------------------------------------------------ commands

    def _on_uci(self, words: list[str]) -> None:
        self.say(f"id name Outplay {outplay.__version__}")
        self.say("id author the Outplay authors")
        for option in OPTIONS:
            self.say(option.line())
        self.say("uciok")
        self.thinker()

    def _on_isready(self, words: list[str]) -> None:
        self.say("readyok")

    def _on_debug(self, words: list[str]) -> None:
        pass

    _on_register = _on_quit = _on_debug

    def _on_help(self, words: list[str]) -> None:
        self.complain(f"known commands: {' '.join(protocol.COMMANDS)}")

    def _on_setoption(self, words: list[str]) -> None:
        name, value = protocol.parse_setoption(words)
        option = protocol.find_option(OPTIONS, name)
        read = option.read(value)
        if option.name == "Clear Hash":
            self._on_ucinewgame([])
        else:
            self.options[option.name] = read

    def _on_ucinewgame(self, words: list[str]) -> None:
        self.halt()
        if self._play is not None and self._thinker is not None:
            self._thinker.begin(self._play.start)

    def _on_position(self, words: list[str]) -> None:
        self.halt()
        fen, moves = protocol.parse_position(words)
        known = len(self._request[1])
        goes_on = self._play is not None and self._request == (fen, moves[:known]) and len(self._play.plies) == known
        self._request = (fen, moves)
        if not goes_on or self._play.game is not self.game():
            self._play = self._begun(fen)
        self._follow(moves)

    def _begun(self, fen: str | None) -> Any:
        from outplay.playing import Play

        return Play(self.game(), start="startpos" if fen is None else fen, arbiter=False)  # the GUI declares draws

    def _follow(self, moves: tuple[str, ...]) -> None:
        """The moves that the game has not seen yet; at one that cannot be read it stops and says so."""
        from outplay.games.chess.notation import read_move

        for text in moves[len(self._play.plies) :]:
            position = self._play.position
            try:
                self._play.push(read_move(position.game.record(position.state), text, position.moves()))
            except OutplayError as problem:
                self.complain(str(problem))
                break

    def _game_so_far(self) -> Any:
        if self._play is None:
            self._play = self._begun(self._request[0])
            self._follow(self._request[1])
        return self._play

    def _on_go(self, words: list[str]) -> None:
        self.halt()
        go = protocol.parse_go(words)
        positions = self._game_so_far().positions
        self._hit = hit = threading.Event()
        if go.perft is not None:
            self.go(lambda stop: self._count(go.perft or 0, positions[-1], stop))
        else:
            self.thinker()
            self.go(lambda stop: self._think(go, positions, stop, hit))

    def _on_stop(self, words: list[str]) -> None:
        self.halt()

    def _on_ponderhit(self, words: list[str]) -> None:
        self._hit.set()

    def _on_d(self, words: list[str]) -> None:
        from outplay.views import text

        position = self._game_so_far().position
        for line in text.board(position.picture()).splitlines():
            self.say(line)
        self.say(f"Fen: {position.text()}")

    def _on_eval(self, words: list[str]) -> None:
        position = self._game_so_far().position
        self.complain(f"evaluation {position.evaluate(position.player()):.0f} points for the player to move")

    def _on_bench(self, words: list[str]) -> None:
        self.answer("position startpos")
        self.answer("go depth 10")

    # ------------------------------------------------ who thinks

    def game(self) -> Any:
        """The game of the moment: chess or Chess960, in plain Python until all is compiled, so that no command waits."""
        from outplay.game import load

        parameters = {"start": 0} if self.options["UCI_Chess960"] else {}
        plain = load("chess", compiled=False, **parameters)
        is_ready = self._thinker is not None and self._thinker.is_ready(plain)
        return load("chess", compiled=True, **parameters) if is_ready else plain

    def thinker(self) -> Any:
        """The player with the options as they are now; it keeps its table while they stay the same. It gets ready meanwhile."""
        from outplay.players.levels import Level
        from outplay.players.prepared import Prepared
        from outplay.players.searcher import Searcher

        game = self.game()
        memory, threads, tables = wanted = tuple(self.options[name] for name in ("Hash", "Threads", "SyzygyPath"))
        book = self.options["BookFile"] if self.options["OwnBook"] else ""
        if wanted != self._made_with:
            if self._thinker is not None and self._thinker.is_ready(game):
                self._before = self._thinker
            self._thinker = Searcher("engine", memory=memory, threads=threads, seed=time.time_ns() % 2**32)
            self._made_with = wanted
        if (self._thinker.prepared.book, self._thinker.prepared.tables) != (book, tables):
            self._thinker.prepared = Prepared(book, tables, self.complain)
        self._thinker.level = Level(self.options["UCI_Elo"] if self.options["UCI_LimitStrength"] else None)
        self._thinker.warm(game.start(), self.complain)
        return self._thinker

    # ------------------------------------------------ from a `go` to a move

    def _think(self, go: Go, positions: list[Any], stop: threading.Event, hit: threading.Event) -> None:
        """From a `go` to its `bestmove`: a legal move, whatever went wrong, where there is one."""
        best: tuple[str | None, str | None] = (None, None)
        started = time.perf_counter()
        try:
            best = self._chosen(go, positions, stop, hit)
        except Exception as problem:
            kind = "" if isinstance(problem, OutplayError) else f"internal error: {type(problem).__name__}: "
            self.complain(f"{kind}{' '.join(str(problem).split())}")
            with contextlib.suppress(Exception):
                best = (positions[-1].action_text(positions[-1].moves()[0]), None)
        self._lag.moved(len(positions), time.perf_counter() - started)
        if go.infinite or (go.ponder and not hit.is_set()):  # the protocol: no answer before it is asked for
            while not stop.is_set() and not (go.ponder and hit.is_set()):
                stop.wait(0.005)
        self.say(protocol.bestmove(*best))

    def _chosen(self, go: Go, positions: list[Any], stop: threading.Event, hit: threading.Event) -> tuple[str | None, str | None]:
        from outplay.players.glance import glance
        from outplay.values import Limits

        position = positions[-1]
        allowed = self._allowed(go, position)
        if not allowed:
            self.say(f"info depth 0 score {'mate 0' if any(position.utilities()) else protocol.score(0, None)}")
            return None, None
        seconds, clock = self._time(go, position, len(positions))
        if position.is_terminal():  # a dead position has moves, but no search
            return position.action_text(glance(position, allowed)), None
        if go.ponder:
            threading.Thread(target=self._end_ponder, args=(seconds, clock, stop, hit), daemon=True).start()
            seconds, clock = None, None
        thinker, told = self._ready_one(position.game, seconds is None and clock is None, stop), [0]

        def tell(found: Any) -> bool:
            told[0] = self._tell(position, found, told[0])
            is_mate = go.mate is not None and (found.facts.get("distance") or 999) <= 2 * go.mate
            return is_mate or found.depth >= FULL_DEPTH

        thinker.stop = stop
        thinker.seen(positions)
        while True:
            try:
                limits = Limits(depth=go.depth, nodes=go.nodes, seconds=seconds)
                action = thinker.pick(position, limits, tell=tell, actions=allowed, by_heart=not (go.infinite or go.ponder),
                                      clock=clock, lines=self.options["MultiPV"])  # fmt: skip
                break
            except (Unavailable, MemoryError) as problem:
                if thinker.options["memory"] <= 1:
                    raise
                thinker.options["memory"] = max(1, thinker.options["memory"] // 4)
                said = " ".join(str(problem).split()) or "not enough memory"
                self.complain(f"{said}: Hash is {thinker.options['memory']} MB for now")
        if thinker.note:
            self.complain(thinker.note)
        choice = None if thinker.last is None else thinker.last.choice(action)
        line = _texts(position, choice.line[:2]) if choice is not None else []
        return position.action_text(action), line[1] if len(line) > 1 else None

    def _ready_one(self, game: Any, waits: bool, stop: threading.Event) -> Any:
        """The thinker, or the one before it as long as a clock runs and the new one is not ready."""
        thinker, self._before, before = self._thinker, None, self._before
        if before is None or thinker.wait_ready(game, MOST_PATIENCE if waits else 0.0, stop):
            return thinker
        self._before = before
        before.level = thinker.level
        return before

    def _tell(self, position: Any, result: Any, told: int) -> int:
        """The `info` lines of a result, the best first; the depth to which all that were asked for have been told.

        A depth that was interrupted knows fewer lines than asked for, and says nothing new of the others: it is told only where
        one line is all that was asked for.
        """
        most = self.options["MultiPV"]
        sign = (1 if position.player() == 0 else -1) * (position.game.traits.scale if result.unit == "utility" else 1)
        shown = sorted({one.action: one for one in reversed(result.choices)}.values(), key=lambda one: -sign * one.value)[:most]
        if most > 1 and told and (len(shown) < min(most, len(position.actions())) or result.depth <= told):
            return told
        for number, one in enumerate(shown, start=1):
            self.say(protocol.info(
                depth=result.depth, points=sign * one.value, distance=one.distance, nodes=result.nodes,
                seconds=result.seconds, line=_texts(position, one.line or (one.action,)), full=result.facts.get("table_used"),
                number=number if most > 1 else None, selective=result.facts.get("selective_depth"),
            ))  # fmt: skip
        return int(result.depth)

    def _allowed(self, go: Go, position: Any) -> list[Any]:
        """The moves to choose from: `searchmoves` where that names legal ones."""
        from outplay.games.chess.notation import read_move

        named = []
        for text in go.searchmoves:
            with contextlib.suppress(OutplayError):
                named.append(read_move(position.game.record(position.state), text, position.moves()))
        return named or list(position.moves())

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
        while not hit.wait(1.0):
            if stop.is_set():
                return
        if clock is not None:
            seconds = clock.plan().target
        if seconds is not None and not stop.wait(min(seconds, threading.TIMEOUT_MAX)):
            stop.set()

    def _count(self, depth: int, position: Any, stop: threading.Event) -> None:
        """`go perft`: the leaves behind each move."""
        from outplay.engine.perft import perft

        class Halted(Exception):
            pass

        def look_up(nodes: int) -> None:
            if stop.is_set():
                raise Halted

        total = 0
        try:
            for action in position.moves() if depth > 0 else ():
                look_up(0)
                after = type(position)(position.game, position.game.result(position.state, action))
                nodes, _ = perft(after, depth - 1, progress=look_up)
                self.say(f"{position.action_text(action)}: {nodes}")
                total += nodes
            self.say(f"\nNodes searched: {total if depth > 0 else 1}\n")
        except Halted:
            self.complain("perft was stopped")


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


def _texts(position: Any, line: Iterable[Any]) -> list[str]:
    """A line of play in UCI's notation."""
    texts = []
    for action in line:
        texts.append(position.action_text(action))
        position = position.result(action)
    return texts
