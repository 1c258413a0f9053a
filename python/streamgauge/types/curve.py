"""A measure over a stream."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from streamgauge.types.columns import F64, I64


@dataclass(frozen=True, slots=True)
class Curve:
    """A measure over a stream: one value after every `at`-th item. NaN where undefined.

    `definition` says everything the number depends on: measure, variant, window, cold start.
    `low` and `high` are the ends of a band around it, if one was asked for.
    """

    measure: str
    window: str
    at: I64
    value: F64
    definition: Mapping[str, str] = field(default_factory=dict)
    low: F64 | None = None
    high: F64 | None = None

    @property
    def final(self) -> float:
        """The last value; NaN for an empty log."""
        return float(self.value[-1]) if len(self.value) else float("nan")
