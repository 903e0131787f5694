"""Games between players, one after another, with paired openings; a match is a stream of records that can be stopped and resumed.

>>> from outplay.game import load
>>> from outplay.players import player
>>> games = list(match(load("tic-tac-toe"), [player("minimax"), player("random")], games=4, opening_plies=4))
>>> [record.players for record in games[:2]]
[('minimax', 'random'), ('random', 'minimax')]
>>> tally(games, "minimax").losses
0
"""

from __future__ import annotations

import json
import math
import random
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from outplay.arena.elo import Tally
from outplay.errors import BadValue, OutplayError, Unsuitable, shorten
from outplay.game import Game, Position
from outplay.players import Player, Resigned
from outplay.values import Action, Limits, Outcome, Record

GRACE = 1.0
"""Seconds beyond its time for a move after which a player has lost on time."""

LAG = 0.1
"""Seconds that a clock may be below zero: what it takes to hand a move over on a busy machine."""


def match(
    game: Game,
    players: Sequence[Player],
    *,
    games: int,
    limits: Limits | None = None,
    clock: tuple[float, float] | None = None,
    opening_plies: int = 4,
    seed: int = 0,
    start: Position | None = None,
    done: int = 0,
    watch: Callable[[Position], None] | None = None,
) -> Iterator[Record]:
    """Play games between two players; each opening is played twice, with the sides changed. The first `done` games are skipped.

    A `clock` is the seconds that each player has for a whole game, and those that come back with each move.
    """
    if game.traits.players != 2:
        raise Unsuitable(f"a match needs a game of two players; {game.name} has {game.traits.players}")
    if len(players) != 2:
        raise BadValue(f"a match needs two players, got {len(players)}")
    for number in range(done, games):
        opening = random_opening(start or game.start(), opening_plies, seed + number // 2)
        seated = list(players) if number % 2 == 0 else [players[1], players[0]]
        yield play_game(seated, opening, limits=limits, clock=clock, seed=seed + number, watch=watch)


def random_opening(start: Position, plies: int, seed: int) -> Position:
    """A position some random moves on that is not the end of the game; the same for the same seed."""
    source = random.Random(seed)
    for _ in range(100):
        position = start
        for _ in range(plies):
            position = settle(position, source)
            if position.is_terminal():
                break
            position = position.result(source.choice(position.actions()))
        position = settle(position, source)
        if not position.is_terminal():
            return position
    raise BadValue(f"no opening of {plies} random moves leaves {start.game.name} unfinished: ask for fewer")


def settle(position: Position, source: random.Random) -> Position:
    """Let chance have its moves until a player is to move or the game is over."""
    while position.is_chance():
        position = position.result(draw_outcome(position, source))
    return position


def draw_outcome(position: Position, source: random.Random) -> Action:
    """What chance brings, by its probabilities."""
    draw, outcomes = source.random(), position.chances()
    for outcome, probability in outcomes:
        draw -= probability
        if draw < 0:
            return outcome
    return outcomes[-1][0]


def play_game(
    players: Sequence[Player],
    start: Position,
    *,
    limits: Limits | None = None,
    clock: tuple[float, float] | None = None,
    seed: int = 0,
    watch: Callable[[Position], None] | None = None,
) -> Record:
    """Play one game to its end. A player that fails, plays an illegal action or oversteps its time loses, with the reason."""
    source = random.Random(seed)
    position = settle(start, source)
    actions: list[str] = []
    game, opening = start.game, position.text()
    names = tuple(player.name for player in players)

    def finished(outcome: Outcome, reason: str) -> Record:
        return Record(game.name, opening, tuple(actions), names, outcome, reason)

    seen: Counter[int] = Counter()
    draw = Outcome((sum(game.traits.bounds) / 2,) * 2)
    patience = game.rules.claim_after if game.offers("repeatable") else None  # what a player may claim, the arbiter declares
    left = [clock[0]] * len(players) if clock else []
    for player in players if clock else ():
        player.get_ready(position)
    while not position.is_terminal():
        if game.offers("repeatable"):
            key = game.key(position.state)
            seen[key] += 1
            if seen[key] == 3:
                return finished(draw, "threefold repetition")
            if patience is not None and game.record(position.state).repeatable() >= patience:
                return finished(draw, f"{patience // 2} moves without progress")
        mover = position.player()
        if clock:
            limits = Limits(remaining=left[mover], increment=clock[1])
        begun = time.perf_counter()
        try:
            action = players[mover].choose(position, limits)
            spent = time.perf_counter() - begun
            if action not in position.actions():
                return finished(_forfeit(game, mover), f"{names[mover]} played the illegal action {shorten(str(action))}")
        except KeyboardInterrupt:
            raise
        except Resigned as problem:
            return finished(_forfeit(game, mover), str(problem))
        except OutplayError as problem:
            return finished(_forfeit(game, mover), f"{names[mover]} failed: {shorten(str(problem), 200)}")
        except Exception as problem:  # a player is somebody's program: whatever it does, the match goes on
            return finished(_forfeit(game, mover), f"{names[mover]} failed: {type(problem).__name__}: {shorten(str(problem), 160)}")
        if limits and limits.seconds is not None and spent > limits.seconds + GRACE:
            return finished(_forfeit(game, mover), f"{names[mover]} took {spent:.1f} s for a move of {limits.seconds:g} s")
        if clock:
            left[mover] -= spent
            if left[mover] < -LAG:
                return finished(_forfeit(game, mover), f"{names[mover]} ran out of time")
            left[mover] = max(left[mover], 0.0) + clock[1]
        actions.append(position.action_text(action))
        position = position.result(action)
        while position.is_chance():
            drawn = draw_outcome(position, source)
            actions.append(position.action_text(drawn))
            position = position.result(drawn)
        if watch:
            watch(position)
    return finished(Outcome(position.utilities()), "")


def _forfeit(game: Game, loser: int) -> Outcome:
    low, high = game.traits.bounds
    return Outcome((low, high) if loser == 0 else (high, low))


def tally(records: Iterable[Record], first: str) -> Tally:
    """The games of a match from the side of the player of that name; the even games are the first of a pair."""
    wins = draws = losses = 0
    pairs: list[float] = []
    previous: float | None = None
    for number, record in enumerate(records):
        assert record.outcome is not None
        # The first player sits first in even games, whatever the names are: two players may share one.
        seat = number % 2 if first in record.players else 0
        won = record.outcome.utilities[seat] - record.outcome.utilities[1 - seat]
        points = 1.0 if won > 0 else 0.0 if won < 0 else 0.5
        wins, draws, losses = wins + (won > 0), draws + (won == 0), losses + (won < 0)
        if number % 2 == 0:
            previous = points
        elif previous is not None:
            pairs.append(previous + points)
    return Tally(wins, draws, losses, tuple(pairs))


def points_a_game(records: Sequence[Record]) -> tuple[float, float]:
    """What the first player of a match got on average, and how far its 95 % interval reaches to both sides.

    >>> won, lost = (Record("backgammon", "", (), ("a", "b"), Outcome(points)) for points in ((2.0, -2.0), (-1.0, 1.0)))
    >>> points_a_game([won, lost, won, lost])  # the sides change after each game
    (1.5, 0.565...)
    """
    got = [record.outcome.utilities[number % 2] for number, record in enumerate(records) if record.outcome is not None]
    if len(got) < 2:
        return (got[0] if got else 0.0), math.inf
    return statistics.fmean(got), 1.96 * statistics.stdev(got) / math.sqrt(len(got))


# ---------------------------------------------------------------- records on disk: one JSON object a line


def save(record: Record, path: Path) -> None:
    """Append a record to a file of JSON lines."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(record), ensure_ascii=False) + "\n")


def read(path: Path) -> list[Record]:
    """The records of a file of JSON lines; a torn last line is dropped."""
    records = []
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        try:
            fields = json.loads(line)
            outcome = Outcome(tuple(fields.pop("outcome")["utilities"]))
            fields |= {"actions": tuple(fields["actions"]), "players": tuple(fields["players"])}
            records.append(Record(**fields, outcome=outcome))
        except (ValueError, KeyError, TypeError):
            if number == len(lines):
                break
            raise BadValue(f"{path}: line {number} is not a game record") from None
    return records
