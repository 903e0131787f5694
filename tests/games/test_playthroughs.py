"""How a random game of every game begins, kept as text: rules, notation, chance and who sees what do not change unseen."""

import pytest

from outplay.game import game_names, load
from tests.games.oracles import assert_playthrough, opening


@pytest.mark.parametrize("name", game_names())
def test_every_game_begins_as_it_did(name):
    file = "".join(letter for letter in name.replace("-", " ") if letter.isalpha() or letter == " ").replace(" ", "_")
    assert_playthrough(load(name, compiled=False), f"begins/{file}", opening)
