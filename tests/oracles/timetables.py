"""Timetables order by order, slow and obvious.

An order is (op, item, fold, turn, kind, weight, time). Items are given by `time` and `label_time`,
lists of whole numbers; None: the label never comes.
"""

from __future__ import annotations

import math

from oracles.reevaluation import in_order
from streamgauge.types import Kind, Op


def order(op, item, time, turn=0, kind=Kind.FIRST, fold=0, weight=1.0):
    return (int(op), item, fold, turn, int(kind), weight, time)


def test_then_train(time, label_time, pretrain):
    """Each item is predicted, then learned; the first `pretrain` are only learned."""
    orders = []
    for item, (now, until) in enumerate(zip(time, label_time, strict=True)):
        if item >= pretrain:
            orders.append(order(Op.PREDICT, item, now))
        if until is not None and item >= pretrain:
            orders.append(order(Op.REVEAL, item, now))
        if until is not None:
            orders.append(order(Op.LEARN, item, now))
    return orders


def chunks(time, label_time, size, pretrain):
    """A chunk is predicted, then revealed, then learned, both when its last item is there."""
    start = min(pretrain, len(time))
    orders = test_then_train(time[:start], label_time[:start], start)
    for first in range(start, len(time), size):
        part = range(first, min(first + size, len(time)))
        orders += [order(Op.PREDICT, item, time[item]) for item in part]
        for op in (Op.REVEAL, Op.LEARN):
            known = (item for item in part if label_time[item] is not None)
            orders += [order(op, item, time[part[-1]]) for item in known]
    return orders


def late(time, label_time, every, at_zero, predict_last, labels_first, flush, updates=()):
    """Labels come later; a pending item is predicted again at every `every`-th label (0: never)."""
    changes = {item: [] for item in range(len(time))}
    for item, at in updates:
        changes[item].append((at, None))
    items = [
        (now, None, 0, until, changes[item])
        for item, (now, until) in enumerate(zip(time, label_time, strict=True))
    ]
    end = max(time, default=0)
    pending, orders = {}, []
    for what, item, _, now in in_order(items, labels_first):
        if now > end and not flush:
            break
        if what == "item":
            orders.append(order(Op.PREDICT, item, now))
            pending[item] = [0, 0]  # labels since it arrived, predictions but the first
        elif what == "update":
            if every or label_time[item] is not None:
                orders.append(order(Op.UPDATE, item, now))
        else:
            _, turn = pending.pop(item)
            if predict_last:
                orders.append(order(Op.PREDICT, item, now, turn + 1, Kind.FINAL))
            for other, delays in pending.items():
                due = every and delays[0] % every == 0 and (at_zero or delays[0])
                delays[0] += 1
                if due:
                    delays[1] += 1
                    orders.append(order(Op.PREDICT, other, now, delays[1], Kind.PERIODIC))
            orders.append(order(Op.REVEAL, item, now))
            orders.append(order(Op.LEARN, item, now))
    while orders and orders[-1][0] == Op.UPDATE:  # no prediction and no label comes after them
        orders.pop()
    return orders


def shared(orders, weights, all_predict=False):
    """For several folds: `weights[fold][item]` above 0 is learned by the fold, 0 is predicted.

    With `all_predict` every fold predicts every item.

    Orders of one event and one verb go fold by fold: an item that arrives is an event, and so is
    a label, at which several items are predicted again.
    """
    events: list[list] = []
    for row in orders:
        again = row[0] == Op.PREDICT and row[4] != Kind.FIRST
        last = events[-1][-1] if events else None
        if again and last is not None and last[0] == Op.PREDICT and last[4] != Kind.FIRST:
            events[-1].append(row)
        else:
            events.append([row])
    out = []
    for rows in events:
        for fold, weight in enumerate(weights):
            for op, item, _, turn, kind, _, now in rows:
                drawn = float(weight[item])
                if op == Op.PREDICT and (all_predict or drawn == 0):
                    out.append(order(op, item, now, turn, kind, fold))
                if op == Op.LEARN and drawn > 0:
                    out.append(order(op, item, now, turn, kind, fold, drawn))
                if op in (Op.REVEAL, Op.UPDATE) and fold == 0:
                    out.append(order(op, item, now, turn, kind))
    return out


def holdout(time, label_time, size, every, replace, weights=None):
    """Decision 003-14: the first `size` labelled items are the test set; after them every
    `replace`-th replaces the oldest, and after every `every`-th all of the test set are predicted.

    `weights[fold][item]`: how often a fold learns an item; None: one fold, which learns each once.
    """
    test, tests_of, orders, seen = [], {}, [], 0
    for item, (now, until) in enumerate(zip(time, label_time, strict=True)):
        if until is None:
            continue
        seen += 1
        after = seen - size
        if after > 0 and replace and after % replace == 0:
            test.pop(0)
        if after <= 0 or (replace and after % replace == 0):
            test.append(item)
            tests_of[item] = 0
            orders.append(order(Op.REVEAL, item, now))
        else:
            orders += learned(item, now, weights)
        if after > 0 and after % every == 0:
            for old in test:
                kind = Kind.TEST if tests_of[old] else Kind.FIRST
                for fold in range(1 if weights is None else len(weights)):
                    orders.append(order(Op.PREDICT, old, now, tests_of[old], kind, fold))
                tests_of[old] += 1
    return orders


def interleaved(time, label_time, train, test, weights=None):
    """Learn `train` items, predict and reveal the next `test`, and so on."""
    orders = []
    for first in range(0, len(time), train + test):
        for item in range(first, min(first + train, len(time))):
            if label_time[item] is not None:
                orders += learned(item, time[item], weights)
        block = range(first + train, min(first + train + test, len(time)))
        for item in block:
            for fold in range(1 if weights is None else len(weights)):
                orders.append(order(Op.PREDICT, item, time[item], fold=fold))
        for item in block:
            if label_time[item] is not None:
                orders.append(order(Op.REVEAL, item, time[block[-1]]))
    return orders


def learned(item, now, weights):
    """The orders to learn an item, fold by fold."""
    if weights is None:
        return [order(Op.LEARN, item, now)]
    each = enumerate(float(weight[item]) for weight in weights)
    return [order(Op.LEARN, item, now, fold=fold, weight=w) for fold, w in each if w > 0]


def weights_of(split, folds, draw):
    """Decision 003-13: how often each fold learns an item; `draw(role)` is uniform on [0, 1)."""
    if split == "bootstrap":
        return [poisson(draw(f"weight {fold}")) for fold in range(folds)]
    own = int(draw("fold") * folds)
    return [int((fold == own) == (split == "split")) for fold in range(folds)]


def poisson(u):
    """The least n with P(at most n) above u, of the Poisson distribution with mean 1."""
    n, term, below = 0, math.exp(-1), math.exp(-1)
    while below <= u:
        n += 1
        term /= n
        below += term
    return n


def moa_weights_of(split, folds, item, draw):
    """EvaluatePrequentialCV: the fold of an item is its number modulo k."""
    if split == "bootstrap":
        return weights_of(split, folds, draw)
    return [int((item % folds == fold) == (split == "split")) for fold in range(folds)]
