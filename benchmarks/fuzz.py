"""Attacks by machine: mutated inputs at one door after the other, seeded, until time is up. Failures can be repeated.

    python benchmarks/fuzz.py                       every attack for ten seconds
    python benchmarks/fuzz.py csp 600 7             one attack, seconds, seed

An attack is a function of a random source: it makes one input, tries it, and returns what is wrong with the outcome, or None. A
refusal in one line is right; an exception of any other kind, an answer of 500, a wrong solution or a long wait is not. To add an
attack, write a function with `@attack("name")`; one that needs something open does so in `functools.cache`. Constraint problems,
the studio and the command line are attacked here, protocols in `fuzz_dialogues.py`, files of every format in `fuzz_files.py`,
the compiled kernels in `fuzz_cache.py`.
"""

from __future__ import annotations

import functools
import json
import math
import random
import sys
import time
import traceback
from pathlib import Path
from typing import Any

HERE = str(Path(__file__).resolve().parent)
sys.path[:] = [HERE, *(place for place in sys.path if place != HERE)]
import fuzz_cache  # noqa: E402, F401  (its attacks are entered)
import fuzz_dialogues  # noqa: E402, F401  (its attacks are entered)
import fuzz_files  # noqa: E402, F401  (after the path is set; it registers its attacks)
from fuzz_inputs import ATTACKS, attack, folder, mutated, refused, shaken  # noqa: E402  (after the path is set)

sys.path[:] = [*sys.path[1:], HERE]  # behind the rest: this folder's chess.py would be found in place of the package `chess`

PATIENCE = 9.0  # seconds of the processor for one input; a search that names no limit takes five
SILENCE = 120.0  # seconds on the clock: a busy machine makes everything wait


# ---------------------------------------------------------------- constraint problems

PROBLEMS = (
    "SEND + MORE = MONEY", "queens 6", "magic 3", "map\ncolours: red green blue\nA: B C\nB: C\nC:",
    "x y z in 1..9\nx + y == 2 * z\nx < y",
    "x y in 1..900\nx*y%7==3", "a b in red green\na != b", "x y in 0..5\n(x == 1) | (y > 2)\ntable x y: 1 2, 3 4\nminimize x + y",
    "x y z in -3..3\nall different x y z\nabs(x - y) // z == 1",
    "x in 1..1000000\nx*x == 49", "not x == 1 and y in 2", "12.4............",
)  # fmt: skip


@functools.cache
def kernel() -> None:
    """Compiled before the clock runs."""
    from outplay.csp.solver import load_kernel

    load_kernel()


@attack("csp")
def constraint_problem(source: random.Random) -> str | None:
    """A problem as text, read and solved for a moment; a solution must hold when it is checked in plain Python."""
    from outplay.csp.files import read

    kernel()
    lines = source.choice(PROBLEMS).split("\n")
    if source.random() < 0.4:
        lines += source.choice(PROBLEMS).split("\n")[-2:]
    text = "\n".join(mutated(line, source) if source.random() < 0.6 else line for line in lines)
    wrong: list[str] = []

    def solve() -> None:
        model = read(text).model
        solution = model.solve(seconds=0.2, propagation=source.choice(("arc", "arc", "forward", "none")))
        if solution is not None and not model.is_solution(solution):
            wrong.append(f"{text!r}: {solution} is no solution")

    return refused(repr(text), solve) or (wrong[0] if wrong else None)


# ---------------------------------------------------------------- the studio

BODIES: dict[str, list[dict[str, Any]]] = {
    "/api/positions": [{"game": "tic-tac-toe", "actions": ["b2", "a1"]}, {"game": "connect four:width=5", "start": None},
                       {"game": "tree", "parameters": {"tree": '{"chance":[["1/3",1],["2/3",2]]}'}}, {"game": "nim"}],
    "/api/records": [{"game": "tic-tac-toe", "players": ["human", "random"]}, {"game": "kuhn", "players": ["human", "human"]},
                     {"game": "chess", "players": ["human", "engine:time=0.1"], "actions": ["e4"]}],
    "/api/think": [{"game": "tic-tac-toe", "algorithm": "alphabeta", "depth": 2},
                   {"game": "nim", "nodes": 100, "algorithm": "minimax"}],
    "/api/compare": [{"game": "tic-tac-toe", "algorithms": ["minimax", "alphabeta"], "depth": 1}],
    "/api/trees": [{"game": "tree", "algorithm": "minimax"}, {"game": "tic-tac-toe", "algorithm": "alphabeta", "depth": 2}],
    "/api/records/{address}/moves": [{"action": "b2", "plies": 0}],
    "/api/records/{address}/back": [{"plies": 1}],
    "/api/records/{address}/players": [{"players": ["random", "human"]}],
    "/api/records/{address}/reply": [{"plies": 1}],
    "/api/records/{address}": [],
    "/api/games": [],
    "/api/records/{address}/file": [],
    "/static/{address}": [],
}  # fmt: skip


@functools.cache
def studio() -> Any:
    """A studio in this process."""
    from fastapi.testclient import TestClient

    from outplay.web.app import create_app

    return TestClient(create_app(), base_url="http://localhost", raise_server_exceptions=False)


@functools.cache
def address() -> str:
    """A game that can be asked for."""
    return str(studio().post("/api/records", json={"game": "tic-tac-toe", "players": ["human", "random"]}).json()["address"])


@attack("http")
def request(source: random.Random) -> str | None:
    """A request at the studio's API: answered below 500 (or 503), with one line where it is refused, and soon."""
    path, bodies = source.choice(list(BODIES.items()))
    body = shaken(source.choice(bodies), source) if bodies else None
    known = address() if source.random() < 0.8 else mutated("../" + address(), source).encode("utf-8", "replace").decode()
    path = path.replace("{address}", known)
    try:
        content = None if body is None else json.dumps(body).encode()
        if content and source.random() < 0.1:
            content = mutated(content.decode(), source).encode("utf-8", "surrogatepass")
        method = source.choice(("GET", "PUT")) if source.random() < 0.03 else "GET" if body is None else "POST"
        answer = studio().request(method, path, content=content, headers={"content-type": "application/json"})
    except Exception as problem:
        if type(problem).__name__ in ("InvalidURL", "LocalProtocolError", "UnicodeEncodeError"):
            return None  # the client itself cannot send it
        return f"{path} {body!r}: {traceback.format_exc(limit=-3)}"
    shown = f"{path} {str(body)[:300]}: {answer.status_code} {answer.text[:300]}"
    if answer.status_code >= 500 and answer.status_code != 503:
        return shown
    if "internal error" in answer.text:
        return shown
    if answer.status_code >= 400 and path.startswith("/api") and method != "HEAD":
        said = answer.json().get("error", "") if answer.headers.get("content-type", "").startswith("application/json") else ""
        if not said or "\n" in said:
            return shown
    return None


# ---------------------------------------------------------------- the command line

COMMAND_LINES = (
    "games --json", "show {game}", "show {game} --json", "best {game} --depth 1", "best {game} --algorithm {algorithm} --nodes 50",
    "best {game} --algorithm {algorithm} --simulations 5 --json", 
    "best {game} --time 0.01 --lines 3 --threads 2 --memory 1 --seed 4",
    "solve tree:tree={tree} --scores --json", "solve nim:heaps=1-2 --strategy {file}", "solve {game} --nodes 20",
    "compare tree:tree={tree} --algorithms alphabeta,{algorithm}", "compare tic-tac-toe --depth 1 --algorithms {algorithm} --json",
    "explain tree:tree={tree} --out {file}.html --algorithm {algorithm}", "evaluate isolation --actions c3,a1 --weights {word}",
    "perft {game} --depth 1", "perft nim --depth {number} --threads {number}", "playouts nim --games 3 --threads {number}",
    "match nim {player} {player} --games 2 --save {file}", "match tic-tac-toe {player} random --games 1", "check nim --games 1",
    "algorithms {word} --json", "algorithms --game {game}", "players --json", "book dump {file}", "tables probe chess {word}",
    "show {game} --position {word}", "show {game} --actions {word},{word}", "show {game} --out {file}.svg", "{word} {game}",
)  # fmt: skip
GAMES = ("nim", "tic-tac-toe", "nim:heaps=1-2", "tree", "isolation:width=3,height=2", "vacuum world", "grid", "rock-paper-scissors")
SEARCHES = ("alphabeta", "mcts:c=1.0", "engine:pvs,killers=no", "engine:mcts", "beam:width=2", "opponent:p=0.3", "a-star",
            "auto", "deals", "mtdf:guess=3", "alphabeta:order=by-rules,window=-1..1", "engine",
            "textbook:pvs", "singular:margin=3")  # fmt: skip
PLAYERS = ("random", "random:seed=3", "alphabeta:depth=1", "mcts:simulations=2", "engine:depth=1", "uci:/bin/true",
           "engine:nodes=10,level=club")  # fmt: skip
WAITING = ("serve", "uci", "gtp", "play", "tune", "bench", "warm", "csp", "learn")
ODD_NUMBERS = ("0", "1", "2", "-1", "99999999999999999999", "9" * 400, "1e9", "nan", "x", "", "²")


@attack("command line")
def command_line(source: random.Random) -> str | None:
    """One command with mutated words: it answers, or refuses in one line with status 2; nothing else."""
    import contextlib
    import io

    from outplay.cli.main import run as run_command

    def word() -> str:
        return mutated(source.choice(("c3", "e2e4", "material", "my moves", "xx./oo./... x", "1-2 x", "mcts", "KQK")), source)

    def fill(piece: str) -> str:
        choices = {"{game}": GAMES, "{algorithm}": SEARCHES, "{player}": PLAYERS, "{number}": ODD_NUMBERS,
                   "{tree}": ("[[3,12,8],[2,4,6]]", '{"chance":[["0.5",1],["0.5",2]]}', "[[0.5],[1]]"),
                   "{file}": (f"{folder()}/{source.randint(0, 3)}", folder(), "/no/such/folder/x", folder() + "/" + "n" * 300),
                   }  # fmt: skip
        for hole, options in choices.items():
            piece = piece.replace(hole, source.choice(options))
        return piece.replace("{word}", word())

    words = [fill(piece) for piece in source.choice(COMMAND_LINES).split()]
    if source.random() < 0.5:
        at = source.randrange(len(words))
        words[at] = mutated(words[at], source)
    words = [each.replace("\0", "").encode("utf-8", "surrogatepass").decode("utf-8", "replace") for each in words]
    if any(each.startswith(("--install", "--show")) or each in WAITING for each in words):
        return None  # they wait for input, change the shell, or take long by design
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = run_command(words)
    said = [line for line in err.getvalue().splitlines() if line and "Ctrl-C" not in line and not line.startswith("compiling ")]
    if status not in (0, 2) or "internal error" in err.getvalue() or "Traceback" in err.getvalue():
        return f"outplay {words}: status {status}: {' / '.join(said)[:400]}"
    if status == 2 and len(said) != 1 and not out.getvalue():
        return f"outplay {words}: {len(said)} lines in place of one: {' / '.join(said)[:400]}"
    if status == 0 and "--json" in words and out.getvalue().strip() and "--help" not in words and "-h" not in words:
        try:
            json.loads(out.getvalue())
        except ValueError:
            return f"outplay {words}: no JSON: {out.getvalue()[:200]}"
    return None


# ---------------------------------------------------------------- running them


def run(name: str, seed: int, inputs: float = math.inf, seconds: float = math.inf, most: int = 20) -> tuple[int, list[str]]:
    """How many inputs were tried, as many as asked for or in so many seconds, and what failed.

    Input number i of a seed is always the same: so many inputs are the same work on every machine, so many seconds are not.
    """
    from outplay.jit import watch_compiling

    failures: list[str] = []
    tried = 0
    end = time.perf_counter() + seconds
    while tried < inputs and time.perf_counter() < end and len(failures) < most:
        number = f"{seed}:{name}:{tried}"
        begun, worked = time.perf_counter(), time.process_time()
        compiled: list[str] = []
        with watch_compiling(compiled.append):
            wrong = ATTACKS[name](random.Random(number))
        took, work = time.perf_counter() - begun, time.process_time() - worked
        tried += 1
        if tried == 1 or compiled:  # it waited for the compiler, or for something to open
            end += took
        is_slow = min(took, work) > PATIENCE or took > SILENCE
        if wrong is None and tried > 1 and is_slow and not compiled:  # who waits for the compiler waits by design
            wrong = f"took {took:.1f} s, {work:.1f} s of the processor"
        if wrong:
            failures.append(f"[{number}] {wrong}")
    return tried, failures


def main(wanted: str = "all", seconds: float = 10.0, seed: int = 1) -> None:
    """Run one attack or all, and tell; the exit status is 1 when something failed."""
    if wanted != "all" and wanted not in ATTACKS:
        raise SystemExit(f"unknown attack {wanted!r}: known are {', '.join(ATTACKS)}")
    failed = False
    for name in ATTACKS if wanted == "all" else [wanted]:
        tried, failures = run(name, seed, seconds=seconds)
        print(f"{name}: {tried:,} inputs, {len(failures)} failures (seed {seed})")
        for failure in failures:
            print(" ", failure)
        failed = failed or bool(failures)
    if failed:
        raise SystemExit(1)


if __name__ == "__main__":
    given = sys.argv[1:]
    main(*[kind(text) for kind, text in zip((str, float, int), given, strict=False)])  # type: ignore[operator]  # types are callable
