"""Fits on many cores: `python benchmarks/calibrations.py FILE SECONDS CORES GAME NODES [strong] [most=GAMES]`.

The same games as `outplay calibrate` plays, a game to each core at a time, until the seconds are over. Games count in the
order of their numbers and none behind the first that was not finished: else long games were missed more often than short ones.
What was seen is kept beside FILE (FILE.seen, a game a line): a later run goes on behind it.
"""

from __future__ import annotations

import json
import multiprocessing
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from outplay.game import load
from outplay.judge import calibrating, shares


def one(asked: tuple[str, int, int, bool]) -> dict[str, Any]:
    """What was seen in the game of this number."""
    name, nodes, number, strong = asked
    (seen,) = calibrating.noted(load(name), 1, nodes, seed=number, strong=strong)
    return asdict(seen)


def main(path: Path, seconds: float, cores: int, name: str, nodes: int, strong: bool, most: int) -> None:
    """Play, keep, fit."""
    begun, kept = time.perf_counter(), path.with_suffix(".seen")
    rows = [json.loads(line) for line in kept.read_text().splitlines()] if kept.exists() else []
    with multiprocessing.get_context("spawn").Pool(cores) as pool, kept.open("a") as file:
        asked = [(name, nodes, number, strong) for number in range(len(rows), most)]
        told = pool.imap(one, asked)
        for _ in asked:
            try:
                row = told.next(timeout=max(0.1, seconds - (time.perf_counter() - begun)))
            except multiprocessing.TimeoutError:
                break
            rows.append(row)
            file.write(json.dumps(row) + "\n")
            file.flush()
        pool.terminate()
    game = load(name)
    fit = calibrating.fit_to(game, [calibrating.Seen(**row) for row in rows])
    shares.write(path, {**(shares.read(path) if path.exists() else {}), game.family: fit})
    for foretold, happened, count in fit.curve:
        print(f"{100 * foretold:6.1f} {100 * happened:6.1f} {count:7}")
    print(
        f"{game.name} at {nodes:,} nodes: {fit.games} games, {fit.positions} positions, width {fit.width:.3g} {fit.unit}, "
        f"draw {fit.draw:.3g}, slips {fit.slips:.3f}, tempo {fit.tempo:.3g}, worst tenth {100 * fit.error:.1f} points off"
    )


if __name__ == "__main__":
    out, seconds, cores, name, nodes, *rest = sys.argv[1:]
    most = next((int(word[5:]) for word in rest if word.startswith("most=")), 100_000)
    main(Path(out), float(seconds), int(cores), name, int(nodes), "strong" in rest, most)
