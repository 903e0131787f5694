"""Kuhn poker: three cards, one bet, and the smallest game in which bluffing is right (Harold Kuhn, 1950).

Each player antes a chip and gets one of jack, queen and king. The first may pass or bet a chip; whoever faces a bet may pass, and
lose the ante, or bet too, and the higher card takes the pot.

>>> from outplay.game import load
>>> position = load("kuhn poker").start().play("K Q pass bet")
>>> position.text(), position.observe(0).text(), position.play("bet").utilities()
('KQ pb', 'K? pb', (2.0, -2.0))

Played right it is worth -1/18 to the first player, who must bet the jack with some probability up to 1/3 and the king three
times as often.
"""

from outplay.jit import below, evenly, i8
from outplay.picture import Cell, Hand, Table
from outplay.rules import CHANCE, game

CARDS = "-JQK?"
UNSEEN = 4
PASS, BET = 0, 1


@game("kuhn poker")
class KuhnPoker:
    """Poker with three cards and one bet: an ante of one chip each, and at most one bet of one chip.

    Goal: win chips with the higher of two cards, or by a bet that the other does not pay.
    Deal: one chip each is put in, and each player gets one of jack, queen and king.
    Moves: pass or bet one chip; whoever faces a bet passes, and loses the chip that is in, or bets too.
    End: after two passes or two bets the higher card takes all; a pass after a bet gives it to the one who bet.
    Hidden: you see your own card alone.
    """

    stays_hidden = True  # whoever folds, or is not called, shows nothing
    most_actions = 3
    bounds = (-2.0, 2.0)
    pays = "chips"
    private_hands = 3
    private_cards = ((0,), (1,), (2,))

    # ------------------------------------------------ rules: cards 1 jack, 2 queen, 3 king, 0 not dealt yet; moves 1 pass, 2 bet
    first: i8
    second: i8
    moves: i8
    move0: i8
    move1: i8
    move2: i8

    def player(self):
        return CHANCE if self.second == 0 else self.moves % 2

    def is_terminal(self):
        return self.moves == 3 or (self.moves == 2 and (self.move0 == 2 or self.move1 == 1))

    def chances(self, out, probabilities):
        count = 0
        for card in range(1, 4):
            if card != self.first:
                out[count] = card
                count += 1
        if self.first == UNSEEN:  # a view: the second player's card may be any
            count = 3
        return evenly(probabilities, count)

    def actions(self, out):
        if self.is_terminal():
            return 0
        out[0], out[1] = 0, 1
        return 2

    def play(self, action):
        if self.first == 0:
            self.first = action
        elif self.second == 0:
            self.second = action
        else:
            if self.moves == 0:
                self.move0 = action + 1
            elif self.moves == 1:
                self.move1 = action + 1
            else:
                self.move2 = action + 1
            self.moves += 1

    def is_showdown(self):
        return self.is_terminal() and not self.is_folded()

    def is_folded(self):
        return (self.move0 == 2 and self.move1 == 1) or (self.move1 == 2 and self.move2 == 1)

    def utility(self, player):
        if self.move0 == 2 and self.move1 == 1:
            value = 1
        elif self.move1 == 2 and self.move2 == 1:
            value = -1
        else:
            stake = 2 if self.move0 == 2 or self.move1 == 2 else 1
            value = stake if self.first > self.second else -stake
        return value if player == 0 else -value

    def observe(self, player):
        if not self.is_showdown():
            if player == 0 and self.second != 0:
                self.second = UNSEEN
            if player == 1 and self.first != 0:
                self.first = UNSEEN

    def deal(self, player, source):
        if self.second == UNSEEN:
            card = below(source, 2) + 1
            self.second = card + 1 if card >= self.first else card
        elif self.first == UNSEEN:
            if self.second == 0:
                self.first = below(source, 3) + 1
            else:
                card = below(source, 2) + 1
                self.first = card + 1 if card >= self.second else card
        return 1.0

    def hold(self, seat, hand):
        if seat == 0:
            self.first = hand + 1
        else:
            self.second = hand + 1
        return 1.0 if self.first != self.second else 0.0

    def hand_rank(self, seat):
        if self.is_folded():
            return 0
        return self.first + 0 if seat == 0 else self.second + 0

    # ------------------------------------------------ notation: both cards, then p and b for pass and bet
    def text(self):
        moves = "".join("-pb"[m] for m in (self.move0, self.move1, self.move2)[: self.moves])
        return CARDS[self.first] + CARDS[self.second] + (" " + moves if moves else "")

    def parse(self, text):
        cards, _, moves = text.partition(" ")
        if len(cards) != 2 or set(cards) - set(CARDS) or set(moves) - set("pb") or len(moves) > 3:
            raise ValueError("expected two cards of J, Q, K, - and the moves p and b, such as KQ pb")
        self.first, self.second = CARDS.index(cards[0]), CARDS.index(cards[1])
        for move in moves:
            if self.second == 0 or self.is_terminal():
                raise ValueError(f"the move {move} comes too late or too early")
            self.play("pb".index(move))

    def valid(self):
        if self.first == self.second and self.first != 0:
            return "both players have the same card"
        if self.first == 0 and self.second != 0:
            return "the first player gets the first card"
        if self.is_showdown() and UNSEEN in (self.first, self.second):
            return "at the showdown both cards are seen"
        return None

    def is_public(self, action):
        return self.second != 0  # bets are seen, cards are not

    def action_text(self, action):
        if self.second == 0:
            return CARDS[action]
        return ("pass", "bet")[action]

    def parse_action(self, text):
        """Poker's other words: check, fold and call."""
        words = {"check": 0, "fold": 0, "call": 1, "p": 0, "b": 1}
        return words.get(text.lower(), -1)

    def task(self):
        faced = self.moves > 0 and (self.move0 if self.moves == 1 else self.move1) == 2
        return "A chip was bet: pass to give up, or bet to call." if faced else "Pass, or bet a chip."

    def ending_text(self):
        if self.is_folded():
            return "the bet was not called"
        above, below_it = sorted((int(self.first), int(self.second)), reverse=True)
        names = ("", "jack", "queen", "king")
        return f"the {names[above]} beats the {names[below_it]}"

    # ------------------------------------------------ picture: both hands, and what each has bet
    def picture(self):
        def hand(name, card, player, side):
            held = (Cell(f"{CARDS[card]}♠" if card != UNSEEN else "", "card"),) if card else ()
            return Hand(name, held, side, owner=player)

        said = [("-", "pass", "bet")[m] for m in (self.move0, self.move1, self.move2)[: self.moves]]
        words = (f"{'first: ' if self.moves else ''}{', '.join(said)}",) if said else ()
        return Table(hands=(hand("Second", self.second, 1, "above"), hand("First", self.first, 0, "below")), words=words)
