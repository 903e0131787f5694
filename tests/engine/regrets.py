"""A small game with hidden information solved by regrets (Zinkevich and others 2007), in plain Python: an oracle for tests.

The game begins with a deal, each as likely as any other, of what the player to move cannot see. States that are equal are one
node, so that a node may be reached in several ways; what a player knows is the text of what it observes.
"""


def solve(position, iterations):
    """The value to the first player of the strategies found, and the bounds that a best answer to either of them sets."""
    roots = sorted({position.deal(position.player(), seed) for seed in range(2000)}, key=lambda deal: deal.text())
    nodes, children = [], {}

    def visit(node):
        if node not in children:
            children[node] = [] if node.is_terminal() else [node.result(action) for action in node.actions()]
            for child in children[node]:
                visit(child)
            nodes.append(node)

    for root in roots:
        visit(root)
    nodes.reverse()  # parents before children
    place = {node: k for k, node in enumerate(nodes)}
    below = [[place[child] for child in children[node]] for node in nodes]
    movers = [None if node.is_terminal() else node.player() for node in nodes]
    views = [None if mover is None else (mover, node.observe(mover).text()) for node, mover in zip(nodes, movers, strict=True)]
    ends = [node.utility(0) if mover is None else 0.0 for node, mover in zip(nodes, movers, strict=True)]
    regrets = {view: [0.0] * len(below[k]) for k, view in enumerate(views) if view}
    sums = {view: [0.0] * len(each) for view, each in regrets.items()}
    share = 1 / len(roots)

    def values(strategy):
        worth = list(ends)
        for k in reversed(range(len(nodes))):
            if views[k]:
                worth[k] = sum(p * worth[child] for p, child in zip(strategy[views[k]], below[k], strict=True))
        return worth

    def reaches(strategy, player, own):
        """How likely each node is by the deal and by one side's choices, the other side coming there for sure."""
        reach = [0.0] * len(nodes)
        for root in roots:
            reach[place[root]] = share
        for k, view in enumerate(views):
            for p, child in zip(strategy[view] if view else (), below[k], strict=True):
                reach[child] += reach[k] * (p if (movers[k] == player) == own else 1.0)
        return reach

    def best_answer(strategy, player):
        """The value to the first player when one side answers the other's strategy as well as its knowledge allows."""
        reach, choice, sign = reaches(strategy, player, own=False), dict.fromkeys(regrets, 0), 1 - 2 * player
        while True:
            sure = {view: [float(k == choice[view]) for k in range(len(each))] for view, each in regrets.items()}
            worth = values({view: (sure if view[0] == player else strategy)[view] for view in regrets})
            gains = {view: [0.0] * len(each) for view, each in regrets.items()}
            for k, view in enumerate(views):
                if movers[k] == player:
                    for j, child in enumerate(below[k]):
                        gains[view][j] += sign * reach[k] * worth[child]
            better = {view: max(range(len(each)), key=each.__getitem__) for view, each in gains.items()}
            if better == choice:
                return share * sum(worth[place[root]] for root in roots)
            choice = better

    for weight in range(1, iterations + 1):
        strategy = {view: normal(each) for view, each in regrets.items()}
        worth = values(strategy)
        for player in range(2):
            others, mine = reaches(strategy, player, own=False), reaches(strategy, player, own=True)
            for k, view in enumerate(views):
                if movers[k] == player:
                    for j, child in enumerate(below[k]):
                        regrets[view][j] += others[k] * (1 - 2 * player) * (worth[child] - worth[k])
                        sums[view][j] += weight * mine[k] * strategy[view][j]
        for each in regrets.values():
            each[:] = [max(0.0, regret) for regret in each]
    strategy = {view: normal(each) for view, each in sums.items()}
    value = share * sum(values(strategy)[place[root]] for root in roots)
    return value, best_answer(strategy, 1), best_answer(strategy, 0)


def normal(numbers):
    """The same in proportion, adding up to 1; where all are 0, each alike."""
    total = sum(numbers)
    return [number / total for number in numbers] if total > 0 else [1 / len(numbers)] * len(numbers)
