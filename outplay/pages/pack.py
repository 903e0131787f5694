"""A game's rules and searches as one module of WebAssembly, with the arrays that they begin with: what a page computes with.

>>> from outplay.game import load
>>> [each for each in searches_of(load("backgammon"))], searches_of(load("kuhn poker")), searches_of(load("chess"))
(['star2', 'mcts'], ['equilibrium', 'ismcts'], ['pvs', 'mcts'])
>>> searches_of(load("fifteen puzzle")), searches_of(load("grid"))
(['ida-star'], ['a-star'])
"""

from __future__ import annotations

import base64
import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from outplay.books import openings
from outplay.compiling import wasm
from outplay.engine import paths, registry
from outplay.engine.alphabeta import deepening, solve, steps
from outplay.engine.alphabeta.engine import PROOF_PLIES, PROOF_SECONDS, PROOF_SHARE, Engine
from outplay.engine.alphabeta.units import Units
from outplay.engine.frames import chance_kernel, many_kernel
from outplay.engine.frames.chance import ChanceSearch
from outplay.engine.frames.deepening import DeepeningSearch
from outplay.engine.frames.many import ManySearch
from outplay.engine.memory import load_state
from outplay.engine.montecarlo import hidden, mcts_kernel
from outplay.engine.montecarlo.hidden import InformationSets
from outplay.engine.montecarlo.mcts import MonteCarlo
from outplay.engine.pacing import Watch
from outplay.engine.regret.equilibrium import RegretSolver
from outplay.engine.regret.tree import build
from outplay.engine.tables import endings
from outplay.engine.tables.endgame import EndgameTables
from outplay.errors import OutplayError, Unavailable, UnknownName, Unsuitable
from outplay.game import compiled
from outplay.jit import kernel, random_source
from outplay.names import family
from outplay.networks import nets
from outplay.pages import inference
from outplay.players import levels, networks
from outplay.values import Limits

LONGEST_WAY = 512  # steps of a way that IDA* finds in a page
MOST_BUCKETS = 1 << 14  # of A*: one for each cost
WIDE = 128  # numbers in a field: an accumulator of a network
SLOWER = 4.0  # how much longer a proof takes in a page: no first look by the evaluation, and WebAssembly
ROWS = 132  # plies that a search with chance or with many players has room for
MOST_HISTORIES, ITERATIONS, SHARES = 300_000, 1000, 65_535  # of a game whose equilibrium a page carries, and how it is found
MOST_LINES = 4  # of which the levels choose
MEMORY = 16.0  # megabytes for each search: what a phone has to spare
MOST_IN_TABLES = 4_000_000  # positions, two bytes each before they are packed
FAMILIES = {
    "pvs": "alphabeta",
    "alphabeta": "alphabeta",
    "mcts": "mcts",
    "net": "net",
    "equilibrium": "policy",
    "ismcts": "hidden",
    "star2": "chance",
    "star1": "chance",
    "expectiminimax": "chance",
    "expectimax": "chance",
    "maxn": "many",
    "paranoid": "many",
    "best-reply": "many",
    "a-star": "ways",
    "ida-star": "ways",
}
"""The searches that a page can have, and the driver that each needs there."""


@kernel
def _describe_with_chances(states: Any, actions: Any, probabilities: Any, utilities: Any, told: Any) -> Any:
    """What `compiled._describe` tells, and whether the game ended or only its drawing rule says so."""
    state = states[0]
    told[0], told[1], told[2] = state.player(), 0, 0
    if state.is_terminal() or state.is_drawn():
        told[2] = 1
    elif told[0] == -1:
        told[1] = state.chances(actions, probabilities)
        if state.offers_draw() and not state.offers_chances():
            told[1] = -1
    else:
        told[1] = state.actions(actions)
    if told[1] == 0:
        for seat in range(len(utilities)):
            utilities[seat] = state.utility(seat)
    told[3] = state.reversible()
    return state.key()


@kernel
def _draw(states: Any, source: Any) -> Any:
    return states[0].draw(source)


@kernel
def _estimate(states: Any) -> Any:
    return states[0].estimate()


@kernel
def _observe(states: Any, seat: Any) -> None:
    states[0].observe(seat)


def searches_of(game: Any) -> list[str]:
    """The searches that suit a game and that a page can have, the best first; refuses a game for which there is none."""
    if not hasattr(game, "rules"):
        raise Unsuitable(f"a page needs compiled rules, and {game.name} is a plain game: make it a class with typed fields")
    own = registry.fitting(game)
    # A search that only the game itself has stays behind; what suits its traits goes.
    if own == "mcts" and network_of(game) is not None:
        return ["net", "mcts"]
    if game.traits.information == "hidden" and equilibrium_of(game) is not None:
        return ["equilibrium", *(["ismcts"] if registry.suits("ismcts", game) else [])]
    wanted = [own, "mcts"] if own in FAMILIES else ["pvs", "a-star", "star2", "ismcts", "mcts"]
    chosen = [each for each in dict.fromkeys(wanted) if each in FAMILIES and registry.suits(each, game)]
    if not chosen:
        raise Unsuitable(f"no search that a page can have takes {game.name}")
    return chosen[:1] if own not in FAMILIES or FAMILIES[own] == "ways" else chosen


def fields(kind: np.dtype) -> dict[str, list[Any]]:
    """Offsets and types of a record's numbers, for a DataView."""
    return {name: [int(offset), part.str[1:]] for name, (part, offset, *_) in (kind.fields or {}).items() if not part.subdtype}


class Packing:
    """The kernels of one page, and what it has to know to call them."""

    def __init__(self, game: Any, searches: Sequence[str], memory: float = MEMORY, tables: str | Path | None = None) -> None:
        self.game, self.rules, self.memory, self.tables = game, game.rules, memory, tables_of(game, searches, tables)
        self.kernels: list[tuple[str, Any, tuple]] = []
        self.described: dict[str, Callable[[wasm.Module], dict[str, Any]]] = {}
        self.computed: list[np.ndarray] = []  # what the page works out by itself
        self._rules()
        for name in searches:
            family = FAMILIES[name]
            getattr(self, "_" + family)(name)
        # Vectors gain where a network keeps its sums in the state, and lose where words of 64 bits would be taken apart.
        simd = "net" in searches or any(np.prod(self.rules.layout[field].shape) >= WIDE for field in self.rules.derived)
        self.module = wasm.module(self.kernels, simd=simd)

    def manifest(self) -> dict[str, Any]:
        """All that the page's JavaScript asks."""
        rules, made = self.rules, self.module
        traits = rules.traits
        arrays = []
        for array in made.arrays:
            raw = (
                b""
                if any(array is each for each in self.computed)
                else np.ascontiguousarray(array).view(np.uint8).reshape(-1).tobytes()
            )
            used = raw.rstrip(b"\0")
            arrays.append([int(array.nbytes), base64.b64encode(used).decode()] if used else [int(array.nbytes)])
        return {
            "game": self.game.name,
            "players": rules.players, "sides": [self.game.side(seat) for seat in range(rules.players)],
            "most": int(rules.most_actions), "action": np.dtype(rules.action_type).str[1:],
            "bounds": list(traits.bounds), "scale": traits.scale, "total": traits.total,
            "zero": traits.sum == "zero" and (traits.sides or traits.players) == 2,
            "chance": traits.chance, "hidden": traits.information == "hidden",
            "repetitions": rules.repetitions if self.game.offers("reversible") else None,
            "draw_after": rules.draw_after if self.game.offers("reversible") else None,
            "stake": float(rules.stake or 0) or None, "unit": self.game.unit if self.game.offers("evaluate") else "",
            "levels": levels_of(self.game),
            "state": {"bytes": int(rules.layout.itemsize), "start": base64.b64encode(self.game.initial()).decode()},
            "entries": {
                name: [[list(slot) for slot in each.slots], each.result, each.returns] for name, each in made.entries.items()
            },
            "arrays": arrays, "book": book_of(self.game) if "alphabeta" in self.described else None,
            **{name: told(made) for name, told in self.described.items()},
        }  # fmt: skip

    def _rules(self) -> None:
        game, rules = self.game, self.rules
        states, actions = rules.states(1), rules.room(rules.most_actions + compiled.SPARE)
        probabilities, utilities = np.zeros(len(actions) if rules.traits.chance else 1), np.zeros(rules.players)
        told, source = np.zeros(4, np.int64), random_source(0)
        self.kernels += [
            ("describe", _describe_with_chances, (states, actions, probabilities, utilities, told)),
            ("advance", compiled._advance, (states, rules.action_type(0))),
        ]
        if rules.traits.sampled:
            self.kernels.append(("draw", _draw, (states, source)))
        if game.offers("observe"):
            self.kernels.append(("observe", _observe, (states, 0)))
        self.described["rules"] = lambda made: {
            "states": made.number(states), "actions": made.number(actions), "probabilities": made.number(probabilities),
            "utilities": made.number(utilities), "told": made.number(told),
            **({"source": made.number(source)} if rules.traits.sampled else {}),
        }  # fmt: skip

    def _alphabeta(self, name: str) -> None:
        engine = Engine(self.game, algorithm=name, memory=self.memory, endgame=self.tables)
        workspace = engine.workspaces[0]
        engine.table.next_generation()
        workspace.prepare(self.game.start(), engine.options, engine.algorithm, engine.units)
        workspace.frames[:] = 0  # the driver fills these before each search
        workspace.killers[:] = 0
        self.described["alphabeta"] = self._steered(engine.units, engine.scale, workspace, ("search", "steer"), **engine.asked())
        if engine.options.endings and self.game.offers("settle"):
            self._ending()

    def _steered(self, units: Units, scale: float, workspace: Any, names: tuple[str, str], **asked: int) -> Any:
        """What searches one window after the other, what steers it, and what the page has to know of both."""
        work = workspace.work
        drive = deepening.Deepening(workspace, MOST_LINES)
        drive.begin([], **asked)
        self.kernels += [(names[0], workspace.run, (work,)), (names[1], deepening.steer, drive.arrays)]
        named = ("states", "frames", "control", "actions", "killers", "history", "replies", "lines", "table", "path")
        steered = ("drive", "found", "kept", "order")
        return lambda made: {
            **{field: made.number(getattr(work, field)) for field in named},
            **{field: made.number(getattr(drive, field)) for field in steered},
            "control_fields": fields(steps.CONTROL), "frame_fields": fields(steps.FRAME), "frame_bytes": steps.FRAME.itemsize,
            "drive_fields": fields(deepening.DRIVE), "line_fields": fields(deepening.LINE), "line_bytes": deepening.LINE.itemsize,
            "kept_row": int(drive.kept.strides[0]), "most_lines": MOST_LINES, "look": deepening.LOOK, "over": deepening.OVER,
            "phases": {"start": deepening.START, "proving": deepening.PROVING, "stopped": deepening.STOPPED},
            "spread": units.spread, "grain": units.grain, "centre": units.centre * scale, "kernels": names,
        }  # fmt: skip

    def _ending(self) -> None:
        """Proofs where the end is near, in games that tell how near: the search that solves, with one window over all values."""
        start = self.game.start()
        solver = solve.Solver(start, Limits(), Watch(Limits(), None, None), self.memory / 4, False, 1, None, None)
        workspace, high = solver.workspaces[0], solver.units.greatest()
        solver.table.next_generation()
        workspace.prepare(start, solver.options, "pvs", solver.units)
        workspace.frames[:] = 0
        workspace.killers[:] = 0
        whole = {"margin": 0, "low": -high, "high": high, "greatest": high, "windows": 1, "selective": 0}
        told = self._steered(solver.units, 1.0, workspace, ("prove", "lead"), **whole)
        self.described["ending"] = lambda made: told(made) | {
            "near": solve.NEAR_END, "seconds": SLOWER * PROOF_SECONDS, "plies": PROOF_PLIES, "share": PROOF_SHARE,
        }  # fmt: skip

    def _mcts(self, name: str) -> None:
        search = MonteCarlo(self.game, seed=1, memory=self.memory)
        tree = search.trees[0]
        tree.plant(self.game.start())
        own = tree.own[0]
        self.kernels.append(("simulate", mcts_kernel.simulate, (tree.arrays, own)))
        self.computed.append(tree.arrays.reaches)
        self.described["mcts"] = lambda made: self._tree(made, tree)

    def _net(self, name: str) -> None:
        net = network_of(self.game)
        if net is None:
            raise Unsuitable(f"no network comes with Outplay for {self.game.name}: leave --search net out")
        options: dict[str, Any] = {"exploration": networks.EXPLORATION, "urgency": networks.URGENCY, "batch": networks.BATCH}
        search = MonteCarlo(self.game, selection="puct", evaluator=_nobody, seed=1, memory=self.memory, **options)
        tree = search.trees[0]
        tree.plant(self.game.start())
        own, batch = tree.own[0], tree.batch
        assert batch is not None
        room, halves = inference.room_of(net), inference.weights_of(net).view(np.uint16)
        words = room.weights.view(np.uint32)
        values, priors = np.zeros((len(batch.states), self.rules.players)), np.zeros(batch.actions.shape)
        worth = max(abs(bound) for bound in self.game.traits.bounds)
        self.kernels += [
            ("gather", mcts_kernel.gather, (tree.arrays, own, batch)),
            ("receive", mcts_kernel.receive, (tree.arrays, own, batch, values, priors, True)),
            ("widen", inference.widen, (halves, words, room.weights)),
            ("judge", inference.judge, (room, net.blocks, net.channels, net.actions, worth, batch.states, batch.actions,
                                        batch.counts, own.control, values, priors)),
        ]  # fmt: skip
        self.computed += [tree.arrays.reaches, words, room.weights]
        self.described["net_search"] = lambda made: self._tree(made, tree) | {
            "extras": made.number(tree.arrays.extras), "extra_fields": fields(mcts_kernel.EXTRA),
            "extra_bytes": mcts_kernel.EXTRA.itemsize,
        }  # fmt: skip

    def _tree(self, made: wasm.Module, tree: Any) -> dict[str, Any]:
        own = tree.own[0]
        return {
            **{name: made.number(getattr(tree.arrays, name)) for name in ("nodes", "edges", "states", "twins", "reaches", "rave")},
            "control": made.number(own.control), "source": made.number(own.source), "seen": made.number(own.seen),
            "totals": made.number(own.totals), "control_fields": fields(mcts_kernel.CONTROL),
            "node_fields": fields(mcts_kernel.NODE), "node_bytes": mcts_kernel.NODE.itemsize,
            "exploration": float(tree.settings["exploration"]), "blocked": float(mcts_kernel.BLOCKED),
        }  # fmt: skip

    def _hidden(self, name: str) -> None:
        search = InformationSets(self.game, seed=1, memory=self.memory)
        memory = search.memory
        load_state(memory.roots, 1, self.game.start())
        self.computed.append(memory.slots)
        self.kernels.append(("hidden", hidden.simulate_hidden, (memory,)))
        self.described["hidden_search"] = lambda made: {
            **{name: made.number(getattr(memory, name)) for name in ("roots", "infos", "slots", "arms", "control", "source")},
            "totals": made.number(memory.totals),
            "control_fields": fields(hidden.CONTROL), "info_fields": fields(hidden.INFO), "info_bytes": hidden.INFO.itemsize,
            "arm_fields": fields(hidden.ARM), "arm_bytes": hidden.ARM.itemsize, "capacity": len(search.infos),
            "trial": hidden.TRIAL, "enough_met": hidden.ENOUGH_MET,
        }  # fmt: skip

    def _policy(self, name: str) -> None:
        found = equilibrium_of(self.game)
        if found is None:
            raise Unsuitable(f"the equilibrium of {self.game.name} is not found in a moment: leave --search equilibrium out")
        views, counts, shares = found
        self.described["policy"] = lambda made: {
            "views": base64.b64encode(views.T.tobytes()).decode(), "counts": base64.b64encode(counts.tobytes()).decode(),
            "shares": base64.b64encode(shares.tobytes()).decode(), "sets": len(views),
        }  # fmt: skip

    def _deepening(
        self, key: str, search: DeepeningSearch, kernels: Any, arguments: tuple, returned: np.ndarray | None, modelled: bool = False
    ) -> None:
        self.kernels.append((key, kernels.run, arguments))
        self.described[key] = lambda made: {
            "states": made.number(search.states), "frames": made.number(search.frames), "control": made.number(search.control),
            "lines": made.number(search.lines), "rows": search.rows, "control_fields": fields(kernels.CONTROL),
            "frame_fields": fields(kernels.FRAME), "frame_bytes": kernels.FRAME.itemsize, "enter": kernels.ENTER,
            "algorithm": search.algorithm, "evaluates": self.game.offers("evaluate"), "modelled": modelled,
            **({} if returned is None else {"returned": made.number(returned)}),
        }  # fmt: skip

    def _chance(self, name: str) -> None:
        search = ChanceSearch(self.game, algorithm=name, memory=self.memory)
        search.grow(ROWS)
        self._begun(search)
        arguments = (
            search.states,
            search.frames,
            search.control,
            search.actions,
            search.probabilities,
            search.lowest,
            search.highest,
            search.lines,
            search.table,
            search.weights,
        )
        self._deepening(
            "expecting", search, chance_kernel, arguments, None, modelled=int(search.control["model"][0]) != chance_kernel.PERFECT
        )

    def _ways(self, name: str) -> None:
        start = self.game.start()
        path = paths._Path(self.game)
        while len(path.states) < LONGEST_WAY:
            path.grow()
        states = self.rules.states(1)
        self.kernels.append(("estimate", _estimate, (states,)))
        self.kernels.append(("deepen", paths._deepen, (path.states, path.actions, path.frames, path.keys, path.where, 0, 0)))
        graph = paths._Graph(start, self.memory) if name == "a-star" else None
        if graph is not None:
            while graph.grow():
                pass
            graph.heads = np.full(MOST_BUCKETS, paths.NOBODY, np.int32)
            arguments = (graph.states, graph.nodes, graph.slots, graph.heads, graph.actions, graph.where, 0)
            self.kernels.append(("expand", paths._expand, arguments))
            self.computed += [graph.slots, graph.heads]
        self.described["ways"] = lambda made: {
            "asked": made.number(states),
            **{field: made.number(getattr(path, field)) for field in ("states", "actions", "frames", "keys", "where")},
            "frame_fields": fields(paths.FRAME), "frame_bytes": paths.FRAME.itemsize, "rows": len(path.states),
            **({} if graph is None else {"graph": {
                **{field: made.number(getattr(graph, field)) for field in ("states", "nodes", "slots", "heads", "where")},
                "node_fields": fields(graph.nodes.dtype), "node_bytes": graph.nodes.dtype.itemsize,
            }}),
        }  # fmt: skip

    def _many(self, name: str) -> None:
        search = ManySearch(self.game, algorithm=name)
        search.grow(ROWS)
        self._begun(search)
        arguments = (
            search.states,
            search.frames,
            search.control,
            search.actions,
            search.probabilities,
            search.scores,
            search.values,
            search.returned,
            search.lines,
            search.weights,
        )
        self._deepening("many", search, many_kernel, arguments, search.returned)

    def _begun(self, search: Any) -> None:
        """What stays the same from depth to depth: windows, and what pruning may count on."""
        traits = self.game.traits
        search.set(scale=traits.scale, middle=sum(traits.bounds) / 2 * traits.scale)
        search.begin(self.game.start(), traits.scale)


def levels_of(game: Any) -> dict[str, tuple[int, float]]:
    """Positions and errors of each level below full strength, as they were measured for the game where they were.

    >>> from outplay.game import load
    >>> found = levels_of(load("chess"))
    >>> [*found], found["club"] == (levels.level("club").of(load("chess")).nodes, levels.level("club").of(load("chess")).slip)
    (['beginner', 'casual', 'club', 'strong', 'master'], True)
    """
    found = {word: levels.level(word).of(game) for word, rating in levels.LEVELS.items() if rating is not None}
    return {word: (int(each.nodes or 0), each.slip) for word, each in found.items()}


def network_of(game: Any) -> nets.Net | None:
    """The network that proposes and judges moves of just this game, of those that come with Outplay."""
    for path in networks.shipped().values():
        found = networks.opened(path)
        if isinstance(found, nets.Net) and family(found.game) == game.family and found.fits(game):
            return found
    return None


@functools.lru_cache(maxsize=8)
def equilibrium_of(game: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """An equilibrium of a game so small that it is found in a moment: what is seen, in bytes; how many actions there are; the share
    of each in 65535ths. None for any other game.

    >>> from outplay.game import load
    >>> views, counts, shares = equilibrium_of(load("kuhn poker"))
    >>> len(views), counts.tolist() == [2] * 12, len(shares)
    (12, True, 24)
    """
    if (game.traits.information, game.traits.players, game.traits.sum) != ("hidden", 2, "zero"):
        return None

    def too_large(nodes: int) -> None:
        if nodes > MOST_HISTORIES:
            raise Unavailable(f"{game.name} is too large")

    try:
        tree = build(game, memory=64, progress=too_large)
    except OutplayError:
        return None
    solver = RegretSolver(game, "cfr+", tree=tree)
    solver.advance(ITERATIONS)
    found = []
    for player, average in enumerate(solver.average()):
        rows = tree.views[player].view(np.uint8).reshape(len(tree.views[player]), -1)
        for row, first, count in zip(rows, tree.firsts[player], tree.counts[player], strict=True):
            found.append((row.tobytes(), np.round(average[first : first + count] * SHARES).astype(np.uint16)))
    found.sort(key=lambda each: each[0])  # neighbours are alike, which packs well
    views = np.frombuffer(b"".join(view for view, _ in found), np.uint8).reshape(len(found), -1)
    return views, np.array([len(shares) for _, shares in found], np.uint8), np.concatenate([shares for _, shares in found])


def tables_of(game: Any, searches: Sequence[str], folder: str | Path | None) -> EndgameTables | None:
    """The endgame tables of a folder, the smallest first, as far as a page may carry them."""
    if folder is None:
        return None
    if not any(FAMILIES[name] == "alphabeta" for name in searches):
        raise Unsuitable(f"alpha-beta looks into endgame tables, and the page of {game.name} has {' and '.join(searches)}")
    found: Any = endings.open_tables(folder, game)
    tables = EndgameTables(*found.in_memory(MOST_IN_TABLES)) if isinstance(found, endings.Numbered) else None
    if tables is None or not np.any(tables.places >= 0):
        raise Unsuitable(f"a page takes tables that `outplay tables build` has made, to {MOST_IN_TABLES:,} positions; in "
                         f"{str(folder)!r} are others")  # fmt: skip
    return tables


def book_of(game: Any) -> dict[str, list[Any]] | None:
    """The opening book that comes with Outplay for just this game: by the key of a position, moves and their weights in turns.

    >>> from outplay.game import load
    >>> book_of(load("checkers"))[f"{load('checkers').key(load('checkers').initial()):x}"], book_of(load("nim"))
    (['12-16', 10], None)
    """
    if not (openings.BOOKS / f"{game.name}.txt").is_file():
        return None
    book = openings.open_book(openings.OWN, game)
    assert isinstance(book, openings.PositionBook)
    entries = sorted(book.entries.items())
    return {f"{key:x}": [each for pair in moves.items() if pair[1] > 0 for each in pair] for key, moves in entries}


def _nobody(leaves: Any) -> Any:
    raise AssertionError("in a page a kernel is asked")


def known(searches: Sequence[str]) -> None:
    """Refuse a search that no page can have."""
    for name in searches:
        if name not in FAMILIES:
            raise UnknownName("search of a page", name, FAMILIES)


def packed(
    game: Any, searches: Sequence[str] | None = None, memory: float = MEMORY, tables: str | Path | None = None
) -> Packing:
    """Rules and searches of a game, compiled for a page; `searches` are those that suit it unless named."""
    chosen = list(searches_of(game) if searches is None else searches)
    known(chosen)
    return Packing(game, chosen, memory, tables)
