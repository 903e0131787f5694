"""One way to write a game, a search or a player with its options: `name:key=value,key=value`.

>>> parse("mcts:exploration=1.0,selection=sampled")
Name(base='mcts', part='', options={'exploration': '1.0', 'selection': 'sampled'})
>>> parse("engine:pvs,depth=8").part                                # what stands first without a key belongs to the name
'pvs'
>>> parse("tree:tree=[[3,12,8],[2,4,6]]").options["tree"]           # a comma ends a value only before the next key
'[[3,12,8],[2,4,6]]'
>>> parse("spiel:start_at(history=0;1,game=hex(board_size=3))").part  # and never within round brackets
'start_at(history=0;1,game=hex(board_size=3))'

What an option may be is stated once, by an `Option`; every door reads, lists and refuses by it:

>>> width = Option("width", "whole", 5, "how many actions of a node are looked at", least=1)
>>> width.read("3"), width.range_in_words()
(3, 'whole number from 1')
>>> width.read("x")
Traceback (most recent call last):
outplay.errors.BadValue: width must be a whole number from 1, got 'x'
"""

from __future__ import annotations

import functools
import inspect
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from outplay.errors import BadValue, UnknownName, nearest, shorten

YES, NO = ("yes", "true", "on", "1"), ("no", "false", "off", "0")
LIMIT_WORDS = ("depth", "time", "nodes", "simulations")
"""What limits a search stands among its options."""
MOST_DIGITS = 40
"""Numbers with more figures than this mean nothing here."""


class Name(NamedTuple):
    """A name with its options, as it was written."""

    base: str
    part: str
    options: dict[str, str]

    def __str__(self) -> str:
        rest = [self.part] * bool(self.part) + [f"{key}={value}" for key, value in self.options.items()]
        return self.base + (":" + ",".join(rest) if rest else "")


def family(game: str) -> str:
    """The name of a game without its parameters.

    >>> family("chess:start=518"), family("nim")
    ('chess', 'nim')
    """
    return game.partition(":")[0]


def parse(text: str, kind: str = "name") -> Name:
    """The parts of `base:part,key=value,key=value`; an author's file such as `games/mine.py:size=5` is a base, too."""
    if not isinstance(text, str):  # such as limits where the name belongs
        raise BadValue(f"{kind} must be a text such as 'name:key=value', got {shorten(repr(text))}")
    text = text.strip()
    file = re.match(r"(.*?\.py)(?::|$)", text, re.DOTALL)
    base, rest = (file[1], text[file.end() :]) if file else text.partition(":")[::2]
    pieces: list[str] = []
    for piece in re.split(r",(?=\s*[A-Za-z_][\w-]*\s*=)", rest) if rest.strip() else []:
        if pieces and pieces[-1].count("(") > pieces[-1].count(")"):  # keys within brackets are the value's own
            pieces[-1] += "," + piece
        else:
            pieces.append(piece)
    part = ""
    if pieces and not re.match(r"\s*[A-Za-z_][\w-]*\s*=", pieces[0]):
        part = pieces.pop(0).strip()
    options: dict[str, str] = {}
    for piece in pieces:
        key, _, value = piece.partition("=")
        if key.strip() in options:
            raise BadValue(f"{kind} {shorten(text)!r}: {key.strip()} is given twice")
        options[key.strip()] = value.strip()
    return Name(base.strip(), part, options)


@functools.lru_cache(maxsize=4096)
def plain(name: str) -> str:
    """A name without what people spell differently: case, blanks, hyphens.

    >>> plain("Connect-Four") == plain("connect four")
    True
    """
    return re.sub(r"[\W_]+", "", name.lower())


def find(kind: str, name: str, known: Iterable[str]) -> str:
    """The known name that is meant, or the nearest right word.

    >>> find("game", "connect-four", ["connect four"])
    'connect four'
    """
    known = list(known)
    wanted = plain(name)
    for candidate in known:
        if plain(candidate) == wanted:
            return candidate
    raise UnknownName(kind, name, known)


@dataclass(frozen=True)
class Option:
    """One thing that can be set: what it may be, what it is otherwise, and what it does."""

    name: str
    kind: str  # "whole", "number", "switch", "word", "pair", "text" or "function" (which only Python can give)
    default: Any
    help: str
    least: float | None = None
    most: float | None = None
    words: tuple[str, ...] = ()
    also: str = ""  # a second name: the letter that the lectures use

    def range_in_words(self) -> str:
        """What the option may be.

        >>> Option("skill", "number", 0.5, "", least=0, most=1).range_in_words()
        'number from 0 to 1'
        """
        if self.kind in ("whole", "number"):
            kind = "whole number" if self.kind == "whole" else "number"
            if self.least is not None and self.most is not None:
                return f"{kind} from {self.least:g} to {self.most:g}"
            return kind if self.least is None else f"{kind} from {self.least:g}"
        if self.kind == "function":
            named = ", ".join(self.words)
            return f"a function, from Python{'; or ' + named if named else ''}"
        return {"switch": "yes or no", "pair": "two numbers as a..b", "text": "a text"}.get(self.kind, " or ".join(self.words))

    def read(self, value: Any) -> Any:
        """The value that is meant, from a text or from Python; whatever cannot be is refused in one line."""
        if value is None and self.default is None:
            return None
        if self.kind == "function":
            if not isinstance(value, str) or value in self.words:
                return value
            if self.words:
                raise UnknownName(self.name, value, self.words)
            raise BadValue(f"{self.name} must be a function, which only Python can give, got {shorten(value)!r}")
        if self.kind == "word":
            if isinstance(value, str) and plain(value) in map(plain, self.words):
                return next(word for word in self.words if plain(word) == plain(value))
            raise UnknownName(self.name, str(value), self.words)
        found = value if not isinstance(value, str) else self._from_text(value)
        is_right = {
            "whole": isinstance(found, int) and not isinstance(found, bool),
            "number": isinstance(found, int | float) and not isinstance(found, bool) and math.isfinite(found),
            "switch": isinstance(found, bool),
            "pair": isinstance(found, tuple) and len(found) == 2,
            "text": True,
        }[self.kind]
        if is_right and self.kind in ("whole", "number"):
            is_right = (self.least is None or found >= self.least) and (self.most is None or found <= self.most)
        if not is_right:
            article = "" if self.kind in ("switch", "pair", "text") else "a "
            raise BadValue(f"{self.name} must be {article}{self.range_in_words()}, got {shorten(str(value))!r}")
        return float(found) if self.kind == "number" else found

    def _from_text(self, text: str) -> Any:
        word = text.strip().lower()
        if self.kind == "switch":
            return True if word in YES else False if word in NO else None
        if self.kind == "pair":
            low, dots, high = word.partition("..")
            ends = number(low), number(high)
            return None if not dots or None in ends else ends
        if self.kind == "text":
            return text
        found = number(word)
        if self.kind == "whole" and isinstance(found, float) and found.is_integer():
            return int(found)
        return found


def number(text: str) -> int | float | None:
    """A number of ordinary size from a text, else None.

    >>> number("3"), number("1e6"), number("2.5"), number("1_000"), number("9" * 5000), number("nan")
    (3, 1000000.0, 2.5, None, None, None)
    """
    word = text.strip()
    if len(word) > MOST_DIGITS or not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?", word, re.ASCII):
        return None
    if re.fullmatch(r"[+-]?\d+", word):
        return int(word)
    found = float(word)
    return found if math.isfinite(found) else None


def read_options(owner: str, given: Mapping[str, Any], known: Iterable[Option]) -> dict[str, Any]:
    """Options by their own names, each read as it says; an unknown one is told with the nearest right word.

    >>> read_options("beam", {"widht": "3"}, [Option("width", "whole", 5, "")])
    Traceback (most recent call last):
    outplay.errors.UnknownName: unknown option of beam 'widht': did you mean 'width'?
    """
    known = list(known)
    by_name = {option.name: option for option in known} | {option.also: option for option in known if option.also}
    found = {}
    for key, value in given.items():
        option = by_name.get(key) or by_name.get(key.replace("-", "_"))
        if option is None:
            raise UnknownName(f"option of {owner}", key, by_name if nearest(key, by_name) else [*by_name, *LIMIT_WORDS])
        found[option.name] = option.read(value)
    return found


def options_of(making: Any) -> tuple[Option, ...]:
    """The options of a class or function: its keyword arguments with their defaults, or what its attribute `OPTIONS` lists.

    >>> def player(*, depth: int = 3, greedy: bool = False): ...
    >>> [(option.name, option.kind, option.default) for option in options_of(player)]
    [('depth', 'whole', 3), ('greedy', 'switch', False)]
    """
    listed = getattr(making, "OPTIONS", None)
    if listed is not None:
        return tuple(listed)
    kinds = {bool: "switch", int: "whole", float: "number"}
    return tuple(
        Option(each.name, kinds.get(type(each.default), "text"), each.default, "")
        for each in inspect.signature(making).parameters.values()
        if each.kind in (each.KEYWORD_ONLY, each.POSITIONAL_OR_KEYWORD) and each.default is not each.empty
    )
