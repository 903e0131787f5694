"""`outplay book`: opening books of any game, made, merged and shown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from outplay import extras
from outplay.cli.commands import Argument, Exit, Group, Option
from outplay.cli.common import AsJson, Seed, in_words_of_count, print_json, print_table, tell
from outplay.cli.main import INTERRUPTED
from outplay.errors import BadValue

if TYPE_CHECKING:
    from outplay.books.openings import BookFormat

Files = Annotated[list[Path], Argument(metavar="FILE…", help="PGN files or records to build from, or books.")]
Sources = Annotated[list[Path], Argument(metavar="FILE…|GAME", help="PGN files or records, or a game to play.")]
Out = Annotated[Path | None, Option("--out", metavar="FILE", help="Where to write.")]
Own = Annotated[str | None, Option("--game", metavar="FILE.py", help="The file of your own game, where it is one of that.")]
Plies = Annotated[int, Option("--plies", metavar="N", help="How many half-moves of each game go into the book.")]
Least = Annotated[int, Option("--least", metavar="N", help="How many games a move needs to go into the book.")]
At = Annotated[str | None, Option("--position", metavar="P", help="Show the moves of this position; the start otherwise.")]
Games = Annotated[int | None, Option("--games", metavar="N", help="How many games of the engine against itself.")]
Nodes = Annotated[int, Option("--nodes", metavar="N", help="Positions that the engine looks at for each move.")]


book = Group(help="Opening books: Polyglot's for chess, our own for every other game.")


@book.command("build")
def book_build(files: Sources, out: Out = None, plies: Plies = 20, least: Least = 1, games: Games = None, nodes: Nodes = 3000,
               seed: Seed = 0, rules: Own = None, as_json: AsJson = False) -> None:
    """Build a book: of chess from PGN files, of any game from the records that `match --save` keeps or from games of its own.

    Chess's is Polyglot's, which holds points; with --out FILE.txt it is ours, which also counts games won, drawn and lost.
    """
    name, stopped = str(files[0]), False
    _open_by_hand(rules)
    if len(files) == 1 and not files[0].suffix and not files[0].exists():
        made, played, target = _build_from_self_play(name, out or Path(f"{name.partition(':')[0]}-book.txt"), plies, least,
                                                     games or 200, nodes, seed)
        problems: list[str] = []
        stopped = played < (games or 200)
    elif all(path.suffix == ".jsonl" for path in files):
        made, played, problems, target = _build_from_records(files, out or Path("book.txt"), plies, least)
    else:
        made, played, problems, target = _build_from_games(files, out, plies, least)
    if as_json:
        print_json({"out": str(target), "entries": made, "games": played, "problems": problems})
    else:
        print(f"{in_words_of_count(made)} entries from {in_words_of_count(played)} games written to {target}")
    if stopped:
        raise Exit(INTERRUPTED)


def _build_from_self_play(name: str, target: Path, plies: int, least: int, games: int, nodes: int,
                          seed: int) -> tuple[int, int, Path]:
    """A book from games of the engine against itself; Ctrl-C ends them, and what was played is the book."""
    import time

    from outplay.books import openings
    from outplay.cli.interrupts import Interrupts
    from outplay.game import load
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
    made = openings.build(game, records, plies=plies, least=least)
    made.save(target)
    return len(made), len(records), target


def _build_from_games(files: list[Path], out: Path | None, plies: int, least: int) -> tuple[int, int, list[str], Path]:
    """A book from files of games in a format of one game, in that game's own format of books or ours."""
    ending = files[0].suffix[1:].lower()
    own = next((each for each in extras.every() if each.books and ending in each.formats), None)
    if own is None:
        having = ", ".join(f".{name} ({each.game})" for each in extras.every() if each.books for name in each.formats)
        raise BadValue(f"a book is built from records (.jsonl), a game's name, or files of games ({having}), got {files[0].name}")
    kind: BookFormat = own.fetch(own.books)
    target = out or Path(f"book{kind.ending}")
    count = [0]

    def noted(played: int) -> None:
        count[0] = played
        if played % 1000 == 0:
            tell(f"{in_words_of_count(played)} games")

    problems: list[str] = []

    def wrong(path: Path, problem: Any) -> None:
        problems.append(str(problem))
        tell(f"{path}: {problem}")

    if target.suffix == ".txt":  # our own format, which counts games won, drawn and lost
        from outplay.books import openings

        made: Any = openings.build(own.game, kind.records(files, noted, wrong), plies=plies, least=least)
        made.save(target)
    else:
        made = kind.build(files, target, plies, least, noted, wrong)
    return len(made), count[0], problems, target


def _build_from_records(files: list[Path], target: Path, plies: int, least: int) -> tuple[int, int, list[str], Path]:
    from outplay.arena.match import read
    from outplay.books import openings
    from outplay.game import known_game

    records = [record for path in files for record in read(path)]
    if not records:
        raise BadValue(f"no game is kept in {files[0]}")
    made = openings.build(known_game(records[0].game), records, plies=plies, least=least)
    made.save(target)
    return len(made), len(records), [], target


@book.command("merge")
def book_merge(files: Files, out: Out = None, rules: Own = None, as_json: AsJson = False) -> None:
    """Merge books of one game into one: the weights of the same move add up."""
    from outplay.books import openings
    from outplay.game import known_game

    _open_by_hand(rules)
    if openings.game_of(files[0]) is not None:
        target = out or Path("book.txt")
        merged = openings.merge(_position_book(path, known_game(openings.game_of(path) or "")) for path in files)
        merged.save(target)
        count = len(merged)
    else:
        kind: BookFormat = next(each.fetch(each.books) for each in extras.every() if each.books)
        target = out or Path(f"book{kind.ending}")
        count = len(kind.merge(files, target))
    if as_json:
        return print_json({"out": str(target), "entries": count})
    print(f"{in_words_of_count(count)} entries written to {target}")


def _open_by_hand(rules: str | None) -> None:
    """Read the file of rules that the person names: what other files name is never run."""
    from outplay.game import load

    if rules is not None:
        load(rules)


def _position_book(path: Path, game: Any) -> Any:
    from outplay.books import openings

    return openings.open_book(path, game)


@book.command("dump")
def book_dump(file: Annotated[Path, Argument(metavar="FILE", help="A book.")], position: At = None,
              rules: Own = None, as_json: AsJson = False) -> None:
    """Show the moves that a book knows in a position."""
    from outplay.books import openings
    from outplay.game import known_game

    _open_by_hand(rules)
    game = known_game(openings.game_of(file) or next(each.game for each in extras.every() if each.books))
    kind = openings.format_of(game)
    known = openings.open_book(file, game)
    where = game.start() if position is None else game.position(position)
    rows: list[dict[str, Any]] = []
    for action, weight in known.moves(where):
        row = {"action": where.action_text(action), "weight": weight}
        if kind is not None and kind.spelled is not None:
            row["san"] = kind.spelled(where, action)
        rows.append(row)
    if as_json:
        return print_json({"position": where.text(), "moves": rows})
    if not rows:
        return print("the book knows no move here")
    total = sum(row["weight"] for row in rows) or 1
    shown = [(row.get("san", row["action"]), str(row["weight"]), f"{row['weight'] / total:.1%}") for row in rows]
    print_table(("move", "weight", "share"), shown, right=("weight", "share"))
