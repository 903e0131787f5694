"""The rules of a game in words: its docstring, and what follows from its facets; for an author's game as for ours.

The docstring is that of the function or class under `@game`; where it has no more than a summary, that of the class inside, then
that of the file, are read as well. The first paragraph is the summary. Lines such as ``Goal: ...`` or ``Moves: ...`` are the card's
lines, a line that is indented further goes on; other paragraphs stand below as they are. A line that begins with a parameter's name
between grave accents and a colon says what that is for. Seats, chance, what is hidden and what a game is worth follow from the
rules themselves.

>>> told = card(load("tic-tac-toe"))
>>> told.lines[0]
('Goal', 'Three of your own in a row, a column or a diagonal.')
>>> told.facts[0]
('Players', 'Crosses and Noughts')
>>> card(load("connect four")).options[2]
('line', 'Discs in a line that win.')
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from outplay.errors import shorten
from outplay.game.loading import load as load
from outplay.game.position import Game

OPTION = re.compile(r"`(\w+)`: (\S.*)")
LABEL = re.compile(r"([A-Z][A-Za-z' -]{1,17}): (\S.*)")
SOME_ACTIONS = 6


@dataclass(frozen=True)
class Card:
    """The rules of a game as a person reads them."""

    name: str
    summary: str
    lines: tuple[tuple[str, str], ...]
    """Headings with what they say: Goal, Moves, Special, End, as the author calls them."""
    more: tuple[str, ...]
    """Paragraphs without a heading."""
    facts: tuple[tuple[str, str], ...]
    """What follows from the facets: players, chance, what is hidden, what it is worth, how actions are written, parameters."""
    options: tuple[tuple[str, str], ...] = ()
    """What each parameter is for, as far as the author says it."""


def card(game: Game) -> Card:
    """The rules of a game in words."""
    summary, lines, more = "", [], []
    for text in _docstrings(game):
        found = _read(text)
        summary, lines, more = summary or found[0], found[1], [each for each in found[2] if each != summary]
        if lines or more:
            break
    return Card(game.name, summary, tuple(lines), tuple(more), tuple(_facts(game)), tuple(options(game).items()))


def options(game: Game) -> dict[str, str]:
    """What each parameter of a game is for, in a line, as far as the author says it."""
    told: dict[str, str] = {}
    for text in _docstrings(game):
        told = {**dict(_read(text)[3]), **told}
    return {key: told[key] for key in _defaults(game) if key in told}


def _docstrings(game: Game) -> Iterator[str]:
    """Those of the maker, of the class and of its file, as far as there are any."""
    rules = getattr(game, "rules", None)
    maker = rules.definition.maker if rules is not None else type(game)
    yield maker.__doc__ or ""
    yield game.__doc__ or ""
    yield getattr(sys.modules.get(maker.__module__), "__doc__", None) or ""


def _read(text: str) -> tuple[str, list[tuple[str, str]], list[str], list[tuple[str, str]]]:
    """The parts of a docstring: summary, lines, paragraphs, parameters; examples (``>>>``) and indented code are left out."""
    blocks = [block.splitlines() for block in re.split(r"\n\s*\n", inspect.cleandoc(text)) if ">>>" not in block]
    summary = " ".join(line.strip() for line in blocks[0]) if blocks else ""
    lines: list[tuple[str, str]] = []
    parameters: list[tuple[str, str]] = []
    more: list[str] = []
    for block in blocks[1:]:
        if block[0][:1] in ("", " "):
            continue  # code
        kind, told = (OPTION, parameters) if OPTION.fullmatch(block[0]) else (LABEL, lines)
        if kind.fullmatch(block[0]) is None:
            more.append(" ".join(line.strip() for line in block))
            continue
        for line in block:
            if (found := kind.fullmatch(line)) is not None:
                told.append((found[1], found[2][0].upper() + found[2][1:] if kind is LABEL else found[2]))
            else:
                told[-1] = (told[-1][0], f"{told[-1][1]} {line.strip()}")
    return summary, lines, more, parameters


def _facts(game: Game) -> list[tuple[str, str]]:
    traits = game.traits
    names = [game.seat_name(seat) for seat in range(game.players)]
    facts = [("Players", _and(names) if game.players > 1 else "one")]
    if traits.sides not in (1, traits.players):
        facts.append(("Sides", f"{traits.sides}, of partners"))
    known = ["each seat sees only its own part" if traits.information == "hidden" else "everything is seen"]
    known.append("dice, cards or other luck" if traits.chance else "no luck")
    facts.append(("Known", ", ".join(known)))
    if game.players > 1:
        low, high = traits.bounds
        kind = {"zero": "what one side wins the others lose", "constant": "what there is to win is always the same"}
        facts.append(("Worth", f"{low:g} to {high:g} for a seat; {kind.get(traits.sum, 'all may gain or lose together')}"))
    start = game.start()
    if not start.is_chance():
        actions = start.actions()
        some = ", ".join(shorten(start.action_text(action), 30) for action in actions[:SOME_ACTIONS])
        facts.append(("Written", some + (" and so on" if len(actions) > SOME_ACTIONS else "")))
    if defaults := _defaults(game):
        facts.append(("Parameters", ", ".join(f"{key}={shorten(str(value), 40)}" for key, value in defaults.items())))
    return facts


def _defaults(game: Game) -> dict[str, Any]:
    rules = getattr(game, "rules", None)
    if rules is not None:
        return dict(rules.definition.defaults)
    found = inspect.signature(type(game)).parameters.values()
    return {each.name: each.default for each in found if isinstance(each.default, int | float | str)}


def _and(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)
