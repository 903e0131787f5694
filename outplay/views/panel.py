"""What the studio shows of one game alone, given as functions: beside the board, on buttons, in the record, for a touch or a wish.

A game's extras name its `Panel`; an author's file may have one, too:

    PANEL = Panel(said=lambda position, action, text: f"Take {text[1:]} from {text[0]}")
    extras = Extras("nim", studio=":PANEL")

All of it sees positions as their reader may; a `Tool` says when it may be asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from outplay.game import Game, Position
from outplay.picture import Picture, Spot
from outplay.values import Action


@dataclass(frozen=True)
class Threats:
    """Where something is threatened, how, and that in words; empty words where nothing is."""

    words: str = ""
    marks: Mapping[Spot, str] = field(default_factory=dict)
    arrows: tuple[tuple[Spot, Spot], ...] = ()


@dataclass(frozen=True)
class Tool:
    """Something to ask of a position: `run(position, past, **asked)` answers with a dict, or with several, one after the other.

    A dict with `marks` or `arrows` comes with the board so marked, and one with `moves` has them played.
    """

    run: Callable[..., dict[str, Any] | Iterable[dict[str, Any]]]
    when: str = "open"
    """In a "person"'s turn, whose view it may tell; or when all is "open"; or "always", of what has nothing to do with a game."""
    compiles: bool = False
    """Whether it takes a while: then it waits for its place among the searches, with the compiled rules."""


@dataclass(frozen=True)
class Panel:
    """Each entry may be left out."""

    beside: Callable[[Position], dict[str, Any]] | None = None
    """What stands beside the board."""
    said: Callable[[Position, Action, str], str] | None = None
    """A move in the words of a button; at a chance node it may be asked of what fell."""
    recorded: bool = False
    """Whether moves stand in the record by those words, too."""
    spelled: Callable[[Position, Action, str], str] | None = None
    """A move as people of the game write it, for the record."""
    heading: Callable[[Position], str] | None = None
    """Under which words a move from here stands in the record: a trick, a street, whose turn it is."""
    whose: Callable[[Position], int] | None = None
    """Whose move it is in the record, where another makes it: a card of dummy's."""
    happened: Callable[[Position, int], str] | None = None
    """What just happened, in the game's own words, for the one at this seat."""
    opening: Callable[[Sequence[str]], str] | None = None
    """What the way is called in which a game from the usual start began, by its moves as they are spelled."""
    standing: Callable[[Position, Sequence[str]], list[dict[str, Any]]] | None = None
    """What stands beside each player's name, given the moves so far as they are spelled; none where the start was another."""
    threats: Callable[[Position], Threats] | None = None
    """What the other side threatens."""
    why: Callable[[Position, Picture, Spot | None, Spot], str] | None = None
    """Why a move that was tried is not legal."""
    about: Callable[[Position, Sequence[Action]], dict[Action, dict[str, str]]] | None = None
    """What players of the game look at in a candidate, for the list in Analyse: headings of columns with what stands below them."""
    touch: Callable[[Position], dict[str, Any] | None] | None = None
    """Where things can be laid one by one."""
    tools: Mapping[str, Tool] = field(default_factory=dict)
    first_seat: int = 0
    """Where a person sits in a new game."""


NOTHING = Panel()


def said(position: Position, action: Action, text: str, speak: Any = None) -> str:
    """An action in the words that a button has, by a panel's `said`: where its notation is for those who know it."""
    if speak is not None:
        return speak(position, action, text)
    return text.capitalize() if text.isalpha() and text.islower() and len(text) > 2 else text


def spelled(position: Position, action: Action, text: str, speak: Any = None, spell: Any = None, recorded: bool = False) -> str:
    """A move as people of the game write it, by a panel's `spelled` (or its `said`, where they are `recorded`)."""
    if spell is not None:
        return spell(position, action, text)
    return said(position, action, text, speak) if recorded and (speak is not None or not position.is_chance()) else text


def panel_of(game: Game) -> Panel:
    """The panel of a game; an empty one where it has none."""
    from outplay import extras

    found = extras.of(game)
    return found.fetch(found.studio) if found.studio else NOTHING
