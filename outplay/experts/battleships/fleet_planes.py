"""What a shooter knows of a fleet, as planes for a network; one definition for NumPy, where it plays, and torch, where it learns.

>>> from outplay.experts.battleships.fleets import Knowledge
>>> known = Knowledge(4, 4, (3, 2))
>>> known.shoot(5, hit=True)
>>> planes = planes_of([known])
>>> planes.shape, planes[0, 2].astype(int).tolist()             # the hit that stands
((1, 11, 4, 4), [[0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from outplay.experts.battleships.fleets import Board, Knowledge

PLAIN = 5
"""Planes beside those of the ships: not shot at, miss, hit that stands, sunk for certain, one colour of the chequered board."""
OF_SHIP = 3
"""Planes of each ship: its placements that fit laid over each other, those over hits alone, and whether it is afloat."""
OVER = 6.0
"""How much likelier a placement over one more hit is held to be, in what the network sees."""


class Places(NamedTuple):
    """All placements of all ships of a board, ship after ship; arrays of NumPy or torch."""

    holds: Any  # [placement, cell]: 1 or 0
    ship: Any  # [placement]
    length: Any  # [placement]
    colour: Any  # [cell]: 1 or 0
    one: Any  # the number 1 in the kind of number that is reckoned with
    first: tuple[int, ...]  # the first placement of each ship, and their number
    shape: tuple[int, int]  # height and width


def places_of(board: Board, kind: Any = np.float32) -> Places:
    """The placements of a board, for NumPy."""
    ways = [board.placements(length) for length in board.fleet]
    first = (0, *(int(sum(map(len, ways[: ship + 1]))) for ship in range(len(ways))))
    holds = np.zeros((first[-1], board.width * board.height), kind)
    for row, cells in enumerate(cells for way in ways for cells in way):
        holds[row, list(cells)] = 1
    ship = np.repeat(np.arange(len(ways)), [len(way) for way in ways])
    cell = np.arange(holds.shape[1])
    colour = ((cell // board.width + cell % board.width) % 2).astype(kind)
    return Places(holds, ship, holds.sum(1), colour, kind(1), first, (board.height, board.width))


def see(xp: Any, places: Places, shot: Any, hits: Any, sunk: Any, tight: Any) -> Any:
    """[game, plane, row, column] from [game, cell] shot at and hit, [game, ship] sunk, and [game, placement]: where a ship that
    sank can lie. `xp` is numpy or torch."""
    one, holds = places.one, places.holds
    ships = [slice(*ends) for ends in zip(places.first, places.first[1:], strict=False)]

    def count(weights: Any) -> Any:  # [game, ship], at least 1
        return xp.stack([weights[:, ship].sum(1) for ship in ships], 1).clip(1)[:, :, None]

    def laid(weights: Any) -> Any:  # [game, ship, cell]: placements laid over each other
        return xp.stack([(weights[:, ship] * one) @ holds[ship] for ship in ships], 1)

    sunk_at = laid(tight) / count(tight)
    certain = (sunk_at > 0.999).any(1)
    standing = hits & ~certain
    over = (standing * one) @ holds.T
    fits = ((((shot & ~hits) | certain) * one) @ holds.T == 0) & (over < places.length) & ~sunk[:, places.ship]
    touching = xp.where(fits & (over > 0), OVER ** (over - 1), 0 * over)
    planes = [
        xp.stack([~shot, shot & ~hits, standing, certain], 1) * one,
        (0 * over[:, :1] + places.colour)[:, None],
        3 * (laid(fits) / count(fits) + sunk_at),
        2 * (laid(touching) / count(touching)) * ~shot[:, None],
        ~sunk[:, :, None] * (0 * places.colour + one),
    ]
    return (xp.concatenate(planes, 1) * one).reshape(len(shot), -1, *places.shape)


def planes_of(known: Sequence[Knowledge], places: Places | None = None) -> np.ndarray:
    """What several shooters on equal boards with equal fleets see."""
    board = known[0].board
    places = places_of(board) if places is None else places
    tight = np.zeros((len(known), len(places.holds)), bool)
    words = np.zeros((2, len(known), 2), np.uint64)
    sunk = np.zeros((len(known), len(board.fleet)), bool)
    for game, each in enumerate(known):
        words[0, game], words[1, game] = each.room.hits, each.room.misses
        sunk[game] = each.room.sunk
        for ship in np.flatnonzero(sunk[game]):
            tight[game, places.first[ship] + each.room.tight[ship, : each.room.tights[ship]]] = True
    hits, misses = (words[:, :, board.bits // 64] >> (board.bits % 64).astype(np.uint64) & np.uint64(1)).astype(bool)
    found: np.ndarray = see(np, places, hits | misses, hits, sunk, tight).astype(np.float32)
    return found
