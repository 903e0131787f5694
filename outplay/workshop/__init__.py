"""The workshop: what a game is like, which parameters make it fair, and which options make a player strong."""
