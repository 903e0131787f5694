"""The player that solves the rest of a game: the whole where it is small, else from what all know, else by Monte Carlo search."""

import json

import pytest

from outplay.cli.app import run
from outplay.engine.regret_tree import public_roots
from outplay.errors import OutplayError
from outplay.game import load
from outplay.players import player
from outplay.players.resolving import Resolver
from outplay.playing import Play


def test_a_small_game_is_solved_whole(capsys):
    assert run(["exploit", "kuhn poker", "resolve:time=0.5", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["exploitability"] < 0.01


def test_the_rest_is_solved_from_what_all_know():
    """The first player passed and was bet at: kings call and jacks fold, whatever the other holds."""
    game = load("kuhn poker")
    resolver = Resolver(seconds=0.4)
    resolver._whole[game.name] = None  # as if the whole game were too large
    for mine, other, action in (("K", "Q", "bet"), ("J", "Q", "pass"), ("J", "K", "pass")):
        position = game.start().play([mine, other, "pass", "bet"])
        shares = resolver.shares(position.observe(0))
        assert shares[position.parse_action(action)] > 0.95
    views = {root.observe(0).text() for root, _ in public_roots(position)}
    assert views == {"J? pb", "Q? pb", "K? pb"}  # its own card is hidden from the other, so others are dealt, too
    assert sum(share for _, share in public_roots(position)) == pytest.approx(1)


def test_a_game_too_large_at_first_is_solved_later_and_played_by_search_before():
    game = load("goofspiel:cards=5")
    resolver = Resolver(seconds=0.3, memory=2, seed=1)
    resolver.choose(game.start().play(["1"]) if game.start().is_chance() else game.start())
    assert resolver._whole[game.name] is None and resolver.last is not None and "ismcts" in resolver.last.algorithm
    play = Play(game, ["random", "random"], seed=3)
    play.finished()
    position = next(each for each in reversed(play.positions) if not each.is_chance() and len(each.actions()) == 2)
    resolver.choose(position)
    assert resolver.last.algorithm == "resolve"


@pytest.mark.parametrize("text", ["resolve:time=0", "resolve:speed=3"])
def test_refusals(text):
    with pytest.raises(OutplayError):
        player(text)


def test_a_game_without_secrets_is_refused():
    with pytest.raises(OutplayError, match="hidden information"):
        player("resolve").choose(load("tic-tac-toe").start())
