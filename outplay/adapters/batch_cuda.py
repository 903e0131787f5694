"""The same batches on a GPU: one thread a game, all arrays in its memory.

`outplay.batch(game, n=65536, device="cuda")` has the methods and the arrays of `outplay.adapters.batch.Batch`; torch, JAX and CuPy
take its arrays without a copy (`torch.from_dlpack(games.legal)`), and `step` takes theirs. A game goes the same way as on the
processor, number for number, for one seed.

Four things differ. An illegal code is found on the GPU: that game stays as it is, and `check()` (which waits for the GPU) tells of
it; `step` itself does not wait. Observations need rules with `planes`. `sample` and `observe` fill the same array each time: copy
what is to be kept. And JAX, whose arrays never change, wants them taken anew after each step (which waits for the GPU).
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from outplay.adapters.batch import FINE, TOO_LONG, Batch, Games, advance, pick, sources_of
from outplay.adapters.dlpack import DeviceArray
from outplay.compiling.gpu import cuda, gpu_kernel, is_simulated, layout_of, require
from outplay.engine.montecarlo.playouts_cuda import BLOCK, SPARE
from outplay.errors import BadValue, IllegalAction, Unsuitable
from outplay.game import Game


@functools.cache
def _kernels(rules: Any) -> tuple[Any, ...]:
    """The kernels for one game: reset and step, sample, planes."""
    layout = layout_of(rules)
    most_actions = int(rules.most_actions)
    room, most_outcomes = most_actions + SPARE, most_actions + SPARE if rules.traits.chance else 1
    action_type, float64 = rules.action_type, np.float64
    hides = "observe" in rules.offered

    def step(codes: Any, anew: Any, games: Any, referee: Any, problems: Any) -> None:
        # problems[at] tells what went wrong.
        at = cuda.grid(1)
        if at >= len(games.states):
            return
        actions = cuda.local.array(room, action_type)
        probabilities = cuda.local.array(most_outcomes, float64)
        status = advance(at, codes, anew, games, referee, actions[:most_actions], probabilities)
        if status != FINE:
            problems[at] = status

    def sample(legal: Any, codes: Any, sources: Any) -> None:
        at = cuda.grid(1)
        if at < len(codes):
            pick(at, legal, codes, sources)

    def planes(states: Any, seats: Any, ended: Any, flat: Any, out: Any) -> None:
        # flat[at] is out[at] in one row.
        at = cuda.grid(1)
        if at >= len(states):
            return
        for place in range(flat.shape[1]):
            flat[at, place] = 0.0
        seen = cuda.local.array(1, layout)
        seen[0] = states[at]
        if hides and not ended[at]:
            seen[0].observe(seats[at])
        seen[0].planes(seats[at], out[at])

    return gpu_kernel(step), gpu_kernel(sample), gpu_kernel(planes) if rules.plane_shape else None


class CudaBatch(Batch):
    """A batch in the memory of a GPU."""

    states: Any
    players: Any
    legal: Any
    rewards: Any
    ended: Any
    cut: Any
    plies: Any
    problems: Any = None
    _starts: Any
    _seen: Any = None

    def __init__(self, game: str | Game, n: int, **options: Any) -> None:
        require()
        if options.get("threads", 1) != 1:
            raise BadValue("threads are for the processor: a GPU has one for each game")
        super().__init__(game, n, **options)

    def reset(self, seed: int | None = None) -> None:
        """Begin all games anew; a seed also begins chance and `sample` anew."""
        if self.problems is None:  # the first time: what the class of the processor has made moves over
            self._kernels = tuple(each and each[self._grid()] for each in _kernels(self.rules))
            for name in ("states", "_starts", "players", "legal", "rewards", "ended", "cut", "plies"):
                setattr(self, name, DeviceArray(cuda.to_device(getattr(self, name))))
            self.problems = cuda.to_device(np.zeros(self.n, np.int8))
            self._chosen = DeviceArray(cuda.to_device(np.zeros(self.n, np.int64)))
        if seed is not None:
            self.seed = seed
            self._sources = cuda.to_device(sources_of(seed, self.n, 0))
            self._choices = cuda.to_device(sources_of(seed, self.n, 1 << 40))
        self._advance(self._chosen.array, True)
        self.check()

    def step(self, codes: Any) -> None:
        """One coded action in each game that goes on: an array of the GPU, or of the processor, which is copied there."""
        if hasattr(codes, "copy_to_host"):  # ours or Numba's own
            chosen = getattr(codes, "array", codes)
        elif hasattr(codes, "__cuda_array_interface__"):
            chosen = cuda.as_cuda_array(codes)
        else:
            chosen = cuda.to_device(np.asarray(codes, np.int64))
        if chosen.shape != (self.n,):
            raise BadValue(f"step wants one code a game, {self.n} of them; got the shape {chosen.shape}")
        self._advance(chosen, False)

    def _grid(self) -> tuple[int, int]:
        block = 4 if is_simulated() else min(BLOCK, 32 * -(-self.n // 32))
        return -(-self.n // block), block

    def _advance(self, codes: Any, anew: bool) -> None:
        self._kernels[0](codes, anew, self._arrays(), self._referee(), self.problems)

    def _arrays(self) -> Games:
        return Games(*(getattr(each, "array", each) for each in super()._arrays()))

    def check(self) -> None:
        """Wait for the GPU and tell what went wrong since the last look: an illegal code, or rules that break their promise."""
        problems = self.problems.copy_to_host()
        if not problems.any():
            return
        self.problems = cuda.to_device(np.zeros(self.n, np.int8))
        if (problems == TOO_LONG).any():
            from outplay.engine.memory import refuse_overrun

            refuse_overrun(self.game)
        at = int(problems.argmax())
        raise IllegalAction(f"{self.game.name}: a code was illegal in game {at}: see its row of `legal`")

    def sample(self) -> Any:
        """A random legal code for each game, on the GPU; 0 where it is over."""
        self._kernels[1](self.legal.array, self._chosen.array, self._choices)
        return self._chosen

    def observe(self, seats: Any = None) -> Any:
        """What a seat sees of each game, the player to move unless told otherwise; float32 of the shape [n, ...] on the GPU."""
        if self.view.kind != "planes":
            raise Unsuitable(f"observations on a GPU need rules with `planes`; {self.game.name} has none: observe on the processor")
        looking = self.players.array
        if seats is not None:
            looking = cuda.to_device(np.broadcast_to(np.asarray(seats, np.int32), (self.n,)).copy())
        if self._seen is None:
            self._seen = DeviceArray(cuda.to_device(np.zeros((self.n, *self.view.shape), np.float32)))
        flat = self._seen.array.reshape(self.n, -1)
        self._kernels[2](self.states.array, looking, self.ended.array, flat, self._seen.array)
        return self._seen

    def position(self, at: int) -> Any:
        """One of the games as a Position."""
        from outplay.game import Position

        return Position(self.game, self.states.copy_to_host()[at : at + 1].tobytes())

    def __repr__(self) -> str:
        return f"<{self.n} games of {self.game.name} on a GPU>"
