"""Comparison of learners with a baseline, as a table and as text."""

from __future__ import annotations

from collections.abc import Sequence

from streamgauge.report._format import listed, number, points, share
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.stream_results import MeasuredLog, StreamResults, half_width

TOLERANCE = 0.01
"""Relative difference of two errors below which they count as equal."""


def advantage(results: StreamResults, learner: MeasuredLog, baseline: MeasuredLog) -> float:
    """Difference to the baseline, positive if the learner is better; 0 if it may be noise.

    Of repetitions, the mean of the differences in the same repetition; 0 also if at most half of
    the repetitions alone show it.
    """
    gap = _beyond_noise(results, learner, baseline)
    if not learner.runs:
        return gap
    pairs = learner.pairs_with(baseline)
    alike = sum(gap * _beyond_noise(results, *pair) > 0 for pair in pairs)
    return gap if 2 * alike > len(pairs) else 0.0


def _beyond_noise(results: StreamResults, learner: MeasuredLog, baseline: MeasuredLog) -> float:
    gap = float(learner.difference(baseline, results.main_measure))
    if results.classification:
        noise = half_width(learner.known)
    else:
        gap, noise = -gap, TOLERANCE * baseline.value(results.main_measure)
    return gap if abs(gap) > noise else 0.0


def worse_than(results: StreamResults, baseline: MeasuredLog | None) -> list[MeasuredLog]:
    """Learners that are worse than a baseline run by the same protocol."""
    if baseline is None:
        return []
    return [
        m
        for m in results.learners
        if m.comparable_with(baseline) and advantage(results, m, baseline) < 0
    ]


def comparison_table(
    results: StreamResults, learners: Sequence[MeasuredLog], baselines: Sequence[MeasuredLog]
) -> Table:
    """Values of the learners beside those of the baselines."""
    return Table(
        (
            Column("learner", "learner"),
            Column(results.main_measure, results.main_measure, results.kind),
            *(Column(b.name, b.name, results.kind) for b in baselines),
        ),
        tuple(
            Row(
                (
                    m.name,
                    m.cell(results.main_measure),
                    *(b.cell(results.main_measure) for b in baselines),
                )
            )
            for m in learners
        ),
    )


def compared_values(
    results: StreamResults, learners: Sequence[MeasuredLog], baseline: MeasuredLog
) -> str:
    """`81.2 % against 85.3 %` for one learner, the largest difference for several."""
    values = [m.value(results.main_measure) for m in learners]
    other = baseline.value(results.main_measure)
    show = share if results.classification else number
    if len(values) == 1:
        return f"{show(values[0])} against {show(other)}"
    gap = max(abs(value - other) for value in values)
    return f"by up to {points(gap) if results.classification else number(gap)}"


def subject_verb(learners: Sequence[MeasuredLog], one: str, many: str) -> str:
    """Names and verb: `naive_bayes is`, `naive_bayes and perceptron are`."""
    return f"{listed(m.name for m in learners)} {one if len(learners) == 1 else many}"
