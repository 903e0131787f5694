"""Small games with something to hide."""

from outplay.game import Game
from outplay.jit import below, uniform


class Cup(Game):
    """A coin lies under a cup, heads with this chance; the one player may call it or leave it."""

    name, players, bounds = "cup", 1, (-1.0, 1.0)

    def __init__(self, coin="heads", heads=0.75):
        self.coin, self.heads = coin, heads

    def initial(self):
        return (self.coin, None)

    def player(self, state):
        return 0

    def actions(self, state):
        return ("heads", "tails", "leave")

    def result(self, state, action):
        return (state[0], action)

    def is_terminal(self, state):
        return state[1] is not None

    def utility(self, state, player):
        return 0.0 if state[1] == "leave" else 1.0 if state[0] == state[1] else -1.0

    def observe(self, state, player):
        return (None, state[1])

    def deal(self, view, player, source):
        return ("heads" if uniform(source) < self.heads else "tails", view[1])


class Fork(Game):
    """Take a sure 0.8, or go on and then guess a coin for 1 or 0: whoever sees the coin would go on."""

    name, players, bounds = "fork", 1, (0.0, 1.0)

    def initial(self):
        return ("heads", ())

    def player(self, state):
        return 0

    def actions(self, state):
        return ("sure", "go on") if not state[1] else ("heads", "tails")

    def result(self, state, action):
        return (state[0], (*state[1], action))

    def is_terminal(self, state):
        return state[1][:1] == ("sure",) or len(state[1]) == 2

    def utility(self, state, player):
        return 0.8 if state[1] == ("sure",) else 1.0 if state[1][-1] == state[0] else 0.0

    def observe(self, state, player):
        return (None, state[1])

    def deal(self, view, player, source):
        return ("heads" if uniform(source) < 0.5 else "tails", view[1])


class HighCard(Game):
    """Each of two players holds one of the cards 1 to 5; the first bets or folds, then the second calls or folds."""

    name, bounds = "high card", (-2.0, 2.0)

    def __init__(self, mine=3, other=1):
        self.cards = (mine, other)

    def initial(self):
        return (*self.cards, "")

    def player(self, state):
        return len(state[2]) % 2

    def actions(self, state):
        return ("b", "f") if not state[2] else ("c", "f")

    def result(self, state, action):
        return (*state[:2], state[2] + action)

    def is_terminal(self, state):
        return state[2].endswith("f") or len(state[2]) == 2

    def utility(self, state, player):
        wins = -1.0 if state[2] == "f" else 1.0 if state[2] == "bf" else 2.0 if state[0] > state[1] else -2.0
        return wins if player == 0 else -wins

    def observe(self, state, player):
        return (state[0], None, state[2]) if player == 0 else (None, state[1], state[2])

    def deal(self, view, player, source):
        seen = view[player]
        other = [card for card in range(1, 6) if card != seen][below(source, 4)]
        return (seen, other, view[2]) if player == 0 else (other, seen, view[2])
