"""How Othello is written: positions as OBF (64 cells of X, O and -, then the player to move), moves as f5, games as f5d6c3."""

import re

from outplay.picture import Cell, Picture

PASSES = ("pass", "pa", "ps", "--", "p")
LETTERS = "abcdefgh"


def text_of(mine, theirs, turn, size):
    """A position as OBF."""
    black, white = (mine, theirs) if turn == 0 else (theirs, mine)
    cells = ("X" if int(black) >> bit & 1 else "O" if int(white) >> bit & 1 else "-" for bit in range(size * size))
    return "".join(cells) + " " + "XO"[turn]


def parsed(text, size):
    """The discs of the player to move, those of the other, and who is to move; what follows a `;` is a comment."""
    parts = text.partition(";")[0].replace("/", "").split()
    form = f"expected {size * size} cells X, O or - (row by row from a1) and the player to move, X or O"
    if len(parts) < 2:
        raise ValueError(form)
    cells, turn = "".join(parts[:-1]).upper().replace(".", "-").replace("*", "X"), parts[-1].upper().replace("*", "X")
    if len(cells) != size * size:
        raise ValueError(f"{form}; got {len(cells)} cells")
    if strange := set(cells) - set("XO-"):
        raise ValueError(f"{form}; got a cell {min(strange)!r}")
    if turn not in ("X", "O"):
        raise ValueError(f"{form}; got {turn!r} to move")
    discs = {colour: sum(1 << bit for bit, cell in enumerate(cells) if cell == colour) for colour in "XO"}
    return discs[turn], discs["O" if turn == "X" else "X"], "XO".index(turn)


def cell_name(cell, size):
    """A cell as players call it: a1 is at the top left."""
    return LETTERS[cell % size] + str(cell // size + 1)


def parsed_cell(text, size):
    """A cell or a pass by its name; size * size is the pass."""
    word = text.strip().lower()
    if word in PASSES:
        return size * size
    if len(word) == 2 and word[0] in LETTERS[:size] and word[1].isdecimal() and 1 <= int(word[1]) <= size:
        return LETTERS.index(word[0]) + size * (int(word[1]) - 1)
    raise ValueError(f"expected a cell such as {LETTERS[size - 3]}{size - 3}, or pass")


def moves_of(text):
    """The moves of a transcript, with or without spaces and numbers.

    >>> moves_of("1. F5 2. d6 c3"), moves_of("f5D6pass")
    (['f5', 'd6', 'c3'], ['f5', 'd6', 'pass'])
    """
    found = []
    bare = re.sub(r"\d+\.", " ", text.lower())
    for word in bare.split():
        rest = word
        while rest:
            match = re.match(r"[a-h][1-8]|pass|pa|ps|--", rest)
            if match is None:
                raise ValueError(f"a transcript is moves such as f5d6c3, got {word!r}")
            found.append("pass" if match[0] in PASSES else match[0])
            rest = rest[match.end():]
    return found


def picture_of(mine, theirs, turn, size, actions):
    """The green board with its discs; where the player to move may put one is marked."""
    discs = {"X": Cell("x", "stone", 0), "O": Cell("o", "stone", 1), "-": Cell()}
    board = text_of(mine, theirs, turn, size)
    cells = tuple(tuple(discs[board[size * row + column]] for column in range(size)) for row in range(size))
    places = {action: divmod(action, size) for action in actions if action < size * size}
    black, white = board[:-2].count("X"), board[:-2].count("O")
    return Picture(
        cells=cells,
        look="felt",
        rows=tuple(str(row + 1) for row in range(size)),
        columns=tuple(LETTERS[:size]),
        touches={action: (spot,) for action, spot in places.items()},
        marks=dict.fromkeys(places.values(), "target"),
        caption=f"black {black}, white {white}",
    )
