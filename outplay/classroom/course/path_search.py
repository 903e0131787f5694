"""A* on maps of towns."""

from typing import Any

from outplay.classroom.asking import Answer
from outplay.classroom.assignments import Assignment, Case, Line, expects, names, part
from outplay.classroom.problems import roads
from outplay.textbook.a_star import a_star

PAGE = """# The cheapest way: A*

Expand the town with the least `f = g + h`: the cost so far and the estimate of the rest. The estimate never says more than the
truth and
obeys the triangle inequality, so the first way to the goal that is taken out of the fringe is a cheapest one, and no town need
be expanded twice.

`a_star(game, state)` returns `(actions, cost)`: the list of actions of the way, and what it costs. Expanding a town is asking
for its
`game.actions(state)`; the goal is where `game.is_terminal(state)` is true. What counts beside the answer: that you expand just
the towns that A*
expands.
"""

STUDENT = '''"""A*: the cheapest way to the goal."""


def a_star(game, state):
    """The actions of a cheapest way from a state to the goal, and its cost, as a pair.

    game.actions(state), game.result(state, action), game.is_terminal(state)
    game.cost(state, action)     what an action costs
    game.estimate(state)         what the rest of the way costs at least
    """
    raise NotImplementedError
'''

REFERENCE = '''"""A*: the cheapest way to the goal."""

import heapq


def a_star(game, state):
    """The actions of a cheapest way from a state to the goal, and its cost."""
    fringe, number, done = [(game.estimate(state), 0, 0, state, [])], 0, set()
    while fringe:
        _, _, cost, here, way = heapq.heappop(fringe)
        if here in done:
            continue
        done.add(here)
        if game.is_terminal(here):
            return way, cost
        for action in game.actions(here):
            after, so_far = game.result(here, action), cost + game.cost(here, action)
            if after not in done:
                number += 1
                heapq.heappush(fringe, (so_far + game.estimate(after), number, so_far, after, [*way, action]))
    return None, None
'''


def draw(group: str, seed: int, size: int) -> Case:
    """A question of a group."""
    problem = roads(seed, 3 + 2 * size if group == "small" else 12 + 6 * size)
    result = a_star(problem.start(), trace=True)
    expanded = [problem.at(step.path) for step in result.trace or () if step.event == "expand"]
    return Case(
        "a_star",
        problem,
        expected={"cost": result.facts["cost"], "expanded": expanded},
        words=f"a_star on a map of {len(problem.nodes)} towns",
    )


def is_way(case: Case, answer: Answer) -> str:
    """Whether the actions lead to the goal."""
    assert case.problem is not None
    actions: Any = part(answer, 0)
    state = 0
    for action in actions if isinstance(actions, list) else [None]:
        node = case.problem.nodes[state]
        if action not in node.names:
            return f"the way: {action!r} is no action of town {state}"
        state = node.children[node.names.index(action)]
    return "" if case.problem.nodes[state].is_terminal else f"the way ends in town {state}, and not at the goal"


def expands(case: Case, answer: Answer) -> str:
    """Whether just those towns are expanded that A* expands."""
    wanted = {state for state in case.expected["expanded"] if not case.problem.nodes[state].is_terminal}  # type: ignore[union-attr]
    came = set(answer.asked("actions"))
    if came == wanted:
        return ""
    return (
        f"{len(wanted)} towns to expand, {len(came)} were: too many are {names(case, sorted(came - wanted)) or 'none'}, "
        f"left out {names(case, sorted(wanted - came)) or 'none'}"
    )


def none_twice(case: Case, answer: Answer) -> str:
    """Whether no town is expanded twice."""
    asked = answer.asked("actions")
    twice = sorted({state for state in asked if asked.count(state) > 1})
    return f"expanded more than once: {names(case, twice)}" if twice else "" if asked else "no town was expanded"


ASSIGNMENT = Assignment(
    "path-search",
    "A*",
    "path search",
    "informed search, and what an admissible estimate saves",
    PAGE,
    STUDENT,
    REFERENCE,
    {"small": "small maps", "large": "larger maps"},
    draw,
    (
        Line("a way to the goal", 25, ("small", "large"), is_way),
        Line("the cheapest cost", 35, ("small", "large"), expects("cost", 1, "the cost")),
        Line("just the towns that A* expands", 30, ("large",), expands),
        Line("no town twice", 10, ("large",), none_twice),
    ),
    {
        "a way to the goal": ("return way, cost", "return way[::-1] + ['?'], cost"),
        "the cheapest cost": ("return way, cost", "return way, cost + 1"),
        "just the towns that A* expands": ("(so_far + game.estimate(after), ", "(so_far, "),
        "no town twice": (
            "        for action in game.actions(here):",
            "        for action in game.actions(here) and game.actions(here):",
        ),
    },
)
