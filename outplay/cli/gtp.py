"""`outplay gtp go`: Go for graphical boards and match runners, by the Go text protocol over standard input and output."""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Callable, Iterable
from typing import Annotated, Any

import typer

import outplay
from outplay.cli.common import GameName, Seconds, Seed, Simulations, Threads, action_texts, at_least
from outplay.errors import BadNotation, BadValue, OutplayError, nearest, shorten
from outplay.protocols import gtp as protocol

SECONDS = 5.0
"""How long a move may take where the controller sets no time."""

DEAD = -0.2
"""A stone is dead where its colour's share of its point, once the game is played out at random, less the other's, is below this."""


def gtp(
    game: GameName = "go",
    time: Seconds = None,
    simulations: Simulations = None,
    threads: Threads = 1,
    seed: Seed = 0,
    algorithm: Annotated[str, typer.Option("--algorithm", metavar="A", help="The search that picks moves.")] = "auto",
) -> None:
    """Speak the Go text protocol on standard input and output, for graphical boards and match runners."""
    at_least("--threads", 1, threads)
    from outplay.game import load

    load(game)  # a wrong name is told before the first command
    session = Session(game, algorithm, time, simulations, threads, seed)
    run(session, sys.stdin, lambda text: print(text, end="", flush=True))


def run(session: Session, lines: Iterable[str], say: Callable[[str], object]) -> None:
    """Answer commands until `quit` or the end of the input."""
    waiting: queue.Queue[str | None] = queue.Queue()

    def listen() -> None:
        for line in lines:
            waiting.put(line)
        waiting.put(None)

    threading.Thread(target=listen, daemon=True).start()
    while True:
        line = waiting.get()
        if line is None:
            return
        command = protocol.parse(line)
        if command is None:
            continue
        session.another_waits = lambda: not waiting.empty()
        session.say = say
        say(session.answer(command))
        if command.name == "quit":
            return


class Session:
    """One controller's board: positions from the first to the present one, the time left, and the commands."""

    def __init__(
        self,
        game: str,
        algorithm: str = "auto",
        seconds: float | None = None,
        simulations: int | None = None,
        threads: int = 1,
        seed: int = 0,
    ) -> None:
        name, _, written = game.partition(":")
        self.name = name
        self.parameters = dict(part.split("=", 1) for part in written.split(",") if "=" in part)
        self.algorithm, self.seconds, self.simulations, self.threads, self.seed = algorithm, seconds, simulations, threads, seed
        self.clock: dict[int, tuple[float, int]] = {}  # seconds and stones left, by player
        self.settings = (0.0, 0.0, 0)  # main time, byo-yomi time and stones
        self.another_waits: Callable[[], bool] = lambda: False
        self.say: Callable[[str], object] = lambda text: None
        self.commands: dict[str, Callable[..., str]] = {
            name.removeprefix("_do_").replace("lz_", "lz-"): getattr(self, name) for name in dir(self) if name.startswith("_do_")
        }
        self.restart()

    def restart(self) -> None:
        """Begin with an empty board of the present size and komi."""
        from outplay.game import load

        self.game = load(self.name, compiled=None, **self.parameters)
        self.history = [self.game.start()]

    @property
    def position(self) -> Any:
        """The present position."""
        return self.history[-1]

    @property
    def size(self) -> int:
        """The size of the board."""
        return self.game.rules.parameters["size"]

    def answer(self, command: protocol.Command) -> str:
        """The answer to one command; whatever is wrong with it is said in one line."""
        do = self.commands.get(command.name)
        if do is None:
            near = nearest(command.name, self.commands)
            return protocol.refuse(command, "unknown command" + (f": did you mean {near}?" if near else ""))
        try:
            return protocol.answer(command, do(*command.arguments))
        except OutplayError as problem:
            return protocol.refuse(command, " ".join(str(problem).split()))
        except (TypeError, ValueError):
            given = shorten(" ".join(command.arguments)) or "nothing"
            return protocol.refuse(command, f"syntax error: {command.name} does not take {given}")

    # Administration.
    def _do_protocol_version(self) -> str:
        return "2"

    def _do_name(self) -> str:
        return "Outplay"

    def _do_version(self) -> str:
        return outplay.__version__

    def _do_known_command(self, name: str) -> str:
        return "true" if name in self.commands else "false"

    def _do_list_commands(self) -> str:
        return "\n".join(sorted(self.commands))

    def _do_quit(self) -> str:
        return ""

    # The board.
    def _do_boardsize(self, size: str) -> str:
        from outplay.game import load

        try:
            load(self.name, compiled=None, **{**self.parameters, "size": size})
        except BadValue:
            raise BadNotation("unacceptable size") from None
        self.parameters["size"] = size
        self.restart()
        return ""

    def _do_clear_board(self) -> str:
        self.restart()
        return ""

    def _do_komi(self, komi: str) -> str:
        self.parameters["komi"] = str(float(komi))
        from outplay.game import load

        self.game = load(self.name, compiled=None, **self.parameters)
        self.history = [self.game.position(position.text()) for position in self.history]
        return ""

    def _do_play(self, color: str, move: str) -> str:
        if move.lower() == "resign":
            return ""
        turned = self._with_player(protocol.parse_color(color))
        try:
            self.history.append(turned.play([move]))
        except OutplayError:
            raise BadNotation("illegal move") from None
        return ""

    def _do_undo(self) -> str:
        if len(self.history) == 1:
            raise BadNotation("cannot undo")
        self.history.pop()
        return ""

    def _do_fixed_handicap(self, stones: str) -> str:
        columns = "ABCDEFGHJKLMNOPQRST"
        points = [f"{columns[column]}{row + 1}" for column, row in protocol.handicap_points(self.size, int(stones))]
        return self._do_set_free_handicap(*points)

    def _do_place_free_handicap(self, stones: str) -> str:
        return self._do_fixed_handicap(stones)

    def _do_set_free_handicap(self, *points: str) -> str:
        if len(self.history) > 1 or "x" in self.position.text().split()[0]:
            raise BadNotation("board not empty")
        if len(points) < 2 or len({point.upper() for point in points}) < len(points):
            raise BadNotation("bad vertex list")
        position = self.game.start()
        for point in points:
            if point.lower() == "pass":
                raise BadNotation("bad vertex list")
            position = self._turned(position, 0).play([point])
        board = position.text().split()[0]
        self.history = [self.game.position(f"{board} o")]
        return " ".join(point.upper() for point in points)

    def _do_showboard(self) -> str:
        from outplay.views.text import board

        return "\n" + board(self.position.picture())

    def _with_player(self, player: int) -> Any:
        return self._turned(self.position, player)

    def _turned(self, position: Any, player: int) -> Any:
        """The position with this player to move: controllers may let one side move twice."""
        if position.player() == player and not position.is_terminal():
            return position
        words = position.text().split()
        words[1], words[2], words[3] = "xo"[player], "-" if position.player() != player else words[2], "0"
        return self.game.position(" ".join(words))

    # Time and moves.
    def _do_time_settings(self, main: str, extra: str, stones: str) -> str:
        self.settings = (float(main), float(extra), int(stones))
        self.clock = {}
        return ""

    def _do_time_left(self, color: str, seconds: str, stones: str) -> str:
        self.clock[protocol.parse_color(color)] = (float(seconds), int(stones))
        return ""

    def _do_genmove(self, color: str) -> str:
        player = protocol.parse_color(color)
        position = self._with_player(player)
        action = self._think(position, player)
        self.history.append(position.result(action))
        return position.action_text(action)

    def _do_reg_genmove(self, color: str) -> str:
        player = protocol.parse_color(color)
        position = self._with_player(player)
        return position.action_text(self._think(position, player))

    def _limits(self, player: int) -> Any:
        from outplay.engine.clock import Clock
        from outplay.values import Limits

        if self.simulations is not None:
            return Limits(simulations=self.simulations, seconds=self.seconds)
        if self.seconds is not None:
            return Limits(seconds=self.seconds)
        main, extra, stones = self.settings
        left, left_stones = self.clock.get(player, (main or extra, 0 if main else stones))
        if left <= 0 and extra <= 0:
            return Limits(seconds=SECONDS)
        moves = left_stones or max(10, self.size * self.size // 4)
        plan = Clock(max(left, 0.0), 0.0 if left_stones else extra / max(stones, 1), moves).plan()
        return Limits(seconds=max(0.02, plan.target))

    def _think(self, position: Any, player: int) -> Any:
        from outplay.players.algorithms import search

        action = None
        for result in search(position, self.algorithm, self._limits(player), seed=self.seed, threads=self.threads):
            action = result.action
        return position.actions()[-1] if action is None else action

    def _do_lz_analyze(self, *arguments: str) -> str:
        """Think about the present position, with a line of candidates after each step, until the next command comes."""
        from outplay.players.algorithms import search
        from outplay.values import Limits

        words = list(arguments)
        named = bool(words) and words[0].lower() in ("b", "black", "w", "white")
        position = self._with_player(protocol.parse_color(words[0])) if named else self.position
        seconds = 0.25
        while not self.another_waits() and seconds < 3600:
            for result in search(position, self.algorithm, Limits(seconds=seconds), seed=self.seed, threads=self.threads):
                self.say(self._candidates(position, result) + "\n")
                if self.another_waits():
                    break
            seconds *= 2  # each look is as long as all before it, so at most half the work is done twice
        return ""

    def _candidates(self, position: Any, result: Any) -> str:
        sign = 1 if position.player() == 0 else -1
        total = sum(one.visits or 0 for one in result.choices) or 1
        shown = []
        for order, one in enumerate(result.choices[:10]):
            rate = round(5000 * (sign * (one.value or 0.0) + 1))
            line = action_texts(position, one.line or [one.action])
            prior = round(10_000 * (one.visits or 0) / total)
            info = f"info move {line[0]} visits {one.visits or 0} winrate {rate} prior {prior} order {order}"
            shown.append(f"{info} pv {' '.join(line)}")
        return " ".join(shown)

    # The end.
    def _do_final_score(self) -> str:
        dead = set(self._dead())
        record = self.game.record(self.position.state)
        words = self.position.text().split()
        if dead:
            rows = [list(row) for row in words[0].split("/")]
            for point in dead:
                rows[point // self.size][point % self.size] = "."
            record = self.game.record(self.game.position("/".join("".join(row) for row in rows) + f" {words[1]}").state)
        return protocol.score_text(float(record.score()) - float(record.komi))

    def _do_final_status_list(self, status: str) -> str:
        board = self.position.text().split()[0].replace("/", "")
        stones = [point for point, stone in enumerate(board) if stone != "."]
        dead = set(self._dead())
        chosen = {"dead": [p for p in stones if p in dead], "alive": [p for p in stones if p not in dead], "seki": []}.get(status)
        if chosen is None:
            raise BadNotation(f"expected alive, dead or seki, got {shorten(status)!r}")
        return "\n".join(self.position.action_text(point) for point in chosen)

    def _dead(self) -> list[int]:
        """Stones that are mostly taken or surrounded when the game is played out at random."""
        from outplay.engine.finish import ownership

        words = self.position.text().split()
        words[3] = "0"
        owners = ownership(self.game.position(" ".join(words)), games=400, seed=self.seed)
        board = words[0].replace("/", "")
        side = {"x": 1.0, "o": -1.0}
        return [point for point, stone in enumerate(board) if stone != "." and side[stone] * owners[point] < DEAD]
