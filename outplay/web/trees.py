"""Routes for looking inside: a traced search is grown once and kept for a while; pages ask for what they show of it."""

from __future__ import annotations

import bisect
import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from outplay.game import Position
from outplay.players.explaining import explain, explained
from outplay.values import Result
from outplay.views import tree as pictures
from outplay.views.traces import Tree
from outplay.web import limits as most
from outplay.web.boards import clean, drawn
from outplay.web.choices import Search
from outplay.web.desk import Tell
from outplay.web.searches import told, watching
from outplay.web.streams import lines_of

router = APIRouter(prefix="/api", tags=["look inside"])


@dataclass(frozen=True)
class Grown:
    """A tree with what it was grown from."""

    tree: Tree
    result: Result
    name: str
    position: Position
    lock: threading.Lock


class Orchard:
    """The trees that were looked at lately; the oldest go when there are too many, or too many nodes."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Grown] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, grown: Grown) -> str:
        """Keep a tree and return its address."""
        address = secrets.token_urlsafe(9)
        with self._lock:
            self._kept[address] = grown
            while len(self._kept) > most.TREES_KEPT or (
                len(self._kept) > 1 and sum(len(kept.tree) for kept in self._kept.values()) > most.TREE_NODES_KEPT
            ):
                self._kept.popitem(last=False)
        return address

    def get(self, address: str) -> Grown:
        """The tree at an address."""
        with self._lock:
            if address not in self._kept:
                raise HTTPException(404, "this tree is no longer kept: grow it again")
            self._kept.move_to_end(address)
            return self._kept[address]


class View(BaseModel):
    """What to show of a tree: which nodes are open (none: a good beginning), after which step (none: the last)."""

    model_config = ConfigDict(extra="forbid")

    opened: list[int] | None = Field(None, max_length=2000)
    tick: int | None = Field(None, ge=0)
    follow: bool = Field(False, description="Open the way to the node that the step is about")


@router.post("/trees")
def grow(asked: Search, request: Request) -> StreamingResponse:
    """Search with every step kept: lines of JSON with `queued`, `progress` and at last `tree`, its address and figures."""
    position = asked.position(compiled=None)
    name = explained(asked.algorithm, position.game)
    most.check("nodes", asked.nodes, most.MOST_TRACED_NODES)
    limits = replace(asked.limits(name, most.MOST_SECONDS), nodes=asked.nodes or most.MOST_TRACED_NODES)
    if name == "mcts":
        limits = replace(limits, simulations=most.check("simulations", asked.simulations, 20_000), depth=None)

    def work(tell: Tell, stop: threading.Event) -> None:
        _, result, tree = explain(position, name, limits, seed=asked.seed, watch=watching(tell, stop))
        grown = Grown(tree, result, name, position, threading.Lock())
        address = request.app.state.orchard.keep(grown)
        whole = len(tree) <= pictures.MOST_WHOLE
        figures = {"address": address, "nodes": len(tree), "pruned": tree.pruned, "ticks": tree.ticks, "whole": whole,
                   "iterations": len(tree.iterations)}  # fmt: skip
        tell({"tree": {**told(result, position, name), **figures, "searched": result.nodes}})

    return lines_of(request.app.state.desk.run(work))


@router.post("/trees/{address}/view")
def look(address: str, asked: View, request: Request) -> dict[str, Any]:
    """The visible part of a tree after a step, as SVG; a small tree comes with all its steps."""
    grown = request.app.state.orchard.get(address)
    tree = grown.tree
    with grown.lock:
        opened = pictures.default_open(tree, grown.result.line) if asked.opened is None else {
            node for node in asked.opened if 0 <= node < len(tree)}  # fmt: skip
        tick = tree.ticks if asked.tick is None else min(asked.tick, tree.ticks)
        if asked.follow:
            opened |= set(tree.path(tree.focus(tick))[:-1])
        answer: dict[str, Any] = {
            "svg": pictures.draw(tree, tick, opened, grown.result.line, f"{grown.name} on {grown.position.game.name}"),
            "caption": tree.caption(tick), "tick": tick, "ticks": tree.ticks, "opened": sorted(opened), "focus": tree.focus(tick),
            "visible": len(pictures.visible(tree, opened)), "iteration": _iteration(tree, tick),
        }  # fmt: skip
        if len(tree) <= pictures.MOST_WHOLE:
            answer["frames"] = pictures.frames(tree, opened)
    return clean(answer)


def _iteration(tree: Tree, tick: int) -> int:
    return bisect.bisect_right(tree.iterations, tick)


@router.get("/trees/{address}/iterations/{number}")
def iteration(address: str, number: int, request: Request) -> dict[str, int]:
    """The last step of a simulation of Monte Carlo tree search."""
    tree = request.app.state.orchard.get(address).tree
    if not 0 <= number <= len(tree.iterations):
        raise HTTPException(422, f"simulations go from 0 to {len(tree.iterations)}, got {number}")
    return {"tick": tree.iterations[number - 1] if number else 0}


@router.get("/trees/{address}/nodes/{node}")
def node_facts(address: str, node: int, request: Request) -> dict[str, Any]:
    """One node: the way to it, its position with its picture, and its children with their values."""
    grown = request.app.state.orchard.get(address)
    tree = grown.tree
    if not 0 <= node < len(tree):
        raise HTTPException(404, f"nodes go from 0 to {len(tree) - 1}, got {node}")
    with grown.lock:
        position = tree.position(node)
        picture = None if position is None else position.picture()
        state = tree.latest(node)
        return clean({
            "name": tree.name(node), "kind": tree.kind[node], **state._asdict(), "reason": tree.reasons.get(node, ""),
            "position": None if position is None else position.text(),
            "board": None if picture is None or position is None else drawn(picture, position.text()),
            "children": [{"node": child, "action": tree.label(child), **tree.latest(child)._asdict()}
                         for child in tree.below(node)[: pictures.MOST_BROOD]],
        })  # fmt: skip


@router.get("/trees/{address}/file.{kind}")
def save_tree(address: str, kind: str, request: Request) -> Response:
    """The tree as a standalone file: html steps through the search, svg shows its end."""
    grown = request.app.state.orchard.get(address)
    title = f"{grown.name} on {grown.position.game.name}"
    facts = f"{grown.result.nodes:,} nodes, {grown.result.leaves:,} leaves, {grown.tree.pruned:,} actions skipped."
    with grown.lock:
        if kind == "html":
            text, media = pictures.page(grown.tree, title=title, facts=facts, line=grown.result.line), "text/html"
        elif kind == "svg":
            text, media = pictures.draw(grown.tree, line=grown.result.line, title=title), "image/svg+xml"
        else:
            raise HTTPException(404, "a tree can be saved as html or svg")
    return Response(text, media_type=media, headers={"content-disposition": f'attachment; filename="tree.{kind}"'})
