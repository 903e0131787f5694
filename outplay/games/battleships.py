"""Battleships: lay your fleet unseen, shoot in turn, and sink the other's first.

Each player lays its ships, the longest first, across or down; they may touch but not overlap. Then both shoot in turn, are told of
each shot whether it hit and, with `sunk=yes`, which ship it sank.

>>> from outplay.game import load
>>> position = load("battleships:width=4,height=3,fleet=2").start().play("a1-b1 c2-c3 c2")
>>> position.text(), position.observe(1).text()
('a1-b1 | c2-c3 | 0:c2', '? | c2-c3 | 0:c2')

`side=hunt` is for one player: chance lays the fleet, and the fewer shots it takes, the more the game is worth.
"""

import numpy as np

from outplay.errors import BadValue
from outplay.jit import Array, below, evenly, i8, i16, i64, u8, u64
from outplay.picture import Cell, Picture
from outplay.rules import CHANCE, game

LETTERS = "abcdefghij"
UNSEEN = -1


def _lengths(text):
    """lengths of ships such as 5-4-3-3-2, one to eight of them"""
    parts = str(text).replace("+", "-").split("-")
    if not 1 <= len(parts) <= 8 or not all(part.isdecimal() and 1 <= int(part) <= 10 for part in parts):
        raise BadValue(f"battleships: fleet must be lengths of ships such as 5-4-3-3-2, got {text!r}")
    return "-".join(str(length) for length in sorted((int(part) for part in parts), reverse=True))


@game("battleships", width=range(1, 11), height=range(1, 11), fleet=_lengths, sunk=(True, False), side=("both", "hunt"))
def battleships(width=10, height=10, fleet="5-4-3-3-2", sunk=True, side="both"):
    """Two fleets, both hidden.

    Goal: hit every cell of the other's fleet before yours is hit.
    Fleet: lay your ships, the longest first, across or down; they may touch, but not overlap.
    Moves: name a cell to shoot at, in turn; you are told whether it hit and, with `sunk=yes`, which ship it sank.
    Hidden: you see your own fleet and all shots, and nothing of the other's ships but what was hit.
    Alone: with `side=hunt` chance lays the fleet, and the fewer shots it takes, the better.

    `width`: Columns of each sea.
    `height`: Rows of each sea.
    `fleet`: Lengths of each side's ships, such as 5-4-3-3-2.
    `sunk`: Whether one is told which ship a shot has sunk.
    `side`: both: two fleets fight; hunt: one player looks for a hidden fleet with few shots.
    """
    lengths = tuple(int(part) for part in fleet.split("-"))
    ships, cells = len(lengths), width * height
    whole = sum(lengths)
    spots = tuple(height * max(width - n + 1, 0) + (width * max(height - n + 1, 0) if n > 1 else 0) for n in lengths)
    # A draw's weight is its number of ways at each step over all ways to lay each ship. Laid over a hit, the k-th ship has at most
    # two directions and its length of ways; `largest` is the most that a weight can be when at least so many ships are.
    reach = [1.0]
    for k, fewest in zip(range(ships), sorted(spots), strict=True):
        reach.append(reach[-1] * 2 * sum(lengths[: ships - k]) / max(fewest, 1))
    largest = tuple(max(reach[at:]) for at in range(ships + 1))
    alone = side == "hunt"
    seats = 1 if alone else 2
    owners = 1 if alone else 2
    if whole > cells or max(lengths) > max(width, height):
        raise BadValue(f"battleships: a fleet of {fleet} does not fit on {width} x {height}")

    class Battleships:
        """Sink the other's fleet, which one does not see: a shot tells whether it hit, and whether a ship went down.

        A placement is its first cell, plus the number of cells when the ship lies down the board.
        """

        players = seats
        seat_names = ("First fleet", "Second fleet")[:seats] if seats > 1 else ()
        most_actions = 2 * cells
        bounds = (0.0, 1.0) if alone else (-1.0, 1.0)
        total = None if alone else 0.0

        # -------------------------------------------- rules
        laid: Array[i16, owners, ships]  # placement + 1, 0 not laid yet, -1 not seen
        log: Array[u8, owners, cells]  # the cells that a player shot at + 1, in order
        shots: Array[u8, owners]
        hits: Array[u8, owners, cells]  # per shot: 1 hit, 2 + ship number where it sank and that is told
        struck: Array[i8, owners, ships]  # how many cells of a player's ship are hit; of a ship that is not seen, 0
        left: Array[i8, owners]  # cells of a player's fleet that are not hit
        turn: i8

        def start(self):
            for owner in range(owners):
                self.left[owner] = whole

        def laying(self):
            """Whose ship is laid next, and which; the number of owners when all are."""
            for owner in range(owners):
                for ship in range(ships):
                    if self.laid[owner, ship] == 0:
                        return owner, ship
            return owners, 0

        def player(self):
            owner, _ = self.laying()
            if owner < owners:
                return CHANCE if alone else owner
            return self.turn + 0

        def is_terminal(self):
            for owner in range(owners):
                if self.left[owner] == 0:
                    return True
            return False

        def covers(self, owner, ship, cell):
            """Whether a ship that is seen lies on a cell."""
            spot = self.laid[owner, ship] - 1
            if spot < 0:
                return False
            down = spot >= cells
            first = spot - cells if down else spot
            step = width if down else 1
            away = cell - first
            return away >= 0 and away % step == 0 and away // step < lengths[ship]

        def is_free(self, owner, cell):
            for ship in range(ships):
                if self.covers(owner, ship, cell):
                    return False
            return True

        def taken(self, owner):
            """The cells on which ships of a player lie, as bits of two words."""
            low, high = u64(0), u64(0)
            for ship in range(ships):
                spot = i64(self.laid[owner, ship]) - 1
                if spot >= 0:
                    for k in range(lengths[ship]):
                        cell = spot % cells + k * (width if spot >= cells else 1)
                        if cell < 64:
                            low |= u64(1) << u64(cell)
                        else:
                            high |= u64(1) << u64(cell - 64)
            return low, high

        def fits(self, ship, spot, low, high):
            """Whether a ship may lie there: on the board, on no cell that is taken."""
            down = spot >= cells
            first = spot - cells if down else spot
            row, column = first // width, first % width
            if down and (row + lengths[ship] > height or lengths[ship] == 1):
                return False
            if not down and column + lengths[ship] > width:
                return False
            for k in range(lengths[ship]):
                cell = first + k * (width if down else 1)
                word = low >> u64(cell) if cell < 64 else high >> u64(cell - 64)
                if word & u64(1):
                    return False
            return True

        def list_spots(self, owner, ship, out):
            count = 0
            least = 0
            if not alone and ship > 0 and lengths[ship] == lengths[ship - 1]:  # equal ships are alike: laid in order
                least = max(self.laid[owner, ship - 1] - 1, 0) + 1
            low, high = self.taken(owner)
            for spot in range(least, 2 * cells):
                if self.fits(ship, spot, low, high):
                    out[count] = spot
                    count += 1
            if count == 0:  # the first of two equal ships took the last place of all: the second lies before it
                for spot in range(least):
                    if self.fits(ship, spot, low, high):
                        out[count] = spot
                        count += 1
            return count

        def chances(self, out, probabilities):
            owner, ship = self.laying()
            count = self.list_spots(owner, ship, out)
            return evenly(probabilities, count)

        def actions(self, out):
            if self.is_terminal():
                return 0
            owner, ship = self.laying()
            if owner < owners:
                return self.list_spots(owner, ship, out)
            me = self.turn
            count = 0
            for cell in range(cells):
                fresh = True
                for k in range(self.shots[me]):
                    if self.log[me, k] == cell + 1:
                        fresh = False
                        break
                if fresh:
                    out[count] = cell
                    count += 1
            return count

        def play(self, action):
            owner, ship = self.laying()
            if owner < owners:
                self.laid[owner, ship] = action + 1
                return
            me = self.turn
            target = 0 if alone else 1 - me
            at = self.shots[me]
            self.log[me, at] = action + 1
            self.shots[me] += 1
            for number in range(ships):
                if self.covers(target, number, action):
                    self.struck[target, number] += 1
                    self.left[target] -= 1
                    self.hits[me, at] = 1
                    if self.struck[target, number] == lengths[number] and sunk:
                        self.hits[me, at] = 2 + number
            if not alone:
                self.turn = 1 - me

        def utility(self, player):
            if alone:
                return 1.0 - (self.shots[0] - whole) / (cells - whole + 1.0)
            value = 1 if self.left[1] == 0 else -1
            return value if player == 0 else -value

        def observe(self, player):
            if self.is_terminal():
                return
            other = 0 if alone else 1 - player
            for ship in range(ships):
                if self.laid[other, ship] != 0:
                    self.laid[other, ship] = UNSEEN
                    self.struck[other, ship] = 0

        def deal(self, player, source):
            """Lay the ships that are not seen at random: first over the hits, one after the other, then the rest where nobody shot.

            Returns how likely a draw was against an even one, and 0 where the ships do not fit what was told.
            """
            other = 0 if alone else 1 - player
            if self.is_terminal() or self.laid[other, 0] != UNSEEN:
                return 1.0
            waiting = 0
            for ship in range(ships):
                if self.laid[other, ship] == UNSEEN:
                    self.laid[other, ship] = 0
                    waiting |= 1 << ship
            weight = 1.0
            while waiting != 0:
                target = self.first_bare_hit(player, other)
                low, high = self.taken(other)
                chosen = -1
                for turn in range(2):  # count the ways, then take one
                    count = 0
                    for ship in range(ships):
                        if (waiting >> ship) & 1 and chosen >= -1:
                            for spot in range(2 * cells):
                                if self.suits(player, ship, spot, target, low, high):
                                    if turn == 1 and count == chosen:
                                        self.laid[other, ship] = spot + 1
                                        waiting &= ~(1 << ship)
                                        chosen = -2
                                        weight /= spots[ship]  # every ship is laid once: the same in the end for all fleets
                                        break
                                    count += 1
                            if target < 0 or chosen == -2:
                                break  # the rest in order: each fleet comes about in one way only
                    if turn == 0:
                        if count == 0:
                            for ship in range(ships):
                                if (waiting >> ship) & 1:
                                    self.laid[other, ship] = UNSEEN
                            return 0.0
                        weight *= count
                        chosen = below(source, count)
            weight /= largest[self.fewest_over_hits(player)]
            if not alone:
                self.in_order(other)
            return weight if self.agrees(player, other) else 0.0

        def fewest_over_hits(self, player):
            """How many ships the hits need at least: those that were told to have sunk, and one if there is any hit."""
            told, hit = 0, 0
            for k in range(self.shots[player]):
                if self.hits[player, k] > 1:
                    told += 1
                if self.hits[player, k] > 0:
                    hit = 1
            return max(told, hit)

        def first_bare_hit(self, player, other):
            """The first cell that was hit and on which no ship lies yet, or -1."""
            for k in range(self.shots[player]):
                if self.hits[player, k] > 0 and self.is_free(other, self.log[player, k] - 1):
                    return self.log[player, k] - 1
            return -1

        def in_order(self, owner):
            """Equal ships in the order in which they are laid."""
            for ship in range(1, ships):
                for back in range(ship, 0, -1):
                    if lengths[back] == lengths[back - 1] and self.laid[owner, back] < self.laid[owner, back - 1]:
                        spare = self.laid[owner, back]
                        self.laid[owner, back] = self.laid[owner, back - 1]
                        self.laid[owner, back - 1] = spare

        def suits(self, player, ship, spot, target, low, high):
            """Whether a ship may lie there as far as the shots tell: over the target (over no hit where it is -1), on no miss."""
            down = spot >= cells
            first = spot - cells if down else spot
            step = width if down else 1
            if target >= 0:
                away = target - first
                if away < 0 or away % step != 0 or away // step >= lengths[ship]:
                    return False
            if not self.fits(ship, spot, low, high):
                return False
            for k in range(self.shots[player]):
                away = self.log[player, k] - 1 - first
                if (self.hits[player, k] == 0 or target < 0) and away >= 0 and away % step == 0 and away // step < lengths[ship]:
                    return False
            return True

        def agrees(self, player, other):
            """Whether the shots would have brought what they brought: as many hits, and the same ships sunk by the same shots."""
            for ship in range(ships):
                self.struck[other, ship] = 0
            fine = True
            for k in range(self.shots[player]):
                told = 0
                for ship in range(ships):
                    if self.covers(other, ship, self.log[player, k] - 1):
                        self.struck[other, ship] += 1
                        told = 2 + ship if self.struck[other, ship] == lengths[ship] and sunk else 1
                mine = self.hits[player, k]
                same = told == mine or (told > 1 and mine > 1 and lengths[told - 2] == lengths[mine - 2])
                fine = fine and same
            return fine

        # -------------------------------------------- notation: fleets, then shots by player and cell
        def text(self):
            def ship_text(owner, ship):
                spot = int(self.laid[owner, ship])
                return "?" if spot == UNSEEN else spot_text(spot - 1, lengths[ship])

            fleets = []
            for owner in range(owners):
                known = [ship_text(owner, ship) for ship in range(ships) if self.laid[owner, ship] != 0]
                fleets.append("?" if known and set(known) == {"?"} and len(known) == ships else " ".join(known) or "-")
            made = []
            for k in range(max(int(n) for n in self.shots)):
                for owner in range(owners):
                    if k < self.shots[owner]:
                        seen = self.laid[0 if alone else 1 - owner, 0] != UNSEEN
                        told = "*" if not seen and self.hits[owner, k] > 0 else ""
                        told += "" if seen or self.hits[owner, k] < 2 else str(int(self.hits[owner, k]) - 1)
                        made.append(f"{owner}:{cell_text(int(self.log[owner, k]) - 1)}{told}")
            return " | ".join([*fleets, " ".join(made)] if made else fleets)

        def parse(self, text):
            parts = [part.strip() for part in text.split("|")]
            if not all(parts) or not owners <= len(parts) <= owners + 1:
                raise ValueError("expected the fleets and the shots, parted by |, such as a1-b1 | c2-c3 | 0:c2")
            self.start()
            for owner, part in enumerate(parts[:owners]):
                words = [] if part == "-" else part.split()
                if len(words) > ships or (owner == 1 and words and 0 in self.laid[0]):
                    raise ValueError("the first player lays all its ships, then the second")
                for ship, word in enumerate(words):
                    spot = parse_spot(word, lengths[ship])
                    alike = not alone and ship > 0 and lengths[ship] == lengths[ship - 1]
                    least = int(self.laid[owner, ship - 1]) if alike else 0
                    if not self.fits(ship, spot, *self.taken(owner)) or spot < least:
                        raise ValueError(f"a ship of {lengths[ship]} cannot lie at {word}, or equal ships are not in order")
                    self.laid[owner, ship] = spot + 1
            for word in parts[owners].split() if len(parts) > owners else ():
                who, colon, cell = word.partition(":")
                number = parse_cell(cell)
                if not colon or self.laying()[0] < owners or self.is_terminal() or who != str(int(self.turn)):
                    raise ValueError(f"the shot {word} cannot come there")
                if number + 1 in self.log[int(self.turn), : int(self.shots[int(self.turn)])]:
                    raise ValueError(f"the shot {word} was made before")
                self.play(number)

        def is_public(self, action):
            return self.laying()[0] >= owners  # shots are seen, where a fleet lies is not

        def action_text(self, action):
            owner, ship = self.laying()
            return spot_text(int(action), lengths[ship]) if owner < owners else cell_text(int(action))

        def task(self):
            owner, ship = self.laying()
            if owner == owners:
                return "Name a cell to shoot at."
            length = lengths[ship]
            if length == 1:
                return "Place a ship of one cell."
            return f"Place a ship of {length} cells: touch its first cell, then its last."

        def standing(self, seat):
            shots = self.hits[1 - seat, : int(self.shots[1 - seat])] if seats > 1 else self.hits[0, : int(self.shots[0])]
            down = sum(1 for told in shots if told > 1)
            if sunk and not alone and down:
                left = sorted((lengths[ship] for ship in range(ships) if 2 + ship not in shots), reverse=True)
                return "afloat: " + (" ".join(map(str, left)) or "nothing")
            return ""

        def ending_text(self):
            if alone:
                return f"the fleet is sunk by {int(self.shots[0])} shots"
            sunk_one = 0 if self.left[0] == 0 else 1
            return f"the {('first', 'second')[sunk_one]} fleet is sunk"

        # -------------------------------------------- picture: both seas side by side, the shots at each marked
        def picture(self):
            def part(owner, ship, cell):
                spot, length = int(self.laid[owner, ship]) - 1, lengths[ship]
                at = (cell - spot % cells) // (width if spot >= cells else 1)
                if length == 1:
                    return "hull alone"
                ends = ("top", "bottom", "down") if spot >= cells else ("left", "right", "across")
                return f"hull {ends[0] if at == 0 else ends[1] if at == length - 1 else ends[2]}"

            def sea(owner, row):
                shooter = 0 if alone else 1 - owner
                shown = []
                for column in range(width):
                    cell = row * width + column
                    ship = next((s for s in range(ships) if self.laid[owner, s] > 0 and self.covers(owner, s, cell)), None)
                    told = [int(self.hits[shooter, k]) for k in range(int(self.shots[shooter])) if self.log[shooter, k] == cell + 1]
                    hull = "" if ship is None else part(owner, ship, cell)
                    if told and told[0]:
                        shown.append(Cell("x", "hit", owner, "check" if told[0] > 1 else False, ground=hull))
                    elif told:
                        shown.append(Cell("·", "miss"))
                    else:
                        shown.append(Cell("o", "ship", ground=hull) if ship is not None else Cell())
                return shown

            gap = [Cell(ground="off")]
            seas = [sea(0, row) if alone else sea(0, row) + gap + sea(1, row) for row in range(height)]
            owner, ship = self.laying()
            aim = 0 if alone or self.turn == 1 else width + 1
            if owner < owners:  # from the first to the last place of the ship
                left = 0 if alone or owner == 0 else width + 1
                listed = np.zeros(self.most_actions, np.int64)
                spots = {int(a): spot_text(int(a), lengths[ship]).split("-") for a in listed[: self.actions(listed)]}
                touches = {a: tuple((c // width, left + c % width) for c in map(parse_cell, ends)) for a, ends in spots.items()}
            else:
                touches = {c: ((c // width, aim + c % width),) for c in range(cells)}
            columns = tuple(LETTERS[:width]) if alone else (*LETTERS[:width], "", *LETTERS[:width])
            return Picture(cells=tuple(tuple(row) for row in seas), rows=tuple(str(r + 1) for r in range(height)), columns=columns,
                           look="sea", touches=touches, caption="" if alone else "first player's sea left, second player's right")

    def cell_text(cell):
        return f"{LETTERS[cell % width]}{cell // width + 1}"

    def parse_cell(text):
        column, row = LETTERS.find(text[:1].lower()), text[1:]
        if not 0 <= column < width or not row.isdecimal() or not 1 <= int(row) <= height:
            raise ValueError(f"expected a cell such as a1, got {text}")
        return (int(row) - 1) * width + column

    def spot_text(spot, length):
        first = spot % cells
        last = first + (length - 1) * (width if spot >= cells else 1)
        return cell_text(first) if length == 1 else f"{cell_text(first)}-{cell_text(last)}"

    def parse_spot(text, length):
        first, dash, last = text.partition("-")
        begin = parse_cell(first)
        end = parse_cell(last) if dash else begin
        if (end - begin == length - 1 and begin // width == end // width) or length == 1:
            return begin
        if end - begin == (length - 1) * width:
            return begin + cells
        raise ValueError(f"expected a ship of {length} such as a1-{LETTERS[min(length, width) - 1]}1, got {text}")

    return Battleships
