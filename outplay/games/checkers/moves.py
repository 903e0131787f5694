"""The moves: steps, slides and chains of jumps, for all relatives of the game by a few switches.

A move is one number: bits 0-5 the square it leaves, 6-11 where it ends, 12-55 the men taken (less the row nearest the player,
where nobody can be jumped), 56-61 which of several ways with the same effect, 62 whether a man is crowned. Where captures also go
along rows and columns (Frisian), men can be taken everywhere: bits 12-61 are the fifty squares then. A chain is looked for without
recursion and without memory: the way back is kept in the bits of three words, eight or nine for each jump (direction, squares
before the man that is taken, squares behind it), enough for 24 or 21 jumps.
"""

from functools import cache
from types import SimpleNamespace

from outplay.games.checkers.boards import NONE, ONE, boards
from outplay.jit import i64, lowest, popcount, u64

SQUARE, TO, TAKEN, WAY, CROWN = 63, 6, 12, 56, 62
WAYS = 63 << WAY
EFFECT = ~WAYS  # all of a move but which way


@cache
def taking(size, straight):
    """How the men that a move takes are written into its number, and read from it."""
    below, inner = u64(size // 2), u64((1 << 44) - 1)
    period = size + 1  # bits of two rows, the last one free
    pairs = tuple((u64(((1 << size) - 1) << period * pair), u64(pair)) for pair in range(size // 2))

    def pack(taken):
        """The men taken as bits of a move's number."""
        if not straight:
            return i64(taken >> below) << TAKEN
        word = NONE
        for mask, pair in pairs:
            word |= (taken & mask) >> pair
        return i64(word) << TAKEN

    def unpack(action):
        """The men that a move takes, as a board."""
        word = u64(action) >> u64(TAKEN)
        if not straight:
            return (word & inner) << below
        taken = NONE
        for mask, pair in pairs:
            taken |= (word << pair) & mask
        return taken

    return SimpleNamespace(pack=pack, unpack=unpack)


@cache
def moves(size, flying, backward, rule, last_row_rule, men_take_kings, straight, most):
    """The functions that list moves, for one set of switches.

    rule: "any" capture, the "most" men, "italian" or "spanish" quality, the highest "value" (Frisian: a king is worth a little more
    than a man and a half, and takes where a man could take as much), "kings" first (Czech). last_row_rule: a chain that reaches the
    last row "stops" there, goes on as a "man", or at once as a "king". straight: captures go along rows and columns, too.
    """
    tools = boards(size)
    pack = taking(size, straight).pack
    board, last_row, step, near_jumpers, slant, fall = (
        tools.board, tools.last_row, tools.step, tools.near_jumpers, tools.slant, tools.fall,
    )  # fmt: skip
    straight_jumpers = tools.straight_jumpers
    counts_men = rule in ("most", "italian", "spanish")
    by_italian, by_spanish, by_value, kings_first = rule == "italian", rule == "spanish", rule == "value", rule == "kings"
    must_go_on = flying and not counts_men and not by_value  # a king must land where it can go on taking, if it can at all
    stops, crowns_at_once = last_row_rule == "stops", last_row_rule == "king"
    ways_apart = not flying
    effect = EFFECT if not straight else -1
    all_ways = 8 if straight else 4
    turn_bits = 3 if straight else 2  # of a direction
    width, carried = u64(turn_bits + 6), u64(58 - turn_bits)
    turns, before_at, after_at, seven = u64((1 << turn_bits) - 1), u64(turn_bits), u64(turn_bits + 3), u64(7)

    def can_jump(at, empty, prey, flies, directions):
        """Whether what stands on one square can take something."""
        for direction in range(directions):
            hit = step(at, direction)
            if flies:
                while hit & empty != NONE:
                    hit = step(hit, direction)
            if hit & prey != NONE and step(hit, direction) & empty != NONE:
                return True
        return False

    def jumpers(mine, theirs, kings):
        """The men and kings that can take something."""
        empty = board & ~(mine | theirs)
        prey = theirs if men_take_kings else theirs & ~kings
        found = near_jumpers(mine & ~kings, prey, empty, backward) | near_jumpers(mine & kings, theirs, empty, True)
        if straight:
            found |= straight_jumpers(mine, theirs, empty)
        if flying:
            rest = mine & kings & ~found
            while rest != NONE:
                at = rest & (NONE - rest)
                rest ^= at
                if can_jump(at, empty, theirs, True, all_ways):
                    found |= at
        return found

    def chains(mine, theirs, kings, start, out, listed, best):
        """Add all captures of one man to `out`, or begin a new list where they are better; returns how many, and how good."""
        count = listed
        royal = kings & start != NONE
        prey = theirs if men_take_kings or royal else theirs & ~kings
        empty = (board & ~(mine | theirs)) | start
        at, taken = start, NONE
        near, middle, far = NONE, NONE, NONE  # the way back
        direction, after, depth, crowned_at, early = i64(0), i64(1), i64(0), i64(0), i64(0)
        is_new = False
        while True:
            flies = flying and royal
            directions = all_ways if royal or backward else 2
            hit, land, before, found = NONE, NONE, i64(1), False
            while direction < directions:
                hit = step(at, direction)
                before = i64(1)
                if flies:
                    while hit & empty != NONE:
                        hit = step(hit, direction)
                        before += 1
                if hit & prey & ~taken != NONE:
                    land = hit
                    for _ in range(after):
                        land = step(land, direction)
                    if land & empty != NONE:
                        found = True
                        break
                direction += 1
                after = i64(1)
            if found:
                far = (far << width) | (middle >> carried)
                middle = (middle << width) | (near >> carried)
                near = (near << width) | u64(direction) | (u64(before - 1) << before_at) | (u64(after - 1) << after_at)
                at, taken = land, taken | hit
                depth += 1
                if by_italian and hit & kings != NONE:
                    early |= i64(1) << (12 - depth)
                is_new, direction, after = True, i64(0), i64(1)
                if not royal and land & last_row != NONE:
                    if stops:
                        direction = i64(all_ways)
                    elif crowns_at_once:
                        royal, crowned_at = True, depth
                continue
            if is_new:
                is_whole = True
                if must_go_on and royal and crowned_at != depth:
                    way = i64(near & turns)
                    landing = at
                    for _ in range(i64((near >> after_at) & seven) + 1):
                        landing = step(landing, way ^ 2)
                    landing = step(landing, way)
                    while landing & empty != NONE and is_whole:
                        if can_jump(landing, empty, theirs & ~taken, True, all_ways):
                            is_whole = False
                        landing = step(landing, way)
                if is_whole:
                    good = i64(0)
                    if counts_men:
                        good = depth << 20
                    if by_italian:
                        good |= (i64(royal) << 18) | (i64(popcount(taken & kings)) << 13) | early
                    if by_spanish:
                        good |= i64(popcount(taken & kings))
                    if by_value:
                        crowned_prey = i64(popcount(taken & kings))
                        good = (((2 * depth + crowned_prey) << 6 | crowned_prey) << 1) | i64(royal)
                    if kings_first:
                        good = i64(kings & start != NONE)
                    if good > best:
                        best, count = good, i64(0)
                    if good == best:
                        action = i64(lowest(start)) | (i64(lowest(at)) << TO) | pack(taken)
                        if crowned_at > 0 or (not royal and at & last_row != NONE):
                            action |= i64(1) << CROWN
                        ways = i64(0)
                        for i in range(min(count, most)):
                            if i64(out[i]) & effect == action:
                                ways += 1
                        if ways == 0 or ways_apart:
                            if count < most:
                                out[count] = action | (ways << WAY)
                            count += 1
            if depth == 0:
                return count, best
            # One jump back, and on with the next landing square or direction.
            direction = i64(near & turns)
            before, after = i64((near >> before_at) & seven) + 1, i64((near >> after_at) & seven) + 1
            near = (near >> width) | (middle << carried)
            middle = (middle >> width) | (far << carried)
            far >>= width
            if by_italian:
                early &= ~(i64(1) << (12 - depth))
            for _ in range(after):
                at = step(at, direction ^ 2)
            taken &= ~at
            for _ in range(before):
                at = step(at, direction ^ 2)
            if crowned_at == depth:
                royal, crowned_at = False, i64(0)
            depth -= 1
            is_new = False
            if flying and royal:
                after += 1
            else:
                direction += 1
                after = i64(1)

    def captures(mine, theirs, kings, from_here, out):
        """List the captures of those that can take something."""
        count, best, rest = i64(0), i64(-1), from_here
        while rest != NONE:
            start = rest & (NONE - rest)
            rest ^= start
            count, best = chains(mine, theirs, kings, start, out, count, best)
        return count

    def add_steps(targets, back, crowns, out, listed):
        """Add a step to each of the targets, from so many bits away."""
        count = listed
        while targets != NONE:
            to = i64(lowest(targets))
            action = (to - back) | (to << TO)
            if crowns and targets & (NONE - targets) & last_row != NONE:
                action |= i64(1) << CROWN
            out[count] = action
            count += 1
            targets &= targets - ONE
        return count

    def quiet(mine, theirs, kings, held, out):
        """List the moves that take nothing, but those of the king that is held back."""
        empty = board & ~(mine | theirs)
        men, own_kings = mine & ~kings, mine & kings & ~held
        left, right = i64(slant), i64(fall)
        if not flying:
            # Men and kings step forward alike; only men are crowned, and a king on its way to the last row stays what it is.
            count = add_steps((men << slant) & empty, left, True, out, i64(0))
            count = add_steps((men << fall) & empty, right, True, out, count)
            if own_kings != NONE:
                count = add_steps((own_kings << slant) & empty, left, False, out, count)
                count = add_steps((own_kings << fall) & empty, right, False, out, count)
                count = add_steps((own_kings >> slant) & empty, -left, False, out, count)
                count = add_steps((own_kings >> fall) & empty, -right, False, out, count)
            return count
        count = add_steps((men << slant) & empty, left, True, out, i64(0))
        count = add_steps((men << fall) & empty, right, True, out, count)
        while own_kings != NONE:
            start = own_kings & (NONE - own_kings)
            own_kings ^= start
            for direction in range(4):
                to = step(start, direction)
                while to & empty != NONE:
                    if count < most:
                        out[count] = i64(lowest(start)) | (i64(lowest(to)) << TO)
                    count += 1
                    to = step(to, direction)
        return count

    def can_move(mine, theirs, kings, held):
        """Whether there is any move: a king that flies can step or jump near whenever it can move at all."""
        empty = board & ~(mine | theirs)
        free = mine & ~held
        own_kings = free & kings
        near = ((free << slant) | (free << fall) | (own_kings >> slant) | (own_kings >> fall)) & empty
        return near != NONE or jumpers(mine, theirs, kings) != NONE

    return SimpleNamespace(jumpers=jumpers, captures=captures, quiet=quiet, can_move=can_move, can_jump=can_jump)
