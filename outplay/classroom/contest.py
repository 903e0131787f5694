"""Contests of players: a fixed ladder of staff players that gives the marks, and a league among the students.

Marks come from the ladder alone, so nobody's mark depends on who else takes part. Every game depends on the two players, the
seed in the
settings and its number: so a game that was played is never played again, unless one of its two files changes, and a contest that
was
killed goes on where it stood.
"""

from __future__ import annotations

import collections
import concurrent.futures
import functools
import hashlib
import json
import math
import os
import random
import re
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import outplay
from outplay.arena.elo import expected, ratings
from outplay.arena.match import play_game, points_of, random_opening, usual_plies
from outplay.classroom import asking, likeness, pages
from outplay.classroom.grading import _plain, _stage, submissions
from outplay.errors import BadValue, OutplayError, Unavailable, shorten
from outplay.files import append_line, cell, write_whole
from outplay.game import Game, load
from outplay.players import Player, player
from outplay.players.guests import GuestPlayer, python_command
from outplay.sandbox import Bounds, Box, python_folders
from outplay.sandbox.containers import RUNNERS, Container, is_shared
from outplay.values import Limits, Record

HIDDEN = (
    "engine",
    "textbook",
    "experts",
    "networks",
    "books",
    "players",
    "learning",
    "arena",
    "csp",
    "web",
    "cli",
    "classroom",
    "adapters",
    "protocols",
    "formats",
    "views",
)
"""Rooms of Outplay that a student's player does not see: whoever imports the engine to play for it finds nothing there."""
ANIMALS = (
    "badger",
    "crane",
    "dormouse",
    "eagle",
    "fox",
    "gecko",
    "heron",
    "ibex",
    "jackdaw",
    "kestrel",
    "lynx",
    "marten",
    "newt",
    "otter",
    "puffin",
    "quail",
    "raven",
    "stoat",
    "toad",
    "urial",
    "viper",
    "wren",
    "yak",
    "zander",
)
PAGE_SECONDS = 2
"""How long the page of a running contest stays as it is, at least."""
LATEST = 8
"""Games that the studio shows of a running contest: the last ones."""
ANCHOR_GAMES = 40
"""Games of each pair of staff players, from which the ladder's ratings come, once."""


@dataclass(frozen=True)
class Kind:
    """A contest that `classroom new` writes."""

    title: str
    lecture: str
    teaches: str
    game: str
    ladder: tuple[str, ...]


KINDS = {
    "isolation-player": Kind(
        "A player of Isolation",
        "adversarial search",
        "search and evaluation in a game of one's own choice of moves",
        "isolation:width=5,height=5",
        ("random", "engine:depth=1", "engine:depth=2", "engine:depth=3", "engine:depth=4", "engine:depth=6"),
    ),
    "connect-four-player": Kind(
        "A player of Connect Four",
        "adversarial search",
        "search and evaluation, and threats",
        "connect four",
        ("random", "engine:depth=1", "engine:depth=2", "engine:depth=3", "engine:depth=4", "engine:depth=6"),
    ),
}

STUDENT = '''"""A player of {game}."""


def choose(position, limits):
    """One of `position.actions()`. `limits.seconds` is what a move may take.

    position.player()            the seat to move, 0 or 1
    position.actions()           what may be done
    position.result(action)      the position after it
    position.is_terminal(), position.utility(player), position.text()
    """
    return position.actions()[0]
'''


@dataclass(frozen=True)
class Settings:
    """`staff/contest.json`."""

    game: str
    ladder: tuple[str, ...]
    seed: str
    games: int = 20  # against each staff player
    league_games: int = 4  # of each pair in a division
    division: int = 8  # how many are in one
    seconds: float = 5.0  # a move, with room: it is there for those who hang
    memory: int = 512
    compiled: bool = False  # whether students' processes may compile the rules: faster, and seconds more to begin
    title: str = ""

    @classmethod
    def read(cls, folder: Path) -> Settings:
        """The settings of a contest's folder."""
        path = folder / "staff" / "contest.json"
        try:
            found = json.loads(path.read_text("utf-8"))
            found["ladder"] = tuple(found["ladder"])
            return cls(**{key: value for key, value in found.items() if key in cls.__dataclass_fields__})
        except (OSError, ValueError, TypeError, KeyError) as problem:
            raise BadValue(f"{folder} is no contest's folder: {path} cannot be read ({shorten(str(problem), 100)})") from None


def write(kind: str, folder: Path, seed: str) -> list[Path]:
    """Write the folder of a contest."""
    if folder.exists() and any(folder.iterdir()):
        raise BadValue(f"{folder} is not empty: give another --out")
    chosen = KINDS[kind]
    settings = Settings(chosen.game, chosen.ladder, seed, title=chosen.title)
    file = kind.replace("-", "_") + ".py"
    page = (
        f"# {chosen.title}\n\nWrite a player of {chosen.game} (`outplay rules` and `outplay play "
        f"{chosen.game.split(':')[0]}` show the game): "
        f"a function `choose(position, limits)` in `{file}`. Try it: `outplay match {chosen.game} python:{file} random "
        f"--games 20`.\n\n"
        f"Marks come from a ladder of {len(chosen.ladder)} players of the staff, {settings.games} games against each, "
        f"every opening from "
        "both sides: 0 points at the rating of the weakest, 100 at that of the strongest. A league among all comes on "
        "top, for the honour. "
        f"A move may take {settings.seconds:g} seconds; a crash, a loop or an illegal move loses its game.\n"
    )
    files = {
        "page.md": page.replace("`outplay rules` and ", ""),
        file: STUDENT.format(game=chosen.game),
        "rubric.md": "# Rubric\n\nPoints = 100 * (rating - weakest) / (strongest - weakest), between 0 and 100; the page "
        "shows the interval.\n",
        "submissions/README.md": f"A file for each student: `NAME.py`, or a folder `NAME/` with `{file}` in it.\n",
        "staff/contest.json": json.dumps({**asdict(settings), "file": file}, indent=1) + "\n",
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write_whole(folder / name, text)
    return [Path(name) for name in files]


# ---------------------------------------------------------------- games that are kept


@dataclass(frozen=True)
class Pairing:
    """Two players that meet so many times; a name beginning with `staff:` is one of the ladder."""

    first: str
    second: str
    games: int


class Kept:
    """The games that were played, one a line: found by the two players' keys and the number of the game."""

    def __init__(self, path: Path) -> None:
        self.path, self._lock = path, threading.Lock()
        self.then: Callable[[], None] = lambda: None  # called after each game
        self.games: dict[tuple[str, str, int], tuple[float, str]] = {}
        if path.is_file():
            for line in path.read_text("utf-8", errors="replace").splitlines():
                try:
                    row = json.loads(line)
                    self.games[row["first"], row["second"], row["number"]] = float(row["points"]), str(row["reason"])
                except (ValueError, KeyError, TypeError):
                    continue  # a torn last line: that game is played again

    def add(self, first: str, second: str, number: int, points: float, reason: str, actions: Sequence[str]) -> None:
        """Keep a finished game."""
        row = {"first": first, "second": second, "number": number, "points": points, "reason": reason, "actions": list(actions)}
        with self._lock:
            append_line(self.path, json.dumps(row, ensure_ascii=False) + "\n", lambda line: line.startswith(b"{"))
            self.games[first, second, number] = points, reason
        self.then()


@dataclass
class Report:
    """What came of a contest."""

    page: Path
    rows: list[dict[str, Any]] = field(default_factory=list)
    ladder: list[tuple[str, float, float]] = field(default_factory=list)
    divisions: list[list[dict[str, Any]]] = field(default_factory=list)
    alike: list[str] = field(default_factory=list)

    def plain(self) -> dict[str, Any]:
        """As plain values: marks as of any assignment, and how it came to them."""
        return {
            "students": [
                {"name": row["name"], "points": row["points"], "of": 100,
                 "questions": [{"name": "the ladder", "points": row["points"], "of": 100,
                                "words": row["problem"] or f"rating {row['rating']:.0f} ± {row['error']:.0f}"}]}
                for row in self.rows
            ],
            "standings": self.rows,
            "ladder": [{"player": name, "rating": rating, "error": error} for name, rating, error in self.ladder],
            "divisions": self.divisions,
            "alike": self.alike,
            "page": str(self.page),
        }

    def tables(self) -> Iterable[tuple[str, tuple[str, ...], list[tuple[str, ...]]]]:
        """Titles, columns and rows."""
        yield (
            "the ladder",
            ("staff player", "rating"),
            [(name, f"{rating:+.0f} ± {error:.0f}") for name, rating, error in self.ladder],
        )
        yield (
            "marks",
            ("player", "points", "rating", "games", "won", "drawn", "lost", "lost by"),
            [
                (
                    row["name"],
                    f"{row['points']:g}",
                    f"{row['rating']:+.0f} ± {row['error']:.0f}",
                    str(row["games"]),
                    str(row["won"]),
                    str(row["drawn"]),
                    str(row["lost"]),
                    row["problem"],
                )
                for row in self.rows
            ],
        )
        for number, rows in enumerate(self.divisions, start=1):
            yield (
                f"division {number}",
                ("player", "points", "games"),
                [(row["name"], f"{row['points']:g}", str(row["games"])) for row in rows],
            )


def play(
    folder: Path,
    *,
    trust: bool = False,
    stop: threading.Event | None = None,
    tell: Callable[[int, int], None] = lambda done, of: None,
    pseudonyms: bool = False,
    jobs: int | None = None,
) -> Report:
    """Play what has not been played yet, and write the standings."""
    settings = Settings.read(folder)
    file = json.loads((folder / "staff" / "contest.json").read_text("utf-8")).get("file", "player.py")
    files = submissions(folder, file)
    way = asking.way_to_hold(trust)
    stop = stop or threading.Event()
    game = load(settings.game)
    kept = Kept(folder / "games.jsonl")
    base = hashlib.sha256(
        json.dumps([settings.game, settings.seed, settings.seconds, settings.memory, outplay.__version__]).encode()
        + b"".join(own_files(settings.game, *settings.ladder))
    )
    with tempfile.TemporaryDirectory(prefix="outplay-") as place:
        os.chmod(place, 0o755)
        hall = Hall(game, settings, Path(place), way, base.hexdigest()[:12])
        for name, path in files.items():
            hall.admit(name, path)
        ladder = hall.anchors(folder / "staff" / "ladder.json", stop)
        staff = [f"staff:{text}" for text in settings.ladder]
        first = [Pairing(name, each, settings.games) for name in hall.present for each in staff]
        groups: list[list[str]] = []

        def standings() -> Report:
            """As they are now."""
            rows = [_row(hall, name, kept, settings, ladder) for name in files]
            rows.sort(key=lambda row: (-row["points"], -row["rating"], row["name"]))
            found = Report(folder / "grades" / "index.html", rows, ladder)
            for group in groups:
                table = [{"name": name, **_league(hall, name, group, kept, settings.league_games)} for name in group]
                found.divisions.append(sorted(table, key=lambda row: (-row["points"], row["name"])))
            return found

        def show(words: str, seconds: int) -> None:
            """The standings as they are now, as a page and for the studio."""
            report = standings()
            _page(report, settings, pseudonyms, words, seconds)
            league = [Pairing(min(pair), max(pair), settings.league_games) for group in groups for pair in _pairs(group)]
            planned = [(hall.keys[each.first], hall.keys[each.second], n) for each in first + league for n in range(each.games)]
            played = sum(key in kept.games for key in planned)
            _standings(folder, report, settings, pseudonyms, words, bool(seconds), played, len(planned), tuple(hall.latest))

        live = Live(show)
        kept.then = live.look
        try:
            live.look()
            hall.play(first, kept, stop, tell, jobs)
            ranked = [row["name"] for row in standings().rows if row["name"] in hall.present]
            groups += [ranked[at : at + settings.division] for at in range(0, len(ranked), settings.division)]
            if len(groups) > 1 and len(groups[-1]) == 1:
                last = groups.pop()
                groups[-1] += last
            league = [Pairing(min(pair), max(pair), settings.league_games) for group in groups for pair in _pairs(group)]
            hall.play(league, kept, stop, tell, jobs)
        except BaseException:
            live.write("Stopped before all games were played: the same command goes on from here.", 0)
            raise
        report = standings()
        live.write("", 0)
    texts = {name: path.read_text("utf-8", errors="replace") for name, path in files.items() if name in hall.present}
    report.alike = [
        f"{one} and {other} are alike to {share:.0%}, names and comments taken away"
        for one, other, share in likeness.pairs(texts, STUDENT)
    ]
    _publish(folder, report, settings, pseudonyms)
    return report


class Live:
    """The page of a contest while it is played: written after a game, where it has not just been."""

    def __init__(self, write: Callable[[str, int], None]) -> None:
        self.write, self._lock, self._next = write, threading.Lock(), 0.0

    def look(self) -> None:
        """A game is over: write the page, unless another game does so or it is too soon."""
        if time.monotonic() < self._next or not self._lock.acquire(blocking=False):
            return
        try:
            began = time.monotonic()
            self.write("The games are being played: these are the standings so far, and the page follows them.", PAGE_SECONDS)
            self._next = time.monotonic() + max(PAGE_SECONDS, 20 * (time.monotonic() - began))  # a twentieth of the time at most
        finally:
            self._lock.release()


def _pairs(group: Sequence[str]) -> list[tuple[str, str]]:
    return [(one, other) for number, one in enumerate(group) for other in group[number + 1 :]]


def own_files(*texts: str) -> Iterator[bytes]:
    """What is in the files of games and players that are named by them: where they change, games count no more."""
    for text in texts:
        for named in re.findall(r"[^:,]+\.py", text):
            if Path(named).is_file():
                yield Path(named).read_bytes()


class Hall:
    """Where a contest is played: staged files, and players in their boxes."""

    def __init__(self, game: Game, settings: Settings, place: Path, way: str, base: str) -> None:
        self.game, self.settings, self.place, self.way, self.base = game, settings, place, way, base
        self.present: dict[str, Path] = {}
        self.keys: dict[str, str] = {f"staff:{text}": f"staff:{text}:{base}" for text in settings.ladder}
        self.problems: dict[str, str] = {}
        self.latest: collections.deque[dict[str, Any]] = collections.deque(maxlen=LATEST)
        self._plies = usual_plies(game.start())

    def admit(self, name: str, path: Path) -> None:
        """Take a copy of a submission to where its box sees it, alone."""
        folder = self.place / _plain(name)
        folder.mkdir()
        folder.chmod(0o755)
        target = folder / "player.py"
        problem = _stage(path, target)
        if problem:
            self.problems[name] = problem
            return
        self.present[name] = target
        self.keys[name] = hashlib.sha256(self.base.encode() + target.read_bytes()).hexdigest()[:20]

    def seat(self, name: str, seed: int) -> Player:
        """A player, ready: of the staff, or a student's in its box."""
        if name.startswith("staff:"):
            return player(name.removeprefix("staff:"), seed=seed)
        path = self.present[name]
        box: Box | None = None
        if self.way in RUNNERS and not is_shared():
            raise BadValue("a contest in a container needs Linux, or --trust: its players are shown this machine's own Python")
        if self.way != "trust":
            package = Path(outplay.__file__).parent
            cache = os.environ.get("OUTPLAY_CACHE", "")
            hidden = tuple(str(package / room) for room in HIDDEN if (package / room).is_dir())
            shown = (*python_folders(), str(package), *([cache] if cache and os.path.isdir(cache) else []))
            box = Box(shown=shown, hidden=hidden)
            if self.way in RUNNERS:
                box = Container(shown=shown, hidden=hidden, runner=self.way)
        made = GuestPlayer(
            name,
            python_command(str(path), "", "2"),
            Limits(seconds=self.settings.seconds),
            Bounds(memory=self.settings.memory, processes=1),
            wants_box=False,
            folder=str(path.parent),
            is_python=True,
            box=box,
            environment={} if self.settings.compiled else {"NUMBA_DISABLE_JIT": "1"},
            room=asking.ROOM,
        )
        return made

    def anchors(self, path: Path, stop: threading.Event) -> list[tuple[str, float, float]]:
        """The ladder's ratings, the weakest first: played once, and kept."""
        wanted = [self.base, *self.settings.ladder]
        try:
            found = json.loads(path.read_text("utf-8"))
            if found["of"] == wanted:
                return [(str(name), float(rating), float(error)) for name, rating, error in found["ladder"]]
        except (OSError, ValueError, KeyError, TypeError):
            pass
        texts = self.settings.ladder
        seated = [player(text, seed=number) for number, text in enumerate(texts)]
        results = []
        for one, other in _pairs([str(n) for n in range(len(texts))]):
            for number in range(ANCHOR_GAMES):
                points, _ = self.game_of([seated[int(one)], seated[int(other)]], number, f"anchor {one} {other}", stop)
                results.append((int(one), int(other), points))
        found_ratings = ratings(results, len(texts))
        ladder = sorted(
            ((text, each.difference, each.error) for text, each in zip(texts, found_ratings, strict=True)), key=lambda row: row[1]
        )
        write_whole(path, json.dumps({"of": wanted, "ladder": ladder}, indent=1))
        return ladder

    def game_of(self, seated: Sequence[Any], number: int, what: str, stop: threading.Event) -> tuple[float, Record]:
        """One game, and the points of the first player."""
        source = random.Random(f"{self.settings.seed} {what} {number // 2}")
        opening = random_opening(self.game.start(), self._plies, source.getrandbits(30))
        turned = number % 2
        record = play_game([seated[turned], seated[1 - turned]], opening, seed=source.getrandbits(62), stop=stop, most_plies=1000)
        if record.outcome is None:
            raise KeyboardInterrupt
        return points_of(record, turned), record

    def play(
        self, pairings: Sequence[Pairing], kept: Kept, stop: threading.Event, tell: Callable[[int, int], None], jobs: int | None
    ) -> None:
        """Play the games of these pairings that are not kept yet."""
        total = sum(each.games for each in pairings)
        done = [0]
        tasks: dict[str, list[Pairing]] = {}
        for each in pairings:
            tasks.setdefault(each.first, []).append(each)

        def work(first: str) -> None:
            """All games of one player, which lives in one process for them."""
            mine: Player | None = None
            hangs: dict[str, int] = {}
            try:
                for pairing in tasks[first]:
                    keys = self.keys[first], self.keys[pairing.second]
                    missing = [number for number in range(pairing.games) if (*keys, number) not in kept.games]
                    done[0] += pairing.games - len(missing)
                    if missing:
                        mine = self._meet(mine, pairing, missing, kept, stop, hangs)
                        done[0] += len(missing)
                        tell(done[0], total)
            finally:
                if mine is not None:
                    mine.close()

        with concurrent.futures.ThreadPoolExecutor(jobs or _cores()) as pool:
            running = [pool.submit(work, each) for each in tasks]
            try:
                for over in concurrent.futures.as_completed(running):
                    over.result()
            except BaseException:
                stop.set()
                for one in running:
                    one.cancel()
                raise

    def _meet(
        self, mine: Player | None, pairing: Pairing, missing: list[int], kept: Kept, stop: threading.Event, hangs: dict[str, int]
    ) -> Player | None:
        """The games of one pairing; the first player, which stays for the next one."""
        names = pairing.first, pairing.second
        keys = self.keys[names[0]], self.keys[names[1]]
        seated: list[Any] = [mine, None]
        for number, name in enumerate(names):
            try:
                if hangs.get(name, 0) >= asking.MOST_FAILURES:
                    raise Unavailable(f"it hung {asking.MOST_FAILURES} times, and the rest is lost")
                if seated[number] is None:
                    seated[number] = self.seat(name, number)
                    seated[number].get_ready(self.game.start())
            except OutplayError as problem:  # it cannot even begin: these games are lost
                for game in missing:
                    kept.add(*keys, game, float(number), f"{name} cannot play: {shorten(str(problem), 160)}", ())
                return seated[0]
        try:
            for at, number in enumerate(missing):
                if stop.is_set():
                    raise KeyboardInterrupt
                what = keys[1] if names[1].startswith("staff:") else " ".join(keys)  # the ladder's openings are everybody's
                points, record = self.game_of(seated, number, what, stop)
                reason, turned = record.reason, number % 2
                self.latest.append({"seats": [names[turned], names[1 - turned]], "points": [points, 1 - points][:: 1 - 2 * turned],
                                    "reason": reason, "start": record.start, "actions": list(record.actions)})  # fmt: skip
                kept.add(*keys, number, points, reason, record.actions)
                if "failed: no answer" in reason:
                    loser = names[0] if points < 0.5 else names[1]
                    hangs[loser] = hangs.get(loser, 0) + 1
                    if hangs[loser] >= asking.MOST_FAILURES:
                        for game in missing[at + 1 :]:
                            said = f"{loser} hung {asking.MOST_FAILURES} times, and the rest is lost"
                            kept.add(*keys, game, 0.0 if loser == names[0] else 1.0, said, ())
                        break
        finally:
            seated[1].close()
        return seated[0]


@functools.cache
def _cores() -> int:
    return max(1, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


# ---------------------------------------------------------------- what the games say


def rate(results: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The rating at which results (a fixed opponent's rating, points) are expected, with the half width of its 95 % interval.

    One drawn game against an average opponent is added, so that nobody who won everything is infinitely strong.

    >>> rating, error = rate([(0.0, 1.0)] * 30 + [(0.0, 0.0)] * 10)
    >>> round(rating), round(error)
    (185, 122)
    """
    scale = math.log(10) / 400
    mean = sum(rating for rating, _ in results) / len(results) if results else 0.0
    known = [*results, (mean, 0.5)]
    found, bend = mean, 1.0
    for _ in range(100):
        slope = sum(points - expected(found - rating) for rating, points in known)
        bend = sum(expected(found - rating) * (1 - expected(found - rating)) for rating, _ in known)
        step = max(-200.0, min(200.0, slope / max(bend, 1e-9) / scale))
        found += step
        if abs(step) < 1e-6:
            break
    return found, 1.96 / (scale * math.sqrt(max(bend, 1e-9)))


def _row(hall: Hall, name: str, kept: Kept, settings: Settings, ladder: list[tuple[str, float, float]]) -> dict[str, Any]:
    """The mark of a player from its games against the ladder."""
    weakest, strongest = ladder[0][1], ladder[-1][1]
    row: dict[str, Any] = {
        "name": name,
        "points": 0.0,
        "rating": weakest,
        "error": 0.0,
        "games": 0,
        "won": 0,
        "drawn": 0,
        "lost": 0,
        "problem": hall.problems.get(name, ""),
        "against": {},
    }
    if name not in hall.present:
        return row
    results, reasons = [], []
    for text, rating, _ in ladder:
        games = [
            kept.games[key]
            for number in range(settings.games)
            if (key := (hall.keys[name], hall.keys[f"staff:{text}"], number)) in kept.games
        ]
        results += [(rating, points) for points, _ in games]
        reasons += [reason for points, reason in games if reason and points < 0.5]
        row["against"][text] = sum(points for points, _ in games)
    if not results:
        return row
    found, error = rate(results)
    points = 100 * (found - weakest) / max(strongest - weakest, 1.0)
    row |= {
        "rating": found,
        "error": error,
        "games": len(results),
        "won": sum(p > 0.5 for _, p in results),
        "drawn": sum(p == 0.5 for _, p in results),
        "lost": sum(p < 0.5 for _, p in results),
        "points": round(max(0.0, min(100.0, points)), 1),
    }
    if reasons:
        most = max(set(reasons), key=reasons.count)
        row["problem"] = f"{len(reasons)} games: {shorten(most, 140)}"
    return row


def _league(hall: Hall, name: str, group: Sequence[str], kept: Kept, games: int) -> dict[str, Any]:
    points = played = 0.0
    for other in group:
        if other == name:
            continue
        first, second = sorted((name, other))
        for number in range(games):
            found = kept.games.get((hall.keys[first], hall.keys[second], number))
            if found is not None:
                points, played = points + (found[0] if first == name else 1 - found[0]), played + 1
    return {"points": points, "games": int(played)}


def _publish(folder: Path, report: Report, settings: Settings, pseudonyms: bool) -> None:
    """The page of the standings, the marks as a table, and for the staff alone what is alike."""
    place = folder / "grades"
    place.mkdir(exist_ok=True)
    csv = "name,points,rating,error,games,won,drawn,lost,remark\n" + "".join(
        ",".join(
            [
                _quoted(row["name"]),
                f"{row['points']:g}",
                f"{row['rating']:.0f}",
                f"{row['error']:.0f}",
                str(row["games"]),
                str(row["won"]),
                str(row["drawn"]),
                str(row["lost"]),
                _quoted(row["problem"]),
            ]
        )
        + "\n"
        for row in report.rows
    )
    write_whole(place / "grades.csv", csv)
    _page(report, settings, pseudonyms)
    write_whole(folder / "staff" / "alike.html", pages.page("Alike", [pages.table(("pair",), [(each,) for each in report.alike])]))


def _page(report: Report, settings: Settings, pseudonyms: bool, words: str = "", seconds: int = 0) -> None:
    """The page of the standings; with seconds, one that is read anew."""
    shown = _pseudonyms([row["name"] for row in report.rows], settings.seed) if pseudonyms else {}
    body = [f"<p>{settings.game}: {settings.games} games against each staff player, every opening from both sides.</p>"]
    body += [f"<p><b>{words}</b></p>"] if words else []
    for title, columns, rows in report.tables():
        named = [
            tuple(
                shown.get(row[0], row[0]) if number == 0 else "" if shown and columns[number] == "lost by" else cell
                for number, cell in enumerate(row)
            )
            for row in rows
        ]
        body += [f"<h2>{title}</h2>", pages.table(columns, named)]
    report.page.parent.mkdir(exist_ok=True)
    write_whole(report.page, pages.page(settings.title or "Contest", body, seconds))


def _standings(folder: Path, report: Report, settings: Settings, pseudonyms: bool, words: str, is_running: bool, played: int,
               planned: int, latest: Sequence[dict[str, Any]]) -> None:  # fmt: skip
    """The same for the studio, which shows what it finds here: `outplay serve --contest FOLDER`."""
    shown = _pseudonyms([row["name"] for row in report.rows], settings.seed) if pseudonyms else {}

    def called(name: str) -> str:
        return shown.get(name, name.removeprefix("staff:"))

    columns = ("points", "rating", "error", "games", "won", "drawn", "lost")
    told = {
        "title": settings.title or "Contest", "game": settings.game, "words": words, "running": is_running, "played": played,
        "planned": planned,
        "ladder": [{"name": name, "rating": rating} for name, rating, _ in report.ladder],
        "players": [{"name": called(row["name"]), **{key: row[key] for key in columns},
                     "problem": "" if pseudonyms else row["problem"]} for row in report.rows],
        "divisions": [[{**row, "name": called(row["name"])} for row in group] for group in report.divisions],
        "latest": [{**one, "seats": [called(name) for name in one["seats"]], "reason": "" if pseudonyms else one["reason"]}
                   for one in latest],
    }  # fmt: skip
    write_whole(folder / "staff" / "standings.json", json.dumps(told, ensure_ascii=False))


def _quoted(text: str) -> str:
    return '"' + cell(text).replace('"', '""') + '"'


def _pseudonyms(names: Sequence[str], seed: str) -> dict[str, str]:
    """An animal for each name, the same for the same seed."""
    order = sorted(names, key=lambda name: hashlib.sha256(f"{seed} {name}".encode()).digest())
    return {
        name: ANIMALS[number % len(ANIMALS)] + (f" {number // len(ANIMALS) + 1}" if number >= len(ANIMALS) else "")
        for number, name in enumerate(order)
    }
