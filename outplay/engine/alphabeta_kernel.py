"""The kernels of the alpha-beta family: one loop over an explicit stack of frames, for any compiled game of two opposed sides.

Knuth and Moore's alpha-beta (1975), fail-soft, as a loop: the next action of a node is played; a child that is a leaf or known to
the table is taken in at once, any other becomes the node itself until all of its actions are tried. Principal variation search
(Marsland and Campbell 1982) is the same loop with narrow windows for later actions; MTD(f) and best node search are drivers that
call it with windows of width one (see `algorithms`); plain minimax is the loop with pruning switched off. There is no recursion,
so the search can stop anywhere and go on later: everything it knows lies in the arrays of `Work`.

`run_exact` finds the minimax value of the depth asked for; `run_selective` goes deeper where it matters and leaves out what
hardly does, and needs an evaluation. Both are made of the steps that stand above them.

Contract, with s the value of the root at the depth asked for, for the side to move, and v the value the kernel ends with:
alpha < v < beta means s = v; v <= alpha means s <= v; v >= beta means s >= v. (Selectivity gives that up.)

Values are whole numbers: points of the game times `grain` (where its points are too coarse to count whole ones), times `spread`.
With distances switched on, `spread` is 1024 and an end of the game counts one less for each ply it is away, so that a quick win
beats a slow one; `spread` 1 leaves plain points. In constant-sum games `centre` is taken off, so that the two sides' values cancel.

Each of the rules' methods but the short `key` is called at one place of a kernel only: the compiler inlines it there, and a second
place would cost its compile time again (two call sites for `evaluate`, but `offers_is_terminal` folds one away per game). A node
mostly waits for the table's memory: with an evaluation, that is fetched while the child is judged; without one, where a node is
quick, some actions before its turn.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from outplay.engine.bounds import EXACT, INFINITY, LOWER, UPPER
from outplay.engine.endgame import look_up, worth_of
from outplay.engine.probcut import probe_window
from outplay.engine.table import (
    NO_ACTION,
    action_of,
    bound_of,
    complete_of,
    depth_of,
    first_word,
    fold,
    packed,
    probe,
    store,
    value_of,
)
from outplay.jit import always_inlined, copy_record, i32, i64, inlined, kernel, mix, prefetch, u64

ONE = u64(1)
SPREAD = 1024  # points of the kernel in one point of the game when distances count; also more than the plies of any line
MOST_POINTS = 2_000_000  # an evaluation is cut to this, so that with distances it still fits into 32 bits

RUNNING, DONE = 0, 1  # why the kernel returned

# How a child is searched: undecided, with the whole window, with any value at all, with a window of width one, also less deep.
FRESH, FULL, OPEN, NARROW, REDUCED = 0, 1, 2, 3, 4
# An index below 0 is no action: the null move, the test whether one action beats all others, and Multi-ProbCut's shallow look.
PASSING, ALONE, PROBING = -1, -2, -3

AHEAD = 3  # so many actions before its turn, a child's place in the table is fetched from memory

# Move ordering. The game's own order outranks killers, and these outrank history.
SLOTS = 4096  # of the history table (a power of two); actions beyond share them
REPLIES = 1 << 17  # of the reply history (a power of two): an action after the one before it; pairs beyond share them
HISTORY_MOST = 1 << 18  # history gravity: |h| <= HISTORY_MOST, each bonus is the smaller, the nearer h is already
HISTORY_GAIN = 32  # the bonus of a cut-off is this times the depth squared, at most an eighth of HISTORY_MOST
QUIET_MOST = 2 * HISTORY_MOST  # what history and reply history together may say of an action
ORDER_SHIFT = 24
KILLER, SECOND_KILLER = 3 << 21, 2 << 21

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

FRAME_FIELDS = (
    "alpha", "beta", "floor", "best", "action", "index", "count", "depth", "side", "flip", "complete", "length",
    "hash_move", "scored", "stage", "move", "static", "test", "extend", "excluded", "urgent",
    "improving", "less", "fetched", "after", "probe", "period", "bar",
)  # fmt: skip
FRAME = np.dtype((np.record, [*((name, np.int64) for name in FRAME_FIELDS), ("key", np.uint64)]))

CONTROL_FIELDS = (
    # where the loop stands
    "ply", "alpha", "beta", "depth",
    # how far it may go, what it counted, and what it met
    "until", "nodes", "leaves", "cutoffs", "first_cutoffs", "probes", "hits", "researches", "fractional", "overrun",
    # the root's actions stand ready in the buffer; so many keys of earlier positions stand before the root's in `path`
    "root_count", "earlier",
    # sizes and values
    "last_ply", "spread", "middle", "greatest",
    # what is switched on
    "prune", "narrow", "table", "strict", "policy", "generation", "scoring", "by_table", "by_order", "by_killers", "by_history",
    "by_replies", "noise", "solving", "proofs", "enhanced", "symmetry", "quiescence", "extensions", "reductions", "beam",
    # margins, in points of the kernel without spread; 0 switches off
    "null_move", "futility", "singular",
    # Multi-ProbCut: hundredths of a standard deviation; 0 switches off
    "probcut", "endgame",
)  # fmt: skip
CONTROL = np.dtype((np.record, [*((name, np.int64) for name in CONTROL_FIELDS), ("buckets", np.uint64),
                                *((name, np.float64) for name in ("scale", "grain", "centre"))]))  # fmt: skip


class Work(NamedTuple):
    """The arrays of one thread's search; the table is shared."""

    states: Any  # [ply]; the last one is for symmetric twins
    frames: Any  # [ply]: FRAME
    control: Any  # [1]: CONTROL
    actions: Any  # [ply, k]
    scores: Any  # [ply, k]
    table: Any  # words of the transposition table
    killers: Any  # [ply, 0 and 1]
    history: Any  # [side, slot]
    replies: Any  # [slot]
    lines: Any  # [ply, k]: the principal variation from a ply on
    path: Any  # [earlier positions and plies]: keys
    weights: Any  # of the evaluation
    fits: Any  # [period, depth, test, 4]: Multi-ProbCut's (see `probcut`)
    endgame: Any  # endgame tables in memory: a number for each position (see `endgame`)
    endgame_places: Any  # where the numbers of each class of positions begin, -1 for a class without


# ---------------------------------------------------------------- values


@inlined
def away(value: Any, plies: Any, spread: Any) -> Any:
    """A value whose end of the game is moved some plies away (nearer when negative); evaluations and draws stay as they are."""
    if value > 0 and (-value) & (spread - 1) != 0:
        return value - plies
    if value < 0 and value & (spread - 1) != 0:
        return value + plies
    return value


@inlined
def judgement(state: Any, player: Any, weights: Any, control: Any) -> Any:
    """What the evaluation says of a state to a seat, or the middle of all values where the game has none."""
    if state.offers_evaluate():
        points = i64(np.floor((state.evaluate(player, weights) - control.centre * control.scale) * control.grain + 0.5))
        return min(max(points, -MOST_POINTS), MOST_POINTS) * control.spread
    return control.middle if state.side(player) == state.side(0) else -control.middle


@inlined
def end_value(state: Any, player: Any, ply: Any, control: Any) -> Any:
    """What the end of the game is worth to a seat: the later, the nearer to a draw, where distances count."""
    points = (state.utility(player) - control.centre) * control.scale * control.grain
    value = i64(np.floor(points + 0.5))
    if value != points:
        control.fractional = 1
    value *= control.spread
    if control.spread > 1:
        if value > 0:
            value -= ply
        elif value < 0:
            value += ply
    return value


# ---------------------------------------------------------------- move ordering


@inlined
def slot(action: Any) -> Any:
    """Where the history table keeps an action."""
    return fold(action) & (SLOTS - 1)


@inlined
def reply_slot(before: Any, action: Any) -> Any:
    """Where the reply history keeps an action after the one before it."""
    pair = u64(before & 0xFFFFFFFF) * u64(0x9E3779B97F4A7C15) + u64(action) * u64(0xD6E8FEB86659FD93)
    return pair >> u64(47)  # the highest 17 bits


@inlined
def changed(past: Any, bonus: Any) -> Any:
    """A number of history after praise, or blame when negative: it moves towards the bound of that sign (history gravity)."""
    return past + bonus - past * abs(bonus) // HISTORY_MOST


@always_inlined
def score_actions(work: Any, state: Any, here: Any, ply: Any, count: Any) -> None:
    """Score what has no score yet: the hash move alone at first, since it often cuts, then all others."""
    c, actions, killers = work.control[0], work.actions, work.killers
    frame = work.frames[here]
    first = frame.scored
    before = work.frames[here - ONE].move if ply > 0 else NO_ACTION
    frame.scored = 1 if first == 0 and frame.hash_move != NO_ACTION else count
    for i in range(first, frame.scored):
        move: Any = i64(actions[here, i])
        score: Any = 0
        if state.offers_solving_order() and c.solving != 0:
            score = i64(state.solving_order(actions[here, i])) << ORDER_SHIFT
        elif state.offers_order() and c.by_order != 0:
            score = i64(state.order(actions[here, i])) << ORDER_SHIFT
        if c.by_killers != 0:
            if killers[here, 0] == move:
                score += KILLER
            elif killers[here, 1] == move:
                score += SECOND_KILLER
        if c.by_history != 0:
            score += work.history[frame.side, slot(move)]
        if c.by_replies != 0:
            score += i64(work.replies[reply_slot(before, move)])
        if c.noise != 0:  # helper threads try equals in another order
            score += i64(mix(u64(move) ^ frame.key ^ u64(c.noise)) >> u64(62))
        work.scores[here, i] = score


@always_inlined
def bring_forward(work: Any, here: Any, index: Any) -> Any:
    """Swap the best of the actions that are left to the front, and return its score (selection sort: most nodes end early)."""
    actions, scores = work.actions, work.scores
    pick = index
    top = scores[here, index]
    for i in range(index + 1, work.frames[here].scored):
        if scores[here, i] > top:
            top = scores[here, i]
            pick = i
    if pick != index:
        swapped = actions[here, pick]
        actions[here, pick] = actions[here, index]
        actions[here, index] = swapped
        scores[here, pick] = scores[here, index]
        scores[here, index] = top
    return top


@always_inlined
def put_hash_move_first(work: Any, below: Any, count: Any, hash_move: Any) -> None:
    """The table's action goes first, and often last: nothing else is scored until it has failed."""
    actions = work.actions
    for i in range(count):
        if fold(i64(actions[below, i])) == hash_move:
            found = actions[below, i]
            actions[below, i] = actions[below, 0]
            actions[below, 0] = found
            work.frames[below].hash_move = i64(found)
            break


@always_inlined
def learn(work: Any, here: Any, ply: Any, index: Any, left: Any) -> None:
    """After a cut-off: praise for its action, blame for those tried in vain before it; the game's order knows the others."""
    scores, killers, history, replies = work.scores, work.killers, work.history, work.replies
    side = work.frames[here].side
    bonus = min(HISTORY_GAIN * left * left, HISTORY_MOST >> 3)
    before = work.frames[here - ONE].move if ply > 0 else NO_ACTION
    for i in range(index + 1):
        if (scores[here, i] + QUIET_MOST) >> ORDER_SHIFT == 0:
            move: Any = i64(work.actions[here, i])
            at, pair = slot(move), reply_slot(before, move)
            credit = bonus if i == index else -bonus
            history[side, at] = changed(history[side, at], credit)
            replies[pair] = i32(changed(i64(replies[pair]), credit))
            if i == index and killers[here, 0] != move:
                killers[here, 1] = killers[here, 0]
                killers[here, 0] = move


# ---------------------------------------------------------------- the table and the line


@always_inlined
def key_of(work: Any, child: Any, below: Any, control: Any) -> Any:
    """The key of a child, or of the representative of its symmetric twins."""
    if child.offers_canonical() and control.symmetry != 0:
        spare = u64(len(work.states) - 1)
        work.states[spare] = work.states[below]
        work.states[spare].canonical()
        return work.states[spare].key()
    return child.key()


@always_inlined
def is_repetition(work: Any, child: Any, key: Any, at: Any) -> Any:
    """Whether an equal position lies within the reversible plies before; the key is noted for those that follow."""
    path = work.path
    path[at] = key
    for back in range(1, min(child.reversible(), at) + 1):  # noqa: SIM110  (kernels have no generators)
        if path[at - back] == key:
            return True
    return False


@inlined
def is_deep_enough(found: Any, depth: Any, certain: Any, strict: Any) -> Any:
    """Whether an entry of that depth answers for the depth asked for; one without evaluations behind it answers for all."""
    return found == depth or (not strict and found > depth) or (certain != 0 and (not strict or found < depth))


@inlined
def answers(bound: Any, stored: Any, alpha: Any, beta: Any) -> Any:
    """Whether an entry's value settles the window."""
    return bound == EXACT or (bound == LOWER and stored >= beta) or (bound == UPPER and stored <= alpha)


@always_inlined
def remember(work: Any, frame: Any, value: Any, high: Any, left: Any, complete: Any, ply: Any, control: Any) -> None:
    """Store what a node that is done is worth; an all-node has no best action."""
    bound = LOWER if value >= high else UPPER if value <= frame.floor else EXACT
    move = NO_ACTION if bound == UPPER else frame.action
    data = packed(away(value, -ply, control.spread), move, left, bound, complete, control.generation)
    store(work.table, frame.key, control.buckets, data, control.policy)


@always_inlined
def extend_line(work: Any, here: Any, action: Any, length: Any) -> None:
    """The line of a node is its best action and the line of the child behind it."""
    lines = work.lines
    lines[here, 0] = action
    for i in range(length):
        lines[here, i + 1] = lines[here + ONE, i]
    work.frames[here].length = length + 1


# ---------------------------------------------------------------- the minimax value


@kernel
def run_exact(work: Any) -> Any:
    """Search until the root has its value (DONE) or `until` nodes are counted (RUNNING: call again to go on)."""
    states, frames, actions, table = work.states, work.frames, work.actions, work.table
    c = work.control[0]
    # Read once: the loop below writes to memory, after which the compiler would read a setting again. Counters are counted here,
    # too: a write to memory between two looks at a state makes the compiler look again.
    ply, spread, utmost = c.ply, c.spread, c.greatest
    prune, narrow, use_table, strict, scoring = c.prune != 0, c.narrow != 0, c.table != 0, c.strict != 0, c.scoring != 0
    until, buckets, earlier = c.until, c.buckets, c.earlier
    by_table, quick_proofs = c.by_table != 0, c.proofs != 0
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

            # ------------------------------------------------ Step 1: the next action, and with which window
            if not plain and ply >= 0 and frames[here].stage == FRESH:
                frame = frames[here]
                if scoring:
                    if frame.scored <= index:
                        score_actions(work, states[here], here, ply, count)
                    if ply > 0:  # the root's order is the driver's
                        bring_forward(work, here, index)
                frame.stage = FULL if prune else OPEN
                if index > 0 and left > 0 and narrow and high - low > 1:
                    frame.stage = NARROW

            # ------------------------------------------------ Step 2: it is played; alpha, beta and depth are the child's
            if ply >= 0:
                copy_record(states, below, here)
                pick = index
                enhanced = ply < c.enhanced
                ahead = 256 if enhanced else usual
                if ahead > 0 and left > near and frames[here].fetched < min(index + ahead + 1, count):
                    pick = frames[here].fetched
                child.play(actions[here, u64(pick)])
                if pick != index:
                    # Played for its key alone: when its turn comes, its place in the table is there from memory. Where all are
                    # tried so beforehand, one that the table knows to be good enough makes searching the others needless.
                    key = child.key()
                    frames[here].fetched = pick + 1
                    if enhanced:
                        data = probe(table, key, buckets)
                        bound = bound_of(data)
                        same = child.side(child.player()) == frames[here].side
                        if ((bound == EXACT or bound == (LOWER if same else UPPER))
                                and is_deep_enough(depth_of(data), left - 1, complete_of(data), strict)):
                            stored = away(value_of(data), ply + 1, spread) * (1 if same else -1)
                            if stored >= high:
                                best, whole, index, count = stored, complete_of(data), 0, 0
                                frames[here].action = actions[here, u64(pick)]
                                cutoffs += 1
                    else:
                        prefetch(table, first_word(key, buckets))
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
            known = False  # whether its value is
            value: Any = 0
            complete: Any = 0
            hash_move, listed = NO_ACTION, 0
            key = u64(0)
            looked_up = False
            # No line from here on is worth more than a win at once or less than a loss at once (mate distance)
            if judged and spread > 1 and ply > 0 and not over and (alpha >= utmost - ply or beta <= ply - utmost):
                value, complete, known = utmost - ply if alpha >= utmost - ply else ply - utmost, 1, True
            # What the rules settle by themselves needs no table
            if child.offers_settle() and quick_proofs and not (known or over) and ply > 0:
                unit = c.scale * c.grain
                more, least, greatest = child.settle(i64(np.floor(alpha / unit + c.centre)), i64(np.ceil(beta / unit + c.centre)))
                nodes += more
                least, greatest = i64((least - c.centre) * unit), i64((greatest - c.centre) * unit)
                if least >= beta or greatest <= alpha or least == greatest:
                    value, complete, known = greatest if greatest <= alpha else least, 1, True
                    leaves += 1

            # ------------------------------------------------ Step 3: repetitions and the table
            if child.offers_reversible() and leaf:
                work.path[earlier + ply] = u64(0)  # an older line's key is no position of this one
            if not known and not over and not leaf and (use_table or child.offers_reversible()):
                key = key_of(work, child, below, c)
                if child.offers_reversible():
                    known = is_repetition(work, child, key, earlier + ply) and ply > 0
                looked_up = use_table and not known
                if looked_up and judged:
                    prefetch(table, first_word(key, buckets))
            if looked_up:
                probes += 1
                data = probe(table, key, buckets)
                bound = bound_of(data)
                if bound != 0:
                    hits += 1
                    hash_move = action_of(data)
                    certain = complete_of(data)
                    if is_deep_enough(depth_of(data), depth, certain, strict):
                        stored = away(value_of(data), ply, spread)
                        if ply > 0 and answers(bound, stored, alpha, beta):
                            value, complete, known = stored, certain, True

            # ------------------------------------------------ Step 4: the actions; none means that the game is over
            # Those worth trying, where the game tells them, with a quick proof: it knows of no distances.
            if child.offers_solving() and c.solving != 0 and not known and not over and ply > 0:
                listed, least, greatest = child.solving(actions[below])
                if quick_proofs:
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
                    frame = frames[here]
                    frame.alpha, frame.best, frame.index, frame.complete, frame.flip = low, best, index, whole, flip
                    if scoring:
                        frame.move = i64(actions[here, index])
                frame = frames[below]
                low, high, best, index, count, left, whole = alpha, beta, -INFINITY - 1, 0, listed, depth, 1
                if not prune:
                    high = INFINITY
                frame.action, frame.hash_move, frame.scored, frame.length = NO_ACTION, NO_ACTION, 0, 0
                frame.stage, frame.fetched = FRESH, 1
                if ply == 0:
                    frame.scored = count
                elif by_table and hash_move != NO_ACTION:
                    put_hash_move_first(work, below, count, hash_move)
                frame.beta, frame.floor, frame.count, frame.depth, frame.side, frame.key = high, alpha, count, depth, side, key
                continue
            ply -= 1
            if ply < 0:
                break
            length = 0
        else:
            # ------------------------------------------------ Step 6: all is tried; the table remembers it, its parent is the node
            frame = frames[u64(ply)]
            value, complete = best, whole
            if use_table and left > 0:
                remember(work, frame, value, high, left, complete, ply, c)
            if ply == 0:
                break
            length = frame.length
            ply -= 1
            frame = frames[u64(ply)]
            low, high, best, index = frame.alpha, frame.beta, frame.best, frame.index
            count, left, whole, flip = frame.count, frame.depth, frame.complete, frame.flip

        # ------------------------------------------------ Step 7: the node takes in the value of its child
        here = u64(ply)
        value *= flip
        if not plain and frames[here].stage == NARROW and value > low and value < high:
            c.researches += 1  # better than thought: the same action again, with the whole window
            frames[here].stage = FULL
            continue
        if value > best:
            best = value
            action = actions[here, u64(index)]
            frames[here].action = action
            if value > low:
                low = value
                if ply == 0 or (keep_lines and high - frames[here].floor > 1):
                    extend_line(work, here, action, length)
        if best >= high:
            whole = complete
            cutoffs += 1
            first_cutoffs += index == 0
            if scoring and left > 0:
                learn(work, here, ply, index, left)
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


# ---------------------------------------------------------------- deeper where it matters


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


@kernel
def run_selective(work: Any) -> Any:
    """The same for games with an evaluation, with all that gives up the minimax value for depth, as far as it is switched on."""
    states, frames, actions, table = work.states, work.frames, work.actions, work.table
    c = work.control[0]
    ply, last_ply, spread, utmost = c.ply, c.last_ply, c.spread, c.greatest
    prune, narrow, use_table, strict, scoring = c.prune != 0, c.narrow != 0, c.table != 0, c.strict != 0, c.scoring != 0
    until, buckets, earlier = c.until, c.buckets, c.earlier
    by_table = c.by_table != 0
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
        frame = frames[u64(ply)]
        low, high, best, index = frame.alpha, frame.beta, frame.best, frame.index
        count, left, whole, flip = frame.count, frame.depth, frame.complete, frame.flip
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
                frame = frames[here]
                frame.stage = FULL if prune else OPEN
                quiet = False
                top = i64(0)
                if scoring:
                    if frame.scored <= index:
                        score_actions(work, states[here], here, ply, count)
                    if ply > 0 or selective:
                        top = bring_forward(work, here, index)
                        quiet = top >> ORDER_SHIFT <= 0
                if index > 0 and left > 0:
                    hopeless = c.futility != 0 and quiet and ply > 0 and frame.urgent == 0 and best > lost
                    margin = c.futility * (left + 1) * spread * 2 // FUTILE_SHARE
                    if c.beam != 0 and index >= c.beam and ply > 0:
                        count = whole = 0  # beam: the rest is never looked at
                        continue
                    if (hopeless and high - frame.floor == 1 and left <= LATE_PLIES
                            and index >= (LATE_FIRST + left * left) >> (1 - frame.improving)):
                        count = whole = 0
                        continue
                    if hopeless and left <= FUTILE_PLIES and frame.static + margin <= low:
                        best = max(best, frame.static + margin)
                        index += 1
                        frame.stage = FRESH
                        whole = 0
                        continue
                    if narrow and high - low > 1:
                        frame.stage = NARROW
                    if c.reductions != 0 and quiet and index >= REDUCED_FIRST and left >= REDUCED_PLIES and frame.urgent == 0:
                        less = plies_less(frame, left, index, high, top)
                        if less > 0:
                            frame.less = less
                            frame.stage = REDUCED

            # ------------------------------------------------ Step 2: it is played; alpha, beta and depth are the child's
            if ply >= 0:
                copy_record(states, below, here)
                frame = frames[here]
                if index >= 0:
                    child.play(actions[here, u64(index)])
                    if frame.stage == OPEN:
                        alpha, beta = -INFINITY, INFINITY
                    elif frame.stage > OPEN:
                        beta = alpha + 1
                        if frame.stage == REDUCED:
                            depth -= frame.less
                    if selective and frame.extend != 0 and index == 0:
                        depth += 1
                elif index == PASSING:
                    if not child.pass_turn():
                        index = 0
                        continue
                    alpha, depth = beta - 1, pass_depth(frame, high, left, c)
                elif index == PROBING:
                    alpha, depth = probe_window(work.fits, frame, low, high, left, c)
                    beta = alpha + 1
                    if depth < 0:
                        index = frame.after
                        continue
                    frame.bar = beta if frame.static >= high else alpha
                else:
                    frames[below].excluded = frame.hash_move
                    alpha, beta, depth = frame.test - 1, frame.test, left // 2
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
            known = False
            value: Any = 0
            complete: Any = 0
            static: Any = 0
            hash_move, bound, found, listed = NO_ACTION, 0, 0, 0
            key = u64(0)
            data = u64(0)
            looked_up = False
            if spread > 1 and ply > 0 and not over and (alpha >= utmost - ply or beta <= ply - utmost):
                value, complete, known = utmost - ply if alpha >= utmost - ply else ply - utmost, 1, True  # mate distance
            if child.offers_settle() and c.proofs != 0 and not (known or over) and ply > 0:
                unit = c.scale * c.grain
                more, least, greatest = child.settle(i64(np.floor(alpha / unit + c.centre)), i64(np.ceil(beta / unit + c.centre)))
                nodes += more
                least, greatest = i64((least - c.centre) * unit), i64((greatest - c.centre) * unit)
                if least >= beta or greatest <= alpha or least == greatest:
                    value, complete, known = greatest if greatest <= alpha else least, 1, True
                    leaves += 1
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
                        prefetch(table, first_word(key, buckets))
            # The evaluation, at the edge and where selectivity asks for it; meanwhile the table's memory arrives. A game that does
            # not tell its end is judged after its actions are known.
            judging = leaf or (selective and (c.null_move != 0 or c.futility != 0 or c.probcut != 0) and not urgent)
            if judging and not known and not over and (not leaf or child.offers_is_terminal() or child.offers_forcing()):
                static = judgement(child, player, work.weights, c)
            if looked_up:
                probes += 1
                data = probe(table, key, buckets)
                bound = bound_of(data)
                if bound != 0:
                    hits += 1
                    hash_move, found = action_of(data), depth_of(data)
                    certain = complete_of(data)
                    if is_deep_enough(found, depth, certain, strict):
                        stored = away(value_of(data), ply, spread)
                        if ply > 0 and (beta - alpha == 1 or not selective) and answers(bound, stored, alpha, beta):
                            value, complete, known = stored, certain, True
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
                        if (depth <= REVERSE_PLIES and static - c.futility * (depth - improving) * spread // 2 >= beta
                                and beta > lost):
                            value, known = static, True  # so far above the window that no quiet answer brings it back
                        elif (depth <= RAZOR_PLIES and static + RAZOR_SHARE * c.futility * depth * spread <= alpha
                                and alpha < -lost):
                            leaf, depth = True, 0  # so far below that only forcing actions can bring it back
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
                    frame = frames[here]
                    frame.alpha, frame.best, frame.index, frame.complete, frame.flip = low, best, index, whole, flip
                    if scoring:
                        frame.move = i64(actions[here, index]) if index >= 0 else NO_ACTION
                frame = frames[below]
                low, high, best, index, count, left, whole = alpha, beta, -INFINITY - 1, 0, listed, depth, 1
                if not prune:
                    high = INFINITY
                frame.action, frame.hash_move, frame.scored, frame.length, frame.stage = NO_ACTION, NO_ACTION, 0, 0, FRESH
                # What is urgent is not judged: what comes two plies later improves on nothing.
                frame.static, frame.extend, frame.urgent, frame.improving = INFINITY if urgent else static, 0, urgent, improving
                if quiescent:  # the player may also stand still
                    best, low, whole = static, max(alpha, static), 0
                elif ply == 0:
                    frame.scored = count  # the root's order is the driver's
                    if selective and scoring:
                        frame.hash_move, frame.scored = i64(actions[below, 0]), 0  # at least its first action
                elif frame.excluded != NO_ACTION:
                    for i in range(count):
                        if actions[below, i] == frame.excluded:
                            actions[below, i] = actions[below, count - 1]
                            break
                    count -= 1
                else:
                    if by_table and hash_move != NO_ACTION:
                        put_hash_move_first(work, below, count, hash_move)
                    if (child.offers_pass_turn() and c.null_move != 0 and depth >= NULL_PLIES and beta - alpha == 1
                            and static >= beta and not urgent and not passed):
                        index = PASSING
                    if (c.singular != 0 and depth >= SINGULAR_PLIES and frame.hash_move != NO_ACTION and count > 1 and index == 0
                            and bound != UPPER and found >= depth - SINGULAR_TRUST and ply < 2 * frames[0].depth):
                        test = away(value_of(data), ply, spread)
                        if test > lost and test < -lost:
                            index = ALONE
                            frame.test = test - c.singular * depth * spread // SINGULAR_SHARE
                    if c.probcut != 0 and beta - alpha == 1 and not urgent and not passed and abs(beta) < utmost - spread:
                        frame.after, frame.probe, frame.period = index, 0, child.period()
                        index = PROBING
                frame.beta, frame.floor, frame.count, frame.depth, frame.side, frame.key = high, alpha, count, depth, side, key
                continue
            ply -= 1
            if ply < 0:
                break
            length = 0
        else:
            # ------------------------------------------------ Step 7: all is tried; the table remembers it, its parent is the node
            frame = frames[u64(ply)]
            value, complete = best, whole
            if use_table and left > 0 and frame.excluded == NO_ACTION:
                remember(work, frame, value, high, left, complete, ply, c)
            if ply == 0:
                break
            length = frame.length
            ply -= 1
            frame = frames[u64(ply)]
            low, high, best, index = frame.alpha, frame.beta, frame.best, frame.index
            count, left, whole, flip = frame.count, frame.depth, frame.complete, frame.flip

        # ------------------------------------------------ Step 8: the node takes in the value of its child
        here = u64(ply)
        value *= flip
        if index < 0:
            frame = frames[here]
            if index == PROBING:
                # So far beyond the window that the deep search would be beyond it as well; otherwise the next look.
                if value >= frame.bar if frame.static >= high else value <= frame.bar:
                    best, whole, index, count = high if frame.static >= high else low, 0, 0, 0
                else:
                    frame.probe += 1
                continue
            if index == PASSING:
                if value >= high:  # too good even without moving: believe it, but announce no win by it
                    best, whole, count, left = frame.static, 0, 0, 0
            else:
                frames[here + ONE].excluded = NO_ACTION
                if value < frame.test:
                    frame.extend = 1
                elif frame.test >= high:  # a second action is too good as well (multi-cut)
                    best, whole, count, left = frame.test, 0, 0, 0
            index = 0
            continue
        if frames[here].stage > OPEN and value > low and (frames[here].stage == REDUCED or value < high):
            # Better than thought: the same action again, deeper or with the whole window.
            c.researches += 1
            frames[here].stage = NARROW if frames[here].stage == REDUCED and narrow and high - low > 1 else FULL
            continue
        if value > best:
            best = value
            action = actions[here, u64(index)]
            frames[here].action = action
            if value > low:
                low = value
                if ply == 0 or (keep_lines and high - frames[here].floor > 1):
                    extend_line(work, here, action, length)
        if best >= high:
            whole = complete
            cutoffs += 1
            first_cutoffs += index == 0
            if scoring and left > 0:
                learn(work, here, ply, index, left)
            index = count
        else:
            whole &= complete
            index += 1
            frames[here].stage = FRESH

    if ply >= 0:
        frame = frames[u64(ply)]
        frame.alpha, frame.best, frame.index, frame.complete, frame.flip = low, best, index, whole, flip
    c.ply, c.nodes = ply, nodes
    c.leaves, c.cutoffs, c.first_cutoffs, c.probes, c.hits = leaves, cutoffs, first_cutoffs, probes, hits
    return status
