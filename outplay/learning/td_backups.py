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
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from outplay import evaluations
from outplay.compiling.gpu import cuda, gpu_kernel, layout_of, require
from outplay.engine.tables import races
from outplay.errors import BadValue, Unsuitable
from outplay.game import CompiledGame, need
from outplay.jit import below, f32, i32, inlined, kernel, mix, u64, uniform
from outplay.learning import run
from outplay.learning.td import result_of
from outplay.networks.td_nets import Weights, read, save

OVER, LONGEST = -1, 1000
"""In place of a network's number: the game is over there. And the plies after which a game is given up."""
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


class Played(NamedTuple):
    """The games that are played at once."""

    states: Any  # [game]
    plies: Any
    finished: Any  # how many came to an end in this place
    went: Any  # the reply that was taken where it was the best, else -1
    sources: Any  # of random numbers


class Rolls(NamedTuple):
    """The ways that chance may go from each game, all of the first game's before those of the second."""

    shares: Any  # how likely it is
    counts: Any  # how many replies there are
    firsts: Any  # the first of them
    best: Any  # and the best


class Replies(NamedTuple):
    """Where each reply to each roll leads."""

    states: Any  # [reply]
    movers: Any  # who made it
    kinds: Any  # the number of the network to be asked, or OVER
    others: Any  # whether the other side is on roll
    seen: Any  # [reply, planes ...]: what the network sees
    said: Any  # [reply, outcome]: of a game that is over, what came true for the mover
    values: Any  # what it is worth to who made it


# ---------------------------------------------------------------- one index's part of a step


@inlined
def count_one(at: Any, ways: Any, played: Any, rolls: Any, scratch: Any, out: Any, chances: Any) -> None:
    """How likely chance goes this way, and how many replies there are then."""
    scratch[0] = played.states[at // ways]
    rolls.shares[at], rolls.counts[at] = f32(0.0), 0
    if at % ways < scratch[0].chances(out, chances):
        rolls.shares[at] = f32(chances[at % ways])
        scratch[0].play(out[at % ways])
        rolls.counts[at] = scratch[0].actions(out)


@inlined
def write_one(at: Any, ways: Any, played: Any, rolls: Any, replies: Any, scratch: Any, out: Any, chances: Any) -> None:
    """Write down where each reply leads, and who made it."""
    if rolls.counts[at] > 0:
        scratch[0] = played.states[at // ways]
        scratch[0].chances(out, chances)
        scratch[0].play(out[at % ways])
        mover = scratch[0].player()
        count = scratch[0].actions(out)
        for index in range(count):
            scratch[1] = scratch[0]
            scratch[1].play(out[index])
            replies.states[rolls.firsts[at] + index] = scratch[1]
            replies.movers[rolls.firsts[at] + index] = mover


@inlined
def show_one(at: Any, replies: Any, low: Any, high: Any) -> None:
    """What a network sees of a position, and which of them is to be asked; of a game that is over, what came true for the mover."""
    states, movers = replies.states, replies.movers
    seat = i32(states[at].turn)
    replies.others[at] = 1 if seat != movers[at] else 0
    if states[at].is_terminal():
        replies.kinds[at], replies.others[at] = OVER, 0
        result_of(states[at : at + 1], i32(movers[at]), low, high, replies.said[at])
    else:
        replies.kinds[at] = states[at].network()
        states[at].planes(seat, replies.seen[at])


@inlined
def know_one(at: Any, replies: Any, odds: Any) -> None:
    """Who wins a race that the table knows, as who is on roll sees it; below 0 elsewhere."""
    replies.values[at] = f32(-1.0)
    if replies.kinds[at] > 0:
        replies.values[at] = f32(replies.states[at].bear_off(odds, 0, i32(replies.states[at].turn)))


@inlined
def choose_one(at: Any, rolls: Any, values: Any) -> None:
    """The reply that is worth most to who makes it."""
    first = rolls.firsts[at]
    rolls.best[at] = first
    for row in range(first + 1, first + rolls.counts[at]):
        if values[row] > values[rolls.best[at]]:
            rolls.best[at] = row


@inlined
def advance_one(game: Any, ways: Any, played: Any, rolls: Any, replies: Any, roots: Any, wild: Any, stray: Any, noise: Any) -> None:
    """Draw one of the ways and go on there, most often by the best reply, whose row is kept; begin anew where a game is over."""
    source, plies = played.sources[game : game + 1], played.plies
    rest = uniform(source)
    at = game * ways
    while at < game * ways + ways - 1 and rest >= rolls.shares[at]:
        rest -= rolls.shares[at]
        at += 1
    while rolls.counts[at] == 0:  # the shares' last digits
        at -= 1
    row, first, count = rolls.best[at], rolls.firsts[at], rolls.counts[at]
    if game < wild and plies[game] < WILD_TURNS:
        row = first + below(source, count)
    elif uniform(source) < stray:  # Gumbel noise: the better it looks, the likelier it is played
        highest = -1e30
        for index in range(first, first + count):
            value = replies.values[index] - noise * math.log(-math.log(max(1e-12, min(uniform(source), 1.0 - 1e-12))))
            if value > highest:
                row, highest = index, value
    played.went[game] = row if row == rolls.best[at] else -1
    if replies.kinds[row] == OVER or plies[game] >= LONGEST:
        played.went[game] = -1
        played.states[game] = roots[0]
        plies[game] = 0
        played.finished[game] += 1
    else:
        played.states[game] = replies.states[row]
        plies[game] += 1


# ---------------------------------------------------------------- the same for all, on the processor


@kernel
def count_all(ways: Any, played: Any, rolls: Any, scratch: Any, out: Any, chances: Any) -> None:
    """All ways of all games."""
    for at in range(len(rolls.counts)):
        count_one(at, ways, played, rolls, scratch, out, chances)


@kernel
def write_all(ways: Any, played: Any, rolls: Any, replies: Any, scratch: Any, out: Any, chances: Any) -> None:
    """All replies."""
    for at in range(len(rolls.counts)):
        write_one(at, ways, played, rolls, replies, scratch, out, chances)


@kernel
def show_all(rows: Any, replies: Any, low: Any, high: Any) -> None:
    """All positions."""
    for at in range(rows):
        show_one(at, replies, low, high)


@kernel
def know_all(rows: Any, replies: Any, odds: Any) -> None:
    """All positions."""
    for at in range(rows):
        know_one(at, replies, odds)


@kernel
def choose_all(rolls: Any, values: Any) -> None:
    """All ways of all games."""
    for at in range(len(rolls.counts)):
        choose_one(at, rolls, values)


@kernel
def advance_all(ways: Any, played: Any, rolls: Any, replies: Any, roots: Any, wild: Any, stray: Any, noise: Any) -> None:
    """All games."""
    for game in range(len(played.states)):
        advance_one(game, ways, played, rolls, replies, roots, wild, stray, noise)


@functools.cache
def gpu_steps(rules: Any) -> dict[str, Any]:
    """The same steps as kernels of a GPU."""
    layout = layout_of(rules)
    most = int(rules.most_actions)
    int32, float64, most_ways = np.int32, np.float64, MOST_WAYS

    def count_each(ways: Any, played: Any, rolls: Any) -> None:
        at = cuda.grid(1)
        if at < rolls.counts.shape[0]:
            scratch, out, chances = cuda.local.array(1, layout), cuda.local.array(most, int32), cuda.local.array(most_ways, float64)
            count_one(at, ways, played, rolls, scratch, out, chances)

    def write_each(ways: Any, played: Any, rolls: Any, replies: Any) -> None:
        at = cuda.grid(1)
        if at < rolls.counts.shape[0]:
            scratch, out, chances = cuda.local.array(2, layout), cuda.local.array(most, int32), cuda.local.array(most_ways, float64)
            write_one(at, ways, played, rolls, replies, scratch, out, chances)

    def show_each(rows: Any, replies: Any, low: Any, high: Any) -> None:
        at = cuda.grid(1)
        if at < rows:
            show_one(at, replies, low, high)

    def know_each(rows: Any, replies: Any, odds: Any) -> None:
        at = cuda.grid(1)
        if at < rows:
            know_one(at, replies, odds)

    def choose_each(rolls: Any, values: Any) -> None:
        at = cuda.grid(1)
        if at < rolls.counts.shape[0]:
            choose_one(at, rolls, values)

    def advance_each(ways: Any, played: Any, rolls: Any, replies: Any, roots: Any, wild: Any, stray: Any, noise: Any) -> None:
        game = cuda.grid(1)
        if game < played.states.shape[0]:
            advance_one(game, ways, played, rolls, replies, roots, wild, stray, noise)

    steps = {"count": count_each, "write": write_each, "show": show_each, "know": know_each, "choose": choose_each,
             "advance": advance_each}  # fmt: skip
    return {name: gpu_kernel(step) for name, step in steps.items()}


def suitable(game: CompiledGame) -> Any:
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
        told = evaluations.of(rules).outcomes
        self.shape, self.outputs = tuple(rules.plane_shape), told.count
        self.low, self.high = (float(bound) for bound in game.traits.bounds)
        worth, flip = told.worth_within(self.low, self.high).astype(np.float32), np.array(told.flip, np.float32)
        self.worth, self.nothing = torch.from_numpy(worth[:-1].copy()).to(device), float(worth[-1])
        self.flip_of = torch.from_numpy(flip[:, 0].astype(np.int64)).to(device)
        self.flip_add, self.flip_times = (torch.from_numpy(flip[:, column].copy()).to(device) for column in (1, 2))
        rules.bind()
        self.layout, most = rules.layout, int(rules.most_actions)
        if device == "cuda":
            require()
            self.steps = gpu_steps(rules)
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
        many, real = games * self.ways, torch.float32
        self.played = Played(self.states, self.zeros(games), self.zeros(games), self.zeros(games) - 1, self.placed(sources))
        self.rolls = Rolls(self.zeros(many, kind=real), self.zeros(many), self.zeros(many), self.zeros(many))
        self.odds = (
            torch.from_numpy(races.table(game).astype(np.float32).ravel()).to(device) if hasattr(rules, "bear_off") else None
        )
        self.room = 0

    def zeros(self, *shape: int, kind: Any = None) -> Any:
        """A tensor of noughts, whole numbers unless told otherwise."""
        return self.torch.zeros(shape, dtype=kind or self.torch.int32, device=self.device)

    def placed(self, array: np.ndarray) -> Any:
        """An array where the kernels find it."""
        return cuda.to_device(array) if self.device == "cuda" else array

    def run(self, name: str, threads: int, *args: Any) -> None:
        """One step, for so many indices."""
        given = [self.array(each) for each in args]
        if self.device == "cuda":
            self.steps[name][-(-threads // self.THREADS), self.THREADS](*given)
            return
        with np.errstate(over="ignore"):
            self.steps[name](*given, *(self.scratch if name in ("count", "write") else ()))

    def array(self, thing: Any) -> Any:
        """A tensor, or each of several, as the kernels take it."""
        if isinstance(thing, tuple):
            return type(thing)(*(self.array(each) for each in thing))
        if isinstance(thing, self.torch.Tensor):
            return cuda.as_cuda_array(thing) if self.device == "cuda" else thing.numpy()
        return thing

    def make_room(self, rows: int) -> None:
        """Memory for so many replies, and some more."""
        if rows <= self.room:
            return
        self.room = rows + rows // 4
        self.replies = self.shown(self.placed(np.zeros(self.room, self.layout)))

    def shown(self, states: Any) -> Replies:
        """Memory for what is seen of positions."""
        rows, real = len(states), self.torch.float32
        return Replies(states, self.zeros(rows), self.zeros(rows), self.zeros(rows), self.zeros(rows, *self.shape, kind=real),
                       self.zeros(rows, self.outputs, kind=real), self.zeros(rows, kind=real))  # fmt: skip

    def judged(self, ask: Callable[[Any, Any], Any]) -> tuple[Any, Any]:
        """What each position of all games should be said to be, for who is on roll, and whether there is something to learn: at the
        start nobody is. `ask` turns inputs and the numbers of networks into the chances of the outcomes."""
        torch, many, played, rolls = self.torch, self.games * self.ways, self.played, self.rolls
        self.run("count", many, self.ways, played, rolls)
        ends = rolls.counts.cumsum(0)
        rows = int(ends[-1])
        rolls.firsts.copy_(ends - rolls.counts)
        self.make_room(rows)
        replies = self.replies
        self.run("write", many, self.ways, played, rolls, replies)
        self.run("show", rows, rows, replies, self.low, self.high)
        kinds, others = replies.kinds[:rows], replies.others[:rows]
        said = ask(replies.seen[:rows].reshape(rows, -1), kinds)
        if self.odds is not None:  # who wins is known there; how likely gammons are stays the network's to say
            self.run("know", rows, rows, replies, self.odds)
            known = replies.values[:rows]
            said[:, 0] = torch.where(known >= 0, known, said[:, 0])
        self.said = said  # as who is on roll there sees it
        said = torch.where((others != 0)[:, None], said[:, self.flip_of] * self.flip_times + self.flip_add, said)
        said = torch.where((kinds == OVER)[:, None], replies.said[:rows], said)
        replies.values[:rows] = said @ self.worth + self.nothing
        self.run("choose", many, rolls, replies.values)
        best = rolls.best.clamp(0, max(rows - 1, 0)).long()
        wanted = (said[best] * rolls.shares[:, None]).reshape(self.games, self.ways, -1).sum(1)
        return wanted, played.plies > 0

    def move(self, wild: int, stray: float, noise: float) -> None:
        """Let each game go on by one of the rolls; so many of them are those that begin with random turns."""
        self.run("advance", self.games, self.ways, self.played, self.rolls, self.replies, self.roots, wild, stray, noise)

    def followed(self) -> tuple[Any, Any, Any]:
        """Of each game: whether the best reply led to where it is, whether the other is on roll there, and what was said of it."""
        at = self.played.went.clamp(min=0).long()
        return self.played.went >= 0, self.replies.others[at] != 0, self.said[at]

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


class Run(run.Run):
    """One run of learning by expected backups."""

    recipe, file = "td backups", "network.td"
    Settings, fixed = Settings, ("hidden",)

    @classmethod
    def suits(cls, game: Any) -> None:
        """Refuse a game without chance, planes or a field that says whose turn it is."""
        run.torch_module()
        suitable(game)

    def begin(self) -> None:
        """The games and the network, from its file where there is one."""
        torch = self.torch = run.torch_module()
        if self.device == "cpu":
            torch.set_num_threads(self.threads)
        torch.set_float32_matmul_precision("high")
        settings, device, rules, file = self.settings, self.device, self.game.rules, self.folder / self.file
        inputs, told = math.prod(rules.plane_shape), evaluations.of(rules).outcomes
        weights = Weights.random(told.networks, inputs, settings.hidden, told.count, settings.seed)
        self.played, self.positions = 0, 0
        self.begun_with = 0  # games of plain TD before
        if file.exists():
            of, weights, trained = read(file)
            if of != self.game.name or len(weights.first) > told.networks or weights.second.shape[1] != told.count:
                raise BadValue(f"{file} holds a network of {of}, which does not fit {self.game.name}")
            self.seconds = float(trained["seconds"]) if trained.get("recipe") == self.recipe else 0.0
            if self.seconds:
                self.played, self.positions = int(trained["games"]), int(trained["positions"])
            self.begun_with = int(trained.get("begun_with", trained.get("games", 0)))
            weights = widened(weights, told.networks, inputs, settings.hidden, settings.seed)
        self.table = Table(torch, self.game, settings.games, device, settings.seed + self.positions)
        self.playing = [torch.from_numpy(array).to(device) for array in weights]
        self.learned = [tensor.clone().requires_grad_() for tensor in self.playing]
        self.adam = torch.optim.Adam(self.learned, lr=settings.rate, fused=device == "cuda")
        learner = self.folder / "learner.pt"
        if learner.exists() and self.seconds:
            try:
                known = torch.load(learner, map_location=device, weights_only=True)
                with torch.no_grad():
                    for tensor, old in zip(self.learned, known["learned"], strict=True):
                        tensor.copy_(old)
                self.adam.load_state_dict(known["adam"])
            except Exception:  # whatever torch says of a damaged file
                raise BadValue(f"{learner} is damaged: remove it, and the run goes on from network.td") from None
        rows = settings.games * settings.kept
        self.ring = {"seen": torch.zeros((rows, inputs), dtype=torch.float16, device=device),
                     "wanted": torch.zeros((rows, told.count), device=device),
                     "kinds": torch.zeros(rows, dtype=torch.int32, device=device),
                     "follows": torch.zeros(rows, dtype=torch.bool, device=device),
                     "switched": torch.zeros(rows, dtype=torch.bool, device=device)}  # fmt: skip
        self.said = torch.zeros((settings.games, told.count), device=device)  # of where the games are
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
            now = table.shown(table.states)
            wanted, known = table.judged(self.ask)
            table.run("show", settings.games, settings.games, now, table.low, table.high)
            part = self.part(self.turns)
            self.ring["seen"][part] = now.seen.reshape(settings.games, -1)
            self.ring["wanted"][part] = wanted
            self.ring["kinds"][part] = torch.where(known, now.kinds, OVER)
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
        trained = self.told(at_once=self.settings.games, games=self.games_played(), positions=self.positions,
                            begun_with=self.begun_with, seconds=round(self.seconds, 1))
        part = self.folder / "learner.part"
        torch.save({"learned": [tensor.detach() for tensor in self.learned], "adam": self.adam.state_dict()}, part)
        part.replace(self.folder / "learner.pt")
        save(self.folder / self.file, self.game.name, Weights(*(tensor.cpu().numpy() for tensor in self.playing)), trained)

    def games_played(self) -> int:
        """Of the whole run."""
        return self.played + int(self.table.played.finished.sum())

    def get_ready(self) -> None:
        """Where this time begins."""
        self.at_first = self.positions

    def steps(self) -> Iterator[None]:
        """All games a turn further, and steps of the optimizer."""
        while not self.is_over:
            self.turn()
            if 2 * self.turns >= self.settings.kept:  # before, all games are in their openings
                for _ in range(self.settings.steps):
                    self.learn()
            yield

    def standing(self) -> dict[str, Any]:
        """Games, positions, the loss, and how fast."""
        return {
            "games": self.games_played(), "positions": self.positions, "rate": round(self.rate(), 7),
            "loss": round(float(self.loss), 5), "positions_per_second": self.per_second(self.positions - self.at_first),
        }  # fmt: skip
