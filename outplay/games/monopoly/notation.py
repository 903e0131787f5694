"""Monopoly in text and picture: positions, actions, the board.

A position reads: who has what and stands where (`A1400@6`, in jail before the second try `B50@10j2`, bankrupt `Cout`); the deeds,
by space, owner and houses (`6A`, `8A3`, `12Bm` for a mortgaged one); cards that open the jail (`fA`, `tB`); turn and last turn;
whose turn it is; what is to be done; the last throw; the cards left in both decks as bits; then what is rarer, as `name=value`.
"""

import re

from outplay.games.monopoly.board import (
    BAIL,
    FORTUNE,
    GROUP,
    GROUPS,
    HOTEL,
    JAIL,
    MEMBERS,
    MORTGAGED,
    MOST_HOTELS,
    NAMES,
    OUT_CARD,
    PRICE,
    PROPERTIES,
    PROPERTY_AT,
    SPACE_KIND,
    SPACE_OF,
    STATIONS,
    TAXED,
    TOWN,
    UTILITIES,
)  # fmt: skip
from outplay.picture import Cell, Hand, Space, Track

# What happens next. AFTER and ENDED are passed through within one action.
ROLL, JAILED, DRAWING, UTILITY_ROLL, BUYING, AUCTION, SETTLE, MANAGE, ANSWER, OVER, AFTER, ENDED = range(12)
PHASES = ("rolls", "jailed", "draws", "throws", "buys", "bids", "owes", "manages", "answers", "over")
# Kinds of actions: kind << 16 | detail.
(DONE, BUY, DECLINE, PASS, BID, TRY, PAY, CARD, BUILD, SELL, SELL_SET, MORTGAGE, REDEEM, OFFER, ACCEPT, REFUSE, DICE, DRAWN) = (
    range(18)
)
WORDS = {DONE: "done", BUY: "buy", DECLINE: "decline", PASS: "pass", TRY: "try", PAY: "pay", CARD: "use-card", ACCEPT: "accept",
         REFUSE: "refuse"}  # fmt: skip
ON_DEEDS = {BUILD: "build", SELL: "sell", SELL_SET: "sell-all", MORTGAGE: "mortgage", REDEEM: "redeem"}
RAISES = (10, 50, 100)
SWAPS = (0, 100, 300, -100, -300)
FIRST_CARD, NOTHING = 28, 31  # in an offer: cards after the deeds
EVERYONE = 100
SEATS = "ABCDEFGH"
COLOURS = ("blue", "orange", "green", "purple", "teal", "rose", "red", "yellow")
MOST_CASH = 10_000_000
LEVEL_NOTES = {MORTGAGED: "m", 0: "", 1: "1", 2: "2", 3: "3", 4: "4", HOTEL: "H"}


def thing_text(thing):
    """A deed by its space, a card by its deck, nothing as a dash."""
    return "-" if thing == NOTHING else "ft"[thing - FIRST_CARD] if thing >= FIRST_CARD else str(SPACE_OF[thing])


def thing_of(text):
    """The deed, card or nothing that a text means."""
    if text in ("f", "t"):
        return FIRST_CARD + "ft".index(text)
    return NOTHING if text == "-" else deed_of(text)


def deed_of(text):
    """The deed on a space."""
    at = int(PROPERTY_AT[int(text)]) if re.fullmatch(r"\d|[1-3]\d", text) else -1
    if at < 0 or str(int(text)) != text:
        raise ValueError(f"expected a space that is for sale, from 1 to 39, got {text!r}")
    return at


def offer_text(detail):
    """An offer: to whom, what is given, what is wanted, and the cash added (or asked for)."""
    other, give, take, code = detail >> 13, detail >> 8 & 31, detail >> 3 & 31, detail & 7
    if give != NOTHING and take != NOTHING:
        cash = SWAPS[code]
    else:
        thing = take if give == NOTHING else give
        cash = code * (int(PRICE[thing]) if thing < PROPERTIES else BAIL) * (1 if give == NOTHING else -1)
    return f"{SEATS[other]}:{thing_text(give)}:{thing_text(take)}:{cash:+d}"


def offer_of(text):
    """The offer that a text means."""
    found = re.fullmatch(r"([A-H]):([^:]+):([^:]+):([+-]\d+)", text)
    if not found:
        raise ValueError(f"expected an offer such as B:6:11:+100, got {text!r}")
    give, take = thing_of(found[2]), thing_of(found[3])
    for code in range(len(SWAPS)):
        detail = SEATS.index(found[1]) << 13 | give << 8 | take << 3 | code
        if (give, take) != (NOTHING, NOTHING) and (code <= 3 or NOTHING not in (give, take)) and offer_text(detail) == text:
            return detail
    raise ValueError(f"no offer adds {found[4]} there, got {text!r}")


def action_text(action):
    """An action, or an outcome of chance, as one word."""
    kind, detail = action >> 16, action & 0xFFFF
    if kind in WORDS:
        return WORDS[kind]
    if kind in ON_DEEDS:
        return f"{ON_DEEDS[kind]}:{SPACE_OF[detail] if detail < PROPERTIES else detail}"
    if kind == BID:
        return f"bid+{RAISES[detail] if detail < len(RAISES) else detail}"
    if kind == OFFER:
        return "offer:" + offer_text(detail)
    if kind == DICE:
        return f"x{detail >> 3}{detail & 7}"
    return f"{'ft'[detail >> 4 & 1]}{detail & 15}"


def text(state, number, last_turn):
    """The position as one line."""
    people, deeds, more = [], [], []
    for seat in range(number):
        jail = f"j{state.jailed[seat]}" if state.jailed[seat] else ""
        people.append(SEATS[seat] + (f"{state.cash[seat]}@{state.place[seat]}{jail}" if state.lives(seat) else "out"))
        if state.owed[seat]:
            creditor = int(state.creditor[seat])
            whom = "bank" if creditor == 0 else "all" if creditor == EVERYONE else SEATS[creditor - 1]
            more.append(f"debt={SEATS[seat]}{state.owed[seat]}>{whom}")
    for at in range(PROPERTIES):
        if state.owner[at]:
            level = int(state.level[at])
            deeds.append(f"{SPACE_OF[at]}{SEATS[state.owner[at] - 1]}{'m' if level == MORTGAGED else level or ''}")
    held = [f"{'ft'[card]}{SEATS[state.held[card] - 1]}" for card in range(2) if state.held[card]]
    if state.mover != state.turn:
        more.append(f"mover={SEATS[state.mover]}")
    more += [f"{name}={getattr(state, name)}" for name in NUMBERS if getattr(state, name)]
    if state.lots:
        more.append("lots=" + ".".join(str(SPACE_OF[at]) for at in range(PROPERTIES) if int(state.lots) >> at & 1))
    if state.bidder:
        more.append(f"bidder={SEATS[state.bidder - 1]}")
    if state.bidders:
        more.append("bidders=" + "".join(SEATS[seat] for seat in range(number) if int(state.bidders) >> seat & 1))
    if state.phase == ANSWER:
        more.append("offer=" + offer_text(int(state.offer)))
    parts = [",".join(people), ",".join(deeds) or "-", *([",".join(held)] if held else ["-"]), f"{state.turns}/{last_turn}",
             SEATS[state.turn], PHASES[state.phase], f"{state.high}{state.low}", f"{state.fortune:04x}/{state.town:04x}",
             *more]  # fmt: skip
    return " ".join(parts)


NUMBERS = {"doubles": 3, "again": 1, "pending": 12, "spent": 1, "made": 3, "bid": MOST_CASH, "pot": MOST_CASH}
"""The plain fields among what is rarer, with their greatest values."""


def whole(written, most, what):
    """A whole number from 0 to the most, written without leading zeros."""
    if not re.fullmatch(r"0|[1-9]\d{0,8}", written) or int(written) > most:
        raise ValueError(f"expected {what} from 0 to {most}, got {written!r}")
    return int(written)


def seat_of(letter, number):
    """The seat of a letter."""
    if len(letter) != 1 or letter not in SEATS[:number]:
        raise ValueError(f"expected a player from A to {SEATS[number - 1]}, got {letter!r}")
    return SEATS.index(letter)


def parse(state, text, number, last_turn):
    """Fill an empty state from such a line."""
    parts = text.split(" ")
    people = parts[0].split(",")
    if len(parts) < 8 or len(people) != number:
        raise ValueError(
            f"expected {number} players, deeds, cards, turn, whose turn, what to do, dice and decks, such as "
            f"'{','.join(letter + '1500@0' for letter in SEATS[:number])} - - 1/{last_turn} A rolls 00 ffff/ffff'"
        )
    for seat, written in enumerate(people):
        if written == SEATS[seat] + "out":
            continue
        found = re.fullmatch(SEATS[seat] + r"(\d+)@(\d+)(j[123])?", written)
        if not found:
            raise ValueError(f"expected cash and place of {SEATS[seat]} such as {SEATS[seat]}1500@0, got {written!r}")
        state.alive |= 1 << seat
        state.cash[seat], state.place[seat] = whole(found[1], MOST_CASH, "cash"), whole(found[2], 39, "a space")
        state.jailed[seat] = int(found[3][1]) if found[3] else 0
    for written in parts[1].split(",") if parts[1] != "-" else ():
        found = re.fullmatch(r"(\d+)([A-H])([1-5m]?)", written)
        if not found:
            raise ValueError(f"expected a deed such as 6A, 6A3 or 6Am, got {written!r}")
        at = deed_of(found[1])
        state.owner[at] = seat_of(found[2], number) + 1
        state.level[at] = MORTGAGED if found[3] == "m" else int(found[3] or 0)
    for written in parts[2].split(",") if parts[2] != "-" else ():
        if len(written) != 2 or written[0] not in "ft":
            raise ValueError(f"expected a card such as fA or tB, got {written!r}")
        state.held["ft".index(written[0])] = seat_of(written[1], number) + 1
    begun, _, of = parts[3].partition("/")
    if of != str(last_turn):
        raise ValueError(f"expected a turn out of {last_turn}, such as 1/{last_turn}, got {parts[3]!r}")
    state.turns = whole(begun, last_turn, "a turn")
    state.turn = state.mover = seat_of(parts[4], number)
    if parts[5] not in PHASES:
        raise ValueError(f"expected one of {', '.join(PHASES)}, got {parts[5]!r}")
    state.phase = PHASES.index(parts[5])
    if not re.fullmatch(r"00|[1-6][1-6]", parts[6]):
        raise ValueError(f"expected the last throw such as 51, or 00, got {parts[6]!r}")
    state.high, state.low = int(parts[6][0]), int(parts[6][1])
    if not re.fullmatch(r"[0-9a-f]{4}/[0-9a-f]{4}", parts[7]):
        raise ValueError(f"expected the cards left in both decks such as ffff/ffff, got {parts[7]!r}")
    state.fortune, state.town = int(parts[7][:4], 16), int(parts[7][5:], 16)
    for written in parts[8:]:
        name, _, value = written.partition("=")
        if name in NUMBERS:
            setattr(state, name, whole(value, NUMBERS[name], name))
        elif name == "mover":
            state.mover = seat_of(value, number)
        elif name == "lots":
            for space in value.split("."):
                state.lots |= 1 << deed_of(space)
        elif name == "bidder":
            state.bidder = seat_of(value, number) + 1
        elif name == "bidders":
            for letter in value:
                state.bidders |= 1 << seat_of(letter, number)
        elif name == "offer":
            state.offer = offer_of(value)
        elif name == "debt":
            debtor, _, whom = value.partition(">")
            seat = seat_of(debtor[:1], number)
            state.owed[seat] = whole(debtor[1:], MOST_CASH, "a debt")
            state.creditor[seat] = 0 if whom == "bank" else EVERYONE if whom == "all" else seat_of(whom, number) + 1
        else:
            raise ValueError(f"expected one of debt, mover, {', '.join(NUMBERS)}, lots, bidder, bidders, offer, got {written!r}")
    levels = [int(level) for level in state.level]
    state.hotels = MOST_HOTELS - levels.count(HOTEL)
    state.houses = sum(level for level in levels if 0 < level < HOTEL)  # `problem` turns it into those left


def problem(state, number, last_turn, all_houses, most_offers):
    """Why a position that was read cannot arise, or None."""
    used = int(state.houses)
    if used > all_houses or state.hotels < 0:
        return f"there are only {all_houses} houses and {MOST_HOTELS} hotels"
    state.houses = all_houses - used
    alive = [seat for seat in range(number) if state.lives(seat)]
    turn, mover, phase = int(state.turn), int(state.mover), int(state.phase)
    if not alive or (len(alive) == 1) > (phase == OVER) or not state.turns:
        return "the game goes on while two are left, from the first turn"
    if phase == OVER and len(alive) > 1 and state.turns != last_turn:
        return f"the game is over when one is left or after turn {last_turn}"
    if any(
        not state.lives(seat) and (state.owed[seat] or seat + 1 in (*state.owner.tolist(), *state.held.tolist()))
        for seat in range(number)
    ):
        return "a bankrupt player has nothing"
    if any(state.jailed[seat] and state.place[seat] != JAIL for seat in range(number)):
        return "who sits in jail stands on space 10"
    for group, members in enumerate(MEMBERS.tolist()):
        levels = [int(state.level[at]) for at in members if at >= 0]
        owners = {int(state.owner[at]) for at in members if at >= 0}
        if max(levels) > 0 and (group >= STATIONS or len(owners) > 1 or min(levels) < 0 or max(levels) - min(levels) > 1):
            return f"houses stand evenly on a whole set without mortgages ({GROUPS[group]})"
    for card, deck in enumerate((int(state.fortune), int(state.town))):
        if deck == 0 or (state.held[card] and deck >> OUT_CARD[card] & 1):
            return "a deck is never empty, and a card that somebody keeps is not in it"
    if phase != OVER and (not state.lives(mover) or (not state.lives(turn) and phase not in (AUCTION, SETTLE))):
        return "a bankrupt player is not to move"
    if mover != turn and phase not in (AUCTION, SETTLE, ANSWER):
        return "only the player whose turn it is can do that now"
    here = int(state.place[turn])
    deed = int(PROPERTY_AT[here])
    owner = int(state.owner[deed]) if deed >= 0 else -1
    if phase == BUYING and owner != 0:
        return f"{NAMES[here]} is not for sale"
    if phase == DRAWING and SPACE_KIND[here] not in (FORTUNE, TOWN):
        return "cards are drawn on their spaces"
    if phase == UTILITY_ROLL and (owner in (-1, 0, turn + 1) or GROUP[deed] != UTILITIES):
        return "one throws for the rent of another's utility"
    if phase == JAILED and not state.jailed[turn]:
        return f"{SEATS[turn]} is not in jail"
    if phase not in (ROLL, OVER) and not state.high:
        return "the dice were thrown before that"
    if phase == SETTLE:
        if not int(state.cash[mover]) < int(state.owed[mover]) <= state.raisable(mover):
            return f"{SEATS[mover]} has no debt that it can raise the cash for"
        if any(int(state.cash[seat]) >= state.owed[seat] > 0 or state.raisable(seat) < state.owed[seat] for seat in range(mover)):
            return "debts are settled in the order of the seats"
        if any(
            state.owed[seat]
            and state.creditor[seat] not in (0, EVERYONE)
            and (not state.lives(int(state.creditor[seat]) - 1) or state.creditor[seat] == seat + 1)
            for seat in range(number)
        ):
            return "a debt is owed to another player or to the bank"
    elif any(state.owed[seat] for seat in range(number)) or state.pending:
        return "debts come before anything else"
    if any(state.creditor[seat] and not state.owed[seat] for seat in range(number)):
        return "nobody owes nothing"
    if state.pending and (state.pending < 2 or mover != turn or not state.lives(turn)):
        return "who pays the bail goes on by the dice"
    if any(int(state.lots) >> at & 1 and state.owner[at] for at in range(PROPERTIES)) or (
        state.lots and phase not in (AUCTION, SETTLE)
    ):
        return "what is auctioned belongs to the bank"
    if phase == AUCTION:
        if (
            not state.lots
            or not int(state.bidders) >> mover & 1
            or state.bidder == mover + 1
            or bool(state.bid) != bool(state.bidder)
        ):
            return "a lot is auctioned among those who have not passed"
        if (
            any(int(state.bidders) >> seat & 1 and not state.lives(seat) for seat in range(8))
            or state.cash[mover] < state.bid + RAISES[0]
        ):
            return "bidders are in the game and can pay"
        if state.bidder and not (int(state.bidders) >> int(state.bidder) - 1 & 1 and state.cash[state.bidder - 1] >= state.bid):
            return "the highest bidder can pay"
    elif state.bid or state.bidder or state.bidders:
        return "there is no auction"
    if state.made > most_offers:
        return f"there are {most_offers} offers a turn at the most"
    if phase == ANSWER:
        give, take = int(state.offer) >> 8 & 31, int(state.offer) >> 3 & 31
        pays = state.offered_cash(give, take, int(state.offer) & 7)
        fits = mover == int(state.offer) >> 13 != turn and state.made
        for thing, holder in ((give, turn), (take, mover)):
            if thing < PROPERTIES:
                fits = fits and state.owner[thing] == holder + 1 and not state.is_built(GROUP[thing])
            elif thing != NOTHING:
                fits = fits and state.held[thing - FIRST_CARD] == holder + 1
        if not fits or state.cash[turn] - pays - state.interest(take) < 0 or state.cash[mover] + pays - state.interest(give) < 0:
            return "both must have what they trade"
    elif state.offer:
        return "no offer is to be answered"
    return None


def picture(state, number, last_turn):
    """The board with tokens, deeds and houses."""
    phase, mover = int(state.phase), int(state.mover)
    spaces = []
    for space, name in enumerate(NAMES):
        at = int(PROPERTY_AT[space])
        if at < 0:
            spaces.append(Space(name, note=f"pay {TAXED[space]}" if space in TAXED else ""))
            continue
        level = int(state.level[at])
        group = {STATIONS: "grey", UTILITIES: "white"}.get(int(GROUP[at]), GROUPS[GROUP[at]])
        owner, note = int(state.owner[at]) - 1, "mortgaged" if level == MORTGAGED else str(PRICE[at])
        spaces.append(Space(name, group, note, owner if owner >= 0 else None, max(level, 0)))
    words = [f"turn {state.turns} of {last_turn}"]
    if phase == AUCTION:
        lot = next(at for at in range(PROPERTIES) if int(state.lots) >> at & 1)
        words.append(
            f"{NAMES[SPACE_OF[lot]]} goes to {f'{SEATS[state.bidder - 1]} for {state.bid}' if state.bidder else 'the highest bid'}"
        )
    elif phase == ANSWER:
        words += offer_words(state)
    elif phase == SETTLE:
        words.append(f"{SEATS[mover]} owes {state.owed[mover]}")
    elif phase == OVER:
        words.append("the game is over")
    if phase == BUYING:
        here = int(state.place[mover])
        words.append(f"{SEATS[mover]} may buy {NAMES[here]} for {PRICE[PROPERTY_AT[here]]}")
    elif phase == MANAGE:
        words.append(f"{SEATS[mover]} may build, sell, mortgage or trade, or end the turn")
    elif phase != OVER:
        words.append(f"{SEATS[mover]} {PHASES[phase]}")
    hands = []
    for seat in range(number):
        cards = sum(int(holder) == seat + 1 for holder in state.held)
        jail = " · in jail" if state.jailed[seat] else ""
        note = f"cash {state.cash[seat]} · worth {state.net_worth(seat)}{jail}{f' · {cards} card' if cards else ''}"
        things = tuple(Cell(str(SPACE_OF[at]), "tile", note=LEVEL_NOTES[int(state.level[at])])
                       for at in range(PROPERTIES) if state.owner[at] == seat + 1)  # fmt: skip
        note = note if state.lives(seat) else "bankrupt"
        hands.append(Hand(SEATS[seat], things, owner=seat, note=note, mark=seat == mover and phase != OVER))
    touches, signs = {}, {}
    signs_of = {BUILD: "+", SELL: "-", SELL_SET: "--", MORTGAGE: "m", REDEEM: "r"}
    for action in listed(state):
        kind, detail = action >> 16, action & 0xFFFF
        touches[action] = ()
        if kind in ON_DEEDS:
            touches[action] = (int(SPACE_OF[detail]),)
            signs[action] = Cell(signs_of[kind])
        elif kind == OFFER:
            give, take = detail >> 8 & 31, detail >> 3 & 31
            touches[action] = tuple(int(SPACE_OF[thing]) for thing in (give, take) if thing < PROPERTIES)
            signs[action] = Cell(offer_text(detail).rpartition(":")[2])
        elif kind == BUY:
            touches[action] = (int(state.place[mover]),)
    return Track(
        spaces=tuple(spaces),
        tokens=tuple(int(state.place[seat]) if state.lives(seat) else None for seat in range(number)),
        dice=(int(state.high), int(state.low)) if state.high else (),
        words=tuple(words),
        hands=tuple(hands),
        touches=touches,
        offers=signs,
        colours=COLOURS[:number],
    )


def listed(state):
    """The actions of whoever is to move."""
    if state.player() < 0:
        return []
    out = [0] * 512
    return [int(action) for action in out[: state.actions(out)]]


def offer_words(state):
    """An offer in words, a line each way."""
    to, give, take, cash = offer_text(int(state.offer)).split(":")
    amount = int(cash)

    def words(thing, added):
        name = NAMES[int(thing)] if thing.isdecimal() else "" if thing == "-" else "a card that opens the jail"
        return " and ".join(part for part in (name, f"cash {added}" if added > 0 else "") if part) or "nothing"

    return [f"{SEATS[state.turn]} offers {to} {words(give, amount)}", f"for {words(take, -amount)}"]
