"""Named players: each is one that anybody could write out, plays its game at every door, and refuses another."""

import json

import pytest

import outplay
from outplay.cli.main import run
from outplay.errors import BadValue, OutplayError, Unsuitable
from outplay.game import game_names, load
from outplay.players import player
from outplay.players.algorithms import best
from outplay.players.presets import presets

PRESETS = presets()


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_can_be_made_and_carries_its_name(name):
    made = player(name)
    assert made.name == name and made.plays == PRESETS[name].game


def test_options_that_are_written_come_first():
    assert player("master:depth=2").limits.depth == 2
    assert player("Deep Blue:time=0.1").limits.seconds == 0.1
    with pytest.raises(OutplayError, match="unknown option"):
        player("deep-blue:colour=3")
    with pytest.raises(BadValue, match="key=value"):
        player("master:pvs")
    with pytest.raises(OutplayError, match="did you mean 'grandmaster'"):
        player("grandmastr")


def test_a_named_player_refuses_another_game():
    with pytest.raises(Unsuitable, match="deep-blue plays chess, not tic-tac-toe"):
        player("deep-blue").choose(load("tic-tac-toe").start())


def test_a_match_between_named_players(capsys):
    assert run(["match", "tic-tac-toe", "master", "novice", "--games", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 2
    records = list(outplay.match("tic-tac-toe", ["grandmaster", "master"], games=2))
    assert [record.players for record in records] == [("grandmaster", "master"), ("master", "grandmaster")]
    assert records[0].outcome.utilities == records[1].outcome.utilities  # one opening, both sides of it played without a mistake


def test_the_list_names_them_all_and_their_games_are_there(capsys):
    assert run(["players", "--json"]) == 0
    listed = {one["player"]: one for one in json.loads(capsys.readouterr().out)["presets"]}
    assert listed.keys() == PRESETS.keys()
    assert {one["game"] for one in listed.values()} - {""} <= set(game_names())


def test_a_named_player_is_asked_for_its_best_move_and_only_of_its_game():
    position = load("connect four", width=5, height=4).start()
    assert best(position, "novice").depth == 4
    assert best(position, "novice", depth=2).depth == best(position, "novice:depth=2").depth == 2
    with pytest.raises(Unsuitable, match="gib plays bridge, not connect four"):
        best(position, "gib")
