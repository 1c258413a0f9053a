"""Learners of numbers keep the predictions of MOA: constants, so that no Java is needed."""

from __future__ import annotations

import numpy as np
import pytest

from streamgauge import learners
from streamgauge.types import Feature, Schema

GROWTH = {
    "grace_period": 50,
    "delta": 0.01,
    "tau": 0.15,
    "page_hinkley_threshold": 3.0,
    "alternate_tree_t_min": 20,
    "alternate_tree_time": 60,
}
TREE = {**GROWTH, "as_moa": True}
OPTIONS = {**TREE, "max_trees": 6, "option_decay_factor": 1.0, "option_fading_factor": 0.99}
LEARNERS = {
    "FIMTDD": learners.FIMTDD(**TREE),
    "FIMTDD of means": learners.FIMTDD(**TREE, leaf_prediction="mean"),
    "ORTO": learners.ORTO(**OPTIONS),
    "ORTO of means": learners.ORTO(**OPTIONS, leaf_prediction="mean"),
    "ORTO, the best option": learners.ORTO(
        **OPTIONS, leaf_prediction="mean", aggregation_method="best"
    ),
    "forest": learners.AdaptiveRandomForestRegression(
        **TREE, n_models=3, max_features=0.75, drift_delta=0.1, warning_delta=0.2
    ),
    "neighbours": learners.NearestNeighboursRegression(5, 60),
}
ITEMS = [2, 300, 599, 840, 1199]
MOAS = {
    "FIMTDD": ([3.138059, 9.022565, 21.899539, 12.281614, 16.219935], 3.210263),
    "FIMTDD of means": ([1.356139, 6.231403, 15.521769, 11.534038, 13.181825], 1.763677),
    "ORTO": ([3.138059, -0.019773, 16.755607, -1.436273, 14.140973], 5.799884),
    "ORTO of means": ([1.356139, 6.231403, 13.348914, 12.950891, 15.221563], 1.922789),
    "ORTO, the best option": ([1.356139, 6.231403, 13.985987, 11.55229, 14.199642], 1.85854),
    "forest": ([1.213075, 3.284534, 14.672616, 8.451481, 13.77044], 2.276573),
    "neighbours": ([1.356139, 7.367627, 15.617178, 11.870463, 14.468664], 1.541032),
}
"""Five predictions and the mean absolute error from the second item on, of the moa.jar of CapyMOA
0.15.1: `benches/jvm_classes/PrequentialReals.java` on the items below, seed 4, and

    trees.FIMTDD GROWTH -l 0.02 -d 0.001 [-e]
    PrequentialReals$CorrectedORTO GROWTH -l 0.02 -d 0.001 -m 6 -x 10 -z 1.0 -q 0.99
        -o average|bestTree [-e]
    meta.AdaptiveRandomForestRegressor -s 3 -a 6 -m 75 -o (Percentage (M * (m / 100)))
        -x (ADWINChangeDetector -a 0.1) -p (ADWINChangeDetector -a 0.2) -l (ARFFIMTDD GROWTH)
    lazy.kNN -k 5 -w 60

where GROWTH is -g 50 -c 0.01 -t 0.15 -a 0.005 -h 3 -f 0.995 -y 20 -u 60.
"""


def turning(count=1200):
    """Items without draws: the step moves from the first column to the second half-way."""
    i = np.arange(count)
    wheels = [i * 37 % 1009 / 1009, i * 53 % 997 / 997, i * 71 % 991 / 991, i * 29 % 983 / 983]
    x = np.column_stack(wheels)
    step = np.where(i < count // 2, x[:, 0], x[:, 1]) > 0.5
    return x, np.where(step, 9.0, 1.0) + 4 * x[:, 2] + 4 * x[:, 3] + i * 17 % 13 / 13


@pytest.mark.parametrize("name", LEARNERS)
def test_predictions_and_error_are_those_of_moa(name):
    x, y = turning()
    schema = Schema(tuple(Feature(f"x{j}") for j in range(4)), "y")
    predictions = LEARNERS[name].bind(schema, seed=4).test_then_train(0, x, y)
    expected, error = MOAS[name]
    assert predictions[ITEMS] == pytest.approx(expected, abs=1e-6)
    assert abs(predictions - y)[1:].mean() == pytest.approx(error, abs=1e-6)
