"""Monte Carlo and Network: weights of actions, the planes that a network sees, and what it learns from."""

from __future__ import annotations

import math

import numpy as np

from outplay import evaluations
from outplay.conformance.checker import Checker
from outplay.game import Position


def weights(check: Checker, position: Position) -> None:
    """What guides Monte Carlo search are weights."""
    if "prior" not in check.rules.offered or position.is_terminal() or position.is_chance():
        return
    record = check.record(position)
    with np.errstate(over="ignore"):
        pairs = [tuple(map(float, record.prior(check.rules.action_type(action)))) for action in position.actions()]
        kept = all(0.0 <= won <= played < math.inf for won, played in pairs)
        check.need("prior", kept, f"prior gives {pairs}")
    check.need("pure", record.tobytes() == position.state, "asking for prior changed it")


def planes(check: Checker, position: Position) -> None:
    """A network's input is a full picture of the position."""
    if "planes" not in check.rules.offered:
        return
    record = check.record(position)
    for seat in range(check.game.players):
        clean = np.zeros(check.rules.plane_shape, np.float32)
        full = np.full(check.rules.plane_shape, 7.0, np.float32)
        with np.errstate(over="ignore"):
            record.planes(seat, clean)
            record.planes(seat, full)
        check.need("planes", bool(np.isfinite(clean).all()), f"seat {seat} gets numbers that are not finite")
        check.need("planes", bool((clean == full).all()), f"seat {seat} gets what was in the room before")
    check.need("pure", record.tobytes() == position.state, "asking for planes changed it")


def lessons(check: Checker, position: Position) -> None:
    """What a finished game teaches a network, and which network judges a position."""
    rules, record, told = check.rules, check.record(position), evaluations.of(check.rules).outcomes
    if "network" in rules.offered:
        number = int(record.network())
        check.need("network", 0 <= number < told.networks, f"it names {number}, and there are {told.networks}")
    if not position.is_terminal():
        return
    if "targets" in rules.offered:
        own = np.zeros(rules.target_count)
        record.targets(own)
        check.need("targets", bool((np.abs(own) <= 1).all()), f"they reach from {own.min():g} to {own.max():g}")
        for symmetry in range(1, rules.symmetries):
            twin, turned = check.record(position), np.zeros(rules.target_count)
            with np.errstate(over="ignore"):
                places = [int(twin.transform_action(symmetry, at)) for at in range(rules.target_count)]
                twin.transform(symmetry)
                twin.targets(turned)
            check.need("targets", bool((turned[places] == own).all()), f"symmetry {symmetry} turns them otherwise")
    if "outcome" in rules.offered:
        seen, worths = np.zeros((2, told.count), np.float32), told.worth_within(*rules.bounds)
        for seat in range(2):
            record.outcome(seat, seen[seat])
            worth = float(np.dot(worths[:-1], seen[seat]) + worths[-1])
            inside = bool(((seen[seat] >= 0) & (seen[seat] <= 1)).all())
            check.need("outcome", inside, f"seat {seat} gets {seen[seat].tolist()}")
            won = position.utility(seat)
            check.need("outcome", worth * won > 0 or worth == won, f"seat {seat} got {won:g} and they are worth {worth:g}")
        flipped = [offset + factor * seen[0][int(index)] for index, offset, factor in told.flip]
        check.need("outcome", flipped == seen[1].tolist(), f"flipped they are {flipped}, and {seen[1].tolist()} to the other")
