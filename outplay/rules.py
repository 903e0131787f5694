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
`FACETS`; each method that a class has switches something on.
"""

from __future__ import annotations

import ast
import contextlib
import difflib
import inspect
import sys
import textwrap
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from outplay import jit
from outplay.compiling import habits
from outplay.compiling.problems import place
from outplay.errors import BadValue, RulesError, UnknownName
from outplay.jit import below, f64, fingerprint, i32, i64, mix, u64
from outplay.values import CHANCE, Traits

REQUIRED = {
    "actions": "actions(out): fills out with the legal actions, whole numbers from 0, and returns how many",
    "play": "play(action): changes self; at a chance node the action is an outcome",
    "utility": "utility(seat): what the finished game is worth to a seat",
}

FACETS: dict[str, dict[str, str]] = {
    "Sides": {
        "player": "player(): the seat to move, CHANCE at a chance node; left out, the field `turn` says it",
    },
    "Ends": {
        "is_terminal": "is_terminal(): True if and only if there are no actions, seen without listing them",
    },
    "Draws": {
        "is_drawn": "is_drawn(): whether a rule ends the game as a draw although there are actions",
        "reversible": "reversible(): plies since the last irreversible one: how far back an equal position can lie",
    },
    "Chance": {
        "chances": "chances(out, probabilities): the outcomes of a chance node, returns how many",
        "draw": "draw(source): one random outcome of a chance node, for outcomes that cannot be listed",
    },
    "Hidden": {
        "observe": "observe(seat): erases from self all that the seat does not know",
        "deal": "deal(seat, source): fills what observe erased at random; returns the weight of the try, 0.0 to 1.0",
        "hold": "hold(seat, hand): gives the seat the private hand of that number, 0 to `private_hands` - 1, in place of its own "
                "or before any is dealt; returns how likely it is beside the other hand and what lies open, 0.0 where it cannot be",
        "hand_rank": "hand_rank(seat): how strong a seat's private hand is in a finished game whose utilities only ask which of "
                     "the two is stronger, a whole number; 0 where they ask nothing",
    },
    "Judgement": {
        "evaluate": "evaluate(seat, weights): a heuristic value in points; `weights` is the class's array of numbers",
        "urgent": "urgent(): whether a threat must be answered now (a check): searched deeper, never judged at a glance",
        "pass_turn": "pass_turn(): gives the move away, returns False where that is not allowed",
        "period": "period(): which part of the game this is, from 0 for the opening: Multi-ProbCut has a fit for each",
    },
    "Order": {
        "order": "order(action): a whole number: above 0 forcing, 0 quiet, below 0 looks bad; the higher, the earlier",
        "forcing": "forcing(out): the actions that quiescence search still looks at, returns how many",
    },
    "Identity": {
        "key": "key(): a 64-bit hash of the position; left out, all fields are hashed",
        "transform": "transform(symmetry): changes self to its twin under a symmetry, 0 being the identity",
        "transform_action": "transform_action(symmetry, action): the action of the twin that this action of the original becomes",
        "canonical": "canonical(): changes self to the representative of its twins, returns the symmetry that did it",
    },
    "Solving": {
        "solving": "solving(out): the actions worth trying where only the exact value matters; returns how many, and the least and "
                   "the greatest utility to the player to move that one look proves",
        "solving_order": "solving_order(action): as `order`, where only the exact value matters: it may cost more, and is worth it",
        "settle": "settle(low, high): a quick proof of its own, such as the last few cells searched at once: how many positions it "
                  "looked at, and proved bounds of the utility to the player to move; bounds beyond the window need not be near",
    },
    "Monte Carlo": {
        "choose": "choose(out, source): a playout's next action, -1 when the game is over; `out` has room for listing actions",
        "policy": "policy(action): how likely a good player takes an action, a weight from 0 up",
        "prior": "prior(action): how many virtual games an action won before it is tried, and of how many; for RAVE",
    },
    "Network": {
        "planes": "planes(seat, out): a network's input of the shape `plane_shape`, as the seat sees the position",
        "targets": "targets(out): what else a network learns to foresee of a finished game, `target_count` numbers in -1..1 for "
                   "seat 0, such as who owns each point; target i turns with the board as action i does",
        "outcome": "outcome(seat, out): which of the `outcomes` came true for a seat in a finished game, from 0 to 1",
        "network": "network(): which of several networks judges this position, such as one for the race",
    },
    "Problem": {
        "cost": "cost(action): what an action costs one who looks for a path, a whole number from 1 up; left out, 1",
        "estimate": "estimate(): a whole number that the rest of the path costs at least (an admissible heuristic); left out, 0",
        "redundant": "redundant(previous, action): whether the action right after the previous one is on no path worth trying",
    },
    "Tables": {
        "table_class": "table_class(): the class of positions that this one is numbered in, a whole number from 0; -1 for none",
        "table_index": "table_index(): the number of this position in its class, from 0",
        "table_place": "table_place(klass, index): changes self to the position of that number; returns False where there is none",
        "retractions": "retractions(out): the moves that may have led here from the same class or from one built with it; returns "
                       "how many. Too many do no harm",
        "retract": "retract(retraction): takes one of them back",
        "probe": "probe(files, states, actions, at): what files of tables in a format of the game's own world say of this "
                 "position, states[at]: 0 a draw, SOME_WIN or SOME_LOSS of `engine.endgame`, -1 nothing; the rows behind `at` of "
                 "states and actions are free",
    },
    "Accumulators": {
        "refresh": "refresh(): computes the fields marked Derived from the others",
    },
}
"""The optional methods, by facet."""

OPTIONAL = {name: words for facet in FACETS.values() for name, words in facet.items()}

ATTRIBUTES = {
    "players": "how many seats",
    "sides": "which seats play together, such as ((0, 2), (1, 3)); left out, everyone plays alone",
    "seat_names": "what the seats are called, such as ('White', 'Black')",
    "total": "what the utilities of all sides add up to; None in general-sum games",
    "bounds": "the least and the greatest utility of one seat",
    "scale": "points of the evaluation that one unit of utility is worth",
    "unit": "what one point of the evaluation is called",
    "stake": "what a clear gain (a pawn) is in points: the margins of the search are multiples of it",
    "weights": "the numbers that `evaluate` gets: a list, a tuple or an array of any type",
    "most_actions": "no position has more actions (or listed chance outcomes) than this",
    "wide_actions": "whether actions need 64 bits",
    "bulk_counting": "whether actions(None) counts the actions without listing them",
    "counts_ended": "whether perft counts a game that was over before, as programs of that game do",
    "repetitions": "how often a position must come up for a draw; None: never",
    "draw_after": "reversible plies after which the game is a draw; None: never",
    "private_hands": "how many private hands a seat of two can hold, where all that both do is seen by both: the public tree",
    "private_cards": "the cards of each private hand, one or two: all pairs of hands without a common card are equally likely",
    "recall": "whether a view tells all that its seat saw and did",
    "symmetries": "how many symmetries `transform` knows, the identity included",
    "horizon": "plies after which a playout is cut and judged; None: never",
    "plane_shape": "what `planes` fills, such as (4, 9, 9)",
    "policy_size": "the numbers of all actions are below this; left out, `most_actions`",
    "target_count": "how many numbers `targets` fills",
    "outcomes": "how many kinds of result a network tells apart",
    "outcome_worth": "what each outcome is worth in points, and last what it is worth when none comes true",
    "outcome_flip": "for each outcome, which one of the other side it is: (index, offset, factor)",
    "networks": "how many networks `network` chooses between",
    "margins": "aspiration, futility and singular of the selective search, as `outplay tune GAME --margins` fits them",
    "probcut": "Multi-ProbCut's fits, the array that `outplay tune GAME --probcut` writes",
}
"""The class attributes of the contract."""

ASKED_BEFORE = {"hold", "hand_rank"}
"""Methods without a default: kernels that call them are compiled for games that have them only."""

PYTHON_ONLY = {"start", "identity", "text", "parse", "action_text", "parse_action", "picture", "valid", "table_classes",
               "plies_left"}
"""Methods that only the Python face calls: notation, picture, set-up. They are never compiled and stale no kernel.

`plies_left()` is how many plies the game can still last at most, not counting passes: the solver plans by it."""

GIVEN = {"side", "count_actions", "bind", "states", "room"}
"""Methods that every class is given: side(seat), count_actions(out) and the room for states and actions."""

ARGUMENTS = {"text": 1, "parse": 2, "action_text": 2, "parse_action": 2, "picture": 1, "valid": 1, "start": 1, "identity": 1,
             "table_classes": 2, "plies_left": 1}


class Derived:
    """The type of a field that `play` keeps up to date beside the state: ``totals: Derived[i16, 46]``, ``hash: Derived[u64]``.

    It is no part of the key, the text or of what makes positions equal; `refresh` computes it from the other fields.
    """

    def __init__(self, spec: tuple) -> None:
        self.spec = spec

    def __class_getitem__(cls, item: Any) -> Derived:
        """A field of that element type and shape."""
        kind, *shape = item if isinstance(item, tuple) else (item,)
        return cls((kind, tuple(shape)) if shape else (kind,))


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
    return OPTIONAL.get(method) or REQUIRED[method]


class Rules(np.record):  # type: ignore[misc]  # NumPy marks it final for checkers, not at run time
    """What every game class inherits; the class body of the author overrides it."""

    players = 2
    sides: tuple[tuple[int, ...], ...] = ()
    seat_names: tuple[str, ...] = ()
    total: float | None = 0.0
    bounds = (-1.0, 1.0)
    scale = 1.0
    unit = "points"
    stake: float | None = None  # the engine measures it where the author gives none
    most_actions = 256
    wide_actions = False
    bulk_counting = False
    counts_ended = False
    weights = np.zeros(1)
    repetitions: int | None = 3  # of those games that have `reversible`
    draw_after: int | None = None
    private_hands = 0
    private_cards: Any = ()
    recall = True
    symmetries = 1
    horizon: int | None = None
    plane_shape: tuple[int, ...] = ()
    policy_size = 0
    target_count = 0
    outcomes = 1
    outcome_worth: tuple[float, ...] = ()
    outcome_flip: tuple[tuple[float, float, float], ...] = ((0, 1.0, -1.0),)
    networks = 1
    margins: Mapping[str, int] = MappingProxyType({})
    probcut: np.ndarray | None = None

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
            jit.bind(cls.layout, cls.compiled_methods, cls.constants)
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


def make_rules(definition: Definition, cls: type, parameters: dict[str, Any]) -> Any:
    """Turn the author's class into a record class with its layout, traits and fingerprint."""
    name = definition.name
    if not inspect.isclass(cls):
        raise RulesError(f"{name}: the function must return the class, got {cls!r}")
    if issubclass(cls, Rules):
        raise RulesError(f"{name}: a finished rules class cannot be a game once more; name the decorated game itself as the base")
    ancestry = [each for each in reversed(cls.__mro__) if each is not object]
    body = {key: value for each in ancestry for key, value in vars(each).items() if key not in _MADE_BY_PYTHON}
    fields, derived = _fields(name, ancestry)
    functions = {key: value for key, value in body.items() if inspect.isfunction(value)}
    _check_names(name, functions, body)
    _check_facets(name, functions, fields, body)

    offered = frozenset(functions) & OPTIONAL.keys()
    takes = {key: value.__code__.co_argcount for key, value in _defaults(fields).items()}
    takes |= {"hold": 3, "hand_rank": 2, "key": 1, "actions": 2, "play": 2, "utility": 2, **ARGUMENTS}
    for key in takes.keys() & functions.keys():
        if functions[key].__code__.co_argcount != takes[key]:
            meaning = f": {describe(key)}" if key not in ARGUMENTS else ""
            raise RulesError(f"{name}: {key} is a method of the contract and takes {takes[key] - 1} arguments{meaning}")
    if derived and "refresh" not in offered:
        raise RulesError(f"{name}: the derived field {min(derived)!r} needs a method refresh(self) that computes it")
    compiled: dict[str, Any] = {key: value for key, value in {**_defaults(fields), **functions}.items()
                if key not in PYTHON_ONLY and not getattr(value, "is_uncompiled", False)}
    if "key" not in functions:
        compiled["key"] = _hash_of_fields({field: spec for field, spec in fields.items() if field not in derived})
    for optional in OPTIONAL.keys() - ASKED_BEFORE:
        compiled[f"offers_{optional}"] = _yes if optional in offered else _no
    compiled["count_actions"] = _count_with_none if body.get("bulk_counting") else _count_by_listing
    compiled["side"] = _side_of(_checked_sides(name, body))
    compiled, constants = habits.prepare(name, compiled, body, (*REQUIRED, *OPTIONAL))
    stamp = "v" + fingerprint(name, sorted(fields), constants, *(value for _, value in sorted(compiled.items())))
    record = np.dtype([*((field, *spec) for field, spec in fields.items()), (stamp, np.uint8)], align=True)

    made: Any = type(cls.__name__, (Rules,), {**compiled, **body})
    made.layout = np.dtype((made, record))
    made.definition, made.parameters, made.offered, made.compiled_methods = definition, parameters, offered, compiled
    made.derived, made.constants = derived, constants
    made.action_type = np.int64 if made.wide_actions else np.int32
    made.weights = _as_weights(name, made.weights)
    if "evaluate" in offered and "scale" not in body:
        made.scale = 10_000.0
    made.traits = _traits(made)
    return made


_MADE_BY_PYTHON = {"__dict__", "__weakref__", "__annotations__", "__annotate__", "__annotate_func__", "__annotations_cache__",
                   "__static_attributes__", "__firstlineno__"}


def _check_names(name: str, functions: Mapping[str, Any], body: Mapping[str, Any]) -> None:
    """Refuse what is likely a misspelt name of the contract: near to one, and used by nothing in the class."""
    for needed in REQUIRED:
        if needed not in functions:
            raise RulesError(f"{name}: the class lacks the method {needed}(self, ...)" + _hint(needed, functions))
    for taken in functions.keys() & GIVEN:
        raise RulesError(f"{name}: every game is given a method {taken!r}; call yours something else")
    known = {*REQUIRED, *OPTIONAL, *PYTHON_ONLY}
    used = {each for function in functions.values() for each in _names_in(function.__code__)}
    for key, value in body.items():
        if key.startswith("__") or key in used or key in known or key in ATTRIBUTES:
            continue
        near = difflib.get_close_matches(key, known if callable(value) else [*ATTRIBUTES], n=1, cutoff=0.85)
        if near and near[0] not in body and not hasattr(value, "is_uncompiled"):
            kind = "method" if callable(value) else "attribute"
            raise RulesError(f"{name}: no {kind} of the contract is called {key!r}, and nothing in the class uses it: "
                             f"did you mean {near[0]!r}?")


def _hint(needed: str, functions: Mapping[str, Any]) -> str:
    near = difflib.get_close_matches(needed, [key for key in functions if key not in OPTIONAL], n=1, cutoff=0.7)
    return f": did you mean it by {near[0]!r}?" if near else ""


def _names_in(code: Any) -> set[str]:
    """All names that a function's code mentions, its inner functions included."""
    return set(code.co_names).union(*(_names_in(each) for each in code.co_consts if inspect.iscode(each)))


def _check_facets(name: str, functions: Mapping[str, Any], fields: Mapping[str, Any], body: Mapping[str, Any]) -> None:
    """Methods and attributes that are of no use without each other."""
    if "player" not in functions and "turn" not in fields and body.get("players", 2) > 1:
        raise RulesError(f"{name}: give the class a field `turn` or a method `player(self)` to say who is to move")
    if ("observe" in functions) != ("deal" in functions):
        raise RulesError(f"{name}: `observe` and `deal` belong together: what a seat sees, and what it may not see")
    if ("hold" in functions) != bool(body.get("private_hands")):
        raise RulesError(f"{name}: `hold` and `private_hands` (how many a seat can hold) belong together")
    if "hold" in functions and ("observe" not in functions or body.get("players", 2) != 2):
        raise RulesError(f"{name}: `hold` is for two seats of which each hides a hand: it needs `observe` and `deal`")
    if "hand_rank" in functions and ("hold" not in functions or not len(body.get("private_cards", ()))):
        raise RulesError(f"{name}: `hand_rank` needs `hold` and `private_cards`, the cards of each hand")
    if "transform_action" in functions and "transform" not in functions:
        raise RulesError(f"{name}: `transform_action` needs `transform(self, symmetry)`, which changes the position likewise")
    if ("transform" in functions) != (body.get("symmetries", 1) > 1):
        raise RulesError(f"{name}: `transform` and `symmetries` (their number, the identity included) belong together")
    if "planes" in functions and not body.get("plane_shape"):
        raise RulesError(f"{name}: `planes` needs `plane_shape`, such as (4, 9, 9)")
    if body.get("draw_after") is not None and "reversible" not in functions:
        raise RulesError(f"{name}: `draw_after` counts what `reversible(self)` returns, and the class lacks that method")
    names = body.get("seat_names", ())
    if names and len(names) != body.get("players", 2):
        raise RulesError(f"{name}: seat_names has {len(names)} names for {body.get('players', 2)} players")


def _checked_sides(name: str, body: Mapping[str, Any]) -> tuple[tuple[int, ...], ...]:
    players, sides = body.get("players", 2), tuple(tuple(side) for side in body.get("sides", ()))
    if sides and sorted(seat for side in sides for seat in side) != [*range(players)]:
        raise RulesError(f"{name}: sides must share out the seats 0 to {players - 1}, such as ((0, 2), (1, 3)), got {sides}")
    return sides


def _as_weights(name: str, weights: Any) -> np.ndarray:
    """The weights of a class as an array; lists and tuples of numbers will do."""
    try:
        array = np.asarray(weights)
    except ValueError:
        array = np.array(None)
    if array.dtype.kind not in "iufb" or array.ndim == 0:
        raise RulesError(f"{name}: weights must be numbers in a list, a tuple or an array, got {weights!r}")
    return array if array.size else np.zeros(1)


def _fields(name: str, ancestry: list[type]) -> tuple[dict[str, tuple], frozenset[str]]:
    """The fields of a class and of what it inherits from, and which of them are derived."""
    fields: dict[str, tuple] = {}
    derived = set()
    for cls in ancestry:
        module = sys.modules.get(cls.__module__)
        scope = {**vars(jit), "Derived": Derived, **(vars(module) if module else {})}
        for field, kind in inspect.get_annotations(cls).items():
            if isinstance(kind, str):  # the author's file has `from __future__ import annotations`
                try:
                    kind = eval(kind, scope)
                except NameError as problem:
                    raise _field_refused(name, cls, field, f"has a type that cannot be read ({problem})") from None
            if isinstance(kind, Derived):
                derived.add(field)
                kind = kind.spec
            if any(field in vars(each) for each in ancestry):  # plain Python would read that, and compiled code the field
                raise _field_refused(name, cls, field, f"cannot have a value in the class: set self.{field} in start(self)")
            fields[field] = _checked_field(name, cls, field, kind)
    if not fields:
        raise RulesError(f"{name}: the class needs at least one typed field, such as `turn: i8`")
    return fields, frozenset(derived)


def _field_refused(name: str, cls: type, field: str, why: str) -> RulesError:
    """What is wrong with a field, and where it stands, if the source can be had."""
    where = ""
    with contextlib.suppress(OSError, TypeError, SyntaxError):
        lines, first = inspect.getsourcelines(cls)
        for node in ast.walk(ast.parse(textwrap.dedent("".join(lines)))):
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == field:
                text = lines[node.lineno - 1].strip()
                where = place(inspect.getsourcefile(cls) or "", first + node.lineno - 1, "", text) + ": "
    return RulesError(f"{name}: {where}field {field!r} {why}")


def _checked_field(name: str, cls: type, field: str, kind: Any) -> tuple:
    spec = kind if isinstance(kind, tuple) else (kind,)
    try:
        letter = np.dtype(spec[0]).kind
    except TypeError:
        letter = "O"
    if letter == "b":
        spec = np.uint8, *spec[1:]  # one byte, 0 or 1: Numba's records know no arrays of bool
    if letter not in "iufb":
        raise _field_refused(name, cls, field, f"needs a number type such as i8, u64 or Array[i8, 9], got {kind!r}")
    if len(spec) > 1:
        shape = tuple(size for axis in spec[1] for size in (axis if isinstance(axis, tuple) else (axis,)))
        if not all(isinstance(size, int | np.integer) and size > 0 for size in shape):
            wanted = f"needs a shape of whole numbers from 1, such as Array[i8, 6, 6], got {shape}"
            raise _field_refused(name, cls, field, wanted)
        spec = spec[0], tuple(int(size) for size in shape)
    if field in (*REQUIRED, *OPTIONAL, *ATTRIBUTES):
        raise _field_refused(name, cls, field, "cannot have that name, which the contract uses: choose another")
    if hasattr(np.record, field) or hasattr(Rules, field):
        raise _field_refused(name, cls, field, "cannot have that name, which NumPy's records use: choose another")
    return spec


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


def _defaults(fields: Mapping[str, tuple]) -> dict[str, Callable]:
    """A method for each optional name that the author left out, so that kernels need no special cases."""

    def player_by_turn(self: Any) -> Any:
        return i64(self.turn)

    def the_only_player(self: Any) -> Any:
        return 0

    def is_terminal(self: Any) -> bool:
        return False

    def is_drawn(self: Any) -> bool:
        return False

    def reversible(self: Any) -> int:
        return 0

    def chances(self: Any, out: Any, probabilities: Any) -> int:
        return 0

    def draw(self: Any, source: Any) -> Any:
        return i32(-1)

    def observe(self: Any, seat: Any) -> None:
        pass

    def deal(self: Any, seat: Any, source: Any) -> float:
        return 1.0

    def evaluate(self: Any, seat: Any, weights: Any) -> float:
        return 0.0

    def urgent(self: Any) -> bool:
        return False

    def pass_turn(self: Any) -> bool:
        return False

    def period(self: Any) -> int:
        return 0

    def order(self: Any, action: Any) -> int:
        return 0

    def forcing(self: Any, out: Any) -> int:
        return 0

    def transform(self: Any, symmetry: Any) -> None:
        pass

    def transform_action(self: Any, symmetry: Any, action: Any) -> Any:
        return action

    def canonical(self: Any) -> int:
        return 0

    def solving(self: Any, out: Any) -> tuple[int, int, int]:
        return 0, -1, 1

    def solving_order(self: Any, action: Any) -> int:
        return 0

    def settle(self: Any, low: Any, high: Any) -> tuple[int, int, int]:
        return 0, low - 1, high + 1

    def choose(self: Any, out: Any, source: Any) -> Any:
        count = self.actions(out)
        return out[below(source, count)] if count > 0 else i32(-1)

    def policy(self: Any, action: Any) -> float:
        return 1.0

    def prior(self: Any, action: Any) -> tuple[float, float]:
        return 0.0, 0.0

    def planes(self: Any, seat: Any, out: Any) -> None:
        pass

    def targets(self: Any, out: Any) -> None:
        pass

    def outcome(self: Any, seat: Any, out: Any) -> None:
        pass

    def network(self: Any) -> int:
        return 0

    def cost(self: Any, action: Any) -> int:
        return 1

    def estimate(self: Any) -> int:
        return 0

    def redundant(self: Any, previous: Any, action: Any) -> bool:
        return False

    def refresh(self: Any) -> None:
        pass

    def table_class(self: Any) -> int:
        return -1

    def table_index(self: Any) -> int:
        return 0

    def table_place(self: Any, klass: Any, index: Any) -> bool:
        return False

    def retractions(self: Any, out: Any) -> int:
        return 0

    def retract(self: Any, retraction: Any) -> None:
        pass

    def probe(self: Any, files: Any, states: Any, actions: Any, at: Any) -> int:
        return -1

    player = player_by_turn if "turn" in fields else the_only_player
    rest = (is_terminal, is_drawn, reversible, chances, draw, observe, deal, evaluate, urgent, pass_turn, period, order, forcing,
            transform, transform_action, canonical, solving, solving_order, settle, choose, policy, prior, planes, targets,
            outcome, network, cost, estimate, redundant, refresh, table_class, table_index, table_place,
            retractions, retract, probe)
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


__all__ = ["ATTRIBUTES", "CHANCE", "FACETS", "OPTIONAL", "Definition", "Derived", "Rules", "describe_range", "game", "uncompiled"]
