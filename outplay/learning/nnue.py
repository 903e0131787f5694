"""NNUE's way (Yu Nasu, 2018): a small network learns from positions of the engine's own games what its search finds out about them.

First the engine plays games against itself with the evaluation that the rules have, and keeps quiet positions (`positions`). Then a
network of one hidden layer (`outplay.evaluations.nnue`) learns to say at a glance what the search said of each, mixed
with how its game ended: what must be added to the evaluation of the rules (`added`), or all of it.
Rounded to whole numbers, it plays inside the same alpha-beta search: `net:RUN/network.nnue`.

Rules need what `outplay.evaluations.nnue` says: an `evaluation` with an `Nnue`, and the method `nnue_inputs`.

A run lives in a folder: `settings.json`, `positions.bin`, `games.bin`, `checkpoint.npz`, `log.jsonl`, `network.nnue`. It can be
killed at any moment and goes on from its last checkpoint, at most a minute old; a step of learning depends on its number and the
positions alone.
The slopes are found by a native kernel, six times as many positions a second as with torch (which the tests compare them to), or on
a GPU (`outplay.learning.nnue_cuda`).
"""

from __future__ import annotations

import io
import math
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from outplay import evaluations
from outplay.engine.pacing import at_work
from outplay.errors import BadValue, Unsuitable
from outplay.evaluations.nnue import MOST_HIDDEN, MOST_LAST, ONE, PART, SURE, UNSURE, Network
from outplay.files import refuse_bomb, write_whole
from outplay.game import CompiledGame, Game, need
from outplay.jit import f32, f64, i64, inlined, kernel, u64
from outplay.learning import run
from outplay.learning.positions import POSITIONS, SHARE, Generator, Positions
from outplay.learning.tuning import features, fit_pieces, steepness
from outplay.players.networks import judged_by

PIECE_GAMES = 16
"""Games of self-play between two looks at the clock: about half a second of chess."""
BLOCK, HELD_OUT = 1024, 32
"""One block of so many positions on end in every 32 is never learned from: the others would know its games."""
MOST_HELD_OUT = 1 << 16
"""Positions that the loss is measured on."""
FITTED, PLAIN = 200_000, 3000.0
"""Positions by which the steepness is found, how many points make a win likely; beyond so many it says nothing."""
MOST = 32767 / ONE / 64, MOST_LAST / PART, 100.0
"""No weight of the first layer is larger, then no sum of 64 of them leaves 16 bits; nor one of the last layer and behind it."""


@dataclass(frozen=True)
class Settings:
    """Everything that makes a run what it is; kept in its folder, and the same when the run goes on."""

    game: str
    hidden: int = 64  # units for each seat
    nodes: int = 600  # of the search that judges a position
    random_plies: int = 8  # that a game begins with, or one more
    keep: float = 1.0  # share of the quiet positions that is kept
    play_share: float = 0.7  # of the time, for games; the rest is for learning; 1: games alone
    added: int = 1  # 1: the network is added to the evaluation of the rules; 0: it takes its place
    tuned: int = 0  # positions by which the weights of that evaluation are fitted first; 0: they stay as they are
    trace: float = 0.85  # TD(lambda)'s lambda: how much later values of the game count, for each ply
    result_share: float = 0.1  # of the game's result, beside the search's values, in what a position is taught
    teacher: str = ""  # a network's file: its search plays and judges, and what is learned begins with what it knows
    points: float = 0.0  # of the search's value that make odds e times better; 0: as the results of the games say
    batch: int = 16384
    rate: float = 1e-3  # of learning, to begin with; it falls along a cosine
    epochs: float = 6.0  # passes over the positions, at most: with more, games are learned by heart; 0: as time allows
    total_seconds: float = 600.0
    seed: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.hidden <= MOST_HIDDEN:
            raise BadValue(f"hidden must be from 1 to {MOST_HIDDEN}, got {self.hidden}")


class Weights(NamedTuple):
    """A network while it learns, or anything that has a number for each of its weights: all 32-bit floats."""

    first: np.ndarray  # [inputs + 1, hidden]; the last row is added without any input
    last: np.ndarray  # [buckets, 2 * hidden]
    bias: np.ndarray  # [buckets]

    @classmethod
    def zeros(cls, inputs: int, hidden: int, buckets: int) -> Weights:
        """A zero for each weight."""
        shapes = (inputs + 1, hidden), (buckets, 2 * hidden), (buckets,)
        return cls(*(np.zeros(shape, np.float32) for shape in shapes))

    @classmethod
    def random(cls, inputs: int, hidden: int, buckets: int, seed: int) -> Weights:
        """Small numbers to begin with, the same last layer for all buckets."""
        source, made = np.random.default_rng(seed), cls.zeros(inputs, hidden, buckets)
        made.first[:] = source.uniform(-0.1, 0.1, made.first.shape)
        made.first[-1] = 0.1
        made.last[:] = source.uniform(-0.1, 0.1, 2 * hidden)
        return made


def quantized(weights: Weights, game: str, points: float, trained: Mapping[str, Any], *, added: bool = False,
              rules: np.ndarray | None = None) -> Network:
    """The network in whole numbers; `rules` are the weights of the evaluation that it is added to, where they are not its own."""
    first, last, bias = weights
    return Network(game, np.rint(ONE * first).astype(np.int16), np.rint(PART * last).astype(np.int16),
                   np.rint(ONE * PART * bias).astype(np.int32), round(points), added, dict(trained),
                   None if rules is None else rules.astype(np.float32))  # fmt: skip


@inlined
def judged(weights: Any, mine: Any, theirs: Any, bucket: Any, sums: Any) -> Any:
    """What the network says of one position, before the logistic curve; `sums` gets the sums of both seats."""
    first, last = weights.first, weights.last
    nothing, hidden = u64(first.shape[0] - 1), first.shape[1]
    for unit in range(hidden):
        sums[0, unit] = first[nothing, unit]
        sums[1, unit] = first[nothing, unit]
    for place in range(len(mine)):
        at = u64(mine[place])
        if at == nothing:
            break
        for unit in range(hidden):
            sums[0, unit] += first[at, unit]
    for place in range(len(theirs)):
        at = u64(theirs[place])
        if at == nothing:
            break
        for unit in range(hidden):
            sums[1, unit] += first[at, unit]
    total = weights.bias[bucket]
    for seat in range(2):
        for unit in range(hidden):
            value = min(max(sums[seat, unit], f32(0.0)), f32(1.0))
            total += value * value * last[bucket, seat * hidden + unit]
    return total


@kernel
def add_slopes(weights: Any, mine: Any, theirs: Any, buckets: Any, known: Any, shares: Any, wanted: Any, slopes: Any,
               sums: Any) -> Any:
    """Add to `slopes` how the squared errors of these positions change with each weight; returns the sum of the errors."""
    first, last = slopes.first, slopes.last
    nothing, hidden = u64(first.shape[0] - 1), first.shape[1]
    errors = 0.0
    for i in range(len(wanted)):
        bucket = buckets[i]
        total = known[i] + shares[i] * judged(weights, mine[i], theirs[i], bucket, sums)
        said = f32(1.0) / (f32(1.0) + f32(math.exp(-total)))
        miss = said - wanted[i]
        errors += f64(miss * miss)
        slope = f32(2.0) * miss * said * (f32(1.0) - said) * shares[i]
        slopes.bias[bucket] += slope
        for seat in range(2):  # `sums` turns into what each unit is to blame for
            for unit in range(hidden):
                value = min(max(sums[seat, unit], f32(0.0)), f32(1.0))
                last[bucket, seat * hidden + unit] += slope * value * value
                inside = value if value < f32(1.0) else f32(0.0)
                sums[seat, unit] = slope * f32(2.0) * inside * weights.last[bucket, seat * hidden + unit]
        for unit in range(hidden):
            first[nothing, unit] += sums[0, unit] + sums[1, unit]
        for place in range(mine.shape[1]):
            at = u64(mine[i, place])
            if at == nothing:
                break
            for unit in range(hidden):
                first[at, unit] += sums[0, unit]
        for place in range(theirs.shape[1]):
            at = u64(theirs[i, place])
            if at == nothing:
                break
            for unit in range(hidden):
                first[at, unit] += sums[1, unit]
    return errors


@kernel
def step_down(weights: Any, slopes: Any, means: Any, squares: Any, rate: Any, number: Any, most: Any) -> None:
    """One step of Adam (Kingma and Ba, 2014); weights stay within what whole numbers can hold, and the slopes are zero again."""
    first, second = f32(1.0 - 0.9**number), f32(1.0 - 0.999**number)
    for i in range(len(weights)):
        slope = slopes[i]
        slopes[i] = f32(0.0)
        means[i] += f32(0.1) * (slope - means[i])
        squares[i] += f32(0.001) * (slope * slope - squares[i])
        moved = weights[i] - rate * (means[i] / first) / (f32(math.sqrt(squares[i] / second)) + f32(1e-8))
        weights[i] = min(max(moved, -most), most)


@kernel
def _judge_all(weights: Any, mine: Any, theirs: Any, buckets: Any, sums: Any, out: Any) -> None:
    for i in range(len(out)):
        out[i] = judged(weights, mine[i], theirs[i], buckets[i], sums)


@kernel
def _see(states: Any, nothing: Any, mine: Any, theirs: Any, buckets: Any) -> None:
    """What both seats see of each state, that of the player to move first."""
    for i in range(len(states)):
        seat = states[i].player()
        for j in range(states[i].nnue_inputs(seat, mine[i]), mine.shape[1]):
            mine[i, j] = nothing
        for j in range(states[i].nnue_inputs(1 - seat, theirs[i]), theirs.shape[1]):
            theirs[i, j] = nothing
        buckets[i] = states[i].nnue_bucket()


@kernel
def _judge(states: Any, weights: Any, out: Any) -> None:
    """What the rules' own evaluation says, to the player to move."""
    for i in range(len(states)):
        out[i] = states[i].evaluate(states[i].player(), weights)


@kernel
def _trace(chances: Any, results: Any, plies: Any, seats: Any, trace: Any) -> None:
    """Each chance becomes that of TD(lambda): a mean of those from there to the game's end and of the result, later ones fading."""
    later: Any = 0.5  # what seat 0 may hope for
    for i in range(len(chances) - 1, -1, -1):
        gap = i64(plies[i + 1]) - i64(plies[i]) if i + 1 < len(chances) else i64(0)
        if gap <= 0:  # the last of its game
            later = results[i] if seats[i] == 0 else 1.0 - results[i]
            gap = i64(1)
        fading = trace**gap
        here = chances[i] if seats[i] == 0 else 1.0 - chances[i]
        later = (1.0 - fading) * here + fading * later
        chances[i] = later if seats[i] == 0 else 1.0 - later


def sigmoid(x: np.ndarray) -> np.ndarray:
    """The logistic curve."""
    return 1.0 / (1.0 + np.exp(-x))


class Seen(NamedTuple):
    """Positions as the network sees them, the value it should give each, and their states."""

    mine: np.ndarray  # [position, place]: the inputs that are set, then the number of inputs
    theirs: np.ndarray
    buckets: np.ndarray
    known: np.ndarray  # what the evaluation of the rules says, where the network is added to it
    shares: np.ndarray  # with which it is
    wanted: np.ndarray  # from 0 to 1
    states: np.ndarray


class Run(run.Run):
    """One run: games by a teacher, then learning from their positions."""

    recipe, file, limit = "nnue", "network.nnue", ",nodes=2000"
    Settings, fixed = Settings, ("hidden", "added")

    @classmethod
    def suits(cls, game: Game) -> None:
        """Refuse a game whose rules do not say what such a network sees."""
        need("nnue", game, players=2, sum="zero", information="perfect", chance=False)
        if evaluations.of(game).nnue is None:
            raise Unsuitable(f"nnue needs rules that say what such a network sees, as those of chess do; {game.name} does not")

    @classmethod
    def opponents(cls, game: CompiledGame) -> list[str]:
        """The evaluation that it learned from, by as many nodes."""
        return [f"engine:pvs{cls.limit}"]

    def begin(self) -> None:
        """The network, the positions of the games so far, and the teacher."""
        settings, folder, threads = self.settings, self.folder, self.threads
        self.rules: Any = self.game.rules
        about = evaluations.of(self.game).nnue
        assert about is not None  # `suits` has looked
        self.about = about
        self.positions = Positions(folder / POSITIONS, self.game)
        self.shape = shape = about.inputs, settings.hidden, about.buckets
        self.weights = Weights.random(*shape, settings.seed)
        if settings.added:  # nothing to begin with: as the rules have it
            self.weights.last[:] = 0
        self.teacher = Network.load(Path(settings.teacher)) if settings.teacher else None
        self.judge = self.game if self.teacher is None else judged_by(self.teacher, self.game)
        self.means, self.squares = Weights.zeros(*shape), Weights.zeros(*shape)
        self.slopes = [Weights.zeros(*shape) for _ in range(threads)]
        self.room = np.zeros((threads, 2, settings.hidden), np.float32)
        self.pool = ThreadPoolExecutor(threads)
        taught = None if self.teacher is None else self.teacher.weights
        self.own = np.array(self.game.default_weights()) if taught is None else taught.astype(float)  # of the rules' own evaluation
        self.updates, self.games, self.pieces, self.points = 0, 0, 0, 0.0
        self.loss = math.nan
        self.far: Any = None  # where a GPU learns
        self._resume()

    def _take_over(self) -> None:
        """Begin with what the teacher knows, where it is of the same kind and not wider."""
        hidden, known = self.settings.hidden, self.teacher
        if known is None or known.added != bool(self.settings.added) or known.shape[1] > hidden:
            return
        first, last, bias = self.weights
        scale, width = known.points / self.points, known.shape[1]
        first[:, :width], last[:] = known.first / ONE, 0
        for seat in range(2):
            last[:, seat * hidden : seat * hidden + width] = scale * known.last[:, seat * width : (seat + 1) * width] / PART
        bias[:] = scale * known.bias / (ONE * PART)

    # ---------------------------------------------------------------- checkpoints
    def _resume(self) -> None:
        file = self.folder / "checkpoint.npz"
        if not file.exists():
            return
        try:
            refuse_bomb(file, file.stat().st_size)
            with np.load(file) as held:
                for name in ("weights", "means", "squares"):
                    for part, array in getattr(self, name)._asdict().items():
                        array[:] = held[f"{name}.{part}"]
                self.seconds, self.points = float(held["seconds"]), float(held["points"])
                if "own" in held:
                    self.own[:] = held["own"]
                self.updates, self.games, self.pieces = (int(held[name]) for name in ("updates", "games", "pieces"))
        except Exception:  # whatever a damaged file raises
            raise BadValue(f"{file} is damaged: remove it to begin anew") from None

    def save(self) -> None:
        """Write the checkpoint and, once there is one, the network that plays: each aside and then renamed."""
        self._fetch()
        held = {name: getattr(self, name) for name in ("seconds", "updates", "games", "pieces", "points", "own")}
        for name in ("weights", "means", "squares"):
            held |= {f"{name}.{part}": array for part, array in getattr(self, name)._asdict().items()}
        content = io.BytesIO()
        np.savez(content, **held)
        write_whole(self.folder / "checkpoint.npz", content.getvalue())
        if self.updates:
            self.network().save(self.folder / self.file)

    def network(self) -> Network:
        """What is learned so far, in whole numbers."""
        told = self.told(games=self.games, positions=len(self.positions), updates=self.updates)
        is_same = np.array_equal(self.own, self.rules.weights)
        return quantized(self.weights, self.game.name, self.points, told, added=bool(self.settings.added),
                         rules=None if is_same else self.own)  # fmt: skip

    # ---------------------------------------------------------------- games
    def play(self, seconds: float) -> Iterator[None]:
        """Play games in several threads for so long, or until it is over; their positions are kept."""
        halt, lock = threading.Event(), threading.Lock()
        settings, until = self.settings, time.perf_counter() + seconds

        def go(number: int) -> None:
            seed = hash((settings.seed, number, self.pieces, len(self.positions))) & 0x7FFFFFFF
            source = Generator(self.judge, settings.nodes, settings.random_plies, settings.keep, seed)
            begun = self.games  # however short the time is, something is played
            while self.games == begun or not halt.is_set():
                played, some, steps = source.piece(PIECE_GAMES)
                with lock:
                    self.positions.add(some, steps)
                    self.games += played
                    self.pieces += 1

        yield from at_work(self.threads, go, halt, lambda: halt.is_set() or time.perf_counter() >= until or self.is_over)

    # ---------------------------------------------------------------- learning
    def prepare(self) -> None:
        """Look at all positions that there are: which to learn from, and how many points make a win likely."""
        self.all = self.positions.all()
        whole = np.arange(len(self.all))
        is_held = whole // BLOCK % HELD_OUT == HELD_OUT - 1
        self.learned, held = whole[~is_held], whole[is_held]
        self.points = self.points or self.settings.points
        if not self.points:
            some = self.all[self.learned[:: max(1, len(self.learned) // FITTED)]]
            values = np.clip(some["value"].astype(np.float64), -PLAIN, PLAIN)
            self.points = float(round(steepness(values, some["result"] / SHARE)))
        if not self.updates:
            self._take_over()
        self.wanted = self._wanted()
        if self.settings.tuned and not self.updates:
            self.own = self._fitted(self.settings.tuned)
        self.held = self.seen(held[:: -(-len(held) // MOST_HELD_OUT) or 1]) if len(held) else None
        self.far = None
        if self.device != "cpu":
            from outplay.learning.nnue_cuda import Learner

            self.far = Learner(self, self.device)

    def _fetch(self) -> None:
        """Bring back what was learned on a GPU."""
        if self.far is not None:
            self.loss = self.far.fetch()

    def _wanted(self) -> np.ndarray:
        """What the network should say of each position."""
        chances, results = sigmoid(self.all["value"] / max(self.points, 1.0)), self.all["result"] / SHARE
        _trace(chances, results, np.array(self.all["ply"]), np.array(self.all["seat"]), self.settings.trace)
        share = self.settings.result_share
        return np.asarray((1 - share) * chances + share * results, np.float32)

    def _fitted(self, count: int) -> np.ndarray:
        """The weights of the rules' own evaluation under which it says best what so many of the positions should be worth."""
        chosen = self.learned[:: -(-len(self.learned) // count)]
        some = np.asarray(self.all[chosen])
        with np.errstate(over="ignore"):
            pieces = [self.positions.states(piece) for piece in np.array_split(some, self.threads)]
            shares = np.concatenate(list(self.pool.map(lambda piece: features(self.game, piece), pieces)))
        shares *= np.where(some["seat"] == 0, 1.0, -1.0).astype(np.float32)[:, None]  # for the player to move
        return fit_pieces(shares, self.wanted[chosen], self.own, self.points, self.settings.seed)

    def seen(self, chosen: np.ndarray) -> Seen:
        """Stored positions as the network sees them, and what it should say."""
        some = np.asarray(self.all[chosen])
        about, states = self.about, self.positions.states(some)
        mine, theirs = (np.zeros((len(some), about.most), np.int32) for _ in range(2))
        buckets = np.zeros(len(some), np.int32)
        with np.errstate(over="ignore"):
            _see(states, about.inputs, mine, theirs, buckets)
            said = np.zeros(len(some))
            if self.settings.added:
                _judge(states, self.own, said)
        known = said / max(self.points, 1.0)
        shares = np.clip((SURE - np.abs(known)) / (SURE - UNSURE), 0.0, 1.0)  # as `outplay.evaluations.nnue` has it
        return Seen(mine, theirs, buckets, known.astype(np.float32), shares.astype(np.float32), self.wanted[chosen], states)

    def steps_wanted(self) -> float:
        """After how many the run has learned enough."""
        return self.settings.epochs * len(self.learned) / self.settings.batch or math.inf

    def rate(self) -> float:
        """The learning rate now: down along a cosine."""
        begin = self.settings.play_share * self.settings.total_seconds
        by_time = (self.seconds - begin) / max(1e-9, self.settings.total_seconds - begin)
        done = min(1.0, max(0.0, by_time, self.updates / self.steps_wanted()))
        return self.settings.rate * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * done)))

    def learn(self) -> None:
        """One step of the optimizer; which positions it is for, its number says."""
        if self.far is not None:
            self.far.step(self.settings.seed, self.updates, self.settings.batch, self.rate())
            self.updates += 1
            return
        source = np.random.default_rng((self.settings.seed, self.updates))
        size = min(self.settings.batch, len(self.learned))
        chosen = self.learned[np.sort(source.integers(len(self.learned), size=size))]
        parts = np.array_split(chosen, self.threads)

        def add(number: int) -> float:
            seen = self.seen(parts[number])
            return float(add_slopes(self.weights, *seen[:6], self.slopes[number], self.room[number]))

        spread = self.pool.map if self.threads > 1 else map  # a busy machine would let every handing over wait
        now = sum(spread(add, range(self.threads))) / size
        self.updates += 1
        for place, weights in enumerate(self.weights):
            slopes = self.slopes[0][place]
            for other in self.slopes[1:]:
                slopes += other[place]
                other[place][:] = 0
            slopes /= size
            flat = (each.reshape(-1) for each in (weights, slopes, self.means[place], self.squares[place]))
            step_down(*flat, np.float32(self.rate()), self.updates, np.float32(MOST[place]))
        self.loss = now if math.isnan(self.loss) else 0.98 * self.loss + 0.02 * now

    def losses(self) -> dict[str, float]:
        """The mean squared error on positions never learned from: of the network, and of the evaluation that the rules have."""
        if self.held is None:
            return {}
        seen, said, points = self.held, np.zeros(len(self.held.wanted)), np.zeros(len(self.held.wanted))
        with np.errstate(over="ignore"):
            _judge_all(self.weights, *seen[:3], self.room[0], said)
            _judge(seen.states, np.array(self.rules.weights), points)
        said = seen.known + seen.shares * said
        errors = {"held_out_loss": sigmoid(said) - seen.wanted, "loss_of_rules": sigmoid(points / self.points) - seen.wanted}
        return {name: round(float(np.mean(each**2)), 6) for name, each in errors.items()}

    # ---------------------------------------------------------------- both
    def get_ready(self) -> None:
        """Compile all kernels or load them from the cache, before the clock runs."""
        self.rules.bind()
        Generator(self.judge, 1, 0, 0.0, 0).piece(1)
        self.all, self.wanted = np.zeros(0, self.positions.packed), np.zeros(0, np.float32)
        seen = self.seen(np.zeros(0, np.int64))
        _trace(*(np.zeros(0) for _ in range(2)), *(np.zeros(0, np.uint8) for _ in range(2)), 0.0)
        add_slopes(self.weights, *seen[:6], self.slopes[0], self.room[0])
        step_down(*(np.zeros(0, np.float32) for _ in range(4)), np.float32(0), 1, np.float32(0))
        _judge_all(self.weights, *seen[:3], self.room[0], np.zeros(0))
        _judge(seen.states, np.array(self.rules.weights), np.zeros(0))

    def has_learned(self) -> bool:
        """Whether the network ever changed."""
        return self.updates > 0

    def steps(self) -> Iterator[None]:
        """First games, then learning from them; however short the time is, something is learned, but where all is for games."""
        settings = self.settings
        for_games = settings.play_share * settings.total_seconds - self.seconds
        if for_games > 0 or len(self.positions) == 0:
            yield from self.play(max(0.1, for_games))
        if not len(self.positions) or self.stop.is_set() or settings.play_share >= 1.0:
            return
        self.prepare()
        while (self.seconds < settings.total_seconds and self.updates < self.steps_wanted()) or not self.updates:
            self.learn()
            yield
            if self.is_over:
                break

    def standing(self) -> dict[str, Any]:
        """Games, positions, and how far the learning is."""
        made: dict[str, Any] = {"games": self.games, "positions": len(self.positions), "updates": self.updates}
        if self.updates:
            self._fetch()
            made |= {"rate": round(self.rate(), 6), "loss": round(self.loss, 6), **self.losses()}
        return made
