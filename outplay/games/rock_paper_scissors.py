"""Rock-paper-scissors: the smallest simultaneous zero-sum game, as a sequential one whose second player does not see the first.

>>> from outplay.game import load
>>> position = load("rock-paper-scissors").start().play("paper")
>>> position.text(), position.observe(1).text(), position.play("rock").utilities()
('p-', '?-', (1.0, -1.0))

Whatever one player always plays, the other can beat: the best either can do is each choice with probability 1/3 (John von
Neumann, 1928).
"""

from outplay.jit import below, i8
from outplay.picture import Cell, Hand, Picture
from outplay.rules import game

NAMES = ("rock", "paper", "scissors")
UNSEEN = 4


@game("rock-paper-scissors")
class RockPaperScissors:
    """Both choose at the same time; paper beats rock, scissors beat paper, rock beats scissors.

    Goal: choose what beats the other's choice.
    Moves: both choose at the same time, unseen.
    Special: whoever is predictable loses: a third each is the only choice that cannot be beaten.
    End: the same twice is a draw.
    """

    most_actions = 3

    # ------------------------------------------------ rules: 0 not chosen yet, 1 rock, 2 paper, 3 scissors
    first: i8
    second: i8

    def player(self):
        return 0 if self.first == 0 else 1

    def is_terminal(self):
        return self.second != 0

    def actions(self, out):
        if self.second != 0:
            return 0
        for choice in range(3):
            out[choice] = choice
        return 3

    def play(self, choice):
        if self.first == 0:
            self.first = choice + 1
        else:
            self.second = choice + 1

    def utility(self, player):
        ahead = (self.first - self.second + 3) % 3  # each choice beats the one before it
        value = 0 if ahead == 0 else 1 if ahead == 1 else -1
        return value if player == 0 else -value

    def observe(self, player):
        if player == 1 and self.first != 0 and self.second == 0:
            self.first = UNSEEN

    def deal(self, player, source):
        if self.first == UNSEEN:
            self.first = below(source, 3) + 1
        return 1.0

    # ------------------------------------------------ notation: a letter for each player's choice
    def text(self):
        return "-rps?"[self.first] + "-rps?"[self.second]

    def parse(self, text):
        if len(text) != 2 or set(text) - set("-rps") or (text[0] == "-" and text[1] != "-"):
            raise ValueError("expected both choices as two letters of r, p, s or - for none yet, such as r-")
        self.first, self.second = "-rps".index(text[0]), "-rps".index(text[1])

    def action_text(self, choice):
        return NAMES[choice]

    def parse_action(self, text):
        return "rps".index(text.lower())

    def task(self):
        return "Choose: both choices are shown together."

    def ending_text(self):
        if self.first == self.second:
            return f"{NAMES[self.first - 1]} twice"
        ahead = (self.first - self.second + 3) % 3 == 1
        above, below_it = (self.first, self.second) if ahead else (self.second, self.first)
        return f"{NAMES[above - 1]} {('beats', 'beats', 'beat')[above - 1]} {NAMES[below_it - 1]}"

    # ------------------------------------------------ picture: what can be chosen, and below what was
    def picture(self):
        chosen = [
            Hand(seat, (Cell("rps?"[choice - 1], NAMES[choice - 1] if choice < 4 else "text", p),) if choice else (), owner=p)
            for p, (seat, choice) in enumerate((("first", int(self.first)), ("second", int(self.second))))
        ]
        return Picture(
            cells=(tuple(Cell(name[0], name) for name in NAMES),),
            columns=NAMES,
            touches={choice: ((0, choice),) for choice in range(3)},
            hands=tuple(hand for hand in chosen if hand.things),
        )
