"""`outplay gtp go`: Go for graphical boards and match runners, by the Go text protocol over standard input and output.

One player thinks for both colours and keeps its tree from move to move. Other games are taken, too: those commands that only Go
knows are refused there.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Annotated, Any

import outplay
from outplay.cli.commands import Option
from outplay.cli.common import GameName, Seconds, Seed, Simulations, Threads, action_texts, at_least
from outplay.cli.protocols.loop import Dialect, serve
from outplay.errors import BadNotation, BadValue, OutplayError, nearest, shorten
from outplay.protocols import gtp as protocol

SECONDS = 5.0
"""How long a move may take where the controller sets no time."""

RESIGN, HOPELESS = 0.03, 3
"""The chance of winning below which a game is given up, once it was below for so many moves of ours on end."""


def gtp(
    game: GameName = "go",
    time: Seconds = None,
    simulations: Simulations = None,
    threads: Threads = 1,
    seed: Seed = 0,
    algorithm: Annotated[str, Option("--algorithm", metavar="A", help="The search that picks moves.")] = "auto",
    level: Annotated[str, Option("--level", metavar="LEVEL", help="How well to play, from beginner to full.")] = "full",
    resign: Annotated[
        float, Option("--resign", metavar="P", help="Give up when the chance of winning stays below this; 0: never.")
    ] = RESIGN,
) -> None:
    """Speak the Go text protocol on standard input and output, for graphical boards and match runners."""
    at_least("--threads", 1, threads)
    if not 0 <= resign < 0.5:
        raise BadValue(f"--resign must be from 0 to 0.5, got {resign:g}")
    from outplay.game import load

    load(game)  # a wrong name is told before the first command
    serve(Gtp(lambda text: print(text, end="", flush=True), game, algorithm, time, simulations, threads, seed, level, resign, True))


THINKS = ("genmove", "reg_genmove", "kgs-genmove_cleanup", "lz-analyze", "final_score", "final_status_list")
"""Commands that take a while, at which more is heard: what comes ends an analysis, `quit` all."""


class Gtp(Dialect):
    """One controller's board: a game in progress, the player who thinks about it, the time left, and the commands."""

    def __init__(
        self,
        say: Callable[[str], object],
        game: str = "go",
        algorithm: str = "auto",
        seconds: float | None = None,
        simulations: int | None = None,
        threads: int = 1,
        seed: int = 0,
        level: str = "full",
        resign: float = 0.0,
        warms: bool = False,
    ) -> None:
        from outplay.players import Searcher

        super().__init__(say)
        name, _, written = game.partition(":")
        self.name = name
        self.parameters = dict(part.split("=", 1) for part in written.split(",") if "=" in part)
        self.seconds, self.simulations, self.seed, self.resign = seconds, simulations, seed, resign
        more: dict[str, Any] = {"threads": threads} if threads > 1 else {}
        self.thinker = Searcher(algorithm, seed=seed, level=level, **more)
        self.warms = warms  # whether the search is compiled in the background, while the first commands come
        self.stopped, self.analyses = threading.Event(), False
        self.clock: dict[int, tuple[float, int]] = {}  # seconds and stones left, by player
        self.settings = (0.0, 0.0, 0)  # main time, byo-yomi time and stones
        self.hopeless = 0
        self.commands: dict[str, Callable[..., str]] = {
            name.removeprefix("_do_").replace("lz_", "lz-").replace("kgs_", "kgs-"): getattr(self, name)
            for name in dir(self) if name.startswith("_do_")
        }  # fmt: skip
        self.restart()

    def restart(self) -> None:
        """Begin with an empty board of the present size and komi."""
        from outplay.game import load

        self.game = load(self.name, compiled=None, **self.parameters)
        self.hopeless = 0
        self._begin(self.game.start())

    def _begin(self, start: Any) -> None:
        """A new game in progress from a position; those before it are kept for `undo`, as long as the board is the same."""
        from outplay.playing import Play

        self.plays = [Play(self.game, start=start, seed=self.seed)]
        self._settle()
        self.thinker.begin(start, seed=self.seed)
        if self.warms:
            self.thinker.warm(start, lambda problem: None)  # the first move that is asked for tells it

    def _settle(self) -> None:
        """Let chance have its moves."""
        for _ in self.plays[-1].run():
            pass

    @property
    def position(self) -> Any:
        """The present position."""
        return self.plays[-1].position

    @property
    def size(self) -> int:
        """The size of the board."""
        self._only_go()
        return self.game.rules.parameters["size"]

    def _only_go(self) -> None:
        if self.game.family != "go":
            raise BadNotation(f"only Go knows this, and the game is {self.game.name}")

    def hears(self, line: str) -> bool:
        """No line is answered out of turn; the next one ends an analysis."""
        if self.analyses:
            self.stop()
        return False

    def quits(self, line: str) -> bool:
        """Whether the command is `quit`."""
        command = protocol.parse(line)
        return command is not None and command.name == "quit"

    def answer(self, line: str) -> None:
        """Answer one line, in a thread of its own where that takes a while."""
        command = protocol.parse(line)
        if command is None:
            return

        def work(stop: threading.Event) -> None:
            self.stopped = stop
            self.say(self.reply(command))

        if command.name in THINKS:
            self.analyses = command.name == "lz-analyze"
            self.go(work)
        else:
            self.say(self.reply(command))

    def reply(self, command: protocol.Command) -> str:
        """The answer to one command; whatever is wrong with it is said in one line."""
        do = self.commands.get(command.name)
        if do is None:
            near = nearest(command.name, self.commands)
            return protocol.refuse(command, "unknown command" + (f": did you mean {near}?" if near else ""))
        try:
            return protocol.answer(command, do(*command.arguments))
        except OutplayError as problem:
            return protocol.refuse(command, " ".join(str(problem).split()))
        except (TypeError, ValueError, OverflowError):
            given = shorten(" ".join(command.arguments)) or "nothing"
            return protocol.refuse(command, f"syntax error: {command.name} does not take {given}")
        except Exception as problem:  # a controller must never lose its engine over one command
            return protocol.refuse(command, f"internal error: {type(problem).__name__}: {' '.join(str(problem).split())[:200]}")

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
        self._change("size", size, "unacceptable size")
        self.restart()
        return ""

    def _do_clear_board(self) -> str:
        self.restart()
        return ""

    def _do_komi(self, komi: str) -> str:
        from outplay.playing import Play

        self._change("komi", str(float(komi)), f"unacceptable komi {shorten(komi)}")
        old, self.plays = self.plays, []
        for play in old:
            texts = [ply.text for ply in play.plies]
            self.plays.append(Play(self.game, start=self.game.position(play.start.text()), actions=texts, seed=self.seed))
        return ""

    def _change(self, key: str, value: str, refusal: str) -> None:
        """Another size or komi, kept only where the rules take it."""
        from outplay.game import load

        if key not in getattr(getattr(self.game, "rules", None), "parameters", {}):  # Othello has a size, too
            self._only_go()
        try:
            self.game = load(self.name, compiled=None, **{**self.parameters, key: value})
        except BadValue:
            raise BadNotation(refusal) from None
        self.parameters[key] = value

    def _do_play(self, color: str, move: str) -> str:
        if move.lower() == "resign":
            return ""
        self._give_turn(protocol.parse_color(color))
        try:
            self._push(self.position.parse_action(move))
        except OutplayError:
            raise BadNotation("illegal move") from None
        return ""

    def _push(self, action: Any) -> None:
        self.plays[-1].push(action)
        self._settle()

    def _do_undo(self) -> str:
        while self.plays[-1].plies or len(self.plays) > 1:
            if not self.plays[-1].plies:
                self.plays.pop()
                continue
            self.plays[-1].take_back()
            return ""
        raise BadNotation("cannot undo")

    def _do_fixed_handicap(self, stones: str) -> str:
        columns = "ABCDEFGHJKLMNOPQRST"
        points = [f"{columns[column]}{row + 1}" for column, row in protocol.handicap_points(self.size, int(stones))]
        return self._do_set_free_handicap(*points)

    def _do_place_free_handicap(self, stones: str) -> str:
        return self._do_fixed_handicap(stones)

    def _do_set_free_handicap(self, *points: str) -> str:
        self._only_go()
        if len(self.plays) > 1 or self.plays[-1].plies or "x" in self.position.text().split()[0]:
            raise BadNotation("board not empty")
        if len(points) < 2 or len({point.upper() for point in points}) < len(points):
            raise BadNotation("bad vertex list")
        position = self.game.start()
        for point in points:
            if point.lower() == "pass":
                raise BadNotation("bad vertex list")
            position = self._turned(position, 0).play([point])
        board = position.text().split()[0]
        self._begin(self.game.position(f"{board} o"))
        return " ".join(point.upper() for point in points)

    def _do_showboard(self) -> str:
        from outplay.views.text import board

        picture = self.position.picture()
        return "\n" + (self.position.text() if picture is None else board(picture))

    def _give_turn(self, player: int) -> None:
        """Let this player move: controllers may let one side move twice, and go on after two passes."""
        from outplay.playing import Play

        play = self.plays[-1]
        if play.outcome is None and self.position.player() == player:
            return
        if self.game.family != "go":
            raise BadNotation("the game is over" if play.outcome is not None else "illegal move: the other player is to move")
        self.plays.append(Play(self.game, start=self._turned(self.position, player), seed=self.seed))

    def _turned(self, position: Any, player: int) -> Any:
        """The position of Go with this player to move."""
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
        return self._generate(protocol.parse_color(color))

    def _do_kgs_genmove_cleanup(self, color: str) -> str:
        self._only_go()
        return self._generate(protocol.parse_color(color), cleanup=True)

    def _generate(self, player: int, cleanup: bool = False) -> str:
        self._give_turn(player)
        position = self.position
        action = self._think(position, player, cleanup)
        if action is None:
            return "resign"
        text = position.action_text(action)
        self._push(action)
        return text

    def _do_reg_genmove(self, color: str) -> str:
        player = protocol.parse_color(color)
        plays = list(self.plays)
        try:
            self._give_turn(player)
            position = self.position
        finally:
            self.plays = plays  # the board stays as it is
        action = self._think(position, player)
        return "resign" if action is None else position.action_text(action)

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
        moves = left_stones or max(10, len(self.position.actions()) // 4)
        plan = Clock(max(left, 0.0), 0.0 if left_stones else extra / max(stones, 1), moves).plan()
        return Limits(seconds=max(0.02, plan.target))

    def _think(self, position: Any, player: int, cleanup: bool = False) -> Any:
        """The thinker's action, with manners in Go: a pass in answer to one where that is enough, None where all is lost."""
        self.thinker.stop = self.stopped
        self.thinker.seen(self.plays[-1].positions)
        action = self.thinker.choose(position.observe(player), self._limits(player))
        found = self.thinker.last
        if self.game.family != "go" or found is None or not isinstance(found.value, int | float):
            return action
        from outplay.experts.go import manners as go_manners

        value = found.value / found.scale if player == 0 else -found.value / found.scale
        self.hopeless = self.hopeless + 1 if (value + 1) / 2 < self.resign else 0
        if self.hopeless >= HOPELESS:
            return None
        if go_manners.may_pass(position, value, cleanup=cleanup, seed=self.seed):
            return next((each for each in position.actions() if go_manners.is_pass(position, each)), action)
        return action

    def _do_lz_analyze(self, *arguments: str) -> str:
        """Think about the present position, with a line of candidates after each step, until the next command comes."""
        from outplay.players.algorithms import search
        from outplay.values import Limits

        words = list(arguments)
        if words and words[0].lower() in ("b", "black", "w", "white"):
            self._give_turn(protocol.parse_color(words[0]))
        position = self.position
        if position.is_terminal():
            return ""
        kept: dict[Any, Any] = {}
        seconds = 0.25
        while True:
            limits = Limits(seconds=seconds)
            for result in search(position, self.thinker.algorithm, limits, keep=kept, stop=self.stopped, **self.thinker.options):
                self.say(self._candidates(position, result) + "\n")
            if self.stopped.is_set() or self.is_waited_for() or seconds > 3600:
                return ""
            seconds *= 2  # the tree is kept from one look to the next

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
        from outplay.experts.go import manners as go_manners

        self._only_go()
        return protocol.score_text(go_manners.score(self.position, go_manners.dead_stones(self.position, self.seed)))

    def _do_final_status_list(self, status: str) -> str:
        from outplay.experts.go import manners as go_manners

        self._only_go()
        board = self.position.text().split()[0].replace("/", "")
        stones = [point for point, stone in enumerate(board) if stone != "."]
        dead = set(go_manners.dead_stones(self.position, self.seed))
        chosen = {"dead": [p for p in stones if p in dead], "alive": [p for p in stones if p not in dead], "seki": []}.get(status)
        if chosen is None:
            raise BadNotation(f"expected alive, dead or seki, got {shorten(status)!r}")
        return "\n".join(self.position.action_text(point) for point in chosen)
