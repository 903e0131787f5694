"""Double dummy beside libdds on one core: whole tables and single solves of full deals, endings of five tricks.

    python benchmarks/bridge.py [--deals N]

libdds is called through the package endplay; both run in this process, by turns, and CPU seconds are compared. Mind that endplay's
`solve_board` tells every card of the leader, while ours finds the best result alone: only the tables are like for like.
"""

from __future__ import annotations

import argparse
import random
import time

from outplay.engine.double_dummy import DoubleDummy, Memory, table
from outplay.games.bridge.notation import SEATS, STRAINS, hands_text


def random_hands(source: random.Random, tricks: int = 13) -> tuple[int, ...]:
    """Four hands of so many cards each."""
    cards = source.sample([16 * suit + rank for suit in range(4) for rank in range(13)], 4 * tricks)
    return tuple(sum(1 << each for each in cards[seat * tricks : (seat + 1) * tricks]) for seat in range(4))


def main() -> None:
    """Measure and print."""
    from endplay.dds import calc_dd_table, solve_board
    from endplay.types import Deal, Denom, Player

    parser = argparse.ArgumentParser()
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    source, memory = random.Random(chosen.seed), Memory()
    denoms = (Denom.clubs, Denom.diamonds, Denom.hearts, Denom.spades, Denom.nt)
    players = (Player.north, Player.east, Player.south, Player.west)
    DoubleDummy(random_hands(source, 2), memory=memory).tricks(4, 0)  # compiled or loaded
    spent = {"tables": [0.0, 0.0], "single solves": [0.0, 0.0]}
    wrong = 0
    for _ in range(chosen.deals):
        hands = random_hands(source)
        deal = Deal(hands_text(hands))
        marks = [time.process_time()]
        ours = table(hands, memory=memory)
        marks.append(time.process_time())
        theirs = calc_dd_table(deal)
        marks.append(time.process_time())
        wrong += sum(ours[seat][strain] != theirs[denom, player] for strain, denom in zip(STRAINS, denoms, strict=True)
                     for seat, player in zip(SEATS, players, strict=True))
        trump = source.randrange(5)
        deal.first, deal.trump = Player.west, denoms[trump]
        marks.append(time.process_time())
        DoubleDummy(hands, memory=memory).tricks(trump, 3)
        marks.append(time.process_time())
        solve_board(deal)
        marks.append(time.process_time())
        for name, at in (("tables", 0), ("single solves", 3)):
            for who in (0, 1):
                spent[name][who] += marks[at + who + 1] - marks[at + who]
    for name, (us, them) in spent.items():
        print(f"{name}: outplay {1000 * us / chosen.deals:.1f} ms, libdds {1000 * them / chosen.deals:.1f} ms, "
              f"speed {them / us:.2f} of libdds ({chosen.deals} random deals, CPU time)")
    print(f"wrong entries: {wrong}")
    endings = [random_hands(source, 5) for _ in range(500)]
    begun = time.process_time()
    for hands in endings:
        DoubleDummy(hands, memory=memory).tricks(4, 0)
    print(f"endings of five tricks: {1000 * (time.process_time() - begun) / len(endings):.3f} ms")


if __name__ == "__main__":
    main()
