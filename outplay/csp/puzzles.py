"""The problems that every course uses, as models: maps, cryptarithms, queens, sudoku, magic squares, the zebra.

>>> print(cryptarithm("TWO + TWO = FOUR").solve())
{'T': 7, 'W': 3, 'O': 4, 'F': 1, 'U': 6, 'R': 8}
>>> queens(6).count()
4
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from outplay.csp.expressions import Variable, total
from outplay.csp.model import Model, Solution
from outplay.errors import BadNotation, BadValue, shorten

AUSTRALIA = {
    "WA": ["NT", "SA"],
    "NT": ["WA", "SA", "Q"],
    "SA": ["WA", "NT", "Q", "NSW", "V"],
    "Q": ["NT", "SA", "NSW"],
    "NSW": ["SA", "Q", "V"],
    "V": ["SA", "NSW"],
    "T": [],
}
DIGITS = "123456789ABCDEFGHIJKLMNOP"


def map_colouring(neighbours: Mapping[str, Sequence[str]], colours: Sequence[str], name: str = "map", *,
                  given: Mapping[str, str] | None = None) -> Model:
    """Neighbouring regions get different colours; some may have theirs already.

    >>> map_colouring(AUSTRALIA, ("red", "green", "blue"), given={"SA": "blue"}).count()  # a third of the 18
    6
    """
    model = Model(name)
    regions = {region: model.variable(region, tuple(colours)) for region in neighbours}
    seen = set()
    for region, others in neighbours.items():
        for other in others:
            if (other, region) not in seen and region != other:
                seen.add((region, other))
                model.add(regions[region] != regions[other])
    for region, colour in (given or {}).items():
        model.add(regions[region] == colour)
    return model


def australia(colours: Sequence[str] = ("red", "green", "blue")) -> Model:
    """The lecture's map: seven regions, three colours."""
    return map_colouring(AUSTRALIA, colours, "australia")


def cryptarithm(text: str, *, carries: bool = False) -> Model:
    """Each letter is a different digit, no number starts with 0: ``SEND + MORE = MONEY``.

    As one sum, or column by column with carries, the way the lecture writes it (for sums only).
    """
    sides = re.sub(r"\s+", "", text).upper().split("=")
    if len(sides) != 2 or not all(re.fullmatch(r"[+-]?[A-Z]+([+-][A-Z]+)*", side) for side in sides):
        raise BadNotation(f"a cryptarithm reads like SEND + MORE = MONEY, not {shorten(text)!r}")
    numbers = [
        ((-1 if sign == "-" else 1) * (1 if side == 0 else -1), word)
        for side, side_text in enumerate(sides)
        for sign, word in re.findall(r"([+-]?)([A-Z]+)", side_text)
    ]
    first_letters = {word[0] for _, word in numbers if len(word) > 1}
    letters = list(dict.fromkeys("".join(word for _, word in numbers)))
    if len(letters) > 10:
        raise BadNotation(f"a cryptarithm has at most 10 different letters, and {shorten(text)!r} has {len(letters)}")
    model = Model(text)
    digit = {letter: model.variable(letter, range(1 if letter in first_letters else 0, 10)) for letter in letters}
    model.all_different(*digit.values())
    if not carries:
        places: dict[str, int] = {}
        for sign, word in numbers:
            for place, letter in enumerate(reversed(word)):
                places[letter] = places.get(letter, 0) + sign * 10**place
        model.add(total(digit[letter] * weight for letter, weight in places.items()) == 0, name=text)
        return model
    *addends, (last_sign, result) = numbers
    if last_sign > 0 or any(sign < 0 for sign, _ in addends):
        raise BadNotation(f"carries need a plain sum like SEND + MORE = MONEY, not {shorten(text)!r}")
    carry: Variable | int = 0
    columns = max(len(word) for _, word in numbers)
    for place in range(columns):
        summands = [digit[word[-1 - place]] for _, word in addends if place < len(word)]
        below = digit[result[-1 - place]] if place < len(result) else 0
        following = model.variable(f"C{10 ** (place + 1)}", range(len(addends))) if place < columns - 1 else 0
        model.add(total([carry, *summands]) == total([below, following * 10]))
        carry = following
    return model


def queens(size: int) -> Model:
    """One queen a row; no two on the same column or diagonal."""
    if size < 1:
        raise BadValue(f"queens need a board of at least 1, not {size}")
    model = Model(f"{size} queens")
    columns = model.variables([f"row{row + 1}" for row in range(size)], range(1, size + 1))
    model.all_different(columns, name="columns differ")
    model.all_different([column + row for row, column in enumerate(columns)], name="rising diagonals differ")
    model.all_different([column - row for row, column in enumerate(columns)], name="falling diagonals differ")
    return model


def sudoku(text: str, *, as_domains: bool = False) -> Model:
    """Rows, columns and boxes hold every digit once; ``.`` or ``0`` is an empty cell, 4x4, 9x9, 16x16 or 25x25.

    A given is a constraint with a name, so that it can be blamed; `as_domains` makes it the one value of its cell, which searches
    that propagate little then assign first.
    """
    cells = re.sub(r"[\s|+\-]", "", text.upper()).replace("_", ".").replace("0", ".")
    size = math.isqrt(len(cells))
    box = math.isqrt(size)
    if box < 2 or box > 5 or box**4 != len(cells):
        raise BadNotation(f"a sudoku has 16, 81, 256 or 625 cells, not {len(cells)}")
    model = Model("sudoku")
    digits, numbers = range(1, size + 1), DIGITS[:size]
    board = []
    for place, cell in enumerate(cells):
        if cell != "." and cell not in numbers:
            raise BadNotation(f"a sudoku cell is . or one of {numbers}, not {cell!r} (cell {place + 1})")
        row, column = divmod(place, size)
        name = f"r{row + 1}c{column + 1}"
        board.append(model.variable(name, [numbers.index(cell) + 1] if as_domains and cell != "." else digits))
        if cell != "." and not as_domains:
            model.add(board[-1] == numbers.index(cell) + 1, name=f"{name} is given {cell}")
    for i in range(size):
        model.all_different(board[i * size : (i + 1) * size], name=f"row {i + 1}")
        model.all_different(board[i::size], name=f"column {i + 1}")
        corner = (i // box) * box * size + (i % box) * box
        model.all_different(
            [board[corner + down * size + right] for down in range(box) for right in range(box)], name=f"box {i + 1}"
        )
    return model


def sudoku_text(solution: Solution) -> str:
    """A solved sudoku as lines of digits."""
    size = math.isqrt(len(solution))
    row = [DIGITS[value - 1] for value in solution.values()]
    return "\n".join(" ".join(row[i * size : (i + 1) * size]) for i in range(size))


def magic_square(size: int) -> Model:
    """The numbers 1 to size**2, every row, column and long diagonal with the same sum."""
    if size < 1:
        raise BadValue(f"a magic square has at least 1 row, not {size}")
    model = Model(f"magic square {size}")
    cells = model.variables([f"r{r + 1}c{c + 1}" for r in range(size) for c in range(size)], range(1, size * size + 1))
    magic = size * (size * size + 1) // 2
    model.all_different(cells)
    for i in range(size):
        model.add(total(cells[i * size : (i + 1) * size]) == magic, name=f"row {i + 1}")
        model.add(total(cells[i::size]) == magic, name=f"column {i + 1}")
    model.add(total(cells[:: size + 1]) == magic, name="falling diagonal")
    model.add(total(cells[size - 1 : size * size - 1 : size - 1] if size > 1 else cells) == magic, name="rising diagonal")
    return model


ZEBRA = (
    "English Spaniard Japanese Ukrainian Norwegian",
    "red green ivory yellow blue",
    "dog snails fox horse zebra",
    "coffee tea milk juice water",
    "OldGold Kools Chesterfields LuckyStrike Parliaments",
)


def zebra() -> Model:
    """Five houses in a row, five nations, colours, pets, drinks and cigarettes: who owns the zebra, who drinks water? (1962)"""
    model = Model("zebra")
    houses = range(1, 6)
    house: dict[str, Variable] = {}
    for group in ZEBRA:
        made = model.variables(group, houses)
        model.all_different(made)
        for one in made:
            house[one.name] = one
    for left, right in (
        ("English", "red"), ("Spaniard", "dog"), ("coffee", "green"), ("Ukrainian", "tea"), ("OldGold", "snails"),
        ("Kools", "yellow"), ("LuckyStrike", "juice"), ("Japanese", "Parliaments"),
    ):  # fmt: skip
        model.add(house[left] == house[right])
    model.add(house["ivory"] + 1 == house["green"], house["milk"] == 3, house["Norwegian"] == 1)
    for left, right in (("Chesterfields", "fox"), ("Kools", "horse"), ("Norwegian", "blue")):
        model.constraint((house[left], house[right]), next_door)
    return model


def next_door(left: int, right: int) -> bool:
    """Whether two houses stand side by side."""
    return abs(left - right) == 1
