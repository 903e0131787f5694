"""What all runs of learning have: a folder, settings that stay, a clock, checkpoints, reports, moments at which it is measured.

A recipe is a subclass of `Run` that says how it plays and learns, in `steps`. Its folder holds `settings.json`, `log.jsonl` (a line
a report), the network that plays and what it needs to go on; it can be killed at any moment and goes on from its last checkpoint,
at most a minute old.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, ClassVar

from outplay.errors import BadValue, Unavailable
from outplay.files import append_line, write_whole
from outplay.game import CompiledGame, Game, load
from outplay.learning import curve

CHECKPOINT_SECONDS = 45.0
"""Between two checkpoints: a run that is killed loses less than a minute."""
REPORT_SECONDS = 15.0
SNAPSHOTS = 8
"""How often in a run what has been learned is measured."""

Tell = Callable[[dict[str, Any]], None]


def torch_module() -> Any:
    """The module torch, or one line that says how to get it."""
    try:
        import torch
    except ImportError:
        raise Unavailable("learning a network needs torch: install it with `pip install outplay[learn]`") from None
    return torch


def settled(folder: Path, settings: Any, changes: Mapping[str, Any], fixed: Sequence[str]) -> Any:
    """The settings in a run's folder, where it has some: a run goes on as it began, but for what is asked to change now. What is
    `fixed`, such as the size of the network, never changes."""
    file, kind = folder / "settings.json", type(settings)
    if file.exists():
        try:
            old = json.loads(file.read_text())
            if "game" not in old:
                raise KeyError
            known = kind(**old)  # what an older version had no setting for is as it was then: the default
        except (ValueError, KeyError, TypeError):
            raise BadValue(f"{file} is damaged or of another recipe: give another folder, or remove it") from None
        if known.game != settings.game:
            raise BadValue(f"{folder} holds a run of {known.game}, not of {settings.game}: give another folder")
        for name in fixed:
            if changes.get(name, getattr(known, name)) != getattr(known, name):
                raise BadValue(f"{folder} holds a run with {name}={getattr(known, name)}, which cannot change: give another folder")
        settings = replace(known, **changes)
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(file, json.dumps(asdict(settings), indent=1).encode())
    return settings


class Run:
    """One run of learning in its folder, begun or continued."""

    recipe: ClassVar[str]
    file: ClassVar[str]
    """The network that plays."""
    Settings: ClassVar[Any]
    """A frozen dataclass whose first field is the game: everything that makes a run what it is."""
    fixed: ClassVar[tuple[str, ...]] = ()
    """Settings that never change in a folder."""
    small: ClassVar[dict[str, Any]] = {}
    """Settings that suit a processor, where nothing is said."""
    limit: ClassVar[str] = ""
    """What stands behind `net:FILE` in the matches of a run."""
    at_once: ClassVar[bool] = True
    """Whether what has learned next to nothing is measured, too."""
    spreads: ClassVar[bool] = False
    """Whether games may be played on a cluster."""

    def __init__(self, folder: Path, settings: Any, device: str = "cpu", threads: int = 1,
                 changes: Mapping[str, Any] | None = None) -> None:
        self.folder, self.device, self.threads = folder, device, threads
        if device == "cuda" and not torch_module().cuda.is_available():
            raise Unavailable("no CUDA device found on this machine: use --device cpu")
        self.game: Any = load(settings.game)
        self.suits(self.game)
        self.settings = settled(folder, settings, changes or {}, self.fixed)
        self.seconds, self.elapsed = 0.0, 0.0  # of learning: this time and before, and this time
        self.is_over, self.stop, self.address = False, threading.Event(), ""
        self.begin()

    @classmethod
    def suits(cls, game: Game) -> None:
        """Refuse a game that the recipe is not for."""

    @classmethod
    def opponents(cls, game: CompiledGame) -> list[str]:
        """Who a network is measured against where nobody says."""
        return curve.opponents_of(game)

    def begin(self) -> None:
        """Make what is to be learned, or read it from the folder."""
        raise NotImplementedError

    def get_ready(self) -> None:
        """Compile what takes long, before the clock runs."""

    def steps(self) -> Iterator[None]:
        """Play and learn, yielding between two pieces of work of less than a second, and end soon after `is_over`."""
        raise NotImplementedError

    def save(self) -> None:
        """Write what is learned: each file aside and then renamed."""
        raise NotImplementedError

    def standing(self) -> dict[str, Any]:
        """Where the run stands."""
        raise NotImplementedError

    def has_learned(self) -> bool:
        """Whether there is something to measure."""
        return True

    def pause(self, seconds: float) -> float:
        """Between two moments at which what is learned is measured, in a run of so many seconds."""
        return seconds / SNAPSHOTS

    def measure(self) -> None:
        """Find out how good what is learned is, by the recipe's own means."""

    def told(self, **more: Any) -> dict[str, Any]:
        """How the network was made, for its file."""
        return {**asdict(self.settings), "recipe": self.recipe, "seconds": round(self.seconds), **more}

    def per_second(self, count: float) -> int:
        """So much of this time's work, a second."""
        return round(count / max(self.elapsed, 1e-9))

    def report(self, tell: Tell | None) -> dict[str, Any]:
        """Where the run stands, also as a line of its log."""
        made = {"seconds": round(self.seconds, 1), **self.standing()}
        append_line(self.folder / "log.jsonl", json.dumps(made))
        if tell is not None:
            tell(made)
        return made

    def work(self, seconds: float, tell: Tell | None = None, stop: threading.Event | None = None,
             judge: Callable[[float], None] | None = None, address: str | None = None) -> dict[str, Any]:
        """Play and learn for so long, or until told to stop; the last report is returned, and everything is saved.

        `judge` is called with the run's seconds when the network has been saved at one of its moments. With an `address` the games
        are played on that cluster.
        """
        self.stop, self.address = stop or threading.Event(), address or ""
        self.get_ready()
        self.is_over, before, begun = False, self.seconds, time.perf_counter()
        saved = shown = begun
        pause = self.pause(seconds)
        due = begun if self.at_once else begun + pause
        try:
            with closing(self.steps()) as steps:  # type: ignore[type-var]  # generators, all of them
                for _ in steps:
                    now = time.perf_counter()
                    self.elapsed = now - begun
                    self.seconds = before + self.elapsed
                    self.is_over = self.elapsed >= seconds or self.stop.is_set()
                    is_due = now >= due and self.has_learned() and not self.is_over
                    if is_due or now - saved > CHECKPOINT_SECONDS:
                        self.save()
                        saved = now
                    if is_due:
                        self.measure()
                        if judge is not None:
                            judge(self.seconds)
                        due = max(due + pause, time.perf_counter())
                    if now - shown > REPORT_SECONDS:
                        self.report(tell)
                        shown = now
        except KeyboardInterrupt:
            self.save()
            raise
        self.save()  # the last measurement takes a while, and who stopped the run may not wait for it
        if self.has_learned():
            self.measure()
        report = self.report(tell)
        if judge is not None and self.has_learned():
            judge(self.seconds)
        return report
