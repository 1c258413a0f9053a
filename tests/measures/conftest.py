"""Logs made from columns, split into batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from streamgauge.log import LabelledPredictions, Log
from streamgauge.types import Schema


@dataclass(frozen=True)
class Batches:
    """Tables of a log that consist of given pairs."""

    batches: tuple[LabelledPredictions, ...]
    labels_in_order: bool = True

    def labelled_predictions(self, fold: int | None = None) -> Iterator[LabelledPredictions]:
        return iter(self.batches)

    def label_count(self) -> int:
        return sum(len(p) for p in self.batches)

    def predictions(self) -> Iterator[Any]:
        return iter(())

    def labels(self) -> Iterator[Any]:
        return iter(())

    def training(self) -> Iterator[Any]:
        return iter(())


def _part(pairs: LabelledPredictions, start: int, end: int) -> LabelledPredictions:
    columns = {
        f.name: getattr(pairs, f.name)[start:end]
        for f in fields(pairs)
        if f.name != "first" and getattr(pairs, f.name) is not None
    }
    return replace(pairs, first=pairs.first + start, **columns)


@pytest.fixture(scope="session")
def log_of() -> Callable[..., Log]:
    """A log from columns; `cuts` are the rows at which batches begin."""

    def build(
        classes: int | None,
        label: Sequence[float],
        prediction: Sequence[float],
        cuts: Sequence[int] = (),
        **columns: Any,
    ) -> Log:
        kind = np.float64 if classes is None else np.int32
        schema = Schema((), classes=None if classes is None else tuple(range(classes)))
        previous = columns.pop("previous", None)
        pairs = LabelledPredictions(
            0,
            np.asarray(label, kind),
            np.asarray(prediction, kind),
            previous=None if previous is None else np.asarray(previous, kind),
            **{
                k: None if v is None else np.asarray(v, np.uint64 if k == "item" else np.float64)
                for k, v in columns.items()
            },
        )
        edges = sorted({0, len(label), *(c for c in cuts if c < len(label))})
        batches = tuple(_part(pairs, a, b) for a, b in pairwise(edges))
        return Log(schema, Batches(batches))

    return build
