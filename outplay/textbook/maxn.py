"""Max^n: a vector of utilities instead of a number, and each player maximises its own entry (Luckhardt and Irani 1986).

Player 0 moves first, then player 1 and player 2 in the lower rows. Each takes the vector that is best in its own place:

>>> from outplay.game import load
>>> position = load("tree", tree=[[[(3, 2, 6), (4, 2, 3)], [(6, 1, 2), (7, 4, 1)]],
...                               [[(5, 1, 1), (0, 5, 2)], [(7, 7, 1), (5, 4, 5)]]]).start()
>>> maxn(position).value
(3.0, 2.0, 6.0)

When the utilities add up to a known total and none is below a known least one, a player can be sure that nothing is left for
another, and the rest of a node is skipped (Korf 1991): immediate pruning where the player to move has all that there is,
shallow pruning where it has so much that the player before it must do worse here than elsewhere. Here all leaves add up to 9:
when player 1 has found 7 below the second action, at most 2 are left for player 0, who already has 3.

>>> position = load("tree", tree=[[(3, 3, 3), (4, 2, 3)], [(1, 7, 1), (6, 1, 2), (0, 0, 9)]]).start()
>>> result = maxn(position, prune=True, trace=True)
>>> result.value, result.leaves, [step.reason for step in result.trace if step.event == "cut"]
((3.0, 3.0, 3.0), 3, ['player 1 has 7 of 9: at most 2 are left for player 0, who has 3'])
"""

from __future__ import annotations

from outplay.errors import BadValue
from outplay.game import Position, need
from outplay.textbook.search import INFINITY, Evaluate, Line, Search
from outplay.values import CHANCE, Limits, Result, Traits, Value

Vector = tuple[float, ...]


def maxn(position: Position, *, depth: int | None = None, prune: bool = False, total: float | None = None,
         least: float | None = None, evaluate: Evaluate | None = None, limits: Limits | None = None, trace: bool = False) -> Result:
    """The vector that comes of it when each player looks after itself; of equals, the first action is taken.

    With `prune`, nodes are cut as above: utilities must add up to at most `total` and each be at least `least`, which a
    constant-sum game says by itself. The result is the same.
    """
    need("maxn", position.game, information="perfect", use="deals")
    search = Search("maxn", position, depth=depth, evaluate=evaluate, limits=limits, trace=trace)
    if prune and total is None:
        need("maxn with pruning", position.game, sum="constant", use="maxn without, or give it a total that no leaf exceeds")
    most = (search.traits.total or 0.0) * search.scale if total is None else total
    floor = search.traits.bounds[0] * search.scale if least is None else least
    others = search.traits.players - 1

    def value(position: Position, left: float, rival: int = CHANCE, has: float = -INFINITY) -> tuple[Vector, Line]:
        """The vector and its line; the player before, `rival`, already `has` that much by another action."""
        search.enter(position)
        if position.is_terminal() or left == 0:
            return promised(search.leaf_vector(position)), ()
        if position.player() == CHANCE:
            return chance_value(position, left)
        player, actions = position.player(), position.actions()
        best: Vector = (-INFINITY,) * search.traits.players
        best_line: Line = ()
        for tried, action in enumerate(actions, start=1):
            vector, line = value(search.result(position, action), left - 1, player, best[player])
            if vector[player] > best[player]:
                best, best_line = vector, (action, *line)
            if prune and best[player] >= most - others * floor:
                search.cut(position, best, actions[tried:], f"player {player} has {best[player]:g}, all that there is")
                break
            rest = most - best[player] - (others - 1) * floor  # the most that any one of the others can still get here
            if prune and rival not in (player, CHANCE) and rest <= has:
                left_over = f"at most {rest:g} are left for player {rival}, who has {has:g}"
                search.cut(position, best, actions[tried:], f"player {player} has {best[player]:g} of {most:g}: {left_over}")
                break
        return search.leave(position, best), best_line

    def chance_value(position: Position, left: float) -> tuple[Vector, Line]:
        average: Vector = (0.0,) * search.traits.players
        for outcome, probability in position.chances():
            vector, _ = value(search.result(position, outcome), left)
            average = tuple(a + probability * v for a, v in zip(average, vector, strict=True))
        return search.leave(position, average), ()

    def promised(vector: Vector) -> Vector:
        if prune and (sum(vector) > most + 1e-9 or min(vector) < floor - 1e-9):
            raise BadValue(f"maxn with pruning was promised leaves of at least {floor:g} each and {most:g} together, "
                           f"got {', '.join(f'{entry:g}' for entry in vector)}")
        return vector

    def whole(position: Position, left: float) -> tuple[Value, Line]:
        vector, line = value(position, left)
        return shown(vector, search.traits), line

    return search.decide(whole, position, INFINITY if search.depth is None else search.depth)


def shown(vector: Vector, traits: Traits) -> Value:
    """A vector as results show it: MAX's entry alone where two players' entries cancel."""
    return vector[0] if traits.players == 2 and traits.sum == "zero" else vector
