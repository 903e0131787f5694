"""The arrays that one thread searches in, and the fields of a position, handed to the kernel."""

from __future__ import annotations

from typing import Any

import numpy as np

from outplay.engine.alphabeta import steps
from outplay.engine.alphabeta.deepening import open_at
from outplay.engine.alphabeta.exact_kernel import run_exact
from outplay.engine.alphabeta.options import NULL_MOVE, Options
from outplay.engine.alphabeta.probcut import fits_of
from outplay.engine.alphabeta.selective_kernel import run_selective
from outplay.engine.alphabeta.table import MOST_DEPTH, NO_ACTION, Table
from outplay.engine.alphabeta.units import Units
from outplay.engine.memory import action_rows, load_state, refuse_overrun, weights_of
from outplay.engine.tables.endgame import EndgameTables
from outplay.game import CompiledGame, Position

BEYOND = 60  # plies that quiescence and extensions may go beyond the depth
NOBODY = 9  # stands in for the side of a node that was never opened
EARLIER = 256  # keys of earlier positions that a repetition can refer to


class Workspace:
    """Everything that one search thread changes, except the shared table."""

    def __init__(self, game: CompiledGame, table: Table, weights: Any = None, fits: Any = None,
                 endgame: EndgameTables | None = None) -> None:
        rules = game.rules
        plies = MOST_DEPTH + BEYOND
        rows = plies + 2
        self.game, self.table, self.most = game, table, int(rules.most_actions)
        self.states = rules.states(rows + 1)  # the last one is the kernel's scratch
        self.frames = np.zeros(rows, steps.FRAME)
        self.frames["excluded"] = NO_ACTION
        self.control = np.zeros(1, steps.CONTROL)
        self.actions = action_rows(rules, rows)
        self.scores = np.zeros((rows, self.most), np.int64)
        self.killers = np.full((rows, 2), NO_ACTION, np.int64)
        self.history = np.zeros((2, steps.SLOTS), np.int64)
        self.replies = np.zeros(steps.REPLIES, np.int32)
        self.lines = np.zeros((rows, rows), rules.action_type)
        self.path = np.zeros(EARLIER + rows, np.uint64)
        self.weights = weights_of(rules, weights)
        self.run = run_exact
        self.work = steps.Work(self.states, self.frames, self.control, self.actions, self.scores, table.words, self.killers,
                                self.history, self.replies, self.lines, self.path, self.weights, fits_of(rules, fits),
                                endgame)  # fmt: skip
        self.control["last_ply"] = plies
        self.control["buckets"] = table.buckets

    def prepare(self, position: Position, options: Options, algorithm: str, units: Units, noise: int = 0,
                earlier: tuple[int, ...] = ()) -> None:
        """Set the switches for searches from one position, and the kernel that has them."""
        self.run = run_selective if options.selective() else run_exact
        load_state(self.states, 0, position)
        traits = self.game.traits
        self.replies >>= 3
        self.history >>= 3  # what was good in the last search is still a hint
        self.killers[:] = NO_ACTION
        keys = earlier[-EARLIER:]
        self.path[: len(keys)] = keys
        offers = self.game.offers
        settings: dict[str, Any] = {
            "earlier": len(keys), "spread": units.spread, "scale": units.scale, "grain": units.grain, "centre": units.centre,
            "middle": units.whole(sum(traits.bounds) / 2), "greatest": units.greatest(),
            "prune": algorithm != "minimax", "narrow": algorithm == "pvs",
            "table": options.table and algorithm != "minimax",
            "strict": options.same_depth, "policy": self.table.policy, "generation": self.table.generation,
            "by_table": options.table_move, "by_order": options.game_order and offers("order"), "by_killers": options.killers,
            "by_history": options.history, "by_replies": options.replies, "noise": noise,
            "solving": options.solving, "proofs": options.solving and units.spread == 1,
            "symmetry": options.symmetry, "enhanced": options.enhanced,
            "quiescence": options.quiescence, "extensions": options.extensions,
            "reductions": options.reductions, "beam": options.beam,
            "null_move": units.points(NULL_MOVE) if options.null_move else 0, "futility": units.points(options.futility),
            "singular": units.points(options.singular), "probcut": options.probcut,
        }  # fmt: skip
        if algorithm == "minimax":
            settings |= {"by_table": False, "by_order": False, "by_killers": False, "by_history": False, "by_replies": False}
        names = ("by_order", "by_killers", "by_history", "by_replies", "noise")
        settings["scoring"] = any(settings[name] for name in names)
        for name, value in settings.items():
            self.control[name] = value
        for name in ("nodes", "leaves", "cutoffs", "first_cutoffs", "probes", "hits", "researches", "fractional"):
            self.control[name] = 0
        self.frames["side"] = NOBODY

    def selective_depth(self) -> int:
        """The longest line that was looked at since `prepare`, in plies: one below the deepest node that was opened."""
        return int(np.count_nonzero(self.frames["side"] != NOBODY))

    def begin(self, actions: list[int], alpha: int, beta: int, depth: int) -> None:
        """Start at the root with these of its actions and this window."""
        self.actions[0, : len(actions)] = actions
        open_at(self.frames, self.control, alpha, beta, depth, len(actions))

    def go(self, until: int) -> bool:
        """Search on until so many nodes are counted in all; True when the root has its value."""
        self.control["until"] = until
        with np.errstate(over="ignore"):
            status = self.run(self.work)
        if self.control["overrun"][0]:
            self.control["overrun"] = 0
            refuse_overrun(self.game)
        return bool(status == steps.DONE)

    def count(self, name: str) -> int:
        """One of the kernel's counters."""
        return int(self.control[name][0])

    def root(self) -> tuple[int, int, int, bool]:
        """The root's best value and action so far, how many of its actions are done, and whether only ends stand behind it."""
        frame = self.frames[0]
        return int(frame["best"]), int(frame["action"]), int(frame["index"]), bool(frame["complete"])

    def line(self) -> list[int]:
        """The principal variation as far as the kernel saw it."""
        return self.lines[0, : int(self.frames[0]["length"])].tolist()
