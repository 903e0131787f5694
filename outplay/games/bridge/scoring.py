"""Duplicate bridge scores: contracts, IMPs, matchpoints and par (Laws of Duplicate Bridge 2017, Laws 77 and 78).

>>> score(4, 3, 10, vulnerable=True), score(3, 4, 8), score(1, 0, 7, doubled=2)
(620, -50, 230)
>>> imps(620 - 170), imps(-50)
(10, -2)
>>> matchpoints([620, 170, 620, -100])
[2.5, 1.0, 2.5, 0.0]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from outplay.games.bridge.notation import SEAT_LETTERS, SEATS, STRAINS

VULNERABILITIES = ("none", "NS", "EW", "both")
IMP_STEPS = (20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000,
             3500, 4000)  # fmt: skip
"""The least difference of points for 1, 2, 3, ... IMPs."""


def score(level: int, strain: int, tricks: int, *, doubled: int = 0, vulnerable: bool = False) -> int:
    """What declarer's side gets for a contract with so many tricks; `doubled` is 1 for a double, 2 for a redouble."""
    over = tricks - 6 - level
    if over < 0:
        down = -over
        if doubled == 0:
            return -down * (100 if vulnerable else 50)
        lost = 300 * down - 100 if vulnerable else (100, 300, 500)[down - 1] if down <= 3 else 300 * down - 400
        return -lost * doubled
    trick = 20 if strain < 2 else 30
    points = (level * trick + (10 if strain == 4 else 0)) << doubled
    total = points + (50 if points < 100 else 500 if vulnerable else 300)
    if level == 6:
        total += 750 if vulnerable else 500
    if level == 7:
        total += 1500 if vulnerable else 1000
    if doubled:
        return total + 50 * doubled + over * 100 * doubled * (2 if vulnerable else 1)
    return total + over * trick


def is_vulnerable(side: int, vulnerability: int) -> bool:
    """Whether a side (0 North and South, 1 East and West) is vulnerable; the number is that of `VULNERABILITIES`."""
    return bool(vulnerability >> side & 1)


def imps(difference: float) -> int:
    """International match points for a difference of scores."""
    won = sum(1 for least in IMP_STEPS if abs(difference) >= least)
    return won if difference >= 0 else -won


def matchpoints(scores: Sequence[float]) -> list[float]:
    """Each score's matchpoints in its field: one for each that it beats, half for each that it equals."""
    return [sum((mine > other) + (mine == other) / 2 for other in scores) - 0.5 for mine in scores]


@dataclass(frozen=True)
class Par:
    """What both sides get when everybody bids and plays double dummy: North and South's score and the contracts that give it."""

    score: int
    contracts: tuple[str, ...]


def par(table: Mapping[str, Mapping[str, int]], vulnerability: int = 0, dealer: int = 0) -> Par:
    """The par of a double-dummy table: every contract is followed by the best pass, double or higher bid of the other side.

    >>> table = {"North": {"C": 5, "D": 6, "H": 5, "S": 5, "NT": 6}, "South": {"C": 7, "D": 7, "H": 6, "S": 5, "NT": 6},
    ...          "East": {"C": 5, "D": 6, "H": 6, "S": 8, "NT": 6}, "West": {"C": 5, "D": 6, "H": 6, "S": 8, "NT": 6}}
    >>> par(table)
    Par(score=-110, contracts=('2S by E', '2S by W'))
    """
    most = [[max(table[SEATS[side]][name], table[SEATS[side + 2]][name]) for name in STRAINS] for side in (0, 1)]

    def stands(bid: int, side: int) -> tuple[int, int]:
        """North and South's points when this bid of a side is passed out or, where that costs it more, doubled; and how it is."""
        level, strain = bid // 5 + 1, bid % 5
        vulnerable = is_vulnerable(side, vulnerability)
        plain, doubled = (score(level, strain, most[side][strain], doubled=d, vulnerable=vulnerable) for d in (0, 1))
        points, how = (plain, 0) if plain <= doubled else (doubled, 1)
        return (points if side == 0 else -points), how

    value = [[0, 0] for _ in range(36)]
    for bid in range(34, -1, -1):
        for side in (0, 1):
            answers = [stands(bid, side)[0]] + [value[higher][1 - side] for higher in range(bid + 1, 35)]
            value[bid][side] = min(answers) if side == 0 else max(answers)
    second = 1 - dealer % 2
    last = [0] + [value[bid][second] for bid in range(35)]
    passed = max(last) if second == 0 else min(last)
    first = [passed] + [value[bid][1 - second] for bid in range(35)]
    points = max(first) if second == 1 else min(first)
    contracts = []
    if points != 0:
        for bid in range(35):
            for side in (0, 1):
                found, how = stands(bid, side)
                better = [stands(higher, 1 - side)[0] for higher in range(bid + 1, 35)]
                is_last = all(other >= points if side == 0 else other <= points for other in better)
                if found == points == value[bid][side] and is_last:
                    for seat in (side, side + 2):
                        if table[SEATS[seat]][STRAINS[bid % 5]] == most[side][bid % 5]:
                            contracts.append(f"{bid // 5 + 1}{STRAINS[bid % 5]}{'X' * how} by {SEAT_LETTERS[seat]}")
    return Par(points, tuple(contracts))


def score_table(ranks: int = 13, book: int = 6) -> np.ndarray:
    """Declarer's points by contract (bid, doubled, vulnerable in a row) and tricks; a short deck has a shorter book."""
    found = np.zeros((35 * 6, ranks + 1), np.int16)
    for bid in range(35):
        for doubled in range(3):
            for vulnerable in range(2):
                for tricks in range(ranks + 1):
                    found[(bid * 3 + doubled) * 2 + vulnerable, tricks] = score(
                        bid // 5 + 1, bid % 5, tricks - book + 6, doubled=doubled, vulnerable=bool(vulnerable))
    return found
