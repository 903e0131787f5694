"""`outplay classroom`: assignments, their grades, and contests of players."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from outplay.cli.commands import Argument, Exit, Group, Option
from outplay.cli.common import AsJson, console, print_json, print_table
from outplay.cli.common import tell as remark
from outplay.cli.main import INTERRUPTED
from outplay.errors import BadValue, UnknownName

FORMATS = ("text", "json", "csv", "gradescope", "nbgrader")

classroom = Group(help="Assignments over the lectures, graded in a sandbox, and contests of players.")

Folder = Annotated[Path, Argument(metavar="FOLDER", help="What `classroom new` has written.")]
Trust = Annotated[bool, Option("--trust", help="Grade without a sandbox where there is none; files are then not held back.")]
Jobs = Annotated[int | None, Option("--jobs", metavar="N", help="How many at a time; default: as many as there are cores.")]


def _say_what_is_not_held(trust: bool) -> None:
    """What nothing holds back, where there is no sandbox and somebody says that it needs none."""
    from outplay.classroom import asking

    if asking.way_to_hold(trust) == "trust":
        remark(asking.not_held_back())


@classroom.command("kinds")
def list_kinds(as_json: AsJson = False) -> None:
    """List the assignments and contests that there are."""
    from outplay.classroom import contest
    from outplay.classroom.assignments import find, kinds

    rows = [(name, find(name).title, find(name).lecture, find(name).teaches) for name in kinds()]
    rows += [(name, kind.title, kind.lecture, kind.teaches) for name, kind in contest.KINDS.items()]
    if as_json:
        return print_json({"kinds": [dict(zip(("kind", "title", "lecture", "teaches"), row, strict=True)) for row in rows]})
    print_table(("kind", "title", "lecture", "what it teaches"), rows)


@classroom.command("new")
def new(
    kind: Annotated[str, Argument(metavar="KIND", help="Such as minimax; template: one of your own to change; FILE.py: your own.")],
    out: Annotated[Path, Option("--out", metavar="FOLDER", help="Where it goes.")],
    seed: Annotated[
        str, Option("--seed", metavar="TEXT", help="What hidden questions are drawn from; default: chosen at random.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Write an assignment: page, student's file, visible tests, rubric, notebook, and the staff's side apart from it."""
    from outplay.classroom.writing import write

    written = [str(each) for each in write(kind, out, seed)]
    if as_json:
        return print_json({"kind": kind, "folder": str(out), "files": written})
    print(f"wrote {out}: {', '.join(written)}")
    command = "contest" if "contest.json" in " ".join(written) else "grade"
    print(f"students' files go to {out / 'submissions'}; then: outplay classroom {command} {out}")


@classroom.command("try")
def try_file(
    kind: Annotated[str, Argument(metavar="KIND", help="An assignment, such as minimax.")],
    file: Annotated[Path, Argument(metavar="FILE.py", help="Your own file.")],
) -> None:
    """Ask a file of your own the visible questions of an assignment, without a sandbox."""
    from outplay.classroom.trying import report

    print(report(kind, file))


@classroom.command("grade")
def grade(
    folder: Folder,
    form: Annotated[str, Option("--format", metavar="F", help="text, json, csv, gradescope or nbgrader.")] = "text",
    trust: Trust = False,
    jobs: Jobs = None,
    as_json: AsJson = False,
) -> None:
    """Grade every file in FOLDER/submissions, each in a sandbox; only what changed is graded again. Ctrl-C keeps the rest."""
    from outplay.classroom import grading
    from outplay.cli.progress import working

    if form not in FORMATS:
        raise UnknownName("format", form, FORMATS)
    if jobs is not None and jobs < 1:
        raise BadValue(f"--jobs must be 1 or more, got {jobs}")
    if (folder / "staff" / "contest.json").is_file():
        return contest(folder, trust=trust, as_json=as_json)
    _say_what_is_not_held(trust)
    with working("grading", folder.name, "Ctrl-C stops and keeps the grades", keeps=True) as progress:
        assert progress.interrupts is not None

        def tell(done: int, of: int, made: grading.Grade) -> None:
            progress.note = f"{done} of {of}: {made.name} {made.points:g}"

        try:
            grades = grading.grade_folder(folder, trust=trust, jobs=jobs, stop=progress.interrupts.event, tell=tell)
        except KeyboardInterrupt:
            raise Exit(INTERRUPTED) from None
    if form == "csv":
        print(grading.as_csv(grades), end="")
    elif form == "nbgrader":
        print(grading.as_nbgrader(grades, folder.resolve().name), end="")
    elif form == "gradescope":
        told = {each.name: grading.as_gradescope(each) for each in grades}
        print_json(next(iter(told.values())) if len(told) == 1 else told)
    elif as_json or form == "json":
        print_json({"students": [each.plain() for each in grades]})
    else:
        for each in grades:
            for line in grading.in_words(each):
                console().print(line, markup=False)
        print(f"pages for students and grades.csv are in {folder / 'grades'}")


@classroom.command("contest")
def contest(folder: Folder, trust: Trust = False, pseudonyms: Annotated[
        bool, Option("--pseudonyms", help="Show animals' names in place of the students'.")] = False,
        as_json: AsJson = False) -> None:  # fmt: skip
    """Play a contest: the fixed ladder, then the league; only changed files play again. Ctrl-C keeps what was played."""
    from outplay.classroom import contest as contests
    from outplay.cli.progress import working

    _say_what_is_not_held(trust)
    with working("contest", folder.name, "Ctrl-C stops and keeps the games", keeps=True) as progress:
        assert progress.interrupts is not None
        try:
            report = contests.play(
                folder,
                trust=trust,
                stop=progress.interrupts.event,
                tell=lambda done, of: setattr(progress, "note", f"{done} of {of} games"),
                pseudonyms=pseudonyms,
            )
        except KeyboardInterrupt:
            raise Exit(INTERRUPTED) from None
    if as_json:
        return print_json(report.plain())
    for title, columns, rows in report.tables():
        print(title)
        print_table(columns, rows)
        print()
    for line in report.alike:
        print(line)
    print(f"the page is {report.page}; marks are in {folder / 'grades' / 'grades.csv'}")
