"""Written-out game trees with chance nodes and any number of players, and Hypothesis strategies that draw them."""

from fractions import Fraction

from hypothesis import strategies as st

from outplay.game import Game
from outplay.values import CHANCE


class Tree(Game):
    """A tree in nested tuples: ("leaf", utilities), (player, child, ...) or ("chance", (probability, child), ...)."""

    name = "drawn tree"

    def __init__(self, root, players=2, total=0.0, bounds=(-10.0, 10.0)):
        self.root, self.players, self.total, self.bounds = root, players, total, bounds

    def initial(self):
        return self.root

    def player(self, state):
        return CHANCE if state[0] == "chance" else 0 if state[0] == "leaf" else state[0]

    def actions(self, state):
        return range(len(state) - 1)

    def result(self, state, action):
        child = state[action + 1]
        return child[1] if state[0] == "chance" else child

    def is_terminal(self, state):
        return state[0] == "leaf"

    def utility(self, state, player):
        return state[1][player]

    def chances(self, state):
        return [(index, float(p)) for index, (p, _) in enumerate(state[1:])]


class Sure(Tree):
    """The same without chance nodes, and saying so by its traits."""

    name = "drawn tree without chance"
    chances = Game.chances


def zero(value):
    """A leaf of a two-player zero-sum game."""
    return ("leaf", (float(value), -float(value)))


def leaf(*utilities):
    """A leaf with a utility for each player."""
    return ("leaf", tuple(float(u) for u in utilities))


def chance(*pairs):
    """A chance node from probability, child pairs."""
    return ("chance", *pairs)


def zero_leaves(low=-10, high=10):
    return st.integers(low, high).map(zero)


def shared_leaves(players, total):
    """Leaves that deal out a fixed total of at least 0 each: cuts of a line of that length."""
    cuts = st.lists(st.integers(0, total), min_size=players - 1, max_size=players - 1).map(sorted)
    return cuts.map(lambda c: leaf(*(b - a for a, b in zip([0, *c], [*c, total], strict=True))))


def free_leaves(players, low=-10, high=10):
    return st.tuples(*[st.integers(low, high)] * players).map(lambda u: leaf(*u))


def _spread(children, weights):
    whole = sum(weights[: len(children)])
    return ("chance", *((Fraction(w, whole), c) for w, c in zip(weights, children, strict=False)))


def nodes(leaves, players=2, with_chance=True, deepest=4, widest=3):
    """Trees of these leaves whose nodes belong to any player, or to chance."""

    def wider(children):
        some = st.lists(children, min_size=1, max_size=widest)
        decision = st.builds(lambda player, kids: (player, *kids), st.integers(0, players - 1), some)
        if not with_chance:
            return decision
        weights = st.lists(st.integers(1, 5), min_size=widest, max_size=widest)
        return st.one_of(decision, st.builds(_spread, some, weights))

    found = leaves
    for _ in range(deepest):
        found = st.one_of(leaves, wider(found))
    return wider(found)


def zero_sum_trees(with_chance=True, deepest=4):
    kind = Tree if with_chance else Sure
    return nodes(zero_leaves(), 2, with_chance, deepest).map(kind)


def shared_trees(players=3, total=10, with_chance=False, deepest=4):
    """Games for several players whose utilities add up to a known total."""
    kind = Tree if with_chance else Sure
    return nodes(shared_leaves(players, total), players, with_chance, deepest).map(
        lambda root: kind(root, players, float(total), (0.0, float(total))))


def free_trees(players=3, with_chance=True, deepest=3):
    """General-sum games for several players."""
    return nodes(free_leaves(players), players, with_chance, deepest).map(lambda root: Tree(root, players, None))


def full_tree(random, layers, make_leaf, width=3):
    """A tree of the same depth everywhere, with these players (or "chance") from the root down: many places to cut."""
    if not layers:
        return make_leaf(random)
    children = [full_tree(random, layers[1:], make_leaf, width) for _ in range(random.randint(2, width))]
    return _spread(children, [random.randint(1, 5) for _ in children]) if layers[0] == "chance" else (layers[0], *children)


def full_zero_sum_trees():
    """MAX, dice, MIN, dice, as in backgammon."""
    return st.randoms(use_true_random=False).map(
        lambda random: Tree(full_tree(random, (0, "chance", 1, "chance", 0), lambda r: zero(r.randint(-10, 10)), 2)))


def full_shared_trees(total=1, least=-1):
    """Three players in turn; each leaf deals out the total, nobody getting less than the least."""

    def share(random):
        spare = total - 3 * least
        one, two = sorted(random.randint(0, spare) for _ in range(2))
        return leaf(one + least, two - one + least, spare - two + least)

    return st.randoms(use_true_random=False).map(
        lambda random: Sure(full_tree(random, (0, 1, 2, 0), share), 3, float(total), (float(least), float(total - 2 * least))))
