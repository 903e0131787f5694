"""A short run of every attack of benchmarks/fuzz.py, and what earlier runs have found."""

import importlib
import importlib.util
import random
import re
from pathlib import Path

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("httpx")

place = Path(__file__).parents[1] / "benchmarks" / "fuzz.py"
specification = importlib.util.spec_from_file_location("fuzz", place)
fuzz = importlib.util.module_from_spec(specification)
specification.loader.exec_module(fuzz)


INPUTS = {"kernel cache": 5, "uci": 50, "gtp": 20, "nboard": 120, "hub": 150, "csp": 300, "http": 200, "command line": 40,
          "mat": 30, "pdn": 100, "saved game": 80}  # fmt: skip
OF_A_FILE = 200
"""Inputs of all other attacks; by number, not by the clock, so that every machine tries the same."""


@pytest.mark.parametrize("name", list(fuzz.ATTACKS))
def test_nothing_fails(name):
    wanted = INPUTS.get(name, OF_A_FILE)
    tried, failures = fuzz.run(name, seed=2, inputs=wanted)
    assert not failures, "\n".join(failures)
    assert tried == wanted


def test_every_format_is_attacked():
    """A module that reads a format, and no attack on it, is an omission."""
    package = Path(importlib.import_module("outplay").__file__).parent
    rooms = [package / room for room in ("formats", "books", "networks", "engine/tables")]
    formats = {path.stem for room in rooms for path in room.glob("*.py")}
    formats |= {path.stem for path in package.glob("experts/*/*.py") if re.search(r"^def (read|open|load)", path.read_text(), re.M)}
    attacked = {"pgn", "sgf", "pdn", "gcg", "mat", "phh", "polyglot", "syzygy"} & set(fuzz.ATTACKS)
    by_other_names = {"book": "polyglot", "openings": "book", "games": "saved game", "files": "wthor", "endgame": "table",
                      "nets": "network", "td_nets": "network", "shooter": "network"}  # fmt: skip
    no_files = {"__init__", "endings", "movetext", "onnx_model", "races",  # its own, with a checksum
                "retrograde", "variations", "format", "trained", "studio"}  # fmt: skip
    assert formats - attacked - no_files <= {name for name, name_of in by_other_names.items() if name_of in fuzz.ATTACKS}


@pytest.mark.parametrize("number", ["1:csp:166"])
def test_what_was_found_before(number):
    """166: without propagation one node of a model with wide domains looked at a clock every 41 seconds."""
    assert fuzz.ATTACKS[number.split(":")[1]](random.Random(number)) is None


def test_a_failure_is_seen(monkeypatch):
    monkeypatch.setitem(fuzz.ATTACKS, "broken", lambda source: "wrong" if source.random() < 0.5 else None)
    tried, failures = fuzz.run("broken", seed=1, inputs=1000)
    assert len(failures) == 20 and all(failure.endswith("wrong") for failure in failures)
    assert 20 < tried < 100
