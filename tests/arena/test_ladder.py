"""A ladder gives every player of a game a number, and rates others by it."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import outplay
from outplay.arena import ladder as ladders
from outplay.arena.elo import expected, ratings
from outplay.arena.ladder import Ladder, fit, make, rate
from outplay.cli.app import run
from outplay.errors import BadValue, Unavailable, Unsuitable

NAMES = ["random", "alphabeta:depth=1", "alphabeta:depth=2", "alphabeta"]


@pytest.fixture(scope="module")
def nim():
    return outplay.load("nim")


@pytest.fixture(scope="module")
def made(nim):
    return list(make(nim, NAMES, games=30))[-1]


def test_strength_has_its_order(made):
    rungs = made.rungs()
    assert rungs[0].name == "random" and rungs[0].elo == 0 and rungs[-1].name == "alphabeta"
    assert all(rung.games >= 30 and 0 < rung.error < 400 for rung in rungs)


def test_the_fit_is_the_one_of_bradley_and_terry():
    """Against the other implementation in the house: each has a prior of its own, and many games drown both."""
    source = random.Random(3)
    strength = (0.0, 150.0, 300.0)
    games = [(a, b, float(source.random() < expected(strength[a] - strength[b])))
             for a, b in ((0, 1), (1, 2), (0, 2)) for _ in range(4000)]
    sums = {}
    for a, b, points in games:
        won, played = sums.get((a, b), (0.0, 0))
        sums[a, b] = won + points, played + 1
    ours = fit([(*pair, *each) for pair, each in sums.items()], 3)
    others = ratings(games, 3)
    for a, b in ((0, 1), (1, 2)):
        assert ours[b].difference - ours[a].difference == pytest.approx(others[b].difference - others[a].difference, abs=2)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 20)), min_size=1, max_size=12))
def test_every_fit_is_finite(met):
    found = Ladder("nim", NAMES)
    for first, second, won in met:
        if first != second:
            found.add(first, second, float(won), 20)
    assert all(rung.elo == rung.elo and abs(rung.elo) < 1e4 for rung in found.rungs())


def test_a_ladder_is_kept_and_gone_on_with(nim, made, tmp_path):
    path = tmp_path / "nim.json"
    made.save(path)
    again = Ladder.read(path)
    assert again.met == made.met and again.rungs() == made.rungs()
    assert list(make(nim, NAMES, games=30, begun=again)) == []  # nothing is left to play
    path.write_text('{"game": "nim", "players": ["a"], "met": [[0, 5, 1, 2]]}')
    with pytest.raises(BadValue, match="is no ladder"):
        Ladder.read(path)
    path.write_text(made.text().replace('"nim"', '"chess"'))
    with pytest.raises(BadValue, match="is a ladder of chess, not of nim"):
        ladders.ladder_of(nim, path)


def test_a_player_is_rated_where_it_stands(nim, made):
    """A rung that is taken off and rated anew comes out where it stood, within both errors."""
    stood = next(rung for rung in made.rungs() if rung.name == "alphabeta:depth=1")
    told = list(rate(nim, outplay.player("alphabeta:depth=1"), made, games=60, without=("alphabeta:depth=1",), seed=5))[-1]
    assert abs(told.elo - stood.elo) < 2 * (told.error + stood.error) and told.games <= 60 and told.illegal == 0


def test_an_illegal_player_is_told(nim, made):
    class Broken(outplay.Player):
        name = "broken"

        def pick(self, view, limits):
            return 10**6

    told = list(rate(nim, Broken(), made, games=4))[-1]
    assert told.illegal == told.games == 4 and told.elo < made.rungs()[-1].elo


def test_the_commands(made, tmp_path, capsys):
    path = tmp_path / "nim.json"
    made.save(path)
    assert run(["ladder", "nim", "--ladder", str(path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["players"][-1]["name"] == "random" and {"name", "elo", "error", "games"} <= told["players"][0].keys()
    games = tmp_path / "games.jsonl"
    rating = ["rate", "nim", "alphabeta:depth=2", "--ladder", str(path), "--games", "6", "--save", str(games), "--json"]
    assert run(rating) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["games"] == 6 and {"elo", "error", "illegal", "loss"} <= told.keys() and told["loss"] is not None
    assert run([*rating[:5], "--games", "10", *rating[7:]]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 10 and len(games.read_text().splitlines()) == 10
    assert run(["ladder", "peg-solitaire", "--make"]) == 2
    assert "for one" in capsys.readouterr().err


def test_a_poker_ladder_is_made_of_many_deals(tmp_path, capsys):
    """Ten deals from both sides are a result, when a ladder is made, kept, shown, and somebody rated by it."""
    kuhn, path = outplay.load("kuhn poker"), tmp_path / "kuhn.json"
    made = list(make(kuhn, ["random", "engine:simulations=100"], games=4))[-1]
    assert made.deals == 10 and made.games_of(0) == 4
    made.save(path)
    assert Ladder.read(path).deals == 10
    assert run(["ladder", "kuhn poker", "--ladder", str(path)]) == 0 and "a result is 20 hands" in capsys.readouterr().out
    told = list(rate(kuhn, outplay.player("random:seed=4"), made, games=6))
    assert [each.games for each in told[-1:]] == [60] and len(told[-1].records) == 60
    path.write_text(made.text().replace('"deals": 10', '"deals": 0'))
    with pytest.raises(BadValue, match="is no ladder"):
        Ladder.read(path)


def test_a_step_is_what_lies_between_the_levels():
    names = ["random", "auto:level=beginner", "auto:level=casual", "auto:level=club"]
    found = Ladder("nim", names, {(0, 1): (20.0, 100), (1, 2): (33.0, 100), (2, 3): (33.0, 100)})
    assert found.step() == pytest.approx(120, abs=5) and Ladder("nim", names[:2]).step() is None


def test_what_has_no_ladder_says_how_to_make_one():
    with pytest.raises(Unavailable, match="--make --out FILE"):
        ladders.ladder_of(outplay.load("nim:heaps=1-2"))
    with pytest.raises(Unsuitable, match="for one"):
        ladders.usual_players(outplay.load("pocket cube"))


def test_a_player_in_a_file_is_rated(nim, made, tmp_path):
    """A class in a Python file, in a process of its own, comes out where the same player of ours does; one that breaks is told."""
    file = tmp_path / "mine.py"
    file.write_text("class Last:\n    def choose(self, view, limits):\n        return view.actions()[-1]\n\n\n"
                    "class Broken:\n    def choose(self, view, limits):\n        raise RuntimeError('oh')\n")
    for name, broken in (("Last", False), ("Broken", True)):
        guest = outplay.player(f"python:{file}:{name}")
        try:
            told = list(rate(nim, guest, made, games=6))[-1]
        finally:
            guest.close()
        assert told.games == 6 and (told.illegal == 6) == broken and (not broken or sum(points for _, points in told.points) == 0)


def test_the_cluster_plays_the_same_games(nim, made, monkeypatch):
    """What a machine of a cluster gets are texts and numbers; here the calls are made at home."""
    from outplay.arena import cluster

    def at_home(work, pieces, *, address, stop):
        assert address == "auto"
        return [work(*piece) for piece in pieces]

    monkeypatch.setattr(cluster, "spread", at_home)
    who = "alphabeta:depth=2"
    away = list(rate(nim, outplay.player(who), made, games=20, cluster="auto", without=(who,), seed=2))
    assert len(away) == 2 and away[-1].games == 20 and len({name for name, _ in away[-1].points}) > 1
    near = list(rate(nim, outplay.player(who), made, games=20, without=(who,), seed=2))[-1]
    assert abs(away[-1].elo - near.elo) < near.error + away[-1].error


def test_deals_from_both_sides_are_one_result():
    """Whoever got more of the same cards in both seats together has won the deal; at poker ten deals are one result."""
    kuhn = outplay.load("kuhn poker")

    def game(seat, *utilities):
        record = outplay.Record("kuhn poker", "", (), ("a", "b"), outplay.values.Outcome(tuple(map(float, utilities))))
        return ladders.side_points(record, kuhn, seat), record, seat

    won, even = [game(0, 2, -2), game(1, 1, -1)], [game(0, 1, -1), game(1, 1, -1)]
    assert ladders.deals_of(kuhn) == 10 and ladders.told_points(kuhn, 9 * won, 10) == []
    assert ladders.told_points(kuhn, won + 9 * even, 10) == 20 * [1.0] and ladders.told_points(kuhn, 11 * even, 10) == 20 * [0.5]
    one = outplay.load("backgammon")
    assert ladders.told_points(one, won + even) == [1.0, 1.0, 0.5, 0.5]
    assert ladders.told_points(outplay.load("nim"), [game(0, 1, -1), game(1, 1, -1)]) == [1.0, 0.0]
    bridge = outplay.load("bridge", compiled=False)
    assert [bridge.side(seat) for seat in range(4)] == [0, 1, 0, 1]
    record = outplay.Record("bridge", "", (), ("a", "b", "a", "b"), outplay.values.Outcome((3.0, -3.0, 3.0, -3.0)))
    assert ladders.side_points(record, bridge, 0) == 1.0 and ladders.side_points(record, bridge, 1) == 0.0


def test_a_deal_of_two_games_is_one_result():
    """Both games of a deal that is won as a whole say one thing: the interval is as wide as that of half as many games."""
    met = {(0, 1): (20.0, 60)}
    single, paired = (Ladder("kuhn poker", ["random", "auto"], met, alike=alike).rungs()[1] for alike in (1, 2))
    assert paired.elo == single.elo and paired.error == pytest.approx(single.error * 2**0.5)
    assert {ladders.Ladder.read(path).alike for path in ladders.shipped().values()} == {1, 2}


def test_luck_that_is_known_is_taken_off():
    """What errors brought is nought on average and explains much of the results, so that fewer games tell a rating."""
    game, level = outplay.load("tic-tac-toe"), "auto:level=club"
    one, other = outplay.player(level, seed=1), outplay.player(level, seed=2)
    played = [ladders._played(game, one, other, number, 3, 5.0, 0, None, tells_luck=True) for number in range(30)]
    points, luck = ([each[place] for each in played] for place in (0, 3))
    mean = sum(points) / len(points)
    rest = [each - mean - part for each, part in zip(points, luck, strict=True)]
    assert abs(sum(luck)) / len(luck) < 0.15
    assert sum(each**2 for each in rest) < 0.7 * sum((each - mean) ** 2 for each in points)
    *_, told = rate(game, one, ladders.ladder_of(game), games=20, seconds=5.0, without=(level, "auto"), seed=3)
    assert told.taken_off > 0.2 and told.games == 20 and told.error < 150


def test_a_ladder_with_anchors_starts_no_program(nim, tmp_path, capsys):
    """Programs on a ladder give it a second scale; who is rated does not meet them, and a file starts none."""
    anchored = Ladder("nim", ["random", "uci:nowhere,UCI_Elo=1500"], {(0, 1): (1.0, 20)}, scale="UCI_Elo",
                      anchors={"uci:nowhere,UCI_Elo=1500": 1500.0})
    path = tmp_path / "nim.json"
    anchored.save(path)
    assert Ladder.read(path).anchors == anchored.anchors
    assert run(["ladder", "nim", "--ladder", str(path)]) == 0 and "UCI_Elo is this scale +" in capsys.readouterr().out
    assert {name for name, _ in list(rate(nim, outplay.player("alphabeta"), anchored, games=6))[-1].points} == {"random"}
    assert run(["ladder", "nim", "--make", "--out", str(path)]) == 2 and "which no file starts" in capsys.readouterr().err
