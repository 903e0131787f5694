"""What a player is: anything that picks an action."""

from __future__ import annotations

from outplay.errors import IllegalAction, OutplayError
from outplay.game import Position
from outplay.values import Action, Limits


class Resigned(OutplayError):
    """A player gives its game up: it has lost, and nothing went wrong."""


class Player:
    """Picks actions. A subclass gives `name` and `pick`; a player never sees what the rules hide from it."""

    name = ""

    def choose(self, position: Position, limits: Limits | None = None) -> Action:
        """An action for the player to move; `limits` are for this one decision and come before the player's own."""
        if position.is_terminal() or position.is_chance():
            raise IllegalAction(f"{self.name}: no player is to move in {position.text()}")
        view = position.observe(position.player()) if position.game.traits.information == "hidden" else position
        return self.pick(view, limits)

    def get_ready(self, position: Position) -> None:
        """Do beforehand what must not take time from a clock."""

    def pick(self, view: Position, limits: Limits | None) -> Action:
        """An action for the player to move, from what that player sees."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<player {self.name}>"
