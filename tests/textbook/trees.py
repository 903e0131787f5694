"""Plain two-player trees of nested tuples, and Hypothesis strategies that draw them."""

from hypothesis import strategies as st

from outplay.game import Game


class PlainTree(Game):
    """A number is a leaf, worth that much to MAX; (player, subtree, ...) is a node of player 0 or 1."""

    name = "plain tree"
    bounds = (-20.0, 20.0)

    def __init__(self, root):
        self.root = root

    def initial(self):
        return ()

    def node(self, path):
        node = self.root
        for action in path:
            node = node[action + 1]
        return node

    def player(self, path):
        node = self.node(path)
        return node[0] if isinstance(node, tuple) else 0

    def actions(self, path):
        return range(len(self.node(path)) - 1)

    def result(self, path, action):
        return (*path, action)

    def is_terminal(self, path):
        return not isinstance(self.node(path), tuple)

    def utility(self, path, player):
        return self.node(path) * (1 - 2 * player)


class SeenTree(PlainTree):
    """The same with an evaluation of unfinished positions: a whole number made from the path, in points."""

    name = "plain tree with an evaluation"
    scale = 10.0

    def evaluate(self, path, player, weights=None):
        return float((sum((i + 3) * (a + 1) * 7919 for i, a in enumerate(path)) % 201 - 100) * (1 - 2 * player))

    def forcing(self, path):
        return [action for action in self.actions(path) if action % 2 == 0]


leaves = st.integers(-20, 20)
nodes = st.recursive(leaves, lambda below: st.tuples(st.sampled_from([0, 1]), below) | st.tuples(
    st.sampled_from([0, 1]), below, below) | st.tuples(st.sampled_from([0, 1]), below, below, below), max_leaves=40)


def plain_trees():
    """Positions at the root of a tree of any shape, in which a player may also move twice in a row."""
    return nodes.map(lambda root: PlainTree(root).start())


def seen_trees():
    """The same, of a game that offers an evaluation."""
    return nodes.map(lambda root: SeenTree(root).start())


def alternating(nested, player=0):
    """Nested lists as a root for `PlainTree`: MAX and MIN in turn."""
    return (player, *(alternating(child, 1 - player) for child in nested)) if isinstance(nested, list) else nested


def value(position):
    """Minimax in three lines, to check the long ones against."""
    if position.is_terminal():
        return position.utility(0)
    return (max, min)[position.player()](value(position.result(action)) for action in position.actions())
