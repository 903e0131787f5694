"""The kernel of search with chance: expectiminimax, Star1, Star2 and models of the opponent, as one loop over frames.

Values are MAX's (player 0's), in points. A chance node is worth its average. Star1 and Star2 (Ballard 1983) cut there: what is
still unknown is worth at least the least possible value and at most the greatest; `low` and `high` of a frame are the averages with
unknown outcomes at those ends. Star2 first probes each outcome by one action. Only actions count as depth.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from outplay.engine.alphabeta.bounds import EXACT, LOWER, UNBOUNDED, UPPER
from outplay.engine.frames.steps import keep_line, list_next
from outplay.jit import copy_record, f64, i8, i32, i64, inlined, kernel, mix, u64
from outplay.values import CHANCE

FRAME = np.dtype((np.record, np.dtype(
    [
        *((name, np.float64) for name in ("alpha", "beta", "lower", "upper", "best", "low", "high", "total")),
        ("key", np.uint64),
        ("action", np.int64),
        *((name, np.int32) for name in ("index", "count", "left", "length")),
        *((name, np.int8) for name in ("kind", "probing", "probed")),
    ],
    align=True,
)))
ENTRY = np.dtype((np.record, [("key", np.uint64), ("value", np.float64), ("left", np.int32), ("bound", np.int32)]))
CONTROL = np.dtype((np.record, np.dtype(
    [
        *((name, np.float64) for name in ("alpha", "beta", "value", "least", "greatest", "scale", "middle", "skill")),
        ("temperature", np.float64),
        *((name, np.int64) for name in ("ply", "mode", "left", "last", "nodes", "leaves", "until", "cuts", "hits")),
        *((name, np.int64) for name in ("rule", "model", "agent", "probed", "inexact", "outside", "ordered", "evaluates", "mask")),
        *((name, np.int64) for name in ("salt", "overrun", "candidates")),
    ],
    align=True,
)))

PLAIN, STAR1, STAR2 = range(3)
PERFECT, RANDOM, IMPERFECT, SOFT, POLICY = range(5)  # how the opponent of the agent plays
MAX_NODE, MIN_NODE, CHANCE_NODE, MODEL_NODE = range(4)
ENTER, RETURN, DONE, ASK, TOLD = range(5)  # ASK: the opponent's policy is to be laid down in `actions` and `probabilities`
CUT_OFF = 4  # added to a bound that an evaluation or a limit has a part in


@inlined
def leaf_value(state: Any, control: Any, over: Any, weights: Any) -> Any:
    """UTILITY of a finished game, EVAL of another, both in points."""
    settings = control[0]
    if over:
        return f64(state.utility(0)) * settings.scale
    settings.inexact = 1
    if settings.evaluates:
        return f64(state.evaluate(0, weights))
    return settings.middle


@inlined
def sort_actions(states: Any, ply: Any, actions: Any, lowest: Any, count: Any, sign: Any, weights: Any, evaluates: Any) -> None:
    """Best first, by the game's own order, else by what EVAL says of the results; `lowest` lends the room for the scores."""
    for k in range(count):
        action = actions[ply, k]
        if states[ply].offers_order():
            score = f64(states[ply].order(action))
        elif evaluates:
            copy_record(states, u64(ply + 1), u64(ply))
            states[ply + 1].play(action)
            score = sign * f64(states[ply + 1].evaluate(0, weights))
        else:
            return
        at = k
        while at > 0 and lowest[ply, at - 1] < score:
            lowest[ply, at], actions[ply, at] = lowest[ply, at - 1], actions[ply, at - 1]
            at -= 1
        lowest[ply, at], actions[ply, at] = score, action


@inlined
def soft_policy(states: Any, ply: Any, actions: Any, probabilities: Any, count: Any, player: Any, weights: Any,
                temperature: Any) -> None:
    """An action whose result EVAL calls `temperature` points better is e times as likely (Boltzmann's distribution)."""
    best = -UNBOUNDED
    for k in range(count):
        states[ply + 1] = states[ply]
        states[ply + 1].play(actions[ply, k])
        probabilities[ply, k] = f64(states[ply + 1].evaluate(player, weights))
        best = max(best, probabilities[ply, k])
    total = 0.0
    for k in range(count):
        probabilities[ply, k] = np.exp((probabilities[ply, k] - best) / temperature)
        total += probabilities[ply, k]
    for k in range(count):
        probabilities[ply, k] /= total


@inlined
def window_of(frame: Any, probabilities: Any, lowest: Any, highest: Any, ply: Any, least: Any, greatest: Any) -> Any:
    """Where the outcome at hand must lie for the average to lie between alpha and beta, the others being at their ends."""
    k = frame.index
    p = probabilities[ply, k]
    alpha = max((frame.alpha - frame.high) / p + highest[ply, k], least)
    beta = min((frame.beta - frame.low) / p + lowest[ply, k], greatest)
    return alpha, beta


@inlined
def rest(settings: Any, ply: Any, mode: Any, alpha: Any, beta: Any, left: Any, probed: Any) -> None:
    """Put down where the loop stands, before the kernel returns to Python; while it runs that is in registers."""
    settings.ply, settings.mode, settings.alpha, settings.beta = ply, mode, alpha, beta
    settings.left, settings.probed = left, probed


@kernel
def run(states: Any, frames: Any, control: Any, actions: Any, probabilities: Any, lowest: Any, highest: Any, lines: Any, table: Any,
        weights: Any) -> Any:
    """Search on until the root has its value (True), control.until nodes are counted, or a policy is asked (False: call again)."""
    settings = control[0]
    rule, model = settings.rule, settings.model
    least, greatest = settings.least, settings.greatest
    ply, mode, left, probed = settings.ply, settings.mode, settings.left, settings.probed
    alpha, beta, value = settings.alpha, settings.beta, settings.value
    while True:
        if mode == ENTER:
            if settings.nodes >= settings.until:
                rest(settings, ply, mode, alpha, beta, left, probed)
                return False
            settings.nodes += 1
            state = states[ply]
            frame = frames[ply]
            player = state.player()
            frame.length = i32(0)
            over = state.is_terminal() or state.is_drawn()
            count = 0
            by_dice = False
            if not over and (left > 0 or not state.offers_is_terminal()):
                count, by_dice = list_next(state, player, actions[ply], probabilities[ply])
                over = count == 0
                if count > actions.shape[1]:
                    settings.overrun = 1
                    return True
            if over or left == 0 or ply >= settings.last:
                settings.leaves += 1
                value = leaf_value(state, control, over, weights)
                if rule != PLAIN and (value < least or value > greatest):
                    settings.outside = 1
                    value = min(max(value, least), greatest)
                mode = i64(RETURN)
                continue
            key = u64(0)
            if settings.mask > 0 and probed == 0 and ply > 0:  # the root wants an action, not only a value
                key = mix(state.key() + u64(0x9E3779B97F4A7C15) * u64(4 * (player + 2) + settings.salt))
                entry = table[i64(key & u64(settings.mask))]
                if entry.key == key and entry.left == left:
                    value, bound = entry.value, entry.bound & 3
                    if bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha):
                        settings.hits += 1
                        settings.inexact |= entry.bound >> 2
                        mode = i64(RETURN)
                        continue
            frame.key = key
            frame.alpha, frame.beta, frame.lower, frame.upper, frame.left = alpha, beta, alpha, beta, i32(left)
            frame.index, frame.count, frame.action = i32(0), i32(count), -1
            frame.probed, frame.probing = i8(probed), i8(0)
            if by_dice:
                frame.kind = i8(CHANCE_NODE)
                kept = 0
                for k in range(count):  # what cannot happen is left out
                    if probabilities[ply, k] > 0.0:
                        actions[ply, kept], probabilities[ply, kept] = actions[ply, k], probabilities[ply, k]
                        lowest[ply, kept], highest[ply, kept] = least, greatest
                        kept += 1
                frame.count = i32(kept)
                frame.low, frame.high, frame.total = least, greatest, 0.0
                frame.probing = i8(rule == STAR2)
            else:
                is_max = state.side(player) == state.side(0)
                is_model = model != PERFECT and state.side(player) != state.side(settings.agent)
                frame.kind = i8(MODEL_NODE if is_model else MAX_NODE if is_max else MIN_NODE)
                frame.best = -UNBOUNDED if is_max else UNBOUNDED
                frame.total = 0.0
                if settings.ordered and left > 1 and not is_model:
                    sort_actions(states, ply, actions, lowest, count, 1.0 if is_max else -1.0, weights, settings.evaluates)
                    if 0 < settings.candidates < count:  # the others are not looked into: at one ply, they seemed worse
                        frame.count = i32(settings.candidates)
                        settings.inexact = 1
                if probed != 0:
                    frame.count = i32(1)
                if is_model:
                    frame.alpha, frame.beta = (-UNBOUNDED, UNBOUNDED) if rule == PLAIN else (least, greatest)
                    if model == SOFT:
                        soft_policy(states, ply, actions, probabilities, count, player, weights, settings.temperature)
                    elif model == POLICY:
                        rest(settings, ply, i64(ASK), alpha, beta, left, probed)
                        return False
        elif mode == TOLD:
            frame = frames[ply]  # go down to the first action of the policy
        else:
            # RETURN: the child of the node above is worth `value`.
            if ply == 0:
                rest(settings, ply, i64(DONE), alpha, beta, left, probed)
                settings.value = value
                return True
            ply -= 1
            frame = frames[ply]
            finished = False
            kind = frame.kind
            k = frame.index
            if kind <= MIN_NODE:
                is_max = kind == MAX_NODE
                if (value > frame.best) if is_max else (value < frame.best):
                    frame.best = value
                    frame.action = actions[ply, k]
                    keep_line(lines, frames, ply, actions[ply, k])
                frame.index += 1
                value = frame.best
                finished = frame.index >= frame.count
                if rule != PLAIN:
                    if (value >= frame.beta) if is_max else (value <= frame.alpha):
                        settings.cuts += not finished
                        finished = True
                    elif is_max:
                        frame.alpha = max(frame.alpha, value)
                    else:
                        frame.beta = min(frame.beta, value)
            elif kind == MODEL_NODE:
                sign = 1.0 if states[ply].side(states[ply].player()) == states[ply].side(0) else -1.0
                frame.total += probabilities[ply, k] * value if model >= SOFT else value
                if sign * value > sign * frame.best:
                    frame.best = value
                frame.index += 1
                finished = frame.index >= frame.count
                if finished:
                    value = frame.total if model >= SOFT else frame.total / frame.count
                    if model == IMPERFECT and frame.count > 1:
                        others = (frame.total - frame.best) / (frame.count - 1)
                        value = settings.skill * frame.best + (1.0 - settings.skill) * others
                    elif model == IMPERFECT:
                        value = frame.best
            elif frame.probing:
                p = probabilities[ply, k]
                # One action bounds MAX's node from below, MIN's from above.
                if states[ply + 1].side(states[ply + 1].player()) == states[ply].side(0):
                    frame.low += p * (value - lowest[ply, k])
                    lowest[ply, k] = value
                else:
                    frame.high += p * (value - highest[ply, k])
                    highest[ply, k] = value
                frame.index += 1
                if frame.high <= frame.alpha:
                    value, finished = frame.high, True
                elif frame.low >= frame.beta:
                    value, finished = frame.low, True
                settings.cuts += finished
                if not finished and frame.index >= frame.count:
                    frame.probing, frame.index = i8(0), i32(0)
            else:
                p = probabilities[ply, k]
                if rule == PLAIN:
                    frame.total += p * value
                    frame.index += 1
                    finished = frame.index >= frame.count
                    value = frame.total
                else:
                    down = (frame.alpha - frame.high) / p + highest[ply, k]
                    up = (frame.beta - frame.low) / p + lowest[ply, k]
                    if value <= down:
                        value, finished = min(frame.high + p * (value - highest[ply, k]), frame.alpha), True
                        settings.cuts += k + 1 < frame.count
                    elif value >= up:
                        value, finished = max(frame.low + p * (value - lowest[ply, k]), frame.beta), True
                        settings.cuts += k + 1 < frame.count
                    else:
                        frame.low += p * (value - lowest[ply, k])
                        frame.high += p * (value - highest[ply, k])
                        lowest[ply, k], highest[ply, k] = value, value
                        frame.index += 1
                        finished = frame.index >= frame.count
                        value = frame.low
            if finished:
                if settings.mask > 0 and not frame.probed and frame.key != u64(0):
                    entry = table[i64(frame.key & u64(settings.mask))]
                    bound = EXACT
                    if rule != PLAIN and kind != MODEL_NODE:
                        bound = LOWER if value >= frame.upper else UPPER if value <= frame.lower else EXACT
                    entry.key, entry.value, entry.left = frame.key, value, frame.left
                    entry.bound = i32(bound + CUT_OFF * settings.inexact)
                continue
        # Go down to the child at frame.index.
        frame = frames[ply]
        if frame.kind == CHANCE_NODE and frame.probing:
            # Only players' nodes are probed; others keep what is known of them.
            found = False
            while frame.index < frame.count:
                copy_record(states, u64(ply + 1), u64(ply))
                states[ply + 1].play(actions[ply, frame.index])
                child = states[ply + 1]
                if not child.is_terminal() and not child.is_drawn() and child.player() != CHANCE and (
                    child.offers_is_terminal() or child.actions(actions[ply + 1]) > 0
                ):
                    found = True
                    break
                frame.index += 1
            if found:
                alpha, beta = window_of(frame, probabilities, lowest, highest, ply, least, greatest)
                if states[ply + 1].side(states[ply + 1].player()) == states[ply].side(0):
                    alpha = least
                else:
                    beta = greatest
                probed, left, mode = i64(1), i64(frame.left), i64(ENTER)
                ply += 1
                continue
            frame.probing, frame.index = i8(0), i32(0)
        copy_record(states, u64(ply + 1), u64(ply))
        states[ply + 1].play(actions[ply, frame.index])
        if frame.kind == CHANCE_NODE:
            left = i64(frame.left)
            if rule != PLAIN:
                alpha, beta = window_of(frame, probabilities, lowest, highest, ply, least, greatest)
        else:
            left = i64(frame.left) - 1
            alpha, beta = frame.alpha, frame.beta
        probed, mode = i64(0), i64(ENTER)
        ply += 1
