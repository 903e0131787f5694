"""A player that thinks: with one of the textbook's algorithms or with the engine.

>>> from outplay.game import load
>>> position = load("tic-tac-toe").position("xx./oo./... x")
>>> position.action_text(Searcher("alphabeta").choose(position))
'c3'

Where the game hides information, the best strategy is a mixture, and the player draws from the one that its search found. Where a
search has no answer before it is done, as minimax, a player with a clock asks it deeper and deeper until the time is up. Every such
player takes `level=club` (see `outplay.players.levels`), `book=FILE` and `tables=FOLDER`, too.
"""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from outplay.engine import registry
from outplay.engine.clock import Clock
from outplay.errors import BadValue, OutplayError, Unavailable, shorten
from outplay.game import Position
from outplay.players import levels
from outplay.players.algorithms import ENGINE, Watch, compile_rules, resolve, search, stops_in_time
from outplay.players.base import Player
from outplay.players.prepared import Prepared
from outplay.values import Action, Limits, Result

SELDOM = 0.05
"""Actions with less than this part of the likeliest one's share are what the search tried in vain, and are not played."""

TRIAL = (Limits(depth=1, seconds=0.5), Limits(simulations=2, seconds=0.5), Limits(seconds=0.5))
"""The smallest searches of the textbook, for a first try: one of them suits each algorithm."""


class Searcher(Player):
    """Takes the action that a search finds within its limits; `last` is what it found, for those who want to explain it."""

    def __init__(self, algorithm: str, limits: Limits | None = None, *, watch: Watch | None = None, level: str | int = "full",
                 book: str = "", tables: str = "", **options: Any) -> None:
        self.name = self.algorithm = algorithm
        self.level = levels.level(level)
        self.prepared = Prepared(str(book), str(tables))
        self.limits = limits or Limits()
        self.watch = watch
        self.options = options
        self._random = random.Random(int(options.get("seed", 0)))
        self._kept: dict[Any, Any] = {}  # table and tree of the engine
        self._past: list[Position] = []  # of this game, so that a repetition is known as one
        self._is_ready = False

    def begin(self, view: Position, *, seed: int = 0) -> None:
        """Forget the last game."""
        self._past = [view]
        self._random = random.Random(f"{self.options.get('seed', 0)} {seed}")
        for engine in self._kept.values():
            getattr(engine, "clear", lambda: None)()

    def follow(self, action: Action | None, view: Position) -> None:
        """Remember the positions of the game."""
        self._past.append(view)

    def get_ready(self, position: Position) -> None:
        """Compile the search or load it from the cache, and find out whether it can play this game with these options."""
        self.check_game(position)
        if self._is_ready:
            return
        self.prepared.open(position.game)
        name = resolve(self.algorithm, position.game)
        trials = (registry.first_look(name.partition(":")[2]),) if name.startswith(ENGINE) else TRIAL
        compile_rules(position.game)
        for number, limits in enumerate(trials):
            try:
                for _ in search(position, self.algorithm, limits, keep=self._kept, **self._options(position.game)):
                    pass
                break
            except Unavailable:
                break  # it was too slow for a trial, but it can
            except BadValue:  # it takes no depth, or no simulations
                if number == len(trials) - 1:
                    raise
            except OutplayError:
                raise
            except Exception as problem:  # an option that is no number, no function
                said = f"{type(problem).__name__}: {shorten(' '.join(str(problem).split()), 100)}"
                raise BadValue(f"player {shorten(self.name)!r} cannot play {position.game.name}: {said}") from None
        self._is_ready = True

    def pick(self, view: Position, limits: Limits | None) -> Action:
        """The action of the search's last word; the only action there is needs no search."""
        actions = view.actions()
        self.last = None
        known = self.prepared.action(view, self._random)
        if known is not None or len(actions) == 1:
            return actions[0] if known is None else known
        for found in self._thoughts(view, given_first(limits, self.limits)):
            self.last = found
        if self.last is None or self.last.action is None:
            return max(actions, key=view.order)
        return self._decide(view, self.last)

    def _options(self, game: Any) -> dict[str, Any]:
        """The options of the search, with the endgame tables where it looks into them."""
        name = resolve(self.algorithm, game)
        if self.prepared.tables and name.startswith(ENGINE) and name.partition(":")[2] in registry.ALPHA_BETA:
            return {"endgame": self.prepared.in_search(game), **self.options}
        return self.options

    def _thoughts(self, view: Position, limits: Limits) -> Iterator[Result]:
        name = resolve(self.algorithm, view.game)
        more: dict[str, Any] = {"watch": self.watch, "keep": self._kept, "earlier": self._earlier(view), **self._options(view.game)}
        if self.stop is not None:
            more.setdefault("stop", self.stop)
        if self.level.rating is not None:
            if name.startswith(ENGINE):  # the textbook's searches have no answer when they run out of nodes
                limits = self.level.within(limits, name.partition(":")[2] in registry.MONTE_CARLO)
            more.setdefault("lines", levels.LINES)
        hurried = limits.seconds is not None or limits.remaining is not None
        if stops_in_time(name) or not hurried or self.algorithm == "auto":
            yield from search(view, self.algorithm, limits, **more)
        else:
            yield from self._deeper_and_deeper(view, limits, more)

    def _deeper_and_deeper(self, view: Position, limits: Limits, more: dict[str, Any]) -> Iterator[Result]:
        """A search that answers only when it is done, made to answer in time: depth 1, 2, 3, ... until the time is up."""
        begun = time.perf_counter()
        seconds = limits.seconds
        if limits.remaining is not None:
            seconds = Clock(limits.remaining, limits.increment or 0.0).plan().target
        assert seconds is not None
        for depth in itertools.count(1):
            left = max(0.0, seconds - (time.perf_counter() - begun))
            try:
                rest = Limits(depth, left, limits.nodes, limits.simulations)
                found = next(iter(reversed(list(search(view, self.algorithm, rest, **more)))), None)
            except Unavailable:
                return
            except BadValue:
                if depth > 1:
                    raise
                yield from search(view, self.algorithm, replace(limits, seconds=seconds, remaining=None, increment=None), **more)
                return
            if found is not None:
                yield found
            if found is None or found.exact or depth == limits.depth or left == 0.0:
                return

    def _earlier(self, view: Position) -> list[Position]:
        """The positions before this one, where this is the game that is followed."""
        return self._past[:-1] if self._past and self._past[-1] == view else []

    def _decide(self, view: Position, found: Result) -> Action:
        """The action that the search likes best; of a mixture, one drawn by its shares."""
        if view.game.traits.information == "hidden":
            shares = {one.action: one.share for one in found.choices if one.share is not None}
            likeliest = max(shares.values(), default=0.0)
            mixed = {action: share for action, share in shares.items() if share >= SELDOM * likeliest and share > 0}
            if mixed:
                return self._random.choices(list(mixed), list(mixed.values()))[0]
        return self.level.choose(view, found, self._random)


def given_first(given: Limits | None, own: Limits) -> Limits:
    """The limits of one decision: those given come before the player's own; a clock takes the place of its seconds alone.

    >>> given_first(Limits(seconds=1), Limits(depth=3)), given_first(Limits(remaining=9), Limits(depth=3, seconds=1))
    (Limits(seconds=1), Limits(depth=3, remaining=9))
    """
    if given is None:
        return own
    if given.remaining is not None:
        return replace(own, seconds=given.seconds, remaining=given.remaining, increment=given.increment)
    return given
