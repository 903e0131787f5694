"""`games`, `show`, and what every command does with a wrong request."""

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outplay.cli.app import COMMANDS, first_words
from outplay.cli.main import run
from outplay.game import game_names, load


def outplay(capsys, *arguments):
    """Status, standard output and standard error of one command."""
    status = run(arguments)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_games_lists_every_game_with_its_traits(capsys):
    status, out, err = outplay(capsys, "games", "--json")
    listed = {row["name"]: row for row in json.loads(out)["games"]}
    assert (status, err) == (0, "")
    assert tuple(listed) == game_names()
    for name, row in listed.items():
        traits = load(name).traits
        assert (row["players"], row["chance"]) == (traits.players, traits.chance)
        assert (row["information"], row["sum"]) == (traits.information, traits.sum)


def test_games_prints_a_table(capsys):
    status, out, _ = outplay(capsys, "games")
    assert status == 0
    assert any(line.split()[:2] == ["tic-tac-toe", "2"] for line in out.splitlines())


def test_show_tells_all_about_a_position(capsys):
    status, out, _ = outplay(capsys, "show", "tic-tac-toe", "--position", "xx./oo./... x", "--json")
    assert status == 0
    assert json.loads(out) == {
        "game": "tic-tac-toe",
        "position": "xx./oo./... x",
        "player": 0,
        "actions": ["c3", "c2", "a1", "b1", "c1"],
        "terminal": False,
        "utilities": None,
    }


def test_show_plays_actions_from_a_position(capsys):
    _, out, _ = outplay(capsys, "show", "tic-tac-toe", "--position", "xx./oo./... x", "--actions", "c3", "--json")
    assert json.loads(out) | {"game": ""} == {
        "game": "",
        "position": "xxx/oo./... o",
        "player": 1,
        "actions": [],
        "terminal": True,
        "utilities": [1.0, -1.0],
    }


def test_show_for_people(capsys):
    status, out, _ = outplay(capsys, "show", "connect-four:width=4,height=2", "--actions", "1,2,1")
    assert status == 0
    assert out.splitlines() == [
        "x . . .",
        "x o . .",
        "1 2 3 4",
        "",
        "position  x.../xo.. o",
        "to move   Yellow",
        "actions   2 3 4",
    ]


def test_show_says_how_a_game_ended(capsys):
    _, out, _ = outplay(capsys, "show", "tic-tac-toe", "--position", "xxx/oo./... o")
    assert "result    Crosses win" in out


def test_show_writes_a_picture(capsys, tmp_path):
    out = tmp_path / "board.svg"
    assert outplay(capsys, "show", "tic-tac-toe", "--actions", "b2", "--out", str(out), "--json")[0] == 0
    assert "cross" in out.read_text()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["show", "conect four"], "unknown game 'conect four': did you mean 'connect four'?"),
        (["shwo", "nim"], "unknown command 'shwo': did you mean 'show'?"),
        (["hint", "nim"], "unknown command 'hint': did you mean 'best'?"),
        (["play", "nim", "random"], "unexpected 'random' after outplay play: a name with spaces needs quotes or hyphens, as in "
                                    "connect-four; --against says who sits opposite"),
        (["show", "tic-tac-toe", "--actoins", "a1"], "unknown option '--actoins' of outplay show: did you mean '--actions'?"),
        (["show"], "missing GAME: outplay show needs it, and outplay show --help lists what it takes"),
        (["show", "connect", "four"],
         "unexpected 'four' after outplay show: a name with spaces needs quotes or hyphens, as in connect-four"),
        (["show", "connect-four:wdith=5"], "unknown parameter of connect four 'wdith': did you mean 'width'?"),
        (["show", "connect-four:width=50"], "connect four: width must be a whole number from 1 to 9, got 50"),
        (["show", "tic-tac-toe", "--actions", "b2,zz"],
         "illegal action 'zz' in .../.x./... o: legal are a3 b3 c3 a2 c2 a1 b1 c1"),
        (["show", "tic-tac-toe", "--position", "xxx/.../... o"],
         "tic-tac-toe: impossible position 'xxx/.../... o': 3 crosses and 0 rings cannot stand with o to move"),
        (["show", "tic-tac-toe", "--out", "board.png"],
         "--out writes an SVG picture: expected a name that ends in .svg, got 'board.png'"),
        (["show", "tic-tac-toe", "--out", "/no/such/folder/board.svg"],
         "cannot write '/no/such/folder/board.svg': No such file or directory"),
        (["show", "no_such_file.py"], "no such file: no_such_file.py"),
        (["perft", "nim", "--depth", "x"], "--depth must be a whole number, got 'x'"),
        (["perft", "nim", "--depth=2.5"], "--depth must be a whole number, got '2.5'"),
        (["perft", "nim"], "missing --depth: outplay perft needs it, and outplay perft --help lists what it takes"),
        (["perft", "nim", "--depth", "-1"], "--depth must be 0 or more, got -1"),
        (["best", "nim", "--time", "soon"], "--time must be a number, got 'soon'"),
        (["best", "nim", "--depth", "-3"], "depth must be 0 or more, got -3"),
        (["best", "nim", "--threads", "0"], "--threads must be 1 or more, got 0"),
        (["best", "tic-tac-toe", "--algorithm", "alfabeta"], "unknown algorithm 'alfabeta': did you mean 'alphabeta'?"),
        (["compare", "tic-tac-toe", "--algorithms", ","],
         "--algorithms needs at least one name, such as minimax,alphabeta,engine:pvs"),
        (["play", "tic-tac-toe", "--as", "3"], "--as must be from 1 to 2, or a player, got 3"),
        (["play", "tic-tac-toe", "--against", "randm"], "unknown player 'randm': did you mean 'random'?"),
        (["bench", "startpu"], "unknown table 'startpu': did you mean 'startup'?"),
    ],
)  # fmt: skip
def test_a_wrong_request_gets_one_line_and_status_2(capsys, arguments, expected):
    assert outplay(capsys, *arguments) == (2, "", expected + "\n")
    assert outplay(capsys, *arguments, "--json")[:2] == (2, "")


@given(st.sampled_from(["--position", "--actions"]), st.text(max_size=12))
def test_no_text_breaks_show(option, text):
    """Whatever is given for a position or for actions: an answer or one line."""
    import contextlib
    import io

    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = run(["show", "tic-tac-toe", f"{option}={text}", "--json"])
    if status == 0:
        assert json.loads(out.getvalue())["game"] == "tic-tac-toe"
    else:
        assert (status, out.getvalue()) == (2, "")
        assert len(err.getvalue().splitlines()) == 1


def test_a_bug_of_a_games_author_is_told_in_one_line(capsys, tmp_path):
    broken = tmp_path / "broken.py"
    broken.write_text("import nothing_of_that_name\n")
    assert outplay(capsys, "show", str(broken)) == (
        2, "", f"{broken}: line 1: ModuleNotFoundError: No module named 'nothing_of_that_name'\n")  # fmt: skip


def test_an_internal_error_shows_no_traceback(capsys, monkeypatch):
    monkeypatch.delenv("OUTPLAY_TRACEBACK", raising=False)
    monkeypatch.setattr("outplay.game.game_names", lambda: 1 / 0)
    status, out, err = outplay(capsys, "games")
    assert (status, out) == (1, "")
    assert err == "internal error: ZeroDivisionError: division by zero (--debug shows where)\n"
    with pytest.raises(ZeroDivisionError):
        outplay(capsys, "games", "--debug")


def test_debug_shows_where_a_refusal_comes_from(capsys):
    status, out, err = outplay(capsys, "--debug", "show", "ches")
    assert (status, out) == (2, "")
    assert "Traceback" in err and "loading.py" in err and err.endswith("unknown game 'ches': did you mean 'chess'?\n")


def test_every_command_helps(capsys):
    assert {"games", "show", "play", "best", "solve", "compare", "perft", "warm", "bench", "check"} <= set(COMMANDS)
    for name, where in COMMANDS.items():
        status, out, err = outplay(capsys, name, "--help")
        assert (status, err) == (0, "") and f"outplay {name}" in out
        assert first_words(*where.rpartition(".")[::2]), name


def test_outplay_alone_helps(capsys):
    status, out, err = outplay(capsys)
    assert (status, err) == (0, "") and "games" in out


def test_looking_needs_no_compiler():
    """Help, games and show start fast because neither Numba nor Pydantic is imported for them."""
    look = "; ".join([
        "import sys",
        "from outplay.cli.main import run",
        "run(['--help']), run(['games']), run(['show', 'connect four', '--actions', '4,4'])",
        "sys.exit(any(name in sys.modules for name in ('numba', 'pydantic')))",
    ])
    assert subprocess.run([sys.executable, "-c", look], stdout=subprocess.DEVNULL).returncode == 0


def test_a_reader_that_has_seen_enough_is_no_error():
    command = f"{sys.executable} -m outplay games --json | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("0", "")
