"""Games for language models and other agents: tables at which they sit, asked and answered in texts and plain values.

`Tables` is what `outplay mcp` serves as tools; it can be used from Python alone. An agent sees what its seat may see and nothing
else, may play several games at once, and hears one clear line where a call makes no sense.

>>> tables = Tables()
>>> begun = tables.new_game("nim:heaps=1-2", opponents="engine:depth=4")
>>> begun["table"], begun["your_seat"], begun["legal_actions"]
('nim-1', 0, ['a1', 'b1', 'b2'])
>>> tables.act("nim-1", "b1")["over"], tables.act("nim-1", "b1")["result"]
(False, 'you won')
>>> tables.rating()["games"]
1
"""

from __future__ import annotations

import itertools
import secrets
import threading
from dataclasses import dataclass, field
from typing import Any

from outplay.arena.elo import Tally, elo
from outplay.errors import BadNotation, BadValue, IllegalAction, OutplayError, UnknownName, shorten
from outplay.game import Game, game_names
from outplay.game.card import card
from outplay.game.loading import known_game
from outplay.names import parse
from outplay.players import Play, Player, player, starts_a_program
from outplay.players.searcher import Searcher
from outplay.values import Limits
from outplay.views import svg, text
from outplay.views.words import outcome_in_words, seats, to_move

MOST_TABLES = 64
"""Games that an agent may have open."""
MOST_KEPT = 1000
"""Games that are over and still known, the latest: those before them count no more."""
MEGABYTES = 16
"""For the table of an opponent's search."""
MOST_LISTED = 400
"""Legal actions that an answer lists; `legal_actions` pages through the rest."""
MOST_SECONDS = 30.0
"""Seconds that an agent may let an opponent or a hint think."""
OPTIONS = ("depth", "time", "seconds", "nodes", "simulations", "seed", "level", "exploration", "c", "deals", "ply")
"""What an agent may set of an opponent: nothing that reads a file, starts a program or takes memory."""


@dataclass
class Table:
    """One game of an agent's."""

    name: str
    play: Play
    seat: int
    opponents: str
    illegal: int = 0
    hints: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


class Tables:
    """All games of one agent, and its results."""

    def __init__(self, seconds: float = 1.0, seed: int | None = None) -> None:
        # An agent chooses no seed, and cannot guess one or begin anew: a deal that was seen would come again.
        self._seed = secrets.randbits(48) if seed is None else seed
        self.seconds = seconds  # a move of an opponent that is given no limit of its own, and a hint
        self._tables: dict[str, Table] = {}
        self._count = itertools.count(1)
        self._lock = threading.Lock()

    # ------------------------------------------------ what there is

    def list_games(self) -> list[dict[str, Any]]:
        """Every game, with the number of seats, whether there is chance, and whether something is hidden."""
        found = []
        for name in game_names():
            game = known_game(name)
            words = (game.__doc__ or "").strip().splitlines()
            found.append({"game": name, "seats": game.players, "chance": game.traits.chance,
                          "hidden": game.traits.information == "hidden", "summary": words[0] if words else ""})
        return found

    def rules(self, game: str) -> str:
        """The rules in words: what the game says of itself, its seats and parameters, and how positions and actions are written."""
        loaded = _game(game)
        told = card(loaded)
        words = [f"# {told.name}", told.summary, *(f"{heading}: {text}" for heading, text in told.lines), *told.more]
        words += [f"{heading}: {text}." for heading, text in told.facts]
        words.append(f"The start is written `{shorten(loaded.start().text(), 300)}`; a parameter as {loaded.family}:key=value.")
        return "\n\n".join(each for each in words if each)

    # ------------------------------------------------ a game

    def new_game(self, game: str, opponents: str = "auto", seat: int = 0, position: str | None = None) -> dict[str, Any]:
        """Sit down to a game; all other seats are taken by the opponents, who move first where it is their turn."""
        loaded = _game(game)
        if not 0 <= seat < loaded.players:
            raise BadValue(f"seat must be 0 to {loaded.players - 1} in {loaded.name}, got {seat}")
        if loaded.players == 1:
            opponents = "nobody"
        else:
            _refuse(opponents)
        if position is not None and loaded.traits.information == "hidden":
            raise BadValue(f"{loaded.name} hides something: its games begin at the start")
        with self._lock:
            if sum(each.play.outcome is None for each in self._tables.values()) >= MOST_TABLES:
                raise BadValue(f"{MOST_TABLES} games are open: finish or resign one first")
            number = next(self._count)
        name, seed = f"{loaded.family.replace(' ', '-')}-{number}", self._seed + 1000 * number
        others: list[Player | None] = [None if each == seat else player(opponents, seed=seed + each)
                                       for each in range(loaded.players)]
        limits = Limits(seconds=self.seconds)
        for each in others:
            if each is not None:
                each.check_game(loaded.start())
            if isinstance(each, Searcher):
                each.options.setdefault("memory", MEGABYTES)
        begun = Play(loaded, others, start=position, seed=seed, limits=limits if "=" not in opponents else None)
        table = Table(name, begun, seat, opponents)
        with table.lock:
            self._go_on(table)
            if begun.outcome is not None and not begun.plies:
                raise BadValue("that position is the end of a game")
            with self._lock:
                self._tables[name] = table
                over = [each for each, kept in self._tables.items() if kept.play.outcome is not None]
                for old in over[:-MOST_KEPT]:
                    del self._tables[old]
            return self._told(table)

    def look(self, table: str) -> dict[str, Any]:
        """The position as the agent's seat may see it, as text and as a board in letters, with what happened so far."""
        found = self._table(table)
        with found.lock:
            return {**self._told(found), "history": self._history(found)}

    def picture(self, table: str) -> str:
        """The position as a drawing in SVG; refused where a game has no board to draw."""
        found = self._table(table)
        with found.lock:
            view = found.play.view(found.seat)
            shown = view.picture()
            if shown is None:
                raise BadValue(f"{view.game.name} has no board to draw")
            return svg.draw(shown, title=f"{view.game.name}: {view.text()}", turned=False).svg

    def legal_actions(self, table: str, begin: int = 0) -> dict[str, Any]:
        """What the agent may do now, from number `begin` on where there are many."""
        found = self._table(table)
        with found.lock:
            texts = self._legal(found)
            return {"count": len(texts), "actions": texts[begin : begin + MOST_LISTED],
                    "next": begin + MOST_LISTED if len(texts) > begin + MOST_LISTED else None}

    def act(self, table: str, action: str) -> dict[str, Any]:
        """Make a move; the opponents and chance answer at once."""
        found = self._table(table)
        with found.lock:
            self._must_move(found)
            play = found.play
            view = play.view(found.seat)
            texts = {view.action_text(each): each for each in view.actions()}
            try:
                made = texts[action] if action in texts else view.parse_action(action)
            except (BadNotation, IllegalAction):
                found.illegal += 1
                listed = list(texts)
                raise IllegalAction(f"illegal action {shorten(action)!r}: legal are {' '.join(listed[:30])}"
                                    f"{f' and {len(listed) - 30} more' if len(listed) > 30 else ''}") from None
            before = len(play.plies)
            play.push(made)
            self._go_on(found)
            return {**self._told(found), "happened": self._history(found)[before:]}

    def hint(self, table: str, seconds: float = 1.0) -> dict[str, Any]:
        """What the strongest player would do in the agent's place; the game is then no longer rated."""
        found = self._table(table)
        if not 0 < seconds <= MOST_SECONDS:
            raise BadValue(f"seconds must be above 0 and at most {MOST_SECONDS:g}, got {seconds:g}")
        with found.lock:
            self._must_move(found)
            found.hints += 1
            adviser = player("auto")
            view = found.play.view(found.seat)
            action = adviser.choose(view, Limits(seconds=seconds))
            last = adviser.last
            value = None if last is None or last.value != last.value else last.value  # who only plays gives none
            return {"action": view.action_text(action), "value": value, "exact": bool(last and last.exact),
                    "by": "" if last is None else last.algorithm, "unit": "" if value is None or last is None else last.unit}

    def resign(self, table: str) -> dict[str, Any]:
        """Give a game up."""
        found = self._table(table)
        with found.lock:
            if found.play.outcome is None:
                found.play.resign(found.seat)
                self._go_on(found)
            return self._told(found)

    # ------------------------------------------------ what became of it

    def result(self, table: str) -> dict[str, Any]:
        """How a game ended, with all its moves; while it goes on, that it does."""
        found = self._table(table)
        with found.lock:
            outcome = found.play.outcome
            told: dict[str, Any] = {"table": table, "game": found.play.game.name, "over": outcome is not None}
            if outcome is not None:
                told |= {"result": self._in_words(found), "utilities": list(outcome.utilities), "reason": _why(found.play),
                         "actions": self._history(found), "illegal_calls": found.illegal, "hints": found.hints}
            return told

    def rating(self) -> dict[str, Any]:
        """Games won, drawn and lost against each opponent, the Elo difference with its error, and calls that were illegal."""
        rows: dict[tuple[str, str], list[float]] = {}
        over = [each for each in self._tables.values() if each.play.outcome is not None]
        for each in over:
            if not each.hints:
                utilities, side = each.play.outcome.utilities, each.play.game.side  # type: ignore[union-attr]  # it is over
                others = [value for other, value in enumerate(utilities) if side(other) != side(each.seat)]
                points = sum((utilities[each.seat] > o) + (utilities[each.seat] == o) / 2 for o in others) / max(1, len(others))
                rows.setdefault((each.play.game.name, each.opponents), []).append(points)
        told = []
        for (game, opponents), points_of in rows.items():
            tally = Tally(sum(p > 0.5 for p in points_of), sum(p == 0.5 for p in points_of), sum(p < 0.5 for p in points_of))
            told.append({"game": game, "opponents": opponents, "games": tally.games, "won": tally.wins, "drawn": tally.draws,
                         "lost": tally.losses, "score": tally.score, "elo": str(elo(tally))})  # fmt: skip
        return {"games": len(over), "open": len(self._tables) - len(over), "with_hints": sum(bool(each.hints) for each in over),
                "illegal_calls": sum(each.illegal for each in self._tables.values()), "against": told}

    def close(self) -> None:
        """End all games."""
        for each in self._tables.values():
            each.play.close()

    # ------------------------------------------------ inside

    def _table(self, name: str) -> Table:
        if name not in self._tables:
            raise UnknownName("table", name, self._tables)
        return self._tables[name]

    def _must_move(self, table: Table) -> None:
        if table.play.outcome is not None:
            raise IllegalAction(f"the game at {table.name} is over: {self._in_words(table)}")
        if table.play.to_move != table.seat:
            raise IllegalAction(f"it is not your turn at {table.name}")

    def _go_on(self, table: Table) -> None:
        for _ in table.play.run():
            pass
        if table.play.outcome is not None:  # what its players hold, tables and trees, nobody needs any more
            table.play.close()
            table.play.players = [each if each is None else Gone(each.name) for each in table.play.players]

    def _legal(self, table: Table) -> list[str]:
        view = table.play.view(table.seat)
        return [] if table.play.to_move != table.seat else [view.action_text(action) for action in view.actions()]

    def _told(self, table: Table) -> dict[str, Any]:
        play = table.play
        view = play.view(table.seat)
        shown, is_over, legal = view.picture(), play.outcome is not None, self._legal(table)
        told: dict[str, Any] = {"table": table.name, "game": play.game.name, "your_seat": table.seat, "position": view.text(),
                                "board": text.board(shown) if shown is not None else "", "over": is_over}
        if is_over:
            return {**told, "result": self._in_words(table), "reason": _why(play)}
        return {**told, "to_move": to_move(play.position, seats(play.game)), "task": view.task(),
                "legal_actions": legal[:MOST_LISTED], "legal_count": len(legal)}

    def _history(self, table: Table) -> list[str]:
        """What happened as the agent's seat knows it."""
        play = table.play
        is_over = play.outcome is not None
        told = []
        for ply, seen in zip(play.plies, play.seen(table.seat), strict=True):
            who = "chance" if ply.seat < 0 else play.game.seat_name(ply.seat)
            told.append(f"{who}: {ply.text if is_over and play.position.is_terminal() else seen or '?'}")
        return told

    def _in_words(self, table: Table) -> str:
        outcome = table.play.outcome
        if outcome is None:
            return "the game goes on"
        if table.play.game.players == 1 or table.play.game.total != 0:
            return outcome_in_words(table.play.game, outcome, seats(table.play.game))
        mine = outcome.utilities[table.seat]
        return "you won" if mine > 0 else "you lost" if mine < 0 else "a draw"


class Gone(Player):
    """The name of a player whose game is over."""

    def __init__(self, name: str) -> None:
        self.name = name


def _why(play: Play) -> str:
    """Why a game is over: the player's doing, or the rules'."""
    return play.reason or play.position.ending_text()


def _game(name: str) -> Game:
    """A game that an agent names: one that comes with Outplay, or one that the person who serves has opened."""
    try:
        return known_game(name)
    except BadValue as problem:
        raise BadValue(str(problem).replace("a file names the game", "no such game here:")) from None


def _refuse(opponents: str) -> None:
    """Refuse opponents that start programs or read files, and people."""
    asked = parse(opponents, "player")
    head = asked.base.lower()
    if starts_a_program(opponents) or head in ("policy", "human") or "/" in opponents or "\\" in opponents:
        raise BadValue(f"opponents {shorten(opponents)!r}: a program, a file or a person cannot be asked for here")
    if head == "net" or "net" in asked.options:
        from outplay.players.networks import refuse_files

        refuse_files(asked.options.get("net", asked.part))
    for key, value in asked.options.items():
        if key not in OPTIONS:
            raise UnknownName("option of an opponent", key, OPTIONS)
        if key in ("time", "seconds"):
            try:
                seconds = float(value)
            except ValueError:
                continue
            if seconds > MOST_SECONDS:
                raise BadValue(f"{key} must be at most {MOST_SECONDS:g}, got {value}")


def serve(tables: Tables) -> None:
    """Serve tables as tools of the Model Context Protocol on standard input and output, until the input ends."""
    server(tables).run("stdio")


def server(tables: Tables) -> Any:
    """The server with its tools, for any transport."""
    try:
        from mcp.server.mcpserver import Image, MCPServer
        from mcp.server.mcpserver.exceptions import ToolError
    except ImportError:
        from outplay.errors import Unavailable

        raise Unavailable("this needs the package mcp, version 2: install it with `pip install outplay[mcp]`") from None

    made = MCPServer("outplay", instructions=INSTRUCTIONS, log_level="ERROR")

    def clearly(call: Any, *arguments: Any, **more: Any) -> Any:
        try:
            return call(*arguments, **more)
        except OutplayError as problem:
            raise ToolError(str(problem)) from None
        except Exception as problem:  # one line, whatever it is; the games go on
            raise ToolError(f"that failed: {type(problem).__name__}: {shorten(' '.join(str(problem).split()), 160)}") from None

    @made.tool()
    def list_games() -> dict[str, Any]:
        """List the games: name, seats, whether there is chance, whether something is hidden, one line about each."""
        return {"games": clearly(tables.list_games)}

    @made.tool()
    def rules(game: str) -> str:
        """Explain the rules of a game in words, with its parameters and how positions and actions are written."""
        return clearly(tables.rules, game)

    @made.tool()
    def new_game(game: str, opponents: str = "auto", seat: int = 0, position: str | None = None) -> dict[str, Any]:
        """Begin a game and take a seat (0 moves first, mostly). `game` may carry parameters: `connect four:width=5`. `opponents`
        fill the other seats: `random`, `auto` (the strongest), `auto:level=beginner` (then casual, club, strong, master),
        `engine:depth=3`. The answer names the table for all further calls."""
        return clearly(tables.new_game, game, opponents, seat, position)

    @made.tool()
    def look(table: str) -> dict[str, Any]:
        """Look at a table: the position as your seat sees it, as text and board, whose turn it is, and what happened so far."""
        return clearly(tables.look, table)

    @made.tool()
    def picture(table: str) -> Any:
        """See the board as a picture."""
        drawing = clearly(tables.picture, table)
        try:
            import resvg_py

            from outplay.adapters.pixels import plain

            flat = plain(drawing).replace("system-ui, sans-serif", "Arial, 'DejaVu Sans', 'Liberation Sans', sans-serif")
            return Image(data=bytes(resvg_py.svg_to_bytes(svg_string=flat, background="white")), format="png")
        except ImportError:
            return drawing  # as SVG, in letters

    @made.tool()
    def legal_actions(table: str, begin: int = 0) -> dict[str, Any]:
        """List what you may do now; `begin` goes on where a list was too long."""
        return clearly(tables.legal_actions, table, begin)

    @made.tool()
    def act(table: str, action: str) -> dict[str, Any]:
        """Make your move, one of the legal actions as they are written; the others answer at once."""
        return clearly(tables.act, table, action)

    @made.tool()
    def hint(table: str, seconds: float = 1.0) -> dict[str, Any]:
        """Ask the strongest player what it would do in your place; the game is then no longer rated."""
        return clearly(tables.hint, table, seconds)

    @made.tool()
    def resign(table: str) -> dict[str, Any]:
        """Give a game up."""
        return clearly(tables.resign, table)

    @made.tool()
    def result(table: str) -> dict[str, Any]:
        """How a game ended, with all its moves."""
        return clearly(tables.result, table)

    @made.tool()
    def rating() -> dict[str, Any]:
        """Your results so far: games won, drawn and lost against each opponent, Elo with its error, illegal calls."""
        return clearly(tables.rating)

    return made


INSTRUCTIONS = """Play and study games. Ask `list_games` and `rules`, begin with `new_game`, then `act` until the game is over;
`look`, `picture`, `legal_actions` and `hint` help. Several games may be open at once. You see what your seat may see."""

__all__ = ["Tables", "serve", "server"]
