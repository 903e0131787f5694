"""Endgame tables by retrograde analysis: known counts of checkers, toys whose values are known by minimax, files, interruptions."""

import itertools
import os
import random
import subprocess
import sys

import numpy as np
import pytest

from outplay.engine.tables import files as table_files
from outplay.engine.tables import retrograde
from outplay.errors import BadValue, Unavailable, Unsuitable
from outplay.game import CompiledGame, load
from outplay.jit import Array, i8, i64
from outplay.rules import game
from outplay.textbook.minimax import minimax


@game("numbered heaps")
class Heaps:
    """Nim with three heaps of up to three: take any number from one; whoever takes the last wins. One class, no way back."""

    most_actions = 9
    heaps: Array[i8, 3]
    turn: i8

    def start(self):
        self.heaps[:] = 3

    def actions(self, out):
        count = 0
        for heap in range(3):
            for taken in range(1, self.heaps[heap] + 1):
                out[count] = 3 * heap + taken - 1
                count += 1
        return count

    def play(self, action):
        self.heaps[action // 3] -= action % 3 + 1
        self.turn = 1 - self.turn

    def utility(self, seat):
        return -1 if seat == self.turn else 1

    def table_class(self):
        return i64(0)

    def table_index(self):
        return i64(self.heaps[0]) * 16 + i64(self.heaps[1]) * 4 + i64(self.heaps[2])

    def table_place(self, klass, index):
        self.heaps[0], self.heaps[1], self.heaps[2], self.turn = index // 16, index // 4 % 4, index % 4, 0
        return True

    def table_classes(self, men):
        return [("heaps", ((0, 64),))]


@game("numbered noughts")
class Noughts:
    """Tic-tac-toe by how many cells are taken: each class leads to the next only."""

    most_actions = 9
    cells: Array[i8, 9]
    turn: i8

    def line(self):
        for first, step in ((0, 1), (3, 1), (6, 1), (0, 3), (1, 3), (2, 3), (0, 4), (2, 2)):
            mark = self.cells[first]
            if mark != 0 and mark == self.cells[first + step] and mark == self.cells[first + 2 * step]:
                return mark
        return 0

    def actions(self, out):
        count = 0
        if self.line() == 0:
            for cell in range(9):
                if self.cells[cell] == 0:
                    out[count] = cell
                    count += 1
        return count

    def play(self, action):
        self.cells[action] = self.turn + 1
        self.turn = 1 - self.turn

    def utility(self, seat):
        mark = self.line()
        return 0 if mark == 0 else 1 if mark == seat + 1 else -1

    def table_class(self):
        count = 0
        for cell in range(9):
            if self.cells[cell] != 0:
                count += 1
        return i64(count)

    def table_index(self):
        number = i64(0)
        for cell in range(9):
            number = 3 * number + i64(self.cells[cell])
        return number

    def table_place(self, klass, index):
        rest, count, first = index, 0, 0
        for cell in range(8, -1, -1):
            self.cells[cell] = rest % 3
            rest //= 3
            if self.cells[cell] != 0:
                count += 1
            if self.cells[cell] == 1:
                first += 1
        self.turn = count % 2
        return count == klass and first == (count + 1) // 2

    def table_classes(self, men):
        return [(f"{count} taken", ((count, 3**9),)) for count in range(9, -1, -1)]


def test_checkers_of_two_and_three_men():
    # Counts that others found: 992 positions of king against king; all of three men.
    tables = retrograde.build(load("checkers"), 3)
    facts = [tables.facts(slice.name) for slice in tables.slices]
    assert facts[0] == {"name": "k-k", "positions": 992, "won": 230, "drawn": 654, "lost": 108, "longest": 11}
    assert max(each["longest"] for each in facts[:3]) == 13
    totals = [sum(each[key] for each in facts[3:]) for key in ("positions", "won", "drawn", "lost")]
    assert totals == [196_032, 100_250, 8_477, 87_305]
    assert max(each["longest"] for each in facts) == 61


def test_nim_is_the_sum_of_bouton():
    heaps = CompiledGame(Heaps())
    tables = retrograde.build(heaps, 0)
    for sizes in itertools.product(range(4), repeat=3):
        state = heaps.rules.states(1)
        state[0].heaps = sizes
        lost = sizes[0] ^ sizes[1] ^ sizes[2] == 0
        code = int(tables.steps.values[sizes[0] * 16 + sizes[1] * 4 + sizes[2]])
        assert table_files.told(code)[0] == ("loss" if lost else "win")


def test_noughts_are_what_minimax_says():
    noughts, draw = CompiledGame(Noughts()), random.Random(1)
    tables = retrograde.build(noughts, 0)
    assert tables.probe(noughts.start()) == ("draw", 0)
    for _ in range(20):
        position = noughts.start()
        for _ in range(draw.randrange(2, 9)):
            if position.actions():
                position = position.result(draw.choice(position.actions()))
        value = minimax(position).value if position.actions() else position.utilities()[0]
        value = value if position.player() == 0 else -value
        assert tables.probe(position)[0] == {1: "win", 0: "draw", -1: "loss"}[int(value)]


def test_every_entry_is_derived_again():
    tables = retrograde.Tables(load("checkers"), 2)
    for _ in tables.build():
        pass
    tables.verify()
    won = int(np.flatnonzero(tables.steps.values == 4)[0])
    tables.steps.values[won] = 0
    with pytest.raises(BadValue, match="is wrong"):
        tables.verify()
    tables.close()


def test_files_go_round_and_damage_is_found(tmp_path):
    built = retrograde.build(load("checkers"), 2, tmp_path)
    path = tmp_path / "checkers.k-k.table"
    file = table_files.TableFile(path)
    assert (file.values() == built.steps.values[: file.size]).all()
    klass, size = file.classes[0]
    assert [file.code(klass, index) for index in range(0, size, 97)] == built.steps.values[0:size:97].tolist()
    whole = path.read_bytes()
    draw = random.Random(2)
    for _ in range(60):
        damaged = bytearray(whole)
        damaged[draw.randrange(len(whole))] ^= 1 << draw.randrange(8)
        path.write_bytes(bytes(damaged))
        assert table_files.load(tmp_path, "checkers", "k-k", file.classes) is None
        path.write_bytes(whole[: draw.randrange(len(whole))])
        assert table_files.load(tmp_path, "checkers", "k-k", file.classes) is None


def test_a_build_goes_on_where_it_was_stopped(tmp_path):
    def stop(name, plies, settled):
        if name == "kk-m":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        retrograde.build(load("checkers"), 3, tmp_path, progress=stop)
    assert len(list(tmp_path.iterdir())) == 4  # three of two men and kk-k; nothing half written
    heard = []
    tables = retrograde.build(load("checkers"), 3, tmp_path, progress=lambda name, plies, settled: heard.append(name))
    assert "kk-k" not in heard and "kk-m" in heard
    assert tables.facts("mm-m")["longest"] == 61


def test_games_without_numbers_are_refused():
    with pytest.raises(Unsuitable, match="number their positions"):
        retrograde.build(load("connect four"), 3)


def test_too_many_men_get_one_line(monkeypatch):
    with pytest.raises(BadValue, match="at most 9 men, got 99"):
        retrograde.build(load("checkers"), 99)
    monkeypatch.setattr(retrograde, "memory", lambda: 1e9)
    with pytest.raises(Unavailable, match="to 6 men take 6 GB of memory to build, and this machine has 1: ask for fewer men"):
        retrograde.build(load("checkers"), 6)


SIMULATED = """
from outplay.game import load
from outplay.engine.tables import retrograde
tables = retrograde.Tables(load("checkers"), 2, "cuda")
tables.build_slice(tables.slices[0])
print(tables.facts("k-k"), tables.steps.check(tables.slices[0]))
"""


def test_the_gpu_does_the_same():
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", SIMULATED], env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"},
                          capture_output=True, text=True, timeout=900)
    assert "'won': 230, 'drawn': 654, 'lost': 108, 'longest': 11} -1" in done.stdout, done.stderr[-2000:]
