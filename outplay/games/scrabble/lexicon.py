"""Word lists, and the automaton that finds every word through a square of the board.

The list that comes with Outplay is ENABLE (Enhanced North American Benchmark Lexicon, Alan Beale and others: public domain, 172,823
words). Any other is a file with one word a line, plain or compressed (.gz).

A GADDAG (Steven Gordon, 1994) holds each word once for each of its letters: the letters from there to the front, a separator, the
rest. So words are built from any square outwards. Nodes that accept the same rests are one (Daciuk and others, 2000).

>>> small = Lexicon(["at", "cat", "cats", "act"])
>>> small.is_word("cats"), small.is_word("ca")
(True, False)
>>> small.anagrams("TAC"), small.anagrams("?T")
(['ACT', 'CAT', 'AT'], ['AT'])
"""

from __future__ import annotations

import functools
import gzip
import hashlib
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from outplay.errors import BadValue, shorten
from outplay.files import read_checked, write_checked
from outplay.jit import cache_folder, i64, kernel, lowest

SEPARATOR = 27
"""The bit of a node's mask that turns from the front of a word to its end; letters are the bits 1 to 26."""
LONGEST = 15
"""Words of more letters fit on no board; the automaton leaves them out."""
ENABLE = Path(__file__).parent / "enable.txt.gz"
_COMMON = (9, 2, 2, 4, 12, 2, 3, 2, 9, 1, 1, 4, 2, 6, 8, 2, 1, 6, 4, 6, 4, 2, 2, 1, 2, 1)
LIKELY = np.array([0, *(1 - (1 - count / 100) ** 7 for count in _COMMON), 0.5])
"""How likely seven tiles of the common set hold each letter; half of the ways turn at the separator."""
MARKS = np.array([0] + [int.from_bytes(hashlib.sha256(bytes([64 + k])).digest()[:8], "big") for k in range(1, 27)], np.uint64)
"""A random number a letter: the sum of those of a word is the same for all its anagrams."""
EDITION = 2
"""Part of the name of the file in the cache: another one when the automaton's form changes."""


class Lexicon:
    """A list of words, and its automaton once that is asked for."""

    def __init__(self, words: Iterable[str], name: str = "") -> None:
        self.name = name
        self.words = tuple(sorted({word.strip().upper() for word in words} - {""}))
        for word in self.words:
            if not re.fullmatch("[A-Z]+", word):
                raise BadValue(f"a word list has one word of the letters A to Z a line, got {shorten(word)!r}")
        if not any(2 <= len(word) <= LONGEST for word in self.words):
            raise BadValue(f"the word list {name or 'given'} has no word of 2 to {LONGEST} letters")
        self._set = frozenset(self.words)
        self._automaton: tuple[np.ndarray, np.ndarray] | None = None
        self._steps: np.ndarray | None = None

    def is_word(self, word: str) -> bool:
        """Whether the list has the word."""
        return word.upper() in self._set

    def __len__(self) -> int:
        return len(self.words)

    # What follows is kept without `cached_property`, which locks before Python 3.12: making it compiles, and who compiles rules of
    # Scrabble asks for it, so that two threads would wait for each other for ever.

    @property
    def automaton(self) -> tuple[np.ndarray, np.ndarray]:
        """Nodes (mask of the letters that lead on, mask of those that end a word, first arc, node behind the separator), arcs.

        It is built in seconds and kept in the cache folder, under a name that holds a hash of the words, with a checksum.
        """
        if self._automaton is None:
            self._automaton = self._read_or_built()
        return self._automaton

    def _read_or_built(self) -> tuple[np.ndarray, np.ndarray]:
        text = "\n".join(self.words).encode()
        file = cache_folder() / f"lexicon-{EDITION}-{hashlib.sha256(text).hexdigest()[:24]}.npz"
        found = read_checked(file)
        if found is not None:
            return found["nodes"], found["arcs"]
        nodes, arcs = build(self.words)
        with suppress(BadValue):  # a cache that cannot be written costs time only
            write_checked(file, nodes=nodes, arcs=arcs)
        return nodes, arcs

    @property
    def steps(self) -> np.ndarray:
        """The same for quick walking: of what lies behind each arc the masks, its first arc and the letters behind its separator.

        Four numbers an arc in one row, so that a step looks at one place in memory. Row 0 leads nowhere, row 1 is the root.
        """
        if self._steps is None:
            self._steps = self._laid_out()
        return self._steps

    def _laid_out(self) -> np.ndarray:
        nodes, arcs = self.automaton
        weights = np.zeros(len(nodes))
        _weigh(nodes, arcs, LIKELY, weights)
        # What is visited most lies together, so that it stays in the processor's caches.
        order = np.argsort(-weights[1:], kind="stable") + 1
        sizes = np.zeros(len(nodes), np.int64)
        for bit in range(SEPARATOR + 1):
            sizes += nodes[:, 0] >> np.uint32(bit) & np.uint32(1)
        first = np.zeros(len(nodes), np.int64)
        first[order] = 2 + np.cumsum(sizes[order]) - sizes[order]
        behind = np.stack([nodes[:, 0], nodes[:, 1], first, nodes[nodes[:, 3], 0]], axis=1).astype(np.uint32)
        found = np.zeros((len(arcs) + 2, 4), np.uint32)
        found[1] = behind[1]
        starts = np.repeat(nodes[order, 2].astype(np.int64), sizes[order])
        inside = np.arange(len(arcs)) - np.repeat(first[order] - 2, sizes[order])
        found[2:] = behind[arcs[starts + inside]]
        return found.ravel()

    def whole_racks(self, rack: int) -> np.ndarray:
        """A set of bits, two for all anagrams of each word of so many letters or more: their places are in MARKS' sum."""
        found = np.zeros(1 << 16, np.uint64)
        for length in range(rack, max(map(len, self.words), default=0) + 1):
            some = [word for word in self.words if len(word) == length]
            letters = np.frombuffer("".join(some).encode(), np.uint8).reshape(len(some), length) - 64
            marks = MARKS[letters].sum(1, dtype=np.uint64)
            for shift in (42, 36):
                bits = np.uint64(1) << (marks >> np.uint64(shift) & np.uint64(63))
                np.bitwise_or.at(found, (marks >> np.uint64(48)).astype(np.int64), bits)
        return found

    def anagrams(self, rack: str, *, least: int = 2, every: bool = False) -> list[str]:
        """Words from the letters of a rack, ? being a blank, the longest first; `every` wants all the letters used."""
        have = Counter(rack.upper())
        blanks = have.pop("?", 0)
        length = len(rack)
        found = []
        letters = set(have)
        for word in self.words:
            if least <= len(word) <= length and (not every or len(word) == length) and (blanks or letters.issuperset(word)):
                short = 0
                for letter in set(word):
                    short += max(word.count(letter) - have[letter], 0)
                if short <= blanks:
                    found.append(word)
        return sorted(found, key=lambda word: (-len(word), word))

    def hooks(self, word: str) -> tuple[str, str]:
        """The letters that make another word in front of a word, and behind it."""
        alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        word = word.upper()
        return ("".join(c for c in alphabet if c + word in self._set), "".join(c for c in alphabet if word + c in self._set))

    def pattern(self, pattern: str, rack: str = "") -> list[str]:
        """Words that fit a pattern: `.` or `_` is any letter, `*` any number of them; with a rack, the free letters come from it.

        >>> Lexicon(["cat", "cot", "coat"]).pattern("C.T"), Lexicon(["cat", "cot", "coat"]).pattern("C*T", "O")
        (['CAT', 'COT'], ['COT'])
        """
        wanted = re.compile("".join({".": "(.)", "_": "(.)", "*": "(.*)"}.get(c, c) for c in pattern.upper()))
        have = Counter(rack.upper())
        blanks = have.pop("?", 0)
        found = []
        for word in self.words:
            fits = wanted.fullmatch(word)
            if fits and (not rack or sum((Counter("".join(fits.groups())) - have).values()) <= blanks):
                found.append(word)
        return sorted(found, key=lambda word: (-len(word), word))


@functools.cache
def lexicon(name: str = "enable") -> Lexicon:
    """The word list of that name, `enable`, or one in a file."""
    if name == "enable":
        return Lexicon(gzip.decompress(ENABLE.read_bytes()).decode("ascii").split(), "enable")
    try:
        data = Path(name).expanduser().read_bytes()
        if data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
        return Lexicon(data.decode("utf-8").split(), name)
    except (OSError, EOFError, zlib.error) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise BadValue(f"lexicon must be enable or the file of a word list, got {shorten(name, 200)!r}: {reason}") from None
    except UnicodeDecodeError:
        raise BadValue(f"the word list {shorten(name, 200)!r} is not a text") from None


def build(words: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """The minimal automaton of all the words of 2 to 15 letters, as `Lexicon.automaton` gives it."""
    texts = []
    for length in range(2, LONGEST + 1):
        some = [word for word in words if len(word) == length]
        if not some:
            continue
        letters = np.frombuffer("".join(some).encode(), np.uint8).reshape(len(some), length) - 64
        for front in range(1, length + 1):
            row = np.zeros((len(some), LONGEST + 1), np.uint8)
            row[:, :front] = letters[:, front - 1 :: -1] if front > 1 else letters[:, :1]
            if front < length:
                row[:, front] = SEPARATOR
                row[:, front + 1 : length + 1] = letters[:, front:]
            texts.append(row)
    whole = np.concatenate(texts)
    halves = whole.view(">u8")  # two words of 64 bits sort as the texts do, and quicker
    ordered = whole[np.lexsort((halves[:, 1], halves[:, 0]))]
    room = 400_000 if len(ordered) < 3_000_000 else 2_000_000
    while True:
        nodes, arcs = np.zeros((room, 4), np.int64), np.zeros(4 * room, np.int64)
        register = np.zeros(1 << (2 * room).bit_length(), np.int64)
        path = np.zeros((LONGEST + 2, 32), np.int64)
        counts = np.zeros(2, np.int64)
        if _minimal(ordered, nodes, arcs, register, path, counts):
            turn = nodes[:, 0] >> SEPARATOR & 1 == 1  # the separator's arc is a node's last
            inside = np.array([int(mask).bit_count() for mask in nodes[turn, 0]], np.int64)
            nodes[turn, 3] = arcs[nodes[turn, 2] + inside - 1]
            return nodes[: counts[0]].astype(np.uint32), arcs[: counts[1]].astype(np.uint32)
        room *= 2


@kernel
def _weigh(nodes: Any, arcs: Any, likely: Any, weights: Any) -> None:
    """How often a node is visited, roughly: as often as racks have the letters on all ways to it. Children have lower numbers."""
    weights[1] = 1.0
    for number in range(1, len(nodes) - 1):
        node = len(nodes) - number if number > 1 else 1
        mask, at = i64(nodes[node, 0]), i64(nodes[node, 2])
        while mask != 0:
            weights[i64(arcs[at])] += weights[node] * likely[lowest(mask)]
            mask &= mask - 1
            at += 1


@kernel
def _minimal(texts: Any, nodes: Any, arcs: Any, register: Any, path: Any, counts: Any) -> bool:
    """Build the automaton from sorted texts; False where the room is too small. Node 0 leads nowhere, node 1 is the root.

    path[d] is the node at depth d of the last text: path[d][0] its mask, [1] its ends, [2] how many arcs, [3 ...] where they lead.
    """
    node_count, arc_count = i64(2), i64(0)
    depth = i64(0)
    width = texts.shape[1]
    for number in range(len(texts) + 1):
        shared = i64(0)
        length = i64(0)
        if number < len(texts):
            while length < width and texts[number, length] != 0:
                length += 1
            if number > 0:
                while shared < depth and shared < length and texts[number, shared] == texts[number - 1, shared]:
                    shared += 1
        while depth > shared or (number == len(texts) and depth >= 0):
            mask, ends, own = path[depth, 0], path[depth, 1], path[depth, 2]
            found = i64(0)
            if mask != 0:
                digest = mask * 40503 + ends * 69069
                for k in range(own):
                    digest = (digest * 31 + path[depth, 3 + k] * 2654435 + (digest >> 17)) & 0xFFFFFFFFFFFF
                slot = (digest ^ (digest >> 21)) % len(register)
                while True:
                    found = register[slot]
                    if found == 0 or depth == 0:
                        break
                    same = nodes[found, 0] == mask and nodes[found, 1] == ends
                    if same:
                        for k in range(own):
                            if arcs[nodes[found, 2] + k] != path[depth, 3 + k]:
                                same = False
                                break
                    if same:
                        break
                    slot = (slot + 1) % len(register)
                if found == 0 or depth == 0:
                    if node_count + 1 >= len(nodes) or arc_count + 32 >= len(arcs):
                        return False
                    found = i64(1) if depth == 0 else node_count
                    if depth > 0:
                        register[slot] = found
                        node_count += 1
                    nodes[found, 0], nodes[found, 1], nodes[found, 2] = mask, ends, arc_count
                    for k in range(own):
                        arcs[arc_count] = path[depth, 3 + k]
                        arc_count += 1
            path[depth, 0] = path[depth, 1] = path[depth, 2] = 0
            if depth > 0:
                path[depth - 1, 2 + path[depth - 1, 2]] = found
            depth -= 1
        if number == len(texts):
            break
        while depth < length:
            letter = i64(texts[number, depth])
            path[depth, 0] |= 1 << letter
            path[depth, 2] += 1
            if depth == length - 1:
                path[depth, 1] |= 1 << letter
            depth += 1
    counts[0], counts[1] = node_count, arc_count
    return True
