"""How many examples a property test draws."""

import os

FEWER = 4
"""`make test` draws this many times fewer than `make test-all`, the same in every run."""


def examples(count: int) -> int:
    """`count` in `make test-all`, a part of them in `make test`."""
    every = os.environ.get("STREAMGAUGE_EXAMPLES", "fixed") == "random"
    return count if every else -(-count // FEWER)
