"""Studies at the command line, in files and in the studio."""

import json

import pytest

from outplay.cards import cards
from outplay.cli.app import run
from outplay.errors import BadValue
from outplay.experts.poker.study import command
from outplay.experts.poker.study.files import load, save
from outplay.experts.poker.study.look import look
from outplay.experts.poker.study.solver import Study

SPOT = ["equilibrium", "hold'em", "--flop", "Qs Jh 2h 7c 3d", "--pot", "60", "--stack", "100", "--ranges", "AA,T9s:0.5 / KK,98s"]


def test_a_study_is_solved_kept_and_shown(capsys, tmp_path):
    file = str(tmp_path / "aces.study")
    assert run([*SPOT, "--sizes", "50:60", "--out", file, "--json"]) == 0
    told = capsys.readouterr()
    found = json.loads(told.out)
    assert "MB in numbers of 32 bits" in told.err
    assert found["exploitability"] <= 0.5
    assert sum(found["values"]) == pytest.approx(60, abs=0.01)
    aces = found["place"]["hands"]["AsAh"]
    assert aces["check"]["share"] + aces["bet 30"]["share"] == pytest.approx(1)
    assert run(["equilibrium", "hold'em", "--open", file, "--line", "bet 30"]) == 0
    shown = capsys.readouterr().out
    assert "river Qs Jh 2h 7c 3d after bet 30: the last to act, pot 90" in shown
    charts = [line for line in shown.splitlines() if len(line.split()) == 13 and "-" in line.split()]
    assert len(charts) == 13 * (len(look(load(file), "bet 30").actions) - 1)


def test_a_checkpoint_goes_on(capsys, tmp_path):
    file = str(tmp_path / "half.study")
    for _ in range(2):
        assert run([*SPOT, "--iterations", "20", "--checkpoint", file, "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
    assert found["iterations"] == 40


@pytest.mark.parametrize(("words", "said"), [
    (["equilibrium", "hold'em", "--flop", "Qs Jh 2h"], "--pot is missing"),
    ([*SPOT, "--sizes", "50:60", "--line", "bet 31"], "expected check or bet 30, got 'bet 31'"),
    (["equilibrium", "kuhn poker", "--flop", "Qs Jh 2h"], "has no studies of one hand"),
    ([*SPOT[:-1], "AA"], "two ranges with a slash between"),
    (["equilibrium", "hold'em", "--flop", "Qs Jh 2h", "--pot", "20", "--stack", "100", "--ranges", "22+ / 22+", "--sizes", "50:50",
      "--memory", "1"], "with --bits 16"),
])
def test_what_is_missing_or_too_large_is_said(capsys, words, said):
    assert run(words) != 0
    assert said in capsys.readouterr().err


def test_a_small_memory_takes_numbers_of_16_bits(monkeypatch):
    spot = {"board": "Qs Jh 2h 7c", "pot": 60, "stack": 200, "ranges": "22+,A2s+ / random", "sizes": "50:60"}
    need = Study(cards(spot["board"]), pot=60, stack=200, ranges=("22+,A2s+", "random"), sizes=spot["sizes"]).need
    monkeypatch.setattr(command, "free_memory", lambda: need.narrow + 1)
    made = command._made(spot["board"], 60, 200, spot["ranges"], spot["sizes"], None, 2048, 1, "cpu")
    assert made.bits == 16
    monkeypatch.setattr(command, "free_memory", lambda: need.narrow - 1)
    with pytest.raises(BadValue, match="offer fewer sizes"):
        command._made(spot["board"], 60, 200, spot["ranges"], spot["sizes"], None, 2048, 1, "cpu")


@pytest.mark.parametrize("content", [b"", b"PK", b"no study at all" * 100])
def test_damaged_files_are_refused(tmp_path, content):
    file = tmp_path / "broken.study"
    file.write_bytes(content)
    with pytest.raises(BadValue, match="damaged, or no study"):
        load(file)


def test_the_studio_shows_what_is_kept(tmp_path, monkeypatch):
    from fastapi.testclient import TestClient

    from outplay.web.app import create_app

    study = Study(cards("Qs Jh 2h 7c"), pot=60, stack=100, ranges=("AA,T9s", "KK,98s"), sizes="50:60")
    study.run(10)
    save(study, tmp_path / "aces.study")
    monkeypatch.chdir(tmp_path)
    studio = TestClient(create_app(), base_url="http://localhost")
    assert "aces.study" in studio.get("/studies/holdem").text
    page = studio.get("/studies/holdem?file=aces.study").text
    assert "the seat that acts first" in page
    assert "bet 30" in page
    assert "K♥" in studio.get("/studies/holdem?file=aces.study&line=check,check").text
    assert "The river" in studio.get("/studies/holdem?file=aces.study&line=check,check,Kh").text
    assert "expected check or bet 30" in studio.get("/studies/holdem?file=aces.study&line=bet+1").text
    assert studio.get("/studies/holdem?file=other.study").status_code == 404
