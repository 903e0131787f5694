"""What the pages say of games: who plays them well, and moves in words.

>>> from outplay.game import load
>>> position = load("hold'em", compiled=False).start().play("As Ks Qd Jd")
>>> [said(position, action, position.action_text(action)) for action in position.actions()][:3]
['Fold', 'Call 1', 'Raise to 4']
>>> [each["name"] for each in named("chess")]
['About 1450', 'About 1800', 'About 1950', 'Novice', 'Master', 'Grandmaster', 'Deep Blue']
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from outplay import extras
from outplay.errors import OutplayError
from outplay.game import Position
from outplay.names import family
from outplay.players.presets import presets
from outplay.views import panel
from outplay.views.panel import panel_of

ORDER = ("chess", "go", "othello", "checkers", "connect four", "isolation", "tic-tac-toe", "nim", "pac-man",
         "backgammon", "bridge", "hold'em", "scrabble", "monopoly", "battleships", "liar's dice", "leduc poker", "kuhn poker",
         "push or fold", "blind tic-tac-toe", "goofspiel", "rock-paper-scissors", "grid", "fifteen puzzle", "peg solitaire",
         "pocket cube", "vacuum world")  # fmt: skip
"""The games that most people know first."""


def named(game: str) -> list[dict[str, str]]:
    """The players with names that play a game: those of its own, then the historic programs and the lectures' three."""
    base = family(game)
    found = [{"text": text, "name": name, "about": about} for text, name, about in extras.of(base).named]
    for preset in presets().values():
        if preset.game == base or (not preset.game and base in DEEP):
            name = NAMES.get(preset.name, preset.name.capitalize())
            found.append({"text": preset.name, "name": name, "about": preset.words})
    return found


DEEP = ("chess", "checkers", "othello", "connect four", "isolation")
"""Games in which the lectures' three depths mean something."""
NAMES = {"deep-blue": "Deep Blue", "td-gammon": "TD-Gammon", "gib": "GIB", "alphago": "AlphaGo"}


TITLES = {"pac-man": "Pac-Man"}


def titled(game: str) -> str:
    """A game as its title has it: `words.js` says the same on the page.

    >>> titled("connect four"), titled("pac-man")
    ('Connect four', 'Pac-Man')
    """
    return TITLES.get(game, game[:1].upper() + game[1:])


# ---------------------------------------------------------------- moves in words


def said(position: Position, action: Any, text: str) -> str:
    """An action in the words that a button has: where its notation is for those who know it."""
    return panel.said(position, action, text, panel_of(position.game).said)


def spelled(position: Position, action: Any, text: str) -> str:
    """A move as people of the game write it, where that differs from the rules' own notation: chess in SAN, poker in words."""
    own = panel_of(position.game)
    return panel.spelled(position, action, text, own.said, own.spelled, own.recorded)


def spelled_words(position: Position, text: str) -> str:
    """A sentence about a position whose moves are written as people of the game write them.

    >>> from outplay.game import load
    >>> spelled_words(load("chess").start(), "f2f3 fails to e7e5, and then g2g4 d8h4: e2e4 was there.")
    'f3 fails to e5, and then g4 Qh4#: e4 was there.'
    """
    if panel_of(position.game).spelled is None:
        return text
    here, told = position, []
    for word in text.split(" "):
        bare = word.rstrip(".,:;)").lstrip("(")
        for there in (here, position):  # it goes on where the line stands, or begins again
            if there.is_terminal() or bare not in {there.action_text(action) for action in there.actions()}:
                continue
            action = there.parse_action(bare)
            word = word.replace(bare, spelled(there, action, bare))
            here = there.result(action)
            break
        told.append(word)
    return " ".join(told)


def spelled_line(position: Position, line: Sequence[str]) -> list[str]:
    """A line as people of the game write it, as far as it can be played."""
    words = []
    for text in line:
        try:
            action = position.parse_action(text)
        except OutplayError:
            break
        words.append(spelled(position, action, text))
        position = position.result(action)
    return words
