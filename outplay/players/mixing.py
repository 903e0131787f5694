"""A player that plays a saved policy: at each information set one action, drawn in the policy's shares.

    outplay equilibrium "kuhn poker" --out kuhn.json
    outplay match "kuhn poker" policy:kuhn.json random --games 1000

Where the policy says nothing, another player steps in (Monte Carlo over information sets, or whoever is named).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from outplay import extras
from outplay.errors import BadValue, Unsuitable
from outplay.game import Game, Position
from outplay.players.base import Player
from outplay.values import Action, Choice, Limits, Policy, Result


class PolicyPlayer(Player):
    """Draws its actions from a policy; the same seed draws the same ones."""

    def __init__(self, policy: Policy, *, seed: int = 0, otherwise: Player | None = None, name: str = "policy") -> None:
        self.policy, self.name, self.otherwise = policy, name, otherwise
        self._seed = seed
        self._source = random.Random(seed)
        self._checked: set[str] = set()

    def begin(self, view: Position, *, seed: int = 0) -> None:
        """Another game: other draws."""
        self._source = random.Random(f"{self._seed}/{seed}")
        if self.otherwise is not None:
            self.otherwise.begin(view, seed=seed)

    def get_ready(self, position: Position) -> None:
        """Refuse a game that the policy is not for."""
        if position.game.name not in self._checked:
            self.policy.check(position.game)
            self._checked.add(position.game.name)

    def shares(self, view: Position) -> dict[Action, float]:
        """What the policy plays here, in which shares; empty where it says nothing."""
        self.get_ready(view)
        return self.policy.shares(view)

    def pick(self, view: Position, limits: Limits | None) -> Action:
        """One action, drawn in the policy's shares."""
        shares = self.shares(view)
        if shares:
            action = self._source.choices(list(shares), list(shares.values()))[0]
            told = sorted(shares.items(), key=lambda each: -each[1])
            choices = tuple(Choice(one, share=share) for one, share in told)
            self.last = Result(action, 0.0, (action,), algorithm="policy", exact=False, choices=choices)
            return action
        if self.otherwise is None:
            from outplay.players.searcher import Searcher

            self.otherwise = Searcher("engine:ismcts", Limits(simulations=20_000), seed=self._seed)
        action = self.otherwise.choose(view, limits)
        self.last = self.otherwise.last
        return action


class Strategy(Player):
    """A trained strategy of one game's own kind, too large for a list of information sets."""

    def resolver(self, *, seconds: float, threads: int, name: str) -> Player:
        """The player that solves the rest anew, with what this strategy tells of the hidden."""
        raise Unsuitable(f"{self.name} has nothing to solve anew")

    def exploited(self, game: Game, seed: int) -> Iterator[tuple[int, float, float, str]]:
        """A lower bound of what a best answer wins, better and better: deals so far, the mean, its standard error, the unit."""
        raise Unsuitable(f"{self.name} has no bound of what a best answer wins")


def from_text(text: str, seed: int = 0) -> Player:
    """The player that `policy:FILE` or `policy:FILE,seed=3` means."""
    _, _, rest = text.strip().partition(":")
    path, _, options = rest.partition(",")
    if not path:
        raise BadValue("player 'policy' needs a file: policy:FILE, as `outplay equilibrium GAME --out FILE` writes it")
    if options:
        key, _, value = options.partition("=")
        if key.strip() != "seed" or not value.strip().lstrip("-").isdecimal():
            raise BadValue(f"player 'policy' takes only seed=N after its file, got {options!r}")
        seed = int(value)
    strategy = trained(path, seed)
    if strategy is not None:
        strategy.name = text.strip()
        return strategy
    return PolicyPlayer(Policy.load(path), seed=seed, name=text.strip())


def trained(path: str, seed: int = 0) -> Any:
    """The player of a file that holds a trained strategy of one game's own kind, which is not text; None for other files."""
    try:
        with open(path, "rb") as file:
            if file.read(2) != b"PK":
                return None
    except OSError:
        return None
    return next((made for each in extras.every() if each.strategies and (made := each.fetch(each.strategies)(path, seed))), None)
