"""What each switch of the search and each group of features is worth in games: the engine without it against the engine with all.

Games are at equal nodes a move, so that a busy machine does not bend them, and in pairs from openings that are about even.
"""

from __future__ import annotations

import math
import random
import runpy

import numpy as np

from outplay.engine import Engine, Options
from outplay.game import load
from outplay.games.chess.evaluation import GROUPS, OFFSETS
from outplay.games.chess.notation import draw_claim
from outplay.values import Limits

GAME = load("chess", compiled=True)

SWITCHES = {
    "quiescence": ({"quiescence": False}, "horizon effect"),
    "check extension": ({"extensions": False}, "horizon effect"),
    "singular extension": ({"singular": 0}, "horizon effect"),
    "null move": ({"null_move": False}, "forward pruning"),
    "reductions of late moves": ({"reductions": False}, "forward pruning"),
    "futility, razoring, late moves left out": ({"futility": 0}, "forward pruning"),
    "transposition table": ({"table": False}, "repeated states"),
    "the game's own order": ({"game_order": False}, "move ordering"),
    "killers": ({"killers": False}, "killer heuristic"),
    "history": ({"history": False}, "move ordering"),
    "history of replies": ({"replies": False}, "move ordering"),
    "aspiration window": ({"aspiration": 0}, "windows"),
    "distance to mate": ({"distance": False}, "utility"),
}

FEATURES = {
    "squares": ["squares"],
    "mobility": ["knight mobility", "bishop mobility", "rook mobility", "queen mobility"],
    "passed pawns": ["passed pawns", "free passed pawns", "own king to passed pawn", "their king to passed pawn"],
    "pawn structure": ["connected pawns", "weak pawns"],
    "king safety": ["king attack", "king shelter"],
    "threats": ["threats"],
    "bishop pair, rooks on files, outposts, tempo": ["bishop pair", "rooks on files", "outposts", "tempo"],
}


class Ours:
    """Our engine with a number of positions for each move."""

    def __init__(self, nodes: int, options: Options | None = None, weights=None) -> None:
        self.engine, self.limits, self.value = Engine(GAME, memory=16, options=options, weights=weights), Limits(nodes=nodes), 0.0

    def move(self, positions):
        """The next action after these positions."""
        found = self.engine.best(positions[-1], self.limits, earlier=positions[:-1])
        self.value = found.value
        return found.action


def elo(score: float, error: float) -> str:
    """A score and its error as a rating difference with its 95 % interval."""
    def of(share: float) -> float:
        share = min(max(share, 0.01), 0.99)
        return -400 * math.log10(1 / share - 1)
    return f"{of(score):+.0f} ({of(score - error):+.0f} to {of(score + error):+.0f})"


def measure_effects(games: int, nodes: int, only: str | None) -> None:
    """What the engine loses without a switch or a group of features, in games at equal nodes against itself with all of it."""
    whole = Ours(nodes)
    print(f"{games} games each at {nodes} nodes a move: the score of the engine without")
    for name, (changes, word) in SWITCHES.items():
        if only in (None, "switches", name):
            duel(Ours(nodes, Options.playing(**changes)), whole, games, f"{name:40} ({word})")
    for name, groups in FEATURES.items():
        if only in (None, "features", name):
            weights = np.array(GAME.default_weights(), float)
            for group in groups:
                weights[2 * OFFSETS[group] : 2 * (OFFSETS[group] + GROUPS[group])] = 0.0
            duel(Ours(nodes, weights=weights), whole, games, f"{name:40} (evaluation)")


def measure_weights(path: str, games: int, nodes: int) -> None:
    """Other weights, from a file that `outplay tune chess --out` wrote, against those that ship."""
    found = runpy.run_path(path)["WEIGHTS"]
    weights = np.array([pair for name in GROUPS for pair in found[name]], float).ravel()
    duel(Ours(nodes, weights=weights), Ours(nodes), games, path)


def duel(first: Ours, second: Ours, games: int, label: str) -> None:
    """Games in pairs at equal nodes, each pair from a random opening that is about even; decided games are not played to mate."""
    source, pairs = random.Random(1), []
    for number in range(1, games // 2 + 1):
        opening = even_opening(second, source)
        pairs.append((short_game((first, second), opening) + 1 - short_game((second, first), opening)) / 2)
        error = 1.96 * float(np.std(pairs)) / math.sqrt(number)
        print(f"\r{label} {100 * np.mean(pairs):5.1f} %  elo {elo(float(np.mean(pairs)), error)}  {2 * number} games ",
              end="", flush=True)
    print()


def even_opening(judge: Ours, source: random.Random):
    """Eight half-moves, half of them random, after which neither side stands much better."""
    while True:
        position = GAME.start()
        for ply in range(8):
            if ply < 4:
                position = position.result(source.choice(position.actions()))
            elif not position.is_terminal():
                some = source.sample(position.actions(), (len(position.actions()) + 1) // 2)
                position = position.result(judge.engine.best(position, Limits(nodes=500), actions=some).action)
        if not position.is_terminal() and abs(judge.engine.best(position, Limits(nodes=5000)).value) < 60:
            return position


def short_game(sides: tuple[Ours, Ours], opening) -> float:
    """What White gets: won once both sides see seven pawns' worth for five half-moves on end, drawn by rule or after 300."""
    positions, ahead = [opening], 0
    for side in sides:
        side.engine.clear()
    while len(positions) < 300:
        position = positions[-1]
        if position.is_terminal():
            return (position.utility(0) + 1) / 2
        if len(positions) > 8 and draw_claim([GAME.record(p.state) for p in positions[-101:]]):
            return 0.5
        side = sides[position.player()]
        positions.append(position.result(side.move(positions)))
        sign = 1 if side.value > 700 else -1 if side.value < -700 else 0
        ahead = ahead + sign if sign and ahead * sign >= 0 else sign
        if abs(ahead) >= 5:
            return 1.0 if ahead > 0 else 0.0
    return 0.5
