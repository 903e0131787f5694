"""TD(lambda) (Richard Sutton, 1988): an evaluation learned from its own later evaluation.

Playing a game, we meet positions s0, s1, s2, ... and think each is worth V(s). When s1 comes, we know a little more than at s0, so
V(s0) is pulled towards V(s1) by the rate alpha; at the end towards the utility. That is TD(0):

    V(s) <- V(s) + alpha * (V(s') - V(s))

TD(lambda) pulls every earlier position of the game at once, each by lambda less than the one after it: lambda = 0 is TD(0),
lambda = 1 waits in effect for the end of the game. With features f the value is w1 f1(s) + ... + wn fn(s), and the weights are
pulled instead. Values are MAX's (player 0's).

>>> from outplay.game import load
>>> game = load("tree", tree=[[3, 12, 8], [2, 4, 6], [14, 5, 2]])
>>> values = td_table(game, games=400, alpha=0.2, seed=1).values
>>> round(values[game.start().text()])  # both sides learned to play well: the minimax value
3
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from outplay.errors import BadValue
from outplay.game import Game, Position, need
from outplay.jit import random_source
from outplay.values import Step


@dataclass
class Learned:
    """What was learned: the value of each position met, by its text, or the weights of the features; and how, where traced."""

    values: dict[str, float] = field(default_factory=dict)
    weights: list[float] = field(default_factory=list)
    games: int = 0
    trace: tuple[Step, ...] = ()


def td_table(game: Game, *, games: int = 1000, alpha: float = 0.1, lam: float = 0.0, explore: float = 0.1, seed: int = 0,
             start: Position | None = None, trace: bool = False) -> Learned:
    """Learn the value of every position that self-play meets; `explore` is the share of random moves."""
    learned = Learned()

    def value(position: Position) -> float:
        return position.utility(0) if position.is_terminal() else learned.values.get(position.text(), 0.0)

    def pull(eligible: dict[str, float], error: float) -> None:
        for text, share in eligible.items():
            learned.values[text] = learned.values.get(text, 0.0) + alpha * share * error

    return _learn(game, learned, value, pull, lambda position: {position.text(): 1.0}, games, lam, explore, seed, start, trace)


def td_linear(game: Game, features: Callable[[Position], Sequence[float]], *, games: int = 1000, alpha: float = 0.01,
              lam: float = 0.0, explore: float = 0.1, seed: int = 0, start: Position | None = None, trace: bool = False) -> Learned:
    """Learn the weights of an evaluation w1 f1(s) + ... + wn fn(s).

    >>> from outplay.game import load
    >>> nim = load("nim:heaps=1-2-3")
    >>> def features(position):  # the lectures' winning test, and a constant
    ...     one, two, three = (int(heap) for heap in position.text().split()[0].split("-"))
    ...     mover = 1 - 2 * position.player()
    ...     return [mover * (1.0 if one ^ two ^ three else -1.0), 1.0]
    >>> weights = td_linear(nim, features, games=300, alpha=0.05, seed=1).weights
    >>> weights[0] > 0.8  # it found out that the test tells who wins
    True
    """
    learned = Learned(weights=[0.0] * len(features(start or game.start())))

    def value(position: Position) -> float:
        if position.is_terminal():
            return position.utility(0)
        return sum(weight * number for weight, number in zip(learned.weights, features(position), strict=True))

    def pull(eligible: dict[str, float], error: float) -> None:
        for index, share in eligible.items():
            learned.weights[int(index)] += alpha * share * error

    def gradient(position: Position) -> dict[str, float]:
        return {str(index): float(number) for index, number in enumerate(features(position))}

    return _learn(game, learned, value, pull, gradient, games, lam, explore, seed, start, trace)


def _learn(game: Game, learned: Learned, value: Callable[[Position], float], pull: Callable[[dict[str, float], float], None],
           gradient: Callable[[Position], dict[str, float]], games: int, lam: float, explore: float, seed: int,
           start: Position | None, trace: bool) -> Learned:
    need("TD(lambda)", game, players=(1, 2), information="perfect")
    if not 0 <= lam <= 1 or not 0 <= explore <= 1:
        raise BadValue(f"lambda and explore must be from 0 to 1, got {lam:g} and {explore:g}")
    source, dice = random.Random(seed), random_source(seed)
    steps: list[Step] = []
    for number in range(games):
        position = start or game.start()
        eligible: dict[str, float] = {}  # how much each value (or weight) answers for what happens now
        path: tuple = ()
        while not position.is_terminal():
            if position.is_chance():
                action = position.sample_chance(dice)
                is_random = False
            else:
                sign = 1 if position.player() == 0 else -1
                is_random = source.random() < explore
                options = position.actions()
                action = source.choice(options) if is_random else max(options, key=lambda a: sign * value(position.result(a)))
            after = position.result(action)
            path += (action,)
            if is_random:
                eligible.clear()  # what follows a random move says nothing about the play before it
            else:
                eligible = {text: lam * share for text, share in eligible.items() if lam * share > 1e-6}
                for text, share in gradient(position).items():
                    eligible[text] = eligible.get(text, 0.0) + share
                before = value(position)
                error = value(after) - before
                pull(eligible, error)
                if trace:
                    facts = {"game": number, "before": before, "after": value(after), "error": error, "now": value(position)}
                    steps.append(Step("learn", path, value=value(position), facts=facts))
            position = after
    learned.games += games
    learned.trace = tuple(steps)
    return learned
