"""A tournament as one page of HTML that needs nothing else: standings, crosstable, charts; light and dark, on paper, too.

>>> from outplay.game import load
>>> from outplay.arena.tournament import tournament
>>> from outplay.players import player
>>> players = [player("minimax:depth=2"), player("random")]
>>> page = report("tic-tac-toe", list(tournament(load("tic-tac-toe"), players, games=2)), [each.name for each in players])
>>> "Crosstable" in page, "http" in page.replace("http-equiv", "")
(True, False)
"""

from __future__ import annotations

import html
import math
from collections.abc import Sequence

from outplay.arena.match import points_of
from outplay.arena.tournament import Row, standings
from outplay.values import Record

STYLE = """
:root{--ink:#1b2433;--soft:#5b6575;--line:#dfe3ea;--page:#f5f6f9;--card:#fff;--good:31,111,235;--bad:217,72,15}
@media(prefers-color-scheme:dark){:root{--ink:#e8ebf1;--soft:#9aa4b5;--line:#323b4a;--page:#12161e;--card:#1b212c;--good:88,155,255;
--bad:255,138,76}}
*{box-sizing:border-box}
body{font:16px/1.5 system-ui,sans-serif;margin:0;color:var(--ink);background:var(--page)}
main{max-width:66rem;margin:0 auto;padding:2rem 1rem 4rem}
h1{font-size:1.9rem;line-height:1.2;letter-spacing:-.02em;margin:0 0 .2rem}
h2{font-size:1.1rem;margin:0 0 .8rem}
p.about{color:var(--soft);margin:0 0 1.5rem}
section{background:var(--card);border:1px solid var(--line);border-radius:.7rem;padding:1.1rem 1.3rem;margin:0 0 1.2rem;
overflow-x:auto}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(10rem,1fr));gap:1rem;margin:0 0 1.2rem}
.facts div{background:var(--card);border:1px solid var(--line);border-radius:.7rem;padding:.8rem 1rem}
.facts b{display:block;font-size:1.35rem;line-height:1.3;overflow-wrap:anywhere}
.facts span{color:var(--soft);font-size:.85rem}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;min-width:100%}
td,th{padding:.4rem .7rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}
th{color:var(--soft);font-weight:600;font-size:.85rem}
tr:last-child td{border-bottom:0}
td.name,th.name{text-align:left}
td.cross{text-align:center;min-width:3.4rem}
td.self{background:repeating-linear-gradient(135deg,transparent 0 5px,var(--line) 5px 6px)}
.bar{display:inline-block;width:6rem;height:.55rem;border-radius:.3rem;background:var(--line);margin-left:.6rem;overflow:hidden}
.bar i{display:block;height:100%;background:rgb(var(--good))}
svg{width:100%;height:auto;display:block}
ul{margin:0;padding-left:1.2rem}
@media print{body{background:#fff}section,.facts div{break-inside:avoid}}
"""
SMALL = 'font-size="12" fill="currentColor" opacity=".75"'
COLOURS = ("#1f6feb", "#d9480f", "#2f9e44", "#9c36b5", "#e8890c", "#0c8599", "#c2255c", "#868e96")


def report(game: str, records: Sequence[Record], names: Sequence[str]) -> str:
    """The page of a tournament."""
    rows = standings(records, names)
    title = f"{html.escape(game[:1].upper() + game[1:])}: {len(records)} game{'s' * (len(records) != 1)}"
    about = f"{len(rows)} player{'s' * (len(rows) != 1)}, the best first. " + (
        "A win counts one point, a draw a half." if records and len(records[0].players) == 2
        else "A game counts the share of the others that one leaves behind.")  # fmt: skip
    return (f'<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
            f"<title>{title}</title><style>{STYLE}</style></head><body><main><h1>{title}</h1>"
            f'<p class="about">{about}</p>{_facts(records, rows)}{_standings(records, rows)}{_crosstable(rows)}{_chart(rows)}'
            f"{_course(records, [row.name for row in rows])}{_ends(records)}</main></body></html>\n")  # fmt: skip


def _section(title: str, content: str) -> str:
    return f"<section><h2>{title}</h2>{content}</section>" if content else ""


def _facts(records: Sequence[Record], rows: Sequence[Row]) -> str:
    """A few numbers about all of it: who leads, how much the first seat is worth, draws, lengths."""
    if not records:
        return ""
    plies = sorted(len(record.actions) for record in records)
    told = [(html.escape(rows[0].name), f"leads with {rows[0].score:.0%} of the points")] if len(rows) > 1 else []
    if len(records[0].players) == 2:
        firsts = [points_of(record, 0) for record in records]
        drawn = sum(points == 0.5 for points in firsts)
        told += [(f"{sum(firsts) / len(firsts):.0%}", "of the points went to who moves first"),
                 (f"{drawn / len(firsts):.0%}", f"draws ({drawn} of {len(firsts)})")]  # fmt: skip
    told.append((f"{plies[len(plies) // 2]}", f"plies a game, the median ({plies[0]} to {plies[-1]})"))
    return '<div class="facts">' + "".join(f"<div><b>{value}</b><span>{what}</span></div>" for value, what in told) + "</div>"


def _standings(records: Sequence[Record], rows: Sequence[Row]) -> str:
    won: dict[str, list[int]] = {row.name: [0, 0, 0] for row in rows}
    for record in records:
        for seat, name in enumerate(record.players):
            got = points_of(record, seat)
            won[name][0 if got == 1 else 2 if got == 0 else 1] += 1
    middle = "drawn" if records and len(records[0].players) == 2 else "between"
    lines = []
    for number, row in enumerate(rows, start=1):
        counts = "".join(f"<td>{count}</td>" for count in won[row.name])
        bar = f'<span class="bar"><i style="width:{100 * row.score:.0f}%"></i></span>'
        lines.append(f'<tr><td>{number}</td><td class="name">{html.escape(row.name)}</td><td>{row.games}</td>{counts}'
                     f"<td>{row.points:g}</td><td>{row.score:.1%}{bar}</td><td>{row.average:+.3f}</td>"
                     f"<td>{'' if row.elo is None else row.elo}</td></tr>")  # fmt: skip
    head = "".join(f"<th>{word}</th>" for word in ("games", "won", middle, "lost", "points", "score", "utility", "Elo (95 %)"))
    return _section("Standings", f'<table><tr><th></th><th class="name">player</th>{head}</tr>{"".join(lines)}</table>')


def _crosstable(rows: Sequence[Row]) -> str:
    """Who took how many points from whom; blue where it was more than half, orange where it was less."""
    if len(rows) < 2:
        return ""
    lines = []
    for number, row in enumerate(rows, start=1):
        cells = ""
        for rival in rows:
            got = row.against.get(rival.name)
            if rival is row or not got:
                cells += f'<td class="cross{" self" if rival is row else ""}"></td>'
                continue
            share = got[0] / got[1]
            tint = f"rgba(var(--{'good' if share >= 0.5 else 'bad'}),{abs(share - 0.5) * 0.9:.2f})"
            told = html.escape(f"{row.name} took {got[0]:g} of {got[1]} from {rival.name}")
            cells += f'<td class="cross" style="background:{tint}" title="{told}">{got[0]:g}/{got[1]}</td>'
        lines.append(f'<tr><td>{number}</td><td class="name">{html.escape(row.name)}</td>{cells}</tr>')
    head = "".join(f'<th style="text-align:center" title="{html.escape(row.name)}">{number}</th>'
                   for number, row in enumerate(rows, start=1))  # fmt: skip
    return _section("Crosstable", f'<table><tr><th></th><th class="name">points of</th>{head}</tr>{"".join(lines)}</table>')


def _chart(rows: Sequence[Row]) -> str:
    """Each player's Elo as a dot with its error as a bar."""
    rated = [(row.name, row.elo) for row in rows if row.elo is not None and math.isfinite(row.elo.error)]
    if not rated:
        return ""
    low = min(elo.difference - elo.error for _, elo in rated)
    high = max(elo.difference + elo.error for _, elo in rated)
    across = 560 / max(high - low, 1.0)
    marks, bottom = [], 30 * len(rated) + 12
    for tick in _ticks(low, high):
        x = 220 + (tick - low) * across
        marks.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="8" y2="{bottom}" stroke="currentColor" opacity=".15"/>'
                     f'<text x="{x:.1f}" y="{bottom + 17}" text-anchor="middle" {SMALL}>{f"{tick:+d}" if tick else 0}</text>')
    for number, (name, elo) in enumerate(rated):
        y, x, reach = 25 + 30 * number, 220 + (elo.difference - low) * across, elo.error * across
        marks.append(f'<text x="208" y="{y + 5}" text-anchor="end" fill="currentColor">{html.escape(name[:28])}</text>'
                     f'<rect x="{x - reach:.1f}" y="{y - 4}" width="{2 * reach:.1f}" height="8" rx="4" opacity=".25" '
                     f'fill="{COLOURS[0]}"/>'
                     f'<circle cx="{x:.1f}" cy="{y}" r="6" fill="{COLOURS[0]}"><title>{html.escape(name)}: {elo}</title></circle>')
    return _section("Elo, with the range that holds 95 %",
                    f'<svg viewBox="0 0 800 {bottom + 26}" font-size="14" role="img" aria-label="Elo">{"".join(marks)}</svg>')


def _ticks(low: float, high: float) -> list[int]:
    """Round numbers within a range, five or so of them."""
    step = next((size for size in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if (high - low) / size <= 7), 2000)
    return list(range(math.ceil(low / step) * step, math.floor(high / step) * step + 1, step))


def _course(records: Sequence[Record], order: Sequence[str]) -> str:
    """How far above an even score each player stood, game by game: does the lead grow, or was it luck at the start?"""
    ways: dict[str, list[float]] = {name: [0.0] for name in order}
    for record in records:
        for seat, name in enumerate(record.players):
            ways[name].append(ways[name][-1] + points_of(record, seat) - 0.5)
    shown = [(name, way) for name, way in ways.items() if len(way) > 1][: len(COLOURS)]
    if len(shown) < 2:
        return ""
    low, high = min(min(way) for _, way in shown), max(max(way) for _, way in shown)
    longest = max(len(way) for _, way in shown) - 1
    tall = max(200, 22 * len(shown))
    down, across = tall / max(high - low, 1.0), 540 / longest
    marks = []
    for value in sorted({low, 0.0, high}):
        y, strong = 12 + (high - value) * down, 0.35 if value == 0 else 0.12
        marks.append(f'<line x1="44" x2="584" y1="{y:.1f}" y2="{y:.1f}" stroke="currentColor" opacity="{strong}"/>'
                     f'<text x="38" y="{y + 4:.1f}" text-anchor="end" {SMALL}>{f"{value:+g}" if value else 0}</text>')
    for number, (name, way) in enumerate(shown):
        line = " ".join(f"{44 + at * across:.1f},{12 + (high - value) * down:.1f}" for at, value in enumerate(way))
        marks.append(f'<polyline points="{line}" fill="none" stroke="{COLOURS[number]}" stroke-width="2.5"/>'
                     f'<rect x="602" y="{12 + 22 * number}" width="12" height="12" rx="3" fill="{COLOURS[number]}"/>'
                     f'<text x="620" y="{23 + 22 * number}" fill="currentColor">{html.escape(name[:22])}</text>')
    marks.append(f'<text x="314" y="{tall + 34}" text-anchor="middle" {SMALL}>games of each player</text>')
    return _section("Points above an even score, game by game",
                    f'<svg viewBox="0 0 800 {tall + 42}" font-size="14" role="img" '
                    f'aria-label="points above an even score, game by game">{"".join(marks)}</svg>')


def _ends(records: Sequence[Record]) -> str:
    """Why games ended that were not played to their end."""
    reasons: dict[str, int] = {}
    for record in records:
        if record.reason:
            reasons[record.reason] = reasons.get(record.reason, 0) + 1
    often = sorted(reasons.items(), key=lambda pair: -pair[1])[:20]
    ends = "".join(f"<li>{count} × {html.escape(text)}</li>" for text, count in often)
    return _section("Ends by the referee", f"<ul>{ends}</ul>" if ends else "")


__all__ = ["report"]
