"""Players of bridge: `double-dummy`, who solves deals that fit with open cards (Ginsberg's GIB, 2001), and `kitchen`.

    double-dummy             a hundred deals a card, at most a second; `gib` is the same
    double-dummy:deals=20,time=0.5
    double-dummy:plan=3      declarer makes one plan for all deals over the last three tricks, instead of averaging (alpha-mu)
    double-dummy:bid=10      where several calls fit its hand, bids each to the end on ten deals
    double-dummy:aim=imps    plays for IMPs; or for points (as it does otherwise), tricks, the chance of the contract
    kitchen                  second hand low, third hand high, fourth highest of the longest suit

Both bid by the rules of `outplay.games.bridge.bidding`, whose first rule that fits is the call. A card's worth is the mean, over
the deals, of what the board is worth from there with open cards, in the unit of the form of scoring.
"""

from __future__ import annotations

import math
import random
import time
from typing import Any

from outplay.errors import BadValue, Unavailable, Unsuitable, shorten
from outplay.experts.bridge.double_dummy import DoubleDummy, Memory, winner_of
from outplay.experts.bridge.single_dummy import plan
from outplay.game import Position
from outplay.games.bridge import AUCTION, FIRST_BID, PASS, players_of
from outplay.games.bridge.bidding import Rule, bid_out, candidates, choose, contract_of, read
from outplay.games.bridge.fitting import Fit, Known, points
from outplay.games.bridge.notation import LANE, cards_of
from outplay.games.bridge.scoring import VULNERABILITIES, imps, is_vulnerable, score
from outplay.names import Option, parse, read_options
from outplay.players.base import Player
from outplay.values import Action, Choice, Limits, Result

FEWEST = 12
"""Deals before a player may stop early."""
PLANNED = 20
"""Deals of one plan, at most: their number is the length of the vectors."""
MOST_CALLS = 3
"""Calls that are bid to the end, at most."""
AIMS = ("points", "tricks", "imps", "contract")
"""What a card can be played for: the last is the chance that the contract is made, or beaten."""
UNITS = {"points": "points", "tricks": "tricks", "imps": "IMPs", "contract": "contracts made"}
"""What a card's mean is counted in, by what it is played for."""
CLEAR = 3.0
"""Standard errors by which the best card must lead to stop early."""


class Board:
    """What a seat sees of a board, in the solver's words: cards are bits of sixteen a suit."""

    def __init__(self, view: Position) -> None:
        game: Any = view.game
        if not game.name.startswith("bridge"):
            raise Unsuitable(f"double-dummy and kitchen play bridge, not {game.name}")
        record = game.record(view.state)
        settings = dict(game.rules.parameters)
        self.settings = settings
        self.dealer = "NESW".index(settings.get("dealer", "N"))
        self.vulnerability = VULNERABILITIES.index(settings.get("vulnerable", "none"))
        self.ranks = int(settings.get("ranks", 13))
        self.stage, self.turn = int(record.stage), int(record.turn)
        self.calls = [int(call) + PASS - 1 for call in record.calls[: record.said]]
        self.bid, self.doubled, self.declarer = int(record.bid) - 1, int(record.doubled), int(record.declarer)
        self.strain = self.bid % 5
        self.hands = [int(hand) for hand in record.hands]
        self.won = [int(n) for n in record.won]
        actions = [int(card) - 1 for card in record.played[: record.plays]]
        self.play = [16 * (card % 4) + card // 4 for card in actions]
        self.seats = players_of(actions, self.declarer, self.strain) if actions else []
        self.leader = int(record.leader)
        self.trick = self.play[len(self.play) - len(self.play) % 4 :]
        self.seat = view.player()

    @property
    def dummy(self) -> int:
        """Declarer's partner."""
        return (self.declarer + 2) % 4

    def fit(self, use_auction: bool = True) -> Fit:
        """What is known of the hidden hands: the cards played, the voids shown and, if asked, the meaning of the calls."""
        low = 13 - self.ranks
        deck = sum((LANE >> low << low) << 16 * suit for suit in range(4))
        unknown = deck
        gone = [0, 0, 0, 0]
        voids: set[tuple[int, int]] = set()
        for number, (card, seat) in enumerate(zip(self.play, self.seats, strict=True)):
            unknown &= ~(1 << card)
            gone[seat] |= 1 << card
            led = self.play[number - number % 4]
            if card >> 4 != led >> 4:
                voids.add((seat, led >> 4))
        for hand in self.hands:
            unknown &= ~hand
        promises = read(self.calls, self.dealer) if use_auction and self.ranks == 13 else None
        hidden = {}
        for seat in range(4):
            if seat == self.seat or (self.play and seat == self.dummy):
                continue
            played = [(gone[seat] >> 16 * suit & LANE).bit_count() for suit in range(4)]
            least, most, span = [0] * 4, [0 if (seat, suit) in voids else 13 for suit in range(4)], (0, 40)
            if promises is not None:
                said, shown = promises[seat], points(gone[seat])
                least = [max(0, said.least[suit] - played[suit]) for suit in range(4)]
                most = [min(most[suit], max(0, said.most[suit] - played[suit])) for suit in range(4)]
                span = (said.low - shown, said.high - shown)
            hidden[seat] = Known(self.ranks - sum(played), tuple(least), tuple(most), span)  # type: ignore[arg-type]  # four numbers, which mypy does not count
        return Fit(unknown, hidden)

    def worth(self, north_south: int) -> int:
        """Points of North and South when they take so many tricks of the whole board."""
        side = self.declarer % 2
        tricks = north_south if side == 0 else self.ranks - north_south
        if self.settings.get("count") == "tricks":
            return 2 * north_south - self.ranks
        made = score(self.bid // 5 + 1, self.strain, tricks - self.ranks // 2 + 6, doubled=self.doubled,
                     vulnerable=is_vulnerable(side, self.vulnerability))
        return made if side == 0 else -made

    def value(self, north_south: int, best: int, aim: str) -> float:
        """What so many tricks of North and South in the whole board are worth to them, by the form of scoring.

        In IMPs against a table that plays this deal with open cards from here on, and so takes `best`; in all units a little more
        for a trick more, which decides between cards that are worth the same.
        """
        if aim == "tricks":
            return north_south
        worth = self.worth(north_south)
        if aim == "imps":
            return imps(worth - self.worth(best)) + north_south / 1000
        if aim == "contract":
            return (worth > 0) + north_south / 1000
        return worth + north_south

    def points_of(self, contract: tuple[int, int, int], north_south: int) -> int:
        """Points of North and South in a contract (bid, how often doubled, declarer) when they take so many tricks."""
        bid, doubled, declarer = contract
        side = declarer % 2
        made = score((bid - FIRST_BID) // 5 + 1, (bid - FIRST_BID) % 5, north_south if side == 0 else 13 - north_south,
                     doubled=doubled, vulnerable=is_vulnerable(side, self.vulnerability))
        return made if side == 0 else -made

    def action(self, card: int) -> Action:
        """A card as the game's action."""
        return 4 * (card & 15) + (card >> 4)


class BridgePlayer(Player):
    """Bids by the system; a subclass chooses the cards."""

    thinks_in_seconds = True

    def pick(self, view: Position, limits: Limits | None) -> Action:
        """A call or a card."""
        board = Board(view)
        legal = view.actions()
        if board.stage == AUCTION:
            rule = self.call(board, limits) if board.ranks == 13 else None
            self.said = rule.words if rule else ""
            return rule.call if rule is not None and rule.call in legal else PASS
        if len(legal) == 1:
            return legal[0]
        return self.card(board, limits)

    said = ""

    def call(self, board: Board, limits: Limits | None) -> Rule:
        """The system's call."""
        return choose(board.hands[board.seat], board.calls, board.dealer)

    def card(self, board: Board, limits: Limits | None) -> Action:
        """A card to play."""
        raise NotImplementedError


class Gib(BridgePlayer):
    """Deals what fits, solves each deal with open cards, plays what is worth most on average."""

    def __init__(self, deals: int = 100, seconds: float = 1.0, seed: int = 0, plan: int = 0, bid: int = 0,
                 aim: str = "points") -> None:
        more = (f",plan={plan}" if plan else "") + (f",bid={bid}" if bid else "") + (f",aim={aim}" if aim != "points" else "")
        self.name = f"double-dummy:deals={deals},time={seconds:g}{more}"
        self.deals, self.seconds, self.seed, self.plan, self.bid, self.aim = deals, seconds, seed, plan, bid, aim
        self._random = random.Random(seed)
        self._memory: Memory | None = None

    def begin(self, view: Position, *, seed: int = 0) -> None:
        """Other deals for each board."""
        self._random = random.Random(f"{self.seed} {seed}")

    def rehearse(self, position: Position) -> None:
        """Compile what solves a deal: nobody needs it while the auction goes on."""
        self._memory = self._memory or Memory()
        DoubleDummy([1, 2, 4, 8], memory=self._memory).cards("N", "N")

    def call(self, board: Board, limits: Limits | None) -> Rule:
        """Where several calls fit the hand: deal the other hands, bid each to the end, score the contracts with open cards."""
        found = candidates(board.hands[board.seat], board.calls, board.dealer)[:MOST_CALLS]
        fit = board.fit()
        if self.bid == 0 or len(found) == 1 or fit.count() == 0:
            return found[0]
        self._memory = self._memory or Memory()
        totals, weights = [0.0] * len(found), 0.0
        begun = time.perf_counter()
        seconds = limits.seconds if limits is not None and limits.seconds is not None else self.seconds
        for _ in range(self.bid):
            drawn, weight = fit.draw(self._random)
            hands = [drawn.get(seat, board.hands[seat]) for seat in range(4)]
            solver = DoubleDummy(hands, memory=self._memory, stop=self.stop)
            known: dict[tuple[int, int, int] | None, int] = {None: 0}
            for number, rule in enumerate(found):
                contract = contract_of(bid_out(hands, [*board.calls, rule.call], board.dealer), board.dealer)
                if contract is not None and contract not in known:
                    known[contract] = board.points_of(contract, solver.tricks((contract[0] - FIRST_BID) % 5, (contract[2] + 1) % 4))
                totals[number] += weight * known[contract] * (1 if board.seat % 2 == 0 else -1)
            weights += weight
            if time.perf_counter() - begun > seconds:
                break
        best = max(range(len(found)), key=lambda number: (totals[number], -number))
        return found[best]

    def card(self, board: Board, limits: Limits | None) -> Action:
        """The card with the best mean; stops early where one is clearly ahead or all are worth the same.

        Where a clock leaves no time for a single deal, a rule of thumb answers.
        """
        self._memory = self._memory or Memory()
        is_timed = limits is not None and limits.seconds is not None
        seconds = limits.seconds if limits is not None and limits.seconds is not None else self.seconds
        begun = time.perf_counter()
        fit = board.fit()
        if fit.count() == 0:  # somebody's calls were not what the system says
            fit = board.fit(use_auction=False)
        sign = 1 if board.turn % 2 == 0 else -1
        if board.turn % 2 == board.declarer % 2 and board.play and board.hands[board.turn].bit_count() <= self.plan:
            return self.planned(board, fit, begun)
        totals: dict[int, list[float]] = {}
        guess: int | None = None
        done = 0
        weights = 0.0
        while done < self.deals:
            drawn, weight = fit.draw(self._random)
            hands = [drawn.get(seat, board.hands[seat]) for seat in range(4)]
            solver = DoubleDummy(hands, memory=self._memory, stop=self.stop, until=begun + seconds if is_timed else None)
            try:
                found = solver.cards(board.strain, board.leader, board.trick, guess)
            except Unavailable:
                if self.stop is not None and self.stop.is_set():
                    raise
                break
            guess = sorted(found.values())[len(found) // 2]
            best_here = board.won[0] + (max(found.values()) if sign == 1 else min(found.values()))
            for card, north_south in found.items():
                value = sign * board.value(board.won[0] + north_south, best_here, self.aim)
                totals.setdefault(card, []).append(weight * value)
            done += 1
            weights += weight
            if time.perf_counter() - begun > seconds or (done >= FEWEST and done % 4 == 0 and is_clear(totals)):
                break
        if done == 0:
            return Kitchen().card(board, limits)
        mean = {card: sum(values) / weights for card, values in totals.items()}
        best = max(mean.values())
        chosen = min((card for card in mean if mean[card] >= best - 1e-9), key=lambda card: (card & 15, card))
        ranked = sorted(mean.items(), key=lambda pair: -pair[1])
        choices = tuple(Choice(board.action(card), sign * value, visits=done) for card, value in ranked)
        self.last = Result(action=board.action(chosen), value=sign * best, nodes=done, seconds=time.perf_counter() - begun,
                           algorithm="double dummy on deals that fit", exact=False, choices=choices, unit=self.unit(board),
                           facts={"deals": done})
        return board.action(chosen)

    def unit(self, board: Board) -> str:
        """What means are counted in; a game that pays tricks has no points."""
        return "tricks" if self.aim == "points" and board.settings.get("count") == "tricks" else UNITS[self.aim]

    def planned(self, board: Board, fit: Fit, begun: float) -> Action:
        """Declarer's card by one plan for all deals, where averaging would let the plan differ from deal to deal."""
        turned = board.declarer % 2  # the plan is North's and South's: East and West are turned there
        worlds = set()
        for _ in range(4 * PLANNED):
            drawn, _ = fit.draw(self._random)
            hands = [drawn.get(seat, board.hands[seat]) for seat in range(4)]
            worlds.add(tuple(hands[(seat + turned) % 4] for seat in range(4)))
            if len(worlds) == PLANNED:
                break
        sign = 1 if turned == 0 else -1
        left = board.hands[board.turn].bit_count()

        aim = "points" if self.aim == "imps" else self.aim  # a plan for all deals has no best result in each to compare with

        def worth(tricks: int) -> float:
            north_south = board.won[0] + (tricks if turned == 0 else left - tricks)
            return sign * board.value(north_south, north_south, aim)

        found = plan(sorted(worlds), board.strain, (board.leader - turned) % 4, board.trick, worth)
        best = max(found.values())
        chosen = min((card for card in found if found[card] >= best - 1e-9), key=lambda card: (card & 15, card))
        ranked = sorted(found.items(), key=lambda pair: -pair[1])
        choices = tuple(Choice(board.action(card), sign * value, visits=len(worlds)) for card, value in ranked)
        self.last = Result(action=board.action(chosen), value=sign * best, nodes=len(worlds), seconds=time.perf_counter() - begun,
                           algorithm="one plan for all deals that fit", exact=False, choices=choices, facts={"deals": len(worlds)})
        return board.action(chosen)


def is_clear(totals: dict[int, list[float]]) -> bool:
    """Whether one card leads all others that differ from it by more than chance explains."""
    cards = sorted(totals, key=lambda card: -sum(totals[card]))
    best = totals[cards[0]]
    for other in cards[1:]:
        differences = [a - b for a, b in zip(best, totals[other], strict=True)]
        mean = sum(differences) / len(differences)
        if not any(differences):
            continue
        variance = sum((each - mean) ** 2 for each in differences) / max(1, len(differences) - 1)
        if mean < CLEAR * math.sqrt(variance / len(differences)):
            return False
    return True


class Kitchen(BridgePlayer):
    """Plays by the rules of thumb that every beginner learns."""

    name = "kitchen"

    def card(self, board: Board, limits: Limits | None) -> Action:
        """Second hand low, third hand high, win as cheaply as possible, lead the fourth highest of the longest suit."""
        hand = board.hands[board.turn]
        trick = board.trick
        if not trick:
            return board.action(self.lead(board, hand))
        follows = hand & (LANE << (trick[0] & 48))
        cards = list(cards_of(follows or hand))
        winner = winner_of(trick, board.leader, board.strain)
        best = trick[(winner - board.leader) % 4]
        partner_wins = winner % 2 == board.turn % 2
        wins = [card for card in cards if winner_of([best, card], 0, board.strain) == 1]
        lowest = min(cards, key=lambda card: (card >> 4 == board.strain, card & 15))
        if (len(trick) == 1 and best & 15 < 9) or not wins or (partner_wins and (len(trick) == 3 or best & 15 >= 10)):
            return board.action(lowest)
        return board.action(min(wins, key=lambda card: card & 15) if len(trick) == 3 else max(wins, key=lambda card: card & 15))

    def lead(self, board: Board, hand: int) -> int:
        """Declarer draws trumps and cashes aces; a defender leads from the longest suit."""
        suits = {suit: [card for card in cards_of(hand) if card >> 4 == suit] for suit in range(4)}
        suits = {suit: cards for suit, cards in suits.items() if cards}
        declares = board.turn % 2 == board.declarer % 2
        if declares and board.strain in suits:
            return suits[board.strain][0]
        for cards in suits.values():
            higher = {card for card in board.play if card >> 4 == cards[0] >> 4 and card > cards[0]}
            if (cards[0] & 15) + len(higher) == 12:
                return cards[0]
        longest = max(suits.values(), key=len)
        return longest[min(3, len(longest) - 1)]


OPTIONS = (
    Option("deals", "whole", 100, "how many deals to look at for one card", least=1),
    Option("time", "number", 1.0, "seconds for one card, at most", least=0),
    Option("plan", "whole", 0, "declarer makes one plan for all deals over so many last tricks", least=0, most=4),
    Option("bid", "whole", 0, "where several calls fit: deals on which each is bid to the end and scored with open cards", least=0),
    Option("aim", "word", "points", "what a card is played for, by the form of scoring", words=AIMS),
    Option("seed", "whole", 0, "where random numbers begin"),
)


def double_dummy_player(text: str, seed: int = 0) -> Player:
    """The player that `double-dummy:deals=100` means."""
    asked = parse(text, "player")
    if asked.part:
        raise BadValue(f"player {shorten(text)!r}: expected key=value after the name, got {shorten(asked.part)!r}")
    chosen = read_options("player double-dummy", asked.options, OPTIONS)
    made = Gib(chosen.get("deals", 100), chosen.get("time", 1.0), chosen.get("seed", seed), chosen.get("plan", 0),
               chosen.get("bid", 0), chosen.get("aim", "points"))
    return made
