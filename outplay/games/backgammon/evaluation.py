"""What a side is worth by seven weights, and what networks see of a board and how their weights lie in memory."""

import numpy as np

from outplay.errors import BadValue
from outplay.evaluations import Outcomes
from outplay.games.backgammon.boards import BAR, CHECKERS, OFF

LIVELINESS = 0.68  # how near a cube comes to one that is always turned at the best moment

# What a side is worth, in points: pips to go, checkers on the bar, blots, points made in the home board, points made before it
# (7 to 9), an anchor in the other's home board, checkers borne off.
WEIGHTS = np.array([-0.009, -0.12, -0.035, 0.07, 0.04, 0.06, 0.03])
WEIGHT_NAMES = ("pips", "on the bar", "blots", "home points", "outer points", "anchor", "borne off")

OUTLOOK = 14  # further inputs of a network for each side: what `outlook` says
PLACES = 2 * 26 * 4  # inputs for the checkers on the points; those of the outlook come behind them
UNIT = 2 * 26 * 16 + 2 * OUTLOOK + 1 + 5  # numbers of a hidden unit: for each side, point and number of checkers there, for each
# of the outlook, its bias, its five outputs
CONTACT, RACE, LATE, NETWORKS = 0, 1, 2, 3  # which network judges
OUTCOMES = Outcomes(  # the chances to win, to win a gammon or more, a backgammon, and to lose so
    worth=(2.0, 1.0, 1.0, -1.0, -1.0, -1.0),
    flip=((0, 1.0, -1.0), (3, 0.0, 1.0), (4, 0.0, 1.0), (1, 0.0, 1.0), (2, 0.0, 1.0)),
    networks=NETWORKS,  # while there is contact, for the race, and for contact late in the game
)
FEW = 6  # checkers beyond its two lowest points with which a side cannot hold its board for long


def inputs_of(point, held):
    """What a network sees of the checkers on one point; the bar is 25, and on point 0 stand those borne off.

    >>> inputs_of(6, 5), inputs_of(13, 1), inputs_of(0, 15)
    ((0.0, 1.0, 1.0, 1.0), (1.0, 0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))
    """
    if point == OFF:
        return held / CHECKERS, 0.0, 0.0, 0.0
    return float(held == 1), float(held >= 2), float(held >= 3), max(0, held - 3) / 2


INPUTS = np.array([inputs_of(point, held) for point in range(26) for held in range(16)], np.float32).ravel()


def network_weights(first, first_bias, second, second_bias, bear_offs=()):
    """The weights of trained networks as `evaluate` takes them: for each side, point and number of checkers there what that adds to
    each hidden unit, then the weights of the outlook, the units' biases, their weights for each output, and the outputs' biases.
    Behind all of them the table of bear-offs, where there is one, and how many numbers it has. A network that learned without the
    outlook ignores it; where one judged all contact, it does so still."""
    seen = INPUTS.reshape(26, 16, 4)
    parts = []
    if len(first) == 2:
        first, first_bias, second, second_bias = (each[[0, 1, 0]] for each in (first, first_bias, second, second_bias))
    if len(first) != NETWORKS:
        raise BadValue(f"backgammon has {NETWORKS} networks (or 2), this file has {len(first)}")
    if first.shape[1] == PLACES:
        first = np.pad(first, ((0, 0), (0, 2 * OUTLOOK), (0, 0)))
    if first.shape[1] != PLACES + 2 * OUTLOOK or second.shape[1] != 5:
        wanted, came = f"{PLACES + 2 * OUTLOOK} inputs (or {PLACES}) and 5 outputs", f"{first.shape[1]} and {second.shape[1]}"
        raise BadValue(f"a network for backgammon has {wanted}, this one has {came}")
    for net in range(len(first)):
        by_point = np.einsum("pcu,spuh->spch", seen, first[net, :PLACES].reshape(2, 26, 4, -1))
        parts += [by_point.ravel(), first[net, PLACES:].ravel(), first_bias[net], second[net].ravel(), second_bias[net]]
    return np.concatenate([*parts, np.ravel(bear_offs), [np.size(bear_offs)]]).astype(np.float32)


def features_of(point, held):
    """What the checkers on one point count for, in fields of ten and four bits: their sum over all points is a side's."""
    is_blot = held == 1 and point < BAR
    home, outer, anchor = (held >= 2 and first <= point <= last for first, last in ((1, 6), (7, 9), (19, 22)))
    return held * point | is_blot << 10 | home << 14 | outer << 18 | anchor << 22


FEATURES = np.array([features_of(point, held) for point in range(26) for held in range(16)])
