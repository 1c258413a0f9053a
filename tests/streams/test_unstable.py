"""Streams that test stability: noise, outliers, changing proportions, late classes."""

from __future__ import annotations

import numpy as np
import pytest

from streamgauge.errors import DataError, ParameterError
from streamgauge.streams import (
    SEA,
    Friedman,
    Stagger,
    drift,
    from_arrays,
    imbalance,
    late_classes,
    outliers,
    perturb,
    take,
    update,
)
from streamgauge.testing import check_stream
from streamgauge.types import Batch, Drift

PLAIN = SEA(items=3000, seed=5)
CLASSES = PLAIN.schema.classes


def whole(stream, size=8192, seed=0):
    return Batch.concatenate(list(stream.batches(size, seed)))


@pytest.mark.parametrize(
    "stream",
    [
        perturb(PLAIN),
        perturb(PLAIN, 0.2, relative=True, form="uniform"),
        perturb(Stagger(items=500), nominal=0.5),
        outliers(PLAIN, share=0.1),
        imbalance(PLAIN, [[0.2, 0.8], [0.8, 0.2]], at=[0, 500], how="linear"),
        late_classes(PLAIN, {"groupB": 700}),
    ],
    ids=lambda stream: stream.name,
)
def test_each_keeps_the_contract_of_streams(stream):
    count = None if stream.length is not None else len(whole(stream))
    check_stream(stream, count=count)
    assert not np.array_equal(whole(stream, seed=1).x, whole(PLAIN).x)


def test_noise_has_its_scale_and_leaves_labels():
    plain, noisy = whole(PLAIN), whole(perturb(PLAIN, 0.5))
    np.testing.assert_array_equal(noisy.label, plain.label)
    assert (noisy.x - plain.x).std() == pytest.approx(0.5, abs=0.02)
    relative = whole(perturb(PLAIN, 0.5, relative=True)).x - plain.x
    assert (relative[0] == 0).all()
    assert (relative[100:] / plain.x.std(axis=0)).std() == pytest.approx(0.5, abs=0.03)
    other = whole(perturb(PLAIN, 0.5), seed=1).x
    assert not np.array_equal(other, noisy.x)


def test_nominal_values_stay_unless_requested():
    stream = Stagger(items=2000, seed=1)
    plain = whole(stream).x
    np.testing.assert_array_equal(whole(perturb(stream, 9.0)).x, plain)
    drawn = whole(perturb(stream, nominal=1.0)).x
    values = [len(f.values) for f in stream.schema.features]
    for column, count in enumerate(values):
        assert set(drawn[:, column]) == set(range(count))
        assert (drawn[:, column] != plain[:, column]).mean() == pytest.approx(
            1 - 1 / count, abs=0.05
        )


def test_later_features_get_the_noise_of_their_item():
    x = np.arange(6.0)[:, None]
    stream = update(from_arrays(x, np.arange(6.0)), [1, 4], [3, 9], [[1.0], [40.0]])
    for relative in (False, True):
        noisy = whole(perturb(stream, 0.5, relative=relative), 4)
        change = noisy.x - x
        np.testing.assert_allclose(noisy.updates.x[0] - 1.0, change[1])
        np.testing.assert_allclose(noisy.updates.x[1] - 40.0, change[4])


def test_outliers_are_a_share_of_the_items_and_far_away():
    plain, far = whole(PLAIN), whole(outliers(PLAIN, share=0.1, size=20))
    moved = (plain.x != far.x).all(axis=1)
    assert moved.mean() == pytest.approx(0.1, abs=0.02)
    np.testing.assert_array_equal(plain.x[~moved], far.x[~moved])
    np.testing.assert_array_equal(plain.label, far.label)
    late = np.flatnonzero(moved)[50:]
    deviations = np.array([plain.x[: i + 1].std(axis=0, ddof=1) for i in late])
    sizes = (far.x - plain.x)[late] / deviations
    np.testing.assert_allclose(np.abs(sizes), 20)
    assert 0.3 < (sizes > 0).mean() < 0.7
    first = PLAIN.schema.names[0]
    one = whole(outliers(PLAIN, share=1.0, features=[first]))
    assert (one.x != plain.x).any(axis=0).tolist() == [True, False, False]


def test_proportions_follow_the_schedule():
    stream = imbalance(SEA(seed=2), [[0.5, 0.5], [0.95, 0.05]], at=[0, 2000])
    label = whole(take(stream, 4000)).label
    assert label[:2000].mean() == pytest.approx(0.5, abs=0.04)
    assert label[2000:].mean() == pytest.approx(0.05, abs=0.02)
    assert stream.schema.drifts == (Drift(2000, 2000, 2000, "abrupt"),)
    ramp = imbalance(SEA(seed=2), [[1.0, 0.0], [0.0, 1.0]], at=[0, 4000], how="linear")
    label = whole(take(ramp, 5000)).label
    for start in range(0, 4000, 1000):
        middle = (start + 500) / 4000
        assert label[start : start + 1000].mean() == pytest.approx(middle, abs=0.05)
    assert label[4000:].all()
    assert [d.kind for d in ramp.schema.drifts] == ["incremental"]


def test_items_within_a_class_are_those_of_the_input_in_order():
    stream = imbalance(PLAIN, [[0.9, 0.1]])
    source, part = whole(PLAIN), whole(stream)
    rows = [np.flatnonzero((source.x == row).all(axis=1))[0] for row in part.x]
    assert (np.diff(rows) > 0).all()
    np.testing.assert_array_equal(source.label[rows], part.label)


def test_a_late_class_occurs_from_its_item_on():
    x = np.arange(12.0)[:, None]
    stream = from_arrays(x, np.array(list("abcabcabcabc")))
    late = late_classes(stream, {"b": 3, "c": 5})
    part = whole(late, 2)
    # a, a, a until 3 items are taken; then b; then all
    assert part.x[:, 0].tolist() == [0, 3, 6, 7, 9, 10, 11]
    assert [d.start for d in late.schema.drifts] == [3, 5]
    gaps = from_arrays(x[:4], np.array([0.0, np.nan, 1, 0]), task="classification", classes=[0, 1])
    assert whole(late_classes(gaps, {1: 9})).label.tolist() == [0, -1, 0]


DRIFTING = drift(SEA(1), SEA(2), 50, items=100)

BAD = {
    "scale": (lambda: perturb(PLAIN, -1), "perturb: scale must be a finite number, at least 0"),
    "nominal": (lambda: perturb(PLAIN, nominal=1.5), "nominal must be from 0 to 1, got 1.5"),
    "form": (lambda: perturb(PLAIN, form="x"), "form must be 'normal' or 'uniform', got 'x'"),
    "share": (lambda: outliers(PLAIN, share=2), "outliers: share must be from 0 to 1, got 2"),
    "size": (lambda: outliers(PLAIN, size=-1), "size must be a finite number, at least 0, got -1"),
    "feature": (lambda: outliers(PLAIN, features=["nope"]), "outliers: features"),
    "nominal feature": (
        lambda: outliers(Stagger(), features=["size"]),
        "features must be numeric features, got 'size'",
    ),
    "sum": (
        lambda: imbalance(PLAIN, [[0.5, 0.6]]),
        "shares must be lists of 2 numbers, one per class, which sum to 1, got (0.5, 0.6)",
    ),
    "list": (lambda: imbalance(PLAIN, [0.5, 0.5]), "shares must be a list of lists of numbers"),
    "at": (lambda: imbalance(PLAIN, [[0, 1]], at=[5]), "at must be 1 items in increasing order"),
    "how": (lambda: imbalance(PLAIN, [[0, 1]], how="x"), "how must be 'steps' or 'linear'"),
    "real": (
        lambda: imbalance(Friedman(), [[1]]),
        "stream must be one with classes, got",
    ),
    "drifts": (
        lambda: imbalance(DRIFTING, [[0, 1]]),
        "imbalance: the stream must have no known drifts, as leaving out items would move them",
    ),
    "late drifts": (
        lambda: late_classes(DRIFTING, {"groupB": 5}),
        "use late_classes on each concept",
    ),
    "class": (lambda: late_classes(PLAIN, {7: 5}), "first must be of classes among"),
    "item": (lambda: late_classes(PLAIN, {"groupB": -5}), "first must be at least 0, got -5"),
    "all": (
        lambda: late_classes(PLAIN, dict.fromkeys(CLASSES, 5)),
        "first must leave out at least one class",
    ),
    "late real": (lambda: late_classes(Friedman(), {}), "stream must be one with classes"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_sentence(name):
    call, sentence = BAD[name]
    with pytest.raises((ParameterError, DataError)) as caught:
        call()
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_class_that_never_occurs_is_an_error(monkeypatch):
    monkeypatch.setattr("streamgauge.streams._imbalance.LONGEST_SKIP", 1000)
    stream = from_arrays(np.zeros((3000, 1)), np.zeros(3000, int), classes=[0, 1])
    with pytest.raises(DataError, match="must have items of class 1, got none in 1,000"):
        whole(imbalance(stream, [[0.5, 0.5]]), 100)
