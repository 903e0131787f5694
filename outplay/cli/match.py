"""The command `match`: two players or many, alone or at one table, many games, and a result with its error."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter as clock_now
from typing import TYPE_CHECKING, Annotated, Any

from outplay import extras
from outplay.cli.commands import Argument, Exit, Option
from outplay.cli.common import (
    AsJson,
    Cluster,
    GameName,
    PositionText,
    Seconds,
    Seed,
    at_least,
    complete_player,
    console,
    position_of,
    print_json,
    sprt_of,
    tell,
)
from outplay.cli.main import INTERRUPTED
from outplay.errors import BadValue, UnknownName

if TYPE_CHECKING:
    from outplay.arena.elo import Sprt
    from outplay.values import Record

PlayerNames = Annotated[
    list[str],
    Argument(metavar="PLAYER...", help="Such as random, engine:time=0.1, mcts:simulations=500; @FILE: one a line.",
                   autocompletion=complete_player),
]
NOTE_SECONDS = 0.2
FORMATS = ("round-robin", "gauntlet")


def match(
    game: GameName,
    players: PlayerNames,
    games: Annotated[int, Option("--games", metavar="N", help="How many games at each table.")] = 20,
    time: Seconds = None,
    clock: Annotated[
        str | None, Option("--clock", metavar="S+S", help="Seconds for a game and those a move brings: 10+0.1.")
    ] = None,
    position: PositionText = None,
    opening: Annotated[
        int | None, Option("--opening", metavar="PLIES", help="How many random moves make an opening; default: 4, or fewer.")
    ] = None,
    deck: Annotated[
        bool, Option("--deck", help="Checkers: the 156 openings of the three-move deck, one after the other.")
    ] = False,
    kind: Annotated[
        str, Option("--format", metavar="F", help="With more players than seats: round-robin, or gauntlet.")
    ] = "round-robin",
    seed: Seed = 0,
    save: Annotated[
        Path | None, Option("--save", metavar="FILE", help="Append each game as a line of JSON; go on from what is there.")
    ] = None,
    export: Annotated[
        Path | None, Option("--export", metavar="FILE", help="Append each game as PGN (chess, F.pgn) or SGF (Go, F.sgf).")
    ] = None,
    report: Annotated[
        Path | None, Option("--report", metavar="FILE", help="Write a page with standings, crosstable and chart.")
    ] = None,
    sprt: Annotated[
        str | None, Option("--sprt", metavar="LOW,HIGH", help="Stop once the first is shown HIGH Elo stronger, or only LOW.")
    ] = None,
    boards: Annotated[
        int | None, Option("--boards", metavar="N", help="Bridge: a team match of so many boards, in IMPs.")
    ] = None,
    hands: Annotated[
        int | None, Option("--hands", metavar="N", help="Hold'em: a session of so many hands, stacks carried over.")
    ] = None,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Play a match or a tournament; each opening is played from every seat. Ctrl-C keeps what was played."""
    if boards is not None:
        from outplay.game import load

        own = extras.of(load(game, compiled=False))
        if not own.teams:
            having = ", ".join(each.game for each in extras.every() if each.teams)
            raise BadValue(f"--boards is for games that are played in teams ({having}), got {game}")
        own.fetch(own.teams)(game, read_names(players), at_least("--boards", 1, boards), seed, as_json)
        return
    if hands is not None:
        from outplay.game import load

        own = extras.of(load(game, compiled=False))
        if not own.session:
            having = ", ".join(each.game for each in extras.every() if each.session)
            raise BadValue(f"--hands is for games that are played hand after hand ({having}), got {game}")
        own.fetch(own.session)(game, read_names(players), at_least("--hands", 1, hands), seed, save, as_json)
        return
    start = position_of(game, position, None)
    at_least("--games", 1, games)
    at_least("--opening", 0, opening or 0)
    own = extras.of(start.game)
    openings: Any = own.fetch(own.deck)() if deck and own.deck else ()
    is_theirs = bool(openings) and openings[0].game.name == start.game.name
    if deck and (not is_theirs or position or opening is not None or cluster is not None):
        having = ", ".join(each.game for each in extras.every() if each.deck)
        raise BadValue(f"--deck is for games with a deck of openings ({having}), from the start, without --opening and --cluster")

    from outplay.arena.match import read
    from outplay.arena.match import save as save_record
    from outplay.arena.report import report as page
    from outplay.arena.tournament import schedule, tournament
    from outplay.cli.progress import working
    from outplay.files import write_whole
    from outplay.formats.games import writer
    from outplay.players import player
    from outplay.playing import parse_clock
    from outplay.values import Limits

    names = read_names(players)
    if kind not in FORMATS:
        raise UnknownName("format", kind, FORMATS)
    rounds = schedule(len(names), start.game.players, games, kind == "gauntlet")
    test = _sprt(sprt, names, start.game.players)
    try:
        seconds = parse_clock(clock) if clock is not None else None
    except BadValue as problem:
        raise BadValue(str(problem).replace("a clock must", "--clock must")) from None
    written = writer(export, start.game) if export is not None else None
    records: list[Record] = read(save) if save is not None and save.is_file() else []
    _fits(records, start.game.name, rounds, names, save)
    if save is not None and save.is_dir():
        raise BadValue(f"cannot write {save}: it is a folder")
    seated: list[Any] = []
    limits = Limits(seconds=time) if time is not None else None
    interrupted, total, told = False, len(rounds), 0.0
    title = " against ".join(names) if len(names) < 3 else f"{len(names)} players"
    with working(title, start.game.name, "Ctrl-C stops and keeps the games", keeps=True) as progress:
        assert progress.interrupts is not None
        stop = progress.interrupts.event
        try:
            for number, name in enumerate(names):
                seated.append(player(name.partition(TWIN)[0], seed=seed + number))
                seated[-1].name = name
            options: dict[str, Any] = {"games": games, "gauntlet": kind == "gauntlet", "clock": seconds, "opening_plies": opening,
                                       "seed": seed, "start": start, "done": len(records), "stop": stop}  # fmt: skip
            if cluster is None:
                stream = tournament(start.game, seated, limits=limits, openings=openings, **options)
            else:
                from outplay.arena import cluster as machines
                from outplay.arena.match import check

                check(start.game, seated, start)  # a player that cannot play is refused at home
                texts = [name.partition(TWIN)[0] for name in names]
                stream = machines.tournament(start.game, texts, shown=names, address=cluster, seconds=time, **options)
            for record in stream:
                with progress.interrupts.held():
                    records.append(record)
                    if save is not None:
                        save_record(record, save)
                    if written is not None:
                        written(record)
                if record.reason:
                    progress.line(f"game {len(records)}: {record.reason}")
                if clock_now() - told > NOTE_SECONDS:
                    told = clock_now()
                    progress.note = f"{len(records)} of {total} games: {_so_far(records, names)}"
                if test is not None and len(records) % 2 == 0 and _verdict(test, records, names) is not None:
                    break
        except KeyboardInterrupt:
            pass
        finally:
            interrupted = stop.is_set()
            for each in seated:
                getattr(each, "close", lambda: None)()
    if report is not None:
        write_whole(report, page(start.game.name, records, names))
    if len(names) == 2 and start.game.players == 2:
        _report_match(records, start.game.name, names, test, as_json)
    else:
        _report_field(records, start.game.name, names, as_json)
    if interrupted:
        tell(f"stopped after {len(records)} of {total} games" + (f"; the same command goes on from {save}" if save else ""))
        raise Exit(INTERRUPTED)


TWIN = " #"
"""What tells a player from another of the same name."""


def read_names(players: list[str]) -> list[str]:
    """The players' names: those of `@FILE` stand one a line, after # comes a remark; a second one of a name is told apart."""
    given: list[str] = []
    for text in players:
        if not text.startswith("@"):
            given.append(text.strip())
            continue
        try:
            lines = Path(text[1:]).read_text(encoding="utf-8", errors="replace").splitlines()
        except (OSError, ValueError) as problem:
            raise BadValue(f"cannot read {text[1:]!r}: {getattr(problem, 'strerror', None) or problem}") from None
        given += [name for line in lines if (name := line.partition("#")[0].strip())]
    if len(given) == 2:
        return given  # a player may meet itself
    return [name if name not in given[:at] else f"{name}{TWIN}{given[:at].count(name) + 1}" for at, name in enumerate(given)]


def _sprt(text: str | None, names: list[str], seats: int) -> Sprt | None:
    if text is None:
        return None
    if len(names) != 2 or seats != 2:
        raise BadValue(f"--sprt compares two players in a game of two, got {len(names)} players")
    return sprt_of(text)


def _fits(records: list[Record], game: str, rounds: Sequence[Any], names: list[str], save: Path | None) -> None:
    """Refuse to go on with games that are not those of this match."""
    for record, each in zip(records, rounds, strict=False):
        if record.game != game or record.players != tuple(names[player] for player in each.seats):
            raise BadValue(f"{save} holds games of {' and '.join(record.players)} at {record.game}: save this match elsewhere")


def _verdict(test: Any, records: list[Record], names: list[str]) -> str | None:
    from outplay.arena.match import tally

    return test.verdict(tally(records, names[0]))


def _so_far(records: list[Record], names: list[str]) -> str:
    from outplay.arena.match import tally
    from outplay.arena.tournament import standings

    if len(names) == 2 and len(records[0].players) == 2:
        now = tally(records, names[0])
        return f"{now.wins} won, {now.draws} drawn, {now.losses} lost"
    first = standings(records, names)[0]
    return f"{first.name} leads"


def _report_match(records: list[Record], game: str, names: list[str], test: Any, as_json: bool) -> None:
    from outplay.arena.elo import elo, pentanomial
    from outplay.arena.match import points_a_game, tally

    first, second = names
    result = tally(records, first)
    strength = elo(result)
    points, reach = points_a_game(records)
    reasons = [record.reason for record in records if record.reason]
    verdict = test.verdict(result) if test is not None else None
    if as_json:
        why = None if test is None else {"low": test.low, "high": test.high, "ratio": test.ratio(result), "bound": test.bound,
                                         "told": test.told(result)}  # fmt: skip
        print_json({
            "game": game, "first": first, "second": second, "games": result.games, "wins": result.wins, "draws": result.draws,
            "losses": result.losses, "score": result.score, "elo": strength.difference, "error": strength.error,
            "pairs": pentanomial(result), "points": points, "points_error": reach if len(records) > 1 else None,
            "reasons": reasons, "sprt": verdict, "test": why,
        })  # fmt: skip
        return
    out = console()
    out.print(f"{first}: {result.wins} won, {result.draws} drawn, {result.losses} lost of {result.games} against {second}")
    out.print(f"score {result.score:.1%}, Elo {strength}" + (" (95 %)" if math.isfinite(strength.error) else ""))
    if len(result.pairs) > 1:
        out.print("pairs of games with 0, 1/2, 1, 3/2 and 2 points: " + ", ".join(map(str, pentanomial(result))))
    if len({abs(points) for record in records if record.outcome for points in record.outcome.utilities} - {0.0}) > 1:
        out.print(f"{points:+.3f} points a game (95 %: {points - reach:+.3f} to {points + reach:+.3f})")  # a win can be worth more
    if test is not None:
        out.print(f"{first} is {verdict}" if verdict else "the question is still open: play more games")
        out.print(test.told(result))
    _print_reasons(out, reasons)


def _report_field(records: list[Record], game: str, names: list[str], as_json: bool) -> None:
    """Standings and, where games are duels, the crosstable."""
    from outplay.arena.tournament import standings
    from outplay.cli.common import print_table

    rows = standings(records, names)
    reasons = [record.reason for record in records if record.reason]
    if as_json:
        told = [{"name": row.name, "games": row.games, "points": row.points, "score": row.score, "utility": row.average,
                 "elo": None if row.elo is None else row.elo.difference, "error": None if row.elo is None else row.elo.error,
                 "against": {other: {"points": points, "games": played} for other, (points, played) in row.against.items()}}
                for row in rows]  # fmt: skip
        return print_json({"game": game, "games": len(records), "players": told, "reasons": reasons})
    alone = not any(row.against for row in rows)
    columns = ["", "player", "games"] + ([] if alone else ["points", "score", "Elo"]) + ["utility"]
    shown = []
    for place, row in enumerate(rows, start=1):
        elo = "" if row.elo is None else str(row.elo)
        cells = [str(place), row.name, str(row.games)] + ([] if alone else [f"{row.points:g}", f"{row.score:.1%}", elo])
        duels = [] if alone else ["" if other.name == row.name or other.name not in row.against else
                                  "{:g}/{}".format(*row.against[other.name]) for other in rows]  # fmt: skip
        shown.append([*cells, f"{row.average:+.3f}", *duels])
    columns += [] if alone else [str(place) for place in range(1, len(rows) + 1)]
    print_table(columns, shown, right=("games", "points", "score", "utility"))
    _print_reasons(console(), reasons)


def _print_reasons(out: Any, reasons: list[str]) -> None:
    if reasons:
        out.print(f"{len(reasons)} games ended before the rules' own end; the last: {reasons[-1]}", markup=False)
