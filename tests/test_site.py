"""The pages that the site is made of, as far as they are gathered from elsewhere."""

import importlib.util
import re
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[1] / "docs"


@pytest.fixture(scope="module")
def site():
    sys.path.insert(0, str(DOCS))
    try:
        spec = importlib.util.spec_from_file_location("outplay_site", DOCS / "site.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(DOCS))
    return module


def test_every_figure_of_a_benchmark_has_its_date_and_its_command(site):
    found = site.measured()
    assert {"batch", "chess", "cluster", "othello", "scrabble"} <= set(found)
    for name, figures in found.items():
        assert (DOCS.parent / "benchmarks" / f"{name}.py").exists()
        for page, title, text, dated, commands in figures:
            assert re.search(r"\d", text), (page, title)
            assert commands and all(command.startswith(f"python benchmarks/{name}.py") for command in commands)
            assert re.search(r"20\d\d", dated) or not (DOCS.parent / ".git").exists(), (page, title)
