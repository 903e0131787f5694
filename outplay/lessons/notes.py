"""Isolation as lecture notes on adversarial search write it: `terminal_test`, `utility`, `liberties`, `_player_locations`.

The functions that are printed there, `minimax_decision(gameState)`, `my_moves(gameState)` and the others, run on a `GameState`
unchanged. A move is a pair of coordinates, (column, row), each from 0.

>>> def min_value(gameState):
...     if gameState.terminal_test():
...         return gameState.utility(0)
...     v = float("inf")
...     for a in gameState.actions():
...         v = min(v, max_value(gameState.result(a)))
...     return v
>>> def max_value(gameState):
...     if gameState.terminal_test():
...         return gameState.utility(0)
...     v = float("-inf")
...     for a in gameState.actions():
...         v = max(v, min_value(gameState.result(a)))
...     return v
>>> state = GameState(width=3, height=2)
>>> max(state.actions(), key=lambda m: min_value(state.result(m))), max_value(state)
((0, 0), -1.0)

The second player wins on the board of 2 x 3, so every first move is worth -1. And the evaluation of the notes:

>>> def my_moves(gameState, player_id=0):
...     loc = gameState._player_locations[player_id]
...     return len(gameState.liberties(loc))
>>> my_moves(state), my_moves(state.result((1, 0)))
(6, 5)
"""

from __future__ import annotations

from outplay.errors import BadValue
from outplay.game import Position, load
from outplay.values import Action

Location = tuple[int, int]
"""Column and row, each from 0."""


class GameState:
    """A position of isolation under the names that the notes use."""

    def __init__(self, width: int = 5, height: int = 5, *, position: Position | None = None) -> None:
        self.position = load("isolation", width=width, height=height).start() if position is None else position
        if self.position.game.family != "isolation":
            raise BadValue(f"the notes' code is about isolation, got {self.position.game.name}")

    def __repr__(self) -> str:
        return f"GameState({self.position.text()!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GameState) and self.position == other.position

    def __hash__(self) -> int:
        return hash(self.position)

    @property
    def _rows(self) -> list[str]:
        """The rows of the board, the bottom one first."""
        return self.position.text().split()[0].split("/")[::-1]

    @property
    def _player_locations(self) -> list[Location | None]:
        """Where each player stands; None before it is placed."""
        where = {cell: (column, row) for row, cells in enumerate(self._rows) for column, cell in enumerate(cells)}
        return [where.get(symbol) for symbol in "xo"]

    def player(self) -> int:
        """Whose turn it is: 0 or 1."""
        return self.position.player()

    def actions(self) -> list[Location]:
        """The legal moves."""
        return [self._location(action) for action in self.position.actions()]

    def result(self, move: Location) -> GameState:
        """The state after a move."""
        for action in self.position.actions():
            if self._location(action) == move:
                return GameState(position=self.position.result(action))
        raise BadValue(f"expected one of {self.actions()}, got {move!r}")

    def terminal_test(self) -> bool:
        """Whether the player to move cannot."""
        return self.position.is_terminal()

    def utility(self, player_id: int) -> float:
        """1 for the winner of a finished game, -1 for the loser."""
        return self.position.utility(player_id)

    def liberties(self, loc: Location | None) -> list[Location]:
        """The cells that a piece standing there can go to; all free ones for a player who is not placed yet."""
        rows = self._rows
        free = {(column, row) for row, cells in enumerate(rows) for column, cell in enumerate(cells) if cell == "."}
        if loc is None:
            return sorted(free)
        reached = []
        for across in (-1, 0, 1):
            for up in (-1, 0, 1):
                at = (loc[0] + across, loc[1] + up)
                while (across or up) and at in free:
                    reached.append(at)
                    at = (at[0] + across, at[1] + up)
        return sorted(reached)

    def _location(self, action: Action) -> Location:
        text = self.position.action_text(action)
        return "abcdefghij".index(text[0]), int(text[1:]) - 1
