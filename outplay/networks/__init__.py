"""Networks as files: what a game looks like to them, their weights, and how an ordinary processor asks them."""
