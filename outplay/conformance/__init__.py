"""One conformance test that every game passes: random games, played uncompiled and compiled, against the contract's promises.

>>> from outplay.game import load
>>> print(check_game(load("tic-tac-toe"), games=5))
tic-tac-toe keeps its promises: 5 random games, ... positions, compiled and uncompiled alike

A game that breaks a promise gets one line that names the promise, the position and the seed that shows it; `games=1` with that seed
shows it again. The promises are those of `outplay.rules`, in the words of `PROMISES`. First the rules run in plain Python, where a
wrong index is caught and not a crash; only a game that passes there is compiled and must then do the same, step for step.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from outplay.conformance.checker import Checker
from outplay.conformance.compiled import compare
from outplay.conformance.games import ENOUGH_GAMES, ENOUGH_STEPS, MOST_STEPS, after_all, random_game
from outplay.conformance.promises import PROMISES
from outplay.errors import BadValue, RulesError
from outplay.game import CompiledGame, Game

__all__ = ["PROMISES", "Report", "check_game"]


@dataclass(frozen=True)
class Report:
    """What was checked of a game that keeps its promises."""

    game: str
    games: int
    positions: int
    compiled: bool
    seconds: float
    asked: int = 0  # games that were wanted
    cut: int = 0  # games that were left before their end

    def __str__(self) -> str:
        alike = ", compiled and uncompiled alike" if self.compiled else ""
        games = f"{self.games} random game{'s' if self.games > 1 else ''}"
        if self.games < self.asked:
            games = f"{self.games} of {self.asked} random games, as the time was over"
        told = f"{self.game} keeps its promises: {games}, {self.positions} positions{alike}"
        if self.cut:
            left = f"{self.cut} of them {'was' if self.cut == 1 else 'were'}"
            told += (f"; {left} cut off after {MOST_STEPS} moves without an end: if the game need not end, count its moves in a "
                     "field and end it by them, or declare `draw_after` with `reversible()`")
        return told


def check_game(game: Game, games: int = 1000, seed: int = 0, progress: Callable[[int, int], None] | None = None,
               seconds: float = 6.0) -> Report:
    """Play random games and raise a `RulesError` that tells of every broken promise; `progress` gets (games done, games).

    Games in plain Python end after about `seconds` (some are played in any case), and the report says how many they were.
    A game loaded with `compiled=False` is checked in plain Python only.
    """
    if not isinstance(game, Game):
        said = f": say load({game!r})" if isinstance(game, str) else ""
        raise BadValue(f"check needs a game, got {game!r}{said}")
    if games < 1:
        raise BadValue(f"games must be 1 or more, got {games}")
    started, asked = time.perf_counter(), games
    rules = getattr(game, "rules", None)
    plain: Game = CompiledGame(rules, compiled=False) if rules else game
    compiles = isinstance(game, CompiledGame) and game.may_compile
    swift = compiles and isinstance(game, CompiledGame) and game.has_many_actions
    checker = Checker(plain, started + seconds, game if swift else None)
    played: list[list[Any]] = []
    while len(played) < games:
        number = len(played)
        checker.seed = seed + number
        played.append(random_game(checker))
        if progress:
            progress(number + 1, 2 * games if compiles else games)
        if time.perf_counter() - started > seconds and number + 1 >= ENOUGH_GAMES:
            games = number + 1
    after_all(checker)
    if not checker.broken and compiles:
        for number, moves in enumerate(played):
            checker.seed = seed + number
            compare(checker, moves if number == 0 else moves[:ENOUGH_STEPS])
            if checker.broken:
                break
            if progress:
                progress(games + number + 1, 2 * games)
            if time.perf_counter() - started > 1.5 * seconds and number + 1 >= ENOUGH_GAMES:
                break
    if checker.broken:
        raise RulesError(f"{game.name}: " + "; ".join(checker.broken.values()))
    return Report(game.name, games, checker.positions, compiles, time.perf_counter() - started, asked, checker.cut)
