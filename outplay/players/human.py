"""A person at a keyboard: asked until the answer is a legal action.

>>> from outplay.game import load
>>> answers = iter(["z9", "b2"])
>>> person = Human(ask=lambda view: next(answers), tell=print)
>>> load("tic-tac-toe").start().result(person.choose(load("tic-tac-toe").start())).text()
illegal action 'z9' in .../.../... x: legal are a3 b3 c3 a2 b2 c2 a1 b1 c1
'.../.x./... o'
"""

from __future__ import annotations

from collections.abc import Callable

from outplay.errors import BadNotation, IllegalAction, OutplayError
from outplay.game import Position
from outplay.players.base import Player
from outplay.values import Action, Limits


class Human(Player):
    """Asks with `ask(view)`, which returns what was typed, and explains with `tell(line)` what was wrong with it."""

    name = "human"

    def __init__(self, ask: Callable[[Position], str], tell: Callable[[str], None]) -> None:
        self.ask = ask
        self.tell = tell

    def pick(self, view: Position, limits: Limits | None) -> Action:
        """What the person types, once it is an action."""
        while True:
            typed = self.ask(view).strip()
            if not typed:
                continue
            try:
                return read_action(view, typed)
            except OutplayError as problem:
                self.tell(str(problem))


def read_action(view: Position, typed: str) -> Action:
    """The action that somebody typed: in full, or a beginning that only one action has."""
    try:
        return view.parse_action(typed)
    except (IllegalAction, BadNotation):
        fitting = [action for action in view.actions() if view.action_text(action).lower().startswith(typed.lower())]
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            raise BadNotation(f"{typed!r} could be {' '.join(view.action_text(action) for action in fitting)}") from None
        raise
