"""Machines as they are: terminals without Unicode, closed streams, few files, packages that are half there, killed writers."""

import importlib.util
import json
import os
import subprocess
import sys

import numpy as np
import pytest

from outplay import files
from outplay.cli.main import plainly, run
from outplay.errors import BadValue
from outplay.experts.poker.study import files as study


def started(words, shell="{}", **environment):
    command = shell.format(f"{sys.executable} -m outplay {words}")
    return subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=300, env={**os.environ, **environment})


@pytest.mark.skipif(sys.platform == "win32", reason="asked by a shell")
def test_a_terminal_without_unicode_gets_letters():
    """It was an internal error: 'ascii' codec can't encode character."""
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    board = started("show chess", **ascii_only)
    assert (board.returncode, board.stderr) == (0, "")
    assert "8  r n b q k b n r" in board.stdout and "1  R N B Q K B N R" in board.stdout
    told = started("show chess --json", **ascii_only)
    assert told.stdout.isascii() and json.loads(told.stdout)["game"] == "chess"


def test_every_sign_has_one_letter():
    assert plainly(UnicodeEncodeError("ascii", "♞♠é", 0, 3, "")) == ("ns?", 3)


@pytest.mark.skipif(sys.platform == "win32", reason="closed by a shell")
def test_closed_standard_input_ends_a_game():
    """It was an internal error: lost sys.stdin."""
    done = started("play tic-tac-toe", "{} <&-")
    assert (done.returncode, done.stderr) == (0, "") and "Bye." in done.stdout


@pytest.mark.skipif(sys.platform == "win32" or not importlib.util.find_spec("fastapi"), reason="limits of a shell; the studio")
def test_the_studio_refuses_to_begin_without_files():
    """It hung, with tracebacks."""
    done = started("serve --port 0", "ulimit -n 30; {}")
    assert done.returncode == 2
    assert done.stderr == "the studio needs 64 open files, and 30 are allowed here: ulimit -n raises that\n"


def test_tables_of_a_plain_game_are_refused(capsys, tmp_path):
    """It was an internal error: no attribute 'rules'."""
    place = tmp_path / "own.py"
    place.write_text("""from outplay import Game
class Own(Game):
    name = "own"
    def start_state(self): return 0
    def player(self, state): return 0
    def actions(self, state): return [0] if state < 2 else []
    def result(self, state, action): return state + 1
    def utility(self, state, player): return 0
""")
    assert run(["tables", "stats", str(place), "--json"]) == 2
    assert "endgame tables need compiled rules" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["battleships"], ["connect-four", "--recipe", "alphazero"]])
def test_learning_without_torch_says_how_to_get_it(words, capsys, monkeypatch, tmp_path):
    """One game's own recipe was an internal error: No module named 'torch'."""
    for name in [each for each in sys.modules if each.partition(".")[0] == "torch" or each.endswith("battleships.learning")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "torch", None)
    assert run(["learn", *words, "--out", str(tmp_path / "run"), "--time", "3"]) == 2
    assert "learning a network needs torch: install it with" in capsys.readouterr().err


def test_doctor_tries_what_it_lists(capsys, monkeypatch):
    """A package that is installed without what it needs was said to be well."""
    monkeypatch.setitem(sys.modules, "rich", None)
    assert run(["doctor", "--json"]) == 2
    rich = next(each for each in json.loads(capsys.readouterr().out)["findings"] if each["what"] == "rich")
    assert not rich["ok"] and "cannot be imported" in rich["found"]


def test_a_file_that_would_fill_the_memory_is_refused_unread(monkeypatch, tmp_path):
    """37 MB came to 8 GB before they were refused."""
    monkeypatch.setattr(files, "MOST_UNPACKED", 1 << 16)
    np.savez_compressed(tmp_path / "bomb.npz", game=np.zeros(1 << 24, np.uint8))
    np.savez_compressed(tmp_path / "sound.npz", game=np.random.default_rng(1).integers(0, 255, 1 << 18, np.uint8))
    assert len(files.read_arrays(tmp_path / "sound.npz")["game"]) == 1 << 18
    monkeypatch.setattr(np, "load", lambda *given, **more: pytest.fail("it was read"))
    with pytest.raises(BadValue, match="damaged, or no file of arrays"):
        files.read_arrays(tmp_path / "bomb.npz")
    with pytest.raises(BadValue, match="is damaged"):
        study.load(tmp_path / "bomb.npz")


@pytest.mark.skipif(sys.platform == "win32", reason="ends itself by a signal")
def test_what_a_killed_writer_left_is_removed_by_the_next(tmp_path):
    code = """
import os, signal, sys
from outplay.files import write_whole
write_whole(sys.argv[1], lambda file: os.kill(os.getpid(), signal.SIGKILL))
"""
    target = tmp_path / "KQK.table"
    subprocess.run([sys.executable, "-c", code, str(target)])
    other = tmp_path / f".KQK.table.{files._OURS}{os.getpid()}-abc"  # of somebody who is writing
    other.write_text("")
    assert len(list(tmp_path.iterdir())) == 2
    files.write_whole(target, "whole")
    assert sorted(tmp_path.iterdir()) == [other, target] and target.read_text() == "whole"
