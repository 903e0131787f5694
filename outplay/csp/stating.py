"""Stating a problem: variables with finite domains, and constraints as ``<scope, relation>``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from outplay.csp import layout as at
from outplay.csp.expressions import Expression, Truth, Variable, checked
from outplay.csp.lowering import Lowering
from outplay.csp.program import Lowered
from outplay.errors import BadValue, UnknownName, shorten


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


class Statement:
    """The part of a model that is stated: names, variables, constraints."""

    def __init__(self, name: str = "model") -> None:
        self.name = name
        self.lowering = Lowering()
        self._by_name: dict[str, Variable] = {}
        self._constraints: list[Constraint] = []

    def __repr__(self) -> str:
        return f"<Model {self.name!r}: {len(self.lowering.variables)} variables, {len(self._constraints)} constraints>"

    def variable(self, name: str, domain: Iterable[Any]) -> Variable:
        """A new variable with this name and these possible values (any hashable ones, in any order)."""
        if name in self._by_name:
            raise BadValue(f"variable {shorten(name)!r} is there already: every variable needs a name of its own")
        made = Variable(name, len(self.lowering.variables), self.lowering.domain(domain, name))
        self._by_name[name] = made
        self.lowering.variables.append(made)
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
                self._state(tuple(constraint.scope()), constraint, self._lowered(constraint), name)
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
                scope.append(self.lowering.helper(item))
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
            lowered = self.lowering.function(scope, relation)
            shown = getattr(relation, "__name__", "relation").replace("<lambda>", "relation")
        else:
            relation = [tuple(row) for row in relation]
            lowered = self.lowering.rows(scope, relation)
            shown = "table"
        self._state(scope, shown, lowered, name, relation)

    def __getitem__(self, name: str | Variable) -> Variable:
        if isinstance(name, Variable):
            return self._own(name)
        if name not in self._by_name:
            raise UnknownName("variable", str(name), self._by_name)
        return self._by_name[name]

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    @property
    def words(self) -> set[str]:
        """The values that are texts, of all domains."""
        return {value for domain in self.lowering.distinct_domains() for value in domain.values if isinstance(value, str)}

    @property
    def names(self) -> list[str]:
        """The names of the variables, in the order they were stated."""
        return [variable.name for variable in self.lowering.variables]

    @property
    def domains(self) -> dict[str, list[Any]]:
        """The values of each variable."""
        return {variable.name: list(variable.domain.values) for variable in self.lowering.variables}

    @property
    def constraints(self) -> list[Constraint]:
        """The constraints as they were stated."""
        return self._constraints

    # ------------------------------------------------------------ what both share

    def _own(self, variable: Variable) -> Variable:
        if not isinstance(variable, Variable) or self._by_name.get(variable.name) is not variable:
            raise BadValue(f"{shorten(repr(variable))} is no variable of this model")
        return variable

    def _index(self, variable: Variable, value: Any) -> int:
        index = variable.domain.index(self.lowering.code(value))
        if index < 0:
            raise BadValue(f"{shorten(repr(value))} is not in the domain of {variable.name!r}")
        return index

    def _changed(self) -> None:
        self.lowering.changed()

    def _lowered(self, constraint: Truth) -> list[Lowered]:
        try:
            return self.lowering.lower(constraint)
        except RecursionError:
            raise BadValue("the expression is nested too deeply: give its parts variables of their own") from None

    def _state(
        self, scope: Sequence[Variable], relation: Any, lowered: list[Lowered], title: str | None, meaning: Any = None
    ) -> None:
        for variable in scope:
            index = variable.index
            foreign = index >= len(self.lowering.variables) or self.lowering.variables[index] is not variable
            if foreign and not any(helper is variable for helper in self.lowering.helpers):
                raise BadValue(f"{variable.name!r} belongs to another model")
        self._constraints.append(Constraint(scope, relation, lowered, title, meaning))
        self.lowering.lowered += lowered
        self._changed()
