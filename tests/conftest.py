"""Settings for every test: the same examples on every run, and no deadline, since the first call of a kernel compiles it."""

from hypothesis import settings

settings.register_profile("outplay", deadline=None, derandomize=True, database=None)
settings.load_profile("outplay")
