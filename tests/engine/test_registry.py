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


def test_whether_a_search_fits_builds_none(monkeypatch):
    """A table, a tree and arrays of states were made for each such question, of each search and each game."""
    built = []
    monkeypatch.setattr(registry.Search, "make", lambda self, game, **options: built.append(self.name))
    names = [name for name in registry.SEARCHES if name in registry.needs.NEEDS]
    fits = {name for name in names if registry.suits(name, load("connect four"))}
    assert {"pvs", "dfpn", "mcts", "maxn"} <= fits and not {"ismcts", "deals", "a-star"} & fits
    assert len(names) == 19 and not built
