"""The steps of `outplay.learning.nnue` on a GPU: all positions lie in its memory, and torch finds the slopes.

A step of its number takes random positions. The first layer is a product of matrices here, with a 1 for each input that is set: the
matrix units of a GPU add all those zeros faster than its memory brings a row of weights for each piece.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from outplay.learning.run import torch_module

PIECE = 1 << 18
"""Positions that a thread prepares at once."""
ALIGNED = 64
"""Rows of the first layer come in multiples of it, with zeros behind the last: the matrix units of a GPU want them so."""


class Learner:
    """The weights of a run, how they moved, and what they learn from, on a device of torch."""

    def __init__(self, run: Any, device: str) -> None:
        self.torch, self.run, self.device = torch_module(), run, device
        torch, learned = self.torch, run.learned
        pieces = [learned[at : at + PIECE] for at in range(0, len(learned), PIECE)]

        def prepare(piece: np.ndarray) -> list[Any]:
            mine, theirs, buckets, *rest = run.seen(piece)[:6]
            small = mine.astype(np.int16), theirs.astype(np.int16), buckets.astype(np.int16)
            return [torch.from_numpy(part).to(device) for part in (*small, *rest)]

        with ThreadPoolExecutor(run.threads) as pool:
            made = list(pool.map(prepare, pieces))
        self.seen = [torch.cat(parts) for parts in zip(*made, strict=True)]
        self.weights = [torch.tensor(part, device=device, requires_grad=True) for part in run.weights]
        self.means, self.squares = ([torch.tensor(part, device=device) for part in parts] for parts in (run.means, run.squares))
        self.loss = torch.tensor(0.0, device=device)
        self.since = 0  # steps that `loss` adds up
        self.source = torch.Generator(device)
        self.set = torch.zeros(0)  # [position and seat, input]: 1 where it is set
        if device != "cpu":
            torch.set_float32_matmul_precision("high")  # 10 bits behind the point, more than the network keeps

    def step(self, seed: int, number: int, batch: int, rate: float) -> None:
        """The step of Adam after so many others."""
        from outplay.learning.nnue import MOST

        torch = self.torch
        self.source.manual_seed(seed * 1_000_003 + number)
        chosen = torch.randint(len(self.seen[0]), (batch,), device=self.device, generator=self.source)
        mine, theirs, buckets, known, shares, wanted = (part[chosen] for part in self.seen)
        first, last, bias = self.weights
        at, nothing = buckets.long(), len(first) - 1
        width = -(-len(first) // ALIGNED) * ALIGNED
        if len(self.set) != 2 * batch:
            self.set = torch.zeros(2 * batch, width, device=self.device)
        self.set.zero_().scatter_(1, torch.cat([mine, theirs]).long(), 1.0)
        self.set[:, nothing] = 1.0
        units = (self.set @ torch.nn.functional.pad(first, (0, 0, 0, width - len(first)))).clamp(0, 1).square()
        total = (units[:batch] * last[at, : first.shape[1]] + units[batch:] * last[at, first.shape[1] :]).sum(1) + bias[at]
        loss = (torch.sigmoid(known + shares * total) - wanted).square().mean()
        slopes = torch.autograd.grad(loss, self.weights)
        with torch.no_grad():
            first_part, second_part = 1 - 0.9 ** (number + 1), 1 - 0.999 ** (number + 1)
            for weight, slope, mean, square, most in zip(self.weights, slopes, self.means, self.squares, MOST, strict=True):
                mean.lerp_(slope, 0.1)
                square.lerp_(slope.square(), 0.001)
                weight.sub_(rate / first_part * mean / ((square / second_part).sqrt() + 1e-8)).clamp_(-most, most)
            self.loss += loss
        self.since += 1

    def fetch(self) -> float:
        """Bring weights and movements back into the run; the mean loss since the last time."""
        for name in ("weights", "means", "squares"):
            for here, there in zip(getattr(self.run, name), getattr(self, name), strict=True):
                here[:] = there.detach().cpu().numpy()
        mean = float(self.loss) / self.since if self.since else float(self.run.loss)
        self.loss.zero_()
        self.since = 0
        return mean
