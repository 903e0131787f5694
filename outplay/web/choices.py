"""What requests say, and what they mean: a game with its parameters, a position, a search with its limits, a player.

Nothing that a request says is ever taken for a file or a program: a game is one of those that come with Outplay, and a player is a
person, chance or a search.

>>> Asked(game="connect four:width=5", actions=["1"]).position().text()
'...../...../...../...../...../x.... o'
>>> Asked(game="evil.py").position()
Traceback (most recent call last):
outplay.errors.UnknownName: unknown game 'evil.py': known are ...
"""

from __future__ import annotations

import functools
import inspect
import re
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from outplay import extras, textbook
from outplay.errors import BadValue, OutplayError, Unavailable, UnknownName, shorten
from outplay.game import CompiledGame, Game, Position, game_names, known_game
from outplay.game.card import options
from outplay.names import parse, plain
from outplay.players import Human, Player, Searcher, player
from outplay.players.algorithms import AUTO, ENGINE, TEXTBOOK, algorithms, refuse_local, resolve
from outplay.players.levels import are_measured
from outplay.players.networks import options_for, shipped
from outplay.players.presets import presets
from outplay.rules import describe_range
from outplay.values import Limits
from outplay.views.panel import panel_of
from outplay.web import limits as most
from outplay.web import own, spoken

Plain = str | int | float | bool


class Asked(BaseModel):
    """A position: a game with its parameters, the start or a text, and actions from there."""

    model_config = ConfigDict(extra="forbid")

    game: str = Field(max_length=most.MOST_BODY, description="A game's name, alone or as name:key=value,key=value")
    parameters: dict[str, Plain] = Field(default_factory=dict, max_length=20)
    start: str | None = Field(None, max_length=most.MOST_TEXT, description="A position in the game's notation; left out: the start")
    actions: list[str] = Field(default_factory=list, max_length=most.MOST_PLIES)

    def opened(self, compiled: bool | None = False) -> Game:
        """The game itself; for a look its rules stay in plain Python, so that no request waits for the compiler."""
        return open_game(self.game, self.parameters, compiled)

    def position(self, compiled: bool | None = False) -> Position:
        """The position that is meant."""
        game = self.opened(compiled)
        begun = game.start() if self.start is None else game.position(self.start)
        return replay(begun, self.actions)


class Search(Asked):
    """A position and how it is to be searched."""

    algorithm: str = Field(AUTO, max_length=200)
    depth: int | None = Field(None, ge=0, le=200)
    seconds: float | None = Field(None, gt=0)
    nodes: int | None = Field(None, ge=1)
    simulations: int | None = Field(None, ge=1)
    seed: int = Field(0, ge=0, lt=2**63)
    lines: int = Field(1, ge=1, le=most.MOST_LINES)

    def limits(self, name: str, seconds: float = 5.0) -> Limits:
        """The limits of the search, within what anybody may use; `seconds` where nothing else is said."""
        refuse_local(self.algorithm)
        nodes = most.MOST_NODES if name.startswith(ENGINE) else most.MOST_TEXTBOOK_NODES
        most.check("seconds", self.seconds, most.MOST_SECONDS)
        most.check("nodes", self.nodes, nodes)
        most.check("simulations", self.simulations, most.MOST_SIMULATIONS)
        nothing_said = self.depth is None and self.nodes is None and self.simulations is None
        return Limits(
            depth=None if name.endswith("mcts") else self.depth,
            seconds=self.seconds or (seconds if nothing_said else most.MOST_SECONDS),
            nodes=self.nodes or nodes,
            simulations=self.simulations if name.endswith("mcts") else None,
        )


def open_game(name: str, parameters: Mapping[str, Plain] | None = None, compiled: bool | None = False) -> Game:
    """One of the games that come with Outplay; never an author's file.

    Rules that are to stay in plain Python are compiled all the same where that would take seconds to list the actions.
    """
    game = _opened(name, parameters, compiled)
    if compiled is False and isinstance(game, CompiledGame) and game.has_many_actions:
        return _opened(name, parameters, None)
    return game


def _opened(name: str, parameters: Mapping[str, Plain] | None, compiled: bool | None) -> Game:
    base, part, written = parse(name, "game")
    if part:
        raise BadValue(f"{shorten(base)}: expected parameters as key=value, got {shorten(part)!r}")
    given: dict[str, Any] = {**written, **(parameters or {})}
    if "compiled" in given or "name" in given:
        raise BadValue(f"{shorten(base)} has no parameter named compiled or name")
    plain = {re.sub(r"[\s_-]+", "", known): known for known in game_names()}
    known = plain.get(re.sub(r"[\s_-]+", "", base.lower()))
    if known is None:
        mine = own.games()
        if base in mine:
            return known_game(mine[base], compiled=compiled, **given)
        raise UnknownName("game", base, [*game_names(), *mine])
    if not given:
        return known_game(known, compiled=compiled)
    new = _account(known, given)
    try:
        return known_game(known, compiled=compiled, **given)
    except OutplayError:
        if new is not None:
            del _met[new]  # what was refused takes no memory
        raise


_met: dict[int, int] = {}  # games with parameters met so far: the bytes that each takes
_counting = threading.Lock()


def _account(name: str, given: Mapping[str, Any]) -> int | None:
    """Refuse new games once those met so far fill the memory that they may have; the number of a game not met before."""
    text = repr((name, sorted(given.items())))
    return account(text, most.RULES_BYTES + most.BYTES_A_LETTER * len(text))


def account(text: str, wanted: int) -> int | None:
    """Count so many bytes for something that is kept, the first time; refused where there is no room for it."""
    with _counting:
        if hash(text) in _met:
            return None
        if sum(_met.values()) + wanted > most.MOST_RULES_BYTES:
            raise Unavailable("this studio has met too many different games and trees: start it anew")
        _met[hash(text)] = wanted
        return hash(text)


def describe(game: Game) -> dict[str, Any]:
    """A game for the list: traits, parameters with what they may be, and which searches fit."""
    traits = game.traits
    summary = (game.__doc__ or "").strip().splitlines()
    return {
        "name": game.name,
        "summary": (summary[0] if summary else "").rstrip(".") + ".",
        "players": traits.players,
        "chance": traits.chance,
        "information": traits.information,
        "sum": traits.sum,
        "parameters": _parameters(game),
        "algorithms": fitting(game),
        "named": spoken.named(game.name),
        "levels": extras.of(game).levels,
        "measured": are_measured(game.name),
        "first_seat": panel_of(game).first_seat,
    }


def _parameters(game: Game) -> list[dict[str, Any]]:
    told = options(game)
    rules = getattr(game, "rules", None)
    if rules is None:
        found = inspect.signature(type(game)).parameters.values()
        return [{"name": p.name, "default": p.default, "kind": "text", "range": "", "choices": [], "help": told.get(p.name, "")}
                for p in found if isinstance(p.default, int | float | str)]  # fmt: skip
    listed = []
    for name, default in rules.definition.defaults.items():
        allowed = rules.definition.ranges[name]
        choices: list[Any] = []
        if isinstance(allowed, range | tuple) and len(allowed) <= 40 and not isinstance(allowed[0], float):
            choices = list(allowed)
        listed.append({"name": name, "default": default, "range": describe_range(allowed), "choices": choices,
                       "help": told.get(name, "")})  # fmt: skip
    return listed


@functools.lru_cache(maxsize=256)
def fitting(game: Game) -> list[str]:
    """The searches that a game's traits allow, the fitting one first."""
    best = resolve(AUTO, game)
    found = [name for name, algorithm in textbook.ALGORITHMS.items() if algorithm.suits(game)]
    if best.startswith(ENGINE):
        found = [*(name for name, each in algorithms().items() if each.is_engine and each.why_not(game) is None), *found]
    return [best, *(name for name in found if name != best)]


def replay(begun: Position, actions: Sequence[str]) -> Position:
    """The position after actions in the game's notation."""
    position = begun
    for text in actions:
        position = position.result(position.parse_action(text))
    return position


HEADS = ("random", "human", "thumb", "net", ENGINE, AUTO, TEXTBOOK, *textbook.ALGORITHMS)
OPTIONS = ("depth", "time", "seconds", "nodes", "simulations", "seed", "threads", "memory", "exploration",
           "width", "number", "skill", "level", "deals", "candidates", "samples", "endgame")  # fmt: skip
MOST = {"time": most.MOST_SECONDS, "deals": 2_000, "candidates": 100, "samples": 100_000}
"""What the options of players with a game of their own may be at most."""


def seated(text: str, game: Game, stop: threading.Event | None = None, seed: int = 0) -> Player:
    """The player that a text names, within the limits of the studio; other programs and files are never started."""
    head, _, rest = text.strip().lower().partition(":")
    own = extras.entry("players", head)
    if len(text) > 200 or (own is None and plain(head) not in {plain(name) for name in (*HEADS, *presets())}):
        named = *extras.names("players"), *presets()
        raise UnknownName("player", text, ["human", "random", AUTO, ENGINE, *textbook.ALGORITHMS, *named])
    if head == "net" and rest.split(",")[0] not in shipped():  # by its name, never by a file
        raise UnknownName("network", rest.split(",")[0], list(shipped()))
    for part in rest.split(","):
        key, equals, written = part.partition("=")
        if equals and key.strip() not in OPTIONS:
            raise UnknownName("option of a player here", key.strip(), OPTIONS)
        if equals and own is not None and key.strip() in MOST and re.fullmatch(r"\d+\.?\d*", written.strip()):
            most.check(key.strip(), float(written), MOST[key.strip()])
    made = player(text, seed=seed)
    if isinstance(made, Human) and (stop is not None or text.strip().lower() != "human"):
        raise UnknownName("player", text, ["human"])  # one that is not asked on the page would be asked at the server's terminal
    if made.plays:
        made.check_game(game.start())
    if head == "thumb":
        made.get_ready(game.start())
    if head == "net":
        options_for(rest.split(",")[0], game)  # refuses a game that the network was not trained for
    if not isinstance(made, Searcher):
        return made
    for key, value in made.options.items():
        if key in OPTIONS and type(value) not in (int, float):
            raise BadValue(f"{key} must be a number, got {shorten(str(value))!r}")
    name = resolve(made.algorithm, game)
    asked = made.limits
    nodes = most.MOST_NODES if name.startswith(ENGINE) else most.MOST_TEXTBOOK_NODES
    most.check("time", asked.seconds, most.MOST_SECONDS)
    most.check("nodes", asked.nodes, nodes)
    most.check("simulations", asked.simulations, most.MOST_SIMULATIONS)
    most.check("memory", made.options.get("memory"), most.MOST_MEGABYTES)
    most.check("threads", made.options.get("threads"), most.SEARCHES)
    for key, limit in (("time", asked.seconds), ("nodes", asked.nodes), ("simulations", asked.simulations)):
        if limit is not None and not limit > 0:  # a search without any time has no move to give
            raise BadValue(f"{key} must be above 0, got {limit:g}")
    made.limits = Limits(asked.depth, asked.seconds or most.MOST_SECONDS, asked.nodes or nodes, asked.simulations)
    if name.startswith(ENGINE):
        made.options.setdefault("memory", 16)
    if stop is not None:
        made.options["stop"] = stop
        made.watch = stopping(stop)
    return made


def stopping(stop: threading.Event) -> Any:
    """A watch for the textbook's searches that ends them once nobody waits any more."""
    from outplay.textbook.search import OutOfTime

    def watch(nodes: int, depth: int) -> None:
        if stop.is_set():
            raise OutOfTime("stopped")

    return watch
