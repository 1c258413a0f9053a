"""Comparison of learners with a baseline, as a table and as text."""

from __future__ import annotations

from collections.abc import Sequence

from streamgauge.comparisons._holm import holm
from streamgauge.report._format import listed, number, points, share
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.paired_tests import ALPHA, compared_runs
from streamgauge.report.stream_results import MeasuredLog, StreamResults


def advantages(results: StreamResults, baseline: MeasuredLog) -> dict[str, float]:
    """Difference of each learner to the baseline, positive if it is better; 0 if undecided.

    Decided: the long-run mean losses differ, over all learners together at `ALPHA` (Holm). Of
    repetitions, the mean of the differences in the same repetition.
    """
    tests = {
        m.name: compared_runs(pairs, results.terms.spell)
        for m in results.learners
        if (pairs := m.pairs_with(baseline))
    }
    corrected = holm([test.p for test in tests.values()])
    return {
        name: -test.difference if p <= ALPHA else 0.0
        for (name, test), p in zip(tests.items(), corrected, strict=True)
    }


def worse_than(results: StreamResults, baseline: MeasuredLog | None) -> list[MeasuredLog]:
    """Learners that are worse than a baseline run by the same protocol."""
    if baseline is None:
        return []
    lead = advantages(results, baseline)
    return [m for m in results.learners if lead.get(m.name, 0.0) < 0]


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
