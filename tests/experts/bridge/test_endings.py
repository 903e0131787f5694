"""Endings by the million: without a table, on cores and on a GPU."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys

import numpy as np
import pytest

from outplay.errors import BadValue
from outplay.experts.bridge.double_dummy import DoubleDummy, Memory
from outplay.experts.bridge.double_dummy_endings import tricks_of
from outplay.games.bridge.notation import cards_of
from tests.experts.bridge.deals import random_hands
from tests.experts.bridge.test_double_dummy import brute


def some_endings(count, tricks, seed):
    source = random.Random(seed)
    return [(random_hands(source, tricks), source.randrange(5), source.randrange(4)) for _ in range(count)]


def test_endings_as_the_solver_with_a_table_and_minimax():
    memory = Memory()
    asked = [ending for tricks in (1, 2, 3, 4, 5, 6) for ending in some_endings(60, tricks, tricks)]
    for tricks in range(1, 7):
        chosen = [ending for ending in asked if len(list(cards_of(ending[0][0]))) == tricks]
        found = tricks_of([hands for hands, _, _ in chosen], [trump for _, trump, _ in chosen], [leader for _, _, leader in chosen],
                          threads=2)
        assert found.tolist() == [DoubleDummy(hands, memory=memory).tricks(trump, leader) for hands, trump, leader in chosen]
        if tricks <= 3:
            assert found.tolist() == [brute(list(hands), trump, leader, (), {}) for hands, trump, leader in chosen]


def test_endings_of_different_lengths_stand_side_by_side():
    asked = [*some_endings(5, 2, 1), *some_endings(5, 4, 2)]
    found = tricks_of([hands for hands, _, _ in asked], 4, 0)
    assert found.tolist() == [DoubleDummy(hands).tricks(4, 0) for hands, _, _ in asked]


def test_what_cannot_be_asked():
    assert tricks_of(np.zeros((0, 4), np.int64), "NT", "N").tolist() == []
    with pytest.raises(BadValue, match="same number of cards"):
        tricks_of([(1, 2, 4, 0)], "NT", "N")
    with pytest.raises(BadValue, match="at most 7 tricks"):
        tricks_of([random_hands(random.Random(1), 8)], "NT", "N")
    with pytest.raises(BadValue, match="cpu or cuda"):
        tricks_of([(1, 2, 4, 8)], "NT", "N", device="tpu")


SIMULATED = """
import json, sys
from outplay.experts.bridge import double_dummy_endings as endings
endings.BLOCK, endings.BLOCKS_PER_PROCESSOR = 2, 1
hands, trumps, leaders = json.load(sys.stdin)
print(json.dumps(endings.tricks_of(hands, trumps, leaders, device="cuda").tolist()))
"""


def test_the_kernel_for_a_gpu_in_the_simulator():
    asked = some_endings(7, 3, 5)
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", SIMULATED], env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"},
                          input=json.dumps(list(zip(*asked, strict=True))), capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr[-2000:]
    assert json.loads(done.stdout) == [brute(list(hands), trump, leader, (), {}) for hands, trump, leader in asked]
