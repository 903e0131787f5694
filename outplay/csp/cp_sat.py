"""The same model on CP-SAT, the solver of OR-tools, for problems that outgrow ours (``pip install outplay[ortools]``).

CP-SAT learns a clause from every conflict, which pays on large and tightly constrained problems; for small ones, building its model
takes longer than our whole search.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from queue import Empty, Queue
from threading import Thread
from typing import TYPE_CHECKING, Any

import numpy as np

from outplay.csp import functions
from outplay.csp import layout as at
from outplay.csp.expressions import Variable
from outplay.csp.solver import Statistics
from outplay.errors import Unavailable, Unsuitable

if TYPE_CHECKING:
    from outplay.csp.model import Model, Solution


def translate(model: Model) -> tuple[Any, Any, list[Any]]:
    """The package, CP-SAT's model, and its variables in our order (the helpers last)."""
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        raise Unavailable("solver 'cp-sat' needs OR-tools: pip install 'outplay[ortools]'") from None
    theirs = cp_model.CpModel()
    ours = model.lowering.variables + model.lowering.helpers
    for number, variable in enumerate(ours):
        variable.index = number
    made = []
    for variable in ours:
        domain = variable.domain
        if domain.base is not None:
            made.append(theirs.new_int_var(domain.codes[0], domain.codes[-1], variable.name))
        else:
            made.append(theirs.new_int_var_from_domain(cp_model.Domain.from_values(list(domain.codes)), variable.name))
    for kind, scope, coefficients, constant, table in model.lowering.lowered:
        terms = [made[variable.index] for variable in scope]
        if kind == at.ALL_DIFFERENT:
            theirs.add_all_different([term + shift for term, shift in zip(terms, coefficients, strict=True)])
        elif kind in (at.BINARY, at.TABLE):
            theirs.add_allowed_assignments(terms, rows_of(kind, scope, table))
        elif kind == at.MEMBERS:
            theirs.add_allowed_assignments(terms, members_of(scope[0], table))
        elif kind == at.FUNCTION:
            _add_function(theirs, constant, scope, terms)
        elif kind == at.PREDICATE:
            raise Unsuitable("cp-sat cannot ask Python functions with that many combinations: use the solver 'own'")
        else:
            left = sum(c * term for c, term in zip(coefficients, terms, strict=True))
            holds = left == constant if kind == at.EQUAL else left <= constant if kind == at.AT_MOST else left != constant
            theirs.add(holds if terms else theirs.new_constant(int(bool(holds))) == 1)
    return cp_model, theirs, made


def members_of(variable: Variable, table: Any) -> list[tuple[int]]:
    """The allowed codes of one variable."""
    bits = np.unpackbits(table.supports.view(np.uint8), bitorder="little")[: variable.domain.count]
    return [(variable.domain.codes[index],) for index in np.flatnonzero(bits).tolist()]


def _add_function(theirs: Any, function: int, scope: Any, terms: list[Any]) -> None:
    """A function where CP-SAT has it; its division and remainder round towards zero, so they fit for numbers above zero only."""
    x, y, z = terms
    positive = scope[0].domain.codes[0] >= 0 and scope[1].domain.codes[0] > 0
    if function == functions.PRODUCT:
        theirs.add_multiplication_equality(z, [x, y])
    elif function == functions.MAGNITUDE:
        theirs.add_abs_equality(z, x)
    elif function == functions.QUOTIENT and positive:
        theirs.add_division_equality(z, x, y)
    elif function == functions.REMAINDER and positive:
        theirs.add_modulo_equality(z, x, y)
    else:
        raise Unsuitable("cp-sat has no such operation on that many values: use the solver 'own'")


def rows_of(kind: int, scope: Any, table: Any) -> list[tuple[int, ...]]:
    """The allowed tuples of codes of a table."""
    counts = [variable.domain.count for variable in scope]
    if kind == at.BINARY:
        words = scope[1].domain.words
        bits = table.supports[: counts[0] * words].reshape(counts[0], words).view(np.uint8)
        pairs = np.argwhere(np.unpackbits(bits, axis=1, bitorder="little")[:, : counts[1]])
    else:
        width = len(table.tuples)
        columns = []
        for offset, count in zip(table.offsets, counts, strict=True):
            block = table.supports[offset : offset + count * width].reshape(count, width).view(np.uint8)
            columns.append(np.unpackbits(block, axis=1, bitorder="little"))
        filled = np.flatnonzero(columns[0].any(axis=0))
        pairs = np.array([column.argmax(axis=0)[filled] for column in columns]).T
    codes = [variable.domain.codes for variable in scope]
    return [tuple(codes[place][index] for place, index in enumerate(row)) for row in pairs.tolist()]


def solutions(model: Model, *, first_only: bool = False, seconds: float | None = None, seed: int = 0) -> Iterator[Solution]:
    """The solutions that CP-SAT finds; it runs beside us, and stops when nobody wants more."""
    cp_model, theirs, made = translate(model)
    solver = cp_model.CpSolver()
    solver.parameters.random_seed = seed
    solver.parameters.num_workers = 1
    if seconds is not None:
        solver.parameters.max_time_in_seconds = seconds
    decisions = made[: len(model.lowering.variables)]
    started = time.perf_counter()
    if first_only:
        status = interruptible(solver, theirs)
        found = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
        _report(model, solver, int(found), started, status != cp_model.UNKNOWN)
        if found:
            yield read(model, [solver.value(one) for one in decisions])
        return
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.catch_sigint_signal = False
    queue: Queue[Any] = Queue()
    told = 0

    class Collector(cp_model.CpSolverSolutionCallback):  # type: ignore[name-defined]  # an optional package
        def on_solution_callback(self) -> None:
            queue.put([self.value(one) for one in decisions])

    collector = Collector()
    outcome: list[Any] = []
    thread = Thread(target=lambda: outcome.append(solver.solve(theirs, collector)), daemon=True)
    thread.start()
    try:
        while True:
            try:
                codes = queue.get(timeout=0.001)
            except Empty:
                if not thread.is_alive() and queue.empty():
                    break
                continue
            told += 1
            yield read(model, codes)
    finally:
        while thread.is_alive():
            solver.stop_search()
            thread.join(0.05)
        _report(model, solver, told, started, bool(outcome) and outcome[0] != cp_model.UNKNOWN)


def interruptible(solver: Any, theirs: Any) -> Any:
    """CP-SAT's status, from a thread beside us: Ctrl-C reaches us, and we stop it."""
    solver.parameters.catch_sigint_signal = False  # its own handler would call back into a search that is gone
    outcome: list[Any] = []
    thread = Thread(target=lambda: outcome.append(solver.solve(theirs)), daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(0.05)
    except BaseException:
        while thread.is_alive():  # it may not have begun yet, and then does not hear the first call
            solver.stop_search()
            thread.join(0.05)
        raise
    return outcome[0]


def optimum(model: Model, objective: tuple[list[tuple[int, Variable]], int], *, seconds: float | None = None, seed: int = 0) -> Any:
    """The solution with the smallest objective."""
    cp_model, theirs, made = translate(model)
    terms, constant = objective
    theirs.minimize(sum(coefficient * made[variable.index] for coefficient, variable in terms))
    solver = cp_model.CpSolver()
    solver.parameters.random_seed = seed
    if seconds is not None:
        solver.parameters.max_time_in_seconds = seconds
    started = time.perf_counter()
    status = interruptible(solver, theirs)
    found = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    _report(model, solver, int(found), started, status in (cp_model.OPTIMAL, cp_model.INFEASIBLE))
    if not found:
        return None
    solution = read(model, [solver.value(one) for one in made[: len(model.lowering.variables)]])
    solution.objective = sum(coefficient * solver.value(made[variable.index]) for coefficient, variable in terms) + constant
    return solution


def read(model: Model, codes: list[int]) -> Solution:
    """A solution from the codes of all variables."""
    return model.read([v.domain.index(code) for v, code in zip(model.lowering.variables, codes, strict=True)])


def _report(model: Model, solver: Any, found: int, started: float, finished: bool) -> None:
    model.statistics = Statistics(
        nodes=int(solver.num_branches),
        failures=int(solver.num_conflicts),
        solutions=found,
        seconds=time.perf_counter() - started,
        finished=finished,
    )
