"""The same algorithms at native speed: kernels over arrays of states.

>>> from outplay.engine import best
>>> from outplay.game import load
>>> from outplay.values import Limits
>>> best(load("tic-tac-toe").position("xx./oo./... x"), Limits(depth=3)).line
(2,)
"""

from outplay.engine.algorithms import ALGORITHMS
from outplay.engine.alphabeta import Engine, best, search
from outplay.engine.clock import Clock
from outplay.engine.options import Options
from outplay.engine.perft import perft
from outplay.engine.solve import solve, solves

__all__ = ["ALGORITHMS", "Clock", "Engine", "Options", "best", "perft", "search", "solve", "solves"]
