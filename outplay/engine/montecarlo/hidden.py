"""Hidden information at native speed: Monte Carlo over information sets.

`ismcts` (Cowling, Powley and Whitehouse 2012, the form with many observers) grows one tree over what each player knows: every
simulation starts from a fresh deal of what the player to move cannot see, and a player's node is found by what that player sees, so
that nobody uses what it cannot know. Visits at the root are a mixed strategy:

>>> from outplay.game import load
>>> result = ismcts(load("rock-paper-scissors").start(), simulations=60_000, seed=1)
>>> abs(result.value) < 0.05, all(0.2 < share < 0.5 for share in result.each("share").values())
(True, True)

The other way, to search deal after deal with open cards, is `outplay.engine.montecarlo.deals`.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from outplay.engine.memory import action_list, horizon_of, load_state, probability_rows, refuse_overrun, weights_of
from outplay.engine.montecarlo.mcts import shown
from outplay.engine.montecarlo.playouts import OVERRUN, PLAYED, chance_step, judged, play_out
from outplay.engine.needs import refuse
from outplay.engine.pacing import Pacer, Watch
from outplay.errors import BadValue, Unsuitable
from outplay.game import CompiledGame, Position
from outplay.jit import below, f64, i32, i64, inlined, kernel, mix, random_source, u64, uniform
from outplay.values import CHANCE, Choice, Limits, Result, seen_by_max

INFO = np.dtype((np.record, [("key", np.uint64), *((name, np.int32) for name in ("visits", "first", "count", "tried"))]))
"""What a player knows at some moment: one node of the tree; its actions are the arms from `first` on."""
ARM = np.dtype((np.record, [("total", np.float64), ("weight", np.float64), ("action", np.int64), ("visits", np.int64)]))
"""An action: the outcomes of its simulations, each times the weight of its deal, and the sum of those weights."""
CONTROL = np.dtype((np.record, np.dtype(
    [
        *((name, np.int64) for name in ("infos", "arms", "simulations", "until", "full", "me", "players", "deepest")),
        *((name, np.int64) for name in ("work", "pause", "horizon", "cut", "overrun", "tried", "barren", "root", "whole", "trial")),
        *((name, np.float64) for name in ("exploration", "least", "greatest", "inverse", "scale", "weights")),
    ],
    align=True,
)))
LONGEST = 4096
MOST_GREEDY, LEAST_GREEDY, SLOWING = 0.9, 0.1, 0.002
"""How often UCB1 chooses, at first and at least, and how fast that falls with the visits: the constants of Smooth UCT."""
FIRST_GREEDY = 300
"""Visits of a node until then: there is no past yet to be drawn from."""
TRIAL, ENOUGH_MET = 200, 1 / 16
"""Simulations that begin the game anew, and the share of them that must come to what the player sees for all others to do so."""
MOST_TRIES = 10_000  # of a deal, for each that succeeds
FIRST_SLICE = 4000  # moves, in the tree and in playouts
SIMULATIONS = 10_000
FIRST_REPORT = 1000  # simulations; each further report comes after twice as many


@inlined
def find_info(infos: Any, slots: Any, arms: Any, control: Any, key: Any, actions: Any, count: Any) -> Any:
    """The node of what a player knows, a new one where there is none yet; -1 when the memory is full."""
    settings = control[0]
    mask = u64(len(slots) - 1)
    slot = key & mask
    while slots[i64(slot)] >= 0:
        at = slots[i64(slot)]
        if infos[at].key == key and infos[at].count == count:
            return i64(at)
        slot = (slot + u64(1)) & mask
    if settings.infos >= len(infos) or settings.arms + count > len(arms):
        settings.full = 1
        return i64(-1)
    at = settings.infos
    settings.infos += 1
    info = infos[at]
    info.key, info.visits, info.first, info.count, info.tried = key, i32(0), i32(settings.arms), i32(count), i32(0)
    for k in range(count):
        arm = arms[settings.arms + k]
        arm.total, arm.weight, arm.visits, arm.action = 0.0, 0.0, 0, i64(actions[k])
    settings.arms += count
    slots[i64(slot)] = i32(at)
    return i64(at)


@inlined
def pick_arm(infos: Any, arms: Any, node: Any, exploration: Any, source: Any) -> Any:
    """An action that was never tried, where there is one; else the best by UCB1, or one drawn by how often each was taken.

    Smooth UCT (Johannes Heinrich and David Silver, 2015): seats that all took the best by what they saw would walk in step, and
    what they learn of each other would be true of the step alone. Drawn by their past, each meets the others' mixtures.
    """
    info = infos[node]
    first, count = i64(info.first), i64(info.count)
    if info.tried < count:
        chosen = first + info.tried
        other = chosen + below(source, count - info.tried)
        arms[chosen].action, arms[other].action = arms[other].action, arms[chosen].action
        info.tried += 1
        return chosen
    greedy = max(LEAST_GREEDY, MOST_GREEDY / (1.0 + SLOWING * np.sqrt(f64(info.visits))))
    if info.visits >= FIRST_GREEDY and uniform(source) >= greedy:
        left = below(source, info.visits)
        for arm in range(first, first + count):
            left -= arms[arm].visits
            if left < 0:
                return arm
    log = np.log(f64(max(info.visits, 1)))
    best, chosen = -1.0, first
    for arm in range(first, first + count):
        visits = f64(max(arms[arm].visits, 1))
        score = arms[arm].total / max(arms[arm].weight, 1e-300) + exploration * np.sqrt(log / visits)
        if score > best:
            best, chosen = score, arm
    return chosen


class Memory(NamedTuple):
    """The arrays of a search over information sets."""

    roots: Any  # [2]: the state at the root, and the one in which the game begins
    scratch: Any  # [2]: the state of a simulation, and what a player sees of it
    infos: Any  # [node]: INFO
    slots: Any  # [hash]: the node, or -1
    arms: Any  # [arm]: ARM
    control: Any  # [1]: CONTROL
    path: Any  # [level, 0 to 2]: node, arm, player
    actions: Any
    probabilities: Any
    weights: Any
    source: Any
    outcomes: Any  # [player], between 0 and 1
    totals: Any  # [player]


@kernel
def simulate_hidden(memory: Any) -> None:
    """Run simulations until control.until, or so many moves (control.pause): deal, go down by what each player knows, play out."""
    infos, arms, path, scratch = memory.infos, memory.arms, memory.path, memory.scratch
    actions, probabilities, source, outcomes = memory.actions, memory.probabilities, memory.source, memory.outcomes
    settings = memory.control[0]
    scratch[1] = memory.roots[0]
    scratch[1].observe(settings.me)
    asked = mix(scratch[1].key() + u64(0x9E3779B97F4A7C15) * u64(settings.me + 1))  # what the player to move knows
    while settings.simulations < settings.until and settings.work < settings.pause and (
            settings.trial == 0 or settings.tried < settings.trial):  # fmt: skip
        scratch[0] = memory.roots[settings.whole]
        state = scratch[0]
        weight = 1.0
        if settings.whole == 0:
            state.observe(settings.me)
            weight = f64(state.deal(settings.me, source))
        settings.tried += 1
        if weight <= 0.0:  # a try that failed: another one, unless far too many did
            settings.work += 1
            if settings.tried > MOST_TRIES * (settings.simulations + 1):
                settings.barren = 1
                return
            continue
        depth = 0
        grown, is_met = False, settings.whole == 0
        while not grown and depth < LONGEST:
            player = state.player()
            if (state.offers_chances() or state.offers_draw()) and player == CHANCE:
                status = chance_step(state, actions, probabilities, source)
                settings.work += 1
                if status != PLAYED:
                    settings.overrun |= status == OVERRUN
                    break
                continue
            count = 0 if state.is_drawn() else state.actions(actions)
            if count == 0 or count > len(actions):
                settings.overrun |= count > len(actions)
                break
            scratch[1] = state
            scratch[1].observe(player)
            key = mix(scratch[1].key() + u64(0x9E3779B97F4A7C15) * u64(player + 1))
            node = find_info(infos, memory.slots, arms, memory.control, key, actions, count)
            if node < 0:
                break
            if key == asked and player == settings.me:
                settings.root = node
                is_met = True
            grown = infos[node].visits == 0 and depth > 0
            arm = pick_arm(infos, arms, node, settings.exploration, source)
            path[depth, 0], path[depth, 1], path[depth, 2] = node, arm, player
            depth += 1
            state.play(arms[arm].action)
        settings.deepest = max(settings.deepest, depth)
        moves, status = play_out(state, actions, probabilities, source, settings.horizon)
        settings.work += depth + moves + 1
        if status == OVERRUN or settings.overrun:
            settings.overrun = 1
            return
        settings.cut += status == PLAYED
        for player in range(settings.players):
            if status == PLAYED:
                utility = judged(state, player, memory.weights, settings.scale, settings.least, settings.greatest)
            else:
                utility = f64(state.utility(player))
            outcomes[player] = (utility - settings.least) * settings.inverse
            if is_met:
                memory.totals[player] += weight * outcomes[player]
        if is_met:
            settings.weights += weight
            settings.simulations += 1
        for level in range(depth):
            infos[path[level, 0]].visits += 1
            taken = arms[path[level, 1]]
            taken.visits += 1
            taken.weight += weight
            taken.total += weight * outcomes[path[level, 2]]


class InformationSets:
    """Monte Carlo tree search over what each player knows, which keeps its tree between the moves of a game.

    A node is found by what its player sees, so that whatever the next position is, the tree knows what it has seen of it.
    """

    def __init__(self, game: CompiledGame, *, exploration: float = 0.7, memory: float = 64, seed: int = 0,
                 threads: int = 1) -> None:
        refuse("ismcts", game)
        if not exploration >= 0 or not memory > 0:
            raise BadValue(f"exploration must be 0 or more and memory more than 0, got {exploration} and {memory}")
        if threads != 1:
            raise BadValue(f"ismcts runs on one thread, got threads={threads}")
        rules, traits = game.rules, game.traits
        self.game, self.seed, self.searches = game, seed, 0
        capacity = max(64, int(memory * 2**20 / (INFO.itemsize + 6 * ARM.itemsize + 8)))
        self.infos, self.arms = np.zeros(capacity, INFO), np.zeros(6 * capacity + rules.most_actions, ARM)
        self.slots = np.full(1 << (2 * capacity - 1).bit_length(), -1, np.int32)
        self.control = np.zeros(1, CONTROL)
        least, greatest = traits.bounds
        settings = {"players": traits.players, "exploration": exploration, "least": least, "greatest": greatest,
                    "inverse": 1 / (greatest - least), "scale": traits.scale, "horizon": horizon_of(rules)}
        for name, value in settings.items():
            self.control[name] = value
        self.memory = Memory(
            roots=rules.states(2), scratch=rules.states(2), infos=self.infos, slots=self.slots, arms=self.arms,
            control=self.control, path=np.zeros((LONGEST, 3), np.int64), actions=action_list(rules),
            probabilities=probability_rows(rules, 1)[0], weights=weights_of(rules), source=random_source(seed),
            outcomes=np.zeros(traits.players), totals=np.zeros(traits.players),
        )  # fmt: skip

    def clear(self) -> None:
        """Forget everything learned so far."""
        self.control["infos"] = self.control["arms"] = 0
        self.slots[:] = -1
        self.searches = 0

    def best(self, position: Position, limits: Limits | None = None, *, stop: threading.Event | None = None) -> Result:
        """The last Result of a search."""
        return list(self.search(position, limits, stop=stop))[-1]

    def search(self, position: Position, limits: Limits | None = None, *, lines: int = 1, stop: threading.Event | None = None,
               earlier: Sequence[Position] = ()) -> Iterator[Result]:
        """A Result each time the simulations have doubled; the last one is the answer. Ctrl-C ends it with the best so far."""
        limits = limits or Limits()
        wanted = limits.simulations
        if wanted is None:
            wanted = SIMULATIONS if limits.seconds is None and limits.nodes is None and stop is None else 2**62
            if limits.nodes is not None and limits.seconds is None:
                wanted = SIMULATIONS + 20 * limits.nodes  # a small tree may never have so many nodes
        control = self.control
        if control["infos"][0] > len(self.infos) // 2 or control["full"][0]:  # room for this move's share of the tree
            self.clear()
        for name in ("simulations", "full", "deepest", "work", "cut", "overrun", "tried", "barren", "weights", "whole", "trial"):
            control[name] = 0
        control["me"] = max(position.player(), 0)
        self.memory.totals[:] = 0.0
        load_state(self.memory.roots, 0, position)
        begun, is_new = self.game.start(), not control["infos"][0]
        load_state(self.memory.roots, 1, begun)
        if position != begun and position.player() >= 0:
            control["whole"], control["trial"] = 1, TRIAL
        self.memory.source[:] = random_source(self.seed + 0x9E3779B9 * self.searches)
        self.searches += 1
        watch = Watch(limits, stop)
        pacer, report = Pacer(watch, first=FIRST_SLICE, fewest=1), FIRST_REPORT
        try:
            while not position.is_terminal():
                done = int(control["simulations"][0])
                if done >= wanted or watch.is_over(int(control["infos"][0])):
                    break
                tried = int(control["tried"][0])
                if control["whole"][0] and tried >= TRIAL:  # deals know nothing of why the others did what they did; the game does
                    control["trial"] = 0
                    if done < ENOUGH_MET * tried:
                        for name in ("simulations", "weights", "whole", "tried"):
                            control[name] = 0
                        self.memory.totals[:] = 0.0
                        if is_new:
                            self.clear()
                            self.searches = 1
                        continue
                if done >= report:
                    report = 2 * done
                    yield self._result(position, watch)
                control["until"] = wanted
                pacer.slice(self._simulate)
        except KeyboardInterrupt:
            pass
        yield self._result(position, watch)

    @np.errstate(over="ignore")
    def _simulate(self, moves: int) -> None:
        self.control["pause"] = self.control["work"] + moves
        simulate_hidden(self.memory)
        if self.control["overrun"][0]:
            refuse_overrun(self.game)
        if self.control["barren"][0]:
            raise Unsuitable(f"{self.game.name}: {int(self.control['tried'][0]):,} tries of `deal` gave "
                             f"{int(self.control['simulations'][0]):,} states that fit what the player knows")

    def _result(self, position: Position, watch: Watch) -> Result:
        control, traits = self.control, self.game.traits
        least, greatest = traits.bounds
        width = greatest - least
        done = int(control["simulations"][0])
        facts: dict[str, Any] = {"simulations": done, "full": bool(control["full"][0])}
        counts: dict[str, Any] = {"nodes": int(control["infos"][0]), "leaves": done, "depth": int(control["deepest"][0]),
                                  "seconds": watch.elapsed(), "algorithm": "ismcts", "exact": False}  # fmt: skip
        if position.is_terminal():
            return Result(None, shown(position.utilities(), traits), facts=facts, **{**counts, "exact": True})
        vector = tuple((least + width * self.memory.totals / max(float(control["weights"][0]), 1e-300)).tolist())
        if position.player() == CHANCE:
            return Result(None, shown(vector, traits), facts=facts, **counts)
        if done == 0:  # stopped before anything was seen
            return Result(position.actions()[0], shown(vector, traits), position.actions()[:1], facts=facts, **counts)
        mover, choices = position.side(), []
        root = self.infos[int(control["root"][0])]
        arms, total = self.arms[int(root["first"]) : int(root["first"] + root["count"])], max(int(root["visits"]), 1)
        for arm in sorted(arms, key=lambda arm: -int(arm["visits"])):
            action, visits = int(arm["action"]), int(arm["visits"])
            mean = least + width * float(arm["total"]) / max(float(arm["weight"]), 1e-300)
            reach = width * math.sqrt(math.log(2 / 0.05) / (2 * max(visits, 1)))
            ends = sorted(seen_by_max(end, mover, traits) for end in (max(mean - reach, least), min(mean + reach, greatest)))
            value = alone(mean, mover, traits)
            choices.append(Choice(action, value, (ends[0], ends[1]), visits, visits / total, line=(action,)))
        action = choices[0].action
        return Result(action, shown(vector, traits), (action,), choices=tuple(choices), facts=facts, **counts)


def alone(mean: float, mover: int, traits: Any) -> Any:
    """A mean of the player to move as a value; None where it does not tell what the others get."""
    if traits.players == 1:
        return (mean,)
    return seen_by_max(mean, mover, traits) if traits.sides == 2 and traits.sum == "zero" else None


def ismcts(position: Position, limits: Limits | None = None, *, simulations: int | None = None,
           stop: threading.Event | None = None, **options: Any) -> Result:
    """The most visited action of a search over information sets, with the mixed strategy that the visits make."""
    if simulations is not None:
        limits = Limits(seconds=limits.seconds if limits else None, simulations=simulations)
    return InformationSets(position.game, **options).best(position, limits, stop=stop)
