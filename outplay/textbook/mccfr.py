"""Monte Carlo regret minimization (Lanctot, Waugh, Zinkevich and Bowling 2009): learn from plays instead of the whole tree.

*External sampling* draws what chance and the others do and looks at every action of the player that learns; *outcome sampling*
draws one whole game and divides what it brought by how likely it was drawn. Both are right on average, and an iteration costs
little.

>>> from outplay.game import load
>>> result = mccfr(load("kuhn poker").start(), iterations=3000, seed=1)
>>> result.facts["exploitability"] < 0.06
True
"""

from __future__ import annotations

import random

from outplay.errors import UnknownName
from outplay.game import Position
from outplay.textbook.cfr import matched, report
from outplay.textbook.information import Key, Node, Tree, normal
from outplay.textbook.search import whole_number
from outplay.values import Limits, Result

KINDS = ("external", "outcome")


def external(node: Node, me: int, regrets: dict[Key, list[float]], sums: dict[Key, list[float]], draw: random.Random) -> float:
    """What the node is worth to me, the others' actions drawn and all of mine tried; regrets and sums are added to."""
    if node.utilities:
        return node.utilities[me]
    if node.key is None:
        return external(draw.choices(node.children, node.odds)[0], me, regrets, sums, draw)
    shares = matched(regrets[node.key])
    if node.key[0] != me:
        for k, share in enumerate(shares):
            sums[node.key][k] += share
        return external(draw.choices(node.children, shares)[0], me, regrets, sums, draw)
    values = [external(child, me, regrets, sums, draw) for child in node.children]
    worth = sum(share * value for share, value in zip(shares, values, strict=True))
    for k, value in enumerate(values):
        regrets[node.key][k] += value - worth
    return worth


def mccfr(position: Position, *, iterations: int = 2000, kind: str = "external", explore: float = 0.6, seed: int = 0,
          limits: Limits | None = None, trace: bool = False) -> Result:
    """The average strategy after so many sampled iterations."""
    if kind not in KINDS:
        raise UnknownName("kind of sampling", kind, KINDS)
    whole_number("iterations", iterations, 1)
    tree = Tree(position, "mccfr", limits=limits)
    if trace:
        tree.search.steps = []
    draw = random.Random(seed)
    regrets = {key: [0.0] * len(each.actions) for key, each in tree.sets.items()}
    sums = {key: [0.0] * len(each.actions) for key, each in tree.sets.items()}

    def outcome(node: Node, me: int, mine: float, drawn: float) -> float:
        """The utility of one drawn game over the probability of drawing it, times my probability of going on from here.

        `mine` and `drawn` are how likely my strategy, and the one that explores for me, come here.
        """
        if node.utilities:
            return node.utilities[me] / drawn
        if node.key is None:
            return outcome(draw.choices(node.children, node.odds)[0], me, mine, drawn)
        shares = matched(regrets[node.key])
        if node.key[0] != me:
            return outcome(draw.choices(node.children, shares)[0], me, mine, drawn)
        exploring = [explore / len(shares) + (1 - explore) * share for share in shares]
        k = draw.choices(range(len(shares)), exploring)[0]
        for j, share in enumerate(shares):
            sums[node.key][j] += share * mine / drawn
        after = outcome(node.children[k], me, mine * shares[k], drawn * exploring[k])
        for j in range(len(shares)):
            regrets[node.key][j] += (after if j == k else 0.0) - after * shares[k]
        return after * shares[k]

    for t in range(1, iterations + 1):
        tree.search.look_at_limits()
        for me in range(tree.players):
            is_external = kind == "external"
            worth = external(tree.root, me, regrets, sums, draw) if is_external else outcome(tree.root, me, 1.0, 1.0)
            tree.search.note("play", position, facts={"iteration": t, "player": me, "worth": worth})
    average = {key: normal(each) for key, each in sums.items()}
    return report(tree, average, position, f"mccfr ({kind})", iterations=iterations)
