"""Explicit orders, carried out run by run: maximal runs of one verb and one fold."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from streamgauge.engine.copies import Copies
from streamgauge.engine.store import Store
from streamgauge.errors import PlanError
from streamgauge.log.rows import Said, Taught, Truth, Written
from streamgauge.types import F64, Codes, Op, Orders


def carry_out(orders: Orders, store: Store, copies: Copies) -> Written:
    """Do what the orders say; what came of it is a piece of the log."""
    op, item, fold = orders.op, orders.item, orders.fold
    asked, told, taught = op == Op.PREDICT, op == Op.REVEAL, op == Op.LEARN
    answers = copies.no_answers(int(asked.sum()))
    scores = copies.score_sheet(len(answers))
    taught_weight = orders.weight.copy()
    row = 0
    for low, high in _runs(orders):
        first, copy = int(item[low]), int(fold[low])
        if asked[low]:
            rows = store.one(first, first + high - low).x
            some = slice(row, row + high - low)
            answers[some], sheet = copies.ask(copy, first, rows)
            if scores is not None and sheet is not None:
                scores[some] = sheet
            row = some.stop
        elif taught[low]:
            rows, labels, weights = store.gather(item[low:high])
            _must_be_known(labels, item[low:high], "learn")
            taught_weight[low:high] *= weights
            copies.teach(copy, item[low:high], rows, labels, taught_weight[low:high])
    return Written(
        Said(
            item[asked],
            fold[asked],
            orders.turn[asked],
            orders.kind[asked],
            orders.time[asked],
            answers,
            scores,
        ),
        _revealed(item[told], orders.time[told], store, copies),
        Taught(item[taught], fold[taught], taught_weight[taught]),
    )


def _revealed(item: Any, time: Any, store: Store, copies: Copies) -> Truth:
    if not len(item):
        return Truth(item, time, copies.no_answers(0))
    labels = store.gather(item)[1]
    _must_be_known(labels, item, "reveal")
    return Truth(item, time, labels)


def _must_be_known(labels: Codes | F64, items: Any, verb: str) -> None:
    unknown = labels < 0 if labels.dtype.kind == "i" else np.isnan(labels)
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
