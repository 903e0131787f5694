"""`outplay review FILE`: every move of a game judged, with the better one, the reason in words and the players' accuracy."""

from __future__ import annotations

import time as clock
from pathlib import Path
from typing import Annotated, Any

from outplay.cli.commands import Argument, Option
from outplay.cli.common import AsJson, console, print_json, print_table
from outplay.errors import BadValue

File = Annotated[Path, Argument(metavar="FILE", help="A game as PGN, SGF, PDN, GGF, PBN, LIN, PHH, GCG, match text or JSON.")]
Nodes = Annotated[int, Option("--nodes", metavar="N", min=1, help="Nodes for each position; a solver gets 50 times as many.")]
Seconds = Annotated[
    float | None,
    Option("--seconds", "--time", metavar="S", min=0.001, help="No more than so long for each; then the machine has a say."),
]
Depth = Annotated[int | None, Option("--depth", min=1, help="Search each position to this depth at most.")]
Algorithm = Annotated[str, Option("--algorithm", help="The search that estimates what cannot be proved.")]
Tables = Annotated[str, Option("--tables", metavar="FOLDER", help="Endgame tables, which prove what they know.")]
FitFile = Annotated[
    Path | None, Option("--fit", metavar="FILE", help="What values mean, as `outplay calibrate --out` writes it.")
]
Rules = Annotated[str | None, Option("--game", metavar="FILE.py", help="The file of your own game, where it is of that.")]
Words = Annotated[bool, Option("--words/--no-words", help="The reasons for mistakes, each proved by a further search.")]


def review(
    file: File,
    nodes: Nodes = 200_000,
    seconds: Seconds = None,
    depth: Depth = None,
    algorithm: Algorithm = "",
    tables: Tables = "",
    fit: FitFile = None,
    words: Words = True,
    rules: Rules = None,
    as_json: AsJson = False,
) -> None:
    """Judge every move of a game: what was better, what it gave away and why, and how accurate each player was."""
    from outplay.cli.progress import working
    from outplay.formats import games as formats
    from outplay.game import known_game, load
    from outplay.judge import shares
    from outplay.judge.review import gathered, steps
    from outplay.judge.worth import Judge

    begun = clock.perf_counter()
    taken = formats.read(formats.opened(file, most=1))
    if rules is not None:
        load(rules)
    game = known_game(taken.game)
    start = game.start() if taken.start is None else game.position(taken.start)
    if not taken.actions:
        raise BadValue(f"{file}: there are no moves to judge")
    kept = None if fit is None else shares.fit_in(fit, game)
    found: list[Any] = []
    with working("review", game.name, "Ctrl-C stops") as progress:
        assert progress.interrupts is not None
        stop = progress.interrupts.event  # a search may end at Ctrl-C with its best so far, and the next one would begin
        judge = Judge(game, nodes, seconds, depth=depth, algorithm=algorithm, tables=tables, fit=kept, stop=stop)
        for one in steps(start, taken.actions, judge, words=words):
            found.append(one)
            progress.hear()
            progress.note = f"{len(found)} of {len(taken.actions)} moves, from the last one back"
    told = gathered(game, found, judge)
    if as_json:
        print_json({**told.fields(), "seconds": round(clock.perf_counter() - begun, 3)})
        return
    quiet = ("best", "good", "forced")
    rows = [_row(one, quiet) for one in told.moves]
    print_table(("ply", "move", "verdict", "better", "gives away", "winning"), rows, right=("ply",))
    spoken: list[Any] = [*told.moves, *told.luck]
    for one in sorted(spoken, key=lambda each: each.ply):
        if one.words:
            console().print(f"{one.ply + 1}. {one.action}: {one.words}", markup=False)
    if told.luck:
        for seat in range(game.players):
            total = sum(each.luck for each in told.luck if each.player == seat)
            console().print(f"luck: {game.seat_name(seat)} {judge.unit.signed(total)}", markup=False)
    console().print(
        "accuracy: " + ", ".join(f"{game.seat_name(seat)} {value} %" for seat, value in told.accuracy.items() if value is not None)
    )


def _row(one: Any, quiet: tuple[str, ...]) -> tuple[str, ...]:
    from outplay.judge.words import loss_in_words

    change = f"{100 * one.before:.0f} % to {100 * one.after:.0f} %" if one.given >= 0.005 else f"{100 * one.after:.0f} %"
    return (
        str(one.ply + 1), one.action, "" if one.verdict in quiet else one.verdict, one.best if one.best != one.action else "",
        loss_in_words(one), change + (", proved" if one.proved else ""),
    )  # fmt: skip
