"""Contests: marks from a fixed ladder, a league, only what changed is played again, and kills lose nothing."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from types import SimpleNamespace

import pytest

from outplay.classroom import asking, contest, likeness
from outplay.errors import BadValue

GOOD = """
def choose(position, limits):
    me, safe = position.player(), []
    for action in position.actions():
        after = position.result(action)
        if after.is_terminal() and after.utility(me) > 0:
            return action
        replies = [] if after.is_terminal() else [after.result(action) for action in after.actions()]
        if not any(reply.is_terminal() and reply.utility(me) < 0 for reply in replies):
            safe.append(action)
    safe = safe or list(position.actions())
    return safe[len(safe) // 2]
"""
FIRST = "def choose(position, limits):\n    return position.actions()[0]\n"
CHEAT = "from outplay.players.algorithms import best\ndef choose(position, limits):\n    return best(position).action\n"
SETTINGS = {
    "game": "tic-tac-toe",
    "ladder": ["random", "thumb", "alphabeta:depth=2"],
    "seed": "s",
    "games": 4,
    "league_games": 2,
    "seconds": 0.3,
    "division": 3,
    "file": "player.py",
}
needs_a_box = pytest.mark.skipif(asking.way_to_hold(trust=True) not in ("bwrap", "trust"), reason="needs bubblewrap or trust")


@pytest.fixture(autouse=True)
def short_ladder(monkeypatch):
    monkeypatch.setattr(contest, "ANCHOR_GAMES", 4)


def cup(folder, **files):
    (folder / "staff").mkdir(parents=True)
    (folder / "submissions").mkdir()
    settings = {**SETTINGS, "ladder": ["random", "minimax:depth=1"]}
    (folder / "staff" / "contest.json").write_text(json.dumps(settings))
    for name, text in files.items():
        (folder / "submissions" / f"{name}.py").write_text(text)
    return folder


@needs_a_box
def test_marks_come_from_the_ladder_and_only_changed_files_play_again(tmp_path):
    folder = cup(tmp_path / "cup", good=GOOD, first=FIRST, loop="def choose(position):\n    while True: pass\n")
    report = contest.play(folder, trust=True)
    rows = {row["name"]: row for row in report.rows}
    assert rows["good"]["rating"] > rows["loop"]["rating"] and rows["loop"]["points"] == 0
    assert rows["loop"]["lost"] == 8 and "hung 3 times" in rows["loop"]["problem"]
    games = (folder / "games.jsonl").read_text()
    again = contest.play(folder, trust=True)
    assert (folder / "games.jsonl").read_text() == games and again.plain() == report.plain()
    assert all(each["points"] == rows[each["name"]]["points"] for each in report.plain()["students"])
    (folder / "submissions" / "first.py").write_text(FIRST.replace("[0]", "[-1]"))
    contest.play(folder, trust=True)
    new = [json.loads(line) for line in (folder / "games.jsonl").read_text()[len(games) :].splitlines()]
    key = {row["first"] for row in new} | {row["second"] for row in new}
    assert len(new) == 2 * 4 + 2 * 2 and sum(not each.startswith("staff") for each in key) == 3
    page = (folder / "grades" / "index.html").read_text()
    assert "good" in page and "the ladder" in page
    told = json.loads((folder / "staff" / "standings.json").read_text())
    assert (told["running"], told["played"], told["planned"]) == (False, 3 * 2 * 4 + 3 * 2, 3 * 2 * 4 + 3 * 2)
    assert {row["name"] for row in told["players"]} == {"good", "first", "loop"}
    last = told["latest"][-1]
    assert "first" in last["seats"] and sum(last["points"]) == 1 and last["actions"]
    hidden = contest.play(folder, trust=True, pseudonyms=True)
    told = (folder / "staff" / "standings.json").read_text()
    assert not any(f'"{name}"' in told for name in ("good", "first", "loop")) and "hung" not in told
    assert "good" not in hidden.page.read_text().split("marks", 1)[1]
    (folder / "games.jsonl").write_text("".join((folder / "games.jsonl").read_text().splitlines(True)[:-3]) + '{"first": "torn')
    repaired = contest.play(folder, trust=True)
    assert [row["points"] for row in repaired.rows] == [row["points"] for row in hidden.rows]


@pytest.mark.skipif(asking.way_to_hold(trust=True) != "bwrap", reason="needs bubblewrap")
def test_whoever_imports_the_engine_finds_nothing(tmp_path):
    report = contest.play(cup(tmp_path / "cup", cheat=CHEAT, first=FIRST))
    cheat = next(row for row in report.rows if row["name"] == "cheat")
    assert cheat["points"] == 0 and "ModuleNotFoundError" in cheat["problem"]


def test_a_killed_contest_goes_on(tmp_path):
    folder = cup(tmp_path / "cup", good=GOOD, first=FIRST, same=GOOD + "# in other words\n")
    program = [
        sys.executable,
        "-c",
        "import sys; from pathlib import Path; from outplay.classroom import contest; contest.ANCHOR_GAMES = 4\n"
        "contest.play(Path(sys.argv[1]), trust=True)",
        str(folder),
    ]
    running = subprocess.Popen(program, start_new_session=True)
    until = time.monotonic() + 600
    while time.monotonic() < until and not (
        (folder / "games.jsonl").exists() and (folder / "games.jsonl").read_text().count("\n") > 3
    ):
        time.sleep(0.01)
    os.killpg(running.pid, signal.SIGKILL)
    running.wait()
    kept = (folder / "games.jsonl").read_text().rpartition("\n")[0]
    rows = {row["name"]: row for row in contest.play(folder, trust=True).rows}
    assert (folder / "games.jsonl").read_text().startswith(kept)
    assert (folder / "games.jsonl").read_text().count("\n") == 3 * 2 * 4 + 3 * 2
    assert rows["same"]["points"] == rows["good"]["points"]  # everybody meets the staff from the same openings


@needs_a_box
def test_the_page_follows_the_games_and_says_when_they_were_stopped(tmp_path, monkeypatch):
    folder, stop, seen = cup(tmp_path / "cup", good=GOOD, first=FIRST), threading.Event(), []
    page = folder / "grades" / "index.html"

    def count(kept, *row):
        added(kept, *row)
        seen.append((len(kept.games), page.read_text()))
        if len(seen) == 5:
            stop.set()

    added = contest.Kept.add
    monkeypatch.setattr(contest.Live, "look", lambda live: live.write("so far", 2))
    monkeypatch.setattr(contest.Kept, "add", count)
    with pytest.raises(KeyboardInterrupt):
        contest.play(folder, trust=True, stop=stop, jobs=1)
    assert all('http-equiv="refresh" content="2"' in text for _, text in seen)
    for games, text in seen:  # of each player the games that were played until then
        counts = [int(row.split("</td><td>")[3]) for row in text.split("<h2>marks", 1)[1].split("<tr><td>")[1:]]
        assert sum(counts) == games
    assert "http-equiv" not in page.read_text() and "Stopped before all games" in page.read_text()
    assert not (folder / "grades" / "grades.csv").exists()  # marks are given when all is played
    monkeypatch.undo()
    monkeypatch.setattr(contest, "ANCHOR_GAMES", 4)
    contest.play(folder, trust=True)
    assert "http-equiv" not in page.read_text() and "Stopped" not in page.read_text() and "division 1" in page.read_text()


def test_a_page_is_not_written_twice_in_its_seconds(monkeypatch):
    now, written = [100.0], []
    monkeypatch.setattr(contest, "time", SimpleNamespace(monotonic=lambda: now[0]))
    live = contest.Live(lambda words, seconds: written.append(seconds))
    for _ in range(50):
        live.look()
    assert written == [contest.PAGE_SECONDS]
    now[0] += contest.PAGE_SECONDS + 1
    live.look()
    assert written == [contest.PAGE_SECONDS] * 2


def test_settings_that_cannot_be_read_are_told(tmp_path):
    with pytest.raises(BadValue, match="no contest's folder"):
        contest.play(tmp_path)


def test_ratings_are_those_of_the_games():
    assert contest.rate([(0.0, 1.0), (0.0, 0.0)] * 50)[0] == pytest.approx(0, abs=1)
    strong, weak = contest.rate([(100.0, 1.0)] * 30), contest.rate([(100.0, 0.0)] * 30)
    assert strong[0] > 500 and weak[0] < -300
    assert contest.rate([(0.0, 1.0), (0.0, 0.0)] * 500)[1] < contest.rate([(0.0, 1.0), (0.0, 0.0)] * 50)[1]


def test_likeness_sees_through_names_and_comments():
    copied = GOOD.replace("me, safe =", "ich, safe =").replace("(me)", "(ich)")
    copied = copied.replace("action", "zug").replace(".zugs()", ".actions()")
    other = (
        "def choose(position, limits):\n    best = None\n    for n, a in enumerate(position.actions()):\n        if n % "
        "2: best = a\n"
        "        while best is None and n > 3:\n            n -= 1\n    return best if best is not None else "
        "position.actions()[-1]\n"
    )
    found = likeness.pairs({"one": GOOD, "two": copied, "three": other}, contest.STUDENT)
    assert [(one, two) for one, two, _ in found] == [("one", "two")]
