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

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from outplay.engine.alphabeta.bounds import UNBOUNDED
from outplay.engine.frames import chance_kernel as kernels
from outplay.engine.frames.deepening import DeepeningSearch, once
from outplay.engine.memory import for_all
from outplay.engine.pacing import Watch
from outplay.errors import BadValue, UnknownName
from outplay.game import CompiledGame, Position
from outplay.values import Action, Limits, Result

RULES = {"expectiminimax": kernels.PLAIN, "expectimax": kernels.PLAIN, "opponent": kernels.PLAIN, "star1": kernels.STAR1,
         "star2": kernels.STAR2}

Policy = Callable[[Position], Iterable[tuple[Action, float]]]
"""How the opponent plays: each of its actions with its probability."""


class ChanceSearch(DeepeningSearch):
    """A search with chance nodes that keeps its table between the moves of a game.

    `bounds` are the least and the greatest value of a leaf, in points, which Star1 and Star2 need; they are the game's own unless
    given. `ordered` tries actions best first, by the game's `order` or by EVAL; with `candidates` only so many of the first are
    looked into at all, wherever there is more than one action still to come. `memory` is megabytes for the table; 0: none.

    How the opponent of expectimax plays: at random; or with a `temperature` by EVAL of the results, an action whose result is
    worth that many points more being e times as likely; or by a `policy`, which is asked in Python at each of its nodes.
    """

    counters = ("nodes", "leaves", "cuts", "hits")

    def __init__(self, game: CompiledGame, *, algorithm: str = "star2", bounds: tuple[float, float] | None = None,
                 ordered: bool = True, candidates: int = 0, memory: float = 16, skill: float = 0.5,
                 temperature: float | None = None, policy: Policy | None = None, weights: Any = None) -> None:
        if algorithm not in RULES:
            raise UnknownName("algorithm", algorithm, RULES)
        self.algorithm, self.bounds, self.policy = algorithm, bounds, policy
        super().__init__(game, kernels, weights)
        if not 0 <= skill <= 1:
            raise BadValue(f"skill must be a probability from 0 to 1, got {skill}")
        if candidates < 0:
            raise BadValue(f"candidates must be 0 (all actions) or more, got {candidates}")
        if candidates and not ordered:
            raise BadValue("candidates are the actions that come first in order: leave ordered=False out")
        if memory < 0:
            raise BadValue(f"memory must be 0 megabytes or more, got {memory}")
        if temperature is not None and not temperature > 0:
            raise BadValue(f"temperature must be more than 0 points, got {temperature}")
        for name, given in (("temperature", temperature), ("policy", policy)):
            if given is not None and algorithm != "expectimax":
                raise BadValue(f"a {name} is how the opponent of expectimax plays; {algorithm} takes none")
        if temperature is not None and policy is not None:
            raise BadValue("the opponent plays by a temperature or by a policy, not by both")
        if temperature is not None and not game.offers("evaluate"):
            raise BadValue(f"an opponent with a temperature plays by EVAL, and {game.name} has none: give a policy")
        model = {"expectimax": kernels.RANDOM, "opponent": kernels.IMPERFECT}.get(algorithm, kernels.PERFECT)
        model = kernels.POLICY if policy else kernels.SOFT if temperature is not None else model
        entries = 1 << max(0, int(memory * 2**20 / kernels.ENTRY.itemsize).bit_length() - 1) if memory else 1
        self.table = np.zeros(entries, kernels.ENTRY)
        self.set(rule=RULES[algorithm], model=model, skill=skill, temperature=temperature or 1.0, ordered=ordered, mask=entries - 1,
                 evaluates=game.offers("evaluate"), candidates=candidates)  # fmt: skip
        self.grow(64)

    def grow(self, rows: int) -> bool:
        """Make room for that many plies."""
        grown = super().grow(rows)
        if grown:
            self.lowest, self.highest = (np.zeros(self.probabilities.shape) for _ in range(2))
        return grown

    def begin(self, position: Position, scale: float) -> None:
        """The window; and what sets entries of the table apart that mean another search."""
        least, greatest = self.bounds or tuple(bound * scale for bound in self.game.traits.bounds)
        wide = self.control["rule"][0] != kernels.PLAIN
        agent = max(position.player(), 0)
        modelled = self.control["model"][0] != kernels.PERFECT
        self.set(least=least, greatest=greatest, alpha=least if wide else -UNBOUNDED,
                 beta=greatest if wide else UNBOUNDED, probed=0, outside=0, agent=agent,
                 salt=2 * (scale == 1.0) + (agent if modelled else 0))  # fmt: skip

    def run(self) -> bool:
        """Run the kernel; at a node of an opponent with a policy, ask the policy and go on."""
        while True:
            if kernels.run(self.states, self.frames, self.control, self.actions, self.probabilities, self.lowest, self.highest,
                           self.lines, self.table, self.weights):
                return True
            if self.control["mode"][0] != kernels.ASK:
                return False
            self._ask()

    def _ask(self) -> None:
        """Lay what the opponent's policy says before the kernel."""
        assert self.policy is not None
        ply = int(self.control["ply"][0])
        position = Position(self.game, self.states[ply : ply + 1].tobytes())
        told: Any = self.policy(position)
        listed, total = [(int(action), float(share)) for action, share in told], 0.0
        legal = set(position.actions())
        for k, (action, share) in enumerate(listed):
            if action not in legal or not share >= 0 or k >= len(legal):
                raise BadValue(f"the policy gives {position.action_text(action) if action in legal else action} the probability "
                               f"{share:g} in {position.text()}: expected each legal action once, from 0 to 1")
            self.actions[ply, k], self.probabilities[ply, k] = action, share
            total += share
        if abs(total - 1) > 1e-6:
            raise BadValue(f"the policy's probabilities add up to {total:g} in {position.text()}: expected 1")
        self.frames[ply]["count"] = len(listed)
        self.control["mode"] = kernels.TOLD

    def found(self, line: tuple[int, ...], depth: int | None, watch: Watch, scale: float) -> Result:
        """The Result of a finished depth."""
        control = self.control[0]
        if control["outside"]:
            raise BadValue(f"{self.algorithm} needs values from {control['least']:g} to {control['greatest']:g}, and a leaf lies "
                           "outside: give wider bounds")
        value: Any = float(control["value"]) + 0.0
        shown = for_all(self.game, value, scale)
        return self.result(line, shown, depth, watch, scale, exact=not control["inexact"])


def _once(algorithm: str, position: Position, depth: int | None, limits: Limits | None, options: dict[str, Any]) -> Result:
    search = ChanceSearch(position.game, algorithm=algorithm, **{"memory": 0, "ordered": False, **options})
    return once(search, position, depth, limits)


def expectiminimax(position: Position, *, depth: int | None = None, limits: Limits | None = None, **options: Any) -> Result:
    """MAX takes the greatest value, MIN the least, and a chance node is worth its average."""
    return _once("expectiminimax", position, depth, limits, options)


def expectimax(position: Position, *, depth: int | None = None, limits: Limits | None = None, **options: Any) -> Result:
    """The best action where the other player, if any, plays at random, by a `temperature` or by a `policy`."""
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
