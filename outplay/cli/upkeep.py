"""Commands that keep house: `warm` compiles ahead, `bench` prints the tables of `benchmarks/`, `check` tests a game's rules."""

from __future__ import annotations

import contextlib
import dataclasses
import importlib.util
import inspect
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from outplay.cli.common import AsJson, GameName, Seed, at_least, at_most, console, print_json, tell, whole_options
from outplay.cli.progress import working
from outplay.conformance import check_game
from outplay.engine.perft import perft
from outplay.engine.playouts import playouts
from outplay.engine.registry import first_look
from outplay.errors import OutplayError, Unavailable, UnknownName, Unsuitable
from outplay.game import CompiledGame, Game, game_names, load
from outplay.players.algorithms import algorithms, compile_rules, fitting, search
from outplay.values import Limits

GameNames = Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help="Which games; default: all.")]

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
"""The folder of a checkout; an installed package has none."""


def warm(
    games: GameNames = None,
    everything: Annotated[bool, typer.Option("--all", help="Every search that takes a game, not only what fits it best.")] = False,
    as_json: AsJson = False,
) -> None:
    """Compile everything that games need, ahead of their first use."""
    loaded = [load(name) for name in games or game_names()]  # a wrong name is told before anything is compiled
    rows: list[dict[str, Any]] = []
    failed = False
    for number, game in enumerate(loaded, start=1):
        begun = time.perf_counter()
        row: dict[str, Any] = {"game": game.name, "algorithm": fitting(game)}
        try:
            with working(f"warming {game.name} ({number} of {len(loaded)})", game.name, "Ctrl-C stops; what is compiled is kept"):
                _compile(game, everything)
        except OutplayError as problem:
            row["problem"], failed = str(problem), True
        row["seconds"] = time.perf_counter() - begun
        rows.append(row)
        if not as_json:
            said = f"{game.name:<24} {row['seconds']:6.2f} s{'  ' + row['problem'] if 'problem' in row else ''}"
            console().print(said, markup=False)
    if as_json:
        print_json({"games": rows})
    if failed:
        raise typer.Exit(2)


def _compile(game: Game, everything: bool) -> None:
    """Run once, on a small errand, each kernel that the commands use with this game."""
    if not isinstance(game, CompiledGame):
        return
    compile_rules(game)
    start = game.start()
    if not game.traits.chance:
        perft(start, 2)
    with contextlib.suppress(Unsuitable):
        playouts(start, 1)
    wanted = [fitting(game)]
    if everything:
        wanted = [name for name, one in algorithms().items() if one.is_engine and one.why_not(game) is None]
    for name in wanted:
        short = name.rpartition(":")[2]
        limits = first_look(short) if name in algorithms() and algorithms()[name].is_engine else Limits(depth=1, nodes=1000)
        with contextlib.suppress(Unsuitable, Unavailable):
            for _ in search(start, name, limits, memory=1):
                pass


NAMED_ONLY = ("commands", "fuzz", "interrupts", "load", "soak")
"""Attacks and crowds: benchmarks that run only when they are named."""


def bench(
    tables: Annotated[list[str] | None, typer.Argument(metavar="[TABLE]...", help="Which tables; default: all.")] = None,
    as_json: AsJson = False,
) -> None:
    """Measure: run the tables under benchmarks/, each with a node count that changes only when a search does."""
    folder = BENCHMARKS
    known = sorted(path.stem for path in folder.glob("*.py") if _has_main(path))
    if not known:
        raise Unavailable("bench needs the benchmarks/ folder of a checkout of the project; an installed package has none")
    for name in tables or ():
        if name not in known:
            raise UnknownName("table", name, known)
    answers = {}
    for name in tables or [name for name in known if name not in NAMED_ONLY]:
        tell(f"-- {name}")
        try:
            answers[name] = _run_table(folder / f"{name}.py", as_json)
        except Unavailable as problem:  # no GPU, no package: the other tables still count
            tell(f"{name}: {problem}")
            answers[name] = None
    if as_json:
        print_json({"tables": answers})


def _has_main(path: Path) -> bool:
    return "\ndef main(" in path.read_text(encoding="utf-8")


def _run_table(path: Path, quietly: bool) -> Any:
    """Run one benchmark's main(); what it returns is its table for JSON, and what it prints then goes to standard error."""
    spec = importlib.util.spec_from_file_location(f"benchmarks.{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    needed = [one for one in inspect.signature(module.main).parameters.values() if one.default is one.empty]
    before, sys.argv = sys.argv, [str(path)]  # what it may read there is its own
    try:
        with contextlib.redirect_stdout(sys.stderr) if quietly else contextlib.nullcontext():
            return module.main(*([] for _ in needed))  # what it must be given is the list of words on its command line
    except SystemExit as leaving:
        if leaving.code:
            raise Unavailable(f"it wants words of its own: python {path} --help") from None
        return None
    except ImportError as problem:
        raise Unavailable(str(problem)) from None
    finally:
        sys.argv = before


def check(
    game: GameName,
    games: Annotated[int, typer.Option("--games", metavar="N", help="Play this many random games.")] = 200,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Check that a game keeps the contract: random games, notation there and back, compiled like uncompiled."""
    at_least("--games", 1, games)
    at_most("--games", 10**9, games)
    whole_options(seed=seed)
    loaded = load(game)
    with working(f"checking {loaded.name}", loaded.name, "Ctrl-C stops") as progress:
        report = check_game(loaded, games=games, seed=seed, progress=progress.games)
    if as_json:
        print_json({"ok": True, **dataclasses.asdict(report)})
        return
    console().print(str(report), markup=False)
