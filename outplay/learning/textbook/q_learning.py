"""Q-learning (Christopher Watkins, 1989): what each action of a position is worth to one player, learned without knowing the odds.

After action a in s came s' (chance had its moves in between), so Q(s, a) is pulled towards the best that s' offers:

    Q(s, a) <- Q(s, a) + alpha * (max over a' of Q(s', a') - Q(s, a))

and at the end towards the utility. Unlike expectimax it never asks how likely an outcome is: it sees what happens.

>>> from outplay.game import load
>>> risk = '{"chance": [[0.3, {"leaf": [9]}], [0.7, {"leaf": [100]}]]}'
>>> game = load("tree", tree=f'{{"player": 0, "actions": [{{"leaf": [10]}}, {risk}]}}')
>>> found = q_learning(game, games=2000, seed=1)
>>> start = game.start()
>>> [round(found[start.text(), action], -1) for action in start.actions()]  # a sure 10, or 72.7 on average
[10.0, 70.0]
"""

from __future__ import annotations

import random
from collections.abc import Callable

from outplay.game import Game, Position, need
from outplay.jit import random_source
from outplay.values import Action, Step


def q_learning(game: Game, *, games: int = 1000, alpha: float | None = None, explore: float = 0.2, seed: int = 0,
               start: Position | None = None, watch: Callable[[Step], None] | None = None) -> dict[tuple[str, Action], float]:
    """Q by position and action. Without `alpha` the rate is one over an action's visits: the running mean of what it brought."""
    need("Q-learning", game, players=1, information="perfect", use="td_table")
    table: dict[tuple[str, Action], float] = {}
    visits: dict[tuple[str, Action], int] = {}
    source, dice = random.Random(seed), random_source(seed)

    def settle(position: Position) -> Position:
        while position.is_chance():
            position = position.result(position.sample_chance(dice))
        return position

    for _ in range(games):
        position = settle(start or game.start())
        path: tuple[Action, ...] = ()
        while not position.is_terminal():
            options = position.actions()
            here = position.text()
            if source.random() < explore:
                action = source.choice(options)
            else:
                action = max(options, key=lambda a: table.get((here, a), 0.0))
            after = settle(position.result(action))
            if after.is_terminal():
                wanted = after.utility(0)
            else:
                there = after.text()
                wanted = max(table.get((there, a), 0.0) for a in after.actions())
            visits[here, action] = visits.get((here, action), 0) + 1
            rate = 1 / visits[here, action] if alpha is None else alpha
            before = table.get((here, action), 0.0)
            table[here, action] = before + rate * (wanted - before)
            path += (action,)
            if watch is not None:
                watch(Step("learn", path, value=table[here, action], facts={"before": before, "wanted": wanted, "rate": rate}))
            position = after
    return table
