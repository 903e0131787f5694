"""`quit` and the end of the input end every dialogue, whatever was sent before; a short form of `benchmarks/protocols.py`."""

import importlib.util
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from outplay.cli.protocols.hub import Hub
from outplay.cli.protocols.loop import Dialect
from outplay.cli.protocols.uci import Uci

place = Path(__file__).parents[2] / "benchmarks" / "protocols.py"
specification = importlib.util.spec_from_file_location("protocols", place)
protocols = importlib.util.module_from_spec(specification)
specification.loader.exec_module(protocols)


@pytest.mark.parametrize("name", protocols.QUICK)
def test_it_ends_after_anything(name):
    """The bound is far above what it takes: the machine may be slow."""
    assert protocols.ended(name, "3", slack=30.0, wait=0.0) is None


@pytest.mark.parametrize("name", ["hub", "nboard"])
def test_every_line_is_answered(name):
    heard, wrong = protocols.answered(name, 100, 5)
    assert heard > 20 and not wrong


class Searching(Dialect):
    """`go` searches until it is stopped, `deaf` does not even hear that."""

    def answer(self, line):
        if line == "deaf":
            self.go(lambda stop: threading.Event().wait(60))
        elif line == "go":
            self.go(lambda stop: self.say(f"stopped {stop.wait(3600)}"))
        elif line == "broken":
            raise ZeroDivisionError("inside")

    def hears(self, line):
        if line == "stop":
            self.stop_all()
        return line == "stop"

    def complain(self, problem):
        self.say(problem)


def ends(session, lines):
    """Whether a dialogue is over, with nothing left at work, long before its searches would be."""
    result = []
    run = threading.Thread(target=lambda: result.append(session.run(lines)), daemon=True)
    run.start()
    run.join(600)
    return result


@pytest.mark.parametrize("lines", [["go", "quit"], ["go"], ["go", "go", "other", "go", "stop", "quit"], ["go", "other", "go"]])
def test_searches_are_stopped_and_tell_what_they_have(lines):
    said = []
    assert ends(Searching(said.append), lines) == [True]
    assert said == ["stopped True"] * lines.count("go")


def test_what_cannot_be_stopped_is_left():
    assert ends(Searching(print), ["deaf", "go", "quit"]) == [False]


def test_what_goes_wrong_is_told_and_the_talk_goes_on():
    said = []
    assert ends(Searching(said.append), ["broken", "broken"]) == [True]
    assert said == ["internal error: ZeroDivisionError: inside"] * 2


def test_a_search_that_waited_for_its_turn_ends_too():
    """`stop` was taken for the search before it, and an analysis without end began when all had left."""
    said = []
    lines = ["hub", "level move-time=3600", "go think", "go think", "go analyze", "stop", "quit"]
    assert ends(Hub(said.append, "english"), lines) != []


def test_a_reader_that_goes_ends_the_talk():
    def say(line):
        raise BrokenPipeError

    lines = iter(["isready"])
    blocked = threading.Event()

    def endless():
        yield from lines
        blocked.wait(60)

    assert ends(Uci(say), endless()) == [False]
    blocked.set()


@pytest.mark.skipif(sys.platform == "win32", reason="closed by a shell")
@pytest.mark.parametrize("name", protocols.QUICK)
def test_closed_standard_input_is_its_end(name):
    """It was an internal error: 'NoneType' object is not iterable."""
    done = subprocess.run(["sh", "-c", f"{sys.executable} -m outplay {name} <&-"], capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
