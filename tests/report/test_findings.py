from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from report.made import a_late_log, a_log, answers, independent, sticky
from streamgauge import learners, streams
from streamgauge.doors import members
from streamgauge.engine import run
from streamgauge.log import Log
from streamgauge.measures._measuring import needs_scores
from streamgauge.names import known, make
from streamgauge.protocols import Reevaluating
from streamgauge.report import build, findings
from streamgauge.report.json import plain
from streamgauge.report.looking import rules
from streamgauge.types import NONE, Drift

N = 6000
COIN = independent(N)
STICKY = sticky(N, 0.9)
RARE = independent(N, (0.95, 0.05))
THREE = independent(N, (0.5, 0.3, 0.2))
ABC = ("a", "b", "c")
WAVE = np.sin(np.arange(N) / 20) + np.random.default_rng(0).normal(0, 0.1, N)
NOISE = np.random.default_rng(0).normal(0, 1, N)
WAITS = np.random.default_rng(2).integers(0, 100, N)
DRIFT = (Drift(3000, 3000, 3000),)


def after(value: float, recovery: float = 0) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Right 9 times in 10, `value` after the drift, as before once `recovery` items have passed."""
    at = np.arange(N)
    back = at >= 3000 + recovery if recovery else np.zeros(N, bool)
    return np.where((at < 3000) | back, 0.9, value)


def real(answer: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Log:
    return a_log(WAVE, answer, "linear", classes=None)


def silent(log_answers: np.ndarray[tuple[int], np.dtype[np.int32]], first: int):
    held = log_answers.copy()
    held[:first] = NONE
    return held


def unlabelled(share: float):
    held = COIN.copy()
    held[np.random.default_rng(1).random(N) < share] = NONE
    return held


def asked_again(delay: int) -> Log:
    stream = streams.delay(streams.take(streams.SEA(), 2000), delay)
    return run(stream, learners.NaiveBayes(), Reevaluating(every=10))


SAW: dict[str, tuple[Callable[[], list[Log]], Callable[[], list[Log]]]] = {
    # rule: logs that trigger it, logs that do not
    "below_persistent": (
        lambda: [a_log(STICKY, answers(STICKY, 0.8))],
        lambda: [a_log(STICKY, answers(STICKY, 0.95))],
    ),
    "below_majority": (
        lambda: [a_log(RARE, answers(RARE, 0.8))],
        lambda: [a_log(RARE, answers(RARE, 0.99))],
    ),
    "beats_baselines": (
        lambda: [a_log(COIN, answers(COIN, 0.8))],
        lambda: [a_log(COIN, answers(COIN, 0.6))],
    ),
    "worse_than_last_value": (
        lambda: [real(NOISE / 100)],
        lambda: [real(WAVE + NOISE / 100)],
    ),
    "worse_than_target_mean": (
        lambda: [real(WAVE + 3)],
        lambda: [real(WAVE + NOISE / 100)],
    ),
    "temporal_dependence": (
        lambda: [a_log(STICKY, answers(STICKY, 0.8))],
        lambda: [a_log(COIN, answers(COIN, 0.8))],
    ),
    "independent_labels": (
        lambda: [a_log(COIN, answers(COIN, 0.8))],
        lambda: [a_log(STICKY, answers(STICKY, 0.8))],
    ),
    "window_too_short": (
        lambda: [a_log(COIN, answers(COIN, p), str(p)) for p in (0.88, 0.9)],
        lambda: [a_log(COIN, answers(COIN, p), str(p)) for p in (0.7, 0.9)],
    ),
    "too_close_to_call": (
        lambda: [a_log(COIN, answers(COIN, p), str(p)) for p in (0.899, 0.9)],
        lambda: [a_log(COIN, answers(COIN, p), str(p)) for p in (0.8, 0.9)],
    ),
    "cold_start": (
        lambda: [a_log(COIN, silent(answers(COIN, 0.9), 100))],
        lambda: [a_log(COIN, silent(answers(COIN, 0.9), 1))],
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
        lambda: [a_log(RARE, answers(RARE, 0.99))],
    ),
    "constant_answers": (
        lambda: [a_log(COIN, np.zeros(N, np.int32))],
        lambda: [a_log(COIN, COIN)],
    ),
    "class_never_said": (
        lambda: [a_log(THREE, np.minimum(THREE, 1), classes=ABC)],
        lambda: [a_log(THREE, answers(THREE, 0.8), classes=ABC)],
    ),
    "whole_hides_now": (
        lambda: [a_log(COIN, answers(COIN, np.linspace(0.95, 0.5, N)))],
        lambda: [a_log(COIN, answers(COIN, 0.8))],
    ),
    "class_dependent_delay": (
        lambda: [a_late_log(COIN, COIN, WAITS + 80 * (COIN == 1))],
        lambda: [a_late_log(COIN, COIN, WAITS)],
    ),
    "late_labels": (
        lambda: [a_late_log(COIN, COIN, WAITS)],
        lambda: [a_late_log(COIN, COIN, 0 * WAITS)],
    ),
    "changed_minds": (
        lambda: [asked_again(200)],
        lambda: [asked_again(0)],
    ),
    "different_items": (
        lambda: [a_log(COIN, COIN, "one"), a_log(COIN[:3000], COIN[:3000], "two")],
        lambda: [a_log(COIN, COIN, "one"), a_log(COIN, answers(COIN, 0.8), "two")],
    ),
    "not_recovered": (
        lambda: [a_log(COIN, answers(COIN, after(0.5)), drifts=DRIFT)],
        lambda: [a_log(COIN, answers(COIN, after(0.5, 500)), drifts=DRIFT)],
    ),
    "recovered": (
        lambda: [a_log(COIN, answers(COIN, after(0.5, 500)), drifts=DRIFT)],
        lambda: [a_log(COIN, answers(COIN, after(0.9)), drifts=DRIFT)],
    ),
}


def found(logs: list[Log]) -> dict[str, list[str]]:
    said: dict[str, list[str]] = {}
    for finding in build(logs).findings:
        said.setdefault(finding.rule, []).append(finding.sentence)
    return said


def test_every_rule_has_its_two_logs() -> None:
    assert set(SAW) == set(rules())


def test_every_rule_has_its_file_and_its_line() -> None:
    folder = Path(inspect.getfile(findings)).parent
    files = {p.stem for p in folder.glob("*.py") if not p.stem.startswith("_")}
    assert files == {home.rpartition(".")[2] for home in members(findings.__name__).values()}


@pytest.mark.parametrize("rule", sorted(SAW))
def test_a_finding_is_made_where_it_should_be(rule: str) -> None:
    guilty, _ = SAW[rule]
    (sentence,) = found(guilty())[rule]
    assert sentence.endswith(".")
    assert not re.search(r"\bnan\b", sentence)


@pytest.mark.parametrize("rule", sorted(SAW))
def test_a_finding_is_not_made_where_it_should_not(rule: str) -> None:
    _, innocent = SAW[rule]
    assert rule not in found(innocent())


BOUNDS = {
    "changed_minds": {"least": 0.01},
    "class_never_said": {"share": 0.01, "least": 30},
    "cold_start": {"said": 0.9995, "grave": 0.95},
    "constant_answers": {"least": 30},
    "independent_labels": {"apart": 0.02, "least": 1000},
    "misleading_accuracy": {"near": 0.02, "kappa": 0.1, "uneven": 0.1},
    "missing_labels": {"grave": 0.5},
    "temporal_dependence": {"apart": 0.05, "errors": 3.0},
}
"""The numbers in the rules, as their descriptions on the page say them."""


def test_the_bounds_of_the_rules_are_those_that_are_described() -> None:
    found = {
        name: {f.name: f.default for f in fields(rule) if isinstance(f.default, int | float)}
        for name, rule in rules().items()
    }
    assert {name: bounds for name, bounds in found.items() if bounds} == BOUNDS


def in_runs(*lengths: int) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    """Labels of two classes that take turns."""
    return np.repeat(np.arange(len(lengths)) % 2, lengths).astype(np.int32)


@pytest.mark.parametrize(
    ("labels", "seen"),
    [
        (in_runs(5, 5, 4, 4, 4, 4), False),  # 20 of 25 repeat: three standard errors, not more
        (in_runs(5, 7, 4, 6, 4), True),
        (in_runs(2, 2, 2, 2, *[1] * 18), True),  # 4 of 25: they alternate
        (in_runs(2, 2, 2, 2, 1, 2, *[1] * 15), False),
    ],
)
def test_dependence_is_more_than_three_standard_errors(labels, seen) -> None:
    assert len(labels) == 26
    assert labels.sum() == 13
    assert ("temporal_dependence" in found([a_log(labels, labels)])) == seen


ABLE = [name for name in known("measure") if not needs_scores([name])]
ASKED = {
    task: [names[i::3] for i in range(3)]
    for task in ("classification", "regression")
    if (names := [name for name in ABLE if make("measure", name).task == task])
}
"""Every measure that needs no scores, in three parts."""


@pytest.mark.parametrize("rule", sorted(SAW))
def test_a_finding_does_not_depend_on_the_measures_asked_for(rule: str) -> None:
    logs = SAW[rule][0]()
    usual = build(logs)
    for asked in ASKED[logs[0].schema.task]:
        page = build(logs, measures=asked)
        assert plain(page.findings) == plain(usual.findings)
        shown = [panel.measure for panel in page.sections[0].panels]
        assert shown == list(dict.fromkeys([usual.sections[0].panels[0].measure, *asked]))


def test_a_finding_carries_its_evidence_and_its_rule() -> None:
    (finding,) = [
        f for f in build(SAW["below_persistent"][0]()).findings if f.rule == "below_persistent"
    ]
    assert finding.severity == "warning"
    assert finding.stream == "made up"
    assert finding.evidence.column("learner") == ["naive_bayes"]
    (accuracy,), (persistent,) = (
        finding.evidence.column("accuracy"),
        finding.evidence.column("persistent"),
    )
    assert accuracy < persistent - 0.05
    assert "1/√n" in finding.how
    assert "naive_bayes is right less often" in finding.sentence


def test_baselines_are_not_judged() -> None:
    same = np.concatenate([[NONE], STICKY[:-1]]).astype(np.int32)
    logs = [a_log(STICKY, same, "persistent"), a_log(STICKY, answers(STICKY, 0.8), "naive_bayes")]
    (finding,) = [f for f in build(logs).findings if f.rule == "below_persistent"]
    assert finding.evidence.column("learner") == ["naive_bayes"]


def test_warnings_come_first() -> None:
    severities = [f.severity for f in build(SAW["below_persistent"][0]()).findings]
    assert severities == sorted(severities, key=["warning", "note", "good"].index)


def test_a_recovery_is_timed_from_the_drift() -> None:
    logs = SAW["recovered"][0]()
    (finding,) = [f for f in build(logs).findings if f.rule == "recovered"]
    (back,) = finding.evidence.column("back")
    # bad for 500 items; the window of 1,000 forgets them when it has moved past enough of them
    assert 500 < back < 2000


def test_a_drift_that_had_not_come_is_not_mentioned() -> None:
    late = (Drift(N + 5, N + 5, N + 5),)
    page = build([a_log(COIN, answers(COIN, 0.8), drifts=late)])
    assert page.sections[0].drifts == ()


def test_an_empty_log_has_no_findings_that_fail() -> None:
    nothing = np.zeros(0, np.int32)
    page = build([a_log(nothing, nothing)])
    assert [f.rule for f in page.findings] == []
    assert np.isnan(page.sections[0].table.column("accuracy")).all()


def test_the_docs_name_every_rule() -> None:
    docs = Path(__file__).parents[2] / "docs" / "report.md"
    rows = re.findall(r"(?m)^\| `(\w+)` \|", docs.read_text(encoding="utf-8"))
    assert sorted(rows) == sorted(rules())


@pytest.mark.parametrize("seed", range(3))
def test_noise_is_not_taken_for_a_recovery(seed: int) -> None:
    n = 40_000
    label = independent(n, seed=seed)
    right = np.where(np.arange(n) < n // 2, 0.86, 0.79)
    logs = [a_log(label, answers(label, right, seed), drifts=(Drift(n // 2, n // 2, n // 2),))]
    said = found(logs)
    assert "not_recovered" in said
    assert "recovered" not in said
