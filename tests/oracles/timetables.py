"""Timetables order by order, slow and obvious.

An order is (op, item, fold, turn, kind, weight, time). Items are given by `time` and `label_time`,
lists of whole numbers; None: the label never comes.
"""

from __future__ import annotations

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


def shared(orders, weights):
    """For several folds: `weights[fold][item]` above 0 is learned by the fold, 0 is predicted.

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
                if op == Op.PREDICT and drawn == 0:
                    out.append(order(op, item, now, turn, kind, fold))
                if op == Op.LEARN and drawn > 0:
                    out.append(order(op, item, now, turn, kind, fold, drawn))
                if op in (Op.REVEAL, Op.UPDATE) and fold == 0:
                    out.append(order(op, item, now, turn, kind))
    return out
