"""Chess: Polyglot's books, PGN, Syzygy's tables, words for exchanges."""

from outplay.extras import Extras

extras = Extras(
    "chess",
    sample="e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8",
    named=(("auto:level=1000,time=1", "About 1450", "by Stockfish's UCI_Elo"),
           ("auto:level=1500,time=1", "About 1800", "by Stockfish's UCI_Elo"),
           ("auto:level=1900,time=1", "About 1950", "by Stockfish's UCI_Elo")),
    studio=".studio:PANEL",
    judge=".words:reasons",
    formats={"pgn": ".format:FORMAT"},
    presets={"deep-blue": ("engine:pvs,null_move=no,reductions=no,futility=0,singular=50,time=5",
                           "full width, nothing pruned by guess, singular moves searched deeper (IBM, 1997)")},
    books=".book:POLYGLOT",
    fitting=".fitting:FITTING",
    endings="outplay.games.chess.numbering:every",
    tables=".syzygy:open_tables",
)
