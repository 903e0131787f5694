"""Exercises on paper: a sheet to be printed, without solutions or with them.

>>> "What is the root worth to MAX?" in sheet("minimax", seed=1), "Solutions" in sheet("minimax", seed=1)
(True, False)
"""

from __future__ import annotations

from html import escape

from outplay.lessons.exercises import Exercise, draw, many, searched
from outplay.views import tree as pictures

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #111; background: #fff; }
h1 { font-size: 1.6rem; } li { margin: 0 0 1.6rem; break-inside: avoid; } table { border-collapse: collapse; margin: .6rem 0; }
td, th { border: 1px solid #999; padding: .2rem .7rem; text-align: left; } svg { max-width: 100%; height: auto; display: block; }
body svg.search .unseen { opacity: 1; } /* nothing is searched yet, and yet it is there to be read */
.line { display: inline-block; min-width: 14rem; border-bottom: 1px solid #111; } .choices span { margin-right: 2rem; white-space: nowrap; }
.solutions { break-before: page; } footer { color: #555; font-size: .85rem; }
@media print { body { margin: 0; } }
"""


def sheet(topic: str, *, seed: int = 0, each: int = 1, solutions: bool = False, heading: str = "") -> str:
    """A page of HTML with every exercise of a topic, `each` times with other numbers; the same seed makes the same sheet."""
    asked = [draw(topic, number, seed + again) for again in range(each) for number in range(many(topic))]
    title = f"Exercises: {heading or topic.replace('-', ' ')}"
    parts = [
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title><link rel="icon" href="data:,"><style>{STYLE}</style></head><body>',
        f"<h1>{escape(title)}</h1><ol>",
        *(f"<li>{question(one)}</li>" for one in asked),
        "</ol>",
    ]
    if solutions:
        parts += [
            '<section class="solutions"><h1>Solutions</h1><ol>',
            *(f"<li>{solution(one)}</li>" for one in asked),
            "</ol></section>",
        ]
    more = " --solutions" if solutions else ""
    parts.append(f"<footer>outplay exercises {escape(topic)} --seed {seed} --each {each}{more}</footer></body></html>\n")
    return "\n".join(parts)


def question(asked: Exercise) -> str:
    """An exercise as HTML, with room for the answer."""
    parts = [f"<p>{escape(asked.question)}</p>", rows(asked.table), picture(asked)]
    if asked.choices:
        parts.append('<p class="choices">' + "".join(f"<span>☐ {escape(choice)}</span>" for choice in asked.choices) + "</p>")
    else:
        parts.append('<p>Answer: <span class="line"></span></p>')
    return "".join(parts)


def solution(asked: Exercise) -> str:
    """Its answer and the reason."""
    return f"<p><b>{escape(asked.answer)}</b>. {escape(asked.solution)}</p>"


def rows(table: tuple[tuple[str, ...], ...]) -> str:
    """A table as HTML, its first row as headings."""
    if not table:
        return ""
    head, *body = table
    cells = ["<tr>" + "".join(f"<th>{escape(cell)}</th>" for cell in head) + "</tr>"]
    cells += ["<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in body]
    return f"<table>{''.join(cells)}</table>"


def picture(asked: Exercise) -> str:
    """The tree of an exercise before the search begins: the leaves are there, no other value."""
    if not asked.tree:
        return ""
    _, tree = searched(asked.tree, asked.algorithm)
    return pictures.draw(tree, 0, title="the tree of the exercise")


def in_words(asked: Exercise) -> str:
    """An exercise as plain text, for a terminal."""
    lines = [asked.question]
    if asked.tree:
        lines.append(f"  {asked.tree}")
    if asked.table:
        wide = [max(len(row[k]) for row in asked.table) for k in range(len(asked.table[0]))]
        lines += [
            "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, wide, strict=True)).rstrip() for row in asked.table
        ]
    if asked.choices:
        lines.append("  " + " / ".join(asked.choices))
    return "\n".join(lines)
