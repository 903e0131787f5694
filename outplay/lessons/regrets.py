"""Regret minimization as it goes: information sets with regrets, what is played next, and the average, over iterations.

>>> from outplay.game import load
>>> film = filmed(load("kuhn poker").start(), 64)
>>> len(film.sets), film.iterations[:4], film.sets[0].actions
(12, (1, 2, 3, 4), ('pass', 'bet'))
>>> film.exploitability[-1] < film.exploitability[0]
True
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from outplay.errors import UnknownName, Unsuitable
from outplay.game import Position
from outplay.textbook.best_response import exploitability
from outplay.textbook.cfr import learn, matched
from outplay.textbook.information import Tree, normal
from outplay.textbook.mccfr import external
from outplay.values import Limits

MOST_SETS = 40
"""Information sets that can still be looked at side by side."""
MOST_NODES = 3_000


@dataclass(frozen=True)
class Seen:
    """One information set: whose it is, what is seen there, and by iteration its regrets, what is played next, the average."""

    player: int
    sees: str
    actions: tuple[str, ...]
    regrets: list[tuple[float, ...]] = field(default_factory=list)
    plays: list[tuple[float, ...]] = field(default_factory=list)
    average: list[tuple[float, ...]] = field(default_factory=list)


@dataclass(frozen=True)
class Film:
    """What was kept: after these iterations, of these sets; how exploitable the averages were, and what they are worth."""

    iterations: tuple[int, ...]
    sets: tuple[Seen, ...]
    exploitability: tuple[float, ...]
    values: tuple[float, ...]


def kept(most: int) -> list[int]:
    """The iterations that are shown: all of the first, ever fewer of the later ones.

    >>> kept(20)
    [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 18, 20]
    """
    found, now = [], 1
    while now < most:
        found.append(now)
        now = max(now + 1, int(now * 1.26))
    return [*found, most]


def filmed(position: Position, iterations: int = 200, *, algorithm: str = "cfr", seed: int = 0, limits: Limits | None = None) -> Film:
    """Regret minimization of a small game, both players learning in turn: from the whole tree (cfr), or from sampled plays (mccfr)."""
    if algorithm not in ("cfr", "mccfr"):
        raise UnknownName("regret minimization", algorithm, ("cfr", "mccfr"))
    draw = random.Random(seed)
    tree = Tree(position, algorithm, limits=limits or Limits(nodes=MOST_NODES))
    if len(tree.sets) > MOST_SETS:
        raise Unsuitable(f"{position.game.name} has {len(tree.sets)} information sets, and {MOST_SETS} can be shown: try kuhn poker")
    regrets = {key: [0.0] * len(each.actions) for key, each in tree.sets.items()}
    sums = {key: [0.0] * len(each.actions) for key, each in tree.sets.items()}
    strategy = {key: matched(each) for key, each in regrets.items()}
    sets = {key: Seen(key[0], str(key[1]), tuple(each.view.action_text(action) for action in each.actions))
            for key, each in tree.sets.items()}  # fmt: skip
    shown, exploitable, values = kept(iterations), [], []
    for t in range(1, iterations + 1):
        tree.search.look_at_limits()
        for player in range(tree.players):
            if algorithm == "mccfr":
                external(tree.root, player, regrets, sums, draw)
            else:
                learn(tree, strategy, player, regrets, sums, 1)
            strategy |= {key: matched(each) for key, each in regrets.items() if key[0] == player}
        if t in shown:
            average = {key: normal(each) for key, each in sums.items()}
            for key, each in sets.items():
                each.regrets.append(tuple(regrets[key]))
                each.plays.append(tuple(strategy[key]))
                each.average.append(tuple(average[key]))
            exploitable.append(exploitability(tree, average))
            values.append(tree.values(average)[tree.root][0])
    in_order = sorted(sets.values(), key=lambda each: (each.player, len(each.sees), each.sees))
    return Film(tuple(shown), tuple(in_order), tuple(exploitable), tuple(values))
