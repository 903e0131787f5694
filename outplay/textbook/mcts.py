"""Monte Carlo tree search: play the game out many times, and grow the tree where play goes well (Coulom 2006).

One simulation takes the lecture's four steps: *select* a way down through nodes seen before (UCT, Kocsis and Szepesvari 2006),
*expand* the tree by one node, *simulate* the rest of the game by a playout, and *backpropagate* its outcome to every node on the
way. In the end the action with the most visits is played.

>>> from outplay.game import load
>>> position = load("tic-tac-toe").position("xx./oo./... x")
>>> result = mcts(position, simulations=200, seed=1)
>>> position.action_text(result.action), sum(result.each("visits").values())
('c3', 200)

Values are kept between 0 (the game's least utility) and 1 (its greatest), so that one `exploration` fits all games. A node keeps
one value a player, and each player goes by its own: two players or ten, zero-sum or not. Chance nodes are followed by the dice.
Where information is hidden, each simulation starts from a fresh deal of what the player to move cannot see (Cowling, Powley and
Whitehouse 2012), and one tree gathers what all deals have in common: the actions.
"""

from __future__ import annotations

import math
import random

from outplay.errors import BadValue, UnknownName
from outplay.game import Position
from outplay.textbook.maxn import shown
from outplay.textbook.playout import POLICIES, Policy, outcome, play_out, roll
from outplay.textbook.search import OutOfTime, Search, whole_number
from outplay.textbook.ucb import SELECTIONS, Node, Vector, ucb1, update_value
from outplay.values import CHANCE, UTILITY, Action, Choice, Limits, Result

Way = list[tuple[Node, Position]]
"""The nodes from the root to where a simulation is, each with its position."""


def mcts(position: Position, *, simulations: int | None = None, exploration: float = 1.4, selection: str = "best",
         playout: str | Policy = "random", urgency: float | None = None, transpositions: bool = False, seed: int = 0,
         limits: Limits | None = None, trace: bool = False) -> Result:
    """The most visited action after so many simulations (1000 unless limits say otherwise).

    `selection` goes to the "best" child by UCB1, or to one "sampled" in proportion to UCB1; `playout` is "random", "decisive" or
    a function of a position and a `random.Random`. Each action is tried once before any is tried again, unless `urgency` says what
    one that was never tried is worth, between 0 and 1 (first-play urgency, Gelly and Wang 2006). With `transpositions`, a position
    that is reached at the same depth by other actions is the same node (Childs, Brodeur and Kocsis 2008). The choices
    tell of each action its visits, its value, and the interval that holds its mean with 95 % (Hoeffding 1963).
    """
    if selection not in SELECTIONS:
        raise UnknownName("selection", selection, SELECTIONS)
    if isinstance(playout, str) and playout not in POLICIES:
        raise UnknownName("playout", playout, POLICIES)
    if not exploration >= 0:
        raise BadValue(f"exploration must be 0 or more, got {exploration}")
    if urgency is not None and not urgency >= 0:
        raise BadValue(f"urgency must be 0 or more, got {urgency}")
    if limits is not None and limits.depth is not None:
        raise BadValue("mcts has no depth: limit its simulations, seconds or nodes")
    search = Search("mcts", position, limits=limits, trace=trace)
    policy = POLICIES[playout] if isinstance(playout, str) else playout
    source = random.Random(seed)
    least, greatest = search.traits.bounds
    tree = Node((0.0,) * search.traits.players)
    known: dict[tuple[int, Position], Node] = {}

    def select(way: Way) -> Action | None:
        """Step 1: walk down to where the tree ends, and say which action leads out of it; None at the end of the game."""
        while True:
            node, here = way[-1]
            if here.is_terminal():
                return None
            action = choose(node, here)
            if action not in node.children:
                return action
            way.append((node.children[action], search.result(here, action)))

    def choose(node: Node, here: Position) -> Action:
        """The dice at a chance node; an action that was never tried, where there is one; else by UCB1."""
        if here.player() == CHANCE:
            return roll(here, source)
        untried = [action for action in here.actions() if action not in node.children]
        if untried and urgency is None:
            return source.choice(untried)
        weights = []
        for action in here.actions():
            child = node.children.get(action)
            known_by = ucb1(child.value[here.player()], child.visits, node.visits, exploration) if child else urgency
            weights.append(known_by or 0.0)
        action = here.actions()[SELECTIONS[selection](weights, source)]
        search.note("select", here, facts={"action": action, "ucb": dict(zip(here.actions(), weights, strict=True))})
        return action

    def expand(way: Way, action: Action) -> None:
        """Step 2: one new node."""
        node, here = way[-1]
        after, fresh = search.result(here, action), Node((0.0,) * search.traits.players)
        node.children[action] = known.setdefault((len(way), after), fresh) if transpositions else fresh
        way.append((node.children[action], after))
        search.nodes += node.children[action] is fresh
        search.deepest = max(search.deepest, len(search.path))
        search.note("expand", way[-1][1])

    def simulate(here: Position) -> Vector:
        """Step 3: a playout, of which only the outcome is remembered."""
        end, played = play_out(here, policy, source, is_over)
        search.leaves += 1
        utilities = outcome(end)
        search.note("simulate", here, value=utilities, facts={"playout": played})
        return tuple((utility - least) / (greatest - least) for utility in utilities)

    def is_over() -> bool:
        """Whether a limit is reached."""
        try:
            search.look_at_limits()
        except OutOfTime:
            return True
        return False

    def back_propagate(way: Way, outcome: Vector) -> None:
        """Step 4: the outcome counts for every node on the way, from the newest to the root."""
        for node, here in reversed(way):
            update_value(node, outcome)
            search.note("backpropagate", here, value=node.value, facts={"visits": node.visits})
            if search.path:
                search.path.pop()

    wanted = _how_many(simulations, search.limits)
    hidden = search.traits.information == "hidden" and position.player() != CHANCE
    while tree.visits < (1 if position.is_terminal() else wanted):
        way = [(tree, position.deal(position.player(), source.getrandbits(63)) if hidden else position)]
        action = select(way)
        if action is not None:
            expand(way, action)
        back_propagate(way, simulate(way[-1][1]))
        if is_over():
            break
    return _report(search, tree, position)


def _how_many(simulations: int | None, limits: Limits) -> int:
    """How many simulations to make: as told, else without end where time or nodes are limited, else 1000."""
    wanted = limits.simulations if simulations is None else simulations
    if wanted is None:
        wanted = 1000 if limits.nodes is None else 1000 + 20 * limits.nodes  # a small tree may never have so many nodes
        wanted = wanted if limits.seconds is None else 2**63
    return whole_number("simulations", wanted, 1)


def _report(search: Search, tree: Node, position: Position) -> Result:
    """The most visited action, the line of most visits, and what is known of each action."""
    least, greatest = search.traits.bounds
    width = greatest - least
    search.exact = position.is_terminal()
    line: list[Action] = []
    node, here = tree, position
    while node.children and here.player() != CHANCE and (not line or search.traits.information == "perfect"):
        mover, children = here.player(), node.children
        line.append(max(children, key=lambda a: (children[a].visits, children[a].value[mover])))
        node, here = children[line[-1]], here.result(line[-1])
    tried = {action: tree.children[action] for action in position.actions() if action in tree.children}
    mover = position.player()
    choices = []
    for action, child in sorted(tried.items(), key=lambda item: -item[1].visits):
        vector = tuple(least + v * width for v in child.value)
        value = shown(vector, search.traits)
        mean = vector[mover] if isinstance(value, tuple) else value
        reach = width * math.sqrt(math.log(2 / 0.05) / (2 * child.visits))
        interval = (max(mean - reach, least), min(mean + reach, greatest))
        expected = tuple(line) if line and line[0] == action else (action,)
        choices.append(Choice(action, value, interval, child.visits, child.visits / tree.visits, line=expected))
    value = shown(tuple(least + v * width for v in (tree.children[line[0]] if line else tree).value), search.traits)
    return search.report(value, tuple(line), choices=choices, unit=UTILITY, simulations=tree.visits)
