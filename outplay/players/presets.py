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

from outplay.names import parse, plain


@dataclass(frozen=True)
class Preset:
    """A player by name: what it is written as, which game it plays (empty: any that fits), and who it was."""

    name: str
    text: str
    game: str
    words: str


PRESETS = {preset.name: preset for preset in (
    Preset("novice", "engine:depth=4", "", "the lectures' novice: four plies"),
    Preset("master", "engine:depth=8", "", "the lectures' master: eight plies"),
    Preset("grandmaster", "engine:depth=12", "", "the lectures' grandmaster: twelve plies"),
    Preset("deep-blue", "engine:pvs,null_move=no,reductions=no,futility=0,singular=50,time=5", "chess",
           "full width, nothing pruned by guess, singular moves searched deeper (IBM, 1997)"),
    Preset("chinook", "engine:pvs,null_move=no,time=5", "checkers",
           "alpha-beta by deepening with a table; tables=FOLDER adds its endgame tables (Alberta, 1994)"),
    Preset("logistello", "engine:pvs,time=5", "othello", "patterns learned from games, null windows, a perfect end (Buro, 1997)"),
    Preset("td-gammon", "net:backgammon,depth=2", "backgammon",
           "a network that learned by playing itself, one reply deep (IBM, 1992)"),
    Preset("gib", "double-dummy:deals=100,time=1", "bridge",
           "a hundred deals that fit, each solved with open cards (Ginsberg, 1998)"),
    Preset("alphago", "net:go-9,time=5", "go", "Monte Carlo tree search led by a network, on 9 x 9 (DeepMind, 2016)"),
)}  # fmt: skip
"""Every preset by its name."""


def preset(text: str) -> Preset | None:
    """The preset that a player's text begins with, if any."""
    wanted = plain(parse(text, "player").base)
    return next((each for each in PRESETS.values() if plain(each.name) == wanted), None)


def expand(text: str) -> str:
    """A player's text with its preset written out; options that are given replace the preset's."""
    found = preset(text)
    if found is None:
        return text
    asked, meant = parse(text, "player"), parse(found.text, "player")
    return str(meant._replace(options={**meant.options, **asked.options}))
