"""A rule of thumb for Monopoly: buy, bid up to what a deed is worth to its set, build and keep a reserve, swap for whole sets."""

import numpy as np

from outplay.games.monopoly.board import (
    BAIL,
    GROUP,
    GROUP_MASK,
    GROUP_SIZE,
    HOTEL,
    HOUSE,
    MEMBERS,
    PRICE,
    PROPERTIES,
    PROPERTY_AT,
    STATIONS,
)
from outplay.games.monopoly.notation import (
    ACCEPT,
    ANSWER,
    AUCTION,
    BID,
    BUILD,
    BUY,
    BUYING,
    CARD,
    DECLINE,
    DONE,
    JAILED,
    MANAGE,
    MORTGAGE,
    NOTHING,
    OFFER,
    PASS,
    PAY,
    RAISES,
    REDEEM,
    REFUSE,
    SELL,
    SELL_SET,
    SETTLE,
    TRY,
)
from outplay.jit import (
    below,
    called,
    highest,
    i32,
    i64,
    lowest,
    popcount,
    u64,
)

RAISE = np.array(RAISES, np.int64)
STREETS = np.uint64((1 << STATIONS) - 1)
"""The bits of the groups on which one builds."""


def rule_of_thumb(number, most_offers):
    """The rule of thumb for so many players: what playouts choose, and the player `thumb`."""

    class Thumb:
        @called
        def thumb_value(self, seat, at):
            """What a deed is worth to somebody by a rule of thumb: more where it completes somebody's set."""
            group, price = GROUP[at], PRICE[at]
            have = self.owned(seat, group)
            if self.owner[at] == seat + 1:
                have -= 1
            if group < STATIONS and have + 1 == GROUP_SIZE[group]:
                return 3 * price
            for other in range(number):
                if other != seat and group < STATIONS and self.owned(other, group) + 1 == GROUP_SIZE[group]:
                    return 2 * price
            return price + price * have // 4

        def choose(self, out, source):
            if self.phase == MANAGE:  # two thirds of all choices
                me = i64(self.mover)
                return i32(self.thumb_manage(me, i64(self.cash[me]), source))
            return i32(self.thumb_choose(source))

        @called
        def thumb_choose(self, source):
            """What to do where there is not everything to choose from."""
            phase, me = i64(self.phase), i64(self.mover)
            cash = i64(self.cash[me])
            if phase == BUYING:
                at = PROPERTY_AT[self.place[me]]
                spare = 0 if self.thumb_value(me, at) > PRICE[at] else i64(below(source, 200))
                return i64(BUY << 16 if cash >= PRICE[at] + spare else DECLINE << 16)
            if phase == AUCTION:
                worth = min(self.thumb_value(me, i64(lowest(u64(self.lots)))), cash)
                worth -= i64(below(source, 40))
                step = 1 if self.bid + RAISE[1] <= worth // 2 else 0
                return i64(BID << 16 | step if self.bid + RAISE[step] <= worth else PASS << 16)
            if phase == JAILED:  # early there is much to buy outside, later it is quiet inside
                taken = u64(0)
                for seat in range(number):
                    taken |= u64(self.deeds[seat])
                if popcount(taken) < PROPERTIES - 4:
                    if self.held[0] == me + 1 or self.held[1] == me + 1:
                        return i64(CARD << 16)
                    if cash >= 4 * BAIL:
                        return i64(PAY << 16)
                return i64(TRY << 16)
            if phase == SETTLE:
                return self.thumb_raise(me)
            if phase == ANSWER:
                give, take = i64(self.offer) >> 8 & 31, i64(self.offer) >> 3 & 31
                gain = self.offered_cash(give, take, i64(self.offer) & 7) - self.interest(give)
                if give < PROPERTIES:
                    gain += self.thumb_value(me, give)
                if take < PROPERTIES:
                    gain -= self.thumb_value(me, take) + PRICE[take] // 4
                return i64(ACCEPT << 16 if gain > 0 else REFUSE << 16)
            return i64(-1)

        @called
        def thumb_raise(self, me):
            """Mortgage single deeds first, then sell houses, cheap ones first, then mortgage the rest."""
            for wanted in range(3):
                for at in range(PROPERTIES):
                    if self.owner[at] == me + 1:
                        whole = self.has_set(me, GROUP[at])
                        if wanted != 1 and (wanted == 2 or not whole) and self.can_mortgage(at):
                            return MORTGAGE << 16 | at
                        if wanted == 1 and self.level[at] > 0:
                            if self.can_sell(at):
                                return SELL << 16 | at
                            if self.level[at] == HOTEL and self.houses < 4:
                                return SELL_SET << 16 | at
            return i64(-1)

        @called
        def thumb_manage(self, me, cash, source):
            """Build the dearest that leaves a reserve, redeem when rich, sometimes make an offer."""
            sets = u64(self.sets[me]) & STREETS
            while sets != u64(0):
                group = i64(highest(sets))
                sets ^= u64(1) << u64(group)
                if cash >= HOUSE[MEMBERS[group, 0]] + 150:
                    for k in range(GROUP_SIZE[group]):
                        at = MEMBERS[group, GROUP_SIZE[group] - 1 - k]
                        if self.can_build(me, at):
                            return BUILD << 16 | at
            pledged = u64(self.deeds[me]) & u64(self.mortgages)
            if cash >= 500 and pledged != u64(0):
                return REDEEM << 16 | i64(lowest(pledged))
            if self.made < most_offers:
                return self.thumb_offer(me, cash, i64(below(source, PROPERTIES)))
            return i64(DONE << 16)

        def thumb_offer(self, me, cash, at):
            """Ask for one deed out of a group that one has already: another for it that completes a set, else cash."""
            other, group = i64(self.owner[at]) - 1, GROUP[at]
            have = self.owned(me, group)
            if other < 0 or other == me or have == 0 or self.is_built(group):
                return i64(DONE << 16)
            completes = group < STATIONS and have + 1 == GROUP_SIZE[group]
            fees = self.interest(at)
            bits = u64(self.deeds[me]) & ~GROUP_MASK[group]
            while bits != u64(0):
                mine = i64(lowest(bits))
                bits &= bits - u64(1)
                if not self.is_swap(other, mine, completes) or cash < fees or self.cash[other] < self.interest(mine):
                    continue
                if self.thumb_value(me, at) - self.thumb_value(me, mine) - fees > 0:
                    return OFFER << 16 | other << 13 | mine << 8 | at << 3
            code = i64(2 if completes else 1)
            if cash - 100 < code * PRICE[at] + fees or not (completes or group >= STATIONS):
                return i64(DONE << 16)
            return OFFER << 16 | other << 13 | NOTHING << 8 | at << 3 | code

    return Thumb
