"""Games of bluff in the studio: bets and bids in words, on buttons and in the record."""

from __future__ import annotations

from typing import Any

from outplay.experts.poker.session import Table
from outplay.game import Position
from outplay.values import Action
from outplay.views.panel import Panel


def bet(position: Position, action: Action, text: str) -> str:
    """Hold'em: a bet with its amount.

    >>> from outplay.game import load
    >>> position = load("hold'em", compiled=False).start().play("As Ks Qd Jd")
    >>> [bet(position, action, position.action_text(action)) for action in position.actions()][:3]
    ['Fold', 'Call 1', 'Raise to 4']
    """
    if position.is_chance():
        return text
    game: Any = position.game
    state = game.record(position.state)
    turn = int(state.turn)
    bets = [int(bet) for bet in state.bets]
    owed = max(bets) - bets[turn]
    if text == "f":
        return "Fold"
    if text == "c":
        return f"Call {min(owed, int(state.stacks[turn]))}" if owed else "Check"
    amount = int(text[1:])
    if amount == bets[turn] + int(state.stacks[turn]):
        return f"All in, {amount}"
    return f"Raise to {amount}" if max(bets) else f"Bet {amount}"


def bid(position: Position, action: Action, text: str) -> str:
    """Liar's dice: a bid in words."""
    if position.is_chance():
        return text
    many, cross, face = text.partition("x")
    if not cross:
        return "Liar!"
    faces = {"1": "one", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six"}
    counts = {"1": "One", "2": "Two", "3": "Three", "4": "Four", "5": "Five", "6": "Six", "7": "Seven", "8": "Eight"}
    name = faces.get(face, face)
    return f"{counts.get(many, many)} {name if many == '1' else name + ('es' if name == 'six' else 's')}"


def street(position: Position) -> str:
    """Which round of betting it is."""
    if position.is_chance():
        return ""
    game: Any = position.game
    cards = sum(1 for card in game.record(position.state).board if card)
    return {0: "Before the flop", 3: "Flop", 4: "Turn"}.get(cards, "River")


def beside(position: Position) -> dict[str, Any]:
    """What a bet may be, with the pot that it is measured by; and once a hand is over, the next one at this table."""
    game: Any = position.game
    state = game.record(position.state)
    if position.is_terminal():
        return {"next": found} if (found := following(position)) else {}
    if position.is_chance():
        return {}
    turn = int(state.turn)
    raises = [int(text[1:]) for text in map(position.action_text, position.actions()) if text[:1] == "r"]
    if len(raises) < 2:
        return {}
    high, mine, stack = max(int(bet) for bet in state.bets), int(state.bets[turn]), int(state.stacks[turn])
    return {"raise": {"least": min(raises), "most": mine + stack, "high": high, "mine": mine, "pot": int(state.staked.sum())}}


def following(position: Position) -> dict[str, Any] | None:
    """The next hand: who sits where, with the chips that are left; None where one player has them all.

    >>> from outplay.game import load
    >>> over = load("hold'em:stack=40").position("(23-17) - -").play("As Ks Qd Jd f")
    >>> following(over)
    {'game': "hold'em:stack=40", 'start': '(16-24) - -', 'order': [1, 0], 'label': 'Next hand'}
    """
    game: Any = position.game
    state = game.record(position.state)
    table = Table(game, game.seat_names or [str(seat) for seat in range(game.players)])
    won = [round(amount) for amount in position.utilities()]
    spent = [int(stack) + int(staked) for stack, staked in zip(state.stacks, state.staked, strict=True)]
    table.chips, table.total, table.button = spent, sum(spent), game.players - 1
    table.settle(won)
    if table.is_over:
        return None
    start = table.start()
    return {"game": start.game.name, "start": start.text(), "order": list(table.seated), "label": "Next hand"}


HOLDEM = Panel(said=bet, recorded=True, heading=street, beside=beside)
DICE = Panel(said=bid, recorded=True)
PUSH = Panel(said=lambda position, action, text: {"push": "All in", "fold": "Fold", "call": "Call"}.get(text, text), recorded=True)
PLAIN = Panel(recorded=True)
