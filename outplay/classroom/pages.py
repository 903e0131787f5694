"""Pages of the classroom: a student's feedback, and the standings of a contest; each one file, without scripts."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from outplay.classroom.assignments import Assignment
    from outplay.classroom.grading import Grade

STYLE = """body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
table{border-collapse:collapse}td,th{padding:.3rem .8rem;text-align:left;border-bottom:1px solid #ccc;vertical-align:top}
.good{color:#176b34}.bad{color:#a11d1d}code{background:#f2f2f2;padding:0 .2em;overflow-wrap:anywhere}svg{max-width:100%;height:auto}
@media(prefers-color-scheme:dark){body{color:#eee;background:#1b1b1b}code{background:#333}.good{color:#7fd49b}.bad{color:#ff9b9b}}"""


def page(title: str, body: Iterable[str], seconds: int = 0) -> str:
    """A page of its own; with seconds, a browser reads it anew each time they have passed."""
    anew = f'<meta http-equiv="refresh" content="{seconds}">' if seconds else ""
    return (f'<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">{anew}'
            f"<title>{html.escape(title)}</title><style>{STYLE}</style></head><body><h1>{html.escape(title)}</h1>\n"
            + "\n".join(body) + "\n</body></html>\n")


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of texts."""
    head = "".join(f"<th>{html.escape(each)}</th>" for each in columns)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>\n" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table>"


def feedback(grade: Grade, assignment: Assignment) -> str:
    """What a student is told: line by line, with the smallest tree that shows a mistake."""
    body = [f"<p>{html.escape(assignment.title)}: <b>{grade.points:g}</b> of {grade.of:g} points.</p>"]
    if grade.problem:
        body.append(f'<p class="bad">{html.escape(grade.problem)}</p>')
    if grade.failures:
        body.append("<ul>" + "".join(f'<li class="bad">{html.escape(each)}</li>' for each in grade.failures) + "</ul>")
    for mark in grade.marks:
        kind = "good" if mark.passed == mark.asked and mark.asked else "bad"
        body.append(f'<h2 class="{kind}">{html.escape(mark.line)}: {mark.points:g} of {mark.of:g}</h2>')
        if mark.said:
            body.append(f"<p>{html.escape(mark.said[:1].upper() + mark.said[1:])}.</p>")
        if mark.shown:
            body.append(f"<p>The smallest one that shows it, which is none of the hidden questions: <code>{html.escape(mark.shown)}"
                        "</code></p>")
        if mark.picture:
            body.append(f"<figure>{mark.picture}<figcaption>as the textbook searches it</figcaption></figure>")
    return page(f"{grade.name}", body)
