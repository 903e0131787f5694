"""Scrabble: words on a board."""
