"""The protocols of graphical boards and match runners: one loop, and UCI, GTP, Hub and NBoard as its dialects."""
