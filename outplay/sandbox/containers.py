"""The other box: a container of podman or docker, in which a program sees what it would see in bubblewrap's.

On Linux the container's image is empty, made here and never fetched: Python and the system's libraries are shown read-only, as in a
`Box`, so that what runs is what runs outside. Elsewhere the runner's machine has no such Python, and an image that brings one is
taken (`PYTHON`), which the runner fetches the first time.
"""

from __future__ import annotations

import functools
import hashlib
import io
import os
import secrets
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from outplay.sandbox import SYSTEM, Bounds, Box

RUNNERS = ("podman", "docker")
PYTHON = "docker.io/library/python:3-slim"
"""The image where ours cannot be used."""
NOBODY = "65534:65534"
LONGEST = 3600
"""Seconds after which a container ends by itself, whatever has become of who began it."""
SPARE = 256
"""Megabytes that a container may take beyond what its program may."""
PROCESSES = 16
"""Threads count as processes here."""
PATIENCE = 60.0


@dataclass(frozen=True)
class Container(Box):
    """What a guest sees of the machine, by a container; `name` is that of the one that runs."""

    runner: str = "podman"
    name: str = ""
    _pids: list[int] = field(default_factory=list, compare=False, repr=False)

    around_it: ClassVar[int] = 1  # `timeout`

    def fresh(self) -> Container:
        """The same for one more guest."""
        return replace(self, name=f"outplay-{secrets.token_hex(8)}", _pids=[])

    def held(
        self, command: Sequence[str], bounds: Bounds, folder: str | None, environment: Mapping[str, str] | None
    ) -> tuple[list[str], Mapping[str, str] | None]:
        """The command line; limits and environment are those inside, and the runner keeps its own."""
        inside = bounds.around(["timeout", "-k", "1", str(LONGEST), *command])
        return self.around(inside, folder, bounds, environment or {}), None

    def around(
        self,
        command: Sequence[str],
        folder: str | None = None,
        bounds: Bounds | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> list[str]:
        """The command line that runs a command inside, with the folder where it lies here."""
        bounds = bounds or Bounds()
        words = [
            self.runner, "run", "--rm", "-i", "--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges",
            "--security-opt", "label=disable", "--user", NOBODY, "--hostname", "box", "--log-driver", "none", "--pull", "missing",
            "--memory", f"{bounds.memory + SPARE}m", "--pids-limit", str(PROCESSES + bounds.processes),
            "--ulimit", f"nofile={bounds.files}:{bounds.files}", "--ulimit", "nproc=4096:4096", "--ulimit", "core=0:0",
        ]  # fmt: skip
        words += ["--name", self.name] if self.name else []
        words += [] if self.network else ["--network", "none"]
        words += ["--tmpfs", f"{self.scratch}:rw,size=64m,mode=1777"] if self.scratch else []
        for key, value in (environment or {}).items():
            words += ["-e", f"{key}={value}"]
        shown: list[str] = []
        for each in dict.fromkeys([*SYSTEM, *self.shown]) if is_shared() else ():
            if os.path.exists(each) and not os.path.islink(each) and not any(each.startswith(f"{other}/") for other in shown):
                shown.append(each)
        for each in shown:
            words += ["-v", f"{each}:{each}:ro"]
        empty = "ro,size=4k,notmpcopyup" if self.runner == "podman" else "ro,size=4k"  # podman would fill it with what it hides
        for each in self.hidden if is_shared() else ():
            words += ["--tmpfs", f"{each}:{empty}"] if os.path.isdir(each) else ["-v", f"/dev/null:{each}:ro"]
        words += ["-v", f"{folder}:{folder}:ro", "-w", folder] if folder else []
        if is_shared():
            return [*words, image(), *command]
        return [*words, PYTHON, *("python3" if word == sys.executable else word for word in command)]

    def inside(self) -> int | None:
        """The number of the first process inside, once it runs."""
        if not self._pids and self.name:
            asked = [self.runner, "inspect", "-f", "{{.State.Pid}}", self.name]
            found = subprocess.run(asked, capture_output=True, text=True, timeout=PATIENCE, check=False).stdout.strip()
            if found.isdecimal() and int(found) > 0:
                self._pids.append(int(found))
        return self._pids[0] if self._pids else None

    def clear(self) -> None:
        """End the container, whatever runs in it: the runner that began it is not its parent."""
        if self.name:
            subprocess.run([self.runner, "rm", "-f", self.name], capture_output=True, timeout=PATIENCE, check=False)


def is_shared() -> bool:
    """Whether containers here can show this machine's own Python."""
    return sys.platform == "linux"


@functools.cache
def _layout() -> tuple[tuple[str, str, int], ...]:
    """What stands at the top of an empty image: folders with their modes, and the links of this system."""
    links = [(each, os.readlink(each), 0o777) for each in SYSTEM if os.path.islink(each)]
    return ("/tmp", "", 0o1777), *((name, "", 0o755) for name in ("/usr", "/etc", "/proc", "/sys", "/dev", "/var", "/run")), *links


def image() -> str:
    """The name of the empty image that fits this system."""
    return f"localhost/outplay-box:{hashlib.sha256(repr(_layout()).encode()).hexdigest()[:12]}"


def _packed() -> bytes:
    """The empty image as an archive."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, target, mode in _layout():
            entry = tarfile.TarInfo(name.lstrip("/"))
            entry.type, entry.linkname, entry.mode = tarfile.SYMTYPE if target else tarfile.DIRTYPE, target, mode
            archive.addfile(entry)
    return out.getvalue()


@functools.cache
def can_contain(runner: str) -> bool:
    """Whether this runner is there and may do its work; the empty image is made for it where it is missing."""
    if shutil.which(runner) is None:
        return False
    try:
        if is_shared():
            known = subprocess.run([runner, "image", "inspect", image()], capture_output=True, timeout=PATIENCE, check=False)
            if known.returncode != 0:
                subprocess.run([runner, "import", "-", image()], input=_packed(), capture_output=True, timeout=PATIENCE, check=True)
        trial = Container(runner=runner).fresh()
        return subprocess.run(trial.around(["true"]), capture_output=True, timeout=5 * PATIENCE, check=False).returncode == 0
    except (OSError, subprocess.SubprocessError):
        return False
