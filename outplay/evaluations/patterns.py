"""Evaluation by patterns (Michael Buro's Logistello, 1995): a value is a sum of table entries, one for each group of cells.

A pattern is a few cells of a grid; what stands on them (nothing, mine, theirs: digits of a number in base three) is the index of
its weight, a weight for every arrangement. Turned and mirrored, one pattern serves all sides of the board with the same weights;
and the weights depend on the phase of the game. Nothing but lookups and additions, and linear in what is learned:

    EDGES = Patterns("edges", 8, 8, {"edge": "a1 b1 c1 d1 e1 f1 g1 h1", "corner": "a1 b1 c1 a2 b2 c2 a3 b3 c3"}, phases=12)
    value = EDGES.reader(weights)        # value(mine, theirs, phase), for compiled rules

>>> edges = Patterns("edges of 3x3", 3, 3, {"edge": "a1 b1 c1", "middle": "b2"}, phases=1)
>>> edges.count, edges.size, [edges.cell_names(cells) for cells in edges.instances[:2]]
(5, 30, ['a1 b1 c1', 'a3 b3 c3'])

How all indexes come about at once: the cells are cut into pieces of four, and for each piece and each of its arrangements a table
holds what it adds to every index, four indexes of 16 bits to a word. An evaluation adds up one row of that table for each piece.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from outplay.errors import BadValue
from outplay.files import read_arrays
from outplay.jit import i64, table, u64

PIECE = 4  # cells
LANES = 4  # indexes in a word
MOST_CELLS = 10  # of a pattern: the indexes of more do not fit into 16 bits
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Patterns:
    """Patterns on a grid whose discs are two words of bits, bit columns * row + column unless `bit(row, column)` says otherwise."""

    def __init__(self, name: str, rows: int, columns: int, shapes: Mapping[str, str], *, phases: int,
                 bit: Callable[[int, int], int] | None = None) -> None:
        self.name, self.rows, self.columns, self.phases = name, rows, columns, phases
        self.bit = bit or (lambda row, column: columns * row + column)
        self.names = tuple(shapes)
        self.shapes = tuple(tuple(self._cell(word) for word in text.split()) for text in shapes.values())
        self.instances: list[tuple[tuple[int, int], ...]] = []
        self.kinds: list[int] = []
        self.mirrors: list[tuple[int, ...] | None] = []
        for kind, shape in enumerate(self.shapes):
            if len(shape) > MOST_CELLS:
                raise BadValue(f"{name}: the pattern {self.names[kind]!r} has {len(shape)} cells; {MOST_CELLS} is the most")
            images: dict[frozenset, tuple] = {}
            self.mirrors.append(None)
            for image in self._images(shape):
                known = images.setdefault(frozenset(image), image)
                if known == shape and image != shape:  # the pattern is its own mirror image: two arrangements are one
                    self.mirrors[kind] = tuple(shape.index(cell) for cell in image)
            self.instances += images.values()
            self.kinds += [kind] * len(images)
        sizes = [3 ** len(shape) for shape in self.shapes]
        self.starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        self.size = int(self.starts[-1])
        self.count = len(self.instances)
        self.words = -(-self.count // LANES)
        self.pieces = -(-(1 + max(self.bit(row, column) for row in range(rows) for column in range(columns))) // PIECE)
        # One entry more than there are weights: what fills up the last word points there, and it is always 0.
        self.offsets = np.full(self.words * LANES, self.size, np.int64)
        self.offsets[: self.count] = self.starts[self.kinds]
        self.parts = table(f"{name}: parts", self._parts, dtype=np.uint64, shape=(self.pieces, 256, self.words))

    def _cell(self, word: str) -> tuple[int, int]:
        column, row = LETTERS.find(word[:1]), int(word[1:]) - 1 if word[1:].isdecimal() else -1
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            raise BadValue(f"{self.name}: {word!r} is no cell of a board of {self.columns} columns and {self.rows} rows")
        return row, column

    def cell_names(self, cells: tuple[tuple[int, int], ...]) -> str:
        """Cells as they are written."""
        return " ".join(f"{LETTERS[column]}{row + 1}" for row, column in cells)

    def _images(self, shape: tuple) -> list[tuple]:
        """The pattern on all sides of the board: eight on a square, four on other boards."""
        down, right = self.rows - 1, self.columns - 1
        turns = [lambda r, c: (r, c), lambda r, c: (r, right - c), lambda r, c: (down - r, c), lambda r, c: (down - r, right - c)]
        if self.rows == self.columns:
            turns += [lambda r, c, turn=turn: turn(c, r) for turn in turns]  # type: ignore[misc]  # mypy cannot type the default argument
        return [tuple(turn(*cell) for cell in shape) for turn in turns]

    def _parts(self) -> np.ndarray:
        """What each piece of the board adds to each index, by its arrangement: four bits of mine, above them four of theirs."""
        parts = np.zeros((self.pieces, 256, self.words), np.uint64)
        for number, cells in enumerate(self.instances):
            word, lane = divmod(number, LANES)
            for place, cell in enumerate(cells):
                piece, within = divmod(self.bit(*cell), PIECE)
                for code in range(256):
                    digit = 1 if code >> within & 1 else 2 if code >> PIECE + within & 1 else 0
                    parts[piece, code, word] += np.uint64(digit * 3**place << 16 * lane)
        return parts

    def twins(self) -> np.ndarray:
        """For each weight the one that it shares its number with: an arrangement read from the other end is the same one."""
        found = np.arange(self.size + 1)
        for kind, mirror in enumerate(self.mirrors):
            if mirror is not None:
                length = len(self.shapes[kind])
                index = np.arange(3**length)
                other = sum((index // 3**place % 3) * 3 ** mirror[place] for place in range(length))
                found[self.starts[kind] : self.starts[kind + 1]] = self.starts[kind] + np.minimum(index, other)
        return found

    def indexes(self, mine: np.ndarray, theirs: np.ndarray) -> np.ndarray:
        """For many positions the weights that their values are sums of: one row each."""
        total = np.zeros((len(mine), self.words), np.uint64)
        for piece in range(self.pieces):
            by = np.uint64(PIECE * piece)
            code = (mine >> by & np.uint64(15)) | (theirs >> by & np.uint64(15)) << np.uint64(PIECE)
            total += self.parts.array[piece][code.astype(np.int64)]
        lanes = total.view(np.uint16).reshape(len(mine), -1)[:, : self.count] if np.little_endian else None
        assert lanes is not None
        return lanes.astype(np.int32) + self.offsets[: self.count].astype(np.int32)

    def weights(self, load: Callable[[], Any]) -> Any:
        """The table of weights that `reader` reads: int16, a row for each phase."""
        return table(f"{self.name}: weights", load, dtype=np.int16, shape=(self.phases, self.size + 1))

    def kept_in(self, file: str | Path) -> Any:
        """The same table, read from the file that `outplay tune` writes; all weights are 0 where it is not there yet."""

        def load() -> np.ndarray:
            if not Path(file).is_file():
                return np.zeros((self.phases, self.size + 1), np.int16)
            found: np.ndarray = read_arrays(file)["weights"]
            if found.shape != (self.phases, self.size + 1):
                raise BadValue(f"{file} holds {found.shape} weights, and {self.name} has {(self.phases, self.size + 1)}")
            return found

        return self.weights(load)

    def reader(self, weights: Any) -> Callable:
        """A function value(mine, theirs, phase) for compiled rules: the sum of the weights."""
        parts, offsets, words, pieces = self.parts, self.offsets, self.words, self.pieces
        nibble, by, lane = u64(15), u64(PIECE), u64(16)
        low = u64(0xFFFF)

        def value(mine, theirs, phase):  # type: ignore[no-untyped-def]  # Numba types it
            total = i64(0)
            for word in range(words):
                indexes = u64(0)
                for piece in range(pieces):
                    shift = u64(PIECE * piece)
                    indexes += parts[piece, ((mine >> shift) & nibble) | (((theirs >> shift) & nibble) << by), word]
                for number in range(LANES):
                    total += i64(weights[phase, offsets[LANES * word + number] + i64(indexes & low)])
                    indexes >>= lane
            return total

        return value
