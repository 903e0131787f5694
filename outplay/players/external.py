"""Players that are other programs, spoken to over their standard input and output: `uci:PROGRAM` and `xboard:PROGRAM`.

    uci:stockfish                                   any engine that speaks UCI
    uci:stockfish,UCI_LimitStrength=true,UCI_Elo=1500,time=0.1
    xboard:phalanx -b - -l -                        any engine that speaks the protocol of XBoard (Tim Mann, 1991)
    xboard:gnuchess --xboard
    gtp:gnugo --mode gtp --level 1                  any Go program that speaks the Go text protocol
    hub:scan hub                                    any draughts engine that speaks Hub
    gnubg:ply=0                                     GNU Backgammon, which speaks a language of its own

After the program and its own arguments come, behind commas, the limits (time, depth, nodes) and the options of the engine. A
program is looked for on the path and then in the folders where systems put games.

>>> external("uci:no-such-engine")
Traceback (most recent call last):
outplay.errors.Unavailable: program 'no-such-engine' is not installed: it is neither on the path nor in /usr/games
"""

from __future__ import annotations

import contextlib
import math
import os
import queue
import re
import shlex
import shutil
import signal
import subprocess
import threading
import time
from typing import Any

from outplay.errors import BadNotation, BadValue, IllegalAction, OutplayError, Unavailable, Unsuitable, shorten
from outplay.game import Position
from outplay.players.base import Player, Resigned
from outplay.players.searcher import given_first
from outplay.protocols import hub, uci
from outplay.values import Limits, Result

GAME_FOLDERS = ("/usr/games", "/usr/local/games")
PROTOCOLS = ("uci", "xboard", "gtp", "nboard", "hub", "gnubg")
MATE = 30_000
"""What a mate is worth in an engine's thoughts, in centipawns."""
FEATURES = 2.0
"""Seconds in which a program of XBoard's may announce what it can, its start included."""
PATIENCE = 10.0
"""Seconds that a program may take for every answer that should come at once, its start included."""
OVERTIME = 10.0
"""Seconds that a program may take for a move beyond what it was given."""

LONGEST_LINE, MOST_LINES = 1 << 16, 1 << 12
"""What a program may say at once: characters in a line, and lines that nobody has read yet."""

LIMITS = {"time": "seconds", "depth": "depth", "nodes": "nodes"}


def external(text: str) -> External:
    """The player that a text such as `uci:stockfish,time=0.1` names; the program starts at once."""
    protocol, _, rest = text.strip().partition(":")
    if protocol == "gnubg":
        from outplay.players.gnubg import GnubgPlayer

        return GnubgPlayer(text.strip(), dict(_pair(text, part) for part in rest.split(",") if part.strip()))
    if protocol not in PROTOCOLS or not rest.strip():
        raise BadValue("expected uci:PROGRAM, xboard:PROGRAM, gtp:PROGRAM, nboard:PROGRAM, hub:PROGRAM or gnubg, "
                       f"got {shorten(text)!r}")
    command, *parts = re.split(r",(?=\s*[\w ]+=)", rest)
    limits: dict[str, Any] = {}
    options: dict[str, str] = {}
    for part in parts:
        key, value = _pair(text, part)
        if key in LIMITS:
            try:
                limits[LIMITS[key]] = float(value) if key == "time" else int(value)
            except ValueError:
                raise BadValue(f"player {shorten(text)!r}: {key} must be a number, got {value!r}") from None
        else:
            options[key] = value
    made = {"uci": UciPlayer, "xboard": XboardPlayer, "gtp": GtpPlayer, "nboard": NBoardPlayer, "hub": HubPlayer}[protocol]
    try:
        words = shlex.split(command)
    except ValueError as problem:
        raise BadValue(f"player {shorten(text)!r}: {str(problem).lower()}") from None
    return made(text.strip(), words, Limits(**limits) if limits else None, options)


def _pair(text: str, part: str) -> tuple[str, str]:
    key, equals, value = part.partition("=")
    if not equals:
        raise BadValue(f"player {shorten(text)!r}: expected key=value, got {shorten(part)!r}")
    return key.strip(), value.strip()


def find_program(name: str) -> str:
    """Where a program lies: on the path, or where systems put games."""
    found = shutil.which(name) or shutil.which(name, path=os.pathsep.join(GAME_FOLDERS))
    if found is None:
        raise Unavailable(f"program {shorten(name)!r} is not installed: it is neither on the path nor in {GAME_FOLDERS[0]}")
    return found


class Program:
    """A running program: lines in, lines out, never a wait without an end, and never more than a bounded part of what it says."""

    def __init__(self, command: list[str]) -> None:
        self.name = command[0]
        try:
            self.process = subprocess.Popen(
                [find_program(command[0]), *command[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                start_new_session=True,
                env={**os.environ, "PATH": os.pathsep.join([os.environ.get("PATH", os.defpath), *GAME_FOLDERS])},
            )  # fmt: skip  # in a session of its own: Ctrl-C does not end it in the middle of a word, and its children end with it
        except (OSError, ValueError) as problem:
            said = getattr(problem, "strerror", None) or problem
            raise Unavailable(f"program {shorten(self.name)!r} cannot be started: {said}") from None
        self.problem, self._is_over, self._is_killed = "has ended by itself", False, False
        self.lines: queue.Queue[str | None] = queue.Queue(MOST_LINES)
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        """Read lines into the queue; once that is full the program has to wait, like anybody whom nobody listens to."""
        assert self.process.stdout is not None
        with contextlib.suppress(ValueError, OSError):
            while line := self.process.stdout.readline(LONGEST_LINE):
                if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
                    self.problem = f"wrote a line of more than {LONGEST_LINE:,} characters"
                    self.kill()
                    break
                self._put(line.decode("utf-8", "replace").strip())
        self._put(None)

    def _put(self, line: str | None) -> None:
        while not self._is_over:
            with contextlib.suppress(queue.Full):
                return self.lines.put(line, timeout=0.2)

    def say(self, line: str) -> None:
        """Send one line."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(line.encode("utf-8", "replace") + b"\n")
            self.process.stdin.flush()
        except (BrokenPipeError, OSError, ValueError):
            raise Unavailable(f"program {shorten(self.name)!r} {self.problem}") from None

    def hear(self, until: float, must: bool = True) -> str:
        """The next line, at the latest at that moment of `time.monotonic()`: also one that talks without end has to answer.

        One that must answer and does not is ended, for it would be out of step for good; its next game starts it anew.
        """
        left = until - time.monotonic()
        try:
            if left < 0:
                raise queue.Empty
            line = self.lines.get(timeout=max(0.001, left))
        except queue.Empty:
            if must:
                self.kill()
            raise Unavailable(f"program {shorten(self.name)!r} does not answer") from None
        if line is None:
            self.kill()  # and whatever it left behind
            raise Unavailable(f"program {shorten(self.name)!r} {self.problem}")
        return line

    def is_running(self) -> bool:
        """Whether the program can still be spoken to."""
        return not self._is_killed and self.process.poll() is None

    def kill(self) -> None:
        """End the program and every process that it started."""
        self._is_killed = True
        with contextlib.suppress(OSError):
            os.killpg(self.process.pid, signal.SIGKILL)
        with contextlib.suppress(OSError):
            self.process.kill()

    def close(self) -> None:
        """End the program: politely, then surely."""
        with contextlib.suppress(OutplayError):
            self.say("quit")
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(0.5)
        self.kill()
        self.process.wait()
        self._is_over = True


class External(Player):
    """What the protocols share: the program, and the moves of the game so far, which tell it of repetitions."""

    plays = "chess"

    def __init__(self, name: str, command: list[str], limits: Limits | None, options: dict[str, str]) -> None:
        if not command:
            raise BadValue(f"expected a program after the colon, got {shorten(name)!r}")
        self.name, self.limits, self.options, self.command = name, limits, options, command
        self._now: Position | None = None
        self._moves: list[str] = []
        self._is_set_up = False
        self._start()

    def _start(self) -> None:
        self.program = Program(self.command)
        self._is_set_up = False
        try:
            self.greet()
        except OutplayError:
            self.program.close()
            raise

    def greet(self) -> None:
        """The handshake."""
        raise NotImplementedError

    def set_up(self, position: Position) -> None:
        """Another game begins, from this position."""

    def ask(self, position: Position, limits: Limits) -> str:
        """The move that the program wants to play, in its own notation."""
        raise NotImplementedError

    def begin(self, view: Position, *, seed: int = 0) -> None:
        """Another game."""
        self._first = self._now = view
        self._moves, self._is_set_up = [], False

    def follow(self, action: Any, view: Position) -> None:
        """Keep the moves of the game."""
        if self._now is not None and action is not None:
            self._moves.append(self._now.action_text(action))
        self._now = view

    def get_ready(self, position: Position) -> None:
        """Refuse another game."""
        if position.game.name.partition(":")[0] not in self.plays.split(" and "):
            raise Unsuitable(f"{self.name} plays {self.plays}; {position.game.name} needs another player")

    def pick(self, view: Position, limits: Limits | None) -> Any:
        """The program's move."""
        self.get_ready(view)
        if self._now != view:  # a single position, of no game that was followed
            self.begin(view)
        if not self.program.is_running():
            self._start()
        if not self._is_set_up:
            self.set_up(self._first)
            self._is_set_up = True
        text = self.ask(view, given_first(limits, self.limits) if self.limits else limits or Limits(seconds=1.0))
        try:
            action = view.parse_action(text)
        except (BadNotation, IllegalAction):
            raise IllegalAction(f"{self.name} played {shorten(text)!r}, which is illegal in {view.text()}") from None
        self.last = self.thought(action, view)
        return action

    def thought(self, action: Any, view: Position) -> Result | None:
        """What the program said about its move, where its protocol lets it."""
        return None

    def close(self) -> None:
        """End the program."""
        self.program.close()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.program.kill()


def _longest(limits: Limits, otherwise: float) -> float:
    """How many seconds a move may take."""
    given = [seconds for seconds in (limits.seconds, limits.remaining) if seconds is not None]
    return min(given, default=otherwise)


class UciPlayer(External):
    """A program that speaks UCI."""

    info: uci.Info | None = None

    def greet(self) -> None:
        """`uci` until `uciok`, then the options."""
        until = time.monotonic() + PATIENCE
        self.program.say("uci")
        while self.program.hear(until) != "uciok":
            pass
        for key, value in self.options.items():
            self.program.say(f"setoption name {key} value {value}")
        self._wait_until_ready()

    def _wait_until_ready(self) -> None:
        until = time.monotonic() + PATIENCE
        self.program.say("isready")
        while self.program.hear(until) != "readyok":
            pass

    def set_up(self, position: Position) -> None:
        """`ucinewgame`."""
        self.program.say("ucinewgame")
        self._wait_until_ready()

    def ask(self, position: Position, limits: Limits) -> str:
        """`position` and `go` until `bestmove`."""
        moves = f" moves {' '.join(self._moves)}" if self._moves else ""
        self.program.say(f"position fen {self._first.text()}{moves}")
        milliseconds = None if limits.seconds is None else max(1, round(1000 * limits.seconds))
        given = {"movetime": milliseconds, "depth": limits.depth, "nodes": limits.nodes}
        if limits.remaining is not None:  # the other side's clock is not ours to tell; about the same is a fair guess
            left, more = max(1, round(1000 * limits.remaining)), round(1000 * (limits.increment or 0.0))
            given |= {"wtime": left, "btime": left, "winc": more, "binc": more}
        parts = [f"{key} {value}" for key, value in given.items() if value is not None]
        self.info = None
        self.program.say(" ".join(["go", *(parts or ["movetime 1000"])]))
        until = time.monotonic() + _longest(limits, 600.0) + OVERTIME
        while True:
            words = self.program.hear(until).split()
            if words[:1] == ["bestmove"] and len(words) > 1:
                return words[1]
            if words[:1] == ["info"]:
                told = uci.parse_info(" ".join(words))
                if told.depth is not None and (told.points is not None or told.mate is not None):
                    self.info = told

    def thought(self, action: Any, view: Position) -> Result | None:
        """The last `info` with a score, as MAX has it; a mate is worth MATE less the moves to it."""
        told = self.info
        if told is None:
            return None
        points = float(told.points or 0) if told.mate is None else math.copysign(MATE - abs(told.mate), told.mate)
        value = points if view.player() == 0 else -points
        return Result(action, value, depth=told.depth or 0, nodes=told.nodes or 0, algorithm="uci", exact=False, unit="centipawns",
                      scale=MATE)


class XboardPlayer(External):
    """A program that speaks the protocol of XBoard, version 2 or 1."""

    def greet(self) -> None:
        """`xboard`, `protover 2`, and whatever features the program announces within its first seconds."""
        self.features = {"setboard": "0", "usermove": "0", "san": "0", "ping": "0"}
        self.program.say("xboard")
        self.program.say("protover 2")
        until = time.monotonic() + FEATURES
        with contextlib.suppress(Unavailable):
            while True:
                line = self.program.hear(until, must=False)
                if "feature" in line:
                    self.features.update((key, value.strip('"')) for key, value in re.findall(r'(\w+)=("[^"]*"|\S+)', line))
                    if self.features.get("done") == "1":
                        break
        if not self.program.is_running():
            raise Unavailable(f"program {self.program.name!r} has ended by itself")
        for key, value in self.options.items():
            self.program.say(f"option {key}={value}")

    def set_up(self, position: Position) -> None:
        """`new`, and the board where it is not the usual one."""
        self.program.say("new")
        self.program.say("force")
        if position != position.game.start():
            if self.features["setboard"] != "1":
                raise Unavailable(f"{self.name} can only begin from the start of a game")
            self.program.say(f"setboard {position.text()}")
        self._told, self._is_new = 0, True

    def ask(self, position: Position, limits: Limits) -> str:
        """`force`, the moves it has not heard, the time, and `go` until `move`."""
        self.program.say("force")
        for text in self._moves[self._told :]:
            self.program.say(f"usermove {text}" if self.features["usermove"] == "1" else text)
        self._told = len(self._moves) + 1  # it knows its own move
        if limits.depth is not None:
            self.program.say(f"sd {limits.depth}")
        seconds = _longest(limits, 1.0)
        if limits.remaining is None:
            self.program.say(f"st {seconds:g}")  # parts of a second are beyond the protocol, but most programs understand them
        else:
            if self._is_new:
                minutes, rest = divmod(round(limits.remaining), 60)
                self.program.say(f"level 0 {minutes}:{rest:02} {limits.increment or 0:g}")
                self._is_new = False
            self.program.say(f"time {round(100 * limits.remaining)}")
            self.program.say(f"otim {round(100 * limits.remaining)}")
        for _ in range(self.program.lines.qsize()):  # what it said meanwhile is no answer
            self.program.hear(time.monotonic() + 0.1)
        self.program.say("go")
        until = time.monotonic() + seconds + OVERTIME
        while True:
            line = self.program.hear(until)
            found = re.match(r"(?:move\s+|My move is\s*:?\s*|\d+\.\s*\.\.\.\s*)(\S+)", line)
            if found:
                return found[1]
            if re.match(r"(Illegal move|Error)", line):
                raise IllegalAction(f"{self.name} says {shorten(line)!r} in {position.text()}")
            if line.startswith("resign"):
                raise Resigned(f"{self.name} resigned")
            # A result is no answer: it is the last game's, told late, or a claim, and who has a claim is the arbiter's business.


class GtpPlayer(External):
    """A program that speaks the Go text protocol."""

    plays = "go and othello"

    def greet(self) -> None:
        """`protocol_version`, then the options as commands of their own, such as `level=10` for `level 10`."""
        self._send("protocol_version")
        self._cleans = False
        with contextlib.suppress(Unavailable):
            self._cleans = "kgs-genmove_cleanup" in self._send("list_commands").split()
        for key, value in self.options.items():
            self._send(f"{key} {value}")

    def _send(self, command: str, seconds: float = 0.0) -> str:
        """One command and its answer, which ends with an empty line."""
        self.program.say(command)
        until = time.monotonic() + seconds + PATIENCE
        lines: list[str] = []
        while True:
            line = self.program.hear(until)
            if line:
                lines.append(line)
            elif lines:
                break
        if not lines[0].startswith("="):
            raise Unavailable(f"{self.name} answers {shorten(' '.join(lines))!r} to {command!r}")
        return "\n".join(lines).lstrip("=0123456789 ")

    def set_up(self, position: Position) -> None:
        """The board's size, the komi, and the stones that are on it."""
        self._told = 0
        if position.game.name.partition(":")[0] == "othello":
            return self._set_up_othello(position)
        words = position.text().split()
        rows = words[0].split("/")
        self._send(f"boardsize {len(rows)}")
        self._send("clear_board")
        self._send(f"komi {position.game.rules.parameters['komi']:g}")
        for point, stone in enumerate("".join(rows)):
            if stone != ".":
                self._send(f"play {'black' if stone == 'x' else 'white'} {position.action_text(point)}")

    def _set_up_othello(self, position: Position) -> None:
        """The start, or another position by the command that GRhino has for it."""
        self._send(f"boardsize {position.game.rules.parameters['size']}")
        self._send("clear_board")
        if position != position.game.start():
            self._send(f"grhino-setup_board {position.text()}")

    def ask(self, position: Position, limits: Limits) -> str:
        """The moves it has not heard, the time, and `genmove`."""
        colors = ("black", "white")
        for number, text in enumerate(self._moves[self._told :]):
            mover = (position.player() + len(self._moves) - self._told - number) % 2
            self._send(f"play {colors[mover]} {text}")
        self._told = len(self._moves) + 1  # it knows its own move
        seconds = limits.seconds if limits.seconds is not None else 5.0
        if limits.seconds is not None:
            with contextlib.suppress(Unavailable):
                self._send(f"time_settings 0 {max(1, round(seconds))} 1")
        # Our referee counts every stone as it stands: after a pass, dead ones have to be taken off by playing.
        after_pass = bool(self._moves) and self._moves[-1].lower() == "pass"
        command = "kgs-genmove_cleanup" if self._cleans and after_pass else "genmove"
        answer = self._send(f"{command} {colors[position.player()]}", 60.0 + seconds)
        if answer.lower() == "resign":
            raise Resigned(f"{self.name} resigned")
        return answer


class NBoardPlayer(External):
    """A program that speaks NBoard's protocol: Othello engines."""

    plays = "othello"

    def greet(self) -> None:
        """`nboard 2`, and a ping to hear that it is there."""
        self._pings = 0
        self.program.say("nboard 2")
        for key, value in self.options.items():
            self.program.say(f"set {key} {value}")
        self._ping()

    def _ping(self) -> None:
        self._pings += 1
        self.program.say(f"ping {self._pings}")
        until = time.monotonic() + PATIENCE
        while self.program.hear(until).split() != ["pong", str(self._pings)]:
            pass

    def set_up(self, position: Position) -> None:
        """The position as the beginning of a game."""
        from outplay.knowledge.othello import OthelloGame, write_ggf

        self.program.say(f"set game {write_ggf(OthelloGame((), start=position.text()))}")
        self._told = 0

    def ask(self, position: Position, limits: Limits) -> str:
        """The moves it has not heard, and `go`; it does not play its own move before it hears it."""
        for text in self._moves[self._told :]:
            self.program.say(f"move {'PA' if text == 'pass' else text.upper()}")
        self._told = len(self._moves)
        if limits.depth is not None:
            self.program.say(f"set depth {limits.depth}")
        self._ping()
        self.program.say("go")
        until = time.monotonic() + _longest(limits, 60.0) + 60.0
        while True:
            line = self.program.hear(until)
            if line.startswith("==="):
                move = line[3:].strip().partition("/")[0].strip()
                return "pass" if move.upper().startswith("PA") else move


class HubPlayer(External):
    """A program that speaks Hub: draughts engines."""

    plays = "checkers"

    def greet(self) -> None:
        """`hub`, what it can do, and what is set."""
        self.program.say("hub")
        until = time.monotonic() + PATIENCE
        self._parameters: set[str] = set()
        while (line := hub.parse(self.program.hear(until))) is None or line.name != "wait":
            if line is not None and line.name == "param":
                self._parameters.add(line.pairs.get("name", ""))
        for key, value in self.options.items():
            self.program.say(hub.line("set-param", name=key, value=value))
        self._is_ready = False

    def set_up(self, position: Position) -> None:
        """Tell which relative it is; the position goes with every question."""
        rules: Any = position.game.rules
        variant = rules.parameters["variant"]
        if "variant" in self._parameters:
            self.program.say(hub.line("set-param", name="variant", value="normal" if variant == "international" else variant))
        elif variant != "international":
            raise Unsuitable(f"{self.name} plays international draughts only")
        if not self._is_ready:
            self.program.say("init")
            until = time.monotonic() + 60.0
            while self.program.hear(until) != "ready":
                pass
            self._is_ready = True
        self.program.say("new-game")

    def ask(self, position: Position, limits: Limits) -> str:
        """The position as it stands, the level, and `go think`."""
        squares = 50 if "international" in position.game.name else 32
        self.program.say(hub.line("pos", pos=hub.write_position(position.text(), squares)))
        level: dict[str, Any] = {"depth": limits.depth, "nodes": limits.nodes, "move_time": limits.seconds}
        self.program.say(hub.line("level", **{key: value for key, value in level.items() if value is not None}))
        self.program.say("go think")
        until = time.monotonic() + _longest(limits, 60.0) + 60.0
        while True:
            line = hub.parse(self.program.hear(until))
            if line is not None and line.name == "error":
                raise Unavailable(f"program {shorten(self.program.name)!r} said: {shorten(line.pairs.get('message', ''))}")
            if line is not None and line.name == "done":
                return line.pairs.get("move", "")
