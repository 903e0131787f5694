"""`outplay review`: every move of a game judged."""

import json

from outplay.cli.main import run as outplay


def run(capsys, *arguments):
    status = outplay(list(map(str, arguments)))
    told = capsys.readouterr()
    return status, told.out, told.err


def test_a_blunder_is_named_with_the_better_move(tmp_path, capsys):
    file = tmp_path / "game.json"
    file.write_text(json.dumps({"game": "tic-tac-toe", "actions": ["a1", "b1", "a2", "c2"]}))
    status, out, _ = run(capsys, "review", file, "--json")
    told = json.loads(out)
    assert status == 0 and [move["action"] for move in told["moves"]] == ["a1", "b1", "a2", "c2"]
    assert [move["loss"] for move in told["moves"][:2]] == [0.0, 1.0] and told["moves"][1]["verdict"] == "blunder"
    assert told["moves"][1]["best"] == "b2"  # only the middle holds the draw against a corner
    assert told["accuracy"]["0"] == 100.0 > told["accuracy"]["1"]


def test_a_pgn_that_cannot_be_read_is_one_line(tmp_path, capsys):
    file = tmp_path / "game.pgn"
    file.write_text('[White "Ann"]\n\n1. e4 e5 2. Ke3 *\n')
    status, _, said = run(capsys, "review", file)
    assert status == 2 and said.count("\n") == 1 and "Ke3" in said
    status, _, said = run(capsys, "review", tmp_path / "none.pgn")
    assert status == 2 and "cannot read" in said
