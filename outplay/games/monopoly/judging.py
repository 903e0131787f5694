"""The evaluation of Monopoly: net worth and expected rents, as a share of everybody's."""

import numpy as np

from outplay.games.monopoly.board import (
    GROUP,
    GROUP_MASK,
    GROUP_SIZE,
    MORTGAGED,
    PRICE,
    PROPERTIES,
    RENT,
    SPACE_OF,
    STATIONS,
    TAXES,
    UTILITIES,
)
from outplay.games.monopoly.movement import long_run
from outplay.games.monopoly.notation import (
    AUCTION,
)
from outplay.jit import (
    called,
    f64,
    i64,
    lowest,
    popcount,
    u64,
)

LANDING = np.array([share.get(space, 0.0) for share in [long_run()] for space in range(40)])
"""How often a throw ends on each space."""
TAXED_MOST = int(TAXES.argmax())
# What the evaluation adds to net worth; see `evaluate`.
WEIGHTS = np.array([20.0, 0.35, 0.08, 2.0, 150.0, 0.02])
WEIGHT_NAMES = (
    "rounds of rent",
    "whole sets",
    "sets that lack a free deed",
    "rounds in which cash may not suffice",
    "being free to buy",
    "sets that lack another's deed",
)


def judging(number, last_turn):
    """The evaluation for so many players."""

    class Judging:
        def expected_rent(self, deeds, at):
            """What landing on a property brings who owns these deeds, with an average throw."""
            group, level = GROUP[at], i64(self.level[at])
            if level == MORTGAGED:
                return i64(0)
            have = i64(popcount(deeds & GROUP_MASK[group]))
            if group == STATIONS:
                return i64(25) << (have - 1)
            if group == UTILITIES:
                return i64(70 if have == 2 else 28)
            return RENT[at, level] * (2 if level == 0 and have == GROUP_SIZE[group] else 1)

        @called
        def prospects(self, seat, weights):
            """What somebody has and may expect, in money.

            Net worth; rents for some rounds; a part of what three houses would add to them where a set is whole, or lacks one
            that is still to be had, or that another has; less what is missing in cash for the rents of the others, since houses
            are sold at half price; and in jail what is not paid, less what is not bought. Who has bid most for a lot counts as
            its owner who has paid.
            """
            rounds = min(f64(weights[0]), (last_turn - f64(self.turns)) / number + 1.0)
            lot = u64(0)
            buyer = i64(-1)
            if self.phase == AUCTION and self.bidder > 0:
                lot = u64(1) << u64(lowest(u64(self.lots)))
                buyer = i64(self.bidder) - 1
            value, cash = f64(self.net_worth(seat)) + 1.0, i64(self.cash[seat])
            if seat == buyer:
                value += f64(PRICE[lowest(lot)]) - f64(self.bid)
                cash -= self.bid
            others, tolls, missing, taken = -1.0, 0.0, 0.0, 0
            for other in range(number):
                if not self.lives(other):
                    continue
                others += 1.0
            for other in range(number):
                if not self.lives(other):
                    continue
                deeds = u64(self.deeds[other])
                if other == buyer:
                    deeds |= lot
                taken += popcount(deeds)
                bits = deeds
                while bits != u64(0):
                    at = i64(lowest(bits))
                    bits &= bits - u64(1)
                    rent = self.expected_rent(deeds, at)
                    likely = LANDING[SPACE_OF[at]]
                    if other != seat:
                        tolls += likely * f64(rent)
                        missing += likely * f64(max(rent - cash, i64(0)))
                        continue
                    value += rounds * others * likely * f64(rent)
                    group = GROUP[at]
                    rest = GROUP_MASK[group] & ~deeds
                    if group < STATIONS and rest & (rest - u64(1)) == u64(0):  # at most one of the set lacks
                        more = rounds * others * likely * f64(max(RENT[at, 3] - rent, i64(0)))
                        if rest == u64(0):
                            value += f64(weights[1]) * more
                        elif self.owner[lowest(rest)] == 0 and rest != lot:
                            value += f64(weights[2]) * more
                        else:
                            value += f64(weights[5]) * more
            missing += LANDING[TAXED_MOST] * f64(max(TAXES[TAXED_MOST] - cash, i64(0)))
            value -= min(f64(weights[3]), rounds) * missing
            if self.jailed[seat] > 0:
                value += 1.5 * tolls - f64(weights[4]) * f64(PROPERTIES - taken) / PROPERTIES
            return max(value, 1.0)

        def evaluate(self, seat, weights):
            """The share of what all have and may expect."""
            if not self.lives(seat):
                return 0.0
            mine, of_all = 0.0, 0.0
            for other in range(number):
                if self.lives(other):
                    value = self.prospects(other, weights)
                    of_all += value
                    if other == seat:
                        mine = value
            return min(10_000.0 * mine / of_all, 9_999.0)

    return Judging
