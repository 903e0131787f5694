"""Batches of games against the Python face of the same rules, game by game."""

import os
import subprocess
import sys

import numpy as np
import pytest

import outplay
from outplay.adapters.spaces import Actions, View
from outplay.errors import BadValue, IllegalAction, UnknownName, Unsuitable
from outplay.game import load

IN_THE_SIMULATOR = """
import numpy as np, outplay
for name, steps in (("tic-tac-toe", 9), ("leduc poker", 12), ("connect four:width=4,height=4", 6)):
    near, far = outplay.batch(name, n=9, seed=3), outplay.batch(name, n=9, seed=3, device="cuda")
    for _ in range(steps):
        for array in ("players", "legal", "rewards", "ended", "plies"):
            there = getattr(far, array).copy_to_host()
            assert np.array_equal(getattr(near, array), there), (name, array, getattr(near,array), there)
        chosen = far.sample().copy_to_host()
        assert np.array_equal(near.sample(), chosen)
        if "connect" in name:
            assert np.array_equal(near.observe(), far.observe().copy_to_host())
        near.step(chosen)
        far.step(chosen)
far = outplay.batch("tic-tac-toe", n=3, device="cuda")
far.step([4, 4, 4]); far.check(); far.step([4, 0, 0])
try:
    far.check()
except outplay.errors.IllegalAction as problem:
    print(problem)
"""


def follow(name, n, steps, **options):
    """Play a batch and, beside it, each of its games by positions: the same players, masks, views and rewards throughout."""
    games = outplay.batch(name, n=n, seed=4, **options)
    game = games.game
    codes, view = Actions(game), View(game)
    for _ in range(steps):
        seen = games.observe()
        for at in range(n):
            position = games.position(at)
            assert games.ended[at] == position.is_terminal()
            if position.is_terminal():
                assert not games.legal[at].any()
                continue
            assert games.players[at] == position.player()
            assert games.legal[at].tolist() == codes.mask(position).astype(bool).tolist()
            assert np.array_equal(seen[at], view.see(position, position.player()))
        before = [games.position(at) for at in range(n)]
        chosen = games.sample()
        over = games.ended.copy()
        games.step(chosen)
        for at in range(n):
            if over[at]:
                assert games.position(at) == before[at] and not games.rewards[at].any()
                continue
            after = before[at].result(codes.action(before[at], chosen[at]))
            if not after.is_chance():
                assert games.position(at) == after
            assert games.rewards[at].tolist() == (list(games.position(at).utilities()) if games.ended[at] else [0, 0])
    return games


def test_a_batch_plays_as_positions_do():
    assert follow("tic-tac-toe", 20, 10).ended.all()


def test_chance_and_hidden_cards_are_seen_as_the_rules_let_them():
    assert follow("leduc poker", 20, 12).ended.all()


def test_threads_and_neighbours_change_nothing():
    ways = []
    for n, threads in ((50, 1), (50, 3), (20, 1)):
        games = outplay.batch("leduc poker", n=n, seed=9, threads=threads, auto_reset=True)
        for _ in range(12):
            games.step(games.sample())
        ways.append([games.position(at).text() for at in range(20)])
    assert ways[0] == ways[1] == ways[2] and len(set(ways[0])) > 10


def test_games_begin_anew_and_are_cut():
    games = outplay.batch("tic-tac-toe", n=8, seed=1, auto_reset=True)
    finished = 0
    for _ in range(30):
        games.step(games.sample())
        finished += int(games.ended.sum())
        assert (games.rewards[~games.ended] == 0).all()
    assert finished > 16
    games = outplay.batch("tic-tac-toe", n=4, seed=1, most_plies=3)
    for _ in range(3):
        games.step(games.sample())
    assert games.cut.all() and not games.ended.any() and not games.legal.any()


def test_arrays_reach_torch_without_a_copy():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    games = outplay.batch("tic-tac-toe", n=5)
    legal = torch.from_dlpack(games.legal)
    games.step(np.full(5, 4))
    assert legal.data_ptr() == games.legal.ctypes.data and not bool(legal[:, 4].any())
    for array in (games.legal, games.players, games.rewards, games.ended, games.cut, games.observe()):
        assert array.ctypes.data % 64 == 0  # else JAX copies


def test_a_capsule_of_our_own_is_taken_without_a_copy_and_let_go():
    """What a GPU's arrays are lent by, here with the processor's memory; the owner lives as long as the borrower needs it."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    from outplay.adapters import dlpack

    numbers = np.arange(24, dtype=np.int32).reshape(2, 3, 4)

    class Lent:
        def __dlpack_device__(self):
            return dlpack.CPU, 0

        def __dlpack__(self, **asked):
            return dlpack.capsule(numbers.ctypes.data, numbers.shape, numbers.dtype, dlpack.CPU, numbers)

    before = len(dlpack._lent)
    taken = torch.from_dlpack(Lent())
    numbers[1, 2, 3] = -7
    assert taken.shape == (2, 3, 4) and int(taken[1, 2, 3]) == -7 and taken.data_ptr() == numbers.ctypes.data
    assert len(dlpack._lent) == before + 1
    del taken
    unused = Lent().__dlpack__()
    assert len(dlpack._lent) == before + 1
    del unused
    assert len(dlpack._lent) == before


def test_what_cannot_be_is_told_before_any_game_has_moved():
    games = outplay.batch("tic-tac-toe", n=3)
    games.step([4, 4, 4])
    with pytest.raises(IllegalAction, match="code 4 is illegal in game 1"):
        games.step([0, 4, 0])
    assert games.plies.tolist() == [1, 1, 1]
    with pytest.raises(BadValue, match="one code a game"):
        games.step([1, 2])
    with pytest.raises(BadValue, match="n must be 1 or more"):
        outplay.batch("nim", n=0)
    with pytest.raises(UnknownName, match="did you mean 'cuda'"):
        outplay.batch("nim", n=2, device="cuds")
    pytest.importorskip("pyspiel", reason="the extra `spiel` is not installed")
    with pytest.raises(Unsuitable, match="compiled rules"):
        outplay.batch(load("spiel:tic_tac_toe"), n=2)


def test_the_gpu_plays_the_same_games():
    """In CUDA's simulator: every array of every step equal, and an illegal code told."""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", IN_THE_SIMULATOR], env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"},
                          capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("tic-tac-toe: a code was illegal in game 0")
