"""Labels that came later than their items."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from streamgauge.log.lateness import waits
from streamgauge.report.case import Case, Seen
from streamgauge.report.page import Column, Row, Table
from streamgauge.types.times import span

SHARES = (0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1.0)
"""Of which the table says by when they had come."""


@dataclass(frozen=True, slots=True)
class LateLabels:
    """A stream in which labels came later than their items.

    How late, by ranks, of about 200,000 labels at most. What a learner is taught by then is not
    what it was asked with: a score with late labels is not to be set beside one without.
    """

    def find(self, case: Case) -> Iterator[Seen]:
        """Look."""
        late = waits(case.fullest.log)
        if not len(late) or not late.any():
            return
        clock = case.schema.clock
        unit = "items" if clock == "item" else "µs"
        by = np.quantile(late, SHARES, method="inverted_cdf")
        told = dict(zip(SHARES, (span(float(ticks), clock) for ticks in by), strict=True))
        yield Seen(
            "note",
            f"Labels came late: half of them within {told[0.5]}, nine in ten within {told[0.9]}, "
            f"the last after {told[1.0]}.",
            Table(
                (
                    Column("share", "labels", "share"),
                    Column("ticks", f"there after ({unit})", "count"),
                ),
                tuple(Row((share, int(ticks))) for share, ticks in zip(SHARES, by, strict=True)),
            ),
        )
