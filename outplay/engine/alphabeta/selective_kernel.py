"""The kernel that goes deeper where it matters and leaves out what hardly does: alpha-beta for games with an evaluation.

Null moves, reductions of late actions, futility, singular extensions, Multi-ProbCut, quiescence: each gives up the minimax value
for depth, as far as it is switched on. The loop and its shared steps are those of `exact_kernel` and `alphabeta_steps`; the steps
that decide what is searched how deep stand here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from outplay.engine.alphabeta.bounds import INFINITY, UPPER
from outplay.engine.alphabeta.probcut import probe_window
from outplay.engine.alphabeta.steps import (
    DONE,
    FRESH,
    FULL,
    NARROW,
    ONE,
    OPEN,
    ORDER_SHIFT,
    QUIET_MOST,
    REDUCED,
    RUNNING,
    away,
    bring_forward,
    consult,
    end_value,
    judgement,
    list_actions,
    open_frame,
    proved,
    put_hash_move_first,
    put_parent_down,
    recognise,
    remember,
    rest,
    resume,
    score_actions,
    seen_by,
    take_in,
    take_up,
)
from outplay.engine.alphabeta.table import NO_ACTION, action_of, bound_of, depth_of, first_word, value_of
from outplay.engine.tables.endgame import SOME_LOSS, are_there_files, look_into, look_up, worth_of
from outplay.jit import always_inlined, copy_record, i64, kernel, prefetch, u64

# An index below 0 is no action: the null move, the test whether one action beats all others, and Multi-ProbCut's shallow look.
PASSING, ALONE, PROBING = -1, -2, -3

SEARCH, SKIP, STOP = 0, 1, 2  # what becomes of an action, or of a node

# Selectivity: plies and shares, found by matches of chess (benchmarks/chess_effects.py has what each is worth); the margins beside
# them are in points and come from `Options`, in hundredths of the game's stake.
LATE_PLIES = 8  # up to this depth, actions late in the order are not looked at (late move pruning)
LATE_FIRST = 3  # the first that may be left out, plus the depth squared; half as many where the evaluation does not improve
FUTILE_PLIES = 6  # up to this depth, a quiet action that cannot reach alpha even with the margin is left out
FUTILE_SHARE = 3  # the margin is futility * (depth + 1) * 2 / 3
REVERSE_PLIES = 8  # up to this depth, a node so far above beta is believed (reverse futility), by half the margin per ply
RAZOR_PLIES, RAZOR_SHARE = 2, 2  # up to this depth, a node so far below alpha goes to quiescence, by twice the margin per ply
NULL_PLIES, NULL_REDUCTION, NULL_SHARE, NULL_MOST = 3, 2, 4, 3  # least depth; plies less, plus depth / 4, plus 1 per null margin
UNKNOWN_PLIES = 4  # from this depth on, a node without a hash move is searched a ply less deep (internal iterative reduction)
REDUCED_PLIES, REDUCED_FIRST = 3, 2  # least depth and first place in the order of a late move reduction
REDUCED_HISTORY = 18  # bits: this much history is worth a ply of reduction
SINGULAR_PLIES, SINGULAR_TRUST, SINGULAR_SHARE = 7, 3, 16  # least depth; how shallow an entry may be; margin * depth / 16
EXTENDED_PLIES = 8  # extensions go no further than twice the root's depth and this

# How many plies less a late quiet action is searched, by depth and place in the order: logarithmic in both, as is usual.
_LOGARITHMS = np.log(np.maximum(1, np.arange(64)))
REDUCTION = np.floor(0.6 + np.outer(_LOGARITHMS, _LOGARITHMS) / 2.1).astype(np.int64)


@always_inlined
def pass_depth(frame: Any, high: Any, left: Any, control: Any) -> Any:
    """How deep the null move is searched: the less deep, the further the evaluation lies above beta."""
    above = (frame.static - high) // (control.null_move * control.spread)
    return left - 1 - (NULL_REDUCTION + left // NULL_SHARE + min(above, NULL_MOST))


@always_inlined
def plies_less(frame: Any, left: Any, index: Any, high: Any, top: Any) -> Any:
    """Late move reduction: less in wide windows and for actions with a good history, more where the evaluation does not improve."""
    less = REDUCTION[min(left, 63), min(index, 63)]
    if high - frame.floor > 1:
        less -= 1
    if frame.improving == 0:
        less += 1
    if top > QUIET_MOST:  # a killer
        less -= 1
    elif top >= -QUIET_MOST:
        less -= top >> REDUCED_HISTORY
    return min(less, left - 2)


@always_inlined
def prospect(frame: Any, ply: Any, index: Any, left: Any, low: Any, high: Any, best: Any, top: Any, quiet: Any, lost: Any,
             narrow: Any, control: Any) -> Any:
    """Whether an action that is not the first is searched, and the margin by which one that is skipped is short of alpha."""
    verdict = SEARCH
    hopeless = control.futility != 0 and quiet and ply > 0 and frame.urgent == 0 and best > lost
    margin = control.futility * (left + 1) * control.spread * 2 // FUTILE_SHARE
    is_late = high - frame.floor == 1 and left <= LATE_PLIES and index >= (LATE_FIRST + left * left) >> (1 - frame.improving)
    if (control.beam != 0 and index >= control.beam and ply > 0) or (hopeless and is_late):
        verdict = STOP
    elif hopeless and left <= FUTILE_PLIES and frame.static + margin <= low:
        verdict = SKIP
    else:
        if narrow and high - low > 1:
            frame.stage = NARROW
        if control.reductions != 0 and quiet and index >= REDUCED_FIRST and left >= REDUCED_PLIES and frame.urgent == 0:
            less = plies_less(frame, left, index, high, top)
            if less > 0:
                frame.less = less
                frame.stage = REDUCED
    return verdict, margin


@always_inlined
def outside(static: Any, improving: Any, depth: Any, alpha: Any, beta: Any, lost: Any, control: Any) -> Any:
    """Whether a node lies so far above the window that no quiet answer brings it back (STOP: the evaluation is believed), or so
    far below that only forcing actions can (SKIP: it goes to quiescence)."""
    verdict = SEARCH
    spread = control.spread
    if depth <= REVERSE_PLIES and static - control.futility * (depth - improving) * spread // 2 >= beta and beta > lost:
        verdict = STOP
    elif depth <= RAZOR_PLIES and static + RAZOR_SHARE * control.futility * depth * spread <= alpha and alpha < -lost:
        verdict = SKIP
    return verdict


@always_inlined
def first_test(child: Any, frame: Any, root_depth: Any, ply: Any, data: Any, static: Any, urgent: Any, passed: Any, alpha: Any,
               beta: Any, lost: Any, control: Any) -> Any:
    """What is tried before the actions: the null move, a test of the hash move, a shallow look, or nothing (0)."""
    index = 0
    depth, spread = frame.depth, control.spread
    if (child.offers_pass_turn() and control.null_move != 0 and depth >= NULL_PLIES and beta - alpha == 1
            and static >= beta and not urgent and not passed):
        index = PASSING
    if (control.singular != 0 and depth >= SINGULAR_PLIES and frame.hash_move != NO_ACTION and frame.count > 1 and index == 0
            and bound_of(data) != UPPER and depth_of(data) >= depth - SINGULAR_TRUST and ply < 2 * root_depth):
        test = away(value_of(data), ply, spread)
        if test > lost and test < -lost:
            index = ALONE
            frame.test = test - control.singular * depth * spread // SINGULAR_SHARE
    if control.probcut != 0 and beta - alpha == 1 and not urgent and not passed and abs(beta) < control.greatest - spread:
        frame.after, frame.probe, frame.period = index, 0, child.period()
        index = PROBING
    return index


@always_inlined
def after_test(frames: Any, here: Any, index: Any, value: Any, low: Any, high: Any, best: Any, whole: Any, count: Any,
               left: Any) -> Any:
    """What such a test says of the node: its best value, completeness, next index, number of actions and depth after it."""
    frame = frames[here]
    next_index = i64(0)
    if index == PROBING:
        # So far beyond the window that the deep search would be beyond it as well; otherwise the next look.
        if value >= frame.bar if frame.static >= high else value <= frame.bar:
            best, whole, count = high if frame.static >= high else low, 0, 0
        else:
            frame.probe += 1
            next_index = index
    elif index == PASSING:
        if value >= high:  # too good even without moving: believe it, but announce no win by it
            best, whole, count, left = frame.static, 0, 0, 0
    else:
        frames[here + ONE].excluded = NO_ACTION
        if value < frame.test:
            frame.extend = 1
        elif frame.test >= high:  # a second action is too good as well (multi-cut)
            best, whole, count, left = frame.test, 0, 0, 0
    return best, whole, next_index, count, left


@always_inlined
def next_action(work: Any, here: Any, ply: Any, index: Any, count: Any, left: Any, low: Any, high: Any, best: Any, lost: Any,
                selective: Any, control: Any) -> Any:
    """Bring the next action forward; whether it is searched and, where it is skipped, by which margin it is short of alpha."""
    frame = work.frames[here]
    frame.stage = FULL if control.prune != 0 else OPEN
    quiet = False
    top = margin = i64(0)
    verdict = SEARCH
    if control.scoring != 0:
        if frame.scored <= index:
            score_actions(work, work.states[here], here, ply, count)
        if ply > 0 or selective:
            top = bring_forward(work, here, index)
            quiet = top >> ORDER_SHIFT <= 0
    if index > 0 and left > 0:
        verdict, margin = prospect(frame, ply, index, left, low, high, best, top, quiet, lost, control.narrow != 0, control)
    return verdict, margin


@always_inlined
def make_move(work: Any, below: Any, index: Any, low: Any, high: Any, left: Any, selective: Any, control: Any) -> Any:
    """Play an action, or what a test plays: window and depth of the child, still as the parent sees them, and whether it can be
    played; where it cannot, the last is the index to go on with."""
    child, here = work.states[below], below - ONE
    frame = work.frames[here]
    alpha, beta, depth = low, high, left - 1
    can_play, instead = True, i64(0)
    if index >= 0:
        child.play(work.actions[here, u64(index)])
        if frame.stage == OPEN:
            alpha, beta = -INFINITY, INFINITY
        elif frame.stage > OPEN:
            beta = alpha + 1
            if frame.stage == REDUCED:
                depth -= frame.less
        if selective and frame.extend != 0 and index == 0:
            depth += 1
    elif index == PASSING:
        can_play = child.pass_turn()
        if can_play:
            alpha, depth = beta - 1, pass_depth(frame, high, left, control)
    elif index == PROBING:
        alpha, depth = probe_window(work.fits, frame, low, high, left, control)
        beta = alpha + 1
        can_play = depth >= 0
        if can_play:
            frame.bar = beta if frame.static >= high else alpha
        else:
            instead = frame.after
    else:
        work.frames[below].excluded = frame.hash_move
        alpha, beta, depth = frame.test - 1, frame.test, left // 2
    return alpha, beta, depth, can_play, instead


@always_inlined
def leave_out(frame: Any, verdict: Any, margin: Any, best: Any, index: Any, count: Any) -> Any:
    """An action that is not searched: best, index and count after it; STOP leaves out the rest as well."""
    if verdict == STOP:
        return best, index, i64(0)
    frame.stage = FRESH
    return max(best, frame.static + margin), index + 1, count


@always_inlined
def extended(child: Any, frames: Any, ply: Any, depth: Any, over: Any, selective: Any, control: Any) -> Any:
    """Whether a child is urgent, and its depth then: a check is answered before anything is judged (the horizon effect)."""
    urgent = False
    if child.offers_urgent() and selective and control.extensions != 0 and not over and ply > 0:
        urgent = child.urgent()
        if urgent and ply < 2 * frames[0].depth + EXTENDED_PLIES:
            depth = max(depth, 0) + 1
    return urgent, depth


@always_inlined
def tabled(endgame: Any, work: Any, below: Any, ply: Any, leaf: Any, control: Any) -> Any:
    """Whether the endgame tables know a child, its value, and whether that is exact. Files are slower than memory: the edge of the
    search does without."""
    if endgame is None:
        return False, i64(0), i64(0)
    code = look_up(work.states[below], endgame.numbers, endgame.places)
    if code < 0 and not leaf:
        code = look_into(endgame.files, work.states, work.actions, below)
    known = code >= 0
    value = i64(0)
    if known:
        value = worth_of(code, ply, control.greatest, control.spread)
        control.leaves += 1
    return known, value, i64(known and code < SOME_LOSS)


@always_inlined
def use_judgement(work: Any, child: Any, below: Any, ply: Any, static: Any, leaf: Any, depth: Any, listed: Any, alpha: Any,
                  beta: Any, lost: Any, control: Any) -> Any:
    """What the evaluation is good for: whether it is a child's value, else how deep the child is searched, how many actions it
    has, whether these are the forcing ones of quiescence, and whether the evaluation is better than two plies before."""
    frames = work.frames
    known, quiescent, improving = False, False, False
    if not leaf:
        improving = ply >= 2 and static > frames[below - u64(2)].static
        if control.futility != 0 and beta - alpha == 1 and ply > 0 and frames[below].excluded == NO_ACTION:
            verdict = outside(static, improving, depth, alpha, beta, lost, control)
            known = verdict == STOP
            if verdict == SKIP:
                leaf, depth = True, i64(0)
    if leaf:
        known = True
        control.leaves += 1
        if child.offers_forcing() and control.quiescence != 0 and static < beta and ply < control.last_ply:
            listed = child.forcing(work.actions[below])
            quiescent = listed > 0
            known = not quiescent
    return known, depth, listed, quiescent, improving


@always_inlined
def leave_one_out(work: Any, below: Any, count: Any) -> Any:
    """Take the excluded action from the list: how many are left."""
    actions = work.actions
    for i in range(count):
        if actions[below, i] == work.frames[below].excluded:
            actions[below, i] = actions[below, count - 1]
            break
    return count - 1


@always_inlined
def begin_node(work: Any, child: Any, below: Any, ply: Any, alpha: Any, beta: Any, static: Any, improving: Any, urgent: Any,
               quiescent: Any, passed: Any, data: Any, lost: Any, selective: Any, control: Any) -> Any:
    """How an opened node starts: its best value, alpha, completeness, number of actions, and the first index."""
    frame = work.frames[below]
    low, best, whole, count, index = alpha, -INFINITY - 1, 1, frame.count, i64(0)
    # What is urgent is not judged: what comes two plies later improves on nothing.
    frame.static, frame.extend, frame.urgent, frame.improving = INFINITY if urgent else static, 0, urgent, improving
    if quiescent:  # the player may also stand still
        best, low, whole = static, max(alpha, static), 0
    elif ply == 0:
        frame.scored = count  # the root's order is the driver's
        if selective and control.scoring != 0:
            frame.hash_move, frame.scored = i64(work.actions[below, 0]), 0  # at least its first action
    elif frame.excluded != NO_ACTION:
        count = leave_one_out(work, below, count)
        frame.count = count
    else:
        if control.by_table != 0 and action_of(data) != NO_ACTION:
            put_hash_move_first(work, below, count, action_of(data))
        index = first_test(child, frame, work.frames[0].depth, ply, data, static, urgent, passed, alpha, beta, lost, control)
    return best, low, whole, count, index


@always_inlined
def again(frame: Any, value: Any, low: Any, high: Any, control: Any) -> Any:
    """Whether a child is better than thought, so that its action is searched again: deeper or with the whole window."""
    if frame.stage > OPEN and value > low and (frame.stage == REDUCED or value < high):
        control.researches += 1
        frame.stage = NARROW if frame.stage == REDUCED and control.narrow != 0 and high - low > 1 else FULL
        return True
    frame.stage = FRESH
    return False


@kernel
def run_selective(work: Any) -> Any:
    """The same for games with an evaluation, with all that gives up the minimax value for depth, as far as it is switched on."""
    states, frames, actions = work.states, work.frames, work.actions
    c = work.control[0]
    ply, until, nodes, last_ply = c.ply, c.until, c.nodes, c.last_ply
    prune, narrow, use_table, strict, scoring = c.prune != 0, c.narrow != 0, c.table != 0, c.strict != 0, c.scoring != 0
    # Quiescence alone leaves the value of a depth what it is; the rest does not.
    looks_at_static = c.null_move != 0 or c.futility != 0 or c.probcut != 0
    selective = looks_at_static or c.reductions != 0 or c.singular != 0 or c.beam != 0 or c.extensions != 0
    keep_lines = narrow or not use_table
    # What is not above this is the end of the game, or lost by a table.
    lost = (1 + are_there_files(work.endgame) - i64(c.scale * c.grain)) * c.spread
    tells_end = states[0].offers_is_terminal() or states[0].offers_forcing()  # other games are judged when their actions are known
    low, high, best, index, count, left, whole, flip = resume(frames, c)
    status = DONE

    while True:
        if index < count:
            if nodes >= until:
                status = RUNNING
                break
            below = u64(ply + 1)
            here = below - ONE
            child = states[below]
            alpha, beta, depth = low, high, left - 1

            # ------------------------------------------------ Step 1: the next action, whether to search it at all, and how
            if ply >= 0 and index >= 0 and frames[here].stage == FRESH:
                verdict, margin = next_action(work, here, ply, index, count, left, low, high, best, lost, selective, c)
                if verdict != SEARCH:
                    best, index, count = leave_out(frames[here], verdict, margin, best, index, count)
                    whole = 0
                    continue

            # ------------------------------------------------ Step 2: it is played; alpha, beta and depth are the child's
            if ply >= 0:
                copy_record(states, below, here)
                alpha, beta, depth, can_play, instead = make_move(work, below, index, low, high, left, selective, c)
                if not can_play:
                    index = instead
                    continue
            player, side, alpha, beta, flip = seen_by(child, frames, ply, alpha, beta)
            ply += 1
            over = child.is_terminal() or child.is_drawn()
            urgent, depth = extended(child, frames, ply, depth, over, selective, c)
            leaf = depth <= 0 or ply >= last_ply
            known, value, more = proved(child, alpha, beta, ply, over, c)
            nodes += 1 + more
            complete: Any = i64(known)
            if not (known or over) and ply > 0:
                known, value, complete = tabled(work.endgame, work, below, ply, leaf, c)

            # ------------------------------------------------ Step 3: repetitions, the evaluation and the table
            data, static, listed, quiescent, improving = u64(0), i64(0), i64(0), False, False
            is_again = frames[below].excluded != NO_ACTION
            goes_on = not (known or over or leaf)
            key, repeats = recognise(work, child, below, ply, goes_on, is_again, c)
            known = known or (repeats and index != PROBING)
            looks_up = use_table and goes_on and not (known or is_again)
            if looks_up:
                prefetch(work.table, first_word(key, c.buckets))
            judging = leaf or (looks_at_static and not urgent)  # at the edge and where selectivity asks for it
            if judging and not (known or over) and (tells_end or not leaf):  # meanwhile the table's memory arrives
                static = judgement(child, player, work.weights, c)
            if looks_up:
                data, found, stored, certain = consult(work, key, depth, ply, alpha, beta, strict, c)
                if found and (beta - alpha == 1 or not selective):
                    value, complete, known = stored, certain, True
                if c.reductions != 0 and action_of(data) == NO_ACTION and depth >= UNKNOWN_PLIES and ply > 0:
                    depth -= 1  # internal iterative reduction: a shallower search is worth more for its hash move

            # ------------------------------------------------ Step 4: the actions, and what the evaluation is good for
            if not (known or over):
                listed, over = list_actions(work, child, below, ply, leaf, listed, c)
                if listed > actions.shape[1]:
                    c.overrun = 1
                    break
            if over:
                value, complete, known = end_value(child, player, ply, c), 1, True
                c.leaves += 1
            elif judging and not known:
                if leaf and not tells_end:
                    static = judgement(child, player, work.weights, c)
                value = static
                known, depth, listed, quiescent, improving = use_judgement(work, child, below, ply, static, leaf, depth, listed,
                                                                           alpha, beta, lost, c)  # fmt: skip

            # ------------------------------------------------ Step 5: a child without a value becomes the node; its parent rests
            if not known:
                passed = index == PASSING
                put_parent_down(work, here, ply, low, best, index, whole, flip, scoring)
                high, left = beta if prune else INFINITY, depth
                open_frame(frames[below], alpha, high, listed, depth, side, key)
                best, low, whole, count, index = begin_node(work, child, below, ply, alpha, beta, static, improving, urgent,
                                                            quiescent, passed, data, lost, selective, c)  # fmt: skip
                continue
            ply -= 1
            if ply < 0:
                break
            length = 0
        else:
            # ------------------------------------------------ Step 6: all is tried; the table remembers it, its parent is the node
            value, complete, length = best, whole, frames[u64(ply)].length
            if use_table and left > 0 and frames[u64(ply)].excluded == NO_ACTION:
                remember(work, frames[u64(ply)], value, high, left, complete, ply, c)
            if ply == 0:
                break
            ply -= 1
            low, high, best, index, count, left, whole, flip = take_up(frames[u64(ply)])

        # ------------------------------------------------ Step 7: the node takes in the value of its child
        value *= flip
        if index < 0:
            best, whole, index, count, left = after_test(frames, u64(ply), index, value, low, high, best, whole, count, left)
        elif not again(frames[u64(ply)], value, low, high, c):
            low, best, whole, index = take_in(work, ply, index, count, left, value, complete, low, high, best, whole, length,
                                              keep_lines, scoring)  # fmt: skip

    rest(frames, c, ply, nodes, low, best, index, whole, flip)
    return status
