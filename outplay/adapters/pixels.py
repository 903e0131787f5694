"""Pictures as arrays of pixels, for whoever wants to make a film of a game or learn from its looks.

Our drawings are SVG with one style sheet that speaks in variables, by which a page can be light or dark. Programs that turn SVG
into pixels know no variables, so `plain` first writes every element's style out at the element; `resvg` then does the drawing.

>>> print(plain('<svg xmlns="http://www.w3.org/2000/svg" class="scene"><style>.scene { --a: red; } .b { fill: var(--a); }</style>'
...             '<rect class="b"/></svg>'))
<svg xmlns="http://www.w3.org/2000/svg"><rect style="fill:red" /></svg>
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from xml.etree import ElementTree

import numpy as np

from outplay.errors import Unavailable

SVG, LINK = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}href"
ElementTree.register_namespace("", SVG[1:-1])


class Rule(NamedTuple):
    """One selector, as the parts from the outside in, and what it sets."""

    parts: tuple[str, ...]
    sets: Mapping[str, str]


def rules_of(sheet: str) -> list[Rule]:
    """The rules of a style sheet by day: those for the dark and for a pointer are left out, and later ones stand later."""
    sheet = re.sub(r"/\*.*?\*/", "", sheet, flags=re.S)
    sheet = re.sub(r"@media[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", sheet)
    found = []
    for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", sheet):
        sets = {key.strip(): value.strip() for key, colon, value in (line.partition(":") for line in body.split(";")) if colon}
        found += [Rule(tuple(one.split()), sets) for one in selectors.split(",") if ":" not in one]
    found.sort(key=lambda rule: sum(part.count(".") for part in rule.parts))  # more classes win, then the later one
    return found


def _fits(part: str, element: Any) -> bool:
    tag, *classes = part.split(".")
    has = (element.get("class") or "").split()
    return (not tag or element.tag == SVG + tag) and all(name in has for name in classes)


def _matches(rule: Rule, element: Any, above: Sequence[Any]) -> bool:
    if not _fits(rule.parts[-1], element):
        return False
    left = list(rule.parts[:-1])
    for each in reversed(above):
        if left and _fits(left[-1], each):
            left.pop()
    return not left


def _resolved(value: str, known: Mapping[str, str]) -> str:
    for _ in range(8):  # variables may name variables
        changed = re.sub(r"var\((--[\w-]+)(?:,\s*([^()]*))?\)", lambda use: known.get(use[1], use[2] or "none"), value)
        if changed == value:
            break
        value = changed
    return value


def plain(text: str) -> str:
    """The same drawing without a style sheet: every element says itself how it looks."""
    root = ElementTree.fromstring(text)
    rules = [rule for style in root.iter(SVG + "style") for rule in rules_of(style.text or "")]
    symbols = {each.get("id"): each for each in root.iter() if each.get("id")}

    def write(element: Any, above: list[Any], known: Mapping[str, str]) -> Any:
        sets: dict[str, str] = {}
        for rule in rules:
            if _matches(rule, element, above):
                sets.update(rule.sets)
        for line in (element.get("style") or "").split(";"):
            key, _, value = line.partition(":")
            sets |= {key: value} if value else {}
        known = {**known, **{key.strip(): value.strip() for key, value in sets.items() if key.strip().startswith("--")}}
        looks = ";".join(f"{key.strip()}:{_resolved(value, known).strip()}" for key, value in sets.items()
                         if not key.strip().startswith("--"))  # fmt: skip
        kept = {key: _resolved(value, known) for key, value in element.items() if key not in ("class", "style", "id")}
        made = ElementTree.Element(element.tag, {**kept, "style": looks} if looks else kept)
        made.text, made.tail = element.text, element.tail
        inside = [*above, element]
        if element.tag == SVG + "use":  # the symbol itself in its place, with the variables of where it is used
            used = symbols.get((element.get("href") or element.get(LINK) or "").lstrip("#"))
            if used is None:
                return made
            made.tag = SVG + "g"
            x, y, width, height = (float(kept.pop(key, 0)) for key in ("x", "y", "width", "height"))
            for key in ("x", "y", "width", "height", "href", LINK):
                made.attrib.pop(key, None)
            box = [float(number) for number in (used.get("viewBox") or "0 0 1 1").split()]
            scale = min(width / box[2], height / box[3]) if width else 1.0
            place = f"translate({x:g} {y:g}) scale({scale:g}) translate({-box[0]:g} {-box[1]:g})"
            made.set("transform", f"{made.get('transform', '')} {place}".strip())
            looks_of_symbol = write(ElementTree.Element(SVG + "g", {"class": used.get("class") or ""}), inside, known).get("style")
            if looks_of_symbol:
                made.set("style", f"{looks};{looks_of_symbol}")
            made.extend(write(each, [*inside, used], known) for each in used)
            return made
        hidden = (SVG + "style", SVG + "symbol", SVG + "title")
        made.extend(write(each, inside, known) for each in element if each.tag not in hidden)
        return made

    return ElementTree.tostring(write(root, [], {}), encoding="unicode")


def pixels(text: str) -> np.ndarray:
    """A drawing as [height, width, 3] of uint8, on white."""
    try:
        import resvg_py
        from PIL import Image
    except ImportError:
        raise Unavailable("pixels need resvg_py and Pillow: install them with `pip install outplay[adapters]`") from None
    flat = plain(text).replace("system-ui, sans-serif", "Arial, Helvetica, 'DejaVu Sans', 'Liberation Sans', sans-serif")
    drawn: Any = resvg_py.svg_to_bytes(svg_string=flat, background="white")
    return np.asarray(Image.open(io.BytesIO(bytes(drawn))).convert("RGB"), np.uint8)
