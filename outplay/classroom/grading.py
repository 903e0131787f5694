"""Marks: every submission asked in its sandbox, judged line by line of the rubric, with feedback that shows the smallest tree.

Grades are the same on every run: questions are drawn by the seed in the staff's settings, what counts is counted in steps, and the
limits of time leave room. A grade is written when it is finished, under a name that changes with the submission and the
settings: so
killing the grader loses no finished grade, and only what changed is graded again.
"""

from __future__ import annotations

import ast
import concurrent.futures
import csv
import hashlib
import io
import json
import os
import re
import stat
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import outplay
from outplay import syntax
from outplay.classroom import asking
from outplay.classroom.asking import Answer, Desk
from outplay.classroom.assignments import Assignment, Case, Line, find
from outplay.errors import BadValue, shorten
from outplay.files import cell, write_whole

MOST_BYTES = 1 << 20
"""Of one submission."""
PUBLIC = "public"
"""The seed of the trees that feedback may show."""
TRIES = 12
"""Trees of each size that are tried for feedback."""


@dataclass(frozen=True)
class Settings:
    """What the staff sets of an assignment: `settings.json`."""

    kind: str
    seed: str
    questions: int | None = None
    seconds: float = asking.SECONDS
    title: str = ""

    @classmethod
    def read(cls, folder: Path) -> Settings:
        """The settings of an assignment's folder."""
        path = folder / "staff" / "settings.json"
        try:
            found = json.loads(path.read_text("utf-8"))
            return cls(**{key: value for key, value in found.items() if key in cls.__dataclass_fields__})
        except (OSError, ValueError, TypeError) as problem:
            raise BadValue(f"{folder} is no assignment's folder: {path} cannot be read ({shorten(str(problem), 100)})") from None

    def assignment(self, folder: Path) -> Assignment:
        """The assignment that they are for: by its name, or a file on the staff's side."""
        return find(str(folder / "staff" / self.kind) if self.kind.endswith(".py") else self.kind)


@dataclass(frozen=True)
class Mark:
    """A line of the rubric for one submission."""

    line: str
    points: float
    of: float
    passed: int
    asked: int
    said: str = ""  # what went wrong, without the data of hidden questions
    shown: str = ""  # the smallest tree that shows it, as text
    picture: str = ""  # and as a drawing


@dataclass(frozen=True)
class Grade:
    """All marks of one submission."""

    name: str
    marks: tuple[Mark, ...]
    problem: str = ""  # why nothing could be asked
    failures: tuple[str, ...] = ()  # what hung or died, by question
    uses: tuple[str, ...] = ()  # what no exercise needs, for the staff to look at

    @property
    def points(self) -> float:
        """All points reached."""
        return round(sum(mark.points for mark in self.marks), 2)

    @property
    def of(self) -> float:
        """All points there are."""
        return sum(mark.of for mark in self.marks)

    def plain(self) -> dict[str, Any]:
        """As plain values: what a script reads."""
        questions = [{"name": mark.line, "points": mark.points, "of": mark.of, "passed": mark.passed, "asked": mark.asked,
                      "words": mark.said, "shown": mark.shown} for mark in self.marks]  # fmt: skip
        return {"name": self.name, "points": self.points, "of": self.of, "problem": self.problem, "failures": list(self.failures),
                "uses": list(self.uses), "questions": questions}  # fmt: skip


def grade_file(
    assignment: Assignment,
    file: Path,
    seed: str,
    way: str,
    *,
    name: str = "",
    questions: int | None = None,
    seconds: float = asking.SECONDS,
    feedback: bool = True,
    stop: threading.Event | None = None,
) -> Grade:
    """Ask one submission and judge it."""
    name = name or file.stem
    with tempfile.TemporaryDirectory(prefix="outplay-") as folder:
        staged = Path(folder) / assignment.file
        problem = _stage(file, staged)
        if problem:
            return Grade(name, _nothing(assignment), problem)
        os.chmod(folder, 0o755)
        uses = unusual(staged.read_text("utf-8", errors="replace"))
        if assignment.ending:
            staged.write_bytes(staged.read_bytes() + b"\n" + assignment.ending.encode())
        desk = Desk(staged, way, seconds)
        try:
            loaded = desk.load()
            if loaded.failed:
                return Grade(name, _nothing(assignment), f"the file cannot be read: {loaded.failed}", uses=uses)
            answers = []
            for group, case in assignment.cases(seed, questions):
                if stop is not None and stop.is_set():
                    raise KeyboardInterrupt
                answers.append((group, case, desk.ask(case.call, case.args, case.problem)))
            marks = tuple(_judge(assignment, line, answers, desk if feedback else None) for line in assignment.lines)
            failures: dict[str, None] = {}
            for group, case, answer in answers:
                if answer.failed and answer.kind != "again":
                    failures.setdefault(f"{case.call} on {assignment.groups[group]}: {answer.failed}", None)
            return Grade(name, marks, failures=tuple(failures)[:12], uses=uses)
        finally:
            desk.close()


def _stage(file: Path, target: Path) -> str:
    """Copy a submission to where the sandbox sees it alone; or say why it is none."""
    try:
        status = file.lstat()
        if stat.S_ISLNK(status.st_mode):
            return "it is a link, and no file of its own"
        if not stat.S_ISREG(status.st_mode):
            return "it is no file"
        if status.st_size > MOST_BYTES:
            return f"it has {status.st_size:,} bytes, and {MOST_BYTES:,} are allowed"
        target.write_bytes(file.read_bytes())
        target.chmod(0o644)
    except OSError as problem:
        return f"it cannot be read: {problem.strerror}"
    return ""


def _nothing(assignment: Assignment) -> tuple[Mark, ...]:
    return tuple(Mark(line.name, 0.0, line.points, 0, 0) for line in assignment.lines)


def _complaint(line: Line, case: Case, answer: Answer) -> str:
    if answer.failed:
        return answer.failed
    try:
        return line.check(case, answer)
    except (TypeError, ValueError, KeyError, IndexError, AttributeError, OverflowError):  # an answer of some odd shape
        return f"the answer has not the form that was asked for: {shorten(repr(answer.value), 100)}"


def _judge(assignment: Assignment, line: Line, answers: list[tuple[str, Case, Answer]], desk: Desk | None) -> Mark:
    asked = [(group, _complaint(line, case, answer)) for group, case, answer in answers if group in line.groups]
    passed = sum(not said for _, said in asked)
    points = round(line.points * passed / len(asked), 2)
    if passed == len(asked):
        return Mark(line.name, points, line.points, passed, len(asked))
    failed = {group: None for group, said in asked if said}
    kinds = ", ".join(assignment.groups[group] for group in failed)
    said = f"wrong in {len(asked) - passed} of {len(asked)} hidden questions, on {kinds}"
    is_gone = all(answer.kind in asking.GONE for group, _, answer in answers if group in failed)
    shown, picture = ("", "") if desk is None or is_gone else _smallest(assignment, line, list(failed), desk)
    return Mark(line.name, points, line.points, passed, len(asked), said, shown, picture)


def _smallest(assignment: Assignment, line: Line, groups: list[str], desk: Desk) -> tuple[str, str]:
    """The smallest question of those that anybody may see in which the submission fails this line: in words and as a picture."""
    desk.failures.clear()
    cases = [
        assignment.draw(group, number, size)
        for group in groups
        for size in range(1, assignment.largest + 1)
        for number in range(TRIES)
    ]
    cases.sort(key=lambda case: len(case.problem.nodes) if case.problem else 0)
    failures = 0
    for case in cases:
        answer = desk.ask(case.call, case.args, case.problem)
        said = _complaint(line, case, answer)
        if said:
            return f"{_in_words(case)}: {said}", _picture(case)
        failures += answer.kind in asking.WORDS
        if failures > 2:
            break
    return "", ""


def _in_words(case: Case) -> str:
    if case.words:
        return case.words
    problem = case.problem
    if problem is None:
        return f"{case.call}({', '.join(map(repr, case.args))})"
    if problem.kind != "a random tree" or len(problem.nodes) > 60:
        return f"{case.call} on {problem.kind} with {len(problem.nodes)} states"
    more = "".join(f", {value!r}" for value in case.args)
    return f"{case.call} on the tree {problem.text()}{more}"


def _picture(case: Case) -> str:
    """The tree, searched by the textbook, as a drawing."""
    problem = case.problem
    if problem is None or problem.players != 2 or len(problem.nodes) > 80 or problem.kind != "a random tree":
        return ""
    from outplay.game import load
    from outplay.players.explaining import explain
    from outplay.views.tree import draw

    if any(node.player < 0 and not node.is_terminal for node in problem.nodes):
        return ""
    try:
        start = load("tree", tree=json.dumps(problem.named())).start()
        _, _, traced = explain(start, "alphabeta" if case.call == "alphabeta" else "minimax")
        return draw(traced)
    except Exception:  # a picture is a kindness, and no mark depends on it
        return ""


USUAL = frozenset(
    [
        "abc", "bisect", "collections", "copy", "dataclasses", "decimal", "enum", "fractions", "functools", "heapq",
        "itertools", "math", "operator", "queue", "random", "statistics", "string", "typing", "__future__"
    ]
)
"""Modules of the standard library that an exercise may well need."""
UNUSUAL_NAMES = frozenset(["open", "exec", "eval", "compile", "__import__", "globals", "vars", "breakpoint", "input", "memoryview"])


def unusual(text: str) -> tuple[str, ...]:
    """What a submission uses that no exercise needs, with its line: for the staff to look at, and no mark depends on it.

    >>> unusual("import os\\nimport math\\nprint(open('x').read())")
    ('os (line 1)', 'open (line 3)')
    """
    try:
        tree = syntax.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    found: dict[str, int] = {}
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [each.name for each in node.names if each.name.partition(".")[0] not in USUAL]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or "."] if (node.module or ".").partition(".")[0] not in USUAL else []
        elif isinstance(node, ast.Name) and node.id in UNUSUAL_NAMES:
            names = [node.id]
        elif (
            isinstance(node, ast.Attribute)
            and node.attr.startswith("_")
            and not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"))
            and node.attr != "__init__"
        ):
            names = [node.attr]
        for name in names:
            found.setdefault(name, getattr(node, "lineno", 0))
    return tuple(f"{name} (line {line})" for name, line in sorted(found.items(), key=lambda each: each[1]))[:20]


# ---------------------------------------------------------------- a folder of submissions


def submissions(folder: Path, file: str) -> dict[str, Path]:
    """The files to grade by name: `submissions/NAME.py`, or `submissions/NAME/` with the student's file in it; no name twice."""
    found: dict[str, Path] = {}
    place = folder / "submissions"
    if not place.is_dir():
        raise BadValue(f"{place} is no folder: expected a file or a folder for each student there")
    for each in sorted(place.iterdir()):
        if each.name.startswith((".", "_")):
            continue
        name = each.name if each.is_dir() else each.stem
        name = name if name not in found else f"{name} (2)"  # ada.py beside ada/
        if each.is_dir() and not each.is_symlink():
            inside = each / file
            if not inside.exists():
                others = sorted(each.glob("*.py"))
                inside = others[0] if len(others) == 1 else inside
            found[name] = inside
        elif each.suffix == ".py":
            found[name] = each
    if not found:
        raise BadValue(f"{place} holds no submissions: expected NAME.py or NAME/{file}")
    return found


def key_of(path: Path, settings: Settings, asked: bytes = b"") -> str:
    """What a grade depends on: the file, the settings, the version of the grader, and what the staff's own assignment asks."""
    digest = hashlib.sha256()
    digest.update(json.dumps(asdict(settings), sort_keys=True).encode() + outplay.__version__.encode() + asked)
    if not path.is_symlink() and path.is_file() and path.stat().st_size <= MOST_BYTES:
        digest.update(path.read_bytes())
    else:
        digest.update(f"{path.is_symlink()} {path.exists()}".encode())  # what is said of it
    return digest.hexdigest()[:24]


def grade_folder(
    folder: Path,
    *,
    trust: bool = False,
    jobs: int | None = None,
    stop: threading.Event | None = None,
    tell: Callable[[int, int, Grade], None] = lambda done, of, grade: None,
) -> list[Grade]:
    """Grade what is new or changed; grades that are finished already are read."""
    settings = Settings.read(folder)
    assignment = settings.assignment(folder)
    asked = (folder / "staff" / settings.kind).read_bytes() if settings.kind.endswith(".py") else b""
    files = submissions(folder, assignment.file)
    keys = {name: key_of(path, settings, asked) for name, path in files.items()}
    way = asking.way_to_hold(trust)
    place = folder / "grades"
    place.mkdir(exist_ok=True)
    grades: dict[str, Grade] = {}
    waiting = []
    for name, path in files.items():
        known = read_grade(place / f"{_plain(name)}.json", keys[name])
        if known is not None:
            grades[name] = known
        else:
            waiting.append((name, path))
    stop = stop or threading.Event()
    workers = jobs or max(1, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)

    def work(name: str, path: Path) -> Grade:
        made = grade_file(
            assignment, path, settings.seed, way, name=name, questions=settings.questions, seconds=settings.seconds, stop=stop
        )
        write_grade(place, made, keys[name], assignment)
        return made

    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        running = {pool.submit(work, name, path): name for name, path in waiting}
        try:
            for done in concurrent.futures.as_completed(running):
                grades[running[done]] = done.result()
                tell(len(grades), len(files), done.result())
        except BaseException:
            stop.set()
            for each in running:
                each.cancel()
            raise
    ordered = [grades[name] for name in files]
    write_whole(place / "grades.csv", as_csv(ordered))
    return ordered


def _plain(name: str) -> str:
    """A file's name that no other submission has."""
    kept = re.sub(r"[^\w.-]", "_", name)[:80]
    return kept if kept == name else f"{kept}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"


def write_grade(place: Path, grade: Grade, key: str, assignment: Assignment) -> None:
    """Keep a finished grade: as data, whole or not at all, and as a page for the student."""
    from outplay.classroom.pages import feedback

    stem = _plain(grade.name)
    write_whole(place / f"{stem}.html", feedback(grade, assignment))
    write_whole(place / f"{stem}.json", json.dumps({"key": key, **asdict(grade)}, ensure_ascii=False, indent=1))


def read_grade(path: Path, key: str) -> Grade | None:
    """A finished grade, where it is of this submission and these settings."""
    try:
        found = json.loads(path.read_text("utf-8"))
        if found.pop("key") != key:
            return None
        marks = tuple(Mark(**mark) for mark in found.pop("marks"))
        return Grade(marks=marks, failures=tuple(found.pop("failures")), uses=tuple(found.pop("uses")), **found)
    except (OSError, ValueError, TypeError, KeyError):
        return None


def as_csv(grades: list[Grade]) -> str:
    """A table of marks: a row a student, a column a line of the rubric."""
    out = io.StringIO()
    lines = [mark.line for mark in grades[0].marks] if grades else []
    writer = csv.writer(out)
    writer.writerow(["name", "points", "of", *lines, "remark"])
    for grade in grades:
        remark = "; ".join(each for each in (grade.problem, *grade.failures[:2], *(f"uses {one}" for one in grade.uses)) if each)
        cells = [
            cell(grade.name),
            f"{grade.points:g}",
            f"{grade.of:g}",
            *(f"{mark.points:g}" for mark in grade.marks),
            cell(remark),
        ]
        writer.writerow(cells)
    return out.getvalue()


NBGRADER = ("assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email", "raw_score",
            "late_submission_penalty", "score", "max_score")  # fmt: skip
"""The columns of the table that `nbgrader export` writes."""


def as_nbgrader(grades: list[Grade], assignment: str) -> str:
    """Marks as the table that `nbgrader export` writes, for what reads such tables; what is not known here stays empty."""
    out = io.StringIO()
    writer = csv.DictWriter(out, NBGRADER, restval="")
    writer.writeheader()
    for grade in grades:
        marks = {"raw_score": grade.points, "late_submission_penalty": 0.0, "score": grade.points, "max_score": float(grade.of)}
        writer.writerow({"assignment": cell(assignment), "student_id": cell(grade.name), **marks})
    return out.getvalue()


def as_gradescope(grade: Grade) -> dict[str, Any]:
    """A grade as Gradescope's results.json has it."""
    tests = [{"name": mark.line, "score": mark.points, "max_score": mark.of, "visibility": "visible",
              "output": "\n".join(each for each in (mark.said, mark.shown) if each)} for mark in grade.marks]  # fmt: skip
    said = grade.problem or "\n".join(grade.failures)
    return {"score": grade.points, "output": said, "visibility": "visible", "stdout_visibility": "hidden", "tests": tests}


def in_words(grade: Grade) -> Iterator[str]:
    """A grade as lines for a screen."""
    yield f"{grade.name}: {grade.points:g} of {grade.of:g} points"
    if grade.problem:
        yield f"  {grade.problem}"
    for each in grade.failures:
        yield f"  {each}"
    if grade.uses:
        yield f"  uses what no exercise needs: {', '.join(grade.uses)}"
    for mark in grade.marks:
        yield f"  {mark.points:6g} of {mark.of:<4g} {mark.line}" + (f": {mark.said}" if mark.said else "")
        if mark.shown:
            yield f"      {mark.shown}"


def in_question(line: Line, case: Case, answer: Answer) -> str:
    """A complaint with the question that it is about; nothing where the answer is right."""
    said = _complaint(line, case, answer)
    return f"{_in_words(case)}: {said}" if said else ""


__all__ = [
    "Grade",
    "Mark",
    "Settings",
    "as_csv",
    "as_gradescope",
    "as_nbgrader",
    "grade_file",
    "grade_folder",
    "in_question",
    "in_words",
    "submissions",
]
