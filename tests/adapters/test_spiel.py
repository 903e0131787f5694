"""OpenSpiel both ways, judged by OpenSpiel: its own simulation test, its algorithms, its own versions of the same games."""

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="the extra `spiel` is not installed")
from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, exploitability, mcts

import outplay
from outplay.adapters.spiel import register, to_spiel
from outplay.errors import BadNotation, BadValue, UnknownName, Unsuitable
from outplay.game import game_names, load

LONG = ("go", "battleships", "backgammon", "fifteen puzzle", "grid", "pocket cube", "chess", "hold'em", "monopoly")
"""Games of ours that random players take long to finish: walked a little way."""
OURS = [name for name in game_names() if not load(name).traits.sampled]


@pytest.mark.parametrize("name", OURS)
def test_every_game_of_ours_passes_the_simulations_of_openspiel(name, capfd):
    if name in LONG:
        state = to_spiel(load(name, compiled=False)).new_initial_state()
        source = np.random.default_rng(1)
        for _ in range(15):
            if state.is_terminal():
                break
            actions = [each for each, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
            state.apply_action(int(source.choice(actions)))
        assert state.clone().history() == state.history() and (len(state.history()) == 15 or state.is_terminal())
        return
    pyspiel.random_sim_test(to_spiel(load(name, compiled=False)), num_sims=1, serialize=False, verbose=False)


def test_both_kuhn_pokers_are_worth_the_same_to_its_algorithms():
    ours, theirs = to_spiel("kuhn poker"), pyspiel.load_game("kuhn_poker")
    found = [exploitability.nash_conv(game, policy.UniformRandomPolicy(game)) for game in (ours, theirs)]
    assert found[0] == pytest.approx(found[1], abs=1e-12)
    learned = []
    for game in (ours, theirs):
        solver = cfr.CFRSolver(game)
        for _ in range(40):
            solver.evaluate_and_update_policy()
        learned.append(exploitability.nash_conv(game, solver.average_policy()))
    assert learned[0] == pytest.approx(learned[1], abs=1e-9) and learned[0] < 0.1


def test_its_tree_search_finds_the_win_in_our_tic_tac_toe():
    game = to_spiel("tic-tac-toe")
    state = game.new_initial_state()
    for action in (0, 3, 1, 4):
        state.apply_action(action)
    source = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 1.4, 200, mcts.RandomRolloutEvaluator(1, source), random_state=source)
    assert bot.step(state) == 2


def test_its_games_are_games_here():
    hex3 = load("spiel:hex,board_size=3")
    assert load("spiel:hex,board_size=3") is hex3 and hex3.position("0 4").text() == "0 4"
    assert outplay.best(hex3.start(), "alphabeta").value == 1.0  # the first player wins Hex
    ours, theirs = load("tic-tac-toe"), load("spiel:tic_tac_toe")
    assert ours.position("xo./.../... x") and outplay.best(theirs.position("0 3 1 4"), "minimax").action == 2
    records = list(outplay.match("spiel:connect_four", ["mcts:simulations=20", "random"], games=2))
    assert len(records) == 2 and all(record.outcome is not None for record in records)


def test_hidden_information_stays_hidden_and_can_be_dealt():
    game = load("spiel:leduc_poker")
    position = game.position("0 3")
    assert position.observe(0) == game.position("0 4").observe(0) and position.observe(0) != game.position("1 3").observe(0)
    dealt = {position.deal(0, seed).text() for seed in range(30)}
    assert len(dealt) == 5 and all(text.startswith("0 ") for text in dealt)  # five cards are left for the other
    kuhn = load("spiel:kuhn_poker")
    assert kuhn.traits.information == "hidden" and kuhn.traits.chance



def test_simultaneous_moves_become_moves_in_turn():
    game = load("spiel:matrix_rps")
    position = game.start().result(0)
    assert position.player() == 1 and position.observe(1) == game.start().result(1).observe(1)


def test_what_cannot_be_is_told_in_one_line():
    with pytest.raises(UnknownName, match="did you mean 'hex'"):
        load("spiel:hexx")
    with pytest.raises(BadValue, match="needs the name"):
        load("spiel:")
    with pytest.raises(Unsuitable, match="mean field"):
        load("spiel:mfg_crowd_modelling")
    with pytest.raises(BadNotation, match="no legal action"):
        load("spiel:tic_tac_toe").position("0 0")
    assert register("nim") == "outplay_nim"


@pytest.mark.parametrize("name", ["leduc_poker", "goofspiel", "go_fish", "spades"])
def test_what_a_seat_does_not_see_is_dealt_where_openspiel_cannot(name):
    """By random plays, by steps that show the same, by exchanged cards: always another state that the seat cannot tell apart."""
    game = load(f"spiel:{name}")
    position = game.start()
    source = np.random.default_rng(5)
    while position.is_chance() or position.player() != 1:
        position = position.result(int(source.choice(list(position.actions()))))
    game.resamples = False  # also in those where it can
    dealt = [position.deal(1, seed) for seed in range(3 if name == "spades" else 30)]
    seen = {each.observe(1).text() for each in dealt}
    assert seen == {position.observe(1).text()} and all(each.player() == 1 for each in dealt)
    assert len({each.text() for each in dealt}) > 1


def test_deals_are_fair_where_openspiel_cannot_deal():
    """Leduc poker: the other five cards are equally likely, whatever they did."""
    game = load("spiel:leduc_poker")
    game.resamples = False
    position = game.position("0 3")
    counts = np.zeros(6, int)
    for seed in range(400):
        counts[int(position.deal(0, seed).text().split()[1])] += 1
    assert counts[0] == 0 and ((counts[1:] - 80.0) ** 2 / 80.0).sum() < 20.0  # chi-square with 4 degrees: 20 is 0.0005


def test_what_openspiel_cannot_play_in_turn_is_told_in_one_line():
    for name, words in (("crossword", "no list of legal actions"), ("mfg_garnet", "mean field"), ("tarok", "does not list"),
                        ("nfg_game", "OpenSpiel says")):  # fmt: skip
        with pytest.raises((Unsuitable, BadValue), match=words):
            load(f"spiel:{name}")
    inside = load("spiel:start_at(history=0;1,game=tic_tac_toe())").start()
    assert len(inside.actions()) == 7  # keys within brackets are the inner game's
