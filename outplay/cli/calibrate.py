"""`outplay calibrate GAME`: how estimates of a game are to be read as shares of won, drawn and lost."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from outplay.cli.commands import Option
from outplay.cli.common import AsJson, GameName, Seed, at_least, print_json, print_table, tell

Games = Annotated[int, Option("--games", metavar="N", help="Games to play, between players of mixed strength.")]
Nodes = Annotated[int, Option("--nodes", metavar="N", help="Nodes for each position that is looked at.")]
Out = Annotated[Path | None, Option("--out", metavar="FILE", help="Keep the fit in this file, beside those of other games.")]
Strong = Annotated[bool, Option("--strong", help="From some position of each game on, both sides play as well as the nodes allow.")]


def calibrate(
    game: GameName,
    games: Games = 200,
    nodes: Nodes = 20_000,
    strong: Strong = False,
    out: Out = None,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Fit what the values of a game mean, on games of its own: the share of won, drawn and lost, with how well that holds."""
    from dataclasses import asdict

    from outplay.cli.progress import working
    from outplay.game import load
    from outplay.judge import calibrating, shares

    at_least("--games", 1, games)
    at_least("--nodes", 50, nodes)
    loaded = load(game)
    with working("calibrating", loaded.name, "Ctrl-C stops") as progress:
        assert progress.interrupts is not None

        def told(done: int, positions: int) -> None:
            progress.note = f"{done} of {games} games, {positions} positions"
            progress.hear()

        fit = calibrating.calibrate(
            loaded, games, nodes, seed=seed, strong=strong, stop=progress.interrupts.event, told=told
        )
    if out is not None:
        kept = shares.read(out) if out.exists() else {}
        shares.write(out, {**kept, loaded.family: fit})
    if as_json:
        print_json({"game": loaded.name, **asdict(fit), "out": None if out is None else str(out)})
        return
    rows = [(f"{100 * foretold:.1f} %", f"{100 * happened:.1f} %", str(count)) for foretold, happened, count in fit.curve]
    print_table(("foretold", "happened", "positions"), rows, right=("foretold", "happened", "positions"))
    tell(
        f"{loaded.name}: half a logistic step is {fit.width:.3g} {fit.unit}, draws within {fit.draw:.3g}; "
        f"{fit.positions} positions of {fit.games} games, the worst tenth is {100 * fit.error:.1f} points off"
    )
