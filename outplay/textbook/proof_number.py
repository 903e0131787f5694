"""Proof-number search: is this position won? Always look where the answer seems least far away (Allis 1994; Nagai 2002).

For every position two numbers: how many leaves must at least still be shown to be won to prove that the first player to move
reaches what it wants (proof number), and how many must be shown not to be to disprove it (disproof number). At the prover's own
nodes one good action is enough, so the proof number is the least of its children's and the disproof number their sum; at the
other's nodes it is the other way round. The leaf that changes both numbers of the root is the *most proving node*.

`dfpn` finds the same nodes depth-first (Nagai's df-pn): it stays below a node while that node's numbers are under thresholds, and a
table keeps what was found. `pns` is Allis's original with the whole tree in memory.

In games with repetitions only wins are proved, for either player: that nobody wins would depend on the way to a position, and the
table does not know it. A result that is neither is not `exact`; nor is one that a depth cut short.

>>> from outplay.game import load
>>> position = load("tic-tac-toe").position("xo./.x./..o x")
>>> result = dfpn(position)
>>> result.value, position.action_text(result.action), result.exact
(1.0, 'a2', True)
>>> pns(load("nim", heaps="1-2-3").start()).value
-1.0
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from outplay.errors import Unsuitable
from outplay.game import Position
from outplay.textbook.search import INFINITY, Search, need_two_players
from outplay.values import Action, Limits, Result

Numbers = tuple[float, float]
"""Proof and disproof number."""

Ask = Callable[[Position, int, float], tuple[bool, Action]]
"""Whether a side reaches at least so much from a position, and an action that does."""

PROVED: Numbers = (0.0, INFINITY)
DISPROVED: Numbers = (INFINITY, 0.0)


def dfpn(position: Position, *, limits: Limits | None = None, trace: bool = False) -> Result:
    """The value by depth-first proof-number search: one question "at least so much?" after the other."""
    need_two_players("dfpn", position)
    search = Search("dfpn", position, limits=limits, trace=trace)

    def ask(start: Position, side: int, bar: float) -> tuple[bool, Action]:
        table: dict[Position, Numbers] = {}

        def numbers_of(child: Position, way: frozenset[Position]) -> Numbers:
            if child.is_terminal():
                search.leaves += 1
                return PROVED if _worth(child, side) >= bar else DISPROVED
            if child in way:  # a repetition is a draw, and brings nobody nearer
                return PROVED if _middle(child) >= bar else DISPROVED
            if search.depth is not None and len(search.path) + 1 >= search.depth:
                search.exact = False
                return DISPROVED
            return table.get(child, (1.0, 1.0))

        def look(node: Position, most_proof: float, most_disproof: float, way: frozenset[Position]) -> Numbers:
            """Work below a node until one of its numbers reaches its threshold."""
            search.enter(node)
            is_mine = node.side() == side
            children = [(action, node.result(action)) for action in node.actions()]
            way = way | {node}
            while True:
                known = [numbers_of(child, way) for _, child in children]
                proof, disproof = _from_children(known, is_mine)
                if proof >= most_proof or disproof >= most_disproof:
                    table[node] = proof, disproof
                    search.leave(node, 1.0 if proof == 0 else -1.0 if disproof == 0 else 0.0, proof=proof, disproof=disproof)
                    return proof, disproof
                # The best child gets work until it is worse than the second best, or until it decides this node.
                own = 0 if is_mine else 1
                best = min(range(len(known)), key=lambda i: known[i][own])
                second = min((known[i][own] for i in range(len(known)) if i != best), default=INFINITY)
                limit = [0.0, 0.0]
                limit[own] = min((most_proof, most_disproof)[own], second + 1)
                others = (proof, disproof)[1 - own] - known[best][1 - own]
                limit[1 - own] = (most_proof, most_disproof)[1 - own] - others
                search.path.append(children[best][0])
                look(children[best][1], limit[0], limit[1], way)

        proof, _ = look(start, INFINITY, INFINITY, frozenset())
        first = start.actions()[0]
        return proof == 0, next((action for action in start.actions() if numbers_of(start.result(action), frozenset()) == PROVED),
                                  first)

    return search.decide(lambda start: _value(search, start, ask), position)


@dataclass
class Node:
    """A node of the tree that `pns` keeps in memory."""

    position: Position
    is_mine: bool
    numbers: Numbers = (1.0, 1.0)
    parent: Node | None = None
    action: Action | None = None
    ply: int = 0
    children: list[Node] = field(default_factory=list)


def pns(position: Position, *, limits: Limits | None = None, trace: bool = False) -> Result:
    """The value by Allis's proof-number search: expand the most proving node of a tree in memory, update its ancestors."""
    need_two_players("pns", position)
    search = Search("pns", position, limits=limits, trace=trace)

    def ask(start: Position, side: int, bar: float) -> tuple[bool, Action]:
        def made(at: Position, parent: Node | None, action: Action | None) -> Node:
            node = Node(at, at.is_terminal() or at.side() == side, parent=parent, action=action)
            node.ply = parent.ply + 1 if parent else 0
            if at.is_terminal():
                search.leaves += 1
                node.numbers = PROVED if _worth(at, side) >= bar else DISPROVED
            elif _is_repeated(node):
                node.numbers = PROVED if _middle(at) >= bar else DISPROVED
            elif search.depth is not None and node.ply >= search.depth:
                search.exact, node.numbers = False, DISPROVED
            return node

        root = made(start, None, None)
        while root.numbers not in (PROVED, DISPROVED):
            node = root
            while node.children:  # down to the most proving node
                own = 0 if node.is_mine else 1
                node = min(node.children, key=lambda child: child.numbers[own])
            search.path[:] = _way(node)
            search.enter(node.position)
            node.children = [made(node.position.result(action), node, action) for action in node.position.actions()]
            above: Node | None = node
            while above is not None:  # and up again with what it changed
                above.numbers = _from_children([child.numbers for child in above.children], above.is_mine)
                proof, disproof = above.numbers
                search.leave(above.position, 1.0 if proof == 0 else -1.0 if disproof == 0 else 0.0, proof=proof, disproof=disproof)
                above = above.parent
        best = next((child for child in root.children if child.numbers == PROVED), root.children[0])
        return root.numbers == PROVED, best.action

    return search.decide(lambda start: _value(search, start, ask), position)


def _from_children(known: list[Numbers], is_mine: bool) -> Numbers:
    proofs, disproofs = [proof for proof, _ in known], [disproof for _, disproof in known]
    return (min(proofs), sum(disproofs)) if is_mine else (sum(proofs), min(disproofs))


def _way(node: Node) -> list[Action]:
    """The actions that lead to a node from the root."""
    way: list[Action] = []
    while node.parent is not None:
        way.append(node.action)
        node = node.parent
    return way[::-1]


def _is_repeated(node: Node) -> bool:
    above = node.parent
    while above is not None:
        if above.position == node.position:
            return True
        above = above.parent
    return False


def _worth(position: Position, side: int) -> float:
    """What the end of the game is worth to a side."""
    sides = position.game.sides
    value = position.utility(sides[0][0] if sides else 0)
    if value != round(value):
        raise Unsuitable(f"proof-number search asks for whole utilities; {position.game.name} has {value:g}: use alphabeta")
    return value if side == 0 else 2 * _middle(position) - value


def _middle(position: Position) -> float:
    return (position.game.traits.total or 0.0) / 2


def _value(search: Search, start: Position, ask: Ask) -> tuple[float, tuple[Action, ...]]:
    """MAX's value, a whole number, by halving what it can still be; and an action that reaches it."""
    if start.is_terminal():
        return float(_worth(start, 0)), ()
    side, middle = start.side(), _middle(start)
    reach = int(max(abs(bound - middle) for bound in start.game.traits.bounds))
    low, high = middle - reach, middle + reach
    best: Action = start.actions()[0]
    if start.game.offers("reversible"):
        is_won, action = ask(start, side, high)
        if is_won:
            low, best = high, action
        elif ask(start, 1 - side, high)[0]:
            high = low
        else:
            search.exact, low = False, middle
    else:
        while low < high:
            bar = low + (high - low + 1) // 2
            is_reached, action = ask(start, side, bar)
            if is_reached:
                low, best = bar, action
            else:
                high = bar - 1
    return (low if side == 0 else 2 * middle - low) + 0.0, (best,)
