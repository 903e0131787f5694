"""Monte Carlo tree search at native speed, for two players or more, with chance or without (Coulom 2006; Kocsis, Szepesvari 2006).

>>> from outplay.game import load
>>> from outplay.values import Limits
>>> position = load("tic-tac-toe").position("xx./oo./... x")
>>> result = mcts(position, simulations=500, seed=1)
>>> position.action_text(result.action), result.value, result.exact  # proved, not only likely
('c3', 1.0, True)

`MonteCarlo` keeps its tree between the moves of a game. The action with the most visits is played, and the facts say why: visits,
value and interval of each action. Where the memory is full the tree stops growing, and simulations go on from its edge.
With one thread, the same seed gives the same tree. Where information is hidden, use `outplay.engine.montecarlo.deals`.
"""

from __future__ import annotations

import functools
import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from outplay.compiling.gpu import require
from outplay.engine import preferences
from outplay.engine.alphabeta.table import aligned
from outplay.engine.clock import Clock
from outplay.engine.memory import action_list, horizon_of, load_state, probability_rows, refuse_overrun, weights_of
from outplay.engine.montecarlo import gumbel
from outplay.engine.montecarlo import mcts_kernel as kernels
from outplay.engine.needs import refuse
from outplay.engine.pacing import Pacer, Watch, at_work
from outplay.errors import BadValue, UnknownName, Unsuitable
from outplay.game import CompiledGame, Position
from outplay.jit import kernel, random_source
from outplay.values import CHANCE, Action, Choice, Limits, Result, seen_by_max

FIRST_SLICE = 4000  # moves, in the tree and in playouts
SIMULATIONS = 10_000  # where no limit says how many
STORED_BYTES = 64  # states up to this size are kept in the nodes; larger ones are replayed from the root
SEARCHED_FOR_ROOT = 5000  # nodes of the old tree that are looked at for the new root
LOOK_SECONDS = 0.05  # how often a timed search looks whether it can end early
FIRST_REPORT = 1000  # simulations; each further report comes after twice as many
TABLE = 2**17  # entries; each is read a few times running, so that a large table costs little
PARALLEL = ("tree", "root")
HALVING_MOST = 400  # simulations; beyond, PUCT looks at everything anyway, and asks about several leaves at once


class Leaves(NamedTuple):
    """What an evaluator is asked: positions that the tree has reached."""

    states: np.ndarray  # records of the game
    actions: np.ndarray  # [leaf, k]: the actions of each, the first `counts[leaf]` of the row
    counts: np.ndarray


Evaluator = Callable[[Leaves], tuple[np.ndarray, np.ndarray | None]]
"""Takes leaves and returns utilities [leaf, player] and, or None, the probability of each action [leaf, k]."""


@kernel
def _fill_planes(states: Any, out: Any) -> None:
    for index in range(len(states)):
        states[index].planes(states[index].player(), out[index])


def planes(game: CompiledGame, states: np.ndarray) -> np.ndarray:
    """What a network sees of many states, each from the side of its player to move: [state, plane, ...].

    >>> from outplay.game import load
    >>> game = load("go:size=5,policy=light")
    >>> state = np.frombuffer(game.start().play("C3").state, game.rules.layout)
    >>> seen = planes(game, state)
    >>> seen.shape, seen[0, 1, 2, 2]  # the stone in the middle is the opponent's
    ((1, 6, 5, 5), np.float32(1.0))
    """
    if not game.rules.plane_shape:
        raise Unsuitable(f"a network needs rules with `planes` and a `plane_shape`; {game.name} has none")
    game.rules.bind()
    out = np.zeros((len(states), *game.rules.plane_shape), np.float32)
    _fill_planes(states, out)
    return out


def playouts_on_gpu(game: CompiledGame, games: int = 256, seed: int = 0) -> Evaluator:
    """An evaluator that plays a block of random games from each leaf on the GPU."""
    from outplay.engine.montecarlo import playouts_cuda

    require()
    calls = [seed]

    def evaluate(leaves: Leaves) -> tuple[np.ndarray, None]:
        calls[0] += 1
        sums = playouts_cuda.play_states(game, leaves.states, games, calls[0])[0]
        return sums / games, None

    return evaluate


@functools.cache
def square_roots_of_logarithms() -> np.ndarray:
    """Of the number of visits, up to as many as a table may hold; what lies above is computed on the way."""
    return np.sqrt(np.log(np.maximum(np.arange(TABLE), 1)))


class Arm(NamedTuple):
    """What the search knows of one action."""

    action: int
    visits: int
    value: float  # between 0 and 1, for the player to move
    proved: bool


def is_proved(total: float) -> bool:
    """Whether a node's sum is that of a proved one; sum and mark are two words, between which another thread may be."""
    return total <= kernels.BLOCKED


def value_of(total: float, visits: int) -> float:
    """The true value of a node that is proved, the mean of any other."""
    return kernels.BLOCKED - total if is_proved(total) else total / visits if visits else 0.0


class Tree:
    """The memory of one search: nodes, states, and what each thread needs of its own."""

    def __init__(self, game: CompiledGame, capacity: int, threads: int, settings: dict[str, float], batch: int, seed: int) -> None:
        rules = game.rules
        rules.bind()
        self.game, self.rules, self.capacity, self.threads, self.settings = game, rules, capacity, threads, settings
        kind = rules.action_type
        self.nodes, self.edges = aligned(capacity, kernels.NODE), aligned(capacity, np.dtype(kind))
        self.with_states, self.with_rave = bool(settings["stored"]), settings["rave"] > 0
        self.states = aligned(capacity if self.with_states else 1, rules.layout)
        self.rave = np.zeros(capacity if self.with_rave else 1, kernels.RAVE)
        self.extras = np.zeros(capacity if settings["extras"] else 1, kernels.EXTRA)
        reaches = (settings["exploration"] * square_roots_of_logarithms()).astype(np.float32)
        self.twins = np.zeros(1 << max(0, capacity // 4).bit_length() if settings["transpositions"] else 1, kernels.TWIN)
        self.arrays = kernels.Tree(self.nodes, self.edges, self.extras, self.states, self.rave, self.twins, reaches,
                                   weights_of(rules))
        self.root: Position | None = None
        most, sides = max(int(rules.most_actions), kernels.DRAWS), int(rules.traits.sides)
        rave_room = kernels.LONGEST if self.with_rave else 1
        self.own = [
            kernels.Own(
                control=np.zeros(1, kernels.CONTROL),
                path=np.zeros(kernels.LONGEST, np.uint64),
                scratch=rules.states(1),
                actions=action_list(rules),
                probabilities=probability_rows(rules, 1)[0],
                source=random_source(seed + 0x5851F42D4C957F2D * index),
                outcomes=np.zeros(sides),
                totals=np.zeros((most + 1, sides + 1)),
                said=np.zeros((rave_room, 2), kind),
                seen=np.zeros((sides, kernels.SLOTS if self.with_rave else 1), np.int64),
            )
            for index in range(threads)
        ]
        self.controls = [own.control for own in self.own]
        self.batch: kernels.Batch | None = None
        if batch:
            self.batch = kernels.Batch(
                paths=np.zeros((batch, kernels.LONGEST), np.uint64),
                depths=np.zeros(batch, np.int64),
                states=rules.states(batch),
                actions=np.zeros((batch, most), kind),
                counts=np.zeros(batch, np.int64),
            )

    # ---------------------------------------------------------------- the root
    def plant(self, position: Position, most: int | None = None, earlier: Sequence[Position] = ()) -> None:
        """Begin at a position: go on with what is known of it, where the last tree holds it. `most` limits the nodes.

        `earlier` are the positions of the game so far: they lead from the last root to this one.
        """
        room = self.capacity if most is None else max(1, min(self.capacity, most))
        index = self._find(position, earlier)
        if index and len(self.twins) > 1:
            index = None  # what several ways share would be copied for each of them: the tree grows anew
        if index is None:
            self.twins[:] = np.zeros(1, kernels.TWIN)
            self.nodes[:1] = np.zeros(1, kernels.NODE)
            self.nodes[0]["chooser"] = max(position.game.side(position.player()), 0)
            self.rave[:1] = np.zeros(1, kernels.RAVE)
            used = 1
        elif index == 0:
            used = None
        else:
            kept, old = np.zeros(self.capacity, kernels.NODE), np.zeros(self.capacity, np.int32)
            used = int(kernels.keep_subtree(self.nodes, index, kept, old))
            self.nodes[:used] = kept[:used]
            for beside in (self.edges, self.extras, self.states, self.rave):
                if len(beside) > 1:
                    beside[:used] = beside[old[:used]]
        load_state(self.states, 0, position)
        self.root = position
        for thread, control in enumerate(self.controls):
            for name in set(self.settings) & set(kernels.CONTROL.names or ()):
                control[name] = self.settings[name]
            for name in ("simulations", "deepest", "full", "leaves", "waiting", "work", "cut", "overrun", "shared_nodes"):
                control[name] = 0
            self.own[thread].seen[:] = 0
            if used is not None:  # each thread takes new nodes from a stretch of its own
                stretch = max(0, room - used) // self.threads
                control["used"], control["end"] = used + thread * stretch, used + (thread + 1) * stretch
                self.own[thread].totals[:] = 0

    def _find(self, position: Position, earlier: Sequence[Position]) -> int | None:
        """The node of a position below the old root: along the game so far where that is known, else a few moves below it."""
        if self.root is None or self.root.game is not position.game:
            return None
        if self.root == position:
            return 0
        since = next((at for at in range(len(earlier) - 1, -1, -1) if earlier[at] == self.root), None)
        way = () if since is None else (*earlier[since + 1 :], position)
        level, looked = [(0, self.root)], 0
        while level and looked < SEARCHED_FOR_ROOT:
            deeper = []
            for index, here in level:
                first = int(self.nodes[index]["first"])
                children = slice(first, first + int(self.nodes[index]["count"]))
                looked += children.stop - first
                for child in (first + np.flatnonzero(self.nodes[children]["visits"])).tolist():
                    after = Position(here.game, here.game.result(here.state, int(self.edges[child])))
                    if after == position and len(way) < 2:
                        return child
                    if not way:
                        deeper.append((child, after))
                    elif after == way[0]:
                        way, deeper = way[1:], [(child, after)]
                        break
                if looked >= SEARCHED_FOR_ROOT:
                    break
            level = deeper
        return None

    # ---------------------------------------------------------------- the work
    @np.errstate(over="ignore")
    def go(self, thread: int, until: int, moves: int) -> None:
        """Simulate on one thread until it has made so many, or about so many moves more."""
        control = self.controls[thread]
        control["until"], control["pause"] = until, control["work"] + moves
        kernels.simulate(self.arrays, self.own[thread])
        self._check(control)

    @np.errstate(over="ignore")
    def go_with(self, evaluator: Evaluator, until: int) -> None:
        """One batch of leaves, evaluated outside."""
        control = self.controls[0]
        control["until"] = until
        kernels.gather(self.arrays, self.own[0], self.batch)
        self._check(control)
        waiting = int(control["waiting"][0])
        if waiting == 0:
            return
        assert self.batch is not None
        values, priors = evaluator(Leaves(self.batch.states[:waiting], self.batch.actions[:waiting], self.batch.counts[:waiting]))
        values = np.ascontiguousarray(values, np.float64)
        if values.shape != (waiting, self.rules.players):
            raise BadValue(
                f"an evaluator of {waiting} leaves must return values of shape ({waiting}, {self.rules.players}), "
                f"got {values.shape}"
            )
        given = np.zeros((1, 1)) if priors is None else np.ascontiguousarray(priors, np.float64)
        kernels.receive(self.arrays, self.own[0], self.batch, values, given, priors is not None)

    def _check(self, control: np.ndarray) -> None:
        if control["overrun"][0]:
            self.root = None
            refuse_overrun(self.game)

    def simulations(self) -> int:
        """How many simulations were made since the root was planted."""
        return sum(int(control["simulations"][0]) for control in self.controls)

    def used(self) -> int:
        """How many nodes the tree has."""
        if self.threads == 1:
            return int(self.controls[0]["used"][0])
        stretch = int(self.controls[0]["end"][0]) - int(self.controls[1]["end"][0])
        starts = [int(control["end"][0]) + stretch for control in self.controls]
        return starts[0] + sum(int(control["used"][0]) - start for control, start in zip(self.controls, starts, strict=True))

    def arms(self, parent: int) -> list[Arm]:
        """What is known of a node's children, seen from it."""
        first = int(self.nodes[parent]["first"])
        children = slice(first, first + int(self.nodes[parent]["count"]))
        nodes = self.nodes[children]
        columns = (self.edges[children], nodes["visits"], nodes["total"])
        return [
            Arm(action, visits, value_of(total, visits), is_proved(total))
            for action, visits, total in zip(*(column.tolist() for column in columns), strict=True)
        ]

    def most_visited(self, parent: int) -> int:
        """The action that `decide` takes at a node; where nothing is proved there, which is nearly always, at NumPy's speed."""
        first = int(self.nodes[parent]["first"])
        children = slice(first, first + int(self.nodes[parent]["count"]))
        nodes = self.nodes[children]
        if nodes["proved"].any():
            return decide(self.arms(parent)).action
        visits = nodes["visits"].copy()  # other threads go on counting meanwhile
        level = np.flatnonzero(visits == visits.max())  # as many visits and the same mean: the first of them
        return int(self.edges[first + int(level[np.argmax(nodes["total"][level])])])

    def is_done(self) -> bool:
        """Whether the root is proved: nothing is left to find out."""
        return bool(self.nodes[0]["proved"])


class MonteCarlo:
    """Monte Carlo tree search that keeps its tree between the moves of a game.

    >>> from outplay.game import load
    >>> player = MonteCarlo(load("connect four"), seed=3)
    >>> position = load("connect four").start().play("4 1 4 1 4")
    >>> position.action_text(player.best(position, Limits(simulations=2000)).action)  # it must stop the column
    '4'
    """

    def __init__(
        self,
        game: Any,
        *,
        exploration: float | None = None,
        selection: str = "ucb1",
        solver: bool | None = None,
        rave: float | None = None,
        urgency: float | None = None,
        expand: int | None = None,
        threads: int = 1,
        parallel: str = "tree",
        memory: float = 64,
        seed: int = 0,
        evaluator: Evaluator | None = None,
        batch: int = 32,
        settle: bool = True,
        transpositions: bool = False,
        open_cards: bool = False,
    ) -> None:
        if selection not in (*kernels.RULES, "gumbel"):
            raise UnknownName("selection", selection, (*kernels.RULES, "gumbel"))
        if selection == "gumbel" and evaluator is None:
            raise BadValue("the selection gumbel goes with an evaluator: without one, give puct or ucb1")
        self.halves = selection == "gumbel"  # at the root, where the simulations are counted; PUCT everywhere else
        selection = "puct" if self.halves else selection
        if parallel not in PARALLEL:
            raise UnknownName("way to use threads", parallel, PARALLEL)
        check(game, memory, open_cards)
        # Defaults: what suits the game, then what suits most games.
        tuning = {"exploration": 1.4, "rave": 0.0, "urgency": 0.0 if selection == "puct" else kernels.FIRST, "expand": 1}
        if evaluator is None and selection == "ucb1":
            tuning |= preferences.montecarlo(game)
        exploration = tuning["exploration"] if exploration is None else exploration
        rave = tuning["rave"] if rave is None else rave
        urgency = tuning["urgency"] if urgency is None else urgency
        expand = int(tuning["expand"] if expand is None else expand)
        for name, value, least in (
            ("expand", expand, 1),
            ("urgency", urgency, 0),
            ("exploration", exploration, 0),
            ("rave", rave, 0),
            ("threads", threads, 1),
            ("batch", batch, 1),
        ):
            if not value >= least:
                raise BadValue(f"{name} must be {least} or more, got {value}")
        if rave and selection != "ucb1":
            raise BadValue(f"rave goes with the selection ucb1, got {selection}")
        if transpositions and (evaluator is not None or (threads > 1 and parallel == "tree")):
            raise BadValue("transpositions want a tree to each thread and no evaluator: give threads=1 or parallel=root")
        if evaluator is not None and threads > 1:
            raise BadValue("an evaluator is asked by one thread: give threads=1")
        traits = game.traits
        least, greatest = traits.bounds
        opposed = traits.sides == 2 and traits.total == least + greatest  # one side's outcome says the other's
        provable = opposed and not traits.chance
        if solver and not provable:
            raise Unsuitable(f"mcts with solver needs a two-player game without chance whose utilities add up; not {game.name}")
        self.game, self.evaluator, self.parallel, self.opposed, self.settle = game, evaluator, parallel, opposed, settle
        shared = evaluator is not None or (threads > 1 and parallel == "tree")
        size = int(game.rules.layout.itemsize)
        settings: dict[str, float] = {
            "rule": kernels.RULES[selection], "solver": provable if solver is None else solver, "shared": shared,
            "stored": size <= STORED_BYTES and not (threads > 1 and parallel == "tree"), "exploration": exploration, "rave": rave,
            "urgency": urgency, "expand": expand, "transpositions": transpositions,
            "evaluated": evaluator is not None, "players": traits.players, "sides": traits.sides,
            "least": least, "greatest": greatest,
            "inverse": 1 / (greatest - least), "scale": traits.scale, "horizon": horizon_of(game.rules),
            "vectors": not opposed or traits.chance,
            "extras": shared or traits.chance or selection in ("tuned", "puct"),
        }  # fmt: skip
        room = (
            kernels.NODE.itemsize
            + 12
            + (12 if settings["extras"] else 0)
            + (size if settings["stored"] else 0)
            + (16 if rave else 0)
            + (8 if transpositions else 0)
        )
        trees = threads if parallel == "root" else 1
        capacity = int(min(max(memory * 2**20 / room / trees, 2 * game.rules.most_actions + 2), 2**31 - 1))
        in_one = 1 if parallel == "root" else threads
        self.trees = [Tree(game, capacity, in_one, settings, batch if evaluator else 0, seed + 7919 * k) for k in range(trees)]

    def clear(self) -> None:
        """Forget everything learned so far."""
        for tree in self.trees:
            tree.root = None

    def rehearse(self, position: Position) -> None:
        """Compile what only a second search meets: keeping a part of the tree."""
        kernels.keep_subtree(np.zeros(1, kernels.NODE), 0, np.zeros(1, kernels.NODE), np.zeros(1, np.int32))

    def best(self, position: Position, limits: Limits | None = None, **more: Any) -> Result:
        """The last Result of a search."""
        return next(iter(self.search(position, limits, reports=False, **more)))

    def search(
        self,
        position: Position,
        limits: Limits | None = None,
        *,
        lines: int = 1,
        reports: bool = True,
        stop: threading.Event | None = None,
        clock: Clock | None = None,
        earlier: Sequence[Position] = (),
    ) -> Iterator[Result]:
        """A Result each time the simulations have doubled (unless no reports are wanted), the last one being the answer.

        Ctrl-C ends it with the best so far.
        """
        limits = limits or Limits()
        watch = Watch(limits, stop, clock)
        if self._is_halving(limits):
            self.clear()  # halving counts visits from none; what an evaluator remembers it need not be asked again
        for tree in self.trees:
            tree.plant(position, limits.nodes, earlier)
        wanted = limits.simulations
        if wanted is None:
            wanted = SIMULATIONS if watch.deadline is None and limits.nodes is None and stop is None else 2**62
            if limits.nodes is not None and limits.seconds is None:
                wanted = SIMULATIONS + 20 * limits.nodes  # a small tree may never have so many nodes
        report = FIRST_REPORT
        self._next_look = watch.started + LOOK_SECONDS
        if not position.is_terminal() and wanted > 0:
            workers = [Worker(self, tree, thread, watch, limits) for tree in self.trees for thread in range(tree.threads)]
            share, extra = divmod(wanted, len(workers))
            for index, worker in enumerate(workers):
                worker.quota = share + (index < extra)
            try:
                for tree in self.trees:
                    if tree.threads > 1 and tree.nodes[0]["first"] == 0:
                        tree.go(0, 1, 1)  # the root gets its children before several threads want them
                for _ in run_workers(workers, watch):
                    done = sum(tree.simulations() for tree in self.trees)
                    if reports and done >= report:
                        report = 2 * done
                        yield self._result(position, watch)
                    if self.settle and limits.simulations is None and self._is_settled(watch, done):
                        break
            except KeyboardInterrupt:
                pass
        yield self._result(position, watch)

    def _is_halving(self, limits: Limits) -> bool:
        return self.halves and limits.simulations is not None and limits.simulations <= HALVING_MOST

    def _is_settled(self, watch: Watch, done: int) -> bool:
        """Whether no other action can have more visits than the first by the end of the time."""
        now = time.perf_counter()
        if watch.deadline is None or now < self._next_look:
            return False
        self._next_look = now + LOOK_SECONDS
        left = (watch.deadline - now) * done / max(now - watch.started, 1e-6)
        choices = self._choices()
        if len(choices) < 2 or any(choice.proved for choice in choices):
            return False  # a proof may still decide
        second, first = sorted(choice.visits for choice in choices)[-2:]
        return first - second > left

    # ---------------------------------------------------------------- the answer
    def _result(self, position: Position, watch: Watch) -> Result:
        traits = self.game.traits
        least, greatest = traits.bounds
        width = greatest - least
        simulations = sum(tree.simulations() for tree in self.trees)
        facts: dict[str, Any] = {"simulations": simulations}
        nodes, leaves = sum(tree.used() for tree in self.trees), sum(int(c["leaves"][0]) for t in self.trees for c in t.controls)
        depth = max(int(control["deepest"][0]) for tree in self.trees for control in tree.controls)
        counts: dict[str, Any] = {
            "nodes": nodes,
            "leaves": leaves,
            "depth": depth,
            "seconds": watch.elapsed(),
            "algorithm": "mcts",
        }
        if position.is_terminal():
            value = tuple(position.utilities())
            return Result(None, shown(value, traits), facts=facts, exact=True, **counts)
        if self.trees[0].settings["transpositions"]:
            facts["transpositions"] = sum(int(control["shared_nodes"][0]) for tree in self.trees for control in tree.controls)
        facts["full"] = any(bool(control["full"][0]) for tree in self.trees for control in tree.controls)
        choices = [] if position.player() == CHANCE else self._choices()
        chosen = decide(choices) if choices else None
        if choices and self.evaluator is not None and not any(choice.visits or choice.proved for choice in choices):
            first = int(self.trees[0].nodes[0]["first"])
            chosen = choices[int(np.argmax(self.trees[0].extras["prior"][first : first + len(choices)]))]  # what the network likes
        told, mover = [], position.side()
        for choice in sorted(choices, key=lambda choice: -choice.visits):
            mean = least + choice.value * width
            reach = (
                0.0 if choice.proved else width * math.sqrt(math.log(2 / 0.05) / (2 * choice.visits)) if choice.visits else width
            )
            ends = sorted(seen_by_max(end, mover, traits) for end in (max(mean - reach, least), min(mean + reach, greatest)))
            is_known = choice.visits > 0 or choice.proved
            worth = shown(tuple(least + v * width for v in self._vector(choice)), traits) if is_known else None
            told.append(Choice(choice.action, worth, (ends[0], ends[1]), choice.visits, choice.visits / max(simulations, 1),
                               choice.proved, self._line(choice, position)))
        vector = self._vector(chosen)
        value = tuple(least + v * width for v in vector)
        line = self._line(chosen, position) if choices else () if position.player() == CHANCE else position.actions()[:1]
        exact = all(tree.is_done() for tree in self.trees)
        best = line[0] if line else None
        return Result(best, shown(value, traits), line, exact=exact, choices=tuple(told), facts=facts, **counts)

    def _choices(self) -> list[Arm]:
        """The root's actions, with the visits of all trees together."""
        gathered: dict[int, Arm] = {}
        for tree in self.trees:
            for action, visits, value, proved in tree.arms(0):
                known = gathered.get(action)
                if known is not None and known.proved:
                    continue
                if known is not None and not proved:
                    together = known.visits + visits
                    value = (known.value * known.visits + value * visits) / together if together else value
                    visits = together
                gathered[action] = Arm(action, visits, value, proved)
        return list(gathered.values())

    def _vector(self, chosen: Arm | None) -> tuple[float, ...]:
        """What each seat gets, between 0 and 1, by the chosen action (or on average, at a chance node)."""
        by_side = self._by_side(chosen)
        return tuple(by_side[self.game.side(seat)] for seat in range(self.game.traits.players))

    def _by_side(self, chosen: Arm | None) -> list[float]:
        tree = self.trees[0]
        sides, mover = tree.rules.traits.sides, int(tree.nodes[0]["mover"])
        if chosen is not None and self.opposed:
            return [chosen.value, 1 - chosen.value] if mover == 0 else [1 - chosen.value, chosen.value]
        sums = np.zeros(sides + 1)
        for tree in self.trees:
            root = tree.nodes[0]
            row = 0
            if chosen is not None:
                children = tree.edges[int(root["first"]) : int(root["first"] + root["count"])].tolist()
                row = children.index(chosen.action) + 1
            for own in tree.own:
                sums += own.totals[row]
        if sums[-1] == 0:
            return [0.5] * sides
        vector = sums[:-1] / sums[-1]
        if chosen is not None:
            vector[mover] = chosen.value
        return vector.tolist()

    def _line(self, chosen: Arm | None, position: Position) -> tuple[Action, ...]:
        if chosen is None:
            return ()
        tree = self.trees[0]
        line: list[Action] = [chosen.action]
        nodes, at = tree.nodes, 0
        while True:
            first, last = int(nodes[at]["first"]), int(nodes[at]["first"] + nodes[at]["count"])
            actions = tree.edges[first:last].tolist()
            at = first + actions.index(line[-1]) if line[-1] in actions else 0
            here = nodes[at]
            if at == 0 or here["first"] <= 0 or here["mover"] == CHANCE or int(here["visits"]) < 2:
                return tuple(line)
            line.append(tree.most_visited(at))


def decide(choices: list[Arm]) -> Arm:
    """Most visits decide, but a proof counts more: a proved win is taken, and a proved value is not left for less."""
    proved = max((choice for choice in choices if choice.proved), key=lambda choice: choice.value, default=None)
    open_ones = [choice for choice in choices if not choice.proved]
    if not open_ones:
        assert proved is not None
        return proved
    visited = max(open_ones, key=lambda choice: (choice.visits, choice.value))
    if proved is not None and (proved.value >= 1.0 or proved.value >= visited.value) and proved.value > 0.0:
        return proved
    return visited


def shown(vector: tuple[float, ...], traits: Any) -> Any:
    """A vector as results show it: MAX's entry alone where two sides' entries cancel."""
    return vector[0] if traits.sides == 2 and traits.sum == "zero" else vector


class Worker:
    """One thread's share of the simulations, made in slices."""

    def __init__(self, search: MonteCarlo, tree: Tree, thread: int, watch: Watch, limits: Limits) -> None:
        self.search, self.tree, self.thread, self.watch, self.limits = search, tree, thread, watch, limits
        self.quota = 0
        self.pacer = Pacer(watch, first=FIRST_SLICE, fewest=1)

    def step(self) -> bool:
        """Make one slice of simulations; False when there is no more to do."""
        tree, evaluator = self.tree, self.search.evaluator
        done = int(tree.controls[self.thread]["simulations"][0])
        if done >= self.quota or tree.is_done() or self.watch.is_over(0):
            return False
        if self.limits.nodes is not None and tree.controls[self.thread]["full"][0]:
            return False
        if evaluator is None:
            self.pacer.slice(lambda moves: tree.go(self.thread, self.quota, moves))
        elif self.search._is_halving(self.limits):
            gumbel.simulate(tree, evaluator, self.quota)
        else:
            tree.go_with(evaluator, self.quota)
        return True


def run_workers(workers: list[Worker], watch: Watch) -> Iterator[None]:
    """Let all workers step until none has anything to do; yields now and then, for reports."""
    if len(workers) == 1:
        while workers[0].step():
            yield
        return

    def work(number: int) -> None:
        while not watch.ended.is_set() and workers[number].step():
            pass

    yield from at_work(len(workers), work, watch.ended)


def check(game: CompiledGame, memory: float = 64, open_cards: bool = False) -> None:
    """Refuse a game that the kernels cannot take, in one sentence; with open cards nothing counts as hidden."""
    refuse("mcts", game, open_cards=open_cards)
    if not memory > 0:
        raise BadValue(f"memory must be more than 0 megabytes, got {memory}")


def mcts(
    position: Position,
    limits: Limits | None = None,
    *,
    simulations: int | None = None,
    stop: threading.Event | None = None,
    **options: Any,
) -> Result:
    """The most visited action of one search; the options are those of `MonteCarlo`."""
    if simulations is not None:
        limits = Limits(
            seconds=limits.seconds if limits else None, nodes=limits.nodes if limits else None, simulations=simulations
        )
    return MonteCarlo(position.game, **options).best(position, limits, stop=stop)
