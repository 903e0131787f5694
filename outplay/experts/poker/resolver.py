"""A player for heads-up limit hold'em that plays by a trained strategy, and from the flop on thinks again about the cards.

    outplay equilibrium "hold'em:kind=limit" --algorithm buckets --time 600 --out limit.npz
    outplay match "hold'em:kind=limit" resolve:policy=limit.npz,time=1 policy:limit.npz --games 100

Before the flop it plays what was trained. From then on it solves the rest of the hand (`engine/regret_holdem_rest`) when it first
moves in a round, with the ranges that the strategy gives both seats by Bayes; its own by what it really played. A river takes a
fraction of a second. A turn, with all its rivers, takes seconds: it is solved where there are `TURN` of them. A flop is solved to
the turn (`engine/regret_holdem_flop`), where there are `FLOP` seconds; else there, too, the trained strategy plays.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from outplay.errors import BadValue, Unsuitable
from outplay.experts.poker.flop import Flop
from outplay.experts.poker.rest import Rest, hand_number
from outplay.experts.poker.trained import TrainedPlayer
from outplay.game import Game, Position
from outplay.values import Action, Choice, Limits, Result

TURN, FLOP = 5.0, 20.0
"""Seconds from which on it pays to solve a turn, and a flop."""


class HoldemResolver(TrainedPlayer):
    """Plays by a file that `outplay equilibrium --algorithm buckets` wrote, and solves flops, turns and rivers anew."""

    thinks_in_seconds = True

    def __init__(self, path: str, *, seconds: float = 1.0, seed: int = 0, threads: int = 1, name: str = "resolve") -> None:
        super().__init__(path, seed=seed, name=name)
        if seconds <= 0:
            raise BadValue(f"resolve needs time above 0, got {seconds:g} s")
        self.seconds, self.threads = seconds, threads
        self._hand: tuple[Any, ...] = ()  # the cards and actions of the last decision: whether this is the same hand, going on
        self._played: dict[tuple[int, ...], np.ndarray] = {}  # what it played at its own decisions so far, with every hand
        self._rest: tuple[Rest, np.ndarray, int] | None = None

    def begin(self, view: Position, *, seed: int = 0) -> None:
        """Another hand."""
        super().begin(view, seed=seed)
        self._forget()

    def _forget(self) -> None:
        self._hand, self._rest = (), None
        self._played.clear()

    def exploited(self, game: Game, seed: int) -> Iterator[tuple[int, float, float, str]]:
        """Nothing: the strategy is found only when it is there."""
        raise Unsuitable("a best answer needs the whole strategy, and resolve finds its own only when it is there: "
                         "exploit policy:FILE")

    def _think(self, view: Position, seconds: float) -> tuple[dict[Action, float], int]:
        """The mixture at a view, and the iterations of thinking about this round: 0 where the trained strategy plays."""
        self.get_ready(view)
        record, me = view.game.record(view.state), view.player()
        log = tuple(int(action) - 1 for action in record["log"][: int(record["made"])])
        hole = int(record["hands"][me][0]) - 1, int(record["hands"][me][1]) - 1
        board = tuple(int(card) - 1 for card in record["board"] if card)
        past = self._hand
        if not past or past[0] != (me, hole) or log[: len(past[1])] != past[1] or board[: len(past[2])] != past[2]:
            self._forget()
        self._hand = (me, hole), log, board
        hand = hand_number(hole)
        if seconds < {0: np.inf, 3: FLOP, 4: TURN, 5: 0.0}[len(board)]:
            return self.shares(view), 0
        if self._rest is None or self._rest[0].board != board:
            begun = time.monotonic()
            if len(board) == 3:
                rest: Rest = Flop(self.solver, log, board, self._played, seat=me, threads=self.threads, stop=self.stop,
                                  until=begun + 0.5 * seconds)
            else:
                rest = Rest(self.solver, log, board, self._played, threads=self.threads)
            left = 0.8 * seconds - (time.monotonic() - begun)
            if len(board) == 3 and left <= 0:  # the tables took all the time
                self._rest = rest, rest.trained(), 0
            else:
                self._rest = rest, *rest.think(me, seconds=max(0.01, left), stop=self.stop)
        rest, numbers, done = self._rest
        found = rest.mixtures(numbers, rest.node(log))
        self._played[log] = found
        return {action: float(found[min(action, 2), hand]) for action in view.actions()}, done

    def pick(self, view: Position, limits: Limits | None) -> Action:
        """One action, drawn in the shares that were found."""
        seconds = limits.seconds if limits is not None and limits.seconds else self.seconds
        begun = time.monotonic()
        shares, done = self._think(view, seconds)
        action = self._source.choices(list(shares), list(shares.values()))[0]
        choices = tuple(Choice(one, share=share) for one, share in sorted(shares.items(), key=lambda each: -each[1]))
        self.last = Result(action, 0.0, (action,), algorithm="resolve", exact=False, choices=choices,
                           seconds=time.monotonic() - begun, facts={"iterations": done})
        return action
