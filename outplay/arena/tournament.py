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


__all__ = ["Row", "schedule", "standings", "tournament"]
