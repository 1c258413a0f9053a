"""Explicit orders, carried out run by run: maximal runs of one verb and one fold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from streamgauge.engine.copies import Copies
from streamgauge.engine.store import Store
from streamgauge.errors import LearnerError, PlanError
from streamgauge.log.rows import Said, Taught, Truth, Written
from streamgauge.types import F64, Codes, Op, Orders, missing


def carry_out(orders: Orders, store: Store, copies: Copies) -> Written:
    """Do what the orders say; what came of it is a piece of the log.

    When a model fails, its error carries the piece up to there.
    """
    asked = orders.op == Op.PREDICT
    n = len(orders)
    sheet = _Sheet(orders.weight.copy(), copies.no_answers(n), copies.score_sheet(n))
    for low, high in _runs(orders):
        some = slice(low, high)
        try:
            if asked[low]:
                _ask(orders, some, store, copies, sheet)
            elif orders.op[low] == Op.LEARN:
                _teach(orders, some, store, copies, sheet)
        except LearnerError as error:
            error.rows = _written(orders, low, sheet, store, copies)
            raise
    return _written(orders, len(orders), sheet, store, copies)


@dataclass(slots=True)
class _Sheet:
    """What comes of the orders, a row an order: weights taught with, answers, scores."""

    weight: F64
    answer: Codes | F64
    scores: F64 | None


def _ask(orders: Orders, some: slice, store: Store, copies: Copies, sheet: _Sheet) -> None:
    first, count = int(orders.item[some.start]), some.stop - some.start
    rows = store.one(first, first + count).x
    sheet.answer[some], scores = copies.ask(int(orders.fold[some.start]), first, rows)
    if sheet.scores is not None and scores is not None:
        sheet.scores[some] = scores


def _teach(orders: Orders, some: slice, store: Store, copies: Copies, sheet: _Sheet) -> None:
    items = orders.item[some]
    rows, labels, weights = store.gather(items)
    _must_be_known(labels, items, "learn")
    sheet.weight[some] *= weights
    copies.teach(int(orders.fold[some.start]), items, rows, labels, sheet.weight[some])


def _written(orders: Orders, stop: int, sheet: _Sheet, store: Store, copies: Copies) -> Written:
    """The rows of the log that the first `stop` orders made."""
    op, item, fold, time = (c[:stop] for c in (orders.op, orders.item, orders.fold, orders.time))
    asked, told, taught = op == Op.PREDICT, op == Op.REVEAL, op == Op.LEARN
    return Written(
        Said(
            item[asked],
            fold[asked],
            orders.turn[:stop][asked],
            orders.kind[:stop][asked],
            time[asked],
            sheet.answer[:stop][asked],
            None if sheet.scores is None else sheet.scores[:stop][asked],
        ),
        _revealed(item[told], time[told], store, copies),
        Taught(item[taught], fold[taught], sheet.weight[:stop][taught]),
    )


def _revealed(item: Any, time: Any, store: Store, copies: Copies) -> Truth:
    if not len(item):
        return Truth(item, time, copies.no_answers(0))
    labels = store.gather(item)[1]
    _must_be_known(labels, item, "reveal")
    return Truth(item, time, labels)


def _must_be_known(labels: Codes | F64, items: Any, verb: str) -> None:
    unknown = missing(labels)
    if unknown.any():
        raise PlanError(f"{verb} {int(items[unknown][0])}: its label is missing")


def _runs(orders: Orders) -> Iterator[tuple[int, int]]:
    """Bounds of runs that one call carries out: same verb, same fold, questions in item order."""
    if not len(orders):
        return
    op, fold, item = orders.op, orders.fold, orders.item
    new = (op[1:] != op[:-1]) | (fold[1:] != fold[:-1])
    new |= (op[1:] == Op.PREDICT) & (item[1:] != item[:-1] + np.uint64(1))
    yield from pairwise([0, *(np.flatnonzero(new) + 1).tolist(), len(op)])
