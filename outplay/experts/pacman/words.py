"""Words of Pac-Man for the judge: steps to the ghosts and to food, and the room that is reached before a ghost, each counted.

>>> from outplay.game import load
>>> position = load("pac-man").position("%%%%%%%/%..G..%/%.%_%.%/%..P..%/%.....%/%%%%%%% 0 0 30 10")
>>> [text for _, text, _, _ in reasons(position, position.parse_action("north"), position.parse_action("west"))][0]
'After north, the nearest ghost is 1 step away; after west, 3 steps.'
"""

from __future__ import annotations

from typing import Any

from outplay.game import Position
from outplay.judge.words import say
from outplay.values import Action


def board(position: Position) -> tuple[str, int, int, list[int], set[int]]:
    """The cells, how many make a row, where Pac-Man is, the ghosts and the food."""
    rows, *_, hunters = position.text().split()
    cells, width = rows.replace("/", ""), rows.index("/")
    ghosts = [int(cell) for cell in hunters.split("-")]
    at = next(cell for cell, sign in enumerate(cells) if sign in "PX")
    return cells, width, at, ghosts, {cell for cell, sign in enumerate(cells) if sign in ".g"}


def steps(cells: str, width: int, begin: list[int]) -> dict[int, int]:
    """How many steps each cell is away from the nearest of some, along the ways of the maze."""
    found, waiting = dict.fromkeys(begin, 0), list(begin)
    for cell in waiting:
        for there in (cell - width, cell + 1, cell + width, cell - 1):
            if 0 <= there < len(cells) and cells[there] != "%" and there not in found:
                found[there] = found[cell] + 1
                waiting.append(there)
    return found


def told(position: Position) -> tuple[int, int, int, int]:
    """Steps from Pac-Man to the nearest ghost and to the nearest food, cells that it reaches before a ghost, food that is left."""
    cells, width, at, ghosts, food = board(position)
    mine, theirs = steps(cells, width, [at]), steps(cells, width, ghosts)
    nearest = min((mine[cell] for cell in food if cell in mine), default=0)
    return theirs.get(at, len(cells)), nearest, sum(mine[cell] < theirs.get(cell, len(cells)) for cell in mine), len(food)


def reasons(position: Position, played: Action, best: Action) -> list[tuple[str, str, list[str], dict[str, Any]]]:
    """What can be counted of two steps: for Pac-Man the further from the ghosts the better, for a ghost the nearer."""
    after, instead = position.result(played), position.result(best)
    if played == best or after.is_terminal() or instead.is_terminal():
        return []
    text, better, is_hunted = position.action_text(played), position.action_text(best), position.player() == 0
    (ghost, food, room, left), (further, nearer, roomier, less) = told(after), told(instead)
    found: list[tuple[str, str, list[str], dict[str, Any]]] = []
    sign, seat = 1 if is_hunted else -1, position.game.seat_name(0)
    if sign * (further - ghost) > 0:
        sentence = say("ghost", action=text, count=_steps(ghost), best=better, other=_steps(further))
        found.append(("ghost", sentence, [text], {"steps": [ghost, further]}))
    if sign * (roomier - room) > 0:
        sentence = say("room", seat=seat, action=text, count=room, best=better, other=roomier)
        found.append(("room", sentence, [text], {"cells": [room, roomier]}))
    if is_hunted and less < left:
        found.append(("eats", say("eats", action=text, best=better), [better], {"food": [left, less]}))
    elif is_hunted and nearer < food:
        sentence = say("food", action=text, count=_steps(food), best=better, other=_steps(nearer))
        found.append(("food", sentence, [better], {"steps": [food, nearer]}))
    return found


def _steps(count: int) -> str:
    return "1 step" if count == 1 else f"{count} steps"
