"""Why a move is not legal, in one short line for the person who tried it.

>>> from outplay.game import load
>>> why(load("chess").position("4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1"), (6, 4), (4, 5))
'the knight is pinned: your king would be in check'
>>> why(load("tic-tac-toe").start().play("b2"), None, (1, 1))
'b2 is taken'
"""

from __future__ import annotations

from outplay.game import Position
from outplay.picture import Picture, Points, Spot
from outplay.views.panel import panel_of
from outplay.views.plain import picture_of


def why(position: Position, source: Spot | None, target: Spot) -> str:
    """The reason against moving from one spot to another, or against playing on one."""
    if position.is_terminal():
        return "the game is over"
    picture = picture_of(position)
    if picture is None:
        return "that is not legal here"
    known = set(picture.spots())
    if target not in known or (source is not None and source not in known):
        return "that is not on the board"
    if (reason := panel_of(position.game).why) is not None:
        return reason(position, picture, source, target)
    if isinstance(picture, Points):
        return _points(position, picture, source, target)
    return _any(picture, source, target)


def _any(picture: Picture, source: Spot | None, target: Spot) -> str:
    name = picture.spot_name(target)
    if picture.surface == "holes" and isinstance(target, tuple) and source is None:
        return f"column {picture.columns[target[1]] if picture.columns else target[1] + 1} is full"
    cell = None
    if isinstance(target, tuple) and isinstance(target[0], int) and isinstance(target[1], int) and picture.cells:
        cell = picture.cells[target[0]][target[1]]
    if cell is not None and (cell.piece == "wall" or cell.ground == "wall"):
        return f"{name} is closed"
    if source is None and cell is not None and cell.symbol.strip():
        return f"{name} is taken"
    if source is None:
        return f"nothing can be done at {name} now"
    return f"nothing goes from {picture.spot_name(source)} to {name}"


def _points(position: Position, picture: Points, source: Spot | None, target: Spot) -> str:
    player = position.player()
    if not picture.dice:
        return "roll or decide about the cube first"
    if picture.bar[player] and source != ("bar", player):
        return "your checkers on the bar must enter first"
    if source is None:
        return "no checker of yours can move from there with these dice"
    if isinstance(target, tuple) and target[0] == "off":
        return "all your checkers must be home before one is borne off, and a die must fit"
    if isinstance(target, int):
        owner, count = picture.points[target - 1]
        if owner == 1 - player and count > 1:
            return f"point {target} is held by {count} checkers"
    return "no die brings a checker there"
