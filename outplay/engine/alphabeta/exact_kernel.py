"""The kernel that finds the minimax value: alpha-beta as a loop, with a table, an order and narrow windows as far as switched on.

Its steps, and the contract of the value it ends with, stand in `alphabeta_steps`.
"""

from __future__ import annotations

from typing import Any

from outplay.engine.alphabeta.bounds import EXACT, INFINITY, LOWER, UPPER
from outplay.engine.alphabeta.steps import (
    DONE,
    FRESH,
    FULL,
    NARROW,
    ONE,
    OPEN,
    RUNNING,
    away,
    bring_forward,
    consult,
    end_value,
    is_deep_enough,
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
from outplay.engine.alphabeta.table import NO_ACTION, action_of, bound_of, complete_of, depth_of, first_word, probe, value_of
from outplay.jit import always_inlined, copy_record, i64, kernel, prefetch, u64

AHEAD = 3  # so many actions before its turn, a child's place in the table is fetched from memory
ALL_AHEAD = 256  # near the root all of them are looked up before the first is searched


@always_inlined
def look_ahead(work: Any, child: Any, ply: Any, pick: Any, left: Any, high: Any, everything: Any, strict: Any, control: Any) -> Any:
    """A child played for its key alone: whether the table knows it to be good enough, its value, and whether that is complete.

    When its turn comes, its place in the table is there from memory. Where all are tried so beforehand (enhanced transposition
    cut-off), one that is good enough makes searching the others needless.
    """
    here = u64(ply)
    frame = work.frames[here]
    frame.fetched = pick + 1
    key = child.key()
    stored, certain = i64(0), i64(0)
    is_enough = False
    if everything:
        data = probe(work.table, key, control.buckets)
        bound = bound_of(data)
        same = child.side(child.player()) == frame.side
        if ((bound == EXACT or bound == (LOWER if same else UPPER))
                and is_deep_enough(depth_of(data), left - 1, complete_of(data), strict)):
            stored = away(value_of(data), ply + 1, control.spread) * (1 if same else -1)
            certain = complete_of(data)
            is_enough = stored >= high
            if is_enough:
                control.cutoffs += 1
                frame.action = work.actions[here, u64(pick)]
    else:
        prefetch(work.table, first_word(key, control.buckets))
    return is_enough, stored, certain


@always_inlined
def next_action(work: Any, here: Any, ply: Any, index: Any, count: Any, left: Any, low: Any, high: Any, scoring: Any,
                control: Any) -> None:
    """Bring the next action forward, and say with which window it is searched first."""
    frame = work.frames[here]
    if scoring:
        if frame.scored <= index:
            score_actions(work, work.states[here], here, ply, count)
        if ply > 0:  # the root's order is the driver's
            bring_forward(work, here, index)
    frame.stage = FULL if control.prune != 0 else OPEN
    if index > 0 and left > 0 and control.narrow != 0 and high - low > 1:
        frame.stage = NARROW


@always_inlined
def next_child(frame: Any, index: Any, count: Any, left: Any, ahead: Any, control: Any) -> Any:
    """Which action is played now: the next one, or a later one whose child's place in the table is fetched ahead of its turn."""
    near = 1 if control.table != 0 else INFINITY  # children of deeper nodes only are looked up in the table
    if ahead > 0 and left > near and frame.fetched < min(index + ahead + 1, count):
        return frame.fetched
    return index


@always_inlined
def worth_trying(work: Any, child: Any, below: Any, alpha: Any, beta: Any, control: Any) -> Any:
    """The actions that the game thinks worth trying, and whether its quick proof settles the window, by which value.

    The proof knows of no distances.
    """
    listed, least, greatest = child.solving(work.actions[below])
    known, value = False, i64(0)
    if control.proofs != 0:
        unit = control.scale * control.grain
        least, greatest = i64((least - control.centre) * unit), i64((greatest - control.centre) * unit)
        known = least >= beta or greatest <= alpha
        value = least if least >= beta else greatest
    return listed, known, value


@kernel
def run_exact(work: Any) -> Any:
    """Search until the root has its value (DONE) or `until` nodes are counted (RUNNING: call again to go on)."""
    states, frames, actions = work.states, work.frames, work.actions
    c = work.control[0]
    # Read once: the loop below writes to memory, after which the compiler would read a setting again.
    ply, until, nodes = c.ply, c.until, c.nodes
    prune, narrow, use_table, strict, scoring = c.prune != 0, c.narrow != 0, c.table != 0, c.strict != 0, c.scoring != 0
    plain = prune and not (scoring or narrow)  # the actions in the order they come, each with the whole window
    keep_lines = narrow or not use_table  # elsewhere the table knows the line, and few windows are as wide as these
    usual = 0 if states[0].offers_evaluate() else AHEAD  # how many further children's entries are fetched
    # The node whose actions are tried: what changes with every child is in variables and goes into its frame only while one of
    # its children is the node, so that leaves, which most children are, cost no frame.
    low, high, best, index, count, left, whole, flip = resume(frames, c)
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

            # ------------------------------------------------ Step 1: the next action, and with which window
            if not plain and ply >= 0 and frames[here].stage == FRESH:
                next_action(work, here, ply, index, count, left, low, high, scoring, c)

            # ------------------------------------------------ Step 2: it is played; alpha, beta and depth are the child's
            if ply >= 0:
                everything = ply < c.enhanced
                pick = next_child(frames[here], index, count, left, ALL_AHEAD if everything else usual, c)
                copy_record(states, below, here)
                child.play(actions[here, u64(pick)])
                if pick != index:
                    is_enough, stored, certain = look_ahead(work, child, ply, pick, left, high, everything, strict, c)
                    if is_enough:
                        best, whole, index, count = stored, certain, 0, 0
                    continue
                if not plain and frames[here].stage == OPEN:
                    alpha, beta = -INFINITY, INFINITY
                elif not plain and frames[here].stage == NARROW:
                    beta = alpha + 1
            player, side, alpha, beta, flip = seen_by(child, frames, ply, alpha, beta)
            ply += 1
            over = child.is_terminal() or child.is_drawn()
            leaf = depth <= 0
            known, value, more = proved(child, alpha, beta, ply, over, c)  # known: whether its value is
            nodes += 1 + more
            complete: Any = i64(known)

            # ------------------------------------------------ Step 3: repetitions and the table
            goes_on = not (known or over or leaf)
            data = u64(0)
            key, repeats = recognise(work, child, below, ply, goes_on, False, c)
            if repeats:
                known = True
            elif goes_on and use_table:
                data, known, value, complete = consult(work, key, depth, ply, alpha, beta, strict, c)

            # ------------------------------------------------ Step 4: the actions; none means that the game is over
            listed = 0
            if child.offers_solving() and c.solving != 0 and not (known or over) and ply > 0:
                listed, known, value = worth_trying(work, child, below, alpha, beta, c)
                complete = i64(known)
                c.leaves += known
            if not (known or over):
                listed, over = list_actions(work, child, below, ply, leaf, listed, c)
                if listed > actions.shape[1]:
                    c.overrun = 1
                    break
            if over:
                value, complete, known = end_value(child, player, ply, c), 1, True
                c.leaves += 1
            elif leaf and not known:
                value, complete, known = judgement(child, player, work.weights, c), 0, True
                c.leaves += 1

            # ------------------------------------------------ Step 5: a child without a value becomes the node; its parent rests
            if not known:
                put_parent_down(work, here, ply, low, best, index, whole, flip, scoring)
                low, high, best, index, count, left, whole = alpha, beta if prune else INFINITY, -INFINITY - 1, 0, listed, depth, 1
                open_frame(frames[below], alpha, high, count, depth, side, key)
                if ply == 0:
                    frames[below].scored = count
                elif c.by_table != 0 and action_of(data) != NO_ACTION:
                    put_hash_move_first(work, below, count, action_of(data))
                continue
            ply -= 1
            if ply < 0:
                break
            length = 0
        else:
            # ------------------------------------------------ Step 6: all is tried; the table remembers it, its parent is the node
            value, complete, length = best, whole, frames[u64(ply)].length
            if use_table and left > 0:
                remember(work, frames[u64(ply)], value, high, left, complete, ply, c)
            if ply == 0:
                break
            ply -= 1
            low, high, best, index, count, left, whole, flip = take_up(frames[u64(ply)])

        # ------------------------------------------------ Step 7: the node takes in the value of its child
        value *= flip
        if not plain:
            if frames[u64(ply)].stage == NARROW and value > low and value < high:
                c.researches += 1  # better than thought: the same action again, with the whole window
                frames[u64(ply)].stage = FULL
                continue
            frames[u64(ply)].stage = FRESH
        low, best, whole, index = take_in(work, ply, index, count, left, value, complete, low, high, best, whole, length,
                                          keep_lines, scoring)  # fmt: skip

    rest(frames, c, ply, nodes, low, best, index, whole, flip)
    return status
