"""`outplay tables` for games that number their positions; those of chess stand with chess."""

import json

import pytest

from outplay.cli.main import run


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("tables")
    assert run(["tables", "build", "checkers", "--men", "3", "--out", str(path), "--json"]) == 0
    return path


def answer(capsys, *words):
    assert run([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_stats_and_verify(capsys, folder):
    for command in ("build", "stats", "verify"):  # the second build reads what is there
        found = answer(capsys, "tables", command, "checkers", "--men", "3", "--out", str(folder))
        assert found["slices"][0] == {"name": "k-k", "positions": 992, "won": 230, "drawn": 654, "lost": 108, "longest": 11}
        assert len(found["slices"]) == 9


def test_probe(capsys, folder):
    found = answer(capsys, "tables", "probe", "checkers", "B:WK32:BK22,K18", "--out", str(folder))
    assert found["outcome"] == "win" and found["plies"] % 2 == 1
    after = answer(capsys, "tables", "probe", "checkers", "W:WK32:BK26,K18", "--out", str(folder))
    assert after["outcome"] == "loss"


def test_best_looks_into_tables(folder):
    from outplay import best, load

    position = load("checkers").position("B:WK32:BK22,K18")
    plain = best(position, "engine:pvs", depth=2)
    assert not plain.exact and plain.unit == "hundredths of a man"
    told = best(position, "engine:pvs", depth=2, tables=str(folder))
    assert told.exact and told.value == 1 and told.facts["distance"] == 23
    assert best(position, f"engine:pvs,tables={folder}", depth=2).facts["distance"] == 23


def test_a_player_wins_with_tables_alone(folder):
    import random

    from outplay.game import load
    from outplay.players.prepared import Prepared

    prepared, position = Prepared(tables=str(folder)), load("checkers").position("B:WK32:BK22,K18")
    plies = 0
    while position.actions():
        position = position.result(prepared.action(position, random.Random(1)))
        plies += 1
    assert position.utilities()[0] == 1 and plies == 23


@pytest.mark.parametrize(("words", "line"), [
    (["build", "checkers", "KQK"], "by --men N"), (["build", "chess"], "which endings of chess"),
    (["build", "nim", "--men", "3"], "number their positions"),
    (["stats", "checkers", "--out", "/nowhere"], "no tables of checkers"),
    (["build", "checkers", "--device", "tpu"], "cpu or cuda"), (["probe", "checkers", "B:W1:B1"], "given twice"),
])  # fmt: skip
def test_wrong_requests_get_one_line(capsys, words, line):
    assert run(["tables", *words]) != 0
    told = capsys.readouterr().err
    assert line in told and told.count("\n") == 1
