"""Games as pages: one HTML file with rules, search, board and words, that plays without Python, a server or the network.

    export("connect four", "game.html")          # opens from a disk, on a phone, offline
    export("my_game.py", "game.html")

What each module does: `translate` turns the plain Python of pictures and notation into JavaScript (`python.js` is what that needs),
`face` is what a page asks of a position, `pack` compiles rules and searches to WebAssembly, `build` makes the page.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from outplay.errors import BadValue, OutplayError

__all__ = ["export"]


def export(
    game: Any,
    out: str | Path,
    *,
    searches: Sequence[str] | None = None,
    memory: float | None = None,
    tables: str | Path | None = None,
    title: str | None = None,
    tell: Callable[[str], Any] = lambda text: None,
) -> dict[str, Any]:
    """Write a game, or the file of an author's own, as one HTML page; what went into it is returned.

    `searches` are the names of those to take along, the computer's first choice first; left out, what suits the game. `memory` is
    what each of them may use in the page, in megabytes; `tables` a folder of endgame tables that alpha-beta looks into there.
    """
    from outplay.files import write_whole
    from outplay.game import load
    from outplay.pages.build import MEMORY, page
    from outplay.pages.pack import known
    from outplay.players import networks

    made = load(str(game)) if isinstance(game, (str, Path)) else game
    target = Path(out)
    if target.is_dir():
        raise BadValue(f"--out must be a file such as game.html, and {str(target)!r} is a folder")
    if not target.absolute().parent.is_dir():  # told before the compiler has run for seconds
        raise BadValue(f"cannot write {str(target)!r}: there is no folder {str(target.parent)!r}")
    known(searches or ())
    if memory is not None and not 1 <= memory <= 512:
        raise BadValue(f"memory must be 1 to 512 megabytes, got {memory:g}")
    if not hasattr(made, "rules"):
        raise OutplayError(f"a page needs compiled rules, and {made.name} is a plain game: make it a class with typed fields")
    tell(f"{made.name}: pictures, rules and searches ...")
    megabytes = MEMORY if memory is None else memory
    text, chosen = page(networks.usual(made), searches=searches, memory=megabytes, tables=tables, title=title)
    write_whole(target, text)
    return {"game": made.name, "out": str(target), "bytes": len(text.encode()), "searches": chosen}
