"""Writes files in Syzygy's format with whatever values one likes, for tests and for the fuzzer: small, sound, and ours.

    python benchmarks/syzygy_files.py FOLDER KQvK KPvKP      # tables of random outcomes and distances

    python benchmarks/syzygy_files.py speed FOLDER           # probes a second of real files, beside the package chess

A part of a table is either one value for all positions or a packed sequence: pairs of values, four times the same value, and single
values are the symbols; the code has two lengths of bits.
"""

import itertools
import random
import struct
import sys
import time
from math import comb, prod
from pathlib import Path

import numpy as np

MARKS = {".rtbw": b"\x71\xe8\x23\x5d", ".rtbz": b"\xd7\x66\x0c\xa5"}
LEADERS = {1: (6, 6, 6, 6), 2: (252, 180, 108, 36), 3: (5201, 2645, 953, 125), 4: (70315, 25375, 5491, 295)}
"""Numbers of so many leading pawns, by the file of the first."""
SPAN, BLOCK = 7, 6  # powers of two
CONSTANT, MAPPED, WIDE = 0x80, 2, 16


def shape(name):
    """The pieces of a material by groups, the leading one first, and how many numbers each of its boards has."""
    sides = [side[1:] for side in name.split("v")]
    names = [f"{which}{kind}" for which, side in enumerate(sides) for kind in side]
    code = {each: "PNBRQK".index(each[1]) + 1 + 8 * int(each[0]) for each in names}
    kings = [[6], [14]]
    groups = [[code[each]] * names.count(each) for each in dict.fromkeys(names)]
    pawns = sorted((group for group in groups if group[0] & 7 == 1), key=len)
    others = [group for group in groups if group[0] & 7 != 1]
    if pawns:
        heads, rest = pawns, [*others, *kings]
        lead = len(pawns[0])
        sizes = [[many, *(comb(48 - lead, len(each)) for each in pawns[1:])] for many in LEADERS[lead]]
    else:
        lone = [group for group in others if len(group) == 1]
        head = [lone[0][0], 6, 14] if lone else [6, 14]
        heads, rest = [head], [group for group in others if group != lone[:1][0]] if lone else others
        sizes = [[31332 if lone else 462]]
    free = 64 - sum(map(len, heads))
    for group in rest:
        for each in sizes:
            each.append(comb(free, len(group)))
        free -= len(group)
    return heads, rest, [prod(each) for each in sizes]


def packed(values, kinds):
    """Sparse index, lengths of blocks, codes and the description of a sequence of values below `kinds`."""
    values = np.asarray(values, np.int64)
    rows = np.append(values, np.zeros(-len(values) % 4, np.int64)).reshape(-1, 4)
    same = (rows == rows[:, :1]).all(axis=1)
    first, second = kinds + rows[:, 0] * kinds + rows[:, 1], kinds + rows[:, 2] * kinds + rows[:, 3]
    tokens = np.stack([np.where(same, kinds + kinds * kinds + rows[:, 0], first), np.where(same, -1, second)], axis=1).ravel()
    tokens = tokens[tokens >= 0]
    pairs = [(value, 0xFFF) for value in range(kinds)] + list(itertools.product(range(kinds), repeat=2))
    pairs += [(kinds + value * kinds + value,) * 2 for value in range(kinds)]
    longest = (len(pairs) - 1).bit_length()
    long = 2 * len(pairs) - (1 << longest)  # so many symbols have the longest code, the others a bit less
    lengths = np.where(tokens < long, longest, longest - 1)
    codes = np.where(tokens < long, tokens, long // 2 + tokens - long)
    wide = np.where(tokens < kinds + kinds * kinds, 2, 4)
    ends, stops, starts, cuts = np.cumsum(lengths), np.cumsum(wide), [0], [0]
    while cuts[-1] < len(tokens):  # a block takes as many symbols as its bits hold
        begun = int(ends[cuts[-1] - 1]) if cuts[-1] else 0
        cuts.append(int(np.searchsorted(ends, begun + (8 << BLOCK), side="right")))
        starts.append(int(stops[cuts[-1] - 1]))
    sizes = np.diff(starts).tolist()
    block_of = np.repeat(np.arange(len(sizes)), np.diff(cuts))
    begins = ends - lengths
    places = begins - begins[np.array(cuts[:-1])][block_of] + block_of * (8 << BLOCK)
    bits = np.zeros(len(sizes) * (8 << BLOCK), np.uint8)
    for k in range(longest):
        has = lengths > k
        bits[places[has] + k] = codes[has] >> (lengths[has] - 1 - k) & 1
    middles = np.arange(1 << SPAN - 1, len(values) + (1 << SPAN - 1), 1 << SPAN)
    blocks = np.minimum(np.searchsorted(starts, middles, side="right") - 1, len(sizes) - 1)
    sparse = np.zeros(len(middles), np.dtype([("block", "<u4"), ("offset", "<u2")]))
    sparse["block"], sparse["offset"] = blocks, middles - np.array(starts)[blocks]
    about = bytes([0, BLOCK, SPAN, 1]) + struct.pack("<IBB", len(sizes), longest, longest - 1) + struct.pack("<HH", long, 0)
    about += struct.pack("<H", len(pairs)) + b"".join((left | right << 12).to_bytes(3, "little") for left, right in pairs)
    counted = struct.pack(f"<{len(sizes) + 1}H", *(size - 1 for size in sizes), 0)
    return about + bytes(len(pairs) & 1), sparse.tobytes(), counted, np.packbits(bits).tobytes()


def write(path, values, *, orders=(0, 0), flags=0, maps=()):
    """Write a file: `values(board, side, size)` gives a sequence, or one value; `orders` is where the leading group counts.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write(Path(folder) / "KQvK.rtbw", lambda board, side, size: 4 - 4 * side)
    ...     (Path(folder) / "KQvK.rtbw").stat().st_size
    80
    """
    name, is_wdl = path.stem, path.suffix == ".rtbw"
    heads, rest, sizes = shape(name)
    white, black = (sorted(side) for side in name.split("v"))
    sides = 2 if is_wdl and white != black else 1
    has_pawns = len(sizes) == 4
    head = MARKS[path.suffix] + bytes([(white != black) | has_pawns << 1])
    for _ in sizes:
        head += bytes([orders[0] | orders[1] << 4])
        head += bytes([(orders[0] + 1) | (orders[1] + 1) << 4]) if len(heads) == 2 else b""
        head += bytes(piece | piece << 4 for group in (*heads, *rest) for piece in group)
    head += bytes(len(head) & 1)
    packs = []
    for board, size in enumerate(sizes):
        for side in range(sides):
            given = values(board, side, size)
            if np.ndim(given) == 0:
                head += bytes([CONSTANT, int(given)])
            else:
                about, *more = packed(given, 5 if is_wdl else 1 + int(np.max(given)))
                head += bytes([flags]) + about[1:]
                packs.append(more)
    if flags & MAPPED:
        for _ in packs:
            head += bytes(len(head) & 1) if flags & WIDE else b""
            for each in maps:
                head += struct.pack(f"<{1 + len(each)}{'H' if flags & WIDE else 'B'}", len(each), *each)
    head += bytes(len(head) & 1) if not is_wdl else b""
    head += b"".join(sparse for sparse, _, _ in packs) + b"".join(lengths for _, lengths, _ in packs)
    for _, _, data in packs:
        head += bytes(-len(head) % 64) + data
    path.write_bytes(head + bytes(-len(head) % 64) + bytes(16))


def random_values(seed, kinds):
    """Sequences of so many kinds of values, many of them in runs."""
    def values(board, side, size):
        source = np.random.default_rng([seed, board, side])
        return np.repeat(source.integers(0, kinds, size // 3 + 1), source.integers(1, 7, size // 3 + 1))[:size]

    return values


def measure_speed(folder, count=200_000):
    """Outcomes a second of random positions of four men: the compiled decoder, and the package chess for a part of them."""
    here = Path(__file__).resolve().parent
    sys.path[:] = [str(here.parent), *(path for path in sys.path if path != str(here))]  # the package, not the file beside
    import chess
    import chess.syzygy

    from outplay.experts.chess import syzygy
    from outplay.game import load

    files, other, game, source = syzygy.Tables(folder), chess.syzygy.open_tablebase(folder), load("chess"), random.Random(1)
    boards = []
    names = sorted(path.stem for path in Path(folder).glob("K*vK*.rtbw") if len(path.stem) == 5)
    while len(boards) < 2000:
        white, black = source.choice(names).split("v")
        board = chess.Board(None)
        for square, piece in zip(source.sample(range(64), 4), white + black.lower(), strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(piece))
        board.turn = source.random() < 0.5
        if board.is_valid():
            boards.append(board)
    states = np.concatenate([np.frombuffer(game.position(board.fen()).state, game.rules.layout) for board in boards])
    room, actions, out = game.rules.states(9), game.rules.room(9, game.rules.most_actions), np.zeros(len(states), np.int64)
    syzygy._outcomes(files.outcomes, states, room, actions, out)  # compiles
    started = time.process_time()
    for _ in range(count // len(states)):
        syzygy._outcomes(files.outcomes, states, room, actions, out)
    ours = count // len(states) * len(states) / (time.process_time() - started)
    started = time.process_time()
    said = [other.probe_wdl(board) for board in boards]
    theirs = len(boards) / (time.process_time() - started)
    wrong = sum(int(a) != b for a, b in zip(out, said, strict=True))
    print(f"{ours:,.0f} probes a second, {ours / theirs:,.0f} times chess.syzygy: {theirs:,.0f}; {wrong} of {len(said)} differ")


if __name__ == "__main__":
    if sys.argv[1:2] == ["speed"]:
        measure_speed(sys.argv[2])
    elif len(sys.argv) > 2:
        for number, material in enumerate(sys.argv[2:]):
            write(Path(sys.argv[1]) / f"{material}.rtbw", random_values(number, 5))
            write(Path(sys.argv[1]) / f"{material}.rtbz", random_values(number, 9))
    else:
        sys.exit(__doc__)
