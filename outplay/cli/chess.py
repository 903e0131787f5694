"""`outplay tune` and `outplay book`: knowledge made by commands; books of any game, the rest of chess."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from outplay.cli.common import AsJson, Cluster, Seed, in_words_of_count, print_json, print_table, tell
from outplay.cli.main import INTERRUPTED
from outplay.errors import BadValue

GameArgument = Annotated[str, typer.Argument(metavar="GAME", help="The game: chess.")]
Files = Annotated[list[Path], typer.Argument(metavar="FILE…", help="PGN files or records to build from, or books.")]
Sources = Annotated[list[Path], typer.Argument(metavar="FILE…|GAME", help="PGN files or records, or a game to play.")]
Out = Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Where to write.")]
Save = Annotated[
    Path | None, typer.Option("--save", metavar="FOLDER", help="Keep every hundred games there and go on from them.")
]
Plies = Annotated[int, typer.Option("--plies", metavar="N", help="How many half-moves of each game go into the book.")]
Least = Annotated[int, typer.Option("--least", metavar="N", help="How many games a move needs to go into the book.")]
At = Annotated[str | None, typer.Option("--position", metavar="P", help="Show the moves of this position; the start otherwise.")]
Games = Annotated[int | None, typer.Option("--games", metavar="N", help="How many games of the engine against itself.")]
Nodes = Annotated[int, typer.Option("--nodes", metavar="N", help="Positions that the engine looks at for each move.")]
Steps = Annotated[int, typer.Option("--steps", metavar="N", help="Steps of the fit.")]
TunedArgument = Annotated[str, typer.Argument(metavar="GAME", help="Chess, scrabble, battleships, or one with patterns: othello.")]
Rounds = Annotated[int, typer.Option("--rounds", metavar="N", help="Of patterns: how often all phases are learned.")]
Positions = Annotated[int | None, typer.Option("--positions", metavar="N", help="Of patterns, ProbCut: positions of each phase.")]
TuneDepth = Annotated[int | None, typer.Option("--depth", metavar="N", help="Of patterns and ProbCut: how deep they are searched.")]
Margins = Annotated[bool, typer.Option("--margins", help="Fit the margins of the selective search instead.")]
ProbCut = Annotated[bool, typer.Option("--probcut", help="Fit Multi-ProbCut's lines instead: shallow against deep searches.")]
Results = Annotated[float, typer.Option("--results", metavar="SHARE", help="The share of the games' results in what is fitted, "
                                        "from 0 to 1; the rest is what the search thought.")]


ENOUGH = 50_000
"""Positions from which on every single weight is fitted; with fewer, only a factor for each group."""


# ---------------------------------------------------------------- book

book = typer.Typer(help="Opening books: Polyglot's for chess, our own for every other game.", no_args_is_help=True)


@book.command("build")
def book_build(files: Sources, out: Out = None, plies: Plies = 20, least: Least = 1, games: Games = None, nodes: Nodes = 3000,
               seed: Seed = 0, as_json: AsJson = False) -> None:
    """Build a book: of chess from PGN files, of any game from the records that `match --save` keeps or from games of its own.

    Chess's is Polyglot's, which holds points; with --out FILE.txt it is ours, which also counts games won, drawn and lost.
    """
    name, stopped = str(files[0]), False
    if len(files) == 1 and not files[0].suffix and not files[0].exists():
        made, played, target = _build_from_self_play(name, out or Path(f"{name.partition(':')[0]}-book.txt"), plies, least,
                                                     games or 200, nodes, seed)
        problems: list[str] = []
        stopped = played < (games or 200)
    elif all(path.suffix == ".jsonl" for path in files):
        made, played, problems, target = _build_from_records(files, out or Path("book.txt"), plies, least)
    else:
        made, played, problems, target = _build_from_pgn(files, out or Path("book.bin"), plies, least)
    if as_json:
        print_json({"out": str(target), "entries": made, "games": played, "problems": problems})
    else:
        print(f"{in_words_of_count(made)} entries from {in_words_of_count(played)} games written to {target}")
    if stopped:
        raise typer.Exit(INTERRUPTED)


def _build_from_self_play(name: str, target: Path, plies: int, least: int, games: int, nodes: int,
                          seed: int) -> tuple[int, int, Path]:
    """A book from games of the engine against itself; Ctrl-C ends them, and what was played is the book."""
    import time

    from outplay.cli.progress import Interrupts
    from outplay.game import load
    from outplay.knowledge import openings
    from outplay.learning.books import self_play

    told = [time.perf_counter()]

    def progress(number: int) -> None:
        if time.perf_counter() - told[0] > 2:
            told[0] = time.perf_counter()
            tell(f"{number} of {games} games")

    game = load(name, compiled=True)
    with Interrupts(keeps=True, patient=True) as interrupted:
        records = self_play(game, games, nodes=nodes, seed=seed, stop=interrupted.event, progress=progress)
    if not records:
        raise KeyboardInterrupt
    made = openings.build(game.name, records, plies=plies, least=least)
    made.save(target)
    return len(made), len(records), target


def _build_from_pgn(files: list[Path], target: Path, plies: int, least: int) -> tuple[int, int, list[str], Path]:
    from outplay.knowledge import book as books
    from outplay.knowledge.pgn import Problem, read_file

    problems: list[str] = []
    count = [0]

    def games() -> Any:
        for path in files:
            for game in read_file(path):
                if isinstance(game, Problem):
                    problems.append(str(game))
                    tell(f"{path}: {game}")
                else:
                    count[0] += 1
                    if count[0] % 1000 == 0:
                        tell(f"{in_words_of_count(count[0])} games")
                    yield game

    if target.suffix == ".txt":  # our own format, which counts games won, drawn and lost
        from outplay.knowledge import openings

        counted = openings.build("chess", (game.record() for game in games()), plies=plies, least=least)
        counted.save(target)
        return len(counted), count[0], problems, target
    made = books.build(games(), plies=plies, least=least)
    books.save(made, target)
    return len(made), count[0], problems, target


def _build_from_records(files: list[Path], target: Path, plies: int, least: int) -> tuple[int, int, list[str], Path]:
    from outplay.arena.match import read
    from outplay.knowledge import openings

    records = [record for path in files for record in read(path)]
    if not records:
        raise BadValue(f"no game is kept in {files[0]}")
    made = openings.build(records[0].game, records, plies=plies, least=least)
    made.save(target)
    return len(made), len(records), [], target


@book.command("merge")
def book_merge(files: Files, out: Out = None, as_json: AsJson = False) -> None:
    """Merge books of one game into one: the weights of the same move add up."""
    from outplay.game import load
    from outplay.knowledge import book as books
    from outplay.knowledge import openings

    if openings.game_of(files[0]) is not None:
        target = out or Path("book.txt")
        merged = openings.merge(_position_book(path, load(openings.game_of(path) or "")) for path in files)
        merged.save(target)
        count = len(merged)
    else:
        target = out or Path("book.bin")
        made = books.merge(books.load(path) for path in files)
        books.save(made, target)
        count = len(made)
    if as_json:
        return print_json({"out": str(target), "entries": count})
    print(f"{in_words_of_count(count)} entries written to {target}")


def _position_book(path: Path, game: Any) -> Any:
    from outplay.knowledge import openings

    return openings.open_book(path, game)


@book.command("dump")
def book_dump(file: Annotated[Path, typer.Argument(metavar="FILE", help="A book.")], position: At = None,
              as_json: AsJson = False) -> None:
    """Show the moves that a book knows in a position."""
    from outplay.game import load
    from outplay.games.chess.notation import write_san
    from outplay.knowledge import openings

    game = load(openings.game_of(file) or "chess")
    known = openings.open_book(file, game)
    where = game.start() if position is None else game.position(position)
    rows: list[dict[str, Any]] = []
    for action, weight in known.moves(where):
        row = {"action": where.action_text(action), "weight": weight}
        if game.name.partition(":")[0] == "chess":
            row["san"] = write_san(game.record(where.state), action, where.actions())
        rows.append(row)
    if as_json:
        return print_json({"position": where.text(), "moves": rows})
    if not rows:
        return print("the book knows no move here")
    total = sum(row["weight"] for row in rows) or 1
    shown = [(row.get("san", row["action"]), str(row["weight"]), f"{row['weight'] / total:.1%}") for row in rows]
    print_table(("move", "weight", "share"), shown, right=("weight", "share"))


# ---------------------------------------------------------------- tuning


def _tune_patterns(name: str, rounds: int, positions: int, depth: int, seed: int, out: Path | None, as_json: bool) -> None:
    """Learn the patterns of a game into a folder, where a run that was stopped goes on."""
    from outplay.cli.progress import working
    from outplay.game import load
    from outplay.learning.patterns import Plan, learn

    folder = out or Path(f"{name.partition(':')[0]}-patterns")
    try:
        with working(f"learning the patterns of {name}", name, "Ctrl-C stops") as progress:
            file = learn(load(name, compiled=True), Plan(rounds, positions, depth, seed=seed), folder, progress.line)
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


def _tune_leaves(name: str, games: int, seed: int, out: Path | None, as_json: bool) -> None:
    """What leaves are worth, from games of the static player against itself."""
    import time

    from outplay.cli.progress import Interrupts
    from outplay.learning.leaves import learn_leaves, save_terms

    told = [time.perf_counter()]

    def progress(number: int, done: int, share: int) -> None:
        if time.perf_counter() - told[0] > 2:
            told[0] = time.perf_counter()
            tell(f"round {number + 1}: {done} of {share} games")

    file = out or Path("leaves.npz")
    with Interrupts() as interrupted:
        terms, report = learn_leaves(games, seed=seed, name=name, stop=interrupted.event, progress=progress)
        if interrupted.event.is_set():
            raise KeyboardInterrupt
    save_terms(terms, str(file))
    if as_json:
        return print_json({"out": str(file), **report})
    print(f"worths of leaves written to {file}, from {report['racks']:,} racks of {report['games']:,} games")
    print(f"play with it: tiles:static,leaves={file}")


def _tune_placements(name: str, games: int, seed: int, out: Path | None, as_json: bool) -> None:
    """Where ships live longest, from hunts of our own shooter."""
    from outplay.cli.progress import Interrupts
    from outplay.engine.fleets import Board
    from outplay.game import load
    from outplay.learning.placing import learn_placing, save_placing

    rules: Any = load(name, compiled=True).rules
    given = {**rules.definition.defaults, **rules.parameters}
    board = Board(given["width"], given["height"], [int(part) for part in given["fleet"].split("-")])
    file = out or Path("placements.npz")
    with Interrupts() as interrupted:
        laying, report = learn_placing(board, games, seed=seed, announced=given["sunk"],
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


def has_pawns(position: Any) -> bool:
    """Whether both sides of a position of chess have pawns: others are for the tables of endings."""
    state = position.game.record(position.state)
    return bool(int(state.pawns) & int(state.mine)) and bool(int(state.pawns) & ~int(state.mine))


def tune(game: TunedArgument, games: Games = None, nodes: Nodes = 3000, steps: Steps = 400, results: Results = 0.1, seed: Seed = 0,
         rounds: Rounds = 2, positions: Positions = None, depth: TuneDepth = None, probcut: ProbCut = False,
         margins: Margins = False, out: Out = None, save: Save = None, cluster: Cluster = None, as_json: AsJson = False) -> None:
    """Fit the weights of the evaluation to games of the engine against itself; of patterns, from the end of the game backwards."""
    if margins:
        return _tune_margins(game, positions or 60, depth or 7, seed, as_json)
    if probcut:
        return _tune_probcut(game, positions or 100, depth or 10, seed, out, as_json)
    if game.strip().lower().partition(":")[0] == "scrabble":
        return _tune_leaves(game, games or 12_000, seed, out, as_json)
    if game.strip().lower().partition(":")[0] == "battleships":
        return _tune_placements(game, games or 60_000, seed, out, as_json)
    import time

    import numpy as np

    from outplay.cli.progress import Interrupts
    from outplay.files import write_whole
    from outplay.game import load
    from outplay.games.chess import evaluation
    from outplay.learning import tuning

    games = 200 if games is None else games
    rules: Any = load(game, compiled=True)
    is_chess, names = rules.name.partition(":")[0] == "chess", getattr(rules.rules, "weight_names", ())
    if not is_chess and not names:
        return _tune_patterns(game, rounds, positions or 40_000, depth or 3, seed, out, as_json)
    if not 0 <= results <= 1:
        raise BadValue(f"--results must be from 0 to 1, got {results:g}")
    told = [time.perf_counter()]

    interrupts = Interrupts()

    def now_and_then(text: Callable[[], str]) -> None:
        if interrupts.event.is_set():
            raise KeyboardInterrupt
        if time.perf_counter() - told[0] > 2:
            told[0] = time.perf_counter()
            tell(text())

    def playing(number: int, kept: int) -> None:
        now_and_then(lambda: f"{number} of {games} games, {in_words_of_count(kept)} positions")

    def reckoning(done: int) -> None:
        now_and_then(lambda: f"features of {in_words_of_count(done)} of {in_words_of_count(len(sample.results))} positions")

    def fitting(step: int, error: float) -> None:
        now_and_then(lambda: f"step {step} of {steps}, mean squared error {error:.5f}")

    try:
        with interrupts:
            sample = tuning.sample(rules, games, nodes=nodes, seed=seed, is_fit=has_pawns if is_chess else None, progress=playing,
                                   stop=interrupts.event, address=cluster, folder=save)
            now_and_then(lambda: f"{in_words_of_count(len(sample.results))} positions")
            shares = tuning.features(rules, sample.states, progress=reckoning)
    except KeyboardInterrupt:
        tell(f"stopped; the same command goes on from {save}" if save else "stopped; with --save FOLDER the games would be kept")
        raise
    start = np.array(rules.default_weights(), np.float64)
    groups = evaluation.groups() if is_chess else [np.array([number]) for number in range(len(start))]
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
        named = (f'    "{name}": {weight:.1f},\n' for name, weight in zip(names, weights, strict=False))
        write_whole(out, evaluation.source_text(weights) if is_chess else "FEATURES = {\n" + "".join(named) + "}\n")
    if as_json:
        facts = {"positions": len(sample.results), "error_before": before, "error_after": after}
        return print_json({**facts, "out": str(out) if out else None})
    print(f"{in_words_of_count(len(sample.results))} positions: mean squared error {before:.5f} before, {after:.5f} after, on "
          "games that were not fitted" + (f"; written to {out}" if out else "; --out FILE writes the weights"))
