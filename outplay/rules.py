"""The contract of a game: one decorator makes a class with typed fields and a few methods a game.

    @game("nim")
    class Nim:
        heaps: Array[i8, 3]
        turn: i8

        def start(self): ...            # fills a record of zeros; left out when zeros are the start
        def actions(self, out): ...     # fills out[], returns how many; none: the game is over
        def play(self, action): ...     # changes self
        def utility(self, player): ...  # read only when the game is over

A game with parameters is a function that makes the class, with each parameter's range (or tuple of choices) in the decorator:

    @game("connect four", width=range(1, 10), height=range(1, 9))
    def connect_four(width=7, height=6): ...

The class becomes a subclass of ``np.record``, so an element of an array of its ``layout`` is an instance with its methods in plain
Python, and compiled code finds the same methods by the record's type. Everything else is optional, and each method that a class
has switches something on; `OPTIONAL` lists them.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from outplay import jit
from outplay.errors import BadValue, RulesError, UnknownName
from outplay.jit import below, f64, fingerprint, i32, i64, mix, u64
from outplay.values import CHANCE, Traits

REQUIRED = ("actions", "play", "utility")

OPTIONAL = {
    "player": "player(): who is to move, CHANCE at a chance node; left out, the field `turn` says it",
    "is_terminal": "is_terminal(): the end of the game seen without listing actions",
    "chances": "chances(out, probabilities): the outcomes of a chance node, returns how many",
    "evaluate": "evaluate(player, weights): a heuristic value in points; `weights` is the class's array of numbers",
    "candidates": "candidates(out): like actions, without some that win no more and no sooner than one it keeps; for solving",
    "outlook": "outlook(): the least and the greatest utility to the player to move, as far as one look proves it; for solving",
    "count_actions": "count_actions(out): how many actions there are, counted without listing them; `out` has room for a list",
    "noisy": "noisy(out): the actions that quiescence search still looks at, returns how many",
    "order": "order(action): the higher, the earlier an action is tried",
    "key": "key(): a 64-bit hash of the position; left out, all fields are hashed",
    "canonical": "canonical(): changes self to the representative of its symmetric twins",
    "urgent": "urgent(): whether a threat must be answered now (a check): searched deeper, never judged at a glance",
    "pass_turn": "pass_turn(): gives the move away, returns False where that is not allowed",
    "repeatable": "repeatable(): how many plies back an equal position can lie; a repetition is a draw",
    "observe": "observe(player): erases from self all that the player does not know",
    "deal": "deal(player, source): fills what observe erased with a random state consistent with the rest",
    "choose": "choose(out, source): a playout's next action, -1 when the game is over; `out` has room for listing actions",
    "prior": "prior(action): how many virtual games an action won before it is tried, and of how many; for Monte Carlo with RAVE",
    "planes": "planes(player, out): a network's input of the shape `plane_shape`, as the player sees the position",
    "cost": "cost(action): what an action costs one who looks for a way, a whole number from 1 up; left out, 1",
    "estimate": "estimate(): a whole number that the rest of the way costs at least (an admissible heuristic); left out, 0",
    "redundant": "redundant(previous, action): whether the action right after the previous one need not be tried on a shortest way",
}

PYTHON_ONLY = {"start", "identity", "text", "parse", "action_text", "parse_action", "picture", "valid"}
"""Methods that only the Python face calls: notation, picture, set-up. They are never compiled and stale no kernel."""


def game(name: str, **ranges: Any) -> Callable[[Any], Definition]:
    """Make a class, or a function that makes one from parameters, a game of that name."""

    def decorate(maker: Any) -> Definition:
        return Definition(name, maker, ranges)

    return decorate


class Definition:
    """A game as its author wrote it; call it with parameters to get the rules class."""

    def __init__(self, name: str, maker: Any, ranges: Mapping[str, Any]) -> None:
        self.name = name
        self.maker = maker
        self.ranges = dict(ranges)
        self.__doc__ = maker.__doc__
        self.__module__ = maker.__module__
        self.defaults: dict[str, Any] = {}
        self._made: dict[tuple, Any] = {}
        if inspect.isclass(maker):
            if ranges:
                raise RulesError(f"{name}: a class takes no parameters; make it in a function that takes {', '.join(ranges)}")
        else:
            self.defaults = {key: p.default for key, p in inspect.signature(maker).parameters.items()}
            for key, default in self.defaults.items():
                if default is inspect.Parameter.empty:
                    raise RulesError(f"{name}: parameter {key!r} needs a default value")
                if key not in ranges:
                    raise RulesError(f"{name}: parameter {key!r} needs its range in the decorator")
            for key in ranges:
                if key not in self.defaults:
                    raise RulesError(f"{name}: the decorator gives a range for {key!r}, which is not a parameter")

    def __call__(self, **parameters: Any) -> Any:
        """The rules class for these parameters."""
        chosen = {**self.defaults, **{key: self._checked(key, value) for key, value in parameters.items()}}
        signature = tuple(sorted(chosen.items()))
        if signature not in self._made:
            cls = self.maker if inspect.isclass(self.maker) else self.maker(**chosen)
            self._made[signature] = make_rules(self, cls, chosen)
        return self._made[signature]

    def _checked(self, key: str, value: Any) -> Any:
        if key not in self.defaults:
            if not self.defaults:
                raise BadValue(f"{self.name} takes no parameters, got {key}={value}")
            raise UnknownName(f"parameter of {self.name}", key, self.defaults)
        default, allowed = self.defaults[key], self.ranges[key]
        try:
            value = _parse_parameter(value, default)
        except (TypeError, ValueError, KeyError):
            raise BadValue(f"{self.name}: {key} must be {describe_range(allowed)}, got {value!r}") from None
        if callable(allowed):
            return allowed(value)
        inside = allowed[0] <= value <= allowed[1] if _is_interval(allowed) else value in allowed
        if not inside:
            raise BadValue(f"{self.name}: {key} must be {describe_range(allowed)}, got {value!r}")
        return value


def _parse_parameter(value: Any, default: Any) -> Any:
    """A parameter in the type of its default; texts come from the command line."""
    if isinstance(default, bool):
        if isinstance(value, str):
            return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}[value.lower()]
        if isinstance(value, bool):
            return value
        raise ValueError
    if isinstance(default, int):
        if isinstance(value, bool | float):
            raise ValueError
        return int(value)
    if isinstance(default, float):
        return float(value)
    return str(value)


def _is_interval(allowed: Any) -> bool:
    return isinstance(allowed, tuple) and len(allowed) == 2 and all(isinstance(end, float) for end in allowed)


def describe_range(allowed: Any) -> str:
    """The range of a parameter in words.

    >>> describe_range(range(1, 10)), describe_range(("queen", "knight")), describe_range((0.0, 1.0))
    ('a whole number from 1 to 9', "one of 'queen', 'knight'", 'a number from 0.0 to 1.0')
    """
    if isinstance(allowed, range):
        return f"a whole number from {allowed.start} to {allowed.stop - 1}"
    if _is_interval(allowed):
        return f"a number from {allowed[0]} to {allowed[1]}"
    if callable(allowed):
        return (allowed.__doc__ or "valid").strip().splitlines()[0]
    return f"one of {', '.join(repr(choice) for choice in allowed)}"


def describe(method: str) -> str:
    """What a method of the contract is for."""
    return OPTIONAL.get(method) or {
        "actions": "actions(out): fills out, returns how many",
        "play": "play(action): changes self",
        "utility": "utility(player): what the finished game is worth",
    }[method]


class Rules(np.record):  # type: ignore[misc]  # NumPy marks it final for checkers, not at run time
    """What every game class inherits; the class body of the author overrides it."""

    players = 2
    total: float | None = 0.0  # what the utilities of all players add up to; None in general-sum games
    bounds = (-1.0, 1.0)  # the least and the greatest utility of one player
    scale = 1.0  # points of the evaluation that one unit of utility is worth
    most_actions = 256  # no position has more actions (or chance outcomes) than this
    weights = np.zeros(1)
    plane_shape: tuple[int, ...] = ()  # what `planes` fills, such as (4, 9, 9)
    prefers = ""  # the engine's search that plays this game best, where it is not the one its traits suggest
    claim_after: int | None = None  # plies without progress (see `repeatable`) after which a player may claim a draw
    tuning: Mapping[str, float] = {}  # options of Monte Carlo search that suit this game, where nobody gives others

    layout: np.dtype
    definition: Definition
    parameters: dict[str, Any]
    offered: frozenset[str]
    traits: Traits
    compiled_methods: dict[str, Callable]
    _bound = False

    @classmethod
    def states(cls, count: int = 1) -> np.ndarray:
        """An array of zeroed states that kernels take."""
        if not cls._bound:
            jit.bind(cls.layout, cls.compiled_methods)
            cls._bound = True
        return np.zeros(count, cls.layout)


def make_rules(definition: Definition, cls: type, parameters: dict[str, Any]) -> Any:
    """Turn the author's class into a record class with its layout, traits and fingerprint."""
    name = definition.name
    fields = _fields(name, cls)
    functions = {key: value for key, value in vars(cls).items() if inspect.isfunction(value)}
    for needed in REQUIRED:
        if needed not in functions:
            raise RulesError(f"{name}: the class lacks the method {needed}(self, ...)")
    if "player" not in functions and "turn" not in fields and getattr(cls, "players", 2) > 1:
        raise RulesError(f"{name}: give the class a field `turn` or a method `player(self)` to say who is to move")
    if ("observe" in functions) != ("deal" in functions):
        raise RulesError(f"{name}: `observe` and `deal` belong together: what a player sees, and what it may not see")

    offered = frozenset(functions) & OPTIONAL.keys()
    takes = {key: value.__code__.co_argcount for key, value in _defaults(fields).items()}
    takes |= {"key": 1, "actions": 2, "play": 2, "utility": 2}
    for key in takes.keys() & functions.keys():
        if functions[key].__code__.co_argcount != takes[key]:
            raise RulesError(f"{name}: {key} is a method of the contract and takes {takes[key] - 1} arguments: {describe(key)}")
    compiled = {key: value for key, value in {**_defaults(fields), **functions}.items() if key not in PYTHON_ONLY}
    if "key" not in functions:
        compiled["key"] = _hash_of_fields(fields)
    for optional in OPTIONAL:
        compiled[f"offers_{optional}"] = _yes if optional in offered else _no
    stamp = "v" + fingerprint(name, sorted(fields), *(value for _, value in sorted(compiled.items())))
    record = np.dtype([*((field, *spec) for field, spec in fields.items()), (stamp, np.uint8)], align=True)

    body = {key: value for key, value in vars(cls).items() if key not in ("__dict__", "__weakref__", "__annotations__")}
    made: Any = type(cls.__name__, (Rules,), {**compiled, **body})
    made.layout = np.dtype((made, record))
    made.definition, made.parameters, made.offered, made.compiled_methods = definition, parameters, offered, compiled
    if "evaluate" in offered and "scale" not in body:
        made.scale = 10_000.0
    made.traits = _traits(made)
    return made


def _fields(name: str, cls: type) -> dict[str, tuple]:
    fields: dict[str, tuple] = {}
    scope = {**vars(jit), **vars(sys.modules[cls.__module__])}
    for field, kind in vars(cls).get("__annotations__", {}).items():
        if isinstance(kind, str):  # the author's file has `from __future__ import annotations`
            try:
                kind = eval(kind, scope)
            except NameError as problem:
                raise RulesError(f"{name}: the type of field {field!r} cannot be read ({problem})") from None
        spec = kind if isinstance(kind, tuple) else (kind,)
        try:
            scalar = np.dtype(spec[0])
        except TypeError:
            raise RulesError(f"{name}: field {field!r} needs a number type such as i8, u64 or Array[i8, 9], got {kind!r}") from None
        if scalar.kind not in "iufb":
            raise RulesError(f"{name}: field {field!r} needs a number type such as i8, u64 or Array[i8, 9], got {kind!r}")
        if hasattr(np.record, field) or hasattr(Rules, field):
            raise RulesError(f"{name}: a field cannot be called {field!r}: NumPy's records use that name; choose another")
        fields[field] = spec
    if not fields:
        raise RulesError(f"{name}: the class needs at least one typed field, such as `turn: i8`")
    return fields


def _traits(cls: Any) -> Traits:
    total = None if cls.total is None else float(cls.total)
    kind = "general" if total is None or cls.players == 1 else "zero" if total == 0 else "constant"
    return Traits(
        players=cls.players,
        chance="chances" in cls.offered,
        information="hidden" if "observe" in cls.offered else "perfect",
        sum=kind,
        total=total if cls.players > 1 else None,
        bounds=(float(cls.bounds[0]), float(cls.bounds[1])),
        scale=float(cls.scale),
    )


# ---------------------------------------------------------------- what a class has not, it gets from here


def _yes(self: Any) -> bool:
    return True


def _no(self: Any) -> bool:
    return False


def _defaults(fields: Mapping[str, tuple]) -> dict[str, Callable]:
    """A method for each optional name that the author left out, so that kernels need no special cases."""

    def player_by_turn(self: Any) -> Any:
        return i64(self.turn)

    def the_only_player(self: Any) -> Any:
        return 0

    def is_terminal(self: Any) -> bool:
        return False

    def chances(self: Any, out: Any, probabilities: Any) -> int:
        return 0

    def evaluate(self: Any, player: Any, weights: Any) -> float:
        return 0.0

    def candidates(self: Any, out: Any) -> int:
        return 0

    def outlook(self: Any) -> tuple[int, int]:
        return -1, 1

    def count_actions(self: Any, out: Any) -> Any:
        return self.actions(out)

    def noisy(self: Any, out: Any) -> int:
        return 0

    def order(self: Any, action: Any) -> int:
        return 0

    def canonical(self: Any) -> None:
        pass

    def urgent(self: Any) -> bool:
        return False

    def pass_turn(self: Any) -> bool:
        return False

    def repeatable(self: Any) -> int:
        return 0

    def observe(self: Any, player: Any) -> None:
        pass

    def deal(self: Any, player: Any, source: Any) -> None:
        pass

    def choose(self: Any, out: Any, source: Any) -> Any:
        count = self.actions(out)
        return out[below(source, count)] if count > 0 else i32(-1)

    def prior(self: Any, action: Any) -> tuple[float, float]:
        return 0.0, 0.0

    def planes(self: Any, player: Any, out: Any) -> None:
        pass

    def cost(self: Any, action: Any) -> int:
        return 1

    def estimate(self: Any) -> int:
        return 0

    def redundant(self: Any, previous: Any, action: Any) -> bool:
        return False

    player = player_by_turn if "turn" in fields else the_only_player
    rest = (is_terminal, chances, evaluate, candidates, outlook, count_actions, noisy, order, canonical,
            urgent, pass_turn, repeatable, observe, deal, choose, prior, planes, cost, estimate, redundant)
    return {"player": player, **{function.__name__: function for function in rest}}


def _hash_of_fields(fields: Mapping[str, tuple]) -> Callable:
    """A `key` method that hashes every field: written out as source, since compiled code cannot loop over field names."""
    lines = ["def key(self):", "    word = u64(0)"]
    for field, spec in fields.items():
        floating = np.dtype(spec[0]).kind == "f"
        whole = "u64(i64(f64({0}) * 65536.0))" if floating else "u64({0})"
        access, indent = f"self.{field}", "    "
        for axis, size in enumerate(spec[1] if len(spec) > 1 else ()):
            lines.append(f"{indent}for i{axis} in range({size}):")
            indent += "    "
            access += f"[i{axis}]" if axis == 0 else ""
            if axis:
                access = access[:-1] + f", i{axis}]"
        lines.append(f"{indent}word = mix(word + u64(0x9E3779B97F4A7C15) ^ {whole.format(access)})")
    lines.append("    return word")
    scope: dict[str, Any] = {"u64": u64, "i64": i64, "f64": f64, "mix": mix, "__name__": __name__}
    exec("\n".join(lines), scope)
    return scope["key"]


__all__ = ["CHANCE", "OPTIONAL", "Definition", "Rules", "describe_range", "game"]
