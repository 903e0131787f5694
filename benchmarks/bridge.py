"""Double dummy beside libdds on one core: tables and single solves of full deals, endings of five tricks; and proofs of exactness.

    python benchmarks/bridge.py [--deals N]              speed: tables, the best lead's tricks, every lead's tricks, endings
    python benchmarks/bridge.py --check N [--seed S]     N random deals and endings: every card's tricks must be libdds's
    python benchmarks/bridge.py --file                   the hundred deals of tests/bridge/double_dummy_100.txt, whole

libdds is called through the package endplay; both run in this process, by turns, and CPU seconds are compared.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from pathlib import Path
from typing import Any

from outplay.engine.double_dummy import DoubleDummy, Memory, card_text, table
from outplay.games.bridge.notation import SEATS, STRAINS, hands_text
from outplay.games.bridge.scoring import par


def random_hands(source: random.Random, tricks: int = 13) -> tuple[int, ...]:
    """Four hands of so many cards each."""
    cards = source.sample([16 * suit + rank for suit in range(4) for rank in range(13)], 4 * tricks)
    return tuple(sum(1 << each for each in cards[seat * tricks : (seat + 1) * tricks]) for seat in range(4))


def speed(deals: int, seed: int) -> None:
    """Measure and print."""
    from endplay.dds import calc_dd_table, solve_board
    from endplay.dds.solve import SolveMode
    from endplay.types import Deal, Denom, Player

    source, memory = random.Random(seed), Memory()
    denoms = (Denom.clubs, Denom.diamonds, Denom.hearts, Denom.spades, Denom.nt)
    players = (Player.north, Player.east, Player.south, Player.west)
    DoubleDummy(random_hands(source, 2), memory=memory).tricks(4, 0)  # compiled or loaded
    spent: dict[str, list[float]] = {}
    wrong = 0

    def timed(name: str, who: int, action: Any) -> Any:
        begun = time.process_time()
        answer = action()
        spent.setdefault(name, [0.0, 0.0])[who] += time.process_time() - begun
        return answer

    for _ in range(deals):
        hands = random_hands(source)
        deal = Deal(hands_text(hands))
        trump = source.randrange(5)
        ours = timed("tables", 0, lambda hands=hands: table(hands, memory=memory))
        theirs = timed("tables", 1, lambda deal=deal: calc_dd_table(deal))
        wrong += sum(ours[seat][strain] != theirs[denom, player] for strain, denom in zip(STRAINS, denoms, strict=True)
                     for seat, player in zip(SEATS, players, strict=True))
        deal.first, deal.trump = Player.west, denoms[trump]
        timed("single solves", 0, lambda hands=hands, trump=trump: DoubleDummy(hands, memory=memory).tricks(trump, 3))
        timed("single solves", 1, lambda deal=deal: solve_board(deal, SolveMode.OptimalOne))
        timed("every lead", 0, lambda hands=hands, trump=trump: DoubleDummy(hands, memory=memory).cards(trump, 3))
        timed("every lead", 1, lambda deal=deal: solve_board(deal))
    for name, (us, them) in spent.items():
        print(f"{name}: outplay {1000 * us / deals:.1f} ms, libdds {1000 * them / deals:.1f} ms, "
              f"speed {them / us:.2f} of libdds ({deals} random deals, CPU time)")
    print(f"wrong entries: {wrong}")
    endings = [random_hands(source, 5) for _ in range(500)]
    begun = time.process_time()
    for hands in endings:
        DoubleDummy(hands, memory=memory).tricks(4, 0)
    print(f"endings of five tricks: {1000 * (time.process_time() - begun) / len(endings):.3f} ms")


def check(deals: int, seed: int) -> int:
    """Random deals of 5 to 13 cards a hand: the tricks of each card of a random leader in a random strain. Counts the wrong."""
    from endplay.dds import solve_board
    from endplay.types import Deal, Denom, Player

    source, memory, wrong = random.Random(seed), Memory(), 0
    denoms = (Denom.clubs, Denom.diamonds, Denom.hearts, Denom.spades, Denom.nt)
    players = (Player.north, Player.east, Player.south, Player.west)
    for number in range(deals):
        hands = random_hands(source, 13 - number % 9)
        trump, leader = source.randrange(5), source.randrange(4)
        deal = Deal(hands_text(hands))
        deal.first, deal.trump = players[leader], denoms[trump]
        theirs = {"SHDC"[card.suit] + card.rank.abbr: tricks for card, tricks in solve_board(deal)}
        total = 13 - number % 9
        ours = {card_text(card): n if leader % 2 == 0 else total - n
                for card, n in DoubleDummy(hands, memory=memory).cards(trump, leader).items()}
        if theirs != ours:
            wrong += 1
            print(f"wrong: {hands_text(hands)} {STRAINS[trump]} {SEATS[leader]} leads: {ours}, libdds {theirs}")
    print(f"{deals} random deals of 5 to 13 cards a hand: {wrong} wrong")
    return wrong


def known_file() -> int:
    """Tables, par, the leads and the tricks after every card of the play, for all deals of the file. Returns the wrong ones."""
    sys.path.insert(0, str(Path(__file__).parent.parent))
    from tests.bridge.deals import known_deals, solved

    memory, wrong, begun = Memory(), 0, time.process_time()
    for number, known in enumerate(known_deals(), 1):
        found = table(known.hands, memory=memory)
        right = found == known.table and par(found, known.vulnerability).score == known.par
        leads, trace = solved(known, memory)
        if not (right and leads == known.first_cards and trace == known.trace[1 : len(trace) + 1]):
            wrong += 1
            print(f"wrong: deal {number}")
    print(f"100 deals, tables, par, leads and tricks after each card: {wrong} wrong, {time.process_time() - begun:.0f} CPU s")
    return wrong


def main() -> None:
    """Read the options."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--check", type=int, metavar="N")
    parser.add_argument("--file", action="store_true")
    chosen = parser.parse_args()
    if chosen.check:
        sys.exit(1 if check(chosen.check, chosen.seed) else 0)
    if chosen.file:
        sys.exit(1 if known_file() else 0)
    speed(chosen.deals, chosen.seed)


if __name__ == "__main__":
    main()
