"""The signature of the engine: a fixed set of searches whose node counts change only when a search does.

A change that is meant to alter no search leaves every number as it is; one that does alter a search says so, with the new total.
`tests/engine/test_signature.py` pins the numbers, `outplay bench` prints them.

>>> one = signature(["tic-tac-toe solved"])[0]
>>> one.name, one.nodes > 0, one.value
('tic-tac-toe solved', True, 0.0)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from outplay.engine import registry
from outplay.engine.alphabeta.options import Options
from outplay.engine.alphabeta.solve import solve
from outplay.engine.montecarlo.playouts import playouts
from outplay.engine.perft import perft
from outplay.errors import UnknownName
from outplay.game import Position, load
from outplay.values import Limits


class Signed(NamedTuple):
    """One search of the signature: what it is, how many nodes it looked at, what it found, and how long it took."""

    name: str
    nodes: int
    value: Any
    seconds: float


MIDDLE_GAME = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
ENDING = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
PLAIN = Options(deepening=False, killers=False, history=False, replies=False, game_order=False)
"""Alpha-beta, the table and its move, and nothing else: the searches that speeds are compared by."""


def _search(algorithm: str, limits: Limits, game: str, text: str = "", actions: str = "", **options: Any) -> tuple[int, Any]:
    position = _position(game, text, actions)
    last = None
    for last in registry.make(algorithm, position.game, memory=16, **options).search(position, limits):  # noqa: B007  (the last one is used below)
        pass
    assert last is not None
    return last.nodes, last.value


def _solved(game: str, actions: str = "") -> tuple[int, Any]:
    result = solve(_position(game, "", actions), memory=16)
    return result.nodes, result.value


def _perft(depth: int, game: str, text: str = "") -> tuple[int, Any]:
    return perft(_position(game, text, ""), depth)[0], None


def _playouts(games: int, game: str) -> tuple[int, Any]:
    played = playouts(_position(game, "", ""), games, seed=1)
    return played.moves, played.means[0]


def _position(game: str, text: str, actions: str) -> Position:
    loaded = load(game)
    position = loaded.position(text) if text else loaded.start()
    return position.play(actions) if actions else position


Work = Callable[[], tuple[int, Any]]


def _set() -> dict[str, Work]:
    """Every search of the signature by its name; the largest take some tenths of a second."""
    four, sloppy, three = "connect four", "isolation:width=4,height=3,sloppy=0.2", "isolation:width=4,height=4,players=3"
    puzzle = "fifteen puzzle:width=3,height=3"
    searches: dict[str, tuple] = {
        "connect four, minimax": ("minimax", Limits(depth=6), four),
        "connect four, alphabeta": ("alphabeta", Limits(depth=10), four),
        "connect four, plain alphabeta": ("alphabeta", Limits(depth=10), four, {"options": PLAIN}),
        "connect four, pvs": ("pvs", Limits(depth=11), four),
        "connect four, mtdf": ("mtdf", Limits(depth=10), four),
        "connect four, bns": ("bns", Limits(depth=9), four),
        "isolation, exact": ("pvs", Limits(depth=5), "isolation", {"options": Options()}),
        "isolation, selective": ("pvs", Limits(depth=7), "isolation"),
        "chess, exact": ("pvs", Limits(depth=4), "chess", MIDDLE_GAME, {"options": Options()}),
        "chess, opening": ("pvs", Limits(depth=9), "chess"),
        "chess, middle game": ("pvs", Limits(depth=8), "chess", MIDDLE_GAME),
        "chess, ending": ("pvs", Limits(depth=11), "chess", ENDING),
        "chess, nodes": ("pvs", Limits(nodes=20_000), "chess", MIDDLE_GAME),
        "sloppy isolation, expectiminimax": ("expectiminimax", Limits(depth=3), sloppy),
        "sloppy isolation, star1": ("star1", Limits(depth=3), sloppy),
        "sloppy isolation, star2": ("star2", Limits(depth=4), sloppy),
        "three players, maxn": ("maxn", Limits(depth=4), three),
        "three players, paranoid": ("paranoid", Limits(depth=4), three),
        "three players, best-reply": ("best-reply", Limits(depth=4), three),
        "connect four, mcts": ("mcts", Limits(simulations=20_000), four, {"seed": 1}),
        "sloppy isolation, mcts": ("mcts", Limits(simulations=5_000), sloppy, {"seed": 1}),
        "go 5x5, mcts": ("mcts", Limits(simulations=1_000), "go:size=5", {"seed": 1}),
        "blind tic-tac-toe, ismcts": ("ismcts", Limits(simulations=5_000), "blind tic-tac-toe", {"seed": 1}),
        "eight puzzle, ida-star": ("ida-star", Limits(), puzzle, "8 0 6 5 4 7 2 3 1"),
        "eight puzzle, a-star": ("a-star", Limits(), puzzle, "8 0 6 5 4 7 2 3 1"),
    }
    work: dict[str, Work] = {name: _bound(*given) for name, given in searches.items()}
    work |= {
        "tic-tac-toe solved": lambda: _solved("tic-tac-toe"),
        "connect four 5x4 solved": lambda: _solved("connect four:width=5,height=4"),
        "isolation 4x4 solved": lambda: _solved("isolation:width=4,height=4"),
        "connect four, perft": lambda: _perft(7, four),
        "chess, perft": lambda: _perft(4, "chess", MIDDLE_GAME),
        "connect four, playouts": lambda: _playouts(2_000, four),
    }
    return work


def _bound(algorithm: str, limits: Limits, game: str, *rest: Any) -> Work:
    text = next((part for part in rest if isinstance(part, str)), "")
    options = next((part for part in rest if isinstance(part, dict)), {})
    return lambda: _search(algorithm, limits, game, text, **options)


def names() -> tuple[str, ...]:
    """What the signature is made of."""
    return tuple(_set())


def signature(wanted: Iterable[str] | None = None) -> list[Signed]:
    """Run the searches of the signature, or those named."""
    work = _set()
    rows = []
    for name in work if wanted is None else wanted:
        if name not in work:
            raise UnknownName("search of the signature", name, work)
        begun = time.perf_counter()
        nodes, value = work[name]()
        rows.append(Signed(name, nodes, value, time.perf_counter() - begun))
    return rows
