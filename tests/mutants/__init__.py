"""Mutation testing: one small change of the source at a time; some test must then fail."""
