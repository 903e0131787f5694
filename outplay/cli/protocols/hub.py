"""`outplay hub`: checkers for graphical boards and match runners, by the Hub protocol over standard input and output."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Annotated, Any

import outplay
from outplay.cli.commands import Option
from outplay.cli.common import Threads, at_least
from outplay.cli.protocols.loop import Dialect, serve
from outplay.errors import BadValue
from outplay.protocols import hub as protocol

SECONDS = 1.0
"""How long a move may take where the other side sets no limit."""
NAMES = {"normal": "international", "international": "international"}

Variant = Annotated[str, Option("--variant", metavar="V", help="Which relative: english, international, russian, ….")]
Tables = Annotated[str, Option("--tables", metavar="FOLDER", help="Endgame tables to play by.")]


def hub(variant: Variant = "international", threads: Threads = 1, tables: Tables = "") -> None:
    """Speak the Hub protocol on standard input and output, for draughts boards and match runners."""
    at_least("--threads", 1, threads)
    serve(Hub(lambda text: print(text, flush=True), variant, threads, tables, warms=True))


class Hub(Dialect):
    """One board and one player. While it thinks, `stop` and `ping` are heard; other lines wait."""

    def __init__(self, say: Callable[[str], object], variant: str = "international", threads: int = 1, tables: str = "",
                 warms: bool = False) -> None:
        super().__init__(say)
        self.threads, self.tables, self.warms = threads, tables, warms
        self.limits: dict[str, Any] = {}
        self.set_variant(variant)

    def complain(self, problem: str) -> None:
        """Tell what is wrong."""
        self.say(protocol.line("error", message=problem))

    def hears(self, text: str) -> bool:
        """`stop` ends the search that goes on, and `ping` is answered at any time."""
        line = protocol.parse(text)
        name = "" if line is None else line.name
        if name == "stop":
            self.stop_all()
        elif name == "ping":
            self.say("pong")
        return name in ("stop", "ping")

    def set_variant(self, name: str) -> None:
        """Play this relative from now on."""
        from outplay.game import load
        from outplay.playing import Play

        self.variant = NAMES.get(name, name)
        self.game: Any = load("checkers" if self.variant == "english" else f"checkers:variant={self.variant}")
        self.play = Play(self.game, arbiter=False)  # the board declares draws
        self._seat()

    def _seat(self) -> None:
        """Another player, with the options as they are now."""
        from outplay.players.searcher import Searcher

        self.thinker = Searcher("engine:pvs", threads=self.threads, tables=self.tables)
        if self.warms:
            self.thinker.warm(self.game.start(), lambda problem: None)  # the first move that is asked for tells it

    def answer(self, text: str) -> None:
        """Do what a line asks."""
        line = protocol.parse(text)
        if line is not None:
            handler = getattr(self, "do_" + line.name.replace("-", "_"), None)
            if handler is None:
                raise BadValue(f"unknown command {line.name!r}")
            handler(line.pairs)

    def do_quit(self, pairs: dict[str, str]) -> None:
        """The dialogue ends behind this."""

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
            self._seat()
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
        self.do_pos({})
        self.thinker.begin(self.play.start)
        self.limits = {}

    def do_stop(self, pairs: dict[str, str]) -> None:
        """Nothing goes on that could be stopped."""

    def do_ponder_hit(self, pairs: dict[str, str]) -> None:
        """We do not think on the other's time."""

    def do_pos(self, pairs: dict[str, str]) -> None:
        """Set the board up, and play moves on it."""
        from outplay.playing import Play

        squares = 50 if self.variant == "international" else 32
        given = pairs.get("pos") or pairs.get("start", "")
        start = self.game.position(protocol.read_position(given, squares)) if given else self.game.start()
        play = Play(self.game, start=start, arbiter=False)
        for move in pairs.get("moves", "").split():
            play.push(move)
        self.play = play

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
        """Think, tell, and say the move."""
        from outplay.values import Limits

        if not self.play.position.moves():
            raise BadValue("the game is over: there is no move")
        analyzes = "analyze" in pairs
        limits = Limits(**({"seconds": 86400.0} if analyzes else self.limits or {"seconds": SECONDS}))
        self.go(lambda stop: self._think(limits, analyzes, stop))

    def _think(self, limits: Any, analyzes: bool, stop: threading.Event) -> None:
        play, thinker, started = self.play, self.thinker, time.perf_counter()
        position = play.position
        thinker.stop = stop
        thinker.seen(play.positions)

        def tell(found: Any) -> bool:
            if texts := self._texts(found.line):
                value = float(found.value) * (position.game.traits.scale if found.unit == "utility" else 1.0)
                self.say(protocol.line("info", depth=found.depth or 0, nodes=found.nodes, pv=" ".join(texts),
                                       score=f"{value / 100 * (1 if position.player() == 0 else -1):.2f}",
                                       time=f"{time.perf_counter() - started:.2f}"))  # fmt: skip
            return False

        action = thinker.pick(position, limits, tell=tell, by_heart=not analyzes)
        choice = None if thinker.last is None else thinker.last.choice(action)
        line = self._texts(choice.line[:2] if choice is not None else ())
        self.say(protocol.line("done", move=self.hub_text(position, action), **({"ponder": line[1]} if len(line) > 1 else {})))

    def _texts(self, line: Any) -> list[str]:
        texts, at = [], self.play.position
        for action in line or ():
            texts.append(self.hub_text(at, action))
            at = at.result(action)
        return texts

    def hub_text(self, position: Any, action: Any) -> str:
        """A move as Hub writes it."""
        state = self.game.record(position.state)
        return state.words().write_hub(state, int(action))
