"""Two learners on one stream: every statistic against its slow twin."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import streamgauge as sg
from oracles import pairs as slow
from oracles import verdicts
from streamgauge.comparisons import compare, mcnemar_p, mcnemar_statistic, q_statistic
from streamgauge.comparisons._text import items as format_items
from streamgauge.log import from_columns
from streamgauge.types import Schema

WINDOWS = {
    "whole": ("whole", 0),
    "sliding(1)": ("sliding", 1),
    "sliding(7)": ("sliding", 7),
    "sliding(40)": ("sliding", 40),
    "fading(0.9)": ("fading", 0.9),
    "fading(1)": ("fading", 1),
}
Q, M = "q_negative_favours_a", "mcnemar_positive_favours_b"

predictions = st.one_of(st.none(), st.integers(0, 2))
numbers = st.one_of(st.floats(-3, 3), st.sampled_from([-1.0, -0.5, 0.0, 0.5, 1.0]))
reals = st.one_of(st.none(), numbers)


def close(here, there):
    """Equal up to rounding; NaN and infinities as they are."""
    return np.allclose(here, there, rtol=1e-9, atol=1e-9, equal_nan=True)


def two_logs(log_of, rows, classes, cuts=()):
    a = log_of([(i, y, predicted) for i, (y, predicted, _) in enumerate(rows)], classes, cuts)
    b = log_of([(i, y, predicted) for i, (y, _, predicted) in enumerate(rows)], classes)
    return a, b


@given(
    st.lists(st.tuples(st.integers(0, 2), predictions, predictions), max_size=60),
    st.integers(1, 9),
    st.sampled_from(["count_wrong", "skip", "default_class"]),
    st.lists(st.integers(0, 60), max_size=3),
)
def test_q_and_mcnemar_in_every_window_are_those_of_a_recount(
    log_of, rows, every, cold_start, cuts
):
    a, b = two_logs(log_of, rows, 3, cuts)
    verdict = compare(a, b, windows=list(WINDOWS), every=every, cold_start=cold_start)
    pairs = slow.losses([(i, *r) for i, r in enumerate(rows)], cold_start=cold_start)
    for window, (kind, size) in WINDOWS.items():
        there = slow.windowed(pairs, kind, size, every)
        for name, column in ((Q, 1), (M, 2)):
            here = verdict.curves[name, window]
            assert here.at.tolist() == [row[0] for row in there]
            assert close(here.value, [row[column] for row in there])
            if there:
                assert close(verdict[name, window].value, there[-1][column])


@given(
    st.lists(st.tuples(numbers, reals, reals), max_size=40),
    st.sampled_from(["absolute", "squared"]),
    st.sampled_from([None, 0.5, 100.0]),
    st.sampled_from(["skip", "default_class"]),
    st.integers(1, 9),
)
def test_real_losses_are_compared_like_counted_ones(log_of, rows, loss, bound, cold_start, every):
    a, b = two_logs(log_of, rows, None, [3])
    verdict = compare(
        a, b, windows=list(WINDOWS), loss=loss, bound=bound, cold_start=cold_start, every=every
    )
    cut = math.inf if bound is None else bound
    listed = [(i, *r) for i, r in enumerate(rows)]
    pairs = slow.losses(listed, loss, cold_start, cut)
    over = sum(p is not None and max(p) > cut for p in slow.losses(listed, loss, cold_start))
    expected = [f"Clipped to the bound: the losses of {format_items(over)}."] if over else []
    assert [note for note in verdict.notes if note.startswith("Clipped")] == expected
    for window, (kind, size) in WINDOWS.items():
        there = slow.windowed(pairs, kind, size, every)
        here = verdict.curves[Q, window].value
        # a sum that is 0 but for rounding has no logarithm to speak of
        assert all(close(h, t) or abs(t) > 20 for h, (_, t, _) in zip(here, there, strict=True))
    counted = [p for p in pairs if p is not None]
    assert (verdict.n_labels, verdict.counted) == (len(rows), len(counted))
    if counted:
        mean = sum(x - y for x, y in counted) / len(counted)
        assert close(verdict.difference, mean)
        assert verdict.status == "too few items"
        assert verdict.winner is None
        if bound is None:
            assert verdict.so_far is None
            assert (verdict.low, verdict.high) == (-math.inf, math.inf)
        else:
            assert (verdict.low, verdict.high) == (-bound, bound)
            differences = [x - y for x, y in counted]
            log_a, log_b, low, high = verdicts.so_far(differences, 0.05, bound)
            found = verdict.so_far
            assert close((found.log_e_value_a, found.log_e_value_b), (log_a, log_b))
            assert np.allclose((found.low, found.high), (low, high), rtol=1e-7, atol=1e-7)


@given(st.integers(0, 24), st.integers(0, 24), st.sampled_from(["either", "a", "b"]))
def test_few_disagreements_are_judged_by_the_exact_binomial(worse_a, worse_b, side):
    here = mcnemar_p(worse_a, worse_b, side)
    if worse_a + worse_b < 25:
        assert close(here, slow.binomial_p(worse_a, worse_b, side))
        if worse_a + worse_b:
            alternative = {"either": "two-sided", "a": "less", "b": "greater"}[side]
            there = stats.binomtest(worse_a, worse_a + worse_b, alternative=alternative)
            assert close(here, there.pvalue)


@pytest.mark.parametrize(("worse_a", "worse_b"), [(20, 40), (400, 350), (25, 0), (0, 25)])
def test_many_disagreements_are_judged_by_chi_squared(worse_a, worse_b):
    m = float(mcnemar_statistic(worse_a, worse_b))
    assert close(mcnemar_p(worse_a, worse_b), stats.chi2.sf(abs(m), 1))
    assert close(mcnemar_p(worse_a, worse_b, "b"), stats.norm.sf(math.copysign(abs(m) ** 0.5, m)))
    assert close(mcnemar_p(worse_a, worse_b, "a") + mcnemar_p(worse_a, worse_b, "b"), 1)


def test_the_sign_says_what_the_name_promises(log_of):
    label = [0, 1] * 30
    a, b = two_logs(log_of, [(y, y, 1 - y) for y in label], 2)
    verdict = compare(a, b)
    assert verdict[Q, "whole"].value == -math.inf
    assert verdict[M, "whole"].value == -60
    assert verdict["difference", "whole"].value == -1
    assert {r.favours for r in verdict.statistics} == {verdict.a}
    turned = compare(b, a)
    assert turned[Q, "whole"].value == math.inf
    assert turned[M, "whole"].value == 60
    assert {r.favours for r in turned.statistics} == {turned.b}


def test_every_reading_says_whether_it_may_be_watched(log_of):
    verdict = compare(*two_logs(log_of, [(0, 0, 1)] * 120, 2), names=("x", "y"), spell=10)
    for reading in verdict.statistics:
        classical = reading.name.startswith(("q_", "mcnemar", "diebold"))
        assert reading.validity == ("fixed horizon only" if classical else "anytime valid")
    for curve in verdict.curves:
        classical = curve.measure.startswith(("q_", "mcnemar"))
        there = "fixed horizon only" if classical else "anytime valid"
        assert curve.definition["validity"] == there
    words = verdict.to_text()
    assert "Long run: x has the lower mean loss, since item 100" in words
    assert "watched at all times, if luck comes in spells of at most about 10 items" in words
    assert "So far: over the 120 items seen, x was expected to lose less than y" in words
    assert "Now: no statement before 2,048 items." in words
    assert "Fixed horizon only: McNemar -120" in words


def test_no_disagreement_and_no_loss_have_their_defined_values(log_of):
    same = compare(*two_logs(log_of, [(0, 1, 1)] * 50, 2))
    assert same[M, "whole"].value == 0
    assert same[M, "whole"].p == 1
    assert same[Q, "whole"].value == 0
    assert same.winner is None
    assert same.p == 1
    right = compare(*two_logs(log_of, [(0, 0, 0)] * 50, 2))
    assert math.isnan(right[Q, "whole"].value)
    assert right[M, "fading(0.999)"].value == 0
    assert math.isnan(right["diebold", "whole"].value)
    assert "Not decided" in right.to_text()
    assert np.isnan(q_statistic(0, 0))


def test_empty_logs_give_an_empty_verdict(log_of):
    verdict = compare(log_of([], 2), log_of([], 2))
    assert (verdict.n_labels, verdict.winner, verdict.since) == (0, None, None)
    assert math.isnan(verdict.difference)
    assert all(not len(c.at) for c in verdict.curves)
    assert verdict.to_text().startswith("Nothing to compare")


def test_two_learners_are_named_after_their_logs(log_of):
    a = log_of([(0, 0, 0)], 2, about={"learner": "nb", "stream": "s"})
    b = log_of([(0, 0, 0)], 2, about={"learner": "ht", "stream": "s"})
    assert (compare(a, b).a, compare(a, b).b) == ("nb", "ht")
    assert (compare(a, a).a, compare(a, a).b) == ("nb A", "nb B")
    assert compare(a, b, names=("one", "two")).b == "two"


@pytest.mark.data
def test_on_electricity_persistent_beats_naive_bayes():
    stream = sg.streams.Electricity()
    bayes, persistent = (
        sg.run(stream, learner) for learner in (sg.learners.NaiveBayes(), sg.learners.Persistent())
    )
    verdict = sg.compare(bayes, persistent)
    assert verdict.winner == "persistent"
    assert verdict.so_far.leader == "persistent"
    assert verdict.so_far.since < 5000
    assert verdict.so_far.low > 0.1
    assert verdict.low > 0.0
    assert verdict[Q, "whole"].value > 0.5
    assert verdict[M, "whole"].value > 1000
    pairs = [
        np.concatenate([p.label != p.prediction for p in log.labelled_predictions()])
        for log in (bayes, persistent)
    ]
    worse = [int((x & ~y).sum()) for x, y in (pairs, pairs[::-1])]
    assert verdict[M, "whole"].value == slow.mcnemar(*worse)


def test_a_million_pairs_are_one_pass():
    rng = np.random.default_rng(0)
    label = rng.integers(0, 5, 1_000_000, dtype=np.int32)
    a, b = (
        np.where(rng.random(len(label)) < p, label, (label + 1) % 5).astype(np.int32)
        for p in (0.8, 0.79)
    )
    schema = Schema((), classes=tuple("vwxyz"))
    verdict = compare(from_columns(schema, label, a), from_columns(schema, label, b))
    worse = [int(((x != label) & (y == label)).sum()) for x, y in ((a, b), (b, a))]
    assert verdict[M, "whole"].value == pytest.approx(slow.mcnemar(*worse), rel=1e-12)
    last = slice(-1000, None)
    lost = [float((x != label)[last].sum()) for x in (a, b)]
    assert verdict[Q, "sliding(1000)"].value == pytest.approx(slow.q(*lost), rel=1e-12)
