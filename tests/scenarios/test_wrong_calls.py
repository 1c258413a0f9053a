"""Calls as a newcomer gets them wrong: each is answered in one sentence of ours."""

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


class Says:
    """A model with one answer."""

    def __init__(self, answer):
        self.answer = answer

    def predict(self, x):
        return self.answer

    def learn(self, x, y):
        pass

    def fresh(self, seed):
        return self


CALLS = {
    "no stream": (lambda: sg.run(None, LEARNER), "stream must be a stream, got a NoneType"),
    "a stream's name": (lambda: sg.run("electricity", LEARNER), "got a str; streams.open_stream"),
    "two arrays": (lambda: sg.run((X, Y), LEARNER), "got a tuple; streams.open_stream"),
    "a stream's class": (lambda: sg.run(sg.streams.SEA, LEARNER), "stream must be a stream"),
    "no learner": (lambda: sg.run(STREAM, None), "no adapter for builtins.NoneType"),
    "a learner's name": (lambda: sg.run(STREAM, "nb"), "no adapter for builtins.str"),
    "a learner's class": (
        lambda: sg.run(STREAM, sg.learners.NaiveBayes),
        "learner must be an object, not its class",
    ),
    "a protocol's name": (lambda: sg.run(STREAM, LEARNER, "prequential"), "like Prequential"),
    "a protocol's class": (
        lambda: sg.run(STREAM, LEARNER, sg.protocols.Chunks),
        "protocol must be a protocol",
    ),
    "half a chunk": (lambda: sg.protocols.Chunks(2.5), "size must be a whole number, got 2.5"),
    "a seed in words": (lambda: sg.run(STREAM, LEARNER, seed="x"), "seed must be a whole number"),
    "a seed below 0": (lambda: sg.run(STREAM, LEARNER, seed=-1), "seed must be at least 0"),
    "an answer that is no class": (lambda: sg.run(STREAM, Says("zebra")), "got 'zebra'"),
    "an answer that is no number": (lambda: sg.run(STREAM, Says(np.nan)), "got nan"),
    "labels too few": (lambda: sg.streams.from_arrays(X, Y[:9]), "y must be one column of 20"),
    "one dimension": (lambda: sg.streams.from_arrays(Y, Y), "in two dimensions"),
    "nothing to open": (lambda: sg.streams.open_stream(None), "got builtins.NoneType"),
    "items in words": (lambda: sg.streams.take(STREAM, "5"), "n must be a whole number, got '5'"),
    "a generator beyond memory": (
        lambda: sg.streams.RandomRBF(attributes=10**12),
        "attributes must be an integer from 1 to 10000",
    ),
    "an endless stream": (lambda: sg.run(sg.streams.SEA(), LEARNER), "must end"),
    "no log": (lambda: sg.measure(None, "accuracy"), "log must be a log"),
    "no measure": (lambda: sg.measure(LOG, []), "at least one"),
    "a measure's class": (lambda: sg.measure(LOG, sg.measures.Kappa), "a name or a Measure"),
    "a window's class": (lambda: sg.measure(LOG, "kappa", sg.Whole), "a name or a window"),
    "half a step": (lambda: sg.measure(LOG, "kappa", every=2.5), "every must be a whole number"),
    "no logs": (lambda: sg.write_report("x.html", []), "at least one"),
    "a log's name": (lambda: sg.write_report("x.html", "log"), "logs, all of them"),
    "no such log": (lambda: sg.read_log("nowhere"), "must be a folder with a log.json"),
}


@pytest.mark.parametrize("case", CALLS)
def test_a_wrong_call_is_answered_in_one_sentence(case, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    call, words = CALLS[case]
    with pytest.raises(StreamgaugeError) as caught:
        call()
    assert re.search(words, str(caught.value))
    assert not list(tmp_path.iterdir())


def test_numbers_of_numpy_are_numbers():
    chunks = sg.protocols.Chunks(size=np.int64(5))
    log = sg.run(sg.streams.take(STREAM, np.int32(12)), LEARNER, chunks, seed=np.uint8(3))
    assert sum(len(pairs) for pairs in log.pairs()) == 12
