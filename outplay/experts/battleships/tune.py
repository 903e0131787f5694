"""`outplay tune battleships`: where ships live longest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from outplay.cli.common import print_json, tell

GAMES = 60_000


def tune(name: str, games: int | None, seed: int, out: Path | None, as_json: bool) -> None:
    """Where ships live longest, from hunts of our own shooter."""
    from outplay.cli.interrupts import Interrupts
    from outplay.experts.battleships.fleets import Board
    from outplay.experts.battleships.placing import learn_placing, save_placing
    from outplay.game import load

    rules: Any = load(name, compiled=True).rules
    given = {**rules.definition.defaults, **rules.parameters}
    board = Board(given["width"], given["height"], [int(part) for part in given["fleet"].split("-")])
    file = out or Path("placements.npz")
    with Interrupts() as interrupted:
        laying, report = learn_placing(board, games or GAMES, seed=seed, announced=given["sunk"],
                                       stop=interrupted.event,
                                       progress=lambda number, shots: tell(f"round {number}: {shots:.2f} shots a fleet"))
        if interrupted.event.is_set():
            raise KeyboardInterrupt
    save_placing(file, board, laying, announced=given["sunk"])
    if as_json:
        return print_json({"out": str(file), **report})
    print(f"placements written to {file}: fleets laid so live {report['learned']:.2f} shots, at random {report['random']:.2f} "
          f"({report['games']:,} hunts)")
    print(f"play with it: shooter:lay={file}")
