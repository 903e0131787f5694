"""One way to every search: its name and options, the one that fits a game and why, and the stream of Results.

A name alone is the textbook's (`alphabeta`, `mcts`) where the textbook has it; `engine:pvs` is the engine's algorithm of that
name, and `engine` is the engine with the algorithm that fits the game. `textbook:mcts` says in full what `mcts` means. Options
follow as everywhere: `mcts:exploration=1.0,selection=sampled`, `engine:pvs,killers=no`. `net:go-9` is the engine's search around
a network.

>>> from outplay.game import load
>>> game = load("tic-tac-toe")
>>> [result.value for result in search(game.position("xx./oo./... x"), "minimax")]
[1.0]
>>> resolve("alfabeta", game)
Traceback (most recent call last):
outplay.errors.UnknownName: unknown algorithm 'alfabeta': did you mean 'alphabeta'?
>>> best(game.position("xx./oo./... x"), "beam:width=3", depth=2).algorithm
'beam'
>>> choose(game)
('engine:pvs', 'two players, no chance, nothing hidden')
>>> choose(load("chess"))
('engine:pvs', 'two players, no chance, nothing hidden; positions judged by net:chess')
"""

from __future__ import annotations

import functools
import itertools
import math
import numbers
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from outplay import extras, textbook
from outplay.engine import preferences, registry
from outplay.engine.clock import Clock, planned
from outplay.engine.registry import MadeSearch
from outplay.errors import BadValue, OutplayError, Unavailable, UnknownName, Unsuitable, shorten
from outplay.game import CompiledGame, Game, Position, need
from outplay.names import Name, Option, find, options_of, parse, plain, read_options
from outplay.players.presets import expand, preset
from outplay.textbook.search import OutOfTime, watcher
from outplay.values import Limits, Result

AUTO = "auto"
ENGINE = "engine"
TEXTBOOK = "textbook"
NETWORK = "net"
DEEPENING = "iterative-deepening"
EXACT = ("alphabeta-table", "expectiminimax", "expectimax", "maxn")
"""The textbook's searches to the end of the game, the first that fits first."""

SIMULATIONS = 10_000
"""What Monte Carlo search gets in place of a depth."""

SAME_VALUE = (
    ("minimax", "alphabeta", "negamax", "pvs", "mtdf", "bns", "alphabeta-table", "killer", DEEPENING),
    ("expectiminimax", "star1", "star2"),
    ("breadth-first", "uniform-cost", "a-star", "ida-star", "engine:a-star", "engine:ida-star"),
    ("expectimax", "star1", "star2"),
    ("maxn",),
)
"""Families that promise the same value at the same depth; the first that fits a game is compared."""

PROMISES = (
    (*SAME_VALUE[0], "sss", "minimax-heap", "h-minimax", "h-alphabeta", *(f"{ENGINE}:{name}" for name in registry.ALPHA_BETA)),
    (*SAME_VALUE[1], "engine:expectiminimax", "engine:star1", "engine:star2"),
    ("uniform-cost", "a-star", "ida-star", "engine:a-star", "engine:ida-star"),
    ("expectimax", "engine:expectimax"),
    ("maxn", "engine:maxn"),
)
"""The same with the engine's and with all who belong there: their values may be held against each other."""

LIMITS = {"depth": "depth", "time": "seconds", "seconds": "seconds", "nodes": "nodes", "simulations": "simulations"}
"""What may stand among the options of a search and limits it."""

COMMON = (
    Option("depth", "whole", None, "look at most this many plies ahead", least=0, most=10_000),
    Option("time", "number", None, "think at most this many seconds", least=0, also="seconds"),
    Option("nodes", "whole", None, "look at no more than this many nodes", least=0),
    Option("simulations", "whole", None, "play this many simulated games", least=0),
    Option("seed", "whole", 0, "where random numbers begin", least=0),
    Option("threads", "whole", 1, "how many threads search, where the search can", least=1, most=1024),
    Option("memory", "whole", 64, "megabytes for the table of known positions", least=1),
)
"""What every door can set of every search."""

Watch = Callable[[int, int], None]
"""Called now and then while a textbook search runs, with the nodes and the depth so far."""


@dataclass(frozen=True)
class Algorithm:
    """One search by its full name: what it does, what can be set of it, which games it takes."""

    name: str
    description: str

    @property
    def is_engine(self) -> bool:
        """Whether it is the engine's."""
        return self.name.startswith(ENGINE + ":")

    @property
    def short(self) -> str:
        """The name in its own room."""
        return self.name.rpartition(":")[2]

    @functools.cached_property
    def options(self) -> tuple[Option, ...]:
        """What can be set, besides the limits."""
        if self.is_engine:
            return registry.SEARCHES[self.short].options
        from outplay.textbook.options import options

        return tuple(options(self.name))

    def why_not(self, game: Game) -> str | None:
        """Why it does not take a game, in one line; None where it does."""
        if self.is_engine:
            if not isinstance(game, CompiledGame):
                return f"the engine needs compiled rules; {game.name} is a plain game"
            return registry.why_not(self.short, game)
        try:
            need(self.name, game, **textbook.ALGORITHMS[self.name].needs)
        except Unsuitable as problem:
            return str(problem)
        return None

    def stops_in_time(self) -> bool:
        """Whether it has an answer whenever it is stopped, so that seconds alone may limit it."""
        return self.is_engine or self.name in (DEEPENING, "mcts")

    def makes_simulations(self) -> bool:
        """Whether simulations, and no depth, limit it."""
        return registry.SEARCHES[self.short].plays_on_simulations() if self.is_engine else self.name == "mcts"

    def make(self, game: Game, *, memory: int = 64, threads: int = 1, seed: int = 0, watch: Watch | None = None,
             **options: Any) -> MadeSearch:
        """The search, ready for a game."""
        if self.is_engine:
            if not isinstance(game, CompiledGame):
                fitting_here = textbook_fitting(game)[0]
                raise Unsuitable(f"the engine needs compiled rules; {game.name} is a plain game: use {fitting_here}")
            return registry.make(self.short, game, memory=memory, threads=threads, seed=seed, **options)
        return TextbookSearch(self, seed, watch, read_options(self.name, options, self.options))


@dataclass(frozen=True)
class TextbookSearch:
    """An algorithm of the textbook as a made search."""

    algorithm: Algorithm
    seed: int
    watch: Watch | None
    options: dict[str, Any]

    def search(self, position: Position, limits: Limits | None = None, *, lines: int = 1, stop: threading.Event | None = None,
               earlier: Sequence[Position] = ()) -> Iterator[Result]:
        """One Result, or one a depth from iterative deepening; a stop ends it without an answer where it has none yet."""
        from outplay.textbook.options import given

        limits = limits or Limits()
        told = _told(self.watch, stop)
        options = given(self.algorithm.name, self.options)
        if self.algorithm.name == DEEPENING:
            yield from _deepening(position, limits, told, options)
        else:
            yield textbook.run(self.algorithm.name, position, limits=limits, seed=self.seed, watch=told, **options)


class OfAGame(Algorithm):
    """A player that one game brings, asked like a search: what it found is its answer."""

    @functools.cached_property
    def options(self) -> tuple[Option, ...]:
        """What can be set, besides the limits."""
        found = extras.entry("players", self.name)
        return () if found is None else options_of(found[0].fetch(found[1]))

    def why_not(self, game: Game) -> str | None:
        """Why it does not take a game, in one line; None where it does."""
        found = extras.entry("players", self.name)
        if found is None or found[0].game != game.family:
            return f"{self.name} plays {found[0].game if found else 'another game'}, not {game.name}"
        return None

    def stops_in_time(self) -> bool:
        """Players keep to their time."""
        return True

    def makes_simulations(self) -> bool:
        """Whether simulations, and no depth, limit it."""
        return False

    def make(self, game: Game, *, memory: int = 64, threads: int = 1, seed: int = 0, watch: Watch | None = None,
             **options: Any) -> MadeSearch:
        """The player, ready for a game."""
        problem = self.why_not(game)
        if problem:
            raise Unsuitable(problem)
        from outplay.players import player

        part = str(options.pop("part", ""))
        return PlayersAnswer(player(str(Name(self.name, part, {key: str(value) for key, value in options.items()})), seed=seed))


@dataclass(frozen=True)
class PlayersAnswer:
    """A player as a made search."""

    player: Any

    def rehearse(self, position: Position) -> None:
        """What comes later in the game."""
        self.player.rehearse(position)

    def search(self, position: Position, limits: Limits | None = None, *, lines: int = 1, stop: threading.Event | None = None,
               earlier: Sequence[Position] = ()) -> Iterator[Result]:
        """One Result: what the player found, or its action with no value where it gives none."""
        if position.is_terminal() or position.is_chance():
            yield Result(None, math.nan, exact=False)
            return
        self.player.stop, self.player.last = stop, None
        action = self.player.choose(position, None if limits == Limits() else limits)
        found = self.player.last
        yield Result(action, math.nan, (action,), exact=False) if found is None else found


def algorithms() -> dict[str, Algorithm]:
    """Every search by its full name, the textbook's first."""
    return _algorithms(extras.names("searches"))


@functools.lru_cache(maxsize=16)
def _algorithms(brought: tuple[str, ...]) -> dict[str, Algorithm]:
    """The table, for as long as the opened files bring the same searches."""
    found = [Algorithm(name, row.description) for name, row in textbook.ALGORITHMS.items()]
    found += [Algorithm(f"{ENGINE}:{name}", row.description) for name, row in registry.SEARCHES.items()]
    return {algorithm.name: algorithm for algorithm in found}


def names() -> list[str]:
    """The name of every search, the textbook's first."""
    return list(algorithms())


@dataclass(frozen=True)
class Request:
    """A search as it was asked for: its name, still `auto` or `engine` where the game decides, and what was set."""

    name: str
    options: dict[str, str]
    limits: dict[str, Any]
    common: dict[str, Any]  # seed, threads, memory
    usual: dict[str, Any] = field(default_factory=dict, repr=False)  # limits where there are no others


def read(text: str) -> Request:
    """What a text such as `engine:mcts,c=1.0,time=2` asks for.

    >>> read("engine:mcts,c=1.0,time=2")
    Request(name='engine:mcts', options={'c': '1.0'}, limits={'seconds': 2.0}, common={})
    """
    asked = parse(text, "algorithm")
    base = asked.base.lower()
    known = [AUTO, ENGINE, *names()]
    of_network: dict[str, str] = {}
    if base == NETWORK:
        from outplay.players.networks import request

        name, of_network = request(asked.part)
    elif base in (ENGINE, TEXTBOOK):
        wanted = f"{base}:{asked.part}" if asked.part else base
        if base == ENGINE:
            name = find("algorithm", wanted, [ENGINE, *(each for each in known if each.startswith(ENGINE + ":"))])
        else:
            name = find("algorithm", asked.part, list(textbook.ALGORITHMS))
    elif (of_a_game := extras.entry("players", base)) is not None:
        name = next(each for each in of_a_game[0].players if plain(each) == plain(base))
        of_network = {"part": asked.part} if asked.part else {}
    else:
        if asked.part:
            raise BadValue(f"algorithm {text.strip()[:60]!r}: expected key=value after the name, got {asked.part[:40]!r}")
        same = [each for each in known if plain(each.rpartition(":")[2]) == plain(base)]
        if not same:
            raise UnknownName("algorithm", text if not asked.options else asked.base, known)
        name = same[0]
    by_name = {option.name: option for option in COMMON} | {option.also: option for option in COMMON if option.also}
    limits, common, options = {}, {}, of_network
    for key, value in asked.options.items():
        if key in LIMITS:
            limits[LIMITS[key]] = by_name[key].read(value)
        elif key in by_name:
            common[key] = by_name[key].read(value)
        else:
            options[key] = value
    return Request(name, options, limits, common)


LOCAL = ("weights", "entries", "batch", "leaves", "tables")
"""Options that read files or take memory: for the person at this machine alone."""


def refuse_local(text: str) -> None:
    """Refuse what a stranger may not set of a search: its limits, which are given apart, and what reads files or takes memory.

    >>> refuse_local("engine:mcts,time=1000")
    Traceback (most recent call last):
    outplay.errors.BadValue: 'seconds' cannot be set inside the name of an algorithm here
    """
    written = parse(text, "algorithm")
    if written.base.lower() == NETWORK or "net" in written.options:
        from outplay.players.networks import refuse_files

        refuse_files(written.options.get("net", written.part))
    asked = read(text)
    for key in (*asked.limits, *asked.common, *(key for key in asked.options if key in LOCAL)):
        raise BadValue(f"{key!r} cannot be set inside the name of an algorithm here")


def resolve(name: str, game: Game) -> str:
    """The full name of a search, such as `engine:pvs` or `minimax`; `auto` and `engine` become the one that fits the game."""
    return find_algorithm(name, game).name


class Meant(NamedTuple):
    """What a text asks for, once it is known of which game: the search, what was set, and whether it was left to the game."""

    algorithm: Algorithm
    request: Request
    is_auto: bool


def meaning(text: str | Meant, game: Game) -> Meant:
    """What a text asks for in a game; where the game chooses, it is asked here and nowhere else."""
    if isinstance(text, Meant):
        return text
    request = _of_a_name(text, game)
    is_auto = request.name == AUTO
    if is_auto and (own := as_meant(text, game)) != text:
        request = read(own)
    wanted = request.name
    if wanted == AUTO:
        wanted = choose(game)[0]
    elif wanted == ENGINE:
        wanted = _engine_fitting(game)[0]
    found = algorithms().get(wanted)
    if found is None:
        of_a_game = extras.entry("players", wanted)
        assert of_a_game is not None  # `read` knows no other names
        found = OfAGame(wanted, f"the player that {of_a_game[0].game} brings")
    return Meant(found, request, is_auto)


def _of_a_name(text: str, game: Game) -> Request:
    """What a text asks for, or the named player in it, such as `deep-blue`, whose limits give way to others."""
    named = preset(text, "algorithm")
    if named is None:
        return read(text)
    if named.game and named.game != game.family:
        raise Unsuitable(f"{named.name} plays {named.game}, not {game.name}")
    meant, written = read(expand(text)), {LIMITS.get(key) for key in parse(text, "algorithm").options}
    limits = {key: value for key, value in meant.limits.items() if key in written}
    return replace(meant, limits=limits, usual={key: value for key, value in meant.limits.items() if key not in written})


def find_algorithm(text: str, game: Game) -> Algorithm:
    """The search that a text means for a game."""
    return meaning(text, game).algorithm


def as_meant(text: str, game: Game) -> str:
    """What `auto` is for a game that says who plays it best (`Extras.player`), with the options that were written; else as it was.

    >>> from outplay.game import load
    >>> as_meant("auto:time=2", load("bridge")), as_meant("auto", load("chess")), as_meant("engine", load("bridge"))
    ('double-dummy:time=2', 'auto', 'engine')
    """
    has, asked = extras.of(game), parse(text, "algorithm")
    if not has.player or asked.base.lower() != AUTO:
        return text
    own = next((each for each in (has.player, *has.otherwise) if why_not_own(each, game) is None), "")
    if not own:
        return text
    meant = parse(own, "player")
    return str(meant._replace(options={**meant.options, **asked.options}))


@functools.lru_cache(maxsize=256)
def why_not_own(own: str, game: Game) -> str | None:
    """Why a game's own player does not take these parameters of it; None where it does."""
    try:
        asked = read(own)
        if "net" in asked.options:
            from outplay.players.networks import options_for

            options_for(asked.options["net"], game)
        elif asked.name in algorithms():
            return algorithms()[asked.name].why_not(game)
        elif asked.name not in (AUTO, ENGINE):
            from outplay.players import player

            player(own).get_ready(game.start())
    except OutplayError as problem:
        return str(problem)
    return None


def fitting(game: Game) -> str:
    """The search that fits a game's traits: the engine's where it can, else the textbook's."""
    return choose(game)[0]


def choose(game: Game) -> tuple[str, str]:
    """The search that fits a game, and why."""
    own = as_meant(AUTO, game)
    if own != AUTO:
        name = find_algorithm(own, game).name
        return name, "it plays this game best" + (f" ({own})" if own != name else "")
    if is_a_problem(game) and game.traits.chance:
        return textbook_fitting(game)  # a plan that always works says more than an average
    try:
        name, why = _engine_fitting(game)
    except Unsuitable:
        return textbook_fitting(game)
    judge, advice = preferences.network(game), adviser(game)
    if advice:
        why = f"{why}; where nothing is proved yet, {advice}"
    return name, f"{why}; positions judged by net:{judge}" if judge else why


def _engine_fitting(game: Game) -> tuple[str, str]:
    if not isinstance(game, CompiledGame):
        raise Unsuitable(f"the engine needs compiled rules; {game.name} is a plain game: use {textbook_fitting(game)[0]}")
    name, why = registry.choose(game)
    return f"{ENGINE}:{name}", why


def textbook_fitting(game: Game) -> tuple[str, str]:
    """The textbook's search to prefer for a game, and why."""
    traits = game.traits
    if traits.information == "hidden":
        wanted, why = ["mcts", "deals"], "information is hidden"
        if is_a_problem(game):
            wanted, why = ["belief"], "a plan that works whatever cannot be seen"
    elif is_a_problem(game):
        wanted, why = ["a-star", "and-or"], "one player looks for a way to the goal"
    elif traits.players == 1:
        wanted, why = ["expectimax"], "one player against chance"
    elif traits.sides > 2 or traits.sum != "zero":
        wanted, why = ["maxn"], "more than two sides" if traits.sides > 2 else "what one gains the other does not lose"
    elif traits.chance:
        wanted, why = ["expectiminimax"], "two players and chance"
    else:
        wanted, why = [DEEPENING], "two players, no chance, nothing hidden"
    for name in [*wanted, *textbook.ALGORITHMS]:
        if name in textbook.ALGORITHMS and textbook.ALGORITHMS[name].suits(game):
            return name, why
    raise Unsuitable(f"no search fits {game.name}")


def is_a_problem(game: Game) -> bool:
    """Whether one player has a goal to reach: the searches for a way take such a game."""
    return game.traits.players == 1 and game.traits.bounds == (0.0, 1.0)


def search(
    position: Position,
    algorithm: str | Meant = AUTO,
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
    clock: Clock | None = None,
    actions: Sequence[Any] | None = None,
    deepens: bool = False,
    **options: Any,
) -> Iterator[Result]:
    """The Results of a search, each better founded than the one before; `options` are the algorithm's own.

    `keep` lets the engine hold on to its table or tree between the positions of a game; `earlier` is those positions, for games in
    which a repetition is a draw. What the text of the algorithm sets comes before what stands beside it. Alpha-beta also plans with
    a `clock` that knows more than the limits tell, and looks only at some `actions`. A search that has no answer before it is done
    is asked deeper and deeper where time limits it, if it `deepens`.
    """
    position = as_position(position, "search")
    wanted, request, is_auto = meaning(algorithm, position.game)
    given = limits or Limits()
    if request.limits or (request.usual and given == Limits()):
        given = replace(given, **(request.limits or request.usual))
    common = {"seed": seed, "threads": threads, "memory": memory, **request.common}
    options = {**options, **request.options}
    if is_auto and not options and clock is None and actions is None and (advice := adviser(position.game)):
        by_time = given.depth is None and given.nodes is None and given.simulations is None
        if by_time and (given.seconds is not None or given.remaining is not None):
            yield from _advised(position, advice, planned(given), common, lines, stop, keep, earlier)
            return
    if folder := options.pop("tables", ""):
        options["endgame"] = _tables(str(folder), wanted, position.game)
    usual = preferences.network(position.game) if request.name in (AUTO, ENGINE) and wanted.is_engine else ""
    if usual and "weights" not in options:
        options = {"net": usual, **options}
    judge = f",net={options['net']}" if "net" in options else ""
    if "net" in options:
        from outplay.players.networks import as_judged, options_for

        part = options.pop("net")
        options = {**options_for(part, position.game, common, symmetric=options.pop("symmetric", False)), **options}
        position, earlier = as_judged(part, position, earlier)
    if wanted.is_engine:
        try:
            narrow = {key: value for key, value in (("clock", clock), ("actions", actions)) if value is not None}
            for each in _by_engine(wanted, position, given, request.name, common, lines, stop, keep, earlier, options, narrow):
                yield replace(each, algorithm=wanted.name + judge)
            return
        except Unsuitable:  # it can turn out late that utilities are no whole numbers
            if not is_auto:
                raise
            wanted = algorithms()[textbook_fitting(position.game)[0]]
    given = planned(given)
    if isinstance(wanted, OfAGame):
        key = wanted.name, repr(sorted(options.items(), key=str)), position.game  # `algorithm` may be a request, read already
        made = (keep or {}).get(key) or wanted.make(position.game, seed=common["seed"], **options)
        if keep is not None:
            keep[key] = made
        for result in made.search(position, given, stop=stop):
            yield replace(result.settled(), algorithm=wanted.name)
        return
    if given.seconds is not None:
        compile_rules(position.game)
    made = wanted.make(position.game, seed=common["seed"], watch=watch, **options)
    is_hurried = given.seconds is not None if deepens and not is_auto else given.depth is None and given != Limits()
    if (is_auto or deepens) and not wanted.stops_in_time() and is_hurried:
        found = _deeper_and_deeper(made, position, given, stop)
    else:
        found = made.search(position, given, stop=stop)
    for result in found:
        yield replace(result.settled(), algorithm=wanted.name)


PROOF = 0.3
"""The part of the time in which a search looks for a proof before a network is asked."""


def adviser(game: Game) -> str:
    """The network that `auto` asks where nothing is proved in a part of the time, as a player; empty where there is none."""
    name = preferences.adviser(game)
    return f"{NETWORK}:{name}" if name and why_not_own(f"{NETWORK}:{name}", game) is None else ""


def _advised(position: Position, advice: str, limits: Limits, common: dict[str, Any], lines: int, stop: threading.Event | None,
             keep: dict[Any, Any] | None, earlier: Sequence[Position]) -> Iterator[Result]:
    """The search that fits the game where it proves who wins, else the network with the search around it."""
    seconds = limits.seconds or 0.0
    asked: dict[str, Any] = {**common, "lines": lines, "stop": stop, "keep": keep, "earlier": earlier}
    found = None
    for found in search(position, ENGINE, replace(limits, seconds=PROOF * seconds), **asked):
        yield found
    if found is None or (found.exact and found.action is not None) or (stop is not None and stop.is_set()):
        return
    spent = min(found.seconds, PROOF * seconds)
    yield from search(position, advice, replace(limits, seconds=max(0.01, seconds - spent)), **asked)


def _tables(folder: str, wanted: Algorithm, game: Game) -> Any:
    """Endgame tables of a folder, for a search that looks into them."""
    from outplay.players.prepared import Prepared

    if not wanted.is_engine or wanted.short not in registry.ALPHA_BETA:
        raise BadValue(f"{wanted.name} looks into no tables: engine:pvs and its kin do")
    found = Prepared(tables=folder).in_search(game)
    if found is None:
        raise BadValue(f"tables {folder!r}: a player asks these before it thinks (match, play); no search looks into them")
    return found


def _by_engine(wanted: Algorithm, position: Position, limits: Limits, asked: str, common: dict[str, Any], lines: int,
               stop: threading.Event | None, keep: dict[Any, Any] | None, earlier: Sequence[Position],
               options: dict[str, Any], narrow: dict[str, Any]) -> Iterator[Result]:
    if wanted.makes_simulations() and limits.depth is not None:
        limits = _without_depth(wanted.name, asked, limits)
    elif limits.simulations is not None and not wanted.makes_simulations():
        raise BadValue(f"{wanted.name} makes no simulations: limit its depth, seconds or nodes, or ask for one that does, as mcts")
    if wanted.short not in registry.ALPHA_BETA:  # alpha-beta plans with the clock itself
        limits = planned(limits)
    key = wanted.name, position.game
    engine = None if keep is None else keep.get(key)
    if engine is None:
        first, look = wanted.make(position.game, **{**common, "memory": 1}, **options), registry.first_look(wanted.short)
        if keep is None or (limits.seconds is None and limits.remaining is None):
            look = replace(look, seconds=None)  # what only a game with a clock uses need not be compiled
        for _ in first.search(position, look, stop=stop):
            pass  # compiles or loads the kernel before the clock runs
        engine = wanted.make(position.game, **common, **options)
        if keep is not None:
            take_memory = getattr(engine, "take_memory", None)
            if take_memory is not None:
                take_memory()
            keep[key] = engine
    for found in engine.search(position, limits, lines=lines, stop=stop, earlier=earlier, **narrow):
        yield found.settled()


def as_position(position: Any, what: str) -> Position:
    """The position that somebody asks of; anything else is refused with what to say.

    >>> from outplay.game import load
    >>> as_position(load("nim"), "best")
    Traceback (most recent call last):
    outplay.errors.BadValue: best needs a position, got the game nim: say game.start()
    """
    if isinstance(position, Position):
        return position
    if isinstance(position, Game):
        raise BadValue(f"{what} needs a position, got the game {position.name}: say game.start()")
    said = f": say load({shorten(position)!r}).start()" if isinstance(position, str) else ""
    raise BadValue(f"{what} needs a position, got {shorten(repr(position))}{said}")


def numeric(evaluate: Any) -> Any:
    """The evaluation, whose answer is told where it is no number."""

    def checked(position: Position, player: int) -> float:
        value = evaluate(position, player)
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            raise BadValue(f"evaluate(position, player) must return a number, got {shorten(repr(value))}")
        return float(value)

    return checked


def _can_be_given(name: str, game: Game, evaluate: Any) -> None:
    """Refuse an evaluation or an order in Python for a search that asks none, with the one that does."""
    wanted = find_algorithm(name, game)
    takes = () if wanted.is_engine else {option.name for option in wanted.options}
    if ("evaluate" if evaluate is not None else "order") not in takes:
        why = "asks the rules' own evaluation, which is compiled" if wanted.is_engine else "searches to the end of the game"
        raise BadValue(f"{wanted.name} {why}: a search that asks a Python function is 'h-alphabeta', to a depth")


def best(position: Position, algorithm: str = AUTO, limits: Limits | None = None, *, depth: int | None = None,
         seconds: float | None = None, nodes: int | None = None, simulations: int | None = None, evaluate: Any = None,
         order: Any = None, **options: Any) -> Result:
    """The answer of a search: the last of its Results.

    Limits may be given one by one. With a plain Python function as `evaluate(position, player)` or `order(position, actions)` the
    textbook's alpha-beta searches with it, to depth 4 unless told otherwise.
    """
    position = as_position(position, "best")
    if "time" in options:
        raise BadValue("best takes no 'time': did you mean 'seconds'?")
    if algorithm != AUTO and (evaluate is not None or order is not None):
        _can_be_given(algorithm, position.game, evaluate)
    given = limits or Limits()
    own: dict[str, Any] = {"depth": depth, "seconds": seconds, "nodes": nodes, "simulations": simulations}
    given = replace(given, **{key: value for key, value in own.items() if value is not None})
    if evaluate is not None or order is not None:
        if algorithm == AUTO:
            fits = algorithms()["h-alphabeta"].why_not(position.game) is None
            algorithm = "h-alphabeta" if fits else textbook_fitting(position.game)[0]
            if given == Limits():
                given = Limits(depth=4)
        functions = (("evaluate", None if evaluate is None else numeric(evaluate)), ("order", order))
        options |= {key: value for key, value in functions if value is not None}
    meant = meaning(algorithm, position.game)
    asked = meant.request
    if given == Limits() and evaluate is order is None and not (asked.limits or asked.usual) and meant.algorithm.stops_in_time():
        given = Limits(seconds=1.0)
    found = None
    for found in search(position, meant, given, **options):  # noqa: B007  the last one counts
        pass
    assert found is not None  # every search reports at least once
    return found


def _without_depth(name: str, asked: str, limits: Limits) -> Limits:
    """Monte Carlo search knows no depth: refused where it was named, and a number of simulations where it only fits best."""
    if asked not in (AUTO, ENGINE):
        raise BadValue(f"{name} looks at no fixed depth: limit its simulations, seconds or nodes")
    limits = replace(limits, depth=None)
    return limits if limits != Limits() else Limits(simulations=SIMULATIONS)


def comparable(game: Game) -> list[str]:
    """The searches worth a row when nobody names any: those that fit the game and promise the same value, and the fitting one."""
    families = SAME_VALUE if game.traits.players > 1 or is_a_problem(game) else SAME_VALUE[3:]  # no goal, no path to it
    found = next((list(family) for family in families if textbook.ALGORITHMS[family[0]].suits(game)), [])
    return found if fitting(game) in found else [*found, fitting(game)]


def promise_the_same(first: str, second: str, game: Game) -> bool:
    """Whether two searches promise the same value at the same depth, so that a difference would be a fault.

    The engine's alpha-beta is selective where the game has an evaluation, and then promises nothing.
    """
    def family(name: str) -> int | None:
        if name.rpartition(":")[0] == ENGINE and name.rpartition(":")[2] in registry.ALPHA_BETA and game.offers("evaluate"):
            return None
        return next((number for number, members in enumerate(PROMISES) if name in members), None)

    return family(first) is not None and family(first) == family(second)


def solve(
    position: Position,
    limits: Limits | None = None,
    *,
    threads: int = 1,
    memory: int = 256,
    watch: Watch | None = None,
    stop: threading.Event | None = None,
) -> Result:
    """The exact value of a position, by the engine where it fits; `algorithm` of the Result says which search found it."""
    game = as_position(position, "solve").game
    if game.traits.information == "hidden":
        other = "an equilibrium" if game.players > 1 else "the best action"
        raise Unsuitable(f"solving needs a game with perfect information; {game.name} hides some: ask for {other}")
    if game.traits.sampled:
        raise Unsuitable(f"solving needs chance that can be listed; that of {game.name} can only be drawn: ask for the best action")
    limits = limits or Limits()
    if is_a_problem(game):
        return _solve_problem(position, limits, memory, watch, stop)
    try:
        from outplay.engine.alphabeta.solve import solve as solve_by_engine

        if not isinstance(game, CompiledGame):
            raise Unsuitable(f"{game.name} is a plain game")
        solve_by_engine(position, Limits(nodes=1), memory=1, stop=stop)  # compiles or loads the kernel before the clock runs
        found = solve_by_engine(position, limits, memory=memory, threads=threads, progress=watch, stop=stop)
        name = ENGINE
    except Unsuitable:
        name = next(name for name in EXACT if textbook.ALGORITHMS[name].suits(game))
        try:
            found = textbook.run(name, position, limits=limits, watch=_told(watch, stop))
        except OutOfTime:
            if stop is not None and stop.is_set():
                raise
            given = f"{limits.nodes:,} nodes" if limits.nodes is not None else f"{limits.seconds:g} s"
            raise Unavailable(f"{game.name} is not solved after {given}: give it more time, or ask for the best action") from None
        except Unavailable as problem:
            if "stack" not in str(problem):
                raise
            raise Unavailable(f"{game.name} is too deep to be solved from here: solve a later position, or ask for the best action"
                              ) from None
    if not found.exact:
        spent = f"{found.nodes:,} nodes and {found.seconds:.1f} s"
        raise Unavailable(f"{game.name} is not solved after {spent}: give it more time, or ask for the best action")
    return replace(found.settled(), algorithm=name)


def _solve_problem(
    position: Position, limits: Limits, memory: int, watch: Watch | None, stop: threading.Event | None
) -> Result:
    """The cheapest way to the goal, or the proof that there is none; with chance, a plan for every outcome."""
    game = position.game
    if isinstance(game, CompiledGame) and not game.traits.chance:
        from outplay.engine.paths import shortest

        shortest(position, Limits(nodes=2), memory=1, stop=stop)  # compiles or loads the kernel before the clock runs
        found = shortest(position, limits, memory=memory, stop=stop, progress=watch)
        name = f"{ENGINE}:{found.algorithm}"
    else:
        name = "and-or" if game.traits.chance else "a-star"
        found = textbook.run(name, position, limits=limits, watch=_told(watch, stop))
    if not found.exact:
        spent = f"{found.nodes:,} nodes and {found.seconds:.1f} s"
        least = f"; a way costs at least {found.facts['bound']}" if "bound" in found.facts else ""
        raise Unavailable(f"{game.name} is not solved after {spent}{least}: give it more")
    return replace(found.settled(), algorithm=name)


def _told(watch: Watch | None, stop: threading.Event | None) -> Any:
    """What the textbook calls now and then: it tells the watch, and ends a search that is stopped."""
    if watch is None and stop is None:
        return None

    def tell(running: Any) -> None:
        if watch is not None:
            watch(running.nodes, running.deepest)
        if stop is not None and stop.is_set():
            raise OutOfTime("stopped before it had an answer")

    return tell


def stops_in_time(name: str) -> bool:
    """Whether a search has an answer whenever it is stopped, so that seconds alone may limit it."""
    return algorithms()[name].stops_in_time()


def compile_rules(game: Game) -> None:
    """Have the rules of a compiled game compiled now, so that a search with a clock does not wait for the compiler."""
    if isinstance(game, CompiledGame):
        game.compile_rules()


def _deepening(position: Position, limits: Limits, told: Any, options: dict[str, Any]) -> Iterator[Result]:
    """The textbook's iterative deepening, one Result a depth."""
    from outplay.textbook.deepening import iterative_deepening

    if limits.simulations is not None:
        raise BadValue(f"{DEEPENING} makes no simulations: limit its depth, seconds or nodes")
    token = watcher.set(told)
    try:
        results = iterative_deepening(position, limits, **options)
    finally:
        watcher.reset(token)
    yield from results


def _deeper_and_deeper(made: MadeSearch, position: Position, limits: Limits, stop: threading.Event | None) -> Iterator[Result]:
    """A search that knows no limit but depth, made to answer in time: depth 1, 2, 3, ... until a limit is reached."""
    begun = time.perf_counter()
    nodes = 0
    for depth in itertools.count(1):
        rest = Limits(depth=depth, simulations=limits.simulations)
        if depth > 1:
            seconds = None if limits.seconds is None else max(0.0, limits.seconds - (time.perf_counter() - begun))
            rest = replace(rest, seconds=seconds, nodes=None if limits.nodes is None else max(0, limits.nodes - nodes))
        try:
            found = next(iter(made.search(position, rest, stop=stop)))
        except Unavailable:
            return
        except BadValue:
            if depth > 1:
                raise
            yield from made.search(position, limits, stop=stop)  # it takes no depth
            return
        nodes += found.nodes
        yield replace(found, nodes=nodes, seconds=time.perf_counter() - begun)
        if found.exact or depth == limits.depth or rest.seconds == 0.0:
            return


__all__ = ["AUTO", "ENGINE", "TEXTBOOK", "Algorithm", "MadeSearch", "Watch", "algorithms", "best", "choose",
           "comparable", "compile_rules", "fitting", "names", "read", "resolve", "search", "solve", "stops_in_time"]  # fmt: skip
