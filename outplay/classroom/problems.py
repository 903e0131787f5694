"""What submissions are asked about: trees and graphs drawn by seed, and small games unrolled, with what they answer to questions.

A `Problem` is both the game that a student's function sees through its window and, as `game()`, one that the textbook takes.

>>> problem = tree(3, players=2, depth=2, width=(2, 3))
>>> problem == tree(3, players=2, depth=2, width=(2, 3))
True
>>> from outplay.textbook.minimax import minimax
>>> minimax(problem.start()).exact
True
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from outplay.game import Game, Position, load
from outplay.values import CHANCE

LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Node:
    """One state: who moves, what leads where, and what it is worth where it is an end."""

    player: int
    children: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    more: tuple[float, ...] = ()  # probabilities at a chance node, costs where ways are looked for
    utilities: tuple[float, ...] = ()
    evaluation: float = 0.0  # for MAX
    estimate: float = 0.0
    information: str = ""

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return bool(self.utilities)


@dataclass(frozen=True)
class Problem:
    """A drawn game from its state 0 on; `budget` is how many questions it answers before the time is up."""

    nodes: tuple[Node, ...]
    players: int = 2
    kind: str = "a random tree"
    budget: int | None = None
    bounds: tuple[float, float] = (-1.0, 1.0)

    def facts(self, state: int) -> dict[str, Any]:
        """What a student's window knows of a state once it is there."""
        node = self.nodes[state]
        return {"state": state, "player": node.player, "terminal": node.is_terminal}

    def answer(self, question: str, state: Any) -> Any:
        """What the window asks."""
        if type(state) is not int or not 0 <= state < len(self.nodes):
            return {"refused": f"{state!r} is no state"}
        node = self.nodes[state]
        if question == "actions":
            more = node.more or (None,) * len(node.children)
            return [[name, self.facts(child), each] for name, child, each in zip(node.names, node.children, more, strict=True)]
        if question == "utility":
            return (
                list(node.utilities) if node.is_terminal else {"refused": "the game is not over in this state: it has no utility"}
            )
        if question == "evaluate":
            return node.evaluation
        if question == "estimate":
            return node.estimate
        if question == "information":
            return node.information
        if question == "playout":
            while not self.nodes[state].is_terminal:
                state = self.nodes[state].children[0]
            return list(self.nodes[state].utilities)
        return {"refused": f"no such question: {question}"}

    def game(self) -> Game:
        """The same for the textbook."""
        has_chance = any(node.player == CHANCE and not node.is_terminal for node in self.nodes)
        return (_Ways if self.players == 1 else _Chances if has_chance else _Drawn)(self)

    def start(self) -> Position:
        """Its first position, for the textbook."""
        return self.game().start()

    def at(self, path: Sequence[Any]) -> int:
        """The state that actions lead to."""
        state = 0
        for action in path:
            state = self.nodes[state].children[self.nodes[state].names.index(action)]
        return state

    def named(self, state: int = 0) -> Any:
        """A tree of two players as the game `tree` reads it, with the names that its actions have here."""
        node = self.nodes[state]
        if node.is_terminal:
            return node.utilities[0]
        below = {name: self.named(child) for name, child in zip(node.names, node.children, strict=True)}
        return {("max", "min")[node.player]: below}

    def text(self, state: int = 0) -> str:
        """A tree as nested lists, as the game `tree` reads it; chance nodes as <probability: subtree, ...>."""
        node = self.nodes[state]
        if node.is_terminal:
            return f"{node.utilities[0]:g}" if self.players == 2 else "(" + ",".join(f"{u:g}" for u in node.utilities) + ")"
        if node.player == CHANCE:
            return (
                "<"
                + ", ".join(f"{share:.3g}: {self.text(child)}" for share, child in zip(node.more, node.children, strict=True))
                + ">"
            )
        return "[" + ",".join(self.text(child) for child in node.children) + "]"


class _Drawn(Game):
    """A problem as a plain game."""

    name = "drawn"

    def __init__(self, problem: Problem) -> None:
        self.problem, self.nodes = problem, problem.nodes
        self.players, self.bounds = problem.players, problem.bounds
        self.total = sum(problem.bounds) if problem.players == 2 else None

    def initial(self) -> int:
        return 0

    def player(self, state: int) -> int:
        return self.nodes[state].player

    def actions(self, state: int) -> tuple[str, ...]:
        return self.nodes[state].names

    def result(self, state: int, action: str) -> int:
        return self.nodes[state].children[self.nodes[state].names.index(action)]

    def is_terminal(self, state: int) -> bool:
        return self.nodes[state].is_terminal

    def utility(self, state: int, player: int) -> float:
        return self.nodes[state].utilities[player]


class _Chances(_Drawn):
    def chances(self, state: int) -> list[tuple[str, float]]:
        return list(zip(self.nodes[state].names, self.nodes[state].more, strict=True))


class _Ways(_Drawn):
    def cost(self, state: int, action: str) -> float:
        return self.nodes[state].more[self.nodes[state].names.index(action)]

    def estimate(self, state: int) -> float:
        return self.nodes[state].estimate


# ---------------------------------------------------------------- drawn by seed


@dataclass
class _Draw:
    """A tree while it grows."""

    source: random.Random
    players: int
    width: tuple[int, int]
    leaf: Callable[[random.Random], tuple[float, ...]]
    chance: float = 0.0
    is_uniform: bool = False
    min_nodes: bool = True
    uneven: float = 0.15
    nodes: list[Node | None] = field(default_factory=list)

    def grow(self, depth: int, turn: int, is_root: bool = False) -> int:
        number = len(self.nodes)
        self.nodes.append(None)
        guess = float(self.source.randint(-9, 9))
        if depth == 0 or (not is_root and self.source.random() < self.uneven):
            self.nodes[number] = Node(turn, utilities=self.leaf(self.source), evaluation=guess)
            return number
        count = self.source.randint(*self.width)
        is_chance = not is_root and self.source.random() < self.chance
        after = turn if is_chance else self._next(turn)
        children = tuple(self.grow(depth - 1, after) for _ in range(count))
        more: tuple[float, ...] = ()
        if is_chance:
            parts = [1] * count if self.is_uniform else self.source.sample(range(1, 9), count)
            more = tuple(part / sum(parts) for part in parts)
        self.nodes[number] = Node(CHANCE if is_chance else turn, children, tuple(LETTERS[:count]), more, evaluation=guess)
        return number

    def _next(self, turn: int) -> int:
        return 0 if not self.min_nodes else (turn + 1) % self.players


def tree(
    seed: int,
    *,
    players: int = 2,
    depth: int = 3,
    width: tuple[int, int] = (2, 3),
    low: int = -20,
    high: int = 20,
    chance: float = 0.0,
    is_uniform: bool = False,
    min_nodes: bool = True,
    uneven: float = 0.15,
    total: float | None = 0.0,
    budget: int | None = None,
) -> Problem:
    """A random tree. With two players what one gets the other loses; with more, each leaf has a vector of its own."""
    source = random.Random(f"{seed} {players} {depth} {width}")

    def leaf(source: random.Random) -> tuple[float, ...]:
        first = float(source.randint(low, high))
        if players == 2 and total is not None:
            return (first, total - first)
        return (first, *(float(source.randint(low, high)) for _ in range(players - 1)))

    draw = _Draw(source, players, width, leaf, chance, is_uniform, min_nodes, uneven)
    draw.grow(depth, 0, is_root=True)
    bounds = (float(low), float(high)) if total == 0 else (0.0, float(total or high))
    return Problem(tuple(node for node in draw.nodes if node is not None), players, budget=budget, bounds=bounds)


def unrolled(position: Position, kind: str, most: int = 400) -> Problem:
    """A position of a real game with all that can come of it, as a tree; a game of two and without chance."""
    nodes: list[Node | None] = []

    def grow(here: Position) -> int:
        number = len(nodes)
        nodes.append(None)
        if here.is_terminal():
            nodes[number] = Node(here.player(), utilities=here.utilities())
        else:
            actions = here.actions()
            names = tuple(here.action_text(action) for action in actions)
            children = tuple(grow(here.result(action)) for action in actions)
            nodes[number] = Node(here.player(), children, names)
        return number

    grow(position)
    return Problem(tuple(node for node in nodes if node is not None)[:most] if len(nodes) <= most else (), 2, kind)


def small_game(seed: int) -> Problem:
    """The end of a game of tic-tac-toe, or a small nim, drawn by seed.

    >>> small_game(1).kind, small_game(2).kind
    ('tic-tac-toe', 'nim')
    """
    source = random.Random(f"small {seed}")
    while True:
        if seed % 2 == 0:
            heaps = "-".join(str(source.randint(1, 2)) for _ in range(source.randint(2, 3)))
            found = unrolled(load(f"nim:heaps={heaps}", compiled=False).start(), "nim")
        else:
            position = load("tic-tac-toe", compiled=False).start()
            for _ in range(source.choice((4, 5))):
                position = position.result(source.choice(position.actions()))
                if position.is_terminal():
                    break
            found = unrolled(position, "tic-tac-toe") if not position.is_terminal() else Problem(())
        if len(found.nodes) > 4:
            return found


def roads(seed: int, towns: int = 9) -> Problem:
    """A map of towns with roads between them: state 0 is the start, the last town the goal; the estimate is the distance by air."""
    source = random.Random(f"roads {seed} {towns}")
    places = [(source.randint(0, 99), source.randint(0, 99)) for _ in range(towns)]
    goal = towns - 1

    def far(one: int, other: int) -> float:
        return float(((places[one][0] - places[other][0]) ** 2 + (places[one][1] - places[other][1]) ** 2) ** 0.5)

    links: dict[int, dict[int, float]] = {town: {} for town in range(towns)}
    for town in range(1, towns):  # every town can be reached
        other = source.randrange(town)
        links[town][other] = links[other][town] = round(far(town, other) * source.uniform(1.0, 1.6) + 0.01, 3)
    for _ in range(towns):
        one, other = source.sample(range(towns), 2)
        links[one][other] = links[other][one] = round(far(one, other) * source.uniform(1.0, 1.6) + 0.01, 3)
    nodes = []
    for town in range(towns):
        others = sorted(links[town])
        nodes.append(Node(0, utilities=(1.0,)) if town == goal else
                     Node(0, tuple(others), tuple(f"to{other}" for other in others), tuple(links[town][other] for other in others),
                          estimate=round(far(town, goal), 3)))  # fmt: skip
    return Problem(tuple(nodes), 1, "a map of towns", bounds=(0.0, 1.0))
