"""Games between players, one after another, with paired openings; a match is a stream of records that can be stopped and resumed.

>>> from outplay.game import load
>>> from outplay.players import player
>>> games = list(match(load("tic-tac-toe"), [player("minimax"), player("random")], games=4, opening_plies=1))
>>> [record.players for record in games[:2]]
[('minimax', 'random'), ('random', 'minimax')]
>>> tally(games, "minimax").losses
0
"""

from __future__ import annotations

import itertools
import json
import math
import random
import statistics
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from outplay.arena.elo import Tally
from outplay.errors import BadValue, UnknownName
from outplay.files import append_line, read_bytes
from outplay.game import Game, Position
from outplay.playing import Mover, Play, settle
from outplay.values import Ending, Limits, Outcome, Record

MOST_PLIES = 20_000
"""Plies after which the referee stops a game of a match, as a draw: some games never end by themselves."""
APART = 0x9E3779B1
"""Between the games of one seed and those of the next: the golden part of a word, which keeps many seeds far from each other."""
OPENING_PLIES = 4
"""How many random moves make an opening where nobody says; fewer where the game is so short that they would end it."""


def match(
    game: Game,
    players: Sequence[Mover],
    *,
    games: int,
    limits: Limits | None = None,
    clock: tuple[float, float] | None = None,
    opening_plies: int | None = None,
    seed: int = 0,
    start: Position | None = None,
    done: int = 0,
    stop: threading.Event | None = None,
) -> Iterator[Record]:
    """Play games among as many players as the game has seats; each opening is played from every seat. The first `done` are skipped.

    A `clock` is the seconds that each player has for a whole game, and those that come back with each move. A game depends on the
    seed and its number alone, so that a match goes on where it was stopped. Once `stop` is set, the unfinished game is dropped.
    """
    if isinstance(players, str) or len(players) != game.players:
        raise BadValue(f"a match of {game.name} needs {_count(game.players)}, got {len(players)}")
    return tournament(game, players, games=games, limits=limits, clock=clock, opening_plies=opening_plies, seed=seed, start=start,
                      done=done, stop=stop)


@dataclass(frozen=True)
class Round:
    """One game to be played: the numbers of the players by seat, and the number of the opening."""

    seats: tuple[int, ...]
    opening: int


class Schedule(Sequence[Round]):
    """All games of a tournament in order: each table plays `games`, all move up a seat after each, tables take turns after every
    opening. A game is found by its number, so that a long tournament takes no room."""

    def __init__(self, players: int, seats: int, games: int, gauntlet: bool = False) -> None:
        if players < seats:
            raise BadValue(f"a game of {seats} seats needs {seats} players at least, got {players}")
        self.tables = [table for table in itertools.combinations(range(players), seats) if not gauntlet or 0 in table]
        self.seats, self.games = seats, games

    def __len__(self) -> int:
        return len(self.tables) * self.games

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return (self[each] for each in range(*number.indices(len(self))))
        if not 0 <= number < len(self):
            raise IndexError(number)
        opening = min(number // (len(self.tables) * self.seats), self.games // self.seats)
        inside = number - opening * len(self.tables) * self.seats
        table, turn = divmod(inside, min(self.seats, self.games - opening * self.seats))
        return Round(tuple(self.tables[table][(seat - turn) % self.seats] for seat in range(self.seats)), opening)


def schedule(players: int, seats: int, games: int, gauntlet: bool = False) -> Schedule:
    """The games of a tournament.

    >>> [(each.seats, each.opening) for each in schedule(3, 2, 2)]
    [((0, 1), 0), ((1, 0), 0), ((0, 2), 0), ((2, 0), 0), ((1, 2), 0), ((2, 1), 0)]
    >>> [(each.seats, each.opening) for each in schedule(2, 2, 5)][-2:]
    [((1, 0), 1), ((0, 1), 2)]
    >>> len(schedule(5, 2, 4, gauntlet=True)), len(schedule(4, 3, 3)), len(schedule(2, 2, 10**9))
    (16, 12, 1000000000)
    """
    return Schedule(players, seats, games, gauntlet)


def tournament(
    game: Game,
    players: Sequence[Mover],
    *,
    games: int,
    gauntlet: bool = False,
    limits: Limits | None = None,
    clock: tuple[float, float] | None = None,
    opening_plies: int | None = None,
    openings: Sequence[Position] = (),
    seed: int = 0,
    start: Position | None = None,
    done: int = 0,
    stop: threading.Event | None = None,
) -> Iterator[Record]:
    """Play `games` at each table; the first `done` of all are skipped, and a game depends on the seed and its number alone.

    Openings are some random moves, or one after the other those given.
    """
    if isinstance(games, bool) or not isinstance(games, int) or games < 0:
        raise BadValue(f"games must be a whole number from 0, got {games!r}")
    rounds = schedule(len(players), game.players, games, gauntlet)
    check(game, players, start, stop)
    begun = start or game.start()
    plies = usual_plies(begun) if opening_plies is None else opening_plies
    names = told_apart(getattr(player, "name", "") for player in players)
    for number, each in enumerate(rounds[done:], start=done):
        opening = (openings[each.opening % len(openings)] if openings
                   else random_opening(begun, plies, opening_seed(seed, each.opening)))  # fmt: skip
        seated = [players[player] for player in each.seats]
        record = play_game(seated, opening, limits=limits, clock=clock, seed=opening_seed(seed, number), stop=stop,
                           most_plies=MOST_PLIES)  # fmt: skip
        if record.outcome is None:
            return
        yield replace(record, players=tuple(names[player] for player in each.seats))


def _count(players: int) -> str:
    return {1: "one player", 2: "two players", 3: "three players", 4: "four players"}.get(players, f"{players} players")


def check(
    game: Game, players: Sequence[Mover], start: Position | None = None, stop: threading.Event | None = None
) -> None:
    """Refuse, before the first game, a player that cannot play this one; the others have compiled what they need."""
    position = settle(start or game.start(), 0)
    if position.is_terminal():
        raise BadValue(f"no match begins in a finished game: {position.text()}")
    for player in players:
        ready = getattr(player, "get_ready", None)
        if ready is not None and not (stop is not None and stop.is_set()):  # a first search may have swallowed Ctrl-C
            view = position.observe(position.player()) if game.traits.information == "hidden" else position
            ready(view)


def usual_plies(start: Position) -> int:
    """How many random moves make an opening where nobody says: few enough that every player still has a move to decide on.

    >>> from outplay.game import load
    >>> [usual_plies(load(name).start()) for name in ("chess", "tic-tac-toe", "rock-paper-scissors")]
    [4, 3, 0]
    """
    shortest = OPENING_PLIES + start.game.players
    for seed in range(20):
        source, position, plies = random.Random(seed), settle(start, seed), 0
        while not position.is_terminal() and plies < shortest:
            position = settle(position.result(source.choice(position.actions())), seed + plies)
            plies += 1
        shortest = min(shortest, plies)
    return max(0, shortest - start.game.players)


def opening_seed(seed: int, number: int) -> int:
    """The seed of one of the many openings or games of a match: those of the next seed are others, not the same one further on.

    >>> [opening_seed(0, 5), opening_seed(41, 1) == opening_seed(42, 0), opening_seed(10**9, 10**9) < 2**31]
    [5, False, True]
    """
    return (seed * APART + number) % 2**31


def random_opening(start: Position, plies: int, seed: int) -> Position:
    """A position some random moves on that is not the end of the game; the same for the same seed."""
    source = random.Random(seed)
    for attempt in range(100):
        position = start
        for ply in range(plies):
            position = settle(position, seed + 1000 * attempt + ply)
            if position.is_terminal():
                break
            position = position.result(source.choice(position.actions()))
        position = settle(position, seed + 1000 * attempt + plies)
        if not position.is_terminal():
            return position
    raise BadValue(f"no opening of {plies} random moves leaves {start.game.name} unfinished: ask for fewer")


def play_game(
    players: Sequence[Mover],
    start: Position,
    *,
    limits: Limits | None = None,
    clock: tuple[float, float] | None = None,
    seed: int = 0,
    stop: threading.Event | None = None,
    most_plies: int | None = None,
) -> Record:
    """Play one game to its end. A player that fails, plays an illegal action or oversteps its time loses, with the reason."""
    begun = settle(start, seed)
    return Play(start.game, players, start=begun, limits=limits, clock=clock, seed=seed, most_plies=most_plies).finished(stop)


# ---------------------------------------------------------------- what a match says


def points_of(record: Record, seat: int) -> float:
    """A win, a half or nothing for a seat: the share of the others whom it left behind, those level with it counting half.

    >>> [points_of(Record("", "", (), (), Outcome((3.0, 1.0, 1.0))), seat) for seat in range(3)]
    [1.0, 0.25, 0.25]
    """
    assert record.outcome is not None
    utilities = record.outcome.utilities
    others = [utility for other, utility in enumerate(utilities) if other != seat]
    mine = utilities[seat]
    return sum((mine > other) + (mine == other) / 2 for other in others) / len(others) if others else 0.0


def seat_of(number: int, player: int, seats: int) -> int:
    """Where a player sits in a game of a match: all move up one seat after each game of an opening."""
    return (player + number) % seats


def tally(records: Iterable[Record], first: str) -> Tally:
    """The games of a match from the side of the player of that name; the even games are the first of a pair.

    >>> won = Record("nim", "", (), ("a", "b"), Outcome((1.0, -1.0)))
    >>> tally([won, won], "a").wins, tally([won, won], "b").losses
    (2, 2)
    """
    wins = draws = losses = 0
    pairs: list[float] = []
    previous: float | None = None
    for number, record in enumerate(records):
        if first not in record.players:
            raise UnknownName("player", first, dict.fromkeys(record.players))
        same = record.players.count(first) == len(record.players)  # then the first one sits first in even games
        points = points_of(record, number % len(record.players) if same else record.players.index(first))
        wins, draws, losses = wins + (points > 0.5), draws + (points == 0.5), losses + (points < 0.5)
        if number % 2 == 0:
            previous = points
        elif previous is not None:
            pairs.append(previous + points)
    return Tally(wins, draws, losses, tuple(pairs))


def told_apart(names: Iterable[str]) -> tuple[str, ...]:
    """Names of players, none of them twice or empty: a second one of a name gets a number.

    >>> told_apart(["mine", "mine", "", "mine"])
    ('mine', 'mine (2)', 'player 3', 'mine (3)')
    """
    found: list[str] = []
    for number, name in enumerate(names, 1):
        name = name or f"player {number}"
        times, made = 1, name
        while made in found:
            times += 1
            made = f"{name} ({times})"
        found.append(made)
    return tuple(found)


def points_a_game(records: Sequence[Record], player: int = 0) -> tuple[float, float]:
    """What a player of a match got on average, and how far its 95 % interval reaches to both sides.

    >>> won, lost = (Record("backgammon", "", (), ("a", "b"), Outcome(points)) for points in ((2.0, -2.0), (-1.0, 1.0)))
    >>> points_a_game([won, lost, won, lost])  # the sides change after each game
    (1.5, 0.565...)
    """
    got = [record.outcome.utilities[seat_of(number, player, len(record.outcome.utilities))]
           for number, record in enumerate(records) if record.outcome is not None]  # fmt: skip
    if len(got) < 2:
        return (got[0] if got else 0.0), math.inf
    return statistics.fmean(got), 1.96 * statistics.stdev(got) / math.sqrt(len(got))


# ---------------------------------------------------------------- records on disk: one JSON object a line


def save(record: Record, path: Path) -> None:
    """Append a record to a file of JSON lines; a torn last line, which somebody did not come to the end of, is dropped first."""
    line = json.dumps(asdict(record), ensure_ascii=False) + "\n"
    append_line(path, line, _is_record)


def _is_record(line: bytes) -> bool:
    try:
        return bool(_record(json.loads(line)))
    except (ValueError, KeyError, TypeError, RecursionError):
        return False


def read(path: Path) -> list[Record]:
    """The records of a file of JSON lines; a torn last line is dropped, which has no end and begins as a record does."""
    records = []
    try:
        text = read_bytes(path).decode("utf-8", "replace")
    except OSError as problem:
        raise BadValue(f"cannot read {path}: {problem.strerror}") from None
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        try:
            records.append(_record(json.loads(line)))
        except (ValueError, KeyError, TypeError, RecursionError):
            if number == len(lines) and line.startswith("{") and not text.endswith("\n"):
                break
            raise BadValue(f"{path}: line {number} is not a game record") from None
    return records


def _record(fields: dict) -> Record:
    utilities = fields["outcome"]["utilities"]
    texts = {key: fields.get(key, []) for key in ("actions", "players", "comments")}
    if not utilities or not all(isinstance(each, int | float) and math.isfinite(each) for each in utilities):
        raise ValueError("utilities")
    if not all(isinstance(each, str) for part in texts.values() for each in part) or len(texts["players"]) != len(utilities):
        raise ValueError("texts")
    game, start, reason = (str(fields.get(key, "")) for key in ("game", "start", "reason"))
    actions, players, comments = (tuple(part) for part in texts.values())
    ending = Ending(fields["ending"]) if fields.get("ending") else None  # games of before do not say it
    return Record(game, start, actions, players, Outcome(tuple(map(float, utilities))), reason, comments, ending)
