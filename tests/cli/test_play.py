"""`play`, as scripted dialogues."""

import pytest

from outplay.cli.main import run


@pytest.fixture
def dialogue(monkeypatch, capsys):
    """Play with these words typed; returns the status and everything on the screen."""

    def hold(arguments, *typed):
        words = iter(typed)

        def answer(prompt):
            print(prompt, end="")
            try:
                return next(words)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr("builtins.input", answer)
        status = run(["play", *arguments])
        captured = capsys.readouterr()
        assert list(words) == [], "the game ended before all was typed"
        return status, captured.out

    return hold


def test_a_whole_game(dialogue):
    status, screen = dialogue(["tic-tac-toe", "--position", "xx./oo./... x", "--against", "random"], "c3")
    assert status == 0
    assert screen.endswith("3 (x x x)\n2  o o .\n1  . . .\n   a b c\n\nCrosses win (three in a line).\n")


def test_the_other_player_answers(dialogue):
    _, screen = dialogue(["tic-tac-toe", "--position", "xx./oo./... x", "--against", "engine:depth=3"], "a1")
    assert "engine:depth=3 plays c2" in screen and screen.endswith("Noughts win (three in a line).\n")


def test_a_folded_hand_is_not_shown(dialogue):
    _, screen = dialogue(["hold'em", "--actions", "As Ks Qd Jd", "--against", "random", "--as", "2"], "f")
    assert "Q♦ J♦" in screen and "A♠" not in screen and "folded" in screen


def test_undo_says_where_moves_stand(dialogue):
    arguments = ["battleships:width=3,height=2,fleet=2", "--against", "random", "--seed", "1"]
    _, screen = dialogue(arguments, "a1-b1", "undo", "quit")
    assert "moves already made stand in a game with hidden things until it is over" in screen


def test_unclear_moves_get_hints(dialogue):
    _, screen = dialogue(["tic-tac-toe", "--against", "random"], "a", "z9", "hlep", "quit")
    assert "'a' could be a3 a2 a1" in screen
    assert "illegal action 'z9' in .../.../... x: legal are a3 b3 c3 a2 b2 c2 a1 b1 c1" in screen
    assert "unknown word 'hlep': did you mean 'help'?" in screen
    assert screen.endswith("Bye.\n")


def test_undo_goes_back_to_my_last_decision(dialogue):
    _, screen = dialogue(["tic-tac-toe", "--against", "random"], "undo", "b2", "undo", "quit")
    assert "there is nothing to take back" in screen
    boards = screen.count("2  . . .")
    assert boards == 3  # at the start, again after the vain undo, and after the move was taken back


def test_hint_help_and_actions(dialogue):
    _, screen = dialogue(["tic-tac-toe", "--position", "xx./oo./... x", "--against", "random"], "hint", "help", "actions", "quit")
    assert "hint: c3 (+1: win for Crosses" in screen
    assert "undo    take your last move back" in screen
    assert "c3 c2 a1 b1 c1\n" in screen


def test_the_end_of_input_ends_the_game(dialogue):
    status, screen = dialogue(["tic-tac-toe", "--against", "random"])
    assert status == 0 and screen.endswith("Bye.\n")


def test_second_player(dialogue):
    _, screen = dialogue(["connect-four", "--as", "2", "--against", "random", "--seed", "1"], "quit")
    assert "you are Yellow, against random" in screen
    assert "random plays" in screen.splitlines()[1]


def test_two_people_at_one_keyboard(dialogue):
    status, screen = dialogue(["tic-tac-toe", "--against", "human"], "a1", "b1", "a2", "b2", "a3")
    assert status == 0 and "Crosses win (three in a line)." in screen


def test_chance_is_told(dialogue):
    tree = 'tree:tree={"max": {"sure": 10, "risk": {"chance": [[0.3, 9], [0.7, 100]]}}}'
    _, screen = dialogue([tree, "--against", "random"], "risk")
    assert "chance: " in screen


def test_hidden_information_stays_hidden(dialogue):
    # The second player's stones are never on the board of the first, nor are its moves told.
    arguments = ["blind tic-tac-toe", "--against", "random:seed=5"]
    _, screen = dialogue(arguments, "a1", "quit")
    assert "random:seed=5 has moved" in screen and "plays" not in screen
    rows = [line for line in screen.splitlines() if line.startswith(("3  ", "2  ", "1  "))]
    assert rows[3:] == ["3  . . .", "2  . . .", "1  x . ."]


def test_a_hint_uses_only_what_the_player_sees(dialogue):
    _, screen = dialogue(["rock-paper-scissors", "--as", "2", "--position", "p-", "--against", "random"], "hint", "quit")
    assert "hint: " in screen
    assert "p" not in [line.split()[1] for line in screen.splitlines() if line.startswith(" chosen")]


def test_save_load_why_and_resign(monkeypatch, capsys, tmp_path):
    file = tmp_path / "game.json"
    typed = iter(["b2", f"save {file}", "undo", f"load {file}", f"load {tmp_path / 'none'}", "why", "resign"])
    monkeypatch.setattr("builtins.input", lambda prompt="": next(typed))
    assert run(["play", "tic-tac-toe", "--against", "random", "--seed", "3"]) == 0
    shown = capsys.readouterr().out
    assert "saved 2 moves" in shown and "cannot read" in shown and "the game may go on" in shown
    assert shown.rstrip().endswith("Crosses resign.")
    file.write_text('{"game": "nim", "start": "", "actions": []}')
    typed = iter([f"load {file}", "quit"])
    assert run(["play", "tic-tac-toe", "--against", "random"]) == 0
    assert "is a game of nim, and this is tic-tac-toe" in capsys.readouterr().out


def test_a_game_is_kept_in_its_own_format_where_the_name_of_the_file_says_so(dialogue, tmp_path):
    file = tmp_path / "game.ggf"
    _, screen = dialogue(["othello", "--against", "human"], "d3", "c3", f"save {file}", "undo", f"load {file}", "quit")
    assert file.read_text().startswith("(;GM[Othello]") and "saved 2 moves" in screen
    assert "o x" in [line for line in screen.splitlines() if line.startswith("3  ")][-1]
    (tmp_path / "other.ggf").write_text("nothing")
    _, screen = dialogue(["othello", "--against", "human"], f"load {tmp_path / 'other.ggf'}", "quit")
    assert "expected a game as GCG, GGF, LIN, PBN, PDN, PGN" in screen


def test_two_programs_play_each_other(capsys):
    assert run(["play", "tic-tac-toe", "--as", "random:seed=1", "--against", "random:seed=2"]) == 0
    shown = capsys.readouterr().out
    assert "tic-tac-toe: random:seed=1 against random:seed=2" in shown
    assert "win" in shown or "draw" in shown
    assert run(["play", "tic-tac-toe", "--as", "3"]) == 2
