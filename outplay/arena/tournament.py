"""Tournaments: everybody against everybody (round robin) or the first against all others (gauntlet), at any number of seats.

>>> from outplay.game import load
>>> from outplay.players import player
>>> players = [player("minimax:depth=2"), player("random"), player("random:seed=3")]
>>> games = list(tournament(load("tic-tac-toe"), players, games=2))
>>> len(games), sorted({record.players for record in games})[0]
(6, ('minimax:depth=2', 'random'))
>>> [row.name for row in standings(games, [each.name for each in players])][0]
'minimax:depth=2'

As many players as the game has seats make one table, and the tournament is a match; one-seat games are played by each alone.
"""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass

from outplay.arena.elo import Elo, ratings
from outplay.arena.match import points_of, schedule, tournament
from outplay.values import Record


@dataclass(frozen=True)
class Row:
    """How one player did: games, points (1 a win, a half a draw; of several others, the share left behind), utility on average."""

    name: str
    games: int
    points: float
    average: float
    elo: Elo | None
    against: dict[str, tuple[float, int]]  # points and games, by the name of the other

    @property
    def score(self) -> float:
        """The share of the points that were to be had."""
        return self.points / self.games if self.games else 0.0


def standings(records: Sequence[Record], names: Sequence[str]) -> list[Row]:
    """The table of a tournament, the best first."""
    points = dict.fromkeys(names, 0.0)
    games = dict.fromkeys(names, 0)
    utilities = dict.fromkeys(names, 0.0)
    against: dict[str, dict[str, tuple[float, int]]] = {name: {} for name in names}
    duels: list[tuple[int, int, float]] = []
    for record in records:
        assert record.outcome is not None
        got = record.outcome.utilities
        for seat, name in enumerate(record.players):
            games[name] += 1
            points[name] += points_of(record, seat)
            utilities[name] += got[seat]
            for other, rival in enumerate(record.players):
                if other != seat:
                    won = (got[seat] > got[other]) + (got[seat] == got[other]) / 2
                    before, played = against[name].get(rival, (0.0, 0))
                    against[name][rival] = (before + won, played + 1)
                    if seat < other:
                        duels.append((names.index(name), names.index(rival), won))
    strengths: Sequence[Elo | None] = ratings(duels, len(names)) if duels else [None] * len(names)
    rows = [Row(name, games[name], points[name], utilities[name] / max(1, games[name]), strength, against[name])
            for name, strength in zip(names, strengths, strict=True)]  # fmt: skip
    return sorted(rows, key=lambda row: (-row.score, -row.average, row.name))


# ---------------------------------------------------------------- a page to look at

STYLE = ("body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#222;background:#fff}"
         "table{border-collapse:collapse}td,th{padding:.3rem .7rem;border-bottom:1px solid #ddd;text-align:right}"
         "td:first-child,th:first-child{text-align:left}.self{background:#eee}"
         "@media(prefers-color-scheme:dark){body{color:#eee;background:#181818}td,th{border-color:#444}.self{background:#333}}")


def report(game: str, records: Sequence[Record], names: Sequence[str]) -> str:
    """A page of its own: standings, crosstable, and charts of the Elo with its error and of the points game by game."""
    rows = standings(records, names)
    order = [row.name for row in rows]
    head = "".join(f"<th>{number}</th>" for number in range(1, len(rows) + 1))
    lines = []
    for number, row in enumerate(rows, start=1):
        cells = ""
        for rival in order:
            got = row.against.get(rival)
            cells += '<td class="self"></td>' if rival == row.name else f"<td>{got[0]:g}/{got[1]}</td>" if got else "<td></td>"
        elo = "" if row.elo is None else str(row.elo)
        lines.append(f"<tr><td>{number}. {html.escape(row.name)}</td><td>{row.games}</td><td>{row.points:g}</td>"
                     f"<td>{row.score:.1%}</td><td>{row.average:+.3f}</td><td>{elo}</td>{cells}</tr>")
    columns = "<th>player</th><th>games</th><th>points</th><th>score</th><th>utility</th><th>Elo (95 %)</th>"
    reasons: dict[str, int] = {}
    for record in records:
        if record.reason:
            reasons[record.reason] = reasons.get(record.reason, 0) + 1
    often = sorted(reasons.items(), key=lambda pair: -pair[1])[:20]
    ends = "".join(f"<li>{count} × {html.escape(text)}</li>" for text, count in often)
    title = f"{html.escape(game)}: {len(records)} games"
    return (f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
            f"<title>{title}</title><style>{STYLE}</style><h1>{title}</h1><table><tr>{columns}{head}</tr>{''.join(lines)}</table>"
            f"{_chart(rows)}{_course(records, order)}"
            + (f"<h2>Ends by the referee</h2><ul>{ends}</ul>" if ends else "") + "</html>\n")  # fmt: skip


def _chart(rows: Sequence[Row]) -> str:
    """Each player's Elo as a dot with its error as a bar."""
    rated = [(row.name, row.elo) for row in rows if row.elo is not None]
    if not rated:
        return ""
    low = min(elo.difference - elo.error for _, elo in rated)
    high = max(elo.difference + elo.error for _, elo in rated)
    across = 560 / max(high - low, 1.0)
    marks = []
    for number, (name, elo) in enumerate(rated):
        y, x = 24 + 28 * number, 220 + (elo.difference - low) * across
        reach = elo.error * across
        marks.append(f'<text x="210" y="{y + 5}" text-anchor="end" fill="currentColor">{html.escape(name[:28])}</text>'
                     f'<line x1="{x - reach:.1f}" x2="{x + reach:.1f}" y1="{y}" y2="{y}" stroke="currentColor"/>'
                     f'<circle cx="{x:.1f}" cy="{y}" r="5" fill="#2a7">'
                     f"<title>{elo}</title></circle>")
    bottom = 28 * len(rated) + 10
    for tick in _ticks(low, high):
        x = 220 + (tick - low) * across
        marks.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="8" y2="{bottom}" stroke="currentColor" opacity=".15"/>'
                     f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle" {SMALL}>{f"{tick:+d}" if tick else 0}</text>')
    return f'<h2>Elo</h2><svg viewBox="0 0 800 {bottom + 24}" font-size="14" role="img" aria-label="Elo">{"".join(marks)}</svg>'


def _ticks(low: float, high: float) -> list[int]:
    """Round numbers within a range, five or so of them."""
    step = next((size for size in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if (high - low) / size <= 7), 2000)
    return list(range(math.ceil(low / step) * step, math.floor(high / step) * step + 1, step))


SMALL = 'font-size="12" fill="currentColor"'
COLOURS = ("#2a7", "#c63", "#36c", "#a3a", "#985", "#088", "#b35", "#667")


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
    down, across = 180 / max(high - low, 1.0), 560 / longest
    marks = [f'<line x1="40" x2="600" y1="{10 + high * down:.1f}" y2="{10 + high * down:.1f}" stroke="currentColor" opacity=".3"/>']
    marks += [f'<text x="34" y="{14 + (high - value) * down:.1f}" text-anchor="end" {SMALL}>{f"{value:+g}" if value else 0}</text>'
              for value in sorted({low, 0.0, high})]  # fmt: skip
    for number, (name, way) in enumerate(shown):
        line = " ".join(f"{40 + at * across:.1f},{10 + (high - value) * down:.1f}" for at, value in enumerate(way))
        marks.append(f'<polyline points="{line}" fill="none" stroke="{COLOURS[number]}" stroke-width="2"/>'
                     f'<text x="612" y="{22 + 20 * number}" fill="{COLOURS[number]}">{html.escape(name[:24])}</text>')
    return ('<h2>Points above an even score, game by game</h2><svg viewBox="0 0 800 210" font-size="14" role="img" '
            f'aria-label="points above an even score, game by game">{"".join(marks)}</svg>')


__all__ = ["Row", "report", "schedule", "standings", "tournament"]
