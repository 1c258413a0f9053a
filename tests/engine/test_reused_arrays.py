"""A model may return the same array from every call."""

from __future__ import annotations

import numpy as np
import pytest

import streamgauge as sg


class Counts:
    """Predicts how many items it has learned; in new arrays, or always in the same one."""

    def __init__(self, reuse: bool) -> None:
        self.reuse, self.learned, self.made = reuse, 0, np.empty(5000)

    def predict(self, x):
        return float(self.learned)

    def learn(self, x, y):
        self.learned += 1

    def predict_many(self, rows):
        made = self.made[: len(rows)] if self.reuse else np.empty(len(rows))
        made[:] = self.learned
        return made

    def learn_many(self, rows, labels):
        self.learned += len(rows)


@pytest.mark.parametrize("protocol", ["chunks(10)", "delayed", "reevaluating(every=3)"])
def test_predictions_are_those_of_a_model_with_new_arrays(protocol):
    stream = sg.streams.delay(sg.streams.Friedman(items=60), 7 if protocol != "chunks(10)" else 0)
    columns = []
    for reuse in (False, True):
        log = sg.run(stream, Counts(reuse), protocol, name="counts")
        columns.append(np.concatenate([rows.prediction for rows in log.predictions()]))
    np.testing.assert_array_equal(*columns)
    assert len(np.unique(columns[0])) > 5
