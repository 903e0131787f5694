"""The command `match`: two players, many games, a result with its error."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from outplay.cli.common import AsJson, GameName, PositionText, Seconds, Seed, at_least, console, position_of, print_json, tell
from outplay.cli.main import INTERRUPTED

PlayerName = Annotated[str, typer.Argument(metavar="PLAYER", help="Such as random, engine:time=0.1, mcts:simulations=500.")]


def match(
    game: GameName,
    first: PlayerName,
    second: PlayerName,
    games: Annotated[int, typer.Option("--games", metavar="N", help="How many games, two from each opening.")] = 20,
    time: Seconds = None,
    clock: Annotated[
        str | None, typer.Option("--clock", metavar="S+S", help="Seconds for a game and those a move brings: 10+0.1.")
    ] = None,
    position: PositionText = None,
    opening: Annotated[
        int | None, typer.Option("--opening", metavar="PLIES", help="How many random moves make an opening; default: 4, or fewer.")
    ] = None,
    seed: Seed = 0,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="FILE", help="Append each game as a line of JSON; go on from what is there.")
    ] = None,
    export: Annotated[
        Path | None, typer.Option("--export", metavar="FILE", help="Append each game as PGN (chess, F.pgn) or SGF (Go, F.sgf).")
    ] = None,
    sprt: Annotated[
        str | None, typer.Option("--sprt", metavar="LOW,HIGH", help="Stop once the first is shown HIGH Elo stronger, or only LOW.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play a match between two players, with the sides changed after each opening. Ctrl-C keeps what was played."""
    start = position_of(game, position, None)
    at_least("--games", 1, games)
    at_least("--opening", 0, opening or 0)

    from outplay.arena.export import writer
    from outplay.arena.match import match as play_match
    from outplay.arena.match import read, tally
    from outplay.arena.match import save as save_record
    from outplay.cli.progress import Interrupts, working
    from outplay.players import player
    from outplay.values import Limits

    test, seconds = _sprt(sprt), _clock(clock)
    written = writer(export, start.game) if export is not None else None
    players = [player(first, seed=seed), player(second, seed=seed + 1)]
    records = read(save) if save is not None and save.exists() else []
    _fits(records, start.game.name, first, second, save)
    interrupted = False
    hint = "Ctrl-C stops and keeps the games"
    with Interrupts() as interrupts, working(f"{first} against {second}", start.game.name, hint) as progress:
        try:
            limits = Limits(seconds=time) if time is not None else None
            for record in play_match(
                start.game, players, games=games, limits=limits, clock=seconds, opening_plies=opening, seed=seed, start=start,
                done=len(records), stop=interrupts.event,
            ):
                records.append(record)
                if save is not None:
                    save_record(record, save)
                if export is not None and written is not None:
                    with export.open("a", encoding="utf-8") as file:
                        file.write(written(record) + "\n")
                if record.reason:
                    progress.line(f"game {len(records)}: {record.reason}")
                now = tally(records, first)
                progress.note = f"{len(records)} of {games} games: {now.wins} won, {now.draws} drawn, {now.losses} lost"
                if test is not None and len(records) % 2 == 0 and test.verdict(now) is not None:
                    break
        except KeyboardInterrupt:
            pass
        finally:
            interrupted = interrupts.event.is_set()
            for each in players:
                getattr(each, "close", lambda: None)()
    _report(records, start.game.name, first, second, test, as_json)
    if interrupted:
        tell(f"stopped after {len(records)} of {games} games" + (f"; the same command goes on from {save}" if save else ""))
        raise typer.Exit(INTERRUPTED)


def _sprt(text: str | None) -> Any:
    if text is None:
        return None
    from outplay.arena.elo import Sprt
    from outplay.errors import BadValue

    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise BadValue(f"--sprt must be two Elo differences such as 0,10, got {text!r}") from None
    if low >= high:
        raise BadValue(f"--sprt: the first difference must be below the second, got {text}")
    return Sprt(low, high)


def _clock(text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    from outplay.errors import BadValue

    whole, _, more = text.partition("+")
    try:
        found = float(whole), float(more or 0)
    except ValueError:
        found = (0.0, 0.0)
    if not (0 < found[0] < float("inf") and 0 <= found[1] < float("inf")):
        raise BadValue(f"--clock must be seconds such as 10+0.1, got {text!r}")
    return found


def _fits(records: list[Any], game: str, first: str, second: str, save: Path | None) -> None:
    from outplay.errors import BadValue

    for record in records[:1]:
        if record.game != game or set(record.players) != {first, second}:
            raise BadValue(f"{save} holds games of {' and '.join(record.players)} at {record.game}: save this match elsewhere")


def _report(records: list[Any], game: str, first: str, second: str, test: Any, as_json: bool) -> None:
    from outplay.arena.elo import elo
    from outplay.arena.match import points_a_game, tally

    result = tally(records, first)
    strength = elo(result)
    points, reach = points_a_game(records)
    reasons = [record.reason for record in records if record.reason]
    verdict = test.verdict(result) if test is not None else None
    if as_json:
        print_json({
            "game": game, "first": first, "second": second, "games": result.games, "wins": result.wins, "draws": result.draws,
            "losses": result.losses, "score": result.score, "elo": strength.difference, "error": strength.error,
            "points": points, "points_error": reach if len(records) > 1 else None, "reasons": reasons, "sprt": verdict,
        })  # fmt: skip
        return
    out = console()
    out.print(f"{first}: {result.wins} won, {result.draws} drawn, {result.losses} lost of {result.games} against {second}")
    out.print(f"score {result.score:.1%}, Elo {strength.difference:+.0f} ± {strength.error:.0f} (95 %)")
    if len({abs(points) for record in records for points in record.outcome.utilities} - {0.0}) > 1:  # a win can be worth more
        out.print(f"{points:+.3f} points a game (95 %: {points - reach:+.3f} to {points + reach:+.3f})")
    if test is not None:
        out.print(f"{first} is {verdict}" if verdict else "the question is still open: play more games")
    if reasons:
        out.print(f"{len(reasons)} games ended before the rules' own end; the last: {reasons[-1]}")
