"""Random games: their averages, their repeatability, their threads."""

import pytest

from outplay.engine.montecarlo.playouts import _playouts_of_two, playouts
from outplay.errors import BadValue, UnknownName, Unsuitable
from outplay.game import Game, load


def exact(position):
    """What random play is worth to the first player, by walking the whole tree."""
    if position.is_terminal():
        return position.utility(0)
    return sum(exact(position.result(action)) for action in position.actions()) / len(position.actions())


def test_the_average_is_that_of_the_tree():
    position = load("tic-tac-toe").position("xox/.../... o")
    played = playouts(position, 40_000, seed=3)
    assert abs(played.means[0] - exact(position)) < 5 * played.errors[0]
    assert played.means[1] == -played.means[0]


def test_connect_four_draws_columns_as_evenly_as_listing_does():
    # The game draws a column and draws again when it is full; with two columns left of four the choice must stay even.
    position = load("connect four:width=4,height=2,line=3").start().play("1 1 4")
    played = playouts(position, 40_000, seed=3)
    assert abs(played.means[0] - exact(position)) < 5 * played.errors[0]


def test_the_same_seed_gives_the_same_games_however_they_are_sliced():
    position = load("connect four").start()
    first, second = playouts(position, 5_000, seed=7), playouts(position, 5_000, seed=7, progress=lambda done: None)
    assert (first.means, first.moves) == (second.means, second.moves)
    assert playouts(position, 5_000, seed=8).moves != first.moves


@pytest.mark.parametrize("games", [7, 40_001])
def test_the_same_seed_gives_the_same_games_on_any_number_of_threads(games):
    position = load("connect four").start()
    one, two, many = (playouts(position, games, seed=1, threads=threads) for threads in (1, 2, 40))
    assert two.games == games and two.threads == 2
    assert one.means == two.means == many.means and one.moves == two.moves == many.moves and one.errors == many.errors


def test_wrong_requests_get_one_line():
    position = load("tic-tac-toe").start()
    with pytest.raises(BadValue, match="games must be 1 or more, got 0"):
        playouts(position, 0)
    with pytest.raises(UnknownName, match="unknown device 'cudda': did you mean 'cuda'"):
        playouts(position, 1, device="cudda")

    class Coin(Game):
        name = "coin"

        def initial(self):
            return 0

    with pytest.raises(Unsuitable, match="compiled game; coin is written in plain Python"):
        playouts(Coin().start(), 1)


@pytest.mark.parametrize("games", [1, 301])
def test_two_games_in_turns_are_those_that_are_played_one_after_the_other(games, monkeypatch):
    position = load("tic-tac-toe").start()
    alone = playouts(position, games, seed=3)
    monkeypatch.setattr("outplay.engine.montecarlo.playouts._one_by_one", _playouts_of_two)
    in_turns = playouts(position, games, seed=3)
    assert (in_turns.moves, in_turns.means, in_turns.errors) == (alone.moves, alone.means, alone.errors)
