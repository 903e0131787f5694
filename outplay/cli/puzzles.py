"""`outplay puzzles GAME`: positions with one best action, proved; `outplay puzzles check FILE` proves all of a file again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

from outplay.cli.commands import Argument, Exit, Option
from outplay.cli.common import AsJson, Seed, at_least, print_json, print_table, tell
from outplay.cli.main import INTERRUPTED
from outplay.errors import BadValue
from outplay.names import family

What = Annotated[str, Argument(metavar="GAME|check", help="The game to make puzzles of, or: check.")]
CheckFile = Annotated[Path | None, Argument(metavar="[FILE]", help="With check: the file to prove all over again.")]
Games = Annotated[Path | None, Option("--games", metavar="FILE", help="Cut them from the games of this file.")]
Own = Annotated[int | None, Option("--own", metavar="N", help="Cut N puzzles from games of our own.")]
Also = Annotated[
    Path | None, Option("--also", metavar="FILE", help="The puzzles of this file, too, before the new ones: none of them twice.")
]
Out = Annotated[Path | None, Option("--out", metavar="FILE", help="Write them, as JSON.")]
Nodes = Annotated[int, Option("--nodes", metavar="N", help="Nodes for each position; proofs get ten times as many.")]
Most = Annotated[int, Option("--most", metavar="N", help="No more than so many puzzles of a file of games.")]


def puzzles(
    what: What,
    file: CheckFile = None,
    games: Games = None,
    own: Own = None,
    also: Also = None,
    out: Out = None,
    nodes: Nodes = 20_000,
    most: Most = 200,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Make puzzles: from anybody's games, or from our own; each proved, rated and with the refutations of tempting tries."""
    at_least("--nodes", 100, nodes)
    if what == "check":
        _check(file, nodes, as_json)
        return
    if file is not None:
        raise BadValue(f"outplay puzzles takes one game, or: check FILE; got {what!r} and {str(file)!r}")
    if (games is None) == (own is None):
        raise BadValue("give --games FILE, the games to cut puzzles from, or --own N, so many puzzles of our own games")
    from outplay.cli.progress import working
    from outplay.game import load
    from outplay.judge import puzzles as room
    from outplay.judge.worth import Stopped

    game = load(what)
    wanted = most if own is None else own
    at_least("--own" if own is not None else "--most", 1, wanted)
    known = [] if also is None else room.read(also)
    found: list[Any] = known
    was_stopped = False
    with working("puzzles", game.name, "Ctrl-C stops and keeps what is found", keeps=True) as progress:
        assert progress.interrupts is not None
        stop = progress.interrupts.event

        def kept(so_far: list[Any]) -> None:
            nonlocal found
            assert progress.interrupts is not None
            found = sorted([*known, *so_far], key=room.by_rating)
            with progress.interrupts.held():
                if out is not None:
                    room.write(out, found)

        def told(done: int, found: int) -> None:
            progress.note = f"{found} of {wanted} puzzles, {done} games"
            progress.hear()

        source: Iterator[Any]
        if games is not None:
            source = _in_file(games, game)
        else:
            source = ((game.start(), each) for each in room.own_games(game, 30 * wanted, seed, stop=stop))
        try:
            made = room.make(game, source, wanted, nodes, stop=stop, told=told, kept=kept, known=known)
            found = sorted([*known, *made], key=room.by_rating)
        except (KeyboardInterrupt, Stopped):
            was_stopped = True
    if out is not None and not was_stopped:
        room.write(out, found)
    if as_json:
        print_json({"game": game.name, "puzzles": [asdict(each) for each in found], "out": None if out is None else str(out)})
    else:
        rows = [(str(each.rating), each.kind, each.solution[0], each.position) for each in found]
        print_table(("rating", "kind", "solution", "position"), rows, right=("rating",))
        where = f" written to {out}" if out is not None and (found or not was_stopped) else ""
        tell(f"{'stopped: ' if was_stopped else ''}{len(found)} puzzles{where}")
    if was_stopped:
        raise Exit(INTERRUPTED)


def _in_file(path: Path, game: Any) -> Iterator[Any]:
    """The games of a file that are of this game, each with its start."""
    from outplay.formats import games as formats

    for part in parts(formats.opened(path)):
        taken = formats.read(part)
        if family(taken.game) != game.family:
            raise BadValue(f"{path} holds a game of {taken.game}, and the puzzles are to be of {game.name}")
        yield (game.start() if taken.start is None else game.position(taken.start)), list(taken.actions)


def parts(text: str) -> list[str]:
    r"""The games of a text: of PGN and its kin each with its tags, of JSON one a line, else one.

    >>> [part.split()[1] for part in parts('[White "Ann"]\n\n1. e4 *\n\n[White "Bob"]\n\n1. d4 *\n')]
    ['"Ann"]', '"Bob"]']
    """
    from outplay.formats import games as formats

    lines = text.strip().splitlines()
    if len(lines) > 1 and all(line.startswith("{") and line.rstrip().endswith("}") for line in lines if line.strip()):
        return [line for line in lines if line.strip()]
    if len(known := formats.parts(text)) > 1:
        return known
    found: list[list[str]] = [[]]
    is_tag = True
    for line in lines:
        if line.startswith("[") and not is_tag:
            found.append([])
        if line.strip():
            is_tag = line.startswith("[")
        found[-1].append(line)
    return ["\n".join(part) for part in found]


def _check(file: Path | None, nodes: int, as_json: bool) -> None:
    from outplay.cli.progress import working
    from outplay.judge import puzzles as room

    if file is None:
        raise BadValue("puzzles check needs the FILE that `outplay puzzles GAME --out FILE` wrote")
    kept = room.read(file)
    wrong = []
    with working("checking puzzles", kept[0].game if kept else "", "Ctrl-C stops") as progress:
        for number, each in enumerate(kept):
            if problem := room.check(each, nodes):
                wrong.append(problem)
            progress.note = f"{number + 1} of {len(kept)}, {len(wrong)} wrong"
            progress.hear()
    if as_json:
        print_json({"file": str(file), "puzzles": [asdict(each) for each in kept], "wrong": wrong})
    else:
        for problem in wrong:
            tell(problem)
        tell(f"{len(kept)} puzzles, {len(wrong)} wrong")
    if wrong:
        raise Exit(1)
