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
    """A page of its own: standings, crosstable, and the Elo with its error as a chart."""
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
            f"{_chart(rows)}" + (f"<h2>Ends by the referee</h2><ul>{ends}</ul>" if ends else "") + "</html>\n")


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
    height = 28 * len(rated) + 20
    return f'<h2>Elo</h2><svg viewBox="0 0 800 {height}" font-size="14" role="img" aria-label="Elo">{"".join(marks)}</svg>'


__all__ = ["Row", "report", "schedule", "standings", "tournament"]
