"""Alpha-beta: minimax without what cannot change the decision, cut for cut as the lectures have it."""

from outplay.classroom.assignments import Assignment, Case, Line, expects, order_of_visits, same_states, visits_of
from outplay.classroom.problems import small_game, tree
from outplay.textbook.alphabeta import alphabeta

PAGE = """# Alpha-beta

Minimax looks at states that can no longer matter. Carry along alpha, the best that MAX is sure of on the way to the root, and
beta, the
best that MIN is sure of, and leave a node as soon as its value is outside:

    MAX-VALUE(s, alpha, beta):  v = -infinity
        for each action a:  v = max(v, VALUE(RESULT(s, a), alpha, beta))
                            if v >= beta: return v
                            alpha = max(alpha, v)

and MIN-VALUE the other way round. `alphabeta(game, state)` returns `(value, action)`; of equal actions the first. What counts
beside
the answer: that you look into just those states that this rule looks into, and in its order.
"""

STUDENT = '''"""Alpha-beta: minimax that skips what cannot change the decision."""


def alphabeta(game, state):
    """The value of a state for MAX and the best action, as a pair; at the end of the game the action is None.

    game.player(state), game.actions(state), game.result(state, action), game.is_terminal(state), game.utility(state)
    """
    raise NotImplementedError
'''

REFERENCE = '''"""Alpha-beta: minimax that skips what cannot change the decision."""

from math import inf


def alphabeta(game, state, alpha=-inf, beta=inf):
    """The value of a state for MAX and the best action."""
    if game.is_terminal(state):
        return game.utility(state), None
    is_max = game.player(state) == 0
    best, chosen = (-inf if is_max else inf), None
    for action in game.actions(state):
        value, _ = alphabeta(game, game.result(state, action), alpha, beta)
        if value > best if is_max else value < best:
            best, chosen = value, action
        if best >= beta if is_max else best <= alpha:
            break
        if is_max:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
    return best, chosen
'''


def draw(group: str, seed: int, size: int) -> Case:
    """A question of a group."""
    if group == "games":
        problem = small_game(seed)
    elif group == "ties":
        problem = tree(seed, depth=min(size, 3), low=-1, high=1)
    else:
        problem = tree(seed, depth=size + 1, width=(2, 3))
    result = alphabeta(problem.start(), trace=True)
    return Case(
        "alphabeta", problem, expected={"value": result.value, "action": result.action, "visits": visits_of(problem, result)}
    )


ASSIGNMENT = Assignment(
    "alphabeta",
    "Alpha-beta",
    "adversarial search",
    "what need not be looked at, and why",
    PAGE,
    STUDENT,
    REFERENCE,
    {"trees": "random trees", "ties": "trees with many equal leaves", "games": "ends of tic-tac-toe and nim"},
    draw,
    (
        Line("value", 30, ("trees", "games"), expects("value", 0, "the value")),
        Line("action", 10, ("ties",), expects("action", 1, "the action")),
        Line("cuts: just the states that matter", 40, ("trees",), same_states),
        Line("order of visits", 20, ("trees",), order_of_visits),
    ),
    {
        "value": ("return game.utility(state), None", "return 2 * game.utility(state), None"),
        "action": ("if value > best if is_max else value < best:", "if value >= best if is_max else value <= best:"),
        "cuts: just the states that matter": (
            "best >= beta if is_max else best <= alpha",
            "best > beta + 99 if is_max else best <= alpha",
        ),
        "order of visits": (
            "    for action in game.actions(state):",
            "    if alpha == -inf and beta == inf:\n"
            "        for each in [game.result(state, action) for action in game.actions(state)]:\n"
            "            game.utility(each) if game.is_terminal(each) else game.actions(each)\n"
            "    for action in game.actions(state):",
        ),
    },
)
