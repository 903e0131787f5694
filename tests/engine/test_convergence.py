"""What the searches of chance and of Monte Carlo converge to: solved values, mixed values, the textbook on small games."""


import numpy as np
import pytest

from outplay.engine.frames import chance, many
from outplay.engine.frames.chance import ChanceSearch
from outplay.engine.montecarlo.deals import open_deals
from outplay.engine.montecarlo.hidden import InformationSets, ismcts
from outplay.engine.montecarlo.mcts import mcts
from outplay.game import load
from outplay.textbook.alphabeta import alphabeta
from outplay.textbook.expectimax import expectimax as book_expectimax
from outplay.textbook.expectiminimax import expectiminimax as book_expectiminimax
from outplay.textbook.maxn import maxn as book_maxn
from outplay.textbook.paranoid import paranoid as book_paranoid
from outplay.values import Limits
from tests.engine.regrets import solve

# ---------------------------------------------------------------- Monte Carlo without its solver


@pytest.mark.parametrize(
    ("game", "moves"),
    [
        ("tic-tac-toe", ""),
        ("tic-tac-toe", "b2 a1 c3"),
        ("nim:heaps=1-2-3", ""),
        ("nim:heaps=2-3", ""),
        ("connect four:width=5,height=4", "3 3 3 3 2 4 4 2 2 2 5 5"),
    ],
)
def test_visits_alone_converge_to_the_solved_value(game, moves):
    position = load(game).start().play(moves)
    exact = alphabeta(position)
    errors = [abs(mcts(position, simulations=n, solver=False, exploration=0.7, seed=1).value - exact.value) for n in (300, 100_000)]
    assert errors[1] < 0.12 and errors[1] <= errors[0] + 0.02
    found = mcts(position, simulations=100_000, solver=False, exploration=0.7, seed=1)
    assert alphabeta(position.result(found.action)).value == exact.value


# ---------------------------------------------------------------- hidden information


def test_rock_paper_scissors_becomes_a_third_each():
    position = load("rock-paper-scissors").start()
    away = []
    for simulations in (300, 3000, 30_000):
        result = ismcts(position, simulations=simulations, seed=2)
        away.append(max(abs(share - 1 / 3) for share in result.each("share").values()))
        assert abs(result.value) < 0.05
    assert away[-1] < 0.02 and away[-1] <= away[0]


def test_an_ending_of_blind_tic_tac_toe_is_worth_what_regrets_say():
    #  3  x o .      x has run into the ring on c1 and does not see the other two
    #  2  . x .
    #  1  o x O
    #     a b c
    position = load("blind tic-tac-toe").start().play("b2 a1 a3 c1 c1 b1 b3")
    assert position.text() == "xo./.x./oxO x"
    value, low, high = solve(position, 30)
    assert low <= value + 1e-9 and value <= high + 1e-9 and high - low < 0.01
    errors = [abs(ismcts(position, simulations=n, seed=1).value - value) for n in (1000, 100_000)]
    assert errors[1] < 0.01 and errors[1] < errors[0]
    # Averaging over open deals believes that both will see all stones, and cannot tell the same value.
    assert abs(open_deals(position, deals=72, agree=72, simulations=500, seed=1).value - value) > errors[1]


# ---------------------------------------------------------------- the textbook on small games


@pytest.mark.parametrize(
    ("game", "moves", "depth"),
    [
        ("isolation:width=3,height=2,sloppy=0.4", "a1 c2", None),
        ("isolation:width=3,height=3,sloppy=0.4", "b2 a1", 2),
        ("tic-tac-toe", "b2 a1 c3 a3", None),
        ("pac-man:maze=trap,ghosts=well", "", 5),
        ("backgammon", "x31", 1),
    ],
)
def test_two_players_and_chance_equal_the_textbook(game, moves, depth):
    position = load(game).start().play(moves)
    book = book_expectiminimax(position, depth=depth)
    for algorithm in (chance.expectiminimax, chance.star1, chance.star2):
        mine = algorithm(position, depth=depth)
        assert mine.value == pytest.approx(book.value, abs=1e-9) and mine.action == book.action
    random_book, mine = book_expectimax(position, depth=depth), chance.expectimax(position, depth=depth)
    assert mine.value == pytest.approx(random_book.value, abs=1e-9) and mine.action == random_book.action


def test_a_bear_off_of_backgammon_equals_the_textbook_to_depth_two():
    # Two checkers of x on its first points against three of o.
    position = load("backgammon").position("AwAAGAAAAAAAAA:cAkAAAAAAAAE").play("21")
    assert not position.is_terminal()
    for depth in (1, 2):
        book = book_expectiminimax(position, depth=depth)
        assert chance.star2(position, depth=depth).value == pytest.approx(book.value, abs=1e-9)


FOUR = [
    [[[(4, 3, 2, 1), (1, 2, 3, 4)], [(2, 2, 2, 4), (0, 9, 0, 1)]], [[(5, 0, 0, 5), (3, 3, 3, 1)], [(1, 1, 7, 1), (2, 3, 4, 1)]]],
    [[[(0, 0, 5, 5), (6, 2, 1, 1)], [(3, 4, 2, 1), (2, 5, 1, 2)]], [[(9, 0, 1, 0), (0, 8, 1, 1)], [(4, 4, 1, 1), (5, 1, 3, 1)]]],
]


@pytest.mark.parametrize("game", ["isolation:width=3,height=2,players=2", "isolation:width=3,height=2,players=3", "four"])
def test_any_number_of_players_equal_the_textbook(game):
    position = (load("tree", tree=FOUR) if game == "four" else load(game)).start()
    mine, book = many.maxn(position), book_maxn(position)
    assert mine.value == book.value and mine.action == book.action
    mine, book = many.paranoid(position), book_paranoid(position)
    assert mine.value == book.value and mine.leaves == book.leaves


# ---------------------------------------------------------------- memory


def test_memory_does_not_grow_over_many_searches(bytes_kept):
    dice = load("isolation", width=3, height=3, sloppy=0.4).start()
    blind = load("blind tic-tac-toe").start()
    searches = [(ChanceSearch(dice.game, memory=0.1), dice, Limits(depth=1)),
                (InformationSets(blind.game, memory=0.01), blind, Limits(simulations=2))]  # fmt: skip
    for search, position, limits in searches:

        def many(search=search, position=position, limits=limits):
            for _ in range(300):
                search.best(position, limits)

        many()
        assert bytes_kept(many)[0] < 30_000  # a hundred for each search


MORRA = """
from outplay.jit import below, i8
from outplay.rules import game
@game("morra")
class Morra:
    first: i8
    second: i8
    turn: i8
    most_actions = 4
    bounds = (-4.0, 4.0)
    def start(self):
        self.first, self.second = -1, -1
    def is_terminal(self):
        return self.second >= 0
    def actions(self, out):
        if self.second >= 0:
            return 0
        for i in range(4):
            out[i] = i
        return 4
    def play(self, action):
        if self.first < 0:
            self.first = action
            self.turn = 1
        else:
            self.second = action
            self.turn = 0
    def utility(self, seat):
        show0, guess0 = 1 + self.first // 2, 1 + self.first % 2
        show1, guess1 = 1 + self.second // 2, 1 + self.second % 2
        a, b = guess0 == show1, guess1 == show0
        worth = 0
        if a and not b:
            worth = show0 + show1
        if b and not a:
            worth = -(show0 + show1)
        return worth if seat == 0 else -worth
    def observe(self, seat):
        if self.second < 0 and seat == 1 and self.first >= 0:
            self.first = 4
    def deal(self, seat, source):
        from_four = self.first == 4
        if from_four:
            self.first = i8(below(source, 4))
        return 1.0
    def action_text(self, action):
        return ("show1guess1", "show1guess2", "show2guess1", "show2guess2")[action]
"""


def test_seats_that_move_at_once_do_not_walk_in_step(tmp_path):
    """Two-finger Morra: only show1guess2 (4/7 to 3/5) and show2guess1 are played in an equilibrium, by both seats."""
    path = tmp_path / "morra.py"
    path.write_text(MORRA)
    game = load(str(path))
    start = game.start()
    pays = np.array([[start.result(one).result(two).utilities()[0] for two in range(4)] for one in range(4)])

    def exploitability(simulations, seed):
        shares = []
        for position in (start, start.result(2)):  # the second seat sees nothing of it
            share = ismcts(position, simulations=simulations, seed=seed).each("share")
            shares.append(np.array([share[action] for action in range(4)]))
        return ((pays @ shares[1]).max() - (shares[0] @ pays).min()) / 2

    for seed in range(3):
        assert exploitability(300_000, seed) < 0.04 < exploitability(500, seed)
