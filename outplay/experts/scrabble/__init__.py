"""Scrabble: the search over tiles, its players, what kept tiles are worth, and games as files."""

from outplay.extras import Extras

extras = Extras(
    "scrabble",
    named=(("tiles:simulation,time=2", "Full strength, 2 s a move", "simulated deals, and the exact end"),
           ("tiles:static", "Strong and quick", "score and what is kept on the rack"),
           ("tiles:greedy", "Greedy", "whatever scores most")),
    levels=False,
    sample="15/15/2B12/2R4W7/2I4I7/1GALAH1T7/2R2OKA7/2D2WENT6/4VEX1E6/4E3R6/4N3R6/3MU3A6/3AE3I6/3I4N6/3MERRY7 "
           "CDEILS?/AFNNOST 179/129 0 0",
    studio=".studio:PANEL",
    players={"tiles": ".players:from_text"},
    searches={"tiles": ".searches:TILES"},
    formats={"gcg": ".format:FORMAT"},
    tuner=".tune:tune",
    commands={"words": ".commands:words"},
    judge=".words:reasons",
    weigh=".weighing:weigh",
    puzzle=".weighing:puzzle",
)
