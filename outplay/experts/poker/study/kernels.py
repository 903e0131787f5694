"""One iteration of a study: discounted regret minimization (Brown and Sandholm 2019) over vectors of hands, a deal at a time.

A street's betting is walked three times: down, where reaches are spread by the strategies; over its ends, eight of them at once, as
the lanes of a processor's vectors; and up, where values meet and regrets are learned. What a hand gets at an end is found for all
hands together in the order of their strength: what the other holds below it, less what shares a card with it (inclusion and
exclusion), so that n hands cost n steps and not n * n.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from outplay.jit import always_inlined, called, f32, inlined, kernel

LANES = 8
LEARN, BEST, MEAN = 0, 1, 2
"""What a walk is for: to learn; the best answer to the other's average strategy; what the averages are worth to each other."""
WHOLE16 = 32767.0


class Store(NamedTuple):
    """What a seat has learned: a vector of hands for each action, as numbers of 32 bits or as ones of 16 with a scale a vector."""

    regrets: np.ndarray
    sums: np.ndarray
    regrets16: np.ndarray
    sums16: np.ndarray
    regret_scales: np.ndarray
    sum_scales: np.ndarray


class Room(NamedTuple):
    """What a thread works in, for one street."""

    own: np.ndarray  # [slot, hand]: how likely the seat that learns plays so
    other: np.ndarray  # [slot, hand]: and the other seat
    share: np.ndarray  # [row, hand]: the strategy of the seat that learns
    value: np.ndarray  # [node, hand]
    line: np.ndarray  # [hand]
    theirs: np.ndarray  # [hand, lane]
    mine: np.ndarray  # [hand, lane]
    cards: np.ndarray  # [card, lane]


class Place(NamedTuple):
    """Where a forest's vectors of a seat begin: its first number, and its first vector."""

    at: int
    row: int


# ---------------------------------------------------------------- what is stored


@inlined
def fetch(wide: Any, narrow: Any, scales: Any, at: Any, row: Any, out: Any, hands: Any) -> None:
    """A vector as it is stored, in numbers of 32 bits."""
    if len(narrow) == 0:
        source = wide[at : at + hands]
        for h in range(hands):
            out[h] = source[h]
    else:
        small, scale = narrow[at : at + hands], scales[row]
        for h in range(hands):
            out[h] = f32(small[h]) * scale


@inlined
def keep(wide: Any, narrow: Any, scales: Any, at: Any, row: Any, vector: Any, hands: Any) -> None:
    """Store a vector."""
    if len(narrow) == 0:
        target = wide[at : at + hands]
        for h in range(hands):
            target[h] = vector[h]
    else:
        most = f32(0.0)
        for h in range(hands):
            most = max(most, abs(vector[h]))
        small = narrow[at : at + hands]
        scales[row] = most / f32(WHOLE16)
        inverse = f32(WHOLE16) / most if most > f32(0.0) else f32(0.0)
        for h in range(hands):
            scaled = vector[h] * inverse
            small[h] = np.int16(scaled + (f32(0.5) if scaled >= f32(0.0) else f32(-0.5)))


@inlined
def mix(mode: Any, store: Any, at: Any, row: Any, count: Any, hands: Any, shares: Any, begin: Any, line: Any) -> None:
    """The strategy of a node into `shares[begin:begin + count]`: by its regrets, or on average."""
    for h in range(hands):
        line[h] = f32(0.0)
    for k in range(count):
        out = shares[begin + k]
        if mode == 0:
            fetch(store.regrets, store.regrets16, store.regret_scales, at + k * hands, row + k, out, hands)
        else:
            fetch(store.sums, store.sums16, store.sum_scales, at + k * hands, row + k, out, hands)
        for h in range(hands):
            positive = max(out[h], f32(0.0))
            out[h] = positive
            line[h] += positive
    even = f32(1.0) / f32(count)
    for h in range(hands):
        line[h] = f32(1.0) / line[h] if line[h] > f32(1e-30) else f32(0.0)
    for k in range(count):
        out = shares[begin + k]
        for h in range(hands):
            out[h] = out[h] * line[h] if line[h] > f32(0.0) else even


@inlined
@called
def spread(mode: Any, me: Any, forest: Any, mine: Any, theirs: Any, place: Any, other: Any, hands: Any, others: Any,
           room: Any) -> None:
    """Down: how likely either comes to each node."""
    for node in range(len(forest.kind)):
        if forest.kind[node] != 0:
            continue
        first, count, row = forest.first[node], forest.count[node], forest.row[node]
        seat = forest.player[node]
        if seat != me:
            begin = forest.slot[seat, first]
            mix(mode, theirs, other.at + row * others, other.row + row, count, others, room.other, begin, room.line)
            above = room.other[forest.slot[seat, node]]
            for k in range(count):
                out = room.other[begin + k]
                for h in range(others):
                    out[h] *= above[h]
        elif mode != 1:
            mix(mode, mine, place.at + row * hands, place.row + row, count, hands, room.share, row, room.line)
            if mode == 0:
                begin = forest.slot[seat, first]
                above = room.own[forest.slot[seat, node]]
                for k in range(count):
                    share, out = room.share[row + k], room.own[begin + k]
                    for h in range(hands):
                        out[h] = above[h] * share[h]


@inlined
@called
def gather(mode: Any, me: Any, forest: Any, mine: Any, place: Any, hands: Any, room: Any, fades: Any) -> None:
    """Up: what each node is worth to each hand; regrets are learned on the way."""
    line = room.line
    for back in range(len(forest.kind)):
        node = len(forest.kind) - 1 - back
        if forest.kind[node] != 0:
            continue
        first, count, value = forest.first[node], forest.count[node], room.value[node]
        if forest.player[node] != me:
            for h in range(hands):
                value[h] = f32(0.0)
            for k in range(count):
                below = room.value[first + k]
                for h in range(hands):
                    value[h] += below[h]
            continue
        if mode == 1:
            for h in range(hands):
                value[h] = room.value[first, h]
            for k in range(1, count):
                below = room.value[first + k]
                for h in range(hands):
                    value[h] = max(value[h], below[h])
            continue
        row = forest.row[node]
        for h in range(hands):
            value[h] = f32(0.0)
        for k in range(count):
            below, share = room.value[first + k], room.share[row + k]
            for h in range(hands):
                value[h] += below[h] * share[h]
        if mode == 0:
            reach = room.own[forest.slot[me, node]]
            up, down, sum_fade = fades[0], fades[1], fades[2]
            for k in range(count):
                below, share = room.value[first + k], room.share[row + k]
                at, vector = place.at + (row + k) * hands, place.row + row + k
                fetch(mine.regrets, mine.regrets16, mine.regret_scales, at, vector, line, hands)
                for h in range(hands):
                    line[h] = line[h] * (up if line[h] > f32(0.0) else down) + below[h] - value[h]
                keep(mine.regrets, mine.regrets16, mine.regret_scales, at, vector, line, hands)
                fetch(mine.sums, mine.sums16, mine.sum_scales, at, vector, line, hands)
                for h in range(hands):
                    line[h] = line[h] * sum_fade + reach[h] * share[h]
                keep(mine.sums, mine.sums16, mine.sum_scales, at, vector, line, hands)


# ---------------------------------------------------------------- ends, eight at once


@always_inlined
def pack(nodes: Any, begin: Any, slots: Any, room: Any, others: Any) -> Any:
    """The other's reaches of eight ends as lanes, and the cards' sums at nothing."""
    lanes = min(len(nodes) - begin, 8)
    theirs, cards = room.theirs, room.cards
    for lane in range(8):
        if lane < lanes:
            source = room.other[slots[nodes[begin + lane]]]
            for j in range(others):
                theirs[j, lane] = source[j]
        else:
            for j in range(others):
                theirs[j, lane] = f32(0.0)
        theirs[others, lane] = f32(0.0)
        for card in range(52):
            cards[card, lane] = f32(0.0)
    return lanes


@always_inlined
def put8(cards: Any, c: Any, a0: Any, a1: Any, a2: Any, a3: Any, a4: Any, a5: Any, a6: Any, a7: Any) -> None:
    """Add to the sums of a card."""
    b0, b1, b2, b3 = cards[c, 0] + a0, cards[c, 1] + a1, cards[c, 2] + a2, cards[c, 3] + a3
    b4, b5, b6, b7 = cards[c, 4] + a4, cards[c, 5] + a5, cards[c, 6] + a6, cards[c, 7] + a7
    cards[c, 0], cards[c, 1], cards[c, 2], cards[c, 3] = b0, b1, b2, b3
    cards[c, 4], cards[c, 5], cards[c, 6], cards[c, 7] = b4, b5, b6, b7


@always_inlined
def unpack(nodes: Any, begin: Any, lanes: Any, me: Any, forest: Any, room: Any, hands: Any, folded: Any) -> None:
    """What the lanes found, times what is at stake, to the ends."""
    mine = room.mine
    for lane in range(lanes):
        node = nodes[begin + lane]
        out, amount = room.value[node], forest.amount[node]
        if folded and forest.player[node] == me:
            amount = -amount
        for i in range(hands):
            out[i] = mine[i, lane] * amount


@inlined
@called
def meet_folds(me: Any, forest: Any, low: Any, high: Any, same: Any, hands: Any, their_low: Any, their_high: Any, others: Any,
               room: Any) -> None:
    """Where somebody has folded: the weight of the other's hands that can be held beside each hand."""
    theirs, mine, cards = room.theirs, room.mine, room.cards
    for begin in range(0, len(forest.folds), 8):
        lanes = pack(forest.folds, begin, forest.slot[1 - me], room, others)
        s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = f32(0.0)
        for j in range(others):
            a0, a1, a2, a3 = theirs[j, 0], theirs[j, 1], theirs[j, 2], theirs[j, 3]
            a4, a5, a6, a7 = theirs[j, 4], theirs[j, 5], theirs[j, 6], theirs[j, 7]
            s0, s1, s2, s3, s4, s5, s6, s7 = s0 + a0, s1 + a1, s2 + a2, s3 + a3, s4 + a4, s5 + a5, s6 + a6, s7 + a7
            put8(cards, their_low[j], a0, a1, a2, a3, a4, a5, a6, a7)
            put8(cards, their_high[j], a0, a1, a2, a3, a4, a5, a6, a7)
        for i in range(hands):
            a, b, twin = low[i], high[i], same[i]
            d0 = s0 - cards[a, 0] - cards[b, 0] + theirs[twin, 0]
            d1 = s1 - cards[a, 1] - cards[b, 1] + theirs[twin, 1]
            d2 = s2 - cards[a, 2] - cards[b, 2] + theirs[twin, 2]
            d3 = s3 - cards[a, 3] - cards[b, 3] + theirs[twin, 3]
            d4 = s4 - cards[a, 4] - cards[b, 4] + theirs[twin, 4]
            d5 = s5 - cards[a, 5] - cards[b, 5] + theirs[twin, 5]
            d6 = s6 - cards[a, 6] - cards[b, 6] + theirs[twin, 6]
            d7 = s7 - cards[a, 7] - cards[b, 7] + theirs[twin, 7]
            mine[i, 0], mine[i, 1], mine[i, 2], mine[i, 3] = d0, d1, d2, d3
            mine[i, 4], mine[i, 5], mine[i, 6], mine[i, 7] = d4, d5, d6, d7
        unpack(forest.folds, begin, lanes, me, forest, room, hands, True)


@inlined
@called
def meet_showdowns(me: Any, forest: Any, rank: Any, low: Any, high: Any, hands: Any, their_rank: Any, their_low: Any,
                   their_high: Any, others: Any, room: Any) -> None:
    """Where hands are compared: the weight of those below each hand, less the weight of those above."""
    theirs, mine, cards = room.theirs, room.mine, room.cards
    for begin in range(0, len(forest.showdowns), 8):
        lanes = pack(forest.showdowns, begin, forest.slot[1 - me], room, others)
        s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = f32(0.0)
        j = 0
        for i in range(hands):
            while j < others and their_rank[j] < rank[i]:
                a0, a1, a2, a3 = theirs[j, 0], theirs[j, 1], theirs[j, 2], theirs[j, 3]
                a4, a5, a6, a7 = theirs[j, 4], theirs[j, 5], theirs[j, 6], theirs[j, 7]
                s0, s1, s2, s3, s4, s5, s6, s7 = s0 + a0, s1 + a1, s2 + a2, s3 + a3, s4 + a4, s5 + a5, s6 + a6, s7 + a7
                put8(cards, their_low[j], a0, a1, a2, a3, a4, a5, a6, a7)
                put8(cards, their_high[j], a0, a1, a2, a3, a4, a5, a6, a7)
                j += 1
            a, b = low[i], high[i]
            d0, d1 = s0 - cards[a, 0] - cards[b, 0], s1 - cards[a, 1] - cards[b, 1]
            d2, d3 = s2 - cards[a, 2] - cards[b, 2], s3 - cards[a, 3] - cards[b, 3]
            d4, d5 = s4 - cards[a, 4] - cards[b, 4], s5 - cards[a, 5] - cards[b, 5]
            d6, d7 = s6 - cards[a, 6] - cards[b, 6], s7 - cards[a, 7] - cards[b, 7]
            mine[i, 0], mine[i, 1], mine[i, 2], mine[i, 3] = d0, d1, d2, d3
            mine[i, 4], mine[i, 5], mine[i, 6], mine[i, 7] = d4, d5, d6, d7
        for card in range(52):
            for lane in range(8):
                cards[card, lane] = f32(0.0)
        s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = f32(0.0)
        j = others - 1
        for back in range(hands):
            i = hands - 1 - back
            while j >= 0 and their_rank[j] > rank[i]:
                a0, a1, a2, a3 = theirs[j, 0], theirs[j, 1], theirs[j, 2], theirs[j, 3]
                a4, a5, a6, a7 = theirs[j, 4], theirs[j, 5], theirs[j, 6], theirs[j, 7]
                s0, s1, s2, s3, s4, s5, s6, s7 = s0 + a0, s1 + a1, s2 + a2, s3 + a3, s4 + a4, s5 + a5, s6 + a6, s7 + a7
                put8(cards, their_low[j], a0, a1, a2, a3, a4, a5, a6, a7)
                put8(cards, their_high[j], a0, a1, a2, a3, a4, a5, a6, a7)
                j -= 1
            a, b = low[i], high[i]
            d0, d1 = mine[i, 0] - (s0 - cards[a, 0] - cards[b, 0]), mine[i, 1] - (s1 - cards[a, 1] - cards[b, 1])
            d2, d3 = mine[i, 2] - (s2 - cards[a, 2] - cards[b, 2]), mine[i, 3] - (s3 - cards[a, 3] - cards[b, 3])
            d4, d5 = mine[i, 4] - (s4 - cards[a, 4] - cards[b, 4]), mine[i, 5] - (s5 - cards[a, 5] - cards[b, 5])
            d6, d7 = mine[i, 6] - (s6 - cards[a, 6] - cards[b, 6]), mine[i, 7] - (s7 - cards[a, 7] - cards[b, 7])
            mine[i, 0], mine[i, 1], mine[i, 2], mine[i, 3] = d0, d1, d2, d3
            mine[i, 4], mine[i, 5], mine[i, 6], mine[i, 7] = d4, d5, d6, d7
        unpack(forest.showdowns, begin, lanes, me, forest, room, hands, False)


# ---------------------------------------------------------------- streets


@inlined
@called
def walk_river(mode: Any, me: Any, forest: Any, mine: Any, theirs: Any, place: Any, other: Any, field: Any, their_field: Any,
               board: Any, room: Any, fades: Any) -> None:
    """A river's betting on one board, its hands in the order of their strength; the roots' reaches are given."""
    hands, others = field.live[board], their_field.live[board]
    low, high = field.low[board], field.high[board]
    their_low, their_high = their_field.low[board], their_field.high[board]
    spread(mode, me, forest, mine, theirs, place, other, hands, others, room)
    meet_folds(me, forest, low, high, field.same[board], hands, their_low, their_high, others, room)
    meet_showdowns(me, forest, field.rank[board], low, high, hands, their_field.rank[board], their_low, their_high, others, room)
    gather(mode, me, forest, mine, place, hands, room, fades)


@inlined
@called
def deal_river(mode: Any, me: Any, deals: Any, slots: Any, above: Any, room: Any, field: Any, their_field: Any, board: Any) -> None:
    """The reaches of a river's roots from those of the street before, in the order of its hands."""
    order, others = field.order[board], their_field.order[board]
    for k in range(len(deals)):
        source, out = above.other[slots[1 - me, deals[k]]], room.other[k]
        for j in range(their_field.live[board]):
            out[j] = source[others[j]]
        if mode == 0:
            reach, own = above.own[slots[me, deals[k]]], room.own[k]
            for i in range(field.live[board]):
                own[i] = reach[order[i]]


@inlined
@called
def take_river(deals: Any, above: Any, room: Any, field: Any, board: Any, copies: Any, swapped: Any, part: Any) -> None:
    """Add a river's values to those of the street before, once for itself and once for each copy in other suits."""
    order = field.order[board]
    for k in range(len(deals)):
        value, out = room.value[k], above.value[deals[k]]
        for i in range(field.live[board]):
            out[order[i]] += value[i] * part
        for c in range(len(copies)):
            if copies[c] >= 0:
                moved = swapped[copies[c]]
                for i in range(field.live[board]):
                    out[moved[order[i]]] += value[i] * part


@kernel
def play_river(mode: Any, me: Any, forest: Any, mine: Any, theirs: Any, place: Any, other: Any, field: Any, their_field: Any,
               board: Any, room: Any, fades: Any) -> None:
    """A study of the river alone, or the look at one river of a larger one."""
    walk_river(mode, me, forest, mine, theirs, place, other, field, their_field, board, room, fades)


@kernel
def play_turn(mode: Any, me: Any, forest: Any, below: Any, mine: Any, theirs: Any, place: Any, other: Any, places: Any,
              vectors: Any, boards: Any, copies: Any, swapped: Any, hands: Any, their_hands: Any, field: Any, their_field: Any,
              room: Any, river: Any, fades: Any) -> None:
    """A turn's betting after one way to come there and one card, with all rivers; the root's reaches are given.

    `places` and `vectors` say for each river and seat where its numbers and vectors begin, `boards` its number, `copies` which
    swaps of suits make the rivers that follow from it.
    """
    count, others = len(hands.low), len(their_hands.low)
    spread(mode, me, forest, mine, theirs, place, other, count, others, room)
    meet_folds(me, forest, hands.low, hands.high, hands.same, count, their_hands.low, their_hands.high, others, room)
    for k in range(len(forest.deals)):
        out = room.value[forest.deals[k]]
        for h in range(count):
            out[h] = f32(0.0)
    part = f32(1.0 / 44.0)
    if len(forest.deals) > 0:
        for r in range(len(boards)):
            deal_river(mode, me, forest.deals, forest.slot, room, river, field, their_field, boards[r])
            walk_river(mode, me, below, mine, theirs, Place(places[r, me], vectors[r, me]),
                       Place(places[r, 1 - me], vectors[r, 1 - me]), field, their_field, boards[r], river, fades)
            take_river(forest.deals, room, river, field, boards[r], copies[r], swapped, part)
    gather(mode, me, forest, mine, place, count, room, fades)


@kernel
def go_down(mode: Any, me: Any, forest: Any, mine: Any, theirs: Any, place: Any, other: Any, hands: Any, their_hands: Any,
            room: Any) -> None:
    """The flop's betting, down to its deals."""
    count, others = len(hands.low), len(their_hands.low)
    spread(mode, me, forest, mine, theirs, place, other, count, others, room)
    meet_folds(me, forest, hands.low, hands.high, hands.same, count, their_hands.low, their_hands.high, others, room)


@kernel
def go_up(mode: Any, me: Any, forest: Any, mine: Any, place: Any, hands: Any, room: Any, fades: Any) -> None:
    """The flop's betting, up from its deals."""
    gather(mode, me, forest, mine, place, len(hands.low), room, fades)


@kernel
def narrow(wide: Any, lengths: Any, out: Any, scales: Any) -> None:
    """Vectors of 32 bits, one after the other, as ones of 16."""
    at, none = 0, wide[0:0]
    for row in range(len(lengths)):
        keep(none, out, scales, at, row, wide[at : at + lengths[row]], lengths[row])
        at += lengths[row]
