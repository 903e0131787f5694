"""Monopoly: its panel in the studio."""

from outplay.extras import Extras

extras = Extras("monopoly", studio=".studio:PANEL",
                named=(("thumb", "Rules of thumb", "buys what it can, builds evenly, keeps some cash"),))
