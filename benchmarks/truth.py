"""Verdicts held to the truth in solved worlds: `python benchmarks/truth.py MOVES [WORLD ...]`.

Random games from random positions are judged, and each action of each position is solved on its own, or looked up in endgame
tables: a mistake has to be said if and only if value was lost, and by as much. Printed: moves judged and exceptions, by world.
"""

from __future__ import annotations

import random
import re
import sys
import tempfile
import time
from collections.abc import Iterator

from outplay.engine.tables import retrograde
from outplay.engine.tables.endings import open_tables
from outplay.errors import OutplayError
from outplay.game import Position, load
from outplay.judge.review import review
from outplay.players.solving import scores

SOLVED = {
    "tic-tac-toe": 0, "nim": 0, "connect four:width=5,height=4": 2, "isolation:width=4,height=4": 2, "othello:size=4": 0,
    "othello": 46, "connect four": 12,
}  # fmt: skip
"""Each world with the random plies before its games begin: Othello's last fourteen discs, connect four from twelve."""

TABLES = {"chess": 3, "checkers": 4}
"""Worlds by endgame table, with their men."""

MEN = ("Q", "R", "P", "B", "N")
WALK = 8  # plies of a random game among few men
NODES = 200_000


def late(name: str, plies: int, seed: int) -> Position:
    """A position so many random plies into a game that is not over."""
    while True:
        position, source = load(name).start(), random.Random(seed)
        for _ in range(plies):
            if position.is_terminal():
                break
            position = position.result(source.choice(position.actions()))
        if not position.is_terminal():
            return position
        seed += 100_003


def few_men(name: str, men: int, seed: int) -> Position:
    """A position with so many men or fewer: chess by random squares, checkers by a random game."""
    source, game = random.Random(seed), load(name)
    while True:
        if name == "chess":
            squares = source.sample(range(64), 3)
            board = ["1"] * 64
            piece = source.choice(MEN)
            for square, man in zip(squares, ("K", "k", piece if source.random() < 0.5 else piece.lower()), strict=True):
                board[square] = man
            text = "/".join("".join(board[8 * row : 8 * row + 8]) for row in range(8)) + f" {source.choice('wb')} - - 0 1"
            try:
                position = game.position(text)
            except OutplayError:
                continue
        else:
            position, plies = game.start(), 0
            while not position.is_terminal() and plies < 300 and len(re.findall(r"\d+", position.text())) > men:
                position, plies = position.result(source.choice(position.actions())), plies + 1
        if not position.is_terminal():
            return position


def walk(position: Position, seed: int, most: int) -> list[str]:
    """A random game from a position on, as texts."""
    source, texts = random.Random(seed), []
    while not position.is_terminal() and len(texts) < most:
        action = source.choice(position.actions())
        texts.append(position.action_text(action))
        position = position.result(action)
    return texts


def lost_by_solver(start: Position, texts: list[str]) -> Iterator[float]:
    """What each move gave away, each action solved on its own."""
    position = start
    for text in texts:
        action, sign = position.parse_action(text), 1 if position.player() == 0 else -1
        own = {each: sign * value for each, value in scores(position).items()}  # type: ignore[operator]
        yield max(own.values()) - own[action]
        position = position.result(action)


def lost_by_tables(start: Position, texts: list[str], known: object) -> Iterator[float | None]:
    """The same out of the tables; None where they do not know all that may follow."""
    worth = {"win": 1.0, "draw": 0.0, "loss": -1.0}
    position = start

    def value(there: Position, mover: int) -> float | None:
        if there.is_terminal():
            return float(there.utility(mover))
        found = known.probe(there)  # type: ignore[attr-defined]
        return None if found is None else worth[found[0]] * (1 if there.player() == mover else -1)

    for text in texts:
        action, mover = position.parse_action(text), position.player()
        own = {each: value(position.result(each), mover) for each in position.actions()}
        whole = [each for each in own.values() if each is not None]
        yield max(whole) - own[action] if len(whole) == len(own) else None  # type: ignore[operator]
        position = position.result(action)


def main(moves: int, worlds: list[str]) -> int:
    """Each world in turn."""
    wrong = 0
    for name in worlds or [*SOLVED, *TABLES]:
        begun, judged, seed, here = time.perf_counter(), 0, 0, 0
        with tempfile.TemporaryDirectory() as folder:
            known = None
            if name in TABLES:
                retrograde.build(load(name), TABLES[name], folder)
                known = open_tables(folder, load(name))
            while judged < moves:
                start = few_men(name, TABLES[name], seed) if known else late(name, SOLVED[name], seed)
                texts = walk(start, seed, WALK if known else 100)
                seed += 1
                told = review(start, texts, nodes=NODES, tables=folder if known else "").moves
                losses = list(lost_by_tables(start, texts, known) if known else lost_by_solver(start, texts))
                for move, lost in zip(told, losses, strict=True):
                    if lost is None:
                        continue
                    judged += 1
                    is_fault = move.verdict in ("inaccuracy", "mistake", "blunder")
                    if not move.proved or abs(move.loss - lost) > 1e-9 or is_fault != (lost > 0):
                        here += 1
                        print(f"WRONG {name} {start.text()} ply {move.ply + 1} {move.action}: {lost}, told {move.loss} "
                              f"{move.verdict}, proved {move.proved}", flush=True)
        wrong += here
        print(f"{name:32} {judged} moves, {here} exceptions, {time.perf_counter() - begun:.0f} s", flush=True)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 200, sys.argv[2:]))
