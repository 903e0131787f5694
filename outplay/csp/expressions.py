"""Variables, domains and the expressions that constraints are written in.

``a + b == c + 10 * carry`` builds a small tree and decides nothing; the model reads it. Sums of variables stay sums, because sums
propagate well; everything else (products, remainders, absolute values, and, or, not) can be evaluated on whole arrays at once, from
which the model makes a table. Values are compared by their *code*: a whole number is its own code, anything else gets the next
free number of its model, so that the solver only ever sees integers.

>>> from outplay.csp import Model
>>> model = Model()
>>> x, y = model.variables("x y", range(5))
>>> abs(x - y) * 2 >= x + 3
abs(x - y) * 2 >= x + 3
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Union

import numpy as np

from outplay.errors import BadValue, shorten

LARGEST = 1 << 40  # whole numbers beyond this are treated as mere names

COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
}
Term = tuple[int, "Expression"]
Operand = Union["Expression", int]


class Domain:
    """The values of a variable in ascending order of their codes."""

    __slots__ = ("base", "codes", "count", "is_numeric", "values", "words")

    def __init__(self, values: Sequence[Any], codes: Sequence[int], is_numeric: bool) -> None:
        self.values = values
        self.codes = codes
        self.count = len(codes)
        self.is_numeric = is_numeric
        self.base: int | None = codes[0] if codes[-1] - codes[0] == self.count - 1 else None
        self.words = (self.count + 63) >> 6

    def index(self, code: int) -> int:
        """The number of the value with this code, or -1."""
        if self.base is not None:
            return code - self.base if 0 <= code - self.base < self.count else -1
        try:
            return self.codes.index(code)
        except ValueError:
            return -1


class Expression:
    """Anything that can be added, multiplied and compared inside a constraint."""

    __slots__ = ()
    __hash__ = object.__hash__

    def terms(self) -> tuple[list[Term], int]:
        """The expression as a sum: coefficients of what is not itself a sum, and a constant."""
        return [(1, self)], 0

    def scope(self) -> dict[Variable, None]:
        """The variables in it, in order of appearance."""
        raise NotImplementedError

    def evaluate(self, codes: Any) -> Any:
        """Its value where each variable has the code (a number or an array) that the mapping gives it."""
        raise NotImplementedError

    def text(self, tightness: int = 0) -> str:
        """How it was written, with brackets where something tighter surrounds it."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return self.text()

    def __add__(self, other: Operand) -> Expression:
        return Sum.of(self, other, 1)

    def __radd__(self, other: int) -> Expression:
        return Sum.of(self, other, 1)

    def __sub__(self, other: Operand) -> Expression:
        return Sum.of(self, other, -1)

    def __rsub__(self, other: int) -> Expression:
        return Sum.of(-self, other, 1)

    def __neg__(self) -> Expression:
        return self * -1

    def __mul__(self, other: Operand) -> Expression:
        if isinstance(other, int):
            terms, constant = self.terms()
            return Sum([(coefficient * other, atom) for coefficient, atom in terms], constant * other)
        return Operation("*", operator.mul, 3, self, checked(other))

    __rmul__ = __mul__

    def __floordiv__(self, other: Operand) -> Expression:
        return Operation("//", safe_division, 3, self, checked(other))

    def __mod__(self, other: Operand) -> Expression:
        return Operation("%", safe_remainder, 3, self, checked(other))

    def __pow__(self, other: int) -> Expression:
        if not isinstance(other, int) or other < 0:
            raise BadValue(f"a power needs a whole number of at least 0, not {shorten(repr(other))}")
        return Operation("**", operator.pow, 4, self, other)

    def __abs__(self) -> Expression:
        return Operation("abs", np.abs, 5, self)

    def __eq__(self, other: object) -> Comparison:  # type: ignore[override]  # a comparison, not a truth value
        return Comparison(self, "==", other)

    def __ne__(self, other: object) -> Comparison:  # type: ignore[override]  # a comparison, not a truth value
        return Comparison(self, "!=", other)

    def __le__(self, other: Operand) -> Comparison:
        return Comparison(self, "<=", checked(other))

    def __lt__(self, other: Operand) -> Comparison:
        return Comparison(self, "<", checked(other))

    def __ge__(self, other: Operand) -> Comparison:
        return Comparison(self, ">=", checked(other))

    def __gt__(self, other: Operand) -> Comparison:
        return Comparison(self, ">", checked(other))

    def __bool__(self) -> bool:
        raise BadValue(
            f"'{shorten(repr(self))}' is a constraint, not true or false yet: use & | ~ for and, or, not, and 1 <= x, x <= 3 apart"
        )


class Variable(Expression):
    """A variable of a model: a name and a finite domain."""

    __slots__ = ("domain", "index", "name")

    def __init__(self, name: str, index: int, domain: Domain) -> None:
        self.name = name
        self.index = index
        self.domain = domain

    def scope(self) -> dict[Variable, None]:
        """Itself."""
        return {self: None}

    def evaluate(self, codes: Any) -> Any:
        """Its code."""
        return codes[self]

    def text(self, tightness: int = 0) -> str:
        """Its name."""
        return self.name

    @property
    def values(self) -> list[Any]:
        """The values of its domain."""
        return list(self.domain.values)


class Sum(Expression):
    """A sum of multiples: ``2 * x + y - 3``."""

    __slots__ = ("constant", "parts")

    def __init__(self, parts: list[Term], constant: int) -> None:
        self.parts = parts
        self.constant = constant

    @staticmethod
    def of(left: Expression, right: Operand, sign: int) -> Sum:
        """The sum or difference of two expressions."""
        parts, constant = left.terms()
        if isinstance(right, Expression):
            more, shift = right.terms()
            if sign < 0:
                more = [(-coefficient, atom) for coefficient, atom in more]
            return Sum(parts + more, constant + sign * shift)
        return Sum(parts, constant + sign * int(checked(right)))

    def terms(self) -> tuple[list[Term], int]:
        """Its parts and its constant."""
        return self.parts, self.constant

    def scope(self) -> dict[Variable, None]:
        """The variables of all its parts."""
        return {variable: None for _, atom in self.parts for variable in atom.scope()}

    def evaluate(self, codes: Any) -> Any:
        """The sum of its parts."""
        total: Any = self.constant
        for coefficient, atom in self.parts:
            total = total + coefficient * np.asarray(atom.evaluate(codes)).astype(np.int64)
        return total

    def text(self, tightness: int = 0) -> str:
        """The parts with their signs."""
        pieces: list[str] = []
        for coefficient, atom in self.parts:
            size = abs(coefficient)
            piece = atom.text(3 if size != 1 else 2)
            if size != 1:
                piece = f"{piece} * {size}" if isinstance(atom, Operation) else f"{size} * {piece}"
            sign = "-" if coefficient < 0 else "+"
            pieces.append(f" {sign} {piece}" if pieces else f"-{piece}" if coefficient < 0 else piece)
        if self.constant or not pieces:
            sign = "-" if self.constant < 0 else "+"
            pieces.append(f" {sign} {abs(self.constant)}" if pieces else str(self.constant))
        joined = "".join(pieces)
        return f"({joined})" if tightness > 2 or (tightness == 2 and len(pieces) > 1) else joined


class Operation(Expression):
    """An operation that is not a sum: a product, a remainder, an absolute value, and, or, not."""

    __slots__ = ("function", "operands", "symbol", "tightness")

    def __init__(self, symbol: str, function: Callable[..., Any], tightness: int, *operands: Operand) -> None:
        self.symbol = symbol
        self.function = function
        self.tightness = tightness
        self.operands = operands

    def scope(self) -> dict[Variable, None]:
        """The variables of all its operands."""
        return {v: None for operand in self.operands if isinstance(operand, Expression) for v in operand.scope()}

    def evaluate(self, codes: Any) -> Any:
        """The operation on its operands."""
        return self.function(*(o.evaluate(codes) if isinstance(o, Expression) else o for o in self.operands))

    def text(self, tightness: int = 0) -> str:
        """Operands with the symbol between them, or before the only one."""
        inner = self.tightness
        shown = [o.text(inner) if isinstance(o, Expression) else str(o) for o in self.operands]
        if len(shown) == 1:
            return f"abs({self.operands[0]!r})" if self.symbol == "abs" else f"{self.symbol}({self.operands[0]!r})"
        joined = f" {self.symbol} ".join(shown)
        return f"({joined})" if tightness > inner else joined


class Truth(Expression):
    """Something that holds or not; inside a sum it counts as 1 or 0."""

    __slots__ = ()

    def __and__(self, other: Truth) -> Truth:
        return Logic("&", np.logical_and, 1, self, truth(other))

    def __or__(self, other: Truth) -> Truth:
        return Logic("|", np.logical_or, 1, self, truth(other))

    def __invert__(self) -> Truth:
        return Logic("~", np.logical_not, 5, self)

    def implies(self, other: Truth) -> Truth:
        """If this holds, so does the other."""
        return ~self | truth(other)


class Logic(Operation, Truth):
    """And, or, not."""

    __slots__ = ()


class Comparison(Truth):
    """Two sides and how they compare. Sides may be any value for ``==`` and ``!=``, numbers for the others."""

    __slots__ = ("left", "right", "sign")

    def __init__(self, left: Expression, sign: str, right: Any) -> None:
        self.left = left
        self.sign = sign
        self.right = right

    def scope(self) -> dict[Variable, None]:
        """The variables of both sides."""
        return self.left.scope() | (self.right.scope() if isinstance(self.right, Expression) else {})

    def evaluate(self, codes: Any) -> Any:
        """Whether it holds."""
        right = self.right
        if isinstance(right, Expression):
            right = right.evaluate(codes)
        elif not isinstance(right, int):
            right = codes.code(right)
        return COMPARISONS[self.sign](self.left.evaluate(codes), right)

    def text(self, tightness: int = 0) -> str:
        """Both sides and the sign between them."""
        right = self.right.text(1) if isinstance(self.right, Expression) else repr(self.right)
        joined = f"{self.left.text(1)} {self.sign} {right}"
        return f"({joined})" if tightness else joined


def checked(operand: object) -> Any:
    """An operand that can be added and multiplied, or a clear refusal."""
    if isinstance(operand, Expression):
        return operand
    if isinstance(operand, int | np.integer):
        return int(operand)
    raise BadValue(f"arithmetic needs whole numbers or variables, not {shorten(repr(operand))}: use constraint(scope, function)")


def truth(operand: object) -> Truth:
    """An operand of and, or, not, or a clear refusal."""
    if isinstance(operand, Truth):
        return operand
    raise BadValue(f"& | ~ join comparisons, not {shorten(repr(operand))}: put brackets around each comparison")


def safe_division(left: Any, right: Any) -> Any:
    """Whole division; dividing by zero gives a number that equals nothing else."""
    return np.where(np.asarray(right) == 0, LARGEST << 8, left // np.where(np.asarray(right) == 0, 1, right))


def safe_remainder(left: Any, right: Any) -> Any:
    """The remainder; by zero it is a number that equals nothing else."""
    return np.where(np.asarray(right) == 0, LARGEST << 8, left % np.where(np.asarray(right) == 0, 1, right))


def total(operands: Iterable[Operand]) -> Expression:
    """The sum of many, built in one go (Python's own ``sum`` copies each partial sum)."""
    parts: list[Term] = []
    constant = 0
    for operand in operands:
        if isinstance(operand, Expression):
            more, shift = operand.terms()
            parts += more
            constant += shift
        else:
            constant += int(checked(operand))
    return Sum(parts, constant)


def atoms(expression: Expression) -> Iterator[Expression]:
    """The parts of a sum that are not variables."""
    for _, atom in expression.terms()[0]:
        if not isinstance(atom, Variable):
            yield atom
