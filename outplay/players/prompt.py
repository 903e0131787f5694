"""A player whom nobody waits for while the compiler works: the first answers are glances, then the player itself takes over.

For people and their boards: the terminal, the studio, the hint. What must come out the same twice is never asked so (matches,
ladders, reviews; players limited by depth, nodes or simulations), and `prompt` leaves such players as they are.

>>> from outplay.game import load
>>> from outplay.players import player
>>> prompt(player("engine:time=1")).name, prompt(player("engine:depth=3")).name
('engine:time=1', 'engine:depth=3')
>>> isinstance(prompt(player("engine:time=1")), Prompt), isinstance(prompt(player("engine:depth=3")), Prompt)
(True, False)
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from typing import Any

from outplay.errors import BadValue, shorten
from outplay.game import Position
from outplay.jit import UNCOMPILED, load_compiler
from outplay.players.base import Player
from outplay.players.glance import glance, plain
from outplay.players.searcher import FIRST_GLANCE, Searcher
from outplay.values import Action, Limits

PATIENCE = 1.0
"""Seconds for which the compiler is waited for, beyond which a glance answers; `OUTPLAY_PATIENCE` sets others."""
GLANCE = 0.5
"""Seconds of a glance, at most."""
POLL = 0.01

Job = Callable[[], Any]


def patience() -> float:
    """Seconds for which somebody waits for the compiler before a glance answers."""
    written = os.environ.get("OUTPLAY_PATIENCE", "") or f"{PATIENCE}"
    try:
        return max(0.0, min(float(written), threading.TIMEOUT_MAX))
    except ValueError:
        raise BadValue(f"OUTPLAY_PATIENCE must be a number of seconds, got {shorten(written)!r}") from None


def prompt(player: Any) -> Any:
    """The player, answering by a glance while it gets ready, where that is allowed; else as it is."""
    if UNCOMPILED or not isinstance(player, Player) or isinstance(player, Prompt):
        return player
    is_timed = player.is_timed if isinstance(player, Searcher) else bool(player.plays)
    return Prompt(player) if is_timed else player


class Prompt(Player):
    """Asks a player in a thread of its own; `note` says so where a glance answered instead."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.name, self.plays = player.name, player.plays
        self.patience = patience()
        self._errand: Errand | None = None
        self._later: list[Job] = []  # what the player has not heard yet, since it is at work
        self._faces: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["player"], name)

    @property
    def watch(self) -> Any:
        """What hears how far the search has come."""
        return getattr(self.player, "watch", None)

    @watch.setter
    def watch(self, watch: Any) -> None:
        if isinstance(self.player, Searcher):
            self.player.watch = watch

    def warm(self, view: Position) -> None:
        """Have the player get ready meanwhile; what goes wrong is told when it is asked."""
        if not self._is_busy():
            self._errand = Errand(lambda: self.player.get_ready(self._own(view)))

    def begin(self, view: Position, *, seed: int = 0) -> None:
        """Another game begins."""
        self._tell(lambda: self.player.begin(self._own(view), seed=seed))

    def follow(self, action: Action | None, view: Position) -> None:
        """Somebody made this action."""
        self._tell(lambda: self.player.follow(action, self._own(view)))

    def check_game(self, position: Position) -> None:
        """Refuse a game that the player is not for."""
        self.player.check_game(position)

    def get_ready(self, position: Position) -> None:
        """Begin to: nobody's clock runs out for it."""
        self.check_game(position)
        self.warm(position)

    def pick(self, view: Position, limits: Limits | None) -> Action:
        """The player's action, or that of a glance where the compiler is at work for too long."""
        self.last, self.note = None, ""
        actions = view.actions()  # asked before the rules may be in use elsewhere
        begun = time.perf_counter()
        while self._is_busy():
            if self._is_stopped():
                return actions[0]
            if time.perf_counter() - begun > self.patience:
                return self._glance(view, actions)
            time.sleep(POLL)
        for job in self._later:
            job()
        self._later, own = [], self._own(view)
        stop = self.player.stop = threading.Event()
        self._errand = errand = Errand(lambda: self.player.choose(own, limits))
        try:
            while not errand.done.wait(POLL):
                if self._is_stopped():
                    stop.set()
                    return actions[0]
                if time.perf_counter() - begun > self.patience and errand.is_compiling():
                    stop.set()
                    return self._glance(view, actions)
        except BaseException:
            stop.set()
            raise
        if errand.problem is not None:
            raise errand.problem
        self.last, self.note = self.player.last, self.player.note
        action: Action = errand.found
        return action

    def close(self) -> None:
        """End what was started for the player."""
        if self.player.stop is not None:
            self.player.stop.set()
        self.player.close()

    def _glance(self, view: Position, actions: tuple[Action, ...]) -> Action:
        action = glance(view, actions, time.perf_counter() + GLANCE)
        self.note = FIRST_GLANCE
        return action

    def _own(self, view: Position) -> Position:
        """The position with a face of its own, whose rules are compiled in the thread of the player and hold nobody up."""
        game: Any = view.game
        if not hasattr(game, "rules"):
            return view
        face = self._faces.get(game.name)
        if face is None:
            face = self._faces[game.name] = type(game)(game.rules, compiled=None if game.may_compile else False)
        return Position(face, view.state)

    def _tell(self, job: Job) -> None:
        if self._is_busy() or self._later:
            self._later.append(job)
        else:
            job()

    def _is_busy(self) -> bool:
        return self._errand is not None and not self._errand.done.is_set()

    def _is_stopped(self) -> bool:
        return self.stop is not None and self.stop.is_set()


class Errand:
    """Something done in a thread of its own: what came out, or what went wrong, and whether the compiler is at it."""

    def __init__(self, job: Job) -> None:
        self.done = threading.Event()
        self.found: Any = None
        self.problem: BaseException | None = None
        self._loads = False
        self._thread = threading.Thread(target=self._run, args=(job,), daemon=True, name="outplay player")
        self._thread.start()

    def _run(self, job: Job) -> None:  # a job knows who has the errand: to keep it would keep tables until garbage is looked for
        try:
            self._loads = True
            load_compiler()
            listen()
            self._loads = False
            self.found = job()
        except BaseException as problem:  # raised again where the answer is waited for
            self.problem = problem
        finally:
            compiling.pop(threading.get_ident(), None)
            self.done.set()

    def is_compiling(self) -> bool:
        """Whether the compiler is loaded, or at work for it."""
        return self._loads or compiling.get(self._thread.ident or 0, 0) > 0


class Glimpse:
    """What a glance finds where a search has found nothing yet after `PATIENCE`: told once, unless the search was quicker."""

    def __init__(self, position: Position, tell: Callable[[str], None]) -> None:
        self.action: str | None = None
        self._over = threading.Event()
        if UNCOMPILED or position.is_terminal() or position.is_chance() or position.game.players < 2:
            return
        seen = position.observe(position.player()) if position.game.traits.information == "hidden" else position
        view, waits = Position(plain(seen.game), seen.state), patience()  # rules that nobody else has compiled meanwhile

        def work() -> None:
            if self._over.wait(waits):
                return
            found = view.action_text(glance(view, view.actions(), time.perf_counter() + GLANCE))
            if not self._over.is_set():
                self.action = found
                tell(found)

        threading.Thread(target=work, daemon=True, name="outplay glance").start()

    def end(self) -> None:
        """The search has found something."""
        self._over.set()


compiling: dict[int, int] = {}
"""Threads in which something is compiled, and how deep."""
_listeners: list[Any] = []
_lock = threading.Lock()


def listen() -> None:
    """Hear from now on in which threads something is compiled."""
    with _lock:
        if _listeners:
            return
        from numba.core import event

        class Listener(event.Listener):
            def on_start(self, happening: Any) -> None:
                compiling[threading.get_ident()] = compiling.get(threading.get_ident(), 0) + 1

            def on_end(self, happening: Any) -> None:
                compiling[threading.get_ident()] = compiling.get(threading.get_ident(), 1) - 1

        _listeners.append(Listener())
        event.register("numba:compile", _listeners[0])


def is_at_work() -> bool:
    """Whether something is compiled in the background, in whose middle Python cannot come to its end."""
    return any(depth > 0 for depth in compiling.values())
