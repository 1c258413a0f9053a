"""The next chunk made beforehand."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from streamgauge import learners, streams
from streamgauge.engine import run
from streamgauge.engine.ahead import Ahead
from streamgauge.log import read_log
from streamgauge.protocols import Delayed
from streamgauge.types import Batch


def faulty() -> Iterator[int]:
    yield 1
    yield 2
    raise ValueError("no third")


def test_nothing_is_lost_or_told_twice() -> None:
    ahead = Ahead(iter(range(5)))
    seen = []
    for number in ahead:
        seen.append(number)
        if number % 2:
            ahead.prepare()
    assert seen == [0, 1, 2, 3, 4]


def test_prepared_twice_is_prepared_once() -> None:
    ahead = Ahead(faulty())
    for _ in range(3):
        ahead.prepare()
    assert [next(ahead), next(ahead)] == [1, 2]
    for _ in range(3):
        ahead.prepare()
    with pytest.raises(ValueError, match="no third"):
        next(ahead)


def test_the_end_prepared_is_an_end() -> None:
    ahead = Ahead(iter([1]))
    assert next(ahead) == 1
    ahead.prepare()
    assert list(ahead) == []


def test_what_goes_wrong_is_told_in_its_turn() -> None:
    ahead = Ahead(faulty())
    assert next(ahead) == 1
    ahead.prepare()
    assert next(ahead) == 2
    ahead.prepare()
    with pytest.raises(ValueError, match="no third"):
        next(ahead)


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
def test_what_came_before_a_broken_batch_is_in_the_log(tmp_path, threads: int) -> None:
    rng = np.random.default_rng(1)
    x = rng.random((4000, 3))
    whole = streams.from_arrays(x, (x[:, 0] > 0.5).astype(int))
    folder = tmp_path / "log"
    learner, protocol = learners.NaiveBayes(), Delayed(folds=4)
    with pytest.raises(OSError, match="the disk is gone"):
        run(Breaking(whole), learner, protocol, folder=folder, threads=threads)
    log = read_log(folder)
    assert not log.complete
    assert sum(len(part) for part in log.said()) == 2000
