"""Compiled rules do what uncompiled rules do, step for step."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from outplay.conformance.checker import Checker
from outplay.errors import shorten
from outplay.game import Position
from outplay.jit import f64, i64, kernel, mix, random_source, u64
from outplay.values import CHANCE

COLUMNS = ("player", "is_terminal", "actions or chances", "forcing", "solving", "actions(None)", "choose", "reversible",
           "pass_turn", "key", "key after canonical", "key after pass_turn", "key after observe", "key after deal",
           "urgent", "the bounds of solving", "is_drawn", "key after transform", "transform_action", "draw", "cost", "estimate",
           "redundant", "side")
REALS = ("utility", "evaluate", "order", "prior", "planes", "the weight of deal")


def compare(check: Checker, moves: list[Any]) -> None:
    """Follow one game both ways and compare all that the methods say at each step."""
    game, rules = check.game, check.rules
    assert rules is not None
    played = np.array(moves, rules.action_type)
    seen = []
    for run in (_follow.python, _follow):
        states = rules.states(len(moves) + 2)
        initial: Any = game.initial()
        states[:1].view(np.uint8)[:] = np.frombuffer(initial, np.uint8)
        actions, probabilities = rules.room(rules.most_actions + 16), np.zeros(rules.most_actions + 16)
        words, reals = np.zeros((len(moves) + 1, len(COLUMNS)), np.uint64), np.zeros((len(moves) + 1, len(REALS)))
        with np.errstate(over="ignore"), check.guarded("a compiled method" if run is _follow else "a method"):
            run(states, played, actions, probabilities, rules.weights, random_source(check.seed), words, reals, rules.players,
                rules.symmetries, np.zeros(rules.plane_shape or (1,), np.float32))
        if check.broken:
            return
        seen.append((states.view(np.uint8).reshape(len(states), -1), words, reals))
    (states, words, reals), (other_states, other_words, other_reals) = seen
    for step in range(len(moves) + 1):
        if (states[step] != other_states[step]).any():
            now = game.text(other_states[step].tobytes())
            if step:
                check.where = Position(game, states[step - 1].tobytes())
            then = game.text(states[step].tobytes())
            action = moves[step - 1] if step else ""
            both = f"{shorten(now, 200)!r} compiled and to {shorten(then, 200)!r} uncompiled"
            check.need("compiled", False, f"play({action}) leads to {both}")
        check.where = Position(game, states[step].tobytes())
        for column, name in enumerate(COLUMNS):
            mine, theirs = int(words[step, column]), int(other_words[step, column])
            check.need("compiled", mine == theirs, f"{name} gives {theirs:#x} compiled and {mine:#x} uncompiled")
        for column, name in enumerate(REALS):
            real, other = float(reals[step, column]), float(other_reals[step, column])
            close = math.isclose(real, other, rel_tol=1e-6, abs_tol=1e-6)
            check.need("compiled", close, f"{name} gives {other} compiled and {real} uncompiled")
        if check.broken:
            return


@kernel
def _follow(states: Any, moves: Any, actions: Any, probabilities: Any, weights: Any, source: Any, words: Any, reals: Any,
            players: Any, symmetries: Any, planes: Any) -> None:
    """Play the given moves and write down what every method says on the way; each is called in one place, to compile fast."""
    spare = len(states) - 1
    for step in range(len(moves) + 1):
        state = states[step]
        player = state.player()
        over = state.is_terminal() or state.is_drawn()
        words[step, 0] = u64(player + 1)
        words[step, 1] = u64(1) if state.is_terminal() else u64(0)
        words[step, 16] = u64(1) if state.is_drawn() else u64(0)
        words[step, 23] = u64(state.side(player) + 1)
        first_count = 0
        for listing in range(3):
            count = 0
            if not over and player == CHANCE and listing == 0:
                count = state.chances(actions, probabilities)
            elif not over and player != CHANCE:
                if listing == 0:
                    count = state.actions(actions)
                    for i in range(min(count, 4)):
                        action = actions[i]
                        reals[step, 2] += (i + 1) * f64(state.order(action))
                        if state.offers_prior():
                            won, of = state.prior(action)
                            reals[step, 3] += (i + 1) * (f64(won) + 3 * f64(of))
                        if state.offers_transform_action():
                            for symmetry in range(symmetries):
                                words[step, 18] = mix(words[step, 18] + u64(state.transform_action(symmetry, action)))
                        if state.offers_cost():
                            words[step, 20] += u64(state.cost(action))
                        if state.offers_redundant() and step > 0:
                            words[step, 22] = 2 * words[step, 22] + (u64(1) if state.redundant(moves[step - 1], action) else u64(0))
                elif listing == 1:
                    count = state.forcing(actions)
                elif state.offers_solving():
                    count, least, greatest = state.solving(actions)
                    words[step, 15] = u64(16 * (i64(least) + 4) + i64(greatest) + 4)
            digest = u64(count)
            for i in range(count):
                digest = mix(digest + u64(actions[i]))
                if player == CHANCE:
                    digest = mix(digest + u64(i64(probabilities[i] * 1e12 + 0.5)))
            words[step, 2 + listing] = digest
            if listing == 0:
                first_count = count
        for p in range(players):
            if first_count == 0:
                reals[step, 0] += (p + 1) * state.utility(p)
            elif player != CHANCE:
                reals[step, 1] += (p + 1) * state.evaluate(p, weights)
        if state.offers_draw() and player == CHANCE and not over:
            words[step, 19] = u64(state.draw(source))
        if state.offers_estimate():
            words[step, 21] = u64(state.estimate())
        if state.offers_planes():
            for p in range(players):
                state.planes(p, planes)
                numbers = planes.reshape(planes.size)  # whatever shape a game gives them
                for i in range(len(numbers)):
                    reals[step, 4] += numbers[i] * (1 + i)
        if state.offers_transform():
            for symmetry in range(1, symmetries):
                states[spare] = states[step]
                states[spare].transform(symmetry)
                words[step, 17] = mix(words[step, 17] + states[spare].key())
        is_choice = first_count > 0 and player != CHANCE
        if is_choice:
            words[step, 5] = u64(state.count_actions(actions))
            if state.offers_choose():
                words[step, 6] = u64(state.choose(actions, source) + 1)
            words[step, 7] = u64(state.reversible())
            words[step, 14] = u64(1) if state.urgent() else u64(0)
        for change in range(3 + 2 * players):
            states[spare] = states[step]
            column = 9 + change
            if change == 1:
                states[spare].canonical()
            elif change == 2 and is_choice:
                words[step, 8] = u64(1) if states[spare].pass_turn() else u64(0)
            elif change > 2:
                p = (change - 3) // 2
                column = 12 + (change - 3) % 2
                states[spare].observe(p)
                if column == 13:
                    reals[step, 5] += (p + 1) * f64(states[spare].deal(p, source))
            words[step, column] = mix(words[step, column] + states[spare].key())
        if step < len(moves):
            states[step + 1] = states[step]
            states[step + 1].play(moves[step])
