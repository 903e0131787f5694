"""What a position is worth before its end is in sight: patterns as in Logistello, in hundredths of a disc."""

from functools import cache
from importlib import resources
from types import SimpleNamespace

import numpy as np

from outplay.evaluations.patterns import Patterns
from outplay.jit import popcount

DISC = 100  # points
PLIES = {6: 4, 8: 5}  # in a phase
SHAPES = {
    8: {
        "edge and X cells": "b2 a1 b1 c1 d1 e1 f1 g1 h1 g2",
        "corner 3x3": "a1 b1 c1 a2 b2 c2 a3 b3 c3",
        "corner 2x5": "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2",
        "second row": "a2 b2 c2 d2 e2 f2 g2 h2",
        "third row": "a3 b3 c3 d3 e3 f3 g3 h3",
        "fourth row": "a4 b4 c4 d4 e4 f4 g4 h4",
        "diagonal of 8": "a1 b2 c3 d4 e5 f6 g7 h8",
        "diagonal of 7": "a2 b3 c4 d5 e6 f7 g8",
        "diagonal of 6": "a3 b4 c5 d6 e7 f8",
        "diagonal of 5": "a4 b5 c6 d7 e8",
        "diagonal of 4": "a5 b6 c7 d8",
    },
    6: {
        "edge and X cells": "b2 a1 b1 c1 d1 e1 f1 e2",
        "corner 3x3": "a1 b1 c1 a2 b2 c2 a3 b3 c3",
        "second row": "a2 b2 c2 d2 e2 f2",
        "third row": "a3 b3 c3 d3 e3 f3",
        "diagonal of 6": "a1 b2 c3 d4 e5 f6",
        "diagonal of 5": "a2 b3 c4 d5 e6",
        "diagonal of 4": "a3 b4 c5 d6",
    },
}


def data(file, name):
    """An array of a file that came with the package; None where there is no such file."""
    path = resources.files(__package__) / file
    if not path.is_file():
        return None
    with path.open("rb") as stream:
        return np.load(stream)[name]


@cache
def evaluation(size):
    """The patterns, their weights, and the functions `phase` and `judged` on boards of this size; None where it has none."""
    if size not in SHAPES:
        return None
    cells, plies = size * size, PLIES[size]
    phases = (cells - 4) // plies
    patterns = Patterns("othello" if size == 8 else f"othello {size}x{size}", size, size, SHAPES[size], phases=phases)

    def shipped():
        """The weights that came with the package; zeros before any were learned."""
        found = data(f"patterns-{size}.npz", "weights")
        return found if found is not None else np.zeros((phases, patterns.size + 1), np.int16)

    weights = patterns.weights(shipped)
    pattern_value = patterns.reader(weights)
    most = cells * DISC - 1  # a guess is never as good as the best end of the game

    def phase(mine, theirs):
        """Which row of the weights is meant: some plies each, from the opening to the end."""
        return min((popcount(mine | theirs) - 4) // plies, phases - 1)

    def judged(mine, theirs):
        """The value to the player whose discs are `mine` and who is to move."""
        return min(max(pattern_value(mine, theirs, phase(mine, theirs)), -most), most)

    return SimpleNamespace(patterns=patterns, weights=weights, phase=phase, judged=judged,
                           probcut=data(f"probcut-{size}.npz", "fits"))
