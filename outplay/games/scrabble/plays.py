"""Every play of a rack, with its score: from each square that touches a tile outwards, by the automaton of the word list.

Steven Gordon's algorithm (1994). What must be asked of a square in the other direction, the letters that fit and what the tiles
there are worth, the rules keep from play to play. Whoever wants the best play alone gets it without a look at most others: a bound
on what may be scored through each square comes first, and squares and tiles that cannot beat the best so far are left out.
"""

from outplay.games.scrabble.lexicon import MARKS, SEPARATOR
from outplay.jit import called, highest, i64, inlined, lowest, pointer, popcount, u64

PASS, PLACE, SWAP, ANSWER = 0, 1, 2, 3
"""The lowest two bits of an action; above them: direction (1 bit), square (8), tiles (6 each, the first lowest)."""
LIST, BEST, VALUES = 0, 1, 2
"""What `generate` does with the plays that it finds: list them, keep the best, list them with what they are worth."""
LETTERS = 0x7FFFFFE
MOST = 1 << 18
"""Two blanks were seen to have 67,832 plays."""
WORDS = 5
"""Of 64 squares each: enough for fifteen rows and their walls."""
FRAME, ANCHOR, NEVER = 11, 14, -(1 << 50)
AVAIL, LEAVE, BOUND, SLOTS, KINDS, BY_WORTH, TOPS, KEPT, TWINS, COUNT, MOST_WORTH, CHOICE, ALONE, WITH_ONE, SURPLUS, ANCHORS = (
    0, 128, 256, 512, 540, 548, 556, 564, 572, 573, 574, 575, 576, 577, 604, 732)  # fmt: skip
STACK = ANCHORS + 450 * ANCHOR
SCRATCH = STACK + 800 * FRAME
"""Room at the end of `out`. By used tiles, a bit each: letters left, the worth of what is kept, what may be reached (with SHORT: by
less than the whole rack). Then tiles by letter, letters by tile, and those by worth; what the dearest so many score; the most that
so many used tiles leave; which tiles are followed by an equal one; what was found; which letters of a blank may make the whole
rack a word, alone and with each other letter; by used tiles, what those and the kept ones add to a bound; squares to start from,
and a stack."""
SHORT = 128
"""A bit beside those of the used tiles: a blank has become a letter with which the whole rack makes no word."""
ANY = 1
"""A bit beside those of letters: the rack has no blank, and its tiles may all make a word as they are."""


@inlined
def tiles_for(letters, available):
    """The tiles that may be one of these letters: the letter's own, and 32 higher the blank."""
    found = letters & available
    if available & 1:
        found |= letters << 32
    return found


@inlined
def push(room, top, candidates, node, at, leftwards, used, tiles, laid, main, times, cross, first):
    """A square to fill with each of the candidates."""
    room[top], room[top + 1], room[top + 2], room[top + 3] = candidates, node, at, leftwards
    room[top + 4], room[top + 5], room[top + 6], room[top + 7] = used, tiles, laid, main
    room[top + 8], room[top + 9], room[top + 10] = times, cross, first


@inlined
def beyond(squares, place, step):
    """The first square without a tile, on from here."""
    while squares[place] > 0:
        place += step
    return place


@inlined
def mark(marks, row, place):
    """Set a square's bit."""
    marks[row, place >> 6] |= i64(1) << (place & 63)


def plays_on(size, star, rack_size, bonus, worth, letter_times, word_times, steps, whole_racks):
    """The methods that list plays on a board: a class for the rules to inherit from."""
    stride = size + 1
    cells = (size + 2) * stride + 1
    scratch = MOST - SCRATCH

    class Plays:
        def prepare(self, out):
            """Lay the rack of the player to move out in slots; what is left and kept is told by which slots are used."""
            slot, twins = 0, 0
            for k in range(27):
                mask = 0
                for _ in range(self.racks[self.turn, k]):
                    if mask != 0:
                        twins |= 1 << (slot - 1)
                    mask |= 1 << slot
                    out[scratch + KINDS + slot] = k
                    slot += 1
                out[scratch + SLOTS + k] = mask
            out[scratch + TWINS] = twins
            whole = (1 << slot) - 1
            out[scratch + AVAIL + whole] = 0
            out[scratch + LEAVE + whole] = 0
            for kept in range(1, 1 << slot):
                kind = out[scratch + KINDS + lowest(kept)]
                out[scratch + AVAIL + (whole ^ kept)] = out[scratch + AVAIL + (whole ^ (kept & (kept - 1)))] | (1 << kind)
                out[scratch + LEAVE + (whole ^ kept)] = 0
            return slot

        def is_canonical(self, out, used):
            """Whether of equal tiles the last ones are used; after `prepare`."""
            return used & ~(used >> 1) & out[scratch + TWINS] == 0

        def generate(self, out, values, mode, bluff):
            """Every play of the player to move, after `prepare`; how many, or with BEST the action. `bluff`: any crossing words."""
            squares, beside, room = pointer(self.squares), pointer(self.beside), pointer(out)
            room[scratch + COUNT], room[scratch + MOST_WORTH], room[scratch + CHOICE] = 0, NEVER, -1
            if mode == BEST:
                self.rank(out)
            is_first = squares[star] == 0
            top = i64(scratch + ANCHORS)
            for direction in range(2):
                step = 1 if direction == 0 else stride
                for line in range(size):
                    start = (line + 1) * stride + 1 if direction == 0 else stride + line + 1
                    barrier = -1
                    for anchor in range(size):
                        place = start + anchor * step
                        if squares[place] != 0:
                            continue
                        if is_first:
                            if place != star:
                                continue
                        elif beside[place] < 0 and beside[cells + place] < 0:
                            continue
                        if mode == BEST:
                            top = self.bound(out, top, direction, line, anchor, barrier + 1)
                        else:
                            self.through(out, values, mode, bluff, direction, line, anchor, barrier + 1, i64(LETTERS))
                        barrier = anchor
            if mode != BEST:
                return room[scratch + COUNT]
            while True:
                best, chosen = room[scratch + MOST_WORTH], i64(-1)
                for at in range(scratch + ANCHORS, top, ANCHOR):
                    if room[at] > best or (room[at] == best and best > NEVER):
                        best, chosen = room[at], i64(at)
                if chosen < 0:
                    break
                room[chosen] = NEVER
                self.reach(out, chosen)
                self.through(out, values, mode, bluff, room[chosen + 1], room[chosen + 2], room[chosen + 3], room[chosen + 4],
                             room[chosen + 13])
            room[1] = room[scratch + MOST_WORTH]
            return room[scratch + CHOICE]

        def rank(self, out):
            """The tiles of the rack by worth, and the most that can be kept when so many are used; after `prepare`."""
            total = i64(self.held[self.turn])
            for slot in range(total):
                kind = i64(out[scratch + KINDS + slot])
                at = slot
                while at > 0 and worth[out[scratch + BY_WORTH + at - 1]] < worth[kind]:
                    out[scratch + BY_WORTH + at] = out[scratch + BY_WORTH + at - 1]
                    at -= 1
                out[scratch + BY_WORTH + at] = kind
            out[scratch + TOPS] = 0
            for slot in range(total):
                out[scratch + TOPS + slot + 1] = out[scratch + TOPS + slot] + worth[out[scratch + BY_WORTH + slot]]
                out[scratch + KEPT + slot + 1] = NEVER
            # What is kept, less what the used tiles are worth below the dearest so many: each counts at least once.
            out[scratch + SURPLUS] = 0
            for used in range(1, 1 << total):
                before = used & (used - 1)
                out[scratch + SURPLUS + used] = out[scratch + SURPLUS + before] + worth[out[scratch + KINDS + lowest(used)]]
            for used in range(1, 1 << total):
                number = popcount(used)
                surplus = i64(NEVER)
                if self.is_canonical(out, used):
                    surplus = 1000 * (out[scratch + SURPLUS + used] - out[scratch + TOPS + number]) + out[scratch + LEAVE + used]
                out[scratch + SURPLUS + used] = surplus
                out[scratch + KEPT + number] = max(out[scratch + KEPT + number], surplus)
            if total == rack_size:
                self.try_whole(out)

        def try_whole(self, out):
            """With which letters of a blank all tiles of a full rack may be a word, alone and with each letter of the board."""
            mark = u64(0)
            blanks = i64(self.racks[self.turn, 0])
            for slot in range(rack_size):
                if out[scratch + KINDS + slot] > 0:
                    mark += MARKS[out[scratch + KINDS + slot]]
            for other in range(27):  # the first of them is none
                out[scratch + WITH_ONE + other] = self.whole_with(mark + MARKS[other], blanks)
            out[scratch + ALONE] = out[scratch + WITH_ONE]

        def whole_with(self, mark, blanks):
            """The letters of a blank that may make these a word of a rackful or more, a bit each; ANY where there is no blank."""
            if blanks == 0:
                return self.is_whole(mark)
            found = i64(0)
            for one in range(1, 27):
                if blanks == 1:
                    found |= self.is_whole(mark + MARKS[one]) << one
                else:
                    for two in range(one, 27):
                        if self.is_whole(mark + MARKS[one] + MARKS[two]) != 0:
                            found |= (i64(1) << one) | (i64(1) << two)
            return found

        def is_whole(self, mark):
            """1 where letters may be all those of a word of a rackful or more: a few others look the same."""
            bits = whole_racks[i64(mark >> u64(48))]
            return i64((bits >> ((mark >> u64(42)) & u64(63))) & (bits >> ((mark >> u64(36)) & u64(63))) & u64(1))

        @called
        def may_be_whole(self, out, mark):
            """The letters of a blank, or ANY, with which a full rack and tiles of the board that have this mark may make a word."""
            blanks = i64(self.racks[self.turn, 0])
            if blanks > 1:
                return i64(LETTERS)  # too many letters to try
            for slot in range(rack_size):
                if out[scratch + KINDS + slot] > 0:
                    mark += MARKS[out[scratch + KINDS + slot]]
            return self.whole_with(mark, blanks)

        @called
        def bound(self, out, top, direction, line, anchor, low):
            """Note a square to start from, if anything may be laid there, and the most that so many tiles through it may score."""
            squares, fits, beside, room = pointer(self.squares), pointer(self.fits), pointer(self.beside), pointer(out)
            total, have = i64(self.held[self.turn]), i64(room[scratch + AVAIL])
            step = 1 if direction == 0 else stride
            start = (line + 1) * stride + 1 if direction == 0 else stride + line + 1
            shift = direction * cells
            for number in range(1, total + 1):
                room[top + 5 + number] = NEVER
            whole = i64(0)
            # to the left: tiles laid, the worth of those that lie there, factors of words and letters, points of crossing words
            laid, base, times, doubles, triples, cross = i64(0), i64(0), i64(1), i64(0), i64(0), i64(0)
            lying, code, marked = i64(0), i64(0), u64(0)  # of the board's tiles: how many, the last one's letter, their mark
            at = start + anchor * step
            while True:
                letters = tiles_for(i64(fits[shift + at]), have)
                if letters == 0:
                    break
                laid += 1
                times *= word_times[at]
                doubles += letter_times[at] == 2
                triples += letter_times[at] == 3
                if beside[shift + at] >= 0:
                    cross += (i64(beside[shift + at]) + letter_times[at] * self.dearest(room, letters, total)) * word_times[at]
                at -= step
                while squares[at] > 0:
                    base += worth[squares[at]]
                    lying += 1
                    code = i64(squares[at]) & 31
                    marked += MARKS[code]
                    at -= step
                # and from the anchor to the right
                to = start + (anchor + 1) * step
                number, here, factor, two, three, other = laid, base, times, doubles, triples, cross
                there, letter, along = lying, code, marked
                while True:
                    while squares[to] > 0:
                        here += worth[squares[to]]
                        there += 1
                        letter = i64(squares[to]) & 31
                        along += MARKS[letter]
                        to += step
                    score = room[scratch + TOPS + number] + room[scratch + TOPS + min(three, total)]
                    score = factor * (here + score + room[scratch + TOPS + min(two + three, total)]) + other
                    possible = i64(ANY)
                    if number == rack_size:
                        score += bonus
                        if there == 0:
                            possible = room[scratch + ALONE]
                        elif there == 1:
                            possible = room[scratch + WITH_ONE + letter]
                        else:
                            possible = self.may_be_whole(out, along)
                        whole |= possible
                    if possible != 0:
                        room[top + 5 + number] = max(room[top + 5 + number], 1000 * score)
                    if number == total or squares[to] != 0:
                        break
                    letters = tiles_for(i64(fits[shift + to]), have)
                    if letters == 0:
                        break
                    number += 1
                    factor *= word_times[to]
                    two += letter_times[to] == 2
                    three += letter_times[to] == 3
                    if beside[shift + to] >= 0:
                        other += (i64(beside[shift + to]) + letter_times[to] * self.dearest(room, letters, total)) * word_times[to]
                    to += step
                if laid == total or squares[at] != 0 or (at - start) // step < low:
                    break
            most = i64(NEVER)
            for number in range(1, total + 1):
                if room[top + 5 + number] > NEVER:
                    most = max(most, room[top + 5 + number] + room[scratch + KEPT + number])
            if most == NEVER:
                return top
            room[top], room[top + 1], room[top + 2], room[top + 3], room[top + 4] = most, direction, line, anchor, low
            room[top + 13] = whole
            return top + ANCHOR

        def dearest(self, room, letters, total):
            """What the dearest tile that fits is worth."""
            for slot in range(total):
                kind = i64(room[scratch + BY_WORTH + slot])
                if (letters >> kind) & 1:
                    return worth[kind]
            return worth[0]

        def reach(self, out, chosen):
            """By the tiles that are used, the most that a play through a square may be worth which uses these and perhaps more."""
            room = pointer(out)
            total = i64(self.held[self.turn])
            room[scratch + BOUND] = NEVER
            for used in range(1, 1 << total):
                room[scratch + BOUND + used] = room[chosen + 5 + popcount(used)] + room[scratch + SURPLUS + used]
            last = i64(scratch + BOUND)
            if self.racks[self.turn, 0] > 0:  # the same for less than the whole rack
                last += SHORT
                for used in range(1 << total):
                    room[last + used] = room[scratch + BOUND + used]
                if total == rack_size:
                    room[last + (1 << total) - 1] = NEVER
            for table in range(scratch + BOUND, last + 1, SHORT):
                for slot in range(total):  # in runs of neighbours, which the processor takes several at a time
                    bit = 1 << slot
                    for first in range(0, 1 << total, 2 * bit):
                        for used in range(table + first, table + first + bit):
                            room[used] = max(room[used], room[used + bit])

        @called
        def through(self, out, values, mode, bluff, direction, line, anchor, low, whole):
            """Every play whose first square next to a tile is this one: to the front of the word first, then to its end.

            `whole` are the letters of a blank with which all tiles of a full rack may be laid.

            A frame on the stack is a square to fill; all its letters are tried at once, and what may follow becomes further frames.
            """
            squares, fits, beside, room = pointer(self.squares), pointer(self.fits), pointer(self.beside), pointer(out)
            shift = direction * cells
            step = 1 if direction == 0 else stride
            start = (line + 1) * stride + 1 if direction == 0 else stride + line + 1
            count, best, choice = room[scratch + COUNT], room[scratch + MOST_WORTH], room[scratch + CHOICE]
            place = start + anchor * step
            behind = i64(squares[place + step])
            behind_fits = i64(LETTERS) if bluff else i64(fits[shift + place + step])
            letters = i64(steps[4]) & (i64(LETTERS) if bluff else i64(fits[shift + place]))
            candidates = tiles_for(letters, room[scratch + AVAIL])
            top = i64(scratch + STACK)
            push(room, top, candidates, 1, anchor, 1, 0, 0, 0, 0, 1, 0, anchor)
            while top >= scratch + STACK:
                candidates, node, at, leftwards, used, tiles = (
                    room[top], room[top + 1], room[top + 2], room[top + 3], room[top + 4], room[top + 5])  # fmt: skip
                laid, main, times, cross, first = room[top + 6] + 1, room[top + 7], room[top + 8], room[top + 9], room[top + 10]
                top -= FRAME
                place = start + at * step
                letter_factor, word_factor = letter_times[place], word_times[place]
                times *= word_factor
                near = i64(beside[shift + place])
                mask, end_mask, branch = i64(steps[4 * node]), i64(steps[4 * node + 1]), i64(steps[4 * node + 2])
                way = -1 if leftwards else 1
                beyond = i64(squares[place + way * step])
                if leftwards:
                    first = at
                while candidates != 0:
                    tile = lowest(candidates)
                    candidates &= candidates - 1
                    letter = tile & 31
                    slots = room[scratch + SLOTS + (letter if tile < 32 else 0)] & ~used
                    now_used = used | (i64(1) << highest(slots))  # what is kept are the first of equal tiles
                    if mode == BEST:
                        if tile >= 32 and (whole >> letter) & 1 == 0:
                            now_used |= SHORT
                        if room[scratch + BOUND + now_used] < best:
                            continue
                    points = worth[tile] * letter_factor
                    total = main + points
                    crossing = cross
                    if near >= 0:
                        crossing += (near + points) * word_factor
                    child = branch + popcount(mask & ((i64(1) << letter) - 1))
                    ends = (end_mask >> letter) & 1
                    available = room[scratch + AVAIL + (now_used & (SHORT - 1))]
                    code, to = beyond, at + way
                    while code > 0:  # over the tiles that lie there
                        total += worth[code]
                        code &= 31
                        here = i64(steps[4 * child])
                        if (here >> code) & 1 == 0:
                            break
                        ends = (i64(steps[4 * child + 1]) >> code) & 1
                        child = i64(steps[4 * child + 2]) + popcount(here & ((i64(1) << code) - 1))
                        to += way
                        code = i64(squares[start + to * step])
                    if code > 0:
                        continue
                    if leftwards:
                        packed = (tiles << 6) | tile
                        if code == 0 and available != 0 and to >= low:
                            letters = i64(LETTERS) if bluff else i64(fits[shift + start + to * step])
                            follow = tiles_for(i64(steps[4 * child]) & letters, available)
                            if follow != 0:
                                top += FRAME
                                push(room, top, follow, child, to, 1, now_used, packed, laid, total, times, crossing, first)
                        # the front ends here: on behind the anchor
                        code, to = behind, i64(anchor) + 1
                        if code == 0:
                            follow = tiles_for(i64(steps[4 * child + 3]) & behind_fits, available)
                            if follow != 0:
                                turned = i64(steps[4 * child + 2]) + popcount(i64(steps[4 * child])) - 1
                                top += FRAME
                                push(room, top, follow, turned, to, 0, now_used, packed, laid, total, times, crossing, first)
                            code = i64(-1)  # that was all that may follow
                        elif code > 0:
                            here = i64(steps[4 * child])
                            if (here >> SEPARATOR) & 1 == 0:
                                continue
                            child = i64(steps[4 * child + 2]) + popcount(here) - 1
                            while code > 0:
                                total += worth[code]
                                code &= 31
                                here = i64(steps[4 * child])
                                if (here >> code) & 1 == 0:
                                    break
                                ends = (i64(steps[4 * child + 1]) >> code) & 1
                                child = i64(steps[4 * child + 2]) + popcount(here & ((i64(1) << code) - 1))
                                to += 1
                                code = i64(squares[start + to * step])
                            if code > 0:
                                continue
                    else:
                        packed = tiles | (tile << (6 * (laid - 1)))
                    if code == 0 and available != 0:
                        letters = i64(LETTERS) if bluff else i64(fits[shift + start + to * step])
                        follow = tiles_for(i64(steps[4 * child]) & letters, available)
                        if follow != 0:
                            top += FRAME
                            push(room, top, follow, child, to, 0, now_used, packed, laid, total, times, crossing, first)
                    if ends == 0:
                        continue
                    if laid == 1 and direction == 1 and near >= 0:
                        continue  # one tile in two words: that was found across
                    square = line * size + first if direction == 0 else first * size + line
                    action = PLACE | (direction << 2) | (square << 3) | (packed << 11)
                    if mode == LIST:
                        if count < scratch:
                            room[count] = action
                        count += 1
                        continue
                    score = total * times + crossing + (bonus if laid == rack_size else 0)
                    value = 1000 * score + room[scratch + LEAVE + (now_used & (SHORT - 1))]
                    if mode == VALUES:
                        if count < scratch:
                            room[count] = action
                            values[count] = value
                        count += 1
                    elif value > best or (value == best and action < choice):
                        best = value
                        choice = action
            room[scratch + COUNT], room[scratch + MOST_WORTH], room[scratch + CHOICE] = count, best, choice

        @called
        def footprint(self, action, marks, row, wide):
            """Mark the squares that a play fills; `wide`: those too that would change its words or points if they were filled."""
            squares = pointer(self.squares)
            for k in range(WORDS):
                marks[row, k] = 0
            packed = action >> 11
            if packed == 0:
                return
            direction, square = (action >> 2) & 1, (action >> 3) & 255
            step, across = (1, stride) if direction == 0 else (stride, 1)
            place = (square // size + 1) * stride + square % size + 1
            if wide:
                mark(marks, row, beyond(squares, place - step, -step))
            while packed != 0:
                if squares[place] == 0:
                    mark(marks, row, place)
                    if wide:
                        mark(marks, row, beyond(squares, place - across, -across))
                        mark(marks, row, beyond(squares, place + across, across))
                    packed >>= 6
                place += step
            if wide:
                mark(marks, row, beyond(squares, place, step))

        def swap_of(self, out, used, total):
            """The action that swaps the used tiles, lowest first."""
            packed, number = i64(0), i64(0)
            for slot in range(total):
                if (used >> slot) & 1:
                    k = i64(out[scratch + KINDS + slot])
                    packed |= (k if k > 0 else i64(32)) << (6 * number)
                    number += 1
            return SWAP | (packed << 11)

        def swaps(self, out, values, count, mode):
            """Add what may be swapped: every choice of tiles from the rack, each once; after `prepare`."""
            total = i64(self.held[self.turn])
            for used in range(1, 1 << total):
                if self.is_canonical(out, used):
                    if mode == VALUES:
                        values[count] = out[scratch + LEAVE + used]
                    out[count] = self.swap_of(out, used, total)
                    count += 1
            return count

    return Plays
