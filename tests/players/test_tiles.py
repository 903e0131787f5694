"""Players of Scrabble, and what they learned."""

import random

import numpy as np
import pytest

from outplay.engine import registry, tiles
from outplay.engine import tiles_kernel as kernels
from outplay.engine.memory import load_state
from outplay.errors import OutplayError
from outplay.game import load
from outplay.learning.leaves import fit_terms, leave_worth, rack_count, save_terms
from outplay.players import player
from outplay.players.algorithms import best, resolve

EMPTY = "/".join(["15"] * 15)
END = ("GONE11/1pULIK9/5OY5Q1D/4TREF2BIALI/2COO1PEEVE1TIP/1Z5A6N/1EUGEnIST3TWO/OD1H3E6A/R1FAD7CAN/MOIRE7AB1/E1DIXITS4MY1/R2A9I1/"
       "S2L1TAJ5N1/1UNSEW1UVEA2G1/4HORN7")


def test_racks_and_leaves_are_counted():
    assert rack_count(7) == 3_199_724
    assert rack_count(6, smaller=True) == 914_624


def test_terms_go_round(tmp_path):
    sums, counts = np.zeros(kernels.TERMS, np.int64), np.zeros(kernels.TERMS, np.int64)
    counts[0], sums[0] = 100_000, 100_000 * 30_000
    a, b = 2, 3
    for at, mean in ((a, 31_000), (b, 28_000), (a * kernels.SPAN + b, 35_000)):
        counts[at], sums[at] = 10_000_000, 10_000_000 * mean
    terms = fit_terms(sums, counts)
    assert leave_worth(terms, "AB") == pytest.approx(5.0, abs=0.05) and leave_worth(terms, "B") == pytest.approx(-2.0, abs=0.05)
    save_terms(terms, str(tmp_path / "leaves.npz"))
    assert abs(tiles.leave_terms(str(tmp_path / "leaves.npz")) - terms).max() <= 5


def test_what_was_learned_makes_sense():
    terms = tiles.leave_terms()
    assert leave_worth(terms, "?") > 15 > leave_worth(terms, "S") > 4 > 0 > leave_worth(terms, "Q")
    assert leave_worth(terms, "ERS") > leave_worth(terms, "UVW") + 10
    assert leave_worth(terms, "QU") > leave_worth(terms, "Q")


def test_players_take_legal_actions_and_see_only_their_own_tiles():
    game = load("scrabble")
    position = game.position(f"{EMPTY} AEINRST/EEEEIOU 0/0 0 0")
    for name in ("tiles:greedy", "tiles:static", "tiles:simulation,time=0.1,candidates=3"):
        action = player(name).choose(position)
        assert action in position.actions()
    best = player("tiles:greedy").choose(position)
    points = {a: int(game.record(game.result(position.state, a)).scores[0]) for a in position.actions() if a & 3 == 1}
    assert points[best] == max(points.values())


def test_equity_of_every_play_is_score_and_leave():
    position = load("scrabble").position(f"{EMPTY} AEINRST/EEEEIOU 0/0 0 0")
    search = tiles.Tiles(position.game)
    for action, value in random.Random(1).sample(search.listed(position, most=400), 30):
        after = position.game.record(position.game.result(position.state, action))
        kept = "".join("?ABCDEFGHIJKLMNOPQRSTUVWXYZ"[k] * int(after.racks[0, k]) for k in range(27))
        assert value == pytest.approx(1000 * (int(after.scores[0]) + leave_worth(search.terms, kept)), abs=0.5)


def test_the_best_play_needs_no_list():
    """What bounds leave out is never the best: whole games of native players against the lists of the same positions."""
    game = load("scrabble")
    source, search, racks = random.Random(3), tiles.Tiles(game), ["A??", "EERST??", "AEINRS?", "QVWXYZ?"]
    board = "/".join([*["15"] * 7, "6CAT6", *["15"] * 7])
    positions = [game.position(f"{board} {rack}/E 0/0 0 0") for rack in racks]
    for kind in (tiles.GREEDY, tiles.STATIC):
        position = game.start()
        while not position.is_terminal():
            if position.is_chance():
                position = position.result(position.sample_chance(source.getrandbits(40)))
                continue
            positions.append(position)
            position = position.result(search.listed(position, kind, 1)[0][0])
    states, out = game.rules.states(1), game.rules.room()
    for position in positions:
        load_state(states, 0, position)
        for kind in (tiles.GREEDY, tiles.STATIC):
            value = kernels.find_best(states, out, search.terms, kind)
            assert value == search.listed(position, kind, 1)[0][1], position.text()


def best_lead(position, known=None):
    """Plain minimax: the first player's final lead."""
    if position.is_terminal():
        scores = position.game.record(position.state).scores
        return int(scores[0]) - int(scores[1])
    known = {} if known is None else known
    if position not in known:
        values = [best_lead(position.result(action), known) for action in position.actions()]
        known[position] = max(values) if position.player() == 0 else min(values)
    return known[position]


def test_ends_are_exact():
    """Against plain minimax, with either seat to move."""
    game, search = load("scrabble"), tiles.Tiles(load("scrabble"))
    board = END.replace("1TIP/", "1T1P/")
    for text in (f"{board} I/LR 340/331 4 0", f"{board} LI/R 331/340 4 1", f"{board} R/IL 300/310 4 1"):
        position = game.position(text)
        found, lead = search.best(position), best_lead(position)
        assert found.exact and found.facts["lead"] == lead and found.value == np.sign(lead), text


def test_one_tile_in_the_bag_is_tried_as_each_that_it_may_be():
    game, board = load("scrabble"), END.replace("1TIP/", "1T1P/")
    position = game.position(f"{board} R/L 340/331 4 0")  # unseen are I and L
    found = tiles.Tiles(game).best(position)
    assert found.facts["solved"] == 3
    for choice in found.choices[:3]:
        leads = []
        for other in "LI":
            after = game.position(f"{board} R/{other} 340/331 4 0").result(choice.action)
            leads.append(best_lead(after.result(after.sample_chance(0))))
        assert choice.value == np.mean(leads) - 9
    assert found.action == found.choices[0].action and found.choices[0].value == max(choice.value for choice in found.choices[:3])
    assert tiles.Tiles(game, preendgame=False).best(position).facts == {"deals": 12}


def test_auto_and_engine_choose_what_the_rules_are_made_for():
    game = load("scrabble")
    assert resolve("auto", game) == resolve("engine", game) == "engine:tiles"
    assert registry.why_not("tiles", load("tic-tac-toe")) is not None
    position = game.start()
    while position.is_chance():
        position = position.result(position.sample_chance(5))
    found = best(position, simulations=24)
    assert found.algorithm == "engine:tiles" and found.action in position.actions() and found.unit == "points"
    assert all(choice.interval[0] <= choice.value <= choice.interval[1] for choice in found.choices if choice.visits)


def test_other_games_are_refused():
    with pytest.raises(OutplayError):
        player("tiles").choose(load("nim").start())
    with pytest.raises(OutplayError):
        player("tiles:statc")
