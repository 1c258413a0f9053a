"""Typical wrong calls, each with a clear error of the package."""

from __future__ import annotations

import re

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.errors import StreamgaugeError

X = np.random.default_rng(0).random((20, 2))
Y = (X[:, 0] > 0.5).astype(int)
STREAM = sg.streams.from_arrays(X, Y)
LEARNER = sg.learners.NaiveBayes()
LOG = sg.run(STREAM, LEARNER)


class Constant:
    """A model with a constant prediction."""

    def __init__(self, prediction):
        self.prediction = prediction

    def predict(self, x):
        return self.prediction

    def learn(self, x, y):
        pass

    def fresh(self, seed):
        return self


CALLS = {
    "no stream": (lambda: sg.run(None, LEARNER), "stream must be a stream, got a NoneType"),
    "an unknown stream": (lambda: sg.run("see()", LEARNER), "no stream is called 'see'; did you"),
    "an unknown file": (lambda: sg.run("see.csv", LEARNER), "see.csv"),
    "two arrays": (lambda: sg.run((X, Y), LEARNER), "got a tuple; streams.open_stream"),
    "a stream's class": (lambda: sg.run(sg.streams.SEA, LEARNER), "stream must be a stream"),
    "no learner": (lambda: sg.run(STREAM, None), "no adapter for builtins.NoneType"),
    "an unknown learner": (lambda: sg.run(STREAM, "nbb"), "no learner is called 'nbb'"),
    "a learner's class": (
        lambda: sg.run(STREAM, sg.learners.NaiveBayes),
        "learner must be an object, not its class",
    ),
    "an unknown protocol": (
        lambda: sg.run(STREAM, LEARNER, "prequental"),
        "no protocol is called 'prequental'; did you mean 'prequential'",
    ),
    "a protocol's class": (
        lambda: sg.run(STREAM, LEARNER, sg.protocols.Chunks),
        "protocol must be a protocol",
    ),
    "half a chunk": (lambda: sg.protocols.Chunks(2.5), "size must be a whole number, got 2.5"),
    "a seed in words": (lambda: sg.run(STREAM, LEARNER, seed="x"), "seed must be a whole number"),
    "a seed below 0": (lambda: sg.run(STREAM, LEARNER, seed=-1), "seed must be at least 0"),
    "a prediction that is not a class": (lambda: sg.run(STREAM, Constant("zebra")), "got 'zebra'"),
    "a prediction that is not a number": (lambda: sg.run(STREAM, Constant(np.nan)), "got nan"),
    "labels too few": (lambda: sg.streams.from_arrays(X, Y[:9]), "y must be one column of 20"),
    "one dimension": (lambda: sg.streams.from_arrays(Y, Y), "in two dimensions"),
    "nothing to open": (lambda: sg.streams.open_stream(None), "got builtins.NoneType"),
    "items in words": (lambda: sg.streams.take(STREAM, "5"), "n must be a whole number, got '5'"),
    "a generator beyond memory": (
        lambda: sg.streams.RandomRBF(attributes=10**12),
        "attributes must be an integer from 1 to 10000",
    ),
    "an endless stream": (lambda: sg.run(sg.streams.SEA(), LEARNER), "must end"),
    "no protocol": (lambda: sg.run(STREAM, LEARNER, object()), "protocol must be a protocol like"),
    "no log": (lambda: sg.measure(None, "accuracy"), "log must be a log"),
    "no measure": (lambda: sg.measure(LOG, []), "at least one"),
    "a measure's class": (
        lambda: sg.measure(LOG, sg.measures.Kappa),
        "a name, or an object of a class derived from measures.Measure",
    ),
    "a window's class": (lambda: sg.measure(LOG, "kappa", sg.Whole), "a name or a window"),
    "half a step": (lambda: sg.measure(LOG, "kappa", every=2.5), "every must be a whole number"),
    "no logs": (lambda: sg.write_report("x.html", []), "at least one"),
    "a log's name": (lambda: sg.write_report("x.html", "log"), "logs must be Log objects"),
    "no such log": (lambda: sg.read_log("nowhere"), "must be a folder with a log.json"),
}


@pytest.mark.parametrize("case", CALLS)
def test_a_wrong_call_raises_a_clear_error(case, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    call, words = CALLS[case]
    with pytest.raises(StreamgaugeError) as caught:
        call()
    assert re.search(words, str(caught.value))
    assert not list(tmp_path.iterdir())


def test_numpy_scalars_are_accepted_as_numbers():
    chunks = sg.protocols.Chunks(size=np.int64(5))
    log = sg.run(sg.streams.take(STREAM, np.int32(12)), LEARNER, chunks, seed=np.uint8(3))
    assert sum(len(pairs) for pairs in log.labelled_predictions()) == 12
