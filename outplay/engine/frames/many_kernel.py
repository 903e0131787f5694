"""The kernel of search with many players: max^n, paranoid and best reply, as one loop over frames.

Each node returns a vector, one value a player, in points. Max^n (Luckhardt and Irani 1986): each player maximises its own entry,
with Korf's shallow pruning (1991) where the entries add up to no more than a known total. Paranoid (Sturtevant and Korf 2000): the
others minimise the entry of the player at the root, with alpha-beta. Best reply (Schadd and Winands 2011; with legal moves for the
rest, Esser and others 2013): only one of the others answers freely between two moves of mine; the rest play their first action.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from outplay.engine.alphabeta.bounds import UNBOUNDED
from outplay.engine.frames.steps import keep_line, list_next
from outplay.jit import f64, i8, i32, kernel
from outplay.values import CHANCE

FRAME = np.dtype((np.record, np.dtype(
    [
        *((name, np.float64) for name in ("alpha", "beta", "has")),
        *((name, np.int32) for name in ("index", "count", "left", "length")),
        *((name, np.int8) for name in ("mover", "rival", "replied", "by_dice")),
    ],
    align=True,
)))
CONTROL = np.dtype((np.record, np.dtype(
    [
        *((name, np.float64) for name in ("alpha", "beta", "has", "scale", "middle", "most", "floor")),
        *((name, np.int64) for name in ("ply", "mode", "left", "last", "nodes", "leaves", "until", "cuts", "rival", "replied")),
        *((name, np.int64) for name in ("rule", "prune", "me", "players", "inexact", "broken", "evaluates", "ordered", "overrun")),
        ("extensions", np.int64),
    ],
    align=True,
)))

MAXN, PARANOID, BEST_REPLY = range(3)
ENTER, RETURN, DONE = range(3)


@kernel
def run(states: Any, frames: Any, control: Any, actions: Any, probabilities: Any, scores: Any, values: Any, returned: Any,
        lines: Any, weights: Any) -> Any:
    """Search on until the root has its vector in `returned` (True) or control.until nodes are counted (False).

    values[ply, player] is the best vector so far of each node on the way.
    """
    settings = control[0]
    rule, me, players = settings.rule, settings.me, settings.players
    most, floor = settings.most, settings.floor
    ply = settings.ply
    while True:
        frame = frames[ply]
        if settings.mode == ENTER:
            if settings.nodes >= settings.until:
                settings.ply = ply
                return False
            settings.nodes += 1
            state = states[ply]
            player = state.player()
            frame.length = i32(0)
            over = state.is_terminal() or state.is_drawn()
            count = 0
            by_dice = False
            # What is urgent, as an offer that waits for its answer, is not judged at a glance: one ply more, and no further.
            judged = settings.left < 0
            if settings.left == 0:
                judged = not (state.offers_urgent() and settings.extensions and ply > 0 and not over and state.urgent())
            if not over and (not judged or not state.offers_is_terminal()):
                count, by_dice = list_next(state, player, actions[ply], probabilities[ply])
                over = count == 0
                if count > actions.shape[1]:
                    settings.overrun = 1
                    return True
            if over or judged or ply >= settings.last:
                settings.leaves += 1
                total = 0.0
                for p in range(players):
                    if over:
                        returned[p] = f64(state.utility(p)) * settings.scale
                    elif settings.evaluates:
                        returned[p] = f64(state.evaluate(p, weights))
                    else:
                        returned[p] = settings.middle
                    total += returned[p]
                    if settings.prune and returned[p] < floor - 1e-9:
                        settings.broken = 1
                if settings.prune and total > most + 1e-9:
                    settings.broken = 1
                if not over:
                    settings.inexact = 1
                settings.mode = RETURN
                continue
            if settings.ordered and not by_dice and state.offers_order():
                for k in range(count):
                    action = actions[ply, k]
                    score = f64(state.order(action))
                    at = k
                    while at > 0 and scores[ply, at - 1] < score:
                        scores[ply, at], actions[ply, at] = scores[ply, at - 1], actions[ply, at - 1]
                        at -= 1
                    scores[ply, at], actions[ply, at] = score, action
            mine = state.side(player) == state.side(me)
            if rule == BEST_REPLY and not by_dice and not mine and settings.replied:
                count = 1  # another one had the free answer
            frame.alpha, frame.beta, frame.has = settings.alpha, settings.beta, settings.has
            frame.index, frame.count, frame.left = i32(0), i32(count), i32(settings.left)
            frame.mover, frame.rival, frame.by_dice = i8(player), i8(settings.rival), i8(by_dice)
            frame.replied = i8(0 if mine else settings.replied)
            start = 0.0 if by_dice else -UNBOUNDED if rule == MAXN or mine else UNBOUNDED
            for p in range(players):
                values[ply, p] = start
        else:
            if ply == 0:
                settings.mode, settings.ply = DONE, 0
                return True
            ply -= 1
            frame = frames[ply]
            player = frame.mover
            finished = False
            if frame.by_dice:
                for p in range(players):
                    values[ply, p] += probabilities[ply, frame.index] * returned[p]
                frame.index += 1
                finished = frame.index >= frame.count
            else:
                judge = player if rule == MAXN else me
                mine = rule == MAXN or states[ply].side(player) == states[ply].side(me)
                better = returned[judge] > values[ply, judge] if mine else returned[judge] < values[ply, judge]
                if better:
                    for p in range(players):
                        values[ply, p] = returned[p]
                    keep_line(lines, frames, ply, actions[ply, frame.index])
                frame.index += 1
                finished = frame.index >= frame.count
                best = values[ply, judge]
                cut = False
                if rule == MAXN:
                    if settings.prune:
                        rest = most - best - (players - 2) * floor  # the most that any one of the others can still get here
                        shallow = frame.rival != player and frame.rival != CHANCE and rest <= frame.has
                        cut = best >= most - (players - 1) * floor or shallow
                elif mine:
                    cut = best >= frame.beta
                    frame.alpha = max(frame.alpha, best)
                else:
                    cut = best <= frame.alpha
                    frame.beta = min(frame.beta, best)
                if cut and not finished:
                    settings.cuts += 1
                    finished = True
            if finished:
                for p in range(players):
                    returned[p] = values[ply, p]
                continue
        # Go down to the child at frame.index.
        frame = frames[ply]
        k = frame.index
        states[ply + 1] = states[ply]
        states[ply + 1].play(actions[ply, k])
        if frame.by_dice:
            settings.left, settings.rival, settings.has = frame.left, CHANCE, -UNBOUNDED
            settings.alpha, settings.beta, settings.replied = -UNBOUNDED, UNBOUNDED, frame.replied
        else:
            settings.left, settings.rival, settings.has = frame.left - 1, frame.mover, values[ply, frame.mover]
            settings.alpha, settings.beta = frame.alpha, frame.beta
            # The first action is the one without a free answer: the right to answer passes on to the next player.
            others = states[ply].side(frame.mover) != states[ply].side(me)
            settings.replied = 1 if others and (frame.replied or k > 0) else 0
        settings.mode = ENTER
        ply += 1
