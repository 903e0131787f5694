"""Uniform samples, and counts that no enumeration could reach."""

from __future__ import annotations

import math
import random
from collections import Counter

from hypothesis import given, settings

from outplay.csp import Model, total
from outplay.csp.diagram import Diagram
from outplay.csp.puzzles import australia, queens

from .test_csp_search import brute_force, models


def chi_square_is_plausible(counts: Counter, cells: int) -> bool:
    """Whether counts over equally likely cells are within five standard deviations of what chance gives."""
    draws = sum(counts.values())
    expected = draws / cells
    statistic = sum((counts[key] - expected) ** 2 / expected for key in counts) + (cells - len(counts)) * expected
    return abs(statistic - (cells - 1)) < 5 * math.sqrt(2 * (cells - 1))


def test_samples_are_uniform_by_enumeration_and_by_diagram():
    model = australia()
    source = random.Random(1)
    draws = Counter(tuple(model.sample(source).values()) for _ in range(9000))
    assert len(draws) == 18 and chi_square_is_plausible(draws, 18)
    diagram = Diagram.of(model)
    draws = Counter(tuple(diagram.draw(source)) for _ in range(9000))
    assert len(draws) == 18 and chi_square_is_plausible(draws, 18)


def test_a_random_descent_is_not_uniform_but_sound():
    model = Model()
    x, y = model.variables("x y", range(10))
    model.add((x == 0) | (y == x))
    draws = Counter((s["x"], s["y"]) for s in (model.sample(random.Random(i), uniform=False) for i in range(800)))
    assert len(draws) == 19 and not chi_square_is_plausible(draws, 19)


def deal() -> Model:
    """52 cards, 13 known; the other 39 go to three hands of 13, and five hearts are known not to lie west."""
    model = Model("deal")
    hands = ["west", "north", "east"]
    cards = [model.variable(f"card{i}", [h for h in hands if not (i < 5 and h == "west")]) for i in range(39)]
    for hand in hands:
        model.add(total((card == hand) for card in cards) == 13, name=f"{hand} holds 13")
    return model


def test_a_deal_is_counted_exactly_and_drawn_uniformly():
    model = deal()
    exact = math.comb(34, 13) * math.comb(26, 13)  # west's 13 from the 34 other cards, then north's from what is left
    assert model.count() == exact
    source = random.Random(2)
    samples = [model.sample(source) for _ in range(1500)]
    assert all(Counter(s.values()) == {"west": 13, "north": 13, "east": 13} for s in samples)
    in_west = sum(s["card20"] == "west" for s in samples)
    assert abs(in_west / 1500 - 13 / 34) < 5 * math.sqrt(13 / 34 * 21 / 34 / 1500)
    assert sum(s["card2"] == "west" for s in samples) == 0


@settings(max_examples=120)
@given(models())
def test_the_diagram_counts_like_brute_force(model):
    diagram = Diagram.of(model)
    expected = brute_force(model)
    assert diagram.count == len(expected)
    if expected:
        drawn = model.read(diagram.draw(random.Random(0)))
        assert tuple(drawn.values()) in expected


def test_nothing_to_draw_and_too_much_for_a_diagram():
    model = queens(3)
    assert model.sample(1) is None
    assert Diagram.of(queens(8), largest=50) is None
