"""The house as a static site: the gallery, a page for every game, the lessons with their searches traced; for any host of files.

Nothing in it asks a server, and every game plays by itself (`outplay.pages`). What only the studio can do says so.
"""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from outplay.errors import BadValue, Unsuitable
from outplay.files import write_whole
from outplay.game import load
from outplay.lessons import exercises
from outplay.names import family
from outplay.pages import export
from outplay.pages.build import squeezed
from outplay.players.explaining import explain
from outplay.values import Limits
from outplay.views import tree as trees
from outplay.views.theme import STYLE
from outplay.web import figures, gallery, pages, presses
from outplay.web.recording import ASKS, IN_GAMES, Recorder, exercises_of, scripts
from outplay.web.spoken import titled

MOST_NODES = 20_000  # of a search that is traced for a lesson
LIVE = re.compile(r'<div class="live"([^>]*)>(.*?)</div>', re.S)
ATTRIBUTE = re.compile(r"data-([\w-]+)=(?:\"([^\"]*)\"|'([^']*)')")
TRACED = (
    ("minimax", "tree", "minimax", ""), ("alphabeta", "tree", "alphabeta", ""),
    ("minimax-tic-tac-toe", "tic-tac-toe", "minimax", "xox/.o./o.x x"),
    ("alphabeta-tic-tac-toe", "tic-tac-toe", "alphabeta", "xo./.x./o.. x"),
    ("mcts-tic-tac-toe", "tic-tac-toe", "mcts", "x.o/.o./..x x"), ("a-star-grid", "grid:map=S..../.##.#/....G", "a-star", ""),
    ("connect-three", "connect four:width=4,height=3,line=3", "alphabeta-table", ""),
)  # fmt: skip
"""Searches that the site shows step by step: a name, a game, an algorithm and a position, empty for the start."""

NAV = (("index.html", "Games"), ("inside/index.html", "Look inside"), ("learn/index.html", "Learn"))


def file_name(name: str) -> str:
    """A game's name as a file's: letters, figures and hyphens.

    >>> file_name("liar's dice"), file_name("connect four:width=5")
    ('liars-dice', 'connect-four-width-5')
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower().replace("'", "")).strip("-") or "game"


def export_site(
    folder: str | Path,
    *,
    games: Sequence[str] | None = None,
    memory: float | None = None,
    lessons: bool = True,
    tell: Callable[[str], Any] = lambda text: None,
) -> dict[str, Any]:
    """Write the site into a folder; `games` are all that come with Outplay and the reader's own unless named."""
    root = Path(folder)
    if root.exists() and not root.is_dir():
        raise BadValue(f"--site must be a folder, and {str(root)!r} is a file")
    listed = [game for game in gallery.listed() if games is None or game["name"] in games]
    site = _Site(root, NAV if lessons else NAV[:2], memory)
    site.write("style.css", "\n".join((STYLE, (pages.STATIC / "studio.css").read_text("utf-8"), _MORE)))
    site.write("_headers", _HEADERS)
    site.write("icon.svg", (pages.STATIC / "icon.svg").read_text("utf-8"))
    refused: dict[str, str] = {}
    (root / "games").mkdir(parents=True, exist_ok=True)
    paths = {game["name"]: root / "games" / f"{file_name(game['name'])}.html" for game in listed}
    found = presses.pages([(gallery.PARAMETERS.get(name, name), path) for name, path in paths.items()], memory, tell)
    for (name, path), what in zip(paths.items(), found, strict=True):
        if "refused" in what:
            refused[name] = what["refused"]
            continue
        site.add(path, what["bytes"])
        site.games[f"games/{path.name}"] = gallery.PARAMETERS.get(name, name) == name
        site.write(f"pictures/{file_name(name)}.svg", gallery.picture(name))
    site.page("index.html", "Games that play by themselves", _front([game for game in listed if game["name"] not in refused]))
    tell("searches, step by step ...")
    _inside(site)
    if lessons:
        tell("lessons ...")
        _lessons(site, tell)
    made = [game["name"] for game in listed if game["name"] not in refused]
    return {"out": str(root), "pages": site.pages, "bytes": site.bytes, "games": made,
            "refused": refused}  # fmt: skip


class _Site:
    """A folder, and what was written there."""

    def __init__(self, root: Path, nav: Sequence[tuple[str, str]], memory: float | None) -> None:
        self.root, self.nav, self.memory, self.pages, self.bytes = root, nav, memory, 0, 0
        self.games: dict[str, bool] = {}  # by the page's name, whether there is one

    def add(self, path: Path, size: int) -> None:
        self.pages += path.suffix == ".html"
        self.bytes += size

    def game_page(self, written: str) -> str | None:
        """Where a game's page is, made now where the gallery has none of just this variant; None where it cannot be a page."""
        name = f"games/{file_name(written)}.html"
        path = self.root / name
        if name not in self.games:
            self.games[name] = False
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                self.add(path, export(load(written), path, memory=self.memory)["bytes"])
                self.games[name] = True
            except Unsuitable:
                pass
        return name if self.games[name] else None

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)
        self.add(path, len(text.encode()))

    def page(self, name: str, title: str, body: str) -> None:
        up = "../" * name.count("/")
        links = "".join(f'<a href="{up}{to}"{" aria-current=page" if to == name else ""}>{text}</a>' for to, text in self.nav)
        self.write(name, _FRAME.format(title=html.escape(title), up=up, links=links, body=body))


def _front(listed: list[dict[str, Any]]) -> str:
    parts = ['<h1>Games that play by themselves</h1><p class="lead">Every page holds a game whole: rules, board and an opponent '
             "from beginner to full strength. No server answers: what thinks is your browser.</p>"]  # fmt: skip
    for title in gallery.KINDS:
        cards = [_card(game) for game in listed if gallery.kind_of(game) == title]
        if cards:
            parts.append(f'<h2>{title}</h2><ul class="gallery">{"".join(cards)}</ul>')
    return "".join(parts)


def _card(game: dict[str, Any]) -> str:
    name = game["name"]
    place = quote(file_name(name))
    return (
        f'<li><a class="game-card" href="games/{place}.html"><span class="thumb"><img loading="lazy" alt="" '
        f'src="pictures/{place}.svg"></span><strong>{html.escape(titled(name))}</strong>'
        f"<span>{html.escape(game['summary'].rstrip('.'))}.</span></a></li>"
    )


def _traced(game: str, algorithm: str, position: str) -> str:
    """A search as a page that steps through it."""
    made = load(game)
    start = made.position(position) if position else made.start()
    name, found, grown = explain(start, algorithm, Limits(nodes=MOST_NODES), seed=0)
    facts = f"{found.nodes:,} nodes, {found.leaves:,} leaves, {grown.pruned:,} actions skipped."
    return trees.page(grown, title=f"{name} on {made.name}", facts=facts, line=found.line)


def _inside(site: _Site) -> None:
    items = []
    for name, game, algorithm, position in TRACED:
        site.write(f"inside/{name}.html", _traced(game, algorithm, position))
        items.append(
            f'<li><a href="{name}.html"><strong>{html.escape(algorithm)}</strong> on {html.escape(family(game))}</a></li>'
        )
    site.page("inside/index.html", "Look inside",
              "<h1>Look inside a search</h1><p>Step through what each algorithm looks at, keeps and skips.</p>"
              f"<ul>{''.join(items)}</ul>")  # fmt: skip


def _lessons(site: _Site, tell: Callable[[str], Any]) -> None:
    cards: dict[str, str] = {}
    site.write("learn/lesson.js", scripts())
    with Recorder() as recorder:
        for place, topic in enumerate(pages.TOPICS):
            tell(f"lessons: {topic} ({place + 1} of {len(pages.TOPICS)}) ...")
            heading, text = pages._lesson(topic)

            def live(match: re.Match) -> str:
                data = {key: html.unescape(one or other) for key, one, other in ATTRIBUTE.findall(match[1])}
                return _live(site, recorder, data)

            drawn = exercises_of(recorder, topic) if topic in exercises.topics() else []
            if drawn:
                text += f'<h2>Exercises</h2>\n<div class="live" data-live="exercises" data-topic="{topic}"></div>\n'
            body = LIVE.sub(live, text)
            around = [
                f'<a class="button" href="{pages.TOPICS[k]}.html">{words}</a>'
                for k, words in ((place - 1, "← the lesson before"), (place + 1, "the next lesson →"))
                if 0 <= k < len(pages.TOPICS)
            ]
            recorded = json.dumps({"answers": recorder.fresh(), "exercises": drawn}, ensure_ascii=False, separators=(",", ":"))
            site.page(
                f"learn/{topic}.html",
                heading,
                f'<article class="lesson"><h1>{heading}</h1>{_at_home(body)}<p class="row">{" ".join(around)}</p></article>'
                f"{_LESSON.replace('RECORDED', squeezed(recorded.encode()))}",
            )
            site.write(f"learn/{topic}.svg", figures.figure(topic))
            cards[topic] = (
                f'<li><a class="game-card" href="{topic}.html"><span class="thumb">'
                f'<img loading="lazy" alt="" src="{topic}.svg"></span>'
                f"<strong>{place + 1}. {heading}</strong><span>{pages._first_words(topic)}</span></a></li>"
            )
    parts = "".join(
        f'<h2>{part}</h2><ol class="gallery topics">{"".join(cards[topic] for topic in topics if topic in cards)}</ol>'
        for part, topics in pages.PARTS.items()
    )
    site.page("learn/index.html", "Learn", f"<h1>Learn</h1>{parts}")


def _live(site: _Site, recorder: Recorder, data: dict[str, str]) -> str:
    """A live example where no server is: as in the studio, with its answers beside it; or its game's page at its position."""
    kind = data["live"]
    if kind in IN_GAMES:
        game: Any = load(data["game"])
        start: Any = game.position(data["position"]) if "position" in data else game.start()
        start = start.play(data["actions"]) if "actions" in data else start
        page = site.game_page(data["game"])
        if page is None:
            return '<p class="faint">This example computes while you look: <code>outplay serve</code> shows it.</p>'
        wish = urlencode({"at": base64.b64encode(start.state).decode(), "show": kind, "seconds": data.get("seconds", "2")})
        title = f"{html.escape(game.family)}, searched in this page"
        return f'<iframe class="game" loading="lazy" src="../{page}#{wish}" title="{title}"></iframe>'
    if kind in ASKS:
        ASKS[kind](recorder, data)
    attributes = " ".join(f'data-{key}="{html.escape(value)}"' for key, value in data.items())
    return f'<div class="live" {attributes}></div>'


def _at_home(text: str) -> str:
    """Links of the studio as links of the site, and plain words where only the studio goes."""
    text = re.sub(r'href="/learn/([\w-]+)"', r'href="\1.html"', text)
    text = re.sub(
        r'href="/play\?game=([^"&:]+)[^"]*"', lambda m: f'href="../games/{file_name(m[1].replace("%20", " "))}.html"', text
    )
    text = re.sub(r'src="/figures/([\w-]+)\.svg"', r'src="\1.svg"', text)
    text = re.sub(r'src="/pictures/([^"]+)\.svg"', lambda m: f'src="../pictures/{file_name(m[1].replace("%20", " "))}.svg"', text)
    return re.sub(r'<a [^>]*href="/[^"]*"[^>]*>(.*?)</a>', r"\1", text, flags=re.S)


_FRAME = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>{title} · Outplay</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' 'unsafe-inline'; \
style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-src 'self'; base-uri 'none'; form-action 'none'">
<link rel="icon" href="{up}icon.svg" type="image/svg+xml"><link rel="stylesheet" href="{up}style.css"></head>
<body><a class="skip" href="#main">Skip to the page</a>
<header><a class="brand" href="{up}index.html"><img src="{up}icon.svg" alt="" width="22" height="22"> <span>Outplay</span></a>
<nav aria-label="Pages">{links}</nav></header><main id="main">{body}</main></body></html>
"""

_HEADERS = """/*
  Cross-Origin-Opener-Policy: same-origin
  Cross-Origin-Embedder-Policy: require-corp
"""
"""With these alpha-beta's threads may share their table (docs/sharing.md); Netlify and Cloudflare Pages read such a file."""

_LESSON = """
<p class="notice" id="notice" role="alert" hidden></p>
<noscript><p>The examples need JavaScript.</p></noscript>
<script type="text/plain" id="recorded">RECORDED</script>
<script src="lesson.js"></script>
<script>
(async () => {
  const raw = Uint8Array.from(atob(document.getElementById("recorded").textContent), (one) => one.charCodeAt(0));
  window.lesson(await new Response(new Blob([raw]).stream().pipeThrough(new DecompressionStream("gzip"))).json());
})();
</script>
"""

_MORE = """
iframe.game { width: 100%; height: 40rem; border: 1px solid var(--edge); border-radius: .8rem; background: var(--card); }
"""
