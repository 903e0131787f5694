"""Hidden: views tell nothing of what is hidden, and remember what was seen."""

from __future__ import annotations

import time

import numpy as np

from outplay.conformance.checker import Checker
from outplay.errors import shorten
from outplay.game import Position
from outplay.jit import below, random_source

MOST_WALKED, SECONDS_WALKED, MOST_VIEWS = 5000, 2.0, 200
"""How large a game is walked through whole, for how long, and how many of its views are dealt from."""


def views(check: Checker, position: Position, source: np.ndarray) -> None:
    """What each player sees tells nothing of what is hidden from it."""
    for player in range(check.game.traits.players):
        view = position.observe(player)
        check.need("view", view.observe(player) == view, f"player {player} sees {view.state!r} and then less")
        for _ in range(3):
            dealt = position.deal(player, source)
            check.hidden = check.hidden or dealt != position
            known, problem = Position(check.swift, dealt.state), ""
            if dealt.observe(player) != view:
                problem = f"player {player} can tell it from"
            elif known.is_terminal() != position.is_terminal() or known.player() != position.player():
                problem = f"the player to move is another when player {player} is dealt"
            elif position.player() == player and set(known.actions()) != set(position.actions()):
                problem = f"player {player} has other actions in"
            elif position.player() == player and any(known.is_public(each) != position.is_public(each) or
                                                     known.veiled_text(each) != position.veiled_text(each)
                                                     for each in position.actions()[:3]):
                problem = f"what the others see of an action of player {player} is different in"
            if problem:  # a position's text takes time
                check.need("view", False, f"{problem} {dealt.text()!r}")


def possible(check: Checker) -> None:
    """In a game small enough to be walked through whole, only what can have come about is dealt: no card that was shown not to be
    there, nothing that is seen elsewhere."""
    seen: dict[tuple[int, Position], set[Position]] = {}
    waiting, met, seats = [check.game.start()], set[Position](), range(check.game.traits.players)
    while waiting:
        position = waiting.pop()
        if position in met or position.is_terminal():
            continue
        met.add(position)
        if len(met) > MOST_WALKED or time.perf_counter() > check.until + SECONDS_WALKED:
            return  # too large: nothing is said
        for seat in seats:
            seen.setdefault((seat, position.observe(seat)), set()).add(position)
        waiting += [position.result(action) for action in position.actions()]
    source = random_source(check.seed)
    for number, ((seat, view), true) in enumerate(seen.items()):
        if number % max(1, len(seen) // MOST_VIEWS) == 0:
            check.where = view
            for _ in range(5):
                dealt = next(iter(true)).deal(seat, source)
                check.need("possible", dealt in true, f"seat {seat} is dealt {shorten(dealt.text(), 200)!r}")


def hands(check: Checker, position: Position, source: np.ndarray) -> None:
    """Private hands can be exchanged without anybody else's seeing it."""
    if not check.rules or "hold" not in check.rules.offered or position.is_chance():
        return
    worth: dict[int, tuple[float, ...]] = {}  # by which hand is the stronger
    for _ in range(4):
        pair = [below(source, int(check.rules.private_hands)) for _ in range(2)]
        record = check.record(position)
        record.hold(0, pair[0])
        if record.hold(1, pair[1]) > 0 and record.hold(0, pair[0]) > 0:
            held = check.as_position(record)
            check.need("hold", held.is_terminal() == position.is_terminal() and held.player() == position.player()
                       and held.actions() == position.actions(), f"hands {pair} change who is to move, or the actions")
            if position.is_terminal() and "hand_rank" in check.rules.offered:
                sign = int(np.sign(int(record.hand_rank(0)) - int(record.hand_rank(1))))
                check.need("hold", worth.setdefault(sign, held.utilities()) == held.utilities(),
                           f"hands {pair} are worth {held.utilities()}, and others of such ranks {worth[sign]}")
        for seat in range(2):
            record = check.record(position)
            if not position.is_terminal() and record.hold(1 - seat, pair[1 - seat]) > 0:
                seen = check.as_position(record).observe(seat)
                check.need("hold", seen == position.observe(seat), f"seat {seat} can tell that the other holds {pair[1 - seat]}")


def recall(check: Checker, position: Position, pasts: dict[int, tuple]) -> None:
    """Whoever is to move can tell from its view what it saw and did when it was to move before."""
    seat = position.player()
    if not check.game.traits.recall or seat < 0 or position.is_terminal():
        return
    view = position.observe(seat)
    known, where = check.recalled.setdefault((seat, view), (pasts[seat], position))
    if known != pasts[seat]:
        check.need("recall", False, f"seat {seat} sees the same in {shorten(where.text(), 200)!r}, after another past")
