"""The one search kernel: alpha-beta over an explicit stack of frames, for any compiled two-player zero-sum game without chance.

Knuth and Moore's alpha-beta (1975), fail-soft, as a loop: the next action of a node is played; a child that is a leaf or known to
the table is taken in at once, any other becomes the node itself until all of its actions are tried. Principal variation search
(Marsland and Campbell 1982) is the same loop with narrow windows for later actions; MTD(f) and best node search are drivers that
call it with windows of width one (see `algorithms`); plain minimax is the loop with pruning switched off. There is no recursion,
so the search can stop anywhere and go on later: everything it knows lies in the arrays of a `Workspace`.

Contract of `run`, with s the value of the root at the depth asked for, for the player to move, and v the value it ends with:
alpha < v < beta means s = v; v <= alpha means s <= v; v >= beta means s >= v. (Selectivity, when switched on, gives that up.)

Values are whole numbers: points of the game times `spread`. With distances switched on, `spread` is 1024 and an end of the game
counts one less for each ply it is away, so that a quick win beats a slow one; `spread` 1 leaves plain points.

Each of the rules' methods but the short `key` is called at one place only: the compiler inlines it there, and a second place
would cost its compile time again (of the two for `evaluate` every game has but one). A node mostly waits for the table's memory:
with an evaluation, that is fetched while the child is judged; without one, where a node is quick, some actions before its turn.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from outplay.engine.table import (
    EXACT,
    LOWER,
    NO_ACTION,
    UPPER,
    action_of,
    bound_of,
    complete_of,
    depth_of,
    first_word,
    packed,
    probe,
    store,
    value_of,
)
from outplay.jit import copy_record, i32, i64, inlined, kernel, mix, prefetch, u64

ONE = u64(1)
INFINITY = 2**31 - 2
SPREAD = 1024  # points of the kernel in one point of the game when distances count; also more than the plies of any line
MOST_POINTS = 2_000_000  # an evaluation is cut to this, so that with distances it still fits into 32 bits

RUNNING, DONE = 0, 1  # why the kernel returned

# How a child is searched: undecided, with the whole window, with any value at all, with a window of width one, also less deep.
FRESH, FULL, OPEN, NARROW, REDUCED = 0, 1, 2, 3, 4
PASSING, ALONE = -1, -2  # an index below 0 is no action: the null move, and the test whether one action beats all others

AHEAD = 3  # so many actions before its turn, a child's place in the table is fetched from memory

SLOTS = 4096  # of the history table; actions beyond share them
REPLIES = 1 << 17  # of the table of replies: an action after the one before it; pairs beyond share them
HISTORY_MOST = 1 << 18  # either stays between this and its negative: each bonus is the smaller, the nearer it is already
QUIET_MOST = 2 * HISTORY_MOST  # what both together may say of an action
ORDER_SHIFT = 24  # the game's own order outranks killers, and these outrank history
KILLER, SECOND_KILLER = 3 << 21, 2 << 21

# How many plies less a late quiet action is searched, by depth and place in the order.
_LOGARITHMS = np.log(np.maximum(1, np.arange(64)))
REDUCTION = np.floor(0.6 + np.outer(_LOGARITHMS, _LOGARITHMS) / 2.1).astype(np.int64)

FRAME_FIELDS = (
    "alpha", "beta", "floor", "best", "action", "index", "count", "depth", "player", "flip", "complete", "length",
    "hint", "scored", "stage", "move", "static", "test", "extend", "excluded", "urgent",
    "improving", "less", "fetched",
)  # fmt: skip
FRAME = np.dtype((np.record, [*((name, np.int64) for name in FRAME_FIELDS), ("key", np.uint64)]))

CONTROL_FIELDS = (
    # where the loop stands
    "ply", "alpha", "beta", "depth",
    # how far it may go, and what it counted
    "until", "nodes", "leaves", "cutoffs", "first_cutoffs", "probes", "hits", "researches", "fractional", "overrun",
    # the root's actions stand ready in the buffer; so many keys of earlier positions stand before the root's in `path`
    "root_count", "earlier",
    # sizes and values
    "most", "last_ply", "spread", "middle", "greatest",
    # what is switched on
    "prune", "narrow", "table", "strict", "policy", "generation", "scoring", "by_table", "by_order", "by_killers", "by_history",
    "by_replies", "noise", "solving", "proofs", "symmetry", "quiescence", "extensions",
    "null_move", "reductions", "futility", "singular", "beam",
)  # fmt: skip
CONTROL = np.dtype((np.record, [*((name, np.int64) for name in CONTROL_FIELDS), ("buckets", np.uint64), ("scale", np.float64)]))


@inlined
def away(value: Any, plies: Any, spread: Any) -> Any:
    """A value whose end of the game is moved some plies away (nearer when negative); evaluations and draws stay as they are."""
    if value > 0 and (-value) & (spread - 1) != 0:
        return value - plies
    if value < 0 and value & (spread - 1) != 0:
        return value + plies
    return value


@inlined
def slot(action: Any) -> Any:
    """Where the history table keeps an action."""
    return action & (SLOTS - 1)


@inlined
def reply_slot(before: Any, action: Any) -> Any:
    """Where the table of replies keeps an action after the one before it."""
    pair = u64(before & 0xFFFFFFFF) * u64(0x9E3779B97F4A7C15) + u64(action) * u64(0xD6E8FEB86659FD93)
    return pair >> u64(47)  # the highest 17 bits


@inlined
def changed(past: Any, bonus: Any) -> Any:
    """A number of history after praise, or blame when negative: it moves towards the bound of that sign."""
    return past + bonus - past * abs(bonus) // HISTORY_MOST


@inlined
def judgement(state: Any, player: Any, weights: Any, control: Any) -> Any:
    """What the evaluation says of a state, or the middle of all values where the game has none."""
    if state.offers_evaluate():
        points = i64(np.floor(state.evaluate(player, weights) + 0.5))
        return min(max(points, -MOST_POINTS), MOST_POINTS) * control.spread
    return control.middle if player == 0 else -control.middle


@kernel
def run(states: Any, frames: Any, control: Any, actions: Any, scores: Any, table: Any, killers: Any, history: Any, replies: Any,
        lines: Any, path: Any, weights: Any) -> Any:
    """Search until the root has its value (DONE) or `until` nodes are counted (RUNNING: call again to go on)."""
    c = control[0]
    ply, last_ply, spread, scale = c.ply, c.last_ply, c.spread, c.scale
    unit = i64(scale) * spread  # of utility
    prune, narrow, use_table, strict, scoring = c.prune != 0, c.narrow != 0, c.table != 0, c.strict != 0, c.scoring != 0
    until, buckets, earlier = c.until, c.buckets, c.earlier
    # Read once: the loop below writes to memory, after which the compiler would read a setting again.
    hinted, quick_proofs = c.by_table != 0, c.proofs != 0
    # Without an evaluation every search is exact: a constant for the compiler, which then leaves all selectivity out.
    judged = states[0].offers_evaluate()
    selective = judged and (
        c.null_move != 0 or c.reductions != 0 or c.futility != 0 or c.singular != 0 or c.beam != 0 or c.extensions != 0
    )
    plain = prune and not (scoring or narrow or selective)  # the actions in the order they come, each with the whole window
    keep_lines = narrow or not use_table  # elsewhere the table knows the line, and few windows are as wide as these
    spare = u64(len(states) - 1)
    near = 1 if use_table else INFINITY  # children of deeper nodes only are looked up in the table
    # Counted here, too: a write to memory between two looks at a state makes the compiler look again.
    nodes, leaves, cutoffs, first_cutoffs, probes, hits = c.nodes, c.leaves, c.cutoffs, c.first_cutoffs, c.probes, c.hits
    lost, utmost = spread - unit, c.greatest  # what is not above `lost` is the end of the game; no value is beyond `utmost`
    # The node whose actions are tried: what changes with every child is in variables and goes into its frame only while one of
    # its children is the node, so that leaves, which most children are, cost no frame. Above the root stands one with it alone.
    low, high, best, index, count, left, whole, flip = c.alpha, c.beta, 0, 0, 1, c.depth + 1, 1, 1
    if ply >= 0:
        frame = frames[u64(ply)]
        low, high, best, index = frame.alpha, frame.beta, frame.best, frame.index
        count, left, whole, flip = frame.count, frame.depth, frame.complete, frame.flip
    status = DONE

    while True:
        if index < count:
            if nodes >= until:
                status = RUNNING
                break
            below = u64(ply + 1)  # unsigned: the compiler need not ask whether an index counts from the end
            here = below - ONE
            child = states[below]
            alpha, beta, depth = low, high, left - 1

            # ------------------------------------------------ Step 1: the next action, and how to search it
            if not plain and ply >= 0 and (not judged or index >= 0) and frames[here].stage == FRESH:
                state = states[here]
                frame = frames[here]
                frame.stage = FULL if prune else OPEN
                quiet = False
                top = i64(0)
                if scoring:
                    if frame.scored <= index:
                        first = frame.scored
                        before = frames[here - ONE].move if ply > 0 else NO_ACTION
                        frame.scored = 1 if first == 0 and frame.hint != NO_ACTION else count
                        for i in range(first, frame.scored):
                            move: Any = i64(actions[here, i])
                            score: Any = 0
                            if state.offers_order() and c.by_order != 0:
                                score = i64(state.order(actions[here, i])) << ORDER_SHIFT
                            if c.by_killers != 0:
                                if killers[here, 0] == move:
                                    score += KILLER
                                elif killers[here, 1] == move:
                                    score += SECOND_KILLER
                            if c.by_history != 0:
                                score += history[frame.player, slot(move)]
                            if c.by_replies != 0:
                                score += i64(replies[reply_slot(before, move)])
                            if c.noise != 0:  # helper threads try equals in another order
                                score += i64(mix(u64(move) ^ frame.key ^ u64(c.noise)) >> u64(62))
                            scores[here, i] = score
                    if ply > 0 or selective:
                        pick = index
                        top = scores[here, index]
                        for i in range(index + 1, frame.scored):
                            if scores[here, i] > top:
                                top = scores[here, i]
                                pick = i
                        if pick != index:
                            swapped = actions[here, pick]
                            actions[here, pick] = actions[here, index]
                            actions[here, index] = swapped
                            scores[here, pick] = scores[here, index]
                            scores[here, index] = top
                        quiet = top >> ORDER_SHIFT <= 0
                if index > 0 and left > 0 and not selective:
                    if narrow and high - low > 1:
                        frame.stage = NARROW
                elif index > 0 and left > 0:
                    hopeless = c.futility != 0 and quiet and ply > 0 and frame.urgent == 0 and best > lost
                    margin = c.futility * (left + 1) * spread * 2 // 3
                    if c.beam != 0 and index >= c.beam and ply > 0:
                        count = whole = 0  # beam: the rest is never looked at
                        continue
                    elif (hopeless and high - frame.floor == 1 and left <= 8
                            and index >= (3 + left * left) >> (1 - frame.improving)):
                        count = whole = 0  # so late in the order, so near to the leaves: the rest is not looked at
                        continue
                    elif hopeless and left <= 6 and frame.static + margin <= low:
                        best = max(best, frame.static + margin)
                        index += 1
                        frame.stage = FRESH
                        whole = 0
                        continue
                    elif c.reductions != 0 and quiet and index >= 2 and left >= 3 and frame.urgent == 0:
                        less = REDUCTION[min(left, 63), min(index, 63)]
                        if high - frame.floor > 1:
                            less -= 1
                        if frame.improving == 0:
                            less += 1
                        if top > QUIET_MOST:  # a killer
                            less -= 1
                        elif top >= -QUIET_MOST:
                            less -= top >> 18
                        less = min(less, left - 2)
                        if less > 0:
                            frame.less = less
                            frame.stage = REDUCED
                        elif narrow and high - low > 1:
                            frame.stage = NARROW
                    elif narrow and high - low > 1:
                        frame.stage = NARROW

            # ------------------------------------------------ Step 2: it is played; alpha, beta and depth are the child's
            if ply >= 0:
                copy_record(states, below, here)
                if not judged or index >= 0:
                    pick = index
                    if not judged and left > near and frames[here].fetched < min(index + AHEAD + 1, count):
                        pick = frames[here].fetched
                    child.play(actions[here, u64(pick)])
                    if not judged and pick != index:
                        # Played for its key alone: when its turn comes, its place in the table is there from memory.
                        prefetch(table, first_word(child.key(), buckets))
                        frames[here].fetched = pick + 1
                        continue
                    if not plain:
                        if frames[here].stage == OPEN:
                            alpha, beta = -INFINITY, INFINITY
                        elif frames[here].stage > OPEN:
                            beta = alpha + 1
                            if frames[here].stage == REDUCED:
                                depth -= frames[here].less
                    if selective and frames[here].extend != 0 and index == 0:
                        depth += 1
                else:
                    frame = frames[here]
                    if index == PASSING:
                        if not child.pass_turn():
                            index = 0
                            continue
                        alpha = beta - 1
                        depth -= 2 + left // 4 + min((frame.static - high) // (256 * spread), 3)
                    else:
                        frames[below].excluded = frame.hint
                        alpha, beta, depth = frame.test - 1, frame.test, left // 2
            player = child.player()
            flip = 1
            if ply >= 0 and player != frames[here].player:
                flip = -1
                swap = alpha
                alpha = -beta
                beta = -swap
            ply += 1
            nodes += 1
            over = child.is_terminal() or child.is_drawn()
            urgent = False
            if child.offers_urgent() and selective and c.extensions != 0 and not over and ply > 0:
                urgent = child.urgent()
                if urgent and ply < 2 * frames[0].depth + 8:  # a check is answered before anything is judged (the horizon effect)
                    depth = max(depth, 0) + 1
            leaf = depth <= 0 or (judged and ply >= last_ply)  # what extends a search judges
            known = False  # whether its value is
            value: Any = 0
            complete: Any = 0
            hint, bound, found, listed = NO_ACTION, 0, 0, 0
            static: Any = 0
            key = u64(0)
            data = u64(0)
            looked_up = False
            # No line from here on is worth more than a win at once or less than a loss at once (mate distance)
            if judged and spread > 1 and ply > 0 and not over and (alpha >= utmost - ply or beta <= ply - utmost):
                value, complete, known = utmost - ply if alpha >= utmost - ply else ply - utmost, 1, True

            # What the rules settle by themselves needs no table
            if child.offers_settle() and quick_proofs and not (known or over) and ply > 0:
                more, least, greatest = child.settle(alpha // unit, -(-beta // unit))
                nodes += more
                least, greatest = i64(least) * unit, i64(greatest) * unit
                if least >= beta or greatest <= alpha or least == greatest:
                    value, complete, known = greatest if greatest <= alpha else least, 1, True
                    leaves += 1

            # ------------------------------------------------ Step 3: repetitions and the table
            if child.offers_reversible() and leaf:
                path[earlier + ply] = u64(0)  # an older line's key is no position of this one
            if not known and not over and not leaf and (use_table or child.offers_reversible()):
                if child.offers_canonical() and c.symmetry != 0:
                    states[spare] = states[below]
                    states[spare].canonical()
                    key = states[spare].key()
                else:
                    key = child.key()
                if judged and frames[below].excluded != NO_ACTION:
                    path[earlier + ply] = u64(0)  # the same position once more is no repetition here
                else:
                    if child.offers_reversible():
                        path[earlier + ply] = key
                        if ply > 0:
                            for back in range(1, min(child.reversible(), earlier + ply) + 1):
                                if path[earlier + ply - back] == key:
                                    known = True
                                    break
                    looked_up = use_table and not known
                    if looked_up and judged:
                        prefetch(table, first_word(key, buckets))

            # ------------------------------------------------ Step 4: the evaluation, at the edge and where selectivity asks for it
            # Meanwhile the table's memory arrives; a game that does not tell its end is judged after its actions are known.
            judging = leaf or (selective and (c.null_move != 0 or c.futility != 0) and not urgent)
            if judging and not known and not over and (not leaf or child.offers_is_terminal() or child.offers_forcing()):
                static = judgement(child, player, weights, c)
            if looked_up:
                probes += 1
                data = probe(table, key, buckets)
                bound = bound_of(data)
                if bound != 0:
                    hits += 1
                    hint = action_of(data)
                    found = depth_of(data)
                    certain = complete_of(data)
                    if found == depth or (not strict and found > depth) or (certain != 0 and (not strict or found < depth)):
                        stored = away(value_of(data), ply, spread)
                        if ply > 0 and (beta - alpha == 1 or not selective) and (
                            bound == EXACT or (bound == LOWER and stored >= beta) or (bound == UPPER and stored <= alpha)
                        ):
                            value, complete, known = stored, certain, True
                if selective and hint == NO_ACTION and depth >= 4 and c.reductions != 0 and ply > 0:
                    depth -= 1  # no idea what to try first: a shallower search is worth more for its hint

            # The actions worth trying, where the game tells them, with a quick proof: it knows of no distances
            if child.offers_solving() and c.solving != 0 and not known and not over and ply > 0:
                listed, least, greatest = child.solving(actions[below])
                least, greatest = i64(least * scale), i64(greatest * scale)
                if quick_proofs and (least >= beta or greatest <= alpha):
                    value, complete, known = least if least >= beta else greatest, 1, True
                    leaves += 1

            # ------------------------------------------------ Step 5: the actions; none means that the game is over
            if not known and not over:
                if ply == 0:
                    listed = c.root_count
                elif not leaf or not (child.offers_is_terminal() or child.offers_forcing()):
                    if not child.offers_solving() or c.solving == 0:
                        listed = child.actions(actions[below])
                    over = listed == 0
                    if listed > actions.shape[1]:
                        c.overrun = 1
                        break
            if over:
                utility = child.utility(player)
                value = i64(utility)
                if value != utility:
                    c.fractional = 1
                value *= unit
                if spread > 1:
                    if value > 0:
                        value -= ply
                    elif value < 0:
                        value += ply
                complete, known = 1, True
                leaves += 1

            # ------------------------------------------------ Step 6: what the evaluation is good for
            quiescent = improving = False
            if judging and not known:
                if leaf and not (child.offers_is_terminal() or child.offers_forcing()):
                    static = judgement(child, player, weights, c)
                if not leaf:
                    improving = ply >= 2 and static > frames[below - u64(2)].static
                    if c.futility != 0 and beta - alpha == 1 and ply > 0 and frames[below].excluded == NO_ACTION:
                        if depth <= 8 and static - c.futility * (depth - improving) * spread // 2 >= beta and beta > lost:
                            value, known = static, True  # so far above the window that no quiet answer brings it back
                        elif depth <= 2 and static + 2 * c.futility * depth * spread <= alpha and alpha < -lost:
                            leaf, depth = True, 0  # so far below that only captures and the like can bring it back (razoring)
                if leaf:
                    leaves += 1
                    value, known = static, True
                    if child.offers_forcing() and c.quiescence != 0 and static < beta and ply < last_ply:
                        listed = child.forcing(actions[below])
                        quiescent = listed > 0
                        known = not quiescent

            # ------------------------------------------------ Step 7: a child without a value becomes the node; its parent rests
            if not known:
                passed = judged and index == PASSING
                if ply > 0:
                    frame = frames[here]
                    frame.alpha, frame.best, frame.index, frame.complete, frame.flip = low, best, index, whole, flip
                    if scoring:
                        frame.move = i64(actions[here, index]) if not judged or index >= 0 else NO_ACTION
                frame = frames[below]
                low, high, best, index, count, left, whole = alpha, beta, -INFINITY - 1, 0, listed, depth, 1
                if not prune:
                    high = INFINITY
                frame.action, frame.hint, frame.scored, frame.length = NO_ACTION, NO_ACTION, 0, 0
                frame.stage, frame.fetched = FRESH, 1
                if selective:
                    frame.static, frame.extend, frame.urgent, frame.improving = static, 0, urgent, improving
                    if urgent:
                        frame.static = INFINITY  # not judged: what comes two plies later improves on nothing
                if quiescent:  # the player may also stand still
                    best, low, whole = static, max(alpha, static), 0
                elif ply == 0:
                    frame.scored = count  # the root's order is the driver's
                    if selective and scoring:
                        frame.hint, frame.scored = i64(actions[below, 0]), 0  # at least its first action
                elif judged and frame.excluded != NO_ACTION:
                    for i in range(count):
                        if actions[below, i] == frame.excluded:
                            actions[below, i] = actions[below, count - 1]
                            break
                    count -= 1
                else:
                    if hinted and hint != NO_ACTION:
                        # The table's action goes first, and often last: nothing else is scored until it has failed.
                        for i in range(count):
                            if actions[below, i] == hint:
                                actions[below, i] = actions[below, 0]
                                actions[below, 0] = hint
                                frame.hint = hint
                                break
                    if selective:
                        if (child.offers_pass_turn() and c.null_move != 0 and depth >= 3 and beta - alpha == 1 and static >= beta
                                and not urgent and not passed):
                            index = PASSING
                        if (c.singular != 0 and depth >= 7 and frame.hint != NO_ACTION and count > 1 and index == 0
                                and bound != UPPER and found >= depth - 3 and ply < 2 * frames[0].depth):
                            test = away(value_of(data), ply, spread)
                            if test > lost and test < -lost:
                                index = ALONE
                                frame.test = test - c.singular * depth * spread // 16
                frame.beta, frame.floor, frame.count, frame.depth, frame.player, frame.key = high, alpha, count, depth, player, key
                continue
            ply -= 1
            if ply < 0:
                break
            length = 0
        else:
            # ------------------------------------------------ Step 8: all is tried; the table remembers it, its parent is the node
            frame = frames[u64(ply)]
            value, complete = best, whole
            if use_table and left > 0 and (not judged or frame.excluded == NO_ACTION):
                bound = LOWER if value >= high else UPPER if value <= frame.floor else EXACT
                move = NO_ACTION if bound == UPPER else frame.action
                data = packed(away(value, -ply, spread), move, left, bound, complete, c.generation)
                store(table, frame.key, buckets, data, c.policy)
            if ply == 0:
                break
            length = frame.length
            ply -= 1
            frame = frames[u64(ply)]
            low, high, best, index = frame.alpha, frame.beta, frame.best, frame.index
            count, left, whole, flip = frame.count, frame.depth, frame.complete, frame.flip

        # ------------------------------------------------ Step 9: the node takes in the value of its child
        here = u64(ply)
        value *= flip
        if judged and index < 0:
            frame = frames[here]
            if index == PASSING:
                if value >= high:  # too good even without moving: believe it, but announce no win by it
                    best, whole, count, left = frame.static, 0, 0, 0
            else:
                frames[here + ONE].excluded = NO_ACTION
                if value < frame.test:
                    frame.extend = 1
                elif frame.test >= high:  # a second action is too good as well
                    best, whole, count, left = frame.test, 0, 0, 0
            index = 0
        elif not plain and frames[here].stage > OPEN and value > low and (frames[here].stage == REDUCED or value < high):
            # Better than thought: the same action again, deeper or with the whole window.
            c.researches += 1
            frames[here].stage = NARROW if frames[here].stage == REDUCED and narrow and high - low > 1 else FULL
        else:
            if value > best:
                best = value
                action = actions[here, u64(index)]
                frames[here].action = action
                if value > low:
                    low = value
                    if ply == 0 or (keep_lines and high - frames[here].floor > 1):
                        lines[here, 0] = action
                        for i in range(length):
                            lines[here, i + 1] = lines[here + ONE, i]
                        frames[here].length = length + 1
            if best >= high:
                whole = complete
                cutoffs += 1
                if index == 0:
                    first_cutoffs += 1
                if scoring and left > 0:
                    mover = frames[here].player
                    bonus = min(32 * left * left, HISTORY_MOST >> 3)
                    before = frames[here - ONE].move if ply > 0 else NO_ACTION
                    for i in range(index + 1):  # praise for this one, blame for those tried in vain before it
                        if (scores[here, i] + QUIET_MOST) >> ORDER_SHIFT == 0:  # the game's order knows the others
                            move = i64(actions[here, i])
                            at, pair = slot(move), reply_slot(before, move)
                            credit = bonus if i == index else -bonus
                            history[mover, at] = changed(history[mover, at], credit)
                            replies[pair] = i32(changed(i64(replies[pair]), credit))
                            if i == index and killers[here, 0] != move:
                                killers[here, 1] = killers[here, 0]
                                killers[here, 0] = move
                index = count
            else:
                whole &= complete
                index += 1
                if not plain:
                    frames[here].stage = FRESH

    if ply >= 0:
        frame = frames[u64(ply)]
        frame.alpha, frame.best, frame.index, frame.complete, frame.flip = low, best, index, whole, flip
    c.ply, c.nodes = ply, nodes
    c.leaves, c.cutoffs, c.first_cutoffs, c.probes, c.hits = leaves, cutoffs, first_cutoffs, probes, hits
    return status
