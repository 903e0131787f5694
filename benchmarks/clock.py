"""Does the engine keep its time? Games at 20 ms a move, how soon a stop flag is answered, and whole games on tiny clocks.

    python benchmarks/clock.py [GAMES]              moves of 20 ms, stops
    python benchmarks/clock.py flags 1+0 [GAMES]    chess through `outplay uci`, a second a side for the whole game
    python benchmarks/clock.py flags 0.3+0 [GAMES]

A move that came late while the host of this machine held it back for as long is counted apart. In games on a clock both sides are
`outplay uci`, pipes included, and a game goes on until the board or a referee's draw ends it, or a flag falls. On a busy machine
`chrt -f 50` before the command lets nobody else in between.
"""

import random
import sys
import threading
import time
from collections import Counter
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


def flags(clock: str, games: int = 20) -> None:
    """Whole games of chess by two programs on a clock such as 1+0; the exit status is 1 where somebody lost on time."""
    from chess_robust import Program, opening

    seconds, increment = (float(text) for text in clock.split("+"))
    sides = (Program("outplay"), Program("outplay"))
    lost, excused, plies, least, ends, spans = 0, 0, [], [], Counter(), []
    try:
        for number in range(games):
            board, history, left = opening(number), [], [seconds, seconds]
            fen, held = board.fen(), held_back()
            for side in sides:
                side.new_game()
            while (outcome := board.outcome(claim_draw=True)) is None and min(left) >= 0:
                turn = 0 if board.turn else 1
                times = f"wtime {max(1, int(1000 * left[0]))} btime {max(1, int(1000 * left[1]))}"
                gained = f"winc {1000 * increment:.0f} binc {1000 * increment:.0f}"
                ask = f"position fen {fen} moves {' '.join(history)}\ngo {times} {gained}"
                begun = time.perf_counter()
                move = board.parse_uci(sides[turn].ask(ask, "bestmove", 30).split()[1])
                spans.append(time.perf_counter() - begun)
                left[turn] -= spans[-1]
                if left[turn] >= 0:
                    left[turn] += increment
                board.push(move)
                history.append(move.uci())
            if outcome is None:
                stolen = held_back() - held >= -min(left)
                lost, excused = lost + (not stolen), excused + stolen
                late, waited = -1000 * min(left), held_back() - held
                print(f"  flag after {len(history)} plies, {late:.0f} ms late; the host held back {waited:.2f} s")
            ends["flag" if outcome is None else outcome.termination.name.lower()] += 1
            plies.append(len(history))
            least.append(min(left))
    finally:
        for side in sides:
            side.close()
    spans.sort()
    print(f"{games} games at {clock}: {lost} lost on time, {excused} more while the host held this machine back; "
          f"{sum(plies) / games:.0f} plies a game (up to {max(plies)}), least time left {1000 * min(least):.0f} ms; "
          f"a move takes {1000 * spans[len(spans) // 2]:.1f} ms (median), {1000 * spans[len(spans) // 50]:.1f} ms (2 %); "
          f"ends: {', '.join(f'{count} {end}' for end, count in ends.most_common())}")
    if lost:
        raise SystemExit(1)


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
    if sys.argv[1:2] == ["flags"]:
        flags(*(kind(text) for kind, text in zip((str, int), sys.argv[2:], strict=False)))
    else:
        main(*(int(argument) for argument in sys.argv[1:2]))
