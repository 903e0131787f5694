"""Backgammon games as match text (the .mat files that GNU Backgammon, Jellyfish and others write and read).

>>> from outplay.game import load
>>> rules = load("backgammon").rules
>>> print(write_game(rules, read_game(rules, " 1) 31: 8/5 6/5    52: 13/8 24/22")))
 0 point match
<BLANKLINE>
 Game 1
 x : 0                            o : 0
  1) 31: 8/5 6/5                  52: 13/8 24/22

An action is the number that the game itself uses, so that a written game can be played again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from outplay.errors import BadNotation
from outplay.games.backgammon import ANSWER, DOUBLE, DROP, MOVE, NO_DOUBLE, OFFER, OPENING, OVER, ROLL, SYMBOLS, TAKE, parse_turn
from outplay.games.backgammon.boards import MOST_TURNS

COLUMN = 33  # where the second player's half of a line begins
INDENT = 8  # more blanks than this before a turn mean that it is the second player's


def names_of(text: str) -> tuple[str, ...]:
    """Who plays in a match text, the first column first; empty where it does not say.

    >>> names_of(" 7 point match\\n\\n Game 1\\n Ann Lee : 0              Bob : 2\\n  1) 31: 8/5 6/5")
    ('Ann Lee', 'Bob')
    """
    found = re.search(r"(?m)^ ?(\S.*?) : \d+ +(\S.*?) : \d+ *$", text)
    return (found[1], found[2]) if found and (found[1], found[2]) != SYMBOLS[:2] else ()


def write_game(rules: Any, actions: Iterable[int], names: Sequence[str] = (), remarks: Sequence[tuple[str, str]] = ()) -> str:
    """A game, from its start, as match text; `remarks` stand above it as other programs write them."""
    state = _start(rules)
    halves = []  # (player, text) of each turn
    for action in actions:
        phase, turn = int(state.phase), int(state.turn)
        if phase == MOVE:
            moved = "" if action == 0 else " " + state.action_text(action).replace("+", " ")
            halves.append((turn, f"{int(state.high)}{int(state.low)}:{moved}"))
        elif action == DOUBLE:
            halves.append((turn, f"Doubles => {2 << int(state.cube)}"))
        elif phase == ANSWER:
            halves.append((turn, "Takes" if action == TAKE else "Drops"))
        state.play(np.int32(action))
    lines = [f'; [{key} "{value}"]' for key, value in remarks]
    lines += [f" {rules.parameters['match']} point match", "", " Game 1"]
    called = [re.sub(r"[:\n]", " ", name).strip() or SYMBOLS[seat] for seat, name in enumerate(names)] or list(SYMBOLS[:2])
    have = rules.parameters["score"].split("-")
    lines.append(f" {called[0]} : {have[0]}".ljust(COLUMN + 1) + f"{called[1]} : {have[1]}")
    number, waiting = 1, None
    for player, text in halves:
        if player == 0:
            if waiting is not None:
                lines.append(f"{number:3}) {waiting}")
                number += 1
            waiting = text
        else:
            lines.append((f"{number:3}) {waiting or ''}".ljust(COLUMN - 1) + "  ") + text)
            number, waiting = number + 1, None
    if waiting is not None:
        lines.append(f"{number:3}) {waiting}")
    if state.phase == OVER:
        points = abs(int(state.points))
        indent = COLUMN + 1 if state.points < 0 else 6
        lines.append(" " * indent + f"Wins {points} point{'s' if points != 1 else ''}")
    return "\n".join(lines)


def read_game(rules: Any, text: str) -> list[int]:
    """The actions of the first game of a match text, checked against the rules."""
    state = _start(rules)
    actions: list[int] = []
    for line in text.splitlines():
        found = re.match(r"\s*\d+\)(.*)", line)
        if not found:
            continue
        # The second player begins: nothing stands in the first column, wherever the program that wrote it has its columns.
        first_is_empty = not actions and len(found[1]) - len(found[1].lstrip()) > INDENT
        words = re.findall(r"\d\d:[^:]*?(?=\s\d\d:|\s+Doubles|\s+Takes|\s+Drops|\s+Wins|$)|Doubles|Takes|Drops", found[1])
        for place, word in enumerate(words):
            _play_word(state, word.strip(), actions, 1 if first_is_empty else place)
    if not actions:
        raise BadNotation("backgammon: no turns found; a game has lines such as '1) 31: 8/5 6/5   52: 13/8 24/22'")
    return actions


def _start(rules: Any) -> Any:
    state: Any = np.zeros(1, rules.layout)[0]
    state.start()
    return state


def _play_word(state: Any, word: str, actions: list[int], column: int) -> None:
    """Play what one half of a line says: dice and checkers, or a word about the cube."""

    def play(action: int) -> None:
        actions.append(int(action))
        state.play(np.int32(action))

    if word in ("Doubles", "Takes", "Drops"):
        wanted = {"Doubles": (OFFER, DOUBLE), "Takes": (ANSWER, TAKE), "Drops": (ANSWER, DROP)}[word]
        if state.phase != wanted[0]:
            raise BadNotation(f"backgammon: {word!r} where the cube is not offered")
        play(wanted[1])
        return
    high, low = sorted((int(die) for die in word[:2]), reverse=True)
    if not 1 <= low <= high <= 6:
        raise BadNotation(f"backgammon: dice go from 1 to 6, got {word[:2]!r}")
    if state.phase == OPENING:
        play(64 * column + 8 * high + low)
    else:
        if state.phase == OFFER:
            play(NO_DOUBLE)
        if state.phase != ROLL:
            raise BadNotation(f"backgammon: dice {word[:2]!r} where nobody is to roll")
        play(8 * high + low)
    turn = word[3:].strip()
    out = np.zeros(MOST_TURNS, np.int32)
    if not turn or turn.lower() in ("cannot move", "no-move"):
        if state.actions(out) != 1 or out[0] != 0:
            raise BadNotation(f"backgammon: dice {word[:2]} must be played here")
        play(0)
        return
    try:
        play(parse_turn(state, turn))
    except ValueError:
        raise BadNotation(f"backgammon: illegal turn {word!r} in {state.text()}") from None
