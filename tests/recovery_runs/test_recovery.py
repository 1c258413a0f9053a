"""Recovery analyses: streams, logs, curves and verdicts against what they are made of."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

import streamgauge as sg
from oracles import recovery as twin
from streamgauge import streams
from streamgauge.errors import LogError, ParameterError
from streamgauge.plots import recovery_scatter
from streamgauge.recovery_analysis import (
    AnalysisOptions,
    Occasion,
    RecoveryCurves,
    Transition,
    analyse,
)
from streamgauge.recovery_analysis._window_share import window_share
from streamgauge.recovery_runs import recovery_sweep
from streamgauge.recovery_runs._concepts import read_concepts
from streamgauge.recovery_runs._recovery import _setup
from streamgauge.recovery_runs._runs import RunInputs, _Streams
from streamgauge.recovery_runs._stored import NAME, analyses_in
from streamgauge.report._recovery_page import recovery_table
from streamgauge.windows import EWMA, Fading, Sliding, Tumbling, Whole

BEFORE, AFTER = "sea(1)", "relabel(sea(1), 'invert')"
SMALL = {"before": BEFORE, "after": AFTER, "items": 600, "repetitions": 3, "resamples": 50}


def numbered(n, first, target=None):
    """Items whose feature is their number from `first` on, with two classes."""
    x = np.arange(first, first + n, dtype=float)[:, None]
    label = np.arange(n) % 2 if target is None else target
    return streams.from_arrays(x, label, classes=[0, 1])


def inputs_of(before, after, drift="sudden", permute=True, items=None, seed=0):
    concepts = read_concepts(before, after, items, permute, seed)
    setup = _setup(concepts, [Transition(theta=math.pi / 2)], 3, seed)
    return RunInputs(
        concepts.held, concepts.sequence, setup.settings, setup.items, permute, None, None, False,
        False, seed, concepts.fingerprint,
    )  # fmt: skip


def x_of(stream, seed=5):
    return np.concatenate([batch.x[:, 0] for batch in stream.batches(seed=seed)]).tolist()


def test_the_mixture_is_made_of_the_permuted_pure_streams_at_equal_positions():
    inputs = inputs_of(numbered(40, 0), numbered(40, 1000))
    streams_of = _Streams(inputs, 1)
    a, b, c = (x_of(streams_of.of(role)[0]) for role in ("pure-0", "pure-1", "mixture-0"))
    assert sorted(a) == list(range(40)) != a
    assert sorted(b) == list(range(1000, 1040)) != b
    assert a != [value - 1000 for value in b], "both are permuted by themselves"
    assert all(c[t] in (a[t], b[t]) for t in range(40))
    assert c[:19] == a[:19]
    assert c[20:] == b[20:]
    other = _Streams(inputs, 2)
    assert x_of(other.of("pure-0")[0]) != a
    assert x_of(_Streams(inputs, 1).of("pure-0")[0]) == a


def test_a_copy_of_a_stream_is_permuted_in_another_way_than_the_stream():
    source = numbered(60, 0)
    inputs = inputs_of(source, streams.relabel(source, "invert"))
    streams_of = _Streams(inputs, 0)
    a, b = (x_of(streams_of.of(role)[0]) for role in ("pure-0", "pure-1"))
    assert sorted(a) == sorted(b)
    assert a != b


def test_a_stream_that_returns_goes_on_at_its_position():
    first, second = numbered(90, 0), numbered(90, 1000)
    inputs = inputs_of(first, [second, first])
    assert inputs.sequence == (0, 1, 0)
    streams_of = _Streams(inputs, 0)
    a, c = x_of(streams_of.of("pure-0")[0]), x_of(streams_of.of("mixture-0")[0])
    assert c[:29] == a[:29]
    assert c[61:] == a[61:]
    assert len(set(c)) == 90, "no item occurs twice"


def test_without_permutation_the_streams_are_as_they_are():
    inputs = inputs_of(numbered(40, 0), numbered(40, 1000), permute=False)
    assert x_of(_Streams(inputs, 1).of("pure-1")[0]) == list(range(1000, 1040))


def test_the_curves_are_those_of_single_runs(tmp_path):
    found = sg.recovery("nb", **SMALL, drift="sudden", folder=tmp_path / "kept")
    stored = json.loads((tmp_path / "kept" / NAME).read_text())
    panel = found.panels[0]
    for role, curve in (
        ("pure-0", panel.before),
        ("pure-1", panel.after),
        ("mixture-0", panel.mixture),
    ):
        logs = [sg.read_log(tmp_path / "kept" / "logs" / one) for one in
                stored["logs"]["naive_bayes"][role]]  # fmt: skip
        each = [sg.measure(log, "accuracy", found.window).value for log in logs]
        assert curve.value == pytest.approx(np.mean(each, axis=0))
        assert all(log.about["protocol"] == "prequential" for log in logs)
    a, b, c = panel.before.value, panel.after.value, panel.mixture.value
    start = 1 + int(np.argmax(panel.mixture.at >= panel.transition.start))
    value, t1, _, _ = twin.duration(a, b, c, "high", start=start)
    from_drift = panel.value("duration_from_drift")
    assert (from_drift.value, from_drift.at) == (pytest.approx(value), panel.mixture.at[t1 - 1])
    value, t1, _, outcome = twin.duration(a, b, c, "high")
    assert panel.value("duration").value == pytest.approx(value)
    assert panel.value("duration").at == panel.mixture.at[t1 - 1]
    assert (panel.outcome, panel.t1) == (outcome, t1)
    assert panel.value("maximum_loss").value == pytest.approx(twin.maximum_loss(a, b, c, "high")[0])
    assert panel.value("area").value == pytest.approx(twin.area(a, b, c, "high"))
    assert panel.level_before == pytest.approx(twin.level(a.tolist()))
    place = panel.transition
    size = int(found.window.removeprefix("tumbling(").rstrip(")"))
    shares = [
        twin.mean_share(place.t0, place.width, int(end) - size + 1, int(end))
        for end in panel.mixture.at
    ]
    points = len(shares)
    levels = [panel.level_before] * points, [panel.level_after] * points
    expected = twin.bound(shares, *levels, 0.0, 0.0, "high", False)
    assert panel.bound.value == pytest.approx(expected)


def plain(found):
    return [replace(p, values={k: replace(v, samples=None) for k, v in p.values.items()})
            for p in found.panels]  # fmt: skip


def test_executors_give_the_same_result():
    each = [
        sg.recovery(["nb", "perceptron"], **SMALL, executor=executor)
        for executor in ("serial", "threads", "processes")
    ]
    for other in each[1:]:
        assert repr(plain(other)) == repr(plain(each[0]))
        assert repr(other.comparisons) == repr(each[0].comparisons)


def test_another_learner_does_not_change_the_streams_of_the_first():
    alone = sg.recovery("nb", **SMALL)
    beside = sg.recovery(["perceptron", "nb"], **SMALL)
    assert repr(alone.panel("naive_bayes")) == repr(beside.panel("naive_bayes"))


def test_kept_logs_are_measured_again_and_not_run_again(tmp_path):
    folder = tmp_path / "kept"
    found = sg.recovery("nb", **SMALL, drift=["sudden", 100], folder=folder)
    before = {p: p.stat().st_mtime_ns for p in folder.rglob("*.parquet")}
    again = sg.measure_recovery(folder, resamples=50)
    assert repr(again.panels) == repr(found.panels)
    other = sg.measure_recovery(folder, "error", "sliding(50)", every=20, resamples=50)
    assert (other.better, other.window) == ("low", "sliding(50)")
    assert other.panels[0].bound is not None
    sg.recovery(["nb", "majority_class"], **SMALL, drift=["sudden", 100], folder=folder)
    after = {p: p.stat().st_mtime_ns for p in folder.rglob("*.parquet")}
    assert before.items() <= after.items()
    assert len(after) > len(before)
    assert not (folder / "attempts").exists()
    assert sg.measure_recovery(folder).learners == ("naive_bayes", "majority_class")


def test_a_damaged_log_is_run_again_and_a_damaged_list_refused(tmp_path):
    folder = tmp_path / "kept"
    found = sg.recovery("nb", **SMALL, folder=folder)
    table = next(folder.rglob("predictions.parquet"))
    table.write_bytes(table.read_bytes()[:-9])
    again = sg.recovery("nb", **SMALL, folder=folder)
    assert repr(again.panels) == repr(found.panels)
    text = (folder / NAME).read_text()
    (folder / NAME).write_text(text.replace('"items": 600', '"items": 500'))
    with pytest.raises(LogError, match="must be as the run wrote it, got another checksum"):
        sg.measure_recovery(folder)


def test_logs_that_changed_places_are_refused(tmp_path):
    sg.recovery("nb", **SMALL, folder=tmp_path)
    one, other = (next(tmp_path.glob(f"logs/{role}-*")) for role in ("pure-0", "mixture-0"))
    one.rename(tmp_path / "kept")
    other.rename(one)
    (tmp_path / "kept").rename(other)
    with pytest.raises(LogError, match=r"must be the log of the cell pure-0-.*, got that of mixt"):
        sg.measure_recovery(tmp_path)


def test_the_folders_of_a_file_of_pairs_are_in_its_order(tmp_path):
    for name in ("1", "10", "2", "mine"):
        (tmp_path / name).mkdir()
        (tmp_path / name / NAME).touch()
    assert [path.name for path in analyses_in(tmp_path)][-3:] == ["1", "2", "10"]


def test_a_folder_with_other_files_is_refused(tmp_path):
    (tmp_path / "mine.txt").write_text("x")
    with pytest.raises(ParameterError, match="folder must be new, empty or that of an analysis"):
        sg.recovery("nb", **SMALL, folder=tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["mine.txt"]


def test_a_learner_that_cannot_forget_does_not_recover_and_one_that_resets_does():
    found = sg.recovery(
        {"slow": "nb", "fast": "resetting(nb, adwin)"},
        before=BEFORE, after=AFTER, drift="sudden", items=3000, repetitions=3,
    )  # fmt: skip
    slow, fast = found.panel("slow"), found.panel("fast")
    assert (slow.outcome, slow.optimal) == ("not recovered", False)
    assert slow.value("duration").censored == "not recovered"
    assert slow.value("duration").share_censored == 1.0
    assert "has not recovered when the stream ends" in slow.finding
    assert (fast.outcome, fast.optimal) == ("recovered", True)
    assert fast.value("duration").low <= fast.value("duration").value
    assert {c.better for c in found.comparisons if c.name in ("area", "duration")} == {"fast"}
    area = next(c for c in found.comparisons if c.name == "area")
    assert area.difference == pytest.approx(slow.value("area").value - fast.value("area").value)
    assert area.low > 0


def test_a_curve_that_was_back_for_a_moment_is_neither_recovered_nor_the_best():
    """The curve dips as the drift begins, is back at the next point, and falls to 10 %."""
    found = sg.recovery(
        ["nb", "resetting(nb, adwin)"],
        before=BEFORE, after=AFTER, drift="moderate", items=4000, repetitions=5, resamples=50,
    )  # fmt: skip
    slow, fast = found.panels
    assert slow.value("duration").value < 0.02
    assert slow.mixture.value.min() < 0.15
    assert (slow.outcome, slow.for_good) == ("relapsed", False)
    assert (fast.outcome, fast.for_good) == ("recovered", True)
    assert "but is below again when the stream ends" in slow.finding
    table = recovery_table(found.panels)
    for column in table.columns:
        assert 0 not in table.best(column.key), column.key
    assert table.best("sustained_duration") == {1}
    better = {c.name: c.better for c in found.comparisons}
    assert better["duration"] != slow.learner
    assert better["sustained_duration"] == fast.learner
    point = recovery_scatter.data(found)[0]
    assert (point.censored, point.duration) == (True, slow.value("sustained_duration").value)


def test_every_point_can_be_a_drop_and_one_duration_begins_with_the_drift():
    at = np.arange(100, 2001, 100)
    flat, dip = np.full((2, 20), 0.9), np.full((2, 20), 0.9)
    dip[:, 3], dip[:, 12:15] = 0.5, 0.4
    curves = RecoveryCurves(at, flat, flat, dip)
    occasion = Occasion("nb", "sudden", Transition(width=0, t0=1200).placed(2000), "a", "b")
    panel = analyse(occasion, curves, AnalysisOptions(resamples=10))
    assert (panel.t1, panel.t2, panel.value("duration").value) == (4, 5, 0.05)
    assert panel.value("sustained_duration").value == 0.6
    found = panel.value("duration_from_drift")
    assert (found.at, found.value) == (1300, 0.15)
    # Item 1,200 is of either stream: a drop at the point of the items 1,101 to 1,200 counts.
    dip[:, 11] = 0.5
    curves = RecoveryCurves(at, flat, flat, dip)
    panel = analyse(occasion, curves, AnalysisOptions(resamples=10))
    assert panel.value("duration_from_drift").at == 1200
    # Before a later drift the curves differ, because the learner has another past.
    panel = analyse(replace(occasion, number=1), curves, AnalysisOptions(resamples=10))
    assert (panel.t1, panel.value("duration").value) == (12, 0.2)


def test_the_mixture_is_the_old_stream_up_to_its_first_item_of_the_new_one():
    found = sg.recovery("hoeffding_tree", **SMALL, drift="sudden", window="tumbling(10)")
    panel = found.panels[0]
    assert panel.mixture.value[:29] == pytest.approx(panel.before.value[:29], abs=0)
    assert panel.value("duration") == replace(panel.value("duration_from_drift"), name="duration")


@pytest.mark.parametrize("width", [0, 1, 40, 333.3])
@pytest.mark.parametrize("t0", [2000, 1999.5, 1234])
def test_items_are_counted_from_1_and_known_drifts_from_0(t0, width):
    place = Transition(width=width, t0=t0).placed(4000)
    share = place.share(np.arange(1, 4001))  # of the old stream
    first = [int(np.argmax(1 - share >= least - 1e-12)) for least in (0.01, 0.5, 0.99)]
    assert [place.start, place.centre, place.end] == [nth + 1 for nth in first]
    assert (place.drift.start, place.drift.centre, place.drift.end) == tuple(first)
    a, b = (streams.take(streams.SEA(concept), 4000) for concept in (1, 3))
    assert streams.mix(a, b, width=width, t0=t0).schema.drifts == (place.drift,)
    marks = place.marks
    assert (marks.start, marks.centre, marks.end) == (place.start, place.centre, place.end)


def test_two_equal_concepts_show_no_drop():
    found = sg.recovery("majority_class", before="sea(1)", after="sea(1, seed=7)",
                        items=2000, repetitions=5, window="whole")  # fmt: skip
    panel = found.panels[0]
    assert panel.outcome == "no drop"
    assert panel.value("duration").value == 0
    assert math.isnan(panel.value("decline").value)
    assert "does not drop below the limit" in panel.finding


def test_a_stream_that_ends_too_soon_is_pointed_out():
    found = sg.recovery("recursive_least_squares", before="hyper_distance",
                        after="hyper_distance('cubic')", items=2000, repetitions=3)  # fmt: skip
    check = found.panels[0].check
    assert not check.long_enough
    assert not check.reached_before_drift
    assert "The streams may be too short" in found.panels[0].finding


def test_a_measure_without_a_bound_is_refused_in_a_sentence_and_the_rest_goes_on():
    for measure in ("kappa", "f1", "auc"):
        found = sg.recovery("nb", **SMALL, measure=measure)
        assert found.panels[0].bound is None
        assert f"{measure} has no bound: it is no mean over items" in found.notes[-1]
        assert found.panels[0].value("maximum_loss").value > 0
    log_loss = sg.recovery("nb", **SMALL, measure="log_loss")
    assert "log_loss has no bound of this kind: it has no worst value" in log_loss.notes[-1]


@pytest.mark.parametrize("measure", ["rmse", "mae", "mse"])
def test_bounds_of_losses_use_the_range_of_the_target_and_cross_tests_tighten_them(measure):
    given = {
        "before": "friedman(items=600, seed=1)",
        "after": "relabel(friedman(items=600, seed=1), 'invert')",
        "repetitions": 2,
        "measure": measure,
    }
    loose, tight = (
        sg.recovery("recursive_least_squares", **given, bound=bound).panels[0]
        for bound in ("levels", "cross")
    )
    labels = np.concatenate([b.label for b in streams.Friedman(items=600, seed=1).batches()])
    span = float(labels.max() - labels.min())
    worst = span**2 if measure == "mse" else span
    at = int(loose.bound.value.argmax())
    share = window_share(loose.transition.share(np.arange(1, 601)), Tumbling(5), loose.mixture.at)
    expected = twin.bound(
        share.tolist(), [loose.level_before] * len(share), [loose.level_after] * len(share),
        worst, worst, "low", measure == "rmse",
    )  # fmt: skip
    assert loose.bound.value == pytest.approx(expected)
    assert tight.bound.value[at] < loose.bound.value[at]
    assert loose.bound.value[0] == pytest.approx(tight.bound.value[0], rel=0.2)


@pytest.mark.parametrize("window", [Tumbling(7), Sliding(7), Whole(), Fading(0.9), EWMA(0.1)])
def test_the_share_in_a_window_is_a_mean_over_its_items(window):
    share = np.random.default_rng(0).random(50)
    at = np.array([1, 7, 14, 30, 50])
    found = window_share(share, window, at)
    for end, value in zip(at, found, strict=True):
        seen = share[:end].tolist()
        if isinstance(window, Tumbling):
            seen = seen[(end - 1) // 7 * 7 :]
        if isinstance(window, Sliding):
            seen = seen[-7:]
        if isinstance(window, EWMA):
            seen = seen[-1:]
        factor = 0.9 if isinstance(window, Fading) else 1.0
        weights = [factor ** (len(seen) - 1 - nth) for nth in range(len(seen))]
        total = sum(w * s for w, s in zip(weights, seen, strict=True))
        assert value == pytest.approx(total / sum(weights))


def test_levels_can_be_given():
    found = sg.recovery("nb", **SMALL, saturation_levels=(0.9, 0.8), drift="sudden").panels[0]
    assert (found.level_before, found.level_after) == (0.9, 0.8)
    assert (found.bound.value[0], found.bound.value[-1]) == (0.9, 0.8)


def test_late_labels_make_a_recovery_longer():
    given = {"before": BEFORE, "after": AFTER, "items": 3000, "repetitions": 3, "drift": "sudden"}
    now, late = (
        sg.recovery("resetting(nb, adwin)", **given, delay=delay).panels[0] for delay in (None, 300)
    )
    assert late.value("area").value > 2 * now.value("area").value
    assert now.mixture.at.tolist() == late.mixture.at.tolist()


def test_a_stream_that_returns_is_marked_and_measured():
    found = sg.recovery(
        "nb", before=BEFORE, after=[AFTER, BEFORE], items=3000, repetitions=3, drift="sudden"
    )
    first, second = found.panels
    assert (first.returns, second.returns) == (False, True)
    assert (second.old, second.new) == (AFTER, BEFORE)
    assert "head_start" not in first.values
    since = int(np.searchsorted(second.mixture.at, second.transition.end))
    count = math.ceil(0.1 * len(second.mixture.at))
    gain = second.mixture.value[since : since + count].mean() - second.after.value[:count].mean()
    assert second.value("head_start").value == pytest.approx(gain)
    assert first.transition.t0 == 1000
    assert second.transition.t0 == 2000


def test_a_larger_change_costs_more():
    after = {"none": "random_tree(nominals=0, model_seed=1, seed=9)",
             "all": "reorder(random_tree(nominals=0, model_seed=1))"}  # fmt: skip
    found = recovery_sweep("nb", before="random_tree(nominals=0, model_seed=1)", after=after,
                           widths=["sudden", 200], items=1500, repetitions=2)  # fmt: skip
    assert len(found.points) == 4
    assert found.value("naive_bayes", "all", "sudden") > found.value(
        "naive_bayes", "none", "sudden"
    )


def test_streams_of_different_length_are_cut_and_times_dropped():
    time = np.arange(300) * 10
    timed = streams.from_arrays(np.zeros((300, 1)), np.arange(300) % 2, classes=[0, 1], time=time)
    found = sg.recovery("nb", before=numbered(200, 0), after=timed, repetitions=2)
    assert found.items == 200
    assert any("200 of its 300 items are used" in note for note in found.notes)
    assert any("its times are dropped" in note for note in found.notes)


def test_identical_repetitions_are_pointed_out():
    found = sg.recovery("persistent", before=numbered(200, 0), drift="width=0", permute=False,
                        after=numbered(200, 0, np.arange(200) // 2 % 2), repetitions=2)  # fmt: skip
    assert any("are equal, so intervals and bands" in note for note in found.notes)


def test_models_of_other_libraries_and_objects_can_be_used():
    linear = pytest.importorskip("river.linear_model")
    model = linear.Perceptron()
    found = sg.recovery([model, sg.learners.NaiveBayes()], **SMALL)
    assert len(found.learners) == 2


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"repetitions": 1}, "recovery: repetitions must be at least 2, got 1; one run does not"),
        ({"after": "stagger(1)"}, "recovery: before and after must have equal features, got 'att"),
        (
            {"before": "random_tree(nominals=0)", "after": "random_tree(nominals=0, classes=3)"},
            "recovery: before and after must have equal classes, got 'class1', 'class2' in",
        ),
        ({"after": BEFORE}, r"recovery: after must be another stream than before, got sea\(1\)"),
        ({"after": [AFTER, AFTER]}, r"must be another stream than before, got relabel\(sea"),
        ({"after": []}, r"recovery: after must be at least one stream, got \[\]"),
        ({"drift": 1e308}, r"longer than the drift, whose centre is item 300 and whose width"),
        ({"drift": "theta=5e-324"}, "streams must be longer than the drift, whose centre is item"),
        ({"drift": Transition(width=0, t0=1e300)}, "longer than the drift, whose centre is item 1"),
        ({"items": 9}, "recovery: items must be at least 10, got 9"),
        ({"every": 61}, "recovery: every must be at most 60 items, a tenth of the streams, got 61"),
        ({"delay": 235}, "recovery: delay must be less than 235, the item with which the drift"),
        ({"protocol": "holdout(60, 60)"}, "recovery: protocol must be one that predicts every"),
        ({"executor": 3}, "recovery: executor must be an executor or the name of one, got 3"),
        ({"name": None}, "recovery: name must be printable text, got None"),
        ({"name": "a\x1b[31m"}, "recovery: name must be printable text, got"),
        ({"name": " "}, "recovery: name must be printable text, got"),
        ({"permute": "no"}, "recovery: permute must be True or False, got 'no'"),
        ({"drift": 5000}, "recovery: streams must be longer than the drift, which is from item 1"),
        (
            {"after": [AFTER, BEFORE], "drift": 120},
            "recovery: streams must be longer than their drifts, which overlap from item",
        ),
        ({"items": None}, "recovery: SEA must end, got an endless stream; give items=10000"),
        ({"drift": "slowe"}, "recovery: no speed of a drift is called 'slowe'; did you mean"),
        ({"drift": []}, r"recovery: drift must be at least one, got \[\]"),
        ({"drift": "theta=7"}, "recovery: theta must be above 0 and at most pi/2, got 7.0"),
        ({"drift": Transition(width=9, t0=50), "after": [AFTER, BEFORE]},
         "recovery: t0 must be omitted with several drifts, got 50"),
        ({"window": "tumbling(400)"}, "recovery: window must be of at most 60 items, a tenth of"),
        ({"measure": "p_0"}, "recovery: measure must be one with a best value, got 'p_0'"),
        ({"measure": "rmse"}, "rmse: log must be of regression, got one of classification"),
        ({"bound": "tight"}, "recovery: bound must be 'levels' or 'curves' or 'cross' or 'none'"),
        ({"share": 0.0}, "recovery: share must be above 0 and at most 1, got 0.0"),
        ({"saturation_levels": (0.9,)},
         "recovery: saturation_levels must be two numbers, for the old and the new"),
        ({"saturation_levels": (0.9, 0.8), "after": [AFTER, BEFORE], "drift": 20},
         "recovery: saturation_levels must be omitted with several drifts"),
        ({"level": 1.0}, "recovery: level must be above 0 and below 1, got 1.0"),
        ({"resamples": 0}, "recovery: resamples must be at least 1, got 0"),
        ({"before": 3}, "recovery: before and after must be streams, by name or as objects, got 3"),
        ({"after": {"a": AFTER}}, "recovery: before and after must be streams, by name or as"),
        ({"before": "take(sea(1), 100)"}, "recovery: items must be at most 100, the length of"),
    ],
)  # fmt: skip
def test_bad_input_is_one_sentence(given, sentence):
    with pytest.raises(ParameterError, match=sentence):
        sg.recovery("nb", **{**SMALL, **given})


@pytest.mark.parametrize(
    ("labels", "sentence"),
    [
        (["a"] * 40, "the target of table #1 must have at least two values, got only 'a'; nothing"),
        ([1.5] * 40, "the target of table #1 must have at least two values, got only 1.5; nothing"),
    ],
)
def test_a_constant_target_is_refused(labels, sentence):
    before = streams.open_stream(
        pa.table({"x": np.arange(40.0), "y": labels}),
        target="y",
        **({"classes": ["a", "b"]} if labels[0] == "a" else {}),
    )
    other = ["a", "b"] * 20 if labels[0] == "a" else np.arange(40.0)
    after = streams.open_stream(
        pa.table({"x": np.arange(40.0), "y": other}),
        target="y",
        **({"classes": ["a", "b"]} if labels[0] == "a" else {}),
    )
    with pytest.raises(ParameterError, match=f"recovery: {sentence}"):
        sg.recovery("nb" if labels[0] == "a" else "target_mean", before=before, after=after)


def test_a_short_stream_and_one_without_labels_are_refused():
    with pytest.raises(ParameterError, match=r"arrays #2 must have at least 10 items, got 9"):
        sg.recovery("nb", before=numbered(40, 0), after=numbered(9, 90), repetitions=2)
    real, none = (streams.from_arrays(np.arange(40.0)[:, None], y)
                  for y in (np.arange(40.0), np.full(40, np.nan)))  # fmt: skip
    with pytest.raises(ParameterError, match=r"got 'a real target' in arrays #1 and 'no class' in"):
        sg.recovery("target_mean", before=real, after=none, repetitions=2)


def test_settings_that_differ_have_different_names():
    found = sg.recovery("nb", **SMALL, drift=[10.000001, 10.000002])
    assert found.settings == ("width=10.000001", "width=10.000002")


def test_points_are_evenly_spread_where_labels_are_missing():
    draws = np.random.default_rng(3)
    x = draws.normal(size=(400, 2))
    y = np.where(draws.random(400) < 0.2, np.nan, x[:, 0])
    before, after = (streams.from_arrays(x + shift, sign * y)
                     for shift, sign in ((0.0, 1.0), (0.01, -1.0)))  # fmt: skip
    found = sg.recovery("recursive_least_squares", before=before, after=after, drift="sudden",
                        repetitions=4, resamples=20)  # fmt: skip
    panel = found.panels[0]
    assert found.window == "tumbling(5)"
    assert set(np.diff(panel.mixture.at).tolist()) == {5}
    assert panel.outcome == "not recovered"
    assert panel.value("duration").at in (200, 205, 210)
    assert panel.value("duration").value == pytest.approx(0.5, abs=0.03)
    lost = int(np.isnan(y).sum())
    assert f"{lost} of its 400 labels are missing" in found.notes[0]


def test_one_learner_under_two_names_has_two_logs(tmp_path):
    found = sg.recovery({"a": "nb", "b": "nb"}, **SMALL, folder=tmp_path, executor="threads(4)")
    first, second = (replace(p, learner="", finding="") for p in found.panels)
    assert repr(first) == repr(second)
    assert len(list(tmp_path.glob("logs/*"))) == 2 * 3 * 3
    names = {sg.read_log(one).about["learner"] for one in tmp_path.glob("logs/*")}
    assert names == {"a", "b"}


def test_logs_without_scores_are_run_again_where_scores_are_needed(tmp_path):
    folder = tmp_path / "kept"
    sg.recovery("nb", **SMALL, bound="cross", folder=folder)
    with pytest.raises(LogError, match=r"auc needs logs with scores, got those in .* without; run"):
        sg.measure_recovery(folder, "auc")
    found = sg.recovery("nb", **SMALL, measure="auc", folder=folder)
    assert repr(found.panels) == repr(sg.recovery("nb", **SMALL, measure="auc").panels)
    assert repr(sg.measure_recovery(folder, resamples=50).panels) == repr(found.panels)
    before = {p: p.stat().st_mtime_ns for p in folder.rglob("*.parquet")}
    sg.recovery("nb", **SMALL, folder=folder)
    after = {p: p.stat().st_mtime_ns for p in folder.rglob("*.parquet")}
    assert after == before, "logs with scores serve for measures without"


def test_the_class_of_a_learner_is_refused():
    with pytest.raises(ParameterError, match="learners must be objects, not their classes, got"):
        sg.recovery(sg.learners.NaiveBayes, **SMALL)


def test_a_sweep_keeps_each_size_in_a_folder_of_its_own(tmp_path):
    sizes = {"small": "sea(2)", "large": AFTER}
    options = {**SMALL, "folder": tmp_path}
    options.pop("after")
    found = recovery_sweep("nb", after=sizes, widths=["sudden"], **options)
    again = [sg.measure_recovery(one, resamples=50) for one in analyses_in(tmp_path)]
    assert [one.name for one in again] == list(sizes)
    assert [repr(one.panels) for one in again] == [
        repr(found.recoveries[size].panels) for size in sizes
    ]


def test_no_learner_is_refused():
    with pytest.raises(ParameterError, match=r"recovery: learners must be at least one, got \[\]"):
        sg.recovery([], **SMALL)
