"""The hundred deals of the file, and random ones."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from pathlib import Path

from outplay.experts.bridge.double_dummy import DoubleDummy, Memory, winner_of
from outplay.games.bridge.notation import SEATS, card, parse_hands


@dataclass
class Known:
    """A deal with what is known of it."""

    hands: tuple[int, int, int, int]
    dealer: int
    vulnerability: int  # as `scoring.VULNERABILITIES`
    strain: int
    leader: int
    table: dict[str, dict[str, int]]
    par: int
    contracts: str
    first_cards: dict[int, int]
    play: list[int]
    trace: list[int]


def known_deals() -> list[Known]:
    """All of them. The file counts suits from spades, vulnerability as none, both, NS, EW, and tables by strain, then seat."""
    text = (Path(__file__).parent / "double_dummy_100.txt").read_text()
    found = []
    for block in text.split("PBN ")[1:]:
        lines = {line.split()[0]: line for line in ("PBN " + block).splitlines() if line.strip()}
        dealer, vulnerable, trump, leader = map(int, lines["PBN"].split()[1:5])
        numbers = list(map(int, lines["TABLE"].split()[1:]))
        table = {name: {} for name in SEATS}
        for k, strain in enumerate(("S", "H", "D", "C", "NT")):
            for seat, name in enumerate(SEATS):
                table[name][strain] = numbers[4 * k + seat]
        count = int(lines["FUT"].split()[1])
        columns = list(map(int, lines["FUT"].split()[2:]))
        suits, ranks, equals, scores = (columns[k * count : (k + 1) * count] for k in range(4))
        cards = {}
        for suit, rank, equal, score in zip(suits, ranks, equals, scores, strict=True):
            for each in (rank, *(r for r in range(2, 15) if equal >> r & 1)):
                cards[16 * (3 - suit) + each - 2] = score
        played = re.search('"(.*)"', lines["PLAY"])[1]
        found.append(Known(
            parse_hands(re.search('"(.*)"', lines["PBN"])[1]), dealer, (0, 3, 1, 2)[vulnerable],
            4 if trump == 4 else 3 - trump, leader, table, int(re.search(r"NS (-?\d+)", lines["PAR"])[1]), lines["PAR"], cards,
            [card(played[k : k + 2]) for k in range(0, len(played), 2)], list(map(int, lines["TRACE"].split()[2:]))))
    return found


def solved(known: Known, memory: Memory) -> tuple[dict[int, int], list[int]]:
    """Ours where the file has `first_cards` and `trace`: the leader's tricks by each lead, declarer's after each card."""
    leads = DoubleDummy(known.hands, memory=memory).cards(known.strain, known.leader)
    hands, leader, trick, won = list(known.hands), known.leader, [], 0
    trace = []
    for each in known.play[: len(known.trace) - 1]:
        hands[(leader + len(trick)) % 4] ^= 1 << each
        trick.append(each)
        if len(trick) == 4:
            leader = winner_of(trick, leader, known.strain)
            won += 1 - leader % 2
            trick = []
        north_south = won + DoubleDummy(hands, memory=memory).tricks(known.strain, leader, trick)
        trace.append(north_south if known.leader % 2 == 1 else 13 - north_south)
    return {lead: n if known.leader % 2 == 0 else 13 - n for lead, n in leads.items()}, trace


def random_hands(source: random.Random, tricks: int = 13) -> tuple[int, int, int, int]:
    """Four hands of so many cards each."""
    cards = source.sample([16 * suit + rank for suit in range(4) for rank in range(13)], 4 * tricks)
    return tuple(sum(1 << each for each in cards[seat * tricks : (seat + 1) * tricks]) for seat in range(4))
