"""Double-dummy endings by the million: one search a thread, without a table, on all cores or on a GPU.

The tricks that can be counted and the order of cards are those of `double_dummy_hands`. Left out is the table with its ranks,
whose work pays in whole deals and not in the last five tricks: a search then needs three words a card, and a GPU has room for many
thousands. All counting is done between two tricks, where the threads of a GPU meet.

>>> from outplay.games.bridge.notation import parse_hands
>>> deals = [parse_hands("N:AQ.3.. KJ.2.. 43.A.. T9.K.."), parse_hands("N:T9.K.. AQ.3.. KJ.2.. 43.A..")]
>>> tricks_of(deals, "NT", ["S", "W"])                        # tricks of North and South, who leads as said
array([2, 1], dtype=int8)
"""

from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from outplay.compiling.gpu import cuda, gpu_kernel, processors, require
from outplay.errors import BadValue
from outplay.experts.bridge.double_dummy_hands import (
    NONE,
    SUIT,
    beats,
    following,
    ordered,
    quick_tricks,
    sure_trumps,
    waiting_tricks,
)
from outplay.experts.bridge.double_dummy_kernel import CARD
from outplay.games.bridge.notation import NOTRUMP, seat, strain
from outplay.jit import highest, i64, inlined, kernel, popcount

MOST = 7
"""Tricks of an ending, at most: its moves are packed into one word of ten, and without a table longer ones take for ever."""
UNEVEN, TOO_LONG = -1, -2  # instead of a number of tricks
WORDS = 3  # of one node: the cards left, who plays to what, the moves in order
STACK = WORDS * (4 * MOST + 1)
ORDER = 16

BLOCK = 128
BLOCKS_PER_PROCESSOR = 16
REGISTERS = 64
"""Of one thread, at most: fewer let more threads run at once, and spill."""


@inlined
def suits_of(cards) -> Any:
    """All cards of the suits in which there are cards."""
    found = i64(0)
    for suit in range(4):
        if (cards >> (16 * suit)) & SUIT:
            found |= i64(SUIT) << (16 * suit)
    return found


@inlined
def given_away(mine, partner, one, other, trump) -> Any:
    """The highest cards of the suits whose lead gives the trick to `one` of the others: nobody can ruff it, or would have to."""
    heads = i64(0)
    for suit in range(4):
        shift = 16 * suit
        top = highest((one >> shift) & SUIT)
        if (mine >> shift) & SUIT and top > highest(((mine | partner | other) >> shift) & SUIT) and (
                trump == NONE or suit == trump
                or (((partner >> shift) & SUIT or not (partner >> (16 * trump)) & SUIT)
                    and ((other >> shift) & SUIT or not (other >> (16 * trump)) & SUIT))):
            heads |= i64(1) << (shift + top)
    return heads


@inlined
def settled(mine, partner, left, right, trump, tricks, need, is_ns) -> Any:
    """At the start of a trick: 1 or 0 where North and South surely take `need` tricks or not, else -1; and cards not to lead."""
    want = need if is_ns else tricks - need + 1
    quick, _ = quick_tricks(mine, partner, left, right, trump, tricks, want)
    if quick < want and trump != NONE:
        quick, _ = sure_trumps(mine, partner, left | right, trump, want)
    if quick >= want:
        return (1 if is_ns else 0), i64(0)
    want = tricks - need + 1 if is_ns else need
    quick = i64(0)
    if trump != NONE:
        quick, _ = sure_trumps(left, right, mine | partner, trump, want)
    if quick < want and (trump == NONE or (((mine | partner) >> (16 * trump)) & SUIT) == 0):
        quick, _ = waiting_tricks(mine, partner, left, right, tricks, want)
    if quick >= want:
        return (0 if is_ns else 1), i64(0)
    lost = i64(0)
    for side in range(2):
        one, other = (left, right) if side == 0 else (right, left)
        heads = given_away(mine, partner, one, other, trump)
        if heads:
            quick, _ = quick_tricks(one, other, mine, partner, trump, tricks, want)
            if quick >= want:
                lost |= suits_of(heads)
    if mine & ~lost == 0:
        return (0 if is_ns else 1), lost
    return -1, lost


@inlined
def last_trick(hands, at, rest, leader, trump) -> Any:
    """Who wins the last trick: 1 for North and South."""
    best, winner = highest(hands[at + leader] & rest), leader
    for k in range(1, 4):
        card = highest(hands[at + ((leader + k) & 3)] & rest)
        if beats(card, best, trump):
            best, winner = card, (leader + k) & 3
    return 1 - (winner & 1)


@inlined
def solve_each(hands, trumps, leaders, out, number, last, step, stack, order) -> Any:
    """Solve the endings `number`, `number + step` and so on, each with questions "at least `need` tricks?". Returns the nodes.

    Depth first, each round of the loop a trick: where a question or an ending is done, the next one begins in the same loop, so
    that the threads of a GPU, which run in step, need not wait for each other.
    """
    nodes = i64(0)
    at, trump, low, high, asked = i64(0), i64(0), i64(0), i64(0), i64(0)
    rest, start, need, ply = i64(0), i64(0), i64(0), i64(-1)
    place, who, best, winner, lead = i64(0), i64(0), i64(0), i64(0), i64(0)
    number -= step
    value = i64(0)
    is_asked = False
    while True:
        if ply < 0:
            # A question is answered: the next one, or the next ending.
            if value == 1:
                low = asked
            elif is_asked:
                high = asked - 1
            if low >= high:
                if is_asked:
                    out[number] = low
                number += step
                if number >= last:
                    return nodes
                at, trump = 4 * number, i64(trumps[number])
                low, high = i64(0), i64(popcount(hands[at]))
                asked = (high + 1) >> 1
                uneven = i64(0)
                for k in range(1, 4):
                    uneven |= popcount(hands[at + k]) ^ high
                if uneven != 0 or high > MOST or high == 0:
                    out[number] = 0 if uneven == 0 and high == 0 else UNEVEN if uneven != 0 else TOO_LONG
                    low, high, ply, is_asked = i64(0), i64(0), i64(-1), False
                    continue
                is_asked = True
            else:
                asked = low + 1 if value == 1 else high
            rest, need, ply = hands[at] | hands[at + 1] | hands[at + 2] | hands[at + 3], asked, i64(0)
            start, place, who = rest, i64(0), i64(leaders[number])
        # The start of a trick: settled at once, or with leads.
        nodes += 1
        mine, partner = hands[at + who] & rest, hands[at + ((who + 2) & 3)] & rest
        left, right = hands[at + ((who + 1) & 3)] & rest, hands[at + ((who + 3) & 3)] & rest
        value = i64(-1)
        lost = i64(0)
        tricks = popcount(mine)
        if need <= 0:
            value = i64(1)
        elif need > tricks:
            value = i64(0)
        elif tricks == 1:
            value = i64(last_trick(hands, at, rest, who, trump))
        else:
            value, lost = settled(mine, partner, left, right, trump, tricks, need, (who & 1) == 0)
        # Within the trick, forward and back, until another trick begins. A loop of its own: what stands above costs most, and so
        # the threads of a GPU do it together.
        while True:
            packed = i64(0)
            if value < 0:
                is_ours = ((winner ^ who) & 1) == 0
                allowed = mine & ~lost if place == 0 else following(mine, lead)
                count = ordered(allowed, mine, partner, left, right, start, place, best, is_ours, lead, trump, i64(NONE), order, 0)
                for k in range(count):
                    packed |= (order[k] & CARD) << (6 * k)
                stack[WORDS * ply] = rest
                stack[WORDS * ply + 1] = (who | (place << 2) | (best << 4) | (winner << 10) | (lead << 12) | (count << 14)
                                          | (need << 18))
            else:
                # Back to the last node that this does not answer.
                ply -= 1
                while ply >= 0:
                    word = stack[WORDS * ply + 1]
                    who, count = word & 3, (word >> 14) & 15
                    if count > 0 and value != 1 - (who & 1):
                        break
                    ply -= 1
                if ply < 0:
                    break
                rest = stack[WORDS * ply]
                place, best, winner, lead, need = (word >> 2) & 3, (word >> 4) & 63, (word >> 10) & 3, (word >> 12) & 3, word >> 18
                start = stack[WORDS * (ply - place)]
                packed = stack[WORDS * ply + 2]
            # Its next card; after the fourth, the winner leads.
            card = packed & 63
            stack[WORDS * ply + 2] = packed >> 6
            stack[WORDS * ply + 1] -= i64(1) << 14
            rest ^= i64(1) << card
            if place == 0 or beats(card, best, trump):
                best, winner = card, who
            if place == 0:
                lead = card >> 4
            ply += 1
            if place == 3:
                place, who, start = i64(0), winner, rest
                need -= 1 - (winner & 1)
                break
            place += 1
            who = (who + 1) & 3
            mine, partner = hands[at + who] & rest, hands[at + ((who + 2) & 3)] & rest
            left, right = hands[at + ((who + 1) & 3)] & rest, hands[at + ((who + 3) & 3)] & rest
            value, lost = i64(-1), i64(0)


@kernel
def solve_part(hands: Any, trumps: Any, leaders: Any, out: Any, first: Any, last: Any, stack: Any, order: Any) -> Any:
    """A part of the endings on one core. Returns the nodes."""
    return solve_each(hands, trumps, leaders, out, i64(first), i64(last), i64(1), stack, order)


def _solve(hands: Any, trumps: Any, leaders: Any, out: Any) -> None:
    # each thread solves every so manyth ending
    stack = cuda.local.array(STACK, np.int64)
    order = cuda.local.array(ORDER, np.int64)
    solve_each(hands, trumps, leaders, out, i64(cuda.grid(1)), i64(len(out)), i64(cuda.gridsize(1)), stack, order)


solve_on_gpu = gpu_kernel(_solve, max_registers=REGISTERS)


def to_gpu(hands: np.ndarray, strains: np.ndarray, leaders: np.ndarray) -> tuple[Any, ...]:
    """The endings and room for their tricks, in the GPU's memory."""
    require()
    return tuple(cuda.to_device(each) for each in (hands.reshape(-1), strains, leaders, np.zeros(len(strains), np.int8)))


def on_gpu(there: tuple[Any, ...]) -> None:
    """Solve what lies in the GPU's memory."""
    blocks = min(BLOCKS_PER_PROCESSOR * processors(), max(1, -(-len(there[3]) // BLOCK)))
    solve_on_gpu[blocks, BLOCK](*there)
    cuda.synchronize()


def tricks_of(deals: Sequence[Sequence[int]] | np.ndarray, trumps: Any, leaders: Any, *, device: str = "cpu",
              threads: int | None = None) -> np.ndarray:
    """Tricks of North and South in each ending (hands of North, East, South, West); a strain and a leader for all, or one each."""
    hands = np.ascontiguousarray(np.asarray(deals, np.int64).reshape(-1, 4))
    count = len(hands)
    strains = np.ascontiguousarray(np.broadcast_to(_numbers(trumps, strain), count).astype(np.int8))
    strains[strains == NOTRUMP] = NONE
    first = np.ascontiguousarray(np.broadcast_to(_numbers(leaders, seat), count).astype(np.int8))
    if device == "cuda":
        there = to_gpu(hands, strains, first)
        on_gpu(there)
        out = np.asarray(there[3].copy_to_host())
    elif device == "cpu":
        out = _on_cores(hands.reshape(-1), strains, first, threads or len(os.sched_getaffinity(0)))
    else:
        raise BadValue(f"a device is cpu or cuda, got {device}")
    if (out == UNEVEN).any():
        raise BadValue("every seat of an ending needs the same number of cards")
    if (out == TOO_LONG).any():
        raise BadValue(f"endings have at most {MOST} tricks here: longer ones are for DoubleDummy")
    return out


def _on_cores(hands: np.ndarray, strains: np.ndarray, leaders: np.ndarray, threads: int) -> np.ndarray:
    """A part of the endings on each thread."""
    out = np.zeros(len(strains), np.int8)
    bounds = np.linspace(0, len(out), threads + 1).astype(int)
    work = [threading.Thread(target=solve_part, args=(hands, strains, leaders, out, int(a), int(b), np.zeros(STACK, np.int64),
                                                      np.zeros(ORDER, np.int64)))
            for a, b in itertools.pairwise(bounds) if a < b]
    for each in work:
        each.start()
    for each in work:
        each.join()
    return out


def _numbers(asked: Any, read: Any) -> Any:
    """Strains or seats as numbers, from words or numbers, one or many."""
    if isinstance(asked, str):
        return read(asked)
    if isinstance(asked, Sequence):
        return [read(each) if isinstance(each, str) else each for each in asked]
    return asked
