"""`warm`, `bench` and `check`."""

import json

from outplay.cli.main import run


def test_warm_compiles_what_was_asked_for(capsys):
    assert run(["warm", "tic-tac-toe", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["games"]
    assert [(row["game"], row["algorithm"]) for row in rows] == [("tic-tac-toe", "engine:pvs")]


def test_a_wrong_name_is_told_before_anything_is_compiled(capsys):
    assert run(["warm", "tic-tac-toe", "nmi"]) == 2
    assert capsys.readouterr() == ("", "unknown game 'nmi': did you mean 'nim'?\n")


def test_bench_runs_the_tables_of_a_checkout(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr("outplay.cli.upkeep.BENCHMARKS", tmp_path)
    (tmp_path / "one.py").write_text("def helper(): pass\n\ndef main():\n    print('nodes in all: 7')\n    return [{'nodes': 7}]\n")
    (tmp_path / "two.py").write_text("from outplay.errors import Unavailable\n\ndef main():\n    raise Unavailable('no GPU')\n")
    (tmp_path / "helper.py").write_text("VALUE = 1\n")
    assert run(["bench"]) == 0
    assert capsys.readouterr() == ("nodes in all: 7\n", "-- one\n-- two\ntwo: no GPU\n")
    assert run(["bench", "one", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"tables": {"one": [{"nodes": 7}]}}


def test_an_installed_package_has_no_tables(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr("outplay.cli.upkeep.BENCHMARKS", tmp_path / "benchmarks")
    assert run(["bench"]) == 2
    said = "bench needs the benchmarks/ folder of a checkout of the project; an installed package has none\n"
    assert capsys.readouterr() == ("", said)


def test_check_tells_of_a_good_game_and_of_a_bad_one(capsys, tmp_path):
    assert run(["check", "tic-tac-toe", "--games", "3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ok"] is True
    bad = tmp_path / "bad.py"
    bad.write_text(
        "from outplay.game import Game\n"
        "class Bad(Game):\n"
        "    name = 'bad'\n"
        "    def initial(self): return (2, 0)\n"
        "    def player(self, state): return state[1]\n"
        "    def actions(self, state): return [1]\n"
        "    def result(self, state, action): return (state[0] - 1, 1 - state[1])\n"
        "    def is_terminal(self, state): return state[0] == 0\n"
        "    def utility(self, state, player): return 1\n"  # both win: not zero-sum
    )
    assert run(["check", str(bad), "--games", "3"]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and "utilities" in err
