"""Liar's dice: each player rolls in secret, bids go up, and whoever doubts the last one looks.

A bid says how many dice of all show a face; the highest face is wild and counts for every one. A bid must name more dice, or as
many of a higher face. Instead of bidding a player may call the last bid a lie: the bidder wins if it holds.

>>> from outplay.game import load
>>> position = load("liar's dice").start().play("2 6 1x2 2x5")
>>> position.text(), position.observe(0).text(), position.play("liar").utilities()
('2|6 1x2 2x5', '2|? 1x2 2x5', (1.0, -1.0))

Dice for each player and faces are parameters (`liar's dice:dice=2,faces=4`).
"""

from itertools import combinations_with_replacement
from math import factorial, prod

import numpy as np

from outplay.jit import Array, below, i8, i64, u64
from outplay.picture import Cell, Hand, Table
from outplay.rules import CHANCE, game


@game("liar's dice", dice=range(1, 5), faces=range(2, 7))
def liars_dice(dice=1, faces=6):
    """Dice in secret, rising bids, and one look.

    Goal: bid truly, or bluff and not be called.
    Moves: after rolling in secret, say that all dice together show at least so many of a face; each bid must name more dice,
      or as many of a higher face. Or call the last bid a lie.
    Special: the highest face is wild: it counts as every face.
    End: at a call all dice are shown; if the bid holds, the bidder wins, and else the caller.
    Hidden: you see your own dice alone.

    `dice`: Dice of each player.
    `faces`: Sides of each die; the highest one is wild.
    """
    bids = 2 * dice * faces  # bid b: b // faces + 1 dice of face b % faces
    liar = bids
    rolls = list(combinations_with_replacement(range(faces), dice))  # what a player may roll, in no order
    shown_by = np.array([[roll.count(face) for face in range(faces)] for roll in rolls], np.int64)
    ways = np.array([factorial(dice) / prod(factorial(roll.count(face)) for face in range(faces)) for roll in rolls])

    class LiarsDice:
        """Raise the bid on everybody's secret dice, or call the other a liar."""

        most_actions = bids + 1
        private_hands = len(rolls)

        # -------------------------------------------- rules
        showing: Array[i8, 2, faces]  # how many dice of a player show each face
        rolled: i8
        made: u64  # the bids made, as bits: they rise, and players take turns, so this is the whole history
        last: i8  # the last bid + 1, 0 before the first
        turn: i8
        over: i8
        hidden: i8  # in a view: 1 + the player whose dice are not seen

        def player(self):
            return CHANCE if self.rolled < 2 * dice else self.turn + 0

        def is_terminal(self):
            return self.over != 0

        def chances(self, out, probabilities):
            for face in range(faces):
                out[face] = face
                probabilities[face] = 1.0 / faces
            return faces

        def actions(self, out):
            if self.over != 0:
                return 0
            count = 0
            for bid in range(i64(self.last), bids):
                out[count] = bid
                count += 1
            if self.last > 0:
                out[count] = liar
                count += 1
            return count

        def play(self, action):
            if self.rolled < 2 * dice:
                owner = self.rolled // dice
                if self.hidden != owner + 1:
                    self.showing[owner, action] += 1
                self.rolled += 1
            elif action == liar:
                self.over = 1
                self.turn = 1 - self.turn
            else:
                self.made |= u64(1) << u64(action)
                self.last = action + 1
                self.turn = 1 - self.turn

        def utility(self, player):
            bid = self.last - 1
            face = bid % faces
            matching = self.showing[0, face] + self.showing[1, face]
            if face != faces - 1:
                matching += self.showing[0, faces - 1] + self.showing[1, faces - 1]
            bidder = self.turn + 0  # the doubter moved last, so that the turn is back at the bidder
            winner = bidder if matching >= bid // faces + 1 else 1 - bidder
            return 1 if player == winner else -1

        def observe(self, player):
            if self.over == 0 and self.hidden == 0 and self.rolled > (1 - player) * dice:
                for face in range(faces):
                    self.showing[1 - player, face] = 0
                self.hidden = 2 - player

        def deal(self, player, source):
            if self.hidden != 0:
                owner = self.hidden - 1
                for _ in range(min(max(self.rolled - owner * dice, 0), dice)):
                    self.showing[owner, below(source, faces)] += 1
                self.hidden = 0
            return 1.0

        def hold(self, seat, hand):
            for face in range(faces):
                self.showing[seat, face] = shown_by[hand, face]
            self.rolled = max(self.rolled, (seat + 1) * dice)
            if self.hidden == seat + 1:
                self.hidden = 0
            return ways[hand] / faces**dice

        # -------------------------------------------- notation: both players' dice, then the bids; ! for the doubt
        def text(self):
            def shown(owner):
                known = "".join(str(face + 1) * int(self.showing[owner, face]) for face in range(faces))
                rolled = min(max(int(self.rolled) - owner * dice, 0), dice)
                return "?" * rolled if self.hidden == owner + 1 else known

            made = " ".join(bid_text(bid) for bid in range(bids) if int(self.made) >> bid & 1)
            return f"{shown(0)}|{shown(1)}" + (" " + made if made else "") + (" !" if self.over else "")

        def parse(self, text):
            rolls, *made = text.split()
            sides = rolls.split("|")
            known = "123456"[:faces] + "?"
            if len(sides) != 2 or any(len(side) > dice or set(side) - set(known) for side in sides):
                raise ValueError(f"expected {dice} dice a player and bids, such as 2|6 1x2 2x5")
            if (sides[1] and len(sides[0]) < dice) or (made and len(sides[1]) < dice):
                raise ValueError("all dice are rolled before the first bid, the first player's first")
            for owner, side in enumerate(sides):
                if "?" in side:
                    if set(side) != {"?"} or self.hidden:
                        raise ValueError("either all dice of one player are hidden or none")
                    self.hidden = owner + 1
                for face in side.replace("?", ""):
                    self.showing[owner, int(face) - 1] += 1
                self.rolled += len(side)
            for word in made:
                action = liar if word == "!" else parse_bid(word)
                if self.over or action < self.last or (action == liar and self.last == 0):
                    raise ValueError(f"{word} is not possible there")
                self.play(action)
            if self.over and self.hidden:
                raise ValueError("after the doubt all dice are seen")

        def valid(self):
            return None

        def is_public(self, action):
            return self.rolled >= 2 * dice  # bids are heard, dice are not seen

        def action_text(self, action):
            if self.rolled < 2 * dice:
                return str(action + 1)
            return "liar" if action == liar else bid_text(action)

        def parse_action(self, text):
            return liar if text in ("!", "doubt") else parse_bid(text.lower())

        def task(self):
            if not self.last:
                return "Say how many dice of all show a face, at least."
            return "Bid more dice, or as many of a higher face, or call the last bid a lie."

        def ending_text(self):
            bid = int(self.last) - 1
            face = bid % faces
            matching = sum(int(self.showing[owner, shown]) for owner in (0, 1) for shown in {face, faces - 1})
            one, asked = matching == 1, bid // faces + 1
            counted = f"{matching or 'none'} of all dice count{'s' * one} as {face + 1}"
            return f"{counted}, and {asked} {'was' if asked == 1 else 'were'} bid"

        # -------------------------------------------- picture: the dice, and the bids below
        def picture(self):
            def cells(owner):
                known = [str(face + 1) for face in range(faces) for _ in range(int(self.showing[owner, face]))]
                rolled = min(max(int(self.rolled) - owner * dice, 0), dice)
                texts = ["?"] * rolled if self.hidden == owner + 1 else known
                return tuple(Cell(text, "die" if text.isdecimal() and int(text) <= 6 else "text", owner) for text in texts)

            made = " ".join(bid_text(bid) for bid in range(bids) if int(self.made) >> bid & 1)
            return Table(hands=(Hand("Second", cells(1), "above", 1), Hand("First", cells(0), "below", 0)),
                         words=(f"bid: {made.split()[-1]}",) if made else ())  # fmt: skip

    def bid_text(bid):
        return f"{bid // faces + 1}x{bid % faces + 1}"

    def parse_bid(text):
        many, cross, face = text.partition("x")
        whole = bool(cross) and many.isdecimal() and face.isdecimal()
        if not whole or not 1 <= int(face) <= faces or not 1 <= int(many) <= 2 * dice:
            raise ValueError(f"expected a bid such as 1x2, got {text}")
        return (int(many) - 1) * faces + int(face) - 1

    return LiarsDice
