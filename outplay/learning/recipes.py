"""One way to every recipe of learning: its settings from texts, the run in its folder, and what it reports.

>>> seconds_of("90s"), seconds_of("10m"), seconds_of("1h"), seconds_of("2.5")
(90.0, 600.0, 3600.0, 2.5)
>>> seconds_of("soon")
Traceback (most recent call last):
outplay.errors.BadValue: a time is a number of seconds, or such as 90s, 10m or 1h, got 'soon'
"""

from __future__ import annotations

import math
import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from outplay.errors import BadValue, UnknownName, shorten
from outplay.game import load
from outplay.learning import alphazero, curve
from outplay.players import player

RECIPES = ("alphazero", "td", "nnue", "shooting")
FILES = {"alphazero": "network.outplay", "td": "network.td", "nnue": "network.nnue", "shooting": "shooter.outplay"}
EQUAL_NODES = 2000
"""Of a network by nnue and of the evaluation that it learned from, in the matches between the two."""
SHORTEST = 20.0
"""Seconds of a run below which no matches are played: they would take longer than the learning."""


def seconds_of(text: str) -> float:
    """A span of time, as people write it."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smh]?)", text.strip().lower())
    if not found:
        raise BadValue(f"a time is a number of seconds, or such as 90s, 10m or 1h, got {shorten(text)!r}")
    return float(found[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[found[2]]


def chosen(kind: Any, given: Sequence[str]) -> dict[str, Any]:
    """The settings of a recipe that are given as key=value."""
    values: dict[str, Any] = {}
    parts = {part.name: part for part in fields(kind)}
    for text in given:
        key, equals, value = text.partition("=")
        if not equals:
            raise BadValue(f"a setting is key=value, got {shorten(text)!r}")
        if key not in parts or key == "game":
            raise UnknownName("setting", key, [name for name in parts if name != "game"])
        if parts[key].type in ("str", str):
            values[key] = value
            continue
        whole = parts[key].type in ("int", int)
        try:
            number = int(value) if whole else float(value)
        except ValueError:
            raise BadValue(f"{key} must be a {'whole ' if whole else ''}number, got {shorten(value)!r}") from None
        if not (number >= 0 and math.isfinite(number)):
            raise BadValue(f"{key} must be 0 or more, got {shorten(value)}")
        values[key] = number
    return values


def learn(
    game: str,
    out: str,
    *,
    recipe: str | None = None,
    seconds: float = 600.0,
    device: str = "cpu",
    threads: int = 1,
    settings: Sequence[str] = (),
    against: Sequence[str] | None = None,
    match_games: int = 40,
    cluster: str | None = None,
    tell: Callable[[dict[str, Any]], None] | None = None,
    stop: threading.Event | None = None,
) -> dict[str, Any]:
    """Run a recipe for so long in its folder, begun or continued; returns the last report with the network's file.

    At some moments of the run the network meets the players of `against` (left out: what fits the game; none: no matches) in
    matches of at most `match_games` games, and the folder's picture and page are drawn anew. `cluster` is the address of a
    cluster of Ray on which the games of self-play are played.
    """
    loaded = load(game)
    if recipe is None:
        recipe = "shooting" if loaded.name.startswith("battleships") else "td" if loaded.traits.chance else "alphazero"
    if cluster is not None and device != "cpu":
        raise BadValue("self-play on a cluster is for processors: leave --device out")
    if recipe not in RECIPES:
        raise UnknownName("recipe", recipe, RECIPES)
    folder = Path(out)
    if folder.exists() and not folder.is_dir():
        raise BadValue(f"{out} is a file: --out takes a folder")
    if recipe == "nnue" and cluster is not None:
        raise BadValue("nnue plays and learns on this machine: leave --cluster out")
    if recipe == "shooting":
        return _learn_shooting(loaded, folder, seconds, device, settings, tell, stop)
    usual = [f"engine:pvs,nodes={EQUAL_NODES}"] if recipe == "nnue" else curve.opponents_of(loaded)
    opponents = usual if against is None else list(against)
    for text in opponents:
        player(text)  # a slip of the pen is told now and not in an hour
    name = str(folder / FILES[recipe])
    limit = {"td": "", "nnue": f",nodes={EQUAL_NODES}"}.get(recipe, ",simulations=32")
    can_play = recipe != "td" or hasattr(loaded.rules, "network_weights")

    def judge(at: float) -> None:
        each = max(1.0, seconds * curve.SHARE / alphazero.SNAPSHOTS / max(1, len(opponents)))
        if seconds >= SHORTEST and match_games and can_play:
            lines = curve.judge(folder, loaded, f"net:{name}{limit}", opponents, games=match_games, seconds=each, at=at, stop=stop)
            for line in lines if tell is not None else ():
                tell(line)  # type: ignore[misc]  # no lines where it is None
        curve.page(folder)

    run: Any
    if recipe == "td" and device == "cuda":
        from outplay.learning import td_backups

        changes = chosen(td_backups.Settings, settings)
        known = {"game": loaded.origin or loaded.name, "total_seconds": seconds, **changes}
        run = td_backups.Run(folder, td_backups.Settings(**known), device, threads, changes)
        return {**run.work(seconds, tell=tell, stop=stop, judge=judge), "checkpoint": name}
    if recipe == "td":
        from outplay.learning import td

        changes = chosen(td.Settings, settings)
        run = td.Run(folder, td.Settings(loaded.origin or loaded.name, **changes), threads, changes)
        report = run.work(seconds, tell=tell, stop=stop, judge=judge, address=cluster)
        return {**report, "checkpoint": name}
    if recipe == "nnue":
        from outplay.learning import nnue

        changes = chosen(nnue.Settings, settings)
        wanted = nnue.Settings(**{"game": loaded.origin or loaded.name, "total_seconds": seconds, **changes})
        report = nnue.Run(folder, wanted, threads, changes, device).work(seconds, tell=tell, stop=stop, judge=judge)
        return {**report, "checkpoint": name}
    small = alphazero.SMALL if device == "cpu" else {}
    changes = chosen(alphazero.Settings, settings)
    known = {"game": loaded.origin or loaded.name, "total_seconds": seconds, **small, **changes}
    run = alphazero.Run(folder, alphazero.Settings(**known), device, threads, changes)
    report = run.work(seconds, tell=tell, stop=None if stop is None else stop.is_set, judge=judge, address=cluster)
    return {**report, "checkpoint": name}


def _learn_shooting(game: Any, folder: Path, seconds: float, device: str, settings: Sequence[str],
                    tell: Callable[[dict[str, Any]], None] | None, stop: threading.Event | None) -> dict[str, Any]:
    """Battleships has its own measure: the shots that random fleets take."""
    from outplay.learning import shooting

    known = {**(shooting.SMALL if device == "cpu" else {}), **chosen(shooting.Settings, settings)}
    run = shooting.Run(shooting.Settings(game.origin or game.name, **known), device=device)
    return {**run.work(seconds, folder=folder, tell=tell, stop=stop), "checkpoint": str(folder / FILES["shooting"])}
