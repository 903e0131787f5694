"""The pie rule around games that do not know it."""

import pytest

from outplay.conformance import check_game
from outplay.engine.alphabeta.solve import solve
from outplay.errors import BadValue, IllegalAction, OutplayError
from outplay.game import load
from outplay.players import player
from outplay.playing import Play
from outplay.textbook.minimax import minimax

FILE = '''
from outplay.jit import i8
from outplay.rules import game

@game("count")
class Count:
    """Whoever reaches ten wins."""
    most_actions = 3
    total_of: i8
    turn: i8

    def actions(self, out):
        if self.total_of >= 10:
            return 0
        for k in range(3):
            out[k] = k
        return 3

    def play(self, action):
        self.total_of += action + 1
        self.turn = 1 - self.turn

    def utility(self, seat):
        return -1.0 if seat == self.turn else 1.0
'''


def best_with_pie(start):
    """The value to the first player by the definition: the other takes the better side of every first move."""
    return -min(abs(minimax(start.play(start.action_text(action))).value) for action in start.actions())


@pytest.mark.parametrize("name", ["nim:heaps=1-2-3", "nim:heaps=2-2", "nim:heaps=1-3,misere=yes"])
def test_solved_it_is_worth_what_the_definition_says(name):
    with_pie = load(name, pie=True)
    expected = best_with_pie(load(name).start())
    assert solve(with_pie.start()).value == pytest.approx(expected)
    assert minimax(with_pie.start()).value == pytest.approx(expected)


def test_an_authors_file_takes_it(tmp_path):
    file = tmp_path / "count.py"
    file.write_text(FILE)
    game = load(f"{file}:pie=yes")
    start = game.start()
    assert "swap" not in [start.action_text(action) for action in start.actions()]
    after = start.play("0")
    assert [after.action_text(action) for action in after.actions()] == ["0", "1", "2", "swap"]
    swapped = after.play("swap")
    assert swapped.player() == 0
    assert "swap" not in [swapped.action_text(action) for action in swapped.actions()]
    assert game.position(swapped.text()) == swapped
    assert minimax(load(str(file)).start()).value == 1.0
    assert minimax(start).value == -1.0  # one, two and three are each won or lost


def test_texts_of_positions_go_round():
    game = load("tic-tac-toe:pie=yes")
    position = game.start()
    for step in ("b2", "swap", "a1", "c3"):
        assert game.position(position.text()) == position
        position = position.play(step)
    assert position.text().endswith("pie=swapped")
    with pytest.raises(IllegalAction):
        position.play("swap")


def test_it_keeps_its_promises_and_is_played():
    check_game(load("tic-tac-toe:pie=yes", compiled=False), games=5)
    game = load("nim:pie=yes")
    played = Play(game, [player("engine:mcts,simulations=30"), player("random")])
    for _ in played.run():
        pass
    assert played.outcome is not None


@pytest.mark.parametrize("name", ["goofspiel:players=3,pie=yes", "peg solitaire:pie=yes", "bridge:pie=yes", "nim:pie=perhaps"])
def test_games_of_others_are_refused(name):
    with pytest.raises(OutplayError):
        load(name)


def test_the_card_of_rules_says_it():
    from outplay.game.card import card

    assert "swap" in dict(card(load("nim:pie=yes")).lines)["Pie"]
    assert "Pie" not in dict(card(load("nim")).lines)


def test_a_balance_can_vary_it():
    from outplay.workshop.balance import games_of, vary

    tried = games_of("nim", [vary("pie=yes|no")])
    assert [each.game.name for each in tried] == ["nim:pie=True", "nim"]
    with pytest.raises(BadValue):
        load("nim:pie=3")
