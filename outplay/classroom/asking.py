"""A submission in its sandbox, asked question by question: what it answers, what it looked at meanwhile, and how it failed.

Ways to hold it: `bwrap` (bubblewrap), `podman` or `docker`, and `trust`, which holds back less and is only taken when asked for.
"""

from __future__ import annotations

import functools
import inspect
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from outplay.classroom import desk
from outplay.classroom.problems import Problem
from outplay.errors import OutplayError, Unavailable, shorten
from outplay.sandbox import Bounds, Box, Broken, Guest, can_box, own_environment, python_folders, seal
from outplay.sandbox.containers import RUNNERS, Container, can_contain
from outplay.sandbox.seal import can_hold_files

SECONDS = 5.0
"""Wall time for one question: far more than it takes, so that a busy machine changes no mark."""
START_SECONDS = 30.0
"""For Python itself to begin in its box, which is no submission's time."""
ROOM = 4.0
"""How many times that on a machine so busy that the submission has not had its time of a processor."""
MOST_WAITING = 20
"""How many times that one answer may take by the clock, with all that it asks."""
LOOK_EVERY = 200
"""Questions between two looks at the time that was used."""
MOST_QUESTIONS = 20_000
"""What a submission may ask of a game for one answer."""
MOST_FAILURES = 3
"""Questions of one function that may hang or end the process before the rest of them is not asked any more."""
BOUNDS = Bounds(memory=512, processor=60.0, processes=1, output=1 << 20, file_size=1, files=32)
WAYS = ("bwrap", *RUNNERS, "trust")

WORDS = {
    "time": "hung: no answer after {seconds:g} s", "processor": "took too much time of the processor", "output": "flooded "
                                                                                                                 "its output",
    "processes": "started other processes", "crash": "crashed", "end": "ended the process", "start": "could not be started",
}  # fmt: skip
"""What a submission did that gave no answer, in words."""


GONE = frozenset((*WORDS, "again", "missing"))
"""Answers that no tree would explain."""


@dataclass(frozen=True)
class Answer:
    """What came of one question: a value, or why there is none; and what was asked of the game, in order."""

    value: Any = None
    failed: str = ""
    kind: str = ""
    log: tuple[tuple[str, int], ...] = ()

    def visited(self) -> list[int]:
        """The states that were looked into, in the order in which each was first."""
        return list(dict.fromkeys(state for question, state in self.log if question in ("actions", "utility", "evaluate")))

    def asked(self, question: str) -> list[int]:
        """The states of one question, in order."""
        return [state for each, state in self.log if each == question]


@functools.cache
def way_to_hold(trust: bool = False) -> str:
    """How submissions are held on this machine; refused where nothing is there and nobody says that they are trusted."""
    if can_box():
        return "bwrap"
    for runner in RUNNERS:
        if can_contain(runner):
            return runner
    if not trust:
        raise Unavailable(
            "submissions are strangers' programs, and there is no sandbox here: install bubblewrap (bwrap), podman or "
            "docker, or say --trust, which holds back time, memory, processes and the network, and no reading of files"
        )
    return "trust"


def not_held_back() -> str:
    """What `--trust` says where it is needed."""
    held, free = "time, memory and output", "files, the network and other programs are not"
    if sys.platform == "linux":  # where the filter of system calls is
        held, free = "time, memory, processes, programs, signals and the network", "files are not"
        if can_hold_files():
            held, free = held.replace(" and", ",") + " and the writing of files", "their reading is not"
    return f"without a sandbox {held} are held back, and {free}: a submission can read what you can read, other submissions, too"


def box_of(way: str) -> Box | None:
    """The box for a way to hold."""
    if way == "trust":
        return None
    seen: dict[str, Any] = {"shown": python_folders(), "hidden": (str(Path(desk.__file__).parent.parent),), "scratch": "/tmp"}
    return Box(**seen) if way == "bwrap" else Container(runner=way, **seen)


@functools.cache
def _program() -> str:
    """The desk and its seal as one text: nothing of Outplay is seen in the box."""
    parts = [inspect.getsource(seal), inspect.getsource(desk)]
    read = "\n".join(
        f"exec(compile({part!r}, {name!r}, 'exec'), names)" for part, name in zip(parts, ("seal", "desk"), strict=True)
    )
    run = "names['shut'](sys.argv[2:] == ['bare'])\nnames['main'](sys.argv[1])\n"
    return f"import sys\nnames = {{'__name__': 'desk'}}\n{read}\n{run}"


@dataclass
class Desk:
    """One submission, for as many questions as there are; a process that hung or ended is started anew for the next."""

    file: Path
    way: str
    seconds: float = SECONDS
    bounds: Bounds = BOUNDS
    failures: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._guest: Guest | None = None
        self.loaded: Answer | None = None

    def load(self) -> Answer:
        """Read the file: the functions that it has, or why it cannot be read."""
        command = [sys.executable, "-s", "-S", "-P", "-c", _program(), str(self.file), *(["bare"] if self.way == "trust" else [])]
        environment = {**own_environment(), "PYTHONPATH": ""}
        try:
            self._guest = Guest(
                command, self.bounds, box_of(self.way), str(self.file.parent), environment, name=self.file.name, room=ROOM
            )
        except Broken as problem:
            return Answer(failed=str(problem), kind=problem.kind)
        begun = self._talk({"begin": True}, None, START_SECONDS)
        self.loaded = begun if begun.failed else self._talk({"load": True}, None)
        return self.loaded

    def ask(self, function: str, args: Sequence[Any] = (), problem: Problem | None = None) -> Answer:
        """Call a function of the submission, with a game and its first state where there is a problem."""
        if self.failures.get(function, 0) >= MOST_FAILURES:
            return Answer(failed=f"not asked again after {MOST_FAILURES} failures of this kind", kind="again")
        if self._guest is None or not self._guest.is_running():
            loaded = self.load()
            if loaded.failed:
                self.failures[function] = self.failures.get(function, 0) + 1
                return loaded
        answer = self._talk({"call": function, "args": list(args), "root": problem.facts(0) if problem else None}, problem)
        if answer.kind in WORDS:
            self.failures[function] = self.failures.get(function, 0) + 1
        return answer

    def _talk(self, order: dict[str, Any], problem: Problem | None, seconds: float | None = None) -> Answer:
        seconds = seconds or self.seconds
        assert self._guest is not None
        log: list[tuple[str, int]] = []
        # What is counted is the submission's own time: each wait for its next word, and what it has had of the processor. On a busy
        # machine a thousand questions take many seconds by the clock, and no mark may depend on that.
        spent, until = self._guest.processor(), time.monotonic() + MOST_WAITING * seconds
        try:
            self._guest.say(json.dumps(order), seconds)
            while True:
                heard = _read(self._guest.hear(seconds))
                if len(log) % LOOK_EVERY == LOOK_EVERY - 1 and (
                    self._guest.processor() - spent > seconds or time.monotonic() > until
                ):
                    self._guest.fail("time", "asks without end")
                if "ask" in heard and problem is not None and isinstance(heard.get("state"), int):
                    state, question = heard["state"], str(heard["ask"])
                    log.append((question, state))
                    over = problem.budget is not None and len(log) > problem.budget
                    if len(log) > MOST_QUESTIONS:
                        self._guest.fail("time", "asked without end")
                    self._guest.say(json.dumps({"out_of_time": True} if over else problem.answer(question, state)), seconds)
                elif "done" in heard:
                    return Answer(heard["done"], log=tuple(log))
                elif "failed" in heard:
                    return Answer(failed=str(heard["failed"])[:400], kind=str(heard.get("kind", "")), log=tuple(log))
                else:
                    self._guest.fail("output", "wrote what is no answer")
        except Broken as broken:
            words = WORDS.get(broken.kind, str(broken)).format(seconds=seconds)
            said = f"{words}: {broken}" if broken.kind in ("crash", "output") else words
            return Answer(failed=said, kind=broken.kind, log=tuple(log))
        except OutplayError as broken:  # pragma: no cover - whatever else a process does
            return Answer(failed=shorten(str(broken), 300), kind="end", log=tuple(log))

    def close(self) -> None:
        """End its process."""
        if self._guest is not None:
            self._guest.close()


def _read(line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
