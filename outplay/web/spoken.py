"""What the pages say of the games that come with Outplay: a sentence on each, who plays it well, and moves in words.

>>> from outplay.game import load
>>> position = load("hold'em", compiled=False).start().play("As Ks Qd Jd")
>>> [said(position, action, position.action_text(action)) for action in position.actions()][:3]
['Fold', 'Call 1', 'Raise to 4']
>>> [each["name"] for each in named("chess")]
['Novice', 'Master', 'Grandmaster', 'Deep Blue']
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from outplay.game import Position
from outplay.players.presets import PRESETS

SENTENCES = {
    "backgammon": "Race fifteen checkers home by the dice: hit blots, hold points, bear off",
    "battleships": "Hide a fleet, then shoot at the other one cell by cell",
    "blind tic-tac-toe": "Three in a line without seeing the other's marks; a taken cell tells so, and one tries again",
    "bridge": "Two pairs bid for tricks and trumps, then play thirteen tricks; you see your own hand and dummy",
    "checkers": "Take or shut in all men of the other; taking is forced",
    "chess": "Mate the other king",
    "connect four": "Drop discs into columns; a line of four wins",
    "fifteen puzzle": "Slide the tiles until they stand in order",
    "go": "Surround more of the board than the other",
    "goofspiel": "Bid your cards for prizes, both at once; each card is spent once",
    "grid": "Find the shortest way through a maze",
    "hold'em": "Two cards each, five on the table, chips in the middle",
    "isolation": "Move like a queen and leave a hole behind; whoever cannot move loses",
    "kuhn poker": "Poker with three cards and one bet: small enough to solve by hand, and one still bluffs",
    "leduc poker": "Poker with six cards and two rounds, the laboratory of poker programs",
    "liar's dice": "Raise the bid on everybody's dice, or call the other a liar",
    "monopoly": "Go round by dice, buy, build and trade until the others are bankrupt",
    "nim": "Take any number from one heap; whoever takes the last one wins",
    "othello": "Enclose the other's discs to turn them; most discs win",
    "pac-man": "Eat the food and flee the ghosts, which wander at random or hunt well",
    "peg solitaire": "Jump over pegs and take them off until one is left",
    "pocket cube": "Turn the faces of a 2 × 2 × 2 cube until each has one colour",
    "push or fold": "Two players with short stacks: all in, or fold",
    "rock-paper-scissors": "Both choose at once; no choice is safe, a third of each is",
    "scrabble": "Lay words on the board; rare letters and coloured squares score more",
    "tic-tac-toe": "Crosses and noughts: three in a line win, and best play draws",
    "tree": "Walk down a tree of your own to a leaf: the lectures' figures",
    "uniform tree": "A tree with as many actions everywhere, for measuring searches",
    "vacuum world": "A robot cleans a row of rooms, even if its suction errs",
}
"""One sentence a game, for the front page."""

ORDER = ("chess", "go", "othello", "checkers", "connect four", "isolation", "tic-tac-toe", "nim", "pac-man",
         "backgammon", "bridge", "hold'em", "scrabble", "monopoly", "battleships", "liar's dice", "leduc poker", "kuhn poker",
         "push or fold", "blind tic-tac-toe", "goofspiel", "rock-paper-scissors", "grid", "fifteen puzzle", "peg solitaire",
         "pocket cube", "vacuum world")  # fmt: skip
"""The games that most people know first."""

SPECIAL = {
    "bridge": (("double-dummy:deals=40,time=1", "GIB's way, 1 s a card", "deals what it does not see and solves each deal"),
               ("double-dummy:deals=200,time=5", "GIB's way, 5 s a card", "the same with more deals"),
               ("kitchen", "Kitchen table", "the rules of thumb that every beginner learns")),
    "scrabble": (("tiles:simulation,time=2", "Full strength, 2 s a move", "simulated deals, and the exact end"),
                 ("tiles:static", "Strong and quick", "score and what is kept on the rack"),
                 ("tiles:greedy", "Greedy", "whatever scores most")),
    "battleships": (("shooter", "Full strength", "learned where to shoot"),),
    "monopoly": (("thumb", "Rules of thumb", "buys what it can, builds evenly, keeps some cash"),),
    "connect four": (("net:connect-four,time=1", "A network that learned by itself", "after AlphaZero, 1 s a move"),),
}  # fmt: skip
"""Players that a game has of its own, the one that a new game begins with first: text, name, a few words."""

LEVELLESS = ("bridge", "scrabble", "battleships")
"""Games whose own players stand for the levels: general searches are no match for them."""


def named(game: str) -> list[dict[str, str]]:
    """The players with names that play a game: those of its own, then the historic programs and the lectures' three."""
    base = game.split(":")[0]
    found = [{"text": text, "name": name, "about": about} for text, name, about in SPECIAL.get(base, ())]
    for preset in PRESETS.values():
        if preset.game == base or (not preset.game and base in DEEP):
            name = NAMES.get(preset.name, preset.name.capitalize())
            found.append({"text": preset.name, "name": name, "about": preset.words})
    return found


DEEP = ("chess", "checkers", "othello", "connect four", "isolation")
"""Games in which the lectures' three depths mean something."""
NAMES = {"deep-blue": "Deep Blue", "td-gammon": "TD-Gammon", "gib": "GIB", "alphago": "AlphaGo"}


def sentence(name: str, summary: str) -> str:
    """What a game is, in one sentence."""
    return SENTENCES.get(name.split(":")[0], summary.rstrip("."))


# ---------------------------------------------------------------- moves in words


def said(position: Position, action: Any, text: str) -> str:
    """An action in the words that a button has: where its notation is for those who know it."""
    speak = SPEAKERS.get(position.game.name.split(":")[0])
    return speak(position, action, text) if speak is not None else text


def _state(position: Position) -> Any:
    return position.game.record(position.state)


def _holdem(position: Position, action: Any, text: str) -> str:
    state = _state(position)
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


def _liar(position: Position, action: Any, text: str) -> str:
    many, cross, face = text.partition("x")
    if not cross:
        return "Liar!"
    faces = {"1": "one", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six"}
    counts = {"1": "One", "2": "Two", "3": "Three", "4": "Four", "5": "Five", "6": "Six", "7": "Seven", "8": "Eight"}
    name = faces.get(face, face)
    return f"{counts.get(many, many)} {name if many == '1' else name + ('es' if name == 'six' else 's')}"


def _plain(words: dict[str, str]) -> Callable[[Position, Any, str], str]:
    return lambda position, action, text: words.get(text, text[:1].upper() + text[1:])


SUITS = str.maketrans("CDHS", "♣♦♥♠")


def _bridge(position: Position, action: Any, text: str) -> str:
    if text in CALLS:
        return CALLS[text]
    if len(text) == 2 and text[0].isdigit() and text[1] in "CDHS":
        return text[0] + text[1].translate(SUITS)
    return text


CALLS = {"pass": "Pass", "P": "Pass", "X": "Double", "XX": "Redouble"}


def _monopoly(position: Position, action: Any, text: str) -> str:
    from outplay.games.monopoly.board import FORTUNE_CARDS, PRICE, PROPERTY_AT, TOWN_CARDS
    from outplay.games.monopoly.board import NAMES as SPACES

    if text[:1] in ("f", "t") and text[1:].isdecimal():  # a card that was drawn says what stands on it
        return str((FORTUNE_CARDS if text[0] == "f" else TOWN_CARDS)[int(text[1:])][3])
    state = _state(position)
    mover = int(state.mover)
    word, _, rest = text.partition(":")
    here = int(state.place[mover])
    plain = {"done": "End the turn", "decline": "Do not buy", "pass": "Pass", "try": "Try for doubles", "pay": "Pay 50 and go",
             "use-card": "Use the card", "accept": "Accept", "refuse": "Refuse"}  # fmt: skip
    if word == "buy":
        return f"Buy {SPACES[here]} for {int(PRICE[PROPERTY_AT[here]])}"
    if word.startswith("bid+"):
        return f"Bid {int(state.bid) + int(word[4:])}"
    if word in ("build", "sell", "sell-all", "mortgage", "redeem") and rest.isdigit() and int(rest) < len(SPACES):
        what = {"build": "Build on", "sell": "Sell a house of", "sell-all": "Sell all houses of", "mortgage": "Mortgage",
                "redeem": "Redeem"}[word]  # fmt: skip
        return f"{what} {SPACES[int(rest)]}"
    if word == "offer":
        to, give, take, cash = rest.split(":")
        pays, gets = max(0, int(cash)), max(0, -int(cash))
        gives, takes = (" and ".join(part for part in (_deed(thing), f"{money}" if money else "") if part) or "nothing"
                        for thing, money in ((give, pays), (take, gets)))  # fmt: skip
        return f"Offer {to} {gives} for {takes}"
    return plain.get(text, text)


def _deed(thing: str) -> str:
    from outplay.games.monopoly.board import NAMES as SPACES

    if thing == "-":
        return ""
    return SPACES[int(thing)] if thing.isdigit() and int(thing) < len(SPACES) else "a card that opens the jail"


SPEAKERS: dict[str, Callable[[Position, Any, str], str]] = {
    "hold'em": _holdem,
    "liar's dice": _liar,
    "bridge": _bridge,
    "monopoly": _monopoly,
    "kuhn poker": _plain({"bet": "Bet", "pass": "Pass"}),
    "leduc poker": _plain({"raise": "Raise", "call": "Call", "fold": "Fold", "check": "Check"}),
    "push or fold": _plain({"push": "All in", "fold": "Fold", "call": "Call"}),
    "go": _plain({"pass": "Pass"}),
    "scrabble": lambda position, action, text: {"pass": "Pass", "accept": "Accept", "challenge": "Challenge"}.get(text, text),
    "othello": _plain({"pass": "Pass"}),
    "vacuum world": _plain({}),
}


@functools.cache
def first_seat(game: str) -> int:
    """Where a person sits in a new game: South at the bridge table, else first."""
    return 2 if game.split(":")[0] == "bridge" else 0
