"""Everything that Outplay raises, as one tree.

    OutplayError
    ├── UnknownName      a game, algorithm, player or parameter that nobody knows, with the nearest right word
    ├── BadValue         a parameter, limit or option outside its range
    ├── BadNotation      a position or an action that cannot be read
    ├── IllegalAction    an action that the rules do not allow here
    ├── RulesError       a game class that breaks the contract, told to its author
    ├── Unsuitable       an algorithm that does not fit the game's traits, with the one that does
    └── Unavailable      something this machine lacks: a GPU, a package, memory

The message is always one line for the person who gave the input: what was expected, what came, the nearest right word.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class OutplayError(Exception):
    r"""Any error of Outplay's own; the command line prints its message and exits with 2.

    >>> str(BadNotation("no such move: a1\nb2"))  # one line, whatever it quotes
    'no such move: a1 b2'
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(" ".join(str(message).splitlines()))


class UnknownName(OutplayError):
    """A name that nobody knows.

    >>> raise UnknownName("game", "ches", ["chess", "go"])
    Traceback (most recent call last):
    outplay.errors.UnknownName: unknown game 'ches': did you mean 'chess'?
    """

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        known = list(known)
        near = nearest(name, known)
        hint = f"did you mean {near!r}?" if near else f"known are {', '.join(known)}" if known else "there is none"
        super().__init__(f"unknown {kind} {shorten(name)!r}: {hint}")


class BadValue(OutplayError):
    """A parameter, limit or option outside its range."""


class BadNotation(OutplayError):
    """A position or an action that cannot be read."""


class IllegalAction(OutplayError):
    """An action that the rules do not allow here."""


class RulesError(OutplayError):
    """A game class that breaks the contract of a game."""


class Unsuitable(OutplayError):
    """An algorithm that does not fit the game's traits."""


class Unavailable(OutplayError):
    """Something this machine lacks: a GPU, a package, memory."""


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word closest to the one given, or None when nothing is close.

    >>> nearest("conect4", ["connect four", "nim"])
    'connect four'
    """
    lowered = {candidate.lower(): candidate for candidate in known}
    found = difflib.get_close_matches(word.lower()[:100], list(lowered), n=1, cutoff=0.5)
    return lowered[found[0]] if found else None


def shorten(text: str, width: int = 60) -> str:
    """The text itself, or its beginning where it is too long for an error message."""
    return text if len(text) <= width else text[: width - 1] + "…"
