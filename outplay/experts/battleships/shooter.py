"""A player for battleships: it lays its fleet where shooters come late, and shoots where ships probably lie.

Where to stand was learned for the board and fleet of the box (`outplay tune battleships`); other fleets, and all with
``shooter:lay=random``, are laid at random. Where to shoot was learned for them, too (`outplay learn battleships`): a network
chooses; on other boards, and with ``shooter:aim=likeliest``, the fleets that fit are counted and the likeliest cell is taken.

>>> from outplay.game import load
>>> game = load("battleships:width=4,height=4,fleet=3")
>>> position = game.start().play(["a1-c1", "b2-d2", "b2"]).play("a1 c2 b1")
>>> position.action_text(Shooter().choose(position)) in ("a2", "d2")       # hits at b2 and c2
True
"""

from __future__ import annotations

import functools
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from outplay.errors import BadValue, Unsuitable
from outplay.experts.battleships.fleet_planes import OF_SHIP, PLAIN, places_of, planes_of
from outplay.experts.battleships.fleets import MOST, Board, Knowledge
from outplay.files import read_arrays
from outplay.game import Position, known_game
from outplay.names import Option, family
from outplay.networks.nets import Net
from outplay.players.base import Player
from outplay.values import Action, Choice, Limits, Result

SHIPPED = Path(__file__).parents[2] / "games" / "battleships_placements.npz"
AIM = Path(__file__).parents[2] / "games" / "battleships_shooter.outplay"
SURE = 1e6
"""Beyond any logit: cells that hold a ship for certain come first, those that hold none never."""
STAKE = 0.1
"""Hits by which one shot is clearly better than another."""


class Shooter(Player):
    """Counts or draws the fleets that fit all that it was told.

    `lay` is a file of placements, "learned" or "random"; `aim` a file of a network, "learned" or "likeliest".
    """

    name, plays = "shooter", "battleships"
    is_rehearsed = True
    OPTIONS = (
        Option("seed", "whole", 0, "where random numbers begin"),
        Option("lay", "text", "learned", "where its ships lie: learned, random, or a file of placements"),
        Option("aim", "text", "learned", "how it chooses its shots: learned, likeliest, or a file of `learn battleships`"),
    )

    def __init__(self, *, seed: int = 0, lay: str = "learned", aim: str = "learned") -> None:
        self._seed = seed
        self._source = random.Random(seed)
        self._placements = None if lay == "random" else read_placements(SHIPPED if lay == "learned" else lay)
        self._asked = lay not in ("random", "learned")
        self._aim = None if aim == "likeliest" else read_aim(AIM if aim == "learned" else Path(aim))
        self._aims = aim not in ("likeliest", "learned")

    def begin(self, view: Position, *, seed: int = 0) -> None:
        """Another game: another fleet."""
        self._source = random.Random(f"{self._seed}/{seed}")

    def get_ready(self, position: Position) -> None:
        """Refuse other games."""
        if position.game.family != "battleships":
            raise Unsuitable(f"the player shooter plays battleships; this is {position.game.name}: use auto")

    def pick(self, view: Position, limits: Limits | None) -> Action:
        """Lay a ship anywhere, or shoot where most fleets have one."""
        self.get_ready(view)
        game = view.game
        record = game.record(view.state)
        if 0 in record["laid"]:
            return self._lay(view, record)
        me = view.player()
        width, height, lengths, announced = sea_of(game)
        known = Knowledge(width, height, lengths, announced=announced)
        for k in range(int(record["shots"][me])):
            told = int(record["hits"][me, k])
            known.shoot(int(record["log"][me, k]) - 1, hit=told > 0, sank=told - 2 if told > 1 else None)
        seed = self._source.getrandbits(60)
        shares, exact = known.probabilities(seed=seed)
        if self._aim is not None and self._aim.fits(game):
            scores = self._aim.scores([known], [shares if exact else None])[0]
        elif self._aims and self._aim is not None:
            raise Unsuitable(f"this network shoots at the board and fleet of {self._aim.net.game}; this is {game.name}")
        else:
            scores = known.scores(seed=seed)
        ranked = sorted(view.actions(), key=lambda cell: -scores[cell])
        sign = 1.0 if me == 0 else -1.0
        choices = tuple(Choice(cell, value=sign * float(shares[cell])) for cell in ranked)
        self.last = Result(ranked[0], choices[0].value or 0.0, (ranked[0],), algorithm="shooter", exact=exact, choices=choices,
                           unit="hits", facts={"stake": STAKE, "among": 4 + len(choices) // 4})  # fmt: skip
        return ranked[0]

    def _lay(self, view: Position, record: Any) -> Action:
        """Lay the next ship: as was learned for this board and fleet, else anywhere."""
        known = self._placements
        fits = known is not None and (known["width"], known["height"], known["fleet"]) == sea_of(view.game)[:3]
        if self._asked and not fits:
            raise Unsuitable(f"the placements are for a board and fleet other than those of {view.game.name}")
        actions = view.actions()
        if known is None or not fits:
            return self._source.choice(actions)
        ship = int(np.argmin(record["laid"][view.player()] != 0))
        return self._source.choices(actions, [known["shares"][ship][action] for action in actions])[0]


def sea_of(game: Any) -> tuple[int, int, tuple[int, ...], bool]:
    """Width, height and fleet of a game of battleships, and whether a sinking is told."""
    given = {**game.rules.definition.defaults, **game.rules.parameters}
    return given["width"], given["height"], tuple(int(part) for part in given["fleet"].split("-")), bool(given["sunk"])


def images(board: np.ndarray) -> list[np.ndarray]:
    """A square board turned upside down and mirrored at its diagonals, which leaves black cells black.

    >>> [image.tolist() for image in images(np.array([[0, 1], [2, 3]]))]
    [[[0, 1], [2, 3]], [[0, 2], [1, 3]], [[3, 2], [1, 0]], [[3, 1], [2, 0]]]
    """
    if board.shape[0] != board.shape[1]:
        return [board]
    return [board, board.T, board[::-1, ::-1], board.T[::-1, ::-1]]


class Aim:
    """A network that chooses where to shoot, for one board and fleet; asked for all images of a board that have its colours."""

    def __init__(self, net: Net) -> None:
        self.net, self.sea = net, sea_of(known_game(net.game))
        self.places = places_of(Board(*self.sea[:3]))

    def fits(self, game: Any) -> bool:
        """Whether it learned this board, this fleet and what is told."""
        return sea_of(game) == self.sea

    def scores(self, known: Sequence[Knowledge], exact: Sequence[np.ndarray | None]) -> np.ndarray:
        """[shooter, cell]: how much each likes to shoot there; where probabilities are known for certain they go first."""
        planes = planes_of(known, self.places)
        found = np.zeros((len(known), self.net.actions))
        for image in images(np.arange(self.net.actions).reshape(self.places.shape)):
            seen = planes.reshape(*planes.shape[:2], -1)[:, :, image.ravel()].reshape(planes.shape)
            found[:, image.ravel()] += self.net.ask(seen)[0]
        for row, shares in zip(found, exact, strict=True):
            if shares is not None:
                row += SURE * ((shares > 1 - 1e-9).astype(float) - (shares < 1e-9))
        found[planes[:, 0].reshape(found.shape) < 0.5] = -np.inf  # shot at already
        return found


@functools.cache
def read_aim(file: Path) -> Aim | None:
    """What `outplay learn battleships` learned; None where none comes along."""
    if file == AIM and not file.exists():
        return None
    net = Net.load(file)
    aim = Aim(net) if family(net.game) == "battleships" else None
    if aim is None or net.planes != (PLAIN + OF_SHIP * len(aim.sea[2]), aim.sea[1], aim.sea[0]) or not aim.sea[3]:
        raise BadValue(f"{str(file)!r} is no network that shoots: outplay learn battleships writes one")
    return aim


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
