"""Tolerance of the tests of a mean difference (Diebold-Mariano, Nadeau-Bengio)."""

ROUNDING = 1e-12
"""Share of the largest value up to which a mean difference, and its spread, are rounding."""
