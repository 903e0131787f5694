"""Python's own text as a tree of its grammar, read by one thread at a time.

Python 3.11 and 3.12 count how deep such a tree is in one number for all threads: where two read at once and the garbage collector
lets the other go on in between, one of them dies of a `SystemError` (python/cpython#106905). So whoever reads does it here.
"""

from __future__ import annotations

import ast
import threading
from typing import Any

alone = threading.RLock()
"""Held while a tree is made, also by what reads one inside the standard library (`inspect` does, for a class)."""


def parse(text: str, file: str = "<unknown>", mode: str = "exec") -> Any:
    """The tree of a text; a SyntaxError where it has none.

    >>> ast.unparse(parse("1+x", mode="eval"))
    '1 + x'
    """
    with alone:
        return ast.parse(text, file, mode)
