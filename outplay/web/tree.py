"""Routes of a game's tree: other lines than the one that is played, gone over to, promoted and deleted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fastapi import APIRouter, HTTPException, Request

from outplay.formats import variations
from outplay.web.boards import Look, Looking
from outplay.web.models import Line, Move, Variation
from outplay.web.seeing import tree_of, view
from outplay.web.tables import AtTable, Table

router = APIRouter(prefix="/api", tags=["play"])
MOST_OTHER_LINES = 40  # of a game; beyond that the last ones go


def lines_kept(lines: Sequence[tuple[str, ...]], now: tuple[str, ...]) -> dict[str, Any]:
    """What to keep of these lines in this order; `now` is the one that is played."""
    telling = variations.tidy(lines)
    kept = [line for line in dict.fromkeys(lines) if line == now or line in telling]
    return {"lines": tuple(line for line in kept if line != now)[:MOST_OTHER_LINES], "place": kept.index(now)}


def _taken(table: Table, lines: Sequence[tuple[str, ...]], now: tuple[str, ...]) -> Table:
    return table.keep(table.line(now), **lines_kept(lines, now))


def branched(table: Table, asked: Move, look: Look) -> dict[str, Any]:
    """Another move than the one that was played: the old line is kept beside the new one."""
    assert asked.at is not None
    table.expect(asked.plies)
    table = table.freed()
    position = table.play.after(asked.at)
    if not table.is_person(position):
        raise HTTPException(409, "it was not a person's turn there")
    text = position.action_text(position.parse_action(asked.action))
    if text == table.saved.actions[asked.at]:
        return view(table, asked.at + 1, look)
    way = (*table.saved.actions[: asked.at], text)
    lines = tree_of(table)
    known = next((line for line in lines if line[: len(way)] == way), None)
    if known is not None:
        return view(_taken(table, lines, known), len(way) if len(known) > len(way) else None, look)
    play = table.line(way).copy()
    play.seed = table.saved.extra.seed
    play.fall()
    line = tuple(ply.text for ply in play.plies)
    return view(_taken(table, variations.added(lines, line), line), None, look)


def _line(table: Table, number: int) -> tuple[str, ...]:
    lines = tree_of(table)
    if number >= len(lines):
        raise HTTPException(404, "there is no such line")
    return lines[number]


@router.post("/records/{address}/lines")
def take_line(table: AtTable, asked: Line, look: Looking) -> dict[str, Any]:
    """Go over to another line of the game; the tree stays as it is."""
    wanted = _line(table, asked.line)
    table.expect(asked.plies)
    table = table.freed()
    return view(_taken(table, tree_of(table), wanted), None if asked.at is None or asked.at >= len(wanted) else asked.at, look)


@router.post("/records/{address}/lines/promote")
def promote_line(table: AtTable, asked: Variation, request: Request, look: Looking) -> dict[str, Any]:
    """A variation becomes the main line of the position where it begins."""
    return _rearranged(table, asked, request, look, variations.promoted)


@router.post("/records/{address}/lines/delete")
def delete_line(table: AtTable, asked: Variation, request: Request, look: Looking) -> dict[str, Any]:
    """Take a move out of the tree, with all that follows it."""
    return _rearranged(table, asked, request, look, variations.without)


def _rearranged(table: Table, asked: Variation, request: Request, look: Look,
                change: Callable[[Sequence[tuple[str, ...]], int, int], list[tuple[str, ...]]]) -> dict[str, Any]:  # fmt: skip
    table = table.freed()
    if asked.at >= len(_line(table, asked.line)):
        raise HTTPException(404, "there is no such move")
    table.expect(asked.plies)
    played = table.saved.actions
    lines = change(tree_of(table), asked.line, asked.at)
    now = played if played in lines else max(lines, key=lambda line: variations.shared(line, played))
    request.app.state.thinkers.forget(table.saved.address)
    return view(_taken(table, lines, now), None, look)
