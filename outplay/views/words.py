"""Words and plain values that the command line and the studio share.

>>> ordinal(0), ordinal(6)
('first', '7th')
>>> clean({"value": float("inf"), "line": (1, 2)})
{'value': None, 'line': [1, 2]}
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from outplay.game import Game, Position
    from outplay.values import Outcome

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


def ordinal(number: int) -> str:
    """The place of a player, counted from 0, in words."""
    return ORDINALS[number] if number < len(ORDINALS) else f"{number + 1}th"


def seats(game: Game) -> list[str]:
    """What the players of a game are called, by their number where it does not say.

    >>> from outplay.game import load
    >>> seats(load("chess")), seats(load("nim"))
    (['White', 'Black'], ['the first player', 'the second player'])
    """
    if game.seat_names:
        return list(game.seat_names)
    return ["the player"] if game.players == 1 else [f"the {ordinal(seat)} player" for seat in range(game.players)]


def capital(sentence: str) -> str:
    """A sentence with a capital letter first, and its names as they are."""
    return sentence[:1].upper() + sentence[1:]


def to_move(position: Position, seats: Sequence[str]) -> str:
    """Who is to move, in words; `seats` are what the players are called."""
    if position.is_terminal():
        return "nobody: the game is over"
    return seats[position.player()] if position.player() >= 0 else "chance"


def outcome_in_words(game: Game, outcome: Outcome, seats: Sequence[str]) -> str:
    """How a game ended: who wins, partners together, and the utilities where they say more than that."""
    amounts = ", ".join(f"{amount:g}" for amount in outcome.utilities)
    if len(outcome.utilities) == 1:
        if game.traits.bounds in ((0.0, 1.0), (-1.0, 1.0)):
            return "solved" if outcome.utilities[0] == game.traits.bounds[1] else "no way on: not solved"
        return f"the game is over: {amounts}"
    if any(len(side) > 1 for side in game.sides) and len(set(outcome.utilities)) > 1:
        best = max(game.sides, key=lambda side: outcome.utilities[side[0]])
        return f"{' and '.join(seats[seat] for seat in best)} win: {outcome.utilities[best[0]]:g}"
    if outcome.winner is None:
        return "a draw" if len(set(outcome.utilities)) == 1 else f"no single winner: {amounts}"
    is_plain = len(outcome.utilities) == 2 and sum(outcome.utilities) == 0 and abs(outcome.utilities[0]) == 1
    return does(seats[outcome.winner], "win") + ("" if is_plain else f": {amounts}")


def does(who: str, verb: str) -> str:
    """What somebody does: White wins, Crosses win."""
    return f"{who} {verb}{'' if who.endswith('s') else 's'}"


def action_texts(position: Position, line: Iterable[Any]) -> list[str]:
    """A line of play that a search found, in the game's notation; its actions are legal, which is not asked once more."""
    game, state, texts = position.game, position.state, []
    for ply, action in enumerate(actions := tuple(line)):
        if ply > 0:
            state = game.result(state, actions[ply - 1])
        texts.append(game.action_text(state, action))
    return texts


def clean(value: Any) -> Any:
    """The same for JSON: no infinities, no NumPy numbers, no tuples, no minus zero."""
    if isinstance(value, dict):
        return {str(key): clean(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [clean(item) for item in value]
    if hasattr(value, "item"):  # a NumPy number
        value = value.item()
    if isinstance(value, float):
        return value + 0.0 if math.isfinite(value) else None
    return value
