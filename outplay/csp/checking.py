"""Checks in plain Python, one constraint at a time: the referee that the kernels are tested against."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from outplay.csp.expressions import Expression, Variable

if TYPE_CHECKING:
    from outplay.csp.model import Constraint, Model


class Assigned:
    """The codes of an assignment, as an expression asks for them."""

    def __init__(self, model: Model, assignment: dict[str, Any]) -> None:
        self.code = model.lowering.code
        self.assignment = assignment

    def __getitem__(self, variable: Variable) -> int:
        return self.code(self.assignment[variable.name])


def holds(model: Model, constraint: Constraint, assignment: dict[str, Any]) -> bool:
    """Whether one constraint, as it was stated, holds under a complete assignment."""
    codes = Assigned(model, assignment)
    if isinstance(constraint.relation, Expression):
        return bool(constraint.relation.evaluate(codes))
    meaning = constraint.meaning
    if isinstance(meaning, bool):
        return meaning
    values = [assignment[variable.name] for variable in constraint.scope if variable.name in assignment]
    if callable(meaning):
        return bool(meaning(*values))
    if constraint.relation == "all_different":
        numbers = [int(item.evaluate(codes)) for item in meaning]
        return len(set(numbers)) == len(numbers)
    return tuple(values) in meaning
