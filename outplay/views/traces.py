"""A traced search as a tree that knows how it stood after every step.

`Tree` is built from the Steps of a search. Each *tick* is one thing to look at: a node is entered, a leaf gets its value, a window
closes, actions are cut off, a node returns. The state of a node after any tick is the state of its last event up to then, so that
a viewer can jump anywhere, forwards and backwards. Hundreds of thousands of nodes are kept in a few flat lists.

>>> from outplay.game import load
>>> from outplay.textbook.alphabeta import alphabeta
>>> root = load("tree", tree="[[3,12,8],[2,4,6],[14,5,2]]").start()
>>> tree = Tree(alphabeta(root, trace=True).trace, root)
>>> len(tree), tree.pruned, [tree.name(node) for node in tree.struck()]
(13, 2, ['a2 b2', 'a2 b3'])
>>> tree.caption(tree.ticks)
'the root returns 3'
"""

from __future__ import annotations

import functools
import math
import sys
from array import array
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from outplay.errors import OutplayError
from outplay.game import Position
from outplay.values import Action, Step, Value

ROOT = 0
UNSEEN = "unseen"
STRUCK = "struck"


class State(NamedTuple):
    """How a node stands: unseen, open, done, leaf or struck; its window, its value so far, and how often it was visited."""

    status: str = UNSEEN
    alpha: float | None = None
    beta: float | None = None
    value: Value | None = None
    visits: int | None = None
    bound: str = ""  # "≤" or "≥" where a cut left only a bound of the value
    note: str = ""  # what stands below a node in place of a window: proof and disproof number


FRESH = State()


class Tree:
    """The tree of a traced search; nodes are numbers, the root is 0. `root` gives actions their names."""

    def __init__(self, steps: Iterable[Step], root: Position | None = None) -> None:
        self.parent = array("i", [-1])
        self.action: list[Action] = [None]
        self.kind: list[str] = [""]
        self.depth = array("h", [0])
        self.children: list[dict[Action, int] | None] = [None]
        self.pruned = 0  # actions that were skipped at their last chance
        self.iterations: list[int] = []  # Monte Carlo: the last tick of each simulation
        self.reasons: dict[int, str] = {}  # by node: why the rest of its actions was skipped
        self._word: list[str] = []
        self._node = array("i")
        self._states: list[State] = []
        self._texts: dict[int, str] = {}
        self._facts: dict[int, dict[Action, float]] = {}
        self._before = array("i")  # the event of the same node before this one
        self._last = array("i", [-1])
        self._ends = array("i", [0])  # how many events there are after each tick
        self._positions: dict[int, Position | None] = {ROOT: root}
        self._worlds: dict[int, tuple[Position, ...]] = {}  # plans: what an OR node may be like, one position or a belief's
        self._costs: dict[int, float] = {}
        self._ways: dict[int, str] = {}  # by event: what a search for a way found below a node
        self._root_kind = ""
        for step in steps:
            self._take(step)
        self.pruned = sum(1 for _ in self.struck())

    def __len__(self) -> int:
        """How many nodes there are, the skipped ones included."""
        return len(self.parent)

    def _repr_svg_(self) -> str:
        """The tree at the end of its search, as a notebook shows it."""
        from outplay.views import tree  # which draws what is noted here

        return tree.draw(self)

    # ---------------------------------------------------------------- building
    def _take(self, step: Step) -> None:
        node = self._find(step.path)
        if step.kind:
            self.kind[node] = step.kind
            self._root_kind = self._root_kind or step.kind
        if "state" in step.facts:
            state = step.facts["state"]
            self._worlds[node] = (state,) if isinstance(state, Position) else tuple(state.ordered())
            self._positions[node] = self._worlds[node][0] if len(self._worlds[node]) == 1 else None
        now = self.latest(node)
        text = step.reason
        if step.event == "enter":
            self._event("enter", node, State("open", step.alpha, step.beta))
        elif step.event in ("leaf", "leave"):
            if step.event == "leave" and step.facts.get("table"):
                text = f"known from the table ({step.facts['table']} bound)"
            status = "leaf" if step.event == "leaf" else "done"
            if status == "leaf" and self._word and self._word[-1] == "enter" and self._node[-1] == node:
                self._retract()  # to enter a leaf and to know its value is one thing to see
            note = now.note
            if "proof" in step.facts:
                proof, disproof = value_text(step.facts["proof"]), value_text(step.facts["disproof"])
                note, text = f"{proof} : {disproof}", f"proof number {proof}, disproof number {disproof}"
            self._event(step.event, node, now._replace(status=status, value=step.value, note=note), text)
            if "way" in step.facts:  # a cost, which no parent makes the best of
                self._ways[len(self._node) - 1] = step.facts["way"]
                self._tick()
                return
            self._tick()
            self._update(node)
            return
        elif step.event == "cut":
            bounded = now._replace(bound={"min": "≤", "max": "≥"}.get(self.kind[node], ""))
            self._event("cut", node, bounded if step.value is None else bounded._replace(value=step.value), text)
            self.reasons[node] = text
            for action in step.skipped:
                skipped = self._child(node, action)
                self._event(STRUCK, skipped, self.latest(skipped)._replace(status=STRUCK))
        elif step.event == "backpropagate":
            self._event(step.event, node, now._replace(status="done", value=step.value, visits=step.facts.get("visits")))
            if node == ROOT:
                self.iterations.append(self.ticks + 1)
        elif step.event == "select":
            self._event(step.event, node, now, text)
            self._facts[len(self._node) - 1] = dict(step.facts.get("ucb", {}))
        elif step.event == "deal":
            self._deal(step)
        else:
            status = "open" if now.status == UNSEEN else now.status
            self._event(step.event, node, now._replace(status=status), text or _result(step))
        self._tick()

    def _deal(self, step: Step) -> None:
        """One deal of what is hidden: each action's mean so far."""
        done = (self.latest(ROOT).visits or 0) + 1
        values = step.facts.get("values", {})
        for action, value in values.items():
            child = self._child(ROOT, action)
            mean = self.latest(child).value or 0.0
            assert isinstance(mean, float)
            self._event("mean", child, State("done", value=mean + (value - mean) / done, visits=done))
        best = max((self.latest(child).value for child in self._below(ROOT)), default=None)  # type: ignore[type-var]  # each has one
        self._event("deal", ROOT, State("open", value=best, visits=done), f"deal {done}: {step.facts.get('deal', '')}")

    def _update(self, node: int) -> None:
        """What a returned value does to the parent: its best so far, and its window."""
        above = self.parent[node]
        value = self.latest(node).value
        if above < 0 or value is None:
            return
        kind, now = self.kind[above], self.latest(above)
        if now.status != "open" or kind in ("chance", "and", "or"):
            return
        better = now.value is None or _better(value, now.value, kind, self._root_kind)
        if not better:
            return
        alpha, beta = now.alpha, now.beta
        if isinstance(value, float):
            if alpha is not None and kind == "max" and value > alpha:
                alpha = value
            if beta is not None and kind == "min" and value < beta:
                beta = value
        self._event("update", above, now._replace(alpha=alpha, beta=beta, value=value))
        self._tick()

    def _find(self, path: tuple[Action, ...]) -> int:
        node = ROOT
        for action in path:
            node = self._child(node, action)
        return node

    def _child(self, node: int, action: Action) -> int:
        known = self.children[node]
        if known is None:
            known = self.children[node] = {}
        child = known.get(action)
        if child is None:
            child = known[action] = len(self.parent)
            self.parent.append(node)
            self.action.append(action)
            self.kind.append("")
            self.depth.append(self.depth[node] + 1)
            self.children.append(None)
            self._last.append(-1)
        return child

    def _event(self, word: str, node: int, state: State, text: str = "") -> None:
        index = len(self._node)
        self._word.append(word)
        self._node.append(node)
        self._states.append(state)
        self._before.append(self._last[node])
        self._last[node] = index
        if text:
            self._texts[index] = text

    def _retract(self) -> None:
        """Forget the last event, which was a tick of its own."""
        self._word.pop()
        self._states.pop()
        self._last[self._node.pop()] = self._before.pop()
        self._ends.pop()

    def _tick(self) -> None:
        self._ends.append(len(self._node))

    # ---------------------------------------------------------------- looking
    @property
    def ticks(self) -> int:
        """How many ticks there are; after tick 0 nothing has happened yet."""
        return len(self._ends) - 1

    def latest(self, node: int) -> State:
        """How a node stands at the end."""
        return self._states[self._last[node]] if self._last[node] >= 0 else FRESH

    def state(self, node: int, tick: int) -> State:
        """How a node stands after a tick."""
        end, event = self._ends[tick], self._last[node]
        while event >= end:
            event = self._before[event]
        return self._states[event] if event >= 0 else FRESH

    def changed(self, tick: int) -> list[int]:
        """The nodes that a tick changed, the one it is about first (last for a deal)."""
        return list(self._node[self._ends[tick - 1] : self._ends[tick]]) if tick > 0 else []

    def focus(self, tick: int) -> int:
        """The node that a tick is about."""
        if tick <= 0:
            return ROOT
        first, last = self._ends[tick - 1], self._ends[tick] - 1
        return self._node[last if self._word[last] == "deal" else first]

    def below(self, node: int) -> list[int]:
        """The children of a node, in the order in which they were met."""
        return list(self._below(node))

    def _below(self, node: int) -> Iterable[int]:
        return (self.children[node] or {}).values()

    def struck(self) -> Iterator[int]:
        """The nodes that were skipped and never looked at afterwards."""
        return (node for node in range(len(self)) if self._last[node] >= 0 and self.latest(node).status == STRUCK)

    def path(self, node: int) -> list[int]:
        """The nodes from the root to a node, both included."""
        way = [node]
        while way[-1] != ROOT:
            way.append(self.parent[way[-1]])
        return way[::-1]

    def follow(self, line: Iterable[Action]) -> list[int]:
        """The nodes along a line of play, as far as it lies in the tree."""
        way = [ROOT]
        for action in line:
            child = (self.children[way[-1]] or {}).get(action)
            if child is None:
                break
            way.append(child)
        return way

    def word(self, tick: int) -> str:
        """What kind of event a tick is: enter, leaf, leave, update, cut, select, expand, simulate, backpropagate, goal."""
        return self._word[self._ends[tick - 1]] if tick > 0 else ""

    @property
    def is_explicit(self) -> bool:
        """Whether the leaves are written down, as in the lectures' trees, and may be shown before they are reached."""
        root = self._positions[ROOT]
        return root is not None and root.game.family == "tree"

    def bonus(self, tick: int) -> dict[int, float]:
        """Monte Carlo: the UCB1 terms of the children that the selection of this tick weighed."""
        event = self._ends[tick] - 1 if tick > 0 else -1
        known = self._facts.get(event)
        if not known:
            return {}
        node = self._node[event]
        return {child: known[self.action[child]] for child in self._below(node) if self.action[child] in known}

    # ---------------------------------------------------------------- words
    def position(self, node: int) -> Position | None:
        """The position of a node, where the actions lead to one."""
        missing = []
        while node not in self._positions:
            missing.append(node)
            node = self.parent[node]
        position = self._positions[node]
        for below in reversed(missing):
            try:
                position = None if position is None else position.result(self.action[below])
            except OutplayError:  # an action of another deal of what is hidden
                position = None
            self._positions[below] = position
        return position

    @property
    def is_plan(self) -> bool:
        """Whether it is a search for a plan: OR nodes, where one action is enough, and AND nodes, where all outcomes count."""
        return self._root_kind == "or"

    @functools.cached_property
    def is_walk(self) -> bool:
        """Whether it is a search for a way by one player, which expands nodes of a frontier."""
        return not self.iterations and "expand" in self._word

    def figures(self, node: int) -> tuple[float, float | None] | None:
        """Ways: g, the cost of the way to a node, and h, the estimate of the rest, where the game has one."""
        position = self.position(node)
        if position is None:
            return None
        if node not in self._costs:
            above = self.parent[node]
            before, so_far = (None, None) if node == ROOT else (self.position(above), self.figures(above))
            self._costs[node] = so_far[0] + before.cost(self.action[node]) if so_far is not None and before is not None else 0.0
        return self._costs[node], float(position.estimate()) if position.game.offers("estimate") else None

    def worlds(self, node: int) -> tuple[Position, ...]:
        """Plans: what the world may be like at an OR node."""
        return self._worlds.get(node, ())

    def solution(self) -> set[int]:
        """Plans: the nodes of the plan that was found, one action at an OR node and all outcomes at an AND node."""
        found: set[int] = set()
        left = [ROOT] if self.latest(ROOT).value == 1.0 else []
        while left:
            node = left.pop()
            found.add(node)
            works = [child for child in self._below(node) if self.latest(child).value == 1.0]
            left += works[-1:] if self.kind[node] == "or" else works
        return found

    def label(self, node: int) -> str:
        """The action that leads to a node."""
        if node == ROOT:
            return ""
        if self.kind[self.parent[node]] == "and":
            return ""
        above = next(iter(self.worlds(self.parent[node])), None) or self.position(self.parent[node])
        return str(self.action[node]) if above is None else above.action_text(self.action[node])

    def chance_of(self, node: int) -> float | None:
        """The probability of a chance node's outcome."""
        above = None if node == ROOT else self.position(self.parent[node])
        if above is None or not above.is_chance():
            return None
        return dict(above.chances()).get(self.action[node])

    def name(self, node: int) -> str:
        """The actions that lead to a node."""
        return " ".join(filter(None, (self.label(step) for step in self.path(node)[1:]))) or "the root"

    def short_name(self, node: int) -> str:
        """The same, or the position and how far it is where the way is long."""
        if self.is_plan:
            state = " | ".join(world.text() for world in self.worlds(self.parent[node] if self.kind[node] == "and" else node))
            return f"{self.label(node)} in {{{state}}}" if self.kind[node] == "and" else f"{{{state}}}"
        if self.depth[node] <= 8:
            return self.name(node)
        position = self.position(node)
        text = "" if position is None else position.text()
        return f"{text if 0 < len(text) <= 24 else '… ' + self.label(node)} ({self.depth[node]} steps)"

    def worth(self, node: int) -> Value | None:
        """What a skipped node would have been worth, where the game is over there."""
        position = self.position(node)
        if position is None or not position.is_terminal():
            return None
        values = position.utilities()
        return values[0] if position.game.traits.players == 2 and position.game.traits.sum == "zero" else values

    def caption(self, tick: int) -> str:
        """What a tick shows, in a sentence."""
        if tick <= 0:
            return "nothing is searched yet"
        first = self._ends[tick - 1]
        word, node, now = self._word[first], self._node[first], self._states[first]
        text = self._texts.get(first, "")
        name = self.short_name(node)
        if self.is_plan:
            return self._plan_caption(word, node, name, now, text)
        if word == "enter" and (self.is_walk or self._ways):
            g, h = self.figures(node) or (0.0, None)
            rest = "" if h is None else f", h = {value_text(h)}, f = {value_text(g + h)}"
            return f"{name} is reached: g = {value_text(g)}{rest}"
        if word == "enter":
            kind = {"max": "MAX", "min": "MIN"}.get(self.kind[node], self.kind[node])
            window = "" if now.alpha is None else f" with the window {window_text(now)}"
            return f"{name} ({kind}) is entered{window}"
        if word == "leaf":
            return f"{name} is worth {value_text(now.value)}" + (f": {text}" if text else "")
        if first in self._ways:
            return f"{name}: {self._ways[first]}"
        if word == "leave":
            bound = {"≤": "at most ", "≥": "at least "}.get(now.bound, "")
            return f"{name} returns {bound}{value_text(now.value)}" + (f", {text}" if text else "")
        if word == "update":
            return self._update_caption(first, name, now)
        if word == "cut":
            skipped = [self.label(self._node[event]) for event in range(first + 1, self._ends[tick])]
            return f"{name}: {text}, so {', '.join(skipped)} {'is' if len(skipped) == 1 else 'are'} skipped"
        if word == "select":
            terms = sorted(self.bonus(tick).items(), key=lambda term: -term[1])
            shown = ", ".join(f"{self.label(child)} {term:.2f}" for child, term in terms[:6])
            return f"select at {name} by UCB1: {shown}"
        if word == "backpropagate":
            return f"backpropagate to {name}: {now.visits} visit{'' if now.visits == 1 else 's'}, mean {value_text(now.value)}"
        if word == "goal":
            return f"{name} is the goal: {text}"
        if word == "expand" and not self.iterations:
            return f"{name} is expanded" + (f": {text}" if text else "")
        if word == "expand":
            return f"expand: {name} is new in the tree"
        if word == "simulate":
            return f"simulate from {name}: {text}"
        if word == "mean":
            return self._texts.get(self._ends[tick] - 1, "")
        return f"{word} {name}" + (f": {text}" if text else "")

    def _plan_caption(self, word: str, node: int, name: str, now: State, text: str) -> str:
        if word == "enter" and self.kind[node] == "and":
            return f"AND: {name}: every outcome needs a plan"
        if word == "enter":
            return f"OR: {name}: one action that works is enough"
        return f"{name}: {'a plan' if now.value == 1.0 else 'no plan'}, {text}"

    def _update_caption(self, event: int, name: str, now: State) -> str:
        then = self._states[self._before[event]]
        if now.alpha != then.alpha and now.alpha is not None:
            return f"{name}: alpha rises to {value_text(now.alpha)}"
        if now.beta != then.beta and now.beta is not None:
            return f"{name}: beta falls to {value_text(now.beta)}"
        return f"{name}: the best so far is {value_text(now.value)}"


def _better(value: Value, than: Value, kind: str, root_kind: str) -> bool:
    """Whether the player of a node prefers a value."""
    if isinstance(value, tuple) and isinstance(than, tuple):
        player = int(kind.split()[-1]) if kind.startswith("player") else {"max": 0, "min": 1}[kind]
        return value[player] > than[player]
    if isinstance(value, tuple) or isinstance(than, tuple):
        return False
    is_max = kind == "max" or (kind.startswith("player") and kind == root_kind)
    return value > than if is_max else value < than


def _result(step: Step) -> str:
    played = step.facts.get("playout")
    length = f"{len(played)} actions, " if isinstance(played, tuple | list) else ""
    if step.event in ("expand", "goal") and "playout" not in step.facts and step.value is not None and not length:
        return f"cost {value_text(step.value)}" + (" so far" if step.event == "expand" else "")
    return "" if step.value is None else f"{length}outcome {value_text(step.value)}"


def value_text(value: Value | None) -> str:
    """A value as trees show it: short, with the sign of minus and of infinity.

    >>> value_text(-2.5), value_text((1.0, 0.25)), value_text(float("inf")), value_text(None)
    ('−2.5', '(1, 0.25)', '∞', '')
    """
    if value is None:
        return ""
    if isinstance(value, tuple):
        return "(" + ", ".join(value_text(part) for part in value) + ")"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if abs(value) < sys.float_info.min:  # what a null window begins below 0 with
        return "0"
    size = f"{abs(value):.4g}" if abs(value) < 1e6 else f"{abs(value):.3g}"
    return ("−" if value < 0 and float(size) != 0 else "") + size


def window_text(state: State) -> str:
    """Alpha and beta as an interval."""
    return "" if state.alpha is None or state.beta is None else f"[{value_text(state.alpha)}, {value_text(state.beta)}]"
