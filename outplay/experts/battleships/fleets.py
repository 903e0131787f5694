"""Battleships' arithmetic: how many fleets there are, which of them fit all that a shooter knows, and where they probably lie.

>>> count_fleets(4, 4, (3, 2))
264
>>> known = Knowledge(10, 10, (5, 4, 3, 3, 2))
>>> shares, exact = known.probabilities(seed=1)
>>> known.shoot(44, hit=True)
>>> shares, exact = known.probabilities(seed=1)
>>> bool(shares[45] > 0.25 and shares[99] < 0.2)
True

A board is two words of 64 bits with an empty column on the right, so that shifting never wraps a row into the next. The posterior
is found in two steps. First all ways to *cover* the hits that stand are enumerated: which ship lies where over them. Then the
ships that no hit betrays are laid anywhere free: by enumeration where that is a matter of a few thousand fleets, else by drawing,
each fleet that fits as likely as any other.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from outplay.engine.pacing import in_threads
from outplay.errors import BadValue, Unavailable
from outplay.jit import below, i64, inlined, kernel, lowest, popcount, random_source, u64, uniform

SHIPS = 8  # at most
MOST = 400  # placements of one ship
COVERS = 20_000
DRAWS = 3000
EXACT = 4000
"""Fleets up to which the posterior is enumerated."""
DIAGONAL, OTHER_COLOUR = 0.03, 0.8
"""What a cell's density gains for each shot diagonally beside it, and loses on the other colour: the best of a few tried."""


class Board:
    """The placements of each ship on a board, as masks of two words."""

    def __init__(self, width: int, height: int, fleet: Sequence[int]) -> None:
        if not (1 <= width <= 10 and 1 <= height <= 10):
            raise BadValue(f"a board has 1 to 10 rows and columns, got {width} x {height}")
        if not 1 <= len(fleet) <= SHIPS or min(fleet) < 1:
            raise BadValue(f"a fleet has 1 to {SHIPS} ships of length 1 or more, got {list(fleet)}")
        self.width, self.height, self.fleet = width, height, tuple(fleet)
        self.stride = width + 1
        self.masks = np.zeros((len(fleet), MOST, 2), np.uint64)
        self.counts = np.zeros(len(fleet), np.int64)
        for ship, length in enumerate(fleet):
            for k, cells in enumerate(self.placements(length)):
                bits = sum(1 << self.bit(cell) for cell in cells)
                self.masks[ship, k] = bits & (2**64 - 1), bits >> 64
                self.counts[ship] = k + 1
            if self.counts[ship] == 0:
                raise BadValue(f"a ship of {length} does not fit on {width} x {height}")
        cells = [self.bit(cell) for cell in range(width * height)]
        self.whole = np.array([sum(1 << b for b in cells if b < 64), sum(1 << (b - 64) for b in cells if b >= 64)], np.uint64)
        self.bits = np.array(cells, np.int64)

    def sea(self) -> Sea:
        """What the kernels take of it."""
        return Sea(self.masks, self.counts, self.bits, self.width)

    def bit(self, cell: int) -> int:
        """The bit of a cell, counted row by row."""
        return cell // self.width * self.stride + cell % self.width

    def placements(self, length: int) -> list[tuple[int, ...]]:
        """The cells of each way to lay a ship: across first, then down."""
        found = [tuple(row * self.width + column + k for k in range(length))
                 for row in range(self.height) for column in range(self.width - length + 1)]
        if length > 1:
            found += [tuple((row + k) * self.width + column for k in range(length))
                      for row in range(self.height - length + 1) for column in range(self.width)]
        return found


class Sea(NamedTuple):
    """What the kernels take of a board."""

    masks: np.ndarray  # [ship, placement, word]
    counts: np.ndarray  # placements of each ship
    bits: np.ndarray  # of the cells, row by row
    width: int


class Room(NamedTuple):
    """What a shooter knows, and the memory that the kernels work in."""

    hits: np.ndarray  # words
    misses: np.ndarray
    sunk: np.ndarray  # [ship]: whether it is
    tight: np.ndarray  # [ship, ...]: where a sunk ship can lie, and how many places that are
    tights: np.ndarray
    touch: np.ndarray  # [ship, ...]: placements over a hit that stands
    touches: np.ndarray
    free: np.ndarray  # [ship, ...]: placements without a shot on them
    frees: np.ndarray
    stack: np.ndarray  # of `cover_hits`
    taken: np.ndarray
    covers: np.ndarray  # [cover, word]: the ways to cover all hits, the ships that each uses, and sums of their fleets
    used: np.ndarray
    sums: np.ndarray
    at: np.ndarray  # the stack that lays the other ships
    low: np.ndarray
    high: np.ndarray
    cells: np.ndarray  # [bit]: the weights found

    @classmethod
    def of(cls, ships: int) -> Room:
        """Room for a fleet of so many ships."""
        words, whole = functools.partial(np.zeros, dtype=np.uint64), functools.partial(np.zeros, dtype=np.int64)
        places, deep = (ships, MOST), SHIPS + 2
        return cls(hits=words(2), misses=words(2), sunk=whole(ships), tight=whole(places), tights=whole(ships), touch=whole(places),
                   touches=whole(ships), free=whole(places), frees=whole(ships), stack=whole((deep, 3)), taken=words((deep, 2)),
                   covers=words((COVERS, 2)), used=whole(COVERS), sums=np.zeros(COVERS), at=whole(deep), low=words(deep),
                   high=words(deep), cells=np.zeros(128))


@inlined
def runs(low: Any, high: Any, length: Any, step: Any) -> Any:
    """How many runs of `length` set bits there are, each `step` bits from the next."""
    a, b = low, high
    for k in range(1, length):
        shift = u64(k * step)
        if shift < u64(64):
            a &= (low >> shift) | (high << (u64(64) - shift))
            b &= high >> shift
        else:
            a &= high >> (shift - u64(64))
            b = u64(0)
    return popcount(a) + popcount(b)


@kernel
def count_kernel(masks: Any, counts: Any, lengths: Any, whole: Any, stride: Any, first: Any, last: Any, at: Any, low: Any,
                 high: Any) -> Any:
    """Fleets whose first ship has the placements first to last: ships one after the other, the last one counted by its runs."""
    ships = len(lengths)
    total = i64(0)
    low[0], high[0] = u64(0), u64(0)
    level = 0
    at[0] = first - 1
    while level >= 0:
        if level == ships - 1:  # here `low` and `high` are what is taken
            a, b = whole[0] & ~low[level], whole[1] & ~high[level]
            if level > 0 and lengths[level] == lengths[level - 1]:  # equal ships: only placements after the one before
                for k in range(at[level - 1] + 1, counts[level]):
                    if not (masks[level, k, 0] & low[level] or masks[level, k, 1] & high[level]):
                        total += 1
            else:
                total += runs(a, b, lengths[level], 1)
                if lengths[level] > 1:
                    total += runs(a, b, lengths[level], stride)
            level -= 1
            continue
        at[level] += 1
        end = last if level == 0 else counts[level]
        if at[level] >= end:
            level -= 1
            continue
        k = at[level]
        if masks[level, k, 0] & low[level] or masks[level, k, 1] & high[level]:
            continue
        low[level + 1], high[level + 1] = low[level] | masks[level, k, 0], high[level] | masks[level, k, 1]
        level += 1
        at[level] = -1
        if lengths[level] == lengths[level - 1]:
            at[level] = k
    return total


def count_fleets(width: int, height: int, fleet: Sequence[int], *, threads: int = 1,
                 progress: Callable[[float], None] | None = None) -> int:
    """How many ways there are to lay a fleet, ships of one length alike, touching allowed."""
    board = Board(width, height, sorted(fleet, reverse=True))
    lengths = np.array(board.fleet, np.int64)
    if len(lengths) == 1:
        return int(board.counts[0])
    totals: list[int] = []
    most = int(board.counts[0])

    def work(number: int) -> None:
        room = np.zeros(SHIPS, np.int64), np.zeros(SHIPS + 1, np.uint64), np.zeros(SHIPS + 1, np.uint64)
        for first in range(number, most, threads):
            totals.append(int(count_kernel(board.masks, board.counts, lengths, board.whole, board.stride, first, first + 1, *room)))
            if progress is not None and number == 0:
                progress((first + 1) / most)

    in_threads(threads, work)
    return sum(totals)


# ---------------------------------------------------------------- the posterior


@inlined
def list_fitting(sea: Any, room: Any, announced: Any) -> None:
    """Sort the placements of each ship by what is known.

    `touch`: with a hit that stands and, where a sinking is announced, a cell not shot at; `free`: with no shot on it at all. A
    sunk ship has the placements of `tight` only, found when it sank.
    """
    masks, counts, hits, misses = sea.masks, sea.counts, room.hits, room.misses
    touch, touches, free, frees = room.touch, room.touches, room.free, room.frees
    for ship in range(len(counts)):
        touches[ship], frees[ship] = 0, 0
        if room.sunk[ship]:
            for k in range(room.tights[ship]):
                touch[ship, k] = room.tight[ship, k]
            touches[ship] = room.tights[ship]
            continue
        for k in range(counts[ship]):
            a, b = masks[ship, k, 0], masks[ship, k, 1]
            if a & misses[0] or b & misses[1]:
                continue
            if a & hits[0] or b & hits[1]:
                if not announced or a & ~hits[0] or b & ~hits[1]:
                    touch[ship, touches[ship]] = k
                    touches[ship] += 1
            else:
                free[ship, frees[ship]] = k
                frees[ship] += 1


@inlined
def cover_hits(sea: Any, room: Any) -> Any:
    """All ways to lay ships over the hits: each gives its cells [cover, 2] and which ships it used; -1 when they are too many.

    Depth first over the lowest hit not covered: stack[level] = (ship, index in touch); taken[level] = cells so far.
    """
    masks, ships, hits, sunk = sea.masks, len(sea.counts), room.hits, room.sunk
    touch, touches, stack, taken = room.touch, room.touches, room.stack, room.taken
    covers, used = room.covers, room.used
    found = 0
    level = 0
    taken[0, 0], taken[0, 1] = u64(0), u64(0)
    stack[0, 0], stack[0, 1], stack[0, 2] = 0, -1, 0  # ship, index, ships used before this level
    while level >= 0:
        left0, left1 = hits[0] & ~taken[level, 0], hits[1] & ~taken[level, 1]
        if left0 == u64(0) and left1 == u64(0):
            fine = True
            for ship in range(ships):
                if sunk[ship] and not (stack[level, 2] >> ship) & 1:
                    fine = False
            if fine:
                if found == len(covers):
                    return -1
                covers[found, 0], covers[found, 1], used[found] = taken[level, 0], taken[level, 1], stack[level, 2]
                found += 1
            level -= 1
            continue
        bit0, bit1 = left0 & (~left0 + u64(1)), u64(0)
        if left0 == u64(0):
            bit1 = left1 & (~left1 + u64(1))
        ship, index = stack[level, 0], stack[level, 1]
        moved = False
        while ship < ships:
            index += 1
            if (stack[level, 2] >> ship) & 1 or index >= touches[ship]:
                ship += 1
                index = -1
                continue
            a, b = masks[ship, touch[ship, index], 0], masks[ship, touch[ship, index], 1]
            if (a & bit0 or b & bit1) and not (a & taken[level, 0] or b & taken[level, 1]):
                moved = True
                break
        if not moved:
            level -= 1
            continue
        stack[level, 0], stack[level, 1] = ship, index
        taken[level + 1, 0], taken[level + 1, 1] = taken[level, 0] | a, taken[level, 1] | b
        stack[level + 1, 0], stack[level + 1, 1], stack[level + 1, 2] = 0, -1, stack[level, 2] | (1 << ship)
        level += 1
    return found


@inlined
def add_cells(cells: Any, low: Any, high: Any, weight: Any) -> None:
    """Add a weight to each cell of a mask."""
    while low:
        cells[lowest(low)] += weight
        low &= low - u64(1)
    while high:
        cells[64 + lowest(high)] += weight
        high &= high - u64(1)


@inlined
def posterior(sea: Any, room: Any, announced: Any, draws: Any, source: Any) -> Any:
    """How likely each bit of the board holds a ship: fills `room.cells` with weights, returns their total and whether it is exact.

    A total of 0 means that nothing fits (or that no drawn fleet did).
    """
    masks, ships, free, frees = sea.masks, len(sea.counts), room.free, room.frees
    covers, used, sums, cells = room.covers, room.used, room.sums, room.cells
    at, low, high = room.at, room.low, room.high
    for k in range(128):
        cells[k] = 0.0
    list_fitting(sea, room, announced)
    found = cover_hits(sea, room)
    if found < 0:
        found = len(covers)
    work = 0.0
    for j in range(found):
        product = 1.0
        for ship in range(ships):
            if not (used[j] >> ship) & 1:
                product *= frees[ship]
        work += product
        sums[j] = work
    total = 0.0
    if found == 0 or work == 0.0:
        return 0.0, True
    if work <= EXACT:
        for j in range(found):  # lay the other ships everywhere they fit
            level = 0
            low[0], high[0] = covers[j, 0], covers[j, 1]
            at[0] = -1
            while level >= 0:
                while level < ships and (used[j] >> level) & 1:
                    low[level + 1], high[level + 1], at[level + 1] = low[level], high[level], -1
                    at[level] = -2  # nothing to try here
                    level += 1
                if level == ships:
                    total += 1.0
                    add_cells(cells, low[level], high[level], 1.0)
                    level -= 1
                else:
                    at[level] += 1
                    if at[level] >= frees[level]:
                        level -= 1
                    else:
                        a, b = masks[level, free[level, at[level]], 0], masks[level, free[level, at[level]], 1]
                        if not (a & low[level] or b & high[level]):
                            low[level + 1], high[level + 1], at[level + 1] = low[level] | a, high[level] | b, -1
                            level += 1
                        continue
                while level >= 0 and at[level] == -2:
                    level -= 1
        return total, True
    for _ in range(draws):
        chosen = uniform(source) * work
        first, last = 0, found - 1
        while first < last:
            middle = (first + last) // 2
            if sums[middle] > chosen:
                last = middle
            else:
                first = middle + 1
        a, b = covers[first, 0], covers[first, 1]
        fits = True
        for ship in range(ships):
            if not (used[first] >> ship) & 1:
                k = free[ship, below(source, frees[ship])]
                if masks[ship, k, 0] & a or masks[ship, k, 1] & b:
                    fits = False
                    break
                a |= masks[ship, k, 0]
                b |= masks[ship, k, 1]
        if fits:
            total += 1.0
            add_cells(cells, a, b, 1.0)
    return total, False


@inlined
def is_hunting(sea: Any, room: Any) -> Any:
    """Whether every hit surely belongs to a ship that sank: nothing is left to finish."""
    cells = 0
    for ship in range(len(sea.counts)):
        if room.sunk[ship]:
            k = room.tight[ship, 0]
            cells += popcount(sea.masks[ship, k, 0]) + popcount(sea.masks[ship, k, 1])
    return cells == popcount(room.hits[0]) + popcount(room.hits[1])


@inlined
def density(sea: Any, room: Any) -> None:
    """Where to hunt while no hit stands: the ships' free placements laid over each other, each ship weighing alike.

    Nearly the posterior, but without the noise of drawing, which scatters shots. Two small preferences make the misses lie in a
    pattern that no ship slips through: one colour of the chequered board while no ship of one cell is left, and cells that stand
    diagonally to shots. docs/battleships.md says what that gains, and how surely.
    """
    masks, bits, width = sea.masks, sea.bits, sea.width
    free, frees, hits, misses, cells = room.free, room.frees, room.hits, room.misses, room.cells
    for k in range(128):
        cells[k] = 0.0
    shortest = 10
    for ship in range(len(frees)):
        if not room.sunk[ship]:
            shortest = min(shortest, popcount(masks[ship, 0, 0]) + popcount(masks[ship, 0, 1]))
            for k in range(frees[ship]):
                add_cells(cells, masks[ship, free[ship, k], 0], masks[ship, free[ship, k], 1], 1.0 / frees[ship])
    height = len(bits) // width
    for cell in range(len(bits)):
        row, column = cell // width, cell % width
        beside = 0
        for turn in range(4):
            other_row, other_column = row + 2 * (turn & 1) - 1, column + (turn & 2) - 1
            if 0 <= other_row < height and 0 <= other_column < width:
                bit = bits[other_row * width + other_column]
                word = hits[0] | misses[0] if bit < 64 else hits[1] | misses[1]
                beside += i64((word >> u64(bit & 63)) & u64(1))
        cells[bits[cell]] *= 1.0 + DIAGONAL * beside
        if shortest > 1 and (row + column) & 1:
            cells[bits[cell]] *= OTHER_COLOUR


@inlined
def likeliest(sea: Any, room: Any) -> Any:
    """The bit of the cell not shot at yet with the most weight; among equals the first."""
    bits, hits, misses, cells = sea.bits, room.hits, room.misses, room.cells
    best, target = -1.0, -1
    for cell in range(len(bits)):
        bit = bits[cell]
        word = hits[0] | misses[0] if bit < 64 else hits[1] | misses[1]
        if not (word >> u64(bit & 63)) & u64(1) and cells[bit] > best:
            best, target = cells[bit], bit
    return target


@inlined
def sink(sea: Any, room: Any, ship: Any, bit: Any) -> None:
    """A ship sank at a shot: it lies on hits only, and on that one."""
    masks, hits, tights = sea.masks, room.hits, room.tights
    tights[ship] = 0
    for k in range(sea.counts[ship]):
        a, b = masks[ship, k, 0], masks[ship, k, 1]
        there = a >> u64(bit) if bit < 64 else b >> u64(bit - 64)
        if there & u64(1) and not (a & ~hits[0] or b & ~hits[1]):
            room.tight[ship, tights[ship]] = k
            tights[ship] += 1


@kernel
def posterior_kernel(sea: Any, room: Any, announced: Any, draws: Any, source: Any) -> Any:
    """`posterior`, entered from Python."""
    return posterior(sea, room, announced, draws, source)


@kernel
def hunt_kernel(sea: Any, room: Any, games: Any, announced: Any, by_density: Any, draws: Any, source: Any, laying: Any, fleets: Any,
                fleet: Any, shots: Any) -> None:
    """Hunt random fleets, drawn by `fleets`; `shots` gets how many shots each took, `fleet` where its ships lay.

    A fleet is as likely as the product of what `laying` says of its ships' places: 1 everywhere if all are alike.
    """
    masks, counts = sea.masks, sea.counts
    hits, misses, sunk = room.hits, room.misses, room.sunk
    ships = len(counts)
    for game in range(games):
        laid = fleet[game]
        while True:
            a, b, fits = u64(0), u64(0), True
            for ship in range(ships):
                k = below(fleets, counts[ship])
                if masks[ship, k, 0] & a or masks[ship, k, 1] & b or (laying[ship, k] < 1.0 and uniform(fleets) >= laying[ship, k]):
                    fits = False
                    break
                a |= masks[ship, k, 0]
                b |= masks[ship, k, 1]
                laid[ship] = k
            if fits:
                break
        hits[0], hits[1], misses[0], misses[1] = u64(0), u64(0), u64(0), u64(0)
        for ship in range(ships):
            sunk[ship] = 0
        made = 0
        while hits[0] != a or hits[1] != b:
            if by_density and announced and is_hunting(sea, room):
                list_fitting(sea, room, announced)
                density(sea, room)
            else:
                posterior(sea, room, announced, draws, source)
            target = likeliest(sea, room)
            made += 1
            mark = u64(1) << u64(target & 63)
            half = 0 if target < 64 else 1
            if ((a if half == 0 else b) & mark) != u64(0):
                hits[half] |= mark
                if announced:
                    for ship in range(ships):
                        k = laid[ship]
                        if not sunk[ship] and not (masks[ship, k, 0] & ~hits[0] or masks[ship, k, 1] & ~hits[1]):
                            sunk[ship] = 1
                            sink(sea, room, ship, target)
            else:
                misses[half] |= mark
        shots[game] = made


class Knowledge:
    """What a shooter knows of a fleet: hits, misses, ships sunk."""

    def __init__(self, width: int, height: int, fleet: Sequence[int], *, announced: bool = True) -> None:
        self.announced = announced  # whether the other says which ship a shot has sunk
        self.board, self.room = Board(width, height, fleet), Room.of(len(fleet))

    def shoot(self, cell: int, *, hit: bool, sank: int | None = None) -> None:
        """Learn what a shot at a cell (counted row by row) brought; `sank` is the ship that it sank, where that is told."""
        bit = self.board.bit(cell)
        half, mark = bit // 64, np.uint64(1 << (bit % 64))
        (self.room.hits if hit else self.room.misses)[half] |= mark
        if sank is not None:
            self.room.sunk[sank] = 1
            with np.errstate(over="ignore"):
                _sink(self.board.sea(), self.room, sank, bit)

    def probabilities(self, *, draws: int = DRAWS, seed: int = 0) -> tuple[np.ndarray, bool]:
        """How likely each cell holds a ship, and whether that is exact; raises where no fleet fits."""
        total, exact = 0.0, False
        for more in (1, 10, 100):  # where what is known is rare, more draws find some
            if total == 0 and not exact:
                total, exact = posterior_kernel(self.board.sea(), self.room, self.announced, more * draws,
                                                random_source(seed + more))
        if total == 0:
            raise Unavailable("no fleet fits what is known" if exact else "no drawn fleet fits what is known")
        return self.room.cells[self.board.bits] / total, bool(exact)

    def scores(self, *, draws: int = DRAWS, seed: int = 0) -> np.ndarray:
        """How much each cell is worth a shot: its probability where a hit stands, else its density; -1 where one was made."""
        room, board = self.room, self.board
        taken = [int(room.hits[b // 64] | room.misses[b // 64]) >> int(b % 64) & 1 for b in board.bits]
        if self.announced and hunting_kernel(board.sea(), room):
            found = room.cells[board.bits].copy()
        else:
            found = self.probabilities(draws=draws, seed=seed)[0]
        found[np.array(taken, bool)] = -1.0
        return found

    def best(self, *, draws: int = DRAWS, seed: int = 0) -> int:
        """The cell to shoot at."""
        return int(np.argmax(self.scores(draws=draws, seed=seed)))


@kernel
def hunting_kernel(sea: Any, room: Any) -> Any:
    """`density` entered from Python; False where a hit stands."""
    if not is_hunting(sea, room):
        return False
    list_fitting(sea, room, True)
    density(sea, room)
    return True


@kernel
def _sink(sea: Any, room: Any, ship: Any, bit: Any) -> None:
    sink(sea, room, ship, bit)


def hunt(games: int, width: int = 10, height: int = 10, fleet: Sequence[int] = (5, 4, 3, 3, 2), **options: Any) -> np.ndarray:
    """How many shots the shooter took at each of so many random fleets; options as in `hunt_fleets`."""
    return hunt_fleets(Board(width, height, fleet), games, **options)[0]


def hunt_fleets(board: Board, games: int, *, announced: bool = True, draws: int = DRAWS, seed: int = 0, threads: int = 1,
                by_density: bool = True, laying: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """How many shots the shooter took at each of so many fleets, and [fleet, ship]: its placement on the board.

    Without `by_density` it always takes the likeliest cell of the posterior, also while no hit stands. Equal seeds and threads meet
    equal fleets. `laying` says of [ship, placement] how likely it is taken, the likeliest 1; the shooter does not know it.
    """
    ships = len(board.fleet)
    parts = [games // threads + (number < games % threads) for number in range(threads)]
    found = [(np.zeros(part, np.int64), np.zeros((part, ships), np.int64)) for part in parts]
    likely = np.ones((ships, MOST)) if laying is None else laying

    def work(number: int) -> None:
        shots, laid = found[number]
        hunt_kernel(board.sea(), Room.of(ships), parts[number], announced, by_density, draws, random_source(seed * 1000 + number),
                    likely, random_source(seed * 1000 + 500 + number), laid, shots)

    in_threads(threads, work)
    return np.concatenate([shots for shots, _ in found]), np.concatenate([laid for _, laid in found])


def spread_of(shots: np.ndarray) -> str:
    """A distribution of shots as a small picture of text."""
    counts = np.bincount(shots)
    lines = []
    for first in range(int(shots.min()) // 4 * 4, int(shots.max()) + 1, 4):
        share = counts[first : first + 4].sum() / len(shots)
        lines.append(f"{first:3}-{first + 3:<3} {share:6.1%} " + "█" * round(share * 160))
    middle = f"mean {shots.mean():.2f} ± {1.96 * shots.std() / math.sqrt(len(shots)):.2f}, median {int(np.median(shots))}"
    return "\n".join([*lines, middle])
