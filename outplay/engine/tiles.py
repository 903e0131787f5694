"""Scrabble at native speed: the worth of what stays on a rack, complete games of static players, what learning counts.

A static player takes the play of the highest equity: its score, and what the tiles that it keeps are worth (Maven's way, Brian
Sheppard 2002). The worth of a leave is the sum of terms for each of its tiles, pairs and triples; see `learning/leaves.py`.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np

import outplay.games.scrabble
from outplay.games.scrabble import BEST, KINDS, LEAVE, MOST, PASS, SCRATCH, VALUES
from outplay.jit import i64, inlined, kernel
from outplay.values import CHANCE

SPAN = 28
TERMS = SPAN**3
"""Room for a term a sorted triple of tiles: the blank is 1, letters 2 to 27, 0 is none."""
FILE = Path(outplay.games.scrabble.__file__).parent / "leaves.npz"
LATE = 10_000
"""Thousandths of a point that it costs not to go out when the bag is empty."""
BASE = MOST - SCRATCH
GREEDY, STATIC = 0, 1
"""Who takes the highest score, and who the highest equity."""


@functools.cache
def leave_terms(file: str = "") -> np.ndarray:
    """The terms of leaves that were learned, in thousandths of a point."""
    found = np.zeros(TERMS, np.int64)
    with np.load(Path(file) if file else FILE, allow_pickle=False) as kept:
        found[kept["index"].astype(np.int64)] = kept["value"].astype(np.int64) * 10
    return found


@inlined
def leave_worth(out: Any, terms: Any, kept: Any, total: Any) -> Any:
    """The sum of the terms of all tiles, pairs and triples among the kept ones; equal tiles count as one lot of so many."""
    worth = i64(0)
    for a in range(total):
        if (kept >> a) & 1 == 0:
            continue
        first = out[BASE + KINDS + a] + 1
        if a > 0 and (kept >> (a - 1)) & 1 and out[BASE + KINDS + a - 1] + 1 == first:
            continue
        worth += terms[first]
        before_b = a
        for b in range(a + 1, total):
            if (kept >> b) & 1 == 0:
                continue
            second = out[BASE + KINDS + b] + 1
            is_next = out[BASE + KINDS + before_b] + 1 != second or before_b == a
            before_b = b
            if not is_next:
                continue
            worth += terms[first * SPAN + second]
            before_c = b
            for c in range(b + 1, total):
                if (kept >> c) & 1 == 0:
                    continue
                third = out[BASE + KINDS + c] + 1
                is_next = out[BASE + KINDS + before_c] + 1 != third or before_c == b
                before_c = c
                if is_next:
                    worth += terms[(first * SPAN + second) * SPAN + third]
    return worth


@inlined
def fill_leaves(state: Any, out: Any, terms: Any, total: Any) -> None:
    """What each choice of kept tiles is worth, after `prepare`. With an empty bag, what counts is who goes out."""
    seat = i64(state.turn)
    left = i64(state.left)
    for used in range(1 << total):
        kept = ((1 << total) - 1) & ~used
        is_first = True  # of equal tiles the first are used first
        for slot in range(total - 1):
            if (kept >> slot) & 1 and (used >> (slot + 1)) & 1 and out[BASE + KINDS + slot] == out[BASE + KINDS + slot + 1]:
                is_first = False
                break
        if not is_first:
            continue
        worth = i64(0)
        if left > 0:
            worth = leave_worth(out, terms, kept, total)
            if left < 7:
                worth = worth * left // 7
        elif kept == 0:
            for k in range(27):
                count = i64(state.bag[k])
                for other in range(len(state.racks)):
                    if other != seat:
                        count += state.racks[other, k]
                worth += 2000 * count * state.points_of(k)
        else:
            for slot in range(total):
                if (kept >> slot) & 1:
                    worth -= 2000 * state.points_of(out[BASE + KINDS + slot])
            worth -= LATE
        out[BASE + LEAVE + used] = worth


@inlined
def best_play(state: Any, out: Any, terms: Any, kind: Any) -> Any:
    """What a static or greedy player does; out[1] says what it is worth, in thousandths."""
    total = state.prepare(out)
    if kind == STATIC:
        fill_leaves(state, out, terms, total)
    choice = state.generate(out, out, BEST, False)
    best = out[1] if choice >= 0 else i64(-1) << 60
    stay = out[BASE + LEAVE]
    if kind == STATIC and state.can_swap():
        count = state.swaps(out, out[2000:], 0, VALUES)
        for k in range(count):
            if out[2000 + k] > best:
                best = out[2000 + k]
                choice = out[k]
    if choice < 0 or (stay > best and kind == STATIC):
        best = max(stay, best) if choice >= 0 else stay
        choice = i64(PASS)
    out[1] = best
    return choice


@kernel
def list_plays(states: Any, out: Any, values: Any, terms: Any) -> Any:
    """Every action of the player to move with its equity in thousandths; how many."""
    state = states[0]
    total = state.prepare(out)
    fill_leaves(state, out, terms, total)
    count = state.generate(out, values, VALUES, False)
    if state.can_swap():
        count = state.swaps(out, values, count, VALUES)
    out[count] = PASS
    values[count] = out[BASE + LEAVE]
    return count + 1


@kernel
def choose_play(states: Any, out: Any, terms: Any, kind: Any) -> Any:
    """The action of a static or greedy player."""
    return best_play(states[0], out, terms, kind)


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
