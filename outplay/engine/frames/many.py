"""Search with many players at native speed: max^n, paranoid and best reply.

>>> from outplay.game import load
>>> position = load("isolation", width=3, height=3, players=3).start().play("a1 c3 c1")
>>> maxn(position).value[0], paranoid(position).value[0]  # a win if each looks after itself, a loss if all are against me
(1.0, 0.0)

Max^n trusts that each player looks after itself, paranoid search fears that all others play against me; best-reply search lets only
one of the others answer, and so looks further ahead in the same time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from outplay.engine.alphabeta.bounds import UNBOUNDED
from outplay.engine.frames import many_kernel as kernels
from outplay.engine.frames.deepening import DeepeningSearch, once
from outplay.engine.pacing import Watch
from outplay.errors import BadValue, UnknownName, Unsuitable
from outplay.game import CompiledGame, Position
from outplay.values import CHANCE, Limits, Result

RULES = {"maxn": kernels.MAXN, "paranoid": kernels.PARANOID, "best-reply": kernels.BEST_REPLY}


class ManySearch(DeepeningSearch):
    """A search for any number of players.

    `prune` lets max^n cut where the entries add up to at most `total` and none is below `least`, which a constant-sum game says by
    itself (it is on there, unless the game has an evaluation, which need not add up); the values are those without it. `ordered`
    tries actions by the game's `order`. With `extensions`, a position that the game calls urgent (an offer that waits for its
    answer) is not judged but looked into, one ply.
    """

    def __init__(self, game: CompiledGame, *, algorithm: str = "maxn", prune: bool | None = None, total: float | None = None,
                 least: float | None = None, ordered: bool = False, extensions: bool = True, weights: Any = None) -> None:
        if algorithm not in RULES:
            raise UnknownName("algorithm", algorithm, RULES)
        self.algorithm, self.total, self.least = algorithm, total, least
        super().__init__(game, kernels, weights)
        known = game.traits.sum in ("zero", "constant") and game.traits.sides == game.traits.players > 1
        if prune and total is None and not known:
            raise Unsuitable(f"maxn with pruning needs a constant-sum game, or a total that no leaf exceeds; {game.name} is "
                             "general-sum")
        # An evaluation need not add up to the total, so that pruning is off by default where one may be asked.
        self.prune = (known and not game.offers("evaluate")) or total is not None if prune is None else prune
        self.set(rule=RULES[algorithm], players=game.traits.players, evaluates=game.offers("evaluate"), ordered=ordered,
                 extensions=extensions)
        self.returned = np.zeros(game.traits.players)

    def grow(self, rows: int) -> bool:
        """Make room for that many plies."""
        grown = super().grow(rows)
        if grown:
            self.scores = np.zeros(self.probabilities.shape)
            self.values = np.zeros((rows + 1, self.game.traits.players))
        return grown

    def begin(self, position: Position, scale: float) -> None:
        """The widest window, and what pruning may count on."""
        traits = self.game.traits
        self.set(alpha=-UNBOUNDED, beta=UNBOUNDED, has=-UNBOUNDED, rival=CHANCE, replied=0, broken=0,
                 most=(traits.total or 0.0) * scale if self.total is None else self.total,
                 floor=traits.bounds[0] * scale if self.least is None else self.least,
                 # A cut-off without an evaluation shares out what there is, so that it breaks no promise of the sum.
                 middle=(sum(traits.bounds) / 2 if traits.total is None else traits.total / traits.sides) * scale,
                 me=max(position.player(), 0), prune=self.prune and self.algorithm == "maxn")  # fmt: skip

    def run(self) -> bool:
        """Run the kernel."""
        return kernels.run(self.states, self.frames, self.control, self.actions, self.probabilities, self.scores, self.values,
                           self.returned, self.lines, self.weights)

    def found(self, line: tuple[int, ...], depth: int | None, watch: Watch, scale: float) -> Result:
        """The Result of a finished depth."""
        control, traits = self.control[0], self.game.traits
        if control["broken"]:
            raise BadValue(f"maxn with pruning was promised leaves of at least {control['floor']:g} each and {control['most']:g} "
                           "together, and one breaks it: search without pruning, or give a total and a least value")
        vector = tuple(self.returned.tolist())
        value: Any = vector[0] if traits.players == 2 and traits.sum == "zero" else vector
        return self.result(line, value, depth, watch, scale, exact=not control["inexact"])


def _once(algorithm: str, position: Position, depth: int | None, limits: Limits | None, options: dict[str, Any]) -> Result:
    return once(ManySearch(position.game, algorithm=algorithm, **options), position, depth, limits)


def maxn(position: Position, *, depth: int | None = None, limits: Limits | None = None, **options: Any) -> Result:
    """The vector that comes of it when each player looks after itself."""
    return _once("maxn", position, depth, limits, options)


def paranoid(position: Position, *, depth: int | None = None, limits: Limits | None = None, **options: Any) -> Result:
    """The action whose worst case is best for the player to move."""
    return _once("paranoid", position, depth, limits, options)


def best_reply(position: Position, *, depth: int | None = None, limits: Limits | None = None, **options: Any) -> Result:
    """The best action when only one of the others answers freely between two moves of mine."""
    return _once("best-reply", position, depth, limits, options)
