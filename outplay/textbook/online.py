"""LRTA*, learning real-time A*: an agent that acts while it learns, and knows where an action leads only after it (Korf 1990).

It keeps an estimate for each place it has been to, goes where the way seems shortest, and corrects the estimate of the place it
leaves. An action never tried is given the benefit of the doubt. Each trip profits from those before it:

>>> from outplay.game import load
>>> maze = load("grid", map="S...#/.##.#/.#..#/.#.#./....G").start()
>>> result = lrta_star(maze, trips=10)
>>> result.facts["costs"][0] > result.facts["costs"][-1] == 8
True
"""

from __future__ import annotations

from outplay.game import Position
from outplay.textbook.search import INFINITY, Search, whole_number
from outplay.textbook.tree_search import need_one_player
from outplay.values import Action, Limits, Result


def lrta_star(position: Position, *, trips: int = 1, limits: Limits | None = None, trace: bool = False) -> Result:
    """Walk to the goal that many times from the same start; the line is the last trip, `facts` has what each one cost."""
    need_one_player("lrta-star", position)
    whole_number("trips", trips, 1)
    search = Search("lrta-star", position, limits=limits, trace=trace)
    search.room = INFINITY
    estimates: dict[Position, float] = {}
    known: dict[tuple[Position, Action], Position] = {}  # where an action led

    def price(here: Position, action: Action) -> float:
        """What the way over an action seems to cost from here; untried, no more than the estimate of this place."""
        there = known.get((here, action))
        if there is None:
            return here.estimate()
        return here.cost(action) + estimates[there]

    costs: list[float] = []
    for _ in range(trips):
        search.restart(None)
        here, cost = position, 0.0
        while True:
            search.enter(here)
            if here.is_terminal():
                estimates[here] = 0 if here.is_solved() else INFINITY
                break
            estimates.setdefault(here, here.estimate())
            prices = [price(here, action) for action in here.actions()]
            action = here.actions()[prices.index(min(prices))]
            there = here.result(action)
            cost += here.cost(action)
            if there.is_terminal():
                estimates[there] = 0 if there.is_solved() else INFINITY
            estimates.setdefault(there, there.estimate())
            known[here, action] = there
            estimates[here] = max(estimates[here], min(price(here, action) for action in here.actions()))
            search.note("learn", here, value=float(estimates[here]), facts={"action": here.action_text(action)})
            search.path.append(action)
            here = there
        costs.append(cost if here.is_solved() else INFINITY)
    line = tuple(search.path)
    solved = here.is_solved()
    return search.report((here.utility(0),), line, depth=len(line), cost=costs[-1] if solved else None, costs=tuple(costs),
                         places=len(estimates))
