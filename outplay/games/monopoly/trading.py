"""Trades between players: a deed, or a card that opens the jail, for cash or for another deed."""

import numpy as np

from outplay.games.monopoly.board import (
    BAIL,
    GROUP,
    GROUP_MASK,
    GROUP_SIZE,
    MORTGAGED,
    PRICE,
    PROPERTIES,
    STATIONS,
)
from outplay.games.monopoly.notation import (
    FIRST_CARD,
    NOTHING,
    OFFER,
    SWAPS,
)
from outplay.jit import (
    called,
    i64,
    lowest,
    u64,
)

SWAP = np.array(SWAPS, np.int64)
MOST_OFFERS = 400
"""So many offers are listed in one position at the most."""


def trading(number):
    """Offers between so many players: which make sense, what they cost, and carrying them out."""

    class Trading:
        def interest(self, thing):
            """What the bank wants at once from who receives a mortgaged deed."""
            if thing < PROPERTIES and self.level[thing] == MORTGAGED:
                return (PRICE[thing] // 2 + 9) // 10
            return i64(0)

        def offered_cash(self, give, take, code):
            """What the offering player adds to its offer; below 0 where it asks for cash."""
            if give != NOTHING and take != NOTHING:
                return SWAP[code]
            thing = take if give == NOTHING else give
            amount = code * (PRICE[thing] if thing < PROPERTIES else i64(BAIL))
            return amount if give == NOTHING else -amount

        @called
        def propose(self, out, count, me, other, give, take, code):
            """List an offer if both can pay their part of it."""
            pays = self.offered_cash(give, take, code)
            mine = i64(self.cash[me]) - pays - self.interest(take)
            theirs = i64(self.cash[other]) + pays - self.interest(give)
            if mine < 0 or theirs < 0 or count > MOST_OFFERS:
                return count
            out[count] = OFFER << 16 | other << 13 | give << 8 | take << 3 | code
            return count + 1

        @called
        def offering(self, out, count, me):
            """Offers that make sense: a deed for cash where its receiver has another of its group, one deed for another where that
            completes a set for one of the two and helps the other, a card for who sits in jail."""
            for other in range(number):
                if other == me or not self.lives(other):
                    continue
                for card in range(2):
                    if self.held[card] == me + 1 and self.jailed[other] > 0:
                        count = self.propose(out, count, me, other, FIRST_CARD + card, NOTHING, 1)
                    if self.held[card] == other + 1 and self.jailed[me] > 0:
                        count = self.propose(out, count, me, other, NOTHING, FIRST_CARD + card, 1)
                for at in range(PROPERTIES):
                    holder, group = i64(self.owner[at]) - 1, GROUP[at]
                    if (holder != me and holder != other) or self.is_built(group):
                        continue
                    have = self.owned(other if holder == me else me, group)
                    if have == 0:
                        continue
                    give, take = (i64(at), i64(NOTHING)) if holder == me else (i64(NOTHING), i64(at))
                    for code in range(1, 4):
                        count = self.propose(out, count, me, other, give, take, code)
                    if holder == other:
                        completes = group < STATIONS and have + 1 == GROUP_SIZE[group]
                        bits = u64(self.deeds[me]) & ~GROUP_MASK[group]
                        while bits != u64(0):
                            mine = i64(lowest(bits))
                            bits &= bits - u64(1)
                            if self.is_swap(other, mine, completes):
                                for code in range(len(SWAP)):
                                    count = self.propose(out, count, me, other, mine, i64(at), code)
            return count

        def is_swap(self, other, mine, completes):
            """Whether a deed of mine may be swapped for another: it helps its receiver, and one of the two completes a set."""
            group = GROUP[mine]
            has = self.owned(other, group)
            return has > 0 and not self.is_built(group) and (completes or (group < STATIONS and has + 1 == GROUP_SIZE[group]))

        @called
        def trade(self, me, other):
            """Carry out the offer that lies on the table."""
            give, take = i64(self.offer) >> 8 & 31, i64(self.offer) >> 3 & 31
            pays = self.offered_cash(give, take, i64(self.offer) & 7)
            self.cash[me] -= pays + self.interest(take)
            self.cash[other] += pays - self.interest(give)
            for way in range(2):
                thing = give if way == 0 else take
                receiver = other if way == 0 else me
                if thing < PROPERTIES:
                    self.assign(thing, receiver + 1)
                elif thing != NOTHING:
                    self.held[thing - FIRST_CARD] = receiver + 1

    return Trading
