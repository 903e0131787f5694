"""The steps of the alpha-beta family's kernels: one loop over an explicit stack of frames, for any compiled game of two sides.

Knuth and Moore's alpha-beta (1975), fail-soft, as a loop: the next action of a node is played; a child that is a leaf or known to
the table is taken in at once, any other becomes the node itself until all of its actions are tried. Principal variation search
(Marsland and Campbell 1982) is the same loop with narrow windows for later actions; MTD(f) and best node search are drivers that
call it with windows of width one (see `algorithms`); plain minimax is the loop with pruning switched off. There is no recursion,
so the search can stop anywhere and go on later: everything it knows lies in the arrays of `Work`.

`exact_kernel.run_exact` finds the minimax value of the depth asked for; `selective_kernel.run_selective` goes deeper where it
matters and leaves out what hardly does, and needs an evaluation. Both are made of the steps that stand here.

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

from outplay.engine.alphabeta.bounds import EXACT, LOWER, UPPER
from outplay.engine.alphabeta.table import (
    NO_ACTION,
    bound_of,
    complete_of,
    depth_of,
    fold,
    packed,
    probe,
    store,
    value_of,
)
from outplay.jit import always_inlined, i32, i64, inlined, mix, u64

ONE = u64(1)
SPREAD = 1024  # points of the kernel in one point of the game when distances count; also more than the plies of any line
MOST_POINTS = 2_000_000  # an evaluation is cut to this, so that with distances it still fits into 32 bits

RUNNING, DONE = 0, 1  # why the kernel returned

# How a child is searched: undecided, with the whole window, with any value at all, with a window of width one, also less deep.
FRESH, FULL, OPEN, NARROW, REDUCED = 0, 1, 2, 3, 4
# Move ordering. The game's own order outranks killers, and these outrank history.
SLOTS = 4096  # of the history table (a power of two); actions beyond share them
REPLIES = 1 << 17  # of the reply history (a power of two): an action after the one before it; pairs beyond share them
HISTORY_MOST = 1 << 18  # history gravity: |h| <= HISTORY_MOST, each bonus is the smaller, the nearer h is already
HISTORY_GAIN = 32  # the bonus of a cut-off is this times the depth squared, at most an eighth of HISTORY_MOST
QUIET_MOST = 2 * HISTORY_MOST  # what history and reply history together may say of an action
ORDER_SHIFT = 24
KILLER, SECOND_KILLER = 3 << 21, 2 << 21

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
    "probcut",
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
    endgame: Any  # endgame tables (see `endgame`), or None: then nothing that looks into them is compiled


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


@always_inlined
def recognise(work: Any, child: Any, below: Any, ply: Any, goes_on: Any, is_again: Any, control: Any) -> Any:
    """The key of a child that is searched on, and whether it repeats a position of its line; `is_again`: the same once more."""
    key = u64(0)
    repeats = False
    at = control.earlier + ply
    if goes_on and (child.offers_reversible() or control.table != 0):
        key = key_of(work, child, below, control)
        if child.offers_reversible() and not is_again:
            repeats = is_repetition(work, child, key, at) and ply > 0
    if child.offers_reversible() and (is_again or not goes_on):
        work.path[at] = u64(0)  # an older line's key is no position of this one
    return key, repeats


@always_inlined
def consult(work: Any, key: Any, depth: Any, ply: Any, alpha: Any, beta: Any, strict: Any, control: Any) -> Any:
    """A child's entry in the table, whether its value settles the window, that value, and whether it is complete."""
    data = probe(work.table, key, control.buckets)
    bound = bound_of(data)
    stored, certain = i64(0), i64(0)
    is_settled = False
    control.probes += 1
    if bound != 0:
        control.hits += 1
        certain = complete_of(data)
        if is_deep_enough(depth_of(data), depth, certain, strict):
            stored = away(value_of(data), ply, control.spread)
            is_settled = ply > 0 and answers(bound, stored, alpha, beta)
    return data, is_settled, stored, certain


# ---------------------------------------------------------------- the node


@always_inlined
def resume(frames: Any, control: Any) -> Any:
    """The node that the search goes on with: a virtual parent with the root as its only child starts the loop."""
    if control.ply >= 0:
        return take_up(frames[u64(control.ply)])
    return control.alpha, control.beta, i64(0), i64(0), i64(1), control.depth + 1, i64(1), i64(1)


@always_inlined
def rest(frames: Any, control: Any, ply: Any, nodes: Any, low: Any, best: Any, index: Any, whole: Any, flip: Any) -> None:
    """The search stops here, done or not: what `resume` needs."""
    control.ply, control.nodes = ply, nodes
    if ply >= 0:
        put_down(frames[u64(ply)], low, best, index, whole, flip)


@always_inlined
def seen_by(child: Any, frames: Any, ply: Any, alpha: Any, beta: Any) -> Any:
    """Who is to move in a child and on which side, the window as that side sees it, and the sign of its values for the parent."""
    player = child.player()
    side = child.side(player)
    if ply >= 0 and side != frames[u64(ply)].side:
        return player, side, -beta, -alpha, i64(-1)  # negamax
    return player, side, alpha, beta, i64(1)


@always_inlined
def proved(child: Any, alpha: Any, beta: Any, ply: Any, over: Any, control: Any) -> Any:
    """Whether a child needs no search, its value then, and the nodes that the rules looked at to settle it."""
    known = False
    value, more = i64(0), i64(0)
    utmost, unit = control.greatest, control.scale * control.grain
    # No line from here on is worth more than a win at once or less than a loss at once (mate distance)
    if (child.offers_evaluate() and control.spread > 1 and ply > 0 and not over
            and (alpha >= utmost - ply or beta <= ply - utmost)):
        known, value = True, utmost - ply if alpha >= utmost - ply else ply - utmost
    if child.offers_settle() and control.proofs != 0 and not (known or over) and ply > 0:
        more, low, high = child.settle(i64(np.floor(alpha / unit + control.centre)), i64(np.ceil(beta / unit + control.centre)))
        least, greatest = i64((low - control.centre) * unit), i64((high - control.centre) * unit)
        if least >= beta or greatest <= alpha or least == greatest:
            known, value = True, greatest if greatest <= alpha else least
            control.leaves += 1
    return known, value, more


@always_inlined
def list_actions(work: Any, child: Any, below: Any, ply: Any, leaf: Any, solved: Any, control: Any) -> Any:
    """How many actions a child has, and whether that ends the game; `solved`: the rules' own shorter list stands there already.

    The root's are the driver's. A game that tells its end, or its forcing actions, need not list those of a leaf.
    """
    if ply == 0:
        return control.root_count, False
    if leaf and (child.offers_is_terminal() or child.offers_forcing()):
        return solved, False
    listed = solved
    if not child.offers_solving() or control.solving == 0:
        listed = child.actions(work.actions[below])
    return listed, listed == 0


@always_inlined
def open_frame(frame: Any, alpha: Any, beta: Any, count: Any, depth: Any, side: Any, key: Any) -> None:
    """A child without a value becomes the node: nothing of it is tried yet."""
    frame.action, frame.hash_move, frame.scored, frame.length, frame.stage, frame.fetched = NO_ACTION, NO_ACTION, 0, 0, FRESH, 1
    frame.beta, frame.floor, frame.count, frame.depth, frame.side, frame.key = beta, alpha, count, depth, side, key


@always_inlined
def put_down(frame: Any, low: Any, best: Any, index: Any, whole: Any, flip: Any) -> None:
    """What changed of a node goes into its frame while one of its children is the node, or the search rests."""
    frame.alpha, frame.best, frame.index, frame.complete, frame.flip = low, best, index, whole, flip


@always_inlined
def take_up(frame: Any) -> Any:
    """A node from its frame: alpha, beta, best, index, count, depth, complete, flip."""
    return frame.alpha, frame.beta, frame.best, frame.index, frame.count, frame.depth, frame.complete, frame.flip


@always_inlined
def put_parent_down(work: Any, here: Any, ply: Any, low: Any, best: Any, index: Any, whole: Any, flip: Any, scoring: Any) -> None:
    """The same where a child becomes the node; what was played is the child's, to know its best replies by."""
    if ply > 0:
        put_down(work.frames[here], low, best, index, whole, flip)
        if scoring:
            work.frames[here].move = i64(work.actions[here, index]) if index >= 0 else NO_ACTION


@always_inlined
def take_in(work: Any, ply: Any, index: Any, count: Any, left: Any, value: Any, complete: Any, low: Any, high: Any, best: Any,
            whole: Any, length: Any, keep_lines: Any, scoring: Any) -> Any:
    """The node takes in the value of a child: its alpha, best, completeness and next index after it."""
    here = u64(ply)
    frame, control = work.frames[here], work.control[0]
    if value > best:
        best = value
        action = work.actions[here, u64(index)]
        frame.action = action
        if value > low:
            low = value
            if ply == 0 or (keep_lines and high - frame.floor > 1):
                extend_line(work, here, action, length)
    if best >= high:
        whole = complete
        control.cutoffs += 1
        control.first_cutoffs += index == 0
        if scoring and left > 0:
            learn(work, here, ply, index, left)
        index = count
    else:
        whole &= complete
        index += 1
    return low, best, whole, index
