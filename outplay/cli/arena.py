"""`outplay arena queue FOLDER`: tests of players for a team, played by whoever has cores; restarts lose nothing."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

from outplay.cli.commands import Argument, Exit, Group, Option
from outplay.cli.common import AsJson, Cluster, Seconds, print_json, print_table, sprt_of, tell
from outplay.cli.main import INTERRUPTED
from outplay.errors import BadValue

arena = Group(help="Tests of players for a team: a queue of them, kept in a folder.")


@arena.command("queue")
def queue(
    folder: Annotated[Path, Argument(metavar="FOLDER", help="Where the tests are kept.")],
    add: Annotated[list[str] | None, Option("--add", metavar="GAME|P|Q", help="Add a test: is P stronger than Q at GAME?")] = None,
    sprt: Annotated[str, Option("--sprt", metavar="LOW,HIGH", help="Bounds of the tests that are added, in Elo.")] = "0,10",
    games: Annotated[int, Option("--games", metavar="N", help="The most games of the tests that are added.")] = 20_000,
    time: Seconds = None,
    priority: Annotated[int, Option("--priority", metavar="N", help="Tests with more are played first.")] = 0,
    note: Annotated[str, Option("--note", metavar="TEXT", help="What the tests that are added are about.")] = "",
    drop: Annotated[int | None, Option("--drop", metavar="N", help="End test N; its games stay.")] = None,
    shown: Annotated[bool, Option("--list", help="Only show the tests.")] = False,
    stay: Annotated[bool, Option("--stay", help="Wait for further tests when all are decided.")] = False,
    report: Annotated[Path | None, Option("--report", metavar="FILE", help="Write a page with all tests, after each pair.")] = None,
    trust: Annotated[bool, Option("--trust", help="Play tests that name programs or files of rules, too.")] = False,
    threads: Annotated[int | None, Option("--threads", metavar="T", help="Play so many games at once; all cores.")] = None,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Play the tests of a folder, or add and show them. Ctrl-C keeps every pair of games."""
    from outplay.cli.progress import working
    from outplay.files import write_whole
    from outplay.workshop.queue import Queue

    tests = Queue(folder)
    bounds = sprt_of(sprt)
    for each in add or ():
        parts = [part.strip() for part in each.split("|")]
        if len(parts) != 3 or not all(parts):
            raise BadValue(f"--add expects GAME|PLAYER|AGAINST, such as 'mine.py|engine:pvs|engine:mcts', got {each!r}")
        tests.add(parts[0], parts[1], parts[2], low=bounds.low, high=bounds.high, most=games, seconds=time, priority=priority,
                  note=note)
    if drop is not None:
        tests.drop(drop)
    stopped = False
    if not (shown or add or drop is not None):
        with working("testing", str(folder), "Ctrl-C stops and keeps every pair", keeps=True) as progress:
            assert progress.interrupts is not None
            stop = progress.interrupts.event
            for test in tests.run(workers=threads or os.cpu_count() or 1, address=cluster, stop=stop, once=not stay, trust=trust):
                progress.note = f"test {test.number}: {test.games:,} games, {test.verdict or 'open'}"
                if report is not None:
                    write_whole(report, tests.page())
            stopped = stop.is_set()
    if report is not None:
        write_whole(report, tests.page())
    found = tests.tests()
    if as_json:
        print_json({"folder": str(folder), "tests": [each.fields() for each in found]})
    elif found:
        told = [each.fields() for each in found]
        rows = [(*(str(each[key]) for key in ("number", "game", "first", "second")), f"{each['low']:g} to {each['high']:g}",
                 f"{each['games']:,}", "" if each["elo"] is None else f"{each['elo']:+.0f}", str(each["verdict"] or "open"))
                for each in told]
        print_table(("test", "game", "first", "against", "bounds", "games", "Elo", "verdict"), rows, right=("games", "Elo"))
    else:
        tell(f"{folder} has no tests: --add 'GAME|PLAYER|AGAINST' adds one")
    if stopped:
        raise Exit(INTERRUPTED)
