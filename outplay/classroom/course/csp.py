"""Constraint satisfaction: arc consistency and backtracking."""

import itertools
import random
from typing import Any

from outplay.classroom.asking import Answer
from outplay.classroom.assignments import Assignment, Case, Line, expects

PAGE = """# Constraint propagation

A problem is given as data: `domains`, a dict from each variable to the list of its values, and `constraints`, a list of `[x, y,
pairs]`, where
`pairs` lists all `[a, b]` such that x = a and y = b go together. Write two functions:

- `arc_consistent(domains, constraints)`: AC-3. Take out of each domain the values that have no partner in a neighbour's, until
  there
  is nothing to take out. Return the new domains (values in their old order), or None when a domain runs empty.
- `solve(domains, constraints)`: an assignment, a dict from each variable to a value, or None where there is none.
"""

STUDENT = '''"""Arc consistency and backtracking."""


def arc_consistent(domains, constraints):
    """The domains without the values that cannot be part of any pair, or None when one runs empty."""
    raise NotImplementedError


def solve(domains, constraints):
    """A value for each variable such that all constraints hold, or None."""
    raise NotImplementedError
'''

REFERENCE = '''"""Arc consistency and backtracking."""


def arc_consistent(domains, constraints):
    """The domains without the values that cannot be part of any pair, or None when one runs empty."""
    domains = {name: list(values) for name, values in domains.items()}
    arcs = [(x, y, {(a, b) for a, b in pairs}) for x, y, pairs in constraints]
    arcs += [(y, x, {(b, a) for a, b in pairs}) for x, y, pairs in constraints]
    queue = list(arcs)
    while queue:
        x, y, pairs = queue.pop(0)
        kept = [a for a in domains[x] if any((a, b) in pairs for b in domains[y])]
        if len(kept) < len(domains[x]):
            domains[x] = kept
            if not kept:
                return None
            queue += [arc for arc in arcs if arc[1] == x]
    return domains


def solve(domains, constraints, assignment=None):
    """A value for each variable such that all constraints hold, or None."""
    assignment = assignment or {}
    open_ones = [name for name in domains if name not in assignment]
    if not open_ones:
        return assignment
    for value in domains[open_ones[0]]:
        tried = {**assignment, open_ones[0]: value}
        if all([tried[x], tried[y]] in pairs for x, y, pairs in constraints if x in tried and y in tried):
            found = solve(domains, constraints, tried)
            if found is not None:
                return found
    return None
'''


def propagated(domains: dict[str, list[int]], constraints: list[Any]) -> dict[str, list[int]] | None:
    """The greatest arc-consistent domains, by taking out what has no partner until nothing changes."""
    domains = {name: list(values) for name, values in domains.items()}
    while True:
        before = {name: list(values) for name, values in domains.items()}
        for x, y, pairs in constraints:
            domains[x] = [a for a in domains[x] if any([a, b] in pairs for b in domains[y])]
            domains[y] = [b for b in domains[y] if any([a, b] in pairs for a in domains[x])]
        if any(not values for values in domains.values()):
            return None
        if domains == before:
            return domains


def is_solvable(domains: dict[str, list[int]], constraints: list[Any]) -> bool:
    """Whether there is an assignment, by trying them all: there are few."""
    where = {name: number for number, name in enumerate(domains)}
    tables = [(where[x], where[y], {tuple(pair) for pair in pairs}) for x, y, pairs in constraints]
    return any(all((values[x], values[y]) in pairs for x, y, pairs in tables) for values in itertools.product(*domains.values()))


def draw(group: str, seed: int, size: int) -> Case:
    """A question of a group."""
    source = random.Random(f"csp {group} {seed} {size}")
    for _ in range(2000):
        count = 2 + size
        variables = [f"v{number}" for number in range(count)]
        if group == "none":  # a ring of odd length with two colours: nothing to take out, and no solution
            count = 3 + 2 * (size // 2)
            variables = [f"v{number}" for number in range(count)]
            colours = sorted(source.sample(range(9), 2))
            domains = {name: list(colours) for name in variables}
            differ = [[a, b] for a in colours for b in colours if a != b]
            constraints = [[variables[n], variables[(n + 1) % count], differ] for n in range(count)]
        else:
            domains = {name: list(range(1, source.randint(3, 5))) for name in variables}
            pairs_of: list[tuple[str, ...]] = [(variables[n], variables[source.randrange(n)]) for n in range(1, count)]
            pairs_of += [tuple(source.sample(variables, 2)) for _ in range(size)]
            share = 0.5 if group == "open" else 0.65
            constraints = [[x, y, [[a, b] for a in domains[x] for b in domains[y] if source.random() < share]] for x, y in pairs_of]
            if group == "dead":
                x, y = pairs_of[0]
                domains[x], constraints[0] = [7], [x, y, []]
        after = propagated(domains, constraints)
        if group == "dead" and after is None:
            return Case(
                "arc_consistent", None, (domains, constraints), {"domains": None}, _words("arc_consistent", domains, constraints)
            )
        if group == "open" and after is not None and sum(map(len, after.values())) < sum(map(len, domains.values())) - min(size, 2):
            return Case(
                "arc_consistent", None, (domains, constraints), {"domains": after}, _words("arc_consistent", domains, constraints)
            )
        if group in ("solve", "none") and is_solvable(domains, constraints) is (group == "solve"):
            return Case("solve", None, (domains, constraints), {"solution": None}, _words("solve", domains, constraints))
    raise AssertionError(f"no such problem: {group} {seed} {size}")


def _words(call: str, domains: Any, constraints: Any) -> str:
    return f"{call}({domains}, {constraints})"


def is_solution(case: Case, answer: Answer) -> str:
    """Whether all constraints hold."""
    domains, constraints = case.args
    found = answer.value
    if not isinstance(found, dict):
        return f"expected a dict with a value for each variable, got {found!r}"
    for name, values in domains.items():
        if found.get(name) not in values:
            return f"{name} = {found.get(name)!r} is not in its domain {values}"
    for x, y, pairs in constraints:
        if [found[x], found[y]] not in pairs:
            return f"{x} = {found[x]} and {y} = {found[y]} do not go together"
    return ""


ASSIGNMENT = Assignment(
    "csp",
    "Constraint propagation",
    "constraint satisfaction",
    "arc consistency and backtracking",
    PAGE,
    STUDENT,
    REFERENCE,
    {
        "open": "problems with values to take out",
        "dead": "problems in which a domain runs empty",
        "solve": "problems with a solution",
        "none": "problems without one",
    },
    draw,
    (
        Line("arc consistency", 40, ("open",), expects("domains", None, "the domains")),
        Line("a domain that runs empty", 20, ("dead",), expects("domains", None, "the answer")),
        Line("a solution", 25, ("solve",), is_solution),
        Line("none where there is none", 15, ("none",), expects("solution", None, "the answer")),
    ),
    {
        "arc consistency": ("            queue += [arc for arc in arcs if arc[1] == x]\n", ""),
        "a domain that runs empty": (
            "                return None\n            queue",
            "                return domains\n            queue",
        ),
        "a solution": ("        return assignment\n", "        return dict(list(assignment.items())[1:])\n"),
        "none where there is none": (
            "                return found\n    return None",
            "                return found\n    return {} if not assignment else None",
        ),
    },
)
