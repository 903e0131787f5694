"""`play`: a game in the terminal, against any player.

Moves are typed in the game's notation, or as a beginning that only one action has. `undo`, `hint`, `why`, `save`, `load`, `resign`,
`help` and `quit` are always understood. What the rules hide from a player is never shown to that player.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from outplay import extras
from outplay.cli.commands import Option
from outplay.cli.common import (
    ActionsText,
    GameName,
    NewSeed,
    PositionText,
    capital,
    complete_player,
    console,
    does,
    position_of,
    seats,
    told_outcome,
)
from outplay.errors import BadValue, IllegalAction, OutplayError, nearest

HUMAN = "human"
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
AgainstName = Annotated[
    str,
    Option("--against", metavar="PLAYER", help="random, alphabeta:depth=6, engine:time=2, ...",
                 autocompletion=complete_player),
]
PlayAs = Annotated[
    str, Option("--as", metavar="N|PLAYER", help="Which player you are, from 1; or a program that plays for you.")
]
PlayClock = Annotated[str | None, Option("--clock", metavar="S+S", help="Seconds for a game and those a move brings: 300+2.")]


class Quit(Exception):
    """The person has had enough."""


def play(
    game: GameName,
    against: AgainstName = "auto",
    me: PlayAs = "1",
    position: PositionText = None,
    actions: ActionsText = None,
    clock: PlayClock = None,
    seed: NewSeed = None,
) -> None:
    """Play a game in the terminal."""
    begun = position_of(game, position, actions)
    named = [name.lower() for name in begun.game.seat_names]
    me = str(named.index(me.strip().lower()) + 1) if me.strip().lower() in named else me
    seat, stand_in = (int(me), "") if me.strip().isdecimal() and len(me) < 4 else (1, me)
    if not 1 <= seat <= begun.game.players:
        raise BadValue(f"--as must be from 1 to {begun.game.players}, or a player, got {me}")
    import random

    own = extras.of(begun.game)
    kind = own.fetch(own.table) if own.table else Table
    table = kind(begun, against, seat - 1, random.randrange(2**32) if seed is None else seed, stand_in, clock)
    try:
        table.run()
    finally:
        for player in table.seats:
            if player is not None:
                player.close()


class Table:
    """One game at a table, with a person at the keyboard: what the referee knows is in `game`, a `Play`; here is the screen."""

    words: ClassVar[dict[str, str]] = {}  # what a game understands beside COMMANDS
    adviser_name = "auto"

    def __init__(self, begun: Any, against: str, me: int, seed: int, stand_in: str = "", clock: str | None = None) -> None:
        from outplay.players import Play, player
        from outplay.players.prompt import Prompt, prompt

        self.screen = console()
        self.rules = begun.game
        self.seats: list[Any] = []
        is_waited_for = HUMAN in (against.strip().lower(), (stand_in or HUMAN).strip().lower())  # by a person
        for seat in range(self.rules.players):
            named = against if seat != me else stand_in or HUMAN
            made = None if named.strip().lower() == HUMAN else player(named, seed=seed + seat)
            self.seats.append(prompt(made) if is_waited_for else made)
            if named.strip().lower() == "auto":
                self.seats[-1].name = "the computer"
        self.game = Play(self.rules, self.seats, start=begun, clock=clock, seed=seed)
        self.me = self.seen_by = me
        self.adviser: Any = None
        for seat, each in enumerate(self.seats):
            if isinstance(each, Prompt):  # while the person thinks about the first move
                each.warm(self.game.view(seat))

    def run(self) -> None:
        """Play until the game is over or the person leaves."""
        programs = sorted({seat.name for seat in self.seats if seat is not None})
        if None in self.seats:
            others = ", ".join(programs) or "each other"
            self.say(f"{self.rules.name}: you are {self.seat_in_words(self.me)}, against {others}. Type help for help.", "bold")
        else:
            self.say(f"{self.rules.name}: " + " against ".join(seat.name for seat in self.seats), "bold")
        try:
            while True:
                self.let_others_move()
                if self.game.outcome is not None:
                    break
                self.seen_by = self.game.position.player()
                self.draw(self.game.position)
                self.listen(self.game.view(self.seen_by))
        except Quit:
            self.say("Bye.")
            return
        from outplay.values import Ending

        if self.game.ending is Ending.RESIGNED and self.game.players[self.seen_by] is None:
            self.say(capital(does(self.seat_in_words(self.seen_by), "resign") + "."), "bold")
            return
        self.draw(self.game.position)
        self.say(self.outcome_in_words(), "bold")
        self.over()

    def seat_in_words(self, seat: int) -> str:
        """Who somebody is."""
        return seats(self.rules)[seat]

    def outcome_in_words(self) -> str:
        """How the game ended."""
        assert self.game.outcome is not None
        reason = self.game.reason or self.game.position.ending_text()
        why = f" ({reason})" if reason else ""
        return capital(told_outcome(self.rules, self.game.outcome)) + why + "."

    def let_others_move(self) -> None:
        """What chance and the other players do, until the person is to move or the game is over; Ctrl-C leaves the game."""
        from outplay.cli.interrupts import Interrupts
        from outplay.cli.progress import working

        names = " and ".join(dict.fromkeys(seat.name for seat in self.seats if seat is not None)) or "chance"
        with Interrupts() as interrupts, working(f"{names} thinks", self.rules.name, "Ctrl-C leaves the game") as progress:
            for seat in self.seats:
                if hasattr(seat, "watch"):
                    seat.watch = interrupts.heard_by(progress.count)
            for event in self.game.run(interrupts.event):
                if event.kind == "chance" and self.game.positions[-2].is_public(event.action):
                    self.say(f"chance: {event.text}")
                elif event.kind == "move" and event.seat is not None:
                    self.tell_move(event)
                    if None not in self.seats and self.game.outcome is None:
                        self.draw(self.game.position)
            if interrupts.event.is_set():
                raise KeyboardInterrupt

    def whose(self, view: Any) -> str:
        """What stands before the place where the person types."""
        return "your move" if self.rules.players < 3 else seats(self.rules)[view.player()].removeprefix("the ")

    def tell_move(self, event: Any) -> None:
        """Say what another player did, as far as everybody may know it."""
        before = self.game.positions[-2]
        told = f"plays {event.text}" if before.is_public(event.action) else before.veiled_text(event.action)
        note = f" ({event.note})" if event.note else ""
        self.say(f"{self.seats[event.seat].name} {told or 'has moved'}{note}", "bold")

    def over(self) -> None:
        """What a game has to say once it is over."""

    def listen(self, view: Any) -> None:
        """Ask the person until there is a move, or another position on the table."""
        if task := view.task():
            self.say(task)
        while True:
            try:
                clock = f" ({self.game.clocks[self.seen_by]:.0f} s)" if self.game.clocks else ""
                typed = input(f"{self.whose(view)}{clock}: ").strip()
            except EOFError:
                print()
                raise Quit from None
            if not typed:
                continue
            if self.obey(view, typed):
                return

    def obey(self, view: Any, typed: str) -> bool:
        """Do what was typed; whether the game has changed."""
        word = typed.lower()
        verb = word.split(" ")[0]
        if word in ("quit", "q", "exit"):
            raise Quit
        if word == "undo":
            try:
                if stands := self.game.stands:
                    raise IllegalAction(stands)
                self.game.take_back()
            except OutplayError as problem:
                self.say(str(problem), "yellow")
            return True
        if word == "resign":
            self.game.resign(self.seen_by)
            return True
        if word == "hint":
            self.hint(view)
        elif word in ("why", "why?"):
            self.why(view)
        elif verb == "save":
            self.save(typed[4:].strip())
        elif verb == "load":
            return self.load(typed[4:].strip())
        elif word in ("help", "?"):
            self.help(view)
        elif word == "actions":
            self.say(" ".join(view.action_text(action) for action in view.actions()))
        elif len(word) > 2 and word == verb and not self.could_be_action(view, word) and nearest(word, COMMANDS):
            self.say(f"unknown word {typed!r}: did you mean {nearest(word, COMMANDS)!r}?", "yellow")
        else:
            from outplay.players.human import read_action

            try:
                self.game.push(read_action(view, typed))
                return True
            except OutplayError as problem:
                self.say(str(problem), "yellow")
        return False

    def could_be_action(self, view: Any, word: str) -> bool:
        """Whether a word is a legal action or close to one."""
        legal = [view.action_text(action).lower() for action in view.actions()]
        return any(text.startswith(word) for text in legal) or nearest(word, legal) is not None

    def hint(self, view: Any) -> None:
        """Say what the computer would play, from what the person may see."""
        from outplay.cli.progress import working
        from outplay.judge.hints import hint
        from outplay.players import player
        from outplay.players.prompt import prompt

        self.adviser = self.adviser or prompt(player(self.adviser_name))
        try:
            with working("thinking", self.rules.name, "Ctrl-C leaves the game") as progress:
                assert progress.interrupts is not None
                self.adviser.stop = progress.interrupts.event
                action = self.adviser.choose(view)
                progress.hear()
        except OutplayError as problem:
            self.say(str(problem), "yellow")
            return
        if self.adviser.last is not None and (told := hint(view, self.adviser.last)).column == "played":
            action = told.action  # of a mixture, what is played most
        worth = f" ({self.adviser.note})" if self.adviser.note else ""
        if self.adviser.last is not None:
            worth = f" ({self.worth_in_words(view)})"
        self.say(f"hint: {view.action_text(action)}{worth}", "green")

    def worth_in_words(self, view: Any) -> str:
        """What the adviser expects."""
        return self.worth_of(self.adviser.last, view)

    def why(self, view: Any) -> None:
        """Say what each action is worth, how the game may go on and why, from what the person may see."""
        from outplay.cli.common import action_texts
        from outplay.cli.progress import working
        from outplay.judge.claims import why
        from outplay.judge.hints import hint
        from outplay.judge.worth import Judge
        from outplay.players.algorithms import search
        from outplay.values import Limits

        try:
            with working("thinking", self.rules.name, "Ctrl-C leaves the game") as progress:
                *_, found = search(view, "auto", Limits(seconds=WHY_SECONDS), lines=len(view.actions()))
                assert progress.interrupts is not None
                claims = why(view, judge=Judge(view.game, stop=progress.interrupts.event))
                progress.hear()
        except OutplayError as problem:
            self.say(str(problem), "yellow")
            return
        told = hint(view, found)
        line = " ".join(action_texts(view, found.line)) or "-"
        self.say(f"the game may go on {line}: {self.worth_of(found, view)}", "green")
        for claim in claims:
            self.say(claim.text, "green")
        for bar in told.bars:
            if bar.words:
                part = "" if bar.part is None else f"  {told.column} {100 * bar.part:.0f} %"
                self.say(f"  {view.action_text(bar.action):<8}{bar.words}{part}")

    def worth_of(self, found: Any, view: Any) -> str:
        """What a search expects."""
        from outplay.cli import answers

        return answers.value_in_words(found, view)

    def save(self, name: str) -> None:
        """Keep the game so far in a file: as PGN, GCG, ... where its name ends so and the game has that format, else as JSON."""
        import json

        from outplay.files import write_whole
        from outplay.formats import games as formats

        if not name:
            self.say("save needs the name of a file, such as save game.json", "yellow")
            return
        record = self.game.record
        kind = next((kind for kind in formats.kinds_of(self.rules.name) if name.lower().endswith(f".{kind}")), "json")
        kept = {"game": record.game, "start": record.start, "actions": record.actions, "players": record.players}
        content: str | bytes = json.dumps(kept, ensure_ascii=False) + "\n"
        try:
            if kind != "json":
                text, _ = formats.write(record.game, self.game.start, record.actions, record.players, self.game.outcome, kind=kind)
                content = formats.packed(self.rules.name, kind, text)
            write_whole(name, content)
            self.say(f"saved {len(record.actions)} moves to {name}")
        except OutplayError as problem:
            self.say(str(problem), "yellow")

    def load(self, name: str) -> bool:
        """Go on with a game from a file; whatever is wrong with it is told, and the game on the table stays."""
        import json
        from pathlib import Path

        from outplay import extras
        from outplay.files import read_bytes
        from outplay.formats import games as formats
        from outplay.players import Play

        try:
            text = formats.text_of(read_bytes(name), most=1)
            if Path(name).suffix[1:].lower() in extras.of(self.rules).formats and not text.startswith("{"):
                taken = formats.read(text)
                kept: dict[str, Any] = {"game": taken.game, "start": taken.start, "actions": taken.actions}
            else:
                kept = json.loads(text)
            if kept["game"] != self.rules.name:
                raise BadValue(f"{name} is a game of {kept['game']}, and this is {self.rules.name}")
            clock = self.game.clock
            self.game = Play(self.rules, self.seats, start=kept["start"], actions=kept["actions"], clock=clock, seed=self.game.seed)
            return True
        except OSError as problem:
            self.say(f"cannot read {name or 'a file without a name'}: {problem.strerror}", "yellow")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            self.say(f"{name} is not a saved game", "yellow")
        except OutplayError as problem:
            self.say(str(problem), "yellow")
        return False

    def help(self, view: Any) -> None:
        """The commands, and how a move is typed here."""
        example = view.action_text(view.actions()[0])
        self.say(f"type a move in the game's notation, such as {example}, or its beginning where that is clear; or")
        for word, meaning in {**self.words, **COMMANDS}.items():
            self.say(f"  {word:<8}{meaning}")

    def draw(self, position: Any) -> None:
        """Show the board as the person at the keyboard may see it."""
        hidden = self.rules.traits.information == "hidden" and (not position.is_terminal() or self.rules.stays_hidden)
        self.draw_open(position.observe(self.seen_by) if hidden else position)

    def draw_open(self, view: Any) -> None:
        """Show a position with all that it holds."""
        from outplay.views import text
        from outplay.views.plain import picture_of

        picture = picture_of(view)
        self.screen.print()
        if picture is None:
            self.say(view.text())
        else:
            self.screen.print(text.board(picture, markup=self.screen.is_terminal), markup=self.screen.is_terminal)
        self.screen.print()

    def say(self, line: str, style: str = "") -> None:
        """A line on the screen."""
        self.screen.print(line, style=style or None, markup=False)
