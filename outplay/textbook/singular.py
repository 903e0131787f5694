"""Singular extension: look one ply deeper behind an action that is far better than its rivals (Anantharaman, Campbell, Hsu 1990).

An action without alternative tells nothing new, so it should not use up the depth; and a loss that delaying moves push beyond the
horizon comes back into sight. Here an action is singular when EVAL right behind it beats the second best by a margin.

MIN threatens to win 9 at the end; one ply deep MAX sees nothing of it, behind the only good-looking action it does:

>>> from outplay.game import load
>>> from outplay.textbook.cutoff import h_minimax
>>> position = load("tree", tree="[[-9, 5], [0, 1], [0, 2]]").start()
>>> looks = {"root": 0, "a1": 4, "a2": 0, "a3": 0.5}
>>> eval_ = lambda position, player: (1 - 2 * player) * looks[position.text()]
>>> position.action_text(h_minimax(position, 1, evaluate=eval_).action)
'a1'
>>> result = singular_extension(position, depth=1, evaluate=eval_, margin=2)
>>> position.action_text(result.action), result.value, result.facts["extensions"]
('a3', 0.5, 1)
"""

from __future__ import annotations

from outplay.game import Position
from outplay.textbook.ordering import Order, as_given, promise
from outplay.textbook.search import INFINITY, NOTHING, Evaluate, Line, Search, need_two_players
from outplay.values import Action, Limits, Result


def singular_extension(position: Position, *, depth: int | None = None, evaluate: Evaluate | None = None,
                       margin: float | None = None, most: int | None = None, order: Order = as_given,
                       limits: Limits | None = None, trace: bool = False) -> Result:
    """Alpha-beta to a depth that grows by one behind each singular action, by `most` (the depth itself) on one path.

    `margin` is in points; left out, it is a hundredth of what one unit of utility is worth.
    """
    need_two_players("singular", position)
    search = Search("singular", position, depth=depth, evaluate=evaluate, relative=True, limits=limits, trace=trace)
    base, margin = search.depth, search.scale / 100 if margin is None else margin
    most = base if most is None or base is None else most
    search.facts["extensions"] = 0

    def value(position: Position, alpha: float, beta: float, extra: int) -> tuple[float, Line]:
        search.enter(position, alpha, beta)
        if position.is_terminal() or (base is not None and len(search.path) >= base + extra):
            return search.leaf(position), ()
        best, line = -INFINITY, NOTHING
        actions = order(position, position.actions())
        singular = singular_action(position) if extra < (most or 0) else None
        for tried, action in enumerate(actions, start=1):
            v, rest = search.after(value, position, action, alpha, beta, extra + (action == singular))
            if v > best:
                best, line = v, (action, *rest)
            if best >= beta:
                search.cut_by_beta(position, best, actions[tried:], alpha, beta)
                break
            alpha = max(alpha, best)
        return search.leave(position, best), line

    def singular_action(position: Position) -> Action | None:
        """The one action that EVAL puts far above all others, if there is one."""
        ranking = sorted(((promise(position, position.result(action), evaluate), rank, action)
                          for rank, action in enumerate(position.actions())), reverse=True)
        if len(ranking) < 2 or ranking[0][0] - ranking[1][0] < margin:
            return None
        search.facts["extensions"] += 1
        search.note("extend", position, reason=f"{position.action_text(ranking[0][2])} stands out", facts={"action": ranking[0][2]})
        return ranking[0][2]

    return search.decide(value, position, -INFINITY, INFINITY, 0)
