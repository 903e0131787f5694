"""What a check tells beside promises: games without an end, time that was over, deals that cannot be, where it was stopped."""

import re
import signal
import subprocess
import sys

import pytest

from outplay.conformance import check_game
from outplay.errors import RulesError
from outplay.game import load
from tests.test_contract import POKER

ENDLESS = """
from outplay.jit import i8
from outplay.rules import game

@game("endless")
class Endless:
    turn: i8
    def actions(self, out):
        out[0] = 0
        return 1
    def play(self, action):
        {loop}
        self.turn = 1 - self.turn
    def utility(self, seat):
        return 0
"""


def test_games_that_never_end_are_told_with_advice(tmp_path):
    path = tmp_path / "endless.py"
    path.write_text(ENDLESS.format(loop="pass"))
    told = str(check_game(load(str(path), compiled=False), games=1, seconds=5.0))
    assert "1 of them was cut off after 2000 moves" in told and "`draw_after`" in told


def test_a_check_that_ran_out_of_time_says_so():
    assert re.search(r"\d+ of 100000 random games, as the time was over",
                     str(check_game(load("tic-tac-toe", compiled=False), games=100_000, seconds=0.2)))
    assert "time" not in str(check_game(load("tic-tac-toe", compiled=False), games=5))


def test_a_deal_of_what_cannot_be_is_told(tmp_path):
    path = tmp_path / "poker.py"
    path.write_text(POKER.replace("import i8", "import below, i8").replace(
        "self.second = 1 + (self.first + below(source, 2)) % 3", "self.second = 1 + below(source, 3)"))
    with pytest.raises(RulesError, match="only what can have come about"):
        check_game(load(str(path), compiled=False), games=20, seconds=2.0)


SAYS_WHEN_IT_PLAYS = """
import sys, threading

def look():
    while (at := sys._current_frames()[threading.main_thread().ident].f_code).co_name != "play" or "endless" not in at.co_filename:
        pass
    print("here", flush=True)

threading.Thread(target=look, daemon=True).start()
"""


def test_ctrl_c_in_rules_that_loop_names_the_method(tmp_path):
    path = tmp_path / "endless.py"
    path.write_text(ENDLESS.format(loop="while True: pass") + SAYS_WHEN_IT_PLAYS)
    command = [sys.executable, "-m", "outplay", "check", str(path)]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert running.stdout.readline() == "here\n"
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=600)
    assert running.returncode == 130 and "stopped in play(), line 12" in said
