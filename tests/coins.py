"""A game in plain Python, for the tests of what takes any game."""

from outplay.game import Game


class Coins(Game):
    """Take one or two of five coins; whoever takes the last one wins."""

    name = "coins"

    def initial(self):
        return (5, 0)

    def player(self, state):
        return state[1]

    def actions(self, state):
        return [n for n in (1, 2) if n <= state[0]]

    def result(self, state, action):
        return (state[0] - action, 1 - state[1])

    def is_terminal(self, state):
        return state[0] == 0

    def utility(self, state, player):
        return -1 if player == state[1] else 1
