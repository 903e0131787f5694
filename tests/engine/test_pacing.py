"""Slices of work follow the speed, and only work that was done tells of it."""

from outplay.engine import Engine
from outplay.engine.alphabeta.engine import Worker
from outplay.engine.pacing import Pacer, Watch
from outplay.game import load
from outplay.values import Limits


def test_work_that_ends_early_does_not_make_the_next_slice_larger():
    pacer, done = Pacer(Watch(Limits(seconds=60))), 0

    def quick(size):
        nonlocal done
        done += min(size, 3)

    for _ in range(20):
        pacer.slice(quick, count=lambda: done)
    assert pacer.size == 2000
    for _ in range(3):
        pacer.slice(lambda size: size)
    assert pacer.size > 2000  # all of it done in no time: more the next time


def test_a_search_that_finds_all_in_its_table_keeps_its_slices_short(monkeypatch):
    """Depth after depth at once by the table, then a real search: its first slice once had four million nodes, 4 s and not 0.1."""
    game = load("connect four")
    engine, position, largest = Engine(game, memory=8), game.start().play("4 4 3 3"), 0
    list(engine.search(position, Limits(depth=9)))
    before = Worker.look

    def look(worker, *more):
        nonlocal largest
        found = before(worker, *more)
        largest = max(largest, worker.pacer.size)
        return found

    monkeypatch.setattr(Worker, "look", look)
    known = engine.best(position, Limits(depth=9))
    assert known.nodes < 2000 and largest <= 8000
