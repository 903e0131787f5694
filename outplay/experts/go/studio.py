"""Go in the studio: stones in atari, whose each point is, and why a stone may not be put down.

>>> from outplay.game import load
>>> atari(load("go:size=5").position(".xo../.o.../...../...../..... x")).words
'White threatens 1 stone, in atari'
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from outplay.experts.go.ownership import ownership
from outplay.game import Position
from outplay.picture import Picture, Spot
from outplay.views import threats
from outplay.views.panel import Panel, Threats, Tool
from outplay.views.plain import picture_of

CLEAR = 0.3  # a point is counted for a side whose share of it in games played out, less the other's, is above this


def atari(position: Position) -> Threats:
    """Stones of the player to move that have one liberty left."""
    picture: Any = picture_of(position)
    seat, cells = position.player(), picture.cells
    size = len(cells)
    seen: set[tuple[int, int]] = set()
    caught: list[Spot] = []
    for start in ((row, column) for row in range(size) for column in range(size)):
        if start in seen or cells[start[0]][start[1]].owner != seat:
            continue
        chain, liberties, ahead = {start}, set(), [start]
        while ahead:
            row, column = ahead.pop()
            for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
                if not (0 <= r < size and 0 <= c < size):
                    continue
                owner = cells[r][c].owner
                if owner is None:
                    liberties.add((r, c))
                elif owner == seat and (r, c) not in chain:
                    chain.add((r, c))
                    ahead.append((r, c))
        seen |= chain
        if len(liberties) == 1:
            caught += sorted(chain)
    if not caught:
        return Threats()
    return Threats(
        threats.called(position, 1 - seat, f"{len(caught)} stone{'s' if len(caught) > 1 else ''}, in atari"),
        dict.fromkeys(caught, "threat"),
    )


def standing(position: Position, words: Sequence[str]) -> list[dict[str, Any]]:
    """Stones that each side has taken, where the moves from an empty board are known, and White's komi."""
    picture: Any = picture_of(position)
    game: Any = position.game
    told = [[], [f"komi {float(game.rules.parameters['komi']):g}"]]
    for seat in range(2):
        laid = sum(word.lower() != "pass" for word in words[1 - seat :: 2])
        left = sum(cell.owner == 1 - seat for row in picture.cells for cell in row)
        if taken := max(0, laid - left):
            told[seat].append(f"{taken} prisoner{'s' * (taken != 1)}")
    return [{"words": ", ".join(each)} for each in told]


def estimate(position: Position, games: int = 400, seed: int = 0) -> Threats:
    """Whose each point is in most games that are played out at random, and the score that this makes.

    >>> from outplay.game import load
    >>> position = load("go:size=5,komi=0.5").position(".xo../.xo../.xo../.xo../.xo.. x")
    >>> estimate(position, games=100).words
    'About Black 10, White 15 + komi 0.5: White leads by 5.5'
    """
    picture: Any = picture_of(position)
    owners = ownership(position, games=games, seed=seed)
    size = len(picture.cells)
    marks: dict[Spot, str] = {}
    for point, owner in enumerate(owners):
        row, column = divmod(point, size)
        side = int(owner < 0)
        if abs(owner) > CLEAR and picture.cells[row][column].owner != side:  # empty points, and stones taken for dead
            marks[row, column] = f"territory {side}"
    black, white = (sum(sign * owner > CLEAR for owner in owners) for sign in (1, -1))
    game: Any = position.game
    komi = float(game.rules.parameters["komi"])
    margin = black - white - komi
    lead = f"{'Black' if margin > 0 else 'White'} leads by {abs(margin):g}" if margin else "even"
    return Threats(f"About Black {black}, White {white} + komi {komi:g}: {lead}", marks)


def territory(position: Position, past: Sequence[Position]) -> dict[str, Any]:
    """An estimate of the score by games played out at random."""
    found = estimate(position)
    return {"words": found.words, "marks": found.marks}


def why(position: Position, picture: Picture, source: Spot | None, target: Spot) -> str:
    """Why a stone may not be put down."""
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


PANEL = Panel(standing=standing, threats=atari, why=why, tools={"territory": Tool(territory, compiles=True)})
