"""H-minimax: minimax with a cut-off and an evaluation."""

from outplay.classroom.asking import Answer
from outplay.classroom.assignments import Assignment, Case, Line, expects, names
from outplay.classroom.problems import tree
from outplay.game import Position
from outplay.textbook.cutoff import h_minimax

PAGE = """# Evaluation and cut-off

No search reaches the end of chess. Stop after so many actions, and let an evaluation stand in for the rest:

    H-MINIMAX(s, d) = UTILITY(s)                                  if TERMINAL-TEST(s)
                      EVAL(s)                                     if d actions were made
                      max (min) over actions of H-MINIMAX(...)    if MAX (MIN) is to move

`h_minimax(game, state, depth)` returns `(value, action)`, of equal actions the first. `game.evaluate(state)` is EVAL for MAX:
ask it only
of states at the cut-off, for in a real game it costs time; and an end of the game is worth its utility, also at the cut-off.
"""

STUDENT = '''"""Minimax that stops early and estimates."""


def h_minimax(game, state, depth):
    """The value of a state for MAX when looking `depth` actions ahead, and the best action, as a pair.

    game.player(state), game.actions(state), game.result(state, action), game.is_terminal(state), game.utility(state),
    game.evaluate(state)
    """
    raise NotImplementedError
'''

REFERENCE = '''"""Minimax that stops early and estimates."""


def h_minimax(game, state, depth):
    """The value of a state for MAX when looking `depth` actions ahead, and the best action."""
    if game.is_terminal(state):
        return game.utility(state), None
    if depth == 0:
        return game.evaluate(state), None
    is_max = game.player(state) == 0
    best, chosen = None, None
    for action in game.actions(state):
        value, _ = h_minimax(game, game.result(state, action), depth - 1)
        if best is None or (value > best if is_max else value < best):
            best, chosen = value, action
    return best, chosen
'''


def draw(group: str, seed: int, size: int) -> Case:
    """A question of a group."""
    depth = min(size, 3)
    if group == "ends":
        problem = tree(seed, depth=depth, low=20, high=60)  # no evaluation is worth that much
    else:
        problem = tree(seed, depth=depth + 1, uneven=0.0)

    def evaluate(position: Position, player: int) -> float:
        return problem.nodes[position.state].evaluation * (1 - 2 * player)  # type: ignore[call-overload]  # a state is a number here

    result = h_minimax(problem.start(), depth, evaluate=evaluate, trace=True)
    cut = [problem.at(step.path) for step in result.trace or () if step.event == "leaf"]
    return Case("h_minimax", problem, (depth,), {"value": result.value, "action": result.action, "cut": cut})


def cut_off(case: Case, answer: Answer) -> str:
    """Whether EVAL was asked of the states at the cut-off, and of no others."""
    wanted, came = sorted(case.expected["cut"]), sorted(set(answer.asked("evaluate")))
    if wanted == came:
        return ""
    return f"EVAL: expected to be asked of {names(case, wanted)}, was asked of {names(case, came) or 'none'}"


ASSIGNMENT = Assignment(
    "evaluation",
    "Evaluation and cut-off",
    "adversarial search",
    "depth-limited search with EVAL in place of the rest",
    PAGE,
    STUDENT,
    REFERENCE,
    {"deep": "trees that go on beyond the cut-off", "ends": "trees that end before it or at it"},
    draw,
    (
        Line("value", 40, ("deep",), expects("value", 0, "the value")),
        Line("action", 10, ("ends",), expects("action", 1, "the action")),
        Line("EVAL only at the cut-off", 30, ("deep",), cut_off),
        Line("an end is worth its utility", 20, ("ends",), expects("value", 0, "the value")),
    ),
    {
        "value": ("return game.evaluate(state), None", "return 2 * game.evaluate(state), None"),
        "action": ("return best, chosen", "return best, chosen and action"),
        "EVAL only at the cut-off": ("    is_max = ", "    game.evaluate(state)\n    is_max = "),
        "an end is worth its utility": ("return game.utility(state), None", "return game.utility(state) + 1, None"),
    },
)
