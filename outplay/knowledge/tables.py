"""Endgame tables of chess by retrograde analysis (Thomas Ströhlein, 1970; Ken Thompson, 1986): all positions of a few pieces.

A table holds one byte for each placement of its pieces and each player to move: 0 for a draw, 255 for no position at all, else
one more than the plies to mate; the player to move wins where those plies are odd and loses where they are even. The pieces stand
in the order of the name: white king, white pieces, black king, black pieces, the strongest first.

>>> tables = Tables()
>>> tables.build("KQK")
>>> tables.longest("KQK")
10
>>> from outplay.game import load
>>> position = load("chess").position("8/8/8/8/8/2k5/8/K6q w - - 0 1")  # the colours may be the other way round
>>> tables.probe(position) is None, tables.probe(load("chess").position("8/8/8/8/8/1k6/8/K6q w - - 0 1"))
(False, ('loss', 0))
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from outplay.errors import BadValue, Unavailable, shorten
from outplay.files import write_whole
from outplay.game import Position, load
from outplay.games.chess.boards import KING, KNIGHT, NONE, ONE, RANK_1, RANK_8, bishop_attacks, rook_attacks
from outplay.games.chess.moves import TO_KNIGHT, checkers, generate, make, make_nothing
from outplay.jit import i64, inlined, kernel, lowest, popcount, u64

LETTERS = "KQRBNP"  # the order of pieces in a name and in an index
MOST_PIECES = 4
ILLEGAL = 255
SIGNATURES = 3**10
THREE_MEN = ("KQK", "KRK", "KPK", "KBK", "KNK")

FLIP = u64(56)
EIGHT, SIXTEEN = u64(8), u64(16)


# ---------------------------------------------------------------- from a state to its place in a table


@inlined
def piece_bits(state: Any, kind: Any) -> Any:
    """The squares of one kind of piece, of both players; kinds as in LETTERS."""
    if kind == 0:
        return state.kings
    if kind == 1:
        return state.diagonals & state.straights
    if kind == 2:
        return state.straights & ~state.diagonals
    if kind == 3:
        return state.diagonals & ~state.straights
    if kind == 4:
        return state.knights
    return state.pawns


@inlined
def signature(state: Any) -> Any:
    """The pieces as a number in base three: how many of each kind White and Black have; -1 for more than two of a kind."""
    number = 0
    for white in range(2):
        side = state.mine
        if (white == 0) == (state.turn == 1):
            side = ~state.mine
        for kind in range(1, 6):
            count = popcount(piece_bits(state, kind) & side)
            if count > 2:
                return -1
            number = 3 * number + count
    return number


@inlined
def place_of(state: Any, swapped: Any) -> Any:
    """The index of a state in its table; `swapped` where the table has the colours the other way round."""
    turn = i64(state.turn)
    index = turn ^ i64(swapped)
    for half in range(2):
        player = half ^ i64(swapped)
        side = state.mine
        if player != turn:
            side = ~state.mine
        for kind in range(6):
            bits = piece_bits(state, kind) & side
            if turn == 1:
                bits = flipped(bits)
            if swapped != 0:
                bits = flipped(bits)
            while bits != NONE:
                index = (index << 6) | lowest(bits)
                bits &= bits - ONE
    return index


@inlined
def flipped(bits: Any) -> Any:
    """A board turned upside down."""
    from_bits = ((bits >> u64(8)) & u64(0x00FF00FF00FF00FF)) | ((bits & u64(0x00FF00FF00FF00FF)) << u64(8))
    from_bits = ((from_bits >> u64(16)) & u64(0x0000FFFF0000FFFF)) | ((from_bits & u64(0x0000FFFF0000FFFF)) << u64(16))
    return (from_bits >> u64(32)) | (from_bits << u64(32))


@inlined
def look(state: Any, starts: Any, swaps: Any, values: Any) -> Any:
    """What the tables say of a state: a byte as in a table; 0 where its pieces cannot mate, ILLEGAL where no table is known."""
    number = signature(state)
    if number < 0 or starts[number] == -1:
        return ILLEGAL
    if starts[number] == -2:
        return 0
    return i64(values[starts[number] + place_of(state, swaps[number])])


# ---------------------------------------------------------------- building


@inlined
def set_up(state: Any, index: Any, kinds: Any, whites: Any, squares: Any) -> Any:
    """Fill a state from an index; False where two pieces share a square or a pawn stands on the first or last rank."""
    count = len(kinds)
    rest = index
    for i in range(count - 1, -1, -1):
        squares[i] = rest & 63
        rest >>= 6
    turn = rest
    state.mine, state.pawns, state.knights, state.diagonals = NONE, NONE, NONE, NONE
    state.straights, state.kings, state.castling, state.en_passant = NONE, NONE, NONE, NONE
    state.since, state.number, state.turn = 0, 1, turn
    occupied = NONE
    for i in range(count):
        square = u64(squares[i])
        if turn == 1:
            square ^= FLIP
        bit = ONE << square
        if occupied & bit != NONE:
            return False
        occupied |= bit
        if whites[i] != turn:  # whites is 1 for White, turn is 0 for White
            state.mine |= bit
        kind = kinds[i]
        if kind == 0:
            state.kings |= bit
        elif kind == 4:
            state.knights |= bit
        elif kind == 5:
            if bit & (RANK_1 | RANK_8) != NONE:
                return False
            state.pawns |= bit
        else:
            if kind == 1 or kind == 2:
                state.straights |= bit
            if kind == 1 or kind == 3:
                state.diagonals |= bit
    return True


@kernel
def _begin(states: Any, kinds: Any, whites: Any, starts: Any, swaps: Any, values: Any, table: Any, left: Any, worst: Any,
           seeds: Any, actions: Any, squares: Any, first: Any, last: Any) -> None:
    """The first look at each index from `first` to `last`: no position, mate, or how many moves are still to be judged."""
    state, child = states[0], states[1]
    for index in range(first, last):
        if not set_up(state, index, kinds, whites, squares):
            table[index] = ILLEGAL
            continue
        kings = state.kings
        if KING[u64(lowest(kings))] & kings != NONE:
            table[index] = ILLEGAL
            continue
        states[1] = states[0]
        make_nothing(child)
        if checkers(child) != NONE:
            table[index] = ILLEGAL
            continue
        theirs = (state.pawns | state.knights | state.diagonals | state.straights | state.kings) & ~state.mine
        count = generate(state, actions, True)
        if count == 0:
            if checkers(state) != NONE:
                seeds[index] = 1
            continue
        open_moves, farthest = i64(0), i64(0)
        nearest = i64(1000)
        for i in range(count):
            target, kind = (actions[i] >> 6) & 63, actions[i] >> 12
            if theirs & (ONE << u64(target)) == NONE and kind < TO_KNIGHT:
                open_moves += 1
                continue
            states[1] = states[0]  # a capture or a promotion leads to another table, which is known
            make(child, actions[i])
            known = look(child, starts, swaps, values)
            if known == 0:
                open_moves += 1  # a draw: it will never be judged as lost
            elif (known - 1) & 1 == 0:
                open_moves += 1
                nearest = min(nearest, known)
            else:
                farthest = max(farthest, known)
        left[index], worst[index] = open_moves, farthest
        if nearest < 1000:
            seeds[index] = nearest + 1
        elif open_moves == 0:
            seeds[index] = farthest + 1


@kernel
def _step(kinds: Any, whites: Any, table: Any, left: Any, worst: Any, seeds: Any, squares: Any, now: Any) -> Any:
    """Settle every position with the byte `now` and tell the positions before it; returns the greatest byte still waiting."""
    count = len(kinds)
    waiting = i64(0)
    for index in range(len(table)):
        seed = i64(seeds[index])
        if seed == 0 or table[index] != 0:
            continue
        if seed != now:
            waiting = max(waiting, seed)
            continue
        table[index] = now
        rest = index
        occupied = NONE
        for i in range(count - 1, -1, -1):
            squares[i] = rest & 63
            occupied |= ONE << u64(rest & 63)
            rest >>= 6
        turn = rest
        is_lost = (now - 1) & 1 == 0
        shift = 6 * count
        for i in range(count):
            if whites[i] != turn:
                continue  # it was the other player who moved last
            square = u64(squares[i])
            kind = kinds[i]
            if kind == 0:
                origins = KING[square]
            elif kind == 1:
                origins = rook_attacks(square, occupied) | bishop_attacks(square, occupied)
            elif kind == 2:
                origins = rook_attacks(square, occupied)
            elif kind == 3:
                origins = bishop_attacks(square, occupied)
            elif kind == 4:
                origins = KNIGHT[square]
            elif whites[i] == 1:
                origins = (ONE << square) >> EIGHT & ~RANK_1
                if square >> u64(3) == u64(3) and origins & occupied == NONE:
                    origins |= (ONE << square) >> SIXTEEN
            else:
                origins = (ONE << square) << EIGHT & ~RANK_8
                if square >> u64(3) == u64(4) and origins & occupied == NONE:
                    origins |= (ONE << square) << SIXTEEN
            origins &= ~occupied
            place = 6 * (count - 1 - i)
            base = (index & ~(63 << place)) ^ (1 << shift)
            while origins != NONE:
                before = base | (lowest(origins) << place)
                origins &= origins - ONE
                if table[before] != 0:
                    continue
                if is_lost:
                    if seeds[before] == 0 or seeds[before] > now + 1:
                        seeds[before] = now + 1
                        waiting = max(waiting, now + 1)
                else:
                    left[before] -= 1
                    if left[before] == 0:
                        seeds[before] = max(now, i64(worst[before])) + 1
                        waiting = max(waiting, i64(seeds[before]))
    return waiting


class Tables:
    """Endgame tables in memory, built or loaded, and asked by position."""

    def __init__(self) -> None:
        self.tables: dict[str, np.ndarray] = {}
        self.damaged: list[Path] = []
        self._lookup: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None
        self._game = load("chess")

    def build(self, name: str, progress: Callable[[str, int], None] | None = None) -> None:
        """Build a table and, before it, every smaller one that it leads to; `progress` hears the name and the plies settled."""
        name = canonical(name)
        if name in self.tables:
            return
        for smaller in leads_to(name):
            self.build(smaller, progress)
        if is_drawn(name):
            return
        kinds, whites = _pieces(name)
        size = 2 << 6 * len(kinds)
        table, left, worst, seeds = (np.zeros(size, np.uint8) for _ in range(4))
        starts, swaps, values = self._arrays()
        states = self._game.rules.states(2)
        actions, squares = np.zeros(256, np.int32), np.zeros(len(kinds), np.int64)
        piece = 1 << 19
        for first in range(0, size, piece):
            _begin(states, kinds, whites, starts, swaps, values, table, left, worst, seeds, actions, squares, first, first + piece)
            if progress is not None:
                progress(name, 0)
        now, waiting = 1, 1
        while now <= waiting:
            waiting = max(waiting, int(_step(kinds, whites, table, left, worst, seeds, squares, now)))
            if progress is not None:
                progress(name, now)
            now += 1
            if now >= ILLEGAL:
                raise Unavailable(f"{name} has mates too long for one byte")
        self.tables[name] = table
        self._lookup = None

    def _arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Where each table begins by the signature of its pieces (-1: none, -2: a dead draw), its colours, and all their bytes."""
        if self._lookup is None:
            starts, swaps = np.full(SIGNATURES, -1, np.int64), np.zeros(SIGNATURES, np.int64)
            parts, at = [], 0
            for name in _drawn_names():
                for swapped in range(2):
                    starts[_signature(name, swapped)] = -2
            for name, table in self.tables.items():
                for swapped in (1, 0):
                    number = _signature(name, swapped)
                    starts[number], swaps[number] = at, swapped
                parts.append(table)
                at += len(table)
            self._lookup = starts, swaps, np.concatenate(parts) if parts else np.zeros(1, np.uint8)
        return self._lookup

    def probe(self, position: Position) -> tuple[str, int] | None:
        """'win', 'draw' or 'loss' for the player to move and the plies to mate; None where no table is known."""
        state: Any = position.game.record(position.state)
        if int(state.castling):
            return None
        with np.errstate(over="ignore"):
            byte = int(look(state, *self._arrays()))
        if byte == ILLEGAL:
            return None
        if byte == 0:
            return "draw", 0
        return ("win" if (byte - 1) & 1 else "loss"), byte - 1

    def best(self, position: Position) -> int | None:
        """A move that wins soonest, draws, or loses latest; None where the tables do not know every move."""
        judged = []
        for action in position.actions():
            after = position.result(action)
            found = self.probe(after) if not after.is_terminal() else (("loss", 0) if any(after.utilities()) else ("draw", 0))
            if found is None:
                return None
            outcome, plies = found
            judged.append(({"loss": 2, "draw": 1, "win": 0}[outcome], -plies if outcome == "loss" else plies, action))
        return max(judged)[2] if judged else None

    def longest(self, name: str) -> int:
        """The longest mate of a table, in moves of White."""
        table = self.tables[canonical(name)]
        white = table[: len(table) // 2]
        plies = white[(white > 0) & (white < ILLEGAL) & (white % 2 == 0)]
        return (int(plies.max()) // 2) if len(plies) else 0

    def counts(self, name: str) -> dict[str, int]:
        """How many positions with White to move are won, drawn and lost."""
        table = self.tables[canonical(name)]
        white = table[: len(table) // 2]
        legal = white < ILLEGAL
        won = legal & (white > 0) & (white % 2 == 0)
        lost = legal & (white > 0) & (white % 2 == 1)
        return {"win": int(won.sum()), "draw": int((legal & (white == 0)).sum()), "loss": int(lost.sum())}

    def save(self, folder: str | Path, names: Collection[str] | None = None) -> list[Path]:
        """Write each table, or those of the names given, to a file of its name."""
        folder = Path(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            written = []
            for name, table in self.tables.items():
                if names is not None and name not in names:
                    continue
                write_whole(folder / f"{name}.npz", functools.partial(np.savez_compressed, table=table))
                written.append(folder / f"{name}.npz")
        except OSError as problem:
            raise BadValue(f"cannot write tables to {str(folder)!r}: {problem.strerror}") from None
        return written

    def load(self, folder: str | Path) -> list[str]:
        """Read every table of a folder; returns their names. `damaged` files count as not there, and are built anew when asked."""
        found = []
        for path in sorted(Path(folder).glob("*.npz")):
            try:
                name = canonical(path.stem)
                table = np.load(path)["table"]
                is_whole = table.dtype == np.uint8 and len(table) == 2 << 6 * len(name)
            except Exception:  # NumPy and zipfile raise whatever they like
                is_whole = False
            if not is_whole:
                self.damaged.append(path)
                continue
            self.tables[name] = table
            found.append(name)
        self._lookup = None
        return found


# ---------------------------------------------------------------- names


def canonical(name: str) -> str:
    """The name of a table with the stronger side first; refuses what has no table.

    >>> canonical("kkq"), canonical("KNBK")
    ('KQK', 'KBNK')
    """
    text = name.strip().upper()
    if text.count("K") != 2 or not text.startswith("K") or set(text) - set(LETTERS):
        raise BadValue(f"expected an ending such as KQK or KBNK, got {shorten(name)!r}")
    if len(text) > MOST_PIECES:
        raise BadValue(f"expected at most {MOST_PIECES} pieces, got {text!r}")
    white, black = ("".join(sorted(side, key=LETTERS.index)) for side in text[1:].split("K"))
    if "P" in white and "P" in black:
        raise BadValue(f"{text!r} has pawns on both sides, which the tables leave out (en passant)")
    if _strength(black) > _strength(white):
        white, black = black, white
    return f"K{white}K{black}"


def _strength(side: str) -> tuple[int, int]:
    return sum({"Q": 9, "R": 5, "B": 3, "N": 3, "P": 1}[letter] for letter in side), -sum(LETTERS.index(letter) for letter in side)


def is_drawn(name: str) -> bool:
    """Whether neither side can ever mate, so that a table would hold nothing."""
    return name in _drawn_names()


def _drawn_names() -> tuple[str, ...]:
    return ("KK", "KBK", "KNK")


def leads_to(name: str) -> Iterator[str]:
    """The smaller or promoted endings that a table's captures and promotions lead to."""
    white, black = name[1:].split("K")
    found = set()
    for own, other, own_first in ((white, black, True), (black, white, False)):
        for at, letter in enumerate(own):
            rest = own[:at] + own[at + 1 :]
            pairs = [(rest, other)]  # it is taken
            if letter == "P":
                for promoted in "QRBN":
                    pairs.append((rest + promoted, other))
                    pairs += [(rest + promoted, other[:i] + other[i + 1 :]) for i in range(len(other))]
            for mine, theirs in pairs:
                sides = (mine, theirs) if own_first else (theirs, mine)
                if mine or theirs:
                    found.add(canonical(f"K{sides[0]}K{sides[1]}"))
    yield from sorted(found, key=lambda text: (len(text), text.count("P"), text))


def _pieces(name: str) -> tuple[np.ndarray, np.ndarray]:
    """The kind of each piece, and 1 for White's."""
    second = name.index("K", 1)
    kinds = np.array([LETTERS.index(letter) for letter in name], np.int64)
    return kinds, (np.arange(len(name)) < second).astype(np.int64)


def _signature(name: str, swapped: int) -> int:
    white, black = name[1:].split("K")
    sides = (black, white) if swapped else (white, black)
    return int("".join(str(side.count(letter)) for side in sides for letter in LETTERS[1:]), 3)


def every(names: Iterable[str]) -> list[str]:
    """All tables that building these needs, in the order of building."""
    wanted: dict[str, None] = {}

    def add(name: str) -> None:
        for smaller in leads_to(name):
            add(smaller)
        if not is_drawn(name):
            wanted.setdefault(name)

    for name in itertools.chain(map(canonical, names)):
        add(name)
    return list(wanted)
