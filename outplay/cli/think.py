"""Commands that think: `best`, `solve`, `compare`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from outplay.cli.common import (
    ActionsText,
    AsJson,
    Depth,
    GameName,
    Memory,
    Nodes,
    PositionText,
    Seconds,
    Seed,
    Simulations,
    Threads,
    at_least,
    console,
    in_words_of_count,
    position_of,
    print_json,
    print_table,
    seconds_in_words,
    tell,
)
from outplay.cli.main import INTERRUPTED

SECONDS = 2.0
"""How long `best` thinks when nothing limits it and the search can stop at any time."""

AlgorithmName = Annotated[str, typer.Option("--algorithm", metavar="A", help="A textbook name or engine:NAME; auto is what fits.")]

AlgorithmNames = Annotated[str | None, typer.Option("--algorithms", metavar="A,B", help="Names as for best; default: what fits.")]


def best(
    game: GameName,
    position: PositionText = None,
    actions: ActionsText = None,
    algorithm: AlgorithmName = "auto",
    depth: Depth = None,
    time: Seconds = None,
    nodes: Nodes = None,
    simulations: Simulations = None,
    threads: Threads = 1,
    seed: Seed = 0,
    memory: Memory = 64,
    lines: Annotated[int, typer.Option("--lines", metavar="N", help="Tell the N best actions, where the search can.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Find the best action of a position. Ctrl-C gives the best so far."""
    asked = position_of(game, position, actions)
    at_least("--threads", 1, threads)
    at_least("--memory", 1, memory)
    at_least("--lines", 1, lines)

    from outplay.cli import answers
    from outplay.cli.progress import Interrupts, working
    from outplay.players.algorithms import AUTO, resolve, search, stops_in_time
    from outplay.values import Limits

    name = resolve(algorithm, asked.game)
    limits = Limits(depth=depth, seconds=time, nodes=nodes, simulations=simulations)
    if limits == Limits() and (algorithm == AUTO or stops_in_time(name)):
        limits = Limits(seconds=SECONDS)
    found = None
    title = f"{name} on {asked.game.name}"
    with Interrupts() as interrupted, working(title, asked.game.name, "Ctrl-C stops") as progress:
        watch = interrupted.heard_by(progress.count)
        results = search(
            asked, algorithm, limits, seed=seed, threads=threads, memory=memory, lines=lines, watch=watch, stop=interrupted.event
        )
        try:
            for found in results:
                progress.note = _so_far(found, asked)
        except KeyboardInterrupt:
            interrupted.event.set()
    if found is None:
        if interrupted.event.is_set():
            tell("stopped before anything was found")
            raise typer.Exit(INTERRUPTED)
        raise AssertionError(f"{name} gave no result")  # every search reports at least once
    answer = answers.fields(found, asked, name)
    if lines > 1:
        answer["lines"] = answer["choices"][:lines]
    if as_json:
        print_json(answer)
    else:
        _show_best(found, asked, answer, lines)
    if interrupted.event.is_set():
        raise typer.Exit(INTERRUPTED)


def _so_far(found: Any, asked: Any) -> str:
    from outplay.cli import answers

    action = "-" if found.action is None else asked.action_text(found.action)
    return f"depth {found.depth}: {action}, {answers.value_in_words(found, asked)}, {in_words_of_count(found.nodes)} nodes"


def _show_best(found: Any, asked: Any, answer: dict[str, Any], lines: int) -> None:
    from outplay.cli import answers

    if found.action is None:
        if asked.game.players == 1 and not asked.is_terminal():
            headline = "none: " + answers.value_in_words(found, asked)
        else:
            headline = "nothing to choose: the game is over" if asked.is_terminal() else "nothing to choose: chance is to move"
    else:
        headline = answer["action"]
    speed = f", {in_words_of_count(answer['nps'])} a second" if answer["nps"] else ""
    rows = [
        ("action", headline),
        ("value", answers.value_in_words(found, asked)),
        ("line", answers.line_in_words(found, asked)),
        ("depth", answers.plies(found.depth)),
        ("nodes", f"{in_words_of_count(found.nodes)} in {seconds_in_words(found.seconds)}{speed}"),
        ("search", answer["algorithm"]),
    ]
    if "plan" in answer:
        rows.insert(3, ("plan", answer["plan"].replace("\n", "\n        ")))
    for other in answer["choices"][1:lines]:
        rows.append(("then", f"{other['action']}  {_short(other['value'])}  {' '.join(other['line'])}"))
    _panel(asked.game.name, rows)


def _panel(title: str, rows: list[tuple[str, str]]) -> None:
    """A small panel on a terminal, and the same rows as plain lines elsewhere."""
    screen = console()
    if not screen.is_terminal:
        for label, text in rows:
            screen.print(f"{label:<8}{text}", markup=False)
        return
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2))
    for row, (label, text) in enumerate(rows):
        grid.add_row(Text(label, style="dim"), Text(text, style="bold green" if row == 0 else ""))
    screen.print(Panel(grid, title=title, title_align="left", expand=False))


def solve(
    game: GameName,
    position: PositionText = None,
    actions: ActionsText = None,
    time: Seconds = None,
    nodes: Nodes = None,
    threads: Threads = 1,
    memory: Memory = 256,
    as_json: AsJson = False,
) -> None:
    """Find what a position is worth when everybody plays perfectly, to the end of the game."""
    asked = position_of(game, position, actions)
    at_least("--threads", 1, threads)
    at_least("--memory", 1, memory)

    from outplay.cli import answers
    from outplay.cli.progress import Interrupts, working
    from outplay.errors import Unavailable
    from outplay.players.algorithms import solve as solve_position
    from outplay.values import Limits

    limits = Limits(seconds=time, nodes=nodes)
    hint = "Ctrl-C stops" if time or nodes else "Ctrl-C stops, --time S would give up after S seconds"
    title = f"solving {asked.game.name}"
    with Interrupts() as interrupted, working(title, asked.game.name, hint) as progress:
        try:
            watch = interrupted.heard_by(progress.nodes)
            found = solve_position(asked, limits, threads=threads, memory=memory, watch=watch, stop=interrupted.event)
        except Unavailable:
            if not interrupted.event.is_set():
                raise
            raise KeyboardInterrupt from None
    answer = answers.fields(found, asked, found.algorithm)
    answer["positions"] = found.facts.get("positions", found.nodes)
    if as_json:
        print_json(answer)
        return
    rows = [
        ("value", answers.value_in_words(found, asked)),
        ("action", answer["action"] or "-"),
        ("line", answers.line_in_words(found, asked)),
        ("nodes", f"{in_words_of_count(found.nodes)} in {seconds_in_words(found.seconds)}"),
        ("search", found.algorithm),
    ]
    if "plan" in answer:
        rows.insert(3, ("plan", answer["plan"].replace("\n", "\n        ")))
    if "positions" in found.facts:
        rows.insert(4, ("known", f"{in_words_of_count(answer['positions'])} positions kept"))
    _panel(f"{asked.game.name}, solved", rows)


def compare(
    game: GameName,
    position: PositionText = None,
    actions: ActionsText = None,
    depth: Depth = None,
    algorithms: AlgorithmNames = None,
    time: Seconds = None,
    simulations: Simulations = None,
    seed: Seed = 0,
    memory: Memory = 64,
    replacement: Annotated[
        str | None,
        typer.Option("--replacement", metavar="P,Q", help="Compare the table by always, deeper, older-first replacement."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Run several algorithms on one position: what each finds, and how many nodes it needs."""
    asked = position_of(game, position, actions)

    from outplay.cli import answers
    from outplay.cli.progress import Interrupts, working
    from outplay.errors import BadValue
    from outplay.players.algorithms import SIMULATIONS, comparable, compile_rules, resolve, search
    from outplay.values import Limits

    if algorithms is None:
        chosen = comparable(asked.game) if replacement is None else ["engine:pvs"]
    else:
        chosen = [resolve(name, asked.game) for name in algorithms.split(",") if name.strip()]
    if not chosen:
        raise BadValue("--algorithms needs at least one name, such as minimax,alphabeta,engine:pvs")
    runs: list[tuple[str, str, dict[str, Any]]] = [(name, name, {}) for name in chosen]
    if replacement is not None:
        runs = _by_replacement(asked.game, chosen, replacement)
    rows, units = [], {}
    with Interrupts() as interrupted, working("comparing", asked.game.name, "Ctrl-C stops") as progress:
        compile_rules(asked.game)
        for label, name, more in runs:
            progress.title = f"comparing: {label}"
            limits = Limits(depth=depth, seconds=time)
            if name.endswith("mcts"):  # it knows no depth
                limits = Limits(seconds=time, simulations=simulations or (SIMULATIONS if time is None else None))
            watch = interrupted.heard_by(progress.count)
            *_, found = search(asked, name, limits, seed=seed, memory=memory, watch=watch, stop=interrupted.event, **more)
            if interrupted.event.is_set():
                raise KeyboardInterrupt
            answer = {**answers.fields(found, asked, name), "algorithm": label}
            keys = ("algorithm", "value", "exact", "action", "line", "depth", "nodes", "leaves", "seconds")
            rows.append({key: answer[key] for key in keys})
            units[label] = _in_units(answer)
    agree = len(set(units.values())) <= 1
    if as_json:
        print_json({"game": asked.game.name, "position": asked.text(), "rows": rows, "agree": agree})
        return
    print_table(
        ("algorithm", "nodes", "leaves", "seconds", "value", "action"),
        [
            (row["algorithm"], in_words_of_count(row["nodes"]), in_words_of_count(row["leaves"]), f"{row['seconds']:.3f}",
             _short(row["value"]), row["action"] or "-")
            for row in rows
        ],
        right=("nodes", "leaves", "seconds", "value"),
    )  # fmt: skip
    if not agree:
        tell("the values differ: " + ", ".join(f"{name} {_short(value)}" for name, value in units.items()))


def _by_replacement(game: Any, chosen: list[str], policies: str) -> list[tuple[str, str, dict[str, Any]]]:
    """Each of the engine's alpha-beta searches under each replacement policy of the table."""
    from outplay.engine.options import Options
    from outplay.engine.registry import ALPHA_BETA
    from outplay.errors import BadValue

    for name in chosen:
        if name.partition("engine:")[2] not in ALPHA_BETA:
            raise BadValue(f"--replacement is for the engine's table: {name} has none; name engine:pvs or its kin")
    make = Options.playing if game.offers("evaluate") else Options
    wanted = [policy.strip() for policy in policies.split(",") if policy.strip()]
    return [(f"{name} {policy}", name, {"options": make(replacement=policy)}) for name in chosen for policy in wanted]


def _in_units(answer: dict[str, Any]) -> Any:
    """A value in units of utility, rounded: exact and cut-off searches side by side."""
    scale = answer["scale"]
    value = answer["value"]
    return tuple(round(part / scale, 9) for part in value) if isinstance(value, tuple) else round(value / scale, 9)


def _short(value: Any) -> str:
    if value is None:
        return "-"
    return "(" + ", ".join(f"{part:g}" for part in value) + ")" if isinstance(value, tuple) else f"{value:g}"
