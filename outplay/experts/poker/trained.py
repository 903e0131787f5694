"""A strategy for heads-up hold'em that was trained by buckets of like hands, as a player.

    outplay equilibrium "hold'em:kind=limit" --algorithm buckets --time 600 --out limit.npz
    outplay match "hold'em:kind=limit" policy:limit.npz random --games 1000
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from outplay.errors import Unsuitable
from outplay.game import Game, Position
from outplay.players.base import Player
from outplay.players.mixing import Strategy
from outplay.values import Action, Choice, Limits, Result

DEALS, PART = 1000, 50
"""Deals in both seats that a bound is measured on, and how many come before it is told."""


class TrainedPlayer(Strategy):
    """Plays heads-up hold'em from a file that `outplay equilibrium --algorithm buckets` wrote."""

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
            from outplay.experts.poker.limit import HoldemSolver

            try:
                solver = HoldemSolver(position.game)
            except Unsuitable:
                raise Unsuitable(f"{self.path} plays hold'em with two seats; this is {position.game.name}") from None
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
        offered = self._solver.betting.actions[self._solver.betting.index[log]]
        return {action: kinds[column] for column, action in zip(sorted(kinds), offered, strict=True)}

    def pick(self, view: Position, limits: Limits | None) -> Action:
        """One action, drawn in the strategy's shares."""
        shares = self.shares(view)
        action = self._source.choices(list(shares), list(shares.values()))[0]
        choices = tuple(Choice(one, share=share) for one, share in sorted(shares.items(), key=lambda each: -each[1]))
        self.last = Result(action, 0.0, (action,), algorithm="policy", exact=False, choices=choices)
        return action

    def resolver(self, *, seconds: float, threads: int, name: str) -> Player:
        """The player that solves the rest of each hand anew, with the ranges that this strategy gives."""
        from outplay.experts.poker.resolver import HoldemResolver

        return HoldemResolver(self.path, seconds=seconds, seed=self._seed, threads=threads, name=name)

    def exploited(self, game: Game, seed: int) -> Iterator[tuple[int, float, float, str]]:
        """What a local best response wins: hold'em is too large for a best answer, which wins at least as much."""
        from outplay.experts.poker.local_response import local_best_response

        self.get_ready(game.start())
        parts: list[tuple[float, float]] = []
        for number in range(DEALS // PART):
            parts.append(local_best_response(self.solver, PART, seed=1000 * seed + number + 1))
            won = sum(each for each, _ in parts) / len(parts)
            error = sum(each**2 for _, each in parts) ** 0.5 / len(parts)
            yield PART * len(parts), won / 1000, error / 1000, "big blinds a hand"


def open_strategy(path: str, seed: int = 0) -> TrainedPlayer:
    """The player of a trained strategy's file; what is in it is read, and refused, when it gets ready for a game."""
    return TrainedPlayer(path, seed=seed)
