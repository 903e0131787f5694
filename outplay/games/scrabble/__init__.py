"""Scrabble: words across and down from tiles that nobody else sees.

A turn lays tiles in one line so that all the words that arise are in the list, or swaps tiles with the bag (while that holds a
rackful), or passes. Whoever has laid all tiles when the bag is empty ends the game, and gets what the others hold; so does a row of
turns without points, and then everyone loses what is on the rack.

>>> from outplay.game import load
>>> position = load("scrabble").position("15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 QUIXOT?/AEINRST 0/0 0 0")
>>> position.play("8D:QUIXOTe").text()
'15/15/15/15/15/15/15/3QUIXOTe5/15/15/15/15/15/15/15 /AEINRST 114/0 0 0 draw:7'

A play is written as the row and column of its first letter, the row first when it goes across (8H), the column first when it goes
down (H8), and the whole word, with blanks in lower case. `challenge=single` and `challenge=double` let a player lay a word across
which something else arises that is no word: the others may then doubt it.
"""

import numpy as np

from outplay.games.scrabble import notation
from outplay.games.scrabble.lexicon import SEPARATOR, lexicon
from outplay.games.scrabble.plays import ANSWER, BEST, LETTERS, LIST, MOST, PASS, PLACE, SWAP, plays_on
from outplay.games.scrabble.sets import LETTER, WORD, board_rows, layout, read_tiles, tile_set
from outplay.jit import Array, below, f64, i8, i16, i32, i64, lowest, popcount, table, u32
from outplay.rules import CHANCE, Derived, game, names_a_file

ACCEPT, CHALLENGE = ANSWER, ANSWER | 4
WALL = -1
ENABLE_STEPS = 796_834


@names_a_file
def _lexicon_name(text):
    """a word list: enable, or the file of one"""
    lexicon(text)
    return text


@game("scrabble", players=range(2, 5), lexicon=_lexicon_name, board=board_rows, tiles=tile_set, rack=range(2, 8),
      bonus=range(0, 201), challenge=("void", "single", "double"))
def scrabble(players=2, lexicon="enable", board="standard", tiles="english", rack=7, bonus=50, challenge="void"):
    """Words across and down, from tiles that nobody else sees.

    Goal: score most with words that cross.
    Moves: lay tiles in one line so that all words that arise are in the list, the first across the star in the middle and
      every later one touching what lies there; or swap tiles while the bag holds a rackful; or pass.
    Score: each new word counts its letters, doubled or threefold where a tile just laid covers such a square; all seven tiles
      at once add 50.
    Blanks: a blank is any letter and counts nothing.
    End: when the bag is empty and somebody has laid all tiles, who then gets what the others hold; or after a row of turns
      without points.

    `players`: How many play.
    `lexicon`: Which words count: enable, or a file with a word a line.
    `board`: The premium squares: standard, or a board of your own.
    `tiles`: Which letters there are and what they count.
    `rack`: Tiles that each holds.
    `bonus`: Points for laying all tiles of the rack at once.
    `challenge`: void: no false words; single: a doubt takes them back; double: and a wrong doubt costs the turn.
    """
    seats, rack_size, doubted, doubled = players, rack, challenge != "void", challenge == "double"
    rows = layout(board)
    size = len(rows)
    stride = size + 1
    cells = (size + 2) * stride + 1  # a wall around the board, one column of it between the rows
    star = next((r + 1) * stride + c + 1 for r in range(size) for c in range(size) if rows[r][c] == "*")
    letter_times, word_times = np.ones(cells, np.int64), np.ones(cells, np.int64)
    for r in range(size):
        for c in range(size):
            letter_times[(r + 1) * stride + c + 1] = LETTER.get(rows[r][c], 1)
            word_times[(r + 1) * stride + c + 1] = WORD.get(rows[r][c], 1)
    tile_counts, tile_values = read_tiles(tiles)
    whole_bag = sum(tile_counts)
    amounts = np.array(tile_counts, np.int64)
    worth = np.zeros(64, np.int64)  # by tile: letters 1 to 26, the same as blanks 32 higher
    worth[:27] = tile_values
    worth[32:59] = tile_values[0]
    idle_turns = 6 if players == 2 else 2 * players
    most = MOST
    steps, whole_racks = _tables(lexicon, rack)

    class Scrabble(plays_on(size, star, rack_size, bonus, worth, letter_times, word_times, steps, whole_racks)):
        """Lay words that cross those on the board; letters and premium squares count, and the most points win.

        Tiles on the board: 1 to 26, blanks 32 higher. On racks and in the bag they are counted: the blank is 0.
        """

        players = seats
        most_actions = most
        wide_actions = True
        recall = False  # what was swapped in and who held what is not written down
        scale = 4000.0
        unit = "points"
        stake = 25.0

        # -------------------------------------------- rules
        squares: Array[i8, cells]
        racks: Array[i8, seats, 27]
        held: Array[i8, seats]  # how many tiles each has, seen or not
        scores: Array[i16, seats]
        aside: Array[i8, 27]  # swapped, and back in the bag once others are drawn
        left: i16  # tiles in the bag
        need: i8  # tiles that the player to move is to draw
        turn: i8
        idle: i8  # turns without points in a row
        dealing: i8
        swapping: i8
        asked: i8  # who may doubt the last play, + 1
        laid: Array[i32, 2]  # that play, in two halves
        gain: i16
        fresh: i16  # its squares, counted from the first one
        skip: i8  # who lost a turn by a wrong doubt, one bit each
        over: i8
        bag: Derived[i8, 27]  # what the seats do not hold and the board does not show, as far as this state tells
        fits: Derived[u32, 2 * cells]  # letters that make a word in the other direction, by direction of play
        beside: Derived[i16, 2 * cells]  # what the tiles there are worth, -1 where there are none

        def start(self):
            squares = self.squares
            for place in range(cells):
                row, column = place // stride - 1, place % stride - 1
                squares[place] = 0 if 0 <= row < size and 0 <= column < size else WALL
            self.left = whole_bag
            self.need = min(rack_size, whole_bag)
            self.dealing = 1

        def player(self):
            if self.need > 0:
                return i64(CHANCE)
            if self.asked > 0:
                return i64(self.asked) - 1
            return i64(self.turn)

        def is_terminal(self):
            return self.over > 0

        def refresh(self):
            squares, bag, racks, aside, fits, beside = self.squares, self.bag, self.racks, self.aside, self.fits, self.beside
            for k in range(27):
                count = amounts[k] - aside[k]
                for seat in range(seats):
                    count -= racks[seat, k]
                bag[k] = count
            for place in range(cells):
                tile = i64(squares[place])
                if tile > 0:
                    bag[tile if tile < 32 else 0] -= 1
                for direction in range(2):
                    fits[direction * cells + place] = u32(0)
                    beside[direction * cells + place] = -1
            for place in range(cells):
                if squares[place] == 0:
                    self.look(0, place)
                    self.look(1, place)

        def look(self, direction, place):
            """What may lie on an empty square in a play of this direction, for the word in the other."""
            squares = self.squares
            step = stride if direction == 0 else 1
            first = i64(place) - step
            while squares[first] > 0:
                first -= step
            first += step
            last = i64(place) + step
            points = i64(0)
            while squares[last] > 0:
                points += worth[squares[last]]
                last += step
            if first == place and last == place + step:
                self.fits[direction * cells + place] = u32(LETTERS)
                self.beside[direction * cells + place] = -1
                return
            node = i64(1)
            found = i64(0)
            if first == place:  # only behind: backwards through those tiles, and then one letter
                at = last - step
                while at > place and node != 0:
                    node = self.follow(node, i64(squares[at]) & 31)
                    at -= step
                found = i64(steps[4 * node + 1])
            else:
                at = i64(place) - step
                while at >= first and node != 0:
                    points += worth[squares[at]]
                    node = self.follow(node, i64(squares[at]) & 31)
                    at -= step
                while at >= first:
                    points += worth[squares[at]]
                    at -= step
                node = self.follow(node, SEPARATOR)
                if last == place + step:
                    found = i64(steps[4 * node + 1])
                else:
                    choices = i64(steps[4 * node])
                    while choices != 0:
                        letter = lowest(choices)
                        choices &= choices - 1
                        here = self.follow(node, letter)
                        ends = i64(0)
                        at = i64(place) + step
                        while at < last and here != 0:
                            code = i64(squares[at]) & 31
                            ends = (i64(steps[4 * here + 1]) >> code) & 1
                            here = self.follow(here, code)
                            at += step
                        if at == last and ends == 1:
                            found |= i64(1) << letter
            self.fits[direction * cells + place] = u32(found & LETTERS)
            self.beside[direction * cells + place] = points

        def follow(self, node, letter):
            """Where a letter leads, 0 where it leads nowhere (node 0 has no letters)."""
            mask = i64(steps[4 * node])
            bit = i64(1) << letter
            if mask & bit == 0:
                return i64(0)
            return i64(steps[4 * node + 2]) + popcount(mask & (bit - 1))

        def actions(self, out):
            if self.over or self.need > 0:
                return 0
            if self.asked > 0:
                out[0], out[1] = ACCEPT, CHALLENGE
                return 2
            self.prepare(out)
            count = self.generate(out, out, LIST, doubted)
            if self.can_swap():
                count = self.swaps(out, out, count, LIST)
            out[count] = PASS
            return count + 1

        def can_swap(self):
            return self.left >= rack_size

        def choose(self, out, source):
            """What scores most."""
            if self.over:
                return i64(-1)
            if self.asked > 0:
                return i64(ACCEPT)
            self.prepare(out)
            return max(self.generate(out, out, BEST, False), i64(PASS))

        def draw(self, source):
            """As many tiles from the bag as are needed, lowest first."""
            bag = self.bag
            packed = i64(0)
            total = i64(0)
            for k in range(27):
                total += bag[k]
            for number in range(self.need):
                rank = below(source, total - number)
                for k in range(27):
                    there = i64(bag[k])
                    for before in range(number):
                        if (packed >> (5 * before)) & 31 == k + 1:
                            there -= 1
                    if rank < there:
                        at = number  # put it where it belongs: the others move up
                        while at > 0 and (packed >> (5 * (at - 1))) & 31 > k + 1:
                            at -= 1
                        low = packed & ((i64(1) << (5 * at)) - 1)
                        packed = low | (i64(k + 1) << (5 * at)) | ((packed ^ low) << 5)
                        break
                    rank -= there
            return packed

        def play(self, action):
            action = i64(action)
            if self.need > 0:
                self.take(action)
                return
            if self.asked > 0:
                self.answer(action)
                return
            kind = action & 3
            me = i64(self.turn)
            if kind == PLACE:
                fresh = self.put(action)
                if doubted:
                    self.laid[0] = i32(action & 0x3FFFFFFF)
                    self.laid[1] = i32(action >> 30)
                    self.fresh = fresh
                    self.asked = (me + 1) % seats + 1
                else:
                    self.after_play()
            elif kind == SWAP:
                packed = action >> 11
                while packed != 0:
                    tile = packed & 63
                    k = tile if tile < 32 else 0
                    self.racks[me, k] -= 1
                    self.aside[k] += 1
                    self.need += 1
                    packed >>= 6
                self.held[me] -= self.need
                self.swapping = 1
            else:
                self.idle += 1
                self.pass_on()

        def put(self, action):
            """Lay the tiles, count the points."""
            squares, racks, fits, beside = self.squares, self.racks, self.fits, self.beside
            me = i64(self.turn)
            direction = (action >> 2) & 1
            square = (action >> 3) & 255
            step = 1 if direction == 0 else stride
            place = (square // size + 1) * stride + square % size + 1
            first = place
            main, times, cross, laid, fresh = i64(0), i64(1), i64(0), i64(0), i64(0)
            packed = action >> 11
            while packed != 0:
                if squares[place] == 0:
                    tile = packed & 63
                    points = worth[tile] * letter_times[place]
                    main += points
                    times *= word_times[place]
                    near = i64(beside[direction * cells + place])
                    if near >= 0:
                        cross += (near + points) * word_times[place]
                    squares[place] = tile
                    for way in range(2):
                        fits[way * cells + place] = u32(0)
                        beside[way * cells + place] = -1
                    racks[me, tile if tile < 32 else 0] -= 1
                    laid += 1
                    packed >>= 6
                    fresh |= i64(1) << ((place - first) // step)
                else:
                    main += worth[squares[place]]
                place += step
            while squares[place] > 0:
                main += worth[squares[place]]
                place += step
            last = place
            place = first - step
            while squares[place] > 0:
                main += worth[squares[place]]
                place -= step
            if squares[place] == 0:
                self.look(1 - direction, place)
            if squares[last] == 0:
                self.look(1 - direction, last)
            other = stride if direction == 0 else 1
            for at in range(first, last, step):
                for side in range(2):
                    away = -other if side == 0 else other
                    place = at + away
                    while squares[place] > 0:
                        place += away
                    if squares[place] == 0:
                        self.look(direction, place)
            self.held[me] -= laid
            self.gain = main * times + cross + (bonus if laid == rack_size else 0)
            self.scores[me] += self.gain
            return fresh

        def after_play(self):
            """A play stands: draw, or end the game."""
            me = i64(self.turn)
            if self.gain > 0:
                self.idle = 0
            else:
                self.idle += 1
            self.forget()
            self.need = min(rack_size - self.held[me], self.left)
            if self.held[me] == 0 and self.left == 0:
                for seat in range(seats):
                    points = self.on_rack(seat)
                    self.scores[seat] -= points
                    self.scores[me] += points
                self.over = 1
            elif self.need == 0:
                self.pass_on()

        def forget(self):
            """Nothing is to be doubted any more."""
            self.asked = 0
            self.gain = 0
            self.fresh = 0
            self.laid[0] = 0
            self.laid[1] = 0

        def points_of(self, k):
            """What a tile is worth."""
            return worth[k]

        def on_rack(self, seat):
            """What a rack is worth."""
            racks = self.racks
            points = i64(0)
            for k in range(27):
                points += worth[k] * racks[seat, k]
            return points

        def pass_on(self):
            """The next player's turn, unless nothing happens any more."""
            while True:
                if self.idle >= idle_turns:
                    for seat in range(seats):
                        self.scores[seat] -= self.on_rack(seat)
                    self.over = 1
                    return
                self.turn = (self.turn + 1) % seats
                if (self.skip >> self.turn) & 1 == 0:
                    return
                self.skip &= ~(1 << self.turn)
                self.idle += 1

        def take(self, drawn):
            """The player to move gets tiles from the bag."""
            me = i64(self.turn)
            while drawn != 0:
                k = (drawn & 31) - 1
                self.racks[me, k] += 1
                self.bag[k] -= 1
                drawn >>= 5
            self.held[me] += self.need
            self.left -= self.need
            if self.swapping:
                self.left += self.need
                for k in range(27):
                    self.bag[k] += self.aside[k]
                    self.aside[k] = 0
                self.swapping = 0
                self.idle += 1
            self.need = 0
            if self.dealing and me < seats - 1:
                self.turn += 1
                self.need = min(rack_size, self.left)
                if self.need > 0:
                    return
            if self.dealing:
                self.dealing = 0
                self.turn = 0
                return
            self.pass_on()

        def answer(self, action):
            """The player who is asked doubts the last play, or not."""
            if action == ACCEPT:
                following = i64(self.asked) % seats
                if following == self.turn:
                    self.after_play()
                else:
                    self.asked = following + 1
                return
            play = i64(self.laid[0]) | (i64(self.laid[1]) << 30)
            if self.is_right(play):
                if doubled:
                    self.skip |= 1 << (self.asked - 1)
                self.after_play()
            else:
                self.take_back(play)
                self.forget()
                self.idle += 1
                self.pass_on()

        def is_right(self, play):
            """Whether every word that the last play made across its direction is a word; the one along it always is."""
            squares = self.squares
            direction = (play >> 2) & 1
            step, other = (1, stride) if direction == 0 else (stride, 1)
            first = self.first_place(play)
            right = True
            for k in range(size):
                if (i64(self.fresh) >> k) & 1:
                    place = first + k * step
                    if squares[place - other] > 0 or squares[place + other] > 0:
                        tile = i64(squares[place])
                        squares[place] = 0
                        self.look(direction, place)
                        right = right and (i64(self.fits[direction * cells + place]) >> (tile & 31)) & 1 == 1
                        self.fits[direction * cells + place] = u32(0)
                        self.beside[direction * cells + place] = -1
                        squares[place] = tile
            return right

        def first_place(self, play):
            square = (play >> 3) & 255
            return (square // size + 1) * stride + square % size + 1

        def take_back(self, play):
            """The last play goes back to the rack it came from."""
            me = i64(self.turn)
            step = 1 if (play >> 2) & 1 == 0 else stride
            first = self.first_place(play)
            for k in range(size):
                if (i64(self.fresh) >> k) & 1:
                    tile = i64(self.squares[first + k * step])
                    self.squares[first + k * step] = 0
                    self.racks[me, tile if tile < 32 else 0] += 1
                    self.held[me] += 1
            self.scores[me] -= self.gain
            self.refresh()

        def utility(self, seat):
            best, winners = i64(self.scores[0]), 0
            for other in range(seats):
                best = max(best, i64(self.scores[other]))
            for other in range(seats):
                if self.scores[other] == best:
                    winners += 1
            if self.scores[seat] == best:
                return (seats - winners) / (winners * (seats - 1.0))
            return -1.0 / (seats - 1.0)

        def evaluate(self, seat, weights):
            """The lead, in points."""
            ahead = -10_000
            for other in range(seats):
                if other != seat:
                    ahead = max(ahead, i64(self.scores[other]))
            return f64(max(min(i64(self.scores[seat]) - ahead, 3999), -3999))

        def observe(self, seat):
            bag, racks, aside = self.bag, self.racks, self.aside
            if self.over:
                return
            for other in range(seats):
                if other != seat:
                    for k in range(27):
                        bag[k] += racks[other, k]
                        racks[other, k] = 0
            if self.turn != seat:
                for k in range(27):
                    bag[k] += aside[k]
                    aside[k] = 0

        def deal(self, seat, source):
            """Any of the unseen tiles may be anywhere."""
            bag, racks, aside = self.bag, self.racks, self.aside
            if self.over:
                return 1.0
            total = i64(0)
            for k in range(27):
                total += bag[k]
            for other in range(seats + 1):  # the last is what was set aside
                wanted = i64(self.held[other]) if other < seats else i64(self.need) if self.swapping else i64(0)
                for k in range(27):
                    wanted -= racks[other, k] if other < seats else aside[k]
                for _ in range(wanted):
                    rank = below(source, total)
                    for k in range(27):
                        if rank < bag[k]:
                            bag[k] -= 1
                            total -= 1
                            if other < seats:
                                racks[other, k] += 1
                            else:
                                aside[k] += 1
                            break
                        rank -= bag[k]
            return 1.0

        # -------------------------------------------- notation and picture
        def text(self):
            return notation.text(self, table_of)

        def parse(self, text):
            self.start()
            notation.parse(self, text, table_of)
            self.refresh()

        def valid(self):
            return notation.objection(self, table_of)

        def is_public(self, action):
            return self.player() != CHANCE and not notation.action_text(self, int(action), table_of).startswith("swap:")

        def veiled_text(self, action):
            text = notation.action_text(self, int(action), table_of)
            return f"swap {len(text) - len('swap:')}" if text.startswith("swap:") else ""

        def action_text(self, action):
            return notation.action_text(self, int(action), table_of)

        def parse_action(self, text):
            return notation.parse_action(self, text, table_of)

        def task(self):
            return "Doubt the last word, or let it stand." if self.asked else "Lay a word, swap tiles, or pass."

        def standing(self, seat):
            return f"{int(self.scores[seat])} points"

        def ending_text(self):
            points = " to ".join(str(int(score)) for score in sorted(self.scores, reverse=True))
            return f"{points} points" + ("" if self.idle < idle_turns else ", after turns without points")

        def picture(self):
            return notation.picture(self, table_of)

    numbers = ("first", "second", "third", "fourth")[:seats]
    table_of = notation.Set(rows, tile_counts, tile_values, seats, rack_size, numbers, _knows(lexicon), not doubted)
    return Scrabble


def _knows(name):
    """Whether a word is in a list, which is not read before somebody asks."""
    return lambda word: lexicon(name).is_word(word)


def _tables(name, rack):
    """The automaton of a word list, and its words of a whole rack; those of the common list are not made before they are needed."""
    steps = STEPS
    if name != "enable":
        found = lexicon(name).steps
        steps = table(f"steps of {name}", lambda: found, dtype=np.uint32, shape=found.shape)
    return steps, table(f"racks of {rack} in {name}", lambda: lexicon(name).whole_racks(rack), dtype=np.uint64, shape=1 << 16)


STEPS = table("steps of enable", lambda: lexicon("enable").steps, dtype=np.uint32, shape=4 * ENABLE_STEPS)
