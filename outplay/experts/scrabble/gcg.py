"""GCG, the text format in which games of Scrabble are exchanged, both ways.

    #player1 ann Ann
    #player2 ben Ben
    >ann: AEINRST 8H NASTIER +64 64
    >ben: CDOOQVV -QVV +0 0

A line tells whose turn it was, the rack, the play (. for tiles that lay there, lower case for blanks), its points and the score. A
play that is taken back (`--` on the next line, after a challenge) is no turn of the game that is read, whatever it was.

>>> from outplay.game import load
>>> game = read_gcg(GAME := '''#player1 ann Ann
... #player2 ben Ben
... >ann: AEINRST 8D NASTIER +66 66
... >ben: CDOOQVV -QVV +0 0
... ''')
>>> [moment.position.action_text(moment.action) for moment in game.moments]
['8D:NASTIER', 'swap:QVV']
>>> game.moments[1].position.text().split(" ")[1], write_gcg(game) == GAME
('*******/CDOOQVV', True)
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from outplay.errors import BadNotation, BadValue, OutplayError, shorten
from outplay.game import Position, load
from outplay.games.scrabble.notation import COLUMNS, letter, rack_text, word_of


@dataclass(frozen=True)
class Moment:
    """A turn: what its player saw, and what it did."""

    position: Position
    action: int


@dataclass
class Game:
    """A game as its file tells it: the players (short name, name), the turns, and how it ended."""

    players: list[tuple[str, str]]
    moments: list[Moment] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    ends: list[tuple[int, str, int]] = field(default_factory=list)  # whose score, the line's text, by how much


def read_gcg(text: str, name: str = "scrabble") -> Game:
    """Read a game of two and count it again; a line that cannot be is told with its number."""
    game = load(name)
    if game.players != 2:
        raise BadValue(f"a GCG file is a game of two, {name} is for {game.players}")
    found = Game([("", ""), ("", "")], scores=[0, 0])
    record: Any = game.record(game.initial())
    size, idle, seat = len(record.squares), 0, 0
    board = "/".join([str(_side(size))] * _side(size))
    lines = [raw.strip().removeprefix("\ufeff") for raw in text.splitlines()]
    waiting = [line for line in lines if line.startswith(">")]  # turns, this one first
    doubted = False
    for number, line in enumerate(lines, 1):
        header = re.fullmatch(r"#player([12])\s+(\S+)\s*(.*)", line)
        if header:
            found.players[int(header[1]) - 1] = (header[2], header[3])
            continue
        if not line or line.startswith("#"):
            continue
        turn = re.fullmatch(r">(\S+):\s*(.*?)\s+([+-]\d+)\s+(-?\d+)", line)
        known = [short for short, _ in found.players]
        if not all(known):
            raise BadNotation(f"line {number} of the game: expected #player1 NAME and #player2 NAME first, got {shorten(line)!r}")
        if not turn or turn[1] not in known:
            raise BadNotation(f"line {number} of the game is no turn of {' or '.join(known)}: {shorten(line)!r}")
        seat, points = known.index(turn[1]), int(turn[3])
        words = turn[2].split()
        waiting.pop(0)
        try:
            if words and words[-1].startswith("("):
                found.ends.append((seat, turn[2], points))
                found.scores[seat] += points
            elif words and words[-1] == "--":
                if not doubted:
                    raise ValueError("there is no play to take back")
                doubted, idle = False, idle + 1
                found.scores[seat] += points
            elif waiting and re.match(rf">{re.escape(turn[1])}:.*\s--\s", waiting[0]):  # it may be no word at all
                doubted = True
                found.scores[seat] += points
            else:
                rack = words[0] if words else ""
                seen = [rack if each == seat else "*" * _held(game, board, len(rack)) for each in range(2)]
                position = game.position(f"{board} {'/'.join(seen)} {found.scores[0]}/{found.scores[1]} {min(idle, 5)} {seat}")
                action = _meant(position, " ".join(words[1:]))
                after = game.record(game.result(position.state, action))
                gained = int(after.scores[seat]) - found.scores[seat] if action & 3 == 1 and not after.over else points
                if gained != points:
                    raise ValueError(f"the play is worth {gained}")
                idle = 0 if points > 0 else idle + 1
                found.moments.append(Moment(position, action))
                found.scores[seat] += points
                board = Position(game, after.tobytes()).text().split(" ")[0] if action & 3 == 1 else board
        except (OutplayError, ValueError, IndexError) as problem:
            raise BadNotation(f"line {number} of the game, {shorten(line)!r}: {problem}") from None
        if found.scores[seat] != int(turn[4]):
            raise BadNotation(f"line {number} of the game: the score is {found.scores[seat]}, the line says {turn[4]}")
    if not all(short for short, _ in found.players):
        raise BadNotation("expected a game in GCG with the lines #player1 NAME and #player2 NAME; one is missing")
    return found


def _meant(position: Position, text: str) -> int:
    """The legal play that a text means: read, and not looked for among thousands that would be written for it."""
    action: Any = position.game.parse_action(position.state, text)
    if action not in position.actions():
        raise ValueError(f"{shorten(text)!r} is no play here: a word that it makes is not in the list, or it touches nothing")
    return int(action)


def _side(cells: int) -> int:
    """Squares a side, by the cells of a board with its walls."""
    return next(side for side in range(3, 16) if (side + 2) * (side + 1) + 1 == cells)


def _held(game: Any, board: str, mine: int) -> int:
    """How many tiles the other player holds."""
    total = sum(int(count) for count in game.record(game.initial()).bag)
    return max(min(7, total - sum(symbol.isalpha() for symbol in board) - mine), 0)


def from_positions(moments: list[Moment], names: tuple[str, str] = ("first", "second")) -> Game:
    """A game from its turns."""
    return Game([(name.replace(" ", "_"), name) for name in names], moments)


def write_gcg(game: Game) -> str:
    """The game as a text."""
    lines = [f"#player{number + 1} {short} {name}".rstrip() for number, (short, name) in enumerate(game.players)]
    scores = [0, 0]
    for moment in game.moments:
        position, action = moment.position, moment.action
        record: Any = position.game.record(position.state)
        seat = position.player()
        rack = rack_text(record.racks[seat], int(record.held[seat]))
        after = position.game.record(position.game.result(position.state, action))
        gained = int(after.scores[seat]) - int(record.scores[seat]) if action & 3 == 1 else 0
        if after.over and action & 3 == 1:  # what the others hold comes on a line of its own
            gained -= sum(int(after.points_of(k)) * int(after.racks[1 - seat, k]) for k in range(27))
        scores[seat] += gained
        lines.append(f">{game.players[seat][0]}: {rack} {_play(position, record, action)} +{gained} {scores[seat]}")
    for seat, words, points in game.ends:
        scores[seat] += points
        lines.append(f">{game.players[seat][0]}: {words} {points:+d} {scores[seat]}")
    return "\n".join(lines) + "\n"


def _play(position: Position, record: Any, action: int) -> str:
    if action & 3 == 0:
        return "-"
    if action & 3 == 2:
        return "-" + position.action_text(action).partition(":")[2]
    side = _side(len(record.squares))

    class Of:
        size = side

        @staticmethod
        def place(row: int, column: int) -> int:
            return (row + 1) * (side + 1) + column + 1

    row, column, direction, word = word_of(record, action, Of)  # type: ignore[arg-type]  # it has what is asked of it: size and place
    where = f"{row + 1}{COLUMNS[column]}" if direction == 0 else f"{COLUMNS[column]}{row + 1}"
    shown = ""
    for k, symbol in enumerate(word):
        there = int(record.squares[Of.place(row + k * direction, column + k * (1 - direction))])
        shown += "." if there > 0 and letter(there) else symbol
    return f"{where} {shown}"
