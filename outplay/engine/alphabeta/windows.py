"""The algorithms that one kernel serves, written as their authors do: each asks for the root's value in windows of its choice.

`look(alpha, beta, actions)` searches the root with some of its actions and returns a value that is exact inside the window and
a bound outside it, and the action behind it. All values are whole numbers for the player to move.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from outplay.engine.alphabeta.bounds import INFINITY
from outplay.jit import inlined


class Found(NamedTuple):
    """What a look at the root found."""

    value: int
    action: int
    complete: bool
    line: tuple[int, ...]


Look = Callable[[int, int, Sequence[int]], Found]


@inlined
def first_window(low: Any, high: Any, guess: Any, width: Any) -> Any:
    """An aspiration window: so wide to both sides of a guess, or all that can be where the width is 0."""
    if width <= 0:
        return low, high
    return max(low, guess - width), min(high, guess + width)


@inlined
def next_window(value: Any, alpha: Any, beta: Any, width: Any, low: Any, high: Any) -> Any:
    """Whether a value settles the window; else the next one, twice as wide towards the side on which the value lies."""
    width *= 2
    if value <= alpha and alpha > low:
        return False, (max(low, value - width) if width < INFINITY else low), beta, width
    if value >= beta and beta < high:
        return False, alpha, (min(high, value + width) if width < INFINITY else high), width
    return True, alpha, beta, width


def window_search(look: Look, actions: Sequence[int], low: int, high: int, guess: int | None, margin: int) -> Found:
    """Minimax, alpha-beta and principal variation search: one window, opened again where the value lies outside."""
    alpha, beta = first_window(low, high, guess or 0, margin if guess is not None else 0)
    while True:
        found = look(alpha, beta, actions)
        is_inside, alpha, beta, margin = next_window(found.value, alpha, beta, margin, low, high)
        if is_inside:
            return found


def mtdf(look: Look, actions: Sequence[int], low: int, high: int, guess: int | None, margin: int) -> Found:
    """MTD(f) (Plaat, Schaeffer, Pijls and de Bruin, 1996): windows of width one that move towards the value."""
    value = min(max(guess or 0, low), high)
    lower, upper = low, high
    proven_below = proven_above = True  # that the value cannot be outside of low and high needs no proof
    best: Found | None = None
    while lower < upper:
        beta = value + 1 if value == lower else value
        found = look(beta - 1, beta, actions)
        value = found.value
        if value < beta:
            upper, proven_above = value, found.complete
            best = best or found
        else:
            lower, proven_below = value, found.complete
            best = found
    if best is None:
        return look(low - 1, high + 1, actions)
    return best._replace(value=value, complete=proven_below and proven_above)


STEP = 64  # how far best node search raises its bar at first where the values have no near bound


def best_node_search(look: Look, actions: Sequence[int], low: int, high: int, guess: int | None, margin: int) -> Found:
    """Best Node Search (Rutko, 2011): raise or lower a bar until one action alone clears it; its value is settled last."""
    left = list(actions)
    lower, upper = low, high  # the best value lies between these, both included
    bar = min(max(guess or 0, low + 1), high)
    complete, step = True, STEP
    leader = Found(low, left[0], True, (left[0],))
    while lower < upper and len(left) > 1:
        tried = [look(bar - 1, bar, [action]) for action in left]
        over = [found for found in tried if found.value >= bar]
        top = max(found.value for found in tried)
        complete = complete and all(found.complete for found in tried)
        if over:
            lower, left = top, [found.action for found in over]
            leader = max(over, key=lambda found: found.value)
            bar = lower + max(1, (min(upper, lower + step) - lower) * (len(left) - 1) // len(left))
            step *= 4
        else:
            upper = top
            bar = max(top, lower + 1)
    if lower < upper:
        settled = mtdf(look, left, lower, upper, lower, 0)
        return settled._replace(complete=settled.complete and complete)
    return leader._replace(value=lower, complete=complete)


ALGORITHMS: dict[str, Callable[..., Found]] = {
    "minimax": window_search,
    "alphabeta": window_search,
    "pvs": window_search,
    "mtdf": mtdf,
    "bns": best_node_search,
}
"""Every algorithm of the family by its name; `prepare` of the workspace tells the kernel what is special about each."""
