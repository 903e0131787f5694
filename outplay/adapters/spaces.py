"""What learners want to see of a game: actions as numbers below a fixed one, positions as arrays of a fixed shape.

>>> from outplay.game import load
>>> position = load("connect four").start().play("4")
>>> codes, view = Actions(position.game), View(position.game)
>>> codes.size, codes.mask(position).tolist()
(7, [1, 1, 1, 1, 1, 1, 1])
>>> view.shape, view.see(position, seat=1)[1].sum()  # the second plane: the other's men
((2, 6, 7), np.float32(1.0))

**Actions.** Where all actions of a game are small numbers, they are their own codes, so that a code means the same thing in every
position. A game whose actions are large numbers (a whole move of backgammon) is coded by *places*: a code is the place of an
action in the list of this position. `Actions.coding` says which.

**Positions.** A game with `planes` is seen through them. Any other is seen by its fields, after `observe` has erased what the seat
does not know: who looks (one number a seat), then each field in turn, a word of 64 bits as its bits.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from outplay.errors import BadValue, IllegalAction, RulesError, UnknownName, Unsuitable
from outplay.game import Game, Position

CODINGS = ("numbers", "places")
MOST_PLACES = 256
"""Room for the actions of a plain game that does not say how many it may have."""
PROBED_GAMES, PROBED_PLIES = 3, 40
"""Random games that are looked at where the rules do not state a `policy_size`."""


class Actions:
    """The codes of a game's actions: whole numbers from 0 to `size` - 1."""

    def __init__(self, game: Game, coding: str | None = None) -> None:
        if coding is not None and coding not in CODINGS:
            raise UnknownName("coding of actions", coding, CODINGS)
        rules: Any = getattr(game, "rules", None)
        most = int(rules.most_actions if rules is not None else getattr(game, "most_actions", MOST_PLACES))
        stated = int((rules.policy_size if rules is not None else getattr(game, "policy_size", 0)) or 0)
        self.game = game
        self.coding = coding or ("numbers" if stated or _are_below(game, most) else "places")
        self.size = stated or most if self.coding == "numbers" else most

    def code(self, position: Position, action: Any) -> int:
        """The code of a legal action."""
        code = int(action) if self.coding == "numbers" else position.actions().index(action)
        if code >= self.size:
            word = "policy_size" if self.coding == "numbers" else "most_actions"
            raise RulesError(f"{self.game.name}: the code {code} is not below {self.size}: state a `{word}`, or code by places")
        return code

    def action(self, position: Position, code: Any) -> Any:
        """The action that a code means here; an illegal one is refused."""
        actions = position.actions()
        number = int(code)
        if self.coding == "numbers" and number in actions:
            return number
        if self.coding == "places" and 0 <= number < len(actions):
            return actions[number]
        raise IllegalAction(f"illegal action {number}: legal are the codes that the mask shows")

    def mask(self, position: Position) -> np.ndarray:
        """Which codes are legal here: int8, 1 or 0; all 0 once the game is over."""
        mask = np.zeros(self.size, np.int8)
        if not position.is_terminal() and not position.is_chance():
            mask[[self.code(position, action) for action in position.actions()]] = 1
        return mask


def _are_below(game: Game, most: int) -> bool:
    """Whether all actions met in a few random games are numbers below `most`."""
    chooser = random.Random(0)
    for _ in range(PROBED_GAMES):
        position = game.start()
        for _ in range(PROBED_PLIES):
            while position.is_chance():  # a deal may take many plies
                position = position.result(position.sample_chance(chooser.getrandbits(60)))
            if position.is_terminal():
                break
            actions = position.actions()
            if not all(isinstance(action, int) and 0 <= action < most for action in actions):
                return False
            position = position.result(chooser.choice(actions))
    return True


class View:
    """How a seat sees a position: an array of float32 of one shape, with the least and greatest number of each place."""

    def __init__(self, game: Game) -> None:
        self.game = game
        rules: Any = getattr(game, "rules", None)
        self.kind = "planes" if rules is not None and rules.plane_shape and "planes" in rules.offered else "fields"
        if self.kind == "planes":
            self.shape = tuple(rules.plane_shape)
            self.low, self.high = np.full(self.shape, -np.inf, np.float32), np.full(self.shape, np.inf, np.float32)
            return
        if rules is None:
            if not hasattr(game, "tensor"):
                raise Unsuitable(f"{game.name} is a plain game, whose states have no fields: give it tensor(state, seat)")
            self.kind, self.shape = "tensor", np.asarray(game.tensor(game.initial(), 0)).shape
            self.low, self.high = np.full(self.shape, -np.inf, np.float32), np.full(self.shape, np.inf, np.float32)
            return
        self.fields = fields_seen(rules)
        least, greatest = [0.0] * game.players, [1.0] * game.players
        for name in self.fields:
            kind = rules.layout[name]
            count, base = int(np.prod(kind.shape, dtype=int)), kind.base
            if base == np.uint64:
                low, high, count = 0.0, 1.0, count * 64
            elif base.kind == "f":
                low, high = -np.inf, np.inf
            elif base.kind == "b":
                low, high = 0.0, 1.0
            else:
                low, high = float(np.iinfo(base).min), float(np.iinfo(base).max)
            least += [low] * count
            greatest += [high] * count
        self.low, self.high = np.array(least, np.float32), np.array(greatest, np.float32)
        self.shape = self.low.shape

    def see(self, position: Position, seat: int) -> np.ndarray:
        """What a seat sees of a position."""
        if not 0 <= seat < self.game.players:
            raise BadValue(f"{self.game.name} has the seats 0 to {self.game.players - 1}, got {seat}")
        game: Any = self.game
        if self.kind == "tensor":
            return np.asarray(game.tensor(position.state, seat), np.float32)
        hides = game.traits.information == "hidden" and not position.is_terminal()
        record = game.record((position.observe(seat) if hides else position).state)
        if self.kind == "planes":
            out = np.zeros(self.shape, np.float32)
            with np.errstate(over="ignore"):
                record.planes(seat, out)
            return out
        parts = [np.eye(game.players, dtype=np.float32)[seat]]
        parts += [numbers(record[name]) for name in self.fields]
        return np.concatenate(parts)


def fields_seen(rules: Any) -> tuple[str, ...]:
    """The fields that make up a position: without the derived ones, and without the stamp of the rules."""
    return tuple(name for name in (rules.layout.names or ())[:-1] if name not in rules.derived)


def numbers(value: Any) -> np.ndarray:
    """A field as a row of float32; words of 64 bits as their bits, the lowest first.

    >>> numbers(np.uint64(5))[:4].tolist(), numbers(np.array([3, -1], np.int8)).tolist()
    ([1.0, 0.0, 1.0, 0.0], [3.0, -1.0])
    """
    array = np.asarray(value).reshape(-1)
    if array.dtype == np.uint64:
        return np.unpackbits(array.astype("<u8").view(np.uint8), bitorder="little").astype(np.float32)
    return array.astype(np.float32)
