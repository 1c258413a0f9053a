"""The classic benchmarks: one file each, with sources and expected statistics."""
