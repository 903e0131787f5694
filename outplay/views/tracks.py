"""Tracks around a board, as Monopoly's, and graphs on a sheet."""

from __future__ import annotations

import math
import textwrap
from html import escape

from outplay.picture import Cell, Graph, Hand, Track
from outplay.views import pieces
from outplay.views.sheet import MARGIN, Sheet, spot_id


def draw_track(sheet: Sheet, picture: Track) -> None:
    """Spaces around a square; corners are square, the rest half as wide as deep."""
    sheet.kind = "track"
    total = len(picture.spaces)
    side = max(1, math.ceil(total / 4))
    deep, wide = (66.0, 42.0) if sheet.narrow else (92.0, 64.0)
    length = 2 * deep + (side - 1) * wide
    left = top = 10.0
    sheet.width = sheet.height = length + 20
    sheet.ground.append(f'<rect class="track-table" x="{left:g}" y="{top:g}" width="{length:g}" height="{length:g}" rx="4"/>')
    for number, space in enumerate(picture.spaces):
        edge, along = divmod(number, side)
        corner = along == 0
        run = 0.0 if corner else deep + (along - 1) * wide
        w = deep if corner else wide
        x, y, width, height = {
            0: (left + length - run - w, top + length - deep, w, deep),
            1: (left, top + length - run - w, deep, w),
            2: (left + run, top, w, deep),
            3: (left + length - deep, top + run, deep, w),
        }[edge % 4]
        sheet.place(number, x, y, width, height, space.note)
        sheet.ground.append(f'<rect class="space" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"/>')
        kind = sheet.marks.get(number) or ("note" if space.mark is True else space.mark)
        if kind:
            sheet.mark(str(kind), x, y, width, height)
        bar_x, bar_y, bar_w, bar_h = {
            0: (x, y, width, 16.0),
            1: (x + width - 16, y, 16.0, height),
            2: (x, y + height - 16, width, 16.0),
            3: (x, y, 16.0, height),
        }[edge % 4]
        if space.group and not corner:
            sheet.ground.append(
                f'<rect class="group c-{space.group}" x="{bar_x:g}" y="{bar_y:g}" width="{bar_w:g}" height="{bar_h:g}"/>'
            )
        for house in range(min(space.houses, 4) if space.houses < 5 else 1):
            along_bar = 2 + min(13.0, (wide - 3) / 4) * house
            hx, hy = (bar_x + along_bar, bar_y + 2) if bar_w > bar_h else (bar_x + 2, bar_y + along_bar)
            build = "hotel" if space.houses >= 5 else "house"
            sheet.above.append(
                f'<rect class="{build}" x="{hx:g}" y="{hy:g}" width="{22 if build == "hotel" else 11}" height="12" rx="2"/>'
            )
        if space.owner is not None:
            colour = pieces.colour(Cell("", "token", space.owner), picture.colours)
            sheet.ground.append(f'<circle class="owner c-{colour}" cx="{x + width - 9:g}" cy="{y + height - 9:g}" r="6"/>')
        inner_y = y + (18 if edge % 4 == 0 and space.group else 4)
        if sheet.narrow:  # no room for names: their first letters, and what it costs
            at_x = x + width / 2 + (8 * (edge % 4 == 3) - 8 * (edge % 4 == 1)) * bool(space.group)
            short = space.name if corner else "".join(word[0] for word in space.name.split())
            sheet.words("space-short", at_x, inner_y + 10, short)
            if space.note and not corner:
                sheet.words("space-price", at_x, inner_y + 24, space.note if len(space.note) < 5 else "")
            continue
        _lines_of_words(sheet, 
            space.name,
            x + width / 2 + (-8 if edge % 4 == 1 and space.group else 8 if edge % 4 == 3 and space.group else 0),
            inner_y + 9,
            width - (20 if edge % 2 and space.group else 6),
            space.note,
        )
    at: dict[int, int] = {}
    for player, where in enumerate(picture.tokens):
        if where is None:
            continue
        slot = at.get(where, 0)
        at[where] = slot + 1
        x, y = sheet.where[where]
        edge, along = divmod(where, side)
        if along > 0:  # what it costs stays in sight
            x -= 12 * (edge == 1)
            y += 17 if edge == 0 and picture.spaces[where].group else 4
        sheet.put(where, Cell(picture.seat_name(player), "token", player), x - 12 + 18 * (slot % 3), y + 6 + 16 * (slot // 3), 0.62)
    lines = [line for words in picture.words for line in textwrap.wrap(words, int((length - 2 * deep) / 11))]
    tall = 30.0 * len(lines) + 48 * bool(picture.dice) + 48 * len(picture.hands)
    y = top + length / 2 - tall / 2 + 10
    for line in lines:
        sheet.words("track-words", left + length / 2, y, line)
        y += 28
    if picture.dice:
        sheet.draw_dice(left + length / 2 - 20 * (len(picture.dice) - 1), y + 12)
        y += 54
    for hand in picture.hands:
        _estate(sheet, picture, hand, left + deep + 28, y)
        y += 48


def _estate(sheet: Sheet, picture: Track, hand: Hand, x: float, y: float) -> None:
    """What somebody has, in the middle of a track: a line of words, and each deed as a card with its group's colour."""
    colour = picture.colours[(hand.owner or 0) % len(picture.colours)] if picture.colours else "grey"
    sheet.ground.append(f'<circle class="swatch c-{colour}" cx="{x + 7:g}" cy="{y:g}" r="7"/>')
    sheet.words("estate" + (" turn" if hand.mark else ""), x + 22, y, hand.name)
    sheet.words("estate-note", x + 44, y, hand.note)
    for number, thing in enumerate(hand.things):
        at = int(thing.symbol) if thing.symbol.isdecimal() and int(thing.symbol) < len(picture.spaces) else 0
        left = x + 22 + 17 * number
        sheet.ground.append(
            f'<g class="deed"><title>{escape(picture.spaces[at].name)}</title>'
            f'<rect class="space" x="{left:g}" y="{y + 11:g}" width="14" height="19" rx="2"/>'
            f'<rect class="group c-{picture.spaces[at].group or "grey"}" x="{left:g}" y="{y + 11:g}" width="14" height="8"/>'
            "</g>"
        )
        if thing.note:
            sheet.words("deed-note", left + 7, y + 25, thing.note)


def _lines_of_words(sheet: Sheet, text: str, x: float, y: float, width: float, note: str) -> None:
    lines: list[str] = []
    for word in text.split():
        if lines and len(lines[-1]) + len(word) + 1 <= width / 7.3:
            lines[-1] += " " + word
        else:
            lines.append(word)
    for number, line in enumerate(lines[:4]):
        sheet.words("space-name", x, y + 12.5 * number, line)
    if note:
        sheet.words("space-note", x, y + 12.5 * min(4, len(lines)) + 1, note)


def draw_graph(sheet: Sheet, picture: Graph) -> None:
    """Nodes and edges, or the regions of a map."""
    sheet.kind = "graph"
    if not picture.nodes:
        sheet.width = sheet.height = 2 * MARGIN
        return
    corners = [(node.x, node.y) for node in picture.nodes.values()]
    corners += [corner for node in picture.nodes.values() for corner in node.outline]
    least_x, least_y = min(x for x, _ in corners), min(y for _, y in corners)
    scale, radius = 76.0, 19.0

    def at(x: float, y: float) -> tuple[float, float]:
        return 34 + (x - least_x) * scale, 34 + (y - least_y) * scale

    for start, end in picture.edges:
        (x, y), (u, v) = at(picture.nodes[start].x, picture.nodes[start].y), at(picture.nodes[end].x, picture.nodes[end].y)
        sheet.ground.append(f'<path class="edge{" directed" if picture.directed else ""}" d="M{x:g} {y:g}L{u:g} {v:g}"/>')
        if label := picture.labels.get((start, end)):
            sheet.words("edge-label", (x + u) / 2 + (7 if u >= x else -7), (y + v) / 2, label, layer=sheet.below)
    for spot, node in picture.nodes.items():
        x, y = at(node.x, node.y)
        kind = str(sheet.marks.get(spot) or ("note" if node.mark is True else node.mark or ""))
        colour = "" if node.owner is None else " c-" + pieces.colour(Cell("", "disc", node.owner), picture.colours)
        classes = f"node {node.kind}{colour}{' marked ' + kind if kind else ''}"
        wide = max(radius, 4.6 * len(node.label) + 5)
        shape = {
            "max": f"M{x:g} {y - radius - 4:g}L{x + radius + 3:g} {y + radius - 3:g}H{x - radius - 3:g}Z",
            "min": f"M{x:g} {y + radius + 4:g}L{x + radius + 3:g} {y - radius + 3:g}H{x - radius - 3:g}Z",
            "box": f"M{x - wide:g} {y - 15:g}H{x + wide:g}V{y + 15:g}H{x - wide:g}Z",
        }.get(node.kind, "")
        if node.outline:
            path = "M" + "L".join("{:g} {:g}".format(*at(*corner)) for corner in node.outline) + "Z"
            sheet.ground.append(f'<path class="{classes.replace("node ", "node region ")}" d="{path}"/>')
        elif shape:
            sheet.standing.append(f'<path class="{classes}" data-spot="{escape(spot_id(spot))}" d="{shape}"/>')
        else:
            sheet.standing.append(
                f'<circle class="{classes}" data-spot="{escape(spot_id(spot))}" cx="{x:g}" cy="{y:g}" r="{radius}"/>'
            )
        if node.label:
            sheet.words(
                "node-label",
                x,
                y + (3 if node.kind == "max" else -2 if node.kind == "min" else 0),
                node.label,
                layer=sheet.standing,
            )
        sheet.place(spot, x - radius, y - radius, 2 * radius, 2 * radius)
    sheet.width = 68 + scale * (max(x for x, _ in corners) - least_x)
    sheet.height = 68 + scale * (max(y for _, y in corners) - least_y)
