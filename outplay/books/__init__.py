"""Opening books of every game, and those that come with Outplay."""
