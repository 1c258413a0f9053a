"""The objective for Optuna: exact intermediate values, pruning, and the items that are left."""

from __future__ import annotations

import math

import numpy as np
import optuna
import pytest

import streamgauge as sg
from streamgauge.errors import MissingExtraError, ParameterError
from streamgauge.integrations import Objective
from streamgauge.integrations import optuna as module

optuna.logging.set_verbosity(optuna.logging.WARNING)

DELAYED = "delay(sea(items=700), 30)"


def neighbours(trial: optuna.Trial) -> object:
    return sg.learners.NearestNeighbours(k=trial.suggest_int("k", 1, 30))


class Never(optuna.pruners.BasePruner):
    def prune(self, study: optuna.Study, trial: optuna.trial.FrozenTrial) -> bool:
        return False


class After(optuna.pruners.BasePruner):
    """Prunes at the first report at or after a number of items."""

    def __init__(self, items: int) -> None:
        self.items = items

    def prune(self, study: optuna.Study, trial: optuna.trial.FrozenTrial) -> bool:
        return trial.last_step is not None and trial.last_step >= self.items


def study(objective: Objective, pruner: optuna.pruners.BasePruner, trials: int) -> optuna.Study:
    made = optuna.create_study(
        direction=objective.direction,
        sampler=optuna.samplers.RandomSampler(seed=3),
        pruner=pruner,
    )
    made.optimize(objective, n_trials=trials)
    return made


@pytest.mark.parametrize(
    ("source", "protocol", "measure", "window"),
    [
        ("sea(items=700)", None, None, "whole"),
        ("sea(items=700)", "prequential(pretrain=20)", "kappa_plus", "sliding(60)"),
        ("sea(items=700)", "chunks(size=50)", "auc", "sliding(60)"),
        (DELAYED, "delayed", "accuracy", "fading(0.99)"),
        (DELAYED, "reevaluating(every=5)", "kappa_temporal", "whole"),
        ("friedman(items=700)", None, None, "tumbling(100)"),
    ],
)
def test_an_intermediate_value_is_the_measure_of_a_shorter_run(source, protocol, measure, window):
    def learner(trial: optuna.Trial) -> object:
        nearest = "knn_regression" if source.startswith("friedman") else "knn"
        return f"{nearest}(k={trial.suggest_int('k', 1, 30)})"

    objective = Objective(
        source, learner, measure, window, prefix=430, every=100, protocol=protocol, seed=5
    )
    (trial,) = study(objective, Never(), 1).trials
    assert [*trial.intermediate_values] == [100, 200, 300, 400]
    made = sg.run(
        sg.streams.take(module._Seeded(objective.stream, objective._stream_seed), 430),
        objective.learner(trial),
        protocol,
        seed=5,
        scores=measure == "auc",
    )
    assert trial.value == sg.measure(made, objective.measure, window).final
    for done, value in trial.intermediate_values.items():
        assert value == prefix_value(made, done, objective)


def prefix_value(made: sg.log.Log, done: int, objective: Objective) -> float:
    """The measure of what the log of the whole run has of the first items, row by row."""
    schema = made.schema
    late = isinstance(objective.protocol, sg.protocols.Delayed | sg.protocols.Reevaluating)
    rows = [
        (int(item), label, prediction, None if p.scores is None else p.scores[i])
        for p in made.labelled_predictions()
        for i, (item, label, prediction) in enumerate(
            zip(p.items, p.label, p.prediction, strict=True)
        )
    ]
    # A label that is 30 items late is known when the item 30 later has arrived.
    rows = [row for row in rows if row[0] < (done - 30 if late else done)]
    kind = np.float64 if schema.classes is None else np.int32
    log = sg.log.from_columns(
        schema,
        np.array([row[1] for row in rows], kind),
        np.array([row[2] for row in rows], kind),
        None if rows[0][3] is None else np.array([row[3] for row in rows]),
    )
    return sg.measure(log, objective.measure, objective.window).final


def test_a_pruned_trial_stops_in_mid_stream():
    learned = []

    class Counting:
        """A learner that counts the items it learns."""

        def predict(self, x):
            return 0

        def learn(self, x, label):
            learned.append(label)

    objective = Objective("sea(items=50_000)", lambda _: Counting(), prefix=40_000, every=500)
    (trial,) = study(objective, After(1000), 1).trials
    assert trial.state == optuna.trial.TrialState.PRUNED
    assert [*trial.intermediate_values] == [500, 1000]
    assert len(learned) == 1000


def test_a_study_is_repeatable():
    first, second = (
        study(Objective("sea(items=900)", neighbours, prefix=400, every=50, seed=seed), Never(), 4)
        for seed in (1, 1)
    )
    assert [t.params for t in first.trials] == [t.params for t in second.trials]
    assert [t.intermediate_values for t in first.trials] == [
        t.intermediate_values for t in second.trials
    ]
    other = study(Objective("sea(items=900)", neighbours, prefix=400, seed=2), Never(), 4)
    assert [t.value for t in other.trials] != [t.value for t in first.trials]


@pytest.mark.parametrize("source", ["sea(items=900)", "hyperplane(items=900)", DELAYED])
def test_trials_and_rest_are_the_whole_stream(source):
    """The items of a trial, then those of `rest`, are those of a run on the stream itself."""
    seen: list[np.ndarray] = []
    objective = Objective(source, lambda _: "nb", prefix=400, every=70, seed=4)
    whole = labels(sg.run(objective.stream, "nb", "prequential(ignore_delays=True)", seed=4))
    rest = sg.run(objective.rest, "nb", "prequential(ignore_delays=True)", seed=99)
    start = sg.streams.take(module._Seeded(objective.stream, objective._stream_seed, 70), 400)
    for batch in start.batches():
        assert batch.first // 70 == (batch.first + len(batch) - 1) // 70
        seen.append(batch.label)
    assert [*np.concatenate(seen), *labels(rest)] == [*whole]
    assert rest.about["stream"] == f"skip({objective.stream.name}, 400)"


def labels(log: sg.log.Log) -> np.ndarray:
    return np.concatenate([rows.label for rows in log.labelled_predictions()])


def test_the_direction_is_that_of_the_measure():
    def direction(source: str, measure: str | None) -> str:
        return Objective(source, neighbours, measure, prefix=10).direction

    assert direction("sea(items=20)", None) == "maximize"
    assert direction("sea(items=20)", "error") == "minimize"
    assert direction("sea(items=20)", "log_loss") == "minimize"
    assert direction("friedman(items=20)", None) == "minimize"
    assert direction("friedman(items=20)", "r2") == "maximize"


def test_an_undefined_value_is_not_reported():
    """The persistent learner has no kappa-temporal on labels of one class."""
    stream = sg.streams.from_arrays(np.zeros((90, 1)), np.array(["a", "b"] * 5 + ["a"] * 80))
    objective = Objective(
        stream, lambda _: "nb", "kappa", "tumbling(20)", prefix=80, every=20, seed=0
    )
    made = optuna.create_study()
    trial = made.ask()
    assert math.isnan(objective(trial))
    steps = made.trials[0].intermediate_values
    assert [*steps] == [20]


def test_the_learner_is_an_attribute_of_the_trial():
    (trial,) = study(Objective("sea(items=90)", neighbours, prefix=50), Never(), 1).trials
    assert trial.user_attrs == {"learner": f"nearest_neighbours(k={trial.params['k']})"}
    assert not trial.intermediate_values
    text = "river:naive_bayes.GaussianNB()"
    (trial,) = study(Objective("sea(items=90)", lambda _: text, prefix=50), Never(), 1).trials
    assert trial.user_attrs == {"learner": text}


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"prefix": 0}, "Objective: prefix must be at least 1, got 0"),
        ({"every": 0}, "Objective: every must be at least 1, got 0"),
        ({"seed": -1}, "Objective: seed must be at least 0, got -1"),
        (
            {"prefix": 50},
            "Objective: prefix must be less than the 50 items of the stream, so that some are "
            "left, got 50",
        ),
        ({"learner": "nb"}, "Objective: learner must be a function of a trial, got 'nb'"),
        ({"measure": "p_maj"}, "Objective: measure must be one that judges a learner, got 'p_maj'"),
        ({"measure": "mae"}, "mae: log must be of regression, got one of classification"),
        ({"stream": 3}, "Objective: stream must be a stream or its name, got 3"),
    ],
)
def test_mistakes_are_found_at_construction(given, sentence):
    usual = {"stream": "sea(items=50)", "learner": neighbours, "prefix": 20}
    with pytest.raises(ParameterError) as raised:
        Objective(**{**usual, **given})
    assert str(raised.value) == sentence


def test_without_optuna(monkeypatch):
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match="optuna is not installed; pip install"):
        Objective("sea(items=50)", neighbours, prefix=20)
