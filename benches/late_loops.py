"""Loops over waiting items as one writes them without a timetable: each label looks at all."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
from capymoa.core import Instance, LabeledInstance
from capymoa.stream import Schema
from held import Held

DELAY, EVERY = 1000, 10


def straightforward(data: Held, model: Any, items: int, delay: int = DELAY) -> tuple[float, int]:
    """For river's: it begins with the table that the engine begins with too."""
    names, table = data.schema.names, data.x[:items].tolist()

    def made(i: int) -> dict[str, float]:
        return dict(zip(names, table[i], strict=True))

    return _a_call_an_answer(data, made, model.predict_one, model.learn_one, items, delay)


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
    """For CapyMOA's, given as a class."""
    names, classes = [*data.schema.names, "class"], [str(c) for c in data.schema.classes or ()]
    schema = Schema.from_custom(names, "class", {"class": classes})
    bound, x = model(schema=schema), data.x

    def made(i: int) -> Instance:
        return Instance.from_array(schema, x[i])

    def learn(item: Instance, label: int) -> None:
        bound.train(LabeledInstance.from_array(schema, item.x, label))

    return _a_call_an_answer(data, made, bound.predict, learn, items, delay)


def _a_call_an_answer(
    data: Held,
    made: Callable[[int], Any],
    ask: Callable[[Any], Any],
    learn: Callable[[Any, Any], Any],
    items: int,
    delay: int,
) -> tuple[float, int]:
    """What is asked about is made when its item comes."""
    labels = data.label[:items].tolist()
    waiting: deque[list[Any]] = deque()
    given = 0
    began = time.thread_time()
    for i in range(items + delay):
        if i >= delay and i - delay < items:
            k = waiting.popleft()
            ask(k[0])
            given += 1
            for other in waiting:
                if other[2] % EVERY == 0:
                    other[3].append(ask(other[0]))
                    given += 1
                other[2] += 1
            learn(k[0], k[1])
        if i < items:
            item = made(i)
            waiting.append([item, labels[i], 0, [ask(item)]])
            given += 1
    return time.thread_time() - began, given
