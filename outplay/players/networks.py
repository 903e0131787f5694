"""Searches and players that ask a network: `net:FILE` with the options of the search around it.

    net:go.outplay,time=2                 Monte Carlo tree search by PUCT, leaves judged by the network, a few at a time
    net:go.outplay,selection=gumbel       with up to 400 `simulations`, sequential halving at the root and PUCT below
    net:go.outplay,simulations=1          the network's own first choice, without search
    net:backgammon                        one that comes with Outplay: backgammon, checkers, chess, go-9, go-13, othello, ...
    net:backgammon.td                     the move after which the network thinks best of its position
    net:backgammon.td,depth=2             expectiminimax with the network as its evaluation
    net:chess.nnue,time=2                 alpha-beta with an efficiently updatable network as its evaluation (NNUE)

Which of the three it is, the file says; it also says for which game it was trained, and is refused for any other. The same text
names a search: `outplay best go:size=9 --algorithm net:go-9`.

>>> request("connect-four")
('engine:mcts', {'net': 'connect-four'})
>>> request("conect-four")
Traceback (most recent call last):
outplay.errors.BadValue: no such network: conect-four is no file; did you mean 'connect-four'?
"""

from __future__ import annotations

import difflib
import functools
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np

from outplay import evaluations
from outplay.engine import preferences
from outplay.engine.montecarlo.mcts import Evaluator, Leaves
from outplay.engine.tables import races
from outplay.errors import BadValue, UnknownName, Unsuitable
from outplay.evaluations import td
from outplay.evaluations.nnue import FORMAT as NNUE
from outplay.evaluations.nnue import Network as Updatable
from outplay.game import Game, Position, known_game
from outplay.game.compiled import CompiledGame
from outplay.jit import kernel
from outplay.names import Option, family, parse, read_options
from outplay.networks import nets, td_nets
from outplay.players.algorithms import COMMON, LIMITS
from outplay.players.searcher import Searcher
from outplay.values import Limits

SELECTIVE, SMALL, DEEP = "engine:mcts", "engine:star2", "engine:pvs"
"""The search around a network that proposes and judges, around one that is the evaluation of the rules, where there are dice and
where there are none."""
SECONDS = 1.0
"""How long a network thinks about a move when it is given no limit."""
CANDIDATES = 5
"""Moves that a small network looks into two plies deep, those that it likes best at one; GNU Backgammon filters its moves so."""
EXPLORATION, URGENCY, BATCH = 0.6, 0.1, 4
"""AlphaZero's constant and a small penalty, where values go from 0 to 1 (`benchmarks/learning.py puct` compares others)."""
REMEMBERED = 1 << 18
"""Answers of a network that are remembered: a position reached by other moves, or again in the next search, is not asked about."""
OPTIONS = (
    Option("selection", "word", "puct", "puct, or gumbel: with up to 400 simulations, sequential halving at the root",
           words=("puct", "gumbel")),
    Option("exploration", "number", EXPLORATION, "PUCT's constant: how far its priors lead the search", least=0, also="c"),
    Option("urgency", "number", URGENCY, "how much less than its node an action never tried is taken to be worth", least=0),
    Option("batch", "whole", BATCH, "positions that the network judges at once, for each thread", least=1),
    Option("symmetric", "switch", False, "judge every turned and mirrored form of a position, and take the average"),
    Option("candidates", "whole", CANDIDATES, "with depth=2 or more: moves that are looked into, the best at one ply; 0: all",
           least=0),
    Option("level", "text", "full", "weaker: beginner, casual, club, strong, master, full, or a rating"),
    Option("book", "text", "", "the file of an opening book"),
    Option("tables", "text", "", "the folder of endgame tables, of alpha-beta with a network"),
)


def network(text: str, seed: int = 0) -> Searcher:
    """The player that `net:FILE,key=value` names."""
    asked = parse(text, "player")
    name, _ = request(asked.part)
    words = {"level", "book"} | ({"candidates"} if name == SMALL else {"tables"} if name == DEEP else set())
    if name == SELECTIVE:
        words = {option.name for option in OPTIONS} - {"candidates", "tables"}
    options = [option for option in OPTIONS if option.name in words]
    chosen = read_options("player net", asked.options, (*options, *COMMON))
    limits = {LIMITS[key]: chosen.pop(key) for key in LIMITS if key in chosen}
    chosen.setdefault("seed", seed)
    usual = Limits(depth=1) if name == SMALL else Limits(seconds=SECONDS)
    made = Searcher(f"net:{asked.part}", Limits(**limits) if limits else usual, **chosen)
    made.name = text.strip()
    return made


def shipped() -> dict[str, Path]:
    """The networks that come with Outplay, by name; docs/learning.md says how each was trained.

    >>> "backgammon" in shipped()
    True
    """
    folder = Path(nets.__file__).parent / "shipped"
    return {path.stem: path for path in sorted(folder.glob("*.*"))}


def request(part: str) -> tuple[str, dict[str, str]]:
    """The engine's search for a network that is named or whose file is given, and its options."""
    if not part:
        raise BadValue(f"a network needs its file or name, as in net:FILE or net:{next(iter(shipped()), 'NAME')}")
    return {td_nets.FORMAT: SMALL, NNUE: DEEP}.get(_kind(path_of(part)), SELECTIVE), {"net": part}


def refuse_files(part: str) -> None:
    """Refuse all but the networks that come with Outplay."""
    if part not in shipped():
        raise UnknownName("network", part, shipped())


def options_for(part: str, game: Game, common: dict[str, Any] | None = None, *, symmetric: bool = False) -> dict[str, Any]:
    """What the engine's search needs so that the network judges for it; one that was trained for another game is refused.

    The threads of `common` are taken over: they ask the network at the same time, and one of them grows the tree.
    """
    found = _opened(str(path_of(part)))
    if isinstance(found, Updatable):
        return {}  # the rules have it: see `as_judged`
    if isinstance(found, Small):
        own = evaluations.of(game).network_weights is not None
        return {"candidates": CANDIDATES, **({"weights": _laid_out(game, *_stands(str(path_of(part))))} if own else {})}
    found.check(game)
    threads = 1
    if common is not None:
        threads, common["threads"] = max(1, int(common.get("threads") or 1)), 1
    return {"selection": "puct", "exploration": EXPLORATION, "urgency": URGENCY, "batch": BATCH * threads,
            "evaluator": evaluator(found, threads, game if symmetric else None, _worth(found, game))}  # fmt: skip


def as_judged(part: str, position: Position, earlier: Sequence[Position] = ()) -> tuple[Position, Sequence[Position]]:
    """A position and those before it under the rules that the network needs, else as they are.

    A network that is kept up to date move by move is part of its rules. One that learned who wins knows nothing of by how much:
    where the game is played for points, it plays the one that it learned.
    """
    found = _opened(str(path_of(part)))
    if isinstance(found, Updatable) or (isinstance(found, Small) and evaluations.of(position.game).network_weights is None):
        game = judged_by(found, position.game)
    elif isinstance(found, nets.Net) and _learned_other_stakes(found, position.game):
        game = cast(CompiledGame, known_game(found.game))
    else:
        return position, earlier
    states = _moved(game, [position, *earlier])
    if isinstance(found, Updatable | Small):
        with np.errstate(over="ignore"):
            _refresh(states)
    now, *before = (Position(game, state.tobytes()) for state in states)
    return now, before


def usual(game: Game) -> Game:
    """The game as the engine judges it where nobody asks for something else: by the network that comes for it, if any."""
    name = preferences.network(game)
    return judged_by(cast(Updatable, _opened(str(path_of(name)))), game) if name else game


def _learned_other_stakes(net: nets.Net, game: Game) -> bool:
    """Whether a network learned the same game with other utilities, such as Othello without the discs."""
    if game.name == net.game or game.family != family(net.game):
        return False
    learned, fields = known_game(net.game), lambda game: game.rules.layout.names[:-1]
    return learned.traits.bounds != game.traits.bounds and fields(learned) == fields(game)


def judged_by(network: Updatable | Small, game: Game) -> CompiledGame:
    """The game with a network as its evaluation; one that was trained for another game is refused."""
    rules: Any = getattr(game, "rules", None)
    if rules is None or family(network.game) != game.family:
        raise Unsuitable(f"this network was trained for {network.game}, not for {game.name}")
    if isinstance(network, Small):
        return _face(td.rules_with(rules, network.weights))
    about = evaluations.of(game).nnue
    if about is None:
        raise Unsuitable(f"the rules of {game.name} do not say what such a network sees: their `evaluation` needs an Nnue")
    return _face(about.rules_with(rules, network))


@functools.lru_cache(maxsize=32)
def _face(rules: Any) -> CompiledGame:
    return CompiledGame(rules)


def _moved(game: CompiledGame, positions: Sequence[Position]) -> np.ndarray:
    """The states of positions in the layout of other rules of the same game; what is derived stays empty."""
    rules: Any = positions[0].game.rules
    old = np.frombuffer(b"".join(cast(bytes, each.state) for each in positions), rules.layout)
    new = game.rules.states(len(positions))
    for name in (rules.layout.names or ())[:-1]:
        new[name] = old[name]
    return new


@kernel
def _refresh(states: Any) -> None:
    states[0].refresh()


class Small(NamedTuple):
    """A network that learned by temporal differences, for an evaluation inside the kernel."""

    game: str
    weights: td_nets.Weights

    def laid_out(self, game: Game) -> np.ndarray:
        """The weights as the evaluation of the game takes them."""
        rules = getattr(game, "rules", None)
        lay_out = evaluations.of(game).network_weights
        if rules is None or lay_out is None or family(self.game) != game.family:
            raise Unsuitable(f"this network was trained for {self.game}, not for {game.name}")
        tables = (races.table(game),) if rules.race_size else ()
        return cast(np.ndarray, lay_out(*self.weights, *tables))


def path_of(part: str) -> Path:
    """The file of a network that is named or whose file is given."""
    path = shipped().get(part, Path(part).expanduser())
    if not path.is_file():
        near = difflib.get_close_matches(part, shipped(), 1)
        said = f"did you mean {near[0]!r}?" if near else f"by name there are {', '.join(shipped())}"
        raise BadValue(f"no such network: {part} is no file; {said}")
    return path


def _opened(path: str) -> Small | nets.Net | Updatable:
    """A network's file, read once as long as it stays as it is."""
    return _read(*_stands(path))


def _stands(path: str) -> tuple[str, int, int, int]:
    """A file, and by what a change of it is known."""
    about = Path(path).stat()
    return path, about.st_ino, about.st_mtime_ns, about.st_size


@functools.lru_cache(maxsize=2)
def _laid_out(game: Game, *stands: Any) -> np.ndarray:
    """A small network's weights for a game, laid out once: every move asks for them, and with tables they are megabytes."""
    return cast(Small, _read(*stands)).laid_out(game)


def opened(path: Path) -> Small | nets.Net | Updatable:
    """A network's file as what it holds."""
    return _opened(str(path))


def _kind(path: Path) -> str:
    """The first line of a network's file, which says what it is: no more is read to know which search goes around it."""
    with path.open("rb") as file:
        return file.readline(80).strip().decode("ascii", "replace")


@functools.lru_cache(maxsize=8)
def _read(path: str, inode: int, written: int, size: int) -> Small | nets.Net | Updatable:
    first = _kind(Path(path))
    if first == td_nets.FORMAT:
        game, weights, _ = td_nets.read(Path(path))
        return Small(game, weights)
    if first == NNUE:
        return Updatable.load(Path(path))
    return nets.Net.load(Path(path))


@kernel
def _movers(states: Any, out: Any) -> None:
    for index in range(len(states)):
        out[index] = states[index].player()


@kernel
def _planes(states: Any, movers: Any, out: Any) -> None:
    for index in range(len(states)):
        states[index].planes(movers[index], out[index])


def _worth(net: nets.Net, game: Game) -> float:
    """What a network's 1 is worth: the most that a seat can gain in the game that it learned (`learning.forest.greatest`)."""
    learned = known_game(net.game) if _learned_other_stakes(net, game) else game
    return max(abs(bound) for bound in learned.traits.bounds)


def evaluator(net: nets.Net, threads: int = 1, mirrored: Game | None = None, worth: float = 1.0) -> Evaluator:
    """What Monte Carlo tree search asks of a network: utilities and the probability of each action.

    Positions are spread over threads, and answers are remembered by position. With the game as `mirrored`, the answer is the mean
    over all symmetric forms of a position. Its 1 is `worth` so much in the game.
    """
    pool = ThreadPoolExecutor(threads) if threads > 1 else None
    turns: Any = nets.symmetries(mirrored) if mirrored is not None else [(slice(None), slice(None))]
    remembered: dict[bytes, tuple[np.ndarray, float]] = {}

    def judge(seen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        flat = seen.reshape(len(seen), net.planes[0], -1)
        logits, value = np.zeros((len(seen), net.actions), np.float32), np.zeros(len(seen), np.float32)
        for points, actions in turns:
            said, worth, _ = net.ask(np.ascontiguousarray(flat[:, :, points]).reshape(seen.shape))
            logits += said[:, actions]
            value += worth
        return logits / len(turns), value / len(turns)

    def ask(seen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if pool is None or len(seen) < 2:
            return judge(seen)
        parts = list(pool.map(judge, np.array_split(seen, min(threads, len(seen)))))
        return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])

    def evaluate(leaves: Leaves) -> tuple[np.ndarray, np.ndarray]:
        count = len(leaves.states)
        keys = [state.tobytes() for state in leaves.states]
        new = [place for place, key in enumerate(keys) if key not in remembered]
        movers = np.zeros(count, np.int32)
        with np.errstate(over="ignore"):
            _movers(leaves.states, movers)
            if new:
                if len(remembered) > REMEMBERED:
                    known = [remembered.get(key) for key in keys]
                    remembered.clear()
                    remembered.update((key, answer) for key, answer in zip(keys, known, strict=True) if answer is not None)
                seen = np.zeros((len(new), *net.planes), np.float32)
                _planes(leaves.states[new], movers[new], seen)
                remembered.update(zip((keys[place] for place in new), zip(*ask(seen), strict=True), strict=True))
        logits = np.stack([remembered[key][0] for key in keys])
        value = np.array([remembered[key][1] for key in keys])
        utilities = np.empty((count, 2))
        utilities[np.arange(count), movers] = worth * value
        utilities[np.arange(count), 1 - movers] = -worth * value
        width = int(leaves.counts.max(initial=1))
        given = np.take_along_axis(logits, leaves.actions[:, :width].astype(np.int64), 1)
        given = np.where(np.arange(width) < leaves.counts[:, None], given, -np.inf)
        shares = np.exp(given - given.max(1, keepdims=True))
        out = np.zeros(leaves.actions.shape)
        out[:, :width] = shares / shares.sum(1, keepdims=True)
        return utilities, out

    return evaluate
