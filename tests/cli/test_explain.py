"""`explain`: search trees as files."""

import json

import pytest

from outplay.cli.main import run


def outplay(capsys, *arguments):
    status = run(arguments)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


@pytest.mark.parametrize("kind", ["html", "svg"])
def test_the_lectures_tree_as_a_file(capsys, tmp_path, kind):
    out = tmp_path / f"tree.{kind}"
    status, answer, _ = outplay(capsys, "explain", "tree", "--algorithm", "alphabeta", "--out", str(out), "--json")
    told = json.loads(answer)
    assert status == 0
    assert (told["out"], told["nodes"], told["pruned"], told["value"]) == (str(out), 11, 2, 3.0)
    assert out.read_text().count('class="node leaf struck') == 2


def test_the_engines_names_and_positions_are_understood(capsys, tmp_path):
    out = str(tmp_path / "tree.svg")
    arguments = ("explain", "tic-tac-toe", "--position", "x.o/.o./..x x", "--depth", "2", "--out", out)
    assert outplay(capsys, *arguments, "--algorithm", "engine:pvs")[:2] == (0, out + "\n")
    told = json.loads(outplay(capsys, "explain", "blind tic-tac-toe", "--simulations", "20", "--out", out, "--json")[1])
    assert told["algorithm"] == "mcts"


@pytest.mark.parametrize(("problem", "algorithm"), [("grid", "a-star"), ("vacuum world:erratic=true", "and-or"),
                                                    ("vacuum world:sensors=none", "belief")])  # fmt: skip
def test_a_problem_is_explained_by_a_search_for_a_way(capsys, tmp_path, problem, algorithm):
    told = json.loads(outplay(capsys, "explain", problem, "--out", str(tmp_path / "tree.svg"), "--json")[1])
    assert told["algorithm"] == algorithm


@pytest.mark.parametrize(("arguments", "expected"), [
    (["tree", "--out", "tree.png"], "--out expects a name that ends in .html or .svg, got 'tree.png'"),
    (["tree", "--out", "t.svg", "--algorithm", "alfabeta"], "unknown algorithm 'alfabeta': did you mean 'alphabeta'?"),
    (["tree", "--out", "/no/such/folder/t.svg"], "cannot write '/no/such/folder/t.svg': No such file or directory"),
    (["tree"], "missing --out: outplay explain needs it, and outplay explain --help lists what it takes"),
])  # fmt: skip
def test_a_wrong_request_gets_one_line(capsys, arguments, expected):
    status, out, err = outplay(capsys, "explain", *arguments)
    assert (status, out, err) == (2, "", expected + "\n")
