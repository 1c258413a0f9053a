"""Scores that are no shares are refused with the item, for every kind of learner."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

import streamgauge as sg
from streamgauge.errors import DataError, LearnerError, LogError
from streamgauge.log import from_columns
from streamgauge.streams import delay, from_arrays
from streamgauge.types import Schema
from streamgauge.types.scores import impossible_score

STREAM = from_arrays(np.arange(40.0)[:, None], np.arange(40) % 2)
WRONG = [[2.0, 3.0], [-0.1, 1.1], [np.nan, 1.0], [0.0, np.inf], [0.5, 1.1]]
RIGHT = [[0.5, 0.5], [1.0, 0.0], [0.9, 0.8], [0.0, 0.0], [1 + 1e-9, 0.0], [np.nan, np.nan], None]


class Model:
    """A model whose scores of the item with x = 25 are given."""

    def __init__(self, scores):
        self.given = scores

    def predict(self, x):
        return 0

    def learn(self, x, y):
        pass

    def scores(self, x):
        return self.given if x[0] == 25 else [0.25, 0.75]


class ManyModel(Model):
    """The same, with many predictions in one call."""

    def predict_many(self, rows):
        return np.zeros(len(rows), int)


class Estimator(GaussianNB):
    """An estimator of scikit-learn whose probabilities are wrong."""

    def predict(self, rows):
        return np.zeros(len(rows), int)

    def predict_proba(self, rows):
        return np.where(rows[:, :1] == 25, [[2.0, 3.0]], [[0.25, 0.75]])


STREAMS = {"at once": STREAM, "late": delay(STREAM, 3)}
PROTOCOLS = ["prequential", "chunks(size=7)", "delayed", "reevaluating(every=2)"]


@pytest.mark.parametrize("scores", WRONG, ids=str)
@pytest.mark.parametrize("kind", [Model, ManyModel])
def test_impossible_scores_are_refused_with_the_item(kind, scores):
    with pytest.raises(
        LearnerError, match=r"failed at item 25 .*scores must be from 0 to 1"
    ) as raised:
        sg.run(STREAM, kind(scores), scores=True)
    assert sum(len(rows) for rows in raised.value.log.predictions()) == 25


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("kind", [Model, ManyModel])
def test_impossible_scores_are_refused_in_every_protocol(kind, protocol):
    stream = STREAM if protocol.startswith(("preq", "chunks")) else STREAMS["late"]
    with pytest.raises(LearnerError, match=r"failed at item 25 .*scores must be from 0 to 1"):
        sg.run(stream, kind([2.0, 3.0]), protocol, scores=True)


@pytest.mark.parametrize("protocol", ["prequential", "chunks(size=7)"])
def test_impossible_probabilities_of_an_estimator_are_refused(protocol):
    with pytest.raises(LearnerError, match=r"failed at item 25 .*scores must be from 0 to 1"):
        sg.run(STREAM, Estimator(), protocol, scores=True)


@pytest.mark.parametrize("scores", RIGHT, ids=str)
@pytest.mark.parametrize("kind", [Model, ManyModel])
def test_possible_scores_are_recorded_unchanged(kind, scores):
    log = sg.run(STREAM, kind(scores), scores=True)
    made = np.concatenate([rows.scores for rows in log.predictions()])
    np.testing.assert_array_equal(made[25], [np.nan, np.nan] if scores is None else scores)


def test_impossible_scores_of_other_tools_are_refused(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("y,p,a,b\n0,0,0.5,0.5\n1,1,,\n0,0,2,3\n")
    with pytest.raises(DataError, match=r"t\.csv: row 3, scores must be from 0 to 1.* got 2"):
        sg.read_predictions(path, "y", "p", scores=["a", "b"])
    codes = np.zeros(2, np.int32)
    with pytest.raises(LogError, match=r"row 1, scores must be from 0 to 1.* got -1"):
        from_columns(Schema((), classes=("a", "b")), codes, codes, np.array([[0.5, 0.5], [-1, 2]]))


def test_the_check_finds_what_a_slow_check_finds():
    draw = np.random.default_rng(0)
    for _ in range(300):
        scores = draw.choice([0.0, 0.5, 1.0, 1.1, -0.1, np.nan, np.inf], (draw.integers(0, 4), 2))
        wrong = [
            row
            for row, cells in enumerate(scores.tolist())
            if not all(0 <= cell <= 1 for cell in cells) and not all(c != c for c in cells)
        ]
        found = impossible_score(scores)
        assert (None if found is None else found[0]) == (wrong[0] if wrong else None)
