"""Contract bridge: deals and their notation, scoring, rules."""
