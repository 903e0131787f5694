"""Games of the engine against itself for an opening book of any game: some begin at the start, others a few random plies later.

>>> from outplay.game import load
>>> from outplay.books import openings
>>> records = self_play(load("tic-tac-toe"), 4, nodes=200)
>>> len(records), len(openings.build("tic-tac-toe", records)) > 0
(4, True)
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable

from outplay.errors import BadValue
from outplay.game import Game
from outplay.players import Searcher
from outplay.playing import Play, settle
from outplay.values import Limits, Record

RANDOM_PLIES = 7  # fewer than this begin a game
DEEP = 40  # plies after which a search stops, however few nodes it took


def self_play(game: Game, games: int, *, nodes: int = 3000, seed: int = 0, stop: threading.Event | None = None,
              progress: Callable[[int], None] | None = None) -> list[Record]:
    """The records of finished games; once `stop` is set, those so far."""
    if games < 1 or nodes < 1:
        raise BadValue(f"games and nodes must be 1 or more, got {games} and {nodes}")
    source, player = random.Random(seed), Searcher("engine", Limits(nodes=nodes, depth=DEEP), memory=16)
    found: list[Record] = []
    while len(found) < games and not (stop is not None and stop.is_set()):
        opening = game.start()
        for _ in range(source.randrange(RANDOM_PLIES)):
            opening = settle(opening, source.getrandbits(32))
            if not opening.is_terminal():
                opening = opening.result(source.choice(opening.actions()))
        if opening.is_terminal():
            continue
        play = Play(game, [player, player], start=settle(opening, len(found)), seed=seed + len(found))
        record = play.finished(stop)
        if record.outcome is not None:
            found.append(record)
            if progress is not None:
                progress(len(found))
    return found
