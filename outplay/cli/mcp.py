"""`outplay mcp`: games for language models and other agents, by the Model Context Protocol on standard input and output."""

from __future__ import annotations

from typing import Annotated

from outplay.cli.commands import Argument
from outplay.cli.common import NewSeed, Seconds
from outplay.errors import BadValue

Files = Annotated[list[str] | None, Argument(metavar="[FILE.py...]", help="Games of your own that agents may play, too.")]


def mcp(files: Files = None, time: Seconds = None, seed: NewSeed = None) -> None:
    """Let language models and other agents play and study games, by the Model Context Protocol on standard input and output."""
    from outplay.adapters.agents import Tables, serve
    from outplay.game import load

    for each in files or []:
        load(each)
    if time is not None and not 0 < time <= 30:
        raise BadValue(f"--time must be above 0 and at most 30, got {time:g}")
    tables = Tables(seconds=time or 1.0, seed=seed)
    try:
        serve(tables)
    finally:
        tables.close()
