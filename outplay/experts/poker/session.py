"""Many hands of hold'em at one table: stacks carry over, the button and the blinds move, whoever has no chips leaves.

    outplay match "hold'em:seats=3" ranges random auto:level=club --hands 100
    outplay play "hold'em:seats=3"                                  # hand after hand, until you leave

>>> table = Table("hold'em:stack=20", ["Ada", "Bob"])
>>> table.seated, table.start().text()                # who acts first after the flop sits first, the button last
((0, 1), '- -')
>>> table.settle([3, -3])                             # Ada took three chips; the button goes round
>>> table.chips, table.seated, table.start().text()
([23, 17], (1, 0), '(17-23) - -')
"""

from __future__ import annotations

import math
import random
import statistics
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from outplay.errors import BadValue
from outplay.game import Game, Position, load
from outplay.playing import Mover, Play
from outplay.values import Record

BOARDS = 200
"""Random run-outs of an all-in, whose mean takes the place of what was dealt."""
MOST_CHIPS = 100_000


class Table:
    """Who has how many chips, and who sits where in the next hand."""

    def __init__(self, game: str | Game, names: Sequence[str]) -> None:
        self.game: Any = load(game) if isinstance(game, str) else game
        given = {**self.game.rules.definition.defaults, **self.game.rules.parameters}
        if len(names) != given["seats"]:
            raise BadValue(f"a table of {self.game.name} has {given['seats']} seats, got {len(names)} players")
        parts = [int(part) for part in str(given["stack"]).split("-")]
        self.names = list(names)
        self.chips = parts * len(names) if len(parts) == 1 else parts
        if sum(self.chips) > MOST_CHIPS:
            raise BadValue(f"a session has at most {MOST_CHIPS:,} chips on the table, got {sum(self.chips):,}")
        self.given, self.total, self.button, self.hands = given, sum(self.chips), len(names) - 1, 0
        self._games: dict[int, Game] = {}

    @property
    def seated(self) -> tuple[int, ...]:
        """The players of the next hand by seat: the small blind first and the button last; of two, the big blind first."""
        around = [(self.button + step) % len(self.chips) for step in range(1, len(self.chips) + 1)]
        return tuple(player for player in around if self.chips[player])

    @property
    def is_over(self) -> bool:
        """Whether one player has all chips."""
        return sum(chips > 0 for chips in self.chips) < 2

    def start(self) -> Position:
        """The next hand, before its cards."""
        if not self.hands:
            return self.game.start()
        seats = self.seated
        if len(seats) not in self._games:  # the same game for all hands of so many seats, whatever their chips
            self._games[len(seats)] = load("hold'em", compiled=self.game.may_compile,
                                                **{**self.given, "seats": len(seats), "stack": str(self.total)})  # fmt: skip
        chips = "-".join(str(self.chips[player]) for player in seats)
        return self._games[len(seats)].position(f"({chips}) {' '.join('-' * len(seats))}")

    def settle(self, won: Sequence[float]) -> None:
        """Note what each seat of a hand won, and move the button."""
        for player, amount in zip(self.seated, won, strict=True):
            self.chips[player] += round(amount)
        self.hands += 1
        while True:
            self.button = (self.button + 1) % len(self.chips)
            if self.chips[self.button]:
                return


@dataclass(frozen=True)
class Hand:
    """One hand of a session."""

    number: int
    button: int  # the player who has it
    record: Record
    chips: tuple[int, ...]  # of all players, after the hand
    won: tuple[float, ...]  # by all players
    fair: tuple[float, ...]  # the same, an all-in before the river counting as it does on average


def session(game: str | Game, players: Sequence[Mover], *, hands: int, seed: int = 0,
            stop: threading.Event | None = None, boards: int = BOARDS) -> Iterator[Hand]:
    """Play hands until so many are over, or one player has all chips; once `stop` is set, the unfinished hand is dropped."""
    table = Table(game, [getattr(each, "name", "") for each in players])
    for number in range(hands):
        if table.is_over:
            return
        seats, button = table.seated, table.button
        start = table.start()
        play = Play(start.game, [players[player] for player in seats], start=start, seed=seed * 1_000_003 + number)
        record = play.finished(stop)
        if record.outcome is None:
            return
        got = dict(zip(seats, record.outcome.utilities, strict=True))
        fair = dict(zip(seats, without_luck(play, boards), strict=True))
        table.settle(record.outcome.utilities)
        everybody = range(len(players))
        yield Hand(number, button, record, tuple(table.chips), tuple(got.get(player, 0.0) for player in everybody),
                   tuple(fair.get(player, 0.0) for player in everybody))


def without_luck(play: Play, boards: int = BOARDS) -> tuple[float, ...]:
    """What each seat wins on average where the last bet was made: over random boards, if somebody is all in before the river."""
    assert play.outcome is not None
    decided = 0  # plies up to the last action of a player
    for number, ply in enumerate(play.plies, 1):
        decided = number if ply.seat >= 0 else decided
    position = play.positions[decided]
    if not play.positions[-1].is_terminal() or decided == len(play.plies) or position.is_terminal():
        return play.outcome.utilities
    game: Any = position.game
    record, seats = game.record(position.state), range(len(play.outcome.utilities))
    known = [int(card) - 1 for card in (*record.hands.ravel(), *record.board) if card]
    deck, shown = [card for card in range(52) if card not in known], sum(card > 0 for card in record.board)
    source, sums = random.Random(position.text()), [0.0] * len(seats)
    for _ in range(boards):
        for place, card in enumerate(source.sample(deck, 5 - shown), shown):
            record.board[place] = card + 1
        sums = [total + float(record.utility(seat)) for total, seat in zip(sums, seats, strict=True)]
    return tuple(total / boards for total in sums)


def a_hundred(values: Sequence[float]) -> tuple[float, float]:
    """Chips for a hundred hands, and how far the 95 % interval reaches."""
    if len(values) < 2:
        return 100 * sum(values), math.inf
    return 100 * statistics.fmean(values), 196 * statistics.stdev(values) / math.sqrt(len(values))


def command(game: str, names: list[str], hands: int, seed: int, save: Path | None, as_json: bool) -> None:
    """`outplay match hold'em A B --hands N`: play a session and tell everybody's chips."""
    from outplay.arena.match import check
    from outplay.arena.match import save as save_record
    from outplay.cli.commands import Exit
    from outplay.cli.common import console, print_json, print_table, tell
    from outplay.cli.main import INTERRUPTED
    from outplay.cli.match import TWIN
    from outplay.cli.progress import working
    from outplay.players import player

    loaded, played = load(game), list[Hand]()
    Table(loaded, names)
    with working(" against ".join(names), loaded.name, "Ctrl-C stops and keeps the hands", keeps=True) as progress:
        assert progress.interrupts is not None
        stop = progress.interrupts.event
        seated = []
        for number, name in enumerate(names):
            seated.append(player(name.partition(TWIN)[0], seed=seed + number))
            seated[-1].name = name
        try:
            check(loaded, seated, stop=stop)
            for hand in session(loaded, seated, hands=hands, seed=seed, stop=stop):
                with progress.interrupts.held():
                    played.append(hand)
                    if save is not None:
                        save_record(hand.record, save)
                progress.note = f"{len(played)} of {hands} hands, chips {' '.join(map(str, hand.chips))}"
        except KeyboardInterrupt:
            pass
        finally:
            for each in seated:
                each.close()
        interrupted = stop.is_set()
    rows = []
    for number, name in enumerate(names):
        won = [a_hundred([getattr(hand, kind)[number] for hand in played]) for kind in ("won", "fair")]
        chips = played[-1].chips[number] if played else Table(loaded, names).chips[number]
        rows.append({"name": name, "chips": chips, "won_a_hundred": won[0][0], "error": won[0][1],
                     "without_luck": won[1][0], "without_luck_error": won[1][1],
                     "won_hands": sum(hand.won[number] > 0 for hand in played)})  # fmt: skip
    if as_json:
        kept = [{key: None if value == math.inf else value for key, value in row.items()} for row in rows]
        print_json({"game": loaded.name, "hands": len(played), "players": kept})
    else:
        head = ("player", "chips", "hands won", "chips a hundred hands", "without the luck of all-ins")
        print_table(head, [(str(row["name"]), str(row["chips"]), str(row["won_hands"]),
                            f"{row['won_a_hundred']:+.0f} ± {row['error']:.0f}",
                            f"{row['without_luck']:+.0f} ± {row['without_luck_error']:.0f}") for row in rows],
                    right=head[1:])  # fmt: skip
        console().print(f"{len(played)} hands; 95 % intervals", markup=False)
        left = [str(row["name"]) for row in rows if row["chips"]]
        if len(left) == 1:
            console().print(f"{left[0]} has all chips", markup=False)
    if interrupted:
        tell(f"stopped after {len(played)} of {hands} hands")
        raise Exit(INTERRUPTED)
