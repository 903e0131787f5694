"""Stopping: at any node, by a flag, by a clock; and the memory stays what was asked for."""

import random
import threading

import pytest

from outplay.engine import Clock, Engine, Options, best, search
from outplay.engine import search as search_function
from outplay.engine.alphabeta.table import Table
from outplay.engine.registry import make
from outplay.game import load
from outplay.values import Limits
from tests.engine.oracle import minimax, random_positions


def test_a_search_stopped_anywhere_answers_and_leaves_the_table_usable():
    game = load("connect four")
    engine = Engine(game, memory=1, options=Options(same_depth=True))
    source = random.Random(1)
    positions = random_positions(game, 20, seed=2, most=30)
    for _ in range(200):
        position = source.choice(positions)
        nodes = source.randrange(3000)
        result = engine.best(position, Limits(nodes=nodes))
        assert result.action in position.actions()
        assert result.nodes <= nodes
    for position in positions:
        assert engine.best(position, Limits(depth=4)).value == minimax(position, 4)


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta", "mtdf", "bns"])
def test_every_algorithm_can_be_stopped(algorithm):
    position = load("connect four").start()
    for nodes in (0, 1, 2, 50, 999):
        result = best(position, Limits(nodes=nodes), algorithm=algorithm, memory=1)
        assert result.action in position.actions() and result.nodes <= nodes


def test_the_stop_flag_ends_a_search():
    stop = threading.Event()
    timer = threading.Timer(0.05, stop.set)
    best(load("connect four").start(), Limits(depth=2), memory=1)  # compiled before the timer runs
    timer.start()
    result = best(load("connect four").start(), stop=stop, memory=1)
    assert result.action is not None and stop.is_set()


def test_ctrl_c_gives_the_best_so_far(monkeypatch):
    engine = Engine(load("connect four"), memory=1)
    workspace = engine.workspaces[0]
    go, calls = workspace.go, []

    def interrupted(until):
        calls.append(until)
        if len(calls) == 12:
            raise KeyboardInterrupt
        return go(until)

    monkeypatch.setattr(workspace, "go", interrupted)
    results = list(engine.search(load("connect four").start(), Limits(depth=30)))
    assert len(calls) == 12 and results[-1].action is not None and results[-1].depth > 0


def test_a_generator_that_is_dropped_ends_its_threads():
    before = set(threading.enumerate())  # others that end meanwhile are not ours
    results = search_function(load("connect four").start(), memory=1, threads=3)
    next(results)
    results.close()
    assert set(threading.enumerate()) <= before


def test_limits_combine():
    position = load("connect four").start()
    by_depth = best(position, Limits(depth=3, nodes=10**9, seconds=100), memory=1)
    by_nodes = best(position, Limits(depth=30, nodes=500, seconds=100), memory=1)
    assert by_depth.depth == 3 and by_nodes.nodes <= 500
    by_time = best(position, Limits(depth=30, nodes=10**9, seconds=0.05), memory=1)
    assert by_time.depth < 30 and by_time.nodes < 10**8


def test_plans_of_the_clock():
    quiet, sudden = Clock(60.0).plan(), Clock(0.5).plan()
    assert 1.0 < quiet.target < 4.0 and quiet.most < 60.0 * 0.6
    assert sudden.most < 0.5
    assert Clock(60.0, increment=5.0).plan().target > quiet.target
    assert Clock(60.0, moves_to_go=2).plan().target > quiet.target
    assert Clock(60.0, moves_to_go=1).plan().most < 60.0
    assert Clock(0.0).plan().most == 0.0
    # A best action that keeps changing gets more time than one that is settled.
    assert quiet.wants_more(quiet.target * 0.5, unchanged=0) and not quiet.wants_more(quiet.target * 0.5, unchanged=6)


def test_whole_games_by_the_clock():
    """Every plan stays inside what is left; how well the machine keeps it, benchmarks/clock.py measures."""
    game = load("connect four")
    source = random.Random(3)
    engine = Engine(game, memory=1)
    for _ in range(5):
        position, left = game.start(), [0.4, 0.4]
        spent = []
        while not position.is_terminal():
            player = position.player()
            clock = Clock(max(left[player], 0.0), overhead=0.002)
            assert clock.plan().target <= clock.plan().most <= clock.remaining
            result = engine.best(position, clock=clock)
            spent.append(result.seconds)
            left[player] -= result.seconds
            assert result.action in position.actions()
            position = position.result(result.action if source.random() < 0.7 else source.choice(position.actions()))
        assert len(spent) > 6


def test_memory_stays_at_what_was_asked_for(bytes_kept):
    game = load("connect four")
    engine = Engine(game, memory=8)
    assert engine.table.words.nbytes <= 8 << 20
    positions = random_positions(game, 30, seed=4)

    def search_all():
        for position in positions:
            engine.best(position, Limits(nodes=3000))

    search_all()
    kept, most = bytes_kept(search_all)
    assert kept < 100_000 and most < 1 << 20  # no second table


def test_a_repetition_is_a_draw():
    """A knight goes out and back; once the game's own past is known, the king's step back repeats it and is worth nothing."""
    chess = load("chess")
    past = [chess.position("4k3/8/8/8/8/8/4P3/4K2N w - - 4 10")]
    for move in ("h1g3", "e8d8", "g3h1"):
        past.append(past[-1].play([move]))
    *earlier, position = past
    back = position.parse_action("d8e8")
    values = []
    for known in ([], earlier):
        *_, result = Engine(chess, memory=1).search(position, Limits(depth=3), earlier=known, actions=[back])
        values.append(result.value)
    assert values[0] > 100 and values[1] == 0


def test_only_a_complete_entry_of_the_right_key_is_believed():
    table = Table(entries=4)
    table.words[:] = 12345
    assert table.look(0x1234567) is None
    table.clear()
    assert table.look(0) is None and table.stored() == 0


def test_the_last_result_of_a_stream_is_the_answer():
    position = load("connect four").start()
    *_, last = search(position, Limits(nodes=5000), memory=1)
    assert last.nodes == 5000 and last.action in position.actions()


STALE = (
    ("3k1b1r/3b2p1/1r1qpn2/ppPpPp1p/3p1P1P/2NQRB1N/nP1BK1P1/3R4 b - - 4 23",
     "3k1b1r/3b2p1/1r2pn2/ppPpqp1p/3p1P1P/2NQRB1N/nP1BK1P1/3R4 w - - 0 24"),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1"),
)


@pytest.mark.parametrize(("before", "now"), STALE)
@pytest.mark.parametrize("stopped", [Limits(nodes=0), Limits(seconds=0.0), Limits(depth=0), None])
def test_a_search_stopped_before_its_first_answer_answers_its_own_position(before, now, stopped):
    """It answered the action of the search before, which is illegal here or worth another value."""
    chess = load("chess")
    engine = Engine(chess, memory=1)
    engine.best(chess.position(before), Limits(depth=1))
    position, stop = chess.position(now), threading.Event()
    stop.set()
    result = engine.best(position, stopped) if stopped else engine.best(position, stop=stop)
    assert result.action in position.actions() and result.line == (result.action,)
    assert result.depth == 0 and not result.exact
    assert result.value == position.evaluate(0)  # EVAL of this very position


@pytest.mark.parametrize(("name", "search"), [
    ("connect four", "pvs"), ("connect four", "mtdf"), ("isolation", "alphabeta"), ("nim", "pvs"),
    ("isolation:sloppy=0.2", "star2"),
    ("isolation:players=3", "maxn"), ("connect four", "mcts"), ("blind tic-tac-toe", "ismcts"), ("fifteen puzzle", "a-star"),
])  # fmt: skip
def test_no_limit_is_too_small_for_a_legal_action(name, search):
    position = load(name).start()
    made = make(search, position.game, memory=1)
    for limits in (Limits(depth=0), Limits(nodes=0), Limits(seconds=0.0), Limits(simulations=0)):
        if limits.simulations == 0 and search not in ("mcts", "ismcts"):
            continue
        *_, result = made.search(position, limits)
        assert result.action in position.actions(), limits
        if limits.depth == 0 and position.game.offers("evaluate") and search != "maxn":
            assert result.value == position.evaluate(0)
