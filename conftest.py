"""What the tests leave out: modules that want an extra which is not there, and the scripts that build the site."""

import importlib.util
import os

import pytest

os.environ.setdefault("OUTPLAY_PATIENCE", "3600")  # tests want the search's answer, however long the compiler takes

LEARNING = ["outplay/learning/networks.py", "outplay/experts/battleships/learning.py"]  # they want torch
collect_ignore_glob = ["docs/*.py"]
collect_ignore = (
    [] if importlib.util.find_spec("torch") else LEARNING
)


@pytest.fixture(autouse=True)
def no_files_of_others():
    """What an author's file brings in one test is forgotten before the next, which loads it again if it wants it."""
    yield
    from outplay import extras

    extras._OPENED.clear()
