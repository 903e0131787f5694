"""A player for battleships: it lays its fleet at random and shoots where ships probably lie.

>>> from outplay.game import load
>>> game = load("battleships:width=4,height=4,fleet=3")
>>> position = game.start().play(["a1-c1", "b2-d2", "b2"]).play("a1 c2 b1")
>>> position.action_text(Shooter().choose(position)) in ("a2", "d2")       # hits at b2 and c2
True
"""

from __future__ import annotations

import random

from outplay.engine.fleets import Knowledge
from outplay.errors import Unsuitable
from outplay.game import Position
from outplay.players.base import Player
from outplay.values import Action, Choice, Limits, Result


class Shooter(Player):
    """Counts or draws the fleets that fit all that it was told."""

    name = "shooter"

    def __init__(self, *, seed: int = 0) -> None:
        self._seed = seed
        self._source = random.Random(seed)

    def begin(self, view: Position, *, seed: int = 0) -> None:
        """Another game: another fleet."""
        self._source = random.Random(f"{self._seed}/{seed}")

    def get_ready(self, position: Position) -> None:
        """Refuse other games."""
        if position.game.name.partition(":")[0] != "battleships":
            raise Unsuitable(f"the player shooter plays battleships; this is {position.game.name}: use auto")

    def pick(self, view: Position, limits: Limits | None) -> Action:
        """Lay a ship anywhere, or shoot where most fleets have one."""
        self.get_ready(view)
        game = view.game
        record = game.record(view.state)
        if 0 in record["laid"]:
            return self._source.choice(view.actions())
        given = {**game.rules.definition.defaults, **game.rules.parameters}
        lengths = tuple(int(part) for part in given["fleet"].split("-"))
        me = view.player()
        known = Knowledge(given["width"], given["height"], lengths, announced=given["sunk"])
        for k in range(int(record["shots"][me])):
            told = int(record["hits"][me, k])
            known.shoot(int(record["log"][me, k]) - 1, hit=told > 0, sank=told - 2 if told > 1 else None)
        seed = self._source.getrandbits(60)
        shares, exact = known.probabilities(seed=seed)
        scores = known.scores(seed=seed)
        ranked = sorted(view.actions(), key=lambda cell: -scores[cell])
        choices = tuple(Choice(cell, value=float(shares[cell])) for cell in ranked)
        self.last = Result(ranked[0], float(shares[ranked[0]]), (ranked[0],), algorithm="shooter", exact=exact, choices=choices,
                           unit="probability of a hit")
        return ranked[0]
