"""Rules that loop for ever: Ctrl-C says which method the program was found in."""

import signal
import subprocess
import sys

import pytest

RULES = """
import sys

from outplay.game import Game


class Endless(Game):
    \"\"\"Rules with a loop that never ends.\"\"\"

    name = "endless"

    def initial(self):
        return (5, 0)

    def player(self, state):
        return state[1]

    def actions(self, state):
        return [1, 2]

    def result(self, state, action):
        print("looping", file=sys.stderr, flush=True)
        while state[0] == 5:
            pass
        return (state[0] - action, 1 - state[1])

    def is_terminal(self, state):
        return state[0] <= 0

    def utility(self, state, player):
        return 1 if player == state[1] else -1
"""


@pytest.mark.parametrize("command", [("check", "RULES"), ("match", "RULES", "random", "random", "--games", "2", "--opening", "0")])
def test_the_method_is_named(command, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(RULES)
    words = [str(file) if word == "RULES" else word for word in command]
    running = subprocess.Popen([sys.executable, "-m", "outplay", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert running.stderr is not None
    while "looping" not in (line := running.stderr.readline()):
        assert line, "it ended by itself"
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=600)
    assert running.returncode == 130
    assert "stopped in Endless.result() of mine.py, line 2" in said and "Traceback" not in said
