# Say one or two numbers on; whoever says ten wins. What if three may be said, or the goal is 21?
import outplay
from outplay.game import Game


class Race(Game):
    name = "race to ten"
    players, bounds, total = 2, (-1, 1), 0
    goal, steps = 10, (1, 2)

    def initial(self):
        return 0, 0  # what was said last, and who is to move

    def player(self, state):
        return state[1]

    def actions(self, state):
        return [step for step in self.steps if state[0] + step <= self.goal]

    def result(self, state, step):
        return state[0] + step, 1 - state[1]

    def is_terminal(self, state):
        return state[0] == self.goal

    def utility(self, state, player):
        return -1 if player == state[1] else 1


start = Race().start()
for algorithm in ("minimax", "alphabeta", "mtdf", "mcts"):
    result = outplay.best(start, algorithm)
    print(f"{algorithm:10} says {result.action}, {result.nodes} nodes")
