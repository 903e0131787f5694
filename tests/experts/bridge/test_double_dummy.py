"""The double-dummy solver against a published file and against libdds."""

from __future__ import annotations

import json
import random
import threading

import pytest

from outplay.errors import BadNotation, BadValue, Unavailable
from outplay.experts.bridge import double_dummy_kernel as dd
from outplay.experts.bridge.double_dummy import DoubleDummy, Memory, card_text, table, winner_of
from outplay.games.bridge.notation import SEATS, STRAINS, cards_of, hands_text, parse_hands
from outplay.games.bridge.scoring import par
from tests.experts.bridge.deals import known_deals, random_hands, solved

MEMORY = Memory()


@pytest.mark.parametrize("number", range(0, 100, 10))
def test_tables_of_the_file(number: int) -> None:
    known = known_deals()[number]
    assert table(known.hands, memory=MEMORY) == known.table


def test_par_of_the_file() -> None:
    for known in known_deals():
        found = par(known.table, known.vulnerability)
        assert found.score == known.par


@pytest.mark.parametrize("number", (1, 2, 3))
def test_first_cards_and_play_of_the_file(number: int) -> None:
    known = known_deals()[number]
    leads, trace = solved(known, MEMORY)
    assert leads == known.first_cards and trace and trace == known.trace[1 : len(trace) + 1]


def test_random_deals_against_libdds() -> None:
    types, dds = pytest.importorskip("endplay.types"), pytest.importorskip("endplay.dds")
    source = random.Random(17)
    for _ in range(6):
        hands = random_hands(source)
        theirs = dds.calc_dd_table(types.Deal(hands_text(hands)))
        ours = table(hands, memory=MEMORY)
        denoms = (types.Denom.clubs, types.Denom.diamonds, types.Denom.hearts, types.Denom.spades, types.Denom.nt)
        players = (types.Player.north, types.Player.east, types.Player.south, types.Player.west)
        for strain, denom in zip(STRAINS, denoms, strict=True):
            for seat, player in zip(SEATS, players, strict=True):
                assert ours[seat][strain] == theirs[denom, player], (hands_text(hands), seat, strain)


def test_every_card_of_random_endings_against_libdds() -> None:
    """A sample of `benchmarks/bridge.py --check N`; every other one from a short deck, so that suits run and ruffs happen."""
    types, dds = pytest.importorskip("endplay.types"), pytest.importorskip("endplay.dds")
    denoms = (types.Denom.clubs, types.Denom.diamonds, types.Denom.hearts, types.Denom.spades, types.Denom.nt)
    players = (types.Player.north, types.Player.east, types.Player.south, types.Player.west)
    source = random.Random(23)
    for number in range(150):
        tricks = 4 + number % 5
        lowest = 12 - tricks if number % 2 else 0
        cards = source.sample([16 * suit + rank for suit in range(4) for rank in range(lowest, 13)], 4 * tricks)
        hands = [sum(1 << card for card in cards[seat * tricks : (seat + 1) * tricks]) for seat in range(4)]
        trump, leader = source.randrange(5), source.randrange(4)
        deal = types.Deal(hands_text(hands))
        deal.first, deal.trump = players[leader], denoms[trump]
        theirs = {"SHDC"[card.suit] + card.rank.abbr: n for card, n in dds.solve_board(deal)}
        ours = DoubleDummy(hands, memory=MEMORY).cards(trump, leader)
        assert {card_text(card): n if leader % 2 == 0 else tricks - n for card, n in ours.items()} == theirs, hands_text(hands)


def brute(hands: list[int], trump: int, leader: int, trick: tuple[int, ...], known: dict) -> int:
    """The textbook's minimax."""
    if not any(hands) and not trick:
        return 0
    key = (tuple(hands), leader, trick)
    if key not in known:
        seat = (leader + len(trick)) % 4
        cards = list(cards_of(hands[seat]))
        if trick:
            cards = [card for card in cards if card >> 4 == trick[0] >> 4] or cards
        values = []
        for card in cards:
            after, played = list(hands), (*trick, card)
            after[seat] ^= 1 << card
            if len(played) == 4:
                winner = winner_of(played, leader, trump)
                values.append((1 - winner % 2) + brute(after, trump, winner, (), known))
            else:
                values.append(brute(after, trump, leader, played, known))
        known[key] = max(values) if seat % 2 == 0 else min(values)
    return known[key]


def test_small_endings_against_minimax() -> None:
    source = random.Random(5)
    for round_ in range(60):
        hands = random_hands(source, 2 + round_ % 3)
        trump, leader = source.randrange(5), source.randrange(4)
        found = DoubleDummy(hands, memory=MEMORY).tricks(trump, leader)
        assert found == brute(list(hands), trump, leader, (), {}), hands_text(hands)


@pytest.mark.parametrize("crowded", ("entries", "shapes"))
def test_a_full_table_is_emptied(crowded: str) -> None:
    """Answers do not change where the table or its index runs over many times."""
    known = known_deals()[1]
    small = Memory(room=2000) if crowded == "entries" else Memory()
    solver = DoubleDummy(known.hands, memory=small)
    if crowded == "shapes":
        solver._slots = 6
    assert [solver.tricks(trump, leader) for trump in (3, 4) for leader in (0, 1)] == [
        13 - known.table[SEATS[3]][STRAINS[trump]] if leader == 0 else known.table[SEATS[0]][STRAINS[trump]]
        for trump in (3, 4) for leader in (0, 1)]
    assert small.work[dd.FLUSHES] > 10


def test_endings_of_five_tricks_are_quick() -> None:
    """Thirteen nodes each, a fraction of a millisecond; the figure is the benchmark's."""
    source, memory = random.Random(3), Memory()
    endings = [DoubleDummy(random_hands(source, 5), memory=memory) for _ in range(200)]
    for ending in endings:
        ending.tricks(4, 0)
    assert sum(ending.nodes for ending in endings) < 25 * len(endings)


def test_stops() -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(Unavailable):
        DoubleDummy(random_hands(random.Random(1)), stop=stop).tricks("NT", "N")


def test_bad_input_gets_one_line() -> None:
    with pytest.raises(BadNotation, match="expected four hands"):
        parse_hands("N:AK.. 32..")
    with pytest.raises(BadNotation, match="expected ranks"):
        parse_hands("N:AX... K... Q... J...")
    with pytest.raises(BadValue, match="same number of cards"):
        DoubleDummy(parse_hands("N:AK... Q... J... T...")).tricks("NT", "N")


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    from outplay.cli.app import run

    assert run(["dd", "N:A.2.. K.3.. 2.A.. 3.K..", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["table"]["North"] == {"C": 2, "D": 2, "H": 2, "S": 2, "NT": 2} and answer["par"] is None
    assert run(["dd", "N:A.2.. K.3.. 2.A.. 3.K..", "--strain", "H", "--leader", "E", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["tricks"] == {"SK": 0, "H3": 0}
    assert run(["dd", "N:A.2.. K.3.. 2.A.. 3.K..", "--strain", "X"]) == 2
    assert "expected a strain" in capsys.readouterr().err


def test_a_plan_is_worth_no_more_than_open_cards() -> None:
    from outplay.experts.bridge.single_dummy import plan

    source = random.Random(8)
    for _ in range(3):
        north, east, south, west = random_hands(source, 2)
        others = list(cards_of(east | west))
        deals = []
        for one in range(4):
            for other in range(one):
                hand = 1 << others[one] | 1 << others[other]
                deals.append((north, hand, south, (east | west) ^ hand))
        trump = source.randrange(5)
        averages = [DoubleDummy(deal, memory=MEMORY).cards(trump, 2) for deal in deals]
        for card, worth in plan(deals, trump, 2).items():
            assert worth <= sum(each[card] for each in averages) / len(deals) + 1e-9


@pytest.mark.parametrize(("number", "trump", "leader", "tricks", "nodes", "of_all_cards"), [
    (0, "NT", "W", 6, 89_589, 160_053), (0, "S", "N", 5, 19_344, 60_125), (17, "NT", "W", 3, 13, 6_722),
    (17, "S", "N", 3, 2_086, 8_926), (42, "S", "N", 3, 393_599, 625_935),
])  # fmt: skip
def test_a_change_that_is_none_leaves_the_nodes_as_they_are(number, trump, leader, tricks, nodes, of_all_cards) -> None:
    solver = DoubleDummy(known_deals()[number].hands, memory=Memory())
    assert (solver.tricks(trump, leader), solver.nodes) == (tricks, nodes)
    solver = DoubleDummy(known_deals()[number].hands, memory=Memory())
    assert len(solver.cards(trump, leader)) == 13 and solver.nodes == of_all_cards
