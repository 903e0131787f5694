"""`best`, `solve` and `compare` on games of one player."""

import json

import pytest

from outplay.cli.main import run


def told(capsys, *arguments):
    """The exit status, and what was printed."""
    status = run(list(arguments))
    return status, *capsys.readouterr()


def test_solve_gives_a_shortest_solution(capsys):
    code, out, _ = told(capsys, "solve", "fifteen puzzle", "--position", "0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15", "--json")
    answer = json.loads(out)
    assert code == 0 and (answer["cost"], answer["depth"], len(answer["line"]), answer["value"]) == (42, 42, 42, [1.0])
    assert answer["algorithm"] == "engine:ida-star" and answer["action"] == answer["line"][0]


def test_best_and_compare(capsys):
    code, out, _ = told(capsys, "best", "grid:map=S9G/...", "--json")
    assert code == 0 and json.loads(out)["line"] == ["down", "right", "right", "up"] and json.loads(out)["cost"] == 4
    code, out, _ = told(capsys, "compare", "grid:map=S.G/...", "--json")
    answer = json.loads(out)
    assert code == 0 and answer["agree"] and {row["algorithm"] for row in answer["rows"]} >= {"a-star", "engine:ida-star"}


def test_plans(capsys):
    code, out, _ = told(capsys, "best", "vacuum world:erratic=yes")
    assert code == 0 and "a plan that always works, of 3 actions at most" in out and "if .. a: done" in out
    code, out, _ = told(capsys, "solve", "vacuum world:erratic=yes", "--json")
    assert code == 0 and json.loads(out)["plan"].startswith("suck\n")


def test_no_way_is_an_answer(capsys):
    code, out, _ = told(capsys, "solve", "grid:map=S.#G")
    assert code == 0 and "there is no way to the goal" in out
    code, out, _ = told(capsys, "best", "grid:map=S.#G", "--json")
    answer = json.loads(out)
    assert code == 0 and (answer["action"], answer["cost"], answer["value"], answer["exact"]) == (None, None, [0.0], True)


def test_a_limit_says_what_is_known(capsys):
    hard = "15 2 12 11 14 13 9 5 1 3 8 7 0 10 6 4"
    code, _, err = told(capsys, "solve", "fifteen puzzle", "--position", hard, "--nodes", "100000")
    assert code == 2 and "not solved after 100,000 nodes" in err and "a way costs at least" in err
    code, out, _ = told(capsys, "best", "fifteen puzzle", "--position", hard, "--nodes", "100000", "--json")
    answer = json.loads(out)
    assert code == 0 and not answer["exact"] and answer["bound"] >= 43 and answer["cost"] is None


@pytest.mark.parametrize("arguments, line", [
    (["solve", "fifteen puzzle", "--position", "1 2 x"], "expected each number from 0 to 15 once"),
    (["best", "grid:map=S"], "a map is rows of one length"),
    (["best", "grid", "--algorithm", "alphabeta"], "alphabeta needs a two-player"),
    (["best", "tic-tac-toe", "--algorithm", "engine:a-star"], "a-star needs a one-player game"),
    (["best", "grid", "--algorithm", "astarr"], "did you mean 'a-star'?"),
])
def test_wrong_requests_get_one_line(capsys, arguments, line):
    code, out, err = told(capsys, *arguments)
    assert code == 2 and out == "" and "Traceback" not in err
    assert line in err.strip().splitlines()[-1]
