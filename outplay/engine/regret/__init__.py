"""Regret minimization: equilibria of games with hidden information, over states or over what is public."""
