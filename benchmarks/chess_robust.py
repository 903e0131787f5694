"""Games through the front door: `outplay uci` as a program, every move checked by the package `chess`, every answer timed.

    python benchmarks/chess.py robust --games 1000 --seconds 0.05
    python benchmarks/chess.py robust --games 100 --opponent uci:gnuchessu --opponent "uci:stockfish,Skill Level=3"

Each game starts after eight random moves and runs to its end on the board: no game is adjudicated. Counted are illegal moves,
crashes (the program ends or falls silent for ten seconds) and oversteps: answers that took longer than the time for the move and
the margin, as the asking side sees it, the pipe included. Where this machine is a guest, its host may hold its processors back;
Linux counts that time, and an overstep during which more was held back than the answer came late is told apart.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

from host import held_back

from outplay.errors import BadValue
from outplay.players.external import GAME_FOLDERS, find_program

sys.path[:] = [folder for folder in sys.path if Path(folder).resolve() != Path(__file__).resolve().parent]
import chess  # noqa: E402  (this folder's chess.py would be found in its place)

SILENCE = 10.0


class Crashed(Exception):
    """A program ended or fell silent."""


class Program:
    """One UCI program; `name` is "outplay" or uci:PROGRAM,Option=value,…"""

    def __init__(self, name: str) -> None:
        self.name, self.options = name, {}
        if name == "outplay":
            self.command = [sys.executable, "-m", "outplay", "uci"]
        else:
            protocol, _, rest = name.partition(":")
            if protocol != "uci" or not rest:
                raise BadValue(f"expected an opponent such as uci:stockfish, got {name!r}")
            program, *options = rest.split(",")
            self.command = [find_program(program.split()[0]), *program.split()[1:]]
            self.options = dict(option.split("=", 1) for option in options)
        self.process = None

    def start(self) -> None:
        """Start it and wait for its handshake, and for a first answer: compiling is no part of a move's time."""
        path = os.pathsep.join([os.environ.get("PATH", os.defpath), *GAME_FOLDERS])
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        text=True, bufsize=1, start_new_session=True, env={**os.environ, "PATH": path})
        self.lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._listen, args=(self.process, self.lines), daemon=True).start()
        self.ask("uci", "uciok", 60)
        for key, value in self.options.items():
            self.say(f"setoption name {key} value {value}")
        self.ask("isready", "readyok", 120)
        self.ask("position startpos\ngo depth 3", "bestmove", 120)

    @staticmethod
    def _listen(process, lines) -> None:
        for line in process.stdout:
            lines.put(line)
        lines.put(None)

    def say(self, text: str) -> None:
        """Send lines."""
        try:
            self.process.stdin.write(text + "\n")
            self.process.stdin.flush()
        except (OSError, ValueError):
            raise Crashed(f"{self.name} has ended") from None

    def ask(self, text: str, until: str, seconds: float) -> str:
        """Send lines and wait for one that begins so."""
        self.say(text)
        deadline = time.perf_counter() + seconds
        while True:
            try:
                line = self.lines.get(timeout=max(deadline - time.perf_counter(), 0.001))
            except queue.Empty:
                raise Crashed(f"{self.name} fell silent after {text.splitlines()[-1]!r}") from None
            if line is None:
                raise Crashed(f"{self.name} ended after {text.splitlines()[-1]!r}")
            if line.startswith(until):
                return line

    def new_game(self) -> None:
        """Make it ready for a game, starting it where it does not run."""
        if self.process is None or self.process.poll() is not None:
            self.start()
        self.ask("ucinewgame\nisready", "readyok", 60)

    def close(self) -> None:
        """End it."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)  # with whatever it has started itself
            self.process.wait()
            self.process = None


class Tally:
    """What was counted, over all games."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.faults: dict[str, Counter] = {}
        self.ends: Counter = Counter()
        self.answers: dict[str, list[float]] = {}
        self.remarks: list[str] = []

    def fault(self, name: str, kind: str, remark: str) -> None:
        """Note one."""
        with self.lock:
            self.faults.setdefault(name, Counter())[kind] += 1
            self.remarks.append(f"{kind}: {remark}")


def play(sides, start: chess.Board, seconds: float, margin: float, tally: Tally, stopped: threading.Event) -> str:
    """One game to its end on the board; returns how it ended."""
    board, history = start.copy(), []
    for side in sides:
        side.new_game()
    while not stopped.is_set():
        outcome = board.outcome(claim_draw=True)
        if outcome is not None:
            return outcome.termination.name.lower()
        side = sides[0 if board.turn == chess.WHITE else 1]
        played = f" moves {' '.join(history)}" if history else ""
        begun, held = time.perf_counter(), held_back()
        words = side.ask(f"position fen {start.fen()}{played}\ngo movetime {round(1000 * seconds)}", "bestmove", SILENCE).split()
        spent = time.perf_counter() - begun
        with tally.lock:
            tally.answers.setdefault(side.name, []).append(spent)
        if spent > seconds + margin:
            held = held_back() - held
            kind = "held back" if held >= spent - seconds - margin else "overstep"
            tally.fault(side.name, kind, f"{side.name} took {spent:.3f} s, the host held back {held:.2f} s, in {board.fen()}")
        try:
            move = board.parse_uci(words[1])
        except (ValueError, IndexError):
            tally.fault(side.name, "illegal move", f"{side.name} answered {' '.join(words)!r} in {board.fen()}")
            return "illegal move"
        board.push(move)
        history.append(move.uci())
    return "stopped"


def opening(number: int) -> chess.Board:
    """Eight random moves, the same for two games in a row."""
    source = random.Random(number // 2)
    while True:
        board = chess.Board()
        for _ in range(8):
            board.push(source.choice(list(board.legal_moves)))
            if board.is_game_over():
                break
        else:
            return chess.Board(board.fen())


def measure_robust(games: int, seconds: float, margin: float, opponents: list[str], parallel: int, as_json: bool) -> None:
    """Play the games, some at once, and print what went wrong."""
    opponents = opponents or ["outplay"]
    for name in opponents:
        Program(name)  # a wrong name is told before the first game
    tally, numbers, begun = Tally(), iter(range(games)), time.perf_counter()
    stopped = threading.Event()

    def worker() -> None:
        ours, others = Program("outplay"), {name: Program(name) for name in opponents}
        try:
            while not stopped.is_set():
                with tally.lock:
                    number = next(numbers, None)
                if number is None:
                    return
                other = others[opponents[number // 2 % len(opponents)]]
                sides = (ours, other) if number % 2 == 0 else (other, ours)
                try:
                    end = play(sides, opening(number), seconds, margin, tally, stopped)
                except Crashed as crash:
                    end = "crash"
                    tally.fault(str(crash).split()[0], "crash", str(crash))
                    for side in sides:
                        side.close()
                with tally.lock:
                    tally.ends[end] += 1
        finally:
            for program in (ours, *others.values()):
                program.close()

    def status() -> str:
        done, spent = sum(tally.ends.values()), time.perf_counter() - begun
        faults = {name: dict(kinds) for name, kinds in tally.faults.items()} or "none"
        left = f", {spent / done * (games - done):.0f} s left" if done else ""
        return f"{done}/{games} games in {spent:.0f} s{left}; faults: {faults}"

    crew = [threading.Thread(target=worker, daemon=True) for _ in range(parallel)]
    for thread in crew:
        thread.start()
    try:
        while any(thread.is_alive() for thread in crew):
            time.sleep(1)
            print(f"\r{status()}   ", end="", flush=True, file=sys.stderr)
    finally:
        stopped.set()
        for thread in crew:
            thread.join(2 * SILENCE)
        print(file=sys.stderr)
    report = {"games": sum(tally.ends.values()), "seconds": time.perf_counter() - begun, "ends": dict(tally.ends), "programs": {}}
    for name, answers in sorted(tally.answers.items()):
        answers.sort()
        faults = tally.faults.get(name, Counter())
        report["programs"][name] = {"moves": len(answers), "illegal": faults["illegal move"], "oversteps": faults["overstep"],
                                    "held_back": faults["held back"],
                                    "crashes": faults["crash"], "longest": answers[-1], "median": answers[len(answers) // 2]}
    if as_json:
        print(json.dumps(report))
        return
    for remark in tally.remarks[:20]:
        print(remark)
    ends = ", ".join(f"{count} {end}" for end, count in tally.ends.most_common())
    print(f"{report['games']} games in {report['seconds']:.0f} s, {seconds:g} s a move, {margin:g} s margin; ended by {ends}")
    for name, row in report["programs"].items():
        print(f"{name}: {row['moves']} moves, {row['illegal']} illegal, {row['crashes']} crashes, {row['oversteps']} oversteps, "
              f"{row['held_back']} more while the host held this machine back, "
              f"median {row['median']:.3f} s, longest {row['longest']:.3f} s")
