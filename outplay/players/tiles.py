"""Players of Scrabble.

    tiles                        simulation, and the exact end when the bag is empty: two seconds a move
    tiles:greedy                 what scores most
    tiles:static                 score and the worth of what is kept, learned from games against itself
    tiles:simulation,time=5      the best of the static player's candidates by simulated deals
    tiles:leaves=FILE            with other worths, as `outplay tune scrabble --out FILE` writes them
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from outplay.engine import tiles as engine
from outplay.errors import BadValue, Unsuitable, shorten
from outplay.game import Position
from outplay.names import Option, find, parse, read_options
from outplay.players.base import Player
from outplay.values import Action, Choice, Limits, Result

KINDS = ("simulation", "static", "greedy")
OPTIONS = (
    Option("time", "number", 2.0, "seconds a move", least=0.01),
    Option("candidates", "whole", 12, "plays that are simulated", least=2),
    Option("samples", "whole", 2000, "deals at the most", least=4),
    Option("endgame", "switch", True, "search the end exactly when the bag is empty"),
    Option("leaves", "text", "", "a file of the worth of leaves"),
    Option("seed", "whole", 0, "random numbers", least=0),
)
BATCH = 12
"""Deals between two looks at which candidates may still be the best."""
FIRST_NODES, MOST_DEPTH = 400, 23
SIGMAS = 2.2
"""A candidate goes when it is so many standard errors of the difference behind the best."""


class TilesPlayer(Player):
    """Greedy, static or by simulation; sees what its seat sees."""

    def __init__(self, kind: str = "simulation", *, seconds: float = 2.0, candidates: int = 12, samples: int = 2000,
                 endgame: bool = True, leaves: str = "", seed: int = 0) -> None:
        self.kind, self.seconds, self.candidates, self.samples, self.endgame = kind, seconds, candidates, samples, endgame
        self.name = f"tiles:{kind}"
        self.seed = seed
        self._terms = engine.leave_terms(leaves)
        self._source = np.random.default_rng(seed)
        self._rules: Any = None

    def begin(self, view: Position, *, seed: int = 0) -> None:
        """Other deals for each game of a match."""
        self._source = np.random.default_rng((self.seed, seed))

    def get_ready(self, position: Position) -> None:
        """Make room, and refuse other games."""
        if position.game.name.partition(":")[0] != "scrabble":
            raise Unsuitable(f"player {self.name} plays scrabble, not {position.game.name}")
        if self._rules is not position.game.rules:
            self._rules = position.game.rules
            self._called: set[str] = set()
            self._rules.bind()
            self._states, self._out = self._rules.states(3), self._rules.room()
            self._values = np.zeros(len(self._out), np.int64)

    def pick(self, view: Position, limits: Limits | None) -> Action:
        """An action for the player to move."""
        self.get_ready(view)
        self.last = None
        record = view.game.record(view.state)
        if record.asked:
            return self._answer(view, record)
        self._states[:1].view(np.uint8)[:] = np.frombuffer(view.state, np.uint8)  # type: ignore[call-overload]
        if self.kind in ("greedy", "static"):
            return self.candidates_of(1)[0][0]
        seconds = limits.seconds if limits is not None and limits.seconds else self.seconds
        if record.left == 0 and view.game.players == 2 and self.endgame and view.game.rules.parameters["challenge"] == "void":
            return self._end(view, seconds)
        return self._simulate(view, seconds)

    def _answer(self, view: Position, record: Any) -> Action:
        """Doubt exactly what is wrong: all see the board and know the list."""
        play = int(record.laid[0]) | int(record.laid[1]) << 30
        return 3 if record.is_right(play) else 7

    def candidates_of(self, most: int) -> list[tuple[int, int]]:
        """The best actions by equity in thousandths, best first."""
        kind = engine.GREEDY if self.kind == "greedy" else engine.STATIC
        count = int(engine.list_plays(self._states, self._out, self._values, self._terms, kind))
        best = np.lexsort((self._out[:count], -self._values[:count]))[:most]
        return [(int(self._out[k]), int(self._values[k])) for k in best]

    def _simulate(self, view: Position, seconds: float) -> Action:
        started = time.perf_counter()
        until = started + seconds
        listed = self.candidates_of(self.candidates)
        if len(listed) == 1 or listed[0][1] - listed[1][1] > 40_000:
            return listed[0][0]
        actions = np.array([action for action, _ in listed], np.int64)
        is_open = np.ones(len(actions), np.bool_)
        seen = np.zeros((len(actions), 0))
        done = 0
        while done < self.samples and is_open.sum() > 1 and (done == 0 or time.perf_counter() < until):
            seeds = self._source.integers(0, 2**63, BATCH + 1, np.uint64)
            values = np.zeros((len(actions), BATCH), np.int64)
            engine.simulate(self._states, self._out, self._terms, actions, is_open, seeds, values)
            seen = np.concatenate([seen, np.where(is_open[:, None], values / 1000, np.nan)], axis=1)
            done += BATCH
            if self._compiling("simulate"):
                until = time.perf_counter() + seconds
            means = np.where(is_open, seen.mean(1), -np.inf)
            best = int(np.argmax(means))
            apart = seen[best] - seen
            error = apart.std(1, ddof=1) / np.sqrt(done)
            is_open &= ~(apart.mean(1) > SIGMAS * np.maximum(error, 0.3))
            is_open[best] = True
        means = np.array([np.nanmean(row) for row in seen])
        order = sorted(range(len(actions)), key=lambda k: (not is_open[k], -means[k]))
        sign = 1 if view.player() == 0 else -1
        choices = []
        for k in order:
            run = seen[k][~np.isnan(seen[k])]
            half = 1.96 * run.std(ddof=1) / np.sqrt(len(run))
            low, high = sorted((sign * (means[k] - half), sign * (means[k] + half)))
            choices.append(Choice(int(actions[k]), sign * float(means[k]), interval=(float(low), float(high)), visits=len(run)))
        self.last = Result(choices[0].action, choices[0].value or 0.0, (choices[0].action,), algorithm=self.name, exact=False,
                           unit="points", scale=4000.0,
                           nodes=int((~np.isnan(seen)).sum()), seconds=time.perf_counter() - started, choices=tuple(choices))
        return choices[0].action

    def _compiling(self, kernel: str) -> bool:
        """Whether this is the first call of a kernel, whose time to compile is not the move's."""
        is_first = kernel not in self._called
        self._called.add(kernel)
        return is_first

    def _end(self, view: Position, seconds: float) -> Action:
        """Deeper and deeper until nothing is cut off; in time, or with what the last whole depth found."""
        started = time.perf_counter()
        whole = view.deal(view.player(), 0)  # with an empty bag the other rack is known
        states, rooms = self._rules.states(engine.DEEPEST + 1), self._rules.room(engine.DEEPEST + 1, self._rules.most_actions)
        states[:1].view(np.uint8)[:] = np.frombuffer(whole.state, np.uint8)  # type: ignore[call-overload]
        values, frames = np.zeros(rooms.shape, np.int64), np.zeros((engine.DEEPEST + 2, engine.FIELDS), np.int64)
        keys, stored, result = np.zeros(1 << 18, np.uint64), np.zeros((1 << 18, 4), np.int64), np.zeros(5, np.int64)
        action, value, exact, depth, rate = -1, 0, False, 1, 2000.0
        until = started + seconds
        while depth <= MOST_DEPTH:
            left = until - time.perf_counter()
            if left <= 0 and action >= 0:
                break
            begun = time.perf_counter()
            limit = max(int(rate * max(left, 0.0)), FIRST_NODES)
            engine.search_end(states, rooms, values, frames, keys, stored, self._terms, depth, limit, result)
            if self._compiling("search_end"):
                begun = time.perf_counter()
                until = begun + seconds
            if not result[4]:
                break
            if result[2] > 200:
                rate = result[2] / max(time.perf_counter() - begun, 1e-6)
            action, value, exact = int(result[1]), int(result[0]), not result[3]
            if exact:
                break
            depth += 1
        if action < 0:
            action = self.candidates_of(1)[0][0]
        self.last = Result(action, value / 1000, (action,), algorithm=self.name, exact=exact, depth=depth,
                           nodes=int(result[2]), unit="points", scale=4000.0, seconds=time.perf_counter() - started)
        return action


def from_text(text: str, seed: int = 0) -> TilesPlayer:
    """The player that `tiles`, `tiles:static` or `tiles:simulation,time=5` means."""
    asked = parse(text, "player")
    if asked.base.lower() != "tiles":
        raise BadValue(f"expected tiles or tiles:KIND, got {shorten(text)!r}")
    kind = find("player tiles", asked.part, KINDS) if asked.part else "simulation"
    chosen = read_options(f"player tiles:{kind}", asked.options, OPTIONS)
    seconds = chosen.pop("time", 2.0)
    made = TilesPlayer(kind, seconds=seconds, **{"seed": seed, **chosen})
    made.name = text.strip()
    return made


__all__ = ["TilesPlayer", "from_text"]
