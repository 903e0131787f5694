"""Games that need not end, and rules that break a promise: every search and playout stops in time, and nothing is overwritten."""

import threading

import pytest

from outplay import textbook
from outplay.engine import best, perft
from outplay.engine.montecarlo.playouts import playouts
from outplay.engine.registry import make
from outplay.errors import RulesError
from outplay.game import CompiledGame, load
from outplay.jit import i8, i32
from outplay.rules import game
from outplay.values import Limits


@game("shuttle")
class Shuttle:
    """Two players push one stone to and fro for ever; how far it lies to the right is the evaluation, in hundredths."""

    turn: i8
    place: i32
    horizon = 50
    bounds = (-1.0, 1.0)
    scale = 100.0

    def actions(self, out):
        out[0], out[1] = 0, 1
        return 2

    def play(self, action):
        self.place = min(max(self.place + 2 * action - 1, -90), 90)
        self.turn = 1 - self.turn

    def utility(self, player):
        return 0

    def evaluate(self, player, weights):
        return float(self.place) if player == 0 else -float(self.place)


@game("hydra")
class Hydra:
    """Each ply has ten actions more than the last, and `most_actions` promises fifteen."""

    turn: i8
    ply: i32
    most_actions = 15

    def actions(self, out):
        if self.ply >= 4:
            return 0
        for k in range(10 * (self.ply + 1)):
            out[k] = k
        return 10 * (self.ply + 1)

    def play(self, action):
        self.ply += 1
        self.turn = 1 - self.turn

    def utility(self, player):
        return 0


def test_a_search_of_an_endless_game_keeps_its_time():
    puzzle = load("fifteen puzzle").start()
    search = make("mcts", puzzle.game, memory=4)
    [*search.search(puzzle, Limits(simulations=1))]  # compiled
    *_, result = search.search(puzzle, Limits(seconds=0.1))
    assert result.action in puzzle.actions()
    stop = threading.Event()
    threading.Timer(0.1, stop.set).start()
    *_, result = search.search(puzzle, stop=stop)
    assert result.action in puzzle.actions()


def test_random_games_are_cut_at_the_horizon():
    puzzle = load("fifteen puzzle").start()
    played = playouts(puzzle, 3, seed=1, horizon=1000)
    assert played.games == 3 and played.moves == 3000 and played.cut == 3
    assert played.means == (0.5,)  # without an evaluation the middle of all outcomes
    assert playouts(puzzle, 1).cut == 1  # and the default is finite, too
    stop = threading.Event()
    stop.set()
    assert playouts(puzzle, 10**9, stop=stop).games == 0


def test_a_cut_game_is_judged_by_the_evaluation():
    start = CompiledGame(Shuttle()).start()
    played = playouts(start, 400, seed=1)
    assert played.cut == 400 and played.moves == 400 * 50
    assert abs(played.means[0]) < 0.05 and played.means[0] == -played.means[1]
    right = start
    for _ in range(80):
        right = right.result(1)
    assert playouts(right, 100, seed=1).means[0] > 0.6


@pytest.mark.parametrize("run", [
    lambda start: playouts(start, 10),
    lambda start: perft(start, 4),
    lambda start: [*make("mcts", start.game, memory=1).search(start, Limits(simulations=500))],
    lambda start: best(start, Limits(depth=4), memory=1),
    lambda start: [*make("maxn", start.game).search(start, Limits(depth=4))],
    lambda start: [*make("star2", start.game, memory=1).search(start, Limits(depth=4))],
])  # fmt: skip
def test_more_actions_than_promised_are_named(run):
    with pytest.raises(RulesError, match="hydra: a position has more than 15 actions or chance outcomes: raise most_actions"):
        run(CompiledGame(Hydra()).start())


def test_the_textbooks_playout_looks_at_the_clock():
    """A random game of the puzzle does not end; `mcts` with a tenth of a second once ran for ever inside its first playout."""
    puzzle = load("fifteen puzzle", compiled=False).start()
    found = textbook.run("mcts", puzzle, limits=Limits(seconds=0.05))
    assert found.action in puzzle.actions()
