"""The notebooks, run cell by cell as a reader would, with the shortest of runs for what learns."""

import importlib.util
import json
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
spec = importlib.util.spec_from_file_location("notebooks", ROOT / "docs" / "notebooks.py")
runner = importlib.util.module_from_spec(spec)
spec.loader.exec_module(runner)


def test_there_are_five():
    assert [path.stem[2:] for path in NOTEBOOKS] == [
        "first-search", "write-your-game", "compare-algorithms", "learn-connect-four", "solve-a-poker"]  # fmt: skip


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_cell_runs(path, monkeypatch):
    if "learn" in path.stem:
        pytest.importorskip("torch", reason="the extra `learn` is not installed")
    monkeypatch.setenv("OUTPLAY_NOTEBOOK_SECONDS", "1")
    notebook = runner.run(path)
    assert any(cell.get("outputs") for cell in notebook["cells"])


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_what_a_reader_sees_is_stored(path):
    """Every cell was run in order when it was stored, and the file is one that Jupyter takes."""
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    nbformat.validate(nbformat.read(path, as_version=4))
    cells = [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    assert not any("Traceback" in json.dumps(cell["outputs"]) for cell in cells)


def test_a_cell_that_fails_names_notebook_and_cell():
    with pytest.raises(ZeroDivisionError) as caught:
        runner.outputs_of("1 / 0", {}, "x.ipynb, cell 3")
    assert "x.ipynb, cell 3" in str(caught.traceback[-1])
    shown = runner.outputs_of("print('said')\n6 * 7", {}, "c")
    assert [each.get("text") or each["data"] for each in shown] == ["said\n", {"text/plain": "42"}]
