"""What one game alone has beside its rules: players, searches, files, commands, panels; found by the game, imported when used.

Each entry is a text, `module:name`. Games that come with Outplay keep theirs in `outplay/experts/FOLDER/__init__.py`, where
`.module` is one of that folder; an author's file says `extras = Extras(...)` beside its game, where `:name` is its own:

    extras = Extras("nim", player="careful", players={"careful": ":Careful"}, formats={"nim": ":FORMAT"})

>>> sorted(of("bridge").players)
['double-dummy', 'kitchen']
>>> of("tic-tac-toe").players
{}
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from outplay.errors import RulesError
from outplay.names import plain


@dataclass(frozen=True)
class Extras:
    """What a game, named as its rules name it, has beside its rules."""

    game: str = ""
    player: str = ""
    """The player that `auto` is: a text such as anybody may write."""
    otherwise: Sequence[str] = ()
    """Those that it is, the first that fits, where `player` does not take the game's parameters, such as another size of board."""
    players: Mapping[str, str] = field(default_factory=dict)
    """Players by name: a function of the player's text and a seed, or a class of players whose options are its arguments."""
    programs: Mapping[str, str] = field(default_factory=dict)
    """Players that start another program, by name; asked for by a person alone, never by a page or a file."""
    presets: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Famous players by name: the player that each is written as, and who it was."""
    searches: Mapping[str, str] = field(default_factory=dict)
    """Searches of the engine by name: each a `Search` as the engine's table has them."""
    formats: Mapping[str, str] = field(default_factory=dict)
    """Formats of files of games by their ending: each a `Format`; the first is the game's own."""
    books: str = ""
    """Opening books in a format of the game's own: a `BookFormat`."""
    tables: str = ""
    """Opens foreign endgame tables: a function of folders, the game and our own tables, which answers None where it finds none."""
    strategies: str = ""
    """Opens a trained strategy that is no list of information sets: a function of a path and a seed, for a player or None."""
    equilibria: Mapping[str, str] = field(default_factory=dict)
    """Ways to an equilibrium by the name of the algorithm: a solver as the engine's, made with the game, `seed` and `threads`."""
    study: str = ""
    """Solves one situation that a person describes: a function of what `outplay equilibrium` was asked."""
    recipes: Mapping[str, str] = field(default_factory=dict)
    """Ways to learn the game by name: a `Recipe` each."""
    tuner: str = ""
    """Tunes what the game has instead of weights: a function of its name, games, a seed, a file and whether JSON is wanted."""
    fitting: str = ""
    """How weights of its evaluation are fitted and written where that is special: a `Fitting`."""
    chart: str = ""
    """Shows a solved strategy as players of the game write it: a function of the solver, its report and the screen."""
    deck: str = ""
    """Openings that tournaments of the game begin with: a function that answers positions."""
    teams: str = ""
    """Plays a team match: a function of the game, the players' names, boards, a seed and whether JSON is wanted."""
    session: str = ""
    """Plays many games at one table, chips carried over: a function of the game, the players' names, hands, a seed, a file for the
    games or None, and whether JSON is wanted."""
    table: str = ""
    """The table at which people play in the terminal: a class beside `outplay.cli.play.Table`."""
    endings: str = ""
    """The names of all endgame tables of so many men, where the game's tables have names: a function of a number."""
    deals: int = 1
    """How many deals, each from both sides, make one result of a ladder: more where a single hand says next to nothing."""
    commands: Mapping[str, str] = field(default_factory=dict)
    """Commands of the command line by name."""
    named: tuple[tuple[str, str, str], ...] = ()
    """Players that a page offers by name, the one that a new game begins with first: text, name, a few words."""
    levels: bool = True
    """Whether searches at their levels are a match for these players; otherwise they stand for the levels."""
    sample: str = ""
    """A position, or moves from the start, that make a good picture of the game; left out, a few random moves are made."""
    studio: str = ""
    """What the studio shows beside the board: a `Panel`."""
    pages: str = ""
    """Pages of its own in the studio: a router of FastAPI's."""
    judge: str = ""
    """What the judge says of this game alone: a function of a position, an action and the best one, for words with facts."""
    weigh: str = ""
    """What actions are worth where something is hidden: a function of what the mover sees, the action played, nodes and a stop,
    which answers a `judge.hidden.Weighed`, or None where it cannot tell."""
    puzzle: str = ""
    """What a puzzle of this game asks for: a function of what the mover sees and the best action, for a few words, or "" where
    that is no puzzle."""
    home: str = ""
    """The module in which `:name` is looked for; whoever finds the extras fills it in."""

    def fetch(self, place: str) -> Any:
        """The thing that an entry names, its module imported now."""
        module, _, name = place.rpartition(":")
        try:
            return getattr(importlib.import_module(module or self.home, self.home), name)
        except AttributeError:
            wanted = "expected MODULE:NAME, or :NAME of its own file"
            raise RulesError(f"extras of {self.game}: nothing is at {place!r}: {wanted}") from None


_OPENED: dict[str, Extras] = {}


def add(found: Extras, game: str, home: str) -> None:
    """Note the extras of an author's file that was opened by hand; opened again, they come anew."""
    _OPENED[game] = replace(found, game=game, home=home)


@functools.cache
def _shipped() -> tuple[Extras, ...]:
    experts = importlib.import_module("outplay.experts")
    found = []
    for module in pkgutil.iter_modules(experts.__path__):
        room = importlib.import_module(f"outplay.experts.{module.name}")
        brought = (room.extras,) if isinstance(room.extras, Extras) else room.extras
        found += [replace(each, home=room.__name__) for each in brought]
    return tuple(found)


def every() -> Iterator[Extras]:
    """The extras of all games: those that come with Outplay, then those of the files opened in this process."""
    yield from _shipped()
    yield from _OPENED.values()


def of(game: Any) -> Extras:
    """The extras of a game, or of a family of games by its name; empty where it has none."""
    family = game if isinstance(game, str) else game.family
    return _OPENED.get(family) or next((each for each in _shipped() if each.game == family), Extras(family))


def entry(kind: str, name: str) -> tuple[Extras, str] | None:
    """Whose entry of a kind (`players`, `recipes`, ...) has this name, and its place; spelt as people spell."""
    wanted = plain(name)
    for each in every():
        for known, place in getattr(each, kind).items():
            if plain(known) == wanted:
                return each, place
    return None


def names(kind: str) -> tuple[str, ...]:
    """The names of all entries of a kind."""
    return tuple(name for each in every() for name in getattr(each, kind))
