"""How near the order capture, threat, forward, backward comes to perfect order: alpha-beta's leaves on three plies of chess.

    python benchmarks/chess_ordering.py
"""

from outplay.game import load
from outplay.textbook.cutoff import h_alphabeta
from outplay.textbook.ordering import as_given, by_rules, shuffled, unrolled

DEPTH = 3
POSITIONS = [
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
]


GAME = load("chess", compiled=True)


def pieces(position):
    """The boards of both players' pawns, knights, bishops, rooks and queens with their values, and of all that the mover has."""
    state = GAME.record(position.state)
    pawns, knights, diagonals, straights = (int(state[name]) for name in ("pawns", "knights", "diagonals", "straights"))
    kinds = {100: pawns, 300: knights | diagonals & ~straights, 500: straights & ~diagonals, 900: diagonals & straights}
    return kinds, int(state["mine"])


def material(position, player):
    """EVAL: what is on the board, so that the figures hang on nothing but the rules."""
    kinds, mine = pieces(position)
    balance = sum(worth * ((board & mine).bit_count() - (board & ~mine).bit_count()) for worth, board in kinds.items())
    return balance if player == position.player() else -balance


def how_many(position):
    """The pieces on the board but for the kings."""
    return sum(board.bit_count() for board in pieces(position)[0].values())


def capture_threat_forward_backward(position, actions):
    """The lectures' order; a threat is a check, which shows in that every reply to it is forcing."""
    forward, before = 1 - 2 * position.player(), how_many(position)

    def rank(action):
        child, text = position.result(action), position.action_text(action)
        if how_many(child) < before:
            return 0
        if child.forcing() == child.actions():
            return 1
        return 2 if forward * (int(text[3]) - int(text[1])) > 0 else 3

    return sorted(actions, key=rank)


def perfect_leaves(nested, is_max):
    """The leaves that alpha-beta looks at when every node tries its best action first."""

    def value_and_sorted(node, is_max):
        if not isinstance(node, list):
            return node, node
        below = sorted((value_and_sorted(child, not is_max) for child in node), key=lambda pair: pair[0], reverse=is_max)
        return below[0][0], [child for _, child in below]

    def look(node, alpha, beta, is_max):
        if not isinstance(node, list):
            return node, 1
        best, leaves = (-1e9 if is_max else 1e9), 0
        for child in node:
            value, count = look(child, alpha, beta, not is_max)
            leaves += count
            best = max(best, value) if is_max else min(best, value)
            alpha, beta = (max(alpha, best), beta) if is_max else (alpha, min(beta, best))
            if alpha >= beta:
                break
        return best, leaves

    return look(value_and_sorted(nested, is_max)[1], -1e9, 1e9, is_max)[1]


if __name__ == "__main__":
    orders = {"capture, threat, forward, backward": capture_threat_forward_backward, "the rules' own order": by_rules,
              "random": shuffled(1), "as listed": as_given}
    for fen in POSITIONS:
        position = GAME.position(fen)
        perfect = perfect_leaves(unrolled(position, DEPTH, evaluate=material), position.player() == 0)
        print(f"{fen}\n  {'perfect':36}{perfect:6} leaves", flush=True)
        for name, order in orders.items():
            leaves = h_alphabeta(position, DEPTH, evaluate=material, order=order).leaves
            print(f"  {name:36}{leaves:6} {leaves / perfect:6.1f} times", flush=True)
