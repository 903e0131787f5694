"""Every kind of kernel gives the same answer in plain Python, by Numba's own passes and by ours."""

import json
import os
import shlex
import subprocess
import sys

import pytest

COMMANDS = (
    "best tic-tac-toe --position 'xo./.x./o.. x' --depth 3",
    "best tic-tac-toe --position 'xo./.x./o.. x' --algorithm engine:mcts --simulations 40 --seed 1",
    "best rock-paper-scissors --algorithm engine:ismcts --simulations 30 --seed 1",
    "solve tic-tac-toe --position 'xo./.x./o.. x'",
    "solve nim:heaps=1-2-3",
    "best vacuum-world --depth 2",
    "perft connect-four --depth 3",
    "playouts nim --games 30 --seed 2",
    "best pacman --depth 2",
)
RUN = """
import io, json, sys
from contextlib import redirect_stdout
from outplay.cli.main import run
answers = []
for command in json.loads(sys.argv[1]):
    out = io.StringIO()
    with redirect_stdout(out):
        status = run(command)
    answers.append([status, json.loads(out.getvalue() or "null")])
print(json.dumps(answers))
"""
MEASURED = {"seconds", "nps", "games_per_second", "moves_per_second"}


def without_times(value):
    if isinstance(value, dict):
        return {key: without_times(item) for key, item in value.items() if key not in MEASURED}
    if isinstance(value, list):
        return [without_times(item) for item in value]
    return round(value, 9) if isinstance(value, float) else value


def answers(**environment):
    asked = [shlex.split(f"{command} --json") for command in COMMANDS]
    done = subprocess.run([sys.executable, "-W", "error::RuntimeWarning", "-c", RUN, json.dumps(asked)], capture_output=True,
                          text=True, env={**os.environ, **environment}, timeout=900)
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert all(status == 0 for status, _ in found), done.stderr[-2000:]
    return dict(zip(COMMANDS, without_times(found), strict=True))


@pytest.fixture(scope="module")
def compiled():
    return answers()


@pytest.mark.parametrize("environment", [{"NUMBA_DISABLE_JIT": "1"}, {"OUTPLAY_PASSES": "stock"}], ids=["uncompiled", "stock"])
def test_the_answers_are_the_same(compiled, environment):
    if environment.get("OUTPLAY_PASSES") and not os.environ.get("OUTPLAY_SLOW"):
        pytest.skip("takes a minute: OUTPLAY_SLOW=1 (as `make test-stock` does)")
    assert answers(**environment) == compiled
