"""The one search kernel: alpha-beta over an explicit stack of frames, for any compiled two-player zero-sum game without chance.

Knuth and Moore's alpha-beta (1975), fail-soft, as a loop: a node is entered, its actions are tried one after another, and it is
left with a value. Principal variation search (Marsland and Campbell 1982) is the same loop with narrow windows for later
actions; MTD(f) and best node search are drivers that call it with windows of width one (see `algorithms`); plain minimax is the
loop with pruning switched off. There is no recursion, so the search can stop anywhere and go on later: everything it knows lies
in the arrays of a `Workspace`.

Contract of `run`, with s the value of the root at the depth asked for, for the player to move, and v the value it ends with:
alpha < v < beta means s = v; v <= alpha means s <= v; v >= beta means s >= v. (Selectivity, when switched on, gives that up.)

Values are whole numbers: points of the game times `spread`. With distances switched on, `spread` is 1024 and an end of the game
counts one less for each ply it is away, so that a quick win beats a slow one; `spread` 1 leaves plain points.

Each of the rules' methods is called at one place only: the compiler inlines it there, and a second place would cost its
compile time again.
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
    packed,
    probe,
    store,
    value_of,
)
from outplay.jit import i32, i64, inlined, kernel, mix, u64

ONE = u64(1)
INFINITY = 2**31 - 2
SPREAD = 1024  # points of the kernel in one point of the game when distances count; also more than the plies of any line
MOST_POINTS = 2_000_000  # an evaluation is cut to this, so that with distances it still fits into 32 bits

ENTER, LEAVE, NEXT = 0, 1, 2  # what the loop does next
RUNNING, DONE = 0, 1  # why it returned

FRESH, FULL, NARROW, REDUCED = 0, 1, 2, 3  # how a child is searched: undecided, whole window, width one, also less deep
PASSING, ALONE = -1, -2  # an index below 0 is no action: the null move, and the test whether one action beats all others

SLOTS = 4096  # of the history and counter-move tables; actions beyond share them
HISTORY_MOST = 1 << 18  # history stays between this and its negative: each bonus is the smaller, the nearer it is already
ORDER_SHIFT = 24  # the game's own order outranks killers, and these outrank history
KILLER, SECOND_KILLER, COUNTER = 3 << 21, 2 << 21, 1 << 21

# How many plies less a late quiet action is searched, by depth and place in the order.
_LOGARITHMS = np.log(np.maximum(1, np.arange(64)))
REDUCTION = np.floor(0.6 + np.outer(_LOGARITHMS, _LOGARITHMS) / 2.1).astype(np.int64)

FRAME_FIELDS = (
    "alpha", "beta", "floor", "best", "action", "index", "count", "depth", "player", "flip", "complete", "length",
    "hint", "scored", "stage", "move", "static", "test", "extend", "excluded", "urgent",
    "improving", "less",
)  # fmt: skip
FRAME = np.dtype((np.record, [*((name, np.int64) for name in FRAME_FIELDS), ("key", np.uint64)]))

CONTROL_FIELDS = (
    # where the loop stands
    "ply", "alpha", "beta", "depth", "value", "complete", "mode",
    # how far it may go, and what it counted
    "until", "nodes", "leaves", "cutoffs", "first_cutoffs", "probes", "hits", "researches", "fractional",
    # the root's actions stand ready in the buffer; so many keys of earlier positions stand before the root's in `path`
    "root_count", "earlier",
    # sizes and values
    "most", "last_ply", "spread", "middle", "greatest",
    # what is switched on
    "prune", "narrow", "table", "strict", "policy", "generation", "scoring", "by_table", "by_order", "by_killers", "by_history",
    "by_counters", "noise", "candidates", "outlook", "symmetry", "quiescence", "extensions",
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
    """Where the history and counter-move tables keep an action."""
    return action & (SLOTS - 1)


@kernel
def run(states: Any, frames: Any, control: Any, actions: Any, scores: Any, table: Any, killers: Any, history: Any, counters: Any,
        lines: Any, path: Any, weights: Any) -> Any:
    """Search until the root has its value (DONE) or `until` nodes are counted (RUNNING: call again to go on)."""
    c = control[0]
    last_ply, spread, scale = c.last_ply, c.spread, c.scale
    unit = i64(scale) * spread  # of utility
    prune, narrow, use_table, strict, scoring = c.prune != 0, c.narrow != 0, c.table != 0, c.strict != 0, c.scoring != 0
    until, buckets, earlier = c.until, c.buckets, c.earlier
    ply, alpha, beta, depth, value, complete, mode, nodes = c.ply, c.alpha, c.beta, c.depth, c.value, c.complete, c.mode, c.nodes
    # Read once: the loop below writes to memory, after which the compiler would read a setting again.
    hinted, quick_proofs = c.by_table != 0, c.outlook != 0
    # Without an evaluation every search is exact: a constant for the compiler, which then leaves all selectivity out.
    judged = states[0].offers_evaluate()
    selective = judged and (
        c.null_move != 0 or c.reductions != 0 or c.futility != 0 or c.singular != 0 or c.beam != 0 or c.extensions != 0
    )
    keep_lines = narrow or not use_table  # elsewhere the table knows the line, and few windows are as wide as these
    spare = len(states) - 1
    # Counted here, too: a write to memory between two looks at a state makes the compiler look again.
    leaves, cutoffs, first_cutoffs, probes, hits = c.leaves, c.cutoffs, c.first_cutoffs, c.probes, c.hits
    lost, greatest = spread - unit, c.greatest  # what is not above `lost` is the end of the game

    while True:
        # ------------------------------------------------ Step 1: a node is entered with alpha, beta and depth
        if mode == ENTER:
            if nodes >= until:
                break
            nodes += 1
            here = u64(ply)
            state = states[here]
            frame = frames[here]
            frame.length = 0
            player = state.player()
            over = state.is_terminal()
            urgent = False
            if state.offers_urgent() and selective and c.extensions != 0 and not over and ply > 0:
                urgent = state.urgent()
                if urgent and ply < 2 * frames[0].depth + 8:  # a check is answered before anything is judged (the horizon effect)
                    depth = max(depth, 0) + 1
            leaf = depth <= 0 or ply >= last_ply
            mode = NEXT
            hint, bound, found, count = NO_ACTION, 0, 0, 0
            static: Any = 0
            key = u64(0)
            data = u64(0)
            # No line from here on is worth more than a win at once or less than a loss at once (mate distance)
            if judged and spread > 1 and ply > 0 and not over and (alpha >= greatest - ply or beta <= ply - greatest):
                value, complete, mode = greatest - ply if alpha >= greatest - ply else ply - greatest, 1, LEAVE

            # Step 2: repetitions and the table
            if state.offers_repeatable() and leaf:
                path[earlier + ply] = u64(0)  # an older line's key is no position of this one
            if mode == NEXT and not over and not leaf and (use_table or state.offers_repeatable()):
                if state.offers_canonical() and c.symmetry != 0:
                    states[spare] = states[here]
                    states[spare].canonical()
                    key = states[spare].key()
                else:
                    key = state.key()
                if judged and frame.excluded != NO_ACTION:
                    path[earlier + ply] = u64(0)  # the same position once more is no repetition here
                else:
                    if state.offers_repeatable():
                        path[earlier + ply] = key
                        if ply > 0:
                            for back in range(1, min(state.repeatable(), earlier + ply) + 1):
                                if path[earlier + ply - back] == key:
                                    value, complete, mode = 0, 0, LEAVE
                                    break
                    if use_table and mode == NEXT:
                        probes += 1
                        data = probe(table, key, buckets)
                        bound = bound_of(data)
                        if bound != 0:
                            hits += 1
                            hint = action_of(data)
                            found = depth_of(data)
                            certain = complete_of(data)
                            if found == depth or (not strict and found > depth) or (certain != 0 and (not strict or found < depth)):
                                known = away(value_of(data), ply, spread)
                                if ply > 0 and (beta - alpha == 1 or not selective) and (
                                    bound == EXACT or (bound == LOWER and known >= beta) or (bound == UPPER and known <= alpha)
                                ):
                                    value, complete, mode = known, certain, LEAVE
                        if selective and hint == NO_ACTION and depth >= 4 and c.reductions != 0 and ply > 0:
                            depth -= 1  # no idea what to try first: a shallower search is worth more for its hint

            # A quick proof, where the game has one: it knows of no distances
            if state.offers_outlook() and quick_proofs and mode == NEXT and not over and ply > 0:
                least, greatest = state.outlook()
                if least * scale >= beta or greatest * scale <= alpha:
                    value = i64((least if least * scale >= beta else greatest) * scale)
                    complete, mode = 1, LEAVE
                    leaves += 1

            # Step 3: the actions; none means that the game is over
            if mode == NEXT and not over:
                if ply == 0:
                    count = c.root_count
                elif not leaf or not state.offers_is_terminal():
                    if state.offers_candidates() and c.candidates != 0:
                        count = state.candidates(actions[here])
                    else:
                        count = state.actions(actions[here])
                    over = count == 0
            if over:
                utility = state.utility(player)
                value = i64(utility)
                if value != utility:
                    c.fractional = 1
                value *= unit
                if spread > 1:
                    if value > 0:
                        value -= ply
                    elif value < 0:
                        value += ply
                complete, mode = 1, LEAVE
                leaves += 1

            # Step 4: the evaluation, at the edge of the search and where selectivity asks for it
            quiescent = improving = False
            if mode == NEXT and (leaf or (selective and (c.null_move != 0 or c.futility != 0) and not urgent)):
                if state.offers_evaluate():
                    static = i64(np.floor(state.evaluate(player, weights) + 0.5))
                    static = min(max(static, -MOST_POINTS), MOST_POINTS) * spread
                else:
                    static = c.middle if player == 0 else -c.middle
                if not leaf:
                    improving = ply >= 2 and static > frames[here - u64(2)].static
                    if c.futility != 0 and beta - alpha == 1 and ply > 0 and frame.excluded == NO_ACTION:
                        if depth <= 8 and static - c.futility * (depth - improving) * spread // 2 >= beta and beta > lost:
                            # So far above the window that no quiet answer brings it back.
                            value, complete, mode = static, 0, LEAVE
                        elif depth <= 2 and static + 2 * c.futility * depth * spread <= alpha and alpha < -lost:
                            leaf, depth = True, 0  # so far below that only captures and the like can bring it back (razoring)
                if leaf:
                    leaves += 1
                    value, complete, mode = static, 0, LEAVE
                    if state.offers_noisy() and c.quiescence != 0 and static < beta and ply < last_ply:
                        count = state.noisy(actions[here])
                        if count > 0:
                            quiescent, mode = True, NEXT

            # Step 5: the node gets its frame
            if mode == NEXT:
                frame.alpha, frame.beta, frame.floor, frame.best, frame.action = alpha, beta, alpha, -INFINITY - 1, NO_ACTION
                frame.index, frame.count, frame.depth, frame.player, frame.complete = 0, count, depth, player, 1
                frame.hint, frame.scored, frame.key, frame.stage = NO_ACTION, 0, key, FRESH
                if selective:
                    frame.static, frame.extend, frame.urgent, frame.improving = static, 0, urgent, improving
                    if urgent:
                        frame.static = INFINITY  # not judged: what comes two plies later improves on nothing
                if quiescent:  # the player may also stand still
                    frame.best, frame.alpha, frame.complete = static, max(alpha, static), 0
                elif ply == 0:
                    frame.scored = count  # the root's order is the driver's
                    if selective and scoring:
                        frame.hint, frame.scored = i64(actions[here, 0]), 0  # at least its first action
                elif judged and frame.excluded != NO_ACTION:
                    for i in range(count):
                        if actions[here, i] == frame.excluded:
                            actions[here, i] = actions[here, count - 1]
                            break
                    frame.count = count - 1
                else:
                    if hinted and hint != NO_ACTION:
                        # The table's action goes first, and often last: nothing else is scored until it has failed.
                        for i in range(count):
                            if actions[here, i] == hint:
                                actions[here, i] = actions[here, 0]
                                actions[here, 0] = i32(hint)
                                frame.hint = hint
                                break
                    if selective:
                        if (state.offers_pass_turn() and c.null_move != 0 and depth >= 3 and beta - alpha == 1 and static >= beta
                                and not urgent and frames[here - ONE].index != PASSING):
                            frame.index = PASSING
                        if (c.singular != 0 and depth >= 7 and frame.hint != NO_ACTION and count > 1 and frame.index == 0
                                and bound != UPPER and found >= depth - 3 and ply < 2 * frames[0].depth):
                            test = away(value_of(data), ply, spread)
                            if test > lost and test < -lost:
                                frame.index = ALONE
                                frame.test = test - c.singular * depth * spread // 16

        # ------------------------------------------------ Step 6: a node is left with its value; its parent takes it in
        if mode == LEAVE:
            if ply == 0:
                break
            ply -= 1
            here = u64(ply)
            frame = frames[here]
            value *= frame.flip
            mode = NEXT
            if judged and frame.index < 0:
                if frame.index == PASSING:
                    if value >= frame.beta:  # too good even without moving: believe it, but announce no win by it
                        value, complete, mode = frame.static, 0, LEAVE
                else:
                    frames[here + ONE].excluded = NO_ACTION
                    if value < frame.test:
                        frame.extend = 1
                    elif frame.test >= frame.beta:  # a second action is too good as well
                        value, complete, mode = frame.test, 0, LEAVE
                frame.index = 0
            elif frame.stage > FULL and value > frame.alpha and (frame.stage == REDUCED or value < frame.beta):
                # Better than thought: the same action again, deeper or with the whole window.
                c.researches += 1
                frame.stage = NARROW if frame.stage == REDUCED and narrow and frame.beta - frame.alpha > 1 else FULL
            else:
                if value > frame.best:
                    frame.best = value
                    frame.action = frame.move
                    if value > frame.alpha:
                        frame.alpha = value
                        if (keep_lines and frame.beta - frame.floor > 1) or ply == 0:
                            lines[here, 0] = frame.move
                            length = frames[here + ONE].length
                            for i in range(length):
                                lines[here, i + 1] = lines[here + ONE, i]
                            frame.length = length + 1
                if prune and frame.best >= frame.beta:
                    frame.complete = complete
                    cutoffs += 1
                    if frame.index == 0:
                        first_cutoffs += 1
                    if scoring and frame.depth > 0:
                        bonus = min(32 * frame.depth * frame.depth, HISTORY_MOST >> 3)
                        for i in range(frame.index + 1):  # praise for this one, blame for those tried in vain before it
                            if (scores[here, i] + HISTORY_MOST) >> ORDER_SHIFT == 0:
                                at = slot(i64(actions[here, i]))
                                known = history[frame.player, at]
                                if i < frame.index:
                                    history[frame.player, at] = known - bonus - known * bonus // HISTORY_MOST
                                else:
                                    history[frame.player, at] = known + bonus - known * bonus // HISTORY_MOST
                        if (scores[here, frame.index] + HISTORY_MOST) >> ORDER_SHIFT == 0:  # the game's order knows the others
                            action = frame.move
                            if killers[here, 0] != action:
                                killers[here, 1] = killers[here, 0]
                                killers[here, 0] = action
                            if ply > 0:
                                counters[frame.player, slot(frames[here - ONE].move)] = action
                    frame.index = frame.count
                else:
                    frame.complete &= complete
                    frame.index += 1
                    frame.stage = FRESH

        # ------------------------------------------------ Step 7: the next action of a node, or its end
        if mode == NEXT:
            here = u64(ply)  # unsigned: the compiler need not ask whether an index counts from the end
            frame = frames[here]
            state = states[here]
            index, count = frame.index, frame.count
            quiet = False
            if (not judged or index >= 0) and index < count and frame.stage == FRESH:
                frame.stage = FULL
                top = i64(0)
                if scoring:
                    if frame.scored <= index:
                        first = frame.scored
                        frame.scored = 1 if first == 0 and frame.hint != NO_ACTION else count
                        for i in range(first, frame.scored):
                            action = i64(actions[here, i])
                            score: Any = 0
                            if state.offers_order() and c.by_order != 0:
                                score = i64(state.order(actions[here, i])) << ORDER_SHIFT
                            if c.by_killers != 0:
                                if killers[here, 0] == action:
                                    score += KILLER
                                elif killers[here, 1] == action:
                                    score += SECOND_KILLER
                            if c.by_counters != 0 and ply > 0 and counters[frame.player, slot(frames[here - ONE].move)] == action:
                                score += COUNTER
                            if c.by_history != 0:
                                score += history[frame.player, slot(action)]
                            if c.noise != 0:  # helper threads try equals in another order
                                score += i64(mix(u64(action) ^ frame.key ^ u64(c.noise)) >> u64(62))
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
                if index > 0 and frame.depth > 0 and not selective:
                    if narrow and frame.beta - frame.alpha > 1:
                        frame.stage = NARROW
                elif index > 0 and frame.depth > 0:
                    hopeless = c.futility != 0 and quiet and ply > 0 and frame.urgent == 0 and frame.best > lost
                    margin = c.futility * (frame.depth + 1) * spread * 2 // 3
                    if c.beam != 0 and index >= c.beam and ply > 0:
                        count = 0  # beam: the rest is never looked at
                        frame.complete = 0
                    elif (hopeless and frame.beta - frame.floor == 1 and frame.depth <= 8
                            and index >= (3 + frame.depth * frame.depth) >> (1 - frame.improving)):
                        count = 0  # so late in the order, so near to the leaves: the rest is not looked at
                        frame.complete = 0
                    elif hopeless and frame.depth <= 6 and frame.static + margin <= frame.alpha:
                        frame.best = max(frame.best, frame.static + margin)
                        frame.index += 1
                        frame.stage = FRESH
                        frame.complete = 0
                        continue
                    elif c.reductions != 0 and quiet and index >= 2 and frame.depth >= 3 and frame.urgent == 0:
                        less = REDUCTION[min(frame.depth, 63), min(index, 63)]
                        if frame.beta - frame.floor > 1:
                            less -= 1
                        if frame.improving == 0:
                            less += 1
                        if top > HISTORY_MOST:  # a killer or the answer that was good before
                            less -= 1
                        elif top >= -HISTORY_MOST:
                            less -= top >> 17
                        less = min(less, frame.depth - 2)
                        if less > 0:
                            frame.less = less
                            frame.stage = REDUCED
                        elif narrow and frame.beta - frame.alpha > 1:
                            frame.stage = NARROW
                    elif narrow and frame.beta - frame.alpha > 1:
                        frame.stage = NARROW
            if index < count:
                mode = ENTER
                states[here + ONE] = states[here]
                child = states[here + ONE]
                alpha, beta, depth = frame.alpha, frame.beta, frame.depth - 1
                if not judged or index >= 0:
                    frame.move = actions[here, index]
                    child.play(actions[here, index])
                    if frame.stage > FULL:
                        beta = alpha + 1
                        if frame.stage == REDUCED:
                            depth -= frame.less
                    elif not prune:
                        alpha, beta = -INFINITY, INFINITY
                    if selective and frame.extend != 0 and index == 0:
                        depth += 1
                elif index == PASSING:
                    frame.move = NO_ACTION
                    if not child.pass_turn():
                        frame.index = 0
                        mode = NEXT
                        continue
                    alpha = beta - 1
                    depth -= 2 + frame.depth // 4 + min((frame.static - frame.beta) // (256 * spread), 3)
                else:
                    frame.move = NO_ACTION
                    frames[here + ONE].excluded = frame.hint
                    alpha, beta, depth = frame.test - 1, frame.test, frame.depth // 2
                if child.player() == frame.player:
                    frame.flip = 1
                else:
                    frame.flip = -1
                    swap = alpha
                    alpha = -beta
                    beta = -swap
                ply += 1
            else:
                # Step 8: all is tried; the table remembers it
                mode = LEAVE
                value, complete = frame.best, frame.complete
                if use_table and frame.depth > 0 and (not judged or frame.excluded == NO_ACTION):
                    bound = LOWER if value >= frame.beta else UPPER if value <= frame.floor else EXACT
                    action = NO_ACTION if bound == UPPER else frame.action
                    data = packed(away(value, -ply, spread), action, frame.depth, bound, complete, c.generation)
                    store(table, frame.key, buckets, data, c.policy)

    c.ply, c.alpha, c.beta, c.depth, c.value, c.complete, c.mode, c.nodes = ply, alpha, beta, depth, value, complete, mode, nodes
    c.leaves, c.cutoffs, c.first_cutoffs, c.probes, c.hits = leaves, cutoffs, first_cutoffs, probes, hits
    if mode == ENTER:
        return RUNNING
    return DONE
