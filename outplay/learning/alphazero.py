"""AlphaZero for any game of two players without chance (Silver and others, 2017), with what later work found to save time.

Self-play of thousands of games at once (`forest`), and a network (`networks`) that learns from them which actions the search came
to prefer and who won. From nothing but the rules: the first games are random. Of later work are in: Gumbel noise and sequential
halving at the root (Danihelka and others, 2022); playout-cap randomization, by which most moves get a quick search that is not
learned from, and targets beside the outcome, such as who owns each point in Go (both David Wu, KataGo, 2019); the game's
symmetries; a running average of the weights, which plays better than the weights of the moment (Polyak and Juditsky, 1992).

A run lives in a folder: `settings.json`, `checkpoint.pt`, `log.jsonl`, `network.outplay`. It can be killed at any moment and goes
on from its last checkpoint, at most a minute old.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from outplay.errors import BadValue, Unavailable
from outplay.files import append_line, write_whole
from outplay.game import load
from outplay.knowledge.nets import Net, policy_size, symmetries
from outplay.learning.forest import Forest, openings

CHECKPOINT_SECONDS = 45.0
"""Between two checkpoints: a run that is killed loses less than a minute."""
REPORT_SECONDS = 15.0
SNAPSHOTS, DUEL_GAMES, LONGEST_DUEL = 8, 256, 600
"""How often in a run the network meets its own past (where nothing is said), over how many games, and the plies after which a game
counts as drawn."""

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
    snapshots: int = SNAPSHOTS  # how often in that time it meets its own past; in Go each takes some ten seconds
    seed: int = 0


SMALL = {"games": 512, "blocks": 2, "channels": 32, "simulations": 24, "quick": 8, "full_share": 0.33, "considered": 8,
         "trust": 0.3, "rows": 100, "batch": 256}  # fmt: skip
"""What suits a processor, where nothing is said."""


def settled(folder: Path, settings: Any, changes: Mapping[str, Any], fixed: Sequence[str]) -> Any:
    """The settings in a run's folder, where it has some: a run goes on as it began, but for what is asked to change now. What is
    `fixed`, such as the size of the network, never changes."""
    file, kind = folder / "settings.json", type(settings)
    if file.exists():
        try:
            old = json.loads(file.read_text())
            if "game" not in old:
                raise KeyError
            known = kind(**old)  # what an older version had no setting for is as it was then: the default
        except (ValueError, KeyError, TypeError):
            raise BadValue(f"{file} is damaged or of another recipe: give another folder, or remove it") from None
        if known.game != settings.game:
            raise BadValue(f"{folder} holds a run of {known.game}, not of {settings.game}: give another folder")
        for name in fixed:
            if changes.get(name, getattr(known, name)) != getattr(known, name):
                raise BadValue(f"{folder} holds a run with {name}={getattr(known, name)}, which cannot change: give another folder")
        settings = replace(known, **changes)
    write_whole(file, json.dumps(asdict(settings), indent=1).encode())
    return settings


def torch_module() -> Any:
    """The module torch, or one line that says how to get it."""
    try:
        import torch
    except ImportError:
        raise Unavailable("learning a network needs torch: install it with `pip install outplay[learn]`") from None
    return torch


class Run:
    """One run of learning in its folder, begun or continued."""

    def __init__(
        self, folder: Path, settings: Settings, device: str, threads: int = 1, changes: Mapping[str, Any] | None = None
    ) -> None:
        torch = torch_module()
        if device == "cpu":  # torch's threads wait for each other in a loop: on a busy machine, one does far more
            torch.set_num_threads(threads)
        from outplay.learning.networks import Folded, Network

        self.torch, self.folder, self.device = torch, folder, device
        if device == "cuda" and not torch.cuda.is_available():
            raise Unavailable("no CUDA device found on this machine: use --device cpu")
        torch.backends.cudnn.benchmark = True  # shapes stay the same all along: the quickest convolution is looked for once
        folder.mkdir(parents=True, exist_ok=True)
        self.settings = settings = settled(folder, settings, changes or {}, fixed=("blocks", "channels"))
        self.game = load(settings.game)
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
        shape = (tuple(rules.plane_shape), policy_size(rules), settings.blocks, settings.channels, self.forest.targets)
        self.layout = torch.channels_last if device == "cuda" else torch.contiguous_format
        self.net = Network(*shape).to(device).to(memory_format=self.layout)
        self.averaged = Network(*shape).to(device).to(memory_format=self.layout)
        self.averaged.load_state_dict(self.net.state_dict())
        rate, decay = settings.rate, settings.decay
        self.optimizer = torch.optim.AdamW(self.net.parameters(), lr=rate, weight_decay=decay, fused=device == "cuda")
        self.precision = torch.bfloat16 if device == "cuda" else torch.float32
        self.asked = Folded(self.net).to(device).to(self.precision).to(memory_format=self.layout).eval()
        self.seconds, self.updates, self.played, self.evaluations, self.elo_before, self.doubt = 0.0, 0, 0, 0, 0.0, 0.0
        self._resume()
        self.asked.take(self.averaged if self.updates else self.net)
        self.infer = torch.compile(self.asked) if device == "cuda" else self.asked
        self.trained: Any = self.net  # or the same compiled, see `compile_learning`
        self.owed = 0.0
        self.past: Any = None  # the network of the last snapshot, and when the next is due
        self.elo, self.next_snapshot = self.elo_before, self.seconds  # `doubt` is the variance of the sum of gains
        self.losses: dict[str, float] = {}
        self.rounds, self.away = self.updates, 0  # of self-play on a cluster: rounds so far, where the next positions go

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
            self.elo_before, self.doubt = float(held["elo"]), float(held.get("doubt", 0.0))
            self.played, self.evaluations = int(held["played"]), int(held["evaluations"])
            self.torch.manual_seed(self.settings.seed + self.updates)
        except Exception:  # whatever a damaged file raises
            raise BadValue(f"{file} is damaged: remove it to begin anew") from None

    def save(self) -> None:
        """Write the checkpoint and the network that plays, each aside and then renamed."""
        from outplay.learning.networks import exported

        aside = self.folder / "checkpoint.pt.part"
        self.torch.save({
            "net": self.net.state_dict(), "averaged": self.averaged.state_dict(), "optimizer": self.optimizer.state_dict(),
            "elo": self.elo, "doubt": self.doubt, "seconds": self.seconds, "updates": self.updates, "played": self.games_played(),
            "evaluations": self.evaluations}, aside)  # fmt: skip
        aside.replace(self.folder / "checkpoint.pt")
        told = {"recipe": "alphazero", "seconds": round(self.seconds), "played": self.games_played(), **asdict(self.settings)}
        exported(self.averaged, self.game.name, told).save(self.folder / "network.outplay")

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

    def play_away(self, address: str, stop: Callable[[], bool] | None) -> None:
        """One round of self-play on a cluster."""
        from outplay.learning.away import play_round

        event = getattr(stop, "__self__", None)  # of the event whose `is_set` this is
        self.owed += play_round(self, address, event) * self.settings.reuse / self.settings.batch

    def meet_the_past(self) -> None:
        """Play the network against that of the last snapshot, and add up what it gained in Elo since the run began."""
        from outplay.learning.networks import Folded

        self.next_snapshot = self.seconds + self.settings.total_seconds / max(1, self.settings.snapshots)
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

    def rate(self) -> float:
        """The learning rate now: up within the first moments, then down along a cosine."""
        done = min(1.0, self.seconds / self.settings.total_seconds)
        return self.settings.rate * min(1.0, (self.updates + 1) / 100) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * done)))

    def compile_learning(self) -> None:
        """Learn by compiled code from now on, if that is quicker: half of the time on a GPU goes into learning. The network is left
        as it was."""
        torch, made = self.torch, torch_module().compile(self.net)
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

    def work(
        self,
        seconds: float,
        tell: Callable[[dict[str, Any]], None] | None = None,
        stop: Callable[[], bool] | None = None,
        judge: Callable[[float], None] | None = None,
        address: str | None = None,
    ) -> dict[str, Any]:
        """Play and learn for so long (or until told to stop); the last report is returned, and everything is saved.

        `judge` is called when the network that plays has been saved at one of the run's moments, with the seconds so far. With an
        `address` the games are played on that cluster.
        """
        if address is None:
            self.play()  # compiles, before the clock runs
        if self.device == "cuda":
            self.compile_learning()
        before, begun = self.seconds, time.perf_counter()
        saved = told = begun
        at_start = self.evaluations
        report: dict[str, Any] = {}
        while True:
            now = time.perf_counter()
            self.seconds = before + now - begun
            if now - told > REPORT_SECONDS or now - begun >= seconds:
                report = self.report(self.evaluations - at_start, now - begun)
                append_line(self.folder / "log.jsonl", json.dumps(report))
                if tell is not None:
                    tell(report)
                told = now
            if now - begun >= seconds or (stop is not None and stop()):
                break
            if self.seconds >= self.next_snapshot and self.updates:
                self.meet_the_past()
                if judge is not None:
                    self.save()
                    judge(self.seconds)
            if now - saved > CHECKPOINT_SECONDS:
                self.save()
                saved = now
            if address is None:
                self.play()
            else:
                self.play_away(address, stop)
            if self.owed >= 1 and (address or self.forest.step % 4 == 0):
                rows = self.forest.ready_rows()
                if len(rows) >= self.settings.batch:
                    for _ in range(int(self.owed)):
                        self.learn(rows)
                    self.owed -= int(self.owed)
                    self.asked.take(self.averaged)
            self.owed = min(self.owed, 200.0)  # while no game is over yet there is nothing to learn from
        if self.updates:
            self.save()  # a last match takes a while, and who stopped the run may not wait for it
            self.meet_the_past()
            report |= {"elo": round(self.elo), "elo_error": round(1.96 * math.sqrt(self.doubt))}
        self.save()
        if judge is not None:
            judge(self.seconds)
        return report

    def report(self, evaluations: int, seconds: float) -> dict[str, Any]:
        """Where the run stands."""
        return {
            "seconds": round(self.seconds, 1), "games": self.games_played(), "updates": self.updates, "elo": round(self.elo),
            "elo_error": round(1.96 * math.sqrt(self.doubt)), "positions": self.forest.ready(),
            "evaluations_per_second": round(evaluations / max(seconds, 1e-9)),
            "rate": self.rate(), **{f"{name}_loss": round(float(value), 4) for name, value in self.losses.items()},
        }  # fmt: skip


def duel(
    torch: Any,
    game: Any,
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
    share = (won + drawn / 2 + 0.25) / (won + drawn + lost + 0.5)
    return 400 * math.log10(share / (1 - share))


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
    torch = torch_module()
    from outplay.learning.networks import restored

    game = load(net.game)
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
