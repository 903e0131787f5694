"""Pac-Man: the rules, and the lectures' point: expectimax and minimax play differently."""

import random

import pytest

from outplay.engine.frames.chance import expectimax, expectiminimax
from outplay.errors import BadNotation
from outplay.game import load
from outplay.textbook.expectiminimax import expectiminimax as textbook_expectiminimax


@pytest.mark.parametrize("ghosts", ["well", "random"])
@pytest.mark.parametrize("maze", ["trap", "corridor", "open", "ring"])
def test_random_games_keep_the_rules_and_go_round_as_text(maze, ghosts):
    game, source = load("pac-man", maze=maze, ghosts=ghosts, limit=25), random.Random(1)
    for _ in range(3):
        position = game.start()
        while not position.is_terminal():
            again = game.position(position.text())
            assert again == position
            assert 1 <= len(position.actions()) <= 4
            position = position.result(source.choice(position.actions()))
        low, high = game.traits.bounds
        assert low <= position.utility(0) <= high


def test_food_the_last_food_and_ghosts_count():
    game = load("pac-man", maze="trap", ghosts="well")
    #  %%%%%%%
    #  %____G%   the last food lies south of Pac-Man
    #  %P%%%%%
    #  %.___G%
    #  %%%%%%%
    won = game.position("%%%%%%%/%____G%/%P%%%%%/%.___G%/%%%%%%% 0 0 40").play("south")
    assert won.is_terminal() and won.utilities() == (509.0, -509.0)
    caught = game.position("%%%%%%%/%G____%/%P%%%%%/%.___G%/%%%%%%% 0 0 40").play("north")
    assert caught.is_terminal() and caught.utility(0) == -501.0


def test_ghosts_at_random_are_chance_and_those_that_play_well_are_min():
    at_random, well = load("pac-man", ghosts="random"), load("pac-man", ghosts="well")
    assert at_random.traits.chance and at_random.traits.players == 1
    assert not well.traits.chance and well.traits.players == 2
    moved = at_random.start().result(at_random.start().actions()[0])
    assert moved.is_chance() and sum(p for _, p in moved.chances()) == pytest.approx(1)


def test_a_move_is_a_click_on_the_cell_it_leads_to():
    #  %%%%%%%
    #  %....G%   Pac-Man stands in row 2, column 1: north and south are open
    #  %P%%%%%
    #  %.G...%
    #  %%%%%%%
    position = load("pac-man", maze="trap").start()
    assert {position.action_text(a): spots for a, spots in position.picture().touches.items()} == {
        "north": ((1, 1),), "south": ((3, 1),)}  # fmt: skip
    ghost = position.play("north")  # the first ghost, in row 1, column 5, has one way
    assert ghost.picture().touches == {ghost.actions()[0]: ((1, 4),)}


def test_expectimax_dares_what_minimax_fears():
    # Two ghosts could close in from both ends. Minimax, sure to be caught, would rather have it over; expectimax goes on eating.
    text = "%%%%%%%/%....G%/%P%%%%%/%.G...%/%%%%%%% 0 0 40"
    brave = expectimax(load("pac-man", maze="trap", ghosts="random").position(text), depth=9)
    afraid = expectiminimax(load("pac-man", maze="trap", ghosts="well").position(text), depth=9)
    assert brave.value[0] > afraid.value


def play_in_the_corridor(player, ghosts, seed):
    """The score of one game: Pac-Man reckons with ghosts that hunt (minimax) or that wander (expectimax), whatever they do."""
    source = random.Random(seed)
    games = {kind: load("pac-man", maze="corridor", ghosts=kind) for kind in ("well", "random")}
    position = games[ghosts].start()
    while not position.is_terminal():
        if games[ghosts].record(position.state).turn == 0:
            if player == "minimax":
                found = expectiminimax(games["well"].position(position.text()), depth=9, memory=1)
            else:
                found = expectimax(games["random"].position(position.text()), depth=9, memory=1)
            position = position.result(found.action)
        elif ghosts == "well":
            position = position.result(expectiminimax(position, depth=9, memory=1).action)
        else:
            position = position.result(source.choice(position.actions()))
    return position.utility(0)


def test_the_right_model_of_the_ghosts_pays():
    # A ghost on each side, all food behind one of them. Who is sure to be caught, runs into the nearest ghost to have it over.
    assert play_in_the_corridor("minimax", "well", 0) == -502
    assert play_in_the_corridor("expectimax", "well", 0) < -502
    wandering = [play_in_the_corridor("expectimax", "random", seed) for seed in range(30)]
    assert sum(score > 0 for score in wandering) >= 3 and sum(wandering) / 30 > -400
    assert all(play_in_the_corridor("minimax", "random", seed) < -490 for seed in range(5))


def test_the_engine_equals_the_textbook():
    position = load("pac-man", maze="trap", ghosts="well").start()
    ours, book = expectiminimax(position, depth=4), textbook_expectiminimax(position, depth=4)
    assert ours.value == pytest.approx(book.value) and ours.action == book.action and ours.leaves == book.leaves


def test_wrong_positions_get_one_line():
    with pytest.raises(BadNotation, match="walls are those of another maze"):
        load("pac-man", maze="trap").position("%%%%%%%/%.....%/%P%%%%%/%.G..G%/%.%%%%% 0 0 40")
