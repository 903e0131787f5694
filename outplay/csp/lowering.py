"""From statements to data: domains, constraints as the kernels know them, and the helper variables that expressions need.

A comparison of sums stays a sum. Any other expression becomes a table where its variables have few combinations; where they have
many, its parts get hidden variables of their own, each tied to its operands by a function that propagates bounds and values. Hidden
variables follow from the others, so they add no solutions.

>>> from outplay.csp import Model
>>> model = Model()
>>> x, y = model.variables("x y", range(1, 1001))
>>> model.add(x * y == 7)
>>> [helper.name for helper in model.lowering.helpers], [(s["x"], s["y"]) for s in model.solutions()]
(['(x * y)'], [(1, 7), (7, 1)])
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from outplay.csp import layout as at
from outplay.csp.expressions import LARGEST, Comparison, Domain, Expression, Logic, Operation, Sum, Truth, Variable
from outplay.csp.functions import FUNCTIONS, NOWHERE, bounds
from outplay.csp.program import Lowered, Program
from outplay.csp.tables import LARGEST_ASKED, LARGEST_GRID, Grid, Supports, ask, from_truth, packed, size_of_grid
from outplay.errors import BadValue, shorten

LARGEST_DOMAIN = 1 << 20
LARGEST_TABLE = 1 << 24  # bits of the table that ties a hidden variable to an expression
LARGEST_NUMBER = 1 << 61  # sums and products beyond this could overflow in the kernels


class Lowering:
    """The variables and constraints of one model as the kernels know them."""

    def __init__(self) -> None:
        self.variables: list[Variable] = []
        self.helpers: list[Variable] = []
        self.lowered: list[Lowered] = []
        self._domains: dict[Any, Domain] = {}
        self._latest: tuple[Any, Any] = (None, None)
        self._symbols: dict[Any, int] = {}
        self._tables: dict[Any, Supports] = {}
        self._programs: dict[Any, Program] = {}

    def changed(self) -> None:
        """Forget the arrays that were laid out: the model has grown."""
        if self._programs:
            self._programs = {}

    def program(self, layout: tuple[bool, bool, bool], deadline: float | None = None) -> Program:
        """The arrays of the model for a choice of switches; kept until it changes."""
        program = self._programs.get(layout)
        if program is None:
            program = self._programs[layout] = self.build(layout, self.lowered, deadline)
        return program

    def build(self, layout: tuple[bool, bool, bool], lowered: list[Lowered], deadline: float | None = None) -> Program:
        """The arrays of these constraints over the variables of the model."""
        decisions = len(self.variables)
        for number, helper in enumerate(self.helpers):
            helper.index = decisions + number
        return Program(self.variables + self.helpers, decisions, lowered, *layout, deadline)

    def code(self, value: Any) -> int:
        """The integer that stands for a value; a value never seen in a domain gets one that no variable has."""
        if isinstance(value, int | np.integer) and -LARGEST < value < LARGEST:
            return int(value)
        if isinstance(value, float) and value.is_integer() and -LARGEST < value < LARGEST:
            return int(value)
        return self._symbols.get(value, 2 * LARGEST)

    def domain(self, values: Iterable[Any], name: str) -> Domain:
        """The domain of these values; equal ones are shared."""
        key = values if isinstance(values, range | tuple) else tuple(values)
        if key is self._latest[0]:  # many variables, one after the other: no need to look at thousands of values each time
            return self._latest[1]
        try:
            known = self._domains.get((type(key), key))
        except TypeError:
            raise BadValue(f"the values of {name!r} must be hashable: numbers, texts, tuples") from None
        # 1, True and 1.0 are equal keys and different values.
        if known is not None and (isinstance(key, range) or all(map(operator.is_, map(type, key), map(type, known.values)))):
            self._latest = key, known
            return known
        if not key:
            raise BadValue(f"variable {name!r} needs at least one value")
        if len(key) > LARGEST_DOMAIN:
            raise BadValue(f"variable {name!r} has {len(key)} values; at most {LARGEST_DOMAIN} are possible")
        if isinstance(key, range) and -LARGEST < key[0] < LARGEST and -LARGEST < key[-1] < LARGEST:
            ascending = key if key.step > 0 else key[::-1]
            domain = Domain(ascending, ascending, True)
        else:
            numeric = True
            by_code: dict[int, Any] = {}
            for value in key:
                code = self.code(value)
                if code == 2 * LARGEST:
                    code = self._symbols[value] = LARGEST + len(self._symbols)
                numeric = numeric and code < LARGEST
                by_code.setdefault(code, value)
            codes = sorted(by_code)
            domain = Domain([by_code[code] for code in codes], codes, numeric)
        self._domains[type(key), key] = domain
        self._latest = key, domain
        return domain

    def lower(self, constraint: Truth) -> list[Lowered]:
        """What a comparison, or a combination of them, becomes."""
        if isinstance(constraint, Comparison):
            return self._lower_comparison(constraint)
        assert isinstance(constraint, Logic)
        if constraint.symbol == "&":
            return [one for side in constraint.operands for one in self.lower(side)]  # type: ignore[arg-type]  # truths
        scope = tuple(constraint.scope())
        if len(scope) == 1 or size_of_grid(scope) <= LARGEST_GRID:
            return self._lower_truth(scope, Grid(scope, self.code).truth(constraint))
        # Too many combinations for one table: name the parts, and relate those.
        return self._lower_comparison(Comparison(self.helper(constraint), "==", 1))

    def _lower_comparison(self, comparison: Comparison) -> list[Lowered]:
        left, sign, right = comparison.left, comparison.sign, comparison.right
        if type(left) is Variable and type(right) is Variable and left is not right and sign in ("==", "!="):
            return [Lowered(at.EQUAL if sign == "==" else at.DIFFERENT, (left, right), (1, -1), 0, None)]
        terms, constant = left.terms()
        if isinstance(right, Expression):
            more, shift = right.terms()
            terms = terms + [(-coefficient, atom) for coefficient, atom in more]
            constant -= shift
        elif isinstance(right, int | np.integer):
            constant -= int(right)
        elif sign in ("==", "!=") and type(left) is Variable:
            kind = at.EQUAL if sign == "==" else at.UNEQUAL
            return [Lowered(kind, (left,), (1,), self.code(right), None)]
        elif sign in ("==", "!="):
            return [Lowered(at.EQUAL, (), (), 1 if sign == "==" else 0, None)]  # a number is never such a value
        own: list[Lowered] = []
        merged: dict[Expression, int] = {}
        for coefficient, atom in terms:
            merged[atom] = merged.get(atom, 0) + coefficient
        atoms = [atom for atom, coefficient in merged.items() if coefficient]
        if not all(type(atom) is Variable for atom in atoms):
            scope = tuple(comparison.scope())
            size = size_of_grid(scope)
            if len(scope) == 1 or (size <= LARGEST_GRID and (len(scope) < 4 or size <= LARGEST_GRID >> 4)):
                self._refuse_symbols(comparison)
                return self._lower_truth(scope, Grid(scope, self.code).truth(comparison))
            if len(atoms) == 1 and abs(merged[atoms[0]]) == 1 and sign != "!=":  # only some of its values are of interest
                wanted = -constant * merged[atoms[0]]
                upwards = (sign in (">", ">=")) == (merged[atoms[0]] > 0)
                ends = (wanted, wanted) if sign == "==" else (wanted, None) if upwards else (None, wanted)
                before = len(self.lowered)
                made = self.helper(atoms[0], *ends)
                own, self.lowered[before:] = self.lowered[before:], []  # cut short, it is part of this very constraint
                atoms, merged = [made], {made: merged[atoms[0]]}
            linear, constant = self.linear(Sum([(merged[atom], atom) for atom in atoms], constant))
            scope, coefficients = tuple([v for _, v in linear]), [c for c, _ in linear]
        else:
            scope, coefficients = tuple(atoms), [merged[atom] for atom in atoms]  # type: ignore[arg-type]  # variables: see above
        plain = sign in ("==", "!=") and constant == 0 and sorted(coefficients) == [-1, 1]
        largest = 0
        for variable, coefficient in zip(scope, coefficients, strict=True):
            domain = variable.domain
            if not domain.is_numeric and not plain:
                if sign in ("==", "!=") and left is variable and not isinstance(right, Expression):
                    continue  # a number that may be among its values
                raise BadValue(f"arithmetic needs whole numbers, and {variable.name!r} has {domain.values[-1]!r}")
            largest += abs(coefficient) * max(abs(domain.codes[0]), abs(domain.codes[-1]))
        if largest + abs(constant) >= LARGEST_NUMBER:
            raise BadValue(f"the numbers of '{shorten(repr(comparison))}' grow beyond 2**61")
        if sign in (">", ">="):
            coefficients, constant = [-coefficient for coefficient in coefficients], -constant
        limit = -constant - (sign in ("<", ">"))
        if sign == "==":
            return [*own, Lowered(at.EQUAL, scope, coefficients, limit, None)]
        if sign != "!=":
            return [*own, Lowered(at.AT_MOST, scope, coefficients, limit, None)]
        if sorted(coefficients) == [-1, 1]:
            if coefficients[0] < 0:
                scope = scope[::-1]
            return [Lowered(at.DIFFERENT, scope, (1, -1), limit, None)]
        return [Lowered(at.UNEQUAL, scope, coefficients, limit, None)]

    def distinct_domains(self) -> list[Domain]:
        """Every domain once, without those of plain ranges."""
        return [domain for domain in self._domains.values() if not isinstance(domain.values, range)]

    def _refuse_symbols(self, expression: Any) -> None:
        """Refuse arithmetic on values that are no whole numbers, wherever it hides."""
        if isinstance(expression, Comparison):
            sides = [expression.left, expression.right]
            if expression.sign in ("==", "!=") and all(not isinstance(s, Expression) or type(s) is Variable for s in sides):
                return
        elif isinstance(expression, Operation):
            sides = list(expression.operands)
        elif isinstance(expression, Sum):
            sides = [atom for _, atom in expression.parts]
        else:
            sides = []
        for side in sides:
            if type(side) is Variable and not side.domain.is_numeric:
                raise BadValue(f"arithmetic needs whole numbers, and {side.name!r} has {side.domain.values[-1]!r}")
            self._refuse_symbols(side)

    def _lower_truth(self, scope: tuple[Variable, ...], allowed: np.ndarray) -> list[Lowered]:
        if not scope:
            return [Lowered(at.EQUAL, (), (), 0 if allowed else 1, None)]
        if len(scope) == 1:
            return [Lowered(at.MEMBERS, scope, (0,), 0, Supports([], packed(allowed.reshape(1, -1)), [0]))]
        kind = at.BINARY if len(scope) == 2 else at.TABLE
        return [Lowered(kind, scope, (0,) * len(scope), 0, from_truth(allowed))]

    def function(self, scope: tuple[Variable, ...], function: Callable[..., Any]) -> list[Lowered]:
        """What a Python function becomes: a table where it can be asked beforehand."""
        if size_of_grid(scope) > LARGEST_ASKED:
            return [Lowered(at.PREDICATE, scope, (0,) * len(scope), 0, function)]
        key = (function, tuple(id(variable.domain) for variable in scope))
        if len(scope) < 2:
            return self._lower_truth(scope, ask(scope, function))
        if key not in self._tables:
            self._tables[key] = from_truth(ask(scope, function))
        return [Lowered(at.BINARY if len(scope) == 2 else at.TABLE, scope, (0,) * len(scope), 0, self._tables[key])]

    def rows(self, scope: tuple[Variable, ...], rows: Iterable[Sequence[Any]]) -> list[Lowered]:
        """What a list of allowed tuples becomes."""
        lookups = [
            {code: index for index, code in enumerate(variable.domain.codes)} for variable in scope
        ]
        found = set()
        for row in rows:
            if len(row) != len(scope):
                raise BadValue(f"a row of this table needs {len(scope)} values, not {len(row)}: {shorten(repr(tuple(row)))}")
            numbers = tuple(lookup.get(self.code(value), -1) for lookup, value in zip(lookups, row, strict=True))
            if -1 not in numbers:
                found.add(numbers)
        counts = [variable.domain.count for variable in scope]
        numbers_array = np.array(sorted(found), np.int64).reshape(-1, len(scope))
        if len(scope) <= 2:
            allowed = np.zeros(counts, bool)
            allowed[tuple(numbers_array.T)] = True
            return self._lower_truth(scope, allowed)
        return [Lowered(at.TABLE, scope, (0,) * len(scope), 0, Supports.of_tuples(numbers_array, counts))]

    def linear(self, expression: Any) -> tuple[list[tuple[int, Variable]], int]:
        """An expression as multiples of variables; other parts become helper variables."""
        if isinstance(expression, int):
            return [], expression
        terms, constant = expression.terms()
        merged: dict[Variable, int] = {}
        for coefficient, atom in terms:
            variable = atom if isinstance(atom, Variable) else self.helper(atom)
            if not variable.domain.is_numeric:
                raise BadValue(f"arithmetic needs whole numbers, and {variable.name!r} has {variable.domain.values[-1]!r}")
            merged[variable] = merged.get(variable, 0) + coefficient
        return [(coefficient, variable) for variable, coefficient in merged.items() if coefficient], constant

    def helper(self, expression: Expression, low: int | None = None, high: int | None = None) -> Variable:
        """A hidden variable that equals an expression, within these bounds where a comparison leaves no others."""
        self._refuse_symbols(expression)
        if isinstance(expression, Variable):
            return expression
        scope = tuple(expression.scope())
        if size_of_grid(scope) > LARGEST_GRID:
            if isinstance(expression, Sum):
                return self._helper_sum(expression)
            sides = self._sides(expression)
            if size_of_grid(tuple(dict.fromkeys(sides))) > LARGEST_GRID or isinstance(expression, Comparison):
                return self._helper_function(expression, sides, low, high)
            assert isinstance(expression, Operation)
            expression = type(expression)(expression.symbol, expression.function, expression.tightness, *sides)
            scope = tuple(expression.scope())
        numbers = Grid(scope, self.code).values(expression)
        values, places = np.unique(numbers, return_inverse=True)
        if numbers.size * len(values) > LARGEST_TABLE:
            if isinstance(expression, Sum):
                return self._helper_sum(expression)
            if not isinstance(expression, Logic):
                return self._helper_function(expression, self._sides(expression), low, high)
        domain = Domain(values.tolist(), values.tolist(), True)
        made = self._new_helper(expression, domain)
        allowed = np.zeros((*numbers.shape, len(values)), bool)
        np.put_along_axis(allowed, places.reshape(*numbers.shape, 1), True, axis=-1)
        self.lowered += self._lower_truth((*scope, made), allowed)
        return made

    def _sides(self, expression: Expression) -> list[Variable]:
        """The operands of an expression as variables; a constant becomes one with a single value."""
        if isinstance(expression, Comparison):  # its difference, and zero
            operands: Sequence[Any] = (Sum.of(expression.left, expression.right, -1), 0)
        else:
            assert isinstance(expression, Operation)
            operands = expression.operands
        sides = []
        for operand in operands:
            if isinstance(operand, Expression):
                terms, constant = operand.terms()
                plain = len(terms) == 1 and terms[0][0] == 1 and not constant
                sides.append(self.helper(terms[0][1] if plain else operand))
            else:
                sides.append(self._new_helper(Sum([], operand), Domain([operand], [operand], True)))
        return sides

    def _helper_function(self, expression: Any, sides: list[Variable], low: int | None, high: int | None) -> Variable:
        """A hidden variable for an operation with too many combinations for a table: kept by bounds, and value by value later."""
        symbol = expression.sign if isinstance(expression, Comparison) else expression.symbol
        first, second = sides[0].domain.codes, sides[-1].domain.codes
        ends = bounds(symbol, first[0], first[-1], second[0], second[-1])
        if max(map(abs, ends)) >= LARGEST_NUMBER:
            raise BadValue(f"the numbers of '{shorten(repr(expression))}' grow beyond 2**61")
        least, most = ends[0] if low is None else max(low, ends[0]), ends[1] if high is None else min(high, ends[1])
        if most - least >= LARGEST_DOMAIN:
            count = most - least + 1
            raise BadValue(f"'{shorten(repr(expression))}' can take {count} values; at most {LARGEST_DOMAIN} are possible")
        codes: Sequence[int] = range(least, most + 1)
        if symbol in ("//", "%") and second[0] <= 0 <= second[-1] and (high is None or high >= NOWHERE):
            codes = [*codes, NOWHERE]
        if not codes:  # it cannot be what it has to be
            self.lowered.append(Lowered(at.EQUAL, (), (), 1, None))
            codes = range(ends[0], ends[0] + 1)
        made = self._new_helper(expression, Domain(codes, codes, True))
        scope = (sides[0], sides[-1], made)
        self.lowered.append(Lowered(at.FUNCTION, scope, (0, 0, 0), FUNCTIONS[symbol], None))
        return made

    def _new_helper(self, expression: Expression, domain: Domain) -> Variable:
        made = Variable(f"({expression!r})", -1, domain)
        self.helpers.append(made)
        return made

    def _helper_sum(self, expression: Expression) -> Variable:
        """A hidden variable that equals a sum with too many combinations for a table: kept by its bounds."""
        terms, constant = self.linear(expression)
        ends = [(c * v.domain.codes[0], c * v.domain.codes[-1]) for c, v in terms]
        low, high = constant + sum(min(pair) for pair in ends), constant + sum(max(pair) for pair in ends)
        if high - low >= LARGEST_DOMAIN:
            raise BadValue(f"'{shorten(repr(expression))}' can take {high - low + 1} values; at most {LARGEST_DOMAIN} are possible")
        made = self._new_helper(expression, Domain(range(low, high + 1), range(low, high + 1), True))
        scope = (*(v for _, v in terms), made)
        self.lowered.append(Lowered(at.EQUAL, scope, (*(c for c, _ in terms), -1), -constant, None))
        return made
