"""Routes for looking inside: a traced search is grown once and kept for a while; pages ask for what they show of it."""

from __future__ import annotations

import bisect
import itertools
import secrets
import threading
from dataclasses import dataclass, replace
from typing import Any

from cachetools import LRUCache
from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from outplay.game import Position
from outplay.picture import Graph, Node, tree_places
from outplay.players.explaining import explain, explained
from outplay.values import Result
from outplay.views import tree as pictures
from outplay.views.plain import picture_of
from outplay.views.traces import Tree
from outplay.web import limits as most
from outplay.web.boards import clean, drawn, to_move
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
        self._kept: LRUCache[str, Grown] = LRUCache(most.TREE_NODES_KEPT, getsizeof=_share)
        self._lock = threading.Lock()

    def keep(self, grown: Grown) -> str:
        """Keep a tree and return its address."""
        address = secrets.token_urlsafe(9)
        with self._lock:
            self._kept[address] = grown
        return address

    def get(self, address: str) -> Grown:
        """The tree at an address."""
        with self._lock:
            grown = self._kept.get(address)
        if grown is None:
            raise HTTPException(404, "this tree is no longer kept: grow it again")
        return grown


def _share(grown: Grown) -> int:
    """The nodes that a tree takes of those that may be kept: at least its part of them, so that small trees do not pile up."""
    return min(max(len(grown.tree), most.TREE_NODES_KEPT // most.TREES_KEPT), most.TREE_NODES_KEPT)


class View(BaseModel):
    """What to show of a tree: which nodes are open (none: a good beginning), after which step (none: before the first)."""

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
        _, result, tree = explain(position, asked.algorithm, limits, seed=asked.seed, watch=watching(tell, stop))
        grown = Grown(tree, result, name, position, threading.Lock())
        address = request.app.state.orchard.keep(grown)
        whole = len(tree) <= pictures.MOST_WHOLE
        figures = {"address": address, "nodes": len(tree), "pruned": tree.pruned, "ticks": tree.ticks, "whole": whole,
                   "iterations": len(tree.iterations)}  # fmt: skip
        more = {"searched": result.nodes, "cost": result.facts.get("cost"), "map": is_walked(grown), "plan": plan_of(result)}
        tell({"tree": {**told(result, position, name), **figures, **more}})

    return lines_of(request.app.state.desk.run(work))


@router.post("/trees/{address}/view")
def look(address: str, asked: View, request: Request) -> dict[str, Any]:
    """The visible part of a tree after a step, as SVG; a small tree comes with all its steps."""
    grown = request.app.state.orchard.get(address)
    tree = grown.tree
    with grown.lock:
        opened = pictures.default_open(tree, grown.result.line) if asked.opened is None else {
            node for node in asked.opened if 0 <= node < len(tree)}  # fmt: skip
        tick = 0 if asked.tick is None else min(asked.tick, tree.ticks)
        if asked.follow:
            opened |= set(tree.path(tree.focus(tick))[:-1])
        answer: dict[str, Any] = {
            "svg": pictures.draw(tree, tick, opened, grown.result.line, f"{grown.name} on {grown.position.game.name}"),
            "word": tree.word(tick), "kind": tree.kind[tree.focus(tick)],
            "caption": tree.caption(tick), "tick": tick, "ticks": tree.ticks, "opened": sorted(opened), "focus": tree.focus(tick),
            "visible": len(pictures.visible(tree, opened)), "iteration": _iteration(tree, tick),
        }  # fmt: skip
        if len(tree) <= pictures.MOST_WHOLE:
            answer["frames"] = pictures.frames(tree, opened)
    return clean(answer)


WALKS = ("tree-search", "graph-search", "depth-first", "breadth-first", "uniform-cost", "greedy", "a-star", "ida-star", "dfid",
         "lrta-star")  # fmt: skip


def is_walked(grown: Grown) -> bool:
    """Whether the search walks over a board that can show where it has been."""
    picture = grown.position.picture()
    if grown.name not in WALKS or picture is None or not picture.cells:
        return False
    return sum(cell.owner == 0 for row in picture.cells for cell in row) == 1


@router.get("/trees/{address}/map")
def walked(address: str, request: Request, tick: int = 0) -> dict[str, Any]:
    """The board of a search for a way after a step: the frontier, what was expanded, the way, and g, h and f of the node."""
    grown = request.app.state.orchard.get(address)
    if not is_walked(grown):
        raise HTTPException(422, "this search does not walk over a board")
    with grown.lock:
        return clean(_map(grown, max(0, min(tick, grown.tree.ticks))))


def _map(grown: Grown, tick: int) -> dict[str, Any]:
    tree, start = grown.tree, grown.position
    spots: dict[Any, Any] = {}

    def where(position: Position) -> Any:
        if position not in spots:
            cells = ((picture := position.picture()) and picture.cells) or ()
            spots[position] = next(((r, c) for r, row in enumerate(cells) for c, cell in enumerate(row) if cell.owner == 0), None)
        return spots[position]

    expanded = [node for node in range(len(tree)) if tree.state(node, tick).status != "unseen"]
    closed: dict[Any, int] = {}
    for node in expanded:
        position = tree.position(node)
        if position is not None:
            closed.setdefault(where(position), node)
    frontier: dict[Any, dict[str, Any]] = {}
    for node in expanded:
        position = tree.position(node)
        if position is None or position.is_terminal():
            continue
        for action in position.actions():
            after = position.result(action)
            spot = where(after)
            if spot not in closed:
                entry = _figures(tree, node, after, position.cost(action))
                if spot not in frontier or entry["f"] < frontier[spot]["f"]:
                    frontier[spot] = {**entry, "name": after.text()}
    focus = tree.focus(tick)
    marks: dict[Any, str] = dict.fromkeys(closed, "closed") | dict.fromkeys(frontier, "open")
    way = tree.path(focus) if tick < tree.ticks else tree.follow(grown.result.line)
    for node in way:
        position = tree.position(node)
        if position is not None:
            marks[where(position)] = "path"
    here = tree.position(focus)
    picture = start.picture()
    assert picture is not None
    figures = None if here is None else _figures(tree, focus, here, 0.0)
    best = sorted(frontier.values(), key=lambda entry: (entry["f"], entry["name"]))[:8]
    marks = {spot: kind for spot, kind in marks.items() if spot is not None}
    return {"board": drawn(picture, "the search on the map", marks=marks), "node": None if here is None else here.text(),
            "figures": figures, "frontier": best, "open": len(frontier), "closed": len(closed)}  # fmt: skip


def _figures(tree: Tree, node: int, position: Position, more: float) -> dict[str, Any]:
    """The cost so far, the estimate of the rest, and their sum."""
    way, cost = tree.path(node), 0.0
    for above, below in itertools.pairwise(way):
        before = tree.position(above)
        cost += before.cost(tree.action[below]) if before is not None else 0.0
    g = cost + more
    h = float(position.estimate()) if position.game.offers("estimate") else 0.0
    return {"g": g, "h": h, "f": g + h}


def plan_of(result: Result) -> dict[str, Any] | None:
    """The plan of an AND-OR search as the lectures draw it: states are boxes, an action leads to all its outcomes at once."""
    plan = result.facts.get("plan")
    if plan is None or not hasattr(plan, "branches"):
        return None
    nodes: dict[Any, tuple[str, str]] = {}
    below: dict[Any, list[Any]] = {}
    labels: dict[tuple[Any, Any], str] = {}

    def put(name: str, state: str, here: Any) -> None:
        nodes[name] = (state, "box")
        below[name] = []
        if here.action is None or len(nodes) > 120:
            return
        both = name + "&"
        nodes[both] = ("", "circle")
        below[name].append(both)
        labels[name, both] = here.action_text
        below[both] = []
        for number, (state_after, rest) in enumerate(here.branches):
            below[both].append(f"{name}.{number}")
            put(f"{name}.{number}", _state_text(state_after), rest)

    put("0", "now", plan)
    where = tree_places(below, "0", 1.3)
    drawn_nodes = {name: Node(*where[name], label=label[:14], kind=kind) for name, (label, kind) in nodes.items()}
    edges = tuple((name, child) for name, children in below.items() for child in children)
    return drawn(Graph(nodes=drawn_nodes, edges=edges, labels=labels), "the plan")


def _state_text(state: Any) -> str:
    positions = getattr(state, "positions", None)
    if positions is None:
        return state.text()
    return " | ".join(sorted(one.text() for one in positions)) if len(positions) < 3 else f"{len(positions)} states"


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
def node_facts(address: str, node: int, request: Request, tick: int | None = None) -> dict[str, Any]:
    """One node after a step (left out: at the end): the way to it, its position with its picture, its children's values."""
    grown = request.app.state.orchard.get(address)
    tree = grown.tree
    if not 0 <= node < len(tree):
        raise HTTPException(404, f"nodes go from 0 to {len(tree) - 1}, got {node}")
    with grown.lock:
        position = tree.position(node)
        picture = None if position is None else picture_of(_seen(position))
        state = tree.latest(node) if tick is None else tree.state(node, max(0, min(tick, tree.ticks)))
        return clean({
            "name": tree.name(node), "kind": tree.kind[node], "worlds": _worlds(tree, node),
            **state._asdict(), "reason": tree.reasons.get(node, ""),
            "position": None if position is None else position.text(),
            "board": None if picture is None or position is None else drawn(picture, position.text()),
            "player": None if position is None else to_move(position),
            "children": [{"node": child, "action": tree.label(child), **tree.latest(child)._asdict()}
                         for child in tree.below(node)[: pictures.MOST_BROOD]],
        })  # fmt: skip


def _seen(position: Position) -> Position:
    """A position as the player to move sees it: what a search over hidden things knows is no more."""
    hidden = position.game.traits.information == "hidden" and not position.is_terminal() and position.player() >= 0
    return position.observe(position.player()) if hidden else position


def _worlds(tree: Tree, node: int) -> list[dict[str, Any]]:
    """What the world may be like at a node of a search for a plan, as pictures."""
    pictures_of = ((world, picture_of(world)) for world in tree.worlds(node)[: pictures.MOST_WORLDS])
    return [drawn(picture, world.text()) for world, picture in pictures_of if picture is not None]


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
