"""Candidates: a search with chance that looks only into the actions that seem best at one ply."""

import pytest

from outplay.engine.frames.chance import ChanceSearch
from outplay.errors import BadValue
from outplay.game import load
from outplay.values import Limits


def test_candidates_are_the_best_at_one_ply_and_leave_the_rest_out():
    position = load("backgammon").start().play("x31")
    whole, few = ChanceSearch(position.game), ChanceSearch(position.game, candidates=3)
    all_of_it, part = whole.best(position, Limits(depth=2)), few.best(position, Limits(depth=2))
    assert part.nodes < all_of_it.nodes / 2 and part.value <= all_of_it.value + 1e-12 and not part.exact
    shallow = ChanceSearch(position.game)
    ranked = sorted(position.actions(), key=lambda action: -shallow.best(position.result(action), Limits(depth=0)).value)
    assert part.action in ranked[:3]
    assert ChanceSearch(position.game, candidates=1).best(position, Limits(depth=2)).action == ranked[0]
    plenty = ChanceSearch(position.game, candidates=len(position.actions()) + 1000).best(position, Limits(depth=2))
    assert plenty.value == all_of_it.value and plenty.nodes == all_of_it.nodes
    with pytest.raises(BadValue, match="leave ordered=False out"):
        ChanceSearch(position.game, candidates=2, ordered=False)
