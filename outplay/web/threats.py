"""What the other side threatens: what it would take or how it would win if it were its turn; and whose each point of a Go board is.

Chess: pieces that an exchange on their square would win, and mates in one. Checkers: men that could be jumped. Go: stones in
atari. Any other game of perfect information: actions with which the next player wins at once after at least half of the moves
that there are, so that a move which itself opens the way to a win makes no threat.

>>> from outplay.game import load
>>> threats(load("tic-tac-toe").position("xx./.o./... o")).words
'Crosses threaten c3'
>>> threats(load("chess").position("4k3/8/8/3p4/4N3/8/8/R3K3 w - - 0 1")).words
'Black threatens dxe4'
>>> threats(load("go:size=5").position(".xo../.o.../...../...../..... x")).words
'White threatens 1 stone, in atari'
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from outplay.errors import BadValue, OutplayError
from outplay.game import Position
from outplay.picture import Picture, Spot
from outplay.views.plain import picture_of
from outplay.web import boards

MOST_LOOKED_AT = 20_000  # pairs of a move and an answer: beyond that a page would have to wait


@dataclass(frozen=True)
class Threats:
    """Where something is threatened, how, and that in words; empty words where nothing is."""

    words: str = ""
    marks: Mapping[Spot, str] = field(default_factory=dict)
    arrows: tuple[tuple[Spot, Spot], ...] = ()


def threats(position: Position) -> Threats:
    """What is threatened against the player to move."""
    game = position.game
    if game.traits.information != "perfect" or game.traits.chance or game.players < 2:
        raise BadValue(f"threats are looked for where nothing is hidden or left to chance and two or more play, not in {game.name}")
    picture = picture_of(position)
    if position.is_terminal() or picture is None:
        return Threats()
    base = game.name.split(":")[0]
    if base == "go":
        return _atari(position, picture)
    if base in ("chess", "checkers"):
        return _taken(position)
    return _wins(position)


def _called(position: Position, seat: int, what: str) -> str:
    name = boards.seat_names(position.game)[seat]
    plural = name.endswith("s") or " and " in name
    return f"{name[0].upper()}{name[1:]} threaten{'' if plural else 's'} {what}"


def _wins(position: Position) -> Threats:
    moves = position.actions()
    found: dict[str, int] = {}
    touched: dict[str, tuple[Spot, ...]] = {}
    looked, seat = 0, -1
    for move in moves:
        after = position.result(move)
        if after.is_terminal() or after.player() == position.player():
            continue
        answers = after.actions()
        looked += len(answers)
        if looked > MOST_LOOKED_AT:
            raise BadValue(f"{position.game.name} has too many moves here to look for every win of the other side")
        for answer in answers:
            end = after.result(answer)
            if not end.is_terminal() or (outcome := end.outcome()) is None or outcome.winner != after.player():
                continue
            seat, text = after.player(), after.action_text(answer)
            found[text] = found.get(text, 0) + 1
            if text not in touched:
                picture = picture_of(after)
                touched[text] = () if picture is None else picture.touches.get(answer, ())
    certain = [text for text, times in found.items() if 2 * times >= len(moves)]
    if not certain:
        return Threats()
    return _drawn(_called(position, seat, " and ".join(certain[:3])), [touched[text] for text in certain])


def _taken(position: Position) -> Threats:
    """What could be taken, or mated, if the other side were to move."""
    fields = position.text().split(" ")
    if fields[0].startswith(("B:", "W:")):
        passed = ("W" if fields[0][0] == "B" else "B") + position.text()[1:]
    else:
        passed = " ".join([fields[0], "b" if fields[1] == "w" else "w", fields[2], "-", *fields[4:]])
    try:
        other = position.game.position(passed)
    except OutplayError:  # the king is in check: that is the threat, and the board shows it
        return Threats()
    picture, before = picture_of(other), picture_of(position)
    if other.is_terminal() or picture is None or before is None:
        return Threats()
    words, touched, lost = [], [], []
    for action in other.actions():
        after = other.result(action)
        mates = after.is_terminal() and (outcome := after.outcome()) is not None and outcome.winner == other.player()
        gone = _gone(before, picture_of(after), position.player())
        if mates or (gone and _pays(other, action)):
            words.append(_written(other, action))
            touched.append(picture.touches.get(action, ()))
            lost += gone or list(touched[-1][-1:])
    if not words:
        return Threats()
    more = f" and {len(words) - 3} more" if len(words) > 3 else ""
    told = _drawn(_called(position, other.player(), ", ".join(words[:3]) + more), touched)
    return Threats(told.words, dict.fromkeys(lost, "threat"), told.arrows)


def _gone(before: Picture, after: Picture | None, seat: int) -> list[Spot]:
    """Where this seat's pieces stood that are no longer there."""
    if after is None:
        return []
    pairs = ((row, column) for row, cells in enumerate(before.cells) for column in range(len(cells)))
    return [(r, c) for r, c in pairs if before.cells[r][c].owner == seat and after.cells[r][c].owner != seat]


def _pays(position: Position, action: Any) -> bool:
    """Whether a capture wins something once both have taken back; in checkers, where one must take, always."""
    if position.game.name.split(":")[0] != "chess":
        return True
    from outplay.games.chess.exchange import holds, worth
    from outplay.jit import u64

    state: Any = position.game.record(position.state)
    source, target = u64(int(action) & 63), u64(int(action) >> 6 & 63)
    with np.errstate(over="ignore"):
        return bool(holds(state, source, target, int(worth(state, u64(1) << target)) - 1))


def _written(position: Position, action: Any) -> str:
    from outplay.web.records import spelled  # which knows this module

    return spelled(position, action, position.action_text(action))


def _atari(position: Position, picture: Picture) -> Threats:
    """Stones of the player to move that have one liberty left."""
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
        _called(position, 1 - seat, f"{len(caught)} stone{'s' if len(caught) > 1 else ''}, in atari"),
        dict.fromkeys(caught, "threat"),
    )


def _drawn(words: str, touched: Sequence[tuple[Spot, ...]]) -> Threats:
    arrows = tuple((way[k], way[k + 1]) for way in touched for k in range(0, len(way) - 1, 2))
    return Threats(words, {way[-1]: "threat" for way in touched if way}, arrows)


CLEAR = 0.3  # a point is counted for a side whose share of it in games played out, less the other's, is above this


def estimate(position: Position, games: int = 400, seed: int = 0) -> Threats:
    """Go: whose each point is in most games that are played out at random, and the score that this makes.

    >>> from outplay.game import load
    >>> position = load("go:size=5,komi=0.5").position(".xo../.xo../.xo../.xo../.xo.. x")
    >>> estimate(position, games=100).words
    'About Black 10, White 15 + komi 0.5: White leads by 5.5'
    """
    from outplay.engine.ownership import ownership

    picture = picture_of(position)
    if position.game.name.split(":")[0] != "go" or picture is None:
        raise BadValue(f"territory is counted in Go, not in {position.game.name}")
    owners = ownership(position, games=games, seed=seed)
    size = len(picture.cells)
    marks: dict[Spot, str] = {}
    for point, owner in enumerate(owners):
        row, column = divmod(point, size)
        side = int(owner < 0)
        if abs(owner) > CLEAR and picture.cells[row][column].owner != side:  # empty points, and stones taken for dead
            marks[row, column] = f"territory {side}"
    black, white = (sum(sign * owner > CLEAR for owner in owners) for sign in (1, -1))
    komi = float(position.game.rules.parameters["komi"])
    margin = black - white - komi
    lead = f"{'Black' if margin > 0 else 'White'} leads by {abs(margin):g}" if margin else "even"
    return Threats(f"About Black {black}, White {white} + komi {komi:g}: {lead}", marks)
