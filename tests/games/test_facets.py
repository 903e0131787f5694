"""What the facets of the contract are for: partners, drawn chance, weighted deals, symmetries, wide actions, draws."""

import random

import pytest

from outplay.errors import BadValue, RulesError, Unsuitable
from outplay.game import CompiledGame
from outplay.jit import i8, random_source
from outplay.rules import Definition, game
from outplay.textbook.alphabeta import alphabeta
from outplay.textbook.deals import deals
from outplay.textbook.expectimax import expectimax
from outplay.textbook.maxn import maxn
from outplay.textbook.mcts import mcts
from outplay.textbook.minimax import minimax
from outplay.textbook.playout import play_out
from tests.games.facets import facet


def dealt(seed=0, **parameters):
    """A game of tricks with all cards dealt."""
    position, source = facet("tricks", **parameters).start(), random_source(seed)
    while position.is_chance():
        position = position.result(position.sample_chance(source))
    return position


def test_partners_search_together():
    for seed in range(3):
        position = dealt(seed, hidden=False)
        while len(position.game.record(position.state).played.nonzero()[0]) < 4:
            position = position.result(position.actions()[0])
        found = alphabeta(position)
        vector = maxn(position).value
        assert isinstance(vector, tuple) and vector[0] == vector[2] and vector[0] + vector[1] == 3
        assert found.value == minimax(position).value == vector[0]  # four who look after their side play what two sides play
        assert position.game.traits.sides == 2 and position.side() == position.player() % 2


def test_drawn_chance_is_refused_where_it_would_have_to_be_listed():
    start = facet("tricks", hidden=False).start()
    assert start.is_sampled() and start.actions() == () and not start.is_terminal()
    for search in (alphabeta, minimax, maxn):
        with pytest.raises(Unsuitable, match="can be drawn and not listed") as refusal:
            search(start)
        assert "\n" not in str(refusal.value)
    end, played = play_out(start, lambda position, source: position.actions()[0], random.Random(1))
    assert end.is_terminal() and len(played) == 24
    assert mcts(dealt(1, hidden=False), simulations=50).action is not None


def test_a_deal_is_drawn_evenly():
    game, source = facet("tricks"), random_source(5)
    first = [game.start().sample_chance(source) for _ in range(1200)]
    assert set(first) == set(range(12)) and max(map(first.count, set(first))) < 150


def test_hidden_hands_are_dealt_as_the_play_allows():
    position = dealt(3)
    for _ in range(6):
        position = position.result(position.actions()[-1])
    seat = position.player()
    for number in range(20):
        other = position.deal(seat, number)
        assert other.observe(seat) == position.observe(seat) and other.actions() == position.actions()
    assert deals(position, number=4, agree=4).action in position.actions()


def test_tries_of_a_deal_have_weights():
    position = facet("urn").start().play("1")
    source = random_source(7)
    tries = [position.try_deal(0, source) for _ in range(400)]
    assert 60 < sum(dealt is None for dealt, _ in tries) < 140  # a quarter fails
    assert {weight for _, weight in tries} == {0.0, 0.1, 0.9}
    first = sum(position.deal(0, source).state[0] == 1 for _ in range(500))
    assert 420 < first < 480  # nine in ten: the posterior


def test_a_deal_without_a_weight_is_told():
    body = {**vars(facet("urn").rules.definition.maker), "deal": lambda self, seat, source: None}
    cls = type("Urn", (), {key: value for key, value in body.items() if key not in ("__dict__", "__weakref__")})
    with pytest.raises(RulesError, match="deal returns the weight of the try"):
        CompiledGame(Definition("urn", cls, {})()).start().play("1").deal(0, 1)


def test_symmetries_map_actions():
    position = facet("lines").start().play("0 4")
    for symmetry in range(8):
        twin = position.transform(symmetry)
        for action in position.actions():
            assert position.result(action).transform(symmetry) == twin.result(position.transform_action(symmetry, action))
    first, symmetry = position.game.canonical(position.state)
    assert position.game.transform(position.state, symmetry) == first
    assert len({position.game.canonical(position.transform(s).state)[0] for s in range(8)}) == 1
    with pytest.raises(BadValue, match="symmetry must be 0 to 7"):
        position.transform(8)


def test_derived_fields_are_no_part_of_the_position():
    position = facet("lines").start().play("0 4 8")
    record = position.game.record(position.state)
    assert list(record.sums) == [1, -1, 1, 1, -1, 1, 1, -1]
    assert position.text() == "cells=1/0/0/0/-1/0/0/0/1;turn=1"
    assert position.game.position(position.text()).state == position.state  # refreshed
    record.sums[0] = 3
    assert type(position)(position.game, record.tobytes()) == position


def test_actions_of_64_bits():
    position = facet("far").start()
    assert position.actions()[2] == (3 << 40) + 2
    assert position.result(position.actions()[2]).play(str(1 << 40)).text().startswith(f"gone={(4 << 40) + 2};")
    values = [minimax(position.result(action)).value for action in position.actions()]
    assert minimax(position).value == max(values)


def test_one_player_with_chance_is_pruned_where_it_is_bounded():
    position = facet("merging").start()
    for depth in range(1, 5):
        whole, pruned = expectimax(position, depth=depth), expectimax(position, depth=depth, prune=True)
        assert whole.value == pytest.approx(pruned.value) and whole.action == pruned.action
    guess = expectimax(position, depth=4, evaluate=lambda p, seat: 300.0 * (p.game.record(p.state).cells[0] > 1), prune=True)
    plain = expectimax(position, depth=4, evaluate=lambda p, seat: 300.0 * (p.game.record(p.state).cells[0] > 1))
    assert guess.value == pytest.approx(plain.value) and guess.nodes < plain.nodes


def test_draws_by_rule_end_the_game_and_not_the_count():
    game = facet("shuffling")
    position = game.position("place=0;marks=3;since=0;turn=1")
    assert position.is_terminal() and position.is_drawn() and position.utilities() == (0.0, 0.0)
    assert position.actions() == () and position.moves() == (0, 1)
    assert game.drawn_utilities() == (0.0, 0.0) and game.start().play("0 1 0").reversible() == 3


def test_a_playout_ends_at_the_horizon():
    end, played = play_out(facet("shuffling").start(), lambda position, source: 0, random.Random(0))
    assert len(played) == 50 and not end.is_terminal()


def test_flags_and_lists_of_weights():
    position = facet("flags").start().play("1")
    assert position.text() == "up=0/1;done=0;turn=1" and position.evaluate(1) == 2
    assert position.game.position(position.text()) == position


def starting_with(left):
    return lambda self: setattr(self, "left", left)


def simple(**more):
    class Simple:
        left: i8
        turn: i8

        def actions(self, out):
            for i in range(self.left):
                out[i] = i
            return self.left

        def play(self, action):
            self.left -= 1
            self.turn = 1 - self.turn

        def utility(self, seat):
            return 0

    for name, value in more.items():
        setattr(Simple, name, value)
    return Simple


@pytest.mark.parametrize(("more", "message"), [
    ({"is_termnal": lambda self: False}, "no method of the contract is called 'is_termnal'.*did you mean 'is_terminal'"),
    ({"most_action": 5}, "no attribute of the contract is called 'most_action'.*did you mean 'most_actions'"),
    ({"side": lambda self: 0}, "every game is given a method 'side'"),
    ({"players": 4, "sides": ((0, 2), (1,))}, "sides must share out the seats 0 to 3"),
    ({"weights": ["a"]}, "weights must be numbers"),
    ({"transform": lambda self, symmetry: None}, "`transform` and `symmetries`"),
    ({"draw_after": 10}, "`draw_after` counts what `reversible"),
    ({"seat_names": ("One",)}, "seat_names has 1 names for 2 players"),
    ({"text": lambda self, more: ""}, "text is a method of the contract and takes 0 arguments"),
])  # fmt: skip
def test_mistakes_are_named(more, message):
    with pytest.raises(RulesError, match=message):
        game("simple")(simple(**more))()


def test_a_helper_with_a_name_like_a_methods_is_fine():
    def play(self, action):
        self.played(action)

    game("simple")(simple(played=lambda self, action: None, play=play))()


def test_more_actions_than_stated_are_told_before_they_do_harm():
    for left in (9, 100):
        crowded = CompiledGame(game("crowded")(simple(start=starting_with(left), most_actions=8))())
        with pytest.raises(RulesError, match=r"most_actions is 8"):
            crowded.start().actions()


def test_a_turn_that_is_nobodys_is_refused():
    with pytest.raises(Exception, match="turn is 11, and the players are 0 to 1"):
        CompiledGame(game("simple")(simple())()).position("left=1;turn=11")
