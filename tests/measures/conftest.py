"""Logs to measure, cut into batches at will."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from streamgauge.log import Log, Pairs
from streamgauge.types import Schema


@dataclass(frozen=True)
class Batches:
    """Pairs as they were given, for a log that nobody ran."""

    held: tuple[Pairs, ...]
    labels_in_order: bool = True

    def pairs(self, fold: int | None = None) -> Iterator[Pairs]:
        return iter(self.held)

    def labels(self) -> int:
        return sum(len(p) for p in self.held)

    def said(self) -> Iterator[Any]:
        return iter(())

    def true(self) -> Iterator[Any]:
        return iter(())

    def taught(self) -> Iterator[Any]:
        return iter(())


def _cut(pairs: Pairs, start: int, end: int) -> Pairs:
    columns = {
        f.name: getattr(pairs, f.name)[start:end]
        for f in fields(pairs)
        if f.name != "first" and getattr(pairs, f.name) is not None
    }
    return replace(pairs, first=pairs.first + start, **columns)


@pytest.fixture(scope="session")
def log_of() -> Callable[..., Log]:
    """A log from columns; `cuts` are where one batch ends and the next begins."""

    def build(
        classes: int | None,
        label: Sequence[float],
        answer: Sequence[float],
        cuts: Sequence[int] = (),
        **columns: Any,
    ) -> Log:
        kind = np.float64 if classes is None else np.int32
        schema = Schema((), classes=None if classes is None else tuple(range(classes)))
        previous = columns.pop("previous", None)
        pairs = Pairs(
            0,
            np.asarray(label, kind),
            np.asarray(answer, kind),
            previous=None if previous is None else np.asarray(previous, kind),
            **{
                k: None if v is None else np.asarray(v, np.uint64 if k == "item" else np.float64)
                for k, v in columns.items()
            },
        )
        edges = sorted({0, len(label), *(c for c in cuts if c < len(label))})
        held = tuple(_cut(pairs, a, b) for a, b in pairwise(edges))
        return Log(schema, Batches(held))

    return build
