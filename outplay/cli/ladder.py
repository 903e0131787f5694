"""The commands `ladder` and `rate`: how strong the players of a game are, on one scale."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from outplay.cli.commands import Argument, Exit, Option
from outplay.cli.common import AsJson, Cluster, GameName, Seed, at_least, console, print_json, print_table, tell
from outplay.cli.main import INTERRUPTED

if TYPE_CHECKING:
    from outplay.arena.ladder import Ladder, Rated
    from outplay.cli.progress import Progress
    from outplay.game import Game

LadderFile = Annotated[
    Path | None, Option("--ladder", metavar="FILE", help="A ladder of your own, as `outplay ladder GAME --make` writes it.")
]
MoveSeconds = Annotated[float, Option("--time", metavar="S", min=0.001, help="Seconds a move, at most.")]


def ladder(
    game: GameName,
    make: Annotated[bool, Option("--make", help="Play the ladder: each player against its neighbours.")] = False,
    players: Annotated[
        str | None, Option("--players", metavar="A;B", help="With --make: who stands on it, the weakest first; parted by ;.")
    ] = None,
    games: Annotated[int, Option("--games", metavar="N", help="With --make: games of each pair.")] = 40,
    time: MoveSeconds = 0.1,
    seed: Seed = 0,
    out: Annotated[
        Path | None, Option("--out", metavar="FILE", help="With --make: the file; what it holds already is gone on with.")
    ] = None,
    file: LadderFile = None,
    as_json: AsJson = False,
) -> None:
    """Show how strong the players of a game are: Elo on a scale with random at 0. With --make, play for it."""
    from outplay.arena import ladder as ladders
    from outplay.errors import BadValue
    from outplay.game import load
    from outplay.players import starts_a_program

    loaded = load(game)
    if not make:
        _show(ladders.ladder_of(loaded, file), as_json)
        return
    import datetime

    from outplay.cli.progress import working

    at_least("--games", 1, games)
    names = [name.strip() for name in players.split(";")] if players else ladders.usual_players(loaded)
    begun = ladders.ladder_of(loaded, out) if out is not None and out.is_file() else None
    if begun is not None and players and begun.names != names:
        raise BadValue(f"{out} is a ladder of other players: {'; '.join(begun.names)}")
    if begun is not None and not players and (programs := [name for name in begun.names if starts_a_program(name)]):
        raise BadValue(f"{out} names programs, which no file starts: name all players by --players to go on ({programs[0]}, ...)")
    made = begun
    with working("ladder", loaded.name, "Ctrl-C stops and keeps what was played", keeps=True) as progress:
        assert progress.interrupts is not None
        try:
            stop = progress.interrupts.event
            for made in ladders.make(loaded, names, games=games, seconds=time, seed=seed, stop=stop, begun=begun):
                made.command = f"outplay ladder {game!r} --make --games {games} --time {time:g} --seed {seed}"
                made.date = datetime.date.today().isoformat()
                with progress.interrupts.held():
                    if out is not None:
                        made.save(out)
                progress.note = f"{len(made.met)} pairs"
        except KeyboardInterrupt:
            pass
    if made is None:
        tell("stopped before a pair had played")
        raise Exit(INTERRUPTED)
    _show(made, as_json)
    if out is not None:
        tell(f"kept in {out}; `outplay rate {shlex.quote(game)} PLAYER --ladder {shlex.quote(str(out))}` rates by it")
    _end(progress)


LITTLE = 40.0
"""Points from level to level below which luck decides more than the level does."""


def _show(found: Ladder, as_json: bool) -> None:
    from outplay.arena.elo import expected

    rungs, anchored, step, deals = list(reversed(found.rungs())), found.offset(), found.step(), found.deals
    if as_json:
        other = {"scale": found.scale, "offset": anchored[0], "spread": anchored[1]} if anchored else None
        told = {"game": found.game, "command": found.command, "date": found.date, "anchored": other, "step": step, "deals": deals}
        print_json({**told, "players": [
            {"name": rung.name, "elo": round(rung.elo, 1), "error": round(rung.error, 1), "games": rung.games} for rung in rungs
        ]})  # fmt: skip
        return
    rows = [(rung.name, f"{rung.elo:+.0f}", f"± {rung.error:.0f}", str(rung.games)) for rung in rungs]
    print_table(("player", "Elo", "95 %", "games"), rows, right=("Elo", "games"))
    console().print("random is 0; a hundred points more win 64 of a hundred"
                    + (f"; made on {found.date} by {found.command}" if found.command else ""), markup=False, highlight=False)
    if deals > 1:
        console().print(f"a result is {2 * deals} hands, {deals} deals from both sides: whoever got more of them together has won")
    if step is not None:
        luck = ": there is little more to be won by skill" if step < LITTLE else ""
        console().print(f"a level wins about {100 * expected(-step):.0f} of a hundred against the next, which stands {step:.0f} "
                        f"points higher{luck}", markup=False, highlight=False)  # fmt: skip
    if anchored:
        console().print(f"{found.scale} is this scale {anchored[0]:+.0f}, as {len(found.anchors)} players say"
                        + (f" (± {anchored[1]:.0f})" if len(found.anchors) > 1 else ""), markup=False, highlight=False)  # fmt: skip


def rate(
    game: GameName,
    player: Annotated[str, Argument(metavar="PLAYER", help="Any player, such as engine:depth=4 or program:COMMAND.")],
    games: Annotated[int, Option("--games", metavar="N", help="How many games at most; at poker, of so many deals each.")] = 60,
    error: Annotated[float, Option("--error", metavar="ELO", min=1, help="Stop once the rating is known so well.")] = 50.0,
    time: MoveSeconds = 0.1,
    seed: Seed = 0,
    file: LadderFile = None,
    save: Annotated[
        Path | None, Option("--save", metavar="FILE", help="Keep each game as a line of JSON; go on from what is there.")
    ] = None,
    nodes: Annotated[int, Option("--nodes", metavar="N", help="Judge moves by so many nodes; 0: not.")] = 2000,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Rate any player on a game's ladder: each game against whoever tells most, until the rating is known well enough."""
    from outplay.arena import ladder as ladders
    from outplay.arena.match import read
    from outplay.arena.match import save as save_record
    from outplay.cli.progress import working
    from outplay.game import load
    from outplay.players import player as named

    at_least("--games", 2, games)
    loaded = load(game)
    rungs = ladders.ladder_of(loaded, file)
    who = named(player, seed=seed)
    known, names = [], []
    for record in read(save) if save is not None and save.is_file() else ():
        seats = [seat for seat, name in enumerate(record.players) if name == who.name]
        others = [name for name in record.players if name != who.name]
        if record.game == loaded.name and seats and others and record.outcome is not None:
            known.append((ladders.side_points(record, loaded, loaded.side(seats[0])), record, seats[0]))
            names.append(others[0])
    done = list(zip(names, ladders.told_points(loaded, known, rungs.deals), strict=False))
    told: Rated | None = None
    kept = 0
    with working(f"rating {who.name}", loaded.name, "Ctrl-C stops and keeps the games", keeps=True) as progress:
        assert progress.interrupts is not None
        try:
            for told in ladders.rate(loaded, who, rungs, games=games, wanted=error, seconds=time, seed=seed,
                                     stop=progress.interrupts.event, done=done, without=(who.name,), cluster=cluster):
                with progress.interrupts.held():
                    if save is not None:
                        for record in told.records[kept:]:
                            save_record(record, save)
                    kept = len(told.records)
                progress.note = f"{told.games} games: {told.elo:+.0f} ± {told.error:.0f}"
        except KeyboardInterrupt:
            pass
        finally:
            getattr(who, "close", lambda: None)()
    if told is None:
        tell("stopped before a pair of games was played")
        raise Exit(INTERRUPTED)
    loss = _lost_a_move(loaded, told, nodes) if nodes else None
    if as_json:
        print_json({"game": loaded.name, "player": who.name, "elo": round(told.elo, 1), "error": round(told.error, 1),
                    "games": told.games, "illegal": told.illegal, "loss": loss, "seconds_a_move": told.seconds,
                    "luck_taken_off": round(told.taken_off, 3),
                    "met": [{"name": name, "points": points} for name, points in told.points]})  # fmt: skip
        return _end(progress)
    screen = console()
    screen.print(f"{who.name}: {told.elo:+.0f} ± {told.error:.0f} Elo after {told.games} games (random is 0)", markup=False)
    if told.illegal:
        screen.print(f"{told.illegal} games were lost by an illegal answer, a failure or the clock", markup=False)
    if loss is not None:
        screen.print(f"its moves gave away {loss:.3f} of a game on average, as a search of {nodes:,} nodes judges", markup=False)
    if told.seconds is not None:
        screen.print(f"it thought {told.seconds:.3g} s about a move on average", markup=False)
    if told.taken_off >= 0.005:
        luck = f"{100 * told.taken_off:.0f} % of what the results spread was the luck of errors: it is taken off"
        screen.print(luck, markup=False)
    if ladders.pays_amounts(loaded):
        together = f", and {rungs.deals} deals together are one result" if rungs.deals > 1 else ""
        screen.print(f"each deal was played from both sides, so that cards and dice decide little{together}", markup=False)
    _end(progress)


def _end(progress: Progress) -> None:
    """Leave as Ctrl-C asked, if it was pressed."""
    if progress.interrupts is not None and progress.interrupts.event.is_set():
        raise Exit(INTERRUPTED)


JUDGED = 4
"""Games of a rating whose moves are judged: the last ones, against players of its own strength."""


def _lost_a_move(game: Game, told: Rated, nodes: int) -> float | None:
    """The share of winning that a player's moves gave away on average, in a few games; None where nobody can judge them."""
    from outplay.judge.review import can_review, review

    given: list[float] = []
    if can_review(game.start()) or game.traits.information == "hidden":
        return None
    for record, seat in list(zip(told.records, told.seats, strict=True))[-JUDGED:]:
        found = review(game.position(record.start), record.actions, nodes=nodes)
        given += [move.given for move in found.moves if move.player == seat and move.verdict != "forced"]
    return sum(given) / len(given) if given else None
