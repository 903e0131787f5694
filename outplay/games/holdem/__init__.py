"""Texas hold'em: cards, ranges and the strength of hands."""
