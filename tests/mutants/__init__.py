"""Mutation testing: each small change of the source must make some test fail."""
