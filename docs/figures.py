"""Every algorithm at work on a small example, as a drawing: for the pages of the site."""

from __future__ import annotations

import functools
import html

import outplay
from outplay.views import svg, trail, tree

DICE = '{"max": [{"chance": [[0.5, 8], [0.5, 2]]}, {"chance": [[0.9, 4], [0.1, 20]]}]}'
THREE = (
    '{"player": 0, "actions": [{"player": 1, "actions": [{"leaf": [1, 2, 6]}, {"leaf": [4, 3, 3]}]}, '
    '{"player": 1, "actions": [{"leaf": [6, 1, 2]}, {"leaf": [7, 4, 1]}]}]}'
)
EXAMPLES = (
    ("tree", {"tree": "[[3,12,8],[2,4,6],[14,5,2]]"}, ""),
    ("tree", {"tree": DICE}, ""),
    ("tree", {"tree": THREE}, ""),
    ("tic-tac-toe", {}, "b2 a1 c1 a3 a2 c2"),
    ("grid", {}, ""),
    ("vacuum world", {}, ""),
    ("kuhn poker", {}, ""),
)
"""Small games on which an algorithm is drawn: the first that it takes."""
ALSO = {"engine:best-reply": "paranoid", "engine:ismcts": "mcts", "engine:tiles": "deals"}
"""Algorithms of the engine that the textbook has under another name."""
MOST = 3000
"""Nodes of a search for a way: a loop without a memory has no end of its own."""
LARGEST = 90_000
"""Characters of a drawing that fits a page."""


@functools.cache
def at_work(idea: str) -> str | None:
    """The drawing of one algorithm on the first example that it takes."""
    for game, parameters, moves in EXAMPLES:
        start = outplay.load(game, compiled=False, **parameters).start().play(moves)
        try:
            if start.game.players == 1:
                way = trail.trail(start, outplay.best(start, idea, nodes=MOST))
                if way is not None:
                    return svg.board(way, title=idea)
            asked = f"{idea}:simulations=20" if idea == "mcts" else idea
            name, result, grown = outplay.explain(start, asked, outplay.Limits(nodes=MOST))
            picture = tree.draw(grown, line=result.line, title=name)
        except (outplay.errors.OutplayError, ValueError, KeyError, AttributeError, IndexError):
            continue
        if len(picture) < LARGEST:
            return picture
    return mixture(idea)


def mixture(idea: str) -> str | None:
    """How much of each action an algorithm plays at the start of Kuhn poker with the jack, as bars."""
    position = outplay.load("kuhn poker").start()
    while position.is_chance():
        position = position.result(position.chances()[0][0] if hasattr(position, "chances") else position.actions()[0])
    try:
        result = outplay.best(position, idea)
    except outplay.errors.OutplayError:
        return None
    bars = []
    for row, choice in enumerate(result.choices):
        share = choice.share if choice.share is not None else float(choice.action == result.action)
        y, text = 24 + 30 * row, html.escape(position.action_text(choice.action))
        bars.append(f'<text x="60" y="{y + 14}" text-anchor="end">{text}</text>')
        bars.append(f'<rect x="70" y="{y}" width="{max(1, 260 * share):.0f}" height="20" fill="#1f6fc9"/>')
        bars.append(f'<text x="{76 + 260 * share:.0f}" y="{y + 14}">{share:.2f}</text>')
    size = f'width="400" height="{40 + 30 * len(result.choices)}" font-family="system-ui" font-size="13"'
    ground = '<rect width="100%" height="100%" fill="#fff"/><text x="8" y="16">Kuhn poker with the jack</text>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{ground}{"".join(bars)}</svg>'
