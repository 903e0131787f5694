"""Positions of the engine's own games, judged by its search: what an evaluation learns from.

Games begin with random moves and go on by short searches of the engine. What an evaluation can judge at a glance is kept: positions
where nothing urgent must be answered and the search's choice is quiet, each with the search's value and how its game ended.
The whole loop is one native kernel around the engine's own, some thousands of positions a second and core.

A file of positions is one line that names its format, one of JSON, and packed records: the fields of the state, the value in points
and the result for the player to move, in hundredths, the ply of the game and whose turn it is. Positions of a game stand in order.
It only grows; a run that was killed goes on behind the last whole record.

`games.bin` beside it holds what was played, six bytes a ply. Packed, that is some three bytes for each position that was kept, so
that the positions of a run travel to another machine, where the rules play the games again:

    python -m outplay.learning.positions pack RUN PACKED.bin --most 16000000
    python -m outplay.learning.positions unpack OTHER_RUN PACKED.bin --game chess
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from outplay.engine import preferences
from outplay.engine.alphabeta.bounds import INFINITY
from outplay.engine.alphabeta.selective_kernel import run_selective
from outplay.engine.alphabeta.steps import DONE
from outplay.engine.alphabeta.table import NO_ACTION, Table
from outplay.engine.alphabeta.units import Units
from outplay.engine.alphabeta.workspace import Workspace
from outplay.engine.memory import load_state
from outplay.errors import BadValue, OutplayError, Unsuitable
from outplay.files import write_whole
from outplay.game import CompiledGame, load
from outplay.jit import below, f64, i64, inlined, kernel, random_source, uniform

FORMAT = "outplay positions 2"
POSITIONS, GAMES = "positions.bin", "games.bin"
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
MOST_VALUE = 32767
FIRST, KEPT = 1, 2
"""Marks of a ply: it is the first of its game, its position is kept."""
STEP = np.dtype([("action", "<u2"), ("value", "<i2"), ("result", "u1"), ("mark", "u1")])
"""A ply: which of the listed actions was played, the value to the player to move where it is kept, seat 0's result, and marks."""
PACKED = b"outplay packed games 1\n"
CHUNK = 1 << 18
"""Plies that are packed at once."""
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
               kept: Any, values: Any, results: Any, plies: Any, seats: Any, steps: Any) -> Any:
    """Play games until so many are done or the room is full; returns how many games, how many positions and how many plies."""
    states, actions, path, c = work.states, work.actions, work.path, work.control[0]
    played, filled, at = i64(0), i64(0), i64(0)
    points_of = f64(c.spread) * c.grain
    won = DECIDED * c.scale
    while played < games and filled + LONGEST < len(kept) and at + LONGEST < len(steps):
        states[0] = start[0]
        first, ply, begun = filled, i64(0), at
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
            steps[at].value, steps[at].mark = 0, FIRST if ply == 0 else 0
            if ply < opening:
                chance = below(source, count)
                steps[at].action = chance
                at += 1
                states[0].play(actions[0, chance])
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
                steps[at].value = i64(round(min(max(worth, -MOST_VALUE), MOST_VALUE)))
                steps[at].mark |= KEPT
            states[0].actions(actions[0])  # the search sorted them
            for i in range(count):
                if actions[0, i] == action:
                    steps[at].action = i
            at += 1
            states[0].play(action)
            ply += 1
        for i in range(first, filled):
            results[i] = outcome if seats[i] == 0 else 1.0 - outcome
        for i in range(begun, at):
            steps[i].result = i64(round(SHARE * outcome))
        played += 1
    return played, filled, at


@kernel
def replay(work: Any, start: Any, actions: Any, steps: Any, kept: Any, plies: Any, seats: Any) -> Any:
    """Play games again; the positions that were kept go into `kept`. Returns how many, or -1 where the steps are no such games."""
    filled = i64(0)
    ply: Any = i64(0)
    for i in range(len(steps)):
        if steps[i].mark & FIRST:
            work[0] = start[0]
            ply = i64(0)
        count = i64(0)
        if not (work[0].is_terminal() or work[0].is_drawn()):
            count = i64(work[0].actions(actions))
        if i64(steps[i].action) >= count or ply >= LONGEST:
            return i64(-1)
        if steps[i].mark & KEPT:
            kept[filled] = work[0]
            plies[filled], seats[filled] = ply, work[0].player()
            filled += 1
        work[0].play(actions[steps[i].action])
        ply += 1
    return filled


class Generator:
    """One thread's games: a workspace of the engine and the room that a piece of them fills."""

    def __init__(self, game: CompiledGame, nodes: int, random_plies: int, keep: float, seed: int, room: int = 8192) -> None:
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
        self.steps = np.zeros(4 * room, STEP)
        self.packed = packed_type(rules)

    def piece(self, games: int) -> tuple[int, np.ndarray, np.ndarray]:
        """Play so many games: how many it were, their positions as they are stored, and their plies."""
        with np.errstate(over="ignore"):
            played, filled, count = play_games(self.workspace.work, self.start, games, *self.rest, self.kept, self.values,
                                               self.results, self.plies, self.seats, self.steps)
        out = recorded(self.packed, self.kept[:filled], self.values[:filled], SHARE * self.results[:filled], self.plies[:filled],
                       self.seats[:filled])
        return int(played), out, self.steps[:count].copy()


def recorded(packed: np.dtype, states: np.ndarray, values: Any, results: Any, plies: Any, seats: Any) -> np.ndarray:
    """Positions as they are stored."""
    out = np.zeros(len(states), packed)
    for name in packed.names[:-ABOUT]:  # type: ignore[index]  # it has names
        out[name] = states[name]
    out["value"] = np.clip(np.rint(values), -MOST_VALUE, MOST_VALUE)
    out["result"] = np.rint(results)
    out["ply"], out["seat"] = plies, seats
    return out


def packed_type(rules: Any) -> np.dtype:
    """A record of a file: the fields that make a state, less what is derived from them, and what is known about it."""
    kinds = rules.layout.fields
    names = [name for name in (rules.layout.names or ())[:-1] if name not in rules.derived]
    about = ("value", "<i2"), ("result", "u1"), ("ply", "u1"), ("seat", "u1")
    return np.dtype([*((name, kinds[name][0].base, kinds[name][0].shape) for name in names), *about])


class Positions:
    """A file of positions, begun or continued."""

    def __init__(self, path: Path, game: CompiledGame) -> None:
        self.path, self.game = Path(path), game
        self.packed = packed_type(game.rules)
        head = {"game": game.rules.definition.name, "record": self.packed.itemsize}
        self.head = f"{FORMAT}\n{json.dumps(head)}\n".encode()
        if not self.path.exists():
            write_whole(self.path, self.head)
        with self.path.open("rb") as content:
            if content.read(len(self.head)) != self.head:
                raise BadValue(f"{path} holds no positions of {game.name}: remove it, or give another folder")
        games = self.path.with_name(GAMES)
        for file, before, size in ((self.path, len(self.head), self.packed.itemsize), (games, 0, STEP.itemsize)):
            torn = (file.stat().st_size - before) % size if file.exists() else 0
            if torn:  # the end of one that was killed as it wrote
                os.truncate(file, file.stat().st_size - torn)

    def __len__(self) -> int:
        return (self.path.stat().st_size - len(self.head)) // self.packed.itemsize

    def add(self, some: np.ndarray, steps: np.ndarray | None = None) -> None:
        """Write more of them behind the others, and the plies of the games that they are from."""
        with self.path.open("ab") as file:
            file.write(some.tobytes())
        if steps is not None:
            with self.path.with_name(GAMES).open("ab") as file:
                file.write(steps.tobytes())

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




# ---------------------------------------------------------------- packed games


def packed_chunk(steps: np.ndarray) -> bytes:
    """Whole games, a column at a time, compressed; values as what they add to the one before, as seat 0 sees two that alternate."""
    kept = steps["mark"] & KEPT != 0
    firsts = steps["mark"] & FIRST != 0
    signs = np.where(np.flatnonzero(kept) % 2 == 0, 1, -1).astype(np.int16)
    added = np.diff(steps["value"][kept] * signs, prepend=np.int16(0))  # may wrap, and wraps back
    folded = ((added << 1) ^ (added >> 15)).view(np.uint16)  # small whether above or below zero
    actions = steps["action"]
    columns = (
        (actions & 255).astype(np.uint8), (actions >> 8).astype(np.uint8), np.packbits(kept), np.packbits(firsts),
        steps["result"][firsts], (folded & 255).astype(np.uint8), (folded >> 8).astype(np.uint8),
    )  # fmt: skip
    content = lzma.compress(b"".join(column.tobytes() for column in columns), lzma.FORMAT_XZ, preset=6)
    sizes = np.array([len(content), len(steps), kept.sum(), firsts.sum()], "<u4")
    return sizes.tobytes() + content


def unpacked_chunk(content: bytes, plies: int, positions: int, games: int) -> np.ndarray:
    """The plies of `packed_chunk` again."""
    raw = np.frombuffer(lzma.decompress(content), np.uint8)
    bits = -(-plies // 8)
    low, high, kept, firsts, results, small, large = np.split(raw, np.cumsum([plies, plies, bits, bits, games, positions]))
    steps = np.zeros(plies, STEP)
    steps["action"] = low + (high.astype(np.uint16) << 8)
    is_kept, is_first = (np.unpackbits(column, count=plies).astype(bool) for column in (kept, firsts))
    steps["mark"] = FIRST * is_first + KEPT * is_kept
    steps["result"] = results[np.cumsum(is_first) - 1]
    folded = small + (large.astype(np.uint16) << 8)
    added = (folded >> 1).view(np.int16) ^ -(folded & 1).view(np.int16)
    signs = np.where(np.flatnonzero(is_kept) % 2 == 0, 1, -1).astype(np.int16)
    steps["value"][is_kept] = np.cumsum(added, dtype=np.int16) * signs
    return steps


def pack(plies: np.ndarray, most: int, threads: int = 1) -> bytes:
    """Games, the last ones first to be taken, in at most so many bytes."""
    firsts = np.flatnonzero(plies["mark"] & FIRST)
    cuts = np.unique(firsts[np.searchsorted(firsts, np.arange(0, len(plies), CHUNK), "right") - 1])
    pieces = np.split(plies, cuts[1:]) if len(plies) else []
    out, size = [], len(PACKED)
    with ThreadPoolExecutor(threads) as pool:
        for made in pool.map(packed_chunk, reversed(pieces)):
            if size + len(made) > most:
                break
            out.append(made)
            size += len(made)
    return PACKED + b"".join(reversed(out))


def unpack(path: Path, game: CompiledGame, threads: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """The plies of a packed file and their positions, as they are stored."""
    content, at, pieces = path.read_bytes(), len(PACKED), []
    damaged = BadValue(f"{path} is damaged or holds no packed games of {game.name}")
    if not content.startswith(PACKED):
        raise damaged
    while at < len(content):
        sizes = np.frombuffer(content[at : at + 16], "<u4")
        if len(sizes) < 4 or at + 16 + int(sizes[0]) > len(content):
            raise damaged
        pieces.append((content[at + 16 : at + 16 + int(sizes[0])], *(int(size) for size in sizes[1:])))
        at += 16 + int(sizes[0])
    packed, start = packed_type(game.rules), game.rules.states(1)
    load_state(start, 0, game.start())

    def read(piece: tuple[bytes, int, int, int]) -> tuple[np.ndarray, np.ndarray]:
        try:
            steps = unpacked_chunk(*piece)
        except (lzma.LZMAError, ValueError, IndexError):
            raise damaged from None
        states, room = game.rules.states(piece[2]), game.rules.states(1)
        plies, seats = (np.zeros(piece[2], np.uint8) for _ in range(2))
        with np.errstate(over="ignore"):
            found = replay(room, start, np.zeros(game.rules.most_actions, np.int64), steps, states, plies, seats)
        if found != piece[2] or not steps["mark"][0] & FIRST:
            raise damaged
        kept = steps[steps["mark"] & KEPT != 0]
        results = np.where(seats == 0, kept["result"], SHARE - kept["result"])
        return steps, recorded(packed, states, kept["value"], results, plies, seats)

    with ThreadPoolExecutor(threads) as pool:
        found = list(pool.map(read, pieces))
    if not found:
        return np.zeros(0, STEP), np.zeros(0, packed)
    return np.concatenate([steps for steps, _ in found]), np.concatenate([positions for _, positions in found])


def main(words: list[str] | None = None) -> int:
    """Pack the games of a run, or add packed ones to a run; one line for a wrong request, exit status 2."""
    parser = argparse.ArgumentParser(prog="python -m outplay.learning.positions", description="Pack the games of a run, or unpack.")
    parser.add_argument("way", choices=("pack", "unpack"))
    parser.add_argument("run", type=Path, help="the folder of a run of the recipe nnue")
    parser.add_argument("file", type=Path, help="of packed games")
    parser.add_argument("--game", help="that the run is of, to unpack")
    parser.add_argument("--most", type=int, default=1 << 40, metavar="BYTES", help="of the packed file: the last games of the run")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args(words)
    try:
        if given.way == "pack":
            games = given.run / GAMES
            if not games.exists():
                raise BadValue(f"{given.run} has no {GAMES}: nothing to pack")
            write_whole(given.file, pack(np.fromfile(games, STEP), given.most, given.threads))
            print(f"{given.file}: {given.file.stat().st_size:,} bytes")
            return 0
        if not given.file.exists():
            raise BadValue(f"no such file: {given.file}")
        if not given.game:
            raise BadValue("expected --game NAME: packed games do not say which game they are of")
        game: Any = load(given.game)
        steps, positions = unpack(given.file, game, given.threads)
        given.run.mkdir(parents=True, exist_ok=True)
        Positions(given.run / POSITIONS, game).add(positions, steps)
        print(f"{given.run}: {len(positions):,} positions more")
    except OutplayError as problem:
        print(problem, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
