"""Named players: the famous programs' ways of searching, and the lectures' three strengths of a chess program.

>>> expand("master")
'engine:depth=8'
>>> expand("deep-blue:time=1")                 # what is written comes before what the preset says
'engine:pvs,null_move=no,reductions=no,futility=0,singular=50,time=1'
>>> expand("engine:depth=3")                   # no preset: as it was
'engine:depth=3'

A preset is a text such as anybody could write, with the system's own choices of algorithm and options on our engine: not its
program, its hardware or its evaluation. `docs/history.md` sets its published figures beside ours.
"""

from __future__ import annotations

from dataclasses import dataclass

from outplay import extras
from outplay.names import parse, plain


@dataclass(frozen=True)
class Preset:
    """A player by name: what it is written as, which game it plays (empty: any that fits), and who it was."""

    name: str
    text: str
    game: str
    words: str


OF_ANY_GAME = (
    Preset("novice", "engine:depth=4", "", "the lectures' novice: four plies"),
    Preset("master", "engine:depth=8", "", "the lectures' master: eight plies"),
    Preset("grandmaster", "engine:depth=12", "", "the lectures' grandmaster: twelve plies"),
)


def presets() -> dict[str, Preset]:
    """Every preset by its name: those that fit any game, and those that a game brings."""
    found = [*OF_ANY_GAME, *(Preset(name, text, each.game, words) for each in extras.every()
                             for name, (text, words) in each.presets.items())]  # fmt: skip
    return {each.name: each for each in found}


def preset(text: str, kind: str = "player") -> Preset | None:
    """The preset that a player's text begins with, if any."""
    wanted = plain(parse(text, kind).base)
    return next((each for each in presets().values() if plain(each.name) == wanted), None)


def expand(text: str) -> str:
    """A player's text with its preset written out; options that are given replace the preset's."""
    found = preset(text)
    if found is None:
        return text
    asked, meant = parse(text, "player"), parse(found.text, "player")
    return str(meant._replace(options={**meant.options, **asked.options}))
