"""Constraint satisfaction: models, propagation, solvers.

>>> from outplay.csp import Model
>>> model = Model()
>>> x, y = model.variables("x y", range(1, 10))
>>> model.add(x + y == 10)
>>> model.add(x * y == 21)
>>> model.add(x < y)
>>> model.solve()
{'x': 3, 'y': 7}
"""

from outplay.csp.expressions import Expression, Variable, total
from outplay.csp.model import Model, Solution
from outplay.csp.solver import Options, Statistics

__all__ = ["Expression", "Model", "Options", "Solution", "Statistics", "Variable", "total"]
