"""What a Python programmer writes by habit, in one small game: each works, or is refused with the author's file and line."""

import json
import re
import subprocess
import sys

import numpy as np
import pytest

from outplay.compiling import habits
from outplay.errors import RulesError
from outplay.game import game_names, load
from outplay.jit import UNCOMPILED, kernel
from outplay.rules import OPTIONAL, REQUIRED

pytestmark = pytest.mark.skipif(UNCOMPILED, reason="nothing is compiled")

BASE = '''
import enum, math, random
import numpy as np
from outplay.jit import Array, below, i8, i16, i32, i64, inlined, u64
from outplay.rules import game, uncompiled

SIZE = 6
STEPS = (1, -1)
NAMES = {0: "white", 1: "black"}
#above

@game("breakthrough")
class Breakthrough:
    """Breakthrough on six by six: first to reach the far row wins."""
    board: Array[i8, 36]
    turn: i8
    over: i8
    #field
    most_actions = 40
    #class

    def start(self):
        self.board[:12] = 1
        self.board[24:] = 2
        #start

    #method
    def actions(self, out):
        count = 0
        if self.over:
            return 0
        #actions
        for cell in range(36):
            if self.board[cell] == self.turn + 1:
                row, column = cell // SIZE, cell % SIZE
                ahead = row + (1 if self.turn == 0 else -1)
                for side in range(-1, 2):
                    aim = column + side
                    if 0 <= aim < SIZE and 0 <= ahead < SIZE:
                        there = self.board[ahead * SIZE + aim]
                        if there == 0 or (side != 0 and there == 2 - self.turn):
                            out[count] = cell * 3 + side + 1
                            count += 1
        return count

    def play(self, action):
        cell, side = action // 3, action % 3 - 1
        aim = cell + side + (SIZE if self.turn == 0 else -SIZE)
        #play
        self.board[aim] = self.turn + 1
        self.board[cell] = 0
        if aim // SIZE == (5 if self.turn == 0 else 0):
            self.over = 1
        self.turn = 1 - self.turn

    def utility(self, player):
        #utility
        return 1.0 if player != self.turn else -1.0
'''

WORKS, REFUSED = "works", "refused"
CALL_STEP, CALL_F = "self.over = 0 * step(self.turn)", "self.over = self.f(3)"
ENUM = "class Piece(enum.IntEnum):\n    NONE = 0\n    WHITE = 1"
TIMES_N = "def f(self, n):\n    return 0 * n\n"
# What goes where (`place: text`, lines after the first indented by the test), what is expected, and a word of the advice.
VARIANTS = {
    # ---- lists, sets, dictionaries, arrays
    "list": ({"actions": "moves = []"}, REFUSED, "out"),
    "list of numbers": ({"actions": "steps = [1, 2]; count += steps[0] - 1"}, REFUSED, "tuple"),
    "append": ({"actions": "out.append(3)"}, REFUSED, "count"),
    "list()": ({"actions": "cells = list(range(36))"}, REFUSED, "list"),
    "set": ({"actions": "seen = {1, 2}"}, REFUSED, "bits"),
    "set()": ({"actions": "seen = set()"}, REFUSED, "bits"),
    "dict": ({"actions": "seen = {}"}, REFUSED, "tuple"),
    "dict()": ({"actions": "seen = dict()"}, REFUSED, "tuple"),
    "global dict": ({"play": "name = NAMES[0]"}, REFUSED, "tuple"),
    "np.zeros": ({"actions": "seen = np.zeros(36)"}, REFUSED, "field"),
    "np.array": ({"actions": "seen = np.array((1, 2))"}, REFUSED, "field"),
    "copy": ({"play": "before = self.board.copy()"}, REFUSED, "field"),
    "np.argwhere": ({"actions": "found = np.argwhere(self.board)"}, REFUSED, "array"),
    "compare arrays": ({"play": "if (self.board == 0).any():\n    self.over = 0"}, REFUSED, "array"),
    "array sum": ({"play": "if self.board.sum() < 0:\n    self.over = 1"}, WORKS, ""),
    "arithmetic of arrays": ({"play": "twice = self.board + self.board"}, REFUSED, "new"),
    "slice": ({"play": "row = self.board[0:6]\nif row[0] > 9:\n    self.over = 1"}, WORKS, ""),
    "fill by slice": ({"play": "if action < 0:\n    self.board[0:6] = 0"}, WORKS, ""),
    "tolist": ({"play": "cells = self.board.tolist()"}, REFUSED, "list"),
    "list in for": ({"actions": "for step in [1, 2]:\n    count += step - step"}, WORKS, ""),
    "list in in": ({"actions": "if self.turn in [5, 6]:\n    return 0"}, WORKS, ""),
    "tuple in in": ({"actions": "if self.turn in (5, 6):\n    return 0"}, WORKS, ""),
    "len": ({"actions": "if len(self.board) != 36:\n    return 0"}, WORKS, ""),
    "two dimensions": ({"field": "grid: Array[i8, 6, 6]", "play": "self.grid[1, 2] = 3"}, WORKS, ""),
    "two dimensions in brackets": ({"field": "grid: Array[i8, (6, 6)]", "play": "self.grid[1][2] = 3"}, WORKS, ""),
    "bool field": ({"field": "done: bool", "play": "self.done = True"}, WORKS, ""),
    "int field": ({"field": "plies: int", "play": "self.plies += 1"}, WORKS, ""),
    "field with a value": ({"field": "plies: i8 = 3"}, REFUSED, "start(self)"),
    "str field": ({"field": "name: str"}, REFUSED, "number type"),
    "list field": ({"field": "cells: list"}, REFUSED, "number type"),
    # ---- functions
    "comprehension": ({"actions": "own = [c for c in range(36)]"}, REFUSED, "loop"),
    "set comprehension": ({"actions": "own = {c for c in range(36)}"}, REFUSED, "loop"),
    "any of a generator": ({"play": "if any(c == 9 for c in self.board):\n    self.over = 1"}, REFUSED, "loop"),
    "sum of a generator": ({"play": "n = sum(c for c in self.board)"}, REFUSED, "loop"),
    "lambda": ({"actions": "f = lambda x: x + 1"}, REFUSED, "above the class"),
    "inner function": ({"actions": "def f(x):\n    return x + 1"}, REFUSED, "above the class"),
    "helper": ({"above": "@inlined\ndef step(turn):\n    return STEPS[turn]", "play": CALL_STEP}, WORKS, ""),
    "unmarked helper": ({"above": "def step(turn):\n    return STEPS[turn]", "play": CALL_STEP}, WORKS, ""),
    "helper of a helper": ({"above": "def one(t):\n    return STEPS[t]\ndef step(turn):\n    return one(turn)",
                            "play": CALL_STEP}, WORKS, ""),
    "helper with a list": ({"above": "def step(turn):\n    return [1, -1][turn]", "play": CALL_STEP},
                           REFUSED, "tuple"),
    "recursive helper": ({"above": "def f(n):\n    return 0 if n == 0 else f(n - 1)", "play": "self.over = f(3)"}, REFUSED, "loop"),
    "recursive method": ({"method": "def f(self, n):\n    return 0 if n == 0 else self.f(n - 1)\n", "play": CALL_F},
                         REFUSED, "loop"),
    "own method": ({"method": TIMES_N, "play": CALL_F}, WORKS, ""),
    "static method": ({"method": "@staticmethod\ndef f(n):\n    return 0 * n\n", "play": CALL_F}, WORKS, ""),
    "class method": ({"method": "@classmethod\ndef f(cls, n):\n    return 0 * n\n", "play": CALL_F}, REFUSED, "static"),
    "property": ({"method": "@property\ndef f(self):\n    return 0\n", "play": "self.over = self.f"}, REFUSED, "self.f()"),
    "class constant": ({"class": "WIDTH = 6", "play": "self.over = 0 * self.WIDTH"}, WORKS, ""),
    "class tuple": ({"class": "WAYS = (1, -1)", "play": "self.over = 0 * self.WAYS[self.turn]"}, WORKS, ""),
    "class list": ({"class": "WAYS = [1, -1]", "play": "self.over = 0 * self.WAYS[self.turn]"}, WORKS, ""),
    "class dict": ({"class": "WAYS = {0: 1}", "play": "self.over = 0 * self.WAYS[0]"}, REFUSED, "tuple"),
    "keyword arguments": ({"method": TIMES_N, "play": "self.over = self.f(n=3)"}, REFUSED, "keywords"),
    "default arguments": ({"above": "def step(turn, by=0):\n    return turn * by", "play": CALL_STEP}, WORKS, ""),
    "star": ({"above": "def step(a, b):\n    return a * b", "play": "pair = (0, 1)\nself.over = step(*pair)"}, REFUSED, "*"),
    "unknown method": ({"play": "self.finish()"}, REFUSED, "finish"),
    "unknown name": ({"play": "x = undefined_thing"}, REFUSED, "undefined_thing"),
    "unknown field": ({"play": "self.score = 3"}, REFUSED, "score"),
    # ---- what Python has and compiled code has not
    "print": ({"play": "print('playing', action)"}, REFUSED, "print"),
    "f-string": ({"play": "name = f'{action}'"}, REFUSED, "text"),
    "str()": ({"play": "name = str(action)"}, REFUSED, "text"),
    "int of a text": ({"play": "self.over = 0 * int('3')"}, REFUSED, "number"),
    "try": ({"play": "try:\n    self.over = 0\nexcept IndexError:\n    self.over = 1"}, REFUSED, "if"),
    "raise": ({"play": "if action < 0:\n    raise ValueError('no such action')"}, WORKS, ""),
    "assert": ({"play": "assert action >= 0"}, WORKS, ""),
    "with": ({"play": "with open('x') as f:\n    pass"}, REFUSED, "with"),
    "import inside": ({"play": "import math"}, REFUSED, "top"),
    "global": ({"play": "global LAST\nLAST = 6"}, REFUSED, "field"),
    "random": ({"play": "if random.random() < 0.0:\n    self.over = 1"}, REFUSED, "chances"),
    "np.random": ({"play": "if np.random.rand() < 0.0:\n    self.over = 1"}, REFUSED, "chances"),
    "math": ({"play": "self.over = 0 * math.floor(1.5)"}, WORKS, ""),
    "reversed": ({"actions": "for cell in reversed(range(3)):\n    count += 0"}, REFUSED, "range"),
    "sorted": ({"actions": "for cell in sorted((3, 1)):\n    count += 0"}, REFUSED, "loop"),
    "max with a key": ({"play": "best = max((1, 2), key=abs)"}, REFUSED, "loop"),
    "max": ({"play": "best = max(1, action)"}, WORKS, ""),
    "enumerate": ({"actions": "for i, piece in enumerate(self.board):\n    count += 0 * i"}, WORKS, ""),
    "zip": ({"actions": "for a, b in zip(self.board, self.board):\n    count += 0 * a"}, WORKS, ""),
    "ragged tuples": ({"above": "ROWS = ((1, 2), (3,))", "play": "self.over = 0 * ROWS[self.turn][0]"}, REFUSED, "alike"),
    "tuples of tuples": ({"above": "ROWS = ((1, 2), (3, 4))", "play": "self.over = 0 * ROWS[self.turn][0]"}, WORKS, ""),
    "enum": ({"above": ENUM, "play": "self.over = 0 * Piece.WHITE.value"}, WORKS, ""),
    "match": ({"play": "match action:\n    case -1:\n        self.over = 1\n    case _:\n        pass"}, WORKS, ""),
    "while": ({"play": "n = 3\nwhile n > 0:\n    n -= 1"}, WORKS, ""),
    "walrus": ({"play": "if (n := action) < 0:\n    self.over = 1"}, WORKS, ""),
    "division": ({"utility": "player = player * 2 / 2"}, WORKS, ""),
    "yield": ({"method": "def each(self):\n    yield 1\n", "play": "for x in self.each():\n    pass"}, REFUSED, "out"),
    # ---- words of 64 bits
    "lowest bit": ({"field": "bits: u64", "play": "found = self.bits\nwhile found:\n    found &= found - 1"}, REFUSED, "u64(1)"),
    "shifted one": ({"field": "bits: u64", "play": "stone = 1 << action\nself.bits = self.bits & stone"}, REFUSED, "u64(1)"),
    "typed words": ({"field": "bits: u64", "play": "self.bits = self.bits | (u64(1) << u64(action % 64))"}, WORKS, ""),
    # ---- plain mistakes
    "index": ({"play": "self.board[99] = 1"}, REFUSED, "index 99"),
    "start": ({"start": "self.board[36] = 1"}, REFUSED, "index 36"),
    "sequence": ({"play": "self.over = (1, 2)"}, REFUSED, "one number"),
    "text in a field": ({"play": "self.over = 'yes'"}, REFUSED, "over"),
    "none": ({"utility": "return None"}, REFUSED, ""),
}


@kernel
def some_moves(states, out):
    """Play the first action a few times."""
    total = 0.0
    for _ in range(3):
        count = states[0].actions(out)
        if count > 0:
            states[0].play(out[0])
            total += count
    return total + states[0].utility(0)


def written(path, edits):
    """The game with the edits in their places, and the lines that were put in."""
    lines = []
    for line in BASE.splitlines():
        mark = re.match(r"(\s*)#(\w+)$", line)
        if not mark:
            lines.append(line)
        elif mark[2] in edits:
            lines += [mark[1] + each for each in edits[mark[2]].split("\n")]
    path.write_text("\n".join(lines) + "\n")
    wanted = [each.strip() for text in edits.values() for each in text.split("\n")]
    return {number for number, line in enumerate(lines, 1) if line.strip() in wanted}


@pytest.mark.parametrize("name", VARIANTS)
def test_a_habit_works_or_is_refused_with_file_and_line(name, tmp_path):
    edits, expected, advice = VARIANTS[name]
    file = tmp_path / "breakthrough.py"
    lines = written(file, edits)

    def run():
        game = load(str(file), compiled=False)
        position = game.start()
        plain = 0.0
        for _ in range(3):
            plain += len(position.actions())
            position = position.result(position.actions()[0])
        states = game.rules.states(1)
        states[0].start()
        assert some_moves(states, np.zeros(40, np.int32)) == plain + game.record(position.state).utility(0)

    if expected == WORKS:
        run()
        return
    with pytest.raises(RulesError) as refused:
        run()
    said = str(refused.value)
    assert "\n" not in said and advice in said, said
    found = re.match(r"breakthrough: (\S*breakthrough\.py):(\d+)", said)
    assert found and int(found[2]) in lines, said


def test_every_command_says_the_same_line(tmp_path):
    """A mistake that shows when the rules run, and one that shows when they are compiled."""
    for name, commands in (
        ("index", ("show --actions 19", "best --depth 2", "check --games 2")),
        ("arithmetic of arrays", ("best --depth 2", "perft --depth 2", "check --games 2", "playouts --games 3")),
    ):
        file = tmp_path / "breakthrough.py"
        written(file, VARIANTS[name][0])
        code = ("import json, sys\nfrom outplay.cli.main import run\n"
                "print(json.dumps([run(each) for each in json.loads(sys.argv[1])]))")
        asked = [[words[0], str(file), *words[1:]] for words in map(str.split, commands)]
        done = subprocess.run([sys.executable, "-c", code, json.dumps(asked)], capture_output=True, text=True, cwd=tmp_path)
        said = [line for line in done.stderr.splitlines() if "breakthrough.py" in line]
        assert json.loads(done.stdout.splitlines()[-1]) == [2] * len(commands), done
        assert len(said) == len(commands) and len(set(said)) == 1, said


def test_our_own_games_have_no_such_habit(monkeypatch):
    monkeypatch.setattr(habits, "is_authors", lambda each: getattr(each, "__module__", "").startswith("outplay.games"))
    looked = 0
    for name in game_names():
        rules = getattr(load(name), "rules", None)
        if rules is not None:
            habits.look(name, rules.compiled_methods, vars(rules), (*REQUIRED, *OPTIONAL))
            looked += 1
    assert looked > 10
