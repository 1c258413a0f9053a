"""The size of differences that are rounding."""

ROUNDING = 1e-12
"""Share of the largest value up to which a mean difference, and its spread, are rounding."""
