"""Loops over waiting items as one writes them without a timetable: each label looks at all."""

from __future__ import annotations

import time
from collections import deque
from typing import Any

import numpy as np
from capymoa.core import Instance, LabeledInstance
from capymoa.stream import Schema
from held import Held

DELAY, EVERY = 1000, 10


def straightforward(data: Held, model: Any, items: int, delay: int = DELAY) -> tuple[float, int]:
    """For river's: a call an answer.

    It begins with the table that the engine begins with too: a row is made when its item comes.
    """
    names, table, labels = data.schema.names, data.x[:items].tolist(), data.label[:items].tolist()
    waiting: deque[list[Any]] = deque()
    given = 0
    began = time.thread_time()
    for i in range(items + delay):
        if i >= delay and i - delay < items:
            k = waiting.popleft()
            model.predict_one(k[0])
            given += 1
            for other in waiting:
                if other[2] % EVERY == 0:
                    other[3].append(model.predict_one(other[0]))
                    given += 1
                other[2] += 1
            model.learn_one(k[0], k[1])
        if i < items:
            row = dict(zip(names, table[i], strict=True))
            waiting.append([row, labels[i], 0, [model.predict_one(row)]])
            given += 1
    return time.thread_time() - began, given


def one_call_a_label(data: Held, model: Any, items: int, delay: int = DELAY) -> tuple[float, int]:
    """For scikit-learn's, which take many rows: all who are due in one call."""
    x, labels, classes = data.x, data.label, np.unique(data.label)
    waiting: deque[list[Any]] = deque()
    given, taught = 0, False
    began = time.thread_time()
    for i in range(items + delay):
        if i >= delay and i - delay < items:
            k = waiting.popleft()
            due = [k]
            for other in waiting:
                if other[1] % EVERY == 0:
                    due.append(other)
                other[1] += 1
            if taught:
                said = model.predict(x[[one[0] for one in due]])
                for one, answer in zip(due, said, strict=True):
                    one[2].append(answer)
            given += len(due)
            model.partial_fit(x[k[0]][None], labels[k[0]][None], classes=classes)
            taught = True
        if i < items:
            waiting.append([i, 0, list(model.predict(x[i][None])) if taught else []])
            given += 1
    return time.thread_time() - began, given


def of_capymoa(data: Held, model: Any, items: int, delay: int = DELAY) -> tuple[float, int]:
    """For CapyMOA's, given as a class: a call an answer."""
    names, classes = [*data.schema.names, "class"], [str(c) for c in data.schema.classes or ()]
    schema = Schema.from_custom(names, "class", {"class": classes})
    bound, x, labels = model(schema=schema), data.x, data.label[:items].tolist()
    waiting: deque[list[Any]] = deque()
    given = 0
    began = time.thread_time()
    for i in range(items + delay):
        if i >= delay and i - delay < items:
            k = waiting.popleft()
            bound.predict(k[0])
            given += 1
            for other in waiting:
                if other[2] % EVERY == 0:
                    other[3].append(bound.predict(other[0]))
                    given += 1
                other[2] += 1
            bound.train(LabeledInstance.from_array(schema, k[0].x, k[1]))
        if i < items:
            item = Instance.from_array(schema, x[i])
            waiting.append([item, labels[i], 0, [bound.predict(item)]])
            given += 1
    return time.thread_time() - began, given
