"""The command `learn`: a network learns a game by AlphaZero's recipe, temporal differences, as NNUE, or how to shoot ships."""

from __future__ import annotations

from typing import Annotated, Any

from outplay.cli.commands import Option
from outplay.cli.common import AsJson, Cluster, GameName, Threads, at_least, print_json, seconds_in_words
from outplay.cli.progress import working
from outplay.errors import UnknownName

Out = Annotated[str, Option("--out", metavar="RUN", help="The folder of the run; one that exists goes on.")]
Recipe = Annotated[str | None, Option("--recipe", metavar="alphazero|td|nnue|shooting",
                                            help="How to learn; left out, what fits the game.")]
Time = Annotated[str, Option("--time", metavar="T", help="How long, such as 90s, 10m or 1h.")]
Device = Annotated[str, Option("--device", metavar="cpu|cuda", help="Where games are played and the network learns.")]
Set = Annotated[list[str] | None, Option("--set", metavar="KEY=VALUE", help="A setting of the recipe, such as blocks=4.")]
Against = Annotated[list[str] | None, Option("--against", metavar="PLAYER", help="Measure it against this one as it goes.")]
Games = Annotated[int, Option("--games", metavar="N", help="At most so many games in each of these matches; 0: none.")]


def learn(
    game: GameName,
    out: Out,
    recipe: Recipe = None,
    time: Time = "10m",
    device: Device = "cpu",
    threads: Threads = 1,
    settings: Set = None,
    against: Against = None,
    games: Games = 40,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Learn a game from nothing but its rules; the network plays as net:RUN/FILE. Ctrl-C keeps what is learned."""
    from outplay.learning import recipes

    if device not in ("cpu", "cuda"):
        raise UnknownName("device", device, ("cpu", "cuda"))
    at_least("--threads", 1, threads)
    at_least("--games", 0, games)
    seconds = recipes.seconds_of(time)
    with working(f"learning {game}", game, "Ctrl-C stops and keeps what is learned") as progress:
        assert progress.interrupts is not None

        def tell(report: dict[str, Any]) -> None:
            progress.note = ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in report.items() if key != "seconds")

        try:
            report = recipes.learn(game, out, recipe=recipe, seconds=seconds, device=device, threads=threads,
                                   settings=settings or (), against=against, match_games=games, cluster=cluster, tell=tell,
                                   stop=progress.interrupts.event)
            progress.hear()
        except KeyboardInterrupt:
            progress.line(f"stopped: {out} holds what was learned up to its last checkpoint")
            raise
    if as_json:
        print_json(report)
        return
    print(f"network  {report['checkpoint']}")
    print(f"games    {report['games']:,} of self-play in {seconds_in_words(report['seconds'])}")
    if "elo" in report:
        print(f"Elo      {report['elo']:+} since the run began, by games against its own past")
    print(f"curve    {out}/index.html")
    print(f"play it  outplay play {game} --against net:{report['checkpoint']}")
