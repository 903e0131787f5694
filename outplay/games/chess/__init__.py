"""Chess (Europe, about 1475; Chess960 by Bobby Fischer, 1996): mate the other king.

>>> from outplay.game import load
>>> position = load("chess").start().play("e2e4 e7e5 Nf3")
>>> position.text()
'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2'
>>> len(position.actions()), position.action_text(position.parse_action("Nc6"))
(29, 'b8c6')
>>> load("chess:start=0").start().text()
'bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1'

A position that no history belongs to cannot know what was on the board before: the rules end a game by mate, stalemate, dead
material or the seventy-five moves, searches count repeated positions along their path (`reversible`), and `draw_claim` of
`outplay.games.chess.notation` looks at a whole game for the threefold repetition and the fifty moves that a player may claim.
"""

from functools import partial

from outplay.evaluations import Evaluation
from outplay.evaluations.nnue import Nnue
from outplay.games.chess import evaluation, network, notation, numbering, syzygy
from outplay.games.chess.boards import NONE
from outplay.games.chess.exchange import priority
from outplay.games.chess.moves import checkers, each_move, generate, is_dead, legal_en_passant, make, make_nothing
from outplay.jit import f64, i8, i16, i64, u64
from outplay.rules import Derived, game

SEVENTY_FIVE = 150  # half-moves without a capture or a pawn's move


@game("chess", start=range(960))
def chess(start=518):
    """Mate the other king. `start` is the number of a Chess960 starting position; 518 is the usual one.

    Goal: attack the other king so that it cannot escape: checkmate.
    Moves: rooks go along ranks and files, bishops along diagonals, the queen both ways, the king one square, knights leap two
      squares and one aside; pawns step forward (two squares from home) and take diagonally forward.
    Special: castling moves the king two squares towards a rook and the rook beside it; a pawn may take one that just passed
      it by its double step; on the last rank a pawn becomes a queen, rook, bishop or knight.
    Check: a king that is attacked must get out of it; no move may leave one's own king attacked.
    Draws: no legal move without check (stalemate), too little material to mate, 75 moves of each side without a capture or a
      pawn's move; after 50 of them, or when a position comes for the third time, a player may claim it.

    `start`: The starting position by its number in Chess960: 518 is the usual one, others shuffle the back rank.
    """
    return _rules(start)


def _rules(start):
    learned = Nnue(network.INPUTS, network.MOST, network.BUCKETS, partial(_rules_with_network, start))

    class Chess:
        """Mate the other king."""

        most_actions = 256
        policy_size = 1 << 15  # from, to and promotion in 15 bits
        scale = 10_000.0
        unit = "centipawns"
        stake = 100.0
        weights = evaluation.default_weights()
        evaluation = Evaluation(groups=evaluation.members(), sets={"material": evaluation.material_only}, nnue=learned)
        bulk_counting = True
        draw_after = 100  # plies: the fifty moves
        seat_names = ("White", "Black")

        # -------------------------------------------- rules
        # All words are boards as the player to move sees them: the eight bytes are turned round with every move.
        mine: u64  # pieces of the player to move
        pawns: u64  # of both players, like all that follow
        knights: u64
        diagonals: u64  # bishops and queens
        straights: u64  # rooks and queens
        kings: u64
        castling: u64  # rooks that may still castle
        en_passant: u64  # the square that a pawn has just passed, where a pawn stands that might take it
        since: i16  # half-moves since the last capture or pawn's move
        number: i16  # of the move, from 1 on
        turn: i8

        def is_drawn(self):
            return self.since >= SEVENTY_FIVE or is_dead(self)

        def actions(self, out):
            return each_move(self, None, True) if out is None else generate(self, out, True)

        def has_moves(self):
            return generate(self, None, True) != 0

        def play(self, action):
            make(self, action)

        def utility(self, player):
            if checkers(self) == NONE or self.has_moves():
                return 0
            return -1 if player == self.turn else 1

        def key(self):
            # Each word is multiplied in and its high half folded down before the next: seven multiplications a position.
            word = (self.mine ^ u64(0x8CB92BA72F3D8DD7)) * u64(0x9FB21C651E98DF25)
            word = ((word ^ (word >> u64(32))) ^ self.pawns) * u64(0xD6E8FEB86659FD93)
            word = ((word ^ (word >> u64(32))) ^ self.knights) * u64(0xC2B2AE3D27D4EB4F)
            word = ((word ^ (word >> u64(32))) ^ self.diagonals) * u64(0xA0761D6478BD642F)
            word = ((word ^ (word >> u64(32))) ^ self.straights) * u64(0xE7037ED1A0B428DB)
            word = ((word ^ (word >> u64(32))) ^ self.kings) * u64(0x8EBC6AF09C88C6E3)
            word = ((word ^ (word >> u64(32))) ^ self.castling) * u64(0x589965CC75374CC3)
            word ^= u64(self.turn) << u64(17)
            if self.en_passant != NONE and legal_en_passant(self):
                word ^= self.en_passant
            word = (word ^ (word >> u64(29))) * u64(0xBF58476D1CE4E5B9)
            return word ^ (word >> u64(32))

        def reversible(self):
            return i64(self.since)

        def evaluate(self, player, weights):
            points = evaluation.value(self, weights)
            return points if player == self.turn else -points

        def order(self, action):
            return priority(self, action)

        def forcing(self, out):
            listed = generate(self, out, False)
            if checkers(self) != NONE:
                return listed
            count = 0
            for i in range(listed):  # a capture that loses material is no way to quiet down
                if priority(self, out[i]) > 0:
                    out[count] = out[i]
                    count += 1
            return count

        def urgent(self):
            return checkers(self) != NONE

        def pass_turn(self):
            # In check there is no passing, and with pawns alone it would often be better than any move (zugzwang).
            if (self.knights | self.diagonals | self.straights) & self.mine == NONE or checkers(self) != NONE:
                return False
            make_nothing(self)
            return True

        # -------------------------------------------- network
        def nnue_inputs(self, seat, out):
            return network.inputs(self, seat, out)

        def nnue_bucket(self):
            return network.bucket(self)

        # -------------------------------------------- tables
        def table_class(self):
            return numbering.class_of(self)

        def table_index(self):
            return numbering.index_of(self)

        def table_place(self, klass, index):
            return numbering.place(self, klass, index)

        def retractions(self, out):
            return numbering.list_retractions(self, out)

        def retract(self, retraction):
            numbering.take_back(self, retraction)

        def probe(self, files, states, actions, at):
            return syzygy.look(self, files, states, actions, at)

        def table_classes(self, men):
            return list(numbering.families(men))

        # -------------------------------------------- notation
        def start(self):
            notation.set_up(self, start)

        def text(self):
            return notation.write_fen(self)

        def parse(self, text):
            notation.read_fen(self, text)

        def valid(self):
            return notation.impossible(self)

        def action_text(self, action):
            return notation.write_uci(self, action, chess960=start != 518)

        def parse_action(self, text):
            return notation.read_move(self, text)

        def task(self):
            return "Your king is in check." if checkers(self) != NONE else ""

        def ending_text(self):
            return notation.ending(self, self.has_moves(), checkers(self) != NONE, SEVENTY_FIVE)

        # -------------------------------------------- picture
        def picture(self):
            return notation.picture(self)

    return Chess


def _rules_with_network(start, tools):
    """The same rules with accumulators, and a network beside the weighted sum of features or in place of it."""
    kept = network.accumulator(tools)
    refresh, refresh_seat, follow, judged, share, added = (
        kept.refresh, kept.refresh_seat, kept.follow, tools.judged, tools.share, tools.added)  # fmt: skip

    def with_both(state, weights):
        points = evaluation.weighted(state, weights)
        part = share(points)
        if part > 0.0 and not evaluation.is_bare(state):  # mating a lone king is what the weights know best
            points += part * f64(judged(state.sums, i64(state.turn), state.nnue_bucket()))
        return points

    def with_network(state, weights):
        points, part = 0.0, 0.0
        if not evaluation.is_bare(state):
            points = f64(judged(state.sums, i64(state.turn), state.nnue_bucket()))
            part = share(points)
        if part < 1.0:
            points = part * points + (1.0 - part) * evaluation.weighted(state, weights)
        return points

    worth = with_both if added else with_network

    class ChessWithNetwork(_rules(start)):
        """Mate the other king."""

        weights = evaluation.default_weights() if tools.weights is None else tools.weights

        sums: Derived[i16, 2, tools.hidden]  # the network's first layer, as each seat sees the board

        def refresh(self):
            refresh(self)

        def play(self, action):
            mover = i64(self.turn)
            is_stale = follow(self, action)
            make(self, action)
            if is_stale:
                refresh_seat(self, mover)

        def evaluate(self, player, weights):
            points = worth(self, weights)
            points = evaluation.tempered(self, points)
            return points if player == self.turn else -points

        def table_place(self, klass, index):
            is_there = numbering.place(self, klass, index)
            refresh(self)
            return is_there

        def retract(self, retraction):
            numbering.take_back(self, retraction)
            refresh(self)

    return ChessWithNetwork
