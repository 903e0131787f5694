"""Double dummy beside libdds on one core: tables and single solves of full deals, endings of five tricks; and proofs of exactness.

    python benchmarks/bridge.py [--deals N]              speed: tables, the best lead's tricks, every lead's tricks, endings
    python benchmarks/bridge.py --check N [--seed S]     N random deals: all 20 entries of the table must be libdds's
    python benchmarks/bridge.py --check N --what cards   N random deals and endings: every card's tricks must be libdds's
    python benchmarks/bridge.py --file                   the hundred deals of tests/experts/bridge/double_dummy_100.txt, whole

Both run in one process, by turns, and CPU seconds are compared. --check takes --processes, --seconds and --out FILE, from which a
second call goes on.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import items
from libdds import Libdds, library

from outplay.experts.bridge.double_dummy import DoubleDummy, Memory, table
from outplay.games.bridge.notation import SEATS, STRAINS, hands_text
from outplay.games.bridge.scoring import par

Hands = tuple[int, ...]


def random_hands(source: random.Random, tricks: int = 13, lowest: int = 0) -> Hands:
    """Four hands of so many cards each, no rank under the lowest (0 is the deuce)."""
    cards = source.sample([16 * suit + rank for suit in range(4) for rank in range(lowest, 13)], 4 * tricks)
    return tuple(sum(1 << each for each in cards[seat * tricks : (seat + 1) * tricks]) for seat in range(4))


def speed(deals: int, seed: int) -> None:
    """Measure and print. Each kind of question has its own deals: asked about the same deal again, libdds keeps its table."""
    oracle, source, memory = Libdds(), random.Random(seed), Memory()
    DoubleDummy(random_hands(source, 2), memory=memory).tricks(4, 0)  # compiled or loaded
    wrong = 0

    def best(hands: Hands, number: int) -> int:
        found = DoubleDummy(hands, memory=memory).tricks(number % 5, number % 4)
        return found if number % 2 == 0 else 13 - found

    kinds: dict[str, tuple[Callable[[Hands, int], Any], Callable[[Hands, int], Any]]] = {
        "tables": (lambda hands, number: rows(table(hands, memory=memory)), lambda hands, number: oracle.table(hands)),
        "best lead": (best, lambda hands, number: oracle.best(hands, number % 5, number % 4)),
        "every lead": (lambda hands, number: every_card(hands, number % 5, number % 4, memory),
                       lambda hands, number: oracle.cards(hands, number % 5, number % 4)),
    }
    for name, pair in kinds.items():
        spent = [0.0, 0.0]
        ratios = []
        for number in range(deals):
            hands, took, answers = random_hands(source), [0.0, 0.0], []
            for who in (number % 2, 1 - number % 2):
                begun = time.process_time()
                answers.append(pair[who](hands, number))
                took[who] = time.process_time() - begun
                spent[who] += took[who]
            wrong += answers[0] != answers[1]
            ratios.append(math.log(took[1] / took[0]))
        print(f"{name}: outplay {1000 * spent[0] / deals:.1f} ms, libdds {1000 * spent[1] / deals:.1f} ms, speed "
              f"{spent[1] / spent[0]:.2f} of libdds, {math.exp(statistics.fmean(ratios)):.2f} in the geometric mean "
              f"({deals} random deals, CPU time)", flush=True)
    print(f"wrong answers: {wrong}")
    endings = [random_hands(source, 5) for _ in range(500)]
    begun = time.process_time()
    for hands in endings:
        DoubleDummy(hands, memory=memory).tricks(4, 0)
    print(f"endings of five tricks: {1000 * (time.process_time() - begun) / len(endings):.3f} ms")


def rows(found: dict[str, dict[str, int]]) -> list[list[int]]:
    """Our table in the order of libdds's: by strain, then by seat."""
    return [[found[seat][strain] for seat in SEATS] for strain in STRAINS]


def every_card(hands: Hands, trump: int, leader: int, memory: Memory) -> dict[int, int]:
    """Tricks of the leader's side after each of its cards."""
    total = int(hands[0]).bit_count()
    found = DoubleDummy(hands, memory=memory).cards(trump, leader)
    return {card: tricks if leader % 2 == 0 else total - tricks for card, tricks in found.items()}


class Checker:
    """One process that holds random deals against libdds: whole tables, or every card of a random leader."""

    def __init__(self, chosen: argparse.Namespace) -> None:
        self.seed, self.memory, self.oracle = chosen.seed, Memory(), Libdds()

    def table(self, number: int) -> dict[str, Any]:
        """One whole table of 20 entries, with the CPU seconds of both."""
        hands = random_hands(random.Random(f"{self.seed} table {number}"))
        begun = time.process_time()
        ours = rows(table(hands, memory=self.memory))
        middle = time.process_time()
        theirs = self.oracle.table(hands)
        return {"deal": hands_text(hands), "right": ours == theirs,
                "outplay": middle - begun, "libdds": time.process_time() - middle}

    def cards(self, number: int) -> dict[str, Any]:
        """Every card of one hand of 5 to 13; every third time from a short deck, so that suits run and ruffs happen."""
        source = random.Random(f"{self.seed} cards {number}")
        tricks = 5 + number % 9
        hands = random_hands(source, tricks, max(0, 12 - tricks) if number % 3 == 0 else 0)
        trump, leader = source.randrange(5), source.randrange(4)
        begun = time.process_time()
        ours = every_card(hands, trump, leader, self.memory)
        middle = time.process_time()
        theirs = self.oracle.cards(hands, trump, leader)
        return {"deal": hands_text(hands), "strain": STRAINS[trump], "leader": SEATS[leader], "right": ours == theirs,
                "outplay": middle - begun, "libdds": time.process_time() - middle}


def check(chosen: argparse.Namespace) -> int:
    """Hold random deals against libdds in many processes. Counts the wrong."""
    chosen.items = chosen.check
    DoubleDummy([1, 2, 4, 8]).tricks(4, 0)
    library()  # where it is missing, say so once and not in every process
    lines = items.run(lambda chosen: getattr(Checker(chosen), chosen.what), chosen)
    wrong = [line for line in lines if not line["right"]]
    for line in wrong:
        print("wrong:", {key: line[key] for key in ("deal", "strain", "leader") if key in line})
    ours, theirs = (sum(line[who] for line in lines) for who in ("outplay", "libdds"))
    print(f"{len(lines)} random deals, {chosen.what}: {len(wrong)} wrong; {theirs / max(ours, 1e-9):.2f} of libdds's speed")
    return len(wrong)


def known_file() -> int:
    """Tables, par, the leads and the tricks after every card of the play, for all deals of the file. Returns the wrong ones."""
    sys.path.insert(0, str(Path(__file__).parent.parent))
    from tests.experts.bridge.deals import known_deals, solved

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
    parser.add_argument("--what", choices=("table", "cards"), default="table")
    items.add_options(parser)
    parser.add_argument("--file", action="store_true")
    chosen = parser.parse_args()
    if chosen.check:
        sys.exit(1 if check(chosen) else 0)
    if chosen.file:
        sys.exit(1 if known_file() else 0)
    speed(chosen.deals, chosen.seed)


if __name__ == "__main__":
    main()
