"""Othello: games as files (GGF, WTHOR, transcripts)."""

from outplay.extras import Extras

extras = Extras(
    "othello",
    studio=".studio:PANEL",
    judge=".words:reasons",
    formats={"ggf": ".format:FORMAT", "wtb": ".format:WTHOR"},
    programs={"nboard": ".nboard:from_text"},
    presets={"logistello": ("engine:pvs,time=5", "patterns learned from games, null windows, a perfect end (Buro, 1997)")},
)
