"""`outplay tune`: weights, patterns, margins and ProbCut's lines of any game, fitted to games of the engine against itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from outplay import extras
from outplay.cli.commands import Argument, Option
from outplay.cli.common import AsJson, Cluster, Seconds, Seed, in_words_of_count, print_json, print_table, tell
from outplay.errors import BadValue

Out = Annotated[Path | None, Option("--out", metavar="FILE", help="Where to write.")]
Save = Annotated[
    Path | None, Option("--save", metavar="FOLDER", help="Keep every hundred games there and go on from them.")
]
Games = Annotated[int | None, Option("--games", metavar="N", help="How many games of the engine against itself.")]
Nodes = Annotated[int, Option("--nodes", metavar="N", help="Positions that the engine looks at for each move.")]
Steps = Annotated[int, Option("--steps", metavar="N", help="Steps of the fit.")]
TunedArgument = Annotated[str, Argument(metavar="GAME", help="A game, or a file, that names its weights or patterns.")]
Rounds = Annotated[int, Option("--rounds", metavar="N", help="Of patterns: how often all phases are learned.")]
Positions = Annotated[int | None, Option("--positions", metavar="N", help="Of patterns, ProbCut: positions of each phase.")]
TuneDepth = Annotated[int | None, Option("--depth", metavar="N", help="Of patterns and ProbCut: how deep they are searched.")]
Margins = Annotated[bool, Option("--margins", help="Fit the margins of the selective search instead.")]
ProbCut = Annotated[bool, Option("--probcut", help="Fit Multi-ProbCut's lines instead: shallow against deep searches.")]
Results = Annotated[float, Option("--results", metavar="SHARE", help="The share of the games' results in what is fitted, "
                                        "from 0 to 1; the rest is what the search thought.")]

Spsa = Annotated[list[str] | None, Option("--spsa", metavar="KEY=START:LOW..HIGH",
                                          help="Tune this number of a player by playing; or weights, all of them.")]
Racing = Annotated[list[str] | None, Option("--race", metavar="PLAYER", help="Find the strongest of these players by a race.")]
Player = Annotated[str, Option("--player", metavar="P", help="Of --spsa: whose numbers; it takes them as options.")]
Verify = Annotated[int, Option("--verify", metavar="N", help="Of --spsa: prove the result by at most so many games.")]
Bounds = Annotated[str, Option("--sprt", metavar="LOW,HIGH", help="Of --spsa: the test that proves it, in Elo.")]
Care = Annotated[float, Option("--care", metavar="ELO", help="Of --race: differences below this need not be found.")]
Workers = Annotated[int | None, Option("--threads", metavar="T", help="Games at once: all cores; of patterns one.")]

ENOUGH = 50_000
"""Positions from which on every single weight is fitted; with fewer, only a factor for each group."""


def _tune_patterns(name: str, rounds: int, positions: int, depth: int, seed: int, threads: int, out: Path | None,
                   as_json: bool) -> None:
    """Learn the patterns of a game into a folder, where a run that was stopped goes on."""
    from outplay.cli.progress import working
    from outplay.game import load
    from outplay.learning.patterns import Plan, learn

    folder = out or Path(f"{name.partition(':')[0]}-patterns")
    try:
        with working(f"learning the patterns of {name}", name, "Ctrl-C stops") as progress:
            plan = Plan(rounds, positions, depth, seed=seed)
            file = learn(load(name, compiled=True), plan, folder, progress.line, threads)
    except KeyboardInterrupt:
        tell(f"stopped; the same command goes on in {folder}")
        raise
    if as_json:
        return print_json({"out": str(file), "rounds": rounds, "positions": positions, "depth": depth})
    print(f"weights written to {file}")


def _tune_probcut(name: str, positions: int, depth: int, seed: int, out: Path | None, as_json: bool) -> None:
    """Fit Multi-ProbCut's lines into a file."""
    import io

    import numpy as np

    from outplay.cli.progress import working
    from outplay.files import write_whole
    from outplay.game import load
    from outplay.learning.probcut import fit

    with working(f"fitting Multi-ProbCut to {name}", name, "Ctrl-C stops") as progress:
        fits, rows = fit(load(name, compiled=True), positions, depth, seed, progress.line, hear=progress.hear)
    target, content = out or Path("probcut.npz"), io.BytesIO()
    np.savez_compressed(content, fits=fits)
    write_whole(target, content.getvalue())
    if as_json:
        return print_json({"out": str(target), "fits": rows})
    names = ("period", "depth", "shallow", "slope", "offset", "deviation", "positions")
    shown = [tuple(f"{row[key]:.2f}" if isinstance(row[key], float) else str(row[key]) for key in names) for row in rows]
    print_table(names, shown, right=names)
    print(f"written to {target}; play with it: engine:pvs,probcut=150,fits={target}")


def _tune_margins(name: str, positions: int, depth: int, seed: int, as_json: bool) -> None:
    """Fit the margins of the selective search, and say how a player and a class take them."""
    from outplay.cli.progress import working
    from outplay.game import load
    from outplay.learning.margins import fit

    with working(f"fitting margins to {name}", name, "Ctrl-C stops") as progress:
        found = fit(load(name, compiled=True), positions, depth, seed, progress.line, hear=progress.hear)
    if as_json:
        return print_json(found)
    fitted = found["margins"]
    print(f"a quiet action changes the evaluation by {found['gain']:.1f}, a ply of depth the value by {found['swing']:.1f} "
          f"(hundredths of the stake, three of four positions below)")
    print("a player takes them as engine:" + ",".join(f"{key}={value}" for key, value in fitted.items()))
    print(f"a class keeps them as margins = {fitted}")


def tune(game: TunedArgument, games: Games = None, nodes: Nodes = 3000, steps: Steps = 400, results: Results = 0.1, seed: Seed = 0,
         rounds: Rounds = 2, positions: Positions = None, depth: TuneDepth = None, probcut: ProbCut = False,
         margins: Margins = False, spsa: Spsa = None, race: Racing = None, player: Player = "engine", verify: Verify = 400,
         sprt: Bounds = "0,20", care: Care = 10.0, time: Seconds = None, threads: Workers = None, out: Out = None,
         save: Save = None, cluster: Cluster = None, as_json: AsJson = False) -> None:
    """Fit the weights of the evaluation to games of the engine against itself; with --spsa, numbers of a player by playing."""
    if spsa or race:
        from outplay.cli import tune_games

        if spsa and race:
            raise BadValue("--spsa tunes one player, --race compares several: ask for one of them")
        if spsa:
            return tune_games.spsa(game, spsa, player, games or 1000, time, verify, sprt, save, out, seed, threads, cluster,
                                   as_json)
        return tune_games.race(game, race or [], games or 10_000, time, care, seed, threads, cluster, as_json)
    if margins:
        return _tune_margins(game, positions or 60, depth or 7, seed, as_json)
    if probcut:
        return _tune_probcut(game, positions or 100, depth or 10, seed, out, as_json)
    from outplay.game import load

    own = extras.of(load(game, compiled=False))
    if own.tuner:
        return own.fetch(own.tuner)(game, games, seed, out, as_json)
    from time import perf_counter

    import numpy as np

    from outplay.cli.interrupts import Interrupts
    from outplay.evaluations import of as declared
    from outplay.files import write_whole
    from outplay.learning import tuning

    games = 200 if games is None else games
    rules: Any = load(game, compiled=True)
    fitting_of: Any = own.fetch(own.fitting) if own.fitting else None
    names = declared(rules).names
    if fitting_of is None and not names:
        return _tune_patterns(game, rounds, positions or 40_000, depth or 4, seed, threads or 1, out, as_json)
    if not 0 <= results <= 1:
        raise BadValue(f"--results must be from 0 to 1, got {results:g}")
    told = [perf_counter()]

    interrupts = Interrupts()

    def now_and_then(text: Callable[[], str]) -> None:
        if interrupts.event.is_set():
            raise KeyboardInterrupt
        if perf_counter() - told[0] > 2:
            told[0] = perf_counter()
            tell(text())

    def playing(number: int, kept: int) -> None:
        now_and_then(lambda: f"{number} of {games} games, {in_words_of_count(kept)} positions")

    def reckoning(done: int) -> None:
        now_and_then(lambda: f"features of {in_words_of_count(done)} of {in_words_of_count(len(sample.results))} positions")

    def fitting(step: int, error: float) -> None:
        now_and_then(lambda: f"step {step} of {steps}, mean squared error {error:.5f}")

    try:
        with interrupts:
            teaches = None if fitting_of is None else fitting_of.is_fit
            sample = tuning.sample(rules, games, nodes=nodes, seed=seed, is_fit=teaches, progress=playing,
                                   stop=interrupts.event, address=cluster, folder=save)
            now_and_then(lambda: f"{in_words_of_count(len(sample.results))} positions")
            shares = tuning.features(rules, sample.states, progress=reckoning)
    except KeyboardInterrupt:
        tell(f"stopped; the same command goes on from {save}" if save else "stopped; with --save FOLDER the games would be kept")
        raise
    if len(sample.results) < 10:
        left = f"{games} games of {rules.name} left {len(sample.results)} quiet positions"
        raise BadValue(f"{left}, too few to fit anything: play more")
    start = np.array(rules.default_weights(), np.float64)
    groups = fitting_of.groups() if fitting_of is not None else [np.array([number]) for number in range(len(start))]
    points = tuning.steepness(shares @ start, sample.results)
    targets = tuning.blend(sample, results, points)
    kept = len(sample.results) * 9 // 10  # the last games judge what was fitted

    def fitted(shares: Any, targets: Any) -> Any:
        weights, _ = tuning.fit_groups(shares, targets, start, groups, steps=steps, points=points, progress=fitting)
        if len(sample.results) > ENOUGH:
            weights, _ = tuning.fit(shares, targets, weights, steps=steps, points=points, progress=fitting)
        return weights

    tried = fitted(shares[:kept], targets[:kept])
    before, after = (tuning.error(shares[kept:], sample.results[kept:], weights, points) for weights in (start, tried))
    weights = fitted(shares, targets)
    if out is not None:
        named = (f"{weight:.4g}  # {name}\n" for name, weight in zip(names, weights, strict=False))
        write_whole(out, fitting_of.text(weights) if fitting_of is not None else "".join(named))
    if as_json:
        facts = {"positions": len(sample.results), "error_before": before, "error_after": after}
        return print_json({**facts, "out": str(out) if out else None})
    print(f"{in_words_of_count(len(sample.results))} positions: mean squared error {before:.5f} before, {after:.5f} after, on "
          "games that were not fitted" + (f"; written to {out}" if out else "; --out FILE writes the weights"))
    if out is not None and fitting_of is None:
        print(f"play with them: engine:weights={out}")
