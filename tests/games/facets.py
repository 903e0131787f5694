"""Small games, each of which proves one facet of the contract."""

import itertools

import numpy as np

from outplay.game import CompiledGame
from outplay.jit import Array, below, i8, i16, i64, lowest, popcount, table, u8, u16, u64
from outplay.rules import CHANCE, Derived, game, uncompiled
from outplay.values import Cell, Picture

SUIT = 6  # cards of a suit
CARDS = 12
UNKNOWN = 4  # in a view: the hand of a card that its seat cannot know


@game("tricks", hidden=(True, False))
def tricks(hidden=True):
    """Four seats in two partnerships, three cards each of two suits; the cards are dealt by draws, and each trick counts one."""

    class Tricks:
        """Follow suit if you can; the highest card of the suit led wins the trick."""

        players = 4
        sides = ((0, 2), (1, 3))
        seat_names = ("North", "East", "South", "West")
        bounds = (0, 3)
        total = 3
        most_actions = 3

        # -------------------------------------------- rules: card = SUIT * suit + rank
        hands: Array[u16, 4]
        dealt: i8
        played: Array[i8, CARDS]  # card + 1 in the order of play
        count: i8
        seat: i8
        won: Array[i8, 2]  # tricks of each side

        def player(self):
            return CHANCE if self.dealt < CARDS else i64(self.seat)

        def draw(self, source):
            left = u64((1 << CARDS) - 1)
            for seat in range(4):
                left &= ~u64(self.hands[seat])
            for _ in range(below(source, popcount(left))):
                left &= left - u64(1)
            return lowest(left)

        def led(self):
            return i64(self.played[self.count - self.count % 4]) - 1

        def actions(self, out):
            hand = i64(self.hands[self.seat])
            if self.count % 4 != 0:
                suit = ((1 << SUIT) - 1) << (SUIT * (self.led() // SUIT))
                if hand & suit:
                    hand &= suit
            count = 0
            for card in range(CARDS):
                if hand >> card & 1:
                    out[count] = card
                    count += 1
            return count

        def play(self, card):
            if self.dealt < CARDS:
                self.hands[self.dealt % 4] |= u16(1 << card)
                self.dealt += i8(1)
                return
            self.hands[self.seat] &= u16((1 << CARDS) - 1 - (1 << card))
            self.played[self.count] = card + 1
            self.count += i8(1)
            self.seat = (self.seat + 1) % 4
            if self.count % 4 == 0:
                first, best, winner = self.count - 4, -1, 0
                suit = (i64(self.played[first]) - 1) // SUIT
                for turn in range(4):
                    each = i64(self.played[first + turn]) - 1
                    if each // SUIT == suit and each > best:
                        best, winner = each, turn
                self.seat = (self.seat + winner) % 4  # the leader sits there again after four cards
                self.won[self.seat % 2] += i8(1)

        def utility(self, seat):
            return i64(self.won[seat % 2])

        def order(self, card):
            return 0

        if hidden:

            def observe(self, seat):
                if self.count < CARDS:
                    for other in range(4):
                        if other != seat:
                            self.hands[other] = 0

            def deal(self, seat, source):
                # What nobody has played and the seat does not hold goes to the others at random; a try fails where one would
                # get a suit that it did not follow.
                if self.dealt < CARDS:
                    # While cards are dealt, the others get as many as were dealt to them.
                    for other in range(4):
                        if other != seat:
                            for _ in range((self.dealt - other + 3) // 4):
                                self.give(other, source)
                    return 1.0
                if self.count == CARDS:
                    return 1.0
                for other in range(4):
                    if other != seat:
                        for _ in range(3 - self.cards_played_by(other)):
                            card = self.give(other, source)
                            if not self.may_hold(other, card // SUIT):
                                return 0.0
                return 1.0

        def give(self, seat, source):
            left = u64((1 << CARDS) - 1)
            for other in range(4):
                left &= ~u64(self.hands[other])
            for i in range(self.count):
                left &= ~(u64(1) << u64(self.played[i] - 1))
            for _ in range(below(source, popcount(left))):
                left &= left - u64(1)
            self.hands[seat] |= u16(i64(1) << lowest(left))
            return lowest(left)

        def who_played(self, number):
            """The seat of the number-th card: found by walking the tricks once more."""
            leader = 0
            for start in range(0, number - number % 4, 4):
                suit, best, winner = (i64(self.played[start]) - 1) // SUIT, -1, 0
                for turn in range(4):
                    each = i64(self.played[start + turn]) - 1
                    if each // SUIT == suit and each > best:
                        best, winner = each, turn
                leader = (leader + winner) % 4
            return (leader + number % 4) % 4

        def cards_played_by(self, seat):
            count = 0
            for i in range(self.count):
                count += 1 if self.who_played(i) == seat else 0
            return count

        def may_hold(self, seat, suit):
            for i in range(self.count):
                led = (i64(self.played[i - i % 4]) - 1) // SUIT
                if led == suit and self.who_played(i) == seat and (i64(self.played[i]) - 1) // SUIT != suit:
                    return False
            return True

        # -------------------------------------------- notation
        def text(self):
            hands = "/".join("".join(name(c) for c in range(CARDS) if int(self.hands[s]) >> c & 1) or "-" for s in range(4))
            played = "".join(name(int(card) - 1) for card in self.played[: self.count])
            return f"{hands} {played or '-'} {'NESW'[self.seat]} {self.dealt}"

        def parse(self, text):
            hands, played, seat, dealt = text.split(" ")
            if hands.count("/") != 3:
                raise ValueError("expected four hands, what was played, the seat and how many were dealt")
            for number, hand in enumerate(hands.split("/")):
                self.hands[number] = sum(1 << card for card in cards(hand))
            for number, card in enumerate(cards(played)):
                self.play_again(number, card)
            self.seat = "NESW".index(seat)
            self.dealt = int(dealt)

        @uncompiled
        def play_again(self, number, card):
            """A helper of the notation alone, with all of Python in it."""
            self.played[number] = card + 1
            self.count = number + 1
            if self.count % 4 == 0:
                first = [int(each) - 1 for each in self.played[number - 3 : number + 1]]
                best = max(each for each in first if each // SUIT == first[0] // SUIT)
                self.won[(int(self.who_played(number - 3)) + first.index(best)) % 2] += 1

        def valid(self):
            held = [card for hand in self.hands for card in range(CARDS) if int(hand) >> card & 1]
            every = held + [int(card) - 1 for card in self.played[: self.count]]
            if len(every) != len(set(every)) or len(every) != self.dealt or not 0 <= self.dealt <= CARDS:
                return "each card is in one place"
            if self.count and self.dealt < CARDS:
                return "nobody plays before all is dealt"
            sizes = [int(hand).bit_count() for hand in self.hands]
            if self.dealt < CARDS:
                if self.seat or sizes != [(self.dealt - seat + 3) // 4 for seat in range(4)]:
                    return "the cards are dealt in turn, from North"
                return None
            if self.count < CARDS and self.who_played(self.count) != self.seat:
                return "another seat is to play"
            if sizes != [3 - self.cards_played_by(seat) for seat in range(4)]:
                return "each seat has three cards less those that it played"
            return None

        def action_text(self, card):
            return name(card)

        def parse_action(self, text):
            return cards(text)[0]

    def name(card):
        return "ab"[card // SUIT] + str(card % SUIT + 1)

    def cards(text):
        return [] if text == "-" else ["ab".index(text[i]) * SUIT + int(text[i + 1]) - 1 for i in range(0, len(text), 2)]

    return Tricks


@game("merging")
class Merging:
    """One player with chance: slide the numbers of a row left or right; equal neighbours merge and score (a small 2048)."""

    players = 1
    bounds = (0, 400)
    most_actions = 8

    cells: Array[i8, 4]  # exponents; 0 is empty
    score: i16
    waiting: i8  # 1 while chance is to put a new number

    def start(self):
        self.cells[0] = 1
        self.cells[2] = 1

    def player(self):
        return CHANCE if self.waiting else 0

    def slid(self, left):
        """Slide; returns whether anything moved."""
        moved, place, last = False, 0, 0
        for step in range(4):
            at = step if left else 3 - step
            value = i64(self.cells[at])
            if value == 0:
                continue
            if value == last:
                to = place - 1 if left else 4 - place
                self.cells[at] = 0
                self.cells[to] = value + 1
                self.score += i16(1 << (value + 1))
                last, moved = 0, True
            else:
                to = place if left else 3 - place
                self.cells[at] = 0
                self.cells[to] = value
                last, moved, place = value, moved or to != at, place + 1
        return moved

    def can(self, left):
        last, gap = 0, False
        for step in range(4):
            value = i64(self.cells[step if left else 3 - step])
            if value == 0:
                gap = True
            elif gap or value == last:
                return True
            else:
                last = value
        return False

    def actions(self, out):
        count = 0
        for way in range(2):
            out[count] = way
            count += 1 if self.can(way == 0) else 0
        return count

    def chances(self, out, probabilities):
        empty, count = 0, 0
        for at in range(4):
            empty += 1 if self.cells[at] == 0 else 0
        for at in range(4):
            if self.cells[at] == 0:
                out[count], out[count + 1] = 2 * at, 2 * at + 1
                probabilities[count], probabilities[count + 1] = 0.9 / empty, 0.1 / empty
                count += 2
        return count

    def play(self, action):
        if self.waiting:
            self.cells[action // 2] = 1 + action % 2
            self.waiting = 0
        else:
            self.slid(action == 0)
            self.waiting = 1

    def utility(self, seat):
        return i64(self.score)

    def valid(self):
        if self.waiting not in (0, 1) or min(self.cells) < 0 or max(self.cells) > 6 or not 0 <= self.score <= 300:
            return "no such row"
        return "no cell is free" if self.waiting and min(self.cells) > 0 else None


@game("bids")
class Bids:
    """Simultaneous moves: both bid a card of 1 to 3 for prizes of 1, 2 and 3; the higher card wins the prize (goofspiel)."""

    bounds = (-6, 6)
    most_actions = 3
    seat_names = ("Left", "Right")

    bids: Array[i8, 6]  # in order: left, right, left, right ...; 4 in a view is a bid not seen yet
    count: i8

    def player(self):
        return i64(self.count) % 2

    def actions(self, out):
        if self.count == 6:
            return 0
        count = 0
        for card in range(1, 4):
            free = True
            for i in range(self.count % 2, self.count, 2):
                if self.bids[i] == card:
                    free = False
            out[count] = card
            count += 1 if free else 0
        return count

    def play(self, card):
        self.bids[self.count] = card
        self.count += i8(1)

    def utility(self, seat):
        value = 0
        for prize in range(3):
            mine, theirs = i64(self.bids[2 * prize]), i64(self.bids[2 * prize + 1])
            value += (prize + 1) * (1 if mine > theirs else -1 if mine < theirs else 0)
        return value if seat == 0 else -value

    def observe(self, seat):
        if seat == 1 and self.count % 2 == 1:
            self.bids[self.count - 1] = 4

    def deal(self, seat, source):
        if self.count % 2 == 1 and self.bids[self.count - 1] == 4:
            free, chosen = 0, 0
            for card in range(1, 4):
                taken = False
                for i in range(0, self.count - 1, 2):
                    taken = taken or self.bids[i] == card
                if not taken:
                    free += 1
                    if below(source, free) == 0:
                        chosen = card
            self.bids[self.count - 1] = chosen
        return 1.0

    def valid(self):
        bids = [int(bid) for bid in self.bids]
        if not 0 <= self.count <= 6 or any(bids[self.count :]) or set(bids[: self.count]) - {1, 2, 3}:
            return "bids are 1 to 3, in turn"
        mine, theirs = bids[0 : self.count : 2], bids[1 : self.count : 2]
        return None if len(set(mine)) == len(mine) and len(set(theirs)) == len(theirs) else "each card is bid once"


LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
THROUGH = np.array([[n in line for line in LINES] for n in range(9)], np.int8)
LINE_CELLS = np.array(LINES, np.int64)


def _square_symmetries():
    turned = []
    for flip, mirror, turn in itertools.product((0, 1), (0, 1), (0, 1)):
        moved = []
        for cell in range(9):
            row, column = divmod(cell, 3)
            row, column = (2 - row if flip else row), (2 - column if mirror else column)
            moved.append(3 * column + row if turn else 3 * row + column)
        turned.append(moved)
    return np.array(turned, np.int64)


SYMMETRIES = _square_symmetries()


@game("lines")
class Lines:
    """Tic-tac-toe that keeps the sum of each line beside the board: an accumulator, eight symmetries and an action map."""

    most_actions = 9
    symmetries = 8

    cells: Array[i8, 9]
    turn: i8
    sums: Derived[i8, 8]

    def is_won(self):
        most = 0
        for line in range(8):
            most = max(most, abs(self.sums[line]))
        return most == 3

    def actions(self, out):
        count = 0
        if not self.is_won():
            for cell in range(9):
                if self.cells[cell] == 0:
                    out[count] = cell
                    count += 1
        return count

    def play(self, cell):
        mark = i8(1 - 2 * self.turn)
        self.cells[cell] = mark
        for line in range(8):
            self.sums[line] += mark * THROUGH[cell, line]
        self.turn = 1 - self.turn

    def refresh(self):
        for line in range(8):
            total = 0
            for i in range(3):
                total += self.cells[LINE_CELLS[line, i]]
            self.sums[line] = total

    def utility(self, seat):
        return 0 if not self.is_won() else -1 if seat == self.turn else 1

    def transform(self, symmetry):
        moved = u64(0)  # two bits for each cell: there is no room but a word for the old board
        for cell in range(9):
            moved |= u64(self.cells[cell] + 1) << u64(2 * SYMMETRIES[symmetry, cell])
        for cell in range(9):
            self.cells[cell] = i64((moved >> u64(2 * cell)) & u64(3)) - 1
        self.refresh()

    def transform_action(self, symmetry, cell):
        return SYMMETRIES[symmetry, cell]

    def valid(self):
        if set(map(int, self.cells)) - {-1, 0, 1} or sum(map(int, self.cells)) != self.turn:
            return "the crosses move first, in turn"
        return "over before the last move" if any(s == 3 - 6 * self.turn for s in map(int, self.sums)) else None

    def picture(self):
        marks = {1: Cell("x", "cross", 0), -1: Cell("o", "ring", 1), 0: Cell()}
        rows = [[marks[int(self.cells[3 * r + c])] for c in range(3)] for r in range(3)]
        return Picture(cells=tuple(map(tuple, rows)), touches={c: (divmod(c, 3),) for c in range(9)})


@game("far")
class Far:
    """Actions wider than 32 bits: take one of three places, each two to the 40th apart; an even sum wins for the first."""

    most_actions = 3
    wide_actions = True

    gone: i64
    turn: i8
    plies: i8
    over: bool

    def actions(self, out):
        for i in range(3):
            out[i] = (i64(i + 1) << i64(40)) + i
        return 0 if self.over else 3

    def play(self, action):
        self.gone += action
        self.turn = 1 - self.turn
        self.plies += i8(1)
        self.over = self.plies == 4

    def utility(self, seat):
        value = 1 if self.gone % 2 == 0 else -1
        return value if seat == 0 else -value

    def valid(self):
        return None if 0 <= self.plies <= 4 and self.over == (self.plies == 4) and self.turn == self.plies % 2 else "cannot be"


@game("urn")
class Urn:
    """A deal with weights: of two urns nine draws in ten are from the first; deal tries both alike and says how likely each is."""

    players = 1
    bounds = (0, 1)
    most_actions = 2

    urn: i8  # 0 not drawn yet, 1 or 2; 3 in a view
    guess: i8

    def player(self):
        return CHANCE if self.urn == 0 else 0

    def chances(self, out, probabilities):
        out[0], out[1] = 1, 2
        probabilities[0], probabilities[1] = 0.9, 0.1
        return 2

    def actions(self, out):
        out[0], out[1] = 1, 2
        return 0 if self.guess else 2

    def play(self, action):
        if self.urn == 0:
            self.urn = action
        else:
            self.guess = action

    def utility(self, seat):
        return 1 if self.urn == self.guess else 0

    def observe(self, seat):
        if self.urn and not self.guess:
            self.urn = 3

    def deal(self, seat, source):
        if self.urn != 3:
            return 1.0
        if below(source, 4) == 0:
            return 0.0  # a try may also fail
        self.urn = 1 + below(source, 2)
        return 0.9 if self.urn == 1 else 0.1

    def valid(self):
        return None if self.urn in (0, 1, 2) and self.guess in (0, 1, 2) and (self.urn or not self.guess) else "no such draw"


WORDS = ["ab", "ba", "aab", "bb"]


def _marks():
    marks = np.zeros(1 << 12, np.uint8)
    for word in WORDS:
        marks[sum((1 + "ab".index(letter)) << 2 * at for at, letter in enumerate(word))] = 1
    return marks


IS_WORD = table("words of a and b", _marks, dtype=np.uint8, shape=1 << 12)


@game("spelling")
class Spelling:
    """A data table: add a letter in turn; whoever completes a word of the lexicon wins, six letters are a draw."""

    most_actions = 2

    letters: u16
    count: i8
    turn: i8

    def is_terminal(self):
        return self.count == 6 or IS_WORD[self.letters] != 0

    def actions(self, out):
        out[0], out[1] = 1, 2
        return 0 if self.is_terminal() else 2

    def play(self, letter):
        self.letters |= u16(letter << (2 * self.count))
        self.count += i8(1)
        self.turn = 1 - self.turn

    def utility(self, seat):
        if IS_WORD[self.letters] == 0:
            return 0
        return -1 if seat == self.turn else 1

    def valid(self):
        letters = [int(self.letters) >> 2 * i & 3 for i in range(8)]
        good = 0 <= self.count <= 6 and 0 not in letters[: self.count] and not any(letters[self.count :]) and 3 not in letters
        return None if good and self.turn == self.count % 2 else "letters come one after the other"


@game("shuffling")
class Shuffling:
    """Draws by rule: step left or right on a ring of five; three equal positions, or eight steps without a mark, are a draw."""

    most_actions = 3
    draw_after = 8
    horizon = 50

    place: i8
    marks: i8
    since: i8
    turn: i8

    def is_drawn(self):
        return self.marks == 3  # dead: no marks are left to make, though one can still step

    def actions(self, out):
        out[0], out[1], out[2] = 0, 1, 2
        return 0 if self.marks == 4 else 2 if self.marks == 3 else 3

    def play(self, action):
        if action == 2:
            self.marks += i8(2) if self.place == 2 else i8(1)
            self.since = 0
        else:
            self.place = (self.place + (1 if action == 1 else 4)) % 5
            self.since += i8(1)
        self.turn = 1 - self.turn

    def reversible(self):
        return i64(self.since)

    def key(self):
        return u64(self.place) | u64(self.marks) << u64(8) | u64(self.turn) << u64(16)

    def utility(self, seat):
        if self.marks != 4:
            return 0
        return -1 if seat == self.turn else 1

    def valid(self):
        return None if 0 <= self.place < 5 and 0 <= self.marks <= 4 and 0 <= self.since <= 100 and self.turn in (0, 1) else "no"


@game("flags")
class Flags:
    """The smallest use of small types: a bool array and a bool."""

    most_actions = 2
    weights = [1, 2]  # noqa: RUF012  (as authors write it)

    up: Array[bool, 2]
    done: bool
    turn: u8

    def actions(self, out):
        out[0], out[1] = 0, 1
        return 0 if self.done else 2

    def play(self, action):
        self.up[action] = not self.up[action]
        self.done = self.up[0] and self.up[1]
        self.turn = 1 - self.turn

    def utility(self, seat):
        return -1 if seat == self.turn else 1

    def evaluate(self, seat, weights):
        ahead = weights[0] * self.up[0] + weights[1] * self.up[1]
        return ahead if seat == self.turn else -ahead

    def valid(self):
        return None if self.done == bool(self.up[0] and self.up[1]) else "not done"


FACETS = {"tricks": tricks, "merging": Merging, "bids": Bids, "lines": Lines, "far": Far, "urn": Urn, "spelling": Spelling,
          "shuffling": Shuffling, "flags": Flags}


def facet(name, **parameters):
    """One of these games, ready to be played."""
    return CompiledGame(FACETS[name](**parameters))
