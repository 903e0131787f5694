"""`outplay review FILE`: every move of a game judged by a search, with the better one and the players' accuracy."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from outplay.cli.common import AsJson, console, print_json, print_table
from outplay.errors import BadValue
from outplay.values import Limits

File = Annotated[Path, typer.Argument(metavar="FILE", help="A game as PGN (chess), SGF (Go) or JSON as the studio saves it.")]
Seconds = Annotated[float, typer.Option("--time", min=0.001, help="Seconds for each position.")]
Depth = Annotated[int | None, typer.Option("--depth", min=1, help="Search each position to this depth instead.")]
Algorithm = Annotated[str, typer.Option("--algorithm", help="The search that judges.")]


def review(file: File, time: Seconds = 0.5, depth: Depth = None, algorithm: Algorithm = "auto", as_json: AsJson = False) -> None:
    """Judge every move of a game: what was better, what it gave away, and how accurate each player was."""
    from outplay.cli.progress import working
    from outplay.game import load
    from outplay.knowledge import formats
    from outplay.players.reviewing import accuracy
    from outplay.players.reviewing import review as judge

    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise BadValue(f"cannot read {file}: {getattr(problem, 'strerror', None) or 'it is no text'}") from None
    taken = formats.read(text)
    game = load(taken.game)
    start = game.start() if taken.start is None else game.position(taken.start)
    if not taken.actions:
        raise BadValue(f"{file}: there are no moves to judge")
    moves = []
    with working("review", game.name, "Ctrl-C stops") as progress:
        assert progress.interrupts is not None
        stop = progress.interrupts.event  # a search may end at Ctrl-C with its best so far, and the next one would begin
        for one in judge(start, taken.actions, Limits(depth=depth, seconds=None if depth else time), algorithm, stop=stop):
            moves.append(one)
            progress.hear()
            progress.note = f"{len(moves)} of {len(taken.actions)} moves"
    exact = {seat: accuracy(moves, seat) for seat in range(game.players)}
    if as_json:
        told: list[dict[str, Any]] = [
            {"ply": one.ply, "player": one.player, "action": one.action, "best": one.best, "loss": one.loss, "value": one.value,
             "word": one.word, "line": list(one.line), "unit": one.unit} for one in moves
        ]  # fmt: skip
        print_json({"game": game.name, "moves": told, "accuracy": [exact[seat] for seat in exact], "algorithm": algorithm})
        return
    rows = [
        (str(one.ply + 1), one.action, "" if one.word in ("best", "good", "forced") else one.word,
         one.best if one.best != one.action else "", f"{one.loss:g}" if one.loss else "") for one in moves
    ]  # fmt: skip
    print_table(("ply", "move", "verdict", "better", "loss"), rows, right=("ply", "loss"))
    console().print("accuracy: " + ", ".join(f"player {seat + 1} {value} %" for seat, value in exact.items() if value is not None))
