"""Facts and sizes of models of other libraries, against what the libraries tell."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from river import ensemble, forest, linear_model, preprocessing, tree
from sklearn.linear_model import SGDClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neural_network import MLPClassifier

import streamgauge as sg
from streamgauge.adapters import bind
from streamgauge.adapters._facts import moa_facts
from streamgauge.adapters._object_bytes import object_bytes

STREAM = sg.streams.SEA(items=400)
(ITEMS,) = STREAM.batches(400)


def trained(model):
    learner = bind(model, STREAM.schema)
    learner.test_then_train(0, ITEMS.x, ITEMS.label, None)
    return learner


def test_a_tree_of_river_tells_its_nodes():
    learner = trained(tree.HoeffdingTreeClassifier(grace_period=20, delta=0.9, tau=0.9))
    stated = learner.model.summary
    facts = learner.vitals()
    assert facts["nodes"] == stated["n_nodes"] > 1
    assert facts["leaves"] == stated["n_leaves"]
    assert facts["splits"] == stated["n_branches"]
    assert facts["depth"] == stated["height"] - 1
    assert facts["nodes"] == facts["leaves"] + facts["splits"]


def test_a_forest_adds_its_trees_up():
    learner = trained(forest.ARFClassifier(n_models=2, grace_period=20, delta=0.9))
    facts = learner.vitals()
    trees = [getattr(one, "model", one) for one in learner.model.data]
    assert facts["n_models"] == 2
    assert facts["nodes"] == sum(one.n_nodes for one in trees)
    assert facts["depth"] == max(one.height for one in trees) - 1
    assert facts["drifts"] == learner.model.n_drifts_detected()


def test_linear_models_tell_the_parameters_that_are_not_zero():
    scaled = preprocessing.StandardScaler() | linear_model.LogisticRegression(intercept_lr=0.0)
    facts = trained(scaled).vitals()
    assert facts == {"parameters": 4.0, "nonzero_parameters": 3.0}
    bagged = trained(ensemble.BaggingClassifier(linear_model.LogisticRegression(), 3)).vitals()
    assert (bagged["n_models"], bagged["parameters"]) == (3.0, 12.0)
    sparse = trained(SGDClassifier(penalty="l1", alpha=10.0)).vitals()
    assert sparse["nonzero_parameters"] < sparse["parameters"] == 4.0


@pytest.mark.filterwarnings("ignore")
def test_other_estimators_of_scikit_learn_tell_their_arrays():
    assert trained(GaussianNB()).vitals()["parameters"] == 2 * 3 * 2 + 2
    network = trained(MLPClassifier((5,))).vitals()
    assert network["parameters"] == 3 * 5 + 5 + 5 * 1 + 1
    assert bind(SGDClassifier(), STREAM.schema).vitals() == {}


def test_native_linear_learners_tell_the_parameters_that_are_not_zero():
    learner = bind(sg.learners.Perceptron(), STREAM.schema)
    assert learner.vitals() == {"parameters": 4.0, "nonzero_parameters": 0.0}
    learner.test_then_train(0, ITEMS.x, ITEMS.label, None)
    assert learner.vitals() == {"parameters": 4.0, "nonzero_parameters": 4.0}


def test_means_over_members_of_moa_become_sums():
    stated = {"ensemble size": 3.0, "[avg] tree size (leaves)": 2.0, "[avg] tree depth": 1.5}
    assert moa_facts(stated) == {"n_models": 3.0, "leaves": 6.0, "depth": 1.5}


def test_an_array_is_counted_once():
    """river 0.26 counts its buffer twice: 1,600,224 bytes."""
    array = np.zeros(100_000)

    class Model:
        def __init__(self):
            self.first, self.second, self.part = array, array, array[10:20]

    assert 800_000 < object_bytes(Model()) < 801_000
    assert object_bytes([array]) - object_bytes([]) == array.nbytes + 112 + 8


def test_the_size_grows_with_what_a_model_holds():
    class Slots:
        __slots__ = ("__private", "public")

        def __init__(self, size):
            self.public, self.__private = list(range(size)), {"a": [0.0] * size}

    sizes = [object_bytes(Slots(size)) for size in (0, 100, 200)]
    assert sizes[2] - sizes[1] == pytest.approx(sizes[1] - sizes[0], rel=0.1)
    assert sizes[1] - sizes[0] > 100 * (8 + 28 + 8 + 24) * 0.9
    own: list = []
    own.append(own)
    assert object_bytes(own) == object_bytes([None])


def test_an_object_of_compiled_code_counts_as_its_pickle():
    generator = np.random.RandomState(1)
    assert object_bytes(generator) >= 2_500
    assert object_bytes([generator, generator]) == object_bytes([generator]) + 8
    assert object_bytes(iter([])) < 1000


@pytest.mark.parametrize(
    "model",
    [
        tree.HoeffdingTreeClassifier(grace_period=20, delta=0.9),
        forest.ARFClassifier(n_models=2),
        linear_model.LogisticRegression(),
    ],
    ids=repr,
)
def test_a_model_that_was_saved_has_the_same_size(model):
    learner = trained(model)
    assert pickle.loads(pickle.dumps(learner)).memory() == learner.memory()
