"""The kernels of games of tiles: the worth of what stays on a rack, games of static players, simulated deals, the exact end.

A static player takes the play of the highest equity: its score, and what the tiles that it keeps are worth (Maven's way, Brian
Sheppard 2002). The worth of a leave is the sum of terms for each of its tiles, pairs and triples; see `learning/leaves.py`.
"""

from __future__ import annotations

from typing import Any

from outplay.engine.alphabeta.bounds import EXACT, LOWER, UPPER
from outplay.games.scrabble.plays import BEST, KINDS, LEAVE, MOST, PASS, SCRATCH, VALUES, WORDS
from outplay.jit import below, i64, inlined, kernel, popcount, u64
from outplay.values import CHANCE

SPAN = 28
TERMS = SPAN**3
"""Room for a term a sorted triple of tiles: the blank is 1, letters 2 to 27, 0 is none."""
LATE = 10_000
"""Thousandths of a point that it costs not to go out when the bag is empty."""
BASE = MOST - SCRATCH
GREEDY, STATIC = 0, 1
"""Who takes the highest score, and who the highest equity."""


@inlined
def fill_leaves(state: Any, out: Any, terms: Any, total: Any) -> None:
    """What each choice of kept tiles is worth, after `prepare`. With an empty bag, what counts is who goes out.

    Each lot of up to three tiles gets its term; sums over all lots within the kept tiles come from adding one tile after the other.
    """
    whole = (1 << total) - 1
    left = i64(state.left)
    if left == 0:
        seat = i64(state.turn)
        for k in range(27):
            count = i64(state.bag[k])
            for other in range(len(state.racks)):
                if other != seat:
                    count += state.racks[other, k]
            out[BASE + LEAVE + whole] += 2000 * count * state.points_of(k)
        for kept in range(1, 1 << total):
            worth = i64(-LATE)
            for slot in range(total):
                if (kept >> slot) & 1:
                    worth -= 2000 * state.points_of(out[BASE + KINDS + slot])
            out[BASE + LEAVE + (whole ^ kept)] = worth
        return
    for kept in range(1, 1 << total):
        size = popcount(kept)
        worth = i64(0)
        if size <= 3:
            at = i64(0)
            before = i64(-1)
            for slot in range(total):
                kind = out[BASE + KINDS + slot] + 1
                if (kept >> slot) & 1:
                    if slot > 0 and before == kind and (kept >> (slot - 1)) & 1 == 0:
                        at = i64(-1)  # of equal tiles the first ones make up a lot
                        break
                    at = at * SPAN + kind
                before = kind
            if at > 0:
                worth = terms[at]
                if left < 7:
                    worth = worth * left // 7
        out[BASE + LEAVE + (whole ^ kept)] = worth
    for slot in range(total):
        bit = 1 << slot
        for used in range(1 << total):
            if used & bit == 0:
                out[BASE + LEAVE + used] += out[BASE + LEAVE + (used | bit)]


@inlined
def best_play(state: Any, out: Any, terms: Any, kind: Any) -> Any:
    """What a static or greedy player does; out[1] says what it is worth, in thousandths."""
    total = state.prepare(out)
    if kind == STATIC:
        fill_leaves(state, out, terms, total)
    choice = state.generate(out, out, BEST, False)
    best = out[1] if choice >= 0 else i64(-1) << 60
    if kind == STATIC and state.can_swap():
        most = i64(0)
        for used in range(1, 1 << total):
            worth = out[BASE + LEAVE + used]
            if worth > best and state.is_canonical(out, used):
                best = worth
                most = i64(used)
        if most > 0:
            choice = state.swap_of(out, most, total)
    if choice < 0 or (kind == STATIC and out[BASE + LEAVE] > best):
        best = out[BASE + LEAVE]
        choice = i64(PASS)
    out[1] = best
    return choice


@kernel
def list_plays(states: Any, out: Any, values: Any, terms: Any, kind: Any) -> Any:
    """Every action of the player to move with its equity in thousandths (of the greedy: its score); how many."""
    state = states[0]
    total = state.prepare(out)
    if kind == STATIC:
        fill_leaves(state, out, terms, total)
    count = state.generate(out, values, VALUES, False)
    if state.can_swap():
        count = state.swaps(out, values, count, VALUES)
    out[count] = PASS
    values[count] = out[BASE + LEAVE]
    return count + 1


@kernel
def find_best(states: Any, out: Any, terms: Any, kind: Any) -> Any:
    """What the best action of a static or greedy player is worth, in thousandths; out[0] is the action."""
    out[0] = best_play(states[0], out, terms, kind)
    return out[1]


@inlined
def note_rack(state: Any, out: Any, value: Any, sums: Any, counts: Any) -> None:
    """Count what the best play of a rack is worth for every tile, pair and triple on it."""
    total = i64(state.held[state.turn])
    sums[0] += value
    counts[0] += 1
    for a in range(total):
        first = out[BASE + KINDS + a] + 1
        if a > 0 and out[BASE + KINDS + a - 1] + 1 == first:
            continue
        sums[first] += value
        counts[first] += 1
        for b in range(a + 1, total):
            second = out[BASE + KINDS + b] + 1
            if out[BASE + KINDS + b - 1] + 1 == second and b - 1 != a:
                continue
            sums[first * SPAN + second] += value
            counts[first * SPAN + second] += 1
            for c in range(b + 1, total):
                third = out[BASE + KINDS + c] + 1
                if out[BASE + KINDS + c - 1] + 1 == third and c - 1 != b:
                    continue
                at = (first * SPAN + second) * SPAN + third
                sums[at] += value
                counts[at] += 1


@kernel
def play_games(states: Any, games: Any, out: Any, terms: Any, kinds: Any, source: Any, scores: Any, turns: Any, sums: Any,
               counts: Any) -> None:
    """Complete games from the first state: final scores, the number of turns and, where `sums` has room, what learning counts."""
    for game in range(games):
        states[1] = states[0]
        state = states[1]
        while not state.is_terminal():
            if state.player() == CHANCE:
                state.play(state.draw(source))
                continue
            seat = i64(state.turn)
            action = best_play(state, out, terms, kinds[(seat + game) % len(kinds)])
            if len(sums) > 1 and state.left >= 7:
                note_rack(state, out, out[1], sums, counts)
            turns[0] += 1
            state.play(action)
        for each in range(len(state.scores)):
            scores[game, each] = state.scores[each]


# ---------------------------------------------------------------- simulation

TO_THE_END = 200
"""Plies that no game's rest has."""


@kernel
def simulate(states: Any, out: Any, terms: Any, actions: Any, open_: Any, leaves: Any, seeds: Any, values: Any, plies: Any) -> None:
    """For every seed deal the unseen tiles, and for every open action play it and so many plies more: answers, and one of our own.

    The same deal and the same draws serve all actions. values[action, seed] is what we gain over the others: the points of those
    plies, and what stays on the racks at their end. states[0] is the view of the player to move; it has room for three. Where
    there are `leaves` (in a game of two), the other holds one of them, and draws the rest of its rack.
    """
    me = i64(states[0].turn)
    source = seeds[:1]
    for number in range(len(values[0])):
        states[1] = states[0]
        source[0] = seeds[number + 1]
        if len(leaves) > 0:
            chosen = below(source, len(leaves))
            for k in range(27):
                states[1].racks[1 - me, k] += leaves[chosen, k]
                states[1].bag[k] -= leaves[chosen, k]
        states[1].deal(me, source)
        draws = source[0]
        for each in range(len(actions)):
            if not open_[each]:
                continue
            source[0] = draws
            states[2] = states[1]
            state = states[2]
            before = _lead(state, me)
            kept = i64(0)
            ply = 0
            state.play(actions[each])
            while not state.is_terminal():
                if state.player() == CHANCE:
                    state.play(state.draw(source))
                    continue
                if ply == plies:
                    break
                seat = i64(state.turn)
                action = best_play(state, out, terms, STATIC)
                lead = _lead(state, me)
                value = out[1]
                state.play(action)
                if state.is_terminal():
                    kept = i64(0)  # the racks are counted in the scores
                elif ply >= plies - len(state.scores):
                    gained = 1000 * (_lead(state, me) - lead)
                    kept += value - gained if seat == me else -value - gained
                ply += 1
            values[each, number] = 1000 * (_lead(state, me) - before) + kept


@kernel
def infer(states: Any, out: Any, terms: Any, laid: Any, gain: Any, within: Any, tries: Any, source: Any, leaves: Any) -> Any:
    """What the other may have kept when it laid these tiles for this gain: how many leaves with which no play was much better.

    None was better by more than `within`. states[0] is the view that we had before that play. Leaves are drawn from what was not
    seen, so that likely ones come often.
    """
    seat = i64(states[0].turn)
    found = i64(0)
    for _ in range(tries):
        if found == len(leaves):
            break
        states[1] = states[0]
        rack = states[1]
        for k in range(27):
            rack.racks[seat, k] = laid[k]
            rack.bag[k] -= laid[k]
        rack.deal(1 - seat, source)
        states[2] = states[1]
        kept = states[2]
        for k in range(27):
            kept.racks[seat, k] -= laid[k]
            kept.held[seat] -= laid[k]
        fill_leaves(kept, out, terms, kept.prepare(out))
        worth = 1000 * gain + out[BASE + LEAVE]
        best_play(rack, out, terms, STATIC)
        if out[1] <= worth + within:
            for k in range(27):
                leaves[found, k] = kept.racks[seat, k]
            found += 1
    return found


@inlined
def _lead(state: Any, me: Any) -> Any:
    """How far a seat is ahead of the best other."""
    other = i64(-10_000)
    for seat in range(len(state.scores)):
        if seat != me:
            other = max(other, i64(state.scores[seat]))
    return i64(state.scores[me]) - other


# ---------------------------------------------------------------- the end, when nothing is hidden any more

DEEPEST = 24
ALPHA, BETA, LOW, HIGH, VALUE, MOVE, COUNT, AT, CUT, SEAT, LAST, SCOUT, FIRST, FIELDS = range(14)
"""A frame: the window, now and at first; the best value so far and its play; how many plays there are (-1: not listed yet) and how
many were tried; whether something below was cut off; who moves; the play under way, whether a window without width tests it, and
the play of the table, which comes first."""
FAR = 1 << 40
ENTER, NEXT, RETURN = 0, 1, 2
LEAD, BEST_ACTION, NODES, IS_CUT, IS_DONE, TOP, PHASE, PLACES = range(8)
"""What a search tells, and where it rests."""
SURE = 1000
"""The depth of what was searched to the end of the game."""


@inlined
def end_key(state: Any) -> Any:
    """What the rest of the game depends on: all but the points made so far."""
    first, second = state.scores[0], state.scores[1]
    state.scores[0] = 0
    state.scores[1] = 0
    key = state.key()
    state.scores[0] = first
    state.scores[1] = second
    return key


OUTS = 8
"""So many of the other's plays that end the game are kept in mind."""
LAID = 6000
"""Thousandths of a point that each tile laid counts when plays are put in order: who goes out first gains."""


@inlined
def is_out(action: Any, held: Any) -> Any:
    """Whether an action lays so many tiles, all that there are."""
    return action >> (11 + 6 * (held - 1)) != 0


@inlined
def list_outs(state: Any, room: Any, values: Any, outs: Any, marks: Any) -> Any:
    """The other's best plays that would end the game now, best first: outs[k] in thousandths without what is on the racks, and in
    marks[k] the squares that must stay free for it. How many."""
    mine = i64(state.turn)
    state.turn = 1 - mine
    held = i64(state.held[state.turn])
    state.prepare(room)
    listed = state.generate(room, values, VALUES, False)
    state.turn = mine
    count = i64(0)
    for k in range(listed):
        if is_out(room[k], held) and (count < OUTS or values[k] > outs[OUTS - 1]):
            at = min(count, i64(OUTS - 1))
            while at > 0 and outs[at - 1] < values[k]:
                outs[at] = outs[at - 1]
                room[BASE + LEAVE + at] = room[BASE + LEAVE + at - 1]
                at -= 1
            outs[at] = values[k]
            room[BASE + LEAVE + at] = room[k]
            count = min(count + 1, i64(OUTS))
    for k in range(count):
        state.footprint(room[BASE + LEAVE + k], marks, k, True)
    return count


@inlined
def list_end(state: Any, room: Any, values: Any, bounds: Any, other_room: Any, other_values: Any, terms: Any, outs: Any,
             marks: Any) -> Any:
    """The plays of a node in `room`, with what orders them in `values` and the most that they can gain in `bounds`: how many, and
    whether the first ends the game.

    Of plays that end the game only the best is kept, and stands first: what it gains is no guess. Any other gains no more than its
    score if the other can still end the game at once after it, by a play of which it touches no square.
    """
    count_outs = list_outs(state, other_room, other_values, outs, marks)
    total = state.prepare(room)
    fill_leaves(state, room, terms, total)
    count = state.generate(room, values, VALUES, False)
    room[count] = PASS
    values[count] = room[BASE + LEAVE]
    held = i64(state.held[state.turn])
    kept, out = i64(0), i64(-1)
    for k in range(count + 1):
        action, value = room[k], values[k]
        at = kept
        if is_out(action, held):
            if out >= 0 and value <= values[out]:
                continue
            at = out if out >= 0 else kept
            out = at
            bounds[at] = value
        else:
            bounds[at] = FAR
            if count_outs > 0:
                state.footprint(action, marks, OUTS, False)
                for each in range(count_outs):
                    shared = i64(0)
                    for word in range(WORDS):
                        shared |= marks[each, word] & marks[OUTS, word]
                    if shared == 0:
                        bounds[at] = value + LATE - outs[each]
                        value -= outs[each]
                        break
            packed = action >> 11
            while packed != 0:
                value += LAID
                packed >>= 6
        room[at], values[at] = action, value
        if at == kept:
            kept += 1
    if out > 0:
        room[0], room[out] = room[out], room[0]
        values[0], values[out] = values[out], values[0]
        bounds[0], bounds[out] = bounds[out], bounds[0]
    return kept, out >= 0


@kernel
def search_end(states: Any, rooms: Any, values: Any, bounds: Any, frames: Any, keys: Any, stored: Any, terms: Any, outs: Any,
               marks: Any, told: Any, depth: Any, limit: Any) -> None:
    """Alpha-beta to a depth in plies, in a game of two with an empty bag: how far the first player will be ahead, in thousandths.

    A loop over an explicit stack, which rests when it has seen `limit` nodes and goes on from there at the next call; a new search
    begins where `told` is all zero. Beyond the depth the static player's next play stands for the rest. The table holds what is
    still to be gained, so that ways to the same board with other scores share it; its play is tried before any is listed.
    """
    top, nodes, value, cut, phase = told[TOP], told[NODES], told[LEAD], told[IS_CUT], told[PHASE]
    if nodes == 0:
        frames[0, ALPHA], frames[0, BETA] = -FAR, FAR
    while top >= 0:
        state = states[top]
        room = rooms[top]
        if phase == ENTER:
            if nodes >= limit:
                told[TOP], told[NODES], told[LEAD], told[IS_CUT], told[PHASE] = top, nodes, value, cut, phase
                return
            nodes += 1
            lead = 1000 * (i64(state.scores[0]) - i64(state.scores[1]))
            if state.is_terminal():
                value, cut, phase = lead, i64(0), i64(RETURN)
                top -= 1
                continue
            seat = i64(state.turn)
            if depth <= top or top == DEEPEST - 1:
                best_play(state, room, terms, STATIC)
                value, cut, phase = lead + (room[1] if seat == 0 else -room[1]), i64(1), i64(RETURN)
                top -= 1
                continue
            key = end_key(state)
            slot = i64(key & u64(len(keys) - 1))
            preferred = i64(-1)
            if keys[slot] == key:
                preferred = stored[slot, 3]
                kind, known = stored[slot, 2], lead + stored[slot, 0]
                is_bound = (kind == LOWER and known >= frames[top, BETA]) or (kind == UPPER and known <= frames[top, ALPHA])
                if top > 0 and stored[slot, 1] >= depth - top and (kind == EXACT or is_bound):
                    value, cut, phase = known, i64(0) if stored[slot, 1] == SURE else i64(1), i64(RETURN)
                    top -= 1
                    continue
            frames[top, LOW], frames[top, HIGH] = frames[top, ALPHA], frames[top, BETA]
            frames[top, VALUE], frames[top, MOVE] = -FAR if seat == 0 else FAR, -1
            frames[top, COUNT], frames[top, AT], frames[top, CUT], frames[top, SEAT] = -1, 0, 0, seat
            frames[top, FIRST], frames[top, LAST], frames[top, SCOUT] = preferred, -1, 0
            phase = i64(NEXT)
        elif phase == RETURN:
            move = frames[top, LAST]
            if frames[top, SCOUT]:
                better = value > frames[top, ALPHA] if frames[top, SEAT] == 0 else value < frames[top, BETA]
                if better and frames[top, ALPHA] < value < frames[top, BETA]:  # it is better than the best: by how much?
                    frames[top, SCOUT] = 0
                    frames[top + 1, ALPHA], frames[top + 1, BETA] = frames[top, ALPHA], frames[top, BETA]
                    states[top + 1] = states[top]
                    states[top + 1].play(move)
                    top += 1
                    phase = i64(ENTER)
                    continue
            frames[top, CUT] |= cut
            if frames[top, SEAT] == 0:
                if value > frames[top, VALUE]:
                    frames[top, VALUE], frames[top, MOVE] = value, move
                frames[top, ALPHA] = max(frames[top, ALPHA], value)
            else:
                if value < frames[top, VALUE]:
                    frames[top, VALUE], frames[top, MOVE] = value, move
                frames[top, BETA] = min(frames[top, BETA], value)
            phase = i64(NEXT)
        else:
            seat = frames[top, SEAT]
            move = i64(-1)
            if frames[top, ALPHA] < frames[top, BETA]:
                if frames[top, FIRST] >= 0 and frames[top, COUNT] < 0 and frames[top, LAST] < 0:
                    move = frames[top, FIRST]
                else:
                    if frames[top, COUNT] < 0:
                        count, ends = list_end(state, room, values[top], bounds[top], rooms[DEEPEST], values[DEEPEST], terms, outs,
                                               marks)
                        frames[top, COUNT] = count
                        if ends:
                            lead = 1000 * (i64(state.scores[0]) - i64(state.scores[1]))
                            value, cut = lead + (values[top, 0] if seat == 0 else -values[top, 0]), i64(0)
                            frames[top, AT], frames[top, LAST], frames[top, SCOUT], phase = 1, room[0], 0, i64(RETURN)
                            continue
                    at, count = frames[top, AT], frames[top, COUNT]
                    if at < count:
                        chosen = at
                        for k in range(at + 1, count):
                            if values[top, k] > values[top, chosen]:
                                chosen = k
                        move, most = room[chosen], bounds[top, chosen]
                        room[chosen], values[top, chosen], bounds[top, chosen] = room[at], values[top, at], bounds[top, at]
                        room[at] = move
                        frames[top, AT] = at + 1
                        if move == frames[top, FIRST]:
                            continue  # the table's play was tried already
                        if most < FAR:
                            lead = 1000 * (i64(state.scores[0]) - i64(state.scores[1]))
                            if seat == 0 and lead + most <= frames[top, ALPHA]:
                                frames[top, VALUE] = max(frames[top, VALUE], lead + most)
                                continue
                            if seat == 1 and lead - most >= frames[top, BETA]:
                                frames[top, VALUE] = min(frames[top, VALUE], lead - most)
                                continue
            if move < 0:
                value, cut = frames[top, VALUE], frames[top, CUT]
                key = end_key(state)
                slot = i64(key & u64(len(keys) - 1))
                keys[slot] = key
                stored[slot, 0] = value - 1000 * (i64(state.scores[0]) - i64(state.scores[1]))
                stored[slot, 1] = depth - top if cut else SURE
                stored[slot, 2] = UPPER if value <= frames[top, LOW] else LOWER if value >= frames[top, HIGH] else EXACT
                stored[slot, 3] = frames[top, MOVE]
                top -= 1
                phase = i64(RETURN)
                continue
            scout = frames[top, MOVE] >= 0 and frames[top, BETA] - frames[top, ALPHA] > 1
            frames[top, LAST], frames[top, SCOUT] = move, i64(scout)
            frames[top + 1, ALPHA], frames[top + 1, BETA] = frames[top, ALPHA], frames[top, BETA]
            if scout and seat == 0:
                frames[top + 1, BETA] = frames[top, ALPHA] + 1
            elif scout:
                frames[top + 1, ALPHA] = frames[top, BETA] - 1
            states[top + 1] = states[top]
            states[top + 1].play(move)
            top += 1
            phase = i64(ENTER)
    told[LEAD], told[BEST_ACTION], told[NODES], told[IS_CUT], told[IS_DONE] = value, frames[0, MOVE], nodes, cut, 1
