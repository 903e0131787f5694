"""What others on this machine, and its host where it has one, do to a measurement of time."""

import os


def held_back() -> float:
    """Seconds for which the host let processors of this machine wait so far (0 where nobody counts)."""
    try:
        with open("/proc/stat") as counts:
            return int(counts.readline().split()[8]) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return 0.0


def waited(process: int) -> float:
    """Seconds for which a process's main thread could have run and had no processor (0 where nobody counts)."""
    try:
        with open(f"/proc/{process}/schedstat") as counts:
            return int(counts.read().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0
