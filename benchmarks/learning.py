"""What networks know and how fast they are asked: `python benchmarks/learning.py four|puct|speed|answers`.

`four` asks a connect four network about 1,000 random positions of 8 to 20 discs in which at least one move throws the value away,
and says in how many its choice keeps the value: without a search, averaged over the mirror, and with searches of 16 and 64
simulations. `puct` does the same with the search that `net:` plays with, for several settings. `speed` says how many positions a
second are judged, in NumPy and in ONNX Runtime. `answers` makes `data/connect-four-answers.json` again, which holds those positions
with the right moves as our own exact solver judges them.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np

from outplay.game import load
from outplay.knowledge.nets import Net
from outplay.players.networks import shipped

ANSWERS = Path(__file__).parent / "data" / "connect-four-answers.json"


def answers(count: int, seed: int) -> None:
    """Draw positions by random moves, and keep those in which a move throws the value away, with the moves that do not."""
    from outplay.engine.alphabeta import Engine

    game, source = load("connect four"), np.random.default_rng(seed)
    solver = Engine(game)
    found: list[list[object]] = []
    while len(found) < count:
        position = game.start()
        for _ in range(int(source.integers(8, 21))):
            if position.is_terminal():
                break
            position = position.result(int(source.choice(position.actions())))
        if position.is_terminal():
            continue
        sign = 1 if position.player() == 0 else -1
        values = {}
        for action in position.actions():
            after = position.result(action)
            value = after.utility(0) if after.is_terminal() else solver.best(after).value
            values[int(action)] = round(sign * float(value))
        best = max(values.values())
        right = [action for action, value in values.items() if value == best]
        if len(right) < len(values):
            found.append([position.state.hex(), right])
            print(f"\r{len(found)}", end="", flush=True)
    ANSWERS.write_text(json.dumps(found))


def four(path: Path, device: str, searches: list[int]) -> None:
    """The share of positions whose value a network keeps."""
    from outplay.learning.alphazero import keeps_the_value, torch_module

    judged = [(bytes.fromhex(state), right) for state, right in json.loads(ANSWERS.read_text())]
    net = Net.load(path)
    if device == "cpu":
        torch_module().set_num_threads(1)
    for mirrored in (False, True):
        for simulations in searches:
            begun = time.perf_counter()
            share = keeps_the_value(net, judged, simulations, device=device, symmetric=mirrored)
            print(json.dumps({"simulations": simulations, "symmetric": mirrored, "keeps": round(share, 4),
                              "seconds": round(time.perf_counter() - begun, 1)}), flush=True)  # fmt: skip


def speed() -> None:
    """Positions a second of processor time, on one core: plain NumPy and ONNX Runtime, by how many are asked about at once."""
    for name in ("connect-four", "go-9"):
        net = Net.load(shipped()[name])
        for count in (1, 4, 16):
            seen = np.random.default_rng(1).random((count, *net.planes)).astype(np.float32)
            found = {"network": name, "blocks": net.blocks, "channels": net.channels, "at once": count}
            for way, ask in (("numpy", net.ask_plainly), ("onnx runtime", net.ask if net._session else None)):
                if ask is None:
                    continue
                ask(seen)
                begun, used, asked = time.perf_counter(), time.process_time(), 0
                while time.perf_counter() - begun < 2:
                    ask(seen)
                    asked += count
                found[way] = round(asked / (time.process_time() - used))
            print(json.dumps(found), flush=True)


def kept_by_search(task: tuple[str, dict[str, object], int]) -> tuple[int, int]:
    """On how many of a part of the positions the search around a network keeps the value."""
    from outplay.engine.mcts import MonteCarlo
    from outplay.game import Position
    from outplay.players.networks import evaluator
    from outplay.values import Limits

    path, options, part = task
    net, game = Net.load(Path(path)), load("connect four")
    search = MonteCarlo(game, evaluator=evaluator(net), selection="puct", **options)  # type: ignore[arg-type]
    judged = json.loads(ANSWERS.read_text())[part::PARTS]
    kept = 0
    for state, right in judged:
        search.clear()
        kept += search.best(Position(game, bytes.fromhex(state)), Limits(simulations=64)).action in right
    return kept, len(judged)


PARTS = 20


def puct(path: Path, workers: int, positions: int) -> None:
    """The share of positions kept with 64 simulations of PUCT, for several settings."""
    import multiprocessing

    settings = ((False, 1.25, 0.0, 1), (True, 1.25, 0.0, 1), (True, 0.6, 0.0, 1), (True, 0.6, 0.1, 1),
                (True, 0.6, 0.2, 1), (True, 0.4, 0.1, 1), (True, 0.6, 0.1, 4), (True, 0.3, 0.1, 1), (True, 1.25, 0.2, 1))
    tried = [dict(zip(("solver", "exploration", "urgency", "batch"), each, strict=True)) for each in settings]
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        for options in tried:
            begun = time.perf_counter()
            parts = pool.map(kept_by_search, [(str(path), options, part) for part in range(max(1, positions * PARTS // 1000))], 1)
            kept, asked = sum(part[0] for part in parts), sum(part[1] for part in parts)
            print(json.dumps({**options, "keeps": round(kept / asked, 4), "positions": asked,
                              "seconds": round(time.perf_counter() - begun, 1)}), flush=True)  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("four", "puct", "speed", "answers"))
    parser.add_argument("--net", help="a network's file; else the one that comes with Outplay")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--simulations", type=int, nargs="*", default=[0, 16, 64])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2, help="processes, for puct")
    given = parser.parse_args()
    path = Path(given.net) if given.net else shipped()["connect-four"]
    if given.what == "answers":
        answers(given.count, given.seed)
    elif given.what == "speed":
        speed()
    elif given.what == "puct":
        puct(path, given.workers, given.count)
    else:
        four(path, given.device, given.simulations)


if __name__ == "__main__":
    main()
