"""The workshop finds what is known of small games, and makes unfair ones fair."""

import functools
import json
from pathlib import Path

import pytest

import outplay
from outplay.cli.app import run
from outplay.errors import BadValue
from outplay.workshop.balance import Tried, balance, settings, vary
from outplay.workshop.weigh import Level, Report, kind_of, share_of, weigh, weighing

RACE = '''
from outplay.game import Game


class Race(Game):
    """Both take one to three from a heap of their own; whose heap is empty first wins. The second heap is smaller."""

    name = "race"

    def __init__(self, heap=12, less=0):
        self.heap, self.less = int(heap), int(less)
        self.name = f"race:heap={heap},less={less}"

    def initial(self): return (self.heap, self.heap - self.less, 0)
    def player(self, state): return state[2]
    def actions(self, state): return [n for n in (1, 2, 3) if n <= state[state[2]]]
    def result(self, state, action):
        left = list(state)
        left[state[2]] -= action
        left[2] = 1 - state[2]
        return tuple(left)
    def is_terminal(self, state): return 0 in state[:2]
    def utility(self, state, player): return 1 if state[player] == 0 else -1
'''


@pytest.fixture
def race(tmp_path):
    path = tmp_path / "race.py"
    path.write_text(RACE)
    return path


def test_what_is_known_is_found():
    found = weigh(outplay.load("tic-tac-toe"), seconds=2.5)
    random = found.levels[0]
    # of all random games the first player wins 58.5 %, and 12.7 % are drawn
    assert abs(random.first - (0.585 + 0.127 / 2)) < 2 * random.error and 5 <= found.shortest <= found.longest <= 9
    assert found.value in (0.0, None) and abs(found.branching_by_ply[0] - 9) < 1e-9 and abs(found.branching_by_ply[1] - 8) < 1e-9
    assert abs(found.log_games - 5.407) < 0.1  # 255,168 ways to play
    told = json.loads(json.dumps(found.fields()))
    assert {"first", "drawn", "plies", "branching", "levels", "value"} <= told.keys()


def test_a_solved_game_says_so():
    for heaps, worth, plies in (("1-2-3", -1.0, 6), ("1-2-4", 1.0, 7)):  # theory: lost where the exclusive or of the heaps is 0
        reports = weighing(outplay.load(f"nim:heaps={heaps}"), seconds=15.0)
        found = next(report for report in reports if report.value is not None)
        assert found.value == worth and found.won_in in (plies, None)  # None: not found in the time


def test_one_number_is_told_of_enough_games_only():
    report = Report("mine", 2, levels=[Level("random", 1000, 0.6), Level("beginner", 12, 0.7), Level("strong", 2, 0.0)])
    assert report.first == 0.7 and report.told.name == "beginner"


def test_a_game_that_never_ends_is_told():
    class Endless(outplay.Game):
        name = "endless"

        def initial(self):
            return 0

        def player(self, state):
            return state

        def actions(self, state):
            return [0]

        def result(self, state, action):
            return 1 - state

        def is_terminal(self, state):
            return False

        def utility(self, state, player):
            return 0

    found = weigh(Endless(), seconds=0.05)
    assert found.cut > 0 and found.levels[0].games == 0


def test_kinds_and_shares():
    assert kind_of(outplay.load("chess").start(), outplay.load("chess").start().parse_action("e2e4")) == "##"
    assert [share_of(each) for each in ((1, -1), (0, 0), (-1, 1), (5, 1, 5))] == [1.0, 0.5, 0.0, 0.75]


@pytest.mark.parametrize("heap", [8, 10, 12, 15, 20])
def test_an_unfair_game_comes_out_fair(race, heap):
    ranked = []
    for ranked in balance(f"{race}:heap={heap}", [vary("less=0..4")], seconds=6.0, who="random"):
        if sum(len(each.points) for each in ranked) > 900:
            break
    shares = {less: exactly(heap, heap - less) for less in range(5)}
    fairest = min(abs(share - 0.5) for share in shares.values())
    best = ranked[0].values["less"]
    assert abs(shares[best] - 0.5) < fairest + 0.04 and max(abs(share - 0.5) for share in shares.values()) > 0.1
    assert abs(ranked[0].first - shares[best]) < 0.08


@functools.cache
def exactly(mine: int, other: int) -> float:
    """How likely whoever moves is to win a race of random players."""
    choices = [n for n in (1, 2, 3) if n <= mine]
    return sum(1.0 if n == mine else 1 - exactly(other, mine - n) for n in choices) / len(choices)


def test_what_is_asked_for():
    assert vary("a=1..3").values == (1, 2, 3) and vary("a=1..2/0.5").values == (1.0, 1.5, 2.0)
    assert vary("w=x|y").values == ("x", "y")
    assert len(list(settings([vary("a=1..3"), vary("b=1|2")]))) == 6
    for wrong in ("a", "a=", "=1..2", "a=2..1", "a=1..x", "a=1..1000000", "a=1..2/0"):
        with pytest.raises(BadValue, match="--vary"):
            vary(wrong)
    with pytest.raises(BadValue, match="too many"):
        list(settings([vary("a=1..100"), vary("b=1..100")]))
    tried = Tried({"a": 1}, outplay.load("nim"))
    assert tried.first == 0.5 and tried.fields()["error"] is None


def test_the_commands(race, capsys):
    assert run(["weigh", "nim:heaps=1-2", "--time", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["levels"][0]["name"] == "random"
    assert run(["weigh", str(race), "--time", "1"]) == 0
    assert "moves first gets" in capsys.readouterr().out
    assert run(["balance", str(race), "--vary", "less=0..2", "--time", "1", "--player", "random", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["best"].keys() == {"less"} and {"first", "error", "tried"} <= told.keys() and len(told["tried"]) == 3
    assert run(["balance", "nim", "--vary", "hepas=1|2"]) == 2
    assert "heaps" in capsys.readouterr().err
    assert run(["balance", "pocket cube", "--vary", "scramble=1|2"]) == 2


def test_a_report_is_a_page_with_figures(tmp_path, capsys):
    file = tmp_path / "report.html"
    assert run(["weigh", "nim", "--time", "0.3", "--out", str(file), "--json"]) == 0
    capsys.readouterr()
    text = file.read_text()
    assert text.count("<svg") >= 2
    assert "Who wins, by strength" in text


def test_words_of_an_author_are_escaped_on_the_page():
    from outplay.workshop.page import page

    report = Report("<b>mine", 2, levels=[Level("random", 10, 0.6, 0.1)], openings={"<i>x": 1.0}, unused=["<u>y"],
                    branching_by_ply=[2.0])
    text = page(report)
    assert "<b>mine" not in text
    assert "<i>x" not in text
    assert "<u>y" not in text


def test_the_studio_weighs_a_file_that_it_was_started_with(tmp_path, monkeypatch):
    from fastapi.testclient import TestClient

    from outplay.web import own
    from outplay.web.app import create_app

    file = tmp_path / "coins.py"
    file.write_text((Path(__file__).parents[1] / "coins.py").read_text())
    monkeypatch.setattr(own, "named", [str(file)])
    monkeypatch.setattr(own, "WEIGH_SECONDS", 0.3)
    with TestClient(create_app(), base_url="http://localhost") as studio:
        lines = [json.loads(line) for line in studio.post("/api/own/0/weigh", json={}).text.splitlines()]
        assert "Width by ply" in lines[-1]["page"]
        assert studio.post("/api/own/1/weigh", json={}).status_code == 404
