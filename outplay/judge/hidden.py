"""Moves in games that hide something, judged by what the mover could see, and never by the cards that it could not.

Where the whole tree is small (Kuhn and Leduc poker, small liar's dice) the game is solved, and an action is worth what it wins on
average against the solution, over everything that its player cannot tell apart. Games with an expert of their own are weighed by it
(`extras.weigh`: bridge by tricks with open cards over deals that fit, Scrabble by points, hold'em by ranges). Larger games are
searched from the mover's view; a loss is told where the intervals of the two actions lie apart.

>>> from outplay.game import load
>>> from outplay.judge.worth import Judge
>>> position = load("kuhn poker").position("JQ b")  # a jack that calls a bet gives away what it calls with
"""

from __future__ import annotations

import functools
import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from outplay import extras
from outplay.errors import OutplayError
from outplay.game import CompiledGame, Position
from outplay.judge.shares import Shares, Unit
from outplay.judge.worth import SIMULATION, Judge, Worth, in_full
from outplay.players.algorithms import find_algorithm, search
from outplay.values import Action, Limits

SMALL = 12_000
"""Trees of up to so many positions are solved."""

ITERATIONS = 3000
PRECISE = 2e-3
"""Differences of less than this, in the game's own points, are lost in the precision of a solution."""

RARE = 1e-3
"""What the others bring about less often than this is no part of the solution."""

VISITS = 30
"""An action that was tried less often says nothing."""

LONGER = (1, 4, 16)
"""So many times the simulations are made where an action that was played was tried too rarely."""


BY = {True: "a solution of the game", False: "simulated games"}
"""What answers for a large game, by whether its search is a way to its equilibrium."""


@dataclass(frozen=True)
class Weighed:
    """What a game's own expert says of the actions of a position in which something is hidden, for the one to move."""

    best: Action
    values: Mapping[Action, float]  # in the unit
    shares: Mapping[Action, float]  # of winning, from 0 to 1
    worse: frozenset[Action]  # those of which it is sure that they are worse than the best
    unit: str  # in the plural, such as "tricks"
    by: str  # such as "40 deals that fit"


@dataclass(frozen=True)
class Solution:
    """A small game, solved: what each action is worth to its player, by what it sees."""

    values: dict[tuple[int, Any], dict[Action, float]]
    shares: dict[tuple[int, Any], dict[Action, float]]
    weight: dict[tuple[int, Any], float]
    gain: float  # NashConv: what the players could still gain together
    parts: dict[tuple[int, Any], tuple[tuple[str, float, dict[Action, float]], ...]]
    """Of each information set what may be true: what is hidden, how likely it is, and each action's value then."""

    def slack(self, key: tuple[int, Any], action: Action) -> float:
        """How far below the best one an action may seem that is as good: the solution is near an equilibrium, and not one."""
        share = self.shares[key].get(action, 0.0)
        return self.gain / max(self.weight.get(key, 0.0) * max(share, 0.05), 1e-9) + PRECISE


class HiddenJudge:
    """Judges moves by what their player could see."""

    def __init__(self, judge: Judge) -> None:
        self.judge, self.game = judge, judge.game
        self._known: dict[Any, Any] = {}

    def better(self, position: Position, action: Action) -> tuple[Worth, Worth, Action, bool] | None:
        """What the best action is worth, what the one played is worth, the best one, and whether the difference is sure."""
        if len(position.actions()) == 1:
            return None if self.solution is None else self._solved(position, action)
        if self.solution is not None:
            return self._solved(position, action)
        if (weighed := self._weighed(position, action)) is not None:
            return weighed
        return self._searched(position, action)

    def weighed(self, position: Position, action: Action) -> Weighed | None:
        """What the game's own expert says, where it has one who can tell."""
        known = extras.of(self.game)
        if not known.weigh:
            return None
        view = position.observe(position.player())
        key = view.text(), "weighed", action
        if key not in self._known:
            self._known[key] = known.fetch(known.weigh)(view, action, self.judge.nodes, self.judge.stop)
        self.judge.check()
        found: Weighed | None = self._known[key]
        return found if found is not None and action in found.values else None

    def each(self, position: Position) -> Weighed | None:
        """What every action is worth to the mover by what it sees, and which are surely worse than the best one."""
        mover, view = position.player(), position.observe(position.player())
        actions, unit = view.actions(), self.judge.unit
        factor = unit.utility or 1.0
        if extras.of(self.game).weigh:
            told = self.weighed(position, actions[0])
            return told if told is not None and len(told.values) == len(actions) else None
        if self.solution is not None:
            key = mover, view.text()
            known = self.solution.values.get(key)
            if known is None or self.solution.weight.get(key, 0.0) < RARE:
                return None
            best = max(known, key=lambda one: known[one])
            sure = frozenset(one for one in known if known[best] - known[one] > self.solution.slack(key, one))
            values, by = dict(known), "the solved game"
        else:
            found, best, _ = self._choices(view, mover, LONGER[-1])
            if best is None or len(found) < len(actions):
                return None
            least = found[best][1]
            sure = frozenset(one for one in found if found[one][2] < least)
            values, by = (
                {one: told[0] for one, told in found.items()},
                BY[self.solves],
            )
        shares = {one: self._share(value) for one, value in values.items()}
        return Weighed(best, {one: value * factor for one, value in values.items()}, shares, sure, unit.name, by)

    @functools.cached_property
    def solves(self) -> bool:
        """Whether the game is searched by a way to its equilibrium, not by games that are simulated."""
        return find_algorithm("auto", self.game).name == "engine:cfr"

    def _weighed(self, position: Position, action: Action) -> tuple[Worth, Worth, Action, bool] | None:
        found = self.weighed(position, action)
        if found is None:
            return None
        best = found.best if action in found.worse else action
        here, later = (self._told(found, each, position.player()) for each in (best, action))
        return here, later, best, best != action

    def _told(self, found: Weighed, action: Action, mover: int) -> Worth:
        side, share, value = self.game.side(mover), found.shares[action], found.values[action]
        same = [self.game.side(seat) == side for seat in range(self.game.players)]
        shares = tuple(Shares(share, 0.0, 1 - share) if mine else Shares(1 - share, 0.0, share) for mine in same)
        values = tuple(value if mine else -value for mine in same)
        return Worth(values, shares, False, Unit(found.unit, 1.0, 0.0), False, action=action, line=(action,), algorithm=found.by)

    @functools.cached_property
    def solution(self) -> Solution | None:
        """The solved game, None where it is too large."""
        return None if extras.of(self.game).weigh else solved(self.game)

    def _solved(self, position: Position, action: Action) -> tuple[Worth, Worth, Action, bool] | None:
        assert self.solution is not None
        mover = position.player()
        key = mover, position.observe(mover).text()
        values, weight = self.solution.values.get(key), self.solution.weight.get(key, 0.0)
        if values is None:
            return None
        best = max(values, key=lambda each: values[each])
        if values[best] - values[action] <= self.solution.slack(key, action):
            best = action
        mixture = tuple(self.solution.shares[key].items())
        proved = weight >= RARE
        worths = [self._worth(values[each], mover, proved, each, mixture) for each in (best, action)]
        return worths[0], worths[1], best, True

    def _searched(self, position: Position, action: Action) -> tuple[Worth, Worth, Action, bool] | None:
        mover = position.player()
        view = position.observe(mover)
        for times in LONGER:
            key = view.text(), times
            if key not in self._known:
                self._known[key] = self._choices(view, mover, times)
            values, best, mixture = self._known[key]
            if action in values:
                break
        if best is None or action not in values:
            return None
        here, played = values[best], values[action]
        sure = best != action and here[1] > played[2]
        worths = [self._worth(value[0], mover, False, each, mixture) for value, each in ((here, best), (played, action))]
        return worths[0], worths[1], best, sure

    def _choices(
        self, view: Position, mover: int, times: int
    ) -> tuple[dict[Action, tuple[float, float, float]], Action | None, tuple[Any, ...]]:
        """Each action's value to the mover with its interval, the best, and how often each is played."""
        found = None
        simulations = times * max(100, 4 * self.judge.nodes // SIMULATION)
        for found in search(  # noqa: B007  the last one counts
            view, "auto", Limits(simulations=simulations, seconds=self.judge.seconds), seed=1, stop=self.judge.stop
        ):
            self.judge.check()
        values: dict[Action, tuple[float, float, float]] = {}
        if found is None:
            return values, None, ()
        for one in found.choices:
            if one.value is None or (one.visits is not None and one.visits < VISITS):
                continue
            worth = in_full(one.value, self.game, found.scale)[mover]
            least, most = worth, worth
            if one.interval is not None:
                half = abs(one.interval[1] - one.interval[0]) / 2 / found.scale
                least, most = worth - half, worth + half
            values[one.action] = worth, least, most
        best = max(values, key=lambda each: values[each][0]) if values else None
        mixture = tuple((one.action, one.share) for one in found.choices if one.share)
        return values, best, mixture

    def _share(self, value: float) -> float:
        """What is won of what there usually is."""
        return min(1.0, max(0.0, 0.5 + value / (2 * spread_of(self.game))))

    def _worth(self, value: float, mover: int, proved: bool, action: Action, mixture: tuple[Any, ...]) -> Worth:
        game, unit = self.game, self.judge.unit
        factor = unit.utility or 1.0
        share = self._share(value)
        side = game.side(mover)
        values, shares = [], []
        for seat in range(game.players):
            same = game.side(seat) == side
            values.append(value * factor if same else -value * factor)
            shares.append(Shares(share, 0.0, 1 - share) if same else Shares(1 - share, 0.0, share))
        return Worth(tuple(values), tuple(shares), proved, unit, False, action=action, line=(action,), mixture=mixture)


@functools.lru_cache(maxsize=64)
def spread_of(game: Any, games: int = 60) -> float:
    """What a game of chance and hidden things usually pays: the mean amount of random games, 1 where only the result counts."""
    low, high = game.traits.bounds
    if (low, high) == (-1.0, 1.0):
        return 1.0
    source, total = random.Random(0), 0.0
    middle = (game.traits.total or 0.0) / max(1, game.traits.sides)
    for number in range(games):
        position = game.start()
        for ply in range(400):
            if position.is_terminal():
                break
            position = position.result(
                position.sample_chance(1000 * number + ply) if position.is_chance() else source.choice(position.actions())
            )
        if position.is_terminal():
            total += abs(position.utility(0) - middle)
    return max(total / games, 1e-6)


@functools.lru_cache(maxsize=16)
def solved(game: Any) -> Solution | None:
    """The solution of a game of two whose tree is small; None for the others."""
    from outplay.textbook.best_response import nash_conv
    from outplay.textbook.information import Tree, others

    if game.traits.players != 2 or game.traits.sum != "zero" or game.traits.sampled or not game.traits.recall:
        return None
    try:
        tree = Tree(game.start(), limits=Limits(nodes=SMALL))
        strategy = _strategy(game, tree)
    except OutplayError:
        return None
    reach = tree.reaches(strategy)
    values: dict[Any, dict[Action, float]] = {}
    weights: dict[Any, float] = {}
    parts: dict[Any, tuple[tuple[str, float, dict[Action, float]], ...]] = {}
    shares = {key: dict(zip(here.actions, strategy[key], strict=True)) for key, here in tree.sets.items()}
    for player in range(2):
        weight = {node: others(reach[node], player) for node in tree.nodes}
        worth: dict[Any, float] = {}
        best: dict[Any, int] = {}

        def value(node: Any, player: int = player, weight: Any = weight, worth: Any = worth, best: Any = best) -> float:
            if node not in worth:
                if node.utilities:
                    worth[node] = node.utilities[player]
                elif node.key is None or node.key[0] != player:
                    odds = node.odds if node.key is None else strategy[node.key]
                    worth[node] = sum(share * value(child) for share, child in zip(odds, node.children, strict=True))
                else:
                    worth[node] = value(node.children[decide(node.key)])
            return float(worth[node])

        def decide(key: Any, weight: Any = weight, best: Any = best, value: Any = value) -> int:
            if key not in best:
                here = tree.sets[key]
                total = sum(weight[node] for node in here.nodes)
                parts = [weight[node] / total if total > 0 else 1 / len(here.nodes) for node in here.nodes]
                gains = [
                    sum(part * value(node.children[k]) for part, node in zip(parts, here.nodes, strict=True))
                    for k in range(len(here.actions))
                ]
                best[key] = max(range(len(gains)), key=gains.__getitem__)
                values[key] = dict(zip(here.actions, gains, strict=True))
                weights[key] = total
            return int(best[key])

        for key, here in tree.sets.items():
            if key[0] == player:
                decide(key)
                total = weights[key]
                parts[key] = tuple(
                    (
                        held(here.view.text(), node.position.text()),
                        weight[node] / total if total > 0 else 1 / len(here.nodes),
                        {action: value(child) for action, child in zip(here.actions, node.children, strict=True)},
                    )
                    for node in here.nodes
                )
    return Solution(values, shares, weights, nash_conv(tree, strategy), parts)


def held(seen: str, whole: str) -> str:
    """What a text of a position says where a player sees question marks; nothing where the two do not lie beside each other.

    >>> held("?Q b", "KQ b"), held("?? Ks cc", "Jh Ks cc"), held("5|?", "5|13")
    ('K', 'Jh', '')
    """
    if len(seen) != len(whole):
        return ""
    return "".join(there for here, there in zip(seen, whole, strict=True) if here == "?" != there)


def _strategy(game: Any, tree: Any) -> dict[Any, list[float]]:
    """A strategy near an equilibrium, for each information set."""
    if isinstance(game, CompiledGame):
        from outplay.engine.regret.equilibrium import solver_for

        solver = solver_for(game, "cfr+")
        solver.run(ITERATIONS)
        policy = solver.policy()
        told = {}
        for key, here in tree.sets.items():
            known = policy.answers.get(here.view.text(), {})
            mixed = [max(0.0, known.get(here.view.action_text(action), 0.0)) for action in here.actions]
            total = sum(mixed)
            told[key] = [each / total for each in mixed] if total > 0 else [1 / len(mixed)] * len(mixed)
        return told
    from outplay import textbook

    found = textbook.run("cfr+", game.start(), limits=Limits(simulations=300))
    policy = found.facts["policy"]
    return {
        key: [
            policy.answers.get(here.view.text(), {}).get(here.view.action_text(action), 1 / len(here.actions))
            for action in here.actions
        ]
        for key, here in tree.sets.items()
    }
