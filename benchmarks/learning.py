"""What networks know, how they learned it, how fast they are: `python benchmarks/learning.py four|puct|worth|speed|forest|answers`.

`four` asks a connect four network about 1,000 random positions of 8 to 20 discs in which at least one move throws the value away,
and says in how many its choice keeps the value: without a search, averaged over the mirror, and with searches of 16 and 64
simulations. `puct` does the same with the searches that `net:` plays with, for several settings. `speed` says how many positions
a second are judged, in NumPy and in ONNX Runtime. `forest` says where the time of self-play goes: the trees' steps, the network's
answers and its learning, by how many games are played at once (`--device cuda`). `answers` makes `data/connect-four-answers.json`
again, which holds those positions with the right moves as our own exact solver judges them.

`worth` says what each part of the recipe is worth: the same small network learns with all of them and with one left out, each time
for as many seconds of processor time, from several seeds. What is done stands in the folder `--out`, and is not done again.
"""

import argparse
import json
import tempfile
import time
from pathlib import Path

import numpy as np

from outplay.game import load
from outplay.networks.nets import Net
from outplay.players.networks import shipped

ANSWERS = Path(__file__).parent / "data" / "connect-four-answers.json"


def answers(count: int, seed: int) -> None:
    """Draw positions by random moves, and keep those in which a move throws the value away, with the moves that do not."""
    from outplay.engine.alphabeta.engine import Engine

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
    from outplay.learning.alphazero import keeps_the_value
    from outplay.learning.run import torch_module

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


def forest(name: str, device: str, sizes: list[int], blocks: int, channels: int) -> None:
    """Milliseconds of a simulation over all games and of a step of learning, and the evaluations a second that the first allow."""
    import torch

    from outplay.learning.alphazero import Run, Settings

    on_gpu = device == "cuda"

    def milliseconds(work, times: int) -> float:
        work()
        if on_gpu:
            torch.cuda.synchronize()
        begun = time.perf_counter()
        for _ in range(times):
            work()
        if on_gpu:
            torch.cuda.synchronize()
        return 1000 * (time.perf_counter() - begun) / times

    for games in sizes:
        begun = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            batch = 4096 if on_gpu else 64
            settings = Settings(name, blocks=blocks, channels=channels, games=games, simulations=16, rows=4, batch=batch)
            run = Run(Path(folder), settings, device)
            grove = run.forest
            said, worth = torch.zeros((games, grove.size), device=device), torch.zeros(games, device=device)

            def grow(grove=grove, said=said, worth=worth) -> None:
                grove.search(lambda seen: (said, worth), 16)
                grove.move(full=True)

            told = {"game": name, "games": games, "trees": round(milliseconds(grow, 4) / 17, 3)}
            print(json.dumps({**told, "began in": round(time.perf_counter() - begun, 1)}), flush=True)
            run.forest.kept["ready"].fill_(1)
            for tried in (True, False) if on_gpu else (False,):
                torch.backends.cudnn.benchmark = tried
                told["tried convolutions"] = tried
                told["network"] = round(milliseconds(lambda run=run: run.ask(run.forest.trees["seen"]), 20), 3)
                told["learning"] = round(milliseconds(run.learn, 10), 3)
                told["evaluations_per_second"] = round(1000 * games / (told["trees"] + told["network"]))
                print(json.dumps({**told, "seconds": round(time.perf_counter() - begun, 1)}), flush=True)


PARTS = 20
SEARCHES = (("puct", 0.6, 0.1, 4), ("puct", 0.6, 0.1, 1), ("puct", 1.25, 0.1, 4), ("puct", 1.0, 0.2, 1), ("gumbel", 0.6, 0.1, 1),
            ("gumbel", 1.25, 0.2, 1))  # fmt: skip
"""Selection, exploration, urgency and batch; the first is what `net:` plays with where nothing is said."""


def kept_by_search(task: tuple[str, bool, int]) -> np.ndarray:
    """For a part of the positions, whether each search around a network keeps the value: [position, search]. The searches share
    what the network has said, so that six cost little more than one."""
    from outplay.engine.montecarlo.mcts import MonteCarlo
    from outplay.game import Position
    from outplay.players.networks import evaluator
    from outplay.values import Limits

    path, symmetric, part = task
    net, game = Net.load(Path(path)), load("connect four")
    ask = evaluator(net, 1, game if symmetric else None)
    names = "selection", "exploration", "urgency", "batch"
    searches = [MonteCarlo(game, evaluator=ask, **dict(zip(names, each, strict=True))) for each in SEARCHES]  # type: ignore[arg-type]  # options by name
    rows = []
    for state, right in json.loads(ANSWERS.read_text())[part::PARTS]:
        position = Position(game, bytes.fromhex(state))
        rows.append([])
        for search in searches:
            search.clear()
            rows[-1].append(search.best(position, Limits(simulations=64)).action in right)
    return np.array(rows)


def puct(path: Path, workers: int, positions: int, symmetric: bool) -> None:
    """The share of positions kept with 64 simulations of the searches that `net:` offers, for several settings."""
    import multiprocessing

    tasks = [(str(path), symmetric, part) for part in range(max(1, positions * PARTS // 1000))]
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        kept = np.concatenate(pool.map(kept_by_search, tasks, 1))
    for place, (selection, exploration, urgency, batch) in enumerate(SEARCHES):
        told = {"selection": selection, "exploration": exploration, "urgency": urgency, "batch": batch, "symmetric": symmetric}
        print(json.dumps({**told, "kept": int(kept[:, place].sum()), "positions": len(kept)}), flush=True)


# ---------------------------------------------------------------- what each part of the recipe is worth

SMALL_FOUR, SMALL_GO = "connect four:width=6,height=5", "go:size=5,policy=light"
SMALL = {"games": 256, "blocks": 1, "channels": 24, "simulations": 24, "quick": 6, "full_share": 0.25, "considered": 8,
         "trust": 0.3, "rows": 64, "batch": 128, "rate": 4e-3, "opening_share": 0.5, "opening_plies": 12}  # fmt: skip
LEFT_OUT: dict[str, dict[str, float]] = {
    "nothing": {},
    "the Gumbel root: PUCT with noise": {"considered": 0},
    "quick searches: all are full": {"full_share": 1.0},
    "symmetries": {"turned": 0},
    "proofs": {"proofs": 0},
}
GO: dict[str, dict[str, float]] = {
    "with ownership": {},
    "without ownership": {"target_weight": 0.0},
    "with ownership and the score": {"score_weight": 0.5},
}
DUEL, DUEL_SIMULATIONS = 64, 4
"""Few: networks that know next to nothing pass late, and their games of Go are long."""


def positions_to_judge(file: Path, name: str, count: int, discs: tuple[int, int], seed: int = 1) -> list[tuple[bytes, list[int]]]:
    """Random positions in which a move throws the value away, with the moves that do not, as our own exact solver judges them."""
    from outplay.engine.alphabeta.engine import Engine

    if file.exists():
        return [(bytes.fromhex(state), right) for state, right in json.loads(file.read_text())]
    game, source = load(name), np.random.default_rng(seed)
    solver, found, known = Engine(game), [], set()
    while len(found) < count:
        position = game.start()
        for _ in range(int(source.integers(discs[0], discs[1] + 1))):
            if position.is_terminal():
                break
            position = position.result(int(source.choice(position.actions())))
        if position.is_terminal() or position.state in known:
            continue
        known.add(position.state)
        sign = 1 if position.player() == 0 else -1
        after = {int(action): position.result(action) for action in position.actions()}
        values = {a: round(sign * float(p.utility(0) if p.is_terminal() else solver.best(p).value)) for a, p in after.items()}
        right = [action for action, value in values.items() if value == max(values.values())]
        if len(right) < len(values):
            found.append((position.state, right))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps([(state.hex(), right) for state, right in found]))
    return found


def taught(folder: Path, name: str, changes: dict[str, float], seed: int, seconds: float) -> Path:
    """The network that so many seconds of processor time make of nothing, learned now where it is not there yet."""
    from outplay.learning.alphazero import Run, Settings

    if (folder / "done").exists():
        return folder / "network.outplay"
    settings = Settings(**{"game": name, **SMALL, "total_seconds": seconds, **changes, "seed": seed})  # type: ignore[arg-type]  # settings by name
    run = Run(folder, settings, "cpu")
    run.play()  # compiles, before the clock runs
    begun = time.process_time()
    while run.seconds < seconds:
        run.play()
        if run.owed >= 1 and run.forest.ready() >= settings.batch:
            for _ in range(int(run.owed)):
                run.learn()
            run.owed -= int(run.owed)
            run.asked.take(run.averaged)
        run.owed = min(run.owed, 200.0)
        run.seconds = time.process_time() - begun
    run.save()
    (folder / "done").write_text(json.dumps({"games": run.games_played(), "updates": run.updates, "evaluations": run.evaluations}))
    return folder / "network.outplay"


def worth(out: Path, seeds: int, seconds: float, count: int) -> None:
    """A table: what a network has learned with one part of the recipe left out, and what that part is worth, seed against seed."""
    import torch

    from outplay.learning.alphazero import duel, keeps_the_value
    from outplay.learning.networks import restored

    torch.set_num_threads(1)
    judged = positions_to_judge(out / "judged.json", SMALL_FOUR, count, (8, 18))
    kept: dict[str, list[list[float]]] = {name: [] for name in LEFT_OUT}
    duels: dict[str, list[float]] = {name: [] for name in list(GO)[1:]}
    for seed in range(1, seeds + 1):
        for number, (name, changes) in enumerate(LEFT_OUT.items()):
            file = taught(out / f"four-{number}-{seed}", SMALL_FOUR, changes, seed, seconds)
            net = Net.load(file)
            kept[name].append([100 * keeps_the_value(net, judged, simulations) for simulations in (0, 16)])
            told = {"left out": name, "seed": seed, "kept": [round(each, 1) for each in kept[name][-1]]}
            print(json.dumps({**told, **json.loads((file.parent / "done").read_text())}), flush=True)
    for seed in range(1, seeds + 1):
        for number, (name, changes) in enumerate(GO.items()):
            net = restored(Net.load(taught(out / f"go-{number}-{seed}", SMALL_GO, changes, seed, seconds))).eval()
            if number == 0:
                usual = net
                continue
            with torch.inference_mode():
                won, drawn, lost = duel(torch, load(SMALL_GO), usual, net, games=DUEL, simulations=DUEL_SIMULATIONS, seed=seed)
            duels[name].append(100 * (won + drawn / 2) / (won + drawn + lost))
            print(json.dumps({"with ownership": f"{won}-{drawn}-{lost}", "against": name, "seed": seed}), flush=True)
    print(f"value kept in {len(judged)} positions; {seeds} seeds of {seconds:g} s of processor time; no search | 16 simulations")
    print(f"| all of it | {' | '.join(interval([row[place] for row in kept['nothing']]) for place in (0, 1))} |")
    for name in list(LEFT_OUT)[1:]:
        cells = []
        for place in (0, 1):
            mine = [row[place] for row in kept[name]]
            lead = [row[place] - other for row, other in zip(kept["nothing"], mine, strict=True)]
            cells.append(f"{np.mean(mine):.1f} %, worth {interval(lead)}")
        print(f"| without {name} | {' | '.join(cells)} |")
    for name, shares in duels.items():
        print(f"| {SMALL_GO}, with ownership against {name}: share of the points | {interval(shares)} | |")


def interval(numbers: list[float]) -> str:
    """A mean with its 95 % interval, by Student's t."""
    from scipy.stats import t

    reach = t.ppf(0.975, len(numbers) - 1) * np.std(numbers, ddof=1) / len(numbers) ** 0.5 if len(numbers) > 1 else float("inf")
    return f"{np.mean(numbers):+.1f} ± {reach:.1f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("four", "puct", "worth", "speed", "forest", "answers"))
    parser.add_argument("--net", help="a network's file; else the one that comes with Outplay")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--simulations", type=int, nargs="*", default=[0, 16, 64])
    parser.add_argument("--game", default="go:size=9,policy=light", help="for forest")
    parser.add_argument("--at-once", type=int, nargs="*", default=[16384, 4096], help="games, for forest")
    parser.add_argument("--blocks", type=int, default=6, help="of the network, for forest")
    parser.add_argument("--channels", type=int, default=64, help="for forest")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2, help="processes, for puct")
    parser.add_argument("--symmetric", action="store_true", help="the network's answers are averaged over the mirror, for puct")
    parser.add_argument("--out", type=Path, default=Path("worth"), help="the folder of the runs, for worth")
    parser.add_argument("--seeds", type=int, default=5, help="for worth")
    parser.add_argument("--seconds", type=float, default=20.0, help="of processor time for each network, for worth")
    given = parser.parse_args()
    path = Path(given.net) if given.net else shipped()["connect-four"]
    if given.what == "answers":
        answers(given.count, given.seed)
    elif given.what == "speed":
        speed()
    elif given.what == "forest":
        forest(given.game, given.device, given.at_once, given.blocks, given.channels)
    elif given.what == "worth":
        worth(given.out, given.seeds, given.seconds, min(given.count, 300))
    elif given.what == "puct":
        puct(path, given.workers, given.count, given.symmetric)
    else:
        four(path, given.device, given.simulations)


if __name__ == "__main__":
    main()
