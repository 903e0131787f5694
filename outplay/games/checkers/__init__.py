"""Checkers, or draughts (Europe, about 1100; the large board, about 1720): take or shut in all men of the other.

>>> from outplay.game import load
>>> position = load("checkers").start().play("11-15 23-19 8-11")
>>> position.text()
'W:W19,21,22,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,9,10,11,12,15'
>>> load("checkers:variant=international").start().play("32-28 19-23 28x19").text()[:30]
'B:W19,31,33,34,35,36,37,38,39,'

Taking is forced, and a chain of jumps is one move. The relatives differ by switches (`VARIANTS`): whether kings fly, whether men
take backwards, which capture must be chosen, and what a man does that reaches the last row while taking. Frisian captures also go
along rows and columns, and a king that made three moves in a row waits there while its side has men. Where kings do not fly, two
ways of a capture with the same effect are two moves, as programs count them; where they fly, they are one.
"""

from collections import namedtuple

from outplay.errors import BadValue
from outplay.evaluations import Evaluation
from outplay.evaluations.nnue import Nnue
from outplay.games.checkers import evaluation, network, numbering
from outplay.games.checkers.boards import NONE, ONE, boards
from outplay.games.checkers.moves import CROWN, SQUARE, TO, moves, taking
from outplay.games.checkers.notation import Notation, listed
from outplay.jit import f64, i8, i16, i64, lowest, mix, popcount, u64
from outplay.rules import Derived, game, uncompiled

Variant = namedtuple("Variant", "size flying backward rule last_row men_take_kings first low mirrored draw_after game_type frisian",
                     defaults=(False,))
VARIANTS = {
    # draw_after: plies with neither a capture nor a man's move; game_type: the number in PDN
    "english": Variant(8, False, False, "any", "stops", True, "Black", True, False, 80, 21),
    "international": Variant(10, True, True, "most", "man", True, "White", False, False, 50, 20),
    "russian": Variant(8, True, True, "any", "king", True, "White", False, False, 30, 25),
    "brazilian": Variant(8, True, True, "most", "man", True, "White", False, False, 40, 26),
    "pool": Variant(8, True, True, "any", "man", True, "Black", True, False, 80, 23),
    "italian": Variant(8, False, False, "italian", "stops", False, "White", False, True, 80, 22),
    "spanish": Variant(8, True, False, "spanish", "stops", True, "White", False, True, 80, 24),
    "czech": Variant(8, True, False, "kings", "stops", True, "White", False, False, 60, 29),
    "frisian": Variant(10, True, True, "value", "man", True, "White", False, False, 100, 40, True),
}
WALK = 3  # moves in a row that a Frisian king may make without taking, while its side has men
PERIODS = 4  # of a game, by the men that are gone: what Multi-ProbCut tells apart


@game("checkers", variant=tuple(VARIANTS))
def checkers(variant="english"):
    """Take or shut in all men of the other; taking is forced.

    Goal: take all of the other's men, or leave them without a move.
    Moves: a man steps one square forward along a diagonal; on the last row it becomes a king, which also goes backwards.
    Taking: jump over a neighbouring man of the other's to the empty square behind; several jumps in a row are one move. Who
      can take must take.
    Variants: `variant` chooses one of nine relatives, in most of which kings fly any distance and men take backwards.
    End: who cannot move has lost; many moves (40 of each side in the English game) without a capture or a man's step are a
      draw.

    `variant`: Whose draughts: they differ in board, in what kings do and in which captures must be made.
    """
    rules = VARIANTS[variant]
    size, flying, limit = rules.size, rules.flying, rules.draw_after
    half = size // 2
    most = 128 if not flying else 320
    men_each = half * (half - 1)
    tools = boards(size)
    frisian = rules.frisian
    list_of = moves(size, flying, rules.backward, rules.rule, rules.last_row, rules.men_take_kings, frisian, most)
    unpack = taking(size, frisian).unpack
    jumpers, captures, quiet, can_move = list_of.jumpers, list_of.captures, list_of.quiet, list_of.can_move
    board, last_row, turned, step, bits = tools.board, tools.last_row, tools.turned, tools.step, tools.bits
    value = evaluation.judge(size, flying, rules.backward).value
    learned = network.network(size, frisian, 2 * men_each)
    seen, last_layer = learned.inputs, learned.bucket
    numbers = numbering.numbering(size)
    class_of, index_of, set_of = numbers.class_of, numbers.index_of, numbers.set_of
    last_bit = bits[-1]
    colours = ("Black", "White") if rules.first == "Black" else ("White", "Black")
    words = Notation(size, colours, rules.low, rules.mirrored, rules.game_type, frisian)
    start_men = sum(1 << bit for bit in bits[:men_each])
    start_other = sum(1 << bit for bit in bits[-men_each:])
    places = tuple((bit, row, 2 * column + (1 - row % 2)) for bit, (row, column) in
                   ((bit, divmod(place, half)) for place, bit in enumerate(bits)))

    def with_network(tools):
        """The same rules with accumulators, and a network beside the weighted sum of features or in place of it."""
        kept = learned.accumulator(tools)
        refresh, follow, judged, share, is_added = kept.refresh, kept.follow, tools.judged, tools.share, tools.added

        class CheckersWithNetwork(Checkers):
            """Take or shut in all men of the other; taking is forced."""

            weights = evaluation.default_weights() if tools.weights is None else tools.weights
            make, place, take_back = Checkers.play, Checkers.table_place, Checkers.retract

            sums: Derived[i16, 2, tools.hidden]  # the network's first layer, as each seat sees the board

            def refresh(self):
                refresh(self)

            def play(self, action):
                follow(self, action)
                self.make(action)

            def evaluate(self, player, weights):
                own = value(self.mine, self.theirs, self.kings, weights)
                points = f64(judged(self.sums, i64(self.turn), self.nnue_bucket()))
                part = share(own if is_added else points)
                points = own + part * points if is_added else part * points + (1.0 - part) * own
                return points if player == self.turn else -points

            def table_place(self, klass, index):
                is_there = self.place(klass, index)
                refresh(self)
                return is_there

            def retract(self, retraction):
                self.take_back(retraction)
                refresh(self)

        return CheckersWithNetwork

    class Checkers:
        """Take or shut in all men of the other; taking is forced."""

        most_actions = most
        wide_actions = True
        seat_names = colours
        scale = 10_000.0
        unit = "hundredths of a man"
        stake = 100.0
        weights = evaluation.default_weights()
        evaluation = Evaluation(names=tuple(evaluation.FEATURES),
                                nnue=Nnue(network.INPUTS, 2 * men_each, network.BUCKETS, with_network))  # fmt: skip
        draw_after = limit
        plane_shape = (5, size, size)

        # -------------------------------------------- rules
        # Words are boards as the player to move sees them, turned round with every move. An action: see moves.py.
        mine: u64  # men and kings of the player to move
        theirs: u64
        kings: u64  # of both
        since: i16  # plies since the last capture or man's move
        turn: i8
        # Frisian: how often my last moves were the same king's, nothing taken, and the bit where it stands; and the other's.
        walked: i8
        walker: i8
        their_walked: i8
        their_walker: i8

        def start(self):
            self.mine, self.theirs = start_men, start_other

        def held(self):
            if frisian and self.walked >= WALK and self.mine & ~self.kings != NONE:
                return ONE << u64(self.walker)
            return NONE

        def is_terminal(self):
            return not can_move(self.mine, self.theirs, self.kings, self.held())

        def is_drawn(self):
            if frisian and (self.mine | self.theirs) & ~self.kings == NONE:  # kings alone: one against one, two against one
                few = popcount(self.mine | self.theirs)
                if (few == 2 and self.since >= 4) or (few == 3 and self.since >= 14):
                    return True
            return self.since >= limit

        def reversible(self):
            return i64(self.since)

        def actions(self, out):
            mine, theirs, kings = self.mine, self.theirs, self.kings
            takers = jumpers(mine, theirs, kings)
            if takers != NONE:
                return captures(mine, theirs, kings, takers, out)
            return quiet(mine, theirs, kings, self.held(), out)

        def play(self, action):
            start, end = ONE << u64(action & SQUARE), ONE << u64((action >> TO) & SQUARE)
            taken = unpack(action)
            mine, theirs, kings = self.mine, self.theirs & ~taken, self.kings & ~taken
            is_king = kings & start != NONE
            mine = (mine & ~start) | end
            if is_king:
                kings = (kings & ~start) | end
            elif (action >> CROWN) & 1:
                kings |= end
            self.since = self.since + 1 if is_king and taken == NONE else 0
            if frisian:
                walked, walker, their_walked, their_walker = i64(0), i64(0), i64(self.their_walked), i64(self.their_walker)
                if is_king and taken == NONE:
                    goes_on = self.walked > 0 and i64(self.walker) == i64(action & SQUARE)
                    walked = min(i64(self.walked) + 1, i64(WALK)) if goes_on else i64(1)
                    walker = i64(last_bit) - i64((action >> TO) & SQUARE)
                if their_walked == 0 or taken & (ONE << u64(their_walker)) != NONE:
                    their_walked, their_walker = i64(0), i64(last_bit)
                self.walked, self.walker = their_walked, last_bit - their_walker
                self.their_walked, self.their_walker = walked, walker
            self.mine, self.theirs, self.kings = turned(theirs), turned(mine), turned(kings)
            self.turn = 1 - self.turn

        def utility(self, player):
            if can_move(self.mine, self.theirs, self.kings, self.held()):
                return 0  # drawn
            return -1 if player == self.turn else 1

        def key(self):
            word = mix(self.mine * u64(0x9E3779B97F4A7C15) ^ mix(self.theirs + u64(self.turn)))
            if frisian:
                walks = ((i64(self.walked) * 64 + i64(self.walker)) * 4 + i64(self.their_walked)) * 64 + i64(self.their_walker)
                word ^= u64(walks) * u64(0xA0761D6478BD642F)
            return mix(word ^ (self.kings * u64(0xD6E8FEB86659FD93)))

        # -------------------------------------------- judgement and order
        def evaluate(self, player, weights):
            points = value(self.mine, self.theirs, self.kings, weights)
            return points if player == self.turn else -points

        def period(self):
            return i64(min(PERIODS - 1, PERIODS * (2 * men_each - popcount(self.mine | self.theirs)) // (2 * men_each)))

        def urgent(self):
            return jumpers(self.mine, self.theirs, self.kings) != NONE

        def forcing(self, out):
            mine, theirs, kings = self.mine, self.theirs, self.kings
            takers = jumpers(mine, theirs, kings)
            return captures(mine, theirs, kings, takers, out) if takers != NONE else i64(0)

        def order(self, action):
            taken = unpack(action)
            if taken != NONE:
                return i64(10 + 2 * popcount(taken) + 3 * popcount(taken & self.kings))
            return i64(5) if (action >> CROWN) & 1 else i64(0)

        def planes(self, seat, out):
            mine, theirs, kings = self.mine, self.theirs, self.kings
            if seat != self.turn:
                mine, theirs, kings = turned(theirs), turned(mine), turned(kings)
            for row in range(size):
                for column in range(size):
                    for plane in range(4):
                        out[plane, row, column] = 0
                    out[4, row, column] = i64(self.since) / limit
            for bit, row, column in places:
                square = ONE << u64(bit)
                is_king = kings & square != NONE
                if mine & square != NONE:
                    out[1 if is_king else 0, row, column] = 1
                elif theirs & square != NONE:
                    out[3 if is_king else 2, row, column] = 1

        # -------------------------------------------- network
        def nnue_inputs(self, seat, out):
            return seen(self, seat, out)

        def nnue_bucket(self):
            return last_layer(self)

        # -------------------------------------------- tables
        def table_class(self):
            if frisian:
                return i64(-1)  # what a king may do there depends on the moves before
            return class_of(self.mine, self.theirs, self.kings)

        def table_index(self):
            return index_of(self.mine, self.theirs, self.kings)

        def table_place(self, klass, index):
            men, their_men, own_kings, their_kings = set_of(klass, index)
            self.mine, self.theirs, self.kings = men | own_kings, their_men | their_kings, own_kings | their_kings
            self.since, self.turn = 0, 0
            self.walked, self.walker, self.their_walked, self.their_walker = 0, 0, 0, 0
            return men & their_men == NONE

        def retractions(self, out):
            # Steps and slides of the other that may have led here; what took or was crowned came from another class.
            empty = board & ~(self.mine | self.theirs)
            count = 0
            rest = self.theirs
            while rest != NONE:
                end = rest & (NONE - rest)
                rest ^= end
                is_king = self.kings & end != NONE
                for direction in range(4 if is_king else 2):  # forward for me is backward for them
                    start = step(end, direction)
                    while start & empty != NONE:
                        out[count] = i64(lowest(start)) | (i64(lowest(end)) << TO)
                        count += 1
                        if not (flying and is_king):
                            break
                        start = step(start, direction)
            return count

        def retract(self, retraction):
            start, end = ONE << u64(retraction & SQUARE), ONE << u64((retraction >> TO) & SQUARE)
            theirs, kings = (self.theirs ^ end) | start, self.kings
            if kings & end != NONE:
                kings = (kings ^ end) | start
            self.mine, self.theirs, self.kings = turned(theirs), turned(self.mine), turned(kings)
            self.turn = 1 - self.turn

        def table_classes(self, men):
            if men > numbering.MOST_MEN:
                raise BadValue(f"tables of checkers hold at most {numbering.MOST_MEN} men, got {men}")
            return [] if frisian else list(numbering.families(men, size))

        # -------------------------------------------- notation
        def text(self):
            return words.write(self)

        def parse(self, text):
            words.read(self, text)

        def valid(self):
            return words.impossible(self, last_row, men_each)

        def action_text(self, action):
            return words.write_move(self, int(action), listed(self, most), flying)

        def parse_action(self, text):
            return words.read_move(self, text, listed(self, most), flying)

        def task(self):
            return "You must take." if jumpers(self.mine, self.theirs, self.kings) != NONE else ""

        def standing(self, seat):
            mine = int(self.mine if seat == self.turn else self.theirs)
            kings = (mine & int(self.kings)).bit_count()
            return f"{mine.bit_count()} men" + (f", {kings} of them king{'s' * (kings != 1)}" if kings else "")

        def ending_text(self):
            if can_move(self.mine, self.theirs, self.kings, self.held()):
                few = int(self.mine | self.theirs).bit_count() < 4 and self.since < limit
                return "kings alone cannot win it" if few else f"{limit} plies without a capture or a man's move"
            loser = colours[int(self.turn)]
            return f"{loser} has no man left" if self.mine == NONE else f"{loser} cannot move"

        # -------------------------------------------- picture
        def picture(self):
            return words.picture(self, listed(self, most), flying)

        @uncompiled
        def words(self):
            return words

    return Checkers
