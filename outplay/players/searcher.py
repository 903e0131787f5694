"""A player that thinks: with one of the textbook's algorithms or with the engine.

>>> from outplay.game import load
>>> position = load("tic-tac-toe").position("xx./oo./... x")
>>> position.action_text(Searcher("alphabeta").choose(position))
'c3'

Where the game hides information, the best strategy is a mixture, and the player draws from the one that its search found. Where a
search has no answer before it is done, as minimax, a player with a clock asks it deeper and deeper until the time is up. Asked
while it still gets ready in the background (`warm`), a player with a clock looks one move ahead. Every such
player takes `level=club` (see `outplay.players.levels`), `book=FILE` and `tables=FOLDER`, too.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from outplay.engine import registry
from outplay.engine.clock import Clock
from outplay.errors import BadValue, OutplayError, Unavailable, shorten
from outplay.game import Game, Position
from outplay.players import levels
from outplay.players.algorithms import ENGINE, Watch, adviser, compile_rules, meaning, search
from outplay.players.base import Player
from outplay.players.glance import glance
from outplay.players.prepared import Prepared
from outplay.values import Action, Limits, Result

SELDOM = 0.05
"""Actions with less than this part of the likeliest one's share are what the search tried in vain, and are not played."""

FIRST_GLANCE = "a first glance, while its search gets ready"
"""What is said of an action that no search found."""

PATIENCE = 0.6
"""What part of the time for a move may be waited for the compiler."""

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
        self.is_timed = self.limits == Limits(seconds=self.limits.seconds) != Limits()
        """Whether it was asked to keep to time alone, so that nobody counts on the same answer twice."""
        self.watch = watch
        self.options = options
        self._random = random.Random(int(options.get("seed", 0)))
        self._kept: dict[Any, Any] = {}  # table and tree of the engine
        self._past: list[Position] = []  # of this game, so that a repetition is known as one
        self._ready: set[str] = set()  # games whose search is compiled, by name
        self._warming: dict[str, threading.Thread] = {}

    def begin(self, view: Position, *, seed: int = 0) -> None:
        """Forget the last game."""
        self._past = [view]
        self._random = random.Random(f"{self.options.get('seed', 0)} {seed}")
        for engine in self._kept.values():
            getattr(engine, "clear", lambda: None)()

    def follow(self, action: Action | None, view: Position) -> None:
        """Remember the positions of the game."""
        self._past.append(view)

    def seen(self, positions: Sequence[Position]) -> None:
        """The game so far, where somebody else keeps it."""
        self._past = list(positions)

    def get_ready(self, position: Position) -> None:
        """Compile the search or load it from the cache, and find out whether it can play this game with these options."""
        self.check_game(position)
        if position.game.name in self._ready:
            return
        self.prepared.open(position.game)
        meant = meaning(self.algorithm, position.game)
        name = meant.algorithm.name
        trials = (registry.first_look(name.partition(":")[2]),) if name.startswith(ENGINE) else TRIAL
        compile_rules(position.game)
        for number, limits in enumerate(trials):
            try:
                for _ in search(position, meant, limits, keep=self._kept, **self._options(position.game, name)):
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
        if meant.is_auto and not position.is_terminal() and (advice := adviser(position.game)):
            for _ in search(position, advice, Limits(simulations=2), keep=self._kept):
                pass
        self._ready.add(position.game.name)

    def rehearse(self, position: Position) -> None:
        """Have the searches that were made for it rehearse, those that can."""
        for made in self._kept.values():
            getattr(made, "rehearse", lambda position: None)(position)

    def warm(self, position: Position, tell: Callable[[str], None]) -> None:
        """Get ready for a game in the background, where somebody is to be answered meanwhile; what goes wrong is told."""

        def work() -> None:
            try:
                self.get_ready(position)
            except Exception as problem:
                tell(f"the search is not to be had: {' '.join(str(problem).split())[:300] or type(problem).__name__}")

        if position.game.name not in self._warming:
            self._warming[position.game.name] = threading.Thread(target=work, daemon=True)
            self._warming[position.game.name].start()

    def is_ready(self, game: Game) -> bool:
        """Whether the search of a game is compiled."""
        return game.name in self._ready

    def wait_ready(self, game: Game, seconds: float | None = None, stop: threading.Event | None = None) -> bool:
        """Wait for what `warm` does, but no longer than so many seconds; whether the search can be asked."""
        until = None if seconds is None else time.perf_counter() + seconds
        warming = self._warming.get(game.name)
        while warming is not None and warming.is_alive() and game.name not in self._ready:
            if (stop is not None and stop.is_set()) or (until is not None and time.perf_counter() >= until):
                return False
            warming.join(0.005)
        return warming is None or game.name in self._ready

    def pick(self, view: Position, limits: Limits | None, *, tell: Callable[[Result], bool] | None = None, by_heart: bool = True,
             actions: Sequence[Action] = (), clock: Clock | None = None, lines: int = 1) -> Action:
        """The action of the search's last word; the only action there is needs no search.

        `tell` hears all that is found on the way, and may end it by True; `by_heart` asks book and tables first; `actions` are
        those to choose from where not all are. While the search is compiled in the background, a clock is answered by a glance.
        """
        begun = time.perf_counter()
        among = list(actions) or view.actions()
        limits = given_first(limits, self.limits)
        self.last, self.note = None, ""
        known = self.prepared.action(view, self._random, among) if by_heart else None
        if known is not None or (len(among) == 1 and tell is None):
            return among[0] if known is None else known
        planned = planned_seconds(limits, clock)
        if not self.wait_ready(view.game, None if planned is None else PATIENCE * planned, self.stop):
            self.note = FIRST_GLANCE
            return glance(view, among, None if planned is None else begun + 0.85 * planned)
        if limits.seconds is not None and self._warming:  # what was waited for the compiler is spent
            limits = replace(limits, seconds=max(0.005, limits.seconds - (time.perf_counter() - begun)))
        more: dict[str, Any] = {"actions": among} if len(among) < len(view.actions()) else {}
        for found in self.think(view, limits, lines=lines, clock=clock, **more):
            self.last = found
            if tell is not None and tell(found):
                break
        if self.last is None or self.last.action is None:
            return max(among, key=view.order)
        action = self._decide(view, self.last)
        return action if action in among else among[0]

    def _options(self, game: Any, name: str) -> dict[str, Any]:
        """The options of the search, with the endgame tables where it looks into them."""
        if self.prepared.tables and name.startswith(ENGINE) and name.partition(":")[2] in registry.ALPHA_BETA:
            return {"endgame": self.prepared.in_search(game), **self.options}
        return self.options

    def think(self, view: Position, limits: Limits, *, lines: int = 1, **more: Any) -> Iterator[Result]:
        """What the search finds, ever better founded."""
        meant = meaning(self.algorithm, view.game)
        name = meant.algorithm.name
        if self.stop is not None:
            more.setdefault("stop", self.stop)
        if self.level.rating is not None:
            if name.startswith(ENGINE):  # the textbook's searches have no answer when they run out of nodes
                limits = self.level.of(view.game).within(limits, registry.SEARCHES[name.partition(":")[2]].plays_on_simulations())
            lines = max(lines, levels.LINES)
        options = {"lines": lines, **self._options(view.game, name)}
        yield from search(view, meant, limits, watch=self.watch, keep=self._kept, earlier=self._earlier(view),
                          deepens=True, **more, **options)

    def _earlier(self, view: Position) -> list[Position]:
        """The positions before this one, where this is the game that is followed."""
        return self._past[:-1] if self._past and self._past[-1] == view else []

    def _decide(self, view: Position, found: Result) -> Action:
        """The action that the search likes best; of a mixture, one drawn by its shares, unless the level errs."""
        level = self.level.of(view.game)
        if view.game.traits.information == "hidden" and level.slip == 0.0:
            shares = {one.action: one.share for one in found.choices if one.share is not None}
            likeliest = max(shares.values(), default=0.0)
            mixed = {action: share for action, share in shares.items() if share >= SELDOM * likeliest and share > 0}
            if mixed:
                return self._random.choices(list(mixed), list(mixed.values()))[0]
        return level.choose(view, found, self._random)


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


def planned_seconds(limits: Limits, clock: Clock | None = None) -> float | None:
    """How long a move should take by its limits, None where no time is set."""
    if clock is None and limits.remaining is not None:
        clock = Clock(limits.remaining, limits.increment or 0.0)
    return limits.seconds if clock is None else clock.plan().target
