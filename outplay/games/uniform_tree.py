"""Uniform trees: every node has the same number of actions, every line the same length, and the order of the actions is chosen.

Made to count what alpha-beta saves: about b^(m/2) leaves with the best action first (Knuth and Moore, 1975), about b^(3m/4) in
random order, b^m with the best action last. What *random order* means depends on the model of the leaves:

- `leaves=independent`: every leaf is drawn by itself. This is the model for which the formula was derived (Pearl, 1982).
- `leaves=graded`: the first difference between two lines outweighs all that is lost below it, so a good action is good whatever
  follows, more than in most games. Far fewer leaves are read. The value of the tree is 0.

With `order=best` or `worst` leaves are graded: each node then knows its own value and the child that keeps it. No tree is stored.

>>> from outplay.game import load
>>> load("uniform tree", branching=3, depth=2, order="best").start().play("a1 a1").utility(0)
0.0
>>> load("uniform tree", branching=3, depth=2).start().play("a1 a1").utility(0) == load(
...     "uniform tree", branching=3, depth=2, seed=1).start().play("a1 a1").utility(0)
False
"""

from outplay.jit import i8, i16, i32, i64, mix, u64
from outplay.picture import Graph, Node, tree_places
from outplay.rules import game

ORDERS = ("random", "best", "worst")
LEAVES = ("independent", "graded")
INDEPENDENT = len(ORDERS)  # the fourth arrangement: random order and independent leaves
WIDEST = 99_999  # an independent leaf lies between -WIDEST and WIDEST
MOST = 2**30  # no value is greater


@game("uniform tree", branching=range(1, 65), depth=range(0, 65), seed=range(0, 2**31), order=ORDERS, leaves=LEAVES)
def uniform_tree(branching=3, depth=6, seed=0, order="random", leaves="independent"):
    """Every node has the same number of actions; with graded leaves the value of the whole tree is 0.

    Goal: reach a leaf that is worth much to you.
    Moves: at your node, choose one of its actions; all lines are equally long.
    Special: the tree is drawn by `seed`, and `order` says how well its actions are sorted: it is made to count what a search
      saves.
    Size: `branching` and `depth`.

    `branching`: Actions at every node.
    `depth`: Moves from the root to a leaf.
    `seed`: Which tree: each number is another one.
    `order`: Whether the best action comes first, last or anywhere.
    `leaves`: independent: each leaf by chance alone; graded: good actions stay good further down.
    """
    chosen = branching, depth, seed, INDEPENDENT if (order, leaves) == ("random", "independent") else ORDERS.index(order)

    class UniformTree:
        """Every node has the same number of actions; with graded leaves the value of the whole tree is 0."""

        seat_names = ("MAX", "MIN")
        most_actions = 64
        bounds = (-float(MOST), float(MOST))

        # -------------------------------------------- rules; the parameters are fields, so that all trees share compiled code
        left: i16  # plies to the leaves
        width: i16  # actions of a node
        arrangement: i8  # the index of ORDERS, or INDEPENDENT
        turn: i8
        weight: i32  # points between two neighbouring actions: more than all that is lost below them
        value: i32  # of this node with best play, for the player to move
        node: u64  # a random number for each node

        def start(self):
            width, left, number, arrangement = chosen
            self.width, self.left, self.arrangement = width, left, arrangement
            self.weight = max(1, width ** max(0, left - 1) if width**left <= MOST else 1)
            self.node = mix(u64(number + 1))

        def is_terminal(self):
            return self.left == 0

        def actions(self, out):
            if self.left == 0:
                return 0
            for action in range(self.width):
                out[action] = action
            return i64(self.width)

        def play(self, action):
            worse = 0  # how many actions are better than this one: it gives up as many points
            if self.arrangement == 1:
                worse = action
            elif self.arrangement == 2:
                worse = self.width - 1 - action
            elif self.arrangement == 0:
                mark = mix(self.node + u64(action))
                for other in range(self.width):
                    if mix(self.node + u64(other)) < mark:
                        worse += 1
            self.value = -(self.value - worse * self.weight)
            self.weight = max(1, self.weight // self.width)
            self.node = mix(self.node ^ mix(u64(action) + u64(0x9E3779B97F4A7C15)))
            self.left -= 1
            self.turn = 1 - self.turn
            if self.arrangement == INDEPENDENT and self.left == 0:
                self.value = i64(mix(self.node) % u64(2 * WIDEST + 1)) - WIDEST

        def utility(self, player):
            return float(self.value if player == self.turn else -self.value)

        def key(self):
            return self.node

        # -------------------------------------------- notation
        def action_text(self, action):
            return f"a{action + 1}"

        # -------------------------------------------- picture: this node and the next
        def picture(self):
            below = list(range(int(self.width))) if self.left else []
            kinds = ("max", "min")
            turn = int(self.turn)
            where = tree_places({-1: below}, -1, 0.8)
            value = f"{int(self.value) * (1 - 2 * turn)}"
            drawn = {-1: Node(*where[-1], label="" if below else value, kind=kinds[turn] if below else "box", mark="note")}
            drawn |= {child: Node(*where[child], kind=kinds[1 - turn] if self.left > 1 else "box") for child in below}
            return Graph(nodes=drawn, edges=tuple((-1, child) for child in below), labels={(-1, c): f"a{c + 1}" for c in below},
                         touches={child: (child,) for child in below}, caption=f"{int(self.left)} plies to the leaves")  # fmt: skip

    return UniformTree
