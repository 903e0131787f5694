"""What the tests leave out: modules that want an extra which is not there, and the scripts that build the site."""

import importlib.util

collect_ignore_glob = ["docs/*.py"]
collect_ignore = [] if importlib.util.find_spec("torch") else ["outplay/learning/networks.py", "outplay/learning/shooting.py"]
