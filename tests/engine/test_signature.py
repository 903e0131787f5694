"""Node counts and values of a fixed set of searches: a change of a kernel that alters a search by accident shows here.

A change that means to alter a search writes the new numbers here and says so in its message: `python -m benchmarks.signature`
prints them.
"""

import pytest

from outplay.engine.bench import names, signature

PINNED = {
    "connect four, minimax": (137257, 0.0),  # every node of six plies once: (7^7 - 1) / 6, no column fills up
    "connect four, alphabeta": (24798, 0.0),
    "connect four, plain alphabeta": (22174, 0.0),
    "connect four, pvs": (51599, 0.0),
    "connect four, mtdf": (25479, 0.0),
    "connect four, bns": (37904, 0.0),
    "isolation, exact": (7824, 10.0),
    "isolation, selective": (3739, 8.0),
    "chess, exact": (8682, -78.0),
    "chess, opening": (6223, 11.0),
    "chess, middle game": (14007, -37.0),
    "chess, ending": (55202, 71.0),
    "chess, nodes": (20000, -37.0),
    "sloppy isolation, expectiminimax": (1025, 7.0),
    "sloppy isolation, star1": (107, 7.0),
    "sloppy isolation, star2": (4044, 5.866666666666788),
    "three players, maxn": (29033, (3333.0, 3333.0, 3333.0)),
    "three players, paranoid": (4370, (3157.5789473684213, 3157.5789473684213, 3683.842105263158)),
    "three players, best-reply": (833, (3683.842105263158, 1578.7894736842106, 4736.368421052632)),
    "connect four, mcts": (44976, 0.27589974731953837),
    "sloppy isolation, mcts": (10856, 0.0176678445229681),
    "go 5x5, mcts": (1481, 0.4326241134751774),
    "blind tic-tac-toe, ismcts": (2341, 0.5008),
    "eight puzzle, ida-star": (15244, (1.0,)),
    "eight puzzle, a-star": (4195, (1.0,)),
    "tic-tac-toe solved": (1297, 0.0),
    "connect four 5x4 solved": (18311, 0.0),
    "isolation 4x4 solved": (5445, -1.0),
    "connect four, perft": (823536, None),
    "chess, perft": (4085603, None),
    "connect four, playouts": (42197, 0.125),
}


@pytest.mark.parametrize("name", names())
def test_searches_look_at_the_same_nodes(name):
    (one,) = signature([name])
    nodes, value = PINNED[name]
    assert one.nodes == nodes
    assert one.value == (value if value is None else pytest.approx(value, abs=1e-9))


def test_everything_is_pinned():
    assert set(PINNED) == set(names())
