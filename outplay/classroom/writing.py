"""`outplay classroom new`: the folder of an assignment, with what students get and, apart from it, the staff's side.

>>> import tempfile, pathlib
>>> with tempfile.TemporaryDirectory() as place:
...     written = write("minimax", pathlib.Path(place) / "hw1", seed="autumn")
>>> sorted(each.as_posix() for each in written)[:5]
['minimax.py', 'notebook.ipynb', 'page.md', 'rubric.md', 'staff/README.md']
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import itertools
import json
import secrets
from pathlib import Path
from typing import Any

from outplay import syntax
from outplay.classroom.assignments import Assignment, find, kinds
from outplay.errors import BadValue, UnknownName, shorten
from outplay.files import write_whole

QUESTIONS = "questions.py"
"""An own assignment as students get it: what draws the visible questions, without the reference."""
TEMPLATE = "template"
"""A kind of its own: a teacher's assignment, made from that of minimax."""


def write(kind: str, folder: Path, seed: str = "") -> list[Path]:
    """Write the folder of an assignment; nothing that is there is written over. Returns the files, within the folder."""
    from outplay.classroom import contest
    from outplay.classroom.course import minimax

    if kind in contest.KINDS:
        return contest.write(kind, folder, seed or secrets.token_hex(8))
    is_own = kind.endswith(".py")
    if kind != TEMPLATE and not is_own and kind not in kinds():
        raise UnknownName("assignment", kind, [*kinds(), *contest.KINDS, TEMPLATE])
    assignment = find("minimax" if kind == TEMPLATE else kind)
    if folder.exists() and any(folder.iterdir()):
        raise BadValue(f"{folder} is not empty: give another --out")
    settings: dict[str, Any] = {
        "kind": kind,
        "seed": seed or secrets.token_hex(8),
        "questions": assignment.questions,
        "seconds": 5.0,
    }
    files = {
        "page.md": assignment.page,
        assignment.file: assignment.student,
        "test_visible.py": _visible(assignment),
        "rubric.md": _rubric(assignment),
        "notebook.ipynb": _notebook(assignment),
        "submissions/README.md": f"A file for each student: `NAME.py`, or a folder `NAME/` with `{assignment.file}` in it.\n",
        "staff/reference.py": assignment.reference,
        "staff/README.md": STAFF.format(file=assignment.file),
    }
    if kind == TEMPLATE or is_own:
        whole = Path(kind).read_text("utf-8") if is_own else inspect.getsource(minimax)
        files["staff/assignment.py"], files[QUESTIONS] = whole, public_copy(whole, assignment)
        settings["kind"] = "assignment.py"
        files["test_visible.py"] = files["test_visible.py"].replace(
            f'"{assignment.name}"', f'str(Path(__file__).parent / "{QUESTIONS}")'
        )
        files["notebook.ipynb"] = files["notebook.ipynb"].replace(f'\\"{assignment.name}\\"', f'\\"{QUESTIONS}\\"')
    files["staff/settings.json"] = json.dumps(settings, indent=1) + "\n"
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write_whole(folder / name, text)
    return [Path(name) for name in files]


def public_copy(text: str, assignment: Assignment) -> str:
    """An own assignment for students: its file without the reference and the mistakes, which asks the same visible questions.

    >>> print(public_copy("ASSIGNMENT = Assignment(..., reference='def f(): ...', wrong={'a': ('b', 'c')})", find("minimax")))
    ASSIGNMENT = Assignment(..., reference='', wrong={})
    """
    fields = [each.name for each in dataclasses.fields(Assignment)]
    module = syntax.parse(text)
    calls = [node for node in ast.walk(module) if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("Assignment")]
    values = {node.targets[0].id: node.value for node in module.body
              if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)}  # fmt: skip
    lines = [line.encode() for line in text.splitlines(keepends=True)]
    starts = list(itertools.accumulate((len(line) for line in lines), initial=0))
    cuts = []
    for call in calls:
        given: dict[str | None, ast.expr] = {each.arg: each.value for each in call.keywords}
        given.update(zip(fields, call.args, strict=False))
        for name, empty in (("reference", b"''"), ("wrong", b"{}")):
            node = given.get(name)
            node = values.get(node.id, node) if isinstance(node, ast.Name) else node
            if node is not None and node.end_lineno is not None and node.end_col_offset is not None:
                cuts.append((starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset, empty))
    made = text.encode()
    for begin, end, empty in sorted(set(cuts), reverse=True):
        made = made[:begin] + empty + made[end:]
    solution = [line.strip() for line in assignment.reference.splitlines() if len(line.strip()) > 25]
    known = assignment.student + assignment.page
    told = [line for line in solution if line in made.decode() and line not in known]
    if not cuts or told:
        about = f": {shorten(told[0], 60)!r} would still be in it" if told else ""
        raise BadValue(f"the students' copy of {assignment.name} cannot be made without its reference{about}; "
                       "write it as REFERENCE = '...', once, and let `draw` do without it")  # fmt: skip
    return made.decode()


STAFF = """# The staff's side: not for students

- `settings.json`: the seed that the hidden questions are drawn from (keep it to yourself; another seed is another exam of the same
  difficulty), how many of each group, and the seconds that one may take.
- `reference.py`: a solution. `outplay classroom try ../{file}` asks a file visible questions; `outplay classroom grade ..` the
  hidden ones.
- Marks go to `grades/`: a page for each student, `grades.csv`, and the data. Only what changed is graded again.
"""


def _visible(assignment: Assignment) -> str:
    return f'''"""Visible tests of {assignment.title}: `python -m pytest test_visible.py`. The hidden ones draw other questions
    of the same kinds."""

from pathlib import Path

import pytest

from outplay.classroom.trying import lines, problems_of

KIND = "{assignment.name}"


@pytest.mark.parametrize("line", lines(KIND))
def test_line(line):
    said = problems_of(KIND, Path(__file__).parent / "{assignment.file}", line)
    assert not said, said
'''


def _rubric(assignment: Assignment) -> str:
    rows = "\n".join(
        f"| {line.name} | {line.points:g} | {', '.join(assignment.groups[group] for group in line.groups)} |"
        for line in assignment.lines
    )
    return (
        f"# Rubric: {assignment.title}\n\n| line | points | asked on |\n|---|---|---|\n{rows}\n"
        f"| together | {assignment.points:g} | |\n\n"
        "The points of a line are shared evenly among its questions. One that hangs, crashes or takes too much counts as wrong, "
        "and the rest is still asked.\n"
    )


def _notebook(assignment: Assignment) -> str:
    module = assignment.file[:-3]
    call = next(case.call for _, case in assignment.cases("public", 1))
    cells = [
        ("markdown", assignment.page + f"\nWrite your answer into `{assignment.file}` beside this notebook."),
        ("code", f"import importlib\n\nimport {module}\n\nfrom outplay.classroom.trying import ask, report, window"),
        ("markdown", "A question of the kind that will be asked, and what the oracle answers. Change the number for another one."),
        ("code", f'case = ask("{assignment.name}", number=1)\ncase'),
        ("code", f"importlib.reload({module})\n{module}.{call}(*window(case))"),
        ("markdown", "All visible questions, line by line of the rubric:"),
        ("code", f'print(report("{assignment.name}", "{assignment.file}"))'),
    ]
    made: list[dict[str, Any]] = [{"cell_type": kind, "metadata": {}, "source": text.splitlines(keepends=True),
             **({"execution_count": None, "outputs": []} if kind == "code" else {})} for kind, text in cells]  # fmt: skip
    meta = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return json.dumps({"cells": made, "metadata": meta, "nbformat": 4, "nbformat_minor": 4}, indent=1) + "\n"
