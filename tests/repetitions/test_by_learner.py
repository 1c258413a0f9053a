from __future__ import annotations

import numpy as np
import pytest

from report.example_logs import a_log, independent, predictions
from streamgauge.errors import ParameterError
from streamgauge.log import from_columns
from streamgauge.repetitions import by_learner
from streamgauge.repetitions._by_learner import content_of
from streamgauge.types import Schema

LABEL = independent(50)


def log(name="nb", seed="0", protocol="prequential", classes=("a", "b")):
    return a_log(LABEL, LABEL, name, classes=classes, seed=seed, protocol=protocol)


def counts(logs):
    return {name: len(runs) for name, runs in by_learner(logs).items()}


def test_logs_that_differ_only_in_their_seeds_are_repetitions():
    logs = [log(name, seed) for name in ("nb", "tree") for seed in "123"]
    assert counts(logs) == {"nb": 3, "tree": 3}
    assert by_learner(logs)["tree"] == tuple(logs[3:])


def test_protocols_and_classes_are_kept_separate():
    assert counts([log(seed="1"), log(seed="2", protocol="chunks")]) == {
        "nb, protocol prequential": 1,
        "nb, protocol chunks": 1,
    }
    assert counts([log(seed="1"), log(seed="2", classes=("a", "c"))]) == {"nb": 1, "nb #2": 1}


def test_a_second_log_of_one_seed_is_no_repetition():
    assert counts([log(seed="1"), log(seed="2"), log(seed="2")]) == {"nb": 2, "nb #2": 1}


def test_logs_without_seeds_are_no_repetitions():
    one = from_columns(Schema((), classes=("a", "b")), LABEL, LABEL)
    assert counts([one, one]) == {"learner": 1, "learner #2": 1}


def test_logs_of_several_streams_are_refused():
    other = a_log(LABEL, LABEL, stream="other")
    with pytest.raises(ParameterError, match="by_learner: logs must be of one stream"):
        by_learner([log(), other])


def test_the_content_of_a_log_is_its_items_labels_and_predictions():
    changed = LABEL.copy()
    changed[-1] = 1 - changed[-1]
    contents = {
        content_of(a_log(label, predicted, seed=seed))
        for label, predicted, seed in (
            (LABEL, LABEL, "1"),
            (LABEL, LABEL, "2"),  # the seed is no content
            (LABEL, changed, "1"),
            (changed, LABEL, "1"),
            (LABEL[:-1], LABEL[:-1], "1"),
        )
    }
    assert len(contents) == 4
    assert np.array_equal(predictions(LABEL, 1.0), LABEL)
