"""Texas hold'em: two cards each, five in the middle, four rounds of betting, two to ten seats, limit or no limit.

>>> from outplay.game import load
>>> game = load("hold'em:stack=100")
>>> position = game.start().play("Qs Qd Ah Kh r6 c Kd 7h 2c c r6 f")
>>> position.text()
'QsQd AhKh | r6 c | Kd7h2c c r6 f'
>>> position.utilities(), position.observe(0).text()
((-6.0, 6.0), 'QsQd ???? | r6 c | Kd7h2c c r6 f')

Seats are in the order in which they act after the flop: the small blind first and the button last; with two seats the button is the
small blind, so that the big blind is seat 0. An action is 0 to fold, 1 to check or call, and else one more than the number of
chips to which one raises. `sizes` says which raises are offered: shares of the pot and `all-in`, or `any` for every number of
chips. `kind=limit` has fixed bets of one and two big blinds and four bets a round at most. Chips that do not divide go to the
first seat. A position with other chips than the parameter's begins with them, as in a session of many hands: `(180-20) AhKh QsQd`.
"""

import numpy as np

from outplay.cards import card_text, cards
from outplay.errors import BadValue
from outplay.games.holdem.evaluator import BITS, KEYS, START, in_words, strength_of
from outplay.games.holdem.ranges import HANDS
from outplay.jit import Array, below, evenly, i8, i16, i32, i64, u64
from outplay.picture import Cell, Hand, Table
from outplay.rules import CHANCE, game

UNSEEN = 53
TWO_CARDS = np.array(HANDS, np.int64)
FOLD, CALL, RAISE = 0, 1, 1  # to raise to an amount is RAISE + amount
LONGEST = 96  # actions of one hand; after so many nobody raises any more


def _stacks(text):
    """chips of each seat such as 200 or 200-150-90"""
    parts = str(text).split("-")
    if not all(part.isdecimal() and 1 <= int(part) <= 100_000 for part in parts) or len(parts) > 10:
        raise BadValue(f"hold'em: stack must be chips of each seat such as 200 or 200-150-90, got {text!r}")
    return "-".join(str(int(part)) for part in parts)


def _sizes(text):
    """shares of the pot such as 0.5-1-all, or any"""
    if text == "any":
        return text
    for part in str(text).split("-"):
        try:
            fine = part == "all" or 0 < float(part) <= 100
        except ValueError:
            fine = False
        if not fine:
            raise BadValue(f"hold'em: sizes must be shares of the pot such as 0.5-1-all, or any, got {text!r}")
    return str(text)


@game("hold'em", seats=range(2, 11), kind=("no-limit", "limit"), stack=_stacks, small=range(1, 1000), big=range(2, 2000),
      ante=range(0, 1000), sizes=_sizes)
def holdem(seats=2, kind="no-limit", stack="200", small=1, big=2, ante=0, sizes="0.5-1-all"):
    """Two cards each, five in the middle, four rounds of betting; the best five cards win, or a bet that nobody pays.

    Goal: win chips: by the best five cards of your two and the five in the middle, or because all others fold.
    Moves: fold; check or call; or raise to an amount. A round of betting ends when all who are in have put in the same.
    Rounds: before the flop, after three cards in the middle, after the fourth, after the fifth; then hands are shown.
    Hands: pair, two pair, three alike, straight, flush, full house, four alike, straight flush, each beating those before it.
    Blinds: the small and the big blind are put in before the deal; with two seats the button is the small blind and acts
      first before the flop, last after it.

    `seats`: How many play.
    `kind`: no-limit: bets of any size up to all chips; limit: one size a round.
    `stack`: Chips of each seat, or of all seats with - between them, such as 200-150.
    `small`: The small blind, in chips.
    `big`: The big blind, in chips.
    `ante`: Chips that everybody puts in before the deal.
    `sizes`: Which raises there are, as shares of the pot; all is all in, any is every amount.
    """
    n = seats
    limit = kind == "limit"
    given = [int(part) for part in stack.split("-")]
    if len(given) not in (1, n):
        raise BadValue(f"hold'em: stack must be one number or one for each of {n} seats, got {stack!r}")
    if small > big:
        raise BadValue(f"hold'em: the small blind must not be more than the big one, got {small} and {big}")
    stacks_at_start = np.array(given * n if len(given) == 1 else given, np.int64)
    most = int(stacks_at_start.max())
    if sizes == "any" and most > 2000:
        raise BadValue(f"hold'em: sizes=any needs stacks of 2000 chips or less, got {most}")
    shares = () if sizes == "any" or limit else tuple(float(part) for part in sizes.split("-") if part != "all")
    has_all = "all" in sizes.split("-")
    fractions = np.array(shares or (1.0,))
    fraction_count = len(shares)
    any_size = sizes == "any" and not limit
    streets_at = np.array([0, 3, 4, 5], np.int64)  # cards on the board when a round is bet
    chips_in_play = int(stacks_at_start.sum())

    class Holdem:
        """One hand: two cards each, five on the table, chips in the middle."""

        players = n
        seat_names = tuple(f"Seat {seat + 1}" for seat in range(n))
        stays_hidden = True  # whoever folds, or is not called, shows nothing
        most_actions = max(52, most + 3 if any_size else fraction_count + 4)
        bounds = (-float(most), float(chips_in_play))
        pays = "chips"

        # -------------------------------------------- rules
        hands: Array[i8, n, 2]  # card + 1, 0 not dealt yet, 53 not seen; the higher card first
        board: Array[i8, 5]
        log: Array[i32, LONGEST]  # the actions + 1, in order
        made: i16
        street: i8  # 0 before the flop, 3 on the river, 4 when the betting is over
        stacks: Array[i32, n]
        bets: Array[i32, n]  # in this round
        staked: Array[i32, n]  # in all
        folded: i16  # bits
        acted: i16  # bits: acted since the last full raise
        turn: i8
        raised: i32  # by how much the last full raise went up
        raises: i8  # bets and raises of this round

        def start(self):
            for seat in range(n):
                self.stacks[seat] = stacks_at_start[seat]
            self.post()

        def post(self):
            """Antes and blinds are put in, and the first to act is found."""
            for seat in range(n):
                self.pay(seat, ante)
                self.bets[seat] = 0
            first = 1 if n == 2 else 0
            self.pay(first, small)
            self.pay(0 if n == 2 else 1, big)
            self.raised = big
            self.raises = 1
            self.turn = 1 if n == 2 else 2 % n
            if not self.can_act(self.turn):
                self.pass_on()

        def pay(self, seat, amount):
            """Put chips in, as many as there are."""
            amount = min(amount, self.stacks[seat])
            self.stacks[seat] -= amount
            self.bets[seat] += amount
            self.staked[seat] += amount

        def top(self):
            """The highest bet of this round."""
            highest = i64(0)
            for seat in range(n):
                highest = max(highest, i64(self.bets[seat]))
            return highest

        def asked(self):
            """What must be matched: the highest bet, before the flop at least the big blind."""
            highest = self.top()
            return max(highest, big) if self.street == 0 and highest > 0 else highest

        def is_in(self, seat):
            return (self.folded >> seat) & 1 == 0

        def can_act(self, seat):
            return self.is_in(seat) and self.stacks[seat] > 0

        def left(self):
            """How many have not folded."""
            count = 0
            for seat in range(n):
                if self.is_in(seat):
                    count += 1
            return count

        def dealt(self):
            """Cards dealt to the seats."""
            count = 0
            for seat in range(n):
                for k in range(2):
                    if self.hands[seat, k] != 0:
                        count += 1
            return count

        def shown(self):
            """Cards on the board."""
            count = 0
            while count < 5 and self.board[count] != 0:
                count += 1
            return count

        def player(self):
            if self.dealt() < 2 * n:
                return CHANCE
            if self.left() > 1 and self.shown() < (5 if self.street == 4 else streets_at[self.street]):
                return CHANCE
            return self.turn + 0

        def is_terminal(self):
            return self.left() == 1 or (self.street == 4 and self.board[4] != 0)

        def chances(self, out, probabilities):
            count = 0
            for card in range(52):
                used = False
                for seat in range(n):
                    used = used or self.hands[seat, 0] == card + 1 or self.hands[seat, 1] == card + 1
                for k in range(5):
                    used = used or self.board[k] == card + 1
                if not used:
                    out[count] = card
                    count += 1
            return evenly(probabilities, count)

        def actions(self, out):
            if self.is_terminal():
                return 0
            me = self.turn
            asked, mine, chips = self.asked(), i64(self.bets[me]), i64(self.stacks[me])
            count = 0
            if asked > mine:
                out[count] = FOLD
                count += 1
            out[count] = CALL
            count += 1
            reach = mine + chips  # all in
            if reach <= asked or (self.acted >> me) & 1 or self.made >= LONGEST - n - 1 or not self.is_worth(me, asked):
                return count
            if limit:
                if self.raises < 4:
                    out[count] = RAISE + min(asked + self.full_raise(), reach)
                    count += 1
                return count
            least = min(asked + self.full_raise(), reach)
            if any_size:
                for amount in range(least, reach + 1):
                    out[count] = RAISE + amount
                    count += 1
                return count
            pot = asked - mine
            for seat in range(n):
                pot += self.staked[seat]
            previous = i64(0)
            for k in range(fraction_count):
                amount = min(max(asked + i64(fractions[k] * pot + 0.5), least), reach)
                if amount > previous:
                    out[count] = RAISE + amount
                    count += 1
                    previous = amount
            if has_all and reach > previous:
                out[count] = RAISE + reach
                count += 1
            return count

        def is_worth(self, me, asked):
            """Whether somebody else has chips to answer a raise with."""
            for seat in range(n):
                if seat != me and self.can_act(seat) and self.bets[seat] + self.stacks[seat] > asked:
                    return True
            return False

        def full_raise(self):
            """By how much a raise must go up to count as one."""
            if limit:
                return i64(big) if self.street < 2 else i64(2 * big)
            return max(i64(self.raised), i64(big))

        def play(self, action):
            if self.dealt() < 2 * n:
                at = self.dealt()
                seat, k = at // 2, at % 2
                self.hands[seat, k] = action + 1
                if k == 1 and self.hands[seat, 0] < self.hands[seat, 1]:  # the order in which they came does not matter
                    self.hands[seat, 1] = self.hands[seat, 0]
                    self.hands[seat, 0] = action + 1
                return
            if self.shown() < (5 if self.street == 4 else streets_at[self.street]):
                self.board[self.shown()] = action + 1
                return
            me = self.turn
            self.log[self.made] = action + 1
            self.made += 1
            asked = self.asked()
            if action == FOLD:
                self.folded |= 1 << me
            elif action == CALL:
                self.pay(me, asked - self.bets[me])
            else:
                more = action - RAISE - asked
                self.pay(me, action - RAISE - self.bets[me])
                if more >= self.full_raise():  # a full raise lets everybody raise again
                    self.raised = more
                    self.acted = 0
                self.raises += 1
            self.acted |= 1 << me
            self.pass_on()

        def pass_on(self):
            """The turn to the next who has something to decide; when nobody has, the round is over."""
            highest = self.asked()
            if self.left() > 1:
                able = 0
                for seat in range(n):
                    if self.can_act(seat):
                        able += 1
                for step in range(1, n + 1):
                    seat = (self.turn + step) % n
                    behind = self.bets[seat] < highest
                    if self.can_act(seat) and (behind or ((self.acted >> seat) & 1 == 0 and able > 1)):
                        self.turn = seat
                        return
            if self.left() > 1:
                self.next_street()

        def next_street(self):
            able = 0
            for seat in range(n):
                self.bets[seat] = 0
                if self.can_act(seat):
                    able += 1
            self.acted, self.raises, self.raised = 0, 0, big
            self.street += 1
            if able < 2:
                self.street = 4  # the rest of the board comes without bets
            if self.street < 4:
                for step in range(n):
                    if self.can_act(step):
                        self.turn = step
                        return

        def strength(self, seat):
            key, bits = START, u64(0)
            for k in range(2):
                key += KEYS[self.hands[seat, k] - 1]
                bits |= BITS[self.hands[seat, k] - 1]
            for k in range(5):
                key += KEYS[self.board[k] - 1]
                bits |= BITS[self.board[k] - 1]
            return strength_of(key, bits)

        def utility(self, player):
            """What the seat takes out of all pots less what it put in: pot by pot, from the smallest stake up."""
            won = i64(0)
            level = i64(0)
            while True:
                step = i64(0)  # the next higher stake
                for seat in range(n):
                    if self.staked[seat] > level and (step == 0 or self.staked[seat] < step):
                        step = i64(self.staked[seat])
                if step == 0:
                    break
                pot, best, winners, place = i64(0), i64(-1), i64(0), i64(0)
                for seat in range(n):
                    if self.staked[seat] > level:
                        pot += step - level
                        if self.is_in(seat):
                            here = i64(1) if self.left() == 1 else i64(self.strength(seat))
                            if here > best:
                                best, winners, place = here, i64(0), i64(0)
                            if here == best:
                                if seat < player:
                                    place += 1
                                winners += 1
                if best < 0:  # all who staked so much have folded: it goes to the one left, who must have more
                    if self.is_in(player):
                        won += pot if self.left() == 1 else i64(0)
                elif self.is_in(player) and self.staked[player] > level:
                    mine = i64(1) if self.left() == 1 else i64(self.strength(player))
                    if mine == best:
                        won += pot // winners + (1 if place < pot % winners else 0)
                level = step
            return won - self.staked[player]

        def observe(self, player):
            showdown = self.is_terminal() and self.left() > 1
            for seat in range(n):
                if seat != player and not (showdown and self.is_in(seat)):
                    for k in range(2):
                        if self.hands[seat, k] != 0:
                            self.hands[seat, k] = UNSEEN

        def deal(self, player, source):
            for seat in range(n):
                for k in range(2):
                    if self.hands[seat, k] == UNSEEN:
                        while True:
                            card = below(source, 52) + 1
                            used = False
                            for other in range(n):
                                used = used or self.hands[other, 0] == card or self.hands[other, 1] == card
                            for b in range(5):
                                used = used or self.board[b] == card
                            if not used:
                                break
                        self.hands[seat, k] = card
                if self.hands[seat, 0] < self.hands[seat, 1]:
                    card = self.hands[seat, 0]
                    self.hands[seat, 0] = self.hands[seat, 1]
                    self.hands[seat, 1] = card
            return 1.0

        if n == 2:
            private_hands = len(HANDS)
            private_cards = HANDS

            def hold(self, seat, hand):
                high, low = TWO_CARDS[hand, 0], TWO_CARDS[hand, 1]
                self.hands[seat, 0], self.hands[seat, 1] = high + 1, low + 1
                free = 1.0
                for k in range(2):
                    if self.hands[1 - seat, k] == high + 1 or self.hands[1 - seat, k] == low + 1:
                        free = 0.0
                for k in range(5):
                    if self.board[k] == high + 1 or self.board[k] == low + 1:
                        free = 0.0
                return free

            def hand_rank(self, seat):
                return i64(self.strength(seat)) if self.left() > 1 else i64(0)

        # -------------------------------------------- notation: hands, then the rounds with their cards and actions
        def text(self):
            def shown(card):
                return "" if card == 0 else "??" if card == UNSEEN else card_text(int(card) - 1)

            brought = self.stacks + self.staked
            other = "" if (brought == stacks_at_start).all() else f"({'-'.join(map(str, brought.tolist()))}) "
            parts = [other + " ".join("".join(shown(card) for card in hand) or "-" for hand in self.hands)]
            again = np.zeros(1, type(self).layout)[0]
            again.stacks[:] = brought
            again.post()
            again.hands[:] = 1
            words, street, used = [], 0, 0

            def flush(to):
                nonlocal street, words, used
                while street < to:
                    parts.append(" ".join(words))
                    street += 1
                    size = (3, 1, 1, 0)[street - 1]
                    on_board = [card_text(int(card) - 1) for card in self.board[used : used + size] if card]
                    used += size
                    words = ["".join(on_board)] if on_board else []

            again.board[:] = 1
            for k in range(int(self.made)):
                action = int(self.log[k]) - 1
                words.append("f" if action == FOLD else "c" if action == CALL else f"r{action - RAISE}")
                again.play(action)
                flush(int(again.street) if again.left() > 1 else street)
            flush(int(self.street) if self.left() > 1 else street)
            parts.append(" ".join(words))
            return " | ".join(part for part in parts if part) if any(parts[1:]) else parts[0]

        def parse(self, text):
            head, *rounds = [part.strip() for part in text.split("|")]
            hands = head.split()
            brought = stacks_at_start
            if hands and hands[0][:1] == "(":
                chips = hands.pop(0).strip("()").split("-")
                if len(chips) != n or not all(part.isdecimal() and 1 <= int(part) <= most for part in chips):
                    raise ValueError(f"expected chips of {n} seats from 1 to {most}, such as ({'-'.join([str(most)] * n)})")
                brought = np.array([int(part) for part in chips], np.int64)
                if int(brought.sum()) > chips_in_play:
                    raise ValueError(f"there are {chips_in_play} chips in play, not {int(brought.sum())}")
            if len(hands) != n:
                raise ValueError(f"expected {n} hands and the rounds, parted by |, such as AhKh QsQd | r6 c | Kd7h2c c")
            self.stacks[:] = brought
            self.post()
            known = [card for hand in hands if hand != "-" for card in cards(hand.replace("??", ""))]
            over = False
            for seat, hand in enumerate(hands):
                if over and hand != "-":
                    raise ValueError("seats get their cards one after the other")
                texts = [] if hand == "-" else [hand[k : k + 2] for k in range(0, len(hand), 2)]
                over = over or len(texts) < 2
                if len(texts) > 2:
                    raise ValueError(f"a hand has two cards, got {hand}")
                numbers = [UNSEEN if text == "??" else cards(text)[0] + 1 for text in texts]
                for k, number in enumerate(sorted(numbers, reverse=True)):
                    self.hands[seat, k] = number
            seen = list(known)
            for word in " ".join(rounds).split():
                if self.dealt() < 2 * n or self.is_terminal():
                    raise ValueError(f"{word} comes too early or too late")
                if self.player() == CHANCE:
                    for card in cards(word):
                        if card in seen or self.player() != CHANCE:
                            raise ValueError(f"the card {card_text(card)} cannot come there")
                        seen.append(card)
                        self.play(card)
                    continue
                action = {"f": FOLD, "c": CALL}.get(word, RAISE + int(word[1:]) if word[:1] == "r" and word[1:].isdecimal() else -1)
                if not self.allows(action):
                    raise ValueError(f"the action {word} is not possible there")
                self.play(action)
            if len(set(seen)) != len(seen):
                raise ValueError("a card stands twice")

        def valid(self):
            if self.is_terminal() and self.left() > 1 and any(UNSEEN in self.hands[s] for s in range(n) if self.is_in(s)):
                return "at the showdown all hands are seen"
            hidden = sum(UNSEEN in hand for hand in self.hands)
            if hidden == n or (hidden and any(0 < list(hand).count(UNSEEN) < 2 and hand[1] != 0 for hand in self.hands)):
                return "a player sees both cards of its own and none of the others'"
            return None

        def allows(self, action):
            """Whether an action is possible, whatever sizes are offered."""
            out = np.zeros(type(self).most_actions, np.int32)
            offered = out[: self.actions(out)].tolist()
            if action in offered:
                return True
            if limit or action <= CALL or not any(amount > CALL for amount in offered):
                return False
            reach = int(self.bets[self.turn]) + int(self.stacks[self.turn])
            least = min(int(self.asked()) + int(self.full_raise()), reach)
            return least <= action - RAISE <= reach

        def is_public(self, action):
            return self.dealt() >= 2 * n  # only the cards of the hands are dealt face down

        def action_text(self, action):
            if self.player() == CHANCE:
                return card_text(int(action))
            return "f" if action == FOLD else "c" if action == CALL else f"r{int(action) - RAISE}"

        def parse_action(self, text):
            words = {"fold": FOLD, "call": CALL, "check": CALL}
            word = text.lower()
            if word in words:
                return words[word]
            if word in ("all", "allin", "all-in"):
                return RAISE + int(self.bets[self.turn]) + int(self.stacks[self.turn])
            return RAISE + int(word[1:]) if word[:1] in "rb" and word[1:].isdecimal() else -1

        def task(self):
            owed = int(self.asked()) - int(self.bets[self.turn])
            return f"{min(owed, int(self.stacks[self.turn]))} to call." if owed > 0 else "Check, or bet."

        def standing(self, seat):
            return f"{int(self.stacks[seat])} chips" + (", folded" if not self.is_in(seat) else "")

        def ending_text(self):
            if self.left() == 1:
                return "everybody else folded"
            shown = {int(self.strength(seat)) for seat in range(n) if self.is_in(seat)}
            best, *rest = (in_words(strength) for strength in sorted(shown, reverse=True))
            return f"{best} beats {rest[0]}" if rest else f"all show {best}"

        # -------------------------------------------- picture: hands around a table, the board in the middle
        def picture(self):
            def cell(card):
                return Cell("" if card == UNSEEN else card_text(int(card) - 1, symbols=True), "card")

            hands = []
            for seat in range(n):
                told = [f"{int(self.stacks[seat])} chips", "" if self.is_in(seat) else "folded"]
                moving = not self.is_terminal() and self.player() == seat
                side = "around" if n > 2 else ("below", "above")[seat]
                hands.append(Hand(f"Seat {seat + 1}", tuple(cell(card) for card in self.hands[seat] if card), side,
                                  seat % 2, ", ".join(part for part in told if part), moving, int(self.bets[seat]), seat == n - 1))
            return Table(hands=tuple(hands), middle=tuple(cell(card) for card in self.board if card),
                         words=(f"pot {int(self.staked.sum())}",))

    return Holdem
