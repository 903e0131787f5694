"""Positions of the engine's own games, judged by its search: what an evaluation learns from.

Games begin with random moves and go on by short searches of the engine. What an evaluation can judge at a glance is kept: positions
where nothing urgent must be answered and the search's choice is quiet, each with the search's value and how its game ended.
The whole loop is one native kernel around the engine's own, some thousands of positions a second and core.

A file of positions is one line that names its format, one of JSON, and packed records: the fields of the state, the value in points
and the result for the player to move, in hundredths, the ply of the game and whose turn it is. Positions of a game stand in order.
It only grows; a run that was killed goes on behind the last whole record.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from outplay.engine import preferences
from outplay.engine.alphabeta_steps import DONE
from outplay.engine.bounds import INFINITY
from outplay.engine.memory import load_state
from outplay.engine.selective_kernel import run_selective
from outplay.engine.table import NO_ACTION, Table
from outplay.engine.units import Units
from outplay.engine.workspace import Workspace
from outplay.errors import BadValue, Unsuitable
from outplay.files import write_whole
from outplay.jit import below, f64, i64, inlined, kernel, random_source, uniform

FORMAT = "outplay positions 2"
DEEP = 14
"""Plies after which a search stops, however few nodes it took."""
DECIDED, SURE = 0.1, 4
"""Beyond this part of a won game's points for so many plies on end, a game counts as won."""
PLAYED_OUT = 4
"""One game in so many is played to its end all the same: else nothing would be known of positions that are as good as won."""
DULL, DULL_PLIES = 0.001, 16
"""Within this part for so many plies on end, a long game counts as drawn."""
LONGEST = 240
"""Plies after which a game is drawn: no more than the kernel remembers against repetition."""
MEGABYTES = 4
SHARE = 100  # what a whole result is in a file
ABOUT = 4
"""Fields of a record behind those of the state: value, result, ply, seat."""

search = inlined(run_selective.python)


@inlined
def think(work: Any, count: Any, nodes: Any) -> Any:
    """Search states[0], whose actions are listed, deeper and deeper within so many nodes: value and action for the mover."""
    states, frames, actions, c = work.states, work.frames, work.actions, work.control[0]
    value, action = i64(0), i64(actions[0, 0])
    c.nodes = 0
    c.until = nodes
    for depth in range(1, DEEP + 1):
        for row in range(DEEP + DEEP):
            frames[row].excluded = NO_ACTION
        c.root_count, c.alpha, c.beta, c.depth, c.ply = count, -INFINITY, INFINITY, depth, -1
        if search(work) != DONE:
            if depth == 1:
                value = i64(frames[0].best)
            break
        value, action = i64(frames[0].best), i64(frames[0].action)
        states[0].actions(actions[0])
        for i in range(count):
            if actions[0, i] == action:
                actions[0, i] = actions[0, 0]
                actions[0, 0] = action
                break
    return value, action


@kernel
def play_games(work: Any, start: Any, games: Any, nodes: Any, random_plies: Any, keep: Any, low: Any, high: Any, source: Any,
               kept: Any, values: Any, results: Any, plies: Any, seats: Any) -> Any:
    """Play games until so many are done or the room is full; returns how many games and how many positions."""
    states, actions, path, c = work.states, work.actions, work.path, work.control[0]
    played, filled = i64(0), i64(0)
    points_of = f64(c.spread) * c.grain
    won = DECIDED * c.scale
    while played < games and filled + LONGEST < len(kept):
        states[0] = start[0]
        first, ply = filled, i64(0)
        sure: Any = 0
        dull: Any = 0
        opening = random_plies + below(source, 2)
        is_played_out = below(source, PLAYED_OUT) == 0
        outcome: Any = -1.0  # of seat 0, from 0 to 1
        leader = 0.5
        for i in range(len(work.history[0])):
            work.history[0, i] = 0
            work.history[1, i] = 0
        while outcome < 0.0:
            over = states[0].is_terminal() or states[0].is_drawn()
            count = i64(0)
            if not over:
                count = i64(states[0].actions(actions[0]))
            if over or count == 0:
                outcome = (f64(states[0].utility(0)) - low) / (high - low)
                break
            path[ply] = states[0].key()
            back = i64(states[0].reversible())
            for i in range(ply):
                if i >= ply - back and path[i] == path[ply] and ply >= opening:
                    outcome = 0.5
            if ply >= LONGEST - 1:
                outcome = 0.5 if sure < SURE else leader
            if outcome >= 0.0:
                break
            mover = i64(states[0].player())
            if ply < opening:
                states[0].play(actions[0, below(source, count)])
                ply += 1
                continue
            c.earlier = ply
            value, action = think(work, count, nodes)
            worth = f64(value) / points_of
            sure = sure + 1 if abs(worth) > won else 0
            dull = dull + 1 if abs(worth) <= DULL * c.scale else 0
            leader = 1.0 if (worth > 0.0) == (mover == 0) else 0.0
            if sure >= SURE and not is_played_out:
                outcome = leader
                break
            if dull >= DULL_PLIES and ply > 4 * DULL_PLIES:
                outcome = 0.5
                break
            if not states[0].urgent() and states[0].order(action) <= 0 and uniform(source) < keep:
                kept[filled] = states[0]
                values[filled] = worth
                plies[filled], seats[filled] = ply, mover
                filled += 1
            states[0].play(action)
            ply += 1
        for i in range(first, filled):
            results[i] = outcome if seats[i] == 0 else 1.0 - outcome
        played += 1
    return played, filled


class Generator:
    """One thread's games: a workspace of the engine and the room that a piece of them fills."""

    def __init__(self, game: Any, nodes: int, random_plies: int, keep: float, seed: int, room: int = 8192) -> None:
        if not game.offers("evaluate"):
            raise Unsuitable(f"positions judged by a search need an evaluation to begin with; {game.name} has none")
        options = preferences.alphabeta(game)
        if not options.selective():
            raise Unsuitable(f"positions are judged by the selective search, which {game.name} does without")
        rules = game.rules
        units = Units.of(game, distance=True)
        self.workspace = Workspace(game, Table(MEGABYTES, options.replacement))
        self.workspace.prepare(game.start(), options, "pvs", units)
        self.start = rules.states(1)
        load_state(self.start, 0, game.start())
        low, high = game.traits.bounds
        self.rest = (nodes, random_plies, keep, float(low), float(high), random_source(seed))
        self.kept, self.values, self.results = rules.states(room), np.zeros(room), np.zeros(room)
        self.plies, self.seats = (np.zeros(room, np.uint8) for _ in range(2))
        self.packed = packed_type(rules)

    def piece(self, games: int) -> tuple[int, np.ndarray]:
        """Play so many games: how many it were, and their positions as they are stored."""
        with np.errstate(over="ignore"):
            played, filled = play_games(self.workspace.work, self.start, games, *self.rest, self.kept, self.values, self.results,
                                        self.plies, self.seats)
        out = np.zeros(filled, self.packed)
        for name in self.packed.names[:-ABOUT]:  # type: ignore[index]  # it has names
            out[name] = self.kept[name][:filled]
        most = np.iinfo(np.int16).max
        out["value"] = np.clip(np.rint(self.values[:filled]), -most, most)
        out["result"] = np.rint(SHARE * self.results[:filled])
        out["ply"], out["seat"] = self.plies[:filled], self.seats[:filled]
        return int(played), out


def packed_type(rules: Any) -> np.dtype:
    """A record of a file: the fields that make a state, less what is derived from them, and what is known about it."""
    kinds = rules.layout.fields
    names = [name for name in (rules.layout.names or ())[:-1] if name not in rules.derived]
    about = ("value", "<i2"), ("result", "u1"), ("ply", "u1"), ("seat", "u1")
    return np.dtype([*((name, kinds[name][0].base, kinds[name][0].shape) for name in names), *about])


class Positions:
    """A file of positions, begun or continued."""

    def __init__(self, path: Path, game: Any) -> None:
        self.path, self.game = Path(path), game
        self.packed = packed_type(game.rules)
        head = {"game": game.rules.definition.name, "record": self.packed.itemsize}
        self.head = f"{FORMAT}\n{json.dumps(head)}\n".encode()
        if not self.path.exists():
            write_whole(self.path, self.head)
        with self.path.open("rb") as file:
            if file.read(len(self.head)) != self.head:
                raise BadValue(f"{path} holds no positions of {game.name}: remove it, or give another folder")
        whole = len(self.head) + len(self) * self.packed.itemsize
        if self.path.stat().st_size != whole:  # the end of one that was killed as it wrote
            os.truncate(self.path, whole)

    def __len__(self) -> int:
        return (self.path.stat().st_size - len(self.head)) // self.packed.itemsize

    def add(self, some: np.ndarray) -> None:
        """Write more of them behind the others."""
        with self.path.open("ab") as file:
            file.write(some.tobytes())

    def all(self) -> np.ndarray:
        """All that there are, as the file lies on disk."""
        if len(self) == 0:
            return np.zeros(0, self.packed)
        return np.memmap(self.path, self.packed, "r", len(self.head), (len(self),))

    def states(self, some: np.ndarray) -> np.ndarray:
        """Records of the game for kernels, from stored ones."""
        out = self.game.rules.states(len(some))
        for name in self.packed.names[:-ABOUT]:  # type: ignore[index]  # it has names
            out[name] = some[name]
        return out


