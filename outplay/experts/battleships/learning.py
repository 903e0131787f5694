"""A shooter for battleships learned from nothing but shots: a network plays thousands of fleets at once and learns what ends games
soon.

The network sees what a shooter was told and, laid over each other, the placements of each ship that fit it. Its heads say how
likely a cell holds a ship, how many shots are left, and where to shoot. First it shoots where ships are likely, learning all three.
Then the last head goes its own way by proximal policy optimization (Schulman and others, 2017): a cell gets likelier whose games
ended sooner than the network had foreseen. Most of that is luck, namely whether the shot hit, and that much is known: one head says
how likely a hit was, and two more foresee what a hit and a miss there are worth. So the luck is taken out of each game before it is
judged, as in poker (Burch and others, AIVAT, 2018), and a fraction of the noise is left.

>>> import tempfile
>>> settings = Settings("battleships:width=3,height=3,fleet=2", blocks=1, channels=8, games=32, steps=9, batch=64)
>>> with tempfile.TemporaryDirectory() as folder:
...     run = Run(Path(folder), settings)
...     report = run.work(0)
>>> report["games"] > 0, 1 < report["mean"] <= 9
(True, True)
"""

from __future__ import annotations

import math
import pickle
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from outplay.errors import BadValue, Unsuitable
from outplay.experts.battleships.fleet_planes import OF_SHIP, PLAIN, places_of, see
from outplay.experts.battleships.fleets import Board
from outplay.experts.battleships.shooter import sea_of
from outplay.files import write_whole
from outplay.learning import run
from outplay.learning.networks import Folded, Network, heads
from outplay.networks.nets import Net

LEARNER = "learner.pt"
"""All that learning needs to go on."""
SHARP = 0.1
"""How sharply the first policy prefers likely cells: it takes a cell with its probability to the power of 1 / SHARP."""


SMALL = {"blocks": 2, "channels": 24, "games": 512, "steps": 12, "batch": 1024, "rate": 2e-3}
"""Where a processor learns."""


@dataclass(frozen=True)
class Settings:
    """Of the sea, the network and the learning."""

    game: str = "battleships"
    blocks: int = 5
    channels: int = 64
    games: int = 16384  # at once
    steps: int = 16  # shots of each before something is learned
    batch: int = 16384
    rate: float = 1e-3
    last_rate: float = 0.05  # of that, at the end
    warm: float = 0.1  # share of the time in which it shoots where ships are likely
    trace: float = 0.95  # lambda
    clip: float = 0.2
    entropy: float = 0.004
    seed: int = 0


class Sea:
    """Many games of one shooter each against a random fleet, one shot of all at a time."""

    def __init__(self, board: Board, games: int, device: str, source: torch.Generator) -> None:
        self.board, self.games, self.device, self.source = board, games, device, source
        self.cells, self.ships = board.width * board.height, len(board.fleet)
        kind = torch.float16 if device == "cuda" else torch.float32

        def moved(array: np.ndarray) -> torch.Tensor:
            made = torch.from_numpy(array).to(device)
            return made if made.dtype == torch.int64 else made.to(kind)

        plain = places_of(board)
        self.places = plain._replace(holds=moved(plain.holds), ship=moved(plain.ship), length=moved(plain.length),
                                     colour=moved(plain.colour), one=torch.ones((), dtype=kind, device=device))
        self.lengths = torch.tensor(board.fleet, device=device)
        self.pool, self.at = self.draw(max(games, 1024) * 2), 0
        self.all = torch.arange(games, device=device)
        self.owner = torch.empty(games, self.cells, dtype=torch.int64, device=device)
        self.shot = torch.zeros(games, self.cells, dtype=torch.bool, device=device)
        self.left = self.lengths.repeat(games, 1)  # [game, ship]: cells not hit yet
        self.tight = torch.zeros(games, len(plain.holds), dtype=torch.bool, device=device)  # where one that sank can lie
        self.made = torch.zeros(games, dtype=torch.int64, device=device)
        self.owner.copy_(self.pool[: games])
        self.at = games

    def draw(self, number: int) -> torch.Tensor:
        """[fleet, cell]: the ship there, or -1; all fleets without overlap alike."""
        found, have = [], 0
        while have < number:
            ways = [torch.randint(first, end, (2 * number,), generator=self.source, device=self.device)
                    for first, end in zip(self.places.first, self.places.first[1:], strict=False)]
            taken = torch.zeros(2 * number, self.cells, dtype=self.places.holds.dtype, device=self.device)
            owner = torch.full((2 * number, self.cells), -1, dtype=torch.int8, device=self.device)
            for ship in range(self.ships):
                mine = self.places.holds[ways[ship]]
                taken += mine
                owner = torch.where(mine > 0, ship, owner)
            fits = owner[(taken <= 1).all(1)]
            found.append(fits)
            have += len(fits)
        return torch.cat(found)[:number].to(torch.int8)

    def shoot(self, cell: torch.Tensor, again: bool = True) -> tuple[torch.Tensor, torch.Tensor]:
        """All games shoot; which hit, and which are over. A game that is over begins anew with another fleet, if `again`."""
        struck = self.owner[self.all, cell]
        hit = struck >= 0
        fresh = ~self.shot[self.all, cell]
        self.shot[self.all, cell] = True
        self.made += fresh & (self.left.sum(1) > 0)
        ship = struck.clamp(min=0).long()
        self.left[self.all, ship] -= (hit & fresh).long()
        sank = hit & fresh & (self.left[self.all, ship] == 0)
        places = self.places
        on_hits = ((self.shot & (self.owner >= 0)) * places.one) @ places.holds.T == places.length
        here = places.holds.T[cell] > 0
        self.tight |= on_hits & here & (places.ship[None] == ship[:, None]) & sank[:, None]
        over = self.left.sum(1) == 0
        if again:
            if self.at + self.games > len(self.pool):
                self.pool, self.at = self.draw(len(self.pool)), 0
            next_ones = (self.at + torch.cumsum(over, 0) - 1).clamp(min=0)
            self.at += int(over.sum())
            self.owner = torch.where(over[:, None], self.pool[next_ones].long(), self.owner)
            self.shot &= ~over[:, None]
            self.left = torch.where(over[:, None], self.lengths[None], self.left)
            self.tight &= ~over[:, None]
            self.made = torch.where(over, 0, self.made)
        return hit, over

    def planes(self) -> torch.Tensor:
        """[game, plane, row, column]: what the shooters see."""
        found: torch.Tensor = see(torch, self.places, self.shot, self.shot & (self.owner >= 0), self.left == 0, self.tight)
        return found


def turned(planes: torch.Tensor, turn: int) -> torch.Tensor:
    """The images of a square board that leave the colours as they are, each its own inverse: by both diagonals, and upside down."""
    planes = planes.transpose(2, 3) if turn & 1 else planes
    return planes.flip(2, 3) if turn & 2 else planes


class Aim(Folded):
    """The network: heads for where to shoot, shots left, where ships are, and what a hit and a miss are worth."""

    def __init__(self, planes: tuple[int, int, int], blocks: int, channels: int) -> None:
        cells = planes[1] * planes[2]
        super().__init__(Network(planes, cells, blocks, channels))
        self.shape, self.cells = planes, cells
        self.target: Any = nn.Conv2d(channels, 1, 1)
        self.swing = nn.Conv2d(channels, 2, 1)
        with torch.no_grad():
            for two in self.convolutions[1::2]:
                two.weight.mul_(0.1)  # so that blocks begin as little more than a way around them
            self.policy.weight[1] = -self.policy.weight[0]  # the larger of x and 0, less that of -x: x, cell by cell
            self.policy.bias[:2] = 0
            self.policy_out.weight.mul_(0.1)
            self.policy_out.weight[:, :cells] = torch.eye(cells)
            self.policy_out.weight[:, cells : 2 * cells] = -torch.eye(cells)
            self.policy_out.bias.zero_()
            self.swing.weight.mul_(0.1)

    def forward(self, x: torch.Tensor) -> Any:
        """Logits of the cells to shoot at, shots left, logits of ships, and shots left after a hit and a miss beside those now."""
        half = x.is_cuda
        with torch.autocast("cuda", torch.bfloat16, enabled=half):
            x = functional.relu(self.first(x))
            for one, two in zip(self.convolutions[::2], self.convolutions[1::2], strict=True):
                x = functional.relu(x + two(functional.relu(one(x))))
        x = x.float()
        logits, value, _ = heads(self, x)
        ships = 2 * self.target(x).flatten(1)  # the file's head is tanh of half a logit: twice the probability less 1
        return 5 * logits, shots_left(value, self.cells), ships, 5 * self.swing(x).flatten(2)

    def described(self, game: str, trained: dict[str, Any]) -> Net:
        """As a file holds it."""
        layers: dict[str, Any] = {"first": self.first}
        for place, convolution in enumerate(self.convolutions):
            layers[f"{place // 2}.{('one', 'two')[place % 2]}"] = convolution
        layers |= {"policy": self.policy, "policy.out": self.policy_out, "value": self.value,
                   "value.hidden": self.value_hidden, "value.out": self.value_out, "target": self.target}
        weights = {}
        for name, layer in layers.items():
            weight = layer.weight.detach().float().cpu().numpy()
            if name in ("policy", "value", "target"):
                weight = weight[:, :, 0, 0]
            weights[f"{name}.weight"] = weight.astype(np.float16).astype(np.float32)
            weights[f"{name}.bias"] = layer.bias.detach().float().cpu().numpy().astype(np.float16).astype(np.float32)
        return Net(game, self.shape, self.cells, len(self.convolutions) // 2, self.first.out_channels, weights, self.cells, trained)


def shots_left(value: Any, cells: int) -> Any:
    """The value of the file, from -1 to 1, in shots."""
    return (value + 1) * (cells / 2)


def board_of(game: Any) -> Board:
    """The board and fleet of a game of battleships in which a sinking is told."""
    if game.family != "battleships" or not sea_of(game)[3]:
        raise Unsuitable(f"shooting is learned for battleships in which a sinking is told; this is {game.name}")
    return Board(*sea_of(game)[:3])


class Run(run.Run):
    """A network that learns to shoot at random fleets; its measure is how many shots they take."""

    recipe, file = "shooting", "shooter.outplay"
    Settings, small = Settings, SMALL
    fixed, at_once = ("blocks", "channels"), False
    measured = 2048
    """Fleets by which it is measured."""

    @classmethod
    def suits(cls, game: Any) -> None:
        """Refuse what is no battleships in which a sinking is told."""
        board_of(game)

    @classmethod
    def opponents(cls, game: Any) -> list[str]:
        """None: it counts shots."""
        return []

    def begin(self) -> None:
        """The sea and the network, as the folder has them."""
        settings, device = self.settings, self.device
        self.board = board_of(self.game)
        self.source = torch.Generator(device).manual_seed(settings.seed)
        torch.manual_seed(settings.seed)
        self.sea = Sea(self.board, settings.games, device, self.source)
        planes = (PLAIN + OF_SHIP * len(self.board.fleet), self.board.height, self.board.width)
        self.net: Any = Aim(planes, settings.blocks, settings.channels).to(device)
        if device == "cuda":
            torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
            torch.backends.cudnn.benchmark = True
            self.net = self.net.to(memory_format=torch.channels_last)
        self.optimizer = torch.optim.Adam(self.net.parameters(), settings.rate, fused=device == "cuda")
        self.shots, self.over, self.warm_done = 0, 0, False
        self.losses: dict[str, float] = {}
        self.found: dict[str, float] = {}  # by the last measurement
        if (self.folder / LEARNER).exists():
            self.restore(self.folder / LEARNER)

    # ---------------------------------------------------------------- play
    @torch.no_grad()
    def ask(self, planes: torch.Tensor) -> Any:
        """What the network says."""
        if self.device == "cuda":
            planes = planes.to(memory_format=torch.channels_last)
        return self.net(planes.float() if self.device == "cpu" else planes)

    def gumbel(self, like: torch.Tensor) -> torch.Tensor:
        """Noise that makes the largest logit a draw by all logits."""
        return -torch.log(-torch.log(torch.rand(like.shape, generator=self.source, device=self.device).clamp(1e-9, 1 - 1e-7)))

    @torch.no_grad()
    def play(self, warm: bool) -> dict[str, torch.Tensor]:
        """So many shots of all games; what was seen, done and foreseen."""
        s, sea = self.settings, self.sea
        kept: dict[str, list[torch.Tensor]] = {name: [] for name in ("planes", "cell", "log", "truth", "hit")}
        deltas, values, overs = [], [], []
        for step in range(s.steps + 1):
            planes = sea.planes()
            logits, value, ships, swing = self.ask(planes)
            values.append(value)
            if step == s.steps:
                break
            logits = functional.logsigmoid(ships) / SHARP if warm else logits
            logs = functional.log_softmax(logits.masked_fill(sea.shot, -1e9), 1)
            cell = (logs + self.gumbel(logs)).argmax(1)
            kept["truth"].append(sea.owner >= 0)
            likely = torch.sigmoid(ships)[sea.all, cell]
            hit, over = sea.shoot(cell)
            worth = swing[sea.all, :, cell]
            luck = (hit.float() - likely) * (worth[:, 0] - worth[:, 1])
            kept["planes"].append(planes)
            kept["cell"].append(cell)
            kept["log"].append(logs[sea.all, cell])
            kept["hit"].append(hit)
            overs.append(over.float())
            deltas.append(luck)
            self.over += int(over.sum())
        self.shots += s.steps * s.games
        gain = torch.zeros(s.games, device=self.device)
        gains, worths = [], []
        for step in reversed(range(s.steps)):
            rest = (1 - overs[step]) * (values[step + 1] + s.trace * gain)  # shots left after this one, by what came of it
            worths.append(rest - values[step])
            gain = 1 + rest - deltas[step] - values[step]
            gains.append(gain)
        kept["gain"], kept["worth"], kept["value"] = gains[::-1], worths[::-1], values[:-1]
        return {name: torch.cat(each) for name, each in kept.items()}

    # ---------------------------------------------------------------- learning
    def learn(self, played: dict[str, torch.Tensor], warm: bool, entropy: float) -> dict[str, float]:
        """One pass over what was played."""
        s, number = self.settings, len(played["cell"])
        gain = played["gain"]
        scale = gain.std() + 1e-6
        order = torch.randperm(number, generator=self.source, device=self.device)
        told = torch.zeros(6, device=self.device)
        rows = torch.arange(min(s.batch, number), device=self.device)
        batches = 0
        for first in range(0, number - len(rows) + 1, len(rows)):
            chosen = order[first : first + len(rows)]
            planes, cell = played["planes"][chosen], played["cell"][chosen]
            open_cells = planes[:, 0].flatten(1) > 0.5
            if self.device == "cuda":
                planes = planes.to(memory_format=torch.channels_last)
            logits, value, ships, swing = self.net(planes)
            logs = functional.log_softmax(logits.masked_fill(~open_cells, -1e9), 1)
            truth = played["truth"][chosen].float()
            likely = (functional.binary_cross_entropy_with_logits(ships, truth, reduction="none") * open_cells).sum(1).mean()
            aim_value = played["value"][chosen] + gain[chosen]
            foreseen = functional.mse_loss(value, aim_value)
            worth = swing[rows, :, cell]
            worth = torch.where(played["hit"][chosen], worth[:, 0], worth[:, 1])
            swings = functional.mse_loss(worth, played["worth"][chosen])
            spread = -(logs.exp() * logs.clamp(min=-50)).sum(1).mean()
            if warm:
                wanted = functional.log_softmax((functional.logsigmoid(ships.detach()) / SHARP).masked_fill(~open_cells, -1e9), 1)
                policy = (wanted.exp() * (wanted - logs).clamp(min=-50)).sum(1).mean()
                moved = policy.detach()
            else:
                good = (gain.mean() - gain[chosen]) / scale
                change = logs[rows, cell] - played["log"][chosen]
                ratio = change.exp()
                policy = -torch.minimum(ratio * good, ratio.clamp(1 - s.clip, 1 + s.clip) * good).mean() - entropy * spread
                moved = ((ratio - 1) - change).mean().detach()
            loss = policy + 0.2 * likely + 0.02 * foreseen + 0.02 * swings
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
            self.optimizer.step()
            told += torch.stack([likely.detach(), foreseen.detach(), swings.detach(), spread.detach(), moved, scale])
            batches += 1
        names = ("ships", "value", "swings", "entropy", "moved", "noise")
        return {name: round(float(each), 4) for name, each in zip(names, told / max(batches, 1), strict=True)}

    def pause(self, seconds: float) -> float:
        """Between two measurements, each of which takes seconds; and how long this time is."""
        self.length = seconds
        return max(30.0, super().pause(seconds))

    def steps(self) -> Iterator[None]:
        """So many shots of all games, and one pass over them."""
        s, is_warmed = self.settings, self.warm_done
        while not self.is_over:
            share = min(1.0, self.elapsed / max(self.length, 1e-9))
            warm = not is_warmed and self.elapsed < s.warm * self.length
            self.warm_done = self.warm_done or not warm
            for group in self.optimizer.param_groups:
                group["lr"] = s.rate * (1 - (1 - s.last_rate) * share) * (1.0 if warm else 0.5)
            self.losses = self.learn(self.play(warm), warm, s.entropy * (1 - 0.8 * share))
            yield

    def has_learned(self) -> bool:
        """Whether anything was learned."""
        return bool(self.losses)

    def measure(self) -> None:
        """How many shots random fleets take."""
        shots = self.shots_of(self.measured)
        self.found = {"mean": round(float(shots.mean()), 3), "error": round(1.96 * float(shots.std()) / math.sqrt(len(shots)), 3)}

    def standing(self) -> dict[str, Any]:
        """Games, shots, losses, and what was measured last."""
        return {"games": self.over, "shots": self.shots, "warm": not self.warm_done, **self.losses, **self.found}

    @torch.no_grad()
    def shots_of(self, games: int, *, by: str = "policy", turns: int = 1, seed: int = 999) -> np.ndarray:
        """Shots that so many fleets took: always the best cell by the policy, by "ships" the likeliest, by "worth" that of the
        fewest shots foreseen. With 4 turns it asks for the board and its images of the same colours, and takes the mean."""
        sea = Sea(self.board, games, self.device, torch.Generator(self.device).manual_seed(seed))
        while bool((sea.left.sum(1) > 0).any()):
            planes, scores = sea.planes(), torch.zeros(games, sea.cells, device=self.device)
            for turn in range(turns):
                logits, _, ships, swing = self.ask(turned(planes, turn))
                likely = torch.sigmoid(ships)
                after = likely * swing[:, 0] + (1 - likely) * swing[:, 1]
                worth = torch.where(likely > 0.5 * likely.amax(1, True), -after, -1e3)
                found = {"policy": functional.log_softmax(logits, 1), "ships": ships, "worth": worth}[by]
                scores += turned(found.view(games, 1, sea.board.height, sea.board.width), turn).flatten(1)
            sea.shoot(scores.masked_fill(sea.shot, -1e9).argmax(1), again=False)
        return sea.made.cpu().numpy()

    def save(self) -> None:
        """Write what is needed to play, and what is needed to go on."""
        self.net.described(self.game.name, self.told(games=self.over, shots=self.shots)).save(self.folder / self.file)
        kept = {"net": self.net.state_dict(), "optimizer": self.optimizer.state_dict(), "counts": [self.shots, self.over],
                "warm": self.warm_done}
        write_whole(self.folder / LEARNER, lambda out: torch.save(kept, out))

    def restore(self, file: Path) -> None:
        """Go on where a run stopped."""
        try:
            known = torch.load(file, map_location=self.device, weights_only=True)
            self.net.load_state_dict(known["net"])
            self.optimizer.load_state_dict(known["optimizer"])
            (self.shots, self.over), self.warm_done = known["counts"], known["warm"]
        except (RuntimeError, KeyError, ValueError, EOFError, OSError, pickle.UnpicklingError):
            raise BadValue(f"{file} is damaged, or a run with another sea or network: remove it to begin anew") from None
