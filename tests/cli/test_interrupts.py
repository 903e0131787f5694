"""Ctrl-C at random moments: every long command ends at once, with status 130, and keeps what is finished."""

import contextlib
import importlib.util
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
import weakref
from pathlib import Path

import pytest

from outplay.arena.match import tournament
from outplay.cli import app, progress
from outplay.cli import interrupts as ctrl_c
from outplay.cli.main import run
from outplay.engine.regret.equilibrium import solver_for
from outplay.errors import Unavailable
from outplay.game import load
from outplay.players.searcher import Searcher
from outplay.values import Result

place = Path(__file__).parents[2] / "benchmarks" / "interrupts.py"
specification = importlib.util.spec_from_file_location("interrupts", place)
interrupts = importlib.util.module_from_spec(specification)
specification.loader.exec_module(interrupts)

COMMANDS = {name: words.split() for name, words in interrupts.LONG.items() if "{" not in words}


@pytest.fixture(autouse=True)
def no_end_of_the_tests(monkeypatch):
    """What interrupts this process here may be a long time about it on a busy machine, and is not to be ended as deaf."""
    monkeypatch.setattr(ctrl_c, "DEAF_SECONDS", 600.0)


def eventually(state):
    """Wait until another thread has seen to it."""
    latest = time.monotonic() + 600
    while not state():
        assert time.monotonic() < latest
        time.sleep(0.01)


def interrupted(arguments, after, until=lambda: True, **environment):
    """Ctrl-C so many seconds after the start, and not before something has happened."""
    command = [sys.executable, "-m", "outplay", *arguments]
    environment = {**os.environ, **environment}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    time.sleep(after)
    latest = time.monotonic() + 600
    while not until() and process.poll() is None and time.monotonic() < latest:
        time.sleep(0.1)
    assert process.poll() is None, process.communicate()
    process.send_signal(signal.SIGINT)
    begun = time.monotonic()
    try:
        out, err = process.communicate(timeout=600)
    finally:
        process.kill()
    return process.returncode, time.monotonic() - begun, out, err


SAMPLE = [name for name, words in interrupts.LONG.items()
          if words.split()[0] not in interrupts.QUICK and name not in ("best textbook", "solve strategy")]  # fmt: skip
if importlib.util.find_spec("fastapi"):
    SAMPLE.append("serve")
if not importlib.util.find_spec("ortools"):
    SAMPLE.remove("csp cp-sat")


@pytest.mark.parametrize("name", SAMPLE)
def test_ctrl_c_ends_it_at_once(name, tmp_path):
    """The bound is far above what it takes (0.02 to 1 s on two cores): the machine may be slow, and its cache empty."""
    after = random.Random(name).uniform(0.6, 1.2)
    while (case := interrupts.interrupt(name, after, str(tmp_path))).too_early:
        after *= 2  # Python itself takes as long to start: before our first line, Ctrl-C is its own affair
    assert not case.was_done and case.seconds < 40, case
    assert case.status == 130 or (name, case.status) == ("serve", 0), case
    assert "Traceback" not in case.err and "internal error" not in case.err


@pytest.mark.parametrize("program", ["runpy.run_module('outplay', run_name='__main__')", "from outplay.__main__ import main"])
@pytest.mark.parametrize("moment", ["outplay.cli", "outplay.cli.main", "outplay.cli.app", "click"])
def test_ctrl_c_while_the_program_is_still_imported(program, moment):
    """At the import of each of these, the first of which comes right behind the first line of ours."""
    if moment in ("outplay.cli.app", "click") and "run_module" not in program:
        pytest.skip("imported by main()")
    code = f"""
import importlib.abc, os, runpy, signal, sys
class Press(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == {moment!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Press())
sys.argv = ["outplay", "games"]
{program}
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_every_command_is_interrupted():
    assert {words.split()[0] for words in interrupts.LONG.values()} >= set(app.COMMANDS)


def swallowed():
    """Ctrl-C, dropped by whoever happened to run: a callback of the compiler, a search that ends with its best so far."""
    with contextlib.suppress(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(1)


def test_the_compiler_is_stopped_where_a_search_swallowed_it():
    """A search that was being compiled ended with its best so far, and then the next player's was compiled to its end."""
    going_on = compile("import time\nfor _ in range(6000): time.sleep(0.1)", "/lib/numba/core/compiler.py", "exec")
    with ctrl_c.Interrupts(keeps=True):
        swallowed()
        with pytest.raises(KeyboardInterrupt):
            exec(going_on)


def test_ctrl_c_in_a_weak_references_callback_is_not_dropped():
    """Python prints what is raised there and goes on; the compiler's own callback has this name."""

    class Thing:
        pass

    def on_disposal(reference):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.1)

    thing, told = Thing(), []
    reference = weakref.ref(thing, on_disposal)
    before, sys.unraisablehook = sys.unraisablehook, told.append
    try:
        with pytest.raises(KeyboardInterrupt), ctrl_c.Interrupts():
            del thing
            time.sleep(600)
    finally:
        sys.unraisablehook = before
    assert not told and reference() is None


def test_what_is_no_compiler_is_left_to_finish():
    """Whoever heard Ctrl-C closes engines and writes down what there is, undisturbed."""
    with pytest.raises(KeyboardInterrupt), ctrl_c.Interrupts():
        swallowed()
        time.sleep(4 * ctrl_c.AGAIN_SECONDS)
        done = True
    assert done


def test_a_call_that_comes_when_ctrl_c_is_raised_already_is_no_second_one():
    """The watchdog called once more while the handler ran: the process ended without a word, or what was being told broke off."""
    with ctrl_c.Interrupts(keeps=True) as interrupts:
        watchdog = ctrl_c.Interrupts.watchdog
        interrupts.event.set()
        for _ in range(2):
            watchdog.calls += 1
            interrupts._handle(signal.SIGINT, None)
        watchdog.calls, watchdog.postponed = watchdog.calls + 1, True
        with pytest.raises(KeyboardInterrupt):
            interrupts._handle(signal.SIGINT, None)
        assert not watchdog.postponed and watchdog.answered == watchdog.calls == 3


def test_who_has_seen_the_mark_is_not_called_again(monkeypatch):
    """Ctrl-C came where it could not be raised; the match saw the mark and ended, and the call broke off what it had to tell."""
    monkeypatch.setattr(ctrl_c, "in_llvm", lambda frame: True)
    with ctrl_c.Interrupts(keeps=True) as interrupts:
        os.kill(os.getpid(), signal.SIGINT)
        watchdog = ctrl_c.Interrupts.watchdog
        eventually(lambda: watchdog.postponed and watchdog.calls)
        assert not interrupts.event.is_seen
        monkeypatch.setattr(ctrl_c, "in_llvm", lambda frame: not interrupts.event.is_seen)
        assert interrupts.event.is_set()
        eventually(lambda: not watchdog.postponed)


def test_what_nobody_heard_is_raised_at_the_end():
    with pytest.raises(KeyboardInterrupt), progress.working("a search", "nim"):
        swallowed()
    with progress.working("a search", "nim", keeps=True) as working:
        swallowed()
    assert working.interrupts.event.is_set()


def test_the_patient_hear_it_when_their_work_is_whole():
    with ctrl_c.Interrupts(keeps=True, patient=True) as patient:
        os.kill(os.getpid(), signal.SIGINT)
        eventually(patient.event.is_set)


def test_what_ctrl_c_broke_off_is_not_told_as_a_mistake():
    """Compiled modules turn an exception during their import into ImportError: OR-tools was said to be missing, with status 2."""
    with pytest.raises(KeyboardInterrupt), ctrl_c.Interrupts():
        swallowed()
        raise Unavailable("solver 'cp-sat' needs OR-tools")


def test_no_player_is_prepared_after_ctrl_c():
    class Slow:
        name, asked = "slow", 0

        def get_ready(self, position):
            Slow.asked += 1
            stop.set()

    stop = threading.Event()
    assert list(tournament(load("nim"), [Slow(), Slow()], games=2, stop=stop)) == [] and Slow.asked == 1


def test_review_stops_where_a_search_swallowed_it(monkeypatch, tmp_path):
    def steps(start, actions, judge, words):
        for ply, _ in enumerate(actions):
            assert ply == 0, "it went on with the next move"
            swallowed()
            assert judge.stop.is_set(), "the search under way heard nothing"
            yield None

    monkeypatch.setattr("outplay.judge.review.steps", steps)
    (tmp_path / "game.pgn").write_text("1. e4 e5 2. Nf3 *\n")
    assert run(["review", str(tmp_path / "game.pgn")]) == 130


def test_tables_stop_where_the_compiler_swallowed_it(monkeypatch, tmp_path):
    def build(rules, men, folder, *, device, progress, built):
        swallowed()
        progress("2", 0, 0)
        pytest.fail("it went on")

    monkeypatch.setattr("outplay.engine.tables.retrograde.build", build)
    assert run(["tables", "build", "checkers", "--men", "2", "--out", str(tmp_path)]) == 130


def test_warm_stops_where_a_search_swallowed_it(monkeypatch):
    """A first search of one game ended with its best so far, and the next game's was compiled."""
    asked = []

    def search(start, name, limits, memory):
        asked.append(start.game.name)
        swallowed()
        yield None

    monkeypatch.setattr("outplay.cli.upkeep.search", search)
    monkeypatch.setattr("outplay.cli.upkeep.compile_rules", lambda game: None)
    monkeypatch.setattr("outplay.cli.upkeep.perft", lambda start, depth: None)
    monkeypatch.setattr("outplay.cli.upkeep.playouts", lambda start, games: None)
    assert run(["warm", "tic-tac-toe", "connect four", "nim"]) == 130 and asked == ["tic-tac-toe"]


@pytest.mark.parametrize("what", ["margins", "probcut"])
def test_tune_stops_where_a_search_swallowed_it(what, monkeypatch, tmp_path):
    class Swallowing:
        asked = 0

        def __init__(self, game, memory, options=None):
            self.game = game

        def clear(self):
            pass

        def search(self, position, limits):
            Swallowing.asked += 1
            swallowed()
            yield Result(value=0, action=position.actions()[0], depth=1, nodes=1, exact=True)

        def best(self, position, limits):
            return next(self.search(position, limits))

    monkeypatch.setattr(f"outplay.learning.{what}.Engine", Swallowing)
    assert run(["tune", "othello", f"--{what}", "--out", str(tmp_path / "out")]) == 130
    assert Swallowing.asked == 1 and not any(tmp_path.iterdir())


def test_equilibrium_keeps_what_is_learned(monkeypatch, capsys, tmp_path):
    done, reports = [], []

    def made(*arguments, **options):
        solver = solver_for(*arguments, **options)
        advance, report = solver.advance, solver.report

        def interrupting(iterations):
            advance(iterations)
            done.append(iterations)
            if reports:
                os.kill(os.getpid(), signal.SIGINT)

        def reporting():
            reports.append(report())
            return reports[-1]

        solver.advance, solver.report = interrupting, reporting
        return solver

    monkeypatch.setattr("outplay.engine.regret.equilibrium.solver_for", made)
    policy, kept = tmp_path / "kuhn.json", tmp_path / "kuhn.npz"
    command = ["equilibrium", "kuhn-poker", "--time", "100", "--out", str(policy), "--checkpoint", str(kept), "--json"]
    assert run(command) == 130
    told = json.loads(capsys.readouterr().out)
    assert told["iterations"] == sum(done) and len(reports) == 2 and policy.exists() and kept.exists()


def test_a_book_is_made_of_the_games_that_were_played(monkeypatch, capsys, tmp_path):
    picked = []
    pick = Searcher.pick

    def interrupting(self, view, limits):
        picked.append(view)
        if len(picked) == 30:
            swallowed()
        return pick(self, view, limits)

    monkeypatch.setattr(Searcher, "pick", interrupting)
    out = tmp_path / "book.txt"
    assert run(["book", "build", "tic-tac-toe", "--games", "100000", "--nodes", "10", "--out", str(out), "--json"]) == 130
    assert 1 <= json.loads(capsys.readouterr().out)["games"] <= 30 and out.exists() and len(picked) == 30


def test_tables_of_deals_are_told_as_far_as_they_are_solved(monkeypatch, capsys, tmp_path):
    deal = "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"

    def solved(deals, address, stop):
        yield {"N": {"NT": 4}}
        swallowed()
        assert stop.is_set()

    monkeypatch.setattr("outplay.experts.bridge.double_dummy.many_tables", solved)
    (tmp_path / "deals").write_text(f"{deal}\n{deal}\n")
    assert run(["dd", f"@{tmp_path / 'deals'}", "--json"]) == 130
    assert len(json.loads(capsys.readouterr().out)["deals"]) == 1


def test_a_match_keeps_what_was_finished(tmp_path):
    file = tmp_path / "games.jsonl"
    command = ["match", "tic-tac-toe", "random", "random", "--games", "10000000", "--save", str(file)]
    status, *_, err = interrupted(command, 1.0, file.exists)
    lines = file.read_text().splitlines()
    assert status == 130 and f"stopped after {len(lines)} of 10000000 games; the same command goes on from {file}" in err
    assert lines and all(json.loads(line)["outcome"] for line in lines)


def test_a_match_ends_where_a_search_swallowed_it(monkeypatch, capsys):
    """A search that hears Ctrl-C plays its best so far; the match went on with the next move, and with the next game."""
    asked = []

    def pick(self, view, limits):
        asked.append(view)
        swallowed()
        return view.actions()[0]

    monkeypatch.setattr(Searcher, "pick", pick)
    assert run(["match", "tic-tac-toe", "alphabeta:depth=1", "alphabeta:depth=1", "--games", "4"]) == 130
    assert len(asked) == 1 and "stopped after 0 of 4 games" in capsys.readouterr().err


def test_ctrl_c_while_kernels_compile(tmp_path):
    status, seconds, _, err = interrupted(COMMANDS["match"], 2.5, lambda: any(tmp_path.iterdir()), OUTPLAY_CACHE=str(tmp_path))
    assert status == 130 and seconds < 40 and "Traceback" not in err


def told_by(tmp_path, work):
    """Ctrl-C while a script is at some work of its own, under the commands' own handler."""
    script = tmp_path / "script.py"
    head = "import ctypes, pathlib, sys, time\nfrom outplay.cli.interrupts import Interrupts\n"
    mark = f"ready = pathlib.Path({str(tmp_path / 'ready')!r})\n"
    tail = "except KeyboardInterrupt:\n    sys.exit(130)\n"
    script.write_text(f"{head}{mark}try:\n    with Interrupts() as interrupts:\n{work}\n{tail}")
    process = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    latest = time.monotonic() + 600
    while not (tmp_path / "ready").exists() and time.monotonic() < latest:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    try:
        out, err = process.communicate(timeout=600)
    finally:
        process.kill()
    return process.returncode, out, err


def test_ctrl_c_in_a_destructor_is_not_dropped(tmp_path):
    work = """
        class Slow:
            def __del__(self):
                ready.touch()
                while not interrupts.watchdog.heard.is_set():
                    time.sleep(0.01)
        slow = Slow()
        del slow
        print("destroyed", flush=True)
        time.sleep(60)
"""
    assert told_by(tmp_path, work) == (130, "destroyed\n", "")


def test_ctrl_c_that_is_dropped_unforeseen_is_raised_again(tmp_path):
    """Python prints what a callback of native code raises, and goes on."""
    work = """
        @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
        def compare(one, other):
            ready.touch()
            while not interrupts.watchdog.heard.is_set():
                time.sleep(0.01)
            return 0
        try:
            ctypes.CDLL(None).qsort(ctypes.create_string_buffer(2), 2, 1, compare)
        finally:  # it may be raised again before the next line
            print("sorted", flush=True)
        time.sleep(60)
"""
    assert told_by(tmp_path, work) == (130, "sorted\n", "")


def test_what_the_compiler_had_half_built_is_destroyed_silently(tmp_path):
    """Its objects have no handle yet when Ctrl-C breaks off their constructor, and their destructor asks for it."""
    work = """
        class Options:
            __module__ = "llvmlite.binding.passmanagers"
            def __init__(self):
                ready.touch()
                for _ in range(6000):
                    time.sleep(0.01)
                self.handle = 1
            def __del__(self):
                del self.handle
            __del__.__module__ = __module__
        Options()
"""
    assert told_by(tmp_path, work) == (130, "", "")


def test_what_is_held_is_done_whole_before_ctrl_c_is_raised(tmp_path):
    work = """
        with Interrupts() as interrupts:
            with interrupts.held():
                ready.touch()
                while not interrupts.event.is_set():
                    time.sleep(0.01)
                print("counted and written", flush=True)
            print("went on")
"""
    assert told_by(tmp_path, work) == (130, "counted and written\n", "")


def test_ctrl_c_in_native_code_that_never_returns(tmp_path):
    work = """
        mutex = ctypes.create_string_buffer(64)
        lock = ctypes.CDLL(None).pthread_mutex_lock
        lock(mutex)
        print("kept")
        ready.touch()
        lock(mutex)  # waits for itself, and no signal wakes it
"""
    assert told_by(tmp_path, work) == (130, "kept\n", "")


@pytest.mark.parametrize("handler", ["Interrupts()", "until_the_end()"])
@pytest.mark.parametrize("call", ["LLVMPY_LinkModules", "LLVMPY_DisposeString"])
def test_ctrl_c_in_llvm_frees_nothing_twice(handler, call):
    """It is heard when LLVM comes back, before Python has noted that what it gave away is gone: the process crashed."""
    code = f"""
import contextlib, gc, os, signal, sys, time
import numba
from llvmlite.binding import ffi
from outplay.cli import main
from outplay.cli.interrupts import Interrupts

@contextlib.contextmanager
def until_the_end():
    signal.signal(signal.SIGINT, main.stop)
    yield

class Press(ffi._lib_fn_wrapper):
    def __call__(self, *arguments):
        result = super().__call__(*arguments)
        if not pressed:
            pressed.append(True)
            os.kill(os.getpid(), signal.SIGINT)
        return result

def interrupted():
    try:
        with {handler}:
            numba.njit(lambda number: number + 1)(1)
            time.sleep(60)
    except KeyboardInterrupt:
        return True

pressed, native = [], getattr(ffi.lib, {call!r})
ffi.lib._fntab[{call!r}] = Press(native._lock, native._cfn)
done = interrupted()
gc.collect()
sys.exit(130 if done else 1)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
