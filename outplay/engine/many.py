"""Search with many players at native speed: max^n, paranoid and best reply.

>>> from outplay.game import load
>>> position = load("isolation", width=3, height=3, players=3).start().play("a1 c3 c1")
>>> maxn(position).value[0], paranoid(position).value[0]  # a win if each looks after itself, a loss if all are against me
(1.0, 0.0)

Max^n trusts that each player looks after itself, paranoid search fears that all others play against me; best-reply search lets only
one of the others answer, and so looks further ahead in the same time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from outplay.engine import many_kernel as kernels
from outplay.engine.search import Watch
from outplay.errors import BadValue, UnknownName, Unsuitable
from outplay.game import Position, need
from outplay.values import CHANCE, Limits, Result

SLICE_SECONDS = 0.004
FIRST_SLICE = 2000  # nodes
MOST_PLIES = 400
MOST_DEPTH = 64  # of a search that only time ends
RULES = {"maxn": kernels.MAXN, "paranoid": kernels.PARANOID, "best-reply": kernels.BEST_REPLY}


class ManySearch:
    """A search for any number of players.

    `prune` lets max^n cut where the entries add up to at most `total` and none is below `least`, which a constant-sum game says by
    itself (it is on there); the values are those without it. `ordered` tries actions by the game's `order`.
    """

    def __init__(self, game: Any, *, algorithm: str = "maxn", prune: bool | None = None, total: float | None = None,
                 least: float | None = None, ordered: bool = False, weights: Any = None) -> None:
        if algorithm not in RULES:
            raise UnknownName("algorithm", algorithm, RULES)
        need(algorithm, game, information="perfect", use="deals")
        if not hasattr(game, "rules"):
            raise Unsuitable(f"the engine needs compiled rules; {game.name} is a plain game: use the textbook's {algorithm}")
        known = game.traits.sum in ("zero", "constant") and game.traits.players > 1
        if prune and total is None and not known:
            raise Unsuitable(f"maxn with pruning needs a constant-sum game, or a total that no leaf exceeds; {game.name} is "
                             "general-sum")
        self.game, self.algorithm, self.total, self.least = game, algorithm, total, least
        # An evaluation need not add up to the total, so that pruning is off by default where one may be asked.
        self.prune = (known and not game.offers("evaluate")) or total is not None if prune is None else prune
        self.weights = np.array(game.rules.weights if weights is None else weights, np.float64)
        self.control = np.zeros(1, kernels.CONTROL)
        self.control["rule"], self.control["players"] = RULES[algorithm], game.traits.players
        self.control["evaluates"], self.control["ordered"] = game.offers("evaluate"), ordered
        self.returned = np.zeros(game.traits.players)
        self.rows = 0

    def _grow(self, rows: int) -> None:
        if rows > self.rows:
            rules, most = self.game.rules, int(self.game.rules.most_actions)
            self.rows = rows
            self.states, self.frames = rules.states(rows + 1), np.zeros(rows + 1, kernels.FRAME)
            self.actions, self.lines = np.zeros((rows + 1, most), np.int32), np.zeros((rows + 1, rows + 1), np.int32)
            self.scores = np.zeros((rows + 1, most))
            self.probabilities = np.zeros((rows + 1, most if self.game.traits.chance else 1))
            self.values = np.zeros((rows + 1, self.game.traits.players))

    def best(self, position: Position, limits: Limits | None = None, **more: Any) -> Result:
        """The last Result of a search."""
        found = None
        for found in self.search(position, limits, **more):  # noqa: B007
            pass
        assert found is not None
        return found

    def search(self, position: Position, limits: Limits | None = None, *, stop: threading.Event | None = None) -> Iterator[Result]:
        """One Result for each depth where time or nodes are limited, else one; Ctrl-C ends it with the best so far."""
        limits = limits or Limits()
        watch = Watch(limits, stop, None)
        deepens = watch.deadline is not None or limits.nodes is not None or stop is not None
        scale = self.game.traits.scale if limits.depth is not None or deepens else 1.0
        depths: Any = [limits.depth]
        if deepens:
            depths = range(1, (MOST_DEPTH if limits.depth is None else limits.depth) + 1)
        for name in ("nodes", "leaves", "cuts"):
            self.control[name] = 0
        last: Result | None = None
        try:
            for depth in depths:
                result = self._look(position, depth, scale, watch)
                if result is None:
                    break
                last = result
                yield result
                if result.exact:
                    break
        except KeyboardInterrupt:
            if last is None:
                raise
        if last is None:
            actions = () if position.player() == CHANCE else position.actions()
            middle = (sum(self.game.traits.bounds) / 2 * scale,) * self.game.traits.players
            yield self._result(actions[:1], middle, 0, scale, watch, exact=False)

    def _look(self, position: Position, depth: int | None, scale: float, watch: Watch) -> Result | None:
        """Search to one depth; None when a limit came first."""
        control, traits = self.control, self.game.traits
        self._grow(MOST_PLIES if depth is None else min(MOST_PLIES, (2 if traits.chance else 1) * depth + 4))
        start: dict[str, float] = {
            "alpha": -kernels.INFINITY, "beta": kernels.INFINITY, "has": -kernels.INFINITY, "scale": scale,
            "middle": sum(traits.bounds) / 2 * scale, "most": (traits.total or 0.0) * scale if self.total is None else self.total,
            "floor": traits.bounds[0] * scale if self.least is None else self.least, "ply": 0, "mode": kernels.ENTER,
            "left": kernels.UNLIMITED if depth is None else depth, "last": self.rows - 1, "rival": CHANCE, "replied": 0,
            "me": max(position.player(), 0), "inexact": 0, "broken": 0, "prune": self.prune and self.algorithm == "maxn",
        }  # fmt: skip
        for name, value in start.items():
            control[name] = value
        self.states[:1].view(np.uint8)[:] = np.frombuffer(position.state, np.uint8)  # type: ignore[call-overload]
        size = FIRST_SLICE
        while True:
            nodes = int(control["nodes"][0])
            if watch.is_over(nodes):
                return None
            control["until"] = nodes + size if watch.nodes is None else min(nodes + size, watch.nodes)
            started = time.perf_counter()
            if kernels.run(self.states, self.frames, control, self.actions, self.probabilities, self.scores, self.values,
                           self.returned, self.lines, self.weights):
                break
            spent = time.perf_counter() - started
            size = int(min(max(size * min(max(SLICE_SECONDS / max(spent, 1e-6), 0.1), 4.0), 50), 4_000_000))
        if control["broken"][0]:
            raise BadValue(f"maxn with pruning was promised leaves of at least {start['floor']:g} each and {start['most']:g} "
                           "together, and one breaks it: search without pruning, or give a total and a least value")
        line = tuple(self.lines[0, : int(self.frames[0]["length"])].tolist())
        return self._result(line, tuple(self.returned.tolist()), depth, scale, watch, exact=not control["inexact"][0])

    def _result(self, line: tuple, vector: tuple[float, ...], depth: int | None, scale: float, watch: Watch, exact: bool) -> Result:
        traits = self.game.traits
        value: Any = vector[0] if traits.players == 2 and traits.sum == "zero" else vector
        facts = {"scale": scale, "cuts": int(self.control["cuts"][0])}
        nodes, leaves = int(self.control["nodes"][0]), int(self.control["leaves"][0])
        return Result(line[0] if line else None, value, line, depth=depth or 0, nodes=nodes, leaves=leaves,
                      seconds=watch.elapsed(), algorithm=self.algorithm, exact=exact, facts=facts)


def _once(algorithm: str, position: Position, depth: int | None, limits: Limits | None, options: dict[str, Any]) -> Result:
    if depth is not None:
        limits = Limits(depth, limits.seconds if limits else None, limits.nodes if limits else None)
    return ManySearch(position.game, algorithm=algorithm, **options).best(position, limits)


def maxn(position: Position, *, depth: int | None = None, limits: Limits | None = None, **options: Any) -> Result:
    """The vector that comes of it when each player looks after itself."""
    return _once("maxn", position, depth, limits, options)


def paranoid(position: Position, *, depth: int | None = None, limits: Limits | None = None, **options: Any) -> Result:
    """The action whose worst case is best for the player to move."""
    return _once("paranoid", position, depth, limits, options)


def best_reply(position: Position, *, depth: int | None = None, limits: Limits | None = None, **options: Any) -> Result:
    """The best action when only one of the others answers freely between two moves of mine."""
    return _once("best-reply", position, depth, limits, options)
