"""Commands for games with hidden information: `equilibrium` finds mixed strategies, `exploit` measures a player's."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from outplay import extras
from outplay.cli.commands import Argument, Exit, Option
from outplay.cli.common import (
    AsJson,
    GameName,
    Seconds,
    Seed,
    at_least,
    console,
    in_words_of_count,
    print_json,
    print_table,
    seconds_in_words,
    tell,
    whole_options,
)
from outplay.cli.main import INTERRUPTED
from outplay.errors import BadValue, Unsuitable

if TYPE_CHECKING:
    from outplay.game import Position

Algorithm = Annotated[str, Option("--algorithm", metavar="A",
                                        help="cfr+, cfr, linear, discounted, external, outcome; buckets for hold'em.")]
Iterations = Annotated[int | None, Option("--iterations", metavar="N", help="Stop after this many; default 1000.")]
Target = Annotated[float | None, Option("--target", metavar="E", help="Stop once no more than this can be gained.")]
Out = Annotated[Path | None, Option("--out", metavar="FILE", help="Write the policy, for policy:FILE to play.")]
Checkpoint = Annotated[Path | None, Option("--checkpoint", metavar="FILE", help="Go on from this file, and write it.")]
Form = Annotated[str, Option("--form", metavar="F",
                                   help="public (vectors of hands), flat, or auto: public where the game offers it.")]
Rows = Annotated[int, Option("--rows", metavar="N", help="Show this many information sets, the likeliest first.")]
Memory = Annotated[int, Option("--memory", metavar="MB", help="Megabytes for the tree, or for sampled information sets.")]
Workers = Annotated[int | None, Option("--threads", metavar="T", help="Use this many threads; 1, and all cores for a study.")]
Flop = Annotated[str | None, Option("--flop", metavar="CARDS", help="Study a hand from these cards on: a flop, or more.")]
Pot = Annotated[int | None, Option("--pot", metavar="N", help="Of a study: chips in the middle.")]
Stack = Annotated[int | None, Option("--stack", metavar="N", help="Of a study: chips that each seat has left.")]
Ranges = Annotated[str | None, Option("--ranges", metavar="A/B", help="Of a study: both seats' hands, 88+,AJo:0.5 / 22+.")]
Sizes = Annotated[str | None, Option("--sizes", metavar="S", help="Of a study: bets:raises in % of the pot, by street.")]
Bits = Annotated[int | None, Option("--bits", metavar="16|32", help="Of a study: 16 takes half of the memory.")]
Device = Annotated[str, Option("--device", metavar="cpu|cuda", help="Of a study: solve it here; cuda is a GPU.")]
Line = Annotated[str, Option("--line", metavar="L", help="Of a study: show this place, as in check, bet 94, call, 7h.")]
Opened = Annotated[Path | None, Option("--open", metavar="FILE", help="Look around in a study that was kept by --out.")]


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
    threads: Workers = None,
    seed: Seed = 0,
    flop: Flop = None,
    pot: Pot = None,
    stack: Stack = None,
    ranges: Ranges = None,
    sizes: Sizes = None,
    bits: Bits = None,
    device: Device = "cpu",
    line: Line = "",
    opened: Opened = None,
    as_json: AsJson = False,
) -> None:
    """Find an equilibrium of a game with hidden information by minimizing regrets. Ctrl-C keeps what is learned so far."""
    from outplay.cli.progress import working
    from outplay.engine.regret.equilibrium import solver_for
    from outplay.game import load

    loaded = load(game)
    at_least("--rows", 0, rows)
    at_least("--memory", 1, memory)
    if iterations is not None:
        at_least("--iterations", 1, iterations)
    if threads is not None:
        whole_options(threads=threads)
    if device not in ("cpu", "cuda"):
        raise BadValue(f"--device is cpu or cuda, got {device!r}")
    asked = [flop, opened, pot, stack, ranges, sizes, bits, line or None, device if device != "cpu" else None]
    if any(each is not None for each in asked):
        own = extras.of(loaded)
        if not own.study:
            raise Unsuitable(f"{loaded.name} has no studies of one hand, which --flop, --open and what goes with them are for")
        own.fetch(own.study)(board=flop, pot=pot, stack=stack, ranges=ranges, sizes=sizes, bits=bits, line=line, opened=opened,
                             iterations=iterations, seconds=time, target=target, out=out, checkpoint=checkpoint, memory=memory,
                             threads=threads, device=device, as_json=as_json)
        return
    report: Any = None
    hint = "Ctrl-C stops and keeps what is learned"
    with working(f"{algorithm} on {loaded.name}", loaded.name, hint, keeps=True, patient=True) as progress:
        interrupted = progress.interrupts
        assert interrupted is not None

        def growing(nodes: int) -> None:
            progress.note = f"tree of {in_words_of_count(nodes)} nodes"

        solver = solver_for(loaded, algorithm, memory=memory, seed=seed, threads=threads or 1, form=form,
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
        raise Exit(INTERRUPTED)


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
    own = extras.of(game)
    if own.chart:
        own.fetch(own.chart)(solver, report, screen)
        return
    for rival, won, error, unit in solver.measured() if hasattr(solver, "measured") else ():
        screen.print(f"against {rival}: {won:+.3f} ± {1.96 * error:.3f} {unit}", markup=False)
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


def exploit(
    game: GameName,
    player: Annotated[str, Argument(metavar="PLAYER", help="A player, such as random, policy:FILE or engine:ismcts.")],
    memory: Memory = 2048,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Measure how much a best answer wins against a player that plays every seat of a game with hidden information."""
    import numpy as np

    from outplay.cli.interrupts import Interrupts
    from outplay.cli.progress import working
    from outplay.engine.regret.equilibrium import evaluate
    from outplay.engine.regret.tree import build
    from outplay.game import load
    from outplay.players import player as named
    from outplay.players.mixing import Strategy

    loaded = load(game)
    who = named(player, seed=seed)
    if isinstance(who, Strategy):
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
    """A strategy too large for a best answer: what a local one wins is the least that the best would."""
    from outplay.cli.progress import working

    with working(f"a local best response to {name}", game.name, "Ctrl-C stops") as progress:
        for deals, won, error, unit in who.exploited(game, seed):
            progress.note = f"{deals} deals, {won:+.3f} ± {1.96 * error:.3f} {unit}"
            progress.hear()
    if as_json:
        print_json({"game": game.name, "player": name, "exploitability": won, "standard_error": error,
                    "unit": unit, "bound": "lower", "deals": deals})
        return
    console().print(f"a local best response wins {won:+.3f} ± {1.96 * error:.3f} {unit} ({deals} deals in both seats); "
                    "a best one wins at least as much", markup=False)


def _mixture(who: Any, view: Position) -> dict[Any, float]:
    """How likely a player is to take each action of what it sees."""
    from outplay.players.policy import policy_of

    if hasattr(who, "shares"):  # it mixes, and says how
        return who.shares(view)
    return dict(policy_of(who)(view))
