"""Learners held against a baseline, as evidence and in words."""

from __future__ import annotations

from collections.abc import Sequence

from streamgauge.report.case import Case, Measured, half_width
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.wording import listed, number, points, share

GRAIN = 0.01
"""An error that differs by less than this share of the baseline's counts as equal."""


def ahead(case: Case, learner: Measured, baseline: Measured) -> float:
    """How far a learner is ahead (negative: behind), beyond what chance may give; 0 between."""
    mine, other = learner.value(case.main), baseline.value(case.main)
    if case.classification:
        gap, noise = mine - other, half_width(learner.counts.known)
    else:
        gap, noise = other - mine, GRAIN * other
    return gap if abs(gap) > noise else 0.0


def behind(case: Case, baseline: Measured | None) -> list[Measured]:
    """The learners a baseline by the same protocol beats."""
    if baseline is None:
        return []
    return [m for m in case.learners if m.fits(baseline) and ahead(case, m, baseline) < 0]


def listing(case: Case, learners: Sequence[Measured], baselines: Sequence[Measured]) -> Table:
    """The numbers of learners beside those of baselines."""
    return Table(
        (
            Column("learner", "learner"),
            Column(case.main, case.main, case.kind),
            *(Column(b.name, b.name, case.kind) for b in baselines),
        ),
        tuple(
            Row((m.name, m.value(case.main), *(b.value(case.main) for b in baselines)))
            for m in learners
        ),
    )


def against(case: Case, learners: Sequence[Measured], baseline: Measured) -> str:
    """`81.2 % against 85.3 %` for one learner, the largest gap for several."""
    values = [m.value(case.main) for m in learners]
    other = baseline.value(case.main)
    show = share if case.classification else number
    if len(values) == 1:
        return f"{show(values[0])} against {show(other)}"
    gap = max(abs(value - other) for value in values)
    return f"by up to {points(gap) if case.classification else number(gap)}"


def verb(learners: Sequence[Measured], one: str, many: str) -> str:
    """`naive_bayes is`, `naive_bayes and perceptron are`."""
    return f"{listed(m.name for m in learners)} {one if len(learners) == 1 else many}"
