"""The bridge table in the studio: the auction in words, claims, and each card's tricks with open cards afterwards.

>>> from outplay.game import load
>>> deal = "N:KQ942.A73.K6.Q84 J7.K95.AQ7432.T3 AT63.QJ64.T8.A75 85.T82.J95.KJ962"
>>> auction = beside(load("bridge", compiled=False).position(deal).play("1S pass"))["auction"]
>>> [(call["said"], call["means"]) for call in auction["calls"]]
[('1♠', '12-21 points, 5 or more spades'), ('Pass', 'anything')]
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import Any

from outplay.errors import BadValue
from outplay.experts.bridge import table
from outplay.experts.bridge.double_dummy import DoubleDummy, Memory
from outplay.experts.bridge.player import Board
from outplay.game import Position
from outplay.games.bridge import PASS, call_text, card_text
from outplay.games.bridge.bidding import explain, read, rules
from outplay.games.bridge.notation import SEAT_LETTERS, SEATS
from outplay.picture import Cell
from outplay.values import Action
from outplay.views import svg
from outplay.views.panel import Panel, Tool

SUITS = str.maketrans("CDHS", "♣♦♥♠")
CALLS = {"pass": "Pass", "P": "Pass", "X": "Double", "XX": "Redouble"}


def said(position: Position, action: Action, text: str) -> str:
    """A call with the sign of its suit."""
    if text in CALLS:
        return CALLS[text]
    return text[0] + text[1].translate(SUITS) if len(text) == 2 and text[0].isdigit() and text[1] in "CDHS" else text


def card_said(text: str) -> str:
    """A card with the sign of its suit.

    >>> card_said("HT"), card_said("SA")
    ('♥10', '♠A')
    """
    return text[0].translate(SUITS) + text[1].replace("T", "10")


def spelled(position: Position, action: Action, text: str) -> str:
    """A call or a card as bridge players write it; whom a card was dealt to as it is."""
    if position.is_chance():
        return text
    return said(position, action, text) if int(str(action)) >= PASS else card_said(text)


def heading(position: Position) -> str:
    """The auction, or which trick it is."""
    game: Any = position.game
    if position.is_chance():
        return ""
    state = game.record(position.state)
    return "Auction" if position.actions()[0] >= PASS else f"Trick {int(state.plays) // 4 + 1}"


def whose(position: Position) -> int:
    """Whose hand a card comes from: declarer plays dummy's."""
    game: Any = position.game
    return int(game.record(position.state).turn)


def happened(position: Position, eyes: int) -> str:
    """Who took the trick that was just completed, else the last call or card."""
    game: Any = position.game
    state = game.record(position.state)
    plays = int(state.plays)
    if not plays:
        if not int(state.said):
            return ""
        dealer = SEAT_LETTERS.index(game.rules.parameters["dealer"])
        call = int(state.calls[state.said - 1]) + PASS - 1
        return f"{SEATS[(dealer + int(state.said) - 1) % 4]}: {said(position, call, call_text(call))}."
    seats = [*state.seats_of_play()]
    if plays % 4 == 0:
        return "" if position.is_terminal() else f"{SEATS[int(state.turn)]} took the trick."
    return f"{SEATS[int(seats[-1])]} played {card_said(card_text(int(state.played[plays - 1]) - 1))}."


def last_trick(state: Any) -> list[dict[str, Any]]:
    """The cards of the trick before the present one, in the order they were played, each with its picture."""
    plays = int(state.plays)
    done = (plays - 1) // 4 * 4  # what lies in the middle need not be seen twice
    if done < 4:
        return []
    cards, seats = state.played[done - 4 : done], [*state.seats_of_play()][done - 4 : done]
    told = []
    for card, seat in zip(cards, seats, strict=True):
        text = card_text(int(card) - 1)
        icon = svg.icon(Cell(text[::-1].lower().capitalize(), "card"))
        told.append({"seat": SEATS[int(seat)], "said": card_said(text), "icon": icon})
    return told


def beside(position: Position) -> dict[str, Any]:
    """The auction with what each call means, and what may be claimed."""
    game: Any = position.game
    if position.is_chance() or int(game.rules.parameters["ranks"]) != 13:
        return {}
    state = game.record(position.state)
    dealer = SEAT_LETTERS.index(game.rules.parameters["dealer"])
    calls = [int(call) + PASS - 1 for call in state.calls[: state.said]]
    told = [words.partition(": ")[2] for words in explain(calls, dealer)]
    made = [{"seat": (dealer + number) % 4, "said": said(position, call, call_text(call)), "means": told[number]}
            for number, call in enumerate(calls)]  # fmt: skip
    means: dict[str, str] = {}
    if not position.is_terminal() and int(state.plays) == 0 and any(action >= PASS for action in position.actions()):
        for rule in rules(calls, dealer, read(calls, dealer)):
            means.setdefault(call_text(rule.call), rule.words)
    more: dict[str, Any] = {}
    if int(state.plays) > 0 and not position.is_terminal():
        board = Board(position)
        more["trick"] = last_trick(state)
        more["pause"] = 1300 if int(state.plays) % 4 == 0 else 0  # milliseconds for which a whole trick lies
        if position.player() % 2 == board.declarer % 2:  # declarer may claim so many tricks at most
            more["claim"] = board.hands[board.turn].bit_count()
    return {"auction": {"dealer": dealer, "seats": list(SEATS), "calls": made, "means": means}, **more}


def claim(position: Position, past: Sequence[Position], tricks: int) -> Iterator[dict[str, Any]]:
    """Declarer claims so many of the tricks to come; where the defence can do nothing about it the board is ended."""
    if not isinstance(tricks, int):
        raise BadValue(f"tricks must be a whole number, got {tricks!r}")
    memory = Memory()
    made = table.claim(position, tricks, memory=memory)
    yield {"claim": {"accepted": made.accepted, "reason": made.reason}}
    if made.accepted:
        here, texts = position, []
        for card in table.rest(position, memory=memory):
            texts.append(here.action_text(card))
            here = here.result(card)
        yield {"moves": texts}


def open_cards(position: Position, past: Sequence[Position]) -> dict[str, Any]:
    """The tricks that declarer's side takes after each card, all hands being open."""
    return {"cards": dict(_tricks(position))}


def about(position: Position, actions: Sequence[Action]) -> dict[Action, dict[str, str]]:
    """The tricks that declarer's side takes after each card with open cards, where all of them are known."""
    tricks = _tricks(position)
    return {action: {"tricks": str(tricks[text])} for action in actions if (text := position.action_text(action)) in tricks}


@functools.lru_cache(maxsize=32)
def _tricks(position: Position) -> dict[str, int]:
    if position.is_terminal() or position.is_chance() or position.actions()[0] >= PASS:
        return {}
    board = Board(position)
    counts = [hand.bit_count() for hand in board.hands]
    if max(counts) - min(counts) > 1:  # somebody's cards are not known
        return {}
    found = DoubleDummy(board.hands).cards(board.strain, board.leader, board.trick)
    left = board.ranks - len(board.play) // 4
    side = board.declarer % 2
    tricks = {card: board.won[side] + (more if side == 0 else left - more) for card, more in found.items()}
    return {position.action_text(board.action(card)): number for card, number in tricks.items()}


PANEL = Panel(beside=beside, about=about, said=said, spelled=spelled, heading=heading, whose=whose, happened=happened, first_seat=2,
              tools={"claim": Tool(claim, when="person", compiles=True), "open-cards": Tool(open_cards)})
