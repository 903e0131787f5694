"""A short run of every attack of benchmarks/fuzz.py, and what earlier runs have found."""

import importlib.util
import random
from pathlib import Path

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("httpx")

place = Path(__file__).parents[1] / "benchmarks" / "fuzz.py"
specification = importlib.util.spec_from_file_location("fuzz", place)
fuzz = importlib.util.module_from_spec(specification)
specification.loader.exec_module(fuzz)


@pytest.mark.parametrize("name", list(fuzz.ATTACKS))
def test_nothing_fails(name):
    tried, failures = fuzz.run(name, 10.0 if name == "command line" else 3.0, seed=2)  # a command may wait for the compiler
    assert not failures, "\n".join(failures)
    assert tried > 5


@pytest.mark.parametrize("number", ["1:csp:166"])
def test_what_was_found_before(number):
    """166: without propagation one node of a model with wide domains looked at a clock every 41 seconds."""
    assert fuzz.ATTACKS[number.split(":")[1]](random.Random(number)) is None


def test_a_failure_is_seen(monkeypatch):
    monkeypatch.setitem(fuzz.ATTACKS, "broken", lambda source: "wrong" if source.random() < 0.5 else None)
    _, failures = fuzz.run("broken", 1.0, seed=1)
    assert len(failures) == 20 and all(failure.endswith("wrong") for failure in failures)
