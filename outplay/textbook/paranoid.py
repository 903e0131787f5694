"""Paranoid search: with many players, suppose that all the others play against me (Sturtevant and Korf 2000).

Max^n trusts that each player looks after itself, and is wrong when they do not. Paranoid search asks what the player to move is
sure of whatever the others do. It makes two players of many, me and the rest, so alpha-beta's deep cuts work again.

Max^n expects player 1 to take its own 5, which leaves player 0 six; paranoid search fears the other answer:

>>> from outplay.game import load
>>> from outplay.textbook.maxn import maxn
>>> position = load("tree", tree=[[(6, 5, 1), (0, 3, 9)], [(4, 4, 4), (5, 5, 2)]]).start()
>>> [(position.action_text(result.action), result.value) for result in (maxn(position), paranoid(position))]
[('a1', (6.0, 5.0, 1.0)), ('a2', (4.0, 4.0, 4.0))]
"""

from __future__ import annotations

from outplay.game import Position, need
from outplay.textbook.maxn import Vector, shown
from outplay.textbook.search import INFINITY, Evaluate, Line, Search
from outplay.values import CHANCE, Limits, Result, Value


def paranoid(position: Position, *, depth: int | None = None, evaluate: Evaluate | None = None, limits: Limits | None = None,
             trace: bool = False) -> Result:
    """The action whose worst case is best for the player to move, and the vector of that worst case."""
    need("paranoid", position.game, information="perfect", use="deals")
    search = Search("paranoid", position, depth=depth, evaluate=evaluate, limits=limits, trace=trace)
    me = max(position.player(), 0)  # at a chance node: player 0

    def value(position: Position, left: float, alpha: float, beta: float) -> tuple[Vector, Line]:
        """The vector and its line; alpha and beta bound my own entry."""
        search.enter(position, alpha, beta)
        if position.is_terminal() or left == 0:
            return search.leaf_vector(position), ()
        if position.player() == CHANCE:
            return chance_value(position, left)
        mine, actions = position.side() == position.game.side(me), position.actions()
        best: Vector = ((-INFINITY if mine else INFINITY),) * search.traits.players
        best_line: Line = ()
        for tried, action in enumerate(actions, start=1):
            vector, line = value(search.result(position, action), left - 1, alpha, beta)
            if vector[me] > best[me] if mine else vector[me] < best[me]:
                best, best_line = vector, (action, *line)
            if best[me] >= beta if mine else best[me] <= alpha:
                reason = f"{best[me]:g} >= beta {beta:g}: the others have something" if mine else \
                    f"{best[me]:g} <= alpha {alpha:g}: player {me} has something"
                search.cut(position, best, actions[tried:], f"{reason} at least as good", (alpha, beta))
                break
            alpha, beta = (max(alpha, best[me]), beta) if mine else (alpha, min(beta, best[me]))
        return search.leave(position, best), best_line

    def chance_value(position: Position, left: float) -> tuple[Vector, Line]:
        average: Vector = (0.0,) * search.traits.players
        for outcome, probability in position.chances():
            vector, _ = value(search.result(position, outcome), left, -INFINITY, INFINITY)
            average = tuple(a + probability * v for a, v in zip(average, vector, strict=True))
        return search.leave(position, average), ()

    def whole(position: Position, left: float) -> tuple[Value, Line]:
        vector, line = value(position, left, -INFINITY, INFINITY)
        return shown(vector, search.traits), line

    return search.decide(whole, position, INFINITY if search.depth is None else search.depth)
