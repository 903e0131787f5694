"""Minimax on random trees and the ends of small games."""

from outplay.classroom.assignments import Assignment, Case, Line, expects, once_each, order_of_visits, visits_of
from outplay.classroom.problems import small_game, tree
from outplay.textbook.minimax import minimax

PAGE = """# Minimax

MAX wants the greatest utility, MIN the least, and both play as well as can be. Write the search that looks at the whole tree:

    MINIMAX(s) = UTILITY(s)                                 if TERMINAL-TEST(s)
                 max over actions of MINIMAX(RESULT(s, a))  if PLAYER(s) = MAX
                 min over actions of MINIMAX(RESULT(s, a))  if PLAYER(s) = MIN

`minimax(game, state)` returns the value of the state for MAX and the best action: `(value, action)`. Of actions that are equally
good,
take the first. Try actions in the order of `game.actions(state)`, go down before you go on, and look at no state twice.
"""

STUDENT = '''"""Minimax: what a state is worth when both sides play as well as can be."""


def minimax(game, state):
    """The value of a state for MAX and the best action, as a pair; at the end of the game the action is None.

    game.player(state)           0: MAX is to move, 1: MIN
    game.actions(state)          what may be done, in order
    game.result(state, action)   the state after an action
    game.is_terminal(state)      whether the game is over
    game.utility(state)          what a finished game is worth to MAX
    """
    raise NotImplementedError
'''

REFERENCE = '''"""Minimax: what a state is worth when both sides play as well as can be."""


def minimax(game, state):
    """The value of a state for MAX and the best action."""
    if game.is_terminal(state):
        return game.utility(state), None
    is_max = game.player(state) == 0
    best, chosen = None, None
    for action in game.actions(state):
        value, _ = minimax(game, game.result(state, action))
        if best is None or (value > best if is_max else value < best):
            best, chosen = value, action
    return best, chosen
'''


def draw(group: str, seed: int, size: int) -> Case:
    """A question of a group."""
    if group == "games":
        problem = small_game(seed)
    elif group == "ties":
        problem = tree(seed, depth=min(size, 3), width=(2, 3), low=-1, high=1)
    else:
        problem = tree(seed, depth=size, width=(2, 3))
    result = minimax(problem.start(), trace=True)
    return Case("minimax", problem, expected={"value": result.value, "action": result.action, "visits": visits_of(problem, result)})


ASSIGNMENT = Assignment(
    "minimax",
    "Minimax",
    "adversarial search",
    "backing values up through a tree of MAX and MIN",
    PAGE,
    STUDENT,
    REFERENCE,
    {"trees": "random trees", "ties": "trees with many equal leaves", "games": "ends of tic-tac-toe and nim"},
    draw,
    (
        Line("value", 40, ("trees", "games"), expects("value", 0, "the value")),
        Line("action: the first of the best", 20, ("ties",), expects("action", 1, "the action")),
        Line("order of visits", 20, ("trees",), order_of_visits),
        Line("each state once", 20, ("trees", "games"), once_each),
    ),
    {
        "value": ("return game.utility(state), None", "return 2 * game.utility(state), None"),
        "action: the first of the best": ("value > best if is_max else value < best", "value >= best if is_max else value <= best"),
        "order of visits": (
            "for action in game.actions(state):\n        value, _ = minimax(game, game.result(state, action))\n"
            "        if best is None or (value > best if is_max else value < best):",
            "for action in reversed(game.actions(state)):\n        value, _ = minimax(game, game.result(state, action))\n"
            "        if best is None or (value >= best if is_max else value <= best):",
        ),
        "each state once": ("return game.utility(state), None", "return game.utility(state) + 0 * game.utility(state), None"),
    },
)
