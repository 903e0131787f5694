"""Players of Scrabble.

    tiles                        simulation, and the exact end when the bag is empty: two seconds a move
    tiles:greedy                 what scores most
    tiles:static                 score and the worth of what is kept, learned from games against itself
    tiles:simulation,time=5      the best of the static player's candidates by simulated deals (the search `engine:tiles`)
    tiles:leaves=FILE            with other worths, as `outplay tune scrabble --out FILE` writes them
"""

from __future__ import annotations

from typing import Any

from outplay.errors import BadValue, Unsuitable, shorten
from outplay.experts.scrabble.search import GREEDY, STATIC, Tiles
from outplay.experts.scrabble.searches import TILES
from outplay.game import Position
from outplay.names import Option, find, parse, read_options
from outplay.players.base import Player
from outplay.players.searcher import given_first
from outplay.values import Action, Limits

KINDS = ("simulation", "static", "greedy")
SECONDS = 2.0
OPTIONS = (
    Option("time", "number", SECONDS, "seconds a move", least=0.01),
    Option("simulations", "whole", None, "deals at the most, whatever time they take", least=1),
    Option("nodes", "whole", None, "positions of an exact end at the most, whatever time they take", least=1),
    *TILES.options,
    Option("seed", "whole", 0, "random numbers", least=0),
)


class TilesPlayer(Player):
    """Greedy, static or by simulation; sees what its seat sees."""

    def __init__(self, kind: str = "simulation", limits: Limits | None = None, **options: Any) -> None:
        self.kind, self.limits, self.options = kind, limits or Limits(seconds=SECONDS), options
        self.name = f"tiles:{kind}"
        self.made: Tiles | None = None
        self._number = 0
        self._past: list[Position] = []

    def begin(self, view: Position, *, seed: int = 0) -> None:
        """Other deals for each game of a match."""
        self._number, self._past = seed, [view]
        if self.made is not None:
            self.made.clear(seed)

    def follow(self, action: Action | None, view: Position) -> None:
        """Remember the game: what the other laid tells what it may have kept."""
        self._past = [*self._past[-7:], view]

    def get_ready(self, position: Position) -> None:
        """Make the search, and refuse other games."""
        if self.made is None or self.made.game is not position.game:
            if TILES.refuses(position.game):
                raise Unsuitable(f"player {self.name} plays scrabble, not {position.game.name}")
            self.made = Tiles(position.game, **self.options)
            self.made.clear(self._number)
            self.made.get_ready(searches=self.kind == "simulation")

    def pick(self, view: Position, limits: Limits | None) -> Action:
        """An action for the player to move."""
        self.get_ready(view)
        assert self.made is not None
        self.last = None
        if self.kind != "simulation" and not view.game.record(view.state).asked:
            return self.made.listed(view, GREEDY if self.kind == "greedy" else STATIC, 1)[0][0]
        earlier = self._past[:-1] if self._past and self._past[-1] == view else []
        self.last = self.made.best(view, given_first(limits, self.limits), stop=self.stop, earlier=earlier)
        assert self.last.action is not None
        return self.last.action


def from_text(text: str, seed: int = 0) -> TilesPlayer:
    """The player that `tiles`, `tiles:static` or `tiles:simulation,time=5` means."""
    asked = parse(text, "player")
    if asked.base.lower() != "tiles":
        raise BadValue(f"expected tiles or tiles:KIND, got {shorten(text)!r}")
    kind = find("player tiles", asked.part, KINDS) if asked.part else "simulation"
    chosen = read_options(f"player tiles:{kind}", asked.options, OPTIONS)
    seconds, deals, nodes = chosen.pop("time", None), chosen.pop("simulations", None), chosen.pop("nodes", None)
    limits = Limits(seconds=SECONDS if seconds is None and deals is None else seconds, simulations=deals, nodes=nodes)
    made = TilesPlayer(kind, limits, **{"seed": seed, **chosen})
    made.name = text.strip()
    return made


__all__ = ["TilesPlayer", "from_text"]
