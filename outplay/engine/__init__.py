"""The same algorithms at native speed: kernels over arrays of states.

>>> from outplay.engine import best
>>> from outplay.game import load
>>> from outplay.values import Limits
>>> best(load("tic-tac-toe").position("xx./oo./... x"), Limits(depth=3)).line
(2,)
"""

from outplay.engine.alphabeta.engine import Engine, best, search
from outplay.engine.alphabeta.options import Options
from outplay.engine.alphabeta.solve import solve, solves
from outplay.engine.alphabeta.windows import ALGORITHMS
from outplay.engine.clock import Clock
from outplay.engine.perft import perft

__all__ = ["ALGORITHMS", "Clock", "Engine", "Options", "best", "perft", "search", "solve", "solves"]
