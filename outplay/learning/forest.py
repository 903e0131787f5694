"""Thousands of search trees at once: the part of AlphaZero's self-play that needs no network, on the processor and on a GPU alike.

One tree a game, all in a few flat arrays; a *step* of the forest descends every tree to a leaf and writes down what a network
should see of it, and once the network has answered, a second step takes the answers in. The steps are plain functions of one
game's number over the project's own rules, so the same lines run in a loop on the processor and as one thread a game on a GPU, and
give the same trees for the same random numbers.

At the root, actions are chosen by Gumbel noise and sequential halving (Danihelka, Guez, Schrittwieser and Silver, 2022), which
learns from as few as sixteen simulations; below it by PUCT (Rosin, 2011; Silver and others, 2017). With nothing `considered`, the
root is as the first AlphaZero had it: PUCT with noise in the priors, and visits are what is played and learned. Outcomes are proved
on the way (MCTS-Solver; Winands, Bjornsson and Saito, 2008): a node is as good as over where an action wins, or where what comes of
every action is known, and a game whose root is proved is not played to its end. Games of two players, zero-sum, without chance and
with nothing hidden, whose rules have `planes`.
"""

from __future__ import annotations

import functools
import math
from typing import Any, NamedTuple

import numpy as np

from outplay.compiling.gpu import cuda, gpu_kernel, layout_of, require
from outplay.engine.montecarlo.gumbel import considered_visits, raised
from outplay.errors import Unsuitable
from outplay.game import CompiledGame, Position, need
from outplay.jit import below, f32, i32, i64, inlined, kernel, mix, random_source, u64
from outplay.networks.nets import policy_size

ILLEGAL = f32(-1e30)
"""The logit of an action that the rules do not allow."""
EXPLORATION, URGENCY = f32(1.25), f32(0.2)
"""PUCT's constant, and by how much an action never tried is worth less than its node (first-play urgency)."""
OPENINGS, OPENING_BYTES = 1 << 21, 1 << 28
"""How many starts are drawn for self-play, where some of its games are to begin after random moves, and the memory they may take. A
few thousand are too few: a network learns them by heart (connect four: 93.4 % of random positions right with 8,192)."""
PLAIN = -2
"""In place of a number of visits: the root goes by PUCT, too."""
NOISE_SHARE, NOISE_ACTIONS = 0.25, 10.0
"""Of the root's priors, how much is noise there; it is drawn from Dirichlet's distribution with ten divided by the actions."""
WON = f32(1.0)
"""What a win is worth, and nothing is worth more: a network's values go from -1 to 1."""
UNKNOWN, IGNORED = f32(2.0), f32(-2.0)
"""The value of a kept position whose game goes on, and of one that is not learned from."""



class Trees(NamedTuple):
    """The arrays of all trees. A game's nodes stand side by side, `room` of them; an edge is a node's number times `size` plus the
    action, and `size` is the number of actions that a network tells apart."""

    states: Any  # [node]
    used: Any  # [game]: how many nodes the tree has
    legal: Any  # [game]: how many actions the root has
    ended: Any  # [node]: whether the game is over there, or its outcome proved
    movers: Any  # [node]: who is to move
    outcomes: Any  # [node]: what an ended or proved game is worth to player 0
    expanded: Any  # [node]: whether the network has answered
    logits: Any  # [edge]
    priors: Any  # [edge]: the logits as probabilities; below 0 where illegal
    visits: Any  # [edge]
    totals: Any  # [edge]: the sum of the values found, to the mover
    values: Any  # [node]: the network's value, to the mover
    children: Any  # [edge]: the node there within its game, or -1
    noise: Any  # [game, action]: Gumbel noise for the root
    path: Any  # [node]: the edges of the last descent, as node * size + action
    lengths: Any  # [game]: how many
    leaves: Any  # [game]: the node it ended in
    seen: Any  # [game, planes ...]: what a network sees of the leaf
    share: Any  # [0]: what one unit of utility is on a network's scale, whose ends are -1 and 1


class Kept(NamedTuple):
    """What self-play keeps for training: a ring of rows, [step, game]."""

    states: Any
    policies: Any  # [row, action]: the policy that the search found better
    values: Any  # the outcome to the mover, UNKNOWN while the game goes on, or IGNORED
    found: Any  # what the search thought it worth to the mover
    movers: Any
    targets: Any  # [row, target]
    ready: Any  # whether the outcome is known
    begun: Any  # [game]: the step at which it began
    finished: Any  # [game]: how many were played to their end
    target: Any  # [game, target]: room for one game's targets
    roots: Any  # the starts of games


# ---------------------------------------------------------------- one game's part of a step


@inlined
def raise_value(value: Any, most_visits: Any) -> Any:
    """A value from -1 to 1 as something to add to a logit."""
    return raised((value + f32(1.0)) * f32(0.5), f32(most_visits))


@inlined
def mixed_value(at: Any, size: Any, trees: Any) -> Any:
    """What stands in for the value of actions never tried: the network's value and the visited actions', weighed by their prior."""
    tried, weight, worth = 0, f32(0.0), f32(0.0)
    for action in range(size):
        seen = trees.visits[at * size + action]
        if seen > 0:
            prior = trees.priors[at * size + action]
            tried += seen
            weight += prior
            worth += prior * trees.totals[at * size + action] / f32(seen)
    if tried == 0:
        return trees.values[at]
    return (trees.values[at] + f32(tried) * worth / max(weight, f32(1e-30))) / f32(tried + 1)


@inlined
def most_visited(at: Any, size: Any, trees: Any) -> Any:
    """The visits of a node's most visited action."""
    most: Any = 0
    for action in range(size):
        most = max(most, i32(trees.visits[at * size + action]))
    return most


@inlined
def raised_logit(edge: Any, most: Any, unknown: Any, trees: Any) -> Any:
    """The logit of an action with what the search found out about its value."""
    seen = trees.visits[edge]
    value = trees.totals[edge] / f32(seen) if seen > 0 else unknown
    return trees.logits[edge] + raise_value(value, most)


@inlined
def choose_root(game: Any, at: Any, size: Any, trees: Any, wanted: Any) -> Any:
    """The action with `wanted` visits (any number where that is negative) whose noise, logit and value together are greatest."""
    most = most_visited(at, size, trees)
    unknown = mixed_value(at, size, trees)
    best, highest = -1, f32(-3e38)
    for action in range(size):
        edge = at * size + action
        if trees.logits[edge] > ILLEGAL and (wanted < 0 or trees.visits[edge] == wanted):
            score = trees.noise[game, action] + raised_logit(edge, most, unknown, trees)
            if score > highest:
                best, highest = action, score
    return best


@inlined
def choose_below(at: Any, size: Any, trees: Any) -> Any:
    """PUCT: value plus a share of the exploration that grows with the prior and shrinks with the visits."""
    tried: Any = 0
    for action in range(size):
        tried += i32(trees.visits[at * size + action])
    reach = EXPLORATION * f32(math.sqrt(f32(tried + 1)))
    first = trees.values[at] - URGENCY
    best, highest = -1, f32(-3e38)
    for action in range(size):
        prior = trees.priors[at * size + action]
        if prior >= f32(0.0):
            seen = trees.visits[at * size + action]
            value = trees.totals[at * size + action] / f32(seen) if seen > 0 else first
            score = value + reach * prior / f32(1 + seen)
            if score > highest:
                best, highest = action, score
    return best


@inlined
def new_node(at: Any, size: Any, trees: Any, scratch: Any, out: Any) -> None:
    """A node for the state in `scratch`, of which nothing is known but who moves, and whether the game is over."""
    trees.states[at] = scratch[0]
    trees.expanded[at] = 0
    for action in range(size):
        trees.visits[at * size + action] = 0
        trees.totals[at * size + action] = 0
        trees.children[at * size + action] = -1
    trees.movers[at] = scratch[0].player()
    trees.ended[at] = 0
    if scratch[0].actions(out) == 0:
        trees.ended[at] = 1
        trees.outcomes[at] = f32(scratch[0].utility(0)) * trees.share[0]


@inlined
def descend(game: Any, room: Any, size: Any, simulation: Any, table: Any, trees: Any, scratch: Any, out: Any) -> None:
    """From the root to a leaf, which becomes a node; writes the path there and what a network sees of the leaf."""
    base = game * room
    node, length = 0, 0
    while trees.expanded[base + node] != 0 and trees.ended[base + node] == 0:
        at = base + node
        if node == 0 and table[trees.legal[game], simulation] != PLAIN:
            action = choose_root(game, at, size, trees, table[trees.legal[game], simulation])
            if action < 0:  # fewer actions than the table was made for: any will do
                action = choose_root(game, at, size, trees, -1)
        else:
            action = choose_below(at, size, trees)
        trees.path[base + length] = node * size + action
        length += 1
        child = trees.children[at * size + action]
        if child < 0:
            child = trees.used[game]
            trees.used[game] = child + 1
            trees.children[at * size + action] = child
            scratch[0] = trees.states[at]
            scratch[0].play(action)
            new_node(base + child, size, trees, scratch, out)
            node = child
            break
        node = child
    trees.leaves[game] = node
    trees.lengths[game] = length
    if trees.ended[base + node] == 0:
        scratch[0] = trees.states[base + node]
        scratch[0].planes(trees.movers[base + node], trees.seen[game])


@inlined
def take_in(game: Any, room: Any, size: Any, proofs: Any, trees: Any, scratch: Any, out: Any, said: Any, worth: Any) -> None:
    """Write a network's answer into the leaf and its value into every action on the path to it; with `proofs`, outcomes that are
    certain, too."""
    base = game * room
    at = base + trees.leaves[game]
    if trees.ended[at] != 0:
        first = f32(trees.outcomes[at])
    else:
        value = worth[game]
        first = value if trees.movers[at] == 0 else -value
        if trees.expanded[at] == 0:
            trees.expanded[at] = 1
            trees.values[at] = value
            for action in range(size):
                trees.logits[at * size + action] = ILLEGAL
                trees.priors[at * size + action] = f32(-1.0)
            scratch[0] = trees.states[at]
            count = scratch[0].actions(out)
            if trees.leaves[game] == 0:
                trees.legal[game] = count
            top = ILLEGAL
            for index in range(count):
                top = max(top, said[game, out[index]])
            whole = f32(0.0)
            for index in range(count):
                whole += f32(math.exp(said[game, out[index]] - top))
            for index in range(count):
                edge = at * size + out[index]
                trees.logits[edge] = said[game, out[index]]
                trees.priors[edge] = f32(math.exp(said[game, out[index]] - top)) / whole
    for back in range(trees.lengths[game]):
        step = trees.path[base + back]
        edge = base * size + step
        trees.visits[edge] += 1
        trees.totals[edge] += first if trees.movers[base + step // size] == 0 else -first
    if proofs != 0 and trees.ended[at] != 0:
        prove(game, base, size, trees)


@inlined
def prove(game: Any, base: Any, size: Any, trees: Any) -> None:
    """From a leaf whose outcome is certain up its path, as far as outcomes are certain: the value of the action becomes exact, one
    that loses is no longer likely, and the node above is proved by a win or by the best of actions that are all certain."""
    leaf = base + trees.leaves[game]
    back = trees.lengths[game] - 1
    while back >= 0 and trees.ended[leaf] != 0:
        edge = base * size + trees.path[base + back]
        at = base + trees.path[base + back] // size
        sign = f32(1.0) if trees.movers[at] == 0 else f32(-1.0)
        best = sign * trees.outcomes[leaf]
        trees.totals[edge] = best * f32(trees.visits[edge])
        if best <= -WON:
            trees.priors[edge] = f32(0.0)
        certain = 1
        if best < WON:
            for action in range(size):
                if trees.logits[at * size + action] > ILLEGAL:
                    child = trees.children[at * size + action]
                    if child < 0 or trees.ended[base + child] == 0:
                        certain = 0
                        break
                    best = max(best, sign * trees.outcomes[base + child])
        if certain != 0:
            trees.ended[at] = 1
            trees.outcomes[at] = sign * best
        leaf = at
        back -= 1


@inlined
def improve_policy(at: Any, size: Any, trees: Any, row: Any, policies: Any) -> Any:
    """Write the policy that the search found better: the logits raised by all values, those of actions never tried by the mixed
    one. What the node is worth by that policy is returned."""
    most = most_visited(at, size, trees)
    unknown = mixed_value(at, size, trees)
    top = f32(-3e38)
    for action in range(size):
        if trees.logits[at * size + action] > ILLEGAL:
            top = max(top, raised_logit(at * size + action, most, unknown, trees))
    whole = f32(0.0)
    for action in range(size):
        share = f32(0.0)
        if trees.logits[at * size + action] > ILLEGAL:
            share = f32(math.exp(raised_logit(at * size + action, most, unknown, trees) - top))
        whole += share
        policies[row, action] = share
    worth = f32(0.0)
    for action in range(size):
        share = policies[row, action] / whole
        policies[row, action] = share
        seen = trees.visits[at * size + action]
        worth += share * (trees.totals[at * size + action] / f32(seen) if seen > 0 else unknown)
    return worth


@inlined
def follow_visits(game: Any, at: Any, size: Any, trees: Any, row: Any, policies: Any) -> Any:
    """Write the policy that the visits are, and draw an action from it: that whose logarithm and Gumbel noise are greatest."""
    tried: Any = 0
    for action in range(size):
        tried += i32(trees.visits[at * size + action])
    best, highest = -1, f32(-3e38)
    for action in range(size):
        share = f32(trees.visits[at * size + action]) / f32(max(tried, 1))
        policies[row, action] = share
        if share > f32(0.0):
            score = f32(math.log(share)) + trees.noise[game, action]
            if score > highest:
                best, highest = action, score
    return best


@inlined
def choose_proved(game: Any, base: Any, size: Any, trees: Any) -> Any:
    """Of a proved root, the action by which it is proved; of several, that whose noise and logit together are greatest."""
    best, highest = -1, f32(-3e38)
    for action in range(size):
        edge = base * size + action
        child = trees.children[edge]
        if trees.logits[edge] > ILLEGAL and child >= 0:
            score = trees.noise[game, action] + trees.logits[edge]
            if trees.ended[base + child] != 0 and trees.outcomes[base + child] == trees.outcomes[base] and score > highest:
                best, highest = action, score
    return best


@inlined
def finish(game: Any, games: Any, step: Any, rows: Any, trust: Any, first: Any, kept: Any, scratch: Any) -> None:
    """A game is over and worth `first` to player 0: its kept positions learn that, blended with the share `trust` of what the
    search had thought."""
    count = kept.target.shape[1]
    if scratch[0].offers_targets():
        for index in range(count):
            kept.target[game, index] = 0
        scratch[0].targets(kept.target[game])
    past = step
    while past >= kept.begun[game] and past > step - rows:
        row = (past % rows) * games + game
        if kept.values[row] == UNKNOWN:
            sign = f32(1.0) if kept.movers[row] == 0 else f32(-1.0)
            kept.values[row] = (f32(1.0) - trust) * first * sign + trust * kept.found[row]
            if scratch[0].offers_targets():
                for index in range(count):
                    kept.targets[row, index] = kept.target[game, index] * sign
            kept.ready[row] = 1
        past -= 1


@inlined
def advance(game: Any, room: Any, size: Any, step: Any, rows: Any, full: Any, plain: Any, trust: Any, trees: Any, kept: Any,
            scratch: Any, out: Any) -> None:
    """Play the chosen action in one game, keep the position with its policy, and start anew where the game is over."""
    at = game * room
    games = len(trees.used)
    row = (step % rows) * games + game
    kept.ready[row] = 0
    kept.states[row] = trees.states[at]
    kept.movers[row] = trees.movers[at]
    kept.values[row] = UNKNOWN if full != 0 else IGNORED
    scratch[0] = trees.states[at]
    if plain != 0:
        kept.found[row] = mixed_value(at, size, trees)
        action = follow_visits(game, at, size, trees, row, kept.policies)
    else:
        kept.found[row] = improve_policy(at, size, trees, row, kept.policies)
        action = choose_root(game, at, size, trees, most_visited(at, size, trees))
    proved = trees.ended[at] != 0
    if proved:
        kept.found[row] = trees.outcomes[at] if trees.movers[at] == 0 else -trees.outcomes[at]
        action = choose_proved(game, at, size, trees)
    scratch[0].play(action)
    over = scratch[0].actions(out) == 0
    if over or (proved and not scratch[0].offers_targets()):  # what targets foresee is known at the end only
        first = f32(scratch[0].utility(0)) * trees.share[0] if over else trees.outcomes[at]
        finish(game, games, step, rows, trust, first, kept, scratch)
        scratch[0] = kept.roots[i64(mix(u64(step) * u64(games) + u64(game)) % u64(len(kept.roots)))]
        kept.begun[game] = step + 1
        kept.finished[game] += 1
    trees.used[game] = 1
    new_node(at, size, trees, scratch, out)


@inlined
def show(index: Any, kept: Any, pick: Any, turns: Any, scratch: Any, seen: Any, shares: Any, aims: Any) -> None:
    """Write one kept position, turned by a symmetry of the game, as a network sees it, with its policy and targets turned alike."""
    row, turn = pick[index], turns[index]
    scratch[0] = kept.states[row]
    for action in range(kept.policies.shape[1]):
        share = kept.policies[row, action]
        if share > f32(0.0):
            shares[index, scratch[0].transform_action(turn, action)] = share
    if scratch[0].offers_targets():
        for point in range(kept.targets.shape[1]):
            aims[index, scratch[0].transform_action(turn, point)] = kept.targets[row, point]
    scratch[0].transform(turn)
    scratch[0].planes(kept.movers[row], seen[index])


# ---------------------------------------------------------------- all games: a loop on the processor, a thread each on a GPU


@kernel
def descend_all(room: Any, size: Any, simulation: Any, table: Any, trees: Any, scratch: Any, out: Any) -> None:
    """Every tree to a leaf."""
    for game in range(len(trees.leaves)):
        descend(game, room, size, simulation, table, trees, scratch, out)


@kernel
def take_in_all(room: Any, size: Any, proofs: Any, said: Any, worth: Any, trees: Any, scratch: Any, out: Any) -> None:
    """The network's answers into every tree."""
    for game in range(len(trees.leaves)):
        take_in(game, room, size, proofs, trees, scratch, out, said, worth)


@kernel
def advance_all(room: Any, size: Any, step: Any, rows: Any, full: Any, plain: Any, trust: Any, kept: Any, trees: Any, scratch: Any,
                out: Any) -> None:
    """One move in every game."""
    for game in range(len(trees.leaves)):
        advance(game, room, size, step, rows, full, plain, trust, trees, kept, scratch, out)


@kernel
def show_all(kept: Any, pick: Any, turns: Any, scratch: Any, seen: Any, shares: Any, aims: Any) -> None:
    """Kept positions as a network sees them."""
    for index in range(len(pick)):
        show(index, kept, pick, turns, scratch, seen, shares, aims)


@kernel
def draw_openings(roots: Any, first: Any, least: Any, plies: Any, out: Any, source: Any) -> None:
    """Play from `least` up to so many random moves in each of the roots from `first` on; one whose game is over by then begins
    again."""
    for index in range(first, len(roots)):
        while True:
            roots[index] = roots[0]
            for _ in range(least + below(source, plies - least + 1)):
                count = roots[index].actions(out)
                if count == 0:
                    break
                roots[index].play(out[below(source, count)])
            if roots[index].actions(out) > 0:
                break


@functools.cache
def gpu_steps(rules: Any) -> dict[str, Any]:
    """The same four steps as CUDA kernels of one thread a game; scratch memory is each thread's own."""
    layout = layout_of(rules)
    most = int(rules.most_actions)
    int32 = np.int32

    def descend_one(room: Any, size: Any, simulation: Any, table: Any, trees: Any) -> None:
        game = cuda.grid(1)
        if game < trees.leaves.shape[0]:
            scratch, out = cuda.local.array(1, layout), cuda.local.array(most, int32)
            descend(game, room, size, simulation, table, trees, scratch, out)

    def take_in_one(room: Any, size: Any, proofs: Any, said: Any, worth: Any, trees: Any) -> None:
        game = cuda.grid(1)
        if game < trees.leaves.shape[0]:
            scratch, out = cuda.local.array(1, layout), cuda.local.array(most, int32)
            take_in(game, room, size, proofs, trees, scratch, out, said, worth)

    def advance_one(room: Any, size: Any, step: Any, rows: Any, full: Any, plain: Any, trust: Any, kept: Any, trees: Any) -> None:
        game = cuda.grid(1)
        if game < trees.leaves.shape[0]:
            scratch, out = cuda.local.array(1, layout), cuda.local.array(most, int32)
            advance(game, room, size, step, rows, full, plain, trust, trees, kept, scratch, out)

    def show_one(kept: Any, pick: Any, turns: Any, seen: Any, shares: Any, aims: Any) -> None:
        index = cuda.grid(1)
        if index < pick.shape[0]:
            scratch = cuda.local.array(1, layout)
            show(index, kept, pick, turns, scratch, seen, shares, aims)

    steps = {"descend": descend_one, "take_in": take_in_one, "advance": advance_one, "show": show_one}
    return {name: gpu_kernel(step) for name, step in steps.items()}


def suitable(game: CompiledGame) -> Any:
    """The rules of a game, or one line that says what they lack."""
    need("alphazero", game, players=2, sum="zero", chance=False, information="perfect", use="the recipe td")
    rules = game.rules
    if not rules.plane_shape:
        raise Unsuitable(f"alphazero needs rules with `planes` and a `plane_shape`; {game.name} has none")
    if len(rules.plane_shape) != 3:
        wanted = "a `plane_shape` of three numbers, such as (4, 9, 9)"
        raise Unsuitable(f"alphazero needs planes of a board, {wanted}; {game.name} has {tuple(rules.plane_shape)}")
    return rules


def greatest(game: CompiledGame) -> float:
    """The most that a seat of a game can gain or lose: what a network's 1 is worth.

    >>> from outplay.game import load
    >>> greatest(load("connect four")), greatest(load("backgammon"))
    (1.0, 3.0)
    """
    return max(abs(bound) for bound in game.traits.bounds)


class Forest:
    """The memory of many games and their trees, and the steps over it, on the processor or on a GPU.

    `torch` is handed in, since arrays of numbers are its tensors on both devices; records of states are NumPy's or Numba's.
    """

    THREADS = 32  # in a block of a GPU: trees wait for memory, so a few thousand games spread over all its processors

    def __init__(self, torch: Any, game: Any, games: int, simulations: int, rows: int, device: str = "cpu", *,
                 opening_share: float = 0.0, opening_plies: int = 8, opening_least: int = 1, trust: float = 0.0,
                 proofs: bool = True, seed: int = 0) -> None:
        rules = suitable(game)
        self.torch, self.game, self.games, self.device = torch, game, games, device
        self.trust, self.proofs = np.float32(trust), int(proofs)
        self.room, self.rows, self.size, self.step = simulations + 2, rows, policy_size(rules), 0
        self.targets = int(rules.target_count) if game.offers("targets") else 0
        if device == "cuda":
            require()
            self.steps = gpu_steps(rules)
        else:
            self.scratch, self.out = rules.states(1), np.zeros(int(rules.most_actions), np.int32)
        nodes, edges, kept = games * self.room, games * self.room * self.size, rows * games
        whole, real = torch.int32, torch.float32
        shapes = {
            "used": (whole, games), "legal": (whole, games), "ended": (whole, nodes), "movers": (whole, nodes),
            "outcomes": (real, nodes), "expanded": (whole, nodes), "logits": (real, edges), "priors": (real, edges),
            "visits": (whole, edges), "totals": (real, edges), "values": (real, nodes), "children": (whole, edges),
            "noise": (real, games, self.size), "path": (whole, nodes), "lengths": (whole, games), "leaves": (whole, games),
            "seen": (real, games, *rules.plane_shape), "share": (real, 1),
        }  # fmt: skip
        self.trees = {name: torch.zeros(shape, dtype=kind, device=device) for name, (kind, *shape) in shapes.items()}
        self.trees["share"].fill_(1.0 / greatest(game))
        shapes = {
            "policies": (real, kept, self.size), "values": (real, kept), "found": (real, kept), "movers": (whole, kept),
            "targets": (real, kept, max(1, self.targets)), "ready": (whole, kept), "begun": (whole, games),
            "finished": (whole, games), "target": (real, games, max(1, self.targets)),
        }  # fmt: skip
        self.kept = {name: torch.zeros(shape, dtype=kind, device=device) for name, (kind, *shape) in shapes.items()}
        self.kept_states = self.placed(np.zeros(kept, rules.layout))
        starts = min(OPENINGS, OPENING_BYTES // rules.layout.itemsize, 256 * games) if opening_share else 1
        roots = openings(game, starts, opening_share, opening_plies, seed, opening_least)
        self.roots = self.placed(roots)
        self.tables: dict[tuple[int, int], Any] = {}
        self.plain = False  # whether the last search went by PUCT at the root
        self.begin(np.repeat(roots[:1], games))

    def placed(self, array: np.ndarray) -> Any:
        """An array where the kernels find it."""
        return cuda.to_device(array) if self.device == "cuda" else array

    def array(self, tensor: Any) -> Any:
        """A tensor as the kernels take it."""
        return cuda.as_cuda_array(tensor.contiguous()) if self.device == "cuda" else tensor.contiguous().numpy()

    def begin(self, roots: np.ndarray) -> None:
        """Set each game to a position of its own."""
        states = np.zeros(self.games * self.room, self.game.rules.layout)
        states[:: self.room] = roots
        movers = np.array([Position(self.game, root.tobytes()).player() for root in np.unique(roots)], np.int32)
        if len(movers) > 1:
            movers = np.array([Position(self.game, root.tobytes()).player() for root in roots], np.int32)
        self.trees["movers"][:: self.room] = self.torch.from_numpy(np.resize(movers, self.games)).to(self.device)
        for name in ("expanded", "ended", "visits", "totals"):
            self.trees[name].zero_()
        self.trees["used"].fill_(1)
        self.grown = 0  # simulations since the trees began anew
        self.trees["children"].fill_(-1)
        given = {name: self.array(tensor) for name, tensor in self.trees.items()}
        self._trees = Trees(states=self.placed(states), **given)
        given = {name: self.array(tensor) for name, tensor in self.kept.items()}
        self._kept = Kept(states=self.kept_states, roots=self.roots, **given)

    def run(self, name: str, *args: Any) -> None:
        """One step over all games."""
        if self.device == "cuda":
            self.steps[name][-(-self.games // self.THREADS), self.THREADS](self.room, self.size, *args, self._trees)
        else:
            steps = {"descend": descend_all, "take_in": take_in_all, "advance": advance_all}
            with np.errstate(over="ignore"):
                steps[name](self.room, self.size, *args, self._trees, self.scratch, self.out)

    def table(self, simulations: int, considered: int) -> Any:
        """The schedule of sequential halving, [actions at the root, simulation], where the kernels find it."""
        if (simulations, considered) not in self.tables:
            most = min(considered, simulations)
            rows = [considered_visits(max(1, min(actions, most)), simulations) for actions in range(self.size + 1)]
            made = np.stack(rows).astype(np.int32) if considered else np.full((self.size + 1, simulations), PLAIN, np.int32)
            self.tables[simulations, considered] = self.placed(made)
        return self.tables[simulations, considered]

    def search(self, ask: Any, simulations: int, *, considered: int = 16, noisy: float = 1.0) -> None:
        """Grow every tree by so many simulations; `ask` turns what is seen into logits and values. With nothing `considered`, the
        root goes by PUCT."""
        left = self.room - 2 - self.grown
        if simulations > left:
            raise ValueError(f"the trees have room for {left} more simulations, asked for {simulations}: move first")
        self.grown += simulations
        torch = self.torch
        self.plain = not considered
        noise = self.trees["noise"]
        if noisy:
            noise.copy_(-torch.log(-torch.log(torch.rand_like(noise).clamp_(1e-9, 1 - 1e-7))) * noisy)
        else:
            noise.zero_()
        table = self.table(simulations, considered)
        for simulation in range(-1, simulations):  # the first one only asks about the root
            self.run("descend", max(simulation, 0), table)
            said, worth = ask(self.trees["seen"])
            if said.shape != (self.games, self.size) or worth.shape != (self.games,):  # a kernel would read past their ends
                raise ValueError(f"expected logits of shape {(self.games, self.size)} and values of shape {(self.games,)}, "
                                 f"got {tuple(said.shape)} and {tuple(worth.shape)}")  # fmt: skip
            self.run("take_in", self.proofs, self.array(said), self.array(worth))
            if simulation < 0 and self.plain and noisy:
                self.disturb()

    def disturb(self) -> None:
        """Mix noise into the priors of every root."""
        torch, priors = self.torch, self.trees["priors"].reshape(self.games, self.room, self.size)[:, 0]
        legal = priors >= 0
        count = legal.sum(1, keepdim=True).clamp(min=1)
        drawn = torch.distributions.Gamma((NOISE_ACTIONS / count).expand_as(priors), 1.0).sample() * legal
        noise = drawn / drawn.sum(1, keepdim=True).clamp(min=1e-30)
        priors.copy_(torch.where(legal, (1 - NOISE_SHARE) * priors + NOISE_SHARE * noise, priors))

    def choices(self, *, by_search: bool = True) -> np.ndarray:
        """The action that each tree would play: one by which its root is proved, else of its most visited ones the best by logit
        and value; or the best by logit alone."""
        names = "visits", "totals", "logits", "children", "ended", "outcomes"
        roots = {name: self.trees[name].reshape(self.games, self.room, -1)[:, 0] for name in names}
        score = roots["logits"]
        if by_search:
            most = roots["visits"].max(1, keepdim=True).values
            means = roots["totals"] / roots["visits"].clamp(min=1)
            score = score + raised((means + 1) / 2, most)
            score = self.torch.where(roots["visits"] == most, score, float(ILLEGAL))
            below = {name: self.trees[name].reshape(self.games, -1).gather(1, roots["children"].clamp(min=0).long())
                     for name in ("ended", "outcomes")}  # fmt: skip
            proving = (roots["children"] >= 0) & (below["ended"] != 0) & (below["outcomes"] == roots["outcomes"])
            score = self.torch.where(roots["ended"] != 0, self.torch.where(proving, roots["logits"], float(ILLEGAL)), score)
        return score.argmax(1).cpu().numpy()

    def move(self, *, full: bool) -> None:
        """Play the action found in every game; positions of full searches are kept for training."""
        self.run("advance", self.step, self.rows, int(full), int(self.plain), self.trust, self._kept)
        self.step += 1
        self.grown = 0

    def ready_rows(self) -> Any:
        """The rows of kept positions that can be learned from."""
        return self.torch.nonzero(self.kept["ready"][: min(self.step, self.rows) * self.games])[:, 0]

    def batch(self, count: int, turned: bool = True, rows: Any = None) -> tuple[Any, Any, Any, Any]:
        """Training rows drawn at random of `rows`, or of all that are ready: planes, policies, outcomes and targets, each `turned`
        by a random symmetry."""
        torch = self.torch
        if rows is None:
            rows = self.ready_rows()
        pick = rows[torch.randint(0, len(rows), (count,), device=self.device)]
        forms = max(1, int(self.game.rules.symmetries)) if turned else 1
        turns = torch.randint(0, forms, (count,), device=self.device, dtype=torch.int32)
        seen = torch.zeros((count, *self.game.rules.plane_shape), device=self.device)
        shares = torch.zeros((count, self.size), device=self.device)
        aims = torch.zeros((count, max(1, self.targets)), device=self.device)
        given = self._kept, self.array(pick.to(torch.int32)), self.array(turns)
        room = self.array(seen), self.array(shares), self.array(aims)
        if self.device == "cuda":
            self.steps["show"][-(-count // self.THREADS), self.THREADS](*given, *room)
        else:
            with np.errstate(over="ignore"):
                show_all(*given, self.scratch, *room)
        return seen, shares, self.kept["values"][pick], aims

    def ready(self) -> int:
        """How many kept positions can be learned from."""
        return int(self.kept["ready"].sum())

    def finished(self) -> int:
        """How many games were played to their end."""
        return int(self.kept["finished"].sum())


def openings(game: Any, count: int, share: float, plies: int, seed: int, least: int = 1) -> np.ndarray:
    """Starts of games, of which this share comes after some random moves, from `least` to `plies` of them."""
    roots = game.rules.states(count)
    roots[:] = np.frombuffer(game.start().state, game.rules.layout)[0]
    if share:
        room = np.zeros(int(game.rules.most_actions), np.int32)
        with np.errstate(over="ignore"):
            draw_openings(roots, max(1, round(count * (1 - share))), min(least, plies), plies, room, random_source(seed))
    return roots
