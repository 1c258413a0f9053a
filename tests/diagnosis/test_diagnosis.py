"""Temporal dependence: counts against slow twins, findings that come when they should."""

from __future__ import annotations

import json
import math
import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import temporal as slow
from streamgauge import diagnose, learners, measure, run, streams
from streamgauge.cli import main
from streamgauge.diagnosis import (
    error_autocorrelation,
    fading_horizon,
    fading_items,
    fading_size,
    fading_weight,
    hoeffding_items,
    hoeffding_precision,
    hoeffding_probability,
    label_dependence,
    quick_test,
    shuffle_and_rank,
    window_items,
    window_precision,
)
from streamgauge.diagnosis.findings import SHUFFLE_TEXTS, findings
from streamgauge.diagnosis.shuffles import SHUFFLES, Shuffles
from streamgauge.errors import DataError, ParameterError
from streamgauge.log import from_columns
from streamgauge.plots import label_dependence as plot
from streamgauge.plots import save
from streamgauge.seeds import child
from streamgauge.types import Batch, Schema

codes = st.lists(st.integers(-1, 2), max_size=40).map(lambda y: np.array(y, np.int32))


class Cut:
    """A stream of labels alone, in batches of one size."""

    name = "cut"

    def __init__(self, labels, by, classes=("a", "b", "c")):
        self.labels, self.by, self.schema = labels, by, Schema((), "y", classes)

    @property
    def length(self):
        return len(self.labels)

    def batches(self, size=8192, seed=0):
        for low in range(0, len(self.labels), self.by):
            part = self.labels[low : low + self.by]
            yield Batch(low, np.empty((len(part), 0)), part)


@given(labels=codes, lags=st.integers(1, 6), by=st.sampled_from([1, 2, 7, 100]))
def test_counts_are_the_slow_twins_in_any_batches(labels, lags, by):
    seen = label_dependence(Cut(labels, by), lags)
    y = labels.tolist()
    assert seen.p_majority == pytest.approx(slow.p_majority(y), nan_ok=True)
    assert seen.p_repeat == pytest.approx(slow.p_repeat(y), nan_ok=True)
    assert seen.transitions.tolist() == slow.transitions(y, 3)
    for i in range(3):
        for lag in range(lags + 1):
            expected = slow.conditional(y, i, lag)
            assert seen.conditional[i, lag] == pytest.approx(expected, nan_ok=True)
        for lag in range(1, lags + 1):
            assert seen.delta[i, lag - 1] == pytest.approx(slow.delta(y, i, lag), nan_ok=True)


@given(st.lists(st.integers(0, 2), min_size=2, max_size=7))
def test_the_runs_test_has_the_moments_of_all_orders(labels):
    seen = label_dependence(np.array(labels, np.int32))
    mean, variance = slow.repeats_in_every_order(labels)
    assert seen.p_chance * (len(labels) - 1) == pytest.approx(mean)
    repeats = sum(a == b for a, b in pairwise(labels))
    if variance < 1e-9:
        assert math.isnan(seen.z)
    else:
        assert seen.z == pytest.approx((repeats - mean) / math.sqrt(variance))


@given(labels=codes)
def test_the_quick_test_is_the_slow_twin(labels):
    for given_ in (labels, Cut(labels, 7)):
        seen = quick_test(given_, 20)
        expected = slow.quick(labels.tolist(), 20)
        assert (seen.majority, seen.persistent) == pytest.approx(expected, nan_ok=True)


@given(
    st.lists(st.integers(0, 1), min_size=1, max_size=30),
    st.integers(1, 8),
)
def test_autocorrelation_is_the_slow_twin(errors, lags):
    label = np.zeros(len(errors), np.int32)
    log = from_columns(Schema((), classes=("a", "b")), label, np.array(errors, np.int32))
    seen = error_autocorrelation(log, lags)
    expected = [slow.autocorrelation(errors, lag) for lag in range(1, lags + 1)]
    assert seen.value.tolist() == pytest.approx(expected, nan_ok=True, abs=1e-12)
    assert seen.effective_items <= len(errors)


def test_autocorrelation_of_nothing_and_of_reals():
    nothing = from_columns(Schema((), classes=("a",)), np.empty(0, np.int32), np.empty(0, np.int32))
    assert np.isnan(error_autocorrelation(nothing).value).all()
    assert not error_autocorrelation(nothing).dependent
    missed = np.sin(np.arange(200) / 10)
    missed[5] = np.nan
    reals = from_columns(Schema((), classes=None), np.zeros(200), missed)
    assert error_autocorrelation(reals).items == 199
    assert error_autocorrelation(reals).value[0] > 0.9


@given(st.floats(0.05, 0.9), st.floats(0.5, 0.99), st.floats(0.5, 2))
def test_hoeffdings_number_is_the_smallest_that_is_enough(precision, confidence, span):
    items = hoeffding_items(precision, confidence, span)
    assert math.ceil(items - 1e-9) == slow.hoeffding_items(precision, confidence, span)
    assert hoeffding_precision(items, confidence, span) == pytest.approx(precision)


def test_the_rules_have_the_papers_numbers():
    assert hoeffding_items(0.01, 0.95) == pytest.approx(18444.397, abs=1e-3)
    assert window_precision(1000) == pytest.approx(0.03, abs=0.002)
    assert window_items(0.01) == 10_000
    assert window_items(0.01, width="full") == 40_000
    assert pytest.approx(2.9e-7, rel=0.02) == 0.995**3000
    assert fading_horizon(0.995, 0.995**3000) == pytest.approx(3000)
    assert fading_horizon(1.0) == math.inf == fading_items(1.0)
    assert hoeffding_precision(0) == math.inf == window_precision(0)
    # a fading mean of independent numbers varies as much as one over so many items
    weights = 0.9 ** np.arange(2000)
    assert fading_items(0.9) == pytest.approx(weights.sum() ** 2 / (weights**2).sum())


@given(st.floats(0.05, 0.9), st.integers(0, 300), st.floats(0.5, 2))
def test_hoeffdings_probability_reverses_the_number_of_items(precision, items, span):
    probability = hoeffding_probability(precision, items, span)
    assert 0 <= probability <= 1
    if 1e-6 < probability < 1:  # a confidence nearer to 1 is rounded
        assert hoeffding_items(precision, 1 - probability, span) == pytest.approx(items)
    assert hoeffding_probability(precision, 0, span) == 1


def test_hoeffdings_probability_bounds_the_exact_one_of_coins():
    for n, precision in ((10, 0.3), (40, 0.2), (100, 0.05)):
        heads = range(n + 1)
        exact = sum(math.comb(n, h) / 2**n for h in heads if abs(h / n - 0.5) >= precision - 1e-12)
        assert exact <= hoeffding_probability(precision, n)
    assert hoeffding_probability(0.01, 18445) <= 0.05 < hoeffding_probability(0.01, 18444)


@given(st.floats(0.5, 1.0), st.integers(0, 200))
def test_fading_weights_and_their_sum_are_those_of_the_recursion(factor, items):
    total = 0.0
    for _ in range(items):
        total = 1 + factor * total
    assert fading_size(factor, items) == pytest.approx(total, rel=1e-6)
    assert fading_weight(factor, items) == pytest.approx(math.prod([factor] * items))
    assert fading_size(factor) == (math.inf if factor == 1 else pytest.approx(1 / (1 - factor)))


def test_a_fading_weight_has_the_papers_number_and_reverses_the_horizon():
    assert fading_weight(0.995, 3000) == pytest.approx(2.94e-7, rel=0.01)
    assert fading_weight(0.999, fading_horizon(0.999, 0.01)) == pytest.approx(0.01)
    assert fading_size(0.999, 0) == 0
    assert fading_weight(0.9, 0) == 1


def chained(stay, n=3000, seed=0):
    """Labels of two classes that stay with a probability, and a feature that tells a little."""
    rng = np.random.default_rng(seed)
    labels = np.cumsum(rng.random(n) > stay) % 2
    return streams.from_arrays((labels + rng.normal(size=n)).reshape(-1, 1), labels)


def test_the_gain_of_previous_labels_says_how_they_are_used():
    inside = ("temporally_augmented(naive_bayes)", "temporal_correction(naive_bayes)")
    seen = diagnose(chained(0.95), ["naive_bayes", *inside])
    found = [f.sentence for f in seen.findings if f.rule == "previous_labels"]
    assert len(found) == 2
    for sentence, name, words in zip(
        found, inside, ("the previous labels as features", "scores corrected by"), strict=True
    ):
        assert sentence.startswith(f"With {words}")
        assert name in sentence


def rules(seen, severity=None):
    return {finding.rule for finding in seen.findings if severity in (None, finding.severity)}


def test_a_chain_is_found_dependent_and_its_shuffle_is_not():
    stream = chained(0.95)
    seen = diagnose(stream, shuffles=2)
    assert seen.labels.dependent
    assert {"temporal_dependence", "below_persistent", "ranking"} <= rules(seen, "warning")
    assert {"order", "dependent_errors"} <= rules(seen, "note")
    assert "previous_labels" in rules(seen, "good")
    assert seen.quick.better is None  # 100 labels are too few here
    assert quick_test(np.repeat(np.arange(20, dtype=np.int32) % 2, 5)).dependent
    assert not seen.shuffles.is_unchanged("iid")
    mixed = diagnose(streams.shuffle(stream, seed=3), shuffles=2)
    assert not mixed.labels.dependent
    assert "No temporal dependence" in mixed.findings[0].sentence
    assert rules(mixed, "warning") == set()
    assert not {"order", "below_persistent", "dependent_errors"} & rules(mixed)
    assert mixed.shuffles.is_unchanged("iid")


def test_alternating_and_weakly_dependent_labels_have_their_findings():
    assert "alternate" in diagnose(chained(0.2), {}).findings[0].sentence
    rng = np.random.default_rng(1)
    labels = (rng.random(5000) < 0.1).astype(int)
    labels[np.flatnonzero(labels)[::2] + 1] = 1  # a rare class that comes in twos
    little = diagnose(streams.from_arrays(np.zeros((5000, 1)), labels), {})
    assert little.findings[0].severity == "note"
    assert "not enough for repeating the last one to beat" in little.findings[0].sentence


def test_nothing_and_one_class_give_defined_values():
    empty = label_dependence(Cut(np.empty(0, np.int32), 5))
    assert math.isnan(empty.p_majority)
    assert math.isnan(empty.p_repeat)
    assert math.isnan(empty.z)
    assert not empty.dependent
    assert empty.order == 0
    one = diagnose(streams.from_arrays(np.zeros((50, 1)), np.array(["a"] * 50)))
    assert one.labels.p_repeat == 1.0
    assert math.isnan(one.labels.z)
    assert "no dependence to test" in one.findings[0].sentence
    single = diagnose(Cut(np.array([1], np.int32), 5), {})
    assert "fewer than two labels" in single.findings[0].sentence
    assert math.isnan(single.quick.persistent)
    assert "not defined for fewer than two labels" in single.quick.to_text()


def test_shuffles_keep_the_labels_and_are_the_same_twice():
    stream = chained(0.9, 800)
    two = {"nb": learners.NaiveBayes(), "persistent": learners.Persistent()}
    one, again = (shuffle_and_rank(stream, two, 2, seed=5) for _ in range(2))
    assert one == again
    assert one.original["nb"] == measure(run(stream, two["nb"], seed=5), "accuracy").final
    # a shuffle within classes keeps the sequence of labels, and so the accuracy of the last label
    assert one.shuffled["within_class"]["persistent"] == pytest.approx(one.original["persistent"])
    assert one.shuffled["iid"]["persistent"] < one.original["persistent"] - 0.2


@pytest.mark.parametrize("turned", [(), ("iid",), ("within_class",), ("iid", "within_class")])
def test_every_shuffle_has_a_finding_with_the_pairs_that_change(turned):
    own, other = {"a": 0.9, "b": 0.5}, {"a": 0.5, "b": 0.8}
    shuffled = {how: other if how in turned else own for how in SHUFFLE_TEXTS}
    p = {("a", "b"): 0.001}
    seen = Shuffles(400, 1, own, shuffled, p, dict.fromkeys(SHUFFLE_TEXTS, p))
    quick = quick_test(np.zeros(9, np.int32))
    all_findings = findings(label_dependence(np.zeros(9, np.int32)), quick, {}, seen)
    found = [one for one in all_findings if one.rule == "ranking"]
    assert len(found) == len(SHUFFLE_TEXTS)
    for how, one in zip(SHUFFLE_TEXTS, found, strict=True):
        words = "changes under" if how in turned else "is the same under"
        assert f"The ranking of learners {words} {SHUFFLE_TEXTS[how]}: " in one.sentence
        grave = "warning" if how == "iid" else "note"
        assert one.severity == (grave if how in turned else "good")
        assert ("a was better than b" in one.sentence) == (how in turned)
        assert ("shuffled: b and a" in one.sentence) == (how in turned)


def test_differences_that_are_not_significant_change_no_ranking():
    stream = chained(0.5, 400)
    same = {f"nb{i}": learners.NaiveBayes() for i in range(3)}
    seen = shuffle_and_rank(stream, same, 1)
    assert seen.is_unchanged("iid")
    assert seen.is_unchanged("within_class")
    own, other = {"a": 0.9, "b": 0.5}, {"a": 0.5, "b": 0.8}
    for p, shuffled_p in ((0.2, 1e-6), (1e-6, 0.2)):
        undecided = Shuffles(
            400, 1, own, dict.fromkeys(SHUFFLE_TEXTS, other), {("a", "b"): p},
            {how: {("a", "b"): shuffled_p} for how in SHUFFLE_TEXTS},
        )  # fmt: skip
        assert undecided.is_unchanged("iid")
        assert undecided.confirmed("iid") == ()
        labels = label_dependence(np.zeros(9, np.int32))
        found = findings(labels, quick_test(np.zeros(9, np.int32)), {}, undecided)
        ranking = [one for one in found if one.rule == "ranking"]
        assert [one.severity for one in ranking] == ["note", "note"]
        assert "significant for 0 of 1 pairs" in ranking[0].sentence


@pytest.mark.data
def test_electricity_has_the_papers_deltas_and_loses_them_when_shuffled():
    stream = streams.Electricity()
    seen = label_dependence(stream, 48)
    assert seen.classes == ("UP", "DOWN")
    np.testing.assert_allclose(seen.delta[:, 0], [0.40, 0.30], atol=0.005)
    np.testing.assert_allclose(seen.delta[:, 1], [0.033, 0.023], atol=0.0005)
    assert (np.abs(seen.delta[:, 2:4]) < 0.01).all()
    assert seen.delta[1, 47] == pytest.approx(0.022, abs=0.0005)
    assert math.isnan(seen.delta[0, 47])
    assert seen.p_majority == pytest.approx(0.5755, abs=1e-4)
    assert seen.p_repeat == pytest.approx(0.853303, abs=1e-6)
    assert seen.order == 2
    whole = diagnose(stream, shuffles=1)
    tried = whole.learners
    assert tried["persistent"].accuracy > tried["naive_bayes"].accuracy
    assert tried["naive_bayes"].kappa_temporal < 0
    gain = tried["temporally_augmented(naive_bayes)"].accuracy - tried["naive_bayes"].accuracy
    assert gain > 0.05
    assert not whole.shuffles.is_unchanged("iid")
    mixed = diagnose(streams.shuffle(stream, seed=1), shuffles=0)
    assert mixed.findings[0].sentence.startswith("No temporal dependence")


def csv(folder: Path, labels) -> Path:
    path = folder / "made.csv"
    rows = "\n".join(f"{i % 7},{label}" for i, label in enumerate(labels))
    path.write_text(f"x,y\n{rows}\n")
    return path


def output_of(args, capsys):
    main([str(a) for a in args])
    return capsys.readouterr()


def test_the_command_prints_tables_findings_and_json(tmp_path, capsys):
    labels = ["u", "u", "u", "v"] * 100
    path, figure = csv(tmp_path, labels), tmp_path / "delta.svg"
    out = output_of(["diagnose", path, "--plot", figure, "--lags", 3], capsys).out
    assert "Delta(l)" in out
    assert "Hoeffding" in out
    assert figure.read_text().count("Delta(l)") == 1
    loaded = json.loads(output_of(["diagnose", path, "--json", "--shuffles", 1], capsys).out)
    assert loaded["labels"]["p_majority"] == 0.75
    assert loaded["labels"]["matrix"][1] == [1.0, 0.0]
    assert loaded["labels"]["delta"][1][1] is None  # no two v after each other
    assert {one["name"] for one in loaded["learners"]} >= {"naive_bayes", "persistent"}
    assert set(loaded["shuffles"]) == {"iid", "within_class"}
    assert loaded["precision"]["hoeffding_items"] == pytest.approx(18444.397, abs=1e-3)
    assert loaded["findings"]
    quiet = output_of(["diagnose", path, "--quiet", "-l", "perceptron", "--shuffles", 0], capsys)
    assert (quiet.out, quiet.err) == ("", "")
    named = output_of(["diagnose", "sea(items=2000)", "--json", "--shuffles", 0], capsys).out
    assert json.loads(named)["labels"]["dependent"] is False
    assert json.loads(named)["shuffles"] is None


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ("gone.csv", r"gone\.csv.*no such file"),
        ("reals.csv --task regression", r"must be a class, got real values"),
        ("sea()", r"must end|endless"),
        ("made.csv --plot delta.bmp", r"path must be a name that ends in one of \.svg"),
        ("made.csv --lags 0", r"--lags"),
        ("made.csv --precision 0", r"--precision"),
        ("made.csv -l naive_baies", r"did you mean 'naive_bayes'\?"),
        ("made.csv -l target_mean", r"TargetMean: target must be a real number"),
        ("unlabelled.csv --classes u,v", r"must have labelled items to diagnose, got none"),
        ("electricty", r"did you mean 'electricity'\?"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(args, words, tmp_path, monkeypatch, capsys):
    csv(tmp_path, ["u", "v"] * 10)
    (tmp_path / "reals.csv").write_text("x,y\n" + "".join(f"{i},{i / 3}\n" for i in range(20)))
    (tmp_path / "unlabelled.csv").write_text("x,y\n1,\n2,\n")
    monkeypatch.chdir(tmp_path)
    before = sorted(p.name for p in tmp_path.iterdir())
    with pytest.raises(SystemExit) as left:
        main(["diagnose", *args.split()])
    assert left.value.code == 2
    assert re.search(words, capsys.readouterr().err)
    assert sorted(p.name for p in tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("do", "words"),
    [
        (lambda: label_dependence(np.zeros(3, np.int32), 0), "lags must be a whole number"),
        (lambda: quick_test(np.zeros(3, np.int32), 1), "items must be a whole number, at least 2"),
        (lambda: hoeffding_items(0), "precision must be a number above 0, got 0"),
        (lambda: hoeffding_items(0.1, 1), "confidence must be above 0 and below 1, got 1"),
        (lambda: hoeffding_precision(-1), "items must be at least 0, got -1"),
        (lambda: window_items(0.1, "both"), "width must be 'half' or 'full', got 'both'"),
        (lambda: window_precision(-1), "items must be at least 0"),
        (lambda: fading_items(0), "factor must be above 0, at most 1, got 0"),
        (lambda: fading_weight(1.1, 3), "factor must be above 0, at most 1, got 1.1"),
        (lambda: fading_weight(0.9, -1), "age must be at least 0, got -1"),
        (lambda: fading_size(0.9, -1), "items must be at least 0, got -1"),
        (lambda: hoeffding_probability(0.1, -1), "items must be at least 0, got -1"),
        (lambda: hoeffding_probability(0, 5), "precision must be a number above 0, got 0"),
        (lambda: hoeffding_probability(0.1, 5, 0), "span must be a number above 0, got 0"),
        (lambda: fading_horizon(0.9, 0), "weight must be above 0, at most 1, got 0"),
        (lambda: diagnose(chained(0.5, 20), shuffles=-1), "shuffles must be a whole number"),
        (lambda: shuffle_and_rank(chained(0.5, 20), {}), "learners must be at least 2, got 0"),
        (
            lambda: shuffle_and_rank(chained(0.5, 20), {"a": 1, "b": 2}, 0),
            "shuffles must be at least 1",
        ),
    ],
)
def test_bad_parameters_are_refused_in_a_sentence(do, words):
    with pytest.raises(ParameterError, match=words):
        do()


def test_a_real_target_is_sent_to_its_measure():
    stream = streams.from_arrays(np.zeros((9, 1)), np.arange(9.0))
    with pytest.raises(DataError, match="mae_vs_last_value"):
        diagnose(stream)


def test_the_plot_shows_the_classes_that_have_a_delta(tmp_path):
    seen = label_dependence(Cut(np.array([0, 0, 1, 0, 0, 0], np.int32), 3), 4)
    steps = plot.data(seen)
    assert [s.name for s in steps] == ["a", "b"]
    for name in ("one.svg", "two.svg"):
        save(plot.draw(steps, title="made"), tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()
    assert plot.data(label_dependence(Cut(np.empty(0, np.int32), 3), 4)) == ()
    plot.draw(())


def test_an_empty_stream_and_a_tie_of_the_baselines_have_their_sentences():
    empty = streams.from_arrays(np.zeros((0, 1)), np.zeros(0, int))
    assert diagnose(empty).to_text() == "There are fewer than two labels."
    same = quick_test(np.zeros(50, np.int32))
    assert "too few labels to tell which is the better baseline" in same.to_text()


@pytest.mark.parametrize("seed", [0, 5])
def test_every_accuracy_of_shuffles_is_that_of_runs_with_the_seed(seed):
    stream = chained(0.7, 300)
    two = {"random": learners.PriorRandom(), "nb": learners.NaiveBayes()}
    seen = shuffle_and_rank(stream, two, 2, seed=seed)
    for name, learner in two.items():
        assert seen.original[name] == measure(run(stream, learner, seed=seed), "accuracy").final
        for how, shuffled_by in SHUFFLES.items():
            each = [
                measure(
                    run(shuffled_by(stream, child(seed, "shuffles", how, i)), learner, seed=seed),
                    "accuracy",
                ).final
                for i in range(2)
            ]
            assert seen.shuffled[how][name] == pytest.approx(np.mean(each), abs=1e-12)


def test_the_order_of_labels_is_a_finding_only_if_they_depend_on_each_other():
    cases = set()
    for seed in range(30):
        stay = 0.5 if seed % 2 else 0.9
        flips = np.random.default_rng(seed).random(40) > stay
        seen = label_dependence((np.cumsum(flips) % 2).astype(np.int32))
        found = findings(seen, quick_test(np.zeros(9, np.int32)), {}, None)
        assert ("order" in {one.rule for one in found}) == (seen.dependent and seen.order > 0)
        cases.add((bool(seen.dependent), seen.order > 0))
    assert cases >= {(True, True), (False, False)}


@pytest.mark.parametrize("items", [2, 3, 9])
def test_the_quick_test_reads_that_many_labels_of_a_stream_or_an_array(items):
    labels = np.array([0, 0, -1, 1, 1, 0, 1, 0, 0, 1, 1, 0], np.int32)
    known = labels[labels >= 0]
    for source in (labels, Cut(labels, 5)):
        assert quick_test(source, items) == quick_test(known[:items], len(known))


def test_progress_is_called_with_the_name_of_each_learner():
    names, seen = [], []

    def progress(name):
        names.append(name)
        return lambda done, total: seen.append((name, done, total))

    diagnose("sea(items=300)", ["nb"], shuffles=0, progress=progress)
    assert "naive_bayes" in names
    assert ("naive_bayes", 300, 300) in seen
