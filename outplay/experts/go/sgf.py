"""SGF, the smart game format (Anders Kierulf, 1987; FF[4]): records of Go games as text, read and written.

>>> game = read("(;GM[1]SZ[9]KM[6.5]PB[Ann]PW[Bob]RE[B+2.5];B[ee];W[cc](;B[])(;B[gg]))")
>>> game.size, game.komi, game.moves, game.players
(9, 6.5, ('E5', 'C7', 'pass'), ('Ann', 'Bob'))
>>> game.lines
(('E5', 'C7', 'G3'),)
>>> write(game)
'(;GM[1]FF[4]CA[UTF-8]SZ[9]KM[6.5]PB[Ann]PW[Bob]RE[B+2.5];B[ee];W[cc](;B[])(;B[gg]))'
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from outplay.errors import BadNotation, shorten

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True)
class GoGame:
    """The main line of one game: set-up stones and moves in the notation of the game of Go."""

    size: int = 19
    komi: float = 0.0
    moves: tuple[str, ...] = ()
    colors: tuple[int, ...] = ()  # who made each move, where it is not black and white in turn
    black: tuple[str, ...] = ()  # stones set before the first move
    white: tuple[str, ...] = ()
    players: tuple[str, str] = ("", "")
    result: str = ""
    comments: tuple[str, ...] = ()  # one a move, written beside it; those of a file are not read
    lines: tuple[tuple[str, ...], ...] = ()  # variations, each as the whole line from the start
    tags: tuple[tuple[str, str], ...] = ()  # what the root says of the game: EV, DT, RU, ...
    notes: tuple[tuple[tuple[str, ...], str], ...] = ()  # by the moves that lead there: comments, and marks as `[%sgf TR[dd]]`


Node = dict[str, list[str]]


def read(text: str) -> GoGame:
    """The first game in a text, its main line and its variations. Bad text gets an error with its place."""
    nodes, *others = _lines(text)
    root = nodes[0]
    if root.get("GM", ["1"])[0].strip() not in ("", "1"):
        raise BadNotation(f"expected a game of Go (GM[1]), got GM[{shorten(root['GM'][0])}]")
    size = _number(root.get("SZ", ["19"])[0].partition(":")[0], "SZ", int)
    if not 2 <= size <= 19:
        raise BadNotation(f"expected a board of size 2 to 19, got {size}")
    moves: list[str] = []
    colors: list[int] = []
    setup: dict[str, list[str]] = {"AB": [], "AW": []}
    for node in nodes:
        for key in setup:
            if key in node and moves:
                raise BadNotation("stones are set up in the middle of the game, which a record of moves cannot hold")
            for value in node.get(key, []):
                setup[key] += _points(value, size)
        for key, color in (("B", 0), ("W", 1)):
            for value in node.get(key, []):
                moves.append(_point(value, size))
                colors.append(color)
    in_turn = all(color == number % 2 for number, color in enumerate(colors))
    return GoGame(
        size=size, komi=_number(root.get("KM", ["0"])[0] or "0", "KM", float), moves=tuple(moves),
        colors=() if in_turn else tuple(colors), black=tuple(setup["AB"]), white=tuple(setup["AW"]),
        players=(root.get("PB", [""])[0], root.get("PW", [""])[0]), result=root.get("RE", [""])[0],
        lines=tuple(_side_line(line, size) for line in others) if in_turn else (),
        tags=tuple((key, values[0]) for key, values in root.items() if key not in KNOWN and len(values) == 1),
        notes=_notes([nodes, *others], size),
    )  # fmt: skip


MARKS = ("TR", "SQ", "CR", "MA", "LB", "TB", "TW", "AR", "LN", "SL", "DM", "GB", "GW", "UC", "HO", "N", "V", "BM", "DO", "IT", "TE",
         "BL", "WL", "OB", "OW")  # fmt: skip
"""Properties that stand at any move and are kept as they are."""
KNOWN = {"GM", "FF", "CA", "SZ", "KM", "PB", "PW", "RE", "AB", "AW", "C", "B", "W", "PL", *MARKS}
"""Properties of a root that are no tags."""


def _notes(lines: list[list[Node]], size: int) -> tuple[tuple[tuple[str, ...], str], ...]:
    """What stands beside the moves of all lines."""
    found: dict[tuple[str, ...], str] = {}
    for nodes in lines:
        way: tuple[str, ...] = ()
        for node in nodes:
            try:
                way += tuple(_point(value, size) for key in ("B", "W") for value in node.get(key, []))
            except BadNotation:
                break
            marks = "".join(key + "".join(f"[{_escape(value)}]" for value in node[key]) for key in MARKS if key in node)
            note = "\n".join([*node.get("C", []), *([f"[%sgf {marks}]"] if marks else [])])
            if note:
                found.setdefault(way, note)
    return tuple(found.items())


def _noted(note: str) -> str:
    """A note as properties."""
    comment, sign, marks = note.partition("[%sgf ")
    comment = comment.rstrip("\n") if sign else note
    return (f"C[{_escape(comment)}]" if comment else "") + (marks.removesuffix("]") if sign else "")


def write(game: GoGame) -> str:
    """A game as one line of text."""
    head = f"(;GM[1]FF[4]CA[UTF-8]SZ[{game.size}]KM[{game.komi:g}]"
    for key, value in (("PB", game.players[0]), ("PW", game.players[1]), ("RE", game.result)):
        head += f"{key}[{_escape(value)}]" if value else ""
    for key, stones in (("AB", game.black), ("AW", game.white)):
        head += key + "".join(f"[{_coordinates(stone, game.size)}]" for stone in stones) if stones else ""
    head += "".join(f"{key}[{_escape(value)}]" for key, value in game.tags) + _noted(dict(game.notes).get((), ""))
    return head + _body(game, [game.moves, *game.lines], 0, True) + ")"


def _body(game: GoGame, lines: list[tuple[str, ...]], ply: int, is_main: bool) -> str:
    """The moves from a ply on; where lines part, each goes on in brackets, that of the game first."""
    text, notes = "", dict(game.notes)
    while ply < len(lines[0]):
        groups: dict[str, list[tuple[str, ...]]] = {}
        for line in lines:
            if ply < len(line):
                groups.setdefault(line[ply], []).append(line)
        if len(groups) > 1:
            parted = (_body(game, group, ply, is_main and not number) for number, group in enumerate(groups.values()))
            return text + "".join(f"({line})" for line in parted)
        color = game.colors[ply] if ply < len(game.colors) else ply % 2
        comment = game.comments[ply] if is_main and ply < len(game.comments) else ""
        note = notes.get(lines[0][: ply + 1], "") or comment
        text += f";{'BW'[color]}[{_coordinates(lines[0][ply], game.size)}]" + _noted(note)
        lines = groups[lines[0][ply]]
        ply += 1
    return text


def _lines(text: str) -> list[list[Node]]:
    """The nodes of every line from the root to a leaf, the main line first; each node as properties with their values."""
    at = text.find("(;")
    if at < 0:
        raise BadNotation(f"expected a game that begins with (; got {shorten(text.strip())!r}")
    found: list[list[Node]] = []
    nodes: list[Node] = []
    forks: list[int] = []  # how long the line was where each open parenthesis stands
    grows = False  # a node came since the last parenthesis was closed
    key = ""
    while at < len(text):
        letter = text[at]
        if letter == "(":
            forks.append(len(nodes))
            at += 1
        elif letter == ")":
            if grows:
                found.append(list(nodes))
            if not forks:
                raise BadNotation(f"unexpected ')' at character {at + 1}")
            del nodes[forks.pop() :]
            grows = False
            at += 1
            if not forks:
                return found
        elif letter == "[":
            value, at = _value(text, at + 1)
            if not key or not nodes:
                raise BadNotation(f"a value without a property at character {at}")
            nodes[-1].setdefault(key, []).append(value)
        elif letter == ";":
            nodes.append({})
            grows = True
            key, at = "", at + 1
        elif letter.isalpha():
            end = at
            while end < len(text) and text[end].isalpha():
                end += 1
            key, at = "".join(c for c in text[at:end] if c.isupper()), end
        elif letter.isspace():
            at += 1
        else:
            raise BadNotation(f"unexpected {letter!r} at character {at + 1}")
    raise BadNotation("the game is not closed by a parenthesis")


def _side_line(nodes: list[Node], size: int) -> tuple[str, ...]:
    """The moves of a variation, black and white in turn; one that cannot be read ends before that."""
    moves: list[str] = []
    for node in nodes:
        for key, color in (("B", 0), ("W", 1)):
            for value in node.get(key, []):
                if color != len(moves) % 2:
                    return tuple(moves)
                try:
                    moves.append(_point(value, size))
                except BadNotation:
                    return tuple(moves)
        if moves and ("AB" in node or "AW" in node):
            break
    return tuple(moves)


def _value(text: str, at: int) -> tuple[str, int]:
    letters = []
    while at < len(text):
        if text[at] == "\\":
            if at + 1 < len(text) and text[at + 1] != "\n":
                letters.append(text[at + 1])
            at += 2
        elif text[at] == "]":
            return "".join(letters), at + 1
        else:
            letters.append(text[at])
            at += 1
    raise BadNotation("a value is not closed by a bracket")


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")


def _number(text: str, key: str, kind: type) -> Any:
    try:
        return kind(text)
    except ValueError:
        raise BadNotation(f"expected a number for {key}, got {shorten(text)!r}") from None


def _points(value: str, size: int) -> list[str]:
    """One point, or all points of a rectangle such as `aa:cc`."""
    first, colon, last = value.partition(":")
    if not colon:
        return [_point(value, size)]
    (a, b), (c, d) = (_cell(first, size), _cell(last, size))
    return [_name(column, row, size) for row in range(min(b, d), max(b, d) + 1) for column in range(min(a, c), max(a, c) + 1)]


def _point(value: str, size: int) -> str:
    if value == "" or (value == "tt" and size <= 19):
        return "pass"
    return _name(*_cell(value, size), size)


def _cell(value: str, size: int) -> tuple[int, int]:
    cell = [ord(letter) - ord("a") for letter in value.strip()]
    if len(cell) != 2 or not all(0 <= index < size for index in cell):
        raise BadNotation(f"expected a point on a board of size {size}, got {shorten(value)!r}")
    return cell[0], cell[1]


def _name(column: int, row: int, size: int) -> str:
    return f"{LETTERS[column]}{size - row}"


def _coordinates(move: str, size: int) -> str:
    if move.lower() == "pass":
        return ""
    column, row = LETTERS.find(move[:1].upper()), move[1:]
    if column < 0 or column >= size or not row.isdecimal() or not 1 <= int(row) <= size:
        raise BadNotation(f"expected a point on a board of size {size} or pass, got {shorten(move)!r}")
    return chr(ord("a") + column) + chr(ord("a") + size - int(row))
