"""What every algorithm of the textbook shares: the tally of nodes, the trace, the clock, the value of a leaf, the Result.

An algorithm makes one `Search`, and inside it each position is met in the same way:

    def value(position):                                    # returns what the position is worth, and the best line from it
        search.enter(position)                              # one node more; may raise OutOfTime
        if search.is_leaf(position):                        # TERMINAL-TEST, or CUTOFF-TEST when there is a depth
            return search.leaf(position), ()                # UTILITY or EVAL
        for action in position.actions():
            v, line = value(search.result(position, action))  # RESULT, and the path to it
            ...
        return search.leave(position, best), best_line
    return search.decide(value, position)

Every node that is entered is left once, by `leaf` or by `leave`: that is how the search knows the path to where it is.

>>> from outplay.game import load
>>> search = Search("a look", load("tic-tac-toe").start(), depth=0, trace=True)
>>> def value(position):
...     search.enter(position)
...     return search.leaf(position), ()
>>> result = search.decide(value, load("tic-tac-toe").start())
>>> result.value, result.nodes, result.leaves, result.exact
(0.0, 1, 1, False)
>>> [step.event for step in result.trace]
['enter', 'leaf']
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import replace
from typing import Any

from outplay.errors import BadValue, Unavailable
from outplay.game import Position, need
from outplay.values import CHANCE, UTILITY, Action, Choice, Limits, Result, Step, Value

INFINITY = float("inf")
LOOK_EVERY = 16  # nodes between two looks at the clock: well under a millisecond apart in plain Python

Evaluate = Callable[[Position, int], float]
"""EVAL as a user gives it: what a position is worth to a player, in points."""

Line = tuple[Action, ...]
"""The best play from a position on."""

NOTHING: Line = ()
"""The line before any action was tried."""

TWO_PLAYERS: dict[str, Any] = {"players": 2, "sum": "zero", "chance": False, "information": "perfect",
                               "shifted": True, "drawn": True}
"""What the deterministic algorithms need, as `need` takes it."""

watcher: ContextVar[Callable[[Search], None] | None] = ContextVar("watcher", default=None)
"""Called with the running search at every look at the clock: how a front door shows progress."""


class OutOfTime(Unavailable):
    """A search reached its limit of seconds or nodes before it had an answer; iterative deepening catches it."""


class Search:
    """One run of one algorithm: counts, path, trace, clock and limits."""

    def __init__(self, algorithm: str, position: Position, *, depth: int | None = None, evaluate: Evaluate | None = None,
                 cutoff: Callable[[Position, int], bool] | None = None, relative: bool = False, limits: Limits | None = None,
                 trace: bool = False) -> None:
        self.algorithm = algorithm
        self.limits = limits or Limits()
        self.depth = self.limits.depth if depth is None else Limits(depth=depth).depth
        self.evaluate = evaluate
        self.cutoff = cutoff
        self.relative = relative  # values and windows are those of the player to move, as in negamax; the trace shows MAX's
        self.traits = position.game.traits
        self.unit = position.game.unit
        self.scale = self.traits.scale if evaluate is not None or self.depth is not None else 1.0
        self.nodes = self.leaves = self.deepest = 0
        self.room: float = stack_room(frames=3)  # plies that a recursion may go down
        self.exact = True
        self.path: list[Action] = []
        self.steps: list[Step] | None = [] if trace else None
        self.facts: dict[str, Any] = {}
        self.started = time.perf_counter()
        self.first = position.game.sides[0][0] if position.game.sides else 0  # a seat of MAX
        self._offers_evaluate = position.game.offers("evaluate")
        self._next_look = 1
        self._watch = watcher.get()

    # ---------------------------------------------------------------- the way of a node
    def enter(self, position: Position, alpha: float | None = None, beta: float | None = None, *, kind: str = "",
              **facts: Any) -> None:
        """Count a node, with its window where the algorithm has one; raise OutOfTime when a limit is reached."""
        self.nodes += 1
        if self.nodes >= self._next_look:
            self.look_at_limits()
        if len(self.path) > self.deepest:
            self.deepest = len(self.path)
            if self.deepest > self.room:
                raise RecursionError
        if self.traits.sampled and position.is_sampled():
            position.chances()  # refuses, in one line
        if self.steps is not None:
            self.note("enter", position, window=None if alpha is None or beta is None else (alpha, beta), kind=kind, facts=facts)

    def is_leaf(self, position: Position) -> bool:
        """CUTOFF-TEST: the game is over, or the path is as long as the depth allows."""
        if position.is_terminal() or (self.depth is not None and len(self.path) >= self.depth):
            return True
        return self.cutoff is not None and self.cutoff(position, len(self.path))

    def leaf(self, position: Position) -> float:
        """Count a leaf, leave it, and say what it is worth to MAX (to the player to move in a `relative` search)."""
        return self._left(position, self.worth(position, self.first) * self.sign(position))

    def leaf_vector(self, position: Position) -> tuple[float, ...]:
        """Count a leaf, leave it, and say what it is worth to each player."""
        return self._left(position, tuple(self.worth(position, player) for player in range(self.traits.players)))

    def result(self, position: Position, action: Action) -> Position:
        """RESULT: the position after an action, which the path remembers until that node is left."""
        child = position.result(action)
        self.path.append(action)
        return child

    def after(self, value: Callable[..., tuple[float, Line]], position: Position, action: Action, alpha: float, beta: float,
              *more: Any) -> tuple[float, Line]:
        """What an action is worth to the player who takes it, in a `relative` search: the sign turns when the turn does."""
        child = self.result(position, action)
        if child.side() == position.side():
            return value(child, alpha, beta, *more)
        v, line = value(child, -beta, -alpha, *more)
        return -v, line

    def leave(self, position: Position, value: Any, **facts: Any) -> Any:
        """Leave a node with its value, which is returned."""
        if self.steps is not None:
            self.note("leave", position, value=value, facts=facts)
        if self.path:
            self.path.pop()
        return value

    def cut(self, position: Position, value: Any, skipped: Sequence[Action], reason: str,
            window: tuple[float, float] | None = None) -> None:
        """Record that the rest of a node's actions, if any, is skipped, and why."""
        if skipped:
            self.facts["cuts"] = self.facts.get("cuts", 0) + 1
            self.note("cut", position, value=value, window=window, skipped=tuple(skipped), reason=reason)

    def cut_by_alpha(self, position: Position, value: float, skipped: Sequence[Action], alpha: float, beta: float) -> None:
        """Record that MIN has answered so well here that MAX will not let the game come to this."""
        self.cut(position, value, skipped, f"{value:g} <= alpha {alpha:g}: MAX has something at least as good", (alpha, beta))

    def cut_by_beta(self, position: Position, value: float, skipped: Sequence[Action], alpha: float, beta: float) -> None:
        """Record that MAX (or the player to move, in a `relative` search) does so well here that the other will avoid it."""
        if self.sign(position) < 0:
            reason = f"{0.0 - value:g} <= alpha {0.0 - beta:g}: MAX has something at least as good"
        else:
            reason = f"{value:g} >= beta {beta:g}: MIN has something at least as good"
        self.cut(position, value, skipped, reason, (alpha, beta))

    def note(self, event: str, position: Position, *, value: Value | None = None, window: tuple[float, float] | None = None,
             skipped: tuple[Action, ...] = (), reason: str = "", facts: Mapping[str, Any] | None = None, kind: str = "") -> None:
        """Record a step of the trace, where one was asked for; it shows MAX's values and windows."""
        if self.steps is None:
            return
        if self.sign(position) < 0:
            value = 0.0 - value if isinstance(value, float) else value
            window = (-window[1], -window[0]) if window else None
        alpha, beta = window or (None, None)
        self.steps.append(Step(event, tuple(self.path), kind or kind_of(position), alpha, beta, value, len(self.path), skipped,
                               reason, dict(facts or {})))

    def sign(self, position: Position) -> int:
        """-1 where values are MIN's own, as for MIN's nodes in a `relative` search."""
        return -1 if self.relative and position.side() == 1 else 1

    # ---------------------------------------------------------------- what a leaf is worth
    def worth(self, position: Position, player: int) -> float:
        """UTILITY of a finished game, else EVAL in points, else the middle of what a game can be worth.

        Utilities are counted in points (times the game's `scale`) wherever an evaluation can stand beside them.
        """
        if position.is_terminal():
            return position.utility(player) * self.scale
        self.exact = False
        if self.evaluate is not None:
            return float(self.evaluate(position, player))
        if self._offers_evaluate:
            return float(position.evaluate(player))
        return sum(self.traits.bounds) / 2 * self.scale

    # ---------------------------------------------------------------- the whole search
    def decide(self, value: Callable[..., tuple[Any, Line]], position: Position, *arguments: Any, **facts: Any) -> Result:
        """Call the algorithm's recursion and report what it found."""
        try:
            found, line = value(position, *arguments)
        except RecursionError:
            other = ", or use minimax-heap" if self._is_opposed() else ""
            raise Unavailable(f"{self.algorithm} came {self.deepest} plies deep, which is more than Python's stack holds: "
                              f"give it a depth{other}") from None
        if self.relative:
            found = found * self.sign(position) + 0.0  # never -0.0
        return self.report(found, line, **facts)

    def decide_in(self, window: tuple[float, float], value: Callable[..., tuple[float, Line]], position: Position) -> Result:
        """The same for MAX's value in a window; one that lies outside is a bound only, and the result says so."""
        alpha, beta = window
        if not alpha < beta:
            raise BadValue(f"a window needs a lower end below its upper end, got ({alpha:g}, {beta:g})")
        result = self.decide(value, position, *((-beta, -alpha) if self.sign(position) < 0 else window))
        assert isinstance(result.value, float)
        if alpha < result.value < beta:
            return result
        bound = "upper" if result.value <= alpha else "lower"
        return replace(result, exact=False, facts={**result.facts, "bound": bound})

    def report(self, value: Any, line: Line, *, depth: int | None = None, choices: Sequence[Choice] = (), unit: str = "",
               **facts: Any) -> Result:
        """The Result so far."""
        is_utility = self.scale == 1.0 and (self.exact or not (self.evaluate or self._offers_evaluate))
        if depth is None:
            depth = self.deepest if self.depth is None else min(self.depth, self.deepest)
        return Result(
            action=line[0] if line else None, value=value, line=tuple(line), depth=depth, nodes=self.nodes, leaves=self.leaves,
            seconds=time.perf_counter() - self.started, algorithm=self.algorithm, exact=self.exact,
            trace=tuple(self.steps or ()), choices=tuple(choices), scale=self.scale,
            unit=unit or (UTILITY if is_utility else self.unit),
            facts={**self.facts, **facts})

    def limit(self, limits: Limits) -> None:
        """Put limits on what is left to do."""
        self.limits = limits
        self._next_look = self.nodes + 1

    def restart(self, depth: int | None) -> None:
        """Begin again at the root with another depth; counts and clock run on."""
        self.depth = depth
        self.path.clear()
        self.exact = True
        if self.steps is not None:
            self.steps.clear()

    def _left(self, position: Position, value: Any) -> Any:
        self.leaves += 1
        if self.steps is not None:
            self.note("leaf", position, value=value, reason="the game is over" if position.is_terminal() else "cut off")
        if self.path:
            self.path.pop()
        return value

    def look_at_limits(self) -> None:
        """Look at the clock and at the count of nodes."""
        spent = time.perf_counter() - self.started
        most = self.limits.nodes
        self._next_look = self.nodes + LOOK_EVERY if most is None else min(self.nodes + LOOK_EVERY, most + 1)
        if self._watch is not None:
            self._watch(self)
        if self.limits.seconds is not None and spent > self.limits.seconds:
            raise OutOfTime(self._too_little(f"{self.limits.seconds:g} seconds"))
        if most is not None and self.nodes > most:
            self.nodes = most
            raise OutOfTime(self._too_little(f"{most} nodes"))

    def _too_little(self, limit: str) -> str:
        other = ", or use iterative-deepening" if self._is_opposed() else ""
        return f"{self.algorithm} needs more than {limit} here: give it more or a depth{other}"

    def _is_opposed(self) -> bool:
        """Whether two sides play without chance for what the other loses: what the advice of an error must suit."""
        return self.traits.sides == 2 and self.traits.sum == "zero" and not self.traits.chance


def kind_of(position: Position) -> str:
    """How the trace names the player of a node."""
    player, traits = position.player(), position.game.traits
    if player == CHANCE:
        return "chance"
    if traits.sides <= 2 and player < traits.players:
        return ("max", "min")[position.side()]
    return f"player {player}"


def stack_room(frames: int) -> int:
    """How many plies a recursion of so many frames a ply can go down, with room left for the rules and their compiler."""
    return (sys.getrecursionlimit() - 300) // frames


def just_above(value: float) -> float:
    """The next greater number that there is: between the two lies the null window."""
    return math.nextafter(value, INFINITY)


def just_below(value: float) -> float:
    """The next smaller number that there is."""
    return math.nextafter(value, -INFINITY)


def need_two_players(algorithm: str, position: Position) -> None:
    """Refuse all but two-player zero-sum games without chance and with open cards, naming what fits instead."""
    traits = position.game.traits
    if traits.information == "hidden":
        use = "deals"
    elif traits.players == 1:
        use = "a-star" if traits.bounds == (0.0, 1.0) and not traits.chance else "expectimax"
    elif traits.sides > 2 or traits.sum != "zero":
        use = "maxn"
    else:
        use = "expectiminimax"
    wanted = TWO_PLAYERS if traits.information == "hidden" else {**TWO_PLAYERS, "information": None}  # no word about the obvious
    need(algorithm, position.game, **wanted, use=use)


def whole_number(name: str, value: Any, least: int) -> int:
    """An option that must be a whole number, or one clear line.

    >>> whole_number("width", 0, 1)
    Traceback (most recent call last):
    outplay.errors.BadValue: width must be a whole number of at least 1, got 0
    """
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise BadValue(f"{name} must be a whole number of at least {least}, got {value!r}")
    return value
