"""Routes for what stands beside a search's tree: the way to where it is with its windows, and regrets over iterations."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from fastapi import APIRouter, Request
from pydantic import Field

from outplay.lessons.regrets import filmed
from outplay.values import Limits
from outplay.views.traces import value_text
from outplay.web.boards import clean
from outplay.web.choices import Asked

router = APIRouter(prefix="/api", tags=["look inside"])

WIDE = 1e308
"""Stands for what has no end, which JSON cannot write."""


@router.get("/trees/{address}/way")
def way(address: str, request: Request, tick: int = 0) -> dict[str, Any]:
    """The nodes from the root to where the search is after a step, each with alpha, beta and its value so far; and the tests of a
    search that asks only whether a value is reached.
    """
    grown = request.app.state.orchard.get(address)
    tree = grown.tree
    with grown.lock:
        at = max(0, min(tick, tree.ticks))
        rows = []
        for node in tree.path(tree.focus(at)):
            state = tree.state(node, at)
            rows.append({"node": node, "name": tree.label(node) if node else "the root",
                         "kind": "leaf" if state.status == "leaf" else tree.kind[node],
                         **{name: value_text(getattr(state, name)) for name in ("alpha", "beta", "value")}})  # fmt: skip
        facts = grown.result.facts
        passes = [[max(-WIDE, min(WIDE, value)) for value in one] for one in facts.get("passes", ())] or None
        return clean({"way": rows, "passes": passes, "tests": facts.get("tests"),
                      "pass": sum(tree.word(t) == "enter" and tree.focus(t) == 0 for t in range(1, at + 1))})


class Regrets(Asked):
    """A game with hidden information, how many iterations to show, and whether their plays are sampled."""

    iterations: int = Field(200, ge=1, le=2000)
    sampled: bool = False


@router.post("/regrets")
def regrets(asked: Regrets) -> dict[str, Any]:
    """Counterfactual regret minimization of a small game: its information sets over the iterations."""
    position = asked.position(compiled=None)
    film = filmed(position, asked.iterations, algorithm="mccfr" if asked.sampled else "cfr", limits=Limits(nodes=3000, seconds=10))
    return clean({"game": position.game.name, **asdict(film)})
