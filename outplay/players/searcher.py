"""A player that thinks: with one of the textbook's algorithms or with the engine.

>>> from outplay.game import load
>>> position = load("tic-tac-toe").position("xx./oo./... x")
>>> position.action_text(Searcher("alphabeta").choose(position))
'c3'
"""

from __future__ import annotations

from typing import Any

from outplay.game import Position
from outplay.players.base import Player
from outplay.players.searching import Watch, search
from outplay.values import Action, Limits, Result


class Searcher(Player):
    """Takes the action that a search finds within its limits; `last` is what it found, for those who want to explain it."""

    def __init__(self, algorithm: str, limits: Limits | None = None, *, watch: Watch | None = None, **options: Any) -> None:
        self.name = self.algorithm = algorithm
        self.limits = limits or Limits()
        self.watch = watch
        self.options = options
        self.last: Result | None = None
        self._kept: dict[Any, Any] = {}
        self._played: list[Position] = []  # of this game, so that a repetition is known as one

    def get_ready(self, position: Position) -> None:
        """Compile the search or load it from the cache."""
        if not self._kept:
            for _ in search(position, self.algorithm, Limits(depth=1, nodes=1), keep=self._kept, **self.options):
                pass

    def pick(self, view: Position, limits: Limits | None) -> Action:
        """The action of the search's last word; the only action there is needs no search."""
        actions = view.actions()
        self.last = None
        if self._played and all(self._played[-1].result(action) != view for action in self._played[-1].actions()):
            self._played.clear()  # another game
        if len(actions) > 1:
            *_, self.last = search(view, self.algorithm, limits or self.limits, watch=self.watch, keep=self._kept,
                                   earlier=self._played, **self.options)
        action = actions[0] if self.last is None or self.last.action is None else self.last.action
        if view.game.offers("repeatable"):
            self._played += [view, view.result(action)]
        return action
