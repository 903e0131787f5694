"""Finding games: by name among those that come with Outplay, or in an author's own file; and what an algorithm needs of one.

>>> load("connect four:width=5").name
'connect four:width=5'
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import pkgutil
import re
import sys
from pathlib import Path
from typing import Any

import outplay.games
from outplay.errors import BadValue, OutplayError, RulesError, UnknownName, Unsuitable, shorten
from outplay.game.compiled import CompiledGame
from outplay.game.position import Game
from outplay.rules import Definition


def game_names() -> tuple[str, ...]:
    """The games that come with Outplay, by name."""
    return tuple(sorted(_definitions()))


@functools.cache
def _definitions() -> dict[str, Any]:
    """Every game in outplay/games, by its name: a new file there is a new game."""
    found: dict[str, Any] = {}
    for module in pkgutil.iter_modules(outplay.games.__path__):
        if not module.name.startswith("_"):
            definition = _definition_in(importlib.import_module(f"outplay.games.{module.name}"))
            if definition is not None:
                found[definition.name] = definition
    return found


def _definition_in(module: Any) -> Any:
    """The one game that a module defines: a decorated class or function, or a subclass of Game."""
    for thing in vars(module).values():
        if isinstance(thing, Definition) and thing.__module__ == module.__name__:
            return thing
        if isinstance(thing, type) and issubclass(thing, Game) and thing.__module__ == module.__name__:
            return thing
    return None


def load(name: str, *, compiled: bool | None = None, **parameters: Any) -> Any:
    """A game by its name, with its parameters; the name may carry them too, and may be the path of an author's own file.

    >>> load("connect four", width=5).name
    'connect four:width=5'
    >>> load("connect four:width=5") is load("connect four", width=5)
    True
    >>> load("conect four")
    Traceback (most recent call last):
    outplay.errors.UnknownName: unknown game 'conect four': did you mean 'connect four'?
    """
    base, _, written = name.partition(":") if Path(name).suffix != ".py" else (name, "", "")
    if ".py:" in name:
        base, written = name.split(".py:", 1)
        base += ".py"
    for part in re.split(r",(?=\s*\w+=)", written) if written else ():
        key, equals, value = part.partition("=")
        if not equals:
            raise BadValue(f"{base}: expected parameters as key=value, got {shorten(part)!r}")
        parameters.setdefault(key.strip(), value.strip())
    definition = _from_file(base) if base.endswith(".py") else _named(base)
    if isinstance(definition, Definition):
        return _compiled_game(definition(**parameters), compiled)
    return _plain_game(definition, tuple(sorted(parameters.items())))


@functools.cache
def _compiled_game(rules: Any, compiled: bool | None) -> CompiledGame:
    return CompiledGame(rules, compiled)


@functools.cache
def _plain_game(cls: Any, parameters: tuple[tuple[str, Any], ...]) -> Game:
    try:
        return cls(**dict(parameters))
    except TypeError as problem:
        raise BadValue(f"{cls.name}: {problem}") from None


def _named(name: str) -> Any:
    plain = re.sub(r"[\s_-]+", " ", name.strip().lower())
    file = plain.replace(" ", "_")
    if re.fullmatch(r"[a-z]\w*", file) and importlib.util.find_spec(f"outplay.games.{file}"):  # nothing else need be imported
        definition = _definition_in(importlib.import_module(f"outplay.games.{file}"))
        if definition is not None:
            return definition
    definitions = _definitions()
    for known, definition in definitions.items():
        if plain in (known, re.sub(r"[\s_-]+", " ", known)) or plain.replace(" ", "") == re.sub(r"[\s_-]+", "", known):
            return definition
    raise UnknownName("game", name, definitions)


@functools.cache
def _from_file(path: str) -> Any:
    """The game in an author's own file."""
    if not Path(path).is_file():
        raise BadValue(f"no such file: {path}")
    spec = importlib.util.spec_from_file_location(Path(path).stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(module.__name__, module)
    try:
        spec.loader.exec_module(module)
    except OutplayError:
        raise
    except Exception as problem:
        raise RulesError(f"{path}: {type(problem).__name__}: {problem}") from None
    definition = _definition_in(module)
    if definition is None:
        raise RulesError(f"{path}: no game found; decorate a class with @game(name) or subclass Game")
    return definition


def need(algorithm: str, game: Game, *, players: int | tuple[int, ...] | None = None, sum: str | None = None,
         chance: bool | None = None, information: str | None = None, use: str = "") -> None:
    """Refuse a game that an algorithm cannot take, in one sentence that names a fitting one.

    `players` is a number or the numbers that will do; a zero-sum game is also a constant-sum one.

    >>> need("alpha-beta", load("connect four"), players=2, sum="zero", chance=False)
    >>> need("max^n", load("connect four"), players=3)
    Traceback (most recent call last):
    outplay.errors.Unsuitable: max^n needs a game of 3 players; connect four has 2 players
    """
    traits = game.traits
    numbers = (players,) if isinstance(players, int) else players
    wanted = []
    if numbers is not None:
        wanted.append("- or ".join({1: "one", 2: "two"}.get(number, str(number)) for number in numbers) + "-player")
    if sum is not None:
        wanted.append(f"{sum}-sum")
    phrase = f"{algorithm} needs a {' '.join([*wanted, 'game'])}"
    if numbers is not None and sum is None and len(numbers) == 1 and numbers[0] > 2:
        phrase = f"{algorithm} needs a game of {numbers[0]} players"
    phrase += " without chance" if chance is False else ""
    phrase += f"{' and' if chance is False else ''} with {information} information" if information is not None else ""
    advice = f": use {use}" if use else ""
    if numbers is not None and traits.players not in numbers:
        raise Unsuitable(f"{phrase}; {game.name} has {traits.players} player{'s' if traits.players > 1 else ''}{advice}")
    if sum is not None and traits.sum not in (sum, "zero") and traits.players > 1:
        raise Unsuitable(f"{phrase}; {game.name} is {traits.sum}-sum{advice}")
    if chance is False and traits.chance:
        raise Unsuitable(f"{phrase}; {game.name} has chance{advice or ': use expectiminimax'}")
    if information is not None and traits.information != information:
        hides = "hides information" if traits.information == "hidden" else "hides nothing"
        raise Unsuitable(f"{phrase}; {game.name} {hides}{advice}")
