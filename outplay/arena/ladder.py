"""A scale of strength for every game: players whose ratings are known, and how to rate another one against them.

A ladder is played once: everybody against everybody near by, from paired openings, and the ratings are those that explain the
points best (Zermelo 1929; Bradley and Terry 1952), `random` being 0. It is kept as a file, games, won points and all. A new player
then meets the one of the ladder from whom a game tells most (of equal strength, as far as is known), again and again, until its
rating is known well enough.

>>> made = Ladder("nim", ["random", "auto"])
>>> made.add(0, 1, 1.5, 10)
>>> [round(rung.elo) for rung in made.rungs()]
[0, 261]
"""

from __future__ import annotations

import functools
import itertools
import json
import math
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from outplay import extras
from outplay.arena.elo import FEW, Elo, expected, rating
from outplay.arena.luck import luck_of
from outplay.arena.match import check, opening_seed, play_game, random_opening, usual_plies
from outplay.errors import BadValue, Unavailable, Unsuitable, shorten
from outplay.files import write_whole
from outplay.game import Game, Position, load
from outplay.players import player, starts_a_program
from outplay.players.base import Player
from outplay.players.levels import LEVELS
from outplay.values import Action, Ending, Limits, Record

SHIPPED = Path(__file__).with_name("ladders")
PRIOR = 1.0
"""Half points that every pair of players is given from the start, so that nobody who won all its games is infinitely strong."""
WANTED = 50.0
"""Elo: a rating is known well enough when its 95 % interval reaches no further to both sides."""
SECONDS = 0.1
"""Seconds a move, at most, for whoever has no limit in its own name."""
SCALE = math.log(10) / 400
USUAL = 4
"""Openings whose results spread as tossed coins do, put beside those that were played: a few that ended alike are no certainty."""


@dataclass(frozen=True)
class Rung:
    """A player of a ladder: its rating, with `random` at 0, half the width of its 95 % interval, and its games."""

    name: str
    elo: float
    error: float
    games: int


@dataclass
class Ladder:
    """Players of one game, and what each won against each: points of the first and games, by pair."""

    game: str
    names: list[str]
    met: dict[tuple[int, int], tuple[float, int]] = field(default_factory=dict)
    command: str = ""
    date: str = ""
    scale: str = ""
    """Another scale on which some of the players have numbers, such as Stockfish's UCI_Elo."""
    anchors: dict[str, float] = field(default_factory=dict)
    """Those numbers, by the player's name."""
    deals: int = 1
    """How many deals, each from all sides, made one result."""
    alike: int = 1
    """How many of the games in `met` say one thing: deals that both sides play are won or lost together, and count as two games."""

    def add(self, first: int, second: int, points: float, games: int = 1) -> None:
        """Note games between two players and the points of the first."""
        if first > second:
            first, second, points = second, first, games - points
        won, played = self.met.get((first, second), (0.0, 0))
        self.met[first, second] = won + points, played + games

    def games_of(self, number: int) -> int:
        """How many games a player has played."""
        return sum(played for pair, (_, played) in self.met.items() if number in pair)

    def rungs(self) -> list[Rung]:
        """Everybody with a rating, the weakest first; `random`, or else the first player, stands at 0."""
        fitted = fit([(*pair, won, played) for pair, (won, played) in sorted(self.met.items())], len(self.names))
        base = fitted[self.names.index("random") if "random" in self.names else 0].difference
        rows = [Rung(name, each.difference - base, each.error * math.sqrt(self.alike), self.games_of(number))
                for number, (name, each) in enumerate(zip(self.names, fitted, strict=True))]  # fmt: skip
        return sorted(rows, key=lambda rung: (rung.elo, rung.name))

    def offset(self) -> tuple[float, float] | None:
        """What is to be added for the other scale, as its anchors say on average, and how far they are apart; None without any.

        >>> Ladder("chess", ["random", "a"], {(0, 1): (1.0, 20)}, scale="UCI_Elo", anchors={"a": 1500.0}).offset()
        (1054.4, 0.0)
        """
        away = [self.anchors[rung.name] - rung.elo for rung in self.rungs() if rung.name in self.anchors]
        if not away:
            return None
        return round(sum(away) / len(away), 1), round((max(away) - min(away)) / 2, 1)

    def step(self) -> float | None:
        """How many points there are from one level to the next on average; None where fewer than three stand on the ladder.

        >>> Ladder("nim", ["random", "auto"]).step() is None
        True
        """
        elo = {rung.name: rung.elo for rung in self.rungs()}
        found = [elo[name] for name in (f"auto:level={level}" for level in LEVELS) if name in elo]
        return (found[-1] - found[0]) / (len(found) - 1) if len(found) > 2 else None

    def text(self) -> str:
        """The ladder as the text of its file."""
        met = [[*pair, won, played] for pair, (won, played) in sorted(self.met.items())]
        more: dict[str, Any] = {"scale": self.scale, "anchors": self.anchors} if self.anchors else {}
        if self.deals > 1:
            more["deals"] = self.deals
        if self.alike > 1:
            more["alike"] = self.alike
        told = {"game": self.game, "command": self.command, "date": self.date, "players": self.names, **more, "met": met}
        return json.dumps(told, indent=1) + "\n"

    @classmethod
    def read(cls, path: Path) -> Ladder:
        """A ladder from its file."""
        try:
            kept = json.loads(path.read_text(encoding="utf-8"))
            met = {(int(a), int(b)): (float(won), int(played)) for a, b, won, played in kept["met"]}
            names = [str(name) for name in kept["players"]]
            if any(not 0 <= a < b < len(names) or not 0 <= won <= played for (a, b), (won, played) in met.items()):
                raise ValueError
            anchors = {str(name): float(number) for name, number in dict(kept.get("anchors", {})).items()}
            deals = int(kept.get("deals", 1))
            alike = int(kept.get("alike", 2 if deals > 1 else 1))
            if not all(map(math.isfinite, anchors.values())) or not 1 <= deals <= 1000 or not 1 <= alike <= 100:
                raise ValueError
            return cls(str(kept["game"]), names, met, str(kept.get("command", "")), str(kept.get("date", "")),
                       str(kept.get("scale", "")), anchors, deals, alike)  # fmt: skip
        except OSError as problem:
            raise BadValue(f"cannot read ladder {shorten(str(path))!r}: {problem.strerror}") from None
        except (ValueError, KeyError, TypeError, RecursionError):
            raise BadValue(f"{shorten(str(path))!r} is no ladder: `outplay ladder GAME --make --out FILE` writes one") from None

    def save(self, path: str | Path) -> None:
        """Write the file."""
        write_whole(path, self.text())


def fit(met: Sequence[tuple[int, int, float, float]], players: int, fixed: dict[int, float] | None = None) -> list[Elo]:
    """The ratings that explain points best, from (first, second, points of the first, games); some may be fixed.

    A draw counts half. Every pair that met is given one drawn game beside its own, so that no rating is infinite.
    """
    fixed = fixed or {}
    strength = [fixed.get(number, 0.0) for number in range(players)]
    curve = [1e-9] * players
    for _ in range(400):
        slope, curve = [0.0] * players, [1e-9] * players
        for first, second, points, games in met:
            wanted = expected(strength[first] - strength[second])
            all_games, won = games + PRIOR, points + PRIOR / 2
            for number, sign in ((first, 1), (second, -1)):
                slope[number] += sign * (won - all_games * wanted)
                curve[number] += all_games * wanted * (1 - wanted)
        step = [0.0 if number in fixed or bend < 1e-6 else max(-200.0, min(200.0, 0.6 * up / bend / SCALE))
                for number, (up, bend) in enumerate(zip(slope, curve, strict=True))]  # fmt: skip
        strength = [each + more for each, more in zip(strength, step, strict=True)]
        if max(map(abs, step), default=0.0) < 1e-4:
            break
    return [Elo(each, 0.0 if number in fixed else 1.96 / math.sqrt(bend) / SCALE if bend > 1e-6 else math.inf)
            for number, (each, bend) in enumerate(zip(strength, curve, strict=True))]  # fmt: skip


def shipped() -> dict[str, Path]:
    """The ladders that come with Outplay, by the name of the game."""
    found = {}
    for path in sorted(SHIPPED.glob("*.json")):
        found[json.loads(path.read_text(encoding="utf-8"))["game"]] = path
    return found


def ladder_of(game: Game, path: str | Path | None = None) -> Ladder:
    """The ladder of a game: from a file, or the one that comes with Outplay."""
    if path is not None:
        found = Ladder.read(Path(path))
        if found.game != game.name:
            raise BadValue(f"{shorten(str(path))!r} is a ladder of {found.game}, not of {game.name}")
        return found
    known = shipped()
    if game.name not in known:
        raise Unavailable(f"no ladder of {game.name} comes with Outplay: `outplay ladder {game.origin or repr(game.name)} --make "
                          "--out FILE` makes one, and --ladder FILE takes it")
    return Ladder.read(known[game.name])


def usual_players(game: Game) -> list[str]:
    """Who stands on a game's ladder where nobody says: random, the levels, and the famous programs of that game."""
    from outplay.players.presets import presets

    if game.players < 2:
        raise Unsuitable(f"{game.name} is a game for one: there is nobody to be stronger than")
    of_levels = ["auto" if name == "full" else f"auto:level={name}" for name in LEVELS]
    famous = [each.name for each in presets().values() if each.game == game.family]
    return ["random", *of_levels, *famous]


def make(game: Game, names: Sequence[str], *, games: int = 40, seconds: float = SECONDS, seed: int = 0,
         stop: threading.Event | None = None, begun: Ladder | None = None) -> Iterator[Ladder]:
    """Play a ladder: each player against its neighbours of the list and theirs, `games` a pair; the ladder after each pair.

    The list stands in its order of strength as it is believed; pairs far apart tell nothing and are not played. A ladder that was
    begun is gone on with, pairs that have their games left out.
    """
    made = begun or Ladder(game.name, list(names), deals=deals_of(game), alike=alike_of(game))
    seated = [player(name, seed=seed + number) for number, name in enumerate(made.names)]
    check(game, seated, stop=stop)
    plies = usual_plies(game.start())
    for apart in (1, 2):
        for first in range(len(seated) - apart):
            second = first + apart
            done = made.met.get((first, second), (0.0, 0))[1]
            if done >= games:
                continue
            found, deals = [], made.deals
            for number in range(done * deals, games * deals):
                one = _one(game, seated[first], seated[second], number, plies, seconds, seed, stop)
                if one is None:
                    break
                found.append(one)
            points = told_points(game, found, deals)
            made.add(first, second, sum(points) / deals, len(points) // deals)
            yield made
            if stop is not None and stop.is_set():
                return


Played = tuple[float, Record, int, float]
"""A game of a rating: the points of who is rated, the record, its seat, and how lucky it was."""


def _one(game: Game, mine: Player, other: Player, number: int, plies: int, seconds: float, seed: int,
         stop: threading.Event | None) -> tuple[float, Record, int] | None:
    """One game of a pair: the points of the first, the record, its seat; None when stopped."""
    found = _played(game, mine, other, number, plies, seconds, seed, stop)
    return None if found is None else found[:3]


def _played(game: Game, mine: Player, other: Player, number: int, plies: int, seconds: float, seed: int,
            stop: threading.Event | None, tells_luck: bool = False) -> Played | None:
    """The same with the luck of the first: what its errors were less bad than usual, and the other's worse.

    Each opening, with its luck, is played once from every side of the table, partners sitting together.
    """
    turn, drawn = number % game.traits.sides, opening_seed(seed, number // game.traits.sides)
    opening = random_opening(game.start(), plies, drawn)
    players = [Timed(mine if game.side(seat) == turn else other, seconds, tells_luck=tells_luck) for seat in range(game.players)]
    record = play_game(players, opening, seed=drawn, stop=stop)
    if record.outcome is None:
        return None
    seat = next(seat for seat in range(game.players) if game.side(seat) == turn)
    others = 1 / max(1, game.traits.sides - 1)
    luck = sum(one.luck if game.side(place) == turn else -one.luck * others for place, one in enumerate(players))
    return side_points(record, game, turn), record, seat, luck


def side_points(record: Record, game: Game, side: int) -> float:
    """The share of the other sides that a side left behind, those level with it counting half."""
    assert record.outcome is not None
    got = dict(zip(map(game.side, range(game.players)), record.outcome.utilities, strict=True))
    others = [utility for other, utility in got.items() if other != side]
    return sum((got[side] > other) + (got[side] == other) / 2 for other in others) / len(others)


def pays_amounts(game: Game) -> bool:
    """Whether luck brings amounts of any size: then whoever got more of a deal, played from both sides, has won it.

    >>> [pays_amounts(load(name)) for name in ("hold'em", "backgammon", "othello", "liar's dice")]
    [True, True, False, False]
    """
    traits = game.traits
    lucky = traits.chance or traits.information == "hidden"
    return traits.sides == 2 and lucky and max(map(abs, traits.bounds)) > 1


def deals_of(game: Game) -> int:
    """How many deals, each played from all sides, make one result: more than one where a hand alone says next to nothing.

    >>> [deals_of(load(name)) for name in ("chess", "bridge", "kuhn poker")]
    [1, 1, 10]
    """
    return extras.of(game).deals


def alike_of(game: Game) -> int:
    """How many games are won or lost together, and say one thing.

    >>> [alike_of(load(name)) for name in ("chess", "bridge", "kuhn poker")]
    [1, 2, 2]
    """
    return 2 if pays_amounts(game) else 1


def told_points(game: Game, games: Sequence[tuple[float, Record, int]], deals: int = 1) -> list[float]:
    """The points of games played from all sides one after the other, or of so many deals together where amounts are paid."""
    if not pays_amounts(game):
        return [points for points, _, _ in games]
    told, size = [], 2 * deals
    for first in range(0, len(games) - size + 1, size):
        together = sum(record.outcome.utilities[seat] for _, record, seat in games[first : first + size]
                       if record.outcome is not None)  # fmt: skip
        told += [0.5 + 0.5 * ((together > 0) - (together < 0))] * size
    return told


class Timed(Player):
    """A player that has at most so many seconds for a move, unless its own name says how far it looks.

    Who is rated keeps the seconds of its own name, too: a program may need a minute where the others have a tenth of a second.
    """

    def __init__(self, one: Player, seconds: float, keeps_own: bool = False, tells_luck: bool = False) -> None:
        self.one, self.name, self.seconds, self.keeps_own, self.tells_luck = one, one.name, seconds, keeps_own, tells_luck
        self.spent, self.moves, self.luck = 0.0, 0, 0.0

    def begin(self, view: Position, *, seed: int = 0) -> None:
        """Another game."""
        self.one.stop = self.stop
        self.one.begin(view, seed=seed)

    def follow(self, action: Action | None, view: Position) -> None:
        """What was played."""
        self.one.follow(action, view)

    def get_ready(self, position: Position) -> None:
        """Compile what it needs."""
        self.one.get_ready(position)

    def choose(self, position: Position, limits: Limits | None = None) -> Action:
        """Its action in its time."""
        self.one.stop = self.stop
        own = getattr(self.one, "limits", None) or Limits()
        is_told = own.depth or own.nodes or own.simulations or (self.keeps_own and own.seconds)
        given = own if is_told else replace(own, seconds=self.seconds)
        begun = time.perf_counter()
        action = self.one.choose(position, given)
        self.spent, self.moves = self.spent + time.perf_counter() - begun, self.moves + 1
        self.last = self.one.last
        if self.tells_luck:
            self.luck += luck_of(self.one.one if isinstance(self.one, Timed) else self.one, position, action)
        return action


# ---------------------------------------------------------------- rating


LOST = (Ending.ILLEGAL, Ending.FAILED, Ending.TIME)


@dataclass
class Rated:
    """What is known of a player after some games against a ladder."""

    name: str
    elo: float = 0.0
    error: float = math.inf
    games: int = 0
    """So many were played; `deals_of` of them from each side make one result where a hand alone says next to nothing."""
    illegal: int = 0
    """Games lost by an illegal answer, a failure or the clock."""
    seconds: float | None = None
    """What it thought about a move on average; None where that was not seen."""
    records: list[Record] = field(default_factory=list)
    seats: list[int] = field(default_factory=list)
    points: list[tuple[str, float]] = field(default_factory=list)
    """Whom it met, and the points it got."""
    luck: list[float] = field(default_factory=list)
    """How lucky it was in each game, as far as the players know by what chance they erred."""
    taken_off: float = 0.0
    """The part of what its results spread that was such luck, and was taken off."""


AT_ONCE = 8
"""Pairs of games that a cluster gets at a time, against the players from whom most is to be learned."""


def rate(game: Game, who: Player, ladder: Ladder, *, games: int = 60, wanted: float = WANTED, seconds: float = SECONDS,
         seed: int = 0, stop: threading.Event | None = None, done: Sequence[tuple[str, float]] = (),
         without: Sequence[str] = (), cluster: str | None = None) -> Iterator[Rated]:
    """A player's rating, better and better: two games from one opening against whoever of the ladder tells most, then again.

    It ends after so many games (results, where several deals make one), or when the 95 % interval is within `wanted` Elo. What was
    `done` before counts. Players of the ladder whose names are in `without` are not met, and none that is a program: a file starts
    nothing. On a cluster several such pairs are played at a time, the player being known there by its name.
    """
    rungs = [rung for rung in ladder.rungs()
             if math.isfinite(rung.error) and rung.name not in without and not starts_a_program(rung.name)]
    if not rungs:
        raise BadValue(f"the ladder of {ladder.game} has nobody to play against")
    place = {rung.name: number for number, rung in enumerate(rungs)}
    fixed = {number: rung.elo for number, rung in enumerate(rungs)}
    told = Rated(who.name)
    plies = usual_plies(game.start())
    check(game, [who], stop=stop)
    watched = Timed(who, seconds, keeps_own=True)
    seated: dict[str, Player] = {}
    for name, points in done:
        told.points.append((name, points))
        told.luck.append(0.0)
    deals, sides = ladder.deals, game.traits.sides
    size, alike, tells_luck = sides * deals, alike_of(game), not pays_amounts(game)
    _settle(told, place, fixed, deals, size, alike)
    while len(told.points) < games * deals and (told.error > wanted or len(told.points) < 2 * sides * deals):
        near = sorted(rungs, key=lambda rung: (abs(rung.elo - told.elo), rung.name)) if told.points else rungs[len(rungs) // 2 :]
        first, pairs = len(told.points), 1 if cluster is None else AT_ONCE
        left = -(-(games * deals - first) // size)
        numbers = range(first, first + min(pairs, left) * size)
        names = [near[(number - first) // size % min(2, len(near))].name for number in numbers]
        if cluster is not None:
            from outplay.arena import cluster as machines

            pieces = ((game.origin or game.name, who.name, name, number, plies, seconds, seed)
                      for number, name in zip(numbers, names, strict=True))
            stream: Any = machines.spread(one_of_a_rating, pieces, address=cluster, stop=stop)
        else:
            stream = (_played(game, watched, _seat(game, name, seated, seed, stop), number, plies, seconds, seed, stop, tells_luck)
                      for number, name in zip(numbers, names, strict=True))
        found = list(itertools.takewhile(lambda each: each is not None, stream))
        if stop is not None and stop.is_set():
            return
        results = told_points(game, [each[:3] for each in found], deals)
        for name, (points, record, seat, luck), counted in zip(names, found, results, strict=True):
            told.points.append((name, counted))
            told.luck.append(luck)
            told.records.append(record)
            told.seats.append(seat)
            told.illegal += record.ending in LOST and points == 0.0
        told.seconds = watched.spent / watched.moves if watched.moves else None
        _settle(told, place, fixed, deals, size, alike)
        yield told


def _seat(game: Game, name: str, seated: dict[str, Player], seed: int, stop: threading.Event | None) -> Player:
    """A player of the ladder, made when it is first met."""
    if name not in seated:
        seated[name] = player(name, seed=seed)
        check(game, [seated[name]], stop=stop)
    return seated[name]


@functools.lru_cache(maxsize=16)
def _made(name: str, seed: int) -> Player:
    return player(name, seed=seed)


def one_of_a_rating(game: str, who: str, other: str, number: int, plies: int, seconds: float,
                    seed: int) -> Played | None:
    """One game of a rating, from texts alone: what a machine of a cluster gets."""
    loaded = load(game)
    return _played(loaded, _made(who, seed), _made(other, seed), number, plies, seconds, seed, None, not pays_amounts(loaded))


def _settle(told: Rated, place: dict[str, int], fixed: dict[int, float], deals: int, size: int, alike: int) -> None:
    """The rating that explains the points so far best, the ladder's own staying what they are; then again, less the luck.

    The interval is told by how much the results of openings differ, `size` games each: where an opening is won by one side, or a
    game drawn, they differ less than games that are tossed like coins.
    """
    games = [(place[name], points, luck) for (name, points), luck in zip(told.points, told.luck, strict=True) if name in place]
    told.games = len(told.points)
    if not games:
        return
    own, lucky, away, foretold = len(place), 0.0, list[float](), list[float]()
    for _ in range(2):
        sums: dict[int, tuple[float, float]] = {}
        for number, points, luck in games:
            won, played = sums.get(number, (0.0, 0.0))
            sums[number] = won + (points - lucky * luck) / deals, played + 1 / deals
        met = [(own, number, min(played, max(0.0, won)), played) for number, (won, played) in sums.items()]
        told.elo = fit(met, own + 1, fixed)[own].difference
        foretold = [expected(told.elo - fixed[number]) for number, _, _ in games]
        plain = [points - one for (_, points, _), one in zip(games, foretold, strict=True)]
        away = [each - lucky * luck for each, (_, _, luck) in zip(plain, games, strict=True)]
        together = sum(luck**2 for _, _, luck in games)
        if together > 0 and not lucky:  # as much of it as explains the points best, less while there are few
            lucky = max(0.0, sum(each * luck for each, (_, _, luck) in zip(plain, games, strict=True)) / together)
            lucky *= len(games) / (len(games) + FEW)
    told.taken_off = max(0.0, 1 - sum(each**2 for each in away) / max(1e-9, sum(each**2 for each in plain)))
    openings = [sum(away[first : first + size]) / deals for first in range(0, len(games), size)]
    usual = sum(one * (1 - one) for one in foretold) / deals * alike / len(openings)
    spread = len(openings) * (sum(each**2 for each in openings) + USUAL * usual) / (len(openings) + USUAL)
    shares = [(played + PRIOR, expected(told.elo - fixed[number])) for _, number, _, played in met]
    bend = sum(played * share * (1 - share) for played, share in shares)
    told.error = 1.96 * math.sqrt(spread) / bend / SCALE


__all__ = ["Ladder", "Rated", "Rung", "fit", "ladder_of", "make", "rate", "rating", "shipped", "usual_players"]
