"""A declared class with neither labels nor predictions, in scikit-learn's variant of averages."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.metrics

import streamgauge as sg
from streamgauge.log import from_columns
from streamgauge.types import Feature, Schema

REFERENCES = {
    "f1": sklearn.metrics.f1_score,
    "precision": sklearn.metrics.precision_score,
    "recall": sklearn.metrics.recall_score,
}


@pytest.mark.parametrize("name", REFERENCES)
@pytest.mark.parametrize("classes", [3, 5])
def test_a_class_that_never_occurs_is_left_out_of_the_average(name, classes):
    label = np.array([0, 1, 1, 0, 2, 2, 1], np.int32)
    prediction = np.array([0, 1, 0, 0, 2, 1, 1], np.int32)
    log = from_columns(Schema((Feature("x"),), classes=tuple(range(classes))), label, prediction)
    found = sg.measure(log, f"{name}(average='macro', variant='sklearn')").final
    assert found == pytest.approx(REFERENCES[name](label, prediction, average="macro"))
