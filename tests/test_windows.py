"""Windows, points and clocks."""

from __future__ import annotations

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.errors import ParameterError
from streamgauge.log import LabelledPredictions, Log, from_columns
from streamgauge.names import known, make
from streamgauge.types import Schema

SCHEMA = Schema((), classes=("a", "b"))


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: sg.Sliding(0), "Sliding: size must be a whole number, at least 1, got 0"),
        (lambda: sg.Sliding(2.5), "Sliding: size must be a whole number, at least 1, got 2.5"),
        (lambda: sg.Tumbling(-1), "Tumbling: size must be a whole number, at least 1, got -1"),
        (lambda: sg.Tumbling(True), "Tumbling: size must be a whole number, at least 1, got True"),
        (lambda: sg.Fading(0), "Fading: factor must be above 0 and at most 1, got 0"),
        (lambda: sg.Fading(1.1), "Fading: factor must be above 0 and at most 1, got 1.1"),
        (lambda: sg.Fading("x"), "Fading: factor must be above 0 and at most 1, got 'x'"),
        (lambda: sg.EWMA(1), "EWMA: weight must be above 0 and below 1, got 1"),
        (lambda: sg.EWMA(0.0), "EWMA: weight must be above 0 and below 1, got 0.0"),
    ],
)
def test_a_window_that_cannot_be_is_refused_at_construction(build, words) -> None:
    with pytest.raises(ParameterError) as raised:
        build()
    assert str(raised.value) == words


@pytest.mark.parametrize(
    "window", [sg.Whole(), sg.Sliding(10), sg.Tumbling(7), sg.Fading(0.99), sg.EWMA(0.01)]
)
def test_a_window_is_made_from_its_own_name(window) -> None:
    assert make("window", str(window)) == window


@pytest.mark.parametrize("kind", [sg.Sliding, sg.Tumbling])
def test_a_window_may_be_longer_than_any_log(kind) -> None:
    """The core gets a whole number that a float holds exactly."""
    assert kind(2**53 - 1).spec[1] == 2.0**53 - 1
    for size in (2**53, 2**53 + 1, 2**64, 10**30):
        assert kind(size).spec[1] == 2.0**53
        assert sg.measure(log(5, (1,)), "accuracy", kind(size), every=1).value[-1] == 0.8


def test_all_windows_have_names() -> None:
    assert list(known("window")) == ["ewma", "fading", "sliding", "tumbling", "whole"]


def log(n: int, wrong: tuple[int, ...] = ()) -> Log:
    label = (np.arange(n) % 2).astype(np.int32)
    prediction = label.copy()
    prediction[list(wrong)] = 1 - prediction[list(wrong)]
    return from_columns(SCHEMA, label, prediction)


def test_a_curve_has_a_point_at_each_step_and_at_the_end() -> None:
    assert sg.measure(log(10), "accuracy", every=4).at.tolist() == [4, 8, 10]
    assert sg.measure(log(8), "accuracy", every=4).at.tolist() == [4, 8]
    assert sg.measure(log(3), "accuracy", every=4).at.tolist() == [3]


def test_a_tumbling_window_has_points_where_its_blocks_end_and_one_for_the_rest() -> None:
    curve = sg.measure(log(10, wrong=(1, 9)), "accuracy", sg.Tumbling(4), every=3)
    assert curve.at.tolist() == [4, 8, 10]
    assert curve.value.tolist() == [0.75, 1.0, 0.5]


def test_a_sliding_window_is_short_at_first() -> None:
    curve = sg.measure(log(6, wrong=(0,)), "accuracy", sg.Sliding(3), every=1)
    assert curve.value.tolist() == [0.0, 0.5, 2 / 3, 1.0, 1.0, 1.0]


def test_fading_is_unbiased_from_the_first_item_on() -> None:
    curve = sg.measure(log(3, wrong=(0,)), "error", sg.Fading(0.5), every=1)
    assert curve.value == pytest.approx([1.0, 0.5 / 1.5, 0.25 / 1.75])


def test_a_fading_factor_of_one_forgets_nothing() -> None:
    there = log(500, wrong=(3, 77, 200))
    whole = sg.measure(there, "kappa", "whole", every=10)
    fading = sg.measure(there, "kappa", sg.Fading(1), every=10)
    np.testing.assert_allclose(fading.value, whole.value, rtol=1e-12)


def test_what_has_faded_away_is_forgotten() -> None:
    label = np.zeros(3000, np.int32)
    label[0] = 1
    there = from_columns(SCHEMA, label, label)
    curve = sg.measure(there, "recall(of='b')", sg.Fading(0.5), every=100)
    assert curve.value[0] == 1.0
    assert np.isnan(curve.final)


def test_ewma_starts_from_its_prior() -> None:
    curve = sg.measure(log(2), "accuracy", sg.EWMA(0.1), every=1)
    assert curve.value == pytest.approx([0.1, 0.19])


@pytest.mark.parametrize(
    ("rows", "every"), [(1, 1), (2000, 1), (2001, 2), (45_312, 50), (100_000, 50), (100_001, 100)]
)
def test_the_usual_step_is_round_and_makes_at_most_2000_points(rows: int, every: int) -> None:
    curve = sg.measure(log(rows), "accuracy")
    assert curve.definition["every"] == str(every)
    assert len(curve.at) <= 2001


@pytest.mark.parametrize("classes", [1, 2, 3, 7, 15, 40, 300])
@pytest.mark.parametrize(("size", "every"), [(100, 10), (150_000, 997), (5000, 30_000)])
def test_long_logs_of_any_number_of_classes_equal_a_recount(
    classes: int, size: int, every: int
) -> None:
    rows = 200_003
    rng = np.random.default_rng(classes)
    label = rng.integers(0, classes, rows).astype(np.int32)
    prediction = np.where(rng.random(rows) < 0.7, label, rng.integers(-1, classes, rows))
    there = from_columns(
        Schema((), classes=tuple(range(classes))), label, prediction.astype(np.int32)
    )
    names = ["accuracy", "p_maj", "p_ran", "p_per"]
    windows = [sg.Whole(), sg.Sliding(size), sg.Tumbling(size), sg.Fading(0.9995)]
    curves = sg.measure(there, names, windows, every=every)
    for window in windows:
        found = [curves[name, window] for name in names]
        for nth in (0, len(found[0].at) // 2, -1):
            at = int(found[0].at[nth])
            begin = {"sliding": max(0, at - size), "tumbling": (at - 1) // size * size}
            inside = slice(begin.get(window.spec[0], 0), at)
            age = at - 1 - np.arange(inside.start, at)
            weight = 0.9995**age if window.spec[0] == "fading" else np.ones(len(age))
            y, a = label[inside], prediction[inside]
            predicted = a >= 0
            truths = np.bincount(y, weight, classes) / weight.sum()
            predictions = np.bincount(a[predicted], weight[predicted], classes) / weight.sum()
            pairs = slice(1 if inside.start == 0 else 0, None)
            before = np.concatenate([[-1], label])[inside][pairs]
            expected = [
                weight[y == a].sum() / weight.sum(),
                truths.max(),
                (truths * predictions).sum(),
                weight[pairs][before == y[pairs]].sum() / weight[pairs].sum(),
            ]
            assert [c.value[nth] for c in found] == pytest.approx(expected, rel=1e-10)


def test_missing_labels_take_no_place_and_points_are_where_the_items_are() -> None:
    label = np.array([0, -1, 1, -1, -1, 1, 0], np.int32)
    prediction = np.array([0, 0, 1, 0, 0, 0, 0], np.int32)
    curve = sg.measure(from_columns(SCHEMA, label, prediction), "accuracy", sg.Sliding(2), every=1)
    assert curve.at.tolist() == [1, 3, 6, 7]
    assert curve.value.tolist() == [1.0, 1.0, 0.5, 0.5]
    assert curve.definition["items"] == "4"


class Late:
    """Labels that come in another order than the items."""

    labels_in_order = False

    def labelled_predictions(self, fold=None):
        yield LabelledPredictions(
            1,
            np.array([1, 0], np.int32),
            np.array([1, 1], np.int32),
            item=np.array([1, 0], np.uint64),
            time=np.array([2, 4], np.int64),
            previous=np.array([0, -1], np.int32),
        )
        yield LabelledPredictions(
            2,
            np.array([1], np.int32),
            np.array([1], np.int32),
            item=np.array([2], np.uint64),
            time=np.array([5], np.int64),
            previous=np.array([1], np.int32),
        )

    def label_count(self) -> int:
        return 3


def test_under_delay_points_are_booked_at_label_or_at_prediction_time() -> None:
    there = Log(SCHEMA, Late())
    by_label = sg.measure(there, "accuracy", every=1)
    assert by_label.at.tolist() == [1, 2, 3], "labels known"
    assert by_label.axis == "labels"
    assert by_label.value == pytest.approx([1.0, 0.5, 2 / 3])
    by_prediction = sg.measure(there, "accuracy", every=1, clock="predicted")
    assert by_prediction.at.tolist() == [1, 2, 3]
    assert by_prediction.value == pytest.approx([0.0, 0.5, 2 / 3])
    # the label before is that of the stream, in whatever order labels come
    assert (
        sg.measure(there, "p_per").final
        == sg.measure(there, "p_per", clock="predicted").final
        == 0.5
    )


def test_the_persistent_prediction_is_no_better_than_itself() -> None:
    rng = np.random.default_rng(0)
    label = (np.cumsum(rng.random(10_000) < 0.15) % 2).astype(np.int32)
    persistent = np.concatenate([[-1], label[:-1]]).astype(np.int32)
    there = from_columns(SCHEMA, label, persistent)
    curves = sg.measure(there, ["accuracy", "p_per", "kappa_temporal"])
    assert curves["accuracy"].final == pytest.approx(curves["p_per"].final, abs=1e-4)
    assert abs(curves["kappa_temporal"].final) < 1e-3


def test_curves_are_found_by_measure_and_window() -> None:
    curves = sg.measure(log(50, wrong=(1, 2)), ["accuracy", "kappa"], [sg.Whole(), sg.Sliding(5)])
    assert len(curves) == 4
    assert [c.window for c in curves] == ["whole", "sliding(5)"] * 2
    assert curves["kappa", "sliding(5)"].final == curves[3].final == 1.0
    assert curves["kappa", sg.Sliding(5)] is curves[3]
    assert curves.table()["accuracy"] == {"whole": 0.96, "sliding(5)": 1.0}
    with pytest.raises(ParameterError, match="'kappa' must be given with its window"):
        curves["kappa"]
    with pytest.raises(LookupError):
        curves["kapa", "whole"]


def own(given: object) -> sg.windows.Window:
    """A window of the user's own with this `spec`."""

    class Own(sg.windows.Window):
        @property
        def spec(self):
            if isinstance(given, Exception):
                raise given
            return given

    return Own()


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        (None, "spec must be a kind and its parameter, like ('sliding', 1000), got None"),
        ("sliding", "spec must be a kind and its parameter, like ('sliding', 1000), got 'sliding'"),
        (
            ("rolling", 3),
            "spec must be of a kind that is one of whole, sliding, tumbling, fading, ewma, got "
            "('rolling', 3)",
        ),
        (("sliding", "3"), "spec must be a kind and its parameter, like ('sliding', 1000), got "),
        (("sliding", True), "spec must be a kind and its parameter, like ('sliding', 1000), got "),
        (("sliding", 3, 4), "spec must be a kind and its parameter, like ('sliding', 1000), got "),
        (("sliding", 0), "spec must be with a whole number, at least 1, got ('sliding', 0)"),
        (("tumbling", float("inf")), "spec must be with a whole number, at least 1, got "),
        (("fading", 1.5), "spec must be with a factor above 0 and at most 1, got "),
        (("ewma", 1.0), "spec must be with a weight above 0 and below 1, got "),
        (AttributeError("'Own' has no 'size'"), "spec failed: AttributeError: 'Own' has no 'size'"),
    ],
)
def test_a_window_of_the_user_with_a_wrong_spec_gets_one_sentence(spec, words) -> None:
    with pytest.raises(ParameterError) as raised:
        sg.measure(log(9), "accuracy", own(spec))
    assert str(raised.value).startswith(f"Own: {words}")


def test_a_window_of_the_user_equals_the_window_of_its_kind() -> None:
    for spec, same in ((("sliding", 4), sg.Sliding(4)), (("fading", 0.5), sg.Fading(0.5))):
        curve = sg.measure(log(30, (3, 4, 9)), "accuracy", own(spec), every=1)
        usual = sg.measure(log(30, (3, 4, 9)), "accuracy", same, every=1)
        assert curve.value.tolist() == usual.value.tolist()


def test_a_window_without_spec_cannot_be_made() -> None:
    class Empty(sg.windows.Window):
        pass

    with pytest.raises(TypeError, match="spec"):
        Empty()


@pytest.mark.parametrize("wrong", [True, False])
def test_a_truth_value_is_not_a_window_size_or_a_factor(wrong):
    for window in (sg.Sliding, sg.Tumbling, sg.Fading, sg.EWMA):
        with pytest.raises(ParameterError):
            window(wrong)


def test_a_window_with_a_text_of_its_own_is_refused() -> None:
    class Titled(sg.windows.Window):
        spec = ("sliding", 3)

        def __str__(self) -> str:
            return "three"

    with pytest.raises(ParameterError, match="Titled: must not define __str__"):
        sg.measure(log(9), "accuracy", Titled())


@pytest.mark.parametrize("kind", ["sliding", "tumbling"])
def test_a_window_of_the_users_own_has_at_least_one_item(kind: str) -> None:
    class Mine(sg.windows.Window):
        size = 1

        @property
        def spec(self) -> tuple[str, float]:
            return kind, self.size

    log = from_columns(Schema((), classes=("a", "b")), np.array([0, 1]), np.array([0, 0]))
    assert sg.measure(log, "accuracy", Mine(), every=1).value.tolist() == [1.0, 0.0]
    Mine.size = 0
    with pytest.raises(ParameterError, match="spec must be with a whole number, at least 1"):
        sg.measure(log, "accuracy", Mine())
