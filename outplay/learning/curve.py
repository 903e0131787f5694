"""How a run of learning goes, for people: matches against fixed opponents, the learning curve as a picture, and a page.

Everything lies in the folder of the run. `log.jsonl` holds one report a line; a line with `opponent` is a match against a player
that does not learn, with the Elo that its result shows and how far the 95 % interval reaches. `games.jsonl` holds the last games of
each match. `curve.svg` and `index.html` are drawn from these two and can be drawn again at any time:

    python -m outplay.learning.curve RUN
"""

from __future__ import annotations

import html
import json
import math
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from outplay.arena.elo import Tally, elo
from outplay.arena.match import match, read, save, tally
from outplay.files import append_line, write_whole
from outplay.game import Game
from outplay.players import player

SAMPLE = 2
"""Games of each match that are kept."""
SHARE = 0.06
"""Of a run's time that matches may take."""
COLOURS = ("#1f6fc9", "#d9480f", "#2b9a66", "#9c4fc4", "#b07d00")
WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 640, 300, 56, 40, 34


def opponents_of(game: Game) -> list[str]:
    """Who a network is measured against where nobody says: a player without a plan, and a search that learned nothing."""
    return ["random", "engine:depth=1" if game.traits.chance and game.offers("evaluate") else "engine:mcts,simulations=100"]


def judge(folder: Path, game: Game, network: str, opponents: Sequence[str], *, games: int, seconds: float, at: float,
          stop: threading.Event | None = None) -> list[dict[str, Any]]:
    """Play a network against fixed opponents, at most so many seconds each; what was found is also a line of the log."""
    found = []
    for opponent in opponents:
        until = time.perf_counter() + seconds
        records = []
        seated: list[Any] = [player(network, seed=1), player(opponent, seed=2)]
        for record in match(game, seated, games=games, seed=int(at), stop=stop):
            records.append(record)
            if len(records) % 2 == 0 and time.perf_counter() > until:
                break
        if not records:
            break
        score = tally(records, seated[0].name)
        shown = elo(score)
        line = {"seconds": round(at, 1), "opponent": opponent, "games": score.games, "won": score.wins, "drawn": score.draws,
                "lost": score.losses, "elo": _bounded(shown.difference), "error": _bounded(shown.error)}  # fmt: skip
        append_line(folder / "log.jsonl", json.dumps(line))
        for record in records[-SAMPLE:]:
            save(record, folder / "games.jsonl")
        found.append(line)
    return found


def _bounded(number: float) -> float | None:
    return round(number, 1) if math.isfinite(number) else None


def log_of(folder: Path) -> list[dict[str, Any]]:
    """The lines of a run's log; a torn one is dropped."""
    lines = []
    for text in (folder / "log.jsonl").read_text(encoding="utf-8").splitlines() if (folder / "log.jsonl").exists() else ():
        try:
            lines.append(json.loads(text))
        except ValueError:
            continue
    return lines


def draw(log: Sequence[dict[str, Any]], title: str) -> str:
    """The learning curve: the share of points against each opponent with its 95 % interval, over the time of the run."""
    matches = [line for line in log if "opponent" in line]
    last = max([float(line.get("seconds", 0)) for line in log] or [1.0]) or 1.0
    across, up = (WIDTH - LEFT - 16) / last, HEIGHT - BOTTOM - TOP
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
             f'font-family="system-ui, sans-serif" font-size="12"><title>{html.escape(title)}</title>'
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>']  # fmt: skip
    for tenth in (0, 25, 50, 75, 100):
        y = HEIGHT - BOTTOM - up * tenth / 100
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - 16}" y1="{y:.1f}" y2="{y:.1f}" stroke="#dde2ea"/>'
                     f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end" fill="#5b6472">{tenth} %</text>')  # fmt: skip
    for number in range(5):
        parts.append(f'<text x="{LEFT + across * last * number / 4:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle" '
                     f'fill="#5b6472">{last * number / 4:.0f} s</text>')  # fmt: skip
    names = list(dict.fromkeys(line["opponent"] for line in matches))
    for number, name in enumerate(names):
        colour, points = COLOURS[number % len(COLOURS)], []
        for line in (each for each in matches if each["opponent"] == name):
            score = Tally(line["won"], line["drawn"], line["lost"]).score
            reach = 1.96 * math.sqrt(max(score * (1 - score), 1e-4) / max(1, line["games"]))
            x = LEFT + across * float(line["seconds"]) + 3 * number
            low, high = (HEIGHT - BOTTOM - up * min(1.0, max(0.0, each)) for each in (score - reach, score + reach))
            y = HEIGHT - BOTTOM - up * score
            points.append(f"{x:.1f},{y:.1f}")
            parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{low:.1f}" y2="{high:.1f}" stroke="{colour}" opacity="0.5"/>'
                         f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"><title>{html.escape(name)}: '
                         f"{line['won']} won, {line['drawn']} drawn, {line['lost']} lost</title></circle>")  # fmt: skip
        parts.append(f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour}" stroke-width="2"/>'
                     f'<text x="{LEFT + 190 * number}" y="18" fill="{colour}">against {html.escape(name[:26])}</text>')  # fmt: skip
    if not names:
        parts.append(f'<text x="{WIDTH / 2}" y="{HEIGHT / 2}" text-anchor="middle" fill="#5b6472">no match was played yet</text>')
    return "".join(parts) + "</svg>\n"


def page(folder: Path) -> None:
    """Draw `curve.svg` and write `index.html` for what the folder holds."""
    log = log_of(folder)
    try:
        settings = json.loads((folder / "settings.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        settings = {}
    game = str(settings.get("game", folder.name))
    picture = draw(log, f"{game}: points against fixed opponents")
    write_whole(folder / "curve.svg", picture.encode())
    rows = "".join(
        f"<tr><td>{line['seconds']:.0f} s</td><td>{html.escape(line['opponent'])}</td><td>{line['won']}</td>"
        f"<td>{line['drawn']}</td><td>{line['lost']}</td><td>{_in_words(line)}</td></tr>"
        for line in log if "opponent" in line)  # fmt: skip
    reports = [line for line in log if "opponent" not in line]
    facts = "".join(f"<tr><td>{html.escape(str(key).replace('_', ' '))}</td><td>{html.escape(str(value))}</td></tr>"
                    for key, value in (reports[-1] if reports else {}).items())  # fmt: skip
    chosen = "".join(f"<tr><td>{html.escape(key)}</td><td>{html.escape(str(value))}</td></tr>" for key, value in settings.items())
    sample = read(folder / "games.jsonl")[-6:] if (folder / "games.jsonl").exists() else []
    games = "".join(f"<li>{html.escape(' - '.join(record.players))}: {html.escape(' '.join(record.actions)[:600])}</li>"
                    for record in sample)  # fmt: skip
    style = ("body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#222;background:#fff}"
             "table{border-collapse:collapse}td,th{padding:.2rem .8rem;border-bottom:1px solid #ddd;text-align:left}")  # fmt: skip
    title = f"Learning {html.escape(game)}"
    text = (f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
            f"<title>{title}</title><style>{style}</style><h1>{title}</h1>{picture}<h2>Matches against fixed opponents</h2>"
            "<table><tr><th>after</th><th>opponent</th><th>won</th><th>drawn</th><th>lost</th><th>Elo (95 %)</th></tr>"
            f"{rows}</table><h2>Where it stands</h2><table>{facts}</table><h2>Settings</h2><table>{chosen}</table>"
            f"<h2>A sample of the games</h2><ul>{games}</ul></html>\n")  # fmt: skip
    write_whole(folder / "index.html", text.encode())


def _in_words(line: dict[str, Any]) -> str:
    if line["elo"] is None:
        return "all won" if line["won"] else "all lost"
    return f"{line['elo']:+.0f}" + ("" if line["error"] is None else f" ± {line['error']:.0f}")


if __name__ == "__main__":
    page(Path(sys.argv[1]))
