"""Backgammon: match text, and GNU Backgammon as a player."""

from outplay.extras import Extras

extras = Extras(
    "backgammon",
    player="net:backgammon",
    judge=".words:reasons",
    studio=".studio:PANEL",
    formats={"mat": ".format:FORMAT"},
    programs={"gnubg": ".gnubg:from_text"},
    presets={"td-gammon": ("net:backgammon,depth=2", "a network that learned by playing itself, one reply deep (IBM, 1992)")},
)
