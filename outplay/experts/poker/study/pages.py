"""Studies in the studio: places of a kept study as a chart of 13 x 13, with links to where each action and card leads.

The studies are the files that end in `.study` in the folder in which the studio was started.

>>> from fastapi.testclient import TestClient
>>> from outplay.web.app import create_app
>>> studio = TestClient(create_app(), base_url="http://localhost")
>>> "Poker studies" in studio.get("/studies/holdem").text
True
>>> studio.get("/studies/holdem?file=../secret.study").status_code
404
"""

from __future__ import annotations

import threading
from html import escape
from pathlib import Path
from urllib.parse import urlencode

from fastapi import APIRouter, HTTPException
from fastapi.responses import HTMLResponse

from outplay.cards import card_text, cards_text
from outplay.errors import OutplayError
from outplay.experts.poker.charts import NAMES, NUMBERS
from outplay.experts.poker.study.files import load
from outplay.experts.poker.study.look import View, look, words_of
from outplay.experts.poker.study.solver import Study
from outplay.games.holdem.ranges import CLASS_SIZES
from outplay.web.pages import framed

router = APIRouter()
WHERE = "/studies/holdem"
SIZE = 44
QUIET, PASSIVE = "#7aa6d8", "#8cc48c"
BOLD = ("#e9b0a0", "#dd8570", "#c85a45", "#a53a2c", "#7d2419")
EXAMPLE = ('outplay equilibrium "hold\'em" --flop "Qs Jh 2h" --pot 180 --stack 910 --ranges "88+,AJo+ / 22+,A2s+" --sizes 50:50 '
           "--out mine.study")
_lock = threading.Lock()
_latest: dict[tuple[str, int], Study] = {}


def kept() -> list[Path]:
    """The studies in this folder."""
    return sorted(each for each in Path.cwd().glob("*.study") if each.is_file())


def _opened(name: str) -> Study:
    """One of them, open; the latest stays so."""
    found = next((each for each in kept() if each.name == name), None)
    if found is None:
        raise HTTPException(404, f"no study {name!r} is here")
    key = (str(found), found.stat().st_mtime_ns)
    if key not in _latest:
        _latest.clear()
        _latest[key] = load(found)
    return _latest[key]


def colours(actions: tuple[str, ...]) -> list[str]:
    """Folding is blue, checking and calling green, bets and raises red, darker as they grow."""
    bold = [action for action in actions if action not in ("fold", "check", "call")]
    return [QUIET if action == "fold" else PASSIVE if action in ("check", "call") else
            BOLD[min(len(BOLD) - 1, bold.index(action) + (2 if len(bold) == 1 else 1))] for action in actions]


def picture(view: View) -> str:
    """The chart: each square shared among the actions, as tall as the hand is likely to come here."""
    shares, weight, worth = view.chart()
    most = float((weight / CLASS_SIZES).max()) or 1.0
    shown = colours(view.actions)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {13 * SIZE} {13 * SIZE}" role="img" font-family="sans-serif" '
             f'font-size="13" text-anchor="middle" width="{13 * SIZE}">'
             f"<title>{escape(', '.join(view.actions))} by class of hands</title>"]
    for row in range(13):
        for column in range(13):
            number, x, y = int(NUMBERS[row][column]), float(column * SIZE), row * SIZE
            tall = SIZE * float(weight[number] / CLASS_SIZES[number]) / most
            parts.append(f'<rect x="{x:g}" y="{y}" width="{SIZE}" height="{SIZE}" fill="#ececec" stroke="#999"/>')
            told = ""
            if weight[number] > 0:
                at = x
                for action, share in enumerate(shares[:, number]):
                    wide = SIZE * float(share)
                    if wide > 0.05:
                        parts.append(f'<rect x="{at:.1f}" y="{y + SIZE - tall:.1f}" width="{wide:.1f}" height="{tall:.1f}" '
                                     f'fill="{shown[action]}"/>')
                    at += wide
                told = f'<text x="{x + SIZE / 2:g}" y="{y + 35}" font-size="10">{worth[number]:.1f}</text>'
            parts.append(f'<text x="{x + SIZE / 2:g}" y="{y + 19}" fill="#111">{NAMES[row][column]}</text>{told}')
    return "".join([*parts, "</svg>"])



def _link(name: str, steps: list[str], text: str) -> str:
    query = urlencode({"file": name, "line": ", ".join(steps)})
    return f'<a href="{WHERE}?{escape(query)}">{escape(text)}</a>'


@router.get(WHERE, include_in_schema=False)
def studies(file: str = "", line: str = "") -> HTMLResponse:
    """The list, or a place of one of them."""
    if not file:
        listed = "".join(f"<li>{_link(each.name, [], each.name)}</li>" for each in kept())
        body = ("<h1>Poker studies</h1><p>A study is solved on the command line and kept by <code>--out NAME.study</code>; those "
                "in the folder in which this studio was started are here.</p>"
                + (f"<ul>{listed}</ul>" if listed else f"<p>There is none yet: <code>{EXAMPLE}</code></p>"))
        return HTMLResponse(framed("learn", "Poker studies", body))
    with _lock:
        solved = _opened(file)
        steps = words_of(line)
        try:
            return HTMLResponse(framed("learn", file, _place(solved, file, steps)))
        except OutplayError as problem:
            return HTMLResponse(framed("learn", file, _elsewhere(solved, file, steps, str(problem))))


def _crumbs(name: str, steps: list[str]) -> str:
    links = [_link(name, steps[:k], "the start" if k == 0 else steps[k - 1]) for k in range(len(steps) + 1)]
    return f"<p>{' &rsaquo; '.join(links)}</p>"


def _place(solved: Study, name: str, steps: list[str]) -> str:
    view = look(solved, ", ".join(steps))
    shown = colours(view.actions)
    rows = "".join(f'<tr><td style="background:{colour}">&nbsp;&nbsp;</td><td>{_link(name, [*steps, action], action)}</td>'
                   f"<td>{share:.2%}</td></tr>" for action, share, colour in zip(view.actions, view.played, shown, strict=True))
    who = ("first", "last")[view.seat]
    return (f"<h1>{escape(cards_text(view.board, symbols=True, between=' '))}</h1>{_crumbs(name, steps)}"
            f"<p>The {view.street}: the seat that acts {who}, pot {view.pot}. It expects {view.worth:.2f} chips.</p>"
            f"<table><tr><th></th><th>action</th><th>how often</th></tr>{rows}</table>"
            '<figure class="chart"><figcaption>Suited hands above the diagonal; a square is shared among the actions, as tall as '
            f"the hand is likely here; the number is what it expects in chips.</figcaption>{picture(view)}</figure>"
            f"<p>{solved.iterations} iterations, pot {solved.pot} and {solved.stack} behind at the start.</p>")


def _elsewhere(solved: Study, name: str, steps: list[str], problem: str) -> str:
    """Where no seat acts: cards to choose from, or what is wrong."""
    table = {card_text(card) for card in solved.deals.board} | set(steps)
    cards = " ".join(_link(name, [*steps, card_text(card)], card_text(card, symbols=True)) for card in range(51, -1, -1)
                     if card_text(card) not in table)
    choice = f"<p>{cards}</p>" if "comes next" in problem else ""
    return f"<h1>{escape(name)}</h1>{_crumbs(name, steps)}<p>{escape(problem)}</p>{choice}"
