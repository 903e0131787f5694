"""The engine's searches by name."""

import re

import pytest

from outplay.engine import registry
from outplay.game import load


@pytest.mark.parametrize("game", ["backgammon", "kuhn-poker", "grid", "pac-man:maze=corridor,ghosts=random", "isolation:players=3",
                                  "scrabble", "rock-paper-scissors"])  # fmt: skip
def test_a_refusal_advises_what_the_engine_takes_itself(game):
    loaded = load(game)
    advised = re.search(r": use ([a-z0-9-]+)$", registry.why_not("pvs", loaded) or "")
    assert advised and advised[1] == registry.fitting(loaded)
    assert registry.suits(advised[1], loaded)
