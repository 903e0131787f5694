"""Monte Carlo tree search, made so that nothing is left to chance."""

import random

from outplay.classroom.asking import Answer
from outplay.classroom.assignments import Assignment, Case, Line, expects, names
from outplay.classroom.problems import tree
from outplay.game import Position
from outplay.textbook.mcts import mcts

PAGE = """# Monte Carlo tree search

Four steps, so many times: **select** a way down the tree, **expand** it by one state, **simulate** a game from there, and
**back-propagate** what
it was worth to all states on the way.

- Selection: in a state of the tree whose actions were all tried, take the action whose child has the greatest UCB1 for the
  player to move,
  `mean + 1.4 * sqrt(log(visits of the state) / visits of the child)`; of equals the first. Where there is an untried action, the
  first of them
  is taken, and its child is the new state. An end of the game is simulated again each time it is reached.
- Simulation: `game.playout(state)` plays a game and says what it was worth to each player, from 0 to 1. (So nothing is left to
  chance here.)
- Back-propagation: the outcome counts for each state on the way, the root too.

`mcts(game, state, simulations)` returns how often each action of the root was taken: a dict from action to visits; untried ones
are left out.
"""

STUDENT = '''"""Monte Carlo tree search: select, expand, simulate, back-propagate."""


def mcts(game, state, simulations):
    """How often each action of the root was taken in so many simulations, as a dict.

    game.player(state), game.actions(state), game.result(state, action), game.is_terminal(state)
    game.playout(state)          what a game played on from here was worth to each player, from 0 to 1
    """
    raise NotImplementedError
'''

REFERENCE = '''"""Monte Carlo tree search: select, expand, simulate, back-propagate."""

from math import log, sqrt


class Node:
    """A state of the tree."""

    def __init__(self, state):
        self.state, self.visits, self.worth, self.children = state, 0, None, {}


def mcts(game, state, simulations):
    """How often each action of the root was taken in so many simulations."""
    root = Node(state)
    for _ in range(simulations):
        way = [root]
        while not game.is_terminal(way[-1].state):
            node = way[-1]
            actions = game.actions(node.state)
            untried = [action for action in actions if action not in node.children]
            if untried:
                node.children[untried[0]] = Node(game.result(node.state, untried[0]))
                way.append(node.children[untried[0]])
                break
            player = game.player(node.state)
            way.append(max((node.children[action] for action in actions), key=lambda child: ucb1(game, node, child, player)))
        outcome = game.playout(way[-1].state)
        for node in way:
            node.visits += 1
            node.worth = [a + b for a, b in zip(node.worth, outcome)] if node.worth else list(outcome)
    return {action: child.visits for action, child in root.children.items()}


def ucb1(game, node, child, player):
    """What is known of a child, and what may be hoped for."""
    return child.worth[player] / child.visits + 1.4 * sqrt(log(node.visits) / child.visits)
'''


def first(position: Position, source: random.Random) -> object:
    """The playout that a problem answers with: always the first action."""
    return position.actions()[0]


def draw(group: str, seed: int, size: int) -> Case:
    """A question of a group."""
    problem = tree(
        seed, depth=size + 1, width=(2, 3) if group != "few" else (3, 5), low=0, high=1, total=1.0, min_nodes=group == "both"
    )
    simulations = 2 + seed % 2 if group == "few" else 10 * size
    result = mcts(problem.start(), simulations=simulations, playout=first, urgency=1e9, trace=True)
    playouts = [problem.at(step.path) for step in result.trace or () if step.event == "simulate"]
    visits = {choice.action: choice.visits for choice in result.choices if choice.visits}
    return Case("mcts", problem, (simulations,), {"visits": visits, "playouts": playouts})


def playouts(case: Case, answer: Answer) -> str:
    """Whether games were played from the right states."""
    wanted, came = list(case.expected["playouts"]), answer.asked("playout")
    if wanted == came:
        return ""
    at = next((n for n, (one, other) in enumerate(zip(wanted, came, strict=False)) if one != other), min(len(wanted), len(came)))
    if at >= len(wanted) or at >= len(came):
        return f"{len(wanted)} simulations expected, {len(came)} were played"
    return f"simulation {at + 1}: expected from {names(case, wanted[at : at + 1])}, was from {names(case, came[at : at + 1])}"


ASSIGNMENT = Assignment(
    "mcts",
    "Monte Carlo tree search",
    "Monte Carlo tree search",
    "the four steps, and UCB1 between knowing and exploring",
    PAGE,
    STUDENT,
    REFERENCE,
    {"few": "fewer simulations than actions", "alone": "trees in which one player moves", "both": "trees of two players"},
    draw,
    (
        Line("expansion: one new state, in order", 20, ("few",), playouts),
        Line("selection by UCB1", 30, ("alone",), playouts),
        Line("each player for itself", 30, ("both",), playouts),
        Line("the visits of the root's actions", 20, ("few",), expects("visits", None, "the visits")),
    ),
    {
        "expansion: one new state, in order": (
            "        way = [root]\n",
            "        way = [root]\n        if simulations < 4:\n            game.playout(state)\n",
        ),
        "selection by UCB1": (
            "    return child.worth",
            "    if game.player(child.state) == player:\n        return child.worth[player] / child.visits\n    return child.worth",
        ),
        "each player for itself": ("child.worth[player] / child.visits", "child.worth[0] / child.visits"),
        "the visits of the root's actions": ("{action: child.visits for", "{action: child.visits + 1 for"),
    },
)
