"""The Python face of a game of compiled rules: a state is the bytes of one record.

The rules run in plain Python at first and compiled after `COMPILE_AFTER` calls: a look at a position needs no compiler.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

from outplay.compiling.problems import running
from outplay.errors import BadNotation, OutplayError, RulesError, shorten
from outplay.game.notation import fields_text, parse_fields
from outplay.game.position import Game
from outplay.jit import UNCOMPILED, kernel
from outplay.values import CHANCE, Action, Picture, Traits

SPARE = 1024
"""Room for actions beyond `most_actions`, in which an overrun is seen before it does harm."""
COMPILE_AFTER = 300
"""How many times a game's rules run in plain Python before they are compiled."""
MANY_ACTIONS = 100_000
"""Rules that may list more are compiled at once: in plain Python one look at a position would take seconds."""


@kernel
def _describe(states: Any, actions: Any, probabilities: Any, utilities: Any) -> Any:
    """Player to move and number of actions of the first state; the buffers get the rest."""
    state = states[0]
    player = state.player()
    count = 0
    if not state.is_terminal() and not state.is_drawn():
        if player == CHANCE:
            count = state.chances(actions, probabilities)
            if state.offers_draw() and not state.offers_chances():
                count = -1
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
        for attribute in ("players", "sides", "seat_names", "total", "bounds", "pays", "scale", "unit", "stake", "repetitions",
                          "draw_after", "horizon", "recall", "stays_hidden", "symmetries"):
            setattr(self, attribute, getattr(rules, attribute))
        self.name = rules.definition.full_name(rules.parameters)
        self.__doc__ = rules.__doc__
        self._compiled = False if UNCOMPILED else compiled
        self._calls = 0
        self._lock = threading.Lock()
        self._one = np.zeros(1, rules.layout)
        self._one_as_bytes = self._one.view(np.uint8)
        # Room for more than the author promised, with a mark behind it: too small a `most_actions` is told, not a crash.
        self._actions = rules.room(rules.most_actions + SPARE)
        self._probabilities = np.zeros(len(self._actions) if rules.traits.chance else 1)
        self._least_action = np.iinfo(rules.action_type).min
        self._derived = np.ones(rules.layout.itemsize, bool)
        for field in rules.derived:
            kind, offset = rules.layout.fields[field][:2]
            self._derived[offset : offset + kind.itemsize] = False
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

    @property
    def may_compile(self) -> bool:
        """Whether its rules run compiled, sooner or later; not where it was loaded with `compiled=False`."""
        return self._compiled is not False

    def compile_rules(self) -> None:
        """Have the rules compiled now, so that nobody with a clock waits for the compiler."""
        start = type(self)(self.rules, compiled=True).start()
        for action in [start.sample_chance(0)] if start.is_chance() else start.actions()[:1]:
            start.result(action)
        start.evaluate(0)

    @property
    def has_many_actions(self) -> bool:
        """Whether plain Python may take seconds to list the actions of a position."""
        return self.rules.most_actions > MANY_ACTIONS

    def _runs_compiled(self) -> bool:
        self._calls += 1
        if self._compiled is None and (self._calls > COMPILE_AFTER or self.has_many_actions):
            self._compiled = True
        if self._compiled:
            self.rules.bind()
        return bool(self._compiled)

    def record(self, state: bytes) -> Any:
        """A fresh record with that state: an instance of the rules class, free to be changed."""
        return np.frombuffer(bytearray(state), self.rules.layout)[0]

    def _load(self, state: Any) -> np.ndarray:
        self._one_as_bytes[:] = np.frombuffer(state, np.uint8)
        return self._one

    def facts(self, state: Any) -> tuple[int, tuple[Action, ...], tuple[float, ...], tuple[float, ...]]:
        """Player to move, actions, their probabilities, and the utilities once the game is over: one call of the rules."""
        with self._lock, running(self.rules, compiled := self._runs_compiled()):
            run = _describe if compiled else _describe.python
            self._actions[self.rules.most_actions] = self._least_action
            player, count = self._in_room(run, self._load(state), self._actions, self._probabilities, self._utilities)
            if count == 0:
                return int(player), (), (), tuple(self._utilities.tolist())
            if count < 0:
                return int(player), (), (), ()
            if count > self.rules.most_actions or self._actions[self.rules.most_actions] != self._least_action:
                raise self._overrun(int(count))
            probabilities = tuple(self._probabilities[:count].tolist()) if player == CHANCE else ()
            return int(player), tuple(self._actions[:count].tolist()), probabilities, ()

    def _in_room(self, run: Any, *arguments: Any) -> Any:
        """Call rules that list actions; in plain Python far too many of them are an index error."""
        try:
            return run(*arguments)
        except IndexError as problem:
            if f"size {len(self._actions)}" in str(problem):
                raise self._overrun(len(self._actions) + 1) from None
            raise

    def _overrun(self, count: int) -> RulesError:
        most = self.rules.most_actions
        return RulesError(f"{self.name}: a position has {count} actions or more, and most_actions is {most}: state a number that "
                          "no position exceeds")

    def listed(self, state: Any) -> tuple[Action, ...]:
        """The actions of a state, drawn by a rule or not."""
        with self._lock, running(self.rules):
            record = self.record(state)
            count = 0 if record.is_terminal() or record.player() == CHANCE else record.actions(self._actions)
            return tuple(self._actions[:count].tolist())

    def initial(self) -> bytes:
        """The bytes of the record in which the game starts."""
        with running(self.rules):
            states = np.zeros(1, self.rules.layout)
            if hasattr(self.rules, "start"):
                states[0].start()
            states[0].refresh()
            return states.tobytes()

    def result(self, state: Any, action: Any) -> bytes:
        """The bytes of the record after the action."""
        with self._lock, running(self.rules, compiled := self._runs_compiled()):
            run = _advance if compiled else _advance.python
            run(self._load(state), self.rules.action_type(action))
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
        with self._lock, running(self.rules, compiled := self._runs_compiled()):
            run = _evaluate if compiled else _evaluate.python
            return float(run(self._load(state), player, self.rules.weights if weights is None else weights))

    def is_drawn(self, state: Any) -> bool:
        """Whether a rule ends the game as a draw although there are actions."""
        with running(self.rules):
            return self.offers("is_drawn") and bool(self.record(state).is_drawn())

    def reversible(self, state: Any) -> int:
        """Plies since the last irreversible one."""
        with running(self.rules):
            return int(self.record(state).reversible())

    def draw(self, state: Any, source: np.ndarray) -> Action:
        """One random outcome of a chance node."""
        return int(self.record(state).draw(source))

    def can_draw(self, state: Any, outcome: Any) -> bool:
        """Whether an outcome is a number that actions can be."""
        return isinstance(outcome, int) and 0 <= outcome <= int(np.iinfo(self.rules.action_type).max)

    def forcing(self, state: Any) -> tuple[Action, ...]:
        """The actions that quiescence search still looks at."""
        with running(self.rules):
            out = self.rules.room()
            return tuple(out[: self.record(state).forcing(out)].tolist())

    def transform(self, state: Any, symmetry: int) -> bytes:
        """The record's twin under a symmetry."""
        with running(self.rules):
            record = self.record(state)
            record.transform(symmetry)
            return record.tobytes()

    def transform_action(self, state: Any, symmetry: int, action: Any) -> Action:
        """The action of the twin that an action becomes."""
        with running(self.rules):
            return int(self.record(state).transform_action(symmetry, self.rules.action_type(action)))

    def canonical(self, state: Any) -> tuple[bytes, int]:
        """The representative of the record's twins (the game's own choice, else that of the smallest key), and the symmetry."""
        with running(self.rules):
            record = self.record(state)
            if self.offers("canonical") or self.symmetries == 1:
                symmetry = int(record.canonical())
                return record.tobytes(), symmetry
        twins = [self.transform(state, symmetry) for symmetry in range(self.symmetries)]
        symmetry = min(range(self.symmetries), key=lambda s: self.key(twins[s]))
        return twins[symmetry], symmetry

    def order(self, state: Any, action: Any) -> float:
        """The game's own guess at how early to try an action."""
        with running(self.rules):
            return float(self.record(state).order(self.rules.action_type(action)))

    def cost(self, state: Any, action: Any) -> int:
        """What an action costs."""
        with running(self.rules):
            return int(self.record(state).cost(self.rules.action_type(action)))

    def estimate(self, state: Any) -> int:
        """What the rest of the way costs at least."""
        with running(self.rules):
            return int(self.record(state).estimate())

    def key(self, state: Any) -> int:
        """The 64-bit hash of the position."""
        with self._lock, running(self.rules, compiled := self._runs_compiled()):
            run = _key if compiled else _key.python
            return int(run(self._load(state)))

    def observe(self, state: Any, player: int) -> bytes:
        """The record with all that the player does not know erased."""
        with running(self.rules):
            record = self.record(state)
            record.observe(player)
            return record.tobytes()

    def deal(self, view: Any, player: int, source: np.ndarray) -> bytes | None:
        """A random full record consistent with a player's view; None where this try has failed."""
        state, weight = self.weighted_deal(view, player, source)
        return state if weight > 0 else None

    def weighted_deal(self, view: Any, player: int, source: np.ndarray) -> tuple[bytes, float]:
        """One try with its weight."""
        with running(self.rules):
            record = self.record(view)
            weight: Any = record.deal(player, source)
            if weight is None or not 0.0 <= weight <= 1.0:
                raise RulesError(f"{self.name}: deal returns the weight of the try, from 0.0 (failed) to 1.0, got {weight!r}")
            return record.tobytes(), float(weight)

    def text(self, state: Any) -> str:
        """The position as a short text: the author's, else the fields."""
        record = self.record(state)
        with running(self.rules):
            return record.text() if hasattr(self.rules, "text") else fields_text(record, self.rules.derived)

    def parse(self, text: str) -> bytes:
        """The position that a text describes."""
        record = np.zeros(1, self.rules.layout)[0]
        try:
            with np.errstate(over="ignore"):
                if hasattr(self.rules, "parse"):
                    record.parse(text.strip())
                else:
                    parse_fields(record, text, self.rules.derived)
                record.refresh()
                problem = record.valid() if hasattr(self.rules, "valid") else self._impossible(record)
        except OutplayError:
            raise
        except (ValueError, KeyError, IndexError, OverflowError, TypeError) as failure:
            raise BadNotation(f"{self.name}: cannot read position {shorten(text)!r} ({failure})") from None
        if problem:
            raise BadNotation(f"{self.name}: impossible position {shorten(text)!r}: {problem}")
        return record.tobytes()

    def _impossible(self, record: Any) -> str | None:
        """What is wrong with a position that was read, as far as the contract alone can tell."""
        if "player" not in self.rules.offered and not 0 <= int(record.player()) < self.players:
            return f"turn is {int(record.player())}, and the players are 0 to {self.players - 1}"
        return None

    def action_text(self, state: Any, action: Any) -> str:
        """An action as a short text: the author's, else its number."""
        return self.record(state).action_text(int(action)) if hasattr(self.rules, "action_text") else str(action)

    def parse_action(self, state: Any, text: str) -> Action:
        """The action that a text means here, by the author's own reading."""
        if not hasattr(self.rules, "parse_action"):
            raise BadNotation(text)
        return int(self.record(state).parse_action(text))

    def is_public(self, state: Any, action: Any) -> bool:
        """Whether everybody sees an action: all where nothing is hidden, and else those that the author says."""
        if not hasattr(self.rules, "is_public"):
            return super().is_public(state, action)
        return bool(self.record(state).is_public(self.rules.action_type(action)))

    def veiled_text(self, state: Any, action: Any) -> str:
        """What the others see of an action that not everybody sees, by the author's own word."""
        return str(self.record(state).veiled_text(self.rules.action_type(action))) if hasattr(self.rules, "veiled_text") else ""

    def task(self, state: Any) -> str:
        """What is to be done, by the author's own word."""
        return self._said("task", state)

    def ending_text(self, state: Any) -> str:
        """How it ended, by the author's own word."""
        return self._said("ending_text", state)

    def standing(self, state: Any, seat: int) -> str:
        """What a seat has, by the author's own word."""
        return self._said("standing", state, seat)

    def _said(self, method: str, state: Any, *more: Any) -> str:
        """Words of the author's, where there are any."""
        if not hasattr(self.rules, method):
            return ""
        with np.errstate(over="ignore"):  # words of 64 bits wrap around
            return str(getattr(self.record(state), method)(*more))

    def has_rules_of(self, other: Game) -> bool:
        """Whether their records are alike, which carry a fingerprint of the rules."""
        return self is other or (isinstance(other, CompiledGame) and self.rules.layout == other.rules.layout)

    def identity(self, state: Any) -> Hashable:
        """What makes two records the same position: their bytes less the derived fields, unless the author says otherwise."""
        if hasattr(self.rules, "identity"):
            return self.record(state).identity()
        return np.frombuffer(state, np.uint8)[self._derived].tobytes() if self.rules.derived else state

    def picture(self, state: Any) -> Picture | None:
        """What a board shows."""
        with running(self.rules):
            return self.record(state).picture() if hasattr(self.rules, "picture") else None
