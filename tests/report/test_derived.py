from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from report.made import a_log
from streamgauge.log import from_columns
from streamgauge.report import derived
from streamgauge.types import Schema


def slowly(labels: list[int], classes: int) -> tuple[list[int], list[int]]:
    """What both baselines say, one label at a time."""
    persistent, majority, counts = [], [], [0] * classes
    for i, label in enumerate(labels):
        persistent.append(labels[i - 1] if i else -1)
        majority.append(counts.index(max(counts)) if i else -1)
        counts[label] += 1
    return persistent, majority


@given(
    st.integers(1, 40).flatmap(
        lambda k: st.tuples(st.just(k), st.lists(st.integers(0, k - 1), max_size=80))
    ),
    st.integers(1, 9),
)
def test_baselines_say_what_a_recount_says(told: tuple[int, list[int]], size: int) -> None:
    classes, labels = told
    schema = Schema((), classes=tuple(range(classes)))
    column = np.array(labels, np.int32)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(derived, "SLICE", size)
        said = {
            name: [int(a) for p in log.pairs() for a in p.answer]
            for name, log in derived.baselines(from_columns(schema, column, column)).items()
        }
    persistent, majority = slowly(labels, classes)
    assert said == {"persistent": persistent, "majority_class": majority}


@given(st.lists(st.floats(-1e3, 1e3), max_size=50))
def test_baselines_of_real_targets_say_what_a_recount_says(labels: list[float]) -> None:
    column = np.array(labels, np.float64)
    log = a_log(column, column, classes=None)
    said = {
        name: [float(a) for p in held.pairs() for a in p.answer]
        for name, held in derived.baselines(log).items()
    }
    last = [labels[i - 1] if i else np.nan for i in range(len(labels))]
    mean = [float(np.mean(labels[:i])) if i else np.nan for i in range(len(labels))]
    np.testing.assert_allclose(said["last_value"], last)
    np.testing.assert_allclose(said["target_mean"], mean, atol=1e-9)
