"""Best response and exploitability: how much a strategy gives away to one who knows it.

Against fixed strategies of the others, a player's best answer is found from the end of the game backwards: an information set
takes the action that does best on average over its positions, each weighted by how likely chance and the others bring the game
there.

>>> from outplay.game import load
>>> from outplay.textbook.information import Tree
>>> tree = Tree(load("kuhn poker").start())
>>> value, answer = best_response(tree, tree.uniform(), 1)
>>> round(value, 4), answer[1, "?K b"]
(0.4167, [0.0, 1.0])

NashConv adds up what all could gain, each alone; it is 0 exactly at an equilibrium. For uniform play in Kuhn poker it is 11/12:

>>> round(nash_conv(tree, tree.uniform()), 6)
0.916667
"""

from __future__ import annotations

from outplay.textbook.information import Key, Node, Strategy, Tree, others


def best_response(tree: Tree, strategy: Strategy, player: int) -> tuple[float, dict[Key, list[float]]]:
    """What the best answer to the others' strategies gets, and that answer: one action for sure at each information set."""
    reach = tree.reaches(strategy)
    weight = {node: others(reach[node], player) for node in tree.nodes}
    worth: dict[Node, float] = {}
    answer: dict[Key, list[float]] = {}

    def value(node: Node) -> float:
        if node not in worth:
            if node.utilities:
                worth[node] = node.utilities[player]
            elif node.key is None or node.key[0] != player:
                shares = node.odds if node.key is None else strategy[node.key]
                worth[node] = sum(share * value(child) for share, child in zip(shares, node.children, strict=True))
            else:
                worth[node] = value(node.children[decide(node.key).index(1.0)])
        return worth[node]

    def decide(key: Key) -> list[float]:
        if key not in answer:  # perfect recall: what follows one position of the set never meets another one of it
            here = tree.sets[key]
            gains = [sum(weight[node] * value(node.children[k]) for node in here.nodes) for k in range(len(here.actions))]
            best = max(range(len(gains)), key=gains.__getitem__)
            answer[key] = [float(k == best) for k in range(len(gains))]
        return answer[key]

    total = value(tree.root)
    return total, {key: decide(key) for key in tree.sets if key[0] == player}


def nash_conv(tree: Tree, strategy: Strategy) -> float:
    """What all players together could gain, each by changing alone."""
    values = tree.values(strategy)[tree.root]
    return sum(best_response(tree, strategy, player)[0] - values[player] for player in range(tree.players))


def exploitability(tree: Tree, strategy: Strategy) -> float:
    """NashConv for each player."""
    return nash_conv(tree, strategy) / tree.players
