"""Iterative deepening under a clock that is counted in questions."""

from collections.abc import Iterator
from typing import Any

from outplay.classroom.asking import Answer
from outplay.classroom.assignments import Assignment, Case, Line, expects, order_of_visits
from outplay.classroom.problems import Problem, tree
from outplay.game import Position
from outplay.textbook.cutoff import h_minimax

PAGE = """# Iterative deepening

How deep can one look before the time is up? Nobody knows, so search one action ahead, then two, then three, and when the time is
up answer
what the last finished search has found.

`deepening(game, state)` returns `(action, depth)`: the best action of the deepest finished search, and its depth. Each search is
depth-limited
minimax with `game.evaluate(state)` at the cut-off (of equal actions the first; no memory between the searches). The clock is
counted in
questions to the game: when the time is up, any question raises `game.OutOfTime`. A search of one action ahead can always be
finished. When nothing was cut off, the tree is searched to its ends: stop there.
"""

STUDENT = '''"""Depth 1, 2, 3, ... until the time is up."""


def deepening(game, state):
    """The best action of the deepest search that was finished, and its depth, as a pair.

    game.player(state), game.actions(state), game.result(state, action), game.is_terminal(state), game.utility(state),
    game.evaluate(state); and the exception game.OutOfTime
    """
    raise NotImplementedError
'''

REFERENCE = '''"""Depth 1, 2, 3, ... until the time is up."""


def deepening(game, state):
    """The best action of the deepest search that was finished, and its depth."""
    answer, depth = None, 0
    while True:
        cut = []
        try:
            found = search(game, state, depth + 1, cut)
        except game.OutOfTime:
            return answer, depth
        answer, depth = found[1], depth + 1
        if not cut:
            return answer, depth


def search(game, state, left, cut):
    """Depth-limited minimax; `cut` is filled where it had to estimate."""
    if game.is_terminal(state):
        return game.utility(state), None
    if left == 0:
        cut.append(state)
        return game.evaluate(state), None
    is_max = game.player(state) == 0
    best, chosen = None, None
    for action in game.actions(state):
        value, _ = search(game, game.result(state, action), left - 1, cut)
        if best is None or (value > best if is_max else value < best):
            best, chosen = value, action
    return best, chosen
'''


def searches(problem: Problem) -> Iterator[tuple[Any, list[int]]]:
    """The textbook's search of each depth, with what it looks into."""

    def evaluate(position: Position, player: int) -> float:
        return problem.nodes[position.state].evaluation * (1 - 2 * player)  # type: ignore[call-overload]  # a state is a number here

    for depth in range(1, 20):
        result = h_minimax(problem.start(), depth, evaluate=evaluate, trace=True)
        yield result, [problem.at(step.path) for step in result.trace or () if step.event == "enter"]
        if result.exact:
            return


def draw(group: str, seed: int, size: int) -> Case:
    """A question of a group: with time for all, or for some of it."""
    problem = tree(seed, depth=size + 1)
    found = list(searches(problem))
    visits = [state for _, each in found for state in each]
    if group == "short":
        finished = 1 + seed % max(1, len(found) - 1)
        used = sum(len(each) for _, each in found[:finished])
        following = len(found[finished][1]) if finished < len(found) else 4
        # Asking twice for what one might have kept is no mistake: so there is time to spare, but less than the next search takes.
        problem = Problem(problem.nodes, budget=used + following // 2 if finished < len(found) else None, bounds=problem.bounds)
        found, visits = found[:finished], visits[: used + following // 2]
    last = found[-1][0]
    return Case(
        "deepening",
        problem,
        expected={"action": last.action, "depth": len(found), "visits": list(dict.fromkeys(visits)), "all": visits},
    )


def depth_by_depth(case: Case, answer: Answer) -> str:
    """Whether the searches come one after the other, each as deep as it should be."""
    asked = [state for question, state in answer.log if question in ("actions", "utility", "evaluate")]
    wanted = case.expected["all"]
    if asked == wanted:
        return ""
    return f"depth by depth: {len(wanted)} looks expected in all searches together, {len(asked)} came, or in another order"


ASSIGNMENT = Assignment(
    "deepening",
    "Iterative deepening",
    "search in games under a clock",
    "an answer at any time, and the deepest that time allows",
    PAGE,
    STUDENT,
    REFERENCE,
    {"plenty": "trees with time for all of them", "short": "trees with time for the first searches"},
    draw,
    (
        Line("action, with time for all", 20, ("plenty",), expects("action", 0, "the action")),
        Line("depth, with time for all", 10, ("plenty",), expects("depth", 1, "the depth")),
        Line("depth by depth", 20, ("plenty",), depth_by_depth),
        Line(
            "the last finished answer when time is up",
            50,
            ("short",),
            lambda case, answer: (
                expects("action", 0, "the action")(case, answer)
                or expects("depth", 1, "the depth")(case, answer)
                or order_of_visits(case, answer)
            ),
        ),
    ),
    {
        "action, with time for all": (
            "        if not cut:\n            return answer, depth",
            "        if not cut:\n            return answer + '?', depth",
        ),
        "depth, with time for all": (
            "        if not cut:\n            return answer, depth",
            "        if not cut:\n            return answer, depth + 1",
        ),
        "depth by depth": ("        if not cut:", "        if not cut and (search(game, state, depth, cut) or True):"),
        "the last finished answer when time is up": (
            "        except game.OutOfTime:\n            return answer, depth",
            "        except game.OutOfTime:\n            return answer, depth + 1",
        ),
    },
)
