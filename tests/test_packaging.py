"""The package's papers: one version everywhere, and extras that the messages name."""

import re
import tomllib
from pathlib import Path

import outplay

ROOT = Path(__file__).resolve().parents[1]


def test_the_version_is_the_same_everywhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["project"]["dynamic"] == ["version"]
    assert project["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "outplay.__version__"}
    cited = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(), re.M)
    assert cited[1] == outplay.__version__


def test_every_extra_that_a_message_names_exists():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    named = {name for path in (ROOT / "outplay").rglob("*.py") for name in re.findall(r"outplay\[([\w,]+)\]", path.read_text())}
    assert named and {each for name in named for each in name.split(",")} <= set(extras)


def test_every_page_of_the_documents_is_in_the_site():
    listed = (ROOT / "mkdocs.yml").read_text()
    missing = [page.name for page in (ROOT / "docs").glob("*.md") if page.name not in listed]
    assert missing == []
    assert all(f"generated/{path.stem}.md" in listed for path in (ROOT / "notebooks").glob("*.ipynb"))
