"""`outplay bench`: tables in processes of their own, which need what they need, fail as they fail, and end with Ctrl-C."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from outplay.cli import bench
from outplay.cli.main import run


@pytest.fixture
def tables(tmp_path, monkeypatch):
    """Write the files of a folder of benchmarks."""
    folder = tmp_path / "benchmarks"
    folder.mkdir()
    monkeypatch.setattr("outplay.cli.bench.BENCHMARKS", folder)

    def write(**files):
        for name, text in files.items():
            (folder / f"{name}.py").write_text(text)
        return folder

    return write


def told(err):
    """What was said of the tables, without the lines that tell how long one takes."""
    return [line for line in err.splitlines() if "Ctrl-C stops" not in line and not line.endswith(" s")]


def test_bench_runs_the_tables_of_a_checkout(capsys, tables):
    tables(one="def helper(): pass\n\ndef main():\n    print('nodes in all: 7')\n    return [{'nodes': 7}]\n",
           two="from outplay.errors import Unavailable\n\ndef main():\n    raise Unavailable('no GPU')\n",
           helper="VALUE = 1\n")  # fmt: skip
    assert run(["bench"]) == 0
    said = capsys.readouterr()
    assert said.out == "nodes in all: 7\n" and told(said.err)[:3] == ["-- one (1 of 2)", "-- two (2 of 2)", "two: no GPU"]
    assert told(said.err)[3].startswith("only by name: commands, ")
    assert run(["bench", "one", "--json"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out) == {"tables": {"one": [{"nodes": 7}]}, "failed": {}} and "nodes in all: 7\n" in said.err


def test_a_table_imports_its_neighbours_and_tells_what_is_not_installed(capsys, tables):
    tables(friend="import neighbour\n\ndef main():\n    print(neighbour.VALUE)\n", neighbour="VALUE = 7\n",
           stranger="import no_such_package.part\n\ndef main():\n    pass\n",
           words="import argparse\n\ndef main():\n    argparse.ArgumentParser().parse_args(['--no-such'])\n")  # fmt: skip
    assert run(["bench", "friend", "stranger", "words"]) == 0
    said = capsys.readouterr()
    assert said.out == "7\n" and "stranger: needs no_such_package, which is not installed" in said.err
    assert "words: wants words of its own: python " in said.err


def test_a_table_gets_no_words_and_may_return_a_status(capsys, tables):
    """The first table of all took the words of its command line, and the command ended with an internal error."""
    tables(one="def main(wanted):\n    print('words:', wanted)\n    return 0\n", two="def main():\n    return 2\n",
           three="def main():\n    return 3\n")  # fmt: skip
    assert run(["bench", "one", "two", "three", "--json"]) == 1
    said = capsys.readouterr()
    assert json.loads(said.out) == {"tables": {"one": None, "two": None, "three": None}, "failed": {"three": "status 3"}}
    assert "words: []\n" in said.err and "two: not here" in said.err


def test_what_is_only_run_by_name_is_there():
    for name in (name for names in bench.NAMED_ONLY.values() for name in names):
        assert bench._has_main(bench.BENCHMARKS / f"{name}.py"), name


def test_a_table_that_fails_is_named_and_the_others_go_on(capsys, tables):
    tables(a="def main():\n    raise ValueError('seven')\n",
           b="import neighbour\n\ndef main():\n    pass\n", neighbour="import outplay.no_such_module\n",
           c="import os, signal\n\ndef main():\n    os.kill(os.getpid(), signal.SIGKILL)\n",
           d="import sys\n\ndef main():\n    sys.exit('wrong answers: 3')\n",
           e="def main():\n    print('still here')\n")  # fmt: skip
    assert run(["bench"]) == 1
    said = capsys.readouterr()
    assert said.out == "still here\n" and "a failed: ValueError: seven (python benchmarks/a.py shows where)" in said.err
    assert "b failed: ModuleNotFoundError: No module named 'outplay.no_such_module'" in said.err
    assert "c failed: it ended with status -9" in said.err and "d failed: status wrong answers: 3" in said.err
    assert told(said.err)[-1] == "failed: a, b, c, d"


def started(folder, *names):
    """The command itself, at work on a folder of ours."""
    code = f"import outplay.cli.bench, pathlib\noutplay.cli.bench.BENCHMARKS = pathlib.Path({str(folder)!r})\n"
    command = [sys.executable, "-c", f"{code}from outplay.cli.main import main\nmain()", "bench", *names]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


STUBBORN = """
import os, pathlib, signal, subprocess, sys, time

def main():
    signal.signal(signal.SIGINT, lambda *_: None)
    child = subprocess.Popen([sys.executable, "-c", "import signal, time; signal.signal(2, signal.SIG_IGN); time.sleep(600)"])
    pathlib.Path("{mark}").write_text(f"{{os.getpid()}} {{child.pid}}")
    while True:
        time.sleep(600)
"""


def is_gone(process):
    """Whether a process has ended; one that waits to be reaped has."""
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="tells by /proc who lives")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_table_that_swallows_ctrl_c_ends_with_all_it_started(how, tables, tmp_path):
    """As a search that ends with its best so far: the benchmark around it went on. And nothing is left of one that was killed."""
    mark = tmp_path / "pids"
    folder = tables(stubborn=STUBBORN.format(mark=mark), next="def main():\n    print('went on')\n")
    process = started(folder, "stubborn", "next")
    latest = time.monotonic() + 600
    while not (mark.exists() and mark.read_text()) and time.monotonic() < latest:
        time.sleep(0.05)
    those = [int(word) for word in mark.read_text().split()]
    process.send_signal(how)
    try:
        out, err = process.communicate(timeout=600)
    finally:
        process.kill()
    assert process.returncode == (130 if how == signal.SIGINT else -how) and "went on" not in out and "Traceback" not in err
    latest = time.monotonic() + 600
    while not all(map(is_gone, those)) and time.monotonic() < latest:
        time.sleep(0.05)
    assert [one for one in those if not is_gone(one)] == []


def test_a_reader_that_has_seen_enough_ends_it(tables):
    folder = tables(much="def main():\n    while True:\n        print('x' * 100)\n")
    process = started(folder, "much")
    try:
        assert process.stdout.readline() == "x" * 100 + "\n"
        process.stdout.close()
        assert process.wait(600) != 1 and "Traceback" not in process.stderr.read()
    finally:
        process.kill()


def test_an_installed_package_has_no_tables(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr("outplay.cli.bench.BENCHMARKS", tmp_path / "benchmarks")
    assert run(["bench"]) == 2
    said = "bench needs the benchmarks/ folder of a checkout of the project; an installed package has none\n"
    assert capsys.readouterr() == ("", said)
