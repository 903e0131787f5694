"""The double-dummy search: can North and South take so many more tricks, all cards open?

A position between two tricks is one word: the cards that are left, sixteen bits a suit (clubs lowest, the deuce bit 0 of its suit),
for who was dealt which card never changes. One search asks one question, "at least `need` more tricks?", and each node answers with
two things: yes or no, and *the cards whose ranks mattered* to the answer. Everything below the lowest of these in a suit is an x:
the answer holds for every position with the same lengths and the same owners of the higher cards, and so it is remembered
(partition search, Ginsberg 1996; relative ranks after Haglund's DDS, 2006).

Why a kernel of its own: the engine's general search keys its table by equal positions and backs up values alone; here a set of
cards comes back with every value, and the table is asked for all positions that look alike. No other game has a use for that.

>>> popcount(OPEN)
52
"""

from __future__ import annotations

from typing import Any

import numpy as np

from outplay.experts.bridge.double_dummy_hands import (
    LOWEST_OF_TOP,
    NONE,
    SUIT,
    beats,
    count_tricks,
    following,
    last_trick,
    ordered,
    takes_over,
)
from outplay.jit import always_inlined, highest, i32, i64, inlined, kernel, pointer, popcount, u64

OPEN = 0x1FFF_1FFF_1FFF_1FFF
"""All 52 cards."""

# What `work` holds between two slices of one search.
PLY, NODES, ANSWER, FILLED, FLUSHES, TRUMP, SLOTS, SHAPES = range(8)
WORK = 8
RUNNING, NO, YES = -1, 0, 1

FRAME = np.dtype((np.record, [(name, np.int64) for name in (
    "start", "rest",  # the cards at the start of the trick, and now
    "ranks",  # that mattered so far
    "seat", "best", "winner", "place", "need",  # to play; the card to beat and whose it is; how many cards lie; tricks asked for
    "count", "next", "led",  # moves, the next one, the suit led
    "p0", "p1", "key",  # patterns and shape, by which the position is remembered
    "killer", "hash",  # the card that answered here last, and where that is remembered for like hands
)]))
"""One node."""
MOVES = 16  # room for one node's moves
CARD = 63  # the bits of a move that are its card
ENTRY = 5  # numbers of one entry of the table: two patterns, two masks, bounds with counts
GROUP = 22  # numbers of four entries in the table: two words of digests, and the entries themselves
LANES, LANE_TOPS = 0x0001_0001_0001_0001, -0x7FFF_7FFF_7FFF_8000  # the lowest and the highest bits of four sixteenths of a word
PLIES = 56
ANSWERS = (1 << 16) - 1
"""The mask over the places of the memory of answers: which card was good in a like hand."""


TOP = np.array([(0x3FFFFFF >> (26 - 2 * k) << (26 - 2 * k)) if k else 0 for k in range(14)], np.int64)
"""The mask over the owners of the highest `k` cards of a suit, two bits each."""


@kernel
def prepare(hands: Any, owners: Any, lengths: Any) -> None:
    """For every subset of each suit's cards: who owns them from the top down, and how many each seat has."""
    for suit in range(4):
        whole = i64(0)
        for seat in range(4):
            whole |= (hands[seat] >> (16 * suit)) & SUIT
        base = suit << 13
        owners[base], lengths[base] = 0, 0
        # Subsets in rising order, so that one without its highest card comes first.
        subset = i64(0)
        while subset != whole:
            subset = (subset - whole) & whole
            top = i64(1) << highest(subset)
            owner = i64(0)
            for seat in range(4):
                if (hands[seat] >> (16 * suit)) & top:
                    owner = i64(seat)
            rest = base | (subset ^ top)
            owners[base | subset] = (owner << 24) | (owners[rest] >> 2)
            lengths[base | subset] = lengths[rest] + (i64(1) << (4 * owner))


@inlined
def spread(rest, owners, leader) -> Any:
    """The owners of all cards by relative rank, as two words."""
    p0 = i64(owners[rest & SUIT]) | (i64(owners[8192 | ((rest >> 16) & SUIT)]) << 32)
    p1 = i64(owners[16384 | ((rest >> 32) & SUIT)]) | (i64(owners[24576 | ((rest >> 48) & SUIT)]) << 32)
    return p0, p1


@inlined
def shape(rest, lengths, leader) -> Any:
    """Who leads, and how many cards of each suit every seat has: one word, for West's clubs follow from the rest."""
    lengths_of_all = (i64(lengths[rest & SUIT]) | (i64(lengths[8192 | ((rest >> 16) & SUIT)]) << 16)
                      | (i64(lengths[16384 | ((rest >> 32) & SUIT)]) << 32) | (i64(lengths[24576 | ((rest >> 48) & SUIT)]) << 48))
    return (lengths_of_all & ~0xF000) | (leader << 12)


@inlined
def digest(p0, p1) -> Any:
    """The owners of the two highest cards of each suit, in sixteen bits: most entries differ here from a position already."""
    return ((p0 >> 22) & 15) | ((p0 >> 50) & 0xF0) | ((p1 >> 14) & 0xF00) | ((p1 >> 42) & 0xF000)


@inlined
def slot_of(key, bits) -> Any:
    """Where in the index a shape is looked for first."""
    mixed = key * i64(-7046029254386353131)
    mixed ^= (mixed >> 29) & 0x7FFFFFFFF
    mixed *= i64(-4658895280553007687)
    return (mixed >> (63 - bits)) & ((i64(1) << bits) - 1)


@inlined
def mix_hand(hand, other, place) -> Any:
    """Forty-seven bits of a hash: the lower ones say where the answer is kept, the upper ones whether it is this one's."""
    mixed = hand * i64(-7046029254386353131) ^ (other * 128 + place) * i64(-4658895280553007687)
    mixed ^= (mixed >> 31) & 0x1FFFFFFFF
    mixed *= i64(-7723592293110705685)
    return (mixed >> 17) & 0x7FFFFFFFFFFF


@inlined
def place_of(index, key, slots) -> Any:
    """Where the index has this shape, or has room for it."""
    slot = slot_of(key, slots)
    while True:
        where = 2 * slot
        if index[where + 1] == 0 or index[where] == key:
            return where
        slot = (slot + 1) & ((i64(1) << slots) - 1)


@always_inlined
def look_up(entries, block, p0, p1, need, rest) -> Any:
    """What has been found for every position that looks like this one, the newest first: 1, 0, or -1; and the ranks it needs."""
    asked = digest(p0, p1) * LANES
    filled, group = entries[block], (entries[block] - 1) >> 2
    first = block + 2 + 2 * entries[block + 1]
    value, ranks, packed = i64(-1), i64(0), i64(0)
    while group >= 0:
        unlike = (entries[block + 2 + 2 * group] ^ asked) & entries[block + 3 + 2 * group]
        if (unlike - LANES) & ~unlike & LANE_TOPS:  # some lane has no bit set
            for k in range(4 * group, min(4 * group + 4, filled)):
                e = first + ENTRY * k
                if (((entries[e] ^ p0) & entries[e + 2]) | ((entries[e + 1] ^ p1) & entries[e + 3])) == 0:
                    packed = entries[e + 4]
                    if (packed & 15) >= need:
                        value = i64(1)
                        break
                    if ((packed >> 4) & 15) < need:
                        value = i64(0)
                        break
            if value >= 0:
                for suit in range(4):
                    k = (packed >> (8 + 4 * suit)) & 15
                    held = (rest >> (16 * suit)) & SUIT
                    ranks |= i64(LOWEST_OF_TOP[(held << 4) | k]) << (16 * suit)
                break
        group -= 1
    return value, ranks


@inlined
def drop_small_cards(moves, base, tried, count, ranks) -> Any:
    """A card below all ranks that mattered failed as an x: so would every other x of its suit. Returns how many moves are left."""
    card = moves[base + tried - 1] & CARD
    lane = (ranks >> (card & 48)) & SUIT
    low = (lane & -lane) if lane else i64(1) << 15
    if (i64(1) << (card & 15)) >= low:
        return count
    kept = tried
    for k in range(tried, count):
        other = moves[base + k]
        if (other & 48) != (card & 48) or (i64(1) << (other & 15)) >= low:
            moves[base + kept] = other
            kept += 1
    return kept


@inlined
def whole_runs(ranks, own, start) -> Any:
    """The ranks that matter where every move fails: runs of equals, of which one was tried, count as a whole."""
    for suit in range(4):
        lane = (ranks >> (16 * suit)) & SUIT
        if lane == 0:
            continue
        held, everyone = (own >> (16 * suit)) & SUIT, (start >> (16 * suit)) & SUIT
        low = lane & -lane
        least = low
        while held & low:
            under = everyone & (low - 1)
            if under == 0:
                break
            below_it = i64(1) << highest(under)
            if not held & below_it:
                break
            low = below_it
        if held & (low - 1):  # a lower card was tried, and stands for all of them
            low = least
        ranks |= low << (16 * suit)
    return ranks


@always_inlined
def remember(index, entries, work, room, whole_index, slots, frame, ranks, value) -> None:
    """Keep an answer for all positions with the same lengths and the same high cards."""
    key, p0, p1, rest, need = frame.key, frame.p0, frame.p1, frame.rest, frame.need
    counts = i64(0)
    m0, m1 = i64(0), i64(0)
    for suit in range(4):
        lane = (ranks >> (16 * suit)) & SUIT
        if lane:
            k = popcount(((rest >> (16 * suit)) & SUIT) & -(lane & -lane))
            counts |= k << (4 * suit)
            if suit < 2:
                m0 |= TOP[k] << (32 * suit)
            else:
                m1 |= TOP[k] << (32 * (suit - 2))
    where = place_of(index, key, slots)
    block = index[where + 1]
    groups = entries[block + 1] if block != 0 else i64(0)
    lane = entries[block] if block != 0 else i64(0)
    if lane == 4 * groups:
        # A shape without room moves to twice the room; a table without room is emptied.
        more = max(1, 2 * groups)
        new = work[FILLED]
        work[SHAPES] += 1 if block == 0 else 0
        if new + 2 + GROUP * more > room or work[SHAPES] > (i64(3) << slots) >> 2:
            work[SHAPES] = 1
            for k in range(whole_index):
                index[k] = 0
            new, more, groups, lane = i64(1), i64(1), i64(0), i64(0)
            where = 2 * slot_of(key, slots)
            work[FLUSHES] += 1
        work[FILLED] = new + 2 + GROUP * more
        for k in range(2 * groups):
            entries[new + 2 + k] = entries[block + 2 + k]
        for k in range(2 * groups, 2 * more):
            entries[new + 2 + k] = 0
        for k in range(ENTRY * lane):
            entries[new + 2 + 2 * more + k] = entries[block + 2 + 2 * groups + k]
        index[where], index[where + 1] = key, new
        entries[new + 1] = more
        block, groups = new, more
    entries[block] = lane + 1
    e = block + 2 + 2 * groups + ENTRY * lane
    at_digest, shift = block + 2 + 2 * (lane >> 2), 16 * (lane & 3)
    entries[at_digest] |= digest(p0 & m0, p1 & m1) << shift
    entries[at_digest + 1] |= digest(m0, m1) << shift
    entries[e], entries[e + 1], entries[e + 2], entries[e + 3] = p0 & m0, p1 & m1, m0, m1
    low, high = (need, i64(13)) if value == 1 else (i64(0), need - 1)
    entries[e + 4] = low | (high << 4) | (counts << 8)


@inlined
def play(frame, child, card, place, seat, trump) -> None:
    """Make the next frame, after one more card; after the fourth, the winner leads."""
    rest = frame.rest ^ (i64(1) << card)
    best, winner = frame.best, frame.winner
    if place == 0 or beats(card, best, trump):
        best, winner = card, seat
    child.rest = rest
    child.best, child.winner = best, winner
    child.led = card >> 4 if place == 0 else frame.led & 3
    if place < 3:
        child.start, child.need = frame.start, frame.need
        child.seat, child.place = (seat + 1) & 3, place + 1
    else:
        child.start, child.seat, child.place = rest, winner, 0
        child.need = frame.need - (1 - (winner & 1))


@kernel
def search(hands: Any, owners: Any, lengths: Any, index: Any, entries: Any, work: Any, frames: Any, moves: Any, answers: Any,
           slice_nodes: Any) -> Any:
    """A slice of one search: YES, NO, or RUNNING where the nodes of the slice are used up and it goes on from the same arrays."""
    room = i64(len(entries))
    whole_index = len(index)
    # Bare memory: no test for indices from behind.
    hands, owners, lengths, index, entries = pointer(hands), pointer(owners), pointer(lengths), pointer(index), pointer(entries)
    work, moves, answers = pointer(work), pointer(moves), pointer(answers)
    trump = work[TRUMP]
    slots = work[SLOTS]
    ply = work[PLY]
    nodes = i64(0)
    phase = 0  # 0 enter a node, 1 its next move, 2 back from a child with `value` and `ranks`
    value, ranks = i64(0), i64(0)
    while True:
        frame, child = frames[u64(ply)], frames[u64(ply + 1)]
        place = frame.place
        seat = frame.seat
        if phase == 0:
            rest, need = frame.rest, frame.need
            frame.ranks, frame.count, frame.next = 0, 0, 0
            value = i64(-1)
            ranks = i64(0)
            mine, partner = hands[seat] & rest, hands[(seat + 2) & 3] & rest
            left, right = hands[(seat + 1) & 3] & rest, hands[(seat + 3) & 3] & rest
            if place == 0:
                # Step 1: a new trick. Enough tricks, or too few left?
                if nodes >= slice_nodes:
                    work[PLY] = ply
                    work[NODES] += nodes
                    return RUNNING
                nodes += 1
                tricks = popcount(mine)
                is_ns = (seat & 1) == 0
                if need <= 0:
                    value = i64(1)
                elif need > tricks:
                    value = i64(0)
                elif tricks == 1:
                    # Step 2: the last trick plays itself.
                    value, ranks = last_trick(hands, rest, seat, trump)
                else:
                    # Step 3: what has been found for every position that looks like this one.
                    p0, p1 = spread(rest, owners, seat)
                    key = shape(rest, lengths, seat)
                    frame.p0, frame.p1, frame.key = p0, p1, key
                    block = index[place_of(index, key, slots) + 1]
                    if block != 0:
                        value, ranks = look_up(entries, block, p0, p1, need, rest)
                    # Step 4: tricks that one side can count.
                    if value < 0:
                        value, ranks = count_tricks(mine, partner, left, right, trump, tricks, need, is_ns)
            elif place == 1:
                # Step 4 for second hand: what it can count from this trick on.
                tricks = popcount(mine)
                is_ns = (seat & 1) == 0
                want = need if is_ns else tricks - need + 1
                is_enough, ranks = takes_over(mine, partner, left, right, frame.best, trump, tricks, want)
                if is_enough:
                    value = i64(1) if is_ns else i64(0)
            if value >= 0:
                phase = 2
                ply -= 1
                if ply < 0:
                    break
                continue
            # Step 5: the moves, one of each run of equals, the likeliest first.
            best, lead = frame.best, frame.led & 3
            is_ours = place > 0 and ((frame.winner ^ seat) & 1) == 0
            # What answered last time with the same hand (on lead: the same two hands), this lead and this card to beat; fourth hand
            # has little to choose from.
            known = frame.killer if place == 0 else i64(NONE)
            if place < 3:
                mixed = mix_hand(mine, partner if place == 0 else best * 64 + lead, place + 4 * seat + 16 * (trump + 1))
                frame.hash = mixed
                remembered = i64(answers[mixed & ANSWERS])
                if (remembered >> 8) == (mixed >> 24):
                    known = remembered & 255
            allowed = mine if place == 0 else following(mine, lead)
            frame.count = ordered(allowed, mine, partner, left, right, frame.start, place, best, is_ours, lead, trump,
                                         known, moves, ply * MOVES)
            phase = 1
        elif phase == 2:
            # Step 6: back from a move. A trick that was won by rank needed that card; does it answer the side to move?
            if place == 3:
                best = child.best
                if popcount(((frame.start ^ child.rest) >> (best & 48)) & SUIT) > 1:
                    ranks |= i64(1) << best
            if value == (1 if (seat & 1) == 0 else 0):
                ply_answers = True
                card = moves[ply * MOVES + frame.next - 1] & CARD
                frame.killer = card
                if place < 3:
                    mixed = frame.hash
                    answers[mixed & ANSWERS] = i32((mixed >> 24 << 8) | card)
            else:
                frame.ranks |= ranks
                tried = frame.next
                count = frame.count
                if tried < count:
                    count = drop_small_cards(moves, ply * MOVES, tried, count, ranks)
                    frame.count = count
                ply_answers = tried >= count
                if ply_answers:
                    start = frame.start
                    ranks = whole_runs(frame.ranks, hands[seat] & start, start)
            if ply_answers:
                if place == 0:
                    # Step 7: remember it for all positions with the same lengths and the same high cards.
                    remember(index, entries, work, room, whole_index, slots, frame, ranks, value)
                ply -= 1
                if ply < 0:
                    break
                continue
            phase = 1
        if phase == 1:
            # Step 8: play the next card.
            next_move = frame.next
            card = moves[ply * MOVES + next_move] & CARD
            frame.next = next_move + 1
            play(frame, child, card, place, seat, trump)
            ply += 1
            phase = 0
    work[PLY] = 0
    work[NODES] += nodes
    work[ANSWER] = value
    return value
