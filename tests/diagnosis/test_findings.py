"""Every finding of a diagnosis is recomputed from the labels and the learners' results."""

from __future__ import annotations

import math

import numpy as np
import pytest

from oracles import diagnosis as slow
from oracles import label_sequences as sequences
from oracles import temporal
from streamgauge.diagnosis import label_dependence, quick_test
from streamgauge.diagnosis.autocorrelation import autocorrelation_of
from streamgauge.diagnosis.findings import LearnerResult, findings
from streamgauge.diagnosis.items_for_precision import fading_items
from streamgauge.report._format import count, number, share
from streamgauge.report.paired_tests import PairedTest

LAGS = 4


def chain(n: int, stay: float, seed: int, classes: int = 2) -> list[int]:
    rng = np.random.default_rng(seed)
    y = [0] if n else []
    while len(y) < n:
        y.append(y[-1] if rng.random() < stay else int(rng.integers(0, classes)))
    return y


LABELS = {
    "none": [],
    "one": [1],
    "two alike": [1, 1],
    "one class": [0] * 9,
    "each once": [0, 1, 2],
    "alternating": [0, 1] * 40,
    "runs": ([0] * 7 + [1] * 7) * 12,
    "weak": ([0] * 17 + [1] * 2 + [0] * 9 + [1]) * 20,
    "rare": [0] * 20 + [1] * 3 + [0] * 30 + [1] * 4 + [0] * 25 + [1] * 2 + [0] * 40,
    "lag two": sequences.lag_two(np.random.default_rng(0), 800, 0.7).tolist(),
    "never two on": sequences.never_two_on(np.random.default_rng(0), 300).tolist(),
    "faults": sequences.faults(np.random.default_rng(5), 1500).tolist(),
    "drift": sequences.slow_drift(np.random.default_rng(0), 1000, 0.1, 0.9).tolist(),
    "many independent": sequences.independent(np.random.default_rng(1), 2600).tolist(),
    "a rare class": sequences.independent(
        np.random.default_rng(2), 2600, (0.6, 0.396, 0.004)
    ).tolist(),
    **{
        f"chain {n} {stay} {seed}": chain(n, stay, seed, 2 + seed % 2)
        for n in (12, 150, 400)
        for stay in (0.0, 0.4, 0.9)
        for seed in (0, 1)
    },
}


def results(n: int) -> dict[str, LearnerResult]:
    """Learners that differ or not from the last label, with errors of any dependence."""
    found = {}
    for nth, name in enumerate(("naive_bayes", "persistent", "tree", "majority_class")):
        for accuracy, p in ((0.1, 1e-4), (0.5, 0.2), (0.98, 1e-3)):
            errors = np.array(chain(max(n, 3), 0.3 * nth, nth), np.float64)
            key = f"{name} {accuracy}"
            tests = {"persistent": PairedTest(0.6 - accuracy, 0.2, p)}
            seen = autocorrelation_of(errors, LAGS)
            found[key] = LearnerResult(key, accuracy, accuracy - 0.3, seen, tests)
    return found


@pytest.mark.parametrize("name", LABELS)
def test_findings_equal_the_slow_ones(name):
    y = LABELS[name]
    column = np.array(y, np.int32)
    seen, quick = label_dependence(column, LAGS), quick_test(column, 30)
    learners = results(len(y))
    expected = [("temporal_dependence", *slow.dependence(y, seen.z, number))]
    depends = len(y) > 1 and slow.dependent(y, seen.z)
    order = slow.order(y, max(y, default=0) + 1, LAGS)
    if depends and order:
        expected.append(("order", "note", slow.order_sentence(order, LAGS)))
    majority, persistent = temporal.quick(y, 30)
    if not math.isnan(majority):
        sentence = slow.quick_sentence(y, majority, persistent, min(30, len(y)))
        expected.append(("quick_test", "note", sentence))
    for one in learners.values():
        # four tests that are not of baselines: two of the smallest p-value, both significant
        if not one.name.startswith(slow.BASELINES) and one.accuracy == 0.1:
            sentence = (
                f"{one.name} ({slow.percent(one.accuracy)}) is worse than repeating the last "
                f"label ({share(temporal.p_repeat(y))}): kappa_temporal is "
                f"{number(one.kappa_temporal)}."
            )
            expected.append(("below_persistent", "warning", sentence))
    for one, stay in zip(learners.values(), np.repeat(range(4), 3), strict=True):
        errors = chain(max(len(y), 3), 0.3 * stay, int(stay))
        lag = slow.strongest_lag(errors, LAGS)
        if one.name.startswith(slow.BASELINES) or lag is None:
            continue
        rho = temporal.autocorrelation(errors, lag)
        if rho >= 0.05 and slow.effective_items(errors) < 0.9 * len(errors):
            sentence = (
                f"The errors of {one.name} are autocorrelated ({number(rho)} at lag {lag}): its "
                f"{count(len(errors))} items are worth about "
                f"{count(slow.effective_items(errors))} independent ones, and tests that "
                "assume independent errors reject too often."
            )
            expected.append(("dependent_errors", "note", sentence))
    if y:
        expected.append(("precision", "note", slow.precision_sentence(y)))
    found = [(f.rule, f.severity, f.sentence) for f in findings(seen, quick, learners, None)]
    assert found == expected


def test_the_cases_have_every_kind_of_finding():
    kinds = set()
    for y in LABELS.values():
        column = np.array(y, np.int32)
        seen, quick = label_dependence(column, LAGS), quick_test(column, 30)
        all_findings = findings(seen, quick, results(len(y)), None)
        kinds |= {(f.rule, f.severity, f.sentence[:24]) for f in all_findings}
    assert len({kind for kind in kinds if kind[0] == "temporal_dependence"}) == 9
    assert {"order", "quick_test", "below_persistent", "dependent_errors"} <= {k[0] for k in kinds}
    assert fading_items(0.999) == pytest.approx(1999)
