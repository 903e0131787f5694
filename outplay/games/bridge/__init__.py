"""Contract bridge (Harold Vanderbilt, 1925): the deal, the auction, the play, duplicate scores.

>>> from outplay.game import load
>>> board = "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"
>>> auction = load("bridge").position(board).play("pass pass pass 1S pass 2S pass pass pass")
>>> len(auction.actions()), auction.game.seat_name(auction.player())   # any of thirteen cards may be led
(13, 'North')
>>> auction.play("CT").observe(3).text()          # West, declarer, sees dummy's cards and the own ones
'N:- 873.J97.AT764.Q4 - AT942.AQ4.32.KJ3 | pass pass pass 1S pass 2S pass pass pass | CT'

`phase=play` begins behind the auction (`contract=4S`, `declarer=S`), `open=yes` shows all cards, `ranks=4` plays with aces down to
jacks: as many tricks as ranks, of which the lower half is the book.
"""

from __future__ import annotations

from outplay.games.bridge import notation as write
from outplay.games.bridge import scoring
from outplay.jit import Array, below, i8, i16, i64, mix, popcount, u64
from outplay.picture import Cell, Hand, Table
from outplay.rules import CHANCE, game, uncompiled

PASS, DOUBLE, REDOUBLE, FIRST_BID = 52, 53, 54, 55
"""Calls as actions; cards are 0 (the club deuce) to 51 (the spade ace), the four suits of a rank in a row."""
DEALING, AUCTION, PLAY, OVER = range(4)
MOST_CALLS = 320
SUIT = 0x1FFF


def contract_in_words(text):
    """The contract that a text such as 4S, 3NTX or 1CXX means."""
    from outplay.errors import BadValue

    word = str(text).strip().upper().replace("♣", "C").replace("♦", "D").replace("♥", "H").replace("♠", "S")
    plain = word.rstrip("X")
    if plain[:1] not in tuple("1234567") or plain[1:] not in (*write.STRAINS, "N") or len(word) - len(plain) > 2:
        raise BadValue(f"contract must be such as 4S, 3NT or 2HX, got {text!r}")
    return plain[0] + write.STRAINS[write.strain(plain[1:])] + word[len(plain) :]


@game("bridge", phase=("all", "play"), contract=contract_in_words, declarer=("N", "E", "S", "W"), dealer=("N", "E", "S", "W"),
      vulnerable=scoring.VULNERABILITIES, ranks=range(1, 14), open=(False, True), count=("points", "tricks"))
def bridge(phase="all", contract="3NT", declarer="S", dealer="N", vulnerable="none", ranks=13, open=False, count="points"):
    """Two pairs bid for the number of tricks and the trumps, then play thirteen tricks.

    Goal: with the partner opposite, take the tricks that your side promised in the auction, or keep the others from theirs.
    Auction: in turn, pass or bid more than the last bid (1 to 7 stands for seven to thirteen tricks; clubs, diamonds, hearts,
      spades, no trumps rise in this order); a bid of the others' may be doubled; three passes end it.
    Play: follow suit if you can; the highest trump, or else the highest card of the suit led, wins the trick and leads to the
      next.
    Dummy: of the pair that won the auction, whoever named the trumps first plays for both; the partner's cards lie open from
      the first lead on.
    Score: tricks, games and slams made count as at duplicate; missing tricks cost, more so if doubled or vulnerable.

    `phase`: all: auction and play; play: only the play of the contract below.
    `contract`: The contract that is played where there is no auction, such as 3NT or 4SX.
    `declarer`: Who plays that contract: N, E, S or W.
    `dealer`: Who makes the first call.
    `vulnerable`: Whose made and missed games count more.
    `ranks`: Cards of each suit, the highest ones: fewer make a small game to study.
    `open`: Whether all hands lie open, as in double dummy.
    `count`: points: scores of duplicate bridge; tricks: only the tricks.
    """
    low = 13 - ranks
    deck = 4 * ranks
    book = ranks // 2
    bids = 5 * (ranks - book)
    plays_only = phase == "play"
    by_tricks = count == "tricks"
    first = "NESW".index(dealer)
    given_declarer = "NESW".index(declarer)
    given_bid = 5 * (int(contract[0]) - 1) + write.STRAINS.index(contract[1:].rstrip("X")) + 1
    given_doubled = len(contract) - len(contract.rstrip("X"))
    side_vulnerable = scoring.VULNERABILITIES.index(vulnerable)
    largest = float(ranks) if by_tricks else 7600.0
    scores = scoring.score_table(ranks, book)
    is_open = open

    class Bridge:
        """Two pairs bid for the number of tricks and the trumps, then play thirteen tricks."""

        players = 4
        sides = ((0, 2), (1, 3))
        seat_names = write.SEATS
        most_actions = 40
        policy_size = FIRST_BID + 35  # cards, pass, double, redouble, bids
        bounds = (-largest, largest)

        # -------------------------------------------- rules
        hands: Array[i64, 4]  # cards not yet played, sixteen bits a suit
        calls: Array[i8, MOST_CALLS]  # call - PASS + 1
        played: Array[i8, 52]  # card + 1
        firsts: Array[i8, 10]  # who of a side first named a strain, + 1
        won: Array[i8, 2]
        dealt: i8
        said: i16
        plays: i8
        passes: i8
        bid: i8  # level and strain, + 1
        doubled: i8
        declarer: i8
        leader: i8
        turn: i8
        stage: i8

        def start(self):
            self.turn = first

        def player(self):
            if self.stage == DEALING:
                return CHANCE
            if self.stage == PLAY and self.turn == (self.declarer + 2) % 4:
                return i64(self.declarer)  # plays dummy's cards, too
            return i64(self.turn)

        def is_terminal(self):
            return self.stage == OVER

        def draw(self, source):
            """Who gets the next card."""
            which = below(source, deck - self.dealt)
            for seat in range(4):
                room = ranks - popcount(self.hands[seat])
                if which < room:
                    return seat
                which -= room
            return 3

        def actions(self, out):
            if self.stage == AUCTION:
                return self.list_calls(out)
            if self.stage == PLAY:
                return self.list_cards(out)
            return 0

        def list_calls(self, out):
            out[0] = PASS
            count = 1
            theirs = self.bid > 0 and (self.declarer + self.turn) % 2 == 1
            if theirs and self.doubled == 0:
                out[count] = DOUBLE
                count += 1
            if self.bid > 0 and not theirs and self.doubled == 1:
                out[count] = REDOUBLE
                count += 1
            for higher in range(self.bid, bids):
                out[count] = FIRST_BID + higher
                count += 1
            return count

        def list_cards(self, out):
            held = i64(self.hands[self.turn])
            if self.plays % 4 != 0:
                lead = (i64(self.played[self.plays - self.plays % 4]) - 1) % 4
                follows = held & (i64(SUIT) << (16 * lead))
                if follows != 0:
                    held = follows
            count = 0
            for card in range(deck):
                suit, rank = card % 4, low + card // 4
                if (held >> (16 * suit + rank)) & 1:
                    out[count] = 4 * rank + suit
                    count += 1
            return count

        def play(self, action):
            if self.stage == DEALING:
                card = i64(self.dealt)
                self.hands[action] |= i64(1) << (16 * (card % 4) + low + card // 4)
                self.dealt += 1
                if self.dealt == deck:
                    self.begin()
            elif self.stage == AUCTION:
                self.call(action)
            else:
                self.put(action)

        def begin(self):
            """All cards are dealt."""
            self.stage = AUCTION
            if plays_only:
                self.stage = PLAY
                self.bid, self.doubled, self.declarer = given_bid, given_doubled, given_declarer
                self.leader = (given_declarer + 1) % 4
                self.turn = self.leader

        def call(self, action):
            self.calls[self.said] = action - PASS + 1
            self.said += 1
            if action == PASS:
                self.passes += 1
            else:
                self.passes = 0
                if action == DOUBLE:
                    self.doubled = 1
                elif action == REDOUBLE:
                    self.doubled = 2
                else:
                    self.bid = action - FIRST_BID + 1
                    self.doubled = 0
                    which = (self.turn % 2) * 5 + (action - FIRST_BID) % 5
                    if self.firsts[which] == 0:
                        self.firsts[which] = self.turn + 1
                    self.declarer = self.firsts[which] - 1
            self.turn = (self.turn + 1) % 4
            if self.bid == 0 and self.passes == 4:
                self.stage = OVER
            elif self.bid > 0 and self.passes == 3:
                self.stage = PLAY
                self.leader = (self.declarer + 1) % 4
                self.turn = self.leader

        def put(self, action):
            suit, rank = action % 4, action // 4
            self.hands[self.turn] &= ~(i64(1) << (16 * suit + rank))
            self.played[self.plays] = action + 1
            self.plays += 1
            if self.plays % 4 != 0:
                self.turn = (self.turn + 1) % 4
                return
            trump = (i64(self.bid) - 1) % 5
            best, winner = i64(self.played[self.plays - 4]) - 1, i64(self.leader)
            for k in range(1, 4):
                card = i64(self.played[self.plays - 4 + k]) - 1
                if (card % 4 == best % 4 and card > best) or (card % 4 != best % 4 and card % 4 == trump):
                    best, winner = card, (i64(self.leader) + k) % 4
            self.won[winner % 2] += 1
            self.leader = winner
            self.turn = winner
            if self.plays == deck:
                self.stage = OVER

        def key(self):
            """All that was dealt, said and played: the rest follows from it. Most of the room for calls is always empty."""
            word = mix((u64(self.dealt) << u64(8)) + u64(self.stage))
            for seat in range(4):
                word = mix(word ^ u64(self.hands[seat]))
            for k in range(self.said):
                word = mix(word + u64(self.calls[k]))
            for k in range(self.plays):
                word = mix(word ^ u64(64 + i64(self.played[k])))
            return word

        def utility(self, seat):
            if self.bid == 0:
                return 0
            if by_tricks:
                mine = i64(self.won[0]) - i64(self.won[1])
                return mine if seat % 2 == 0 else -mine
            side = self.declarer % 2
            exposed = (side_vulnerable >> side) & 1
            points = i64(scores[((i64(self.bid) - 1) * 3 + i64(self.doubled)) * 2 + exposed, self.won[side]])
            return points if seat % 2 == side else -points

        if not is_open:

            def observe(self, seat):
                dummy = (self.declarer + 2) % 4
                shown = self.stage >= PLAY and self.plays > 0
                for other in range(4):
                    if other != seat and not (shown and other == dummy):
                        self.hands[other] = 0

            def deal(self, seat, source):
                """The cards that this seat does not see, evenly among all deals that fit the cards and the voids shown."""
                undealt = deck - self.dealt
                unknown = i64(0)
                for card in range(deck - undealt):
                    unknown |= i64(1) << (16 * (card % 4) + low + card // 4)
                for k in range(self.plays):
                    card = i64(self.played[k]) - 1
                    unknown &= ~(i64(1) << (16 * (card % 4) + card // 4))
                for other in range(4):
                    unknown &= ~i64(self.hands[other])
                # Voids: whoever did not follow has none of the suit that was led. The leaders follow from the cards.
                voids, gone = i64(0), i64(0)  # a bit for each seat and suit; the number of cards played, four bits a seat
                leader = (i64(self.declarer) + 1) % 4
                trump = (i64(self.bid) - 1) % 5
                begin = 0
                while begin < self.plays:
                    led = i64(self.played[begin]) - 1
                    best, winner = led, leader
                    for k in range(begin, min(begin + 4, i64(self.plays))):
                        card = i64(self.played[k]) - 1
                        who = (leader + k - begin) % 4
                        gone += i64(1) << (4 * who)
                        if card % 4 != led % 4:
                            voids |= i64(1) << (4 * who + led % 4)
                        if (card % 4 == best % 4 and card > best) or (card % 4 != best % 4 and card % 4 == trump):
                            best, winner = card, who
                    leader = winner
                    begin += 4
                hidden, rooms = i64(0), i64(0)
                for other in range(4):
                    if other != seat and not (self.plays > 0 and other == (self.declarer + 2) % 4):
                        hidden |= i64(1) << other
                        rooms |= (ranks - ((gone >> (4 * other)) & 15)) << (4 * other)
                # Each unknown card goes to a random free place; one that a void forbids makes the try fail, so that all deals
                # that fit are equally likely. Suits with one possible holder go there first, which changes nothing but the odds.
                for turn in range(2):
                    for card in range(deck):
                        suit, rank = card % 4, low + card // 4
                        bit = i64(1) << (16 * suit + rank)
                        if not unknown & bit:
                            continue
                        able, only = 0, 0
                        for other in range(4):
                            if (hidden >> other) & 1 and not (voids >> (4 * other + suit)) & 1:
                                able += 1
                                only = other
                        if able == 0 and undealt == 0:
                            return 0.0
                        if turn == 0 and able == 1:
                            if (rooms >> (4 * only)) & 15 == 0:
                                return 0.0
                            self.hands[only] |= bit
                            rooms -= i64(1) << (4 * only)
                            unknown &= ~bit
                        elif turn == 1:
                            free = (rooms & 15) + ((rooms >> 4) & 15) + ((rooms >> 8) & 15) + ((rooms >> 12) & 15)
                            if free == 0:
                                return 0.0
                            which = below(source, free)
                            for other in range(4):
                                room = (rooms >> (4 * other)) & 15
                                if which < room:
                                    if (voids >> (4 * other + suit)) & 1:
                                        return 0.0
                                    self.hands[other] |= bit
                                    rooms -= i64(1) << (4 * other)
                                    break
                                which -= room
                return 1.0

        # -------------------------------------------- notation
        @uncompiled
        def seats_of_play(self):
            """Who played each card."""
            return players_of([int(card) - 1 for card in self.played[: self.plays]], int(self.declarer), (int(self.bid) - 1) % 5)

        @uncompiled
        def original(self):
            """The hands as they were dealt; None for one that is hidden."""
            hands = [int(hand) for hand in self.hands]
            held = [0, 0, 0, 0]
            for card, seat in zip(self.played[: self.plays], self.seats_of_play(), strict=True):
                held[seat] |= 1 << (16 * ((int(card) - 1) % 4) + (int(card) - 1) // 4)
            whole = [hands[s].bit_count() + held[s].bit_count() == ranks or (self.stage == DEALING and hands[s]) for s in range(4)]
            return [hands[s] | held[s] if whole[s] else None for s in range(4)]

        def text(self):
            hands = "N:" + " ".join("-" if hand is None else write.hand_text(hand) for hand in self.original())
            if self.stage == DEALING:
                return f"{hands} dealt {self.dealt}"
            calls = " ".join(call_text(int(call) + PASS - 1) for call in self.calls[: self.said])
            cards = " ".join(card_text(int(card) - 1) for card in self.played[: self.plays])
            parts = [hands, cards] if plays_only else [hands, calls, cards] if cards else [hands, calls]
            return " | ".join(parts).removesuffix(" | ")

        def parse(self, text):
            self.turn = first
            parts = [part.strip() for part in text.split("|")]
            deal = parts[0].split(" dealt ")
            words = deal[0].replace("N:", "", 1).split() if deal[0].startswith("N:") else []
            known = [0 if word == "-" else write.parse_hand(word) for word in words] if len(words) == 4 else []
            hands = known or list(write.parse_hands(deal[0]))
            for seat in range(4):
                self.hands[seat] = hands[seat]
            number = int(deal[1]) if len(deal) > 1 else deck
            if len(deal) > 1 and (not 0 <= number < deck or (any(hands) and len(parts) > 1)):
                raise ValueError(f"expected fewer than {deck} cards dealt, got {deal[1]}")
            self.dealt = number
            if number < deck:
                return
            if any(hand and hand.bit_count() != ranks for hand in hands) or (words.count("-") + sum(map(bool, hands)) < 4):
                raise ValueError(f"expected {ranks} cards in every hand")
            self.begin()
            most = 2 if plays_only else 3
            if len(parts) > most:
                raise ValueError(f"expected at most {most} parts between |, got {len(parts)}")
            rest = ["", *parts[1:]] if plays_only else parts[1:]
            for word in (rest[0] if rest else "").split():
                self.make(parse_call(word), word, AUCTION)
            for word in (rest[1] if len(rest) > 1 else "").split():
                self.make(parse_card(word), word, PLAY)

        @uncompiled
        def make(self, action, word, stage):
            """One call or card of a text; what a hidden hand plays cannot be told from its cards."""
            room = [0] * 64
            legal = room[: self.actions(room)]
            if self.stage != stage or (legal and action not in legal):
                raise ValueError(f"{word!r} is not possible there")
            if action + 1 in [int(card) for card in self.played[: self.plays]]:
                raise ValueError(f"{word!r} is played twice")
            self.play(action)

        def valid(self):
            for one in range(4):
                for other in range(one):
                    if int(self.hands[one]) & int(self.hands[other]):
                        both = (int(self.hands[one]) & int(self.hands[other])).bit_length() - 1
                        return f"{write.card_name(both)} is in two hands"
            held = sum(int(hand).bit_count() for hand in self.hands)
            if self.stage == DEALING and held > self.dealt:
                return f"{held} cards are in the hands, but {self.dealt} dealt"
            for hand in self.hands:
                if any(write.card_text(card)[1] not in write.RANKS[low:] for card in write.cards_of(hand)):
                    return f"the deck has the ranks {write.RANKS[low:]}"
            if self.stage != DEALING and any(hand is not None and hand.bit_count() != ranks for hand in self.original()):
                return f"every hand has {ranks} cards"
            return None

        def is_public(self, action):
            return self.stage != DEALING

        def action_text(self, action):
            return call_text(action) if action >= PASS else write.SEATS[action] if self.stage == DEALING else card_text(action)

        def parse_action(self, text):
            if self.stage == DEALING:
                return write.seat(text)
            return parse_call(text) if self.stage == AUCTION else parse_card(text)

        def task(self):
            if self.stage == AUCTION:
                return "Bid, or pass."
            dummy = self.turn == (self.declarer + 2) % 4
            whose = " from dummy's hand" if dummy else ""
            if self.plays % 4 == 0:
                return f"Lead a card{whose}."
            suit = ("club", "diamond", "heart", "spade")[(int(self.played[self.plays - self.plays % 4]) - 1) % 4]
            held = int(self.hands[self.turn]) >> 16 * ("club", "diamond", "heart", "spade").index(suit) & SUIT
            return f"Play a {suit}{whose}." if held else f"No {suit}: play any card{whose}."

        def standing(self, seat):
            if self.stage < PLAY:
                return ""
            tricks = int(self.won[seat % 2])
            return f"{tricks} trick{'s' * (tricks != 1)}"

        def ending_text(self):
            if self.bid == 0:
                return "passed out"
            bid, doubled = int(self.bid) - 1, "X" * int(self.doubled)
            over = int(self.won[self.declarer % 2]) - (book + bid // 5 + 1)
            made = "just made" if over == 0 else f"made with {over} over" if over > 0 else f"{-over} down"
            return f"{bid // 5 + 1}{'♣♦♥♠'[bid % 5] if bid % 5 < 4 else 'NT'}{doubled} by {write.SEATS[self.declarer]}, {made}"

        def picture(self):
            sides = {0: "above", 1: "right", 2: "below", 3: "left"}
            hands, touches = [], {}
            legal = set()
            if self.stage == PLAY:
                room = [0] * 64
                legal = set(room[: self.actions(room)])
            gone = [0, 0, 0, 0]
            for seat in self.seats_of_play():
                gone[seat] += 1
            for seat in range(4):
                cards = list(write.cards_of(self.hands[seat]))
                shown = [Cell(card_text(4 * (card & 15) + (card >> 4))[::-1].lower().capitalize(), "card") for card in cards]
                if not cards and self.stage in (AUCTION, PLAY):
                    shown = [Cell("", "card")] * (ranks - gone[seat])
                name = write.SEATS[seat]
                if seat == self.turn:
                    for place, card in enumerate(cards):
                        number = 4 * (card & 15) + (card >> 4)
                        if number in legal:
                            touches[number] = ((name, place),)
                role = "" if self.stage != PLAY else {self.declarer: "declarer", (self.declarer + 2) % 4: "dummy"}.get(seat, "")
                moving = bool(self.stage in (AUCTION, PLAY) and seat == self.turn)
                hands.append(Hand(name, tuple(shown), sides[seat], note=role, mark=moving))
            begin = max(0, self.plays - 1) // 4 * 4  # a trick lies until the next card is led
            trick = [int(card) - 1 for card in self.played[begin : self.plays]]
            seats = [*self.seats_of_play()][begin : self.plays]
            said = ", ".join(f"{write.SEAT_LETTERS[(first + k) % 4]} {call_text(int(call) + PASS - 1)}"
                             for k, call in enumerate(self.calls[: self.said]))
            words = ""
            if self.stage >= PLAY and self.bid:
                said, words = "", (f"{contract_text(int(self.bid), int(self.doubled))} by {write.SEATS[self.declarer]}, tricks: "
                                   f"North-South {self.won[0]}, East-West {self.won[1]}")
            middle = tuple(Cell(card_text(card)[::-1].lower().capitalize(), "card") for card in trick)
            return Table(hands=tuple(hands), middle=middle,
                         from_sides=tuple(sides[int(seat)] for seat in seats),
                         words=(words,) if words else (), caption=said, touches=touches)

    return Bridge


def players_of(cards, declarer, trump):
    """Who played each card of a play."""
    seats, leader = [], (declarer + 1) % 4
    for begin in range(0, len(cards), 4):
        trick = cards[begin : begin + 4]
        best, winner = trick[0], leader
        for k, card in enumerate(trick):
            seats.append((leader + k) % 4)
            if (card % 4 == best % 4 and card > best) or (card % 4 != best % 4 and card % 4 == trump):
                best, winner = card, (leader + k) % 4
        leader = winner
    return seats


def call_text(action):
    """A call as players write it."""
    if action < FIRST_BID:
        return ("pass", "X", "XX")[action - PASS]
    return f"{(action - FIRST_BID) // 5 + 1}{write.STRAINS[(action - FIRST_BID) % 5]}"


def contract_text(bid, doubled):
    """A contract as players write it."""
    return call_text(FIRST_BID + bid - 1) + "X" * doubled


def parse_call(text):
    """The call that a text means: pass, 1C, 3NT, X, XX."""
    word = text.strip().lower()
    if word in ("pass", "p", "x", "double", "dbl", "d", "xx", "redouble", "rdbl", "r"):
        return PASS if word[0] == "p" else REDOUBLE if word in ("xx", "redouble", "rdbl", "r") else DOUBLE
    if word[:1] in tuple("1234567"):
        return FIRST_BID + 5 * (int(word[0]) - 1) + write.strain(word[1:])
    raise ValueError(f"expected a call such as pass, 1C, 3NT, X or XX, got {text!r}")


def card_text(action):
    """A card of the game as players write it, suit first."""
    return write.card_text(16 * (action % 4) + action // 4)


def parse_card(text):
    """The card of the game that a text means."""
    card = write.card(text)
    return 4 * (card & 15) + (card >> 4)
