"""The arena: games between players, matches with error bars, and tests of strength."""
