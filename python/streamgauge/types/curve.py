"""A measure over a stream."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from streamgauge.types.columns import F64, I64

Axis: TypeAlias = Literal["items", "labels", "events"]
"""The unit of the points of a curve: items of the stream, known labels, or events."""


@dataclass(frozen=True, slots=True)
class Curve:
    """Values of a measure along a stream, at the non-decreasing points `at`. NaN where undefined.

    `axis` is what `at` counts: `"items"` of the stream up to the last labelled one; known
    `"labels"`, if they became known in another order than that of the items; or `"events"`.
    `definition` holds everything the value depends on: measure, variant, window, cold start.
    `low` and `high` are the limits of a band, if one was requested.
    """

    measure: str
    window: str
    at: I64
    value: F64
    definition: Mapping[str, str] = field(default_factory=dict)
    low: F64 | None = None
    high: F64 | None = None
    axis: Axis = "items"

    @property
    def final(self) -> float:
        """The last value; NaN for an empty log."""
        return float(self.value[-1]) if len(self.value) else float("nan")
