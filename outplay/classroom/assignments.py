"""What an assignment is: texts for students, questions drawn by seed with the textbook's answers, and a rubric that judges.

One module of `outplay/classroom/course/` holds one; a teacher's own is such a module, too (`outplay classroom new template`).
"""

from __future__ import annotations

import importlib
import pkgutil
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from outplay.classroom.asking import Answer
from outplay.classroom.problems import Problem
from outplay.errors import BadValue, OutplayError, RulesError, UnknownName, shorten
from outplay.files import own_module, read_module
from outplay.values import Result


@dataclass(frozen=True)
class Case:
    """One question: what is called with what, and what the oracle says."""

    call: str
    problem: Problem | None = None
    args: tuple[Any, ...] = ()
    expected: Mapping[str, Any] = field(default_factory=dict)
    words: str = ""  # the question in words, where no tree shows it


Check = Callable[[Case, Answer], str]
"""Nothing where an answer is right, else what was expected and what came."""


@dataclass(frozen=True)
class Line:
    """A line of the rubric: its points are shared evenly among the questions of its groups."""

    name: str
    points: float
    groups: tuple[str, ...]
    check: Check


@dataclass(frozen=True)
class Assignment:
    """A task with all that belongs to it."""

    name: str
    title: str
    lecture: str
    teaches: str
    page: str
    student: str
    reference: str
    groups: Mapping[str, str]  # what each group of questions is, in words
    draw: Callable[[str, int, int], Case]  # a question of a group, by seed and size (1, 2, 3, ...)
    lines: tuple[Line, ...]
    wrong: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # by line: what to change in the reference to lose just that
    questions: int = 8  # of each group
    largest: int = 4
    ending: str = ""  # what is read after the student's file: how it is asked, where that is not theirs to change

    @property
    def file(self) -> str:
        """What the student's file is called."""
        return self.name.replace("-", "_") + ".py"

    @property
    def points(self) -> float:
        """All points."""
        return sum(line.points for line in self.lines)

    def cases(self, seed: str, questions: int | None = None) -> list[tuple[str, Case]]:
        """The questions of one grading, small ones first; the same for the same seed."""
        found = []
        for group in self.groups:
            count = questions or self.questions
            for number in range(count):
                drawn = random.Random(f"{seed} {self.name} {group} {number}").getrandbits(40)
                found.append((group, self.draw(group, drawn, 1 + number * self.largest // count)))
        return found

    def wrong_variant(self, line: str) -> str:
        """The reference with a mistake that must lose the points of that line, and no others."""
        old, new = self.wrong[line]
        if old not in self.reference:
            raise RulesError(f"{self.name}: the reference has no {shorten(old)!r}")
        return self.reference.replace(old, new)


# ---------------------------------------------------------------- checks that assignments share


def part(answer: Answer, number: int) -> Any:
    """One part of an answer that should be a pair or more, or None."""
    value = answer.value
    return value[number] if isinstance(value, list) and len(value) > number else None


def same(one: Any, other: Any) -> bool:
    """Whether two values are the same but for what rounding does.

    >>> same([1, 0.1 + 0.2], (1.0, 0.3)), same(1, "1"), same(True, 1)
    (True, False, False)
    """
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) <= 1e-6 * max(1.0, abs(one), abs(other))
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(same(a, b) for a, b in zip(one, other, strict=True))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return type(one) is type(other) and one == other


def told(value: Any) -> str:
    """A value in a complaint."""
    if isinstance(value, dict) and set(value) == {"odd"}:
        return shorten(str(value["odd"]), 80)
    if isinstance(value, list):
        return shorten("(" + ", ".join(told(each) for each in value) + ")", 120)
    return shorten(f"{value:g}" if isinstance(value, float) else repr(value), 80)


def expects(key: str, number: int | None, words: str) -> Check:
    """A check of one part of the answer (or all of it) against what the oracle says."""

    def check(case: Case, answer: Answer) -> str:
        wanted, came = case.expected[key], answer.value if number is None else part(answer, number)
        return "" if same(wanted, came) else f"{words}: expected {told(_listed(wanted))}, got {told(came)}"

    return check


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def order_of_visits(case: Case, answer: Answer) -> str:
    """Whether the states that the oracle visits are first looked into in its order."""
    wanted: list[int] = list(case.expected["visits"])
    known, seen = set(wanted), set(answer.visited())
    came = [state for state in answer.visited() if state in known]
    if len(came) < len(wanted) / 2:
        return f"the order of visits: {len(wanted)} states to look into, {len(came)} were"
    wanted = [state for state in wanted if state in seen]
    return "" if came == wanted else f"the order of visits: expected {names(case, wanted)}, got {names(case, came)}"


def same_states(case: Case, answer: Answer) -> str:
    """Whether just the states are looked into that the oracle visits."""
    wanted, came = list(case.expected["visits"]), answer.visited()
    missing, extra = [each for each in wanted if each not in came], [each for each in came if each not in wanted]
    if not missing and not extra:
        return ""
    said = [f"{len(extra)} looked into that need not be ({names(case, extra)})"] if extra else []
    said += [f"{len(missing)} left out that matter ({names(case, missing)})"] if missing else []
    return f"the nodes: {len(wanted)} expected, " + ", ".join(said)


def once_each(case: Case, answer: Answer) -> str:
    """Whether the whole tree is looked into, each state once."""
    left_out = [state for state in case.expected["visits"] if state not in answer.visited()]
    if left_out:
        return f"the nodes: {names(case, left_out)} never looked into"
    for question in ("actions", "utility"):
        asked = answer.asked(question)
        twice = sorted({state for state in asked if asked.count(state) > 1})
        if twice:
            return f"the nodes: {names(case, twice)} looked into more than once"
    return ""


def names(case: Case, states: Sequence[int]) -> str:
    """States as the actions that lead to them."""
    assert case.problem is not None
    ways = {0: "the root"}
    for number, node in enumerate(case.problem.nodes):
        for name, child in zip(node.names, node.children, strict=False):
            ways.setdefault(child, (f"{ways[number]} {name}" if number else name) if number in ways else name)
    return shorten(", ".join(ways.get(state, str(state)) for state in states), 160)


def visits_of(problem: Problem, result: Result) -> list[int]:
    """The states that a traced search of the textbook entered, in order."""
    return [problem.at(step.path) for step in result.trace or () if step.event == "enter"]


# ---------------------------------------------------------------- where they are


def kinds() -> list[str]:
    """The assignments that come with Outplay."""
    import outplay.classroom.course as course

    return sorted(each.name.replace("_", "-") for each in pkgutil.iter_modules(course.__path__) if not each.name.startswith("_"))


def find(kind: str) -> Assignment:
    """An assignment by its name, or out of a teacher's own file."""
    if kind.endswith(".py"):
        if not Path(kind).is_file():
            raise BadValue(f"no such file: {kind}")
        module = own_module("own_assignment", kind)
        try:
            read_module(module)
        except OutplayError:
            raise
        except Exception as problem:  # whatever a file of one's own does when it is read
            raise RulesError(f"{kind} cannot be read: {type(problem).__name__}: {shorten(str(problem), 160)}") from problem
    else:
        if kind not in kinds():
            raise UnknownName("assignment", kind, kinds())
        module = importlib.import_module(f"outplay.classroom.course.{kind.replace('-', '_')}")
    found = getattr(module, "ASSIGNMENT", None)
    if not isinstance(found, Assignment):
        raise RulesError(f"{kind}: expected ASSIGNMENT = Assignment(...)")
    return found
