"""Players that anybody brings: what they do costs their game and nothing else."""

import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import outplay
from outplay.arena.match import play_game
from outplay.errors import BadValue, Unavailable, UnknownName
from outplay.players.guests import guest
from outplay.playing import Play
from outplay.sandbox import Bounds, Box, Broken, Guest, can_box, own_environment
from outplay.sandbox.seal import can_hold_files
from outplay.values import Limits

BAD = {
    "loop": ("while True: pass", "no answer after"),
    "sys_exit": ("import sys; sys.exit(0)", "SystemExit"),
    "os_exit": ("import os; os._exit(0)", "ended by itself"),
    "fork": ("import os\n    while True: os.fork()", "PermissionError"),
    "execute": ("import os; os.execv('/bin/true', ['true'])", "PermissionError"),
    "kill": ("import os, signal; os.kill(os.getppid(), signal.SIGKILL)", "PermissionError"),
    "socket": ("import socket; socket.socket()", "PermissionError"),
    "memory": ("a = []\n    while True: a.append(bytearray(1 << 24))", "MemoryError"),
    "crash": ("import ctypes; ctypes.string_at(0)", "signal 11"),
    "nonsense": ("return 'zz'", "'zz' is illegal"),
    "flood": ("import os\n    while True: os.write(4, b'x' * 4096)", "a line of more than"),
    "raises": ("raise KeyError('boom')", "KeyError: 'boom' (line 2)"),
    "peeks": ("import gc, outplay\n    assert not [1 for x in gc.get_objects() if type(x) is outplay.Play]\n    raise EOFError",
              "EOFError"),
}  # fmt: skip


def player_file(folder: Path, body: str, name: str = "bad.py") -> Path:
    file = folder / name
    file.write_text(f"def choose(position):\n    {body}\n")
    return file


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_python_player_loses_its_game_and_harms_nothing(tmp_path, kind):
    body, said = BAD[kind]
    bad = guest(f"python:{player_file(tmp_path, body)},memory=400")
    with Play("nim:heaps=1-2", [bad, "random"], limits=Limits(seconds=0.2 if kind == "loop" else 10)) as play:
        record = play.finished()
    bad.close()
    assert record.outcome.utilities == (-1.0, 1.0)
    assert said in record.reason
    assert record.reason.count("bad.py") == 1  # the name is said once


def test_a_player_that_was_ended_plays_its_next_game(tmp_path):
    file = player_file(tmp_path, "import os\n    if len(position.actions()) > 2: os._exit(1)\n    return position.actions()[0]")
    made = guest(f"python:{file}")
    for heaps, winner in (("nim:heaps=3-3", 1), ("nim:heaps=1-1", None), ("nim:heaps=2", 0)):
        with Play(heaps, [made, "random"]) as play:
            record = play.finished()
        if winner is not None and heaps != "nim:heaps=2":
            assert record.outcome.winner == winner and "failed" in record.reason
        else:
            assert record.reason == ""
    made.close()


def test_every_way_to_write_a_python_player(tmp_path):
    file = tmp_path / "several.py"
    file.write_text(
        "import outplay\n"
        "class Last:\n    def choose(self, position, limits=None): return position.actions()[-1]\n"
        "class Own(outplay.Player):\n    def pick(self, view, limits): return view.action_text(view.actions()[0])\n"
        "def with_limits(position, limits): assert limits.seconds == 3; return position.actions()[0]\n"
        "def evaluate_mine(position, player): return float(position.text().count('x'))\n"
    )
    start = outplay.load("tic-tac-toe").start()
    for name, expected in (("Last", 8), ("Own", 0), ("with_limits", 0), ("evaluate_mine,depth=1", None)):
        made = guest(f"python:{file}:{name}")
        action = made.choose(start, Limits(seconds=3))
        made.close()
        assert action == expected if expected is not None else action in start.actions()
    with pytest.raises(Unavailable, match="the file has several players, name one: Last, Own"):
        guest(f"python:{file}")
    with pytest.raises(Unavailable, match="there is no 'Nobody'"):
        guest(f"python:{file}:Nobody")


def test_a_game_in_a_file_is_found_from_the_players_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "coins.py").write_text(COINS)
    (tmp_path / "players").mkdir()
    file = player_file(tmp_path / "players", "return position.actions()[0]")
    made = guest(f"python:{file}")
    record = play_game([made, outplay.player("random")], outplay.load("games/coins.py").start(), limits=Limits(seconds=10))
    made.close()
    assert record.reason == ""


COINS = """
from outplay.game import Game


class Coins(Game):
    \"\"\"Take one or two of five coins; whoever takes the last one wins.\"\"\"

    name = "coins"

    def initial(self):
        return (5, 0)

    def player(self, state):
        return state[1]

    def actions(self, state):
        return [n for n in (1, 2) if n <= state[0]]

    def result(self, state, action):
        return (state[0] - action, 1 - state[1])

    def is_terminal(self, state):
        return state[0] == 0

    def utility(self, state, player):
        return -1 if player == state[1] else 1
"""


@pytest.mark.parametrize(("text", "said"), [
    ("python:nowhere.py", "no such file"), ("python:", "expected program"), ("python:file.txt", "expected python:FILE.py"),
    ("program:no-such-program-anywhere", "not installed"), ("program:cat,memry=3", "did you mean 'memory'"),
    ("program:cat,memory=x", "memory"), ("program:'", "no closing quotation"),
])  # fmt: skip
def test_a_bad_name_is_told_in_one_line(text, said):
    with pytest.raises((BadValue, Unavailable, UnknownName), match=said) as problem:
        guest(text)
    assert "\n" not in str(problem.value)


TALKER = """
import sys
log = open(sys.argv[1], "w")
for line in sys.stdin:
    log.write(line); log.flush()
    if line.startswith("outplay"): print("# hello"); print("ready", flush=True)
    if line.startswith("legal"): legal = line.rstrip("\\n").split("\\t")[1:]
    if line == "go\\n": print("zz" if sys.argv[2] == "once" else legal[0], flush=True); sys.argv[2] = ""
    if line.startswith("error"): pass
"""


def test_a_program_hears_the_lines_of_the_page_and_gets_one_more_try(tmp_path):
    (tmp_path / "talker.py").write_text(TALKER)
    made = guest(f"program:{sys.executable} {tmp_path}/talker.py {tmp_path}/log once")
    with Play("tic-tac-toe", [made, "random"], limits=Limits(seconds=5)) as play:
        play.push("b2") if play.is_waiting else None
        record = play.finished()
    made.close()
    heard = (tmp_path / "log").read_text().splitlines()
    assert record.reason == ""
    assert heard.pop(3) not in ("seed 0", "")  # the seed of the game is told to nobody
    assert heard[:7] == ["outplay 1", "new tic-tac-toe", "seats 2", "seat 0", "position .../.../... x",
                         "legal\ta3\tb3\tc3\ta2\tb2\tc2\ta1\tb1\tc1", "time 5"]  # fmt: skip
    assert heard[8].startswith("error illegal action 'zz'") and heard[9] == "go"
    assert heard[10] == f"played 0 {record.actions[0]}" and heard[11] == f"played 1 {record.actions[1]}"


def test_hidden_things_are_not_told(tmp_path):
    (tmp_path / "talker.py").write_text(TALKER)
    made = guest(f"program:{sys.executable} {tmp_path}/talker.py {tmp_path}/log never")
    with Play("kuhn poker", [made, "random"], seed=3) as play:
        record = play.finished()
        seen = play.view(0, 1) if play.plies else None
    made.close()
    heard = (tmp_path / "log").read_text()
    deal = record.actions[0]
    assert f"chance {deal}" not in heard and "chance ?" in heard
    positions = [line for line in heard.splitlines() if line.startswith("position")]
    assert positions and seen is not None
    assert all("?" in line or "-" in line for line in positions)


def test_the_number_that_a_guest_may_draw_by_tells_no_cards(tmp_path):
    body = "raise EOFError(self.deal)"
    (tmp_path / "seer.py").write_text(
        "from outplay.playing import settle\n"
        "class Seer:\n"
        "    def begin(self, view, *, seed=0): self.deal = f'{seed} {settle(view.game.start(), seed).text()}'\n"
        "    def follow(self, action, view): pass\n"
        f"    def choose(self, position, limits): {body}\n"
    )
    made, seen = guest(f"python:{tmp_path}/seer.py"), []
    for seed in range(6):
        with Play("kuhn poker", [made, "random"], seed=seed) as play:
            told = play.finished().reason.split("EOFError: ")[1].split()
            seen.append((int(told[0]) != seed, told[1] == play.after(len(play.plies)).text()[:2]))
    made.close()
    assert all(other for other, _ in seen) and not all(same for _, same in seen)


@pytest.mark.skipif(not can_hold_files(), reason="the kernel has no Landlock")
def test_without_a_box_no_file_is_written_and_no_memory_read(tmp_path):
    (tmp_path / "there").write_text("x")
    tries = {
        "memory": "open(f'/proc/{os.getppid()}/mem', 'rb')", "environment": "open(f'/proc/{os.getppid()}/environ').read()",
        "write": "open('new', 'w')", "change": "open('there', 'a')", "remove": "os.remove('there')",
        "slow": "os.setpriority(0, os.getppid(), os.getpriority(0, os.getppid()))",  # as it is, should it go through
        "pin": "os.sched_setaffinity(os.getppid(), os.sched_getaffinity(os.getppid()))",
        "rename": "os.rename('there', 'b')", "folder": "os.mkdir('folder')", "link": "os.symlink('there', 'b')",
    }  # fmt: skip
    lines = "".join(f"    try: {act}; held.append('{name}')\n    except PermissionError: pass\n" for name, act in tries.items())
    file = tmp_path / "bad.py"
    body = f"    held = []\n{lines}    open(os.devnull, 'w').write('x')\n    raise EOFError(held)\n"
    file.write_text(f"import os\ndef choose(position):\n{body}")
    made = guest(f"python:{file},sandbox=no")
    with Play("nim:heaps=1-2", [made, "random"]) as play:
        assert "EOFError: []" in play.finished().reason
    made.close()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["bad.py", "there"]


def test_a_function_plays_in_this_process_too():
    (record,) = outplay.match("nim:heaps=1-2", [first_of_all, outplay.player("random")], games=1)
    assert record.players[0] == "first_of_all" and record.reason == ""


def first_of_all(position):
    return position.actions()[0]


@pytest.mark.parametrize(("language", "needs"), [("python", None), ("javascript", "node"), ("c", "cc"), ("shell", "sh")])
def test_templates_play_whole_games(tmp_path, language, needs):
    from outplay.cli.app import run

    if needs and not shutil.which(needs):
        pytest.skip(f"no {needs} here")
    ending = {"python": "py", "javascript": "js", "c": "c", "shell": "sh"}[language]
    file = tmp_path / f"mine.{ending}"
    assert run(["players", "new", language, "--out", str(file)]) == 0
    assert run(["players", "new", language, "--out", str(file)]) == 2  # never written over
    if language == "c":
        subprocess.run(["cc", "-O1", "-Wall", "-Werror", "-o", tmp_path / "mine", file], check=True)
    text = {"python": f"python:{file}", "javascript": f"program:node {file}", "c": f"program:{tmp_path}/mine",
            "shell": f"program:sh {file}"}[language]  # fmt: skip
    made = guest(text)
    with Play("tic-tac-toe", [made, "random"], limits=Limits(seconds=10)) as play:
        record = play.finished()
    made.close()
    assert record.reason == ""


def test_python_objects_under_a_time_limit_get_a_process():
    record, other = outplay.match("nim:heaps=1-2", [Looping(), outplay.player("random")], limits=Limits(seconds=0.2), games=2)
    assert "no answer" in record.reason and record.players[0] == "looping"
    assert other.outcome is not None


class Looping:
    name = "looping"

    def choose(self, position, limits=None):
        while True:
            pass


def test_what_cannot_be_moved_says_what_is_not_held_back():
    class Local:
        name = "local"

        def choose(self, position, limits=None):
            return position.actions()[0]

    with pytest.warns(RuntimeWarning, match="endless loop"):
        records = list(outplay.match("nim:heaps=1-2", [Local(), outplay.player("random")], limits=Limits(seconds=5), games=1))
    assert records[0].reason == ""


def test_stop_ends_the_wait_at_once(tmp_path):
    made = guest(f"python:{player_file(tmp_path, 'while True: pass')}")
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    with Play("nim", [made, "random"], limits=Limits(seconds=3600)) as play:  # an hour, if nothing stops it
        record = play.finished(stop)
    made.close()
    assert record.outcome is None


def gone(marker):
    """Wait until no process has these words in its command line."""
    until = time.monotonic() + 60
    while marker in subprocess.run(["ps", "axww", "-o", "args"], capture_output=True, text=True, check=True).stdout:
        assert time.monotonic() < until, f"{marker} is still there"
        time.sleep(0.05)


def test_nothing_is_left_behind(tmp_path):
    marker = f"sleep {4_000_000 + os.getpid()}"
    made = Guest(["sh", "-c", f"{marker} & setsid {marker} & echo ready; wait"], Bounds())
    assert made.hear(10) == "ready"
    made.close()
    gone(marker)


ASLEEP = """
import os, signal, sys, time
from outplay.players.guests import guest
made = guest(sys.argv[1])
while open(f"/proc/{made._guest.process.pid}/stat").read().rpartition(")")[2].split()[0] != "T":
    time.sleep(0.01)  # it rests: between its moves a guest is stopped
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere no process is told that another has ended")
@pytest.mark.parametrize("kind", ["python", "box", "program"])
def test_a_guest_that_is_asleep_ends_with_who_began_it(tmp_path, kind):
    if kind == "box" and not can_box():
        pytest.skip("needs bubblewrap")
    if kind == "program" and not shutil.which("setpriv"):
        pytest.skip("needs setpriv of util-linux")
    marker = f"sleeper_{kind}_{os.getpid()}"
    file = player_file(tmp_path, "return position.actions()[0]", f"{marker}.py")
    script = tmp_path / f"{marker}.sh"
    script.write_text("echo ready; while read line; do :; done")
    text = f"program:sh {script}" if kind == "program" else f"python:{file},sandbox={'yes' if kind == 'box' else 'no'}"
    ended = subprocess.run([sys.executable, "-c", ASLEEP, text], capture_output=True, text=True, check=False)
    assert ended.returncode == -9, ended.stderr
    gone(marker)


@pytest.mark.parametrize("box", [False, True])
def test_a_guest_outlives_the_thread_that_began_it(box):
    if box and not can_box():
        pytest.skip("needs bubblewrap")
    made = []

    def begin():
        made.append(Guest(["sh", "-c", "echo ready; exec cat"], box=Box() if box else None))
        assert made[0].hear(60) == "ready"

    thread = threading.Thread(target=begin)
    thread.start()
    thread.join()
    made[0].say("still here", 60)
    assert made[0].hear(60) == "still here"
    made[0].close()


@pytest.mark.parametrize(("script", "kind"), [
    ("while :; do sleep 60 & done", "processes"), ("exec 2>&-; while :; do sleep 60 & done", "processes"),
    ("yes | tr -d '\\n'", "output"), ("sleep 9", "time"), ("exit 3", "end"),
    ("kill -9 $$", "crash"), ("while :; do :; done", "processor"),
])  # fmt: skip
def test_bounds_of_programs(script, kind):
    made = Guest(["sh", "-c", script], Bounds(processes=8, processor=1, output=100_000))
    with pytest.raises(Broken) as problem:
        made.hear(0.3 if kind == "time" else 600)
    assert problem.value.kind == kind


def test_remarks_without_end_are_a_flood():
    with pytest.raises(Unavailable, match="bytes for one answer"):
        guest("program:yes '# remark'")


@pytest.mark.skipif(not can_box(), reason="bubblewrap is not there or not allowed")
def test_the_box_hides_files_network_and_processes(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("42")
    folder = tmp_path / "own"
    folder.mkdir()
    script = (f"cat {secret} 2>/dev/null; ls /proc | grep -c '^[0-9]*$'; touch here 2>/dev/null && echo wrote; "
              "cat /proc/net/dev | wc -l; echo end")
    made = Guest(["sh", "-c", script], Bounds(), Box(shown=("/usr",)), str(folder), own_environment())
    said = []
    while not said or said[-1] != "end":
        said.append(made.hear(10))
    made.close()
    assert "42" not in said and "wrote" not in said
    assert int(said[0]) < 8 and int(said[1]) == 3  # two lines of headings and the loopback


def test_the_studio_seats_no_such_player():
    from outplay.web.choices import seated

    for text in ("python:/tmp/x.py", "program:touch /tmp/x", "python:/tmp/x.py:Name,time=1"):
        with pytest.raises(UnknownName):
            seated(text, outplay.load("nim"))
