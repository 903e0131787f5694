"""A player that plays a saved policy: at each information set one action, drawn in the policy's shares.

    outplay equilibrium "kuhn poker" --out kuhn.json
    outplay match "kuhn poker" policy:kuhn.json random --games 1000

Where the policy says nothing, another player steps in (Monte Carlo over information sets, or whoever is named).
"""

from __future__ import annotations

import random
from typing import Any

from outplay.errors import BadValue, Unsuitable
from outplay.game import Position
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
    if is_trained(path):
        return TrainedPlayer(path, seed=seed, name=text.strip())
    return PolicyPlayer(Policy.load(path), seed=seed, name=text.strip())


def is_trained(path: str) -> bool:
    """Whether a file is a trained strategy for hold'em, which is not text."""
    try:
        with open(path, "rb") as file:
            return file.read(2) == b"PK"
    except OSError:
        return False


class TrainedPlayer(Player):
    """Plays heads-up limit hold'em from a file that `outplay equilibrium --algorithm buckets` wrote."""

    def __init__(self, path: str, *, seed: int = 0, name: str = "policy") -> None:
        self.path, self.name, self._seed = path, name, seed
        self._source = random.Random(seed)
        self._solver: Any = None

    def begin(self, view: Position, *, seed: int = 0) -> None:
        """Another game: other draws."""
        self._source = random.Random(f"{self._seed}/{seed}")

    def get_ready(self, position: Position) -> None:
        """Read the file; refuses a game that it is not for."""
        if self._solver is None or self._solver.game is not position.game:
            from outplay.engine.regret_holdem import HoldemSolver

            try:
                solver = HoldemSolver(position.game)
            except Unsuitable:
                raise Unsuitable(f"{self.path} plays hold'em:kind=limit with two seats; this is {position.game.name}") from None
            solver.resume(self.path)
            self._solver = solver

    @property
    def solver(self) -> Any:
        """The strategy that was read, once the player is ready."""
        return self._solver

    def shares(self, view: Position) -> dict[Action, float]:
        """What it plays here, in which shares, from its own cards, the board and the actions alone."""
        self.get_ready(view)
        record = view.game.record(view.state)
        log = tuple(int(action) - 1 for action in record["log"][: int(record["made"])])
        hole = tuple(int(card) - 1 for card in record["hands"][view.player()])
        board = tuple(int(card) - 1 for card in record["board"] if card)
        kinds = self._solver.shares(log, hole, board, seed=sum(52**k * card for k, card in enumerate((*hole, *board))) % 2**61)
        return {action: kinds[min(action, 2)] for action in view.actions()}

    def pick(self, view: Position, limits: Limits | None) -> Action:
        """One action, drawn in the strategy's shares."""
        shares = self.shares(view)
        action = self._source.choices(list(shares), list(shares.values()))[0]
        choices = tuple(Choice(one, share=share) for one, share in sorted(shares.items(), key=lambda each: -each[1]))
        self.last = Result(action, 0.0, (action,), algorithm="policy", exact=False, choices=choices)
        return action
