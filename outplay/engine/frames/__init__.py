"""Searches over frames: chance nodes and many players, depth after depth."""
