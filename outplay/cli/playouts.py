"""The command `playouts`: random games by the million, on the processor or on a GPU."""

from __future__ import annotations

from typing import Annotated

from outplay.cli.commands import Option
from outplay.cli.common import (
    ActionsText,
    AsJson,
    GameName,
    PositionText,
    Seed,
    Threads,
    at_least,
    at_most,
    in_words_of_count,
    position_of,
    print_json,
    seats,
    seconds_in_words,
    whole_options,
)


def playouts(
    game: GameName,
    position: PositionText = None,
    actions: ActionsText = None,
    games: Annotated[int, Option("--games", metavar="N", help="Play this many games.")] = 100_000,
    device: Annotated[str, Option("--device", metavar="cpu|cuda", help="Play them here.")] = "cpu",
    threads: Threads = 1,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Play random games to their end: what each player gets on average, and how fast."""
    from outplay.cli.progress import working
    from outplay.engine.montecarlo.branching import branching
    from outplay.engine.montecarlo.playouts import playouts as play

    start = position_of(game, position, actions)
    at_least("--games", 1, games)
    at_most("--games", 10**15, games)
    whole_options(threads=threads, seed=seed)
    if device == "cuda":
        from outplay.compiling.gpu import require

        require()  # before anything is compiled

    with working(f"random games of {start.game.name}", start.game.name, "Ctrl-C stops") as progress:
        play(start, 1)  # compiles, so that the speed below is that of playing
        progress.hear()
        played = play(start, games, seed, threads=threads, device=device, progress=lambda done: progress.games(done, games))
        wide = branching(start, min(games, 100), seed)  # the same games for the same seed
    if as_json:
        print_json({
            "game": start.game.name,
            "games": played.games,
            "moves": played.moves,
            "means": list(played.means),
            "errors": list(played.errors),
            "seconds": played.seconds,
            "games_per_second": played.games_per_second,
            "device": played.device,
            "threads": played.threads,
            "branching": wide.mean,
            "most_actions": wide.most,
            "branching_positions": wide.positions,
        })
        return
    for player, (mean, error) in enumerate(zip(played.means, played.errors, strict=True)):
        who = seats(start.game)[player]
        print(f"{who} gets {mean:+.4f} on average (95 %: {mean - 1.96 * error:+.4f} to {mean + 1.96 * error:+.4f})")
    where = "on the GPU" if played.device == "cuda" else f"on {played.threads} thread{'s' if played.threads > 1 else ''}"
    print(f"{in_words_of_count(played.games)} games of {played.moves / played.games:.1f} moves in "
          f"{seconds_in_words(played.seconds)} {where}: {in_words_of_count(played.games_per_second)} games a second")
    if wide.positions:
        where = f"in {in_words_of_count(wide.positions)} positions of {wide.games} of them"
        print(f"{wide.mean:.1f} actions in a position on average, {wide.most} at most ({where})")
