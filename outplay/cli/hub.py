"""`outplay hub`: checkers for graphical boards and match runners, by the Hub protocol over standard input and output."""

from __future__ import annotations

import contextlib
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Any

import typer

import outplay
from outplay.cli.common import Threads, at_least
from outplay.errors import BadValue, OutplayError
from outplay.protocols import hub as protocol

SECONDS = 1.0
"""How long a move may take where the other side sets no limit."""
NAMES = {"normal": "international", "international": "international"}

Variant = Annotated[str, typer.Option("--variant", metavar="V", help="Which relative: english, international, russian, ….")]
Tables = Annotated[str, typer.Option("--tables", metavar="FOLDER", help="Endgame tables to play by.")]


def hub(variant: Variant = "international", threads: Threads = 1, tables: Tables = "") -> None:
    """Speak the Hub protocol on standard input and output, for draughts boards and match runners."""
    at_least("--threads", 1, threads)
    from outplay.cli.progress import Interrupts

    session = Session(NAMES.get(variant, variant), threads, tables)
    with contextlib.suppress(AttributeError, ValueError):
        sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]  # as in uci
    with Interrupts() as interrupts:
        session.interrupted = interrupts.event
        run(session, sys.stdin, lambda text: print(text, flush=True))


def run(session: Session, lines: Iterable[str], say: Callable[[str], object]) -> None:
    """Answer until `quit` or the end of the input; a search hears `stop` and `ping` while it goes on."""
    waiting: queue.Queue[str | None] = queue.Queue()

    def listen() -> None:
        try:
            for text in lines:
                waiting.put(text)
        finally:
            waiting.put(None)

    threading.Thread(target=listen, daemon=True).start()
    session.say, session.waiting = say, waiting
    while (text := session.next_line()) is not None:
        line = protocol.parse(text)
        if line is None:
            continue
        if line.name == "quit":
            return
        try:
            session.answer(line)
        except OutplayError as problem:
            say(protocol.line("error", message=" ".join(str(problem).split())))
        except Exception as problem:  # a board must never lose its engine over one line
            said = f"internal error: {type(problem).__name__}: {' '.join(str(problem).split())[:200]}"
            say(protocol.line("error", message=said))


class Session:
    """One board and one player."""

    def __init__(self, variant: str, threads: int = 1, tables: str = "") -> None:
        from outplay.players.prepared import Prepared

        self.threads, self.prepared = threads, Prepared(tables=tables)
        self.limits: dict[str, Any] = {}
        self.say: Callable[[str], object] = print
        self.waiting: queue.Queue[str | None] = queue.Queue()
        self.kept: list[str | None] = []
        self.interrupted = threading.Event()  # by Ctrl-C, which a search ends at with its best so far
        self.set_variant(variant)

    def set_variant(self, name: str) -> None:
        """Play this relative from now on."""
        from outplay.game import load

        self.variant = NAMES.get(name, name)
        self.game: Any = load("checkers" if self.variant == "english" else f"checkers:variant={self.variant}")
        self.position = self.game.start()

    def next_line(self) -> str | None:
        """The next line: first those that came while a search went on."""
        return self.kept.pop(0) if self.kept else self.waiting.get()

    def answer(self, line: protocol.Line) -> None:
        """Do what a line asks."""
        handler = getattr(self, "do_" + line.name.replace("-", "_"), None)
        if handler is None:
            raise BadValue(f"unknown command {line.name!r}")
        handler(line.pairs)

    def do_hub(self, pairs: dict[str, str]) -> None:
        """The greeting: who we are, and what can be set."""
        from outplay.games.checkers import VARIANTS

        self.say(protocol.line("id", name="Outplay", version=outplay.__version__, author="the authors of Outplay"))
        values = " ".join(["normal", *(name for name in VARIANTS if name != "international")])
        current = "normal" if self.variant == "international" else self.variant
        self.say(protocol.line("param", name="variant", value=current, type="enum", values=values))
        self.say(protocol.line("param", name="threads", value=self.threads, type="int", min=1, max=64))
        self.say("wait")

    def do_set_param(self, pairs: dict[str, str]) -> None:
        """Set one parameter."""
        name, value = pairs.get("name", ""), pairs.get("value", "")
        if name == "variant":
            self.set_variant(value)
        elif name == "threads" and value.isdecimal() and int(value) > 0:
            self.threads = int(value)
        elif name in ("book", "bb-size", "book-ply", "book-margin", "ponder", "tt-size"):
            pass  # parameters of other engines that boards set without asking
        else:
            raise BadValue(f"no parameter {name!r} with the value {value!r}")

    def do_init(self, pairs: dict[str, str]) -> None:
        """Get ready."""
        self.say("ready")

    def do_ping(self, pairs: dict[str, str]) -> None:
        """Say that we are there."""
        self.say("pong")

    def do_new_game(self, pairs: dict[str, str]) -> None:
        """Another game begins."""
        self.position, self.limits = self.game.start(), {}

    def do_stop(self, pairs: dict[str, str]) -> None:
        """Nothing goes on that could be stopped."""

    def do_ponder_hit(self, pairs: dict[str, str]) -> None:
        """We do not think on the other's time."""

    def do_pos(self, pairs: dict[str, str]) -> None:
        """Set the board up, and play moves on it."""
        squares = 50 if self.variant == "international" else 32
        given = pairs.get("pos") or pairs.get("start", "")
        position = self.game.position(protocol.read_position(given, squares)) if given else self.game.start()
        for move in pairs.get("moves", "").split():
            position = position.result(position.parse_action(move))
        self.position = position

    def do_level(self, pairs: dict[str, str]) -> None:
        """How long to think."""
        limits: dict[str, Any] = {}
        try:
            if "move-time" in pairs:
                limits["seconds"] = float(pairs["move-time"])
            elif "time" in pairs:
                limits["seconds"] = float(pairs["time"]) / (float(pairs.get("moves") or 25) + 2) + float(pairs.get("inc") or 0) / 2
            if "depth" in pairs:
                limits["depth"] = int(pairs["depth"])
            if "nodes" in pairs:
                limits["nodes"] = int(pairs["nodes"])
        except ValueError:
            raise BadValue(f"level: expected numbers, got {pairs}") from None
        self.limits = limits

    def do_go(self, pairs: dict[str, str]) -> None:
        """Think, tell, and say the move; `stop` ends it, other lines wait, `ping` is answered."""
        import random

        from outplay.values import Limits

        position = self.position
        if not position.actions():
            raise BadValue("the game is over: there is no move")
        known = self.prepared.action(position, random.Random(0))
        if known is not None and "analyze" not in pairs:
            self.say(protocol.line("done", move=self.hub_text(position, known)))
            return
        given = self.limits or {"seconds": SECONDS}
        limits = Limits(**given) if "analyze" not in pairs else Limits(seconds=86400.0)
        started, best, follow = time.perf_counter(), position.actions()[0], ""
        for result in self.search(position, limits):
            line = tuple(result.line or ())
            if line:
                best = line[0]
                texts, at = [], position
                for action in line:
                    texts.append(self.hub_text(at, action))
                    at = at.result(action)
                follow = texts[1] if len(texts) > 1 else ""
                first: Any = result.value
                value = float(first or 0.0) / 100 * (1 if position.player() == 0 else -1)
                self.say(protocol.line("info", depth=result.depth or 0, score=f"{value:.2f}", nodes=result.nodes,
                                       time=f"{time.perf_counter() - started:.2f}", pv=" ".join(texts)))  # fmt: skip
        if self.interrupted.is_set():
            raise KeyboardInterrupt
        pair = {"ponder": follow} if follow else {}
        self.say(protocol.line("done", move=self.hub_text(position, best), **pair))

    def search(self, position: Any, limits: Any) -> Iterator[Any]:
        """The results of a search, which ends when `stop` comes, whatever depth it is in."""
        stop, over = threading.Event(), threading.Event()

        def hear() -> None:
            while not over.is_set() and not stop.is_set():
                if self.interrupted.is_set() or self.is_stopped():
                    stop.set()

        listener = threading.Thread(target=hear, daemon=True)
        listener.start()
        try:
            more = {"endgame": self.prepared.in_search(self.game)} if self.prepared.tables else {}
            yield from outplay.search(position, "engine:pvs", limits=limits, stop=stop, **more)
        finally:
            over.set()
            listener.join()

    def is_stopped(self) -> bool:
        """Wait a moment for the next line: whether it is `stop` or the end; others are kept for later, and `ping` is answered."""
        try:
            text = self.waiting.get(timeout=0.01)
        except queue.Empty:
            return False
        word = "quit" if text is None else (text.split() or [""])[0]
        if word == "ping":
            self.say("pong")
        elif word != "stop":
            self.kept.append(text)
        return word in ("stop", "quit")

    def hub_text(self, position: Any, action: Any) -> str:
        """A move as Hub writes it."""
        state = self.game.record(position.state)
        return state.words().write_hub(state, int(action))
