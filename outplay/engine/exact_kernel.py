"""The kernel that finds the minimax value: alpha-beta as a loop, with a table, an order and narrow windows as far as switched on.

Its steps, and the contract of the value it ends with, stand in `alphabeta_steps`.
"""

from __future__ import annotations

from typing import Any

from outplay.engine.alphabeta_steps import (
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
from outplay.engine.bounds import EXACT, INFINITY, LOWER, UPPER
from outplay.engine.table import NO_ACTION, action_of, bound_of, complete_of, depth_of, first_word, probe, value_of
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
                frame.action = work.actions[here, u64(pick)]
    else:
        prefetch(work.table, first_word(key, control.buckets))
    return is_enough, stored, certain


@kernel
def run_exact(work: Any) -> Any:
    """Search until the root has its value (DONE) or `until` nodes are counted (RUNNING: call again to go on)."""
    states, frames, actions = work.states, work.frames, work.actions
    c = work.control[0]
    # Read once: the loop below writes to memory, after which the compiler would read a setting again. Counters are counted here,
    # too: a write to memory between two looks at a state makes the compiler look again.
    ply, until, earlier = c.ply, c.until, c.earlier
    prune, narrow, use_table, strict, scoring = c.prune != 0, c.narrow != 0, c.table != 0, c.strict != 0, c.scoring != 0
    nodes, leaves, cutoffs, first_cutoffs, probes, hits = c.nodes, c.leaves, c.cutoffs, c.first_cutoffs, c.probes, c.hits
    judged = states[0].offers_evaluate()  # a constant for the compiler
    plain = prune and not (scoring or narrow)  # the actions in the order they come, each with the whole window
    keep_lines = narrow or not use_table  # elsewhere the table knows the line, and few windows are as wide as these
    near = 1 if use_table else INFINITY  # children of deeper nodes only are looked up in the table
    usual = 0 if judged else AHEAD  # how many further children's entries are fetched
    # The node whose actions are tried: what changes with every child is in variables and goes into its frame only while one of
    # its children is the node, so that leaves, which most children are, cost no frame. A virtual parent with the root as its only
    # child starts the loop.
    low, high, best, index, count, left, whole, flip = c.alpha, c.beta, 0, 0, 1, c.depth + 1, 1, 1
    if ply >= 0:
        low, high, best, index, count, left, whole, flip = take_up(frames[u64(ply)])
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
                if scoring:
                    if frames[here].scored <= index:
                        score_actions(work, states[here], here, ply, count)
                    if ply > 0:  # the root's order is the driver's
                        bring_forward(work, here, index)
                frames[here].stage = FULL if prune else OPEN
                if index > 0 and left > 0 and narrow and high - low > 1:
                    frames[here].stage = NARROW

            # ------------------------------------------------ Step 2: it is played; alpha, beta and depth are the child's
            if ply >= 0:
                copy_record(states, below, here)
                pick = index
                everything = ply < c.enhanced
                ahead = ALL_AHEAD if everything else usual
                if ahead > 0 and left > near and frames[here].fetched < min(index + ahead + 1, count):
                    pick = frames[here].fetched
                child.play(actions[here, u64(pick)])
                if pick != index:
                    is_enough, stored, certain = look_ahead(work, child, ply, pick, left, high, everything, strict, c)
                    if is_enough:
                        best, whole, index, count = stored, certain, 0, 0
                        cutoffs += 1
                    continue
                if not plain:
                    if frames[here].stage == OPEN:
                        alpha, beta = -INFINITY, INFINITY
                    elif frames[here].stage == NARROW:
                        beta = alpha + 1
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
            leaf = depth <= 0
            complete: Any = 0
            hash_move, listed = NO_ACTION, 0
            key = u64(0)
            looked_up = False
            known, value, more, settled = proved(child, alpha, beta, ply, over, c)  # known: whether its value is
            if known:
                complete = 1
            nodes += more
            leaves += settled

            # ------------------------------------------------ Step 3: repetitions and the table
            if child.offers_reversible() and leaf:
                work.path[earlier + ply] = u64(0)  # an older line's key is no position of this one
            if not known and not over and not leaf and (use_table or child.offers_reversible()):
                key = key_of(work, child, below, c)
                if child.offers_reversible():
                    known = is_repetition(work, child, key, earlier + ply) and ply > 0
                looked_up = use_table and not known
            if looked_up:
                probes += 1
                data, found, stored = consult(work, key, depth, ply, alpha, beta, strict, c)
                if bound_of(data) != 0:
                    hits += 1
                    hash_move = action_of(data)
                if found:
                    value, complete, known = stored, complete_of(data), True

            # ------------------------------------------------ Step 4: the actions; none means that the game is over
            # Those worth trying, where the game tells them, with a quick proof: it knows of no distances.
            if child.offers_solving() and c.solving != 0 and not known and not over and ply > 0:
                listed, least, greatest = child.solving(actions[below])
                if c.proofs != 0:
                    least, greatest = i64((least - c.centre) * c.scale * c.grain), i64((greatest - c.centre) * c.scale * c.grain)
                    if least >= beta or greatest <= alpha:
                        value, complete, known = least if least >= beta else greatest, 1, True
                        leaves += 1
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
                value, complete, known = end_value(child, player, ply, c), 1, True
                leaves += 1
            elif leaf and not known:
                leaves += 1
                value, known = judgement(child, player, work.weights, c), True

            # ------------------------------------------------ Step 5: a child without a value becomes the node; its parent rests
            if not known:
                if ply > 0:
                    put_down(frames[here], low, best, index, whole, flip)
                    if scoring:
                        frames[here].move = i64(actions[here, index])
                low, high, best, index, count, left, whole = alpha, beta, -INFINITY - 1, 0, listed, depth, 1
                if not prune:
                    high = INFINITY
                open_frame(frames[below], alpha, high, count, depth, side, key)
                if ply == 0:
                    frames[below].scored = count
                elif c.by_table != 0 and hash_move != NO_ACTION:
                    put_hash_move_first(work, below, count, hash_move)
                continue
            ply -= 1
            if ply < 0:
                break
            length = 0
        else:
            # ------------------------------------------------ Step 6: all is tried; the table remembers it, its parent is the node
            value, complete = best, whole
            if use_table and left > 0:
                remember(work, frames[u64(ply)], value, high, left, complete, ply, c)
            if ply == 0:
                break
            length = frames[u64(ply)].length
            ply -= 1
            low, high, best, index, count, left, whole, flip = take_up(frames[u64(ply)])

        # ------------------------------------------------ Step 7: the node takes in the value of its child
        value *= flip
        if not plain and frames[u64(ply)].stage == NARROW and value > low and value < high:
            c.researches += 1  # better than thought: the same action again, with the whole window
            frames[u64(ply)].stage = FULL
            continue
        is_first = index == 0
        low, best, whole, index, is_cut = take_in(work, ply, index, count, left, value, complete, low, high, best, whole, length,
                                                  keep_lines, scoring)  # fmt: skip
        cutoffs += is_cut
        first_cutoffs += is_cut and is_first
        if not plain:
            frames[u64(ply)].stage = FRESH

    if ply >= 0:
        put_down(frames[u64(ply)], low, best, index, whole, flip)
    c.ply, c.nodes = ply, nodes
    c.leaves, c.cutoffs, c.first_cutoffs, c.probes, c.hits = leaves, cutoffs, first_cutoffs, probes, hits
    return status
