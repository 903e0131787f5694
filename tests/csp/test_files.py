"""Text files: what they mean, and one clear line with its number where they mean nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outplay.csp.files import read
from outplay.csp.tracing import trace
from outplay.errors import BadNotation, OutplayError

EXAMPLES = Path(__file__).parents[2] / "examples" / "csp"


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.txt")), ids=lambda path: path.stem)
def test_every_example_is_solved(path):
    problem = read(path.read_text())
    model = problem.model
    if problem.objective is not None:
        solution = model.minimize(problem.objective)
        assert solution.objective == 17
    else:
        solution = model.solve()
    if path.stem == "impossible":
        assert solution is None and [repr(c) for c in model.core()] == ["C != D", "C != E", "D != E"]
    else:
        assert model.is_solution(solution)


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "the problem is empty"),
        ("# only a comment\n", "the problem is empty"),
        ("map\nA: B\nB: A", "line 1: a map needs a line like 'colours: red green blue'"),
        ("map\ncolours: red\nNSW: V\nV: NWS", "line 4: unknown region 'NWS': did you mean 'NSW'?"),
        ("map\ncolours: red\nA:\nA:", "line 4: region 'A' stands in line 3 already"),
        ("map\ncolours: red\nA B", "line 3: expected 'colours: red green'"),
        ("queens eight", "line 1: expected 'queens N'"),
        ("queens 8\nx", "line 2: nothing may follow"),
        ("123\n456", "line 1: a sudoku has 16, 81, 256 or 625 cells, not 6"),
        ("sudoku\n1... ..9. .... ....", "line 1: a sudoku cell is . or one of 1234, not '9'"),
        ("ABCDEFGHIJ + K = L", "line 1: a cryptarithm has at most 10 different letters"),
        ("x in 1..3\nx + == 4", "line 2: cannot read 'x + == 4'"),
        ("x in 1..3\n\ny + x == 4", "line 3: unknown variable or value 'y': "),
        ("x in 1..3\nx", "line 2: expected a comparison"),
        ("x in 3..1", "line 1: a range goes upwards"),
        ("x in 1..3\nx in 1..2", "line 2: variable 'x' is there already"),
        ("c in red green\nc + 1 == 2", "line 2: arithmetic needs whole numbers"),
        ("c in red green\nc < 2", "line 2: arithmetic needs whole numbers"),
        ("x in 1..3\nopen('f')", "line 2: cannot read"),
        ("x in 1..3\nx.real == 1", "line 2: cannot read"),
        ("x in 1..3\ntable x: 1 2", "line 2: a row of this table needs 1 values, not 2"),
        ("x in 1..3\nall different x z", "line 2: unknown variable 'z'"),
        ("x == 1", "line 1: unknown variable or value 'x'"),
    ],
)
def test_malformed_files_get_one_clear_line(text, message):
    with pytest.raises(BadNotation) as caught:
        read(text)
    assert str(caught.value).startswith(message) and "\n" not in str(caught.value)


LINES = """x y in 1..3|x + y == 4|c in red blue|c == red|map|colours: a b|A: B|queens 5|x < |1 2 3 4|table x: 1|all different x y
all different|minimize x|minimize|((|\x00
x ** y == 2|x // 0 == 1|-c == 1|not x|x == y == 2|0 == 0|x in""".replace("\n", "|").split("|")


@given(st.lists(st.one_of(st.sampled_from(LINES), st.text(max_size=12)), max_size=6))
def test_any_text_is_read_or_refused(lines):
    try:
        problem = read("\n".join(lines))
    except OutplayError as error:
        assert "\n" not in str(error)
    else:
        assert problem.model.names or problem.kind == "general"


def test_general_format():
    lines = ["x y z in 1..9", "c in red green blue", "all different x y z", "x + y = 2 * z and x < y", "c == red or z > 8"]
    problem = read("\n".join([*lines, "table x c: 3 red, 4 blue"]))
    found = [tuple(s.values()) for s in problem.model.solutions()]
    assert found
    for x, y, z, c in found:
        assert x + y == 2 * z and x < y and (c == "red" or z > 8) and (x, c) in ((3, "red"), (4, "blue"))


def test_a_trace_tells_decisions_domains_and_dead_ends():
    steps = list(trace(read("queens 4").model))
    assert steps[0].variable is None and steps[-1].solved
    assert any(step.failed for step in steps)
    assert all(len(step.domains[step.variable]) == 1 for step in steps[1:] if not step.failed)
    everything = list(trace(read("queens 4").model, all_solutions=True))
    assert sum(step.solved for step in everything) == 2
    assert len(list(trace(read("queens 8").model, limit=5))) == 5
