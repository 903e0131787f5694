"""Monte Carlo: random games, tree search over positions, over what players know, and over deals with open cards."""
