"""Games in progress, kept between moves: the players at a board remember table, tree and past as long as the game goes on."""

from __future__ import annotations

import secrets
import threading
from dataclasses import dataclass, field

from cachetools import LRUCache

from outplay.playing import Mover, Play
from outplay.web.choices import open_game, seated
from outplay.web.store import Saved

MOST_KEPT = 4  # games whose players keep what they know; each player has a table of some megabytes


@dataclass
class Kept:
    """One game with the players at its board."""

    players: tuple[str, ...]
    start: str | None
    play: Play
    lock: threading.Lock = field(default_factory=threading.Lock)


class Tables:
    """The games that are being played, the oldest forgotten first; what is forgotten is set up again from the saved game."""

    def __init__(self) -> None:
        self._kept: LRUCache[str, Kept] = LRUCache(MOST_KEPT)
        self._lock = threading.Lock()

    def at(self, saved: Saved) -> Kept:
        """The game in progress of a saved one; it may have fewer moves than that, or others (see `follow`)."""
        with self._lock:
            kept = self._kept.get(saved.address)
            if kept is not None and (kept.players, kept.start) == (saved.players, saved.start):
                return kept
        game = open_game(saved.game, compiled=None)
        movers: list[Mover | None] = [
            None if text.strip().lower() == "human" else seated(text, game, seed=secrets.randbits(62)) for text in saved.players
        ]
        kept = Kept(saved.players, saved.start, Play(game, movers, start=saved.start, seed=secrets.randbits(62)))
        with self._lock:
            self._kept[saved.address] = kept
        return kept

    def forget(self, address: str) -> None:
        """Let the players of a game go."""
        with self._lock:
            self._kept.pop(address, None)


def follow(play: Play, actions: tuple[str, ...]) -> None:
    """Bring a game in progress to where the saved one stands."""
    made = tuple(ply.text for ply in play.plies)
    same = 0
    while same < min(len(made), len(actions)) and made[same] == actions[same]:
        same += 1
    if same < len(made):
        play.take_back(len(made) - same)
    for text in actions[same:]:
        if play.outcome is not None:  # the referee called a draw that this record went on from
            play.outcome, play.reason = None, ""
        play.push(text)



