"""Thousands of games at once as arrays, for learners: reset, step, legal mask, observation.

>>> import outplay, numpy as np
>>> games = outplay.batch("connect four", n=1000, seed=1)
>>> while not games.ended.all():
...     games.step(games.sample())          # a random legal action of each game
>>> games.rewards.shape, games.rewards.sum()
((1000, 2), np.float32(0.0))
>>> games.observe().shape                   # as the player to move sees its game
(1000, 2, 6, 7)

The arrays are the same from step to step, and each is handed to torch or JAX without a copy: `torch.from_dlpack(games.legal)`.

| array | shape | |
|---|---|---|
| `players` | [n] int32 | who is to move |
| `legal` | [n, size] bool | which codes are legal; none once a game is over |
| `rewards` | [n, seats] float32 | the utilities, in the step that ends a game, else 0 |
| `ended` | [n] bool | whether the game is over by its rules |
| `cut` | [n] bool | whether it was cut after `most_plies` |

Codes and observations are those of `outplay.adapters.spaces`. A game that is over stays as it is, and its code is ignored; with
`auto_reset` the next step begins it anew instead. Chance moves by itself, each game from its own source, so that a game goes the
same way whatever its neighbours do and however many threads there are. Draws by repetition need a past, which a batch does not
keep; those by lack of progress and by the position are seen. `device="cuda"` keeps everything on the GPU
(`outplay.adapters.batch_cuda`).
"""

from __future__ import annotations

import math
import threading
from typing import Any, NamedTuple

import numpy as np

from outplay.adapters.spaces import Actions, View, fields_seen
from outplay.engine.memory import action_list, load_state, probability_rows, refuse_overrun
from outplay.engine.montecarlo.playouts import ENDED, OVERRUN, chance_step
from outplay.engine.needs import need_rules
from outplay.errors import BadValue, IllegalAction, UnknownName
from outplay.game import Game, load
from outplay.jit import below, inlined, kernel, mix, u64
from outplay.values import CHANCE

DEVICES = ("cpu", "cuda")
DRAW, TOO_MANY = -1, -2  # instead of a number of actions: the referee's draw, more actions than the rules promise
FINE, ILLEGAL, TOO_LONG = 0, 1, 2  # how a step of one game went; too long: more actions than the rules promise
NEVER = 1 << 62
"""A number of plies that no game reaches."""


@inlined
def settle(state: Any, actions: Any, probabilities: Any, source: Any, most_reversible: Any) -> Any:
    """Let chance move until a player is to move or the game is over: the number of actions, 0 at the end, DRAW or TOO_MANY."""
    while (state.offers_chances() or state.offers_draw()) and not state.is_terminal() and state.player() == CHANCE:
        status = chance_step(state, actions, probabilities, source)
        if status == ENDED:
            return 0
        if status == OVERRUN:
            return TOO_MANY
    if state.is_drawn():
        return 0
    count = state.actions(actions)
    if count > len(actions):
        return TOO_MANY
    if count > 0 and state.offers_reversible() and state.reversible() >= most_reversible:
        return DRAW
    return count


@inlined
def show(state: Any, count: Any, at: Any, actions: Any, places: Any, legal: Any, players: Any) -> Any:
    """Write down who is to move and which codes are legal; False where a code is too large."""
    for code in range(legal.shape[1]):
        legal[at, code] = False
    fits = True
    for place in range(count):
        code = place if places else actions[place]
        if code < legal.shape[1]:
            legal[at, code] = True
        else:
            fits = False
    if count > 0:
        players[at] = state.player()
    return fits


@inlined
def pay(state: Any, at: Any, is_drawn: Any, share: Any, rewards: Any) -> None:
    """The utilities of a game that is over, by its rules or as a draw of the referee."""
    for seat in range(rewards.shape[1]):
        rewards[at, seat] = share if is_drawn else state.utility(seat)


class Games(NamedTuple):
    """The arrays of a batch, a row a game, for the kernels."""

    states: Any
    starts: Any  # [1]: the start of all
    sources: Any  # of random numbers
    legal: Any  # [game, code]
    players: Any
    rewards: Any  # [game, seat]
    ended: Any
    cut: Any
    plies: Any


class Referee(NamedTuple):
    """What holds for all games of a batch."""

    places: bool  # a code is an action's place in the list
    most_reversible: int  # after so many reversible plies a game is drawn
    most_plies: int  # after so many a game is cut
    share: float  # of everybody in a draw
    auto_reset: bool  # whether a game that is over begins anew


@inlined
def advance(at: Any, codes: Any, anew: Any, games: Any, referee: Any, actions: Any, probabilities: Any) -> Any:
    """One game a step further, or with `anew` back at its start: FINE, ILLEGAL (and nothing has moved) or TOO_LONG.

    The only step there is: a loop calls it on the processor, one thread a game on a GPU.
    """
    states, legal, ended, cut, plies = games.states, games.legal, games.ended, games.cut, games.plies
    for seat in range(games.rewards.shape[1]):
        games.rewards[at, seat] = 0.0
    is_over = ended[at] or cut[at]
    if is_over and not referee.auto_reset and not anew:
        return FINE
    if is_over or anew:
        states[at] = games.starts[0]
        plies[at], ended[at], cut[at] = 0, False, False
    else:
        code = codes[at]
        if code < 0 or code >= legal.shape[1] or not legal[at, code]:
            return ILLEGAL
        if referee.places:
            states[at].actions(actions)
            states[at].play(actions[code])
        else:
            states[at].play(code)
        plies[at] += 1
    count = settle(states[at], actions, probabilities, games.sources[at : at + 1], referee.most_reversible)
    if count == TOO_MANY:
        return TOO_LONG
    if count <= 0:
        ended[at] = True
        pay(states[at], at, count == DRAW, referee.share, games.rewards)
        count = 0
    elif plies[at] >= referee.most_plies:
        cut[at] = True
        count = 0
    if not show(states[at], count, at, actions, referee.places, legal, games.players):
        return TOO_LONG
    return FINE


@inlined
def pick(at: Any, legal: Any, codes: Any, sources: Any) -> None:
    """A random legal code of one game; 0 where it is over."""
    count = 0
    for code in range(legal.shape[1]):
        if legal[at, code]:
            count += 1
    codes[at] = 0
    if count > 0:
        wanted = below(sources[at : at + 1], count)
        for code in range(legal.shape[1]):
            if legal[at, code]:
                if wanted == 0:
                    codes[at] = code
                    break
                wanted -= 1


@kernel
def _advance(first: Any, last: Any, codes: Any, anew: Any, games: Any, referee: Any, actions: Any, probabilities: Any) -> Any:
    for at in range(first, last):
        status = advance(at, codes, anew, games, referee, actions, probabilities)
        if status != FINE:
            return status
    return FINE


@kernel
def _sample(legal: Any, codes: Any, sources: Any) -> None:
    for at in range(len(codes)):
        pick(at, legal, codes, sources)


@kernel
def _look(states: Any, seen: Any, seats: Any, ended: Any, hides: Any) -> None:
    for at in range(len(states)):
        seen[at] = states[at]
        if hides and not ended[at]:
            seen[at].observe(seats[at])


@kernel
def _planes(seen: Any, seats: Any, out: Any) -> None:
    for at in range(len(seen)):
        seen[at].planes(seats[at], out[at])


def sources_of(seed: int, n: int, salt: int) -> np.ndarray:
    """One random source a game, apart from those of other seeds and purposes."""
    with np.errstate(over="ignore"):
        return np.array([mix(u64(seed) + mix(u64(salt) + u64(2 * at + 1))) for at in range(n)], np.uint64)


def aligned(shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """Zeros whose address is a multiple of 64, which JAX wants of memory that it takes without a copy."""
    size = math.prod(shape) * np.dtype(dtype).itemsize
    room = np.zeros(size + 64, np.uint8)
    first = -room.ctypes.data % 64
    return room[first : first + size].view(dtype).reshape(shape)


def batch(game: str | Game, n: int, *, seed: int = 0, device: str = "cpu", **options: Any) -> Any:
    """So many games of one kind at once; see `Batch` for the options. On the GPU with `device="cuda"`."""
    if device not in DEVICES:
        raise UnknownName("device", device, DEVICES)
    if device == "cuda":
        from outplay.adapters.batch_cuda import CudaBatch

        return CudaBatch(game, n, seed=seed, **options)
    return Batch(game, n, seed=seed, **options)


class Batch:
    """`n` games of compiled rules, played side by side.

    `position` is the text of a position to start from, `auto_reset` begins finished games anew, `most_plies` cuts those that last
    longer, `coding` is how actions are coded, `threads` how many work at once.
    """

    def __init__(self, game: str | Game, n: int, *, seed: int = 0, position: str | None = None, auto_reset: bool = False,
                 most_plies: int | None = None, coding: str | None = None, threads: int = 1) -> None:
        self.game: Any = load(game) if isinstance(game, str) else game
        need_rules("mcts", self.game)
        for name, value in (("n", n), ("threads", threads), ("most_plies", 1 if most_plies is None else most_plies)):
            if value < 1:
                raise BadValue(f"{name} must be 1 or more, got {value}")
        rules = self.rules = self.game.rules
        self.n, self.seed, self.auto_reset, self.threads = n, seed, auto_reset, min(threads, n)
        self.most_plies = NEVER if most_plies is None else most_plies
        self.codes, self.view = Actions(self.game, coding), View(self.game)
        self.states, self._starts = rules.states(n), rules.states(1)
        load_state(self._starts, 0, self.game.start() if position is None else self.game.position(position))
        self.players = aligned((n,), np.int32)
        self.legal = aligned((n, self.codes.size), np.bool_)
        self.rewards = aligned((n, rules.players), np.float32)
        self.ended, self.cut = aligned((n,), np.bool_), aligned((n,), np.bool_)
        self.plies = aligned((n,), np.int64)
        self._most_reversible = NEVER if rules.draw_after is None else int(rules.draw_after)
        self._share = float(self.game.drawn_utilities()[0])
        self._places = self.codes.coding == "places"
        self._rooms = [(action_list(rules), probability_rows(rules, 1)[0]) for _ in range(self.threads)]
        self._rows = np.arange(n)
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Begin all games anew; a seed also begins chance and `sample` anew."""
        if seed is not None:
            self.seed = seed
            self._sources, self._choices = sources_of(seed, self.n, 0), sources_of(seed, self.n, 1 << 40)
        self._run(np.zeros(self.n, np.int64), True)

    def step(self, codes: Any) -> None:
        """One coded action in each game that goes on; an illegal one is refused before any game has moved."""
        chosen = np.ascontiguousarray(np.asarray(codes).astype(np.int64))
        if chosen.shape != (self.n,):
            raise BadValue(f"step wants one code a game, {self.n} of them; got the shape {chosen.shape}")
        goes_on = ~(self.ended | self.cut)
        inside = (chosen >= 0) & (chosen < self.codes.size)
        wrong = goes_on & ~(inside & self.legal[self._rows, np.where(inside, chosen, 0)])
        if wrong.any():
            at = int(wrong.argmax())
            raise IllegalAction(f"{self.game.name}: the code {chosen[at]} is illegal in game {at}: see its row of `legal`")
        self._run(chosen, False)

    def _run(self, codes: np.ndarray, anew: bool) -> None:
        """Share the games out among the threads; each has its own room for actions."""
        ends = [self.n * number // self.threads for number in range(self.threads + 1)]
        status = [FINE] * self.threads
        games, referee = self._arrays(), self._referee()

        def part(number: int) -> None:
            with np.errstate(over="ignore"):
                status[number] = int(_advance(ends[number], ends[number + 1], codes, anew, games, referee, *self._rooms[number]))

        workers = [threading.Thread(target=part, args=(number,)) for number in range(1, self.threads)]
        for worker in workers:
            worker.start()
        part(0)
        for worker in workers:
            worker.join()
        if TOO_LONG in status:
            refuse_overrun(self.game)

    def _arrays(self) -> Games:
        return Games(self.states, self._starts, self._sources, self.legal, self.players, self.rewards, self.ended, self.cut,
                     self.plies)

    def _referee(self) -> Referee:
        return Referee(self._places, self._most_reversible, self.most_plies, self._share, self.auto_reset)

    def sample(self) -> np.ndarray:
        """A random legal code for each game; 0 where it is over."""
        codes = np.zeros(self.n, np.int64)
        with np.errstate(over="ignore"):
            _sample(self.legal, codes, self._choices)
        return codes

    def observe(self, seats: int | np.ndarray | None = None) -> np.ndarray:
        """What a seat sees of each game, the player to move unless told otherwise; float32 of the shape [n, ...]."""
        looking = self.players if seats is None else np.broadcast_to(np.asarray(seats, np.int32), (self.n,)).copy()
        if seats is not None and not ((looking >= 0) & (looking < self.game.players)).all():
            raise BadValue(f"{self.game.name} has the seats 0 to {self.game.players - 1}")
        seen = self.rules.states(self.n)
        with np.errstate(over="ignore"):
            _look(self.states, seen, looking, self.ended, self.game.traits.information == "hidden")
            if self.view.kind == "planes":
                out = aligned((self.n, *self.view.shape), np.float32)
                _planes(seen, looking, out)
                return out
        parts = [np.eye(self.game.players, dtype=np.float32)[looking]]
        parts += [_columns(seen[name], self.n) for name in fields_seen(self.rules)]
        return np.concatenate(parts, axis=1, out=aligned((self.n, sum(part.shape[1] for part in parts)), np.float32))

    def position(self, at: int) -> Any:
        """One of the games as a Position, with all that the rules hide."""
        from outplay.game import Position

        return Position(self.game, self.states[at : at + 1].tobytes())

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        return f"<{self.n} games of {self.game.name}, {int((self.ended | self.cut).sum())} of them over>"


def _columns(field: np.ndarray, n: int) -> np.ndarray:
    """A field of all games as columns of float32; words of 64 bits as their bits."""
    flat = np.ascontiguousarray(field).reshape(n, -1)
    if flat.dtype == np.uint64:
        return np.unpackbits(flat.astype("<u8").view(np.uint8), axis=1, bitorder="little").astype(np.float32)
    return flat.astype(np.float32)
