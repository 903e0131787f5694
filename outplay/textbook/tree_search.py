"""TREE-SEARCH and GRAPH-SEARCH: one loop over a fringe; what the fringe hands out first makes the algorithm.

    function TREE-SEARCH(problem, fringe) returns a solution, or failure
        insert the first node into the fringe
        loop do
            if the fringe is empty then return failure
            remove the front node
            if its state is a goal then return it
            insert all that EXPAND makes of it

A queue makes it breadth-first search, a stack depth-first search, an order by cost uniform-cost search. GRAPH-SEARCH is the same
with a memory: a position that was reached before, no worse, is not expanded again (Nilsson 1971).

>>> from outplay.game import load
>>> start = load("fifteen puzzle", width=3, height=2).position("1 2 5 3 4 0")
>>> on_a_tree, on_a_graph = tree_search(start), graph_search(start)
>>> on_a_tree.line == on_a_graph.line, on_a_tree.nodes > on_a_graph.nodes
(True, True)

A game of one player is a problem: it is solved when the game is over with a utility above zero.
"""

from __future__ import annotations

import heapq
import itertools
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from outplay.errors import UnknownName
from outplay.game import Position, need
from outplay.textbook.search import INFINITY, Line, Search
from outplay.values import Action, Limits, Result

ONE_PLAYER: dict[str, Any] = {"players": 1, "chance": False, "information": "perfect"}
"""What searches for a way need, as `need` takes it."""


@dataclass(frozen=True, eq=False, slots=True)
class Node:
    """A position with the way by which it was reached."""

    position: Position
    parent: Node | None = None
    action: Action | None = None
    cost: float = 0  # PATH-COST
    depth: int = 0

    def path(self) -> Line:
        """The actions from the first node to this one."""
        actions: list[Action] = []
        node = self
        while node.parent is not None:
            actions.append(node.action)
            node = node.parent
        return tuple(reversed(actions))


def expand(node: Node) -> Iterator[Node]:
    """EXPAND: the nodes that one action leads to."""
    for action in node.position.actions():
        cost = node.cost + node.position.cost(action)
        yield Node(node.position.result(action), node, action, cost, node.depth + 1)


class Queue(deque[Node]):
    """First in, first out: the shallowest node comes next."""

    add = deque.append
    remove_front = deque.popleft

    def measure(self, node: Node) -> float:
        """A position that was met before is taken again only if this is less than then."""
        return node.depth


class Stack(list[Node]):
    """Last in, first out: the deepest node comes next."""

    add = list.append
    remove_front = list.pop

    def measure(self, node: Node) -> float:
        """No position is taken again."""
        return 0


class Ordered:
    """The node with the least rank comes next; of equals, the one that came last: it is often the deeper one."""

    def __init__(self, rank: Callable[[Node], Any], measure: Callable[[Node], float] = lambda node: node.cost) -> None:
        self.rank, self.measure = rank, measure
        self._heap: list[tuple[Any, int, Node]] = []
        self._order = itertools.count()

    def add(self, node: Node) -> None:
        """Put a node in its place."""
        heapq.heappush(self._heap, (self.rank(node), -next(self._order), node))

    def remove_front(self) -> Node:
        """The node with the least rank."""
        return heapq.heappop(self._heap)[2]

    def __len__(self) -> int:
        return len(self._heap)


Fringe = Queue | Stack | Ordered

FRINGES: dict[str, Callable[[], Fringe]] = {
    "queue": Queue,
    "stack": Stack,
    "cost": lambda: Ordered(lambda node: node.cost),
}
"""The fringes that need no estimate, by name."""


def tree_search(position: Position, fringe: str = "queue", *, limits: Limits | None = None, trace: bool = False) -> Result:
    """Search for a way to the goal without a memory: where actions can be taken back, the tree has no end."""
    return search_with("tree-search", position, named_fringe(fringe), remember=False, limits=limits, trace=trace)


def graph_search(position: Position, fringe: str = "queue", *, limits: Limits | None = None, trace: bool = False) -> Result:
    """Search for a way to the goal, expanding no position twice unless a cheaper way to it is found."""
    return search_with("graph-search", position, named_fringe(fringe), limits=limits, trace=trace)


def depth_first(position: Position, *, limits: Limits | None = None, trace: bool = False) -> Result:
    """Any way to the goal, deepest positions first; it is seldom the shortest."""
    return search_with("depth-first", position, Stack(), limits=limits, trace=trace)


def named_fringe(name: str) -> Fringe:
    """A new fringe by its name."""
    if name not in FRINGES:
        raise UnknownName("fringe", str(name), FRINGES)
    return FRINGES[name]()


def search_with(algorithm: str, position: Position, fringe: Fringe, *, remember: bool = True, limits: Limits | None = None,
                trace: bool = False) -> Result:
    """The loop that all of these share."""
    need_one_player(algorithm, position)
    search = Search(algorithm, position, limits=limits, trace=trace)
    search.room = INFINITY
    best: dict[Position, float] = {position: 0}
    most = 1
    fringe.add(Node(position))
    while fringe:
        node = fringe.remove_front()
        if remember and fringe.measure(node) > best[node.position]:
            continue  # a better way was found after this one had been put in
        visit(search, node, fringe=len(fringe), cost=node.cost)
        if node.position.is_solved():
            return found(search, node, fringe=most)
        if search.depth is not None and node.depth >= search.depth:
            search.exact = False
            continue
        children = list(expand(node))
        if isinstance(fringe, Stack):
            children.reverse()  # so that the first action is tried first
        for child in children:
            if remember:
                if fringe.measure(child) >= best.get(child.position, INFINITY):
                    continue
                best[child.position] = fringe.measure(child)
            fringe.add(child)
        most = max(most, len(fringe))
    return search.report((0.0,), (), cost=None, fringe=most)


def visit(search: Search, node: Node, **facts: Any) -> None:
    """Count a node and note it in the trace; raises OutOfTime at a limit."""
    if search.steps is not None:
        search.path[:] = node.path()
    search.enter(node.position)
    search.note("expand", node.position, value=float(node.cost), facts=facts)
    search.deepest = max(search.deepest, node.depth)


def found(search: Search, node: Node, **facts: Any) -> Result:
    """The Result of a search that reached the goal; whether the way is the best one depends on the algorithm."""
    search.note("goal", node.position, value=float(node.cost))
    search.leaves += 1
    search.exact = True
    return search.report((node.position.utility(0),), node.path(), depth=node.depth, cost=node.cost, **facts)


def need_one_player(algorithm: str, position: Position) -> None:
    """Refuse all but games of one player without chance and with open cards, naming what fits instead."""
    traits = position.game.traits
    if traits.players > 1:
        use = "" if traits.players > 2 or traits.chance or traits.information == "hidden" else "alphabeta"
    elif traits.information == "hidden":
        use = "belief"
    else:
        use = "and-or"
    need(algorithm, position.game, **ONE_PLAYER, use=use)
