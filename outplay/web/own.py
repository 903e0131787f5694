"""The author's own games: files named when the studio was started, and never anything that a request names.

They are on every page like the games that come with Outplay. A file that was saved since is read again; what is wrong with it, and
every promise of the rules that it breaks, is shown in the page.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import StreamingResponse

from outplay.conformance import check_game
from outplay.errors import BadValue, OutplayError
from outplay.game import load
from outplay.web.desk import Stopped, Tell
from outplay.web.streams import lines_of

router = APIRouter(prefix="/api", tags=["your game"])

WEIGH_SECONDS = 30.0
"""How long a game is weighed here."""

named: list[str] = []
"""The files of this studio, each alone or as FILE.py:key=value."""


def name_files(files: Sequence[str]) -> None:
    """Serve these files; a name that is no Python file is refused at once."""
    for text in files:
        if ".py" not in text or not path_of(text).is_file():
            missing = ": no such file" if ".py" in text else ""
            raise BadValue(f"expected the file of a game, such as my_game.py, got {text!r}{missing}")
    named[:] = files


def games() -> dict[str, str]:
    """The own games that can be read now: the file of each name."""
    found = {}
    for text in named:
        try:
            found[load(text, compiled=False).family] = text
        except OutplayError:
            continue
    return found


def path_of(text: str) -> Path:
    """The file in FILE.py or FILE.py:key=value."""
    return Path(text.partition(".py")[0] + ".py")


def saved(text: str) -> float:
    """When a file was last saved."""
    try:
        return path_of(text).stat().st_mtime
    except OSError:
        return 0.0


def stamp(text: str) -> str:
    """What tells a file that was changed from what it was before."""
    try:
        return hashlib.blake2b(path_of(text).read_bytes(), digest_size=16).hexdigest()
    except OSError:
        return ""


@router.get("/own")
def own_games() -> dict[str, Any]:
    """The files that the studio was started with: the game in each, or what is wrong with it."""
    listed = []
    for number, text in enumerate(named):
        entry: dict[str, Any] = {"number": number, "file": Path(text).name, "saved": saved(text), "stamp": stamp(text),
                                 "name": None, "problem": ""}
        try:
            entry["name"] = load(text, compiled=False).name
        except OutplayError as problem:
            entry["problem"] = str(problem)
        except Exception as problem:  # an author's file may do anything
            entry["problem"] = f"{type(problem).__name__}: {problem}"
        listed.append(entry)
    return {"files": listed}


@router.post("/own/{number}/check")
def check_own(number: int, request: Request) -> StreamingResponse:
    """Check one of the files as `outplay check` does: lines of JSON with `progress`, then `broken` promises or the `report`."""
    if not 0 <= number < len(named):
        raise HTTPException(404, "no such file was named when the studio was started")
    text = named[number]

    def work(tell: Tell, stop: threading.Event) -> None:
        def progress(done: int, games: int) -> None:
            if stop.is_set():
                raise Stopped
            if done % 25 == 0:
                tell({"progress": {"done": done, "games": games}})

        try:
            report = check_game(load(text, compiled=False), games=200, seconds=4.0, progress=progress)
        except OutplayError as problem:
            tell({"broken": [line.strip() for line in str(problem).splitlines() if line.strip()]})
        else:
            tell({"report": str(report)})

    return lines_of(request.app.state.desk.run(work))


@router.post("/own/{number}/weigh")
def weigh_own(number: int, request: Request) -> StreamingResponse:
    """Weigh one of the files as `outplay weigh` does: lines of JSON with `progress`, then the report as `page`."""
    if not 0 <= number < len(named):
        raise HTTPException(404, "no such file was named when the studio was started")
    text = named[number]

    def work(tell: Tell, stop: threading.Event) -> None:
        from outplay.workshop.page import content
        from outplay.workshop.weigh import weighing

        report, told = None, 0.0
        try:
            for report in weighing(load(text), seconds=WEIGH_SECONDS, stop=stop):
                if report.seconds - told >= 0.5:
                    told = report.seconds
                    tell({"progress": {"games": sum(level.games for level in report.levels), "seconds": report.seconds}})
        except OutplayError as problem:
            tell({"problem": str(problem)})
            return
        if stop.is_set():
            raise Stopped
        if report is not None:
            tell({"page": content(report)})

    return lines_of(request.app.state.desk.run(work))
