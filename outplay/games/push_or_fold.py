"""Push or fold: heads-up hold'em with short stacks, where the small blind goes all in or folds and the big blind calls or folds.

>>> from outplay.game import load
>>> position = load("push or fold:stack=10").start().play("A5s KQo push")
>>> position.text(), position.observe(1).text(), round(position.play("call").utility(0), 3)
('A5s KQo p', '? KQo p', 2.055)

Hands are the 169 classes that differ before the flop, dealt as often as two real hands come together; an all-in is worth what the
cards win on average over all boards. Utilities are in big blinds, the stack counts the blinds.
"""

import numpy as np

from outplay.games.holdem.preflop import EQUITIES, WEIGHTS
from outplay.games.holdem.ranges import CLASS_SIZES, class_text
from outplay.jit import i8, i16, table, uniform
from outplay.picture import Cell, Picture
from outplay.rules import CHANCE, game

FIRST = table("chances of a class", lambda: CLASS_SIZES / 1326, dtype=np.float64, shape=169)
SECOND = table("chances beside a class", lambda: WEIGHTS / WEIGHTS.sum(axis=1, keepdims=True), dtype=np.float64, shape=(169, 169))
WINS = table("equities before the flop", lambda: EQUITIES, dtype=np.float64, shape=(169, 169))
TEXTS = tuple(class_text(number) for number in range(169))
UNSEEN = 170
FOLD, GO = 0, 1


@game("push or fold", stack=(1.0, 1000.0), ante=(0.0, 10.0))
def push_or_fold(stack=10.0, ante=0.0):
    """The last hands of a tournament: all in or out.

    Goal: win big blinds in the last hands of a tournament.
    Moves: the small blind puts all in or folds; the big blind then calls or folds.
    End: when both are in, five cards come and the better hand takes both stacks' worth: counted as what it wins on average.
    Hidden: you see your own two cards.
    Stack: `stack` is what each has, in big blinds.

    `stack`: What each has, in big blinds.
    `ante`: What each puts in before the deal, in big blinds.
    """
    small, big = 0.5 + ante, 1.0 + ante
    risk = max(stack, big)

    class PushOrFold:
        """Two players with short stacks: all in, or fold."""

        stays_hidden = True  # whoever folds, or is not called, shows nothing
        most_actions = 169
        bounds = (-risk, risk)
        pays = "big blinds"
        private_hands = 169
        seat_names = ("Small blind", "Big blind")

        # -------------------------------------------- rules: a class + 1, 0 before the deal; moves 1 fold, 2 push or call
        first: i16
        second: i16
        pushed: i8
        called: i8

        def player(self):
            if self.second == 0:
                return CHANCE
            return 0 if self.pushed == 0 else 1

        def is_terminal(self):
            return self.pushed == 1 or self.called != 0

        def chances(self, out, probabilities):
            total = 0.0
            for k in range(169):
                out[k] = k
                probabilities[k] = FIRST[k] if self.first == 0 or self.first == UNSEEN else SECOND[self.first - 1, k]
                total += probabilities[k]
            for k in range(169):
                probabilities[k] /= total
            return 169

        def actions(self, out):
            if self.is_terminal():
                return 0
            out[0], out[1] = FOLD, GO
            return 2

        def play(self, action):
            if self.first == 0:
                self.first = action + 1
            elif self.second == 0:
                self.second = action + 1
            elif self.pushed == 0:
                self.pushed = action + 1
            else:
                self.called = action + 1

        def utility(self, player):
            if self.pushed == 1:
                value = -small
            elif self.called == 1:
                value = big
            else:
                value = stack * (2.0 * WINS[self.first - 1, self.second - 1] - 1.0)
            return value if player == 0 else -value

        def observe(self, player):
            if self.called != 2:
                if player == 0 and self.second != 0:
                    self.second = UNSEEN
                if player == 1 and self.first != 0:
                    self.first = UNSEEN

        def deal(self, player, source):
            left = uniform(source)
            if self.second == UNSEEN:
                self.second = 169
                for k in range(169):
                    left -= SECOND[self.first - 1, k]
                    if left < 0.0:
                        self.second = k + 1
                        break
            elif self.first == UNSEEN:
                self.first = 169
                for k in range(169):  # two hands come as often one way round as the other
                    left -= FIRST[k] if self.second == 0 else SECOND[self.second - 1, k]
                    if left < 0.0:
                        self.first = k + 1
                        break
            return 1.0

        def hold(self, seat, hand):
            other = self.second if seat == 0 else self.first
            if seat == 0:
                self.first = hand + 1
            else:
                self.second = hand + 1
            return FIRST[hand] if other == 0 or other == UNSEEN else SECOND[other - 1, hand]

        # -------------------------------------------- notation: both classes, then p, c or f for push, call and fold
        def text(self):
            def hand(number):
                return "?" if number == UNSEEN else TEXTS[number - 1] if number else "-"

            moves = (" fp"[self.pushed] + " fc"[self.called]).strip()
            return f"{hand(self.first)} {hand(self.second)}" + (" " + moves if moves else "")

        def parse(self, text):
            parts = text.split()
            names = {"-": 0, "?": UNSEEN, **{name: number + 1 for number, name in enumerate(TEXTS)}}
            if not 2 <= len(parts) <= 3 or parts[0] not in names or parts[1] not in names:
                raise ValueError("expected two classes of hands and the moves, such as A5s KQo p")
            self.first, self.second = names[parts[0]], names[parts[1]]
            moves = parts[2] if len(parts) > 2 else ""
            if moves not in ("", "f", "p", "pf", "pc") or (moves and self.second == 0):
                raise ValueError(f"expected the moves f, p, pf or pc, got {moves}")
            self.pushed = " fp".find(moves[:1]) if moves else 0
            self.called = " fc".find(moves[1:]) if moves[1:] else 0

        def valid(self):
            if self.first == 0 and self.second != 0:
                return "the small blind gets the first hand"
            if UNSEEN in (self.first, self.second) and (self.called == 2 or self.first == self.second):
                return "one hand at most is hidden, and none after a call"
            return None

        def is_public(self, action):
            return self.second != 0

        def action_text(self, action):
            if self.second == 0:
                return TEXTS[action]
            return ("fold", "push" if self.pushed == 0 else "call")[action]

        def task(self):
            return "Go all in, or fold." if self.pushed == 0 else "Call the other's stack, or fold."

        def ending_text(self):
            if self.called != 2:
                return "a fold"
            share = 100 * WINS[self.first - 1, self.second - 1]
            return f"all in: over all boards the small blind's hand wins {share:.0f} % of the pot"

        # -------------------------------------------- picture: the chart of hands with the player's own marked
        def picture(self):
            shown = {int(self.first) - 1: 0, int(self.second) - 1: 1}

            def cell(row, column):
                number = 13 * (12 - row) + 12 - column
                return Cell(TEXTS[number], "text", shown.get(number), number in shown)

            return Picture(cells=tuple(tuple(cell(row, column) for column in range(13)) for row in range(13)))

    return PushOrFold
