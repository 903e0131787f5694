"""Endgame tables: made by retrograde analysis, kept in files, asked inside a search and by players."""
