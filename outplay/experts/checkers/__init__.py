"""Checkers: PDN, words for what is taken."""

from outplay.extras import Extras

extras = Extras(
    "checkers",
    studio=".studio:PANEL",
    judge=".words:reasons",
    formats={"pdn": ".format:FORMAT"},
    deck=".pdn:deck_positions",
    presets={"chinook": ("engine:pvs,null_move=no,time=5",
                         "alpha-beta by deepening with a table; tables=FOLDER adds its endgame tables (Alberta, 1994)")},
)
