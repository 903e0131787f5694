"""The commands `weigh` and `balance`: what a game is like, and which parameters make it fair."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from outplay.cli.commands import Exit, Option
from outplay.cli.common import AsJson, GameName, Seed, console, print_json, print_table, tell
from outplay.cli.main import INTERRUPTED

if TYPE_CHECKING:
    from outplay.cli.progress import Progress
    from outplay.workshop.weigh import Report

WeighOut = Annotated[Path | None, Option("--out", metavar="FILE", help="Write the report as a page with figures.")]
WeighSeconds = Annotated[float, Option("--time", metavar="S", min=0.1, help="Seconds in all.")]


def weigh(game: GameName, time: WeighSeconds = 60.0, seed: Seed = 0, out: WeighOut = None, as_json: AsJson = False) -> None:
    """Weigh a game: who wins it, how often it is drawn, how long, wide and deep it is, how much skill counts."""
    from outplay.cli.progress import working
    from outplay.game import load
    from outplay.workshop.weigh import weighing

    loaded = load(game)
    report: Report | None = None
    with working("weighing", loaded.name, "Ctrl-C stops and tells what is known", keeps=True) as progress:
        assert progress.interrupts is not None
        try:
            for report in weighing(loaded, seconds=time, seed=seed, stop=progress.interrupts.event):
                progress.note = f"{sum(level.games for level in report.levels):,} games"
        except KeyboardInterrupt:
            pass
    if report is not None and out is not None:
        from outplay.files import write_whole
        from outplay.workshop.page import page

        write_whole(out, page(report))
    if report is None:
        tell("stopped before a game was played")
    elif as_json:
        print_json(report.fields())
    else:
        _show(report)
    _end(progress)


def _show(report: Report) -> None:
    screen = console()
    rows = []
    for level in report.levels:
        if level.games:
            above = "" if level.above is None else f"{level.above:+.0f} ± {level.above_error:.0f}"
            rows.append((level.name, f"{level.games:,}", f"{level.first:.1%} ± {level.error:.1%}", f"{level.drawn:.0%}",
                         f"{level.plies:.0f}", above))  # fmt: skip
    print_table(("played by", "games", "moves first gets", "drawn", "plies", "Elo over the one above"), rows,
                right=("games", "drawn", "plies"))
    said = [
        f"length     {report.plies:.1f} ± {report.plies_spread:.1f} plies in random games ({report.shortest} to {report.longest})"
        + (f"; {report.cut} were cut off: does the game always end?" if report.cut else ""),
        f"width      {report.branching:.1f} actions on average",
        f"size       about 10^{report.log_games:.1f} ways to play (within a factor of {10**report.log_games_error:.1f})",
    ]
    if report.skill is not None:
        said.append(f"skill      {report.skill:+.0f} Elo from random play to strong")
    if report.lead_changes is not None and report.decided is not None:
        said.append(f"lead       changes {report.lead_changes:.1f} times a game; decided after {report.decided:.0%} of it")
    if report.openings:
        said.append("openings   " + ", ".join(f"{text} {share:.0%}" for text, share in list(report.openings.items())[:5]))
    if report.unused:
        said.append("never      strong players never chose " + ", ".join(report.unused))
    if report.alphabeta is not None:
        share = f"{report.alphabeta:.0%} ± {report.alphabeta_error:.0%}"
        said.append(f"searches   alpha-beta gets {share} of the points against Monte Carlo in the same time")
    if report.value is not None:
        shortest = "" if report.won_in is None else f"; the shortest win takes {report.won_in} plies"
        said.append(f"value      {report.value:+g} to whoever moves first, exactly (solved in {report.solved_in:.1f} s){shortest}")
    for line in said:
        screen.print(line, markup=False, highlight=False)


def balance(
    game: GameName,
    vary: Annotated[list[str], Option("--vary", metavar="KEY=A..B", help="A parameter: A..B, A..B/STEP or A|B|C.")],
    time: Annotated[float, Option("--time", metavar="S", min=0.1, help="Seconds in all.")] = 120.0,
    player: Annotated[str, Option("--player", metavar="P", help="Who plays.")] = "auto:level=strong",
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Find the parameters with which whoever moves first wins half of the points."""
    from outplay.cli.progress import working
    from outplay.workshop import balance as workshop

    asked = [workshop.vary(each) for each in vary]
    ranked: list[workshop.Tried] = []
    with working("balancing", game, "Ctrl-C stops and tells what is known", keeps=True) as progress:
        assert progress.interrupts is not None
        try:
            for ranked in workshop.balance(game, asked, seconds=time, who=player, seed=seed, stop=progress.interrupts.event):
                best = ranked[0]
                told = ",".join(f"{key}={value}" for key, value in best.values.items())
                progress.note = f"{sum(len(each.points) for each in ranked)} games, {told}: {best.first:.1%} ± {best.error:.1%}"
        except KeyboardInterrupt:
            pass
    if not ranked:
        tell("stopped before a game was played")
        return _end(progress)
    if as_json:
        best = ranked[0]
        print_json({"game": game, "best": best.values, "first": best.first, "error": best.error,
                    "tried": [each.fields() for each in ranked]})  # fmt: skip
        return _end(progress)
    rows = [(",".join(f"{key}={value}" for key, value in each.values.items()), f"{each.first:.1%}" if each.points else "–",
             f"± {each.error:.1%}" if each.points else "", str(len(each.points)),
             f"{each.drawn / len(each.points):.0%}" if each.points else "",
             f"{each.plies / len(each.points):.0f}" if each.points else "") for each in ranked]  # fmt: skip
    print_table(("parameters", "moves first gets", "95 %", "games", "drawn", "plies"), rows[:20], right=("games", "drawn", "plies"))
    best = ranked[0]
    is_fair = abs(best.first - 0.5) + best.error < workshop.FAIR
    console().print("fair within two points of a hundred" if is_fair else
                    "not known to within two points yet: more --time tells it better", markup=False)  # fmt: skip
    _end(progress)


def _end(progress: Progress) -> None:
    """Leave as Ctrl-C asked, if it was pressed."""
    if progress.interrupts is not None and progress.interrupts.event.is_set():
        raise Exit(INTERRUPTED)
