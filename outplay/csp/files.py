"""Problems as text: maps, cryptarithms, sudokus, queens, magic squares, and a small general format.

The kind shows in the first line. A ``#`` starts a comment. The general format states variables, then constraints:

    x y z in 1..9
    colour in red green blue
    all different x y z
    x + y == 2 * z
    (colour == red) | (x > 3)
    table x y: 1 2, 3 4
    minimize x + z

>>> read("x y in 1..3\\nx + y == 4\\nx < y").model.solve()
{'x': 1, 'y': 3}
>>> read("x in 1..3\\nx + w == 4")
Traceback (most recent call last):
outplay.errors.BadNotation: line 2: unknown variable or value 'w': known are x
"""

from __future__ import annotations

import ast
import operator
import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from outplay import syntax
from outplay.csp.expressions import COMPARISONS, Expression, Truth, total
from outplay.csp.model import Model, Solution
from outplay.csp.puzzles import cryptarithm, magic_square, map_colouring, queens, sudoku, sudoku_text
from outplay.errors import BadNotation, OutplayError, UnknownName, nearest, shorten

MOST_QUEENS = 2000
Line = tuple[int, str]


@dataclass(frozen=True)
class Problem:
    """A model read from text, what it should be minimized for, and how its solutions are shown."""

    kind: str
    model: Model
    objective: Any = None
    maximize: bool = False
    show: Callable[[Solution], str] | None = None


def read(text: str) -> Problem:
    """The problem that a text states; one clear line with its number where it cannot be read."""
    lines = [(number, line.partition("#")[0].rstrip()) for number, line in enumerate(text.splitlines(), 1)]
    lines = [(number, line) for number, line in lines if line.strip()]
    if not lines:
        raise BadNotation("the problem is empty: expected a map, a cryptarithm, a sudoku, queens N, or variables and constraints")
    number, first = lines[0]
    words = first.lower().split()
    if words[0] == "map":
        return _map(lines)
    if any(re.match(r"\s*colou?rs\s*:", line, re.IGNORECASE) for _, line in lines):  # nothing else has such a line
        return _map([(number, "map"), *lines])
    if words[0] in ("queens", "magic"):
        return _sized(lines)
    if words[0] == "sudoku":
        return _sudoku(lines[1:], number)
    if all(re.fullmatch(r"[0-9A-P._|+\- ]+", line.strip()) for _, line in lines) and re.search(r"[0-9.]", first):
        return _sudoku(lines, number)
    if len(lines) == 1 and re.fullmatch(r"\s*[A-Za-z]+(\s*[+-]\s*[A-Za-z]+)*\s*=\s*[A-Za-z]+(\s*[+-]\s*[A-Za-z]+)*\s*", first):
        return Problem("cryptarithm", _at(number, cryptarithm, first.strip()))
    return _general(lines)


def _at(number: int, act: Callable[..., Any], *arguments: Any) -> Any:
    """Do something for a line, and put its number before any complaint."""
    try:
        return act(*arguments)
    except OutplayError as error:
        raise BadNotation(f"line {number}: {error}") from None
    except RecursionError:
        raise BadNotation(f"line {number}: the expression is nested too deeply") from None


def _map(lines: list[Line]) -> Problem:
    colours: list[str] = []
    neighbours: dict[str, list[str]] = {}
    places: dict[str, int] = {}
    given: dict[str, tuple[int, str]] = {}
    for number, line in lines[1:]:
        if fixed := re.fullmatch(r"\s*(\S+)\s*=\s*(\S+)\s*", line):
            if fixed[1] in given:
                raise BadNotation(f"line {number}: {fixed[1]!r} has a colour by line {given[fixed[1]][0]} already")
            given[fixed[1]] = number, fixed[2]
            continue
        head, colon, rest = line.partition(":")
        if not colon or len(head.split()) != 1:
            shown = shorten(line.strip())
            forms = "'colours: red green', 'REGION: NEIGHBOURS' or 'REGION = COLOUR'"
            raise BadNotation(f"line {number}: expected {forms}, not {shown!r}")
        head = head.strip()
        if head.lower() in ("colours", "colors"):
            colours = rest.split()
        elif head in places:
            raise BadNotation(f"line {number}: region {head!r} stands in line {places[head]} already")
        else:
            places[head] = number
            neighbours[head] = rest.split()
    if not colours:
        raise BadNotation(f"line {lines[0][0]}: a map needs a line like 'colours: red green blue'")
    for region, others in list(neighbours.items()):
        for other in others:
            if other not in neighbours:
                near = nearest(other, neighbours)
                hint = f"did you mean {near!r}?" if near else "give it a line of its own"
                raise BadNotation(f"line {places[region]}: unknown region {other!r}: {hint}")
    for region, (number, colour) in given.items():
        for word, known in ((region, neighbours), (colour, colours)):
            if word not in known:
                near = nearest(word, known)
                hint = f"did you mean {near!r}?" if near else f"known are {', '.join(known)}"
                raise BadNotation(f"line {number}: unknown {'region' if known is neighbours else 'colour'} {word!r}: {hint}")
    return Problem("map", map_colouring(neighbours, colours, given={region: colour for region, (_, colour) in given.items()}))


def _sized(lines: list[Line]) -> Problem:
    number, line = lines[0]
    words = line.lower().replace("magic square", "magic").split()
    if len(lines) > 1:
        raise BadNotation(f"line {lines[1][0]}: nothing may follow {line.strip()!r}")
    if len(words) != 2 or not re.fullmatch("[0-9]{1,6}", words[1]) or not 1 <= int(words[1]) <= MOST_QUEENS:
        raise BadNotation(f"line {number}: expected '{words[0]} N' with N from 1 to {MOST_QUEENS}, not {shorten(line.strip())!r}")
    size = int(words[1])
    if words[0] == "queens":
        return Problem("queens", queens(size), show=_board)
    return Problem("magic square", magic_square(size))


def _board(solution: Solution) -> str:
    places = range(1, len(solution) + 1)
    return "\n".join(" ".join("Q" if column == place else "." for place in places) for column in solution.values())


def _sudoku(lines: list[Line], number: int) -> Problem:
    return Problem("sudoku", _at(number, sudoku, "\n".join(line for _, line in lines)), show=sudoku_text)


# ---------------------------------------------------------------- the general format


def _general(lines: list[Line]) -> Problem:
    model = Model()
    objective: Any = None
    largest = False
    for number, line in lines:
        text = line.strip()
        words = text.split()
        if re.match(r"[A-Za-z_][\w ,]*\sin\s", text) and not re.search(r"[=<>!]", text):
            _at(number, _declare, model, text)
        elif [word.lower() for word in words[:2]] == ["all", "different"]:
            _at(number, _differ, model, text)
        elif words[0] == "table":
            _at(number, _table, model, text)
        elif words[0] in ("minimize", "maximize"):
            largest = words[0] == "maximize"
            objective = _at(number, parse, model, text.partition(" ")[2])
        else:
            _at(number, _require, model, text)
    if not model.names:
        raise BadNotation(f"line {lines[0][0]}: expected variables like 'x y in 1..9' first, not {shorten(lines[0][1].strip())!r}")
    return Problem("general", model, objective, largest)


def _declare(model: Model, text: str) -> None:
    head, _, domain = text.partition(" in ")
    values = values_of(domain)
    for name in re.split(r"[\s,]+", head.strip(" ,")):
        if not name.isidentifier():
            raise BadNotation(f"a variable is named by letters, digits and _, not {shorten(name)!r}")
        model.variable(name, values)


def values_of(text: str) -> Sequence[Any]:
    """The values that a domain's text lists: numbers, words and ranges such as 1..9."""
    found: list[Any] = []
    for word in re.split(r"[\s,]+", text.strip(" ,{}[]")):
        span = re.fullmatch(r"(-?[0-9]{1,15})\.\.(-?[0-9]{1,15})", word)
        if span:
            low, high = int(span[1]), int(span[2])
            if low > high or high - low >= 1 << 20:
                raise BadNotation(f"a range goes upwards and has at most {1 << 20} values, unlike {word!r}")
            found += range(low, high + 1)
            if len(found) > 1 << 20:
                raise BadNotation(f"a variable has at most {1 << 20} values")
        elif re.fullmatch(r"-?[0-9]{1,12}", word):
            found.append(int(word))
        elif re.fullmatch(r"\w+", word):
            found.append(word)
        else:
            raise BadNotation(f"expected values like 1..9 or red green, not {shorten(word)!r}")
    only = re.fullmatch(r"\s*(-?[0-9]{1,15})\.\.(-?[0-9]{1,15})\s*", text)
    return range(int(only[1]), int(only[2]) + 1) if only else tuple(found)


def _differ(model: Model, text: str) -> None:
    names = re.split(r"[\s,]+", text.split(None, 2)[2].strip(" :,")) if len(text.split()) > 2 else []
    model.all_different([model[name] for name in names], name=text)


def _table(model: Model, text: str) -> None:
    head, colon, rows = text.removeprefix("table").partition(":")
    if not colon:
        raise BadNotation(f"expected 'table x y: 1 2, 3 4', not {shorten(text)!r}")
    scope = [model[name] for name in head.replace(",", " ").split()]
    model.constraint(scope, [values_of(" ".join(row.split())) for row in rows.split(",") if row.strip()], name=text)


def _require(model: Model, text: str) -> None:
    constraint = parse(model, text)
    if not isinstance(constraint, Truth | bool):
        raise BadNotation(f"expected a comparison like x + y == 10, not {shorten(text)!r}")
    model.add(constraint, name=text)


ARITHMETIC: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
}
SIGNS: dict[type, str] = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


def parse(model: Model, text: str) -> Any:
    """An expression over a model's variables; only arithmetic, comparisons, and, or, not, abs and sum are known."""
    fixed = re.sub(r"(?<![=<>!])=(?!=)", "==", text)
    try:
        with warnings.catch_warnings():  # of Python's own about our text
            warnings.simplefilter("ignore")
            tree = syntax.parse(fixed.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise BadNotation(f"cannot read {shorten(text)!r}: expected something like x + 2 * y <= z") from None
    values = model.words

    def walk(node: ast.AST) -> Any:
        if isinstance(node, ast.Constant) and isinstance(node.value, int | str) and not isinstance(node.value, bool):
            return node.value
        if isinstance(node, ast.Name):
            if node.id in model:
                return model[node.id]
            if node.id in values:
                return node.id
            raise UnknownName("variable or value", node.id, [*model.names[:100], *sorted(values)[:100]])
        if isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
            left, right = walk(node.left), walk(node.right)
            if isinstance(left, str) or isinstance(right, str):
                raise BadNotation(f"cannot calculate with a word in {shorten(text)!r}")
            return ARITHMETIC[type(node.op)](left, right)
        if isinstance(node, ast.UnaryOp):
            operand = walk(node.operand)
            if isinstance(node.op, ast.USub):
                return -operand
            if isinstance(node.op, ast.Invert | ast.Not) and isinstance(operand, Truth):
                return ~operand
        if isinstance(node, ast.BoolOp):
            sides = [walk(side) for side in node.values]
            return _joined(sides, operator.and_ if isinstance(node.op, ast.And) else operator.or_)
        if isinstance(node, ast.Compare) and all(type(op) in SIGNS for op in node.ops):
            sides = [walk(side) for side in [node.left, *node.comparators]]
            parts = [_compare(a, SIGNS[type(op)], b) for a, op, b in zip(sides[:-1], node.ops, sides[1:], strict=True)]
            return _joined(parts, operator.and_)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            if node.func.id == "abs" and len(node.args) == 1:
                return abs(walk(node.args[0]))
            if node.func.id == "sum":
                return total([walk(argument) for argument in node.args])
        raise BadNotation(f"cannot read {shorten(ast.unparse(node))!r}: known are + - * // % abs sum == != < <= > >= and or not")

    try:
        return walk(tree)
    except (TypeError, ZeroDivisionError, RecursionError):
        raise BadNotation(f"cannot make sense of {shorten(text)!r}: expected something like x + 2 * y <= z") from None


def _joined(sides: list[Any], join: Callable[[Any, Any], Any]) -> Any:
    """Many sides as one, joined in pairs: a thousand of them nest ten deep."""
    while len(sides) > 1:
        sides = [join(*sides[i : i + 2]) if i + 1 < len(sides) else sides[i] for i in range(0, len(sides), 2)]
    return sides[0]


def _compare(left: Any, sign: str, right: Any) -> Any:
    """A comparison; where only the right side has variables, they change sides, so that words can stand on either."""
    if isinstance(right, Expression) and not isinstance(left, Expression):
        left, right = right, left
        sign = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(sign, sign)
    return COMPARISONS[sign](left, right)
