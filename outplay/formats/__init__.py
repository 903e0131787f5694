"""Files of games: read by what they say, written in the game's own format."""
