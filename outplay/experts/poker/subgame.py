"""Turn and river of heads-up hold'em solved: two ranges, a pot, the chips behind, and what may be bet.

The position is one of `hold'em`, and the public tree (`public_tree`) comes from its rules: all hands of a player stand in one
vector a public state. At a showdown the hands are sorted by strength once, and each meets all others in one sweep, less those
that hold one of its cards. From the turn, every way of betting that goes on is followed by a chance node with the river cards.

>>> found = solve_river("KsKh7d7c2s", "KdKc,4h3h", "AsAd", pot=10, stack=10, sizes=(1.0,), iterations=2000)
>>> bluff, call = found.mixture("4h3h"), found.mixture("AsAd", after=("bet 10",))
>>> round(bluff["bet 10"], 1), round(call["call"], 1), found.exploitability < 0.02      # one bluff for two value bets; call half
(0.5, 0.5, True)
>>> found = solve_turn("KsKh7d2s", "KdKc,4h3h", "AsAd", pot=10, stack=10, sizes=(1.0,), iterations=300)
>>> found.exploitability < 0.1, sorted(found.mixture("AsAd", after=("check", "check", "9c", "bet 10")))
(True, ['call', 'fold'])
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from outplay.cards import cards, cards_text
from outplay.engine.regret.public import PublicSolver
from outplay.engine.regret.public_tree import build
from outplay.errors import BadNotation, BadValue, UnknownName
from outplay.game import Position, load
from outplay.games.holdem.ranges import HANDS, hand_number, hands_of
from outplay.values import CHANCE

CHIPS = 90_720
"""What each seat has at the start of the hand: the same rules serve all pots, so that they are compiled once for given sizes. It
can be divided by 2 to 10, so that the usual shares of pot and stack are whole numbers of chips."""


@dataclass(frozen=True)
class Solved:
    """An equilibrium of a turn or river: what seat 0 gets of the pot and the bets, and what both play."""

    value: float  # chips that seat 0 wins on average, beyond half the pot
    exploitability: float  # chips that a best answer wins more, a seat
    iterations: int
    seconds: float
    solver: PublicSolver
    part: float  # chips that one of the rules' stands for
    shares: np.ndarray  # the average strategy

    def names(self, node: int) -> dict[str, int]:
        """The actions or cards that lead on from a public state, and the states they lead to."""
        tree, game = self.solver.tree, self.solver.game
        here = Position(game, tree.states[node : node + 1].tobytes())
        if tree.player[node] == CHANCE:
            return {here.action_text(int(tree.action[child])): child for child in tree.children(node)}
        record = game.record(here.state)
        asked = max(int(bet) for bet in record["bets"])
        behind = asked > int(record["bets"][int(tree.player[node])])
        found = {}
        for child in tree.children(node):
            action = int(tree.action[child])
            size = f"{(action - 1) * self.part:.4g}"
            name = ("fold" if action == 0 else ("call" if behind else "check") if action == 1 else
                    f"raise to {size}" if asked else f"bet {size}")
            found[name if name not in found else "all in"] = child
        return found

    def node(self, after: Sequence[str] = ()) -> int:
        """The public state after some actions, and river cards such as 9c between them."""
        at = 0
        for name in after:
            found = self.names(at)
            if name not in found:
                raise UnknownName("action", name, found)
            at = found[name]
        return at

    def mixture(self, hand: str, after: Sequence[str] = ()) -> dict[str, float]:
        """What a hand plays there."""
        number = hand_number(hands_of(hand)[0])
        if number not in self.solver.tree.numbers:
            raise BadNotation(f"nobody may hold {hand} here")
        column = int(np.searchsorted(self.solver.tree.numbers, number))
        return {name: float(self.shares[child, column]) for name, child in self.names(self.node(after)).items()}


def solve_river(board: str, first: str, second: str, *, pot: float, stack: float, sizes: Sequence[float] = (0.5, 1.0),
                iterations: int = 1000, target: float | None = None, seconds: float | None = None) -> Solved:
    """An equilibrium of the last betting by CFR+; `target` is an exploitability in chips that will do."""
    return _solve(5, "river", board, first, second, pot, stack, sizes, iterations, target, seconds)


def solve_turn(board: str, first: str, second: str, *, pot: float, stack: float, sizes: Sequence[float] = (1.0,),
               iterations: int = 300, target: float | None = None, seconds: float | None = None, threads: int = 1) -> Solved:
    """An equilibrium of the betting on turn and river, all river cards followed; memory and time grow with the hands and sizes."""
    return _solve(4, "turn", board, first, second, pot, stack, sizes, iterations, target, seconds, threads)


def _solve(length: int, street: str, board: str, first: str, second: str, pot: float, stack: float, sizes: Sequence[float],
           iterations: int, target: float | None, seconds: float | None, threads: int = 1) -> Solved:
    table = cards(board)
    if len(table) != length:
        raise BadNotation(f"a {street} has {'four' if length == 4 else 'five'} cards on the board, got {board!r}")
    if not pot > 0 or not stack > 0 or iterations < 1 or not all(size > 0 for size in sizes):
        raise BadValue(f"pot, stack, sizes and iterations must be more than 0, got {pot}, {stack}, {list(sizes)} and {iterations}")
    ranges = np.zeros((2, len(HANDS)))
    for seat, text in enumerate((first, second)):
        for hand in hands_of(text):
            if not set(hand) & set(table):
                ranges[seat, hand_number(hand)] = 1.0
        if not ranges[seat].any():
            raise BadNotation(f"no hand of {text!r} is left on the board {board}")
    begun = time.perf_counter()
    position, part = _position(table, pot, stack, sizes)
    try:
        tree = build(position.game, position, list(ranges))
    except BadValue:
        raise BadNotation("the two ranges cannot be held at the same time") from None
    solver = PublicSolver(position.game, "cfr+", tree=tree, threads=threads)
    left = None if seconds is None else max(0.01, seconds - (time.perf_counter() - begun))
    report = solver.run(iterations, target=None if target is None else target / part, seconds=left)
    return Solved(report.value * part, (report.exploitability or 0.0) * part, report.iterations, time.perf_counter() - begun,
                  solver, part, solver.average())


def _position(table: Sequence[int], pot: float, stack: float, sizes: Sequence[float]) -> tuple[Position, float]:
    """A position of hold'em with that board, pot and chips behind, and what a chip of its rules is worth."""
    half = min(max(2, round(CHIPS * pot / 2 / (pot / 2 + stack))), CHIPS - 1)
    name = "-".join(f"{size:g}" for size in sizes)
    game = load(f"hold'em:stack={CHIPS},sizes={name}-all")
    hands = [HANDS[k] for k in range(len(HANDS)) if not set(HANDS[k]) & set(table)]
    mine, other = hands[0], next(hand for hand in hands if not set(hand) & set(hands[0]))
    rounds = [f"r{half} c" if half > 2 else "c c", cards_text(table[:3]) + " c c", cards_text(table[3:4])]
    if len(table) == 5:
        rounds[-1] += " c c"
        rounds.append(cards_text(table[4:]))
    return game.position(" | ".join([f"{cards_text(mine)} {cards_text(other)}", *rounds])), pot / 2 / half


__all__ = ["Solved", "solve_river", "solve_turn"]
