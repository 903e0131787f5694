"""Battleships in the studio: what a shot brought, ships with their names, a fleet laid out by hand or by chance.

>>> from outplay.game import load
>>> position = load("battleships:width=3,height=1,fleet=2", compiled=False).start().play("a1-b1 b1-c1 c1")
>>> action = position.parse_action("b1")
>>> spelled(position, action, "b1"), spelled(position.observe(1), action, "b1")  # who shoots does not know before
('b1 hit', 'b1')
>>> happened(position, 0), fleet(load("battleships:width=3,height=1,fleet=2").start(), (), ["b1-c1"])
('Your c1 hit.', {'moves': ['b1-c1']})
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from outplay.errors import BadValue
from outplay.game import Position
from outplay.values import Action
from outplay.views.panel import Panel, Tool

NAMES = {1: "boat", 2: "destroyer", 3: "cruiser", 4: "battleship", 5: "carrier"}
LETTERS = "abcdefghijklmnopqrstuvwxyz"
MOST_TRIES = 2000


def lengths(position: Position) -> list[int]:
    """The ships of a fleet, in the order in which they are laid."""
    game: Any = position.game
    return [int(part) for part in game.rules.parameters["fleet"].split("-")]


def ship_name(length: int) -> str:
    """What a ship of so many cells is called."""
    return NAMES.get(length, f"ship of {length}")


def brought(position: Position, told: int) -> str:
    """What a shot brought, in a word or two."""
    return "miss" if told == 0 else "hit" if told == 1 else f"sinks the {ship_name(lengths(position)[told - 2])}"


def spelled(position: Position, action: Action, text: str) -> str:
    """A shot with what it brought."""
    game: Any = position.game
    before = game.record(position.state)
    if position.is_chance() or before.laying()[0] < len(before.left) or (before.laid < 0).any():
        return text
    shooter = int(before.turn)
    after = game.record(game.result(position.state, action))
    return f"{text} {brought(position, int(after.hits[shooter, int(after.shots[shooter]) - 1]))}"


def happened(position: Position, eyes: int) -> str:
    """The last shots of both sides, as the one who looks sees them."""
    game: Any = position.game
    state = game.record(position.state)
    seats, width = position.game.players, int(game.rules.parameters["width"])
    order = [eyes] if seats == 1 else [eyes, 1 - eyes] if int(state.turn) == eyes else [1 - eyes, eyes]
    said = []
    for seat in order:
        if not (count := int(state.shots[seat])):
            continue
        told, cell = int(state.hits[seat, count - 1]), int(state.log[seat, count - 1]) - 1
        where = f"{LETTERS[cell % width]}{cell // width + 1}"
        whose, other = ("Your", "their") if seat == eyes else ("Their", "your")
        what = "missed" if told == 0 else "hit" if told == 1 else f"sank {other} {ship_name(lengths(position)[told - 2])}"
        said.append(f"{whose} {where} {what}.")
    return " ".join(said)


def beside(position: Position) -> dict[str, Any]:
    """What is still to be laid, and where."""
    game: Any = position.game
    state = game.record(position.state)
    owner, ship = state.laying()
    parameters = game.rules.parameters
    told: dict[str, Any] = {}
    if owner < len(state.laid) and not position.is_terminal() and not position.is_chance() and ship == 0:
        width, height = int(parameters["width"]), int(parameters["height"])
        fleet = lengths(position)
        told["fleet"] = {"lengths": fleet, "names": [ship_name(length) for length in fleet],
                         "left": 0 if len(state.laid) == 1 or owner == 0 else width + 1, "width": width,
                         "height": height}  # fmt: skip
    return told


def standing(position: Position, words: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The ships of each fleet as small pictures, those that are sunk struck through; nothing where sinking is not told."""
    game: Any = position.game
    state = game.record(position.state)
    fleet = lengths(position)
    if state.laying()[0] < len(state.laid) or position.game.players == 1:
        return [{} for _ in range(position.game.players)]
    told = []
    for seat in range(2):
        shots = state.hits[1 - seat, : int(state.shots[1 - seat])].tolist()
        down = [2 + ship in shots for ship in range(len(fleet))]
        icons = [_icon(length, gone) for length, gone in sorted(zip(fleet, down, strict=True), reverse=True)]
        afloat = [ship_name(length) for length, gone in zip(fleet, down, strict=True) if not gone]
        told.append({"icons": icons, "label": f"afloat: {', '.join(afloat) or 'nothing'}"})
    return told


def _icon(length: int, gone: bool) -> str:
    wide = 9 * length + 2
    strike = f'<path d="M1 13L{wide - 1} 1" stroke="var(--bad)" stroke-width="2.4"/>' if gone else ""
    end = wide - 4
    shape = f"M1 7C4 2 7 2 9 2H{end}C{end + 2} 2 {end + 3} 5 {end + 3} 7C{end + 3} 9 {end + 2} 12 {end} 12H9C7 12 4 12 1 7Z"
    return (f'<svg viewBox="0 0 {wide} 14" style="width:{wide / 11:.2f}rem;height:.8rem;margin:0 .1rem" aria-hidden="true">'
            f'<path d="{shape}" fill="currentColor" opacity="{0.25 if gone else 0.75}"/>{strike}</svg>')  # fmt: skip


def fleet(position: Position, past: Sequence[Position], ships: Sequence[str] | None = None) -> dict[str, Any]:
    """Lay a whole fleet at once: ships as `a1-e1` in any order, or where none are named, by chance."""
    owed = beside(position).get("fleet")
    if owed is None:
        raise BadValue("the fleet lies already")
    if ships is None:
        ships = _by_chance(owed["lengths"], owed["width"], owed["height"], random.Random())
    is_list = isinstance(ships, list) and all(isinstance(each, str) and len(each) < 12 for each in ships)
    if not is_list or len(ships) != len(owed["lengths"]):
        raise BadValue(f"expected {len(owed['lengths'])} ships as texts such as a1-c1")
    texts: list[str] = []
    here, left = position, list(ships)
    while left:  # equal ships are laid in the order of the rules, so the first that may be laid and leaves room for the others
        legal = {here.action_text(action): action for action in here.actions()}
        fits = [text for text in left if text in legal]
        if not fits:
            raise BadValue(f"a ship cannot lie at {left[0]}: ships lie in a row or a column, and none over another")
        text = min(fits, key=lambda one: int(legal[one]))
        left.remove(text)
        texts.append(text)
        here = here.result(legal[text])
    return {"moves": texts}


def _by_chance(fleet: Sequence[int], width: int, height: int, chance: random.Random) -> list[str]:
    for _ in range(MOST_TRIES):
        taken: set[tuple[int, int]] = set()
        texts = []
        for length in fleet:
            down = chance.random() < 0.5
            row = chance.randrange(max(1, height - (length - 1) * down))
            column = chance.randrange(max(1, width - (length - 1) * (not down)))
            cells = {(row + k * down, column + k * (not down)) for k in range(length)}
            ends = sorted(cells)[0], sorted(cells)[-1]
            if taken & cells or ends[1][0] >= height or ends[1][1] >= width:
                break
            taken |= cells
            names = [f"{LETTERS[column]}{row + 1}" for row, column in ends]
            texts.append(names[0] if length == 1 else "-".join(names))
        else:
            return texts
    raise BadValue("no room for a whole fleet was found")


PANEL = Panel(spelled=spelled, happened=happened, beside=beside, standing=standing, tools={"fleet": Tool(fleet, when="person")})
