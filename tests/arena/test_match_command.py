import json

from outplay.arena.match import read
from outplay.cli.main import run
from outplay.experts.checkers import pdn
from outplay.experts.chess import pgn
from outplay.experts.go import sgf


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


def test_openings_of_the_deck(capsys, tmp_path):
    kept = tmp_path / "games.jsonl"
    assert run(["match", "checkers", "random", "random:seed=9", "--deck", "--games", "4", "--save", str(kept), "--json"]) == 0
    begun = [pdn.deck_positions()[number].text() for number in (0, 0, 1, 1)]
    assert [json.loads(line)["start"] for line in kept.read_text().splitlines()] == begun
    capsys.readouterr()
    assert run(["match", "checkers:variant=russian", "random", "random", "--deck"]) == 2
    assert "--deck is for games with a deck of openings (checkers)" in capsys.readouterr().err


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
    said = capsys.readouterr().err
    assert ".pgn (chess), .sgf (go)" in said and "got games.txt" in said


def test_a_tournament_goes_on_and_is_reported(capsys, tmp_path):
    file, page, field = tmp_path / "games.jsonl", tmp_path / "report.html", tmp_path / "players.txt"
    field.write_text("random\nrandom:seed=9  # the second\n\nminimax:depth=1\n")
    command = ["match", "tic-tac-toe", f"@{field}", "--save", str(file), "--report", str(page), "--json", "--games", "4"]
    assert run(command) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["games"] == 12 and [row["games"] for row in found["players"]] == [8, 8, 8]
    assert sum(row["points"] for row in found["players"]) == 12
    lines = file.read_text().splitlines()
    file.write_text("\n".join(lines[:5]) + '\n{"game": "tic')  # the machine went down
    assert run(command) == 0
    assert json.loads(capsys.readouterr().out) == found
    played = [[json.loads(line)["actions"] for line in some] for some in (file.read_text().splitlines(), lines)]
    assert played[0] == played[1]
    shown = page.read_text()
    assert shown.count("<tr>") == 8 and shown.count("<svg") == 2 and shown.count("<polyline") == 3  # two tables, two charts
    assert shown.count('class="cross self"') == 3 and "minimax:depth=1 took" in shown and "who moves first" in shown
    assert run([*command, "--format", "gauntlet"]) == 2
    assert "save this match elsewhere" in capsys.readouterr().err


def test_one_alone_three_at_a_table_and_twins(capsys):
    assert run(["match", "fifteen-puzzle:width=2,height=2", "engine", "--games", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["players"][0]["utility"] == 1.0
    assert run(["match", "isolation:players=3,width=3,height=3", "random", "random", "random", "--games", "3", "--json"]) == 0
    assert {row["name"] for row in json.loads(capsys.readouterr().out)["players"]} == {"random", "random #2", "random #3"}
    assert run(["match", "isolation:players=3", "random", "random"]) == 2
    assert "needs 3 players at least, got 2" in capsys.readouterr().err
    assert run(["match", "tic-tac-toe", "random", "random", "random", "--sprt", "0,5"]) == 2
    assert "--sprt compares two players" in capsys.readouterr().err


def test_the_sequential_test_says_why_it_stopped(capsys):
    command = ["match", "tic-tac-toe", "minimax:depth=3", "random", "--games", "200", "--sprt", "0,100"]
    assert run(command) == 0
    shown = capsys.readouterr().out
    assert "SPRT: H1 (at least 100 Elo) is accepted over H0 (at most 0 Elo): log likelihood ratio" in shown
    assert run([*command, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["sprt"] == "stronger" and found["test"]["ratio"] >= found["test"]["bound"] and found["games"] < 200


def told(err):
    """What was said, without what a slow machine or an empty cache adds."""
    return [line for line in err.strip().splitlines() if "Ctrl-C stops" not in line and not line.startswith("compiling ")]


def test_players_that_cannot_play_are_refused_with_status_2(capsys, tmp_path):
    for text in ("deals:number=5", "h-alphabeta:depth=3,evaluate=my moves", "uci:no-such-program", "engine:book=/nonexistent"):
        assert run(["match", "tic-tac-toe", text, "random", "--games", "2"]) == 2
        assert len(told(capsys.readouterr().err)) == 1
    assert run(["match", "tic-tac-toe", "random", "random", "--save", str(tmp_path), "--games", "2"]) == 2
    assert len(told(capsys.readouterr().err)) == 1


def test_short_games_have_short_openings(capsys):
    assert run(["match", "rock-paper-scissors", "random", "random:seed=2", "--games", "4", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 4


def test_thoughts_are_written_as_comments(capsys, tmp_path):
    file = tmp_path / "games.pgn"
    mate = ["--position", "7k/8/6K1/8/8/8/8/R7 w - - 0 1", "--opening", "0"]
    assert run(["match", "chess", "alphabeta:depth=1", "random", *mate, "--games", "1", "--export", str(file)]) == 0
    capsys.readouterr()
    assert "/1 0." in file.read_text() and "{" in file.read_text()
    assert isinstance(next(iter(pgn.read_file(file))), pgn.Game)


def test_thoughts_are_written_into_pdn_and_read_back(capsys, tmp_path):
    file = tmp_path / "games.pdn"
    few = ["--position", "B:W30:BK10,K11", "--opening", "0"]
    assert run(["match", "checkers", "alphabeta:depth=2", "random", *few, "--games", "1", "--export", str(file)]) == 0
    capsys.readouterr()
    assert "{" in file.read_text() and "/2 0." in file.read_text()
    assert len(next(iter(pdn.read_file(file))).actions) > 0
