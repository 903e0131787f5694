"""Every option of every search from the command line; strategies, scores and evaluations; how results keep their word."""

import json
import random

import pytest

import outplay
from outplay.cli.main import run
from outplay.errors import OutplayError
from outplay.players.algorithms import algorithms, read


def told(capsys, *arguments):
    assert run([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_every_option_says_what_it_may_be_and_what_it_does():
    for algorithm in algorithms().values():
        for option in algorithm.options:
            assert option.help and option.range_in_words(), (algorithm.name, option.name)
            if option.kind in ("whole", "number", "switch", "word", "pair"):
                with pytest.raises(OutplayError):
                    option.read("nonsense")
            if option.default is not None and option.kind != "function":
                assert option.read(option.default) == option.default


def test_the_imperfect_opponent_from_the_command_line(capsys):
    tree = "tree:tree=[[10,10],[9,100]]"
    assert told(capsys, "best", tree, "--algorithm", "opponent:p=0.3")["value"] == pytest.approx(72.7)
    assert told(capsys, "best", tree, "--algorithm", "opponent:skill=0.99")["action"] == "a1"  # the threshold is 90/91
    assert run(["best", tree, "--algorithm", "opponent:p=2"]) == 2
    assert capsys.readouterr().err == "skill must be a number from 0 to 1, got '2'\n"


def test_switches_of_the_engine_change_the_search_and_not_the_value(capsys):
    names = ("engine:pvs", "engine:pvs,table=no")
    found = [told(capsys, "best", "tic-tac-toe", "--algorithm", name, "--depth", "9") for name in names]
    assert found[0]["value"] == found[1]["value"] == 0 and found[0]["nodes"] < found[1]["nodes"]


def test_limits_and_seeds_may_stand_among_the_options():
    asked = read("engine:mcts,c=0.5,time=2,seed=7")
    assert (asked.name, asked.limits, asked.common, asked.options) == ("engine:mcts", {"seconds": 2.0}, {"seed": 7}, {"c": "0.5"})


def test_a_mean_of_one_is_no_win(capsys):
    assert run(["best", "tic-tac-toe", "--algorithm", "engine:mcts", "--simulations", "3"]) == 0
    assert "win for" not in capsys.readouterr().out


def test_depth_0_is_the_evaluation(capsys):
    eval_of = outplay.judge(outplay.load("isolation").start().play("c3 a1")).value
    found = told(capsys, "best", "isolation", "--actions", "c3,a1", "--algorithm", "h-minimax", "--depth", "0")
    assert found["value"] == eval_of and not found["exact"]


def test_scores_are_the_minimax_values(capsys):
    position = outplay.load("tic-tac-toe").position("xo./.x./..o x")
    found = told(capsys, "solve", "tic-tac-toe", "--position", position.text(), "--scores")["scores"]
    assert found == {position.action_text(a): outplay.best(position.result(a), "minimax").value for a in position.actions()}


def test_a_strategy_answers_everything_and_wins(capsys, tmp_path):
    file = tmp_path / "plan.json"
    game = outplay.load("nim:heaps=1-2-3")  # lost for the player to move
    answer = told(capsys, "solve", game.name, "--strategy", str(file))
    assert answer["value"] == -1 and answer["out"] == str(file)
    policy = outplay.Policy.load(file, game)
    assert answer["positions"] == len(policy)
    source = random.Random(3)
    for _ in range(20):
        position = game.start()
        while not position.is_terminal():
            answers = policy.sample(position, source) if position.player() == 1 else source.choice(position.actions())
            position = position.result(answers)
        assert position.utility(1) == 1
    with pytest.raises(OutplayError, match="this policy is for"):
        outplay.Policy.load(file, outplay.load("nim:heaps=1-2"))
    file.write_text(file.read_text().replace(policy.fingerprint, "0" * 16))
    with pytest.raises(OutplayError, match="have changed since"):
        outplay.Policy.load(file, game)


def test_material_counts_nine_five_three_three_one(capsys):
    for fen, points in (("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", 900), ("r3k3/8/8/8/8/8/P7/1N2KB2 w - - 0 1", 200)):
        found = told(capsys, "evaluate", "chess", "--position", fen, "--weights", "material")
        assert found["value"] == found["features"]["material"] == points


def test_features_add_up_to_the_evaluation(capsys):
    fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1"
    found = told(capsys, "evaluate", "chess", "--position", fen)
    assert sum(found["features"].values()) == pytest.approx(found["value"]) and found["unit"] == "centipawns"


def test_the_lists(capsys):
    found = told(capsys, "algorithms", "mcts")["algorithms"]
    assert [one["name"] for one in found] == ["mcts"] and found[0]["options"][0]["also"] == "c"
    assert told(capsys, "algorithms", "--game", "backgammon")["auto"] == "engine:star2"
    assert {"player", "description", "options"} == set(told(capsys, "players")["players"][0])


def test_a_large_game_without_an_evaluation_gets_monte_carlo(tmp_path):
    file = tmp_path / "wide.py"
    file.write_text(
        "from outplay.game import Game\n"
        "class Wide(Game):\n"
        "    name = 'wide'\n"
        "    def initial(self): return 0\n"
        "    def player(self, state): return state % 2\n"
        "    def actions(self, state): return range(30)\n"
        "    def result(self, state, action): return state + 1\n"
        "    def is_terminal(self, state): return state == 20\n"
        "    def utility(self, state, player): return 0\n"
    )
    from outplay.engine.sizes import size

    assert size(outplay.load(str(file))) == pytest.approx(20 * 1.4771, abs=0.1)
