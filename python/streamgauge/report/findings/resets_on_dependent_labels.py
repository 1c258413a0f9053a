"""Learners reset by a detector on a stream with dependent labels."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from streamgauge.report._format import listed, share
from streamgauge.report.findings._label_repeats import label_repeats
from streamgauge.report.page import Column, Row, Table
from streamgauge.report.stream_results import MeasuredLog, Remark, StreamResults


@dataclass(frozen=True, slots=True)
class ResetsOnDependentLabels:
    """A learner that a detector resets, on a stream whose labels repeat more often than by chance.

    Labels repeat more often, as defined in `temporal_dependence`. Then forgetting alone may raise
    the accuracy, and a higher accuracy is no evidence that the alarms were right. After n labels a
    majority class learner is right with probability r p_per + (1 - r) Σ pᵢ², with r = (1 - λⁿ) / (n
    (1 - λ)) and the second eigenvalue λ of the chain of labels (Žliobaitė et al. 2015, Proposition
    9, corrected), here λ = (p_per - Σ pᵢ²) / (1 - Σ pᵢ²), exact for two classes. The value shown is
    its mean over n between alarms at random that are as frequent as the detector's; where these are
    rare it is an underestimate, as it tends to Σ pᵢ², not to the largest share.
    """

    min_difference: float = 0.05

    def find(self, results: StreamResults) -> Iterator[Remark]:
        """Yield the findings of one stream."""
        repeats = label_repeats(results) if results.classification else None
        reset = {m.name: (m, _alarms(m)) for m in results.learners}
        reset = {name: found for name, found in reset.items() if found[1]}
        if repeats is None or not reset:
            return
        if repeats.observed < repeats.by_chance or not repeats.differ(self.min_difference):
            return
        rows = []
        for name, (one, alarms) in reset.items():
            rate = alarms / one.counts.known
            by_chance = reset_accuracy(repeats.observed, repeats.by_chance, rate)
            accuracy = one.value("accuracy")
            rows.append(Row((name, alarms, accuracy, by_chance, repeats.observed)))
        best = max(float(row.cells[3] or 0) for row in rows)
        which = "a detector resets" if len(rows) == 1 else "detectors reset"
        yield Remark(
            "warning",
            f"Labels depend on the previous label, and {which} {listed(reset)}: resets raise the "
            "accuracy for no other reason than that a learner forgets, so it does not judge the "
            f"detector. With as many resets at random, predicting the majority class is right in "
            f"{share(best)} of cases already; run random_alarms beside it, or judge the alarms "
            "against known drifts (streamgauge drift).",
            Table(
                (
                    Column("learner", "learner"),
                    Column("alarms", "alarms", "count"),
                    Column("accuracy", "accuracy", "share"),
                    Column("at_random", "majority class, reset at random as often", "share"),
                    Column("persistent", "repeating the last label", "share"),
                ),
                tuple(rows),
            ),
        )


def _alarms(one: MeasuredLog) -> int:
    """Number of alarms of the detector inside a learner, over all runs."""
    return sum(len(run.log.alarms().of_fold(0).alarms) for run in one.each)


def reset_accuracy(repeated: float, by_chance: float, rate: float) -> float:
    """Accuracy of a majority class learner that is reset at random with this rate per item.

    The sum over n of q (1 - q)ⁿ⁻¹ (r p_per + (1 - r) Σ pᵢ²), in closed form.

    Examples
    --------
    >>> reset_accuracy(0.85, 0.51, rate=1.0), reset_accuracy(0.85, 0.51, rate=0.01)
    (0.85, 0.549)
    """
    eigenvalue = (repeated - by_chance) / (1 - by_chance)
    if rate >= 1 or eigenvalue >= 1:
        return repeated
    ratio = math.log((1 - eigenvalue * (1 - rate)) / rate) / ((1 - rate) * (1 - eigenvalue))
    weight = rate * ratio
    return weight * repeated + (1 - weight) * by_chance
