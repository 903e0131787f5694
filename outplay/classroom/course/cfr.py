"""Counterfactual regret minimization on Kuhn's poker."""

import functools
import random
from typing import Any

from outplay.classroom.assignments import Assignment, Case, Line, expects
from outplay.classroom.problems import Node, Problem
from outplay.game import Position, load
from outplay.textbook.cfr import cfr, matched
from outplay.values import CHANCE

PAGE = """# Regret in Kuhn's poker

Three cards, one bet, and bluffing pays. Play against yourself and learn from regret:

- `regret_matching(regrets)`: each action in proportion to its positive regret; all alike where none is positive. A list of shares.
- `cfr(game, state, iterations)`: in each iteration first player 0 learns, then player 1. Whoever learns goes over its
  information sets:
  the regret of an action grows by what it would have earned more than the mixture that is played now, each time weighed by the
  probability that chance and the *other* player lead there; and to the sum of all mixtures comes the present one, weighed by the
  player's *own* probability to lead there. When a player has learned, its mixtures are those of regret matching from its new
  regrets.
  The first mixtures are all alike.

`cfr` returns `(strategy, value)`: the average strategy as a dict from `game.information(state)` to a dict from action to share,
and what
the start is worth to player 0 when both play by it. `game.chances(state)` lists a deal's outcomes where `game.player(state)` is -1.
"""

STUDENT = '''"""Counterfactual regret minimization."""


def regret_matching(regrets):
    """A share for each action, in proportion to its positive regret; all alike where none is positive."""
    raise NotImplementedError


def cfr(game, state, iterations):
    """The average strategy after so many iterations, {information: {action: share}}, and its value for player 0, as a pair.

    game.player(state)           0, 1, or -1 at a chance node
    game.actions(state), game.result(state, action), game.is_terminal(state), game.chances(state)
    game.utilities(state)        what an end is worth to each player
    game.information(state)      what the player to move knows
    """
    raise NotImplementedError
'''

REFERENCE = '''"""Counterfactual regret minimization."""


def regret_matching(regrets):
    """A share for each action, in proportion to its positive regret; all alike where none is positive."""
    positive = [max(0.0, regret) for regret in regrets]
    total = sum(positive)
    return [each / total for each in positive] if total > 0 else [1 / len(regrets)] * len(regrets)


def cfr(game, state, iterations):
    """The average strategy after so many iterations and its value for player 0."""
    regrets, sums, actions, owner = {}, {}, {}, {}
    tree = read(game, state, regrets, sums, actions, owner)
    now = {key: regret_matching(each) for key, each in regrets.items()}
    for _ in range(iterations):
        for player in (0, 1):
            gains = {key: [0.0] * len(each) for key, each in regrets.items()}
            reached = {}
            walk(tree, player, 1.0, 1.0, now, gains, reached)
            for key in regrets:
                if owner[key] == player:
                    regrets[key] = [a + b for a, b in zip(regrets[key], gains[key])]
                    sums[key] = [a + reached[key] * share for a, share in zip(sums[key], now[key])]
                    now[key] = regret_matching(regrets[key])
    average = {key: regret_matching(each) for key, each in sums.items()}
    strategy = {key: dict(zip(actions[key], each)) for key, each in average.items()}
    return strategy, worth(tree, average)


def read(game, state, regrets, sums, actions, owner):
    """The whole tree as tuples."""
    if game.is_terminal(state):
        return ("end", game.utilities(state)[0])
    player = game.player(state)
    offered = game.actions(state)
    children = [read(game, game.result(state, action), regrets, sums, actions, owner) for action in offered]
    if player == -1:
        return ("chance", [share for _, share in game.chances(state)], children)
    key = game.information(state)
    regrets[key], sums[key], actions[key], owner[key] = [0.0] * len(offered), [0.0] * len(offered), offered, player
    return ("player", player, key, children)


def walk(node, learner, own, outside, now, gains, reached):
    """What a node is worth to the learner; gains and reaches are noted on the way."""
    if node[0] == "end":
        return node[1] if learner == 0 else -node[1]
    if node[0] == "chance":
        return sum(share * walk(child, learner, own, outside * share, now, gains, reached) for share, child in zip(node[1],
        node[2]))
    _, player, key, children = node
    if player != learner:
        return sum(share * walk(child, learner, own, outside * share, now, gains, reached) for share, child in zip(now[key],
        children))
    reached[key] = own
    values = [walk(child, learner, own * share, outside, now, gains, reached) for share, child in zip(now[key], children)]
    mixture = sum(share * value for share, value in zip(now[key], values))
    gains[key] = [gain + outside * (value - mixture) for gain, value in zip(gains[key], values)]
    return mixture


def worth(node, strategy):
    """What a node is worth to player 0 when both play by a strategy."""
    if node[0] == "end":
        return node[1]
    shares, children = (node[1], node[2]) if node[0] == "chance" else (strategy[node[2]], node[3])
    return sum(share * worth(child, strategy) for share, child in zip(shares, children))
'''


@functools.cache
def kuhn() -> Problem:
    """Kuhn's poker as a problem."""
    nodes: list[Any] = []

    def grow(here: Position) -> int:
        number = len(nodes)
        nodes.append(None)
        if here.is_terminal():
            nodes[number] = Node(here.player(), utilities=here.utilities())
            return number
        names = tuple(here.action_text(action) for action in here.actions())
        children = tuple(grow(here.result(action)) for action in here.actions())
        if here.is_chance():
            nodes[number] = Node(CHANCE, children, names, tuple(share for _, share in here.chances()))
        else:
            nodes[number] = Node(here.player(), children, names, information=here.observe(here.player()).text())
        return number

    grow(load("kuhn poker", compiled=False).start())
    return Problem(tuple(nodes), 2, "Kuhn's poker", bounds=(-2.0, 2.0))


@functools.cache
def solved(iterations: int) -> tuple[dict[str, dict[str, float]], float]:
    """The textbook's average strategy and its value."""
    result = cfr(load("kuhn poker", compiled=False).start(), iterations=iterations)
    answers = {key: dict(mixture) for key, mixture in result.facts["policy"].answers.items()}
    return answers, float(result.value)  # type: ignore[arg-type]  # a game of two


def draw(group: str, seed: int, size: int) -> Case:
    """A question of a group."""
    source = random.Random(f"regrets {group} {seed} {size}")
    if group in ("regrets", "none"):
        most = 0 if group == "none" else 9
        regrets = [float(source.randint(-9, most)) for _ in range(size + 2)]
        if group == "regrets":
            regrets[source.randrange(len(regrets))] = 5.0
        return Case("regret_matching", None, (regrets,), {"shares": matched(regrets)})
    iterations = 1 + seed % (12 * size)
    strategy, value = solved(iterations)
    return Case(
        "cfr", kuhn(), (iterations,), {"strategy": strategy, "value": value}, f"cfr on Kuhn's poker, {iterations} iterations"
    )


ASSIGNMENT = Assignment(
    "cfr",
    "Regret in Kuhn's poker",
    "hidden information",
    "mixed strategies from regret",
    PAGE,
    STUDENT,
    REFERENCE,
    {"regrets": "regrets of which some are positive", "none": "regrets of which none is positive", "kuhn": "Kuhn's poker"},
    draw,
    (
        Line("regret matching", 20, ("regrets",), expects("shares", None, "the shares")),
        Line("regret matching without regret", 10, ("none",), expects("shares", None, "the shares")),
        Line("the average strategy", 50, ("kuhn",), expects("strategy", 0, "the strategy")),
        Line("its value", 20, ("kuhn",), expects("value", 1, "the value")),
    ),
    {
        "regret matching": ("    total = sum(positive)\n", "    total = sum(positive) if len(positive) < 3 else max(positive)\n"),
        "regret matching without regret": (
            "[1 / len(regrets)] * len(regrets)",
            "[1 / len(regrets) if len(regrets) < 3 else 0.0] * len(regrets)",
        ),
        "the average strategy": (
            "    return strategy, worth",
            "    strategy = {key: {a: round(s, 1) for a, s in each.items()} "
            "for key, each in strategy.items()}\n    return strategy, worth",
        ),
        "its value": ("return strategy, worth(tree, average)", "return strategy, -worth(tree, average) - 1"),
    },
    questions=5,
)
