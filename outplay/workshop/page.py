"""The report of a weighed game as one page of HTML that needs nothing else: who wins by strength, length, width, openings.

>>> from outplay.game import load
>>> from outplay.workshop.weigh import weigh
>>> told = page(weigh(load("nim"), seconds=0.3))
>>> "Who wins" in told, "Width by ply" in told, "http" in told
(True, True, False)
"""

from __future__ import annotations

import html
import math

from outplay.arena.report import SMALL, STYLE
from outplay.workshop.weigh import Report

WIDE = 640
"""Of a figure, in its own units."""


def page(report: Report) -> str:
    """The whole page."""
    title = f"{html.escape(report.game[:1].upper() + report.game[1:])}, weighed"
    return (f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
            f"<title>{title}</title><style>{STYLE}</style><main><h1>{title}</h1>"
            f'<p class="about">{sum(level.games for level in report.levels):,} games in {report.seconds:.0f} s</p>'
            f"{content(report)}</main></html>")


def content(report: Report) -> str:
    """The facts and the figures, for a page that has a frame of its own."""
    return _facts(report) + _levels(report) + _widths(report) + _openings(report) + _words(report)


def _facts(report: Report) -> str:
    facts = []
    if report.players > 1:
        facts.append((f"{report.first:.1%}", "moves first gets, at the strongest level known"))
        facts.append((f"{report.drawn:.0%}", "drawn there"))
    facts += [(f"{report.plies:.1f}", f"plies in random games, {report.shortest} to {report.longest}"),
              (f"{report.branching:.1f}", "actions on average"), (f"10^{report.log_games:.1f}", "ways to play, about")]
    if report.skill is not None:
        facts.append((f"{report.skill:+.0f} Elo", "from random play to strong"))
    if report.value is not None:
        facts.append((f"{report.value:+g}", "to whoever moves first, exactly"))
    return '<div class="facts">' + "".join(f"<div><b>{html.escape(big)}</b> <span>{html.escape(small)}</span></div>"
                                           for big, small in facts) + "</div>"


def _section(title: str, inner: str) -> str:
    return f"<section><h2>{title}</h2>{inner}</section>"


def _levels(report: Report) -> str:
    """The first player's share at each strength, with its interval."""
    known = [level for level in report.levels if level.games]
    if report.players < 2 or not known:
        return ""
    step, parts = 34, []
    for number, level in enumerate(known):
        y = 20 + step * number
        error = 0.0 if not math.isfinite(level.error) else level.error
        low, high = (150 + 380 * min(max(level.first + sign * error, 0), 1) for sign in (-1, 1))
        parts.append(f'<text x="140" y="{y + 5}" text-anchor="end" {SMALL}>{html.escape(level.name)}</text>'
                     f'<line x1="{low:.1f}" x2="{high:.1f}" y1="{y}" y2="{y}" stroke="#1f6feb" stroke-width="3"/>'
                     f'<circle cx="{150 + 380 * level.first:.1f}" cy="{y}" r="5" fill="#1f6feb"/>'
                     f'<text x="540" y="{y + 5}" {SMALL}>{level.first:.1%}, {level.games:,} games</text>')
    tall = 20 + step * len(known)
    middle = 150 + 380 / 2
    axis = (f'<line x1="{middle}" x2="{middle}" y1="4" y2="{tall - 14}" stroke="currentColor" opacity=".35" '
            'stroke-dasharray="4 4"/>'
            f'<text x="150" y="{tall}" {SMALL}>0 %</text>'
            f'<text x="{middle}" y="{tall}" text-anchor="middle" {SMALL}>50 %</text>'
            f'<text x="530" y="{tall}" text-anchor="end" {SMALL}>100 %</text>')
    rows = "".join(f'<tr><td class="name">{html.escape(level.name)}</td><td>{level.games:,}</td><td>{level.first:.1%}'
                   f"{f' ± {level.error:.1%}' if math.isfinite(level.error) else ''}</td><td>{level.drawn:.0%}</td>"
                   f"<td>{level.plies:.0f}</td><td>{_above(level.above, level.above_error)}</td></tr>" for level in known)
    return _section("Who wins, by strength", f'<svg viewBox="0 0 {WIDE + 40} {tall + 6}" role="img"><title>The share of '
                    f'whoever moves first, by strength</title>{axis}{"".join(parts)}</svg>'
                    '<table><tr><th class="name">played by</th><th>games</th>'
                    f"<th>moves first gets</th><th>drawn</th><th>plies</th><th>Elo over the one above</th></tr>{rows}</table>")


def _above(difference: float | None, error: float | None) -> str:
    if difference is None:
        return ""
    return f"{difference:+.0f}" + (f" ± {error:.0f}" if error is not None and math.isfinite(error) else "")


def _widths(report: Report) -> str:
    """The branching factor by ply, as bars."""
    widths = report.branching_by_ply[:120]
    if not widths:
        return ""
    most, wide = max(widths), WIDE / len(widths)
    bars = "".join(f'<rect x="{number * wide:.2f}" y="{130 - 110 * width / most:.1f}" width="{max(wide - 1, 0.5):.2f}" '
                   f'height="{110 * width / most:.1f}" fill="#1f6feb"/>' for number, width in enumerate(widths))
    return _section("Width by ply", f'<svg viewBox="0 0 {WIDE} 150" role="img"><title>Actions of random games, ply by ply</title>'
                    f"{bars}"
                    f'<text x="0" y="14" {SMALL}>{most:.1f} actions at most</text><text x="0" y="147" {SMALL}>ply 1</text>'
                    f'<text x="{WIDE}" y="147" text-anchor="end" {SMALL}>ply {len(widths)}</text></svg>')


def _openings(report: Report) -> str:
    if not report.openings:
        return ""
    rows = "".join(f'<tr><td class="name">{html.escape(text)}</td><td>{share:.0%}<span class="bar">'
                   f'<i style="width:{share:.0%}"></i></span></td></tr>' for text, share in list(report.openings.items())[:12])
    return _section("Openings of strong players", f"<table>{rows}</table>")


def _words(report: Report) -> str:
    said = []
    if report.lead_changes is not None and report.decided is not None:
        said.append(f"The lead changes {report.lead_changes:.1f} times a game, which is decided after {report.decided:.0%} of it.")
    if report.unused:
        said.append("Strong players never chose " + ", ".join(report.unused) + ".")
    if report.cut:
        said.append(f"{report.cut} random games did not end: does the game always end?")
    if report.solved_in is not None:
        said.append(f"It was solved in {report.solved_in:.1f} s.")
    if report.won_in is not None:
        said.append(f"The shortest win takes {report.won_in} plies.")
    if report.alphabeta is not None:
        share = f"{report.alphabeta:.0%} ± {report.alphabeta_error:.0%}"
        said.append(f"In the same time alpha-beta gets {share} of the points against Monte Carlo.")
    return _section("Besides", "<ul>" + "".join(f"<li>{html.escape(line)}</li>" for line in said) + "</ul>") if said else ""
