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

from outplay import extras
from outplay.errors import BadValue, UnknownName, shorten
from outplay.game import CompiledGame, load
from outplay.learning import curve
from outplay.learning.run import SNAPSHOTS, Run, torch_module
from outplay.players import player

RECIPES = {"alphazero": "outplay.learning.alphazero:Run", "td": "outplay.learning.td:Run", "nnue": "outplay.learning.nnue:Run"}
"""The class of each recipe's runs. A game may have recipes of its own among its extras."""
ON_A_GPU = {"td": "outplay.learning.td_backups:Run"}
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
    loaded: Any = load(game)
    kind = kind_of(loaded, recipe, device)
    if cluster is not None and device != "cpu":
        raise BadValue("self-play on a cluster is for processors: leave --device out")
    if cluster is not None and not kind.spreads:
        raise BadValue(f"{kind.recipe} plays and learns on this machine: leave --cluster out")
    folder = Path(out)
    if folder.exists() and not folder.is_dir():
        raise BadValue(f"{out} is a file: --out takes a folder")
    opponents = kind.opponents(loaded) if against is None else list(against)
    for text in opponents:
        player(text)  # a wrong name is told now and not in an hour
    name = str(folder / kind.file)

    def judge(at: float) -> None:
        each = max(1.0, seconds * curve.SHARE / SNAPSHOTS / max(1, len(opponents)))
        if seconds >= SHORTEST and match_games:
            net = f"net:{name}{kind.limit}"
            lines = curve.judge(folder, loaded, net, opponents, games=match_games, seconds=each, at=at, stop=stop)
            for line in lines if tell is not None else ():
                tell(line)  # type: ignore[misc]  # no lines where it is None
        curve.page(folder)

    changes = chosen(kind.Settings, settings)
    known = {"game": loaded.origin or loaded.name, "total_seconds": seconds, **(kind.small if device == "cpu" else {}), **changes}
    if "total_seconds" not in {part.name for part in fields(kind.Settings)}:
        del known["total_seconds"]
    run = kind(folder, kind.Settings(**known), device, threads, changes)
    report = run.work(seconds, tell, stop, judge, cluster)
    if not (folder / "curve.svg").exists():
        curve.page(folder)  # of a run that was too short to learn anything
    return {**report, "checkpoint": name}


def kind_of(game: CompiledGame, recipe: str | None = None, device: str = "cpu") -> type[Run]:
    """The class of runs of a recipe; where none is named, of what fits the game."""
    own = extras.of(game).recipes
    recipe = recipe or next(iter(own), "td" if game.traits.chance else "alphazero")
    if recipe in RECIPES:
        place = (ON_A_GPU if device == "cuda" else RECIPES).get(recipe, RECIPES[recipe])
        return extras.Extras().fetch(place)
    found = extras.entry("recipes", recipe)
    if found is None:
        raise UnknownName("recipe", recipe, (*own, *RECIPES))
    try:
        return found[0].fetch(found[1])
    except ModuleNotFoundError:
        torch_module()  # says so where it is that
        raise
