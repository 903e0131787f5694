"""Commands that keep house: `warm` compiles ahead, `bench` prints the tables of `benchmarks/`, `check` tests a game's rules."""

from __future__ import annotations

import dataclasses
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from outplay.cli.common import AsJson, GameName, Seed, console, print_json, tell

GameNames = Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help="Which games; default: all.")]

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
"""The folder of a checkout; an installed package has none."""


def warm(games: GameNames = None, as_json: AsJson = False) -> None:
    """Compile everything that games need, ahead of their first use."""
    from outplay.game import CompiledGame, game_names, load
    from outplay.players.algorithms import fitting

    loaded = [load(name) for name in games or game_names()]  # a wrong name is told before anything is compiled
    rows = []
    for game in loaded:
        begun = time.perf_counter()
        if isinstance(game, CompiledGame):
            _compile(game)
        rows.append({"game": game.name, "seconds": time.perf_counter() - begun, "algorithm": fitting(game)})
        if not as_json:
            console().print(f"{game.name:<24} {rows[-1]['seconds']:6.2f} s", markup=False)
    if as_json:
        print_json({"games": rows})


def _compile(game: Any) -> None:
    """Run once, on a small errand, each kernel that the commands use with this game."""
    from outplay.engine.perft import perft
    from outplay.players.algorithms import compile_rules, search
    from outplay.values import Limits

    compile_rules(game)
    perft(game.start(), 2)
    for _ in search(game.start(), limits=Limits(depth=2)):
        pass


def bench(
    tables: Annotated[list[str] | None, typer.Argument(metavar="[TABLE]...", help="Which tables; default: all.")] = None,
    as_json: AsJson = False,
) -> None:
    """Measure: run the tables under benchmarks/, each with a node count that changes only when a search does."""
    from outplay.errors import Unavailable, UnknownName

    folder = BENCHMARKS
    known = sorted(path.stem for path in folder.glob("*.py") if _has_main(path))
    if not known:
        raise Unavailable("bench needs the benchmarks/ folder of a checkout of the project; an installed package has none")
    for name in tables or ():
        if name not in known:
            raise UnknownName("table", name, known)
    answers = {}
    for name in tables or known:
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
    import contextlib
    import importlib.util
    import sys

    spec = importlib.util.spec_from_file_location(f"benchmarks.{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    with contextlib.redirect_stdout(sys.stderr) if quietly else contextlib.nullcontext():
        return module.main()


def check(
    game: GameName,
    games: Annotated[int, typer.Option("--games", metavar="N", help="Play this many random games.")] = 200,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Check that a game keeps the contract: random games, notation there and back, compiled like uncompiled."""
    from outplay.cli.progress import working
    from outplay.conformance import check_game
    from outplay.game import load

    loaded = load(game)
    with working(f"checking {loaded.name}", loaded.name, "Ctrl-C stops") as progress:
        report = check_game(loaded, games=games, seed=seed, progress=progress.games)
    if as_json:
        print_json({"ok": True, **dataclasses.asdict(report)})
        return
    console().print(str(report), markup=False)
