"""Counts after the arrival of each item and label: repeated predictions, pending items."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from streamgauge._core import RepeatedPredictionCounter
from streamgauge.late._event_sequence import EventSequence, segments
from streamgauge.late._prediction_history import reevaluation_period
from streamgauge.log import Log, one_fold
from streamgauge.log._join import Pending
from streamgauge.log.by_number import ByNumber
from streamgauge.log.rows import Columns
from streamgauge.protocols._late import merged
from streamgauge.types import I64, U64, Event, Flags


@dataclass(frozen=True, slots=True)
class EventCounts:
    """Events of a log (arrivals of items and of labels) in order, with counts after each.

    The arrival of an item that is not predicted is no event, and such an item is not pending.
    `is_label` flags the arrivals of labels; all others are arrivals of items. `repeated` counts
    repeated predictions so far, `repeated_labelled` those of labelled items among them, `pending`
    the pending items. `labels_at_arrival` is the number of labels known when the item of the event
    arrived; of an item that was not predicted, when its label did.
    """

    is_label: Flags
    item: U64
    time: I64
    repeated: I64
    repeated_labelled: I64
    pending: I64
    labels_at_arrival: I64

    def __len__(self) -> int:
        return len(self.item)


def event_counts(log: Log, who: str, fold: int | None = None) -> Iterator[EventCounts]:
    """Yield the events of a log in order, batch by batch, with the counts after each event.

    With `fold`, only predictions of this fold count; labels of items that it did not predict are
    events all the same. Pending items and the events of equal time are held in memory.
    """
    counter = RepeatedPredictionCounter(
        reevaluation_period(log, who), log.about.get("first_at_zero") == "True"
    )
    rule = EventSequence(None, log.about.get("ties") == "labels_first")
    for part in segments(one_fold(log, fold), rule):
        item, row, folds = np.unique(part.first.item, return_index=True, return_counts=True)
        time, known = part.first.time[row], part.labels
        kinds, events, times = merged(
            item, time, known.item, known.time, part.immediate, rule.labels_first
        )
        if not len(events):
            continue
        labelled = kinds == Event.LABEL
        predicted = np.zeros(len(events), np.int64)
        predicted[~labelled] = folds[np.searchsorted(item, events[~labelled])]
        yield EventCounts(labelled, events, times, *counter.count(labelled, events, predicted))


@dataclass(frozen=True, slots=True)
class _ItemCounts(Columns):
    """Labelled items: number of labels when each item arrived, and when its own label did."""

    item: U64
    at_arrival: I64
    at_label: I64


class LabelCounts:
    """Number of known labels when items and their labels arrived, and the times of labels."""

    def __init__(self, log: Log, who: str) -> None:
        self.every = reevaluation_period(log, who)
        self.first_at_zero = log.about.get("first_at_zero") == "True"
        self._pending = Pending(self._labels(event_counts(log, who)))
        self._times = ByNumber(np.int64)

    def at_items(self, rows: Columns) -> tuple[I64, I64]:
        """Number of labels known when each of these items arrived, and when its own label did.

        Calls must follow the order of the labels.
        """
        last = rows.items[-1]
        held = self._pending.part(0)
        while held is not None and not (held.items == last).any():
            self._pending.read()
            held = self._pending.rows
        assert held is not None  # a label in the log is one of its events
        order = np.argsort(held.items)
        at = order[np.searchsorted(held.items, rows.items, sorter=order)]
        at_arrival, at_label = held.at_arrival[at], held.at_label[at]
        self._pending.keep(held, held.at_label > at_label.max())
        return at_arrival, at_label

    def n_repeated(self, at_arrival: I64, at_label: I64) -> I64:
        """Number of repeated predictions of items that were pending between these labels."""
        labels = at_label - at_arrival
        if not self.every:
            return np.zeros_like(labels)
        if self.first_at_zero:
            predicted: I64 = -(-labels // self.every)
            return predicted
        later: I64 = np.maximum(labels - 1, 0) // self.every
        return later

    def time(self, label: I64) -> I64:
        """The times of the labels with these indices, in order of arrival."""
        return self._times.get(label)

    def _labels(self, batches: Iterator[EventCounts]) -> Iterator[_ItemCounts]:
        labels = 0
        for events in batches:
            labelled = events.is_label
            number = np.arange(labels, labels + int(labelled.sum()))
            self._times.put(number, events.time[labelled])
            labels += len(number)
            yield _ItemCounts(events.item[labelled], events.labels_at_arrival[labelled], number)
