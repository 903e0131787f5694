"""Finding games: by name among those that come with Outplay, or in an author's own file; and what an algorithm needs of one.

>>> load("connect four:width=5").name
'connect four:width=5'
"""

from __future__ import annotations

import functools
import importlib
import linecache
import os
import pkgutil
import re
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import outplay.games
from outplay import extras
from outplay.errors import BadValue, OutplayError, RulesError, UnknownName, Unsuitable, shorten
from outplay.files import own_module, read_module, text_of
from outplay.game.compiled import CompiledGame
from outplay.game.position import Game
from outplay.names import parse, plain
from outplay.rules import Definition

FOREIGN = {"spiel": "outplay.adapters.spiel"}
"""Games of other libraries, written as LIBRARY:NAME, and the module that brings them; it lives above and needs its extra."""


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


def load(name: str, *, compiled: bool | None = None, **parameters: Any) -> Game:
    """A game by its name, with its parameters; the name may carry them too, and may be the path of an author's own file.

    A file that has changed since is read anew; one with several games wants the name of one, as `game=NAME`.

    >>> load("connect four", width=5).name
    'connect four:width=5'
    >>> load("connect four:width=5") is load("connect four", width=5)
    True
    >>> load("conect four")
    Traceback (most recent call last):
    outplay.errors.UnknownName: unknown game 'conect four': did you mean 'connect four'?
    """
    base, part, written = parse(name, "game")
    if base in FOREIGN:
        game: Game = importlib.import_module(FOREIGN[base]).from_name(part, {**written, **parameters})
        _by_hand.names |= {plain(name): name, plain(game.name): name}
        return game
    if part:
        raise BadValue(f"{shorten(base)}: expected parameters as key=value, got {shorten(part)!r}")
    parameters = {**written, **parameters}
    if not base.endswith(".py"):
        definition = _named(base)
        made = _made(definition, parameters, compiled)
        _by_hand.files.update(_files_among(definition, parameters))
        return made
    definitions = _from_file(base)
    _by_hand.names |= {plain(each): f"{base}:game={each}" for each in definitions}
    wanted = parameters.pop("game", None)
    if wanted is not None and wanted not in definitions:
        raise UnknownName(f"game in {base}", wanted, definitions)
    if wanted is None and len(definitions) > 1:
        raise BadValue(f"{base} has {len(definitions)} games: say which, as {base}:game={next(iter(definitions))} "
                       f"(there are {', '.join(definitions)})")
    game = _made(definitions[wanted or next(iter(definitions))], parameters, compiled)
    game.origin = name
    return game


class _ByHand:
    """What the person at this process has named: games of files and of other libraries, and files that parameters read."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}  # of a game, in plain letters: what `load` finds it by
        self.files: set[str] = set()  # values of parameters that name files


_by_hand = _ByHand()


def known_game(name: str, *, compiled: bool | None = None, **parameters: Any) -> Game:
    """The game that data name, such as a saved game, a book or a network: one that comes with Outplay, or one that the person at
    this process has loaded already. Whatever else the name may be, nothing is read and nothing is run.

    >>> known_game("connect four:width=5").name
    'connect four:width=5'
    >>> known_game("somebody.py")
    Traceback (most recent call last):
    outplay.errors.BadValue: a file names the game 'somebody.py', and rules are read only from files that you name yourself
    """
    base, part, written = parse(name, "game")
    parameters = {**written, **parameters}
    if base in FOREIGN or base.endswith(".py"):
        whole = plain(name) in _by_hand.names
        if not whole and not (base.endswith(".py") and Path(os.path.abspath(base)) in _named_files()):
            raise BadValue(f"a file names the game {shorten(name)!r}, and rules are read only from files that you name yourself")
        return load(name, compiled=compiled) if whole else load(name, compiled=compiled, **parameters)
    if part:
        raise BadValue(f"{shorten(base)}: expected parameters as key=value, got {shorten(part)!r}")
    try:
        definition = _named(base)
    except UnknownName:
        if plain(base) not in _by_hand.names:
            raise
        return load(_by_hand.names[plain(base)], compiled=compiled, **parameters)
    strange = _files_among(definition, parameters) - _by_hand.files
    if strange:
        raise BadValue(f"a file names the file {shorten(min(strange))!r}, and only those that you name yourself are read")
    return _made(definition, parameters, compiled)


def _named_files() -> set[Path]:
    return {Path(os.path.abspath(text.partition(":game=")[0])) for text in _by_hand.names.values() if ".py" in text}


def _files_among(definition: Any, parameters: Mapping[str, Any]) -> set[str]:
    """The values of parameters that are read as files."""
    if not isinstance(definition, Definition):
        return set()
    return {str(value) for key, value in parameters.items()
            if hasattr(definition.ranges.get(key), "names_a_file") and value != definition.defaults[key]}


def _made(definition: Any, parameters: dict[str, Any], compiled: bool | None) -> Game:
    if isinstance(definition, Definition):
        if "pie" in parameters and "pie" not in definition.defaults:
            from outplay.game.pie import with_pie

            definition = with_pie(definition)
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


class _Read:
    """What was read from an author's file: its games, and what was in all the files that they came from."""

    def __init__(self, definitions: dict[str, Any], files: dict[Path, bytes | None], own: tuple[Any, str, str] | None) -> None:
        self.definitions, self.files, self.own = definitions, files, own  # its extras, whose they are, and where

    def is_current(self) -> bool:
        return all(_content(file) == text for file, text in self.files.items())


_read: dict[Path, _Read] = {}


def _content(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except OSError:
        return None


def _from_file(path: str) -> dict[str, Any]:
    """The games in an author's own file by name; it may import its neighbours, and is read again after an edit of any of them."""
    file = Path(path).resolve()
    if not file.is_file():
        raise BadValue(f"no such file: {path}")
    known = _read.get(file)
    if known is None or not known.is_current():
        known = _read[file] = _read_file(path, file)
    if known.own is not None:
        extras.add(*known.own)
    return known.definitions


def _read_file(path: str, file: Path) -> _Read:
    name = f"game_file_{file.stem}"  # a name that no other module has: a file may be called random.py
    module = own_module(name, file)
    folder = str(file.parent)
    neighbours = {each.stem: each for each in file.parent.glob("*.py")} | {each.parent.name: each
                                                                          for each in file.parent.glob("*/__init__.py")}
    for each in [*sys.modules]:  # a neighbour is read anew too, and never mistaken for one of the same name elsewhere
        if each.partition(".")[0] in neighbours and _is_authors(sys.modules[each]):
            del sys.modules[each]
    sys.modules[name] = module
    before = set(sys.modules)
    sys.path.insert(0, folder)
    importlib.invalidate_caches()
    for each in [*linecache.cache]:  # the rules are also read as text, for habits that cannot be compiled
        if Path(each).is_relative_to(folder):
            del linecache.cache[each]
    try:
        read_module(module)
    except OutplayError:
        raise
    except Exception as problem:
        said = f"{type(problem).__name__}: {problem}"
        if "no type variables left in numpy" in said:  # what Python makes of i8[9]
            said = "a field of several numbers is written Array[i8, 9], with Array from outplay.jit"
        raise RulesError(f"{path}: {_where(problem, file)}{said}") from None
    finally:
        sys.path.remove(folder)
        if folder not in sys.path:
            sys.path.append(folder)  # for imports inside of functions
    files = {file: text_of(module)}
    for each in set(sys.modules) - before:
        found = Path(getattr(sys.modules[each], "__file__", None) or "/").resolve()
        if found.is_relative_to(file.parent):
            sys.modules[each].__dict__["_imported_by_a_game"] = True
            text = text_of(sys.modules[each])
            files[found] = _content(found) if text is None else text
    definitions = {_name_in(found): found for found in _all_definitions_in(module)}
    if not definitions:
        raise RulesError(f"{path}: no game found; decorate a class with @game(name) or subclass Game")
    own: Any = getattr(module, "extras", None)
    if isinstance(own, extras.Extras):
        game = own.game or next(iter(definitions))
        if game not in definitions:
            known = " or ".join(map(repr, definitions))
            raise RulesError(f"{path}: extras = Extras({own.game!r}, ...) names no game of this file: expected {known}")
        own = own, game, name
    return _Read(definitions, files, own if isinstance(own, tuple) else None)


def _is_authors(module: Any) -> bool:
    return getattr(module, "__dict__", {}).get("_imported_by_a_game", False)


def _where(problem: Exception, file: Path) -> str:
    """The line of the author's file in which something went wrong."""
    lines = [frame.lineno for frame in traceback.extract_tb(problem.__traceback__) if frame.filename == str(file)]
    return f"line {lines[-1]}: " if lines else ""


def _name_in(definition: Any) -> str:
    return definition.name or definition.__name__


def _all_definitions_in(module: Any) -> list[Any]:
    """The games that a file defines, without the plain classes that only others of it build on."""
    things = list(dict.fromkeys(thing for thing in vars(module).values() if isinstance(thing, type | Definition)))
    own = [thing for thing in things if thing.__module__ == module.__name__]
    plain = [thing for thing in own if isinstance(thing, type) and issubclass(thing, Game)]
    bases = {base for thing in plain for base in thing.__mro__[1:]}
    return [thing for thing in own if isinstance(thing, Definition) or (thing in plain and thing not in bases)]


def need(algorithm: str, game: Game, *, players: int | tuple[int, ...] | None = None, sum: str | None = None,
         chance: bool | None = None, information: str | None = None, use: str = "", shifted: bool = False,
         drawn: bool = False) -> None:
    """Refuse a game that an algorithm cannot take, in one sentence that names a fitting one.

    `players` is a number or the numbers that will do, and partners count as one; a zero-sum game is also a constant-sum one.
    With `shifted`, a constant-sum game of two will do for a zero-sum one, from which it differs by a number; with `drawn`, so
    will a game whose chance is only drawn, not listed: a position in which all is drawn has none left.

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
    if numbers is not None and traits.sides not in numbers:
        word = "player" if traits.sides == traits.players else "side"
        raise Unsuitable(f"{phrase}; {game.name} has {traits.sides} {word}{'s' if traits.sides > 1 else ''}{advice}")
    fits = traits.sum in (sum, "zero") or (shifted and traits.sum == "constant" and traits.sides == 2)
    if sum is not None and not fits and traits.players > 1:
        raise Unsuitable(f"{phrase}; {game.name} is {traits.sum}-sum{advice}")
    if chance is False and traits.chance and not (drawn and traits.sampled):
        raise Unsuitable(f"{phrase}; {game.name} has chance{advice or ': use expectiminimax'}")
    if information is not None and traits.information != information:
        hides = "hides information" if traits.information == "hidden" else "hides nothing"
        raise Unsuitable(f"{phrase}; {game.name} {hides}{advice}")
