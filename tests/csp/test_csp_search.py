"""The solver against brute force: every switch, the same solutions."""

from __future__ import annotations

import itertools
import operator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outplay.csp import Model, total
from outplay.csp.puzzles import australia, cryptarithm, magic_square, queens, sudoku, sudoku_text, zebra
from outplay.errors import BadValue, UnknownName, Unsuitable

SWITCHES = [
    {},
    {"propagation": "none"},
    {"propagation": "forward"},
    {"order": "input", "matching": False},
    {"order": "mrv"},
    {"order": "dom/wdeg"},
    {"values": "least-constraining"},
    {"values": "least-constraining", "propagation": "forward", "backjumping": True},
    {"values": "random", "seed": 5},
    {"backjumping": True},
    {"backjumping": True, "propagation": "none", "order": "input"},
    {"backjumping": True, "propagation": "forward"},
]


def brute_force(model: Model) -> set[tuple]:
    return {
        values
        for values in itertools.product(*model.domains.values())
        if model.is_solution(dict(zip(model.names, values, strict=True)))
    }


DOMAINS = st.one_of(
    st.builds(lambda low, size: range(low, low + size), st.integers(-4, 2), st.integers(1, 5)),
    st.lists(st.integers(-5, 9), min_size=1, max_size=5, unique=True),
    st.lists(st.sampled_from([0, 1, 2, 70, 140, 200]), min_size=1, max_size=5, unique=True),
)
SIGNS = [operator.eq, operator.ne, operator.le, operator.lt, operator.ge, operator.gt]


def multiple_of(divisor):
    return lambda *values: sum(values) % divisor == 0


@st.composite
def models(draw) -> Model:
    model = Model("random")
    cells = [model.variable(f"v{i}", draw(DOMAINS)) for i in range(draw(st.integers(1, 5)))]
    some = st.lists(st.sampled_from(cells), min_size=1, max_size=4, unique_by=id)
    small = st.integers(-3, 3)
    for _ in range(draw(st.integers(1, 5))):
        kind = draw(st.integers(0, 7))
        scope = draw(some)
        a, b, c = (draw(st.sampled_from(cells)) for _ in range(3))
        sign = draw(st.sampled_from(SIGNS))
        if kind == 0:
            model.all_different(scope)
        elif kind == 1:
            model.all_different([cell + draw(small) for cell in scope])
        elif kind == 2:
            model.add(sign(total(cell * draw(small) for cell in scope), draw(st.integers(-6, 9))))
        elif kind == 3:
            model.add(sign(a + draw(small), b))
        elif kind == 4:
            model.constraint(scope, multiple_of(draw(st.integers(1, 4))))
        elif kind == 5:
            rows = draw(st.lists(st.tuples(*(st.sampled_from(cell.values) for cell in scope)), max_size=12))
            model.constraint(scope, rows)
        elif kind == 6:
            model.add(sign(draw(st.sampled_from([a * b, abs(a - b), a % 3, a // 2 + b, a**2 - c])), c + draw(small)))
        else:
            truths = [(a == 1) | (b > c), ~((a < b) & (b < c)), (a == b).implies(c != 2), (a < b) & (c > 0)]
            model.add(draw(st.sampled_from(truths)))
    return model


@settings(max_examples=1000)
@given(models(), st.sampled_from(SWITCHES))
def test_random_models_have_the_solutions_of_brute_force(model, switches):
    expected = brute_force(model)
    found = [tuple(solution.values()) for solution in model.solutions(**switches)]
    assert len(found) == len(expected) and set(found) == expected
    assert model.count() == len(expected)


@settings(max_examples=60)
@given(models(), st.lists(st.integers(-3, 3), min_size=5, max_size=5), st.booleans())
def test_the_optimum_is_that_of_brute_force(model, weights, restarts):
    expected = [sum(w * v for w, v in zip(weights, values, strict=False)) for values in brute_force(model)]
    objective = total(model[name] * weight for name, weight in zip(model.names, weights, strict=False))
    options = {"restarts": restarts, "order": "dom/wdeg"}
    least, most = model.minimize(objective, **options), model.maximize(objective, **options)
    assert (least.objective, most.objective) == (min(expected), max(expected)) if expected else least is None is most


@settings(max_examples=40)
@given(models())
def test_a_core_clashes_and_is_minimal(model):
    if model.solve() is not None:
        with pytest.raises(BadValue, match="has a solution"):
            model.core()
        return
    core = model.core()
    assert core
    for left_out in [None, *core]:
        copy = Model()
        for name, values in model.domains.items():
            copy.variable(name, values)
        names = model.names
        kept = [constraint for constraint in core if constraint is not left_out]

        def all_hold(*values, kept=kept, names=names):
            from outplay.csp.checking import holds

            return all(holds(model, constraint, dict(zip(names, values, strict=True))) for constraint in kept)

        copy.constraint([copy[name] for name in names], all_hold)
        assert (copy.solve() is None) == (left_out is None)


@pytest.mark.parametrize("switches", SWITCHES, ids=str)
def test_known_counts_under_every_switch(switches):
    assert queens(6).count(**switches) == 4
    assert australia().count(**switches) == 18
    if switches.get("propagation") != "none":
        assert cryptarithm("TWO + TWO = FOUR", carries=True).count(**switches) == 7


def test_the_lectures_puzzles():
    assert queens(8).count() == 92
    assert cryptarithm("SEND + MORE = MONEY").solve() == {"S": 9, "E": 5, "N": 6, "D": 7, "M": 1, "O": 0, "R": 8, "Y": 2}
    two = [solution for solution in cryptarithm("TWO + TWO = FOUR").solutions()]
    with_carries = [{k: v for k, v in s.items() if len(k) == 1} for s in cryptarithm("TWO + TWO = FOUR", carries=True).solutions()]
    assert len(two) == 7 and sorted(map(str, two)) == sorted(map(str, with_carries))
    assert {name: zebra().solve()[name] for name in ("zebra", "Japanese", "water", "Norwegian")} == {
        "zebra": 5, "Japanese": 5, "water": 1, "Norwegian": 1,
    }  # fmt: skip
    assert magic_square(3).count() == 8


def test_propagation_of_the_lecture():
    model = australia()
    neighbours = ["WA", "NT", "Q", "NSW", "V"]

    def space(domains):
        size = 1
        for name in neighbours:
            size *= len(domains[name])
        return size

    assert space(model.domains) == 243
    for strength in ("forward", "arc"):
        assert space(model.propagate({"SA": "blue"}, propagation=strength)) == 32
    assert space(model.propagate({"SA": "blue"}, propagation="none")) == 243
    assert round(100 * (1 - 32 / 243)) == 87
    assert model.propagate({"SA": "blue", "WA": "blue"}) is None


def test_arc_consistency_sees_what_forward_checking_does_not():
    model = australia()
    assert model.propagate({"WA": "red", "Q": "green"}, propagation="forward")["SA"] == ["blue"]
    assert model.propagate({"WA": "red", "Q": "green"}, propagation="arc") is None  # NT and SA both want blue


def test_matching_sees_a_hall_set():
    model = Model()
    a, b, c, d = model.variables("a b c d", range(1, 5))
    model.add(a <= 2, b <= 2)
    model.all_different(a, b, c, d)
    assert model.propagate()["c"] == [3, 4]
    assert model.propagate(matching=False)["c"] == [1, 2, 3, 4]


def test_backjumping_skips_decisions_that_are_not_to_blame():
    def model():
        made = Model()
        first = made.variables([f"a{i}" for i in range(6)], range(3))
        x, y, z = made.variables("x y z", range(2))
        made.add(first[0] != first[1])
        made.add(x != y, y != z, x != z)  # two values for three: whatever the others are
        return made

    plain, jumping = model(), model()
    assert plain.solve(propagation="forward", order="input") is None
    assert jumping.solve(propagation="forward", order="input", backjumping=True) is None
    assert jumping.statistics.nodes < plain.statistics.nodes / 20


def test_wide_domains_and_large_all_different():
    model = Model()
    cells = model.variables([f"x{i}" for i in range(70)], range(70))
    model.all_different(cells)
    model.add(*(a > b for a, b in itertools.pairwise(cells)))
    assert list(model.solve().values()) == list(range(69, -1, -1))
    assert model.statistics.failures == 0
    for cell in cells:
        model.add(cell != 35)
    assert model.solve() is None and model.statistics.nodes == 0  # the matching alone proves it


def test_python_predicates_that_are_too_large_for_a_table():
    for propagation in ("none", "forward", "arc"):
        model = Model()
        cells = model.variables("a b c d e", range(8))
        model.constraint(cells, lambda a, b, c, d, e: a * b + c * d == e * 7 and a < b < c < d)
        model.add(cells[4] >= 5)
        found = {tuple(s.values()) for s in model.solutions(propagation=propagation)}
        expected = {
            (a, b, c, d, e)
            for a, b, c, d in itertools.combinations(range(8), 4)
            for e in range(5, 8)
            if a * b + c * d == e * 7
        }
        assert found == expected and expected


def test_expressions_too_large_for_one_table():
    model = Model()
    a, b, c, d = model.variables("a b c d", range(1, 41))
    model.add(a * b == c * d, a < c, c < d, d < b)
    model.add((a + b + c + d <= 60) | (a * 3 == b + c + d))
    found = model.solve()
    assert found is not None and model.is_solution(found)


def test_sums_of_truths_count():
    model = Model()
    cells = model.variables("a b c d", range(4))
    model.add(total((cell == 2) for cell in cells) == 3)
    assert model.count() == 12 == len(brute_force(model))


def test_symbols_numbers_and_mixtures_as_values():
    model = Model()
    a, b = model.variables("a b", ["red", 1, 2.5, (3, 4), None])
    model.add(a != b, a != "red", b == (3, 4))
    assert {solution["a"] for solution in model.solutions()} == {1, 2.5, None}
    with pytest.raises(BadValue, match="arithmetic needs whole numbers"):
        model.add(a + 1 == b)


def test_solutions_are_lazy_and_keyed_by_variable():
    model = queens(20)
    first = next(model.solutions())
    assert model.is_solution(first)
    assert first[model["row1"]] == first["row1"]
    assert model.statistics.nodes < 1000


def test_a_model_can_grow_after_a_search():
    model = Model()
    x, y = model.variables("x y", range(3))
    assert model.count() == 9
    model.add(x < y)
    assert model.count() == 3
    model.variable("z", range(2))
    assert model.count() == 6


def test_restarts_and_time_limits():
    assert queens(30).solve(restarts=True, order="dom/wdeg", values="random", seed=3) is not None
    hard = Model("pigeons")
    cells = hard.variables([f"p{i}" for i in range(12)], range(11))
    hard.add(*(a != b for a, b in itertools.combinations(cells, 2)))
    assert hard.solve(seconds=0.05) is None and not hard.statistics.finished
    with pytest.raises(BadValue, match="restarts would repeat"):
        hard.solutions(restarts=True)


def test_sudoku_of_four_and_a_clash():
    assert sudoku_text(sudoku("1... ..3. .4.. ...2").solve()).splitlines() == ["1 3 2 4", "4 2 3 1", "2 4 1 3", "3 1 4 2"]
    core = sudoku("11.. .... .... ....").core()
    assert {"r1c1 is given 1", "r1c2 is given 1"} < {repr(one) for one in core} and len(core) == 3


def test_min_conflicts():
    model = queens(40)
    found = model.solve(solver="min-conflicts", seed=1)
    assert found is not None and model.is_solution(found)
    lazy = Model()
    lazy.constraint(lazy.variables("a b c d", range(20)), lambda *values: sum(values) == 3)
    with pytest.raises(Unsuitable):
        lazy.solve(solver="min-conflicts")


def test_clear_refusals():
    model = Model()
    x, y = model.variables("x y", range(3))
    other = Model().variable("x", range(3))
    for wrong, message in [
        (lambda: model.solve(order="mvr"), "did you mean 'mrv'"),
        (lambda: model.solve(solver="cpsat"), "did you mean 'cp-sat'"),
        (lambda: model.variable("x", [1]), "is there already"),
        (lambda: model.variable("w", []), "at least one value"),
        (lambda: model.variable("w", [[1]]), "hashable"),
        (lambda: model.add(other == x), "another model"),
        (lambda: model.add(x), "comparison like"),
        (lambda: 1 <= x <= 2, "is a constraint, not true or false"),
        (lambda: x + 0.5, "arithmetic needs whole numbers"),
        (lambda: model.constraint((x, y), [(1, 2, 3)]), "needs 2 values, not 3"),
        (lambda: model["z"], "unknown variable 'z'"),
        (lambda: model.solve(seconds=-1), "seconds must be above 0"),
    ]:
        with pytest.raises((BadValue, UnknownName), match=message):
            wrong()
