"""The kernel of Monte Carlo tree search: select, expand, simulate, backpropagate, thousands of times in one call.

The tree is an array of nodes; the children of a node lie side by side, in random order, from `first` on. A node holds
the sum of outcomes for the player who chose it, each between 0 (the game's least utility) and 1 (its greatest), their mean and 1
/ sqrt(visits), so that going down the tree takes one multiplication and one addition a child, and no division. `edges` has the
action that leads to each node.

Solved positions (MCTS-Solver, Winands, Bjornsson and Saito 2008) work in two-player games without chance: a node that is `proved`
has its true value in it, and no simulation goes there again.

With transpositions, a position that is reached at the same depth by other actions shares the children that it got first (Childs,
Brodeur and Kocsis 2008): what is learned of them is learned once. Each way to it keeps its own visits and its own mean, and since
only nodes of one depth share, no way leads in a circle.

Threads may share a tree. Whoever gives a node its children claims it first (`TAKEN`), and to others it is a leaf meanwhile; visits,
outcomes and what is under way are added by atomic steps, so that nothing is lost wherever the system puts a thread to sleep.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from outplay.engine.atomic import claim, exchange
from outplay.engine.montecarlo.playouts import ENDED, OVERRUN, PLAYED, chance_step, judged, play_out
from outplay.jit import (
    always_inlined,
    below,
    copy_record,
    f64,
    i8,
    i32,
    i64,
    inlined,
    kernel,
    load_record,
    mix,
    record_of,
    u16,
    u64,
    uniform,
)
from outplay.values import CHANCE

NODE = np.dtype((np.record, np.dtype(
    [
        ("total", np.float64),  # of outcomes for the chooser; of a proved node, BLOCKED less its true value
        ("average", np.float32),  # total / visits: what children are compared by
        ("bonus", np.float32),  # 1 / sqrt(visits)
        ("visits", np.int32),
        ("first", np.int32),  # the first child; 0: none yet; TAKEN: another thread is at it
        ("count", np.uint16),
        ("tried", np.uint16),  # how many children had their first visit
        ("mover", np.int8),  # which side is to move here, or CHANCE; known once the node has children
        ("chooser", np.int8),  # who chose this node
        ("over", np.int8),  # the game ends here
        ("proved", np.int8),
    ],
    align=True,
)))
"""A node: 32 bytes, two to a cache line, since going down waits for memory."""

EXTRA = np.dtype((np.record, [("prior", np.float32), ("squares", np.float32), ("pending", np.float32)]))
"""What only some searches need: how likely a policy or chance is to come here, squared outcomes, visits under way elsewhere."""

RAVE = np.dtype((np.record, [(name, np.float32) for name in ("total", "count", "prior_total", "prior_count")]))
"""Of games in which the action came later, and of the virtual games that the rules' `prior` gives: outcomes and how many."""

TWIN = np.dtype((np.record, [("key", np.uint64), ("node", np.int64)]))
"""Where a position at some depth was expanded first: a hash table of one try, the newer one stays."""

TAKEN = -1
BLOCKED = -1e6
"""The sum of a proved node is this or below, so that no simulation goes there again; all other sums are 0 or more."""

CONTROL = np.dtype((np.record, np.dtype(
    [
        *((name, np.int64) for name in ("used", "end", "simulations", "until", "deepest", "full", "leaves", "waiting")),
        # work: moves made in the tree and in playouts, the measure of time; cut: playouts that the horizon ended
        *((name, np.int64) for name in ("work", "pause", "horizon", "cut", "overrun", "shared_nodes")),
        *((name, np.int64) for name in ("rule", "solver", "stored", "shared", "evaluated", "players", "sides", "vectors")),
        ("expand", np.int64),
        *((name, np.float64) for name in ("exploration", "urgency", "rave", "least", "greatest", "inverse", "scale")),
    ],
    align=True,
)))

MOST_ACTIONS = 2**16 - 1  # of one node
DRAWS = 32
"""Outcomes that stand for all where chance can only be drawn (sparse sampling, Kearns, Mansour and Ng 2002)."""


class Tree(NamedTuple):
    """The arrays of one tree, which all of its threads share: [node], but for the last three."""

    nodes: Any  # NODE
    edges: Any  # the action that leads to a node
    extras: Any  # EXTRA; one element where no search needs them
    states: Any  # the state at a node; one element, the root's, where states are replayed
    rave: Any  # RAVE; one element without
    twins: Any  # [slot]: TWIN, the node by which a position got its children; one element without transpositions
    reaches: Any  # [visits]: exploration * sqrt(log(visits))
    weights: Any  # of the game's evaluation


class Own(NamedTuple):
    """The arrays of one thread."""

    control: Any  # [1]: CONTROL
    path: Any  # [level]: the nodes from the root to the leaf
    scratch: Any  # [1]: the state at the leaf
    actions: Any  # room for a list
    probabilities: Any
    source: Any  # of random numbers
    outcomes: Any  # [side], between 0 and 1
    totals: Any  # [row, side]: row 0 is the root, the others its children; the last column counts
    said: Any  # [move, 0 and 1]: the action and the side of each move of a simulation (RAVE)
    seen: Any  # [side, action]: the last simulation in which the side played it (RAVE)


class Batch(NamedTuple):
    """Leaves that wait for an evaluator: [leaf, ...]."""

    paths: Any
    depths: Any
    states: Any
    actions: Any
    counts: Any


UCB1, SAMPLED, TUNED, PUCT = range(4)
RULES = {"ucb1": UCB1, "sampled": SAMPLED, "tuned": TUNED, "puct": PUCT}
FIRST = 1e6
"""An urgency from which on every action is tried once before any is tried again."""
LONGEST = 4096
"""No path in the tree is longer than this; below, games are played out."""
SLOTS = 4096
"""Actions are told apart modulo this number where the moves of a playout are remembered (RAVE)."""


# ---------------------------------------------------------------- 1. selection


@inlined
def chance_child(nodes: Any, extras: Any, node: Any, source: Any) -> Any:
    """Where the dice lead."""
    child = u64(nodes[node].first)
    last = child + u64(nodes[node].count) - u64(1)
    left = uniform(source)
    while child < last and left >= extras[child].prior:
        left -= extras[child].prior
        child += u64(1)
    return child


@inlined
def swap_actions(edges: Any, one: Any, other: Any) -> None:
    """Let two children that were never visited change places."""
    edges[one], edges[other] = edges[other], edges[one]


@inlined
def select_with_rave(nodes: Any, extras: Any, rave: Any, node: Any, control: Any) -> Any:
    """The child best by its own games, real and virtual, mixed with all games in which its action came later.

    With n games of its own and r of the others, those weigh r / (r + n + r n / k): less and less as n grows (Silver 2009).
    Multiplied out, that takes one division.
    """
    here = nodes[node]
    settings = control[0]
    log = np.float32(np.log(f64(max(here.visits, 1))))
    inverse, exploration, urgency = np.float32(1.0 / settings.rave), np.float32(settings.exploration), np.float32(settings.urgency)
    first = u64(here.first)
    best, chosen = np.float32(2.0 * BLOCKED), first
    for child in range(first, first + u64(here.count)):
        games = np.float32(nodes[child].visits) + rave[child].prior_count
        if settings.shared:  # visits under way count as losses, so that others go elsewhere
            games += extras[child].pending
        later = rave[child].count
        growth = np.float32(1.0) + later * inverse
        weight = games * growth + later
        score = urgency
        if weight > np.float32(0.0):
            score = ((np.float32(nodes[child].total) + rave[child].prior_total) * growth + rave[child].total) / weight
        if exploration > np.float32(0.0):
            score += exploration * np.sqrt(log / max(games, np.float32(1.0)))
        if score > best:
            best, chosen = score, child
    return chosen


@inlined
def select_by_rule(nodes: Any, extras: Any, node: Any, control: Any, source: Any) -> Any:
    """The child that the rule of the control prefers; the plain case of UCB1 is in `select_child`."""
    here = nodes[node]
    settings = control[0]
    rule, exploration = settings.rule, settings.exploration
    visits = f64(max(here.visits, 1))
    log = np.log(visits)
    first = u64(here.first)
    total, best, chosen = 0.0, 2.0 * BLOCKED, first
    for child in range(first, first + u64(here.count)):
        if nodes[child].proved and settings.solver:
            continue
        seen = f64(nodes[child].visits)
        mean = nodes[child].total / max(seen, 1.0)
        if settings.shared:  # visits under way count as losses, so that others go elsewhere
            seen += extras[child].pending
            mean = nodes[child].total / max(seen, 1.0)
        if rule == PUCT:
            if seen == 0.0:  # never seen: taken for a little worse than its parent, whose own mean is its chooser's
                known = nodes[node].total / visits
                mean = (known if here.chooser == here.mover else 1.0 - known) - settings.urgency
            score = mean + exploration * extras[child].prior * np.sqrt(visits) / (1.0 + seen)
        elif rule == TUNED:
            spread = extras[child].squares / max(seen, 1.0) - mean * mean + np.sqrt(2.0 * log / max(seen, 1.0))
            score = mean + exploration * np.sqrt(log / max(seen, 1.0) * min(0.25, max(spread, 0.0)))
        else:
            score = mean + exploration * np.sqrt(log / max(seen, 1.0))
        if seen == 0.0 and rule != PUCT:
            score = settings.urgency
        if rule == SAMPLED:
            # Drawn in proportion to the scores, in one pass: each child takes over with its share of the total so far.
            total += score
            if uniform(source) * total < score:
                chosen = child
        elif score > best:
            best, chosen = score, child
    return chosen


@always_inlined
def select_child(tree: Any, own: Any, node: Any, plain: Any) -> Any:
    """Step 1: an action that was never tried, where there is one; else by the rule of the control (UCB1, where it is plain)."""
    nodes, source = tree.nodes, own.source
    here = nodes[node]
    settings = own.control[0]
    if (tree.states[0].offers_chances() or tree.states[0].offers_draw()) and here.mover == CHANCE:
        return chance_child(nodes, tree.extras, node, source)
    if not plain and settings.rave > 0.0:
        return select_with_rave(nodes, tree.extras, tree.rave, node, own.control)
    first, tried = u64(here.first), here.tried
    if tried < here.count and (plain or (settings.rule != PUCT and settings.urgency >= FIRST)):
        # Untried actions come in random order: drawn here, unless another thread could draw at the same time, or another way to
        # this position has tried some already.
        child = first + u64(tried)
        if plain or not settings.shared:
            if len(tree.twins) == 1:
                swap_actions(tree.edges, child, child + u64(below(source, i64(here.count) - i64(tried))))
            here.tried = u16(tried + 1)
            return child
        if exchange(nodes["tried"], i64(node), u16(tried), u16(tried + 1)):
            return child  # else another thread took it: the rule says where to go
    if not plain:
        return select_by_rule(nodes, tree.extras, node, own.control, source)
    visits = here.visits
    if visits < len(tree.reaches):
        reach = tree.reaches[u64(visits)]
    else:
        reach = np.float32(settings.exploration * np.sqrt(np.log(f64(visits))))
    best, chosen = np.float32(BLOCKED), first
    for child in range(first, first + u64(here.count)):
        score = nodes[child].average + nodes[child].bonus * reach
        chosen = child if score > best else chosen
        best = max(score, best)
    return chosen


# ---------------------------------------------------------------- 2. expansion


@always_inlined
def list_actions(state: Any, player: Any, own: Any) -> Any:
    """The actions of a player or the outcomes of chance, and how many; too many for the room are told and none."""
    if state.offers_chances() and player == CHANCE:
        count = state.chances(own.actions, own.probabilities)
    elif state.offers_draw() and player == CHANCE:
        return i64(DRAWS)
    elif state.is_drawn():
        return i64(0)
    else:
        count = state.actions(own.actions)
    if count > len(own.actions):
        own.control[0].overrun = 1
        return i64(0)
    return i64(count)


@always_inlined
def expand(tree: Any, own: Any, state: Any, node: Any, depth: Any) -> Any:
    """Step 2: give a node its children; False when it has none (the game is over), the memory is full, or others are at it."""
    nodes, edges, extras, rave = tree.nodes, tree.edges, tree.extras, tree.rave
    here = nodes[node]
    settings = own.control[0]
    if settings.shared and not exchange(nodes["first"], i64(node), i32(0), i32(TAKEN)):
        return False
    player = state.side(state.player())
    key, slot = u64(0), u64(0)
    if len(tree.twins) > 1:
        key = mix(state.key() + u64(0x9E3779B97F4A7C15) * u64(depth + 1))
        slot = key & u64(len(tree.twins) - 1)
        if tree.twins[slot].key == key:
            twin = nodes[u64(tree.twins[slot].node)]
            if twin.mover == i8(player) and twin.chooser == here.chooser:
                settings.shared_nodes += 1
                here.mover, here.count, here.tried, here.first = twin.mover, twin.count, u16(0), twin.first
                return True
    count = list_actions(state, player, own)
    if count == 0:
        here.over, here.first = i8(1), i32(0)
        return False
    if settings.used + count > settings.end:
        settings.full, here.first = 1, i32(0)
        return False
    first = u64(settings.used)
    settings.used += count
    blank = nodes[first]
    blank.total, blank.average, blank.bonus = 0.0, np.float32(0.0), np.float32(1.0)
    blank.visits, blank.first, blank.count, blank.tried = i32(0), i32(0), u16(0), u16(0)
    blank.over, blank.proved = i8(0), i8(0)
    blank.chooser = here.chooser if player == CHANCE else i8(player)
    for k in range(u64(count)):
        nodes[first + k] = nodes[first]
        if state.offers_draw() and not state.offers_chances() and player == CHANCE:
            edges[first + k] = state.draw(own.source)
        else:
            edges[first + k] = own.actions[k]
    if len(extras) > 1:
        for k in range(first, first + u64(count)):
            extras[k].squares, extras[k].pending = np.float32(0.0), np.float32(0.0)
            listed = state.offers_chances() and player == CHANCE
            extras[k].prior = np.float32(own.probabilities[k - first] if listed else 1.0 / count)
    if (settings.shared or settings.rave > 0.0 or len(tree.twins) > 1) and player != CHANCE:
        for k in range(u64(count)):
            swap_actions(edges, first + k, first + u64(below(own.source, k + u64(1))))
    if len(rave) > 1:
        for k in range(first, first + u64(count)):
            won, games = state.prior(edges[k]) if player != CHANCE else (0.0, 0.0)
            rave[k].total, rave[k].count = np.float32(0.0), np.float32(0.0)
            rave[k].prior_total, rave[k].prior_count = np.float32(won), np.float32(games)
    here.mover, here.count, here.tried = i8(player), u16(count), u16(0)
    if settings.shared:
        exchange(nodes["first"], i64(node), i32(TAKEN), i32(first))  # last: another thread that sees it may go down at once
    else:
        here.first = i32(first)
    if len(tree.twins) > 1:
        tree.twins[slot].key, tree.twins[slot].node = key, i64(node)
    return True


# ---------------------------------------------------------------- 4. backpropagation


@always_inlined
def add_outcome(nodes: Any, extras: Any, node: Any, outcome: Any) -> None:
    """Combine a new outcome with the mean so far."""
    here = nodes[node]
    here.visits += 1
    if not here.proved:
        here.total += outcome
        share = np.float32(1.0) / np.float32(here.visits)
        here.average, here.bonus = np.float32(here.total) * share, np.sqrt(share)
    if len(extras) > 1:
        extras[node].squares += np.float32(outcome * outcome)


@always_inlined
def add_shared_outcome(nodes: Any, extras: Any, node: Any, outcome: Any) -> None:
    """The same where other threads may add to the node, or prove it, at the same moment; its mean is worked out when needed."""
    claim(nodes["visits"], i64(node), i32(1))
    while True:
        total = nodes[node].total
        if total <= BLOCKED or exchange(nodes["total"], i64(node), total, total + outcome):
            break
    claim(extras["squares"], i64(node), np.float32(outcome * outcome))


@inlined
def set_proved(nodes: Any, node: Any, exact: Any) -> None:
    """Note the true value of a node, for its chooser."""
    nodes[node].proved = i8(1)
    nodes[node].total, nodes[node].average, nodes[node].bonus = BLOCKED - exact, np.float32(BLOCKED - exact), np.float32(1.0)


@inlined
def prove(nodes: Any, node: Any) -> Any:
    """Whether a node's value follows from those of its children: one that wins, or all of them known."""
    here = nodes[node]
    best = -1.0
    every = True
    for child in range(u64(here.first), u64(here.first + here.count)):
        total = nodes[child].total
        if total <= BLOCKED:  # proved, maybe by another thread, which notes that a moment later
            best = max(best, BLOCKED - total)
        else:
            every = False
    if best >= 1.0 or (every and here.count > 0):
        set_proved(nodes, node, best if here.chooser == here.mover else 1.0 - best)
        return True
    return False


@always_inlined
def back_up(nodes: Any, extras: Any, path: Any, depth: Any, outcomes: Any, proving: Any, waited: Any, solving: Any) -> None:
    """Step 4: the outcome counts for every node on the way; a proof climbs as long as it holds.

    With transpositions (`solving`), a child may have been proved on another way: then this way hears of it now.
    """
    if not proving and not waited and not solving:  # the plain case, where the order does not matter
        for level in range(u64(depth) + u64(1)):
            add_outcome(nodes, extras, path[level], outcomes[u64(nodes[path[level]].chooser)])
        return
    for level in range(depth, -1, -1):
        node = path[level]
        if waited:
            add_shared_outcome(nodes, extras, node, outcomes[u64(nodes[node].chooser)])
            if level > 0:
                claim(extras["pending"], i64(node), np.float32(-1.0))
        else:
            add_outcome(nodes, extras, node, outcomes[u64(nodes[node].chooser)])
        if level < depth and (proving or (solving and nodes[path[level + 1]].proved and not nodes[node].proved)):
            proving = prove(nodes, node)


@inlined
def count_outcome(nodes: Any, path: Any, depth: Any, outcomes: Any, sides: Any, totals: Any) -> None:
    """Add all sides' outcomes to row 0 of the totals and to the row of the root's child; the last column counts."""
    row = 0 if depth == 0 else i64(path[1]) - nodes[0].first + 1
    for side in range(sides):
        totals[0, side] += outcomes[side]
        if row > 0:
            totals[row, side] += outcomes[side]
    totals[0, sides] += 1.0
    if row > 0:
        totals[row, sides] += 1.0


# ---------------------------------------------------------------- the loop


@inlined
def finish(state: Any, control: Any, outcomes: Any) -> None:
    """The outcomes of a finished game, between 0 and 1."""
    settings = control[0]
    outcomes[state.side(0)] = (state.utility(0) - settings.least) * settings.inverse
    if settings.vectors:
        for seat in range(1, settings.players):
            outcomes[state.side(seat)] = (state.utility(seat) - settings.least) * settings.inverse
    else:
        outcomes[1 - state.side(0)] = 1.0 - outcomes[state.side(0)]


@inlined
def judge(state: Any, control: Any, outcomes: Any, weights: Any) -> None:
    """The outcomes of a game that the horizon cut, between 0 and 1."""
    settings = control[0]
    least, greatest = settings.least, settings.greatest
    for seat in range(settings.players if settings.vectors else 1):
        outcomes[state.side(seat)] = (judged(state, seat, weights, settings.scale, least, greatest) - least) * settings.inverse
    if not settings.vectors:
        outcomes[1 - state.side(0)] = 1.0 - outcomes[state.side(0)]


@always_inlined
def descend(tree: Any, own: Any, path: Any, state: Any) -> Any:
    """Steps 1 and 2: go down to a node that was never visited, or where the game ends; its position is left in `state`."""
    nodes, states = tree.nodes, tree.states
    settings = own.control[0]
    stored, shared = settings.stored, settings.shared
    plain = settings.rule == UCB1 and settings.rave <= 0.0 and not shared and settings.urgency >= FIRST
    node = u64(0)
    depth = 0
    path[0] = 0
    if not stored:
        load_record(state, states, 0)
    expanded = False
    while True:
        here = nodes[node]
        if here.first <= 0 or here.count == 0:
            if (
                here.over
                or expanded
                or here.first == TAKEN
                or depth >= LONGEST - 1
                or (here.visits < settings.expand and (node != u64(0) or settings.evaluated))
                or settings.full
            ):
                break
            if stored:
                load_record(state, states, node)
            if not expand(tree, own, state, node, depth):
                break
            expanded = True
        child = select_child(tree, own, node, plain)
        if stored:
            if nodes[child].visits == 0:
                copy_record(states, u64(child), node)
                states[child].play(tree.edges[child])
        else:
            state.play(tree.edges[child])
        if shared:
            claim(tree.extras["pending"], i64(child), np.float32(1.0))
        node = child
        depth += 1
        path[u64(depth)] = node
    if stored:
        load_record(state, states, node)
    return depth


@inlined
def remembered_playout(state: Any, actions: Any, probabilities: Any, source: Any, horizon: Any, said: Any, length: Any) -> Any:
    """A playout whose moves are written down as (action, player) from said[length] on; returns where they end, and its status."""
    moves = 0
    while moves < horizon:
        player = state.side(state.player())
        if (state.offers_chances() or state.offers_draw()) and player == CHANCE:
            status = chance_step(state, actions, probabilities, source)
            if status != PLAYED:
                return length, status
            action = i64(0)
        else:
            if state.is_drawn():
                return length, ENDED
            action = i64(state.choose(actions, source))
            if action < 0:
                return length, ENDED
            state.play(action)
        moves += 1
        if length < len(said):
            said[length, 0], said[length, 1] = action, player
            length += 1
    return length, PLAYED


@inlined
def credit_later_moves(
    nodes: Any, edges: Any, rave: Any, path: Any, depth: Any, said: Any, length: Any, seen: Any, stamp: Any, outcomes: Any,
    shared: Any,
) -> None:
    """All moves as first (Brugmann 1993): each child whose action its chooser played later shares the outcome.

    `seen[player, action]` holds the stamp of the last simulation in which the player played the action. Moves are entered from
    the last to the first, so that each node sees what came after it.
    """
    entered = length
    for level in range(depth, -1, -1):
        while entered > level:
            entered -= 1
            if said[entered, 1] >= 0:
                seen[said[entered, 1], said[entered, 0] & (SLOTS - 1)] = stamp
        node = path[level]
        player = nodes[node].mover
        if nodes[node].first <= 0 or player == CHANCE:
            continue
        for child in range(u64(nodes[node].first), u64(nodes[node].first + nodes[node].count)):
            if seen[player, edges[child] & (SLOTS - 1)] == stamp:
                if shared:
                    claim(rave["total"], i64(child), np.float32(outcomes[player]))
                    claim(rave["count"], i64(child), np.float32(1.0))
                else:
                    rave[child].total += np.float32(outcomes[player])
                    rave[child].count += np.float32(1.0)


@kernel
def simulate(tree: Any, own: Any) -> None:
    """Run simulations until control.until, or so many moves (control.pause), or until the root is proved."""
    nodes, edges = tree.nodes, tree.edges
    state, outcomes, said = record_of(tree.states), own.outcomes, own.said
    settings = own.control[0]
    path = own.path
    while settings.simulations < settings.until and settings.work < settings.pause:
        depth = descend(tree, own, path, state)
        node = path[depth]
        settings.deepest = max(settings.deepest, depth)
        # 3. Simulation.
        status = ENDED
        length = moves = 0
        over = nodes[node].over != 0
        if not over:
            if settings.rave > 0.0:
                for level in range(depth):
                    said[level, 0], said[level, 1] = edges[path[level + 1]], nodes[path[level]].mover
                length, status = remembered_playout(
                    state, own.actions, own.probabilities, own.source, settings.horizon, said, depth
                )
                moves = length - depth
            else:
                moves, status = play_out(state, own.actions, own.probabilities, own.source, settings.horizon)
            settings.leaves += 1
            over = status == ENDED and moves == 0
            if over:
                nodes[node].over = i8(1)
        settings.work += depth + moves + 1
        if status == OVERRUN or settings.overrun:
            settings.overrun = 1
            return
        if status == PLAYED:
            settings.cut += 1
            judge(state, own.control, outcomes, tree.weights)
        else:
            finish(state, own.control, outcomes)
        proving = False
        if over and settings.solver and not nodes[node].proved:
            set_proved(nodes, node, outcomes[nodes[node].chooser])
            proving = True
        back_up(nodes, tree.extras, path, depth, outcomes, proving, settings.shared, settings.solver and len(tree.twins) > 1)
        if settings.rave > 0.0 and length > 0:
            credit_later_moves(
                nodes, edges, tree.rave, path, depth, said, length, own.seen, settings.simulations + 1, outcomes, settings.shared
            )
        if settings.vectors:
            count_outcome(nodes, path, depth, outcomes, settings.sides, own.totals)
        settings.simulations += 1
        if nodes[0].proved:
            break


# ---------------------------------------------------------------- leaves handed out to an evaluator


@kernel
def gather(tree: Any, own: Any, batch: Any) -> None:
    """Go down until the batch is full of leaves that want a value; finished games are backed up at once.

    Stops early at a leaf that is in the batch already: nothing new can be learned before its value is known.
    """
    nodes, extras, outcomes = tree.nodes, tree.extras, own.outcomes
    settings = own.control[0]
    settings.waiting = 0
    while (
        settings.waiting < len(batch.states) and settings.simulations + settings.waiting < settings.until and not nodes[0].proved
        and not settings.overrun
    ):  # fmt: skip
        path = batch.paths[settings.waiting]
        state = own.scratch[0]
        depth = descend(tree, own, path, state)
        node = path[depth]
        settings.deepest = max(settings.deepest, depth)
        count = 0
        if not nodes[node].over and not state.is_terminal() and not state.is_drawn():
            count = list_actions(state, state.player(), own)
        if count == 0:
            nodes[node].over = i8(1)
            finish(state, own.control, outcomes)
            proving = False
            if settings.solver and not nodes[node].proved:
                set_proved(nodes, node, outcomes[nodes[node].chooser])
                proving = True
            back_up(nodes, extras, path, depth, outcomes, proving, True, False)
            count_outcome(nodes, path, depth, outcomes, settings.sides, own.totals)
            settings.simulations += 1
            continue
        if (depth > 0 and extras[node].pending > 1.0) or (depth == 0 and settings.waiting > 0):
            for level in range(1, depth + 1):
                extras[path[level]].pending -= np.float32(1.0)
            break
        batch.states[settings.waiting] = state
        batch.counts[settings.waiting] = count
        for k in range(count):
            batch.actions[settings.waiting, k] = own.actions[k]
        batch.depths[settings.waiting] = depth
        settings.waiting += 1


@kernel
def receive(tree: Any, own: Any, batch: Any, values: Any, priors: Any, with_priors: Any) -> None:
    """Give the leaves of a batch their children, with the evaluator's priors, and back up its values."""
    nodes, extras, outcomes = tree.nodes, tree.extras, own.outcomes
    settings = own.control[0]
    for index in range(settings.waiting):
        path, depth = batch.paths[index], batch.depths[index]
        node = path[depth]
        settings.leaves += 1
        if (
            with_priors
            and nodes[node].first == 0
            and not settings.full
            and expand(tree, own, batch.states[index], node, depth)
            and nodes[node].mover != CHANCE
        ):
            # The children are shuffled: find each one's place in the list that the evaluator was given.
            count = batch.states[index].actions(own.actions)
            for child in range(u64(nodes[node].first), u64(nodes[node].first + nodes[node].count)):
                for k in range(count):
                    if own.actions[k] == tree.edges[child]:
                        extras[child].prior = np.float32(priors[index, k])
        for seat in range(settings.players):
            outcomes[batch.states[index].side(seat)] = min(max((values[index, seat] - settings.least) * settings.inverse, 0.0), 1.0)
        count_outcome(nodes, path, depth, outcomes, settings.sides, own.totals)
        back_up(nodes, extras, path, depth, outcomes, False, True, False)
        settings.simulations += 1
    settings.waiting = 0


# ---------------------------------------------------------------- keeping the tree between moves


@kernel
def keep_subtree(nodes: Any, root: Any, kept: Any, old: Any) -> Any:
    """List what lies below a node, breadth first; returns how many nodes there are.

    `kept` gets the nodes and `old` says where each of them was, so that the caller can move what lies beside them.
    """
    kept[0] = nodes[root]
    old[0] = root
    used = 1
    done = 0
    while done < used:
        here = kept[done]
        first = here.first
        if first != 0:
            here.first = i32(used)
            for k in range(here.count):
                kept[used + k] = nodes[first + k]
                old[used + k] = first + k
            used += here.count
        done += 1
    return used
