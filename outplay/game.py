"""The Python face of every game: `load` a game, get a `Position`, ask it the lectures' six questions.

>>> position = load("tic-tac-toe").start()
>>> position.player(), len(position.actions()), position.is_terminal()
(0, 9, False)
>>> position = position.play("b2 a1 c1")
>>> position.text()
'.../.x./o.x o'

There are two kinds of game, and everything above this module takes both. A *plain* game is a subclass of `Game` that gives the
lectures' functions (initial state, PLAYER, ACTIONS, RESULT, TERMINAL-TEST, UTILITY) on immutable hashable states. A *compiled*
game is a class made by the decorator of `outplay.rules`; here it is wrapped in a `CompiledGame`, whose states are the bytes of
a record.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import pkgutil
import re
import threading
from collections.abc import Hashable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import outplay.games
from outplay.errors import BadNotation, BadValue, IllegalAction, OutplayError, RulesError, UnknownName, Unsuitable, nearest, shorten
from outplay.jit import UNCOMPILED, kernel, random_source
from outplay.rules import Definition
from outplay.values import CHANCE, Action, Outcome, Picture, Traits

State = Hashable
COMPILE_AFTER = 300
"""How many times a game's rules run in plain Python before they are compiled: a look at a position needs no compiler."""


class Game:
    """A plain game: the lectures' six functions on immutable hashable states. Subclass it; the rest is optional.

    >>> class Coin(Game):
    ...     '''Take one or two of five coins; whoever takes the last one wins.'''
    ...     name = "coins"
    ...     def initial(self): return (5, 0)
    ...     def player(self, state): return state[1]
    ...     def actions(self, state): return [n for n in (1, 2) if n <= state[0]]
    ...     def result(self, state, action): return (state[0] - action, 1 - state[1])
    ...     def is_terminal(self, state): return state[0] == 0
    ...     def utility(self, state, player): return -1 if player == state[1] else 1
    >>> Coin().start().play("2").actions()
    (1, 2)
    """

    name = ""
    players = 2
    total: float | None = 0.0
    bounds: tuple[float, float] = (-1.0, 1.0)
    scale = 1.0

    # Only compiled games have these (ask `hasattr(game, "rules")`): declared for type checkers, with no value here.
    rules: Any
    record: Any
    key: Any

    # The lectures' six functions.
    def initial(self) -> State:
        """The state in which the game starts."""
        raise RulesError(f"{self.name or type(self).__name__}: the class lacks the method initial(self)")

    def player(self, state: Any) -> int:
        """PLAYER: who is to move; CHANCE at a chance node."""
        raise RulesError(f"{self.name or type(self).__name__}: the class lacks the method player(self, state)")

    def actions(self, state: Any) -> Iterable[Action]:
        """ACTIONS: what the player to move may do."""
        raise RulesError(f"{self.name or type(self).__name__}: the class lacks the method actions(self, state)")

    def result(self, state: Any, action: Any) -> State:
        """RESULT: the state after the action."""
        raise RulesError(f"{self.name or type(self).__name__}: the class lacks the method result(self, state, action)")

    def is_terminal(self, state: Any) -> bool:
        """TERMINAL-TEST: whether the game is over."""
        raise RulesError(f"{self.name or type(self).__name__}: the class lacks the method is_terminal(self, state)")

    def utility(self, state: Any, player: int) -> float:
        """UTILITY: what a finished game is worth to a player."""
        raise RulesError(f"{self.name or type(self).__name__}: the class lacks the method utility(self, state, player)")

    # Optional: each one switches something on.
    def chances(self, state: Any) -> Iterable[tuple[Action, float]]:
        """The outcomes of a chance node with their probabilities."""
        return ()

    def evaluate(self, state: Any, player: int, weights: Any = None) -> float:
        """EVAL: a heuristic value in points, below `scale` times the least utility difference."""
        return 0.0

    def noisy(self, state: Any) -> Iterable[Action]:
        """The actions that quiescence search still looks at."""
        return ()

    def order(self, state: Any, action: Any) -> float:
        """The higher, the earlier an action should be tried."""
        return 0.0

    def cost(self, state: Any, action: Any) -> float:
        """What an action costs one who looks for a way to the goal; positive."""
        return 1

    def estimate(self, state: Any) -> float:
        """What the rest of the way costs at least: an admissible heuristic."""
        return 0

    def observe(self, state: Any, player: int) -> State:
        """What is left of the state when all that the player does not know is erased."""
        return state

    def deal(self, view: Any, player: int, source: np.ndarray) -> State:
        """A random full state consistent with a player's view."""
        return view

    # Notation and picture.
    def text(self, state: Any) -> str:
        """The state as a short text."""
        return repr(state)

    def parse(self, text: str) -> State:
        """The state that a text describes."""
        raise BadNotation(f"{self.name}: positions of this game cannot be read from text; give a list of actions instead")

    def action_text(self, state: Any, action: Any) -> str:
        """An action as a short text."""
        return str(action)

    def parse_action(self, state: Any, text: str) -> Action:
        """The action that a text means here, however the game's own notation spells it; legality is checked by the caller."""
        raise BadNotation(text)

    def picture(self, state: Any) -> Picture | None:
        """What a board shows, for `views` to draw."""
        return None

    def identity(self, state: Any) -> Hashable:
        """What makes two states the same position."""
        return state

    # What the rest of the house asks.
    def start(self) -> Position:
        """The position in which the game starts."""
        return Position(self, self.initial())

    def position(self, text: str) -> Position:
        """The position that a text describes."""
        return Position(self, self.parse(text))

    def offers(self, method: str) -> bool:
        """Whether the game has this optional method."""
        return getattr(type(self), method) is not getattr(Game, method)

    def default_weights(self) -> Any:
        """The weights that `evaluate` takes when none are given."""
        return None

    @functools.cached_property
    def traits(self) -> Traits:
        """What kind of game it is, derived from what the class has."""
        total = None if self.total is None or self.players == 1 else float(self.total)
        return Traits(
            players=self.players,
            chance=self.offers("chances"),
            information="hidden" if self.offers("observe") else "perfect",
            sum="general" if total is None else "zero" if total == 0 else "constant",
            total=total,
            bounds=(float(self.bounds[0]), float(self.bounds[1])),
            scale=10_000.0 if self.scale == 1.0 and self.offers("evaluate") else float(self.scale),
        )

    def facts(self, state: Any) -> tuple[int, tuple[Action, ...], tuple[float, ...], tuple[float, ...]]:
        """Player to move, actions (or chance outcomes), their probabilities, and the utilities once the game is over."""
        player = self.player(state)
        if self.is_terminal(state):
            return player, (), (), tuple(float(self.utility(state, p)) for p in range(self.players))
        if player == CHANCE:
            outcomes = tuple(self.chances(state))
            return player, tuple(a for a, _ in outcomes), tuple(float(p) for _, p in outcomes), ()
        return player, tuple(self.actions(state)), (), ()

    def __repr__(self) -> str:
        return f"<game {self.name}>"


class Position:
    """A moment of a game: immutable, hashable, and the currency of every search."""

    __slots__ = ("_facts", "game", "state")

    def __init__(self, game: Game, state: State) -> None:
        self.game = game
        self.state = state
        self._facts: tuple | None = None

    def _known(self) -> tuple:
        if self._facts is None:
            self._facts = self.game.facts(self.state)
        return self._facts

    def player(self) -> int:
        """Who is to move; CHANCE at a chance node."""
        return self._known()[0]

    def actions(self) -> tuple[Any, ...]:
        """What the player to move may do, or what chance may bring; empty once the game is over."""
        return self._known()[1]

    def chances(self) -> tuple[tuple[Any, float], ...]:
        """The outcomes of a chance node with their probabilities."""
        _, actions, probabilities, _ = self._known()
        return tuple(zip(actions, probabilities, strict=False))

    def is_chance(self) -> bool:
        """Whether chance is to move."""
        return self.player() == CHANCE and not self.is_terminal()

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return bool(self._known()[3])

    def utility(self, player: int) -> float:
        """What the finished game is worth to a player."""
        return self.utilities()[player]

    def utilities(self) -> tuple[float, ...]:
        """What the finished game is worth to each player."""
        utilities = self._known()[3]
        if not utilities:
            raise IllegalAction(f"{self.game.name}: the game is not over, so it has no utilities yet")
        return utilities

    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return Outcome(self.utilities()) if self.is_terminal() else None

    def result(self, action: Action) -> Position:
        """The position after an action, which must be legal here."""
        if action not in self.actions():
            raise IllegalAction(self._complaint(str(action)))
        return Position(self.game, self.game.result(self.state, action))

    def play(self, moves: str | Sequence[str]) -> Position:
        """The position after one or more actions in the game's notation, separated by spaces or commas."""
        position = self
        for text in re.split(r"[\s,]+", moves.strip()) if isinstance(moves, str) else moves:
            if text:
                position = position.result(position.parse_action(text))
        return position

    def evaluate(self, player: int, weights: Any = None) -> float:
        """EVAL in points, for a player."""
        return self.game.evaluate(self.state, player, self.game.default_weights() if weights is None else weights)

    def noisy(self) -> tuple[Any, ...]:
        """The actions that quiescence search still looks at."""
        return tuple(self.game.noisy(self.state))

    def order(self, action: Action) -> float:
        """The game's own guess at how early to try an action."""
        return self.game.order(self.state, action)

    def cost(self, action: Action) -> float:
        """What an action of this position costs one who looks for a way to the goal."""
        return self.game.cost(self.state, action)

    def estimate(self) -> float:
        """What the rest of the way to the goal costs at least."""
        return self.game.estimate(self.state)

    def is_solved(self) -> bool:
        """Whether the game is over with a gain for the first player: the goal of one who plays alone."""
        return self.is_terminal() and self.utility(0) > 0

    def observe(self, player: int) -> Position:
        """What a player sees: this position with all that it does not know erased."""
        return Position(self.game, self.game.observe(self.state, player))

    def deal(self, player: int, source: np.ndarray | int) -> Position:
        """A random full position consistent with what a player sees; `source` is a `random_source` or a seed."""
        if isinstance(source, int):
            source = random_source(source)
        with np.errstate(over="ignore"):  # words of 64 bits wrap around
            return Position(self.game, self.game.deal(self.game.observe(self.state, player), player, source))

    def text(self) -> str:
        """The position as a short text, which `game.position` reads back."""
        return self.game.text(self.state)

    def action_text(self, action: Action) -> str:
        """An action of this position as a short text."""
        return self.game.action_text(self.state, action)

    def parse_action(self, text: str) -> Any:
        """The legal action that a text means here."""
        wanted = text.strip()
        texts = {self.action_text(action): action for action in self.actions()}
        if wanted in texts:
            return texts[wanted]
        lowered = {key.lower(): action for key, action in texts.items()}
        if len(lowered) == len(texts) and wanted.lower() in lowered:
            return lowered[wanted.lower()]
        try:
            action = self.game.parse_action(self.state, wanted)
        except (BadNotation, ValueError):
            action = None
        if action is not None and action in self.actions():
            return action
        raise IllegalAction(self._complaint(wanted))

    def picture(self) -> Picture | None:
        """What a board shows, for `views` to draw."""
        return self.game.picture(self.state)

    def _repr_svg_(self) -> str | None:
        """The board, as a notebook shows it; named by text, since pictures are drawn in a room above this one."""
        picture = self.picture()
        return None if picture is None else importlib.import_module("outplay.views.svg").board(picture, title=repr(self))

    def _complaint(self, text: str) -> str:
        where = f"in {shorten(self.text(), 80)}"
        if self.is_terminal():
            return f"illegal action {shorten(text)!r} {where}: the game is over"
        legal = [self.action_text(action) for action in self.actions()]
        near = nearest(text, legal)
        shown = " ".join(legal[:12]) + (" …" if len(legal) > 12 else "")
        return f"illegal action {shorten(text)!r} {where}: legal are {shown}" + (f" (did you mean {near!r}?)" if near else "")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position) or self.game is not other.game:
            return False
        return self.state == other.state or self.game.identity(self.state) == self.game.identity(other.state)

    def __hash__(self) -> int:
        return hash(self.game.identity(self.state))

    def __repr__(self) -> str:
        return f"load({self.game.name!r}).position({self.text()!r})"

    def __str__(self) -> str:
        return self.text()


# ---------------------------------------------------------------- compiled games


@kernel
def _describe(states: Any, actions: Any, probabilities: Any, utilities: Any) -> Any:
    """Player to move and number of actions of the first state; the buffers get the rest."""
    state = states[0]
    player = state.player()
    count = 0
    if not state.is_terminal():
        if player == CHANCE:
            count = state.chances(actions, probabilities)
        else:
            count = state.actions(actions)
    if count == 0:
        for p in range(len(utilities)):
            utilities[p] = state.utility(p)
    return player, count


@kernel
def _advance(states: Any, action: Any) -> None:
    states[0].play(action)


@kernel
def _evaluate(states: Any, player: Any, weights: Any) -> Any:
    return states[0].evaluate(player, weights)


@kernel
def _key(states: Any) -> Any:
    return states[0].key()


class CompiledGame(Game):
    """The Python face of a rules class; its states are the bytes of one record.

    The rules run in plain Python at first and compiled after `COMPILE_AFTER` calls; `compiled=True` or `False` fixes it.
    """

    def __init__(self, rules: Any, compiled: bool | None = None) -> None:
        self.rules = rules
        self.players, self.total, self.bounds, self.scale = rules.players, rules.total, rules.bounds, rules.scale
        given = {k: v for k, v in rules.parameters.items() if v != rules.definition.defaults[k]}
        self.name = rules.definition.name + (":" + ",".join(f"{k}={v}" for k, v in given.items()) if given else "")
        self.__doc__ = rules.__doc__
        self._compiled = False if UNCOMPILED else compiled
        self._calls = 0
        self._lock = threading.Lock()
        self._one = np.zeros(1, rules.layout)
        self._one_as_bytes = self._one.view(np.uint8)
        self._actions = np.zeros(rules.most_actions, np.int32)
        self._probabilities = np.zeros(rules.most_actions if rules.traits.chance else 1)
        self._utilities = np.zeros(rules.players)

    @functools.cached_property
    def traits(self) -> Traits:
        """What kind of game it is."""
        return self.rules.traits

    def offers(self, method: str) -> bool:
        """Whether the rules have this optional method."""
        return method in self.rules.offered

    def default_weights(self) -> Any:
        """The weights of the rules class."""
        return self.rules.weights

    def _runs_compiled(self) -> bool:
        self._calls += 1
        if self._compiled is None and self._calls > COMPILE_AFTER:
            self._compiled = True
        if self._compiled and not self.rules._bound:
            self.rules.states(1)
        return bool(self._compiled)

    def record(self, state: bytes) -> Any:
        """A fresh record with that state: an instance of the rules class, free to be changed."""
        return np.frombuffer(bytearray(state), self.rules.layout)[0]

    def _load(self, state: Any) -> np.ndarray:
        self._one_as_bytes[:] = np.frombuffer(state, np.uint8)
        return self._one

    def facts(self, state: Any) -> tuple[int, tuple[Action, ...], tuple[float, ...], tuple[float, ...]]:
        """Player to move, actions, their probabilities, and the utilities once the game is over: one call of the rules."""
        with self._lock, np.errstate(over="ignore"):
            run = _describe if self._runs_compiled() else _describe.python
            player, count = run(self._load(state), self._actions, self._probabilities, self._utilities)
            if count == 0:
                return int(player), (), (), tuple(self._utilities.tolist())
            probabilities = tuple(self._probabilities[:count].tolist()) if player == CHANCE else ()
            return int(player), tuple(self._actions[:count].tolist()), probabilities, ()

    def initial(self) -> bytes:
        """The bytes of the record in which the game starts."""
        with np.errstate(over="ignore"):
            states = np.zeros(1, self.rules.layout)
            if hasattr(self.rules, "start"):
                states[0].start()
            return states.tobytes()

    def result(self, state: Any, action: Any) -> bytes:
        """The bytes of the record after the action."""
        with self._lock, np.errstate(over="ignore"):
            run = _advance if self._runs_compiled() else _advance.python
            run(self._load(state), np.int32(action))
            return self._one.tobytes()

    def player(self, state: Any) -> int:
        """Who is to move."""
        return self.facts(state)[0]

    def actions(self, state: Any) -> tuple[Action, ...]:
        """What the player to move may do."""
        return self.facts(state)[1]

    def is_terminal(self, state: Any) -> bool:
        """Whether the game is over."""
        return bool(self.facts(state)[3])

    def utility(self, state: Any, player: int) -> float:
        """What the finished game is worth to a player."""
        return self.facts(state)[3][player]

    def chances(self, state: Any) -> Iterable[tuple[Action, float]]:
        """The outcomes of a chance node."""
        _, actions, probabilities, _ = self.facts(state)
        return zip(actions, probabilities, strict=False)

    def evaluate(self, state: Any, player: int, weights: Any = None) -> float:
        """EVAL in points."""
        with self._lock, np.errstate(over="ignore"):
            run = _evaluate if self._runs_compiled() else _evaluate.python
            return float(run(self._load(state), player, self.rules.weights if weights is None else weights))

    def noisy(self, state: Any) -> tuple[Action, ...]:
        """The actions that quiescence search still looks at."""
        with np.errstate(over="ignore"):
            out = np.zeros(self.rules.most_actions, np.int32)
            return tuple(out[: self.record(state).noisy(out)].tolist())

    def order(self, state: Any, action: Any) -> float:
        """The game's own guess at how early to try an action."""
        with np.errstate(over="ignore"):
            return float(self.record(state).order(np.int32(action)))

    def cost(self, state: Any, action: Any) -> int:
        """What an action costs."""
        with np.errstate(over="ignore"):
            return int(self.record(state).cost(np.int32(action)))

    def estimate(self, state: Any) -> int:
        """What the rest of the way costs at least."""
        with np.errstate(over="ignore"):
            return int(self.record(state).estimate())

    def key(self, state: Any) -> int:
        """The 64-bit hash of the position."""
        with self._lock, np.errstate(over="ignore"):
            run = _key if self._runs_compiled() else _key.python
            return int(run(self._load(state)))

    def observe(self, state: Any, player: int) -> bytes:
        """The record with all that the player does not know erased."""
        with np.errstate(over="ignore"):
            record = self.record(state)
            record.observe(player)
            return record.tobytes()

    def deal(self, view: Any, player: int, source: np.ndarray) -> bytes:
        """A random full record consistent with a player's view."""
        with np.errstate(over="ignore"):
            record = self.record(view)
            record.deal(player, source)
            return record.tobytes()

    def text(self, state: Any) -> str:
        """The position as a short text: the author's, else the fields."""
        record = self.record(state)
        with np.errstate(over="ignore"):
            return record.text() if hasattr(self.rules, "text") else _fields_text(record)

    def parse(self, text: str) -> bytes:
        """The position that a text describes."""
        record = np.zeros(1, self.rules.layout)[0]
        try:
            with np.errstate(over="ignore"):
                if hasattr(self.rules, "parse"):
                    record.parse(text.strip())
                else:
                    _parse_fields(record, text)
                problem = record.valid() if hasattr(self.rules, "valid") else None
        except OutplayError:
            raise
        except (ValueError, KeyError, IndexError, OverflowError, TypeError) as failure:
            raise BadNotation(f"{self.name}: cannot read position {shorten(text)!r} ({failure})") from None
        if problem:
            raise BadNotation(f"{self.name}: impossible position {shorten(text)!r}: {problem}")
        return record.tobytes()

    def action_text(self, state: Any, action: Any) -> str:
        """An action as a short text: the author's, else its number."""
        return self.record(state).action_text(int(action)) if hasattr(self.rules, "action_text") else str(action)

    def parse_action(self, state: Any, text: str) -> Action:
        """The action that a text means here, by the author's own reading."""
        if not hasattr(self.rules, "parse_action"):
            raise BadNotation(text)
        return int(self.record(state).parse_action(text))

    def identity(self, state: Any) -> Hashable:
        """What makes two records the same position: their bytes, unless the author says otherwise."""
        return self.record(state).identity() if hasattr(self.rules, "identity") else state

    def picture(self, state: Any) -> Picture | None:
        """What a board shows."""
        with np.errstate(over="ignore"):
            return self.record(state).picture() if hasattr(self.rules, "picture") else None


def _fields_text(record: Any) -> str:
    """A record as `field=value` pairs, for games without a notation of their own."""
    shown = []
    for field in record.dtype.names[:-1]:
        value = record[field]
        shown.append(f"{field}=" + ("/".join(str(x) for x in np.ravel(value).tolist()) if np.ndim(value) else str(value)))
    return ";".join(shown)


def _parse_fields(record: Any, text: str) -> None:
    given = dict(part.split("=", 1) for part in text.split(";") if "=" in part)
    names = record.dtype.names[:-1]
    if set(given) != set(names) or text.count(";") != len(names) - 1:
        raise BadNotation(f"expected {';'.join(f'{name}=…' for name in names)}, got {shorten(text)!r}")
    for name, value in given.items():
        kind, shape = record.dtype[name].base, record.dtype[name].shape
        numbers = [kind.type(float(part) if kind.kind == "f" else int(part)) for part in value.split("/")]
        record[name] = np.array(numbers, kind).reshape(shape) if shape else numbers[0]
        if not shape and len(numbers) != 1:
            raise BadNotation(f"{name} takes one number, got {value!r}")


# ---------------------------------------------------------------- finding games


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
    import sys

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
