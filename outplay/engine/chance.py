"""Search with chance at native speed: expectiminimax, Star1, Star2, and opponents who err (Michie 1966; Ballard 1983).

>>> from outplay.game import load
>>> position = load("isolation", width=3, height=2, sloppy=0.5).start().play("a1 c2")
>>> plain, pruned = expectiminimax(position), star2(position)
>>> round(plain.value, 9) == round(pruned.value, 9), pruned.leaves < plain.leaves
(True, True)

All of them are one kernel with different switches. Without a depth or time the game is searched to its end. With seconds, depths
follow one another until the time is up. Only actions count as depth: a roll of the dice belongs to the action before it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from outplay.engine import chance_kernel as kernels
from outplay.engine.search import Watch
from outplay.errors import BadValue, UnknownName, Unsuitable
from outplay.game import Position, need
from outplay.values import CHANCE, Limits, Result

SLICE_SECONDS = 0.004
FIRST_SLICE = 2000  # nodes
MOST_PLIES = 400  # players' and chance's together; deeper nodes count as leaves
MOST_DEPTH = 64  # of a search that only time ends

RULES = {"expectiminimax": kernels.PLAIN, "expectimax": kernels.PLAIN, "opponent": kernels.PLAIN, "star1": kernels.STAR1,
         "star2": kernels.STAR2}


class ChanceSearch:
    """A search with chance nodes that keeps its table between the moves of a game.

    `bounds` are the least and the greatest value of a leaf, in points, which Star1 and Star2 need; they are the game's own unless
    given. `ordered` tries actions best first, by the game's `order` or by EVAL. `memory` is megabytes for the table; 0: none.
    """

    def __init__(self, game: Any, *, algorithm: str = "star2", bounds: tuple[float, float] | None = None, ordered: bool = True,
                 memory: float = 16, skill: float = 0.5, weights: Any = None) -> None:
        if algorithm not in RULES:
            raise UnknownName("algorithm", algorithm, RULES)
        check(algorithm, game)
        if not 0 <= skill <= 1:
            raise BadValue(f"skill must be a probability from 0 to 1, got {skill}")
        if memory < 0:
            raise BadValue(f"memory must be 0 megabytes or more, got {memory}")
        rules = game.rules
        self.game, self.algorithm, self.bounds = game, algorithm, bounds
        self.weights = np.array(rules.weights if weights is None else weights, np.float64)
        model = {"expectimax": kernels.RANDOM, "opponent": kernels.IMPERFECT}.get(algorithm, kernels.PERFECT)
        entries = 1 << max(0, int(memory * 2**20 / kernels.ENTRY.itemsize).bit_length() - 1) if memory else 1
        self.table = np.zeros(entries, kernels.ENTRY)
        self.control = np.zeros(1, kernels.CONTROL)
        settings = {"rule": RULES[algorithm], "model": model, "skill": skill, "ordered": ordered, "mask": entries - 1,
                    "evaluates": game.offers("evaluate")}  # fmt: skip
        for name, value in settings.items():
            self.control[name] = value
        self.rows = 0
        self._grow(64)

    def _grow(self, rows: int) -> None:
        if rows <= self.rows:
            return
        rules, most = self.game.rules, int(self.game.rules.most_actions)
        self.rows = rows
        self.states, self.frames = rules.states(rows + 1), np.zeros(rows + 1, kernels.FRAME)
        self.actions, self.lines = np.zeros((rows + 1, most), np.int32), np.zeros((rows + 1, rows + 1), np.int32)
        self.probabilities, self.lowest, self.highest = (np.zeros((rows + 1, most)) for _ in range(3))

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
        # With a depth anywhere in sight an evaluation may stand beside utilities, which are then counted in points.
        points = limits.depth is not None or deepens
        scale = self.game.traits.scale if points else 1.0
        depths: Any = [limits.depth]
        if deepens:
            depths = range(1, (MOST_DEPTH if limits.depth is None else limits.depth) + 1)
        for name in ("nodes", "leaves", "cuts", "hits"):
            self.control[name] = 0
        self.table[:] = np.zeros(1, kernels.ENTRY)
        last: Result | None = None
        try:
            for depth in depths:
                result = self._look(position, depth, scale, watch, last is None)
                if result is None:
                    break
                last = result
                yield result
                if result.exact:
                    break
        except KeyboardInterrupt:
            if last is None:
                raise
        if last is None:  # stopped before the first depth was done: the best of what was seen
            action = int(self.frames[0]["action"]) if not position.is_terminal() and position.player() != CHANCE else None
            if action is None or action < 0:
                action = position.actions()[0] if position.actions() and position.player() != CHANCE else None
            middle = sum(self.game.traits.bounds) / 2 * scale
            yield self._result(action, middle, () if action is None else (action,), 0, watch, scale, exact=False)

    def _look(self, position: Position, depth: int | None, scale: float, watch: Watch, first: bool) -> Result | None:
        """Search to one depth; None when a limit came first."""
        control, game = self.control, self.game
        self._grow(MOST_PLIES if depth is None else min(MOST_PLIES, (2 if game.traits.chance else 1) * depth + 4))
        least, greatest = self.bounds or tuple(bound * scale for bound in game.traits.bounds)
        wide = self.algorithm in ("star1", "star2")
        start: dict[str, float] = {
            "least": least, "greatest": greatest, "scale": scale, "middle": sum(game.traits.bounds) / 2 * scale,
            "alpha": least if wide else -kernels.INFINITY, "beta": greatest if wide else kernels.INFINITY,
            "left": kernels.UNLIMITED if depth is None else depth, "last": self.rows - 1, "ply": 0, "mode": kernels.ENTER,
            "probed": 0, "inexact": 0, "outside": 0, "agent": max(position.player(), 0),
        }  # fmt: skip
        for name, value in start.items():
            control[name] = value
        self.frames["action"] = -1
        self.states[:1].view(np.uint8)[:] = np.frombuffer(position.state, np.uint8)  # type: ignore[call-overload]
        size = FIRST_SLICE
        while True:
            nodes = int(control["nodes"][0])
            if watch.is_over(nodes) and not (first and watch.nodes is None and nodes == 0):
                return None
            control["until"] = nodes + size if watch.nodes is None else min(nodes + size, watch.nodes)
            started = time.perf_counter()
            done = kernels.run(self.states, self.frames, control, self.actions, self.probabilities, self.lowest, self.highest,
                               self.lines, self.table, self.weights)
            if done:
                break
            spent = time.perf_counter() - started
            size = int(min(max(size * min(max(SLICE_SECONDS / max(spent, 1e-6), 0.1), 4.0), 50), 4_000_000))
        if control["outside"][0]:
            raise BadValue(f"{self.algorithm} needs values from {least:g} to {greatest:g}, and a leaf lies outside: "
                           "give wider bounds")
        line = tuple(self.lines[0, : int(self.frames[0]["length"])].tolist())
        value = float(control["value"][0]) + 0.0
        return self._result(line[0] if line else None, value, line, depth, watch, scale, exact=not control["inexact"][0])

    def _result(self, action: Any, value: float, line: tuple, depth: int | None, watch: Watch, scale: float, exact: bool) -> Result:
        facts = {"scale": scale, "cuts": int(self.control["cuts"][0]), "table hits": int(self.control["hits"][0])}
        shown: Any = value if self.game.traits.players == 2 else (value,)
        nodes, leaves = int(self.control["nodes"][0]), int(self.control["leaves"][0])
        return Result(action, shown, line, depth=depth or 0, nodes=nodes, leaves=leaves, seconds=watch.elapsed(),
                      algorithm=self.algorithm, exact=exact, facts=facts)


def check(algorithm: str, game: Any) -> None:
    """Refuse a game that these kernels cannot take, in one sentence."""
    players: Any = (1, 2) if algorithm in ("expectimax", "expectiminimax") else 2
    need(algorithm, game, players=players, sum=None if game.traits.players == 1 else "zero", information="perfect",
         use="deals" if game.traits.information == "hidden" else "maxn")
    if not hasattr(game, "rules"):
        raise Unsuitable(f"the engine needs compiled rules; {game.name} is a plain game: use the textbook's {algorithm}")


def _once(algorithm: str, position: Position, depth: int | None, limits: Limits | None, options: dict[str, Any]) -> Result:
    if depth is not None:
        limits = Limits(depth, limits.seconds if limits else None, limits.nodes if limits else None)
    options = {"memory": 0, "ordered": False, **options}
    return ChanceSearch(position.game, algorithm=algorithm, **options).best(position, limits)


def expectiminimax(position: Position, *, depth: int | None = None, limits: Limits | None = None, **options: Any) -> Result:
    """MAX takes the greatest value, MIN the least, and a chance node is worth its average."""
    return _once("expectiminimax", position, depth, limits, options)


def expectimax(position: Position, *, depth: int | None = None, limits: Limits | None = None, **options: Any) -> Result:
    """The best action where the other player, if any, plays at random."""
    return _once("expectimax", position, depth, limits, options)


def imperfect_opponent(position: Position, *, skill: float = 0.5, depth: int | None = None, limits: Limits | None = None,
                       **options: Any) -> Result:
    """The best action against an opponent who finds its best action with probability `skill`, else plays any other."""
    return _once("opponent", position, depth, limits, {"skill": skill, **options})


def star1(position: Position, *, depth: int | None = None, limits: Limits | None = None, **options: Any) -> Result:
    """Expectiminimax's value from never more leaves."""
    return _once("star1", position, depth, limits, options)


def star2(position: Position, *, depth: int | None = None, limits: Limits | None = None, **options: Any) -> Result:
    """Star1 with a probe of each outcome first."""
    return _once("star2", position, depth, limits, options)
