"""An updatable network beside the evaluation by hand, in chess: `python benchmarks/nnue.py FILE [--nodes N]`.

Nodes a second of processor time of the same search with either evaluation, over the same positions in turn, and the share of nodes:
the network keeps its sums move by move, the evaluation by hand counts its features anew at every position.
"""

import argparse
import time
from pathlib import Path

from outplay.engine.alphabeta import Engine
from outplay.game import load
from outplay.nnue import Network
from outplay.players.networks import judged_by
from outplay.values import Limits

POSITIONS = (
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "2r3k1/pp2bppp/4pn2/8/1P6/P1N1P3/5PPP/2RB2K1 b - - 0 22",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
)
ROUNDS = 5


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="a network that `outplay learn chess --recipe nnue` made")
    parser.add_argument("--nodes", type=int, default=100_000, help="of each search")
    given = parser.parse_args()
    chess, network = load("chess"), Network.load(given.file)
    games = {"by hand": chess, "network": judged_by(network, chess)}
    engines = {name: Engine(game, memory=16) for name, game in games.items()}
    spent: dict[str, list[float]] = {name: [] for name in games}
    for engine, game in zip(engines.values(), games.values(), strict=True):
        engine.best(game.start(), Limits(nodes=1000))  # compiles
    for _ in range(ROUNDS):
        for name, engine in engines.items():
            engine.clear()
            begun, nodes = time.process_time(), 0
            for text in POSITIONS:
                nodes += engine.best(games[name].position(text), Limits(nodes=given.nodes)).nodes
            spent[name].append(nodes / (time.process_time() - begun))
    print(f"{network.shape[1]} units for each seat, {given.file.stat().st_size:,} bytes")
    for name, rates in spent.items():
        best, middle = max(rates) / 1e6, sorted(rates)[ROUNDS // 2] / 1e6
        print(f"{name:8}  {best:.2f} million nodes a second at best, {middle:.2f} in the middle")


if __name__ == "__main__":
    main()
