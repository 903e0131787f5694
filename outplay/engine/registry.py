"""Every search of the engine by its name: what it does, what can be set of it, and the one that fits a game.

A made search (`MadeSearch`) gives a stream of Results for a position and keeps what it learned for the next one.

>>> from outplay.game import load
>>> [fitting(load(name)) for name in ("connect four", "go", "isolation:players=3", "isolation:sloppy=0.2", "fifteen puzzle")]
['pvs', 'mcts', 'maxn', 'star2', 'ida-star']
>>> fitting(load("blind tic-tac-toe")), fitting(load("leduc poker"))
('ismcts', 'cfr')
>>> make("beam", load("tic-tac-toe"))
Traceback (most recent call last):
outplay.errors.UnknownName: unknown algorithm of the engine 'beam': ...
"""

from __future__ import annotations

import importlib
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Protocol

from outplay import evaluations, extras
from outplay.engine import needs, preferences, sizes
from outplay.engine.alphabeta.options import Options
from outplay.engine.alphabeta.table import POLICIES
from outplay.engine.preferences import preferred
from outplay.errors import UnknownName, Unsuitable
from outplay.game import CompiledGame, Game, Position
from outplay.names import Option, read_options
from outplay.values import Limits, Result


class MadeSearch(Protocol):
    """A search that is ready for a game: the engine's and the textbook's alike.

    `lines` asks for several best actions where the search can tell them apart, `earlier` is the positions of the game so far.
    """

    def search(
        self,
        position: Position,
        limits: Limits | None = None,
        *,
        lines: int = 1,
        stop: threading.Event | None = None,
        earlier: Sequence[Position] = (),
    ) -> Iterator[Result]:
        """Results, each better founded than the one before; the last one is the answer."""
        ...


SWITCHES = {
    "table": "the transposition table",
    "replacement": "which entry of the table a new one replaces",
    "same_depth": "believe only entries of just the depth needed, so that values equal the textbook's to the letter",
    "enhanced": "so many plies from the root, look all children up before one is searched: one may suffice for a cut-off",
    "endings": "prove the value where the end of the game is near enough for the time",
    "symmetry": "look positions up under their canonical twin",
    "table_move": "try the table's action first",
    "game_order": "order actions by the game's `order`",
    "killers": "try what cut at the same depth before (killer moves)",
    "history": "try what was good elsewhere in the tree first (history heuristic)",
    "replies": "the history of an action as an answer to the one before it",
    "deepening": "depth 1, 2, 3, ...; no goes straight to the depth",
    "aspiration": "half the first window around the last depth's value; 0 for the whole window",
    "distance": "whether a quick win is worth more",
    "solving": "only the actions that the game's `solving` names",
    "quiescence": "play forcing actions out below the depth",
    "extensions": "a ply more where the game says that a threat is urgent",
    "null_move": "if passing the turn is good enough, moving is",
    "reductions": "late actions less deep, unless they turn out well",
    "futility": "what a quiet action may gain for each ply left, for pruning near the leaves; 0 for off",
    "singular": "an action this much better than all others is searched deeper; 0 for off",
    "beam": "how many actions of a node are looked at; 0 for all",
    "probcut": "Multi-ProbCut: believe a shallow search so many hundredths of a standard deviation off; 0 for off",
}
"""What each switch of alpha-beta does; a switch without a line here is shown with its name alone."""


def _switch(name: str, default: Any, written: str) -> Option:
    """A switch of the alpha-beta family as an Option, by how its field is typed."""
    help_line = SWITCHES.get(name, name.replace("_", " "))
    if written.startswith("str"):
        return Option(name, "word", default, help_line, words=tuple(POLICIES))
    kind = "switch" if written.startswith("bool") else "whole" if written.startswith("int") else "number"
    return Option(name, kind, default, help_line, least=None if kind == "switch" else 0)


WEIGHTS = Option("weights", "text", None, "the weights of the evaluation: a set that the game names, or a file of numbers")
_SWITCHES = tuple(_switch(part.name, part.default, str(part.type)) for part in fields(Options))
FITS = Option("fits", "text", None, "a file of Multi-ProbCut's fits, as `outplay tune GAME --probcut` writes it")
ENDGAME = Option("endgame", "function", None, "endgame tables in memory, which a player with `tables=FOLDER` gives")
_FOR_ALPHA_BETA = (*_SWITCHES, WEIGHTS, FITS, ENDGAME, Option("options", "function", None, "all switches at once, as `Options`"),
                   Option("entries", "whole", None, "how many entries the table has, in place of its memory", least=1))  # fmt: skip
_FOR_CHANCE = (
    Option("ordered", "switch", True, "try actions best first, by the game's order or by EVAL"),
    Option("candidates", "whole", 0, "look only into so many of the first, where more than one action is to come; 0: all", least=0),
    WEIGHTS,
)
_BOUNDED = Option("bounds", "pair", None, "the least and the greatest value of a leaf, in points")
_MODELLED = (
    Option("temperature", "number", None, "the other plays by EVAL: an action worth this many points more is e times as likely"),
    Option("policy", "function", None, "how the other plays: a position's actions with their probabilities"),
)
_SKILL = Option("skill", "number", 0.5, "the probability p that the opponent finds its best action", least=0, most=1, also="p")
_FOR_MANY = (
    Option("ordered", "switch", False, "try actions by the game's order"),
    Option("extensions", "switch", True, "a ply more where the game says that a threat, or an offer, is urgent"),
    WEIGHTS,
)
_PRUNED = (
    Option("prune", "switch", None, "Korf's pruning, where utilities add up; left out: on there, off where an evaluation may not"),
    Option("total", "number", None, "what the players' values add up to at most, for pruning"),
    Option("least", "number", None, "the least that any player gets, for pruning"),
)
_UCB = "UCB1's constant C: how much untried actions are worth a try"
_EXPLORATION = Option("exploration", "number", None, _UCB, least=0, also="c")
_FOR_MCTS = (
    _EXPLORATION,
    Option("selection", "word", "ucb1", "how the tree is walked down", words=("ucb1", "sampled", "tuned", "puct", "gumbel")),
    Option("solver", "switch", None, "prove wins, draws and losses and go there no more; left out: where that is possible"),
    Option("rave", "number", None, "RAVE's constant k: for how many games its average counts; 0 for off", least=0),
    Option("urgency", "number", None, "worth of an action never tried (left out: all are tried); puct: below its node by", least=0),
    Option("expand", "whole", None, "a node gets its children at this visit", least=1),
    Option("transpositions", "switch", False, "positions of one depth that are equal share what is known below them"),
    Option("parallel", "word", "tree", "threads share one tree, or each grows its own", words=("tree", "root")),
    Option("settle", "switch", True, "end once no other action can overtake the first"),
    Option("evaluator", "function", None, "a network: values and priors of a batch of positions"),
    Option("batch", "whole", 32, "positions that the evaluator gets at once", least=1),
    Option("open_cards", "switch", False, "search as if nothing were hidden"),
)

LIMITED_BY_DEPTH, LIMITED_BY_SIMULATIONS, LIMITED_BY_NODES = Limits(depth=1), Limits(simulations=1), Limits(nodes=2)
LIMITED_BY_DEPTH_AND_TIME = Limits(depth=1, seconds=60.0)  # of a search that proves endings where a clock runs: another kernel


PLAIN: dict[str, Any] = {
    "table": False, "deepening": False, "aspiration": 0, "quiescence": False, "extensions": False, "null_move": False,
    "reductions": False, "futility": 0, "singular": 0, "probcut": 0, "endings": False,
}  # fmt: skip
"""What minimax does without unless it is asked for: it is the lectures' own, every node of the depth once."""


@dataclass(frozen=True)
class Search:
    """One search of the engine: where it is, what it does and what can be set of it."""

    name: str
    where: str | type  # module and class, such as "montecarlo.mcts.MonteCarlo"; an author's own class as it is
    description: str
    options: tuple[Option, ...]
    first_look: Limits  # the smallest search, which compiles or loads the kernel before a clock runs
    shared: tuple[str, ...] = ("memory",)  # of memory, threads and seed, what the class takes
    is_family: bool = True  # the class serves several algorithms and takes the name of one
    game: str = ""  # the one game that it is made for, where it comes with a game

    def make(self, game: Any, *, memory: float = 64, threads: int = 1, seed: int = 0, **options: Any) -> MadeSearch:
        """The search for a game; refuses a game that it does not fit, and options that it does not have."""
        if self.refuses(game):
            raise Unsuitable(f"{self.name} is made for {self.game}, not for {game.name}")
        if isinstance(self.where, type):
            kind: Any = self.where
        else:
            module, _, name = self.where.rpartition(".")
            kind = getattr(importlib.import_module(module if module.startswith("outplay.") else f"outplay.engine.{module}"), name)
        given = read_options(f"engine:{self.name}", options, self.options)
        common = {"memory": memory, "threads": threads, "seed": seed}
        given |= {key: common[key] for key in self.shared}
        if self.is_family:
            given["algorithm"] = self.name
        if self.name == "minimax":
            given = {**PLAIN, **given}
        if self.options is _FOR_ALPHA_BETA:
            given = _with_switches(game, given)
        if isinstance(given.get("weights"), str):
            given["weights"] = weights_of(game, given["weights"])
        return kind(game, **given)

    def refuses(self, game: Game) -> bool:
        """Whether it is made for another game."""
        return bool(self.game) and game.family != self.game

    def plays_on_simulations(self) -> bool:
        """Whether simulations, and no depth, limit it."""
        return self.first_look == LIMITED_BY_SIMULATIONS


def _with_switches(game: CompiledGame, given: dict[str, Any]) -> dict[str, Any]:
    """Switches given one by one become one `Options`."""
    switches = {part.name: given.pop(part.name) for part in fields(Options) if part.name in given}
    if switches and given.get("options") is None:
        given["options"] = preferences.alphabeta(game, **switches)
    return given


def weights_of(game: Game, text: str) -> Any:
    """Weights of a game's evaluation by name: a set that its `evaluation` names, or a file of numbers."""
    import numpy as np

    from outplay.errors import BadValue, shorten
    from outplay.files import read_arrays

    if not game.offers("evaluate"):
        raise Unsuitable(f"{game.name} has no evaluation to give weights to")
    sets = evaluations.of(game).sets
    if text in sets:
        made = sets[text]
        return made() if callable(made) else made
    try:
        if text.endswith(".npy"):
            found = np.asarray(next(iter(read_arrays(text).values())), np.float64)
        else:
            with open(text, encoding="utf-8") as file:
                told = " ".join(line.partition("#")[0] for line in file)  # what stands behind # are names
                words = told.translate(str.maketrans(",[]", "   ")).split()
            found = np.array([float(word) for word in words])
    except OSError as problem:
        known = f"the game names {', '.join(sets)}" if sets else "the game names none"
        raise BadValue(f"weights {shorten(text)!r}: {known}, and as a file: {problem.strerror}") from None
    except (ValueError, TypeError, StopIteration):
        raise BadValue(f"weights {shorten(text)!r}: expected a file of numbers") from None
    size = len(np.asarray(game.rules.weights).ravel())
    if found.size != size:
        raise BadValue(f"weights {shorten(text)!r}: {game.name} needs {size} numbers, got {found.size}")
    return found.ravel()


_ALL = ("memory", "threads", "seed")


class Searches(Mapping[str, Search]):
    """The searches of the engine by name, and behind them those that games bring (`Extras.searches`)."""

    def __init__(self, own: Mapping[str, Search]) -> None:
        self._own = own

    def __getitem__(self, name: str) -> Search:
        found = self._own.get(name)
        if found is None:
            brought = next((each for each in extras.every() if name in each.searches), None)
            if brought is None:
                raise KeyError(name)
            found = brought.fetch(brought.searches[name])
        return found

    def __iter__(self) -> Iterator[str]:
        yield from self._own
        yield from extras.names("searches")

    def __len__(self) -> int:
        return sum(1 for _ in self)


_OWN: dict[str, Search] = {
    search.name: search
    for search in (
        *(
            Search(name, "alphabeta.engine.Engine", description, _FOR_ALPHA_BETA, LIMITED_BY_DEPTH_AND_TIME, _ALL)
            for name, description in (
                ("pvs", "principal variation search with a table and what makes it selective"),
                ("alphabeta", "alpha-beta with a table"),
                ("mtdf", "MTD(f): null windows that close in on the value"),
                ("bns", "Best Node Search: find the best action without its exact value"),
                ("minimax", "the whole tree, nothing cut off, every node of the depth once"),
            )
        ),
        Search("dfpn", "alphabeta.proof.ProofNumbers",
               "df-pn: prove a win by proof numbers, looking where the answer seems nearest",
               (Option("target", "number", None, "only ask whether the player to move gets at least this"),),
               LIMITED_BY_NODES, is_family=False),
        Search("star2", "frames.chance.ChanceSearch", "Star1 with a probe of each outcome first", (*_FOR_CHANCE, _BOUNDED),
               LIMITED_BY_DEPTH),
        Search("star1", "frames.chance.ChanceSearch", "expectiminimax that prunes at chance nodes", (*_FOR_CHANCE, _BOUNDED),
               LIMITED_BY_DEPTH),
        Search("expectiminimax", "frames.chance.ChanceSearch", "a chance node is worth its average", _FOR_CHANCE, LIMITED_BY_DEPTH),
        Search("expectimax", "frames.chance.ChanceSearch",
               "the other player is chance, or plays as told", (*_FOR_CHANCE, *_MODELLED),
               LIMITED_BY_DEPTH),
        Search("opponent", "frames.chance.ChanceSearch", "against an opponent who errs", (*_FOR_CHANCE, _SKILL), LIMITED_BY_DEPTH),
        Search("maxn", "frames.many.ManySearch", "each player looks after itself", (*_FOR_MANY, *_PRUNED), LIMITED_BY_DEPTH, ()),
        Search("paranoid", "frames.many.ManySearch", "all others play against me", _FOR_MANY, LIMITED_BY_DEPTH, ()),
        Search("best-reply", "frames.many.ManySearch", "one of the others answers", _FOR_MANY, LIMITED_BY_DEPTH, ()),
        Search("mcts", "montecarlo.mcts.MonteCarlo", "Monte Carlo tree search", _FOR_MCTS, LIMITED_BY_SIMULATIONS, _ALL,
               is_family=False),
        Search("ismcts", "montecarlo.hidden.InformationSets", "Monte Carlo tree search over what the players know",
               (Option("exploration", "number", 0.7, _UCB, least=0, also="c"),),
               LIMITED_BY_SIMULATIONS, _ALL, is_family=False),
        Search("deals", "montecarlo.deals.OpenDeals", "the action best on average over random deals with open cards (GIB)",
               (Option("deals", "whole", 100, "how many deals at most", least=1),
                Option("agree", "whole", 25, "end when one action was best in each of so many first deals", least=1),
                Option("simulations", "whole", 2000, "simulations for each deal", least=1)),
               LIMITED_BY_SIMULATIONS, _ALL, is_family=False),
        Search("cfr", "regret.whole.WholeGame", "the whole game solved by regrets (CFR+), mixed as the equilibrium does", (),
               LIMITED_BY_SIMULATIONS, (), is_family=False),
        Search("a-star", "paths.PathSearch", "the cheapest way to the goal", (), LIMITED_BY_NODES),
        Search("ida-star", "paths.PathSearch", "the cheapest way by deepening, in little memory", (), LIMITED_BY_NODES),
    )
}  # fmt: skip

SEARCHES = Searches(_OWN)
ALPHA_BETA = tuple(search.name for search in _OWN.values() if search.where == "alphabeta.engine.Engine")


def fitting(game: Any) -> str:
    """The search to prefer for a game; refuses a game that no search of the engine takes."""
    return choose(game)[0]


def choose(game: Game) -> tuple[str, str]:
    """The search to prefer for a game, and why; refuses a game that no search of the engine takes."""
    traits = game.traits
    if not isinstance(game, CompiledGame):
        raise Unsuitable(f"the engine needs compiled rules; {game.name} is a plain game: use the textbook")
    own = next(iter(extras.of(game).searches), "")
    if own:
        return own, "it is made for this game"
    if traits.information == "hidden":
        if traits.players == 1 and traits.bounds == (0.0, 1.0):
            raise Unsuitable(f"the engine needs a problem with nothing hidden; {game.name} hides some: use the textbook's belief")
        if sizes.is_small_enough_to_be_solved(game):
            return "cfr", "information is hidden, and the whole game is small enough to be solved"
        return "ismcts", "information is hidden"
    if preferred(game):
        return preferred(game), "it plays this game best"
    if traits.players == 1:
        if traits.bounds == (0.0, 1.0) and not traits.chance:
            from outplay.engine.paths import fitting as fitting_path

            return fitting_path(game), "one player looks for a way to the goal"
        return ("mcts", "outcomes can only be drawn") if traits.sampled else ("expectimax", "one player against chance")
    if traits.sampled:
        return "mcts", "outcomes can only be drawn"
    sides = traits.sides or traits.players
    if sides > 2 or traits.sum != "zero":
        return "maxn", "more than two sides" if sides > 2 else "what one gains the other does not lose"
    if traits.chance:
        return "star2", "two players and chance"
    if sizes.is_too_big_without_judgement(game):
        return "mcts", "no evaluation, and too big to be solved"
    return "pvs", "two players, no chance, nothing hidden"


def suits(name: str, game: Any) -> bool:
    """Whether a search of the engine takes a game."""
    return why_not(name, game) is None


def why_not(name: str, game: Game) -> str | None:
    """Why a search of the engine does not take a game, None where it does; only what an author brings is built for that."""
    try:
        if name in needs.NEEDS:
            needs.refuse(name, game)
        else:
            make(name, game, memory=1)
    except Unsuitable as problem:
        return str(problem)
    return None


def make(name: str, game: Game, *, memory: float = 64, threads: int = 1, seed: int = 0, **options: Any) -> MadeSearch:
    """A search of that name for a game; refuses a game that it does not fit, and options that it does not have."""
    if name not in SEARCHES:
        raise UnknownName("algorithm of the engine", name, SEARCHES)
    return SEARCHES[name].make(game, memory=memory, threads=threads, seed=seed, **options)


def first_look(name: str) -> Limits:
    """The smallest search, which compiles or loads the kernel before a clock runs."""
    return SEARCHES[name].first_look
