"""Comparisons over paired repetitions: no single run decides."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import streamgauge as sg
from oracles import repetitions as slow
from report.example_logs import a_log, independent, predictions
from samples.examples import examples
from streamgauge.comparisons import compare, compare_all, compare_many, scores, to_latex
from streamgauge.comparisons._holm import holm
from streamgauge.errors import LogError, ParameterError

ITEMS = 400


def runs(name, rights, items=ITEMS, offset=0, seeds=None):
    """Repetitions of a learner with these accuracies; those of one number have the same labels."""
    made = []
    for i, right in enumerate(rights):
        label = independent(items, seed=i)
        seed = str(i) if seeds is None else seeds[i]
        made.append(a_log(label, predictions(label, right, 100 + 10 * i + offset), name, seed=seed))
    return made


def arrays():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(600, 3))
    return x, (x[:, 0] + 0.5 * rng.normal(size=600) > 0).astype(int)


def losses(logs):
    return [1 - sg.measure(log, "accuracy").final for log in logs]


@settings(max_examples=examples(40), deadline=None)
@given(
    st.lists(st.tuples(st.floats(0.5, 1), st.floats(0.5, 1)), min_size=2, max_size=5),
    st.sampled_from([0.05, 0.2]),
)
def test_the_verdict_is_that_of_a_paired_t_test(rights, alpha):
    sides = zip(*rights, strict=True)
    a, b = (runs("ab"[k], side, 60, k) for k, side in enumerate(sides))
    found = compare(a, b, alpha=alpha)
    winner, p = slow.verdict(losses(a), losses(b), alpha)
    assert found.difference.values == pytest.approx(
        [x - y for x, y in zip(losses(a), losses(b), strict=True)], abs=1e-12
    )
    if not math.isnan(found.p):  # the oracle subtracts rounded losses
        assert found.p == pytest.approx(p, rel=1e-6)
        assert found.winner == winner
    low, high = slow.interval(found.difference.values, 1 - alpha)
    assert found.low == pytest.approx(low, nan_ok=True)
    assert found.high == pytest.approx(high, nan_ok=True)


def test_one_side_is_tested_alone():
    a, b = runs("a", (0.9, 0.92, 0.91)), runs("b", (0.8, 0.85, 0.8), offset=1)
    better, worse = compare(a, b, side="a"), compare(a, b, side="b")
    assert (better.winner, worse.winner) == ("a", None)
    expected = stats.ttest_rel(losses(a), losses(b), alternative="less").pvalue
    assert better.p == pytest.approx(expected)
    assert worse.p == pytest.approx(1 - expected)
    assert (better.low, worse.high) == (-math.inf, math.inf)
    limit = stats.ttest_rel(losses(a), losses(b), alternative="less").confidence_interval(0.95)
    assert better.high == pytest.approx(limit.high)


def test_runs_that_decide_for_both_sides_decide_nothing():
    found = compare(runs("a", (0.9, 0.6, 0.9)), runs("b", (0.6, 0.9, 0.62), offset=1), spell=20)
    assert found.winner is None
    assert (found.decided_alone("a"), found.decided_alone("b")) == (2, 1)
    words = "Verdicts on the long run within the runs (anytime valid): a 2 of 3, b 1 of 3."
    assert words in found.to_text()
    assert found.validity == "fixed horizon only"


def test_evidence_of_repetitions_is_averaged_not_multiplied():
    found = compare(runs("a", (0.9, 0.88, 0.91)), runs("b", (0.6, 0.7, 0.62), offset=1))
    each = [v.so_far.log_e_value_a for v in found.verdicts]
    mean = math.log(sum(map(math.exp, each)) / len(each))
    assert found.log_e_values[0] == pytest.approx(mean)
    assert max(each) - math.log(3) <= found.log_e_values[0] <= max(each)
    assert "a was expected to lose less on the items seen: the mean e-value" in found.to_text()


def test_repetitions_are_paired_by_seed_in_any_order():
    a, b = runs("a", (0.9, 0.8, 0.85)), runs("b", (0.8, 0.7, 0.8), offset=1)
    found = compare(a, b[::-1])
    assert found.difference == compare(a, b).difference
    fewer = compare(a, b[1:])
    assert fewer.difference.seeds == ("1", "2")
    assert "Left out: 1 repetition that only a has." in fewer.notes


def test_one_repetition_in_common_decides_nothing():
    found = compare(runs("a", (1.0, 1.0)), runs("b", (0.5, 0.5), offset=1)[:1], spell=20)
    assert found.winner is None
    assert "one repetition shows no spread" in found.to_text()
    assert found.verdicts[0].winner == "a"


def test_equal_differences_show_no_spread():
    label = independent(ITEMS)
    wrong = label.copy()
    wrong[:40] = 1 - wrong[:40]
    shifted = label.copy()
    shifted[40:80] = 1 - shifted[40:80]
    a = [a_log(label, label, "a", seed=s) for s in "12"]
    b = [a_log(label, w, "b", seed=s) for s, w in zip("12", (wrong, shifted), strict=True)]
    found = compare(a, b)
    assert (found.difference.mean, found.difference.sd, found.winner) == (-0.1, 0.0, None)
    assert not found.difference.identical
    assert "the difference is -0.1 in every repetition, which shows no spread" in found.to_text()


def test_identical_repetitions_are_judged_as_one_run():
    label = independent(ITEMS)
    a = [a_log(label, label, "a", seed=s) for s in "123"]
    b = [a_log(label, predictions(label, 0.6), "b", seed=s) for s in "123"]
    found, single = compare(a, b, spell=20), compare(a[0], b[0], spell=20)
    assert found.winner == single.winner == "a"
    assert found.difference.identical
    assert math.isnan(found.low)
    assert found.validity == "anytime valid"
    assert single.to_text().splitlines()[0] in found.to_text()
    assert "The 3 repetitions are identical: neither the stream nor a learner" in found.to_text()
    other = runs("c", (0.5, 0.5, 0.5), seeds="123")[:1]
    several = compare_all({"a": a, "b": b, "c": other}, spell=20)
    assert several.decided_pairs[0] == ("a", "b")
    assert "a beats b, in one run: the repetitions are identical." in several.to_text()


def test_a_note_of_identical_repetitions_is_shown_once():
    label = independent(ITEMS)
    a = [a_log(label, label, "a", seed=s) for s in "12"]
    b = [a_log(label, predictions(label, 0.6), "b", seed=s) for s in "12"]
    found = compare(a, b, spell=20)
    noted = replace(found.verdicts[0], notes=("A note.",))
    text = replace(found, verdicts=(noted, noted), notes=(*found.notes, "A note.")).to_text()
    assert text.count("A note.") == 1


def test_identical_repetitions_with_folds_are_judged_as_the_folds_of_one_run():
    stream = sg.streams.take(sg.streams.from_arrays(*arrays()), 600)
    protocol = sg.protocols.Prequential(folds=3, split="cross", variant="moa")
    a, b = (
        [sg.run(stream, learner, protocol, seed=s) for s in (1, 2)]
        for learner in ("naive_bayes", "majority_class")
    )
    found, single = compare(a, b), compare(a[0], b[0])
    assert len(single.verdicts) == 3
    assert (found.winner, found.difference.mean) == (single.winner, single.difference.mean)
    assert (found.unit, found.validity) == (single.unit, single.validity)
    assert "The 2 repetitions are identical" in found.to_text()


@pytest.mark.parametrize("side", ["a", "b"])
def test_the_evidence_of_one_side_is_that_of_its_learner_alone(side):
    a, b = runs("a", (0.9, 0.88, 0.91)), runs("b", (0.6, 0.7, 0.62), offset=1)
    text = compare(a, b, side=side).to_text()
    assert ("a was expected to lose less on the items seen" in text) == (side == "a")
    assert "b was expected to lose less" not in text


def test_logs_without_seeds_are_paired_in_their_order():
    a, b = (
        [replace(log, about={k: v for k, v in log.about.items() if k != "seed"}) for log in logs]
        for logs in (runs("a", (0.9, 0.8)), runs("b", (0.7, 0.7), offset=1))
    )
    assert compare(a, b).repetitions == 2


def test_several_learners_are_compared_with_holms_correction():
    logs = {
        name: runs(name, rights, offset=k)
        for k, (name, rights) in enumerate(
            {"a": (0.95, 0.94, 0.96), "b": (0.8, 0.78, 0.82), "c": (0.8, 0.81, 0.78)}.items()
        )
    }
    found = compare_all(logs)
    pairs = [("a", "b"), ("a", "c"), ("b", "c")]
    p = [stats.ttest_rel(losses(logs[a]), losses(logs[b])).pvalue for a, b in pairs]
    assert found.p == pytest.approx(holm(p))
    assert found.decided_pairs == (("a", "b"), ("a", "c"))
    assert found.best == "a"
    assert [v.alpha for v in found.verdicts] == pytest.approx([0.05 / 3] * 3)
    assert compare_all(logs, correction="bonferroni").p == pytest.approx(
        [min(1.0, 3 * x) for x in p]
    )
    assert "Not decided: b and c" in found.to_text()
    assert "(paired t, holm), fixed horizon only" in found.to_text()


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (
            lambda: compare(runs("a", (0.9,))[0], runs("b", (0.9,))),
            ParameterError,
            "compare: a and b must be two logs, or two lists of repetitions",
        ),
        (lambda: compare([], []), ParameterError, "compare: a and b must be logs, or lists"),
        (lambda: compare([1], [2]), ParameterError, "compare: a and b must be logs, or lists"),
        (
            lambda: compare(runs("a", (0.9, 0.9), seeds="11"), runs("b", (0.9, 0.9))),
            LogError,
            "compare: repetitions of a learner must have different seeds, got a twice",
        ),
        (
            lambda: compare(runs("a", (0.9,), seeds="8"), runs("b", (0.9,), seeds="9")),
            LogError,
            "compare: repetitions must have seeds in common, got none of a and b",
        ),
        (
            lambda: compare(runs("a", (0.9, 0.8)), runs("b", (0.9, 0.8)), side="a", alpha=0.5),
            ParameterError,
            "compare: alpha of one side must be below 0.5, got 0.5",
        ),
        (
            lambda: compare_all({"a": runs("a", (0.9,)), "b": runs("b", (0.9,))[0]}),
            ParameterError,
            "compare_all: logs must be all logs, or all repetitions",
        ),
    ],
)
def test_what_cannot_be_paired_is_refused(make, error, words):
    with pytest.raises(error) as raised:
        make()
    assert str(raised.value).startswith(words)


def test_a_stream_counts_once_in_a_ranking():
    logs = []
    for stream in "uvwxyz":
        for k, (name, rights) in enumerate({"a": (0.9, 0.8), "b": (0.7, 0.75)}.items()):
            logs += [
                replace(log, about={**log.about, "stream": stream})
                for log in runs(name, rights, 100, k)
            ]
    table = scores(logs)
    assert table.streams == tuple("uvwxyz")
    expected = [1 - x for x in losses(logs[:2])]
    mean, sd = slow.moments(expected)
    assert table.values[0, 0] == pytest.approx(mean)
    assert table.sd[0, 0] == pytest.approx(sd)
    assert (table.repetitions, table.warnings) == (2, ())
    comparison = compare_many(table)
    assert (
        "Each score is the mean over 2 repetitions; a stream counts once." in comparison.to_text()
    )
    assert f"{mean:.4f} $\\pm$ {sd:.4f}" in to_latex(comparison)
    fewer = scores(logs[1:])
    assert "a score is the mean of 1 to 2 repetitions" in fewer.warnings[0]
    assert np.isnan(fewer.sd[0, 0])
