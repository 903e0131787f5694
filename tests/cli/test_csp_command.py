"""`outplay csp` as scripts and people use it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from outplay.cli.commands import command
from outplay.cli.csp import csp
from outplay.errors import OutplayError

EXAMPLES = Path(__file__).parents[2] / "examples" / "csp"
app = command("csp", csp)


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


def test_one_json_object_with_the_promised_fields():
    answer = json.loads(run("SEND + MORE = MONEY", "--json", "--trace"))
    assert answer["solution"] == {"S": 9, "E": 5, "N": 6, "D": 7, "M": 1, "O": 0, "R": 8, "Y": 2}
    assert answer["solutions"] == [answer["solution"]] and answer["steps"] >= 1 and answer["seconds"] >= 0
    assert answer["trace"][0]["variable"] is None and answer["trace"][-1]["solved"]


def test_all_solutions_and_the_limit():
    answer = json.loads(run("queens 6", "--all", "--json", "--limit", "3"))
    assert answer["count"] == 4 and len(answer["solutions"]) == 3
    assert "4 solutions" in run("queens 6", "--all")


def test_unsatisfiable_names_a_core():
    text = run(EXAMPLES / "impossible.txt")
    assert "no solution: these constraints clash" in text and "C != D" in text and "A != B" not in text
    answer = json.loads(run(EXAMPLES / "impossible.txt", "--json"))
    assert answer["solution"] is None and answer["satisfiable"] is False and len(answer["core"]) == 3


def test_objective_switches_and_other_solvers():
    assert json.loads(run(EXAMPLES / "schedule.txt", "--json"))["objective"] == 17
    assert "Q" in run("queens 8", "--solver", "min-conflicts")
    few = json.loads(run("queens 8", "--json"))["steps"]
    assert few < json.loads(run("queens 8", "--json", "--propagation", "none", "--order", "input"))["steps"]


def test_pictures(tmp_path):
    graph, page = tmp_path / "graph.svg", tmp_path / "search.html"
    run(EXAMPLES / "australia.txt", "--out", graph)
    run(EXAMPLES / "australia.txt", "--out", page)
    assert graph.read_text().count("<circle") == 7 and graph.read_text().count("<line") == 9
    assert page.read_text().count('"variable"') == 4


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["nothing.txt"], "no file 'nothing.txt'"),
        (["queens 8", "--solver", "owm"], "unknown solver 'owm': did you mean 'own'?"),
        (["queens 8", "--time", "0"], "--time must be above 0"),
        (["queens 8", "--out", "x.png"], "--out must end in .svg or .html"),
        (["queens 8", "--order", "degree"], "unknown order 'degree'"),
        (["x in 1..2\nx == y"], "line 2: unknown variable or value 'y'"),
    ],
)
def test_wrong_requests_get_one_line(arguments, message):
    with pytest.raises(OutplayError) as caught:
        run(*arguments)
    assert message in str(caught.value) and "\n" not in str(caught.value)
