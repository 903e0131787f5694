"""Pac-Man: words for ways and room, counted in steps."""

from outplay.extras import Extras

extras = Extras("pac-man", judge=".words:reasons")
