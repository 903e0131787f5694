"""What students try their own files with: visible questions, asked in their own process, without a sandbox.

>>> case = ask("minimax", number=1)
>>> sorted(case.expected)
['action', 'value', 'visits']
>>> game, state = window(case)
>>> game.player(state), len(game.actions(state)) > 1
(0, True)
"""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

from outplay.classroom import desk
from outplay.classroom.asking import Answer
from outplay.classroom.assignments import Assignment, Case, find
from outplay.classroom.grading import PUBLIC, in_question
from outplay.classroom.problems import Problem
from outplay.errors import BadValue

VISIBLE = 4
"""Questions of each group."""


def lines(kind: str) -> list[str]:
    """The lines of the rubric."""
    return [line.name for line in find(kind).lines]


def ask(kind: str, number: int = 0, group: str = "") -> Case:
    """A visible question, by its number."""
    assignment = find(kind)
    return assignment.draw(group or next(iter(assignment.groups)), number, 1 + number % assignment.largest)


def window(case: Case, log: list[tuple[str, int]] | None = None) -> tuple[Any, ...]:
    """What a student's function is called with for a question."""
    if case.problem is None:
        return case.args
    game = desk.Game(_asking(case.problem, [] if log is None else log), case.problem.facts(0))
    return (game, 0, *case.args)


def _asking(problem: Problem, log: list[tuple[str, int]]) -> Any:
    def answered(question: dict[str, Any]) -> Any:
        log.append((question["ask"], question["state"]))
        if problem.budget is not None and len(log) > problem.budget:
            return {"out_of_time": True}
        return problem.answer(question["ask"], question["state"])

    return answered


def answer_of(names: dict[str, Any], case: Case, path: str = "") -> Answer:
    """What a function answers, with what it looked at."""
    log: list[tuple[str, int]] = []
    function = names.get(case.call)
    if not callable(function):
        return Answer(failed=f"there is no function {case.call}", kind="missing")
    try:
        value = desk.plain(function(*window(case, log)))
    except Exception as problem:  # a student's mistake is an answer, too
        return Answer(failed=desk.where(problem, path), kind=type(problem).__name__, log=tuple(log))
    return Answer(value, log=tuple(log))


def problems_of(kind: str, file: str | Path, line: str) -> str:
    """What goes wrong in one line of the rubric on the visible questions; nothing where all is right."""
    assignment = find(kind)
    names = _names(file)
    wanted = next(each for each in assignment.lines if each.name == line)
    for group, case in assignment.cases(PUBLIC, VISIBLE):
        if group in wanted.groups and (said := in_question(wanted, case, answer_of(names, case, str(file)))):
            return said
    return ""


def report(kind: str, file: str | Path) -> str:
    """All lines of the rubric on the visible questions, in words."""
    assignment: Assignment = find(kind)
    told = []
    for line in assignment.lines:
        said = problems_of(kind, file, line.name)
        told.append(f"{'not yet' if said else 'well':8} {line.name}" + (f": {said}" if said else ""))
    return "\n".join(told)


def _names(file: str | Path) -> dict[str, Any]:
    if not Path(file).is_file():
        raise BadValue(f"no such file: {file}")
    return runpy.run_path(str(file))
