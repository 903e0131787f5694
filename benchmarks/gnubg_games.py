"""The backgammon network against GNU Backgammon, many games at once: `python benchmarks/gnubg_games.py [--games 1000] [--depth 1]`.

A hint of GNU Backgammon takes a hundredth of a second, most of which it sleeps: so several of it (`--programs`) are asked at once,
each about a game of its own. Money games without a cube; each roll of luck is played twice, with seats swapped. Printed: points a
game, and our share of all points won. `--depth 2` lets the network look at each roll of the other first; `--against net:FILE` takes
another opponent.

Most of what a game brings is luck. Before each roll the network says what all of them are worth on average, and after it what the
one that fell is worth: the difference is that roll's luck, nought on average whatever the network knows. What is left of a game's
points without it is as fair a measure, and a hundred games of it say as much as thousands (`--luck no` leaves it out).
"""

import argparse
import json
import queue
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from outplay.engine.tables import races
from outplay.game import Position, load
from outplay.jit import f64, kernel
from outplay.networks import td_nets
from outplay.players import player
from outplay.players.networks import shipped


@kernel
def best_reply(state, after, actions, network):
    """Play the action after which the network thinks best of its position."""
    mover, highest = state[0].player(), -1e300
    for index in range(state[0].actions(actions)):
        after[1] = state[0]
        after[1].play(actions[index])
        value = 1e9 if after[1].is_terminal() else after[1].evaluate(mover, network)
        if value > highest:
            highest = value
            after[0] = after[1]


@kernel
def worth_of_rolls(state, after, actions, rolls, shares, network, worth):
    """What each roll is worth to the first player, by the best reply as the network sees it; returns how many there are."""
    count = state[0].chances(rolls, shares)
    for way in range(count):
        after[0] = state[0]
        after[0].play(rolls[way])
        mover, highest = after[0].player(), -1e300
        for index in range(after[0].actions(actions)):
            after[1] = after[0]
            after[1].play(actions[index])
            value = f64(after[1].utility(mover)) if after[1].is_terminal() else after[1].evaluate(mover, network)
            highest = max(highest, value)
        worth[way] = highest if mover == 0 else -highest
    return count


def mean_of(points):
    """The mean and its 95 % interval, as text."""
    return f"{points.mean():+.3f} ± {1.96 * points.std() / np.sqrt(len(points)):.3f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--network", default=None, help="the file of a network; left out, the one that comes with Outplay")
    parser.add_argument("--depth", type=int, default=1, help="1: it judges the positions after its turn; 2: each roll of the other")
    parser.add_argument("--ply", type=int, default=0, help="GNU Backgammon's")
    parser.add_argument("--against", default=None, help="another opponent than GNU Backgammon, such as net:FILE")
    parser.add_argument("--luck", choices=("yes", "no"), default="yes", help="whether to say what is left without the luck")
    parser.add_argument("--programs", type=int, default=8, help="so many of it at once")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default=None, help="a file to which the points of each game are added as they end")
    asked = parser.parse_args()
    game = load("backgammon")
    rules = game.rules
    file = Path(asked.network) if asked.network else shipped()["backgammon"]
    network = rules.evaluation.network_weights(*td_nets.read(file)[1], races.table(game))
    chooser = player(f"net:{file},depth={asked.depth}") if asked.depth > 1 else None
    after, actions, state = rules.states(2), np.zeros(2048, np.int32), rules.states(1)
    programs = queue.Queue()
    for _ in range(asked.programs):
        programs.put(player(asked.against or f"gnubg:ply={asked.ply}"))
    rolls, shares, worth = np.zeros(2048, np.int32), np.zeros(2048), np.zeros(36)
    points, lucky, begun, number = [], [], time.perf_counter(), 0
    tables = {}  # of a game under way: its position, its source of rolls, and our luck so far

    def new_game():
        nonlocal number
        if number < asked.games:  # two games of the same luck, the network first in one of them
            tables[number] = [game.start(), np.random.default_rng([asked.seed, number // 2]), 0.0]
            number += 1

    def rolled(at, position, source):
        outcomes = position.chances()
        pick = source.choice(len(outcomes), p=[share for _, share in outcomes])
        if asked.luck == "yes":
            state[0] = game.record(position.state)
            with np.errstate(over="ignore"):
                count = worth_of_rolls(state, after, actions, rolls, shares, network, worth)
            found = worth[pick] - worth[:count] @ shares[:count]
            tables[at][2] += found if at % 2 == 0 else -found
        return position.result(outcomes[pick][0])

    def answered(position):
        program = programs.get()
        try:
            return position.result(program.choose(position))
        finally:
            programs.put(program)

    def replied(position):
        if chooser is not None:
            return position.result(chooser.choose(position))
        state[0] = game.record(position.state)
        with np.errstate(over="ignore"):
            best_reply(state, after, actions, network)
        return Position(game, after[:1].tobytes())

    while number < min(asked.games, 4 * asked.programs):
        new_game()
    with ThreadPoolExecutor(asked.programs) as pool:
        while tables:
            waiting = {}
            for at, (position, source, _) in tables.items():
                if position.player() < 0:
                    position = rolled(at, position, source)
                if position.player() == at % 2:
                    tables[at][0] = replied(position)
                elif len(position.actions()) == 1:
                    tables[at][0] = position.result(position.actions()[0])
                else:
                    waiting[at] = pool.submit(answered, position)
            for at, answer in waiting.items():
                tables[at][0] = answer.result()
            for at in [at for at, (position, *_) in tables.items() if position.is_terminal()]:
                position, _, luck = tables.pop(at)
                points.append(float(position.utilities()[at % 2]))
                lucky.append(luck)
                if asked.out:
                    with Path(asked.out).open("a") as out:
                        out.write(json.dumps({"game": at, "points": points[-1], "luck": round(luck, 4)}) + "\n")
                new_game()
    while not programs.empty():
        programs.get().close()
    points = np.array(points)
    share = points[points > 0].sum() / np.abs(points).sum()
    without = f" ({mean_of(points - lucky)} without the luck)" if asked.luck == "yes" else ""
    print(f"{len(points):,} games: {mean_of(points)} points a game{without}, {share:.1%} of the points, "
          f"{np.mean(points > 0):.1%} won; {time.perf_counter() - begun:.0f} s")  # fmt: skip


if __name__ == "__main__":
    main()
