"""CapyMOA learners give what CapyMOA gives, but are never shown a label too early."""

from __future__ import annotations

import pickle
from functools import partial

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.adapters import adapt
from streamgauge.errors import LearnerError, ParameterError
from streamgauge.log.about import name_of
from streamgauge.testing import check_learner
from streamgauge.types import NONE, Feature, Schema

pytestmark = pytest.mark.capymoa

MIXED = (Feature("a"), Feature("b"), Feature("colour", ("red", "green", "blue")))


@pytest.fixture(scope="module")
def capymoa():
    return pytest.importorskip("capymoa.classifier")


@pytest.fixture(scope="module")
def regressor(capymoa):
    return pytest.importorskip("capymoa.regressor")


def schema(classes=("no", "yes")):
    return Schema(MIXED, classes=classes)


def items(count, classes=2, seed=1):
    rng = np.random.default_rng(seed)
    rows = np.column_stack([rng.normal(size=(count, 2)), rng.integers(3, size=count)])
    raw = rows[:, 0] + (rows[:, 2] - 1)
    edges = np.quantile(raw, np.linspace(0, 1, classes + 1)[1:-1])
    return rows, np.digitize(raw, edges).astype(np.int32), raw


def by_hand(model, moa_schema, rows, labels, classes):
    """The loop anybody would write around CapyMOA, with instances made from arrays."""
    from capymoa.core import LabeledInstance, RegressionInstance  # noqa: PLC0415 (starts a JVM)

    kind = RegressionInstance if classes is None else LabeledInstance
    made = []
    for row, label in zip(rows, labels, strict=True):
        item = kind.from_array(moa_schema, row, label)
        made.append(model.predict(item))
        model.train(item)
    return made


def test_a_classifier_predicts_as_in_a_loop_by_hand(capymoa):
    rows, labels, _ = items(600)
    for kind in (capymoa.NaiveBayes, partial(capymoa.HoeffdingTree, grace_period=50)):
        learner = adapt(kind, schema())
        made = learner.test_then_train(0, rows, labels, None)
        twin = learner.fresh(0).model
        expected = by_hand(twin, twin.schema, rows, labels, 2)
        assert made.tolist() == [NONE if s is None else s for s in expected]
        assert (made == labels).mean() > 0.8


def test_a_regressor_predicts_as_in_a_loop_by_hand_and_abstains_without_votes(regressor):
    rows, _, labels = items(300)
    learner = adapt(partial(regressor.FIMTDD, random_seed=1), schema(None))
    made = learner.test_then_train(0, rows, labels, None)
    twin = learner.fresh(0).model
    expected = np.array(by_hand(twin, twin.schema, rows, labels, None), dtype=float)
    given = ~np.isnan(made)
    np.testing.assert_array_equal(made[given], expected[given])
    assert (expected[~given] == 0).all()
    assert given.mean() > 0.9


def test_nominal_values_and_classes_reach_moa(capymoa):
    learner = adapt(capymoa.NaiveBayes, schema())
    moa = learner.model.schema
    assert moa.get_nominal_attributes() == {"colour": ["red", "green", "blue"]}
    assert moa.get_label_values() == ["no", "yes"]
    twice = Schema((Feature("a", ("1", 1)), Feature("y")), "y", classes=(1, 2))
    moa = adapt(capymoa.NaiveBayes, twice).model.schema
    assert moa.get_nominal_attributes() == {"0:a": ["0:1", "1:1"]}


def test_the_label_is_missing_in_a_prediction(capymoa):
    from capymoa.base import Classifier  # noqa: PLC0415 (starts a JVM)

    class Spy(Classifier):
        seen = ()

        def train(self, instance):
            self.seen += (("learn", instance.y_index),)

        def predict_proba(self, instance):
            data = instance.java_instance.getData()
            self.seen += (("predict", bool(data.classIsMissing())),)

    learner = adapt(Spy, schema())
    rows, _, _ = items(2)
    learner.test_then_train(0, rows, np.array([1, NONE], dtype=np.int32), None)
    assert learner.model.seen == (("predict", True), ("learn", 1), ("predict", True))
    with pytest.raises(LearnerError, match="weight must be 1 for a learner outside MOA"):
        learner.learn(rows[:1], np.array([1], dtype=np.int32), np.array([2.0]))


def test_scores_are_shares_of_the_votes(capymoa):
    rows, labels, _ = items(200, 3)
    what = schema(("x", "y", "z"))
    scores = np.empty((200, 3))
    learner = adapt(capymoa.NaiveBayes, what)
    made = learner.test_then_train(0, rows, labels, None, scores)
    plain = adapt(capymoa.NaiveBayes, what).test_then_train(0, rows, labels, None)
    np.testing.assert_array_equal(made, plain)
    given = ~np.isnan(scores[:, 0])
    np.testing.assert_allclose(scores[given].sum(axis=1), 1)
    assert (made[~given] == NONE).all()


def test_weights_reach_moa(capymoa):
    rows = np.zeros((2, 3))
    labels = np.array([0, 1], dtype=np.int32)
    learner = adapt(capymoa.MajorityClass, schema())
    learner.learn(rows, labels, np.array([1.0, 5.0]))
    np.testing.assert_allclose(learner.scores(rows[:1]), [[1 / 6, 5 / 6]])


def test_an_object_is_made_again_with_its_parameters_and_seed(capymoa):
    made_for_another = adapt(capymoa.NaiveBayes, Schema((Feature("z"),), classes=(0, 1)))
    model = capymoa.HoeffdingTree(made_for_another.model.schema, grace_period=77, random_seed=9)
    learner = adapt(model, schema()).fresh(5)
    assert learner.model.get_params()["grace_period"] == 77
    assert learner.model.random_seed == 9
    assert learner.model.schema.get_num_attributes() == 3
    assert learner.notes == ()


def test_a_seed_is_set_only_where_none_was_given_and_reported(capymoa):
    learner = adapt(capymoa.HoeffdingTree, schema()).fresh(2**31 + 4)
    assert learner.model.random_seed == 4
    assert learner.about["learner_notes"] == "HoeffdingTree had no random_seed: it was given 4"
    kept = adapt(partial(capymoa.HoeffdingTree, random_seed=3), schema()).fresh(4)
    assert kept.model.random_seed == 3
    assert kept.notes == ()


@pytest.mark.parametrize("classes", [("no", "yes"), ("x", "y", "z")])
def test_classifiers_keep_the_contract(capymoa, classes):
    for kind in (capymoa.NaiveBayes, partial(capymoa.HoeffdingTree, grace_period=20)):
        check_learner(lambda kind=kind: adapt(kind, schema(classes)), schema(classes), count=60)


def test_regressors_keep_the_contract(regressor):
    check_learner(lambda: adapt(regressor.FIMTDD, schema(None)), schema(None), count=60)


def test_a_java_learner_states_that_it_cannot_be_pickled(capymoa):
    with pytest.raises(TypeError, match="NaiveBayes: is a Java object"):
        pickle.dumps(adapt(capymoa.NaiveBayes, schema()))


def test_a_learner_for_another_task_is_refused(capymoa, regressor):
    with pytest.raises(ParameterError, match="NaiveBayes: must be a CapyMOA regressor"):
        adapt(capymoa.NaiveBayes, schema(None))
    with pytest.raises(ParameterError, match="FIMTDD: must be a CapyMOA classifier"):
        adapt(regressor.FIMTDD, schema())
    with pytest.raises(ParameterError, match="parameters must be named and not the schema"):
        adapt(partial(capymoa.NaiveBayes, "schema"), schema())


def test_its_name_is_its_class_and_parameters(capymoa):
    assert name_of(capymoa.NaiveBayes) == "capymoa:NaiveBayes"
    given = partial(capymoa.HoeffdingTree, grace_period=50)
    assert name_of(given) == "capymoa:HoeffdingTree(grace_period=50)"


def test_vitals_are_what_moa_tells_and_change_nothing(capymoa):
    kind = partial(capymoa.HoeffdingTree, grace_period=50, confidence=0.1)
    without, log = (sg.run("sea(items=600)", kind, vitals_every=n) for n in (0, 200))
    made = [np.concatenate([p.prediction for p in one.predictions()]) for one in (without, log)]
    assert made[0].tolist() == made[1].tolist()
    items, leaves = log.vitals().series("leaves")
    assert items.tolist() == [199, 399, 599]
    assert leaves[-1] > 1
    assert "nodes" in log.vitals().names
    assert "predict_seconds_per_item" not in log.resources  # a Java object has no copy
    forest = sg.run("sea(items=300)", partial(capymoa.OzaBag, ensemble_size=3), vitals_every=300)
    assert forest.vitals().series("n_models")[1].tolist() == [3.0]
