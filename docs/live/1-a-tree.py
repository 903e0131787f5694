# The lecture's tree, and how alpha-beta walks it. Change a number and run it again.
import outplay
from outplay.game import Game
from outplay.views import tree


class Tree(Game):
    name = "tree"
    players, bounds, total = 2, (0, 20), 0
    numbers = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]

    def initial(self):
        return ()  # the way from the root, branch by branch

    def node(self, way):
        found = self.numbers
        for branch in way:
            found = found[branch]
        return found

    def player(self, way):
        return len(way) % 2  # MAX, then MIN

    def actions(self, way):
        return () if self.is_terminal(way) else range(len(self.node(way)))

    def result(self, way, branch):
        return (*way, branch)

    def is_terminal(self, way):
        return isinstance(self.node(way), int)

    def utility(self, way, player):
        return self.node(way) if player == 0 else -self.node(way)


name, result, grown = outplay.explain(Tree().start(), "alphabeta")
print(f"{name}: branch {result.action}, worth {result.value:g}, {result.nodes} nodes")
tree.draw(grown, line=result.line, title=name)
