"""What a player is: anything that picks an action, and lives as long as its game."""

from __future__ import annotations

import threading

from outplay.errors import IllegalAction, Unsuitable
from outplay.game import Position
from outplay.playing import Resigned
from outplay.values import Action, Limits, Result


class Player:
    """Picks actions. A subclass gives `name` and `pick`; a player never sees what the rules hide from it.

    In a game a player hears `begin` once and `follow` after every ply, so that it may keep table, tree and past; asked for single
    positions, it needs neither. `last` is what the search behind its last action found, `note` what else is to be said of that
    action in a few words; `stop`, once set, ends a search.
    """

    name = ""
    last: Result | None = None
    note = ""
    stop: threading.Event | None = None
    plays = ""  # the game, or games joined by "and", that a named player is for; empty: any that fits

    def choose(self, position: Position, limits: Limits | None = None) -> Action:
        """An action for the player to move; `limits` are for this one decision and come before the player's own."""
        if position.is_terminal() or position.is_chance():
            raise IllegalAction(f"{self.name}: no player is to move in {position.text()}")
        self.check_game(position)
        view = position.observe(position.player()) if position.game.traits.information == "hidden" else position
        return self.pick(view, limits)

    def check_game(self, position: Position) -> None:
        """Refuse a game that a named player is not for."""
        if self.plays and position.game.family not in self.plays.split(" and "):
            raise Unsuitable(f"{self.name} plays {self.plays}, not {position.game.name}")

    def begin(self, view: Position, *, seed: int = 0) -> None:
        """Another game begins, with this position; the seed tells one game of a match from the next."""

    def follow(self, action: Action | None, view: Position) -> None:
        """Somebody made this action (None: hidden from this player), and the game has come to this position."""

    def get_ready(self, position: Position) -> None:
        """Do beforehand what must not take time from a clock; refuses a game that this player cannot play."""

    def pick(self, view: Position, limits: Limits | None) -> Action:
        """An action for the player to move, from what that player sees."""
        raise NotImplementedError

    def close(self) -> None:
        """End what was started for this player."""

    def __repr__(self) -> str:
        return f"<player {self.name}>"


__all__ = ["Player", "Resigned"]
