"""The imperfect opponent: MIN finds its best action only with probability p, and MAX counts on that.

Minimax trusts MIN to answer a2 with the 9, and takes the sure 10. A MIN that errs seven times in ten makes a2 worth
0.3 x 9 + 0.7 x 100:

>>> from outplay.game import load
>>> position = load("tree", tree='{"max": {"a1": {"min": [10]}, "a2": {"min": [9, 100]}}}').start()
>>> result = imperfect_opponent(position, skill=0.3)
>>> position.action_text(result.action), round(result.value, 9)
('a2', 72.7)

How good must MIN be before a1 is right after all? a2 is worth 9p + 100(1 - p), which is 10 at p = 90/91:

>>> [(round(skill, 6), position.action_text(action)) for skill, action in thresholds(position)]
[(0.989011, 'a2'), (1.0, 'a1')]
"""

from __future__ import annotations

from outplay.errors import BadValue
from outplay.game import Position
from outplay.textbook.expectiminimax import need_chance_for_two
from outplay.textbook.search import INFINITY, Evaluate, Line, Search, whole_number
from outplay.values import CHANCE, Action, Limits, Result


def imperfect_opponent(position: Position, *, skill: float = 0.5, depth: int | None = None, evaluate: Evaluate | None = None,
                       limits: Limits | None = None, trace: bool = False) -> Result:
    """The best action against an opponent who finds its best action with probability `skill`, else plays any other.

    The opponent is the player who is not to move (MIN at a chance node). With skill 1 this is expectiminimax; the value can
    only rise as the skill falls, so play that reckons with errors never counts on less than the minimax value.
    """
    need_chance_for_two("opponent", position)
    if not 0 <= skill <= 1:
        raise BadValue(f"skill must be a probability from 0 to 1, got {skill}")
    search = Search("opponent", position, depth=depth, evaluate=evaluate, limits=limits, trace=trace)
    agent = max(position.side(), 0)

    def value(position: Position, left: float) -> tuple[float, Line]:
        search.enter(position)
        if position.is_terminal() or left == 0:
            return search.leaf(position), ()
        if position.player() == CHANCE:
            return chance_value(position, left)
        best, best_line, values = -INFINITY, (), []
        sign = 1 if position.side() == 0 else -1  # values are MAX's, and MIN wants them low
        for action in position.actions():
            v, line = value(search.result(position, action), left - 1)
            values.append(v)
            if sign * v > best:
                best, best_line = sign * v, (action, *line)
        if position.side() == agent or len(values) == 1:
            return search.leave(position, sign * best), best_line
        error = (sum(values) - sign * best) / (len(values) - 1)  # the average of the other actions
        return search.leave(position, skill * sign * best + (1 - skill) * error, best=sign * best, error=error), best_line

    def chance_value(position: Position, left: float) -> tuple[float, Line]:
        average = 0.0
        for outcome, probability in position.chances():
            average += probability * value(search.result(position, outcome), left)[0]
        return search.leave(position, average), ()

    return search.decide(value, position, INFINITY if search.depth is None else search.depth, skill=skill)


def thresholds(position: Position, *, depth: int | None = None, evaluate: Evaluate | None = None,
               steps: int = 64) -> tuple[tuple[float, Action | None], ...]:
    """For each range of the opponent's skill the best action: pairs (up to this skill, this action).

    The decision is taken at `steps` + 1 skills, and wherever two neighbours differ the switch between them is found by
    halving; a decision that changes twice within one step goes unseen.
    """
    whole_number("steps", steps, 1)

    def decision(skill: float) -> Action | None:
        return imperfect_opponent(position, skill=skill, depth=depth, evaluate=evaluate).action

    def switches(low: float, lower: Action | None, high: float, upper: Action | None) -> list[tuple[float, Action | None]]:
        if lower == upper:
            return []
        middle = (low + high) / 2
        if high - low < 1e-12:
            return [(middle, lower)]
        between = decision(middle)
        return switches(low, lower, middle, between) + switches(middle, between, high, upper)

    skills = [step / steps for step in range(steps + 1)]
    decisions = [decision(skill) for skill in skills]
    found: list[tuple[float, Action | None]] = []
    for i in range(steps):
        found += switches(skills[i], decisions[i], skills[i + 1], decisions[i + 1])
    return (*found, (1.0, decisions[-1]))
