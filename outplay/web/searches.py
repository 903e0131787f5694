"""Routes for searching: a stream of results for one position, and several algorithms side by side on it."""

from __future__ import annotations

import contextlib
import threading
import time
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse
from pydantic import Field

from outplay.engine import registry
from outplay.errors import BadValue, OutplayError
from outplay.game import Position
from outplay.jit import watch_compiling
from outplay.judge.shares import Fit, known
from outplay.judge.worth import Judge
from outplay.players.algorithms import LOCAL, algorithms, comparable, compile_rules, refuse_local, resolve, search
from outplay.players.prompt import Glimpse
from outplay.textbook.search import OutOfTime
from outplay.values import UTILITY, Choice, Limits, Result, Value
from outplay.views.panel import panel_of
from outplay.views.results import fields
from outplay.views.words import action_texts as texts
from outplay.web import limits as most
from outplay.web.choices import Search
from outplay.web.desk import Stopped, Tell
from outplay.web.spoken import spelled_line
from outplay.web.streams import lines_of

router = APIRouter(prefix="/api", tags=["search"])
PROGRESS_SECONDS = 0.25
MOST_PLAYS = 150


class Comparison(Search):
    """A position and the algorithms to compare on it; none named: those that promise the same value."""

    algorithms: list[str] = Field(default_factory=list, max_length=most.MOST_COMPARED)


@router.post("/think")
def think(asked: Search, request: Request) -> StreamingResponse:
    """Search a position: lines of JSON with `queued`, `progress` and `result`, the last result being the answer.

    Where time alone limits it and the compiler is at work for longer than a moment, `glance` comes first: what plain Python likes.
    """
    position = asked.position(compiled=None)
    name = resolve(asked.algorithm, position.game)
    limits = asked.limits(name)

    def work(tell: Tell, stop: threading.Event) -> None:
        watch = watching(tell, stop)
        options: dict[str, Any] = {"seed": asked.seed, "memory": most.MOST_MEGABYTES, "lines": asked.lines}
        is_timed = asked.depth is None and asked.nodes is None and asked.simulations is None
        glimpse = Glimpse(position, lambda text: tell({"glance": spelled_line(position, [text])[0]})) if is_timed else None
        with watch_compiling(lambda kernel: tell({"compiling": kernel.strip("_")})), contextlib.ExitStack() as seen:
            if glimpse is not None:
                seen.callback(glimpse.end)
            for result in search(position, asked.algorithm, limits, watch=watch, stop=stop, **options):
                if stop.is_set():
                    raise Stopped
                if glimpse is not None:
                    glimpse.end()
                tell({"result": told(result, position, result.algorithm)})
            if asked.lines > 1 and position.game.traits.chance and len(result.choices) < 2 and not result.exact:
                listed = list_of_plays(position, asked.algorithm, result, stop, options)
                tell({"result": {**told(result, position, result.algorithm), "candidates": candidates(listed, position)}})

    return lines_of(request.app.state.desk.run(work))


@router.post("/compare")
def compare(asked: Comparison, request: Request) -> StreamingResponse:
    """Run several algorithms on one position: lines of JSON with a `row` for each, as soon as it is done."""
    position = asked.position(compiled=None)
    for name in asked.algorithms:
        refuse_local(name)
    chosen = asked.algorithms or comparable(position.game)
    if asked.depth is None and asked.seconds is None and asked.simulations is None and asked.nodes is None:
        raise BadValue("a comparison needs a depth, or a limit of seconds, nodes or simulations")
    limits = {name: asked.limits(resolve(name, position.game)) for name in chosen}

    def work(tell: Tell, stop: threading.Event) -> None:
        compile_rules(position.game)
        tell({"algorithms": chosen})
        for name in chosen:
            watch = watching(tell, stop, algorithm=name)
            try:
                result = None
                get_ready(position, name)
                options: dict[str, Any] = {"seed": asked.seed, "memory": most.MOST_MEGABYTES, "watch": watch, "stop": stop}
                for result in search(position, name, limits[name], **options):  # noqa: B007  the last one counts
                    if stop.is_set():
                        raise Stopped
                assert result is not None  # every search reports at least once
                tell({"row": told(result, position, name)})
            except OutplayError as problem:
                if stop.is_set():
                    raise Stopped from None
                tell({"row": {"algorithm": name, "problem": str(problem)}})

    return lines_of(request.app.state.desk.run(work))


@router.get("/algorithms")
def list_algorithms() -> dict[str, Any]:
    """Every search with what can be set of it: kind, range, what it is otherwise, and what it does."""
    return {"algorithms": {
        name: {"about": each.description, "options": [
            {"name": option.name, "kind": "word" if option.kind == "function" else option.kind, "default": option.default,
             "range": option.range_in_words(), "about": option.help, "words": list(option.words), "least": option.least,
             "most": option.most}
            for option in each.options if (option.kind != "function" or option.words) and option.name not in LOCAL]}
        for name, each in algorithms().items()
    }}  # fmt: skip


def get_ready(position: Position, name: str) -> None:
    """Compile or load the engine's search before it is timed."""
    kind = name.partition(":")[2].partition(",")[0]
    if name.startswith("engine:") and kind in registry.SEARCHES:
        with contextlib.suppress(OutplayError):
            for _ in search(position, f"engine:{kind}", registry.first_look(kind), memory=1):
                pass


def watching(tell: Tell, stop: threading.Event, **more: Any) -> Any:
    """A watch for the textbook's searches: tells how far they are, and ends them once nobody waits any more."""
    last = time.monotonic()

    def watch(nodes: int, depth: int) -> None:
        nonlocal last
        if stop.is_set():
            raise OutOfTime("stopped")
        if time.monotonic() - last > PROGRESS_SECONDS:
            last = time.monotonic()
            tell({"progress": {"nodes": nodes, "depth": depth, **more}})

    return watch


def told(result: Result, position: Position, algorithm: str) -> dict[str, Any]:
    """A Result for JSON; values are in the unit that it names."""
    found = fields(result, position, algorithm)
    return {
        **found,
        "candidates": candidates(result, position),
        "cost": result.facts.get("cost"),
        "steps": len(result.line),
        "words": spelled_line(position, found["line"]),
        "share": share_of_first(result, position),
    }


def list_of_plays(position: Position, name: str, found: Result, stop: threading.Event, options: dict[str, Any]) -> Result:
    """Every action with the mean over what chance does next, the best first, where a search tells of its best one alone.

    All are looked at equally deep, one ply, so that their differences count; the choice of the deeper search is among them.
    """
    made = []
    for action in position.actions()[:MOST_PLAYS]:
        after = position.result(action)
        value: Value | None = None
        if after.is_terminal():
            value = after.utilities()[0] * (1.0 if found.unit == UTILITY else found.scale)
        else:
            for result in search(after, name, Limits(depth=1), stop=stop, **{**options, "lines": 1}):
                value = result.value
        if stop.is_set():
            raise Stopped
        made.append(Choice(action, value))
    sign = -1 if position.player() == 1 else 1
    made.sort(key=lambda one: -sign * one.value if isinstance(one.value, int | float) else 0.0)
    return replace(found, choices=tuple(made))


def share_of_first(result: Result, position: Position) -> float | None:
    """The first player's share of winning, as every door of the judge reads it; None where it is not known without more games."""
    game = position.game
    fit = known(game)
    if game.traits.sides != 2 or game.traits.information == "hidden" or not (result.exact or fit is not None):
        return None
    return Judge(game, fit=fit or Fit(), proofs=0).read(replace(result), position).share(0)


def candidates(result: Result, position: Position) -> list[dict[str, Any]]:
    """The actions that the search can say something of, the best first; values are MAX's where two share out a zero."""
    about = panel_of(position.game).about
    more = about(position, [one.action for one in result.choices[:MOST_PLAYS]]) if about is not None else {}
    return [
        {"action": position.action_text(one.action), "value": one.value, "visits": one.visits, "proved": one.proved,
         "line": texts(position, one.line),
         "words": spelled_line(position, texts(position, one.line) or [position.action_text(one.action)]),
         "about": more.get(one.action, {})}
        for one in result.choices
        if one.value is not None
    ]  # fmt: skip
