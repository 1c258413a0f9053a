"""One interpreter carries out every chunk of a timetable, whichever learner."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from streamgauge._core import Interpreter as Core
from streamgauge.engine.folds import PREDICT_AT_ONCE, Folds
from streamgauge.engine.inbox import Inbox
from streamgauge.errors import LearnerError, PlanError
from streamgauge.log.rows import Plain, Rows, Said, Taught, Truth, Written
from streamgauge.types import (
    F64,
    Batch,
    Codes,
    Event,
    Events,
    Flags,
    Op,
    Orders,
    Pattern,
    nothing,
)

UPDATE, CHANGED, ARRIVAL, PASSING = (
    int(x) for x in (Op.UPDATE, Event.UPDATE, Event.ARRIVAL, Event.PASSING)
)
"""As plain numbers: comparing an array with a member of an enumeration is slow."""

FIRST_STEP_NATIVE = 32_768
"""Items of the first step of a native learner; of others nothing is known yet."""

STEP_SECONDS = 0.2
"""How long a learner works before the log, the progress and Ctrl-C get their turn."""


class Interpreter:
    """Carries out the chunks of one run.

    Events and orders are carried out by the compiled interpreter, which holds the items in
    flight. A pattern stands for orders of one fold about consecutive items, which a learner
    carries out by one verb (`test_then_train`, or predict all and learn all).
    """

    def __init__(self, folds: Folds, width: int, threads: int = 1) -> None:
        self._folds, self._width, self._threads = folds, width, threads
        self._core = Core(folds.driven, folds.classes, folds.scores)
        self._step = FIRST_STEP_NATIVE if folds.native else PREDICT_AT_ONCE
        self.inbox = Inbox()

    def carry_out(
        self,
        chunk: Orders | Pattern | Events,
        write: Callable[[Rows], None],
        advance: Callable[[int], None],
        meanwhile: Callable[[], None],
    ) -> None:
        """Do what the chunk says; `write` takes the rows, `advance` how many items are done.

        `meanwhile` is called once while several threads are at work.
        """
        if isinstance(chunk, Pattern):
            if chunk.what == "test_then_train":
                self._test_then_train(chunk, write, advance)
            else:
                self._at_once(chunk, write, advance)
            return
        if isinstance(chunk, Events):
            came = chunk.item[(chunk.what == ARRIVAL) | (chunk.what == PASSING)]
            changed = chunk.item[chunk.what == CHANGED]
        else:
            came, changed = chunk.item, chunk.item[chunk.op == UPDATE]
        before = self.inbox.taken
        stop = int(came.max()) + 1 if len(came) else before
        batch = self.inbox.take(max(stop, before))
        rows, labels, weights = self._columns(batch)
        updates = self.inbox.next_updates(changed.tolist())
        if isinstance(chunk, Events):
            shares = None
            if chunk.sharing is not None:
                shares = chunk.sharing.shares(before, len(labels))
            parallel = meanwhile if self._threads > 1 else None
            done = self._core.events(
                chunk.what, chunk.item, chunk.time, chunk.every, chunk.at_zero, chunk.ask_last,
                before, rows, labels, weights, shares, updates, self._threads, parallel,
            )  # fmt: skip
            self.inbox.forget_updates(0, chunk.left)
        else:
            done = self._orders(chunk, before, rows, labels, weights, updates)
            self.inbox.forget_updates(chunk.keep_from)
        (predictions, truth, training), stopped = done
        write(Written(Said(*predictions), Truth(*truth), Taught(*training)))
        self._folds.sort_signals(training[0])
        if stopped is not None:
            raise self._folds.failure(stopped) from stopped[3]
        advance(len(labels))

    def _orders(
        self,
        chunk: Orders,
        first: int,
        rows: F64,
        labels: Codes | F64,
        weights: F64 | None,
        updates: F64 | None,
    ) -> Any:
        try:
            return self._core.orders(
                chunk.op, chunk.item, chunk.fold, chunk.turn, chunk.kind, chunk.weight, chunk.time,
                chunk.keep_from, first, rows, labels, weights, updates, self._threads,
            )  # fmt: skip
        except ValueError as error:  # a model's failure is given back, so this is the timetable's
            raise PlanError(f"timetable: {error}") from error

    def _columns(self, batch: Batch | None) -> tuple[F64, Codes | F64, F64 | None]:
        if batch is None:
            return np.empty((0, self._width)), self._folds.each[0].empty(0)[0], None
        return np.ascontiguousarray(batch.x), batch.label, batch.weight

    def _test_then_train(
        self, chunk: Pattern, write: Callable[[Rows], None], advance: Callable[[int], None]
    ) -> None:
        for piece in self.inbox.pieces(chunk.first, chunk.stop):
            low = 0
            while low < len(piece):
                part = piece.slice(low, min(low + self._step, len(piece)))
                began = time.perf_counter()
                self._each(part, _known_of(chunk, part), write)
                low += len(part)
                self._pace(len(part), time.perf_counter() - began)
                advance(len(part))

    def _each(self, part: Batch, known: Flags | None, write: Callable[[Rows], None]) -> None:
        fold = self._folds.each[0]
        scores = fold.empty(len(part))[1]
        labels = part.label.copy()
        if known is not None:  # a label that never comes is not learned, even if it is there
            labels[~known] = nothing(labels)
        try:
            predictions = fold.learner.test_then_train(
                part.first, part.x, labels, part.weight, scores
            )
        except LearnerError as error:
            n = len(error.answers)
            scores = None if scores is None else scores[:n]
            known = None if known is None else known[:n]
            write(_plain(part.slice(0, n), labels[:n], error.answers, scores, known))
            raise
        finally:
            fold.collect()
        write(_plain(part, labels, predictions, scores, known))

    def _pace(self, rows: int, seconds: float) -> None:
        """Choose the next step so that it takes about STEP_SECONDS."""
        wanted = rows * STEP_SECONDS / max(seconds, 1e-6)
        self._step = int(max(1, min(wanted, 8 * self._step, 2**20)))

    def _at_once(
        self, chunk: Pattern, write: Callable[[Rows], None], advance: Callable[[int], None]
    ) -> None:
        """Predict all items of a chunk (unless they are for training only), then learn all."""
        whole = Batch.concatenate(list(self.inbox.pieces(chunk.first, chunk.stop)))
        fold, items = self._folds.each[0], np.arange(chunk.first, chunk.stop, dtype=np.uint64)
        predictions = scores = out = None
        if chunk.what == "chunk":
            predictions, scores = fold.predict_first(items, np.ascontiguousarray(whole.x))
            out = np.full(len(whole), whole.times[-1], dtype=np.int64)
        known: Flags | slice = slice(None) if chunk.known is None else chunk.known
        rows, labels = np.ascontiguousarray(whole.x[known]), whole.label[known]
        if len(labels):
            fold.learn(items[known], rows, labels, whole.weights[known])
        write(_plain(whole, whole.label.copy(), predictions, scores, chunk.known, out))
        advance(len(whole))


def _plain(
    items: Batch,
    labels: Codes | F64,
    predictions: Codes | F64 | None,
    scores: F64 | None,
    known: Flags | None,
    out: Any = None,
) -> Plain:
    return Plain(items.first, labels, predictions, scores, known, items.time, out, items.weight)


def _known_of(chunk: Pattern, part: Batch) -> Flags | None:
    """Which labels of `part` come; None if all do."""
    if chunk.known is None:
        return None
    mine = chunk.known[part.first - chunk.first : part.stop - chunk.first]
    return None if mine.all() else mine
