"""The algorithms as the lectures write them, one a file, each step traceable.

>>> from outplay.game import load
>>> run("alphabeta", load("tic-tac-toe").position("xx./oo./... x")).value
1.0
>>> run("alfabeta", load("tic-tac-toe").start())
Traceback (most recent call last):
outplay.errors.UnknownName: unknown algorithm 'alfabeta': did you mean 'alphabeta'?
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from outplay.errors import BadValue, UnknownName, Unsuitable
from outplay.game import Game, Position, need
from outplay.textbook.search import TWO_PLAYERS, Search, watcher
from outplay.textbook.tree_search import ONE_PLAYER
from outplay.values import Limits, Result


@dataclass(frozen=True)
class Algorithm:
    """One row of the table of algorithms: where it is, what it does and which traits it needs."""

    name: str
    where: str  # module and function, such as "alphabeta.alphabeta"
    description: str
    needs: Mapping[str, Any] = field(default_factory=dict)  # as `outplay.game.need` takes them

    @property
    def function(self) -> Callable[..., Result]:
        """The function itself; its file is read only now."""
        module, _, function = self.where.partition(".")
        return getattr(importlib.import_module(f"outplay.textbook.{module}"), function)

    def options(self) -> tuple[str, ...]:
        """The names of what the function takes besides the position."""
        return tuple(inspect.signature(self.function).parameters)[1:]

    def suits(self, game: Game) -> bool:
        """Whether the game has the traits that the algorithm needs."""
        try:
            need(self.name, game, **self.needs)
        except Unsuitable:
            return False
        return True


_TWO_PLAYERS = [
    ("minimax", "minimax.minimax", "the whole tree: MAX takes the greatest value, MIN the least"),
    ("minimax-heap", "depth_first.minimax_on_the_heap", "minimax with a stack of its own: no tree is too deep for it"),
    ("alphabeta", "alphabeta.alphabeta", "minimax that skips what cannot change the decision"),
    ("h-minimax", "cutoff.h_minimax", "minimax with CUTOFF-TEST and EVAL"),
    ("h-alphabeta", "cutoff.h_alphabeta", "alpha-beta with CUTOFF-TEST and EVAL"),
    ("iterative-deepening", "deepening.deepen", "depth 1, 2, 3, ... until the time is up, best actions of the last depth first"),
    ("negamax", "negamax.negamax", "alpha-beta with one rule for both players"),
    ("pvs", "pvs.pvs", "principal variation search: prove with a null window that the first action is best"),
    ("mtdf", "mtdf.mtdf", "MTD(f): close in on the value by null windows only, from a guess, with a table"),
    ("sss", "sss.sss", "SSS*: the most promising way of answering everything first, by null windows from above"),
    ("bns", "bns.best_node_search", "Best Node Search: find the best action without its exact value"),
    ("alphabeta-table", "table.alphabeta_with_table", "alpha-beta that remembers positions it has met before"),
    ("killer", "killer.killer_moves", "alpha-beta that first tries what cut at the same depth before"),
    ("quiescence", "quiescence.quiescence", "alpha-beta that plays forcing actions out before it trusts EVAL"),
    ("singular", "singular.singular_extension", "alpha-beta that looks one ply deeper behind an action far better than its rivals"),
    ("beam", "beam.beam", "forward pruning: only the few most promising actions of each position"),
]

_PROOFS: dict[str, Any] = dict(TWO_PLAYERS)  # values as the others', but no line of best play behind them

_DICE: dict[str, Any] = {"players": 2, "sum": "zero", "information": "perfect"}
_PRUNED: dict[str, Any] = {**_DICE, "players": (1, 2)}

_OTHERS: list[tuple[str, str, str, dict[str, Any]]] = [
    ("dfpn", "proof_number.dfpn", "depth-first proof-number search: is it won? Look where the answer seems nearest", _PROOFS),
    ("pns", "proof_number.pns", "proof-number search with the whole tree in memory", _PROOFS),
    ("expectimax", "expectimax.expectimax", "MAX takes the greatest value, chance and the other player are worth their average",
     {"players": (1, 2), "sum": "zero", "information": "perfect"}),
    ("expectiminimax", "expectiminimax.expectiminimax", "minimax with chance nodes that are worth their average", _DICE),
    ("star1", "star.star1", "expectiminimax that skips outcomes once bounded utilities settle the average", _PRUNED),
    ("star2", "star.star2", "Star1 that first probes one action behind each outcome", _PRUNED),
    ("opponent", "opponent.imperfect_opponent", "the best action against an opponent who finds its own with probability p", _DICE),
    ("maxn", "maxn.maxn", "max^n: each of many players maximises its own entry of a vector", {"information": "perfect"}),
    ("paranoid", "paranoid.paranoid", "many players, and all the others are against me", {"information": "perfect"}),
    ("deals", "deals.deals", "the action best on average over random deals of what is hidden", {"information": "hidden"}),
    ("cfr", "cfr.cfr", "an equilibrium by regrets: play each action as much as it was missed", {"information": "hidden"}),
    ("mccfr", "mccfr.mccfr", "the same from sampled plays", {"information": "hidden"}),
    ("sequence-form", "sequence_form.sequence_form", "an exact equilibrium by one linear program",
     {"players": 2, "sum": "zero", "information": "hidden"}),
    ("mcts", "mcts.mcts", "Monte Carlo tree search: select, expand, simulate, backpropagate", {}),
]

_ONE_PLAYER = [
    ("tree-search", "tree_search.tree_search", "a way to the goal by the lecture's loop over a fringe, without a memory"),
    ("graph-search", "tree_search.graph_search", "the same with a memory of the positions met"),
    ("depth-first", "tree_search.depth_first", "any way to the goal, the deepest positions first"),
    ("breadth-first", "breadth_first.breadth_first", "the way with the fewest actions, nearest positions first"),
    ("uniform-cost", "uniform_cost.uniform_cost", "the cheapest way, cheapest positions first"),
    ("greedy", "greedy.greedy", "a way that follows the estimate alone"),
    ("a-star", "a_star.a_star", "A*: the cheapest way, by cost so far plus estimate of the rest"),
    ("dfid", "dfid.deepening", "depth-first iterative deepening: the way with the fewest actions, in little memory"),
    ("ida-star", "ida_star.ida_star", "IDA*: the cheapest way by deepening on cost plus estimate, in little memory"),
    ("lrta-star", "online.lrta_star", "LRTA*: an agent that learns the way while it walks"),
]

ALGORITHMS: dict[str, Algorithm] = {
    **{name: Algorithm(name, where, description, TWO_PLAYERS) for name, where, description in _TWO_PLAYERS},
    **{name: Algorithm(name, where, description, needs) for name, where, description, needs in _OTHERS},
    **{name: Algorithm(name, where, description, ONE_PLAYER) for name, where, description in _ONE_PLAYER},
    "and-or": Algorithm("and-or", "and_or.and_or", "a plan for actions with several outcomes, one branch for each",
                        {"players": 1, "information": "perfect"}),
    "belief": Algorithm("belief", "belief.belief", "a plan that works whatever the unseen state is", {"players": 1}),
}
"""Every algorithm of the textbook, by the name that the command line takes."""


def find(name: str) -> Algorithm:
    """The algorithm of that name, however its words are joined."""
    plain = _plain(name)
    for known, algorithm in ALGORITHMS.items():
        if plain == _plain(known):
            return algorithm
    raise UnknownName("algorithm", name, ALGORITHMS)


def run(name: str, position: Position, *, limits: Limits | None = None, seed: int | None = None, trace: bool = False,
        watch: Callable[[Search], None] | None = None, **options: Any) -> Result:
    """Run an algorithm by its name; `watch` is called with the running search now and then, to show progress."""
    algorithm = find(name)
    taken = algorithm.options()
    for option in options:
        if option not in taken:
            raise UnknownName(f"option of {algorithm.name}", option, taken)
    if limits is not None and limits.simulations is not None and "simulations" not in taken:
        raise BadValue(f"{algorithm.name} makes no simulations: limit its depth, seconds or nodes")
    given = {"limits": limits, "seed": seed, "trace": trace}
    options.update({key: value for key, value in given.items() if key in taken and value is not None})
    token = watcher.set(watch)
    try:
        return algorithm.function(position, **options)
    finally:
        watcher.reset(token)


def _plain(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())
