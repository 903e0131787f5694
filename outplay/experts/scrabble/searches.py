"""The search of Scrabble as the engine's table has searches."""

from __future__ import annotations

from outplay.engine.registry import LIMITED_BY_SIMULATIONS, Search
from outplay.names import Option

TILES = Search(
    "tiles", "outplay.experts.scrabble.search.Tiles",
    "the best plays by simulated deals, and the exact end when the bag is empty",
    (Option("candidates", "whole", 20, "plays that are simulated, the best by score and by what is kept", least=2),
     Option("deals", "whole", 2000, "how many deals at most", least=1),
     Option("endgame", "switch", True, "search the end exactly when the bag is empty"),
     Option("preendgame", "switch", True, "with one or two tiles in the bag, exact ends for all that they may be"),
     Option("inference", "switch", False, "deal the other what it may have kept at its last play"),
     Option("winning", "switch", True, "leads count for as much as they help to win; no: points"),
     Option("leaves", "text", "", "a file of what kept tiles are worth, as `outplay tune scrabble` writes it")),
    LIMITED_BY_SIMULATIONS, ("seed",), is_family=False, game="scrabble")
