"""What a search uses and what it leaves out: each part of the engine has a switch, so that the lectures' comparisons can be run.

>>> Options().selective(), Options.playing().selective()
(False, True)
>>> Options(replacement="newest")
Traceback (most recent call last):
outplay.errors.UnknownName: unknown replacement policy 'newest': known are always, deeper, older-first
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from outplay.engine.alphabeta.table import POLICIES
from outplay.errors import BadValue, UnknownName

# Margins are in hundredths of the game's `stake`, what a clear gain is in points: for chess, whose stake is a pawn, centipawns. The
# defaults were found by matches of chess (benchmarks/chess_effects.py).
ASPIRATION = 50  # half the first window around the last depth's value
FUTILITY = 150  # what a quiet action may gain per ply
SINGULAR = 30  # how much better than all others an action must be to be searched deeper
NULL_MOVE = 256  # each so much above beta lets the null move be searched a ply less deep

SELECTIVE = ("quiescence", "extensions", "null_move", "reductions", "futility", "singular", "beam", "probcut")
"""The switches that give up the minimax value."""


@dataclass(frozen=True)
class Options:
    """The switches of a search. As they stand by default, a search of a given depth finds the minimax value of that depth."""

    # Transposition table
    table: bool = True
    replacement: str = "deeper"  # which entry a new one replaces: "always", "deeper", "older-first"
    same_depth: bool = False  # believe only entries of just the depth needed: values then equal the textbook's to the letter
    enhanced: int = 0  # up to so many plies from the root, all children are looked up before one is searched: one may suffice
    symmetry: bool = False  # look positions up under their `canonical` twin
    # Move ordering
    table_move: bool = True
    game_order: bool = True
    killers: bool = True
    history: bool = True
    replies: bool = True  # the history of an action as an answer to the one before it
    # Windows
    deepening: bool = True  # depth 1, 2, 3, ...; False goes straight to the depth of the limits
    aspiration: int = ASPIRATION  # half the first window around the last depth's value; 0 for the whole window
    distance: bool | None = None  # whether a quick win is worth more; None: where the game has an `evaluate`
    endings: bool = False  # prove the value where the end is near enough for the time, in games with `settle` and `plies_left`
    # What may be left out without changing the value of a position played to its end
    solving: bool = False  # the game's `solving` in place of all `actions`
    # Selectivity: quicker or deeper, no longer the minimax value
    quiescence: bool = False  # go on with the game's `forcing` actions below the depth limit
    extensions: bool = False  # a ply more where the game says that a threat is `urgent`
    null_move: bool = False  # if passing the turn is good enough, moving is
    reductions: bool = False  # late actions less deep, unless they turn out well
    futility: int = 0  # what a quiet action may gain for each ply left, for pruning near the leaves; 0 for off
    singular: int = 0  # an action this much better than all others is searched deeper; 0 for off
    beam: int = 0  # how many actions of a node are looked at; 0 for all
    probcut: int = 0  # Multi-ProbCut: believe a shallow search so many hundredths of a standard deviation off; 0 for off

    def __post_init__(self) -> None:
        if self.replacement not in POLICIES:
            raise UnknownName("replacement policy", self.replacement, POLICIES)
        for part in fields(self):
            value = getattr(self, part.name)
            if isinstance(value, int) and value < 0:
                raise BadValue(f"{part.name} must be 0 or more, got {value}")

    @classmethod
    def playing(cls, **changes: object) -> Options:
        """What plays best: all that makes a search selective and deep; for games that have an `evaluate`."""
        strong = cls(endings=True, quiescence=True, extensions=True, null_move=True,
                     reductions=True, futility=FUTILITY, singular=SINGULAR)
        return replace(strong, **changes)  # type: ignore[arg-type]  # `replace` checks the names

    def selective(self) -> bool:
        """Whether anything is on that gives up the minimax value."""
        return bool(self.chosen())

    def chosen(self) -> list[str]:
        """The switches that are on and give up the minimax value."""
        return [name for name in SELECTIVE if getattr(self, name)]

    def exact(self) -> Options:
        """The same without selectivity."""
        return replace(self, quiescence=False, extensions=False, null_move=False, reductions=False, futility=0, singular=0, beam=0,
                       probcut=0)
