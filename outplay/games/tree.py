"""Any explicit game tree: the lectures' figures as games, with MAX, MIN, chance and more players.

The tree is a text. Nested lists alternate MAX and MIN (or all the players in turn) and end in numbers, MAX's utilities:

>>> from outplay.game import load
>>> figure = load("tree", tree="[[3,12,8],[2,4,6],[14,5,2]]")
>>> figure.start().play("a3 b1").utilities()
(14.0, -14.0)

Objects say what a node is: {"max": [...]}, {"min": [...]}, {"chance": [[0.5, 8], ["1/3", 24], ["1/6", -12]]} and
{"player": 2, "actions": [...]}. Wherever a list of subtrees stands, an object gives them names instead:

>>> load("tree", tree='{"max": {"sure": 10, "risk": {"chance": [[0.3, 9], [0.7, 100]]}}}').start().play("risk").chances()
((0, 0.3), (1, 0.7))

A leaf of more players (or of two whose utilities do not cancel) is a vector: a tuple (1, 2, 6), or {"leaf": [1, 2, 6]} in JSON.

>>> load("tree", tree=[[(1, 2, 6), (4, 2, 3)], [(6, 1, 2), (7, 4, 1)]]).traits.players
3
"""

import ast
import json
import math
import re
from fractions import Fraction

from outplay import syntax
from outplay.errors import BadValue, shorten
from outplay.jit import Array, f64, i8, i16, i32, mix, random_source, u64
from outplay.picture import Graph, tree_places
from outplay.picture import Node as Circle
from outplay.rules import game
from outplay.values import CHANCE

CAPACITIES = (16, 64, 256, 1024, 4096, 16384)
"""Trees are stored in arrays of one of these sizes, so that all trees of about one size share their compiled code."""

EXPECTED = 'nested lists such as [[3,12,8],[2,4,6]], or objects {"max": …}, {"min": …}, {"chance": …}, {"player": n, "actions": …}'


# ------------------------------------------------------- reading a tree


class Node:
    """One node of a tree that was read: who moves, the subtrees with their names, or a leaf's values."""

    def __init__(self, player, children=(), names=(), probabilities=(), values=None):
        self.player, self.children, self.names = player, list(children), list(names)
        self.probabilities, self.values = list(probabilities), values


def read_tree(text):
    """The nested lists, objects and numbers that a text stands for (JSON, or Python's own way to write them)."""
    try:
        try:
            return json.loads(text)
        except ValueError:
            with syntax.alone:
                return ast.literal_eval(text)
    except RecursionError:
        raise BadValue("tree: the text is nested too deeply to be read") from None
    except (ValueError, SyntaxError, TypeError, MemoryError):
        raise BadValue(f"tree: expected {EXPECTED}, got {shorten(text)!r}") from None


def valid_tree(text):
    """A tree as text: nested lists such as [[3,12,8],[2,4,6]], or objects such as {"chance": [[0.5, 8], [0.5, 2]]}."""
    try:
        nested = _plain(read_tree(text))
        grow(nested)
        return json.dumps(nested, separators=(",", ":"))
    except RecursionError:
        raise BadValue("tree: the text is nested too deeply to be read") from None


def _plain(nested):
    """The same in JSON's terms: a vector written as a tuple becomes {"leaf": [...]}."""
    if isinstance(nested, tuple):
        return {"leaf": [_plain(item) for item in nested]}
    if isinstance(nested, list):
        return [_plain(item) for item in nested]
    if isinstance(nested, dict):
        return {str(key): _plain(item) for key, item in nested.items()}
    return nested


def grow(nested):
    """The tree of `Node`s that nested lists describe, and its number of players."""
    vectors = {len(leaf) for leaf in _leaves(nested) if isinstance(leaf, list)}
    numbers = any(not isinstance(leaf, list) for leaf in _leaves(nested))
    if len(vectors) > 1 or (vectors and numbers):
        raise BadValue("tree: all leaves need the same number of utilities, or all are plain numbers")
    players = vectors.pop() if vectors else 2
    if not 1 <= players <= 8:
        raise BadValue(f"tree: a leaf needs the utilities of 1 to 8 players, got {players}")
    return _grow(nested, 0, players), players


def _leaves(nested):
    if isinstance(nested, dict):
        if "leaf" in nested:
            leaf = nested["leaf"]
            yield leaf if isinstance(leaf, list) else [leaf]
            return
        for key in ("max", "min", "actions"):
            if key in nested:
                subtrees = nested[key]
                for subtree in _listed(subtrees):
                    yield from _leaves(subtree)
                return
        for outcome in _listed(nested.get("chance")):
            if isinstance(outcome, list) and len(outcome) == 2:
                yield from _leaves(outcome[1])
    elif isinstance(nested, list):
        for subtree in nested:
            yield from _leaves(subtree)
    else:
        yield nested


def _listed(subtrees):
    return list(subtrees.values()) if isinstance(subtrees, dict) else subtrees if isinstance(subtrees, list) else []


def _grow(nested, turn, players):
    """One node; `turn` is the player that a bare list here stands for."""
    if isinstance(nested, list):
        return _inner(turn, nested, players)
    if not isinstance(nested, dict):
        return Node(turn, values=_values([nested], players))
    kinds = [key for key in ("max", "min", "chance", "player", "leaf") if key in nested]
    allowed = {"player", "actions"} if kinds == ["player"] else set(kinds)
    if len(kinds) != 1 or set(nested) != allowed:
        raise BadValue(f"tree: expected {EXPECTED}, got {shorten(json.dumps(nested))!r}")
    kind = kinds[0]
    if kind == "leaf":
        return Node(turn, values=_values(nested["leaf"] if isinstance(nested["leaf"], list) else [nested["leaf"]], players))
    if kind == "chance":
        return _chance(nested["chance"], turn, players)
    if kind in ("max", "min") and players != 2:
        raise BadValue(f'tree: "{kind}" is for two players; this tree has {players}, so say {{"player": n, "actions": …}}')
    player = {"max": 0, "min": 1}.get(kind, nested.get("player"))
    if type(player) is not int or not 0 <= player < players:
        raise BadValue(f"tree: a player must be a whole number from 0 to {players - 1}, got {player!r}")
    return _inner(player, nested["actions" if kind == "player" else kind], players)


def _inner(player, subtrees, players):
    names = _names(subtrees)
    return Node(player, [_grow(subtree, (player + 1) % players, players) for subtree in _listed(subtrees)], names)


def _chance(outcomes, turn, players):
    names = _names(outcomes)
    pairs = _listed(outcomes)
    weights = []
    for pair in pairs:
        try:
            weight, _ = pair if isinstance(pair, list) else ()
            weights.append(float(_fraction(weight) if isinstance(weight, str) else weight + 0))
        except (TypeError, ValueError, ZeroDivisionError, OverflowError):
            shown = shorten(json.dumps(pair))
            raise BadValue(f"tree: a chance outcome is a pair [probability, subtree], got {shown!r}") from None
    total = sum(weights)
    if not all(0 <= weight <= 1 for weight in weights) or abs(total - 1) > 0.01:
        raise BadValue(f"tree: the probabilities of a chance node must sum to 1, got {' + '.join(map(str, weights))}")
    if abs(total - 1) > 1e-12:  # thirds written as 0.333
        weights = [weight / total for weight in weights]
    return Node(CHANCE, [_grow(pair[1], turn, players) for pair in pairs], names, weights)


def _fraction(text):
    """The number that a text such as 1/3 or 0.25 writes out, exactly; without exponents, whose digits could fill the memory."""
    if not re.fullmatch(r"\s*\d{1,30}(\.\d{0,30}|\s*/\s*\d{1,30})?\s*|\s*\.\d{1,30}\s*", text):
        raise ValueError(text)
    return Fraction(text.replace(" ", ""))


def _names(subtrees):
    if not isinstance(subtrees, list | dict) or not subtrees:
        raise BadValue(f"tree: a node needs a list of at least one subtree, got {shorten(json.dumps(subtrees))!r}")
    names = list(subtrees) if isinstance(subtrees, dict) else []
    for name in names:
        if not re.fullmatch(r"[^\s,\ud800-\udfff]{1,20}", name) or name == "root":
            raise BadValue(f"tree: an action's name is 1 to 20 characters without spaces and commas, got {name!r}")
    return names


def _values(values, players):
    good = [type(value) in (int, float) and abs(value) <= 1e15 for value in values]
    if not all(good):
        raise BadValue(f"tree: a leaf must be a number, got {shorten(repr(values[good.index(False)]))}")
    return tuple(float(value) for value in ([values[0], -values[0]] if len(values) == 1 and players == 2 else values))


def flatten(root):
    """All nodes, the children of one node in a row, with each node's parent and its place in its row."""
    nodes, parents, places, first = [root], [-1], [0], []
    for index, node in enumerate(nodes):  # grows while it is walked
        first.append(len(nodes))
        nodes += node.children
        parents += [index] * len(node.children)
        places += range(len(node.children))
    return nodes, parents, places, first


@game("tree", tree=valid_tree)
def explicit_tree(tree="[[3,12,8],[2,4,6],[14,5,2]]"):
    """Walk down an explicit tree to a leaf; the lectures' figures, with MAX, MIN, chance and any number of players.

    Goal: reach the leaf that is worth most to you.
    Moves: at your node, choose one of its actions; the triangle that points up is MAX, the one that points down MIN, a circle
      is chance.
    Score: leaves show what they are worth to MAX, or to each player.
    Tree: `tree` is the tree as text, such as [[3,12,8],[2,4,6],[14,5,2]].

    `tree`: The tree as text: numbers are leaves, brackets nodes, MAX and MIN in turn.
    """
    root, player_count = grow(read_tree(tree))
    nodes, parents, places, first_child = flatten(root)
    capacity = next((size for size in CAPACITIES if len(nodes) <= size), 0)
    if not capacity:
        raise BadValue(f"tree: at most {CAPACITIES[-1]} nodes, got {len(nodes)}")
    leaves = [node.values for node in nodes if node.values is not None]
    sums = [math.fsum(values) for values in leaves]
    same_sum = all(abs(one - sums[0]) <= 1e-9 for one in sums)
    least, greatest = min(map(min, leaves)), max(map(max, leaves))
    signature = 0
    for letter in tree.encode():
        signature = int(random_source(signature * 256 + letter)[0])

    depths = [0]
    for parent in parents[1:]:
        depths.append(depths[parent] + 1)

    def letters(depth):  # a to z, then aa, ab, …
        return (letters(depth // 26 - 1) if depth >= 26 else "") + chr(ord("a") + depth % 26)

    def name(index, action):
        return nodes[index].names[action] if nodes[index].names else f"{letters(depths[index])}{action + 1}"

    zero_sum_of_two = player_count == 2 and same_sum and abs(sums[0]) <= 1e-9
    stored = 1 if zero_sum_of_two else player_count

    class Tree:
        """Walk down an explicit tree to a leaf; the lectures' figures, with MAX, MIN, chance and any number of players."""

        players = player_count
        seat_names = ("MAX", "MIN") if player_count == 2 else ()
        total = sums[0] if same_sum else None
        bounds = (least, greatest) if least < greatest else (least - 1, greatest + 1)
        most_actions = max(1, max(len(node.children) for node in nodes))

        # -------------------------------------------- rules: the children of a node stand in a row
        node: i32
        signature: u64  # of the whole tree, so that equal keys of two trees do not meet in one table
        mover: Array[i8, capacity]
        first: Array[i16, capacity]
        count: Array[i16, capacity]
        values: Array[f64, capacity, stored]
        if any(node.probabilities for node in nodes):
            probability: Array[f64, capacity]

            def chances(self, out, probabilities):
                node = self.node
                for i in range(self.count[node]):
                    out[i] = i
                    probabilities[i] = self.probability[self.first[node] + i]
                return i32(self.count[node])

        def start(self):
            self.signature = signature
            for index, node in enumerate(nodes):
                self.mover[index] = node.player
                self.count[index] = len(node.children)
                self.first[index] = first_child[index] if node.children else 0
                if node.values is not None:
                    self.values[index] = node.values[:stored]
                for place, weight in enumerate(node.probabilities):
                    self.probability[first_child[index] + place] = weight

        def player(self):
            return i32(self.mover[self.node])

        def is_terminal(self):
            return self.count[self.node] == 0

        def actions(self, out):
            count = i32(self.count[self.node])
            for i in range(count):
                out[i] = i
            return count

        def play(self, action):
            self.node = self.first[self.node] + action

        if zero_sum_of_two:

            def utility(self, player):
                value = self.values[self.node, 0]
                return value if player == 0 else 0.0 - value  # no negative zeros

        else:

            def utility(self, player):
                return self.values[self.node, player]

        def key(self):
            return mix(self.signature + u64(self.node))

        # -------------------------------------------- notation: the actions that lead from the root to the node
        def text(self):
            path, node = [], int(self.node)
            while node:
                path.append(name(parents[node], places[node]))
                node = parents[node]
            return " ".join(reversed(path)) or "root"

        def parse(self, text):
            self.start()
            for word in re.split(r"[\s,]+", text) if text != "root" else ():
                node = int(self.node)
                known = [name(node, action) for action in range(len(nodes[node].children))]
                if word not in known:
                    expected = " or ".join(known) if known else "nothing more"
                    raise ValueError(f"after {shorten(self.text())!r} expected {expected}, got {shorten(word)!r}")
                self.node = first_child[node] + known.index(word)

        def action_text(self, action):
            return name(int(self.node), action)

        # -------------------------------------------- picture: the tree, or what is near this node where it is large
        def picture(self):
            def near(node, plies):
                if len(nodes) > 120 and plies == 0:
                    return {node: []}
                below = [first_child[node] + k for k in range(len(nodes[node].children))]
                found = {node: below}
                for child in below:
                    found |= near(child, plies - 1)
                return found

            here = int(self.node)
            root = 0 if len(nodes) <= 120 else here
            shown = near(root, 2)
            if len(shown) > 200:
                shown = near(root, 1)
            wide = max(1.0, 0.36 * max((len(words(nodes[node])) for node in shown), default=0) / 2.2)
            where = tree_places(shown, root, wide)
            way, node = {here}, here
            while node > 0:
                node = parents[node]
                way.add(node)
            kinds = {CHANCE: "circle"} | ({0: "max", 1: "min"} if player_count == 2 else {})
            drawn = {
                node: Circle(
                    *where[node],
                    label=words(nodes[node]),
                    kind="box" if nodes[node].values is not None else kinds.get(nodes[node].player, "circle"),
                    owner=None if player_count <= 2 or nodes[node].values is not None or nodes[node].player == CHANCE
                    else nodes[node].player,
                    mark="path" if node in way else False,
                )
                for node in shown
            }
            edges = tuple((node, child) for node, below in shown.items() for child in below)
            return Graph(
                nodes=drawn,
                edges=edges,
                labels={(node, child): name(node, places[child]) for node, child in edges} if len(shown) <= 60 else {},
                touches={action: (first_child[here] + action,) for action in range(len(nodes[here].children))},
                marks={here: "note"},
                caption=self.text(),
            )

    def words(node):
        if node.values is None:
            return ""
        return ", ".join(f"{value:g}" for value in (node.values[:1] if zero_sum_of_two else node.values))

    return Tree
