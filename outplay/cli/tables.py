"""`outplay tables`: endgame tables of every game that numbers its positions, by how many men are left; of chess also by name."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

from outplay import extras
from outplay.cli.commands import Argument, Group, Option
from outplay.cli.common import AsJson, Cluster, in_words_of_count, print_json, print_table, tell
from outplay.cli.interrupts import Interrupts
from outplay.errors import BadValue, Unsuitable

GameArgument = Annotated[str, Argument(metavar="GAME", help="The game: chess, checkers, or one that numbers its positions.")]
Names = Annotated[list[str] | None, Argument(metavar="NAME…", help="Of chess: endings such as KQK KRK KPK KBNK.")]
Men = Annotated[int | None, Option("--men", metavar="N", min=0, help="All tables of up to so many men, kings included.")]
Folder = Annotated[Path | None, Option("--out", metavar="FOLDER", help="The folder of the tables.")]
Device = Annotated[str, Option("--device", metavar="D", help="cpu, or cuda for a GPU.")]
Where = Annotated[str, Argument(metavar="P", help="A position.")]

tables = Group(help="Endgame tables by retrograde analysis.")
KEYS = ("positions", "won", "drawn", "lost", "longest")


def default_folder() -> Path:
    """Where tables are kept where nobody says."""
    from outplay.jit import cache_folder

    return cache_folder() / "tables"


def _game(name: str) -> Any:
    from outplay.game import CompiledGame, load

    game = load(name, compiled=True)
    if not isinstance(game, CompiledGame):
        raise Unsuitable(f"endgame tables need compiled rules; {game.name} is a plain game")
    return game


def _wanted(game: Any, names: list[str] | None, men: int | None) -> int | list[str]:
    """What is asked for: endings of chess by name, or all tables of so many men."""
    has_names = bool(extras.of(game).endings)
    if names and not has_names:
        having = ", ".join(each.game for each in extras.every() if each.endings)
        raise BadValue(f"tables of {game.name} are asked for by --men N; endings by name, such as {names[0]!r}, are for {having}")
    if has_names and not names and men is None:
        known = " ".join(extras.of(game).fetch(extras.of(game).endings)(3)[-2:])
        raise BadValue(f"which endings of {game.family}? Name some, such as {known}, or all of up to three or four pieces by --men")
    return names or (4 if men is None else men)


def _present(game: Any, folder: Path, men: int | None) -> list[str] | int:
    """The tables that are there: of chess by name, else all of so many men."""
    own = extras.of(game)
    if not own.endings:
        return 4 if men is None else men
    from outplay.engine.tables import files as table_files

    return [name for name in own.fetch(own.endings)(men or 4) if table_files.path_of(folder, game.family, name).is_file()]


def _show(rows: list[dict[str, Any]]) -> None:
    shown = [(row["name"], *(in_words_of_count(row[key]) for key in KEYS)) for row in rows]
    if len(rows) > 1:
        sums = [sum(row[key] for row in rows) for key in KEYS[:-1]]
        shown.append(("all", *map(in_words_of_count, sums), in_words_of_count(max(row["longest"] for row in rows))))
    print_table(("table", "positions", "won", "drawn", "lost", "longest (plies)"), shown, right=(*KEYS[:-1], "longest (plies)"))


# ---------------------------------------------------------------- commands


@tables.command("build")
def tables_build(game: GameArgument, names: Names = None, men: Men = None, device: Device = "cpu", out: Folder = None,
                 cluster: Cluster = None, as_json: AsJson = False) -> None:
    """Build endgame tables and count what is won, drawn and lost for the player to move. What is there already is read, and a build
    that was stopped goes on where it was."""
    folder = out or default_folder()
    if cluster is not None and (names or device != "cpu"):
        raise BadValue("--cluster builds tables by the number of men on processors: not endings by name, and without --device")
    from outplay.engine.tables import retrograde

    if device not in ("cpu", "cuda"):
        raise BadValue(f"--device is cpu or cuda, got {device!r}")
    rules, started, told = _game(game), time.perf_counter(), [0.0]
    wanted = _wanted(rules, names, men)
    rows: list[dict[str, Any]] = []

    def progress(name: str, plies: int, settled: int) -> None:
        interrupts.hear()
        if time.perf_counter() - told[0] > 2:
            told[0] = time.perf_counter()
            tell(f"{name}: {plies} plies, {in_words_of_count(settled)} positions settled")

    with Interrupts() as interrupts:
        if cluster is None:
            total = retrograde.build(rules, wanted, folder, device=device, progress=progress, built=rows.append).total
        else:
            from outplay.arena import cluster as machines

            for row in machines.endgame_tables(rules, men or 4, str(folder.resolve()), address=cluster, stop=interrupts.event):
                rows.append(row)
                tell(f"{row['name']}: {in_words_of_count(row['positions'])} positions")
            total = sum(each.size for each in retrograde.slices_of(rules, wanted))
        interrupts.hear()
    seconds = time.perf_counter() - started
    if as_json:
        return print_json({"slices": rows, "positions": sum(row["positions"] for row in rows), "indices": total,
                           "folder": str(folder), "seconds": seconds})  # fmt: skip
    _show(rows)
    print(f"written to {folder} ({seconds:.1f} s)")


@tables.command("stats")
def tables_stats(game: GameArgument, men: Men = None, out: Folder = None, as_json: AsJson = False) -> None:
    """Count what the tables that are there hold, and how many bytes they take."""
    from outplay.engine.tables import files as table_files
    from outplay.engine.tables import retrograde

    folder = out or default_folder()
    rules, size = _game(game), 0
    rows: list[dict[str, Any]] = []
    for each in retrograde.slices_of(rules, _present(rules, folder, men)):
        path = table_files.path_of(folder, retrograde.family(rules), each.name)
        if path.is_file():
            file = table_files.TableFile(path)
            rows.append(file.facts)
            size += file.bytes
    if not rows:
        raise BadValue(f"no tables of {game} lie in {str(folder)!r}: outplay tables build {game} makes some")
    positions = sum(row["positions"] for row in rows)
    if as_json:
        return print_json({"slices": rows, "positions": positions, "bytes": size, "folder": str(folder)})
    _show(rows)
    print(f"{in_words_of_count(size)} bytes, {8 * size / max(1, positions):.2f} bits a position")


@tables.command("probe")
def tables_probe(game: GameArgument, position: Where, out: Folder = None, as_json: AsJson = False) -> None:
    """Say what the tables know of a position."""
    from outplay.engine.tables.endings import open_tables

    folder = out or default_folder()
    where = _game(game).position(position)
    known: Any = open_tables(folder, where.game)
    found = known.probe(where)
    if found is None:
        raise BadValue(f"no table is known for {where.text()}: outplay tables build {game} builds some")
    best = known.best(where)
    action = None if best is None else where.action_text(best)
    if as_json:
        return print_json({"outcome": found[0], "plies": found[1], "action": action})
    moves = f" in {(found[1] + 1) // 2} moves" if found[0] != "draw" and found[1] is not None else ""  # Syzygy's tell none
    print(found[0] + moves + (f", {action}" if action else ""))


@tables.command("verify")
def tables_verify(game: GameArgument, men: Men = None, out: Folder = None, as_json: AsJson = False) -> None:
    """Read the tables that are there, and derive every entry again from its successors."""
    from outplay.engine.tables import files as table_files
    from outplay.engine.tables import retrograde

    folder = out or default_folder()
    rules, started, told = _game(game), time.perf_counter(), [time.perf_counter()]
    wanted = _present(rules, folder, men)
    if not wanted:
        raise BadValue(f"no tables of {game} lie in {str(folder)!r}: outplay tables build {game} makes some")
    known = retrograde.Tables(rules, wanted)

    def progress(name: str, number: int, of: int) -> None:
        interrupts.hear()
        if time.perf_counter() - told[0] > 2:
            told[0] = time.perf_counter()
            tell(f"{name}: table {number + 1} of {of}")

    try:
        found = known.load(folder)
        for each in known.slices:
            path = table_files.path_of(folder, retrograde.family(rules), each.name)
            if path.is_file() and each.name not in found:
                table_files.TableFile(path).values()  # says what is wrong with it
                raise BadValue(f"{str(path)!r} is not the table {each.name} of {rules.name}")
        if not found:
            raise BadValue(f"no tables of {game} lie in {str(folder)!r}: outplay tables build {game} makes some")
        with Interrupts() as interrupts:
            known.verify(progress)
            interrupts.hear()
        rows = [known.facts(name) for name in found]
    finally:
        known.close()
    if as_json:
        return print_json({"slices": rows, "verified": True, "seconds": time.perf_counter() - started})
    print(f"{in_words_of_count(sum(row['positions'] for row in rows))} entries of {len(rows)} tables are what their successors say")
