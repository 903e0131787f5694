"""What the algorithms for hidden information share: the tree with its information sets, and strategies over them.

An *information set* is all positions that a player cannot tell apart: it has one mixture of actions for all of them. A *strategy*
gives each information set of each player its mixture; a player's part in reaching a position is the product of its own shares.

>>> from outplay.game import load
>>> tree = Tree(load("kuhn poker").start())
>>> len(tree.sets), len(tree.nodes), tree.sets[0, "J?"].actions
(12, 58, (0, 1))
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from outplay.errors import Unsuitable
from outplay.game import Position, need
from outplay.textbook.search import OutOfTime, Search
from outplay.values import Action, Limits, Policy

Key = tuple[int, Hashable]
"""Who is to move, and what that player sees."""

Strategy = Mapping[Key, Sequence[float]]
"""Of each information set, the share of each of its actions."""


@dataclass(eq=False)
class Node:
    """A position of the tree: chance's and everybody's."""

    position: Position
    key: Key | None = None  # the information set, where a player is to move
    children: list[Node] = field(default_factory=list)
    odds: tuple[float, ...] = ()  # at a chance node
    utilities: tuple[float, ...] = ()  # at an end


@dataclass(eq=False)
class InformationSet:
    """All nodes that its player cannot tell apart."""

    key: Key
    view: Position
    actions: tuple[Action, ...]
    nodes: list[Node] = field(default_factory=list)


class Tree:
    """The whole tree of a game from a position on, in plain Python."""

    def __init__(self, position: Position, algorithm: str = "regrets", *, limits: Limits | None = None) -> None:
        need(algorithm, position.game, information="hidden", use="expectiminimax" if position.game.traits.chance else "alphabeta")
        self.game, self.players = position.game, position.game.traits.players
        self.sets: dict[Key, InformationSet] = {}
        self.nodes: list[Node] = []  # parents before children
        self.search = Search(algorithm, position, limits=limits)
        self.root = Node(position)
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            self.nodes.append(node)
            self._grow(node)
            waiting.extend(reversed(node.children))

    def _grow(self, node: Node) -> None:
        position = node.position
        self.search.nodes += 1
        if self.search.limits.nodes is not None and self.search.nodes > self.search.limits.nodes:
            raise OutOfTime(f"the tree of {self.game.name} has more than {self.search.limits.nodes} nodes: use the engine")
        if position.is_terminal():
            node.utilities = position.utilities()
            return
        if position.is_chance():
            node.odds = tuple(probability for _, probability in position.chances())
        else:
            player = position.player()
            view = position.observe(player)
            node.key = (player, view.text())
            known = self.sets.setdefault(node.key, InformationSet(node.key, view, position.actions()))
            if known.actions != position.actions():
                raise Unsuitable(f"{self.game.name}: player {player} has different actions in positions that look alike, "
                                 f"{view.text()!r}")
            known.nodes.append(node)
        node.children = [Node(position.result(action)) for action in position.actions()]

    # ------------------------------------------------ strategies
    def uniform(self) -> dict[Key, list[float]]:
        """Each action of an information set alike."""
        return {key: [1 / len(each.actions)] * len(each.actions) for key, each in self.sets.items()}

    def values(self, strategy: Strategy) -> dict[Node, tuple[float, ...]]:
        """What each node is worth to each player when all play the strategy."""
        worth: dict[Node, tuple[float, ...]] = {}
        for node in reversed(self.nodes):
            if node.utilities:
                worth[node] = node.utilities
            else:
                shares = node.odds if node.key is None else strategy[node.key]
                worth[node] = tuple(sum(share * worth[child][p] for share, child in zip(shares, node.children, strict=True))
                                    for p in range(self.players))
        return worth

    def reaches(self, strategy: Strategy) -> dict[Node, tuple[float, ...]]:
        """Each player's part in reaching a node, and chance's as the last entry."""
        reach = {self.root: (1.0,) * (self.players + 1)}
        for node in self.nodes:
            mover = self.players if node.key is None else node.key[0]
            shares = node.odds if node.key is None else strategy[node.key]
            for share, child in zip(shares, node.children, strict=False):
                here = list(reach[node])
                here[mover] *= share
                reach[child] = tuple(here)
        return reach

    def policy(self, strategy: Strategy) -> Policy:
        """A strategy as a policy that can be saved and played."""
        answers = {}
        for key, shares in strategy.items():
            view = self.sets[key].view
            answers[view.text()] = {view.action_text(a): share for a, share in zip(self.sets[key].actions, shares, strict=True)}
        return Policy.of(self.game, answers)


def others(reach: Sequence[float], player: int) -> float:
    """The part that all but one player, chance included, have in reaching a node."""
    product = 1.0
    for p, part in enumerate(reach):
        if p != player:
            product *= part
    return product


def normal(numbers: Sequence[float]) -> list[float]:
    """The same in proportion, adding up to 1; where all are 0, each alike.

    >>> normal([3, 1]), normal([0, 0])
    ([0.75, 0.25], [0.5, 0.5])
    """
    total = sum(numbers)
    return [number / total for number in numbers] if total > 0 else [1 / len(numbers)] * len(numbers)
