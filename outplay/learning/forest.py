"""Thousands of search trees at once: the part of AlphaZero's self-play that needs no network, on the processor and on a GPU alike.

One tree a game, all in a few flat arrays; a *step* of the forest descends every tree to a leaf and writes down what a network should
see of it, and once the network has answered, a second step takes the answers in. The steps are plain functions of one game's number
over the project's own rules, so the same lines run in a loop on the processor and as one thread a game on a GPU, and give the same
trees for the same random numbers.

At the root, actions are chosen by Gumbel noise and sequential halving (Danihelka, Guez, Schrittwieser and Silver, 2022), which learns
from as few as sixteen simulations; below it by PUCT (Rosin, 2011; Silver and others, 2017). Games of two players, zero-sum, without
chance and with nothing hidden, whose rules have `planes`.

>>> considered_visits(4, 8).tolist()  # four actions twice each would be even; halving gives the better two more
[0, 0, 0, 0, 1, 1, 2, 2]
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from outplay.errors import Unsuitable
from outplay.game import Position, need
from outplay.jit import below, f32, i32, i64, inlined, kernel, mix, random_source, u64

ILLEGAL = f32(-1e30)
"""The logit of an action that the rules do not allow."""
VISIT_OFFSET, VALUE_SCALE = f32(50.0), f32(1.0)
"""How values grow into logits: (VISIT_OFFSET + most visits) * VALUE_SCALE * value in 0..1 (the paper's numbers for board games)."""
OPENINGS = 1 << 14
"""How many starts are drawn for self-play, where some of its games are to begin after random moves."""
EXPLORATION, URGENCY = f32(1.25), f32(0.2)
"""PUCT's constant, and by how much an action never tried is worth less than its node (first-play urgency)."""


@functools.cache
def considered_visits(actions: int, simulations: int) -> np.ndarray:
    """How many visits an action must have to be chosen at the root, simulation after simulation: sequential halving as a table."""
    if actions <= 1:
        return np.arange(simulations, dtype=np.int32)
    rounds = math.ceil(math.log2(actions))
    sequence: list[int] = []
    visits = [0] * actions
    left = actions
    while len(sequence) < simulations:
        for _ in range(max(1, simulations // (rounds * left))):
            sequence += visits[:left]
            for index in range(left):
                visits[index] += 1
        left = max(2, left // 2)
    return np.array(sequence[:simulations], np.int32)


def schedule(most: int, simulations: int) -> np.ndarray:
    """The table of `considered_visits` for each number of actions up to `most`: [actions, simulation]."""
    return np.stack([considered_visits(min(actions, simulations), simulations) for actions in range(most + 1)])


# ---------------------------------------------------------------- one game's part of a step


@inlined
def raise_value(value: Any, most_visits: Any) -> Any:
    """A value from -1 to 1 as something to add to a logit."""
    return (VISIT_OFFSET + f32(most_visits)) * VALUE_SCALE * (value + f32(1.0)) * f32(0.5)


@inlined
def mixed_value(at: Any, size: Any, logits: Any, visits: Any, totals: Any, values: Any) -> Any:
    """What stands in for the value of actions never tried: the network's value and the visited actions', weighed by their prior."""
    tried, weight, worth = 0, f32(0.0), f32(0.0)
    top = ILLEGAL
    for action in range(size):
        top = max(top, logits[at * size + action])
    for action in range(size):
        seen = visits[at * size + action]
        if seen > 0:
            prior = f32(math.exp(logits[at * size + action] - top))
            tried += seen
            weight += prior
            worth += prior * totals[at * size + action] / f32(seen)
    if tried == 0:
        return values[at]
    return (values[at] + f32(tried) * worth / max(weight, f32(1e-30))) / f32(tried + 1)


@inlined
def most_visited(at: Any, size: Any, visits: Any) -> Any:
    """The visits of a node's most visited action."""
    most = 0
    for action in range(size):
        most = max(most, i32(visits[at * size + action]))
    return most


@inlined
def choose_root(at: Any, size: Any, logits: Any, visits: Any, totals: Any, values: Any, noise: Any, game: Any, wanted: Any) -> Any:
    """The action with `wanted` visits (any number where that is negative) whose noise, logit and value together are greatest."""
    most = most_visited(at, size, visits)
    unknown = mixed_value(at, size, logits, visits, totals, values)
    best, highest = -1, f32(-3e38)
    for action in range(size):
        logit, seen = logits[at * size + action], visits[at * size + action]
        if logit > ILLEGAL and (wanted < 0 or seen == wanted):
            value = totals[at * size + action] / f32(seen) if seen > 0 else unknown
            score = noise[game, action] + logit + raise_value(value, most)
            if score > highest:
                best, highest = action, score
    return best


@inlined
def choose_below(at: Any, size: Any, priors: Any, visits: Any, totals: Any, values: Any) -> Any:
    """PUCT: value plus a share of the exploration that grows with the prior and shrinks with the visits."""
    tried = 0
    for action in range(size):
        tried += i32(visits[at * size + action])
    reach = EXPLORATION * f32(math.sqrt(f32(tried + 1)))
    first = values[at] - URGENCY
    best, highest = -1, f32(-3e38)
    for action in range(size):
        prior = priors[at * size + action]
        if prior >= f32(0.0):
            seen = visits[at * size + action]
            value = totals[at * size + action] / f32(seen) if seen > 0 else first
            score = value + reach * prior / f32(1 + seen)
            if score > highest:
                best, highest = action, score
    return best


@inlined
def clear_node(at: Any, size: Any, visits: Any, totals: Any, children: Any, expanded: Any) -> None:
    """A node without any knowledge."""
    expanded[at] = 0
    for action in range(size):
        visits[at * size + action] = 0
        totals[at * size + action] = 0
        children[at * size + action] = -1


@inlined
def descend(game: Any, room: Any, size: Any, simulation: Any, table: Any, states: Any, scratch: Any, out: Any, used: Any,
            legal: Any, ended: Any, movers: Any, outcomes: Any, expanded: Any, logits: Any, priors: Any, visits: Any, totals: Any,
            values: Any, children: Any, noise: Any, path: Any, lengths: Any, leaves: Any, seen: Any) -> None:
    """From the root to a leaf, which becomes a node; writes the way there and what a network sees of the leaf."""
    base = game * room
    node, length = 0, 0
    while expanded[base + node] != 0 and ended[base + node] == 0:
        at = base + node
        if node == 0:
            wanted = table[legal[game], simulation]
            action = choose_root(at, size, logits, visits, totals, values, noise, game, wanted)
            if action < 0:  # fewer actions than the table was made for: any will do
                action = choose_root(at, size, logits, visits, totals, values, noise, game, -1)
        else:
            action = choose_below(at, size, priors, visits, totals, values)
        path[game * room + length] = node * size + action
        length += 1
        child = children[at * size + action]
        if child < 0:
            child = used[game]
            used[game] = child + 1
            children[at * size + action] = child
            scratch[0] = states[at]
            scratch[0].play(action)
            states[base + child] = scratch[0]
            clear_node(base + child, size, visits, totals, children, expanded)
            look_at(base + child, scratch, out, ended, movers, outcomes)
            node = child
            break
        node = child
    leaves[game] = node
    lengths[game] = length
    if ended[base + node] == 0:
        scratch[0] = states[base + node]
        scratch[0].planes(movers[base + node], seen[game])


@inlined
def look_at(at: Any, scratch: Any, out: Any, ended: Any, movers: Any, outcomes: Any) -> None:
    """Note who is to move, and whether the game is over and for how much (to player 0)."""
    movers[at] = scratch[0].player()
    ended[at] = 0
    if scratch[0].actions(out) == 0:
        ended[at] = 1
        outcomes[at] = scratch[0].utility(0)


@inlined
def take_in(game: Any, room: Any, size: Any, states: Any, scratch: Any, out: Any, legal: Any, ended: Any, movers: Any, outcomes: Any,
            expanded: Any, logits: Any, priors: Any, visits: Any, totals: Any, values: Any, path: Any, lengths: Any, leaves: Any,
            said: Any, worth: Any) -> None:
    """Write a network's answer into the leaf and its value into every action on the way to it."""
    base = game * room
    at = base + leaves[game]
    if ended[at] != 0:
        first = f32(outcomes[at])
    else:
        value = worth[game]
        first = value if movers[at] == 0 else -value
        if expanded[at] == 0:
            expanded[at] = 1
            values[at] = value
            for action in range(size):
                logits[at * size + action] = ILLEGAL
                priors[at * size + action] = f32(-1.0)
            scratch[0] = states[at]
            count = scratch[0].actions(out)
            if leaves[game] == 0:
                legal[game] = count
            top = ILLEGAL
            for index in range(count):
                logits[at * size + out[index]] = said[game, out[index]]
                top = max(top, said[game, out[index]])
            whole = f32(0.0)
            for index in range(count):
                whole += f32(math.exp(said[game, out[index]] - top))
            for index in range(count):
                priors[at * size + out[index]] = f32(math.exp(said[game, out[index]] - top)) / whole
    for back in range(lengths[game]):
        step = path[game * room + back]
        node = step // size
        edge = base * size + step
        visits[edge] += 1
        totals[edge] += first if movers[base + node] == 0 else -first


@inlined
def improved_policy(game: Any, room: Any, size: Any, logits: Any, visits: Any, totals: Any, values: Any, row: Any, policy: Any) -> None:
    """The policy that the search found better: logits plus values of all actions, those never tried by the mixed value."""
    at = game * room
    most = most_visited(at, size, visits)
    unknown = mixed_value(at, size, logits, visits, totals, values)
    top = f32(-3e38)
    for action in range(size):
        logit = logits[at * size + action]
        if logit > ILLEGAL:
            seen = visits[at * size + action]
            value = totals[at * size + action] / f32(seen) if seen > 0 else unknown
            top = max(top, logit + raise_value(value, most))
    whole = f32(0.0)
    for action in range(size):
        logit = logits[at * size + action]
        share = f32(0.0)
        if logit > ILLEGAL:
            seen = visits[at * size + action]
            value = totals[at * size + action] / f32(seen) if seen > 0 else unknown
            share = f32(math.exp(logit + raise_value(value, most) - top))
        whole += share
        policy[row, action] = share
    for action in range(size):
        policy[row, action] = policy[row, action] / whole


@inlined
def choose_action(game: Any, room: Any, size: Any, logits: Any, visits: Any, totals: Any, values: Any, noise: Any) -> Any:
    """The action to play after the last simulation: of the most visited, the one best by noise, logit and value."""
    at = game * room
    most = most_visited(at, size, visits)
    return choose_root(at, size, logits, visits, totals, values, noise, game, most)


@inlined
def advance(game: Any, room: Any, size: Any, step: Any, rows: Any, games: Any, full: Any, states: Any, scratch: Any, out: Any, used: Any,
            ended: Any, movers: Any, outcomes: Any, expanded: Any, logits: Any, visits: Any, totals: Any, values: Any, children: Any,
            noise: Any, roots: Any, begun: Any, kept: Any, kept_policy: Any, kept_value: Any, kept_mover: Any, kept_target: Any,
            ready: Any, target: Any, finished: Any, chosen: Any) -> None:
    """Play the chosen action in one game, keep the position with its policy, and start anew where the game is over.

    What is kept lies in a ring of `rows` steps; a row is `ready` for training once its game is over and its outcome known.
    """
    at = game * room
    row = (step % rows) * games + game
    ready[row] = 0
    kept[row] = states[at]
    kept_mover[row] = movers[at]
    kept_value[row] = f32(2.0) if full != 0 else f32(-2.0)  # no outcome yet; fast searches are not learned from
    improved_policy(game, room, size, logits, visits, totals, values, row, kept_policy)
    action = chosen[game]
    if action < 0:
        action = choose_action(game, room, size, logits, visits, totals, values, noise)
    scratch[0] = states[at]
    scratch[0].play(action)
    if scratch[0].actions(out) == 0:
        first = f32(scratch[0].utility(0))
        with_target = target.shape[1]
        if with_target > 0:
            for index in range(with_target):
                target[game, index] = 0
            scratch[0].targets(target[game])
        past = step
        while past >= begun[game] and past > step - rows:
            old = (past % rows) * games + game
            if kept_value[old] > f32(1.5):
                kept_value[old] = first if kept_mover[old] == 0 else -first
                for index in range(with_target):
                    kept_target[old, index] = target[game, index] if kept_mover[old] == 0 else -target[game, index]
                ready[old] = 1
            past -= 1
        scratch[0] = roots[i64(mix(u64(step) * u64(games) + u64(game)) % u64(len(roots)))]
        begun[game] = step + 1
        finished[game] += 1
    states[at] = scratch[0]
    used[game] = 1
    clear_node(at, size, visits, totals, children, expanded)
    look_at(at, scratch, out, ended, movers, outcomes)


@inlined
def show(index: Any, kept: Any, movers: Any, policies: Any, targets: Any, pick: Any, turns: Any, scratch: Any, seen: Any, shares: Any,
         aims: Any) -> None:
    """Write one kept position, turned by a symmetry of the game, as a network sees it, with its policy and targets turned alike."""
    row = pick[index]
    scratch[0] = kept[row]
    turn = turns[index]
    size = policies.shape[1]
    if turn != 0:
        for action in range(size):
            shares[index, action] = f32(0.0)
        for action in range(size):
            share = policies[row, action]
            if share > f32(0.0):
                shares[index, scratch[0].transform_action(turn, action)] = share
        for point in range(targets.shape[1]):
            aims[index, scratch[0].transform_action(turn, point)] = targets[row, point]
        scratch[0].transform(turn)
    else:
        for action in range(size):
            shares[index, action] = policies[row, action]
        for point in range(targets.shape[1]):
            aims[index, point] = targets[row, point]
    scratch[0].planes(movers[row], seen[index])


# ---------------------------------------------------------------- all games: a loop on the processor, a thread each on a GPU


@kernel
def descend_all(room: Any, size: Any, simulation: Any, table: Any, states: Any, scratch: Any, out: Any, used: Any, legal: Any, ended: Any,
                movers: Any, outcomes: Any, expanded: Any, logits: Any, priors: Any, visits: Any, totals: Any, values: Any,
                children: Any, noise: Any, path: Any, lengths: Any, leaves: Any, seen: Any) -> None:
    """Every tree to a leaf."""
    for game in range(len(leaves)):
        descend(game, room, size, simulation, table, states, scratch, out, used, legal, ended, movers, outcomes, expanded, logits,
                priors, visits, totals, values, children, noise, path, lengths, leaves, seen)


@kernel
def take_in_all(room: Any, size: Any, states: Any, scratch: Any, out: Any, legal: Any, ended: Any, movers: Any, outcomes: Any,
                expanded: Any, logits: Any, priors: Any, visits: Any, totals: Any, values: Any, path: Any, lengths: Any, leaves: Any,
                said: Any, worth: Any) -> None:
    """The network's answers into every tree."""
    for game in range(len(leaves)):
        take_in(game, room, size, states, scratch, out, legal, ended, movers, outcomes, expanded, logits, priors, visits, totals,
                values, path, lengths, leaves, said, worth)


@kernel
def advance_all(room: Any, size: Any, step: Any, rows: Any, full: Any, states: Any, scratch: Any, out: Any, used: Any, ended: Any,
                movers: Any, outcomes: Any, expanded: Any, logits: Any, visits: Any, totals: Any, values: Any, children: Any, noise: Any,
                roots: Any, begun: Any, kept: Any, kept_policy: Any, kept_value: Any, kept_mover: Any, kept_target: Any, ready: Any,
                target: Any, finished: Any, chosen: Any) -> None:
    """One move in every game."""
    for game in range(len(begun)):
        advance(game, room, size, step, rows, len(begun), full, states, scratch, out, used, ended, movers, outcomes, expanded, logits,
                visits, totals, values, children, noise, roots, begun, kept, kept_policy, kept_value, kept_mover, kept_target, ready,
                target, finished, chosen)


@kernel
def show_all(kept: Any, movers: Any, policies: Any, targets: Any, pick: Any, turns: Any, scratch: Any, seen: Any, shares: Any,
             aims: Any) -> None:
    """Kept positions as a network sees them."""
    for index in range(len(pick)):
        show(index, kept, movers, policies, targets, pick, turns, scratch, seen, shares, aims)


def on_gpu(rules: Any, size: int) -> dict[str, Any]:
    """The same four steps as CUDA kernels of one thread a game; scratch memory is each thread's own."""
    from outplay import jit
    from outplay.engine import cuda as gpu

    gpu.require()
    cuda = gpu.cuda
    rules.states(1)  # binds the methods
    layout = jit.record_type(rules.layout)
    most = int(rules.most_actions)
    int32 = np.int32

    def descend_one(room, size, simulation, table, states, used, legal, ended, movers, outcomes, expanded, logits,  # type: ignore[no-untyped-def]
                    priors, visits, totals, values, children, noise, path, lengths, leaves, seen):
        game = cuda.grid(1)
        if game < leaves.shape[0]:
            scratch = cuda.local.array(1, layout)
            out = cuda.local.array(most, int32)
            descend(game, room, size, simulation, table, states, scratch, out, used, legal, ended, movers, outcomes, expanded, logits,
                    priors, visits, totals, values, children, noise, path, lengths, leaves, seen)

    def take_in_one(room, size, states, legal, ended, movers, outcomes, expanded, logits, priors, visits, totals,  # type: ignore[no-untyped-def]
                    values, path, lengths, leaves, said, worth):
        game = cuda.grid(1)
        if game < leaves.shape[0]:
            scratch = cuda.local.array(1, layout)
            out = cuda.local.array(most, int32)
            take_in(game, room, size, states, scratch, out, legal, ended, movers, outcomes, expanded, logits, priors, visits, totals,
                    values, path, lengths, leaves, said, worth)

    def advance_one(room, size, step, rows, full, states, used, ended, movers, outcomes, expanded, logits, visits,  # type: ignore[no-untyped-def]
                    totals, values, children, noise, roots, begun, kept, kept_policy, kept_value, kept_mover, kept_target, ready,
                    target, finished, chosen):
        game = cuda.grid(1)
        if game < begun.shape[0]:
            scratch = cuda.local.array(1, layout)
            out = cuda.local.array(most, int32)
            advance(game, room, size, step, rows, begun.shape[0], full, states, scratch, out, used, ended, movers, outcomes, expanded,
                    logits, visits, totals, values, children, noise, roots, begun, kept, kept_policy, kept_value, kept_mover,
                    kept_target, ready, target, finished, chosen)

    def show_one(kept, movers, policies, targets, pick, turns, seen, shares, aims):  # type: ignore[no-untyped-def]
        index = cuda.grid(1)
        if index < pick.shape[0]:
            scratch = cuda.local.array(1, layout)
            show(index, kept, movers, policies, targets, pick, turns, scratch, seen, shares, aims)

    return {
        "descend": cuda.jit(descend_one), "take_in": cuda.jit(take_in_one), "advance": cuda.jit(advance_one),
        "show": cuda.jit(show_one),
    }  # fmt: skip


@kernel
def draw_openings(roots: Any, first: Any, plies: Any, out: Any, source: Any) -> None:
    """Play up to so many random moves in each of the roots from `first` on; one whose game is over by then begins again."""
    for index in range(first, len(roots)):
        while True:
            roots[index] = roots[0]
            for _ in range(1 + below(source, plies)):
                count = roots[index].actions(out)
                if count == 0:
                    break
                roots[index].play(out[below(source, count)])
            if roots[index].actions(out) > 0:
                break


class Forest:
    """The memory of many games and their trees, and the four steps over it, on the processor or on a GPU.

    `torch` is handed in, since arrays of numbers are its tensors on both devices; records of states are NumPy's or Numba's.
    """

    THREADS = 128  # in a block of a GPU
    TREE = ("states", "used", "legal", "ended", "movers", "outcomes", "expanded", "logits", "priors", "visits", "totals", "values",
            "children", "noise", "path", "lengths", "leaves", "seen")

    def __init__(self, torch: Any, game: Any, games: int, simulations: int, rows: int, device: str = "cpu", *,
                 opening_share: float = 0.0, opening_plies: int = 8, seed: int = 0) -> None:
        from outplay.learning.nets import policy_size

        need("alphazero", game, players=2, sum="zero", chance=False, information="perfect", use="the recipe td")
        rules = game.rules
        if not rules.plane_shape:
            raise Unsuitable(f"alphazero needs rules with `planes` and a `plane_shape`; {game.name} has none")
        self.torch, self.game, self.games, self.device = torch, game, games, device
        self.room, self.rows = simulations + 2, rows
        self.size = policy_size(rules)
        self.targets = int(rules.target_count) if game.offers("targets") else 0
        count, edges = games * self.room, games * self.room * self.size
        kinds = {"int": torch.int32, "float": torch.float32}
        shapes: dict[str, tuple[str, tuple[int, ...]]] = {
            "used": ("int", (games,)), "legal": ("int", (games,)), "ended": ("int", (count,)), "movers": ("int", (count,)),
            "outcomes": ("float", (count,)), "expanded": ("int", (count,)), "logits": ("float", (edges,)),
            "priors": ("float", (edges,)), "visits": ("int", (edges,)), "totals": ("float", (edges,)), "values": ("float", (count,)),
            "children": ("int", (edges,)), "noise": ("float", (games, self.size)), "path": ("int", (count,)),
            "lengths": ("int", (games,)), "leaves": ("int", (games,)), "seen": ("float", (games, *rules.plane_shape)),
            "begun": ("int", (games,)), "finished": ("int", (games,)), "chosen": ("int", (games,)),
            "target": ("float", (games, self.targets)),
            "kept_policy": ("float", (rows * games, self.size)), "kept_value": ("float", (rows * games,)),
            "kept_mover": ("int", (rows * games,)), "kept_target": ("float", (rows * games, self.targets)),
            "ready": ("int", (rows * games,)),
        }  # fmt: skip
        self.tensors = {name: torch.zeros(shape, dtype=kinds[kind], device=device) for name, (kind, shape) in shapes.items()}
        roots = rules.states(OPENINGS if opening_share else 1)
        roots[:] = np.frombuffer(game.start().state, rules.layout)[0]
        if opening_share:
            with np.errstate(over="ignore"):
                draw_openings(roots, round(len(roots) * (1 - opening_share)), opening_plies, np.zeros(rules.most_actions, np.int32),
                              random_source(seed))
        whole = np.zeros(count, rules.layout)
        whole[:: self.room] = roots[0]
        kept = np.zeros(rows * games, rules.layout)
        self.steps = on_gpu(rules, self.size) if device == "cuda" else {}
        if device == "cuda":
            from outplay.engine import cuda as gpu

            self.arrays = {name: gpu.cuda.as_cuda_array(tensor) for name, tensor in self.tensors.items() if tensor.numel()}
            self.arrays["target"] = self.arrays.get("target") or gpu.cuda.to_device(np.zeros((games, 0), np.float32))
            self.arrays["kept_target"] = self.arrays.get("kept_target") or gpu.cuda.to_device(np.zeros((rows * games, 0), np.float32))
            self.cuda = gpu.cuda
        else:
            rules.states(1)  # binds the methods
            self.arrays = {name: tensor.numpy() for name, tensor in self.tensors.items()}
            self.scratch, self.out = rules.states(1), np.zeros(int(rules.most_actions), np.int32)
        place = self.cuda.to_device if device == "cuda" else np.asarray
        self.arrays["states"], self.arrays["kept"] = place(whole), place(kept)
        self.arrays["roots"] = place(roots)
        self.tensors["used"].fill_(1)
        self.tensors["children"].fill_(-1)
        self.tensors["movers"].fill_(game.start().player())
        self.tensors["chosen"].fill_(-1)
        self.tables: dict[int, Any] = {}
        self.step = 0

    def begin(self, roots: np.ndarray) -> None:
        """Set each game to a position of its own."""
        whole = np.zeros(self.games * self.room, self.game.rules.layout)
        whole[:: self.room] = roots
        self.arrays["states"] = self.cuda.to_device(whole) if self.device == "cuda" else whole
        movers = np.array([Position(self.game, root.tobytes()).player() for root in roots], np.int32)
        self.tensors["movers"][:: self.room] = self.torch.from_numpy(movers).to(self.device)

    def array(self, tensor: Any) -> Any:
        """A tensor as the kernels take it."""
        return self.cuda.as_cuda_array(tensor.contiguous()) if self.device == "cuda" else tensor.contiguous().numpy()

    def run(self, name: str, count: int, before: tuple, names: tuple[str, ...], after: tuple = ()) -> None:
        """One step over all games (or rows)."""
        arrays = [self.arrays[each] for each in names]
        if self.device == "cuda":
            blocks = -(-count // self.THREADS)
            self.steps[name][blocks, self.THREADS](*before, *arrays, *after)
        else:
            functions = {"descend": descend_all, "take_in": take_in_all, "advance": advance_all}
            with np.errstate(over="ignore"):
                functions[name](*before, arrays[0], self.scratch, self.out, *arrays[1:], *after)

    def table(self, simulations: int, considered: int) -> Any:
        """The schedule of sequential halving for so many simulations, on the device."""
        key = simulations * 1000 + considered
        if key not in self.tables:
            rows = [considered_visits(max(1, min(actions, considered, simulations)), simulations) for actions in range(self.size + 1)]
            table = np.stack(rows).astype(np.int32)
            self.tables[key] = self.cuda.to_device(table) if self.device == "cuda" else table
        return self.tables[key]

    def search(self, ask: Any, simulations: int, *, considered: int = 16, noisy: float = 1.0) -> None:
        """Grow every tree by so many simulations; `ask` turns what is seen into logits and values."""
        torch = self.torch
        noise = self.tensors["noise"]
        if noisy:
            noise.copy_(-torch.log(-torch.log(torch.rand_like(noise).clamp_(1e-9, 1 - 1e-7))) * noisy)
        else:
            noise.zero_()
        table = self.table(simulations, considered)
        takes = ("states", "legal", "ended", "movers", "outcomes", "expanded", "logits", "priors", "visits", "totals", "values",
                 "path", "lengths", "leaves")
        for simulation in range(-1, simulations):  # the first one only asks about the root
            self.run("descend", self.games, (self.room, self.size, max(simulation, 0), table), self.TREE)
            said, worth = ask(self.tensors["seen"])
            self.run("take_in", self.games, (self.room, self.size), takes, (self.array(said), self.array(worth)))

    def move(self, *, full: bool) -> None:
        """Play the action found in every game; positions of full searches are kept for training."""
        names = ("states", "used", "ended", "movers", "outcomes", "expanded", "logits", "visits", "totals", "values", "children",
                 "noise", "roots", "begun", "kept", "kept_policy", "kept_value", "kept_mover", "kept_target", "ready", "target",
                 "finished", "chosen")
        self.run("advance", self.games, (self.room, self.size, self.step, self.rows, int(full)), names)
        self.step += 1

    def batch(self, count: int, symmetries: int) -> tuple[Any, Any, Any, Any]:
        """Training rows drawn at random: planes, policies, outcomes and targets, each turned by a random symmetry."""
        torch = self.torch
        rows = torch.nonzero(self.tensors["ready"][: min(self.step, self.rows) * self.games])[:, 0]
        pick = rows[torch.randint(0, len(rows), (count,), device=self.device)]
        turns = torch.randint(0, max(1, symmetries), (count,), device=self.device, dtype=torch.int32)
        seen = torch.zeros((count, *self.game.rules.plane_shape), device=self.device)
        shares = torch.zeros((count, self.size), device=self.device)
        narrow = pick.to(torch.int32)
        aims = torch.zeros((count, max(1, self.targets)), device=self.device)
        args = [self.arrays[name] for name in ("kept", "kept_mover", "kept_policy", "kept_target")]
        args += [self.array(narrow), self.array(turns)]
        if self.device == "cuda":
            blocks = -(-count // self.THREADS)
            self.steps["show"][blocks, self.THREADS](*args, self.array(seen), self.array(shares), self.array(aims))
        else:
            with np.errstate(over="ignore"):
                show_all(*args, self.scratch, seen.numpy(), shares.numpy(), aims.numpy())
        return seen, shares, self.tensors["kept_value"][pick], aims

    def ready(self) -> int:
        """How many kept positions can be learned from."""
        return int(self.tensors["ready"].sum())

    def finished(self) -> int:
        """How many games were played to their end."""
        return int(self.tensors["finished"].sum())
