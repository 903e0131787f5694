"""The frozen values that everything hands along: limits in, results out, and what a picture shows.

>>> Limits(depth=4, seconds=1.5)
Limits(depth=4, seconds=1.5)
>>> Limits(depth=-1)
Traceback (most recent call last):
outplay.errors.BadValue: depth must be 0 or more, got -1

A Result tells of each action that the search knows something of in one shape, a `Choice`; all values of a Result are from one point
of view and in one unit:

>>> result = Result("a1", 3.0, choices=(Choice("a1", 3.0, visits=7), Choice("a2", 2.0, visits=3)))
>>> result.each("visits")
{'a1': 7, 'a2': 3}
"""

from __future__ import annotations

import enum
import hashlib
import json
import math
import numbers
import random
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from html import escape
from pathlib import Path
from typing import Any

from outplay.errors import BadValue, OutplayError, Unavailable, shorten
from outplay.files import write_whole
from outplay.picture import Cell as Cell  # games take their pictures' words from here too
from outplay.picture import Picture as Picture

MOST_SHOWN = 20  # choices of a result in a notebook

Action = Hashable
"""One choice of a player or of chance: a whole number in compiled games, any hashable value in plain ones."""

Value = float | tuple[float, ...]
"""What a position is worth: to MAX (player 0) in two-player zero-sum games, a vector with one entry per player otherwise."""

UTILITY = "utility"
"""The unit of a value that is what the game itself pays; any other unit is one of an evaluation."""

CHANCE = -1
"""The "player" at a chance node."""


@dataclass(frozen=True, repr=False)
class Limits:
    """When a search must stop; None is no limit. Limits combine: the first one reached stops the search."""

    depth: int | None = None
    seconds: float | None = None
    nodes: int | None = None
    simulations: int | None = None
    remaining: float | None = None  # seconds on the player's clock, for this move and all that follow
    increment: float | None = None  # seconds that come back with each move

    def __post_init__(self) -> None:
        for part in fields(self):
            value: Any = getattr(self, part.name)
            whole = part.name in ("depth", "nodes", "simulations")
            is_number = isinstance(value, numbers.Integral if whole else numbers.Real) and not isinstance(value, bool)
            if value is not None and not is_number:
                wanted = "a whole number" if whole else "a number"
                raise BadValue(f"{part.name} must be {wanted}, got {value!r}")
            if value is not None and not 0 <= value < math.inf:
                raise BadValue(f"{part.name} must be 0 or more, got {value}")

    def __repr__(self) -> str:
        given = ", ".join(f"{p.name}={getattr(self, p.name)!r}" for p in fields(self) if getattr(self, p.name) is not None)
        return f"Limits({given})"


@dataclass(frozen=True)
class Traits:
    """What kind of game it is, along the lectures' axes."""

    players: int
    chance: bool
    information: str  # "perfect" or "hidden"
    sum: str  # "zero", "constant" or "general"
    total: float | None = 0.0  # what all utilities add up to; None when they do not add up to a constant
    bounds: tuple[float, float] = (-1.0, 1.0)  # the least and the greatest utility of a player
    scale: float = 1.0  # points of the evaluation that one unit of utility is worth
    sides: int = 0  # how many sides the players form; without partnerships as many as there are players
    sampled: bool = False  # whether chance's outcomes can only be drawn, not listed
    recall: bool = True  # whether what a player sees tells all that it saw and did before

    def __post_init__(self) -> None:
        object.__setattr__(self, "sides", self.sides or self.players)


@dataclass(frozen=True)
class Outcome:
    """How a finished game ended."""

    utilities: tuple[float, ...]

    @property
    def winner(self) -> int | None:
        """The one player who got more than every other, or None for a draw (or for a game of one player)."""
        best = max(self.utilities)
        if len(self.utilities) == 1 or self.utilities.count(best) > 1:
            return None
        return self.utilities.index(best)


class Ending(enum.StrEnum):
    """Why a game is over; the words for people, with names and numbers, stand beside it."""

    RULES = "rules"
    REPETITION = "repetition"
    NO_PROGRESS = "no progress"
    TIME = "time"
    RESIGNED = "resigned"
    ILLEGAL = "illegal"  # a player played what the rules forbid
    FAILED = "failed"  # a player broke
    TOO_LONG = "too long"
    DECIDED = "decided"  # by an arbiter


@dataclass(frozen=True)
class Step:
    """One event of a traced search.

    ``event`` is "enter" (a node is reached, with its window), "leave" (a node returns its value), "cut" (the rest of a node's
    actions is skipped, with the reason), "leaf" (a node is finished or cut off) or a word that the algorithm explains itself.
    ``path`` is the actions that lead from the root to the node.
    """

    event: str
    path: tuple[Action, ...]
    kind: str = ""  # "max", "min", "chance", "player 2" for the third player, "or" and "and" in a search for a plan
    alpha: float | None = None
    beta: float | None = None
    value: Value | None = None
    depth: int | None = None
    skipped: tuple[Action, ...] = ()
    reason: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Choice:
    """What a search knows of one action: its value has the point of view and the unit of the Result that it belongs to."""

    action: Action
    value: Value | None = None  # None: never looked at
    interval: tuple[float, float] | None = None  # holds the value with 95 %; of a vector, the entry of the player to move
    visits: int | None = None
    share: float | None = None  # how often a mixed strategy plays it
    proved: bool = False  # no evaluation, limit or sample stands behind the value
    line: tuple[Action, ...] = ()  # the play expected after it, itself first
    distance: int | None = None  # plies to the end of the game, where that end is in sight


@dataclass(frozen=True)
class Result:
    """What a search found.

    ``value`` is MAX's (player 0's) in a two-player zero-sum game, whoever is to move, and the vector of all players otherwise; so
    are the values of the ``choices``, which come best first. ``unit`` says what one of it is: the game's own utility, or the points
    of an evaluation, of which ``scale`` make one unit of utility. ``exact`` says that no evaluation or limit stood in for the end
    of the game. A search that gives no choices knows one: what it plays.
    """

    action: Action | None
    value: Value
    line: tuple[Action, ...] = ()
    depth: int = 0
    nodes: int = 0
    leaves: int = 0
    seconds: float = 0.0
    algorithm: str = ""
    exact: bool = True
    trace: tuple[Step, ...] = ()
    choices: tuple[Choice, ...] = ()
    unit: str = UTILITY
    scale: float = 1.0
    facts: Mapping[str, Any] = field(default_factory=dict)  # what only this algorithm knows: cutoffs, table hits, cost

    def __post_init__(self) -> None:
        if not self.choices and self.action is not None:
            only = Choice(self.action, self.value, proved=self.exact, line=self.line, distance=self.facts.get("distance"))
            object.__setattr__(self, "choices", (only,))

    def each(self, name: str) -> dict[Action, Any]:
        """One field of all choices, by action: ``result.each("visits")``."""
        return {choice.action: getattr(choice, name) for choice in self.choices}

    def rows(self) -> list[dict[str, Any]]:
        """One row for each choice, for tables: `pandas.DataFrame(result.rows())`."""
        names = [part.name for part in fields(Choice) if part.name not in ("line", "distance")]
        return [{name: getattr(choice, name) for name in names} for choice in self.choices]

    def choice(self, action: Action) -> Choice | None:
        """What is known of one action."""
        return next((choice for choice in self.choices if choice.action == action), None)

    def _repr_html_(self) -> str:
        """What was found, as a notebook shows it: the value, and a row for each choice.

        >>> Result("a1", 3.0, choices=(Choice("a1", 3.0), Choice("a<2", 2.0)))._repr_html_().count("<tr>")
        3
        """
        told = f"value {self.value} in {self.unit}{', proved' if self.exact else ''} · depth {self.depth} · {self.nodes:,} nodes"
        known = ("action", "value", "visits", "share")
        heads = [part for part in known if any(getattr(one, part) is not None for one in self.choices)]
        rows = ["".join(f"<th>{head}</th>" for head in heads)]
        for one in self.choices[:MOST_SHOWN]:
            rows.append("".join(f"<td>{escape(str(getattr(one, head)))}</td>" for head in heads))
        table = "".join(f"<tr>{row}</tr>" for row in rows)
        return f"<p><strong>{escape(self.algorithm or 'result')}</strong>: {escape(told)}</p><table>{table}</table>"

    def settled(self) -> Result:
        """The same in utilities where it is exact: a proof needs no points. Everything that leaves `outplay.search` is so."""
        if not self.exact or (self.scale == 1.0 and self.unit == UTILITY):
            return self
        told = tuple(replace(one, value=None if one.value is None else scaled(one.value, self.scale)) for one in self.choices)
        return replace(self, value=scaled(self.value, self.scale), choices=told, unit=UTILITY, scale=1.0)

    def in_utilities(self) -> Value:
        """The value in units of utility: how exact and cut-off searches stand side by side."""
        return scaled(self.value, self.scale)


def scaled(value: Value, scale: float) -> Any:
    """A value, or each entry of a vector, divided by the scale."""
    return tuple(part / scale for part in value) if isinstance(value, tuple) else value / scale


def seen_by_max(value: float, mover: int, traits: Traits) -> float:
    """A value of the side to move as Results tell it where two sides' values cancel: MAX's.

    >>> seen_by_max(0.5, 1, Traits(2, False, "perfect", "zero"))
    -0.5
    """
    return -value + 0.0 if mover == 1 and traits.sides == 2 and traits.sum == "zero" else value


GAMES = 4  # random games that make the fingerprint of a game
PLIES = 60  # looked at in each


def fingerprint(game: Any) -> str:
    """A short hash of what the rules of a game do: the positions, actions and ends of a few random games.

    It does not change with the version of Python or of the compiler, and not with an evaluation or an order.
    """
    digest = hashlib.sha256(str(game.name).encode())
    source = random.Random(0)
    for _ in range(GAMES):
        position = game.start()
        for _ in range(PLIES):
            digest.update(f"{position.text()};{position.player()};".encode())
            if position.is_terminal():
                digest.update(repr(tuple(map(float, position.utilities()))).encode())
                break
            try:
                texts = {position.action_text(action): action for action in position.actions()}
            except OutplayError:  # outcomes that cannot be listed
                break
            digest.update(repr(sorted(texts)).encode())
            position = position.result(texts[source.choice(sorted(texts))])
    return digest.hexdigest()[:16]


@dataclass(frozen=True)
class Policy:
    """What to do: each position, or what its player knows of it, with its actions and the share in which each is played.

    Everything is in the game's notation, so that a policy can be read, kept as JSON and played anywhere:

    >>> from outplay.game import load
    >>> game = load("rock-paper-scissors")
    >>> mixed = Policy.of(game, {game.start().text(): {"rock": 0.5, "paper": 0.25, "scissors": 0.25}})
    >>> mixed.shares(game.start())
    {0: 0.5, 1: 0.25, 2: 0.25}
    >>> len(mixed), mixed.rows()[0]["action"]
    (1, 'rock')
    """

    game: str
    answers: Mapping[str, Mapping[str, float]]
    fingerprint: str = ""
    values: Mapping[str, Value] = field(default_factory=dict)  # what a position is worth, where that is known

    @classmethod
    def of(cls, game: Any, answers: Mapping[str, Mapping[str, float]], values: Mapping[str, Value] | None = None) -> Policy:
        """A policy for a game as its rules stand now."""
        return cls(game.name, answers, fingerprint(game), dict(values or {}))

    def __len__(self) -> int:
        return len(self.answers)

    @staticmethod
    def key(position: Any) -> str:
        """How a policy knows a position: by its text, or by the text of what the player to move sees of it."""
        hidden = position.game.traits.information == "hidden" and not position.is_terminal() and not position.is_chance()
        return str((position.observe(position.player()) if hidden else position).text())

    def shares(self, position: Any) -> dict[Action, float]:
        """Each action of a position with its share; empty where the policy says nothing."""
        known = self.answers.get(self.key(position))
        if known is None:
            return {}
        legal = {position.action_text(action): action for action in position.actions()}
        wrong = next((text for text in known if text not in legal), None)
        if wrong is not None:
            raise BadValue(f"the policy plays {wrong!r} in {shorten(position.text())}, which is not legal there")
        return {legal[text]: share for text, share in known.items()}

    def sample(self, position: Any, source: random.Random) -> Action:
        """An action drawn by the shares."""
        shares = self.shares(position)
        if not shares:
            raise Unavailable(f"the policy says nothing of {shorten(position.text(), 200)}")
        return source.choices(list(shares), list(shares.values()))[0]

    def rows(self) -> list[dict[str, Any]]:
        """One row for each action of each position, for tables and pandas."""
        return list(self._rows())

    def differences(self, other: Policy) -> dict[str, float]:
        """Where two policies for one game part, and by how much: half the sum of all shares' differences, the largest first.

        0 is the same mixture, 1 one without a common action; what only one of them knows counts as 1.

        >>> from outplay.game import load
        >>> game = load("rock-paper-scissors")
        >>> one, two = (Policy.of(game, {"start": {"rock": share, "paper": 1 - share}}) for share in (0.5, 0.75))
        >>> one.differences(two)
        {'start': 0.25}
        """
        if self.game != other.game:
            raise BadValue(f"policies for {self.game} and {other.game} cannot be compared")
        found = {}
        for position in dict.fromkeys((*self.answers, *other.answers)):
            mine, theirs = self.answers.get(position), other.answers.get(position)
            apart = 1.0
            if mine is not None and theirs is not None:
                apart = sum(abs(mine.get(a, 0.0) - theirs.get(a, 0.0)) for a in {*mine, *theirs}) / 2
            found[position] = apart
        return dict(sorted(found.items(), key=lambda each: -each[1]))

    def _rows(self) -> Iterator[dict[str, Any]]:
        for position, shares in self.answers.items():
            for action, share in shares.items():
                yield {"position": position, "action": action, "share": share, "value": self.values.get(position)}

    def __str__(self) -> str:
        wide = max((len(position) for position in self.answers), default=0)
        return "\n".join(
            f"{position:<{wide}}  " + ("  ".join(f"{a} {share:.3g}" for a, share in shares.items()) if len(shares) > 1
                                      else next(iter(shares), "-"))
            for position, shares in self.answers.items()
        )  # fmt: skip

    def save(self, path: str | Path) -> None:
        """Write the policy as JSON."""
        kept = {"policy": 1, "game": self.game, "fingerprint": self.fingerprint, "answers": self.answers, "values": self.values}
        write_whole(path, json.dumps(kept, ensure_ascii=False, indent=0) + "\n")

    @classmethod
    def load(cls, path: str | Path, game: Any = None) -> Policy:
        """A policy from its file; refused where it is for another game, or for rules that have changed since."""
        try:
            kept = json.loads(Path(path).read_text(encoding="utf-8"))
            if kept["policy"] != 1:
                raise KeyError("policy")
            answers = {str(p): {str(a): float(s) for a, s in shares.items()} for p, shares in kept["answers"].items()}
            values = {str(p): tuple(v) if isinstance(v, list) else float(v) for p, v in kept.get("values", {}).items()}
            made = cls(str(kept["game"]), answers, str(kept["fingerprint"]), values)
        except OSError as problem:
            raise BadValue(f"cannot read {path}: {problem.strerror}") from None
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
            raise BadValue(f"{path} is not a policy") from None
        if game is not None:
            made.check(game)
        return made

    def check(self, game: Any) -> None:
        """Refuse another game, and rules that are no longer those of the policy."""
        if self.game != game.name:
            raise BadValue(f"this policy is for {self.game}, not for {game.name}")
        if self.fingerprint != fingerprint(game):
            raise BadValue(f"the rules of {game.name} have changed since this policy was made: make it anew")


@dataclass(frozen=True)
class Record:
    """One played game: its moves, its players and how it ended."""

    game: str
    start: str
    actions: tuple[str, ...]
    players: tuple[str, ...] = ()
    outcome: Outcome | None = None
    reason: str = ""
    comments: tuple[str, ...] = ()  # one an action, such as "+35/12 0.52s": value, depth and time of the search behind it
    ending: Ending | None = None
    tags: tuple[tuple[str, str], ...] = ()
    """What a file says of the game, in the words of its format: event, date, who annotated it."""
    notes: tuple[tuple[tuple[str, ...], str], ...] = ()
    """Comments by the actions that lead to where they stand, on whatever line; signs such as ``!?`` come first."""

    def row(self) -> dict[str, Any]:
        """The game as one row of a table: `pandas.DataFrame(record.row() for record in records)`."""
        utilities = self.outcome.utilities if self.outcome is not None else (None,) * len(self.players)
        seats = {f"player {seat + 1}": name for seat, name in enumerate(self.players)}
        paid = {f"result {seat + 1}": utility for seat, utility in enumerate(utilities)}
        return {"game": self.game, "plies": len(self.actions), **seats, **paid, "ending": self.ending, "reason": self.reason}
