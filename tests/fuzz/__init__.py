"""Fuzzing: changed input gives a result or one of streamgauge's own errors, and no difference."""
