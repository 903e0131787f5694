"""Regret minimization at native speed: equilibria of games with hidden information.

Counterfactual regret minimization (CFR, Zinkevich and others 2007) plays a game against itself. At each information set it keeps,
for each action, how much better always taking it would have done so far (its regret), and plays each action in proportion to its
positive regret. The *average* strategy of two players in a zero-sum game tends to an equilibrium.

>>> from outplay.game import load
>>> solver = RegretSolver(load("kuhn poker"), "cfr+")
>>> report = solver.run(2000)
>>> round(report.value, 3), report.exploitability < 1e-3, report.information_sets
(-0.056, True, 12)

One iteration over the sequence form (`regret_tree`) is two sparse products and two passes over the information sets, one player
after the other. Variants differ in how regrets and averages are weighted:

* ``cfr``: as published first; ``cfr+`` (Tammelin 2014): regrets below zero are forgotten, iteration t counts t times;
* ``linear``: iteration t counts t times everywhere; ``discounted`` (Brown and Sandholm 2019): past regrets fade, those below zero
  faster, with exponents 1.5, 0 and 2.

With more than two players, or where utilities do not cancel, average strategies come without a promise.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from outplay import extras
from outplay.engine.regret.tree import Tree, build
from outplay.errors import BadValue, UnknownName, Unsuitable
from outplay.files import read_arrays, write_whole
from outplay.game import CompiledGame, Game, Position, need
from outplay.jit import inlined, kernel, pointer
from outplay.values import Policy, fingerprint

ALGORITHMS = ("cfr+", "cfr", "linear", "discounted")
EXPONENTS = {"linear": (1.0, 1.0, 1.0), "discounted": (1.5, 0.0, 2.0)}
FORMS = ("auto", "public", "flat")
SLICE_SECONDS = 0.05


class Variant(NamedTuple):
    """How an algorithm weighs regrets and averages, for the kernels."""

    plus: bool  # regrets below zero are forgotten, and iteration t counts t times
    alpha: float  # after iteration t regrets above zero fade by t^alpha / (t^alpha + 1)
    beta: float  # those below zero by t^beta / (t^beta + 1)
    gamma: float  # and the sums by (t / (t + 1))^gamma
    fading: bool  # whether the three exponents count

    @classmethod
    def of(cls, algorithm: str) -> Variant:
        """The weights of one of `ALGORITHMS`."""
        return cls(algorithm == "cfr+", *EXPONENTS.get(algorithm, (0.0, 0.0, 0.0)), algorithm in EXPONENTS)


class Infos(NamedTuple):
    """A player's information sets, each after those that lead to it."""

    parents: np.ndarray  # [set]: the sequence it hangs on
    firsts: np.ndarray  # [set]: its first action's sequence; those of the other actions follow
    counts: np.ndarray  # [set]: its actions

    @classmethod
    def of(cls, tree: Tree, player: int) -> Infos:
        """Those of a player in a tree."""
        return cls(tree.parents[player], tree.firsts[player], tree.counts[player])


class Payoffs(NamedTuple):
    """The ends in a game of two by one player's sequence: a sparse matrix, row by row."""

    starts: np.ndarray  # [sequence]: where its row begins; the last number is where all end
    others: np.ndarray  # [k]: the other's sequence
    worth: np.ndarray  # [k]: chance's share times the player's utility


class Ends(NamedTuple):
    """The ends in a game of any number of players."""

    last: np.ndarray  # [end, player]: each player's sequence
    worth: np.ndarray  # [end, player]: chance's share times the utility
    offsets: np.ndarray  # [player]: where its sequences begin in an array of all players'; the last number is where all end


class Learned(NamedTuple):
    """What a player keeps of each of its sequences."""

    regrets: np.ndarray
    strategy: np.ndarray  # what the regrets ask for
    reach: np.ndarray  # how likely the player makes it
    sums: np.ndarray  # of reaches: the average strategy
    values: np.ndarray  # what it earns in this iteration


# ---------------------------------------------------------------- passes over one player's information sets


@inlined
def match_regrets(infos: Any, regrets: Any, strategy: Any, reach: Any) -> None:
    """The strategy that the regrets ask for, and how likely the player makes each of its sequences."""
    sets = len(infos.firsts)
    parents, firsts, counts = pointer(infos.parents), pointer(infos.firsts), pointer(infos.counts)
    regrets, strategy, reach = pointer(regrets), pointer(strategy), pointer(reach)
    reach[0] = 1.0
    for info in range(sets):
        first, count = firsts[info], counts[info]
        above = reach[parents[info]]
        total = 0.0
        for a in range(first, first + count):
            total += max(regrets[a], 0.0)
        if total > 0.0:
            scale = 1.0 / total
            for a in range(first, first + count):
                strategy[a] = max(regrets[a], 0.0) * scale
                reach[a] = above * strategy[a]
        else:
            share = 1.0 / count
            for a in range(first, first + count):
                strategy[a] = share
                reach[a] = above * share


@inlined
def weigh_two(payoffs: Any, reach: Any, values: Any, begin: Any, end: Any) -> None:
    """What sequences begin to end of a player earn at the ends they lead to, the other playing as `reach` says."""
    starts, others, worth = pointer(payoffs.starts), pointer(payoffs.others), pointer(payoffs.worth)
    reach, values = pointer(reach), pointer(values)
    for row in range(begin, end):
        total = 0.0
        for k in range(starts[row], starts[row + 1]):
            total += worth[k] * reach[others[k]]
        values[row] = total


@inlined
def weigh_many(ends: Any, player: Any, reach: Any, values: Any) -> None:
    """The same for any number of players and all sequences: the product of all others' reaches at each end."""
    last, worth, offsets = ends.last, ends.worth, ends.offsets
    for row in range(len(values)):
        values[row] = 0.0
    for end in range(len(last)):
        product = worth[end, player]
        for other in range(last.shape[1]):
            if other != player:
                product *= reach[offsets[other] + last[end, other]]
        values[last[end, player]] += product


@inlined
def update(infos: Any, learned: Any, floor: Any) -> None:
    """From the last information set to the first: what it is worth, and what each action's regret becomes."""
    sets = len(infos.firsts)
    parents, firsts, counts = pointer(infos.parents), pointer(infos.firsts), pointer(infos.counts)
    regrets, strategy, values = pointer(learned.regrets), pointer(learned.strategy), pointer(learned.values)
    for back in range(sets):
        info = sets - 1 - back
        first, count = firsts[info], counts[info]
        worth = 0.0
        for a in range(first, first + count):
            worth += strategy[a] * values[a]
        for a in range(first, first + count):
            regret = regrets[a] + values[a] - worth
            regrets[a] = max(regret, floor)
        values[parents[info]] += worth


@inlined
def discount(numbers: Any, positive: Any, negative: Any) -> None:
    """Let the past fade: by one factor above zero and another below."""
    for k in range(len(numbers)):
        numbers[k] *= positive if numbers[k] > 0.0 else negative


@inlined
def fade(regrets: Any, sums: Any, t: Any, variant: Any) -> None:
    """Discounted CFR's weights after iteration t."""
    above, under = float(t) ** variant.alpha, float(t) ** variant.beta
    discount(regrets, above / (above + 1.0), under / (under + 1.0))
    factor = (t / (t + 1.0)) ** variant.gamma
    for k in range(len(sums)):
        sums[k] *= factor


@inlined
def learn(infos: Any, learned: Any, t: Any, variant: Any) -> None:
    """What a player learns in iteration t from what its sequences earned."""
    regrets, reach, sums = learned.regrets, learned.reach, learned.sums
    update(infos, learned, 0.0 if variant.plus else -np.inf)
    weight = float(t) if variant.plus else 1.0
    for k in range(len(sums)):
        sums[k] += weight * reach[k]
    if variant.fading:
        fade(regrets, sums, t, variant)
    match_regrets(infos, regrets, learned.strategy, reach)


@kernel
def iterate_two(infos0: Any, payoffs0: Any, learned0: Any, infos1: Any, payoffs1: Any, learned1: Any, begin: Any, end: Any,
                variant: Any) -> None:
    """Iterations begin + 1 to end of a game of two, one player's regrets after the other's."""
    match_regrets(infos0, learned0.regrets, learned0.strategy, learned0.reach)
    match_regrets(infos1, learned1.regrets, learned1.strategy, learned1.reach)
    for t in range(begin + 1, end + 1):
        weigh_two(payoffs0, learned1.reach, learned0.values, 0, len(learned0.values))
        learn(infos0, learned0, t, variant)
        weigh_two(payoffs1, learned0.reach, learned1.values, 0, len(learned1.values))
        learn(infos1, learned1, t, variant)


@kernel
def iterate_player(ends: Any, player: Any, infos: Any, learned: Any, reach: Any, t: Any, variant: Any) -> None:
    """One player's part of iteration t in a game of any number of players; `reach` holds all players', one after the other."""
    weigh_many(ends, player, reach, learned.values)
    learn(infos, learned, t, variant)


@kernel
def weigh_some(payoffs: Any, reach: Any, values: Any, begin: Any, end: Any) -> None:
    """One thread's part of `weigh_two`."""
    weigh_two(payoffs, reach, values, begin, end)


@kernel
def learn_alone(infos: Any, learned: Any, t: Any, variant: Any) -> None:
    """`learn` as a kernel of its own, for iterations whose products are shared among threads."""
    learn(infos, learned, t, variant)


@kernel
def spread(infos: Any, regrets: Any, strategy: Any, reach: Any) -> None:
    """`match_regrets` as a kernel of its own: also turns sums of reaches into the average strategy."""
    match_regrets(infos, regrets, strategy, reach)


@kernel
def respond(ends: Any, player: Any, infos: Any, strategy: Any, reach: Any, values: Any, best: Any) -> Any:
    """What a player earns against the others' strategies: with its own strategy, or with the best answer to them.

    Afterwards `values` holds what each sequence is worth in that play.
    """
    parents, firsts, counts = infos.parents, infos.firsts, infos.counts
    weigh_many(ends, player, reach, values)
    for back in range(len(firsts)):
        info = len(firsts) - 1 - back
        first, count = firsts[info], counts[info]
        value = 0.0
        if best:
            value = values[first]
            for a in range(first + 1, first + count):
                value = max(value, values[a])
        else:
            for a in range(first, first + count):
                value += strategy[a] * values[a]
        values[parents[info]] += value
    return values[0]


# ---------------------------------------------------------------- the solver


@dataclass(frozen=True)
class Report:
    """How good the average strategy is after some iterations."""

    algorithm: str
    iterations: int
    seconds: float
    values: tuple[float, ...]  # what each player gets when all follow the average strategy
    responses: tuple[float, ...] | None  # what each would get by the best answer to the others; None: nobody knows
    information_sets: int
    nodes: int
    promise: bool  # whether the average is known to tend to an equilibrium: two players whose utilities add up to a constant
    form: str = "flat"  # or "public": nodes are public states, each with a vector of hands
    hands: int = 0

    @property
    def value(self) -> float:
        """What the first player gets."""
        return self.values[0]

    @property
    def nash_conv(self) -> float | None:
        """How much all players together could gain, each by changing alone (NashConv); 0 is an equilibrium."""
        if self.responses is None:
            return None
        return sum(best - value for best, value in zip(self.responses, self.values, strict=True))

    @property
    def exploitability(self) -> float | None:
        """NashConv for each player: what a player loses on average against the best answer."""
        return None if self.nash_conv is None else self.nash_conv / len(self.values)


class Learner:
    """What all regret solvers share: slices of iterations, limits, and a report each time the iterations have doubled."""

    SLICE, LEAST, USUAL = 1, 16, 1000
    """Iterations of the first slice, before the first report, and where no limit is given."""
    iterations: int
    seconds: float

    def advance(self, iterations: int) -> None:
        """Do that many iterations."""
        raise NotImplementedError

    def report(self) -> Report:
        """How good the average strategy is."""
        raise NotImplementedError

    def search(self, iterations: int | None = None, *, seconds: float | None = None, target: float | None = None,
               stop: threading.Event | None = None) -> Iterator[Report]:
        """A report each time the iterations have doubled, and a last one at the limit or when stopped.

        `target` is an exploitability that will do. Whoever wants Ctrl-C to keep what was learned sets `stop` from it.
        """
        if iterations is not None and iterations < 1:
            raise BadValue(f"iterations must be 1 or more, got {iterations}")
        begun = self.iterations
        wanted = begun + iterations if iterations is not None else 2**62 if seconds or target else begun + self.USUAL
        started, size, told = time.perf_counter(), self.SLICE, -1
        while self.iterations < wanted:
            before = time.perf_counter()
            if (seconds is not None and before - started >= seconds) or (stop is not None and stop.is_set()):
                break
            goal = max(self.LEAST, 1 << self.iterations.bit_length())
            step = min(size, wanted - self.iterations, goal - self.iterations)
            self.advance(step)
            taken = time.perf_counter() - before
            self.seconds += taken
            if step == size:
                size = max(1, int(size * min(max(SLICE_SECONDS / max(taken, 1e-7), 0.25), 8.0)))
            if self.iterations == goal and self.iterations < wanted:
                report = self.report()
                told = self.iterations
                yield report
                if target is not None and report.exploitability is not None and report.exploitability <= target:
                    return
        if told != self.iterations:
            yield self.report()

    def run(self, iterations: int | None = None, **limits: Any) -> Report:
        """The last report of a search."""
        return list(self.search(iterations, **limits))[-1]


class RegretSolver(Learner):
    """CFR and its variants over the whole tree of a game; runs can be stopped, saved and taken up again."""

    def __init__(self, game: CompiledGame, algorithm: str = "cfr+", *, tree: Tree | None = None, memory: float = 4096,
                 roots: Any = None, recall: bool = False, threads: int = 1, stop: threading.Event | None = None,
                 progress: Any = None) -> None:
        if algorithm not in ALGORITHMS:
            raise UnknownName("regret algorithm", algorithm, ALGORITHMS)
        if threads < 1:
            raise BadValue(f"threads must be 1 or more, got {threads}")
        check_game(algorithm, game)
        if threads > 1 and game.traits.players != 2:
            raise Unsuitable(f"{algorithm} runs on several threads in games of two players; {game.name} has {game.traits.players}")
        self.game, self.algorithm, self.threads = game, algorithm, threads
        self.tree = tree if tree is not None else build(game, roots, memory=memory, recall=recall, stop=stop,
                                                                progress=progress)
        self.promise = game.traits.players == 2 and game.traits.sum != "general"
        self.iterations, self.seconds = 0, 0.0
        sizes = self.tree.sequences
        self.offsets = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
        self.regrets = tuple(np.zeros(size) for size in sizes)
        self.sums = tuple(np.zeros(size) for size in sizes)
        self._strategy = tuple(np.zeros(size) for size in sizes)
        self._reach = np.zeros(int(self.offsets[-1]))
        self._values = tuple(np.zeros(size) for size in sizes)
        self._payoffs = [Payoffs(*self.tree.rows(p)) for p in range(2)] if self.tree.players == 2 else None
        self._infos = [Infos.of(self.tree, p) for p in range(self.tree.players)]

    def _learned(self) -> list[Learned]:
        parts = [self._reach[begin:end] for begin, end in pairwise(self.offsets)]
        return [Learned(*each) for each in zip(self.regrets, self._strategy, parts, self.sums, self._values, strict=True)]

    def advance(self, iterations: int) -> None:
        """Do that many iterations."""
        variant, infos, learned, begin = Variant.of(self.algorithm), self._infos, self._learned(), self.iterations
        if self._payoffs is not None and self.threads > 1:
            self._advance_together(iterations, learned, variant)
        elif self._payoffs is not None:
            iterate_two(infos[0], self._payoffs[0], learned[0], infos[1], self._payoffs[1], learned[1], begin, begin + iterations,
                        variant)
        else:
            ends = Ends(self.tree.last, self.tree.worth, self.offsets)
            for info, mine in zip(infos, learned, strict=True):
                spread(info, mine.regrets, mine.strategy, mine.reach)
            for t in range(begin + 1, begin + iterations + 1):
                for p in range(self.tree.players):
                    iterate_player(ends, p, infos[p], learned[p], self._reach, t, variant)
        self.iterations += iterations

    def _advance_together(self, iterations: int, learned: list[Learned], variant: Variant) -> None:
        """The same iterations, to the bit, with the products, which take most of the time, shared among threads."""
        from concurrent.futures import ThreadPoolExecutor

        assert self._payoffs is not None
        parts = []  # each player's sequences, cut where every thread has about as many ends
        for starts, *_ in self._payoffs:
            wanted = [starts[-1] * k // self.threads for k in range(1, self.threads)]
            cuts = [0, *np.searchsorted(starts[:-1], wanted).tolist(), len(starts) - 1]
            parts.append(list(pairwise(cuts)))
        for infos, mine in zip(self._infos, learned, strict=True):
            spread(infos, mine.regrets, mine.strategy, mine.reach)
        with ThreadPoolExecutor(self.threads) as pool:
            for t in range(self.iterations + 1, self.iterations + iterations + 1):
                for p in range(2):
                    arrays = self._payoffs[p], learned[1 - p].reach, learned[p].values
                    for done in [pool.submit(weigh_some, *arrays, begin, end) for begin, end in parts[p]]:
                        done.result()
                    learn_alone(self._infos[p], learned[p], t, variant)

    # ------------------------------------------------ what was learned
    def average(self) -> tuple[np.ndarray, ...]:
        """The average strategy: of each player and sequence, how likely its last action is at its information set."""
        shares = []
        for p in range(self.tree.players):
            share, reach = np.zeros(len(self.sums[p])), np.zeros(len(self.sums[p]))
            spread(self._infos[p], self.sums[p], share, reach)
            shares.append(share)
        return tuple(shares)

    def report(self) -> Report:
        """How good the average strategy is."""
        values, responses = evaluate(self.tree, self.average())
        return Report(self.algorithm, self.iterations, self.seconds, values, responses, self.tree.information_sets,
                      self.tree.nodes, self.promise)

    def table(self) -> Iterator[tuple[int, Position, dict[int, float], float]]:
        """Each information set: its player, what it sees, the mixture, and how likely it is reached; likeliest first."""
        yield from rows(self.tree, self.average())

    def policy(self) -> Policy:
        """The average strategy as a policy that can be saved and played."""
        return policy_of_rows(self.game, self.table())

    # ------------------------------------------------ checkpoints
    def save(self, file: str | Path) -> None:
        """Write all that is needed to go on later."""
        arrays = {f"regrets{p}": each for p, each in enumerate(self.regrets)}
        arrays |= {f"sums{p}": each for p, each in enumerate(self.sums)}
        write_whole(file, lambda out: np.savez(out, game=self.game.name, rules=rules_stamp(self.game), algorithm=self.algorithm,
                                               iterations=self.iterations, seconds=self.seconds, **arrays))

    def resume(self, file: str | Path) -> None:
        """Go on from a checkpoint; refuses one of another game, of other rules or of another algorithm."""
        saved = checkpoint(file, self.game, self.algorithm)
        for p in range(self.tree.players):
            self.regrets[p][:], self.sums[p][:] = saved[f"regrets{p}"], saved[f"sums{p}"]
        self.iterations, self.seconds = int(saved["iterations"]), float(saved["seconds"])


def check_game(algorithm: str, game: Game) -> None:
    """Refuse a game that regret minimization cannot take, in one sentence."""
    need(algorithm, game, information="hidden", use="solve")
    if game.traits.players < 2:
        raise Unsuitable(f"{algorithm} needs a game of two or more players; {game.name} has 1 player: use the textbook's deals")
    if not hasattr(game, "rules"):
        raise Unsuitable(f"the engine needs compiled rules; {game.name} is a plain game: use the textbook's cfr")


def solver_for(game: Game, algorithm: str, *, memory: float = 2048, seed: int = 0, threads: int = 1, form: str = "auto",
               stop: threading.Event | None = None, progress: Any = None) -> Any:
    """The solver of that name: over the whole tree, or sampling.

    `form` is `public`, `flat`, or `auto`: the public tree where the game offers one and one thread does the work.
    """
    if form not in FORMS:
        raise UnknownName("form of a tree", form, FORMS)
    if form != "auto" and algorithm not in ALGORITHMS:
        raise BadValue(f"{algorithm} samples and needs no tree: leave the form out")
    if algorithm in ALGORITHMS:
        from outplay.engine.regret import public as regret_public
        from outplay.engine.regret import public_tree

        if form == "public" or (form == "auto" and threads == 1 and public_tree.is_offered(game)):
            return regret_public.PublicSolver(game, algorithm, memory=memory, threads=threads, stop=stop, progress=progress)
        return RegretSolver(game, algorithm, memory=memory, threads=threads, stop=stop, progress=progress)
    from outplay.engine.regret import sampling as regret_sampling

    own = extras.entry("equilibria", algorithm)
    if own is not None:
        return own[0].fetch(own[1])(game, seed=seed, threads=threads)
    if algorithm not in regret_sampling.ALGORITHMS:
        raise UnknownName("regret algorithm", algorithm, (*ALGORITHMS, *regret_sampling.ALGORITHMS, *extras.names("equilibria")))
    return regret_sampling.SampledSolver(game, algorithm, memory=memory, seed=seed, threads=threads)


def checkpoint(file: str | Path, game: CompiledGame, algorithm: str, form: str = "flat") -> Any:
    """The arrays of a checkpoint; refuses one of another game, of other rules, of another algorithm or form of the tree."""
    try:
        saved = read_arrays(file)
        name, stamp, by = str(saved["game"]), str(saved["rules"]), str(saved["algorithm"])
    except (BadValue, KeyError):
        raise BadValue(f"{file} is no checkpoint of a regret solver") from None
    if name != game.name:
        raise BadValue(f"{file} was saved for {name}, not for {game.name}")
    if stamp != rules_stamp(game):
        raise BadValue(f"{file}: the rules of {name} have changed since it was saved; solve it anew")
    if by != algorithm:
        raise BadValue(f"{file} was saved by {by}, and this is {algorithm}")
    was = str(saved["form"]) if "form" in saved else "flat"
    if was != form:
        raise BadValue(f"{file} was saved over a {was} tree, and this is a {form} one: --form {was}")
    return saved


def policy_of_rows(game: CompiledGame, table: Any) -> Policy:
    """A policy from rows of information sets, as `rows` gives them."""
    answers: dict[str, dict[str, float]] = {}
    for _, view, mixture, _ in table:
        text = view.text()
        if text in answers:
            raise Unsuitable(f"the notation of {game.name} writes two information sets alike, "
                             f"{text!r}: a policy cannot tell them apart")
        answers[text] = {view.action_text(action): share for action, share in mixture.items()}
    return Policy.of(game, answers)


def rules_stamp(game: CompiledGame) -> str:
    """A fingerprint of a game's rules and parameters: what was learned under others is worth nothing."""
    return fingerprint(game)


def evaluate(tree: Tree, shares: tuple[np.ndarray, ...]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """What each player gets when all play the given strategies, and what each would get by the best answer to the others."""
    offsets = np.concatenate(([0], np.cumsum(tree.sequences))).astype(np.int64)
    reach = np.zeros(int(offsets[-1]))
    for p in range(tree.players):
        part = reach[offsets[p] : offsets[p + 1]]
        spread(Infos.of(tree, p), shares[p], np.zeros(len(part)), part)
    ends, found = Ends(tree.last, tree.worth, offsets), []
    for best in (False, True):
        found.append(tuple(
            float(respond(ends, p, Infos.of(tree, p), shares[p], reach, np.zeros(tree.sequences[p]), best))
            for p in range(tree.players)
        ))
    return found[0], found[1]


def uniform_shares(tree: Tree) -> tuple[np.ndarray, ...]:
    """The strategy that takes each action of an information set alike."""
    shares = []
    for p in range(tree.players):
        share = np.zeros(tree.sequences[p])
        share[1:] = np.repeat(1.0 / tree.counts[p], tree.counts[p])
        shares.append(share)
    return tuple(shares)


def shares_of(tree: Tree, policy: Policy) -> tuple[np.ndarray, ...]:
    """A policy on a tree; uniform where it says nothing."""
    policy.check(tree.game)
    shares = uniform_shares(tree)
    for p in range(tree.players):
        for info in range(len(tree.firsts[p])):
            known = policy.shares(tree.view(p, info))
            first, count = int(tree.firsts[p][info]), int(tree.counts[p][info])
            for k in range(first, first + count) if known else ():
                shares[p][k] = known.get(int(tree.actions[p][k]), 0.0)
    return shares


@dataclass(frozen=True)
class Comparison:
    """Two policies for a game of two, measured exactly."""

    wins: tuple[float, float]  # what the first policy gets from the second: moving first, moving second
    exploitabilities: tuple[float, float]
    distance: float  # how far apart their mixtures are where the first one comes, from 0 to 1


def compare(game: CompiledGame, first: Policy, second: Policy, *, memory: float = 1024) -> Comparison:
    """Set two policies against each other in both seats, over the whole tree.

    >>> from outplay.game import load
    >>> kuhn = load("kuhn poker")
    >>> good, poor = RegretSolver(kuhn), RegretSolver(kuhn)
    >>> good.advance(3000), poor.advance(2)
    (None, None)
    >>> found = compare(kuhn, good.policy(), poor.policy())
    >>> sum(found.wins) > 0, found.exploitabilities[0] < found.exploitabilities[1], 0 < found.distance < 1
    (True, True, True)
    """
    if game.traits.players != 2:
        raise Unsuitable(f"policies are compared in games of two players; {game.name} has {game.traits.players}")
    tree = build(game, memory=memory)
    mine, theirs = shares_of(tree, first), shares_of(tree, second)
    wins = evaluate(tree, (mine[0], theirs[1]))[0][0], evaluate(tree, (theirs[0], mine[1]))[0][1]
    known = [evaluate(tree, each) for each in (mine, theirs)]
    lost = [sum(best) / 2 - sum(values) / 2 for values, best in known]
    apart, whole = 0.0, 0.0
    others = {(p, view.state): mixture for p, view, mixture, _ in rows(tree, theirs)}
    for p, view, mixture, reach in rows(tree, mine):
        whole += reach
        apart += reach * sum(abs(share - others[p, view.state][action]) for action, share in mixture.items()) / 2
    return Comparison(wins, (lost[0], lost[1]), apart / whole)


def rows(tree: Tree, shares: tuple[np.ndarray, ...]) -> Iterator[tuple[int, Position, dict[int, float], float]]:
    """Each information set with its mixture and how likely it is reached when all play so, likeliest first."""
    offsets = np.concatenate(([0], np.cumsum(tree.sequences))).astype(np.int64)
    reach = np.zeros(int(offsets[-1]))
    for p in range(tree.players):
        part = reach[offsets[p] : offsets[p + 1]]
        spread(Infos.of(tree, p), shares[p], np.zeros(len(part)), part)
    likely = tree.share.copy()
    for p in range(tree.players):
        likely *= reach[offsets[p] + tree.last[:, p]]
    found = []
    for p in range(tree.players):
        mass = np.bincount(tree.last[:, p], weights=likely, minlength=tree.sequences[p])
        for info in range(len(tree.firsts[p]) - 1, -1, -1):  # the mass of an information set is that of all that follows
            first, count = tree.firsts[p][info], tree.counts[p][info]
            mass[tree.parents[p][info]] += mass[first : first + count].sum()
            found.append((float(mass[first : first + count].sum()), p, info))
    for probability, p, info in sorted(found, key=lambda each: (-each[0], each[1], each[2])):
        first, count = int(tree.firsts[p][info]), int(tree.counts[p][info])
        mixture = {int(tree.actions[p][k]): float(shares[p][k]) for k in range(first, first + count)}
        yield p, tree.view(p, info), mixture, probability
