"""Mean difference of the losses of two logs and its p-value, where errors may be dependent."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from streamgauge.comparisons._boundary import p_value
from streamgauge.comparisons._options import checked_options
from streamgauge.comparisons._pair_statistics import pair_statistics
from streamgauge.comparisons.long_run import SPELLS
from streamgauge.log import Log
from streamgauge.report._verdict_terms import VerdictTerms
from streamgauge.report.stream_results import MeasuredLog

SPELL = VerdictTerms().spell
"""The longest mean spell of luck, in labels, by default."""

ALPHA = 0.05
"""Probability that a statement names any learner, or pair of learners, wrongly."""

LEAST_SPELL = 10
"""Spell of the shortest logs that are compared, and of labels in random order."""

LEAST_SPELLS = 20
"""Number of spells in logs that are too short for the longest ones."""


@dataclass(frozen=True, slots=True)
class PairedTest:
    """The mean difference of two learners' losses, its long-run variance and its p-value.

    `p` is that of the long run (`LongRun`): 1 if it cannot be decided. Spells of luck may have a
    mean length of 200 labels (`spell`), or a twentieth of the labels if there are fewer than 2,000.
    """

    difference: float
    variance: float
    p: float


def compared_logs(a: Log, b: Log, spell: int = SPELL) -> PairedTest:
    """Test the difference of the losses of two logs of the same items.

    `spell` is the longest mean spell of luck; in logs that are too short for it, shorter ones.
    """
    labels = min(a.label_count(), b.label_count())
    if labels < SPELLS * spell:
        spell = min(spell, max(LEAST_SPELL, labels // LEAST_SPELLS))
    options = checked_options(
        a, b, "whole", 0.05, "either", None, None, None, max(1, labels), 0, False, spell
    )
    status, items, mean, variance, _, statistic = pair_statistics(a, b, options).test.long_run()
    if not items:
        return PairedTest(math.nan, math.nan, 1.0)
    p = p_value(statistic, "either", mean < 0) if status == "undecided" else 1.0
    return PairedTest(mean, variance, p)


def compared_runs(
    pairs: Sequence[tuple[MeasuredLog, MeasuredLog]], spell: int = SPELL
) -> PairedTest:
    """The mean difference of paired runs, as in `compared_logs`; each pair is tested once.

    Over repetitions p is at most a level if those of more than half are at most half of it and
    have the sign of the mean: twice the median of p-values is a p-value, however they depend on
    each other (Rüschendorf 1982).
    """
    tests = []
    for one, two in pairs:
        key = id(two.log), spell
        if key not in one.tests:
            one.tests[key] = compared_logs(one.log, two.log, spell)
        tests.append(one.tests[key])
    return mean_test(tests)


def mean_test(tests: Sequence[PairedTest]) -> PairedTest:
    """The test of a mean difference over repetitions, as in `compared_runs`."""
    if not tests:
        return PairedTest(math.nan, math.nan, 1.0)
    if len(tests) == 1:
        return tests[0]
    mean = math.fsum(t.difference for t in tests) / len(tests)
    alike = [t.p if t.difference * mean > 0 else 1.0 for t in tests]
    variance = math.fsum(t.variance for t in tests) / len(tests)
    return PairedTest(mean, variance, min(1.0, 2 * sorted(alike)[len(alike) // 2]))
