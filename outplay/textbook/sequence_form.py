"""The sequence form (Koller, Megiddo and von Stengel 1996): an equilibrium of a two-player game by one small linear program.

A player's plan is written as the probability of each of its *sequences* (an information set and an action there, with all that
had to be done before). These add up: what leaves an information set is what came in. The condition is linear, and so is what the
other player can gain against it.

>>> from outplay.game import load
>>> result = sequence_form(load("kuhn poker").start())
>>> round(result.value, 9) == round(-1 / 18, 9), result.facts["exploitability"] < 1e-9
(True, True)

The linear program is SciPy's (HiGHS): `pip install scipy`.
"""

from __future__ import annotations

from dataclasses import replace

from outplay.errors import Unavailable
from outplay.game import Position, need
from outplay.textbook.cfr import report
from outplay.textbook.information import Key, Node, Tree, normal
from outplay.values import Limits, Result

Sequence = tuple[Key, int] | None
"""An information set with the index of an action there; None for having done nothing."""


def sequence_form(position: Position, *, limits: Limits | None = None, trace: bool = False) -> Result:
    """An exact equilibrium of a two-player zero-sum game with perfect recall."""
    need("the sequence form", position.game, players=2, sum="zero", information="hidden", use="minimax")
    tree = Tree(position, "sequence form", limits=limits)
    if trace:
        tree.search.steps = []
    sequences: list[list[Sequence]] = [[None], [None]]
    before: dict[Key, Sequence] = {}  # of each information set: the sequence that leads there
    payoffs: dict[tuple[Sequence, Sequence], float] = {}

    def visit(node: Node, last: tuple[Sequence, Sequence], chance: float) -> None:
        if node.utilities:
            payoffs[last] = payoffs.get(last, 0.0) + chance * node.utilities[0]
        elif node.key is None:
            for share, child in zip(node.odds, node.children, strict=True):
                visit(child, last, chance * share)
        else:
            player = node.key[0]
            if node.key not in before:
                before[node.key] = last[player]
                sequences[player] += [(node.key, k) for k in range(len(node.children))]
            for k, child in enumerate(node.children):
                here: Sequence = (node.key, k)
                visit(child, (here, last[1]) if player == 0 else (last[0], here), chance)

    visit(tree.root, (None, None), 1.0)
    plans = [_plan(player, sequences, before, payoffs) for player in range(2)]
    for key, each in tree.sets.items():  # each information set's part of the plan: how likely its sequences are
        shares = tuple(plans[key[0]][key, k] for k in range(len(each.actions)))
        tree.search.note("plan", each.view, facts={"player": key[0], "sees": str(key[1]), "sequences": shares})
    average = {key: normal([plans[key[0]][key, k] for k in range(len(each.actions))]) for key, each in tree.sets.items()}
    found = report(tree, average, position, "sequence form", sequences=(len(sequences[0]), len(sequences[1])))
    return replace(found, exact=True)  # but for rounding: it is a linear program's


def _plan(player: int, sequences: list[list[Sequence]], before: dict[Key, Sequence],
          payoffs: dict[tuple[Sequence, Sequence], float]) -> dict[Sequence, float]:
    """The player's plan that gains most against the best answer to it: greatest worth at the root, the other choosing the least."""
    try:
        from scipy.optimize import linprog
        from scipy.sparse import lil_matrix
    except ImportError:
        raise Unavailable("linear programs need SciPy: pip install scipy, or use cfr") from None
    mine = {sequence: k for k, sequence in enumerate(sequences[player])}
    theirs = {sequence: k for k, sequence in enumerate(sequences[1 - player])}
    my_sets = [key for key in before if key[0] == player]
    their_sets = {key: k + 1 for k, key in enumerate(key for key in before if key[0] != player)}
    plan, worth = len(mine), 1 + len(their_sets)  # variables: my sequences, then what each of the other's sets is worth to me
    keeps = lil_matrix((1 + len(my_sets), plan + worth))
    keeps[0, 0] = 1.0
    for row, key in enumerate(my_sets, 1):  # what leaves an information set is what came in
        keeps[row, mine[before[key]]] = -1.0
        for sequence, k in mine.items():
            if sequence is not None and sequence[0] == key:
                keeps[row, k] = 1.0
    pays = lil_matrix((len(theirs), plan + worth))
    for sequence, row in theirs.items():  # the worth where a sequence starts is at most what it brings and what follows it
        pays[row, plan + (0 if sequence is None else their_sets[sequence[0]])] = 1.0
        for key, column in their_sets.items():
            if before[key] == sequence:
                pays[row, plan + column] -= 1.0
    for (first, second), amount in payoffs.items():
        own, other = (first, second) if player == 0 else (second, first)
        pays[theirs[other], mine[own]] -= amount if player == 0 else -amount
    aim = [0.0] * plan + [-1.0] + [0.0] * len(their_sets)
    found = linprog(aim, A_ub=pays.tocsr(), b_ub=[0.0] * len(theirs), A_eq=keeps.tocsr(), b_eq=[1.0] + [0.0] * len(my_sets),
                    bounds=[(0, None)] * plan + [(None, None)] * worth)
    if not found.success:
        raise Unavailable(f"the linear program was not solved: {found.message}")
    return {sequence: max(0.0, float(found.x[k])) for sequence, k in mine.items()}
