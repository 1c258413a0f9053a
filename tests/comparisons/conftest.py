"""Logs to compare: predictions in the order of items, labels in any order."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from streamgauge.log import Log
from streamgauge.log.rows import Labels, Predictions, TableRows, Training
from streamgauge.log.table import InMemory
from streamgauge.types import Schema


@pytest.fixture(scope="session")
def log_of():
    """A log from rows (item, label, prediction) in the order of the labels; None: no prediction."""

    def build(rows, classes=None, cuts=(), names=None, about=None, times=None):
        kind = np.float64 if classes is None else np.int32
        none = np.nan if classes is None else -1
        in_order = [r[0] for r in rows] == sorted(r[0] for r in rows)
        edges = [0, *sorted({min(c, len(rows)) for c in cuts}), len(rows)]
        by_item = sorted(rows, key=lambda r: r[0])
        held, seen = [], set()
        for start, stop in pairwise(edges):
            rows_by_item = by_item[start:stop]
            true = []
            for k, row in enumerate(rows[start:stop], start):
                if row[0] not in seen:  # several predictions an item are folds; it has one label
                    true.append((*row[:2], row[0] if times is None else times[k]))
                    seen.add(row[0])
            predictions = [none if r[2] is None else r[2] for r in rows_by_item]
            n = len(rows_by_item)
            held.append(
                TableRows(
                    Predictions(
                        np.array([r[0] for r in rows_by_item], np.uint64),
                        np.zeros(n, np.uint16),
                        np.zeros(n, np.uint32),
                        np.zeros(n, np.uint8),
                        np.array([r[0] for r in rows_by_item], np.int64),
                        np.array(predictions, kind),
                    ),
                    Labels(
                        np.array([r[0] for r in true], np.uint64),
                        np.array([r[2] for r in true], np.int64),
                        np.array([r[1] for r in true], kind),
                    ),
                    Training(np.empty(0, np.uint64), np.empty(0, np.uint16), np.empty(0)),
                )
            )
        schema = Schema((), classes=None if classes is None else names or tuple(range(classes)))
        return Log(schema, InMemory(tuple(held), in_order), about or {})

    return build
