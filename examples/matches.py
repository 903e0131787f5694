"""A game with everything of its own: rules, a player, a search, a format of files, its panel in the studio, and its default player.

    outplay best examples/matches.py                 # by the search below, for it is made for this game
    outplay match examples/matches.py careful random --games 100
    outplay play examples/matches.py                 # against `careful`
    outplay serve examples/matches.py                # with moves in words

`extras` at the end tells Outplay of them; docs/writing-a-game.md has a section on each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from outplay.engine.registry import Search
from outplay.extras import Extras
from outplay.formats.games import Format, Taken
from outplay.game import Position
from outplay.jit import i8
from outplay.players import Player
from outplay.rules import game
from outplay.values import Action, Limits, Record, Result
from outplay.views.panel import Panel, Tool


@game("my matches")
class Matches:
    """Take one, two or three of twelve matches; whoever takes the last one wins."""

    most_actions = 3

    left: i8
    turn: i8

    def start(self):
        self.left = 12

    def actions(self, out):
        count = min(self.left, 3)
        for i in range(count):
            out[i] = i + 1
        return count

    def play(self, action):
        self.left -= action
        self.turn = 1 - self.turn

    def utility(self, player):
        return -1 if player == self.turn else 1


def left(position: Position) -> int:
    """How many matches lie there: fields of the rules are read from the position's record."""
    return int(position.game.record(position.state).left)


class Careful(Player):
    """Leaves a multiple of four where it can, else takes so many. Its arguments are its options: `careful:otherwise=2`."""

    def __init__(self, *, otherwise: int = 1) -> None:
        self.otherwise = otherwise

    def pick(self, view: Position, limits: Limits | None) -> Action:
        """One to three matches."""
        return left(view) % 4 or min(self.otherwise, left(view))


class ByFour:
    """A search that needs no tree: the value follows from the remainder by four."""

    def __init__(self, game: Any) -> None:
        self.game = game

    def search(self, position: Position, limits: Limits | None = None, *, lines: int = 1, stop: Any = None,
               earlier: Sequence[Position] = ()) -> Iterator[Result]:
        """One Result, and exact."""
        take = left(position) % 4
        won = 1.0 if (take != 0) == (position.player() == 0) else -1.0
        yield Result(take or 1, won, (take or 1,), depth=1, nodes=1, algorithm="by-four", exact=True)


def read(text: str) -> Taken:
    """The takings in one line behind the word matches, such as `matches: 3 1 2`."""
    return Taken("my matches", tuple(text.partition(":")[2].split()))


def write(begun: Position, record: Record, lines: Sequence[Sequence[str]]) -> str:
    """The same line."""
    return "matches: " + " ".join(record.actions)


BY_FOUR = Search("by-four", ByFour, "wins by the remainder by four", (), Limits(depth=1), (), is_family=False, game="my matches")
LINE = Format("takings (my matches)", lambda text: text.startswith("matches:"), read, write)

def said(position: Position, action: Action, text: str) -> str:
    """A move in the words of a button of the studio."""
    return f"Take {text}"


def count(position: Position, past: Sequence[Position]) -> dict[str, Any]:
    """A tool of the studio: what is asked of it by `POST /api/records/ADDRESS/extra/count`."""
    return {"left": left(position), "leave": left(position) % 4}


PANEL = Panel(said=said, recorded=True, tools={"count": Tool(count)})


extras = Extras(
    "my matches",
    player="careful",
    players={"careful": ":Careful"},
    presets={"greedy": ("careful:otherwise=3", "takes three where it cannot win")},
    searches={"by-four": ":BY_FOUR"},
    formats={"matches": ":LINE"},
    named=(("careful", "Full strength", "leaves a multiple of four where it can"),),
    levels=False,
    sample="3 2",
    studio=":PANEL",
)
