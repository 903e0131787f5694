"""Monopoly: every rule in a position of its own, and the movement against the exact chain."""

import pytest

from outplay.engine.frames.many import maxn
from outplay.errors import BadNotation, IllegalAction
from outplay.game import load
from outplay.games.monopoly import board
from outplay.games.monopoly.movement import long_run, puzzle, walked
from outplay.players import player

GAME = load("monopoly:players=2", compiled=False)
FOUR = load("monopoly", compiled=False)


def at(people, deeds="-", rest="- 9/200 A rolls 21 ffff/ffff", game=GAME):
    return game.position(f"{people} {deeds} {rest}")


def cash(position):
    return [int(each.split("@")[0][1:]) if "@" in each else None for each in position.text().split()[0].split(",")]


def words(position):
    return {position.action_text(action) for action in position.actions()}


@pytest.mark.parametrize(
    ("deeds", "throw", "rent"),
    [
        ("6B", "x51", 6),  # one of three
        ("6B,8B,9B", "x51", 12),  # a whole set without houses: twice
        ("6Bm,8B,9B", "x51", 0),  # mortgaged
        ("6B3,8B3,9B3", "x51", 270),
        ("6B5,8B5,9B5", "x51", 550),
        ("5B", "x41", 25), ("5B,15B", "x41", 50), ("5B,15B,25B", "x41", 100), ("5B,15B,25B,35B", "x41", 200),
        ("12B", "x66", 48), ("12B,28B", "x66", 120),
    ],
)  # fmt: skip
def test_rent(deeds, throw, rent):
    assert cash(at("A1500@0,B1500@20", deeds).play(throw)) == [1500 - rent, 1500 + rent]


def test_a_turn_buys_passes_the_start_and_goes_on_with_doubles():
    position = at("A1500@38,B1500@20").play("x22")  # four on: past the start to a town card, and a double
    assert position.is_chance() and cash(position) == [1700, 1500] and len(position.chances()) == 16
    position = position.play("t3")  # the bank counted wrong
    assert cash(position) == [1900, 1500] and position.is_chance()  # throws again
    position = position.play("x31 buy")
    assert "6A" in position.text() and cash(position) == [1800, 1500]
    third = at("A1500@38,B1500@20", rest="- 9/200 A rolls 22 ffff/ffff doubles=2").play("x44")
    assert "A1500@10j1" in third.text()  # three doubles: to jail, without the salary


def test_jail_is_left_by_a_double_by_bail_by_a_card_and_at_last_by_force():
    inside = at("A1500@10j1,B1500@20", rest="tA 9/200 A jailed 21 ffff/fffb")
    assert words(inside) == {"try", "pay", "use-card"}
    assert "A1500@10j2" in inside.play("try x21").text()
    out = inside.play("try x55")
    assert "A1500@20" in out.text() and not out.is_chance()  # no second throw
    assert load("monopoly:players=2,jail_double=yes", compiled=False).position(inside.text()).play("try x55").is_chance()
    assert cash(inside.play("pay x21"))[0] == 1450
    assert " - 9/200" in inside.play("use-card x21").text()
    assert "A1450@13" in at("A1500@10j3,B1500@20", rest="- 9/200 A jailed 21 ffff/ffff").play("try x21").text()
    poor = at("A20@10j3,B1500@20", "6A", "- 9/200 A jailed 21 ffff/ffff").play("try x21")
    assert words(poor) == {"mortgage:6"}  # the bail must be raised, then the throw counts
    assert "A20@13" in poor.play("mortgage:6").text()


def test_cards_move_collect_and_are_dealt_without_replacement():
    here = at("A1500@3,B1500@20", "12B,15B", "- 9/200 A rolls 21 ffff/ffff").play("x31")
    names = dict(enumerate(card[3] for card in board.FORTUNE_CARDS))
    near = next(key for key, name in names.items() if "next utility" in name)
    assert cash(here.play(f"f{near} x64")) == [1400, 1600]  # ten times a new throw
    station = next(key for key, name in names.items() if "next station" in name)
    assert cash(here.play(f"f{station}")) == [1450, 1550]  # twice the fare
    back = next(key for key, name in names.items() if "three spaces back" in name)
    assert "A1300@4" in here.play(f"f{back}").text()  # onto the income tax
    keep = board.OUT_CARD[0]
    kept = here.play(f"f{keep}")
    assert " fA " in kept.text() and f"{0xFFFF & ~(1 << keep):04x}/ffff" in kept.text()
    last = at("A1500@3,B1500@20", rest="fB 9/200 A rolls 21 0800/ffff").play("x31 f11")  # the last card: shuffled, without B's
    assert f"{0xFFFF & ~(1 << keep):04x}/ffff" in last.text()


def test_everybody_pays_at_a_birthday_and_who_cannot_raises_it():
    names = [card[3] for card in board.TOWN_CARDS]
    card = next(at for at, name in enumerate(names) if "birthday" in name)
    four = at("A1500@0,B5@20,C9@20,D1500@20", "1B", "- 9/200 A rolls 21 ffff/ffff", FOUR).play(f"x11 t{card}")
    assert four.player() == 1 and words(four) == {"mortgage:1"}
    after = four.play("mortgage:1")
    assert cash(after) == [1500 + 10 + 9 + 10, 25, None, 1490]  # C had nine and nothing to sell


def test_building_is_even_and_stops_when_the_houses_are_out():
    mine = at("A1500@0,B1500@20", "6A1,8A,9A", "- 9/200 A manages 21 ffff/ffff")
    assert {"build:8", "build:9", "sell:6"} <= words(mine) and "build:6" not in words(mine) and "mortgage:8" not in words(mine)
    assert "8A1" in mine.play("build:8").text() and cash(mine.play("build:8")) == [1450, 1500]
    assert "sell:6" not in words(mine.play("build:8"))  # who builds in a turn sells nothing any more in it
    few = load("monopoly:players=2,houses=4", compiled=False)
    full = few.position("A1500@0,B1500@20 1A,3A,6B1,8B1,9B2 - 9/200 A manages 21 ffff/ffff")
    assert not any(word.startswith("build") for word in words(full))  # the shortage of houses
    broken = few.position("A0@1,B1500@20 1A5,3A5,6B1,8B1,9B2 - 9/200 A rolls 21 ffff/ffff").play("x21")  # income tax
    assert words(broken) == {"sell-all:1"}  # no houses to break a hotel down into
    assert cash(broken.play("sell-all:1")) == [50, 1500]


def test_mortgages_cost_interest_and_trades_too():
    pledged = at("A100@0,B1500@20", "6Am", "- 9/200 A manages 21 ffff/ffff")
    assert cash(pledged.play("redeem:6")) == [45, 1500]
    trade = at("A1000@0,B1000@20", "6A,8A,9Bm,11B,13A,14B", "- 9/200 A manages 21 ffff/ffff")
    offers = {word for word in words(trade) if word.startswith("offer")}
    assert "offer:B:13:9:+100" in offers and "offer:B:-:9:+240" in offers  # 13 completes B's set, 9 completes A's
    done = trade.play("offer:B:13:9:+100 accept")
    assert "9Am" in done.text() and "13B" in done.text() and cash(done) == [1000 - 100 - 6, 1100]  # 10 % of the mortgage of 60
    assert cash(trade.play("offer:B:13:9:+100 refuse")) == [1000, 1000]
    assert not any(word.startswith("offer") for word in words(done))  # one offer a turn


def test_auctions_go_to_the_highest_bid():
    bids = at("A1500@0,B60@20").play("x51 decline")
    assert bids.player() == 1 and words(bids) == {"pass", "bid+10", "bid+50"}
    sold = bids.play("bid+50 bid+10")
    assert "6A" in sold.text() and cash(sold) == [1440, 60]  # B cannot go above 60
    assert " - - " in bids.play("pass pass").text()
    assert at("A1500@0,B60@20", game=load("monopoly:players=2,auctions=no", compiled=False)).play("x51 decline").player() == 0


def test_bankrupt_to_a_player_and_to_the_bank():
    lost = at("A10@0,B1500@20,C100@20,D100@20", "1Am,6B5,8B5,9B5", "fA 9/200 A rolls 21 fbff/ffff", FOUR).play("x51")
    assert "Aout" in lost.text() and "1Bm" in lost.text() and " fB " in lost.text() and cash(lost)[1] == 1510 - 3
    bank = at("A10@0,B1500@20,C100@20,D100@20", "1A,3Am", "- 9/200 A rolls 21 ffff/ffff", FOUR).play("x31")
    assert "Aout" in bank.text() and "lots=1.3" in bank.text() and bank.player() == 1  # both are auctioned, free of mortgage
    over = at("A10@0,B1500@20", "6B5,8B5,9B5").play("x51")
    assert over.is_terminal() and over.utilities() == (0.0, 1.0)


def test_the_horizon_counts_net_worth():
    last = load("monopoly:players=2,turns=9", compiled=False).position("A800@0,B1000@20 6A,8B - 9/9 A manages 21 ffff/ffff")
    assert last.play("done").utilities() == (900 / 2000, 1100 / 2000)


def test_house_rules():
    pot = load("monopoly:players=2,parking=yes,double_start=yes", compiled=False)
    taxed = pot.position("A1500@1,B1500@20 - - 9/200 A rolls 21 ffff/ffff").play("x21")
    assert "pot=200" in taxed.text()
    assert cash(pot.position("A1500@17,B1500@20 - - 9/200 A rolls 21 ffff/ffff pot=200").play("x21")) == [1700, 1500]
    assert cash(pot.position("A1500@37,B1500@20 - - 9/200 A rolls 21 ffff/ffff").play("x21")) == [1900, 1500]
    quiet = load("monopoly:players=2,jail_rent=no", compiled=False)
    assert cash(quiet.position("A1500@0,B1500@10j1 6B - 9/200 A rolls 21 ffff/ffff").play("x51")) == [1500, 1500]


def test_bad_positions_and_actions_get_one_line():
    with pytest.raises(BadNotation, match="houses stand evenly"):
        at("A1500@0,B1500@0", "6A3,8A,9A")
    with pytest.raises(BadNotation, match="expected 2 players"):
        GAME.position("A1500@0")
    with pytest.raises(IllegalAction):
        at("A1500@0,B1500@0").play("x51 build:6")


def test_the_chain_has_the_published_numbers():
    at_once, stays = long_run(), long_run(stays=True, second_throw=True)
    assert [round(100 * at_once[where], 3) for where in ("jail", 24, 0)] == [3.950, 3.186, 3.096]
    assert round(100 * stays["jail"], 3) == 9.457 and sum(stays.values()) == pytest.approx(1)
    assert sorted((round(100 * share, 4) for share in puzzle().values()), reverse=True)[:3] == [6.2422, 3.1838, 3.0952]
    four_sided = puzzle(faces=4)
    assert sorted(four_sided, key=lambda space: -four_sided[space])[:3] == [10, 15, 24]


@pytest.mark.parametrize("stays", [False, True])
def test_a_million_throws_of_the_game_agree_with_the_chain(stays):
    game = load("monopoly:players=2,auctions=no")
    seen, exact = walked(game, 1_000_000, stays=stays, seed=1), long_run(stays=stays)
    for where, share in exact.items():
        assert 100 * seen[where] == pytest.approx(100 * share, abs=0.1 if where == "jail" else 0.08)


def test_the_rule_of_thumb_plays():
    position = at("A1500@0,B1500@20").play("x51")
    assert position.action_text(player("thumb").choose(position)) == "buy"
    assert position.action_text(player("engine:maxn,depth=1").choose(position)) == "buy"


def test_one_look_ahead_sees_the_answer_to_an_offer():
    position = at("A1000@11,B1000@20", "6A,8A,9B,11B,13A,14B", "- 9/200 A manages 21 ffff/ffff")

    def worth(after):
        """What an action is worth to A: B answers an offer as suits B."""
        if not position.game.record(after.state).urgent():
            return after.evaluate(0)
        return max((after.result(answer) for answer in after.actions()), key=lambda answered: answered.evaluate(1)).evaluate(0)

    found = maxn(position, depth=1)
    assert found.value[0] == pytest.approx(max(worth(position.result(action)) for action in position.actions()))
    offers = sum(word.startswith("offer:") for word in words(position))
    assert found.leaves == maxn(position, depth=1, extensions=False).leaves + offers > offers > 0  # two answers each


def test_evaluation_counts_a_bid_as_paid_and_its_lot_as_owned():
    game = load("monopoly:players=2", compiled=False)
    auction = game.start().play("x51 decline")  # A lands on 6, price 100
    low, passed = auction.play("bid+10"), auction.play("pass")
    assert low.evaluate(auction.player()) > passed.evaluate(auction.player())  # a deed of 100 for 10
    dear = auction
    while "bid+100" in [dear.action_text(action) for action in dear.actions()]:
        before, dear = dear, dear.play("bid+100")
    assert dear.evaluate(before.player()) < before.evaluate(before.player())  # all cash for a cheap deed


def test_a_swap_that_makes_two_sets_is_worth_more_than_what_blocks_both():
    # orange 16, 18, 19 and red 21, 23, 24: each holds two of one set and one of the other
    text = "A1000@0,B1000@0,C1000@0 16A,18A,19{0},21B,23B,24{1} - 50/200 A manages 21 ffff/ffff"
    game = load("monopoly:players=3", compiled=False)
    apart, swapped = game.position(text.format("B", "A")), game.position(text.format("A", "B"))
    assert all(swapped.evaluate(seat) > apart.evaluate(seat) for seat in (0, 1)) and swapped.evaluate(2) < apart.evaluate(2)
