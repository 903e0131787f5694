"""What the 169 classes of hold'em hands win against each other before the flop, exactly: a table of 169 by 169.

`EQUITIES[i, j]` is what class i wins of the pot on average against class j when both go all in, and `WEIGHTS[i, j]` how many
pairs of hands that is an average over. The file beside this one holds twice the wins plus the ties, counted over every board;
`python benchmarks/poker.py preflop` counts them anew.

>>> from outplay.games.holdem.ranges import class_of_hand
>>> from outplay.cards import cards
>>> aces, kings = class_of_hand(cards("AsAh")), class_of_hand(cards("KsKh"))
>>> round(float(EQUITIES[aces, kings]), 6), int(WEIGHTS[aces, kings])
(0.819461, 36)
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from outplay.games.holdem.ranges import CLASS_OF_HAND, HANDS

BOARDS = 1_712_304  # that may come beside four known cards
FILE = Path(__file__).with_name("preflop.npz")


def _weights() -> np.ndarray:
    """How many pairs of hands of two classes share no card."""
    hands = np.bincount(CLASS_OF_HAND, minlength=169)
    cards = np.zeros((169, 52), np.int64)  # how many hands of a class hold a card
    for number, hand in enumerate(HANDS):
        cards[CLASS_OF_HAND[number], list(hand)] += 1
    # All pairs, less those that share a card; a hand shares two with itself and was taken off twice.
    return np.outer(hands, hands) - cards @ cards.T + np.diag(hands)


def _halves() -> np.ndarray:
    with np.load(FILE) as saved:
        return saved["halves"].astype(np.int64)


WEIGHTS = _weights()
EQUITIES = _halves() / (2 * BOARDS * WEIGHTS)
