"""Arthur Samuel's two ways of learning checkers (1959): rote, which keeps what was found out, and generalization, which moves weights.

A learner plays its former self. At each of its moves it looks a few plies ahead, and what comes back differs from what its evaluation
said at once: by that difference it moves the weights of the features that stand on the board. The worth of a man is not learned, as
with Samuel: something must say what winning is. When it beats its former self, it takes its place.

>>> from outplay.game import load
>>> learned = generalize(load("checkers"), games=2, depth=1)
>>> float(learned.weights[0]), float(learned.weights[1]), bool(abs(learned.weights[2:]).max() > 0)
(100.0, 150.0, True)
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from outplay.errors import BadValue
from outplay.game import Game, Position, need
from outplay.players.algorithms import best
from outplay.values import Limits, Result

PIECES = (100.0, 150.0)
"""A man and a king: two to three, as Samuel had them."""
RATE = 0.02
"""By what part of the difference the weights are moved."""
FURTHEST = 100.0
"""A difference of more than a man is not the evaluation's fault alone: so many points are learned of it at most."""
DECIDED = 10_000.0
"""What a proved win is worth in points."""
DRAWN = 160
"""Plies after which a game of two beginners is given up as drawn."""
JUDGED = 80
"""Plies after which a game that measures is broken off and judged."""


@dataclass
class Learner:
    """Weights that were learned, and how: games, games won against its former self, and how often it took its place."""

    weights: Any
    known: int = 0
    games: int = 0
    replaced: int = 0
    history: list[tuple[int, Any]] = field(default_factory=list)


def beginning(game: Game, known: Sequence[float]) -> Any:
    """The weights of one who knows what the first features are worth, and nothing of the others."""
    if not game.offers("evaluate"):
        raise BadValue(f"learning weights needs an evaluation; {game.name} has none")
    weights = np.zeros(len(np.ravel(game.rules.weights)))
    weights[: len(known)] = known
    return weights


def features(position: Position, player: int) -> Any:
    """What each weight is multiplied with, from a player's side: the evaluation asked with one weight at a time."""
    units = np.eye(len(np.ravel(position.game.rules.weights)))
    return np.array([position.evaluate(player, unit) for unit in units])


def generalize(game: Game, known: Sequence[float] = PIECES, games: int = 60, depth: int = 3, seed: int = 0, every: int = 10,
               tell: Callable[[str], None] = lambda said: None) -> Learner:
    """Learn the weights of a game's evaluation by games against its former self, `every` so many of which decide who stays.

    Those of the first features are `known` and stay."""
    need("Samuel's learner", game, players=2, sum="zero", chance=False, information="perfect")
    learner = Learner(beginning(game, known), known=len(known))
    former, score, source = learner.weights.copy(), 0.0, random.Random(seed)
    for number in range(games):
        tell(f"game {number + 1} of {games}")
        score += _learn(opening(game, source), number % 2, learner, former, depth)
        learner.games += 1
        if learner.games % every == 0:
            if score > every / 2:
                former, learner.replaced = learner.weights.copy(), learner.replaced + 1
            score = 0.0
            learner.history.append((learner.games, learner.weights.copy()))
    return learner


def opening(game: Game, source: random.Random, plies: int = 4) -> Position:
    """A position after some random moves, so that no two games are the same."""
    at = game.start()
    for _ in range(plies):
        if not at.is_terminal():
            at = at.result(source.choice(at.actions()))
    return at


def thought(at: Position, weights: Any, depth: int) -> Result:
    """What a player with these weights finds, looking so many plies ahead."""
    return best(at, "engine:alphabeta", Limits(depth=depth), weights=weights, entries=4096)


def _learn(at: Position, mine: int, learner: Learner, former: Any, depth: int) -> float:
    """Play a game on, learning at each own move; what it brought, from 0 to 1."""
    sign = 1 if mine == 0 else -1
    for _ in range(DRAWN):
        if at.is_terminal():
            return (at.utility(mine) + 1) / 2
        if at.player() != mine:
            at = at.result(thought(at, former, depth).action)
            continue
        found = thought(at, learner.weights, depth)
        board = features(at, mine)
        came_back = sign * float(found.value) * (DECIDED if found.exact else 1.0)  # type: ignore[arg-type]
        wrong = float(np.clip(came_back - board @ learner.weights, -FURTHEST, FURTHEST))
        step = RATE * wrong * board / (1.0 + board @ board)
        step[: learner.known] = 0.0
        learner.weights += step
        at = at.result(found.action)
    return 0.5


def duel(game: Game, weights: Any, others: Any, games: int, depth: int = 3, seed: int = 1) -> tuple[int, int, int]:
    """Games won, lost and even between two sets of weights; each opening is played from both sides."""
    source, ended, begun = random.Random(seed), [0, 0, 0], game.start()
    for number in range(games):
        mine = number % 2
        if mine == 0:
            begun = opening(game, source)
        at = begun
        for _ in range(JUDGED):
            if at.is_terminal():
                break
            at = at.result(thought(at, weights if at.player() == mine else others, depth).action)
        score = _judged(at, mine)
        ended[0 if score > 0 else 1 if score < 0 else 2] += 1
    return ended[0], ended[1], ended[2]


def _judged(at: Position, mine: int) -> int:
    """Who stands better at the end of a game that was broken off: 1 won, -1 lost, 0 less than three quarters of a man."""
    if at.is_terminal():
        worth = at.utility(mine) * DECIDED
    else:
        found = best(at, "engine:alphabeta", Limits(depth=10), entries=65536)
        worth = float(found.value) * (DECIDED if found.exact else 1.0) * (1 if mine == 0 else -1)  # type: ignore[arg-type]
    return (worth >= 75) - (worth <= -75)


@dataclass
class Memory:
    """What a rote learner keeps: what each position that it stood at turned out to be worth to the first player."""

    depth: int = 2
    worth: dict[str, float] = field(default_factory=dict)

    def value(self, at: Position, depth: int) -> float:
        """Minimax to a depth; below it what is remembered, or the evaluation, which counts for less than any end of the game."""
        if at.is_terminal():
            return at.utility(0)
        if depth == 0:
            known = self.worth.get(at.text())
            return float(np.tanh(at.evaluate(0) / at.game.scale)) * 0.5 if known is None else known
        below = [self.value(at.result(action), depth - 1) for action in at.actions()]
        return max(below) if at.player() == 0 else min(below)

    def choose(self, at: Position, source: random.Random, learns: bool = True) -> Any:
        """The best action, one of those at random; what the position turned out to be worth is written down."""
        sign = 1 if at.player() == 0 else -1
        worth = {action: sign * self.value(at.result(action), self.depth - 1) for action in at.actions()}
        most = max(worth.values())
        if learns:
            self.worth[at.text()] = sign * most
        return source.choice([action for action, value in worth.items() if value > most - 1e-9])


def by_rote(game: Game, games: int, memory: Memory, seed: int = 0, stray: float = 0.2) -> None:
    """Play games against itself, remembering; some moves are made at random, so that more is seen."""
    need("rote learning", game, players=2, sum="zero", chance=False, information="perfect")
    source = random.Random(seed)
    for _ in range(games):
        at = game.start()
        while not at.is_terminal():
            action = memory.choose(at, source)
            at = at.result(source.choice(at.actions()) if source.random() < stray else action)


def rote_duel(game: Game, memory: Memory, games: int, seed: int = 1) -> tuple[int, int]:
    """Games won by who remembers, first and second, against the same look ahead without a memory."""
    source, won = random.Random(seed), [0, 0]
    players = (memory, Memory(memory.depth))
    for number in range(2 * games):
        at, mine = game.start(), number % 2
        while not at.is_terminal():
            at = at.result(players[at.player() != mine].choose(at, source, learns=False))
        won[mine] += at.utility(mine) > 0
    return won[0], won[1]
