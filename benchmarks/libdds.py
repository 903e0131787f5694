"""libdds (Bo Haglund's double-dummy solver) through ctypes, as oracle and yardstick: one thread, our words for cards and seats.

The library is that of the package endplay, else the system's (`libdds.so.0`, Debian's package libdds0).
"""

from __future__ import annotations

import ctypes
import importlib.util
from collections.abc import Sequence
from pathlib import Path

SEATS, SUITS = 4, 4


class _Deal(ctypes.Structure):
    _fields_ = (("trump", ctypes.c_int), ("first", ctypes.c_int), ("trick_suit", ctypes.c_int * 3),
                ("trick_rank", ctypes.c_int * 3), ("cards", ctypes.c_uint * SUITS * SEATS))


class _Future(ctypes.Structure):
    _fields_ = (("nodes", ctypes.c_int), ("cards", ctypes.c_int), ("suit", ctypes.c_int * 13), ("rank", ctypes.c_int * 13),
                ("equals", ctypes.c_int * 13), ("score", ctypes.c_int * 13))


class _TableDeal(ctypes.Structure):
    _fields_ = (("cards", ctypes.c_uint * SUITS * SEATS),)


class _Table(ctypes.Structure):
    _fields_ = (("tricks", ctypes.c_int * SEATS * 5),)


def library() -> ctypes.CDLL:
    """Load libdds, or say what is missing."""
    spec = importlib.util.find_spec("endplay")
    if spec is not None and spec.origin is not None:
        return ctypes.CDLL(str(Path(spec.origin).parent / "_dds" / "libdds.so"))
    try:
        return ctypes.CDLL("libdds.so.0")
    except OSError as problem:
        raise SystemExit(f"libdds is needed: `pip install endplay`, or Debian's package libdds0 ({problem})") from None


class Libdds:
    """One thread of libdds; cards are bits of sixteen a suit, clubs lowest, as in the solver of Outplay."""

    def __init__(self) -> None:
        self._dll = library()
        self._dll.SetMaxThreads(1)
        self.nodes = 0

    def table(self, hands: Sequence[int]) -> list[list[int]]:
        """The tricks of each declarer: a row for clubs, diamonds, hearts, spades, no trumps, in it North, East, South, West."""
        found = _Table()
        self._ok(self._dll.CalcDDtable(_TableDeal(_cards(hands)), ctypes.byref(found)))
        return [list(found.tricks[3 - strain if strain < 4 else 4]) for strain in range(5)]

    def best(self, hands: Sequence[int], trump: int, leader: int) -> int:
        """Tricks of the leader's side after the best lead."""
        return self._solve(hands, trump, leader, 1).score[0]

    def cards(self, hands: Sequence[int], trump: int, leader: int) -> dict[int, int]:
        """Tricks of the leader's side after each card of the leader."""
        future = self._solve(hands, trump, leader, 3)
        found = {}
        for number in range(future.cards):
            for rank in (future.rank[number], *(rank for rank in range(2, 15) if future.equals[number] >> rank & 1)):
                found[16 * (3 - future.suit[number]) + rank - 2] = future.score[number]
        return found

    def _solve(self, hands: Sequence[int], trump: int, leader: int, solutions: int) -> _Future:
        zero, future = (ctypes.c_int * 3)(0, 0, 0), _Future()
        deal = _Deal(3 - trump if trump < 4 else 4, leader, zero, zero, _cards(hands))
        # Mode 1: search for the tricks where there is only one card to play, too.
        self._ok(self._dll.SolveBoard(deal, -1, solutions, 1, ctypes.byref(future), 0))
        self.nodes += future.nodes
        return future

    @staticmethod
    def _ok(code: int) -> None:
        if code != 1:
            raise SystemExit(f"libdds answers with the error {code}")


def _cards(hands: Sequence[int]) -> ctypes.Array[ctypes.Array[ctypes.c_uint]]:
    """Its own order: spades first, the deuce bit 2."""
    return (ctypes.c_uint * SUITS * SEATS)(*(
        (ctypes.c_uint * SUITS)(*((int(hand) >> 16 * (3 - suit) & 0x1FFF) << 2 for suit in range(SUITS))) for hand in hands))
