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
from collections.abc import Iterator, Sequence
from typing import Any

from outplay.csp import layout as at
from outplay.csp.expressions import Expression, Term, Variable, checked
from outplay.csp.program import Lowered, OutOfTime, Program
from outplay.csp.solver import Options, Search, Statistics
from outplay.csp.stating import Constraint, Statement
from outplay.errors import BadValue, UnknownName


class Solution(dict[str, Any]):
    """A complete, consistent assignment: name -> value. A variable itself works as a key too."""

    objective: int | None = None

    def __missing__(self, key: object) -> Any:
        if isinstance(key, Variable):
            return self[key.name]
        raise KeyError(key)


class Model(Statement):
    """A constraint satisfaction problem: state it (see ``stating``), then ask."""

    def __init__(self, name: str = "model") -> None:
        super().__init__(name)
        self.statistics = Statistics()
        self._diagram: Any = None
        self.pool: Any = None  # what `sample` draws from, once it is made

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
        search = self._begin(chosen)
        if search is None:
            return 0
        if search.count(None if given else 200_000) or given:
            self.statistics = search.statistics()
            return self.statistics.solutions
        diagram = self.diagram()
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
            return optimum(self, self.lowering.linear(checked(objective)), **options)
        options.pop("solver", None)
        terms, constant = self.lowering.linear(checked(objective))
        bound = Lowered(at.AT_MOST, tuple([v for _, v in terms]), [c for c, _ in terms], 1 << 60, None)
        chosen = Options(**options)
        try:
            program = self.lowering.build(chosen.layout, [*self.lowering.lowered, bound], chosen.deadline)
        except OutOfTime:
            self.statistics = Statistics(seconds=chosen.seconds or 0.0)
            return None
        search = Search(program, chosen, objective=len(self.lowering.lowered))
        best = None
        for row in search.rows():
            best = row
        self.statistics = search.statistics()
        if best is None:
            return None
        solution = self.read(best)
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
        search = Search(self.program(chosen), chosen)
        pairs = [(self[name], value) for name, value in (assignment or {}).items()]
        left = search.propagate([(v.index, self._index(v, value)) for v, value in pairs])
        if left is None:
            return None
        return {v.name: [v.domain.values[i] for i in indices] for v, indices in zip(self.lowering.variables, left, strict=False)}

    def core(self, seconds: float | None = None) -> list[Constraint]:
        """For a model without solutions: a small set of constraints that clash (none of them can be left out, if time allows)."""
        from outplay.csp.cores import core

        return core(self, seconds)

    def is_solution(self, assignment: dict[str, Any]) -> bool:
        """Whether a complete assignment violates no constraint: checked one by one, in plain Python."""
        from outplay.csp.checking import holds

        return all(holds(self, constraint, assignment) for constraint in self._constraints)

    # ------------------------------------------------------------ searching

    def program(self, options: Options) -> Program:
        """The arrays that the kernels work on."""
        return self.lowering.program(options.layout, options.deadline)

    def _begin(self, options: Options) -> Search | None:
        """A search over the arrays of the model; None when laying them out took all the time there was."""
        try:
            return Search(self.program(options), options)
        except OutOfTime:
            self.statistics = Statistics(seconds=options.seconds or 0.0)
            return None

    def _changed(self) -> None:
        super()._changed()
        self._diagram = self.pool = None

    def _search(self, options: Options, first_only: bool = False) -> Iterator[Solution]:
        search = self._begin(options)
        if search is None:
            return
        try:
            for row in search.rows(first_only):
                self.statistics = search.statistics()
                yield self.read(row)
                if first_only:
                    return
        finally:
            self.statistics = search.statistics()

    def read(self, row: Sequence[int]) -> Solution:
        """The solution that a row of value numbers stands for."""
        return Solution({v.name: v.domain.values[index] for v, index in zip(self.lowering.variables, row, strict=True)})

    def diagram(self) -> Any:
        """The decision diagram of all solutions, built once; None where it grows too large."""
        if self._diagram is None:
            from outplay.csp.diagram import Diagram

            self._diagram = Diagram.of(self) or False
        return self._diagram or None


Operand = Expression | int
__all__ = ["Constraint", "Model", "Solution", "Term"]
