"""Commands that think: `best`, `solve`, `compare`."""

from __future__ import annotations

import contextlib
import re
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from outplay.cli import answers, commands
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
    complete_algorithm,
    console,
    in_words_of_count,
    panel,
    position_of,
    print_json,
    print_table,
    seats,
    seconds_in_words,
    tell,
    whole_options,
)
from outplay.cli.interrupts import Interrupts
from outplay.cli.main import INTERRUPTED
from outplay.cli.progress import working
from outplay.engine.alphabeta.options import Options
from outplay.engine.registry import ALPHA_BETA
from outplay.errors import BadValue, OutplayError, Unavailable
from outplay.game import Position
from outplay.players.algorithms import (
    SIMULATIONS,
    choose,
    comparable,
    compile_rules,
    find_algorithm,
    is_a_problem,
    meaning,
    promise_the_same,
    search,
)
from outplay.players.algorithms import solve as solve_position
from outplay.players.prompt import Glimpse
from outplay.players.solving import scores as scores_of
from outplay.players.solving import strategist, strategy
from outplay.playing import settle
from outplay.values import UTILITY, Limits, Policy, Result

SECONDS = 2.0
"""How long `best` thinks when nothing limits it and the search can stop at any time."""

FEW = 24
"""Strategies of up to so many positions are printed."""

AlgorithmName = Annotated[
    str,
    commands.Option("--algorithm", metavar="A", help="A name with its options (outplay algorithms lists them); auto: what fits.",
                 autocompletion=complete_algorithm),
]
AlgorithmNames = Annotated[
    str | None, commands.Option("--algorithms", metavar="A,B", help="Names as for best, parted by commas; default: what fits.")
]


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
    lines: Annotated[int, commands.Option("--lines", metavar="N", help="Tell the N best actions, where the search can.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Find the best action of a position. Ctrl-C gives the best so far."""
    asked = position_of(game, position, actions)
    whole_options(threads=threads, memory=memory, seed=seed)
    at_least("--lines", 1, lines)
    meant = meaning(algorithm, asked.game)
    wanted, request, is_auto = meant
    limits = Limits(depth=depth, seconds=time, nodes=nodes, simulations=simulations)
    if limits == Limits() and not request.limits and (is_auto or wanted.stops_in_time()):
        limits = Limits(seconds=SECONDS)
    found = None
    title = f"{wanted.name} on {asked.game.name}"
    with Interrupts(keeps=True) as interrupted, working(title, asked.game.name, "Ctrl-C stops", keeps=True) as progress:
        watch = interrupted.heard_by(progress.count)
        results = search(
            asked, meant, limits, seed=seed, threads=threads, memory=memory, lines=lines, watch=watch, stop=interrupted.event
        )
        told = lambda action: setattr(progress, "note", f"{action}, at a first glance")  # noqa: E731
        glimpse = Glimpse(asked, told) if limits.seconds else None
        try:
            for found in results:
                if glimpse is not None:
                    glimpse.end()
                progress.note = _so_far(found, asked)
        except KeyboardInterrupt:
            interrupted.event.set()
    if found is None:
        if glimpse is not None and glimpse.action is not None:
            tell(f"stopped while the search was compiled; {glimpse.action} is what plain Python likes at a first glance")
            raise commands.Exit(INTERRUPTED)
        if interrupted.event.is_set():
            tell("stopped before anything was found")
            raise commands.Exit(INTERRUPTED)
        raise AssertionError(f"{wanted.name} gave no result")  # every search reports at least once
    answer = answers.fields(found, asked, found.algorithm)
    if is_auto:
        is_what_fits = found.algorithm.partition(",")[0] == wanted.name
        answer["why"] = choose(asked.game)[1] if is_what_fits else f"{wanted.name} does not fit after all"
    if lines > 1:
        answer["lines"] = answer["choices"][:lines]
    if as_json:
        print_json(answer)
    else:
        _show_best(found, asked, answer, lines)
        if is_auto:
            tell(f"auto took {found.algorithm}: {answer['why']}")
    if interrupted.event.is_set():
        raise commands.Exit(INTERRUPTED)


def _so_far(found: Result, asked: Position) -> str:
    action = "-" if found.action is None else asked.action_text(found.action)
    return f"depth {found.depth}: {action}, {answers.value_in_words(found, asked)}, {in_words_of_count(found.nodes)} nodes"


def _brought(asked: Position) -> str:
    """What chance might have brought, as it is given: a roll of dice as an action, a whole deal as a position."""
    first = asked.sample_chance(1)
    after = asked.result(first)
    if after.is_chance():  # more to come
        return f"--position {shlex.quote(settle(after, 1).text())}"
    return f"--actions {shlex.quote(asked.action_text(first))}"


def _farther(found: Result) -> str:
    """How long the longest line was, where the search looked farther than its depth."""
    longest = found.facts.get("selective_depth", 0)
    return f", the longest line {answers.plies(longest)}" if longest > found.depth else ""


def _show_best(found: Result, asked: Position, answer: dict[str, Any], lines: int) -> None:
    if found.action is not None:
        headline = answer["action"]
    elif asked.is_terminal():
        headline = "nothing to choose: the game is over"
    elif asked.is_chance():
        headline = f"nothing to choose: chance is to move; give what it brought, such as {_brought(asked)}"
    elif asked.game.players == 1 and found.depth > 0:
        headline = "none: " + answers.value_in_words(found, asked)
    else:
        headline = "none: it looked no ply ahead"
    speed = f", {in_words_of_count(answer['nps'])} a second" if answer["nps"] else ""
    looked_at = "deals" if found.facts.get("deals") == found.nodes else "nodes"
    rows = [
        ("action", headline),
        ("value", answers.value_in_words(found, asked)),
        ("line", answers.line_in_words(found, asked)),
        ("depth", answers.plies(found.depth) + _farther(found)),
        (looked_at, f"{in_words_of_count(found.nodes)} in {seconds_in_words(found.seconds)}{speed}"),
        ("search", answer["algorithm"]),
    ]
    if found.value != found.value and not found.nodes:  # a player that says nothing but its action
        rows = [row for row in rows if row[0] in ("action", "search")]
    if "plan" in answer:
        rows.insert(3, ("plan", answer["plan"].replace("\n", "\n        ")))
    if asked.game.traits.information == "hidden" and len(found.choices) > 1:
        mixed = [(one, share) for one in found.choices if (share := one.share) is not None]
        if mixed:
            shares = "  ".join(f"{asked.action_text(one.action)} {share:.2f}" for one, share in mixed[:8])
            rows.insert(2, ("mixed", shares))
    for other in answer["choices"][1:lines]:
        rows.append(("then", f"{other['action']}  {_short(other['value'])}  {' '.join(other['line'])}"))
    panel(asked.game.name, rows)


def solve(
    game: GameName,
    position: PositionText = None,
    actions: ActionsText = None,
    time: Seconds = None,
    nodes: Nodes = None,
    threads: Threads = 1,
    memory: Memory = 256,
    scores: Annotated[bool, commands.Option("--scores", help="The exact value of every action, too.")] = False,
    strategy_file: Annotated[
        Path | None, commands.Option("--strategy", metavar="FILE", help="Write what to answer to everything, as JSON.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Find what a position is worth when everybody plays perfectly, to the end of the game."""
    asked = position_of(game, position, actions)
    whole_options(threads=threads, memory=memory)
    limits = Limits(seconds=time, nodes=nodes)
    hint = "Ctrl-C stops" if time or nodes else "Ctrl-C stops, --time S would give up after S seconds"
    title = f"solving {asked.game.name}"
    worth: dict[Any, Any] = {}
    plan: Policy | None = None
    with Interrupts() as interrupted, working(title, asked.game.name, hint) as progress:
        try:
            watch = interrupted.heard_by(progress.nodes)
            found = solve_position(asked, limits, threads=threads, memory=memory, watch=watch, stop=interrupted.event)
            found = _with_refutation(found, asked, interrupted.event)
            if scores:
                worth = scores_of(asked, limits, stop=interrupted.event, memory=memory, watch=watch)
            if strategy_file is not None:
                progress.title = f"a strategy for {asked.game.name}"
                count = interrupted.heard_by(lambda done: setattr(progress, "note", f"{done:,} positions"))
                plan = strategy(asked, found, limits, stop=interrupted.event, watch=count)
        except Unavailable:
            if not interrupted.event.is_set():
                raise
            raise KeyboardInterrupt from None
    answer = answers.fields(found, asked, found.algorithm)
    answer["positions"] = found.facts.get("positions", found.nodes)
    if scores:
        answer["scores"] = {asked.action_text(action): value for action, value in worth.items()}
    if plan is not None:
        assert strategy_file is not None
        plan.save(strategy_file)
        answer["positions"], answer["out"] = len(plan), str(strategy_file)
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
        rows.insert(4, ("known", f"{in_words_of_count(found.facts['positions'])} positions kept"))
    rows += [("score", f"{text:<8}{_short(value)}") for text, value in answer.get("scores", {}).items()]
    if plan is not None:
        who = seats(asked.game)[strategist(asked, found)]
        rows.append(("plan for", f"{who}: {in_words_of_count(len(plan))} positions in {strategy_file}"))
    panel(f"{asked.game.name}, solved", rows)
    if plan is not None and len(plan) <= FEW:
        console().print(str(plan), markup=False)


def _with_refutation(found: Result, asked: Position, stop: Any) -> Result:
    """A lost position's line names at least what refutes its first action."""
    value, mover = found.value, asked.player()
    if isinstance(value, tuple) or found.action is None or mover < 0 or len(found.line) > 1:
        return found
    child = asked.result(found.action)
    is_lost = value < 0 if mover == 0 else value > 0
    if not is_lost or child.is_terminal():
        return found
    with contextlib.suppress(OutplayError):
        reply = solve_position(child, memory=64, stop=stop)
        return _longer(found, reply)
    return found


def _longer(found: Result, reply: Result) -> Result:
    return replace(found, line=(found.action, *reply.line), choices=())


MOST_NODES = {False: 1_000_000, True: 20_000_000}
"""Where `compare` is given neither depth nor time: what a search of the textbook, and what one of the engine may take."""


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
        commands.Option("--replacement", metavar="P,Q", help="Compare the table by always, deeper, older-first replacement."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Run several algorithms on one position: what each finds, and how many nodes it needs."""
    asked = position_of(game, position, actions)
    whole_options(memory=memory, seed=seed)
    if algorithms is None:
        chosen = comparable(asked.game) if replacement is None else ["engine:pvs"]
    else:
        chosen = several(algorithms)
        for text in chosen:
            find_algorithm(text, asked.game)  # a wrong name is told before anything runs
    if not chosen:
        raise BadValue("--algorithms needs at least one name, such as minimax,alphabeta,engine:pvs")
    runs: list[tuple[str, str, dict[str, Any]]] = [(name, name, {}) for name in chosen]
    if replacement is not None:
        runs = _by_replacement(asked.game, chosen, replacement)
    rows: list[dict[str, Any]] = []
    found: dict[str, Result] = {}
    is_problem = is_a_problem(asked.game)
    with Interrupts() as interrupted, working("comparing", asked.game.name, "Ctrl-C stops") as progress:
        compile_rules(asked.game)
        for label, text, more in runs:
            progress.title = f"comparing: {label}"
            algorithm = find_algorithm(text, asked.game)
            is_bounded = depth is None and time is None and not algorithm.makes_simulations()  # else by what was asked for
            limits = Limits(depth=depth, seconds=time, nodes=MOST_NODES[algorithm.is_engine] if is_bounded else None)
            if algorithm.makes_simulations():
                limits = Limits(seconds=time, simulations=simulations or (SIMULATIONS if time is None else None))
            watch = interrupted.heard_by(progress.count)
            try:
                _warm_up(asked, text, more)
                *_, result = search(asked, text, limits, seed=seed, memory=memory, watch=watch, stop=interrupted.event, **more)
            except OutplayError as problem:
                if interrupted.event.is_set():
                    raise KeyboardInterrupt from None
                rows.append({"algorithm": label, "problem": str(problem)})
                continue
            if interrupted.event.is_set():
                raise KeyboardInterrupt
            if is_bounded and not result.exact and not is_problem:  # to the end of the game, or not at all
                told = f"not done after {in_words_of_count(result.nodes)} nodes: give it a --depth or a --time"
                rows.append({"algorithm": label, "problem": told})
                continue
            answer = {**answers.fields(result, asked, text), "algorithm": label}
            keys = ("algorithm", "value", "unit", "exact", "action", "line", "depth", "nodes", "leaves", "seconds", "cost")
            rows.append({key: answer[key] for key in keys if key in answer})
            found[label] = result
    if not found:
        raise BadValue(f"none of these takes {asked.game.name}: {rows[0]['problem']}")
    differing = _differing(found, asked)
    if as_json:
        print_json({"game": asked.game.name, "position": asked.text(), "rows": rows, "agree": not differing})
        return
    units = {row["unit"] for row in rows if "problem" not in row}
    last = "cost" if is_problem else f"value, {min(units)}" if len(units) == 1 and UTILITY not in units else "value"

    def worth(row: dict[str, Any]) -> str:
        told = _short(row.get("cost") if is_problem else row["value"])
        return f"{told} {row['unit']}" if len(units) > 1 and not is_problem else told

    print_table(
        ("algorithm", "nodes", "leaves", "seconds", last, "action"),
        [
            (row["algorithm"], "-", "-", "-", "-", row["problem"]) if "problem" in row else
            (row["algorithm"], in_words_of_count(row["nodes"]), in_words_of_count(row["leaves"]), f"{row['seconds']:.3f}",
             worth(row), row["action"] or "-")
            for row in rows
        ],
        right=("nodes", "leaves", "seconds", last),
    )  # fmt: skip
    if differing:
        tell("the values differ: " + ", ".join(f"{name} {_short(found[name].in_utilities())}" for name in differing))


def several(texts: str) -> list[str]:
    """Names of searches parted by commas or blanks; a comma before `key=` belongs to the options of a name.

    >>> several("minimax,mcts:c=1.0,selection=sampled,engine:pvs,killers=no")
    ['minimax', 'mcts:c=1.0,selection=sampled', 'engine:pvs,killers=no']
    """
    pieces = [piece.strip() for piece in re.split(r"[,\s]+", texts) if piece.strip()]
    found: list[str] = []
    for piece in pieces:
        head = piece.split("=", 1)[0]
        if "=" in piece and ":" not in head and found:
            found[-1] += ("," if ":" in found[-1] else ":") + piece
        else:
            found.append(piece)
    return found


def _warm_up(asked: Position, text: str, more: dict[str, Any]) -> None:
    """Compile what a search of the textbook calls, so that no row pays for it; the engine's searches do so themselves."""
    algorithm = find_algorithm(text, asked.game)
    if algorithm.is_engine:
        return
    limits = Limits(simulations=2) if algorithm.makes_simulations() else Limits(depth=1, nodes=2000)
    with contextlib.suppress(OutplayError):
        for _ in search(asked, text, limits, **more):
            pass


def _differing(found: dict[str, Result], asked: Position) -> list[str]:
    """The rows that promise the same value and yet do not have it."""
    names = {label: result.algorithm for label, result in found.items()}

    def value(label: str) -> Any:
        result = found[label]
        if is_a_problem(asked.game):
            return result.facts.get("cost")
        value = result.in_utilities()
        return tuple(round(part, 9) for part in value) if isinstance(value, tuple) else round(value, 9)

    return [
        label
        for label in found
        if any(promise_the_same(names[label], names[other], asked.game) and value(label) != value(other) for other in found)
    ]


def _by_replacement(game: Any, chosen: list[str], policies: str) -> list[tuple[str, str, dict[str, Any]]]:
    """Each of the engine's alpha-beta searches under each replacement policy of the table."""
    for name in chosen:
        if name.partition("engine:")[2] not in ALPHA_BETA:
            raise BadValue(f"--replacement is for the engine's table: {name} has none; name engine:pvs or its kin")
    make = Options.playing if game.offers("evaluate") else Options
    wanted = [policy.strip() for policy in policies.split(",") if policy.strip()]
    return [(f"{name} {policy}", name, {"options": make(replacement=policy)}) for name in chosen for policy in wanted]


def _short(value: Any) -> str:
    if value is None:
        return "-"
    return "(" + ", ".join(f"{part:g}" for part in value) + ")" if isinstance(value, tuple) else f"{value:g}"

