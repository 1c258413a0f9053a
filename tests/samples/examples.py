"""How many examples a property test draws, and how many cases of a kind are tested."""

import os
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

FEWER = 4
"""`make test` draws this many times fewer than `make test-all`, the same in every run."""

ALL = os.environ.get("STREAMGAUGE_EXAMPLES", "fixed") == "random"


def examples(count: int) -> int:
    """`count` in `make test-all`, a part of them in `make test`."""
    return count if ALL else -(-count // FEWER)


def some(cases: Sequence[T], nth: int) -> Sequence[T]:
    """All cases in `make test-all`, one in `make test`: the `nth`, counted round and round."""
    return cases if ALL else [cases[nth % len(cases)]]
