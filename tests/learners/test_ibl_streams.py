"""IBLStreams equals its slow twin through warm-up, editing, changes and new settings."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import ibl_streams as twins
from samples.examples import examples
from streamgauge import learners
from streamgauge.errors import ParameterError
from streamgauge.types import Feature, Schema

KINDS = [
    {"kernel": "gaussian", "adapt": "width"},
    {"kernel": "exponential", "adapt": "width", "width": 0.1},
    {"kernel": "linear", "adapt": "k"},
    {"kernel": "inverse", "adapt": "k", "k": 4},
    {"kernel": "equal", "adapt": "nothing"},
]
SMALL = {"k": 8, "k_min": 2, "k_max": 12, "max_cases": 90, "warm_start": 60}


def stream(seed, n, nominal, holes, noise, turn):
    """Two numbers and perhaps a nominal column; the labels turn round on the way."""
    rng = np.random.default_rng(seed)
    x = np.column_stack([rng.random((n, 2)).round(2), rng.integers(0, 3, n)])
    real = 3 * x[:, 0] + (x[:, 2] == 1) * nominal + noise * rng.normal(size=n)
    real = np.where(np.arange(n) < turn * n, real, 4 - real)
    x[rng.random(x.shape) < holes] = np.nan
    weights = rng.choice([0.5, 1.0, 2.0], n)
    columns = [None, None, 3] if nominal else [None, None]
    return columns, np.ascontiguousarray(x[:, : len(columns)]), real, weights


STREAMS = st.builds(
    stream,
    seed=st.integers(0, 2**32 - 1),
    n=st.sampled_from([0, 55, 450]),
    nominal=st.booleans(),
    holes=st.sampled_from([0.0, 0.02]),
    noise=st.sampled_from([0.0, 0.3]),
    turn=st.sampled_from([0.5, 1.0]),
)


def schema(columns, classes):
    values = [None if v is None else tuple(range(v)) for v in columns]
    return Schema(tuple(Feature(f"x{j}", v) for j, v in enumerate(values)), "y", classes)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind["kernel"])
@given(given=STREAMS)
@settings(deadline=None, max_examples=examples(6))
def test_ibl_streams_equals_its_twin(kind, given):
    columns, x, real, weights = given
    y = np.digitize(real, [1.3, 2.2]).astype(np.int32)
    twin = twins.IBLStreams(columns, 3, **(SMALL | kind))
    native = learners.IBLStreams(**(SMALL | kind)).bind(schema(columns, (0, 1, 2)))
    for i in range(len(x)):
        row = x[i].tolist()
        predicted, scores = native.predict(x[i : i + 1])[0], native.scores(x[i : i + 1])[0]
        assert predicted == twin.predict(row)
        np.testing.assert_allclose(scores, twin.scores(row), atol=1e-12)
        native.learn(x[i : i + 1], y[i : i + 1], weights[i : i + 1])
        twin.learn(row, int(y[i]), float(weights[i]))
    assert native.vitals() == {
        "cases": float(len(twin.cases)),
        "k": float(twin.k),
        "width": pytest.approx(twin.width),
        "drifts": float(twin.drifts),
    }


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind["kernel"])
@pytest.mark.parametrize("prediction", ["mean", "linear"])
@given(given=STREAMS)
@settings(deadline=None, max_examples=examples(6))
def test_ibl_streams_of_numbers_equals_its_twin(kind, prediction, given):
    columns, x, y, weights = given
    kind = kind | {"pred_type": prediction}
    twin = twins.IBLStreamsRegression(columns, **(SMALL | kind))
    native = learners.IBLStreamsRegression(**(SMALL | kind)).bind(schema(columns, None))
    for i in range(len(x)):
        row = x[i].tolist()
        expected = twin.predict(row)
        predicted = native.predict(x[i : i + 1])[0]
        assert predicted == pytest.approx(expected, rel=1e-8, abs=1e-8, nan_ok=True)
        native.learn(x[i : i + 1], y[i : i + 1], weights[i : i + 1])
        twin.learn(row, float(y[i]), float(weights[i]))
    vitals = native.vitals()
    assert vitals["cases"] == len(twin.cases)
    assert vitals["k"] == twin.k
    assert vitals["drifts"] == twin.drifts


def test_a_change_is_noticed_and_the_old_is_forgotten():
    columns, x, real, _ = stream(1, 4000, True, 0.0, 0.0, 0.5)
    y = (real > 2).astype(np.int32)
    learner = learners.IBLStreams(warm_start=100).bind(schema(columns, (0, 1)))
    predictions = learner.test_then_train(0, x, y)
    right = predictions == y
    window = learners.NearestNeighbours(window_size=5000).bind(schema(columns, (0, 1)))
    plain = window.test_then_train(0, x, y) == y
    assert learner.vitals()["drifts"] >= 1
    assert right[1000:2000].mean() > 0.97
    assert right[2000:].mean() > plain[2000:].mean() + 0.1
    assert right[2500:].mean() > 0.95


def abrupt(seed, n, turn):
    """A smooth function with noise, of which the sign turns."""
    rng = np.random.default_rng(seed)
    x = rng.random((n, 3))
    y = np.sin(3 * x[:, 0]) + x[:, 1] ** 2 + 0.1 * rng.normal(size=n)
    return x, np.where(np.arange(n) < turn, y, -y)


@pytest.mark.parametrize("prediction", ["mean", "linear"])
@pytest.mark.parametrize("adapt", ["width", "k", "nothing"])
def test_a_change_of_numbers_is_noticed_while_settings_are_adapted(adapt, prediction):
    spec = learners.IBLStreamsRegression(adapt=adapt, pred_type=prediction, warm_start=100)
    for seed in range(3):
        x, y = abrupt(seed, 4000, turn=2000)
        learner = spec.bind(schema([None] * 3, None))
        learner.learn(x[:2000], y[:2000])
        before = learner.vitals()
        learner.learn(x[2000:2200], y[2000:2200])
        after = learner.vitals()
        assert before["drifts"] == 0
        assert after["drifts"] >= 1
        assert after["cases"] < before["cases"]
        if adapt != "nothing":
            assert (before["k"], before["width"]) != (16, 0.5)


@pytest.mark.parametrize("adapt", ["width", "k", "nothing"])
def test_a_stationary_stream_gives_few_alarms(adapt):
    spec = learners.IBLStreamsRegression(adapt=adapt, warm_start=100)
    alarms = 0.0
    for seed in range(10):
        x, y = abrupt(seed, 3000, turn=3000)
        learner = spec.bind(schema([None] * 3, None))
        learner.learn(x, y)
        alarms += learner.vitals()["drifts"]
    assert alarms == 0


def test_a_plane_errs_less_than_a_mean_where_the_labels_slope():
    columns, x, real, _ = stream(3, 2000, False, 0.0, 0.0, 1.0)
    lost = {}
    for prediction in ("mean", "linear"):
        spec = learners.IBLStreamsRegression(pred_type=prediction, warm_start=200)
        predictions = spec.bind(schema(columns, None)).test_then_train(0, x, real)
        lost[prediction] = np.abs(predictions - real)[500:].mean()
    assert lost["linear"] < 0.5 * lost["mean"]


def test_an_unknown_kind_of_prediction_is_refused():
    with pytest.raises(ParameterError, match="pred_type must be 'mean' or 'linear', got 'median'"):
        learners.IBLStreamsRegression(pred_type="median")


def test_no_more_cases_are_kept_than_wanted():
    columns, x, real, _ = stream(2, 3000, False, 0.0, 0.5, 0.5)
    learner = learners.IBLStreamsRegression(max_cases=300, warm_start=300).bind(
        schema(columns, None)
    )
    for low in range(0, 3000, 50):
        learner.learn(x[low : low + 50], real[low : low + 50])
        assert learner.vitals()["cases"] <= 300


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"k": 0}, "k must be a whole number from 1 to 1,000,000,000, got 0"),
        ({"k_min": 17}, "k_min must be at most k (16), got 17"),
        ({"k_max": 3}, "k_max must be at least k (16), got 3"),
        ({"width": 0.0}, "width must be a number above 0, got 0.0"),
        (
            {"kernel": "round"},
            "kernel must be one of 'gaussian', 'exponential', 'linear', 'inverse', 'equal', "
            "got 'round'",
        ),
        ({"adapt": "all"}, "adapt must be one of 'width', 'k', 'nothing', got 'all'"),
        (
            {"kernel": "equal"},
            "adapt must be 'k' or 'nothing' with the kernel 'equal', which has no width, "
            "got 'width'",
        ),
        ({"max_cases": 10}, "warm_start must be at most max_cases (10), got 1000"),
    ],
)
@pytest.mark.parametrize("kind", [learners.IBLStreams, learners.IBLStreamsRegression])
def test_a_bad_parameter_is_refused_in_a_sentence(kind, parameters, words):
    with pytest.raises(ParameterError) as error:
        kind(**parameters)
    assert str(error.value) == f"{kind.__name__}: {words}"
