"""The kernel of df-pn (Ayumu Nagai, 2002): proof-number search depth-first, a loop over an explicit stack, for any compiled game.

A frame holds its node's children with their proof and disproof numbers as last known; the table holds them for all positions met,
three words an entry: key, both numbers, and how much work is behind them. Four entries make a bucket; the one with the least work
makes room. Every question ("does this side reach so much?") has a fresh table.

A child gets work until it is a quarter worse than the second best (Pawlewicz and Lew, 2007): so the search does not jump to and
fro between two that are nearly as good. A node that is new counts its actions, since all of the other's must be answered.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from outplay.jit import copy_record, i64, inlined, kernel, u64

INFINITE = (1 << 31) - 1  # of a proof or disproof number: the question is answered
LARGEST = (1 << 30) - 1  # what a number that is not the answer is cut to
RUNNING, DONE = 0, 1
WAYS = 4  # entries of a bucket
WORDS = 3  # of an entry

FRAME_FIELDS = ("count", "pick", "most_proof", "most_disproof", "is_mine", "begun")
FRAME = np.dtype((np.record, [*((name, np.int64) for name in FRAME_FIELDS), ("key", np.uint64)]))
CONTROL_FIELDS = ("ply", "nodes", "leaves", "until", "side", "proof", "disproof", "last_ply", "earlier", "overrun", "fractional",
                  "cut_short")  # fmt: skip
CONTROL = np.dtype((np.record, [*((name, np.int64) for name in CONTROL_FIELDS), ("buckets", np.uint64),
                                *((name, np.float64) for name in ("bar", "centre"))]))  # fmt: skip


class Work(NamedTuple):
    """The arrays of a search."""

    states: Any  # [ply]; the last one is scratch
    frames: Any  # [ply]
    control: Any  # [1]
    actions: Any  # [ply, k]
    keys: Any  # [ply, k]: of the children
    proofs: Any  # [ply, k]
    disproofs: Any  # [ply, k]
    table: Any  # words
    path: Any  # keys of the positions before the root, then of the plies


@inlined
def place_of(table: Any, key: Any, buckets: Any) -> Any:
    """The word where a key's bucket begins."""
    spread = (key ^ (key >> u64(32))) * u64(0x9E3779B97F4A7C15)
    return (((spread >> u64(32)) * buckets) >> u64(32)) * u64(WAYS * WORDS)


@inlined
def known_numbers(table: Any, key: Any, buckets: Any) -> Any:
    """Both numbers of a position in one word, 0 where it is not known."""
    at = place_of(table, key, buckets)
    for _ in range(WAYS):
        if table[at] == key:
            return table[at + u64(1)]
        at += u64(WORDS)
    return u64(0)


@inlined
def remember(table: Any, key: Any, buckets: Any, proof: Any, disproof: Any, effort: Any) -> None:
    """Keep both numbers of a position, in place of its own entry or of the one with the least work behind it."""
    at = place_of(table, key, buckets)
    chosen, least = at, table[at + u64(2)]
    for _ in range(WAYS):
        if table[at] == key or table[at + u64(1)] == u64(0):
            chosen = at
            break
        if table[at + u64(2)] < least:
            chosen, least = at, table[at + u64(2)]
        at += u64(WORDS)
    table[chosen] = key
    table[chosen + u64(1)] = (u64(proof) << u64(32)) | u64(disproof)
    table[chosen + u64(2)] = u64(effort)


@inlined
def is_repeated(path: Any, key: Any, at: Any, reach: Any) -> Any:
    """Whether an equal position lies within the reversible plies before."""
    for back in range(1, min(reach, at) + 1):  # noqa: SIM110  (kernels have no generators)
        if path[at - back] == key:
            return True
    return False


@inlined
def expand(work: Any, ply: Any) -> Any:
    """List the children of the node at a ply with what is known of them; returns how many, -1 for more than there is room."""
    c, frame = work.control[0], work.frames[ply]
    state, scratch = work.states[ply], work.states[u64(len(work.states) - 1)]
    count = state.actions(work.actions[ply])
    if count > work.actions.shape[1]:
        return i64(-1)
    for i in range(count):
        work.states[u64(len(work.states) - 1)] = work.states[ply]
        scratch.play(work.actions[ply, i])
        proof, disproof = i64(1), i64(1)
        key = scratch.key()
        # The end of the game is seen by listing the child's actions, which also tells how many answers there are.
        answers = i64(0) if scratch.is_terminal() else scratch.actions(work.actions[ply + 1])
        if answers == 0 or scratch.is_drawn():
            c.leaves += 1
            worth = f64_of(scratch, c)
            if worth != np.floor(worth):
                c.fractional = 1
            proof, disproof = (i64(0), i64(INFINITE)) if worth >= c.bar else (i64(INFINITE), i64(0))
        elif scratch.offers_reversible() and is_repeated(work.path, key, c.earlier + ply + 1, scratch.reversible()):
            proof, disproof = (i64(0), i64(INFINITE)) if c.centre >= c.bar else (i64(INFINITE), i64(0))
        elif ply + 1 >= c.last_ply:
            c.cut_short = 1
            proof, disproof = i64(INFINITE), i64(0)
        else:
            data = known_numbers(work.table, key, c.buckets)
            if data != u64(0):
                proof, disproof = i64(data >> u64(32)), i64(data & u64(0xFFFFFFFF))
            elif scratch.side(scratch.player()) == c.side:
                disproof = answers
            else:
                proof = answers
        work.keys[ply, i] = key
        work.proofs[ply, i] = proof
        work.disproofs[ply, i] = disproof
    frame.count = count
    frame.begun = c.nodes
    frame.is_mine = 1 if state.side(state.player()) == c.side else 0
    return count


@inlined
def f64_of(state: Any, control: Any) -> Any:
    """What the end of the game is worth to the side that asks."""
    seat = state.player()
    value = state.utility(seat) * 1.0
    return value if state.side(seat) == control.side else 2.0 * control.centre - value


@kernel
def run(work: Any) -> Any:
    """Search until the root is proved or disproved (DONE), or so many nodes are counted (RUNNING: call again to go on)."""
    c = work.control[0]
    proofs, disproofs = work.proofs, work.disproofs
    if c.ply < 0:
        c.ply = 0
        frame = work.frames[0]
        frame.most_proof, frame.most_disproof, frame.key = INFINITE, INFINITE, work.states[0].key()
        work.path[c.earlier] = frame.key
        c.nodes += 1
        if expand(work, 0) < 0:
            c.overrun = 1
            return RUNNING
    while True:
        ply = c.ply
        frame = work.frames[ply]
        mine = frame.is_mine != 0
        # Step 1: both numbers of the node; the best child and the second best
        least: Any = i64(INFINITE + 1)
        total: Any = i64(0)
        second, pick = i64(INFINITE), i64(0)
        for i in range(frame.count):
            own = proofs[ply, i] if mine else disproofs[ply, i]
            other = disproofs[ply, i] if mine else proofs[ply, i]
            total = INFINITE if other == INFINITE or total == INFINITE else min(total + other, LARGEST)
            if own < least:
                second = min(least, i64(INFINITE))
                least, pick = own, i64(i)
            elif own < second:
                second = own
        proof, disproof = (least, total) if mine else (total, least)
        # Step 2: enough of it: the table remembers, its parent is the node
        if proof >= frame.most_proof or disproof >= frame.most_disproof:
            remember(work.table, frame.key, c.buckets, proof, disproof, c.nodes - frame.begun)
            if ply == 0:
                c.proof, c.disproof = proof, disproof
                return DONE
            c.ply = ply - 1
            parent = work.frames[ply - 1]
            proofs[ply - 1, parent.pick] = proof
            disproofs[ply - 1, parent.pick] = disproof
            continue
        if c.nodes >= c.until:
            c.proof, c.disproof = proof, disproof
            return RUNNING
        # Step 3: down to the best child, with thresholds
        frame.pick = pick
        below = work.frames[ply + 1]
        most_own = frame.most_proof if mine else frame.most_disproof
        most_other = frame.most_disproof if mine else frame.most_proof
        other = disproofs[ply, pick] if mine else proofs[ply, pick]
        own_limit = min(most_own, second + (second >> 2) + 1 if second < LARGEST else INFINITE)
        other_limit = INFINITE if most_other == INFINITE else most_other - total + other
        if other_limit <= other:
            other_limit = other + 1
        below.most_proof, below.most_disproof = (own_limit, other_limit) if mine else (other_limit, own_limit)
        copy_record(work.states, u64(ply + 1), u64(ply))
        work.states[ply + 1].play(work.actions[ply, pick])
        below.key = work.keys[ply, pick]
        work.path[c.earlier + ply + 1] = below.key
        c.ply = ply + 1
        c.nodes += 1
        if expand(work, ply + 1) < 0:
            c.overrun = 1
            return RUNNING
