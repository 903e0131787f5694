"""Counterfactual regret minimization (Zinkevich, Johanson, Bowling and Piccione 2007), CFR+, linear and discounted CFR.

Play against yourself and keep a tally at each information set: how much more would each action have earned, had I always come
here and always taken it? That is its *regret*. Play each action in proportion to its positive regret, and the average of all that
was played comes ever nearer to an equilibrium.

>>> from outplay.game import load
>>> result = cfr(load("kuhn poker").start(), iterations=400, variant="cfr+")
>>> round(result.value, 2), result.facts["exploitability"] < 0.005
(-0.06, True)
>>> mixture = result.facts["policy"].answers
>>> mixture["Q?"]["bet"] < 0.01, abs(mixture["K?"]["bet"] - 3 * mixture["J?"]["bet"]) < 0.05   # the jack bluffs for the king
(True, True)

The variants weigh the past: ``cfr`` all alike; ``cfr+`` (Tammelin 2014) forgets regrets below zero, and iteration t counts t
times in the average; ``linear`` counts t times everywhere; ``discounted`` (Brown and Sandholm 2019) lets regrets fade, those
below zero faster. A trace has one step for each information set and iteration, with its regrets and what is played next.
"""

from __future__ import annotations

from dataclasses import replace

from outplay.errors import UnknownName
from outplay.game import Position
from outplay.textbook.best_response import exploitability
from outplay.textbook.information import Key, Strategy, Tree, normal, others
from outplay.textbook.search import whole_number
from outplay.values import Choice, Limits, Result

VARIANTS = ("cfr", "cfr+", "linear", "discounted")


def cfr(position: Position, *, iterations: int = 200, variant: str = "cfr", limits: Limits | None = None,
        trace: bool = False) -> Result:
    """The average strategy after so many iterations: its value, its exploitability, and a policy to play."""
    if variant not in VARIANTS:
        raise UnknownName("variant of cfr", variant, VARIANTS)
    whole_number("iterations", iterations, 1)
    tree = Tree(position, "cfr", limits=limits)
    search = tree.search
    if trace:
        search.steps = []
    regrets = {key: [0.0] * len(each.actions) for key, each in tree.sets.items()}
    sums = {key: [0.0] * len(each.actions) for key, each in tree.sets.items()}
    strategy = {key: matched(each) for key, each in regrets.items()}
    done = 0
    for t in range(1, iterations + 1):
        search.look_at_limits()
        for player in range(tree.players):  # one after the other: the second answers what the first has just learned
            learn(tree, strategy, player, regrets, sums, t if variant == "cfr+" else 1)
            for key in regrets:
                if key[0] == player:
                    regrets[key] = fade(regrets[key], t, variant)
                    if variant in ("linear", "discounted"):
                        gamma = 1.0 if variant == "linear" else 2.0
                        sums[key] = [share * (t / (t + 1)) ** gamma for share in sums[key]]
                    strategy[key] = matched(regrets[key])
                    search.note("regrets", tree.sets[key].view, facts={
                        "iteration": t, "player": player, "sees": str(key[1]), "regrets": tuple(regrets[key]),
                        "plays": tuple(strategy[key])})
        done = t
    average = {key: normal(each) for key, each in sums.items()}
    return report(tree, average, position, "cfr" if variant == "cfr" else variant, iterations=done)


def learn(tree: Tree, strategy: Strategy, player: int, regrets: dict[Key, list[float]], sums: dict[Key, list[float]],
          weight: float) -> None:
    """One iteration for one player: each action's counterfactual gain over the mixture, and the mixture into the average."""
    worth, reach = tree.values(strategy), tree.reaches(strategy)
    for key, here in tree.sets.items():
        if key[0] == player:
            for node in here.nodes:
                outside = others(reach[node], player)
                for k, child in enumerate(node.children):
                    regrets[key][k] += outside * (worth[child][player] - worth[node][player])
            own = reach[here.nodes[0]][player]  # perfect recall: the same for all positions of the set
            for k, share in enumerate(strategy[key]):
                sums[key][k] += weight * own * share


def matched(regrets: list[float]) -> list[float]:
    """Regret matching (Hart and Mas-Colell 2000): each action in proportion to its positive regret.

    >>> matched([3.0, -1.0, 1.0])
    [0.75, 0.0, 0.25]
    """
    return normal([max(0.0, regret) for regret in regrets])


def fade(regrets: list[float], t: int, variant: str) -> list[float]:
    """What becomes of regrets after iteration t."""
    if variant == "cfr+":
        return [max(0.0, regret) for regret in regrets]
    if variant == "linear":
        return [regret * t / (t + 1) for regret in regrets]
    if variant == "discounted":
        return [regret * (t**1.5 / (t**1.5 + 1) if regret > 0 else 0.5) for regret in regrets]
    return regrets


def report(tree: Tree, average: Strategy, position: Position, name: str, **facts: object) -> Result:
    """A strategy as a Result: the value of the game, and the mixture at the root where a player is to move there."""
    values = tree.values(average)[tree.root]
    told = {"exploitability": exploitability(tree, average), "policy": tree.policy(average), "strategy": average,
            "information_sets": len(tree.sets), **facts}
    choices: tuple[Choice, ...] = ()
    action = None
    if tree.root.key is not None:
        mixture = zip(tree.sets[tree.root.key].actions, average[tree.root.key], strict=True)
        choices = tuple(Choice(a, share=share) for a, share in sorted(mixture, key=lambda each: -each[1]))
        action = choices[0].action
    search = tree.search
    search.exact = False
    zero = tree.players == 2 and position.game.traits.sum == "zero"
    search.facts.update(told)
    made = search.report(values[0] if zero else values, () if action is None else (action,))
    return replace(made, action=action, algorithm=name, choices=choices or made.choices)
