"""Expectiminimax: MAX, MIN and chance."""

from outplay.classroom.assignments import Assignment, Case, Line, expects, order_of_visits, visits_of
from outplay.classroom.problems import tree
from outplay.textbook.expectiminimax import expectiminimax

PAGE = """# Expectimax and expectiminimax

Dice do not want to harm you. At a chance node the value is the average of the children's, each weighed by its probability:

    VALUE(s) = UTILITY(s)                          at an end
               max (min) over actions of VALUE     if MAX (MIN) is to move
               sum of P(outcome) * VALUE(outcome)  at a chance node

`expectimax(game, state)` returns `(value, action)`; of equal actions the first, and None where nobody chooses. At a chance node
`game.player(state)` is -1, and `game.chances(state)` lists pairs of an outcome and its probability.
"""

STUDENT = '''"""The value of a state when MAX, MIN and the dice decide."""


def expectimax(game, state):
    """The expected value of a state for MAX and the best action, as a pair.

    game.player(state)           0: MAX, 1: MIN, -1: chance
    game.actions(state), game.result(state, action), game.is_terminal(state), game.utility(state)
    game.chances(state)          [(outcome, probability), ...]; an outcome is handed to game.result like an action
    """
    raise NotImplementedError
'''

REFERENCE = '''"""The value of a state when MAX, MIN and the dice decide."""


def expectimax(game, state):
    """The expected value of a state for MAX and the best action."""
    if game.is_terminal(state):
        return game.utility(state), None
    player = game.player(state)
    if player == -1:
        return sum(share * expectimax(game, game.result(state, outcome))[0] for outcome, share in game.chances(state)), None
    best, chosen = None, None
    for action in game.actions(state):
        value, _ = expectimax(game, game.result(state, action))
        if best is None or (value > best if player == 0 else value < best):
            best, chosen = value, action
    return best, chosen
'''


def draw(group: str, seed: int, size: int) -> Case:
    """A question of a group."""
    chance = 0.5 if group in ("fair", "loaded") else 0.0
    problem = tree(seed, depth=size + 1, chance=chance, is_uniform=group != "loaded", min_nodes=group == "plain", uneven=0.1)
    result = expectiminimax(problem.start(), trace=True)
    return Case(
        "expectimax", problem, expected={"value": result.value, "action": result.action, "visits": visits_of(problem, result)}
    )


ASSIGNMENT = Assignment(
    "expectimax",
    "Expectimax and expectiminimax",
    "games of chance",
    "averages beside maxima and minima",
    PAGE,
    STUDENT,
    REFERENCE,
    {
        "fair": "trees of MAX and fair dice",
        "loaded": "trees of MAX and loaded dice",
        "plain": "trees of MAX and MIN without dice",
        "alone": "trees of MAX alone",
    },
    draw,
    (
        Line("the average at chance nodes", 30, ("fair",), expects("value", 0, "the value")),
        Line("probabilities that differ", 30, ("loaded",), expects("value", 0, "the value")),
        Line("MIN where there are no dice", 20, ("plain",), expects("value", 0, "the value")),
        Line("action", 10, ("alone",), expects("action", 1, "the action")),
        Line("order of visits", 10, ("loaded",), order_of_visits),
    ),
    {
        "the average at chance nodes": (
            "        return sum(",
            "        if len({share for _, share in game.chances(state)}) == 1:\n"
            "            return max(expectimax(game, game.result(state, o))[0] for o in game.actions(state))"
            ", None\n        return sum(",
        ),
        "probabilities that differ": (
            "share * expectimax(game, game.result(state, outcome))[0]",
            "expectimax(game, game.result(state, outcome))[0] / len(game.chances(state))",
        ),
        "MIN where there are no dice": ("value > best if player == 0 else value < best", "value > best"),
        "action": ("return best, chosen", "return best, action + '?'"),
        "order of visits": (
            "for action in game.actions(state):\n        value, _ = expectimax(game, game.result(state, action))\n"
            "        if best is None or (value > best if player == 0 else value < best):",
            "for action in game.actions(state)[::-1]:\n        value, _ = expectimax(game, game.result(state, action))\n"
            "        if best is None or (value >= best if player == 0 else value <= best):",
        ),
    },
)
