"""Several threads read Python's text at once: a teacher's grading does, and so does the studio with authors' files."""

import ast
import gc
import sys
import threading
from pathlib import Path

import pytest

from outplay import syntax

TEXT = Path(syntax.__file__).with_name("refusals.py").read_text("utf-8")


class Circle:
    """Rubbish that only the collector finds; what it does at its end lets other threads go on."""

    def __init__(self):
        self.itself = self

    def __del__(self):
        for _ in range(50):
            pass


@pytest.fixture
def hurried():
    """Threads that take turns often, and a collector that comes often."""
    interval, thresholds = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(1e-5)
    gc.set_threshold(50, 2, 2)
    yield
    sys.setswitchinterval(interval)
    gc.set_threshold(*thresholds)


def test_threads_read_at_once(hurried):
    expected, told = ast.dump(syntax.parse(TEXT)), []

    def read():
        for _ in range(20):
            for _ in range(100):
                Circle()
            try:
                told.append(ast.dump(syntax.parse(TEXT)) == expected)
            except SystemError as fault:
                told.append(fault)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert told == [True] * 80


def test_nobody_in_the_house_reads_elsewhere():
    """What goes past `syntax` would not wait for it."""
    house = Path(syntax.__file__).parent
    past = [path.name for path in house.rglob("*.py") if path.name != "syntax.py" and "ast.parse(" in path.read_text("utf-8")]
    assert past == []
