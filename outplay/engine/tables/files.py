"""Files of endgame tables: one slice a file, in compressed blocks that can be read one by one, each with a checksum.

A file is a line of JSON (what it holds, and for each block where it begins and its CRC-32), then the blocks. Every second block
holds two bits for each of BLOCK positions (0 drawn, 1 won, 2 lost, 3 no position), the one behind it one or two bytes for each (how
many plies the game still takes). Whoever asks for an outcome alone never reads the plies.
"""

from __future__ import annotations

import functools
import json
import os
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from outplay.errors import BadValue
from outplay.files import write_whole

MAGIC = "outplay table 1"
BLOCK = 1 << 16
NO_POSITION = 65535
OUTCOMES = ("draw", "win", "loss")
LONGEST_HEADER = 1 << 24


def told(code: int) -> tuple[str, int] | None:
    """What a number of a table says: outcome for the player to move, and plies."""
    if code == NO_POSITION:
        return None
    return ("draw", 0) if code == 0 else ("win" if (code - 1) & 1 else "loss", (code - 1) >> 1)


def path_of(folder: str | Path, game: str, name: str) -> Path:
    """The file of a slice."""
    kind = game.replace(":", ".").replace("=", "-").replace(",", ".").replace(" ", "_")
    return Path(folder) / f"{kind}.{name}.table"


def _pack(codes: np.ndarray) -> np.ndarray:
    """Two bits for each position."""
    outcomes = np.where(codes == 0, 0, np.where((codes - 1) & 1, 1, 2)).astype(np.uint8)
    outcomes[codes == NO_POSITION] = 3
    padded = np.zeros(-(-len(outcomes) // 4) * 4, np.uint8)
    padded[: len(outcomes)] = outcomes
    four = padded.reshape(-1, 4)
    return four[:, 0] | four[:, 1] << 2 | four[:, 2] << 4 | four[:, 3] << 6


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _unpack(packed: np.ndarray, count: int) -> np.ndarray:
    return np.stack([packed >> shift & 3 for shift in (0, 2, 4, 6)], 1).reshape(-1)[:count]


def save(folder: str | Path, game: str, name: str, classes: Any, values: np.ndarray, facts: dict[str, Any]) -> Path:
    """Write a slice, whole or not at all."""
    parts = [values[first : first + BLOCK] for first in range(0, len(values), BLOCK)]
    width = 1 if all(part[part != NO_POSITION].max(initial=0) <= 2 * 256 for part in parts) else 2

    def packed(part: np.ndarray) -> tuple[bytes, bytes]:
        plies = np.where((part == 0) | (part == NO_POSITION), 0, (part - 1) >> 1).astype(f"<u{width}")
        return zlib.compress(_pack(part).tobytes(), 6), zlib.compress(plies.tobytes(), 6)

    with ThreadPoolExecutor(_cores()) as pool:  # the compressor lets other threads run
        blocks = [block for pair in pool.map(packed, parts) for block in pair]
    places, at = [], 0
    for block in blocks:
        places.append((at, len(block), zlib.crc32(block)))
        at += len(block)
    header: dict[str, Any] = {"format": MAGIC, "game": game, "slice": name, "classes": [list(each) for each in classes],
                              "block": BLOCK, "width": width, "bytes": at, "facts": facts, "places": places}  # fmt: skip
    text = json.dumps(header, separators=(",", ":")).encode()
    path = path_of(folder, game, name)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise BadValue(f"cannot write tables to {str(folder)!r}: {problem.strerror}") from None
    head = f"{MAGIC} {len(text)} {zlib.crc32(text)}\n".encode()
    write_whole(path, b"".join([head, text, *blocks]))
    return path


class TableFile:
    """One slice on disk: outcomes and plies by class and index, read block by block."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            with self.path.open("rb") as file:
                words = file.readline(200).decode("ascii", "replace").split()
                is_ours = words[:-2] == MAGIC.split() and all(word.isdecimal() and len(word) < 12 for word in words[-2:])
                if not is_ours or int(words[-2]) > LONGEST_HEADER:
                    raise BadValue(f"{str(path)!r} is not a table of this program")
                text = file.read(int(words[-2]))
                self._start = file.tell()
                size = file.seek(0, 2)
        except OSError as problem:
            raise BadValue(f"cannot read {str(path)!r}: {problem.strerror}") from None
        if zlib.crc32(text) != int(words[-1]):
            raise BadValue(f"{str(path)!r} is damaged: its list of contents is not what was written")
        header = json.loads(text)
        if size != self._start + header["bytes"]:
            raise BadValue(f"{str(path)!r} is damaged: it has {size:,} bytes and should have {self._start + header['bytes']:,}")
        self.game, self.name, self.facts = header["game"], header["slice"], header["facts"]
        self.classes = [tuple(each) for each in header["classes"]]
        self.places, self.block, self.width = header["places"], header["block"], header["width"]
        self.size = sum(size for _, size in self.classes)
        self.bytes = size
        self._bases, base = {}, 0
        for klass, count in self.classes:
            self._bases[klass] = base
            base += count
        self._part = functools.lru_cache(maxsize=64)(self._read)

    def _read(self, number: int, part: int) -> np.ndarray:
        at, length, sum_of = self.places[2 * number + part]
        with self.path.open("rb") as file:
            file.seek(self._start + at)
            packed = file.read(length)
        if zlib.crc32(packed) != sum_of:
            raise BadValue(f"{str(self.path)!r} is damaged: block {number} is not what was written")
        data = zlib.decompress(packed)
        count = min(self.block, self.size - number * self.block)
        if part == 0:
            return _unpack(np.frombuffer(data, np.uint8), count)
        return np.frombuffer(data, f"<u{self.width}")

    def code(self, klass: int, index: int) -> int:
        """The number of a position as in memory."""
        number, offset = divmod(self._bases[klass] + index, self.block)
        outcome = int(self._part(number, 0)[offset])
        if outcome in (0, 3):
            return 0 if outcome == 0 else NO_POSITION
        return 1 + 2 * int(self._part(number, 1)[offset]) + (outcome == 1)

    def values(self) -> np.ndarray:
        """All numbers."""
        found = np.zeros(self.size, np.uint16)

        def unpack(number: int) -> None:
            outcomes, plies = self._read(number, 0), self._read(number, 1).astype(np.uint16)
            codes = 1 + 2 * plies + (outcomes == 1)
            codes[outcomes == 0], codes[outcomes == 3] = 0, NO_POSITION
            found[number * self.block : number * self.block + len(codes)] = codes

        with ThreadPoolExecutor(_cores()) as pool:
            list(pool.map(unpack, range(-(-self.size // self.block))))
        return found


def load(folder: str | Path, game: str, name: str, classes: Any) -> np.ndarray | None:
    """The numbers of a slice; None where its file is not there, damaged or of something else."""
    path = path_of(folder, game, name)
    if not path.is_file():
        return None
    try:
        file = TableFile(path)
        return file.values() if file.game == game and file.classes == [tuple(each) for each in classes] else None
    except (BadValue, OSError, ValueError, KeyError, TypeError, IndexError, zlib.error):
        return None
