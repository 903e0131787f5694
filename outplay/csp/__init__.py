"""Constraint satisfaction: models, propagation, solvers."""
