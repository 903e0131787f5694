"""Where not to stand in battleships: how likely each ship shall lie where, learned from hunts of our own shooter.

Each round lays fleets as it is believed so far and lets the shooter hunt them. A place whose fleets lived longer than the others
gets likelier, one whose fleets died sooner rarer (multiplicative weights), places that are mirror images of each other alike. No
place gets rarer than `RAREST`, so that nobody can rule it out.

>>> from outplay.experts.battleships.fleets import Board
>>> board = Board(4, 4, (3, 2))
>>> laying, report = learn_placing(board, games=400, rounds=4, seed=1)
>>> report["games"], report["random"] > 5, bool(0 < laying[0, : board.counts[0]].min() < laying[0].max())
(400, True, True)
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from outplay.errors import BadValue
from outplay.experts.battleships.fleets import MOST, Board, hunt_fleets
from outplay.files import write_whole

RATE = 0.06
"""By what a place's logarithm grows for each shot that its fleets lived longer."""
RAREST = 0.03
"""The least likely place beside the likeliest one of the same ship."""
HOLD = 40
"""Fleets that must have had a place before what they show counts half."""

THREADS = 16
"""Always so many, each with its own random numbers."""


def images(board: Board) -> list[np.ndarray]:
    """Of each ship: which class of places that are mirror images of each other a placement belongs to."""
    wide, high = board.width, board.height
    turns = [lambda x, y: (x, y), lambda x, y: (wide - 1 - x, y), lambda x, y: (x, high - 1 - y),
             lambda x, y: (wide - 1 - x, high - 1 - y)]
    if wide == high:
        turns += [lambda x, y, turn=turn: turn(y, x) for turn in turns[:4]]  # type: ignore[misc]  # mypy cannot type the default argument
    found = []
    for length in board.fleet:
        known: dict[Any, int] = {}
        classes = []
        for cells in board.placements(length):
            points = [(cell % wide, cell // wide) for cell in cells]
            least = min(tuple(sorted(turn(x, y) for x, y in points)) for turn in turns)
            classes.append(known.setdefault(least, len(known)))
        found.append(np.array(classes, np.int64))
    return found


def learn_placing(board: Board, games: int = 60_000, *, rounds: int = 30, seed: int = 0, announced: bool = True,
                  stop: threading.Event | None = None,
                  progress: Callable[[int, float], None] | None = None) -> tuple[np.ndarray, dict[str, Any]]:
    """[ship, placement]: how likely it shall be laid there, the likeliest 1; and a report.

    `progress` hears of each round its number and the mean of shots. Any number of cores learns the same from the same seed.
    """
    if games < rounds or rounds < 2:
        raise BadValue(f"games must be at least the rounds, and rounds 2 or more, got {games} and {rounds}")
    classes, ships = images(board), len(board.fleet)
    logs = [np.zeros(each.max() + 1) for each in classes]
    later = [np.zeros_like(each) for each in logs]
    report: dict[str, Any] = {"games": 0, "random": 0.0, "learned": 0.0}
    last: list[float] = []
    for number in range(rounds):
        shots, laid = hunt_fleets(board, games // rounds, seed=seed * 7919 + number, threads=THREADS, announced=announced,
                                  laying=_laying(board, classes, logs))
        report["games"] += len(shots)
        if number == 0:
            report["random"] = float(shots.mean())
        for ship in range(ships):
            mine = classes[ship][laid[:, ship]]
            met = np.bincount(mine, minlength=len(logs[ship]))
            gains = np.bincount(mine, weights=shots - shots.mean(), minlength=len(logs[ship])) / (met + HOLD)
            logs[ship] = np.maximum(logs[ship] + RATE * gains, (logs[ship] + RATE * gains).max() + np.log(RAREST))
            if number >= rounds // 2:
                later[ship] += logs[ship]
        if number >= rounds // 2:
            last.append(float(shots.mean()))
        if progress is not None:
            progress(number + 1, float(shots.mean()))
        if stop is not None and stop.is_set():
            break
    report["learned"] = float(np.mean(last)) if last else float(shots.mean())
    return _laying(board, classes, later if last else logs, scale=max(1, len(last))), report


def _laying(board: Board, classes: list[np.ndarray], logs: list[np.ndarray], scale: int = 1) -> np.ndarray:
    laying = np.zeros((len(board.fleet), MOST))
    for ship, each in enumerate(classes):
        now = logs[ship] / scale
        laying[ship, : len(each)] = np.exp(now - now.max())[each]
    return laying


def save_placing(file: str | Path, board: Board, laying: np.ndarray, *, announced: bool = True) -> None:
    """Write what was learned."""
    write_whole(file, lambda out: np.savez_compressed(out, width=board.width, height=board.height, fleet=board.fleet,
                                                      announced=announced, laying=laying.astype(np.float32)))

