"""Learning: reads played games, writes weights."""
