"""River models on columns of text: those that take only numbers are refused."""

from __future__ import annotations

import numpy as np
import pytest
from river import (
    base,
    compose,
    dummy,
    ensemble,
    forest,
    linear_model,
    multiclass,
    naive_bayes,
    neighbors,
    preprocessing,
    tree,
)

import streamgauge as sg
from streamgauge.adapters import adapt
from streamgauge.cli import main
from streamgauge.errors import LearnerError, ParameterError
from streamgauge.names import make
from streamgauge.types import Feature, Schema

COLOURS, SIZES = ("red", "green", "blue"), (1, 2, 3)
MIXED = Schema(
    (Feature("a"), Feature("colour", COLOURS), Feature("shape", ("o", "x"))), classes=("n", "y")
)
TEXT = Schema(MIXED.features[1:], classes=("n", "y"))
REAL = Schema(MIXED.features)
ADVICE = (
    "compose.SelectType(float) + (compose.SelectType(str) | preprocessing.OneHotEncoder()) | model"
)

NUMBERS_ONLY = {
    "GaussianNB": lambda: naive_bayes.GaussianNB(),
    "LogisticRegression": lambda: linear_model.LogisticRegression(),
    "a scaler": lambda: preprocessing.StandardScaler() | linear_model.LogisticRegression(),
    "KNN": lambda: neighbors.KNNClassifier(),
    "one against the rest": lambda: multiclass.OneVsRestClassifier(
        linear_model.LogisticRegression()
    ),
    "a bag": lambda: ensemble.BaggingClassifier(linear_model.LogisticRegression(), n_models=2),
}
TAKES_TEXT = {
    "a tree": lambda: tree.HoeffdingTreeClassifier(grace_period=20),
    "a tree with nominal_attributes": lambda: tree.HoeffdingTreeClassifier(
        nominal_attributes=["colour"]
    ),
    "a forest": lambda: forest.ARFClassifier(n_models=2),
    "an encoder": lambda: preprocessing.OneHotEncoder() | naive_bayes.BernoulliNB(),
    "a baseline": lambda: dummy.PriorClassifier(),
    "a model that drops it": lambda: compose.SelectType(float) | naive_bayes.GaussianNB(),
}


def a_stream(count=120, schema=MIXED):
    rng = np.random.default_rng(0)
    nominal = {f.name: f.values for f in schema.features if f.values}
    columns = [
        rng.normal(size=count) if f.values is None else rng.integers(len(f.values), size=count)
        for f in schema.features
    ]
    x = np.column_stack(columns).astype(float)
    y = (x[:, -1] > 0).astype(int) if schema.classes else x[:, 0]
    names = [f.name for f in schema.features]
    return sg.streams.from_arrays(x, y, names=names, nominal=nominal)


@pytest.mark.parametrize("name", NUMBERS_ONLY)
def test_a_model_of_numbers_is_refused_before_the_first_item(name):
    with pytest.raises(ParameterError) as raised:
        adapt(NUMBERS_ONLY[name](), MIXED)
    made = str(raised.value)
    got = "every feature must be a number for this model, got text in 'colour', 'shape'"
    assert made.endswith(f": {got}; give {ADVICE}")


def test_a_regressor_of_numbers_is_refused_too():
    with pytest.raises(ParameterError, match="every feature must be a number"):
        adapt(linear_model.LinearRegression(), REAL)
    adapt(tree.HoeffdingTreeRegressor(leaf_prediction="mean"), REAL)


@pytest.mark.parametrize("name", TAKES_TEXT)
def test_a_model_that_takes_text_is_accepted(name):
    log = sg.run(a_stream(), TAKES_TEXT[name]())
    assert log.complete


@pytest.mark.parametrize("name", NUMBERS_ONLY)
def test_the_advice_can_be_followed(name):
    model = NUMBERS_ONLY[name]()
    names = {k: v for k, v in globals().items() if k in ("compose", "preprocessing")}
    log = sg.run(a_stream(), eval(ADVICE, {**names, "model": model}))
    assert log.complete


def test_with_text_alone_the_advice_is_shorter():
    with pytest.raises(ParameterError, match=r"give preprocessing.OneHotEncoder\(\) \| model$"):
        adapt(naive_bayes.GaussianNB(), TEXT)


def test_nominal_numbers_are_kept_by_the_advice():
    schema = Schema((*MIXED.features, Feature("size", SIZES)), classes=("n", "y"))
    with pytest.raises(ParameterError, match=r"compose\.SelectType\(float, int\) \+ "):
        adapt(naive_bayes.GaussianNB(), schema)
    adapt(naive_bayes.GaussianNB(), Schema((Feature("a"), Feature("size", SIZES)), classes=(0, 1)))


class Fails(base.Classifier):
    """A model of one's own, which is not tried out before it is run."""

    shown = 0

    @property
    def _multiclass(self):
        return True

    def learn_one(self, x, y):
        type(self).shown += 1
        sum(x.values())

    def predict_one(self, x):
        return None


def test_a_users_own_model_gets_the_advice_where_it_fails():
    Fails.shown = 0
    adapt(Fails(), MIXED)
    assert Fails.shown == 0
    with pytest.raises(LearnerError) as raised:
        sg.run(a_stream(), Fails())
    made = str(raised.value)
    assert "learn_one failed at item 0 (fold 0): TypeError: unsupported operand" in made
    assert made.endswith(
        f"; if it takes numbers only, not text in 'colour', 'shape', give {ADVICE}"
    )


def test_an_error_about_something_else_is_not_explained_by_text():
    class Breaks(Fails):
        def learn_one(self, x, y):
            raise RuntimeError("no")

    with pytest.raises(LearnerError, match=r"RuntimeError: no$"):
        sg.run(a_stream(), Breaks())


def test_the_command_line_prints_the_advice_and_accepts_it(tmp_path, capsys):
    path = tmp_path / "a.csv"
    rows = [f"{i / 7},{COLOURS[i % 3]},{'ny'[i % 2]}" for i in range(60)]
    path.write_text("\n".join(["a,colour,label", *rows, ""]))
    with pytest.raises(SystemExit) as stopped:
        main(["evaluate", str(path), "-l", "river:naive_bayes.GaussianNB()", "-q"])
    assert stopped.value.code == 2
    made = capsys.readouterr().err
    assert "got text in 'colour'; give " in made
    advice = made.rpartition("give ")[2].strip().replace("model", "naive_bayes.GaussianNB()")
    main(["evaluate", str(path), "-l", f"river:{advice}", "-q"])


def test_names_join_steps_as_river_does():
    model = make("learner", f"river:{ADVICE}".replace("model", "naive_bayes.GaussianNB()"))
    assert [type(step).__name__ for step in model.steps.values()] == [
        "TransformerUnion",
        "GaussianNB",
    ]
