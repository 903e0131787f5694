"""df-pn: proofs of wins by depth-first proof-number search at native speed, for any compiled game of two sides.

>>> from outplay.game import load
>>> found = prove(load("tic-tac-toe").position("xx./oo./... x"))
>>> found.value, found.exact
(1.0, True)

The value is found by questions, each a search with a table of its own: does the player to move reach at least so much? Whole
utilities are halved until one is left. In games with repetitions only wins are asked for, of the player to move and then of the
other: a proof of a win holds however the position came about, and that nobody wins would not (see the textbook's `dfpn`).
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from outplay.engine.alphabeta import proof_kernel as kernel
from outplay.engine.alphabeta.table import aligned
from outplay.engine.memory import action_rows, for_all, load_state, refuse_overrun
from outplay.engine.needs import refuse
from outplay.engine.pacing import Pacer, Watch
from outplay.errors import BadValue, Unsuitable
from outplay.game import Position
from outplay.values import Limits, Result

PLIES = 250  # no proof is deeper
EARLIER = 256  # keys of earlier positions that a repetition can refer to


class ProofNumbers:
    """A prover for one game; `target` asks for one utility of the player to move alone, in place of the value."""

    def __init__(self, game: Any, *, memory: float = 64, target: float | None = None) -> None:
        refuse("dfpn", game)
        self.game, self.target = game, target
        rules, rows = game.rules, PLIES + 2
        most = int(rules.most_actions)
        self.buckets = int(memory * 2**20) // (8 * kernel.WAYS * kernel.WORDS)
        if self.buckets < 1:
            raise BadValue(f"memory of the table must be more than 0 MB, got {memory}")
        self.control = np.zeros(1, kernel.CONTROL)
        self.work = kernel.Work(
            rules.states(rows + 1), np.zeros(rows, kernel.FRAME), self.control, action_rows(rules, rows),
            np.zeros((rows, most), np.uint64), np.zeros((rows, most), np.int64), np.zeros((rows, most), np.int64),
            aligned(self.buckets * kernel.WAYS * kernel.WORDS, np.dtype(np.uint64)), np.zeros(EARLIER + rows, np.uint64),
        )  # fmt: skip
        self.face = type(game)(game.rules, compiled=False)

    def search(self, position: Position, limits: Limits | None = None, *, lines: int = 1, stop: threading.Event | None = None,
               earlier: Sequence[Position] = ()) -> Iterator[Result]:
        """One Result: the proved value, or `exact` False where a limit came first or nobody's win is proved."""
        limits = limits or Limits()
        if lines != 1:
            raise BadValue("dfpn proves one value and knows no second best action")
        position = Position(self.face, position.state)
        watch = Watch(limits, stop, None)
        if position.is_terminal():
            yield Result(None, for_all(self.game, position.utility(0), 1.0), algorithm="dfpn")
            return
        keys = [self.face.key(past.state) for past in earlier if past.state != position.state] if earlier else []
        self.depth = PLIES if limits.depth is None else min(PLIES, limits.depth)
        self.nodes = self.leaves = 0
        self.cut_short = False
        yield self._value(position, watch, keys[-EARLIER:])

    def best(self, position: Position, limits: Limits | None = None, **more: Any) -> Result:
        """The only Result of a search."""
        return next(self.search(position, limits, **more))

    def _value(self, position: Position, watch: Watch, keys: list[int]) -> Result:
        traits = self.game.traits
        centre = (traits.total or 0.0) / 2
        reach = int(max(abs(bound - centre) for bound in traits.bounds))
        low, high = centre - reach, centre + reach
        side, action, exact = position.side(), position.actions()[0], True
        facts: dict[str, Any] = {}

        def asked(of: int, bar: float) -> bool | None:
            nonlocal action
            answer, found = self._ask(position, of, bar, watch, keys)
            facts["proof"], facts["disproof"] = self._numbers()
            if answer and of == side:
                action = found
            return answer

        if self.target is not None:
            answer = asked(side, self.target)
            exact = bool(answer) and self.target >= high
            facts["proved"] = answer
            low = self.target if answer else centre
        elif self.game.offers("reversible"):
            if asked(side, high):
                low = high
            elif not asked(1 - side, high):
                low, exact = centre, False
        else:
            while low < high and exact:
                bar = low + (high - low + 1) // 2
                answer = asked(side, bar)
                if answer is None or (not answer and self.cut_short):
                    exact, low = False, low if low > centre - reach else centre
                elif answer:
                    low = bar
                else:
                    high = bar - 1
        mover = low if side == self.game.side(0) else 2 * centre - low
        return Result(action, for_all(self.game, mover + 0.0, 1.0), (action,), 0, self.nodes, self.leaves, watch.elapsed(), "dfpn",
                      exact, facts=facts)

    def _ask(self, position: Position, side: int, bar: float, watch: Watch, keys: list[int]) -> tuple[bool | None, Any]:
        """Whether a side reaches so much (None: a limit came first), and an action of the root that does."""
        control, work = self.control, self.work
        work.table[:] = 0
        work.path[: len(keys)] = keys
        load_state(work.states, 0, position)
        settings = {"ply": -1, "nodes": 0, "leaves": 0, "side": side, "last_ply": self.depth, "earlier": len(keys), "bar": bar,
                    "centre": (self.game.traits.total or 0.0) / 2, "buckets": self.buckets, "fractional": 0, "cut_short": 0}
        for name, value in settings.items():
            control[name] = value
        pacer, before = Pacer(watch), self.nodes
        while True:
            spent = before + int(control["nodes"][0])
            if pacer.is_over(spent):
                break
            left = None if watch.nodes is None else watch.nodes - spent
            done = pacer.slice(self._go, left)
            if control["overrun"][0]:
                control["overrun"] = 0
                refuse_overrun(self.game)
            if control["fractional"][0]:
                raise Unsuitable(f"dfpn asks for whole utilities, and {self.game.name} has others: use the engine's solve")
            if done:
                break
        self.nodes, self.leaves = before + int(control["nodes"][0]), self.leaves + int(control["leaves"][0])
        self.cut_short = self.cut_short or bool(control["cut_short"][0])
        proof, disproof = self._numbers()
        count, frame = int(work.frames[0]["count"]), work.frames[0]
        numbers = work.proofs[0, :count] if frame["is_mine"] else work.disproofs[0, :count]
        action = self.work.actions[0, int(np.argmin(numbers))].item() if count else position.actions()[0]
        return (True if proof == 0 else False if disproof == 0 else None), action

    def _go(self, size: int) -> bool:
        self.control["until"] = int(self.control["nodes"][0]) + size
        with np.errstate(over="ignore"):
            return bool(kernel.run(self.work) == kernel.DONE)

    def _numbers(self) -> tuple[int, int]:
        return int(self.control["proof"][0]), int(self.control["disproof"][0])


def prove(position: Position, limits: Limits | None = None, *, memory: float = 64, target: float | None = None,
          stop: threading.Event | None = None) -> Result:
    """The value of a position by df-pn, or whether its player reaches a target."""
    return ProofNumbers(position.game, memory=memory, target=target).best(position, limits, stop=stop)
