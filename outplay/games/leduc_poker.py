"""Leduc poker: six cards, two rounds of betting, one card in the middle (Southey and others, 2005).

The deck holds jack, queen and king in two suits. Each player antes a chip and gets a card; bets are two chips in the first round
and four in the second, at most two of them a round; between the rounds a card is laid open. A pair with it wins, else the higher
card; equal ranks split the pot.

>>> from outplay.game import load
>>> position = load("leduc poker").start().play("Kh Js raise call Jh")
>>> position.text(), position.observe(0).text()
('Kh Js rc Jh', 'Kh ?? rc Jh')
>>> position.play("check raise fold").utilities()
(-3.0, 3.0)

There are 936 information sets, and the game is worth -0.085606 to the first player.
"""

from outplay.jit import Array, below, evenly, i8
from outplay.picture import Cell, Hand, Table
from outplay.rules import CHANCE, game

CARDS = ("--", "Jh", "Js", "Qh", "Qs", "Kh", "Ks", "??")
UNSEEN = 7
FOLD, CALL, RAISE = 0, 1, 2
LETTERS = "fcr"


@game("leduc poker")
class LeducPoker:
    """Poker with six cards and two rounds: bets of two and four chips.

    Goal: win chips: by a pair with the card in the middle, else by the higher card, or because the other folds.
    Deal: two each of jack, queen and king; one chip each is put in, and each player gets a card.
    Moves: fold, check or call, raise: by two chips in the first round, four in the second, at most two raises a round.
    Rounds: after the first round of betting a card is laid open in the middle, and a second round follows.
    Hidden: you see your own card and the one in the middle; equal hands share.
    """

    stays_hidden = True  # whoever folds, or is not called, shows nothing
    most_actions = 6
    bounds = (-13.0, 13.0)
    pays = "chips"
    private_hands = 6
    private_cards = ((0,), (1,), (2,), (3,), (4,), (5,))

    # ------------------------------------------------ rules: cards 1 to 6, two of each rank; 0 not dealt yet
    hands: Array[i8, 2]
    board: i8
    moves: Array[i8, 8]  # the moves of round r from 4 * r on: 1 fold, 2 call, 3 raise
    made: i8  # moves made in this round
    stage: i8
    raises: i8  # in this round
    turn: i8
    over: i8  # 1 once somebody folded, 2 at the showdown
    chips: Array[i8, 2]

    def start(self):
        self.chips[0], self.chips[1] = 1, 1

    def player(self):
        if self.hands[1] == 0 or (self.stage == 1 and self.board == 0):
            return CHANCE
        return self.turn + 0

    def is_terminal(self):
        return self.over != 0

    def chances(self, out, probabilities):
        count = 0
        for card in range(1, 7):
            if card != self.hands[0] and card != self.hands[1]:
                out[count] = card
                count += 1
        return evenly(probabilities, count)

    def actions(self, out):
        if self.over != 0:
            return 0
        count = 0
        if self.raises > 0 and self.chips[self.turn] < self.chips[1 - self.turn]:
            out[count] = FOLD
            count += 1
        out[count] = CALL
        count += 1
        if self.raises < 2:
            out[count] = RAISE
            count += 1
        return count

    def play(self, action):
        if self.hands[0] == 0:
            self.hands[0] = action
        elif self.hands[1] == 0:
            self.hands[1] = action
        elif self.stage == 1 and self.board == 0:
            self.board = action
        else:
            me = self.turn
            self.moves[4 * self.stage + self.made] = action + 1
            self.made += 1
            if action == FOLD:
                self.over = 1
                return
            self.chips[me] = self.chips[1 - me]
            self.turn = 1 - me
            if action == RAISE:
                self.chips[me] += 2 if self.stage == 0 else 4
                self.raises += 1
            elif self.made > 1:  # a call, or the second check
                if self.stage == 1:
                    self.over = 2
                else:
                    self.stage, self.made, self.raises, self.turn = 1, 0, 0, 0

    def utility(self, player):
        if self.over == 1:  # whose turn it is has folded
            return -self.chips[player] if player == self.turn else self.chips[1 - player] + 0
        board = (self.board - 1) // 2
        mine, other = (self.hands[player] - 1) // 2, (self.hands[1 - player] - 1) // 2
        if mine == other:
            return 0
        if mine == board or (other != board and mine > other):
            return self.chips[1 - player] + 0
        return -self.chips[player]

    def observe(self, player):
        if self.over != 2 and self.hands[1 - player] != 0:
            self.hands[1 - player] = UNSEEN

    def deal(self, player, source):
        if self.hands[1 - player] == UNSEEN:
            known = 1 if self.hands[player] == 0 else 2 if self.board == 0 else 3
            left = below(source, 7 - known)
            for card in range(1, 7):
                if card != self.hands[player] and card != self.board:
                    if left == 0:
                        self.hands[1 - player] = card
                    left -= 1
        return 1.0

    def hold(self, seat, hand):
        self.hands[seat] = hand + 1
        return 1.0 if self.hands[1 - seat] != hand + 1 and self.board != hand + 1 else 0.0

    def hand_rank(self, seat):
        if self.over == 1:
            return 0
        mine = (self.hands[seat] - 1) // 2
        return 10 if mine == (self.board - 1) // 2 else 1 + mine

    # ------------------------------------------------ notation: hands, moves of the first round, the open card, moves of the second
    def text(self):
        def moves(r):
            return "".join(LETTERS[m - 1] for m in self.moves[4 * r : 4 * r + 4] if m)

        shown = [CARDS[self.hands[0]], CARDS[self.hands[1]], moves(0)]
        shown += [CARDS[self.board], moves(1)] if self.board else []
        return " ".join(part for part in shown if part)

    def parse(self, text):
        parts = text.split()
        if not 2 <= len(parts) <= 5 or any(part not in CARDS for part in parts[:2]):
            raise ValueError("expected two hands, moves (f, c, r), the open card and moves, such as Kh Js rc Jh cr")
        self.start()
        self.hands[0], self.hands[1] = CARDS.index(parts[0]), CARDS.index(parts[1])
        for number, part in enumerate(parts[2:]):
            if number == 1:
                if self.player() != CHANCE or part not in CARDS[1:7]:
                    raise ValueError(f"expected the open card after the first round, got {part}")
                self.board = CARDS.index(part)
                continue
            for letter in part:
                if letter not in LETTERS or self.player() == CHANCE or self.over or not self.allows(LETTERS.index(letter)):
                    raise ValueError(f"the move {letter} is not possible there")
                self.play(LETTERS.index(letter))

    def allows(self, move):
        if move == FOLD:
            return self.raises > 0
        return move == CALL or self.raises < 2

    def valid(self):
        held = [int(card) for card in (*self.hands, self.board) if card not in (0, UNSEEN)]
        if len(held) != len(set(held)):
            return "a card stands twice"
        if self.hands[0] == 0 and self.hands[1] != 0:
            return "the first player gets the first card"
        if (self.over == 2 and UNSEEN in self.hands) or (self.hands[0] == UNSEEN and self.hands[1] == UNSEEN):
            return "both hands cannot be hidden, and none is at the showdown"
        return None

    def is_public(self, action):
        return self.hands[1] != 0  # bets and the card on the board are seen

    def action_text(self, action):
        if self.player() == CHANCE:
            return CARDS[action]
        if action == CALL:
            return "call" if self.chips[0] != self.chips[1] else "check"
        return ("fold", "", "raise")[action]

    def parse_action(self, text):
        words = {"f": 0, "c": 1, "r": 2, "call": 1, "check": 1, "bet": 2}
        return words.get(text.lower(), -1)

    def task(self):
        owed = abs(int(self.chips[0]) - int(self.chips[1]))
        return f"{owed} chips to call." if owed else "Check, or raise."

    def standing(self, seat):
        return f"{int(self.chips[seat])} in the pot"

    def ending_text(self):
        if self.over == 1:
            return "the other folded"
        board = (self.board - 1) // 2
        held = sorted(((card - 1) // 2 for card in self.hands.tolist()), key=lambda rank: (rank == board, rank), reverse=True)
        names = ("jack", "queen", "king")
        if held[0] == held[1]:
            return f"both hold a {names[held[0]]}"
        first = f"a pair of {names[held[0]]}s" if held[0] == board else f"the {names[held[0]]}"
        return f"{first} beats the {names[held[1]]}"

    # ------------------------------------------------ picture: both hands, the open card, the chips
    def picture(self):
        def card(number):
            return (Cell(CARDS[number] if CARDS[number] != "??" else "", "card"),) if number else ()

        return Table(
            hands=(
                Hand("Second", card(self.hands[1]), "above", 1, f"{int(self.chips[1])} chips in"),
                Hand("First", card(self.hands[0]), "below", 0, f"{int(self.chips[0])} chips in"),
            ),
            middle=card(self.board),
            words=(f"pot {int(self.chips[0]) + int(self.chips[1])}",),
        )
