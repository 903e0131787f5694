"""A game in progress: who sits where, the record with its past, the clocks, the referee and the drawing of chance.

>>> play = Play("tic-tac-toe")  # two people at one board
>>> for text in ("b2", "a1", "b1", "a2", "b3"):
...     _ = play.push(text)
>>> play.outcome.winner, play.record.actions
(0, ('b2', 'a1', 'b1', 'a2', 'b3'))
>>> play.take_back()
>>> play.outcome is None, play.position.text()
(True, '.../ox./ox. x')

A seat holds a `Mover`, or None for a person, whose moves are pushed by whoever asks that person. `run` lets the others move and
chance fall until a person is to move or the game is over; everything that happens comes out of it as events:

>>> class First:
...     name = "first"
...     def choose(self, position, limits=None):
...         return position.actions()[0]
>>> play = Play("nim:heaps=1-2", [First(), First()])
>>> [(event.kind, event.text) for event in play.run()]
[('move', 'a1'), ('move', 'b1'), ('move', 'b1'), ('end', '')]

The referee ends a game, with an `Ending`, by the rules, by their draws (repetition, too long without progress, dead positions), and
against a player that oversteps its clock, plays what is illegal, fails or resigns. What chance brings at a ply depends on the seed
and the ply alone: who takes a move back and plays it again meets the same dice.
"""

from __future__ import annotations

import copy
import functools
import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from outplay.errors import BadValue, IllegalAction, OutplayError, shorten
from outplay.game import Game, Position, load
from outplay.jit import random_source
from outplay.values import Action, Ending, Limits, Outcome, Record, Result

GRACE = 1.0
"""Seconds beyond its time for a move after which a player has lost on time."""

LAG = 0.1
"""Seconds that a clock may be below zero: what it takes to hand a move over on a busy machine."""

LOST = {Ending.RESIGNED: "resigned", Ending.TIME: "ran out of time", Ending.ILLEGAL: "played an illegal action",
        Ending.FAILED: "failed"}  # fmt: skip
"""How a player loses by the referee's word, after its name."""

HUMAN = "human"
APART = 1_000_000_007
"""Between the seeds of two seats where something is hidden."""
GOLDEN = 0x9E3779B97F4A7C15


class Resigned(OutplayError):
    """A player gives its game up: it has lost, and nothing went wrong."""


class Mover(Protocol):
    """Anything that picks an action. More is welcome: a mover that has them hears `begin`, `follow` and `close`, is given `stop`,
    and its `last` Result is told as a thought (see `outplay.players.Player`)."""

    name: str

    def choose(self, position: Position, limits: Limits | None = None) -> Action:
        """An action for the player to move, of whom alone the position tells; the limits come before the mover's own."""
        ...


@dataclass(frozen=True)
class Event:
    """Something that happened: a "move" or "chance" with its action, a "thought" of the player about to move, or the "end"."""

    kind: str
    seat: int | None = None
    action: Action | None = None
    text: str = ""
    thought: Result | None = None
    seconds: float = 0.0
    note: str = ""
    """What the player says of it beside."""


@dataclass
class Ply:
    """One step of the record: the action as value and text, the position after it, and what was thought and spent on it."""

    action: Action
    text: str
    after: Position
    seat: int
    thought: Result | None = None
    seconds: float = 0.0
    clocks: list[float] = field(default_factory=list)  # as they stood before it; none where it was not timed
    words: str = ""  # the move as people of the game write it, once somebody has asked


named: list[Callable[..., Mover]] = []
"""What turns a player's text into a player: filled by `outplay.players`, which lives above this module."""


class Play:
    """A game from its start to its end. `players` are movers, None for a person, or texts such as `engine:time=0.5` and `human`."""

    def __init__(
        self,
        game: Game | str,
        players: Sequence[Mover | str | None] = (),
        *,
        start: Position | str | None = None,
        actions: Sequence[str] = (),
        clock: tuple[float, float] | str | None = None,
        limits: Limits | None = None,
        seed: int = 0,
        most_plies: int | None = None,
        arbiter: bool = True,
        lag: float = LAG,
    ) -> None:
        self.lag = lag
        self.arbiter = arbiter  # False: somebody else declares draws, and the game goes on while there are actions
        self.game: Game = load(game) if isinstance(game, str) else game
        begun = self.game.start() if start is None else self.game.position(start) if isinstance(start, str) else start
        seats = list(players) or [None] * self.game.players
        if len(seats) != self.game.players:
            raise BadValue(f"{self.game.name} has {self.game.players} seats, got {len(seats)} players")
        self.seed, self.limits, self.most_plies = seed, limits, most_plies
        self.clock = parse_clock(clock) if isinstance(clock, str) else clock
        self.clocks: list[float] = [self.clock[0]] * len(seats) if self.clock else []
        self.start, self.plies = begun, list[Ply]()
        self.outcome: Outcome | None = None
        self.ending: Ending | None = None
        self.loser: int | None = None  # by the referee's word
        self.reason = ""
        self._own: list[Mover] = []  # made here, and closed here
        self.players: list[Mover | None] = [self._seat(each, number) for number, each in enumerate(seats)]
        self._is_begun = False
        self._asked = time.perf_counter()
        self._referee()
        for text in actions:
            self.push(text)

    def _seat(self, player: Mover | str | None, number: int) -> Mover | None:
        if not isinstance(player, str):
            return player
        if player.strip().lower() == HUMAN:
            return None
        if not named:
            raise BadValue(f"import outplay.players to seat {shorten(player)!r} by its name")
        self._own.append(named[0](player, seed=self.seed + number))
        return self._own[-1]

    # ------------------------------------------------ what everybody may ask

    @property
    def position(self) -> Position:
        """The present position, with all that the rules hide; players and people get `view`."""
        return self.plies[-1].after if self.plies else self.start

    def after(self, ply: int) -> Position:
        """The position after so many plies."""
        return self.plies[ply - 1].after if ply else self.start

    @property
    def positions(self) -> list[Position]:
        """All positions from the first to the present one."""
        return [self.start, *(ply.after for ply in self.plies)]

    @property
    def actions(self) -> list[Action]:
        """All actions so far, chance's included."""
        return [ply.action for ply in self.plies]

    @property
    def names(self) -> tuple[str, ...]:
        """Who sits where."""
        return tuple(HUMAN if player is None else player.name for player in self.players)

    @property
    def to_move(self) -> int | None:
        """The seat that is to move; None at a chance node and once the game is over."""
        return None if self.outcome is not None or self.position.is_chance() else self.position.player()

    @property
    def is_waiting(self) -> bool:
        """Whether a person is to move."""
        seat = self.to_move
        return seat is not None and self.players[seat] is None

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people."""
        return tuple(seat for seat, player in enumerate(self.players) if player is None)

    @property
    def is_secret(self) -> bool:
        """Whether something is hidden from people: until the game is over, and where cards stay face down even then."""
        if self.game.traits.information != "hidden":
            return False
        latest = self.position
        return not latest.is_terminal() or (
            self.game.stays_hidden and any(latest.observe(seat).state != latest.state for seat in self.people))

    @property
    def stands(self) -> str:
        """Why the moves already made stand, in words, or nothing: who saw what was hidden or drawn may not choose again.

        Analysis is free once all is over and seen, and so is a game against nobody.
        """
        traits, is_over = self.game.traits, self.outcome is not None
        if self.is_secret and traits.players > 1:
            return "moves already made stand in a game with hidden things" + (
                ", and in this one some stayed hidden" if is_over else " until it is over")
        if traits.chance and 0 < len(self.people) < traits.players and not is_over:
            return "moves already made stand until the end in a game with chance against others"
        return ""

    @property
    def record(self) -> Record:
        """The game so far as a value that can be kept."""
        texts = tuple(ply.text for ply in self.plies)
        notes = tuple(_note(ply) for ply in self.plies)
        more: Any = {"comments": notes} if any(notes) else {}
        return Record(self.game.name, self.start.text(), texts, self.names, self.outcome, self.reason, ending=self.ending, **more)

    def view(self, seat: int, ply: int | None = None) -> Position:
        """The present position (or that after `ply` plies) with all that this seat cannot know erased."""
        position = self.position if ply is None else self.after(ply)
        return position.observe(seat) if self._hides() else position

    def seen(self, seat: int) -> list[str | None]:
        """The actions so far as this seat knows them: None where one is hidden from it."""
        hides = self._hides()
        return [None if hides and ply.seat != seat and not position.is_public(ply.action) else ply.text
                for position, ply in zip(self.positions, self.plies, strict=False)]

    def _hides(self) -> bool:
        return self.game.traits.information == "hidden" and (self.game.stays_hidden or not self.position.is_terminal())

    # ------------------------------------------------ what happens

    def copy(self) -> Play:
        """The same game, which may go on another way; the players are shared, and the past is not made again."""
        other = copy.copy(self)
        other.plies, other.clocks, other._own, other._is_begun = list(self.plies), list(self.clocks), [], False
        return other

    def push(self, action: Action | str, spent: float | None = None) -> Event:
        """Make a move of whoever is to move, or of chance: an action or its text, and its seconds where somebody else timed it."""
        if self.outcome is not None:
            raise IllegalAction(f"illegal action {shorten(str(action))!r}: the game is over")
        position, seat = self.position, self.position.player()
        if isinstance(action, str) and action not in position.actions():
            action = position.parse_action(action)
        elif action not in position.moves() and not position.is_chance():
            raise IllegalAction(position.complaint(str(action)))
        if spent is None:
            spent = time.perf_counter() - self._asked
        if self.to_move is not None and self.clocks and self._is_overdue(seat, spent):
            return Event("end", seat)
        return self._advance(action, spent if self.to_move is not None else 0.0)

    def take_back(self, plies: int | None = None) -> None:
        """Take back so many plies; without a number, up to the last decision of a player (of a person, where there are any)."""
        if plies is None:
            people = [number for number, player in enumerate(self.players) if player is None]
            wanted = people or range(len(self.players))
            left = next((n for n in range(len(self.plies) - 1, -1, -1) if self.plies[n].seat in wanted), None)
            if left is None:
                raise IllegalAction("there is nothing to take back")
            plies = len(self.plies) - left
        if not 0 < plies <= len(self.plies):
            raise IllegalAction("there is nothing to take back" if plies else "take back at least one ply")
        if self.clocks:
            self.clocks = list(self.plies[-plies].clocks or self.clocks)
        del self.plies[-plies:]
        self._is_begun = False
        self.go_on()

    def go_on(self) -> None:
        """The game is not over: somebody goes on from a draw, or from where it was given up."""
        self.outcome, self.ending, self.loser, self.reason = None, None, None, ""
        self._asked = time.perf_counter()

    def resign(self, seat: int) -> None:
        """A seat gives the game up."""
        self.lose(seat, Ending.RESIGNED)

    def lose(self, seat: int, ending: Ending, reason: str = "") -> None:
        """A seat loses by the referee's word."""
        if self.outcome is None:
            self.loser = seat
            self.finish(forfeit(self.game, seat), reason or f"{self.names[seat]} {LOST[ending]}", ending)

    def finish(self, outcome: Outcome, reason: str, ending: Ending = Ending.DECIDED) -> None:
        """End the game: an arbiter's verdict, with its reason."""
        if self.outcome is None:
            self.outcome, self.reason, self.ending = outcome, reason, ending

    def take_up(self, clocks: Sequence[float], spent: float) -> None:
        """Go on with a game that was put down: what the clocks said, and since how many seconds a person thinks."""
        self.clocks = list(clocks)
        self._asked = time.perf_counter() - spent
        if self.is_waiting and self.clocks:
            self._is_overdue(self.position.player(), spent)

    def fall(self) -> list[Event]:
        """Let chance fall until a player is to move."""
        events = []
        while self.outcome is None and self.position.is_chance():
            events.append(self._draw())
        return events

    def _draw(self) -> Event:
        return self._advance(self.position.sample_chance(chance_source(self.seed, len(self.plies))), 0.0)

    def run(self, stop: threading.Event | None = None) -> Iterator[Event]:
        """Let movers move and chance fall until a person is to move, the game is over, or `stop` is set; tells each event."""
        self._begin()
        for player in self._movers():
            if hasattr(player, "stop"):
                player.stop = stop
        while self.outcome is None and not (stop is not None and stop.is_set()):
            if self.position.is_chance():
                yield self._draw()
                continue
            seat = self.position.player()
            mover = self.players[seat]
            if mover is None:
                return
            yield from self._turn(seat, mover, stop)
        if self.outcome is not None:
            yield Event("end", text=self.reason)

    def finished(self, stop: threading.Event | None = None) -> Record:
        """Run to the end and return the record."""
        for _ in self.run(stop):
            pass
        return self.record

    def close(self) -> None:
        """End the programs that were started for this game."""
        for player in self._own:
            getattr(player, "close", lambda: None)()

    def __enter__(self) -> Play:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    # ------------------------------------------------ the turn of a mover

    def _is_timed(self) -> bool:
        """Whether a game can be lost on time."""
        return bool(self.clocks) or (self.limits is not None and self.limits.seconds is not None)

    def _movers(self) -> list[Any]:
        return list({id(player): player for player in self.players if player is not None}.values())

    def _begin(self) -> None:
        """Tell the movers of the game so far, each what its seat may know; they keep table, tree and past from then on."""
        if self._is_begun:
            return
        self._is_begun = True
        if self._is_timed() and not self.people and getattr(self.game, "may_compile", False):  # a person waits for no compiler
            self.game.compile_rules()  # type: ignore[attr-defined]  # a compiled game
        hides = self.game.traits.information == "hidden"  # players mix there, and two must not draw the same numbers
        for player in self._movers():
            seat = next(number for number, each in enumerate(self.players) if each is player)
            if hasattr(player, "begin"):
                player.begin(self.view(seat, 0), seed=self.seed + (APART * seat if hides else 0))
                for ply in range(1, len(self.plies) + 1):
                    self._tell(player, seat, ply)
            if self._is_timed():
                for prepare in ("get_ready", "rehearse"):
                    getattr(player, prepare, lambda view: None)(self.view(seat, 0))

    def _tell(self, player: Any, seat: int, ply: int) -> None:
        made = self.plies[ply - 1]
        player.follow(None if self._hides() and made.seat != seat else made.action, self.view(seat, ply))

    def _turn(self, seat: int, mover: Mover, stop: threading.Event | None) -> Iterator[Event]:
        name, position = self.names[seat], self.position
        limits = Limits(remaining=self.clocks[seat], increment=self.clock[1]) if self.clock else self.limits
        begun = time.perf_counter()
        try:
            action = mover.choose(self.view(seat), limits)
            spent = time.perf_counter() - begun
            if stop is not None and stop.is_set():
                return  # the answer of a search that was stopped is no move
            ending, lost = Ending.ILLEGAL, ""
            if action not in position.actions():
                lost = f"{name} played the illegal action {shorten(str(action))}"
            elif limits is not None and limits.seconds is not None and spent > limits.seconds + GRACE:
                ending, lost = Ending.TIME, f"{name} took {spent:.1f} s for a move of {limits.seconds:g} s"
        except Resigned as problem:
            ending, lost = Ending.RESIGNED, str(problem)
        except OutplayError as problem:
            ending, lost = Ending.FAILED, f"{name} failed: {shorten(str(problem), 200)}"
        except Exception as problem:  # a mover is somebody's program: whatever it does, the referee goes on
            told = shorten(" ".join(str(problem).split()), 160)
            ending, lost = Ending.FAILED, f"{name} failed: {type(problem).__name__}: {told}"
        if lost:
            self.lose(seat, ending, lost)
            return
        if self.clocks and self._is_overdue(seat, spent):
            return
        thought = getattr(mover, "last", None)
        if thought is not None:
            yield Event("thought", seat, thought.action, thought=thought, seconds=spent)
            if self.outcome is not None:
                return  # whoever heard the thought has ended the game
        yield replace(self._advance(action, spent, thought), note=getattr(mover, "note", ""))

    def _is_overdue(self, seat: int, spent: float) -> bool:
        """Whether a seat has overstepped its clock, which ends the game."""
        if self.clocks[seat] - spent < -self.lag:
            self.lose(seat, Ending.TIME)
            return True
        return False

    def _advance(self, action: Action, spent: float, thought: Result | None = None) -> Event:
        """The action on the board, in the record and on the clock; then the referee looks."""
        before, seat = self.position, self.position.player()
        text = before.action_text(action)
        after = Position(self.game, self.game.result(before.state, action)) if before.is_drawn() else before.result(action)
        ply = Ply(action, text, after, seat, thought, spent, list(self.clocks))
        is_chance = before.is_chance()
        if self.plies and getattr(self.game, "has_many_actions", False):
            self.plies[-1].after = Position(self.game, before.state)  # the past need not keep what could be done there
        self.plies.append(ply)
        if self.clock and not is_chance:
            self.clocks[seat] = max(self.clocks[seat] - spent, 0.0) + self.clock[1]
        if self._is_begun:
            for player in self._movers():
                if hasattr(player, "follow"):
                    self._tell(player, next(n for n, each in enumerate(self.players) if each is player), len(self.plies))
        self._asked = time.perf_counter()
        self._referee()
        return Event("chance" if is_chance else "move", None if is_chance else seat, action, text, thought, spent)

    def _referee(self) -> None:
        """End the game where the rules do, or one of their draws."""
        position = self.position
        if not self.arbiter:
            if not position.moves() and not position.is_chance():
                self.finish(Outcome(position.utilities()), "", Ending.RULES)
        elif position.is_terminal():
            self.finish(Outcome(position.utilities()), "", Ending.RULES)
        elif found := draw(position, [ply.after for ply in reversed(self.plies[:-1])] + [self.start] if self.plies else []):
            self.finish(Outcome(self.game.drawn_utilities()), found[1], found[0])
        elif self.most_plies is not None and len(self.plies) >= self.most_plies:
            self.finish(Outcome(self.game.drawn_utilities()), f"stopped after {self.most_plies} plies", Ending.TOO_LONG)


# ---------------------------------------------------------------- the referee's rules


def drawn(position: Position, earlier: Sequence[Position]) -> str:
    """Why a game is a draw although it could go on, in words, or nothing; `earlier` positions come latest first.

    >>> chess = load("chess")
    >>> drawn(chess.position("8/8/8/3k4/8/8/1R6/K7 w - - 100 90"), [])
    '50 moves without progress'
    """
    return (draw(position, earlier) or ("", ""))[1]


def draw(position: Position, earlier: Sequence[Position]) -> tuple[Ending, str] | None:
    """How a game is a draw although it could go on, and that in words, or None; `earlier` positions come latest first."""
    game = position.game
    if not game.offers("reversible"):
        return None
    back, times, most = position.reversible(), game.repetitions, game.draw_after
    if times is not None and back + 1 >= times:
        key = _key(game, position.state)
        if 1 + sum(_key(game, past.state) == key for past in earlier[:back]) >= times:
            return Ending.REPETITION, {2: "repetition", 3: "threefold repetition"}.get(times, f"repetition, {times} times")
    return (Ending.NO_PROGRESS, f"{most // 2} moves without progress") if most is not None and back >= most else None


@functools.lru_cache(maxsize=4096)
def _key(game: Any, state: Any) -> Any:
    """What makes two positions equal, computed once: the next ply asks for it again."""
    return game.key(state) if hasattr(game, "rules") else game.identity(state)


def forfeit(game: Game, loser: int) -> Outcome:
    """What a game is worth that one seat, and its partners with it, has lost by the referee's word.

    >>> forfeit(load("tic-tac-toe"), 0).utilities, forfeit(load("isolation:players=3"), 1).utilities
    ((-1.0, 1.0), (0.5, 0.0, 0.5))
    """
    traits = game.traits
    low, high = traits.bounds
    losers = next((side for side in game.sides if loser in side), (loser,))
    others = traits.players - len(losers)
    if traits.total is not None and others:
        high = min(high, (traits.total - low * len(losers)) / others)
    return Outcome(tuple(low if seat in losers else high for seat in range(traits.players)))


# ---------------------------------------------------------------- chance


def chance_source(seed: int, ply: int) -> np.ndarray:
    """Where the randomness of one chance node comes from: the seed of the game and the ply, whatever happened before."""
    return random_source(seed * 0x100000001B3 + ply * GOLDEN)


def settle(position: Position, seed: int) -> Position:
    """The position once chance has had its moves."""
    ply = 0
    while position.is_chance():
        position, ply = position.result(position.sample_chance(chance_source(seed, ply))), ply + 1
    return position


# ---------------------------------------------------------------- clocks and comments


def parse_clock(text: str) -> tuple[float, float]:
    """Seconds for a game and those that come back with each move.

    >>> parse_clock("10+0.1"), parse_clock("60")
    ((10.0, 0.1), (60.0, 0.0))
    """
    whole, _, more = text.partition("+")
    try:
        found = float(whole), float(more or 0)
    except ValueError:
        found = (0.0, 0.0)
    if not (0 < found[0] < math.inf and 0 <= found[1] < math.inf):
        raise BadValue(f"a clock must be seconds such as 10+0.1, got {shorten(text)!r}")
    return found


def _note(ply: Ply) -> str:
    """What was thought about a move, as one short comment: value and depth, then the seconds spent."""
    thought = ply.thought
    if thought is None or thought.value != thought.value:  # not a number: a player that gives none
        return ""
    value = f"{thought.value:+.4g}" if isinstance(thought.value, int | float) else "/".join(f"{each:.3g}" for each in thought.value)
    return f"{value}/{thought.depth} {ply.seconds:.2f}s"
