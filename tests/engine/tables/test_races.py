"""Tables of bear-offs: published odds, a brute force that shares no line with the rules, and what the network makes of them."""

import functools
import itertools
from fractions import Fraction

import numpy as np
import pytest

from outplay.engine.tables import races
from outplay.errors import Unsuitable
from outplay.game import Position, load
from outplay.networks import td_nets
from outplay.players import player
from outplay.players.networks import options_for, shipped

# In how many of 36 rolls the last two checkers leave at once, as every book on backgammon lists it.
LAST_TWO = {(1, 1): 36, (2, 1): 36, (3, 1): 34, (4, 1): 29, (5, 1): 23, (6, 1): 15, (2, 2): 26, (3, 2): 25, (4, 2): 23, (5, 2): 19,
            (6, 2): 13, (3, 3): 17, (4, 3): 17, (5, 3): 14, (6, 3): 10, (4, 4): 11, (5, 4): 10, (6, 4): 8, (5, 5): 6, (6, 5): 6,
            (6, 6): 4}  # fmt: skip


def index_of(points):
    place = load("backgammon").rules.states(1)[0]
    for point in points:
        place.checkers[0, point] += 1
    place.checkers[0, 0] = 15 - len(points)
    return int(place.race_index(0))


def one_die(points, die):
    """The checkers after one die, every way; they are sorted from far to near."""
    rest = [(point, (*points[:k], *points[k + 1 :])) for k, point in enumerate(points)]
    found = {tuple(sorted((*others, point - die), reverse=True)) for point, others in rest if point > die}
    found |= {others for point, others in rest if point == die}
    if points and points[0] < die:
        found.add(points[1:])
    return found or {points}


@functools.cache
def rolls_needed(points):
    """The chances of each number of rolls, by trying everything."""
    if not points:
        return (Fraction(1),)
    sums = [Fraction(0)] * 12
    for one, two in itertools.product(range(1, 7), repeat=2):
        after = set()
        for dice in {(one, two), (two, one)} if one != two else {(one,) * 4}:
            boards = {points}
            for die in dice:
                boards = {board for earlier in boards for board in one_die(earlier, die)}
            after |= boards
        best = min((rolls_needed(board) for board in after), key=lambda odds: sum(k * chance for k, chance in enumerate(odds)))
        for k, chance in enumerate(best[:11]):
            sums[k + 1] += chance / 36
    return tuple(sums)


def test_the_last_checkers_leave_as_often_as_the_books_say():
    odds = races.table(load("backgammon"))
    for points, rolls in LAST_TWO.items():
        assert odds[index_of(points), 1] == pytest.approx(rolls / 36, abs=1e-6)
    for point, rolls in {1: 36, 2: 36, 3: 36, 4: 34, 5: 31, 6: 27}.items():
        assert odds[index_of([point]), 1] == pytest.approx(rolls / 36, abs=1e-6)

    for checkers in (2, 10, 15):  # Walter Trice's rule of a stack on the ace point: 7 pips for every two checkers, and 1
        assert odds[index_of([1] * checkers)] @ np.arange(24) * 49 / 6 == pytest.approx(7 * -(-checkers // 2) + 1, abs=0.2)


def test_up_to_three_checkers_by_brute_force():
    odds = races.table(load("backgammon"))
    for count in range(1, 4):
        for points in itertools.combinations_with_replacement(range(6, 0, -1), count):
            wanted = [float(chance) for chance in rolls_needed(points)]
            assert odds[index_of(points), :12].tolist() == pytest.approx(wanted, abs=1e-6)


def test_every_number_is_one_position_and_every_row_is_whole():
    game = load("backgammon")
    odds, place = races.table(game), game.rules.states(1)[0]
    assert np.allclose(odds.sum(1), 1, atol=1e-5)
    for index in [*range(0, 54264, 997), 54263]:
        place.race_place(index)
        assert place.race_index(0) == index and place.checkers[0].sum() == 15
    place.checkers[0, 6] -= 1
    place.checkers[0, 7] += 1
    assert place.race_index(0) == -1  # not all are home
    with pytest.raises(Unsuitable, match="race_index"):
        races.build(load("tic-tac-toe"))


def test_the_network_asks_the_table_once_both_bear_off():
    game = load("backgammon")
    laid_out = options_for("backgammon", game)["weights"]
    place = game.rules.states(1)[0]
    place.checkers[0, 6], place.checkers[0, 0], place.checkers[1, 1], place.checkers[1, 0] = 1, 14, 1, 14
    place.phase, place.turn = 3, 0
    assert place.evaluate(0, laid_out) == pytest.approx(2 * 27 / 36 - 1, abs=1e-6)  # else the other is off
    assert place.evaluate(1, laid_out) == pytest.approx(1 - 2 * 27 / 36, abs=1e-6)
    plain = game.rules.evaluation.network_weights(*td_nets.read(shipped()["backgammon"])[1])
    assert place.evaluate(0, plain) != pytest.approx(0.5, abs=1e-6)  # the network alone only guesses
    # Of 6 and 2, a 2 and a 1 best leave 5 alone (31 rolls of 36) and not 4 and 1 (29) or 6 (27).
    states = game.rules.states(1)
    states[0] = place
    states[0].checkers[0, 2], states[0].checkers[0, 0], states[0].phase, states[0].high, states[0].low = 1, 13, 4, 2, 1
    position = Position(game, states.tobytes())
    after = position.result(player("net:backgammon").choose(position))
    assert np.frombuffer(after.state, game.rules.layout)[0]["checkers"][0, :7].tolist() == [14, 0, 0, 0, 0, 1, 0]
