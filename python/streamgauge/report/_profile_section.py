"""Section of a report with all properties of the learners side by side."""

from __future__ import annotations

from typing import Literal

from streamgauge.plots.radar import MARK, data
from streamgauge.properties._profile import Profile, ProfileAxis
from streamgauge.report._format import listed
from streamgauge.report.page import Column, ProfileSection, Row, Table
from streamgauge.report.stream_results import StreamResults

LEAST_AXES = 3
"""Axes of a polygon."""


def profile_section(profile: Profile, results: StreamResults) -> ProfileSection | None:
    """Section about a profile; None for a single learner, or without axes for a polygon."""
    if len(results.learners) < 2 or len(profile.axes) < LEAST_AXES:
        return None
    derived = [m.name for m in results.measured if m.derived]
    missing = "; ".join(f"{name}: {why}" for name, why in profile.missing.items())
    note = (
        "Scores are from 0 to 1, outside is better on every axis; the table of axes states the "
        "values with the scores 0 and 1, which do not depend on the other learners. Only costs "
        "are compared with the cheapest learner shown, on a logarithmic scale. On an axis with "
        f"{MARK.strip()} a constant learner wins: a baseline, which reads no features, has the "
        "best score, or one that rounds to it. Areas of polygons mean nothing."
        + (f" Costs of {listed(derived)} are not known: they were not run." if derived else "")
        + (f" Not measured: {missing}." if missing else "")
    )
    return ProfileSection(
        value_table(profile),
        score_table(profile),
        axis_table(profile),
        profile.missing,
        data(profile),
        note,
    )


def value_table(profile: Profile) -> Table:
    """One row per learner, one column per property."""
    columns = [
        Column(axis.key, axis.title, axis.kind, _marked(axis, axis.better), axis.definition)
        for axis in profile.axes
    ]
    rows = (
        Row((name, *(axis.values[name] for axis in profile.axes)), name in profile.baselines)
        for name in profile.learners
    )
    return Table((Column("learner", "learner"), *columns), tuple(rows))


def score_table(profile: Profile) -> Table:
    """One row per learner with its scores, and the ratios of costs to the cheapest learner."""
    costs = [axis for axis in profile.axes if axis.ratios]
    columns = [
        *(
            Column(
                axis.key,
                axis.title,
                "index",
                _marked(axis, "high"),
                f"0: {axis.zero}; 1: {axis.one}",
            )
            for axis in profile.axes
        ),
        *(
            Column(f"{axis.key}_ratio", f"{axis.title}, times the cheapest", "number", "low")
            for axis in costs
        ),
    ]
    rows = (
        Row(
            (
                name,
                *(axis.scores[name] for axis in profile.axes),
                *(axis.ratios.get(name) for axis in costs),
            ),
            name in profile.baselines,
        )
        for name in profile.learners
    )
    return Table((Column("learner", "learner"), *columns), tuple(rows))


def axis_table(profile: Profile) -> Table:
    """One row per property: its definition, direction, reference values and constant winners."""
    columns = (
        Column("axis", "axis"),
        Column("definition", "definition"),
        Column("better", "better"),
        Column("zero", "score 0"),
        Column("one", "score 1"),
        Column("constant", "a constant learner wins", note="baselines with the best score"),
    )
    rows = (
        Row(
            (
                axis.title,
                axis.definition,
                axis.better,
                axis.zero,
                axis.one,
                f"yes: {listed(axis.constant)}"
                if axis.constant
                else "no"
                if axis.baselines_known
                else "baselines were not run",
            )
        )
        for axis in profile.axes
    )
    return Table(columns, tuple(rows))


def _marked(axis: ProfileAxis, better: Literal["high", "low"]) -> Literal["high", "low"] | None:
    """Which values are marked as the best: none if a learner that reads no features has it."""
    return None if axis.constant else better
