"""Checkers, measured in one run: moves counted, random games beside OpenSpiel's, endgame tables.

    python benchmarks/checkers.py speed              # counting and random games, OpenSpiel's C++ in turns with ours
    python benchmarks/checkers.py tables 4           # all tables to so many men in a new folder: seconds, bytes, bits a position

OpenSpiel plays a multiple jump as several moves and ends a game after 40 moves without a capture, where ours is one move and 80
plies without a capture or a man's move; so games are compared, not moves.
"""

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.montecarlo import compare, pyspiel, spiel_rollouts
from outplay.engine.perft import perft
from outplay.engine.playouts import playouts
from outplay.game import load
from outplay.knowledge import retrograde


def measure_speed():
    """Counting, and random games in turns with OpenSpiel's."""
    for name, depth in (("checkers", 10), ("checkers:variant=international", 8)):
        perft(load(name).start(), 2)  # compiles
        started = time.process_time()
        count, _ = perft(load(name).start(), depth)
        print(f"{name}: {count:,} at depth {depth}, {count / (time.process_time() - started) / 1e6:.0f} M/s", flush=True)
    position = load("checkers").start()
    theirs = spiel_rollouts("checkers") if pyspiel else None
    compare("random games", "games/s", lambda n: playouts(position, n), 20_000, theirs, 500, 20)
    played = playouts(position, 5000)
    print(f"{played.moves / played.games:.1f} moves a game")


def measure_tables(men=4):
    """All tables to so many men."""
    retrograde.build(load("checkers"), 2)  # compiles
    with tempfile.TemporaryDirectory() as folder:
        wall, own = time.perf_counter(), time.process_time()
        tables = retrograde.build(load("checkers"), men, folder)
        wall, own = time.perf_counter() - wall, time.process_time() - own
        size = sum(path.stat().st_size for path in Path(folder).iterdir())
        positions = sum(tables.facts(each.name)["positions"] for each in tables.slices)
    print(f"{men} men: {positions:,} positions, {wall:.1f} s, {own:.1f} s of processor time, {size:,} bytes, "
          f"{8 * size / positions:.2f} bits a position with plies")


def main():
    """All of it, in short."""
    measure_speed()
    measure_tables(3)


if __name__ == "__main__":
    words = sys.argv[1:] or ["speed"]
    if words[0] == "speed":
        measure_speed()
    elif words[0] == "tables":
        measure_tables(int(words[1]) if len(words) > 1 else 4)
    else:
        sys.exit(__doc__)
