"""Commands that keep house: `warm` compiles ahead, `check` tests a game's rules."""

from __future__ import annotations

import contextlib
import dataclasses
import time
from collections.abc import Callable
from typing import Annotated, Any

from outplay.cli.commands import Argument, Exit, Option
from outplay.cli.common import AsJson, GameName, Seed, at_least, at_most, console, print_json, tell, whole_options
from outplay.cli.progress import working
from outplay.conformance import check_game
from outplay.engine.montecarlo.playouts import playouts
from outplay.engine.perft import perft
from outplay.engine.registry import first_look
from outplay.errors import OutplayError, Unavailable, Unsuitable
from outplay.game import CompiledGame, Game, game_names, load
from outplay.players.algorithms import algorithms, compile_rules, fitting, search
from outplay.values import Limits

GameNames = Annotated[list[str] | None, Argument(metavar="[GAME]...", help="Which games; default: all.")]


def warm(
    games: GameNames = None,
    everything: Annotated[bool, Option("--all", help="Every search that takes a game, not only what fits it best.")] = False,
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
            title, hint = f"warming {game.name} ({number} of {len(loaded)})", "Ctrl-C stops; what is compiled is kept"
            with working(title, game.name, hint) as progress:
                _compile(game, everything, progress.hear)
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
        raise Exit(2)


def _compile(game: Game, everything: bool, hear: Callable[[], None]) -> None:
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
                hear()


def author_line(stopped: BaseException, game: Any) -> str:
    """The method of the author's class, and its line, in which something was interrupted."""
    import inspect
    import traceback

    maker = getattr(getattr(game, "rules", None), "definition", None)
    file = inspect.getsourcefile(maker.maker if maker is not None else type(game))
    frames = [each for each in traceback.extract_tb(stopped.__traceback__) if each.filename == file]
    return f"{frames[-1].name}(), line {frames[-1].lineno} of {file}" if frames else ""


def check(
    game: GameName,
    games: Annotated[int, Option("--games", metavar="N", help="Play this many random games.")] = 200,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Check that a game keeps the contract: random games, notation there and back, compiled like uncompiled."""
    at_least("--games", 1, games)
    at_most("--games", 10**9, games)
    whole_options(seed=seed)
    loaded = load(game)
    try:
        with working(f"checking {loaded.name}", loaded.name, "Ctrl-C stops") as progress:
            report = check_game(loaded, games=games, seed=seed, progress=progress.games)
    except KeyboardInterrupt as stopped:
        if where := author_line(stopped, loaded):
            tell(f"stopped in {where}")
        raise
    if as_json:
        print_json({"ok": True, **dataclasses.asdict(report)})
        return
    console().print(str(report), markup=False)
