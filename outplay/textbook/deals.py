"""Averaging over deals: guess what is hidden, lay the cards open, search, and take the action best on average (Ginsberg 2001).

GIB played bridge so: a hundred deals consistent with what is known, each searched as if all cards lay open, and the action that
does best on average. Here the coin under a cup is heads three times in four:

>>> from outplay.game import Game
>>> from outplay.jit import uniform
>>> class Cup(Game):
...     '''A coin lies under a cup; the one player may call it or leave it.'''
...     name, players, bounds = "cup", 1, (-1.0, 1.0)
...     def initial(self): return ("heads", None)
...     def player(self, state): return 0
...     def actions(self, state): return ("heads", "tails", "leave")
...     def result(self, state, action): return (state[0], action)
...     def is_terminal(self, state): return state[1] is not None
...     def utility(self, state, player): return 0.0 if state[1] == "leave" else 1.0 if state[0] == state[1] else -1.0
...     def observe(self, state, player): return (None, state[1])
...     def deal(self, view, player, source): return ("heads" if uniform(source) < 0.75 else "tails", view[1])
>>> result = deals(Cup().start(), number=100, seed=2)
>>> result.action, result.facts["times_best"], result.facts["stopped"]
('heads', {'heads': 62, 'tails': 15, 'leave': 0}, 'after 77 deals the rest cannot change the choice')

Two things stop it early: an action that was best in every deal so far, many times in a row (the lecture's special case: best for
all deals is best), and a lead that the deals still to come cannot undo.

The idea has a famous flaw. In each deal the search sees the cards, so it believes that later it will know what it will not know:
it never pays for information, and puts off every guess. `docs/hidden-information.md` shows a tree where that goes wrong.
"""

from __future__ import annotations

import copy
import functools
import random
import time
from collections.abc import Callable
from dataclasses import replace

from outplay.errors import BadValue
from outplay.game import Game, Position, need
from outplay.textbook.maxn import maxn, shown
from outplay.textbook.search import OutOfTime, Search, whole_number
from outplay.textbook.star import star1
from outplay.values import CHANCE, Action, Choice, Limits, Result

Solver = Callable[..., Result]
"""Any algorithm for open cards that takes a position, a depth and limits."""


def deals(position: Position, *, number: int = 100, agree: int = 25, solver: Solver | None = None, depth: int | None = None,
          seed: int = 0, limits: Limits | None = None, trace: bool = False) -> Result:
    """The action with the best average over `number` random deals of what the player to move cannot see.

    Stops once one action was best in each of the first `agree` deals. The solver is star1 for two players whose utilities
    cancel, and else maxn. The facts tell of each action its average value and in how many deals it was best.
    """
    traits = position.game.traits
    fitting = "mcts" if traits.players > 1 and traits.sum != "zero" else "expectiminimax" if traits.chance else "alphabeta"
    need("deals", position.game, information="hidden", use=fitting)
    if position.player() == CHANCE and not position.is_terminal():
        raise BadValue("deals decides for a player, and here chance is to move: play its outcome first")
    whole_number("number", number, 1)
    whole_number("agree", agree, 1)
    search = Search("deals", position, depth=depth, limits=limits, trace=trace)
    if search.depth is not None:
        whole_number("depth", search.depth, 1)
    solve: Solver = solver or (star1 if traits.sides == 2 and traits.sum != "general" else maxn)
    source = random.Random(seed)
    me, actions = position.player(), position.actions()
    sums = {action: (0.0,) * traits.players for action in actions}
    times_best = dict.fromkeys(actions, 0)
    greatest_swing = (traits.bounds[1] - traits.bounds[0]) * search.scale

    def search_deal(dealt: Position) -> dict[Action, tuple[float, ...]]:
        """What each action is worth to each player when all cards lie open."""
        worth = {}
        for action in actions:
            deeper = None if search.depth is None else search.depth - 1
            found = solve(laid_open(dealt.result(action)), depth=deeper, limits=None if out_of_time else _time_left(search))
            worth[action] = found.value if isinstance(found.value, tuple) else _both(found.value, position)
            search.nodes, search.leaves = search.nodes + found.nodes, search.leaves + found.leaves
            search.deepest = max(search.deepest, found.depth + 1)
        return worth

    done, stopped, out_of_time = 0, f"all {number} deals made", False
    while done < number and actions:
        dealt = position.deal(me, source.getrandbits(63))
        try:
            search.look_at_limits()
            worth = search_deal(dealt)
        except OutOfTime:
            stopped = "out of time"
            if done > 0:
                break
            search.depth, out_of_time = 1, True  # not even one deal: a look at each action is better than no answer
            worth = search_deal(dealt)
        done += 1
        best = max(vector[me] for vector in worth.values())
        for action, vector in worth.items():
            sums[action] = tuple(a + b for a, b in zip(sums[action], vector, strict=True))
            times_best[action] += vector[me] >= best - 1e-12
        search.note("deal", dealt, value=best, facts={"deal": dealt.text(), "values": {a: v[me] for a, v in worth.items()}})
        if out_of_time:
            break
        leader, *others = sorted((sums[action][me] for action in actions), reverse=True)
        if done >= agree and max(times_best.values()) == done:
            stopped = f"one action was best in every one of {done} deals"
            break
        if all(leader - other > (number - done) * greatest_swing for other in others):
            stopped = f"after {done} deals the rest cannot change the choice"
            break
    search.exact = position.is_terminal()
    if not actions:
        return search.report(shown(position.utilities(), traits), ())
    chosen = max(actions, key=lambda action: sums[action][me])
    average = tuple(entry / done for entry in sums[chosen])
    averages = {action: tuple(entry / done for entry in sums[action]) for action in actions}
    ranked = sorted(actions, key=lambda action: (action != chosen, -averages[action][me]))
    choices = [Choice(action, shown(averages[action], traits), line=(action,)) for action in ranked]
    return search.report(shown(average, traits), (chosen,), choices=choices, deals=done, stopped=stopped, times_best=times_best)


def _both(value: float, position: Position) -> tuple[float, ...]:
    """What MAX's value is to each seat: two sides share the total."""
    game = position.game
    return tuple(value if game.side(seat) == 0 else (game.traits.total or 0.0) - value for seat in range(game.players))


def laid_open(position: Position) -> Position:
    """The same position in a game where everybody sees everything."""
    return Position(_open_game(position.game), position.state)


@functools.lru_cache(maxsize=8)
def _open_game(game: Game) -> Game:
    opened = copy.copy(game)
    opened.__dict__["traits"] = replace(game.traits, information="perfect")
    return opened


def _time_left(search: Search) -> Limits | None:
    if search.limits.seconds is None:
        return None
    return Limits(seconds=max(0.0, search.limits.seconds - (time.perf_counter() - search.started)))
