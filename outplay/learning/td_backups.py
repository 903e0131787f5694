"""TD learning without the luck of the dice: thousands of games at once, every position learns from all rolls that may follow.

A plain TD step pulls the judgement of a position towards that of the one position that the dice happened to bring. Here it is
pulled towards the average over all rolls, each with the reply that looks best (an *expected backup*): the same goal without the
noise, so that a network comes nearer to it. A position of backgammon has some 400 positions behind it, which is work for a GPU: the
rules list and show them, one thread each, and the network judges millions of them in one multiplication of matrices. One of the
rolls is then drawn, and the game goes on there. Now and then a reply is played that only looks nearly best, so that the network
also learns what it does not play.

What the games bring later counts as well, as in TD(lambda), and again without the luck. Where the network said one thing of a
position and its expected backup says another, the difference is a mistake and no luck; it is added to what the positions before it
should have been said to be, for each turn between by a factor `trace` less, back to the last reply that was not the best. That is
what a rollout of many turns would say, with the luck of each of its rolls taken off.

The steps below are plain functions of one index over the project's own rules: a loop on the processor, one thread each on a GPU. A
run begins with the network in its folder, if there is one, and widens it where more hidden units or inputs are asked for, without
changing what it says.
"""

from __future__ import annotations

import functools
import json
import math
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from outplay import jit
from outplay.errors import BadValue, Unsuitable
from outplay.files import append_line
from outplay.game import load, need
from outplay.jit import below, f32, i32, inlined, kernel, mix, u64, uniform
from outplay.knowledge import races
from outplay.knowledge.td_nets import Weights, read, save
from outplay.learning.alphazero import settled, torch_module
from outplay.learning.td import result_of
from outplay.learning.watch import Watch

OVER, LONGEST = -1, 1000
"""In place of a network's number: the game is over there. And the plies after which a game is given up."""
cuda: Any = None
"""The module `numba.cuda`, once a GPU is asked for; kernels read it as a global, where the simulator swaps it."""
MOST_WAYS = 36
"""Of chance to go on, at most."""
WILD_TURNS = 8
"""With how many turns of random replies a game begins that shall come to where good play seldom leads."""
TRACED = 24
"""Turns back to which a mistake is traced, at most."""


@dataclass(frozen=True)
class Settings:
    """Everything that makes a run what it is; kept in its folder, and the same when the run goes on."""

    game: str
    hidden: int = 320
    games: int = 8192  # at once
    rate: float = 0.001  # of Adam, at the beginning
    last_rate: float = 0.00001  # and when `total_seconds` are over
    total_seconds: float = 600.0
    batch: int = 16384  # positions of one step of learning
    steps: int = 8  # of learning, after each turn of all games
    kept: int = 128  # turns of all games that are learned from
    average: float = 0.999  # how much of the weights that play stays, after each step of learning
    stray: float = 0.15  # share of turns in which a reply may be less than the best
    noise: float = 0.1  # and by how much it may look worse, in the game's points
    wild: float = 0.0  # share of games that begin with random turns
    trace: float = 0.7  # how much of a mistake counts for the position a turn before; 0: none
    seed: int = 0


# ---------------------------------------------------------------- one index's part of a step


@inlined
def count_one(at: Any, ways: Any, states: Any, shares: Any, counts: Any, scratch: Any, out: Any, chances: Any) -> None:
    """How likely chance goes this way, and how many replies there are then."""
    scratch[0] = states[at // ways]
    shares[at], counts[at] = f32(0.0), 0
    if at % ways < scratch[0].chances(out, chances):
        shares[at] = f32(chances[at % ways])
        scratch[0].play(out[at % ways])
        counts[at] = scratch[0].actions(out)


@inlined
def write_one(at: Any, ways: Any, states: Any, firsts: Any, counts: Any, after: Any, movers: Any, scratch: Any, out: Any,
              chances: Any) -> None:  # fmt: skip
    """Write down where each reply leads, and who made it."""
    if counts[at] > 0:
        scratch[0] = states[at // ways]
        scratch[0].chances(out, chances)
        scratch[0].play(out[at % ways])
        mover = scratch[0].player()
        count = scratch[0].actions(out)
        for index in range(count):
            scratch[1] = scratch[0]
            scratch[1].play(out[index])
            after[firsts[at] + index] = scratch[1]
            movers[firsts[at] + index] = mover


@inlined
def show_one(at: Any, states: Any, movers: Any, kinds: Any, others: Any, seen: Any, said: Any, low: Any, high: Any) -> None:
    """What a network sees of a position, and which of them is to be asked; of a game that is over, what came true for the mover."""
    seat = i32(states[at].turn)
    others[at] = 1 if seat != movers[at] else 0
    if states[at].is_terminal():
        kinds[at], others[at] = OVER, 0
        result_of(states[at : at + 1], i32(movers[at]), low, high, said[at])
    else:
        kinds[at] = states[at].network()
        states[at].planes(seat, seen[at])


@inlined
def know_one(at: Any, states: Any, kinds: Any, odds: Any, known: Any) -> None:
    """Who wins a race that the table knows, as who is on roll sees it; below 0 elsewhere."""
    known[at] = f32(-1.0)
    if kinds[at] > 0:
        known[at] = f32(states[at].bear_off(odds, 0, i32(states[at].turn)))


@inlined
def choose_one(at: Any, firsts: Any, counts: Any, values: Any, best: Any) -> None:
    """The reply that is worth most to who makes it."""
    best[at] = firsts[at]
    for row in range(firsts[at] + 1, firsts[at] + counts[at]):
        if values[row] > values[best[at]]:
            best[at] = row


@inlined
def advance_one(game: Any, ways: Any, states: Any, roots: Any, after: Any, kinds: Any, shares: Any, firsts: Any, counts: Any,
                values: Any, best: Any, plies: Any, finished: Any, went: Any, sources: Any, wild: Any, stray: Any,
                noise: Any) -> None:  # fmt: skip
    """Draw one of the ways and go on there, most often by the best reply, whose row is kept; begin anew where a game is over."""
    source = sources[game : game + 1]
    rest = uniform(source)
    at = game * ways
    while at < game * ways + ways - 1 and rest >= shares[at]:
        rest -= shares[at]
        at += 1
    while counts[at] == 0:  # the shares' last digits
        at -= 1
    row = best[at]
    if game < wild and plies[game] < WILD_TURNS:
        row = firsts[at] + below(source, counts[at])
    elif uniform(source) < stray:  # Gumbel noise: the better it looks, the likelier it is played
        highest = -1e30
        for index in range(firsts[at], firsts[at] + counts[at]):
            value = values[index] - noise * math.log(-math.log(max(1e-12, min(uniform(source), 1.0 - 1e-12))))
            if value > highest:
                row, highest = index, value
    went[game] = row if row == best[at] else -1
    if kinds[row] == OVER or plies[game] >= LONGEST:
        went[game] = -1
        states[game] = roots[0]
        plies[game] = 0
        finished[game] += 1
    else:
        states[game] = after[row]
        plies[game] += 1


# ---------------------------------------------------------------- the same for all, on the processor


@kernel
def count_all(ways: Any, states: Any, shares: Any, counts: Any, scratch: Any, out: Any, chances: Any) -> None:
    """All ways of all games."""
    for at in range(len(counts)):
        count_one(at, ways, states, shares, counts, scratch, out, chances)


@kernel
def write_all(
    ways: Any, states: Any, firsts: Any, counts: Any, after: Any, movers: Any, scratch: Any, out: Any, chances: Any
) -> None:
    """All replies."""
    for at in range(len(counts)):
        write_one(at, ways, states, firsts, counts, after, movers, scratch, out, chances)


@kernel
def show_all(rows: Any, states: Any, movers: Any, kinds: Any, others: Any, seen: Any, said: Any, low: Any, high: Any) -> None:
    """All positions."""
    for at in range(rows):
        show_one(at, states, movers, kinds, others, seen, said, low, high)


@kernel
def know_all(rows: Any, states: Any, kinds: Any, odds: Any, known: Any) -> None:
    """All positions."""
    for at in range(rows):
        know_one(at, states, kinds, odds, known)


@kernel
def choose_all(firsts: Any, counts: Any, values: Any, best: Any) -> None:
    """All ways of all games."""
    for at in range(len(counts)):
        choose_one(at, firsts, counts, values, best)


@kernel
def advance_all(ways: Any, states: Any, roots: Any, after: Any, kinds: Any, shares: Any, firsts: Any, counts: Any, values: Any,
                best: Any, plies: Any, finished: Any, went: Any, sources: Any, wild: Any, stray: Any,
                noise: Any) -> None:  # fmt: skip
    """All games."""
    for game in range(len(states)):
        advance_one(game, ways, states, roots, after, kinds, shares, firsts, counts, values, best, plies, finished, went, sources,
                    wild, stray, noise)  # fmt: skip


@functools.cache
def gpu_steps(rules: Any) -> dict[str, Any]:
    """The same steps as kernels of a GPU."""
    global cuda
    from outplay.engine import cuda as gpu

    gpu.require()
    cuda = gpu.cuda
    rules.states(1)  # binds the methods
    layout = rules.layout if jit.cuda_is_simulated() else jit.record_type(rules.layout)
    most = int(rules.most_actions)
    int32, float64, most_ways = np.int32, np.float64, MOST_WAYS

    def count_each(ways: Any, states: Any, shares: Any, counts: Any) -> None:
        at = cuda.grid(1)
        if at < counts.shape[0]:
            scratch, out, chances = cuda.local.array(1, layout), cuda.local.array(most, int32), cuda.local.array(most_ways, float64)
            count_one(at, ways, states, shares, counts, scratch, out, chances)

    def write_each(ways: Any, states: Any, firsts: Any, counts: Any, after: Any, movers: Any) -> None:
        at = cuda.grid(1)
        if at < counts.shape[0]:
            scratch, out, chances = cuda.local.array(2, layout), cuda.local.array(most, int32), cuda.local.array(most_ways, float64)
            write_one(at, ways, states, firsts, counts, after, movers, scratch, out, chances)

    def show_each(rows: Any, states: Any, movers: Any, kinds: Any, others: Any, seen: Any, said: Any, low: Any, high: Any) -> None:
        at = cuda.grid(1)
        if at < rows:
            show_one(at, states, movers, kinds, others, seen, said, low, high)

    def know_each(rows: Any, states: Any, kinds: Any, odds: Any, known: Any) -> None:
        at = cuda.grid(1)
        if at < rows:
            know_one(at, states, kinds, odds, known)

    def choose_each(firsts: Any, counts: Any, values: Any, best: Any) -> None:
        at = cuda.grid(1)
        if at < counts.shape[0]:
            choose_one(at, firsts, counts, values, best)

    def advance_each(ways: Any, states: Any, roots: Any, after: Any, kinds: Any, shares: Any, firsts: Any, counts: Any, values: Any,
                     best: Any, plies: Any, finished: Any, went: Any, sources: Any, wild: Any, stray: Any,
                     noise: Any) -> None:  # fmt: skip
        game = cuda.grid(1)
        if game < states.shape[0]:
            advance_one(game, ways, states, roots, after, kinds, shares, firsts, counts, values, best, plies, finished, went,
                        sources, wild, stray, noise)  # fmt: skip

    steps = {"count": count_each, "write": write_each, "show": show_each, "know": know_each, "choose": choose_each,
             "advance": advance_each}  # fmt: skip
    return {name: cuda.jit(step) for name, step in steps.items()}


def suitable(game: Any) -> Any:
    """The rules of a game, or one line that says what they lack."""
    need("td", game, players=2, sum="zero", information="perfect")
    rules = game.rules
    if not rules.plane_shape or "turn" not in (rules.layout.names or ()) or not game.traits.chance:
        raise Unsuitable(
            f"td on a GPU needs rules with chance, `planes` and a field `turn`; {game.name} lacks one: use --device cpu"
        )
    return rules


class Table:
    """Many games at once, and what all rolls and the best replies say of each of their positions."""

    THREADS = 128  # in a block of a GPU

    def __init__(self, torch: Any, game: Any, games: int, device: str = "cpu", seed: int = 0) -> None:
        rules = suitable(game)
        self.torch, self.game, self.games, self.device = torch, game, games, device
        self.shape, self.outputs = tuple(rules.plane_shape), int(rules.outcomes)
        self.low, self.high = (float(bound) for bound in game.traits.bounds)
        worth = np.array(rules.outcome_worth or (self.high - self.low, self.low), np.float32)
        flip = np.array(rules.outcome_flip, np.float32)
        self.worth, self.nothing = torch.from_numpy(worth[:-1].copy()).to(device), float(worth[-1])
        self.flip_of = torch.from_numpy(flip[:, 0].astype(np.int64)).to(device)
        self.flip_add, self.flip_times = (torch.from_numpy(flip[:, column].copy()).to(device) for column in (1, 2))
        rules.states(1)  # binds the methods
        self.layout, most = rules.layout, int(rules.most_actions)
        if device == "cuda":
            from outplay.engine import cuda as gpu

            self.steps, self.cuda = gpu_steps(rules), gpu.cuda
            torch.cuda.current_stream()
        else:
            self.steps = {"count": count_all, "write": write_all, "show": show_all, "know": know_all, "choose": choose_all,
                          "advance": advance_all}  # fmt: skip
            self.scratch = rules.states(2), np.zeros(most, np.int32), np.zeros(most)
        roots = rules.states(1)
        roots.view(np.uint8)[:] = np.frombuffer(game.start().state, np.uint8)
        self.roots, self.states = self.placed(roots), self.placed(np.repeat(roots, games))
        root: Any = roots[0].copy()
        self.ways = max(21, int(root.chances(np.zeros(most, np.int32), np.zeros(most)))) if game.start().player() < 0 else 21
        if self.ways > MOST_WAYS:
            raise Unsuitable(f"td on a GPU takes at most {MOST_WAYS} ways of chance; {game.name} has {self.ways}")
        with np.errstate(over="ignore"):
            sources = np.array([mix(u64(seed) + mix(u64(2 * at + 1))) for at in range(games)], np.uint64)
        self.sources = self.placed(sources)
        self.plies, self.finished, self.went = self.zeros(games), self.zeros(games), self.zeros(games) - 1
        self.shares, self.counts = self.zeros(games * self.ways, kind=torch.float32), self.zeros(games * self.ways)
        self.firsts, self.best = self.zeros(games * self.ways), self.zeros(games * self.ways)
        self.odds = (
            torch.from_numpy(races.table(game).astype(np.float32).ravel()).to(device) if hasattr(rules, "bear_off") else None
        )
        self.room = 0

    def zeros(self, *shape: int, kind: Any = None) -> Any:
        """A tensor of noughts, whole numbers unless told otherwise."""
        return self.torch.zeros(shape, dtype=kind or self.torch.int32, device=self.device)

    def placed(self, array: np.ndarray) -> Any:
        """An array where the kernels find it."""
        return self.cuda.to_device(array) if self.device == "cuda" else array

    def run(self, name: str, threads: int, *args: Any) -> None:
        """One step, for so many indices."""
        tensor = self.torch.Tensor
        if self.device == "cuda":
            given = [self.cuda.as_cuda_array(each) if isinstance(each, tensor) else each for each in args]
            self.steps[name][-(-threads // self.THREADS), self.THREADS](*given)
            return
        given = [each.numpy() if isinstance(each, tensor) else each for each in args]
        with np.errstate(over="ignore"):
            self.steps[name](*given, *(self.scratch if name in ("count", "write") else ()))

    def look(self, states: Any, movers: Any, rows: int, room: dict[str, Any]) -> None:
        """Show so many positions."""
        given = (room[name] for name in ("kinds", "others", "seen", "said"))
        self.run("show", rows, rows, states, movers, *given, self.low, self.high)

    def make_room(self, rows: int) -> None:
        """Memory for so many replies, and some more."""
        if rows <= self.room:
            return
        self.room = rows + rows // 4
        real = self.torch.float32
        self.after = self.placed(np.zeros(self.room, self.layout))
        self.movers = self.zeros(self.room)
        self.replies = self.shown(self.room)
        self.values = self.zeros(self.room, kind=real)

    def shown(self, rows: int) -> dict[str, Any]:
        """Memory for what is seen of so many positions."""
        real = self.torch.float32
        return {"kinds": self.zeros(rows), "others": self.zeros(rows), "seen": self.zeros(rows, *self.shape, kind=real),
                "said": self.zeros(rows, self.outputs, kind=real)}  # fmt: skip

    def judged(self, ask: Callable[[Any, Any], Any]) -> tuple[Any, Any]:
        """What each position of all games should be said to be, for who is on roll, and whether there is something to learn: at the
        start nobody is. `ask` turns inputs and the numbers of networks into the chances of the outcomes."""
        torch, many = self.torch, self.games * self.ways
        self.run("count", many, self.ways, self.states, self.shares, self.counts)
        ends = self.counts.cumsum(0)
        rows = int(ends[-1])
        self.firsts.copy_(ends - self.counts)
        self.make_room(rows)
        self.run("write", many, self.ways, self.states, self.firsts, self.counts, self.after, self.movers)
        self.look(self.after, self.movers, rows, self.replies)
        kinds, others = self.replies["kinds"][:rows], self.replies["others"][:rows]
        said = ask(self.replies["seen"][:rows].reshape(rows, -1), kinds)
        if self.odds is not None:  # who wins is known there; how likely gammons are stays the network's to say
            self.run("know", rows, rows, self.after, self.replies["kinds"], self.odds, self.values)
            known = self.values[:rows]
            said[:, 0] = torch.where(known >= 0, known, said[:, 0])
        self.said = said  # as who is on roll there sees it
        said = torch.where((others != 0)[:, None], said[:, self.flip_of] * self.flip_times + self.flip_add, said)
        said = torch.where((kinds == OVER)[:, None], self.replies["said"][:rows], said)
        self.values[:rows] = said @ self.worth + self.nothing
        self.run("choose", many, self.firsts, self.counts, self.values, self.best)
        best = self.best.clamp(0, max(rows - 1, 0)).long()
        wanted = (said[best] * self.shares[:, None]).reshape(self.games, self.ways, -1).sum(1)
        return wanted, self.plies > 0

    def move(self, wild: int, stray: float, noise: float) -> None:
        """Let each game go on by one of the rolls; so many of them are those that begin with random turns."""
        ways = self.shares, self.firsts, self.counts, self.values, self.best
        games = self.plies, self.finished, self.went, self.sources
        self.run("advance", self.games, self.ways, self.states, self.roots, self.after, self.replies["kinds"], *ways, *games,
                 wild, stray, noise)  # fmt: skip

    def followed(self) -> tuple[Any, Any, Any]:
        """Of each game: whether the best reply led to where it is, whether the other is on roll there, and what was said of it."""
        at = self.went.clamp(min=0).long()
        return self.went >= 0, self.replies["others"][at] != 0, self.said[at]

    def turned(self, differences: Any) -> Any:
        """How the other side sees differences between what was said and what should have been."""
        return differences[:, self.flip_of] * self.flip_times


def widened(weights: Weights, networks: int, inputs: int, hidden: int, seed: int) -> Weights:
    """The same networks with more inputs, which they ignore so far, and more hidden units, which so far have no say. New networks
    begin as the first, whose positions they are to judge."""
    weights = Weights(*(np.concatenate([each, *[each[:1]] * (networks - len(each))]) for each in weights))
    _, old_inputs, old_hidden = weights.first.shape
    if inputs < old_inputs or hidden < old_hidden:
        raise BadValue(f"a network of {old_inputs} inputs and {old_hidden} hidden units cannot shrink to {inputs} and {hidden}")
    source = np.random.default_rng(seed)
    first = np.zeros((networks, inputs, hidden), np.float32)
    first[:, :, old_hidden:] = source.normal(0.0, 0.3, (networks, inputs, hidden - old_hidden))
    first[:, :old_inputs, :old_hidden] = weights.first
    more = ((0, 0), (0, hidden - old_hidden))
    return Weights(first, np.pad(weights.first_bias, more), np.pad(weights.second, ((0, 0), *more)), weights.second_bias.copy())


class Run:
    """One run of learning by expected backups in its folder, begun or continued."""

    def __init__(self, folder: Path, settings: Settings, device: str, threads: int = 1,
                 changes: Mapping[str, Any] | None = None) -> None:  # fmt: skip
        torch = self.torch = torch_module()
        if device == "cpu":
            torch.set_num_threads(threads)
        torch.set_float32_matmul_precision("high")
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.device = folder, device
        self.settings = settings = settled(folder, settings, changes or {}, fixed=("hidden",))
        self.game = load(settings.game)
        rules = suitable(self.game)
        inputs, outputs = math.prod(rules.plane_shape), int(rules.outcomes)
        weights = Weights.random(int(rules.networks), inputs, settings.hidden, outputs, settings.seed)
        self.played, self.positions, self.seconds = 0, 0, 0.0
        self.begun_with = 0  # games of plain TD before
        file = folder / "network.td"
        if file.exists():
            of, weights, trained = read(file)
            if of != self.game.name or len(weights.first) > int(rules.networks) or weights.second.shape[1] != outputs:
                raise BadValue(f"{file} holds a network of {of}, which does not fit {self.game.name}")
            self.seconds = float(trained["seconds"]) if trained.get("recipe") == "td backups" else 0.0
            if self.seconds:
                self.played, self.positions = int(trained["games"]), int(trained["positions"])
            self.begun_with = int(trained.get("begun_with", trained.get("games", 0)))
            weights = widened(weights, int(rules.networks), inputs, settings.hidden, settings.seed)
        self.table = Table(torch, self.game, settings.games, device, settings.seed + self.positions)
        self.playing = [torch.from_numpy(array).to(device) for array in weights]
        self.learned = [tensor.clone().requires_grad_() for tensor in self.playing]
        self.adam = torch.optim.Adam(self.learned, lr=settings.rate, fused=device == "cuda")
        if (folder / "learner.pt").exists() and self.seconds:
            try:
                known = torch.load(folder / "learner.pt", map_location=device, weights_only=True)
                with torch.no_grad():
                    for tensor, old in zip(self.learned, known["learned"], strict=True):
                        tensor.copy_(old)
                self.adam.load_state_dict(known["adam"])
            except Exception:  # whatever torch says of a damaged file
                raise BadValue(f"{folder / 'learner.pt'} is damaged: remove it, and the run goes on from network.td") from None
        rows = settings.games * settings.kept
        self.ring = {"seen": torch.zeros((rows, inputs), dtype=torch.float16, device=device),
                     "wanted": torch.zeros((rows, outputs), device=device),
                     "kinds": torch.zeros(rows, dtype=torch.int32, device=device),
                     "follows": torch.zeros(rows, dtype=torch.bool, device=device),
                     "switched": torch.zeros(rows, dtype=torch.bool, device=device)}  # fmt: skip
        self.said = torch.zeros((settings.games, outputs), device=device)  # of where the games are
        self.turns = 0
        self.loss = 0.0

    def rate(self) -> float:
        """The learning rate now: it falls evenly on a logarithmic scale."""
        done = min(1.0, self.seconds / self.settings.total_seconds)
        return float(self.settings.rate * (self.settings.last_rate / self.settings.rate) ** done)

    def ask(self, seen: Any, kinds: Any) -> Any:
        """What the networks that play say. On a GPU a product of matrices rounds its factors to ten bits, which is many times as
        fast, but no sum: rounded sums would be noise in which reply is best."""
        torch = self.torch
        first, first_bias, second, second_bias = self.playing
        said = torch.empty((len(seen), second.shape[1]), device=self.device)
        pieces = 1 << 19
        for net in range(len(first)):
            rows = None if len(first) == 1 else torch.nonzero(kinds == net)[:, 0]
            for begin in range(0, len(seen) if rows is None else len(rows), pieces):
                part = slice(begin, begin + pieces) if rows is None else rows[begin : begin + pieces]
                units = torch.addmm(first_bias[net], seen[part].float(), first[net]).sigmoid_()
                said[part] = torch.addmm(second_bias[net], units, second[net].T).sigmoid_()
        return said

    def turn(self) -> None:
        """All games one turn further; what is to be learned of their positions is kept."""
        torch, table, settings = self.torch, self.table, self.settings
        with torch.no_grad():
            now = table.shown(settings.games)
            wanted, known = table.judged(self.ask)
            table.look(table.states, table.movers, settings.games, now)
            part = self.part(self.turns)
            self.ring["seen"][part] = now["seen"].reshape(settings.games, -1)
            self.ring["wanted"][part] = wanted
            self.ring["kinds"][part] = torch.where(known, now["kinds"], OVER)
            self.trace(wanted - self.said)
            table.move(int(settings.wild * settings.games), settings.stray, settings.noise)
            part = self.part(self.turns + 1)
            self.ring["follows"][part], self.ring["switched"][part], self.said = table.followed()
        self.turns += 1
        self.positions += settings.games

    def part(self, turn: int) -> slice:
        """Where a turn of all games is kept."""
        place = turn % self.settings.kept * self.settings.games
        return slice(place, place + self.settings.games)

    def trace(self, missed: Any) -> None:
        """Add what was missed to what the positions before should be said to be, as far back as best replies led here."""
        if not self.settings.trace:
            return
        for turn in range(self.turns, max(0, self.turns - min(TRACED, self.settings.kept - 2)), -1):
            follows, switched = (self.ring[name][self.part(turn)][:, None] for name in ("follows", "switched"))
            missed = self.settings.trace * follows * self.torch.where(switched, self.table.turned(missed), missed)
            self.ring["wanted"][self.part(turn - 1)] += missed

    def learn(self) -> None:
        """One step down the slope of the cross entropy between what the networks say and what they should say."""
        torch = self.torch
        filled = min(self.turns, self.settings.kept) * self.settings.games
        pick = torch.randint(0, filled, (self.settings.batch,), device=self.device)
        seen, wanted, kinds = (self.ring[name][pick] for name in ("seen", "wanted", "kinds"))
        first, first_bias, second, second_bias = self.learned
        loss = 0.0
        for net in range(len(first)):
            units = torch.sigmoid(seen.float() @ first[net] + first_bias[net])
            missed = torch.nn.functional.binary_cross_entropy_with_logits(
                units @ second[net].T + second_bias[net], wanted, reduction="none"
            )
            loss = loss + (missed.sum(1) * (kinds == net)).mean()
        for group in self.adam.param_groups:
            group["lr"] = self.rate()
        self.adam.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[attr-defined]  # a tensor by now
        self.adam.step()
        self.loss = loss.detach()  # type: ignore[attr-defined]  # the same
        with torch.no_grad():
            share = 1.0 - self.settings.average
            for tensor, new in zip(self.playing, self.learned, strict=True):
                tensor.lerp_(new, share)

    def save(self) -> None:
        """Write what is learned, and what a run that goes on needs."""
        torch = self.torch
        trained = {
            "recipe": "td backups",
            **asdict(self.settings),
            "at_once": self.settings.games,
            "games": self.played + int(self.table.finished.sum()),
            "positions": self.positions,
            "seconds": round(self.seconds, 1),
            "begun_with": self.begun_with,
        }
        part = self.folder / "learner.part"
        torch.save({"learned": [tensor.detach() for tensor in self.learned], "adam": self.adam.state_dict()}, part)
        part.replace(self.folder / "learner.pt")
        save(self.folder / "network.td", self.game.name, Weights(*(tensor.cpu().numpy() for tensor in self.playing)), trained)

    def work(
        self,
        seconds: float,
        tell: Callable[[dict[str, Any]], None] | None = None,
        stop: threading.Event | None = None,
        judge: Callable[[float], None] | None = None,
    ) -> dict[str, Any]:
        """Play and learn for so long; the last report is returned, and everything is saved."""
        before = self.positions
        watch = Watch(self, seconds, lambda: self._report(before, watch.now - watch.begun, tell), stop)
        try:
            while not watch.look():
                self.turn()
                if 2 * self.turns >= self.settings.kept:  # before, all games are in their openings
                    for _ in range(self.settings.steps):
                        self.learn()
        finally:
            self.save()
        report = self._report(before, time.perf_counter() - watch.begun, tell)
        if judge is not None:
            judge(self.seconds)
        return report

    def _report(self, before: int, seconds: float, tell: Callable[[dict[str, Any]], None] | None) -> dict[str, Any]:
        report = {
            "seconds": round(self.seconds, 1), "games": self.played + int(self.table.finished.sum()), "positions": self.positions,
            "rate": round(self.rate(), 7), "loss": round(float(self.loss), 5),
            "positions_per_second": round((self.positions - before) / max(seconds, 1e-9)),
        }  # fmt: skip
        append_line(self.folder / "log.jsonl", json.dumps(report))
        if tell is not None:
            tell(report)
        return report
