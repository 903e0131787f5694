"""Many hands at one table: chips are neither made nor lost, the button goes round, and an all-in counts by what it is worth."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outplay.cli.app import run
from outplay.errors import BadNotation, BadValue
from outplay.experts.poker import phh
from outplay.experts.poker.session import Table, session, without_luck
from outplay.game import load
from outplay.players import Player, player
from outplay.playing import Play


class Caller(Player):
    name = "caller"

    def pick(self, view, limits):
        return 1


class Pusher(Player):
    name = "pusher"

    def pick(self, view, limits):
        return view.actions()[-1]


@settings(max_examples=4, deadline=None)
@given(st.integers(2, 6), st.integers(0, 10**6), st.lists(st.integers(3, 60), min_size=6, max_size=6))
def test_chips_stay_at_the_table_and_the_button_goes_round(seats, seed, stacks):
    chips = stacks[:seats]
    game = f"hold'em:seats={seats},stack={'-'.join(map(str, chips))}"
    before, button = list(chips), seats - 1
    players = [player("random", seed=number) for number in range(seats)]
    for hand in session(load(game, compiled=False), players, hands=5, seed=seed, boards=2):
        assert sum(hand.chips) == sum(chips) and min(hand.chips) >= 0
        assert list(hand.chips) == [had + round(won) for had, won in zip(before, hand.won, strict=True)]
        assert sum(hand.fair) == pytest.approx(0, abs=1e-9) and hand.button == button
        assert all(hand.won[each] == 0 for each in range(seats) if not before[each])  # whoever has left wins nothing
        before = list(hand.chips)
        button = next(each % seats for each in range(button + 1, button + seats + 1) if before[each % seats])


def test_a_position_knows_its_chips():
    game = load("hold'em:stack=400", compiled=False)
    position = game.position("(180-220) AhKh QsQd | r6 c | Kd7h2c c r12")
    assert position.text() == "(180-220) AhKh QsQd | r6 c | Kd7h2c c r12" and game.position(position.text()) == position
    record = game.record(position.state)
    assert (record.stacks + record.staked).tolist() == [180, 220]
    folded = position.play("f")
    assert folded.utilities() == (-6.0, 6.0) and phh.read(phh.write(folded)).utilities() == folded.utilities()
    assert game.position("(400-400) - -") == game.start()
    for text in ("(180) - -", "(0-20) - -", "(180-900) - -", "(a-b) - -"):
        with pytest.raises(BadNotation, match="chips of 2 seats from 1 to 400"):
            game.position(text)
    with pytest.raises(BadNotation, match="there are 300 chips in play, not 350"):
        load("hold'em:stack=200-100", compiled=False).position("(190-160) - -")
    with pytest.raises(BadValue, match="has 2 seats, got 3"):
        Table("hold'em", ["a", "b", "c"])


def test_an_all_in_counts_as_it_does_on_average():
    """Aces against sevens before the flop: 0.88 of the pot by the exact count, whoever was lucky on the day."""
    play = Play(load("hold'em:stack=10", compiled=False), [Caller(), Pusher()], actions=["7c", "7d", "Ac", "Ad"], seed=4)
    play.finished()
    fair = without_luck(play, boards=300)
    assert play.outcome.utilities in ((10.0, -10.0), (-10.0, 10.0), (0.0, 0.0))
    assert fair[1] == pytest.approx(20 * 0.8 - 10, abs=1.6) and fair == without_luck(play, boards=300)
    folded = Play(load("hold'em:stack=10", compiled=False), [Caller(), Pusher()], actions=["7c", "7d", "Ac", "Ad", "f"])
    assert without_luck(folded) == folded.outcome.utilities


def test_one_has_all_chips_in_the_end_and_the_rest_have_left():
    game = load("hold'em:seats=3,stack=5-20-40", compiled=False)
    hands = list(session(game, [Pusher(), Pusher(), Caller()], hands=200, seed=1, boards=1))
    assert len(hands) < 200 and sorted(hands[-1].chips) == [0, 0, 65]
    assert {len(hand.record.players) for hand in hands} == {2, 3}


def test_the_command_and_the_terminal(tmp_path, capsys, monkeypatch):
    path = tmp_path / "hands.jsonl"
    asked = ["match", "hold'em:stack=40", "random", "random", "--hands", "5", "--seed", "3"]
    assert run([*asked, "--save", str(path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert 1 <= told["hands"] == len(path.read_text().splitlines()) <= 5
    assert sum(row["chips"] for row in told["players"]) == 80
    assert run([*asked, "--json"]) == 0 and json.loads(capsys.readouterr().out) == told
    assert run(["match", "nim", "random", "random", "--hands", "5"]) == 2 and "hand after hand (hold'em)" in capsys.readouterr().err
    said = []

    def answer(prompt=""):
        """Every hand is folded, as soon as there is something to fold to, and no third one begun."""
        print(prompt)
        said.append("" if "Enter" in prompt else "c" if said[-1:] == ["f"] else "f")
        if said.count("") == 2:
            raise EOFError
        return said[-1]

    monkeypatch.setattr("builtins.input", answer)
    run(["play", "hold'em:stack=40", "--against", "random:seed=2", "--seed", "8"])
    said = capsys.readouterr().out
    assert "chips: you" in said and "hand 2: Enter to go on" in said
