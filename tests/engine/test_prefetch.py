"""The next chunk made beforehand."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from streamgauge import learners, streams
from streamgauge.engine import run
from streamgauge.engine.prefetch import Prefetch
from streamgauge.log import read_log
from streamgauge.protocols import Delayed
from streamgauge.types import Batch


def faulty() -> Iterator[int]:
    yield 1
    yield 2
    raise ValueError("no third")


def test_no_element_is_lost_or_repeated() -> None:
    prefetch = Prefetch(iter(range(5)))
    seen = []
    for number in prefetch:
        seen.append(number)
        if number % 2:
            prefetch.prepare()
    assert seen == [0, 1, 2, 3, 4]


def test_preparing_twice_prepares_once() -> None:
    prefetch = Prefetch(faulty())
    for _ in range(3):
        prefetch.prepare()
    assert [next(prefetch), next(prefetch)] == [1, 2]
    for _ in range(3):
        prefetch.prepare()
    with pytest.raises(ValueError, match="no third"):
        next(prefetch)


def test_a_prepared_end_is_an_end() -> None:
    prefetch = Prefetch(iter([1]))
    assert next(prefetch) == 1
    prefetch.prepare()
    assert list(prefetch) == []


def test_an_error_is_raised_when_its_element_is_requested() -> None:
    prefetch = Prefetch(faulty())
    assert next(prefetch) == 1
    prefetch.prepare()
    assert next(prefetch) == 2
    prefetch.prepare()
    with pytest.raises(ValueError, match="no third"):
        next(prefetch)


class Breaking:
    """A stream whose second batch cannot be read."""

    name = "breaking"
    length = 4000

    def __init__(self, whole) -> None:
        self._whole, self.schema = whole, whole.schema

    def batches(self, size: int, seed: int = 0) -> Iterator[Batch]:
        yield next(iter(self._whole.batches(2000, seed)))
        raise OSError("the disk is gone")


@pytest.mark.parametrize("threads", [1, 2])
def test_items_before_a_broken_batch_are_in_the_log(tmp_path, threads: int) -> None:
    rng = np.random.default_rng(1)
    x = rng.random((4000, 3))
    whole = streams.from_arrays(x, (x[:, 0] > 0.5).astype(int))
    folder = tmp_path / "log"
    learner, protocol = learners.NaiveBayes(), Delayed(folds=4)
    with pytest.raises(OSError, match="the disk is gone"):
        run(Breaking(whole), learner, protocol, folder=folder, threads=threads)
    log = read_log(folder)
    assert not log.complete
    assert sum(len(part) for part in log.predictions()) == 2000
