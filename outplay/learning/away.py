"""Self-play on a cluster of Ray: the network travels out, what was played travels back, and the learning stays here.

A round is a fixed number of pieces, whatever the number of machines, each with a seed of its own; so a run on a hundred machines is
the run on one, and a piece whose machine dies is played again. The recipe alphazero gets positions back, td gets weights, whose
average goes into the next round (local steps with averaging, Zinkevich and others, 2010).
"""

from __future__ import annotations

import dataclasses
import threading
from typing import Any

import numpy as np

from outplay.game import load

PIECES = 8
"""Pieces of a round: so many cores can play at once."""
GAMES_OF_A_PIECE = 200
"""Games that one piece of td plays before its weights come back."""


def positions_piece(settings: dict[str, Any], weights: dict[str, np.ndarray], seed: int) -> dict[str, Any]:
    """Play `games` games of AlphaZero's self-play to their end with given weights; the positions that can be learned from."""
    from outplay.learning.alphazero import Settings
    from outplay.learning.forest import Forest
    from outplay.learning.networks import Folded, Network
    from outplay.learning.run import torch_module

    torch, chosen = torch_module(), Settings(**settings)
    torch.manual_seed(seed)
    game: Any = load(chosen.game)
    forest = Forest(torch, game, chosen.games, max(chosen.simulations, chosen.quick), chosen.rows, "cpu",
                    opening_share=chosen.opening_share, opening_plies=chosen.opening_plies, opening_least=chosen.opening_least,
                    trust=chosen.trust, proofs=chosen.proofs > 0, seed=seed)  # fmt: skip
    net = Network(tuple(game.rules.plane_shape), forest.size, chosen.blocks, chosen.channels, forest.targets)
    net.load_state_dict({name: torch.from_numpy(array.copy()) for name, array in weights.items()})
    asked = Folded(net).eval()
    asked.take(net)

    def ask(seen: Any) -> tuple[Any, Any]:
        with torch.inference_mode():
            logits, value = asked(seen)
            return logits.float().contiguous(), value.float().contiguous()

    evaluations = 0
    while forest.finished() < chosen.games and forest.step < chosen.rows:
        full = bool(torch.rand(()) < chosen.full_share)
        simulations = chosen.simulations if full else chosen.quick
        forest.search(ask, simulations, considered=chosen.considered)
        forest.move(full=full)
        evaluations += chosen.games * (simulations + 1)
    rows = torch.nonzero(forest.kept["ready"])[:, 0]
    kept = {name: forest.kept[name][rows].numpy() for name in ("policies", "values", "movers", "targets")}
    return {**kept, "states": forest.kept_states[rows.numpy()], "finished": forest.finished(), "evaluations": evaluations}


def store(forest: Any, at: int, found: dict[str, Any]) -> int:
    """Put positions from elsewhere into a forest's memory from place `at` on, over the oldest; where the next one goes."""
    room, count = forest.rows * forest.games, len(found["states"])
    places = (at + np.arange(count)) % room
    index = forest.torch.from_numpy(places)
    for name in ("policies", "values", "movers", "targets"):
        forest.kept[name][index] = forest.torch.from_numpy(found[name].copy())
    forest.kept["ready"][index] = 1
    forest.kept_states[places] = found["states"]
    forest.step = max(forest.step, forest.rows)  # all of the memory may be drawn from
    return int((at + count) % room)


def play_round(run: Any, address: str, stop: threading.Event | None) -> int:
    """One round of AlphaZero's self-play on the cluster, into the run's memory; how many positions came."""
    from outplay.arena.cluster import spread

    games = max(1, run.settings.games // PIECES)
    settings = {**dataclasses.asdict(run.settings), "games": games}
    weights = {name: tensor.cpu().numpy() for name, tensor in run.averaged.state_dict().items()}
    first = run.settings.seed + 1_000_003 * (run.rounds + 1)
    came = 0
    pieces = ((settings, weights, first + number) for number in range(PIECES))
    for found in spread(positions_piece, pieces, address=address, stop=stop):
        run.away = store(run.forest, run.away, found)
        run.played += found["finished"]
        run.evaluations += found["evaluations"]
        came += len(found["states"])
    run.rounds += 1
    return came


def weights_piece(settings: dict[str, Any], arrays: list[np.ndarray], games: int, seed: int) -> tuple[list[np.ndarray], int, int]:
    """Let td play so many games from given weights and learn from them; the weights after it, games and plies."""
    import tempfile
    from pathlib import Path

    from outplay.learning.td import Run, Settings

    with tempfile.TemporaryDirectory() as folder:
        run = Run(Path(folder), dataclasses.replace(Settings(**settings), seed=seed))
        for mine, given in zip(run.weights, arrays, strict=True):
            mine[:] = given
        run.games = games
        plies = run.lesson(GAMES_OF_A_PIECE, seed)
        return [array.copy() for array in run.weights], GAMES_OF_A_PIECE, plies


def learn_round(run: Any, address: str, stop: threading.Event | None) -> None:
    """One round of td on the cluster: every piece learns by itself, and the run goes on with the average of their weights."""
    from outplay.arena.cluster import spread

    settings, arrays = dataclasses.asdict(run.settings), [array.copy() for array in run.weights]
    pieces = ((settings, arrays, run.games, run.settings.seed + run.games + 7919 * number) for number in range(PIECES))
    found = list(spread(weights_piece, pieces, address=address, stop=stop))
    if len(found) < PIECES:  # stopped
        return
    for place, mine in enumerate(run.weights):
        mine[:] = np.mean([each[0][place] for each in found], axis=0)
    run.games += sum(each[1] for each in found)
    run.plies += sum(each[2] for each in found)
