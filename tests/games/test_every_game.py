"""Every game keeps every promise of every facet, at the corners of its parameters; and so do the small games of each facet."""

import pytest

from outplay.conformance import check_game
from outplay.game import game_names, load
from tests.games.facets import FACETS, facet

CORNERS = [
    "battleships:width=3,height=2,fleet=2-1", "battleships:width=3,height=3,fleet=2,side=hunt",
    "goofspiel:cards=2", "hold'em:seats=3,stack=4-6-3", "liar's dice:dice=1,faces=2", "push or fold:stack=1",
    "backgammon", "backgammon:cube=yes", "backgammon:match=3,score=2-0,cube=yes",
    "blind tic-tac-toe",
    "chess", "chess:start=0", "chess:start=959",
    "connect four", "connect four:width=1,height=1", "connect four:width=9,height=6,line=9", "connect four:width=8,height=7,line=2",
    "fifteen puzzle:width=3,height=2,slides=5", "fifteen puzzle",
    "go:size=2", "go:size=5", "go:size=5,policy=light", "go:size=3,ko=positional,suicide=yes",
    "grid",
    "isolation:width=1,height=2", "isolation:width=10,height=10,moves=knight", "isolation:players=3,sloppy=0.2,width=4,height=3",
    "monopoly", "monopoly:players=2,turns=1",
    "monopoly:players=8,parking=yes,double_start=yes,jail_rent=no,jail_double=yes,offers=3",
    "monopoly:players=3,auctions=no,houses=4,cash=300,offers=0,policy=light",
    "nim", "nim:heaps=60-60-60-60-60-60-60-60",
    "pac-man", "pac-man:maze=corridor,ghosts=random",
    "peg solitaire", "pocket cube",
    "rock-paper-scissors", "scrabble:board=3x3,tiles=small,rack=2,players=4", "tic-tac-toe", "tree", "uniform tree",
    "vacuum world", "vacuum world:erratic=yes,sensors=here,rooms=3", "vacuum world:sensors=none,rooms=1",
]  # fmt: skip
NAMED = {corner.partition(":")[0] for corner in CORNERS}
CORNERS += [name for name in game_names() if name not in NAMED]  # a new game is checked at once


@pytest.mark.parametrize("name", CORNERS)
def test_every_game_keeps_its_promises(name, monkeypatch):
    monkeypatch.setattr("outplay.conformance.games.MOST_STEPS", 150)
    compiled = None if ":" not in name else False  # the compiler sees each game once; its parameters are plain Python's affair
    report = check_game(load(name, compiled=compiled), games=4, seed=6, seconds=0.5)
    assert report.positions > 0


@pytest.mark.parametrize("name", FACETS)
def test_every_facet_keeps_its_promises(name):
    assert check_game(facet(name), games=20, seconds=3).compiled


def test_cards_are_hidden_or_open():
    assert facet("tricks").traits.information == "hidden" and facet("tricks", hidden=False).traits.information == "perfect"
    assert check_game(load("tic-tac-toe"), games=1).games == 1
