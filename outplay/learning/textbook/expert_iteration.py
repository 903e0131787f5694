"""Expert iteration (Anthony, Tian and Barber, 2017; AlphaZero, 2017) in its smallest form: a search and a table teach each other.

The apprentice is a table: for each position, how often each action was found best. The expert is a short Monte Carlo tree search
whose playouts follow the apprentice. What the expert finds goes into the table, which makes the next expert better, and so on. With
a network in place of the table this is AlphaZero.

>>> from outplay.game import load
>>> game = load("tic-tac-toe")
>>> table = expert_iteration(game, games=60, simulations=60, seed=1)
>>> position = game.position("xx./oo./... x")
>>> shares = table.shares(position)
>>> position.action_text(max(shares, key=shares.get)) in ("c3", "c2")  # it wins, or at least keeps the other from winning
True
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from outplay.game import Game, Position, need
from outplay.textbook.mcts import mcts
from outplay.values import Action, Step


@dataclass
class Apprentice:
    """A table of what the expert found: for each position, by its text, how often each action."""

    counts: dict[str, dict[Action, float]] = field(default_factory=dict)

    def shares(self, position: Position) -> dict[Action, float]:
        """How likely it takes each action: what it saw, and a little of everything."""
        seen = self.counts.get(position.text(), {})
        given = {action: seen.get(action, 0.0) + 0.1 for action in position.actions()}
        whole = sum(given.values())
        return {action: share / whole for action, share in given.items()}

    def choose(self, position: Position, source: random.Random) -> Action:
        """An action by these shares."""
        shares = self.shares(position)
        return source.choices(list(shares), list(shares.values()))[0]


def expert_iteration(game: Game, *, games: int = 100, simulations: int = 50, seed: int = 0,
                     start: Position | None = None, watch: Callable[[Step], None] | None = None) -> Apprentice:
    """Let the expert play itself so many games, and the apprentice learn from each of its moves."""
    need("expert iteration", game, players=2, sum="zero", chance=False, information="perfect")
    apprentice = Apprentice()
    source = random.Random(seed)
    for number in range(games):
        position = start or game.start()
        path: tuple[Action | None, ...] = ()
        while not position.is_terminal():
            found = mcts(position, simulations=simulations, seed=source.randrange(2**31),
                         playout=lambda at, _: apprentice.choose(at, source))
            visits = {choice.action: float(choice.visits or 0) for choice in found.choices}
            whole = sum(visits.values())
            known = apprentice.counts.setdefault(position.text(), {})
            for action, seen in visits.items():
                known[action] = known.get(action, 0.0) + seen / whole
            path += (found.action,)
            if watch is not None:
                watch(Step("learn", path, value=found.value, facts={"game": number, "shares": apprentice.shares(position)}))
            assert found.action is not None
            position = position.result(found.action)
    return apprentice
