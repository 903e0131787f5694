"""What the tests leave out on a machine that lacks an extra."""

import importlib.util

collect_ignore = [] if importlib.util.find_spec("torch") else ["outplay/learning/networks.py"]
