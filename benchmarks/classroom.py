"""A class of sixty: `python benchmarks/classroom.py [SUBMISSIONS] [GAMES] [--trust]`.

Sixty submissions play six staff players, twenty games each, as `outplay classroom contest` has it, and sixty files of an
exercise are graded; printed are seconds by the clock. With --trust where there is no sandbox.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path

from outplay.classroom import contest
from outplay.classroom.assignments import find
from outplay.classroom.grading import grade_folder
from outplay.classroom.writing import write

PLAYERS = (
    "def choose(position, limits):\n    return position.actions()[{n} % len(position.actions())]\n",
    "import random\ndef choose(position, limits):\n    return random.choice(position.actions()) if {n} else None\n",
    "def choose(position, limits):\n    return min(position.actions(), key=lambda a: (len(position.result(a).actions()), "
    "(a * {n}) % 7))\n",
    "def choose(position, limits):\n    me, k = position.player(), {n}\n    for action in position.actions():\n"
    "        after = position.result(action)\n        if after.is_terminal() and after.utility(me) > 0:\n            "
    "return action\n"
    "    return position.actions()[-1 - k % len(position.actions())]\n",
)


def main(count: int = 60, games: int = 20, *, trust: bool = False) -> None:
    with tempfile.TemporaryDirectory() as place:
        cup, homework = Path(place) / "cup", Path(place) / "hw"
        write("isolation-player", cup, "benchmark")
        settings = json.loads((cup / "staff" / "contest.json").read_text())
        (cup / "staff" / "contest.json").write_text(json.dumps({**settings, "games": games, "league_games": 0}))
        for n in range(count):
            (cup / "submissions" / f"student{n:02}.py").write_text(PLAYERS[n % len(PLAYERS)].format(n=n + 1))
        begun = time.perf_counter()
        report = contest.play(cup, trust=trust)
        over = time.perf_counter()
        played = sum(row["games"] for row in report.rows)
        failed = sum(" games: " in row["problem"] for row in report.rows)
        print(f"points from {report.rows[-1]['points']:g} to {report.rows[0]['points']:g}, {failed} players failed in some game")
        print(f"{count} players, {len(report.ladder)} of the staff, {games} games each: {played} games in {over - begun:.0f} s")
        write("alphabeta", homework, "benchmark")
        assignment = find("alphabeta")
        texts = [assignment.reference, assignment.student, *map(assignment.wrong_variant, assignment.wrong)]
        for n in range(count):
            (homework / "submissions" / f"student{n:02}.py").write_text(texts[n % len(texts)])
        begun = time.perf_counter()
        grades = grade_folder(homework, trust=trust)
        over = time.perf_counter()
        print(f"{len(grades)} files of {assignment.name} graded in {over - begun:.0f} s")


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:] if word != "--trust"), trust="--trust" in sys.argv)
