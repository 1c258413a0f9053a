"""The numbers that are printed in Grzenda, Gomes, Bifet (2020), on the authors' own streams."""

from __future__ import annotations

import numpy as np
import pytest

from streamgauge import late, learners, streams
from streamgauge.engine import run
from streamgauge.protocols import Reevaluating

PROGRAM = Reevaluating(every=10, first_at_zero=False, ties="items_first")
"""As the authors' files are ordered, and as their program asks."""

AT = [0, 45, 51]


@pytest.mark.data
def test_bike_sharing_has_table_2_to_all_digits():
    log = run(streams.delay(streams.Bikes(), 168), learners.TargetMean(), Reevaluating(every=10))
    terms = {"measure": "mae", "n_bins": 50, "cold_start": "default_class"}
    printed = late.bins(log, binning="grzenda", **terms).final[AT]
    assert printed.round(2).tolist() == [132.30, 131.81, 131.80]
    defined = late.bins(log, binning="longest", **terms).final[AT]
    assert defined.round(2).tolist() == [132.30, 131.92, 131.80]
    assert log.label_count() == 17_379


@pytest.mark.data
@pytest.mark.slow
def test_bike_sharing_has_table_2_for_rules_and_the_forest_is_best_in_every_bin():
    found = {}
    for learner in (
        learners.AMRules(),
        learners.AdaptiveRandomForestRegression(),
        learners.FIMTDD(),
        learners.ORTO(),
    ):
        log = run(streams.delay(streams.Bikes(), 168), learner, Reevaluating(every=10))
        found[type(learner).__name__] = late.bins(log, "mae", binning="grzenda").final
    assert np.abs(found["AMRules"][AT] - [86.27, 84.75, 82.55]).max() < 0.25
    forest = found.pop("AdaptiveRandomForestRegression")
    assert forest[51] < forest[0]
    assert all((forest < other).all() for other in found.values())


@pytest.mark.data
@pytest.mark.parametrize(
    ("learner", "printed"),
    [
        (learners.Persistent(first="DOWN"), [49.78, 55.33, 85.37]),
        (learners.MajorityClass(first="DOWN"), [57.51, 57.51, 57.56]),
    ],
    ids=["persistent", "majority_class"],
)
def test_electricity_has_table_1_to_all_digits(learner, printed):
    log = run(streams.ElectricityDelayed(), learner, PROGRAM)
    found = 100 * late.bins(log, "accuracy", 50, binning="grzenda").final[AT]
    assert found.round(2).tolist() == printed
    defined = 100 * late.bins(log, "accuracy", 50).final[AT]
    assert np.abs(defined - printed).max() < 1.3
    assert log.label_count() == 44_204


@pytest.mark.data
@pytest.mark.parametrize(
    ("learner", "printed"),
    [
        (learners.Persistent(first="before_time"), [39.68, 40.13, 42.52]),
        (learners.MajorityClass(first="before_time"), [48.45, 48.48, 48.58]),
        (learners.NearestNeighbours(), [44.66, 47.63, 50.33]),
    ],
    ids=["persistent", "majority_class", "nearest_neighbours"],
)
def test_airlines_has_table_1_to_all_digits(learner, printed):
    log = run(streams.AirlinesDelayed(), learner, PROGRAM)
    found = late.bins(log, "accuracy", 50, binning="grzenda", every=6227)
    assert found.at[0] == 6227
    assert (100 * found.value[0][AT]).round(2).tolist() == printed


@pytest.mark.data
@pytest.mark.parametrize(
    ("numeric", "printed"),
    [((), [61.09, 68.36, 70.92]), (("Wilderness_Area*", "Soil_Type*"), [53.61, 60.15, 62.42])],
    ids=["nominal", "numeric"],
)
def test_cover_type_has_table_1_with_nominal_indicators(numeric, printed):
    """The printed row needs the 44 indicators nominal; the other is what they give as numbers."""
    stream = streams.take(streams.Covtype(numeric=numeric), 24_500)
    log = run(streams.delay(stream, 1000), learners.NaiveBayes(), Reevaluating(every=10))
    found = late.bins(log, "accuracy", 50, binning="grzenda", cold_start="default_class")
    assert np.abs(100 * found.final[AT] - printed).max() < 0.01
    assert log.label_count() == 24_500


BOUND = 1.3
"""Points of accuracy by which a number may differ from the printed one."""

FOREST = learners.AdaptiveRandomForest(max_features="sqrt", warning_delta=1e-4, drift_delta=1e-5)
"""The paper does not state the parameters of its forest; of four settings this one is nearest."""


@pytest.mark.data
@pytest.mark.parametrize(
    ("learner", "printed"),
    [
        (learners.NaiveBayes(), [53.44, 53.33, 54.34]),
        (learners.HoeffdingTree(), [56.93, 56.13, 61.59]),
        pytest.param(learners.NearestNeighbours(), [64.36, 59.68, 71.58], marks=pytest.mark.slow),
    ],
    ids=lambda one: type(one).__name__,
)
def test_electricity_has_table_1_within_the_bound(learner, printed):
    """Not so the adaptive tree: it draws weights, and MOA's own of today is 14 points off."""
    log = run(streams.ElectricityDelayed(), learner, PROGRAM)
    found = 100 * late.bins(log, "accuracy", 50, binning="grzenda").final[AT]
    assert np.abs(found - printed).max() < BOUND


@pytest.mark.data
@pytest.mark.slow
def test_the_forest_on_electricity_is_above_table_1():
    """A forest draws: seeds differ by up to 4 points, so only their mean is compared.

    It is 1 to 3 points above the printed row, whose forest has unknown parameters and one seed.
    """
    logs = [run(streams.ElectricityDelayed(), FOREST, PROGRAM, seed=seed) for seed in range(8)]
    found = [100 * late.bins(log, "accuracy", 50, binning="grzenda").final[AT] for log in logs]
    above = np.mean(found, axis=0) - [57.00, 54.42, 68.27]
    assert (above > 1).all()
    assert (above < 3).all()


@pytest.mark.data
@pytest.mark.parametrize(
    ("learner", "printed"),
    [(learners.NaiveBayes(), [47.53, 48.92, 49.24]), (FOREST, [47.47, 48.34, 48.76])],
    ids=lambda one: type(one).__name__,
)
def test_airlines_has_table_1_within_the_bound(learner, printed):
    log = run(streams.AirlinesDelayed(), learner, PROGRAM)
    found = late.bins(log, "accuracy", 50, binning="grzenda", every=6227).value[0]
    assert np.abs(100 * found[AT] - printed).max() < BOUND


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("HoeffdingTree", [45.59, 47.13, 47.34]),
        ("HoeffdingAdaptiveTree", [45.25, 46.76, 46.92]),
    ],
)
def test_trees_on_airlines_are_better_than_printed_and_moas_own_within_the_bound(name, printed):
    """Perhaps since in an empty leaf MOA's say the first class, ours what the split above says."""
    theirs = getattr(pytest.importorskip("capymoa.classifier"), name)
    found = []
    for learner in (theirs, getattr(learners, name)()):
        log = run(streams.AirlinesDelayed(), learner, PROGRAM)
        bins = late.bins(log, "accuracy", 50, binning="grzenda", every=6227)
        found.append(100 * bins.value[0][AT])
    assert np.abs(found[0] - printed).max() < BOUND
    assert (found[1] > found[0]).all()
    assert (found[1] > printed).all()
    assert np.abs(found[1] - printed).max() < 2.5


@pytest.mark.data
def test_nearest_neighbours_are_best_at_the_end_on_airlines_and_not_at_the_beginning():
    found = {}
    for learner in (
        learners.NearestNeighbours(),
        learners.NaiveBayes(),
        learners.HoeffdingTree(),
        learners.HoeffdingAdaptiveTree(),
        FOREST,
        learners.MajorityClass(),
        learners.Persistent(),
    ):
        log = run(streams.AirlinesDelayed(), learner, PROGRAM)
        bins = late.bins(log, "accuracy", 50, every=6227)
        found[type(learner).__name__] = bins.value[0]
    last = {name: value[51] for name, value in found.items()}
    first = {name: value[0] for name, value in found.items()}
    assert max(last, key=last.get) == "NearestNeighbours"
    assert max(first, key=first.get) != "NearestNeighbours"


@pytest.mark.data
@pytest.mark.parametrize(
    ("learner", "far"),
    [
        (learners.Persistent(), 0.2),
        pytest.param(learners.NearestNeighbours(), 0.1, marks=pytest.mark.slow),
        (learners.HoeffdingTree(), 0.05),
        (learners.HoeffdingAdaptiveTree(), 0.05),
        pytest.param(FOREST, 0.1, marks=pytest.mark.slow),
    ],
    ids=lambda one: type(one).__name__,
)
def test_on_electricity_there_is_no_linear_trend(learner, far):
    """The accuracy over bins is not linear between the first and the last prediction."""
    log = run(streams.ElectricityDelayed(), learner, PROGRAM)
    value = late.bins(log, "accuracy", 50).final
    line = np.linspace(value[0], value[51], 52)
    assert np.abs(value - line).max() > far
    steps = np.diff(value[1:51])
    assert (steps > 0).sum() > 5
    assert (steps < 0).sum() > 5


ADAPTING = [
    learners.NaiveBayes(),
    learners.HoeffdingTree(),
    learners.NearestNeighbours(),
    learners.HoeffdingAdaptiveTree(),
    FOREST,
]


@pytest.mark.parametrize("learner", ADAPTING, ids=lambda one: type(one).__name__)
def test_on_a_rotating_hyperplane_every_adaptive_learner_improves_with_later_predictions(learner):
    plane = streams.Hyperplane(attributes=2, drifting=2, magnitude=0.01, noise=0.0)
    log = run(streams.delay(streams.take(plane, 250), 100), learner, Reevaluating(every=10))
    value = late.bins(log, "accuracy", 50).final
    assert value[0] + 0.1 < value[45] <= value[51]
