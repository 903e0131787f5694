import json

from outplay.cli.main import run


def test_match_saves_goes_on_and_reports_once(capsys, tmp_path):
    file = tmp_path / "games.jsonl"
    command = ["match", "tic-tac-toe", "random", "random:seed=9", "--save", str(file), "--json", "--games"]
    assert run([*command, "2"]) == 0
    first = json.loads(capsys.readouterr().out)
    assert run([*command, "6"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert first["games"] == 2 and found["games"] == found["wins"] + found["draws"] + found["losses"] == 6
    assert len(file.read_text().splitlines()) == 6 and {"elo", "error"} <= set(found)
    assert run(["match", "nim", "random", "random:seed=9", "--save", str(file)]) == 2
    assert "save this match elsewhere" in capsys.readouterr().err


def test_what_a_match_refuses(capsys):
    assert run(["match", "tic-tac-toe", "random", "randon"]) == 2
    assert "did you mean 'random'" in capsys.readouterr().err
    assert run(["match", "tic-tac-toe", "random", "random", "--clock", "10+x"]) == 2
    assert "--clock must be seconds such as 10+0.1, got '10+x'" in capsys.readouterr().err
    assert run(["match", "tic-tac-toe", "random", "random", "--sprt", "5"]) == 2
    assert "two Elo differences" in capsys.readouterr().err
