"""`outplay tune scrabble`: what leaves are worth."""

from __future__ import annotations

from pathlib import Path

from outplay.cli.common import print_json, tell

GAMES = 12_000


def tune(name: str, games: int | None, seed: int, out: Path | None, as_json: bool) -> None:
    """What leaves are worth, from games of the static player against itself."""
    import time

    from outplay.cli.interrupts import Interrupts
    from outplay.experts.scrabble.leaves import learn_leaves, save_terms

    told = [time.perf_counter()]

    def progress(number: int, done: int, share: int) -> None:
        if time.perf_counter() - told[0] > 2:
            told[0] = time.perf_counter()
            tell(f"round {number + 1}: {done} of {share} games")

    file = out or Path("leaves.npz")
    with Interrupts() as interrupted:
        terms, report = learn_leaves(games or GAMES, seed=seed, name=name, stop=interrupted.event, progress=progress)
        if interrupted.event.is_set():
            raise KeyboardInterrupt
    save_terms(terms, str(file))
    if as_json:
        return print_json({"out": str(file), **report})
    print(f"worths of leaves written to {file}, from {report['racks']:,} racks of {report['games']:,} games")
    print(f"play with it: tiles:static,leaves={file}")
