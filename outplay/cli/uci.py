"""`outplay uci`: chess for graphical boards and match runners, over standard input and output.

This module is the dialogue: lines are read in one thread and a search runs in another, so that `isready` and `stop` are answered at
any moment. `uci_thinker.py` is the player behind it: what compiles, thinks, keeps time and knows books, tables and levels.
"""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterable
from typing import Annotated, Any

import typer

import outplay
from outplay.cli.uci_thinker import Thinker
from outplay.errors import OutplayError
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

LEVELS = "beginner, casual, club, strong, master, full"
LevelName = Annotated[str, typer.Option("--level", metavar="LEVEL", help=f"How well to play: {LEVELS}, or a rating.")]
BookFile = Annotated[str, typer.Option("--book", metavar="FILE", help="An opening book.")]
TablesFolder = Annotated[str, typer.Option("--tables", metavar="FOLDER", help="Endgame tables, ours or Syzygy's.")]


def uci(level: LevelName = "full", book: BookFile = "", tables: TablesFolder = "") -> None:
    """Speak UCI on standard input and output, for graphical boards and match runners."""
    loop = Loop(lambda line: print(line, flush=True))
    loop.limit(level)
    loop.options |= {"OwnBook": bool(book), "BookFile": book, "SyzygyPath": tables}
    with contextlib.suppress(AttributeError, ValueError):
        sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]  # a text stream, unless a test gave another
    loop.run(sys.stdin)


class Loop:
    """One conversation: options, the game in progress, and at most one search at a time."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say, self._mouth = say, threading.Lock()
        self.options: dict[str, Any] = {option.name: option.default for option in OPTIONS}
        self.thinker = Thinker(self.options, self.say)
        self._play: Any = None
        self._request: tuple[str | None, tuple[str, ...]] = (None, ())
        self._search: threading.Thread | None = None
        self._stop = threading.Event()
        self._hit = threading.Event()  # ponderhit: the clock runs now

    def say(self, line: str) -> None:
        """One line to the other side, never mixed with another thread's."""
        with self._mouth:
            self._say(line)

    def limit(self, level: str) -> None:
        """Play at a level."""
        from outplay.players.levels import level as level_of

        rating = level_of(level).rating
        self.options["UCI_LimitStrength"] = rating is not None
        if rating is not None:
            self.options["UCI_Elo"] = rating

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
        self.thinker.warm()

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
            self.thinker.clear()
            return
        self.options[option.name] = read

    def _on_ucinewgame(self, words: list[str]) -> None:
        self.halt()
        self.thinker.clear()

    def _on_position(self, words: list[str]) -> None:
        self.halt()
        fen, moves = protocol.parse_position(words)
        known = len(self._request[1])
        goes_on = self._play is not None and self._request == (fen, moves[:known]) and len(self._play.plies) == known
        self._request = (fen, moves)
        if not goes_on or self._play.game is not self.thinker.game():
            self._play = self._begun(fen)
        self._follow(moves)

    def _begun(self, fen: str | None) -> Any:
        from outplay.playing import Play

        return Play(self.thinker.game(), start="startpos" if fen is None else fen, arbiter=False)  # the GUI declares draws

    def _follow(self, moves: tuple[str, ...]) -> None:
        """The moves that the game has not seen yet; at one that cannot be read it stops and says so."""
        from outplay.games.chess.notation import read_move

        for text in moves[len(self._play.plies) :]:
            position = self._play.position
            try:
                self._play.push(read_move(position.game.record(position.state), text, position.moves()))
            except OutplayError as problem:
                self.say(f"info string {problem}")
                break

    def _game_so_far(self) -> Any:
        if self._play is None:
            self._play = self._begun(self._request[0])
            self._follow(self._request[1])
        return self._play

    def _on_go(self, words: list[str]) -> None:
        self.halt()
        self.thinker.warm()
        go = protocol.parse_go(words)
        positions = self._game_so_far().positions
        self._stop, self._hit = threading.Event(), threading.Event()
        work = self._count if go.perft is not None else self._think
        self._search = threading.Thread(target=work, args=(go, positions, self._stop, self._hit), daemon=True)
        self._search.start()

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
        self.say(f"info string evaluation {position.evaluate(position.player()):.0f} points for the player to move")

    def _on_bench(self, words: list[str]) -> None:
        self.answer("position startpos")
        self.answer("go depth 10")

    # ------------------------------------------------ the search thread

    def halt(self) -> None:
        """End the search, which then says its best move."""
        self._stop.set()
        self._hit.set()
        if self._search is not None:
            self._search.join()
            self._search = None

    def _think(self, go: Go, positions: list[Any], stop: threading.Event, hit: threading.Event) -> None:
        """From a `go` to its `bestmove`: a legal move, whatever went wrong, where there is one."""
        best: tuple[str | None, str | None] = (None, None)
        try:
            best = self.thinker.choose(go, positions, stop, hit)
        except Exception as problem:
            kind = "" if isinstance(problem, OutplayError) else f"internal error: {type(problem).__name__}: "
            self.say(f"info string {kind}{' '.join(str(problem).split())}")
            with contextlib.suppress(Exception):
                best = (positions[-1].action_text(positions[-1].moves()[0]), None)
        if go.infinite or (go.ponder and not hit.is_set()):  # the protocol: no answer before it is asked for
            while not stop.is_set() and not (go.ponder and hit.is_set()):
                stop.wait(0.005)
        self.say(protocol.bestmove(*best))

    def _count(self, go: Go, positions: list[Any], stop: threading.Event, hit: threading.Event) -> None:
        """`go perft`: the leaves behind each move."""
        from outplay.engine.perft import perft

        class Halted(Exception):
            pass

        def look_up(nodes: int) -> None:
            if stop.is_set():
                raise Halted

        position, total, depth = positions[-1], 0, go.perft or 0
        try:
            for action in position.moves() if depth > 0 else ():
                look_up(0)
                after = type(position)(position.game, position.game.result(position.state, action))
                nodes, _ = perft(after, depth - 1, progress=look_up)
                self.say(f"{position.action_text(action)}: {nodes}")
                total += nodes
            self.say(f"\nNodes searched: {total if depth > 0 else 1}\n")
        except Halted:
            self.say("info string perft was stopped")
        except OutplayError as problem:
            self.say(f"info string {problem}")
