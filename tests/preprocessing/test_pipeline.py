"""Pipelines: which statistics transform a row, when they change, and what passes through."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field, replace
from types import SimpleNamespace

import numpy as np
import pytest
from river import linear_model
from sklearn.linear_model import SGDClassifier

import streamgauge as sg
from oracles import preprocessing as slow
from streamgauge._core import NativeLearner, NativeTransformer
from streamgauge.errors import LearnerError, ParameterError, UnknownNameError
from streamgauge.learners import (
    LinearRegression,
    LogisticRegression,
    MajorityClass,
    NaiveBayes,
    Perceptron,
    Pipeline,
    PriorRandom,
    Resetting,
    TemporallyAugmented,
)
from streamgauge.learners._pipeline import PipelineLearner
from streamgauge.log.about import name_of
from streamgauge.names import make
from streamgauge.preprocessing import (
    DateParts,
    Imputer,
    MinMaxScaler,
    OneHotEncoder,
    RobustScaler,
    StandardScaler,
)
from streamgauge.streams import from_arrays, time_feature
from streamgauge.testing import check_learner
from streamgauge.types import Feature, Schema

RNG = np.random.default_rng(1)
FEATURES = (Feature("size"), Feature("colour", ("red", "green", "blue")), Feature("age"))
SCHEMA = Schema(FEATURES, "y", ("no", "yes"))
STEPS = (Imputer("median"), OneHotEncoder(), StandardScaler())


@dataclass
class Recorder:
    """A model of the user that keeps the rows which it predicts and learns."""

    predicted: list = field(default_factory=list)
    learned: list = field(default_factory=list)

    def predict(self, x):
        self.predicted.append(np.array(x).tolist())
        return 0

    def learn(self, x, y, weight=1.0):
        self.learned.append(np.array(x).tolist())


def table(count=60, missing=0.1):
    rows = np.column_stack(
        [RNG.normal(5, 2, count), RNG.integers(0, 3, count), RNG.exponential(3.0, count)]
    ).astype(float)
    rows[RNG.random(rows.shape) < missing] = np.nan
    return rows


def twins():
    return slow.Chain(
        [
            slow.Imputer([None, 3, None], strategy="median"),
            slow.OneHotEncoder([None, 3, None]),
            slow.StandardScaler([None] * 5),
        ]
    )


def test_predicting_uses_the_items_learned_before_and_learning_includes_the_item():
    rows, labels = table(), RNG.integers(0, 2, 60).astype(np.int32)
    labels[[5, 30]] = -1
    weights = RNG.choice([1.0, 2.0], 60)
    learner = Pipeline(STEPS, Recorder()).bind(SCHEMA)
    learner.test_then_train(0, rows, labels, weights)
    model, chain = learner.learner.model, twins()
    expected, learned = [], []
    for row, label, weight in zip(rows, labels, weights, strict=True):
        expected.append(chain.transform(row.tolist()))
        if label >= 0:
            learned.append(chain.learn(row.tolist(), weight))
    np.testing.assert_allclose(model.predicted, expected, atol=1e-9)
    np.testing.assert_allclose(model.learned, learned, atol=1e-9)


def test_late_labels_and_repeated_predictions_use_the_statistics_of_that_moment():
    rows, schema = table(40), replace(SCHEMA, classes=(0, 1))
    learner = Pipeline(STEPS, Recorder()).bind(schema)
    chain, expected, learned = twins(), [], []
    for i in range(50):  # the label of an item arrives ten items later
        pending = rows[max(0, i - 9) : i + 1]
        for _ in range(2):  # predicting again changes nothing
            learner.predict(pending, max(0, i - 9))
            expected += [chain.transform(row.tolist()) for row in pending]
        if i >= 10:
            late = slice(i - 10, i - 9)
            learner.learn(rows[late], np.array([1], np.int32))
            learned.append(chain.learn(rows[i - 10].tolist()))
    model = learner.learner.model
    np.testing.assert_allclose(model.predicted, expected, atol=1e-9)
    np.testing.assert_allclose(model.learned, learned, atol=1e-9)


@pytest.mark.parametrize("protocol", ["prequential", "delayed", "chunks(7)", "reevaluating(3)"])
@pytest.mark.parametrize(
    "inside", [Perceptron(), NaiveBayes(), PriorRandom(), LogisticRegression(standardise=False)]
)
def test_a_native_pipeline_has_the_log_of_one_driven_from_python(protocol, inside):
    stream = from_arrays(table(80), RNG.integers(0, 3, 80), nominal={1: (0, 1, 2)})
    if protocol in ("delayed", "reevaluating(3)"):
        stream = sg.streams.delay(stream, 9)
    native = Pipeline(STEPS, inside)
    assert isinstance(native.bind(stream.schema), NativeLearner)
    logs = [sg.run(stream, one, protocol, scores=True, seed=3) for one in (native, Driven(native))]
    for name in ("item", "turn", "prediction", "scores"):
        columns = [np.concatenate([getattr(r, name) for r in log.predictions()]) for log in logs]
        np.testing.assert_array_equal(*columns)


@dataclass(frozen=True)
class Driven:
    """The same pipeline, with its parts driven from Python."""

    pipeline: Pipeline

    @property
    def name(self):
        return self.pipeline.name

    @property
    def task(self):
        return self.pipeline.task

    def bind(self, schema, seed=0):
        bound, inner = [], schema
        for one in self.pipeline.transformers:
            bound.append(one.bind(inner))
            inner = bound[-1].schema
        base = self.pipeline.learner.bind(inner, seed)
        return PipelineLearner(tuple(bound), base, inner.features == schema.features)


class Doubled:
    """An own transformer: twice the number of rows learned, in place of every cell."""

    def bind(self, schema):
        return DoubledRows(schema)


@dataclass
class DoubledRows:
    schema: Schema
    count: float = 0.0
    fills_missing: bool = True

    def transform(self, rows):
        return np.full(rows.shape, 2.0 * self.count)

    def learn(self, row, weight):
        assert row.shape == (len(self.schema.features),)
        self.count += weight

    def fresh(self):
        return DoubledRows(self.schema)


def test_an_own_transformer_is_called_in_the_same_order():
    learner = Pipeline([Doubled(), "min_max_scaler"], Recorder()).bind(SCHEMA)
    learner.test_then_train(
        0, table(4), np.array([0, -1, 1, 0], np.int32), np.array([1.0, 1, 2, 1])
    )
    model = learner.learner.model
    assert [row[0] for row in model.predicted] == [0.0, 0.0, 0.0, 1.0]
    assert [row[0] for row in model.learned] == [0.0, 1.0, 1.0]
    check_learner(lambda: Pipeline(Doubled(), NaiveBayes()).bind(SCHEMA), SCHEMA)


@pytest.mark.parametrize(
    "inside",
    [
        SGDClassifier(loss="log_loss"),
        linear_model.LogisticRegression(),
        Recorder(),
        Resetting(),
        TemporallyAugmented(),
        Pipeline(["min_max_scaler"], SGDClassifier()),
    ],
    ids=lambda one: type(one).__name__,
)
def test_around_any_learner_it_keeps_the_contract(inside):
    steps = [Imputer(), OneHotEncoder(), RobustScaler(window_size=20)]
    check_learner(lambda: Pipeline(steps, inside).bind(SCHEMA), SCHEMA)


def test_what_the_learner_inside_declares_passes_through():
    inside = Pipeline(["standard_scaler"], Resetting("nb", "random_alarms(0.3, warm_start=2)"))
    stream = sg.streams.take(sg.streams.SEA(), 200)
    log, learner = sg.run(stream, inside, keep_learner=True)
    assert len(log.alarms().alarms) > 0
    assert learner.has_alarms
    assert learner.tracks_items
    assert learner.measured
    assert learner.has_scores
    assert learner.memory() > learner.learner.memory()
    assert learner.vitals()["drifts"] > 0
    sgd = Pipeline(["standard_scaler"], SGDClassifier()).bind(SCHEMA)
    assert not (sgd.takes_missing)
    assert not (sgd.has_alarms)
    assert not (sgd.tracks_items)
    assert not (sgd.has_scores)
    assert sgd.about["scikit-learn"]
    assert sgd.measured
    assert sgd.memory() > sgd.learner.memory()
    assert Pipeline(["imputer"], SGDClassifier()).bind(SCHEMA).takes_missing
    assert not Pipeline([Imputer(columns=["age"])], SGDClassifier()).bind(SCHEMA).takes_missing
    real = Pipeline([], LinearRegression())
    assert real.task == "regression"
    assert not real.bind(Schema(FEATURES, "y")).has_scores


def test_a_learner_that_reads_no_rows_needs_none_in_a_pipeline():
    learner = Pipeline(STEPS, MajorityClass()).bind(SCHEMA)
    assert not learner.needs_rows
    labels = np.array([1, 1, 0], np.int32)
    assert learner.test_then_train(0, None, labels).tolist() == [-1, 1, 1]


def test_a_state_is_loaded_only_by_an_equal_pipeline():
    rows, labels = table(50), RNG.integers(0, 2, 50).astype(np.int32)
    learner = Pipeline(STEPS, Perceptron()).bind(SCHEMA)
    learner.learn(rows, labels)
    state = learner.save()
    for copy in (Pipeline(STEPS, Perceptron()).bind(SCHEMA), pickle.loads(pickle.dumps(learner))):
        copy.load(state)
        np.testing.assert_array_equal(copy.scores(rows), learner.scores(rows))
        copy.learn(rows, labels)
        assert copy.save() != state
    other = Pipeline((*STEPS[:2], MinMaxScaler()), Perceptron()).bind(SCHEMA)
    with pytest.raises(ValueError, match="state must be that of pipeline"):
        other.load(state)
    with pytest.raises(ValueError, match="bytes that were changed"):
        learner.load(state[:-60] + b"\x01" + state[-59:])


@pytest.mark.parametrize("spec", [*STEPS, MinMaxScaler(), Imputer(), Imputer("most_frequent")])
def test_a_transformer_pickles_with_its_statistics(spec):
    bound, rows = spec.bind(SCHEMA), table(30)
    for row in rows:
        bound.learn(row)
    copy = pickle.loads(pickle.dumps(bound))
    np.testing.assert_array_equal(copy.transform(rows), bound.transform(rows))
    assert copy.native.save() == bound.native.save()
    assert bound.fresh().native.save() == spec.bind(SCHEMA).native.save()
    assert copy.native.memory() > 0
    copy.native.load(bound.fresh().native.save())
    np.testing.assert_array_equal(copy.transform(rows), spec.bind(SCHEMA).transform(rows))


def test_rows_of_another_width_are_refused():
    bound = StandardScaler().bind(SCHEMA)
    for call in (
        lambda: bound.transform(np.zeros((2, 2))),
        lambda: bound.learn(np.zeros(4)),
        lambda: bound.transform_and_learn(
            np.zeros((2, 4)), np.zeros((2, 4)), np.ones(2, np.bool_), None
        ),
    ):
        with pytest.raises(ValueError, match="rows must have 3 cells"):
            call()
    with pytest.raises(ValueError, match="equally many"):
        bound.transform_and_learn(np.zeros((2, 3)), np.zeros((2, 3)), np.ones(1, np.bool_), None)
    with pytest.raises(ValueError, match="name must be that of a transformer"):
        NativeTransformer("nothing", [0])


def test_a_text_makes_a_pipeline_and_its_name_says_what_it_is():
    made = make("learner", "pipeline([standard_scaler, imputer('median')], perceptron)")
    assert made == Pipeline([StandardScaler(), Imputer("median")], Perceptron())
    assert name_of(made) == "pipeline([standard_scaler, imputer(strategy='median')], perceptron)"
    assert make("learner", name_of(made)) == made
    assert make("learner", "pipeline(one_hot_encoder, nb)") == Pipeline(
        [OneHotEncoder()], NaiveBayes()
    )
    text = "pipeline([standard_scaler], river:linear_model.LogisticRegression())"
    assert "river:LogisticRegression" in name_of(make("learner", text))
    assert make("transformer", "date_parts('when', ['hour'])") == DateParts("when", ("hour",))
    with pytest.raises(UnknownNameError, match="belongs in pipeline"):
        make("learner", "standard_scaler")
    with pytest.raises(UnknownNameError, match="standard_scaler"):
        make("transformer", "standart_scaler")


def test_the_time_of_items_is_a_column_whose_parts_are_learned():
    time = np.datetime64("2024-01-01", "us") + np.arange(2000) * np.timedelta64(1, "h")
    night = (np.arange(2000) % 24) < 6
    stream = time_feature(from_arrays(RNG.normal(size=(2000, 1)), night, time=time))
    learner = Pipeline(["date_parts(parts=['hour'])"], "hoeffding_tree(grace_period=50)")
    assert sg.measure(sg.run(stream, learner), "accuracy").final > 0.95
    assert sg.measure(sg.run(stream, Pipeline([], "nb")), "accuracy").final < 0.8


def test_a_failure_in_a_pipeline_names_the_item():
    class Failing(Recorder):
        def learn(self, x, y, weight=1.0):
            super().learn(x, y)
            if len(self.learned) == 7:
                raise RuntimeError("no more")

    stream = from_arrays(RNG.normal(size=(20, 2)), np.arange(20) % 2)
    for inside in (Failing(), FailingMany()):
        with pytest.raises(LearnerError) as caught:
            sg.run(stream, Pipeline(["standard_scaler"], inside))
        assert caught.value.item == 6


class FailingMany(Recorder):
    """One with `predict_many`, which is not called item by item in the compiled loop."""

    def predict_many(self, rows):
        return np.zeros(len(rows), np.int64)

    def learn(self, x, y, weight=1.0):
        super().learn(x, y)
        if len(self.learned) == 7:
            raise RuntimeError("no more")


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: Pipeline([3]), "transformers must be transformers of streamgauge"),
        (lambda: Pipeline([StandardScaler]), "transformers must be transformers"),
        (lambda: StandardScaler("size"), "columns must be None or names of columns, got 'size'"),
        (lambda: StandardScaler([]), r"columns must be None or names of columns, got \[\]"),
        (
            lambda: StandardScaler(["ages"]).bind(SCHEMA),
            "names of columns \\('size', 'colour', 'age'\\), got 'ages'",
        ),
        (lambda: StandardScaler(["colour"]).bind(SCHEMA), "numeric columns, got 'colour'"),
        (lambda: OneHotEncoder(["size"]).bind(SCHEMA), "nominal columns, got 'size'"),
        (lambda: DateParts("colour").bind(SCHEMA), "numeric columns, got 'colour'"),
        (lambda: DateParts("age", ["hours"]), "parts must be different ones of year.* got 'hours'"),
        (lambda: DateParts("age", []), "parts must be different ones"),
        (lambda: DateParts("age", ["hour", "hour"]), "parts must be different ones"),
        (lambda: DateParts("age", unit="min"), "unit must be one of us, ms, s, got 'min'"),
        (lambda: Imputer("mode"), "strategy must be one of mean, median.* got 'mode'"),
        (lambda: Imputer(fill_value=float("nan")), "fill_value must be a finite number"),
        (lambda: RobustScaler(window_size=0), "window_size must be at least 1, got 0"),
        (lambda: RobustScaler(window_size=10**7), "window_size must be at most 1,000,000"),
        (lambda: RobustScaler(q_inf=-0.1), "q_inf must be from 0 to 1, got -0.1"),
        (lambda: RobustScaler(q_inf=0.8), "q_sup must be above q_inf and at most 1, got 0.75"),
        (
            lambda: OneHotEncoder().bind(
                replace(SCHEMA, features=(*FEATURES, Feature("colour=red")))
            ),
            "new names, each once, got 'colour=red'",
        ),
        (
            lambda: time_feature(sg.streams.SEA()),
            "time_feature: items must have times, got SEA without; pass time=",
        ),
    ],
)
def test_a_wrong_parameter_is_refused_in_one_sentence(wrong, words):
    with pytest.raises(ParameterError, match=words):
        wrong()


class OwnTransformer:
    """An own transformer, of which parts can be replaced or left out."""

    def __init__(self, **parts):
        self.parts = parts

    def bind(self, schema):
        parts = {
            "schema": schema,
            "fills_missing": False,
            "transform": lambda rows: rows + 0,
            "learn": lambda row, weight: None,
            "fresh": lambda: self.bind(schema),
            **self.parts,
        }
        return SimpleNamespace(**{name: part for name, part in parts.items() if part is not None})


@pytest.mark.parametrize("part", ["schema", "fills_missing", "transform", "learn", "fresh"])
def test_an_own_transformer_that_lacks_a_part_is_refused_before_the_first_item(part):
    learner = Pipeline(OwnTransformer(**{part: None}), "nb")
    sentence = (
        "OwnTransformer: bind must return an object with schema, fills_missing, transform, learn, "
        f"fresh, got a SimpleNamespace without {part}"
    )
    with pytest.raises(ParameterError) as caught:
        sg.run("sea(items=10)", learner)
    assert str(caught.value) == sentence


@pytest.mark.parametrize("protocol", ["prequential", "chunks(size=3)"])
@pytest.mark.parametrize(
    ("transform", "sentence"),
    [
        (lambda rows: rows[:, :1], "must return the shape ({n}, 3), one row per row"),
        (lambda rows: rows[0], "must return the shape ({n}, 3), one row per row"),
        (lambda rows: "text", "transform must return numbers, got str"),
    ],
)
def test_wrong_rows_of_an_own_transformer_are_one_sentence(transform, sentence, protocol):
    with pytest.raises(LearnerError) as caught:
        sg.run("sea(items=9)", Pipeline(OwnTransformer(transform=transform), "nb"), protocol)
    n = 1 if protocol == "prequential" else 3
    assert sentence.format(n=n) in str(caught.value)
    assert "item 0" in str(caught.value)


def test_a_failing_bind_of_an_own_transformer_is_one_sentence():
    class Fails:
        def bind(self, schema):
            raise KeyError("colour")

    with pytest.raises(ParameterError, match=r"Fails: bind\(schema\) failed: KeyError: 'colour'"):
        sg.run("sea(items=9)", Pipeline(Fails(), "nb"))


def test_a_selection_of_encoded_columns_is_refused_and_not_lost():
    learner = "pipeline([one_hot_encoder], selecting(ofs(n_features=2), perceptron))"
    with pytest.raises(ParameterError) as caught:
        sg.run("agrawal(items=100)", learner)
    assert "Pipeline: transformers must keep the columns around a learner that selects" in str(
        caught.value
    )
    turned = "selecting(ofs(n_features=2), pipeline([one_hot_encoder], perceptron))"
    assert len(sg.run("agrawal(items=100)", turned).selections())
    kept = "pipeline([standard_scaler], selecting(ofs(n_features=2), perceptron))"
    assert len(sg.run("sea(items=100)", kept).selections())
