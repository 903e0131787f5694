"""What the commands share: their options, the position that a request means, and how an answer is printed.

>>> in_words_of_count(1234567)
'1,234,567'
>>> print(seconds_in_words(0.0123), seconds_in_words(75))
0.012 s 75 s
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

from outplay.cli.commands import Argument, Option
from outplay.errors import BadValue, shorten
from outplay.views import words
from outplay.views.words import action_texts as action_texts
from outplay.views.words import capital as capital
from outplay.views.words import clean
from outplay.views.words import does as does
from outplay.views.words import seats as seats

if TYPE_CHECKING:
    from rich.console import Console

    from outplay.arena.elo import Sprt
    from outplay.game import Game, Position
    from outplay.values import Outcome



def complete_game(incomplete: str) -> list[str]:
    """The games that a shell may offer, as one types them."""
    from outplay.game import game_names

    return _begun(incomplete, (name.replace(" ", "-") for name in game_names()))


def complete_algorithm(incomplete: str) -> list[str]:
    """The searches that a shell may offer."""
    from outplay.players.algorithms import algorithms

    return _begun(incomplete, ["auto", *algorithms()])


def complete_player(incomplete: str) -> list[str]:
    """The players that a shell may offer: presets and searches."""
    from outplay.players.presets import presets

    return _begun(incomplete, ["random", *presets()]) + complete_algorithm(incomplete)


def _begun(incomplete: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if name.startswith(incomplete.lower())]


GameName = Annotated[
    str,
    Argument(metavar="GAME", help="A game, such as nim or connect-four:width=5, or an author's file.",
                   autocompletion=complete_game),
]
PositionText = Annotated[str | None, Option("--position", metavar="P", help="Begin from this position.")]
ActionsText = Annotated[str | None, Option("--actions", metavar="A,B", help="Then play these actions.")]
AsJson = Annotated[bool, Option("--json", help="Print exactly one JSON object.")]
Depth = Annotated[int | None, Option("--depth", metavar="D", help="Look at most this many plies ahead.")]
Seconds = Annotated[float | None, Option("--time", metavar="S", help="Think at most this many seconds.")]
Nodes = Annotated[int | None, Option("--nodes", metavar="N", help="Look at no more than this many nodes.")]
Simulations = Annotated[int | None, Option("--simulations", metavar="N", help="Play this many simulated games.")]
Threads = Annotated[int, Option("--threads", metavar="T", help="Use this many threads, where the search can.")]
Cluster = Annotated[
    str | None, Option("--cluster", metavar="ADDRESS", help="A cluster of Ray, or auto: one that runs, else all cores.")
]
Seed = Annotated[int, Option("--seed", metavar="K", help="Where random numbers begin.")]
NewSeed = Annotated[int | None, Option("--seed", metavar="K", help="Where random numbers begin; default: somewhere new.")]
Memory = Annotated[int, Option("--memory", metavar="MB", help="Megabytes for the table of known positions.")]


def position_of(game: str, position: str | None = None, actions: str | None = None) -> Position:
    """The position that a request means: the start or a text, then a list of actions."""
    from outplay.game import load

    loaded = load(game)
    begun = loaded.start() if position is None else loaded.position(position)
    return begun if actions is None else begun.play(actions)


def at_least(option: str, least: int, value: int) -> int:
    """The value of an option that must not be too small."""
    if value < least:
        raise BadValue(f"{option} must be {least} or more, got {value}")
    return value


MOST_THREADS, MOST_MEMORY = 1024, 1 << 20


def sprt_of(text: str) -> Sprt:
    """A sequential test from its bounds, LOW,HIGH."""
    from outplay.arena.elo import Sprt

    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise BadValue(f"--sprt must be two Elo differences such as 0,10, got {text!r}") from None
    if not low < high:
        raise BadValue(f"--sprt: the first difference must be below the second, got {text}")
    return Sprt(low, high)


def whole_options(*, threads: int = 1, memory: int = 1, seed: int = 0) -> None:
    """Refuse threads, megabytes and seeds that no machine has."""
    for option, value, least, most in (
        ("--threads", threads, 1, MOST_THREADS),
        ("--memory", memory, 1, MOST_MEMORY),
        ("--seed", seed, 0, 2**63 - 1),
    ):
        at_least(option, least, value)
        at_most(option, most, value)


def at_most(option: str, most: int, value: int) -> int:
    """The value of an option that must not be too large."""
    if value > most:
        raise BadValue(f"{option} must be {most} or less, got {shorten(str(value), 30)}")
    return value


def panel(title: str, rows: list[tuple[str, str]]) -> None:
    """A small panel on a terminal, and the same rows as plain lines elsewhere."""
    screen = console()
    if not screen.is_terminal:
        for label, text in rows:
            screen.print(f"{label:<8}{'' if len(label) < 8 else ' '}{text}", markup=False)
        return
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2))
    for row, (label, text) in enumerate(rows):
        grid.add_row(Text(label, style="dim"), Text(text, style="bold green" if row == 0 else ""))
    screen.print(Panel(grid, title=title, title_align="left", expand=False))


def print_json(answer: dict[str, Any]) -> None:
    """Print exactly one JSON object; numbers that JSON lacks become null."""
    is_plain = not (sys.stdout.encoding or "utf-8").lower().startswith("utf")  # what a terminal lacks is written as JSON knows it
    sys.stdout.write(json.dumps(clean(answer), ensure_ascii=is_plain) + "\n")


def console() -> Console:
    """Where answers for people go; not a terminal: no colours, and lines are never broken."""
    from rich.console import Console

    class Screen(Console):
        """Rich itself would leave with status 1 when a reader such as `head` has seen enough."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    out = Screen(highlight=False, emoji=False)
    if not out.is_terminal:
        out = Screen(highlight=False, emoji=False, width=10_000)
    return out


def print_table(columns: Iterable[str], rows: Iterable[Iterable[str]], right: Iterable[str] = ()) -> None:
    """Print a table, with the columns named in `right` aligned to the right."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left", no_wrap=column in right)
    for row in rows:
        table.add_row(*row)
    out = console()
    if out.is_terminal:
        out.print(table)
        return
    with out.capture() as captured:
        out.print(table)
    sys.stdout.write("".join(line.rstrip() + "\n" for line in captured.get().splitlines()))


def tell(line: str) -> None:
    """A line about what is going on, for people: never on standard output."""
    print(line, file=sys.stderr, flush=True)


def player_name(position: Position) -> str:
    """Who is to move, in words."""
    return words.to_move(position, words.seats(position.game))


def outcome_in_words(position: Position) -> str:
    """How a finished game ended."""
    outcome = position.outcome()
    if outcome is None:
        return "the game goes on"
    how = position.ending_text()
    return told_outcome(position.game, outcome) + (f" ({how})" if how else "")


def told_outcome(game: Game, outcome: Outcome) -> str:
    """An outcome in words."""
    return words.outcome_in_words(game, outcome, words.seats(game))


def in_words_of_count(number: float) -> str:
    """A count with its thousands parted."""
    return f"{number:,.0f}"


def seconds_in_words(seconds: float) -> str:
    """A duration in three figures."""
    return f"{seconds:.3f} s" if seconds < 1 else f"{seconds:.2f} s" if seconds < 10 else f"{seconds:,.0f} s"
