"""The commands `exercises`, which prints the course's exercises, and `lectures`, which makes the numbers of its pages."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from outplay.cli.commands import Argument, Option
from outplay.cli.common import AsJson, Seed, at_least, at_most, console, print_json, whole_options
from outplay.errors import BadValue, shorten

Topic = Annotated[str | None, Argument(metavar="[TOPIC]", help="A topic; left out, the topics are listed.")]
Out = Annotated[Path | None, Option("--out", metavar="F", help="Write a page (.html) to be printed.")]
Each = Annotated[int, Option("--each", metavar="N", help="Draw each exercise so many times, with other numbers.")]
Solutions = Annotated[bool, Option("--solutions", help="Add the solutions, on a page of their own.")]
Name = Annotated[str | None, Argument(metavar="[NAME]", help="A table; left out, they are listed.")]


def exercises(
    topic: Topic = None,
    out: Out = None,
    each: Each = 1,
    solutions: Solutions = False,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Exercises on a topic of the lectures, drawn anew for each seed: on the terminal, or as a sheet to be printed."""
    from outplay.files import write_whole
    from outplay.lessons import exercises as known
    from outplay.lessons import sheet

    at_least("--each", 1, each)
    at_most("--each", 50, each)
    whole_options(seed=seed)
    if topic is None:
        if as_json:
            print_json({name: known.many(name) for name in known.topics()})
            return
        for name in known.topics():
            print(f"{name:<14}{known.many(name)}")
        return
    count = known.many(topic)
    if out is not None:
        if out.suffix != ".html":
            raise BadValue(f"--out must end in .html, got {shorten(str(out))!r}")
        write_whole(out, sheet.sheet(topic, seed=seed, each=each, solutions=solutions))
        console().print(f"{count * each} exercises written to {out}", markup=False)
        return
    drawn = [known.draw(topic, number, seed + again) for again in range(each) for number in range(count)]
    if as_json:
        solved = [{"answer": one.answer, "solution": one.solution} if solutions else {} for one in drawn]
        asked = [{"question": one.question, "tree": one.tree, "table": one.table, "choices": one.choices} for one in drawn]
        print_json({"topic": topic, "exercises": [question | told for question, told in zip(asked, solved, strict=True)]})
        return
    for number, one in enumerate(drawn, 1):
        print(f"{number}. {sheet.in_words(one)}\n")
    if solutions:
        print("Solutions")
        for number, one in enumerate(drawn, 1):
            print(f"{number}. {one.answer}. {one.solution}")


Kept = Annotated[bool, Option("--kept", help="Show what the lessons show, as it was measured, instead of measuring it now.")]


def lectures(name: Name = None, kept: Kept = False, as_json: AsJson = False) -> None:
    """Make the numbers that the lectures' pages speak of: Chinook's positions counted, the exponent of alpha-beta, and more."""
    from rich import box
    from rich.table import Table

    from outplay.cli.progress import working
    from outplay.lessons import numbers
    from outplay.lessons import table as tables

    if name is None:
        if as_json:
            print_json({each: numbers.about(each) for each in numbers.TABLES})
            return
        for each in numbers.TABLES:
            print(f"{each:<12}{numbers.about(each)}")
        return
    numbers.known(name)
    if kept:
        made = tables.kept(name)
        if made is None:
            raise BadValue(f"{name} is made at once, and not kept; kept are {', '.join(tables.names_kept())}")
    else:
        with working(f"the lectures' {name}", "lectures", "Ctrl-C stops") as progress:

            def tell(said: str) -> None:
                progress.hear()
                progress.note = said

            made = numbers.table(name, tell)
    if as_json:
        print_json(made.as_json())
        return
    drawn = Table(box=box.SIMPLE_HEAD)
    for place, column in enumerate(made.columns):
        drawn.add_column(column, justify="right" if place else "left")
    for row in made.rows:
        drawn.add_row(*row)
    console().print(made.title, markup=False, highlight=False)
    console().print(drawn)
    if made.words:
        console().print(made.words, markup=False, highlight=False)
