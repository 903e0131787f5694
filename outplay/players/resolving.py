"""A player that solves the rest of a game with hidden information anew, from what everybody knows, and draws from the mixture.

    outplay match "liar's dice" resolve:time=1 engine:ismcts --games 100

Where the whole game is small enough, it is solved once. Else the hidden parts that fit the present public state are dealt, its own
as well as the others', for nobody knows its own; the game that begins with one of these deals is solved to the end by CFR+. Every
hand of its own weighs alike there, whatever was done before: who should hold what is not guessed from the past. Where even the rest
is too large, Monte Carlo search over information sets steps in.

    outplay equilibrium "leduc poker" --iterations 20 --out rough.json
    outplay exploit "leduc poker" resolve:policy=rough.json,time=0.1

With a policy for the whole game, which may be a rough one, the past counts: by Bayes and that policy, each seat comes to a public
state with some hands more likely than with others. The rest is solved from there safely, to the end or to `depth` actions
(`engine/regret_resolve`), so that the whole is no worse than the policy; the next time it thinks, what it found stands in the
policy's place.

>>> from outplay.game import load
>>> position = load("kuhn poker").start().play("J K")
>>> shares = Resolver(seconds=0.3).shares(position.observe(0))
>>> [position.action_text(action) for action in shares], 0 <= shares[position.parse_action("bet")] < 0.4   # a jack bluffs at times
(['pass', 'bet'], True)
"""

from __future__ import annotations

import random
import time
from typing import Any

import numpy as np

from outplay.engine.regret.equilibrium import RegretSolver, check_game
from outplay.engine.regret.public import PublicSolver
from outplay.engine.regret.resolve import resolve
from outplay.engine.regret.tree import Tree, build, public_roots
from outplay.errors import BadValue, OutplayError, Unavailable, shorten
from outplay.game import Position
from outplay.names import Option, parse, read_options
from outplay.players.algorithms import COMMON
from outplay.players.base import Player
from outplay.players.searcher import Searcher
from outplay.values import Action, Choice, Limits, Policy, Result

Places = dict[Any, tuple[int, int]]  # the player and the number of the information set with this view

MOST_THOUGHTS = 4096
"""Public states of which a player remembers what it thought there."""
SMALL, LEAST = 20_000, 200
"""Nodes up to which a tree is built and gets so many iterations, however little time there is: a matter of moments."""


def _at_least(solver: RegretSolver) -> None:
    if solver.tree.nodes <= SMALL and solver.iterations < LEAST:  # the first iteration may have waited for a kernel
        solver.advance(LEAST - solver.iterations)


OPTIONS = (
    next(option for option in COMMON if option.name == "seed"),
    Option("time", "number", 1.0, "seconds a move", least=0.001),
    Option("memory", "number", 64.0, "megabytes for the tree", least=1),
    Option("policy", "text", "", "a file of `equilibrium --out`: the past is weighed by it, and the rest solved safely"),
    Option("depth", "whole", None, "solve the rest to so many actions, by the policy from there on", least=1),
    Option("threads", "whole", 1, "threads, with a trained strategy for hold'em", least=1),
)


def from_text(text: str, seed: int = 0) -> Player:
    """The player that `resolve:time=2,policy=FILE` names."""
    from outplay.players.mixing import trained
    from outplay.values import Policy

    written = parse(text, "player")
    if written.part:
        raise BadValue(f"player {shorten(text)!r}: expected key=value after the name, got {shorten(written.part)!r}")
    asked = {option.name: option.default for option in OPTIONS} | {"seed": seed}
    asked |= read_options("player resolve", written.options, OPTIONS)
    strategy = trained(asked["policy"], asked["seed"]) if asked["policy"] else None
    if strategy is not None:
        if asked["depth"]:
            raise BadValue("resolve with a trained strategy solves what is left to the end: leave depth out")
        found: Player = strategy.resolver(seconds=asked["time"], threads=asked["threads"], name=text)
        return found
    if asked["threads"] != 1:
        raise BadValue("resolve uses several threads only with a trained strategy (hold'em has some): policy=FILE,threads=N")
    plan = Policy.load(asked["policy"]) if asked["policy"] else None
    resolver = Resolver(seconds=asked["time"], memory=asked["memory"], seed=asked["seed"], policy=plan, depth=asked["depth"])
    resolver.name = text
    return resolver


class Resolver(Player):
    """Plays from an equilibrium of the whole game where that can be found in the time, else of its rest."""

    name = "resolve"
    thinks_in_seconds = True

    def __init__(self, *, seconds: float = 1.0, memory: float = 64, seed: int = 0, policy: Policy | None = None,
                 depth: int | None = None) -> None:
        if depth is not None and policy is None:
            raise BadValue("resolve looks to a depth only where a policy says how the game goes on from there: policy=FILE,depth=N")
        self.policy, self.depth = policy, depth
        self._blueprint: tuple[PublicSolver, np.ndarray, Places] | None = None
        self._parents = np.zeros(0, np.int64)
        self._thought: dict[tuple[int, int], tuple[np.ndarray, int]] = {}  # by public state and seat
        if seconds <= 0 or memory <= 0:
            raise BadValue(f"resolve needs time and memory above 0, got {seconds:g} s and {memory:g} MB")
        self.seconds, self.memory, self._seed = seconds, memory, seed
        self._source = random.Random(seed)
        self._whole: dict[str, tuple[RegretSolver, Places] | None] = {}  # by the name of a game
        self._rest: tuple[RegretSolver, Places] | None = None
        self._game: Any = None
        self._spare: Searcher | None = None

    def begin(self, view: Position, *, seed: int = 0) -> None:
        """Another game: other draws; what is known of the whole game stays."""
        self._source = random.Random(f"{self._seed}/{seed}")
        self._rest = None

    def get_ready(self, position: Position) -> None:
        """Refuse a game that hides nothing, compile, and solve the whole game where it is small."""
        check_game("resolve", position.game)
        if self.policy is not None:
            self._planned(position)
        else:
            self._whole_game(position, self.seconds)

    # ------------------------------------------------ solving
    def _grow(self, game: Any, roots: Any, until: float) -> tuple[RegretSolver, Places] | None:
        """A solver with the places of all information sets; None where the tree is too large, or the game forgets."""
        def too_late(nodes: int) -> None:
            if (time.monotonic() > until and nodes > SMALL) or (self.stop is not None and self.stop.is_set()):
                raise Unavailable("the tree takes too long")

        try:
            tree: Tree = build(game, roots, memory=self.memory, recall=roots is not None, progress=too_late)
        except OutplayError:
            return None
        places: Places = {}
        for p in range(tree.players):
            for k in range(len(tree.views[p])):
                places.setdefault(tree.views[p][k].tobytes(), (p, k))
        return RegretSolver(game, "cfr+", tree=tree), places

    def _whole_game(self, position: Position, seconds: float) -> tuple[RegretSolver, Places] | None:
        game = position.game
        if game.name not in self._whole:
            begun = time.monotonic()
            found = self._grow(game, None, begun + seconds / 2)
            if found is not None:
                solver = found[0]
                solver.run(seconds=max(seconds / 2, begun + seconds - time.monotonic()), stop=self.stop)
                _at_least(solver)
            self._whole[game.name] = found
        return self._whole[game.name]

    def _planned(self, position: Position) -> tuple[PublicSolver, np.ndarray, Places]:
        """The policy on the public tree of the game, and where each view stands there."""
        if self._blueprint is None or self._blueprint[0].game.name != position.game.name:
            assert self.policy is not None
            self.policy.check(position.game)
            if self.depth is not None and self.depth < 1:
                raise BadValue(f"depth must be 1 or more, got {self.depth}")
            solver = PublicSolver(position.game, "cfr+", memory=self.memory)
            tree, places = solver.tree, Places()
            for node in (*tree.deciding(0), *tree.deciding(1)):
                columns = np.flatnonzero(tree.alive[tree.board[node], tree.player[node]]).tolist()
                for column, view in zip(columns, solver.views([int(node)] * len(columns), columns), strict=True):
                    places[view.state] = int(node), column
            self._parents = np.zeros(tree.nodes, np.int64)
            for node in np.flatnonzero(tree.count):
                self._parents[list(tree.children(int(node)))] = node
            self._blueprint = solver, solver.numbers_of(self.policy.shares), places
            self._thought.clear()
        return self._blueprint

    def _think_again(self, view: Position, seconds: float) -> tuple[dict[Action, float], int]:
        """The mixture at a view when the rest is solved anew from the policy's ranges."""
        solver, _, places = self._planned(view)
        node, column = places[view.state]
        numbers, done = self._thought_at(node, view.player(), seconds)
        strategy, own = solver.reaches(numbers)
        if own[solver.tree.last[view.player(), node], column] == 0.0 and self.policy is not None:  # with this hand it is never here
            return self.policy.shares(view), 0
        return {int(solver.tree.action[child]): float(strategy[child, column]) for child in solver.tree.children(node)}, done

    def _thought_at(self, node: int, seat: int, seconds: float) -> tuple[np.ndarray, int]:
        """What the policy has become when a seat has thought at a node, after all of its own before it."""
        if (node, seat) not in self._thought:
            assert self._blueprint is not None
            solver, numbers, _ = self._blueprint
            before = int(solver.tree.last[seat, node])
            if before < solver.tree.nodes:
                numbers = self._thought_at(int(self._parents[before]), seat, seconds)[0]
            nodes, rows, done = resolve(solver, node, seat, numbers=numbers, seconds=0.9 * seconds, depth=self.depth,
                                        stop=self.stop)
            numbers = solver.reaches(numbers)[0]
            numbers[nodes] = rows
            if len(self._thought) >= MOST_THOUGHTS:
                self._thought.clear()
            self._thought[node, seat] = numbers, done
        return self._thought[node, seat]

    def _answer(self, view: Position, seconds: float) -> tuple[dict[Action, float], int]:
        begun = time.monotonic()
        if self.policy is not None:
            return self._think_again(view, seconds)
        place = view.state
        whole = self._whole_game(view, seconds)
        known = whole if whole is not None and place in whole[1] else self._rest
        if known is None or known[0].game.name != view.game.name or place not in known[1]:
            try:
                known = self._grow(view.game, public_roots(view, seed=self._seed, until=begun + seconds / 4), begun + seconds / 2)
            except Unavailable:
                known = None
            if known is None or place not in known[1]:
                return {}, 0
            solver = known[0]
            solver.run(seconds=max(0.05, begun + 0.95 * seconds - time.monotonic()), stop=self.stop)
            _at_least(solver)
            self._rest = known
        solver, places = known
        player, info = places[place]
        tree, share = solver.tree, solver.average()[player]
        first, count = int(tree.firsts[player][info]), int(tree.counts[player][info])
        return {int(tree.actions[player][k]): float(share[k]) for k in range(first, first + count)}, solver.iterations

    def shares(self, view: Position, limits: Limits | None = None) -> dict[Action, float]:
        """The mixture that it draws from; empty where the rest of the game is too large to be solved."""
        seconds = limits.seconds if limits is not None and limits.seconds else self.seconds
        return self._answer(view, seconds)[0]

    def pick(self, view: Position, limits: Limits | None) -> Action:
        """One action, drawn in the shares that were found."""
        check_game("resolve", view.game)
        seconds = limits.seconds if limits is not None and limits.seconds else self.seconds
        begun = time.monotonic()
        shares, iterations = self._answer(view, seconds)
        if not shares:
            if self._spare is None:
                self._spare = Searcher("engine:ismcts", seed=self._seed)
            self._spare.stop = self.stop
            left = max(0.1, seconds - (time.monotonic() - begun))
            action = self._spare.choose(view, Limits(seconds=left))
            self.last = self._spare.last
            return action
        action = self._source.choices(list(shares), list(shares.values()))[0]
        choices = tuple(Choice(one, share=share) for one, share in sorted(shares.items(), key=lambda each: -each[1]))
        self.last = Result(action, 0.0, (action,), algorithm="resolve", exact=False, choices=choices,
                           seconds=time.monotonic() - begun, facts={"iterations": iterations})
        return action


