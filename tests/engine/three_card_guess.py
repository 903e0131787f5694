"""Three players each hide a number; who alone differs from the other two pays them: a game of three, moves at the same time."""

from outplay.jit import Array, below, i8
from outplay.rules import game

UNSEEN = 3


@game("odd one out")
class OddOneOut:
    """Choose heads or tails unseen; who differs alone pays one to each of the others."""

    players = 3
    most_actions = 2
    bounds = (-2.0, 1.0)

    chosen: Array[i8, 3]
    made: i8

    def player(self):
        return self.made % 3

    def is_terminal(self):
        return self.made == 3

    def actions(self, out):
        if self.made == 3:
            return 0
        out[0], out[1] = 1, 2
        return 2

    def play(self, action):
        self.chosen[self.made] = action
        self.made += 1

    def utility(self, player):
        a, b, c = self.chosen[0], self.chosen[1], self.chosen[2]
        if a == b and b == c:
            return 0
        odd = 0 if b == c else 1 if a == c else 2
        return -2 if player == odd else 1

    def observe(self, player):
        if self.made < 3:
            for other in range(3):
                if other != player and self.chosen[other] != 0:
                    self.chosen[other] = UNSEEN

    def deal(self, player, source):
        for other in range(3):
            if self.chosen[other] == UNSEEN:
                self.chosen[other] = below(source, 2) + 1
        return 1.0
