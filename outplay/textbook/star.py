"""Star1 and Star2: alpha-beta's cuts at chance nodes (Ballard 1983).

An average cannot be known before all outcomes are, unless utilities are bounded: then what is still unknown is worth at least
the least utility and at most the greatest. Once even the greatest would leave the average at or below alpha, or the least would
lift it to beta, the rest of the outcomes is skipped. Turned round, the same sum gives each outcome a window of its own.

Here the second action's first outcome settles it. Even a 10 in the other half would leave it at (-10 + 10) / 2 = 0, and MAX has 5:

>>> from outplay.game import load
>>> tree = '{"max": [5, {"chance": [[0.5, -10], [0.5, {"min": [10, 2]}]]}]}'
>>> result = star1(load("tree", tree=tree).start(), trace=True)
>>> result.value, result.leaves, [step.reason for step in result.trace if step.event == "cut"]
(5.0, 2, ['at most 0 <= alpha 5, whatever the rest brings'])

Star2 first probes: one action of a MIN node bounds the node from above, one of a MAX node from below. Often the sum of those
bounds cuts before any outcome is searched in full.

>>> tree = '{"max": [5, {"chance": [[0.5, {"min": [4, 3, 2]}], [0.5, {"min": [6, 3, -10]}]]}, 10]}'
>>> position = load("tree", tree=tree).start()
>>> star1(position).leaves, star2(position).leaves
(6, 4)
"""

from __future__ import annotations

from dataclasses import replace

from outplay.errors import BadValue
from outplay.game import Position, need
from outplay.textbook.expectiminimax import need_chance_for_two
from outplay.textbook.search import INFINITY, Evaluate, Line, Search
from outplay.values import CHANCE, Action, Limits, Result

Probed = tuple[float, Line] | None
"""What is already known of a node's first action."""


def star1(position: Position, *, depth: int | None = None, bounds: tuple[float, float] | None = None,
          evaluate: Evaluate | None = None, limits: Limits | None = None, trace: bool = False) -> Result:
    """Expectiminimax's value from never more leaves; `bounds` are the game's unless evaluations go beyond them."""
    return _star("star1", position, depth, bounds, evaluate, limits, trace)


def star2(position: Position, *, depth: int | None = None, bounds: tuple[float, float] | None = None,
          evaluate: Evaluate | None = None, limits: Limits | None = None, trace: bool = False) -> Result:
    """Star1 with a probe of each outcome first; no leaf is looked at twice, since a probe that proves nothing is remembered."""
    return _star("star2", position, depth, bounds, evaluate, limits, trace)


def _star(algorithm: str, position: Position, depth: int | None, bounds: tuple[float, float] | None, evaluate: Evaluate | None,
          limits: Limits | None, trace: bool) -> Result:
    is_alone = position.game.traits.players == 1  # the lecture's expectimax: one player against chance, pruned alike
    if is_alone:
        need(algorithm, position.game, information="perfect", use="belief")
    else:
        need_chance_for_two(algorithm, position)
    search = Search(algorithm, position, depth=depth, evaluate=evaluate, limits=limits, trace=trace)
    least, greatest = bounds or (bound * search.scale for bound in search.traits.bounds)

    def value(position: Position, left: float, alpha: float, beta: float, probed: Probed = None) -> tuple[float, Line]:
        """The value v and its line; v <= alpha says "at most v", v >= beta says "at least v". The first action may be known."""
        search.enter(position, alpha, beta)
        if position.is_terminal() or left == 0:
            v = search.leaf(position)
            if not least <= v <= greatest:
                raise BadValue(f"{algorithm} needs values from {least:g} to {greatest:g}, and {position.text()} is worth {v:g}: "
                               "give wider bounds")
            return v, ()
        if position.player() == CHANCE:
            return chance_value(position, left, alpha, beta), ()
        return best_value(position, left, alpha, beta, probed)

    def best_value(position: Position, left: float, alpha: float, beta: float, probed: Probed) -> tuple[float, Line]:
        is_max, actions = position.side() == 0, position.actions()
        best, best_line = -INFINITY if is_max else INFINITY, ()
        for tried, action in enumerate(actions, start=1):
            known = probed if tried == 1 else None
            v, line = known or value(search.result(position, action), left - 1, alpha, beta)
            if v > best if is_max else v < best:
                best, best_line = v, (action, *line)
            if best >= beta if is_max else best <= alpha:
                (search.cut_by_beta if is_max else search.cut_by_alpha)(position, best, actions[tried:], alpha, beta)
                break
            alpha, beta = (max(alpha, best), beta) if is_max else (alpha, min(beta, best))
        return search.leave(position, best), best_line

    def chance_value(position: Position, left: float, alpha: float, beta: float) -> float:
        outcomes = [(outcome, p) for outcome, p in position.chances() if p > 0]
        lowest, highest = [least] * len(outcomes), [greatest] * len(outcomes)  # what each outcome is known to be worth

        def average_of(known: list[float]) -> float:
            return sum(p * bound for (_, p), bound in zip(outcomes, known, strict=True))

        def window(i: int) -> tuple[float, float]:
            """Where outcome i must lie for the average to lie between alpha and beta, the others being at their bounds."""
            p = outcomes[i][1]
            return (alpha - average_of(highest)) / p + highest[i], (beta - average_of(lowest)) / p + lowest[i]

        def cut(v: float, rest: list[tuple[Action, float]]) -> float:
            reason = f"at most {v:g} <= alpha {alpha:g}" if v <= alpha else f"at least {v:g} >= beta {beta:g}"
            search.cut(position, v, [outcome for outcome, _ in rest], reason + ", whatever the rest brings", (alpha, beta))
            return search.leave(position, v)

        probed: dict[Action, Probed] = {}
        for i, (outcome, _) in enumerate(outcomes if algorithm == "star2" else ()):
            child = position.result(outcome)
            if not child.is_terminal() and child.player() != CHANCE:
                search.path.append(outcome)
                v, probed[outcome] = probe(child, left, *window(i))
                if child.side() == 0:
                    lowest[i] = v
                else:
                    highest[i] = v
                if average_of(highest) <= alpha:
                    return cut(average_of(highest), outcomes)
                if average_of(lowest) >= beta:
                    return cut(average_of(lowest), outcomes)
        for i, (outcome, _) in enumerate(outcomes):
            low, high = window(i)
            v, _ = value(search.result(position, outcome), left, max(low, least), min(high, greatest), probed.get(outcome))
            if v <= low:
                highest[i] = v
                return cut(min(average_of(highest), alpha), outcomes[i + 1:])
            if v >= high:
                lowest[i] = v
                return cut(max(average_of(lowest), beta), outcomes[i + 1:])
            lowest[i] = highest[i] = v
        return search.leave(position, average_of(lowest))

    def probe(child: Position, left: float, alpha: float, beta: float) -> tuple[float, Probed]:
        """The first action's value, which bounds a MAX node from below and a MIN node from above; and the same if it is exact."""
        alpha, beta = (least, min(beta, greatest)) if child.side() == 0 else (max(alpha, least), greatest)
        search.enter(child, alpha, beta)
        action = child.actions()[0]
        v, line = value(search.result(child, action), left - 1, alpha, beta)
        search.leave(child, v, rule="probe")
        is_exact = v < beta or beta == greatest if child.side() == 0 else v > alpha or alpha == least
        return v, (v, line) if is_exact else None

    result = search.decide(value, position, INFINITY if search.depth is None else search.depth, least, greatest)
    return replace(result, value=(result.value,)) if is_alone and isinstance(result.value, float | int) else result
