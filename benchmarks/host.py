"""What the host of this machine, where it has one, does to a measurement of time."""

import os


def held_back() -> float:
    """Seconds for which the host let processors of this machine wait so far (0 where nobody counts)."""
    try:
        with open("/proc/stat") as counts:
            return int(counts.readline().split()[8]) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return 0.0
