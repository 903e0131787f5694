"""The contract of a game: one decorator makes a class with typed fields and a few methods a game.

    @game("nim")
    class Nim:
        heaps: Array[i8, 3]
        turn: i8

        def start(self): ...            # fills a record of zeros; left out when zeros are the start
        def actions(self, out): ...     # fills out[], returns how many; none: the game is over
        def play(self, action): ...     # changes self
        def utility(self, seat): ...    # read only when the game is over

A game with parameters is a function that makes the class, with each parameter's range (or tuple of choices) in the decorator:

    @game("connect four", width=range(1, 10), height=range(1, 9))
    def connect_four(width=7, height=6): ...

The class becomes a subclass of ``np.record``, so an element of an array of its ``layout`` is an instance with its methods in plain
Python, and compiled code finds the same methods by the record's type. Everything else is optional and belongs to a facet of
`outplay.contract`; each method that a class has switches something on.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from outplay import jit, refusals
from outplay.compiling import habits
from outplay.contract import ASKED_BEFORE, ATTRIBUTES, FACETS, OPTIONAL, PYTHON_ONLY, REQUIRED, Derived, defaults
from outplay.errors import BadValue, RulesError, UnknownName
from outplay.jit import f64, fingerprint, i64, mix, u64
from outplay.values import CHANCE, Traits


def names_a_file(check: Callable) -> Callable:
    """Mark the range of a parameter whose value names a file: data such as a saved game may not choose it, only a person."""
    check.names_a_file = True  # type: ignore[attr-defined]  # a mark on a function
    return check


def uncompiled(function: Callable) -> Callable:
    """Mark a method that only notation and picture call: it may use all of Python, and is never compiled."""
    function.is_uncompiled = True  # type: ignore[attr-defined]  # a mark on a function
    return function


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

    def __mro_entries__(self, bases: tuple) -> tuple[type, ...]:
        """A class that names a game as its base inherits what the author wrote there (with the default parameters)."""
        return (self.maker if inspect.isclass(self.maker) else self.maker(**self.defaults),)

    def __call__(self, **parameters: Any) -> Any:
        """The rules class for these parameters."""
        chosen = {**self.defaults, **{key: self._checked(key, value) for key, value in parameters.items()}}
        signature = tuple(sorted(chosen.items()))
        if signature not in self._made:
            cls = self.maker if inspect.isclass(self.maker) else self.maker(**chosen)
            self._made[signature] = make_rules(self, cls, chosen)
        return self._made[signature]

    def full_name(self, parameters: Mapping[str, Any]) -> str:
        """The game's name with the parameters that are not as usual."""
        given = [f"{key}={value}" for key, value in parameters.items() if value != self.defaults[key]]
        return self.name + (":" + ",".join(given) if given else "")

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


class Rules(np.record):  # type: ignore[misc]  # NumPy marks it final for checkers, not at run time
    """What every game class inherits; the class body of the author overrides it."""

    most_actions: int  # and the other attributes of `outplay.contract`, with their defaults
    layout: np.dtype
    definition: Definition
    parameters: dict[str, Any]
    offered: frozenset[str]
    derived: frozenset[str]  # the fields marked Derived
    action_type: type  # of the buffers that hold actions: np.int32 or np.int64
    traits: Traits
    compiled_methods: dict[str, Callable]
    constants: dict[str, Any]
    _bound = False

    @classmethod
    def bind(cls) -> None:
        """Let compiled code find the methods; once is enough."""
        if not cls._bound:
            jit.bind(cls.layout, cls.compiled_methods, cls.constants, cls.definition.full_name(cls.parameters))
            cls._bound = True

    @classmethod
    def states(cls, count: int = 1) -> np.ndarray:
        """An array of zeroed states that kernels take."""
        cls.bind()
        return np.zeros(count, cls.layout)

    @classmethod
    def room(cls, *shape: int) -> np.ndarray:
        """Zeroed room for actions, of the type that this game's actions need."""
        return np.zeros(shape or (cls.most_actions,), cls.action_type)


for _attribute in ATTRIBUTES.values():
    setattr(Rules, _attribute.name, _attribute.default)


def make_rules(definition: Definition, cls: type, parameters: dict[str, Any]) -> Any:
    """Turn the author's class into a record class with its layout, traits and fingerprint."""
    name = definition.name
    if not inspect.isclass(cls):
        raise RulesError(f"{name}: the function must return the class, got {cls!r}")
    if issubclass(cls, Rules):
        raise RulesError(f"{name}: a finished rules class cannot be a game once more; name the decorated game itself as the base")
    ancestry = [each for each in reversed(cls.__mro__) if each is not object]
    body = {key: value for each in ancestry for key, value in vars(each).items() if key not in _MADE_BY_PYTHON}
    fields, derived = refusals.fields_of(name, ancestry, parameters, Rules)
    functions = {key: value for key, value in body.items() if inspect.isfunction(value)}
    refusals.check_names(name, functions, body)
    refusals.check_arguments(name, functions)
    refusals.check_facets(name, functions, fields, body)

    offered = frozenset(functions) & OPTIONAL.keys()
    if derived and "refresh" not in offered:
        raise RulesError(f"{name}: the derived field {min(derived)!r} needs a method refresh(self) that computes it")
    compiled: dict[str, Any] = {key: value for key, value in {**defaults(fields), **functions}.items()
                if key not in PYTHON_ONLY and not getattr(value, "is_uncompiled", False)}
    if "key" not in functions:
        compiled["key"] = _hash_of_fields({field: spec for field, spec in fields.items() if field not in derived})
    for optional in OPTIONAL.keys() - ASKED_BEFORE:
        compiled[f"offers_{optional}"] = _yes if optional in offered else _no
    compiled["count_actions"] = _count_with_none if body.get("bulk_counting") else _count_by_listing
    compiled["side"] = _side_of(refusals.sides_of(name, body))
    compiled, constants = habits.prepare(name, compiled, body, (*REQUIRED, *OPTIONAL))
    stamp = "v" + fingerprint(name, sorted(fields), constants, *(value for _, value in sorted(compiled.items())))
    record = np.dtype([*((field, *spec) for field, spec in fields.items()), (stamp, np.uint8)], align=True)

    made: Any = type(cls.__name__, (Rules,), {**compiled, **body})
    made.layout = np.dtype((made, record))
    made.definition, made.parameters, made.offered, made.compiled_methods = definition, parameters, offered, compiled
    made.derived, made.constants = derived, constants
    made.action_type = np.int64 if made.wide_actions else np.int32
    made.weights = refusals.weights_of(name, made.weights)
    if "evaluate" in offered and "scale" not in body:
        made.scale = 10_000.0
    made.traits = _traits(made)
    return made


_MADE_BY_PYTHON = {"__dict__", "__weakref__", "__annotations__", "__annotate__", "__annotate_func__", "__annotations_cache__",
                   "__static_attributes__", "__firstlineno__"}


def _traits(cls: Any) -> Traits:
    total = None if cls.total is None else float(cls.total)
    kind = "general" if total is None or cls.players == 1 else "zero" if total == 0 else "constant"
    sides = len(cls.sides) or cls.players
    return Traits(
        players=cls.players,
        chance=not cls.offered.isdisjoint({"chances", "draw"}),
        information="hidden" if "observe" in cls.offered else "perfect",
        sum=kind,
        total=total if cls.players > 1 else None,
        bounds=(float(cls.bounds[0]), float(cls.bounds[1])),
        scale=float(cls.scale),
        sides=sides,
        sampled="draw" in cls.offered and "chances" not in cls.offered,
        recall=bool(cls.recall),
    )


# ---------------------------------------------------------------- what a class has not, it gets from here


def _yes(self: Any) -> bool:
    return True


def _no(self: Any) -> bool:
    return False


def _count_by_listing(self: Any, out: Any) -> Any:
    return self.actions(out)


def _count_with_none(self: Any, out: Any) -> Any:
    return self.actions(None)


def _side_of(sides: tuple[tuple[int, ...], ...]) -> Callable:
    """A method that tells a seat's side: the seat itself where everyone plays alone."""
    by_seat = tuple(number for _, number in sorted((seat, number) for number, side in enumerate(sides) for seat in side))

    def own_side(self: Any, seat: Any) -> Any:
        return seat

    def shared_side(self: Any, seat: Any) -> Any:
        return i64(by_seat[seat]) if seat >= 0 else i64(seat)

    return shared_side if sides else own_side


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


__all__ = ["ATTRIBUTES", "CHANCE", "FACETS", "OPTIONAL", "Definition", "Derived", "Rules", "describe_range", "game", "names_a_file",
           "uncompiled"]
