"""Lessons: every page stands, its exercises are answered, its sheets printed, and each number is what its command says."""

import json
import re
import shlex
from html import unescape

import pytest

pytest.importorskip("fastapi")
from fastapi.testclient import TestClient

from outplay.lessons import exercises, measures, numbers
from outplay.lessons import table as tables
from outplay.web import pages
from outplay.web.app import create_app

ALL = [(topic, number) for topic in exercises.topics() for number in range(exercises.many(topic))]
LESSONS = sorted(path.stem for path in (pages.STATIC / "learn").glob("*.html"))


@pytest.fixture(scope="module")
def client():
    with TestClient(create_app(), base_url="http://localhost") as studio:
        yield studio


def test_every_lesson_is_listed_and_every_topic_has_exercises():
    assert sorted(pages.TOPICS) == LESSONS
    assert set(exercises.topics()) == set(pages.TOPICS)


@pytest.mark.parametrize("topic", pages.TOPICS)
def test_a_lesson_stands_with_its_figure_and_its_parts(client, topic):
    page = client.get(f"/learn/{topic}").text
    assert f'data-topic="{topic}"' in page
    known = set(re.findall(r"^  (?:async )?(\w+)\(block", (pages.STATIC / "learn.js").read_text(), re.M))
    known |= set(re.findall(r"^LIVE\.(\w+) =", (pages.STATIC / "learn.js").read_text(), re.M))
    more = re.search(r"const MORE = \{(.*?)\}", (pages.STATIC / "exercises.js").read_text())[1]
    known |= {name.partition(":")[0].strip() for name in more.split(",")}
    assert set(re.findall(r'data-live="(\w+)"', page)) <= known
    for link in re.findall(r'href="/learn/([\w-]+)"', page):
        assert link in (*pages.TOPICS, "progress")
    assert client.get(f"/figures/{topic}.svg").status_code == 200


@pytest.mark.parametrize(("topic", "number"), ALL)
def test_an_exercise_is_answered_over_the_web(client, topic, number):
    address = f"/api/exercises/{topic}/{number}"
    asked = client.get(address, params={"seed": 5}).json()
    drawn = exercises.draw(topic, number, 5)
    assert asked["question"] == drawn.question and "answer" not in asked and "solution" not in asked
    wrong = client.post(address, json={"seed": 5, "answer": "-987654"}).json()
    assert not wrong["right"] and wrong["hint"] and "solution" not in wrong
    again = client.post(address, json={"seed": 5, "answer": "-987654", "attempt": 2}).json()
    assert not again["right"] and again["solution"] == drawn.solution
    if drawn.picks:
        _, tree = exercises.searched(drawn.tree, drawn.algorithm)
        right = client.post(address, json={"seed": 5, "nodes": list(tree.struck())}).json()
        assert right["frames"]
    else:
        right = client.post(address, json={"seed": 5, "answer": drawn.answer}).json()
    assert right["right"] and right["solution"] == drawn.solution


def test_what_is_asked_wrongly_is_one_line(client):
    assert client.get("/api/exercises/nothing/0").status_code == 404
    assert client.get("/api/exercises/minimax/99").status_code == 404
    assert client.get("/api/lectures/nothing").status_code == 404
    assert client.get("/api/lectures/orders/60/60").status_code == 422
    assert client.get("/api/exercises/minimax?each=1000").status_code == 422


def test_sheets_without_and_with_solutions(client):
    plain, solved = (client.get("/api/exercises/minimax", params={"seed": 1, "solutions": wanted}).text for wanted in (False, True))
    assert plain.count("<li>") == exercises.many("minimax") and "Solutions" not in plain
    assert solved.count("<li>") == 2 * exercises.many("minimax") and "Solutions" in solved
    assert exercises.draw("minimax", 0, 1).solution not in unescape(plain)


def test_leaves_by_order_are_told_with_both_models(client):
    found = client.get("/api/lectures/orders/3/4").json()
    assert found["best"] == 17 and found["worst"] == 81 and found["best"] < found["graded"] < found["independent"] < 81


def test_the_way_with_its_windows_and_the_questions_of_mtdf(client):
    def grown(algorithm):
        asked = {"game": "tree", "parameters": {"tree": "[[3,12,8],[2,4,6],[14,5,2]]"}, "algorithm": algorithm}
        lines = client.post("/api/trees", json=asked).text.splitlines()
        return next(json.loads(line)["tree"] for line in lines if "tree" in json.loads(line))

    tree = grown("alphabeta")
    found = client.get(f"/api/trees/{tree['address']}/way", params={"tick": 9}).json()
    assert [(node["name"], node["alpha"], node["beta"], node["value"]) for node in found["way"]] == [
        ("the root", "3", "∞", "3"), ("a2", "3", "∞", "")]  # fmt: skip
    weak, strong = (grown(f"opponent:skill={p}")["value"] for p in (0.1, 1))
    assert (weak, strong) == (pytest.approx(9.3), 3)  # options of an algorithm reach it
    asked = client.get(f"/api/trees/{grown('mtdf')['address']}/way").json()["passes"]
    assert asked and all(len(one) == 2 for one in asked)


def test_proof_numbers_stand_below_the_nodes(client):
    lines = client.post("/api/trees", json={"game": "tic-tac-toe", "start": "xo./.x./..o x", "algorithm": "pns"}).text.splitlines()
    tree = next(json.loads(line)["tree"] for line in lines if "tree" in json.loads(line))
    seen = client.post(f"/api/trees/{tree['address']}/view", json={"tick": tree["ticks"]}).json()
    assert any("proof number" in frame["s"] for frame in seen["frames"]) and " : " in seen["svg"]


def test_regrets_over_iterations(client):
    film = client.post("/api/regrets", json={"game": "kuhn poker", "iterations": 100}).json()
    assert len(film["sets"]) == 12 and film["iterations"][-1] == 100
    assert film["exploitability"][-1] < 0.1 < film["exploitability"][0]
    assert abs(film["values"][-1] + 1 / 18) < 0.02
    for each in film["sets"]:
        for mixture in (*each["plays"], *each["average"]):
            assert abs(sum(mixture) - 1) < 1e-6
    assert client.post("/api/regrets", json={"game": "leduc poker"}).status_code == 422


def test_sampled_regrets_are_those_of_mccfr(client):
    from outplay.game import load
    from outplay.textbook import run

    film = client.post("/api/regrets", json={"game": "kuhn poker", "iterations": 100, "sampled": True}).json()
    assert film["values"][-1] == pytest.approx(run("mccfr", load("kuhn poker").start(), iterations=100).value)
    whole = client.post("/api/regrets", json={"game": "kuhn poker", "iterations": 100}).json()
    assert film["sets"][0]["regrets"] != whole["sets"][0]["regrets"]


def test_the_page_of_two_searches_stands(client):
    assert "beside.js" in client.get("/beside").text and "beyond.js" in client.get("/inside").text


# A number in a lesson may name its command: <b class="says" data-command="outplay lectures chinook">443,748,401,247</b>
MARK = re.compile(r'<b class="says" data-command="([^"]+)">(.*?)</b>', re.S)
TEXTS = {topic: (pages.STATIC / "learn" / f"{topic}.html").read_text("utf-8") for topic in LESSONS}
SAID = [(topic, *map(unescape, found)) for topic, text in TEXTS.items() for found in MARK.findall(text)]


@pytest.mark.parametrize(("topic", "command", "text"), SAID)
def test_a_number_in_a_lesson_is_what_its_command_says(capsys, monkeypatch, topic, command, text):
    from outplay.cli.app import run

    monkeypatch.setenv("COLUMNS", "400")
    program, *arguments = shlex.split(command)
    assert program == "outplay"
    if arguments[0] == "lectures" and arguments[1] in tables.names_kept():
        arguments.append("--kept")  # what it says now is compared below
    assert run(arguments) == 0
    assert text in re.sub(r"\s+", " ", capsys.readouterr().out), f"{topic}: {command} does not say {text}"


SHORT = {
    "asterisk": {"games": ("kuhn poker",)},
    "bns": {"shapes": ((4, 4),), "values": (2,)},
    "company": {"boards": ((3, 2),)},
    "flips": {"games": ("isolation",), "deepest": 3},
    "forced": {"depths": (4,)},
    "half": {"widths": (4,)},
    "isolation": {"boards": ((3, 2),)},
    "million": {"ways": 1, "positions": 1},
    "order": {"shapes": ((3, 6),)},
    "replacement": {"powers": ()},
    "rote": {"stages": (0, 50), "duels": 0},
    "second": {"measured": False},
    "sliding": {"bounds": (10,)},
}
"""A part of each table that is kept, small enough to be made in a test."""


@pytest.mark.parametrize("name", [name for name in tables.names_kept() if name in SHORT])
def test_a_table_that_is_kept_is_what_its_command_makes(name):
    kept, made = tables.kept(name), numbers.TABLES[name](**SHORT[name])
    assert kept is not None and made.columns == kept.columns[: len(made.columns)]
    for row in (each[: {"rote": 2}.get(name)] for each in made.rows):
        assert row in [each[: len(row)] for each in kept.rows], f"{name} is {row} now: make it again, and keep it"


@pytest.mark.parametrize("name", ["strength", "chess"])
def test_games_of_depth_and_strength_are_those_that_are_kept(name):
    kept = tables.kept(name)
    assert kept is not None
    game = measures.CONNECT if name == "strength" else "chess"
    assert measures.strength_of(game, kept.detail) == kept  # the numbers follow from the games
    depth, _, ended = kept.detail[0].partition(" ")
    assert (depth, len(ended) % 2) == ("2", 0)
    if name == "strength":
        assert ended.startswith(measures.strength(depths=(2,), games=4).detail[0].partition(" ")[2])


def test_the_first_lead_of_ten_deals_is_the_one_that_is_kept():
    kept, made = tables.kept("deals"), measures.deals(leads=1, judges=0)
    assert kept is not None and kept.detail[0].split()[0] == made.detail[0].split()[0] and len(kept.detail) == 24


def test_what_is_kept_has_its_command_and_stands_in_a_lesson(client):
    shown = {name for text in TEXTS.values() for name in re.findall(r'class="measured" data-name="([\w-]+)"', text)}
    named = {shlex.split(command)[2] for _, command, _ in SAID if command.startswith("outplay lectures")}
    assert shown <= set(tables.names_kept()) <= set(numbers.TABLES)
    assert set(tables.names_kept()) <= shown | named
    assert '<div class="measured"' not in client.get("/learn/isolation").text and "5,688,521" in client.get("/learn/isolation").text


def test_rote_learning_remembers_what_positions_are_worth():
    from outplay.game import load
    from outplay.lessons import samuel

    memory = samuel.Memory()
    samuel.by_rote(load("isolation", width=3, height=2), 5, memory)
    assert memory.worth and all(-1 <= worth <= 1 for worth in memory.worth.values())
