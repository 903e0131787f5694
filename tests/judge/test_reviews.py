"""Reviews that were wrong once, by name."""

import json
import runpy
from pathlib import Path

import pytest

from outplay.cli.main import run as outplay
from outplay.formats import games as formats
from outplay.game import load
from outplay.judge.calibrating import calibrate
from outplay.judge.hints import hint
from outplay.judge.review import review
from outplay.judge.shares import Fit, fitted, shipped, unit_of
from outplay.judge.verdicts import FAULTS
from outplay.judge.worth import Judge
from outplay.players.algorithms import search
from outplay.values import Limits

OPERA = """[White "Paul Morphy"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7
12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0
"""


def test_the_opera_game_ends_in_mate_and_not_in_a_collapse():
    taken = formats.read(OPERA)
    start = load("chess").start().play(list(taken.actions[:28]))
    moves = review(start, taken.actions[28:], nodes=15_000, words=True).moves
    walks_in, queen, forced, mate = moves[1:]
    assert walks_in.action == "f6d7" and walks_in.verdict in FAULTS  # into mate in two, lost as it was
    assert "b3b8" in walks_in.words and "2 moves" in walks_in.words
    assert queen.action == "b3b8" and queen.verdict == "only move" and queen.after == 1.0 and queen.proved
    assert forced.verdict == "forced" and forced.after == 0.0 and forced.loss == 0.0  # one reply: worth what follows it
    assert mate.after == 1.0 and mate.proved


def test_a_lost_game_of_connect_four_is_not_a_hundred_percent_accurate():
    start = load("connect four").start()
    told = review(start, list("444441435267"), nodes=20_000)  # red lets three in a row stand open at both ends
    lost = [move for move in told.moves if move.verdict in ("mistake", "blunder")]
    assert lost and any(move.proved for move in lost)
    assert min(value for value in told.accuracy.values() if value is not None) < 100
    assert all(0 <= move.after <= move.before <= 1 for move in told.moves)


def test_the_four_first_moves_of_othello_are_worth_the_same_and_win_no_three_discs():
    start = load("othello").start()
    found = [review(start, [action], nodes=4000).moves[0] for action in ("d3", "c4", "f5", "e6")]
    assert len({(move.value, move.after, move.verdict) for move in found}) == 1
    assert {move.verdict for move in found} == {"best"} and abs(found[0].value) < 3 and 0.3 < found[0].after < 0.7
    assert found[0].unit == "discs"


@pytest.mark.parametrize(("game", "actions"), [("othello", ["d3", "c3", "c4"]), ("chess", ["e2e4", "f7f6", "d2d4", "g7g5"])])
def test_the_same_game_has_the_same_bytes(tmp_path, capsys, game, actions):
    file = tmp_path / "game.json"
    file.write_text(json.dumps({"game": game, "actions": actions}))
    told = []
    for _ in range(2):
        assert outplay(["review", str(file), "--nodes", "2000", "--json"]) == 0
        text = json.loads(capsys.readouterr().out)
        text.pop("seconds")
        told.append(json.dumps(text))
    assert told[0] == told[1]
    moves = json.loads(told[0])["moves"]
    assert all({"action", "best", "loss", "before", "after", "verdict", "words", "proved"} <= move.keys() for move in moves)
    assert all(0 <= move["after"] <= 1 and 0 <= move["before"] <= 1 for move in moves)


def test_luck_stands_beside_skill_where_dice_are_thrown():
    told = review(load("backgammon").start(), ["x31", "8/5+6/5", "66"], nodes=500)
    assert [each.ply for each in told.luck] == [0, 2] and told.luck[1].player == 1 and told.luck[1].luck > 0.1  # six and six
    assert [move.ply for move in told.moves] == [1] and told.moves[0].unit == "points"


def test_three_players_and_a_game_that_nobody_can_tell_yet():
    told = review(load("isolation:players=3").start(), ["a1", "c3", "e5"], nodes=500)
    assert {move.player for move in told.moves} == {0, 1, 2} and all(0 <= move.after <= 1 for move in told.moves)


@pytest.mark.parametrize("name", ["kuhn poker", "rock-paper-scissors", "tic-tac-toe", "hold'em"])
def test_the_bars_of_a_hint_add_up_and_agree_with_it(name):
    position = load(name).start()
    while position.is_chance():
        position = position.result(position.sample_chance(3))
    view = position.observe(position.player())
    *_, found = search(view, "auto", Limits(nodes=500) if name == "tic-tac-toe" else Limits(simulations=400))
    told = hint(position, found)
    assert told.action == told.bars[0].action
    if told.column:
        assert abs(sum(bar.part for bar in told.bars) - 1) < 1e-9
        assert told.bars[0].part == max(bar.part for bar in told.bars)
    assert all(bar.words and not bar.words.lstrip("+−-").replace(".", "").isdecimal() for bar in told.bars if bar.value is not None)


def test_units_are_whole_and_named():
    names = {"chess": "pawns", "othello": "discs", "checkers": "men", "backgammon": "points"}
    assert {name: unit_of(load(name)).name for name in names} == names
    assert unit_of(load("chess")).words(0.35) == "0.3 pawns" and unit_of(load("checkers")).words(1.0) == "1 man"


def test_the_picture_of_the_fits_is_that_of_those_that_come_along():
    root = Path(__file__).parents[2]
    draw = runpy.run_path(str(root / "benchmarks" / "calibration_curves.py"))["draw"]
    assert draw(shipped()) == (root / "docs" / "pictures" / "calibration.svg").read_text(encoding="utf-8")


def test_an_estimate_is_read_alike_from_both_sides():
    for name, fit in {**shipped(), "any": Fit(width=2.0, draw=0.5)}.items():
        for value in (-3.0, -0.2, 0.0, 1.5):
            one, other = fit.shares(value), fit.shares(-value)
            assert abs(one.share + other.share - 1) < 1e-9 and abs(one.won + one.drawn + one.lost - 1) < 1e-9, name
    assert fitted([1.0, -1.0] * 50, [1.0, 0.0] * 50, [0] * 100, 1.0).shares(1.0).share > 0.9


def test_a_position_of_an_authors_own_game_is_read_by_a_fit_made_now():
    judge = Judge(load("isolation:width=5,height=4"), nodes=300)
    assert calibrate(judge.game, 4, 60).positions > 10  # all games count, not the first alone
    assert 0 < judge.worth(judge.game.start()).share(0) < 1


def test_a_step_of_a_puzzle_loses_what_the_way_gets_longer_by():
    start = load("grid", map="S../.#./..G").start()
    found = {text: review(start, [text], nodes=2000).moves[0] for text in (start.action_text(action) for action in start.actions())}
    assert all(move.proved and move.loss == 0 and move.unit == "actions" for move in found.values())  # both ways are four steps
    further = start.result(start.actions()[0])
    back = [review(further, [further.action_text(action)], nodes=2000).moves[0] for action in further.actions()]
    assert sorted(move.loss for move in back)[-1] == 2.0 and {move.verdict for move in back if move.loss} == {"mistake"}
