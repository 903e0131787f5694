"""Hidden: views tell nothing of what is hidden, and remember what was seen."""

from __future__ import annotations

import numpy as np

from outplay.conformance.checker import Checker
from outplay.errors import shorten
from outplay.game import Position


def views(check: Checker, position: Position, source: np.ndarray) -> None:
    """What each player sees tells nothing of what is hidden from it."""
    for player in range(check.game.traits.players):
        view = position.observe(player)
        check.need("view", view.observe(player) == view, f"player {player} sees {view.state!r} and then less")
        for _ in range(3):
            dealt = position.deal(player, source)
            check.hidden = check.hidden or dealt != position
            check.need("view", dealt.observe(player) == view, f"player {player} can tell {dealt.text()!r} from it")
            check.need("view", dealt.is_terminal() == position.is_terminal() and dealt.player() == position.player(),
                      f"the player to move is another in {dealt.text()!r}, dealt for player {player}")
            if position.player() == player:
                check.need("view", set(dealt.actions()) == set(position.actions()),
                          f"player {player} has other actions in {dealt.text()!r}")


def recall(check: Checker, position: Position, pasts: dict[int, tuple]) -> None:
    """Whoever is to move can tell from its view what it saw and did when it was to move before."""
    seat = position.player()
    if not check.game.traits.recall or seat < 0 or position.is_terminal():
        return
    view = position.observe(seat)
    known, where = check.recalled.setdefault((seat, view), (pasts[seat], position))
    if known != pasts[seat]:
        check.need("recall", False, f"seat {seat} sees the same in {shorten(where.text(), 200)!r}, after another past")
