"""TD-Gammon's way (Gerald Tesauro, 1992): a small network learns what a position is worth from what it says of the next one.

After every move the network's judgement of the position before is pulled towards its own judgement of the position after; at the
end of the game, towards what really happened. That is temporal-difference learning (Richard Sutton, 1988), TD(0) here. The network
plays both sides of its games and picks the move after which it thinks best of its position. Dice see to it that everything is
tried; a game without chance gets a share of random moves.

Rules need `planes` (any shape: the inputs), two players, zero-sum. Three class attributes and a method say more, where one number
for a position is too little: in backgammon, `outcomes = 5` for the chances of winning, of winning and losing a gammon, and a
backgammon; `outcome(seat, out)` says which of them came true in a finished game; the evaluation's `Outcomes` what each is worth in
points (the last number: nothing came true), and how the other side sees them. Its `networks` and `network()` split
positions between several networks, such as one for the race once contact is over.

Several threads learn each into weights of its own for a few games, and then put together what they learned: its sum while the steps
are small, and no less than its average while they are large. (Learning all into the same weights at once, without waiting, is less
to write, but the processors then pass the same memory back and forth: thirteen threads played three times as many games as one.)
The loop is one kernel, cut into slices; it stops at once, and a checkpoint holds all there is.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from outplay import evaluations
from outplay.engine.pacing import at_work
from outplay.errors import BadValue, Unsuitable
from outplay.game import Game, need
from outplay.jit import below, f32, f64, i32, inlined, kernel, random_source, uniform
from outplay.learning import run
from outplay.networks.td_nets import Weights, read, save
from outplay.values import CHANCE

SLICE_GAMES = 20
"""Games between two looks at the clock: a few hundredths of a second."""
SHARED_GAMES = 4
"""Games that one of several threads plays before it puts what it learned together with the others."""
STEADY = 0.02
"""The rates of all threads together may add up to this; beyond it their steps are scaled down, at most to their average."""
LONGEST = 4000
"""Plies after which a game is given up: whoever has learned nothing may walk in circles."""


@dataclass(frozen=True)
class Settings:
    """Everything that makes a run what it is; kept in its folder, and the same when the run goes on."""

    game: str
    hidden: int = 80
    rate: float = 0.1  # of learning, at the beginning
    last_rate: float = 0.005  # and when `total_games` are played
    total_games: int = 1_000_000
    stray: float = 0.0  # share of random moves, for games without dice
    seed: int = 0


class Points(NamedTuple):
    """What the ends of games are worth."""

    low: float  # the least and the most that a seat can get
    high: float
    worth: np.ndarray  # [outcome], and last that of none having come true
    flip: np.ndarray  # [outcome, 3]: how the other side sees it: of which outcome, what is added, how many times


class Room(NamedTuple):
    """The memory that one thread plays and learns in."""

    roots: np.ndarray  # where games begin
    states: np.ndarray  # [now, best after]
    tried: np.ndarray  # after the move tried
    past: np.ndarray  # after the last move: the judgement that learns
    actions: np.ndarray
    probabilities: np.ndarray
    source: np.ndarray  # of luck
    shown: np.ndarray  # [3, ...]: what `planes` fills for the move tried, the one before, and the first of those tried
    seen: np.ndarray  # [3, input]: the same memory, each as one row of inputs
    active: np.ndarray  # [2, ...]: the inputs that differ from the first's, and those of the one before that are not zero
    hidden: np.ndarray  # [3, unit]: sums, then what the units say; of the first of those tried the sums stay
    said: np.ndarray  # [2, outcome]: of the move tried and of the one before
    best_said: np.ndarray  # [outcome]: of the best move so far
    wanted: np.ndarray  # [outcome]: what should have been said
    blame: np.ndarray  # [unit]: its share in the miss


@inlined
def squash(x: Any) -> Any:
    """The logistic curve, to six digits, in multiplications that a processor does for several units at once.

    e to the power -x is the 64th power of the beginning of the series of y = -x / 64; right for |x| below 200, and a hidden
    unit's sum stays below 50.
    """
    y = x * f32(-1.0 / 64.0)
    power = f32(1.0) + y * (
        f32(1.0) + y * (f32(1.0 / 2.0) + y * (f32(1.0 / 6.0) + y * (f32(1.0 / 24.0) + y * f32(1.0 / 120.0))))
    )
    power *= power
    power *= power
    power *= power
    power *= power
    power *= power
    power *= power
    return f32(1.0) / (f32(1.0) + power)


@inlined
def forward(net: Any, weights: Any, seen: Any, active: Any, hidden: Any, said: Any) -> Any:
    """What a network says of its inputs, written to `said`; `active` gets the inputs that are not zero, whose number is
    returned."""
    first, first_bias = weights.first, weights.first_bias
    count = 0
    for index in range(len(seen)):
        if seen[index] != f32(0.0):
            active[count] = index
            count += 1
    for unit in range(first_bias.shape[1]):
        hidden[unit] = first_bias[net, unit]
    for place in range(count):
        index = active[place]
        value = seen[index]
        for unit in range(first_bias.shape[1]):
            hidden[unit] += value * first[net, index, unit]
    conclude(net, weights.second, weights.second_bias, hidden, said)
    return count


@inlined
def conclude(net: Any, second: Any, second_bias: Any, hidden: Any, said: Any) -> None:
    """From the sums of the hidden units to what they say and to the outputs."""
    units, outputs = second.shape[2], second_bias.shape[1]
    for unit in range(units):
        hidden[unit] = squash(hidden[unit])
    for output in range(outputs):  # in four sums, none of which has to wait for the others
        total, one, two, three = second_bias[net, output], f32(0.0), f32(0.0), f32(0.0)
        for unit in range(0, units - 3, 4):
            total += second[net, output, unit] * hidden[unit]
            one += second[net, output, unit + 1] * hidden[unit + 1]
            two += second[net, output, unit + 2] * hidden[unit + 2]
            three += second[net, output, unit + 3] * hidden[unit + 3]
        for unit in range(units - units % 4, units):
            total += second[net, output, unit] * hidden[unit]
        said[output] = squash(total + one + (two + three))


@inlined
def forward_from(base: Any, base_sums: Any, net: Any, weights: Any, seen: Any, active: Any, hidden: Any, said: Any) -> None:
    """The same for inputs that are nearly those of `base`, whose sums are known: only what differs is added."""
    first = weights.first
    count = 0
    for index in range(len(seen)):
        if seen[index] != base[index]:
            active[count] = index
            count += 1
    for unit in range(len(base_sums)):
        hidden[unit] = base_sums[unit]
    for place in range(count):
        index = active[place]
        value = seen[index] - base[index]
        for unit in range(len(base_sums)):
            hidden[unit] += value * first[net, index, unit]
    conclude(net, weights.second, weights.second_bias, hidden, said)


@inlined
def remember(net: Any, weights: Any, seen: Any, base: Any, base_sums: Any) -> None:
    """Keep inputs and their sums as the base of those that follow."""
    first, first_bias = weights.first, weights.first_bias
    for unit in range(len(base_sums)):
        base_sums[unit] = first_bias[net, unit]
    for index in range(len(seen)):
        value = seen[index]
        base[index] = value
        if value != f32(0.0):
            for unit in range(len(base_sums)):
                base_sums[unit] += value * first[net, index, unit]


@inlined
def learn(
    net: Any, weights: Any, rate: Any, seen: Any, active: Any, count: Any, hidden: Any, said: Any, wanted: Any, blame: Any
) -> None:
    """One step down the slope of the cross entropy between what a network said and what it should have said."""
    first, first_bias, second, second_bias = weights.first, weights.first_bias, weights.second, weights.second_bias
    units, outputs = first_bias.shape[1], second_bias.shape[1]
    for unit in range(units):
        blame[unit] = f32(0.0)
    for output in range(outputs):
        miss = rate * (wanted[output] - said[output])
        for unit in range(units):
            blame[unit] += miss * second[net, output, unit]
            second[net, output, unit] += miss * hidden[unit]
        second_bias[net, output] += miss
    for unit in range(units):
        blame[unit] *= hidden[unit] * (f32(1.0) - hidden[unit])
        first_bias[net, unit] += blame[unit]
    for place in range(count):
        index = active[place]
        value = seen[index]
        for unit in range(units):
            first[net, index, unit] += value * blame[unit]


@inlined
def worth_of(said: Any, worth: Any) -> Any:
    """What the outcomes' chances are worth together, in the game's points."""
    total = worth[len(worth) - 1]
    for output in range(len(worth) - 1):
        total += worth[output] * said[output]
    return total


@inlined
def turned(said: Any, flip: Any, out: Any) -> None:
    """The same chances as the other side sees them."""
    for output in range(flip.shape[0]):
        out[output] = flip[output, 1] + flip[output, 2] * said[i32(flip[output, 0])]


@inlined
def settle(states: Any, actions: Any, probabilities: Any, source: Any) -> None:
    """Let chance have its moves."""
    while states[0].player() == CHANCE:
        count = states[0].chances(actions, probabilities)
        if count == 0:
            return
        rest = uniform(source)
        pick = 0
        while pick < count - 1 and rest >= probabilities[pick]:
            rest -= probabilities[pick]
            pick += 1
        states[0].play(actions[pick])


@inlined
def result_of(states: Any, seat: Any, low: Any, high: Any, out: Any) -> None:
    """The outcomes of a finished game for a seat, each between 0 and 1."""
    if states[0].offers_outcome():
        for output in range(len(out)):
            out[output] = f32(0.0)
        states[0].outcome(seat, out)
    else:
        out[0] = f32((f64(states[0].utility(seat)) - low) / (high - low))


@kernel
def self_play(points: Any, weights: Any, room: Any, games: Any, rate: Any, stray: Any) -> Any:
    """Play games against oneself and learn from each move; returns how many plies.

    The first of the moves tried is judged from all its inputs, the others from where theirs differ.
    """
    roots, states, tried, past = room.roots, room.states, room.tried, room.past
    actions, probabilities, source = room.actions, room.probabilities, room.source
    shown, seen, active, hidden = room.shown, room.seen, room.active, room.hidden
    said, best_said, wanted, worth = room.said, room.best_said, room.wanted, points.worth
    plies = 0
    for _ in range(games):
        states[0] = roots[0]
        settle(states, actions, probabilities, source)
        has_past = False
        for _ in range(LONGEST):
            plies += 1
            mover = states[0].player()
            count = states[0].actions(actions)
            random_one = stray > 0.0 and uniform(source) < stray
            pick = below(source, count) if random_one else -1
            highest = f64(-1e300)
            over = False
            based = -1  # which network has judged the first of the moves: the others differ from it by a few checkers
            for index in range(count):
                if random_one and index != pick:
                    continue
                tried[0] = states[0]
                tried[0].play(actions[index])
                ended = tried[0].is_terminal() if tried[0].offers_is_terminal() else False
                if ended:
                    value = f64(tried[0].utility(mover))
                else:
                    seat = i32(tried[0].turn)
                    net = tried[0].network()
                    tried[0].planes(seat, shown[0])
                    if based != 2 * net + seat:
                        based = 2 * net + seat
                        remember(net, weights, seen[0], seen[2], hidden[2])
                    forward_from(seen[2], hidden[2], net, weights, seen[0], active[0], hidden[0], said[0])
                    value = f64(worth_of(said[0], worth))
                    if seat != mover:
                        value = -value
                if value > highest:
                    highest = value
                    states[1] = tried[0]
                    over = ended
                    if not ended:
                        for output in range(len(worth) - 1):
                            best_said[output] = said[0][output]
            # The judgement before this move is pulled towards the one after it, both as the mover sees them.
            tried[0] = states[1]
            if over:
                result_of(tried, mover, points.low, points.high, wanted)
            elif i32(states[1].turn) != mover:
                turned(best_said, points.flip, wanted)
            else:
                for output in range(len(worth) - 1):
                    wanted[output] = best_said[output]
            if has_past and not random_one:
                past[0].planes(mover, shown[1])
                net = past[0].network()
                active_count = forward(net, weights, seen[1], active[1], hidden[1], said[1])
                learn(net, weights, rate, seen[1], active[1], active_count, hidden[1], said[1], wanted, room.blame)
            if over:
                break
            states[0] = states[1]
            past[0] = states[1]
            has_past = True
            settle(states, actions, probabilities, source)
    return plies


@kernel
def put_together(share: Any, all_weights: Any, own: Any, before: Any) -> None:
    """Add a share of what a thread learned since `before` to everybody's weights, and go on from those."""
    for index in range(len(own)):
        all_weights[index] += share * (own[index] - before[index])
        own[index] = all_weights[index]
        before[index] = all_weights[index]


class Run(run.Run):
    """One run of learning by temporal differences."""

    recipe, file, spreads = "td", "network.td", True
    Settings, fixed = Settings, ("hidden",)

    @classmethod
    def suits(cls, game: Game) -> None:
        """Refuse a game without planes, without a field that says whose turn it is, or of other than two players."""
        need("td", game, players=2, sum="zero", information="perfect")
        if not game.rules.plane_shape or "turn" not in (game.rules.layout.names or ()):
            raise Unsuitable(f"td needs rules with `planes` and a field `turn`; {game.name} lacks one")

    def begin(self) -> None:
        """The network, from its file where there is one."""
        settings, rules, file = self.settings, self.game.rules, self.folder / self.file
        low, high = self.game.traits.bounds
        self.low, self.high = float(low), float(high)
        told = evaluations.of(rules).outcomes
        self.worth = told.worth_within(self.low, self.high).astype(np.float32)
        self.flip = np.array(told.flip, np.float32)
        self.inputs = int(np.prod(rules.plane_shape))
        self.networks = told.networks
        self.weights = Weights.random(self.networks, self.inputs, settings.hidden, told.count, settings.seed)
        self.games, self.plies = 0, 0
        if file.exists():
            _, self.weights, trained = read(file)
            if self.weights.first.shape != (self.networks, self.inputs, settings.hidden):
                raise BadValue(f"{file} does not fit {self.game.name} with {settings.hidden} hidden units")
            self.games, self.plies, self.seconds = int(trained["games"]), int(trained["plies"]), float(trained["seconds"])

    def rate(self) -> float:
        """The learning rate now: it falls evenly on a logarithmic scale."""
        done = min(1.0, self.games / self.settings.total_games)
        return self.settings.rate * (self.settings.last_rate / self.settings.rate) ** done

    def lesson_of(self, seed: int, into: Weights | None = None) -> Callable[[int], int]:
        """A function that plays so many games and learns from them into given weights, else into the run's; it returns how many
        plies."""
        weights = self.weights if into is None else into
        rules = self.game.rules
        start: Any = self.game.start().state
        roots = rules.states(1)
        roots.view(np.uint8)[:] = np.frombuffer(start, np.uint8)
        outputs, hidden = self.weights.second_bias.shape[1], self.settings.hidden
        shown = np.zeros((3, *rules.plane_shape), np.float32)
        room = Room(
            roots=roots,
            states=rules.states(2),
            tried=rules.states(1),
            past=rules.states(1),
            actions=np.zeros(rules.most_actions, np.int32),
            probabilities=np.zeros(rules.most_actions),
            source=random_source(seed),
            shown=shown,
            seen=shown.reshape(3, -1),
            active=np.zeros((2, self.inputs), np.int32),
            hidden=np.zeros((3, hidden), np.float32),
            said=np.zeros((2, outputs), np.float32),
            best_said=np.zeros(outputs, np.float32),
            wanted=np.zeros(outputs, np.float32),
            blame=np.zeros(hidden, np.float32),
        )
        points = Points(self.low, self.high, self.worth, self.flip)

        def teach(games: int) -> int:
            rate, stray = np.float32(self.rate()), self.settings.stray
            with np.errstate(over="ignore"):
                return int(self_play(points, weights, room, games, rate, stray))

        return teach

    def lesson(self, games: int, seed: int) -> int:
        """Play so many games and learn from them, in this thread; how many plies."""
        return self.lesson_of(seed)(games)

    def save(self) -> None:
        """Write the network, which is all there is."""
        save(self.folder / self.file, self.game.name, self.weights,
             self.told(games=self.games, plies=self.plies, seconds=round(self.seconds, 1)))

    def has_learned(self) -> bool:
        """Whether a game has been played."""
        return self.games > 0

    def get_ready(self) -> None:
        """The methods are bound before the threads start."""
        self.game.rules.bind()
        self.at_first = self.games

    def steps(self) -> Iterator[None]:
        """The threads learn until all games are played; what is learned is measured beside them."""
        halt, lock = threading.Event(), threading.Lock()

        def teach(thread: int) -> None:
            rounds_away() if self.address else lessons(thread)

        def rounds_away() -> None:
            from outplay.learning.away import learn_round

            while not halt.is_set() and self.games < self.settings.total_games:
                learn_round(self, self.address, halt)

        def lessons(thread: int) -> None:
            alone = self.threads == 1
            everybody = self.weights
            mine = everybody if alone else Weights(*(array.copy() for array in everybody))
            before = tuple(array.copy() for array in mine)
            teach_some = self.lesson_of(self.settings.seed + 7919 * (thread + 1) + 104729 * self.games, mine)
            games = SLICE_GAMES if alone else SHARED_GAMES
            begun = self.games  # however short the time is, something is learned
            while (self.games == begun or not halt.is_set()) and self.games < self.settings.total_games:
                plies = teach_some(games)
                share = np.float32(max(1 / self.threads, min(1.0, STEADY / (self.rate() * self.threads))))
                with lock:
                    for whole, own, old in () if alone else zip(everybody, mine, before, strict=True):
                        put_together(share, whole.reshape(-1), own.reshape(-1), old.reshape(-1))
                    self.games += games
                    self.plies += plies

        yield from at_work(1 if self.address else self.threads, teach, halt, lambda: self.is_over)

    def standing(self) -> dict[str, Any]:
        """Games, plies, and how fast."""
        return {"games": self.games, "plies": self.plies, "rate": round(self.rate(), 5),
                "games_per_second": self.per_second(self.games - self.at_first)}
