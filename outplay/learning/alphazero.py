"""AlphaZero for any game of two players without chance (Silver and others, 2017), with what later work found to save time.

Self-play of thousands of games at once (`forest`), and a network (`networks`) that learns from them which actions the search came
to prefer and who won. From nothing but the rules: the first games are random. Of later work are in: Gumbel noise and sequential
halving at the root (Danihelka and others, 2022); playout-cap randomization, by which most moves get a quick search that is not
learned from, and targets beside the outcome, such as who owns each point in Go (both David Wu, KataGo, 2019); the game's
symmetries; a running average of the weights, which plays better than the weights of the moment (Polyak and Juditsky, 1992).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from outplay.arena.elo import rating
from outplay.errors import BadValue
from outplay.game import CompiledGame, known_game
from outplay.learning import run
from outplay.learning.forest import Forest, openings, suitable
from outplay.names import family
from outplay.networks.nets import Net, policy_size, resized, symmetries

WARM_MOVES, WARM_POSITIONS = 48, 8192
"""The moves played as the network that a run begins from, before it learns, and the positions of them that are looked at."""
DUEL_GAMES, LONGEST_DUEL = 256, 600
"""Over how many games the network meets its own past, and the plies after which a game counts as drawn."""

Ask = Callable[[Any], tuple[Any, Any]]
"""What a network is to a forest: planes of many positions in, logits and values out."""


@dataclass(frozen=True)
class Settings:
    """Everything that makes a run what it is; kept in its folder, and the same when the run goes on."""

    game: str
    blocks: int = 5
    channels: int = 64
    games: int = 8192  # played at once
    simulations: int = 32  # of a full search
    late_simulations: int = 0  # of a full search in the second half of the run; 0: as many as in the first
    quick: int = 8  # of a quick one
    full_share: float = 0.25  # of moves that get a full search and are learned from
    considered: int = 16  # actions at the root that sequential halving begins with; 0: PUCT with noise there
    opening_share: float = 0.3  # of games that begin after random moves
    opening_plies: int = 8  # up to so many
    opening_least: int = 1  # and at least so many
    proofs: int = 1  # whether outcomes are proved on the way, and a game without targets ends where its root is; 0: no
    trust: float = 0.0  # share of the search's own value, beside the outcome, in what a position's value is taught
    rows: int = 400  # moves of each game that are remembered
    batch: int = 4096
    reuse: float = 4.0  # how often a kept position is learned from, on average
    rate: float = 2e-3
    decay: float = 1e-4
    turned: int = 1  # whether positions are learned in all their symmetric forms; 0: as they stood
    target_weight: float = 0.5  # of the targets beside policy and value, such as ownership
    score_weight: float = 0.0  # of the targets' sum: where they say who owns each point, that is the score
    average: float = 0.995  # of the weights' running average, for each step
    total_seconds: float = 600.0  # of the whole run, over which the rate falls
    source: str = ""  # the network to begin from, a name or a file; its blocks and channels are taken over
    snapshots: int = run.SNAPSHOTS  # how often in that time it meets its own past; in Go each takes some ten seconds
    seed: int = 0


class Run(run.Run):
    """One run of AlphaZero's recipe."""

    recipe, file, limit, spreads = "alphazero", "network.outplay", ",simulations=32", True
    Settings, fixed = Settings, ("blocks", "channels")
    small: ClassVar = {"games": 512, "blocks": 2, "channels": 32, "simulations": 24, "quick": 8, "full_share": 0.33,
                       "considered": 8, "trust": 0.3, "rows": 100, "batch": 256}  # fmt: skip

    @classmethod
    def suits(cls, game: Any) -> None:
        """Refuse a game without planes, with chance, or of other than two players."""
        run.torch_module()
        suitable(game)

    def begin(self) -> None:
        """The forest, the network and its average."""
        torch, device, settings = run.torch_module(), self.device, self.settings
        if device == "cpu":  # torch's threads wait for each other in a loop: on a busy machine, one does far more
            torch.set_num_threads(self.threads)
        from outplay.learning.networks import Folded, Network, restored, take_up

        self.torch = torch
        torch.backends.cudnn.benchmark = True  # shapes stay the same all along: the quickest convolution is looked for once
        rules = self.game.rules
        torch.manual_seed(settings.seed)
        self.forest = Forest(
            torch,
            self.game,
            settings.games,
            max(settings.simulations, settings.late_simulations, settings.quick),
            settings.rows,
            device,
            opening_share=settings.opening_share,
            opening_plies=settings.opening_plies,
            opening_least=settings.opening_least,
            proofs=settings.proofs > 0,
            trust=settings.trust,
            seed=settings.seed,
        )
        source = self.source() if settings.source else None
        size = (source.blocks, source.channels) if source else (settings.blocks, settings.channels)
        shape = (tuple(rules.plane_shape), policy_size(rules), *size, self.forest.targets)
        self.layout = torch.channels_last if device == "cuda" else torch.contiguous_format
        self.net: Any = Network(*shape)
        if source is not None:
            take_up(self.net, source)
        self.net = self.net.to(device).to(memory_format=self.layout)
        self.averaged = Network(*shape).to(device).to(memory_format=self.layout)
        self.averaged.load_state_dict(self.net.state_dict())
        rate, decay = settings.rate, settings.decay
        self.optimizer = torch.optim.AdamW(self.net.parameters(), lr=rate, weight_decay=decay, fused=device == "cuda")
        self.precision = torch.bfloat16 if device == "cuda" else torch.float32
        self.asked = Folded(self.net).to(device).to(self.precision).to(memory_format=self.layout).eval()
        self.updates, self.played, self.evaluations, self.elo, self.doubt = 0, 0, 0, 0.0, 0.0
        self._resume()
        if source is not None and not self.updates:
            self.asked = restored(source).to(device).to(self.precision).to(memory_format=self.layout).eval()
        else:
            self.asked.take(self.averaged if self.updates else self.net)
        self.infer = torch.compile(self.asked) if device == "cuda" else self.asked
        self.trained: Any = self.net  # or the same compiled, see `compile_learning`
        self.owed = 0.0
        self.past: Any = None  # the network of the last snapshot; `doubt` is the variance of the sum of its gains
        self.losses: dict[str, float] = {}
        self.rounds, self.away = self.updates, 0  # of self-play on a cluster: rounds so far, where the next positions go

    def source(self) -> Net:
        """The network that the run begins from, which must be one for the same game; one for another size of board is stretched."""
        from outplay.players.networks import opened, path_of

        net, rules = opened(path_of(self.settings.source)), self.game.rules
        planes, actions = tuple(rules.plane_shape), policy_size(rules)
        if isinstance(net, Net) and family(net.game) == self.game.family and net.planes[1:] != planes[1:]:
            net = resized(net, self.game.name, planes, actions)
        if not isinstance(net, Net) or (net.planes, net.actions, net.targets) != (planes, actions, self.forest.targets):
            raise BadValue(f"{self.settings.source} is no network for {self.game.name}: begin from one for the same game")
        return net

    def warm_up(self) -> None:
        """Play some moves as the network that the run begins from, and fit the normalisation to what it saw there."""
        from outplay.learning.networks import settle

        seen: list[Any] = []
        for _ in range(WARM_MOVES):
            self.forest.search(self.ask, self.settings.quick, considered=self.settings.considered)
            seen.append(self.forest.trees["seen"][:: max(1, self.settings.games * WARM_MOVES // WARM_POSITIONS)].clone())
            self.forest.move(full=False)
        settle(self.net, self.torch.cat(seen))
        self.averaged.load_state_dict(self.net.state_dict())

    # ---------------------------------------------------------------- checkpoints
    def _resume(self) -> None:
        file = self.folder / "checkpoint.pt"
        if not file.exists():
            return
        try:
            held = self.torch.load(file, map_location=self.device, weights_only=True)
            self.net.load_state_dict(held["net"])
            self.averaged.load_state_dict(held["averaged"])
            self.optimizer.load_state_dict(held["optimizer"])
            self.seconds, self.updates = float(held["seconds"]), int(held["updates"])
            self.elo, self.doubt = float(held["elo"]), float(held.get("doubt", 0.0))
            self.played, self.evaluations = int(held["played"]), int(held["evaluations"])
            self.torch.manual_seed(self.settings.seed + self.updates)
        except Exception:  # whatever a damaged file raises
            raise BadValue(f"{file} is damaged: remove it to begin anew") from None

    def save(self) -> None:
        """Write the checkpoint and the network that plays."""
        from outplay.learning.networks import exported

        aside = self.folder / "checkpoint.pt.part"
        self.torch.save({
            "net": self.net.state_dict(), "averaged": self.averaged.state_dict(), "optimizer": self.optimizer.state_dict(),
            "elo": self.elo, "doubt": self.doubt, "seconds": self.seconds, "updates": self.updates, "played": self.games_played(),
            "evaluations": self.evaluations}, aside)  # fmt: skip
        aside.replace(self.folder / "checkpoint.pt")
        exported(self.averaged, self.game.name, self.told(played=self.games_played())).save(self.folder / self.file)

    def games_played(self) -> int:
        """Of the whole run."""
        return self.played + self.forest.finished()

    # ---------------------------------------------------------------- one step of each
    def ask(self, seen: Any, net: Any = None) -> tuple[Any, Any]:
        """What the network says of positions as it sees them."""
        with self.torch.inference_mode():
            x = seen.to(self.precision).contiguous(memory_format=self.layout)
            logits, value = (net or self.infer)(x)
            return logits.float().contiguous(), value.float().contiguous()

    def play(self) -> None:
        """One move in every game of self-play."""
        settings = self.settings
        full = bool(self.torch.rand(()) < settings.full_share)
        late = settings.late_simulations if 2 * self.seconds > settings.total_seconds else 0
        simulations = (late or settings.simulations) if full else settings.quick
        self.forest.search(self.ask, simulations, considered=settings.considered)
        self.forest.move(full=full)
        self.evaluations += settings.games * (simulations + 1)
        if full:
            self.owed += settings.games * settings.reuse / settings.batch

    def has_learned(self) -> bool:
        """Whether the network ever changed."""
        return self.updates > 0

    def pause(self, seconds: float) -> float:
        """The network meets its past so often in the whole run."""
        return float(self.settings.total_seconds / max(1, self.settings.snapshots))

    def measure(self) -> None:
        """Play the network against that of the last snapshot, and add up what it gained in Elo since the run began."""
        from outplay.learning.networks import Folded

        now = Folded(self.net).to(self.device).to(self.precision).to(memory_format=self.layout).eval()
        now.take(self.averaged)
        if self.past is not None:
            won, drawn, lost = duel(
                self.torch,
                self.game,
                lambda seen: self.ask(seen, now),
                lambda seen: self.ask(seen, self.past),
                games=DUEL_GAMES,
                simulations=self.settings.quick,
                device=self.device,
                seed=self.updates,
            )
            self.elo += elo(won, drawn, lost)
            self.doubt += elo_variance(won, drawn, lost)
        self.past = now
        self.save()

    def rate(self) -> float:
        """The learning rate now: up within the first moments, then down along a cosine."""
        done = min(1.0, self.seconds / self.settings.total_seconds)
        return self.settings.rate * min(1.0, (self.updates + 1) / 100) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * done)))

    def compile_learning(self) -> None:
        """Learn by compiled code from now on, if that is quicker: half of the time on a GPU goes into learning. The network is left
        as it was."""
        torch, made = self.torch, self.torch.compile(self.net)
        before = {name: tensor.clone() for name, tensor in self.net.state_dict().items()}
        seen = torch.rand((self.settings.batch, *self.game.rules.plane_shape), device=self.device)

        def seconds(net: Any) -> float:
            spent = math.inf
            for _ in range(4):  # the first compiles
                begun = time.perf_counter()
                with torch.autocast(self.device, dtype=torch.bfloat16, enabled=self.device == "cuda"):
                    logits, value, guessed = net(seen.contiguous(memory_format=self.layout))
                loss = logits.float().sum() + value.float().sum() + (guessed.float().sum() if guessed is not None else 0)
                loss.backward()
                float(loss)  # waits for the device
                if self.device == "cuda":
                    torch.cuda.synchronize()
                spent = min(spent, time.perf_counter() - begun)
            return spent

        self.net.train()
        try:
            if seconds(made) < seconds(self.net):
                self.trained = made
        except Exception:  # whatever a compiler raises that lacks something on this machine
            self.trained = self.net
        self.optimizer.zero_grad(set_to_none=True)
        self.net.load_state_dict(before)

    def learn(self, rows: Any = None) -> None:
        """One step of the optimizer, from `rows` of what the forest has kept (all that are ready, where nothing is said)."""
        torch = self.torch
        seen, policy, outcome, targets = self.forest.batch(self.settings.batch, turned=self.settings.turned > 0, rows=rows)
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate()
        self.net.train()
        with torch.autocast(self.device, dtype=torch.bfloat16, enabled=self.device == "cuda"):
            logits, value, guessed = self.trained(seen.contiguous(memory_format=self.layout))
        by_policy = -(policy * torch.log_softmax(logits.float(), 1)).sum(1).mean()
        by_value = ((value.float() - outcome) ** 2).mean()
        loss = by_policy + by_value
        self.losses = {"policy": by_policy.detach(), "value": by_value.detach()}
        if guessed is not None:
            by_target, by_score = target_errors(guessed.float(), targets)
            loss = loss + self.settings.target_weight * by_target + self.settings.score_weight * by_score
            self.losses |= {"targets": by_target.detach(), "score": by_score.detach()}
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 4.0)
        self.optimizer.step()
        self.updates += 1
        keep = min(self.settings.average, 1 - 1 / (self.updates + 1))
        with torch.no_grad():  # all at once: a GPU would wait longer for a hundred small requests than it works on them
            pairs = zip(self.averaged.state_dict().values(), self.net.state_dict().values(), strict=True)
            mine, new = zip(*((old, now) for old, now in pairs if old.dtype.is_floating_point), strict=True)
            torch._foreach_lerp_(list(mine), list(new), 1 - keep)

    def get_ready(self) -> None:
        """Compile, before the clock runs."""
        if self.settings.source and not self.updates:
            self.warm_up()
        if not self.address:
            self.play()
        if self.device == "cuda":
            self.compile_learning()
        self.at_first = self.evaluations

    def steps(self) -> Iterator[None]:
        """Moves in all games, and steps of the optimizer as often as they owe."""
        from outplay.learning.away import play_round

        while not self.is_over:
            if self.address:
                self.owed += play_round(self, self.address, self.stop) * self.settings.reuse / self.settings.batch
            else:
                self.play()
            if self.owed >= 1 and (self.address or self.forest.step % 4 == 0):
                rows = self.forest.ready_rows()
                if len(rows) >= self.settings.batch:
                    for _ in range(int(self.owed)):
                        self.learn(rows)
                    self.owed -= int(self.owed)
                    self.asked.take(self.averaged)
            self.owed = min(self.owed, 200.0)  # while no game is over yet there is nothing to learn from
            yield

    def standing(self) -> dict[str, Any]:
        """Games, updates, Elo over its own past, and the losses."""
        return {
            "games": self.games_played(), "updates": self.updates, "elo": round(self.elo),
            "elo_error": round(1.96 * math.sqrt(self.doubt)), "positions": self.forest.ready(),
            "evaluations_per_second": self.per_second(self.evaluations - self.at_first),
            "rate": self.rate(), **{f"{name}_loss": round(float(value), 4) for name, value in self.losses.items()},
        }  # fmt: skip


def duel(
    torch: Any,
    game: CompiledGame,
    first: Ask,
    second: Ask,
    *,
    games: int,
    simulations: int,
    device: str = "cpu",
    plies: int = 6,
    seed: int = 0,
) -> tuple[int, int, int]:
    """Games won, drawn and lost by the first network; every random opening is played twice, with the sides changed."""
    half = max(1, games // 2)
    forest = Forest(torch, game, 2 * half, simulations, 2, device)
    starts = openings(game, half, 1.0, plies, seed)
    forest.begin(np.concatenate([starts, starts]))
    is_first = torch.arange(2 * half, device=device) < half
    result = torch.full((2 * half,), math.nan, device=device)
    for _ in range(LONGEST_DUEL):
        mover = forest.trees["movers"].reshape(2 * half, forest.room)[:, 0]
        turn = (mover == 0) == is_first  # whether it is the first network's

        def ask(seen: Any, turn: Any = turn) -> tuple[Any, Any]:
            (logits, value), (others, other) = first(seen), second(seen)
            return torch.where(turn[:, None], logits, others), torch.where(turn, value, other)

        forest.search(ask, simulations, noisy=0.0)
        forest.move(full=True)
        rows = slice(((forest.step - 1) % 2) * 2 * half, ((forest.step - 1) % 2 + 1) * 2 * half)
        over = (forest.kept["ready"][rows] == 1) & torch.isnan(result)
        gained = forest.kept["values"][rows] * torch.where(forest.kept["movers"][rows] == 0, 1.0, -1.0)
        result = torch.where(over, gained * torch.where(is_first, 1.0, -1.0), result)
        if not bool(torch.isnan(result).any()):
            break
    result = torch.nan_to_num(result)
    return int((result > 0).sum()), int((result == 0).sum()), int((result < 0).sum())


def target_errors(guessed: Any, targets: Any) -> tuple[Any, Any]:
    """How wrong targets were foreseen, [position, target]: each of them, and their sum, which is a game's score where they say who
    owns each point. Both are squared errors a target: were the targets' errors independent, the two would be alike."""
    missed = guessed - targets
    return (missed**2).mean(), (missed.sum(1) ** 2).mean() / missed.shape[1]


def elo(won: int, drawn: int, lost: int) -> float:
    """The difference in Elo that a result stands for; a clean sweep counts as if half a game had been lost.

    >>> round(elo(75, 0, 25)), round(elo(10, 20, 10))
    (190, 0)
    """
    return rating((won + drawn / 2 + 0.25) / (won + drawn + lost + 0.5))


def elo_variance(won: int, drawn: int, lost: int) -> float:
    """The square of that difference's standard error.

    >>> round(1.96 * elo_variance(75, 0, 25) ** 0.5)  # 190 +- 78
    78
    """
    games = won + drawn + lost + 0.5
    share = (won + drawn / 2 + 0.25) / games
    spread = (won + drawn / 4 + 0.125) / games - share * share
    return (400 / math.log(10) / (share * (1 - share))) ** 2 * max(spread, 0.0) / games


def keeps_the_value(
    net: Net, answers: list[tuple[bytes, list[int]]], simulations: int, *, device: str = "cpu", symmetric: bool = False
) -> float:
    """On which share of positions a network's choice is among the right answers; with 0 simulations, without any search.

    With `symmetric`, it is asked about every turned and mirrored form of a position, and says the average.
    """
    torch = run.torch_module()
    from outplay.learning.networks import restored

    game = known_game(net.game)
    rules: Any = game.rules
    asked = restored(net).to(device).eval()
    forest = Forest(torch, game, len(answers), max(1, simulations), 1, device)
    forest.begin(np.concatenate([np.frombuffer(state, rules.layout) for state, _ in answers]))
    turns: Any = symmetries(game) if symmetric else [(slice(None), slice(None))]

    def ask(seen: Any) -> tuple[Any, Any]:
        with torch.inference_mode():
            flat = seen.reshape(len(seen), net.planes[0], -1)
            logits: Any = 0
            value: Any = 0
            for points, actions in turns:
                said, worth = asked(flat[:, :, points].reshape(seen.shape).contiguous())
                logits, value = logits + said[:, actions] / len(turns), value + worth / len(turns)
            return logits.float().contiguous(), value.float().contiguous()

    forest.search(ask, max(1, simulations), noisy=0.0)
    chosen = forest.choices(by_search=simulations > 0)
    return float(np.mean([int(action) in right for action, (_, right) in zip(chosen, answers, strict=True)]))
