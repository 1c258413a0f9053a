"""Wrong arguments of the functions about properties are refused in one sentence."""

from __future__ import annotations

import numpy as np
import pytest

import streamgauge as sg
from streamgauge import properties, protocols, resources, streams
from streamgauge.alarm_measures import match_alarms
from streamgauge.errors import StreamgaugeError

LOG = sg.run("sea(items=300)", "nb")
COPIES = sg.run("sea(items=50)", "nb", "perturbed(copies=1)")
SEA = "sea(items=50)"
FEW = {"window": 20, "batch": 10}

WRONG = {
    "PeriodicHoldout: replace must be a whole number, got None": lambda: protocols.PeriodicHoldout(
        10, 10, None
    ),
    "load_sweep: rates must be a list of numbers, got '555'": lambda: resources.load_sweep(
        SEA, "nb", "555", service=0.1
    ),
    "load_sweep: rates must be a list of numbers, got 555": lambda: resources.load_sweep(
        SEA, "nb", 555, service=0.1
    ),
    "load_sweep: rates must be a list of numbers, got 'a'": lambda: resources.load_sweep(
        SEA, "nb", ["a"], service=0.1
    ),
    "load_sweep: service must be a number of seconds, above 0, got 'a'": lambda: (
        resources.load_sweep(SEA, "nb", [10], service="a")
    ),
    "memory_sweep: limits must be a list of numbers, got '555'": lambda: resources.memory_sweep(
        SEA, "nb", "555"
    ),
    "memory_sweep: limits must be at least 1, got -5": lambda: resources.memory_sweep(
        SEA, "nb", [-5]
    ),
    "memory_sweep: parameter must be a parameter of a learner, of which nearest_neighbours has "
    "k, window_size": lambda: resources.memory_sweep(SEA, "knn", [50], parameter="window_sise"),
    "Shedding: rate must be above 0 and finite, got 'a'": lambda: protocols.Shedding("a", 1.0),
    "Perturbed: scale must be a finite number, at least 0, got 'a'": lambda: protocols.Perturbed(
        scale="a"
    ),
    "Perturbed: share must be above 0 and at most 1, got 'a'": lambda: protocols.Perturbed(
        share="a"
    ),
    "Perturbed: nominal must be a number from 0 to 1, got 'a'": lambda: protocols.Perturbed(
        nominal="a"
    ),
    "perturb: scale must be a finite number, at least 0, got None": lambda: streams.perturb(
        SEA, scale=None
    ),
    "outliers: size must be a finite number, at least 0, got 'x'": lambda: streams.outliers(
        SEA, size="x"
    ),
    "outliers: share must be a number from 0 to 1, got 'x'": lambda: streams.outliers(
        SEA, share="x"
    ),
    "outliers: features must be a list of names, got 'attrib1'": lambda: streams.outliers(
        SEA, features="attrib1"
    ),
    "outliers: features must be a list of names, got 3": lambda: streams.outliers(SEA, features=3),
    "imbalance: shares must be a list of lists of numbers, got None": lambda: streams.imbalance(
        SEA, None
    ),
    "imbalance: shares must be a list of lists of numbers, got 'a'": lambda: streams.imbalance(
        SEA, [["a", "b"]]
    ),
    "imbalance: at must be a list of items, got 0": lambda: streams.imbalance(
        SEA, [[0.5, 0.5]], at=0
    ),
    "late_classes: first must be a mapping from classes to items, like {'c': 1000}, got 'x'": (
        lambda: streams.late_classes(SEA, "x")
    ),
    "stability: logs must be a log, or several, as returned by run, got None": lambda: sg.stability(
        None
    ),
    "stability: level must be above 0 and below 1, got 'a'": lambda: sg.stability(
        COPIES, level="a"
    ),
    "adaptation: logs must be a log, or several, as returned by run, got None": lambda: (
        sg.adaptation(None)
    ),
    "adaptation: drifts must be a list of items, got '50'": lambda: sg.adaptation(LOG, drifts="50"),
    "adaptation: drifts must be a list of items, got 50": lambda: sg.adaptation(LOG, drifts=50),
    "adaptation: level must be above 0 and below 1, got 2": lambda: sg.adaptation(
        LOG, drifts=[50], level=2
    ),
    "adaptation: logs must be repetitions, with seeds of their own, got seed 0 twice; give each "
    "log once": lambda: sg.adaptation([LOG, LOG], drifts=[100], **FEW),
    "of_drift: number must be below 1, the number of drifts, got 3": lambda: sg.adaptation(
        LOG, drifts=[100], **FEW
    ).of_drift(3),
    "stability: logs must be repetitions, with seeds of their own, got seed 0 twice; give each "
    "log once": lambda: sg.stability([COPIES, COPIES]),
    "profile: logs must be a log, or several, as returned by run, got None": lambda: sg.profile(
        None
    ),
    "no axis of the profile is called 'nope'; known: ": lambda: sg.profile(LOG).axis("nope"),
    "write_report: path must be text or a path, got a Log; the path is first, then the logs": (
        lambda: sg.write_report(LOG, "x.html")
    ),
    "KFold: k must be at least 2, got 1; give Prequential(folds=1, split='bootstrap')": lambda: (
        protocols.KFold(1, "bootstrap")
    ),
    "deterioration: values must be a list of numbers, got None": lambda: properties.deterioration(
        None, 1, 1
    ),
    "restoration: values must be a list of numbers, got ['a']": lambda: properties.restoration(
        ["a"], 1, 1
    ),
    "match_alarms: drifts must be a list of Drift objects, got 5": lambda: match_alarms(
        [1], [5], 10, 2
    ),
}


@pytest.mark.parametrize("sentence", WRONG)
def test_wrong_arguments_are_refused_in_one_sentence(sentence):
    with pytest.raises(StreamgaugeError) as caught:
        WRONG[sentence]()
    assert str(caught.value).startswith(sentence)
    assert "\n" not in str(caught.value)


def test_whether_a_learner_of_unknown_size_fits_is_unknown():
    class Own:
        def predict(self, x):
            return 0

        def learn(self, x, y):
            pass

    (point,) = resources.memory_sweep(SEA, {"own": Own()}, [1000]).points
    assert np.isnan(point.largest)
    assert point.fits is None
    (point,) = resources.memory_sweep(SEA, "knn", [20], parameter="window_size").points
    assert (point.limited, point.fits) == (True, None)
