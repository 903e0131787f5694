"""Monopoly: two to eight players, dice, deals and debts; the whole of the published rules, with house rules as parameters.

A turn: who sits in jail decides how to leave it; the dice are thrown (chance), the token moves, cards are drawn (chance), what is
for sale is bought or auctioned, what is owed is paid; after the last throw the player manages: builds, sells, mortgages, redeems
and offers trades, and is done. Debts come before everything else: who cannot pay from its cash sells and mortgages, and who could
not pay even so is bankrupt. The game ends when one player is left or after so many turns; then each gets its share of all net
worth.

The name of the game belongs to its owner; prices and rents are facts, names and words are ours (`board.py`). Players are A to H.

>>> from outplay.game import load
>>> position = load("monopoly:players=2").start().play("x51 buy")
>>> position.text()
'A1400@6,B1500@0 6A - 1/200 A manages 51 ffff/ffff'
>>> [position.action_text(action) for action in position.actions()]
['done', 'mortgage:6']
"""

import numpy as np

from outplay.evaluations import Evaluation
from outplay.games.monopoly import notation
from outplay.games.monopoly.board import (
    BACK,
    BAIL,
    CARD_KIND,
    CARD_NUMBER,
    CARD_SECOND,
    FOR_SALE,
    FORTUNE,
    FROM_EACH,
    GO_TO_JAIL,
    GROUP,
    GROUP_MASK,
    GROUP_SIZE,
    HOTEL,
    HOUSE,
    JAIL,
    JAILER,
    MEMBERS,
    MONEY,
    MORTGAGED,
    MOST_HOTELS,
    MOST_HOUSES,
    MOVE_TO,
    NEAREST_STATION,
    NEAREST_UTILITY,
    OUT_CARD,
    OUT_OF_JAIL,
    PRICE,
    PROPERTIES,
    PROPERTY_AT,
    RENT,
    REPAIRS,
    REST,
    SALARY,
    SPACE_KIND,
    SPACE_OF,
    START,
    STATIONS,
    TAX,
    TAXES,
    TOWN,
    UTILITIES,
)  # fmt: skip
from outplay.games.monopoly.judging import WEIGHT_NAMES, WEIGHTS, judging
from outplay.games.monopoly.notation import (
    ACCEPT,
    AFTER,
    ANSWER,
    AUCTION,
    BID,
    BUILD,
    BUY,
    BUYING,
    CARD,
    DECLINE,
    DICE,
    DONE,
    DRAWING,
    DRAWN,
    ENDED,
    EVERYONE,
    JAILED,
    MANAGE,
    MORTGAGE,
    OFFER,
    OVER,
    PASS,
    PAY,
    RAISES,
    REDEEM,
    REFUSE,
    ROLL,
    SELL,
    SELL_SET,
    SETTLE,
    TRY,
    UTILITY_ROLL,
)  # fmt: skip
from outplay.games.monopoly.thumb import rule_of_thumb
from outplay.games.monopoly.trading import trading
from outplay.jit import Array, below, called, f64, i8, i16, i32, i64, lowest, popcount, u8, u16, u32, u64
from outplay.rules import Derived, game
from outplay.values import CHANCE

FULL_DECK = 0xFFFF
RAISE = np.array(RAISES, np.int64)
OUT_BIT = np.array(OUT_CARD, np.int64)
THROW = np.array([DICE << 16 | max(one, two) << 3 | min(one, two) for one in range(1, 7) for two in range(1, 7)], np.int64)


@game(
    "monopoly",
    players=range(2, 9),
    turns=range(1, 10_001),
    cash=range(0, 10_001),
    auctions=(False, True),
    offers=range(0, 4),
    parking=(False, True),
    double_start=(False, True),
    jail_rent=(False, True),
    jail_double=(False, True),
    houses=range(0, 65),
    policy=("light", "thumb"),
    horizon=range(0, 100_001),
)
def monopoly(
    players=4,
    turns=200,
    cash=1500,
    auctions=True,
    offers=1,
    parking=False,
    double_start=False,
    jail_rent=True,
    jail_double=False,
    houses=MOST_HOUSES,
    policy="thumb",
    horizon=0,
):
    """Go round by dice, buy, build and trade; whoever is left, or has most after so many turns, wins.

    Goal: own most when the turns are over, or be the last who is not bankrupt.
    Moves: throw the dice and go on; buy what you land on or let it be auctioned, pay rent on what others own, draw cards, go
      to jail.
    Building: whoever owns a whole colour builds houses on it evenly, and rents rise steeply; four houses become a hotel.
    Trade: at the end of your turn offer others a swap of streets and money, mortgage what you own or redeem it.
    Debts: who cannot pay from the purse sells houses and mortgages; who could not pay even so is out, and the creditor gets
      all.

    `players`: How many play.
    `turns`: After so many turns the richest wins.
    `cash`: Money that each begins with.
    `auctions`: Whether a street that nobody buys is sold to the highest bidder.
    `offers`: Trades that one may offer in a turn.
    `parking`: Whether taxes and fines go to whoever next comes to the rest space.
    `double_start`: Whether landing on the start brings 400 in place of 200.
    `jail_rent`: Whether who sits in jail still collects rents.
    `jail_double`: Whether a double that leads out of jail throws again.
    `houses`: Houses that the bank has for all.
    `policy`: How searches play a game out at random: light any move, thumb by rules of thumb.
    `horizon`: After so many steps searches judge a game that they play out; 0 plays to the end.
    """
    number, last_turn, first_cash, all_houses, most_offers = players, turns, cash, houses, offers
    has_auctions, has_pot, doubles_start, jail_collects, door_again = auctions, parking, double_start, jail_rent, jail_double
    furthest = horizon or None
    kinds = [judging(number, last_turn), trading(number), *([rule_of_thumb(number, most_offers)] if policy == "thumb" else [])]

    class Monopoly(*kinds):
        """Go round by dice, buy, build and trade; whoever is left, or has most after so many turns, wins."""

        players = number
        total = 1
        bounds = (0.0, 1.0)
        seat_names = tuple("ABCDEFGH"[:number])
        most_actions = 512
        horizon = furthest
        weights = WEIGHTS
        evaluation = Evaluation(names=tuple(WEIGHT_NAMES))
        unit = "ten thousandths of all wealth"

        # -------------------------------------------- state
        cash: Array[i32, number]
        owed: Array[i32, number]
        creditor: Array[i8, number]  # 0 the bank, 1 + seat, EVERYONE
        place: Array[i8, number]
        jailed: Array[i8, number]  # 0: free; else which try to leave comes next, 1 to 3
        owner: Array[i8, PROPERTIES]  # 0 the bank, 1 + seat
        level: Array[i8, PROPERTIES]  # houses, 5 for a hotel, -1 mortgaged
        held: Array[i8, 2]  # who keeps each deck's card that opens the jail: 0 nobody, 1 + seat
        fortune: u16  # cards left in the deck
        town: u16
        alive: u8
        houses: i8  # left in the bank
        hotels: i8
        turn: i8
        mover: i8
        phase: i8
        doubles: i8
        again: i8  # a double: the same player throws once more
        high: i8
        low: i8
        pending: i8  # spaces to go once the bail is paid
        spent: i8  # built or redeemed in this turn: nothing is sold or mortgaged any more
        made: i8  # offers in this turn
        turns: i16
        lots: u32  # properties to be auctioned
        bid: i32
        bidder: i8  # 0 nobody, 1 + seat
        bidders: u8
        offer: i32
        pot: i32
        deeds: Derived[u32, number]  # what each owns, a bit a property
        sets: Derived[u16, number]  # and which groups as a whole, a bit a group
        mortgages: Derived[u32]
        built: Derived[u32]

        def start(self):
            for seat in range(number):
                self.cash[seat] = first_cash
            self.alive = (1 << number) - 1
            self.fortune = self.town = FULL_DECK
            self.houses, self.hotels = all_houses, MOST_HOTELS
            self.turns = 1
            self.phase = ROLL

        # -------------------------------------------- asking
        def player(self):
            phase = i64(self.phase)
            return i64(CHANCE) if phase in (ROLL, DRAWING, UTILITY_ROLL) else i64(self.mover)

        def is_terminal(self):
            return self.phase == OVER

        def urgent(self):
            return self.phase == ANSWER  # an offer changes nothing before it is answered

        def lives(self, seat):
            return (i64(self.alive) >> seat) & 1 != 0

        def owned(self, seat, group):
            """How many of a group somebody owns."""
            return i64(popcount(u64(self.deeds[seat]) & GROUP_MASK[group]))

        def has_set(self, seat, group):
            return (i64(self.sets[seat]) >> group) & 1 != 0

        def count_set(self, seat, group):
            """Note whether somebody owns a whole group now."""
            bit = u16(1) << u16(group)
            self.sets[seat] &= ~bit
            if u64(self.deeds[seat]) & GROUP_MASK[group] == GROUP_MASK[group]:
                self.sets[seat] |= bit

        def assign(self, at, owner):
            """Give a property to a player (1 + seat) or to the bank (0)."""
            bit = u32(1) << u32(at)
            before = i64(self.owner[at])
            if before > 0:
                self.deeds[before - 1] &= ~bit
                self.count_set(before - 1, GROUP[at])
            if owner > 0:
                self.deeds[owner - 1] |= bit
                self.count_set(owner - 1, GROUP[at])
            self.owner[at] = owner

        def refresh(self):
            for seat in range(number):
                self.deeds[seat] = 0
            self.mortgages = self.built = u32(0)
            for at in range(PROPERTIES):
                bit = u32(1) << u32(at)
                if self.owner[at] > 0:
                    self.deeds[i64(self.owner[at]) - 1] |= bit
                if self.level[at] == MORTGAGED:
                    self.mortgages |= bit
                elif self.level[at] > 0:
                    self.built |= bit
            for seat in range(number):
                self.sets[seat] = 0
                for group in range(len(GROUP_SIZE)):
                    self.count_set(seat, i64(group))

        def is_built(self, group):
            """Whether there is a house in the group."""
            return u64(self.built) & GROUP_MASK[group] != u64(0)

        @called
        def rent(self, at, dice):
            """What landing on a property costs."""
            seat, group, level = i64(self.owner[at]) - 1, GROUP[at], i64(self.level[at])
            if group == STATIONS:
                return i64(25) << (self.owned(seat, STATIONS) - 1)
            if group == UTILITIES:
                return dice * (10 if self.owned(seat, UTILITIES) == 2 else 4)
            base = RENT[at, level]
            return 2 * base if level == 0 and self.has_set(seat, group) else base

        @called
        def net_worth(self, seat):
            """Cash, what deeds cost (half where mortgaged) and what houses cost."""
            worth = max(i64(self.cash[seat]) - i64(self.owed[seat]), i64(0))
            bits = u64(self.deeds[seat])
            while bits != u64(0):
                at = lowest(bits)
                bits &= bits - u64(1)
                level = i64(self.level[at])
                worth += PRICE[at] // 2 if level == MORTGAGED else PRICE[at] + level * HOUSE[at]
            return worth

        @called
        def raisable(self, seat):
            """All the cash that somebody could have by selling houses and mortgaging."""
            total = i64(self.cash[seat])
            bits = u64(self.deeds[seat]) & ~u64(self.mortgages)
            while bits != u64(0):
                at = lowest(bits)
                bits &= bits - u64(1)
                total += PRICE[at] // 2 + i64(self.level[at]) * HOUSE[at] // 2
            return total

        def utility(self, seat):
            if not self.lives(seat):
                return 0.0
            mine, of_all, left = 0.0, 0.0, 0.0
            for other in range(number):
                if self.lives(other):
                    worth = f64(self.net_worth(other))
                    of_all += worth
                    left += 1.0
                    if other == seat:
                        mine = worth
            return mine / of_all if of_all > 0.0 else 1.0 / left

        # -------------------------------------------- chance
        def chances(self, out, probabilities):
            count = 0
            if self.phase == DRAWING:
                is_town = SPACE_KIND[self.place[self.turn]] == TOWN
                deck = i64(self.town) if is_town else i64(self.fortune)
                for card in range(16):
                    if deck >> card & 1:
                        out[count] = DRAWN << 16 | (card + (16 if is_town else 0))
                        count += 1
                for i in range(count):
                    probabilities[i] = 1.0 / count
                return count
            for high in range(1, 7):
                for low in range(1, high + 1):
                    out[count] = DICE << 16 | high << 3 | low
                    probabilities[count] = 1.0 / 36.0 if high == low else 2.0 / 36.0
                    count += 1
            return count

        def draw(self, source):
            if self.phase == DRAWING:
                is_town = SPACE_KIND[self.place[self.turn]] == TOWN
                deck = u64(self.town) if is_town else u64(self.fortune)
                while True:
                    card = i64(below(source, 16))
                    if deck >> u64(card) & u64(1):
                        return i32(DRAWN << 16 | (card + (16 if is_town else 0)))
            return i32(THROW[below(source, 36)])

        # -------------------------------------------- actions
        def actions(self, out):
            phase, me = i64(self.phase), i64(self.mover)
            count = 0
            if phase == MANAGE:
                out[0] = DONE << 16
                return self.managing(out, me)
            if phase == BUYING:
                price = PRICE[PROPERTY_AT[self.place[me]]]
                out[0] = DECLINE << 16
                count = 1
                if self.cash[me] >= price:
                    out[1] = BUY << 16
                    return 2
                return self.raising(out, count, me) if self.raisable(me) >= price else count
            if phase == AUCTION:
                out[0] = PASS << 16
                count = 1
                for step in range(len(RAISE)):
                    if self.bid + RAISE[step] <= self.cash[me]:
                        out[count] = BID << 16 | step
                        count += 1
                return count
            if phase == JAILED:
                out[0] = TRY << 16
                count = 1
                if self.cash[me] >= BAIL:
                    out[count] = PAY << 16
                    count += 1
                if self.held[0] == me + 1 or self.held[1] == me + 1:
                    out[count] = CARD << 16
                    count += 1
                return count
            if phase == SETTLE:
                return self.raising(out, count, me)
            if phase == ANSWER:
                out[0], out[1] = REFUSE << 16, ACCEPT << 16
                return 2
            return 0

        @called
        def can_sell(self, at):
            """Even selling: from the most built street of the set; a hotel needs four houses in the bank to be broken down."""
            level = self.level[at]
            if level <= 0 or (level == HOTEL and self.houses < 4):
                return False
            group = GROUP[at]
            for k in range(GROUP_SIZE[group]):
                if self.level[MEMBERS[group, k]] > level:
                    return False
            return True

        def can_mortgage(self, at):
            return self.level[at] == 0 and not self.is_built(GROUP[at])

        @called
        def can_build(self, seat, at):
            """Even building, on a whole set without mortgages, as long as the bank has houses."""
            level, group = i64(self.level[at]), GROUP[at]
            if group >= STATIONS or level >= HOTEL or self.cash[seat] < HOUSE[at] or not self.has_set(seat, group):
                return False
            if u64(self.mortgages) & GROUP_MASK[group] != u64(0):
                return False
            if (level == HOTEL - 1 and self.hotels == 0) or (level < HOTEL - 1 and self.houses == 0):
                return False
            for k in range(GROUP_SIZE[group]):
                if self.level[MEMBERS[group, k]] < level:
                    return False
            return True

        @called
        def raising(self, out, count, me):
            """Ways to get cash from the bank."""
            bits = u64(self.deeds[me]) & ~u64(self.mortgages)
            while bits != u64(0):
                at = i64(lowest(bits))
                bits &= bits - u64(1)
                if self.can_sell(at):
                    out[count] = SELL << 16 | at
                    count += 1
                elif self.level[at] == HOTEL:  # no houses to break it down into: all of the set goes
                    out[count] = SELL_SET << 16 | at
                    count += 1
                    bits &= ~GROUP_MASK[GROUP[at]]
                elif self.can_mortgage(at):
                    out[count] = MORTGAGE << 16 | at
                    count += 1
            return count

        def managing(self, out, me):
            count = 1
            if not self.spent:
                count = self.raising(out, count, me)
            bits = u64(self.deeds[me])
            while bits != u64(0):
                at = i64(lowest(bits))
                bits &= bits - u64(1)
                if self.level[at] == MORTGAGED:
                    if self.cash[me] >= (PRICE[at] // 2 * 11 + 9) // 10:
                        out[count] = REDEEM << 16 | at
                        count += 1
                elif self.can_build(me, at):
                    out[count] = BUILD << 16 | at
                    count += 1
            if self.made < most_offers:
                count = self.offering(out, count, me)
            return count

        # -------------------------------------------- play
        def play(self, action):
            kind, detail = i64(action) >> 16, i64(action) & 0xFFFF
            me = i64(self.mover)
            if kind == DICE:
                self.thrown(detail >> 3, detail & 7)
            elif kind == DRAWN:
                self.drawn(detail)
            elif kind == DONE:
                self.phase = ENDED
            elif kind == BUY:
                at = PROPERTY_AT[self.place[me]]
                self.cash[me] -= PRICE[at]
                self.assign(at, me + 1)
                self.phase = AFTER
            elif kind == DECLINE:
                self.phase = AFTER
                if has_auctions:
                    self.lots = u32(1) << u32(PROPERTY_AT[self.place[me]])
            elif kind in (PASS, BID):
                self.bidding(kind, detail)
            elif kind == TRY:
                self.phase = ROLL
            elif kind == PAY:
                self.to_bank(me, BAIL)
                self.jailed[me] = 0
                self.phase = ROLL
            elif kind == CARD:
                self.held[0 if self.held[0] == me + 1 else 1] = 0
                self.jailed[me] = 0
                self.phase = ROLL
            elif kind == OFFER:
                self.offer = detail
                self.made += 1
                self.mover = detail >> 13
                self.phase = ANSWER
            elif kind in (ACCEPT, REFUSE):
                if kind == ACCEPT:
                    self.trade(i64(self.turn), me)
                self.offer = 0
                self.mover = self.turn
                self.phase = MANAGE
            else:
                self.deal_with_bank(me, kind, detail)
            phase = i64(self.phase)
            if phase in (AFTER, ENDED, SETTLE):
                self.proceed()

        @called
        def deal_with_bank(self, me, kind, at):
            """Build, sell, mortgage, redeem."""
            if kind == BUILD:
                self.cash[me] -= HOUSE[at]
                self.set_level(at, i64(self.level[at]) + 1)
                self.spent = 1
            elif kind == SELL:
                self.cash[me] += HOUSE[at] // 2
                self.set_level(at, i64(self.level[at]) - 1)
            elif kind == SELL_SET:
                for k in range(GROUP_SIZE[GROUP[at]]):
                    other = MEMBERS[GROUP[at], k]
                    self.cash[me] += i64(self.level[other]) * HOUSE[at] // 2
                    self.set_level(other, i64(0))
            elif kind == MORTGAGE:
                self.cash[me] += PRICE[at] // 2
                self.set_level(at, i64(MORTGAGED))
            else:
                self.cash[me] -= (PRICE[at] // 2 * 11 + 9) // 10
                self.set_level(at, i64(0))
                self.spent = 1

        @called
        def set_level(self, at, level):
            """Change the houses on a street, from and to the bank; -1 is a mortgage."""
            before = i64(self.level[at])
            self.houses += (before if 0 < before < HOTEL else 0) - (level if 0 < level < HOTEL else 0)
            self.hotels += (1 if before == HOTEL else 0) - (1 if level == HOTEL else 0)
            bit = u32(1) << u32(at)
            self.mortgages &= ~bit
            self.built &= ~bit
            if level > 0:
                self.built |= bit
            elif level < 0:
                self.mortgages |= bit
            self.level[at] = level

        # -------------------------------------------- moving
        @called
        def thrown(self, high, low):
            """What a throw of the dice does."""
            me = i64(self.turn)
            if self.phase == UTILITY_ROLL:
                self.phase = AFTER
                self.owe(me, 10 * (high + low), i64(self.owner[PROPERTY_AT[self.place[me]]]))
                return
            self.high, self.low = high, low
            self.phase = AFTER
            tries = i64(self.jailed[me])
            if tries == 0 or (door_again and high == low):
                self.jailed[me] = 0
                self.again = 0
                if high == low:
                    self.doubles += 1
                    if self.doubles == 3:
                        self.to_jail(me)
                        return
                    self.again = 1
            elif high == low:
                self.jailed[me] = 0  # out, but without another throw
            elif tries < 3:
                self.jailed[me] = tries + 1
                return
            else:
                self.jailed[me] = 0
                if self.cash[me] < BAIL:
                    self.pending = high + low
                    self.owe(me, i64(BAIL), i64(0))
                    return
                self.to_bank(me, BAIL)
            self.go_to(me, (i64(self.place[me]) + high + low) % 40)
            self.land(me, i64(1))

        def to_jail(self, me):
            self.place[me] = JAIL
            self.jailed[me] = 1
            self.again = 0

        def go_to(self, me, space):
            """Move on, past the start for the salary."""
            if space < self.place[me]:
                self.cash[me] += 2 * SALARY if doubles_start and space == START else SALARY
            self.place[me] = space

        @called
        def land(self, me, factor):
            """What happens on the space that the token has come to; a card may say so many times the rent (10: by a new throw)."""
            space = i64(self.place[me])
            kind = SPACE_KIND[space]
            if kind == FOR_SALE:
                at = PROPERTY_AT[space]
                seat = i64(self.owner[at]) - 1
                if seat < 0:
                    self.phase = BUYING
                    self.mover = me
                elif seat != me and self.level[at] != MORTGAGED and (jail_collects or self.jailed[seat] == 0):
                    if factor == 10:
                        self.phase = UTILITY_ROLL
                    else:
                        self.owe(me, factor * self.rent(at, i64(self.high) + i64(self.low)), seat + 1)
            elif kind in (FORTUNE, TOWN):
                self.phase = DRAWING
            elif kind == TAX:
                self.owe(me, TAXES[space], i64(0))
            elif kind == JAILER:
                self.to_jail(me)
            elif has_pot and space == REST:
                self.cash[me] += self.pot
                self.pot = 0

        @called
        def drawn(self, card):
            """What a card does; an empty deck is shuffled again, without the card that somebody keeps."""
            me = i64(self.turn)
            is_town = card >= 16
            deck = i64(self.town) if is_town else i64(self.fortune)
            deck &= ~(i64(1) << (card % 16))
            side = 1 if is_town else 0
            kind, amount = CARD_KIND[card], CARD_NUMBER[card]
            if kind == OUT_OF_JAIL:
                self.held[side] = me + 1
            if deck == 0:
                deck = i64(FULL_DECK)
                if self.held[side] > 0:
                    deck &= ~(i64(1) << OUT_BIT[side])
            if is_town:
                self.town = deck
            else:
                self.fortune = deck
            self.phase = AFTER
            if kind == MOVE_TO:
                self.go_to(me, amount)
                self.land(me, i64(1))
            elif kind == BACK:
                self.place[me] -= amount
                self.land(me, i64(1))
            elif kind in (NEAREST_STATION, NEAREST_UTILITY):
                group = STATIONS if kind == NEAREST_STATION else UTILITIES
                near = i64(0)
                least = i64(40)
                for k in range(GROUP_SIZE[group]):
                    ahead = (SPACE_OF[MEMBERS[group, k]] - i64(self.place[me]) + 40) % 40
                    if ahead < least:
                        least = ahead
                        near = SPACE_OF[MEMBERS[group, k]]
                self.go_to(me, near)
                self.land(me, i64(2 if kind == NEAREST_STATION else 10))
            elif kind == GO_TO_JAIL:
                self.to_jail(me)
            elif kind == MONEY:
                if amount >= 0:
                    self.cash[me] += amount
                else:
                    self.owe(me, -amount, i64(0))
            elif kind == REPAIRS:
                bill = i64(0)
                for at in range(PROPERTIES):
                    if self.owner[at] == me + 1 and self.level[at] > 0:
                        bill += CARD_SECOND[card] if self.level[at] == HOTEL else amount * i64(self.level[at])
                self.owe(me, bill, i64(0))
            elif kind == FROM_EACH:
                if amount > 0:
                    for other in range(number):
                        if other != me and self.lives(other):
                            self.owe(other, amount, me + 1)
                else:
                    self.owe(me, -amount * (self.count_living() - 1), i64(EVERYONE))

        def count_living(self):
            left = 0
            for seat in range(number):
                if self.lives(seat):
                    left += 1
            return left

        # -------------------------------------------- debts
        def to_bank(self, me, amount):
            self.cash[me] -= amount
            if has_pot:
                self.pot += amount

        @called
        def owe(self, me, amount, creditor):
            """Pay at once from cash, else remember the debt."""
            if self.cash[me] < amount:
                self.owed[me] += amount
                self.creditor[me] = creditor
            elif creditor == 0:
                self.to_bank(me, amount)
            else:
                self.cash[me] -= amount
                self.receive(me, amount, creditor)

        def receive(self, payer, amount, creditor):
            """Give what was paid to one of the others or share it among all."""
            if creditor == EVERYONE:
                share = amount // max(self.count_living() - 1, 1)
                for other in range(number):
                    if other != payer and self.lives(other):
                        self.cash[other] += share
            elif creditor > 0:
                self.cash[creditor - 1] += amount

        @called
        def bankrupt(self, me):
            """Leave the game: everything goes to the creditor; what goes to the bank is auctioned."""
            creditor = i64(self.creditor[me])
            to_one = creditor > 0 and creditor != EVERYONE
            fees = i64(0)
            for at in range(PROPERTIES):
                if self.owner[at] == me + 1 and self.level[at] > 0:
                    self.cash[me] += i64(self.level[at]) * HOUSE[at] // 2
                    self.set_level(at, i64(0))
            self.alive &= ~(u8(1) << u8(me))
            left = self.count_living()
            for at in range(PROPERTIES):
                if self.owner[at] == me + 1:
                    if to_one:
                        self.assign(at, creditor)
                        fees += self.interest(at)
                    else:
                        self.assign(at, i64(0))
                        self.set_level(at, i64(0))
                        if has_auctions and left > 1:
                            self.lots |= u32(1) << u32(at)
            for card in range(2):
                if self.held[card] == me + 1:
                    self.held[card] = creditor if to_one else 0
            cash = i64(self.cash[me])
            self.cash[me] = 0
            self.owed[me] = 0
            self.creditor[me] = 0
            self.jailed[me] = 0
            self.place[me] = 0
            if creditor == EVERYONE:
                for other in range(number):
                    if self.lives(other):
                        self.cash[other] += cash // left
            elif to_one:
                self.cash[creditor - 1] += cash
                self.owe(creditor - 1, fees, i64(0))
            elif has_pot:
                self.pot += cash
            if me == self.turn:
                self.again = 0
                self.pending = 0

        # -------------------------------------------- auctions
        def bidding(self, kind, step):
            me = i64(self.mover)
            if kind == PASS:
                self.bidders &= ~(u8(1) << u8(me))
            else:
                self.bid += RAISE[step]
                self.bidder = me + 1
            self.ask_next(me)

        @called
        def ask_next(self, me):
            """The next who can and may bid more; without one the lot is sold, or stays with the bank."""
            for step in range(1, number + 1):
                seat = (me + step) % number
                if i64(self.bidders) >> seat & 1:
                    if self.bidder == seat + 1:
                        break  # all others have passed
                    if self.cash[seat] >= self.bid + RAISE[0]:
                        self.mover = seat
                        self.phase = AUCTION
                        return
                    self.bidders &= ~(u8(1) << u8(seat))
            at = lowest(u64(self.lots))
            self.lots &= self.lots - u32(1)
            if self.bidder > 0:
                self.assign(at, i64(self.bidder))
                self.cash[i64(self.bidder) - 1] -= self.bid
            self.bid = 0
            self.bidder = 0
            self.bidders = 0
            self.phase = AFTER

        # -------------------------------------------- what comes next
        @called
        def proceed(self):
            """After something is done: debts, lots, the way to go after bail, another throw, managing, the next turn."""
            ended = self.phase == ENDED
            self.phase = AFTER
            while True:
                debts = i64(0)
                for seat in range(number):
                    debts |= self.owed[seat]
                seat = 0 if debts > 0 else number
                while seat < number:
                    if self.owed[seat] > 0:
                        debt, creditor = i64(self.owed[seat]), i64(self.creditor[seat])
                        if self.cash[seat] >= debt:
                            self.owed[seat] = 0
                            self.creditor[seat] = 0
                            self.owe(seat, debt, creditor)
                        elif self.raisable(seat) < debt:
                            self.bankrupt(seat)
                            seat = -1  # whoever inherits may owe interest now
                        else:
                            self.mover = seat
                            self.phase = SETTLE
                            return
                    seat += 1
                if self.alive & (self.alive - u8(1)) == 0:
                    self.over()
                    return
                me = i64(self.turn)
                if self.lots != 0:
                    self.bidders = self.alive
                    self.ask_next(me)
                    if self.phase == AUCTION:
                        return
                    continue
                if self.lives(me):
                    if self.pending > 0:
                        steps = i64(self.pending)
                        self.pending = 0
                        self.go_to(me, (i64(self.place[me]) + steps) % 40)
                        self.land(me, i64(1))
                        if self.phase != AFTER:
                            return
                        continue
                    if self.again:
                        self.again = 0
                        self.mover = self.turn
                        self.phase = ROLL
                        return
                    if not ended:
                        self.mover = self.turn
                        self.phase = MANAGE
                        return
                break
            if self.turns >= last_turn:
                self.over()
                return
            self.turns += 1
            me = (i64(self.turn) + 1) % number
            while not self.lives(me):
                me = (me + 1) % number
            self.turn = me
            self.mover = me
            self.doubles = 0
            self.spent = 0
            self.made = 0
            self.phase = JAILED if self.jailed[me] > 0 else ROLL

        def over(self):
            self.phase = OVER
            self.mover = self.turn
            self.lots = 0

        # -------------------------------------------- notation and picture
        def text(self):
            return notation.text(self, number, last_turn)

        def parse(self, text):
            notation.parse(self, text, number, last_turn)

        def valid(self):
            return notation.problem(self, number, last_turn, all_houses, most_offers)

        def action_text(self, action):
            return notation.action_text(int(action))

        def task(self):
            return {
                MANAGE: "Build, sell, trade, mortgage, or end your turn.", BUYING: "Buy it, or leave it to the others.",
                AUCTION: "Bid, or pass.", JAILED: "Jail: throw for doubles, pay, or use a card.",
                SETTLE: "Raise money for your debt.", ANSWER: "An offer: accept it, or refuse.",
            }.get(int(self.phase), "")

        def standing(self, seat):
            return f"{int(self.cash[seat])} in cash, worth {int(self.net_worth(seat))}" if self.lives(seat) else "bankrupt"

        def ending_text(self):
            left = sum(bool(self.lives(seat)) for seat in range(number))
            return "all others are bankrupt" if left == 1 else f"after {last_turn} turns, by net worth"

        def picture(self):
            return notation.picture(self, number, last_turn)

    return Monopoly
