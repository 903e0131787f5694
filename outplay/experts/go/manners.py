"""Manners at the Go board: pass when the game is decided and the other side has passed, give up what is lost, agree on the dead.

>>> from outplay.game import load
>>> position = load("go:size=5,komi=0.5").position(".x.../.x.../.x.../.x.../.x... x")
>>> score(position), has_passed(position.play("pass")), may_pass(position.play("D3 pass"), 1.0)
(24.5, True, True)
"""

from __future__ import annotations

from typing import Any

from outplay.experts.go.ownership import ownership
from outplay.game import Position

DEAD = -0.2
"""A stone is dead where its colour's share of its point, once the game is played out at random, less the other's, is below this."""

DECIDED = 0.8
"""The value (1: won for sure) from which on the search calls a game decided."""

PLAYOUTS = 400


def is_pass(position: Position, action: Any) -> bool:
    """Whether an action is a pass."""
    return position.action_text(action).lower() == "pass"


def has_passed(position: Position) -> bool:
    """Whether the last move was a pass."""
    words = position.text().split()
    return len(words) > 3 and words[3] != "0"


def score(position: Position, dead: tuple[int, ...] | list[int] = ()) -> float:
    """Black's area less White's and the komi, with these stones taken off the board first."""
    game: Any = position.game
    words = position.text().split()
    cells = list(words[0].replace("/", ""))
    for point in dead:
        cells[point] = "."
    size = words[0].count("/") + 1
    rows = ["".join(cells[row * size : (row + 1) * size]) for row in range(size)]
    record = game.record(game.position("/".join(rows) + f" {words[1]}").state)
    return float(record.score()) - float(record.komi)


def dead_stones(position: Position, seed: int = 0) -> list[int]:
    """Stones that are mostly taken or surrounded when the game is played out at random."""
    words = position.text().split()
    words[3] = "0"
    owners = ownership(position.game.position(" ".join(words)), games=PLAYOUTS, seed=seed)
    side = {"x": 1.0, "o": -1.0}
    board = words[0].replace("/", "")
    return [point for point, stone in enumerate(board) if stone != "." and side[stone] * owners[point] < DEAD]


def may_pass(position: Position, value: float, *, cleanup: bool = False, seed: int = 0) -> bool:
    """Whether the player to move, who thinks the game worth `value` to itself, may answer a pass by a pass.

    It may where it wins with every stone counted as it stands, and where it wins clearly with the dead ones taken off, unless the
    other side asks for a clean board (`cleanup`).
    """
    if not has_passed(position):
        return False
    sign = 1 if position.player() == 0 else -1
    if sign * score(position) > 0:
        return True
    return not cleanup and value >= DECIDED and sign * score(position, dead_stones(position, seed)) > 0
