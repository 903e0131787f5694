"""`play bridge`: the table in the terminal, with the words that bridge players use."""

from __future__ import annotations

from typing import Any, ClassVar

from outplay.cli.play import Table
from outplay.errors import OutplayError


class BridgeTable(Table):
    """Calls are told with their meaning and cards by seat; `claim`, `calls`, and `review` once the board is over."""

    adviser_name = "gib"
    words: ClassVar[dict[str, str]] = {"claim": "claim tricks as declarer: claim 5", "calls": "what every call so far means"}

    def whose(self, view: Any) -> str:
        """The seat that is to play, and the hand where that is dummy's."""
        from outplay.experts.bridge.player import Board

        turn, seat = Board(view).turn, view.player()
        return str(self.rules.seat_name(seat)) + ("" if turn == seat else f", from {self.rules.seat_name(turn)}'s hand")

    def worth_in_words(self, view: Any) -> str:
        """Points, as the score sheet has them."""
        return f"{self.adviser.last.value:+.0f} points for North and South, in the mean"

    def draw(self, position: Any) -> None:
        """Nothing is left to see of a board that is over; `over` shows it as it was dealt."""
        if not position.is_terminal():
            super().draw(position)

    def seat_in_words(self, seat: int) -> str:
        """By the name at the table."""
        return str(self.rules.seat_name(seat))

    def outcome_in_words(self) -> str:
        """As the score sheet says it; a board that was broken off, as everywhere."""
        from outplay.experts.bridge.table import result

        return result(self.game.position) if self.game.position.is_terminal() else super().outcome_in_words()

    def tell_move(self, event: Any) -> None:
        """Calls and cards are seen by all."""
        from outplay.experts.bridge.player import Board
        from outplay.experts.bridge.table import calls_in_words
        from outplay.games.bridge import PASS

        note = f" ({event.note})" if event.note else ""
        if event.action >= PASS:
            self.say(calls_in_words(self.game.position)[-1] + note)
            return
        board = Board(self.game.position)
        who, verb = self.rules.seat_name(event.seat), "leads" if len(board.trick) == 1 else "plays"
        self.say(f"{who} {verb} {event.text}" + ("" if board.seats[-1] == event.seat else " from dummy") + note)
        self.tell_trick()

    def tell_trick(self) -> None:
        """Who won, once four cards lie there."""
        from outplay.experts.bridge.player import Board

        board = Board(self.game.position)
        if board.play and not board.trick:
            self.say(f"  trick {len(board.play) // 4} to {self.rules.seat_name(board.leader)}; "
                     f"North-South {board.won[0]}, East-West {board.won[1]}", "bold")

    def draw_open(self, view: Any) -> None:
        """As newspapers print it; letters where the terminal knows no signs for suits."""
        from outplay.experts.bridge.table import diagram

        try:
            "♠♥♦♣".encode(self.screen.encoding)
            suits = "♠♥♦♣"
        except (UnicodeEncodeError, LookupError):
            suits = "SHDC"
        self.screen.print()
        self.say(diagram(view, suits))
        self.screen.print()

    def obey(self, view: Any, typed: str) -> bool:
        """Bridge's own words first."""
        from outplay.experts.bridge import table as bridge_table

        verb, _, what = typed.lower().partition(" ")
        if verb == "calls":
            for line in bridge_table.calls_in_words(view):
                self.say(line)
            return False
        if verb != "claim":
            cards = len(self.game.record.actions)
            changed = super().obey(view, typed)
            if len(self.game.record.actions) > cards:
                self.tell_trick()
            return changed
        if not what.strip().isdecimal():
            self.say("claim needs a number of tricks, such as claim 5", "yellow")
            return False
        try:
            answer = bridge_table.claim(self.game.position, int(what), seed=self.game.seed)
        except OutplayError as problem:
            self.say(str(problem), "yellow")
            return False
        self.say(("accepted: " if answer.accepted else "not accepted: ") + answer.reason, "bold")
        if answer.accepted:
            for action in bridge_table.rest(self.game.position):
                self.game.push(action)
        return answer.accepted

    def why(self, view: Any) -> None:
        """A call by the system's rule, a card by the deals that were looked at."""
        from outplay.experts.bridge.player import Board
        from outplay.games.bridge import AUCTION
        from outplay.games.bridge.bidding import choose

        board = Board(view)
        if board.stage == AUCTION:
            rule = choose(board.hands[board.seat], board.calls, board.dealer)
            self.say(f"{view.action_text(rule.call)}: {rule.words}", "green")
            return
        self.hint(view)
        last = self.adviser.last
        for one in last.choices if last is not None else ():
            self.say(f"  {view.action_text(one.action):<4}{one.value:+.0f} points for North and South, mean of {one.visits} deals")

    def over(self) -> None:
        """All hands as they were dealt, then the cards that gave tricks away."""
        from outplay.experts.bridge.table import replay

        tricks = replay(self.game.position)
        if not tricks:
            return
        self.say("All hands as they were dealt:", "bold")
        self.draw_open(tricks[0].before)
        lost = [lesson for trick in tricks for lesson in trick.cards if lesson.tricks < lesson.best]
        self.say("With open cards, every card was the best." if not lost else "With open cards:", "bold")
        for lesson in lost:
            self.say("  " + lesson.text)
        if None in self.seats:
            self.replay(tricks)

    def replay(self, tricks: list[Any]) -> None:
        """The board trick by trick, as long as the person likes."""
        at = -1
        while True:
            try:
                typed = input(f"replay (Enter the next trick, b the one before, 1 to {len(tricks)}, q ends): ").strip().lower()
            except EOFError:
                print()
                return
            if typed in ("q", "quit", "exit") or (not typed and at + 1 == len(tricks)):
                return
            if typed.isdecimal() and 1 <= int(typed) <= len(tricks):
                at = int(typed) - 1
            elif typed in ("", "n", "next"):
                at += 1
            elif typed in ("b", "back"):
                at = max(0, at - 1)
            else:
                self.say(f"expected Enter, b, q or a number from 1 to {len(tricks)}, got {typed!r}", "yellow")
                continue
            trick = tricks[at]
            self.draw_open(trick.before)
            self.say(trick.text, "bold")
            for lesson in trick.cards:
                worth = "  ".join(f"{card} {count}" for card, count in lesson.cards.items())
                self.say(f"  {lesson.seat:<6}{worth}")
