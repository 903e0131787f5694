"""Backgammon: how many ways there are to play a 1-1, and a position with very many of them."""

from __future__ import annotations

import base64

Places = tuple[int, ...]
"""How many of a player's checkers stand on each point, 1 to 24; place 0 counts those borne off."""

MOST_PLAYS: Places = (0, 0, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1)
"""Found by hill climbing over the places of fifteen checkers, from many beginnings: 2,226 boards."""


def plays(places: Places, steps: int = 4) -> dict[Places, int]:
    """The boards after so many steps of one point each, nobody in the way, each with the orders of steps that lead to it.

    >>> alone = tuple(14 if point == 0 else 1 if point == 24 else 0 for point in range(25))
    >>> len(plays(alone)), len(plays(MOST_PLAYS)), sum(plays(MOST_PLAYS).values())
    (1, 2226, 42448)
    """
    now = {places: 1}
    for _ in range(steps):
        after: dict[Places, int] = {}
        for board, ways in now.items():
            is_home = not any(board[7:])
            for point in range(1, 25):
                if board[point] and (point > 1 or is_home):
                    moved = list(board)
                    moved[point] -= 1
                    moved[point - 1] += 1
                    after[tuple(moved)] = after.get(tuple(moved), 0) + ways
        if not after:
            break
        now = after
    return now


def position_id(places: Places) -> str:
    """GNU Backgammon's ID of the position in which these are to roll and the other side has one checker left, on the bar."""
    bits: list[int] = [0] * 24 + [1, 0]  # the other side: nothing on 24 points, one on the bar
    for point in range(1, 25):
        bits += [1] * places[point] + [0]
    bits = (bits + [0] * 80)[:80]
    data = bytes(sum(bit << k for k, bit in enumerate(bits[8 * byte : 8 * byte + 8])) for byte in range(10))
    return base64.b64encode(data).decode().rstrip("=")[:14]
