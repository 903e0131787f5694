"""The contract of a game in one table: each name with its signature, its words, its default and its facet.

A facet is a class below. Its methods are the methods that a game may have: the signature is theirs, their words are the docstring,
and their body is what holds where an author leaves one out. The lists of names that the rest of the house goes by, the defaults of
every game, what is refused, and the guide all follow from these classes.

>>> OPTIONAL["order"]
'order(action): a whole number: above 0 forcing, 0 quiet, below 0 looks bad; the higher, the earlier'
>>> sorted(REQUIRED), ATTRIBUTES["players"].default
(['actions', 'play', 'utility'], 2)
"""

# mypy: allow-untyped-defs, allow-incomplete-defs
from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from outplay.jit import below, i32, i64


class Method(NamedTuple):
    """A method of the contract."""

    name: str
    arguments: tuple[str, ...]  # without self
    words: str
    facet: str
    default: Callable | None  # what compiled code calls where an author has none
    is_compiled: bool  # otherwise only the Python face calls it: it may use all of Python, and stales no kernel

    @property
    def told(self) -> str:
        """Signature and words."""
        return f"{self.name}({', '.join(self.arguments)}): {self.words}"


class Attribute(NamedTuple):
    """A class attribute of the contract."""

    name: str
    default: Any
    words: str
    facet: str


def python_only(function: Callable) -> Callable:
    """Mark a method that only the Python face calls."""
    function.is_python_only = True  # type: ignore[attr-defined]  # a mark on a function
    return function


def asked_before(function: Callable) -> Callable:
    """Mark a method without a default: what calls it is compiled for games that have it only."""
    function.has_no_default = True  # type: ignore[attr-defined]  # a mark on a function
    return function


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


class Required:
    """What every game has."""

    def actions(self, out):
        """fills out with the legal actions, whole numbers from 0, and returns how many"""

    def play(self, action):
        """changes self; at a chance node the action is an outcome"""

    def utility(self, seat):
        """what the finished game is worth to a seat"""


class Sides:
    """Who plays."""

    players = 2, "how many seats"
    sides = (), "which seats play together, such as ((0, 2), (1, 3)); left out, everyone plays alone"
    seat_names = (), "what the seats are called, such as ('White', 'Black')"
    total = 0.0, "what the utilities of all sides add up to; None in general-sum games"
    bounds = (-1.0, 1.0), "the least and the greatest utility of one seat"
    pays = "", "what a utility is counted in, such as chips; left out, it is a game won (1), lost (-1) or drawn, or a number alone"

    def player(self):
        """the seat to move, CHANCE at a chance node; left out, the field `turn` says it"""
        return i64(self.turn)


class Actions:
    """How actions are kept."""

    most_actions = 256, "no position has more actions (or listed chance outcomes) than this"
    wide_actions = False, "whether actions need 64 bits"
    bulk_counting = False, "whether actions(None) counts the actions without listing them"
    counts_ended = False, "whether perft counts a game that was over before, as programs of that game do"


class Ends:
    """When the game is over."""

    def is_terminal(self):
        """True if and only if there are no actions, seen without listing them"""
        return False


class Draws:
    """Draws by a rule, and by the referee."""

    repetitions = 3, "how often a position must come up for a draw; None: never"
    draw_after = None, "reversible plies after which the game is a draw; None: never"

    def is_drawn(self):
        """whether a rule ends the game as a draw although there are actions"""
        return False

    def reversible(self):
        """plies since the last irreversible one: how far back an equal position can lie"""
        return 0


class Chance:
    """Dice and cards."""

    def chances(self, out, probabilities):
        """the outcomes of a chance node, returns how many"""
        return 0

    def draw(self, source):
        """one random outcome of a chance node, for outcomes that cannot be listed"""
        return i32(-1)


class Hidden:
    """What a seat does not know."""

    private_hands = 0, "how many private hands a seat of two can hold, where all that both do is seen by both: the public tree"
    private_cards = (), "the cards of each private hand, one or two: all pairs of hands without a common card are equally likely"
    stays_hidden = False, "whether what a seat does not know stays hidden when the game is over, as the cards of whoever folded"
    recall = True, "whether a view tells all that its seat saw and did"

    def observe(self, seat):
        """erases from self all that the seat does not know"""

    def deal(self, seat, source):
        """fills what observe erased at random; returns the weight of the try, 0.0 to 1.0"""
        return 1.0

    @python_only
    def is_public(self, action):
        """whether everybody sees this action, chance's included; left out: none is, where there is `observe`, and else all are"""

    @python_only
    def veiled_text(self, action):
        """what the others see of an action that is not public, such as `swap 3`; left out: nothing"""

    @asked_before
    def hold(self, seat, hand):
        """gives the seat the private hand of that number, 0 to `private_hands` - 1, in place of its own or before any is dealt;
        returns how likely it is beside the other hand and what lies open, 0.0 where it cannot be"""

    @asked_before
    def hand_rank(self, seat):
        """how strong a seat's private hand is in a finished game whose utilities only ask which of the two is stronger, a whole
        number; 0 where they ask nothing"""


class Judgement:
    """How good a position looks."""

    scale = 1.0, "points of the evaluation that one unit of utility is worth"
    unit = "points", "what one point of the evaluation is called"
    stake = None, "what a clear gain (a pawn) is in points: the margins of the search are multiples of it; left out, it is measured"
    weights = np.zeros(1), "the numbers that `evaluate` gets: a list, a tuple or an array of any type"
    evaluation = None, "what the weights are called, and what may be learned beside them: an `outplay.evaluations.Evaluation`"

    def evaluate(self, seat, weights):
        """a heuristic value in points; `weights` is the class's array of numbers"""
        return 0.0

    def urgent(self):
        """whether a threat must be answered now (a check): searched deeper, never judged at a glance"""
        return False

    def pass_turn(self):
        """gives the move away, returns False where that is not allowed"""
        return False

    @asked_before
    def pattern_state(self):
        """of an evaluation by patterns: the words of bits of mine and of theirs, the player to move's first, and the phase"""


class Order:
    """Which actions to look at first."""

    def order(self, action):
        """a whole number: above 0 forcing, 0 quiet, below 0 looks bad; the higher, the earlier"""
        return 0

    def forcing(self, out):
        """the actions that quiescence search still looks at, returns how many"""
        return 0


class Identity:
    """Which positions are one."""

    symmetries = 1, "how many symmetries `transform` knows, the identity included"

    def key(self):
        """a 64-bit hash of the position; left out, all fields are hashed"""

    @python_only
    def identity(self):
        """what makes two positions equal, anything that can be hashed; left out, their fields"""

    def transform(self, symmetry):
        """changes self to its twin under a symmetry, 0 being the identity"""

    def transform_action(self, symmetry, action):
        """the action of the twin that this action of the original becomes"""
        return action

    def canonical(self):
        """changes self to the representative of its twins, returns the symmetry that did it"""
        return 0


class Engine:
    """What the engine's own searches and the solver ask."""

    margins: Any = MappingProxyType({}), "aspiration, futility, singular of the search, as `outplay tune GAME --margins` fits them"
    probcut = None, "Multi-ProbCut's fits, the array that `outplay tune GAME --probcut` writes"

    def period(self):
        """which part of the game this is, from 0 for the opening: Multi-ProbCut has a fit for each"""
        return 0

    def solving(self, out):
        """the actions worth trying where only the exact value matters; returns how many, and the least and the greatest utility to
        the player to move that one look proves"""
        return 0, -1, 1

    def solving_order(self, action):
        """as `order`, where only the exact value matters: it may cost more, and is worth it"""
        return 0

    def settle(self, low, high):
        """a quick proof of its own, such as the last few cells searched at once: how many positions it looked at, and proved bounds
        of the utility to the player to move; bounds beyond the window need not be near"""
        return 0, low - 1, high + 1

    @python_only
    def plies_left(self):
        """how many plies the game can still last at most, not counting passes: the solver plans by it"""


class Monte_Carlo:
    """Playouts and trees of simulations."""

    horizon = None, "plies after which a playout is cut and judged; None: never"

    def choose(self, out, source):
        """a playout's next action, -1 when the game is over; `out` has room for listing actions"""
        count = self.actions(out)
        return out[below(source, count)] if count > 0 else i32(-1)

    def prior(self, action):
        """how many virtual games an action won before it is tried, and of how many; for RAVE"""
        return 0.0, 0.0


class Network:
    """What networks see and say."""

    plane_shape = (), "what `planes` fills, such as (4, 9, 9)"
    policy_size = 0, "the numbers of all actions are below this; left out, `most_actions`"
    target_count = 0, "how many numbers `targets` fills"

    def planes(self, seat, out):
        """a network's input of the shape `plane_shape`, as the seat sees the position"""

    def targets(self, out):
        """what else a network learns to foresee of a finished game, `target_count` numbers in -1..1 for seat 0, such as who owns
        each point; target i turns with the board as action i does"""

    def outcome(self, seat, out):
        """which of the evaluation's `outcomes` came true for a seat in a finished game, from 0 to 1"""

    def network(self):
        """which of several networks judges this position, such as one for the race"""
        return 0

    @asked_before
    def nnue_inputs(self, seat, out):
        """of an evaluation by NNUE: lists the inputs that are set as a seat sees the position, returns how many"""

    def nnue_bucket(self):
        """of an evaluation by NNUE with several last layers: which of them is meant"""
        return 0


class Problem:
    """A way to a goal."""

    def cost(self, action):
        """what an action costs one who looks for a path, a whole number from 1 up; left out, 1"""
        return 1

    def estimate(self):
        """a whole number that the rest of the path costs at least (an admissible heuristic); left out, 0"""
        return 0

    def redundant(self, previous, action):
        """whether the action right after the previous one is on no path worth trying"""
        return False


class Tables:
    """Endgame tables."""

    race_size = 0, "how many positions of one side there are that race home alone, for a table of how long each takes"
    race_rolls = 0, "in how many rolls such a race is surely over"

    def table_class(self):
        """the class of positions that this one is numbered in, a whole number from 0; -1 for none"""
        return -1

    def table_index(self):
        """the number of this position in its class, from 0"""
        return 0

    def table_place(self, klass, index):
        """changes self to the position of that number; returns False where there is none"""
        return False

    def retractions(self, out):
        """the moves that may have led here from the same class or from one built with it; returns how many. Too many do no harm"""
        return 0

    def retract(self, retraction):
        """takes one of them back"""

    def probe(self, files, states, actions, at):
        """what files of tables in a format of the game's own world say of this position, states[at]: 0 a draw, SOME_WIN or
        SOME_LOSS of `engine.endgame`, -1 nothing; the rows behind `at` of states and actions are free"""
        return -1

    @python_only
    def table_classes(self, name):
        """the classes of a name, each with the number of its positions and those it leads to, for `outplay tables build`"""

    @asked_before
    def race_index(self, seat):
        """the number of a side's part of a race, from 0 for home"""

    @asked_before
    def race_place(self, index):
        """puts the first player there, to roll, and the other where it is never met"""

    @asked_before
    def bear_off(self, weights, first, on_roll):
        """the chance of the side on roll to win a race, from a table of `race_size` rows that begins at weights[first]"""


class Accumulators:
    """Fields that `play` keeps up to date."""

    def refresh(self):
        """computes the fields marked Derived from the others"""


class Notation:
    """How positions and actions are written, drawn and begun; only the Python face asks."""

    @python_only
    def start(self):
        """fills a record of zeros; left out, zeros are the start"""

    @python_only
    def text(self):
        """the position as a short text; left out, its fields"""

    @python_only
    def parse(self, text):
        """fills a record of zeros from such a text"""

    @python_only
    def valid(self):
        """what is wrong with a position that was read, in words, or None"""

    @python_only
    def action_text(self, action):
        """an action as a short text; left out, its number"""

    @python_only
    def parse_action(self, text):
        """the action that a text means, however else it may be spelt"""

    @python_only
    def task(self):
        """what whoever is to move is to do, as a sentence: `Place your pawn on any free cell.`; left out or empty, to move"""

    @python_only
    def ending_text(self):
        """how the finished game ended, in words: `White is checkmated`; left out, nothing"""

    @python_only
    def standing(self, seat):
        """what a seat has so far, as far as all may see it, in words: `53 points`; left out or empty, nothing"""

    @python_only
    def picture(self):
        """what a board shows: an `outplay.picture.Picture`"""


ROWS = (Sides, Actions, Ends, Draws, Chance, Hidden, Judgement, Order, Identity, Engine, Monte_Carlo, Network, Problem, Tables,
        Accumulators, Notation)  # fmt: skip


def _methods(facet: type) -> list[Method]:
    found = []
    for name, function in vars(facet).items():
        if inspect.isfunction(function):
            words = " ".join((function.__doc__ or "").split())
            compiled = not hasattr(function, "is_python_only")
            default = None if not compiled or hasattr(function, "has_no_default") else _without_words(function)
            arguments = tuple(inspect.signature(function).parameters)[1:]
            found.append(Method(name, arguments, words, facet.__name__.replace("_", " "), default, compiled))
    return found


def _without_words(function: Any) -> Callable:
    """The function without its docstring: other words make no other code."""
    code = function.__code__
    constants = tuple(None if each == function.__doc__ else each for each in code.co_consts)
    return types.FunctionType(code.replace(co_consts=constants), function.__globals__, function.__name__)


METHODS: Mapping[str, Method] = {each.name: each for facet in (Required, *ROWS) for each in _methods(facet)}
"""Every method that the contract knows, by name."""

ATTRIBUTES: Mapping[str, Attribute] = {
    name: Attribute(name, pair[0], pair[1], facet.__name__.replace("_", " "))
    for facet in ROWS for name, pair in vars(facet).items() if isinstance(pair, tuple) and not name.startswith("__")
}  # fmt: skip
"""The class attributes of the contract."""

REQUIRED = {each.name: each.told for each in METHODS.values() if each.facet == "Required"}
OPTIONAL = {each.name: each.told for each in METHODS.values() if each.name not in REQUIRED and each.is_compiled}
"""The optional methods that are compiled, each with its signature and words."""
FACETS = {
    facet.__name__.replace("_", " "): {each.name: each.told for each in _methods(facet)} for facet in ROWS if _methods(facet)
}
"""The optional methods, by facet."""

ASKED_BEFORE = {each.name for each in METHODS.values() if each.is_compiled and each.default is None} - REQUIRED.keys()
"""Methods without a default: kernels that call them are compiled for games that have them only."""
PYTHON_ONLY = {each.name for each in METHODS.values() if not each.is_compiled}
"""Methods that only the Python face calls. They are never compiled and stale no kernel."""
GIVEN = {"side", "count_actions", "bind", "states", "room"}
"""Methods that every class is given: side(seat), count_actions(out) and the room for states and actions."""


def describe(method: str) -> str:
    """What a method of the contract is for, with its signature."""
    return METHODS[method].told


def defaults(fields: Mapping[str, tuple]) -> dict[str, Callable]:
    """What compiled code calls for each optional method that an author left out, so that kernels need no special cases."""
    made: dict[str, Any] = {name: METHODS[name].default for name in OPTIONAL if name not in ASKED_BEFORE and name != "key"}
    return made if "turn" in fields else {**made, "player": _the_only_player}


def _the_only_player(self: Any) -> Any:
    return 0
