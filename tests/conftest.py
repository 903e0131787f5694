"""Settings for every test: the same examples on every run, and no deadline, since the first call of a kernel compiles it."""

import gc
import tracemalloc

import pytest
from hypothesis import settings

settings.register_profile("outplay", deadline=None, derandomize=True, database=None)
settings.load_profile("outplay")


@pytest.fixture
def bytes_kept():
    """A function that tells how many bytes of Python's and NumPy's memory a call leaves behind, and how many it had at most.

    What was there before is no part of it, and is not looked through: thousands of tests have left their marks by then.
    """

    def measure(call):
        gc.freeze()
        tracemalloc.start()
        try:
            call()
            gc.collect()
            return tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
            gc.unfreeze()

    return measure
