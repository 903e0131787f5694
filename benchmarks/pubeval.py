"""The backgammon network against pubeval, Gerald Tesauro's public benchmark player: `python benchmarks/pubeval.py [--games 10000]`.

pubeval is a linear evaluation of the position after the move, with weights for races and for contact, which its author gave to the
public domain for such comparisons; `data/pubeval.json` holds the numbers. Both sides play the move after which they think best of
their position (no search), money games without a cube: a gammon counts two, a backgammon three.
"""

import argparse
import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from outplay.engine.tables import races
from outplay.game import load
from outplay.games.backgammon import RACE
from outplay.jit import f64, inlined, kernel, random_source
from outplay.learning.td import settle
from outplay.players.networks import shipped

WEIGHTS = json.loads((Path(__file__).parent / "data" / "pubeval.json").read_text())


@inlined
def judged(state, mover, race, weights):
    """What pubeval thinks of a position after its move, for the one who moved."""
    total = f64(0.0)
    total += weights[race, 120] * state.checkers[1 - mover, 25] / 2.0 + weights[race, 121] * state.checkers[mover, 0] / 15.0
    for place in range(24):
        point = 24 - place
        mine, others = state.checkers[mover, point], state.checkers[1 - mover, 25 - point]
        at = 5 * place
        if others == 1:
            total += weights[race, at]
        elif mine == 1:
            total += weights[race, at + 1]
        elif mine >= 2:
            total += weights[race, at + 2]
            if mine == 3:
                total += weights[race, at + 3]
            if mine >= 4:
                total += weights[race, at + 4] * (mine - 3) / 2.0
    return total


@kernel
def play(first_is, roots, states, tried, actions, probabilities, source, network, weights):
    """One game; what the network won, in points. `first_is` is the network's seat."""
    states[0] = roots[0]
    settle(states, actions, probabilities, source)
    for _ in range(4000):
        mover = states[0].player()
        count = states[0].actions(actions)
        race = 1 if states[0].network() == RACE else 0
        best = -1e300
        for index in range(count):
            tried[0] = states[0]
            tried[0].play(actions[index])
            if tried[0].is_terminal():
                value = 1e9
            elif mover == first_is:
                value = tried[0].evaluate(mover, network)
            else:
                value = judged(tried[0], mover, race, weights)
            if value > best:
                best = value
                states[1] = tried[0]
        states[0] = states[1]
        if states[0].is_terminal():
            return states[0].utility(first_is)
        settle(states, actions, probabilities, source)
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--network", default=None, help="the file of a network; left out, the one that comes with Outplay")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    from outplay.networks.td_nets import read

    game = load("backgammon")
    rules = game.rules
    _, net, _ = read(Path(asked.network) if asked.network else shipped()["backgammon"])
    network = rules.evaluation.network_weights(*net, races.table(game))  # as net:backgammon plays
    weights, start = np.array([WEIGHTS["contact"], WEIGHTS["race"]]), np.frombuffer(game.start().state, np.uint8)

    def part(first):
        """Every so many-th game; its luck is its own, so that the result is the same with any number of threads."""
        roots, states, tried = rules.states(1), rules.states(2), rules.states(1)
        roots.view(np.uint8)[:] = start
        lists = np.zeros(rules.most_actions, np.int32), np.zeros(rules.most_actions)
        with np.errstate(over="ignore"):
            return [play(number % 2, roots, states, tried, *lists, random_source(asked.seed * 1_000_003 + number), network, weights)
                    for number in range(first, asked.games, asked.threads)]  # fmt: skip

    begun = time.perf_counter()
    with ThreadPoolExecutor(asked.threads) as pool:
        points = np.array([each for found in pool.map(part, range(asked.threads)) for each in found])
    error = 1.96 * points.std() / np.sqrt(len(points))
    print(f"{len(points):,} games: {points.mean():+.3f} ± {error:.3f} points a game, {np.mean(points > 0):.1%} won, gammons "
          f"{np.mean(points > 1):.1%} won and {np.mean(points < -1):.1%} lost; {time.perf_counter() - begun:.0f} s")  # fmt: skip


if __name__ == "__main__":
    main()
