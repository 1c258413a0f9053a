from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from oracles import label_sequences as sequences
from oracles.dependent_losses import bursts
from report.example_logs import a_late_log, a_log, independent, predictions, sticky
from streamgauge import learners, streams
from streamgauge.engine import run
from streamgauge.lazy import members
from streamgauge.log import Log
from streamgauge.measures._compute import needs_scores
from streamgauge.names import known, make
from streamgauge.protocols import Reevaluating
from streamgauge.report import build, findings
from streamgauge.report._apply_rules import rules
from streamgauge.report.json import plain
from streamgauge.types import NONE, Drift, Feature, Schema

N = 6000
COIN = independent(N)
STICKY = sticky(N, 0.9)
RARE = independent(N, (0.95, 0.05))
THREE = independent(N, (0.5, 0.3, 0.2))
ABC = ("a", "b", "c")
WAVE = np.sin(np.arange(N) / 20) + np.random.default_rng(0).normal(0, 0.1, N)
NOISE = np.random.default_rng(0).normal(0, 1, N)
DELAYS = np.random.default_rng(2).integers(0, 100, N)
DRIFT = (Drift(3000, 3000, 3000),)


def after(value: float, recovery: float = 0) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Accuracy 0.9 before the drift, `value` after it, and 0.9 again after `recovery` items."""
    at = np.arange(N)
    recovered = at >= 3000 + recovery if recovery else np.zeros(N, bool)
    return np.where((at < 3000) | recovered, 0.9, value)


def real(prediction: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Log:
    return a_log(WAVE, prediction, "linear", classes=None)


def abstaining(predicted: np.ndarray[tuple[int], np.dtype[np.int32]], first: int):
    result = predicted.copy()
    result[:first] = NONE
    return result


def resetting(labels: np.ndarray[tuple[int], np.dtype[np.int32]]) -> Log:
    """A learner that is reset now and then by a detector inside it."""
    stream = streams.from_arrays(np.zeros((N, 1)), np.array(["a", "b"])[labels])
    return run(stream, "resetting(majority_class, random_alarms(p=0.02))")


def unlabelled(share: float):
    labels = COIN.copy()
    labels[np.random.default_rng(1).random(N) < share] = NONE
    return labels


def repeatedly_predicted(delay: int) -> Log:
    stream = streams.delay(streams.take(streams.SEA(), 2000), delay)
    return run(stream, learners.NaiveBayes(), Reevaluating(every=10))


CASES: dict[str, tuple[Callable[[], list[Log]], Callable[[], list[Log]]]] = {
    # rule: logs that trigger it, logs that do not
    "below_persistent": (
        lambda: [a_log(STICKY, predictions(STICKY, 0.8))],
        lambda: [a_log(STICKY, predictions(STICKY, 0.95))],
    ),
    "below_majority": (
        lambda: [a_log(RARE, predictions(RARE, 0.8))],
        lambda: [a_log(RARE, predictions(RARE, 0.99))],
    ),
    "beats_baselines": (
        lambda: [a_log(COIN, predictions(COIN, 0.8))],
        lambda: [a_log(COIN, predictions(COIN, 0.6))],
    ),
    "worse_than_last_value": (
        lambda: [real(NOISE / 100)],
        lambda: [real(WAVE + NOISE / 100)],
    ),
    "worse_than_target_mean": (
        lambda: [real(WAVE + 3)],
        lambda: [real(WAVE + NOISE / 100)],
    ),
    "resets_on_dependent_labels": (
        lambda: [resetting(STICKY)],
        lambda: [resetting(COIN)],
    ),
    "temporal_dependence": (
        lambda: [a_log(STICKY, predictions(STICKY, 0.8))],
        lambda: [a_log(COIN, predictions(COIN, 0.8))],
    ),
    "independent_labels": (
        lambda: [a_log(COIN, predictions(COIN, 0.8))],
        lambda: [a_log(STICKY, predictions(STICKY, 0.8))],
    ),
    "window_too_short": (
        lambda: [a_log(COIN, predictions(COIN, p, int(100 * p)), str(p)) for p in (0.87, 0.9)],
        lambda: [a_log(COIN, predictions(COIN, p), str(p)) for p in (0.7, 0.9)],
    ),
    "too_close_to_call": (
        lambda: [a_log(COIN, predictions(COIN, p), str(p)) for p in (0.899, 0.9)],
        lambda: [a_log(COIN, predictions(COIN, p), str(p)) for p in (0.8, 0.9)],
    ),
    "cold_start": (
        lambda: [a_log(COIN, abstaining(predictions(COIN, 0.9), 100))],
        lambda: [a_log(COIN, abstaining(predictions(COIN, 0.9), 1))],
    ),
    "one_class": (
        lambda: [a_log(np.zeros(N, np.int32), np.zeros(N, np.int32))],
        lambda: [a_log(COIN, COIN)],
    ),
    "incomplete_log": (
        lambda: [a_log(COIN, COIN, complete=False)],
        lambda: [a_log(COIN, COIN)],
    ),
    "missing_labels": (
        lambda: [a_log(unlabelled(0.2), COIN)],
        lambda: [a_log(COIN, COIN)],
    ),
    "misleading_accuracy": (
        lambda: [a_log(RARE, (independent(N, (0.99, 0.01), 5)))],
        lambda: [a_log(RARE, predictions(RARE, 0.99))],
    ),
    "constant_predictions": (
        lambda: [a_log(COIN, np.zeros(N, np.int32))],
        lambda: [a_log(COIN, COIN)],
    ),
    "class_never_predicted": (
        lambda: [a_log(THREE, np.minimum(THREE, 1), classes=ABC)],
        lambda: [a_log(THREE, predictions(THREE, 0.8), classes=ABC)],
    ),
    "whole_differs_from_end": (
        lambda: [a_log(COIN, predictions(COIN, np.linspace(0.95, 0.5, N)))],
        lambda: [a_log(COIN, predictions(COIN, 0.8))],
    ),
    "class_dependent_delay": (
        lambda: [a_late_log(COIN, COIN, DELAYS + 80 * (COIN == 1))],
        lambda: [a_late_log(COIN, COIN, DELAYS)],
    ),
    "late_labels": (
        lambda: [a_late_log(COIN, COIN, DELAYS)],
        lambda: [a_late_log(COIN, COIN, 0 * DELAYS)],
    ),
    "changed_predictions": (
        lambda: [repeatedly_predicted(200)],
        lambda: [repeatedly_predicted(0)],
    ),
    "different_items": (
        lambda: [a_log(COIN, COIN, "one"), a_log(COIN[:3000], COIN[:3000], "two")],
        lambda: [a_log(COIN, COIN, "one"), a_log(COIN, predictions(COIN, 0.8), "two")],
    ),
    "identical_repetitions": (
        lambda: [a_log(COIN, COIN, seed=seed) for seed in "12"],
        lambda: [a_log(COIN, predictions(COIN, 0.8, int(seed)), seed=seed) for seed in "12"],
    ),
    "missing_repetitions": (
        lambda: [a_log(COIN, COIN, name, seed=seed) for name, seed in ("a1", "a2", "b1")],
        lambda: [a_log(COIN, COIN, name, seed=seed) for name, seed in ("a1", "a2", "b1", "b2")],
    ),
    "not_recovered": (
        lambda: [a_log(COIN, predictions(COIN, after(0.5)), drifts=DRIFT)],
        lambda: [a_log(COIN, predictions(COIN, after(0.5, 500)), drifts=DRIFT)],
    ),
    "recovered": (
        lambda: [a_log(COIN, predictions(COIN, after(0.5, 500)), drifts=DRIFT)],
        lambda: [a_log(COIN, predictions(COIN, after(0.9)), drifts=DRIFT)],
    ),
}


def found(logs: list[Log]) -> dict[str, list[str]]:
    sentences: dict[str, list[str]] = {}
    for finding in build(logs).findings:
        sentences.setdefault(finding.rule, []).append(finding.sentence)
    return sentences


def test_every_rule_has_logs_that_trigger_it_and_logs_that_do_not() -> None:
    assert set(CASES) == set(rules()), "a new rule needs two logs in CASES"


def test_every_rule_has_one_file_and_one_line() -> None:
    folder = Path(inspect.getfile(findings)).parent
    files = {p.stem for p in folder.glob("*.py") if not p.stem.startswith("_")}
    assert files == {module.rpartition(".")[2] for module in members(findings.__name__).values()}


@pytest.mark.parametrize("rule", sorted(CASES))
def test_a_rule_is_triggered_by_its_logs(rule: str) -> None:
    triggering, _ = CASES[rule]
    (sentence,) = found(triggering())[rule]
    assert sentence.endswith(".")
    assert not re.search(r"\bnan\b", sentence)


@pytest.mark.parametrize("rule", sorted(CASES))
def test_a_rule_is_not_triggered_by_its_other_logs(rule: str) -> None:
    _, others = CASES[rule]
    assert rule not in found(others())


LIMITS = {
    "changed_predictions": {"min_share": 0.01},
    "class_never_predicted": {"min_share": 0.01, "min_labels": 30},
    "cold_start": {"note_below": 0.9995, "warn_below": 0.95},
    "constant_predictions": {"min_predictions": 30},
    "independent_labels": {"max_limit": 0.1},
    "misleading_accuracy": {
        "max_difference": 0.02,
        "max_kappa": 0.1,
        "min_imbalance": 0.1,
        "min_labels": 1000,
    },
    "missing_labels": {"warn_above": 0.5},
    "resets_on_dependent_labels": {"min_difference": 0.05},
    "temporal_dependence": {"min_difference": 0.05},
    "too_close_to_call": {"alpha": 0.05},
    "whole_differs_from_end": {"alpha": 0.05},
    "window_too_short": {"alpha": 0.05},
}
"""Limits of the rules as stated in their definitions."""


def test_the_limits_of_the_rules_are_those_of_their_definitions() -> None:
    found = {
        name: {f.name: f.default for f in fields(rule) if isinstance(f.default, int | float)}
        for name, rule in rules().items()
    }
    limits = {name: given for name, given in found.items() if given}
    assert limits == LIMITS, "limits of a new rule are added to LIMITS"


def in_runs(*lengths: int) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    """Labels of two alternating classes, in runs of these lengths."""
    return np.repeat(np.arange(len(lengths)) % 2, lengths).astype(np.int32)


@pytest.mark.parametrize(
    ("labels", "dependent"),
    [
        (in_runs(5, 5, 4, 4, 4, 4), True),  # 20 of 25 repeat: 3.2 standard errors
        (in_runs(5, 5, 4, 4, 4, 3, 1), False),  # 19: 2.8
        (in_runs(2, 2, 2, 2, *[1] * 18), True),  # 4 of 25: they alternate
        (in_runs(2, 2, 2, 2, 1, 2, *[1] * 15), False),
    ],
)
def test_labels_repeat_differently_from_three_standard_errors_on(labels, dependent) -> None:
    assert len(labels) == 26
    sentences = " ".join(found([a_log(labels, labels)]).get("temporal_dependence", []))
    assert ("depend on the previous label" in sentences) == dependent


WITHOUT_SCORES = [name for name in known("measure") if not needs_scores([name])]
REQUESTED = {
    task: [names[i::3] for i in range(3)]
    for task in ("classification", "regression")
    if (names := [name for name in WITHOUT_SCORES if make("measure", name).task == task])
}
"""Every measure that needs no scores, in three parts."""


@pytest.mark.parametrize("rule", sorted(CASES))
def test_findings_do_not_depend_on_the_requested_measures(rule: str) -> None:
    logs = CASES[rule][0]()
    usual = build(logs)
    for requested in REQUESTED[logs[0].schema.task]:
        page = build(logs, measures=requested)
        assert plain(page.findings) == plain(usual.findings)
        shown = [panel.measure for panel in page.sections[0].panels]
        assert shown == list(dict.fromkeys([usual.sections[0].panels[0].measure, *requested]))


def test_a_finding_has_its_evidence_and_its_definition() -> None:
    (finding,) = [
        f for f in build(CASES["below_persistent"][0]()).findings if f.rule == "below_persistent"
    ]
    assert finding.severity == "warning"
    assert finding.stream == "made up"
    assert finding.evidence.column("learner") == ["naive_bayes"]
    (accuracy,), (persistent,) = (
        finding.evidence.column("accuracy"),
        finding.evidence.column("persistent"),
    )
    assert accuracy < persistent - 0.05
    assert "as by `compare`" in finding.definition
    assert "naive_bayes is less accurate" in finding.sentence


def test_baselines_are_not_compared_with_baselines() -> None:
    same = np.concatenate([[NONE], STICKY[:-1]]).astype(np.int32)
    logs = [
        a_log(STICKY, same, "persistent"),
        a_log(STICKY, predictions(STICKY, 0.8), "naive_bayes"),
    ]
    (finding,) = [f for f in build(logs).findings if f.rule == "below_persistent"]
    assert finding.evidence.column("learner") == ["naive_bayes"]


def test_warnings_are_listed_first() -> None:
    severities = [f.severity for f in build(CASES["below_persistent"][0]()).findings]
    assert severities == sorted(severities, key=["warning", "note", "good"].index)


def test_a_recovery_is_counted_from_the_drift() -> None:
    logs = CASES["recovered"][0]()
    (finding,) = [f for f in build(logs).findings if f.rule == "recovered"]
    (recovery,) = finding.evidence.column("recovered_after")
    # inaccurate for 500 items, and the sliding window holds 1,000
    assert 500 < recovery < 2000


def test_a_drift_after_the_end_is_not_reported() -> None:
    late = (Drift(N + 5, N + 5, N + 5),)
    page = build([a_log(COIN, predictions(COIN, 0.8), drifts=late)])
    assert page.sections[0].drifts == ()


def test_an_empty_log_has_no_findings() -> None:
    nothing = np.zeros(0, np.int32)
    page = build([a_log(nothing, nothing)])
    assert [f.rule for f in page.findings] == []
    assert np.isnan(page.sections[0].table.column("accuracy")).all()


def test_the_docs_list_every_rule() -> None:
    docs = Path(__file__).parents[2] / "docs" / "report.md"
    rows = re.findall(r"(?m)^\| `(\w+)` \|", docs.read_text(encoding="utf-8"))
    assert sorted(rows) == sorted(rules()), "a new rule needs a row in docs/report.md"


@pytest.mark.parametrize("seed", range(3))
def test_noise_is_not_a_recovery(seed: int) -> None:
    n = 40_000
    label = independent(n, seed=seed)
    right = np.where(np.arange(n) < n // 2, 0.86, 0.79)
    logs = [a_log(label, predictions(label, right, seed), drifts=(Drift(n // 2, n // 2, n // 2),))]
    sentences = found(logs)
    assert "not_recovered" in sentences
    assert "recovered" not in sentences


def test_an_error_recovers_to_its_earlier_error() -> None:
    at = np.arange(N)
    error = np.where((at >= 3000) & (at < 3500), 1.0, 0.1) * NOISE
    (sentence,) = found(
        [replace(real(WAVE + error), schema=Schema((Feature("x"),), drifts=DRIFT))]
    )["recovered"]
    assert sentence.startswith("linear recovered to 105\u00a0% of its earlier error ")


RNG = np.random.default_rng(7)
ORDERS = {
    # labels: whether they look independent, whether they depend on earlier ones
    "independent": (sequences.independent(RNG, N), True, False),
    "lag two": (sequences.lag_two(RNG, N), False, True),
    "never two on": (sequences.never_two_on(RNG, N), False, True),
    "faults in runs of 10": (sequences.faults(RNG, N), False, True),
    "slow drift of the prior": (sequences.slow_drift(RNG, N), False, False),
    "sudden drift of the prior": (sequences.sudden_drift(RNG, N), False, False),
    "too few": (sequences.independent(RNG, 500), False, False),
}


@pytest.mark.parametrize("name", ORDERS)
def test_the_order_of_labels_is_stated_as_it_is(name: str) -> None:
    labels, independent_, dependent = ORDERS[name]
    sentences = found([a_log(labels, labels, classes=ABC)])
    assert ("independent_labels" in sentences) == independent_
    assert ("temporal_dependence" in sentences) == dependent


def in_bursts(seed: int, n: int, outages: tuple[tuple[int, int], ...]) -> Log:
    """Errors of 20 % in runs of 5, a drift at item 10,000, and outages."""
    wrong = bursts(np.random.default_rng(seed), n, 5)
    for start, end in outages:
        wrong[start:end] = True
    label = independent(n)
    drift = Drift(10_000, 10_000, 10_000)
    return a_log(label, np.where(wrong, 1 - label, label).astype(np.int32), drifts=(drift,))


@pytest.mark.parametrize(
    ("outages", "rules_found"),
    [
        ((), set()),
        (((30_000, 32_000),), set()),  # long after a drift without effect
        (((10_000, 12_000),), {"recovered"}),
        (((10_000, 12_000), (36_000, 40_000)), {"recovered"}),  # long after the recovery
        (((10_000, 40_000),), {"not_recovered"}),
    ],
)
def test_a_drop_is_one_at_the_drift_beyond_the_fluctuation(outages, rules_found) -> None:
    sentences = found([in_bursts(1, 40_000, outages)])
    assert sentences.keys() & {"recovered", "not_recovered"} == rules_found


def test_errors_in_bursts_are_no_difference_and_no_change() -> None:
    label = independent(N)
    logs = []
    for name, seed in (("one", 5), ("two", 6)):
        wrong = bursts(np.random.default_rng(seed), N, 5)
        logs.append(a_log(label, np.where(wrong, 1 - label, label).astype(np.int32), name))
    sentences = found(logs)
    assert "too_close_to_call" in sentences
    assert not sentences.keys() & {"window_too_short", "whole_differs_from_end"}


def test_limits_on_counts_are_per_repetition():
    labels = np.where(np.arange(1200) % 80, np.arange(1200) % 2, 2).astype(np.int32)
    rare = [
        a_log(labels, np.minimum(labels, 1), seed=seed, classes=("a", "b", "c")) for seed in "123"
    ]
    few = [
        a_log(np.arange(15, dtype=np.int32) % 2, np.zeros(15, np.int32), seed=seed)
        for seed in "123"
    ]
    enough = [a_log(COIN, np.zeros_like(COIN), seed=seed) for seed in "123"]
    assert "class_never_predicted" not in {found.rule for found in build(rare).findings}
    assert "constant_predictions" not in {found.rule for found in build(few).findings}
    assert "constant_predictions" in {found.rule for found in build(enough).findings}


def test_labels_of_one_class_are_counted_over_repetitions():
    logs = [a_log(np.zeros(600, np.int32), np.zeros(600, np.int32), seed=seed) for seed in "123"]
    (found,) = (found for found in build(logs).findings if found.rule == "one_class")
    assert found.sentence.startswith("All 1,800 labels of 3 repetitions are the same class, 'a'")
