"""Learning as the lectures tell it, each algorithm in one readable file, every step of it traceable.

`temporal_difference` judges positions: TD(0) and TD(lambda), with a table or with linear features. `q_learning` judges actions, for
one player. `expert_iteration` lets search and a table of moves teach each other. They take any game, and are slow and plain; the
recipes beside this folder do the same with networks, at the speed of the machine.
"""

from outplay.learning.textbook.expert_iteration import expert_iteration
from outplay.learning.textbook.q_learning import q_learning
from outplay.learning.textbook.temporal_difference import td_linear, td_table

__all__ = ["expert_iteration", "q_learning", "td_linear", "td_table"]
