"""The colours of all pictures, as CSS variables with a value for the light and one for the dark.

Players' colours are told apart by lightness and by shape too (the second player's discs carry a ring), so that nobody
needs to see red.
"""

from __future__ import annotations

import re
from pathlib import Path

LIGHT = {
    "paper": "#ffffff",
    "square": "#eef1f6",
    "shade": "#d5dce7",
    "rule": "#b4bdcb",
    "ink": "#262c36",
    "soft": "#5b6472",
    "wall": "#6d7686",
    "last": "#f6c945",
    "line": "#e8590c",
    "check": "#e03131",
    "target": "#2f9e44",
    "note": "#ffe08a",
    "path": "#a5d8ff",
    "open": "#b2f2bb",
    "closed": "#dee2e6",
    "goal": "#8ce99a",
    "start": "#a5d8ff",
    "wood-light": "#f0dfc2",
    "wood-dark": "#b88d62",
    "wood": "#e3b872",
    "wood-line": "#6b4a21",
    "wood-edge": "#c99a55",
    "frame": "#2456a8",
    "frame-edge": "#173e80",
    "felt": "#2c7a57",
    "felt-edge": "#1d5c40",
    "felt-ink": "#f3fff8",
    "sea": "#7fb2d9",
    "sea-edge": "#5a93c0",
    "grass": "#cfe8c4",
    "rim": "#5c3d26",
    "field": "#e9d8b8",
    "point-dark": "#9c4a34",
    "point-light": "#d0a873",
    "tray": "#47301e",
    "card": "#ffffff",
    "card-edge": "#8a93a3",
    "card-red": "#c4161c",
    "card-black": "#16191f",
    "card-back": "#2b5ea8",
    "tile": "#f3dfae",
    "tile-edge": "#b78f4a",
    "tile-ink": "#3a2a10",
    "table": "#d9ecdd",
    "white-fill": "#fdfdfb",
    "white-edge": "#30343c",
    "white-ink": "#30343c",
    "black-fill": "#363a42",
    "black-edge": "#101216",
    "black-ink": "#f4f5f7",
    "red-fill": "#d63a3a",
    "red-edge": "#8f1d1d",
    "red-ink": "#ffffff",
    "yellow-fill": "#ffd43b",
    "yellow-edge": "#a37a00",
    "yellow-ink": "#4a3800",
    "blue-fill": "#1f6fc9",
    "blue-edge": "#0f4688",
    "blue-ink": "#ffffff",
    "orange-fill": "#e8720c",
    "orange-edge": "#9c4600",
    "orange-ink": "#1f1100",
    "green-fill": "#2b9a66",
    "green-edge": "#14603d",
    "green-ink": "#ffffff",
    "purple-fill": "#9c4fc4",
    "purple-edge": "#63278a",
    "purple-ink": "#ffffff",
    "teal-fill": "#2aa5b3",
    "teal-edge": "#0f6570",
    "teal-ink": "#00252a",
    "rose-fill": "#d6568d",
    "rose-edge": "#8f2457",
    "rose-ink": "#ffffff",
    "grey-fill": "#a4adbb",
    "grey-edge": "#545d6b",
    "grey-ink": "#1c2026",
}
"""The colours by day."""

DARK = {
    **LIGHT,
    "paper": "#171a20",
    "square": "#262c36",
    "shade": "#333b48",
    "rule": "#4a5464",
    "ink": "#e3e8f0",
    "soft": "#a3adbc",
    "wall": "#6d7788",
    "last": "#c79a1f",
    "line": "#ff922b",
    "check": "#f03e3e",
    "target": "#51cf66",
    "note": "#6b5a1c",
    "path": "#1c4f7d",
    "open": "#2b5a34",
    "closed": "#3a414d",
    "goal": "#2b7a3b",
    "start": "#1c4f7d",
    "wood-light": "#c9b593",
    "wood-dark": "#876443",
    "wood": "#b98f52",
    "wood-line": "#3b2710",
    "wood-edge": "#8f6c38",
    "frame": "#224a8c",
    "frame-edge": "#122f5e",
    "felt": "#1f5a40",
    "felt-edge": "#133a29",
    "sea": "#2f5f86",
    "sea-edge": "#234a6a",
    "grass": "#31502d",
    "rim": "#3a2718",
    "field": "#a89877",
    "point-dark": "#7a3524",
    "point-light": "#7f6139",
    "tray": "#2b1c11",
    "card": "#eceef2",
    "tile": "#d8c08a",
    "table": "#24382b",
    "blue-fill": "#5aa2f0",
    "blue-edge": "#b3d6ff",
    "blue-ink": "#04162b",
    "orange-fill": "#ff9a45",
    "orange-edge": "#ffd0a3",
    "green-fill": "#52c58d",
    "green-edge": "#b1efd0",
    "green-ink": "#00210f",
    "purple-fill": "#c58be6",
    "purple-edge": "#ead0f8",
    "purple-ink": "#22062f",
    "teal-fill": "#55c7d4",
    "teal-edge": "#b5edf3",
    "rose-fill": "#f08ab5",
    "rose-edge": "#fbd0e2",
    "rose-ink": "#33001a",
    "grey-fill": "#8b95a5",
    "grey-edge": "#d5dbe4",
    "black-fill": "#2b2f36",
    "black-edge": "#0b0c0f",
}
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


def _style() -> str:
    symbols, rules = (Path(__file__).parent / "scene.css").read_text("utf-8").split("/* scene */")
    own = (
        f".scene .c-{name} {{ --fill: var(--{name}-fill); --edge: var(--{name}-edge); --own: var(--{name}-ink); "
        f"--detail: var(--{name}-edge); }}\n"
        for name in COLOURS
    )
    return (
        symbols
        + f"\n.scene {{ {_variables(LIGHT)} }}\n@media (prefers-color-scheme: dark) {{ .scene {{ {_variables(DARK)} }} }}\n"
        + "".join(own)
        + ".scene .c-black { --detail: #8b919c; --shine: 0.2; }\n"
        + _inside(rules)
    )


STYLE = _style()
"""The style sheet of every drawing. Insides of symbols are styled by plain names that no selector from outside reaches."""
