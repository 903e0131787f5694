"""Goofspiel: both bid a card for each prize at the same time, and the higher one takes it (Merrill Flood, about 1930).

Both players hold the cards 1 to n, and the prizes 1 to n come up one after the other. Equal bids lose the prize to nobody. Choosing
at the same time is written as choosing one after the other, unseen:

>>> from outplay.game import load
>>> position = load("goofspiel:cards=3").start().play("2 3")
>>> position.text(), position.observe(1).text(), position.play("1").text()
('2:3', '2:?', '2:31')

`order` says how prizes come (at random, ascending or descending), `score` whether the winner gets 1 or the difference of points.
"""

from outplay.jit import Array, below, evenly, i8
from outplay.picture import Cell, Hand, Table
from outplay.rules import CHANCE, game

UNSEEN = 15
DIGITS = "-123456789ABCD?"


@game("goofspiel", cards=range(2, 14), order=("random", "ascending", "descending"), score=("win", "points"))
def goofspiel(cards=4, order="random", score="win"):
    """Secret bids for prizes, all cards used once.

    Goal: win prizes that are worth more than the other's.
    Moves: a prize is turned up; both bid one of their cards for it, unseen, and the higher card takes it.
    Special: every card can be bid only once, and equal bids leave the prize to nobody.
    Hidden: you see the other's card of a round when both are chosen.
    End: when all prizes are gone; `score=points` counts by how much one is ahead.

    `cards`: Cards of each hand, and as many prizes.
    `order`: In which order the prizes are turned up.
    `score`: win: who has more; points: by how much.
    """
    shuffled = order == "random"
    descending = order == "descending"
    by_points = score == "points"
    whole = cards * (cards + 1) // 2
    most = float(whole) if by_points else 1.0

    class Goofspiel:
        """Bid your cards for prizes, both at once; each card is spent once."""

        most_actions = cards
        bounds = (-most, most)

        # -------------------------------------------- rules: round r has its prize and both bids; 0 not yet
        prizes: Array[i8, cards]
        bids: Array[i8, 2, cards]
        stage: i8

        def start(self):
            if not shuffled:
                for r in range(cards):
                    self.prizes[r] = cards - r if descending else r + 1

        def player(self):
            if self.stage < cards and self.prizes[self.stage] == 0:
                return CHANCE
            if self.stage < cards and self.bids[0, self.stage] == 0:
                return 0
            return 1

        def is_terminal(self):
            return self.stage == cards

        def chances(self, out, probabilities):
            count = 0
            for prize in range(1, cards + 1):
                used = False
                for r in range(self.stage):
                    used = used or self.prizes[r] == prize
                if not used:
                    out[count] = prize
                    count += 1
            return evenly(probabilities, count)

        def actions(self, out):
            if self.stage == cards:
                return 0
            me = self.player()
            count = 0
            for bid in range(1, cards + 1):
                used = False
                for r in range(self.stage):
                    used = used or self.bids[me, r] == bid
                if not used:
                    out[count] = bid
                    count += 1
            return count

        def play(self, action):
            if self.prizes[self.stage] == 0:
                self.prizes[self.stage] = action
            elif self.bids[0, self.stage] == 0:
                self.bids[0, self.stage] = action
            else:
                self.bids[1, self.stage] = action
                self.stage += 1

        def ahead(self):
            """The points of the first player less those of the second."""
            difference = 0
            for r in range(self.stage):
                if self.bids[0, r] > self.bids[1, r]:
                    difference += self.prizes[r]
                elif self.bids[0, r] < self.bids[1, r]:
                    difference -= self.prizes[r]
            return difference

        def utility(self, player):
            value = self.ahead() + 0
            if not by_points:
                value = 1 if value > 0 else -1 if value < 0 else 0
            return value if player == 0 else -value

        def observe(self, player):
            if player == 1 and self.stage < cards and self.bids[0, self.stage] != 0:
                self.bids[0, self.stage] = UNSEEN

        def deal(self, player, source):
            if self.stage < cards and self.bids[0, self.stage] == UNSEEN:
                left = below(source, cards - self.stage)
                for bid in range(1, cards + 1):
                    used = False
                    for r in range(self.stage):
                        used = used or self.bids[0, r] == bid
                    if not used:
                        if left == 0:
                            self.bids[0, self.stage] = bid
                        left -= 1
            return 1.0

        # -------------------------------------------- notation: the rounds so far, each as prize:bids
        def text(self):
            rounds = []
            for r in range(min(int(self.stage) + 1, cards)):
                if self.prizes[r]:
                    rounds.append(digit(self.prizes[r]) + ":" + "".join(digit(self.bids[p, r]) for p in (0, 1) if self.bids[p, r]))
            return " ".join(rounds) or "-"

        def parse(self, text):
            self.start()
            if text in ("", "-"):
                if not text or not shuffled:
                    raise ValueError("expected rounds as prize:bids, such as 2:31 1:2")
                return
            rounds = text.split()
            for number, part in enumerate(rounds):
                prize, colon, bids = part.partition(":")
                if not colon or len(prize) != 1 or len(bids) > 2 or self.stage == cards:
                    raise ValueError("expected rounds as prize:bids, such as 2:31 1:2")
                value = read(prize)
                if (self.prizes[self.stage] or value) != value or value in self.prizes[: self.stage]:
                    raise ValueError(f"the prize {prize} cannot come there")
                self.prizes[self.stage] = value
                if len(bids) < 2 and number < len(rounds) - 1:
                    raise ValueError(f"a bid is missing in {part}")
                now = int(self.stage)
                for player, letter in enumerate(bids):
                    hidden = letter == "?" and player == 0 and len(bids) == 1
                    bid = UNSEEN if hidden else read(letter)
                    if bid in self.bids[player, :now]:
                        raise ValueError(f"the bid {letter} was made before")
                    self.play(bid)

        def is_public(self, action):
            return self.player() == CHANCE  # prizes lie open, bids are turned up together

        def action_text(self, action):
            return str(int(action))

        def task(self):
            return f"Bid one of your cards for the prize {int(self.prizes[self.stage])}."

        def standing(self, seat):
            won = sum(int(self.prizes[r]) for r in range(int(self.stage)) if self.bids[seat, r] > self.bids[1 - seat, r])
            return f"{won} points"

        def ending_text(self):
            ahead = int(self.ahead())
            taken = sum(int(self.prizes[r]) for r in range(cards) if self.bids[0, r] != self.bids[1, r])
            return f"{(taken + abs(ahead)) // 2} points to {(taken - abs(ahead)) // 2}"

        # -------------------------------------------- picture: what both still hold, and the prize between them
        def picture(self):
            now = int(self.stage)
            turn = int(self.player())

            def hand(player, name, side):
                left = [bid for bid in range(1, cards + 1) if bid not in self.bids[player]]
                things = tuple(Cell(f"{bid}{'♠♣'[player]}", "card") for bid in left)
                return left, Hand(name, things, side, player, mark=turn == player and now < cards)

            (mine, first), (theirs, second) = hand(0, "First", "below"), hand(1, "Second", "above")
            left, name = (mine, "First") if turn == 0 else (theirs, "Second")
            touches = {bid: ((name, place),) for place, bid in enumerate(left)} if turn >= 0 and now < cards else {}
            shown = [Cell(f"{int(self.prizes[now])}♦", "card")] if now < cards and self.prizes[now] else []
            if now < cards and self.bids[0, now]:
                seen = self.bids[0, now] != UNSEEN
                shown.append(Cell(f"{int(self.bids[0, now])}♠" if seen else "", "card"))
            points = [sum(int(self.prizes[r]) for r in range(now) if self.bids[p, r] > self.bids[1 - p, r]) for p in (0, 1)]
            words = [f"prize {int(self.prizes[now])}"] if shown else []
            words.append(f"points: {points[0]} and {points[1]}")
            return Table(hands=(second, first), middle=tuple(shown), words=tuple(words), touches=touches)

    def digit(number):
        return "?" if number == UNSEEN else DIGITS[number]

    def read(letter):
        value = DIGITS.find(letter.upper())
        if not 1 <= value <= cards:
            raise ValueError(f"expected a card from 1 to {digit(cards)}, got {letter}")
        return value

    return Goofspiel
