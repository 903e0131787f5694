"""One page out of its parts: what is translated, what is compiled, the studio's board and the page's own script, as one text.

>>> from outplay.game import load
>>> script = translated(load("tic-tac-toe"))
>>> "function" in script and "host.shown" in script
True
"""

from __future__ import annotations

import base64
import gzip
import html
import json
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import outplay
from outplay.game import notation
from outplay.game.card import card
from outplay.pages import face
from outplay.pages.pack import FAMILIES, MEMORY, packed, searches_of
from outplay.pages.translate import Script, Untranslatable
from outplay.values import Traits
from outplay.views import panel, plain, words
from outplay.views.panel import panel_of
from outplay.views.theme import STYLE

HERE = Path(__file__).parent
STUDIO = HERE.parent / "web" / "static"
KEYS = {"alphabeta": "alphabeta", "mcts": "mcts", "hidden": "hidden_search", "chance": "expecting", "many": "many", "ways": "ways",
        "net": "net_search", "policy": "policy"}  # fmt: skip
"""What the page calls the driver of each family of searches."""
OURS = "$, host, Rules, Position, CHANCE, STACK, GUARD, lined, booked, unpacked"
"""What the page knows of the rules' room."""


@dataclass(frozen=True)
class Facts:
    """What words need to know of a game."""

    name: str
    players: int
    sides: tuple[tuple[int, ...], ...]
    traits: Traits


def translated(game: Any) -> str:
    """The game's pictures, notation and words, and all that draws them, as JavaScript."""
    script = Script(native={notation.field_names: "fieldNames", plain.fields_of: "fieldsOf"})
    facts = Facts(game.name, game.players, tuple(tuple(side) for side in game.sides or ()), game.traits)
    record = script.value(game.rules)
    for name in ("text", "action_text", "picture", "is_public", "veiled_text"):  # what else `face` asks goes along where it can
        script.require(game.rules, name)
    if hasattr(game.rules, "plies_left"):
        script.require(game.rules, "plies_left")
    told = {
        "shown": face.shown, "entries": face.entries, "marks": face.marks_of, "ended": face.ended,
        "fieldsText": notation.fields_text, "facts": facts, "derived": game.rules.derived, "seats": tuple(words.seats(game)),
    }  # fmt: skip
    own = panel_of(game)
    told |= {"said": panel.said, "spelled": panel.spelled, "recorded": own.recorded,
             "speak": _told_or_left(own.said), "spell": _told_or_left(own.spelled)}  # fmt: skip
    parts = [f"host.{name} = {script.value(each)};" for name, each in told.items()]
    return f"{script.text()}void {record};\n" + "\n".join(parts) + (
        "\nhost.facts.record = state => opened(state.slice());"
        "\nhost.facts.result = (state, action) => host.rules.play(state, host.rules.action.read($.int_(action)));\n"
    )


def _told_or_left(words: Any) -> Any:
    """Words of a panel, which a page does without where they cannot be translated: the game's own notation stands there then."""
    try:
        Script().value(words)
    except Untranslatable:
        return None
    return words


def page(
    game: Any,
    *,
    searches: Sequence[str] | None = None,
    memory: float = MEMORY,
    tables: str | Path | None = None,
    title: str | None = None,
) -> tuple[str, list[str]]:
    """The whole page of a game, and the searches that went into it."""
    script = translated(game)  # what cannot be told is refused before the compiler runs for seconds
    looked_at(game)
    chosen = list(searches_of(game) if searches is None else searches)
    made = packed(game, chosen, memory, tables)
    manifest = made.manifest() | {"searches": [KEYS[FAMILIES[name]] for name in chosen], "stays_hidden": bool(game.stays_hidden)}
    parts = {
        "style": "\n".join((STYLE, (STUDIO / "studio.css").read_text("utf-8"), (HERE / "page.css").read_text("utf-8"))),
        "script": "\n".join(("(async () => {", told(script), board(), *map(own, ("sharing.js", "levels.js", "page.js")),
                             "})().catch(window.outplayData.failed);")),
        "worker": "\n".join((own("kernels.js"), own("searches.js"), own("worker.js"))),
        "manifest": json.dumps(manifest, separators=(",", ":")),
    }
    data = {name: text.encode() for name, text in parts.items()} | {"code": made.module.code}
    filled = {
        "title": html.escape(title or (game.name[:1].upper() + game.name[1:])),
        "rules": rules_card(game),
        "version": html.escape(outplay.__version__),
        "data": "\n".join(f'<script type="text/plain" id="{name}">{squeezed(raw)}</script>' for name, raw in data.items()),
    }
    whole = (HERE / "page.html").read_text("utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda match: filled[match[1]], whole), chosen


def looked_at(game: Any, plies: int = 12) -> None:
    """Show the first positions of a game, so that an author's mistake is told now and not on a friend's phone."""
    position, seats, source = game.start(), words.seats(game), random.Random(1)
    for _ in range(plies):
        face.shown(position, seats)
        if position.is_terminal():
            break
        if game.traits.information == "hidden" and position.player() >= 0 and game.offers("deal"):
            position.observe(position.player()).deal(position.player(), source.getrandbits(32))
        if position.is_chance():
            position = position.result(position.sample_chance(source.getrandbits(32)))
        else:
            position = position.result(source.choice(position.actions()))


def told(script: str) -> str:
    """What Python told, in a room of its own: the page's names are not those of a game."""
    parts = own("kernels.js"), own("python.js"), own("record.js"), script
    return "\n".join(
        (f"const {{ {OURS} }} = (() => {{", *parts, f"return {{ {OURS} }};\n}})();")
    )


def squeezed(raw: bytes) -> str:
    """Bytes as a browser unpacks them itself; the same for the same bytes."""
    return base64.b64encode(gzip.compress(raw, 9, mtime=0)).decode()


@cache
def own(name: str) -> str:
    """A script of this folder, without the lines that are only comments."""
    return "\n".join(line for line in (HERE / name).read_text("utf-8").splitlines() if not line.lstrip().startswith("// "))


@cache
def board() -> str:
    """The studio's board and fingers, in a room of their own."""
    parts = []
    for name in ("board.js", "fingers.js"):
        text = (STUDIO / name).read_text("utf-8")
        text = re.sub(r"^import\b[^;]*;\s*$", "", text, flags=re.M)
        parts.append(re.sub(r"^export (default )?", "", text, flags=re.M))
    helpers = r"""
const { Board, Fingers, make } = (() => {
const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key in element && typeof value !== "string") element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
};
const worth = (value) => value === null || value === undefined ? "–" : (value > 0 ? "+" : "") + +value.toFixed(3);
"""
    return helpers + "\n".join(parts) + "\nreturn { Board, Fingers, make };\n})();"


def rules_card(game: Any) -> str:
    """The rules in words, as HTML."""
    told = card(game)

    def words(text: str) -> str:
        return re.sub(r"``?([^`]+)``?", r"<code>\1</code>", html.escape(text))

    lines = "".join(f"<dt>{html.escape(heading)}</dt><dd>{words(text)}</dd>" for heading, text in told.lines)
    return f"<p>{words(told.summary)}</p>" * bool(told.summary) + f"<dl>{lines}</dl>" * bool(lines) + "".join(
        f"<p>{words(each)}</p>" for each in told.more) or "<p>The author wrote none down.</p>"
