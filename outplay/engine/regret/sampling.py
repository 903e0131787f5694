"""Monte Carlo regret minimization (Lanctot, Waugh, Zinkevich and Bowling 2009): equilibria without a tree in memory.

An iteration plays the game once for each player, chance and the others drawn at random. *External sampling* looks at all actions
of the player whose regrets are learned; *outcome sampling* at one, weighted by how unlikely it was to be drawn. Information sets
are kept in a table by a hash of what the player sees, and only those that were met.

>>> from outplay.game import load
>>> solver = SampledSolver(load("kuhn poker"), "external", seed=1)
>>> report = solver.run(60_000)
>>> report.exploitability < 0.02, report.information_sets
(True, 12)
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from outplay.engine.atomic import claim, exchange
from outplay.engine.montecarlo.playouts import PLAYED, chance_step, pick_outcome
from outplay.engine.regret.equilibrium import Learner, Report, check_game, evaluate, policy_of_rows, rows, rules_stamp
from outplay.engine.regret.tree import LONGEST, Tree, build, hash_words, words_of
from outplay.errors import BadValue, OutplayError, Unavailable, UnknownName
from outplay.files import write_whole
from outplay.game import CompiledGame, Position
from outplay.jit import i32, i64, inlined, kernel, random_source, u64, uniform
from outplay.values import CHANCE, Policy

ALGORITHMS = ("external", "outcome")
INFO = np.dtype((np.record, [("key", np.uint64), *((name, np.int32) for name in ("player", "first", "count", "visits"))]))
CONTROL = np.dtype((np.record, np.dtype(
    [*((name, np.int64) for name in ("infos", "arms", "done", "until", "full", "players", "nodes")), ("explore", np.float64)],
    align=True)))
FREE, WRITTEN_NOW = -1, -2  # slots of the table without an information set
EVALUATED = 64
"""Megabytes of tree up to which reports say how exploitable the average is."""


class Memory(NamedTuple):
    """What is learned: information sets and their numbers, which all threads share."""

    roots: np.ndarray  # where plays begin
    infos: np.ndarray  # the information sets that were met
    slots: np.ndarray  # by a hash of their keys: their number, FREE or WRITTEN_NOW
    views: np.ndarray  # what the player of each sees
    arms: np.ndarray  # the actions of all of them, one set after the other
    regrets: np.ndarray  # [arm]
    sums: np.ndarray  # [arm]: of the strategies, for their average
    counts: np.ndarray  # how many information sets and arms there are


class Room(NamedTuple):
    """What one thread works in."""

    states: np.ndarray  # [depth]
    scratch: np.ndarray  # what a player sees
    words: np.ndarray  # the same memory as numbers, for its hash
    listed: np.ndarray  # [depth, action]
    odds: np.ndarray  # of chance's outcomes
    shares: np.ndarray  # [depth, action]: the strategy there
    values: np.ndarray  # [depth, action]: what each was worth
    frames: np.ndarray  # [depth, 3]: information set, action, how many of them
    source: np.ndarray  # of luck


@inlined
def find(memory: Any, scratch: Any, key: Any, player: Any, listed: Any, count: Any) -> Any:
    """The information set of that key, a new one where there is none; -1 when the memory is full.

    Threads that look for the same one wait for the first of them to write it.
    """
    infos, slots, arms, counts = memory.infos, memory.slots, memory.arms, memory.counts
    mask = u64(len(slots) - 1)
    slot = key & mask
    while True:
        at = i64(slots[i64(slot)])
        while at == WRITTEN_NOW:
            at = i64(claim(slots, i64(slot), i32(0)))
        if at >= 0:
            if infos[at].key == key:
                return at
            slot = (slot + u64(1)) & mask
        elif exchange(slots, i64(slot), i32(FREE), i32(WRITTEN_NOW)):
            break
    at = i64(claim(counts, 0, 1))
    first = i64(claim(counts, 1, i64(count)))
    if at >= len(infos) or first + count > len(arms):
        claim(counts, 0, -1)
        claim(counts, 1, -i64(count))
        exchange(slots, i64(slot), i32(WRITTEN_NOW), i32(FREE))
        return i64(-1)
    info = infos[at]
    info.key, info.player, info.first, info.count, info.visits = key, i32(player), i32(first), i32(count), i32(0)
    for k in range(count):
        arms[first + k] = listed[k]
    memory.views[at] = scratch[0]
    exchange(slots, i64(slot), i32(WRITTEN_NOW), i32(at))
    return at


@inlined
def matched(regrets: Any, first: Any, count: Any, shares: Any) -> None:
    """The strategy that the regrets of an information set ask for."""
    total = 0.0
    for k in range(count):
        total += max(regrets[first + k], 0.0)
    for k in range(count):
        shares[k] = max(regrets[first + k], 0.0) / total if total > 0.0 else 1.0 / count


@kernel
def external(memory: Any, room: Any, control: Any) -> None:
    """External sampling: iterations until control.until, each once for every player."""
    roots, infos, arms, regrets, sums = memory.roots, memory.infos, memory.arms, memory.regrets, memory.sums
    states, scratch, listed, odds, shares = room.states, room.scratch, room.listed, room.odds, room.shares
    values, frames, source = room.values, room.frames, room.source
    settings = control[0]
    while settings.done < settings.until and settings.full == 0:
        weight = float(settings.done + 1)
        for me in range(settings.players):
            states[0] = roots[0]
            depth, back = 0, False  # frames[d]: information set, next action, actions
            worth = 0.0
            while True:
                if not back:
                    state = states[depth]
                    settings.nodes += 1
                    player = state.player()
                    count = 0
                    over = state.is_terminal() or depth + 1 >= len(states)
                    if not over:
                        if player == CHANCE:
                            if chance_step(state, listed[depth], odds, source) == PLAYED:
                                continue
                        else:
                            count = state.actions(listed[depth])
                    if count == 0:
                        worth = float(state.utility(me))
                        back = True
                    else:
                        scratch[0] = states[depth]
                        scratch[0].observe(player)
                        node = find(memory, scratch, hash_words(room.words, player), player, listed[depth], count)
                        if node < 0:
                            settings.full = 1
                            return
                        first = i64(infos[node].first)
                        matched(regrets, first, count, shares[depth])
                        infos[node].visits += 1
                        if player == me:
                            frames[depth, 0], frames[depth, 1], frames[depth, 2] = node, 0, count
                            states[depth + 1] = states[depth]
                            states[depth + 1].play(arms[first])
                            depth += 1
                        else:
                            for k in range(count):
                                sums[first + k] += weight * shares[depth, k]
                            state.play(arms[first + pick_outcome(shares[depth], count, source)])
                    continue
                if depth == 0:
                    break
                depth -= 1
                k = frames[depth, 1]
                values[depth, k] = worth
                node, count = frames[depth, 0], frames[depth, 2]
                first = i64(infos[node].first)
                if k + 1 < count:
                    frames[depth, 1] = k + 1
                    states[depth + 1] = states[depth]
                    states[depth + 1].play(arms[first + k + 1])
                    depth += 1
                    back = False
                    continue
                worth = 0.0
                for j in range(count):
                    worth += shares[depth, j] * values[depth, j]
                for j in range(count):
                    regrets[first + j] += values[depth, j] - worth
        settings.done += 1


@kernel
def outcome(memory: Any, room: Any, control: Any) -> None:
    """Outcome sampling: each iteration plays the game once for every player, who explores a little."""
    roots, infos, arms, regrets, sums = memory.roots, memory.infos, memory.arms, memory.regrets, memory.sums
    states, scratch, listed, odds, shares = room.states, room.scratch, room.listed, room.odds, room.shares
    frames, source = room.frames, room.source
    settings = control[0]
    while settings.done < settings.until and settings.full == 0:
        weight = float(settings.done + 1)
        for me in range(settings.players):
            states[0] = roots[0]
            state = states[0]
            depth = 0
            mine, drawn = 1.0, 1.0  # how likely my strategy, and my exploring one, come here
            while depth + 1 < len(frames):
                settings.nodes += 1
                if state.is_terminal():
                    break
                player = state.player()
                if player == CHANCE:
                    if chance_step(state, listed[0], odds, source) != PLAYED:
                        break
                    continue
                count = state.actions(listed[0])
                if count == 0:
                    break
                scratch[0] = states[0]
                scratch[0].observe(player)
                node = find(memory, scratch, hash_words(room.words, player), player, listed[0], count)
                if node < 0:
                    settings.full = 1
                    return
                first = i64(infos[node].first)
                infos[node].visits += 1
                matched(regrets, first, count, shares[depth])
                if player != me:
                    state.play(arms[first + pick_outcome(shares[depth], count, source)])
                    continue
                for k in range(count):
                    sums[first + k] += weight * shares[depth, k] * mine / drawn
                k = i64(0)
                if uniform(source) < settings.explore:
                    k = i64(uniform(source) * count)
                else:
                    k = i64(pick_outcome(shares[depth], count, source))
                frames[depth, 0], frames[depth, 1], frames[depth, 2] = node, k, count
                mine *= shares[depth, k]
                drawn *= settings.explore / count + (1.0 - settings.explore) * shares[depth, k]
                depth += 1
                state.play(arms[first + k])
            after = float(state.utility(me)) / drawn  # times my probability of going on from a node to the end
            for back in range(depth):
                level = depth - 1 - back
                node, k, count = frames[level, 0], frames[level, 1], frames[level, 2]
                first = i64(infos[node].first)
                here = after * shares[level, k]
                for j in range(count):
                    regrets[first + j] += (after if j == k else 0.0) - here
                after = here
        settings.done += 1


class SampledSolver(Learner):
    """Regrets learned from random plays; runs can be stopped, saved and taken up again."""

    SLICE, LEAST, USUAL = 64, 1024, 100_000

    def __init__(self, game: CompiledGame, algorithm: str = "external", *, memory: float = 512, explore: float = 0.6, seed: int = 0,
                 threads: int = 1) -> None:
        if algorithm not in ALGORITHMS:
            raise UnknownName("sampling algorithm", algorithm, ALGORITHMS)
        if threads < 1:
            raise BadValue(f"threads must be 1 or more, got {threads}")
        check_game(algorithm, game)
        if not 0 < explore <= 1:
            raise BadValue(f"explore must be more than 0 and at most 1, got {explore}")
        rules, self.game, self.algorithm, self.seed = game.rules, game, algorithm, seed
        width = min(rules.most_actions, 8)  # arms for each information set, on average
        size = rules.layout.itemsize
        capacity = max(1024, int(memory * 2**20 / (INFO.itemsize + size + 16 + 20 * width)))
        self.infos, self.views = np.zeros(capacity, INFO), rules.states(capacity)
        self.slots = np.full(1 << (2 * capacity - 1).bit_length(), -1, np.int32)
        self.arms = np.zeros(capacity * width + rules.most_actions, np.int64 if getattr(rules, "wide_actions", False) else np.int32)
        self.regrets, self.sums = np.zeros(len(self.arms)), np.zeros(len(self.arms))
        self.control = np.zeros(1, CONTROL)
        self.control["players"], self.control["explore"] = game.traits.players, explore
        self.roots = rules.states(1)
        self.roots.view(np.uint8)[:] = np.frombuffer(game.start().state, np.uint8)
        self.source = random_source(seed)
        self.sources = [self.source, *(random_source(1_000_003 * seed + number) for number in range(1, threads))]
        self.seconds = 0.0
        self.promise = game.traits.players == 2 and game.traits.sum != "general"
        self._tree: Tree | None = None
        self._tried = False

    @property
    def iterations(self) -> int:  # type: ignore[override]  # counted here, a plain field there
        """How many were done."""
        return int(self.control["done"][0])

    def advance(self, iterations: int) -> None:
        """Do that many iterations.

        Several threads share the table and add to its numbers without waiting for each other; a sum that is lost now and then
        does not matter. Only one thread does the same again for the same seed.
        """
        begin, threads = self.iterations, len(self.sources)
        each = [iterations // threads + (number < iterations % threads) for number in range(threads)]
        controls = [self.control.copy() for _ in range(threads)]
        for control, share in zip(controls, each, strict=True):
            control["until"], control["nodes"] = begin + share, 0
        helpers = [threading.Thread(target=self._work, args=task) for task in zip(controls[1:], self.sources[1:], strict=True)]
        for helper in helpers:
            helper.start()
        self._work(controls[0], self.source)
        for helper in helpers:
            helper.join()
        self.control["done"] = begin + iterations
        self.control["nodes"] += sum(int(control["nodes"][0]) for control in controls)
        if any(control["full"][0] for control in controls):
            raise Unavailable(f"{int(self.control['infos'][0]):,} information sets fill the memory: give more of it")

    def _work(self, control: np.ndarray, source: np.ndarray) -> None:
        """One thread's iterations, in room of its own."""
        rules = self.game.rules
        most, scratch = rules.most_actions, rules.states(1)
        room = Room(states=rules.states(LONGEST), scratch=scratch, words=words_of(scratch),
                    listed=np.zeros((LONGEST, most), self.arms.dtype), odds=np.zeros(most if self.game.traits.chance else 1),
                    shares=np.zeros((LONGEST, most)), values=np.zeros((LONGEST, most)), frames=np.zeros((LONGEST, 3), np.int64),
                    source=source)
        memory = Memory(self.roots, self.infos, self.slots, self.views, self.arms, self.regrets, self.sums,
                        self.control.view(np.int64))
        run = external if self.algorithm == "external" else outcome
        with np.errstate(over="ignore"):
            run(memory, room, control)

    # ------------------------------------------------ what was learned
    def tree(self) -> Tree | None:
        """The whole tree where it is small enough to be built beside the table, for saying how good the average is."""
        if not self._tried:
            self._tried = True
            try:
                self._tree = build(self.game, memory=EVALUATED)
            except OutplayError:
                self._tree = None
        return self._tree

    def mixtures(self) -> dict[int, np.ndarray]:
        """The average strategy: of the key of each information set that was met, the share of each action."""
        found = {}
        for info in self.infos[: int(self.control["infos"][0])]:
            first, count = int(info["first"]), int(info["count"])
            total = self.sums[first : first + count].sum()
            found[int(info["key"])] = self.sums[first : first + count] / total if total > 0 else np.full(count, 1 / count)
        return found

    def average(self, tree: Tree) -> tuple[np.ndarray, ...]:
        """The average strategy on a tree; uniform where nobody came."""
        mixtures = self.mixtures()
        shares = []
        for p in range(tree.players):
            share = np.zeros(tree.sequences[p])
            share[1:] = np.repeat(1.0 / tree.counts[p], tree.counts[p])
            for info, key in enumerate(tree.keys[p]):
                known = mixtures.get(int(key))
                if known is not None:
                    share[tree.firsts[p][info] : tree.firsts[p][info] + tree.counts[p][info]] = known
            shares.append(share)
        return tuple(shares)

    def report(self) -> Report:
        """What is known of the average strategy: how good it is only where the whole tree is small enough."""
        tree, settings = self.tree(), self.control[0]
        values: tuple[float, ...] = (float("nan"),) * self.game.traits.players
        responses: tuple[float, ...] | None = None
        if tree is not None:
            values, responses = evaluate(tree, self.average(tree))
        return Report(self.algorithm, self.iterations, self.seconds, values, responses, int(settings["infos"]),
                      int(settings["nodes"]), self.promise)

    def table(self) -> Iterator[tuple[int, Position, dict[int, float], float]]:
        """Each information set: its player, what it sees, the mixture, and how likely it is met; likeliest first."""
        tree = self.tree()
        if tree is not None:
            yield from rows(tree, self.average(tree))
            return
        mixtures = self.mixtures()
        known = self.infos[: int(self.control["infos"][0])]
        met = max(1, self.iterations * self.game.traits.players)
        for at in np.argsort(-known["visits"], kind="stable"):
            info = known[at]
            first = int(info["first"])
            mixture = {int(self.arms[first + k]): float(share) for k, share in enumerate(mixtures[int(info["key"])])}
            yield int(info["player"]), Position(self.game, self.views[at : at + 1].tobytes()), mixture, float(info["visits"] / met)

    def policy(self) -> Policy:
        """The average strategy as a policy that can be saved and played."""
        return policy_of_rows(self.game, self.table())

    # ------------------------------------------------ checkpoints
    def save(self, file: str | Path) -> None:
        """Write all that is needed to go on later."""
        infos, arms = int(self.control["infos"][0]), int(self.control["arms"][0])
        write_whole(file, lambda out: np.savez(
            out, game=self.game.name, rules=rules_stamp(self.game), algorithm=self.algorithm, seconds=self.seconds,
            control=self.control.view(np.uint8), source=self.source, infos=self.infos[:infos].view(np.uint8),
            views=self.views[:infos].view(np.uint8), arms=self.arms[:arms], regrets=self.regrets[:arms], sums=self.sums[:arms]))

    def resume(self, file: str | Path) -> None:
        """Go on from a checkpoint; refuses one of another game, of other rules or of another algorithm."""
        from outplay.engine.regret.equilibrium import checkpoint
        from outplay.engine.regret.tree import fill

        saved = checkpoint(file, self.game, self.algorithm)
        infos, arms = saved["infos"].view(INFO), saved["arms"]
        if len(infos) > len(self.infos) or len(arms) > len(self.arms):
            raise Unavailable(f"{file} holds {len(infos):,} information sets: give more memory")
        self.control.view(np.uint8)[:] = saved["control"]
        self.source[:], self.seconds = saved["source"], float(saved["seconds"])
        self.infos[: len(infos)] = infos
        self.views[: len(infos)].view(np.uint8)[:] = saved["views"]
        for mine, theirs in ((self.arms, arms), (self.regrets, saved["regrets"]), (self.sums, saved["sums"])):
            mine[: len(theirs)] = theirs
        self.slots[:] = -1
        fill(self.slots, self.infos, len(infos))
