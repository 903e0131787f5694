"""An updatable network beside the evaluation by hand, in chess: `python benchmarks/nnue.py FILE [--nodes N] [--positions FILE]`.

Nodes a second of processor time of the same search with either evaluation, over the same positions in turn, and the share of nodes:
the network keeps its sums move by move, the evaluation by hand counts its features anew at every position.

With `--positions RUN/positions.bin`, how far either is from what Stockfish says after some thousand nodes (`--deep`), on positions
of that file that the network never learned from: the mean squared error of the chance to win, each evaluation on the scale that
suits it best, and the share of positions in which it is closer than the other. `--searches 100 1000` says the same of searches of
so many nodes with the evaluation by hand, an empty table each: what a network would learn from.
"""

import argparse
import shutil
import subprocess
import time
from pathlib import Path

import numpy as np

from outplay.engine.alphabeta.engine import Engine
from outplay.evaluations.nnue import Network
from outplay.game import Position, load
from outplay.learning.nnue import BLOCK, HELD_OUT, _judge, sigmoid
from outplay.learning.positions import Positions
from outplay.players.networks import as_judged, judged_by
from outplay.values import Limits

POSITIONS = (
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "2r3k1/pp2bppp/4pn2/8/1P6/P1N1P3/5PPP/2RB2K1 b - - 0 22",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
)
ROUNDS = 5
LARGEST = 1500  # hundredths of a pawn: beyond, an evaluation says no more than that the game is won


def speed(file: Path, nodes: int) -> None:
    """Print nodes a second."""
    chess, network = load("chess"), Network.load(file)
    games = {"by hand": chess, "network": judged_by(network, chess)}
    engines = {name: Engine(game, memory=16) for name, game in games.items()}
    spent: dict[str, list[float]] = {name: [] for name in games}
    for engine, game in zip(engines.values(), games.values(), strict=True):
        engine.best(game.start(), Limits(nodes=1000))  # compiles
    for _ in range(ROUNDS):
        for name, engine in engines.items():
            engine.clear()
            begun, done = time.process_time(), 0
            for text in POSITIONS:
                done += engine.best(games[name].position(text), Limits(nodes=nodes)).nodes
            spent[name].append(done / (time.process_time() - begun))
    print(f"{network.shape[1]} units for each seat, {file.stat().st_size:,} bytes")
    for name, rates in spent.items():
        best, middle = max(rates) / 1e6, sorted(rates)[ROUNDS // 2] / 1e6
        print(f"{name:8}  {best:.2f} million nodes a second at best, {middle:.2f} in the middle")


class Stockfish:
    """The program of that name, asked for values."""

    def __init__(self) -> None:
        program = shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")
        if program is None:
            raise SystemExit("Stockfish is not installed: it is the judge")
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def value(self, position: str, nodes: int) -> int:
        """Of a position to the player to move, in hundredths of a pawn."""
        assert self.process.stdin is not None and self.process.stdout is not None
        print(f"position fen {position}\ngo nodes {nodes}", file=self.process.stdin, flush=True)
        said = 0
        for line in self.process.stdout:
            words = line.split()
            if words[:1] == ["bestmove"]:
                return said
            if "score" in words:
                kind, number = words[words.index("score") + 1], int(words[words.index("score") + 2])
                said = number if kind == "cp" else LARGEST if number > 0 else -LARGEST
        raise SystemExit("Stockfish has stopped")


def errors(file: Path, positions: Path, count: int, nodes: int, searches: list[int]) -> None:
    """Print how far both evaluations, and searches with the one by hand, are from Stockfish's."""
    chess = load("chess")
    held = Positions(positions, chess)
    whole = np.arange(len(held))
    whole = whole[whole // BLOCK % HELD_OUT == HELD_OUT - 1]
    chosen = np.sort(np.random.default_rng(1).choice(whole, min(count, len(whole)), replace=False))
    states = held.states(held.all()[chosen])
    faces = [Position(chess, state.tobytes()) for state in states]
    judge = Stockfish()
    wanted = np.array([np.clip(judge.value(face.text(), nodes), -LARGEST, LARGEST) for face in faces], float)
    said = {"by hand": np.zeros(len(faces)), "network": np.zeros(len(faces))}
    moved = [as_judged(str(file), face)[0] for face in faces]
    with np.errstate(over="ignore"):
        _judge(states, np.array(chess.rules.weights), said["by hand"])
        rules = moved[0].game.rules
        with_sums = np.concatenate([np.frombuffer(each.state, rules.layout) for each in moved])
        _judge(with_sums, np.array(rules.weights), said["network"])
    engine = Engine(chess, memory=4)
    for some in searches:
        said[f"{some} nodes"] = np.zeros(len(faces))
        for place, face in enumerate(faces):
            engine.clear()
            found = engine.best(face, Limits(nodes=some)).value
            said[f"{some} nodes"][place] = np.clip(found if face.player() == 0 else -found, -LARGEST, LARGEST)
    missed = {}
    for name, points in said.items():
        scale = min(range(60, 500, 10), key=lambda each: float(np.mean((sigmoid(points / each) - sigmoid(wanted / 250)) ** 2)))
        missed[name] = (sigmoid(points / scale) - sigmoid(wanted / 250)) ** 2
        spread = 1.96 * missed[name].std() / len(points) ** 0.5
        print(f"{name:10}  {missed[name].mean():.5f} ± {spread:.5f} mean squared error, {len(points)} positions, scale {scale}")
    closer = float(np.mean(missed["network"] < missed["by hand"]))
    lead = missed["by hand"] - missed["network"]
    spread = 1.96 * lead.std() / len(lead) ** 0.5
    print(f"the network is closer in {closer:.1%}; its lead in squared error {lead.mean():+.5f} ± {spread:.5f}")


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="a network that `outplay learn chess --recipe nnue` made")
    parser.add_argument("--nodes", type=int, default=100_000, help="of each search")
    parser.add_argument("--positions", type=Path, help="the file of positions of its run: compare errors in place of speed")
    parser.add_argument("--count", type=int, default=1000, help="of these positions")
    parser.add_argument("--deep", type=int, default=20_000, help="nodes of Stockfish for each")
    parser.add_argument("--searches", type=int, nargs="*", default=[], metavar="NODES", help="judge these searches, too")
    given = parser.parse_args()
    if given.positions is None:
        speed(given.file, given.nodes)
    else:
        errors(given.file, given.positions, given.count, given.deep, given.searches)


if __name__ == "__main__":
    main()
