"""Generic rooms know no game by name: what only one game has stands in `games/` and `experts/`, and is found through `extras`."""

import ast
from pathlib import Path

import outplay
from outplay.game import game_names

PACKAGE = Path(outplay.__file__).parent
OWN_ROOMS = ("games", "experts")
WORDS = {"go", "tree", "grid", "bridge"}
"""Names that are common words, too: they count where a game's name is compared with them, or with parameters behind them."""

ALLOWED = {
    "engine/preferences.py": "the table of which search plays which game best",
    "engine/bench.py": "the signature: fixed searches of fixed games",
    "cli/bench.py": "names of the files under benchmarks/",
    "cli/protocols": "a dialect is spoken by the programs of its game",
    "players/external": "what programs of each protocol play",
    "lessons": "the lectures' own games",
    "classroom": "the lectures' own games, which assignments are about",
    "adapters/gymnasium.py": "a default",
    "views/pieces.py": "sets of pieces, called after the games that they came from",
    "views/traces.py": "trees that are written down are drawn whole",
    "web/seeing.py": "trees that are written down are drawn whole",
    "web/figures.py": "the lectures' figures",
    "web/site.py": "the lectures' figures",
    "web/pages.py": "names of lessons",
    "web/recording.py": "names of the lessons' tables",
    "web/lessons.py": "the lectures' own games",
    "web/gallery.py": "how the gallery is hung",
    "web/spoken.py": "in which order games are shown, and where three depths mean something",
    "web/boards.py": "surfaces",
    "web/explorer.py": "books that come with us",
}
"""Where names may stand, and why; a new place wants a reason."""


def _parents(tree: ast.AST) -> dict[int, ast.AST]:
    return {id(child): node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}


def _names_in(text: str) -> list[tuple[int, str]]:
    tree, found = ast.parse(text), []
    parents, known = _parents(tree), set(game_names())
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(("outplay.games.", "outplay.experts")):
            found.append((node.lineno, f"import of {node.module}"))
        if not (isinstance(node, ast.Constant) and isinstance(node.value, str)) or isinstance(parents.get(id(node)), ast.Expr):
            continue
        base, _, rest = node.value.partition(":")
        if base in known and (base not in WORDS or "=" in rest or _is_a_game(parents[id(node)])):
            found.append((node.lineno, node.value))
    return found


def _is_a_game(compared: ast.AST) -> bool:
    """Whether a comparison asks for a game's name."""
    if not isinstance(compared, ast.Compare):
        return False
    return any(isinstance(node, ast.Attribute) and node.attr in ("family", "name", "game") for node in ast.walk(compared))



def test_no_generic_room_names_a_game():
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        place = path.relative_to(PACKAGE).as_posix()
        if place.split("/")[0] in OWN_ROOMS or any(place == each or place.startswith(each + "/") for each in ALLOWED):
            continue
        found += [f"{place}:{line}: {name}" for line, name in _names_in(path.read_text(encoding="utf-8"))]
    assert not found, "what one game alone has belongs to experts/<game>, found through extras:\n" + "\n".join(found)


def test_what_is_allowed_is_there():
    assert all((PACKAGE / place).exists() and reason for place, reason in ALLOWED.items())


def test_the_guard_sees():
    assert _names_in('if game.family == "go":\n    pass') and _names_in('load("chess")') and _names_in('load("go:size=9")')
    assert _names_in("from outplay.games.chess import moves") and not _names_in('"""chess"""\nsay("go")\nx = "tree"')
