"""Outplay: write the rules of a game once; search them like the textbook, at C++ speed, and by the billion on a GPU."""

__version__ = "0.1.0"
