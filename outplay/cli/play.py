"""`play`: a game in the terminal, against any player.

Moves are typed in the game's notation, or as a beginning that only one action has. `undo`, `hint`, `why`, `save`, `load`, `resign`,
`help` and `quit` are always understood. What the rules hide from a player is never shown to that player.
"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from outplay.cli.common import ActionsText, GameName, PositionText, console, ordinal, outcome_in_words, position_of
from outplay.errors import BadValue, OutplayError, nearest

COMMANDS = {
    "undo": "take your last move back",
    "hint": "what the computer would play",
    "why": "what the computer thinks of each action",
    "save": "keep the game in a file: save FILE",
    "load": "go on with a game from a file: load FILE",
    "resign": "give the game up",
    "actions": "list what you may do",
    "help": "this list",
    "quit": "leave the game",
}
WHY_SECONDS = 1.0
AgainstName = Annotated[str, typer.Option("--against", metavar="PLAYER", help="random, alphabeta:depth=6, engine:time=2, ...")]
PlayAs = Annotated[
    str, typer.Option("--as", metavar="N|PLAYER", help="Which player you are, from 1; or a program that plays for you.")
]
PlaySeed = Annotated[int | None, typer.Option("--seed", metavar="K", help="Where random numbers begin; default: somewhere new.")]


class Undo(Exception):
    """The person wants to take a move back."""


class Restart(Exception):
    """Another game was loaded."""


class Resign(Exception):
    """The person gives up."""


class Quit(Exception):
    """The person has had enough."""


def play(
    game: GameName,
    against: AgainstName = "auto",
    me: PlayAs = "1",
    position: PositionText = None,
    actions: ActionsText = None,
    seed: PlaySeed = None,
) -> None:
    """Play a game in the terminal."""
    begun = position_of(game, position, actions)
    seat, stand_in = (int(me), "") if me.strip().isdigit() else (1, me)
    if not 1 <= seat <= begun.game.players:
        raise BadValue(f"--as must be from 1 to {begun.game.players}, or a player, got {me}")
    import random

    table = Table(begun, against, seat - 1, random.randrange(2**32) if seed is None else seed, stand_in)
    try:
        table.run()
    finally:
        for player in table.seats:
            getattr(player, "close", lambda: None)()


class Table:
    """One game at a table: who sits where, the positions so far, and the screen."""

    def __init__(self, begun: Any, against: str, me: int, seed: int, stand_in: str = "") -> None:
        from outplay.jit import random_source
        from outplay.players import Human, player

        self.screen = console()
        self.history = [begun]
        self.moves: list[str] = []
        self.game = begun.game
        self.source = random_source(seed)
        human = Human(self.ask, lambda line: self.say(line, "yellow"))
        self.seats: list[Any] = []
        for seat in range(self.game.players):
            named = against if seat != me else stand_in
            other = player(named, seed=seed + seat, ask=self.ask, tell=self.say) if named else human
            self.seats.append(human if other.name == "human" else other)
            if other.name == "auto":
                other.name = "the computer"
        self.human = human
        self.me = me
        self.seen_by = me

    def run(self) -> None:
        """Play until the game is over or the person leaves."""
        others = ", ".join(sorted({seat.name for seat in self.seats if seat is not self.human})) or "each other"
        if self.human in self.seats:
            self.say(f"{self.game.name}: you are the {ordinal(self.me)} player, against {others}. Type help for help.", "bold")
        else:
            self.say(f"{self.game.name}: " + " against ".join(seat.name for seat in self.seats), "bold")
        try:
            while not self.history[-1].is_terminal():
                self.turn()
        except Quit:
            self.say("Bye.")
            return
        except Resign:
            self.say(f"The {ordinal(self.seen_by)} player resigns.", "bold")
            return
        self.draw(self.history[-1])
        self.say(outcome_in_words(self.history[-1]).capitalize() + ".", "bold")

    def turn(self) -> None:
        """One move: of chance, of the person or of another player."""
        position = self.history[-1]
        if position.is_chance():
            action = self.roll(position)
            if self.game.traits.information != "hidden":  # a hidden draw stays hidden
                self.say(f"chance: {position.action_text(action)}")
            self.advance(action)
            return
        seat = self.seats[position.player()]
        if seat is self.human:
            self.seen_by = position.player()
            self.draw(position)
            try:
                action = seat.choose(position)
            except Undo:
                self.take_back()
                return
            except Restart:
                return
        else:
            action = self.think(seat, position)
            is_open = self.game.traits.information != "hidden"
            self.say(f"{seat.name} " + (f"plays {position.action_text(action)}" if is_open else "has moved"), "bold")
        self.advance(action)
        if self.human not in self.seats and not self.history[-1].is_terminal():
            self.draw(self.history[-1])

    def advance(self, action: Any) -> None:
        """Make a move on the board."""
        position = self.history[-1]
        self.moves.append(position.action_text(action))
        self.history.append(position.result(action))

    def think(self, seat: Any, position: Any) -> Any:
        """Another player's action, with progress where it takes long."""
        from outplay.cli.progress import working

        if not hasattr(seat, "watch"):
            return seat.choose(position)
        with working(f"{seat.name} thinks", self.game.name, "Ctrl-C leaves the game") as progress:
            seat.watch = progress.count
            return seat.choose(position)

    def roll(self, position: Any) -> Any:
        """What chance brings."""
        import numpy as np

        from outplay.jit import uniform

        with np.errstate(over="ignore"):
            draw = uniform(self.source)
        for action, probability in position.chances():
            draw -= probability
            if draw < 0:
                return action
        return position.chances()[-1][0]

    def take_back(self) -> None:
        """Go back to the person's last decision before this one."""
        for earlier in range(len(self.history) - 2, -1, -1):
            position = self.history[earlier]
            if not position.is_chance() and self.seats[position.player()] is self.human:
                del self.history[earlier + 1 :]
                del self.moves[earlier:]
                return
        self.say("there is nothing to take back", "yellow")

    def ask(self, view: Any) -> str:
        """What the person types, once it is not one of the commands."""
        while True:
            try:
                typed = input(f"{'your move' if self.game.players < 3 else ordinal(view.player()) + ' player'}: ").strip()
            except EOFError:
                print()
                raise Quit from None
            word = typed.lower()
            if word == "quit" or word in ("q", "exit"):
                raise Quit
            if word == "undo":
                raise Undo
            if word == "resign":
                raise Resign
            if word == "hint":
                self.hint(view)
            elif word in ("why", "why?"):
                self.why(view)
            elif word.split(" ")[0] == "save":
                self.save(typed[4:].strip())
            elif word.split(" ")[0] == "load":
                if self.load(typed[4:].strip()):
                    raise Restart
            elif word in ("help", "?"):
                self.help(view)
            elif word == "actions":
                self.say(" ".join(view.action_text(action) for action in view.actions()))
            elif len(word) > 2 and not self.could_be_action(view, word) and nearest(word, COMMANDS):
                self.say(f"unknown word {typed!r}: did you mean {nearest(word, COMMANDS)!r}?", "yellow")
            else:
                return typed

    def could_be_action(self, view: Any, word: str) -> bool:
        """Whether a word is a legal action or close to one."""
        legal = [view.action_text(action).lower() for action in view.actions()]
        return any(text.startswith(word) for text in legal) or nearest(word, legal) is not None

    def hint(self, view: Any) -> None:
        """Say what the computer would play, from what the person may see."""
        from outplay.cli import answers
        from outplay.players import player

        adviser: Any = player("auto")
        try:
            action = self.think(adviser, view)
        except OutplayError as problem:
            self.say(str(problem), "yellow")
            return
        worth = "" if adviser.last is None else f" ({answers.value_in_words(adviser.last, view)})"
        self.say(f"hint: {view.action_text(action)}{worth}", "green")

    def why(self, view: Any) -> None:
        """Say what each action is worth and how the game may go on, from what the person may see."""
        from outplay.cli import answers
        from outplay.cli.common import action_texts
        from outplay.cli.progress import working
        from outplay.players.algorithms import search
        from outplay.values import Limits

        try:
            with working("thinking", self.game.name, "Ctrl-C leaves the game"):
                *_, found = search(view, "auto", Limits(seconds=WHY_SECONDS), lines=len(view.actions()))
        except OutplayError as problem:
            self.say(str(problem), "yellow")
            return
        line = " ".join(action_texts(view, found.line)) or "-"
        self.say(f"the game may go on {line}: {answers.value_in_words(found, view)}", "green")
        for one in found.choices:
            if one.value is not None:
                worth = one.value[view.player()] if isinstance(one.value, tuple) else one.value
                self.say(f"  {view.action_text(one.action):<8}{worth:+.3g}")

    def save(self, name: str) -> None:
        """Keep the game so far in a file."""
        import json
        from pathlib import Path

        if not name:
            self.say("save needs the name of a file, such as save game.json", "yellow")
            return
        kept = {"game": self.game.name, "start": self.history[0].text(), "actions": self.moves}
        try:
            Path(name).write_text(json.dumps(kept, ensure_ascii=False) + "\n", encoding="utf-8")
            self.say(f"saved {len(self.moves)} moves to {name}")
        except OSError as problem:
            self.say(f"cannot write {name}: {problem.strerror}", "yellow")

    def load(self, name: str) -> bool:
        """Go on with a game from a file; whatever is wrong with it is told, and the game on the table stays."""
        import json
        from pathlib import Path

        try:
            kept = json.loads(Path(name).read_text(encoding="utf-8"))
            if kept["game"] != self.game.name:
                raise BadValue(f"{name} is a game of {kept['game']}, and this is {self.game.name}")
            history = [self.game.position(kept["start"])]
            for text in kept["actions"]:
                history.append(history[-1].play([text]))
        except OSError as problem:
            self.say(f"cannot read {name or 'a file without a name'}: {problem.strerror}", "yellow")
        except (ValueError, KeyError, TypeError):
            self.say(f"{name} is not a saved game", "yellow")
        except OutplayError as problem:
            self.say(str(problem), "yellow")
        else:
            self.history, self.moves = history, list(kept["actions"])
            return True
        return False

    def help(self, view: Any) -> None:
        """The commands, and how a move is typed here."""
        example = view.action_text(view.actions()[0])
        self.say(f"type a move in the game's notation, such as {example}, or its beginning where that is clear; or")
        for word, meaning in COMMANDS.items():
            self.say(f"  {word:<8}{meaning}")

    def draw(self, position: Any) -> None:
        """Show the board as the person at the keyboard may see it."""
        from outplay.views import text

        hidden = self.game.traits.information == "hidden" and not position.is_terminal()
        view = position.observe(self.seen_by) if hidden else position
        picture = view.picture()
        self.screen.print()
        if picture is None:
            self.say(view.text())
        else:
            self.screen.print(text.board(picture, markup=self.screen.is_terminal), markup=self.screen.is_terminal)
        self.screen.print()

    def say(self, line: str, style: str = "") -> None:
        """A line on the screen."""
        self.screen.print(line, style=style or None, markup=False)
