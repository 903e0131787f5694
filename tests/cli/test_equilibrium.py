"""The commands equilibrium, exploit and equity, as a script and a person use them."""

import json

import pytest

from outplay.cli.app import run


def answer(capsys, *words):
    assert run([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_equilibrium_and_exploit(capsys, tmp_path):
    file = str(tmp_path / "kuhn.json")
    found = answer(capsys, "equilibrium", "kuhn poker", "--iterations", "3000", "--out", file)
    assert found["value"] == pytest.approx(-1 / 18, abs=1e-4) and found["information_sets"] == 12 and found["iterations"] == 3000
    assert {"exploitability", "nash_conv", "seconds"} <= found.keys()
    exploited = answer(capsys, "exploit", "kuhn poker", f"policy:{file}")
    assert exploited["exploitability"] == pytest.approx(found["exploitability"], abs=1e-9)
    assert answer(capsys, "exploit", "kuhn poker", "random")["nash_conv"] == pytest.approx(11 / 12)


def test_checkpoints(capsys, tmp_path):
    file = str(tmp_path / "half.npz")
    answer(capsys, "equilibrium", "kuhn poker", "--iterations", "10", "--checkpoint", file)
    assert answer(capsys, "equilibrium", "kuhn poker", "--iterations", "10", "--checkpoint", file)["iterations"] == 20


def test_equity(capsys):
    found = answer(capsys, "equity", "AhKh", "QsQd")
    assert found["exact"] and found["equities"] == pytest.approx([0.46214457, 0.53785543]) and found["hands"] == ["AhKh", "QsQd"]
    assert answer(capsys, "equity", "AhKh", "QsQd", "--board", "QhJhTh2c3d")["equities"] == [1.0, 0.0]


@pytest.mark.parametrize(("words", "said"), [
    (("equilibrium", "tic-tac-toe"), "cfr+ needs a game with hidden information; tic-tac-toe hides nothing: use solve"),
    (("equilibrium", "kuhn poker", "--algorithm", "cfp"), "unknown regret algorithm 'cfp'"),
    (("equilibrium", "goofspiel:cards=6", "--memory", "8"), "needs more than 8 MB"),
    (("exploit", "kuhn poker", "policy:nowhere.json"), "cannot read nowhere.json"),
    (("equity", "AhKh"), "two or more hands"),
    (("equity", "AhKh", "AhQd"), "the card Ah is in two hands"),
    (("equity", "AhKx", "QQ"), "expected hands such as"),
    (("equity", "AA", "KK", "--board", "AhKh2c3d4s5s"), "at most five cards"),
])
def test_refusals(capsys, words, said):
    assert run(list(words)) == 2
    told = capsys.readouterr().err.strip().splitlines()[-1]
    assert said in told
