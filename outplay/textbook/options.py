"""What can be set of the textbook's algorithms: every keyword of their functions, with its range and what it does.

>>> [option.name for option in options("mcts")]
['exploration', 'selection', 'playout', 'urgency', 'transpositions']
"""

from __future__ import annotations

import inspect
from typing import Any

from outplay import textbook
from outplay.names import Option
from outplay.textbook import ordering
from outplay.textbook.playout import POLICIES
from outplay.textbook.tree_search import FRINGES
from outplay.textbook.ucb import SELECTIONS

ORDERS = {"as-given": ordering.as_given, "by-rules": ordering.by_rules, "by-evaluation": ordering.by_evaluation(),
          "best-first": ordering.best_first, "worst-first": ordering.worst_first}  # fmt: skip
"""The orders of actions that have a name; any function of a position and its actions is one, too."""

OPTIONS = {
    option.name: option
    for option in (
        Option("agree", "whole", 25, "stop once one action was best in this many deals", least=1),
        Option("bounds", "pair", None, "the least and the greatest value of a leaf, for pruning at chance nodes"),
        Option("cutoff", "function", None, "CUTOFF-TEST of a position and its depth"),
        Option("evaluate", "function", None, "EVAL of a position for a player, in points"),
        Option("exploration", "number", 1.4, "UCB1's constant C: how much untried actions are worth a try", least=0, also="c"),
        Option("forcing", "function", None, "the actions of a position that are played out below the depth"),
        Option("fringe", "word", "queue", "which position comes next", words=tuple(FRINGES)),
        Option("guess", "number", 0.0, "MTD(f)'s first guess at the value"),
        Option("iterations", "whole", None, "how often all information sets are looked at", least=1),
        Option("least", "number", None, "the least that any player gets, for pruning"),
        Option("margin", "number", None, "an action this many points better than its rivals is searched deeper", least=0),
        Option("model", "function", None, "how the other player plays: a position's actions with their probabilities"),
        Option("most", "whole", None, "how many extensions a line may have", least=0),
        Option("number", "whole", 100, "how many deals are made", least=1),
        Option("order", "function", None, "the order in which actions are tried", words=tuple(ORDERS)),
        Option("playout", "function", "random", "how a simulated game goes on", words=tuple(POLICIES)),
        Option("positions", "function", None, "what the unseen state may be"),
        Option("prune", "switch", False, "Korf's pruning, where the utilities add up to a constant"),
        Option("reorder", "switch", True, "try the best actions of the last depth first"),
        Option("selection", "word", "best", "go to the best child by UCB1, or draw one in proportion", words=tuple(SELECTIONS)),
        Option("settled", "number", None, "stop once three depths in a row differ by no more than so many points", least=0),
        Option("skill", "number", 0.5, "the probability p that the opponent finds its best action", least=0, most=1, also="p"),
        Option("solver", "function", None, "the search for open cards"),
        Option("total", "number", None, "what the players' values add up to at most, for pruning"),
        Option("transpositions", "switch", False, "equal positions of one depth are one node"),
        Option("trips", "whole", 1, "how often the agent walks to the goal", least=1),
        Option("urgency", "number", None, "what an action that was never tried is worth; left out, each is tried once", least=0),
        Option("weight", "number", 1, "how much the estimate counts: above 1 is quicker, and may miss the cheapest way", least=0),
        Option("width", "whole", 5, "how many actions of each position are looked at", least=1),
        Option("window", "pair", None, "alpha and beta to begin with"),
    )
}

ELSEWHERE = ("limits", "depth", "seed", "simulations", "trace")
"""What every door sets in its own way."""


def options(name: str) -> list[Option]:
    """What can be set of one algorithm."""
    taken = inspect.signature(textbook.ALGORITHMS[name].function).parameters
    return [OPTIONS.get(each) or _by_type(parameter) for each, parameter in list(taken.items())[1:] if each not in ELSEWHERE]


def _by_type(parameter: inspect.Parameter) -> Option:
    """An option that nobody has described yet: its type says what it may be."""
    kinds = {"int": "whole", "float": "number", "bool": "switch", "str": "text"}
    kind = kinds.get(str(parameter.annotation).partition(" ")[0], "function")
    default = None if parameter.default is parameter.empty else parameter.default
    return Option(parameter.name, kind, default, parameter.name.replace("_", " "))


def given(name: str, found: dict[str, Any]) -> dict[str, Any]:
    """Options as the function takes them: names of orders become the orders."""
    order = found.get("order")
    return found | {"order": ORDERS[order]} if isinstance(order, str) else found
