"""Push or fold as a page: the two charts of a stack, drawn, and the same numbers for scripts.

>>> from fastapi.testclient import TestClient
>>> from outplay.web.app import create_app
>>> studio = TestClient(create_app(), base_url="http://localhost")
>>> found = studio.get("/api/charts/push-or-fold?stack=10").json()
>>> found["names"][0][:2], round(found["pushed"], 2)
(['AA', 'AKs'], 0.58)
"""

from __future__ import annotations

import functools
from html import escape
from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse, Response

from outplay.experts.poker.charts import Chart, solve_chart
from outplay.web.pages import framed

router = APIRouter()
Stack = Annotated[float, Query(ge=1, le=50, description="big blinds, in halves")]
SIZE = 40
STACKS = (2, 3, 4, 5, 6, 8, 10, 12, 15, 20)


@functools.lru_cache(maxsize=100)
def _chart(halves: int) -> Chart:
    return solve_chart(halves / 2)


def picture(chart: Chart, grid: np.ndarray, title: str) -> str:
    """One chart as SVG: green always, white never, between them the share; suited hands above the diagonal."""
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {13 * SIZE} {13 * SIZE}" role="img" font-family="sans-serif" '
             f'font-size="13" text-anchor="middle"><title>{escape(title)}</title>']
    for row in range(13):
        for column in range(13):
            share = float(grid[row][column])
            red, green, blue = (round(255 + share * (full - 255)) for full in (104, 190, 120))
            x, y = column * SIZE, row * SIZE
            said = chart.names[row][column]
            mixed = f'<text x="{x + SIZE / 2}" y="{y + 34}" font-size="9">{share:.0%}</text>' if 0.005 < share < 0.995 else ""
            colour = f"#{red:02x}{green:02x}{blue:02x}"
            parts.append(f'<rect x="{x}" y="{y}" width="{SIZE}" height="{SIZE}" fill="{colour}" stroke="#999"/>'
                         f'<text x="{x + SIZE / 2}" y="{y + 24}" fill="#111">{said}</text>{mixed}')
    return "".join([*parts, "</svg>"])


@router.get("/api/charts/push-or-fold")
def numbers(stack: Stack = 10) -> dict[str, Any]:
    """The equilibrium of heads-up push or fold: for each hand the share in which it is pushed, and called."""
    return _chart(round(2 * stack)).data()


@router.get("/charts/push-or-fold/{side}.svg", include_in_schema=False)
def drawn(side: str, stack: Stack = 10) -> Response:
    """One of the two charts."""
    chart = _chart(round(2 * stack))
    grid, title = (chart.call, "big blind calls") if side == "call" else (chart.push, "small blind pushes")
    return Response(picture(chart, grid, title), media_type="image/svg+xml", headers={"cache-control": "max-age=3600"})


@router.get("/charts/push-or-fold", include_in_schema=False)
def charts(stack: Stack = 10) -> HTMLResponse:
    """The page with both."""
    chart = _chart(round(2 * stack))
    links = " ".join(f"<strong>{each}</strong>" if each == chart.stack else
                     f'<a href="/charts/push-or-fold?stack={each}">{each}</a>' for each in STACKS)
    figures = "".join(
        f'<figure class="chart"><figcaption>{title}: {share:.1%} of all hands</figcaption>'
        f'<img width="520" height="520" alt="{title}" src="/charts/push-or-fold/{side}.svg?stack={chart.stack:g}"></figure>'
        for side, title, share in (("push", "The small blind pushes", chart.pushed), ("call", "The big blind calls", chart.called)))
    body = (f"<h1>Push or fold with {chart.stack:g} big blinds</h1>"
            "<p>Heads-up, all in or out: an equilibrium, found by minimizing regrets. Suited hands stand above the diagonal; green "
            f"is always, white never.</p><p>Big blinds: {links}</p>{figures}")
    return HTMLResponse(framed("learn", "Push or fold", body))
