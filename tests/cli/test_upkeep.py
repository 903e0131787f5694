"""`warm` and `check`."""

import json

from outplay.cli.main import run


def test_warm_compiles_what_was_asked_for(capsys):
    assert run(["warm", "tic-tac-toe", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["games"]
    assert [(row["game"], row["algorithm"]) for row in rows] == [("tic-tac-toe", "engine:pvs")]


def test_a_wrong_name_is_told_before_anything_is_compiled(capsys):
    assert run(["warm", "tic-tac-toe", "nmi"]) == 2
    assert capsys.readouterr() == ("", "unknown game 'nmi': did you mean 'nim'?\n")


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
