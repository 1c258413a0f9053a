"""The classic benchmarks: one file each, with where it comes from and what must be true of it."""
