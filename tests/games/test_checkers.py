"""Checkers against known counts of games and against pydraughts, whose boards we did not write."""

import random
import re

import pytest
from hypothesis import given

from outplay.conformance import check_game
from outplay.engine.perft import perft
from outplay.errors import BadNotation
from outplay.game import load
from outplay.games.checkers import VARIANTS
from outplay.games.checkers.notation import row_and_column
from tests.games.oracles import assert_only_clear_errors, garbage

ORACLES = {"english": "english", "international": "standard", "russian": "russian", "brazilian": "brazilian", "italian": "italian"}


@pytest.mark.parametrize("variant", VARIANTS)
def test_it_keeps_its_promises(variant):
    check_game(load("checkers", variant=variant, compiled=False), games=3)


def test_compiled_it_keeps_its_promises():
    check_game(load("checkers"), games=20)


def test_the_number_of_games():
    # Two ways of a capture with the same effect are two moves on the small board, and one where kings fly.
    assert [perft(load("checkers").start(), depth)[0] for depth in range(1, 10)] == [
        7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680]  # fmt: skip
    assert [perft(load("checkers:variant=international").start(), depth)[0] for depth in range(1, 8)] == [
        9, 81, 658, 4265, 27117, 167140, 1049442]  # fmt: skip


def algebraic(match):
    row, place = divmod(int(match[0]) - 1, 4)
    return "abcdefgh"[2 * place + 1 - row % 2] + str(8 - row)


@pytest.mark.parametrize("variant", ORACLES)
def test_the_rules_are_pydraughts(variant):
    draughts = pytest.importorskip("draughts")
    game, draw = load("checkers", variant=variant), random.Random(5)
    words = game.record(game.start().state).words()
    by_letters = variant in ("russian", "brazilian")  # there its squares have names, and numbers from the bottom

    def ours(number):
        return (7 - (number - 1) // 4) * 4 + (number - 1) % 4 + 1 if by_letters else number

    for _ in range(4):
        position = game.start()
        for _ in range(60):
            if position.is_terminal():
                break
            fen = position.text().partition(":H")[0]
            board = draughts.Board(variant=ORACLES[variant], fen=re.sub(r"\d+", algebraic, fen) if by_letters else fen)
            theirs = {(ours(way[0][0]), ours(way[-1][1]), tuple(sorted(ours(each) for each in taken if each is not None)))
                      for way, taken in zip(*board._legal_moves_board(), strict=True)}
            found = {(start, end, tuple(taken)) for start, end, taken in
                     (words.parts(action, position.player()) for action in position.actions())}
            assert found == theirs, fen
            position = position.result(draw.choice(position.actions()))


def test_frisian_rules_are_pydraughts():
    # Whole games, since what a king may do there depends on the moves before; half of them begin with many kings, which walk.
    draughts = pytest.importorskip("draughts")
    game, draw, held = load("checkers", variant="frisian", compiled=False), random.Random(3), 0
    words = game.record(game.start().state).words()
    for text in (*["W:W36,K46,K50:B15,K1,K2"] * 8, "B:W28,K39,K48:BK5,K12,17,18", "W:W31-50:B1-20"):
        position, board = game.position(text), draughts.Board(variant="frisian", fen=text)
        for _ in range(24):
            ways, taken = board._legal_moves_board()
            theirs = {(way[0][0], way[-1][1], tuple(sorted(each for each in men if each is not None))): way
                      for way, men in zip(ways, taken, strict=True)}
            ours = {(start, end, tuple(men)): action for action in position.actions()
                    for start, end, men in [words.parts(action, position.player())]}
            assert set(ours) == set(theirs), position.text()
            assert game.position(position.text()) == position
            if position.is_terminal() or position.is_drawn():
                break
            state = game.record(position.state)
            held += int(state.held()) > 0
            same = [move for move in sorted(ours) if state.walked and words.bit(move[0], position.player()) == state.walker]
            move = draw.choice(same or sorted(ours))
            board.push(draughts.Move(board, board_move=theirs[move]))
            position = position.result(ours[move])
    assert held > 0


def test_frisian_values_and_kings():
    frisian = load("checkers:variant=frisian")

    def moves(text):
        position = frisian.position(text)
        return [position.action_text(action) for action in position.actions()]

    assert moves("W:W28:B18") == ["28x8"] and moves("W:W28:B27") == ["28x26"]  # along a column and a row
    assert moves("W:W28:BK22,23") == ["28x17"]  # a king is worth more than a man
    assert moves("W:W28,K50:B22,44") == ["50x39", "50x33"]  # the king takes where a man could take as much
    walked = frisian.position("W:W40,K46:BK5,6:+3/46+0")
    assert sorted(map(walked.action_text, walked.actions())) == ["40-34", "40-35"]
    assert frisian.position("W:WK46:BK5,6:+3/46+0").actions()  # without men it may go on
    with pytest.raises(BadNotation, match="say where the king stands"):
        frisian.position("W:W40,K46,K47:BK5,6:+3+0")


def slow_captures(board, size, square, is_king, forward, variant):
    """All captures of one man by trying everything on a plain board: (end, taken squares, crowned on the way)."""
    rules = VARIANTS[variant]
    last = 0 if forward < 0 else size - 1
    found = []

    def follow(at, taken, royal, crowned):
        hops = []
        for down, right in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
            if not royal and not rules.backward and down != forward:
                continue
            row, column = at[0] + down, at[1] + right
            while royal and rules.flying and board.get((row, column)) == "":
                row, column = row + down, column + right
            prey = board.get((row, column))
            if not prey or prey[0] == "mine" or (row, column) in taken or (prey[1] and not royal and not rules.men_take_kings):
                continue
            landings, victim = [], (row, column)
            row, column = row + down, column + right
            while board.get((row, column)) == "":
                landings.append((row, column))
                if not (royal and rules.flying):
                    break
                row, column = row + down, column + right
            hops.append((victim, landings))
        went = False
        for victim, landings in hops:
            ends = []
            for land in landings:
                went = True
                now = royal or (land[0] == last and rules.last_row == "king")
                if land[0] == last and not royal and rules.last_row == "stops":
                    found.append((land, frozenset(taken | {victim}), True))
                    continue
                before = len(found)
                if not follow(land, taken | {victim}, now, crowned or (now and not royal)):
                    ends.append((land, now))
                elif len(found) > before:
                    continue
            if len(ends) < len(landings):  # from one of the landing squares it goes on: so it must
                continue
            for land, now in ends:
                is_crowned = crowned or (now and not royal) or (not now and land[0] == last)
                found.append((land, frozenset(taken | {victim}), is_crowned))
        return went

    board[square] = ""
    follow(square, frozenset(), is_king, False)
    return found


@pytest.mark.parametrize("variant", ["pool", "spanish", "czech", "russian", "international"])
def test_captures_are_those_of_a_slow_program(variant):
    game, draw, rules = load("checkers", variant=variant), random.Random(variant), VARIANTS[variant]
    size, seen = rules.size, 0
    words = game.record(game.start().state).words()
    for _ in range(150):
        squares = draw.sample(range(1, size * size // 2 + 1), draw.randint(4, 12))
        sides = {"W": [], "B": []}
        for number in squares:
            row = row_and_column(number, size, rules.mirrored)[0]
            sides[draw.choice("WB")].append(("K" if row in (0, size - 1) or draw.random() < 0.4 else "") + str(number))
        if not all(sides.values()):
            continue
        position = game.position(f"W:W{','.join(sides['W'])}:B{','.join(sides['B'])}")
        turn = position.player()
        forward = -1  # white goes up the board in all of them
        board = {row_and_column(number, size, rules.mirrored): "" for number in range(1, size * size // 2 + 1)}
        names = {row_and_column(number, size, rules.mirrored): number for number in range(1, size * size // 2 + 1)}
        for colour, owner in (("W", "mine"), ("B", "theirs")):
            for text in sides[colour]:
                board[row_and_column(int(text.removeprefix("K")), size, rules.mirrored)] = (owner, text.startswith("K"))
        wanted = []
        for square, man in board.items():
            if man and man[0] == "mine":
                for end, taken, _ in slow_captures(dict(board), size, square, man[1], forward, variant):
                    kings = sum(board[each][1] for each in taken)
                    worth = {"any": 0, "most": len(taken), "spanish": (len(taken), kings), "kings": man[1]}[rules.rule]
                    wanted.append((worth, (names[square], names[end], tuple(sorted(names[each] for each in taken)))))
        best = max((worth for worth, _ in wanted), default=None)
        wanted = {move for worth, move in wanted if worth == best}
        ours = (words.parts(each, turn) for each in position.actions())
        found = {(start, end, tuple(taken)) for start, end, taken in ours if taken}
        assert found == wanted, position.text()
        seen += bool(wanted)
    assert seen > 50


@pytest.mark.parametrize("variant", VARIANTS)
def test_moves_are_read_as_they_are_written(variant):
    game, draw = load("checkers", variant=variant), random.Random(variant)
    for _ in range(10):
        position = game.start()
        while not position.is_terminal():
            texts = [position.action_text(action) for action in position.actions()]
            assert [position.parse_action(text) for text in texts] == list(position.actions())
            position = position.result(draw.choice(position.actions()))
            assert game.position(position.text()) == position


def test_two_ways_with_one_effect_are_two_moves():
    # A king on 22 goes round the four white men either way.
    position = load("checkers").position("B:W9,10,17,18:BK22")
    assert [position.action_text(action) for action in position.actions()] == ["22x15x6x13x22", "22x13x6x15x22"]


def test_a_man_crowned_while_it_takes():
    stops = load("checkers").position("B:W26,27:B22")
    assert [stops.action_text(action) for action in stops.actions()] == ["22x31"]
    # f6 takes e7 and is a king on d8; only in Russia does it fly on at once over b6 to a5.
    position = "W:Wf6:Bb6,e7"
    assert load("checkers:variant=russian").position(position).play("f6:a5").text() == "B:WK13:B"
    assert load("checkers:variant=pool").position(position).play("11x2").text() == "B:WK2:B9"
    assert load("checkers:variant=brazilian").position(position).play("f6:d8").text() == "B:WK2:B9"


def test_an_italian_man_takes_no_king():
    position = load("checkers:variant=italian").position("W:W22:BK18,17")
    assert all("18" not in position.action_text(action) for action in position.actions())


def test_forty_moves_are_a_draw():
    position = load("checkers").position("B:WK32:BK1:H79")
    assert not position.is_drawn()
    assert position.play("1-5").is_drawn()
    assert position.play("1-5").utilities() == (0.0, 0.0)


@pytest.mark.parametrize(("text", "words"), [
    ("B:W32:B29", "would be a king"), ("B:W33:B1", "squares are 1 to 32"), ("B:W1:BK1", "given twice"), ("x", "expected a pos"),
    ("B:W21-32,20:B1-12", "12 is all there are"), ("W::", "expected a position"), ("B:Wa1:Bb1", "no dark square"),
])  # fmt: skip
def test_impossible_positions_get_one_line(text, words):
    with pytest.raises(BadNotation, match=words):
        load("checkers").position(text)


@given(garbage("BW:K,-0123456789abh H"))
def test_garbage_gets_one_line(text):
    assert_only_clear_errors(load("checkers", compiled=False), text)
