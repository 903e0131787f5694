"""Saved games as games in progress: a `Play` each, which goes on from the last one, so that nothing of the past is made again.

A `Table` is what a page looks at and people move at; a search thinks at one of its own with the compiled rules (`Thinkers`), where
the players remember table, tree and past as long as the game goes on.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from cachetools import LRUCache
from fastapi import Depends, HTTPException, Request

from outplay.errors import BadValue, Unavailable
from outplay.game import Game, Position
from outplay.players.prompt import prompt
from outplay.playing import LAG, Event, Mover, Play
from outplay.values import Action, Ending, Limits
from outplay.web import limits as most
from outplay.web.choices import open_game, seated
from outplay.web.store import Saved, Store

HUMAN = "human"
FRIEND = "friend"
"""A person who sits at another device, by a code (`friends.py`)."""
GONE_ON = "the game has gone on since: look at it again"
NETWORK = 0.4
"""Seconds that a person's move may be under way."""
MOST_THINKING = 4  # games whose players keep what they know; each player has a table of some megabytes
MOST_LINES = 42  # of one game, each kept as a Play
PLY_BYTES = 1500  # about: a position with what was asked of it, and the move

_BEGAN = time.time() - time.monotonic()


def now() -> float:
    """Seconds as `time.time` counts them, so that a restarted studio can go on, but without the jumps of a clock that is set."""
    return _BEGAN + time.monotonic()


@dataclass
class Sitting:
    """The seat of a search as a page sees it: it thinks elsewhere."""

    name: str

    def choose(self, position: Position, limits: Limits | None = None) -> Action:
        """Nothing."""
        raise Unavailable(f"{self.name} thinks elsewhere")


def is_human(text: str) -> bool:
    """Whether a player's text names a person, here or at another device."""
    return text.strip().lower() in (HUMAN, FRIEND)


def is_away(text: str) -> bool:
    """Whether a player's text names a person at another device."""
    return text.strip().lower() == FRIEND


class Replays:
    """The lines of the games looked at lately; a line that goes on from a known one, or leaves it, is played from there."""

    def __init__(self, most_bytes: int = 64 * 2**20) -> None:
        self._kept: LRUCache[tuple, list[Play]] = LRUCache(
            most_bytes, lambda plays: min(most_bytes, PLY_BYTES * sum(1 + len(play.plies) for play in plays)))
        self._lock = threading.Lock()

    def line(self, game: Game, start: str | None, actions: Sequence[str], address: str = "") -> Play:
        """The game after these actions, not to be changed: copy it."""
        key = (address, game, start)
        with self._lock:
            plays = self._kept.get(key, [])
        best, same = None, -1
        for play in plays:
            shared = _shared(play, actions)
            if shared > same:
                best, same = play, shared
            if shared == len(actions) == len(play.plies):
                return play
        made = best.copy() if best is not None else Play(game, start=start)
        follow(made, actions, max(0, same))
        goes_on = best is not None and same == len(best.plies)
        with self._lock:
            self._kept[key] = [made, *(play for play in self._kept.get(key, []) if not (goes_on and play is best))][:MOST_LINES]
        return made


def _shared(play: Play, actions: Sequence[str]) -> int:
    """How many of the actions a game begins with."""
    same = 0
    while same < min(len(play.plies), len(actions)) and play.plies[same].text == actions[same]:
        same += 1
    return same


def follow(play: Play, actions: Sequence[str], same: int | None = None) -> None:
    """Bring a game in progress to where the saved one stands."""
    same = _shared(play, actions) if same is None else same
    if same < len(play.plies):
        play.take_back(len(play.plies) - same)
    for text in actions[same:]:
        if play.outcome is not None:  # the referee called a draw that this record went on from
            play.go_on()
        play.push(text)


replays = Replays()


class Table:
    """A saved game, and as `play` the same in progress: seats, clocks, chance by the game's seed, and the referee's word."""

    def __init__(self, store: Store, saved: Saved, seat: int | None = None) -> None:
        self.store, self.saved, self.seat = store, saved, seat  # the seat of a friend who looks from another device
        self.game = open_game(saved.game)
        self.play = self.line(saved.actions).copy()
        here = [seat == at if seat is not None else is_human(text) and not is_away(text) for at, text in enumerate(saved.players)]
        self.play.players = [None if sits else Sitting(text) for sits, text in zip(here, saved.players, strict=True)]
        self.spent = 0.0 if saved.extra.since is None else max(0.0, now() - saved.extra.since)  # on the move to come
        self.play.seed, self.play.lag = saved.extra.seed, LAG + NETWORK
        if saved.extra.lost is not None and saved.extra.lost[2] == self.plies:
            seat, how, _ = saved.extra.lost
            self.play.lose(seat, Ending(how) if how in list(Ending) else Ending.TIME)
        elif saved.extra.clock is not None and (saved.extra.since is not None or not self.is_person()):  # who begins has time
            self.play.clock = saved.extra.clock
            self.play.take_up(saved.extra.left, self.spent)

    @classmethod
    def at(cls, store: Store, address: str, seat: int | None = None) -> Table:
        """The table at an address, as the studio shows it or as a friend at a seat sees it."""
        saved = store.get(address)
        if saved is None:
            raise HTTPException(404, "no game is saved at this address")
        return cls(store, saved, seat)

    def line(self, actions: Sequence[str]) -> Play:
        """Any line of this game."""
        return replays.line(self.game, self.saved.start, actions, self.saved.address)

    def keep(self, play: Play | None = None, *, players: Sequence[str] | None = None, **more: Any) -> Table:
        """Save what has become of the game, in one piece; refused where somebody else has changed it meanwhile."""
        play, extra = play or self.play, self.saved.extra
        actions = tuple(ply.text for ply in play.plies)
        if len(actions) > max(most.MOST_PLIES, self.plies):
            raise BadValue(f"a saved game may have {most.MOST_PLIES} plies at most")
        if play.loser is not None and play.ending is not None:
            more["lost"] = (play.loser, str(play.ending), len(actions))
        if extra.clock is not None and actions != self.saved.actions:
            more.update(left=tuple(play.clocks or extra.left), since=now())
        new: dict[str, Any] = {"actions": actions, "extra": replace(extra, **more)}
        if players is not None:
            new["players"] = tuple(players)
        if not self.store.change(self.saved, **new):
            raise HTTPException(409, GONE_ON)
        return Table(self.store, replace(self.saved, **new), self.seat)

    def expect(self, plies: int) -> None:
        """Refuse a page that has not seen the last moves."""
        if plies != self.plies:
            raise HTTPException(409, GONE_ON)

    @property
    def plies(self) -> int:
        """How many there are."""
        return len(self.saved.actions)

    @property
    def latest(self) -> Position:
        """The position as it stands."""
        return self.play.position

    @property
    def is_over(self) -> bool:
        """Whether the game is over, by its rules or by the referee's word."""
        return self.play.outcome is not None

    @property
    def is_secret(self) -> bool:
        """Whether something is hidden from somebody."""
        return not self.saved.extra.open and self.play.is_secret

    @property
    def stands(self) -> str:
        """Why the last moves stand, in words, or nothing."""
        return "" if self.saved.extra.open else self.play.stands

    def is_person(self, position: Position | None = None) -> bool:
        """Whether a person is to move."""
        position = self.latest if position is None else position
        return not position.is_terminal() and not position.is_chance() and self.play.players[position.player()] is None

    def persons_turn(self, plies: int) -> Position:
        """The position that a person is to move in; refused where nobody is."""
        self.expect(plies)
        if self.is_over or not self.is_person():
            raise HTTPException(409, "it is not a person's turn")
        return self.latest

    def freed(self, back: bool = False) -> Table:
        """The same with moves that may be changed; from then on it is an analysis, in which nothing is hidden."""
        clock = "moves already made stand in a game with a clock" if self.saved.extra.clock and not back else ""
        if reason := clock or self.stands:
            raise HTTPException(409, reason)
        traits = self.game.traits
        is_plain = traits.information != "hidden" and not traits.chance
        return self if is_plain or self.saved.extra.open or not self.is_over else self.keep(open=True)


def _table(address: str, request: Request) -> Table:
    return Table.at(request.app.state.store, address)


AtTable = Annotated[Table, Depends(_table)]


@dataclass
class Thinking:
    """One game with the players at its board."""

    players: tuple[str, ...]
    start: str | None
    play: Play
    lock: threading.Lock = field(default_factory=threading.Lock)


class Thinkers:
    """The games that searches think about, the oldest forgotten first; what is forgotten is set up again from the saved game."""

    def __init__(self) -> None:
        self._kept: LRUCache[str, Thinking] = LRUCache(MOST_THINKING)
        self._lock = threading.Lock()

    def at(self, saved: Saved) -> Thinking:
        """The game in progress of a saved one; it may have fewer moves than that, or others (see `follow`)."""
        with self._lock:
            kept = self._kept.get(saved.address)
            if kept is not None and (kept.players, kept.start) == (saved.players, saved.start):
                return kept
        game = open_game(saved.game, compiled=None)
        movers: list[Mover | None] = [
            None if is_human(text) else prompt(seated(text, game, seed=secrets.randbits(62))) for text in saved.players
        ]
        kept = Thinking(saved.players, saved.start, Play(game, movers, start=saved.start, seed=secrets.randbits(62)))
        with self._lock:
            self._kept[saved.address] = kept
        return kept

    def reply(self, saved: Saved, stop: threading.Event) -> tuple[Event, Play] | None:
        """What the player to move does, and the game in which it did; None where it was stopped."""
        kept = self.at(saved)
        with kept.lock:
            kept.play.clock, kept.play.clocks = None, []  # the past is not timed again
            follow(kept.play, saved.actions)
            if saved.extra.clock is not None:
                kept.play.clock, kept.play.clocks = saved.extra.clock, list(saved.extra.left)
            event = next((event for event in kept.play.run(stop) if event.kind in ("move", "end")), None)
            return None if stop.is_set() or event is None else (event, kept.play)

    def forget(self, address: str) -> None:
        """Let the players of a game go."""
        with self._lock:
            self._kept.pop(address, None)
