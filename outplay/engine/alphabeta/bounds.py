"""Numbers that several kernels share: what a stored value says of the true one, and values beyond all others."""

from __future__ import annotations

LOWER, UPPER, EXACT = 1, 2, 3  # what a stored value is; zero is an empty entry
INFINITY = 2**31 - 2  # above every value that is counted in whole numbers; the table keeps 32 bits of a value
UNBOUNDED = 1e300  # above every value that is counted in floating point
