"""The kernel of Monte Carlo tree search: select, expand, simulate, backpropagate, thousands of times in one call.

The tree is an array of nodes; the children of a node lie side by side, in random order, from `first` on. A node holds
the sum of outcomes for the player who chose it, each between 0 (the game's least utility) and 1 (its greatest), their mean and 1
/ sqrt(visits), so that going down the tree takes one multiplication and one addition a child, and no division. `edges` has the
action that leads to each node.

Solved positions (MCTS-Solver, Winands, Bjornsson and Saito 2008) work in two-player games without chance: a node that is `proved`
has its true value in it, and no simulation goes there again.
"""

# mypy: disable-error-code="assignment,arg-type,call-overload,operator"
from __future__ import annotations

from typing import Any

import numpy as np

from outplay.engine.playouts import draw, play_out
from outplay.jit import always_inlined, below, f64, i8, i16, i32, i64, inlined, kernel, u64, uniform
from outplay.values import CHANCE

NODE = np.dtype((np.record, np.dtype(
    [
        ("total", np.float64),  # of outcomes for the chooser; of a proved node, BLOCKED less its true value
        ("average", np.float32),  # total / visits: what children are compared by
        ("bonus", np.float32),  # 1 / sqrt(visits)
        ("visits", np.int32),
        ("first", np.int32),  # the first child; 0: none yet
        ("count", np.int16),
        ("tried", np.int16),  # how many children had their first visit
        ("mover", np.int8),  # who is to move here; known once the node has children
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

BLOCKED = -1e6
"""The sum of a proved node lies below this, so that no simulation goes there again."""

CONTROL = np.dtype((np.record, np.dtype(
    [
        *((name, np.int64) for name in ("used", "end", "simulations", "until", "deepest", "full", "leaves", "waiting")),
        *((name, np.int64) for name in ("rule", "solver", "stored", "shared", "evaluated", "players", "vectors")),
        ("expand", np.int64),
        *((name, np.float64) for name in ("exploration", "urgency", "rave", "least", "inverse")),
    ],
    align=True,
)))

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
    total, best, chosen = 0.0, -1.0, first
    for child in range(first, first + u64(here.count)):
        if nodes[child].proved and settings.solver:
            continue
        seen = f64(nodes[child].visits)
        mean = nodes[child].total / max(seen, 1.0)
        if settings.shared:  # visits under way count as losses, so that others go elsewhere
            seen += extras[child].pending
            mean = nodes[child].total / max(seen, 1.0)
        if rule == PUCT:
            if seen == 0.0:  # never seen: taken for as good as its parent, whose own mean is its chooser's
                known = nodes[node].total / visits
                mean = known if here.chooser == here.mover else 1.0 - known
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
def select_child(
    nodes: Any, edges: Any, extras: Any, states: Any, rave: Any, reaches: Any, node: Any, control: Any, plain: Any, source: Any
) -> Any:
    """Step 1: an action that was never tried, where there is one; else by the rule of the control (UCB1, where it is plain)."""
    here = nodes[node]
    settings = control[0]
    if states[0].offers_chances() and here.mover == CHANCE:
        return chance_child(nodes, extras, node, source)
    if not plain and settings.rave > 0.0:
        return select_with_rave(nodes, extras, rave, node, control)
    first = u64(here.first)
    if here.tried < here.count and (plain or (settings.rule != PUCT and settings.urgency >= FIRST)):
        # Untried actions come in random order: drawn here, unless another thread could draw at the same time.
        child = first + u64(here.tried)
        if plain or not settings.shared:
            swap_actions(edges, child, child + u64(below(source, here.count - here.tried)))
        here.tried += 1
        return child
    if not plain:
        return select_by_rule(nodes, extras, node, control, source)
    visits = here.visits
    if visits < len(reaches):
        reach = reaches[u64(visits)]
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
def expand(
    nodes: Any,
    edges: Any,
    extras: Any,
    rave: Any,
    state: Any,
    node: Any,
    control: Any,
    actions: Any,
    probabilities: Any,
    source: Any,
) -> Any:
    """Step 2: give a node its children; False when it has none (the game is over) or the memory is full."""
    here = nodes[node]
    settings = control[0]
    player = state.player()
    if state.offers_chances() and player == CHANCE:
        count = state.chances(actions, probabilities)
    else:
        count = 0 if state.is_drawn() else state.actions(actions)
    if count == 0:
        here.over = 1
        return False
    if settings.used + count > settings.end:
        settings.full = 1
        return False
    first = u64(settings.used)
    settings.used += count
    blank = nodes[first]
    blank.total, blank.average, blank.bonus = 0.0, np.float32(0.0), np.float32(1.0)
    blank.visits, blank.first, blank.count, blank.tried = i32(0), i32(0), i16(0), i16(0)
    blank.over, blank.proved = i8(0), i8(0)
    blank.chooser = here.chooser if player == CHANCE else i8(player)
    for k in range(u64(count)):
        nodes[first + k] = nodes[first]
        edges[first + k] = i32(actions[k])
    if len(extras) > 1:
        for k in range(first, first + u64(count)):
            extras[k].squares, extras[k].pending = np.float32(0.0), np.float32(0.0)
            extras[k].prior = np.float32(probabilities[k - first] if player == CHANCE else 1.0 / count)
    if (settings.shared or settings.rave > 0.0) and player != CHANCE:
        for k in range(u64(count)):
            swap_actions(edges, first + k, first + u64(below(source, k + u64(1))))
    if len(rave) > 1:
        for k in range(first, first + u64(count)):
            won, games = state.prior(edges[k]) if player != CHANCE else (0.0, 0.0)
            rave[k].total, rave[k].count = np.float32(0.0), np.float32(0.0)
            rave[k].prior_total, rave[k].prior_count = np.float32(won), np.float32(games)
    here.mover, here.count, here.tried = i8(player), i16(count), i16(0)
    here.first = i32(first)  # last: another thread that sees it may go down at once
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
        if nodes[child].proved:
            best = max(best, BLOCKED - nodes[child].total)
        else:
            every = False
    if best >= 1.0 or (every and here.count > 0):
        set_proved(nodes, node, best if here.chooser == here.mover else 1.0 - best)
        return True
    return False


@always_inlined
def back_up(nodes: Any, extras: Any, path: Any, depth: Any, outcomes: Any, proving: Any, waited: Any) -> None:
    """Step 4: the outcome counts for every node on the way; a proof climbs as long as it holds."""
    if not proving and not waited:  # the plain case, where the order does not matter
        for level in range(u64(depth) + u64(1)):
            add_outcome(nodes, extras, path[level], outcomes[u64(nodes[path[level]].chooser)])
        return
    for level in range(depth, -1, -1):
        node = path[level]
        add_outcome(nodes, extras, node, outcomes[u64(nodes[node].chooser)])
        if waited and level > 0:
            extras[node].pending -= np.float32(1.0)
        if proving and level < depth:
            proving = prove(nodes, node)


@inlined
def count_outcome(nodes: Any, path: Any, depth: Any, outcomes: Any, players: Any, totals: Any) -> None:
    """Add all players' outcomes to row 0 of the totals and to the row of the root's child; the last column counts."""
    row = 0 if depth == 0 else i64(path[1]) - nodes[0].first + 1
    for player in range(players):
        totals[0, player] += outcomes[player]
        if row > 0:
            totals[row, player] += outcomes[player]
    totals[0, players] += 1.0
    if row > 0:
        totals[row, players] += 1.0


# ---------------------------------------------------------------- the loop


@inlined
def finish(state: Any, control: Any, outcomes: Any) -> None:
    """The outcomes of a finished game, between 0 and 1."""
    outcomes[0] = (state.utility(0) - control[0].least) * control[0].inverse
    if control[0].vectors:
        for player in range(1, control[0].players):
            outcomes[player] = (state.utility(player) - control[0].least) * control[0].inverse
    else:
        outcomes[1] = 1.0 - outcomes[0]


@always_inlined
def descend(
    nodes: Any,
    edges: Any,
    extras: Any,
    states: Any,
    rave: Any,
    reaches: Any,
    control: Any,
    path: Any,
    scratch: Any,
    actions: Any,
    probabilities: Any,
    source: Any,
) -> Any:
    """Steps 1 and 2: go down to a node that was never visited, or where the game ends; its state is scratch[0]."""
    settings = control[0]
    stored, shared = settings.stored, settings.shared
    plain = settings.rule == UCB1 and settings.rave <= 0.0 and not shared and settings.urgency >= FIRST
    node = u64(0)
    depth = 0
    path[0] = 0
    if not stored:
        scratch[0] = states[0]
    expanded = False
    while True:
        here = nodes[node]
        if here.first == 0 or here.count == 0:
            if (
                here.over
                or expanded
                or depth >= LONGEST - 1
                or (here.visits < settings.expand and (node != u64(0) or settings.evaluated))
                or settings.full
            ):
                break
            if stored:
                scratch[0] = states[node]
            if not expand(nodes, edges, extras, rave, scratch[0], node, control, actions, probabilities, source):
                break
            expanded = True
        child = select_child(nodes, edges, extras, states, rave, reaches, node, control, plain, source)
        if stored:
            if nodes[child].visits == 0:
                states[child] = states[node]
                states[child].play(edges[child])
        else:
            scratch[0].play(edges[child])
        if shared:
            extras[child].pending += np.float32(1.0)
        node = child
        depth += 1
        path[u64(depth)] = node
    if stored:
        scratch[0] = states[node]
    return depth


@inlined
def remembered_playout(state: Any, actions: Any, probabilities: Any, source: Any, said: Any, length: Any) -> Any:
    """A playout whose moves are written down as (action, player) from said[length] on; returns where they end."""
    while True:
        player = state.player()
        if state.offers_chances() and player == CHANCE:
            count = state.chances(actions, probabilities)
            if count == 0:
                return length
            action = actions[draw(probabilities, count, source)]
        else:
            if state.is_drawn():
                return length
            action = state.choose(actions, source)
            if action < 0:
                return length
        state.play(action)
        if length < len(said):
            said[length, 0], said[length, 1] = action, player
            length += 1


@inlined
def credit_later_moves(
    nodes: Any, edges: Any, rave: Any, path: Any, depth: Any, said: Any, length: Any, seen: Any, stamp: Any, outcomes: Any
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
        if nodes[node].first == 0 or player == CHANCE:
            continue
        for child in range(u64(nodes[node].first), u64(nodes[node].first + nodes[node].count)):
            if seen[player, edges[child] & (SLOTS - 1)] == stamp:
                rave[child].total += np.float32(outcomes[player])
                rave[child].count += np.float32(1.0)


@kernel
def simulate(
    nodes: Any,
    edges: Any,
    extras: Any,
    states: Any,
    rave: Any,
    reaches: Any,
    control: Any,
    path: Any,
    scratch: Any,
    actions: Any,
    probabilities: Any,
    source: Any,
    outcomes: Any,
    totals: Any,
    said: Any,
    seen: Any,
) -> None:
    """Run simulations until control.until, or until the root is proved."""
    settings = control[0]
    while settings.simulations < settings.until:
        depth = descend(nodes, edges, extras, states, rave, reaches, control, path, scratch, actions, probabilities, source)
        node = path[depth]
        settings.deepest = max(settings.deepest, depth)
        # 3. Simulation.
        over = nodes[node].over != 0
        length = 0
        if not over:
            if settings.rave > 0.0:
                for level in range(depth):
                    said[level, 0], said[level, 1] = edges[path[level + 1]], nodes[path[level]].mover
                length = remembered_playout(scratch[0], actions, probabilities, source, said, depth)
                over = length == depth
            else:
                over = play_out(scratch[0], actions, probabilities, source) == 0
            settings.leaves += 1
            if over:
                nodes[node].over = i8(1)
        finish(scratch[0], control, outcomes)
        proving = False
        if over and settings.solver and not nodes[node].proved:
            set_proved(nodes, node, outcomes[nodes[node].chooser])
            proving = True
        back_up(nodes, extras, path, depth, outcomes, proving, settings.shared)
        if settings.rave > 0.0 and length > 0:
            credit_later_moves(nodes, edges, rave, path, depth, said, length, seen, settings.simulations + 1, outcomes)
        if settings.vectors:
            count_outcome(nodes, path, depth, outcomes, settings.players, totals)
        settings.simulations += 1
        if nodes[0].proved:
            break


# ---------------------------------------------------------------- leaves handed out to an evaluator


@kernel
def gather(
    nodes: Any,
    edges: Any,
    extras: Any,
    states: Any,
    rave: Any,
    reaches: Any,
    control: Any,
    paths: Any,
    depths: Any,
    scratch: Any,
    actions: Any,
    probabilities: Any,
    source: Any,
    outcomes: Any,
    totals: Any,
    batch: Any,
    batch_actions: Any,
    batch_counts: Any,
) -> None:
    """Go down until the batch is full of leaves that want a value; finished games are backed up at once.

    Stops early at a leaf that is in the batch already: nothing new can be learned before its value is known.
    """
    settings = control[0]
    settings.waiting = 0
    while settings.waiting < len(batch) and settings.simulations + settings.waiting < settings.until and not nodes[0].proved:
        path = paths[settings.waiting]
        depth = descend(nodes, edges, extras, states, rave, reaches, control, path, scratch, actions, probabilities, source)
        node = path[depth]
        settings.deepest = max(settings.deepest, depth)
        state = scratch[0]
        count = 0
        if not nodes[node].over and not state.is_terminal() and not state.is_drawn():
            if state.offers_chances() and state.player() == CHANCE:
                count = state.chances(actions, probabilities)
            else:
                count = state.actions(actions)
        if count == 0:
            nodes[node].over = i8(1)
            finish(state, control, outcomes)
            proving = False
            if settings.solver and not nodes[node].proved:
                set_proved(nodes, node, outcomes[nodes[node].chooser])
                proving = True
            back_up(nodes, extras, path, depth, outcomes, proving, True)
            count_outcome(nodes, path, depth, outcomes, settings.players, totals)
            settings.simulations += 1
            continue
        if (depth > 0 and extras[node].pending > 1.0) or (depth == 0 and settings.waiting > 0):
            for level in range(1, depth + 1):
                extras[path[level]].pending -= np.float32(1.0)
            break
        batch[settings.waiting] = state
        batch_counts[settings.waiting] = count
        for k in range(count):
            batch_actions[settings.waiting, k] = actions[k]
        depths[settings.waiting] = depth
        settings.waiting += 1


@kernel
def receive(
    nodes: Any,
    edges: Any,
    extras: Any,
    rave: Any,
    control: Any,
    paths: Any,
    depths: Any,
    batch: Any,
    actions: Any,
    probabilities: Any,
    source: Any,
    outcomes: Any,
    totals: Any,
    values: Any,
    priors: Any,
    with_priors: Any,
) -> None:
    """Give the leaves of a batch their children, with the evaluator's priors, and back up its values."""
    settings = control[0]
    for index in range(settings.waiting):
        path, depth = paths[index], depths[index]
        node = path[depth]
        settings.leaves += 1
        if (
            with_priors
            and nodes[node].first == 0
            and not settings.full
            and expand(nodes, edges, extras, rave, batch[index], node, control, actions, probabilities, source)
            and nodes[node].mover != CHANCE
        ):
            # The children are shuffled: find each one's place in the list that the evaluator was given.
            count = batch[index].actions(actions)
            for child in range(u64(nodes[node].first), u64(nodes[node].first + nodes[node].count)):
                for k in range(count):
                    if actions[k] == edges[child]:
                        extras[child].prior = np.float32(priors[index, k])
        for player in range(settings.players):
            outcomes[player] = min(max((values[index, player] - settings.least) * settings.inverse, 0.0), 1.0)
        count_outcome(nodes, path, depth, outcomes, settings.players, totals)
        back_up(nodes, extras, path, depth, outcomes, False, True)
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
