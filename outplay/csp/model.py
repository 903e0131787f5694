"""Models: variables with finite domains, constraints as ``<scope, relation>``, and what can be asked of them.

Russell and Norvig, *Artificial Intelligence: A Modern Approach*, chapter 6: a problem is a set of variables, a set of domains
and a set of constraints; a solution is a complete assignment that violates none of them.

>>> model = Model("two colours")
>>> a, b = model.variables("a b", ["red", "green"])
>>> model.add(a != b)
>>> model.solve()
{'a': 'red', 'b': 'green'}
>>> model.count(), [solution["a"] for solution in model.solutions()]
(2, ['red', 'green'])
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from outplay.csp import layout as at
from outplay.csp.expressions import (
    LARGEST,
    Comparison,
    Domain,
    Expression,
    Logic,
    Operation,
    Sum,
    Term,
    Truth,
    Variable,
    checked,
)
from outplay.csp.program import Lowered, Program
from outplay.csp.solver import Options, Search, Statistics
from outplay.csp.tables import (
    LARGEST_ASKED,
    LARGEST_GRID,
    Grid,
    Supports,
    ask,
    from_truth,
    size_of_grid,
)
from outplay.errors import BadValue, UnknownName, shorten

LARGEST_DOMAIN = 1 << 20


class Solution(dict[str, Any]):
    """A complete, consistent assignment: name -> value. A variable itself works as a key too."""

    objective: int | None = None

    def __missing__(self, key: object) -> Any:
        if isinstance(key, Variable):
            return self[key.name]
        raise KeyError(key)


class Constraint:
    """One constraint as the user stated it: its name or text, its scope, and what it became for the kernels."""

    __slots__ = ("lowered", "meaning", "relation", "scope", "title")

    def __init__(
        self, scope: Sequence[Variable], relation: Any, lowered: list[Lowered], title: str | None, meaning: Any
    ) -> None:
        self.scope = scope
        self.relation = relation  # an expression, or the word for what else it is
        self.lowered = lowered
        self.title = title
        self.meaning = meaning  # the items of an all-different, a function, a set of rows, True or False

    def __repr__(self) -> str:
        if self.title:
            return self.title
        if isinstance(self.relation, Expression):
            return repr(self.relation)
        names = ", ".join(variable.name for variable in self.scope)
        return f"{self.relation}({names})" if isinstance(self.relation, str) else f"relation({names})"


class Model:
    """A constraint satisfaction problem."""

    def __init__(self, name: str = "model") -> None:
        self.name = name
        self.statistics = Statistics()
        self._variables: list[Variable] = []
        self._helpers: list[Variable] = []
        self._by_name: dict[str, Variable] = {}
        self._constraints: list[Constraint] = []
        self._lowered: list[Lowered] = []
        self._domains: dict[Any, Domain] = {}
        self._symbols: dict[Any, int] = {}
        self._tables: dict[Any, Supports] = {}
        self._programs: dict[Any, Program] = {}
        self._diagram: Any = None
        self._pool: Any = None

    def __repr__(self) -> str:
        return f"<Model {self.name!r}: {len(self._variables)} variables, {len(self._constraints)} constraints>"

    # ------------------------------------------------------------ stating the problem

    def variable(self, name: str, domain: Iterable[Any]) -> Variable:
        """A new variable with this name and these possible values (any hashable ones, in any order)."""
        if name in self._by_name:
            raise BadValue(f"variable {shorten(name)!r} is there already: every variable needs a name of its own")
        made = Variable(name, len(self._variables), self._domain(domain, name))
        self._by_name[name] = made
        self._variables.append(made)
        self._changed()
        return made

    def variables(self, names: str | Iterable[str], domain: Iterable[Any]) -> list[Variable]:
        """Several variables with the same domain; the names as one text with blanks between them, or as a list."""
        values: Any = domain if isinstance(domain, range) else tuple(domain)
        return [self.variable(name, values) for name in (names.split() if isinstance(names, str) else names)]

    def add(self, *constraints: Truth | bool, name: str | None = None) -> None:
        """Require comparisons: ``add(x != y)``, ``add(a + b == c + 10 * carry)``, ``add((x == 1) | (y > 2))``."""
        for constraint in constraints:
            if isinstance(constraint, Truth):
                self._state(tuple(constraint.scope()), constraint, self._lower(constraint), name)
            elif isinstance(constraint, bool):  # what Python makes of 2 > 1, or of a sum without variables
                self._state((), str(constraint), [Lowered(at.EQUAL, (), (), 0 if constraint else 1, None)], name, constraint)
            else:
                raise BadValue(f"a constraint is a comparison like x != y, not {shorten(repr(constraint))}")

    def all_different(self, *items: Expression | Iterable[Expression], name: str | None = None) -> None:
        """Require pairwise different values of variables or expressions: ``all_different(a, b, c)``, ``all_different(cells)``."""
        flat: list[Expression] = []
        for item in items:
            flat += [item] if isinstance(item, Expression) else [checked(one) for one in item]
        scope, offsets = [], []
        for item in flat:
            terms, constant = item.terms()
            if len(terms) != 1 or terms[0][0] != 1 or not isinstance(terms[0][1], Variable):
                scope.append(self._helper(item))
                offsets.append(0)
                continue
            variable = terms[0][1]
            if constant and not variable.domain.is_numeric:
                raise BadValue(f"arithmetic needs whole numbers, and {variable.name!r} has {variable.domain.values[0]!r}")
            scope.append(variable)
            offsets.append(constant)
        if len(scope) == 2:
            lowered = Lowered(at.DIFFERENT, tuple(scope), (1, -1), offsets[1] - offsets[0], None)
        else:
            lowered = Lowered(at.ALL_DIFFERENT, tuple(scope), offsets, 0, None)
        if len(scope) > 1:
            self._state(scope, "all_different", [lowered], name, flat)

    def constraint(self, scope: Sequence[Variable], relation: Any, name: str | None = None) -> None:
        """The lecture's ``<scope, relation>``: the relation is a Python function of the values, or the allowed tuples."""
        scope = tuple(scope)
        for variable in scope:
            self._own(variable)
        if callable(relation):
            lowered = self._lower_function(scope, relation)
            shown = getattr(relation, "__name__", "relation").replace("<lambda>", "relation")
        else:
            relation = [tuple(row) for row in relation]
            lowered = self._lower_rows(scope, relation)
            shown = "table"
        self._state(scope, shown, lowered, name, relation)

    # ------------------------------------------------------------ asking

    def solve(self, **options: Any) -> Solution | None:
        """The first solution, or None when there is none (or when ``seconds`` ran out: see ``statistics.finished``).

        Options: ``propagation``, ``order``, ``values``, ``backjumping``, ``restarts``, ``matching``, ``seconds``, ``seed``, and
        ``solver`` ("own", "cp-sat" or "min-conflicts").
        """
        solver = options.pop("solver", "own")
        if solver == "own":
            return next(self._search(Options(**options), first_only=True), None)
        if solver == "cp-sat":
            from outplay.csp.cp_sat import solutions

            return next(solutions(self, first_only=True, **options), None)
        if solver == "min-conflicts":
            from outplay.csp.local import min_conflicts

            return min_conflicts(self, **options)
        raise UnknownName("solver", str(solver), ["own", "cp-sat", "min-conflicts"])

    def solutions(self, **options: Any) -> Iterator[Solution]:
        """Every solution, one after the other, found as they are asked for."""
        solver = options.pop("solver", "own")
        if solver == "own":
            if options.get("restarts"):
                raise BadValue("restarts would repeat solutions: they go with solve() and minimize() only")
            return self._search(Options(**options))
        if solver == "cp-sat":
            from outplay.csp.cp_sat import solutions

            return solutions(self, **options)
        raise UnknownName("solver for all solutions", str(solver), ["own", "cp-sat"])

    def count(self, **options: Any) -> int:
        """How many solutions there are: by search, or layer by layer over a decision diagram where there are too many."""
        if options.get("solver", "own") != "own":
            return sum(1 for _ in self.solutions(**options))
        options.pop("solver", None)
        given = bool(options)
        chosen = Options(**options)
        search = Search(self._program(chosen), chosen)
        if search.count(None if given else 200_000):
            self.statistics = search.statistics()
            return self.statistics.solutions
        diagram = self._counted()
        if diagram is not None:
            return int(diagram.count)
        search.count(None)
        self.statistics = search.statistics()
        return self.statistics.solutions

    def sample(self, rng: random.Random | int, *, uniform: bool = True) -> Solution | None:
        """A random solution, each with the same probability; ``uniform=False`` is a random descent: quick, but not uniform."""
        from outplay.csp.sampling import descend, draw

        source = random.Random(rng) if isinstance(rng, int) else rng
        return draw(self, source) if uniform else descend(self, source)

    def minimize(self, objective: Operand, **options: Any) -> Solution | None:
        """The solution with the smallest objective, by branch and bound; ``solution.objective`` holds it."""
        if options.get("solver") == "cp-sat":
            from outplay.csp.cp_sat import optimum

            options.pop("solver")
            return optimum(self, self._linear(checked(objective)), **options)
        options.pop("solver", None)
        terms, constant = self._linear(checked(objective))
        bound = Lowered(at.AT_MOST, tuple([v for _, v in terms]), [c for c, _ in terms], 1 << 60, None)
        chosen = Options(**options)
        program = self._build(chosen, [*self._lowered, bound])
        search = Search(program, chosen, objective=len(self._lowered))
        best = None
        for row in search.rows():
            best = row
        self.statistics = search.statistics()
        if best is None:
            return None
        solution = self._read(best)
        solution.objective = search.bound() + 1 + constant
        return solution

    def maximize(self, objective: Operand, **options: Any) -> Solution | None:
        """The solution with the largest objective."""
        solution = self.minimize(-checked(objective), **options)
        if solution is not None and solution.objective is not None:
            solution.objective = -solution.objective
        return solution

    def propagate(self, assignment: dict[Any, Any] | None = None, **options: Any) -> dict[str, list[Any]] | None:
        """The domains that are left after assigning these variables and propagating, or None when one runs empty."""
        chosen = Options(**options)
        search = Search(self._program(chosen), chosen)
        pairs = [(self[name], value) for name, value in (assignment or {}).items()]
        left = search.propagate([(v.index, self._index(v, value)) for v, value in pairs])
        if left is None:
            return None
        return {v.name: [v.domain.values[i] for i in indices] for v, indices in zip(self._variables, left, strict=False)}

    def core(self, seconds: float | None = None) -> list[Constraint]:
        """For a model without solutions: a small set of constraints that clash (none of them can be left out, if time allows)."""
        from outplay.csp.cores import core

        return core(self, seconds)

    def is_solution(self, assignment: dict[str, Any]) -> bool:
        """Whether a complete assignment violates no constraint: checked one by one, in plain Python."""
        from outplay.csp.checking import holds

        return all(holds(self, constraint, assignment) for constraint in self._constraints)

    def __getitem__(self, name: str | Variable) -> Variable:
        if isinstance(name, Variable):
            return self._own(name)
        if name not in self._by_name:
            raise UnknownName("variable", str(name), self._by_name)
        return self._by_name[name]

    @property
    def names(self) -> list[str]:
        """The names of the variables, in the order they were stated."""
        return [variable.name for variable in self._variables]

    @property
    def domains(self) -> dict[str, list[Any]]:
        """The values of each variable."""
        return {variable.name: list(variable.domain.values) for variable in self._variables}

    @property
    def constraints(self) -> list[Constraint]:
        """The constraints as they were stated."""
        return self._constraints

    # ------------------------------------------------------------ from statements to data

    def code(self, value: Any) -> int:
        """The integer that stands for a value; a value never seen in a domain gets one that no variable has."""
        if isinstance(value, int | np.integer) and -LARGEST < value < LARGEST:
            return int(value)
        if isinstance(value, float) and value.is_integer() and -LARGEST < value < LARGEST:
            return int(value)
        return self._symbols.get(value, 2 * LARGEST)

    def _domain(self, values: Iterable[Any], name: str) -> Domain:
        key = values if isinstance(values, range | tuple) else tuple(values)
        try:
            known = self._domains.get((type(key), key))
        except TypeError:
            raise BadValue(f"the values of {name!r} must be hashable: numbers, texts, tuples") from None
        if known is not None and all(type(a) is type(b) for a, b in zip(key, known.values, strict=False)):
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
        return domain

    def _own(self, variable: Variable) -> Variable:
        if not isinstance(variable, Variable) or self._by_name.get(variable.name) is not variable:
            raise BadValue(f"{shorten(repr(variable))} is no variable of this model")
        return variable

    def _index(self, variable: Variable, value: Any) -> int:
        index = variable.domain.index(self.code(value))
        if index < 0:
            raise BadValue(f"{shorten(repr(value))} is not in the domain of {variable.name!r}")
        return index

    def _changed(self) -> None:
        if self._programs:
            self._programs = {}
        self._diagram = None
        self._pool = None

    def _state(
        self, scope: Sequence[Variable], relation: Any, lowered: list[Lowered], title: str | None, meaning: Any = None
    ) -> None:
        for variable in scope:
            index = variable.index
            foreign = index >= len(self._variables) or self._variables[index] is not variable
            if foreign and not any(helper is variable for helper in self._helpers):
                raise BadValue(f"{variable.name!r} belongs to another model")
        self._constraints.append(Constraint(scope, relation, lowered, title, meaning))
        self._lowered += lowered
        self._changed()

    def _lower(self, constraint: Truth) -> list[Lowered]:
        if isinstance(constraint, Comparison):
            return self._lower_comparison(constraint)
        assert isinstance(constraint, Logic)
        if constraint.symbol == "&":
            return [one for side in constraint.operands for one in self._lower(side)]  # type: ignore[arg-type]  # truths
        scope = tuple(constraint.scope())
        if size_of_grid(scope) <= LARGEST_GRID:
            return self._lower_truth(scope, Grid(scope, self.code).truth(constraint))
        # Too many combinations for one table: name the parts, and relate those.
        return self._lower_comparison(Comparison(self._split(constraint), "==", 1))

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
        merged: dict[Expression, int] = {}
        for coefficient, atom in terms:
            merged[atom] = merged.get(atom, 0) + coefficient
        atoms = [atom for atom, coefficient in merged.items() if coefficient]
        if not all(type(atom) is Variable for atom in atoms):
            scope = tuple(comparison.scope())
            if size_of_grid(scope) <= LARGEST_GRID and (len(scope) < 4 or size_of_grid(scope) <= LARGEST_GRID >> 4):
                self._refuse_symbols(comparison)
                return self._lower_truth(scope, Grid(scope, self.code).truth(comparison))
            linear, constant = self._linear(Sum([(merged[atom], atom) for atom in atoms], constant))
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
        if largest + abs(constant) >= 1 << 61:
            raise BadValue(f"the numbers of '{shorten(repr(comparison))}' grow beyond 2**61")
        if sign in (">", ">="):
            coefficients, constant = [-coefficient for coefficient in coefficients], -constant
        limit = -constant - (sign in ("<", ">"))
        if sign == "==":
            return [Lowered(at.EQUAL, scope, coefficients, limit, None)]
        if sign != "!=":
            return [Lowered(at.AT_MOST, scope, coefficients, limit, None)]
        if sorted(coefficients) == [-1, 1]:
            if coefficients[0] < 0:
                scope = scope[::-1]
            return [Lowered(at.DIFFERENT, scope, (1, -1), limit, None)]
        return [Lowered(at.UNEQUAL, scope, coefficients, limit, None)]

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
        if len(scope) == 1:  # a table of pairs with itself: allowed on the diagonal
            return [Lowered(at.BINARY, (scope[0], scope[0]), (0, 0), 0, Supports.of_pairs(np.diag(allowed)))]
        kind = at.BINARY if len(scope) == 2 else at.TABLE
        return [Lowered(kind, scope, (0,) * len(scope), 0, from_truth(allowed))]

    def _lower_function(self, scope: tuple[Variable, ...], function: Callable[..., Any]) -> list[Lowered]:
        if size_of_grid(scope) > LARGEST_ASKED:
            return [Lowered(at.PREDICATE, scope, (0,) * len(scope), 0, function)]
        key = (function, tuple(id(variable.domain) for variable in scope))
        if len(scope) < 2:
            return self._lower_truth(scope, ask(scope, function))
        if key not in self._tables:
            self._tables[key] = from_truth(ask(scope, function))
        return [Lowered(at.BINARY if len(scope) == 2 else at.TABLE, scope, (0,) * len(scope), 0, self._tables[key])]

    def _lower_rows(self, scope: tuple[Variable, ...], rows: Iterable[Sequence[Any]]) -> list[Lowered]:
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

    def _linear(self, expression: Any) -> tuple[list[tuple[int, Variable]], int]:
        """An expression as multiples of variables; other parts become helper variables."""
        if isinstance(expression, int):
            return [], expression
        terms, constant = expression.terms()
        merged: dict[Variable, int] = {}
        for coefficient, atom in terms:
            variable = atom if isinstance(atom, Variable) else self._helper(atom)
            if not variable.domain.is_numeric:
                raise BadValue(f"arithmetic needs whole numbers, and {variable.name!r} has {variable.domain.values[-1]!r}")
            merged[variable] = merged.get(variable, 0) + coefficient
        return [(coefficient, variable) for variable, coefficient in merged.items() if coefficient], constant

    def _helper(self, expression: Expression) -> Variable:
        """A hidden variable that equals an expression; it follows from the others, so it adds no solutions."""
        self._refuse_symbols(expression)
        scope = tuple(expression.scope())
        if size_of_grid(scope) > LARGEST_GRID:
            split = self._split(expression)
            return split if isinstance(split, Variable) else self._helper_sum(split)
        numbers = Grid(scope, self.code).values(expression)
        values, places = np.unique(numbers, return_inverse=True)
        domain = Domain(values.tolist(), values.tolist(), True)
        made = self._new_helper(expression, domain)
        allowed = np.zeros((*numbers.shape, len(values)), bool)
        np.put_along_axis(allowed, places.reshape(*numbers.shape, 1), True, axis=-1)
        self._lowered += self._lower_truth((*scope, made), allowed)
        return made

    def _new_helper(self, expression: Expression, domain: Domain) -> Variable:
        made = Variable(f"({expression!r})", -1, domain)
        self._helpers.append(made)
        return made

    def _helper_sum(self, expression: Expression) -> Variable:
        """A hidden variable that equals a sum with too many combinations for a table: kept by its bounds."""
        terms, constant = self._linear(expression)
        ends = [(c * v.domain.codes[0], c * v.domain.codes[-1]) for c, v in terms]
        low, high = constant + sum(min(pair) for pair in ends), constant + sum(max(pair) for pair in ends)
        if high - low >= LARGEST_DOMAIN:
            raise BadValue(f"'{shorten(repr(expression))}' can take {high - low + 1} values; at most {LARGEST_DOMAIN} are possible")
        made = self._new_helper(expression, Domain(range(low, high + 1), range(low, high + 1), True))
        scope = (*(v for _, v in terms), made)
        self._lowered.append(Lowered(at.EQUAL, scope, (*(c for c, _ in terms), -1), -constant, None))
        return made

    def _split(self, expression: Expression) -> Expression:
        """An expression with too many combinations, its operands replaced by helper variables of their own."""
        if isinstance(expression, Comparison):
            difference = Sum.of(expression.left, expression.right, -1)
            return self._helper(Comparison(self._helper_sum(difference), expression.sign, 0))
        if isinstance(expression, Operation):
            sides = [self._helper(side) if isinstance(side, Expression) else side for side in expression.operands]
            return self._helper(type(expression)(expression.symbol, expression.function, expression.tightness, *sides))
        return expression

    # ------------------------------------------------------------ searching

    def _program(self, options: Options) -> Program:
        key = options.layout
        program = self._programs.get(key)
        if program is None:
            program = self._programs[key] = self._build(options, self._lowered)
        return program

    def _build(self, options: Options, lowered: list[Lowered]) -> Program:
        decisions = len(self._variables)
        for number, helper in enumerate(self._helpers):
            helper.index = decisions + number
        return Program(self._variables + self._helpers, decisions, lowered, *options.layout)

    def _search(self, options: Options, first_only: bool = False) -> Iterator[Solution]:
        search = Search(self._program(options), options)
        try:
            for row in search.rows(first_only):
                self.statistics = search.statistics()
                yield self._read(row)
                if first_only:
                    return
        finally:
            self.statistics = search.statistics()

    def _read(self, row: Sequence[int]) -> Solution:
        return Solution({v.name: v.domain.values[index] for v, index in zip(self._variables, row, strict=True)})

    def _counted(self) -> Any:
        """The decision diagram of all solutions, built once; None where it grows too large."""
        if self._diagram is None:
            from outplay.csp.diagram import Diagram

            self._diagram = Diagram.of(self) or False
        return self._diagram or None


Operand = Expression | int
__all__ = ["Constraint", "Model", "Solution", "Term"]
