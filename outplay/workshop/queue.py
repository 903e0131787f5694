"""A queue of tests for a team: pairs of players whose difference is to be proved, played by whoever has cores, kept in a folder.

Each test is a file that says what is compared, and a file of the pairs played, one line each. A pair depends on its number alone,
so whoever goes on after a restart plays the next number, and nothing is lost but pairs that were not finished. One process plays at
a time (on as many cores, or machines of a cluster, as it has); anybody may add tests and look while it does.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     queue = Queue(folder)
...     test = queue.add("tic-tac-toe", "minimax", "random", high=200, most=60)
...     for _ in queue.run():
...         pass
...     [(each.number, each.verdict) for each in Queue(folder).tests()]
[(1, 'stronger')]
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from html import escape
from pathlib import Path

from outplay.arena.elo import Sprt, elo, pentanomial
from outplay.errors import BadValue, Unavailable, UnknownName, shorten
from outplay.files import append_line, write_whole
from outplay.game import known_game
from outplay.players import starts_a_program
from outplay.workshop.pairs import Job, Variant, play, seat
from outplay.workshop.spsa import tally_of

MOST = 20_000
"""Games of a test that nobody limits."""


@dataclass(frozen=True)
class Trial:
    """One test, and what was played of it."""

    number: int
    game: str
    first: str
    second: str
    low: float = 0.0
    high: float = 10.0
    most: int = MOST
    seconds: float | None = None
    priority: int = 0
    note: str = ""
    added: float = 0.0
    dropped: bool = False
    points: tuple[float, ...] = field(default=(), compare=False)

    @property
    def games(self) -> int:
        """Games played."""
        return 2 * len(self.points)

    @property
    def verdict(self) -> str | None:
        """What the test found, "undecided" where its games are over, None while it is open."""
        found = Sprt(self.low, self.high).verdict(tally_of(self.points))
        return found or ("undecided" if self.games >= self.most else "dropped" if self.dropped else None)

    def fields(self) -> dict[str, object]:
        """All of it for JSON."""
        tally = tally_of(self.points)
        told = {key: value for key, value in asdict(self).items() if key not in ("points", "dropped")}
        return {**told, "games": self.games, "verdict": self.verdict, "elo": elo(tally).difference if self.points else None,
                "error": elo(tally).error if self.points else None, "llr": Sprt(self.low, self.high).ratio(tally),
                "pentanomial": list(pentanomial(tally))}


class Queue:
    """The tests of a folder."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        if self.folder.exists() and not self.folder.is_dir():
            raise BadValue(f"{self.folder} is no folder")

    def _file(self, number: int) -> Path:
        return self.folder / f"test-{number:05}.json"

    def _pairs(self, number: int) -> Path:
        return self.folder / f"test-{number:05}.pairs"

    def tests(self) -> list[Trial]:
        """All tests, in the order in which they were added."""
        found = []
        for file in sorted(self.folder.glob("test-*.json")):
            try:
                told = json.loads(file.read_text(encoding="utf-8"))
                found.append(replace(Trial(**told), points=self._played(int(told["number"]))))
            except (OSError, ValueError, KeyError, TypeError):
                raise BadValue(f"{file} is damaged, or no test of a queue") from None
        return found

    def _played(self, number: int) -> tuple[float, ...]:
        with contextlib.suppress(OSError):
            lines = self._pairs(number).read_text(encoding="utf-8").splitlines()
            return tuple(float(line) for line in lines if re.fullmatch(r"[012]\.[05]", line))  # a torn last line is no pair
        return ()

    def add(self, game: str, first: str, second: str, *, low: float = 0.0, high: float = 10.0, most: int = MOST,
            seconds: float | None = None, priority: int = 0, note: str = "") -> Trial:
        """Put a test in the queue; players that cannot play the game are refused now."""
        from outplay.arena.match import check
        from outplay.game import load

        if not low < high:
            raise BadValue(f"the first bound of a test must be below the second, got {low:g} and {high:g}")
        if most < 2:
            raise BadValue(f"a test needs 2 games or more, got {most}")
        loaded = load(game)
        if loaded.players != 2:
            raise BadValue(f"tests are for games of two players; {loaded.name} has {loaded.players}")
        check(loaded, [seat(Variant(first)), seat(Variant(second))])
        self.folder.mkdir(parents=True, exist_ok=True)
        number = 1 + max((int(file.stem[5:]) for file in self.folder.glob("test-*.json")), default=0)
        test = Trial(number, game, first, second, low, high, most - most % 2, seconds, priority, note, time.time())
        self._write(test)
        return test

    def drop(self, number: int) -> None:
        """End a test before its time; its games stay."""
        found = next((each for each in self.tests() if each.number == number), None)
        if found is None:
            raise BadValue(f"the queue has no test {number}")
        self._write(replace(found, dropped=True))

    def _write(self, test: Trial) -> None:
        told = {key: value for key, value in asdict(test).items() if key != "points"}
        write_whole(self._file(test.number), json.dumps(told))

    def run(self, *, workers: int = 1, address: str | None = None, stop: threading.Event | None = None,
            once: bool = True, trust: bool = False) -> Iterator[Trial]:
        """Play what is open, the highest priority first and equals in turns; a test after each of its pairs.

        With `once` false it waits for further tests when all are decided. Whoever may write the folder may put a test there: one
        that names a program or a file of rules is played only with `trust`, or by the process that was given its names by hand.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        with self._alone():
            while not (stop is not None and stop.is_set()):
                opened = {each.number: each for each in self.tests() if each.verdict is None}
                for each in () if trust else opened.values():
                    _refuse_programs(each)
                if not opened:
                    if once:
                        return
                    (stop or threading.Event()).wait(1.0)
                    continue
                yield from self._play(opened, workers, address, stop)

    def _play(self, opened: dict[int, Trial], workers: int, address: str | None, stop: threading.Event | None) -> Iterator[Trial]:
        """Play open tests until one is decided or another is added."""
        handed = {number: len(test.points) for number, test in opened.items()}
        owners: list[int] = []
        known = self._stamp()

        def jobs() -> Iterator[Job]:
            while all(test.verdict is None for test in opened.values()) and self._stamp() == known:
                number = max(opened, key=lambda each: (opened[each].priority, -handed[each], -each))
                test = opened[number]
                if 2 * handed[number] >= test.most:
                    return
                owners.append(number)
                yield Job(test.game, Variant(test.first), Variant(test.second), handed[number], 1000 * number, test.seconds)
                handed[number] += 1

        for done, (_, points) in enumerate(play(jobs(), workers=workers, address=address, stop=stop)):
            number = owners[done]
            if opened[number].verdict is not None:
                continue  # pairs that were on their way when the test was decided
            append_line(self._pairs(number), f"{points:.1f}\n", lambda last: re.fullmatch(rb"[012]\.[05]\n?", last) is not None)
            opened[number] = replace(opened[number], points=(*opened[number].points, points))
            yield opened[number]

    def _stamp(self) -> dict[str, int]:
        """Changes when a test is added or dropped."""
        return {file.name: file.stat().st_mtime_ns for file in self.folder.glob("test-*.json")}

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold the queue: two that play at once would play the same pairs."""
        file = self.folder / "playing"
        with file.open("w") as held:
            try:
                import fcntl

                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except ImportError:  # a system without locks of files
                pass
            except OSError:
                raise Unavailable(f"somebody plays the tests of {self.folder} already") from None
            held.write(str(os.getpid()))
            held.flush()
            yield

    def page(self) -> str:
        """The tests as a page: bounds, games, and where each stands."""
        rows = []
        for each in sorted(self.tests(), key=lambda test: (test.verdict is not None, -test.priority, test.number)):
            tally = tally_of(each.points)
            test = Sprt(each.low, each.high)
            share = min(max((test.ratio(tally) / test.bound + 1) / 2, 0), 1)
            bar = (f'<svg width="120" height="14"><rect width="120" height="14" fill="#eee"/><rect x="59.5" width="1" height="14" '
                   f'fill="#888"/><rect x="{min(60, 120 * share):.1f}" width="{abs(120 * share - 60):.1f}" height="14" '
                   f'fill="{"#5a5" if share > 0.5 else "#c55"}"/></svg>')
            rows.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in (
                each.number, escape(each.game), escape(each.first), escape(each.second), f"{each.low:g} to {each.high:g}",
                f"{each.games:,} of {each.most:,}", escape(str(elo(tally))) if each.points else "", bar,
                escape(each.verdict or "open"), escape(each.note))) + "</tr>")
        heads = ("test", "game", "first", "against", "bounds (Elo)", "games", "Elo", "likelihood", "verdict", "note")
        return ('<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
                "<title>Tests</title><style>body{font:15px sans-serif;margin:2em}td,th{padding:.3em .7em;text-align:left;"
                "border-bottom:1px solid #ddd}</style><h1>Tests</h1><table><tr>" + "".join(f"<th>{head}</th>" for head in heads)
                + f"</tr>{''.join(rows)}</table>")


def _refuse_programs(test: Trial) -> None:
    trusted = "--trust (in Python trust=True) plays what a folder names"
    for name in (test.first, test.second):
        if starts_a_program(name):
            raise BadValue(f"test {test.number} names the program {shorten(name)!r}: {trusted}")
    try:
        known_game(test.game)
    except (BadValue, UnknownName):
        raise BadValue(f"test {test.number} names the game {shorten(test.game)!r}: {trusted}") from None
