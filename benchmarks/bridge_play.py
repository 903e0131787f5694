"""How well `gib` plays: as declarer against open cards, in a team match, and what its options are worth.

    python benchmarks/bridge_play.py declare --items 500     3NT and four of a major against a defence that sees all cards
    python benchmarks/bridge_play.py match --items 200       boards of a team match against `kitchen`, bidding and play, in IMPs
    python benchmarks/bridge_play.py bidding --items 300     boards bid with `bid=10` and without; contracts scored with open cards
    python benchmarks/bridge_play.py endings --items 200     what averaging over open cards costs in the last three tricks

Every item is a line of JSON in --out FILE; a second call with the same file does what is missing, --processes N at a time.

Deals of `declare`: South plays four of a major where North and South have 24 to 28 points and a fit of eight, else 3NT. The
defence plays double dummy (the lowest of the best cards); the loss is the double-dummy value less the tricks that declarer takes.
The last three tricks are played twice, with and without one plan for all deals (`plan=3`, alpha-mu).
"""

from __future__ import annotations

import argparse
import itertools
import random
import statistics
import time
from typing import Any

import items

from outplay.experts.bridge.double_dummy import DoubleDummy, Memory
from outplay.experts.bridge.player import Board, Gib, Kitchen
from outplay.experts.bridge.single_dummy import plan
from outplay.experts.bridge.teams import play_board, start_of
from outplay.game import Position, load
from outplay.games.bridge import AUCTION, FIRST_BID
from outplay.games.bridge.bidding import contract_of, lengths_of
from outplay.games.bridge.fitting import points
from outplay.games.bridge.notation import STRAINS, hands_text
from outplay.games.bridge.scoring import imps, score

PLAN = 3
"""Last tricks that are played with one plan for all deals, too."""


class Worker:
    """One process: its players and their memory, used for item after item."""

    def __init__(self, chosen: argparse.Namespace) -> None:
        self.chosen = chosen
        self.memory = Memory()
        samples, seconds = chosen.samples, chosen.time
        self.gib, self.tenth, self.kitchen = Gib(samples, seconds), Gib(max(1, samples // 10), seconds), Kitchen()
        self.planner, self.bidder = Gib(samples, seconds, plan=PLAN), Gib(samples, seconds, bid=chosen.bid)

    def declare(self, number: int) -> dict[str, Any]:
        """One deal, by all declarers."""
        hands, strain = deal_to_declare(random.Random(f"{self.chosen.seed} {number}"))
        contract = f"{3 if strain == 4 else 4}{STRAINS[strain]}"
        start = load("bridge", compiled=False, phase="play", contract=contract, declarer="S").position(hands_text(hands))
        found: dict[str, Any] = {"deal": start.text(), "contract": contract,
                                 "open": DoubleDummy(hands, memory=self.memory).tricks(strain, 3)}
        for name, player in (("gib", self.gib), ("tenth", self.tenth), ("kitchen", self.kitchen)):
            begun = time.perf_counter()
            player.begin(start, seed=number)
            position = self.declared(player, start, PLAN if name == "gib" else 0)
            if name == "gib":
                last, position = position, self.declared(player, position)
                self.planner.begin(start, seed=number)
                found["plan"] = int(Board(self.declared(self.planner, last)).won[0])
            found[name] = int(Board(position).won[0])
            found[f"{name}_seconds"] = round(time.perf_counter() - begun, 2)
        return found

    def declared(self, player: Any, position: Position, until: int = 0) -> Position:
        """Declarer and dummy play on against a defence that sees all cards, until so many tricks are left."""
        while not position.is_terminal():
            board = Board(position)
            if position.player() % 2 == 0:
                if board.hands[board.turn].bit_count() <= until:
                    break
                position = position.result(player.choose(position))
                continue
            found = DoubleDummy(board.hands, memory=self.memory).cards(board.strain, board.leader, board.trick)
            best = min(found.values())
            position = position.result(board.action(min((c for c in found if found[c] == best), key=lambda c: (c & 15, c))))
        return position

    def match(self, number: int) -> dict[str, Any]:
        """One board at two tables."""
        start = start_of(number, self.chosen.seed)
        rooms = [play_board(start, *pair, seed=2 * number) for pair in ((self.gib, self.kitchen), (self.kitchen, self.gib))]
        scores = [int(room.utilities()[0]) for room in rooms]
        return {"records": [room.text() for room in rooms], "scores": scores, "imps": imps(scores[0] - scores[1])}

    def bidding(self, number: int) -> dict[str, Any]:
        """One board bid at two tables; each contract is worth what it makes with open cards."""
        start = start_of(number, self.chosen.seed)
        scores, contracts = [], []
        for pair in ((self.bidder, self.gib), (self.gib, self.bidder)):
            position = start
            for each in pair:
                each.begin(start, seed=2 * number)
            while not position.is_terminal() and Board(position).stage == AUCTION:
                position = position.result(pair[position.player() % 2].choose(position))
            board, opening = Board(position), Board(start)
            contract = contract_of(board.calls, board.dealer)
            if contract is None:
                scores.append(0)
            else:
                solver = DoubleDummy(opening.hands, memory=self.memory)
                scores.append(board.points_of(contract, solver.tricks((contract[0] - FIRST_BID) % 5, (contract[2] + 1) % 4)))
            contracts.append(position.text().partition("|")[2].strip())
        return {"auctions": contracts, "scores": scores, "imps": imps(scores[0] - scores[1])}

    def endings(self, number: int) -> dict[str, Any]:
        """A random ending of three tricks, South on lead, all twenty layouts of the other cards: with one plan for all of them and
        defenders who see everything, how much less the card is worth that averaging chooses than the best one.
        """
        source = random.Random(f"{self.chosen.seed} {number}")
        cards = source.sample([16 * suit + rank for suit in range(4) for rank in range(13)], 12)
        north, south = (sum(1 << card for card in cards[k : k + 3]) for k in (0, 3))
        layouts = []
        for three in itertools.combinations(cards[6:], 3):
            east = sum(1 << card for card in three)
            layouts.append((north, east, south, sum(1 << card for card in cards[6:]) ^ east))
        trump = source.randrange(5)
        solved = [DoubleDummy(each, memory=self.memory).cards(trump, 2) for each in layouts]
        mean = {card: sum(each[card] for each in solved) for card in solved[0]}
        averaged = min((card for card in mean if mean[card] == max(mean.values())), key=lambda card: (card & 15, card))
        planned = plan(layouts, trump, 2)
        return {"cost": round(max(planned.values()) - planned[averaged], 6)}


def deal_to_declare(source: random.Random) -> tuple[list[int], int]:
    """A deal with its strain."""
    cards = [16 * suit + rank for suit in range(4) for rank in range(13)]
    while True:
        source.shuffle(cards)
        hands = [sum(1 << card for card in cards[13 * seat : 13 * seat + 13]) for seat in range(4)]
        if 24 <= points(hands[0]) + points(hands[2]) <= 28:
            fit = [a + b for a, b in zip(lengths_of(hands[0]), lengths_of(hands[2]), strict=True)]
            return hands, (3 if fit[3] >= 8 else 2 if fit[2] >= 8 else 4)


def points_for(line: dict[str, Any], name: str) -> int:
    """What a declarer scored, not vulnerable."""
    level, strain = int(line["contract"][0]), STRAINS.index(line["contract"][1:])
    return score(level, strain, line[name], doubled=0, vulnerable=False)


def interval(values: list[float]) -> str:
    """The mean with its interval of 95 %."""
    reach = 1.96 * statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else float("inf")
    return f"{statistics.fmean(values):+.3f} ± {reach:.3f}"


def told(what: str, lines: list[dict[str, Any]]) -> list[str]:
    """What all items say together."""
    said = [f"{len(lines)} items, {statistics.fmean(line['seconds'] for line in lines):.1f} s each"]
    if what == "declare":
        said.append(f"double dummy: {statistics.fmean(line['open'] for line in lines):.2f} tricks a deal")
        for name in ("gib", "tenth", "plan", "kitchen"):
            made = [line[name] >= 9 + (line["contract"] != "3NT") for line in lines]
            said.append(f"{name}: {interval([line['open'] - line[name] for line in lines])} tricks a deal below double dummy, "
                        f"{100 * statistics.fmean(made):.1f} % of the contracts made")
        for name in ("tenth", "plan", "kitchen"):
            said.append(f"gib takes more than {name}: {interval([line['gib'] - line[name] for line in lines])} tricks and "
                        f"{interval([points_for(line, 'gib') - points_for(line, name) for line in lines])} points a deal")
    elif what == "endings":
        costs = [line["cost"] for line in lines]
        wrong = [cost for cost in costs if cost > 1e-9]
        said.append(f"averaging chooses a worse card in {len(wrong)}, where it costs {statistics.fmean(wrong or [0]):.3f} tricks "
                    f"in the mean; {interval(costs)} over all")
    else:
        said.append(f"{interval([line['imps'] for line in lines])} IMPs a board")
    if what == "bidding":
        said.append(f"other contracts on {sum(line['auctions'][0] != line['auctions'][1] for line in lines)} boards")
    return said


def main() -> None:
    """Do what is missing, then tell what all items say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("declare", "match", "bidding", "endings"))
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--samples", type=int, default=100, help="deals a card; the weaker gib has a tenth")
    parser.add_argument("--time", type=float, default=10.0, help="seconds a card, at most")
    parser.add_argument("--bid", type=int, default=10, help="deals a call, for `bidding`")
    items.add_options(parser)
    chosen = parser.parse_args()
    DoubleDummy([1, 2, 4, 8]).tricks(4, 0)  # compiled once, before there are many processes
    lines = items.run(lambda chosen: getattr(Worker(chosen), chosen.what), chosen)
    print("\n".join(told(chosen.what, lines)) if lines else "nothing was done in this time")


if __name__ == "__main__":
    main()
