"""Nim: take any number from one heap; whoever takes the last one wins, or loses in the misère form (Charles Bouton, 1901).

>>> from outplay.game import load
>>> load("nim", heaps="3-4-5").start().play("a2").text()
'1-4-5 o'

Bouton's theorem is the oracle of the tests: the player to move loses exactly when the heaps' sizes cancel under exclusive or
(misère: the same, unless no heap has more than one; then an odd number of heaps loses).
"""

import re

from outplay.errors import BadValue, shorten
from outplay.jit import i8, u64
from outplay.rules import game
from outplay.values import Cell, Picture


def valid_heaps(text):
    """Up to eight heaps of 1 to 127 each, such as 3-4-5."""
    sizes = [int(part) for part in text.split("-")] if re.fullmatch(r"[0-9]{1,3}(-[0-9]{1,3})*", text) else []
    if not 1 <= len(sizes) <= 8 or not all(1 <= size <= 127 for size in sizes):
        raise BadValue(f"nim: heaps must be up to eight numbers from 1 to 127, such as 3-4-5, got {shorten(text)!r}")
    return "-".join(map(str, sizes))


@game("nim", heaps=valid_heaps, misere=(False, True))
def nim(heaps="3-4-5", misere=False):
    """Take any number from one heap; whoever takes the last one wins (or loses, misère).

    Goal: take the last one (or leave it to the other, with `misere=yes`).
    Moves: choose a heap, and take as many from it as you like, at least one.
    Special: nothing is hidden and nothing left to chance: one of the two can always win.
    Heaps: `heaps=3-4-5` says how many there are and how large.

    `heaps`: How many there are in each heap, such as 3-4-5.
    `misere`: Whether whoever takes the last one loses.
    """
    sizes = [int(size) for size in heaps.split("-")]
    last_taker = -1 if misere else 1  # what taking the last one is worth
    byte = u64(255)
    eight = u64(8)
    zero = u64(0)

    def heap_sizes(state):  # outside of the class, so that games of other heaps share the compiled code
        return [int(state.stones) >> 8 * heap & 255 for heap in range(len(sizes))]

    class Nim:
        """Take any number from one heap; whoever takes the last one wins (or loses, misère)."""

        most_actions = sum(sizes)
        policy_size = 256 * len(sizes)

        # -------------------------------------------- rules
        stones: u64  # a byte for each heap, the first lowest
        turn: i8

        def start(self):
            self.stones = sum(size << 8 * heap for heap, size in enumerate(sizes))

        def is_terminal(self):
            return self.stones == zero

        def actions(self, out):
            count = 0
            rest = self.stones
            first = 0  # an action is 256 * heap + number taken
            while rest != zero:
                for number in range(1, (rest & byte) + u64(1)):
                    out[count] = first + number
                    count += 1
                rest >>= eight
                first += 256
            return count

        def play(self, action):
            self.stones -= u64(action & 255) << u64(8 * (action >> 8))
            self.turn = 1 - self.turn

        def utility(self, player):
            return -last_taker if player == self.turn else last_taker

        def key(self):
            return self.stones | u64(self.turn) << u64(63)  # no heap uses its byte's highest bit

        def canonical(self):
            # The order of the heaps does not matter: sorted, the largest first.
            stones = self.stones
            for end in range(7, 0, -1):
                for heap in range(end):
                    low = u64(8 * heap)
                    here, there = (stones >> low) & byte, (stones >> (low + eight)) & byte
                    if here < there:
                        stones ^= ((here ^ there) << low) | ((here ^ there) << (low + eight))
            self.stones = stones
            return 0

        # -------------------------------------------- notation: the heaps in order; b2 takes two from the second
        def text(self):
            return "-".join(map(str, heap_sizes(self))) + " " + "xo"[self.turn]

        def parse(self, text):
            if not re.fullmatch(r"[0-9]{1,3}(-[0-9]{1,3})* [xo]", text) or text.count("-") != len(sizes) - 1:
                raise ValueError(f"expected {len(sizes)} heaps and the player to move, such as {heaps} x")
            self.stones = sum(min(int(part), 255) << 8 * heap for heap, part in enumerate(text[:-2].split("-")))
            self.turn = "xo".index(text[-1])

        def valid(self):
            taken = [size - left for size, left in zip(sizes, heap_sizes(self), strict=True)]
            if min(taken) < 0:
                return f"the heaps start as {heaps} and never grow"
            if sum(taken) == sum(number > 0 for number in taken) and sum(taken) % 2 != self.turn:
                return f"it is not {'xo'[self.turn]}'s turn after {sum(taken)} moves"
            return None

        def action_text(self, action):
            return "abcdefgh"[action >> 8] + str(action & 255)

        def ending_text(self):
            return "the last one is taken"

        # -------------------------------------------- picture: a row a heap; a click on a stone takes it and all to its right
        def picture(self):
            left = heap_sizes(self)
            return Picture(
                cells=tuple(tuple(Cell("o", "coin") if c < size else Cell() for c in range(max(sizes))) for size in left),
                rows=tuple("abcdefgh"[: len(sizes)]),
                touches={256 * heap + number: ((heap, size - number),)
                         for heap, size in enumerate(left) for number in range(1, size + 1)},
            )

    return Nim
