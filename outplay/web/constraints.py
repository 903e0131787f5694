"""Routes for constraint problems: solved step by step, with the domains after each decision."""

from __future__ import annotations

import re
import threading
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from outplay.csp import files
from outplay.csp.puzzles import sudoku
from outplay.csp.tracing import trace
from outplay.errors import BadValue
from outplay.views import constraints as pictures
from outplay.views.maps import AUSTRALIA
from outplay.web.boards import clean
from outplay.web.desk import Stopped, Tell
from outplay.web.limits import MOST_TEXT
from outplay.web.streams import lines_of

router = APIRouter(prefix="/api", tags=["constraints"])
MOST_VARIABLES, MOST_STEPS = 400, 3000


class Stated(BaseModel):
    """A problem as text, and the switches of the search."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(max_length=MOST_TEXT)
    propagation: str = Field("arc", max_length=20)
    order: str = Field("mrv+degree", max_length=20)
    values: str = Field("ascending", max_length=30)
    steps: int = Field(500, ge=1, le=MOST_STEPS)


@router.post("/constraints")
def step_through(asked: Stated, request: Request) -> StreamingResponse:
    """Search with every decision told: lines of JSON with the `problem`, then `step` after `step` up to the first solution.

    The first step has all domains; any other those that differ from the last step one depth above it (at depth 0, from the first).
    """
    problem = files.read(asked.text)
    model = problem.model
    if problem.kind == "sudoku" and asked.propagation != "arc":  # the givens come first, as anybody would have it
        model = sudoku(re.sub(r"(?m)^\s*(#.*|sudoku\s*)$", "", asked.text), as_domains=True)
    names = [variable.name for variable in model.lowering.variables]
    if len(names) > MOST_VARIABLES:
        raise BadValue(f"a problem here may have {MOST_VARIABLES} variables at most, got {len(names)}")

    def work(tell: Tell, stop: threading.Event) -> None:
        scopes = [[variable.name for variable in constraint.scope] for constraint in model.constraints]
        pairs = pictures.edges([scope for scope in scopes if len(scope) <= 12])
        about: dict[str, Any] = {"kind": problem.kind, "variables": names, "constraints": len(scopes), "pairs": pairs[:2000]}
        about["regions"] = AUSTRALIA if set(names) == set(AUSTRALIA) else None
        about["places"] = pictures.layout(names, pairs) if len(names) <= 60 else None
        tell({"problem": about})
        nodes = failures = told = 0
        begun = {one.name: list(map(_plain, one.domain.values)) for one in model.lowering.variables}
        known = {0: begun}  # by depth: a decision that is taken back takes its domains along
        tell({"step": {"depth": 0, "variable": None, "value": None, "domains": begun, "failed": None, "solved": False, "nodes": 0,
                       "failures": 0}})  # fmt: skip
        options: dict[str, Any] = {"propagation": asked.propagation, "order": asked.order, "values": asked.values}
        for step in trace(model, limit=asked.steps, **options):
            if stop.is_set():
                raise Stopped
            nodes += step.depth > 0
            failures += step.failed is not None
            told += 1
            above, here = known[max(0, step.depth - 1)], {name: list(map(_plain, values)) for name, values in step.domains.items()}
            changed = {name: values for name, values in here.items() if above.get(name) != values}
            known[step.depth] = here
            tell({"step": {"depth": step.depth, "variable": step.variable, "value": _plain(step.value), "domains": changed,
                           "failed": step.failed, "solved": step.solved, "nodes": nodes, "failures": failures}})  # fmt: skip
        tell({"done": {"steps": told, "limit": told >= asked.steps}})

    return lines_of(request.app.state.desk.run(work))


def _plain(value: Any) -> Any:
    return clean(value) if isinstance(value, int | float | str | bool | type(None)) or hasattr(value, "item") else str(value)
