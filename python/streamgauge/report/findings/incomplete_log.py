"""Logs of incomplete runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report.findings._baseline_comparison import subject_verb
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.stream_results import Remark, StreamResults


@dataclass(frozen=True, slots=True)
class IncompleteLog:
    """A log without its end marker: the run was stopped, failed or is still going on.

    The rows written so far are measured. Values may change when the run is resumed.
    """

    def find(self, results: StreamResults) -> Iterator[Remark]:
        """Yield the findings of one stream."""
        incomplete = [m for m in results.measured if not m.complete and not m.derived]
        if incomplete:
            yield Remark(
                "warning",
                f"{subject_verb(incomplete, 'was', 'were')} stopped before the end of the stream; "
                "the values "
                "cover only the items written until then.",
                Table(
                    (Column("learner", "learner"), Column("known", "labels", "count")),
                    tuple(Row((m.name, m.counts.known)) for m in incomplete),
                ),
            )
