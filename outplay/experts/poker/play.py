"""`play hold'em`: hand after hand in the terminal, chips carried over, until somebody leaves or has them all."""

from __future__ import annotations

from typing import Any

from outplay.cli.common import capital
from outplay.cli.play import Table as Screen
from outplay.experts.poker.session import Table


class HoldemTable(Screen):
    """A table that goes on with the next hand; a position or moves that were asked for are played as one hand alone."""

    def __init__(self, begun: Any, against: str, me: int, seed: int, stand_in: str = "", clock: str | None = None) -> None:
        super().__init__(begun, against, me, seed, stand_in, clock)
        self.clock, self.seed = clock, seed
        self.session = None if begun != begun.game.start() else Table(begun.game, [str(seat) for seat in range(len(self.seats))])
        self.people = list(self.seats)
        self.names = [self.seat_name(seat) for seat in range(len(self.seats))]
        self.i = me

    def seat_name(self, seat: int) -> str:
        """Somebody at the table, whichever seat of the hand that is."""
        return "you" if self.people[seat] is None else f"player {seat + 1}"

    def run(self) -> None:
        """Play hands until somebody has all chips or the person leaves."""
        while True:
            left = self.one_hand()
            if left or self.session is None or self.game.outcome is None:
                return
            self.session.settle(self.game.outcome.utilities)
            self.say("chips: " + ", ".join(f"{name} {chips}" for name, chips in zip(self.names, self.session.chips, strict=True)))
            if self.session.is_over or not self.session.chips[self.i]:
                winner = max(range(len(self.names)), key=lambda seat: self.session.chips[seat] if self.session else 0)
                told = "You have all chips." if self.people[winner] is None else f"{capital(self.names[winner])} has all chips."
                self.say(told if self.session.is_over else "You have no chips left.", "bold")
                return
            try:
                typed = input(f"hand {self.session.hands + 1}: Enter to go on, quit to leave: ").strip().lower()
            except EOFError:
                print()
                typed = "quit"
            if typed in ("quit", "q", "exit", "leave"):
                self.say("Bye.")
                return
            self.deal()

    def one_hand(self) -> bool:
        """Play the hand on the table; whether the person left it."""
        super().run()
        return self.game.outcome is None

    def deal(self) -> None:
        """The next hand, everybody a seat further."""
        from outplay.players import Play

        assert self.session is not None
        start = self.session.start()
        self.rules = start.game
        self.seats = [self.people[player] for player in self.session.seated]
        self.game = Play(self.rules, self.seats, start=start, clock=self.clock, seed=self.seed + self.session.hands)
        self.me = self.seen_by = self.session.seated.index(self.i)


