"""What a player is: anything that picks an action, and lives as long as its game."""

from __future__ import annotations

import contextlib
import copy
import random
import threading

from outplay.engine.clock import planned
from outplay.errors import IllegalAction, OutplayError, Unsuitable
from outplay.game import Position
from outplay.playing import Resigned, settle
from outplay.values import Action, Limits, Result

GAMES, MOST_PLIES, PLACES = 6, 400, 4
"""Games played at random for a rehearsal, their longest, and at how many places from first to last a player is asked in each."""
REHEARSED = 0.01
"""Seconds for each of them."""
_rehearsed: set[tuple[str, str]] = set()
"""Players and games that were rehearsed in this process, by their names: kernels and files are kept for all."""


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
    thinks_in_seconds = False  # whether it makes no plan with a clock: it is given seconds for this move instead
    is_rehearsed = False  # whether it compiles and reads late in a game what it need not have at the beginning

    def choose(self, position: Position, limits: Limits | None = None) -> Action:
        """An action for the player to move; `limits` are for this one decision and come before the player's own."""
        if position.is_terminal() or position.is_chance():
            raise IllegalAction(f"{self.name}: no player is to move in {position.text()}")
        self.check_game(position)
        view = position.observe(position.player()) if position.game.traits.information == "hidden" else position
        return self.pick(view, planned(limits) if limits is not None and self.thinks_in_seconds else limits)

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

    def rehearse(self, position: Position) -> None:
        """Do beforehand, too, what only comes later in a game, where a clock will run to its end: kernels of other phases, files.

        A player that `is_rehearsed` is asked, as a copy, at a few places of a game played at random.
        """
        key = self.name, position.game.name
        if not self.is_rehearsed or key in _rehearsed:
            return
        _rehearsed.add(key)
        other = copy.copy(self)
        other.begin(position)
        for late in places(position):
            with contextlib.suppress(OutplayError):
                other.choose(late, Limits(seconds=REHEARSED))

    def pick(self, view: Position, limits: Limits | None) -> Action:
        """An action for the player to move, from what that player sees."""
        raise NotImplementedError

    def close(self) -> None:
        """End what was started for this player."""

    def __repr__(self) -> str:
        return f"<player {self.name}>"


def places(position: Position) -> list[Position]:
    """Decisions between two actions or more in some random games, each from first to last."""
    chosen: list[Position] = []
    for seed in range(GAMES):
        source, here, found = random.Random(seed), settle(position.game.start(), seed), list[Position]()
        while not here.is_terminal() and len(found) < MOST_PLIES:
            actions = here.actions()
            if len(actions) > 1:
                found.append(here)
            here = settle(here.result(source.choice(actions)), seed)
        chosen += [found[k * (len(found) - 1) // (PLACES - 1)] for k in range(PLACES)] if found else []
    return chosen


__all__ = ["Player", "Resigned"]
