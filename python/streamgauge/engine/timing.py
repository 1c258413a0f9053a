"""Seconds to predict and to learn, measured on copies of the learner during a run."""

from __future__ import annotations

import pickle
import random
import time
from collections.abc import Callable
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from streamgauge._core import NativeLearner
from streamgauge.adapters._model_driver import read_only
from streamgauge.types import Batch, missing

if TYPE_CHECKING:
    from collections.abc import Iterator

LEAST_TIMED = 50
"""Fewest items requested for a copy; the last of a batch may be fewer."""

MOST_TIMED = 500
"""Most items requested for a copy."""

COPY_SECONDS = 0.002
"""A copy gets as many items as the run has executed in this time, within these bounds."""

SHARE = 0.005
"""Largest share of the time of the run for timing, unless the first copy takes more."""


@dataclass(slots=True)
class CopyTimer:
    """Times copies of a learner on items that are still to come.

    The copy, made by saving and loading, first predicts the items in one call and then learns them
    in another; the learner of the run is not touched, and the states of the global random
    generators are put back. A learner that cannot be copied, or whose copy fails, is not timed: its
    own error, if it has one, is that of the run. `first` is the item with which the run began.
    """

    first: int = 0
    spent: float = 0.0
    items: int = 0
    predict: list[float] = field(default_factory=list)
    learn: list[float] = field(default_factory=list)
    _last: float = 0.0
    _refused: bool = False
    _began: float = field(default_factory=time.perf_counter)

    def time(self, learner: Any, item: int, upcoming: Callable[[int], Batch | None]) -> None:
        """Time a copy before `item`, on upcoming items, if there is time for it.

        There is if all copies together, this one taken to last as long as the one before, take no
        more than `SHARE` of the run so far.
        """
        began = time.perf_counter()
        elapsed = began - self._began
        if self._refused or (self.spent and self.spent + self._last > SHARE * elapsed):
            return
        wanted = COPY_SECONDS * max(1, item - self.first) / max(elapsed, 1e-9)
        items = upcoming(int(min(max(wanted, LEAST_TIMED), MOST_TIMED)))
        if items is not None and len(items):
            # Native learners have generators of their own; the global ones are large.
            native = isinstance(learner, NativeLearner)
            with nullcontext() if native else _unchanged_generators():
                copy = copied(learner)
                self._refused = copy is None or not self._time_copy(copy, items)
        self._last = time.perf_counter() - began
        self.spent += self._last

    def _time_copy(self, copy: Any, items: Batch) -> bool:
        """Time a copy; False if it failed, and nothing is recorded."""
        try:
            self._timed(copy, items)
        except (Exception, SystemExit):  # noqa: BLE001 (whatever the code of a model raises)
            return False
        return True

    def _timed(self, copy: Any, items: Batch) -> None:
        rows = read_only(np.ascontiguousarray(items.x))
        known = ~missing(items.label)
        labelled, labels = read_only(rows[known]), read_only(items.label[known])
        weights = None if items.weight is None else read_only(items.weight[known])
        start = time.perf_counter()
        predictions = copy.predict(rows, items.first)
        predicted = time.perf_counter()
        if copy.tracks_items:
            copy.predicted(items.first, predictions)
            numbers = np.arange(items.first, items.stop, dtype=np.uint64)[known]
            before = time.perf_counter()
            copy.learn(labelled, labels, weights, numbers)
        else:
            before = time.perf_counter()
            copy.learn(labelled, labels, weights)
        end = time.perf_counter()
        self.items += len(rows)
        self.predict.append((predicted - start) / len(rows))
        if len(labels):
            self.learn.append((end - before) / len(labels))

    def resources(self) -> dict[str, float]:
        """Seconds per item, the medians over the copies; empty if nothing was timed."""
        found = {}
        if self.predict:
            found["predict_seconds_per_item"] = float(np.median(self.predict))
        if self.learn:
            found["learn_seconds_per_item"] = float(np.median(self.learn))
        return {**found, "timed_items": float(self.items)} if found else {}


def copied(learner: Any) -> Any:
    """A copy of a learner with its state; None if it cannot be saved."""
    try:
        return pickle.loads(pickle.dumps(learner))
    except Exception:  # noqa: BLE001 (whatever the code of a model raises: it has no copy)
        return None


@contextmanager
def _unchanged_generators() -> Iterator[None]:
    """Put the states of the global random generators back at the end."""
    own, numpy = random.getstate(), np.random.get_state()  # noqa: NPY002 (models may use it)
    try:
        yield
    finally:
        random.setstate(own)
        np.random.set_state(numpy)  # noqa: NPY002
