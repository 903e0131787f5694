"""Hidden information where the whole game is small enough: solved by regrets (CFR+), played as the equilibrium mixes.

Where nobody erred, an action is worth what it wins on average against the equilibrium, over all that its player cannot tell apart.
Where the equilibrium never comes, because somebody erred, the answer is the action that wins most against play that trembles:
it errs once in a thousand.

>>> from outplay.game import load
>>> game = load("kuhn poker")
>>> jack = game.start().play("J K")
>>> found = WholeGame(game).best(jack, Limits(simulations=2000))
>>> found.choice(jack.parse_action("bet")).share < 0.4, round(found.value, 2)        # a jack bluffs at times, and loses on average
(True, -1.0)
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from outplay.engine.pacing import Watch
from outplay.engine.regret.equilibrium import Ends, Infos, RegretSolver, check_game, respond, spread, uniform_shares
from outplay.engine.regret.tree import Tree, build
from outplay.errors import Unsuitable
from outplay.game import CompiledGame, Position
from outplay.values import Choice, Limits, Result, seen_by_max

MEMORY = 512
"""Megabytes for the tree."""
TARGET = 1e-5
"""So small a part of what is at stake a best answer may still win: no more is thought then."""
SIMULATIONS = 10_000
"""Iterations where no limit is given."""
TREMBLE = 1e-3
"""How often everybody errs, where a position comes only by an error."""
NEVER = 1e-9
"""Below this the others never bring a player to where it is."""


@functools.lru_cache(maxsize=4)
def _tree(game: CompiledGame) -> tuple[Tree, dict[tuple[int, bytes], int]]:
    """The whole game, and the number of each information set by player and what it sees."""
    tree = build(game, memory=MEMORY)
    return tree, {(seat, view.tobytes()): number for seat in range(tree.players) for number, view in enumerate(tree.views[seat])}


def check(algorithm: str, game: CompiledGame) -> None:
    """Refuse a game that cannot be solved so, in one sentence."""
    check_game(algorithm, game)
    if not hasattr(game, "rules"):
        raise Unsuitable(f"the engine needs compiled rules; {game.name} is a plain game: use the textbook's cfr+")
    traits = game.traits
    if traits.players != 2 or traits.sum != "zero" or traits.sampled or not traits.recall:
        raise Unsuitable(f"{algorithm} mixes as an equilibrium of two players whose utilities cancel, who forget nothing and whose "
                         f"chance can be listed; {game.name} is no such game: use ismcts")


class WholeGame:
    """The solution of a game, better with each search; an iteration counts as a simulation."""

    def __init__(self, game: CompiledGame, **_: Any) -> None:
        check("cfr", game)
        self.game = game
        self._solver: RegretSolver | None = None
        self._exploitability = np.inf

    def best(self, position: Position, limits: Limits | None = None, *, stop: threading.Event | None = None) -> Result:
        """The last Result of a search."""
        return list(self.search(position, limits, stop=stop))[-1]

    def search(self, position: Position, limits: Limits | None = None, *, lines: int = 1, stop: threading.Event | None = None,
               earlier: Sequence[Position] = ()) -> Iterator[Result]:
        """A Result each time the iterations have doubled; the last one is the answer.

        A position that the game never comes to, as somebody may set one up, is for the search over information sets.
        """
        limits = limits or Limits()
        if position.is_terminal():
            yield Result(None, position.utilities()[0], algorithm="cfr")
            return
        tree, places = _tree(self.game)
        if self._solver is None:
            self._solver = RegretSolver(self.game, "cfr+", tree=tree)
        solver, watch = self._solver, Watch(limits, stop)
        seat = position.player()
        place = None if seat < 0 else places.get((seat, position.observe(seat).state))
        if place is None and position != self.game.start():
            from outplay.engine.montecarlo.hidden import InformationSets

            yield from InformationSets(self.game).search(position, limits, stop=stop)
            return
        wanted = limits.simulations or (SIMULATIONS if limits.seconds is None and limits.nodes is None and stop is None else 2**62)
        least, greatest = self.game.traits.bounds
        try:
            if not solver.iterations:
                solver.advance(1)
            while solver.iterations < wanted and self._exploitability > TARGET * (greatest - least):
                if watch.is_over(tree.nodes * solver.iterations):
                    break
                left = None if limits.seconds is None else max(0.0, limits.seconds - watch.elapsed())
                goal = min(wanted, max(16, 1 << solver.iterations.bit_length()))
                report = solver.run(goal - solver.iterations, seconds=left, stop=stop)
                self._exploitability = report.exploitability or 0.0
                yield self._result(seat, place, watch)
        except KeyboardInterrupt:
            pass
        yield self._result(seat, place, watch)

    def _result(self, seat: int, place: int | None, watch: Watch) -> Result:
        solver, tree, traits = self._solver, _tree(self.game)[0], self.game.traits
        assert solver is not None
        told: dict[str, Any] = {"nodes": tree.nodes, "seconds": watch.elapsed(), "algorithm": "cfr", "exact": False,
                                "facts": {"iterations": solver.iterations, "exploitability": self._exploitability,
                                          "information_sets": tree.information_sets}}  # fmt: skip
        shares = solver.average()
        if place is None:  # chance begins
            return Result(None, self._worths(shares, 0, tree.worth)[0], **told)
        values, mass = (self._worths(shares, seat, worth) for worth in (tree.worth, np.tile(tree.share[:, None], 2)))
        first, count = int(tree.firsts[seat][place]), int(tree.counts[seat][place])
        own = slice(first, first + count)
        is_met = mass[first] > NEVER and solver.sums[seat][own].sum() > 0
        if not is_met:
            shares = tuple((1 - TREMBLE) * share + TREMBLE * even for share, even in zip(shares, uniform_shares(tree), strict=True))
            values, mass = (self._worths(shares, seat, worth) for worth in (tree.worth, np.tile(tree.share[:, None], 2)))
        worths = values[own] / max(float(mass[first]), 1e-300)
        mixture = shares[seat][own] if is_met else (worths >= worths.max()) / (worths >= worths.max()).sum()
        slack = 2 * self._exploitability / max(float(mass[first]), 1e-12) if np.isfinite(self._exploitability) else np.inf
        choices = []
        for k in np.lexsort((-worths, -mixture)).tolist():
            worth, action = float(worths[k]), int(tree.actions[seat][first + k])
            ends = sorted(seen_by_max(end, seat, traits) for end in (max(worth - slack, traits.bounds[0]),
                                                                     min(worth + slack, traits.bounds[1])))  # fmt: skip
            choices.append(Choice(action, seen_by_max(worth, seat, traits), (ends[0], ends[1]), share=float(mixture[k]),
                                  line=(action,)))  # fmt: skip
        value = seen_by_max(float(mixture @ worths), seat, traits)
        return Result(choices[0].action, value, (choices[0].action,), choices=tuple(choices), **told)

    def _worths(self, shares: tuple[np.ndarray, ...], seat: int, worth: np.ndarray) -> np.ndarray:
        """What each sequence of a seat brings, weighed by how likely chance and the others make it, when all go on so."""
        tree = _tree(self.game)[0]
        offsets = np.concatenate(([0], np.cumsum(tree.sequences))).astype(np.int64)
        reach, values = np.zeros(int(offsets[-1])), np.zeros(tree.sequences[seat])
        for each in range(tree.players):
            part = reach[offsets[each] : offsets[each + 1]]
            spread(Infos.of(tree, each), shares[each], np.zeros(len(part)), part)
        ends = Ends(tree.last, np.ascontiguousarray(worth), offsets)
        respond(ends, seat, Infos.of(tree, seat), shares[seat], reach, values, False)
        return values
