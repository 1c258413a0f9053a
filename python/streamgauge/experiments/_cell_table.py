"""The cells of a run folder as a table: one row per cell, also for those without a log."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from streamgauge.buffers import as_arrow, texts
from streamgauge.escapes import SURROGATE
from streamgauge.experiments._found_cells import FoundCell
from streamgauge.log.card import Card, read_card

RESOURCES = (
    "seconds",
    "cpu_seconds",
    "read_seconds",
    "log_seconds",
    "predict_seconds_per_item",
    "learn_seconds_per_item",
    "learner_bytes",
    "resident_bytes",
    "peak_bytes",
    "energy_joules",
)
"""Costs of a run that are columns, as the card names them."""


def cell_table(found: Sequence[FoundCell]) -> pa.Table:
    """One row per cell, in the order of the grid; null where there is no log to know it from.

    `status` is `complete`, `incomplete`, `running` or `missing`; `classes` are the values that the
    codes in the tables stand for, null for a real target; `about` is the origin of the log:
    versions, the machine, how the protocol orders predictions and labels.
    """

    cards = [None if one.facts is None else read_card(Path(one.place)) for one in found]

    def of_card(value: Callable[[Card], Any]) -> list[Any]:
        return [None if card is None else value(card) for card in cards]

    columns = {
        "cell": _texts([one.id for one in found]),
        "stream": _texts([one.stream for one in found]),
        "learner": _texts([one.learner for one in found]),
        "protocol": _texts([one.cell.protocol for one in found]),
        "repetition": _whole([one.cell.repetition for one in found]),
        "seed": _whole([one.cell.seed for one in found]),
        "status": _texts([one.status for one in found]),
        "reason": _texts(of_card(lambda card: card.reason or None)),
        "task": _texts(of_card(lambda card: card.schema.task)),
        "classes": _lists(of_card(lambda card: card.schema.classes)),
        "items": _whole(of_card(partial(_cost, "items"))),
        **{key: _reals(of_card(partial(_cost, key))) for key in RESOURCES},
        "run": _texts(of_card(lambda card: card.run)),
        "about": _maps(of_card(lambda card: card.about)),
    }
    return pa.Table.from_arrays(list(columns.values()), list(columns))


def _cost(key: str, card: Card) -> float | None:
    return card.resources.get(key)


def _texts(values: Iterable[object]) -> pa.Array:
    """Values as texts; a folder that is read may hold halves of characters."""
    given = list(values)
    null = np.array([value is None for value in given], np.bool_)
    return texts(["" if v is None else SURROGATE.sub("\ufffd", str(v)) for v in given], null)


def _whole(values: Sequence[float | None]) -> pa.Array:
    """Whole numbers of 64 bits; null for any other."""
    null = np.array([v is None or not 0 <= v < 2**64 for v in values], np.bool_)
    numbers = [0 if n else int(v or 0) for v, n in zip(values, null.tolist(), strict=True)]
    return as_arrow(np.array(numbers, np.uint64), null)


def _reals(values: Sequence[float | None]) -> pa.Array:
    null = np.array([v is None or not abs(v) < 2**1023 for v in values], np.bool_)
    numbers = [0.0 if n else float(v or 0) for v, n in zip(values, null.tolist(), strict=True)]
    return as_arrow(np.array(numbers, np.float64), null)


def _lists(values: Sequence[Sequence[object] | None]) -> pa.Array:
    null = np.array([v is None for v in values] + [False], np.bool_)
    return pa.ListArray.from_arrays(
        as_arrow(_ends(values), null), _texts(each for v in values for each in v or ())
    )


def _maps(values: Sequence[dict[str, str] | None]) -> pa.Array:
    pairs = [pair for v in values for pair in (v or {}).items()]
    keys, items = _texts(key for key, _ in pairs), _texts(item for _, item in pairs)
    return pa.MapArray.from_arrays(as_arrow(_ends(values)), keys, items)


def _ends(values: Sequence[Any]) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.cumsum([0, *(len(v or ()) for v in values)]).astype(np.int32)
