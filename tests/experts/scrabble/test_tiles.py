"""Players of Scrabble, and what they learned."""

import random

import numpy as np
import pytest

from outplay.engine import registry
from outplay.engine.memory import load_state
from outplay.errors import OutplayError
from outplay.experts.scrabble import search as tiles
from outplay.experts.scrabble import search_kernel as kernels
from outplay.experts.scrabble.leaves import fit_terms, leave_worth, rack_count, save_terms
from outplay.game import load
from outplay.players import player
from outplay.players.algorithms import best, resolve
from outplay.values import Limits

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
    assert found.action == found.choices[0].action
    assert tiles.Tiles(game, preendgame=False).best(position).facts.keys() == {"deals"}


def test_two_tiles_in_the_bag_are_tried_as_all_that_they_may_be():
    """Against plain minimax of each of the bags: the mean lead, and who wins most often first."""
    game, board = load("scrabble"), END.replace("1TIP/", "1T1P/").replace("TAJ5", "TA6").replace("HORN7", "HOR8")
    position = game.position(f"{board} IL/N 340/331 4 0")  # unseen are J, N and R
    found = tiles.Tiles(game).best(position, Limits(seconds=60))
    solved, wins = found.facts["solved"], []
    assert solved >= 2
    for choice in found.choices[:solved]:
        leads = []
        for other in "JNR":
            after = game.position(f"{board} IL/{other} 340/331 4 0").result(choice.action)
            leads.append(best_lead(after.result(after.sample_chance(0))))
        assert choice.value == pytest.approx(np.mean(leads) - 9)
        wins.append((np.mean(np.sign(leads)), choice.value))
    assert wins == sorted(wins, reverse=True) and found.action == found.choices[0].action


def test_what_the_other_kept_is_inferred_from_what_it_laid():
    """With every leave that is left, no play was much better than the one that was made."""
    game = load("scrabble")
    start = game.position(f"{EMPTY} ACTUUVV/EEIORSU 0/0 0 0")
    search = tiles.Tiles(game, inference=True)
    search.get_ready()
    action = search.listed(start, most=1)[0][0]
    views = [start.observe(1)]
    after = start.result(action)
    now = after.result(after.sample_chance(1))
    leaves = search._inferred(now.observe(1), [*views, after.observe(1)])
    assert len(leaves) >= tiles.FEWEST_LEAVES
    laid = np.array(game.record(start.state).racks[0]) - np.array(game.record(after.state).racks[0])
    gain = int(game.record(after.state).scores[0])
    for leave in leaves[:8]:
        held = "".join("?ABCDEFGHIJKLMNOPQRSTUVWXYZ"[k] * int(laid[k] + leave[k]) for k in range(27))
        kept = "".join("?ABCDEFGHIJKLMNOPQRSTUVWXYZ"[k] * int(leave[k]) for k in range(27))
        best = search.listed(game.position(f"{EMPTY} {held}/EEIORSU 0/0 0 0"), most=1)[0][1]
        assert best <= 1000 * (gain + leave_worth(search.terms, kept)) + tiles.WITHIN + 1
    assert search.best(now.observe(1), Limits(simulations=12), earlier=views).action in now.actions()
    assert len(search._inferred(now.observe(1), [])) == 0  # nothing is known of the game before


def test_who_is_far_ahead_plays_safe_and_who_is_behind_hopes():
    """Two candidates with the same mean: the steady one when ahead, the wild one when behind."""
    equity = np.array([30.0, 30.0])
    steady, wild = np.full(40, 30.0) + np.arange(40) % 2, np.where(np.arange(40) % 4 == 0, 120.0, 0.7)
    for goal, wanted in (((0.0, 15.0), 0), ((80.0, 15.0), 1)):
        deals = tiles.Deals(equity, goal)
        deals.add(np.array([steady, wild]))
        assert int(np.argmax(deals.worth())) == wanted


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
