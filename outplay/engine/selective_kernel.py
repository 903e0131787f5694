"""The kernel that goes deeper where it matters and leaves out what hardly does: alpha-beta for games with an evaluation.

Null moves, reductions of late actions, futility, singular extensions, Multi-ProbCut, quiescence: each gives up the minimax value
for depth, as far as it is switched on. The loop and its shared steps are those of `exact_kernel` and `alphabeta_steps`; the steps
that decide what is searched how deep stand here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from outplay.engine.alphabeta_steps import (
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
    is_repetition,
    judgement,
    key_of,
    open_frame,
    proved,
    put_down,
    put_hash_move_first,
    remember,
    score_actions,
    take_in,
    take_up,
)
from outplay.engine.bounds import INFINITY, UPPER
from outplay.engine.endgame import look_up, worth_of
from outplay.engine.probcut import probe_window
from outplay.engine.table import NO_ACTION, action_of, bound_of, complete_of, depth_of, first_word, value_of
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
def begin_node(work: Any, child: Any, below: Any, ply: Any, alpha: Any, beta: Any, static: Any, urgent: Any, quiescent: Any,
               passed: Any, hash_move: Any, data: Any, lost: Any, selective: Any, control: Any) -> Any:
    """How an opened node starts: its best value, alpha, completeness, number of actions, and the first index."""
    frames, actions = work.frames, work.actions
    frame = frames[below]
    low, best, whole, count, index = alpha, -INFINITY - 1, 1, frame.count, i64(0)
    if quiescent:  # the player may also stand still
        best, low, whole = static, max(alpha, static), 0
    elif ply == 0:
        frame.scored = count  # the root's order is the driver's
        if selective and control.scoring != 0:
            frame.hash_move, frame.scored = i64(actions[below, 0]), 0  # at least its first action
    elif frame.excluded != NO_ACTION:
        for i in range(count):
            if actions[below, i] == frame.excluded:
                actions[below, i] = actions[below, count - 1]
                break
        count -= 1
        frame.count = count
    else:
        if control.by_table != 0 and hash_move != NO_ACTION:
            put_hash_move_first(work, below, count, hash_move)
        index = first_test(child, frame, frames[0].depth, ply, data, static, urgent, passed, alpha, beta, lost, control)
    return best, low, whole, count, index


@kernel
def run_selective(work: Any) -> Any:
    """The same for games with an evaluation, with all that gives up the minimax value for depth, as far as it is switched on."""
    states, frames, actions, table = work.states, work.frames, work.actions, work.table
    c = work.control[0]
    ply, until, earlier, last_ply, spread, utmost = c.ply, c.until, c.earlier, c.last_ply, c.spread, c.greatest
    prune, narrow, use_table, strict, scoring = c.prune != 0, c.narrow != 0, c.table != 0, c.strict != 0, c.scoring != 0
    nodes, leaves, cutoffs, first_cutoffs, probes, hits = c.nodes, c.leaves, c.cutoffs, c.first_cutoffs, c.probes, c.hits
    # Quiescence alone leaves the value of a depth what it is; the rest does not.
    selective = (
        c.null_move != 0 or c.reductions != 0 or c.futility != 0 or c.singular != 0 or c.beam != 0 or c.extensions != 0
        or c.probcut != 0
    )
    keep_lines = narrow or not use_table
    lost = spread - i64(c.scale * c.grain) * spread  # what is not above this is the end of the game
    low, high, best, index, count, left, whole, flip = c.alpha, c.beta, 0, 0, 1, c.depth + 1, 1, 1
    if ply >= 0:
        low, high, best, index, count, left, whole, flip = take_up(frames[u64(ply)])
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
                if verdict == STOP:  # the rest is never looked at
                    count = whole = 0
                    continue
                if verdict == SKIP:
                    best = max(best, frames[here].static + margin)
                    index += 1
                    frames[here].stage = FRESH
                    whole = 0
                    continue

            # ------------------------------------------------ Step 2: it is played; alpha, beta and depth are the child's
            if ply >= 0:
                copy_record(states, below, here)
                alpha, beta, depth, can_play, instead = make_move(work, below, index, low, high, left, selective, c)
                if not can_play:
                    index = instead
                    continue
            player = child.player()
            side = child.side(player)
            flip = 1
            if ply >= 0 and side != frames[here].side:
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
                # A check is answered before anything is judged (the horizon effect)
                if urgent and ply < 2 * frames[0].depth + EXTENDED_PLIES:
                    depth = max(depth, 0) + 1
            leaf = depth <= 0 or ply >= last_ply
            complete: Any = 0
            static: Any = 0
            hash_move, listed = NO_ACTION, 0
            key = u64(0)
            data = u64(0)
            looked_up = False
            known, value, more, settled = proved(child, alpha, beta, ply, over, c)
            if known:
                complete = 1
            nodes += more
            leaves += settled
            if child.offers_table_index() and c.endgame != 0 and not (known or over) and ply > 0:
                code = look_up(child, work.endgame, work.endgame_places)
                if code >= 0:
                    value, complete, known = worth_of(code, ply, utmost, spread), 1, True
                    leaves += 1

            # ------------------------------------------------ Step 3: repetitions and the table
            if child.offers_reversible() and leaf:
                work.path[earlier + ply] = u64(0)
            if not known and not over and not leaf and (use_table or child.offers_reversible()):
                key = key_of(work, child, below, c)
                if frames[below].excluded != NO_ACTION:
                    work.path[earlier + ply] = u64(0)  # the same position once more is no repetition here
                else:
                    if child.offers_reversible():
                        known = is_repetition(work, child, key, earlier + ply) and ply > 0 and index != PROBING
                    looked_up = use_table and not known
                    if looked_up:
                        prefetch(table, first_word(key, c.buckets))
            # The evaluation, at the edge and where selectivity asks for it; meanwhile the table's memory arrives. A game that does
            # not tell its end is judged after its actions are known.
            judging = leaf or (selective and (c.null_move != 0 or c.futility != 0 or c.probcut != 0) and not urgent)
            if judging and not known and not over and (not leaf or child.offers_is_terminal() or child.offers_forcing()):
                static = judgement(child, player, work.weights, c)
            if looked_up:
                probes += 1
                data, found, stored = consult(work, key, depth, ply, alpha, beta, strict, c)
                if bound_of(data) != 0:
                    hits += 1
                    hash_move = action_of(data)
                if found and (beta - alpha == 1 or not selective):
                    value, complete, known = stored, complete_of(data), True
                if selective and hash_move == NO_ACTION and depth >= UNKNOWN_PLIES and c.reductions != 0 and ply > 0:
                    depth -= 1  # internal iterative reduction: a shallower search is worth more for its hash move

            # ------------------------------------------------ Step 4: the actions; none means that the game is over
            if not known and not over:
                if ply == 0:
                    listed = c.root_count
                elif not leaf or not (child.offers_is_terminal() or child.offers_forcing()):
                    listed = child.actions(actions[below])
                    over = listed == 0
                    if listed > actions.shape[1]:
                        c.overrun = 1
                        break
            if over:
                value, complete, known = end_value(child, player, ply, c), 1, True
                leaves += 1

            # ------------------------------------------------ Step 5: what the evaluation is good for
            quiescent = improving = False
            if judging and not known:
                if leaf and not (child.offers_is_terminal() or child.offers_forcing()):
                    static = judgement(child, player, work.weights, c)
                if not leaf:
                    improving = ply >= 2 and static > frames[below - u64(2)].static
                    if c.futility != 0 and beta - alpha == 1 and ply > 0 and frames[below].excluded == NO_ACTION:
                        verdict = outside(static, improving, depth, alpha, beta, lost, c)
                        if verdict == STOP:
                            value, known = static, True
                        elif verdict == SKIP:
                            leaf, depth = True, 0
                if leaf:
                    leaves += 1
                    value, known = static, True
                    if child.offers_forcing() and c.quiescence != 0 and static < beta and ply < last_ply:
                        listed = child.forcing(actions[below])
                        quiescent = listed > 0
                        known = not quiescent

            # ------------------------------------------------ Step 6: a child without a value becomes the node; its parent rests
            if not known:
                passed = index == PASSING
                if ply > 0:
                    put_down(frames[here], low, best, index, whole, flip)
                    if scoring:
                        frames[here].move = i64(actions[here, index]) if index >= 0 else NO_ACTION
                frame = frames[below]
                high, left = beta if prune else INFINITY, depth
                open_frame(frame, alpha, high, listed, depth, side, key)
                # What is urgent is not judged: what comes two plies later improves on nothing.
                frame.static, frame.extend, frame.urgent, frame.improving = INFINITY if urgent else static, 0, urgent, improving
                best, low, whole, count, index = begin_node(work, child, below, ply, alpha, beta, static, urgent, quiescent, passed,
                                                            hash_move, data, lost, selective, c)  # fmt: skip
                continue
            ply -= 1
            if ply < 0:
                break
            length = 0
        else:
            # ------------------------------------------------ Step 7: all is tried; the table remembers it, its parent is the node
            value, complete = best, whole
            if use_table and left > 0 and frames[u64(ply)].excluded == NO_ACTION:
                remember(work, frames[u64(ply)], value, high, left, complete, ply, c)
            if ply == 0:
                break
            length = frames[u64(ply)].length
            ply -= 1
            low, high, best, index, count, left, whole, flip = take_up(frames[u64(ply)])

        # ------------------------------------------------ Step 8: the node takes in the value of its child
        here = u64(ply)
        value *= flip
        if index < 0:
            best, whole, index, count, left = after_test(frames, here, index, value, low, high, best, whole, count, left)
            continue
        if frames[here].stage > OPEN and value > low and (frames[here].stage == REDUCED or value < high):
            # Better than thought: the same action again, deeper or with the whole window.
            c.researches += 1
            frames[here].stage = NARROW if frames[here].stage == REDUCED and narrow and high - low > 1 else FULL
            continue
        is_first = index == 0
        low, best, whole, index, is_cut = take_in(work, ply, index, count, left, value, complete, low, high, best, whole, length,
                                                  keep_lines, scoring)  # fmt: skip
        cutoffs += is_cut
        first_cutoffs += is_cut and is_first
        frames[here].stage = FRESH

    if ply >= 0:
        put_down(frames[u64(ply)], low, best, index, whole, flip)
    c.ply, c.nodes = ply, nodes
    c.leaves, c.cutoffs, c.first_cutoffs, c.probes, c.hits = leaves, cutoffs, first_cutoffs, probes, hits
    return status
