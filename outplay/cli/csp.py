"""`csp`: solve a constraint problem from a file or typed directly.

>>> from outplay.cli.commands import run_alone
>>> run_alone(csp, "TWO + TWO = FOUR")      # doctest: +ELLIPSIS
T = 7, W = 3, O = 4, F = 1, U = 6, R = 8
...
"""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from outplay.cli.commands import Argument, Option
from outplay.cli.common import AsJson, Seconds, at_least, console, print_json, seconds_in_words
from outplay.errors import BadNotation, BadValue, UnknownName, shorten
from outplay.files import write_whole

if TYPE_CHECKING:
    from outplay.csp.files import Problem
    from outplay.csp.model import Solution
    from outplay.csp.tracing import Step

ProblemText = Annotated[str, Argument(metavar="FILE", help="A file, or the problem itself: 'SEND + MORE = MONEY'.")]
All = Annotated[bool, Option("--all", help="Find every solution.")]
Trace = Annotated[bool, Option("--trace", help="Tell each decision and what propagation made of it.")]
Solver = Annotated[str, Option("--solver", metavar="S", help="own, cp-sat or min-conflicts.")]
Propagation = Annotated[str, Option("--propagation", metavar="P", help="none, forward or arc.")]
Order = Annotated[str, Option("--order", metavar="O", help="input, mrv, mrv+degree or dom/wdeg.")]
Limit = Annotated[int, Option("--limit", metavar="N", help="Show at most this many solutions or steps.")]
Out = Annotated[Path | None, Option("--out", metavar="F", help="Write the constraint graph (.svg) or the search (.html).")]

LEAST_SECONDS = 0.01
CORE_SECONDS = 10.0  # to find out which constraints clash
SOLVERS = ("own", "cp-sat", "min-conflicts")


def csp(
    file: ProblemText,
    all_solutions: All = False,
    trace: Trace = False,
    solver: Solver = "own",
    propagation: Propagation = "arc",
    order: Order = "mrv+degree",
    seconds: Seconds = None,
    limit: Limit = 1000,
    out: Out = None,
    as_json: AsJson = False,
) -> None:
    """Solve a constraint problem: a map, a cryptarithm, a sudoku, queens, or variables and constraints of your own."""
    from outplay.cli.interrupts import Interrupts
    from outplay.cli.progress import working
    from outplay.csp.files import read
    from outplay.csp.solver import load_kernel

    at_least("--limit", 1, limit)
    if solver not in SOLVERS:
        raise UnknownName("solver", solver, SOLVERS)
    if seconds is not None and not seconds > 0:
        raise BadValue(f"--time must be above 0, got {seconds}")
    is_page = _is_page(out)
    text = text_of(file)
    options: dict[str, Any] = {}
    if solver == "own":
        options |= {"propagation": propagation, "order": order}
    with Interrupts() as interrupts, working(f"solving {shorten(file, 40)}", "constraints", "Ctrl-C stops"):
        load_kernel()
        if interrupts.event.is_set():  # one that came inside the compiler is lost otherwise
            raise KeyboardInterrupt
        begun = time.perf_counter()
        problem = read(text)
        if seconds is not None:  # stating the problem takes its share
            options["seconds"] = max(LEAST_SECONDS, seconds - (time.perf_counter() - begun))
        found, total = _solve(problem, all_solutions, solver, options, limit)
        statistics = problem.model.statistics
        core = []
        if total == 0 and statistics.finished:
            left = CORE_SECONDS if seconds is None else min(CORE_SECONDS, seconds - (time.perf_counter() - begun))
            core = [repr(constraint) for constraint in problem.model.core(max(LEAST_SECONDS, left))]
        steps = _steps(problem, all_solutions, options, limit) if trace or is_page else []
        if out is not None:
            _draw(problem, found, steps, out)
    if as_json:
        answer: dict[str, Any] = {
            "kind": problem.kind,
            "solution": found[0] if found else None,
            "solutions": found,
            "count": total,
            "satisfiable": True if total else False if statistics.finished else None,
            "finished": statistics.finished,
            "steps": statistics.nodes,
            "failures": statistics.failures,
            "seconds": statistics.seconds,
            "solver": solver,
            "core": core,
        }
        if found and found[0].objective is not None:
            answer["objective"] = found[0].objective
        if trace:
            answer["trace"] = [asdict(step) for step in steps]
        if out is not None:
            answer["out"] = str(out)
        print_json(answer)
        return
    tell = console().print
    for step in steps if trace else []:
        tell(step_in_words(step), markup=False)
    for solution in found:
        tell(solution_in_words(problem, solution), markup=False)
    if not total and not statistics.finished:
        tell("no solution found in the time given; there may be one" if solver != "min-conflicts" else "min-conflicts found none")
    elif not total:
        tell("no solution: these constraints clash")
        for name in core:
            tell(f"  {name}", markup=False)
    more = f", {total - len(found)} more not shown (--limit)" if total > len(found) else ""
    cut = "" if statistics.finished or not total else ", stopped by --time"
    tell(
        f"{total} solution{'' if total == 1 else 's'}{more}{cut}, {statistics.nodes} steps, {statistics.failures} dead ends, "
        f"{seconds_in_words(statistics.seconds)}"
    )
    if out is not None:
        tell(f"written to {out}", markup=False)


def text_of(file: str) -> str:
    """The text of a problem: a file's, or the argument itself where it states a problem."""
    path = Path(file)
    try:
        if path.is_file():
            return path.read_text("utf-8")
    except (OSError, ValueError) as error:
        raise BadNotation(f"cannot read {shorten(file)!r}: {getattr(error, 'strerror', None) or 'it is no text'}") from None
    if "=" in file or "\n" in file or file.lower().startswith(("queens ", "magic ")) or (len(file) in (16, 81, 256, 625)):
        return file
    raise BadNotation(f"no file {shorten(file)!r}; a problem can be typed directly too, like 'SEND + MORE = MONEY' or 'queens 8'")


def _solve(problem: Problem, everything: bool, solver: str, options: dict[str, Any], limit: int) -> tuple[list[Solution], int]:
    """The solutions to show, and how many there are."""
    model = problem.model
    if problem.objective is not None:
        best = (model.maximize if problem.maximize else model.minimize)(problem.objective, solver=solver, **options)
        return ([best], 1) if best is not None else ([], 0)
    if not everything:
        first = model.solve(solver=solver, **options)
        return ([first], 1) if first is not None else ([], 0)
    found = []
    total = 0
    for solution in model.solutions(solver=solver, **options):
        total += 1
        if total <= limit:
            found.append(solution)
    return found, total


def _steps(problem: Problem, everything: bool, options: dict[str, Any], limit: int) -> list[Step]:
    from outplay.csp.tracing import trace

    switches = {name: value for name, value in options.items() if name != "seconds"}
    return list(trace(problem.model, limit=limit, all_solutions=everything, **switches))


def _is_page(out: Path | None) -> bool:
    if out is not None and out.suffix not in (".svg", ".html"):
        raise BadValue(f"--out must end in .svg or .html, got {shorten(str(out))!r}")
    return out is not None and out.suffix == ".html"


def _draw(problem: Problem, found: list[Solution], steps: list[Step], out: Path) -> None:
    from outplay.views.constraints import edges, graph, search_page

    model = problem.model
    if _is_page(out):
        text = search_page(model.domains, [asdict(step) for step in steps], model.name)
    else:
        scopes = [[variable.name for variable in constraint.scope] for constraint in model.constraints]
        known = set(model.names)
        text = graph(model.names, [e for e in edges(scopes) if known.issuperset(e)], found[0] if found else None, model.name)
    write_whole(out, text)


def step_in_words(step: Step) -> str:
    """One node of the search on one line: the decision, then what is left of the domains it touched."""
    said = "start" if step.variable is None else f"{step.variable} = {step.value}"
    open_ones = {name: " ".join(map(str, values)) or "empty" for name, values in step.domains.items() if len(values) != 1}
    left = ", ".join(f"{name}: {values}" for name, values in open_ones.items())
    end = f"  fails: {step.failed}" if step.failed else "  solved" if step.solved else f"  open {left}" if left else ""
    return f"{'  ' * step.depth}{said}{end}"


def solution_in_words(problem: Problem, solution: Solution) -> str:
    """A solution as its kind of problem is usually shown."""
    if problem.show is not None:
        return problem.show(solution) + "\n"
    shown = ", ".join(f"{name} = {value}" for name, value in solution.items())
    return shown if solution.objective is None else f"{shown}  (objective {solution.objective})"
