"""Charts for heads-up push or fold: what each of the 169 classes of hands does, as a grid of 13 x 13.

>>> chart = solve_chart(10)
>>> chart.names[0][:3], chart.names[12][0], bool(chart.call[12][0] > 0.99)
(('AA', 'AKs', 'AQs'), 'A2o', True)
>>> round(chart.pushed, 3), round(chart.called, 3)                    # shares of all hands
(0.583, 0.374)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from outplay.engine.regret.equilibrium import solver_for
from outplay.errors import BadValue
from outplay.game import Position, load
from outplay.games.holdem.ranges import CLASS_SIZES, class_text
from outplay.values import Action

NUMBERS = tuple(tuple(13 * row + column for column in range(12, -1, -1)) for row in range(12, -1, -1))
"""The class of each square: aces top left, suited hands above the diagonal."""
NAMES = tuple(tuple(class_text(number) for number in row) for row in NUMBERS)
STACKS = (*range(1, 20), 20)


def puzzle(view: Position, best: Action) -> str:
    """What a puzzle asks for: the last one to act has nothing to push."""
    return "push or fold" if view.player() == 0 else "call or fold"


@dataclass(frozen=True)
class Chart:
    """Both strategies of an equilibrium: the share in which each hand is pushed and, against a push, called."""

    stack: float
    push: np.ndarray  # [13, 13]
    call: np.ndarray  # [13, 13]
    exploitability: float  # big blinds
    names: tuple[tuple[str, ...], ...] = NAMES

    @property
    def pushed(self) -> float:
        """The share of all hands that the small blind pushes."""
        return share_of_hands(self.push)

    @property
    def called(self) -> float:
        """The share of all hands that the big blind calls with."""
        return share_of_hands(self.call)

    def data(self) -> dict[str, Any]:
        """All of it as plain lists, for a page or a script."""
        return {"stack": self.stack, "names": [list(row) for row in self.names], "push": self.push.round(4).tolist(),
                "call": self.call.round(4).tolist(), "pushed": self.pushed, "called": self.called,
                "exploitability": self.exploitability}


def share_of_hands(grid: np.ndarray) -> float:
    """The share of the 1326 hands that a grid of shares stands for."""
    return float((grid * CLASS_SIZES[np.array(NUMBERS)]).sum() / 1326)


def chart_of(solver: Any, exploitability: float) -> Chart:
    """The chart of a solver that has learned `push or fold`."""
    shares = np.zeros((2, 169))
    for player, view, mixture, _ in solver.table():
        hand = int(solver.game.record(view.state)["first" if player == 0 else "second"]) - 1
        shares[player, hand] = mixture[1]
    stack = float({**solver.game.rules.definition.defaults, **solver.game.rules.parameters}["stack"])
    return Chart(stack, shares[0][np.array(NUMBERS)], shares[1][np.array(NUMBERS)], exploitability)


def solve_chart(stack: float, *, ante: float = 0.0, target: float = 1e-5) -> Chart:
    """The equilibrium of one stack, in big blinds; both players have it, blinds included."""
    if not 1 <= stack <= 1000:
        raise BadValue(f"a stack has 1 to 1000 big blinds, got {stack:g}")
    solver = solver_for(load(f"push or fold:stack={stack:g},ante={ante:g}"), "cfr+")
    report = solver.run(20_000, target=target)
    return chart_of(solver, float(report.exploitability or 0.0))


def largest_stacks(stacks: Sequence[float] = STACKS, *, ante: float = 0.0, target: float = 1e-4) -> tuple[np.ndarray, np.ndarray]:
    """The chart as it is usually printed: the largest of these stacks at which a hand is pushed, and called; 0 where at none.

    A few hands are pushed, folded and pushed again as stacks grow; the largest stack hides that, here as in print.
    """
    push, call = np.zeros((13, 13)), np.zeros((13, 13))
    for stack in sorted(stacks):
        chart = solve_chart(stack, ante=ante, target=target)
        push[chart.push > 0.5], call[chart.call > 0.5] = stack, stack
    return push, call


def show(solver: Any, report: Any, screen: Any) -> None:
    """Which hands to push and which to call: suited hands above the diagonal; green always, yellow mixed."""
    from rich.text import Text

    chart = chart_of(solver, report.exploitability)
    parts = ("small blind pushes", chart.push, chart.pushed), ("big blind calls", chart.call, chart.called)
    for title, grid, whole in parts:
        screen.print(f"\n{title} {whole:.2%} of all hands (. never, a digit for tenths, the hand's name always)", markup=False)
        for names, shares in zip(chart.names, grid, strict=True):
            line = Text()
            for name, share in zip(names, shares, strict=True):
                always, never = share > 0.995, share < 0.005
                said = name if always else "." if never else str(int(10 * share))
                line.append(f"{said:<4}", "black on green" if always else "bright_black" if never else "black on yellow")
                line.append(" ")
            line.rstrip()
            screen.print(line)
