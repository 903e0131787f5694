"""`best`, `solve`, `compare`, `perft`: the answers, and that they agree with the textbook."""

import json
import signal
import subprocess
import sys
import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outplay import textbook
from outplay.cli.main import run
from outplay.cli.think import _differing
from outplay.game import load
from outplay.values import Result

WIN = "xx./oo./... x"  # c3 wins at once


def answer(capsys, *arguments):
    """The JSON object of a command that must be done."""
    status = run([*arguments, "--json"])
    captured = capsys.readouterr()
    assert status == 0, captured.err
    assert captured.out.count("\n") == 1
    return json.loads(captured.out)


SOME_ALGORITHMS = ["auto", "minimax", "engine", "engine:pvs", "engine:mtdf", "pvs", "iterative-deepening"]


@pytest.mark.parametrize("algorithm", SOME_ALGORITHMS)
def test_best_finds_the_win(capsys, algorithm):
    found = answer(capsys, "best", "tic-tac-toe", "--position", WIN, "--algorithm", algorithm)
    assert found["action"] == "c3"
    assert found["player"] == 0 and found["value"] > 0.5
    assert {"line", "depth", "nodes", "seconds", "algorithm", "values", "exact", "nps"} <= set(found)


def test_values_are_of_the_first_player_whoever_moves(capsys):
    found = answer(capsys, "best", "tic-tac-toe", "--position", "oo./xx./x.. o", "--algorithm", "engine:pvs")
    assert (found["action"], found["player"], found["value"], found["values"]) == ("c3", 1, -1.0, [-1.0, 1.0])


def test_best_tells_the_line_in_the_games_notation(capsys):
    # x . o    x must stop o at c2, and then nobody wins
    # . x .
    # . . o
    found = answer(capsys, "best", "tic-tac-toe", "--position", "x.o/.x./..o x")
    assert (found["action"], found["value"], found["exact"]) == ("c2", 0.0, True)
    end = load("tic-tac-toe").position("x.o/.x./..o x").play(found["line"])
    assert found["line"][0] == "c2" and end.utilities() == (0.0, 0.0)


def test_best_of_a_finished_game(capsys):
    found = answer(capsys, "best", "tic-tac-toe", "--position", "xxx/oo./... o")
    assert (found["action"], found["value"], found["line"]) == (None, 1.0, [])


def test_best_for_people(capsys):
    assert run(["best", "tic-tac-toe", "--position", WIN, "--algorithm", "minimax"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:4] == [
        "action  c3",
        "value   +1: win for Crosses",
        "line    c3  (the game ends in 1 ply)",
        "depth   5 plies",
    ]
    assert lines[4].startswith("nodes   157 in ")


def test_several_lines(capsys):
    found = answer(capsys, "best", "tic-tac-toe", "--position", WIN, "--algorithm", "engine:pvs", "--depth", "5", "--lines", "2")
    assert [line["value"] for line in found["lines"]] == [1.0, found["lines"][1]["value"]]
    assert found["lines"][0]["action"] == "c3" != found["lines"][1]["action"]


@pytest.mark.parametrize("name", ["engine:minimax", "engine:alphabeta", "engine:pvs", "engine:mtdf", "engine:bns"])
def test_engine_and_textbook_agree(capsys, name):
    start = load("tic-tac-toe").start().play("a1 b2")
    found = answer(capsys, "best", "tic-tac-toe", "--actions", "a1,b2", "--algorithm", name)
    assert found["value"] == textbook.run("alphabeta", start).value
    assert found["algorithm"] == name


trees = st.lists(st.recursive(st.integers(-20, 20), lambda some: st.lists(some, min_size=1, max_size=3), max_leaves=12), min_size=1)


@settings(max_examples=12)
@given(trees)
def test_best_on_any_tree_is_the_textbooks(tree):
    """The whole way from a text on the command line to JSON, against minimax."""
    import contextlib
    import io

    game = f"tree:tree={json.dumps(tree)}"
    expected = textbook.run("minimax", load(game).start())
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert run(["best", game, "--algorithm", "alphabeta", "--json"]) == 0
    assert json.loads(out.getvalue())["value"] == expected.value


def test_an_unfitting_algorithm_names_a_fitting_one(capsys):
    chance = 'tree:tree={"max": [{"chance": [[0.5, 8], ["1/3", 24], ["1/6", -12]]}, 9]}'
    assert run(["best", chance, "--algorithm", "alphabeta"]) == 2
    assert "use expectiminimax" in capsys.readouterr().err
    assert answer(capsys, "best", chance)["value"] == pytest.approx(10)


def test_three_players_get_a_vector(capsys):
    found = answer(capsys, "best", "tree:tree=[[(1, 2, 6), (4, 2, 3)], [(6, 1, 2), (7, 4, 1)]]")
    expected = textbook.run("maxn", load("tree", tree="[[(1, 2, 6), (4, 2, 3)], [(6, 1, 2), (7, 4, 1)]]").start())
    assert (found["algorithm"], tuple(found["value"])) == ("engine:maxn", expected.value)


def test_a_search_out_of_time_says_so(capsys):
    assert run(["best", "connect four", "--algorithm", "minimax", "--nodes", "50"]) == 2
    err = capsys.readouterr().err
    assert err.splitlines()[-1].startswith("minimax needs more than 50 nodes here")  # compiling may have been told before it


def test_solve(capsys):
    found = answer(capsys, "solve", "tic-tac-toe", "--actions", "b2")
    assert (found["value"], found["exact"]) == (0.0, True)
    assert found["nodes"] > 0 and found["positions"] > 0


def test_solve_a_plain_game_and_a_game_of_chance(capsys, tmp_path):
    assert answer(capsys, "solve", str(coins(tmp_path)))["value"] == 1.0
    chance = 'tree:tree={"max": [{"chance": [[0.5, 8], ["1/3", 24], ["1/6", -12]]}, 9]}'
    assert answer(capsys, "solve", chance)["value"] == pytest.approx(10)


def test_solve_gives_up_when_told_to(capsys):
    assert run(["solve", "connect four", "--nodes", "2000", "--json"]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and "connect four" in captured.err.splitlines()[-1]


def test_compare(capsys):
    table = answer(capsys, "compare", "tree", "--algorithms", "minimax,alphabeta,engine:pvs")
    rows = {row["algorithm"]: row for row in table["rows"]}
    assert list(rows) == ["minimax", "alphabeta", "engine:pvs"]
    assert {row["value"] for row in rows.values()} == {3.0} and {row["action"] for row in rows.values()} == {"a1"}
    assert (rows["minimax"]["leaves"], rows["alphabeta"]["leaves"]) == (9, 7)
    assert table["agree"] is True


def test_compare_warns_only_where_the_same_value_was_promised(capsys):
    tree = "tree:tree=[[5, 9], [3, 8], [7, 8]]"
    assert run(["compare", tree, "--algorithms", "minimax,opponent"]) == 0
    captured = capsys.readouterr()
    assert "differ" not in captured.err and "minimax" in captured.out and "7.5" in captured.out
    position = load(tree).start()
    right, wrong, other = (Result(0, value, algorithm=name) for name, value in (("minimax", 7.0), ("pvs", 5.0), ("opponent", 7.5)))
    assert _differing({"minimax": right, "pvs": wrong, "opponent": other}, position) == ["minimax", "pvs"]


def test_a_row_that_does_not_fit_says_why(capsys):
    assert run(["compare", "tree:tree=[[0.5,1],[0.25,2]]", "--algorithms", "minimax,engine:pvs,a-star", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert rows[0]["value"] == rows[1]["value"] == 0.5 and "one-player" in rows[2]["problem"]  # the engine takes fractions


def test_compare_chooses_by_traits(capsys):
    chance = 'tree:tree={"max": [{"chance": [[0.5, 8], ["1/3", 24], ["1/6", -12]]}, 9]}'
    table = answer(capsys, "compare", chance)
    assert "expectiminimax" in {row["algorithm"] for row in table["rows"]} and table["agree"]


def coins(folder):
    """A plain game in an author's own file."""
    path = folder / "coins.py"
    path.write_text(textwrap.dedent('''
        from outplay.game import Game

        class Coins(Game):
            """Take one or two of five coins; whoever takes the last one wins."""
            name = "coins"
            def initial(self): return (5, 0)
            def player(self, state): return state[1]
            def actions(self, state): return [n for n in (1, 2) if n <= state[0]]
            def result(self, state, action): return (state[0] - action, 1 - state[1])
            def is_terminal(self, state): return state[0] == 0
            def utility(self, state, player): return -1 if player == state[1] else 1
    '''))
    return path


def test_perft(capsys):
    assert [answer(capsys, "perft", "tic-tac-toe", "--depth", str(d))["nodes"] for d in (0, 1, 2, 3, 9)] == [1, 9, 72, 504, 127872]
    assert answer(capsys, "perft", "tic-tac-toe", "--position", WIN, "--depth", "2", "--threads", "2")["nodes"] == 16


def test_perft_of_a_plain_game(capsys, tmp_path):
    # 5 coins by ones and twos: the ways to play exactly d moves
    counted = [answer(capsys, "perft", str(coins(tmp_path)), "--depth", str(d))["nodes"] for d in range(7)]
    assert counted == [1, 2, 4, 7, 5, 1, 0]


def test_best_on_a_plain_game(capsys, tmp_path):
    found = answer(capsys, "best", str(coins(tmp_path)))
    assert (found["action"], found["value"], found["algorithm"]) == ("2", 1.0, "iterative-deepening")


@pytest.mark.parametrize("as_json", [False, True])
def test_ctrl_c_gives_the_best_so_far(as_json):
    command = [sys.executable, "-m", "outplay", "best", "connect four", "--time", "3000", *(["--json"] if as_json else [])]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        for line in running.stderr:  # the progress line that tells of a finished depth
            if "depth" in line:
                break
        running.send_signal(signal.SIGINT)
        out, err = running.communicate()
    assert running.returncode == 130
    assert "Traceback" not in err
    assert (json.loads(out)["action"] if as_json else out.split()[1]) in "1234567"


def test_ctrl_c_stops_a_search_that_has_nothing_yet():
    command = [sys.executable, "-m", "outplay", "best", "connect four", "--algorithm", "minimax"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert any("nodes" in line for line in running.stderr)  # until progress tells that the search runs
        running.send_signal(signal.SIGINT)
        out, err = running.communicate()
    assert (running.returncode, out) == (130, "")
    assert err.splitlines()[-1] == "stopped before anything was found"


def test_limits_reach_the_search(capsys):
    assert answer(capsys, "best", "connect four", "--depth", "3")["depth"] == 3
    found = answer(capsys, "best", "tic-tac-toe", "--algorithm", "mcts", "--simulations", "30", "--position", WIN)
    assert found["action"] == "c3" and found["leaves"] == 30


def test_a_depth_for_monte_carlo_search(capsys):
    """It knows none: a number of simulations takes its place where nobody named the search, and else it is refused."""
    assert answer(capsys, "best", "blind-tic-tac-toe", "--depth", "3")["algorithm"] == "engine:ismcts"
    assert run(["best", "tic-tac-toe", "--algorithm", "engine:mcts", "--depth", "3"]) == 2
    assert "looks at no fixed depth" in capsys.readouterr().err
    algorithms = ["--algorithms", "alphabeta,engine:mcts", "--simulations", "50"]
    rows = answer(capsys, "compare", "tic-tac-toe", "--depth", "2", *algorithms)["rows"]
    assert [row["algorithm"] for row in rows] == ["alphabeta", "engine:mcts"]


def test_compare_replacement_policies(capsys):
    policies = ["always", "deeper", "older-first"]
    rows = answer(capsys, "compare", "connect-four:width=4,height=4", "--depth", "6", "--replacement", ",".join(policies))["rows"]
    assert [row["algorithm"] for row in rows] == [f"engine:pvs {policy}" for policy in policies]
    assert len({row["value"] for row in rows}) == 1
    assert run(["compare", "connect-four", "--depth", "3", "--replacement", "newest"]) == 2
    assert "unknown replacement policy 'newest'" in capsys.readouterr().err


def test_compare_without_a_depth_ends_in_a_big_game(capsys, monkeypatch):
    """Rows that do not come to the end of the game say so; the others stand as they are."""
    monkeypatch.setattr("outplay.cli.think.MOST_NODES", {False: 300, True: 300})
    searches = "alphabeta,iterative-deepening,mcts"
    table = answer(capsys, "compare", "connect-four", "--algorithms", searches, "--simulations", "20")
    rows = {row["algorithm"]: row for row in table["rows"]}
    assert "needs more than 300 nodes" in rows["alphabeta"]["problem"]
    assert "give it a --depth" in rows["iterative-deepening"]["problem"] and "value" in rows["mcts"]
