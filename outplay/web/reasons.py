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
from outplay.views.plain import picture_of

WORDS = {"k": "king", "q": "queen", "r": "rook", "b": "bishop", "n": "knight", "p": "pawn"}


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
    base = position.game.name.split(":")[0]
    if base == "chess":
        return _chess(position, picture, source, target)
    if base == "go":
        return _go(position, picture, target)
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


def _chess(position: Position, picture: Picture, source: Spot | None, target: Spot) -> str:
    board = {}
    for row, text in enumerate(position.text().split(" ")[0].split("/")):
        column = 0
        for letter in text:
            if letter.isdecimal():
                column += int(letter)
            else:
                board[row, column] = letter
                column += 1
    white = position.player() == 0
    if source is None:
        letter = board.get(target, "") if isinstance(target, tuple) else ""
        if not letter:
            return "choose a piece first"
        if letter.isupper() != white:
            return f"{'White' if white else 'Black'} is to move"
        checked = "check" in picture.marks.values()
        return f"this {WORDS[letter.lower()]} cannot move" + (": it does not help against the check" if checked else "")
    assert isinstance(source, tuple) and isinstance(target, tuple)
    letter = board[source]
    word = WORDS[letter.lower()]
    own = board.get(target)
    if own is not None and own.isupper() == white:
        return f"your own {WORDS[own.lower()]} is on {picture.spot_name(target)}"
    reached = _reaches(board, letter, source, target, white)
    if reached == "blocked":
        return f"something stands between {picture.spot_name(source)} and {picture.spot_name(target)}"
    if not reached and word == "king" and source[0] == target[0] and abs(source[1] - target[1]) == 2:
        return "castling is not possible now"
    if not reached:
        return f"a {word} does not move from {picture.spot_name(source)} to {picture.spot_name(target)}"
    if word == "king":
        return "the king would be in check there"
    if "check" in picture.marks.values():
        return "you are in check, and this does not end it"
    return f"the {word} is pinned: your king would be in check"


def _reaches(board: dict[tuple, str], letter: str, source: tuple, target: tuple, white: bool) -> str:
    """Whether a piece goes there by its own rule: "yes", "blocked" or nothing."""
    down, right = target[0] - source[0], target[1] - source[1]
    kind = letter.lower()
    if kind == "n":
        return "yes" if sorted((abs(down), abs(right))) == [1, 2] else ""
    if kind == "k":
        return "yes" if max(abs(down), abs(right)) == 1 else ""
    if kind == "p":
        on = -1 if white else 1
        if right == 0:
            far = down == 2 * on and source[0] == (6 if white else 1)
            if down != on and not far:
                return ""
            return "blocked" if (source[0] + on, source[1]) in board or target in board else "yes"
        return "yes" if abs(right) == 1 and down == on and target in board else ""
    straight, diagonal = (down == 0) != (right == 0), abs(down) == abs(right) != 0
    if not ((straight and kind in "rq") or (diagonal and kind in "bq")):
        return ""
    length = max(abs(down), abs(right))
    step = (down // length, right // length)
    between = [(source[0] + k * step[0], source[1] + k * step[1]) for k in range(1, length)]
    return "blocked" if any(place in board for place in between) else "yes"


def _go(position: Position, picture: Picture, target: Spot) -> str:
    assert isinstance(target, tuple)
    name = picture.spot_name(target)
    if picture.cells[target[0]][target[1]].symbol:
        return f"a stone stands on {name}"
    forbidden = position.text().split(" ")[2]
    if forbidden == name:
        return f"ko: {name} may not be taken back at once, play elsewhere first"
    if position.game.name.find("ko=positional") >= 0 or position.game.name.find("ko=situational") >= 0:
        return f"{name} would repeat an earlier board, or the stone would have no liberty"
    return f"suicide: a stone on {name} would have no liberty"


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
