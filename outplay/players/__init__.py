"""Players: anything that picks an action, named by a short text.

    random                       any action; random:seed=3 for other ones
    human                        a person at the keyboard
    alphabeta:depth=6            an algorithm of the textbook, with its limits and options
    mcts:simulations=1000
    engine                       the engine with what fits the game, one second a move
    engine:time=0.5              the same, half a second a move
    engine:pvs,depth=8           one of the engine's algorithms
    engine:level=club            weaker: beginner, casual, club, strong, master, full, or a rating
    engine:book=F,tables=D       with an opening book and endgame tables
    auto                         whatever fits the game, one second a move
    uci:stockfish,time=0.1       another program, by its protocol
    gnubg:ply=0                  GNU Backgammon

>>> player("alphabeta:depth=6").limits
Limits(depth=6)
>>> player("engine:pvs,time=0.5").name
'engine:pvs,time=0.5'
>>> player("randm")
Traceback (most recent call last):
outplay.errors.UnknownName: unknown player 'randm': did you mean 'random'?
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from outplay import playing
from outplay.errors import BadValue, UnknownName, shorten
from outplay.game import Position
from outplay.players.algorithms import AUTO, ENGINE, TEXTBOOK, Watch, names
from outplay.players.base import Player, Resigned
from outplay.players.human import Human
from outplay.players.random import RandomPlayer
from outplay.players.searcher import Searcher
from outplay.playing import Play
from outplay.values import Limits

LIMITS = {"depth": "depth", "time": "seconds", "seconds": "seconds", "nodes": "nodes", "simulations": "simulations"}
PROTOCOLS = ("uci", "xboard", "gtp", "gnubg")
ENGINE_OPTIONS = ("threads", "memory", "lines", "level", "book", "tables")
SECONDS = 1.0
"""How long `engine` and `auto` think about a move when they are given no limit."""


def player(
    text: str,
    *,
    seed: int = 0,
    ask: Callable[[Position], str] | None = None,
    tell: Callable[[str], None] = print,
    watch: Watch | None = None,
) -> Player:
    """The player that a text names; `ask` and `tell` are for a person, `watch` for a search, `seed` where the text has none."""
    if text.strip().partition(":")[0] in PROTOCOLS:
        from outplay.players.external import external

        return external(text)
    base, options = _parse(text)
    if base == "human":
        _refuse_rest("human", options)
        return Human(ask or (lambda view: input("> ")), tell)
    chosen_seed = options.pop("seed", seed)
    if not isinstance(chosen_seed, int):
        raise BadValue(f"player {shorten(text)!r}: seed must be a whole number, got {chosen_seed!r}")
    if base == "random":
        _refuse_rest("random", options)
        chancer = RandomPlayer(chosen_seed)
        chancer.name = text.strip()
        return chancer
    limits = {LIMITS[key]: _number(text, key, options.pop(key)) for key in list(options) if key in LIMITS}
    if base.startswith(ENGINE):
        for key in options:
            if key not in ENGINE_OPTIONS:
                raise UnknownName(f"option of player {base}", key, [*LIMITS, *ENGINE_OPTIONS, "seed"])
    if base == AUTO or base.startswith(ENGINE):
        limits = limits or {"seconds": SECONDS}
    made = Searcher(base, Limits(**limits), seed=chosen_seed, watch=watch, **options)
    made.name = text.strip()
    return made


def _parse(text: str) -> tuple[str, dict[str, Any]]:
    """The name and the options of `name:key=value,key=value`, where an engine's or textbook's name has a part of its own."""
    head, _, rest = text.strip().partition(":")
    parts = [part.strip() for part in re.split(r",", rest) if part.strip()]
    base = head.strip().lower()
    if base in (ENGINE, TEXTBOOK) and parts and "=" not in parts[0]:
        base = f"{base}:{parts.pop(0).lower()}"
    known = ["random", "human", *PROTOCOLS, ENGINE, AUTO, *names()]
    plain = {re.sub(r"[\W_]+", "", name.removeprefix(TEXTBOOK + ":")): name for name in reversed(known)}
    found = plain.get(re.sub(r"[\W_]+", "", base.removeprefix(TEXTBOOK + ":")))
    if found is None:
        raise UnknownName("player", head if rest and "=" in rest else text, known)
    options: dict[str, Any] = {}
    for part in parts:
        key, equals, value = part.partition("=")
        if not equals:
            raise BadValue(f"player {shorten(text)!r}: expected key=value after the name, got {shorten(part)!r}")
        options[key.strip()] = _value(value.strip())
    return found, options


def _value(text: str) -> Any:
    """A number or a truth value where the text is one, else the text."""
    if text.lower() in ("true", "false", "yes", "no"):
        return text.lower() in ("true", "yes")
    for kind in (int, float):
        try:
            return kind(text) if len(text) < 100 else text
        except ValueError:
            continue
    return text


def _number(text: str, key: str, value: Any) -> Any:
    whole = key not in ("time", "seconds")
    if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
        raise BadValue(f"player {shorten(text)!r}: {key} must be a {'whole ' if whole else ''}number, got {value!r}")
    return value


def _refuse_rest(name: str, options: dict[str, Any]) -> None:
    for key in options:
        raise BadValue(f"player {name!r} takes {'only seed' if name == 'random' else 'nothing'}, got {key!r}")


playing.named[:] = [player]  # a game in progress takes players by name, too

__all__ = ["Human", "Play", "Player", "RandomPlayer", "Resigned", "Searcher", "player"]
