"""Does the engine keep its time? Games at 20 ms a move, and how soon a stop flag is answered.

    python benchmarks/clock.py [GAMES]

A move that came late while the host of this machine held it back for as long is counted apart.
"""

import random
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from host import held_back

from outplay.engine import Engine
from outplay.game import load
from outplay.values import Limits

SECONDS = LATE = 0.020


def oversteps(games: int) -> list[tuple[float, float]]:
    """By how much each move went over its time, in seconds, below zero where it did not; and how long the host held it back."""
    game, source = load("connect four"), random.Random(1)
    engine = Engine(game, memory=16)
    engine.best(game.start(), Limits(depth=2))  # compiled or loaded before the clock runs
    over = []
    for _ in range(games):
        position = game.start()
        while not position.is_terminal():
            held, begun = held_back(), time.perf_counter()
            found = engine.best(position, Limits(seconds=SECONDS))
            spent = time.perf_counter() - begun
            over.append((spent - SECONDS, held_back() - held))
            position = position.result(found.action if source.random() < 0.8 else source.choice(position.actions()))
    return over


def stops(tries: int) -> list[float]:
    """Seconds from setting the stop flag to the answer."""
    game, source = load("connect four"), random.Random(2)
    engine = Engine(game, memory=16)
    engine.best(game.start(), Limits(depth=2))
    waits = []
    for _ in range(tries):
        stop, pressed = threading.Event(), []

        def press(stop=stop, pressed=pressed):
            pressed.append(time.perf_counter())
            stop.set()

        engine.clear()
        timer = threading.Timer(source.uniform(0.02, 0.3), press)
        timer.start()
        engine.best(game.start(), Limits(depth=40), stop=stop)
        waits.append(time.perf_counter() - pressed[0])
    return waits


def main(games: int = 30) -> None:
    over = sorted(oversteps(games))
    late = [(by, held) for by, held in over if by > LATE]
    excused = sum(held >= by - LATE for by, held in late)
    print(f"{games} games of connect four at {1000 * SECONDS:.0f} ms a move, {len(over)} moves:")
    print(f"  over time by: median {1000 * over[len(over) // 2][0]:+.2f} ms, worst {1000 * over[-1][0]:+.2f} ms; "
          f"by more than 20 ms: {len(late) - excused}, and {excused} while the host held this machine back")
    waits = sorted(stops(40))
    print(f"  a stop flag is answered in: median {1000 * waits[len(waits) // 2]:.1f} ms, worst {1000 * waits[-1]:.1f} ms")


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:2]))
