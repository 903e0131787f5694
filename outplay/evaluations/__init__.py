"""What an evaluation is made of, so that it can be told, tuned and learned; patterns of a grid and small networks inside the rules.

A game declares it as its class attribute `evaluation`:

    class Mine:
        weights = (100.0, 3.0)
        evaluation = Evaluation(names=("stones", "moves"))

>>> from outplay.game import load
>>> of(load("checkers")).names[:2], sorted(of(load("chess")).sets), of(load("nim")).names
(('man', 'king'), ['material'], ())
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from outplay.evaluations.nnue import Nnue
from outplay.evaluations.patterns import Patterns


@dataclass(frozen=True)
class Outcomes:
    """What a network that learns by temporal differences tells apart; the class has `outcome(seat, out)`, or utilities say it."""

    worth: tuple[float, ...] = ()
    """What each kind of result is worth in points, and last what it is worth when none comes true; left out, one: to win."""
    flip: tuple[tuple[int, float, float], ...] = ((0, 1.0, -1.0),)
    """For each of them, which one of the other side it is: (index, offset, factor)."""
    networks: int = 1
    """How many networks the class's `network()` chooses between."""

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.flip)

    def worth_within(self, low: float, high: float) -> np.ndarray:
        """What each is worth in a game of such bounds."""
        return np.array(self.worth or (high - low, low))


@dataclass(frozen=True)
class Evaluation:
    """The parts of a game's evaluation; all may be left out."""

    names: tuple[str, ...] = ()
    """What each of the class's `weights` is called: `outplay evaluate` tells them, `outplay tune` fits them."""
    groups: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """Features of several weights by name, such as a table of squares: the numbers of their weights. Left out, each is its own."""
    sets: Mapping[str, Any] = field(default_factory=dict)
    """Other weights by name, for `engine:weights=NAME`: arrays, or functions that make them."""
    patterns: Patterns | None = None
    """The patterns that `outplay tune` learns; the class has `pattern_state()`."""
    pattern_weights: Any = None
    """Their table of weights: `patterns.weights(...)` or `patterns.kept_in(FILE)`."""
    nnue: Nnue | None = None
    """What a network that is kept up to date sees: the class has `nnue_inputs(seat, out)`."""
    outcomes: Outcomes = Outcomes()
    """What a network of one hidden layer tells apart, for `planes`."""
    network_weights: Callable[..., Any] | None = None
    """Lays out the weights of a network of one hidden layer for the class's own `evaluate`; left out, `planes` is asked."""

    def grouped(self, count: int) -> dict[str, list[int]]:
        """The features, each with its weights, of which there are so many."""
        if self.groups:
            return {name: [int(each) for each in members] for name, members in self.groups.items()}
        return {name: [number] for number, name in enumerate(self.names[:count])}


NOTHING = Evaluation()


def of(game: Any) -> Evaluation:
    """What a game, or its rules, declare of its evaluation."""
    found = getattr(getattr(game, "rules", game), "evaluation", None)
    return found if isinstance(found, Evaluation) else NOTHING
