"""Commands for games with hidden information: `equilibrium` finds mixed strategies, `exploit` measures a player's."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from outplay.cli.common import (
    AsJson,
    GameName,
    Seconds,
    Seed,
    Threads,
    at_least,
    console,
    in_words_of_count,
    print_json,
    print_table,
    seconds_in_words,
    tell,
)
from outplay.cli.main import INTERRUPTED

if TYPE_CHECKING:
    from outplay.game import Position

Algorithm = Annotated[str, typer.Option("--algorithm", metavar="A",
                                        help="cfr+, cfr, linear, discounted, external, outcome; buckets for hold'em.")]
Iterations = Annotated[int | None, typer.Option("--iterations", metavar="N", help="Stop after this many; default 1000.")]
Target = Annotated[float | None, typer.Option("--target", metavar="E", help="Stop once no more than this can be gained.")]
Out = Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write the policy, for policy:FILE to play.")]
Checkpoint = Annotated[Path | None, typer.Option("--checkpoint", metavar="FILE", help="Go on from this file, and write it.")]
Form = Annotated[str, typer.Option("--form", metavar="F",
                                   help="public (vectors of hands), flat, or auto: public where the game offers it.")]
Rows = Annotated[int, typer.Option("--rows", metavar="N", help="Show this many information sets, the likeliest first.")]
Memory = Annotated[int, typer.Option("--memory", metavar="MB", help="Megabytes for the tree, or for sampled information sets.")]


def equilibrium(
    game: GameName,
    algorithm: Algorithm = "cfr+",
    iterations: Iterations = None,
    time: Seconds = None,
    target: Target = None,
    out: Out = None,
    checkpoint: Checkpoint = None,
    rows: Rows = 12,
    memory: Memory = 2048,
    form: Form = "auto",
    threads: Threads = 1,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Find an equilibrium of a game with hidden information by minimizing regrets. Ctrl-C keeps what is learned so far."""
    from outplay.cli.progress import working
    from outplay.engine.regret import solver_for
    from outplay.game import load

    loaded = load(game)
    at_least("--rows", 0, rows)
    at_least("--memory", 1, memory)
    if iterations is not None:
        at_least("--iterations", 1, iterations)
    report: Any = None
    hint = "Ctrl-C stops and keeps what is learned"
    with working(f"{algorithm} on {loaded.name}", loaded.name, hint, keeps=True, patient=True) as progress:
        interrupted = progress.interrupts
        assert interrupted is not None

        def growing(nodes: int) -> None:
            progress.note = f"tree of {in_words_of_count(nodes)} nodes"

        solver = solver_for(loaded, algorithm, memory=memory, seed=seed, threads=threads, form=form,
                            stop=interrupted.event, progress=growing)
        if checkpoint is not None and checkpoint.exists():
            solver.resume(checkpoint)
        with contextlib.suppress(KeyboardInterrupt):  # from the compiler, before the first iteration or the first report
            for report in solver.search(iterations, seconds=time, target=target, stop=interrupted.event):
                known = "" if report.nash_conv is None else f", exploitability {report.exploitability:.2e}"
                progress.note = f"{in_words_of_count(report.iterations)} iterations{known}"
    if checkpoint is not None and solver.iterations:
        solver.save(checkpoint)
    if out is not None and solver.iterations:
        solver.policy().save(out)
    if report is None:
        raise KeyboardInterrupt
    if as_json:
        print_json({
            "game": loaded.name, "algorithm": algorithm, "value": report.value, "values": list(report.values),
            "exploitability": report.exploitability, "nash_conv": report.nash_conv,
            "information_sets": report.information_sets, "nodes": report.nodes, "form": report.form,
            "iterations": report.iterations, "seconds": report.seconds, "promise": report.promise,
            "out": None if out is None else str(out),
        })  # fmt: skip
    else:
        _show(loaded, solver, report, rows)
        if out is not None:
            tell(f"policy written to {out}: play it as policy:{out}")
    if interrupted.event.is_set():
        raise typer.Exit(INTERRUPTED)


def _show(game: Any, solver: Any, report: Any, rows: int) -> None:
    screen = console()
    if report.value == report.value:  # not a number where nobody knows
        worth = " ".join(f"{value:+.6f}" for value in report.values)
        screen.print(f"value          {worth}" + ("" if report.promise else "   (no promise: see below)"), markup=False)
    if report.nash_conv is not None:
        screen.print(f"exploitability {report.exploitability:.3g}   (NashConv {report.nash_conv:.3g})", markup=False)
    screen.print(f"work           {in_words_of_count(report.iterations)} iterations in {seconds_in_words(report.seconds)}, "
                 f"{in_words_of_count(report.information_sets)} information sets, {_tree_in_words(report)}", markup=False)
    if not report.promise:
        screen.print("Average strategies tend to an equilibrium where two players' utilities cancel; here nothing is promised.",
                     markup=False)
    if game.name.partition(":")[0] == "push or fold":
        _print_charts(solver, report)
        return
    if hasattr(solver, "measure"):  # a player for hold'em
        from outplay.engine.regret_holdem import RIVALS

        for rival in RIVALS:
            won, error = solver.measure(rival, 10_000)
            screen.print(f"against {rival}: {won:+.0f} ± {1.96 * error:.0f} thousandths of a big blind a hand", markup=False)
    if rows:
        shown: list[tuple[str, ...]] = []
        for player, view, mixture, reach in solver.table():
            if len(shown) == rows:
                break
            told = "  ".join(f"{view.action_text(action)} {share:.3f}" for action, share in mixture.items())
            shown.append((str(player + 1), view.text(), told, f"{reach:.4f}"))
        print_table(("player", "sees", "plays", "reached"), shown, right=("reached",))


def _tree_in_words(report: Any) -> str:
    nodes = in_words_of_count(report.nodes)
    return f"public tree of {nodes} states with vectors of {report.hands} hands" if report.form == "public" else f"{nodes} nodes"


def _print_charts(solver: Any, report: Any) -> None:
    """Which hands to push and which to call: suited hands above the diagonal; green always, yellow mixed."""
    from rich.text import Text

    from outplay.engine.charts import chart_of

    chart, screen = chart_of(solver, report.exploitability), console()
    parts = ("small blind pushes", chart.push, chart.pushed), ("big blind calls", chart.call, chart.called)
    for title, grid, whole in parts:
        screen.print(f"\n{title} {whole:.2%} of all hands (. never, a digit for tenths, the hand's name always)", markup=False)
        for names, shares in zip(chart.names, grid, strict=True):
            line = Text()
            for name, share in zip(names, shares, strict=True):
                always, never = share > 0.995, share < 0.005
                said = name if always else "." if never else str(int(10 * share))
                line.append(f"{said:<4}", "black on green" if always else "bright_black" if never else "black on yellow")
                line.append(" ")
            line.rstrip()
            screen.print(line)


def exploit(
    game: GameName,
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="A player, such as random, policy:FILE or engine:ismcts.")],
    memory: Memory = 2048,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Measure how much a best answer wins against a player that plays every seat of a game with hidden information."""
    import numpy as np

    from outplay.cli.progress import Interrupts, working
    from outplay.engine.regret import evaluate
    from outplay.engine.regret_tree import build
    from outplay.errors import Unsuitable
    from outplay.game import load
    from outplay.players import player as named
    from outplay.players.mixing import TrainedPlayer

    loaded = load(game)
    who = named(player, seed=seed)
    if isinstance(who, TrainedPlayer):
        if type(who) is not TrainedPlayer:
            raise Unsuitable("a best answer needs the whole strategy, and resolve finds its own only when it is there: "
                             "exploit policy:FILE")
        _exploit_trained(loaded, who, player, seed, as_json)
        return
    with Interrupts() as interrupted, working(f"exploiting {player} at {loaded.name}", loaded.name, "Ctrl-C stops") as progress:
        tree = build(loaded, memory=memory, stop=interrupted.event)
        who.get_ready(loaded.start())
        shares = tuple(np.zeros(size) for size in tree.sequences)
        done = unknown = 0
        for p in range(tree.players):
            for info in range(len(tree.firsts[p])):
                first, count = int(tree.firsts[p][info]), int(tree.counts[p][info])
                mixture = _mixture(who, tree.view(p, info))
                unknown += not mixture
                for k in range(first, first + count):
                    shares[p][k] = mixture.get(int(tree.actions[p][k]), 0.0) if mixture else 1.0 / count
                done += 1
                progress.note = f"{in_words_of_count(done)} of {in_words_of_count(tree.information_sets)} information sets"
                if interrupted.event.is_set():
                    raise KeyboardInterrupt
        values, best = evaluate(tree, shares)
    nash_conv = sum(best) - sum(values)
    if as_json:
        print_json({"game": loaded.name, "player": player, "exploitability": nash_conv / len(values), "nash_conv": nash_conv,
                    "values": list(values), "responses": list(best), "information_sets": tree.information_sets})
        return
    screen = console()
    screen.print(f"exploitability {nash_conv / len(values):.6g}   (NashConv {nash_conv:.6g})", markup=False)
    for p, (value, answer) in enumerate(zip(values, best, strict=True)):
        screen.print(f"player {p + 1} gets {value:+.6f}, and {answer:+.6f} by the best answer to the others", markup=False)
    if unknown:
        tell(f"{who.name} says nothing of {in_words_of_count(unknown)} information sets; they count as played at random")


def _exploit_trained(game: Any, who: Any, name: str, seed: int, as_json: bool) -> None:
    """Hold'em is too large for a best answer: what a local one wins is the least that the best would."""
    from outplay.cli.progress import working
    from outplay.engine.regret_answer import local_best_response

    deals = 1000
    with working(f"a local best response to {name}", game.name, "Ctrl-C stops") as progress:
        who.get_ready(game.start())
        parts = []
        for number in range(deals // 50):
            parts.append(local_best_response(who.solver, 50, seed=1000 * seed + number + 1))
            progress.note = f"{50 * (number + 1)} deals, {sum(won for won, _ in parts) / len(parts):+.0f} mbb a hand"
            progress.hear()
    won = sum(each for each, _ in parts) / len(parts)
    error = sum(each**2 for _, each in parts) ** 0.5 / len(parts)
    if as_json:
        print_json({"game": game.name, "player": name, "exploitability": won / 1000, "standard_error": error / 1000,
                    "unit": "big blinds a hand", "bound": "lower", "deals": 50 * len(parts)})
        return
    console().print(f"a local best response wins {won:+.0f} ± {1.96 * error:.0f} thousandths of a big blind a hand "
                    f"({50 * len(parts)} deals in both seats); a best one wins at least as much", markup=False)


def _mixture(who: Any, view: Position) -> dict[Any, float]:
    """How likely a player is to take each action of what it sees."""
    from outplay.players.policy import policy_of

    if hasattr(who, "shares"):  # it mixes, and says how
        return who.shares(view)
    return dict(policy_of(who)(view))
