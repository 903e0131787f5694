"""What the tiles that stay on a rack are worth in Scrabble, learned from games of the static player against itself.

A rack's worth is the equity of its best play. The worth of a leave is how much better than the average racks are that hold it. It
is measured for single tiles, pairs and triples, and what a pair or triple adds to its parts is kept as a term of its own, drawn to
nothing where few racks held it. All 914,624 leaves of up to six tiles are then sums of some 3,900 numbers.

>>> rack_count(7), rack_count(6, smaller=True)
(3199724, 914624)
"""

from __future__ import annotations

import io
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from outplay.errors import BadValue
from outplay.experts.scrabble.search_kernel import SPAN, STATIC, TERMS, play_games
from outplay.files import write_whole
from outplay.game import load
from outplay.games.scrabble.sets import read_tiles
from outplay.jit import random_source

HOLD = 120
"""Racks that must have held a pair or triple before what they show counts half."""
PIECE = 50
"""Games between two looks at whether to stop."""


def rack_count(size: int, *, smaller: bool = False, tiles: str = "english") -> int:
    """How many different racks of so many tiles a set allows; `smaller`: of one tile up to so many."""
    ways = [1] + [0] * size
    for count in read_tiles(tiles)[0]:
        ways = [sum(ways[n - k] for k in range(min(count, n) + 1)) for n in range(size + 1)]
    return sum(ways[1:]) if smaller else ways[size]


def learn_leaves(games: int = 6000, *, rounds: int = 3, seed: int = 0, name: str = "scrabble", stop: threading.Event | None = None,
                 progress: Callable[[int, int, int], None] | None = None) -> tuple[np.ndarray, dict[str, Any]]:
    """The terms of leaves after rounds of self-play, each on what the round before learned; and a report.

    The last round has half of the games. `progress` hears the round, the games done in it and the games of it.
    """
    if games < 1 or rounds < 1:
        raise BadValue(f"games and rounds must be 1 or more, got {games} and {rounds}")
    game: Any = load(name)
    rules = game.rules
    rules.bind()
    states = rules.states(2)
    states[:1].view(np.uint8)[:] = np.frombuffer(game.initial(), np.uint8)
    out, terms, kinds, source = rules.room(), np.zeros(TERMS, np.int64), np.array([STATIC]), random_source(seed)
    report: dict[str, Any] = {"games": 0, "racks": 0}
    for number in range(rounds):
        share = games // 2 if number == rounds - 1 and rounds > 1 else games // (2 * max(rounds - 1, 1)) if rounds > 1 else games
        sums, counts, points = np.zeros(TERMS, np.int64), np.zeros(TERMS, np.int64), []
        done = 0
        while done < max(share, 1) and not (stop is not None and stop.is_set()):
            some = min(PIECE, max(share, 1) - done)
            scores, turns = np.zeros((some, rules.players), np.int64), np.zeros(1, np.int64)
            play_games(states, some, out, terms, kinds, source, scores, turns, sums, counts)
            points.append(scores.mean())
            done += some
            if progress is not None:
                progress(number, done, share)
        if not done:
            break
        terms = fit_terms(sums, counts)
        report["games"] += done
        report["racks"] += int(counts[0])
        report["mean score"] = float(np.mean(points))
    return terms, report


def fit_terms(sums: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Terms in thousandths of a point from what racks with each tile, pair and triple were worth."""
    found = np.zeros(TERMS, np.int64)
    mean = sums[0] / max(counts[0], 1)
    for at in np.flatnonzero(counts[1:]) + 1:  # tiles come before pairs and pairs before triples
        tiles = tuple(int(part) for part in (at // SPAN // SPAN, at // SPAN % SPAN, at % SPAN) if part)
        parts = sum(int(found[_index(part)]) for part in _parts(tiles))
        held = counts[at] / (counts[at] + (HOLD if len(tiles) > 1 else 5))
        found[at] = round((sums[at] / counts[at] - mean - parts) * held)
    return found


def _parts(tiles: tuple[int, ...]) -> set[tuple[int, ...]]:
    """The smaller lots within a lot of tiles."""
    smaller: set[tuple[int, ...]] = {(tile,) for tile in tiles} if len(tiles) > 1 else set()
    if len(tiles) == 3:
        smaller |= {tiles[:2], tiles[1:], (tiles[0], tiles[2])}
    return smaller


def _index(tiles: tuple[int, ...]) -> int:
    at = 0
    for tile in tiles:
        at = at * SPAN + tile
    return at


def leave_worth(terms: np.ndarray, leave: str) -> float:
    """What a leave is worth, in points, ? being a blank."""
    tiles = sorted(1 if symbol == "?" else ord(symbol) - 63 for symbol in leave.upper())
    lots: set[tuple[int, ...]] = {(a,) for a in tiles}
    lots |= {(tiles[a], tiles[b]) for a in range(len(tiles)) for b in range(a + 1, len(tiles))}
    lots |= {(tiles[a], tiles[b], tiles[c]) for a in range(len(tiles)) for b in range(a + 1, len(tiles))
             for c in range(b + 1, len(tiles))}
    return sum(int(terms[_index(lot)]) for lot in lots) / 1000


def save_terms(terms: np.ndarray, path: str) -> None:
    """Write terms as `engine.tiles.leave_terms` reads them: hundredths of a point."""
    index = np.flatnonzero(terms)
    packed = io.BytesIO()
    value = np.clip(np.round(terms[index] / 10), -32768, 32767).astype(np.int16)
    np.savez_compressed(packed, index=index.astype(np.uint16), value=value)
    write_whole(path, packed.getvalue())
