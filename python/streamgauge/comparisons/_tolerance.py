"""The rounding error that tests of a mean difference allow (Diebold-Mariano, Nadeau-Bengio)."""

ROUNDING = 1e-12
"""Share of the size of the losses up to which a mean difference, and its spread, are rounding.

The size is the largest loss where losses are given, the larger mean loss where only sums are kept.
"""
