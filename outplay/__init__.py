"""Outplay: write the rules of a game once; search them like the textbook, at C++ speed, and by the billion on a GPU.

>>> import outplay
>>> position = outplay.load("tic-tac-toe").position("xx./oo./... x")
>>> result = outplay.best(position)
>>> position.action_text(result.action), result.value
('c3', 1.0)

What stands here is imported when it is first used, so that `import outplay` costs nothing.
"""

from __future__ import annotations

import importlib

TYPE_CHECKING = False  # typing's own is the same to type checkers, and takes twenty milliseconds to import
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from outplay import errors, judge, rules, textbook
    from outplay.adapters.batch import batch
    from outplay.arena.match import tally
    from outplay.conformance import check_game as check
    from outplay.game import CompiledGame, Game, Position, game_names, load
    from outplay.judge.claims import why
    from outplay.judge.review import review
    from outplay.players import Play, Player, player
    from outplay.players.algorithms import algorithms, best, search, solve
    from outplay.players.explaining import explain
    from outplay.players.solving import scores, strategy
    from outplay.values import CHANCE, Choice, Limits, Outcome, Policy, Record, Result

__version__ = "0.3.0.dev0"

_WHERE = {
    "outplay.adapters.batch": ("batch",),
    "outplay.game": ("CompiledGame", "Game", "Position", "game_names", "load"),
    "outplay.pages": ("export",),
    "outplay.values": ("CHANCE", "Choice", "Limits", "Outcome", "Policy", "Record", "Result"),
    "outplay.players": ("Play", "Player", "player"),
    "outplay.players.algorithms": ("algorithms", "best", "search", "solve"),
    "outplay.players.explaining": ("explain",),
    "outplay.judge.review": ("review",),
    "outplay.judge.claims": ("why",),
    "outplay.players.solving": ("scores", "strategy"),
    "outplay.arena.match": ("tally",),
    "outplay.conformance": (("check", "check_game"),),
}
_NAMES: dict[str, tuple[str, str]] = {
    (name if isinstance(name, str) else name[0]): (module, name if isinstance(name, str) else name[1])
    for module, names in _WHERE.items()
    for name in names
}
_MODULES = ("errors", "judge", "rules", "textbook")

__all__ = [
    "CHANCE", "Choice", "CompiledGame", "Game", "Limits", "Outcome", "Play", "Player", "Policy", "Position", "Record", "Result",
    "algorithms", "batch", "best", "check", "errors", "explain", "export", "game_names", "judge", "load", "match", "play", "player",
    "review", "rules", "scores", "search", "solve", "strategy", "tally", "textbook", "why",
]  # fmt: skip


def play(game: str | Game, players: Any = ("human", "auto"), **more: Any) -> Play:
    """A game in progress, which `run()` carries on move by move: `outplay.play("nim", ["engine", "random"])`.

    >>> import outplay
    >>> game = outplay.play("nim", ["engine", "random"], seed=1)
    >>> for event in game.run():
    ...     pass
    >>> game.outcome.winner
    0
    """
    from outplay.players import Play

    return Play(game, players, **more)


def match(game: str | Game, players: Sequence[Player | str], *, games: int = 2, **more: Any) -> Iterator[Record]:
    """The games of a match, each as a Record when it is over; players are objects or texts such as `engine:depth=4`.

    >>> import outplay
    >>> records = list(outplay.match("nim", ["engine:depth=4", "random"], games=4))
    >>> outplay.tally(records, "engine:depth=4").wins >= 2
    True
    """
    from outplay.arena.match import match as play_match
    from outplay.errors import BadValue
    from outplay.game import load
    from outplay.players import player

    if isinstance(players, str) or not hasattr(players, "__iter__"):
        raise BadValue(f"players must be a list such as ['engine:depth=4', 'random'], got {players!r}")
    for each in players:
        if isinstance(each, type):
            raise BadValue(f"a player is an object, got the class {each.__name__}: say {each.__name__}()")
    seated: list[Any] = [player(each, seed=number) if isinstance(each, str) else each for number, each in enumerate(players)]
    from outplay.players.guests import bounded

    limits = more.get("limits")
    has_time = more.get("clock") is not None or (limits is not None and limits.seconds is not None)
    return play_match(load(game) if isinstance(game, str) else game, bounded(seated, has_time), games=games, **more)


def __getattr__(name: str) -> Any:
    if name in _NAMES:
        module, attribute = _NAMES[name]
        found = getattr(importlib.import_module(module), attribute)
    elif name in _MODULES:
        found = importlib.import_module(f"outplay.{name}")
    else:
        raise AttributeError(f"module 'outplay' has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
