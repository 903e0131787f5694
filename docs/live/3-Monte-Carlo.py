# Tic-tac-toe by Monte Carlo tree search: how often is each square tried as the simulations grow?
from outplay.game import Game
from outplay.textbook.mcts import mcts

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class TicTacToe(Game):
    name = "tic-tac-toe"
    players, bounds, total = 2, (-1, 1), 0

    def initial(self):
        return "........."

    def player(self, board):
        return (9 - board.count(".")) % 2

    def actions(self, board):
        return () if self.won(board) else [square for square in range(9) if board[square] == "."]

    def result(self, board, square):
        return board[:square] + "xo"[self.player(board)] + board[square + 1 :]

    def won(self, board):
        return any(board[a] == board[b] == board[c] != "." for a, b, c in LINES)

    def is_terminal(self, board):
        return self.won(board) or "." not in board

    def utility(self, board, player):
        return 0 if not self.won(board) else -1 if player == self.player(board) else 1


for simulations in (50, 200, 800):
    visits = mcts(TicTacToe().start(), simulations=simulations, seed=1).each("visits")
    print(simulations, [visits[square] for square in range(9)])
