"""Max^n: more than two players, each for itself."""

from outplay.classroom.assignments import Assignment, Case, Line, expects, once_each, order_of_visits, visits_of
from outplay.classroom.problems import tree
from outplay.textbook.maxn import maxn

PAGE = """# Max^n

With three players and more there is no MAX and no MIN: a state is worth a vector, an entry for each player, and whoever is to
move takes the
vector that is best in its own place.

`maxn(game, state)` returns `(vector, action)`: the vector as a tuple or list, of equally good actions the first.
`game.utilities(state)` is the
vector of an end.
"""

STUDENT = '''"""Max^n: each player maximises its own entry of the vector."""


def maxn(game, state):
    """The vector of a state and the action of the player to move, as a pair; at an end the action is None.

    game.player(state)           0, 1, 2, ...
    game.actions(state), game.result(state, action), game.is_terminal(state)
    game.utilities(state)        what an end is worth to each player
    """
    raise NotImplementedError
'''

REFERENCE = '''"""Max^n: each player maximises its own entry of the vector."""


def maxn(game, state):
    """The vector of a state and the action of the player to move."""
    if game.is_terminal(state):
        return game.utilities(state), None
    player = game.player(state)
    best, chosen = None, None
    for action in game.actions(state):
        vector, _ = maxn(game, game.result(state, action))
        if best is None or vector[player] > best[player]:
            best, chosen = vector, action
    return best, chosen
'''


def draw(group: str, seed: int, size: int) -> Case:
    """A question of a group."""
    players = {"four": 4, "pair": 2}.get(group, 3)
    low, high = (0, 2) if group == "ties" else (0, 9999)
    problem = tree(seed, players=players, depth=min(size + 1, 4), low=low, high=high, total=None)
    result = maxn(problem.start(), trace=True)
    value = result.value if isinstance(result.value, tuple) else (result.value,)
    return Case("maxn", problem, expected={"value": value, "action": result.action, "visits": visits_of(problem, result)})


ASSIGNMENT = Assignment(
    "maxn",
    "Max^n",
    "games of many players",
    "values as vectors",
    PAGE,
    STUDENT,
    REFERENCE,
    {
        "three": "trees of three players",
        "four": "trees of four players",
        "pair": "trees of two players who are no opponents",
        "ties": "trees of three players with many equal entries",
    },
    draw,
    (
        Line("vectors of three players", 30, ("three",), expects("value", 0, "the vector")),
        Line("vectors of four players", 20, ("four",), expects("value", 0, "the vector")),
        Line("the first of equals", 20, ("ties",), expects("action", 1, "the action")),
        Line("action", 10, ("pair",), expects("action", 1, "the action")),
        Line("order of visits", 10, ("three",), order_of_visits),
        Line("each state once", 10, ("three",), once_each),
    ),
    {
        "vectors of three players": (
            "        return game.utilities(state), None",
            "        ends = game.utilities(state)\n        return [(2 if len(ends) == 3 else 1) * u for u in ends], None",
        ),
        "vectors of four players": ("vector[player] > best[player]", "vector[player % 3] > best[player % 3]"),
        "the first of equals": ("vector[player] > best[player]", "vector[player] >= best[player]"),
        "action": ("    return best, chosen", "    return best, (chosen if len(best) > 2 else action + '?')"),
        "order of visits": (
            "    for action in game.actions(state):\n        vector, _ = maxn(game, game.result(state, action))\n"
            "        if best is None or vector[player] > best[player]:",
            "    for action in game.actions(state)[::-1]:\n        vector, _ = maxn(game, game.result(state, action))\n"
            "        if best is None or vector[player] >= best[player]:",
        ),
        "each state once": ("    player = game.player(state)", "    player = game.player(state) + 0 * len(game.actions(state))"),
    },
)
