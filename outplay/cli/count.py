"""`perft`: count the paths of a depth, the usual test of a game's rules and of the engine's speed.

>>> from outplay.game import load
>>> count_paths(load("tic-tac-toe").start(), 3)
504
"""

from __future__ import annotations

import time
from typing import Annotated

from outplay.cli.commands import Option
from outplay.cli.common import (
    ActionsText,
    AsJson,
    GameName,
    PositionText,
    Threads,
    at_least,
    at_most,
    console,
    in_words_of_count,
    position_of,
    print_json,
    seconds_in_words,
    whole_options,
)
from outplay.cli.progress import working
from outplay.engine.perft import MOST_MEMORY
from outplay.engine.perft import perft as count
from outplay.errors import Unsuitable
from outplay.game import CompiledGame, Position

MOST_DEPTH = 1000
"""Nobody counts that far."""

PerftDepth = Annotated[int, Option("--depth", metavar="D", help="How many plies long the paths are.")]
TableMemory = Annotated[int, Option("--memory", metavar="MB", help="Megabytes for a table: what comes again is counted once.")]


def perft(
    game: GameName,
    depth: PerftDepth,
    position: PositionText = None,
    actions: ActionsText = None,
    threads: Threads = 1,
    memory: TableMemory = 0,
    as_json: AsJson = False,
) -> None:
    """Count the ways to play a number of plies from a position."""
    asked = position_of(game, position, actions)
    at_least("--depth", 0, depth)
    at_most("--depth", MOST_DEPTH, depth)
    whole_options(threads=threads)
    at_least("--memory", 0, memory)
    at_most("--memory", MOST_MEMORY, memory)
    if asked.game.traits.sampled:
        raise Unsuitable(f"perft counts what chance can bring, and that of {asked.game.name} is only drawn, not listed")
    with working(f"perft of {asked.game.name}", asked.game.name, "Ctrl-C stops") as progress:
        if isinstance(asked.game, CompiledGame) and not asked.game.traits.chance:
            count(asked, min(depth, 2), threads=threads)  # compiles, so that the time below is that of the count alone
            nodes, seconds = count(asked, depth, threads=threads, memory=memory,
                                   progress=lambda nodes: progress.count(nodes, depth))
        else:
            begun = time.perf_counter()
            nodes = count_paths(asked, depth)
            seconds = time.perf_counter() - begun
    nps = nodes / seconds if seconds > 0 else None
    if as_json:
        request = {"game": asked.game.name, "position": asked.text(), "depth": depth}
        print_json({**request, "nodes": nodes, "seconds": seconds, "nps": nps})
        return
    speed = f", {in_words_of_count(nps)} a second" if nps else ""
    console().print(f"{in_words_of_count(nodes)} nodes in {seconds_in_words(seconds)}{speed}", markup=False)


def count_paths(position: Position, depth: int) -> int:
    """The paths of exactly this length, chance outcomes counted like actions: what the engine does not count, in plain Python."""
    if depth == 0:
        return 1
    if depth == 1:
        return len(position.actions())
    return sum(count_paths(position.result(action), depth - 1) for action in position.actions())
