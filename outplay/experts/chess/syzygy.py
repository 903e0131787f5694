"""Syzygy endgame tables (Ronald de Man, 2013) where the user has the files: outcomes in the search, and the way to win at the root.

A file `KQvKR.rtbw` tells who wins (and whether within the fifty moves), `KQvKR.rtbz` the half-moves to the next capture or pawn's
move of who plays best. The files stay where they are, mapped into memory; how one is numbered and packed stands in
`games.chess.syzygy`, which the kernels of a search are compiled with.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import re
from collections.abc import Sequence
from math import comb
from pathlib import Path
from typing import Any

import numpy as np

from outplay.engine.tables.endings import Numbered
from outplay.errors import BadValue, shorten
from outplay.game import Position
from outplay.games.chess import syzygy as packed
from outplay.jit import i64, kernel, u64

MARKS = {".rtbw": b"\x71\xe8\x23\x5d", ".rtbz": b"\xd7\x66\x0c\xa5"}
NAME = re.compile(r"K([QRBNP]{0,6})vK([QRBNP]{0,6})\.(rtbw|rtbz)")
KINDS = "PNBRQK"
CONSTANT, MAPPED, WIDE = 0x80, 2, 16  # flags of a part
OTHER_SIDE = -1
LONGEST_CODE = 32  # bits


# ---------------------------------------------------------------- kernels


@kernel
def _widths(memory: Any, pairs: Any, symbols: Any, widths: Any) -> Any:
    """How many values each symbol stands for, less one; False where that has no end or is more than a file may have."""
    for symbol in range(symbols):
        widths[symbol] = -1
    left_over, before = symbols, symbols + 1
    while 0 < left_over < before:
        before = left_over
        for symbol in range(symbols):
            if widths[symbol] >= 0:
                continue
            at = u64(pairs + 3 * symbol)
            left = i64(memory[at]) | ((i64(memory[at + u64(1)]) & 15) << 8)
            right = (i64(memory[at + u64(1)]) >> 4) | (i64(memory[at + u64(2)]) << 4)
            if right == 0xFFF:
                widths[symbol] = 0
                left_over -= 1
            elif left >= symbols or right >= symbols:
                return False
            elif widths[left] >= 0 and widths[right] >= 0:
                widths[symbol] = widths[left] + widths[right] + 1
                if widths[symbol] > 255:
                    return False
                left_over -= 1
    return left_over == 0


@kernel
def _outcome(files: Any, states: Any, actions: Any) -> Any:
    """The outcome of the first state."""
    return packed.outcome(files, states, actions, 0)


@kernel
def _outcomes(files: Any, states: Any, room: Any, actions: Any, out: Any) -> None:
    """The outcomes of many states."""
    for i in range(len(states)):
        room[0] = states[i]
        out[i] = packed.outcome(files, room, actions, 0)


@kernel
def _distance(files: Any, states: Any, outcome: Any) -> Any:
    """Half-moves to the next capture or pawn's move, of the first state and its outcome."""
    place = packed.place_of(files, packed.material_of(states[0]))
    if place < 0:
        return i64(packed.UNKNOWN)
    at, number = packed.find(states[0], files, place)
    part, memory = files.parts[at], files.memory
    if part.marks & 1 != place >> 2 & 1 and part.either == 0:
        return i64(OTHER_SIDE)
    value = packed.value_at(files, at, number)
    if value < 0:
        return i64(packed.UNKNOWN)
    if part.marks & MAPPED != 0:
        which = 0 if outcome == 2 else 1 if outcome == -2 else 2 if outcome == 1 else 3
        wide = i64(part.marks & WIDE != 0)
        there = u64(part.maps[which] + (value << wide))
        if there + u64(wide) >= u64(part.end):
            return i64(packed.UNKNOWN)
        value = packed.two_bytes(memory, there) if wide != 0 else i64(memory[there])
    in_plies = part.marks & 4 if outcome == 2 else part.marks & 8 if outcome == -2 else 0
    return value if in_plies != 0 else 2 * value


# ---------------------------------------------------------------- files


class _File:
    """One file in memory, and what its beginning says."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size % 64 != 16 or file.read(4) != MARKS[path.suffix]:
                raise self.damaged("it is no Syzygy table, or only a part of one")
            self.data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.bytes = np.frombuffer(self.data, np.uint8)
        self.address = self.bytes.ctypes.data
        self.end = size - 16  # the rest is a checksum
        self.sides = NAME.fullmatch(path.name).groups()[:2]  # type: ignore[union-attr]  # found by that name
        self.is_symmetric = sorted(self.sides[0]) == sorted(self.sides[1])
        self.has_pawns = "P" in self.sides[0] + self.sides[1]
        self.men = 2 + len(self.sides[0]) + len(self.sides[1])
        self.bases: list[int] = []
        self.symbols: list[tuple[Any, int, int]] = []  # of each packed part: where its pairs are, how many

    def damaged(self, what: str) -> BadValue:
        return BadValue(f"{self.path.name} is damaged: {what}")

    def number(self, at: int, size: int) -> int:
        """A number of so many bytes, the low one first."""
        if at + size > self.end:
            raise self.damaged("it ends too early")
        return int.from_bytes(self.data[at : at + size], "little")

    def parts(self, base: int) -> np.ndarray:
        """The parts, with all places counted from `base` bytes before the file."""
        is_wdl, flags = self.path.suffix == ".rtbw", self.data[4]
        boards, sides = 4 if self.has_pawns else 1, 1 if self.is_symmetric or not is_wdl else 2
        if bool(flags & 2) != self.has_pawns or (is_wdl and bool(flags & 1) == self.is_symmetric):
            raise self.damaged("it is of another material than its name says")
        parts, at = np.zeros(boards * sides, packed.PART), 5
        for board in range(boards):
            at = self._order(at, board, parts[board * sides : (board + 1) * sides])
        at += at & 1
        for part in parts:
            at = self._code(at, part, is_wdl)
        if not is_wdl:
            for part in parts:
                at = self._maps(at, part)
            at += at & 1
        packs = [part for part in parts if part["constant"] < 0]
        for part in packs:
            part["sparse"], at = at, at + 6 * -(-int(part["numbers"]) >> int(part["span"]))
        for part in packs:
            part["lengths"], at = at, at + 2 * int(part["counted"])
        for part in packs:
            part["codes"] = at = (at + 63) // 64 * 64
            at += int(part["blocks"]) << int(part["block"])
        if (at + 63) // 64 * 64 != self.end:
            raise self.damaged(f"it has {self.end + 16} bytes, and its beginning promises {(at + 63) // 64 * 64 + 16}")
        for part in parts:
            part["end"] = self.end + base
            for name in ("sparse", "lengths", "codes", "first_symbols", "pairs", "maps"):
                part[name] += base
        return parts

    def _order(self, at: int, board: int, parts: np.ndarray) -> int:
        """The pieces of one board of the leading pawn, for each side to move: in which groups they are numbered, in which order."""
        pawns = sorted(count for count in (side.count("P") for side in self.sides) if count)
        names = [f"{which}{kind}" for which, side in enumerate(self.sides) for kind in side]
        unlike = 2 + sum(names.count(name) == 1 for name in names)
        leading = pawns[0] if pawns else 3 if unlike > 2 else 2
        both = len(pawns) == 2
        expected = sorted([6, 14] + [KINDS.index(name[1]) + 1 + 8 * int(name[0]) for name in names])
        first, after = at, at + 1 + both
        for shift, part in zip((0, 4), parts, strict=False):
            order, second = self.number(first, 1) >> shift & 15, self.number(first + 1, 1) >> shift & 15 if both else 15
            pieces = [self.number(after + k, 1) >> shift & 15 for k in range(self.men)]
            counts = [leading] + ([pawns[1]] if both else [])
            rest = pieces[sum(counts) :]
            while rest:
                same = next((k for k, piece in enumerate(rest) if piece != rest[0]), len(rest))
                counts, rest = [*counts, same], rest[same:]
            head = pieces[:leading]
            is_right = (len({piece for piece in head}) == 1 and head[0] & 7 == 1 if pawns else
                        len(set(head)) == leading and all(pieces.count(piece) == 1 for piece in head)
                        and (leading == 3 or sorted(head) == [6, 14]))  # fmt: skip
            if both:
                is_right = is_right and set(pieces[leading : leading + pawns[1]]) == {head[0] ^ 8}
            if sorted(pieces) != expected or not is_right or len(set(pieces)) != len(counts) + (0 if pawns else leading - 1):
                raise self.damaged("it names other pieces")
            part["leading"], part["pawns"] = leading, len(pawns)
            part["pieces"][: self.men], part["counts"][: len(counts)] = pieces, counts
            part["numbers"] = self._factors(part, counts, order, second, board)
        return after + self.men

    def _factors(self, part: Any, counts: list[int], order: int, second: int, board: int) -> int:
        """What the number of each group is multiplied by, in the order of the file. Returns how many numbers there are."""
        leading, is_double = counts[0], bool(part["pawns"] == 2)
        heads = {order: (0, int(packed.LEADERS[leading, board]) if part["pawns"] else
                         packed.THREE_UNLIKE if leading == 3 else packed.KINGS_ALONE)}  # fmt: skip
        if is_double:
            heads[second] = 1, comb(48 - leading, counts[1])
        free, size, group = 64 - sum(counts[: 1 + is_double]), 1, 1 + is_double
        for step in range(len(counts)):
            if step in heads:
                which, many = heads[step]
            elif group < len(counts):
                which, many = group, comb(free, counts[group])
                free, group = free - counts[group], group + 1
            else:
                raise self.damaged("its pieces have no order")
            part["factors"][which] = size
            size *= many
        if 0 in part["factors"][: len(counts)]:
            raise self.damaged("its pieces have no order")
        return size

    def _code(self, at: int, part: Any, is_wdl: bool) -> int:
        """Sizes of the blocks, and the code of the symbols."""
        flags = part["marks"] = self.number(at, 1)
        part["either"], part["constant"] = self.is_symmetric and not self.has_pawns, -1
        if flags & CONSTANT:
            part["constant"] = self.number(at + 1, 1) if is_wdl else 0
            return at + 2
        part["block"], part["span"] = self.number(at + 1, 1), self.number(at + 2, 1)
        part["blocks"] = blocks = self.number(at + 4, 4)
        part["counted"] = blocks + self.number(at + 3, 1)
        longest, shortest = self.number(at + 8, 1), self.number(at + 9, 1)
        if not (1 <= shortest <= longest <= LONGEST_CODE and part["block"] <= 24 and 1 <= part["span"] <= 30 and blocks):
            raise self.damaged("its code is none")
        lengths = longest - shortest + 1
        part["shortest"], part["first_symbols"], part["bases"] = shortest, at + 10, len(self.bases)
        lowest = [self.number(at + 10 + 2 * k, 2) for k in range(lengths)]
        bases = [0] * lengths
        for k in reversed(range(lengths - 1)):
            bases[k] = (bases[k + 1] + lowest[k] - lowest[k + 1]) // 2
        for k, each in enumerate(bases):
            if not 0 <= each < 1 << shortest + k:
                raise self.damaged("its code is none")
            self.bases.append(each << 64 - shortest - k)
        at += 10 + 2 * lengths
        part["symbols"], part["pairs"] = symbols, pairs = self.number(at, 2), at + 2
        if not symbols or pairs + 3 * symbols > self.end:
            raise self.damaged("its code is none")
        self.symbols.append((part, pairs, symbols))
        return pairs + 3 * symbols + (symbols & 1)

    def _maps(self, at: int, part: Any) -> int:
        """Distances are numbered by how often they come: one list for each outcome."""
        if part["marks"] & CONSTANT == 0 and part["marks"] & MAPPED:
            wide = 2 if part["marks"] & WIDE else 1
            at += at & 1 if wide == 2 else 0
            for which in range(4):
                part["maps"][which] = at + wide
                at += wide + wide * self.number(at, wide)
        return at


def open_files(folders: list[Path], suffix: str) -> packed.Files | None:
    """The files of a kind in folders, None where there are none."""
    found = {path.name: path for folder in reversed(folders) for path in folder.glob(f"K*{suffix}") if NAME.fullmatch(path.name)}
    files = [_File(found[name]) for name in sorted(found) if len(name) <= packed.MOST_MEN + 6]
    if not files:
        return None
    low, high = min(file.address for file in files), max(file.address + file.end + 16 for file in files)
    stretch: Any = (ctypes.c_uint8 * (high - low)).from_address(low)  # only the files' own bytes of it are read
    stretch.files = files  # mapped as long as the array is there
    memory = np.ctypeslib.as_array(stretch)
    parts: list[np.ndarray] = []
    bases: list[np.ndarray] = []
    widths: list[np.ndarray] = []
    room = 1 << max(4, (4 * len(files) - 1).bit_length())
    materials, places = np.zeros(room, np.int64), np.full(room, -1, np.int64)
    for file in files:
        made = file.parts(file.address - low)
        place = sum(map(len, parts)) << 3 | (len(made) > 4 or len(made) == 2) << 1 | file.has_pawns
        sides = [sum(side.count(kind) << 3 * k for k, kind in enumerate(KINDS[:5])) for side in file.sides]
        for second in range(1 if file.is_symmetric else 2):
            material = sides[second] | sides[1 - second] << 15
            at = (material * 0x9E3779B97F4A7C15 % (1 << 64) >> 40) % room
            while places[at] >= 0:
                at = (at + 1) % room
            materials[at], places[at] = material, place | second << 2
        for part in made:
            part["bases"] += sum(map(len, bases))
        for packing, pairs, symbols in file.symbols:
            wide = np.zeros(symbols, np.int64)
            if not _widths(file.bytes, pairs, symbols, wide):
                raise file.damaged("its symbols have no end")
            packing["widths"] = sum(map(len, widths))
            widths.append(wide.astype(np.uint8))
        parts.append(made)
        bases.append(np.array(file.bases, np.uint64))
    nothing = np.zeros(1, np.uint8)
    return packed.Files(memory, np.concatenate(parts), materials, places, np.concatenate([*bases, nothing.astype(np.uint64)]),
                        np.concatenate([*widths, nothing]), max(file.men for file in files))  # fmt: skip


# ---------------------------------------------------------------- positions


class Tables:
    """The files of one folder or of several joined as a path is."""

    def __init__(self, path: str) -> None:
        folders = [Path(folder) for folder in path.split(os.pathsep) if folder]
        if not folders or not all(folder.is_dir() for folder in folders):
            raise BadValue(f"no such folder of Syzygy tables: {shorten(path)!r}")
        self.outcomes, self.distances = open_files(folders, ".rtbw"), open_files(folders, ".rtbz")

    def outcome(self, position: Position) -> int | None:
        """2 for a win of the player to move, 1 for one that takes more than fifty moves, 0 for a draw, -1 and -2 for losses; None
        where no file tells."""
        rules: Any = position.game.rules
        states = _loaded(position, packed.MOST_MEN + 2)
        if self.outcomes is None or states[0].castling or _men(states[0]) > self.outcomes.most:
            return None
        found = int(_outcome(self.outcomes, states, rules.room(packed.MOST_MEN + 2, rules.most_actions)))
        return None if found == packed.UNKNOWN else found

    def distance(self, position: Position, outcome: int) -> int | None:
        """Half-moves to the capture or pawn's move that wins or loses, or to mate, and 100 more where that is too late for fifty
        moves; None where no file tells, 0 for a draw."""
        if outcome == 0:
            return 0
        late = 100 if abs(outcome) == 1 else 0
        moves = [(position.result(action), _is_zeroing(position, action)) for action in position.actions()]
        if not moves:
            return 0
        for after, is_zeroing in moves:
            if outcome > 0 and is_zeroing and self._of_other(after) == outcome:
                return 1 + late
        states = _loaded(position, 1)
        if self.distances is None:
            return None
        found = int(_distance(self.distances, states, outcome))
        if found == packed.UNKNOWN:
            return None
        if found != OTHER_SIDE and not states[0].en_passant:
            return 1 + late + found
        best: int | None = None
        for after, is_zeroing in moves:
            value = self._of_other(after)
            if value is None:
                return None
            if value != outcome:
                continue
            beyond = late if is_zeroing else self.distance(after, -outcome)
            if beyond is None:
                return None
            plies = 1 + beyond
            best = plies if best is None else min(best, plies) if outcome > 0 else max(best, plies)
        return best

    def _of_other(self, position: Position) -> int | None:
        found = self.outcome(position)
        return None if found is None else -found

    def best(self, position: Position) -> int | None:
        """The move that the files like best, counting the fifty moves; None where they do not know the position."""
        if self.outcome(position) is None:
            return None
        judged, clock = [], int(position.game.record(position.state).since)
        for action in position.actions():
            after = position.result(action)
            if not after.actions() and after.utility(position.player()) > 0:
                return action  # a mate beats every count
            outcome = self._of_other(after)
            distance = None if outcome is None else self.distance(after, -outcome)
            if outcome is None or distance is None:
                return None
            judged.append((*worth(outcome, distance, _is_zeroing(position, action), clock), action))
        return max(judged)[-1] if judged else None


def _loaded(position: Any, rows: int) -> Any:
    """So many states, the first of them the position's."""
    states = position.game.rules.states(rows)
    states[:1].view(np.uint8)[:] = np.frombuffer(position.state, np.uint8)
    return states


def _men(state: Any) -> int:
    return int(state.pawns | state.knights | state.diagonals | state.straights | state.kings).bit_count()


def _is_zeroing(position: Position, action: int) -> bool:
    """Whether a move is a capture or a pawn's, from where the fifty moves count anew."""
    after: Any = position.game.record(position.result(action).state)
    return bool(after.since == 0)


def worth(outcome: int, distance: int, zeroing: bool, clock: int) -> tuple[int, int, int]:
    """What a move is worth, to be compared: the outcome within the fifty moves, then how soon (or late) the count begins anew.

    `outcome` is 2 for a win to -2 for a loss, `distance` the half-moves after the move until the next capture or pawn's move. A
    capture or pawn's move that keeps the win comes first, for only such moves make progress that lasts.

    >>> worth(2, 30, True, 10) > worth(2, 1, False, 10), worth(2, 5, False, 97)[0], worth(-2, 8, False, 0) > worth(-2, 3, False, 0)
    (True, 1, True)
    """
    plies = 1 if zeroing else distance + 1
    if abs(outcome) == 2 and not zeroing and clock + plies > 100:
        outcome //= 2  # too late: the other side claims the fifty moves
    return (outcome, -plies, -distance) if outcome > 0 else (outcome, plies, distance)


class Beside:
    """Syzygy's tables in one folder, or in several joined as a path is, and our own beside them where there are some."""

    def __init__(self, path: str, own: Numbered | None = None) -> None:
        self.files, self.own = Tables(path), own

    def in_memory(self) -> tuple[Any, ...]:
        """What a search looks into: the numbers of our own tables, and the files."""
        nothing = np.zeros(1, np.uint16), np.full(1, -1, np.int64)
        return (*(nothing if self.own is None else self.own.in_memory()), self.files.outcomes)

    def probe(self, position: Position) -> tuple[str, int | None] | None:
        """'win', 'draw' or 'loss' for the player to move, and the plies to the end where our own tables tell; None where neither
        knows. A win that takes more than fifty moves is a draw."""
        found = None if self.own is None else self.own.probe(position)
        if found is not None:
            return found
        outcome = self.files.outcome(position)
        return None if outcome is None else ("win" if outcome == 2 else "loss" if outcome == -2 else "draw", None)

    def best(self, position: Position) -> Any:
        """The move that our own tables like best, else the one of the files, counting the fifty moves."""
        found = None if self.own is None else self.own.best(position)
        return self.files.best(position) if found is None else found


def open_tables(folders: Sequence[Path], game: Any) -> Beside | None:
    """The files of a few folders, with our own tables beside them; None where no folder holds one."""
    if not any(any(folder.glob("*.rtbw")) for folder in folders):
        return None
    path = os.pathsep.join(map(str, folders))
    has_own = any(any(folder.glob("chess.*.table")) for folder in folders)
    return Beside(path, Numbered(path, game) if has_own else None)
