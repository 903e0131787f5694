"""Weigh a game: who wins it and how surely, how often it is drawn, how long and how wide it is, and how much skill counts.

Everything is measured from games of the rules alone: random ones first, then games of players of growing strength against
themselves, one level after the other, each with its interval; and the exact value, where the game can be solved in the time.

>>> from outplay.game import load
>>> report = weigh(load("nim:heaps=1-2-3"), seconds=0.2)
>>> report.levels[0].name, report.shortest >= 3, report.longest <= 6, report.branching > 1
('random', True, True, True)
"""

from __future__ import annotations

import collections
import contextlib
import itertools
import math
import os
import random
import re
import statistics
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from typing import Any

from outplay.arena.elo import rating
from outplay.arena.ladder import Timed
from outplay.arena.match import points_of
from outplay.engine import registry
from outplay.errors import OutplayError
from outplay.game import CompiledGame, Game, Position
from outplay.players import player
from outplay.players.algorithms import solve
from outplay.players.base import Player
from outplay.playing import Play, settle
from outplay.values import Limits, Outcome, Record
from outplay.workshop.pairs import PATIENCE, Either

LEVELS = ("beginner", "casual", "club", "strong")
SECONDS, LEAST_SECONDS = 0.05, 0.005
"""Seconds a move of the players, at most; less where else too few games could be played, but no less than this."""
MOST_WORKERS = 8
"""Games that are played at once, at most."""
ROUGH = 60
"""Random games that are played ply by ply at least, whatever the time."""
MOST_PLIES = 5_000
ENOUGH = 10
"""Games of the strongest level from which on its openings and leads, and the skill of all levels, are told."""
SEARCHES = 1 + len(LEVELS), 2 + len(LEVELS)
"""Behind the levels, the two searches that are held against each other."""
AT_ONCE = 3.0
"""Seconds in which the exact value is waited for before anybody plays: that of a small game is found by then."""
HOPELESS = 60.0
"""The decimal logarithm of the ways to play from which on a game is solved in a moment or not at all: connect four has 20."""
SOLVER_MEMORY = 256
"""Megabytes."""
LONG = 20.0
"""Seconds from which on it pays to compile random games, which are then played by the million."""


@dataclass
class Level:
    """Games of one strength against itself, and what it wins against the level below."""

    name: str
    games: int = 0
    first: float = 0.5  # the share of the points of whoever moves first; of more than two, of what an equal share would be
    error: float = math.inf  # half the 95 % interval
    drawn: float = 0.0
    plies: float = 0.0
    above: float | None = None  # Elo over the level before
    above_error: float | None = None


@dataclass
class Report:
    """What is known of a game so far."""

    game: str
    players: int
    seconds: float = 0.0
    levels: list[Level] = field(default_factory=list)
    plies: float = 0.0
    plies_spread: float = 0.0
    shortest: int = 0
    longest: int = 0
    cut: int = 0  # random games that did not end
    branching: float = 0.0
    branching_by_ply: list[float] = field(default_factory=list)
    log_games: float = 0.0  # the decimal logarithm of how many ways there are to play, by Knuth's estimate (1975)
    log_games_error: float = 0.0
    lead_changes: float | None = None  # in a game of the strongest level: how often the side that is ahead changes
    decided: float | None = None  # the share of the game after which it changes no more
    openings: dict[str, float] = field(default_factory=dict)  # first actions of the strongest level, by share
    unused: list[str] = field(default_factory=list)  # kinds of actions that random play meets often and strong play never chooses
    value: float | None = None  # to whoever moves first, where the game was solved
    solved_in: float | None = None
    alphabeta: float | None = None  # what alpha-beta gets of the points against Monte Carlo in the same time, where both can
    alphabeta_error: float | None = None
    won_in: int | None = None  # plies of the shortest win, of whoever wins by right

    @property
    def told(self) -> Level:
        """The strongest level that has enough games: what is said of the game in one number is said of these."""
        known = [level for level in self.levels if level.games >= ENOUGH] or self.levels[:1] or [Level("")]
        return known[-1]

    @property
    def first(self) -> float:
        """The first player's share there."""
        return self.told.first

    @property
    def drawn(self) -> float:
        """The share of drawn games there."""
        return self.told.drawn

    @property
    def skill(self) -> float | None:
        """Elo from random play to the strongest level: a game of luck has little."""
        steps = [level.above for level in self.levels[1:] if level.above is not None and level.games >= ENOUGH]
        return sum(steps) if steps and len(steps) == len(self.levels) - 1 else None

    def fields(self) -> dict[str, Any]:
        """All of it for JSON."""
        told = asdict(self) | {"first": self.first, "drawn": self.drawn, "skill": self.skill}
        told["levels"] = [{key: None if isinstance(value, float) and not math.isfinite(value) else value
                           for key, value in asdict(level).items()} for level in self.levels]  # fmt: skip
        return told


def weigh(game: Game, *, seconds: float = 60.0, seed: int = 0, stop: threading.Event | None = None,
          tell: Callable[[Report], None] | None = None) -> Report:
    """The report of a game after so many seconds; `tell` hears of it as it grows."""
    report = Report(game.name, game.players)
    for report in weighing(game, seconds=seconds, seed=seed, stop=stop):
        if tell is not None:
            tell(report)
    return report


def weighing(game: Game, *, seconds: float = 60.0, seed: int = 0, stop: threading.Event | None = None) -> Iterator[Report]:
    """The report, better and better: a tenth of the time for random games, then the levels, and the exact value beside them."""
    begun = time.monotonic()
    report = Report(game.name, game.players)

    def left() -> float:
        return 0.0 if stop is not None and stop.is_set() else max(0.0, seconds - (time.monotonic() - begun))

    seen: collections.Counter[str] = collections.Counter()
    report.levels.append(Level("random"))
    for _ in _random_games(game, report, seen, seed, 0.1 * seconds, stop):
        report.seconds = time.monotonic() - begun
        yield report
    if seconds >= LONG and left() > 0:
        _by_the_million(game, report, 0.1 * seconds, seed, stop)
        report.seconds = time.monotonic() - begun
        yield report
    with _Proof(game, report, left(), seconds, stop) as proof:
        proof.wait(min(AT_ONCE, seconds))
        report.seconds = time.monotonic() - begun
        yield report
        if game.players > 1 and left() > 0:
            for _ in _levels(game, report, seen, seed, left, stop, proof):
                report.seconds = time.monotonic() - begun
                yield report
        proof.wait(left())
    report.seconds = time.monotonic() - begun
    yield report


def share_of(utilities: Sequence[float]) -> float:
    """The first player's points: 1 a win, a half a draw; of several others, the share of them left behind."""
    return points_of(Record("", "", (), (), Outcome(tuple(float(each) for each in utilities))), 0)


# ---------------------------------------------------------------- random games


def _random_games(game: Game, report: Report, seen: collections.Counter[str], seed: int, seconds: float,
                  stop: threading.Event | None) -> Iterator[None]:
    """Length, width, the number of games and the share of whoever moves first, from random games played ply by ply."""
    source = random.Random(seed)
    begun, told = time.monotonic(), 0.0
    points: list[float] = []
    draws, lengths, logarithms = 0, list[int](), list[float]()
    widths: list[list[int]] = []
    while len(lengths) < ROUGH or time.monotonic() - begun < seconds:
        if stop is not None and stop.is_set():
            break
        position, plies, logarithm = game.start(), 0, 0.0
        while not position.is_terminal() and plies < MOST_PLIES:
            if position.is_chance():
                position = position.result(position.sample_chance(source.randrange(2**62)))
                continue
            actions = position.actions()
            logarithm += math.log10(len(actions))
            while len(widths) <= plies:
                widths.append([0, 0])
            widths[plies][0] += len(actions)
            widths[plies][1] += 1
            action = source.choice(actions)
            seen[kind_of(position, action)] += 1
            position = position.result(action)
            plies += 1
        if position.is_terminal():
            utilities = position.utilities()
            points.append(share_of(utilities))
            draws += len(set(utilities)) == 1 and len(utilities) > 1
            lengths.append(plies)
            logarithms.append(logarithm)
        else:
            report.cut += 1
            lengths.append(plies)
            if report.cut > 3:
                break
        if time.monotonic() - told > 0.5:
            told = time.monotonic()
            _note(report, points, draws, lengths, logarithms, widths)
            yield
        if time.monotonic() - begun > max(2.0, 2 * seconds) and len(lengths) >= 10:
            break
    _note(report, points, draws, lengths, logarithms, widths)
    yield


def _by_the_million(game: Game, report: Report, seconds: float, seed: int, stop: threading.Event | None) -> None:
    """The share of whoever moves first in random games, by compiled ones, where a win is worth 1 and a loss -1."""
    if not isinstance(game, CompiledGame) or game.players != 2 or game.traits.bounds != (-1.0, 1.0) or report.cut:
        return
    from outplay.engine.montecarlo.playouts import playouts

    start = game.start()
    try:
        trial = playouts(start, 2_000, seed)
        games = max(2_000, int(min(5_000_000, trial.games_per_second * seconds)))
        played = playouts(start, games, seed + 1)
    except OutplayError:
        return
    level = report.levels[0]
    level.games, level.first, level.error = played.games, (1 + played.means[0]) / 2, 1.96 * played.errors[0] / 2


def kind_of(position: Position, action: Any) -> str:
    """What an action is called, without its squares and numbers: all moves of a knight are one kind."""
    return re.sub(r"[a-z]?\d+", "#", position.action_text(action))[:20]


def _note(report: Report, points: list[float], draws: int, lengths: list[int], logarithms: list[float],
          widths: list[list[int]]) -> None:
    level = report.levels[0]
    level.games = len(points)
    if points:
        level.first, level.drawn = statistics.fmean(points), draws / len(points)
        level.error = 1.96 * math.sqrt(max(statistics.pvariance(points), 0.25 / len(points)) / len(points))
    if lengths:
        level.plies = report.plies = statistics.fmean(lengths)
        report.plies_spread = statistics.pstdev(lengths)
        report.shortest, report.longest = min(lengths), max(lengths)
    total = sum(count for _, count in widths)
    report.branching = sum(width for width, _ in widths) / total if total else 0.0
    report.branching_by_ply = [round(width / count, 2) for width, count in widths if count]
    if logarithms:  # the mean of the products, each of which is an unbiased estimate, told by its logarithm
        top = max(logarithms)
        parts = [10 ** (each - top) for each in logarithms]
        mean = statistics.fmean(parts)
        report.log_games = top + math.log10(mean)
        spread = statistics.pstdev(parts) / math.sqrt(len(parts)) / mean
        report.log_games_error = math.log10(1 + 1.96 * spread)


# ---------------------------------------------------------------- the exact value


class _Proof:
    """The value to whoever moves first, where the whole game can be searched in the time, and how long the shortest win takes.

    It is looked for on half of the cores while games are played on the others; in a fifth of the time where the game is so large
    that there is little hope.
    """

    def __init__(self, game: Game, report: Report, left: float, whole: float, stop: threading.Event | None) -> None:
        self.game, self.report, self.ended = game, report, Either(stop)
        start = game.start()
        is_open = not start.is_chance() and game.traits.information != "hidden"
        wanted = max(min(AT_ONCE, whole), left if report.log_games < HOPELESS else min(0.2 * whole, left))
        self.seconds = wanted if is_open and left > 0 else 0.0
        self.threads = max(1, (os.cpu_count() or 1) // 2)
        self._thread = threading.Thread(target=self._run, args=(start,), daemon=True)

    def __enter__(self) -> _Proof:
        if self.seconds > 0:
            if isinstance(self.game, CompiledGame):
                from outplay.engine.alphabeta.solve import solve as solve_by_engine

                with contextlib.suppress(OutplayError):  # compiled before anybody waits for what it finds
                    solve_by_engine(self.game.start(), Limits(nodes=1), memory=1, stop=self.ended)
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        self.wait(None)

    @property
    def busy(self) -> bool:
        """Whether it still looks."""
        return self._thread.is_alive()

    def wait(self, seconds: float | None) -> None:
        """Until it is known, for so many seconds at most, or until somebody stops it."""
        end = math.inf if seconds is None else time.monotonic() + seconds
        while self.busy and time.monotonic() < end and (seconds is None or not self.ended.is_set()):
            self._thread.join(PATIENCE)

    def _run(self, start: Position) -> None:
        report, begun = self.report, time.monotonic()
        try:
            found = solve(start, Limits(seconds=self.seconds), memory=SOLVER_MEMORY, threads=self.threads, stop=self.ended)
        except (OutplayError, ValueError):
            return
        if not found.exact:
            return
        value = found.value
        mover = start.player()
        report.solved_in = time.monotonic() - begun
        report.value = float(value[mover]) if isinstance(value, tuple) else float(value) if mover == 0 else -float(value)
        left = self.seconds - report.solved_in
        if not isinstance(self.game, CompiledGame) or self.game.players != 2 or abs(report.value) != 1 or left <= 0:
            return
        from outplay.engine.alphabeta.solve import solve as solve_by_engine

        with contextlib.suppress(OutplayError):
            shortest = solve_by_engine(start, Limits(seconds=left), memory=SOLVER_MEMORY, threads=self.threads, distance=True,
                                       stop=self.ended)  # fmt: skip
            report.won_in = len(shortest.line) if shortest.exact else None


# ---------------------------------------------------------------- levels


def _levels(game: Game, report: Report, seen: collections.Counter[str], seed: int, left: Callable[[], float],
            stop: threading.Event | None, proof: _Proof) -> Iterator[None]:
    """Games of each level against itself and against the level below, in turns for as long as there is time."""
    names = ["random", *(f"auto:level={name}" for name in LEVELS), "engine:mcts", "engine:pvs"]
    workers = min(max(1, (os.cpu_count() or 1) - (proof.threads if proof.busy else 0)), MOST_WORKERS)
    report.levels += [Level(name) for name in LEVELS]
    own: list[list[tuple[float, bool, int]]] = [[] for _ in names]
    cross: list[list[float]] = [[] for _ in names]
    chosen: collections.Counter[str] = collections.Counter()
    first_actions: collections.Counter[str] = collections.Counter()
    leads: list[tuple[int, float]] = []
    # So many rounds shall fit, of two games a level each, that the strongest level can be told of.
    moves = 2 * ENOUGH * 2 * len(LEVELS) * max(10.0, report.plies)
    pace = min(SECONDS, max(LEAST_SECONDS, left() * workers / moves))
    ended, at_work = Either(stop), threading.local()

    def seated(number: int) -> list[Player]:  # of one thread: what they remember of a game is no business of another that is on
        known = at_work.__dict__.setdefault("players", {})
        if number not in known:
            known[number] = [player(names[number], seed=seed + 10 * number + seat) for seat in range(game.players)]
        return list(known[number])

    def played(number: int, seat: int | None, seed_: int) -> Play | None:
        table = seated(number) if seat is None else seated(SEARCHES[0] if number == SEARCHES[1] else number - 1)
        if seat is not None:
            table[seat] = seated(number)[seat]
        return play_out(game, table, seed_, pace, ended)

    numbers = [(number, with_itself) for number in range(1, 1 + len(LEVELS)) for with_itself in (True, False)]
    if game.players == 2 and all(registry.suits(name, game) for name in ("pvs", "mcts")):
        numbers.append((SEARCHES[1], False))
    duels: list[float] = []
    jobs = ((number, None if with_itself else turn % game.players, seed + turn * len(numbers) + place)
            for turn in itertools.count() for place, (number, with_itself) in enumerate(numbers))  # fmt: skip
    waiting: collections.deque[tuple[tuple[int, int | None, int], Future[Play | None]]] = collections.deque()
    with ThreadPoolExecutor(workers) as pool:
        try:
            while left() > 0:
                while len(waiting) < 2 * workers:
                    job = next(jobs)
                    waiting.append((job, pool.submit(played, *job)))
                (number, seat, _), future = waiting[0]
                try:
                    one = future.result(PATIENCE)
                except TimeoutError:
                    continue
                waiting.popleft()
                if one is None or one.outcome is None:
                    return
                if seat is None:
                    utilities = one.outcome.utilities
                    own[number].append((share_of(utilities), len(set(utilities)) == 1, len(one.plies)))
                    if number == len(LEVELS):
                        if one.plies:
                            first_actions[one.start.action_text(one.plies[0].action)] += 1
                        _look(one, chosen, leads)
                    continue
                if number == SEARCHES[1]:
                    duels.append(points_of(one.record, seat))
                    spread = max(statistics.pvariance(duels), 0.25 / len(duels))
                    report.alphabeta, report.alphabeta_error = statistics.fmean(duels), 1.96 * math.sqrt(spread / len(duels))
                    continue
                cross[number].append(points_of(one.record, seat))
                _tell_level(report.levels[number], own[number], cross[number])
                _tell_strong(report, first_actions, chosen, seen, leads)
                yield
        finally:
            ended.set()  # whoever stopped listening wants nothing more
            for _, future in waiting:
                future.cancel()


def play_out(game: Game, seated: Sequence[Player], seed: int, seconds: float, stop: threading.Event | None) -> Play | None:
    """One game in which nobody thinks longer than so many seconds about a move; None when it was stopped."""
    played = Play(game, [Timed(one, seconds) for one in seated], start=settle(game.start(), seed), seed=seed, most_plies=MOST_PLIES)
    for _ in played.run(stop):
        pass
    return None if played.outcome is None else played


def _tell_level(level: Level, own: list[tuple[float, bool, int]], cross: list[float]) -> None:
    points = [share for share, _, _ in own]
    level.games, level.first = len(own), statistics.fmean(points)
    level.error = 1.96 * math.sqrt(max(statistics.pvariance(points), 0.25 / len(points)) / len(points))
    level.drawn = sum(drawn for _, drawn, _ in own) / len(own)
    level.plies = statistics.fmean(plies for _, _, plies in own)
    score = (sum(cross) + 0.5) / (len(cross) + 1)  # one drawn game beside its own, so that a clean score is not endless
    spread = 1.96 * math.sqrt(score * (1 - score) / (len(cross) + 1))
    level.above = rating(score)
    low, high = rating(max(0.001, score - spread)), rating(min(0.999, score + spread))
    level.above_error = (high - low) / 2


def _look(played: Play, chosen: collections.Counter[str], leads: list[tuple[int, float]]) -> None:
    """The kinds of actions that were chosen, and when the side ahead changed, by what the players thought."""
    position, ahead, changes, last = played.start, 0, 0, 0
    for number, ply in enumerate(played.plies):
        if not position.is_chance():
            chosen[kind_of(position, ply.action)] += 1
        value = ply.thought.value if ply.thought is not None else None
        if isinstance(value, float | int) and value == value:
            side = (value > 0) - (value < 0)
            if side and ahead and side != ahead:
                changes, last = changes + 1, number
            ahead = side or ahead
        position = ply.after
    if played.plies and ahead:
        leads.append((changes, last / len(played.plies)))


def _tell_strong(report: Report, first_actions: collections.Counter[str], chosen: collections.Counter[str],
                 seen: collections.Counter[str], leads: list[tuple[int, float]]) -> None:
    total = sum(first_actions.values())
    if total < ENOUGH:
        return
    report.openings = {text: round(count / total, 3) for text, count in first_actions.most_common(8)}
    moves = sum(seen.values())
    enough = sum(chosen.values()) > 200
    report.unused = sorted(kind for kind, count in seen.items() if count > 0.005 * moves and enough and kind not in chosen)[:8]
    if leads:
        report.lead_changes = statistics.fmean(changes for changes, _ in leads)
        report.decided = statistics.fmean(when for _, when in leads)
