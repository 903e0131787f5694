"""Forty hostile submissions: none does harm, each is named, and a rerun gives the same marks."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from outplay.classroom import asking
from outplay.classroom.assignments import find
from outplay.classroom.grading import MOST_BYTES, Settings, grade_file, grade_folder, unusual
from outplay.classroom.writing import write
from outplay.cli.main import run
from outplay.errors import Unavailable
from outplay.sandbox import can_box, containers

boxed = pytest.mark.skipif(not can_box(), reason="bubblewrap is not there or not allowed")
WAYS = [pytest.param("bwrap", marks=boxed), *filter(None, [os.environ.get("OUTPLAY_CONTAINERS")])]
"""How the battery is held: in bubblewrap, and where somebody says so (OUTPLAY_CONTAINERS=podman) in containers, too."""
HONEST = find("minimax").reference
SAYS = "def minimax(game, state):\n"

FILES = {
    # what never ends, and what takes too much
    "loop": (SAYS + "    while True: pass\n", "hung"),
    "loop while it is read": ("while True: pass\n", "hung"),
    "loop in C": (SAYS + "    return sum(range(10**18))\n", "hung"),
    "sleep": (SAYS + "    import time; time.sleep(10**6)\n", "hung"),
    "regular expression": (SAYS + "    import re; re.match('(a+)+$', 'a' * 64 + 'b')\n", "hung"),
    "reads for ever": (SAYS + "    open('/dev/zero', 'rb').read(-1)\n", ("MemoryError", "hung")),
    "asks for ever": (SAYS + "    while True: game.utility(state) if game.is_terminal(state) else game.actions(state)\n", "hung"),
    "memory": (SAYS + "    a = []\n    while True: a.append(bytearray(1 << 24))\n", ("MemoryError", "hung")),
    "memory at once": (SAYS + "    return 'x' * 10**12\n", "MemoryError"),
    "a power tower": (SAYS + "    return 9 ** 9 ** 9 ** 9\n", ("hung", "MemoryError", "OverflowError")),
    "deep recursion": (SAYS + "    return minimax(game, state)\n", "RecursionError"),
    "deep recursion in C": (
        SAYS + "    import sys; sys.setrecursionlimit(10**9)\n    def f(): f()\n    f()\n",
        ("crashed", "Memory", "hung"),
    ),
    "a deep answer": (SAYS + "    a = []\n    for _ in range(10**5): a = [a]\n    return a\n", "the answer"),
    "output": (SAYS + "    while True: print('x' * 10**6)\n", "hung"),
    "output past the grader": (SAYS + "    import os\n    while True: os.write(4, b'x' * 10**6)\n", "flooded"),
    "a false answer past the grader": (
        SAYS + "    import os\n    os.write(4, b'{\"done\": [0, 1]}\\n' * 99); return 0, 0\n",
        "os (line",
    ),
    "many threads": (
        SAYS + "    import threading, time\n    for _ in range(10**5):\n        "
        "threading.Thread(target=time.sleep, args=(99,))"
        ".start()\n",
        ("can't start new thread", "hung", "MemoryError"),
    ),
    # what begins others, and ends
    "fork bomb": (SAYS + "    import os\n    while True: os.fork()\n", "PermissionError"),
    "fork while it is read": ("import os\nos.fork()\n" + HONEST, "PermissionError"),
    "a program": (SAYS + "    import subprocess; subprocess.run(['sleep', '999'])\n", "PermissionError"),
    "a shell": (SAYS + "    import os; os.execv('/bin/sh', ['sh'])\n", "PermissionError"),
    "os.system": (
        SAYS + "    import os; raise SystemError(os.system('true'))\n",
        ("SystemError: -1", "SystemError: 32512", "PermissionError"),
    ),
    "multiprocessing": (
        SAYS + "    import multiprocessing as m; m.Process(target=print).start()\n",
        ("PermissionError", "OSError"),
    ),
    "os._exit": (SAYS + "    import os; os._exit(0)\n", "ended the process"),
    "os._exit while it is read": ("import os; os._exit(0)\n", "ended the process"),
    "sys.exit": (SAYS + "    import sys; sys.exit()\n", "SystemExit"),
    "a signal to the parent": (SAYS + "    import os; os.kill(os.getppid(), 9)\n", "PermissionError"),
    "a signal to all": (SAYS + "    import os; os.kill(-1, 9)\n", "PermissionError"),
    "a null pointer": (SAYS + "    import ctypes; ctypes.string_at(0)\n", "signal 11"),
    "threads that outlive": (
        "import threading, time\n"
        + HONEST.replace("    if game", "    threading.Thread(target=time.sleep, args=(99,)).start()\n    if game", 1),
        "threading",
    ),
    # what looks for what is not its own
    "a socket": (SAYS + "    import socket; socket.create_connection(('127.0.0.1', 80))\n", ("PermissionError", "OSError")),
    "the staff's files": (SAYS + "    return open(STAFF).read()\n", "FileNotFoundError"),
    "another student": (SAYS + "    return open(OTHER).read()\n", "FileNotFoundError"),
    "the engine": ("from outplay.textbook.minimax import minimax as m\n" + HONEST, "No module named 'outplay'"),
    "patches": ("import json, random\njson.dumps = lambda *a: '{\"done\": [99, 0]}'\n" + HONEST, "json (line"),
    "frames": (
        SAYS + "    import inspect; f = inspect.currentframe()\n    while f.f_back: f = f.f_back\n"
        "    raise KeyError(sorted(f.f_globals)[:3])\n",
        "inspect (line",
    ),
    "a pickle": ("import pickle\npickle.loads(b'cposix\\nsystem\\n(S\"touch /tmp/owned\"\\ntR.')\n" + HONEST, "pickle (line"),
    "environment": (SAYS + "    import os; raise LookupError(' '.join(sorted(os.environ)))\n", "LookupError"),
    "processes of others": (
        SAYS + "    import os; raise LookupError(len([p for p in os.listdir('/proc') if p.isdigit()]))\n",
        "LookupError",
    ),
    "a huge file": (
        SAYS + "    with open('/tmp/big', 'wb') as f:\n        while True: f.write(bytes(1 << 20))\n",
        ("File too large", "signal 25", "OSError"),
    ),
    "writes to its folder": (SAYS + "    open('here', 'w').write('x')\n", ("Read-only", "PermissionError")),
    "the clock": ("import time\ntime.perf_counter = lambda: 0\n" + HONEST, "time (line"),
    "no Python": ("\0\0\x7fELF" * 10, "the file cannot be read"),
}


def test_there_are_forty():
    assert len(FILES) >= 40


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", FILES)
def test_each_is_named_and_does_no_harm(name, way, tmp_path):
    text, said = FILES[name]
    (tmp_path / "staff").mkdir()
    (tmp_path / "staff" / "settings.json").write_text("secret")
    (tmp_path / "other.py").write_text("secret")
    text = (
        f"STAFF, OTHER = {str(tmp_path / 'staff' / 'settings.json')!r}, {str(tmp_path / 'other.py')!r}\n"
        * ("STAFF" in text or "OTHER" in text)
        + text
    )
    file = tmp_path / "bad.py"
    file.write_bytes(text.encode("utf-8"))
    before = sorted(tmp_path.rglob("*"))
    grade = grade_file(find("minimax"), file, "autumn", way, questions=1, seconds=0.4, feedback=False)
    told = " ".join((grade.problem, *grade.failures, *(mark.said for mark in grade.marks), *grade.uses))
    if said == "the answer":
        assert grade.points == 0
    else:
        assert any(each in told for each in ((said,) if isinstance(said, str) else said)), told
    if said in ("threading", "json (line", "pickle (line", "time (line"):
        pass  # what is asked is answered all the same; it is told to the staff
    else:
        assert grade.points <= 40, told
    assert "secret" not in told
    assert sorted(tmp_path.rglob("*")) == before
    assert not os.path.exists("/tmp/owned")


@boxed
def test_environment_and_processes_tell_nothing(tmp_path):
    os.environ["SECRET_OF_THE_STAFF"] = "42"
    try:
        file = tmp_path / "bad.py"
        for name in ("environment", "processes of others"):
            file.write_text(FILES[name][0])
            grade = grade_file(find("minimax"), file, "autumn", "bwrap", questions=1, feedback=False)
            assert "SECRET" not in grade.failures[0]
        assert int(grade.failures[0].split("LookupError: ")[1].split()[0]) < 6
    finally:
        del os.environ["SECRET_OF_THE_STAFF"]


@boxed
def test_nothing_runs_on_when_grading_is_over(tmp_path):
    file = tmp_path / "bad.py"
    file.write_text(FILES["threads that outlive"][0])
    grade_file(find("minimax"), file, "autumn", "bwrap", questions=1, feedback=False)
    latest = time.monotonic() + 60  # what was killed may be a moment about it
    while str(tmp_path) in subprocess.run(["ps", "axww", "-o", "args"], capture_output=True, text=True, check=True).stdout:
        assert time.monotonic() < latest
        time.sleep(0.05)


@boxed
def test_links_and_files_of_odd_kinds(tmp_path):
    assignment = find("minimax")
    (tmp_path / "link.py").symlink_to("/etc/passwd")
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "large.py").write_bytes(b"#" * (MOST_BYTES + 1))
    (tmp_path / "folder.py").mkdir()
    for name, said in (
        ("link", "a link"),
        ("pipe", "no file"),
        ("large", "are allowed"),
        ("folder", "no file"),
        ("missing", "cannot be read"),
    ):
        grade = grade_file(assignment, tmp_path / f"{name}.py", "autumn", "bwrap", feedback=False)
        assert said in grade.problem and grade.points == 0


@boxed
def test_a_folder_is_graded_the_same_twice_and_only_what_changed_again(tmp_path):
    folder = tmp_path / "hw"
    write("minimax", folder, seed="autumn")
    (folder / "submissions" / "ada.py").write_text(HONEST)
    (folder / "submissions" / "ada").mkdir()  # of the same name: told apart
    (folder / "submissions" / "ada" / "minimax.py").write_text(FILES["loop"][0])
    (folder / "submissions" / "=1+1.py").write_text(find("minimax").wrong_variant("value"))
    settings = folder / "staff" / "settings.json"
    settings.write_text(settings.read_text().replace("5.0", "0.5"))
    first = grade_folder(folder)
    assert [grade.name for grade in first] == ["=1+1", "ada", "ada (2)"]
    assert [grade.points for grade in first[1:]] == [0, 100]
    told = []
    assert grade_folder(folder, tell=lambda done, of, grade: told.append(grade.name)) == first
    assert told == []  # nothing had changed
    (folder / "grades" / "ada.json").write_text("{torn")
    again = grade_folder(folder, tell=lambda done, of, grade: told.append(grade.name))
    assert told == ["ada"] and again == first
    assert "\n'=1+1," in (folder / "grades" / "grades.csv").read_text()
    assert Settings.read(folder).seed == "autumn"


@boxed
def test_killing_the_grader_loses_no_finished_grade(tmp_path):
    folder = tmp_path / "hw"
    write("minimax", folder, seed="autumn")
    for name in "abcdef":
        (folder / "submissions" / f"{name}.py").write_text(HONEST + f"# {name}")
    program = "import sys, pathlib\nfrom outplay.classroom.grading import grade_folder\ngrade_folder(pathlib.Path(sys.argv[1]))"
    running = subprocess.Popen([sys.executable, "-c", program, str(folder)], start_new_session=True)
    until = time.monotonic() + 600
    while time.monotonic() < until and len(list((folder / "grades").glob("*.json"))) < 2:
        time.sleep(0.005)
    os.killpg(running.pid, signal.SIGKILL)
    running.wait()
    finished = {each.stem for each in (folder / "grades").glob("?.json")}
    again = []
    grades = grade_folder(folder, tell=lambda done, of, grade: again.append(grade.name))
    assert len(finished) >= 2 and not finished & set(again) and finished | set(again) == set("abcdef")
    assert [grade.points for grade in grades] == [100] * 6


def test_without_a_sandbox_it_refuses_and_trust_says_what_is_not_held_back(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(asking, "can_box", lambda: False)
    monkeypatch.setattr(asking, "can_contain", lambda runner: False)
    asking.way_to_hold.cache_clear()
    with pytest.raises(Unavailable, match=r"--trust, which holds back time, .* and the network, and no reading of files"):
        asking.way_to_hold()
    assert asking.way_to_hold(trust=True) == "trust"
    write("minimax", tmp_path / "hw", seed="autumn")
    run(["classroom", "grade", str(tmp_path / "hw"), "--trust"])
    assert ": a submission can read what you can read" in capsys.readouterr().err
    asking.way_to_hold.cache_clear()


def test_trusted_ones_are_still_held_back(tmp_path):
    for name in ("fork bomb", "a socket", "os._exit", "loop", "a signal to the parent"):
        file = tmp_path / "bad.py"
        file.write_text(FILES[name][0])
        grade = grade_file(find("minimax"), file, "autumn", "trust", questions=1, seconds=0.4, feedback=False)
        assert FILES[name][1][0] in grade.failures[0] or FILES[name][1] in grade.failures[0]


RUNNER = """#!{python}
# Stands for podman: it runs the command of a container here, and notes what it was asked.
import json, os, signal, sys, tarfile, io
place, words = os.path.dirname(__file__), sys.argv[1:]
with open(place + "/asked", "a") as asked:
    asked.write(json.dumps(words) + "\\n")
if words[:2] == ["image", "inspect"]:
    sys.exit(0 if os.path.exists(place + "/image") else 1)
if words[0] == "import":
    names = tarfile.open(fileobj=io.BytesIO(sys.stdin.buffer.read())).getnames()
    open(place + "/image", "w").write(" ".join(names))
if words[0] == "run":
    at = next(k for k, word in enumerate(words) if word.startswith("localhost/outplay-box:"))
    given = [words[k + 1].partition("=") for k in range(at) if words[k] == "-e"]
    if "--name" in words:
        open(place + "/" + words[words.index("--name") + 1], "w").write(str(os.getpid()))
    os.execvpe(words[at + 1], words[at + 1 :], dict(os.environ, **{{key: value for key, _, value in given}}))
if words[0] == "inspect":
    print(open(place + "/" + words[-1]).read())
if words[0] == "rm":
    try:
        os.killpg(int(open(place + "/" + words[-1]).read()), signal.SIGKILL)
    except OSError:
        pass
"""


@pytest.mark.skipif(not containers.is_shared(), reason="containers show this machine's own Python on Linux")
def test_a_container_is_begun_asked_and_ended_as_its_runner_wants_it(tmp_path, monkeypatch):
    (tmp_path / "bin").mkdir()
    runner = tmp_path / "bin" / "podman"
    runner.write_text(RUNNER.format(python=sys.executable))
    runner.chmod(0o755)
    monkeypatch.setenv("PATH", f"{runner.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(asking, "can_box", lambda: False)
    for cached in (containers.can_contain, asking.way_to_hold):
        cached.cache_clear()
    try:
        assert asking.way_to_hold() == "podman"
    finally:
        for cached in (containers.can_contain, asking.way_to_hold):
            cached.cache_clear()
    assert "usr" in (runner.parent / "image").read_text().split()
    file = tmp_path / "ada.py"
    for name, text, points in (("honest", HONEST, 100), ("loop", FILES["loop"][0], 0)):
        file.write_text(text)
        grade = grade_file(find("minimax"), file, "autumn", "podman", questions=1, seconds=5 if points else 0.3, feedback=False)
        assert grade.points == points, name
        assert points or "hung" in grade.failures[0]
    asked = [json.loads(line) for line in (runner.parent / "asked").read_text().splitlines()]
    runs = [words for words in asked if words[0] == "run"]
    begun = {words[words.index("--name") + 1] for words in runs}
    trial = runs[0][runs[0].index("--name") + 1]
    assert begun - {trial} == {words[-1] for words in asked if words[0] == "rm"}
    for words in runs[1:]:
        line = " ".join(words)
        for wanted in ("--network none", "--read-only", "--cap-drop ALL", "no-new-privileges", "--user 65534:65534", "--rm",
                       "-v /usr:/usr:ro", f"--memory {asking.BOUNDS.memory + containers.SPARE}m", "-e PYTHONPATH= "):  # fmt: skip
            assert wanted in line, wanted
        shown = [words[k + 1] for k, word in enumerate(words) if word == "-v"]
        assert not any(str(tmp_path) in each for each in shown)  # nothing of the staff's
    left = subprocess.run(["ps", "ax", "-o", "args"], capture_output=True, text=True, check=True).stdout
    assert str(runner.parent) not in left


def test_what_no_exercise_needs_is_told():
    assert unusual(HONEST) == ()
    assert unusual("import os.path\nfrom sys import argv\nx.__globals__\nself._fine = 1") == ("os.path (line 1)", "sys (line 2)",
                                                                                             "__globals__ (line 3)")  # fmt: skip
