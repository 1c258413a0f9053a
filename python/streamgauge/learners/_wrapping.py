"""Calls that a learner around another learner passes on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from streamgauge.types import F64, NONE, U32, U64, Codes


def labelled(
    rows: F64, labels: Codes | F64, weights: F64 | None, items: U64 | None
) -> tuple[F64, Codes, F64 | None, U64 | None]:
    """The items that have a label, with their classes as codes."""
    codes = np.asarray(labels, dtype=np.int32)
    known = codes != NONE
    if known.all():
        return rows, codes, weights, items
    return (
        rows[known],
        codes[known],
        None if weights is None else weights[known],
        None if items is None else items[known],
    )


def learn_rows(
    base: Any, rows: F64, labels: Codes | F64, weights: F64 | None, items: U64 | None
) -> None:
    """Train the learner inside, with the item numbers if it tracks items."""
    if items is not None and base.tracks_items:
        base.learn(rows, labels, weights, items)
    else:
        base.learn(rows, labels, weights)


def predicted(base: Any, first: int, predictions: Codes | F64) -> None:
    """Pass the predictions to the learner inside, if it tracks items."""
    if base.tracks_items:
        base.predicted(first, predictions)


def alarms(base: Any) -> list[tuple[int, str, str]]:
    """Signals of detectors further inside since the last call: (item, detector, kind)."""
    signals: list[tuple[int, str, str]] = base.alarms() if base.has_alarms else []
    return signals


def selections(base: Any) -> list[tuple[int, Sequence[int] | U32]]:
    """Changes of the selected features inside since the last call: (item, features)."""
    changes: list[tuple[int, Sequence[int] | U32]] = (
        base.selections() if base.has_selections else []
    )
    return changes


def forget(base: Any, keep_from: int) -> None:
    """Make the learner inside forget items, if it tracks them."""
    if base.tracks_items:
        base.forget(keep_from)
