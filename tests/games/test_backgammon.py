"""Backgammon: legal results of every roll against a plain enumeration and against OpenSpiel, IDs, scoring, the cube."""

import os
import random
import re
import shutil

import numpy as np
import pytest

from outplay.errors import BadNotation, BadValue, IllegalAction
from outplay.game import Position, load

MOVE = 4
GNUBG = shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")
GNUBG_POSITIONS, GNUBG_SEED = int(os.environ.get("GNUBG_POSITIONS", "60")), int(os.environ.get("GNUBG_SEED", "6"))


def board_of(state):
    return tuple(tuple(int(held) for held in row) for row in state.checkers)


def results(game, checkers, turn, high, low):
    """The boards that the game's own actions lead to."""
    states = game.rules.states(1)
    state = states[0]
    state.checkers[:] = np.array(checkers, np.int8)
    state.turn, state.high, state.low, state.phase, state.owner = turn, high, low, MOVE, -1
    position = Position(game, states.tobytes())
    return [board_of(game.record(game.result(position.state, action))) for action in position.actions()]


def by_definition(checkers, turn, high, low):
    """The same by the letter of the rules: play every die in every order, keep the longest ways, and the larger die's."""
    me, other = turn, 1 - turn

    def one_die(board, die):
        mine, theirs = board[me], board[other]
        for source in [25] if mine[25] else [point for point in range(1, 25) if mine[point]]:
            target = source - die
            if target >= 1 and theirs[25 - target] >= 2:
                continue
            if target < 1:
                if any(mine[7:]) or (target < 0 and any(mine[source + 1 : 7])):
                    continue
                target = 0
            after = [list(row) for row in board]
            after[me][source] -= 1
            after[me][target] += 1
            if target and after[other][25 - target] == 1:
                after[other][25 - target] = 0
                after[other][25] += 1
            yield tuple(tuple(row) for row in after)

    def ways(board, dice):
        found = [(0, board)]
        if dice:
            for after in one_die(board, dice[0]):
                found += [(1 + used, end) for used, end in ways(after, dice[1:])]
        return found

    orders = [(high,) * 4] if high == low else [(high, low), (low, high)]
    every = [(used, end, dice[0]) for dice in orders for used, end in ways(checkers, dice)]
    longest = max(used for used, _, _ in every)
    kept = [(end, first) for used, end, first in every if used == longest]
    if longest == 1 and high != low and any(first == high for _, first in kept):
        kept = [(end, first) for end, first in kept if first == high]
    return {end for end, _ in kept}


def random_boards(seed, count):
    """Boards of random games, and wild ones that random games seldom reach: on the bar, bearing off, few checkers."""
    source = random.Random(seed)
    game = load("backgammon")
    position = game.start()
    for _ in range(count // 2):
        if position.is_terminal():
            position = game.start()
        position = position.result(source.choice(position.actions()))
        state = game.record(position.state)
        yield board_of(state), int(state.turn)
    for _ in range(count - count // 2):
        checkers = [[0] * 26, [0] * 26]
        near = source.random() < 0.6
        for player in range(2):
            for _ in range(15):
                free = [point for point in range(26) if point in (0, 25) or checkers[1 - player][25 - point] == 0]
                if near and player == 0:
                    free = [point for point in free if point <= 8]
                checkers[player][source.choice(free)] += 1
        yield tuple(map(tuple, checkers)), 0


def test_every_roll_leads_where_the_rules_say_and_no_board_comes_twice():
    game = load("backgammon")
    source = random.Random(5)
    for checkers, turn in random_boards(1, 250):
        high, low = sorted((source.randint(1, 6), source.randint(1, 6)), reverse=True)
        ours = results(game, checkers, turn, high, low)
        assert len(set(ours)) == len(ours), (checkers, turn, high, low)
        assert set(ours) == by_definition(checkers, turn, high, low), (checkers, turn, high, low)


def test_legal_results_equal_open_spiels():
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game("backgammon")
    game = load("backgammon")
    source = random.Random(9)
    views = (lambda place: 24 - place, lambda place: place + 1)  # OpenSpiel numbers both players' points from one side

    def board(state):
        rows = []
        for player in range(2):
            row = [0] * 26
            for place in range(24):
                row[views[player](place)] = state.board(player, place)
            row[25] = state.board(player, 100)
            row[0] = 15 - sum(row[1:])
            rows.append(tuple(row))
        return tuple(rows)

    def ends(state, player):
        for action in state.legal_actions():
            after = state.child(action)
            if not after.is_terminal() and not after.is_chance_node() and after.current_player() == player:
                yield from (board(after.child(second)) for second in after.legal_actions())  # doubles are two turns there
            else:
                yield board(after)

    checked = 0
    while checked < 150:
        state, rolled = theirs.new_initial_state(), False
        while not state.is_terminal() and checked < 150:
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(source.choices([a for a, _ in outcomes], [p for _, p in outcomes])[0])
                rolled = True
                continue
            if rolled:
                dice = sorted((int(die) for die in str(state).split("Dice:")[1].split("\n")[0].strip()), reverse=True)
                player = state.current_player()
                assert set(results(game, board(state), player, *dice)) == set(ends(state, player))
                checked, rolled = checked + 1, False
            state.apply_action(source.choice(state.legal_actions()))


def after_legs(checkers, turn, text):
    """The board after a turn in GNU Backgammon's words, checker by checker, with no look at the rules."""
    mine, theirs = list(checkers[turn]), list(checkers[1 - turn])
    for word in text.replace("*", "").split():
        path, _, times = word.partition("(")
        stops = [{"bar": 25, "off": 0}.get(stop) or int(stop.replace("off", "0")) for stop in path.split("/")]
        for _ in range(int(times.rstrip(")") or 1)):
            mine[stops[0]] -= 1
            mine[stops[-1]] += 1
            for stop in stops[1:]:  # it names every stop where it hits
                if stop and theirs[25 - stop] == 1:
                    theirs[25 - stop], theirs[25] = 0, theirs[25] + 1
    return (tuple(mine), tuple(theirs)) if turn == 0 else (tuple(theirs), tuple(mine))


@pytest.mark.skipif(GNUBG is None, reason="GNU Backgammon is not installed")
def test_legal_results_equal_gnu_backgammons():
    from outplay.players import player

    program, source, game = player("gnubg:ply=0"), random.Random(GNUBG_SEED), load("backgammon")
    position, checked = game.start(), 0
    try:
        while checked < GNUBG_POSITIONS:
            if position.is_terminal():
                position = game.start()
            if not position.is_chance():
                state = game.record(position.state)
                checkers, turn = board_of(state), int(state.turn)
                said = program._send(f"set gnubgid {position.text()}", "hint 3000", seconds=60)
                turns = [found[1] for line in said if (found := re.match(r"\d+\. +Cube\w+ +\S+ +(.*?) +Eq", line))]
                theirs = [after_legs(checkers, turn, text) for text in turns] or [checkers]
                ours = results(game, checkers, turn, int(state.high), int(state.low))
                assert sorted(ours) == sorted(theirs), position.text()
                checked += 1
            position = position.result(source.choice(position.actions()))
    finally:
        program.close()


def test_the_stops_of_a_turn_say_where_it_hits():
    position = load("backgammon").position("i65ERSDQc3AERQ:cIkKAAAAAAAE")
    for text in ("bar/20*/18*", "bar/23*/18*"):
        first, second = text.split("/")[1:]
        assert position.action_text(position.parse_action(text)) == f"bar/{first}+{first.rstrip('*')}/{second}"


# ---------------------------------------------------------------- the dice and the opening


def test_the_opening_has_thirty_rolls_and_every_other_twenty_one():
    start = load("backgammon").start()
    assert len(start.chances()) == 30 and start.is_chance()
    assert sum(probability for _, probability in start.chances()) == pytest.approx(1)
    later = start.play("o62 24/18+13/11")
    assert len(later.chances()) == 21
    assert {later.action_text(action): probability for action, probability in later.chances()}["65"] == pytest.approx(2 / 36)
    assert later.game.record(later.state).turn == 0


def test_no_move_is_an_action_of_its_own():
    # x on the bar against six made points.
    checkers = [[0] * 26, [0] * 26]
    checkers[0][25], checkers[0][3] = 1, 14
    for point in range(1, 7):
        checkers[1][point] = 2
    checkers[1][0] = 3
    assert results(load("backgammon"), checkers, 0, 6, 5) == [tuple(map(tuple, checkers))]


# ---------------------------------------------------------------- notation


@pytest.mark.parametrize(
    ("moves", "identity"),
    [
        ("x31", "4HPwATDgc/ABMA:MIEFAAAAAAAE"),
        ("x31 8/5+6/5", "sGfwATDgc/ABMA:cAkAAAAAAAAE"),
    ],
)
def test_gnu_backgammon_ids(moves, identity):
    game = load("backgammon")
    assert load("backgammon").start().text().startswith("4HPwATDgc/ABMA")
    if moves == "x31 8/5+6/5":
        assert game.start().play(moves).text() == identity
    assert game.position(game.start().play(moves).text()) == game.start().play(moves)


def test_ids_go_round_through_whole_games():
    for name in ("backgammon", "backgammon:cube=true", "backgammon:cube=true,match=5,score=2-3"):
        game, source = load(name), random.Random(3)
        position = game.start()
        while not position.is_terminal():
            assert game.position(position.text()) == position
            position = position.result(source.choice(position.actions()))


def test_turns_are_read_in_any_spelling():
    position = load("backgammon").start().play("x31")
    for spelling in ("8/5+6/5", "6/5+8/5", "6/5*+8/5"):
        assert position.play(spelling).text() == "sGfwATDgc/ABMA:cAkAAAAAAAAE"
    assert position.play("24/20") == position.play("24/21+21/20")
    for action in position.actions():
        assert position.parse_action(position.action_text(action)) == action
    with pytest.raises(IllegalAction, match="illegal action '13/1'"):
        position.play("13/1")


def test_wrong_positions_get_one_line():
    game = load("backgammon")
    with pytest.raises(BadNotation, match="expected 14 characters of base 64"):
        game.position("nonsense")
    with pytest.raises(BadValue, match="a match to 3 is over at 3-0"):
        load("backgammon", match=3, score="3-0")
    with pytest.raises(BadValue, match="such as 2-0"):
        load("backgammon", score="two")


# ---------------------------------------------------------------- the end and the cube


def nearly_done(loser, **parameters):
    """x has one checker left on its first point and throws 2-1; the loser's checkers stand as told."""
    game = load("backgammon", **parameters)
    states = game.rules.states(1)
    state = states[0]
    state.checkers[0, 1], state.checkers[0, 0] = 1, 14
    for point, held in loser.items():
        state.checkers[1, point] = held
    state.turn, state.high, state.low, state.phase, state.owner = 0, 2, 1, MOVE, -1
    position = Position(game, states.tobytes())
    return position.result(position.actions()[0])


@pytest.mark.parametrize(
    ("loser", "points"), [({3: 14, 0: 1}, 1), ({3: 15}, 2), ({3: 14, 24: 1}, 3), ({3: 14, 25: 1}, 3), ({3: 14, 18: 1}, 2)]
)
def test_single_gammon_and_backgammon(loser, points):
    end = nearly_done(loser)
    assert end.is_terminal() and end.utilities() == (points, -points)


def test_a_match_counts_no_more_than_it_needs():
    assert nearly_done({3: 14, 25: 1}, match=5, score="3-0").utilities() == (2, -2)


def test_the_cube_is_offered_taken_and_dropped():
    position = load("backgammon", cube=True).start().play("x31 8/5+6/5")
    assert [position.action_text(action) for action in position.actions()] == ["roll", "double"]
    offered = position.play("double")
    assert offered.player() == 0 and [offered.action_text(action) for action in offered.actions()] == ["take", "drop"]
    assert offered.play("drop").utilities() == (-1, 1)
    taken = offered.play("take")
    assert taken.is_chance()
    # Now the cube is the first player's: the other may not double again.
    after = taken.play("21").result(taken.play("21").actions()[0])
    assert after.game.record(after.state).turn == 0 and "double" in [after.action_text(action) for action in after.actions()]
    assert not load("backgammon", cube=True, match=3, score="2-0", crawford=True).start().play("x31 8/5+6/5").actions()[0] & 1 << 22


def test_evaluation_is_an_equity_of_opposite_sides():
    game, source = load("backgammon"), random.Random(8)
    position = game.start()
    for _ in range(60):
        if position.is_terminal():
            break
        position = position.result(source.choice(position.actions()))
        assert position.evaluate(0) == pytest.approx(-position.evaluate(1))
        assert -3 <= position.evaluate(0) <= 3


def test_the_picture_shows_all_checkers():
    picture = load("backgammon").start().picture()
    held = {0: 0, 1: 0}
    for owner, number in picture.points:
        if number:
            held[owner] += number
    assert held == {0: 15, 1: 15}


def test_a_turn_is_clicked_checker_by_checker():
    # Places are the first player's points: 24 to 1 (25 the bar, 0 off); the second player's own point p lies on 25 - p.
    position = load("backgammon").start().play("x31")
    touches = position.picture().touches
    assert touches[position.parse_action("8/5+6/5")] == (8, 5, 6, 5)
    assert touches[position.parse_action("24/23+13/10")] in ((24, 23, 13, 10), (13, 10, 24, 23))
    assert len(set(touches.values())) == len(position.actions())
    other = load("backgammon").start().play("o31")
    assert other.picture().touches[other.parse_action("8/5+6/5")] == (17, 20, 19, 20)
    assert set(load("backgammon", cube=True).start().play("x31 8/5+6/5").picture().touches.values()) == {()}


# ---------------------------------------------------------------- match text


@pytest.mark.parametrize("name", ["backgammon", "backgammon:cube=true"])
def test_match_text_goes_round(name):
    from outplay.experts.backgammon.mat import read_game, write_game

    game = load(name)
    for seed in range(4):
        source, position, actions = random.Random(seed), game.start(), []
        while not position.is_terminal():
            actions.append(source.choice(position.actions()))
            position = position.result(actions[-1])
        text = write_game(game.rules, actions)
        assert f"Wins {abs(int(position.utility(0)))} point" in text
        assert write_game(game.rules, read_game(game.rules, text)) == text


@pytest.mark.skipif(GNUBG is None, reason="GNU Backgammon is not installed")
@pytest.mark.parametrize("name", ["backgammon", "backgammon:cube=true,match=5,score=1-2"])
def test_match_text_goes_through_gnu_backgammon(name, tmp_path):
    from outplay.experts.backgammon.mat import read_game, write_game
    from outplay.players import player

    game, program = load(name), player("gnubg:ply=0")
    try:
        for seed in range(3):  # in some of them the second player begins
            source, position, actions = random.Random(seed), game.start(), []
            while not position.is_terminal():
                actions.append(source.choice(position.actions()))
                position = position.result(actions[-1])
            ours, theirs = tmp_path / f"ours-{seed}.mat", tmp_path / f"theirs-{seed}.mat"
            ours.write_text(write_game(game.rules, actions) + "\n")
            program._send(f"import mat {ours}", f"export match mat {theirs}")
            assert read_game(game.rules, theirs.read_text()) == actions
    finally:
        program.close()


def test_wrong_match_text_gets_one_line():
    from outplay.experts.backgammon.mat import read_game

    rules = load("backgammon").rules
    with pytest.raises(BadNotation, match="illegal turn '31: 8/1'"):
        read_game(rules, " 1) 31: 8/1")
    with pytest.raises(BadNotation, match="no turns found"):
        read_game(rules, "hello")
