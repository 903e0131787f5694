"""What searches over frames share: depth after depth, each in slices of nodes, until a limit, the stop flag or Ctrl-C.

A search gives `begin` (set up the kernel for one depth), `run` (go on for some nodes; True when the root has its value) and `found`
(the Result of a finished depth); here stands everything else.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from outplay.engine.memory import action_rows, guarded, load_state, refuse_overrun, weights_of
from outplay.engine.needs import refuse
from outplay.engine.pacing import Pacer, Watch
from outplay.game import CompiledGame, Position
from outplay.values import CHANCE, UTILITY, Limits, Result

MOST_PLIES = 400  # players' and chance's together; deeper nodes count as leaves
MOST_DEPTH = 64  # of a search that only time ends
UNLIMITED = 1_000_000  # the depth of a search to the end of the game


class DeepeningSearch:
    """One Result for each depth where time or nodes are limited, else one."""

    algorithm: str
    counters: tuple[str, ...] = ("nodes", "leaves", "cuts")

    def __init__(self, game: CompiledGame, kernels: Any, weights: Any) -> None:
        refuse(self.algorithm, game)
        self.game, self.kernels = game, kernels
        self.weights = weights_of(game.rules, weights)
        self.control = np.zeros(1, kernels.CONTROL)
        self.rows = 0

    def set(self, **values: Any) -> None:
        """Write into the kernel's control record."""
        for name, value in values.items():
            self.control[name] = value

    def grow(self, rows: int) -> bool:
        """Make room for that many plies; False where there is enough."""
        if rows <= self.rows:
            return False
        rules, most = self.game.rules, int(self.game.rules.most_actions)
        self.rows = rows
        self.states, self.frames = rules.states(rows + 1), np.zeros(rows + 1, self.kernels.FRAME)
        self.actions, self.lines = action_rows(rules, rows + 1), np.zeros((rows + 1, rows + 1), rules.action_type)
        self.probabilities = guarded(rows + 1, most, np.float64)
        return True

    def begin(self, position: Position, scale: float) -> None:
        """Set up what only this search knows of a depth."""
        raise NotImplementedError

    def run(self) -> bool:
        """Run the kernel until control.until nodes; True when the root has its value."""
        raise NotImplementedError

    def found(self, line: tuple[int, ...], depth: int | None, watch: Watch, scale: float) -> Result:
        """The Result of a finished depth."""
        raise NotImplementedError

    def result(self, line: tuple[int, ...], value: Any, depth: int | None, watch: Watch, scale: float, exact: bool) -> Result:
        """A Result with what the kernel has counted."""
        counts = {name: int(self.control[name][0]) for name in self.counters}
        nodes, leaves = counts.pop("nodes"), counts.pop("leaves")
        return Result(line[0] if line else None, value, line, depth=depth or 0, nodes=nodes, leaves=leaves, seconds=watch.elapsed(),
                      algorithm=self.algorithm, exact=exact, facts=counts, scale=scale,
                      unit=UTILITY if scale == 1.0 and (exact or not self.game.offers("evaluate")) else self.game.unit)

    def best(self, position: Position, limits: Limits | None = None, **more: Any) -> Result:
        """The last Result of a search."""
        *_, last = self.search(position, limits, **more)
        return last

    def search(self, position: Position, limits: Limits | None = None, *, lines: int = 1, stop: threading.Event | None = None,
               earlier: Sequence[Position] = ()) -> Iterator[Result]:
        """One Result for each depth where time or nodes are limited, else one; Ctrl-C ends it with the best so far."""
        limits = limits or Limits()
        watch = Watch(limits, stop, None)
        deepens = watch.deadline is not None or limits.nodes is not None or stop is not None
        # With a depth anywhere in sight an evaluation may stand beside utilities, which are then counted in points.
        scale = self.game.traits.scale if limits.depth is not None or deepens else 1.0
        depths: Any = range(1, (MOST_DEPTH if limits.depth is None else limits.depth) + 1) if deepens else [limits.depth]
        depths = depths or [0]  # depth 0 is the evaluation of the root
        self.set(**dict.fromkeys(self.counters, 0))
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
        if last is None:  # stopped before the first depth was done: the best of what was seen
            yield self._glimpse(position, watch, scale)

    def _look(self, position: Position, depth: int | None, scale: float, watch: Watch) -> Result | None:
        """Search to one depth; None when a limit came first."""
        control, chance = self.control, self.game.traits.chance
        self.grow(MOST_PLIES if depth is None else min(MOST_PLIES, (2 if chance else 1) * depth + 4))
        self.set(scale=scale, middle=sum(self.game.traits.bounds) / 2 * scale, left=UNLIMITED if depth is None else depth,
                 last=self.rows - 1, ply=0, mode=self.kernels.ENTER, inexact=0)  # fmt: skip
        self.begin(position, scale)
        self.frames["length"] = 0
        load_state(self.states, 0, position)
        pacer, done = Pacer(watch), False
        while not done:
            nodes = int(control["nodes"][0])
            if pacer.is_over(nodes) and (nodes or watch.nodes is not None):  # something is always seen
                return None
            done = pacer.slice(self._go_on, None if watch.nodes is None else watch.nodes - nodes)
        line = tuple(self.lines[0, : int(self.frames[0]["length"])].tolist())
        if depth == 0 and not position.is_terminal() and position.player() != CHANCE:
            line = position.actions()[:1]  # nothing was compared: any legal action
        return self.found(line, depth, watch, scale)

    def _go_on(self, size: int) -> bool:
        self.control["until"] = self.control["nodes"] + size
        done = self.run()
        if self.control["overrun"][0]:
            self.control["overrun"] = 0
            refuse_overrun(self.game)
        return done

    def _glimpse(self, position: Position, watch: Watch, scale: float) -> Result:
        """The best of what an unfinished first depth has seen, else the first action."""
        line: tuple[int, ...] = ()
        if not position.is_terminal() and position.player() != CHANCE:
            seen = self.control["nodes"][0] > 0 and self.frames[0]["length"] > 0
            line = (int(self.lines[0, 0]),) if seen else position.actions()[:1]
        traits = self.game.traits
        middle = sum(traits.bounds) / 2 * scale
        value: Any = middle if traits.players == 2 and traits.sum == "zero" else (middle,) * traits.players
        return self.result(line, value, 0, watch, scale, exact=False)


def once(search: DeepeningSearch, position: Position, depth: int | None, limits: Limits | None) -> Result:
    """One search of one position; `depth` is the limits' own unless given."""
    if depth is not None:
        limits = Limits(depth, limits.seconds if limits else None, limits.nodes if limits else None)
    return search.best(position, limits)
