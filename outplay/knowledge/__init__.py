"""What is known beforehand, search versus lookup: games, opening books, endgame tables, weights. Files to plain values and back."""
