"""Kalah (William Julius Champion, 1940), six houses of four seeds: sow, end in your store to move again, capture by an empty house.

    outplay best examples/kalah.py --time 5
"""

from outplay.jit import Array, i8
from outplay.rules import game

HOUSES, SEEDS = 6, 4
STORE = HOUSES
PLACES = 2 * HOUSES + 2


@game("kalah")
class Kalah:
    """Sow the seeds of a house, one into each place ahead, the other's store left out; who has more in the store wins.

    Goal: more seeds in your store than the other has, when one side has none left to sow.
    Moves: take all seeds of one of your houses and sow them onwards. A last seed in your store gives another move; one in an
      empty house of yours takes it and the seeds opposite.
    """

    most_actions = HOUSES

    seeds: Array[i8, PLACES]  # the first player's houses and store, then the second's
    turn: i8

    def start(self):
        for place in range(PLACES):
            if place % (HOUSES + 1) != STORE:
                self.seeds[place] = SEEDS

    def actions(self, out):
        if self.is_terminal():
            return 0
        count, first = 0, self.turn * (HOUSES + 1)
        for house in range(HOUSES):
            if self.seeds[first + house] > 0:
                out[count] = house
                count += 1
        return count

    def play(self, house):
        first = self.turn * (HOUSES + 1)
        own_store, other_store = first + STORE, (first + STORE + HOUSES + 1) % PLACES
        place = first + house
        left = self.seeds[place]
        self.seeds[place] = 0
        while left > 0:
            place = (place + 1) % PLACES
            if place != other_store:
                self.seeds[place] += 1
                left -= 1
        if place == own_store:
            return
        opposite = 2 * HOUSES - place
        if first <= place < own_store and self.seeds[place] == 1 and self.seeds[opposite] > 0:
            self.seeds[own_store] += self.seeds[opposite] + 1
            self.seeds[place] = 0
            self.seeds[opposite] = 0
        self.turn = 1 - self.turn

    def is_terminal(self):
        mine, theirs = 0, 0
        for house in range(HOUSES):
            mine += self.seeds[house]
            theirs += self.seeds[HOUSES + 1 + house]
        return mine == 0 or theirs == 0

    def utility(self, seat):
        first = 0
        for place in range(HOUSES + 1):  # what is left belongs to the side on which it lies
            first += self.seeds[place] - self.seeds[HOUSES + 1 + place]
        value = 1 if first > 0 else -1 if first < 0 else 0
        return value if seat == 0 else -value
