"""Pictures of constraint problems: the constraint graph as SVG, and a search with its domains shrinking as one HTML page.

Plain data in, text out: names, scopes and domains, whatever solver they come from.

>>> drawing = graph(["WA", "NT", "SA"], [("WA", "NT"), ("WA", "SA"), ("NT", "SA")], values={"WA": "red"})
>>> drawing.startswith("<svg"), drawing.count("<line"), "WA = red" in drawing
(True, 3, True)
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from html import escape
from itertools import combinations
from typing import Any

PALETTE = ("#d9480f", "#2b8a3e", "#1f6feb", "#f2b705", "#9c36b5", "#0b7285", "#a61e4d", "#5c940d")
NAMED = {"red": "#e03131", "green": "#2f9e44", "blue": "#1c7ed6", "yellow": "#f2b705", "white": "#f1f3f5", "orange": "#f76707"}
STYLE = """
svg { --ground: #ffffff; --line: #9aa4b2; --ink: #2a303b; --node: #eef1f6; }
@media (prefers-color-scheme: dark) { svg { --ground: #14171c; --line: #5b6678; --ink: #d7dde8; --node: #2a313c; } }
.ground { fill: var(--ground); } .edge { stroke: var(--line); stroke-width: 1.5; }
.node { fill: var(--node); stroke: var(--line); stroke-width: 1.5; }
.name { fill: var(--ink); font: 600 13px system-ui, sans-serif; text-anchor: middle; dominant-baseline: central; }
"""


def edges(scopes: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """The edges of a constraint graph: two variables are joined when they take part in one constraint."""
    found: dict[tuple[str, str], None] = {}
    for scope in scopes:
        for first, second in combinations(dict.fromkeys(scope), 2):
            if (second, first) not in found:
                found[first, second] = None
    return list(found)


def layout(names: Sequence[str], pairs: Sequence[tuple[str, str]], rounds: int = 200) -> dict[str, tuple[float, float]]:
    """Places in the unit square: neighbours attract, all others repel (Fruchterman and Reingold 1991), from a circle on."""
    count = len(names)
    place = {name: [math.cos(6.2832 * i / count), math.sin(6.2832 * i / count)] for i, name in enumerate(names)}
    if 2 < count <= 120:
        ideal = 1.6 / math.sqrt(count)
        for turn in range(rounds):
            push = {name: [0.0, 0.0] for name in names}
            for first, second in combinations(names, 2):
                across, down = place[first][0] - place[second][0], place[first][1] - place[second][1]
                square = across * across + down * down + 1e-9
                force = ideal * ideal / square
                for name, sign in ((first, 1), (second, -1)):
                    push[name][0] += sign * across * force
                    push[name][1] += sign * down * force
            for first, second in pairs:
                across, down = place[first][0] - place[second][0], place[first][1] - place[second][1]
                force = math.hypot(across, down) / ideal
                for name, sign in ((first, -1), (second, 1)):
                    push[name][0] += sign * across * force
                    push[name][1] += sign * down * force
            reach = 0.12 * (1 - turn / rounds)
            for name in names:
                push[name][0] -= 0.3 * place[name][0]  # what has no neighbours stays near
                push[name][1] -= 0.3 * place[name][1]
                length = math.hypot(*push[name]) + 1e-9
                place[name][0] += push[name][0] / length * min(length, reach)
                place[name][1] += push[name][1] / length * min(length, reach)
    low = [min(spot[axis] for spot in place.values()) for axis in (0, 1)] if place else [0.0, 0.0]
    high = [max(spot[axis] for spot in place.values()) for axis in (0, 1)] if place else [1.0, 1.0]
    return {
        name: ((spot[0] - low[0]) / (high[0] - low[0] or 1), (spot[1] - low[1]) / (high[1] - low[1] or 1))
        for name, spot in place.items()
    }


def colour_of(value: Any, known: Sequence[Any]) -> str:
    """A colour for a value: its own where it names one, else one by its place among the known values."""
    if str(value).lower() in NAMED:
        return NAMED[str(value).lower()]
    return PALETTE[list(known).index(value) % len(PALETTE)] if value in known else PALETTE[0]


def graph(
    names: Sequence[str], pairs: Sequence[tuple[str, str]], values: Mapping[str, Any] | None = None, title: str = "constraint graph"
) -> str:
    """The constraint graph as a standalone SVG; assigned variables are filled with their value's colour."""
    values = values or {}
    known = list(dict.fromkeys(values.values()))
    side = max(360, int(95 * math.sqrt(len(names) or 1)))
    spots = {name: (50 + (side - 100) * x, 40 + (side - 80) * y) for name, (x, y) in layout(names, pairs).items()}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{side}" height="{side}" viewBox="0 0 {side} {side}" role="img">',
        f"<title>{escape(title)}</title><style>{STYLE}</style>",
        f'<rect class="ground" width="{side}" height="{side}"/>',
    ]
    for first, second in pairs:
        (x1, y1), (x2, y2) = spots[first], spots[second]
        parts.append(f'<line class="edge" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>')
    for name in names:
        x, y = spots[name]
        fill = f' style="fill:{colour_of(values[name], known)}"' if name in values else ""
        tip = f"{name} = {values[name]}" if name in values else name
        parts.append(
            f'<g><title>{escape(tip)}</title><circle class="node" cx="{x:.1f}" cy="{y:.1f}" r="22"{fill}/>'
            f'<text class="name" x="{x:.1f}" y="{y:.1f}">{escape(name)}</text></g>'
        )
    return "\n".join([*parts, "</svg>\n"])


PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>%(title)s</title>
<style>
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; } td, th { padding: 0.15rem 0.6rem; text-align: left; vertical-align: top; }
.value { display: inline-block; min-width: 1.2em; padding: 0 0.35em; margin: 1px; border-radius: 4px; text-align: center;
  background: color-mix(in srgb, CanvasText 10%%, Canvas); }
.gone { opacity: 0.25; text-decoration: line-through; } .only { background: #2f9e44; color: white; }
.empty { background: #e03131; color: white; } .now th { color: #1c7ed6; } .failed { color: #e03131; } .solved { color: #2f9e44; }
input { width: 100%%; } button { font: inherit; }
</style>
<h1>%(title)s</h1>
<p><button id="back">Back</button> <button id="on">On</button> <span id="where"></span></p>
<p><input id="slide" type="range" min="0" max="%(last)d" value="0" aria-label="step"></p>
<p id="said"></p><table id="domains"></table>
<script>
const start = %(start)s, steps = %(steps)s;
const slide = document.getElementById("slide"), table = document.getElementById("domains");
function show(n) {
  const step = steps[n]; slide.value = n;
  document.getElementById("where").textContent = `step ${n + 1} of ${steps.length}, depth ${step.depth}`;
  const said = document.getElementById("said");
  said.className = step.failed ? "failed" : step.solved ? "solved" : "";
  said.textContent = (step.variable === null ? "before any decision" : `${step.variable} = ${step.value}`) +
    (step.failed ? `: fails, ${step.failed} cannot hold` : step.solved ? ": solved" : "");
  table.replaceChildren(...Object.entries(start).map(([name, values]) => {
    const row = document.createElement("tr"), head = document.createElement("th"), cell = document.createElement("td");
    if (name === step.variable) row.className = "now";
    head.textContent = name; const left = step.domains[name];
    for (const value of values) {
      const box = document.createElement("span");
      box.className = "value" + (!left.includes(value) ? " gone" : left.length === 1 ? " only" : "");
      box.textContent = value; cell.append(box);
    }
    if (!left.length) { const box = document.createElement("span"); box.className = "value empty"; box.textContent = "empty";
      cell.append(box); }
    row.append(head, cell); return row;
  }));
}
const go = by => show(Math.min(steps.length - 1, Math.max(0, +slide.value + by)));
slide.oninput = () => show(+slide.value);
document.getElementById("back").onclick = () => go(-1); document.getElementById("on").onclick = () => go(1);
document.onkeydown = e => { if (e.target !== slide && e.key === "ArrowRight") go(1);
  if (e.target !== slide && e.key === "ArrowLeft") go(-1); };
show(0);
</script></html>
"""


def search_page(domains: Mapping[str, Sequence[Any]], steps: Sequence[Mapping[str, Any]], title: str = "search") -> str:
    """A search as a page to step through: each step has depth, variable, value, domains, failed and solved.

    >>> step = {"depth": 0, "variable": None, "value": None, "domains": {"x": [1]}, "failed": None, "solved": True}
    >>> "<script>" in search_page({"x": [1, 2]}, [step])
    True
    """
    start = {name: [str(value) for value in values] for name, values in domains.items()}
    shown = [
        dict(step)
        | {
            "value": None if step["value"] is None else str(step["value"]),
            "domains": {name: [str(value) for value in values] for name, values in step["domains"].items()},
        }
        for step in steps
    ]
    return PAGE % {
        "title": escape(title),
        "last": max(0, len(shown) - 1),
        "start": _script(start),
        "steps": _script(shown),
    }


def _script(value: Any) -> str:
    """JSON that cannot end the script it stands in."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")
