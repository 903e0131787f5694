import json

from outplay.arena.match import read
from outplay.cli.main import run
from outplay.knowledge import pgn, sgf


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


def test_games_are_written_for_other_programs(capsys, tmp_path):
    chess, go, kept = tmp_path / "games.pgn", tmp_path / "games.sgf", tmp_path / "games.jsonl"
    assert run(["match", "chess", "random", "random:seed=9", "--export", str(chess), "--games", "2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    games = list(pgn.read_file(chess))
    assert len(games) == 2 and all(isinstance(game, pgn.Game) for game in games)
    assert [game.result for game in games].count("1/2-1/2") == found["draws"]
    assert [game.tags["White"] for game in games] == ["random", "random:seed=9"]

    files = ["--export", str(go), "--save", str(kept)]
    assert run(["match", "go:size=5", "random", "random:seed=9", *files, "--games", "2", "--opening", "3"]) == 0
    capsys.readouterr()
    lines = [sgf.read(line) for line in go.read_text().splitlines()]
    assert len(lines) == 2 and all(game.size == 5 and game.result for game in lines)
    opening = read(kept)[0].start.split()[0]
    assert opening.count("x") == len(lines[0].black) > 0 and opening.count("o") == len(lines[0].white)
    assert lines[0].colors[0] == 1  # after an opening of three moves white is to move

    assert run(["match", "tic-tac-toe", "random", "random", "--export", str(chess)]) == 2
    assert ".pgn holds games of chess; games of tic-tac-toe are kept by --save, as JSON" in capsys.readouterr().err
    assert run(["match", "chess", "random", "random", "--export", str(go)]) == 2
    assert ".sgf holds games of go; games of chess end in .pgn" in capsys.readouterr().err
    assert run(["match", "chess", "random", "random", "--export", "games.txt"]) == 2
    assert "ends in .pgn (chess) or .sgf (Go), got games.txt" in capsys.readouterr().err
