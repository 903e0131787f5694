"""The Python face of a game of compiled rules: a state is the bytes of one record.

The rules run in plain Python at first and compiled after `COMPILE_AFTER` calls: a look at a position needs no compiler.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

from outplay.errors import BadNotation, OutplayError, shorten
from outplay.game.notation import fields_text, parse_fields
from outplay.game.position import Game
from outplay.jit import UNCOMPILED, kernel
from outplay.values import CHANCE, Action, Picture, Traits

COMPILE_AFTER = 300
"""How many times a game's rules run in plain Python before they are compiled."""


@kernel
def _describe(states: Any, actions: Any, probabilities: Any, utilities: Any) -> Any:
    """Player to move and number of actions of the first state; the buffers get the rest."""
    state = states[0]
    player = state.player()
    count = 0
    if not state.is_terminal():
        if player == CHANCE:
            count = state.chances(actions, probabilities)
        else:
            count = state.actions(actions)
    if count == 0:
        for p in range(len(utilities)):
            utilities[p] = state.utility(p)
    return player, count


@kernel
def _advance(states: Any, action: Any) -> None:
    states[0].play(action)


@kernel
def _evaluate(states: Any, player: Any, weights: Any) -> Any:
    return states[0].evaluate(player, weights)


@kernel
def _key(states: Any) -> Any:
    return states[0].key()


class CompiledGame(Game):
    """The Python face of a rules class; its states are the bytes of one record.

    The rules run in plain Python at first and compiled after `COMPILE_AFTER` calls; `compiled=True` or `False` fixes it.
    """

    def __init__(self, rules: Any, compiled: bool | None = None) -> None:
        self.rules = rules
        self.players, self.total, self.bounds, self.scale = rules.players, rules.total, rules.bounds, rules.scale
        given = {k: v for k, v in rules.parameters.items() if v != rules.definition.defaults[k]}
        self.name = rules.definition.name + (":" + ",".join(f"{k}={v}" for k, v in given.items()) if given else "")
        self.__doc__ = rules.__doc__
        self._compiled = False if UNCOMPILED else compiled
        self._calls = 0
        self._lock = threading.Lock()
        self._one = np.zeros(1, rules.layout)
        self._one_as_bytes = self._one.view(np.uint8)
        self._actions = np.zeros(rules.most_actions, np.int32)
        self._probabilities = np.zeros(rules.most_actions if rules.traits.chance else 1)
        self._utilities = np.zeros(rules.players)

    @functools.cached_property
    def traits(self) -> Traits:
        """What kind of game it is."""
        return self.rules.traits

    def offers(self, method: str) -> bool:
        """Whether the rules have this optional method."""
        return method in self.rules.offered

    def default_weights(self) -> Any:
        """The weights of the rules class."""
        return self.rules.weights

    def _runs_compiled(self) -> bool:
        self._calls += 1
        if self._compiled is None and self._calls > COMPILE_AFTER:
            self._compiled = True
        if self._compiled and not self.rules._bound:
            self.rules.states(1)
        return bool(self._compiled)

    def record(self, state: bytes) -> Any:
        """A fresh record with that state: an instance of the rules class, free to be changed."""
        return np.frombuffer(bytearray(state), self.rules.layout)[0]

    def _load(self, state: Any) -> np.ndarray:
        self._one_as_bytes[:] = np.frombuffer(state, np.uint8)
        return self._one

    def facts(self, state: Any) -> tuple[int, tuple[Action, ...], tuple[float, ...], tuple[float, ...]]:
        """Player to move, actions, their probabilities, and the utilities once the game is over: one call of the rules."""
        with self._lock, np.errstate(over="ignore"):
            run = _describe if self._runs_compiled() else _describe.python
            player, count = run(self._load(state), self._actions, self._probabilities, self._utilities)
            if count == 0:
                return int(player), (), (), tuple(self._utilities.tolist())
            probabilities = tuple(self._probabilities[:count].tolist()) if player == CHANCE else ()
            return int(player), tuple(self._actions[:count].tolist()), probabilities, ()

    def initial(self) -> bytes:
        """The bytes of the record in which the game starts."""
        with np.errstate(over="ignore"):
            states = np.zeros(1, self.rules.layout)
            if hasattr(self.rules, "start"):
                states[0].start()
            return states.tobytes()

    def result(self, state: Any, action: Any) -> bytes:
        """The bytes of the record after the action."""
        with self._lock, np.errstate(over="ignore"):
            run = _advance if self._runs_compiled() else _advance.python
            run(self._load(state), np.int32(action))
            return self._one.tobytes()

    def player(self, state: Any) -> int:
        """Who is to move."""
        return self.facts(state)[0]

    def actions(self, state: Any) -> tuple[Action, ...]:
        """What the player to move may do."""
        return self.facts(state)[1]

    def is_terminal(self, state: Any) -> bool:
        """Whether the game is over."""
        return bool(self.facts(state)[3])

    def utility(self, state: Any, player: int) -> float:
        """What the finished game is worth to a player."""
        return self.facts(state)[3][player]

    def chances(self, state: Any) -> Iterable[tuple[Action, float]]:
        """The outcomes of a chance node."""
        _, actions, probabilities, _ = self.facts(state)
        return zip(actions, probabilities, strict=False)

    def evaluate(self, state: Any, player: int, weights: Any = None) -> float:
        """EVAL in points."""
        with self._lock, np.errstate(over="ignore"):
            run = _evaluate if self._runs_compiled() else _evaluate.python
            return float(run(self._load(state), player, self.rules.weights if weights is None else weights))

    def noisy(self, state: Any) -> tuple[Action, ...]:
        """The actions that quiescence search still looks at."""
        with np.errstate(over="ignore"):
            out = np.zeros(self.rules.most_actions, np.int32)
            return tuple(out[: self.record(state).noisy(out)].tolist())

    def order(self, state: Any, action: Any) -> float:
        """The game's own guess at how early to try an action."""
        with np.errstate(over="ignore"):
            return float(self.record(state).order(np.int32(action)))

    def cost(self, state: Any, action: Any) -> int:
        """What an action costs."""
        with np.errstate(over="ignore"):
            return int(self.record(state).cost(np.int32(action)))

    def estimate(self, state: Any) -> int:
        """What the rest of the way costs at least."""
        with np.errstate(over="ignore"):
            return int(self.record(state).estimate())

    def key(self, state: Any) -> int:
        """The 64-bit hash of the position."""
        with self._lock, np.errstate(over="ignore"):
            run = _key if self._runs_compiled() else _key.python
            return int(run(self._load(state)))

    def observe(self, state: Any, player: int) -> bytes:
        """The record with all that the player does not know erased."""
        with np.errstate(over="ignore"):
            record = self.record(state)
            record.observe(player)
            return record.tobytes()

    def deal(self, view: Any, player: int, source: np.ndarray) -> bytes:
        """A random full record consistent with a player's view."""
        with np.errstate(over="ignore"):
            record = self.record(view)
            record.deal(player, source)
            return record.tobytes()

    def text(self, state: Any) -> str:
        """The position as a short text: the author's, else the fields."""
        record = self.record(state)
        with np.errstate(over="ignore"):
            return record.text() if hasattr(self.rules, "text") else fields_text(record)

    def parse(self, text: str) -> bytes:
        """The position that a text describes."""
        record = np.zeros(1, self.rules.layout)[0]
        try:
            with np.errstate(over="ignore"):
                if hasattr(self.rules, "parse"):
                    record.parse(text.strip())
                else:
                    parse_fields(record, text)
                problem = record.valid() if hasattr(self.rules, "valid") else None
        except OutplayError:
            raise
        except (ValueError, KeyError, IndexError, OverflowError, TypeError) as failure:
            raise BadNotation(f"{self.name}: cannot read position {shorten(text)!r} ({failure})") from None
        if problem:
            raise BadNotation(f"{self.name}: impossible position {shorten(text)!r}: {problem}")
        return record.tobytes()

    def action_text(self, state: Any, action: Any) -> str:
        """An action as a short text: the author's, else its number."""
        return self.record(state).action_text(int(action)) if hasattr(self.rules, "action_text") else str(action)

    def parse_action(self, state: Any, text: str) -> Action:
        """The action that a text means here, by the author's own reading."""
        if not hasattr(self.rules, "parse_action"):
            raise BadNotation(text)
        return int(self.record(state).parse_action(text))

    def identity(self, state: Any) -> Hashable:
        """What makes two records the same position: their bytes, unless the author says otherwise."""
        return self.record(state).identity() if hasattr(self.rules, "identity") else state

    def picture(self, state: Any) -> Picture | None:
        """What a board shows."""
        with np.errstate(over="ignore"):
            return self.record(state).picture() if hasattr(self.rules, "picture") else None
