"""UCI, the universal chess interface (Stefan Meyer-Kahlen, 2000): its lines as values, in both directions.

>>> parse_go("wtime 60000 btime 50000 winc 1000 depth 7".split())
Go(depth=7, wtime=60.0, btime=50.0, winc=1.0)
>>> parse_position("startpos moves e2e4 e7e5".split())
(None, ('e2e4', 'e7e5'))
>>> parse_setoption("name Clear Hash".split()), parse_setoption("name Hash value 64".split())
(('Clear Hash', None), ('Hash', '64'))
>>> parse_info("info depth 5 score cp -13 nodes 900 pv e2e4 e7e5")
Info(depth=5, points=-13, mate=None, nodes=900, line=('e2e4', 'e7e5'))

A word that nobody knows is skipped, as the protocol asks; a number that is none counts as not given.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

from outplay.errors import BadValue, UnknownName

COMMANDS = ("uci", "debug", "isready", "setoption", "register", "ucinewgame", "position", "go", "stop", "ponderhit", "quit",
            "d", "eval", "bench", "help")  # fmt: skip


@dataclass(frozen=True, repr=False)
class Go:
    """What `go` asks for; times in seconds."""

    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None
    perft: int | None = None
    movestogo: int | None = None
    movetime: float | None = None
    wtime: float | None = None
    btime: float | None = None
    winc: float = 0.0
    binc: float = 0.0
    infinite: bool = False
    ponder: bool = False
    searchmoves: tuple[str, ...] = ()

    def __repr__(self) -> str:
        given = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if getattr(self, f.name) != f.default)
        return f"Go({given})"


@dataclass(frozen=True)
class Option:
    """One option that a program offers; `kind` is check, spin, combo, button or string."""

    name: str
    kind: str
    default: str | int | bool | None = None
    least: int | None = None
    most: int | None = None

    def line(self) -> str:
        """How the program announces it."""
        text = f"option name {self.name} type {self.kind}"
        if self.kind == "button":
            return text
        default = str(self.default).lower() if isinstance(self.default, bool) else self.default or "<empty>"
        text += f" default {default if self.default != 0 or isinstance(self.default, bool) else 0}"
        return text + (f" min {self.least} max {self.most}" if self.kind == "spin" else "")

    def read(self, value: str | None) -> str | int | bool | None:
        """The value that a GUI's text means."""
        if self.kind == "button":
            return None
        text = (value or "").strip()
        if self.kind == "check":
            if text.lower() not in ("true", "false"):
                raise BadValue(f"option {self.name} must be true or false, got {text!r}")
            return text.lower() == "true"
        if self.kind == "spin":
            assert self.least is not None and self.most is not None
            if not text.removeprefix("-").isdecimal() or not self.least <= int(text) <= self.most:
                raise BadValue(f"option {self.name} must be a whole number from {self.least} to {self.most}, got {text!r}")
            return int(text)
        return "" if text == "<empty>" else text


def find_option(options: Sequence[Option], name: str) -> Option:
    """The option of that name, in any case."""
    for option in options:
        if option.name.lower() == name.lower():
            return option
    raise UnknownName("option", name, [option.name for option in options])


# ---------------------------------------------------------------- what a GUI says


def parse_command(line: str) -> tuple[str, list[str]]:
    """The first known word of a line and the words after it; an empty command where there is none."""
    words = line.split()
    for at, word in enumerate(words):
        if word in COMMANDS:
            return word, words[at + 1 :]
    return "", words


def parse_position(words: Sequence[str]) -> tuple[str | None, tuple[str, ...]]:
    """The FEN (None for the start) and the moves of a `position` command."""
    given, moves = list(words), []
    if "moves" in given:
        at = given.index("moves")
        given, moves = given[:at], given[at + 1 :]
    if given[:1] == ["startpos"]:
        return None, tuple(moves)
    if given[:1] == ["fen"] and len(given) > 1:
        return " ".join(given[1:]), tuple(moves)
    raise BadValue(f"expected position startpos or position fen FEN, got {' '.join(words)!r}")


MOST = 10**12
"""No number on a line counts for more: in milliseconds this is thirty years."""


def _whole(text: str) -> int:
    """A whole number, however many digits somebody wrote.

    >>> _whole("-12"), _whole("9" * 5000)
    (-12, 1000000000000)
    """
    size = min(MOST, int(text.removeprefix("-")[:20]) if len(text) <= 20 else MOST)
    return -size if text.startswith("-") else size


def parse_go(words: Sequence[str]) -> Go:
    """What a `go` command asks for."""
    whole = {"depth", "nodes", "mate", "perft", "movestogo"}
    milliseconds = {"movetime", "wtime", "btime", "winc", "binc"}
    flags = {"infinite", "ponder"}
    found: dict[str, object] = {}
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word in flags:
            found[word] = True
        elif word == "searchmoves":
            end = at
            while end < len(words) and words[end] not in whole | milliseconds | flags:
                end += 1
            found[word] = tuple(words[at:end])
            at = end
        elif word in whole | milliseconds and at < len(words):
            text = words[at]
            if text.removeprefix("-").isdecimal():
                at += 1
                number = max(0, _whole(text))
                found[word] = number if word in whole else number / 1000
    return Go(**found)  # type: ignore[arg-type]  # read above, each by its kind


def parse_setoption(words: Sequence[str]) -> tuple[str, str | None]:
    """The name and the value of a `setoption` command."""
    given = list(words)
    if given[:1] != ["name"]:
        raise BadValue(f"expected setoption name NAME value VALUE, got {' '.join(words)!r}")
    if "value" in given:
        at = given.index("value")
        return " ".join(given[1:at]), " ".join(given[at + 1 :])
    return " ".join(given[1:]), None


# ---------------------------------------------------------------- what an engine says


@dataclass(frozen=True)
class Info:
    """What an `info` line tells; points and mate are for the player to move."""

    depth: int | None = None
    points: int | None = None
    mate: int | None = None
    nodes: int | None = None
    line: tuple[str, ...] = ()


def parse_info(line: str) -> Info:
    """An `info` line of an engine."""
    words = line.split()
    found: dict[str, int | None] = {"depth": None, "cp": None, "mate": None, "nodes": None}
    for at, word in enumerate(words[:-1]):
        if word == "pv":
            break
        if word in found and words[at + 1].removeprefix("-").isdecimal():
            found[word] = _whole(words[at + 1])
    pv = tuple(words[words.index("pv") + 1 :]) if "pv" in words else ()
    return Info(found["depth"], found["cp"], found["mate"], found["nodes"], pv)


def score(points: float, distance: int | None) -> str:
    """A value for the player to move, in points or in moves to mate."""
    if distance is None:
        return f"cp {round(points)}"
    moves = (distance + 1) // 2
    return f"mate {moves if points > 0 else -moves}"


def info(*, depth: int, points: float, distance: int | None, nodes: int, seconds: float, line: Iterable[str],
         number: int | None = None, full: float | None = None, selective: int | None = None) -> str:
    """An `info` line; `number` counts lines from 1 where several are shown, `full` is the used share of the table, `selective` the
    longest line that was looked at, in plies.
    """
    parts = [f"info depth {depth}"]
    if number is not None:
        parts.append(f"multipv {number}")
    speed = round(nodes / max(seconds, 1e-3))
    parts.append(f"score {score(points, distance)} nodes {nodes} nps {speed} time {round(1000 * seconds)}")
    if full is not None:
        parts.append(f"hashfull {round(1000 * full)}")
    if selective is not None:
        parts.append(f"seldepth {selective}")
    return " ".join([*parts, "pv", *line])


def bestmove(move: str | None, ponder: str | None = None) -> str:
    """The answer that ends a search; 0000 where there is no move."""
    return f"bestmove {move or '0000'}" + (f" ponder {ponder}" if ponder else "")
