"""How well `gib` declares: random 3NT and four-of-a-major deals against a defence that sees all cards.

    python benchmarks/bridge_play.py [--deals 50] [--samples 50] [--seconds 60] [--out FILE]

    python benchmarks/bridge_play.py --endings 200       what averaging over open cards costs in the last three tricks

With --out every deal's losses are written to a file, a line each, and a second call goes on behind the last line.

Deals: South declares 3NT where both hands have 24 to 28 points, four of a major where they have 24 to 28 and a fit of eight. The
defence plays double dummy (the lowest of the best cards); the loss is the double-dummy value less the tricks that declarer takes.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import statistics
import time
from pathlib import Path

from outplay.engine.double_dummy import DoubleDummy, Memory
from outplay.engine.single_dummy import plan
from outplay.game import load
from outplay.games.bridge.bidding import lengths_of
from outplay.games.bridge.fitting import points
from outplay.games.bridge.notation import STRAINS, hands_text
from outplay.players.bridge import Board, Gib, Kitchen


def deals(source: random.Random):
    """Deals with their strain, for ever."""
    cards = [16 * suit + rank for suit in range(4) for rank in range(13)]
    while True:
        source.shuffle(cards)
        hands = [sum(1 << card for card in cards[13 * seat : 13 * seat + 13]) for seat in range(4)]
        if not 24 <= points(hands[0]) + points(hands[2]) <= 28:
            continue
        fit = [a + b for a, b in zip(lengths_of(hands[0]), lengths_of(hands[2]), strict=True)]
        yield hands, (3 if fit[3] >= 8 else 2 if fit[2] >= 8 else 4)


def declared(player, hands, strain: int, memory: Memory, seed: int) -> int:
    """Declarer's tricks against a defence that sees all cards."""
    contract = f"{3 if strain == 4 else 4}{STRAINS[strain]}"
    position = load("bridge", compiled=False, phase="play", contract=contract, declarer="S").position(hands_text(hands))
    player.begin(position, seed=seed)
    while not position.is_terminal():
        if position.player() % 2 == 0:
            position = position.result(player.choose(position))
            continue
        board = Board(position)
        found = DoubleDummy(board.hands, memory=memory).cards(strain, board.leader, board.trick)
        best = min(found.values())
        position = position.result(board.action(min((c for c in found if found[c] == best), key=lambda c: (c & 15, c))))
    return int(Board(position).won[0])


def endings(count: int) -> None:
    """Random endings of three tricks, South on lead, all twenty layouts of the other cards: what the card that averaging chooses is
    worth with one plan for all of them, against defenders who see everything, and what the best card is.
    """
    source, memory = random.Random(9), Memory()
    costs = []
    for _ in range(count):
        cards = source.sample([16 * suit + rank for suit in range(4) for rank in range(13)], 12)
        north, south = (sum(1 << card for card in cards[k : k + 3]) for k in (0, 3))
        layouts = []
        for three in itertools.combinations(cards[6:], 3):
            east = sum(1 << card for card in three)
            layouts.append((north, east, south, sum(1 << card for card in cards[6:]) ^ east))
        trump = source.randrange(5)
        solved = [DoubleDummy(each, memory=memory).cards(trump, 2) for each in layouts]
        mean = {card: sum(each[card] for each in solved) for card in solved[0]}
        averaged = min((card for card in mean if mean[card] == max(mean.values())), key=lambda card: (card & 15, card))
        planned = plan(layouts, trump, 2)
        costs.append(max(planned.values()) - planned[averaged])
    wrong = [cost for cost in costs if cost > 1e-9]
    print(f"{count} endings of three tricks: averaging chooses a worse card in {len(wrong)}, "
          f"where it costs {statistics.fmean(wrong or [0]):.3f} tricks in the mean; {statistics.fmean(costs):.4f} over all")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--deals", type=int, default=50)
    parser.add_argument("--samples", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--endings", type=int, metavar="N")
    chosen = parser.parse_args()
    if chosen.endings:
        endings(chosen.endings)
        return
    memory, begun = Memory(), time.perf_counter()
    players = {f"gib with {chosen.samples} deals": Gib(chosen.samples, 60.0), f"gib with {chosen.samples // 10} deals":
               Gib(max(1, chosen.samples // 10), 60.0), "kitchen": Kitchen()}
    losses: dict[str, list[int]] = {name: [] for name in players}
    if chosen.out is not None and chosen.out.exists():
        for line in chosen.out.read_text().splitlines():
            for name, lost in zip(losses, json.loads(line), strict=True):
                losses[name].append(lost)
    done = len(losses["kitchen"])
    for number, (hands, strain) in enumerate(deals(random.Random(5))):
        if number < done:
            continue
        if number == chosen.deals or time.perf_counter() - begun > chosen.seconds:
            break
        best = DoubleDummy(hands, memory=memory).tricks(strain, 3)
        for name, player in players.items():
            losses[name].append(best - declared(player, hands, strain, memory, number))
        if chosen.out is not None:
            with chosen.out.open("a") as file:
                file.write(json.dumps([lost[-1] for lost in losses.values()]) + "\n")
    for name, lost in losses.items():
        reach = 1.96 * statistics.stdev(lost) / len(lost) ** 0.5 if len(lost) > 1 else float("inf")
        print(f"{name}: {statistics.fmean(lost):.2f} ± {reach:.2f} tricks a deal below double dummy ({len(lost)} deals)")


if __name__ == "__main__":
    main()
