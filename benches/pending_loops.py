"""Straightforward loops over pending items, without a timetable: each label visits all items."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
from capymoa.core import Instance, LabeledInstance
from capymoa.stream import Schema
from in_memory import InMemory

DELAY, EVERY = 1000, 10


def straightforward(
    data: InMemory, model: Any, items: int, delay: int = DELAY
) -> tuple[float, int]:
    """For river; starts from the same table as the engine."""
    names, table = data.schema.names, data.x[:items].tolist()

    def make(i: int) -> dict[str, float]:
        return dict(zip(names, table[i], strict=True))

    return _one_call_per_prediction(data, make, model.predict_one, model.learn_one, items, delay)


def one_call_per_label(
    data: InMemory, model: Any, items: int, delay: int = DELAY
) -> tuple[float, int]:
    """For scikit-learn, which takes many rows: all items that are due in one call."""
    x, labels, classes = data.x, data.label, np.unique(data.label)
    pending: deque[list[Any]] = deque()
    predictions, trained = 0, False
    began = time.thread_time()
    for i in range(items + delay):
        if i >= delay and i - delay < items:
            k = pending.popleft()
            due = [k]
            for other in pending:
                if other[1] % EVERY == 0:
                    due.append(other)
                other[1] += 1
            if trained:
                predicted = model.predict(x[[one[0] for one in due]])
                for one, prediction in zip(due, predicted, strict=True):
                    one[2].append(prediction)
            predictions += len(due)
            model.partial_fit(x[k[0]][None], labels[k[0]][None], classes=classes)
            trained = True
        if i < items:
            pending.append([i, 0, list(model.predict(x[i][None])) if trained else []])
            predictions += 1
    return time.thread_time() - began, predictions


def of_capymoa(data: InMemory, model: Any, items: int, delay: int = DELAY) -> tuple[float, int]:
    """For CapyMOA; `model` is a class."""
    names, classes = [*data.schema.names, "class"], [str(c) for c in data.schema.classes or ()]
    schema = Schema.from_custom(names, "class", {"class": classes})
    bound, x = model(schema=schema), data.x

    def make(i: int) -> Instance:
        return Instance.from_array(schema, x[i])

    def learn(item: Instance, label: int) -> None:
        bound.train(LabeledInstance.from_array(schema, item.x, label))

    return _one_call_per_prediction(data, make, bound.predict, learn, items, delay)


def _one_call_per_prediction(
    data: InMemory,
    make: Callable[[int], Any],
    predict: Callable[[Any], Any],
    learn: Callable[[Any, Any], Any],
    items: int,
    delay: int,
) -> tuple[float, int]:
    """The object of an item is make when it arrives."""
    labels = data.label[:items].tolist()
    pending: deque[list[Any]] = deque()
    predictions = 0
    began = time.thread_time()
    for i in range(items + delay):
        if i >= delay and i - delay < items:
            k = pending.popleft()
            predict(k[0])
            predictions += 1
            for other in pending:
                if other[2] % EVERY == 0:
                    other[3].append(predict(other[0]))
                    predictions += 1
                other[2] += 1
            learn(k[0], k[1])
        if i < items:
            item = make(i)
            pending.append([item, labels[i], 0, [predict(item)]])
            predictions += 1
    return time.thread_time() - began, predictions
