"""Players: their names, and that each picks a legal action."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outplay.errors import BadValue, OutplayError, Unavailable
from outplay.game import load
from outplay.players import Play, Searcher, player
from outplay.players.algorithms import best, comparable, fitting, resolve, search, solve
from outplay.values import Limits, Result


@pytest.mark.parametrize(
    "name",
    ["random", "random:seed=7", "minimax:depth=2", "alphabeta:depth=3", "mcts:simulations=20", "engine", "engine:time=0.1",
     "engine:pvs,depth=3", "textbook:pvs,depth=2", "beam:width=2,depth=3", "auto:time=0.2"],
)  # fmt: skip
def test_every_kind_of_player_finishes_a_game(name):
    position = load("tic-tac-toe").position("x../.o./... x")
    one = player(name)
    assert one.name == name
    while not position.is_terminal():
        position = position.result(one.choose(position))
    assert sum(position.utilities()) == 0


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("randm", "unknown player 'randm': did you mean 'random'?"),
        ("random:speed=3", "unknown option of player random 'speed': did you mean 'seed'?"),
        ("human:name=Ada", "player 'human' takes nothing, got 'name'"),
        ("alphabeta:6", "player 'alphabeta:6': expected key=value after the name, got '6'"),
        ("alphabeta:depth=deep", "depth must be a whole number from 0 to 10000, got 'deep'"),
        ("mcts:simulations=1.5", "simulations must be a whole number from 0, got '1.5'"),
        ("engine:time=-1", "time must be a number from 0, got '-1'"),
        ("engine:thread=2", "unknown option of player engine 'thread': did you mean 'threads'?"),
        ("engine:psv", "unknown player 'engine:psv': did you mean 'engine:pvs'?"),
    ],
)
def test_wrong_names_get_one_line(text, complaint):
    with pytest.raises(OutplayError) as problem:
        player(text)
    assert str(problem.value) == complaint


@given(st.text(max_size=20))
def test_no_text_breaks_the_reading_of_names(text):
    try:
        player(text)
    except OutplayError as problem:
        assert "\n" not in str(problem)


def test_an_option_that_the_algorithm_lacks():
    with pytest.raises(OutplayError, match="unknown option of beam 'widht': did you mean 'width'"):
        player("beam:widht=2,depth=2").choose(load("tic-tac-toe").start())


def test_the_same_seed_plays_the_same_game():
    def moves(seed):
        position, one, played = load("tic-tac-toe").start(), player("random", seed=seed), []
        while not position.is_terminal():
            played.append(one.choose(position))
            position = position.result(played[-1])
        return played

    assert moves(1) == moves(1) and len({tuple(moves(seed)) for seed in range(5)}) > 1


def test_limits_of_one_decision_come_first():
    thinker = Searcher("minimax", Limits(nodes=1))
    position = load("tic-tac-toe").start()
    with pytest.raises(OutplayError):
        thinker.choose(position)
    assert thinker.choose(position, Limits(depth=1)) in position.actions()


def test_nobody_is_to_move_in_a_finished_game():
    with pytest.raises(OutplayError, match="no player is to move"):
        player("random").choose(load("tic-tac-toe").position("xxx/oo./... o"))


TRAITS = {
    "connect four": "engine:pvs",
    "tree:tree=[[(1, 2, 6), (4, 2, 3)], [(6, 1, 2), (7, 4, 1)]]": "engine:maxn",
    'tree:tree={"max": [{"chance": [[0.5, 8], [0.5, 24]]}, 9]}': "engine:star2",
}


@pytest.mark.parametrize("name", TRAITS)
def test_what_fits_follows_from_the_traits(name):
    game = load(name)
    assert fitting(game) == resolve("auto", game) == TRAITS[name]
    assert TRAITS[name] in comparable(game)


def test_names_of_searches():
    game = load("tic-tac-toe")
    assert resolve("AlphaBeta", game) == resolve("textbook:alphabeta", game) == "alphabeta"
    assert resolve("engine", game) == "engine:pvs"
    with pytest.raises(OutplayError, match="unknown algorithm 'engine:psv': did you mean 'engine:pvs'"):
        resolve("engine:psv", game)


def test_utilities_that_are_no_whole_numbers_go_to_the_textbook():
    position = load("tree", tree="[[0.5, 1.25], [0.75, 2]]").start()
    *_, found = search(position)
    assert found.value == 0.75


def test_a_search_without_a_clock_of_its_own_answers_in_time():
    position = load("isolation", width=4, height=4, players=3).start()
    results = list(search(position, limits=Limits(nodes=3000)))
    assert [result.depth for result in results] == list(range(1, len(results) + 1))
    assert results[-1].action in position.actions()


def test_a_searcher_remembers_the_positions_of_its_game_and_no_other(monkeypatch):
    heard = []

    def listening(view, *_, earlier=(), **__):
        heard.append([position.text() for position in earlier])
        yield Result(view.parse_action("Nf3" if view.player() == 0 else "Nf6"), 0.0)

    monkeypatch.setattr("outplay.players.searcher.search", listening)
    chess = load("chess")
    play = Play(chess, [Searcher("engine"), None])
    assert [event.kind for event in play.run()] == ["thought", "move"]
    play.push("Nf6")
    list(play.run())  # the same move is no longer possible
    first = chess.start()
    assert play.reason.startswith("engine failed") and heard == [[], [first.text(), first.play("Nf3").text()]]
    play.players[0].choose(first)
    assert heard[-1] == []


def test_limits_where_the_name_of_a_search_belongs_get_one_line():
    with pytest.raises(BadValue, match=r"algorithm must be a text such as 'name:key=value', got Limits\(depth=2\)"):
        best(load("nim").start(), Limits(depth=2))


def test_what_is_not_solved_in_time_gets_advice_that_solve_takes():
    with pytest.raises(Unavailable, match="not solved after 50 nodes: give it more time, or ask for the best action"):
        solve(load("isolation:width=3,height=3,sloppy=0.2").start(), Limits(nodes=50))


def test_a_network_is_asked_where_nothing_is_proved():
    """Connect four: in the beginning the network's search answers, near the end the proof; by depth and nodes alpha-beta alone."""
    from outplay.players.algorithms import adviser, choose, search

    game = load("connect four")
    assert choose(game)[1].endswith("net:connect-four") and adviser(load("connect four:width=6")) == "" == adviser(load("nim"))
    *_, begun = search(game.start(), "auto", Limits(seconds=0.2))
    assert begun.algorithm == "engine:mcts,net=connect-four" and begun.choices
    *_, deep = search(game.start(), "auto", Limits(depth=3))
    assert deep.algorithm == "engine:pvs" and deep.depth == 3
    won = game.start().play("4 1 4 1 4 2")
    *_, proved = search(won, "auto", Limits(seconds=5))
    assert proved.exact and proved.value == 1 and proved.algorithm == "engine:pvs" and won.action_text(proved.action) == "4"
