"""One way to every search: its names, the one that fits a game, and the stream of Results.

A name alone is the textbook's (`alphabeta`, `mcts`) where the textbook has it; `engine:pvs` is the engine's algorithm of that
name, and `engine` is the engine with the algorithm that fits the game. `textbook:mcts` says in full what `mcts` means.

>>> from outplay.game import load
>>> game = load("tic-tac-toe")
>>> [result.value for result in search(game.position("xx./oo./... x"), "minimax")]
[1.0]
>>> resolve("alfabeta", game)
Traceback (most recent call last):
outplay.errors.UnknownName: unknown algorithm 'alfabeta': did you mean 'alphabeta'?
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from outplay import textbook
from outplay.engine import registry
from outplay.engine.clock import Clock
from outplay.errors import BadValue, Unavailable, UnknownName, Unsuitable
from outplay.game import CompiledGame, Game, Position
from outplay.values import Limits, Result

AUTO = "auto"
ENGINE = "engine"
TEXTBOOK = "textbook"
DEEPENING = "iterative-deepening"
EXACT = ("alphabeta-table", "expectiminimax", "expectimax", "maxn")
"""The textbook's searches to the end of the game, the first that fits first."""

SIMULATIONS = 10_000
"""What Monte Carlo search gets in place of a depth."""

SAME_VALUE = (
    ("minimax", "alphabeta", "negamax", "pvs", "mtdf", "bns", "alphabeta-table", "killer", DEEPENING),
    ("expectiminimax", "star1", "star2"),
    ("breadth-first", "uniform-cost", "a-star", "ida-star", "engine:a-star", "engine:ida-star"),
    ("expectimax",),
    ("maxn",),
)
"""Families of the textbook that promise the same value at the same depth; the first that fits a game is compared."""

Watch = Callable[[int, int], None]
"""Called now and then while a textbook search runs, with the nodes and the depth so far."""


def names() -> list[str]:
    """The name of every search, the textbook's first."""
    return [*textbook.ALGORITHMS, *(f"{ENGINE}:{name}" for name in registry.NAMES)]


def resolve(name: str, game: Game) -> str:
    """The full name of a search, such as `engine:pvs` or `minimax`; `auto` and `engine` become the one that fits the game."""
    wanted = name.strip().lower()
    if wanted == AUTO:
        return fitting(game)
    if wanted == ENGINE:
        return _engine_fitting(game)
    room, _, algorithm = wanted.rpartition(":")
    if room in ("", TEXTBOOK):
        for known in textbook.ALGORITHMS:
            if _plain(known) == _plain(algorithm):
                return known
    if room in ("", ENGINE):
        for known in registry.NAMES:
            if _plain(known) == _plain(algorithm):
                return f"{ENGINE}:{known}"
    raise UnknownName("algorithm", name, [*names(), ENGINE])


def fitting(game: Game) -> str:
    """The search that fits a game's traits: the engine's where it can, else the textbook's."""
    if is_a_problem(game) and game.traits.chance:
        return _textbook_fitting(game)  # a plan that always works says more than an average
    try:
        return _engine_fitting(game)
    except Unsuitable:
        return _textbook_fitting(game)


def _engine_fitting(game: Game) -> str:
    if not isinstance(game, CompiledGame):
        raise Unsuitable(f"the engine needs compiled rules; {game.name} is a plain game: use {_textbook_fitting(game)}")
    return f"{ENGINE}:{registry.fitting(game)}"


def _textbook_fitting(game: Game) -> str:
    traits = game.traits
    if traits.information == "hidden":
        wanted = ["belief"] if is_a_problem(game) else ["mcts", "deals"]
    elif is_a_problem(game):
        wanted = ["a-star", "and-or"]
    elif traits.players == 1:
        wanted = ["expectimax"]
    elif traits.players > 2 or traits.sum != "zero":
        wanted = ["maxn"]
    elif traits.chance:
        wanted = ["expectiminimax"]
    else:
        wanted = [DEEPENING]
    for name in [*wanted, *textbook.ALGORITHMS]:
        if name in textbook.ALGORITHMS and textbook.ALGORITHMS[name].suits(game):
            return name
    raise Unsuitable(f"no search fits {game.name}")


def is_a_problem(game: Game) -> bool:
    """Whether one player has a goal to reach: the searches for a way take such a game."""
    return game.traits.players == 1 and game.traits.bounds == (0.0, 1.0)


def search(
    position: Position,
    algorithm: str = AUTO,
    limits: Limits | None = None,
    *,
    seed: int = 0,
    threads: int = 1,
    memory: int = 64,
    lines: int = 1,
    watch: Watch | None = None,
    stop: threading.Event | None = None,
    keep: dict[Any, Any] | None = None,
    earlier: Sequence[Position] = (),
    **options: Any,
) -> Iterator[Result]:
    """The Results of a search, each better founded than the one before; `options` are the algorithm's own.

    `keep` lets the engine hold on to its table or tree between the positions of a game; `earlier` is those positions, for games in
    which a repetition is a draw.
    """
    name = resolve(algorithm, position.game)
    limits = limits or Limits()
    if limits.remaining is not None and name.partition(":")[2] not in registry.ALPHA_BETA:
        plan = Clock(limits.remaining, limits.increment or 0.0).plan()
        limits = replace(limits, seconds=plan.target, remaining=None, increment=None)
    if name.startswith(ENGINE):
        kind = name.partition(":")[2]
        if kind in registry.MONTE_CARLO and limits.depth is not None:
            limits = _without_depth(name, algorithm, limits)
        try:
            engine = None if keep is None else keep.get((name, position.game))
            if engine is None:
                first = registry.make(kind, position.game, memory=1, **options)
                for _ in first.search(position, registry.first_look(kind), stop=stop):
                    pass  # compiles or loads the kernel before the clock runs
                engine = registry.make(kind, position.game, memory=memory, threads=threads, seed=seed, **options)
                if keep is not None:
                    keep[name, position.game] = engine
            more = {"lines": lines, "earlier": earlier} if kind in registry.ALPHA_BETA else {}
            yield from (found.settled() for found in engine.search(position, limits, stop=stop, **more))
            return
        except Unsuitable:  # it can turn out late that utilities are no whole numbers
            if algorithm != AUTO:
                raise
            name = _textbook_fitting(position.game)
    told = _told(watch)
    if limits.seconds is not None:
        compile_rules(position.game)
    if name == DEEPENING:
        yield from (found.settled() for found in _deepening(position, limits, told, options))
        return
    if algorithm == AUTO and not stops_in_time(name) and limits.depth is None and limits != Limits():
        yield from (found.settled() for found in _deeper_and_deeper(name, position, limits, seed, told, options))
        return
    yield textbook.run(name, position, limits=limits, seed=seed, watch=told, **options).settled()


def _without_depth(name: str, asked: str, limits: Limits) -> Limits:
    """Monte Carlo search knows no depth: refused where it was named, and a number of simulations where it only fits best."""
    if asked not in (AUTO, ENGINE):
        raise BadValue(f"{name} looks at no fixed depth: limit its simulations, seconds or nodes")
    limits = replace(limits, depth=None)
    return limits if limits != Limits() else Limits(simulations=SIMULATIONS)


def comparable(game: Game) -> list[str]:
    """The searches worth a row when nobody names any: those that fit the game and promise the same value."""
    found = next((list(family) for family in SAME_VALUE if textbook.ALGORITHMS[family[0]].suits(game)), [])
    return found if fitting(game) in found else [*found, fitting(game)]


def solve(
    position: Position,
    limits: Limits | None = None,
    *,
    threads: int = 1,
    memory: int = 256,
    watch: Watch | None = None,
    stop: threading.Event | None = None,
) -> tuple[str, Result]:
    """The exact value of a position, with the name of the search that found it: the engine's where it fits."""
    game = position.game
    if game.traits.information == "hidden":
        raise Unsuitable(f"solving needs a game with perfect information; {game.name} hides some: use best")
    limits = limits or Limits()
    if is_a_problem(game):
        return _solve_problem(position, limits, memory, watch, stop)
    try:
        from outplay.engine.solve import solve as solve_by_engine

        if not isinstance(game, CompiledGame):
            raise Unsuitable(f"{game.name} is a plain game")
        solve_by_engine(position, Limits(nodes=1), memory=1, stop=stop)  # compiles or loads the kernel before the clock runs
        found = solve_by_engine(position, limits, memory=memory, threads=threads, progress=watch, stop=stop)
        name = ENGINE
    except Unsuitable:
        name = next(name for name in EXACT if textbook.ALGORITHMS[name].suits(game))
        found = textbook.run(name, position, limits=limits, watch=_told(watch))
    if not found.exact:
        spent = f"{found.nodes:,} nodes and {found.seconds:.1f} s"
        raise Unavailable(f"{game.name} is not solved after {spent}: give it more, or ask for the best action")
    return name, found.settled()


def _solve_problem(
    position: Position, limits: Limits, memory: int, watch: Watch | None, stop: threading.Event | None
) -> tuple[str, Result]:
    """The cheapest way to the goal, or the proof that there is none; with chance, a plan for every outcome."""
    game = position.game
    if isinstance(game, CompiledGame) and not game.traits.chance:
        from outplay.engine.paths import shortest

        shortest(position, Limits(nodes=2), memory=1, stop=stop)  # compiles or loads the kernel before the clock runs
        found = shortest(position, limits, memory=memory, stop=stop, progress=watch)
        name = f"{ENGINE}:{found.algorithm}"
    else:
        name = "and-or" if game.traits.chance else "a-star"
        found = textbook.run(name, position, limits=limits, watch=_told(watch))
    if not found.exact:
        spent = f"{found.nodes:,} nodes and {found.seconds:.1f} s"
        least = f"; a way costs at least {found.facts['bound']}" if "bound" in found.facts else ""
        raise Unavailable(f"{game.name} is not solved after {spent}{least}: give it more")
    return name, found


def _told(watch: Watch | None) -> Any:
    return None if watch is None else lambda running: watch(running.nodes, running.deepest)


def stops_in_time(name: str) -> bool:
    """Whether a search has an answer whenever it is stopped, so that seconds alone may limit it."""
    return name.startswith(ENGINE) or name in (DEEPENING, "mcts")


def compile_rules(game: Game) -> None:
    """Have the rules of a compiled game compiled now, so that a search with a clock does not wait for the compiler."""
    if isinstance(game, CompiledGame):
        position = CompiledGame(game.rules, compiled=True).start()
        for action in position.actions()[:1]:
            position.result(action)
        position.evaluate(0)


def _deepening(position: Position, limits: Limits, told: Any, options: dict[str, Any]) -> Iterator[Result]:
    """The textbook's iterative deepening, one Result a depth."""
    from outplay.textbook.deepening import iterative_deepening
    from outplay.textbook.search import watcher

    if limits.simulations is not None:
        raise BadValue(f"{DEEPENING} makes no simulations: limit its depth, seconds or nodes")
    token = watcher.set(told)
    try:
        results = iterative_deepening(position, limits, **options)
    except TypeError:
        raise UnknownName(f"option of {DEEPENING}", next(iter(options)), ["reorder"]) from None
    finally:
        watcher.reset(token)
    yield from results


def _deeper_and_deeper(
    name: str, position: Position, limits: Limits, seed: int, told: Any, options: dict[str, Any]
) -> Iterator[Result]:
    """A search that knows no limit but depth, made to answer in time: depth 1, 2, 3, ... until a limit is reached."""
    begun = time.perf_counter()
    nodes = 0
    for depth in itertools.count(1):
        rest = Limits(depth=depth)
        if depth > 1:
            seconds = None if limits.seconds is None else max(0.0, limits.seconds - (time.perf_counter() - begun))
            rest = Limits(depth, seconds, None if limits.nodes is None else max(0, limits.nodes - nodes))
        try:
            found = textbook.run(name, position, limits=rest, seed=seed, watch=told, **options)
        except Unavailable:
            return
        nodes += found.nodes
        yield replace(found, nodes=nodes, seconds=time.perf_counter() - begun)
        if found.exact:
            return


def _plain(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())
