"""A player for battleships: it lays its fleet where shooters come late, and shoots where ships probably lie.

Where to stand was learned for the board and fleet of the box (`outplay tune battleships`); other fleets, and all with
``shooter:lay=random``, are laid at random.

>>> from outplay.game import load
>>> game = load("battleships:width=4,height=4,fleet=3")
>>> position = game.start().play(["a1-c1", "b2-d2", "b2"]).play("a1 c2 b1")
>>> position.action_text(Shooter().choose(position)) in ("a2", "d2")       # hits at b2 and c2
True
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np

from outplay.engine.fleets import MOST, Board, Knowledge
from outplay.errors import BadValue, Unsuitable
from outplay.files import read_arrays
from outplay.game import Position
from outplay.players.base import Player
from outplay.values import Action, Choice, Limits, Result

SHIPPED = Path(__file__).parent.parent / "games" / "battleships_placements.npz"


class Shooter(Player):
    """Counts or draws the fleets that fit all that it was told; `lay` is a file of placements, "learned" or "random"."""

    name = "shooter"

    def __init__(self, *, seed: int = 0, lay: str = "learned") -> None:
        self._seed = seed
        self._source = random.Random(seed)
        self._placements = None if lay == "random" else read_placements(SHIPPED if lay == "learned" else lay)
        self._asked = lay not in ("random", "learned")

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
            return self._lay(view, record)
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

    def _lay(self, view: Position, record: Any) -> Action:
        """Lay the next ship: as was learned for this board and fleet, else anywhere."""
        given = {**view.game.rules.definition.defaults, **view.game.rules.parameters}
        fleet, known = tuple(int(part) for part in given["fleet"].split("-")), self._placements
        fits = known is not None and (known["width"], known["height"], known["fleet"]) == (given["width"], given["height"], fleet)
        if self._asked and not fits:
            raise Unsuitable(f"the placements are for a board and fleet other than those of {view.game.name}")
        actions = view.actions()
        if known is None or not fits:
            return self._source.choice(actions)
        ship = int(np.argmin(record["laid"][view.player()] != 0))
        return self._source.choices(actions, [known["shares"][ship][action] for action in actions])[0]


def read_placements(file: str | Path) -> dict[str, Any]:
    """What `outplay tune battleships` learned: board, fleet, and of each ship how likely it is laid by each action."""
    found = read_arrays(file)
    try:
        fleet = tuple(int(length) for length in found["fleet"])
        board = Board(int(found["width"]), int(found["height"]), fleet)
        laying = np.asarray(found["laying"], float)
        if laying.shape != (len(fleet), MOST) or not np.isfinite(laying).all() or (laying < 0).any():
            raise ValueError("not the shape of placements")
    except (KeyError, ValueError, TypeError):
        raise BadValue(f"{str(file)!r} is no file of placements: outplay tune battleships writes one") from None
    cells, shares = board.width * board.height, []
    for length, row in zip(fleet, laying, strict=True):
        placements = board.placements(length)
        across = board.height * max(board.width - length + 1, 0)  # these stand first
        shares.append({cells_of[0] + (0 if k < across else cells): float(row[k]) for k, cells_of in enumerate(placements)})
    return {"width": board.width, "height": board.height, "fleet": fleet, "shares": shares}
