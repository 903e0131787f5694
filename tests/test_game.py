"""The Python face: positions, notation, errors, and the two tiers of running."""

import contextlib
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from outplay.errors import BadNotation, BadValue, IllegalAction, OutplayError, RulesError, UnknownName, Unsuitable
from outplay.game import COMPILE_AFTER, CompiledGame, Game, game_names, load, need
from outplay.jit import UNCOMPILED
from outplay.playing import Play
from tests.coins import Coins


@pytest.mark.parametrize("start", [Coins().start(), load("tic-tac-toe").start(), load("connect four", compiled=False).start()])
def test_both_kinds_offer_the_same_face(start):
    position = start
    while not position.is_terminal():
        assert position.player() in (0, 1)
        assert position.outcome() is None
        with pytest.raises(IllegalAction, match="not over"):
            position.utility(0)
        position = position.result(position.actions()[-1])
    assert position.actions() == ()
    assert position.utility(0) == -position.utility(1)
    assert position.outcome().winner in (0, 1, None)


def test_positions_are_values():
    game = load("tic-tac-toe")
    first, second = game.start().play("b2 a1"), game.start().play("b2").play("a1")
    assert first == second and hash(first) == hash(second) and first != game.start()
    assert eval(repr(first), {"load": load}) == first
    assert game.start().play("b2, a1") == first


def test_a_refusal_tells_nothing_that_the_mover_does_not_see():
    position = load("battleships:width=3,height=2,fleet=2").start().play("a1-b1 b2-c2")
    play = Play(position.game, start=position)
    for illegal in (lambda: position.play("z9"), lambda: position.result(99), lambda: play.push("z9")):
        with pytest.raises(IllegalAction, match=r"illegal action '[z9]+' in a1-b1 \| \?: legal are a1") as refused:
            illegal()
        assert "b2-c2" not in str(refused.value)
    before = load("kuhn poker").start().play("K")  # the other's card comes: chance is to move, and nobody is told the king
    with pytest.raises(IllegalAction) as refused:
        before.play("z9")
    assert "illegal action 'z9': legal are" in str(refused.value)


def test_an_illegal_action_is_refused_with_the_legal_ones():
    position = load("tic-tac-toe").start().play("b2")
    with pytest.raises(IllegalAction, match=r"illegal action 'b2' in \.\.\./\.x\./\.\.\. o: legal are a3 b3 c3"):
        position.play("b2")
    with pytest.raises(IllegalAction, match="illegal action '4'"):
        position.result(4)
    with pytest.raises(IllegalAction, match="the game is over"):
        load("tic-tac-toe").position("xxx/oo./... o").play("c2")


def test_actions_are_read_whatever_their_case():
    assert load("tic-tac-toe").start().play("B2") == load("tic-tac-toe").start().play("b2")


@given(st.text(max_size=40))
def test_garbage_positions_and_actions_get_an_error_of_ours(text):
    for name in ("tic-tac-toe", "connect four"):
        game = load(name)
        try:
            position = game.position(text)
            assert game.position(position.text()) == position
        except OutplayError:
            pass
        with contextlib.suppress(OutplayError):
            game.start().play([text])


def test_impossible_positions_are_refused():
    game = load("tic-tac-toe")
    for text in ("xxx/ooo/... x", "xx./.../... o", "xxx/oo./... x", "xo/.../... x", "abc/.../... x", "x../.../..."):
        with pytest.raises(BadNotation):
            game.position(text)


def test_unknown_games_get_the_nearest_name():
    with pytest.raises(UnknownName, match="unknown game 'tictactoo': did you mean 'tic-tac-toe'"):
        load("tictactoo")
    assert load("tictactoe") is load("Tic_Tac_Toe") is load("tic tac toe")


def test_every_game_is_found_by_its_file():
    assert {"tic-tac-toe", "connect four"} <= set(game_names())


def test_an_authors_own_file(tmp_path):
    file = tmp_path / "my_coins.py"
    file.write_text(
        "from outplay.game import Game\n"
        "class Mine(Game):\n"
        "    name = 'mine'\n"
        "    def initial(self): return 0\n"
        "    def player(self, state): return 0\n"
        "    def actions(self, state): return ()\n"
        "    def is_terminal(self, state): return True\n"
        "    def utility(self, state, player): return 0\n"
    )
    assert load(str(file)).start().is_terminal()
    with pytest.raises(BadValue, match="no such file"):
        load(str(tmp_path / "nothing.py"))
    (tmp_path / "empty.py").write_text("x = 1\n")
    with pytest.raises(RulesError, match="no game found"):
        load(str(tmp_path / "empty.py"))
    (tmp_path / "broken.py").write_text("x = = 1\n")
    with pytest.raises(RulesError, match="SyntaxError"):
        load(str(tmp_path / "broken.py"))


def test_a_plain_game_that_lacks_a_function_is_told_so():
    class Lacking(Game):
        name = "lacking"

    with pytest.raises(RulesError, match=r"lacking: the class lacks the method initial\(self\)"):
        Lacking().start()


def test_rules_are_compiled_only_after_some_use():
    game = CompiledGame(load("connect four", width=4, height=4, line=3).rules)  # one that nobody has used yet
    assert not game._compiled
    seen = {game.start()}
    fringe = [game.start()]
    while len(seen) < COMPILE_AFTER:
        position = fringe.pop()
        for action in position.actions():
            child = position.result(action)
            if child not in seen:
                seen.add(child)
                fringe.append(child)
    assert game._compiled or UNCOMPILED
    plain = load("connect four", compiled=False, width=4, height=4, line=3)
    for position in list(seen)[:100]:  # and both tiers say the same
        assert plain.facts(position.state) == game.facts(position.state)


def test_the_need_of_an_algorithm_is_one_sentence():
    with pytest.raises(Unsuitable, match=r"^alpha-beta needs a two-player zero-sum game without chance; solo has 1 player$"):
        need("alpha-beta", Solo(), players=2, sum="zero", chance=False)
    with pytest.raises(Unsuitable, match=r"dice has chance: use expectiminimax$"):
        need("alpha-beta", Dice(), players=2, sum="zero", chance=False)
    with pytest.raises(Unsuitable, match=r"cards hides information: use averaging over deals$"):
        need("alpha-beta", Cards(), players=2, sum="zero", chance=False, information="perfect", use="averaging over deals")


class Solo(Coins):
    """One player."""

    name, players = "solo", 1


class Dice(Coins):
    """With chance."""

    name = "dice"

    def chances(self, state):
        return ()


class Cards(Coins):
    """With hidden information."""

    name = "cards"

    def observe(self, state, player):
        return state


def test_several_threads_may_ask_one_game_at_once():
    game = load("connect four")
    wrong = []

    def walk(seed):
        source = np.random.default_rng(seed)
        for _ in range(30):
            position, plies = game.start(), 0
            while not position.is_terminal():
                position = position.result(position.actions()[source.integers(len(position.actions()))])
                plies += 1
                discs = sum(cell in "xo" for cell in position.text().split(" ")[0])
                if discs != plies or position.player() != plies % 2:
                    wrong.append(position)

    threads = [threading.Thread(target=walk, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_positions_are_equal_by_their_rules():
    """Whoever loads a game twice, compiled or not, has the same positions; other rules never have."""
    one, two = load("connect four", compiled=False).start(), load("connect four").start()
    assert one == two and hash(one) == hash(two) and one.play("4") == two.play("4") != two
    assert load("nim:heaps=3").start() != load("nim").start()
    assert load("connect four:width=6").start() != two
