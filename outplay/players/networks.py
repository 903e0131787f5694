"""Players that ask a network: `net:FILE` with the options of the search around it.

    net:go.outplay,time=2                 Monte Carlo tree search by PUCT, leaves judged by the network, a few at a time
    net:go.outplay,simulations=1          the network's own first choice, without search
    net:backgammon                        one that comes with Outplay: backgammon, connect-four, go-9
    net:backgammon.td                     the move after which the network thinks best of its position
    net:backgammon.td,depth=2             expectiminimax with the network as its evaluation

Which of the two it is, the file says; it also says for which game it was trained, and is refused for any other.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from outplay.engine.mcts import Evaluator, Leaves
from outplay.errors import BadValue, Unsuitable
from outplay.game import Position
from outplay.jit import kernel
from outplay.knowledge import nets, td_nets
from outplay.names import Option, parse, read_options
from outplay.players.algorithms import COMMON, LIMITS
from outplay.players.searcher import Searcher
from outplay.values import Limits

SECONDS = 1.0
"""How long a network thinks about a move when it is given no limit."""
OPTIONS = (
    Option("exploration", "number", 1.25, "PUCT's constant: how much the network's priors lead the search", least=0, also="c"),
    Option("batch", "whole", 4, "positions that the network judges at once", least=1),
    Option("level", "text", "full", "weaker: beginner, casual, club, strong, master, full, or a rating"),
    Option("book", "text", "", "the file of an opening book"),
)


def network(text: str, seed: int = 0) -> Searcher:
    """The player that `net:FILE,key=value` names."""
    asked = parse(text, "player")
    if not asked.part:
        raise BadValue(f"a network needs its file or name, as in net:FILE or net:{next(iter(shipped()), 'NAME')}; got {text!r}")
    path = shipped().get(asked.part, Path(asked.part).expanduser())
    chosen = read_options("player net", asked.options, (*OPTIONS, *COMMON))
    limits = {LIMITS[key]: chosen.pop(key) for key in LIMITS if key in chosen}
    chosen.setdefault("seed", seed)
    made = NetworkPlayer(path, limits, chosen)
    made.name = text.strip()
    return made


def shipped() -> dict[str, Path]:
    """The networks that come with Outplay, by name; docs/learning.md says how each was trained.

    >>> "backgammon" in shipped()
    True
    """
    folder = Path(nets.__file__).parent / "networks"
    return {path.stem: path for path in sorted(folder.glob("*.*"))}


class NetworkPlayer(Searcher):
    """A search around a network from a file."""

    def __init__(self, path: Path, limits: dict[str, Any], options: dict[str, Any]) -> None:
        if not path.is_file():
            raise BadValue(f"no such network: {path} is no file, and by name there are {', '.join(shipped())}")
        with path.open("rb") as file:
            first = file.readline(80).strip().decode("ascii", "replace")
        self.net: nets.Net | None = None
        if first == td_nets.FORMAT:
            options = {key: value for key, value in options.items() if key not in ("exploration", "batch")}
            self.game_name, weights, _ = td_nets.read(path)
            super().__init__("engine:star2", Limits(**(limits or {"depth": 1})), weights=weights, **options)
        else:
            self.net = nets.Net.load(path)
            self.game_name = self.net.game
            options = {"exploration": 1.25, "batch": 4, **options}
            super().__init__("engine:mcts", Limits(**(limits or {"seconds": SECONDS})), selection="puct", solver=False,
                             evaluator=evaluator(self.net), **options)

    def get_ready(self, position: Position) -> None:
        """Refuse a game that the network was not trained for."""
        self.fit(position)
        super().get_ready(position)

    def pick(self, view: Position, limits: Limits | None) -> Any:
        """The search's choice, or without simulations to speak of the network's own."""
        self.fit(view)
        return super().pick(view, limits)

    def fit(self, position: Position) -> None:
        """Check the game, and lay the weights out as its evaluation takes them."""
        if self.net is not None:
            self.net.check(position.game)
            return
        weights = self.options["weights"]
        if isinstance(weights, td_nets.Weights):
            rules = getattr(position.game, "rules", None)
            if rules is None or not hasattr(rules, "network_weights") or self.game_name.partition(":")[0] != rules.definition.name:
                raise Unsuitable(f"this network was trained for {self.game_name}, not for {position.game.name}")
            self.options["weights"] = rules.network_weights(*weights.arrays())


@kernel
def _movers(states: Any, out: Any) -> None:
    for index in range(len(states)):
        out[index] = states[index].player()


@kernel
def _planes(states: Any, movers: Any, out: Any) -> None:
    for index in range(len(states)):
        states[index].planes(movers[index], out[index])


def evaluator(net: nets.Net) -> Evaluator:
    """What Monte Carlo tree search asks of a network: utilities and the probability of each action."""

    def evaluate(leaves: Leaves) -> tuple[np.ndarray, np.ndarray]:
        count = len(leaves.states)
        movers = np.zeros(count, np.int32)
        seen = np.zeros((count, *net.planes), np.float32)
        with np.errstate(over="ignore"):
            _movers(leaves.states, movers)
            _planes(leaves.states, movers, seen)
        logits, value, _ = net.ask(seen)
        utilities = np.empty((count, 2))
        utilities[np.arange(count), movers] = value
        utilities[np.arange(count), 1 - movers] = -value
        width = int(leaves.counts.max(initial=1))
        given = np.take_along_axis(logits, leaves.actions[:, :width].astype(np.int64), 1)
        given = np.where(np.arange(width) < leaves.counts[:, None], given, -np.inf)
        shares = np.exp(given - given.max(1, keepdims=True))
        out = np.zeros(leaves.actions.shape)
        out[:, :width] = shares / shares.sum(1, keepdims=True)
        return utilities, out

    return evaluate
