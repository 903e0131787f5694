"""Puzzles have one best action, and a file of them is proved again."""

import json
from dataclasses import replace

import pytest

from outplay.cli.main import run as outplay
from outplay.game import load
from outplay.judge.puzzles import check, families, make, own_games, read, shipped
from outplay.players.solving import scores


def test_puzzles_of_our_own_games_are_made_checked_and_true(tmp_path, capsys):
    file = tmp_path / "puzzles.json"
    assert outplay(["puzzles", "tic-tac-toe", "--own", "6", "--nodes", "2000", "--out", str(file), "--json"]) == 0
    made = json.loads(capsys.readouterr().out)["puzzles"]
    assert len(made) == 6 and len({row["position"] for row in made}) == 6
    for row in made:  # by another solver: the action alone has its value
        position = load("tic-tac-toe").position(row["position"])
        worth = scores(position)
        own = {action: value if position.player() == 0 else -value for action, value in worth.items()}
        best = position.parse_action(row["solution"][0])
        assert all(own[best] > own[action] for action in own if action != best)
        assert row["rating"] >= 600 and row["wrong"]
    assert outplay(["puzzles", "check", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["wrong"] == []
    grown = tmp_path / "more.json"
    more = ["--own", "2", "--nodes", "2000", "--also", str(file), "--out", str(grown), "--json"]
    assert outplay(["puzzles", "tic-tac-toe", *more]) == 0
    capsys.readouterr()
    positions = {each.position for each in read(grown)}
    assert len(positions) == 8 and {row["position"] for row in made} <= positions
    made[0]["solution"] = [made[0]["wrong"][0][0]]
    file.write_text(json.dumps({"puzzles": made}))
    assert outplay(["puzzles", "check", str(file), "--json"]) == 1
    assert len(json.loads(capsys.readouterr().out)["wrong"]) == 1


def test_puzzles_come_from_anybodys_games(tmp_path, capsys):
    file = tmp_path / "games.pgn"
    file.write_text('[White "Ann"]\n\n1. e4 g5 2. d4 f6 3. Qh5# 1-0\n\n[White "Bob"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n')
    assert outplay(["puzzles", "chess", "--games", str(file), "--nodes", "500", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)["puzzles"]
    assert {row["solution"][0] for row in made if row["kind"] == "win at once"} == {"d1h5", "d8h4"}


@pytest.mark.parametrize(("arguments", "said"), [
    (["tic-tac-toe"], "--games FILE"), (["check"], "needs the FILE"), (["check", "no-such.json"], "cannot read"),
    (["tic-tac-toe", "--own", "0"], "--own"),
])  # fmt: skip
def test_what_is_missing_is_said_in_one_line(capsys, arguments, said):
    assert outplay(["puzzles", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_games_of_our_own_are_the_same_each_time():
    first, again = ([list(moves) for moves in own_games(load("nim"), 3, seed=4)] for _ in range(2))
    assert first == again and len({tuple(moves) for moves in first}) > 1


@pytest.mark.parametrize("family", families())
def test_the_puzzles_that_come_with_the_package_hold(family):
    kept = shipped(family)
    assert len({(each.game, each.position) for each in kept}) == len(kept) > 0
    for each in kept[:: max(1, len(kept) // 3)][:3]:
        position = load(each.game).position(each.position)
        position.play(list(each.solution))
    easy = min(kept, key=lambda each: (each.proved_by != "every line to the end", each.rating))
    assert check(easy, 1000) == "" or easy.proved_by != "every line to the end"


def test_puzzles_are_kept_as_they_are_found(tmp_path, monkeypatch, capsys):
    from outplay.judge import puzzles as room

    whole, file, looked = room.cut, tmp_path / "few.json", []

    def stopped_soon(start, actions, **options):
        if len(looked) == 3:
            raise KeyboardInterrupt
        looked.append(actions)
        yield from whole(start, actions, **options)

    monkeypatch.setattr(room, "cut", stopped_soon)
    assert outplay(["puzzles", "tic-tac-toe", "--own", "50", "--nodes", "500", "--out", str(file)]) == 130
    assert 0 < len(read(file)) < 50 and f"stopped: {len(read(file))} puzzles" in capsys.readouterr().err


def test_few_of_the_puzzles_are_for_everybody():
    game = load("tic-tac-toe")
    made = make(game, ((game.start(), each) for each in own_games(game, 200)), 10, 500)
    assert len(made) == 10 and sum(each.rating == 600 for each in made) <= 4


def test_a_puzzle_of_what_is_hidden_is_what_its_player_sees():
    game = load("push or fold")
    kept = [each for each in shipped("push or fold") if each.game == game.name]
    assert kept and all("?" in each.position and each.kind in ("push or fold", "call or fold") for each in kept)
    worst = next(each for each in kept if each.rating == 600)
    position = game.position(worst.position)
    other = next(position.action_text(one) for one in position.actions() if position.action_text(one) != worst.solution[0])
    assert check(worst) == "" and "better than" in check(replace(worst, solution=(other,)))


def test_a_file_of_something_else_is_told(tmp_path):
    (tmp_path / "other.json").write_text("{}")
    with pytest.raises(Exception, match="holds no puzzles"):
        read(tmp_path / "other.json")
