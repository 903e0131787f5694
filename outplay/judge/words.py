"""The texts of the judge: every sentence that it says, in one place and ready for other languages.

Each kind of claim has a sentence; what stands in braces is filled in with moves in the game's notation, names of seats and amounts
with their units.

>>> say("forced", action="b2")
'b2 is the only legal action.'
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

LANGUAGE = "en"

SENTENCES: dict[str, dict[str, str]] = {
    "en": {
        "forced": "{action} is the only legal action.",
        "only": "{action} is the only action that {holds}: {fails}.",
        "all lose": "Every action loses here.",
        "wins by": "{action} wins by force{within}: {line}.",
        "loses by": "After {action}, {other} can force a win{within}: {line}.",
        "refutation": "{action} fails to {reply}{then}: {amount} worse than {best}.",
        "result": "{action} turns {was} into {now}; {best} {keeps}.",
        "answered": "{action} gives away {amount}: {other} answers {line}, which comes to {now}; {best} comes to {was}.",
        "forced reply": "After {action}, {reply} is the only legal reply.",
        "holding": "Most is lost where the other side holds {held} ({share}): there {action} is worth {now}, {best} {was}.",
        "whatever": "Whatever the other side holds, {best} is worth more than {action}.",
        "units": "{action} gives away {amount}: with {best} it is {was}, now {now}.",
        "terms": "Beside {best}, {action} loses most in {feature} ({amount} at the end of the lines {line} and {instead}).",
        "dice": "{action} goes wrong with {count} of {all} rolls ({share}); {best} with {fewer}.",
        "joker": "{roll} was a joker for {seat}: at least {points} points of winning more than rolls bring on average.",
        "bad luck": "{roll} was bad luck for {seat}: at least {points} points of winning less than rolls bring on average.",
        "missed": "{best} was there: {line}, {gain}.",
        "threat": "{other} threatens to win by force{within}: {line}.",
        "sacrifice": "{action} gives up {amount} at first, and gets the whole game for it: {line}.",
        "shots": "After {action}, {count} of 36 rolls hit; after {best}, {fewer}.",
        "hit": "{best} hits a checker that {action} leaves alone.",
        "points": "{best} leaves {more} points held at home, {action} {count}.",
        "blots": "After {action}, checkers that stand alone: {count}; after {best}: {fewer}.",
        "race": "The sides have passed each other, so only the race counts: {mine} pips against {theirs}.",
        "corner": "{action} lets {other} take the corner {corner}; {best} does not.",
        "safe": "With {best}, {more} discs of {seat} can never be turned again; with {action}, {count}.",
        "pass": "After {best}, {other} has no move and must pass; after {action}, it can move.",
        "parity": "{action} enters a region of {count} empty squares, {best} one of {odd}: who begins an odd one ends it.",
        "captures": "Taken: {more} by {best}, {count} by {action}.",
        "atari": "After {action}, stones of {seat} with one liberty left: {count}; after {best}: {fewer}.",
        "territory": "After {best}, {more} empty points lie by stones of {seat} alone; after {action}, {count}.",
        "price": "Against what bets leave the others, {seat} wins about {share} of the pot; {cost} for {pot} needs {needs}.",
        "leave": "{action} scores {count} and keeps {kept}; {best} scores {more} and keeps {instead}.",
        "mobility": "After {action}, {other} can choose among {theirs} moves; after {best}, among {fewer}.",
        "exchange": "After {action}, {other} wins {won}, exchange by exchange; after {best}, {instead}.",
        "takes": "{best} wins {won}, exchange by exchange; {action}, {instead}.",
        "ghost": "After {action}, the nearest ghost is {count} away; after {best}, {other}.",
        "room": "{seat} reaches {count} cells before a ghost after {action}, {other} after {best}.",
        "eats": "{best} eats food, {action} does not.",
        "food": "After {action}, the nearest food is {count} away; after {best}, {other}.",
        "beside": "{action} lies beside the empty corner {corner}, {best} beside none.",
        "frontier": "After {action}, {count} discs of {seat} border on empty squares; after {best}, {fewer}.",
        "taken": "After {action}, {other} takes {count} more than it gives back at once; after {best}, {fewer}.",
        "attack": "After {best}, stones of {other} with one liberty left: {more}; after {action}: {count}.",
        "castling": "After {action}, {seat} can never castle; {best} leaves that open.",
        "mixing": "Several actions are worth the same here, so a good player mixes: {mixture}.",
        "weighed": "By what {seat} could know, {action} costs at least {amount} against {best}, over {by}.",
        "average": "Over everything that {seat} cannot see, {action} is worth {now} on average, {best} {was}.",
    },
}
"""By language and kind."""

PHRASES: dict[str, dict[str, str]] = {
    "en": {
        "wins": "wins",
        "draws": "holds the draw",
        "holds": "holds",
        "others lose": "every other one loses",
        "no other": "no other one does",
        "others worse": "every other one is at least {points} points of winning worse",
        "win": "a win",
        "draw": "a draw",
        "loss": "a loss",
        "move": "{n} move",
        "moves": "{n} moves",
        "within": " in {moves}",
        "margin": " by {amount}",
        "at least": "at least {amount}",
        "points": "{points} points of winning",
        "point": "1 point of winning",
        "winning": "winning by force",
        "then": ", and then {line}",
        "another": "another",
        "nothing": "nothing",
    },
}
"""Parts of sentences."""

MOST_MOVES = 4
"""So many moves of a line are said; what comes of it follows."""


def say(kind: str, language: str = LANGUAGE, **parts: Any) -> str:
    """The sentence of a claim."""
    return SENTENCES[language][kind].format(**parts)


def phrase(name: str, language: str = LANGUAGE, **parts: Any) -> str:
    """A part of a sentence."""
    return PHRASES[language][name].format(**parts)


def line_in_words(moves: Sequence[str], most: int = MOST_MOVES) -> str:
    """A line as a person would say it: its first moves."""
    return " ".join(moves[:most]) + (" …" if len(moves) > most else "")


def moves_in_words(plies: int) -> str:
    """How soon, in moves of the side that brings it about.

    >>> moves_in_words(1), moves_in_words(5)
    ('1 move', '3 moves')
    """
    n = (plies + 1) // 2
    return phrase("move" if n == 1 else "moves", n=n)


def loss_in_words(move: Any) -> str:
    """What a judged move gave away, with its unit; nothing where it gave nothing away."""
    if move.loss <= 0:
        return ""
    if move.unit == "games":
        if move.proved and move.loss in (1.0, 2.0):
            return {(1.0, 0.5): "the win or the draw", (2.0, 1.0): "the whole game"}.get((move.loss, move.given), "half the game")
        return f"{100 * move.given:.0f} % of the game" if move.given >= 0.005 else "less than 1 % of the game"
    amount = f"{move.loss:.2g}" if move.loss < 0.1 else f"{move.loss:.1f}".removesuffix(".0")
    name = {"men": "man"}.get(move.unit, move.unit.removesuffix("s")) if amount == "1" else move.unit
    return f"{amount} {name}"
