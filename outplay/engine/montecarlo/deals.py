"""Hidden information by open cards, as Ginsberg's GIB played bridge (2001): the action best on average over random deals.

Each deal is searched as if all cards lay open, every action of its own, so that the average is one of true values. In each deal
the search knows the cards, so it believes that it will know them later too ("strategy fusion"): it cannot find a bluff, a mixed
strategy or a move that buys information, and plays rock-paper-scissors as if it saw the other's hand:

>>> from outplay.game import load
>>> open_deals(load("rock-paper-scissors").start(), deals=5, simulations=300).value < -0.8
True
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from outplay.engine.montecarlo.mcts import MonteCarlo, shown
from outplay.engine.needs import refuse
from outplay.engine.pacing import Watch
from outplay.errors import BadValue, Unsuitable
from outplay.game import CompiledGame, Position
from outplay.jit import random_source
from outplay.values import CHANCE, Action, Choice, Limits, Result

DEALS, AGREE, SIMULATIONS = 100, 25, 2000
FIRST_REPORT = 10  # deals; each further report comes after twice as many


class OpenDeals:
    """A search that deals what is hidden and searches each deal by `MonteCarlo`, which proves what is small enough.

    It ends early when one action was best in each of the first `agree` deals: best for all deals is best. `simulations` are those
    of one deal, shared by its actions.
    """

    def __init__(self, game: Any, *, deals: int = DEALS, agree: int = AGREE, simulations: int = SIMULATIONS, memory: float = 16,
                 threads: int = 1, seed: int = 0, **options: Any) -> None:
        refuse("deals", game)
        for name, value in (("deals", deals), ("agree", agree), ("simulations", simulations)):
            if value < 1:
                raise BadValue(f"{name} must be 1 or more, got {value}")
        self.game, self.deals, self.agree, self.simulations, self.seed = game, deals, agree, simulations, seed
        self.player = MonteCarlo(game, memory=memory, threads=threads, seed=seed, open_cards=True, **options)

    def search(self, position: Position, limits: Limits | None = None, *, lines: int = 1, stop: threading.Event | None = None,
               earlier: Sequence[Position] = ()) -> Iterator[Result]:
        """A Result each time the deals have doubled; the last one is the answer. Ctrl-C ends it with the best so far."""
        limits = limits or Limits()
        watch = Watch(limits, stop)
        self._begin(position)
        report, wanted = FIRST_REPORT, self.deals if limits.simulations is None else limits.simulations
        source = random_source(self.seed + 1)
        try:
            while self.actions and self.done < wanted and not watch.is_over(self.nodes):
                if not self._look(position.deal(position.player(), source), watch):
                    break
                if self.done >= self.agree and max(self.best_in.values()) == self.done:
                    break
                if self.done >= report:
                    report = 2 * self.done
                    yield self._result(position, watch)
        except KeyboardInterrupt:
            pass
        yield self._result(position, watch)

    def best(self, position: Position, limits: Limits | None = None, **more: Any) -> Result:
        """The last Result of a search."""
        *_, last = self.search(position, limits, **more)
        return last

    def _begin(self, position: Position) -> None:
        if not position.is_terminal() and position.player() == CHANCE:
            raise Unsuitable("deals need a position in which a player is to move")
        self.actions = () if position.is_terminal() else position.actions()
        self.sums: dict[Action, np.ndarray] = {action: np.zeros(self.game.traits.players) for action in self.actions}
        self.best_in: dict[Action, int] = dict.fromkeys(self.actions, 0)
        self.done = self.nodes = 0

    def _look(self, deal: Position, watch: Watch) -> bool:
        """Add the values of all actions in one deal; False when a limit came first."""
        me, share = deal.player(), max(1, self.simulations // len(self.actions))
        found: dict[Action, np.ndarray] = {}
        left = None if watch.deadline is None else watch.deadline - watch.started
        for action in self.actions:
            after = deal.result(action)
            if after.is_terminal():
                found[action] = np.array(after.utilities())
                continue
            if watch.is_over(0):
                return False
            if left is not None:
                left = max(0.0, watch.deadline - watch.elapsed() - watch.started)  # type: ignore[operator]  # a time left means that there is a deadline
            self.player.clear()  # another deal is no position of the last tree
            result = self.player.best(after, Limits(simulations=share, seconds=left), stop=watch.stop)
            self.nodes += result.nodes
            found[action] = in_full(result.value, self.game)
        for action, vector in found.items():
            self.sums[action] += vector
        self.best_in[max(found, key=lambda action: found[action][me])] += 1
        self.done += 1
        return True

    def _result(self, position: Position, watch: Watch) -> Result:
        traits = self.game.traits
        counts: dict[str, Any] = {"nodes": self.nodes, "seconds": watch.elapsed(), "algorithm": "deals"}
        if position.is_terminal():
            return Result(None, shown(position.utilities(), traits), **counts)
        facts = {"deals": self.done, "times_best": dict(self.best_in)}
        if not self.done:  # no time for a single deal: any legal action
            middle = shown((sum(traits.bounds) / 2,) * traits.players, traits)
            return Result(self.actions[0], middle, self.actions[:1], exact=False, facts=facts, **counts)
        me = position.player()
        ranked = sorted(self.actions, key=lambda action: (self.sums[action][me], self.best_in[action]), reverse=True)
        worth = {action: shown(tuple((self.sums[action] / self.done).tolist()), traits) for action in ranked}
        choices = tuple(Choice(action, worth[action], line=(action,)) for action in ranked)
        return Result(ranked[0], worth[ranked[0]], (ranked[0],), exact=False, choices=choices, facts=facts, **counts)


def in_full(value: Any, game: CompiledGame) -> np.ndarray:
    """What each seat gets, out of a value as Results tell it."""
    if isinstance(value, tuple):
        return np.array(value)
    return np.array([value if game.side(seat) == game.side(0) else -value for seat in range(game.traits.players)])


def open_deals(position: Position, limits: Limits | None = None, *, stop: threading.Event | None = None, **options: Any) -> Result:
    """The action best on average over random deals; the options are those of `OpenDeals`."""
    return OpenDeals(position.game, **options).best(position, limits, stop=stop)
