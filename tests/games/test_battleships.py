"""Battleships: fleets counted and told apart as by hand, what a shooter may know, and how many shots it needs."""

import itertools
import random
import warnings

import numpy as np
import pytest

from outplay.conformance import check_game
from outplay.errors import OutplayError
from outplay.experts.battleships.fleets import Board, Knowledge, count_fleets, hunt
from outplay.game import load


@pytest.mark.parametrize("name", ["battleships:width=3,height=2,fleet=2-1", "battleships:width=3,height=3,fleet=2,side=hunt"])
def test_it_keeps_its_promises(name):
    check_game(load(name), games=3)


def all_fleets(board):
    for ways in itertools.product(*(board.placements(length) for length in board.fleet)):
        if sum(map(len, ways)) == len(set().union(*ways)):
            yield [set(way) for way in ways]


@pytest.mark.parametrize(("size", "fleet"), [((4, 4), (3, 2)), ((5, 3), (3, 2, 2)), ((4, 4), (2, 2, 2)), ((3, 5), (1, 1))])
def test_fleets_are_counted_as_by_hand(size, fleet):
    seen = {tuple(sorted((len(ship), *sorted(ship)) for ship in fleet_)) for fleet_ in all_fleets(Board(*size, fleet))}
    assert count_fleets(*size, fleet) == len(seen)


def test_the_posterior_is_that_of_all_fleets_that_fit():
    """Random boards, fleets and shots; every fleet that would have answered alike counts once."""
    source = random.Random(3)
    for trial in range(12):
        fleet, announced = source.choice([(3, 2), (3, 2, 2)]), trial % 3 > 0
        known = Knowledge(5, 4, fleet, announced=announced)
        laid = source.choice(list(all_fleets(known.board)))
        history, shot = [], set()
        for cell in source.sample(range(20), source.randrange(9)):
            shot.add(cell)
            sank = next((k for k, ship in enumerate(laid) if cell in ship and ship <= shot), None) if announced else None
            history.append((cell, any(cell in ship for ship in laid), sank))
            known.shoot(cell, hit=history[-1][1], sank=sank)
        counts, total = np.zeros(20), 0
        for ships in all_fleets(known.board):
            done: set[int] = set()
            for cell, hit, sank in history:
                done.add(cell)
                now = next((k for k, ship in enumerate(ships) if cell in ship and ship <= done), None) if announced else None
                if any(cell in ship for ship in ships) != hit or now != sank:
                    break
            else:
                total += 1
                counts[list(set().union(*ships))] += 1
        shares, exact = known.probabilities(draws=30_000, seed=trial)
        assert np.abs(shares - counts / total).max() < (1e-9 if exact else 0.02)


def test_the_shooter_beats_chance_by_far():
    shots = hunt(60, seed=1, draws=500)
    assert shots.min() >= 17 and shots.mean() < 50  # random shooting needs 95.4 on average


def test_a_view_hides_the_other_fleet_and_keeps_what_was_told():
    game = load("battleships:width=4,height=3,fleet=2")
    first, second = (game.start().play(["a1-b1", ship, "c2"]) for ship in ("c2-c3", "c2-d2"))
    assert first != second and first.observe(0) == second.observe(0) and first.observe(1) != second.observe(1)
    dealt = {first.deal(0, seed).text().split("|")[1].strip() for seed in range(40)}
    assert dealt == {"c2-c3", "c2-d2", "b2-c2", "c1-c2"}  # everything that a hit on c2 allows


def test_a_tiny_sea_is_solved():
    """Two cells, a ship of one: the first shot wins half the time, else the answer half the time, else the second shot is sure."""
    from outplay.engine.regret.equilibrium import RegretSolver

    report = RegretSolver(load("battleships:width=2,height=1,fleet=1"), "cfr+").run(400)
    assert report.exploitability < 1e-3 and report.value == pytest.approx(0.5, abs=1e-3)


@pytest.mark.parametrize("text", ["", "a1", "a1-b1 | ", "z9 | - ", "a1-b1 | a1-c1 | 0:a1", "a1-b1 | c2-c3 | 1:a1"])
def test_garbage(text):
    with pytest.raises(OutplayError):
        load("battleships:width=4,height=3,fleet=2").position(text)


def test_the_second_of_two_equal_ships_finds_a_place():
    """The first lies in the last place of all, and equal ships are laid in order: the game ended there with nobody's shot."""
    position = load("battleships").start().play("h5-h9 a10-d10 h3-j3 c8-e8 e2-f2 a7-e7 d4-g4 j8-j10")
    assert not position.is_terminal() and len(position.actions()) > 100


def test_a_fleet_is_dealt_without_a_word_of_numpys():
    position = load("battleships:side=hunt").start().play(" ".join(("c8-g8", "a1-d1", "a3-c3", "e3-g3", "i1-i2")))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        first = position.deal(0, 1)
        assert first.text() == position.deal(0, 1).text() != position.deal(0, 2).text()
