"""The colours of all pictures, as CSS variables with a value for the light and one for the dark.

Players' colours are told apart by lightness and by shape too (the second player's discs carry a ring), so that nobody needs to see red.
"""

from __future__ import annotations

import re

LIGHT = {
    "paper": "#ffffff", "square": "#eef1f6", "shade": "#d5dce7", "rule": "#b4bdcb", "ink": "#262c36", "soft": "#5b6472", "wall": "#6d7686",
    "last": "#f6c945", "line": "#e8590c", "check": "#e03131", "target": "#2f9e44", "note": "#ffe08a", "path": "#a5d8ff",
    "open": "#b2f2bb", "closed": "#dee2e6", "goal": "#8ce99a", "start": "#a5d8ff",
    "wood-light": "#f0dfc2", "wood-dark": "#b88d62", "wood": "#e3b872", "wood-line": "#6b4a21", "wood-edge": "#c99a55",
    "frame": "#2456a8", "frame-edge": "#173e80", "felt": "#2c7a57", "felt-edge": "#1d5c40", "felt-ink": "#f3fff8",
    "sea": "#7fb2d9", "sea-edge": "#5a93c0", "grass": "#cfe8c4", "rim": "#5c3d26", "field": "#e9d8b8", "point-dark": "#9c4a34",
    "point-light": "#d0a873", "tray": "#47301e", "card": "#ffffff", "card-edge": "#8a93a3", "card-red": "#c4161c", "card-black": "#16191f",
    "card-back": "#2b5ea8", "tile": "#f3dfae", "tile-edge": "#b78f4a", "tile-ink": "#3a2a10", "table": "#d9ecdd",
    "white-fill": "#fdfdfb", "white-edge": "#30343c", "white-ink": "#30343c", "black-fill": "#363a42", "black-edge": "#101216",
    "black-ink": "#f4f5f7", "red-fill": "#d63a3a", "red-edge": "#8f1d1d", "red-ink": "#ffffff", "yellow-fill": "#ffd43b",
    "yellow-edge": "#a37a00", "yellow-ink": "#4a3800", "blue-fill": "#1f6fc9", "blue-edge": "#0f4688", "blue-ink": "#ffffff",
    "orange-fill": "#e8720c", "orange-edge": "#9c4600", "orange-ink": "#1f1100", "green-fill": "#2b9a66", "green-edge": "#14603d",
    "green-ink": "#ffffff", "purple-fill": "#9c4fc4", "purple-edge": "#63278a", "purple-ink": "#ffffff", "teal-fill": "#2aa5b3",
    "teal-edge": "#0f6570", "teal-ink": "#00252a", "rose-fill": "#d6568d", "rose-edge": "#8f2457", "rose-ink": "#ffffff",
    "grey-fill": "#a4adbb", "grey-edge": "#545d6b", "grey-ink": "#1c2026",
}  # fmt: skip
"""The colours by day."""

DARK = {
    **LIGHT, "paper": "#171a20", "square": "#262c36", "shade": "#333b48", "rule": "#4a5464", "ink": "#e3e8f0", "soft": "#a3adbc",
    "wall": "#6d7788", "last": "#c79a1f", "line": "#ff922b", "check": "#f03e3e", "target": "#51cf66", "note": "#6b5a1c", "path": "#1c4f7d",
    "open": "#2b5a34", "closed": "#3a414d", "goal": "#2b7a3b", "start": "#1c4f7d",
    "wood-light": "#c9b593", "wood-dark": "#876443", "wood": "#b98f52", "wood-line": "#3b2710", "wood-edge": "#8f6c38",
    "frame": "#224a8c", "frame-edge": "#122f5e", "felt": "#1f5a40", "felt-edge": "#133a29", "sea": "#2f5f86", "sea-edge": "#234a6a",
    "grass": "#31502d", "rim": "#3a2718", "field": "#a89877", "point-dark": "#7a3524", "point-light": "#7f6139", "tray": "#2b1c11",
    "card": "#eceef2", "tile": "#d8c08a", "table": "#24382b",
    "blue-fill": "#5aa2f0", "blue-edge": "#b3d6ff", "blue-ink": "#04162b", "orange-fill": "#ff9a45", "orange-edge": "#ffd0a3",
    "green-fill": "#52c58d", "green-edge": "#b1efd0", "green-ink": "#00210f", "purple-fill": "#c58be6", "purple-edge": "#ead0f8",
    "purple-ink": "#22062f", "teal-fill": "#55c7d4", "teal-edge": "#b5edf3", "rose-fill": "#f08ab5", "rose-edge": "#fbd0e2",
    "rose-ink": "#33001a", "grey-fill": "#8b95a5", "grey-edge": "#d5dbe4", "black-fill": "#2b2f36", "black-edge": "#0b0c0f",
}  # fmt: skip
"""The colours by night."""

COLOURS = ("white", "black", "red", "yellow", "blue", "orange", "green", "purple", "teal", "rose", "grey")


def _variables(colours: dict[str, str]) -> str:
    return " ".join(f"--{name}: {value};" for name, value in colours.items())


SURFACES = ("wood", "felt", "sea", "slate", "squares", "plain", "lines", "holes", "table", "track", "graph", "points", "frame")


def _inside(rules: str) -> str:
    """The rules with every selector kept inside a scene, so that a page around the drawing is left alone."""

    def one(selector: str) -> str:
        selector = selector.strip()
        if selector.startswith(".scene"):
            return selector
        first = selector.split()[0]
        of_surface = " " in selector and first.lstrip(".").split(".")[0] in SURFACES
        return f".scene{selector}" if of_surface else f".scene {selector}"

    return re.sub(r"([^{}]+)\{([^}]*)\}", lambda rule: f"{', '.join(map(one, rule[1].split(',')))} {{{rule[2]}}}\n", rules)


SYMBOLS = """
.op-detail { fill: none; stroke: var(--detail); }
.op-spot { fill: var(--detail); stroke: none; }
.op-shadow { fill: #000; opacity: 0.22; stroke: none; }
.op-shine { fill: #fff; opacity: var(--shine, 0.45); stroke: none; }
.op-crown { fill: #ffd24a; stroke: #6b4c00; }
.op-hole { fill: var(--paper); }
.op-bold { fill: none; stroke: var(--fill); stroke-width: 6; stroke-linecap: round; }
.op-thin { stroke-width: 4.5; }
.op-burst { fill: #f76707; stroke: #a61e00; }
.op-burst-core { fill: #ffd43b; stroke: none; }
.op-splash { fill: #fff; stroke: none; opacity: 0.9; }
.op-ringed { fill: none; stroke: #fff; stroke-width: 2; opacity: 0.7; }
.op-eye { fill: #fff; stroke: none; }
.op-pupil { fill: #1b1e25; stroke: none; }
.op-food { fill: var(--yellow-fill); stroke: var(--yellow-edge); }
.op-dirt { fill: #8a6a45; stroke: #5b4227; }
.op-pole { stroke: var(--ink); stroke-width: 3; stroke-linecap: round; }
.op-star { fill: var(--last); }
"""
"""Rules for the insides of the symbols, which no selector from outside reaches: colours come to them as variables."""

STYLE = (
    SYMBOLS
    + f"\n.scene {{ {_variables(LIGHT)} }}\n@media (prefers-color-scheme: dark) {{ .scene {{ {_variables(DARK)} }} }}\n"
    + "".join(f".scene .c-{name} {{ --fill: var(--{name}-fill); --edge: var(--{name}-edge); --own: var(--{name}-ink); --detail: var(--{name}-edge); }}\n" for name in COLOURS)
    + ".scene .c-black { --detail: #8b919c; --shine: 0.2; }\n"
    + _inside("""
.scene { font-family: system-ui, sans-serif; max-width: 100%; height: auto; }
.scene text { text-anchor: middle; dominant-baseline: central; fill: var(--ink); }
.paper { fill: var(--paper); }
.square { fill: var(--square); stroke: var(--rule); stroke-width: 0.7; }
.shade { fill: var(--shade); stroke: var(--rule); stroke-width: 0.7; }
.wood.squares .square { fill: var(--wood-light); stroke: none; }
.wood.squares .shade { fill: var(--wood-dark); stroke: none; }
.felt.squares .square, .felt.squares .shade { fill: var(--felt); stroke: var(--felt-edge); stroke-width: 1.2; }
.sea.squares .square { fill: var(--sea); stroke: var(--sea-edge); }
.slate.squares .square { fill: var(--shade); }
.squares .plate, .plain .plate { fill: none; }
.lines .plate { fill: var(--wood); stroke: var(--wood-edge); stroke-width: 2; }
.grid-line { fill: none; stroke: var(--wood-line); stroke-width: 1.3; stroke-linecap: square; }
.star-point { fill: var(--wood-line); }
.holes .plate { fill: var(--frame); stroke: var(--frame-edge); stroke-width: 3; }
.hole-in-frame { fill: var(--paper); stroke: var(--frame-edge); stroke-width: 2; }
.hex { fill: var(--square); stroke: var(--rule); stroke-width: 1.2; }
.ground-wall, .hex.ground-wall { fill: var(--wall); stroke: var(--wall); }
.ground-sea { fill: var(--sea); stroke: var(--sea-edge); }
.ground-felt { fill: var(--felt); stroke: var(--felt-edge); }
.ground-grass { fill: var(--grass); stroke: var(--rule); }
.ground-3w { fill: #e0675b; stroke: var(--paper); } .ground-2w, .ground-star { fill: #f0a9a0; stroke: var(--paper); }
.ground-3l { fill: #3f8fc4; stroke: var(--paper); } .ground-2l { fill: #a8d4ea; stroke: var(--paper); }
.ground-fog { fill: var(--wall); opacity: 0.45; }
.scene .premium { font-size: 13px; font-weight: 700; fill: #26221c; opacity: 0.8; }
.scene .label { font-size: 13px; fill: var(--soft); }
.scene .caption { font-size: 14px; fill: var(--soft); }
.mark.note { fill: var(--note); } .mark.last { fill: var(--last); opacity: 0.55; } .mark.check { fill: var(--check); opacity: 0.75; }
.mark.line { fill: var(--line); opacity: 0.35; } .mark.path { fill: var(--path); } .mark.open { fill: var(--open); }
.mark.closed { fill: var(--closed); } .mark.goal { fill: var(--goal); } .mark.start { fill: var(--start); }
.mark.target { fill: var(--target); opacity: 0.7; } .mark.threat { fill: none; stroke: var(--check); stroke-width: 3; }
.mark.on-line { fill: none; stroke: var(--line); stroke-width: 3.5; opacity: 1; } .mark.on-line.last { stroke: var(--check); }
.mark.on-line.note { stroke: var(--target); }
.scene .point-mark { opacity: 0.6; }
.mark.territory { fill: var(--fill); stroke: var(--edge); stroke-width: 1; }
.win-line { fill: none; stroke: var(--line); stroke-width: 7; stroke-linecap: round; opacity: 0.85; }
.arrow { fill: none; stroke: var(--target); stroke-width: 8; stroke-linecap: round; opacity: 0.75; } .arrow-head { fill: var(--target); opacity: 0.75; }
.arrow.other, .arrow-head.other { opacity: 0.38; }
.piece { fill: var(--fill); stroke: var(--edge); stroke-width: 1.6; stroke-linejoin: round; }
.stone { stroke-width: 1; }
.disc.second { stroke-width: 3.5; } .holes .disc { stroke-width: 3; } .holes .disc.second { stroke-width: 5; }
.scene .letters { fill: var(--fill); stroke: none; font-weight: 650; } .c-grey .letters, .piece.text.c-grey .letters { fill: var(--ink) !important; }
.scene .count { fill: var(--own); stroke: none; font-size: 20px; font-weight: 700; }
.tile { fill: var(--tile); stroke: var(--tile-edge); } .scene .letter { fill: var(--tile-ink); stroke: none; font-size: 26px; font-weight: 700; }
.scene .worth-note { fill: var(--tile-ink); stroke: none; font-size: 10px; font-weight: 600; }
.rack { fill: var(--wood-dark); stroke: var(--wood-line); }
.block { fill: var(--tile); stroke: var(--tile-edge); } .scene .block-text { fill: var(--tile-ink); stroke: none; font-weight: 700; }
.sticker { fill: var(--fill); stroke: var(--ink); stroke-width: 2; } .scene .sticker-text { fill: var(--own); stroke: none; font-size: 16px; font-weight: 700; }
.card { fill: var(--card); stroke: var(--card-edge); stroke-width: 1; } .card.back { fill: var(--card-back); stroke: #fff; stroke-width: 2; }
.weave { fill: none; stroke: #fff; opacity: 0.5; stroke-width: 1.2; }
.scene .rank { fill: var(--card-black); stroke: none; font-weight: 700; } .scene .rank.red { fill: var(--card-red); }
.suit { fill: var(--card-black); stroke: none; } .suit.red { fill: var(--card-red); }
.die { fill: #fffdf7; stroke: #6f6a5c; stroke-width: 1.5; } .pip { fill: #21242b; stroke: none; }
.cube { fill: #fffdf7; stroke: #6f6a5c; stroke-width: 1.5; } .scene .cube-text { fill: #21242b; font-size: 15px; font-weight: 700; stroke: none; }
.rim { fill: var(--rim); } .field { fill: var(--field); } .tray { fill: var(--tray); }
.point.dark { fill: var(--point-dark); } .point.light { fill: var(--point-light); }
.scene .point-number { fill: #e7d9c3; font-size: 12px; } .scene .off-count { fill: #e7d9c3; font-size: 15px; font-weight: 700; }
.baize { fill: var(--felt); stroke: var(--felt-edge); stroke-width: 4; }
.scene .hand-name { text-anchor: start; font-size: 13px; fill: var(--soft); } .scene .hand-name.turn { font-weight: 700; fill: var(--ink); }
.table .hand-name { fill: var(--felt-ink); opacity: 0.85; } .table .hand-name.turn { fill: var(--felt-ink); opacity: 1; text-decoration: underline; }
.scene .table-words { fill: var(--felt-ink); font-size: 14px; font-weight: 600; } .swatch { fill: var(--fill); stroke: var(--edge); }
.track-table { fill: var(--table); stroke: var(--ink); stroke-width: 1.5; } .space { fill: var(--paper); stroke: var(--ink); stroke-width: 0.9; }
.group { fill: var(--fill); stroke: var(--ink); stroke-width: 0.7; } .owner { fill: var(--fill); stroke: var(--edge); stroke-width: 1.5; }
.house { fill: #2b9a66; stroke: #fff; } .hotel { fill: #d63a3a; stroke: #fff; }
.scene .space-name { font-size: 8.5px; } .scene .space-note { font-size: 8.5px; fill: var(--soft); } .scene .track-words { font-size: 19px; font-weight: 600; }
.graph .edge { fill: none; stroke: var(--rule); stroke-width: 2; } .scene .edge-label { font-size: 12px; fill: var(--soft); }
.node { fill: var(--square); stroke: var(--ink); stroke-width: 1.6; } .node[class*="c-"] { fill: var(--fill); }
.node.marked { stroke: var(--line); stroke-width: 4; } .node.marked.open { fill: var(--open); stroke: var(--target); }
.node.marked.closed { fill: var(--closed); stroke: var(--soft); } .node.marked.path { fill: var(--path); stroke: var(--blue-fill); }
.node.region { stroke: var(--paper); stroke-width: 2.5; } .scene .node-label { font-size: 13px; font-weight: 650; }
""")
)
"""The style sheet of every drawing."""
