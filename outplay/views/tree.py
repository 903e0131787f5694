"""Pictures of search trees, as the lectures draw them: MAX is a triangle up, MIN a triangle down, chance a circle, a leaf a square.
In a search for a plan an OR node is a box with what the world may be like, an AND node a circle with an arc over its outcomes.

`draw` makes one SVG of the nodes that are to be seen, as they stood after a tick; `page` makes a file that steps through the whole
search by itself, forwards and backwards, without anything from elsewhere. Cut branches are struck through.

>>> from outplay.game import load
>>> from outplay.textbook.alphabeta import alphabeta
>>> root = load("tree", tree="[[3,12,8],[2,4,6],[14,5,2]]").start()
>>> tree = Tree(alphabeta(root, trace=True).trace, root)
>>> drawing = draw(tree)
>>> drawing.count('class="node max'), drawing.count('class="node min'), drawing.count('class="node leaf struck')
(1, 3, 2)
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any

from outplay.game import Position
from outplay.picture import Picture
from outplay.values import Action
from outplay.views import svg as scenes_svg
from outplay.views import theme as scenes
from outplay.views.plain import picture_of
from outplay.views.traces import ROOT, STRUCK, UNSEEN, State, Tree, value_text, window_text

MOST_WHOLE = 700
"""Up to so many nodes a tree is drawn whole; of a larger one its top, the principal line and what the reader opens."""

MOST_BROOD = 48
"""Children of one node that are drawn; the rest is told as a number."""

MOST_WORLDS = 12
"""Worlds of a belief that are drawn; the rest is told as a number."""

WORLD = 46  # the longer side of a world in its box
ROW = 106  # from one ply to the next
GAP = 10  # between two neighbours
SIZE = 15  # half the height of a node
LOW = 10  # half the height of a leaf in a dense drawing
WIDE = 1040  # a tree that would be wider is drawn densely: leaves close together, every other one lower
DROP = 36  # how much lower

STYLE = """
svg.search { --ink: #2a303b; --faint: #8a93a3; --line: #9aa4b4; --max: #1f6feb; --min: #d9480f; --chance: #2b8a3e; --leaf: #f1f3f7;
  --ground: #ffffff; --now: #ffd84d; --cut: #c92a2a; font-family: system-ui, sans-serif; }
@media (prefers-color-scheme: dark) {
  svg.search { --ink: #d7dde8; --faint: #7d8798; --line: #566074; --max: #4d94ff; --min: #ff8a47; --chance: #5fc076;
    --leaf: #262d38; --ground: #14171c; --now: #8a6d00; --cut: #ff7b72; } }
svg.search .ground { fill: var(--ground); }
svg.search .edge { stroke: var(--line); stroke-width: 1.4; fill: none; }
svg.search .best > .edge { stroke: var(--ink); stroke-width: 3; }
svg.search .shape { stroke: var(--ground); stroke-width: 1; }
svg.search .max > .shape { fill: var(--max); } svg.search .min > .shape { fill: var(--min); }
svg.search .chance > .shape { fill: var(--chance); }
svg.search .or > .shape { fill: var(--leaf); stroke: var(--max); stroke-width: 2; }
svg.search .and > .shape { fill: var(--min); } svg.search .arc { stroke: var(--min); stroke-width: 2.5; fill: none; }
svg.search .way > .shape { fill: var(--leaf); stroke: var(--max); stroke-width: 2; }
svg.search .way.best > .shape { fill: var(--max); }
svg.search .plain { font-size: 11px; } svg.search .or.unseen > .world { opacity: 0.5; }
svg.search .other > .shape { fill: var(--max); } svg.search .leaf > .shape { fill: var(--leaf); stroke: var(--line); }
svg.search text { fill: var(--ink); text-anchor: middle; font-size: 12px; }
svg.search .value { font-weight: 700; font-size: 13px; }
svg.search .node:not(.leaf) > .value, svg.search .window, svg.search .more { paint-order: stroke; stroke: var(--ground);
  stroke-width: 8px; }
svg.search .window { stroke-width: 12px; stroke-linejoin: round; }
svg.search .leaf .value { dominant-baseline: central; }
svg.search .window, svg.search .action, svg.search .more { fill: var(--faint); font-size: 11px; }
svg.search .action { paint-order: stroke; stroke: var(--ground); stroke-width: 4px; fill: var(--ink); }
svg.search.dense .leaf .value { font-size: 12px; }
svg.search .letter { fill: #fff; font-size: 11px; dominant-baseline: central; }
svg.search .unseen { opacity: 0.42; } svg.search.growing .unseen { opacity: 0; }
svg.search.growing .unseen[data-node="0"] { opacity: 0.42; }
svg.search .second > .shape { fill: var(--min); } svg.search .third > .shape { fill: var(--chance); }
svg.search .node:focus-visible { outline: none; } svg.search .node:focus-visible > .shape { stroke: var(--ink); stroke-width: 4; }
svg.search .struck > .shape { fill: none; stroke: var(--faint); stroke-dasharray: 3 2; }
svg.search .struck > .edge { stroke-dasharray: 4 3; }
svg.search .struck .value { fill: var(--faint); text-decoration: line-through; }
svg.search .slash { stroke: var(--cut); stroke-width: 2.5; display: none; } svg.search .struck > .slash { display: inline; }
svg.search .now > .shape { stroke: var(--now); stroke-width: 5; paint-order: stroke; }
svg.search .closed { cursor: pointer; } svg.search .closed > .shape { stroke: var(--ink); stroke-width: 2; stroke-dasharray: 2 2; }
"""


def default_open(tree: Tree, line: Iterable[Action] = (), most: int = MOST_WHOLE) -> set[int]:
    """The nodes whose children are shown at first: all of a small tree; else the principal line and the top, by breadth."""
    if len(tree) <= most:
        return {node for node in range(len(tree)) if tree.children[node]}
    opened = set(tree.follow(line)) | {ROOT}
    room = most // 4 - sum(min(len(tree.below(node)), MOST_BROOD) for node in opened)
    level = tree.below(ROOT)
    while level and room > 0:
        deeper = []
        for node in level:
            brood = min(len(tree.below(node)), MOST_BROOD)
            if brood and node not in opened and room >= brood:
                opened.add(node)
                room -= brood
            if node in opened:
                deeper += tree.below(node)
        level = deeper
    return {node for node in opened if tree.children[node]}


def visible(tree: Tree, opened: Collection[int]) -> list[int]:
    """The nodes to be drawn, parents before children: the root and the children of open nodes, only so many of each."""
    shown = [ROOT]
    for node in shown:  # grows while it is walked
        if node in opened:
            shown += brood(tree, node, opened)
    return shown


def brood(tree: Tree, node: int, opened: Collection[int]) -> list[int]:
    """The children of a node that are drawn: the first ones, and those that are open themselves."""
    below = tree.below(node)
    return [child for place, child in enumerate(below) if place < MOST_BROOD or child in opened]


def draw(tree: Tree, tick: int | None = None, opened: Collection[int] | None = None, line: Iterable[Action] = (),
         title: str = "search tree") -> str:
    """The tree after a tick (left out: at the end) as one standalone SVG; `opened` are the nodes whose children are shown."""
    tick = tree.ticks if tick is None else max(0, min(tick, tree.ticks))
    opened = default_open(tree, line) if opened is None else opened
    shown = visible(tree, opened)
    best = (tree.solution() if tree.is_plan else set(tree.follow(line))) if tick == tree.ticks else set()
    sheet = Sheet(tree, shown)
    places, width, height = _layout(tree, shown, sheet)
    kinds = f'search{" growing" if tree.iterations else ""}{" dense" if sheet.dense else ""}'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{kinds}" '
        f'width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{escape(title)}">',
        f"<title>{escape(title)}</title>",
        f"<style>{scenes.STYLE if sheet.drawn else ''}{STYLE}</style>",
        f"<defs>{''.join(sheet.drawn)}</defs>" if sheet.drawn else "",
        f'<rect class="ground" width="{width:g}" height="{height:g}" rx="8"/>',
    ]
    bonus = tree.bonus(tick)
    now = tree.focus(tick) if 0 < tick < tree.ticks else -1
    for node in reversed(shown):  # children first, so that nodes lie over the edges that lead to them
        parts.append(_node(tree, node, tree.state(node, tick), places, sheet, node in opened, node in best, node == now,
                           bonus.get(node)))  # fmt: skip
    return "\n".join(parts) + "\n</svg>\n"


Places = dict[int, tuple[float, float]]


class Sheet:
    """How large the nodes are, and what stands in the boxes of a search for a plan: the worlds that the agent may be in.

    A world is drawn as the game draws it, once, and used wherever it stands; one whose board is too large to be told apart when it
    is small stands there as text.
    """

    def __init__(self, tree: Tree, shown: list[int]) -> None:
        self.drawn: list[str] = []
        self._numbers: dict[Position, tuple[int, float, float]] = {}  # by world: its number, width and height
        self.boxes: dict[int, tuple[float, float, str]] = {}  # by OR node: half the width, half the height, what stands in it
        for node in shown:
            worlds = tree.worlds(node)
            if worlds:
                self.boxes[node] = self._box(worlds)
        self.dense = is_dense(tree, shown)
        self.low: set[int] = set()  # leaves that stand lower than their sisters

    def half(self, tree: Tree, node: int) -> float:
        """Half the height of a node."""
        if tree.kind[node] == "and":
            return 9.0
        return self.boxes[node][1] if node in self.boxes else LOW if self.dense and _shape(tree, node)[0] == "leaf" else SIZE

    def _box(self, worlds: tuple[Position, ...]) -> tuple[float, float, str]:
        sizes = [self._world(world) for world in worlds[:MOST_WORLDS]]
        wide, tall = max(width for _, width, _ in sizes), max(height for _, _, height in sizes)
        across = 1 if len(sizes) == 1 else 2 if len(sizes) <= 4 else 3 if len(sizes) <= 9 else 4
        down = -(-len(sizes) // across)
        half_wide, half_tall = across * (wide + 4) / 2 + 3, down * (tall + 4) / 2 + 3
        parts = []
        for place, (number, width, height) in enumerate(sizes):
            x = -half_wide + 5 + place % across * (wide + 4) + (wide - width) / 2
            y = -half_tall + 5 + place // across * (tall + 4) + (tall - height) / 2
            if number < 0:
                parts.append(_words("plain", x + width / 2, y + height - 4, worlds[place].text()))
            else:
                parts.append(f'<use class="world" href="#world-{number}" x="0" y="0" transform="translate({x:g} {y:g})"/>')
        if len(worlds) > MOST_WORLDS:
            parts.append(_words("more", half_wide - 12, half_tall - 3, f"+{len(worlds) - MOST_WORLDS}"))
        return half_wide, half_tall, "".join(parts)

    def _world(self, world: Position) -> tuple[int, float, float]:
        if world not in self._numbers:
            picture = picture_of(world)
            if isinstance(picture, Picture) and picture.cells and max(len(picture.cells), len(picture.cells[0])) <= 6:
                small = scenes_svg.draw(replace(picture, columns=(), rows=(), touches={}), styled=False)
                inner = small.svg.partition(">")[2].rpartition("</svg>")[0]
                inner = re.sub(r"<title>.*?</title>|<rect class=\"paper\"[^>]*>", "", inner)
                scale = WORLD / max(small.width - 2 * scenes_svg.MARGIN, small.height - 2 * scenes_svg.MARGIN)
                shift = -scenes_svg.MARGIN * scale
                self.drawn.append(f'<g id="world-{len(self.drawn)}" class="scene"><g transform="translate({shift:g} {shift:g}) '
                                  f'scale({scale:g})">{inner}</g></g>')  # fmt: skip
                size = (small.width - 2 * scenes_svg.MARGIN) * scale, (small.height - 2 * scenes_svg.MARGIN) * scale
                self._numbers[world] = (len(self.drawn) - 1, *size)
            else:
                self._numbers[world] = (-1, 6.6 * len(world.text()) + 4, 18.0)
        return self._numbers[world]


def is_dense(tree: Tree, shown: Collection[int]) -> bool:
    """Whether so many nodes stand side by side that they are drawn densely: a tree that stays whole keeps its way for all steps."""
    if tree.is_plan or tree.is_walk:
        return False
    return len(tree) > MOST_WHOLE or sum(_width(tree, node) for node in shown if not tree.children[node]) > WIDE


def _width(tree: Tree, node: int) -> float:
    return GAP + max(2 * SIZE + 4, 7.4 * len(_widest(tree, node)))


def _layout(tree: Tree, shown: list[int], sheet: Sheet) -> tuple[Places, float, float]:
    """Where each node stands: leaves side by side, parents over the middle of their children."""
    broods: dict[int, list[int]] = {}
    for node in shown[1:]:
        broods.setdefault(tree.parent[node], []).append(node)
    deepest = max(tree.depth[node] for node in shown)
    tops = [34.0 + ROW * depth for depth in range(deepest + 1)]
    if tree.is_plan:  # rows as high as their boxes
        halves = [0.0] * (deepest + 1)
        for node in shown:
            halves[tree.depth[node]] = max(halves[tree.depth[node]], sheet.half(tree, node))
        tops = [halves[0] + 16]
        for depth in range(1, deepest + 1):
            tops.append(tops[-1] + halves[depth - 1] + halves[depth] + (38 if depth % 2 else 34))
    widths, low = {}, sheet.low
    for node in shown:
        if sheet.dense:
            widths[node] = _dense_width(tree, node)
        else:
            widths[node] = GAP + 2 * sheet.boxes[node][0] + 26 if node in sheet.boxes else _width(tree, node)
    for below in broods.values() if sheet.dense else ():
        if len(below) > 2 and not any(child in broods for child in below):  # every other one lower, in the room of half a node each
            low |= set(below[1::2])
            wide = max(widths[child] for child in below)
            widths |= dict.fromkeys(below, wide / 2 + 2)
    spans: dict[int, float] = {}
    for node in reversed(shown):
        below = broods.get(node, [])
        spans[node] = max(widths[node], sum(spans[child] for child in below) + (14 if low & set(below) else 0))
    left = {ROOT: 20.0}
    places = {}
    for node in shown:
        below = broods.get(node, [])
        begin = left[node] + (spans[node] - sum(spans[child] for child in below)) / 2
        for child in below:
            left[child] = begin
            begin += spans[child]
        places[node] = (left[node] + spans[node] / 2, tops[tree.depth[node]] + (_drop(tree) if node in low else 0))
    for node in reversed(shown):
        below = broods.get(node, [])
        if below:
            places[node] = ((places[below[0]][0] + places[below[-1]][0]) / 2, places[node][1])
    bottom = max((y for _, y in places.values()), default=0)
    return places, spans[ROOT] + 40, bottom + (max(sheet.half(tree, node) for node in shown) + 16 if tree.is_plan else 48)


def _drop(tree: Tree) -> float:
    return 2.2 * DROP if tree.iterations else DROP


def _dense_width(tree: Tree, node: int) -> float:
    """The room of a node among many: windows of inner nodes may be wider, for their rows have room."""
    state = tree.latest(node)
    texts = [shown_value(tree, node, state, dense=True), _widest_value(tree, node), tree.label(node), state.note or ""]
    inner = _shape(tree, node)[0] != "leaf"
    return max(38.0 if inner else 2.0 * LOW + 4, 6.6 * max(map(len, texts)) + 8)


def _widest(tree: Tree, node: int) -> str:
    """The longest text that ever stands at a node, so that nothing moves while one steps."""
    state = tree.latest(node)
    label = _edge_text(tree, node, 0.0 if tree.iterations else None)
    value = f"{state.bound} {value_text(state.value)}" if state.bound else value_text(state.value)
    if tree.is_walk:
        value = way_text(tree, node) + "  "  # bold figures are wide
    texts = [value, label, window_text(state) if tree.children[node] else ""]
    if state.visits is not None:
        texts.append(_visits(tree, node, state))
    return max(texts, key=len)


def _widest_value(tree: Tree, node: int) -> str:
    """The value that stands in a leaf, now or later."""
    if tree.latest(node).visits is not None:
        return ""
    return value_text(tree.latest(node).value) or (value_text(tree.worth(node)) if tree.is_explicit else "")


def _node(tree: Tree, node: int, state: State, places: Places, sheet: Sheet, is_open: bool, is_best: bool, is_now: bool,
          bonus: float | None) -> str:
    """One node with the edge that leads to it."""
    x, y = places[node]
    shape, letter = _shape(tree, node)
    classes = ["node", shape, state.status]
    classes += ["best"] if is_best else []
    classes += ["now"] if is_now else []
    classes += {"player 1": ["second"], "player 2": ["third"]}.get(tree.kind[node], []) if shape == "other" else []
    hidden = 0 if is_open else len(tree.below(node))
    classes += ["closed"] if hidden else []
    known = value_text(tree.worth(node)) if tree.is_explicit and not tree.children[node] else ""
    worth = f' data-worth="{escape(known)}"' if known else ""
    parts = [f'<g class="{" ".join(classes)}" id="n{node}" data-node="{node}"{worth} transform="translate({x:g} {y:g})">']
    parts.append(f"<title>{escape(_hint(tree, node, state))}</title>")
    if node != ROOT:
        above = places[tree.parent[node]]
        half = sheet.half(tree, node)
        under = SIZE + 32 if sheet.dense else sheet.half(tree, tree.parent[node])  # among many, edges begin below what is written
        from_x, from_y = above[0] - x, above[1] - y + under
        parts.append(f'<path class="edge" d="M{from_x:g} {from_y:g}L0 {-half:g}"/>')
        far = 1 - 12 / max(24.0, -from_y) if sheet.dense else 0.6  # above the labels
        mid_x, mid_y = from_x * far, from_y * far - (0 if sheet.dense else SIZE * 0.4)
        parts.append(f'<path class="slash" d="M{mid_x - 9:g} {mid_y - 4:g}l18 8M{mid_x - 9:g} {mid_y + 1:g}l18 8"/>')
        share = (8 if node in sheet.low else 14) / max(14.0, -from_y - half) if sheet.dense else 0.25
        label = _edge_text(tree, node, bonus, sheet.dense)
        parts.append(_words("action", from_x * share, from_y * share - half * (1 - share) + 4, label))
    wide = max(LOW, 3.6 * len(_widest_value(tree, node)) + 3) if sheet.dense else 3.9 * len(_widest_value(tree, node)) + 4
    tall = LOW if sheet.dense else SIZE
    if shape == "or":
        across, high, worlds = sheet.boxes[node]
        size = f'x="{-across:g}" y="{-high:g}" width="{2 * across:g}" height="{2 * high:g}"'
        parts.append(f'<rect class="shape" {size} rx="5"/>{worlds}')
        parts.append(_words("value", across + 10, 5, shown_value(tree, node, state)))
        parts.append(_words("window", 0, 0, ""))
    elif shape == "and":
        parts.append(SHAPES[shape] + _arc(tree, node, places, sheet, is_open))
        parts.append(_words("value", 19, 5, shown_value(tree, node, state)))
        parts.append(_words("window", 0, 0, ""))
    elif shape == "leaf" and (sheet.dense or wide > SIZE):
        parts.append(f'<rect class="shape" x="{-wide:g}" y="{-tall}" width="{2 * wide:g}" height="{2 * tall}" rx="2"/>')
    else:
        parts.append(SHAPES[shape])
    if letter:
        parts.append(_words("letter", 0, 0, letter))
    if shape not in ("or", "and"):
        inside = shape == "leaf" and tree.latest(node).visits is None
        under = tall if shape == "leaf" else SIZE
        parts.append(_words("value", 0, 0 if inside else under + 14, shown_value(tree, node, state, sheet.dense)))
        is_near = inside or (shape == "leaf" and not sheet.dense)
        parts.append(_words("window", 0, under + (14 if is_near else 27), _below_text(tree, node, state, sheet.dense)))
    if hidden:
        parts.append(_words("more", 0, SIZE + 39, f"+{hidden}"))
    return "".join(parts) + "</g>"


def _arc(tree: Tree, node: int, places: Places, sheet: Sheet, is_open: bool) -> str:
    """The arc over the outcomes of an action: all of them are to be dealt with."""
    below = [child for child in tree.below(node) if child in places] if is_open else []
    if len(below) < 2:
        return ""
    x, y = places[node]
    ends = []
    for child in (below[0], below[-1]):
        over, down = places[child][0] - x, places[child][1] - sheet.half(tree, child) - y - 9
        share = 15 / max(down, 1)  # a fixed way down each edge
        ends.append((over * share, 9 + 15.0))
    (a, b), (c, d) = ends
    return f'<path class="arc" d="M{a:g} {b:g}Q{(a + c) / 2:g} {b + 9:g} {c:g} {d:g}"/>'


SHAPES = {
    "and": '<circle class="shape" r="9"/>',
    "way": f'<circle class="shape" r="{SIZE}"/>',
    "max": f'<path class="shape" d="M0 {-SIZE}L{SIZE + 2} {SIZE}H{-SIZE - 2}z"/>',
    "min": f'<path class="shape" d="M0 {SIZE}L{SIZE + 2} {-SIZE}H{-SIZE - 2}z"/>',
    "chance": f'<circle class="shape" r="{SIZE}"/>',
    "other": f'<path class="shape" d="M0 {-SIZE}L{SIZE} 0L0 {SIZE}L{-SIZE} 0z"/>',
    "leaf": f'<rect class="shape" x="{-SIZE}" y="{-SIZE}" width="{2 * SIZE}" height="{2 * SIZE}" rx="2"/>',
}


def _shape(tree: Tree, node: int) -> tuple[str, str]:
    """The shape of a node, and the letter in it where there are more players than two."""
    kind, state = tree.kind[node], tree.latest(node)
    if kind in ("or", "and"):
        return kind, ""
    if tree.is_walk:
        return "way", ""
    if not tree.children[node] and (state.status in ("leaf", STRUCK) or not kind):
        return "leaf", ""
    if kind in ("max", "min", "chance"):
        return kind, ""
    return ("other", "ABCDEFGH"[int(kind.split()[-1]) % 8]) if kind.startswith("player") else ("leaf", "")


def shown_value(tree: Tree, node: int, state: State, dense: bool = False) -> str:
    """What stands at a node: its value, or what a skipped leaf would have been worth; in a plan whether it works."""
    if tree.is_walk:
        return "" if state.status == UNSEEN else way_text(tree, node)
    if tree.is_plan:
        return {1.0: "✓", 0.0: "✗"}.get(state.value, "") if isinstance(state.value, float) else ""
    if state.visits is not None:
        return _visits(tree, node, state).partition(" · ")[0] if dense else _visits(tree, node, state)
    if state.status == STRUCK or (state.status == UNSEEN and tree.is_explicit and not tree.children[node]):
        return value_text(tree.worth(node))
    return f"{state.bound} {value_text(state.value)}" if state.bound and state.status == "done" else value_text(state.value)


def way_text(tree: Tree, node: int) -> str:
    """The figures of a node of a way: g + h = f, or the cost alone where nothing is estimated."""
    found = tree.figures(node)
    if found is None:
        return ""
    g, h = found
    return value_text(g) if h is None else f"{value_text(g)}+{value_text(h)}={value_text(g + h)}"


def _visits(tree: Tree, node: int, state: State) -> str:
    """Visits, and the mean for the player who chooses this node."""
    value = state.value
    if isinstance(value, tuple):
        kind = tree.kind[tree.parent[node]] if node != ROOT else tree.kind[node]
        player = int(kind.split()[-1]) if kind.startswith("player") else int(kind == "min")
        value = value[player]
    return f"{value:.2f} · {state.visits}" if isinstance(value, float) else f"{state.visits}"


def _below_text(tree: Tree, node: int, state: State, dense: bool = False) -> str:
    if state.note:
        return state.note
    if dense and state.visits is not None:
        return _visits(tree, node, state).partition(" · ")[2]
    return window_text(state) if tree.children[node] and state.status not in (UNSEEN, STRUCK) else ""


def _edge_text(tree: Tree, node: int, bonus: float | None, dense: bool = False) -> str:
    chance = tree.chance_of(node)
    text = tree.label(node) if chance is None else f"{tree.label(node)}: {chance:.3g}"
    return text if bonus is None else f"↑{bonus:.2f}" if dense else f"{text} ↑{bonus:.2f}"


def _hint(tree: Tree, node: int, state: State) -> str:
    parts = [tree.name(node), state.status, value_text(state.value), window_text(state), tree.reasons.get(node, "")]
    if state.status == STRUCK:
        parts.append(tree.reasons.get(tree.parent[node], ""))
    return ", ".join(part for part in parts if part)


def _words(kind: str, x: float, y: float, text: str) -> str:
    return f'<text class="{kind}" x="{x:g}" y="{y:g}">{escape(text)}</text>'


# ---------------------------------------------------------------- stepping


def frames(tree: Tree, opened: Collection[int], most: int = 20_000) -> list[dict[str, Any]]:
    """What each tick `t` changes among visible nodes: `s`, a caption, and `c`, (node, status, value, window) of what changed."""
    shown = set(visible(tree, opened))
    dense = is_dense(tree, shown)
    told: list[dict[str, Any]] = []
    iterations = set(tree.iterations)
    for tick in range(tree.ticks + 1):
        nodes = [node for node in dict.fromkeys(tree.changed(tick)) if node in shown]
        if tick and not nodes:
            continue
        changes = []
        for node in nodes:
            state = tree.state(node, tick)
            changes.append([node, state.status, shown_value(tree, node, state, dense), _below_text(tree, node, state, dense)])
        focus = tree.focus(tick)
        frame: dict[str, Any] = {"s": tree.caption(tick), "c": changes, "n": focus if focus in shown else -1}
        bonus = tree.bonus(tick)
        if bonus:
            frame["u"] = [[node, _edge_text(tree, node, term, dense)] for node, term in bonus.items() if node in shown]
        if tick in iterations:
            frame["i"] = 1
        frame["w"] = tree.word(tick)
        frame["k"] = tree.kind[focus]
        frame["t"] = tick
        told.append(frame)
        if len(told) > most:
            break
    return told


def script() -> str:
    """The program that steps through a drawn tree in a browser."""
    return Path(__file__).with_name("tree.js").read_text("utf-8")


def page(tree: Tree, *, title: str, facts: str = "", line: Iterable[Action] = ()) -> str:
    """One HTML file that shows the tree and steps through the search; nothing in it comes from elsewhere."""
    line = tuple(line)
    opened = default_open(tree, line)
    shown = len(visible(tree, opened))
    note = "" if shown == len(tree) else f"{shown:,} of {len(tree):,} nodes are drawn: the top of the tree and the principal line."
    data = json.dumps(frames(tree, opened), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    svg = draw(tree, None, opened, line, title)
    return PAGE.format(title=escape(title), facts=escape(facts), note=escape(note), svg=svg, data=data, script=script())


PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>{title}</title>
<style>
:root {{ color-scheme: light dark; }} body {{ font: 16px/1.5 system-ui, sans-serif; margin: 1rem; }}
h1 {{ font-size: 1.2rem; margin: 0; }}
.tree {{ overflow: auto; max-height: 80vh; }} .tree svg {{ display: block; margin: 0 auto; }}
.steps {{ display: flex; flex-wrap: wrap; gap: .4rem; align-items: center; margin: .5rem 0; }}
.steps input {{ flex: 1 1 12rem; }} button {{ font: inherit; min-width: 2.5rem; }}
.caption {{ min-height: 1.5em; font-weight: 600; }}
</style></head><body>
<h1>{title}</h1><p>{facts} {note}</p>
<div class="stepper"><div class="tree">{svg}</div></div>
<script type="application/json" id="frames">{data}</script>
<script>{script}
new Stepper(document.querySelector(".stepper"), JSON.parse(document.getElementById("frames").textContent));
</script></body></html>
"""
