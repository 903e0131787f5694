"""`outplay nboard`: Othello for boards that speak the protocol of NBoard (Chris Welty, version 2) on standard input and output."""

from __future__ import annotations

import contextlib
import sys
import time as clock
from collections.abc import Callable, Iterable
from typing import Annotated, Any

import typer

from outplay.cli.common import Seconds
from outplay.errors import OutplayError, shorten

SECONDS = 1.0
"""How long a move may take where nobody says."""


def nboard(time: Seconds = None,
           level: Annotated[str, typer.Option("--level", metavar="LEVEL", help="How well to play: beginner to full.")] = "full",
           ) -> None:
    """Play Othello for a board that speaks the NBoard protocol on standard input and output."""
    from outplay.cli.progress import Interrupts

    session = Session(time or SECONDS, level)
    with contextlib.suppress(AttributeError, ValueError):
        sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]  # as in uci
    with Interrupts() as interrupts:
        session.thinker.stop = interrupts.event
        run(session, sys.stdin, lambda text: print(text, flush=True))


def run(session: Session, lines: Iterable[str], say: Callable[[str], object]) -> None:
    """Answer line after line until `quit` or the end of the input."""
    for line in lines:
        words = line.split()
        if not words:
            continue
        if words[0] == "quit":
            return
        try:
            answers = session.answer(words[0], line.strip()[len(words[0]):].strip())
        except OutplayError as problem:
            answers = [f"status {' '.join(str(problem).split())}"]
        except Exception as problem:  # a board must never lose its engine over one line
            answers = [f"status internal error: {type(problem).__name__}: {' '.join(str(problem).split())[:200]}"]
        if session.thinker.stop is not None and session.thinker.stop.is_set():
            raise KeyboardInterrupt  # a search that heard Ctrl-C ends with its best so far
        for answer in answers:
            say(answer)


class Session:
    """One board: the position, and the player who thinks about it."""

    def __init__(self, seconds: float, level: str = "full") -> None:
        from outplay.game import load
        from outplay.players import Searcher

        self.game: Any = load("othello")
        self.position = self.game.start()
        self.seconds, self.depth = seconds, 60
        self.thinker = Searcher("auto", level=level)

    def answer(self, word: str, rest: str) -> list[str]:
        """The lines that answer a command; what the protocol does not know is passed over, as it asks."""
        from outplay.errors import BadNotation

        if word == "nboard":
            return ["set myname Outplay"]
        if word == "ping":
            return [f"pong {rest}"]
        if word == "set":
            self._set(*rest.partition(" ")[::2])
        elif word == "move":
            move = rest.partition("/")[0]
            if not move:
                raise BadNotation("expected a move such as F5, got none")
            self.position = self.position.play("pass" if move.upper().startswith("PA") else move.lower())
        elif word == "go":
            return self._go()
        elif word == "hint":
            return self._hint()
        elif word == "learn":
            return ["learned"]
        return []

    def _set(self, name: str, value: str) -> None:
        from outplay.errors import BadValue
        from outplay.knowledge.othello import read_ggf

        if name == "game":
            self.position = self.game.position(read_ggf(value)[0].positions()[-1].text())
        elif name == "depth":
            if not value.strip().isdecimal() or len(value) > 9 or int(value) < 1:
                raise BadValue(f"depth must be a whole number from 1, got {shorten(value)!r}")
            self.depth = int(value)

    def _think(self) -> tuple[str, float, Any, float]:
        """The move, its value in discs to the player to move, the result behind it, and the seconds."""
        from outplay.values import Limits

        began = clock.perf_counter()
        limits = Limits(seconds=self.seconds) if self.depth >= 60 else Limits(depth=self.depth, seconds=self.seconds)
        action = self.thinker.choose(self.position, limits)
        found = self.thinker.last
        value = 0.0
        if found is not None:
            value = float(found.in_utilities()) * (1 if self.position.player() == 0 else -1)  # type: ignore[arg-type]  # one number
        return _written(self.position, action), value, found, clock.perf_counter() - began

    def _go(self) -> list[str]:
        if self.position.is_terminal():
            return ["status the game is over"]
        move, value, found, seconds = self._think()
        nodes = [] if found is None else [f"nodestats {found.nodes} {seconds:.2f}"]
        return ["status Outplay is thinking", *nodes, f"=== {move}/{value:.2f}/{seconds:.2f}", "status"]

    def _hint(self) -> list[str]:
        if self.position.is_terminal():
            return ["status the game is over"]
        move, value, found, _ = self._think()
        position, line = self.position, []
        for action in (found.line if found is not None else ()):
            line.append(_written(position, action))
            position = position.result(action)
        return [f"search {''.join(line) or move} {value:.2f} 0 {found.depth if found is not None else 0}", "status"]


def _written(position: Any, action: Any) -> str:
    text = position.action_text(action)
    return "PA" if text == "pass" else text.upper()
