"""Where one ends up: the exact Markov chain of the movement, by which the simulated game is checked.

A state is a space with the doubles thrown so far in this turn, or a try to leave jail. What is counted is where each throw ends.

>>> at_once = long_run()
>>> [f"{100 * at_once[where]:.3f}" for where in ("jail", 24, 0)]
['3.950', '3.186', '3.096']
>>> [f"{100 * long_run(stays=True, second_throw=again)['jail']:.3f}" for again in (True, False)]
['9.457', '9.386']

The well-known 9.457 % lets who left jail by a double throw again; by the rules there is no second throw, which makes it 9.386 %.

Project Euler's problem 84 has simpler rules: nobody stays in jail, and there jail and a visit there are one space.

>>> [f"{100 * share:.4f}" for share in sorted(puzzle().values(), reverse=True)[:3]]
['6.2422', '3.1838', '3.0952']
>>> "".join(f"{space:02}" for space in sorted(range(40), key=lambda space: -puzzle(faces=4)[space])[:3])
'101524'
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np

from outplay.games.monopoly import board
from outplay.games.monopoly.notation import BUYING, DECLINE, DONE, DRAWING, JAILED, MANAGE, PAY, ROLL, TRY
from outplay.jit import kernel, random_source

Where = int | str
"""A space, or "jail" for one who sits there (10 is a visitor)."""


def after_landing(space: int) -> Iterator[tuple[Where, float]]:
    """Where one ends who comes to a space, after cards, each drawn as likely as any other."""
    if space == board.TO_JAIL:
        yield "jail", 1.0
        return
    deck = board.FORTUNE_CARDS if space in board.FORTUNES else board.TOWN_CARDS if space in board.TOWNS else ()
    for kind, number, *_ in deck:
        chance = 1 / len(deck)
        if kind == board.MOVE_TO:
            yield number, chance
        elif kind == board.GO_TO_JAIL:
            yield "jail", chance
        elif kind == board.BACK:  # three back from the last fortune card is a town card
            for then, share in after_landing(space - number):
                yield then, chance * share
        elif kind in (board.NEAREST_STATION, board.NEAREST_UTILITY):
            group = board.IN_GROUP[board.STATIONS if kind == board.NEAREST_STATION else board.UTILITIES]
            yield min(group, key=lambda there: (there - space) % 40), chance
        else:
            yield space, chance
    if not deck:
        yield space, 1.0


def throws(faces: int) -> Iterator[tuple[int, int, float]]:
    """Two dice with the probability of each throw."""
    for first in range(1, faces + 1):
        for second in range(1, faces + 1):
            yield first, second, 1 / faces**2


def stationary(step: dict[tuple, dict[tuple, float]]) -> dict[tuple, float]:
    """The long-run share of each state of a chain: the one vector that a step does not change."""
    states = sorted(step, key=str)
    number = {state: at for at, state in enumerate(states)}
    matrix = np.zeros((len(states), len(states)))
    for state, followers in step.items():
        for then, chance in followers.items():
            matrix[number[then], number[state]] += chance
    system = matrix - np.eye(len(states))
    system[-1] = 1.0  # the shares add up to one
    shares = np.linalg.solve(system, np.eye(len(states))[-1])
    return dict(zip(states, shares.tolist(), strict=True))


def reachable(start: tuple, follow: dict[tuple, dict[tuple, float]]) -> dict[tuple, dict[tuple, float]]:
    """The part of a chain that is ever come to."""
    found, waiting = {start}, [start]
    while waiting:
        new = [state for state in follow[waiting.pop()] if state not in found]
        found.update(new)
        waiting += new
    return {state: follow[state] for state in found}


def long_run(*, stays: bool = False, second_throw: bool = False, faces: int = 6) -> dict[Where, float]:
    """How often a throw ends on each space; `stays` tries for doubles as long as is allowed, else one leaves jail at once.

    `second_throw`: a double that opens the jail counts as any other, and one throws again.
    """
    chain: dict[tuple, dict[tuple, float]] = defaultdict(lambda: defaultdict(float))
    jail: tuple = ("jail", 0)
    for space in range(40):
        for doubles in range(3):
            for first, second, chance in throws(faces):
                again = first == second
                if again and doubles == 2:
                    chain[space, doubles][jail] += chance
                    continue
                for there, share in after_landing((space + first + second) % 40):
                    chain[space, doubles][jail if there == "jail" else (there, doubles + 1 if again else 0)] += chance * share
    for tries in range(3):
        for first, second, chance in throws(faces):
            if not stays:  # one pays, and throws as a visitor does
                continue
            if first != second and tries < 2:
                chain["jail", tries]["jail", tries + 1] += chance
                continue
            doubles = int(second_throw and first == second)
            for there, share in after_landing(board.JAIL + first + second):
                chain["jail", tries][jail if there == "jail" else (there, doubles)] += chance * share
    if not stays:
        chain[jail] = chain[board.JAIL, 0]
    shares: dict[Where, float] = defaultdict(float)
    for (where, _), share in stationary(reachable((0, 0), chain)).items():
        shares[where] += share
    return dict(shares)


def puzzle(faces: int = 6) -> dict[int, float]:
    """Project Euler's variant: how often a turn ends on each of the forty spaces, jail being one of them."""
    chain: dict[tuple, dict[tuple, float]] = defaultdict(lambda: defaultdict(float))
    for space in range(40):
        for doubles in range(3):
            for first, second, chance in throws(faces):
                if first == second and doubles == 2:
                    chain[space, doubles][board.JAIL, 0] += chance
                    continue
                count = doubles + 1 if first == second else 0
                for there, share in after_landing((space + first + second) % 40):
                    chain[space, doubles][board.JAIL if there == "jail" else there, count] += chance * share
    shares = dict.fromkeys(range(40), 0.0)
    for (space, _), share in stationary(reachable((0, 0), chain)).items():
        shares[space] += share
    return shares


@kernel
def _walk(states: Any, stays: Any, throws: Any, source: Any, counts: Any) -> None:
    """Play the game without money: nobody buys, everyone is rich, every turn is the first; counts[space], counts[40] for jail."""
    state = states[0]
    done = 0
    while done < throws:
        phase = state.phase
        if phase in (ROLL, DRAWING):
            state.play(state.draw(source))
            if state.phase != DRAWING:  # cards are part of the throw
                where = state.place[state.turn]
                counts[40 if state.jailed[state.turn] > 0 else where] += 1
                done += 1
        elif phase == MANAGE:
            state.turns = 1
            state.held[0] = 0
            state.held[1] = 0
            for seat in range(len(state.cash)):
                state.cash[seat] = 1500
            state.play(DONE << 16)
        elif phase == JAILED:
            state.play((TRY if stays else PAY) << 16)
        elif phase == BUYING:
            state.play(DECLINE << 16)
        else:
            return


def walked(game: Any, throws: int, *, stays: bool = False, seed: int = 0) -> dict[Where, float]:
    """How often a throw ends on each space in the game as it is played, to be held against `long_run`; it needs `auctions=no`."""
    states, counts = game.rules.states(1), np.zeros(41, np.int64)
    states[:1].view(np.uint8)[:] = np.frombuffer(game.initial(), np.uint8)
    _walk(states, stays, throws, random_source(seed), counts)
    if counts.sum() != throws:
        raise ValueError("nobody buys in a walk: load the game with auctions=no")
    return {"jail" if space == 40 else space: count / throws for space, count in enumerate(counts.tolist())}
